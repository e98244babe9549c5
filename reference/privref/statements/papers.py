"""The papers whose statements are registered: authors, title, and where to find the version that is cited."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

#: Whether a developer of this project has read the text: else the citation is as others quote it.
Read = Literal["yes", "abstract only", "no"]

_QUOTED = "cited as others quote it; numbers and wording unconfirmed"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as it is cited; ``doi`` and ``arxiv`` are empty where there is none or it is not known.

    ``read`` says whether a developer of this project has read its text, ``note`` which text, or what is unconfirmed.
    """

    authors: str
    title: str
    venue: str
    doi: str = ""
    arxiv: str = ""
    read: Read = "no"
    note: str = _QUOTED

    @property
    def citation(self) -> str:
        """Authors, year and title."""
        return f"{self.authors}, {self.title}"

    @property
    def short_citation(self) -> str:
        """The authors as a sentence names them, and the year."""
        people, year = self.authors.rsplit(" ", 1)
        names = people.split(", ")
        return f"{names[0]} et al. {year}" if len(names) > 2 else f"{' and '.join(names)} {year}"

    @property
    def links(self) -> tuple[str, ...]:
        """Where the paper is, as addresses."""
        doi = (f"https://doi.org/{self.doi}",) if self.doi else ()
        return doi + ((f"https://arxiv.org/abs/{self.arxiv}",) if self.arxiv else ())


def _references() -> dict[str, Paper]:
    text = files("privref.statements").joinpath("papers.json").read_text(encoding="utf-8")
    return {key: Paper(**row) for key, row in json.loads(text).items()}


#: The papers by the first part of a statement's id, in the order in which they came to be cited.
REFERENCES = _references()

#: The citation of each paper, by the first part of a statement's id.
PAPERS: dict[str, str] = {key: paper.citation for key, paper in REFERENCES.items()}
