"""Every rho-zCDP mechanism is mu-Gaussian DP, for each mu with sqrt(rho) <= v(mu/2) - v(-mu/2), v(t) = sqrt(-log Q(t)).

Q(t) = 1 - Phi(t). Let P and Q_0 be the laws of a mechanism on two neighbours, S a set of answers, a = Q_0(S) and
b = 1 - P(S) the two errors of the test that S makes. mu-Gaussian DP says b >= f(a), f(a) = Phi(Phi^-1(1 - a) - mu)
(Dong, Roth, Su 2019, Definition 4), of every pair of neighbours in both orders. f falls and is its own inverse.

1. Suppose b < f(a). The test of the complement, with both laws exchanged, has the errors b and a, and a < f(b). So let
a <= b. Then a < f(a), which is a < Phi(-mu/2): f is at its fixed point there. With a = Q(z), z > mu/2.

2. a = 0 would give P(S) = 0, since divergences are finite, and b = 1. Else data processing gives for every order
alpha > 1: (1 - b)^alpha a^(1 - alpha) <= e^(alpha (alpha - 1) rho). With x = log(1/a) that is

    log(1 - b) <= (alpha - 1) rho - (1 - 1/alpha) x,

for x > rho least at alpha = sqrt(x/rho), where the right side is -(sqrt x - sqrt rho)^2. x > rho holds, because
sqrt x = v(z) > v(mu/2) >= sqrt(rho) + v(-mu/2).

3. b < f(a) says 1 - b > Q(z - mu), so that v(z - mu) > sqrt x - sqrt rho = v(z) - sqrt rho.

4. v is convex. So v(z) - v(z - mu) grows with z, and is at least v(mu/2) - v(-mu/2) >= sqrt rho. That contradicts 3.

v is convex: let h = phi/Q be the hazard of the normal law, so that h' = h (h - t), m = h - t > 0, u = -log Q and
u' = h. With v = sqrt u, v'' has the sign of 2 u u'' - u'^2 = h m (2 u - h/m). At -oo both u and h/m tend to 0, and
the derivative of 2 u - h/m is h''/m^2. So h'' > 0 is enough (Sampford 1953; here anew): h'' = h A with
A = m^2 + h m - 1, and A' = (2 m + h) A - 2 m^3. So A exp(-int (2 m + h)) falls. For large t, A tends to 0, and so does
this product, as h > t; it is positive before.

How much is lost: for small rho mu is sqrt(pi log 2) sqrt(2 rho), 1.4757 sqrt(2 rho). No theorem has less than
sqrt(pi/2) sqrt(2 rho), 1.2533 sqrt(2 rho): randomized response with epsilon tanh(epsilon/2) = rho is rho-zCDP, and its
total variation is tanh(epsilon/2). For large rho both are near 2 sqrt(2 rho).

Two conditions are needed. Divergences of finitely many orders do not bound mu, since the loss may have a heavier tail
than that of a Gaussian; and a delta is more than any Gaussian has at large epsilon.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from privref.exact.arithmetic import Arithmetic, Scalar

from .steps import Derivation, Step, below, identity

F = Fraction
t = sp.Symbol("t", real=True)
x, rho = sp.symbols("x rho", positive=True)
hazard, survival = sp.Function("h")(t), sp.Function("u")(t)


def _slope(expression: sp.Expr) -> sp.Expr:
    """The derivative, by h' = h (h - t) and u' = h."""
    found = sp.diff(expression, t)
    return found.subs({sp.Derivative(hazard, t): hazard * (hazard - t), sp.Derivative(survival, t): hazard})


_M = hazard - t
_A = _M**2 + hazard * _M - 1
_ROOT = sp.sqrt(survival)


def _apart(ar: Arithmetic, half: Fraction) -> Scalar:
    """v(half) - v(-half)."""
    up, down = (ar.sqrt(-ar.log(ar.normal_cdf(ar.real(end)))) for end in (-half, half))
    return up - down


def _total_variation(ar: Arithmetic, epsilon: Fraction) -> Scalar:
    return (ar.exp(epsilon) - 1) / (ar.exp(epsilon) + 1)


def _of_response(epsilon: Fraction, mu: Fraction, *, enough: bool) -> Step:
    """Whether mu is enough for the rho of randomized response, by the theorem."""

    def root(ar: Arithmetic) -> Scalar:
        return ar.sqrt(epsilon * _total_variation(ar, epsilon))

    says = f"randomized response of epsilon = {epsilon}: mu = {mu} is {'' if enough else 'not '}enough by the theorem"
    if enough:
        return below(says, root, lambda ar: _apart(ar, mu / 2))
    return below(says, lambda ar: _apart(ar, mu / 2), root)


DERIVATIONS = (
    Derivation(
        "zCDP is Gaussian DP with a larger mu (gdp/zcdp2gdp)",
        ("gdp/zcdp2gdp.mu",),
        (
            identity(
                "at the order sqrt(x/rho) the bound on log(1 - b) is -(sqrt x - sqrt rho)^2",
                ((sp.sqrt(x / rho) - 1) * rho - (1 - sp.sqrt(rho / x)) * x),
                -((sp.sqrt(x) - sp.sqrt(rho)) ** 2),
            ),
            identity("h'' = h A", _slope(_slope(hazard)), hazard * _A),
            identity("A' = (2 m + h) A - 2 m^3", _slope(_A), (2 * _M + hazard) * _A - 2 * _M**3),
            identity("(2 u - h/m)' = h''/m^2", _slope(2 * survival - hazard / _M), hazard * _A / _M**2),
            identity(
                "4 u^(3/2) v'' = h m (2 u - h/m)",
                4 * survival * _ROOT * _slope(_slope(_ROOT)),
                hazard * _M * (2 * survival - hazard / _M),
            ),
            _of_response(F(1), F(7, 5), enough=False),
            _of_response(F(1), F(3, 2), enough=True),
            below(
                "and what it loses at epsilon = 0 is more than 1.23-Gaussian DP allows",
                lambda ar: ar.normal_cdf(ar.real(F(123, 200))) - ar.normal_cdf(ar.real(F(-123, 200))),
                lambda ar: _total_variation(ar, F(1)),
            ),
        ),
    ),
)
