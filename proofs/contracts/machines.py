"""Contracts of one step of the filters, from any state within its budget.

Epsilons and rhos are symbolic whole numbers: the filters only add and compare them, so that a unit of any size may be
put in their place. Deltas, which are at most 1, are chosen from a few rationals by symbolic choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from privref.adaptive.additive import AdditiveFilter, Spent, basic_filter_machine, zcdp_filter
from privref.adaptive.output_dp import OutputFilter, OutputFilterState
from privref.guarantees.model import ZCDP, ApproxDP, Guarantee, OutputDP


@dataclass(frozen=True)
class Seen:
    """A decision and the state after it."""

    verdict: str
    first: Fraction
    delta: Fraction
    halted: bool


def third(much: bool, more: bool) -> Fraction:
    """0, 1/3 or 2/3."""
    return Fraction(1, 3) * (1 if much else 0) + Fraction(1, 3) * (1 if more else 0)


def by_definition(
    halted: bool, spent: tuple[int, Fraction], asked: tuple[int, Fraction], budget: tuple[int, Fraction]
) -> Seen:
    """Halted for good at the first request that would take a sum strictly above its budget; a refusal adds nothing."""
    first, delta = spent[0] + asked[0], spent[1] + asked[1]
    if halted or first > budget[0] or delta > budget[1]:
        return Seen("HALT", Fraction(spent[0]), spent[1], True)
    return Seen("CONT", Fraction(first), delta, False)


def output_filter_step(halted: bool, spent: int, asked: int, budget: int, d: bool, e: bool, f: bool) -> bool:
    """Algorithm 6 with Definition 19's filter, after a delta d/3, for a delta (d + e)/3 of a budget (d + f)/3.

    pre: 0 <= spent <= budget and 0 <= asked
    post: __return__
    """
    past, request, most = third(d, False), third(d, e), third(d, f)
    event = OutputDP((("cheap", Fraction(0)), ("dear", Fraction(asked))), request)
    state = OutputFilterState(Fraction(spent), past, halted)
    after, decision = OutputFilter(Fraction(budget), most).step(state, event)
    seen = Seen(decision.verdict, after.eps, after.delta, after.halted)
    return seen == by_definition(halted, (spent, past), (asked, request), (budget, most))


def _additive(machine: AdditiveFilter, event: Guarantee, state: Spent) -> Seen:
    after, decision = machine.step(state, event)
    return Seen(decision.verdict, *after.totals, after.halted)


def basic_filter_step(halted: bool, spent: int, asked: int, budget: int, d: bool, e: bool, f: bool) -> bool:
    """Theorem 3.3's filter, likewise.

    pre: 0 <= spent <= budget and 0 <= asked
    post: __return__
    """
    past, request, most = third(d, False), third(d, e), third(d, f)
    machine = basic_filter_machine(Fraction(budget), most)
    seen = _additive(machine, ApproxDP(Fraction(asked), request), Spent((Fraction(spent), past), halted))
    return seen == by_definition(halted, (spent, past), (asked, request), (budget, most))


def zcdp_filter_step(halted: bool, spent: int, asked: int, budget: int, d: bool, e: bool, f: bool) -> bool:
    """Theorem 1's zCDP filter, likewise.

    pre: 0 <= spent <= budget and 0 <= asked
    post: __return__
    """
    past, request, most = third(d, False), third(d, e), third(d, f)
    machine = zcdp_filter(Fraction(budget), Fraction(1, 2), most)
    seen = _additive(machine, ZCDP(Fraction(asked), request), Spent((Fraction(spent), past), halted))
    return seen == by_definition(halted, (spent, past), (asked, request), (budget, most))
