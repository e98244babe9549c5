"""What a statement takes: named exact inputs with a shape and a domain, read and checked before anything runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from privref.exact import decide
from privref.exact.arithmetic import Scalar
from privref.exact.errors import InputError, RegistrationError
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


class Whole(NamedTuple):
    """Between which ends a whole number lies."""

    least: int = 0
    most: int | None = None


#: The types of a statement's parameters: they say which inputs it takes.
AnyNumber = Annotated[Fraction, REAL]
Positive = Annotated[Fraction, POSITIVE]
Probability = Annotated[Fraction, PROBABILITY]
PositiveProbability = Annotated[Fraction, POSITIVE_PROBABILITY]
OpenProbability = Annotated[Fraction, OPEN_PROBABILITY]
ProperProbability = Annotated[Fraction, PROPER_PROBABILITY]
BelowInverseE = Annotated[Fraction, BELOW_INVERSE_E]
AtLeastOne = Annotated[Fraction, AT_LEAST_ONE]
AtLeastTwo = Annotated[Fraction, AT_LEAST_TWO]
AboveOne = Annotated[Fraction, ABOVE_ONE]
Count = Annotated[int, Whole(1)]
Probabilities = Annotated[Multiset, PROBABILITY]
ProperProbabilities = Annotated[Multiset, PROPER_PROBABILITY]

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


def choice(*options: str) -> Param:
    """One of a few words; the name is that of the function's parameter."""
    return Param("", "choice", options=options)


def declared(name: str, hint: Any) -> Param:
    """The input that a parameter's type declares; RegistrationError where it is none of these.

    A ``Fraction`` is at least 0 if no domain is annotated; of ``Sequence[Probability]`` each item is in [0, 1], and of
    a ``Multiset`` with a domain each value.
    """
    base, note = (*get_args(hint), None)[:2] if get_origin(hint) is Annotated else (hint, None)
    if isinstance(note, Param):
        return replace(note, name=name)
    if base is bool:
        return Param(name, "flag")
    if base is int:
        limits = note or Whole()
        return Param(name, "whole", least=limits.least, most=limits.most)
    if base in (Fraction, Scalar):
        return one(name, note or NON_NEGATIVE)
    if base == Multiset:
        return Param(name, "multiset", note or NON_NEGATIVE)
    if get_origin(base) in (Sequence, tuple):
        item = declared(name, get_args(base)[0])
        return replace(item, shape="wholes" if item.shape == "whole" else "sequence")
    raise RegistrationError(f"{name}: no statement takes a {hint}")
