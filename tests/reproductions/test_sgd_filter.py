"""The optimum of the sgd-filter table: both of its numbers of steps are certified, whatever the floats say."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace

import pytest

from privref.exact.enclosure import Enclosure
from privref.reproductions import filters

DELTA = Fraction(1, 10**5)


@pytest.mark.parametrize("spread", [Fraction(1, 1000), Fraction(1, 20)])
@pytest.mark.parametrize("bias", [0.0, 0.3, None])
def test_with_the_second_number_of_steps_delta_is_exceeded(
    monkeypatch: pytest.MonkeyPatch, spread: Fraction, bias: float | None
) -> None:
    """Enclosures too wide to tell, estimates that are off or none: what is not seen to be kept is not yet exceeded."""

    def enclosed(k: int) -> Enclosure:
        # Crosses at 2000 steps.
        delta = DELTA * k * k / 2000**2
        return Enclosure(delta * (1 - spread), delta * (1 + spread))

    def estimated(q: Fraction, sigma: Fraction, k: int, eps: Fraction) -> float | None:
        return None if bias is None else math.log(DELTA * k * k / 2000**2) + bias

    monkeypatch.setattr(filters, "evaluate", lambda id, *, k, **named: SimpleNamespace(enclosure=enclosed(k)))
    monkeypatch.setattr(filters, "estimated_log_delta", estimated)
    low, high = filters.possible("1/100", "1", "2", "1e-5", 700)
    assert enclosed(low).upper <= DELTA < enclosed(high).lower
    assert high - low <= (30 if spread < Fraction(1, 100) else 150)
