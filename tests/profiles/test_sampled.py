"""What one subsampled round is and has, against quadrature and the definition; what is refused beside it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.guarantees.model import ZCDP, ApproxDP, BoundedRange, GaussianDP, Guarantee, PureDP, RenyiDP, Unknown
from privref.profiles import sampled
from privref.profiles.allowance import contradiction
from privref.profiles.composed import composed_delta
from privref.profiles.declared import mechanism_from, under
from privref.profiles.model import DiscreteGaussian, Gaussian, Laplace, Round, Subsampled, SubsampledGaussian
from proofs.zdw2022.poisson import one_round, real

F = Fraction
QUERY = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
LAPLACE = {"kind": "laplace", "scale": "1", "sensitivity": "1"}
POISSON = {"kind": "subsampled", "base": QUERY, "rate": "1/100", "sampling": "poisson"}


def read(**changed: Any) -> Any:
    return mechanism_from({**POISSON, **changed}, "m")


def enclosed(function: Any, pair: SubsampledGaussian, eps: Fraction, engine: decide.EngineName) -> Enclosure:
    found = decide.enclose_once(lambda ar: function(decide.enclosing(ar), pair, eps), decide.engine(engine, 192))
    assert found is not None
    return found


@settings(max_examples=40, deadline=None)
@given(q=st.integers(1, 99), sigma=st.integers(3, 60), eps=st.integers(0, 40))
def test_one_round_is_its_integral(q: int, sigma: int, eps: int) -> None:
    """The formulas of both orientations, in both engines, against the profile written out; a removal loses more."""
    rate, noise, at = F(q, 100), F(sigma, 10), F(eps, 20)
    pair = SubsampledGaussian(rate, noise)
    for engine in ("arb", "mpmath"):
        removal = enclosed(sampled.one_round, pair, at, engine)
        addition = enclosed(sampled._added, pair, at, engine)
        for found, side in ((removal, True), (addition, False)):
            exact = one_round(real(rate), real(noise), real(at), side)
            assert real(found.lower) - mpmath.mpf("1e-25") <= exact <= real(found.upper) + mpmath.mpf("1e-25")
        assert addition.lower <= removal.upper


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_a_sample_next_to_randomized_response_is_a_mean_of_its_profile(
    engine: decide.EngineName,
) -> None:
    """delta(eps) = a d(eps - 1) + (1 - a) d(eps + 1), a = e/(1 + e), d the sample's; on the grid, which knows no d."""
    rate, noise, at = F(1, 10), F(4, 5), F(3, 2)
    response = mechanism_from({"kind": "randomized-response", "epsilon": "1"}, "m")
    run = ((read(rate="1/10", base={**QUERY, "sigma": "0.8"}), 1), (response, 1))
    found = decide.enclose_once(lambda ar: composed_delta(ar, run, at), decide.engine(engine, 128))
    assert found is not None
    a = mpmath.e / (1 + mpmath.e)
    exact = max(
        a * one_round(real(rate), real(noise), real(at - 1), side)
        + (1 - a) * one_round(real(rate), real(noise), real(at + 1), side)
        for side in (True, False)
    )
    assert real(found.lower) <= exact <= real(found.upper)
    assert found.relative_width_at_most(F(1, 500))


def test_what_a_poisson_sample_of_a_query_is() -> None:
    found = read()
    assert found.upper == found.lower == (Round(SubsampledGaussian(F(1, 100), F(1))),)
    assert found.attained
    assert mechanism_from(found.document, "m") == found
    assert str(found) == "subsampled (base gaussian (sigma 1, sensitivity 1), rate 1/100, sampling poisson)"
    assert read(base={**QUERY, "sigma": "3", "sensitivity": "3"}).upper == found.upper
    assert not read(attained=False).attained
    assert not read(base={**QUERY, "attained": False}).attained


def test_a_multiplier_that_is_no_rational_is_rounded_both_ways() -> None:
    found = read(base={"kind": "gaussian", "sigma_squared": "2", "sensitivity": "1"})
    (up,), (down,) = found.upper, found.lower
    # Less noise loses more.
    assert up.pair.sigma**2 < 2 < down.pair.sigma**2
    assert down.pair.sigma - up.pair.sigma == F(1, 2**120)


def test_at_rate_one_it_is_the_base() -> None:
    for sampling in ("poisson", "fixed-size", "shuffled"):
        found = read(rate="1", sampling=sampling)
        assert found.upper == (Round(Gaussian(F(1))),)
        assert found.guarantee == GaussianDP(F(1))
        assert all(under(found, neighbours, "m") == found for neighbours in ("replace-one", "zero-out"))
        # A batch of one size that holds all records cannot hold one more.
        assert (under(found, "add-or-remove-one", "m") == found) == (sampling == "poisson")
    assert read(rate="1", sampling="unknown").upper is None


@pytest.mark.parametrize("sampling", ["fixed-size", "shuffled", "unknown"])
def test_other_samplings_have_no_law_here(sampling: str) -> None:
    found = read(sampling=sampling)
    assert (found.upper, found.lower) == (None, ())
    assert isinstance(found.guarantee, Unknown)
    assert found.guarantee.description.startswith(f"sampling {sampling}: ")


def test_samples_of_other_mechanisms() -> None:
    """One cell is a pair of its own, whose largest loss is its pure DP; several have the base's guarantee."""
    found = read(base=LAPLACE)
    assert found.upper == found.lower == (Round(Subsampled(Laplace(F(1)), F(1, 100))),)
    # log(1 + (e - 1)/100) for a removal; an addition loses -log(1 - (1 - 1/e)/100).
    assert isinstance(found.guarantee, PureDP)
    assert F("0.0170368631") < found.guarantee.epsilon < F("0.0170368633")
    cells = {"kind": "discrete-gaussian", "sigma_squared": "4", "shifts": ["1", "1"]}
    assert read(base={**cells, "shifts": ["2"]}).upper == (Round(Subsampled(DiscreteGaussian(F(4), 2), F(1, 100))),)
    assert read(base={**cells, "shifts": ["2"]}).guarantee == ZCDP(F(1, 2))
    several = read(base=cells)
    assert (several.upper, several.lower, several.guarantee) == (None, (), ZCDP(F(1, 4)))
    worst = {"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "1e-6"}
    assert read(base=worst).guarantee == ApproxDP(F(1), F(1, 10**6))
    odds = read(base={"kind": "randomized-response", "probability": "3/4"})
    assert odds.upper[0].pair.base.epsilon > odds.lower[0].pair.base.epsilon


def test_nothing_is_known_where_records_are_replaced() -> None:
    """The Renyi guarantee is for adding and removing: under replace-one it would be too small."""
    found = under(read(), "replace-one")
    assert (found.upper, found.lower) == (None, ())
    assert isinstance(found.guarantee, Unknown)
    assert under(read(), "add-or-remove-one") == read()


@settings(max_examples=10, deadline=None)
@given(q=st.integers(1, 999), sigma=st.integers(3, 300), order=st.sampled_from([2, 3, 5, 16]))
def test_renyi_orders_are_rounded_up_and_bound_both_orientations(q: int, sigma: int, order: int) -> None:
    rate, noise = F(q, 1000), F(sigma, 10)
    found = sampled.renyi_guarantee(1 / noise**2, rate)
    assert isinstance(found, RenyiDP)
    cost = dict(found.orders)[F(order)]
    r, s = real(rate), real(noise)
    context = r.context if hasattr(r, "context") else mpmath.mp

    def moment(power: int) -> Any:
        """E_N[(R/N)^power], integrated."""

        def integrand(x: Any) -> Any:
            return context.npdf(x, 0, s) * (1 - r + r * context.exp((2 * x - 1) / (2 * s * s))) ** power

        peaks = sorted({0, max(power, 0)})
        return context.quad(integrand, [-14 * s, *peaks, peaks[-1] + 14 * s])

    removal = context.log(moment(order)) / (order - 1)
    addition = context.log(moment(1 - order)) / (order - 1)
    slack = context.mpf("1e-9")
    assert removal <= real(cost) + slack
    assert addition <= real(cost) + slack
    assert real(cost) <= removal * (1 + slack) + slack


def test_tiny_rates_and_little_noise_keep_their_orders() -> None:
    tiny = sampled.renyi_guarantee(F(1), F(1, 10**12))
    assert isinstance(tiny, RenyiDP)
    assert len(tiny.orders) == len(sampled.ORDERS)
    assert F(17182, 10**28) < tiny.orders[0][1] < F(17183, 10**28)
    loud = sampled.renyi_guarantee(F(10**20), F(1, 2))
    assert isinstance(loud, (RenyiDP, Unknown))


@pytest.mark.parametrize(
    ("guarantee", "words"),
    [
        (ZCDP(F(1, 2)), None),
        (ZCDP(F(1, 2), F(1, 10)), None),
        (ZCDP(F(49, 100)), "which no sampling lowers"),
        (GaussianDP(F(1)), None),
        (GaussianDP(F(1, 2)), "not decided"),
        (PureDP(F(100)), "no bound"),
        (ApproxDP(F(1), F(1, 1000)), None),
        (ApproxDP(F(0), F(383, 100000)), None),
        (ApproxDP(F(0), F(382, 100000)), "delta at that epsilon"),
        (ApproxDP(F(1), F(1, 10**9)), "delta at that epsilon"),
        (RenyiDP(((F(2), F(18, 10**5)),)), None),
        (RenyiDP(((F(5, 2), F(27, 10**5)),)), None),
        (RenyiDP(((F(2), F(17, 10**5)),)), "order 2"),
        (RenyiDP(((F(5, 2), F(17, 10**5)),)), "order 2"),
        (RenyiDP(((F(10**6), F(10**6)),)), None),
    ],
)
def test_a_guarantee_beside_it_is_compared(guarantee: Guarantee, words: str | None) -> None:
    found = contradiction(read(), guarantee)
    assert (found is None) == (words is None), found
    assert found is None or words is None or words in found


@pytest.mark.parametrize(
    ("guarantee", "words"),
    [
        (ApproxDP(F(1), F(0)), "no pure DP"),
        (PureDP(F(100)), "no pure DP"),
        (BoundedRange(F(100)), "no pure DP"),
        (ZCDP(F(49, 100)), "which no sampling lowers"),
        (GaussianDP(F(99, 100)), "which no sampling lowers"),
        (ZCDP(F(1, 2)), None),
        (ZCDP(F(1, 100), F(1, 10**9)), None),
        (GaussianDP(F(1)), None),
        (ApproxDP(F(1), F(1, 10**9)), None),
        (RenyiDP(((F(2), F(1, 10**5)),)), None),
    ],
)
def test_what_no_sampling_of_noise_has_is_refused(guarantee: Guarantee, words: str | None) -> None:
    """Without a law what is certainly impossible is; the rest is taken at its word, and so are both if not attained."""
    drawn = [read(sampling=sampling) for sampling in ("shuffled", "fixed-size", "unknown")]
    for law in (*drawn, under(read(sampling="shuffled"), "replace-one")):
        found = contradiction(law, guarantee)
        assert (found is None) == (words is None), found
        assert found is None or words is None or words in found
    assert contradiction(read(sampling="shuffled", attained=False), guarantee) is None


@pytest.mark.parametrize(("sampling", "rate"), [("poisson", "1/100"), ("unknown", "1/100"), ("unknown", "1")])
def test_replaced_records_may_be_told_apart_by_half_of_what_changes(sampling: str, rate: str) -> None:
    """So far from the noise alone are x and -x, which lose no more on Poisson samples, as the sums say."""
    law = under(read(sampling=sampling, rate=rate), "replace-one")
    assert max(_slope(F(1, 100), order) for order in (1.01, 2, 8, 32)) < 1 / 8
    for guarantee in (ZCDP(F(1, 8)), GaussianDP(F(1, 2))):
        assert contradiction(law, guarantee) is None
    for guarantee in (ZCDP(F(1, 9)), GaussianDP(F(49, 100))):
        assert "which no sampling lowers" in str(contradiction(law, guarantee))


def _slope(rate: Fraction, order: float) -> float:
    """D_a/a of 1/2 against -1/2 on samples, by a sum over places."""
    places = [i / 20 for i in range(-1000, 1000)]
    q, terms = float(rate), []
    for x in places:
        one, other = (math.log(1 - q + q * math.exp(mean * x - mean * mean / 2)) for mean in (0.5, -0.5))
        terms.append(math.exp(order * one + (1 - order) * other - x * x / 2))
    return math.log(sum(terms) / 20 / math.sqrt(2 * math.pi)) / (order - 1) / order


def test_what_may_lose_without_bound_does_so_on_a_sample() -> None:
    worst = {"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "1e-6"}
    law = read(base=worst, sampling="unknown")
    for guarantee in (PureDP(F(9)), ZCDP(F(9)), GaussianDP(F(9)), RenyiDP(((F(2), F(9)),))):
        assert "without bound" in str(contradiction(law, guarantee))
    assert contradiction(law, ApproxDP(F(1), F(1, 10**9))) is None
    pure = read(base={"kind": "laplace", "scale": "1", "sensitivity": "1"}, sampling="unknown")
    assert contradiction(pure, PureDP(F(1, 10))) is None


def test_a_sample_of_several_coordinates_has_what_any_pure_mechanism_has() -> None:
    """log(1 + q (e^eps - 1)) of their sum, rounded up; Gaussian noise keeps the guarantee of the base."""
    several = read(base={"kind": "geometric", "scale": "2", "shifts": ["1", "1"]}, rate="1/10")
    assert several.upper is None
    assert isinstance(several.guarantee, PureDP)
    # log(1 + (e - 1)/10), as one coordinate with both shifts.
    one = read(base={"kind": "geometric", "scale": "1", "shifts": ["1"]}, rate="1/10").guarantee.epsilon
    assert F("0.158565078740") < several.guarantee.epsilon < F("0.158565078741")
    assert abs(several.guarantee.epsilon - one) < F(1, 10**18)
    cells = {"kind": "discrete-gaussian", "sigma_squared": "4", "shifts": ["1", "1"]}
    assert read(base=cells, rate="1/10").guarantee == ZCDP(F(1, 4))
