"""Groups, disjoint parts, private selection, Poisson samples: against their definitions on finite laws."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from tests.oracles import around, meets

GROWTHS = st.fractions(min_value=1, max_value=4, max_denominator=7)


def enclosure(id: str, **inputs: Any) -> privref.Enclosure:
    found = privref.evaluate(id, inputs, digits=25).enclosure
    assert found is not None
    return found


@given(st.fractions(min_value=0, max_value=3, max_denominator=20), st.integers(1, 6))
def test_the_delta_of_a_group_is_that_of_a_chain_which_attains_it(eps: Fraction, k: int) -> None:
    """Along P_0 = e^eps P_1 + delta, ... the loss of k steps at k eps is the statement's delta, and no more."""
    delta = Fraction(1, 10**6)
    found = enclosure("vadhan2017/lem2.2.delta", eps=str(eps), delta=str(delta), k=k)
    with mpmath.workdps(40):
        growth = mpmath.exp(mpmath.mpf(eps.numerator) / eps.denominator)
        total = mpmath.mpf(0)
        for _ in range(k):
            total = growth * total + mpmath.mpf(1) / 10**6
        assert meets(found, around(total, relative=Fraction(1, 10**35)))


WEIGHTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=5).filter(
    lambda pairs: all(map(sum, zip(*pairs, strict=True)))
)


@given(WEIGHTS, st.fractions(0, 1, max_denominator=12), GROWTHS)
def test_a_sample_of_a_pair_is_the_mixture_by_definition(
    pairs: list[tuple[int, int]], rate: Fraction, growth: Fraction
) -> None:
    """All of it is the pair's own delta, none of it nothing; no sample loses more than Theorem 8 of Balle et al."""
    p, q = ([Fraction(w, sum(law)) for w in law] for law in zip(*pairs, strict=True))

    def delta(id: str, **inputs: Any) -> Fraction:
        return Fraction(str(privref.evaluate(id, {"q": list(map(str, q)), **inputs}).value))

    def at(exp_eps: Fraction, sampled: Fraction = rate) -> Fraction:
        laws = {"p": list(map(str, p)), "exp_eps": str(exp_eps)}
        return delta("zdw2022/thm11.delta", rate=str(sampled), **laws)

    base = delta("rogers2016/def2.1.delta", p=list(map(str, p)), exp_eps=str(growth))
    assert (at(growth, Fraction(1)), at(growth, Fraction(0))) == (base, 0)
    assert at(1 + rate * (growth - 1)) <= rate * base
    removal = sum(max(rate * x + (1 - rate) * y - growth * y, Fraction(0)) for x, y in zip(p, q, strict=True))
    addition = sum(max(y - growth * (rate * x + (1 - rate) * y), Fraction(0)) for x, y in zip(p, q, strict=True))
    assert at(growth) == max(removal, addition)


@given(GROWTHS, st.integers(1, 5))
def test_a_group_of_laplace_counts_loses_k_times_epsilon(growth: Fraction, k: int) -> None:
    """Geometric noise on counts 0..k: neighbours differ by the growth, the ends by its k-th power."""
    laws = [[growth ** -abs(x - count) for x in range(-3, k + 4)] for count in range(k + 1)]
    for first, second in pairwise(laws):
        assert max(max(p / q, q / p) for p, q in zip(first, second, strict=True)) == growth
    assert max(p / q for p, q in zip(laws[0], laws[-1], strict=True)) == growth**k
    assert enclosure("dr2014/thm2.2.eps", eps="1/3", k=k).contains(Fraction(k, 3))


@given(GROWTHS, st.lists(st.integers(1, 20), min_size=2, max_size=5), st.fractions(0, 1, max_denominator=9))
def test_selection_above_a_threshold_loses_at_most_twice(growth: Fraction, weights: list[int], end: Fraction) -> None:
    """The law of the first accepted trial, exactly, on neighbours that move every trial by at most the growth."""
    mass = sum(weights)
    p = [Fraction(weight, mass) for weight in weights]
    moved = [x * (growth if i % 2 else 1) for i, x in enumerate(p)]
    q = [x / sum(moved) for x in moved]
    assert all(max(x / y, y / x) <= growth for x, y in zip(p, q, strict=True))

    def selected(law: list[Fraction]) -> list[Fraction]:
        accepted = sum(law[1:])  # the first candidate scores too low
        stops = accepted + end * (1 - accepted)
        return [end * law[0] / stops, *(x / stops for x in law[1:])]

    for x, y in zip(selected(p), selected(q), strict=True):
        assert x <= growth**2 * y
        assert y <= growth**2 * x
    assert privref.evaluate("liu2019/alg1.eps", eps="1/4").value == "1/2"


@given(GROWTHS, st.fractions(0, 1, max_denominator=9))
def test_a_sample_loses_what_the_mixture_with_nothing_loses(growth: Fraction, q: Fraction) -> None:
    """Randomized response on a record that is there with probability q: e^loss = 1 + q (e^eps - 1), exactly."""
    top, bottom = growth / (1 + growth), 1 / (1 + growth)
    with_record, without = [top, bottom], [bottom, top]
    sampled = [q * x + (1 - q) * y for x, y in zip(with_record, without, strict=True)]
    assert max(x / y for x, y in zip(sampled, without, strict=True)) == 1 + q * (growth - 1)


@pytest.mark.parametrize(
    ("id", "inputs", "value"),
    [
        ("bs2016/prop1.9.rho", {"rho": "0.1", "k": 3}, "0.9"),
        ("gdp/group.mu", {"mu": "1/3", "k": 3}, "1"),
        ("mironov2017/prop2.eps", {"eps": "0.1", "c": 2}, "0.9"),
        ("mcsherry2009/thm4.eps", {"eps": ["0.1", "0.3", "0.2"]}, "0.3"),
        ("mcsherry2009/thm4.eps", {"eps": []}, "0"),
        ("liu2019/alg2.eps", {"eps": "0.1"}, "0.3"),
        ("bbg2018/thm8.delta", {"delta": "1e-6", "q": "1/2"}, "5e-7"),
        ("bbg2018/thm8.eps", {"eps": "1", "q": "0"}, "0"),
        ("vadhan2017/lem2.2.delta", {"eps": "0", "delta": "1e-6", "k": 3}, "3e-6"),
    ],
)
def test_exact_values(id: str, inputs: dict[str, Any], value: str) -> None:
    found = privref.evaluate(id, inputs).value
    assert found is not None
    assert privref.rational(found) == privref.rational(value)


def test_a_group_is_doubled_a_bounded_number_of_times() -> None:
    with pytest.raises(privref.InputError, match="at most 10000"):
        privref.evaluate("mironov2017/prop2.eps", eps="1", c=10_001)
