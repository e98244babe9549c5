"""The output-DP accountant against its definition, both on short interactions of whole-number costs (their magnitudes).

``crosshair diffbehavior proofs.contracts.budget.machine proofs.contracts.budget.definition`` searches for an
interaction on which they differ.
"""

from __future__ import annotations

from fractions import Fraction

from privref.adaptive.output_dp import OutputAccountant
from privref.guarantees.model import OutputDP


def machine(budget: int, first: int, first_observed: bool, second: int, second_observed: bool) -> tuple[str, str, int]:
    """Two requests of cost ``first`` and ``second``; an observed cell "cheap" costs nothing.

    post: __return__ == definition(budget, first, first_observed, second, second_observed)
    """
    budget, first, second = abs(budget), abs(first), abs(second)
    accountant = OutputAccountant(Fraction(budget), Fraction(0))
    state = accountant.start()
    verdicts = []
    for cost, cheap in ((first, first_observed), (second, second_observed)):
        event = OutputDP((("cheap", Fraction(0)), ("dear", Fraction(cost))), Fraction(0))
        state, decision = accountant.step(state, event)
        verdicts.append(decision.verdict)
        if decision.verdict == "CONT":
            state = accountant.observe(state, "cheap" if cheap else "dear")
    return verdicts[0], verdicts[1], int(state.eps)


def definition(
    budget: int, first: int, first_observed: bool, second: int, second_observed: bool
) -> tuple[str, str, int]:
    """Algorithm 1: admit iff the largest cost fits what remains, then subtract the observed cell's cost."""
    remaining, first, second = abs(budget), abs(first), abs(second)
    verdicts = []
    for cost, cheap in ((first, first_observed), (second, second_observed)):
        admitted = cost <= remaining
        verdicts.append("CONT" if admitted else "HALT")
        if admitted and not cheap:
            remaining -= cost
    return verdicts[0], verdicts[1], remaining
