"""Our own formulas in binary64, before the same judge: what fast code that is written like the paper would answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from privref.exact.arithmetic import FloatArithmetic
from privref.statements.registry import Statement, statements

from ..answers import read_answer
from ..store import examples
from .harness import cases
from .running import CallOutcome, PeerRow, judged

#: In the table of peers, the name of this project's own float arithmetic.
NAME = "privref-float"
FUNCTION = "FloatArithmetic"


def lowered(value: Any) -> Any:
    """Exact inputs as floats, in whatever shape they have."""
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, tuple):
        return tuple((float(item[0]), item[1]) if isinstance(item, tuple) else lowered(item) for item in value)
    return value


def evaluate(found: Statement, inputs: Mapping[str, Any]) -> CallOutcome:
    """The statement's formula in floats, inputs and all.

    Where a formula branches on its inputs as rationals they stay exact, and only what is transcendental is a float.
    """
    try:
        try:
            result: Any = found.function(FloatArithmetic(), **{name: lowered(value) for name, value in inputs.items()})
        except (AttributeError, TypeError):
            result = found.function(FloatArithmetic(), **inputs)
        if not isinstance(result, str):
            result = float(result)
    except Exception as error:
        return CallOutcome(read_answer("refused"), f"{type(error).__name__}: {' '.join(str(error).split())[:120]}")
    return CallOutcome(read_answer(result))


def considered() -> tuple[Statement, ...]:
    """The statements that hold."""
    return tuple(found for found in statements() if found.standing != "printed")


def own_float_rows() -> Iterator[PeerRow]:
    """Judge privref's own formulas in double arithmetic over all vectors, one row for each statement."""
    for found in considered():
        if found.id not in examples():
            continue
        findings = []
        for vector, message in cases(found.id):
            if "refused" in vector.expected or message["inputs_binary64"] is None:
                continue
            again = f"privref eval {found.id} '{json.dumps(dict(vector.inputs))}'"
            finding = judged(vector, evaluate(found, found.read(vector.inputs)), (again,))
            if not finding.error.startswith("unreadable answer"):
                findings.append(finding)
        if findings:
            yield PeerRow(NAME, version("privref"), FUNCTION, found.id, tuple(findings))
