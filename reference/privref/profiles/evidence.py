"""What an attack shows of what was attacked: p-values and lower bounds on epsilon, for any finite number of tries."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Annotated

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar, is_enclosing
from privref.exact.errors import InputError
from privref.exact.work import WorkLimit, spend
from privref.statements.params import Count, Domain, OpenProbability, Probability
from privref.statements.registry import Result, implements

from .binomial import binomial_tail

#: Guesses of one run, and runs of one attack: a binomial tail is summed, and its largest term is a whole number.
GUESSES = WorkLimit(50_000, "guesses", "give the guesses of which the attack was surest, chosen before it ran")
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
