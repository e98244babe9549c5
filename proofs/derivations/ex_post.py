"""Ex-post privacy: rounds that pay for what they released, mixed with others.

Brownian mechanism (Whitehouse et al. 2022). f(x) + B(t) is released at decreasing t. Given the newest value, older ones
are it plus noise that does not depend on x, so that the loss of all is that of the newest. The step from t to t' tells
as much as a Gaussian value z of variance s = 1/(1/t' - 1/t) by itself: the newest value is the weighted mean of the one
before and z. So a Brownian mechanism is a sequence of Gaussian rounds with rho_i = D^2/(2 s_i) chosen on the way, whose
sum is D^2/(2 t) for the last t; every filter for zCDP or Gaussian DP and the odometers below take it so.

Odometers with zCDP rounds. For l > 0 a round with Renyi divergence at most rho (1 + l) at order 1 + l has
E[e^(l L)] <= e^(l (1 + l) rho), which is e^(l V/2 + l^2 V/2) with V = 2 rho: the supermartingale of Theorem 3, and no
bound on L is asked for. With delta = 0 they so bound the loss of DP, zCDP and Brownian rounds together, at all times:
an ex-post bound. (The mixture of two signs is above that of one.)

Ex-post filter. Let a round's answer lie in cells such that |L| <= E(cell) always (output DP with delta = 0, pure
ex-post privacy: Ligett et al. 2017). The rule keeps A, the sum of the E's released, and C, the sum of what other rounds
cost at order alpha: either A + C + c <= eps_g, where c is what the conversion at delta' costs, or A + (the sum of the
other rounds' eps) <= eps_g. At the end, let X be the other rounds' loss less C. E[e^((alpha-1) X)] <= 1, whatever
ex-post rounds tell in between, as these leave X as it is. Where the first holds, eps_g - L >= eps_g - A - C - X >=
c - X, and (1 - e^(c - X))_+ <= delta' e^((alpha-1) X); where the second does, L <= eps_g. So
E[(1 - e^(eps_g - L))_+] <= delta'. The deltas of (eps, delta)-DP rounds are coins of the randomized responses that
dominate them, those of approximate zCDP and Renyi DP are as in Whitehouse et al. 2023, Theorem 1; they add up to at
most delta''. Charging an ex-post round the divergence of what it released is no supermartingale: which cell is reached
hangs on the loss.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from privref.mechanisms.noise_reduction import gradual_response

from .steps import Derivation, Step, identity


def _loss_of_the_newest() -> bool:
    """Exactly, of four stages of randomized response: every transcript's ratio is its newest answer's."""
    stages = [Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(7)]
    for law, x in zip(gradual_response(stages), stages, strict=True):
        if sum((p for p, _ in law.values()), Fraction(0)) != 1 or sum((q for _, q in law.values()), Fraction(0)) != 1:
            return False
        if any(p / q != (x if path[-1] == 0 else 1 / x) for path, (p, q) in law.items()):
            return False
    return True


def _each_is_response() -> bool:
    """Exactly: each answer by itself is randomized response of its own e^epsilon."""
    stages = [Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(7)]
    law = gradual_response(stages)[-1]
    return all(
        sum((p for path, (p, _) in law.items() if path[i] == 0), Fraction(0)) == x / (1 + x)
        for i, x in enumerate(stages)
    )


def _no_supermartingale() -> bool:
    """Going on after the less likely answer only: E[e^(L - D(stage))] at order 2, D that of randomized response."""
    stages = [Fraction(3, 2), Fraction(2)]
    first, second = gradual_response(stages)
    moments = [(x * x / (1 + x) ** 2) * (1 + x) + (1 + x) / (x * (1 + x) ** 2) for x in stages]
    mean = Fraction(0)
    for law, moment, ends in ((first, moments[0], (0,)), (second, moments[1], (1,))):
        mean += sum((p * p / q / moment for path, (p, q) in law.items() if path[0] in ends), Fraction(0))
    return mean > 1


def ex_post() -> Derivation:
    """The Brownian mechanism as rounds, odometers with zCDP rounds, and the ex-post filter."""
    f, old, z, D = sp.symbols("f old z D", real=True)  # noqa: N806
    t2, gap = sp.symbols("t2 gap", positive=True)
    t1 = t2 + gap
    s = 1 / (1 / t2 - 1 / t1)
    new = (old / t1 + z / s) * t2
    a, u, l, rho = sp.symbols("a u l rho", positive=True)
    alpha = 1 + a
    d = sp.Symbol("d", positive=True)
    top = 1 - 1 / alpha
    c = sp.log(top) + sp.log(1 / (alpha * d)) / (alpha - 1)
    return Derivation(
        "ex-post rounds beside others",
        (
            "rswr2023/ex_post_filter.decision",
            "whitehouse2022/brownian.rho",
            "ligett2017/gradual_response.delta",
            "whitehouse2023/thm3.one_sided",
            "whitehouse2023/thm3.filter.at",
        ),
        (
            identity(
                "two Gaussian values tell of f what their weighted mean tells: the rest of the exponent has no f",
                sp.diff((old - f) ** 2 / t1 + (z - f) ** 2 / s - (new - f) ** 2 / t2, f),
                0,
            ),
            identity(
                "and what is left is that of the older value about the newest, with the Brownian variance t - t'",
                (old - f) ** 2 / t1 + (z - f) ** 2 / s - (new - f) ** 2 / t2,
                (old - new) ** 2 / (t1 - t2),
            ),
            identity("the costs telescope", D**2 / (2 * t1) + D**2 / (2 * s), D**2 / (2 * t2)),
            identity(
                "zCDP: e^(l (1 + l) rho) is e^(l V/2 + l^2 V/2) with V = 2 rho",
                l * (1 + l) * rho,
                (l * (2 * rho) / 2 + l**2 * (2 * rho) / 2),
            ),
            Step("noise reduction of randomized response: the loss is that of the newest answer", _loss_of_the_newest),
            Step("and each answer is randomized response by itself", _each_is_response),
            Step(
                "charged its divergence at the stage released, it gains at order 2: exactly above 1",
                _no_supermartingale,
            ),
            identity(
                "with u = e^(c - X), (1 - u) u^(alpha - 1) rises to u = 1 - 1/alpha and falls beyond",
                lambda: sp.simplify(sp.diff((1 - u) * u**a, u) / u ** (a - 1)),
                sp.expand(alpha * (top - u)),
            ),
            identity(
                "there (1 - u) e^(-(alpha - 1) X) is delta', for the c that the conversion costs",
                sp.expand_log(sp.log((1 - top) * top**a) - a * c, force=True).simplify(),
                sp.log(d),
            ),
        ),
    )


DERIVATIONS = (ex_post(),)
