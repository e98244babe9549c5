"""What an attack shows of what was attacked: p-values and lower bounds on epsilon, for any finite number of tries."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from statistics import NormalDist
from typing import Annotated, Any, cast

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar, is_enclosing
from privref.exact.errors import InputError, MorePrecisionError
from privref.exact.work import WorkLimit, spend
from privref.statements.params import NON_NEGATIVE, Count, Domain, OpenProbability, Probability
from privref.statements.registry import Result, implements

from .binomial import binomial_tail

#: Guesses of one run, and runs of one attack: a binomial tail is summed, and its largest term is a whole number.
GUESSES = WorkLimit(50_000, "guesses", "give the guesses of which the attack was surest, chosen before it ran")
#: Of guesses whose chance is followed from one count of right ones to the next by a curve.
CURVE_GUESSES = WorkLimit(5_000, "guesses", "give the guesses of which the attack was surest, chosen before it ran")
RUNS = WorkLimit(1_000_000, "runs of an attack", "give fewer runs, chosen before their outcomes were known")
#: An error rate above it says nothing that anybody would act on, and the ends of intervals would cross.
LEVEL = Domain("a number in (0, 1/2)", lambda x: 0 < x < Fraction(1, 2))
#: From here on the chance that every guess is right is above 1/2, for so many guesses; nothing contradicts it.
MOST_EPSILON = 100
_EPSILON = Domain(f"a number in [0, {MOST_EPSILON}]", lambda x: 0 <= x <= MOST_EPSILON)
#: After every so many terms of a tail it is asked whether the rest matters.
_SHORT = 64


def _require(canaries: int, guesses: int, right: int) -> None:
    GUESSES.require(guesses)
    if guesses > canaries:
        raise InputError("guesses", guesses, f"there are {canaries} canaries; a guess is about one of them")
    if right > guesses:
        raise InputError("right", right, f"there are {guesses} guesses")


def one_run(ar: Arithmetic, eps: Fraction, delta: Fraction, canaries: int, guesses: int, right: int) -> Scalar:
    """B + m delta B (1 - B)/(v b) with b = P(W = v), B = P(W >= v), W ~ Bin(r, e^eps/(1 + e^eps)); 1 for v = 0."""
    if not right:
        return Fraction(1)
    odds = ar.exp(eps)
    spend(guesses)
    largest = ar.real(math.comb(guesses, right)) * odds**right / (1 + odds) ** guesses
    # Of both tails the one that is probably smaller is summed, so that the other is 1 less it.
    if right > guesses / (1 + math.exp(-float(eps))):
        ratio = _over_first(ar, odds, guesses, right)
        tail = largest * ratio
        below = 1 - tail
    else:
        below = (
            largest * right / (odds * (guesses - right + 1)) * _over_first(ar, 1 / odds, guesses, guesses - right + 1)
        )
        tail = 1 - below
        ratio = tail / largest
    return tail + canaries * delta * ratio * below / right


def _over_first(ar: Arithmetic, odds: Real, n: int, first: int) -> Real:
    """The sum of C(n, j) odds^j over j >= first, over its first term; of what is left out a bound is added."""
    term: Real = ar.real(1)
    total = term
    for j in range(first, n):
        ratio = odds * Fraction(n - j, j + 1)
        if (j - first) % _SHORT == _SHORT - 1 and is_enclosing(ar) and (rest := _rest(ar, term, ratio)) is not None:
            return total + ar.hull(0, rest)
        term = term * ratio
        total = total + term
    return total


def _rest(ar: EnclosingArithmetic, term: Real, ratio: Real) -> Fraction | None:
    """A bound below 2^-precision on what follows a term, of ratios that fall; None where it is not so small."""
    here, following = ar.enclosure(term), ar.enclosure(ratio)
    if here is None or following is None or following.upper >= 1:
        return None
    small = Fraction(1, 2**ar.precision)
    # The sum is at least 1.
    return small if here.upper * following.upper <= small * (1 - following.upper) else None


@implements(
    "steinke2023/one_run.p",
    kind="upper",
    cites="the test of one run with randomly included canaries (Section 5), by a bound of ours that is sharper",
    standing="ours",
)
def one_run_p_value(
    ar: Arithmetic, eps: Annotated[Fraction, _EPSILON], delta: Probability, canaries: Count, guesses: int, right: int
) -> Result:
    """The chance, at most, that this many guesses about randomly included canaries are right under (epsilon, delta)-DP.

    steinke2023/one_run.p: with m canaries, each included by a fair coin of its own, and at most r guesses, P(at least
    v are right) <= B + m delta B (1 - B)/(v P(W = v)), B = P(W >= v), W ~ Bin(r, e^eps/(1 + e^eps)). Attained where
    m delta B <= v P(W = v). May be above 1, where it says nothing. Derived in proofs/derivations/evidence.py; Steinke,
    Nasr, Jagielski 2023 (Section 5) have 2 m delta max_i P(v - i <= W < v)/i in place of the second term.
    """
    _require(canaries, guesses, right)
    return one_run(ar, eps, delta, canaries, guesses, right)


@implements(
    "steinke2023/one_run.eps",
    kind="lower",
    cites="the test of one run with randomly included canaries (Section 5), solved for epsilon",
    standing="ours",
)
def one_run_epsilon(
    ar: Arithmetic, level: Annotated[Fraction, LEVEL], delta: Probability, canaries: Count, guesses: int, right: int
) -> Result:
    """An epsilon such that what was attacked is not (epsilon', delta)-DP for any smaller one, but for ``level``.

    steinke2023/one_run.eps: where steinke2023/one_run.p reaches ``level``; 0 where it is above it at epsilon = 0. The
    attack shows so much wrongly with a chance of at most ``level``.
    """
    _require(canaries, guesses, right)
    if not right:
        return Fraction(0)

    def excess(inner: Arithmetic, eps: Fraction) -> Scalar:
        return inner.log(one_run(inner, eps, delta, canaries, guesses, right)) - inner.log(level)

    balls = decide.enclosing(ar)
    if decide.sign(lambda inner: excess(inner, Fraction(0)), balls) >= 0:
        return Fraction(0)
    low, high = roots.root(excess, Fraction(0), roots.bracket_above(excess, Fraction(0), balls), balls)
    return ar.hull(low, high)


def _gaussian_total(
    ar: EnclosingArithmetic, mu: Fraction, level: Fraction, canaries: int, guesses: int, right: int, cap: int = 2
) -> Scalar:
    """Bound the chance of any count of right guesses from below, if that of ``right`` or more is ``level``; or 2.

    It is 2 as soon as it is certainly above the cap. ``tail`` is T_j, the chance of at least j right guesses, and
    ``above`` the sum of all T of larger j.
    """
    tail: Any = level
    above: Any = Fraction(0)
    for j in range(right - 1, -1, -1):
        spend(50)
        share = ((j + 1) * tail + above) / canaries
        if decide.sign_now(share - 1, ar) >= 0:
            return Fraction(2)
        above = above + tail
        least = (above + canaries * cast(Any, _with_less(ar, share, mu))) / (guesses - j)
        grown = decide.finite(ar, ar.real(least - tail), "a chance is not known at this precision")
        if grown.upper <= 0:
            break  # Neither sum changes any more.
        tail = ar.maximum(tail, least)
        found = decide.finite(ar, tail, "a chance is not known at this precision")
        if found.lower > cap:
            return Fraction(2)
        unknown = found.upper - found.lower + Fraction(1, 2**ar.precision)
        if grown.upper < min(2 * unknown, _MARGIN) and _ends(ar, share, mu, j, guesses):
            return ar.real(tail + ar.hull(0, grown.upper))
    return cast(Scalar, tail)


#: How far the argument of g may still rise where all that follows is bounded.
_MARGIN = Fraction(1, 2**20)


def _ends(ar: EnclosingArithmetic, share: Scalar, mu: Fraction, j: int, guesses: int) -> bool:
    """Whether each step from here on adds at most half of what the one before it added, which is below the margin.

    The step to T_(j-1) adds m (g(x_j) - g(x_(j+1)))/(r - j + 1), where m (x_j - x_(j+1)) is j times what the step to
    T_j added: at most g'(x) j/(r - j + 1) of that, for any x that the argument does not reach.
    """
    found = ar.enclosure(ar.real(share))
    if mu == 0 or found is None or found.upper + 2 * _MARGIN >= 1:
        return False
    place = decide.finite(ar, _quantile(ar, *[found.upper + 2 * _MARGIN] * 2), "a quantile is not found").upper
    slope = ar.exp(mu * place - mu * mu / 2) * Fraction(j, guesses - j + 1)
    return decide.sign_now(slope - Fraction(1, 2), ar) <= 0


def _with_less(ar: EnclosingArithmetic, chance: Scalar, mu: Fraction) -> Scalar:
    """Return Phi(Phi^-1(chance) - mu), the least chance of what has that one on a neighbour under mu-Gaussian DP."""
    if mu == 0:
        return chance
    found = decide.finite(ar, ar.real(chance), "a chance is not known at this precision")
    if found.lower <= 0 or found.upper >= 1:
        raise MorePrecisionError("a chance is not known to be between 0 and 1 at this precision")
    if found.lower > Fraction(1, 2):
        return 1 - ar.normal_cdf(_quantile(ar, 1 - found.upper, 1 - found.lower) + mu)
    return ar.normal_cdf(_quantile(ar, found.lower, found.upper) - mu)


#: Newton's steps to a quantile from where floats have it, and below which chance floats have none.
_STEPS, _FLOATS_REACH = 60, Fraction(1, 2**1000)
_SLACK = Fraction(1, 2**16)


def _quantile(ar: EnclosingArithmetic, low: Fraction, high: Fraction) -> Real:
    """Enclose Phi^-1 of what lies between two chances in (0, 1): Newton's steps propose ends, and Phi proves them."""
    middle = (low + high) / 2

    def at(place: Fraction) -> tuple[Fraction, Fraction]:
        found = decide.finite(ar, ar.normal_cdf(ar.real(place)), "no normal tail is known at this precision")
        return found.lower, found.upper

    def slope(place: Fraction) -> Fraction:
        found = decide.finite(ar, ar.exp(ar.real(-place * place / 2)), "no density is known at this precision")
        return found.upper / Fraction(math.sqrt(2 * math.pi))

    place = _float_quantile(middle)
    for _ in range(_STEPS):
        value = at(place)
        step = ((value[0] + value[1]) / 2 - middle) / slope(place)
        place = Fraction(round((place - step) * 2**ar.precision), 2**ar.precision)
        if abs(step) < Fraction(1, 2 ** (ar.precision - 14)):
            break
    # Half of the width, and a little for the change of the slope: what is lost here is lost at each step again.
    width = (high - low) * (Fraction(1, 2) + _SLACK) / slope(place) + Fraction(1, 2 ** (ar.precision - 12))
    if at(place - width)[1] <= low and high <= at(place + width)[0]:
        return ar.hull(place - width, place + width)
    raise MorePrecisionError("a quantile is not found at this precision")


def _float_quantile(chance: Fraction) -> Fraction:
    """Guess Phi^-1 of a chance below 3/4."""
    if chance > _FLOATS_REACH:
        return Fraction(NormalDist().inv_cdf(float(chance)))
    log = math.log(chance.denominator) - math.log(chance.numerator)
    place = math.sqrt(2 * log)
    for _ in range(4):
        place = math.sqrt(2 * (log - math.log(place * math.sqrt(2 * math.pi))))
    return -Fraction(place)


@implements(
    "mahloujifar2024/one_run.total",
    kind="lower",
    cites="the recursion of h and r for guesses of one run under f-DP, of a Gaussian's f, as programs quote it",
    standing="ours",
)
def one_run_total(
    ar: Arithmetic,
    mu: Annotated[Fraction, NON_NEGATIVE],
    level: OpenProbability,
    canaries: Count,
    guesses: int,
    right: int,
) -> Result:
    """The chance, at least, of all counts of right guesses, if ``level`` is that of at least ``right`` of them.

    mahloujifar2024/one_run.total: where it is above 1, what was attacked is mu-Gaussian DP only if the attack had an
    outcome of a chance below ``level``. With m canaries, each included by a fair coin of its own, and at most r
    guesses: T_v = level, A_j = T_j + ... + T_v, and down to j = 0 T_j is the larger of T_(j+1) and
    (A_(j+1) + m g(((j + 1) T_(j+1) + A_(j+2))/m))/(r - j), with g(x) = Phi(Phi^-1(x) - mu). It is 2 where that is more,
    or the argument of g is 1 or more. Derived in proofs/derivations/curve_of_one_run.py.
    """
    _require(canaries, guesses, right)
    CURVE_GUESSES.require(guesses)
    return _gaussian_total(decide.enclosing(ar), mu, level, canaries, guesses, right)


#: How far floats are from that mu, relative to it; and the bits and the relative width to which it is found.
_FLOATS, _MU_BITS, _MU_WIDTH = Fraction(1, 2**34), 34, Fraction(1, 10**9)


@implements(
    "mahloujifar2024/one_run.mu",
    kind="lower",
    cites="the same recursion, solved for mu",
    standing="ours",
    stated_width=lambda inputs: _MU_WIDTH,
)
def one_run_mu(ar: Arithmetic, level: Annotated[Fraction, LEVEL], canaries: Count, guesses: int, right: int) -> Result:
    """A mu such that what was attacked is not mu'-Gaussian DP for any smaller one, but for ``level``.

    mahloujifar2024/one_run.mu: where mahloujifar2024/one_run.total falls to 1; 0 where it is at most 1 at mu = 0. The
    attack shows so much wrongly with a chance of at most ``level``.
    """
    _require(canaries, guesses, right)
    CURVE_GUESSES.require(guesses)

    def side(inner: Arithmetic, mu: Fraction) -> int:
        # Near the root the chances change so much with mu that its sign is all that can be used.
        return decide.sign(
            lambda ar: 1 - ar.real(_gaussian_total(decide.enclosing(ar), mu, level, canaries, guesses, right, 1)), inner
        )

    balls = decide.enclosing(ar)
    if side(balls, Fraction(0)) >= 0:
        return Fraction(0)
    near = Fraction(_float_mu(float(level), canaries, guesses, right))
    first, last = near * (1 - _FLOATS), near * (1 + _FLOATS)
    if first and side(balls, first) < 0 < side(balls, last):
        return ar.hull(first, last)
    rough = balls.at(_MU_BITS)
    return ar.hull(*roots.root(side, Fraction(0), roots.bracket_above(side, Fraction(0), rough), rough))


def _float_mu(level: float, canaries: int, guesses: int, right: int) -> float:
    """Guess that mu by halving, with the same recursion in floats."""
    normal, low, high = NormalDist(), 0.0, 64.0

    def total(mu: float) -> float:
        tail, above = level, 0.0
        for j in range(right - 1, -1, -1):
            share = ((j + 1) * tail + above) / canaries
            above += tail
            if not 0 < share < 1:
                return 2.0
            least = (above + canaries * normal.cdf(normal.inv_cdf(share) - mu)) / (guesses - j)
            if least <= tail or least > 1:
                return max(least, tail)
            tail = least
        return tail

    while (low + high) / 2 not in (low, high):
        middle = (low + high) / 2
        low, high = (middle, high) if total(middle) > 1 else (low, middle)
    return high


@implements("clopper1934/lower.p", kind="lower", cites="the lower end of the exact interval for a proportion")
def lower_end(ar: Arithmetic, level: OpenProbability, tries: Count, hits: int) -> Result:
    """The proportion at which this many hits, or more, have the chance ``level``: a lower confidence bound.

    clopper1934/lower.p: Clopper, Pearson 1934: the p with P(Bin(n, p) >= k) = level; 0 for k = 0. The true proportion
    is below it with a chance of at most ``level``. The upper end for k hits is 1 less the lower end for n - k.
    """
    RUNS.require(tries)
    if hits > tries:
        raise InputError("hits", hits, f"there are {tries} tries")
    if not hits:
        return Fraction(0)

    def excess(inner: Arithmetic, p: Fraction) -> Scalar:
        return inner.log(binomial_tail(inner, p, tries, hits)) - inner.log(level)

    balls = decide.enclosing(ar)
    low, high = _around(partial(_sign, excess, balls), Fraction(hits, tries))
    found = roots.root(excess, low, high, balls)
    return ar.hull(*found)


def _sign(excess: roots.Increasing, balls: Arithmetic, p: Fraction) -> int:
    return decide.sign(lambda inner: excess(inner, p), balls)


def _around(sign: partial[int], start: Fraction) -> tuple[Fraction, Fraction]:
    """Two proportions around the root, found by halving towards 0, or towards 1 where the level is large."""
    low = high = start
    while sign(low) > 0:
        low, high = low / 2, low
    while sign(high) < 0:
        low, high = high, (1 + high) / 2
    return low, high


@implements(
    "clopper1934/two_rates.eps",
    kind="lower",
    cites="the exact intervals of two proportions, each with half of the error, in the definition of DP",
    standing="ours",
)
def two_rates_epsilon(
    ar: Arithmetic,
    level: Annotated[Fraction, LEVEL],
    delta: Probability,
    runs_with: Count,
    true_positives: int,
    runs_without: Count,
    false_positives: int,
) -> Result:
    """An epsilon such that what was attacked is not (epsilon', delta)-DP for any smaller one, but for ``level``.

    clopper1934/two_rates.eps: with a the lower end of the true-positive rate and b the upper end of the false-positive
    rate, each at level/2, the larger of 0, log((a - delta)/b) and log((1 - b - delta)/(1 - a)). Runs are independent.
    """
    if true_positives > runs_with:
        raise InputError("true_positives", true_positives, f"there are {runs_with} runs with the record")
    if false_positives > runs_without:
        raise InputError("false_positives", false_positives, f"there are {runs_without} runs without the record")
    a = lower_end(ar, level / 2, runs_with, true_positives)
    below = lower_end(ar, level / 2, runs_without, runs_without - false_positives)
    assert not isinstance(a, str)
    assert not isinstance(below, str)
    # Neither b = 1 - below nor 1 - a is ever 0: of n tries, level^(1/n) is the largest lower end.
    first = (a - delta) / (1 - ar.real(below))
    return ar.log(ar.maximum(1, ar.maximum(first, (below - delta) / (1 - ar.real(a)))))
