"""Our own formulas in binary64, before the same judge: what fast code that is written like the paper would answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from privref.exact.arithmetic import FloatArithmetic
from privref.statements.registry import Statement, statements

from ..answers import read_answer
from .model import CallOutcome, Inputs

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


def evaluate(found: Statement, inputs: Inputs) -> CallOutcome:
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
