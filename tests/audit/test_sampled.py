"""Audits of DP-SGD: what Poisson samples prove and refute, and what no theorem says of other samples."""

from __future__ import annotations

from typing import Any

import pytest

import privref
from tests.audit.test_mechanisms import at, claims, verdicts

QUERY = {"kind": "gaussian", "sigma": "3", "sensitivity": "1"}
LAPLACE = {"kind": "laplace", "scale": "10", "sensitivity": "1"}


def steps(count: int = 40, base: dict[str, Any] = QUERY, **changed: Any) -> dict[str, Any]:
    drawn = {"kind": "subsampled", "base": base, "rate": "1/10", "sampling": "poisson"}
    return {"count": count, "mechanism": {**drawn, **changed}}


def ledger(*events: dict[str, Any], **more: Any) -> privref.Ledger:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1",
            "title": "a training run",
            "privacy_unit": "record",
            "neighbours": "add-or-remove-one",
            "parameters": "fixed-in-advance",
            "interaction": "sequential",
            "events": list(events),
            **more,
        }
    )


def opinion(record: privref.Ledger, claim: dict[str, str]) -> privref.Opinion:
    (found,) = privref.audit(record, claims(claim)).opinions
    return found


def test_a_training_run_is_confirmed_and_refuted_at_its_own_epsilon() -> None:
    """Each certificate verifies; the epsilon is 0.8716…; the Renyi bound of the same run stands beside it."""
    run = ledger(steps())
    found = opinion(run, at("0.88", "1e-5"))
    names = [bound.application.by for bound in found.bounds]
    assert names == ["zdw2022/poisson_gaussian", "cks2020/rdp2dp"]
    assert found.bounds[0].enclosure is not None
    exact = found.bounds[0].enclosure
    above, below = (privref.plain_decimal(end, 6, way) for end, way in ((exact.upper, "up"), (exact.lower, "down")))
    assert verdicts(run, at(above, "1e-5"), at(below, "1e-5")) == ["confirmed", "refuted"]
    assert verdicts(run, {**at("2", "1e-5"), "by": "cks2020/rdp2dp"}) == ["confirmed"]
    assert verdicts(run, {**at("2", "1e-5"), "by": "zdw2022/poisson_gaussian"}) == ["confirmed"]
