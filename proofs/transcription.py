"""What a transcription file declares. This module and the files that use it do not import privref."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Literal, Protocol

import sympy as sp

from . import rational

#: ``identical``: SymPy proves code minus transcription to be zero on symbols that range over the whole domain.
#:   Where the paper defines the value by an infimum or an inequality and the code brackets a root, the root is a
#:   symbol: SymPy proves that it is the root of the paper's equation, which has no other, and that the value at it is
#:   the paper's.
#: ``enclosed``: the same, but SymPy does not see that there is no other root; signs that settle it are proved by
#:   intervals on a cover of their whole domain, with limits at its ends.
#: ``cases``: as ``identical`` for lists and whole numbers up to a stated size, all real inputs still symbols.
#: ``property``: no closed form; the equation or inequality that defines the value is proved of the code.
#: ``grid``: an algorithm compared exactly with the paper's definition on a stated finite set of rational inputs. It
#:   stays one where the code computes in integers (numerators, a lattice of losses) or searches, and takes no symbols.
Status = Literal["identical", "enclosed", "cases", "property", "grid"]


class ProofError(AssertionError):
    """A transcription and the code disagree, or neither SymPy nor the intervals can tell."""


@dataclass(frozen=True)
class Transcription:
    """The paper's formula or rule as a function of the same inputs as the statement of that id.

    ``cases`` are the inputs it is compared on, mostly symbols. Comparisons between symbols may occur on both sides:
    the harness explores every outcome (below, tie, above) of every comparison that either side makes.
    """

    id: str
    value: Callable[..., Any]
    cases: tuple[Mapping[str, Any], ...]
    covers: str
    status: Status = "identical"


class Code(Protocol):
    """The running function, as a property's check sees it."""

    name: str

    def symbolic(self, **inputs: Any) -> Any: ...
    def exact(self, **inputs: Any) -> Any: ...
    def refuses(self, **inputs: Any) -> bool: ...
    def enclosed(self, digits: int, **inputs: Any) -> tuple[Fraction, Fraction]: ...
    def helper(self, name: str) -> Callable[..., Any]: ...
    def positive(self, claim: Claim) -> int: ...


@dataclass(frozen=True)
class Property:
    """A check of the code against the property that defines the statement's value; it raises AssertionError."""

    id: str
    check: Callable[[Code], None]
    covers: str
    status: Status = "property"


@dataclass(frozen=True)
class Chart:
    """Part of a claim's domain: the image of a closed box of coordinates.

    Each variable increases with one coordinate of its own. Where the image of an edge is 0 or infinity, ``product``
    spells the factor times the quantity in a form that is continuous there, which is then its limit.
    """

    box: Mapping[sp.Symbol, tuple[Fraction, Fraction]]
    image: Mapping[sp.Symbol, Any]
    factor: Any = sp.S.One
    product: Any = None


@dataclass(frozen=True)
class Tail:
    """The rest of one variable's domain from ``start`` to ``end`` = oo or -oo: a positive factor times the quantity
    moves one way there, so that its value at the start or its limit at the end is its infimum.
    """

    variable: sp.Symbol
    start: Any
    end: Any
    factor: Any = sp.S.One


@dataclass(frozen=True)
class Claim:
    """``quantity`` > 0 wherever each variable lies within its ends, which may be infinite; the parts cover that."""

    says: str
    quantity: Any
    domain: Mapping[sp.Symbol, tuple[Any, Any]]
    parts: tuple[Chart | Tail, ...]


@dataclass(frozen=True)
class At:
    """A positive number: the quantity of a claim at one point of its domain."""

    claim: Claim
    point: Mapping[sp.Symbol, Any]

    @property
    def expression(self) -> Any:
        return self.claim.quantity.subs(self.point)


@dataclass(frozen=True)
class Drop:
    """A positive number: scale (m(first) - m(second)), where m falls (-m' = weight times a claim's quantity)."""

    claim: Claim
    weight: Any
    falling: Any
    first: Any
    second: Any
    scale: Any

    @property
    def expression(self) -> Any:
        (z,) = self.claim.domain
        return self.scale * (self.falling.subs(z, self.first) - self.falling.subs(z, self.second))


@dataclass(frozen=True)
class Sum:
    """A positive number: a sum of products of positive factors."""

    products: tuple[tuple[Any, ...], ...]

    @property
    def expression(self) -> Any:
        return sp.Add(*(sp.prod([getattr(f, "expression", f) for f in factors]) for factors in self.products))


@dataclass(frozen=True)
class Root:
    """A value that the paper defines by an inequality or an infimum, and whose code brackets the root of a function.

    ``value(root, **inputs)`` is the paper's rule; ``root(function)`` in it is the zero of an increasing function, the
    same symbol as the code's if both functions are the same. ``unknown`` ranges over where the root may lie, in terms
    of one positive symbol. ``slope(unknown, **inputs)`` gives the factors above and below the line of the function's
    derivative where SymPy alone does not see its sign (with a claim among them the status is not ``identical``);
    ``abbreviated(**inputs)`` is a positive expression that may be any positive number for that purpose.
    """

    id: str
    value: Callable[..., Any]
    unknown: Any
    cases: tuple[Mapping[str, Any], ...]
    covers: str
    slope: Callable[..., tuple[tuple[Any, ...], tuple[Any, ...]]] | None = None
    abbreviated: Callable[..., Any] | None = None
    status: Status = "identical"


Proof = Transcription | Property | Root


def rounds(name: str, size: int, *, lowest: str = "nonnegative") -> tuple[tuple[sp.Symbol, sp.Symbol], ...]:
    """``size`` symbolic values, each with a symbolic multiplicity: a list of any length with that many values."""
    return tuple(
        (sp.Symbol(f"{name}{i}", **{lowest: True}), sp.Symbol(f"c{i}", integer=True, positive=True))
        for i in range(size)
    )


def listed(name: str, size: int) -> tuple[sp.Symbol, ...]:
    """That many symbols >= 0."""
    return tuple(sp.Symbol(f"{name}{i}", nonnegative=True) for i in range(size))


def phi(z: Any) -> Any:
    """The standard normal distribution function."""
    return (1 + sp.erf(z / sp.sqrt(2))) / 2


def total(terms: Any) -> Any:
    """The sum of the terms as an expression; 0 for none."""
    return sp.Add(*terms)


def proper_fraction(name: str) -> Any:
    """A symbol expression that takes every value in (0, 1) and nothing else: t/(1+t), t > 0."""
    t = sp.Symbol(name, positive=True)
    return t / (1 + t)


def vanishes(difference: Any) -> bool:
    """Whether SymPy proves an expression to be identically zero.

    What is not zero at a point of its symbols' range is refused there, before the simplifiers, which may take minutes.
    """
    expression = sp.sympify(difference)
    if rational.is_zero(_rational(expression)) or sp.expand(expression) == 0:
        return True
    if rational.is_rational(expression) or _differs_somewhere(expression):
        return False
    for step in (
        lambda e: sp.expand(sp.together(_rational(e))),
        lambda e: sp.simplify(_rational(e)),
        lambda e: sp.simplify(_radicals(_rational(e))),
    ):
        if step(expression) == 0:
            return True
    return False


def _differs_somewhere(expression: Any) -> bool:
    """Whether the expression is a number other than 0, by 1e-15 at 30 digits, at one point within the assumptions."""
    if expression.has(sp.Integral, sp.Sum, sp.Derivative):
        return False
    random = Random(2016)
    point = {}
    for symbol in sorted(expression.free_symbols, key=str):
        value = random.randint(2, 5) if symbol.is_integer else sp.Rational(random.randint(101, 297), 199)
        point[symbol] = -value if symbol.is_nonpositive else value
    try:
        value = sp.N(expression.subs(point), 30)
    except (TypeError, ValueError, ArithmeticError):
        return False
    return bool(value.is_Float or value.is_Integer) and bool(abs(value) > sp.Float("1e-15"))


def _rational(expression: Any) -> Any:
    """Hyperbolic functions in terms of exp, which makes most of our formulas rational in a few generators."""
    return sp.powsimp(expression.rewrite(sp.exp)) if expression.has(sp.tanh, sp.cosh, sp.sinh) else expression


def _radicals(expression: Any) -> Any:
    """Each radicand, logarithm's argument and maximum's argument brought to one normal form, innermost first."""

    def normal(e: Any) -> Any:
        return sp.factor(sp.expand(sp.together(e)))

    expression = expression.replace(lambda e: isinstance(e, sp.log), lambda e: sp.expand_log(sp.log(normal(e.args[0]))))
    expression = expression.replace(
        lambda e: isinstance(e, sp.Max | sp.Min), lambda e: e.func(*(sp.simplify(a) for a in e.args))
    )
    return expression.replace(lambda e: e.is_Pow and e.exp == sp.S.Half, lambda e: sp.sqrt(normal(e.base)))
