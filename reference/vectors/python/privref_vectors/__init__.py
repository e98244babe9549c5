"""Golden vectors for differential-privacy accountants, without a dependency.

>>> import privref_vectors
>>> case = privref_vectors.cases("whitehouse2023/lem1.dp2zcdp.rho")[0]
>>> privref_vectors.judge(case, float("nan"))
'unsound'
"""

from __future__ import annotations

import json
import struct
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["cases", "changes", "double", "judge", "statements"]
__version__ = "0.0.0"

FOLDER = Path(__file__).parent


@cache
def _document() -> dict[str, Any]:
    return dict(json.loads((FOLDER / "vectors.json").read_text(encoding="utf-8")))


def cases(statement: str | None = None) -> list[dict[str, Any]]:
    """Return all cases, or those of one statement; KeyError for a statement without cases."""
    found = [case for case in _document()["cases"] if statement in (None, case["statement"])]
    if not found:
        raise KeyError(f"no case of the statement {statement!r}; statements() lists those that have cases")
    return found


def statements() -> list[str]:
    """Return the statements that have cases, in order."""
    return list(dict.fromkeys(case["statement"] for case in _document()["cases"]))


def double(bits: str) -> float:
    """Return the double of 16 hexadecimal digits, most significant first."""
    return float(struct.unpack(">d", bytes.fromhex(bits))[0])


def _place(value: float) -> int:
    """Return the place of a double among the doubles in order: neighbours differ by 1."""
    bits: int = struct.unpack(">q", struct.pack(">d", value))[0]
    return -(bits & (2**63 - 1)) if bits < 0 else bits


def judge(case: dict[str, Any], answer: object, ulps: int = 4) -> str:
    """Judge one answer in doubles: ``within``, ``sound``, ``rounding``, ``unsound``, ``vacuous`` or ``refused``.

    ``answer`` is a float (an infinity is one), a word such as ``"HALT"``, or None for a refusal. ``rounding`` is on the
    unsafe side by at most ``ulps`` units in the last place, which is not sound; ``vacuous`` is infinite, and promises
    nothing. ValueError where no double can say what
    the case is about (``expected_binary64`` is null).
    """
    expected = case["expected_binary64"]
    if expected is None:
        raise ValueError(f"{case['id']}: no double can say this case; compare with `expected`")
    if answer is None:
        return "within" if "refused" in expected else "refused"
    if "word" in expected:
        return "within" if answer == expected["word"] or str(answer) == expected["word"] else "unsound"
    if "refused" in expected:
        # What promises nothing is as good as a refusal.
        return "within" if answer == "HALT" or (case["safe"], answer) == ("above", float("inf")) else "unsound"
    if not isinstance(answer, (int, float)) or answer != answer:
        return "unsound"
    low, high, here = _place(double(expected["lower"])), _place(double(expected["upper"])), _place(float(answer))
    if low <= here <= high:
        return "within"
    short = here - high if case["safe"] == "below" else low - here
    if short < 0 and case["safe"] != "neither":
        return "vacuous" if answer in (float("inf"), float("-inf")) else "sound"
    return "rounding" if (here - high if short < 0 else short) <= ulps else "unsound"


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[dict[str, str]]:
    """Return how the cases of two releases differ, case by case."""
    from .compare import changes as compared

    return compared(old, new)
