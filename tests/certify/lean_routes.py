"""What Lean has of the routes of an audit: the theorem, and a number that its kernel checks.

``python -m tests.certify.lean_routes`` prints the table of the documentation's page on trust.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from privref.audit.routes import EPSILON_ROUTES
from privref.statements.theorems import THEOREMS, Theorem, theorem

#: What a Lean theorem is to a statement, from the most to the least, as the documentation says it.
_RELATIONS = {"proves": "yes", "supports": "in part", "evaluates": "the formula only"}


class LeanRoute(NamedTuple):
    """One route: its theorem, how much of its bound Lean proves and by what, and its kernel-checked number."""

    by: str
    proved: str
    theorems: tuple[str, ...]
    number: str


def lean_routes() -> tuple[LeanRoute, ...]:
    """Return every route of an (epsilon, delta) claim with what Lean has of it, in the order of the audit."""
    index = json.loads((files("privref") / "statements" / "lean.json").read_text())
    return tuple(_route(theorem(by), index) for by in dict.fromkeys(route.by for route in EPSILON_ROUTES))


def _route(rule: Theorem, index: dict[str, list[dict[str, str]]]) -> LeanRoute:
    # A formula that belongs to another theorem says nothing of this one, unless this one has no other.
    lent = {one.id for one in THEOREMS} - {rule.id}
    own = [one for one in rule.statements if one.rpartition(".")[0] not in lent] or rule.statements
    entries = [entry for statement in own for entry in index.get(statement, ())]
    found = {entry["relation"] for entry in entries}
    best = next((relation for relation in _RELATIONS if relation in found), None)
    names = tuple(dict.fromkeys(entry["theorem"] for entry in entries if entry["relation"] == best))
    whole = any(entry["relation"] == "proves" for entry in index.get(rule.epsilon or rule.delta, ()))
    # A theorem that proves another statement of the rule, such as a rule of conversion, proves the bound in part.
    proved = "no" if best is None else _RELATIONS["supports"] if best == "proves" and not whole else _RELATIONS[best]
    number = "yes" if rule.lean == rule.id else f"no: {rule.no_lean}" if not rule.lean else f"yes, by `{rule.lean}`"
    return LeanRoute(rule.id, proved, names, number)


def table() -> Iterator[str]:
    """Yield the lines of the table, in Markdown."""
    yield "| route | proved in Lean | kernel-checked number of what the ledger lists |"
    yield "|---|---|---|"
    for route in lean_routes():
        names = ", ".join(f"`{name.removeprefix('PrivRef.')}`" for name in route.theorems)
        yield f"| `{route.by}` | {route.proved}{': ' if names else ''}{names} | {route.number} |"


if __name__ == "__main__":
    print("\n".join(table()))
