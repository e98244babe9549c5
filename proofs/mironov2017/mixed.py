"""Rounds of eps_i-DP beside rho-zCDP in all, parameters fixed: at the order alpha > 1 the logarithm of the moment,
(alpha - 1) D_alpha, is at most K(alpha) = alpha (alpha - 1) rho + sum_i log(p^alpha q^(1-alpha) + q^alpha p^(1-alpha)),
p = e^eps/(1 + e^eps), q = 1 - p: randomized response's, of which every eps-DP round is post-processing. Then (eps,
delta)-DP holds with delta = exp(K(alpha) - (alpha - 1) eps)/(alpha - 1) (1 - 1/alpha)^alpha for every alpha.

Proved of the running code: K is the sum of log cosh; the objective J = log(delta) has J' = K' - eps + log(1 - 1/alpha),
zero where the code's eps is eps, and J'' > 0; at that order -J is the code's log(1/delta), which increases in alpha.
The zCDP of randomized response: K(1 + s)/(s (s + 1)) is at most its limit at 0, eps tanh(eps/2), as log cosh of a root
is concave.

Hypotheses: parameters fixed in advance. Source: Mironov 2017, Table II, and Canonne, Kamath, Steinke 2020, Proposition
12, added up (ours).
"""

from fractions import Fraction

import sympy as sp

from proofs.numerals import by_sympy, image, least, meet
from proofs.transcription import Property, Transcription, rounds, total, vanishes

u, x, y, s = (sp.Symbol(name, positive=True) for name in ("u", "x", "y", "s"))
eps, n, m = sp.Symbol("eps", nonnegative=True), *(sp.Symbol(c, integer=True, positive=True) for c in "nm")
rho = sp.Symbol("rho", nonnegative=True)
alpha = 1 + u
MODULE = "privref.composition.moments"


def by_definition(x, alpha):
    """log(p^alpha q^(1-alpha) + q^alpha p^(1-alpha)), with e^x and 1 + e^x."""
    p, q = 1 / (1 + sp.exp(-x)), 1 / (1 + sp.exp(x))
    return sp.log(p**alpha * q ** (1 - alpha) + q**alpha * p ** (1 - alpha))


def by_cosh(x, alpha):
    return sp.log(sp.cosh(x * (alpha - sp.Rational(1, 2)))) - sp.log(sp.cosh(x / 2))


def parametrisation(code):
    # K by the definition is that of the code's statement, at whole orders.
    for order in (2, 3, 7):
        ratio = sp.exp(by_definition(x, order)) / sp.exp(by_cosh(x, order))
        assert vanishes(sp.together(ratio.rewrite(sp.exp)) - 1)
    eps_at, log_at = (code.helper(f"{MODULE}:{name}") for name in ("mixed_eps_at", "mixed_log_inverse_delta_at"))
    # Different epsilons add up in both: one of them is enough from here.
    for helper in (eps_at, log_at):
        both, one, other, none = (helper(pairs, rho, alpha) for pairs in (((x, n), (y, m)), ((x, n),), ((y, m),), ()))
        assert vanishes(both - one - other + none)
    K = alpha * u * rho + n * by_cosh(x, alpha)  # noqa: N806
    J = K - u * eps - sp.log(u) + alpha * sp.log(1 - 1 / alpha)  # noqa: N806
    best, told = eps_at(((x, n),), rho, alpha), log_at(((x, n),), rho, alpha)
    assert vanishes(sp.diff(J, u) - (best - eps))
    curvature = 2 * rho + n * x**2 / sp.cosh(x * (u + sp.Rational(1, 2))) ** 2 + 1 / (u * (1 + u))
    assert vanishes(sp.diff(J, u, 2) - curvature)
    assert curvature.is_positive
    # -J at the best order is the code's log(1/delta): both grow alike in u, and agree as u -> 0.
    increase = sp.expand(u * (curvature - 1 / (u * (1 + u)))) + 1 / alpha
    assert increase.is_positive
    assert vanishes(sp.diff(told, u) - increase)
    reached = -J.subs(eps, best)
    assert vanishes(sp.diff(reached, u) - increase)
    # Without log(u), which cancels, both are continuous at 0.
    for log_inverse in (told, sp.expand(reached.subs(sp.log(1 - 1 / alpha), sp.log(u) - sp.log(1 + u)))):
        assert not log_inverse.has(sp.log(u), 1 / u)
        assert vanishes(log_inverse.subs(u, 0))


def check(code):
    """Against a minimisation of our own, from above on a grid of orders and at the best one."""
    parametrisation(code)
    for given, r, d in (
        (((Fraction(1), 3), (Fraction(1, 10), 50)), Fraction(1, 5), Fraction(1, 10**6)),
        (((Fraction(4), 2),), Fraction(0), Fraction(1, 100)),
    ):
        low, high = code.enclosed(25, eps=given, rho=r, delta=d)
        a = sp.Symbol("a", positive=True)
        moment = a * (a - 1) * sp.Rational(r) + sum(c * by_cosh(sp.Rational(e), a) for e, c in given)
        objective = moment / (a - 1) + sp.log(1 - 1 / a) + sp.log(1 / (a * sp.Rational(d))) / (a - 1)
        values = [by_sympy(objective.subs(a, sp.Rational(k, 20)), 30)[1] for k in range(22, 400, 8)]
        near = sp.Rational(22 + 8 * values.index(min(values)), 20)
        assert low <= min(values)
        # The epsilon's objective need not be convex; the delta's is, and falls with eps through the one asked for.
        for_delta = moment - sp.log(a - 1) + a * sp.log(1 - 1 / a)
        above, below = (least(for_delta - (a - 1) * sp.Rational(end), a, near) for end in (low, high))
        asked = by_sympy(sp.log(sp.Rational(d)))
        assert below[0] <= asked[1]
        assert asked[0] <= above[1]


def inverse(code):
    """Against a minimisation of our own too: it follows the same curve in alpha as the epsilon."""
    for given, r, e in (
        (((Fraction(1), 3), (Fraction(1, 10), 50)), Fraction(1, 5), Fraction(9)),
        (((Fraction(4), 2),), Fraction(0), Fraction(5)),
    ):
        low, high = code.enclosed(25, eps=given, rho=r, eps_g=e)
        a = sp.Symbol("a", positive=True)
        moment = a * (a - 1) * sp.Rational(r) + sum(c * by_cosh(sp.Rational(x), a) for x, c in given)
        objective = moment - (a - 1) * sp.Rational(e) - sp.log(a - 1) + a * sp.log(1 - 1 / a)
        values = [by_sympy(objective.subs(a, sp.Rational(k, 20)), 30)[1] for k in range(21, 400, 8)]
        near = sp.Rational(21 + 8 * values.index(min(values)), 20)
        assert by_sympy(sp.log(sp.Rational(low)))[0] <= min(values)
        assert meet((low, high), image(sp.exp, least(objective, a, near)))


def least_rho(code):
    """eps tanh(eps/2) is the limit of K/(s (s + 1)) at s = 0, and the largest, as log cosh(sqrt(t)) is concave in t."""
    assert vanishes(
        sp.limit(sp.diff(by_cosh(x, 1 + s), s), s, 0).rewrite(sp.exp) - (x * sp.tanh(x / 2)).rewrite(sp.exp)
    )
    z = sp.Symbol("z", positive=True)
    # d^2/dt^2 log cosh(sqrt t) at t = z^2 is (z - sinh(z) cosh(z)) / (4 z^3 cosh(z)^2), and sinh(2 z) > 2 z.
    t = sp.Symbol("t", positive=True)
    second = sp.diff(sp.log(sp.cosh(sp.sqrt(t))), t, 2).subs(t, z**2)
    assert vanishes(
        sp.simplify((second - (z - sp.sinh(z) * sp.cosh(z)) / (4 * z**3 * sp.cosh(z) ** 2)).rewrite(sp.exp))
    )
    one = code.symbolic(eps=((x, n),), rhos=((rho, 1),))
    assert vanishes(one - (n * x * sp.tanh(x / 2) + rho))


PROVES = (
    Property(
        "mironov2017/mixed.eps", check, "two different epsilons beside a rho, every order; two settings by search"
    ),
    Property(
        "mironov2017/mixed.delta", inverse, "the same curve, which mironov2017/mixed.eps proves; two settings by search"
    ),
    Property("whitehouse2023/thm1.tight.rho", least_rho, "one epsilon beside a rho, each any number of times"),
    Transcription(
        "whitehouse2023/thm1.tight.rho",
        lambda eps, rhos: total(c * e * sp.tanh(e / 2) for e, c in eps) + total(c * r for r, c in rhos),
        tuple(
            {"eps": rounds("e", k, lowest="positive"), "rhos": rounds("r", j)}
            for k, j in ((0, 0), (1, 0), (2, 1), (0, 2))
        ),
        "up to two different epsilons and rhos, any number of times",
        "cases",
    ),
)
