"""Edges of the statements: the right value or a clear refusal, and the printed variants beside the corrected ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref import catalogue
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError
from privref.statements.registry import evaluate, statement, statements
from tests.oracles import around

catalogue.load()


def enclosed(id: str, **inputs: Any) -> Enclosure:
    found = evaluate(id, inputs).enclosure
    assert found is not None
    return found


def test_no_printed_variant_stands_and_every_false_one_is_marked() -> None:
    printed = {found.id for found in statements() if found.standing == "printed"}
    assert printed >= {
        "rogers2016/lem2.3.printed",
        "whitehouse2023/lem2.printed",
        "whitehouse2023/thm2.arxiv.printed",
        "whitehouse2023/thm3.ystar.printed",
        "whitehouse2023/thm3.filter.printed",
        "whitehouse2023/lem3.branch3.printed",
    }
    assert statement("whitehouse2023/thm3.repair_term").standing == "ours"


@pytest.mark.parametrize(
    ("id", "inputs", "value"),
    [
        ("rogers2016/thm3.3.odometer", {"eps": [], "delta": [], "delta_g": "0"}, "0"),
        ("rogers2016/thm3.3.filter", {"eps": [], "delta": [], "eps_g": "0", "delta_g": "0"}, "CONT"),
        ("rogers2016/thm3.3.filter", {"eps": ["0.1"] * 10, "delta": [], "eps_g": "1", "delta_g": "0"}, "CONT"),
        ("rogers2016/thm3.3.filter", {"eps": ["0.1"] * 11, "delta": [], "eps_g": "1", "delta_g": "0"}, "HALT"),
        ("rogers2016/thm5.1.decision", {"eps": [], "delta": [], "eps_g": "1e-9", "delta_g": "1e-6"}, "CONT"),
        ("rogers2016/thm5.1.decision", {"eps": ["0"], "delta": ["5e-7"], "eps_g": "1", "delta_g": "1e-6"}, "CONT"),
        ("rogers2016/thm5.1.decision", {"eps": ["0"], "delta": ["5.1e-7"], "eps_g": "1", "delta_g": "1e-6"}, "HALT"),
        ("rogers2016/thm6.2.odometer", {"eps": [], "delta": ["1"], "n": "2", "delta_g": "1/3"}, "inf"),
        ("whitehouse2023/thm2.f", {"eps": [], "delta_prime": "1e-6"}, "0"),
        ("whitehouse2023/thm3.stitched", {"V": "0", "v0": "1", "delta_prime": "1/2"}, "inf"),
        ("whitehouse2023/thm3.stitched", {"V": "0.499999", "v0": "1", "delta_prime": "1/2"}, "inf"),
        ("whitehouse2023/thm3.stitched", {"V": "0.999999", "v0": "1", "delta_prime": "1/2"}, "inf"),
        ("whitehouse2023/thm3.repair_term", {"delta": []}, "0"),
        ("whitehouse2023/lem8.good", {"delta": []}, "1"),
    ],
)
def test_edges_have_exact_answers(id: str, inputs: dict[str, Any], value: str) -> None:
    answer = evaluate(id, inputs)
    shown = answer.value
    if shown is None:
        assert answer.enclosure is not None
        assert answer.enclosure.lower == answer.enclosure.upper
        shown = str(answer.enclosure.lower)
    assert shown == value


@pytest.mark.parametrize(
    ("target", "prime", "rest", "eps", "delta", "ran"),
    [
        ("1", "1e-6", "0", [], [], "0"),
        ("1", "1e-6", "0", ["10"], ["0"], "0"),
        ("0", "1e-6", "0", ["0", "0", "1/1000000"], ["0"] * 3, "2"),
        ("1", "1", "0", ["1", "1", "1/1000000"], ["0"] * 3, "2"),
        ("1", "1e-6", "1/10", ["0"] * 3, ["1/20", "1/20", "1/20"], "2"),
    ],
)
def test_the_filter_stops_from_zero_and_on_strict_exceedance(
    target: str, prime: str, rest: str, eps: list[str], delta: list[str], ran: str
) -> None:
    inputs = {"eps_target": target, "delta_prime": prime, "delta_pp": rest, "eps": eps, "delta": delta}
    assert evaluate("whitehouse2023/thm2.N", inputs).value == ran


@pytest.mark.parametrize(
    ("id", "inputs", "field"),
    [
        ("whitehouse2023/thm3.mixture", {"V": "1", "gamma": "1", "delta_prime": "1"}, "delta_prime"),
        ("whitehouse2023/thm3.mixture", {"V": "1", "gamma": "0", "delta_prime": "1/2"}, "gamma"),
        ("whitehouse2023/thm3.filter", {"V": "-1", "eps": "1", "delta_prime": "1/2"}, "V"),
        ("whitehouse2023/thm3.stitched", {"V": "1", "v0": "0", "delta_prime": "1/2"}, "v0"),
        ("whitehouse2023/thm6.boundary", {"V": "1/2", "v0": "1", "delta": "1/2"}, "V"),
        ("whitehouse2023/lem3.branch2", {"V": "1/2", "n": "1", "delta_prime": "1/10"}, "n"),
        ("whitehouse2023/lem3.branch2", {"V": "1/2", "n": "2", "delta_prime": "1/2"}, "delta_prime"),
        ("rogers2016/thm6.2.eq4", {"eps": [], "n": "1", "delta_g": "1/10"}, "n"),
        ("rogers2016/thm5.1.bound", {"eps": [], "eps_g": "1", "delta_g": "0.4"}, "delta_g"),
        ("rogers2016/thm5.1.bound", {"eps": [], "eps_g": "0", "delta_g": "0.1"}, "eps_g"),
        ("rogers2016/thm4.1.radius", {"U2": "1", "beta": "0", "delta": "0.1"}, "beta"),
        ("whitehouse2023/thm3.repair_term", {"delta": ["1"]}, "delta"),
        ("whitehouse2023/thm2.f", {"eps": ["1"], "delta_prime": "0"}, "delta_prime"),
    ],
)
def test_inputs_outside_the_theorem_are_refused_by_name(id: str, inputs: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        evaluate(id, inputs)
    assert caught.value.field.startswith(field)


@pytest.mark.parametrize(
    ("eps", "n", "inside"),
    [
        (["1/10"], "10", True),
        (["1"], "10", True),
        (["9/100"], "10", False),
        (["1", "1e-9"], "10", False),
        ([], "2", False),
    ],
)
def test_the_branches_of_the_rogers_odometer_meet_on_a_closed_interval(eps: list[str], n: str, inside: bool) -> None:
    inputs = {"eps": eps, "n": n, "delta_g": "1/10"}
    right, wrong = ("eq3", "eq4") if inside else ("eq4", "eq3")
    value = enclosed(f"rogers2016/thm6.2.{right}", **inputs)
    assert value.intersection(enclosed("rogers2016/thm6.2.odometer", **inputs, delta=[])) is not None
    with pytest.raises(HypothesisError, match=wrong):
        evaluate(f"rogers2016/thm6.2.{wrong}", inputs)
    time = str(sum((Fraction(e) ** 2 for e in eps), Fraction(0)))
    restated = {"V": time, "n": n, "delta_prime": "1/10"}
    right, wrong = ("branch2", "branch3.corrected") if inside else ("branch3.corrected", "branch2")
    branch = enclosed(f"whitehouse2023/lem3.{right}", **restated)
    assert branch.intersection(enclosed("whitehouse2023/lem3.odometer", **restated)) is not None
    with pytest.raises(HypothesisError, match=wrong):
        evaluate(f"whitehouse2023/lem3.{wrong}", restated)


@pytest.mark.parametrize(("eps", "delta_prime"), [("1", "1e-6"), ("1/10", "1/100"), ("5", "1/2"), ("1e-9", "0.999")])
def test_the_printed_y_star_solves_for_half_the_target_and_the_corrected_one_for_the_target(
    eps: str, delta_prime: str
) -> None:
    for word, share in (("printed", Fraction(1, 2)), ("corrected", Fraction(1))):
        y = enclosed(f"whitehouse2023/thm3.ystar.{word}", eps=eps, delta_prime=delta_prime)
        target, small = share * Fraction(eps), Fraction(delta_prime)
        with mpmath.workdps(50):
            log = mpmath.log(mpmath.mpf(small.denominator) / small.numerator)
            points = [mpmath.mpf(end.numerator) / end.denominator for end in (y.lower, y.upper)]
            low, high = (around(mpmath.sqrt(2 * log * z) + z / 2, relative=Fraction(1, 10**45)) for z in points)
        assert low.lower <= target <= high.upper


@given(
    u2=st.fractions(0, 50, max_denominator=20),
    beta=st.fractions(Fraction(1, 100), 10, max_denominator=100),
    delta=st.fractions(Fraction(1, 10**6), Fraction(9, 25), max_denominator=10**6),
)
def test_the_additive_radius_is_never_above_theorem_4_1(u2: Fraction, beta: Fraction, delta: Fraction) -> None:
    inputs = {"U2": str(u2), "beta": str(beta), "delta": str(delta)}
    assert (
        enclosed("rogers2016/thm4.1.additive", **inputs).lower <= enclosed("rogers2016/thm4.1.radius", **inputs).upper
    )


def test_the_repaired_odometers_add_exactly_the_repair_term() -> None:
    delta = ["1/100", "1/50"]
    term = enclosed("whitehouse2023/thm3.repair_term", delta=delta)
    for name, tuning in (("filter", "y_star"), ("mixture", "gamma"), ("stitched", "v0")):
        plain_id = "whitehouse2023/thm3.filter.at" if name == "filter" else f"whitehouse2023/thm3.{name}"
        inputs = {"V": "1/10", tuning: "1/20", "delta_prime": "1/100"}
        plain, repaired = (
            enclosed(plain_id, **inputs),
            enclosed(f"whitehouse2023/thm3.{name}.repaired", **inputs, delta=delta),
        )
        total = Enclosure(plain.lower + term.lower, plain.upper + term.upper)
        assert total.intersection(repaired) is not None
        assert repaired.width < Fraction(1, 10**25)
    gap = {"V": "1/100", "v0": "1/20", "delta_prime": "1/100", "delta": delta}
    assert evaluate("whitehouse2023/thm3.stitched.repaired", gap).value == "inf"


def test_the_largest_rho_and_mu_invert_their_conversions() -> None:
    rho = enclosed("cks2020/zcdp2dp.rho", eps="1", delta="1e-6")
    for end, side in ((rho.lower, 1), (rho.upper, -1)):
        delta = enclosed("cks2020/zcdp2dp.delta", rho=str(end), eps="1")
        assert side * (Fraction("1e-6") - delta.lower) >= -Fraction(1, 10**30)
    mu = enclosed("gdp/profile.mu", eps="1", delta="1e-6")
    profile = enclosed("gdp/profile.delta", mu=str(mu.lower), eps="1")
    assert abs(profile.lower - Fraction("1e-6")) < Fraction(1, 10**30)
    at_zero = enclosed("cks2020/zcdp2dp.rho", eps="0", delta="1/10")
    assert at_zero.lower > 0


def test_the_gaussian_filter_statement_agrees_with_the_profile() -> None:
    inputs = {"mu": ["1/10", "1/10"], "eps_g": "1", "delta_g": "1e-6"}
    assert evaluate("smith2022/filter.decision", inputs).value == "CONT"
    assert evaluate("smith2022/filter.decision", {**inputs, "mu": ["1/10"] * 6}).value == "HALT"
    assert evaluate("smith2022/filter.decision", {**inputs, "mu": []}).value == "CONT"


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize(("target", "ran"), [("1/3", 6), ("1/4", 4), ("0", 0)])
def test_a_delta_prime_of_one_leaves_half_the_variance(engine: str, target: str, ran: int) -> None:
    """The bound is then the rational V/2, which may tie with the target at no precision of an interval."""
    inputs = {"eps_target": target, "delta_prime": "1", "delta_pp": "0", "eps": ["1/3"] * 7, "delta": ["0"] * 7}
    assert evaluate("whitehouse2023/thm2.N", inputs, engine=engine).value == str(ran)  # type: ignore[arg-type]
