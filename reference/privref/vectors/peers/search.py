"""Hypothesis against a peer: the worst answer that it finds, then the simplest inputs that get half as bad a one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from privref.exact.errors import InputError
from privref.exact.extras import install
from privref.statements.params import Param
from privref.statements.registry import Statement, statement

from .findings import PeerFinding, order
from .libraries import PEERS
from .model import Call, run
from .running import Progress, Truths, applies, judged, require_installed

#: Which doubles are tried for an input of that name (or shape).
_RANGES = {
    "eps": (1e-3, 5.0),
    "eps_g": (1e-3, 20.0),
    "rho": (1e-4, 20.0),
    "rhos": (1e-4, 5.0),
    "mu": (1e-2, 5.0),
    "delta_g": (1e-30, 0.5),
    "exp_eps": (1.0, 31.0),
    "exp_E": (1.0, 1000.0),
}
_MOST_ROUNDS = 40
_EXAMPLES = 300


def simplest(
    call: Call, found: Statement, truths: Truths, end: float, heard: Callable[[], None] = lambda: None
) -> PeerFinding | None:
    """A grave answer at inputs as simple as could be found before the time is up; None where none was found.

    ``heard`` is called at each answer that promises anything.

    Small errors are everywhere and easily reduced to trivial inputs; so half of the time goes to the gravest answer,
    and only inputs that give one of its kind, at least half as harmful, are then simplified.
    """
    try:
        import hypothesis
    except ImportError:
        raise InputError("--search", "hypothesis", f"it is not installed: {install('peers')}") from None
    findings: dict[str, PeerFinding | None] = {}
    names = [param.name for param in found.params]
    inputs = hypothesis.strategies.tuples(*map(_values, found.params))
    settings = hypothesis.settings(
        max_examples=_EXAMPLES,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    def find(condition: Callable[[PeerFinding], bool], until: float) -> PeerFinding | None:
        def wrong(raw: tuple[Any, ...]) -> bool:
            key = repr(raw)
            if key not in findings:
                if time.monotonic() > until:
                    return False
                findings[key] = _judge(call, found, truths, dict(zip(names, raw, strict=True)), heard)
            finding = findings[key]
            return finding is not None and condition(finding)

        try:
            return findings[repr(hypothesis.find(inputs, wrong, settings=settings))]
        except hypothesis.errors.NoSuchExample:
            return None

    find(lambda finding: False, (time.monotonic() + end) / 2)
    known = [finding for finding in findings.values() if finding is not None]
    if not known:
        return None
    gravest = min(known, key=order)
    place = order(gravest)[:2]
    half = gravest.harm / 2
    # The draws are the same again, so that the gravest is met and simplified from there.
    found_again = find(lambda finding: order(finding)[:2] == place and finding.harm >= half, end)
    return found_again or gravest


def _judge(
    call: Call, found: Statement, truths: Truths, raw: dict[str, Any], heard: Callable[[], None]
) -> PeerFinding | None:
    try:
        inputs = call.prepare(found, found.read(raw))
    except InputError:
        return None
    if not applies(call, inputs):
        return None
    vector = truths.at(found, inputs)
    if vector is None:
        return None
    lines = call.lines(inputs)
    answer = judged(vector, run(lines, call.halts), lines)
    if answer.kind != "no-answer":
        heard()
    return answer if answer.opinion.verdict == "unsound" else None


def _values(param: Param) -> Any:
    import hypothesis.strategies as st

    low, high = _RANGES.get(param.name, (1e-30, 0.5) if "delta" in param.name else (0.0, 10.0))
    number = st.floats(low, high).map(float.hex)
    if "delta" in param.name:
        # Tiny deltas matter as much as large ones, so that the exponent is what is drawn.
        number = st.integers(0, 60).map(lambda halves: f"1e-{halves // 2}" if halves % 2 else f"5e-{halves // 2 + 1}")
    match param.shape:
        case "one":
            return number
        case "sequence" | "multiset":
            return st.lists(number, max_size=_MOST_ROUNDS)
        case "whole":
            return st.integers(1, 400)
        case "wholes":
            return st.lists(st.integers(1, 400), min_size=1, max_size=1)
        case _:
            return st.nothing()


def search(
    seconds: float,
    only: tuple[str, ...] = (),
    progress: Progress = lambda step: None,
    heard: Callable[[str], None] = lambda peer: None,
) -> Iterator[tuple[str, str, str, PeerFinding]]:
    """Look for unsound answers beyond the vectors, and reduce each to the simplest inputs that Hypothesis finds.

    Yields the library, its version, the function and the finding. ``heard`` is called with a library's name at each
    of its answers that promises anything.
    """
    require_installed(only)
    truths = Truths()
    chosen = [peer for peer in PEERS if peer.version is not None and (not only or peer.name in only)]
    # A mechanism is not drawn at random.
    calls = [(peer, call) for peer in chosen for call in peer.calls if call.given is None]
    end = time.monotonic() + seconds
    for place, (peer, call) in enumerate(calls):
        progress(f"{peer.name}, {call.function}")
        peer.load()
        share = max(0.0, end - time.monotonic()) / (len(calls) - place)
        found = simplest(call, statement(call.statement), truths, time.monotonic() + share, partial(heard, peer.name))
        if found is not None:
            yield peer.name, peer.version or "", call.function, found
