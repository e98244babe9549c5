"""What a declared guarantee is compared with, and how much work that takes at most."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from privref.exact.work import metered, spend
from privref.guarantees.model import ApproxDP, BoundedRange, GaussianDP, Guarantee, PureDP
from privref.profiles import allowance as allowances
from privref.profiles import contradiction as checks
from privref.profiles.allowance import Allowance, contradiction
from privref.profiles.declared import Mechanism, mechanism_from


def gaussian(sigma: str) -> Mechanism:
    return mechanism_from({"kind": "gaussian", "sigma": sigma, "sensitivity": "1"}, "m")


def laplace(scale: int) -> Mechanism:
    return mechanism_from({"kind": "laplace", "scale": str(scale), "sensitivity": "1"}, "m")


@pytest.mark.parametrize(
    ("guarantee", "beyond"),
    [
        (GaussianDP(Fraction(4, 5)), None),
        (GaussianDP(Fraction(799, 1000)), ""),
        # The profile of mu = 4/5 at 1 is 0.0632 rounded
        (ApproxDP(Fraction(1), Fraction("0.0633")), None),
        (ApproxDP(Fraction(1), Fraction("0.0631")), "exceeds 631/10000"),
    ],
)
def test_gaussians_are_compared_in_closed_form(
    guarantee: Guarantee, beyond: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_grid(*args: Any) -> None:
        raise AssertionError("a Gaussian needs no grid")

    checks.checked.cache_clear()
    monkeypatch.setattr(checks.grid, "delta_of", no_grid)
    found = contradiction(gaussian("1.25"), guarantee)
    assert (found is None) == (beyond is None)
    assert (beyond or "") in str(found)


def test_the_losses_of_noise_have_a_range() -> None:
    """Laplace noise loses from -1/10 to 1/10, a range of 1/5, though it is 1/10-DP; Gaussian losses have no bound."""
    assert contradiction(laplace(10), BoundedRange(Fraction(1, 5))) is None
    assert "range over 1/5" in str(contradiction(laplace(10), BoundedRange(Fraction(19, 100))))
    assert "no bound" in str(contradiction(gaussian("2"), BoundedRange(Fraction(9))))


def test_the_checks_of_a_ledger_have_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond it they are refused, after the same events whether or not the pairs were met before."""
    weak = ApproxDP(Fraction(1, 20), Fraction(1, 2))
    cost = checks.checked(laplace(10), weak)[1]
    assert cost > 0
    monkeypatch.setattr(allowances, "MOST_WORK_OF_A_LEDGER", 2 * cost)
    for _ in range(2):
        allowance = Allowance()
        for _ in range(5):
            # One pair is charged once.
            assert allowance.contradiction(laplace(10), weak) is None
        assert allowance.left == cost
        allowance.left = 1
        assert allowance.contradiction(laplace(11), weak) is None
        assert allowance.left <= 0
        assert allowance.contradiction(laplace(12), weak) == checks.UNCOMPARED
        # What is known, or takes nothing, is not refused.
        assert allowance.contradiction(laplace(11), weak) is None
        assert allowance.contradiction(laplace(13), PureDP(Fraction(1, 13))) is None


def test_one_check_has_a_budget_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it may take is its own, and nothing is taken from the question around it."""
    weak = ApproxDP(Fraction(1, 20), Fraction(1, 2))
    checks.checked.cache_clear()
    with monkeypatch.context() as small:
        small.setattr(checks, "MOST_WORK", 100)
        assert contradiction(laplace(14), weak) == checks.UNCOMPARED
    checks.checked.cache_clear()
    with metered(1):
        assert contradiction(laplace(14), weak) is None
        spend(1)
