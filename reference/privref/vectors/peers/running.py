"""Running the peers over all vectors that apply, and searching beyond the vectors."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import version as installed_version
from multiprocessing import get_context
from typing import Any

from privref.exact.errors import InputError, OutOfScopeError, UndecidedError
from privref.exact.extras import install
from privref.statements.registry import Statement, statement

from ..answers import REFUSED, read_answer
from ..generate import expected, interval
from ..judge import AnswerVerdict, judge
from ..store import Vector, examples, vectors
from . import floats
from .findings import Cause, FindingKind, PeerFinding, order
from .libraries import PEERS
from .model import Call, CallOutcome, Inputs, doubles, run, total_rounds

Progress = Callable[[str], None]

#: Seconds of processor time that one function may take for all its cases, unless every case is asked for.
FUNCTION_SECONDS = 30


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

    def at(self, found: Statement, inputs: Inputs, published: Vector | None = None) -> Vector | None:
        """A vector at these exact inputs; None where they are outside the statement's domain.

        What is ``published`` at the same inputs is not computed again.
        """
        example = examples()[found.id]
        spelled = {param.name: param.spell(inputs[param.name]) for param in found.params}
        key = f"{found.id} {spelled}"
        if key not in self._known and published is not None and found.read(published.inputs) == inputs:
            self._known[key] = dict(published.expected)
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
        return Vector(f"{found.id} {spelled}", found.id, example.quantity, example.safe, (), "", spelled, truth)


def _cases(found: Statement, prepare: Callable[[Inputs], Inputs]) -> Iterator[tuple[Vector, Inputs]]:
    """Yield the statement's vectors with the inputs that a function can be given for them."""
    for vector in vectors().values():
        if vector.statement != found.id or "refused" in vector.expected:
            continue
        try:
            yield vector, prepare(found.read(vector.inputs))
        except (OverflowError, ZeroDivisionError):
            continue  # beyond the doubles


def _judgeable(found: Statement, vector: Vector, inputs: Inputs, truths: Truths) -> Vector | None:
    """Return the vector at the inputs that were really given; None where no answer is known there."""
    at = truths.at(found, inputs, vector)
    return None if at is None else replace(at, flags=vector.flags, comment=vector.comment)


#: What no accountant may take for a cost, and for what it is asked at. Infinity is a cost, and too large a target is a
#: true claim, so that both may be answered; a delta at a negative epsilon has a meaning of its own.
_NAN, _MINUS, _INF = (float("nan"), "is not a number"), (-1.0, "is negative"), (float("inf"), "is infinite")
_COSTS = ("rho", "rhos", "mu", "exp_eps", "q")


def targets(inputs: Mapping[str, Any]) -> frozenset[str]:
    """Return the inputs that are an epsilon at which a delta is asked for, and not the cost of a round."""
    return frozenset({"eps_g", "exp_E"} | ({"eps"} if not {"mu", "rho", "sigma"}.isdisjoint(inputs) else set()))


def has_a_meaning(vector: Vector) -> bool:
    """Whether a case is refused only because it asks for a delta at a negative epsilon, which libraries may answer."""
    asked = {name: value for name, value in vector.inputs.items() if name in targets(vector.inputs)}
    return vector.quantity == "delta" and any(str(value).startswith("-") for value in asked.values())


def bad_inputs(call: Call, found: Statement, inputs: Inputs) -> Iterator[tuple[Vector, dict[str, Any]]]:
    """Each parameter that the library is given made NaN, negative or infinite in turn, as a caller would pass it."""
    example = examples()[found.id]
    if call.given is not None:
        yield from _bad_parameters(call, found, inputs)
        return
    aimed = targets(inputs)
    for param in found.params:
        if param.name not in call.passed:
            continue
        value = inputs[param.name]
        cost = param.name in _COSTS or param.shape in ("sequence", "multiset")
        cost |= param.name == "eps" and param.name not in aimed
        wrong = [_NAN, _MINUS, *([_INF] if cost else [])]
        if param.name in aimed and example.quantity == "delta":
            wrong = [_NAN]
        elif param.shape in ("whole", "wholes"):
            wrong = [(-1, "is negative")]
        elif param.shape in ("flag", "choice"):
            continue
        for bad, what in wrong:
            given: Any = bad
            if param.shape != "one" and param.shape != "whole":
                kept = tuple(value[:-1]) if len(value) > 1 else ()
                given = (*kept, (bad, 1) if param.shape == "multiset" else bad)
                if not value and param.shape == "sequence":
                    continue  # a list that another one is as long as
            comment = f"{'sigma' if call.sigma and param.name == 'mu' else param.name} {what}"
            if call.sigma and param.name == "mu" and bad == float("inf"):
                comment = "sigma is 0"
            spelled = {other.name: other.spell(inputs[other.name]) for other in found.params} | {param.name: str(bad)}
            vector = Vector(
                f"{found.id} {comment}",
                found.id,
                example.quantity,
                example.safe,
                ("bad-input",),
                comment,
                spelled,
                {"refused": "input"},
            )
            yield vector, {**inputs, param.name: given}


def _bad_parameters(call: Call, found: Statement, inputs: Inputs) -> Iterator[tuple[Vector, dict[str, Any]]]:
    """The same for what a mechanism is made of: a scale, a probability, a count; and for the target."""
    assert call.given is not None
    good = call.given(inputs)
    for name, value in good.items():
        if name not in call.passed:
            continue
        target_eps = name == "eps" and examples()[found.id].quantity == "delta"
        wrong = [(-1, "is negative")] if isinstance(value, int) else [_NAN] if target_eps else [_NAN, _MINUS]
        for bad, what in wrong:
            comment = f"{name} {what}"
            spelled = {other: str(float(item)) for other, item in good.items()} | {name: str(bad)}
            quantity = examples()[found.id].quantity
            refusal = {"refused": "input"}
            yield (
                Vector(f"{found.id} {comment}", found.id, quantity, "above", ("bad-input",), comment, spelled, refusal),
                good | {name: bad},
            )


def rows(
    only: tuple[str, ...] = (),
    progress: Progress = lambda step: None,
    truths: Truths | None = None,
    *,
    own_floats: bool = False,
    every_case: bool = False,
    workers: int = 1,
) -> Iterator[PeerRow]:
    """Run each function of each installed peer over all vectors that apply; our own float arithmetic if asked for.

    A function that has taken FUNCTION_SECONDS of processor time is asked no further, unless ``every_case`` is asked
    for. With several ``workers``, functions run in as many processes, and the rows come in the same order. InputError
    for a library of ``only`` that is not installed.
    """
    require_installed(only)
    truths = truths or Truths()
    seconds = float("inf") if every_case else FUNCTION_SECONDS
    chosen = [peer for peer in PEERS if peer.version is not None and (not only or peer.name in only)]
    if not chosen and not own_floats:
        raise InputError("peers", "(not installed)", f"none of these libraries is here: {install('peers')}")
    jobs = [(peer.name, place) for peer in chosen for place in range(len(peer.calls))]
    if workers > 1 and len(jobs) >= _LEAST_JOBS:
        pool = ProcessPoolExecutor(min(workers, len(jobs)), mp_context=get_context("spawn"))
        try:
            yield from filter(None, pool.map(partial(_row, seconds=seconds), jobs))
        finally:
            # Where nobody asks for further rows, what has not begun does not begin.
            pool.shutdown(cancel_futures=True)
    else:
        for peer in chosen:
            for place, call in enumerate(peer.calls):
                progress(f"{peer.name}, {call.function}")
                row = _row((peer.name, place), seconds, truths)
                if row is not None:
                    yield row
    if own_floats or floats.NAME in only:
        yield from _own(progress, truths)


#: So few functions are not worth the second that a process takes to start.
_LEAST_JOBS = 8


@cache
def _own_truths() -> Truths:
    """The truths that this process has computed for functions given to it."""
    return Truths()


def _row(job: tuple[str, int], seconds: float, truths: Truths | None = None) -> PeerRow | None:
    """Return the row of one function, named by its library and its place; None for a statement that is not known."""
    name, place = job
    peer = next(peer for peer in PEERS if peer.name == name)
    call = peer.calls[place]
    try:
        found = statement(call.statement)
    except OutOfScopeError:
        return None
    peer.load()
    findings, unasked = _findings(call, found, truths or _own_truths(), seconds)
    return PeerRow(name, peer.version or "", call.function, call.statement, findings, call.component, unasked)


def _findings(call: Call, found: Statement, truths: Truths, seconds: float) -> tuple[tuple[PeerFinding, ...], int]:
    """Return what the function answered, in the order of the cases, and how many cases it was not asked.

    Cases of few rounds are asked first: most time goes to a few of very many. The bad inputs are asked in any case.
    """
    cases = [case for case in _cases(found, lambda read: call.prepare(found, read)) if applies(call, case[1])]
    base: Inputs | None = None
    for vector, inputs in cases:
        if truths.at(found, inputs, vector) is not None:
            base = inputs
            # The first with something in every list, where there is one.
            if all(base[name] for name in base if isinstance(base[name], tuple)):
                break
    asked: dict[int, PeerFinding] = {}
    spent, rest = 0.0, sorted(range(len(cases)), key=lambda place: (-total_rounds(cases[place][1]), -place))
    while rest and spent <= seconds:
        place = rest.pop()
        at = _judgeable(found, *cases[place], truths)
        if at is not None:
            started = time.process_time()
            asked[place] = _finding(call, at, cases[place][1])
            spent += time.process_time() - started
    findings = [asked[place] for place in sorted(asked)]
    for vector, given in bad_inputs(call, found, base) if base is not None else ():
        lines = call.lines_of(given)
        findings.append(judged(vector, run(lines, call.halts), lines))
    return tuple(findings), len(rest)


def applies(call: Call, inputs: Inputs) -> bool:
    """Whether the function claims to answer these inputs."""
    return total_rounds(inputs) <= call.most_rounds and call.applies(inputs)


def _finding(call: Call, vector: Vector, inputs: Inputs) -> PeerFinding:
    lines = call.lines(inputs)
    return judged(vector, run(lines, call.halts), lines, call.documented)


def judged(
    vector: Vector, outcome: CallOutcome, lines: tuple[str, ...], documented: str = "", script: str = ""
) -> PeerFinding:
    """An answer judged; a word where a number is called for, or the reverse, is not an answer."""
    opinion = judge(vector, outcome.reading)
    if opinion.verdict == "misfit":
        return PeerFinding(
            judge(vector, read_answer(REFUSED)), f"unreadable answer: {outcome.reading}", lines, "", script
        )
    return PeerFinding(opinion, outcome.error, lines, documented, script)


def _own(progress: Progress, truths: Truths) -> Iterator[PeerRow]:
    for found in floats.considered():
        if found.id not in examples():
            continue
        progress(f"{floats.NAME}, {found.id}")
        findings = []
        for case, inputs in _cases(found, partial(doubles, found)):
            vector = _judgeable(found, case, inputs, truths)
            if vector is None:
                continue
            outcome = floats.evaluate(found, inputs)
            opinion = judge(vector, outcome.reading)
            if opinion.verdict == "misfit":
                continue
            findings.append(PeerFinding(opinion, outcome.error, (f"privref eval {found.id} '{dict(vector.inputs)}'",)))
        if findings:
            yield PeerRow(floats.NAME, installed_version("privref"), floats.FUNCTION, found.id, tuple(findings))


def require_installed(only: Iterable[str]) -> None:
    """Refuse a library that is asked for by its name and not installed: it would be passed over, and found in order."""
    installed = {peer.name for peer in PEERS if peer.version is not None} | {floats.NAME}
    for name in only:
        if name not in installed:
            raise InputError("only", name, f"this library is not installed: {install('peers')}")


def peer_names() -> tuple[str, ...]:
    """The names that ``only`` may hold."""
    return (*(peer.name for peer in PEERS), floats.NAME)
