"""Exact state that a machine carries from round to round in constant work: limits to compare with, sums to keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.numbers import LONG, count_divisor, count_sum
from privref.guarantees.model import checked

__all__ = ["BudgetLimit", "ExactSum", "RunningSum", "checked", "exceeds", "plus"]

_LIMIT_BITS = 160
#: Running sums of irrational terms are kept as integers in units of 2^-this.
_SCALE_BITS = 256


def plus(total: Fraction, term: Fraction, count: int) -> Fraction:
    """total + count * term; no greatest common divisor is taken for a zero, nor for a count of one."""
    if not term.numerator:
        return total
    count_sum(total, term)
    return total + (term if count == 1 else count * term)


class ExactSum(NamedTuple):
    """An exact sum over the least common denominator of its terms, so that few steps take a greatest common divisor."""

    numerator: int = 0
    denominator: int = 1

    def plus(self, numerator: int, denominator: int, times: int = 1) -> ExactSum:
        common = self.denominator
        if common.bit_length() > LONG:
            count_divisor(common, denominator)
        more, left = divmod(common, denominator)
        if not left:
            return ExactSum(self.numerator + times * numerator * more, common)
        common = lcm(common, denominator)
        more = times * numerator * (common // denominator)
        return ExactSum(self.numerator * (common // self.denominator) + more, common)

    @property
    def value(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)


def exceeds(total: ExactSum | Fraction, limit: Fraction) -> bool:
    """Whether a sum is more than a limit, in integers."""
    return total.numerator * limit.denominator > limit.numerator * total.denominator


@dataclass(frozen=True, slots=True)
class BudgetLimit:
    """A budget that may be irrational: a certified rational bracket decides, and the formula where it does not."""

    formula: Callable[[Arithmetic], Scalar]
    engine: decide.EngineName
    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, formula: Callable[[Arithmetic], Scalar], engine: decide.EngineName = "arb") -> BudgetLimit:
        """The limit that a formula gives, bracketed once."""
        found = decide.enclose(formula, decide.engine(engine, _LIMIT_BITS), Fraction(1, 2 ** (_LIMIT_BITS // 2)))
        return cls(formula, engine, found.lower, found.upper)

    @classmethod
    def exactly(cls, value: Fraction) -> BudgetLimit:
        """A rational limit."""
        return cls(lambda ar: value, "arb", value, value)

    def admits(self, spent: ExactSum | Fraction) -> bool:
        """Whether ``spent`` is at most the limit: certain, or UndecidedError at the ladder's cap."""
        if not exceeds(spent, self.lower):
            return True
        if exceeds(spent, self.upper):
            return False
        exactly = Fraction(spent.numerator, spent.denominator)
        # Only a request within 2^-80 of an irrational limit comes here; the formulas say why a tie cannot occur.
        return decide.sign(lambda ar: ar.real(self.formula(ar)) - exactly, decide.engine(self.engine)) >= 0


class RunningSum(NamedTuple):
    """A sum of irrational terms between two integers in units of 2^-256: each step adds one unit of width."""

    lower: int = 0
    upper: int = 0

    def plus(self, term: RunningSum, times: int = 1) -> RunningSum:
        return RunningSum(self.lower + times * term.lower, self.upper + times * term.upper)

    @classmethod
    def of(cls, formula: Callable[[Arithmetic], Scalar], engine: decide.EngineName = "arb") -> RunningSum:
        """The enclosure of one term, to about 2^-256: by one evaluation unless the term is too large for that."""
        arithmetic = decide.engine(engine, _SCALE_BITS + 64)
        ends = arithmetic.units_of(formula, _SCALE_BITS)
        if ends is not None and ends[1] - ends[0] <= 2:
            return cls(*ends)
        return cls(*decide.enclose(formula, arithmetic, Fraction(1, 2**_SCALE_BITS)).in_units(_SCALE_BITS))

    def real(self, ar: Arithmetic) -> Real:
        """The sum in an arithmetic."""
        scale = 2**_SCALE_BITS
        return ar.hull(Fraction(self.lower, scale), Fraction(self.upper, scale))
