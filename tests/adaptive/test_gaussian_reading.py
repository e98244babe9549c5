"""The reading of the Gaussian-DP filter is the inverse of the exact profile."""

from __future__ import annotations

from fractions import Fraction

import pytest

from privref import catalogue
from privref.adaptive.additive import profile_eps_of_square
from privref.exact import decide
from privref.statements.registry import evaluate
from tests.oracles import encloses


@pytest.mark.parametrize(("mu", "delta"), [("1/10", "1/1000"), ("1/2", "1/10"), ("2", "1/1000000"), ("1/100", "1/10")])
def test_reading_is_the_profile_solved_for_epsilon(mu: str, delta: str) -> None:
    """From the sum of squares it is what gdp/profile.eps gives at mu, small epsilons and zero included."""
    catalogue.load()
    square, target = Fraction(mu) ** 2, Fraction(delta)
    reading = decide.enclose(
        lambda ar: profile_eps_of_square(ar, square, target), decide.engine("arb"), Fraction(1, 10**20)
    )
    expected = evaluate("gdp/profile.eps", {"mu": mu, "delta": delta}, digits=60).enclosure
    assert expected is not None
    assert encloses(reading, expected)
    assert (reading.upper == 0) == (expected.upper == 0)


def test_nothing_spent_reads_zero() -> None:
    assert profile_eps_of_square(decide.engine("arb"), Fraction(0), Fraction(1, 10**6)) == 0


def test_a_delta_of_one_needs_no_epsilon_however_large_mu_is() -> None:
    """Phi(mu/2) is then nearer to 1 than any precision shows."""
    assert evaluate("gdp/profile.eps", {"mu": "1e9", "delta": "1"}).value == "0"
