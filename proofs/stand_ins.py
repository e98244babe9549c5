"""Definitions that stand in for what takes no symbols: exact sums, readers, spellings and caches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import sympy as sp

from privref.composition.optdel import Threshold
from privref.exact.seams import SEAMS, standing_in


def defined_sum(pairs: Iterable[tuple[Any, Any]], power: int = 1) -> Any:
    """What ``weighted_sum`` is by definition."""
    return sum((value**power * times for value, times in pairs), Fraction(0))


def defined_rest(deltas: Iterable[tuple[Any, int]], delta_g: Any) -> Any:
    """What the finite losses have of delta_g, by definition; the code first asks whether it is too long to write."""
    return 1 - (1 - delta_g) / sp.prod([(1 - delta) ** times for delta, times in deltas])


def defined_ratio(numerator: Any, denominator: Any) -> Any:
    """What was computed in integers from numerators, or with symbols from the values themselves."""
    symbols = isinstance(numerator, sp.Expr) or isinstance(denominator, sp.Expr)
    return numerator / sp.sympify(denominator) if symbols else Fraction(numerator, denominator)


def undecided_plan(x: Any, delta: Any, k: Sequence[int], Y: Any, bits: int) -> tuple[Any, ...]:  # noqa: N803
    """A pass that leaves the optimal rule open at every place, so that all of it is settled by the exact comparison."""
    return tuple(Threshold(rounds, 0, None) for rounds in k)


def _symbol_or(reader: Callable[..., Any], symbolic: Callable[[Any], Any]) -> Callable[..., Any]:
    def read(value: Any, *more: Any) -> Any:
        first = value[0] if isinstance(value, tuple) and value else value
        return symbolic(value) if isinstance(first, sp.Expr) else reader(value, *more)

    return read


def definitions() -> dict[str, Callable[..., Any]]:
    """The stand-ins by seam.

    The definition of the exact sum, which is optimised for Fractions; that the two agree on rationals is a contract of
    its own (proofs/test_contracts.py). Symbols where numbers are read, checked and spelled: as they are, unchecked, and
    in expanded form; laws that are not checked to sum to 1 are all measures, which proves more. And no cache: what is
    remembered of one path's comparisons must not be found on another. What may be too long to write down, written.
    """
    symbolic: dict[str, Callable[[Any], Any]] = {
        "guarantees.output_dp.cost": lambda value: value,
        "guarantees.pointwise.check_laws": lambda law: None,
        "adaptive.output_dp.spelled": lambda value: str(sp.expand(value)),
        "exact.numbers.parts": lambda value: (value, 1),
    }
    found = {name: _symbol_or(SEAMS[name], reader) for name, reader in symbolic.items()}
    cached: Any = SEAMS["composition.heterogeneous.ways_to_lose"]
    return found | {
        "composition.heterogeneous.exact_rest": defined_rest,
        "exact.numbers.weighted_sum": defined_sum,
        "exact.numbers.ratio": defined_ratio,
        "composition.optdel.plan": undecided_plan,
        "composition.heterogeneous.ways_to_lose": cached.__wrapped__,
    }


@contextmanager
def on_symbols() -> Iterator[None]:
    """Let the package's functions run on symbols."""
    with standing_in(definitions()):
        yield
