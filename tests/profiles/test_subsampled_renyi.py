"""The Renyi divergence of a subsampled Gaussian at any order, and filters that admit rounds chosen on the way."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref import evaluate
from privref.adaptive.renyi import RenyiGridFilter
from privref.exact import decide
from privref.exact.errors import UndecidedError
from privref.exact.rounding import to_decimal
from privref.guarantees.model import RenyiDP
from privref.profiles.model import SubsampledGaussian, swapped
from privref.profiles.subsampled_renyi import log_moment

CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 30
RATES = st.builds(Fraction, st.integers(1, 99), st.sampled_from([100, 10_000]))
NOISES = st.builds(Fraction, st.integers(4, 60), st.just(10))


def divergence(q: Fraction, sigma: Fraction, order: Fraction) -> Fraction:
    found = evaluate("mtz2019/poisson_gaussian.renyi_of_order", {"q": q, "sigma": sigma, "order": order}).enclosure
    assert found is not None
    return found.upper


@settings(max_examples=25, deadline=None)
@given(RATES, NOISES, st.integers(2, 40))
def test_whole_orders_are_the_finite_sum(q: Fraction, sigma: Fraction, order: int) -> None:
    inputs = {"q": q, "sigma": sigma, "order": order}
    found = [evaluate(f"mtz2019/poisson_gaussian.{name}", inputs).enclosure for name in ("renyi", "renyi_of_order")]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].intersection(found[1]) is not None
    assert found[1].relative_width_at_most(Fraction(1, 10**20))


@settings(max_examples=6, deadline=None)
@given(RATES, NOISES, st.integers(1, 30), st.sampled_from(["arb", "mpmath"]))
def test_both_orientations_are_their_integrals(q: Fraction, sigma: Fraction, tenths: int, name: str) -> None:
    """And the removal's is the larger (Mironov, Talwar, Zhang 2019, Theorem 5)."""
    ar, order = decide.engine(name, 96), Fraction(tenths, 10)  # type: ignore[arg-type]
    removal = SubsampledGaussian(q, sigma)
    r, s, c = (CONTEXT.mpf(value.numerator) / value.denominator for value in (q, sigma, order))
    ends = []
    for pair, power in ((removal, c + 1), (swapped(removal), -c)):
        assert isinstance(pair, SubsampledGaussian)
        with ar.active():
            found = ar.enclosure(log_moment(ar, pair, order))

        def integrand(y: mpmath.mpf, power: mpmath.mpf = power) -> mpmath.mpf:
            return CONTEXT.npdf(y) * (1 - r + r * CONTEXT.exp(y / s - 1 / (2 * s * s))) ** power

        places = [CONTEXT.mpf(n) for n in range(-60 if power < 0 else -16, 30, 2)]
        truth = CONTEXT.log(CONTEXT.quad(integrand, places))
        slack = CONTEXT.mpf("1e-15")
        assert found is not None
        assert CONTEXT.mpf(found.lower.numerator) / found.lower.denominator <= truth + slack
        assert truth - slack <= CONTEXT.mpf(found.upper.numerator) / found.upper.denominator
        ends.append(found)
    assert ends[1].lower <= ends[0].upper


def test_filters_admit_rounds_whose_rate_and_noise_are_chosen_on_the_way() -> None:
    """Each next round is chosen from what the filter lets through: its divergences, rounded up, are the event."""
    orders = tuple(Fraction(order) for order in ("3/2", "5/2", "4", "8", "16", "32"))
    machine = RenyiGridFilter.of(Fraction(2), orders, Fraction(1, 10**5), Fraction(0))

    def event(q: Fraction, sigma: Fraction) -> RenyiDP:
        return RenyiDP(tuple((order, Fraction(to_decimal(divergence(q, sigma, order), 8, "up"))) for order in orders))

    state, verdicts = machine.start(), []
    for step in range(12):
        # More records at first, then more noise; at last far too loud a round.
        q, sigma = (Fraction(step + 1, 200), Fraction(1)) if step < 5 else (Fraction(1, 40), Fraction(step, 2))
        state, decision = machine.step(state, event(q, sigma) if step < 11 else event(Fraction(1, 2), Fraction(1, 4)))
        verdicts.append(decision.verdict)
    assert verdicts == ["CONT"] * 11 + ["HALT"]


@pytest.mark.parametrize("change", [{"q": "1e-90"}, {"sigma": "1e90"}, {"order": "1e90"}])
def test_extreme_parameters_are_refused(change: dict[str, str]) -> None:
    with pytest.raises(UndecidedError, match="no plan"):
        evaluate("mtz2019/poisson_gaussian.renyi_of_order", {"q": "1/10", "sigma": "2", "order": "3/2"} | change)


@pytest.mark.parametrize(
    ("q", "sigma", "order"),
    [("1/100", "1e-20", 10), ("1/2", "1e-20", 1000), ("1e-50", "43", 256), ("1e-50", "43", 4096)],
)
def test_both_engines_answer_what_is_far_out(q: str, sigma: str, order: int) -> None:
    """Moments beyond any power of e that mpmath takes, and rates whose powers have a million digits."""
    found = [
        evaluate("mtz2019/poisson_gaussian.renyi", q=q, sigma=sigma, order=order, engine=engine).enclosure
        for engine in ("arb", "mpmath")
    ]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].intersection(found[1]) is not None
    base = order / (2 * Fraction(sigma) ** 2)
    assert found[1].upper <= base
    if Fraction(sigma) < 1:
        # (log q) order/(order - 1) less than all records'.
        assert found[1].lower >= base - 2 * order
