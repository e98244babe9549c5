"""Composition for fixed parameters against exact enumeration of randomized responses."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.composition import optimal
from privref.composition.optimal import MOST_ROUNDS
from privref.exact import decide


def enclosure(id: str, digits: int = 25, engine: Any = "arb", **inputs: Any) -> privref.Enclosure:
    found = privref.evaluate(id, inputs, digits=digits, engine=engine).enclosure
    assert found is not None
    return found


def enumerated_delta(eps: Fraction, k: int, eps_g: Fraction) -> mpmath.mpf:
    """The hockey-stick divergence of k randomized responses, summed over all 2^k outcomes."""
    with mpmath.workdps(50):
        e = mpmath.exp(mpmath.mpf(eps.numerator) / eps.denominator)
        g = mpmath.exp(mpmath.mpf(eps_g.numerator) / eps_g.denominator)
        total = mpmath.mpf(0)
        for outcome in product((0, 1), repeat=k):
            ones = sum(outcome)
            p = e ** (k - ones) / (1 + e) ** k
            q = e**ones / (1 + e) ** k
            total += max(mpmath.mpf(0), p - g * q)
        return total


@given(
    st.fractions(min_value=0, max_value=3, max_denominator=20),
    st.integers(0, 7),
    st.fractions(0, 12, max_denominator=8),
)
def test_the_optimal_delta_is_the_enumerated_one(eps: Fraction, k: int, eps_g: Fraction) -> None:
    expected = enumerated_delta(eps, k, eps_g)
    for engine in ("arb", "mpmath"):
        found = enclosure("kov2015/optimal.delta", eps=eps, k=k, eps_g=eps_g, engine=engine)
        with mpmath.workdps(50):
            lower = mpmath.mpf(found.lower.numerator) / found.lower.denominator
            assert abs(expected - lower) <= mpmath.mpf(10) ** -22


@given(
    st.fractions(min_value=Fraction(1, 20), max_value=3, max_denominator=20),
    st.integers(1, 30),
    st.fractions(min_value=Fraction(1, 10**9), max_value=Fraction(9, 10), max_denominator=10**10),
)
def test_the_optimal_epsilon_inverts_the_curve(eps: Fraction, k: int, delta: Fraction) -> None:
    found = enclosure("kov2015/optimal.eps", eps=eps, k=k, delta_g=delta)
    assert enclosure("kov2015/optimal.delta", eps=eps, k=k, eps_g=found.upper).lower <= delta
    if found.lower > 0:
        assert enclosure("kov2015/optimal.delta", eps=eps, k=k, eps_g=found.lower).upper >= delta
    assert found.upper <= k * eps


@given(
    st.fractions(min_value=Fraction(1, 20), max_value=2, max_denominator=20),
    st.integers(1, 20),
    st.integers(1, 20),
)
def test_every_other_bound_is_above_the_optimum(eps: Fraction, k: int, exponent: int) -> None:
    delta = Fraction(1, 10**exponent)
    optimum = enclosure("kov2015/optimal.eps", eps=eps, k=k, delta_g=delta)
    rounds = [{"value": str(eps), "count": k}]
    others = (
        enclosure("rogers2016/thm2.9.eps", eps=rounds),
        enclosure("rogers2016/thm2.10.eps_g", eps=eps, k=k, delta_hat=delta),
        enclosure("whitehouse2023/eq2.eps", eps=rounds, delta_prime=delta),
        enclosure("cks2020/zcdp2dp.eps", rho=k * eps * eps / 2, delta=delta),
    )
    for other in others:
        assert optimum.lower <= other.upper


@pytest.mark.parametrize("i", range(9))
def test_vertices_lie_on_the_curve(i: int) -> None:
    eps, k = Fraction(1, 10), 17
    vertex = enclosure("kov2015/vertex.delta", eps=eps, k=k, i=i)
    curve = enclosure("kov2015/optimal.delta", eps=eps, k=k, eps_g=(k - 2 * i) * eps)
    assert vertex.intersection(curve) is not None


def test_a_vertex_beyond_the_middle_is_refused() -> None:
    with pytest.raises(privref.InputError, match=r"k/2"):
        privref.evaluate("kov2015/vertex.delta", {"eps": "1", "k": 4, "i": 3})


@pytest.mark.parametrize(
    ("inputs", "value"),
    [
        ({"eps": "0.1", "k": 17, "delta_g": "0"}, "17/10"),
        ({"eps": "0.1", "k": 0, "delta_g": "0"}, "0"),
        ({"eps": "0", "k": 5, "delta_g": "0.1"}, "0"),
        ({"eps": "0.1", "k": 5, "delta_g": "1"}, "0"),
        ({"eps": "0.1", "k": 3, "delta_g": "0.14"}, "0"),
    ],
)
def test_exact_values_of_the_optimal_curve(inputs: dict[str, Any], value: str) -> None:
    for engine in ("arb", "mpmath"):
        assert privref.evaluate("kov2015/optimal.eps", inputs, engine=engine).value == value  # type: ignore[arg-type]


def test_the_top_segment_is_the_curve_and_is_refused_above_its_end() -> None:
    top = enclosure("kov2015/curve.eps_top_segment", k=15, eps="0.1", delta="1e-5")
    assert top.intersection(enclosure("kov2015/optimal.eps", k=15, eps="0.1", delta_g="1e-5")) is not None
    with pytest.raises(privref.HypothesisError):
        privref.evaluate("kov2015/curve.eps_top_segment", {"k": 15, "eps": "0.1", "delta": "0.1"})


def test_tiny_deltas_lose_nothing() -> None:
    found = enclosure("kov2015/optimal.eps", eps="0.1", k=100, delta_g="1e-30", digits=20)
    assert Fraction("9.99") < found.lower < found.upper < 10


def test_nothing_is_computed_where_the_answer_is_plain() -> None:
    """More rounds than any curve is drawn for, at epsilon 0 or a delta that anything has."""
    rounds = 10 * MOST_ROUNDS
    assert privref.evaluate("kov2015/optimal.eps", {"eps": "0", "k": rounds, "delta_g": "0.1"}).value == "0"
    assert privref.evaluate("kov2015/optimal.eps", {"eps": "1", "k": rounds, "delta_g": "1"}).value == "0"
    assert privref.evaluate("kov2015/vertex.delta", {"eps": "0", "k": rounds, "i": 3}).value == "0"


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize(("eps", "k", "delta"), [("1/40", 1000, "1e-9"), ("1e-4", 1001, "1/1000"), ("2", 1500, "1e-9")])
def test_the_terms_that_matter_say_what_all_of_them_say(
    monkeypatch: pytest.MonkeyPatch, engine: decide.EngineName, eps: str, k: int, delta: str
) -> None:
    def found() -> tuple[str, str]:
        answer = privref.evaluate("kov2015/optimal.eps", eps=eps, k=k, delta_g=delta, engine=engine, digits=20)
        assert answer.enclosure is not None
        return answer.enclosure.decimals(20)

    by_few = found()
    monkeypatch.setattr(optimal, "MANY_ROUNDS", 10**9)
    assert found() == by_few


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize("part", ["0", "1/100", "1/3", "99/100"])
@pytest.mark.parametrize(("eps", "k"), [("1/1000", 1000), ("1/50", 1001), ("3", 1500)])
def test_the_delta_of_the_terms_that_matter_is_that_of_all(
    monkeypatch: pytest.MonkeyPatch, engine: decide.EngineName, eps: str, k: int, part: str
) -> None:
    """Wherever the losses that count begin: above the mean, where terms fall from there on, and below it."""
    at = Fraction(part) * k * Fraction(eps)

    def found() -> tuple[str, str]:
        return enclosure("kov2015/optimal.delta", engine=engine, eps=eps, k=k, eps_g=at, digits=20).decimals(20)

    by_few = found()
    monkeypatch.setattr(optimal, "MANY_ROUNDS", 10**9)
    assert found() == by_few


def test_a_million_rounds_are_as_quick_as_a_thousand() -> None:
    """The number is that of all terms, which took seconds."""
    asked = {"eps": "1/1000", "k": 10**6, "delta_g": "1e-9"}
    first, second = (privref.evaluate("kov2015/optimal.eps", asked, engine=name).enclosure for name in decide.ENGINES)
    assert first is not None
    assert second is not None
    assert first.intersection(second) is not None
    assert first.decimals(10) == ("6.173912118e0", "6.173912119e0")


@pytest.mark.parametrize("off", [-1, 1, 40])
def test_a_wrong_segment_is_not_believed(monkeypatch: pytest.MonkeyPatch, off: int) -> None:
    ar = decide.engine("arb", 200)
    asked = Fraction(1, 40), 1000, Fraction(1, 10**9)
    with ar.active():
        assert optimal._by_large_terms(ar, *asked) is not None
        right = optimal._segment_by_floats
        monkeypatch.setattr(optimal, "_segment_by_floats", lambda *given: right(*given) + off)
        assert optimal._by_large_terms(ar, *asked) is None
