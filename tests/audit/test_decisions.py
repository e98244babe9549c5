"""The audit's comparison of a bound with a claim, where what is known of the bound is too wide to tell."""

from __future__ import annotations

from fractions import Fraction

import pytest

from privref import catalogue
from privref.audit.engines import certainly_exceeds
from privref.exact.enclosure import Enclosure

# The zCDP conversion at rho = 1, delta' = 1/2: 1 + 2 sqrt(log 2) = 2.66510922231539551270...
STATEMENT = "whitehouse2023/lem1.zcdp2dp.eps"
INPUTS = {"rho": Fraction(1), "delta_prime": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("claimed", "above"),
    [("2.6651092223", True), ("2.6651092224", False), ("2.66510922231539551", True), ("2.66510922231539552", False)],
)
def test_a_wide_enclosure_decides_nothing_by_itself(claimed: str, above: bool) -> None:
    """Between the ends of a wide enclosure the value itself is computed until the comparison is certain."""
    catalogue.load()
    known = Enclosure(Fraction(0), Fraction(10))
    assert certainly_exceeds(STATEMENT, INPUTS, Fraction(claimed), known) is above


def test_a_claim_outside_the_enclosure_is_decided_by_its_ends() -> None:
    """At the upper end the bound does not exceed the claim; below the lower end it does."""
    known = Enclosure(Fraction(2), Fraction(3))
    assert certainly_exceeds(STATEMENT, INPUTS, Fraction(3), known) is False
    assert certainly_exceeds(STATEMENT, INPUTS, Fraction(1), known) is True
