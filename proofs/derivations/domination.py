"""epsilon-DP, and Gaussian DP after it, are dominated by a Gaussian where their total variation is no larger.

Let R be randomized response at eps > 0, whose loss is eps with the chance e^eps/(1 + e^eps) and otherwise -eps, and
G_v the pair N(v, 1), N(0, 1). Claim: R and G_v together have at every epsilon at most the delta of G_m if and only if
they have at epsilon = 0, where it is the total variation. (Only if: that is one of them.)

Of a pair whose loss has the density f under P, write g(x) = e^(-x/2) f(x). For both pairs here g is even,

    g_1(x) = e^(-v^2/8)/(2 cosh(eps/2)) (phi_v(x - eps) + phi_v(x + eps)),    g_2(x) = e^(-m^2/8) phi_m(x),

with phi_s the density of N(0, s^2), and delta(t) = int_t^oo (1 - e^(t - x)) f(x) dx, which is 2 e^(t/2) times
int_t^oo sinh((x - t)/2) g(x) dx. Let h = g_2 - g_1 and D(t) = int_t^oo sinh((x - t)/2) h(x) dx. The claim is D >= 0,
for t >= 0, as for even g delta(-t) = 1 - e^-t + e^-t delta(t). Both laws have the mass 1, so the integral of
cosh(x/2) h(x) over x >= 0 is 0. So D'' = D/4 + h/2, D'(0) = 0, and D tends to 0. The total variation is delta(0):
D(0) >= 0 is the hypothesis. It implies m > v, as R adds to what v has.

Signs. log(g_1/g_2) = log cosh(a x) - b x^2 + c with a = eps/v^2 and 2 b = 1/v^2 - 1/m^2 > 0. Its slope a tanh(a x) -
2 b x is concave on x >= 0 and 0 at 0, hence positive up to some place, if anywhere, and negative beyond. So h has,
from 0 on, the signs +, -, + or -, + (not one sign only, by the integral that is 0).

Signs -, +. sinh((x - t)/2)/cosh(x/2) does not fall with x, and counts as 0 below t. So the integral of it times
cosh(x/2) h(x), whose own integral is 0 and which is negative first, is at least 0: D >= 0.

Signs +, -, + with changes at x_1 < x_2. For t >= x_2, D(t) is an integral of what is not negative. On [0, x_1], D''
>= D/4 with D(0) >= 0 and D'(0) = 0: D does not fall. Between x_1 and x_2, D >= 0 at both ends; at a negative minimum
inside, D'' would be at least 0, but it is D/4 + h/2 < 0. So D >= 0 everywhere.

Without G_v (v = 0) the claim is the limit v -> 0: deltas are continuous in v and in m.

A filter. It holds n, at first the mu of the budget. A round of eps-DP runs where R and G_v are dominated by G_n for
some v >= 0, and the filter holds v then. Whatever is chosen on the way, all that runs from a state with n on is
dominated by G_n, by induction from the last round. The remaining rounds are dominated by G_v, whatever the round
answered: so the round with them is by its own pair and G_v (Zhu, Dong, Wang 2022, Theorem 10), the round by R
(Kairouz, Oh, Viswanath 2015), and R with G_v by G_n. v depends on eps and n only, not on the answer. Runs without an
end are limits of finite ones. A round of u-Gaussian DP leaves n^2 - u^2.

Deltas. Both laws of an (eps, delta)-DP round are mixtures: the part delta of them is anything, the rest is eps-DP.
With the part revealed, the round and what follows lose at most (1 - delta)(delta_n + d) + delta, where d is what
later rounds may add. So deltas add up to a budget of their own. That split is fixed in advance: otherwise n is chosen
in hindsight.

Groups. If R and G_v are dominated by the Gaussian of square v^2 + c, then for w > v so are R and G_w by that of w^2 +
c: compose both with the Gaussian of square w^2 - v^2. So what a round takes does not grow with what is left after it,
and each of several rounds may be charged what the last of them takes.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from privref.adaptive.domination import domination_decision
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar

from .steps import Derivation, Step, below, identity

F = Fraction
x, t = sp.symbols("x t", real=True)
eps, v, m, a, b = sp.symbols("eps v m a b", positive=True)
E = sp.exp


def _density(at: sp.Expr, s: sp.Expr) -> sp.Expr:
    return E(-(at**2) / (2 * s**2)) / (s * sp.sqrt(2 * sp.pi))


def _tilted() -> bool:
    """e^(-x/2) times the loss's density under P is g, for both pairs."""
    likely = E(eps) / (1 + E(eps))
    mixed = likely * _density(x - eps - v**2 / 2, v) + (1 - likely) * _density(x + eps - v**2 / 2, v)
    even = E(-(v**2) / 8) / (E(eps / 2) + E(-eps / 2)) * (_density(x - eps, v) + _density(x + eps, v))
    alone = E(-x / 2) * _density(x - m**2 / 2, m) / (E(-(m**2) / 8) * _density(x, m))
    terms = [
        E(-x / 2) * chance * _density(x - sign * eps - v**2 / 2, v)
        / (E(-(v**2) / 8) / (E(eps / 2) + E(-eps / 2)) * _density(x - sign * eps, v))
        for sign, chance in ((1, likely), (-1, 1 - likely))
    ]  # fmt: skip
    assert sp.simplify(mixed.subs({eps: 1, v: 1, x: 0}) - even.subs({eps: 1, v: 1, x: 0})) == 0
    return all(sp.simplify(sp.powsimp(sp.expand(ratio))) == 1 for ratio in (alone, *terms))


def _totals() -> bool:
    """The statement compares 2 Phi(m/2) - 1 with tanh(eps/2) + 2 delta_v(eps)/(1 + e^eps), the total variations."""
    p, q, tail = sp.symbols("p q tail")  # Phi(eps/v - v/2), Phi(-eps/v - v/2), Phi(-m/2)
    delta = (1 - p) - E(eps) * q
    mixed = (E(eps) - 1) / (E(eps) + 1) + 2 * delta / (1 + E(eps))
    difference = (1 - 2 * tail) - mixed
    stated = q + E(-eps) * p - (1 + E(-eps)) * tail
    return sp.simplify(difference * (1 + E(eps)) - 2 * E(eps) * stated) == 0


def _dominated(eps: Fraction, before: Fraction, after: Fraction) -> list[Step]:
    """Where the statement admits it, deltas at several epsilons are in order; a little less is refused."""

    def curve(ar: Arithmetic, square: Fraction, at: Scalar) -> Scalar:
        mu = ar.sqrt(square)
        return ar.normal_cdf(mu / 2 - at / mu) - ar.exp(at) * ar.normal_cdf(-mu / 2 - at / mu)

    def both(at: Fraction) -> Step:
        def mixed(ar: Arithmetic) -> Scalar:
            likely = 1 / (1 + ar.exp(-eps))
            return likely * curve(ar, after, at - eps) + (1 - likely) * curve(ar, after, at + eps)

        return below(
            f"eps {eps}, squares {before} and {after}: no more at {at}", mixed, lambda ar: curve(ar, before, at)
        )

    def decided() -> bool:
        tight = before - (before - after) / 500
        return all(
            domination_decision(decide.engine(name), eps, square, after) == word
            for name in ("arb", "mpmath")
            for square, word in ((before, "CONT"), (tight, "HALT"))
        )

    return [
        Step(f"eps {eps}, squares {before} and {after}: admitted, and not with a 500th less", decided),
        *(both(F(at)) for at in ("0", "1/50", "1/2", "1", "2", "5", "12")),
    ]


DERIVATIONS = (
    Derivation(
        "Domination of randomized response and a Gaussian by a Gaussian (gdp/domination.decision)",
        ("gdp/domination.decision",),
        (
            Step("both losses' densities times e^(-x/2) are even", _tilted),
            identity("1 - e^(t - x) is 2 e^((t - x)/2) sinh((x - t)/2)",
                     (1 - E(t - x)).rewrite(E), (2 * E((t - x) / 2) * sp.sinh((x - t) / 2)).rewrite(E)),
            identity("D'' = D/4 + h/2: the kernel's second derivative, and its first one at x = t",
                     sp.diff(sp.sinh((x - t) / 2), t, 2) - sp.sinh((x - t) / 2) / 4
                     + sp.diff(sp.sinh((x - t) / 2), t).subs(x, t), -sp.Rational(1, 2)),
            identity("the slope of log(g_1/g_2) is a tanh(a x) - 2 b x",
                     sp.diff(sp.log(sp.cosh(a * x)) - b * x**2, x), (a * sp.tanh(a * x) - 2 * b * x).rewrite(sp.cosh)),
            identity("its second derivative is -2 a^3 tanh/cosh^2, so that it is concave on x >= 0",
                     sp.diff(a * sp.tanh(a * x), x, 2),
                     (-2 * a**3 * sp.tanh(a * x) * (1 - sp.tanh(a * x) ** 2))),
            identity("sinh((x - t)/2)/cosh(x/2) rises with x, by cosh(t/2)/(2 cosh(x/2)^2)",
                     (sp.diff(sp.sinh((x - t) / 2) / sp.cosh(x / 2), x) * 2 * sp.cosh(x / 2) ** 2).rewrite(E),
                     sp.cosh(t / 2).rewrite(E)),
            Step("the statement compares total variations", _totals),
            *_dominated(F(1), F("1.6761"), F("0.49")),
            *_dominated(F(1, 10), F("1.01002"), F(1)),
            *_dominated(F(3), F("11.1602"), F("0.04")),
        ),
    ),
)  # fmt: skip
