"""What a change of a ledger does, and how two ledgers differ, as text and as documents."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.audit import summary
from privref.audit.changes import Difference, WhatIf
from privref.audit.opinions import Bound
from privref.exact.enclosure import Enclosure
from privref.exact.numbers import spell, written
from privref.statements.theorems import called

from .documents import bound_document
from .lines import line

_DIGITS = 10
_ADAPTIVE = (
    "an event that is added because of earlier answers is chosen adaptively: then declare "
    '"parameters": "chosen-adaptively" and the filter that was enforced; and a mechanism that is, '
    '"queries": "chosen-adaptively"'
)


def _bound_line(name: str, item: Bound | None) -> Text:
    if item is None or item.enclosure is None:
        return line(f"{name:<8} no theorem gives a finite bound")
    note = f"; {item.note}" if item.note else ""
    return line(f"{name:<8} epsilon {summary.at_most_words(item)}{note}")


def _premises(*bounds: Bound | None) -> list[Text]:
    """What the bounds rest on and no ledger can show, each once."""
    found = [finding for item in bounds if item is not None for finding in item.application.findings]
    said = dict.fromkeys(each.how.removeprefix("premise: ") for each in found if each.premise)
    return [line(f"premise  {how}", "dim") for how in said]


def _left_words(left: Enclosure, of: str) -> str:
    if left.lower >= 0:
        return f"remains  at least {summary.plain_decimal(left.lower, 6, 'down')} {of}"
    if left.upper < 0:
        return f"missing  at most {summary.plain_decimal(-left.lower, 6, 'up')} {of}"
    return f"remains  open: the bound's enclosure holds the target ({of})"


def what_if_report(found: WhatIf) -> RenderableType:
    """Before, after, what remains, and what the change means for what was declared."""
    parts: list[RenderableType] = [
        line(f"at delta = {written(found.delta)}"),
        _bound_line("before", found.before),
        _bound_line("after", found.after),
    ]
    if found.left is not None and found.target is not None:
        parts.append(line(_left_words(found.left, f"of epsilon = {summary.amount(found.target)}")))
    if found.rho_left is not None:
        parts.append(line(_left_words(found.rho_left, f"in rho ({called(found.rho_by)})")))
    parts += _premises(found.before, found.after)
    if found.adaptive_warning:
        parts.append(line(f"note     {_ADAPTIVE}", "dim"))
    return Group(*parts)


def _ends(found: Enclosure) -> dict[str, str]:
    lower, upper = found.decimals(12)
    return {"lower": lower, "upper": upper}


def what_if_document(found: WhatIf) -> dict[str, Any]:
    """``what-if.1``."""
    document: dict[str, Any] = {"schema": "what-if.1", "delta": spell(found.delta)}
    if found.target is not None:
        document["target"] = spell(found.target)
    for name, item in (("before", found.before), ("after", found.after)):
        if item is not None:
            document[name] = bound_document(item)
    for name, left in (("epsilon_left", found.left), ("rho_left", found.rho_left)):
        if left is not None:
            document[name] = _ends(left)
    if found.rho_by is not None:
        document["rho_left_by"] = found.rho_by
    return document


def diff_report(found: Difference) -> RenderableType:
    """A line for every difference; what is only in the first with -, only in the second with +."""
    parts: list[RenderableType] = [line(f"{name}: {one} → {other}") for name, (one, other) in found.declared.items()]
    parts += [line(f"- {said} x {times}", "red") for said, times in found.only_first]
    parts += [line(f"+ {said} x {times}", "green") for said, times in found.only_second]
    if found.same:
        parts.append(Text("the ledgers say the same"))
    if found.bounds is not None and found.delta is not None:
        parts.append(line(f"at delta = {written(found.delta)}"))
        parts += [_bound_line(name, item) for name, item in zip(("first", "second"), found.bounds, strict=True)]
        parts += _premises(*found.bounds)
    return Group(*parts)


def diff_document(found: Difference) -> dict[str, Any]:
    """``diff.1``."""
    document: dict[str, Any] = {
        "schema": "diff.1",
        "same": found.same,
        "declared": {name: {"first": one, "second": other} for name, (one, other) in found.declared.items()},
        "only_first": [{"event": said, "count": times} for said, times in found.only_first],
        "only_second": [{"event": said, "count": times} for said, times in found.only_second],
    }
    if found.bounds is not None and found.delta is not None:
        document["delta"] = spell(found.delta)
        for name, item in zip(("first", "second"), found.bounds, strict=True):
            if item is not None:
                document[name] = bound_document(item)
    return document
