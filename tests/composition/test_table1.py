"""Table 1 of Hartmann et al. 2022: the recomputed row, the printed one, and the certificate of both."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import mpmath
import pytest

from privref import catalogue
from privref.composition.optimal import DELTAS, PRINTED_ROW, table1
from privref.exact.work import WorkLimitError
from privref.statements.registry import evaluate
from tests.oracles import around, meets

catalogue.load()


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_both_rows_are_certified(engine: str) -> None:
    columns = table1(engine)  # type: ignore[arg-type]
    assert [column.rounds for column in columns] == [16, 19, 23, 26, 30, 34, 37, 41]
    assert [column.printed for column in columns] == [17, 20, 24, 27, 31, 35, 38, 42]
    assert all(column.certified and column.printed_refuted for column in columns)
    # E18: one round earlier the whole curve is already better than basic composition.
    assert all(column.curve_eps_before.upper < (column.rounds - 1) * Fraction(1, 10) for column in columns)


def test_the_certificate_looks_one_round_earlier() -> None:
    """delta_1(k) = (1 - e^-2eps)/(1 + e^-eps)^k at the round before each entry, and at the entry."""
    with mpmath.workdps(50):
        e = mpmath.exp(-mpmath.mpf(1) / 10)
        for column in table1():
            for found, k in (
                (column.before, column.rounds - 1),
                (column.at, column.rounds),
                (column.before_printed, column.printed - 1),
            ):
                expected = (1 - e * e) / (1 + e) ** k
                assert meets(found, around(expected, relative=Fraction(1, 10**45)))


def test_the_printed_row_is_reproduced_by_its_own_statement() -> None:
    printed = [
        evaluate("hartmann2022/table1.min_k.printed", {"delta": str(delta), "eps": "1/10"}).value for delta in DELTAS
    ]
    assert printed == [str(k) for k in PRINTED_ROW]


@pytest.mark.parametrize(("k", "i"), [(16, 1), (15, 3), (7, 0), (8, 4)])
def test_vertices_are_the_sum_of_the_theorem(k: int, i: int) -> None:
    found = evaluate("hartmann2022/table1.delta_i", {"k": k, "i": i, "eps": "1/10"}).enclosure
    assert found is not None
    with mpmath.workdps(50):
        e = mpmath.exp(mpmath.mpf(1) / 10)
        terms = (comb(k, l) * (e ** (k - l) - e ** (k - 2 * i + l)) for l in range(i))
        expected = mpmath.fsum(terms) / (1 + e) ** k
        assert abs(mpmath.mpf(found.lower.numerator) / found.lower.denominator - expected) < mpmath.mpf(10) ** -30


def test_least_rounds_by_walking_up() -> None:
    with mpmath.workdps(40):
        for eps in ("1/2", "1/100", "3"):
            e = mpmath.exp(-mpmath.mpf(Fraction(eps).numerator) / Fraction(eps).denominator)
            for delta in (1e-3, 1e-6):
                k = 2
                while (1 - e * e) / (1 + e) ** k > delta:
                    k += 1
                found = evaluate("hartmann2022/table1.exact_min_k", {"delta": repr(delta), "eps": eps}).value
                assert found == str(k)


@pytest.mark.parametrize("id", ["hartmann2022/table1.exact_min_k", "hartmann2022/table1.min_k.printed"])
def test_a_number_of_rounds_beyond_all_use_is_refused_at_once(id: str) -> None:
    """About e^eps rounds are needed, and each doubling of them was tried until all work was spent."""
    assert len(str(evaluate(id, {"delta": "1e-6", "eps": "1000"}).value)) == 436
    with pytest.raises(WorkLimitError, match="smaller eps"):
        evaluate(id, {"delta": "1e-6", "eps": "9" * 4000})
