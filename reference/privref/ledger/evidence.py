"""Evidence in a ledger: what attacks on what ran had found, each with the confidence that was chosen before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Union

from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell

#: The errors of all pieces of one ledger add up to less than this.
_MOST_ERROR = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class OneRun:
    """One run with canaries, each included by a fair coin of its own, and guesses which of them were."""

    canaries: int
    guesses: int
    right: int
    confidence: Fraction
    label: str = ""

    def __str__(self) -> str:
        return f"{self.right} of {self.guesses} guesses about {self.canaries} canaries of one run were right"


@dataclass(frozen=True, slots=True)
class ManyRuns:
    """Independent runs with a record and without it, and on how many of each an attack said that it was there."""

    runs_with: int
    true_positives: int
    runs_without: int
    false_positives: int
    confidence: Fraction
    label: str = ""

    def __str__(self) -> str:
        return (
            f"an attack found the record in {self.true_positives} of {self.runs_with} runs with it, "
            f"and in {self.false_positives} of {self.runs_without} without"
        )


Evidence = Union[OneRun, ManyRuns]
#: The kinds of evidence, each with its counts: how many of the first there are at most of the second.
_KINDS: Mapping[str, tuple[type[Evidence], tuple[tuple[str, str], ...]]] = {
    "one-run": (OneRun, (("right", "guesses"), ("guesses", "canaries"))),
    "many-runs": (ManyRuns, (("true_positives", "runs_with"), ("false_positives", "runs_without"))),
}


def evidence_from(documents: Any, place: str) -> tuple[Evidence, ...]:
    """Read the pieces of evidence that the schema allows; InputError where counts or errors contradict themselves."""
    found = tuple(_piece(document, f"{place}[{i}]") for i, document in enumerate(documents))
    if error_of(found) >= _MOST_ERROR:
        remedy = "the errors of all pieces, 1 less the confidence of each, add up to less than 1/2; raise confidences"
        raise InputError(f"{place}.confidence", f"errors of {spell(error_of(found))} in all", remedy)
    return found


def _piece(document: Mapping[str, Any], place: str) -> Evidence:
    kind, limits = _KINDS[document["kind"]]
    counts = {name: document[name] for pair in limits for name in pair}
    for less, more in limits:
        if counts[less] > counts[more]:
            raise InputError(f"{place}.{less}", counts[less], f"{more} is {counts[more]}; give at most that many")
    confidence = rational(document["confidence"], f"{place}.confidence")
    if not 1 - _MOST_ERROR < confidence < 1:
        raise InputError(f"{place}.confidence", document["confidence"], "give a number in (1/2, 1), such as 0.95")
    return kind(**counts, confidence=confidence, label=document.get("label", ""))


def error_of(pieces: tuple[Evidence, ...]) -> Fraction:
    """Return how likely it is, at most, that one of them or more speaks against a claim that is true."""
    return sum((1 - piece.confidence for piece in pieces), Fraction(0))
