"""Partitions, their refusals, and the minimal delta of finite laws."""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref import catalogue
from privref.exact.errors import InputError
from privref.guarantees import output_dp
from privref.statements.registry import evaluate

F = Fraction
catalogue.load()


def subset_definition(p: list[F], q: list[F], growth: list[F]) -> F:
    """Definition 2 as it stands: the largest Pr(S) - sum e^E Pr'(S and P_k) over all sets S."""
    places = range(len(p))
    sets = itertools.chain.from_iterable(itertools.combinations(places, n) for n in range(len(p) + 1))
    return max(sum((p[o] - growth[o] * q[o] for o in chosen), F(0)) for chosen in sets)


@st.composite
def laws(draw: st.DrawFn) -> tuple[list[F], list[F], list[F]]:
    size = draw(st.integers(1, 5))

    def law() -> list[F]:
        weights = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any))
        return [F(weight, sum(weights)) for weight in weights]

    growth = draw(st.lists(st.fractions(1, 5, max_denominator=7), min_size=size, max_size=size))
    return law(), law(), growth


def _value(id: str, **inputs: object) -> F:
    found = evaluate(id, {name: _spelled(value) for name, value in inputs.items()}).value
    assert found is not None
    return F(found)


def _spelled(value: object) -> object:
    return [str(v) for v in value] if isinstance(value, list) else str(value)


@settings(deadline=None)
@given(laws())
def test_min_delta_is_the_maximum_over_all_sets(case: tuple[list[F], list[F], list[F]]) -> None:
    p, q, growth = case
    forward, backward = subset_definition(p, q, growth), subset_definition(q, p, growth)
    assert _value("hartmann2022/def2.min_delta", P=p, Q=q, expE=growth) == forward
    assert _value("hartmann2022/def2.min_delta_both", P=p, Q=q, expE=growth) == max(forward, backward)


@settings(deadline=None)
@given(laws(), st.data())
def test_lemma_6_sums_subset_dp_and_is_never_below_the_minimum(
    case: tuple[list[F], list[F], list[F]], data: st.DataObject
) -> None:
    p, q, _ = case
    cell = data.draw(st.lists(st.integers(0, 1), min_size=len(p), max_size=len(p)))
    growth = [F(2), F(3, 2)]
    parts = [
        _value("hartmann2022/def5.min_delta", P=p, Q=q, R=[o for o, c in enumerate(cell) if c == n], expE=growth[n])
        for n in (0, 1)
    ]
    by_lemma = _value("hartmann2022/lem6.delta", Delta=parts)
    assert by_lemma == subset_definition(p, q, [growth[c] for c in cell])


def test_min_delta_in_nats_agrees_with_high_precision_arithmetic() -> None:
    p, q, costs = [F(1, 2), F(1, 3), F(1, 6)], [F(1, 6), F(1, 3), F(1, 2)], [F(1, 2), F(0), F(1)]
    found = evaluate(
        "hartmann2022/def2.min_delta_nats", {"P": _spelled(p), "Q": _spelled(q), "E": _spelled(costs)}
    ).enclosure
    with mpmath.workdps(40):
        expected = mpmath.mpf(1) / 2 - mpmath.exp(mpmath.mpf(1) / 2) / 6
        assert found is not None
        assert abs(mpmath.mpf(found.lower.numerator) / found.lower.denominator - expected) < mpmath.mpf(10) ** -29


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({"P": ["1/2", "1/4"], "Q": ["1/2", "1/2"], "expE": ["1", "1"]}, "P"),
        ({"P": ["1/2", "1/2"], "Q": ["1/2", "1/2"], "expE": ["1"]}, "expE"),
        ({"P": ["1/2", "1/2"], "Q": ["1"], "expE": ["1", "1"]}, "Q"),
        ({"P": ["1/2", "1/2"], "Q": ["1/2", "1/2"], "expE": ["1", "1/2"]}, "expE[1]"),
    ],
)
def test_laws_that_are_none_are_refused(inputs: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as refusal:
        evaluate("hartmann2022/def2.min_delta", inputs)
    assert refusal.value.field == field


def test_svt_rule_names_its_cells_and_their_costs() -> None:
    cells = output_dp.partition_from_rule({"rule": "svt-count", "eps1": "1/10", "eps2": "2/5", "c": 4})
    assert cells == (("0", F(1, 10)), ("1", F(1, 5)), ("2", F(3, 10)), ("3", F(2, 5)), ("4", F(1, 2)))


def test_other_rules() -> None:
    rule = output_dp.partition_from_rule
    assert rule({"rule": "ptr", "eps": "1/4"}) == (("answer", F(1, 2)), ("bottom", F(1, 4)))
    assert rule({"rule": "constant", "cells": ["a", "b"], "eps": "1"}) == (("a", F(1)), ("b", F(1)))
    assert rule({"rule": "iterations", "k": [2, 5], "E": ["1/2", "1"]}) == (("2", F(1, 2)), ("5", F(1)))
    assert rule({"rule": "capped-count", "base": "1", "per": "1/2", "cap": 2}) == (
        ("0", F(1)),
        ("1", F(3, 2)),
        ("2 or more", F(2)),
    )


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        ({"rule": "svt"}, "partition"),
        ("svt-count", "partition"),
        ({"rule": "svt-count", "eps1": "1", "c": 3}, "partition.eps2"),
        ({"rule": "svt-count", "eps1": "1", "eps2": "-1", "c": 3}, "partition.eps2"),
        ({"rule": "svt-count", "eps1": "1", "eps2": "1", "c": 0}, "partition.c"),
        ({"rule": "svt-count", "eps1": "1", "eps2": "1", "c": 10**6}, "partition.c"),
        ({"rule": "svt-count", "eps1": "1", "eps2": "1", "c": 1, "d": 1}, "partition.d"),
        ({"rule": "svt-count", "eps1": 0.1, "eps2": "1", "c": 1}, "partition.eps1"),
        ({"rule": "iterations", "k": [5, 2], "E": ["1", "1"]}, "partition.k[1]"),
        ({"rule": "iterations", "k": [2, 2], "E": ["1", "1"]}, "partition.k[1]"),
        ({"rule": "iterations", "k": [0], "E": ["1"]}, "partition.k[0]"),
        ({"rule": "iterations", "k": [], "E": []}, "partition.k"),
        ({"rule": "iterations", "k": [1, 2], "E": ["1"]}, "partition.E"),
        ({"rule": "iterations", "k": [1], "E": ["-1"]}, "partition.E.1"),
        ({"rule": "constant", "cells": ["a", "a"], "eps": "1"}, "partition.cells"),
        ({"rule": "constant", "cells": "ab", "eps": "1"}, "partition.cells"),
    ],
)
def test_wrong_rules_are_refused_with_their_place(rule: object, field: str) -> None:
    with pytest.raises(InputError) as refusal:
        output_dp.partition_from_rule(rule)
    assert refusal.value.field == field


def test_countable_partitions_have_a_supremum_and_a_finite_coarsening() -> None:
    capped = output_dp.CountPartition(F(1, 10), F(1, 20), 8)
    assert capped.supremum == max(capped.cost(n) for n in range(100)) == F(1, 2)
    cells = dict(capped.as_finite())
    assert all(cells[str(n) if n < 8 else "8 or more"] == capped.cost(n) for n in range(30))
    assert output_dp.CountPartition(F(1), F(1)).supremum == "inf"
    with pytest.raises(InputError):
        output_dp.CountPartition(F(1), F(1)).as_finite()


@pytest.mark.parametrize(
    "cells", [{}, [], [("a", "1"), ("a", "1/2")], {"a": "-1/2"}, {"a": 0.5}, "a", [("a",)], [(1, "1")], None]
)
def test_cells_that_do_not_partition_are_refused(cells: object) -> None:
    with pytest.raises(InputError):
        output_dp.read_cells(cells)


@pytest.mark.parametrize("delta", [{"a": "0", "b": "1/2"}, ["0", "1/2"]])
def test_a_delta_per_cell_is_refused_with_the_reason(delta: object) -> None:
    with pytest.raises(InputError, match="one delta for the whole mechanism"):
        output_dp.output_dp({"a": "0", "b": "1"}, delta)


def test_an_observed_cell_that_does_not_exist_is_refused() -> None:
    guarantee = output_dp.output_dp({"a": "1", "b": "2"})
    assert output_dp.require_cell(guarantee, "b") == 2
    for cell in ("c", None, 1):
        with pytest.raises(InputError, match="give one of the partition's cells: a, b"):
            output_dp.require_cell(guarantee, cell)
