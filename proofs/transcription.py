"""What a transcription file declares. This module and the files that use it do not import privref."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol

import sympy as sp

#: ``identical``: SymPy proves code minus transcription to be zero on symbols that range over the whole domain.
#: ``cases``: the same for lists and whole numbers up to a stated size, all real inputs still symbols.
#: ``property``: no closed form; the equation or inequality that defines the value is proved of the code.
#: ``grid``: an algorithm compared exactly with the paper's definition on a stated finite set of rational inputs.
Status = Literal["identical", "cases", "property", "grid"]


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


@dataclass(frozen=True)
class Property:
    """A check of the code against the property that defines the statement's value; it raises AssertionError."""

    id: str
    check: Callable[[Code], None]
    covers: str
    status: Status = "property"


Proof = Transcription | Property


def rounds(name: str, size: int, *, lowest: str = "nonnegative") -> tuple[tuple[sp.Symbol, sp.Symbol], ...]:
    """``size`` symbolic values, each with a symbolic multiplicity: a list of any length with that many values."""
    return tuple(
        (sp.Symbol(f"{name}{i}", **{lowest: True}), sp.Symbol(f"c{i}", integer=True, positive=True))
        for i in range(size)
    )


def total(terms: Any) -> Any:
    """The sum of the terms as an expression; 0 for none."""
    return sp.Add(*terms)


def proper_fraction(name: str) -> Any:
    """A symbol expression that takes every value in (0, 1) and nothing else: t/(1+t), t > 0."""
    t = sp.Symbol(name, positive=True)
    return t / (1 + t)


def vanishes(difference: Any) -> bool:
    """Whether SymPy proves an expression to be identically zero."""
    expression = sp.sympify(difference)
    for step in (
        lambda e: e,
        sp.expand,
        lambda e: sp.expand(sp.together(_rational(e))),
        lambda e: sp.simplify(_rational(e)),
        lambda e: sp.simplify(_radicals(_rational(e))),
    ):
        if step(expression) == 0:
            return True
    return False


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
