"""What every odometer must show, and that it is valid where it says so."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from privref.adaptive import machines, odometers, whitehouse
from privref.adaptive.machines import MACHINES, Setup
from privref.adaptive.protocol import Reading, run
from privref.adaptive.running import shown
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    OutputDP,
    ProbabilisticDP,
    PureDP,
)
from privref.statements.registry import evaluate
from tests.oracles import encloses
from tests.slow import shared

ODOMETERS = [entry.name for entry in MACHINES if entry.role == "odometer"]
REPAIRED = [name for name in ODOMETERS if name.endswith("repaired")]
SETUP = Setup(Fraction(1), Fraction(1, 10**6), n=Fraction(1000))
SLACK = Fraction(1, 2 * 10**6)

epsilons = st.fractions(0, Fraction(1, 2), max_denominator=40)


@shared
def build(name: str, setup: Setup) -> Any:
    """A machine, built once: tuning costs more than a step."""
    return machines.build(name, setup)


def value(reading: Reading | None) -> Enclosure | str:
    found = shown(reading, Fraction(1, 10**15))
    assert found is not None
    return found


def last(name: str, events: list[Guarantee], setup: Setup = SETUP) -> Enclosure | str:
    machine = build(name, setup)
    state: Any = machine.start()
    reading: Reading | None = None
    for event in events:
        state, decision = machine.step(state, event)
        reading = decision.reading
    return value(reading)


@pytest.mark.parametrize("name", ["basic-odometer", "filter-odometer", "mixture-odometer", *REPAIRED[:2]])
@settings(max_examples=25)
@given(data=st.data())
def test_readings_increase_with_each_epsilon_and_with_each_round(name: str, data: st.DataObject) -> None:
    eps = data.draw(st.lists(epsilons, min_size=1, max_size=5))
    at = data.draw(st.integers(0, len(eps) - 1))
    more = data.draw(st.fractions(Fraction(1, 1000), 1, max_denominator=1000))
    larger = [*eps]
    larger[at] += more
    before, after = last(name, [PureDP(e) for e in eps]), last(name, [PureDP(e) for e in larger])
    assert isinstance(before, Enclosure)
    assert isinstance(after, Enclosure)
    assert before.upper < after.lower
    longer = last(name, [PureDP(e) for e in [*eps, more]])
    assert isinstance(longer, Enclosure)
    assert before.upper < longer.lower


@pytest.mark.parametrize("name", ODOMETERS)
@settings(max_examples=20)
@given(eps=st.lists(epsilons, min_size=1, max_size=6))
def test_readings_are_never_below_the_pointwise_bound(name: str, eps: list[Fraction]) -> None:
    reading = last(name, [PureDP(e) for e in eps])
    if reading == "inf":
        return
    assert isinstance(reading, Enclosure)
    if name == "basic-odometer":
        assert reading == Enclosure(sum(eps, Fraction(0)), sum(eps, Fraction(0)))
        return
    square = sum((e * e for e in eps), Fraction(0))
    delta = Fraction(1, 10**6) if name == "rogers-odometer" else SLACK
    pointwise = decide.enclose(
        lambda ar: whitehouse.f(ar, square, delta), decide.engine("mpmath", 160), Fraction(1, 10**20)
    )
    assert reading.upper >= pointwise.lower


@pytest.mark.parametrize("name", ODOMETERS)
@settings(max_examples=15)
@given(eps=st.lists(epsilons, max_size=5), data=st.data())
def test_states_resume_and_forget_the_order(name: str, eps: list[Fraction], data: st.DataObject) -> None:
    machine = build(name, SETUP)
    events = [PureDP(e) for e in eps]
    ends = []
    for sequence in (events, data.draw(st.permutations(events))):
        state: Any = machine.start()
        for event in sequence:
            kept = repr(state)
            following, decision = machine.step(state, event)
            assert decision.verdict == "CONT"
            if decision.reading != "inf":
                value(decision.reading)
            assert repr(state) == kept
            state = following
        ends.append(state)
    assert ends[0] == ends[1]
    cut = data.draw(st.integers(0, len(events)))
    halfway: Any = machine.start()
    for event in events[:cut]:
        halfway, _ = machine.step(halfway, event)
    resumed = list(run(machine, events[cut:], halfway))
    whole = list(run(machine, events))[cut:]
    assert [value(d.reading) for d in resumed] == [value(d.reading) for d in whole]


def test_no_rounds_and_free_rounds_cost_what_the_formula_says() -> None:
    assert last("basic-odometer", [PureDP(Fraction(0))]) == Enclosure(Fraction(0), Fraction(0))
    assert last("stitched-odometer", [PureDP(Fraction(0))] * 3) == "inf"
    for name, id, inputs in (
        ("mixture-odometer", "whitehouse2023/thm3.mixture", {"V": "0", "gamma": "1/100", "delta_prime": str(SLACK)}),
        ("filter-odometer", "whitehouse2023/thm3.filter.at", {"V": "0", "y_star": "1/50", "delta_prime": str(SLACK)}),
    ):
        setup = Setup(Fraction(1), Fraction(1, 10**6), gamma=Fraction(1, 100), y_star=Fraction(1, 50), n=Fraction(1000))
        machine = build(name, setup)
        reading = value(machine.step(machine.start(), PureDP(Fraction(0)))[1].reading)
        expected = evaluate(id, inputs, digits=60).enclosure
        assert isinstance(reading, Enclosure)
        assert expected is not None
        assert encloses(reading, expected)


def test_the_stitched_odometer_starts_exactly_at_v0() -> None:
    setup = Setup(Fraction(1), Fraction(1, 10**6), v0=Fraction(1, 100))
    below = last("stitched-odometer", [PureDP(Fraction(99999, 10**6))], setup)
    at = last("stitched-odometer", [PureDP(Fraction(1, 10))], setup)
    assert below == "inf"
    assert isinstance(at, Enclosure)


def test_the_filter_odometer_touches_the_pointwise_bound_at_y_star_only() -> None:
    def above_pointwise(ar: Any, time: Fraction) -> Any:
        return whitehouse.filter_odometer(ar, time, Fraction(1, 50), SLACK) - whitehouse.f(ar, time, SLACK)

    for time, touches in ((Fraction(1, 50), True), (Fraction(1, 49), False), (Fraction(1, 51), False)):
        gap = decide.enclose_once(partial(above_pointwise, time=time), decide.engine("arb", 300))
        assert gap is not None
        assert gap.contains(Fraction(0)) == touches
        assert gap.upper > 0


def test_the_rogers_odometers_use_the_closed_interval() -> None:
    for name, statement in (("rogers-odometer", "rogers2016/thm6.2"), ("restated-odometer", "whitehouse2023/lem3")):
        setup = Setup(Fraction(1), Fraction(1, 10), n=Fraction(10))
        inside = [[PureDP(Fraction(1, 10))], [PureDP(Fraction(1))]]
        outside = [[PureDP(Fraction(1, 11))], [PureDP(Fraction(1)), PureDP(Fraction(1, 100))], [PureDP(Fraction(0))]]
        for group, where in ((inside, True), (outside, False)):
            for events in group:
                reading = last(name, events, setup)
                assert isinstance(reading, Enclosure)
                eps = [str(event.epsilon) for event in events if isinstance(event, PureDP)]
                if statement == "rogers2016/thm6.2":
                    id = f"{statement}.eq3" if where else f"{statement}.eq4"
                    answer = evaluate(id, {"eps": eps, "n": "10", "delta_g": "1/10"}, digits=60)
                else:
                    square = str(sum(Fraction(e) ** 2 for e in eps))
                    id = f"{statement}.branch2" if where else f"{statement}.branch3.corrected"
                    answer = evaluate(id, {"V": square, "n": "10", "delta_prime": "1/20"}, digits=60)
                assert answer.enclosure is not None
                assert encloses(reading, answer.enclosure)


@pytest.mark.parametrize("name", ["rogers-odometer", "restated-odometer"])
def test_the_size_of_the_data_set_must_be_public_and_at_least_two(name: str) -> None:
    with pytest.raises(InputError, match=r"n\b"):
        build(name, Setup(Fraction(1), Fraction(1, 10)))
    with pytest.raises(InputError, match=">= 2"):
        build(name, Setup(Fraction(1), Fraction(1, 10), n=Fraction(1)))
    assert build(name, Setup(Fraction(1), Fraction(1, 10), n=Fraction(2))) is not None


@pytest.mark.parametrize("name", [name for name in ODOMETERS if name not in ("basic-odometer", *REPAIRED)])
@pytest.mark.parametrize("kind", [ApproxDP, ProbabilisticDP])
def test_positive_deltas_make_martingale_odometers_inapplicable(name: str, kind: Any) -> None:
    machine = build(name, SETUP)
    with pytest.raises(HypothesisError, match="delta > 0"):
        machine.step(machine.start(), kind(Fraction(1, 10), Fraction(1, 10**9)))
    machine.step(machine.start(), kind(Fraction(1, 10), Fraction(0)))
    seen = build(name, Setup(Fraction(1), Fraction(1, 10**6), n=Fraction(1000), dominating=True))
    seen.step(seen.start(), kind(Fraction(1, 10), Fraction(1, 10**9)))


@pytest.mark.parametrize("name", ["basic-odometer", *REPAIRED])
def test_pdp_rounds_are_covered_where_dp_rounds_are_not(name: str) -> None:
    machine = build(name, SETUP)
    machine.step(machine.start(), ProbabilisticDP(Fraction(1, 10), Fraction(1, 10**9)))
    with pytest.raises(HypothesisError, match="delta > 0"):
        machine.step(machine.start(), ApproxDP(Fraction(1, 10), Fraction(1, 10**9)))
    with pytest.raises(HypothesisError, match="delta > 0"):
        machine.step(machine.start(), OutputDP((("a", Fraction(1, 10)),), Fraction(1, 10**9)))


MOMENTS = ("filter-odometer", "mixture-odometer", "one-sided-mixture-odometer", "stitched-odometer")


@pytest.mark.parametrize("name", ODOMETERS)
@pytest.mark.parametrize("event", [ZCDP(Fraction(1, 100)), GaussianDP(Fraction(1, 10))])
def test_unbounded_losses_are_covered_by_odometers_of_moments_only(name: str, event: Guarantee) -> None:
    """Theorem 3's: rho counts as an intrinsic time of 2 rho, like the pure round of epsilon^2 = 2 rho."""
    machine = build(name, SETUP)
    if name not in MOMENTS:
        with pytest.raises(HypothesisError, match="bounded"):
            machine.step(machine.start(), event)
        return
    rho = event.rho if isinstance(event, ZCDP) else Fraction(1, 200)
    states = {machine.block(machine.start(), event, 2)[0]}
    if isinstance(event, GaussianDP):
        states.add(machine.block(machine.start(), PureDP(Fraction(1, 10)), 2)[0])
    assert {state.time for state in states} == {4 * rho}
    assert len(states) == 1
    with pytest.raises(HypothesisError):
        machine.step(machine.start(), ZCDP(rho, Fraction(1, 10**9)))


@pytest.mark.parametrize("name", ["basic-odometer", *REPAIRED])
def test_an_overspent_delta_shows_inf_for_ever(name: str) -> None:
    budget = Fraction(1, 10**6) if name == "basic-odometer" else SLACK
    machine = build(name, Setup(Fraction(1), Fraction(1, 10**6), v0=Fraction(1, 10**4)))
    state, decision = machine.step(machine.start(), ProbabilisticDP(Fraction(1, 10), budget))
    assert decision.reading != "inf"
    state, decision = machine.step(state, ProbabilisticDP(Fraction(0), Fraction(1, 10**30)))
    assert decision.reading == "inf"
    state, decision = machine.step(state, PureDP(Fraction(0)))
    assert (decision.verdict, decision.reading) == ("CONT", "inf")


# --- validity, by exact walks and trees of our own ------------------------------------------------------------------


def crossing(eps: Fraction, rounds: int, bound: Callable[[int], Fraction | float], *, two_sided: bool) -> mpf:
    """The probability that randomized response with ``eps`` ever has a loss above ``bound(k)``, k <= rounds."""
    step = mpf(eps.numerator) / eps.denominator
    up = 1 / (1 + mpmath.exp(-step))
    walk = {0: mpf(1)}
    failed = mpf(0)
    for k in range(1, rounds + 1):
        limit = bound(k)
        moved: dict[int, mpf] = {}
        for place, mass in walk.items():
            for there, part in ((place + 1, mass * up), (place - 1, mass * (1 - up))):
                if there * eps > limit or (two_sided and -there * eps > limit):
                    failed += part
                else:
                    moved[there] = moved.get(there, mpf(0)) + part
        walk = moved
    return failed


def readings(name: str, setup: Setup, eps: Fraction) -> Callable[[int], Fraction | float]:
    return readings_of(name, setup, PureDP(eps))


def readings_of(name: str, setup: Setup, event: Guarantee) -> Callable[[int], Fraction | float]:
    machine = build(name, setup)
    state: Any = machine.start()
    seen: list[Fraction | float] = []

    def at(k: int) -> Fraction | float:
        nonlocal state
        while len(seen) < k:
            state, decision = machine.step(state, event)
            reading = value(decision.reading)
            seen.append(math.inf if isinstance(reading, str) else reading.upper)
        return seen[k - 1]

    return at


@pytest.mark.parametrize("name", ODOMETERS)
def test_odometers_hold_for_randomized_response_at_all_times_at_once(name: str) -> None:
    eps = Fraction(1, 20)
    setup = Setup(Fraction(1, 2), Fraction(1, 5), delta_prime=Fraction(1, 10), n=Fraction(50), v0=Fraction(1, 100))
    delta = mpf(1) / 5 if name in ("rogers-odometer", "basic-odometer") else mpf(1) / 10
    two_sided = name in ("rogers-odometer", "restated-odometer", "basic-odometer")
    assert crossing(eps, 150, readings(name, setup, eps), two_sided=two_sided) <= delta


def crossing_of_interval(
    width: Fraction, share: Fraction, rounds: int, bound: Callable[[int], Fraction | float]
) -> mpf:
    """The probability that the loss of two-point mechanisms on [t - width, t], t = share width, ever exceeds it."""
    e, t = (mpf(x.numerator) / x.denominator for x in (width, share * width))
    high = (mpmath.exp(e) - mpmath.exp(t)) / mpmath.expm1(e)
    walk, failed = {0: mpf(1)}, mpf(0)
    for k in range(1, rounds + 1):
        limit = bound(k)
        moved: dict[int, mpf] = {}
        for lows, mass in walk.items():
            for there, part in ((lows, mass * high), (lows + 1, mass * (1 - high))):
                if (k * share - there) * width > limit:
                    failed += part
                else:
                    moved[there] = moved.get(there, mpf(0)) + part
        walk = moved
    return failed


RANGED = [name for name in ODOMETERS if name != "basic-odometer"]


@pytest.mark.parametrize("name", RANGED)
def test_bounded_range_is_counted_as_pure_dp_of_half_its_width(name: str) -> None:
    """By every odometer but the basic one; the mean of a loss is at most width^2/8, below what Rogers et al. charge."""
    setup = Setup(Fraction(1, 2), Fraction(1, 5), delta_prime=Fraction(1, 10), n=Fraction(50), v0=Fraction(1, 100))
    events: list[Guarantee] = [PureDP(Fraction(1, 7)), ProbabilisticDP(Fraction(1, 9), Fraction(0))]
    ranged = last(name, [*events, *[BoundedRange(Fraction(1, 3))] * 5], setup)
    pure = last(name, [*events, *[PureDP(Fraction(1, 6))] * 5], setup)
    assert isinstance(ranged, Enclosure)
    assert isinstance(pure, Enclosure)
    if name == "rogers-odometer":
        assert ranged.upper < pure.lower
        # 5 ((1/6)(e^(1/6) - 1) - (1/6)^2)/2, what the drifts differ by.
        assert pure.lower - ranged.upper < Fraction(1, 150)
    else:
        assert (ranged.lower, ranged.upper) == (pure.lower, pure.upper)


@pytest.mark.parametrize("name", RANGED)
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 8), Fraction(9, 10)])
def test_odometers_hold_for_bounded_range_at_all_times_at_once(name: str, share: Fraction) -> None:
    """Charged width^2/4; whichever the interval."""
    setup = Setup(Fraction(1, 2), Fraction(1, 5), delta_prime=Fraction(1, 10), n=Fraction(50), v0=Fraction(1, 100))
    width = Fraction(1, 10)
    failed = crossing_of_interval(width, share, 60, readings_of(name, setup, BoundedRange(width)))
    assert failed <= (mpf(1) / 5 if name == "rogers-odometer" else mpf(1) / 10)


def test_no_less_would_do_for_bounded_range() -> None:
    """Charged width^2/16, a quarter of it, the one-sided mixture is exceeded more often than it may."""
    setup = Setup(Fraction(1, 2), Fraction(1, 5), delta_prime=Fraction(1, 10))
    width = Fraction(1, 10)
    less = readings_of("one-sided-mixture-odometer", setup, BoundedRange(width / 2))
    assert crossing_of_interval(width, Fraction(1, 2), 60, less) > mpf(1) / 10


def test_the_pointwise_bound_does_not_hold_at_all_times_at_once() -> None:
    def bound(k: int) -> float:
        return math.sqrt(2 * math.log(10) * k) / 20 + k / 800

    assert crossing(Fraction(1, 20), 150, bound, two_sided=False) > mpf(1) / 10


def test_the_printed_third_branch_fails_where_the_corrected_one_holds() -> None:
    failed = {}

    def bound(k: int, word: str) -> Fraction | float:
        if k < 24:
            return math.inf
        inputs = {"V": str(Fraction(k, 10**6)), "n": "200", "delta_prime": "1/1000000"}
        found = evaluate(f"whitehouse2023/lem3.branch3.{word}", inputs).enclosure
        assert found is not None
        return found.upper

    for word in ("printed", "corrected"):
        failed[word] = crossing(Fraction(1, 1000), 24, partial(bound, word=word), two_sided=False)
    assert abs(failed["printed"] - mpf("1.8123e-5")) < mpf("1e-9")
    assert failed["printed"] > mpf("1e-6") > failed["corrected"]


def test_pdp_rounds_break_the_printed_odometer_and_not_the_repaired_one() -> None:
    d = Fraction(1, 100)
    loss = 10 * mpmath.log(mpf(100) / 99)
    # The loss of x -> a; x' -> a with probability 99/100, b else is log(100/99) in every round, surely.
    setup = Setup(Fraction(1), d + 10 * d, delta_prime=d)
    machine = build("filter-odometer-repaired", setup)
    state: Any = machine.start()
    for _ in range(10):
        state, decision = machine.step(state, ProbabilisticDP(Fraction(10051, 10**6), d))
    repaired = value(decision.reading)
    assert isinstance(repaired, Enclosure)
    assert mpf(repaired.lower.numerator) / repaired.lower.denominator > loss
    eps = mpmath.log(mpf(100) / 99)
    printed = min(
        mpmath.sqrt(2 * y * mpmath.log(100)) / 2
        + mpmath.sqrt(2 * mpmath.log(100)) / (2 * mpmath.sqrt(y)) * 10 * eps**2
        + 5 * eps**2
        for y in [10 * eps**2]
    )
    assert loss > printed
    assert abs(printed - mpf("0.096959")) < mpf("2e-6")


def log_ratio(a: Fraction, b: Fraction) -> mpf:
    """log(a/b), infinite where one of them is 0."""
    if not a or not b:
        return mpmath.inf if a else -mpmath.inf
    return mpmath.log(mpf(a.numerator * b.denominator) / (a.denominator * b.numerator))


Round = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def pdp_parameters(pair: Round, quantile: Fraction) -> tuple[Fraction, Fraction]:
    """Some (epsilon, delta) for which the pair is pDP: the largest losses are called bad while they weigh little."""
    p, q = pair
    outcomes = [(abs(log_ratio(a, b)), a, b) for a, b in zip(p, q, strict=True) if a or b]
    losses = sorted(outcomes, key=lambda item: -item[0])
    bad_p = bad_q = Fraction(0)
    while losses and (losses[0][0] == mpmath.inf or max(bad_p + losses[0][1], bad_q + losses[0][2]) <= quantile):
        _, a, b = losses.pop(0)
        bad_p, bad_q = bad_p + a, bad_q + b
    top = losses[0][0] if losses else mpf(0)
    return Fraction(int(mpmath.ceil(top * 10**12)), 10**12), max(bad_p, bad_q)


weights = st.integers(0, 6)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    p = draw(st.lists(weights, min_size=3, max_size=3).filter(lambda w: sum(w) > 0))
    shift = draw(st.lists(st.integers(-1, 1), min_size=3, max_size=3))
    q = [max(a + s, 0) for a, s in zip(p, shift, strict=True)]
    if sum(q) == 0:
        q = p
    return tuple(Fraction(a, sum(p)) for a in p), tuple(Fraction(b, sum(q)) for b in q)


@settings(max_examples=60)
@given(
    pairs=st.lists(rounds(), min_size=4, max_size=4),
    quantile=st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(2, 5)]),
)
def test_the_repaired_odometer_holds_for_adaptive_pdp_rounds(pairs: list[Round], quantile: Fraction) -> None:
    """All paths of five rounds whose mechanism depends on the last answer, under either of the two laws."""
    slack, rest = Fraction(1, 5), Fraction(3, 5)
    machine = odometers.tuned_odometer("whitehouse2023/thm3.mixture", Fraction(1, 10), slack, rest, repaired=True)
    parameters = [pdp_parameters(pair, quantile) for pair in pairs]
    for swap in (False, True):
        failed = Fraction(0)
        paths: list[tuple[int, Fraction, mpf, Any]] = [(3, Fraction(1), mpf(0), machine.start())]
        for _ in range(5):
            onward = []
            for answer, mass, loss, state in paths:
                eps, delta = parameters[answer]
                if delta == 1:
                    continue
                after, decision = machine.step(state, ProbabilisticDP(eps, delta))
                if decision.reading == "inf":
                    continue
                reading = value(decision.reading)
                assert isinstance(reading, Enclosure)
                p, q = reversed(pairs[answer]) if swap else pairs[answer]
                for outcome, (a, b) in enumerate(zip(p, q, strict=True)):
                    if not a:
                        continue
                    total = loss + log_ratio(a, b)
                    if total > mpf(reading.upper.numerator) / reading.upper.denominator:
                        failed += mass * a
                    else:
                        onward.append((outcome, mass * a, total, after))
            paths = onward
        assert failed <= slack + rest


def test_readings_differ_between_rounds() -> None:
    machine = build("filter-odometer", SETUP)
    found = [value(d.reading) for d in run(machine, [PureDP(Fraction(1, 10))] * 5)]
    for first, second in pairwise(found):
        assert isinstance(first, Enclosure)
        assert isinstance(second, Enclosure)
        assert first.upper < second.lower


@given(eps=st.floats(0.01, 3), place=st.floats(0, 1), tilt=st.floats(-5, 5))
def test_the_steps_of_the_repair_proof_hold_for_every_two_point_loss(eps: float, place: float, tilt: float) -> None:
    """A loss in an interval of width 2 eps with E[e^-L] = 1 has mean at most eps^2/2 and is eps-sub-Gaussian."""
    low = -2 * eps * place
    high = low + 2 * eps
    # p e^-low + (1 - p) e^-high = 1 fixes the law; two points at the ends are the extreme case.
    p = (1 - math.exp(-high)) / (math.exp(-low) - math.exp(-high))
    assert -1e-12 <= p <= 1 + 1e-12
    mean = p * low + (1 - p) * high
    assert mean <= eps**2 / 2 + 1e-12
    moment = p * math.exp(tilt * (low - mean)) + (1 - p) * math.exp(tilt * (high - mean))
    assert moment <= math.exp(tilt**2 * eps**2 / 2) * (1 + 1e-12)
