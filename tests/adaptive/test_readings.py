"""Each machine's reading and limit are its statement's, at the sums of what ran and at its own share of delta."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from privref import catalogue
from privref.adaptive import machines, odometers
from privref.adaptive.additive import BasicOdometer, gaussian_filter
from privref.adaptive.machines import Setup
from privref.adaptive.protocol import run
from privref.adaptive.running import shown
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError
from privref.guarantees.model import ZCDP, ApproxDP, GaussianDP, Guarantee, ProbabilisticDP, PureDP, RenyiDP, Unknown
from privref.statements.registry import evaluate
from tests.oracles import encloses

catalogue.load()
PRIME, REST = Fraction(1, 10**7), Fraction(1, 10**4)
PURE = [PureDP(Fraction(1, 10)), PureDP(Fraction(1, 3)), PureDP(Fraction(1, 7))]
MIXED = [ProbabilisticDP(Fraction(1, 10), Fraction(1, 10**6)), ProbabilisticDP(Fraction(1, 3), Fraction(1, 10**5))]


def last(machine: Any, events: list[Guarantee]) -> Enclosure | str:
    found = shown(list(run(machine, events))[-1].reading, Fraction(1, 10**20))
    assert found is not None
    return found


def stated(id: str, inputs: dict[str, object]) -> Enclosure:
    found = evaluate(id, inputs, digits=60).enclosure
    assert found is not None
    return found


def test_the_one_sided_odometer_reads_its_theorem() -> None:
    time = sum((event.epsilon**2 for event in PURE), Fraction(0))  # type: ignore[union-attr]
    inputs: dict[str, object] = {"V": str(time), "delta_prime": str(PRIME), "gamma": "1/200"}
    machine = odometers.tuned_odometer("whitehouse2023/thm3.one_sided", Fraction(1, 200), PRIME, REST)
    read = last(machine, list(PURE))
    assert encloses(read, stated("whitehouse2023/thm3.one_sided", inputs))
    two_sided = stated("whitehouse2023/thm3.mixture", inputs)
    assert isinstance(read, Enclosure)
    assert read.upper < two_sided.lower


@pytest.mark.parametrize("repaired", [False, True])
@pytest.mark.parametrize(
    ("id", "tuning"),
    [
        ("whitehouse2023/thm3.filter", {"y_star": "1/50"}),
        ("whitehouse2023/thm3.mixture", {"gamma": "1/200"}),
        ("whitehouse2023/thm3.stitched", {"v0": "1/100"}),
    ],
)
def test_an_odometer_reads_its_theorem(id: str, tuning: dict[str, str], repaired: bool) -> None:
    machine = odometers.tuned_odometer(id, *map(Fraction, tuning.values()), PRIME, REST, repaired=repaired)
    events: list[Guarantee] = list(MIXED if repaired else PURE)
    time = sum((event.epsilon**2 for event in events), Fraction(0))  # type: ignore[union-attr]
    inputs: dict[str, object] = {"V": str(time), "delta_prime": str(PRIME), **tuning}
    if repaired:
        id, inputs["delta"] = f"{id}.repaired", [str(event.delta) for event in MIXED]
    elif id.endswith("filter"):
        id = f"{id}.at"
    assert encloses(last(machine, events), stated(id, inputs))


def test_the_restated_odometer_reads_its_lemma_until_the_deltas_are_spent() -> None:
    machine = odometers.restated_odometer(Fraction(10), PRIME, REST, dominating=True)
    events: list[Guarantee] = [ApproxDP(Fraction(1, 3), REST / 2), ApproxDP(Fraction(1, 2), REST / 2)]
    inputs = {"V": str(Fraction(1, 9) + Fraction(1, 4)), "n": "10", "delta_prime": str(PRIME)}
    assert encloses(last(machine, events), stated("whitehouse2023/lem3.odometer", inputs))
    assert last(machine, [*events, ApproxDP(Fraction(0), Fraction(1, 10**30))]) == "inf"


def test_odometers_do_not_read_the_dominating_loss_unless_asked() -> None:
    """The plain view refuses (epsilon, delta)-DP rounds, for which its theorem says nothing."""
    event = ApproxDP(Fraction(1, 10), Fraction(1, 10**6))
    for machine in (BasicOdometer(REST), odometers.restated_odometer(Fraction(10), PRIME, REST)):
        with pytest.raises(HypothesisError):
            machine.step(machine.start(), event)  # type: ignore[arg-type]
    assert last(BasicOdometer(REST, dominating=True), [event]) != "inf"


@pytest.mark.parametrize(
    ("name", "event", "id", "inputs"),
    [
        ("dp-filter", PureDP(Fraction(1, 10)), "whitehouse2023/thm2.f", {"eps": ["1/10"] * 3}),
        ("zcdp-filter", ZCDP(Fraction(1, 200)), "whitehouse2023/lem1.zcdp2dp.eps", {"rho": "3/200"}),
        ("tight-zcdp-filter", ZCDP(Fraction(1, 200)), "cks2020/zcdp2dp.eps", {"rho": "3/200"}),
    ],
)
def test_a_filter_reads_its_theorem_at_its_share_of_delta(
    name: str, event: Any, id: str, inputs: dict[str, Any]
) -> None:
    machine = machines.build(name, Setup(Fraction(5), Fraction(1, 10**6), delta_prime=PRIME))
    share = "delta" if id.startswith("cks2020") else "delta_prime"
    assert encloses(last(machine, [event] * 3), stated(id, {**inputs, share: str(PRIME)}))


def test_the_gaussian_filter_spends_all_of_delta() -> None:
    """It admits just the mu that the profile's inverse gives, and reads the profile."""
    eps, delta = Fraction(1), Fraction(1, 10**6)
    machine = machines.build("gaussian-filter", Setup(eps, delta))
    largest = stated("gdp/profile.mu", {"eps": "1", "delta": "1/1000000"})
    for mu, verdict in ((largest.lower, "CONT"), (largest.upper, "HALT")):
        assert machine.step(machine.start(), GaussianDP(mu))[1].verdict == verdict
    reading = last(machine, [GaussianDP(Fraction(1, 10))])
    assert encloses(reading, stated("gdp/profile.eps", {"mu": "1/10", "delta": "1/1000000"}))


@pytest.mark.parametrize("name", ["basic-filter", "dp-filter", "zcdp-filter", "gaussian-filter"])
def test_a_filter_says_which_hypothesis_an_event_does_not_meet(name: str) -> None:
    """The rounds' own one, not the budget's."""
    machine = machines.build(name, Setup(Fraction(1), Fraction(1, 10**6)))
    with pytest.raises(HypothesisError, match=machine.hypotheses[0].value.split("(")[0].strip()[:20]):
        machine.step(machine.start(), Unknown("mystery"))


def test_the_largest_budget_of_a_zero_epsilon_is_nothing() -> None:
    """The limits at epsilon 0 are exact: the first charge of any size is refused."""
    for name in ("dp-filter", "zcdp-filter"):
        machine = machines.build(name, Setup(Fraction(0), Fraction(1, 10**6)))
        assert machine.step(machine.start(), PureDP(Fraction(0)))[1].verdict == "CONT"
        assert machine.step(machine.start(), PureDP(Fraction(1, 10**30)))[1].verdict == "HALT"


def test_plain_odometers_are_named_by_their_theorem() -> None:
    """Not the repaired one, which covers other rounds."""
    for id in ("whitehouse2023/thm3.filter", "whitehouse2023/thm3.mixture"):
        assert odometers.tuned_odometer(id, Fraction(1, 50), PRIME, REST).statement == id
        repaired = odometers.tuned_odometer(id, Fraction(1, 50), PRIME, REST, repaired=True)
        assert repaired.statement == f"{id}.repaired"


def test_a_round_that_may_tell_all_has_no_repaired_bound() -> None:
    machine = odometers.tuned_odometer("whitehouse2023/thm3.filter", Fraction(1, 50), PRIME, Fraction(1), repaired=True)
    with pytest.raises(HypothesisError, match="promises nothing"):
        machine.step(machine.start(), ProbabilisticDP(Fraction(1, 10), Fraction(1)))


def test_the_filter_of_one_order_admits_up_to_its_conversion() -> None:
    """What the conversion of the order leaves of epsilon, and no more."""
    machine = machines.build(
        "renyi-filter", Setup(Fraction(1), Fraction(1, 10**6), order=Fraction(24), delta_prime=PRIME)
    )
    cost = 1 - stated("cks2020/rdp2dp.eps", {"order": "24", "eps_order": "0", "delta": str(PRIME)}).lower
    slightly = Fraction(1, 10**15)
    for paid, verdict in ((cost - slightly, "CONT"), (cost + slightly, "HALT")):
        assert machine.step(machine.start(), RenyiDP(((Fraction(24), paid),)))[1].verdict == verdict


@pytest.mark.parametrize("delta", ["0", "1", "3/2"])
def test_the_gaussian_filter_needs_a_delta_between_0_and_1(delta: str) -> None:
    with pytest.raises(InputError, match="delta"):
        gaussian_filter(Fraction(1), Fraction(delta))


@pytest.mark.parametrize("id", ["hartmann2022/alg1.remaining", "hartmann2022/alg1.remaining.printed"])
def test_spends_and_deltas_go_in_pairs(id: str) -> None:
    with pytest.raises(InputError, match="deltas"):
        evaluate(id, {"eps_t": "1", "delta_t": "1/10", "spends": ["1/10", "1/10"], "deltas": ["0"]})
