"""Values and comparisons of statements by both engines, which must agree."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.columns import Column
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, UndecidedError
from privref.exact.numbers import can_be_read
from privref.statements.registry import Statement, solve, statement

ENGINES: tuple[decide.EngineName, ...] = ("arb", "mpmath")
CERTIFIED_DIGITS = 20


def _formula(found: Statement, inputs: object) -> decide.Formula:
    def formula(ar: Arithmetic) -> Scalar:
        result = found.function(ar, **inputs)  # type: ignore[arg-type]
        if isinstance(result, str):
            raise TypeError(f"{found.id} gave {result!r} where a number is compared")
        return result

    return formula


def _can_be_read(inputs: object) -> bool:
    """Whether the numbers in a theorem's inputs can be read again from a certificate."""
    if isinstance(inputs, (int, Fraction)):
        return can_be_read(inputs)
    if isinstance(inputs, Column):
        # Its numbers were read, and are short.
        return True
    if isinstance(inputs, Mapping):
        return _can_be_read(tuple(inputs.values())) and _can_be_read(tuple(inputs))
    return not isinstance(inputs, (tuple, list)) or all(map(_can_be_read, inputs))


def enclosed(statement_id: str, inputs: object, digits: int = CERTIFIED_DIGITS) -> tuple[Enclosure | None, str | None]:
    """A statement's value from both engines: their common enclosure and the exact spelling, if any."""
    found = statement(statement_id)
    if not _can_be_read(inputs):
        raise UndecidedError("its inputs have more digits than a certificate may: declare shorter numbers")
    answers = [solve(found, inputs, digits=digits, engine=engine) for engine in ENGINES]  # type: ignore[arg-type]
    first, second = answers
    if first.value != second.value:
        raise EnginesDisagree(f"{statement_id}: the engines say {first.value} and {second.value}")
    if first.enclosure is None or second.enclosure is None:
        return None, first.value
    common = first.enclosure.intersection(second.enclosure)
    if common is None:
        raise EnginesDisagree(f"{statement_id}: the engines' enclosures are disjoint")
    return common, first.value


def certainly_exceeds(statement_id: str, inputs: object, claimed: Fraction, known: Enclosure) -> bool:
    """Whether the statement's value is strictly above the claimed number, decided alike by both engines."""
    if known.lower > claimed:
        return True
    if known.upper <= claimed:
        return False
    found = statement(statement_id)
    if found.stated_width is not None and found.stated_width(inputs) is not None:  # type: ignore[arg-type]
        raise UndecidedError(
            f"{statement_id} is known here only to lie in [{', '.join(known.decimals(10))}], and the claim lies within"
        )
    formula = _formula(found, inputs)
    said = {decide.exceeds(formula, lambda ar: claimed, decide.engine(engine)) for engine in ENGINES}
    if len(said) != 1:
        raise EnginesDisagree(f"{statement_id}: the engines decide the comparison with {claimed} differently")
    return said.pop()
