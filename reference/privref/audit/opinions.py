"""The opinions on all claims about one ledger: also as rows, as a data frame, and as the table of a notebook."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from privref.exact.rounding import plain, to_decimal
from privref.exact.tables import Library, frame, html_table
from privref.ledger.model import Ledger
from privref.statements.theorems import called

from .best import best, caveat, margin
from .verdicts import AGAINST as AGAINST
from .verdicts import MEANINGS as MEANINGS
from .verdicts import NEXT as NEXT
from .verdicts import Bound as Bound
from .verdicts import Ending as Ending
from .verdicts import Hints as Hints
from .verdicts import Opinion as Opinion
from .verdicts import Refutation as Refutation
from .verdicts import Verdict as Verdict
from .verdicts import exit_code_of as exit_code_of

_DIGITS = 10


def _by(bound: Bound) -> str:
    return f"{bound.application.by}{caveat(bound)}"


def rows(opinions: Iterable[Opinion]) -> list[dict[str, str]]:
    """One row for each claim: id, claim, verdict, the best bound (rounded up), by which theorem, the margin (rounded
    down), and why."""
    found = []
    for opinion in opinions:
        bound, left = best(opinion), margin(opinion)
        found.append(
            {
                "claim": opinion.claim.id,
                "says": str(opinion.claim),
                "verdict": opinion.verdict,
                "bound": ""
                if bound is None or bound.enclosure is None
                else plain(bound.enclosure.decimals(_DIGITS)[1]),
                "by": "" if bound is None else _by(bound),
                "margin": "" if left is None else plain(to_decimal(left.lower, _DIGITS, "down")),
                "reason": opinion.reason,
            }
        )
    return found


def _for_people(opinion: Opinion, row: dict[str, str]) -> dict[str, str]:
    """What a table for people says otherwise: theorems by their names, and bounds with their side."""
    bound, short = best(opinion), row["margin"].startswith("-")
    return {
        "meaning": MEANINGS[opinion.verdict],
        "bound": f"≤ {row['bound']}" if row["bound"] else "",
        "by": "" if bound is None else f"{called(bound.application.by, authors=False)}{caveat(bound)}",
        "margin": f"claim short by {row['margin'][1:]}" if short else row["margin"],
    }


def table(title: str, opinions: Iterable[Opinion]) -> str:
    """Return the rows as an HTML table; everything that a ledger or a claim says is escaped."""
    columns = ("claim", "says", "verdict", "meaning", "bound", "by", "margin")
    found = [row | _for_people(opinion, row) for opinion in opinions for row in rows([opinion])]
    return html_table(title, [{name: row[name] for name in columns} for row in found])


@dataclass(frozen=True, slots=True, repr=False)
class Drawing:
    """A picture as SVG."""

    svg: str

    def __repr__(self) -> str:
        return f"<Drawing of {len(self.svg)} letters of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the picture to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """The audit of a ledger against its claims."""

    ledger: Ledger
    opinions: tuple[Opinion, ...]
    proved: dict[str, object] = field(default_factory=dict, init=False, compare=False)
    """The proofs that ``audit.certificate`` looked for so far, by claim id."""

    def __repr__(self) -> str:
        said = ", ".join(f"{opinion.claim.id} {opinion.verdict}" for opinion in self.opinions[:5])
        more = f", and {len(self.opinions) - 5} more" if len(self.opinions) > 5 else ""
        return f"<Audit of {self.ledger.title[:60]!r}: {said}{more}>"

    def _repr_html_(self) -> str:
        return table(self.ledger.title, self.opinions)

    def rows(self) -> list[dict[str, str]]:
        """One dictionary of text for each claim."""
        return rows(self.opinions)

    def to_frame(self, library: Library | None = None) -> Any:
        """The rows as a data frame of pandas or polars; InputError where neither is installed."""
        return frame(self.rows(), library)

    def plot(self) -> Drawing:
        """Return the picture of the first claims, which a notebook shows; ``save(path)`` writes it as SVG."""
        # Reports are above audits and import them: this one is asked for by its name.
        return Drawing(import_module("privref.report.drawing").audit_picture(self))

    @property
    def exit_code(self) -> int:
        """The worst of the verdicts, as ``exit_code_of`` has it."""
        return self.exit_code_on(AGAINST)

    def exit_code_on(self, failing: Collection[str]) -> int:
        """Return the exit code where only ``failing`` of the verdicts against a claim count."""
        return exit_code_of({opinion.verdict for opinion in self.opinions}, failing)
