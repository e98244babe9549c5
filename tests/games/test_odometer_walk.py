"""How often odometers err: never more than they may, and the one of one side more often than that of two."""

from __future__ import annotations

from fractions import Fraction

import pytest

import privref
from privref.exact.errors import UndecidedError

KINDS = {"filter": "1/2", "mixture": "1/20", "one_sided": "1/20", "stitched": "1/100"}
SIZED = {"rogers": "1000", "restated": "1000"}


def failure(odometer: str, delta_prime: str, growth: str, rounds: int) -> Fraction:
    inputs = {
        "odometer": odometer, "tuning": (KINDS | SIZED)[odometer], "exp_eps": growth, "delta_prime": delta_prime,
        "K": str(rounds),
    }  # fmt: skip
    found = privref.evaluate("rogers2016/sec6.odometer_failure", inputs)
    assert found.enclosure is not None
    return found.enclosure.upper


@pytest.mark.parametrize("odometer", KINDS)
@pytest.mark.parametrize("delta_prime", ["1/2", "1/10", "1e-3"])
@pytest.mark.parametrize("growth", ["11/10", "2"])
def test_no_odometer_errs_more_often_than_it_may(odometer: str, delta_prime: str, growth: str) -> None:
    """Certainly below delta', by an exact walk of two hundred rounds."""
    assert 0 <= failure(odometer, delta_prime, growth, 200) < Fraction(delta_prime)


@pytest.mark.parametrize("odometer", SIZED)
def test_the_odometers_of_rogers_err_least_of_all(odometer: str) -> None:
    """Below a hundredth of delta' of 1/10, where the stitched one reaches more; not at all within a few rounds."""
    assert failure(odometer, "1/10", "11/10", 10) == 0
    assert failure(odometer, "1/10", "11/10", 300) < Fraction(1, 1000)
    with pytest.raises(privref.InputError, match="tuning"):
        evaluated(odometer, "1", "1/10")
    with pytest.raises(privref.InputError, match="delta_prime"):
        evaluated(odometer, "1000", "1/2")


def evaluated(odometer: str, tuning: str, delta_prime: str) -> None:
    inputs = {"odometer": odometer, "tuning": tuning, "exp_eps": "2", "delta_prime": delta_prime, "K": "2"}
    privref.evaluate("rogers2016/sec6.odometer_failure", inputs)


def test_odds_of_many_digits_are_refused_before_the_walk() -> None:
    """Its numbers would have millions of digits; the work was not bounded."""
    with pytest.raises(UndecidedError, match="ask for fewer rounds, fewer digits"):
        failure("filter", "1/10", "1." + "3" * 3990, 1000)
    assert failure("filter", "1/10", "1." + "3" * 300, 5) == 0


def test_one_side_uses_more_of_its_delta() -> None:
    """The same gamma: it errs more often than the mixture of two sides, and still less often than it may."""
    two, one = (failure(name, "1/10", "11/10", 300) for name in ("mixture", "one_sided"))
    assert Fraction("0.026") < two < Fraction("0.027")
    assert Fraction("0.057") < one < Fraction("0.058")


@pytest.mark.parametrize(("menu", "rounds"), [("1/5, 1/2", 10), ("1/10, 1/3, 1", 6)])
def test_no_adversary_breaks_the_one_sided_odometer(menu: str, rounds: int) -> None:
    """The largest failure over the menu, chosen on the way: there is one, and it is not half of delta'."""
    found = privref.attack(
        "one-sided-mixture-odometer", menu, rounds, epsilon="1", delta="1/2", failure_of="one-sided", largest=True,
        settings={"delta_prime": "1/2", "gamma": "1/20"},
    )  # fmt: skip
    assert found.verdict == "not-broken"
    assert found.rounds == rounds
    assert Fraction(1, 10) < found.ceiling < Fraction(1, 4)


def test_too_many_rounds_are_refused() -> None:
    with pytest.raises(privref.InputError, match="at most 1000"):
        failure("mixture", "1/10", "11/10", 1001)
