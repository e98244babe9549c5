"""Three families of odometers as functions of V_n = sum_{m <= n} eps_m^2; all read infinity once the deltas exceed
delta''.

1. Filter odometer, tuned to eps: 1/2 sqrt(2 y* log(1/delta')) + sqrt(2 log(1/delta'))/(2 sqrt(y*)) V + V/2, with y*
   the root of f(y) = eps. Printed: y* = (-sqrt(2 log(1/delta')) + sqrt(2 log(1/delta') + eps))^2. The root has 2 eps
   (E5; proofs/derivations/whitehouse.py).
2. Mixture odometer: sqrt(2 log(1/delta' sqrt((V + gamma)/gamma)) (gamma + V)) + V/2.
3. Stitched odometer: infinity for V < v0, else 1.7 sqrt(V (log log(2V/v0) + 0.72 log(5.2/delta'))) + V/2.

Repair for pDP rounds with delta_m > 0 (ours, E4): add sum log(1/(1 - delta_m)).

Hypotheses: delta' in (0, 1); delta_m = 0 or randomized-response rounds (E4). Source: Theorem 3.
"""

from fractions import Fraction

import sympy as sp

from proofs.numerals import by_sympy, meet
from proofs.transcription import Property, Root, Transcription, proper_fraction, total, vanishes

V = sp.Symbol("V", nonnegative=True)
eps = sp.Symbol("eps", positive=True)
gamma = sp.Symbol("gamma", positive=True)
v0 = sp.Symbol("v0", positive=True)
delta_prime = proper_fraction("t")
# 2 log(1/delta') = s^2 and eps such that the root of y* is r: the pair ranges over all of (0, oo)^2.
r, s = sp.symbols("r s", positive=True)
positive_v = sp.Symbol("V", positive=True)
EVERY = "every V >= 0, delta' in (0, 1), tuning > 0"


def bad(size):
    """That many deltas in (0, 1), with multiplicities."""
    return tuple((proper_fraction(f"t{i}"), sp.Symbol(f"c{i}", positive=True)) for i in range(size))


def ystar(multiple):
    def formula(eps, delta_prime):
        a = 2 * sp.log(1 / delta_prime)
        return (-sp.sqrt(a) + sp.sqrt(a + multiple * eps)) ** 2

    return formula


def filter_odometer(multiple):
    def formula(V, eps, delta_prime):  # noqa: N803
        return filter_at(V, ystar(multiple)(eps, delta_prime), delta_prime)

    return formula


def filter_at(V, y_star, delta_prime):  # noqa: N803
    a = sp.sqrt(2 * sp.log(1 / delta_prime))
    return a * sp.sqrt(y_star) / 2 + a / (2 * sp.sqrt(y_star)) * V + V / 2


def mixture(V, gamma, delta_prime):  # noqa: N803
    return sp.sqrt(2 * sp.log(1 / delta_prime * sp.sqrt((V + gamma) / gamma)) * (gamma + V)) + V / 2


def repaired(odometer):
    def formula(V, delta, **tuning):  # noqa: N803
        u = odometer(V=V, **tuning)
        return u if isinstance(u, str) else u + total(c * sp.log(1 / (1 - d)) for d, c in delta)

    return formula


def stitched(V, v0, delta_prime):  # noqa: N803
    if v0 > V:
        return "inf"
    inner = sp.log(sp.log(2 * V / v0)) + sp.Rational(72, 100) * sp.log(sp.Rational(52, 10) / delta_prime)
    return sp.Rational(17, 10) * sp.sqrt(V * inner) + V / 2


def domain(V, v0):  # noqa: N803
    return "inf" if v0 > V else "finite"


def best_mixture(code):
    """With r = V/gamma: the derivative of the squared radius has the sign of r - log(1 + r) - 2 l, and at its root the
    least reading is sqrt(V (1 + r)) + V/2; both answers are then that root's, to 20 digits."""
    ratio, log_term = sp.symbols("ratio l", positive=True)
    squared = 2 * V * (1 + 1 / ratio) * (log_term + sp.log(1 + ratio) / 2)
    slope = sp.diff(squared, ratio) * ratio**2 / V
    assert vanishes(sp.expand(slope - (ratio - sp.log(1 + ratio) - 2 * log_term)))
    assert vanishes(sp.diff(ratio - sp.log(1 + ratio), ratio) - ratio / (1 + ratio))
    at_root = squared.subs(log_term, (ratio - sp.log(1 + ratio)) / 2)
    assert vanishes(sp.expand(at_root - V * (1 + ratio)))
    gamma_of = "best_gamma" in code.name
    for v, d in ((Fraction(1, 10), Fraction(1, 10**6)), (Fraction(3), Fraction(1, 10))):
        low, high = code.enclosed(25, V=v, delta_prime=d)
        target = 2 * sp.log(1 / sp.Rational(d))
        root = sp.Rational(sp.nsolve(ratio - sp.log(1 + ratio) - target, ratio, sp.N(target + 3, 30), prec=40))
        ends = [root * (1 + sign * sp.Rational(1, 10**30)) for sign in (-1, 1)]
        below, above = (by_sympy(end - sp.log(1 + end) - target) for end in ends)
        assert below[1] < 0 < above[0]
        exact = [
            sp.Rational(v) / end if gamma_of else sp.sqrt(sp.Rational(v) * (1 + end)) + sp.Rational(v) / 2
            for end in (reversed(ends) if gamma_of else ends)
        ]
        assert meet((low, high), (by_sympy(exact[0])[0], by_sympy(exact[1])[1]))


def stationary(root, V, delta_prime):  # noqa: N803
    """V/gamma where the squared radius of the mixture is stationary: its slope has the sign of what increases."""
    ratio = sp.Symbol("ratio", positive=True)
    squared = (mixture(V, V / ratio, delta_prime) - V / 2) ** 2
    increasing = ratio - sp.log(1 + ratio) - 2 * sp.log(1 / delta_prime)
    assert vanishes(sp.expand_log(sp.diff(squared, ratio) * ratio**2 / V - increasing))
    return root(lambda r: increasing.subs(ratio, r))


def least_mixture(root, V, delta_prime):  # noqa: N803
    """The reading there: log(1/delta') is (r - log(1 + r))/2 at the root."""
    r = stationary(root, V, delta_prime)
    at_root = mixture(V, V / r, sp.exp(-(r - sp.log(1 + r)) / 2))
    assert vanishes(at_root - sp.sqrt(V * (1 + r)) - V / 2)
    return sp.sqrt(V * (1 + r)) + V / 2


ROOT = "every V > 0, delta' in (0, 1): the same root of the same equation, by SymPy, and the only one"

PROVES = (
    *(
        Root(
            f"whitehouse2023/thm3.mixture.{name}",
            rule,
            sp.Symbol("ratio", positive=True),
            ({"V": positive_v, "delta_prime": sp.exp(-(s**2) / 2)},),
            ROOT,
        )
        for name, rule in (
            ("best", least_mixture),
            ("best_gamma", lambda root, V, delta_prime: V / stationary(root, V, delta_prime)),  # noqa: N803
        )
    ),
    Property("whitehouse2023/thm3.mixture.best", best_mixture, "optimality for all V, delta'; 2 values to 20 digits"),
    Property(
        "whitehouse2023/thm3.mixture.best_gamma", best_mixture, "optimality for all V, delta'; 2 values to 20 digits"
    ),
    *(
        Transcription(f"whitehouse2023/thm3.{name}", formula, ({"eps": eps, "delta_prime": delta_prime},), EVERY)
        for name, formula in (("ystar.printed", ystar(1)), ("ystar.corrected", ystar(2)))
    ),
    *(
        Transcription(
            f"whitehouse2023/thm3.{name}",
            filter_odometer(multiple),
            ({"V": V, "eps": (r**2 + 2 * r * s) / multiple, "delta_prime": sp.exp(-(s**2) / 2)},),
            EVERY,
        )
        for name, multiple in (("filter.printed", 1), ("filter", 2))
    ),
    Transcription(
        "whitehouse2023/thm3.filter.at",
        filter_at,
        ({"V": V, "y_star": sp.Symbol("y", positive=True), "delta_prime": delta_prime},),
        EVERY,
    ),
    *(
        Transcription(
            f"whitehouse2023/thm3.{name}.repaired",
            repaired(odometer),
            tuple({"V": V, "delta_prime": delta_prime, "delta": bad(size), **tuning} for size in range(3)),
            "every real input, V >= 0; lists of any length with up to 2 different deltas",
            "cases",
        )
        for name, odometer, tuning in (
            ("filter", filter_at, {"y_star": sp.Symbol("y", positive=True)}),
            ("mixture", mixture, {"gamma": gamma}),
            ("stitched", stitched, {"v0": v0}),
        )
    ),
    Transcription(
        "whitehouse2023/thm3.mixture", mixture, ({"V": V, "gamma": gamma, "delta_prime": delta_prime},), EVERY
    ),
    Transcription(
        "whitehouse2023/thm3.stitched",
        stitched,
        ({"V": V, "v0": v0, "delta_prime": delta_prime},),
        EVERY,
    ),
    Transcription("whitehouse2023/thm3.stitched.domain", domain, ({"V": V, "v0": v0},), "every V >= 0, v0 > 0"),
    Transcription(
        "whitehouse2023/thm3.repair_term",
        lambda delta: total(c * sp.log(1 / (1 - d)) for d, c in delta),
        tuple({"delta": bad(size)} for size in range(3)),
        "lists of any length with up to 2 different values",
        "cases",
    ),
)
