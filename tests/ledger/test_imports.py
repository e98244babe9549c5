"""Other libraries' records as ledgers: with stand-ins of the same shape, and with the libraries where installed."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import product
from math import exp, inf, nan, pi, prod, sqrt
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.exact.numbers import spell
from privref.guarantees.conversions import renyi_cost
from privref.guarantees.model import ZCDP, ApproxDP, BoundedRange, GaussianDP, PureDP, RenyiDP, Unknown
from privref.ledger import imports
from privref.profiles.declared import Truncation
from tests.audit.test_mechanisms import ledger as ledger_of
from tests.oracles import around, meets

FIXED: Any = {"parameters": "fixed-in-advance"}
REPLACE: Any = {"neighbours": "replace-one", **FIXED}
ADD: Any = {"neighbours": "add-or-remove-one", **FIXED}


@dataclass
class BudgetAccountant:
    """The shape of diffprivlib's."""

    spent_budget: list[tuple[Any, Any]]


@dataclass
class GaussianDpEvent:
    noise_multiplier: float


@dataclass
class LaplaceDpEvent:
    noise_multiplier: float


@dataclass
class DiscreteLaplaceDpEvent:
    noise_parameter: float
    sensitivity: int


@dataclass
class RandomizedResponseDpEvent:
    noise_parameter: float
    num_buckets: int


@dataclass
class ZCDpEvent:
    rho: float
    xi: float = 0.0


@dataclass
class PoissonSampledDpEvent:
    sampling_probability: float
    event: Any


@dataclass
class SampledWithoutReplacementDpEvent:
    source_dataset_size: int
    sample_size: int
    event: Any


@dataclass
class TruncatedSubsampledGaussianDpEvent:
    dataset_size: int
    sampling_probability: float
    truncated_batch_size: int
    noise_multiplier: float


@dataclass
class MixtureOfGaussiansDpEvent:
    standard_deviation: float
    sensitivities: list[float]
    sampling_probs: list[float]


@dataclass
class DiscreteGaussianDpEvent:
    sigma: float
    sensitivity: float = 1.0
    dimension: int | None = None


@dataclass
class ExponentialMechanismDpEvent:
    epsilon: float


@dataclass
class PermuteAndFlipDpEvent:
    epsilon: float


@dataclass
class SingleEpochTreeAggregationDpEvent:
    noise_multiplier: float
    step_counts: int | list[int]


@dataclass
class RandomAllocationDpEvent:
    event: Any
    num_selected: int
    num_steps: int


@dataclass
class SampledWithReplacementDpEvent:
    source_dataset_size: int
    sample_size: int
    event: Any


@dataclass
class RepeatAndSelectDpEvent:
    event: Any
    mean: float
    shape: float


@dataclass
class NonPrivateDpEvent:
    pass


@dataclass
class UnsupportedDpEvent:
    pass


@dataclass
class EpsilonDeltaDpEvent:
    epsilon: float
    delta: float


@dataclass
class Accountant:
    """The shape of dp-accounting's."""

    ledger: Any
    neighboring_relation: Any


class Relation(Enum):
    """dp-accounting's."""

    ADD_OR_REMOVE_ONE = 1
    REPLACE_ONE = 2
    REPLACE_SPECIAL = 3


@dataclass
class NoOpDpEvent:
    pass


@dataclass
class SelfComposedDpEvent:
    event: Any
    count: int


@dataclass
class ComposedDpEvent:
    events: list[Any] = field(default_factory=list)


def guarantees(ledger: privref.Ledger) -> list[tuple[Any, int]]:
    return [(event.guarantee, event.count) for event in ledger.events]


def test_diffprivlib_spends_are_the_doubles_that_were_spent() -> None:
    """Exactly, runs of equal ones with a count; the list alone will do."""
    record = [(0.1, 0), (0.1, 0), (0.1, 1e-6), (1, 0)]
    expected = [
        (PureDP(Fraction(0.1)), 2),
        (ApproxDP(Fraction(0.1), Fraction(1e-6)), 1),
        (PureDP(Fraction(1)), 1),
    ]
    assert guarantees(privref.ledger_from_diffprivlib(BudgetAccountant(record), **REPLACE)) == expected
    assert guarantees(privref.ledger_from_diffprivlib(record, **REPLACE)) == expected


def test_ten_tenths_of_diffprivlib_exceed_one() -> None:
    """What its own total calls 0.9999999999999999 is, as a sum of the doubles, above 1: the claim is refuted."""
    ledger = privref.ledger_from_diffprivlib([(0.1, 0)] * 10, **REPLACE)
    for claim, verdict in (("1", "underivable"), ("1.0000000000000001", "confirmed")):
        claims = {"schema": "claims.1", "claims": [{"id": "total", "epsilon": claim, "delta": "0"}]}
        audit = privref.audit(ledger, privref.claims_from_document(claims))
        assert [opinion.verdict for opinion in audit.opinions] == [verdict]


@pytest.mark.parametrize("bad", [(float("nan"), 0), (-0.1, 0), (0.1, -1e-9), (float("inf"), 0), ("0.1", 0), (True, 0)])
def test_impossible_spends_are_refused(bad: tuple[Any, Any]) -> None:
    """With the entry's place."""
    with pytest.raises(privref.InputError, match=r"spent_budget\[1\]"):
        privref.ledger_from_diffprivlib([(0.1, 0), bad], **REPLACE)


def test_opacus_history() -> None:
    """Full batches are Gaussian mechanisms; the others are Poisson samples; the relation is Opacus' own."""
    history = [(2.0, 1, 3), (1.0, 0.01, 1000)]
    for record in (history, {"history": history, "mechanism": "rdp"}, type("A", (), {"history": history})()):
        ledger = privref.ledger_from_opacus(record, **FIXED)
        assert ledger.neighbours == "add-or-remove-one"
        (gaussian, count), (_, steps) = guarantees(ledger)
        assert (gaussian, count, steps) == (GaussianDP(Fraction(1, 2)), 3, 1000)
        drawn(ledger.events[1], 0.01, 1.0, "poisson")


def drawn(event: privref.Event, rate: float, sigma: float, sampling: str) -> None:
    """The event is a Gaussian mechanism on samples, its numbers the very doubles."""
    assert event.law is not None
    assert event.law.sample is not None
    sample = event.law.sample
    assert (sample.rate, sample.sampling) == (Fraction(rate), sampling)
    assert event.law.document["base"] == {"kind": "gaussian", "sigma": spell(Fraction(sigma)), "sensitivity": "1"}


def verdict(ledger: privref.Ledger, epsilon: str) -> str:
    claims = {"schema": "claims.1", "claims": [{"id": "x", "epsilon": epsilon, "delta": "1e-5"}]}
    (opinion,) = privref.audit(ledger, privref.claims_from_document(claims)).opinions
    return opinion.verdict


def test_sampled_steps_are_audited_as_what_was_drawn() -> None:
    """A data loader that shuffles is no Poisson sample, whatever the accountant took it for."""
    history = [(4.0, 0.1, 30), (4.0, 0.1, 10)]
    poisson = privref.ledger_from_opacus(history, **FIXED)
    assert [(event.count, event.label) for event in poisson.events] == [(40, "")]
    assert (verdict(poisson, "0.7"), verdict(poisson, "0.5")) == ("confirmed", "refuted")
    shuffled = privref.ledger_from_opacus(history, **FIXED, sampling="shuffled")
    assert verdict(shuffled, "0.7") == "inapplicable"
    assert guarantees(privref.ledger_from_opacus([(2.0, 0, 5), (2.0, 1, 1)], **FIXED))[0][1] == 1
    with pytest.raises(privref.InputError, match=r"history\[0\].sample_rate"):
        privref.ledger_from_opacus([(1.0, 1.5, 3)], **FIXED)


@pytest.mark.parametrize(
    "record",
    [
        {"noise_multiplier": 4.0, "sampling_rate": "1/10", "num_steps": 40},
        {"noise_multiplier": "4", "batch_size": 6, "num_examples": 60, "num_epochs": 4, "delta": 1e-5},
        {"noise_multiplier": 4, "batch_size": 6, "number_of_examples": 60, "num_updates": 40, "target_epsilon": 1.0},
        {"noise_multiplier": 4, "batch_size": 6, "n": 60, "epochs": 3.95},
        {"noise_multiplier": 4, "batch_size": 6, "n": 60, "epochs": 4, "steps": 40, "sampling_rate": "0.1"},
        {"noise_multiplier": 4, "sampling_rate": "0.1", "epochs": 3.95, "steps": 40},
    ],
)
def test_a_training_run_as_one_record(record: dict[str, Any]) -> None:
    """JAX-privacy's and TF-privacy's names of the same; what was drawn is said beside it."""
    (event,) = privref.ledger_from_dp_sgd(record, sampling="poisson").events
    assert event.count == 40
    assert (
        event.law
        == privref.ledger_from_dp_sgd({"noise_multiplier": 4, "sampling_rate": "1/10", "steps": 1}, sampling="poisson")
        .events[0]
        .law
    )


def test_a_rate_may_be_the_double_of_its_quotient() -> None:
    record = {"noise_multiplier": 4, "batch_size": 6, "n": 60, "steps": 4}
    found = privref.ledger_from_dp_sgd({**record, "sampling_rate": 0.1}, sampling="poisson").events[0].law
    assert found is not None
    assert found.sample is not None
    assert found.sample.rate == Fraction(0.1)


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({"noise_multiplier": 4, "sampling_rate": "1/10"}, "record.num_epochs"),
        ({"noise_multiplier": 4, "num_steps": 40}, "record.batch_size"),
        ({"sampling_rate": "1/10", "num_steps": 40}, "record.noise_multiplier"),
        ({"noise_multiplier": 0, "sampling_rate": "1/10", "num_steps": 40}, "record.noise_multiplier"),
        ({"noise_multiplier": 4, "sampling_rate": "1.1", "num_steps": 40}, "record.sampling_rate"),
        ({"noise_multiplier": 4, "sampling_rate": "1/10", "num_steps": 40, "steps": 1}, "record.steps"),
        ({"noise_multiplier": 4, "sampling_rate": "1/10", "num_steps": 40, "microbatches": 1}, "record.microbatches"),
        (
            {"noise_multiplier": 4, "sampling_rate": "0.01", "batch_size": 6, "n": 60, "steps": 4},
            "record.sampling_rate",
        ),
        ({"noise_multiplier": 4, "sampling_rate": "1/10", "epochs": 40, "steps": 40}, "record.num_steps"),
        ({"noise_multiplier": 4, "batch_size": 6, "n": 60, "epochs": 5, "steps": 40}, "record.num_steps"),
        ({"noise_multiplier": float("nan"), "sampling_rate": "1/10", "num_steps": 40}, "record.noise_multiplier"),
    ],
)
def test_a_run_that_is_not_known_is_refused(record: dict[str, Any], field: str) -> None:
    with pytest.raises(privref.InputError, match=f"^{field}"):
        privref.ledger_from_dp_sgd(record, sampling="poisson")


def test_dp_event_tree() -> None:
    """Counts multiply through the tree; no-ops vanish; unknown kinds stay visible."""
    five = SelfComposedDpEvent(LaplaceDpEvent(4.0), 5)
    tree = ComposedDpEvent(
        [
            NoOpDpEvent(),
            SelfComposedDpEvent(ComposedDpEvent([GaussianDpEvent(2.0), five]), 3),
            ZCDpEvent(0.5),
            DiscreteLaplaceDpEvent(0.25, 3),
            PoissonSampledDpEvent(0.1, GaussianDpEvent(1.0)),
            SampledWithoutReplacementDpEvent(50, 5, GaussianDpEvent(1.0)),
            PoissonSampledDpEvent(0.1, LaplaceDpEvent(1.0)),
            ZCDpEvent(0.5, 0.1),
        ]
    )
    ledger = privref.ledger_from_dp_event(tree, **ADD)
    found = guarantees(ledger)
    assert found[:4] == [
        (GaussianDP(Fraction(1, 2)), 3),
        (PureDP(Fraction(1, 4)), 15),
        (ZCDP(Fraction(1, 2)), 1),
        (PureDP(Fraction(3, 4)), 1),
    ]
    assert [type(guarantee) for guarantee, _ in found[4:]] == [RenyiDP, Unknown, PureDP, RenyiDP]
    drawn(ledger.events[4], 0.1, 1.0, "poisson")
    assert ledger.events[5].law is not None
    assert ledger.events[5].law.sample is not None
    assert (ledger.events[5].law.sample.rate, ledger.events[5].law.sample.sampling) == (Fraction(1, 10), "fixed-size")


@pytest.mark.parametrize(
    "tree",
    [
        NoOpDpEvent(),
        ComposedDpEvent([]),
        SelfComposedDpEvent(GaussianDpEvent(2.0), 0),
        PoissonSampledDpEvent(0.0, GaussianDpEvent(1.0)),
        Accountant(ComposedDpEvent([NoOpDpEvent()]), Relation.ADD_OR_REMOVE_ONE),
    ],
)
def test_where_nothing_ran_nothing_is_lost(tree: object) -> None:
    """An accountant without an event says epsilon 0, and so does its ledger."""
    ledger = privref.ledger_from_dp_event(tree, **ADD)
    assert [event.label for event in ledger.events] == ["nothing ran"]
    assert privref.epsilon(ledger, "1e-5").upper == 0


def test_a_cap_on_the_batches_comes_in_with_the_number_of_records() -> None:
    """Of dp-accounting's event and of a run's record alike; a batch of none reveals nothing."""
    event = SelfComposedDpEvent(TruncatedSubsampledGaussianDpEvent(1000, 0.125, 190, 3.0), 1)
    record = {"noise_multiplier": 3, "sampling_rate": "1/8", "iterations": 1, "dataset_size": 1000}
    run = privref.ledger_from_dp_sgd({**record, "truncated_batch_size": 190}, sampling="poisson")
    for ledger in (privref.ledger_from_dp_event(event, **ADD), run):
        (one,) = ledger.events
        assert one.law is not None
        assert one.law.sample is not None
        assert one.law.sample.truncation == Truncation(190, 1000)
        assert isinstance(one.guarantee, Unknown)
        assert [verdict(ledger, eps) for eps in ("0.25", "0.1")] == ["confirmed", "refuted"]
    # On all records a replaced record has 2.75; dp-accounting has 0.3158 of these samples.
    replaced = privref.ledger_from_dp_event(event, **REPLACE)
    assert [verdict(replaced, eps) for eps in ("0.3159", "0.3")] == ["confirmed", "unsupported"]
    nothing = ComposedDpEvent([TruncatedSubsampledGaussianDpEvent(1000, 0.125, 0, 3.0), GaussianDpEvent(2.0)])
    assert guarantees(privref.ledger_from_dp_event(nothing, **ADD)) == [(GaussianDP(Fraction(1, 2)), 1)]
    with pytest.raises(privref.InputError, match="a cap is known of Poisson samples only"):
        privref.ledger_from_dp_sgd({**record, "truncated_batch_size": 190}, sampling="shuffled")
    with pytest.raises(privref.InputError, match="num_examples"):
        privref.ledger_from_dp_sgd(
            {"noise_multiplier": 3, "sampling_rate": "1/8", "steps": 1, "truncated_batch_size": 9}, sampling="poisson"
        )


def test_replacing_a_record_moves_a_sum_twice_as_far() -> None:
    """The noise is calibrated to one record's norm."""
    found = guarantees(
        privref.ledger_from_dp_event(ComposedDpEvent([GaussianDpEvent(2.0), LaplaceDpEvent(4.0)]), **REPLACE)
    )
    assert found == [(GaussianDP(Fraction(1)), 1), (PureDP(Fraction(1, 2)), 1)]


@pytest.mark.parametrize("count", [-9, 1.5, float("nan")])
def test_negative_counts_are_no_refund(count: Any) -> None:
    """Where dp-accounting takes budget back."""
    with pytest.raises(privref.InputError, match="count"):
        privref.ledger_from_dp_event(SelfComposedDpEvent(GaussianDpEvent(1.0), count), **ADD)


def test_nan_noise_is_refused() -> None:
    """Where dp-accounting reports an epsilon of 0."""
    with pytest.raises(privref.InputError, match=r"events\[0\].noise_multiplier"):
        privref.ledger_from_dp_event(ComposedDpEvent([GaussianDpEvent(float("nan"))]), **ADD)


@pytest.mark.parametrize(("p", "k"), [(0.5, 2), (0.9, 2), (0.99, 4)])
def test_randomized_response_is_rounded_up(p: float, k: int) -> None:
    """Against mpmath: never below the true epsilon, and above it by less than 1e-35."""
    ((guarantee, _),) = guarantees(privref.ledger_from_dp_event(RandomizedResponseDpEvent(p, k), **REPLACE))
    with mpmath.workdps(60):
        true = mpmath.log((1 - mpmath.mpf(p) + mpmath.mpf(p) / k) / (mpmath.mpf(p) / k))
        found = mpmath.mpf(guarantee.epsilon.numerator) / guarantee.epsilon.denominator
        assert 0 <= found - true < mpmath.mpf(10) ** -35


def test_randomized_response_without_a_meaning() -> None:
    """Added records do not answer; no noise is no guarantee."""
    for event, relation in ((RandomizedResponseDpEvent(0.5, 2), ADD), (RandomizedResponseDpEvent(0.0, 2), REPLACE)):
        ((guarantee, _),) = guarantees(privref.ledger_from_dp_event(event, **relation))
        assert isinstance(guarantee, Unknown)


@pytest.mark.parametrize(
    ("p", "k", "ratio"), [(0.5, 4, Fraction(5, 2)), (0.125, 2, Fraction(8)), (0.75, 2, Fraction(4, 3))]
)
def test_randomized_response_against_a_uniform_answer(p: float, k: int, ratio: Fraction) -> None:
    """dp-accounting's special record answers at random: the largest ratio of two chances, in either direction."""
    ((guarantee, _),) = guarantees(privref.ledger_from_dp_event(RandomizedResponseDpEvent(p, k), **ZERO))
    chances = [1 - Fraction(p) + Fraction(p) / k, Fraction(p) / k]
    assert max(max(k * chance, 1 / (k * chance)) for chance in chances) == ratio
    assert isinstance(guarantee, PureDP)
    with mpmath.workdps(40):
        read = mpmath.mpf(guarantee.epsilon.numerator) / guarantee.epsilon.denominator
        assert 0 < read - mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator) < 2e-18


def test_several_mechanisms_on_one_sample_may_have_a_long_variance() -> None:
    """It is rounded down: less noise loses at least as much."""
    base = ComposedDpEvent([GaussianDpEvent(8.76), GaussianDpEvent(0.961), GaussianDpEvent(0.7)])
    (found,) = privref.ledger_from_dp_event(PoissonSampledDpEvent(0.25, base), **ADD).events
    assert found.law is not None
    assert not found.law.attained
    exact = 1 / sum((1 / Fraction(sigma) ** 2 for sigma in (8.76, 0.961, 0.7)), Fraction(0))
    assert 0 < exact - Fraction(found.law.document["base"]["sigma_squared"]) < Fraction(1, 10**24)


def test_noiseless_mechanisms_are_unknown() -> None:
    """They have no guarantee at all."""
    tree = ComposedDpEvent([GaussianDpEvent(0.0), LaplaceDpEvent(0.0)])
    assert {type(guarantee) for guarantee, _ in guarantees(privref.ledger_from_dp_event(tree, **ADD))} == {Unknown}


SAMPLED_LAPLACE = PoissonSampledDpEvent(0.125, LaplaceDpEvent(2.0))
TWO = ComposedDpEvent([GaussianDpEvent(2.0), SelfComposedDpEvent(GaussianDpEvent(4.0), 4)])
LAWS = [
    (GaussianDpEvent(2.0), ADD, {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}),
    (GaussianDpEvent(2.0), REPLACE, {"kind": "gaussian", "sigma": "2", "sensitivity": "2", "attained": False}),
    (LaplaceDpEvent(10.0), ADD, {"kind": "laplace", "scale": "10", "sensitivity": "1"}),
    (LaplaceDpEvent(10.0), REPLACE, {"kind": "laplace", "scale": "10", "sensitivity": "2", "attained": False}),
    (DiscreteLaplaceDpEvent(0.25, 3), ADD, {"kind": "geometric", "scale": "4", "shifts": ["3"]}),
    (DiscreteLaplaceDpEvent(0.25, 3), REPLACE, {"kind": "geometric", "scale": "4", "shifts": ["6"], "attained": False}),
    (
        RandomizedResponseDpEvent(0.5, 4),
        REPLACE,
        {"kind": "randomized-response", "probability": "5/8", "outcomes": "4"},
    ),
    (
        SAMPLED_LAPLACE,
        ADD,
        {
            "kind": "subsampled",
            "base": {"kind": "laplace", "scale": "2", "sensitivity": "1"},
            "rate": "1/8",
            "sampling": "poisson",
        },
    ),
    (
        PoissonSampledDpEvent(0.5, SAMPLED_LAPLACE),
        ADD,
        {
            "kind": "subsampled",
            "base": {"kind": "laplace", "scale": "2", "sensitivity": "1"},
            "rate": "1/16",
            "sampling": "poisson",
        },
    ),
    (
        PoissonSampledDpEvent(0.5, TWO),
        ADD,
        {
            "kind": "subsampled",
            "base": {"kind": "gaussian", "sigma_squared": "2", "sensitivity": "1", "attained": False},
            "rate": "1/2",
            "sampling": "poisson",
        },
    ),
    (
        MixtureOfGaussiansDpEvent(4.0, [0.0, 2.0], [0.75, 0.25]),
        ADD,
        {
            "kind": "subsampled",
            "base": {"kind": "gaussian", "sigma": "4", "sensitivity": "2"},
            "rate": "1/4",
            "sampling": "poisson",
        },
    ),
]


@pytest.mark.parametrize(("event", "said", "law"), LAWS)
def test_what_ran_comes_in_with_its_law(event: Any, said: Any, law: dict[str, Any]) -> None:
    """And not only with what it guarantees."""
    (one,) = privref.ledger_from_dp_event(SelfComposedDpEvent(event, 7), **said).events
    assert one.law is not None
    assert (one.law.document, one.count, one.label) == (law, 7, "")


ZERO: Any = {"neighbours": "zero-out", **FIXED}
G1 = GaussianDpEvent(1.0)


@pytest.mark.parametrize(
    "event",
    [
        G1,
        LaplaceDpEvent(1.0),
        DiscreteLaplaceDpEvent(1.0, 1),
        DiscreteGaussianDpEvent(1.0, 0.5, 1),
        SingleEpochTreeAggregationDpEvent(1.0, 4),
        PoissonSampledDpEvent(0.5, G1),
        PoissonSampledDpEvent(0.5, PoissonSampledDpEvent(0.5, G1)),
        PoissonSampledDpEvent(0.5, LaplaceDpEvent(1.0)),
        PoissonSampledDpEvent(0.5, DiscreteLaplaceDpEvent(1.0, 1)),
        PoissonSampledDpEvent(0.5, DiscreteGaussianDpEvent(1.0, 0.5, 1)),
        PoissonSampledDpEvent(0.5, TWO),
        SampledWithoutReplacementDpEvent(2, 1, G1),
        SampledWithoutReplacementDpEvent(2, 1, TWO),
        TruncatedSubsampledGaussianDpEvent(20, 0.25, 25, 1.0),
    ],
    ids=repr,
)
def test_that_a_replaced_record_moves_twice_the_norm_is_a_bound(event: Any) -> None:
    """A count of records with values in [0, 1] has norm 1 at most, and replacing a record moves it by 1, not 2."""
    (found,) = privref.ledger_from_dp_event(event, **REPLACE).events
    assert found.law is not None
    assert not found.law.attained


@pytest.mark.parametrize("event", [PoissonSampledDpEvent(0.5, G1), SampledWithoutReplacementDpEvent(2, 1, G1)])
def test_what_a_replaced_record_need_not_lose_refutes_nothing(event: Any) -> None:
    """Of such a count on samples of one half delta at 1/2 is below 0.16; as a bound privref knows more."""
    ledger = privref.ledger_from_dp_event(event, **REPLACE)
    claims = {"schema": "claims.1", "claims": [{"id": "x", "epsilon": "1/2", "delta": "0.16"}]}
    (found,) = privref.audit(ledger, privref.claims_from_document(claims)).opinions
    assert found.verdict == "unsupported"


@pytest.mark.parametrize("relation", [ADD, ZERO])
def test_several_mechanisms_on_one_sample_need_not_meet_in_one_record(relation: Any) -> None:
    """The sums may be over different attributes, of which no record has all at their bounds."""
    both = ComposedDpEvent([G1, GaussianDpEvent(1.5)])
    events = [PoissonSampledDpEvent(0.5, both), RandomAllocationDpEvent(both, 1, 4)]
    for event in events + ([SampledWithoutReplacementDpEvent(2, 1, both)] if relation is ZERO else []):
        (found,) = privref.ledger_from_dp_event(event, **relation).events
        assert found.law is not None
        assert not found.law.attained


def test_laplace_events_are_composed_as_laplace_mechanisms() -> None:
    """What the library itself says, 4.6926674, is proved; by the guarantees alone it would be underivable."""
    ledger = privref.ledger_from_dp_event(SelfComposedDpEvent(LaplaceDpEvent(10.0), 100), **ADD)
    claims = [("4.6927", "confirmed"), ("4.69", "refuted")]
    for epsilon, expected in claims:
        document = {"schema": "claims.1", "claims": [{"id": "x", "epsilon": epsilon, "delta": "1e-6"}]}
        audit = privref.audit(ledger, privref.claims_from_document(document))
        assert [opinion.verdict for opinion in audit.opinions] == [expected]
        assert privref.verify(privref.certificates(audit)["x"]).outcome == "verified"


def lumped(r: Fraction, shift: int) -> list[tuple[Fraction, Fraction]]:
    """Discrete Laplace noise of P(x) ~ r^|x| with and without a shift, by outcome; those of one ratio together."""
    top = 1 / (1 + r)  # the mass of x >= 0
    rows = [(top, top * r**shift)]
    rows += [(top * (1 - r) * r**x, top * (1 - r) * r ** (shift - x)) for x in range(1, shift)]
    return [*rows, (top * r**shift, top)]


@given(
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
    st.lists(st.integers(1, 3), min_size=2, max_size=3),
    st.fractions(Fraction(1, 9), 9, max_denominator=30),
)
def test_one_coordinate_with_the_whole_shift_dominates(r: Fraction, shifts: list[int], factor: Fraction) -> None:
    """The lemma by which noise on a vector has the law of one coordinate: sums of exact masses."""

    def hockey_stick(rows: list[tuple[Fraction, Fraction]]) -> Fraction:
        assert sum(p for p, _ in rows) == sum(q for _, q in rows) == 1
        return sum((max(Fraction(0), p - factor * q) for p, q in rows), Fraction(0))

    several = [(Fraction(1), Fraction(1))]
    for shift in shifts:
        several = [(p * a, q * b) for p, q in several for a, b in lumped(r, shift)]
    assert hockey_stick(several) <= hockey_stick(lumped(r, sum(shifts)))


@pytest.mark.parametrize(
    ("event", "said", "words"),
    [
        (DiscreteLaplaceDpEvent(0.0, 1), ADD, "decay of 0"),
        (PoissonSampledDpEvent(0.1, GaussianDpEvent(0.0)), ADD, "without noise"),
        (SampledWithoutReplacementDpEvent(9, 3, LaplaceDpEvent(1.0)), ADD, "LaplaceDpEvent on samples"),
        (MixtureOfGaussiansDpEvent(0.0, [-1.0, 1.0], [0.5, 0.5]), ADD, "without noise"),
        (MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [0.5, 0.5]), REPLACE, "no law of it is read"),
        (MixtureOfGaussiansDpEvent(1.0, [*range(66)], [0.5, *[1 / 130] * 65]), ADD, "too long for a law"),
        (RandomizedResponseDpEvent(0.5, 2), ADD, "added or removed"),
        (object(), ADD, "no law of it is read"),
    ],
)
def test_what_has_no_law_is_named(event: Any, said: Any, words: str) -> None:
    wrapped = ComposedDpEvent([event])
    ((guarantee, _),) = guarantees(privref.ledger_from_dp_event(wrapped, **said))
    assert isinstance(guarantee, Unknown)
    assert words in guarantee.description


def test_only_a_guarantee_is_read_where_parameters_are_too_long() -> None:
    """And the event's label says so."""
    for event, expected in (
        (GaussianDpEvent(2.0**-300), GaussianDP(Fraction(2**300))),
        (LaplaceDpEvent(2.0**300), PureDP(Fraction(1, 2**300))),
        (DiscreteLaplaceDpEvent(2.0**300, 1), PureDP(Fraction(2**300))),
    ):
        (one,) = privref.ledger_from_dp_event(event, **ADD).events
        assert (one.guarantee, one.law) == (expected, None)
        assert "only its guarantee is read" in one.label


def test_events_that_are_guarantees() -> None:
    """(xi, rho)-zCDP is Renyi DP of each order; (epsilon, delta)-DP is itself."""
    tree = ComposedDpEvent([ZCDpEvent(0.5, 0.25), EpsilonDeltaDpEvent(0.5, 0.125)])
    (renyi, _), (approx, _) = guarantees(privref.ledger_from_dp_event(tree, **ADD))
    assert approx == ApproxDP(Fraction(1, 2), Fraction(1, 8))
    assert dict(renyi.orders)[Fraction(2)] == Fraction(5, 4)
    assert all(cost == Fraction(1, 4) + order / 2 for order, cost in renyi.orders)
    # One answer only, or a response that is drawn whatever is true.
    one = ComposedDpEvent([RandomizedResponseDpEvent(0.0, 1), RandomizedResponseDpEvent(1.0, 3)])
    assert guarantees(privref.ledger_from_dp_event(one, **REPLACE)) == [(PureDP(Fraction(0)), 1)]


def test_a_named_tuple_stands_for_its_event() -> None:
    tupled = namedtuple("_Tupled", "module_name class_name noise_multiplier")
    for name in ("LaplaceDpEvent", b"LaplaceDpEvent"):
        (one,) = privref.ledger_from_dp_event(tupled("dp_accounting.dp_event", name, 4.0), **ADD).events
        assert one.mechanism == "laplace"


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, "REPLACE_ONE", "replace-one"])
def test_an_accountant_of_another_relation_is_refused(relation: Any) -> None:
    """mu = 2 under the accountant's own relation would be read as 1."""
    accountant = Accountant(GaussianDpEvent(1.0), relation)
    with pytest.raises(privref.InputError, match=r"neighboring_relation.*declare replace-one"):
        privref.ledger_from_dp_event(accountant, **ADD)
    assert guarantees(privref.ledger_from_dp_event(accountant, **REPLACE)) == [(GaussianDP(Fraction(2)), 1)]
    own = Accountant(GaussianDpEvent(1.0), Relation.ADD_OR_REMOVE_ONE)
    assert guarantees(privref.ledger_from_dp_event(own, **ADD)) == [(GaussianDP(Fraction(1)), 1)]
    with pytest.raises(privref.InputError, match="declare add-or-remove-one"):
        privref.ledger_from_dp_event(own, **REPLACE)


@pytest.mark.parametrize(
    "read",
    [
        lambda said: privref.ledger_from_dp_event(Accountant(GaussianDpEvent(1.0), said), **ADD),
        lambda said: privref.ledger_from_opacus({"history": [(1.0, 1, 1)], "neighboring_relation": said}, **FIXED),
        lambda said: privref.ledger_from_dp_sgd(
            {"noise_multiplier": 1, "sampling_rate": "1/2", "steps": 1, "neighboring_relation": said},
            sampling="poisson",
        ),
    ],
)
def test_every_importer_holds_the_relation(read: Callable[[Any], privref.Ledger]) -> None:
    """One that the ledger does not say is refused, and one that no ledger can say."""
    assert read("ADD_OR_REMOVE_ONE").neighbours == "add-or-remove-one"
    assert read(Relation.ADD_OR_REMOVE_ONE).neighbours == "add-or-remove-one"
    for said in (Relation.REPLACE_ONE, Relation.REPLACE_SPECIAL, "replace_special", "zero-out", "one-sided", 2):
        with pytest.raises(privref.InputError, match="neighboring_relation"):
            read(said)


def test_records_that_do_not_say_what_they_must_are_refused() -> None:
    """With the field, in one line."""
    with pytest.raises(privref.InputError, match="says no neighbouring relation"):
        privref.ledger_from_dp_event(Accountant(GaussianDpEvent(1.0), None), **ADD)
    with pytest.raises(privref.InputError, match=r"history.orders.*unknown field"):
        privref.ledger_from_opacus({"history": [(1.0, 1, 1)], "orders": [2]}, **FIXED)
    with pytest.raises(privref.InputError, match=r"event.noise_multiplier.*missing"):
        privref.ledger_from_dp_event(type("GaussianDpEvent", (), {})(), **ADD)
    deep: Any = GaussianDpEvent(1.0)
    for _ in range(2000):
        deep = SelfComposedDpEvent(deep, 1)
    for event in (deep, PoissonSampledDpEvent(0.5, deep)):
        with pytest.raises(privref.InputError, match="levels"):
            privref.ledger_from_dp_event(event, **ADD)
    with pytest.raises(privref.InputError, match="add up to 1"):
        privref.ledger_from_dp_event(MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [0.5, 0.25]), **ADD)
    with pytest.raises(privref.InputError, match="give 2, as sensitivities"):
        privref.ledger_from_dp_event(MixtureOfGaussiansDpEvent(1.0, [0.0, 1.0], [1.0]), **ADD)


def test_the_real_diffprivlib() -> None:
    """Where installed."""
    accountant = pytest.importorskip("diffprivlib.accountant").BudgetAccountant()
    accountant.spend(0.1, 0).spend(0.2, 1e-9)
    found = guarantees(privref.ledger_from_diffprivlib(accountant, **REPLACE))
    assert found == [(PureDP(Fraction(0.1)), 1), (ApproxDP(Fraction(0.2), Fraction(1e-9)), 1)]


def test_the_real_dp_accounting() -> None:
    """Where installed: the accountant's own ledger, counts and all."""
    dp_accounting = pytest.importorskip("dp_accounting")
    accountant = dp_accounting.rdp.RdpAccountant(neighboring_relation=dp_accounting.NeighboringRelation.REPLACE_ONE)
    accountant.compose(dp_accounting.RandomizedResponseDpEvent(0.5, 2), 100)
    ((guarantee, count),) = guarantees(privref.ledger_from_dp_event(accountant, **REPLACE))
    assert count == 100
    assert abs(float(guarantee.epsilon) - 1.0986122886681098) < 1e-15


def test_what_the_real_dp_accounting_says_of_its_events_is_proved() -> None:
    """Where installed: its own epsilon, from its own ledger, is confirmed, and much less is not."""
    dp = pytest.importorskip("dp_accounting")
    pld = pytest.importorskip("dp_accounting.pld")
    sampled = dp.PoissonSampledDpEvent(0.125, dp.LaplaceDpEvent(2.0))
    relations = dp.NeighboringRelation
    for event, count, relation in (
        (dp.LaplaceDpEvent(10.0), 100, relations.ADD_OR_REMOVE_ONE),
        (dp.dp_event.DiscreteLaplaceDpEvent(0.25, 1), 30, relations.ADD_OR_REMOVE_ONE),
        (dp.GaussianDpEvent(4.0), 20, relations.ADD_OR_REMOVE_ONE),
        (dp.GaussianDpEvent(8.0), 20, relations.REPLACE_ONE),
        (sampled, 20, relations.ADD_OR_REMOVE_ONE),
        (dp.dp_event.MixtureOfGaussiansDpEvent(4.0, [0.0, 1.0], [0.75, 0.25]), 20, relations.ADD_OR_REMOVE_ONE),
    ):
        accountant = pld.PLDAccountant(relation).compose(event, count)
        neighbours = relation.name.lower().replace("_", "-")
        ledger = privref.ledger_from_dp_event(accountant, neighbours=neighbours, **FIXED)
        own = accountant.get_epsilon(1e-5)
        assert verdict(ledger, f"{own + 0.002:.4f}") == "confirmed", event
        assert verdict(ledger, f"{own * 0.98:.4f}") != "confirmed", event
        tupled = dp.SelfComposedDpEvent(event, count).to_named_tuple()
        again = privref.ledger_from_dp_event(tupled, neighbours=neighbours, **FIXED)
        assert again.events == ledger.events


def test_sampled_events_of_the_real_dp_accounting() -> None:
    """Where installed: Poisson samples and samples of a fixed size, composed with themselves and each other."""
    dp_accounting = pytest.importorskip("dp_accounting")
    step = dp_accounting.PoissonSampledDpEvent(0.1, dp_accounting.GaussianDpEvent(4.0))
    accountant = dp_accounting.rdp.RdpAccountant()
    accountant.compose(dp_accounting.SelfComposedDpEvent(step, 30)).compose(step, 10)
    ledger = privref.ledger_from_dp_event(accountant, **ADD)
    assert sum(event.count for event in ledger.events) == 40
    drawn(ledger.events[0], 0.1, 4.0, "poisson")
    assert verdict(ledger, f"{accountant.get_epsilon(1e-5) + 0.001:.3f}") == "confirmed"
    fixed = dp_accounting.SampledWithoutReplacementDpEvent(50, 5, dp_accounting.GaussianDpEvent(4.0))
    other = privref.ledger_from_dp_event(dp_accounting.SelfComposedDpEvent(fixed, 40), **ADD)
    assert verdict(other, "100") == "inapplicable"


def test_the_real_opacus() -> None:
    """Where installed, its history and its state."""
    RDPAccountant = pytest.importorskip("opacus.accountants").RDPAccountant  # noqa: N806
    accountant = RDPAccountant()
    accountant.step(noise_multiplier=2.0, sample_rate=1)
    accountant.step(noise_multiplier=2.0, sample_rate=1)
    for record in (accountant, accountant.state_dict()):
        assert guarantees(privref.ledger_from_opacus(record, **FIXED)) == [(GaussianDP(Fraction(1, 2)), 2)]
    sampled = RDPAccountant()
    for _ in range(40):
        sampled.step(noise_multiplier=4.0, sample_rate=0.1)
    ledger = privref.ledger_from_opacus(sampled, **FIXED)
    (event,) = ledger.events
    assert event.count == 40
    drawn(event, 0.1, 4.0, "poisson")
    # What its own accountant says is confirmed, by the Renyi divergences too.
    own = f"{sampled.get_epsilon(delta=1e-5) + 0.001:.3f}"
    assert verdict(ledger, own) == "confirmed"


@pytest.mark.parametrize("on_samples", [False, True])
def test_a_tree_that_holds_one_event_very_often_is_refused(on_samples: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few objects may stand for 2^60 events; a million of them take five seconds."""
    assert imports._MOST_EVENTS == 1_000_000
    monkeypatch.setattr(imports, "_MOST_EVENTS", 10_000)
    event: Any = GaussianDpEvent(1.0)
    for _ in range(60):
        event = ComposedDpEvent([event, event])
    given = PoissonSampledDpEvent(0.1, event) if on_samples else event
    with pytest.raises(privref.InputError, match="a tree of more than 10000 events is not read"):
        privref.ledger_from_dp_event(given, **ADD)


def test_what_is_no_list_of_events_is_refused() -> None:
    with pytest.raises(privref.InputError, match=r"event\.events: privref rejects '5': .* has a list of them"):
        privref.ledger_from_dp_event(ComposedDpEvent(5), **ADD)  # type: ignore[arg-type]


def test_a_mixture_of_several_shifts_is_read_as_it_is() -> None:
    """A group of three records, of which each is drawn with probability 1/4: by quadrature, at several epsilons."""
    chances = [27 / 64, 27 / 64, 9 / 64, 1 / 64]
    event = MixtureOfGaussiansDpEvent(2.0, [0.0, 1.0, 2.0, 3.0], chances)
    (found,) = privref.ledger_from_dp_event(event, **ADD).events
    assert found.law is not None
    assert found.law.document == {
        "kind": "gaussian-mixture", "sigma": "2", "shifts": ["0", "1", "2", "3"],
        "weights": ["27/64", "27/64", "9/64", "1/64"],
    }  # fmt: skip

    def lost(epsilon: float, removal: bool) -> float:
        """The hockey stick of a mixture, by the trapezoidal rule."""
        total, step = 0.0, 1 / 64
        for i in range(-40 * 64, 40 * 64):
            x = i * step
            q = exp(-x * x / 8)
            p = sum(chance * exp(-((x - j) ** 2) / 8) for j, chance in enumerate(chances))
            total += max(p - exp(epsilon) * q if removal else q - exp(epsilon) * p, 0.0)
        return total * step / sqrt(8 * pi)

    for epsilon in (0.0, 0.25, 0.5, 1.0):
        read = privref.evaluate("zdw2022/thm10.delta", {"rounds": [found.law.document], "eps": str(epsilon)}).enclosure
        most = max(lost(epsilon, removal) for removal in (True, False))
        assert meets(read, around(most, relative=Fraction(1, 10**4)))


@pytest.mark.parametrize(
    "chances", [[0.5, 0.25, 0.25 - 2**-54], [0.5, 0.25, 0.25 + 2**-54], [2**-54, 0.5, 0.5 + 2**-53]]
)
def test_chances_that_miss_the_sum_1_are_rounded_to_what_loses_more(chances: list[float]) -> None:
    """What is missing goes to the largest shift; what is too much is taken from the least ones, of any sign."""
    shifts = [0.5, -1.0, 2.0]
    (found,) = privref.ledger_from_dp_event(MixtureOfGaussiansDpEvent(2.0, shifts, chances), **ADD).events
    assert found.law is not None
    said = found.law.document
    assert sum(map(Fraction, said["weights"])) == 1  # type: ignore[call-overload]
    for least in (Fraction(1, 2), Fraction(1), Fraction(2)):
        given = sum(Fraction(c) for c, s in zip(chances, shifts, strict=True) if abs(Fraction(s)) >= least)
        read = sum(
            Fraction(w) for w, s in zip(said["weights"], said["shifts"], strict=True)  # type: ignore[call-overload]
            if Fraction(s) >= least
        )  # fmt: skip
        assert read >= min(given, 1)
    assert said["attained"] is False


STEP: Any = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}


@pytest.mark.parametrize(
    ("event", "relation", "law"),
    [
        (DiscreteGaussianDpEvent(2.0, 1.0, 1), ADD, {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}),
        (DiscreteGaussianDpEvent(2.0, 1.75, 1), ADD, {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}),
        (
            SingleEpochTreeAggregationDpEvent(2.0, 4), ZERO,
            {"kind": "gaussian", "sigma": "2", "sensitivity_squared": "3"},
        ),
        (
            SingleEpochTreeAggregationDpEvent(2.0, [1, 7, 8]), ZERO,
            {"kind": "gaussian", "sigma": "2", "sensitivity_squared": "4"},
        ),
        (
            SingleEpochTreeAggregationDpEvent(2.0, 3), REPLACE,
            {"kind": "gaussian", "sigma": "2", "sensitivity_squared": "8", "attained": False},
        ),
        (
            RandomAllocationDpEvent(GaussianDpEvent(2.0), 1, 100), ADD,
            {"kind": "subsampled", "base": STEP, "sampling": "balls-in-bins", "bins": "100"},
        ),
        (
            RandomAllocationDpEvent(GaussianDpEvent(2.0), 3, 100), ZERO,
            {"kind": "subsampled", "base": STEP, "sampling": "balls-in-bins", "bins": "100", "chosen": "3"},
        ),
        (
            RandomAllocationDpEvent(GaussianDpEvent(2.0), 3, 10**7), ZERO,
            {
                "kind": "subsampled", "base": STEP, "sampling": "balls-in-bins", "bins": "1000000", "epochs": "3",
                "drawn": "each-epoch", "attained": False,
            },
        ),
        (
            MixtureOfGaussiansDpEvent(2.0, [0.0, 1.0], [0.75, 0.25]), ZERO,
            {"kind": "subsampled", "base": STEP, "rate": "1/4", "sampling": "poisson"},
        ),
        (
            PoissonSampledDpEvent(0.25, DiscreteGaussianDpEvent(2.0, 1.0, 1)), ADD,
            {
                "kind": "subsampled", "base": {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]},
                "rate": "1/4", "sampling": "poisson",
            },
        ),
    ],
)  # fmt: skip
def test_an_event_is_read_by_its_law(event: Any, relation: Any, law: Any) -> None:
    (found,) = privref.ledger_from_dp_event(event, **relation).events
    assert found.law is not None
    assert found.law.document == law


@pytest.mark.parametrize(
    ("event", "relation", "guarantee"),
    [
        (ExponentialMechanismDpEvent(0.5), ADD, BoundedRange(Fraction(1, 2))),
        (PermuteAndFlipDpEvent(0.5), ADD, PureDP(Fraction(1, 2))),
        (DiscreteGaussianDpEvent(2.0, 1.0), ADD, ZCDP(Fraction(1, 8))),
        (DiscreteGaussianDpEvent(2.0, 1.0, 1), REPLACE, ZCDP(Fraction(1, 2))),
        (DiscreteGaussianDpEvent(2.0, 3.0, 2), ADD, ZCDP(Fraction(9, 8))),
    ],
)
def test_of_an_event_without_a_law_the_guarantee_is_read(event: Any, relation: Any, guarantee: Any) -> None:
    (found,) = privref.ledger_from_dp_event(event, **relation).events
    assert found.law is None
    assert found.guarantee == guarantee


@pytest.mark.parametrize(
    ("event", "relation", "why"),
    [
        (NonPrivateDpEvent(), ADD, "no epsilon holds"),
        (UnsupportedDpEvent(), ADD, "nothing is known"),
        (SampledWithReplacementDpEvent(100, 10, GaussianDpEvent(1.0)), ADD, "with replacement is registered"),
        (SampledWithReplacementDpEvent(10, 11, GaussianDpEvent(1.0)), ZERO, "more draws than records"),
        (RepeatAndSelectDpEvent(EpsilonDeltaDpEvent(1.0, 1e-9), 3.0, 1.0), ADD, "no Renyi DP without a delta"),
        (RepeatAndSelectDpEvent(NonPrivateDpEvent(), 3.0, 1.0), ADD, "no epsilon holds"),
        (SingleEpochTreeAggregationDpEvent(2.0, 4), ADD, "zero-out"),
        (DiscreteGaussianDpEvent(0.0, 1.0, 1), ADD, "without noise"),
    ],
)
def test_an_event_without_a_theorem_says_which(event: Any, relation: Any, why: str) -> None:
    (found,) = privref.ledger_from_dp_event(event, **relation).events
    assert isinstance(found.guarantee, Unknown)
    assert why in found.guarantee.description


@pytest.mark.parametrize(
    ("event", "relation", "guarantee", "count"),
    [
        (PoissonSampledDpEvent(0.1, SelfComposedDpEvent(LaplaceDpEvent(2.0), 2)), ADD, PureDP(Fraction(1, 2)), 14),
        (PoissonSampledDpEvent(0.1, ZCDpEvent(0.5)), ADD, ZCDP(Fraction(1, 2)), 7),
        (PoissonSampledDpEvent(0.1, PoissonSampledDpEvent(0.5, ZCDpEvent(0.5))), ZERO, ZCDP(Fraction(1, 2)), 7),
        (
            SampledWithoutReplacementDpEvent(9, 3, SelfComposedDpEvent(LaplaceDpEvent(2.0), 2)),
            REPLACE,
            PureDP(Fraction(1)),
            14,
        ),
        (PoissonSampledDpEvent(0.1, SelfComposedDpEvent(LaplaceDpEvent(2.0), 2)), REPLACE, PureDP(Fraction(1)), 14),
        (RandomAllocationDpEvent(GaussianDpEvent(2.0), 3, 9), REPLACE, GaussianDP(Fraction(1)), 21),
        (RandomAllocationDpEvent(LaplaceDpEvent(2.0), 3, 9), ADD, PureDP(Fraction(1, 2)), 21),
    ],
)
def test_what_runs_on_samples_without_a_law_is_read_as_on_all_records(
    event: Any, relation: Any, guarantee: Any, count: int
) -> None:
    (found,) = privref.ledger_from_dp_event(SelfComposedDpEvent(event, 7), **relation).events
    assert (found.guarantee, found.count) == (guarantee, count)
    assert found.label == "on samples, of which no law is read: as on all records"
    assert found.law is None or not found.law.attained


ANSWER = RandomizedResponseDpEvent(0.5, 2)


@pytest.mark.parametrize(
    ("event", "relation", "base", "whole", "epsilon", "of_one_size"),
    [
        (LaplaceDpEvent(4.0), REPLACE,
         {"kind": "laplace", "scale": "4", "sensitivity": "2", "attained": False}, 10, "2.350", "0.6858"),
        (DiscreteLaplaceDpEvent(0.25, 1), REPLACE,
         {"kind": "geometric", "scale": "4", "shifts": ["2"], "attained": False}, 10, "2.405", "0.6989"),
        (DiscreteGaussianDpEvent(2.0, 0.5, 1), REPLACE,
         {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"], "attained": False}, None, "3.010", "0.8798"),
        (ANSWER, REPLACE, {"kind": "randomized-response", "probability": "3/4", "outcomes": "2"}, 22, "6.547", "2.153"),
        (LaplaceDpEvent(2.0), ZERO, {"kind": "laplace", "scale": "2", "sensitivity": "1"}, 10, "2.350", "2.350"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("sampler", ["poisson", "fixed-size"])
def test_samples_of_other_noise_count_by_who_is_drawn(
    event: Any, relation: Any, base: dict[str, Any], whole: int | None, epsilon: str, of_one_size: str, sampler: str
) -> None:
    """A law that replaced records move by two norms; at delta = 1e-3 far less than on all records, and at 0 as much.

    Of one size less at 0 too, where the batch with another record is a neighbour.
    """
    drawn = (
        PoissonSampledDpEvent(0.125, event) if sampler == "poisson" else SampledWithoutReplacementDpEvent(80, 10, event)
    )
    ledger = privref.ledger_from_dp_event(SelfComposedDpEvent(drawn, 20), **relation)
    (found,) = ledger.events
    assert found.law is not None
    assert found.label == ""
    neighbours = {"neighbours": ledger.neighbours} if sampler == "fixed-size" else {}
    assert found.law.document == {
        "kind": "subsampled", "base": base, "rate": "1/8", "sampling": sampler, **neighbours}  # fmt: skip
    assert bool(found.law.lower) == (sampler == "fixed-size" or relation is ZERO)
    bound = privref.epsilon(ledger, "1e-3").upper
    if sampler == "poisson" and relation is ZERO:
        assert bound < 1  # Of Poisson samples the mixture itself is the pair.
    else:
        assert abs(bound - Fraction(epsilon if sampler == "poisson" else of_one_size)) < Fraction(1, 1000)
        if whole is not None and sampler == "fixed-size" and relation is REPLACE:
            assert privref.epsilon(ledger, "0").upper < whole / 4
        elif whole is not None:
            assert whole - 1 < privref.epsilon(ledger, "0").upper < whole + 1


@pytest.mark.parametrize("relation", [ADD, ZERO])
def test_randomized_response_about_samples_has_a_law_where_a_record_is_replaced_only(relation: Any) -> None:
    """Of a record that is not there, or answers uniformly, no law is read; with two answers of a sample neither."""
    (found,) = privref.ledger_from_dp_event(PoissonSampledDpEvent(0.125, ANSWER), **relation).events
    assert found.law is None
    (single,) = privref.ledger_from_dp_event(
        SampledWithoutReplacementDpEvent(80, 10, LaplaceDpEvent(2.0)), **ADD
    ).events
    assert single.law is None
    assert isinstance(single.guarantee, Unknown)


@pytest.mark.parametrize("absent", [(Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 2))])
def test_a_record_in_some_steps_loses_no_more_than_in_as_many_for_certain(absent: tuple[Fraction, Fraction]) -> None:
    """Two of three steps, any two: each answer is a coin, by the sums over all answers.

    A step without the record answers as with the other one (it is left out there), or in a third way (it is replaced).
    """
    one, other = (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 3), Fraction(2, 3))
    Law = dict[tuple[int, ...], Fraction]  # noqa: N806

    def law(coin: tuple[Fraction, Fraction], steps: tuple[int, ...], length: int) -> Law:
        coins = [coin if i in steps else absent for i in range(length)]
        answers = product((0, 1), repeat=length)
        return {x: Fraction(prod(each[y] for each, y in zip(coins, x, strict=True))) for x in answers}

    def mixed(coin: tuple[Fraction, Fraction]) -> Law:
        drawn = [law(coin, steps, 3) for steps in ((0, 1), (0, 2), (1, 2))]
        return {x: sum((each[x] for each in drawn), Fraction(0)) / 3 for x in drawn[0]}

    def lost(p: Law, q: Law, factor: Fraction) -> Fraction:
        return sum((max(Fraction(0), p[x] - factor * q[x]) for x in p), Fraction(0))

    for factor, (first, second) in product((1, Fraction(3, 2), 3, 5), ((one, other), (other, one))):
        certain = lost(law(first, (0, 1), 2), law(second, (0, 1), 2), Fraction(factor))
        assert lost(mixed(first), mixed(second), Fraction(factor)) <= certain


@pytest.mark.parametrize(
    ("event", "relation"),
    [
        (DiscreteGaussianDpEvent(2.0, 0.5, 1), ADD),
        (DiscreteGaussianDpEvent(2.0, 1.0, 0), ADD),
        (SingleEpochTreeAggregationDpEvent(2.0, 0), ZERO),
        (RandomAllocationDpEvent(GaussianDpEvent(1.0), 0, 9), ADD),
    ],
)
def test_an_event_that_reveals_nothing_is_none(event: Any, relation: Any) -> None:
    both = ComposedDpEvent([event, GaussianDpEvent(1.0)])
    (found,) = privref.ledger_from_dp_event(both, **relation).events
    assert found.law is not None
    assert found.law.kind == "gaussian"


def test_a_record_is_in_no_more_steps_than_there_are() -> None:
    with pytest.raises(privref.InputError, match="at most all 3 steps"):
        privref.ledger_from_dp_event(RandomAllocationDpEvent(GaussianDpEvent(1.0), 4, 3), **ADD)
    for relation in (ADD, REPLACE):
        with pytest.raises(privref.InputError, match=r"event\.event is missing"):
            privref.ledger_from_dp_event(RandomAllocationDpEvent(None, 2, 3), **relation)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shape", "mean", "said"),
    [
        (1.0, 4.0, {"trials": "negative-binomial", "eta": "1", "gamma": "1/4"}),
        (inf, 2.5, {"trials": "poisson", "mean": "5/2"}),
        (1.0, 1.0, None),
    ],
)
def test_the_best_of_a_random_number_of_trials_is_read(shape: float, mean: float, said: Any) -> None:
    (found,) = privref.ledger_from_dp_event(RepeatAndSelectDpEvent(GaussianDpEvent(4.0), mean, shape), **ADD).events
    assert (found.best_of is None) == (said is None)
    if said is not None:
        event = {"mechanism": {"kind": "gaussian", "sigma": "4", "sensitivity": "1"}, "best_of": said}
        assert found == ledger_of(event, **ADD).events[0]


def test_a_trial_of_several_events_is_read_by_its_renyi_dp() -> None:
    rounds = SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.0)), 100)
    both = ComposedDpEvent([rounds, GaussianDpEvent(4.0)])
    (found,) = privref.ledger_from_dp_event(RepeatAndSelectDpEvent(both, 10.0, 0.0), **ADD).events
    alone = privref.ledger_from_dp_event(both, **ADD)
    assert found.best_of is not None
    orders = dict(found.best_of.of.orders)
    for order, cost in orders.items():
        parts = [renyi_cost(each.guarantee, order) for each in alone.events]
        assert cost == sum(each.count * part[0] for each, part in zip(alone.events, parts, strict=True) if part)
    assert len(orders) > 5
    after = privref.ledger_from_dp_event(ComposedDpEvent([RepeatAndSelectDpEvent(both, 10.0, 0.0), both]), **ADD)
    assert [each.best_of is None for each in after.events] == [False, True, True]


@pytest.mark.parametrize(("shape", "mean"), [(-1.0, 4.0), (1.0, 0.5), (nan, 4.0), ("1", 4.0)])
def test_what_is_no_number_of_trials_is_refused(shape: Any, mean: float) -> None:
    with pytest.raises(privref.InputError, match=r"shape|mean"):
        privref.ledger_from_dp_event(RepeatAndSelectDpEvent(GaussianDpEvent(1.0), mean, shape), **ADD)
