"""Errata of the papers, as data: what a paper says, what holds, and what it means for an auditor.

Each row names the statements it concerns and a witness, a function under ``proofs/`` that recomputes the evidence.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, get_args

from privref.exact.errors import InputError
from privref.statements.papers import REFERENCES

#: ``false``: false as written. ``overclaim``: more is claimed than holds or is shown. ``misprint``: a slip of the pen,
#: or of the copy that was read where that is an extraction. ``loose``: true where read well, but ambiguous, incomplete
#: or improvable. ``note``: no error, but what the paper says in exact numbers, or what another source is needed for.
#: ``extraction``: a fault of the copy that was read, and not of the paper; listed for readers of such copies.
Severity = Literal["false", "overclaim", "misprint", "loose", "note", "extraction"]

#: Said wherever errata are listed.
WRONG = (
    'We may be wrong: tell us. CONTRIBUTING.md, "If we are wrong about you", says how; each correction is shown in '
    "its row. What a paper says is in our words, but for what stands in quotation marks."
)


@dataclass(frozen=True, slots=True)
class Erratum:
    """One row about one paper; ``says`` is in our words, but for what stands in quotation marks."""

    id: str
    severity: Severity
    paper: str
    where: str
    says: str
    correct: str
    consequence: str
    statements: tuple[str, ...]
    witness: str
    corrections: tuple[str, ...] = ()

    @property
    def read(self) -> str:
        """The copy of the paper that was read."""
        return REFERENCES[self.paper].note


@cache
def rows() -> tuple[Erratum, ...]:
    """All errata, in the order of their numbers."""
    text = resources.files("privref.statements").joinpath("errata.json").read_text(encoding="utf-8")
    found = tuple(
        Erratum(**{**row, "statements": tuple(row["statements"]), "corrections": tuple(row.get("corrections", ()))})
        for row in json.loads(text)["rows"]
    )
    for row in found:
        if row.severity not in get_args(Severity):
            raise ValueError(f"{row.id}: unknown severity {row.severity!r}")
    return found


def for_statement(id: str) -> tuple[Erratum, ...]:
    """The errata that concern a statement."""
    return tuple(row for row in rows() if id in row.statements)


def for_paper(paper: str) -> tuple[Erratum, ...]:
    """The errata printed in a paper, and those printed elsewhere that concern its statements."""
    return tuple(row for row in rows() if paper in concerned(row))


def concerned(row: Erratum) -> frozenset[str]:
    """The papers that a row is about: the one it is printed in and those whose statements it names."""
    return frozenset((row.paper, *(id.split("/")[0] for id in row.statements)))


def errata(paper: str | None = None) -> tuple[Erratum, ...]:
    """What is wrong, loose or to be noted in the papers, or in one of them; InputError for a paper without errata."""
    if paper is None:
        return rows()
    papers = sorted({each for row in rows() for each in concerned(row)})
    if paper not in papers:
        raise InputError("--paper", paper, f"give one of {', '.join(papers)}")
    return for_paper(paper)
