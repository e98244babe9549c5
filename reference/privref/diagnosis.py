"""Is this installation sound? Versions, and a self-test of both engines against each other and against known values."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from fractions import Fraction

from .exact import decide, interval, second
from .exact.enclosure import Enclosure

#: Decimals of exp(-525912/1048576), where an interval exponential is known to have missed the true value.
_HARD_EXP = (Fraction("0.605592"), Fraction("0.605593"))


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Versions, and the self-tests with whether each passed."""

    versions: dict[str, str]
    tests: tuple[tuple[str, bool], ...]

    @property
    def sound(self) -> bool:
        return bool(self.tests) and all(passed for _, passed in self.tests)


def _agree(formula: decide.Formula, low: Fraction, high: Fraction) -> bool:
    found = [decide.enclose(formula, decide.engine(name), Fraction(1, 10**60)) for name in decide.ENGINES]
    common: Enclosure | None = found[0].intersection(found[1])
    return common is not None and low < common.lower and common.upper < high


def doctor() -> Diagnosis:
    """Versions of everything that a number passes through, and the engines' self-test."""
    from importlib.metadata import version
    from importlib.util import find_spec

    expressions = version("sympy") if find_spec("sympy") else "not installed (only the proofs need it)"
    tests = (
        (
            "exp(-525912/1048576), both engines to 60 digits",
            _agree(lambda ar: ar.exp(Fraction(-525912, 1048576)), *_HARD_EXP),
        ),
        ("log(3), both engines to 60 digits", _agree(lambda ar: ar.log(3), Fraction("1.09861"), Fraction("1.09862"))),
        (
            "the normal tail at -10, both engines to 60 digits",
            _agree(lambda ar: ar.normal_cdf(-10), Fraction("7.6198e-24"), Fraction("7.6199e-24")),
        ),
        (
            "1/10 is exact and 0.1 is not",
            Fraction("0.1") * 10 == 1 and Fraction(0.1) * 10 != 1,
        ),
    )
    return Diagnosis(
        {
            "privref": version("privref"),
            "python": platform.python_version(),
            "system": platform.platform(),
            **interval.versions(),
            **second.versions(),
            "sympy": expressions,
        },
        tests,
    )
