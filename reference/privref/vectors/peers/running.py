"""What the peers answered: rows of judged answers, put together by cause, and the truths that judge them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from privref.exact.errors import InputError, UndecidedError
from privref.statements.registry import Statement

from ..answers import REFUSED, ReadAnswer, read_answer
from ..generate import expected, interval
from ..judge import AnswerVerdict, judge
from ..store import Vector, examples
from .findings import Cause, FindingKind, PeerFinding, fault, order

#: Seconds of processor time that one function may take for all its cases, unless every case is asked for.
FUNCTION_SECONDS = 15


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What a call gave: an answer, or how it failed."""

    reading: ReadAnswer
    error: str = ""


@dataclass(frozen=True, slots=True)
class PeerRow:
    """All findings on one function of a peer."""

    peer: str
    version: str
    function: str
    statement: str
    findings: tuple[PeerFinding, ...]
    component: str = ""
    #: Cases that were not asked, as the function had taken FUNCTION_SECONDS before.
    unasked: int = 0
    #: What the library is called from.
    language: str = "Python"
    #: Seconds of processor time that its answers took, where a harness gave them.
    seconds: float = 0.0

    @property
    def answerable(self) -> tuple[PeerFinding, ...]:
        """The findings on inputs that have an answer."""
        return tuple(finding for finding in self.findings if not finding.bad)

    @property
    def answered(self) -> int:
        """How many of these inputs were given an answer that promises anything."""
        return sum(finding.kind != "no-answer" for finding in self.answerable)

    @property
    def counts(self) -> Counter[AnswerVerdict]:
        """Verdicts on inputs that have an answer."""
        return Counter(finding.opinion.verdict for finding in self.answerable)

    @property
    def kinds(self) -> Counter[FindingKind]:
        """How many findings of each kind."""
        return Counter(finding.kind for finding in self.findings)

    @property
    def accepted(self) -> int:
        """How many inputs outside the domain were answered by a number that promises something."""
        return sum(finding.opinion.verdict == "unsound" for finding in self.findings if finding.bad)

    @property
    def crashes(self) -> Counter[str]:
        """How often it raised what, where there was an answer to give."""
        refused = (finding for finding in self.answerable if finding.opinion.verdict == "refused")
        return Counter(finding.error.split(":")[0] for finding in refused)

    @property
    def worst(self) -> tuple[PeerFinding, ...]:
        """The unsound answers, the gravest first."""
        return tuple(sorted((f for f in self.findings if f.opinion.verdict == "unsound"), key=order))


def causes(rows: Iterable[PeerRow]) -> tuple[Cause, ...]:
    """Unsound answers put together by their cause, the gravest first."""
    found: dict[tuple[str, str, str], tuple[str, list[tuple[str, PeerFinding]]]] = {}
    for row in rows:
        for finding in row.worst:
            # What a function takes for a number does not depend on the neighbours that it is asked for.
            part = row.component.partition(",")[0] if finding.bad else row.component
            key = (row.peer, part, finding.symptom)
            found.setdefault(key, (row.version, []))[1].append((row.function, finding))
    together = (
        Cause(peer, version, component, symptom, tuple(sorted(findings, key=lambda entry: order(entry[1]))))
        for (peer, component, symptom), (version, findings) in found.items()
    )
    return tuple(sorted(together, key=lambda cause: order(cause.worst)))


class Truths:
    """Expectations at the inputs that were really given, each computed once, by both engines."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any] | None] = {}
        self._lock = Lock()

    def at(self, found: Statement, inputs: Mapping[str, Any], published: Vector | None = None) -> Vector | None:
        """A vector at these exact inputs; None where they are outside the statement's domain.

        What is ``published`` at the same inputs is not computed again.
        """
        example = examples()[found.id]
        spelled = {param.name: param.spell(inputs[param.name]) for param in found.params}
        key = f"{found.id} {spelled}"
        with self._lock:
            if key not in self._known:
                if published is not None and found.read(published.inputs) == inputs:
                    self._known[key] = dict(published.expected)
                else:
                    self._known[key] = self._computed(found, spelled)
            truth = self._known[key]
        if truth is None or "refused" in truth:
            return None
        return Vector(f"{found.id} {spelled}", found.id, example.quantity, example.safe, (), "", spelled, truth)

    @staticmethod
    def _computed(found: Statement, spelled: Mapping[str, Any]) -> dict[str, Any] | None:
        try:
            computed = expected(found, spelled)
            if "lower" in computed:
                interval(computed)
        except (UndecidedError, InputError):
            # Out of reach of a comparison, or so small that its digits could not be read back.
            return None
        return computed


def has_a_meaning(vector: Vector) -> bool:
    """Whether a case is refused by the statement, though a number may answer it truly, so that no library is blamed.

    That is a delta at a negative epsilon, anything at an infinite target, and nothing of something, unless it is noise.
    """
    name, value = fault(vector)
    epsilons = {"eps_g", "exp_E"} | ({"eps"} if {"mu", "rho", "sigma", "rounds"} & set(vector.inputs) else set())
    if value == "0":
        return name not in ("sigma", "scale")
    if "inf" in value:
        return name in epsilons | {"delta", "delta_g", "delta_prime"}
    return value.startswith("-") and vector.quantity == "delta" and name in epsilons


def total_rounds(inputs: Mapping[str, Any]) -> int:
    """Return how many rounds the inputs describe."""
    counts = [1]
    for value in inputs.values():
        if isinstance(value, int) and not isinstance(value, bool):
            counts.append(value)
        elif isinstance(value, tuple):
            counts.append(sum(item[1] if isinstance(item, tuple) else 1 for item in value))
    return max(counts)


def judged(
    vector: Vector, outcome: CallOutcome, lines: tuple[str, ...], documented: str = "", script: str = "shell"
) -> PeerFinding:
    """Judge an answer; a word where a number is called for, or the reverse, is not an answer."""
    opinion = judge(vector, outcome.reading)
    if opinion.verdict == "misfit":
        return PeerFinding(
            judge(vector, read_answer(REFUSED)), f"unreadable answer: {outcome.reading}", lines, "", script
        )
    return PeerFinding(opinion, outcome.error, lines, documented, script)
