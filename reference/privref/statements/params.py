"""What a statement takes: named exact inputs with a shape and a domain, read and checked before anything runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from privref.exact import decide
from privref.exact.errors import InputError
from privref.exact.numbers import count, rational, spell

#: Equal values written once with how often they occur; the order of rounds does not matter to the statement.
Multiset = Sequence[tuple[Fraction, int]]


@dataclass(frozen=True, slots=True)
class Domain:
    """A set of rationals: its description completes the sentence "give …"."""

    description: str
    contains: Callable[[Fraction], bool]


def _below_inverse_e(x: Fraction) -> bool:
    # x = 1/e never holds for a rational, so the comparison always ends.
    return x > 0 and decide.exceeds(lambda ar: ar.log(1 / x), lambda ar: 1, decide.engine("arb"))


REAL = Domain("a number", lambda x: True)
NON_NEGATIVE = Domain("a number >= 0", lambda x: x >= 0)
POSITIVE = Domain("a number > 0", lambda x: x > 0)
PROBABILITY = Domain("a number in [0, 1]", lambda x: 0 <= x <= 1)
POSITIVE_PROBABILITY = Domain("a number in (0, 1]", lambda x: 0 < x <= 1)
OPEN_PROBABILITY = Domain("a number in (0, 1)", lambda x: 0 < x < 1)
PROPER_PROBABILITY = Domain("a number in [0, 1)", lambda x: 0 <= x < 1)
BELOW_INVERSE_E = Domain("a number in (0, 1/e)", _below_inverse_e)
AT_LEAST_ONE = Domain("a number >= 1", lambda x: x >= 1)
AT_LEAST_TWO = Domain("a number >= 2", lambda x: x >= 2)
ABOVE_ONE = Domain("a number > 1", lambda x: x > 1)

ParamShape = Literal["one", "sequence", "multiset", "whole", "wholes", "flag", "choice", "mechanisms"]


@dataclass(frozen=True, slots=True)
class Param:
    """One named input of a statement."""

    name: str
    shape: ParamShape
    domain: Domain = REAL
    least: int = 0
    most: int | None = None
    options: tuple[str, ...] = ()

    def read(self, value: object) -> object:
        """The checked exact value; InputError with the input's name where it is not one."""
        if self.shape == "one":
            return self._one(value, self.name)
        if self.shape == "whole":
            return count(value, self.name, least=self.least, most=self.most)
        if self.shape == "flag":
            return self._flag(value)
        if self.shape == "choice":
            if value not in self.options:
                raise InputError(self.name, value, f"give one of {', '.join(self.options)}")
            return value
        items = self._items(value)
        if self.shape == "wholes":
            return tuple(count(item, f"{self.name}[{i}]", least=self.least) for i, item in enumerate(items))
        if self.shape == "multiset":
            return self._multiset(items)
        return tuple(self._one(item, f"{self.name}[{i}]") for i, item in enumerate(items))

    def spell(self, value: Any) -> object:
        """The JSON form of a checked value, which ``read`` takes back."""
        match self.shape:
            case "one":
                return spell(value)
            case "sequence":
                return [spell(item) for item in value]
            case "multiset":
                return [{"value": spell(item), "count": times} for item, times in value]
            case "wholes":
                return list(value)
            case _:
                return value

    def _one(self, value: object, field: str) -> Fraction:
        number = rational(value, field)
        if not self.domain.contains(number):
            raise InputError(field, value, f"give {self.domain.description}")
        return number

    def _multiset(self, items: Sequence[object]) -> Multiset:
        counter: Counter[Fraction] = Counter()
        for i, item in enumerate(items):
            field, times = f"{self.name}[{i}]", 1
            if isinstance(item, Mapping):
                if set(item) != {"value", "count"}:
                    raise InputError(field, ", ".join(map(str, item)), "give a number, or an object of value and count")
                item, times = item["value"], count(item["count"], f"{field}.count", least=1)
            counter[self._one(item, field)] += times
        return tuple(counter.items())

    def _flag(self, value: object) -> bool:
        known = {"True": True, "true": True, "False": False, "false": False}
        if isinstance(value, bool):
            return value
        if not isinstance(value, str) or value not in known:
            raise InputError(self.name, value, 'give "true" or "false"')
        return known[value]

    def _items(self, value: object) -> Sequence[object]:
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            raise InputError(self.name, value, "give a list")
        return value

    @property
    def description(self) -> str:
        """How ``privref explain`` shows the input."""
        return {
            "one": self.domain.description,
            "sequence": f"a list, in order, each {self.domain.description}",
            "multiset": f"a list (numbers, or objects of value and count), each {self.domain.description}",
            "whole": f"a whole number >= {self.least}" + ("" if self.most is None else f" and <= {self.most}"),
            "wholes": f"a list of whole numbers >= {self.least}",
            "flag": "true or false",
            "choice": f"one of {', '.join(self.options)}",
        }[self.shape]


def one(name: str, domain: Domain = NON_NEGATIVE) -> Param:
    """A single rational."""
    return Param(name, "one", domain)


def sequence(name: str, domain: Domain = NON_NEGATIVE) -> Param:
    """An ordered list of rationals."""
    return Param(name, "sequence", domain)


def multiset(name: str, domain: Domain = NON_NEGATIVE) -> Param:
    """A list of rationals whose order does not matter: the function gets (value, count) pairs."""
    return Param(name, "multiset", domain)


def whole(name: str, least: int = 0, most: int | None = None) -> Param:
    """A whole number."""
    return Param(name, "whole", least=least, most=most)


def wholes(name: str, least: int = 0) -> Param:
    """A list of whole numbers."""
    return Param(name, "wholes", least=least)


def flag(name: str) -> Param:
    """True or false."""
    return Param(name, "flag")


def choice(name: str, *options: str) -> Param:
    """One of a few words."""
    return Param(name, "choice", options=options)
