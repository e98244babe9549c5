"""Runs a function once for every outcome of its comparisons.

Inside ``exploring`` the truth of a SymPy relation is asked of an oracle, which tries below, tie and above for each
quantity whose sign matters and answers the same quantity the same way, to the code and to the transcription alike. A
path that no real input can take costs time and proves a little more than is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import FrameType
from typing import Any
from unittest.mock import patch

import sympy as sp
from sympy.core.relational import Ge, Gt, Le, Lt, Relational

from .algebra import canonical, possible, remainder
from .folders import PAPERS
from .transcription import ProofError

_MAX_PATHS = 20_000
#: Where an equality between symbols is a question of the code or of a transcription.
_ASKING = ("privref.", *(f"proofs.{paper}." for paper in PAPERS))


class Oracle:
    """Answers signs; the first ``len(script)`` new quantities as scripted, the others by their first option."""

    def __init__(self, script: tuple[int, ...]) -> None:
        self.script = script
        self.signs: dict[Any, int] = {}
        self.options: list[list[int]] = []

    def sign(self, expression: Any) -> int:
        key, factor = canonical(expression)
        if key not in self.signs and self.ties:
            # Where earlier quantities tie, they are zero: what remains may be one whose sign is known.
            rest, turned = self._reduced(key)
            if rest == 0:
                return 0
            key, factor = rest, factor * turned
            for known, sign in self.signs.items():
                reduced, side = self._reduced(known)
                if sign and reduced == key:
                    return factor * side * sign
        if key not in self.signs:
            options = possible(key)
            if len(options) == 1:
                return factor * options[0]
            position = len(self.signs)
            self.options.append(options)
            self.signs[key] = self.script[position] if position < len(self.script) else options[0]
        return factor * self.signs[key]

    def may_be_positive(self, expression: Any) -> bool:
        """Whether this path leaves open, or has settled, that the expression is positive."""
        key, factor = canonical(expression)
        if key in self.signs:
            return factor * self.signs[key] > 0
        return 1 in [factor * sign for sign in possible(key)]

    def _reduced(self, key: Any) -> tuple[Any, int]:
        return canonical(remainder(key, tuple(self.ties)))

    @property
    def impossible(self) -> bool:
        """Whether the ties of this path contradict, for certain, a sign that it gave before them."""
        if not self.ties:
            return False
        for known, sign in self.signs.items():
            if sign:
                rest, turned = self._reduced(known)
                if rest == 0 or turned * sign not in possible(rest):
                    return True
        return False

    @property
    def ties(self) -> list[Any]:
        """The quantities that are zero on this path."""
        return [key for key, sign in self.signs.items() if sign == 0]

    def truth(self, relation: Relational) -> bool:
        difference = relation.lhs - relation.rhs
        match relation:
            case Gt():
                return self.sign(difference) > 0
            case Ge():
                return self.sign(difference) >= 0
            case Lt():
                return self.sign(difference) < 0
            case Le():
                return self.sign(difference) <= 0
        raise ProofError(f"no rule for the relation {relation}")


@contextmanager
def exploring(oracle: Oracle) -> Iterator[None]:
    """Let relations between symbols, and equalities that the code or a transcription asks, be decided by the oracle."""
    structural = sp.Expr.__eq__

    def equal(left: Any, right: Any) -> bool:
        asked = _asks(sys._getframe(1)) and isinstance(right, (int, Fraction, sp.Expr))
        return oracle.sign(left - _number(right)) == 0 if asked else structural(left, right)

    def unequal(left: Any, right: Any) -> bool:
        asked = _asks(sys._getframe(1)) and isinstance(right, (int, Fraction, sp.Expr))
        return oracle.sign(left - _number(right)) != 0 if asked else structural(left, right) is not True

    with (
        patch.object(Relational, "__bool__", lambda self: oracle.truth(self)),
        patch.object(sp.Expr, "__eq__", equal),
        patch.object(sp.Expr, "__ne__", unequal),
    ):
        yield


def _asks(frame: FrameType) -> bool:
    """Whether an equality stands in the code or in a transcription; elsewhere it is SymPy's own, of the same form."""
    module = frame.f_globals.get("__name__", "")
    return module.startswith(_ASKING)


def _number(value: Any) -> Any:
    return sp.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else value


def paths(run: Callable[[], Any]) -> Iterator[tuple[Any, Oracle]]:
    """The result of ``run`` for every combination of outcomes of the comparisons it makes."""
    return paths_with(lambda oracle: run())


def paths_with(run: Callable[[Oracle], Any]) -> Iterator[tuple[Any, Oracle]]:
    script: tuple[int, ...] = ()
    for _ in range(_MAX_PATHS):
        oracle = Oracle(script)
        with exploring(oracle):
            result = run(oracle)
        yield result, oracle
        taken = list(oracle.signs.values())
        while taken and taken[-1] == oracle.options[len(taken) - 1][-1]:
            taken.pop()
        if not taken:
            return
        options = oracle.options[len(taken) - 1]
        script = (*taken[:-1], options[options.index(taken[-1]) + 1])
    raise ProofError("too many paths: state smaller cases")
