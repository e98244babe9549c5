"""Formulas in published numbers: values by both engines, which way they move, and where a decision flips."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact.errors import InputError
from privref.exact.numbers import unit_in_last_place
from privref.registry.formulas import direction, enclose, exceeds, flip, moves_one_way

X: dict[str, Any] = {"number": "x"}
AMPLIFIED: dict[str, Any] = {"log": {"sum": ["1", {"product": [X, {"difference": [{"exp": {"number": "e"}}, "1"]}]}]}}


@pytest.mark.parametrize(
    ("text", "unit"),
    [("4.96", Fraction(1, 100)), ("10.0", Fraction(1, 10)), ("5.06e-9", Fraction(1, 10**11)), ("17", Fraction(1))],
)  # fmt: skip
def test_the_last_written_digit_is_the_unit(text: str, unit: Fraction) -> None:
    assert unit_in_last_place(text) == unit


def test_a_fraction_has_no_last_digit() -> None:
    with pytest.raises(InputError):
        unit_in_last_place("1/3")


@given(st.fractions(Fraction(1, 1000), 1), st.fractions(Fraction(1, 100), 10))
def test_an_enclosure_holds_what_doubles_say(q: Fraction, eps: Fraction) -> None:
    found = enclose(AMPLIFIED, {"x": q, "e": eps})
    by_doubles = math.log(1 + float(q) * (math.exp(float(eps)) - 1))
    assert float(found.lower) * (1 - 1e-9) <= by_doubles <= float(found.upper) * (1 + 1e-9)


def test_rational_formulas_are_exact() -> None:
    expression = {"quotient": [{"product": ["0.2", {"sum": ["1/3", X]}]}, "2"]}
    found = enclose(expression, {"x": Fraction(1, 6)})
    assert found.lower == found.upper == Fraction(1, 20)
    assert not exceeds(expression, "0.05", {"x": Fraction(1, 6)})
    assert not exceeds("0.05", expression, {"x": Fraction(1, 6)})


@pytest.mark.parametrize(
    ("expression", "signs"),
    [
        (X, {1}),
        ("2", set()),
        ({"difference": ["1", X]}, {-1}),
        ({"quotient": [X, "2"]}, {1}),
        ({"quotient": ["1", {"exp": X}]}, {-1}),
        ({"difference": [X, {"sqrt": X}]}, {1, -1}),
        ({"statement": "cks2020/zcdp2dp.eps", "inputs": {"rho": X, "delta": "0.1"}}, {1}),
        ({"statement": "cks2020/zcdp2dp.eps", "inputs": {"rho": "1", "delta": X}}, {-1}),
    ],
)  # fmt: skip
def test_which_way_a_formula_moves(expression: Any, signs: set[int]) -> None:
    assert direction(expression, "x") == signs


def test_an_input_whose_direction_is_not_known_is_refused() -> None:
    with pytest.raises(InputError, match="not known"):
        direction({"statement": "kov2015/optimal.eps", "inputs": {"k": X}}, "x")


@given(st.fractions(Fraction(1, 100), Fraction(99, 100)))
def test_a_flip_is_between_its_ends(threshold: Fraction) -> None:
    low, high = flip(X, {"sum": [str(threshold)]}, {}, "x", Fraction(0), Fraction(1))
    assert low <= threshold <= high
    assert high - low <= Fraction(1, 10**9)


@given(st.integers(2, 10**40))
def test_a_flip_of_a_whole_number_ends_at_neighbours(threshold: int) -> None:
    low, high = flip(str(threshold), X, {}, "x", Fraction(1), Fraction(10**50), whole=True)
    assert (low, high) == (threshold - 1, threshold)


@pytest.mark.parametrize("expression", [{"power": ["2", "3"]}, {"sum": ["1"], "product": ["1"]}])
def test_what_is_no_formula_is_refused(expression: Any) -> None:
    with pytest.raises(InputError):
        enclose(expression, {})


def test_a_statement_takes_rationals_only() -> None:
    expression = {"statement": "gdp/profile.eps", "inputs": {"mu": {"sqrt": "2"}, "delta": "0.1"}}
    with pytest.raises(InputError, match="exact rationals"):
        enclose(expression, {})


@pytest.mark.parametrize(
    ("expression", "one_way"),
    [
        (X, True),
        ("3", True),
        ({"product": [X, {"difference": [X, "1"]}]}, False),
        ({"product": [X, {"difference": [X, "1/2"]}]}, True),
        ({"product": ["-2", X]}, False),
        ({"quotient": ["1", {"sum": [X, {"sqrt": X}]}]}, True),
        ({"difference": [{"exp": X}, X]}, False),
        ({"exp": {"difference": ["0", {"product": [X, X]}]}}, True),
        ({"statement": "gdp/profile.eps", "inputs": {"mu": X, "delta": "0.1"}}, True),
    ],
)  # fmt: skip
def test_a_formula_moves_one_way_only_if_that_is_sure(expression: Any, one_way: bool) -> None:
    """From 1/2 to 3/2: x (x - 1) falls and rises there, x (x - 1/2) rises."""
    assert moves_one_way(expression, "x", ({"x": Fraction(1, 2)}, {"x": Fraction(3, 2)})) == one_way
