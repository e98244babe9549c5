"""TensorFlow Privacy's samples, JAX-privacy's strategies, parameters and plans, and stored values, as ledgers."""

from __future__ import annotations

import math
import random
import struct
from collections import Counter, namedtuple
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.guarantees.model import ApproxDP, PureDP, RenyiDP, Unknown

SAID: Any = {"parameters": "fixed-in-advance"}
ADD, ZERO, REPLACE = ("add-or-remove-one", "zero-out", "replace-one")


def law_of(ledger: privref.Ledger) -> tuple[dict[str, Any], int]:
    (event,) = ledger.events
    assert event.law is not None
    return {key: value for key, value in event.law.document.items() if key != "neighbours"}, event.count


# TensorFlow Privacy

Sample = namedtuple("Sample", "population_size selection_probability queries")
Query = namedtuple("Query", "l2_norm_bound noise_stddev")


def single(value: float) -> float:
    """A float of 32 bits, as the library's tensors are."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


def test_tensorflow_samples_at_changing_rates_and_noises() -> None:
    history = [Sample(60000, single(0.01), [Query(1.5, 3.0)])] * 3 + [Sample(60000, 0.25, [Query(0.5, 2.0)])]
    ledger = privref.ledger_from_tensorflow(history, **SAID)
    assert [event.count for event in ledger.events] == [3, 1]
    laws = [event.law for event in ledger.events]
    assert [law and law.sample and law.sample.rate for law in laws] == [Fraction(single(0.01)), Fraction(1, 4)]
    assert [law and law.document["base"]["sigma"] for law in laws] == ["2", "4"]
    assert ledger.neighbours == ADD


def test_several_sums_on_one_tensorflow_sample_are_one_query() -> None:
    history = [Sample(60000, 1.0, [Query(1.0, 2.0), Query(3.0, 6.0), Query(0.0, 0.0)])]
    law, _ = law_of(privref.ledger_from_tensorflow(history, **SAID))
    assert law == {"kind": "gaussian", "sigma_squared": "2", "sensitivity": "1", "attained": False}


@pytest.mark.parametrize(
    ("history", "what"),
    [
        (5, "history"),
        ([(60000, 0.5, [])], "selection_probability"),
        ([Sample(9, 1.5, [Query(1.0, 2.0)])], "selection_probability"),
        ([Sample(9, 0.5, [Query(1.0, -2.0)])], "noise_stddev"),
    ],
)
def test_what_is_no_list_of_samples_is_refused(history: Any, what: str) -> None:
    with pytest.raises(privref.InputError, match=what):
        privref.ledger_from_tensorflow(history, **SAID)


def test_a_tensorflow_sum_without_noise_is_unknown() -> None:
    (event,) = privref.ledger_from_tensorflow([Sample(9, 0.5, [Query(1.0, 0.0)])], **SAID).events
    assert isinstance(event.guarantee, Unknown)


# Stored values


@dataclass
class RdpAccountant:
    orders: list[float]
    rdp: list[float]
    neighboring_relation: str = "REPLACE_ONE"


@dataclass
class Distribution:
    """Answers one epsilon, as a privacy loss distribution does."""

    answers: dict[float, float]

    def get_delta_for_epsilon(self, epsilon: float) -> float:
        return self.answers[epsilon]


def test_stored_renyi_values_are_a_guarantee() -> None:
    values = {1.5: 0.25, 2: 0.5, 512: math.inf}
    for given in (values, RdpAccountant(list(values), list(values.values()))):
        (event,) = privref.ledger_from_accountant(given, neighbours=REPLACE, **SAID).events
        assert event.guarantee == RenyiDP(((Fraction(3, 2), Fraction(1, 4)), (Fraction(2), Fraction(1, 2))))
        assert "nobody bounds" in event.label
    with pytest.raises(privref.InputError, match="declare replace-one"):
        privref.ledger_from_accountant(RdpAccountant([2.0], [1.0]), neighbours=ADD, **SAID)


def test_of_a_stored_distribution_one_pair_is_read() -> None:
    """At the double at which the library answered: 0.1 as a double is above one tenth."""
    stored = Distribution({0.1: 0.125, 2.0: 0.0})
    for epsilon, expected in (("0.1", ApproxDP(Fraction(0.1), Fraction(1, 8))), (2, PureDP(Fraction(2)))):
        (event,) = privref.ledger_from_accountant(stored, neighbours=ADD, epsilon=epsilon, **SAID).events
        assert event.guarantee == expected


@pytest.mark.parametrize(
    ("given", "more", "what"),
    [
        (Distribution({}), {}, "epsilon"),
        ({2: 0.5}, {"epsilon": "1"}, "epsilon"),
        ({2: math.nan}, {}, "rdp"),
        ({2: -0.5}, {}, "rdp"),
        (5, {"epsilon": "1"}, "accountant"),
        (Distribution({1.0: 1.5}), {"epsilon": "1"}, "delta"),
    ],
)
def test_what_is_no_stored_value_is_refused(given: Any, more: Any, what: str) -> None:
    with pytest.raises(privref.InputError, match=what):
        privref.ledger_from_accountant(given, neighbours=ADD, **more, **SAID)


# JAX-privacy


class PartitionType(Enum):
    INDEPENDENT = 1
    EQUAL_SPLIT = 2


class SamplingMethod(Enum):
    POISSON = 1
    FIXED_BATCH_SIZE = 2


@dataclass
class CyclicPoissonSampling:
    sampling_prob: float
    iterations: int
    truncated_batch_size: int | None = None
    cycle_length: int = 1
    partition_type: PartitionType = PartitionType.EQUAL_SPLIT


@dataclass
class BallsInBinsSampling:
    iterations: int
    cycle_length: int


@dataclass
class FixedBatchSampling:
    batch_size: int
    iterations: int
    replace: bool = False


@dataclass
class BMinSepSampling:
    sampling_prob: float
    iterations: int
    min_sep: int
    warm_start: bool = True
    truncated_batch_size: int | None = None


@dataclass
class UserSelectionStrategy:
    base_strategy: Any
    examples_per_user_per_batch: int = 1


@dataclass
class DpParams:
    noise_multipliers: Any
    num_samples: int
    batch_sizes: Any
    is_finite_guarantee: bool = True
    examples_per_user: int | None = None
    cycle_length: int | None = None
    sampling_method: SamplingMethod = SamplingMethod.POISSON
    truncated_batch_size: int | None = None


@dataclass
class Event:
    """A DpEvent, by its fields."""

    count: int = 0
    event: Any = None
    sampling_probability: float = 0.0
    noise_multiplier: float = 0.0


@dataclass
class Truncated:
    dataset_size: int
    sampling_probability: float
    truncated_batch_size: int
    noise_multiplier: float


@dataclass
class DPExecutionPlan:
    batch_selection_strategy: Any
    dp_event: Any


@dataclass
class BandMFExecutionPlanConfig:
    accountant: Any
    plan: DPExecutionPlan = field(repr=False)


def read(run: Any, neighbours: Any = ADD, **more: Any) -> privref.Ledger:
    more = {"noise_multiplier": "2", **more}
    return privref.ledger_from_jax_privacy(run, neighbours=neighbours, **more, **SAID)


NOISE = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}
DOUBLED = {"kind": "gaussian", "sigma": "2", "sensitivity": "2", "attained": False}
POISSON = {"kind": "subsampled", "base": NOISE, "rate": "1/4", "sampling": "poisson"}


@pytest.mark.parametrize(
    ("run", "neighbours", "law", "count"),
    [
        (CyclicPoissonSampling(0.25, 10), ADD, POISSON, 10),
        (CyclicPoissonSampling(0.25, 10), REPLACE, {**POISSON, "base": DOUBLED, "clipped": True}, 10),
        (CyclicPoissonSampling(0.25, 10, 30), ZERO, {**POISSON, "batch_cap": "30", "records": "100"}, 10),
        (CyclicPoissonSampling(0.25, 10, None, 4), ZERO, {**POISSON, "attained": False}, 3),
        (
            CyclicPoissonSampling(0.25, 10, None, 4, PartitionType.INDEPENDENT), ADD,
            {**POISSON, "attained": False}, 3,
        ),
        (
            CyclicPoissonSampling(0.25, 10, 30, 3), ZERO,
            {**POISSON, "batch_cap": "30", "records": "33", "attained": False}, 4,
        ),
        (
            CyclicPoissonSampling(0.25, 10, 30, 3, PartitionType.INDEPENDENT), ADD,
            {**POISSON, "batch_cap": "30", "records": "100", "attained": False}, 4,
        ),
        (
            CyclicPoissonSampling(0.25, 10, 30, 3, PartitionType.INDEPENDENT), ZERO,
            {**NOISE, "attained": False}, 4,
        ),
        (
            BallsInBinsSampling(12, 4), ADD,
            {"kind": "subsampled", "base": NOISE, "sampling": "balls-in-bins", "bins": "4", "epochs": "3"}, 1,
        ),
        (
            BallsInBinsSampling(10, 4), ADD,
            {
                "kind": "subsampled", "base": NOISE, "sampling": "balls-in-bins", "bins": "4", "epochs": "3",
                "attained": False,
            },
            1,
        ),
        (
            BMinSepSampling(1.0, 12, 4), ADD,
            {"kind": "subsampled", "base": NOISE, "sampling": "balls-in-bins", "bins": "4", "epochs": "3"}, 1,
        ),
        (BMinSepSampling(0.25, 10, 1), ADD, POISSON, 10),
        (BMinSepSampling(0.25, 10, 4), ADD, {**NOISE, "attained": False}, 3),
        (BMinSepSampling(0.25, 10, 4, True, 5), REPLACE, DOUBLED, 3),
        (FixedBatchSampling(25, 10), ZERO, {**POISSON, "sampling": "fixed-size"}, 10),
        (FixedBatchSampling(25, 10, True), ZERO, {**POISSON, "sampling": "with-replacement", "records": "100"}, 10),
    ],
)  # fmt: skip
def test_a_strategy_is_read_by_its_law(run: Any, neighbours: Any, law: dict[str, Any], count: int) -> None:
    assert law_of(read(run, neighbours, num_examples=100)) == (law, count)
    users = UserSelectionStrategy(run)
    assert law_of(read(users, neighbours, num_examples=100, privacy_unit="user")) == (law, count)
    with pytest.raises(privref.InputError, match="privacy_unit"):
        read(users, neighbours, num_examples=100)


@pytest.mark.parametrize(
    ("run", "neighbours", "why"),
    [
        (CyclicPoissonSampling(0.25, 10, None, 4), ADD, "equal size"),
        (FixedBatchSampling(125, 10, True), ZERO, "with replacement"),
        (BMinSepSampling(0.25, 10, 4, True, 5), ADD, "takes the place"),
    ],
)
def test_a_strategy_without_a_theorem_says_why(run: Any, neighbours: Any, why: str) -> None:
    (event,) = read(run, neighbours, num_examples=100).events
    assert isinstance(event.guarantee, Unknown)
    assert why in event.guarantee.description


@pytest.mark.parametrize("run", [FixedBatchSampling(0, 10), BallsInBinsSampling(0, 4), BMinSepSampling(0.0, 10, 4),
                                 CyclicPoissonSampling(0.0, 9), CyclicPoissonSampling(0.5, 9, 0)])  # fmt: skip
def test_a_strategy_that_draws_nobody_loses_nothing(run: Any) -> None:
    ledger = read(run, num_examples=100)
    assert [event.label for event in ledger.events] == ["nothing ran"]
    assert privref.epsilon(ledger, "1e-5").upper == 0


def test_an_accountant_before_its_first_step_has_an_epsilon_of_0() -> None:
    for empty in (
        privref.ledger_from_opacus([], parameters="fixed-in-advance"),
        privref.ledger_from_tensorflow([], parameters="fixed-in-advance"),
        privref.ledger_from_diffprivlib([], neighbours="replace-one", parameters="fixed-in-advance"),
    ):
        assert privref.epsilon(empty, "0").upper == 0


@pytest.mark.parametrize(
    ("run", "more", "what"),
    [
        (5, {}, "give one of CyclicPoissonSampling"),
        (CyclicPoissonSampling(0.25, 10), {"noise_multiplier": None}, "noise_multiplier"),
        (CyclicPoissonSampling(0.25, 10), {"num_updates": 5}, "num_updates"),
        (CyclicPoissonSampling(1.25, 10), {}, "sampling_prob"),
        (CyclicPoissonSampling(0.25, 10, 30), {}, "num_examples"),
        (FixedBatchSampling(25, 10), {"num_examples": 24}, "batch_size"),
        (BallsInBinsSampling(12, 0), {}, "cycle_length"),
        (DpParams(1.0, 100, 10), {"noise_multiplier": None}, "num_updates"),
        (DpParams([(5, 1.0)], 100, 10), {"noise_multiplier": None, "num_updates": 9}, "step 0"),
        (DpParams(1.0, 100, 101), {"noise_multiplier": None, "num_updates": 9}, "batch_sizes"),
        (DpParams(1.0, 9, 1, cycle_length=10), {"noise_multiplier": None, "num_updates": 9}, "go together"),
    ],
)
def test_a_run_that_is_not_known_is_refused(run: Any, more: Any, what: str) -> None:
    with pytest.raises(privref.InputError, match=what):
        read(run, **more)


def test_parameters_may_change_the_noise_and_the_batch_size() -> None:
    run = DpParams([(0, 2.0), (30, 4.0)], 100, [(10, 50), (0, 25), (99, 7)])
    found = read(run, noise_multiplier=None, num_updates=40).events
    shown = [(e.count, e.law.document["rate"], e.law.document["base"]["sigma"]) for e in found if e.law]
    assert shown == [(10, "1/4", "2"), (20, "1/2", "2"), (10, "1/2", "4")]


@pytest.mark.parametrize(
    ("more", "neighbours", "law", "count"),
    [
        ({"cycle_length": 4, "batch_sizes": 5}, ZERO, {**POISSON, "rate": "1/5", "attained": False}, 3),
        ({"sampling_method": SamplingMethod.FIXED_BATCH_SIZE}, ZERO, {**POISSON, "sampling": "fixed-size"}, 10),
        ({"truncated_batch_size": 30}, ZERO, {**POISSON, "batch_cap": "30", "records": "100"}, 10),
        ({"examples_per_user": 3}, ADD, {**POISSON, "records_per_unit": "3"}, 10),
    ],
)
def test_parameters_are_read_by_their_law(more: Any, neighbours: Any, law: dict[str, Any], count: int) -> None:
    run = DpParams(**{"noise_multipliers": 2.0, "num_samples": 100, "batch_sizes": 25, **more})
    found = read(run, neighbours, noise_multiplier=None, num_updates=10, privacy_unit="user")
    assert law_of(found) == (law, count)


def plan(length: int, count: int, prob: float = 0.25) -> DPExecutionPlan:
    step = Event(sampling_probability=prob, event=Event(noise_multiplier=2.0))
    return DPExecutionPlan(CyclicPoissonSampling(0.25, 10, None, length), Event(count=count, event=step))


def test_a_plan_is_read_by_its_event() -> None:
    assert law_of(read(plan(1, 10), noise_multiplier=None)) == (POISSON, 10)
    assert law_of(read(plan(4, 3), ZERO, noise_multiplier=None)) == ({**POISSON, "attained": False}, 3)
    cut = DPExecutionPlan(CyclicPoissonSampling(0.25, 10, 30), Event(count=10, event=Truncated(70, 0.25, 30, 2.0)))
    expected = {**POISSON, "batch_cap": "30", "records": "70"}
    assert law_of(read(cut, ZERO, noise_multiplier=None)) == (expected, 10)
    config = BandMFExecutionPlanConfig(RdpAccountant([], [], "REPLACE_SPECIAL"), plan(1, 10))
    assert law_of(read(config, ZERO, noise_multiplier=None)) == (POISSON, 10)
    with pytest.raises(privref.InputError, match="declare zero-out"):
        read(config, ADD, noise_multiplier=None)
    for other in (
        plan(4, 4),
        plan(1, 10, 0.125),
        DPExecutionPlan(CyclicPoissonSampling(0.25, 10, 9), plan(1, 10).dp_event),
    ):
        with pytest.raises(privref.InputError, match="drawn otherwise"):
            read(other, ZERO, noise_multiplier=None)


def separated(rng: random.Random, prob: float, iterations: int, gap: int) -> tuple[int, ...]:
    """The rounds of one record of b-min-sep sampling, warm start, as JAX-privacy draws it."""
    last = -rng.randint(1, gap - 1) if rng.random() < (gap - 1) * prob / (1 + (gap - 1) * prob) else -gap
    rounds = []
    for i in range(iterations):
        if i - last >= gap and rng.random() < prob:
            rounds.append(i)
            last = i
    return tuple(rounds)


def test_b_min_sep_rounds_of_one_record() -> None:
    """Never more than are counted, sometimes as many; drawn for certain, they are a bin's, each as often."""
    rng = random.Random(34)
    drawn = Counter(len(separated(rng, 0.5, 10, 4)) for _ in range(4000))
    assert max(drawn) == 3
    bins = Counter(separated(rng, 1.0, 12, 4) for _ in range(4000))
    assert set(bins) == {(i, i + 4, i + 8) for i in range(4)}
    assert all(abs(count - 1000) < 4 * math.sqrt(4000 * 3 / 16) for count in bins.values())


def test_the_real_jax_privacy() -> None:
    """Where installed: its strategies, a plan, and parameters with a schedule."""
    selection = pytest.importorskip("jax_privacy.batch_selection")
    plans = pytest.importorskip("jax_privacy.experimental.execution_plan")
    assert law_of(read(selection.CyclicPoissonSampling(0.25, 10))) == (POISSON, 10)
    for strategy in (selection.BallsInBinsSampling(12, 4), selection.BMinSepSampling(0.5, 12, 4),
                     selection.FixedBatchSampling(5, 12), selection.UserSelectionStrategy(
                         selection.CyclicPoissonSampling(0.25, 10, cycle_length=2))):  # fmt: skip
        assert read(strategy, ZERO, num_examples=100, privacy_unit="user").events
    config = plans.BandMFExecutionPlanConfig(
        strategy=[1.0, 0.5], iterations=10, epsilon=None, delta=None, noise_multiplier=2.0, sampling_prob=0.25
    )
    assert law_of(read(config, ZERO, noise_multiplier=None)) == ({**POISSON, "attained": False}, 5)
    analysis = pytest.importorskip("jax_privacy.accounting.analysis")
    run = analysis.DpParams(
        noise_multipliers=2.0, num_samples=100, delta=1e-5, batch_size=10, batch_size_scale_schedule={5: 2}
    )
    events = read(run, noise_multiplier=None, num_updates=10).events
    assert [(e.count, e.law.document["rate"]) for e in events if e.law] == [(5, "1/10"), (5, "1/5")]
