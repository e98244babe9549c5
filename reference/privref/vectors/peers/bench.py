"""Running the peers over all vectors that apply, and searching beyond the vectors."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.metadata import version as installed_version
from typing import Any

from privref.exact.errors import InputError, OutOfScopeError, UndecidedError
from privref.statements.registry import Statement, statement

from ..answers import REFUSED, read_answer
from ..cases import plans
from ..generate import expected, interval
from ..judge import Opinion, Verdict, judge
from ..store import Vector, vectors
from . import floats
from .libraries import PEERS
from .model import Call, Inputs, Outcome, doubles, run, total_rounds

Progress = Callable[[str], None]

_LEAST_NORMAL = Fraction(1, 2**1022)


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer of one function of a peer, judged at the inputs that it was really given."""

    opinion: Opinion
    error: str
    reproduction: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """All findings on one function of a peer."""

    peer: str
    version: str
    function: str
    statement: str
    findings: tuple[Finding, ...]

    @property
    def answerable(self) -> tuple[Finding, ...]:
        """The findings on inputs that have an answer."""
        return tuple(finding for finding in self.findings if "refused" not in finding.opinion.vector.expected)

    @property
    def counts(self) -> Counter[Verdict]:
        """Verdicts on inputs that have an answer."""
        return Counter(finding.opinion.verdict for finding in self.answerable)

    @property
    def accepted(self) -> int:
        """How many inputs outside the domain were answered by a number that promises something."""
        bad = (finding for finding in self.findings if "refused" in finding.opinion.vector.expected)
        return sum(finding.opinion.verdict == "unsound" for finding in bad)

    @property
    def crashes(self) -> Counter[str]:
        """How often it raised what, where there was an answer to give."""
        refused = (finding for finding in self.findings if finding.opinion.verdict == "refused")
        return Counter(finding.error.split(":")[0] for finding in refused)

    @property
    def worst(self) -> tuple[Finding, ...]:
        """The unsound answers, the farthest off first."""
        unsound = [finding for finding in self.findings if finding.opinion.verdict == "unsound"]
        return tuple(sorted(unsound, key=_badness))


def _badness(finding: Finding) -> tuple[bool, bool, Fraction]:
    """Good inputs before bad ones, truths within the range of doubles before others, then by the ratio to the truth."""
    opinion = finding.opinion
    factor = opinion.factor if opinion.factor is not None and opinion.factor >= 0 else Fraction(0)
    if opinion.vector.safe == "below":
        factor = -factor
    tiny = "lower" in opinion.vector.expected and 0 < interval(opinion.vector.expected).upper < _LEAST_NORMAL
    return "refused" in opinion.vector.expected, tiny, factor


class Truths:
    """Expectations at the inputs that were really given, each computed once, by both engines."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any] | None] = {}

    def at(self, found: Statement, inputs: Inputs) -> Vector | None:
        """A vector at these exact inputs; None where they are outside the statement's domain."""
        plan = plans()[found.id]
        spelled = {param.name: param.spell(inputs[param.name]) for param in found.params}
        key = f"{found.id} {spelled}"
        if key not in self._known:
            try:
                computed = expected(found, spelled)
                if "lower" in computed:
                    interval(computed)
                self._known[key] = computed
            except (UndecidedError, InputError):
                # Out of reach of a comparison, or so small that its digits could not be read back.
                self._known[key] = None
        truth = self._known[key]
        if truth is None or "refused" in truth:
            return None
        safe = "below" if found.kind == "lower" else plan.safe
        return Vector(f"{found.id} {spelled}", found.id, plan.quantity, safe, (), "", spelled, truth)


def _cases(found: Statement, prepare: Callable[[Inputs], Inputs], truths: Truths) -> Iterator[tuple[Vector, Inputs]]:
    """The statement's vectors at the inputs that a function can be given."""
    for vector in vectors().values():
        if vector.statement != found.id or "refused" in vector.expected:
            continue
        try:
            inputs = prepare(found.read(vector.inputs))
        except (OverflowError, ZeroDivisionError):
            continue  # beyond the doubles
        at = truths.at(found, inputs)
        if at is not None:
            yield replace(at, flags=vector.flags, comment=vector.comment), inputs


def bad_doubles(found: Statement, vector: Vector) -> dict[str, Any] | None:
    """A case that must be refused, as a caller of a library would pass it; None where no double spells it."""
    given: dict[str, Any] = {}
    for param in found.params:
        raw = vector.inputs[param.name]
        try:
            match param.shape:
                case "one":
                    given[param.name] = _double(raw)
                case "sequence":
                    given[param.name] = [_double(item) for item in raw]
                case "multiset":
                    given[param.name] = [
                        (_double(item["value"]), item["count"]) if isinstance(item, Mapping) else (_double(item), 1)
                        for item in raw
                    ]
                case "whole":
                    given[param.name] = int(raw)
                case _:
                    return None
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
    return given


def _double(text: str) -> float:
    if text in ("nan", "inf"):
        return float(text)
    value = float(Fraction(text))
    if Fraction(value) != Fraction(text) and value in (0.0, 1.0):
        raise ValueError("the double is inside the domain")
    return value


def rows(
    only: tuple[str, ...] = (), progress: Progress = lambda step: None, truths: Truths | None = None
) -> Iterator[Row]:
    """Each function of each installed peer over all vectors that apply, and our own float arithmetic."""
    truths = truths or Truths()
    for peer in PEERS:
        version = peer.version
        if version is None or (only and peer.name not in only):
            continue
        peer.setup()
        for call in peer.calls:
            progress(f"{peer.name}, {call.function}")
            try:
                found = statement(call.statement)
            except OutOfScopeError:
                continue
            yield Row(peer.name, version, call.function, call.statement, tuple(_findings(call, found, truths)))
    if not only or floats.NAME in only:
        yield from _own(progress, truths)


def _findings(call: Call, found: Statement, truths: Truths) -> Iterator[Finding]:
    for vector, inputs in _cases(found, lambda read: call.prepare(found, read), truths):
        if applies(call, inputs):
            yield _finding(call, vector, inputs)
    for vector in vectors().values():
        if vector.statement == found.id and "refused" in vector.expected and not call.sigma:
            given = bad_doubles(found, vector)
            if given is None or not any(_strange(value) for value in given.values()) or not _paired(found, given):
                continue
            lines = call.lines(given)
            yield judged(vector, run(lines, call.halts), lines)


def _strange(value: Any) -> bool:
    """Whether a value is negative or not finite: what every accountant must refuse."""
    if isinstance(value, list):
        return any(_strange(item[0] if isinstance(item, tuple) else item) for item in value)
    return not 0 <= value < float("inf")


def _paired(found: Statement, given: Mapping[str, Any]) -> bool:
    """Whether lists that belong together are equally long; where they are not, a call would drop the odd value."""
    return len({len(given[param.name]) for param in found.params if param.shape == "sequence"}) <= 1


def applies(call: Call, inputs: Inputs) -> bool:
    """Whether the function claims to answer these inputs."""
    return total_rounds(inputs) <= call.most_rounds and call.applies(inputs)


def _finding(call: Call, vector: Vector, inputs: Inputs) -> Finding:
    lines = call.lines(inputs)
    return judged(vector, run(lines, call.halts), lines)


def judged(vector: Vector, outcome: Outcome, lines: tuple[str, ...]) -> Finding:
    """An answer judged; a word where a number is called for, or the reverse, is no answer."""
    try:
        return Finding(judge(vector, outcome.reading), outcome.error, lines)
    except InputError:
        return Finding(judge(vector, read_answer(REFUSED)), f"unreadable answer: {outcome.reading}", lines)


def _own(progress: Progress, truths: Truths) -> Iterator[Row]:
    for found in floats.considered():
        if found.id not in plans():
            continue
        progress(f"{floats.NAME}, {found.id}")
        findings = []
        for vector, inputs in _cases(found, lambda read: doubles(found, read), truths):
            outcome = floats.evaluate(found, inputs)
            try:
                opinion = judge(vector, outcome.reading)
            except InputError:
                continue
            findings.append(Finding(opinion, outcome.error, (f"privref eval {found.id} '{dict(vector.inputs)}'",)))
        if findings:
            yield Row(floats.NAME, installed_version("privref"), floats.FUNCTION, found.id, tuple(findings))


def search(
    seconds: float, only: tuple[str, ...] = (), progress: Progress = lambda step: None
) -> Iterator[tuple[str, str, str, Finding]]:
    """Look for unsound answers beyond the vectors, and reduce each to the simplest inputs that Hypothesis finds.

    Yields the library, its version, the function and the finding.
    """
    from .search import simplest

    truths = Truths()
    chosen = [peer for peer in PEERS if peer.version is not None and (not only or peer.name in only)]
    calls = [(peer, call) for peer in chosen for call in peer.calls]
    end = time.monotonic() + seconds
    for place, (peer, call) in enumerate(calls):
        progress(f"{peer.name}, {call.function}")
        peer.setup()
        share = max(0.0, end - time.monotonic()) / (len(calls) - place)
        found = simplest(call, statement(call.statement), truths, time.monotonic() + share)
        if found is not None:
            yield peer.name, peer.version or "", call.function, found


def peer_names() -> tuple[str, ...]:
    """The names that ``only`` may hold."""
    return (*(peer.name for peer in PEERS), floats.NAME)
