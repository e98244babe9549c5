"""All bounds at one delta, as a document and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.audit.opinions import Bound
from privref.audit.routes import Application

from .documents import bound_document, inapplicable_document
from .lines import line
from .text import bounds_table, inapplicable_lines


def comparison_document(
    bounds: Sequence[Bound], inapplicable: Sequence[Application], undecided: Sequence[str]
) -> dict[str, Any]:
    """All bounds at one delta as a JSON document."""
    return {
        "schema": "comparison.1",
        "bounds": [bound_document(bound) for bound in bounds],
        "inapplicable": [inapplicable_document(application) for application in inapplicable],
        "undecided": list(undecided),
    }


def comparison_report(
    bounds: Sequence[Bound], inapplicable: Sequence[Application], undecided: Sequence[str]
) -> RenderableType:
    """All bounds at one delta as a table, the tightest first."""
    parts: list[RenderableType] = [bounds_table(bounds, "epsilon")] if bounds else [Text("no theorem applies")]
    parts += inapplicable_lines(inapplicable)
    premises = (each.how for item in bounds for each in item.application.findings if each.premise)
    parts += [
        line(f"  premise: {how}", "dim") for how in dict.fromkeys(how.removeprefix("premise: ") for how in premises)
    ]
    parts += [line(f"  undecided: {what}") for what in undecided]
    return Group(*parts)
