"""Other people's answers, read exactly: a double means the rational that it is."""

from __future__ import annotations

import contextlib
import json
import math
import numbers
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from privref.exact.errors import InputError, one_line, require_text
from privref.exact.numbers import from_binary64, rational, spell
from privref.ledger import documents

#: Words that answer a case without a number.
INFINITY, NOT_A_NUMBER, REFUSED = "inf", "nan", "refused"
DECISIONS = ("CONT", "HALT")
FINITE = "finite"

_SPELLINGS = {
    **dict.fromkeys(("inf", "+inf", "Infinity", "+Infinity"), INFINITY),
    **dict.fromkeys(("-inf", "-Infinity"), "-inf"),
    **dict.fromkeys(("nan", "NaN"), NOT_A_NUMBER),
}
_ADVICE = 'give a number, "inf", "nan", "CONT", "HALT" or "refused"'

ReadAs = Literal["exact", "binary64", "word", "unreadable"]


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """An answer as it was read: an exact number, or a word."""

    number: Fraction | None
    word: str
    read_as: ReadAs
    #: Of an answer that cannot be read, what to give.
    remedy: str = ""

    @property
    def spelled(self) -> str:
        """The answer, exactly; a double in hexadecimal."""
        return self.word if self.number is None else spell(self.number)

    def __str__(self) -> str:
        if self.read_as == "binary64" and self.number is not None:
            return repr(float(self.number))
        return self.spelled


def read_answer(value: object, field: str = "answer") -> ReadAnswer:
    """Read one answer: a float by its exact value, a string exactly, an int, a Fraction or a Decimal as it is.

    Numbers of other types are read where that rounds nothing.
    """
    if isinstance(value, float):
        if math.isfinite(value):
            return ReadAnswer(from_binary64(float(value)), "", "binary64")
        return ReadAnswer(None, NOT_A_NUMBER if value != value else INFINITY if value > 0 else "-inf", "word")
    if value is None:
        raise InputError(
            field, "null", f"JavaScript writes NaN and Infinity as null, so it means nothing here; {_ADVICE}"
        )
    if isinstance(value, str):
        text = value.strip()
        if text in _SPELLINGS:
            return ReadAnswer(None, _SPELLINGS[text], "word")
        if text in (*DECISIONS, REFUSED, FINITE) or "=" in text:
            return ReadAnswer(None, text, "word")
        try:
            return ReadAnswer(rational(text, field), "", "exact")
        except InputError as error:
            raise InputError(field, value, f"{_ADVICE}; {error.remedy}") from None
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return ReadAnswer(rational(value, field), "", "exact")
    return _foreign(value, field)


def _foreign(value: object, field: str) -> ReadAnswer:
    """A number of another type (Decimal, NumPy's, a tensor of one entry), never rounded; else InputError."""
    if isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool"):
        raise InputError(field, value, _ADVICE)
    if isinstance(value, Decimal) and value.is_finite():
        return ReadAnswer(rational(str(value), field), "", "exact")
    try:
        exact = _exactly(value)
        if exact is not None:
            return ReadAnswer(exact, "", "exact")
        double = float(value)  # type: ignore[arg-type]
        kept = not math.isfinite(double) or bool(value == double)
    except Exception:  # what a foreign type raises when it is asked for its value is not known here
        raise InputError(field, value, _ADVICE) from None
    if not kept:
        raise InputError(field, value, f"a double would round it, or it cannot be compared with one; {_ADVICE}")
    return read_answer(double, field)


def _exactly(value: Any) -> Fraction | None:
    """The value of a type that tells it in whole numbers; None where it does not, or is infinite or no number."""
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if hasattr(value, "__index__"):
        with contextlib.suppress(TypeError):  # a tensor has it, and refuses where it is no whole number
            return Fraction(operator.index(value))
    if hasattr(value, "as_integer_ratio"):
        with contextlib.suppress(ValueError, OverflowError):
            numerator, denominator = value.as_integer_ratio()
            return Fraction(int(numerator), int(denominator))
    return None


def read_lines(text: str) -> dict[str, ReadAnswer]:
    """Answers in JSON lines: an object with the case's ``id`` and the ``answer`` on each line.

    A JSON number stands for the double that every JSON reader makes of it, whole numbers included. An answer that
    cannot be read is "unreadable", which every case's judgement calls a misfit.
    """
    require_text(text, "answers", "give the text of JSON lines")
    answers: dict[str, ReadAnswer] = {}
    # JSON lines end in LF (or CR LF): a string may hold the other characters at which Python splits, U+2028 among them.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            entry = json.loads(line, parse_int=float, object_pairs_hook=partial(_object, place=place))
            documents.require_shallow(entry, place)
        except InputError:
            raise
        except (json.JSONDecodeError, RecursionError):
            raise InputError(place, line, 'give one JSON object {"id": …, "answer": …} on each line') from None
        if not isinstance(entry, Mapping) or set(entry) != {"id", "answer"} or not isinstance(entry["id"], str):
            raise InputError(place, line, 'give one JSON object {"id": …, "answer": …} on each line')
        if entry["id"] in answers:
            raise InputError(f"{place}.id", entry["id"], "this case is answered twice; keep one answer")
        answers[entry["id"]] = _read_or_told(entry["answer"], f"{place}.answer")
    if not answers:
        raise InputError("answers", "(none)", "give at least one line")
    return answers


def _read_or_told(value: object, field: str) -> ReadAnswer:
    """The answer; one that cannot be read is judged as such, and the answers alongside it are judged all the same."""
    try:
        return read_answer(value, field)
    except InputError as error:
        text = value if isinstance(value, str) else json.dumps(value)
        return ReadAnswer(None, one_line(text[:80]), "unreadable", error.remedy)


def _object(pairs: list[tuple[str, Any]], place: str) -> dict[str, Any]:
    """The object of these pairs; InputError for a key that stands twice, of which readers keep either."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"{place}.{key}", value, "this key stands twice in one object; keep one")
        found[key] = value
    return found
