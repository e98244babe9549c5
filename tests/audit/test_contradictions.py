"""A mechanism and a guarantee beside it: the one has the other, or the ledger is refused. What one pair attains."""

from __future__ import annotations

from typing import Any

import pytest

import privref

Document = dict[str, Any]


def ledger(*events: Document, **more: Any) -> Document:
    return {
        "schema": "ledger.1", "title": "t", "privacy_unit": "u", "neighbours": "add-or-remove-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": list(events), **more,
    }  # fmt: skip


def opinions(document: Document, *claims: Document) -> list[str]:
    stated = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": f"c{i}", **claim} for i, claim in enumerate(claims)]}
    )
    audit = privref.audit(privref.ledger_from_document(document), stated)
    for certificate in privref.certificates(audit).values():
        verification = privref.verify(certificate)
        assert verification.outcome == "verified", verification
    return [opinion.verdict for opinion in audit.opinions]


def confirmed(document: Document, claim: Document) -> list[str]:
    """The premises of a confirmed claim."""
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    (opinion,) = privref.audit(privref.ledger_from_document(document), claims).opinions
    assert opinion.verdict == "confirmed"
    return [premise.how for premise in opinion.premises]


GAUSSIAN = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
LAPLACE = {"kind": "laplace", "scale": "1", "sensitivity": "1"}
TWO_CELLS = {"kind": "output-dp", "cells": {"a": "0.1", "b": "0.2"}, "delta": "0"}

#: The guarantee is stronger than what the mechanism gives, or cannot be compared with it.
TOO_STRONG: list[tuple[Document, Document]] = [
    (GAUSSIAN, {"kind": "zcdp", "rho": "0", "delta": "1e-300"}),
    (GAUSSIAN, {"kind": "zcdp", "rho": "0.0001", "delta": "1e-12"}),
    (GAUSSIAN, {"kind": "zcdp", "rho": "0.49"}),
    (GAUSSIAN, {"kind": "rdp", "orders": {"32": "0.001"}, "delta": "1e-12"}),
    (GAUSSIAN, {"kind": "rdp", "orders": {"2": "1", "32": "15"}}),
    (GAUSSIAN, {"kind": "gaussian-dp", "mu": "0.99"}),
    (GAUSSIAN, {"kind": "approx-dp", "epsilon": "1", "delta": "0.12"}),
    (GAUSSIAN, {"kind": "pdp", "epsilon": "1", "delta": "0.3"}),
    (GAUSSIAN, {"kind": "pure-dp", "epsilon": "100"}),
    (LAPLACE, TWO_CELLS),
    (LAPLACE, {"kind": "pure-dp", "epsilon": "0.999"}),
    ({"kind": "discrete-gaussian", "sigma_squared": "1000000000000", "shifts": ["1000000"]},
     {"kind": "approx-dp", "epsilon": "0.001", "delta": "1e-9"}),
    ({"kind": "geometric", "scale": "1000000", "shifts": ["1000000"]},
     {"kind": "approx-dp", "epsilon": "0.001", "delta": "1e-9"}),
    ({"kind": "randomized-response", "epsilon": "5"}, {"kind": "zcdp", "rho": "4.75"}),
    ({"kind": "randomized-response", "epsilon": "1.01"}, {"kind": "pdp", "epsilon": "1", "delta": "0.01"}),
    ({"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "0.01"},
     {"kind": "pure-dp", "epsilon": "2"}),
]  # fmt: skip


@pytest.mark.parametrize(("mechanism", "guarantee"), TOO_STRONG, ids=str)
def test_a_guarantee_that_the_mechanism_does_not_have_is_refused(mechanism: Document, guarantee: Document) -> None:
    with pytest.raises(privref.InputError, match="guarantee"):
        privref.ledger_from_document(ledger({"mechanism": mechanism, "guarantee": guarantee}))


#: The mechanism has it: a weaker one, or its own.
ALLOWED: list[tuple[Document, Document]] = [
    (GAUSSIAN, {"kind": "zcdp", "rho": "1/2"}),
    (GAUSSIAN, {"kind": "zcdp", "rho": "2", "delta": "1e-9"}),
    (GAUSSIAN, {"kind": "rdp", "orders": {"2": "1", "32": "16"}}),
    (GAUSSIAN, {"kind": "gaussian-dp", "mu": "1"}),
    (GAUSSIAN, {"kind": "approx-dp", "epsilon": "1", "delta": "0.13"}),
    (GAUSSIAN, {"kind": "pdp", "epsilon": "1", "delta": "0.4"}),
    (LAPLACE, {"kind": "pure-dp", "epsilon": "1"}),
    (LAPLACE, {"kind": "zcdp", "rho": "1/2"}),
    (LAPLACE, {"kind": "approx-dp", "epsilon": "1/2", "delta": "0.23"}),
    (LAPLACE, {"kind": "output-dp", "cells": {"a": "1", "b": "2"}, "delta": "0"}),
    ({"kind": "randomized-response", "epsilon": "5"}, {"kind": "zcdp", "rho": "5"}),
    ({"kind": "randomized-response", "epsilon": "1"}, {"kind": "rdp", "orders": {"2": "1"}}),
    ({"kind": "discrete-gaussian", "sigma_squared": "4", "shifts": ["1", "1"]}, {"kind": "zcdp", "rho": "1/4"}),
    ({"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "0.01"},
     {"kind": "approx-dp", "epsilon": "1", "delta": "0.02"}),
]  # fmt: skip


@pytest.mark.parametrize(("mechanism", "guarantee"), ALLOWED, ids=str)
def test_a_guarantee_that_follows_from_the_mechanism_is_read(mechanism: Document, guarantee: Document) -> None:
    assert privref.ledger_from_document(ledger({"mechanism": mechanism, "guarantee": guarantee})).rounds == 1


#: Mechanisms with less than (or exactly) what their pairs have, and what is declared beside them; is it less?
LEFT_OPEN: list[tuple[Document, Document, bool]] = [
    (GAUSSIAN, {"kind": "zcdp", "rho": "1/10"}, True),
    (GAUSSIAN, {"kind": "zcdp", "rho": "1/2"}, False),
    (GAUSSIAN, {"kind": "approx-dp", "epsilon": "1", "delta": "0.2"}, False),
    (GAUSSIAN, {"kind": "approx-dp", "epsilon": "1/10", "delta": "0.01"}, True),
    ({"kind": "laplace", "scale": "1", "sensitivity": "1"}, {"kind": "pure-dp", "epsilon": "1/10"}, True),
    ({"kind": "randomized-response", "epsilon": "1"}, {"kind": "pure-dp", "epsilon": "1/10"}, True),
    ({"kind": "subsampled", "base": GAUSSIAN, "rate": "1/2", "sampling": "poisson"},
     {"kind": "approx-dp", "epsilon": "1/10", "delta": "0.001"}, True),
    ({"kind": "subsampled", "base": GAUSSIAN, "bins": "2", "drawn": "each-epoch", "sampling": "balls-in-bins"},
     {"kind": "zcdp", "rho": "1/10"}, True),
    ({"kind": "matrix-gaussian", "sigma": "1", "sensitivity": "1", "coefficients": ["1"], "rounds": "2",
      "participations": "1", "separation": "1"}, {"kind": "gaussian-dp", "mu": "1/10"}, True),
]  # fmt: skip


@pytest.mark.parametrize(("mechanism", "guarantee", "less"), LEFT_OPEN, ids=str)
def test_a_guarantee_below_a_shift_that_is_not_attained_is_taken_at_its_word(
    mechanism: Document, guarantee: Document, less: bool
) -> None:
    """Both are upper bounds, and the smaller one rests on the ledger's word alone, which is printed."""
    event = {"mechanism": {**mechanism, "attained": False}, "guarantee": guarantee}
    premises = confirmed(ledger(event), {"epsilon": "1e3", "delta": "0.5"})
    assert any("event 1 is taken at its word; it is stronger" in words for words in premises) is less


@pytest.mark.parametrize(("epsilon", "less"), [("0.9", True), ("1", False)])
def test_so_is_that_of_a_trial(epsilon: str, less: bool) -> None:
    """What was selected is paid thrice, and is compared with three times the mechanism's."""
    response = {"kind": "randomized-response", "epsilon": "1", "attained": False}
    trial = {
        "mechanism": response, "guarantee": {"kind": "pure-dp", "epsilon": epsilon}, "selected": "best-of-random-number"
    }  # fmt: skip
    premises = confirmed(ledger(trial, trial), {"epsilon": "6", "delta": "0"})
    assert any("events 1, 2 are taken at their word; they are" in words for words in premises) is less


MEN, WOMEN = {"label": "men", "mechanism": GAUSSIAN}, {"label": "women", "mechanism": GAUSSIAN}
DISJOINT = {"epsilon": "1/2", "delta": "0.3"}, {"rho": "1/2"}, {"epsilon": "5", "delta": "1e-5"}


def test_counts_of_disjoint_groups_refute_nothing_together() -> None:
    """One record changes one of the two counts, so that mu = 1 in all: the ledger does not say otherwise."""
    assert opinions(ledger(MEN, WOMEN), *DISJOINT) == ["unsupported"] * 3
    assert opinions(ledger(MEN, WOMEN), {"epsilon": "1/2", "delta": "0.2"}, {"rho": "0.49"}) == ["refuted"] * 2


def test_what_one_pair_attains_together_refutes_together() -> None:
    together = ledger(MEN, WOMEN, attained_together=True)
    assert opinions(together, *DISJOINT) == ["refuted"] * 3
    counted = ledger({**MEN, "count": 2})
    assert opinions(counted, *DISJOINT) == ["refuted"] * 3


def test_a_forged_witness_of_two_events_does_not_verify() -> None:
    claim = {"schema": "claims.1", "claims": [{"id": "c", **DISJOINT[0]}]}
    document = ledger(MEN, WOMEN, attained_together=True)
    audit = privref.audit(privref.ledger_from_document(document), privref.claims_from_document(claim))
    certificate = privref.certificates(audit)["c"]
    from privref.ledger.documents import digest

    apart = ledger(MEN, WOMEN)
    certificate["ledger"] |= {"document": apart, "sha256": digest(apart)}
    assert privref.verify(certificate).outcome == "failed"


def test_an_odometer_reads_the_dominating_response_only_within_its_guarantee() -> None:
    reading = {"after_event": 1, "by": "rogers2016/thm3.3", "reading": "1", "delta": "0.01"}
    adaptive = {"parameters": "chosen-adaptively"}
    kind = {"kind": "four-outcome-randomized-response"}
    guarantee = {"kind": "approx-dp", "epsilon": "1", "delta": "0.01"}
    other = {"mechanism": {**kind, "epsilon": "1.01", "delta": "0"}, "guarantee": guarantee}
    assert opinions(ledger(other, **adaptive), reading) == ["inapplicable"]
    assert opinions(ledger({"mechanism": kind, "guarantee": guarantee}, **adaptive), reading) == ["confirmed"]
