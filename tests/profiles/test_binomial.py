"""Binomial tails: exact small ones, each term of large ones, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact import decide, factorials
from privref.exact.factorials import WRITTEN, log_factorial
from privref.exact.work import WorkLimitError
from privref.profiles.binomial import tail
from privref.statements.registry import evaluate

ARB, PLAIN = decide.engine("arb", 128), decide.engine("mpmath", 128)


@given(st.integers(1, 60), st.fractions(0, 1, max_denominator=100), st.data())
def test_it_is_the_sum_of_the_terms(n: int, q: Fraction, data: st.DataObject) -> None:
    least = data.draw(st.integers(0, n + 1))
    exact = sum((comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(least, n + 1)), Fraction(0))
    for engine in ("arb", "mpmath"):
        found = evaluate("chua2024b/truncated.tail", {"q": str(q), "n": n, "least": least}, digits=20, engine=engine)  # type: ignore[arg-type]
        assert found.enclosure is not None
        assert found.enclosure.lower <= exact <= found.enclosure.upper


def test_stirling_s_series_is_the_factorial() -> None:
    """Where it starts to be used, against the product; both sides of the binomial coefficient that is written out."""
    n = WRITTEN + 1
    exact = factorial(n)
    for ar in (ARB, PLAIN):
        with ar.active():
            found = ar.enclosure(log_factorial(ar, n) - ar.log(exact))
        assert found is not None
        assert found.lower <= 0 <= found.upper < Fraction(1, 10**30)
    ends = [evaluate("chua2024b/truncated.tail", {"q": "1/2", "n": 2 * WRITTEN + 1, "least": WRITTEN + 1}, digits=30)]
    assert ends[0].enclosure is not None
    assert ends[0].enclosure.lower <= Fraction(1, 2) <= ends[0].enclosure.upper


@pytest.mark.parametrize(
    ("n", "j"), [(2001, 1000), (2 * WRITTEN + 1, WRITTEN), (2 * WRITTEN + 2, WRITTEN + 1), (9000, 4100)]
)
def test_a_large_coefficient_is_enclosed_as_tightly_as_any_number(n: int, j: int) -> None:
    """Written out, and by Stirling's series."""
    for ar in (ARB, PLAIN):
        with ar.active():
            found = ar.enclosure(factorials.binomial(ar, n, j))
        assert found is not None
        assert found.lower <= comb(n, j) <= found.upper
        assert found.relative_width_at_most(Fraction(1, 2**110))


@pytest.mark.parametrize("most", [1, 2, 5, 8])
def test_a_series_that_ends_before_the_precision_does_still_holds_the_factorial(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factorials, "_MOST_TERMS", most)
    exact = factorial(WRITTEN + 1)
    for ar in (decide.engine("arb", 1024), decide.engine("mpmath", 1024)):
        with ar.active():
            found = ar.enclosure(log_factorial(ar, WRITTEN + 1) - ar.log(exact))
        assert found is not None
        assert found.lower <= 0 <= found.upper
        assert found.width > Fraction(1, 2**1000)


def test_the_largest_samples_and_the_smallest_probabilities_have_all_digits_in_both_engines() -> None:
    for q, n, least in (("1/1000000", 10**9, 3000), ("1/10", 10**9, 10**8 + 10**6), ("1/2", 10**15, 10**15)):
        inputs = {"q": q, "n": n, "least": least}
        try:
            first, second = (evaluate("chua2024b/truncated.tail", inputs, engine=e).enclosure for e in decide.ENGINES)
        except ArithmeticError:
            # 2^(-10^15) is too small to be written.
            assert n == 10**15
            continue
        assert first is not None
        assert second is not None
        assert first.intersection(second) is not None
        assert 0 < first.upper < Fraction(1, 10**300)


def test_a_long_tail_is_refused_with_its_length() -> None:
    with pytest.raises(WorkLimitError, match="terms of a binomial tail: at most 200000 are computed"):
        evaluate("chua2024b/truncated.tail", {"q": "1/2", "n": 10**12, "least": 5 * 10**11 + 1})


def test_either_tail_has_its_complement() -> None:
    for q, least in ((Fraction(1, 10), 130), (Fraction(1, 10), 70)):
        for ar in (ARB, PLAIN):
            with ar.active():
                found = tail(ar, q, 1000, least)
                both = ar.enclosure(ar.exp(found.log_below) + found.probability)
            assert both is not None
            assert both.lower <= 1 <= both.upper <= 1 + Fraction(1, 10**30)
