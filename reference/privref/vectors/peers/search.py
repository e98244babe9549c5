"""Hypothesis against a peer: any inputs, an unsound answer, and then the simplest inputs that still give one."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

from privref.exact.errors import InputError
from privref.statements.params import Param
from privref.statements.registry import Statement

from .bench import Finding, Truths, applies, judged
from .model import Call, run

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
_ROUNDING = Fraction(1, 10**6)


def simplest(call: Call, found: Statement, truths: Truths, end: float) -> Finding | None:
    """An unsound answer at inputs as simple as could be found before the time is up; None where none was found."""
    try:
        import hypothesis
    except ImportError:
        raise InputError("--search", "hypothesis", "it is not installed; install privref[peers]") from None
    findings: dict[str, Finding | None] = {}
    names = [param.name for param in found.params]
    # Half of the time for what is wrong by more than rounding; the rest for anything below the truth.
    for condition, until in ((_gross, (time.monotonic() + end) / 2), (_any, end)):

        def wrong(raw: tuple[Any, ...]) -> bool:
            key = repr(raw)
            if key not in findings:
                if time.monotonic() > until:
                    return False
                findings[key] = _judge(call, found, truths, dict(zip(names, raw, strict=True)))
            finding = findings[key]
            return finding is not None and condition(finding)

        settings = hypothesis.settings(
            max_examples=300,
            database=None,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        try:
            raw = hypothesis.find(hypothesis.strategies.tuples(*map(_values, found.params)), wrong, settings=settings)
        except hypothesis.errors.NoSuchExample:
            continue
        return findings[repr(raw)]
    return None


def _any(finding: Finding) -> bool:
    return True


def _gross(finding: Finding) -> bool:
    """Wrong by more than one part in a million, or where there is no such ratio: a decision, an infinity, a sign."""
    factor = finding.opinion.factor
    return factor is None or abs(factor - 1) > _ROUNDING


def _judge(call: Call, found: Statement, truths: Truths, raw: dict[str, Any]) -> Finding | None:
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
