"""A filter by domination: what may still run is always dominated by one Gaussian, whose mu shrinks with each round."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple, Self

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError, UndecidedError
from privref.exact.numbers import pair, spell
from privref.exact.work import spend
from privref.guarantees.model import GaussianDP, Guarantee, dp_parameters
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import OPEN_PROBABILITY, POSITIVE_PROBABILITY, one
from privref.statements.registry import Result, implements
from privref.statements.theorems import theorem

from .additive import largest_mu
from .protocol import Decision, StepsByBlocks, not_covered
from .running import checked

_RULE = theorem("gdp/domination")
#: What is left is a multiple of 2^-96; the budget's mu^2 is rounded down to one.
_BITS = 96
#: Rounds that are charged at once take at most this part of what is left, so that their common charge is near each own.
_PART = 64
_HALVINGS = 40
#: What is spent for one decision about a round.
_WORK = 200
#: Above this epsilon a round is as good as one that reveals everything, and no budget that people use holds it.
_FLOATS_REACH = 600


@implements(
    "gdp/domination.decision",
    kind="exact",
    cites="ours: epsilon-DP and then Gaussian DP are dominated by a Gaussian where their total variation is no larger",
    hypotheses=(Hypothesis.DOMINATED_ROUNDS, Hypothesis.BUDGET_IN_ADVANCE),
    standing="ours",
)
def domination_decision(ar: Arithmetic, eps: Fraction, before: Fraction, after: Fraction) -> Result:
    """Whether epsilon-DP, and then sqrt(after)-Gaussian DP, are sqrt(before)-Gaussian DP, at every epsilon at once.

    gdp/domination.decision: CONT iff (1 + e^-eps) Phi(-sqrt(before)/2) <= Phi(-eps/v - v/2) + e^-eps Phi(eps/v - v/2)
    with v = sqrt(after), the right side being e^-eps for after = 0. It compares total variations: the order of these
    laws at one epsilon, 0, is their order at all (proofs/derivations/domination.py). A filter that starts at its
    budget's mu^2, and after each round keeps such an ``after``, stays within the budget whatever was chosen on the way.
    """
    if eps == 0:
        return "CONT" if after <= before else "HALT"
    if after >= before:
        return "HALT"

    def allowed(inner: Arithmetic) -> Scalar:
        if not after:
            return inner.exp(-eps)
        v = inner.sqrt(after)
        return inner.normal_cdf(-eps / v - v / 2) + inner.exp(-eps) * inner.normal_cdf(eps / v - v / 2)

    def asked(inner: Arithmetic) -> Scalar:
        return (1 + inner.exp(-eps)) * inner.normal_cdf(-inner.sqrt(before) / 2)

    # Nothing is known to forbid a tie of these transcendental numbers: the ladder's cap is the only certain end.
    return "HALT" if decide.exceeds(asked, allowed, ar) else "CONT"


class Left(NamedTuple):
    """The mu^2 and the delta that are left, and whether the filter has halted."""

    square: Fraction
    delta: Fraction
    halted: bool = False


@dataclass(frozen=True, slots=True)
class DominationFilter(StepsByBlocks[Left]):
    """The filter as a machine, for rounds of (epsilon, delta)-DP and of Gaussian DP, which it reads as mu^2 left.

    The split of the budget's delta is fixed before, as audits read it: ``delta_prime``, or half, buys the first mu,
    and what it leaves is for the rounds' own deltas.

    >>> machine = DominationFilter.of((1, "1e-6"))
    >>> state, decision = machine.block(machine.start(), GaussianDP(Fraction(1, 10)), 5)
    >>> decision.verdict, machine.step(state, GaussianDP(Fraction(1, 10)))[1].verdict
    ('CONT', 'HALT')
    """

    square: Fraction
    delta: Fraction
    statement: str = _RULE.id
    hypotheses: tuple[Hypothesis, ...] = _RULE.hypotheses
    reads_remaining: bool = True

    @classmethod
    def of(cls, budget: object, delta_prime: object = None) -> Self:
        """Return the filter of a budget of epsilon and delta; a part of delta, or half, buys the first mu."""
        eps, delta = pair(budget, "budget")
        one("delta", OPEN_PROBABILITY).read(delta)
        part = delta / 2 if delta_prime is None else one("delta_prime", POSITIVE_PROBABILITY).read(delta_prime)
        assert isinstance(part, Fraction)
        if part > delta:
            raise InputError("delta_prime", str(part), f"give at most the delta of the budget, {delta}")
        found = decide.enclose(
            lambda ar: ar.real(largest_mu(ar, eps, part)) ** 2, decide.engine("arb", 256), Fraction(1, 2**_BITS)
        )
        return cls(_down(found.lower), delta - part)

    def start(self) -> Left:
        """Return the state in which nothing is spent."""
        return Left(self.square, self.delta)

    def block(self, state: Left, event: Guarantee, count: int) -> tuple[Left, Decision]:
        """Decide ``count`` equal events at once: CONT where each of them would be let through.

        Equal rounds are charged in groups, each round as the last of its group: a round costs no less the less is left.
        """
        asked = checked(event)
        square, own = state.square, Fraction(0)
        reason = "the filter has halted" if state.halted else ""
        if isinstance(asked, GaussianDP):
            # Rounded down, as after other rounds: the exact difference would grow with each.
            square = _down(square - asked.mu * asked.mu * count)
        else:
            found = dp_parameters(asked)
            if found is None:
                raise not_covered(self, asked, Hypothesis.DOMINATED_ROUNDS)
            own = found[1] * count
            if not reason and own <= state.delta:
                square = _after(found[0], square, count)
        if not reason and own > state.delta:
            reason = "the deltas of the rounds are more than what the budget leaves for them"
        if not reason and square < 0:
            reason = "no Gaussian that is left dominates what could follow"
        if reason:
            return Left(state.square, state.delta, True), Decision("HALT", state.square, reason)
        return Left(square, state.delta - own), Decision("CONT", square)


def _after(eps: Fraction, square: Fraction, count: int) -> Fraction:
    """What a number of rounds of eps-DP leaves of mu^2; negative where they are too many."""
    while eps and count:
        group = max(1, min(count, int(square / (_PART * eps * eps))))
        square = _after_group(eps, square, group)
        if square < 0:
            break
        count -= group
    return square


def _after_group(eps: Fraction, square: Fraction, count: int) -> Fraction:
    """The same of a group: floats propose what each round takes, and the statement decides."""
    ar, taken = decide.engine("arb"), _taken(eps)
    if count == 1 and domination_decision(ar, eps, square, Fraction(0)) == "HALT":
        return Fraction(-1)
    for margin in (Fraction(1, 2**20), Fraction(1, 2**6), Fraction(1)):
        # The more is left, the more was there before: the largest end is bracketed by floats.
        takes = (2 * eps * eps * (1 + margin), _least_taken(eps))
        ends = [max(square - count * each, Fraction(0)) for each in takes]
        # In units that all halves have, since rationals would take a greatest common divisor each time.
        unit = math.lcm(*(each.denominator for each in ends)) << _HALVINGS
        low, end = (each.numerator * (unit // each.denominator) for each in ends)
        weight = count * (1 + margin)
        there = square.numerator * unit * weight.denominator
        left, spent = square.denominator * weight.denominator, weight.numerator * square.denominator * unit
        for _ in range(_HALVINGS):
            middle = (low + end) >> 1
            n, d = taken(middle / unit)
            # middle / unit + weight n / d <= square
            fits = spent * n <= (there - middle * left) * d
            low, end = (middle, end) if fits else (low, middle)
        after = _down(Fraction(low, unit))
        if domination_decision(ar, eps, after + (square - after) / count, after) == "CONT":
            return after
    return Fraction(0) if count == 1 else Fraction(-1)


def _taken(eps: Fraction) -> Callable[[float], tuple[int, int]]:
    """Return a guess of what one round takes from mu^2, a ratio of integers, by the mu^2 that is left after it."""
    e, normal = float(min(eps, Fraction(_FLOATS_REACH))), NormalDist()
    grown, eps_square = math.exp(e), (eps * eps).as_integer_ratio()
    # Twice the square is always enough; of a tiny epsilon the difference of two floats says nothing.
    least, most = _least_taken(eps).as_integer_ratio(), (2 * eps * eps).as_integer_ratio()

    def taken(after: float) -> tuple[int, int]:
        v = math.sqrt(after)
        kept = normal.cdf(e / v - v / 2) + grown * normal.cdf(-e / v - v / 2) if v else 1.0
        share = kept / (1 + grown)
        if not 0 < share < 0.5:
            return eps_square
        found = (4 * normal.inv_cdf(share) ** 2 - v * v).as_integer_ratio()
        if found[0] * least[1] < least[0] * found[1]:
            found = least
        return most if found[0] * most[1] > most[0] * found[1] else found

    return taken


def _least_taken(eps: Fraction) -> Fraction:
    """Less than one round takes, or hardly more: eps^2 where eps is small, and eps where a round takes about 8 eps."""
    return eps * min(eps, Fraction(1))


def least_square(rounds: Sequence[tuple[Guarantee, int]]) -> Fraction:
    """A mu^2 from which the filter lets these rounds run in this order, hardly above the least one.

    UndecidedError for rounds of an epsilon above 600.
    """
    costs: list[tuple[Fraction | None, Fraction, int]] = []
    for event, count in rounds:
        found = None if isinstance(event, GaussianDP) else dp_parameters(event)
        if isinstance(event, GaussianDP):
            costs.append((None, event.mu * event.mu, count))
        else:
            assert found is not None
            costs.append((found[0], Fraction(0), count))
    return least_squares(costs)[0]


def least_squares(
    rounds: Sequence[tuple[Fraction | None, Fraction, int]],
) -> tuple[Fraction, list[tuple[int, Fraction]]]:
    """That mu^2, and what is left of it after each group of equal rounds, with their numbers.

    A round is its epsilon, or None and its mu^2. It goes back from the last round, after which nothing is left: what
    the statement decides of each round counts, and of equal rounds a growing group is charged as its last one.
    """
    square, ar, groups = Fraction(0), decide.engine("arb"), list[tuple[int, Fraction]]()
    for eps, own, count in reversed(rounds):
        if eps is None:
            groups.append((count, square))
            square = _up(square + own * count)
            continue
        guess, done = _taken(eps), 0
        if not eps:
            groups.append((count, square))
        while eps and done < count:
            spend(_WORK)
            taken = Fraction(*guess(float(square)))
            for margin in (Fraction(1, 2**30), Fraction(1, 2**6), Fraction(1)):
                before = _up(square + taken * (1 + margin))
                if domination_decision(ar, eps, before, square) == "CONT":
                    break
            else:
                raise UndecidedError(f"the mu^2 that a round of epsilon = {spell(eps)} takes was not found")
            group = min(count - done, max(1, done // (2 * _PART)))
            groups.append((group, square))
            square, done = square + group * (before - square), done + group
    return square, groups[::-1]


def _up(value: Fraction) -> Fraction:
    return -_down(-value)


def _down(value: Fraction) -> Fraction:
    return Fraction(math.floor(value * 2**_BITS), 2**_BITS)
