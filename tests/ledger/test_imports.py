"""Other libraries' records as ledgers: with stand-ins of the same shape, and with the libraries where installed."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath
import pytest

import privref
from privref.exact.numbers import spell
from privref.guarantees.model import ZCDP, ApproxDP, GaussianDP, PureDP, RenyiDP, Unknown
from privref.profiles.declared import Truncation

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
    assert [type(guarantee) for guarantee, _ in found[4:]] == [RenyiDP, Unknown, Unknown, Unknown]
    drawn(ledger.events[4], 0.1, 1.0, "poisson")
    assert ledger.events[5].law is not None
    assert ledger.events[5].law.sample is not None
    assert (ledger.events[5].law.sample.rate, ledger.events[5].law.sample.sampling) == (Fraction(1, 10), "fixed-size")


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
    assert verdict(privref.ledger_from_dp_event(event, **REPLACE), "9") == "inapplicable"
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


def test_noiseless_mechanisms_are_unknown() -> None:
    """They have no guarantee at all."""
    tree = ComposedDpEvent([GaussianDpEvent(0.0), LaplaceDpEvent(0.0)])
    assert {type(guarantee) for guarantee, _ in guarantees(privref.ledger_from_dp_event(tree, **ADD))} == {Unknown}


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
    from privref.vectors.peers.libraries import OPACUS

    if OPACUS.version is None:
        pytest.skip("opacus is not installed")
    OPACUS.setup()
    from opacus.accountants import RDPAccountant

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
