"""Exact privacy losses: a rational plus a rational combination of logarithms of primes.

Losses and epsilons of finite mechanisms are sums of log(p/q) with rational p/q, or rational multiples of a common
step. 1 and the logarithms of primes are linearly independent over the rationals (a non-trivial combination of the
logarithms is, times an integer, the logarithm of a rational other than 1, hence transcendental), so equality is
decided by comparing coefficients, and the sign of an unequal pair always comes out of the precision ladder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from . import decide
from .arithmetic import Arithmetic, Scalar
from .errors import InputError
from .numbers import rational, spell

_TRIAL_LIMIT = 1_000_000
#: ``rational_exp`` gives up where the power would have more bits than this.
_EXPONENT_BITS = 200_000
_TERM = re.compile(r"(?:(?P<times>[^*]+)\*)?log\((?P<inside>[^()]+)\)\Z")


@dataclass(frozen=True, slots=True)
class LogForm:
    """``constant`` + sum of ``coefficient * log(prime)``; immutable, hashable, equal exactly when the values are."""

    constant: Fraction = Fraction(0)
    logs: tuple[tuple[int, Fraction], ...] = ()

    @staticmethod
    def of(value: Fraction | int) -> LogForm:
        """A rational."""
        return LogForm(Fraction(value))

    @staticmethod
    def log(value: Fraction) -> LogForm:
        """The logarithm of a positive rational."""
        if value <= 0:
            raise InputError("log", str(value), "give a positive number")
        powers = [(prime, Fraction(power)) for prime, power in _factors(value.numerator)]
        powers += [(prime, Fraction(-power)) for prime, power in _factors(value.denominator)]
        return LogForm(Fraction(0), tuple(sorted(powers)))

    def __add__(self, other: LogForm) -> LogForm:
        if not other.logs:
            return LogForm(self.constant + other.constant, self.logs)
        merged = dict(self.logs)
        for prime, coefficient in other.logs:
            merged[prime] = merged.get(prime, Fraction(0)) + coefficient
        kept = tuple(sorted((prime, c) for prime, c in merged.items() if c))
        return LogForm(self.constant + other.constant, kept)

    def __neg__(self) -> LogForm:
        return self.scaled(Fraction(-1))

    def __sub__(self, other: LogForm) -> LogForm:
        return self + (-other)

    def scaled(self, factor: Fraction) -> LogForm:
        """The value times a rational."""
        if not factor:
            return LogForm()
        return LogForm(self.constant * factor, tuple((prime, c * factor) for prime, c in self.logs))

    @property
    def is_zero(self) -> bool:
        return not self.constant and not self.logs

    @property
    def rational(self) -> Fraction | None:
        """The value where it is rational, else None."""
        return None if self.logs else self.constant

    def rational_exp(self) -> Fraction | None:
        """e to this value where that is rational (and not too long to write down), else None."""
        if self.constant or any(c.denominator != 1 for _, c in self.logs):
            return None
        if sum(prime.bit_length() * abs(c) for prime, c in self.logs) > _EXPONENT_BITS:
            return None
        result = Fraction(1)
        for prime, c in self.logs:
            result *= Fraction(prime) ** c.numerator
        return result

    def evaluate(self, ar: Arithmetic) -> Scalar:
        """The value in an arithmetic; rationals stay exact."""
        if not self.logs:
            return self.constant
        return ar.sum([self.constant, *(ar.log(Fraction(prime)) * c for prime, c in self.logs)])

    def exp(self, ar: Arithmetic) -> Scalar:
        """e to this value in an arithmetic; exact where it is rational."""
        known = self.rational_exp()
        return known if known is not None else ar.exp(self.evaluate(ar))

    def sign(self) -> Literal[-1, 0, 1]:
        """The certain sign. It terminates: a form that is not zero has a value that is not zero."""
        if not self.logs:
            return 0 if not self.constant else 1 if self.constant > 0 else -1
        return _sign(self)

    def spell(self) -> str:
        """The spelling that ``read_log_form`` takes back."""
        whole = self.rational_exp()
        if self.logs and whole is not None:
            return f"log({spell(whole)})"
        if not self.logs:
            return spell(self.constant)
        if not self.constant:
            scale = Fraction(1, max(c.denominator for _, c in self.logs))
            inside = self.scaled(1 / scale).rational_exp()
            if inside is not None:
                return f"{spell(scale)}*log({spell(inside)})"
        terms = [] if not self.constant else [spell(self.constant)]
        return "+".join(terms + [f"{spell(c)}*log({prime})" for prime, c in self.logs])


@cache
def _sign(form: LogForm) -> Literal[-1, 0, 1]:
    return decide.sign(form.evaluate, decide.engine("arb"))


@cache
def _factors(number: int) -> tuple[tuple[int, int], ...]:
    """The prime factorisation of a positive integer."""
    found: list[tuple[int, int]] = []
    prime = 2
    while prime * prime <= number and prime < _TRIAL_LIMIT:
        power = 0
        while number % prime == 0:
            number, power = number // prime, power + 1
        if power:
            found.append((prime, power))
        prime += 1 if prime == 2 else 2
    if number == 1:
        return tuple(found)
    if prime * prime > number:
        return (*found, (number, 1))
    raise InputError("log", f"a number with the factor {number}", "its prime factors are too large; give a rational")


def log_form(value: object, field: str = "value") -> LogForm:
    """Read a number that may be a logarithm: ``1/10``, ``log(3/2)``, ``2*log(3/2)``, or a ``+`` of those."""
    if isinstance(value, LogForm):
        return value
    if not isinstance(value, str) or "log" not in value:
        return LogForm.of(rational(value, field))
    total = LogForm()
    for term in value.replace(" ", "").split("+"):
        match = _TERM.match(term)
        if match is None:
            total += LogForm.of(rational(term, field))
            continue
        inside = rational(match["inside"], field)
        if inside <= 0:
            raise InputError(field, value, "a logarithm needs a positive number")
        total += LogForm.log(inside).scaled(rational(match["times"] or "1", field))
    return total


def total(forms: Iterable[LogForm]) -> LogForm:
    """The exact sum."""
    result = LogForm()
    for form in forms:
        result += form
    return result
