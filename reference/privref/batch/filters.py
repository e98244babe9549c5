"""Filters of each unit by itself: which of its events would have been let through, and where it would have been halted.

The theorem is that of individual accounting: a unit takes part while the sum of its own losses is within the budget.
What it rests on no events file can show, and the report says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privref.adaptive.machines import build
from privref.adaptive.protocol import BlockMachine
from privref.audit.replayed import setup_for
from privref.exact.errors import HypothesisError, InputError
from privref.ledger.model import Event, Ledger
from privref.ledger.reading import ledger_from_document
from privref.statements.theorems import THEOREMS, Theorem

from .spelling import with_no_loss

#: The machine that decides for each unit, by the name under which it is asked for: the theorem's id, or the machine's.
INDIVIDUAL: Mapping[str, Theorem] = {
    name: each for each in THEOREMS if each.individual for name in (each.id, each.individual)
}


def theorem_of(name: str) -> Theorem:
    """The theorem of a filter of each unit by itself; InputError where there is none of that name."""
    if name not in INDIVIDUAL:
        known = ", ".join(sorted({each.individual for each in INDIVIDUAL.values()}))
        raise InputError(
            "--filter", name, f"give one of {known}: for these there is a theorem of individual accounting"
        )
    return INDIVIDUAL[name]


def machine_for(shared: Mapping[str, Any], name: str) -> BlockMachine[Any]:
    """The filter with the budget that all units share; InputError where the sidecar does not say what it needs."""
    rule = theorem_of(name)
    ledger = ledger_from_document(with_no_loss(shared))
    budget = ledger.budget
    if budget is None or budget.epsilon is None:
        remedy = "a filter has a budget fixed before the first event: give its epsilon and delta"
        raise InputError("ledger.budget", "(missing)" if budget is None else str(budget), remedy)
    enforced = {each.id for each in THEOREMS if rule.individual in (each.machine, each.individual)}
    if budget.filter is not None and budget.filter not in enforced:
        remedy = f"the sidecar declares another filter than {rule.individual}, which cannot be chosen after the run"
        raise InputError("ledger.budget.filter", budget.filter, remedy)
    if ledger.neighbours != "add-or-remove-one":
        remedy = f"{rule.id} compares the data with and without a unit: add-or-remove-one"
        raise InputError("ledger.neighbours", ledger.neighbours, remedy)
    if ledger.interaction != "sequential":
        raise InputError("ledger.interaction", ledger.interaction, f"{rule.id} holds of sequential interactions")
    return build(rule.individual, setup_for(ledger, budget.epsilon, budget.delta, budget.delta_prime))


def decided(machine: BlockMachine[Any], ledger: Ledger) -> dict[str, Any]:
    """What the filter says of one unit's events that ran: how many rounds it lets through, and the one it refuses.

    ``says`` is ``ran``, ``halted``, or ``not-covered`` where the theorem does not speak of an event.
    """
    state, rounds = machine.start(), 0
    for event in ledger.ran:
        try:
            after, decision = machine.block(state, event.guarantee, event.count)
        except HypothesisError:
            return {"says": "not-covered", "rounds": None, "halted_at": None}
        if decision.verdict == "HALT":
            rounds += _let_through(machine, state, event)
            return {"says": "halted", "rounds": rounds, "halted_at": rounds + 1}
        state, rounds = after, rounds + event.count
    return {"says": "ran", "rounds": rounds, "halted_at": None}


def _let_through(machine: BlockMachine[Any], state: Any, event: Event) -> int:
    """How many of the event's equal rounds are let through, where not all are: by bisection, as their costs add up."""
    least, most = 0, event.count
    while most - least > 1:
        middle = (least + most) // 2
        if machine.block(state, event.guarantee, middle)[1].verdict == "CONT":
            least = middle
        else:
            most = middle
    return least
