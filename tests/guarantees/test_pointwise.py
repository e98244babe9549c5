"""Pointwise indistinguishability and randomized response against exact enumeration."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref import catalogue
from privref.exact import decide
from privref.exact.errors import InputError
from privref.statements.registry import evaluate
from tests.oracles import encloses

catalogue.load()

WITNESS = {"p": ["1/6", "1/30", "4/5"], "q": ["1/30", "1/6", "4/5"]}


def bounds(id: str, **inputs: object) -> tuple[Fraction, Fraction]:
    found = evaluate(id, inputs).enclosure
    assert found is not None
    return found.lower, found.upper


def test_the_printed_conversion_is_broken_by_its_witness_and_the_corrected_one_is_met_exactly() -> None:
    assert evaluate("rogers2016/def2.1.delta", {**WITNESS, "exp_eps": "2"}).value == "1/10"
    # |loss| = log 5 > 2 log 2 on the first two outcomes.
    assert evaluate("rogers2016/def2.2.delta", {**WITNESS, "exp_eps": "4"}).value == "1/5"
    # eps slightly above log 2 makes e^eps >= 2, so that the pair stays (eps, 1/10)-indistinguishable.
    log2 = "6931471805599454/10000000000000000"
    assert bounds("rogers2016/lem2.3.printed", eps=log2, delta="1/10")[1] < Fraction(1, 5)
    assert bounds("rogers2016/lem2.3.corrected", eps=log2, delta="1/10")[1] >= Fraction(1, 5)


laws = st.lists(st.integers(0, 8), min_size=4, max_size=4).filter(lambda w: sum(w) > 0)


@given(p=laws, q=laws, exp_eps=st.sampled_from([Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(5)]))
def test_no_pair_of_laws_beats_the_corrected_conversion(p: list[int], q: list[int], exp_eps: Fraction) -> None:
    first = [Fraction(w, sum(p)) for w in p]
    second = [Fraction(w, sum(q)) for w in q]
    delta = max(
        sum((max(a - exp_eps * b, Fraction(0)) for a, b in pairs), Fraction(0))
        for pairs in (list(zip(first, second, strict=True)), list(zip(second, first, strict=True)))
    )
    x = exp_eps
    sharp = delta * (1 + 1 / x**2) / (1 - 1 / x)
    inputs = {"p": [str(a) for a in first], "q": [str(b) for b in second]}
    assert evaluate("rogers2016/def2.1.delta", {**inputs, "exp_eps": str(x)}).value == str(delta)
    pointwise = evaluate("rogers2016/def2.2.delta", {**inputs, "exp_eps": str(x * x)}).value
    assert pointwise is not None
    assert Fraction(pointwise) <= min(sharp, Fraction(1))


def test_the_corrected_delta_is_a_probability() -> None:
    assert bounds("rogers2016/lem2.3.corrected", eps="1/1000", delta="1/2") == (1, 1)
    assert evaluate("rogers2016/lem2.3.corrected", {"eps": "1", "delta": "0"}).value == "0"


@pytest.mark.parametrize("id", ["rogers2016/lem2.3.corrected", "whitehouse2023/lem2.corrected"])
def test_epsilon_zero_has_no_conversion(id: str) -> None:
    with pytest.raises(InputError, match="eps"):
        evaluate(id, {"eps": "0", "delta": "1/10"})


@pytest.mark.parametrize(("eps", "delta"), [("1/2", "1/100"), ("3", "0"), ("0", "1/10"), ("500", "1/3")])
def test_the_outcomes_of_randomized_response_sum_to_one(eps: str, delta: str) -> None:
    top = bounds("rogers2016/def2.6.p_top", eps=eps, delta=delta)
    bottom = bounds("rogers2016/def2.6.p_bottom", eps=eps, delta=delta)
    assert top[0] + bottom[0] <= 1 - Fraction(delta) <= top[1] + bottom[1]
    merged = bounds("whitehouse2023/appF.probability", eps=eps, delta=delta)
    assert merged[0] <= top[1] + Fraction(delta)
    assert top[0] + Fraction(delta) <= merged[1]


def test_the_merged_loss_exceeds_epsilon_for_every_positive_delta() -> None:
    assert bounds("whitehouse2023/appF.loss", eps="1/2", delta="1e-20")[0] > Fraction(1, 2)
    assert bounds("whitehouse2023/appF.loss", eps="1/2", delta="0")[1] >= Fraction(1, 2)


def test_renyi_divergence_of_small_laws() -> None:
    # P = (1, 0), Q = (1/2, 1/2): every order gives log 2; exchanged, P is not absolutely continuous.
    for order in ("1", "2", "7/2"):
        low, high = bounds("whitehouse2023/def2.renyi", p=["1", "0"], q=["1/2", "1/2"], order=order)
        log_2 = Fraction("0.693147180559945309417232121458176568")
        assert log_2 - Fraction(1, 10**30) < low <= high < log_2 + Fraction(1, 10**30)
    swapped = evaluate("whitehouse2023/def2.renyi", {"p": ["1/2", "1/2"], "q": ["1", "0"], "order": "2"})
    assert swapped.value == "inf"
    same = evaluate("whitehouse2023/def2.renyi", {"p": ["1/2", "1/2"], "q": ["1/2", "1/2"], "order": "3"})
    assert same.value == "0"
    with pytest.raises(InputError, match="order"):
        evaluate("whitehouse2023/def2.renyi", {"p": ["1"], "q": ["1"], "order": "1/2"})
    with pytest.raises(InputError, match="sum to 1"):
        evaluate("whitehouse2023/def2.renyi", {"p": ["1/2"], "q": ["1"], "order": "2"})


def test_good_coins_never_weigh_less_than_the_union_bound() -> None:
    inputs = {"delta": ["1/10", "1/10", "1/4"]}
    assert evaluate("whitehouse2023/lem8.good", inputs).value == str(Fraction(9, 10) ** 2 * Fraction(3, 4))
    assert evaluate("whitehouse2023/lem8.lower", inputs).value == "11/20"


@pytest.mark.parametrize("order", ["1", "2", "5/2"])
def test_a_law_without_an_outcome_of_the_other_is_infinitely_far(order: str) -> None:
    """And a law is at distance 0 from itself, though it be one outcome."""
    far = {"p": ["1/3", "1/3", "1/3"], "q": ["1/2", "1/2", "0"], "order": order}
    assert evaluate("whitehouse2023/def2.renyi", far).value == "inf"
    assert evaluate("whitehouse2023/def2.renyi", {"p": ["1", "0"], "q": ["1", "0"], "order": order}).value == "0"


@pytest.mark.parametrize("order", ["1.001", "3", "1e4", "1e20", "1e100"])
@pytest.mark.parametrize(("p", "q"), [("1/3", "1/2"), ("1e-30", "1/2"), ("1/1000", "1e-300")])
def test_both_engines_answer_large_orders(p: str, q: str, order: str) -> None:
    """No exponent is positive; the divergence of a large order is next to the largest log ratio."""
    laws = {name: [each, str(1 - Fraction(each))] for name, each in (("p", p), ("q", q))}
    found = [
        evaluate("whitehouse2023/def2.renyi", {**laws, "order": order}, engine=engine).enclosure
        for engine in ("arb", "mpmath")
    ]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].intersection(found[1]) is not None
    if order == "3":
        exact = sum((Fraction(a) ** 3 / Fraction(b) ** 2 for a, b in zip(*laws.values(), strict=True)), Fraction(0))
        by_definition = decide.enclose(lambda ar: ar.log(exact) / 2, decide.engine("arb"), Fraction(1, 10**60))
        assert encloses(found[0], by_definition)
        assert encloses(found[1], by_definition)
