"""Conversions against definitions: grids of orders, numerical profiles, and inverses of each other."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privref
from privref.exact import decide
from privref.guarantees.two_point import is_zcdp, two_point_witness

RHOS = st.fractions(min_value=Fraction(1, 1000), max_value=20, max_denominator=1000)
# Up to 20 every delta can be written down: at rho = 1/1000 the least is about e^-100000.
EPSILONS = st.fractions(min_value=0, max_value=20, max_denominator=100)


def enclosure(id: str, **inputs: Any) -> privref.Enclosure:
    found = privref.evaluate(id, inputs, digits=25).enclosure
    assert found is not None
    return found


@given(RHOS, EPSILONS, st.lists(st.fractions(min_value=Fraction(101, 100), max_value=50), min_size=1, max_size=8))
def test_the_tight_delta_is_below_every_order_and_attained(
    rho: Fraction, eps: Fraction, orders: list[Fraction]
) -> None:
    found = enclosure("cks2020/zcdp2dp.delta", rho=rho, eps=eps)

    def objective(alpha: mpmath.mpf) -> mpmath.mpf:
        r, e = mpmath.mpf(rho.numerator) / rho.denominator, mpmath.mpf(eps.numerator) / eps.denominator
        return mpmath.exp((alpha - 1) * (alpha * r - e)) / (alpha - 1) * (1 - 1 / alpha) ** alpha

    with mpmath.workdps(60):
        lower = mpmath.mpf(found.lower.numerator) / found.lower.denominator
        for order in orders:
            assert lower <= objective(mpmath.mpf(order.numerator) / order.denominator)
        # The stationarity condition of the logarithm, solved by mpmath's own root finder.
        r, e = mpmath.mpf(rho.numerator) / rho.denominator, mpmath.mpf(eps.numerator) / eps.denominator
        stationary = lambda t: (2 * (1 + mpmath.exp(t)) - 1) * r - e + t - mpmath.log1p(mpmath.exp(t))  # noqa: E731
        best = 1 + mpmath.exp(mpmath.findroot(stationary, (-80, 80), solver="anderson", tol=1e-80, maxsteps=500))
        upper = mpmath.mpf(found.upper.numerator) / found.upper.denominator
        assert objective(best) <= upper * (1 + mpmath.mpf(10) ** -40)


@given(RHOS, st.integers(1, 40))
def test_the_tight_epsilon_inverts_the_tight_delta(rho: Fraction, exponent: int) -> None:
    delta = Fraction(1, 10**exponent)
    eps = enclosure("cks2020/zcdp2dp.eps", rho=rho, delta=delta)
    if eps.upper == 0:
        assert enclosure("cks2020/zcdp2dp.delta", rho=rho, eps=Fraction(0)).lower <= delta
        return
    assert enclosure("cks2020/zcdp2dp.delta", rho=rho, eps=eps.upper).lower <= delta
    assert enclosure("cks2020/zcdp2dp.delta", rho=rho, eps=eps.lower).upper >= delta


@given(RHOS, st.integers(1, 40))
def test_the_tight_conversion_improves_on_lemma_1(rho: Fraction, exponent: int) -> None:
    delta = Fraction(1, 10**exponent)
    tight = enclosure("cks2020/zcdp2dp.eps", rho=rho, delta=delta)
    assert tight.upper <= enclosure("whitehouse2023/lem1.zcdp2dp.eps", rho=rho, delta_prime=delta).lower


@settings(max_examples=15)
@given(
    st.fractions(min_value=Fraction(1, 2), max_value=6, max_denominator=100),
    st.fractions(min_value=0, max_value=12, max_denominator=10),
)
def test_the_gaussian_profile_is_the_integral_of_its_definition(mu: Fraction, eps: Fraction) -> None:
    found = enclosure("gdp/profile.delta", mu=mu, eps=eps)
    with mpmath.workdps(30):
        m, e = mpmath.mpf(mu.numerator) / mu.denominator, mpmath.mpf(eps.numerator) / eps.denominator
        start = e / m + m / 2  # where the densities' ratio is e^eps

        def gap(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.npdf(x, m, 1) - mpmath.exp(e) * mpmath.npdf(x, 0, 1)

        # The densities fall off within about 1/start of the start, and are negligible 12 beyond the mean.
        scale = 1 / (1 + start)
        value = mpmath.quad(gap, [start + i * scale for i in (0, 1, 3, 6, 10, 20, 40)] + [start + m + 14])
        lower = mpmath.mpf(found.lower.numerator) / found.lower.denominator
        assert abs(value - lower) <= lower * mpmath.mpf(10) ** -10


@given(st.fractions(min_value=Fraction(1, 100), max_value=10, max_denominator=100), st.integers(1, 30))
def test_the_gaussian_epsilon_inverts_the_profile(mu: Fraction, exponent: int) -> None:
    delta = Fraction(1, 10**exponent)
    eps = enclosure("gdp/profile.eps", mu=mu, delta=delta)
    if eps.upper:
        assert enclosure("gdp/profile.delta", mu=mu, eps=eps.upper).lower <= delta
        assert enclosure("gdp/profile.delta", mu=mu, eps=eps.lower).upper >= delta


@given(RHOS, EPSILONS)
def test_a_gaussian_loses_at_most_what_zcdp_allows(rho: Fraction, eps: Fraction) -> None:
    witness = enclosure("cks2020/gaussian_witness.delta", rho=[rho], eps=eps)
    assert witness.lower <= enclosure("cks2020/zcdp2dp.delta", rho=rho, eps=eps).upper


@pytest.mark.parametrize(
    ("id", "inputs", "value"),
    [
        ("cks2020/zcdp2dp.eps", {"rho": "0", "delta": "0"}, "0"),
        ("cks2020/zcdp2dp.eps", {"rho": "1", "delta": "0"}, "inf"),
        ("cks2020/zcdp2dp.eps", {"rho": "1", "delta": "1"}, "0"),
        ("cks2020/zcdp2dp.delta", {"rho": "0", "eps": "0"}, "0"),
        ("gdp/profile.eps", {"mu": "0", "delta": "0"}, "0"),
        ("gdp/profile.eps", {"mu": "1", "delta": "0"}, "inf"),
        ("gdp/profile.delta", {"mu": "0", "eps": "0"}, "0"),
    ],
)
def test_the_ends_of_the_domain(id: str, inputs: dict[str, str], value: str) -> None:
    assert privref.evaluate(id, inputs).value == value


def renyi(p: mpmath.mpf, q: mpmath.mpf, alpha: mpmath.mpf) -> mpmath.mpf:
    return mpmath.log(p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)) / (alpha - 1)


def test_the_two_point_witness_is_zcdp_and_beats_the_rounded_claim() -> None:
    rho, eps, delta = Fraction(293764, 114921), Fraction("17.14"), Fraction(1, 10**10)
    pair = two_point_witness(rho, eps, delta)
    assert pair is not None
    p, q = pair
    assert enclosure("cks2020/two_point_witness.delta", rho=rho, eps=eps, p=p, q=q).lower > delta
    with mpmath.workdps(60):
        pm, qm = mpmath.mpf(p.numerator) / p.denominator, mpmath.mpf(q.numerator) / q.denominator
        r = mpmath.mpf(rho.numerator) / rho.denominator
        for i in range(1, 2000):
            alpha = 1 + mpmath.mpf(i) / 200
            assert renyi(pm, qm, alpha) <= r * alpha
            assert renyi(qm, pm, alpha) <= r * alpha


def test_a_pair_that_is_not_zcdp_is_not_accepted() -> None:
    ar = decide.engine("arb")
    assert is_zcdp(ar, Fraction(1), Fraction(3, 5), Fraction(2, 5))
    assert not is_zcdp(ar, Fraction(1, 100), Fraction(3, 5), Fraction(2, 5))
    with pytest.raises(privref.HypothesisError):
        privref.evaluate("cks2020/two_point_witness.delta", {"rho": "1/100", "eps": "0", "p": "3/5", "q": "2/5"})


def test_no_witness_is_claimed_where_the_tight_conversion_proves_the_claim() -> None:
    assert two_point_witness(Fraction(293764, 114921), Fraction("17.15"), Fraction(1, 10**10)) is None
