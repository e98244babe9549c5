"""The response filter: its machine is its statement, and admits what the basic and the tight zCDP filter do."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privref
from privref.adaptive.machines import Setup, build
from privref.adaptive.protocol import run
from privref.adaptive.response import ResponseFilter
from privref.exact import decide
from privref.exact.errors import HypothesisError, InputError
from privref.games import named
from privref.games.accountants import MachineAccountant
from privref.games.attack import attack
from privref.guarantees.model import ApproxDP, GaussianDP, Guarantee, PureDP
from privref.guarantees.randomized_response import charged, charged_at_order
from privref.reproductions.filters import FILTERS, SETTINGS, admitted, optimum
from tests.oracles import encloses

EPS, DELTA = Fraction(3), Fraction(1, 10**6)
SIZES = st.sampled_from([Fraction(1, 100), Fraction(1, 10), Fraction(1, 4), Fraction(1), Fraction(5, 2)])


def verdicts(machine: str, events: list[Guarantee]) -> list[str]:
    built = build(machine, Setup(EPS, DELTA, delta_prime=DELTA / 2))
    return [decision.verdict for decision in run(built, events)]


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(SIZES, st.integers(1, 60)), max_size=6))
def test_it_admits_whatever_the_basic_and_the_tight_zcdp_filter_admit(rounds: list[tuple[Fraction, int]]) -> None:
    events: list[Guarantee] = [PureDP(eps) for eps, count in rounds for _ in range(count)]
    ours = verdicts("response-filter", events)
    for other in ("basic-filter", "tight-zcdp-filter"):
        for mine, theirs in zip(ours, verdicts(other, events), strict=True):
            # The order is a rational next to the best one: of what lies within 2^-20 nothing is asked here.
            assert mine == "CONT" or theirs == "HALT"


@settings(deadline=None, max_examples=25)
@given(st.lists(SIZES, max_size=30), st.sampled_from([Fraction(2), Fraction(7), Fraction(40)]))
def test_the_machine_decides_as_its_statement(sizes: list[Fraction], order: Fraction) -> None:
    machine = ResponseFilter.of(EPS, order, DELTA / 2, DELTA / 2)
    state = machine.start()
    for n, eps in enumerate(sizes, 1):
        state, decision = machine.step(state, ApproxDP(eps, Fraction(1, 10**8)))
        inputs = {
            "order": str(order), "eps": [str(each) for each in sizes[:n]], "delta": ["1e-8"] * n,
            "eps_g": str(EPS), "delta_prime": str(DELTA / 2), "delta_pp": str(DELTA / 2),
        }  # fmt: skip
        assert privref.evaluate("feldman2021/response_filter.decision", inputs).value == decision.verdict
        if decision.verdict == "HALT":
            break


@pytest.mark.parametrize(
    ("menu", "epsilon", "delta"),
    [
        ("1/10, 1/2, 1", "1", "1/20"),
        ("1/4, 1/2:1/100, 3/4", "1", "1/10"),
        ("1/3, 0:1/50, 1:1/1000", "3/2", "1/20"),
    ],
)
def test_no_adversary_breaks_it(menu: str, epsilon: str, delta: str) -> None:
    """Every adversary of eight rounds, with the default split and order."""
    found = privref.attack("response-filter", menu, 8, epsilon=epsilon, delta=delta)
    assert found.verdict == "not-broken"
    assert found.rounds == 8
    assert 0 < found.ceiling <= Fraction(delta)


def test_without_its_conversion_it_would_be_broken() -> None:
    """The search has teeth: with all of a larger delta' for the conversion two rounds too many run."""
    machine = ResponseFilter.of(Fraction(1), Fraction(3), Fraction(2, 5), Fraction(0))
    claimed = named.budget("1", "1/20", "1")
    found = attack(MachineAccountant("x", machine, "filter", {}), named.read_rounds("1/2, 1"), claimed, 4)
    assert found.verdict == "broken"


def test_what_it_does_not_cover_is_refused() -> None:
    machine = build("response-filter", Setup(EPS, DELTA))
    with pytest.raises(HypothesisError, match="epsilon, delta"):
        machine.step(machine.start(), GaussianDP(Fraction(1)))
    with pytest.raises(InputError, match="order"):
        build("response-filter", Setup(EPS, DELTA, order=Fraction(1)))


def test_an_order_that_is_too_low_to_convert_leaves_the_sum() -> None:
    machine = build("response-filter", Setup(EPS, DELTA, order=Fraction(11, 10)))
    state, decision = machine.block(machine.start(), PureDP(Fraction(1)), 3)
    assert decision.verdict == "CONT"
    assert machine.step(state, PureDP(Fraction(1, 10**9)))[1].verdict == "HALT"


@pytest.mark.parametrize("setting", [s for s in SETTINGS if s.name != "eps = 1/200"], ids=lambda s: s.name)
def test_no_filter_admits_more_than_the_optimum(setting) -> None:  # type: ignore[no-untyped-def]
    """But for the filter by domination, those that charge randomized response's divergence admit the most DP rounds."""
    most = int(optimum(setting))
    counts = {name: admitted(name, setting) for name in FILTERS}
    known = {name: int(count) for name, count in counts.items() if count != "-"}
    assert max(known.values()) <= most
    if counts["response-filter"] != "-":
        del known["domination-filter"]
        assert max(known["response-filter"], known["renyi-grid-filter"]) == max(known.values())


def test_the_divergence_is_that_of_the_law() -> None:
    """By the definition, over the two outcomes, and at most alpha eps^2/2."""
    ar = decide.engine("arb")
    for eps, order in ((Fraction(1), 2), (Fraction(1, 3), 7)):
        stated = privref.evaluate("mironov2017/response.renyi", eps=str(eps), order=str(order)).enclosure
        assert stated is not None

        def moment(inner, eps=eps, order=order):  # type: ignore[no-untyped-def]
            p = inner.exp(eps) / (1 + inner.exp(eps))
            return inner.log(p**order / (1 - p) ** (order - 1) + (1 - p) ** order / p ** (order - 1)) / (order - 1)

        law = decide.enclose(moment, ar, Fraction(1, 10**60))
        assert encloses(stated, law)
        assert stated.upper < order * eps * eps / 2


@pytest.mark.parametrize("eps", ["1e-30", "1e-8", "1e-7", "1/1000000", "1/100", "3", "127", "128", "1e4", "1e3990"])
@pytest.mark.parametrize("order", ["1000001/1000000", "3/2", "16", "512", "100000"])
def test_every_epsilon_has_a_charge_that_is_above_its_divergence_and_near(eps: str, order: str) -> None:
    """By mpmath, from log cosh((order - 1/2) eps) - log cosh(eps/2): in steps of 2^-96, of a millionth in a filter."""
    epsilon, alpha = Fraction(eps), Fraction(order)
    cost, small = charged(epsilon, alpha), charged_at_order(epsilon, alpha)
    if epsilon >= 128:
        assert cost == small == epsilon  # within 2 epsilon e^-epsilon
        return
    with mpmath.workdps(120):
        e, a = (mpmath.mpf(value.numerator) / value.denominator for value in (epsilon, alpha))

        def log_cosh(x):  # type: ignore[no-untyped-def]
            return x + mpmath.log1p(mpmath.exp(-2 * x)) - mpmath.log(2)

        exact = (log_cosh((a - mpmath.mpf(1) / 2) * e) - log_cosh(e / 2)) / (a - 1)
        least, most = (mpmath.mpf(value.numerator) / value.denominator for value in (cost, small))
        assert exact <= least * (1 + mpmath.mpf(10) ** -90)
        assert least - exact <= mpmath.mpf(2) ** -96 + exact * mpmath.mpf(10) ** -90
        assert least <= most * (1 + mpmath.mpf(10) ** -90)
        assert most <= exact * (1 + mpmath.mpf(10) ** -6) + mpmath.mpf(2) ** -96


@pytest.mark.parametrize(
    ("eps", "order"),
    [("0.3", "1e6"), ("2.5", "1e20"), ("1e-9", "1e15"), ("1e13", "1e4"), ("1e40", "1.5"), ("1e6", "2")],
)
def test_both_engines_answer_large_orders(eps: str, order: str) -> None:
    """e^((1 - 2 alpha) eps) is next to 0, and so is its log1p: mpmath refused it."""
    found = [
        privref.evaluate("mironov2017/response.renyi", eps=eps, order=order, engine=engine).enclosure
        for engine in ("arb", "mpmath")
    ]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].intersection(found[1]) is not None
    assert found[1].upper <= Fraction(eps) * (1 + Fraction(1, 10**20))
