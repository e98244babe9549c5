"""The sparse vector technique (Hartmann et al. 2022, Algorithm 2, Lemma 8, section 4.1 and Figure 1).

rho ~ Lap(Delta/eps1), nu_i ~ Lap(2 c Delta/eps2); answer top iff q_i(x) + nu_i >= T_i + rho, until c tops. A cell is
the number c' of top answers, and costs eps1 + (c'/c) eps2; delta = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import cast

from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError
from privref.guarantees.model import OutputDP
from privref.guarantees.output_dp import partition_from_rule, svt_cell_cost
from privref.statements.params import AnyNumber, Count, Positive
from privref.statements.registry import Result, implements


def svt(eps1: Fraction, eps2: Fraction, c: int) -> OutputDP:
    """The guarantee of the sparse vector technique: cells "0" … "c" by the number of top answers, delta = 0."""
    return OutputDP(partition_from_rule({"rule": "svt-count", "eps1": eps1, "eps2": eps2, "c": c}, "svt"), Fraction(0))


def _at_most(name: str, value: int, c: int) -> None:
    if value > c:
        raise InputError(name, value, f"give at most c = {c}")


@implements("hartmann2022/lem8.cost", kind="exact", cites="Lemma 8")
def svt_cost(ar: Arithmetic, eps1: Fraction, eps2: Fraction, c: Count, cprime: int) -> Scalar:
    """What the sparse vector technique costs when c' of at most c answers were top.

    hartmann2022/lem8.cost: Hartmann et al. 2022, Lemma 8: E = eps1 + (c'/c) eps2, delta = 0.
    """
    _at_most("cprime", cprime, c)
    return svt_cell_cost(eps1, eps2, c, cprime)


def entry_budget(eps2: Fraction, eps3: Fraction, c: int, cprime: int) -> Fraction:
    """(eps3 + ((c - c')/c) eps2) / c': what each of c' released entries may cost."""
    return (eps3 + eps2 * (c - cprime) / c) / cprime


@implements("hartmann2022/sec4.1.per_entry_budget", kind="exact", cites="Section 4.1, application")
def per_entry_budget(ar: Arithmetic, eps2: Fraction, eps3: Fraction, c: Count, cprime: Count) -> Scalar:
    """The budget of each released entry after the sparse vector technique answered top c' >= 1 times.

    hartmann2022/sec4.1.per_entry_budget: Hartmann et al. 2022, section 4.1: eps3'/c' with
    eps3' = eps3 + ((c - c')/c) eps2.
    """
    _at_most("cprime", cprime, c)
    return entry_budget(eps2, eps3, c, cprime)


def split_ratio(ar: Arithmetic, c: int) -> Scalar:
    """(2 c)^(-2/3): the ratio eps1/eps2 that minimises the variance of the comparisons' noise."""
    return ar.exp(-Fraction(2, 3) * ar.log(2 * c))


def split(ar: Arithmetic, eps: Scalar, c: int) -> tuple[Scalar, Scalar]:
    """(eps1, eps2) with eps1 + eps2 = eps at the best ratio."""
    ratio = ar.real(split_ratio(ar, c))
    return eps * ratio / (1 + ratio), eps / (1 + ratio)


@implements("hartmann2022/sec4.1.split.eps1", kind="exact", cites="Section 4.1 (Lyu, Su, Li 2017, section 4.2)")
def split_eps1(ar: Arithmetic, eps: Fraction, c: Count) -> Scalar:
    """The part eps1 of a sparse-vector budget that makes its comparisons as accurate as they can be.

    hartmann2022/sec4.1.split.eps1: Hartmann et al. 2022, section 4.1: eps1/eps2 = (2c)^(-2/3), which minimises
    2 (Delta/eps1)^2 + 2 (2 c Delta/eps2)^2 on eps1 + eps2 = eps.
    """
    return split(ar, eps, c)[0]


@implements("hartmann2022/sec4.1.split.eps2", kind="exact", cites="Section 4.1 (Lyu, Su, Li 2017, section 4.2)")
def split_eps2(ar: Arithmetic, eps: Fraction, c: Count) -> Scalar:
    """The part eps2 of a sparse-vector budget that makes its comparisons as accurate as they can be.

    hartmann2022/sec4.1.split.eps2: Hartmann et al. 2022, section 4.1: eps - eps1 for the best ratio.
    """
    return split(ar, eps, c)[1]


def false_top_chebyshev(ar: Arithmetic, eps1: Scalar, eps2: Scalar, c: int, margin: Scalar) -> Scalar:
    """A bound on Pr(nu - rho >= margin) for sensitivity 1: the one-sided Chebyshev inequality V/(V + margin^2)."""
    spread = 2 / ar.real(eps1 * eps1) + 2 * (2 * c / ar.real(eps2)) ** 2
    return spread / (spread + margin * margin)


def false_top_exact(ar: Arithmetic, eps1: Scalar, eps2: Scalar, c: int, margin: Scalar) -> Scalar:
    """Pr(nu - rho >= margin) for sensitivity 1 and margin >= 0, exactly.

    (b2^2 e^(-margin/b2) - b1^2 e^(-margin/b1)) / (2 (b2^2 - b1^2)), for the scales b1 = 1/eps1 != b2 = 2 c/eps2.
    """
    b1, b2 = 1 / ar.real(eps1), 2 * c / ar.real(eps2)
    tails = b2 * b2 * ar.exp(-margin / b2) - b1 * b1 * ar.exp(-margin / b1)
    return tails / (2 * (b2 * b2 - b1 * b1))


@implements("hartmann2022/fig1.noise_dp", kind="exact", cites="Figure 1, without the output-DP analysis")
def release_noise_dp(ar: Arithmetic, c: Count, eps3: Positive) -> Scalar:
    """The expected absolute noise per released entry when every release may cost eps3/c.

    hartmann2022/fig1.noise_dp: Hartmann et al. 2022, section 4.1: Laplace noise of scale c/eps3 at sensitivity 1.
    """
    return c / eps3


def _release_noise(
    ar: Arithmetic, entries: int, large: int, c: int, eps3: Fraction, eps2: Scalar, wrong: Scalar
) -> Result:
    """b(m) + (b(c) - b(m)) min(1, E[Z]/(c - m)), b(c') = c'/eps3', m large entries, Z the small ones answered top.

    b is increasing and convex on [0, c] and the number of tops is at most min(c, m + Z), so the chord from m to c
    bounds it. In the chord, E[Z] <= (entries - m) Pr(nu - rho >= margin).
    """

    def scale(cprime: int) -> Scalar:
        return cprime / (eps3 + Fraction(c - cprime, c) * eps2)

    if large == c:
        return scale(c)
    share = ar.minimum(1, Fraction(entries - large, c - large) * wrong)
    return scale(large) + (scale(c) - scale(large)) * share


def _check_figure(entries: int, large: int, c: int) -> None:
    _at_most("large", large, c)
    if entries < large:
        raise InputError("entries", entries, f"give at least large = {large}")


@implements(
    "hartmann2022/fig1.noise_odp_chebyshev",
    kind="upper",
    cites="Figure 1, with the output-DP analysis and Chebyshev's inequality",
)
def release_noise_chebyshev(
    ar: Arithmetic, entries: Count, large: Count, c: Count, eps_svt: Positive, eps3: Positive, margin: Positive
) -> Result:
    """A bound on the expected absolute noise per released entry, output DP, from Chebyshev's inequality.

    hartmann2022/fig1.noise_odp_chebyshev: Hartmann et al. 2022, Figure 1. Assumes what the paper leaves open: noise
    is the expected absolute Laplace noise of an entry (its scale eps3'/c' inverted, 0 where nothing is released),
    sensitivity 1, eps_svt split at the best ratio, and every small entry ``margin`` below the threshold. Errors of
    large entries only lower the count; those of small ones are bounded by the one-sided Chebyshev inequality.
    """
    _check_figure(entries, large, c)
    eps1, eps2 = split(ar, eps_svt, c)
    wrong = false_top_chebyshev(ar, eps1, eps2, c, margin)
    return _release_noise(ar, entries, large, c, eps3, eps2, wrong)


@implements(
    "hartmann2022/fig1.noise_odp",
    kind="upper",
    cites="Figure 1, with the output-DP analysis and the exact tail of the comparisons' noise",
    standing="ours",
)
def release_noise(
    ar: Arithmetic, entries: Count, large: Count, c: Count, eps_svt: Positive, eps3: Positive, margin: Positive
) -> Result:
    """A bound on the expected absolute noise per released entry, output DP, from the exact Laplace tails.

    hartmann2022/fig1.noise_odp: as hartmann2022/fig1.noise_odp_chebyshev, with Pr(nu - rho >= margin) in closed form.
    """
    _check_figure(entries, large, c)
    eps1, eps2 = split(ar, eps_svt, c)
    # (2c)^(-2/3) makes the scales differ: b2/b1 = 2c (2c)^(-2/3) = (2c)^(1/3) > 1.
    wrong = false_top_exact(ar, eps1, eps2, c, margin)
    return _release_noise(ar, entries, large, c, eps3, eps2, wrong)


# --- the exact law of the answers -------------------------------------------------------------------------------------
#
# With gaps g_i = q_i(x) - T_i, noise rho ~ Lap(b1), nu_i ~ Lap(b2), b1 = Delta/eps1, b2 = 2 c Delta/eps2, an output a
# of answers top/bottom has probability
#
#     integral of f_rho(r) prod over i of P(g_i + nu_i >= r) or its complement, dr.
#
# Between neighbouring points among 0 and the gaps each factor is 1/2 e^(±(r - g_i)/b2) or one minus that, so the
# product is a polynomial in e^(±r/b2), and the integral is a finite sum of exponentials: closed, no quadrature error.


#: An output: one entry per query that was answered, 1 for top and 0 for bottom.
Output = tuple[int, ...]


@implements("hartmann2022/alg2.probability", kind="exact", cites="Algorithm 2")
def output_probability(
    ar: Arithmetic,
    gaps: Sequence[AnyNumber],
    answers: Sequence[int],
    eps1: Positive,
    eps2: Positive,
    c: Count,
    sensitivity: Positive,
) -> Scalar:
    """The probability that the sparse vector technique gives these answers (1 top, 0 bottom).

    hartmann2022/alg2.probability: Hartmann et al. 2022, Algorithm 2: rho ~ Lap(Delta/eps1), nu_i ~ Lap(2 c Delta/eps2),
    answer i is top iff q_i + nu_i >= T_i + rho; ``gaps`` are the q_i - T_i. The output ends with the c-th top or with
    the last query.
    """
    _check(gaps, answers, c)
    b1, b2 = sensitivity / eps1, 2 * c * sensitivity / eps2
    used = list(zip(gaps, answers, strict=False))
    points = sorted({Fraction(0), *(gap for gap, _ in used)})
    pieces = zip([None, *points], [*points, None], strict=True)
    return ar.sum(_piece(ar, used, low, high, b1, b2) for low, high in pieces) / (2 * b1)


def _check(gaps: Sequence[Fraction], answers: Sequence[int], c: int) -> None:
    if any(answer not in (0, 1) for answer in answers):
        raise InputError("answers", str(tuple(answers)), "give 1 for top and 0 for bottom")
    tops = sum(answers)
    ends = len(answers) == len(gaps) or (tops == c and answers[-1] == 1)
    if len(answers) > len(gaps) or tops > c or not ends or (tops == c and answers[-1] != 1):
        raise InputError("answers", str(tuple(answers)), f"it ends with the {c}-th top or with the last query")


def _piece(
    ar: Arithmetic,
    used: Sequence[tuple[Fraction, int]],
    low: Fraction | None,
    high: Fraction | None,
    b1: Fraction,
    b2: Fraction,
) -> Real:
    """The integral over [low, high] (None: unbounded) of e^(-|r|/b1) times the product of the answers' factors."""
    # Powers m of e^(r/b2), with their coefficients; the coefficients' exponents are kept apart from r by centring on
    # an end of the piece, so that nothing overflows.
    base = cast(Fraction, low if low is not None else high)
    terms: dict[int, Real] = {0: ar.real(1)}
    for gap, answer in used:
        above = low is not None and low >= gap
        half = ar.exp(-abs(base - gap) / b2) / 2
        power = -1 if above else 1
        # Above its gap, top is 1/2 e^(-(r-gap)/b2); below it, bottom is 1/2 e^((r-gap)/b2).
        simple = answer == (1 if above else 0)
        following: dict[int, Real] = {}
        for m, coefficient in terms.items():
            if not simple:
                following[m] = following[m] + coefficient if m in following else coefficient
            change = coefficient * half if simple else -(coefficient * half)
            following[m + power] = following[m + power] + change if m + power in following else change
        terms = following
    outside = ar.exp(-abs(base) / b1)
    side = -1 if low is not None and low >= 0 else 1
    return outside * ar.sum(
        coefficient * _exponential(ar, Fraction(m) / b2 + side / b1, base, low, high)
        for m, coefficient in terms.items()
    )


def _exponential(ar: Arithmetic, rate: Fraction, base: Fraction, low: Fraction | None, high: Fraction | None) -> Scalar:
    """The integral of e^(rate (r - base)) over [low, high]; an unbounded end contributes nothing (the rate's sign)."""
    if rate == 0:
        return cast(Fraction, high) - cast(Fraction, low)
    upper: Scalar = Fraction(0) if high is None else ar.exp(rate * (high - base))
    lower: Scalar = Fraction(0) if low is None else ar.exp(rate * (low - base))
    return (cast(Real, upper) - lower) / rate
