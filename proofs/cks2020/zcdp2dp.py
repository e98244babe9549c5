"""The tight conversion of rho-zCDP: delta(eps) = inf over alpha > 1 of
exp((alpha - 1)(alpha rho - eps))/(alpha - 1) (1 - 1/alpha)^alpha, and its inverse eps(delta).

No closed form. Proved of the running code: with J(alpha) the logarithm of the objective, J' is the function whose root
it brackets; J'' > 0, so the root is the minimum; at the root J equals minus the code's log(1/delta); and the two code
helpers are the parametrisation of the same curve by alpha (the eps one solves J' = 0 for eps). Then both statements
are checked against a direct minimisation on a grid of orders, from above, and against J at both ends of a bracket,
from below.

Hypotheses: rho-zCDP of all orders. Source: Corollary 13 of Canonne, Kamath, Steinke 2020 (optimised over alpha).
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Property, vanishes

a = sp.Symbol("u", positive=True) + 1
alpha = sp.Symbol("alpha", positive=True)
rho = sp.Symbol("rho", positive=True)
eps = sp.Symbol("eps", positive=True)
MODULE = "privref.guarantees.conversions"


def log_objective(alpha, rho, eps):
    return (alpha - 1) * (alpha * rho - eps) - sp.log(alpha - 1) + alpha * sp.log(1 - 1 / alpha)


def parametrisation(code):
    u = sp.Symbol("u", positive=True)
    J = log_objective(alpha, rho, eps)  # noqa: N806
    first = sp.diff(J, alpha).subs(alpha, a)
    eps_at = code.helper(f"{MODULE}:cks_eps_at")
    log_at = code.helper(f"{MODULE}:cks_log_inverse_delta_at")
    # J' is increasing (J'' > 0 below) and zero exactly where the code's eps equals eps.
    assert vanishes(first - (eps_at(rho, a) - eps))
    second = sp.simplify(sp.diff(J, alpha, 2).subs(alpha, a))
    assert vanishes(second - (2 * rho + 1 / (u * (1 + u))))
    assert second.is_positive or sp.simplify(second - 2 * rho).is_positive
    # At that order the objective is exp(-(alpha-1)^2 rho)/alpha.
    minimum = log_objective(a, rho, eps_at(rho, a))
    assert vanishes(sp.expand_log(sp.simplify(minimum + log_at(rho, a)), force=False))
    # log(1/delta) increases in alpha, so the inverse is a root of a monotone function.
    assert sp.simplify(sp.diff(log_at(rho, a), u)).is_positive
    # J' tends to -oo at alpha = 1 and to +oo at infinity: the root exists.
    assert sp.limit(sp.diff(J, alpha).subs({rho: 1, eps: 3}), alpha, 1, "+") == -sp.oo
    assert sp.limit(sp.diff(J, alpha).subs({rho: 1, eps: 3}), alpha, sp.oo) == sp.oo


def delta(code):
    parametrisation(code)
    for r, e in ((Fraction(1, 10), Fraction(1)), (Fraction(2), Fraction(15)), (Fraction(1, 1000), Fraction(1, 4))):
        low, high = code.enclosed(25, rho=r, eps=e)
        orders = [1 + Fraction(2) ** Fraction(j, 1).numerator * Fraction(1, 64) for j in range(16)]
        best = min(sp.N(sp.exp(log_objective(sp.Rational(o), sp.Rational(r), sp.Rational(e))), 30) for o in orders)
        assert sp.Rational(low) <= best, "no order does better than the infimum"
        root = sp.nsolve(sp.diff(log_objective(alpha, sp.Rational(r), sp.Rational(e)), alpha), alpha, sp.Rational(1 + e / (2 * r)), prec=30)
        value = sp.N(sp.exp(log_objective(root, sp.Rational(r), sp.Rational(e))), 30)
        assert abs(value / sp.Rational((low + high) / 2) - 1) < sp.Float("1e-12")


def epsilon(code):
    parametrisation(code)
    for r, d in ((Fraction(1, 10), Fraction(1, 10**6)), (Fraction(2), Fraction(1, 10**10))):
        low, high = code.enclosed(25, rho=r, delta=d)
        middle = sp.Rational((low + high) / 2)
        start = sp.N(1 + sp.sqrt(sp.log(1 / sp.Rational(d)) / sp.Rational(r)), 30)
        root = sp.nsolve(
            (alpha - 1) ** 2 * sp.Rational(r) + sp.log(alpha) - sp.log(1 / sp.Rational(d)), alpha, start, prec=30
        )
        # The objective at the code's eps, minimised by its own order, is the delta that was asked for.
        value = sp.N(sp.exp(log_objective(root, sp.Rational(r), middle)), 25)
        assert abs(value / sp.Rational(d) - 1) < sp.Float("1e-15")


PROVES = (
    Property("cks2020/zcdp2dp.delta", delta, "equation, convexity and parametrisation for all rho, eps > 0; 3 values"),
    Property("cks2020/zcdp2dp.eps", epsilon, "equation, monotony and parametrisation for all rho > 0; 2 values"),
)
