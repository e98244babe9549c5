"""False claims that a careless kernel would verify: each was verified once, before the rule that its test names."""

from __future__ import annotations

from typing import Any

import pytest

from privref import kernel
from privref.kernel.numbers import digest
from tests.kernel.cases import Document, ledger, pure

GRID = {"step": "1", "bits": 64, "low": -20, "high": 20, "own": 20}
NOISE = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}


def forged(record: Document, claim: Document, verdict: str, by: str, witness: Document) -> dict[str, Any]:
    """A certificate with one proof."""
    return {
        "schema": "certificate.2",
        "claim": {"id": "c", **claim},
        "verdict": verdict,
        "ledger": {"sha256": digest(record, "ledger"), "document": record},
        "proofs": [{"by": by, "witness": witness}],
    }


def refused(document: Document, match: str) -> None:
    with pytest.raises((kernel.Refused, kernel.Malformed), match=match):
        kernel.check(document)


@pytest.mark.parametrize("again", [0, "0", "00"])
def test_an_event_counts_once_in_a_lower_bound(again: object) -> None:
    """Pure DP of 1 is true of one event; of the same event counted twice it would be false."""
    one = ledger(pure("1"))
    assert kernel.check(forged(one, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {}))
    witness = {"events": [0, again], **GRID, "threshold": 2}
    refused(forged(one, {"epsilon": "1", "delta": "0"}, "underivable", "event", witness), "each once|whole number")
    ran = ledger({"mechanism": NOISE}, attained_together=True)
    refused(forged(ran, {"rho": "1/2"}, "refuted", "moment", {"events": [0, again]}), "each once|whole number")


@pytest.mark.parametrize("name", ["sigma", "sigma_squared"])
def test_integer_noise_has_no_rounded_sigma(name: str) -> None:
    """Its delta is not monotone in sigma: neither end of a rounded one is the worst."""
    noise = {"kind": "discrete-gaussian", name: {"rounded": "0.96"}, "shifts": ["1"]}
    claim = {"epsilon": "3", "delta": "0.00177"}
    refused(forged(ledger({"mechanism": noise}), claim, "confirmed", "zdw2022/thm10", {**GRID, "step": "1/64"}), name)


@pytest.mark.parametrize("how", ["best-of-random-number", "above-threshold"])
def test_what_is_paid_for_a_selected_trial_need_not_be_lost(how: str) -> None:
    record = ledger({**pure("1"), "selected": how})
    witness = {"events": [0], **GRID, "threshold": 2}
    refused(forged(record, {"epsilon": "0", "delta": "0.7"}, "underivable", "event", witness), "private selection")


def test_a_claim_has_the_delta_of_its_notion() -> None:
    record = ledger({"mechanism": NOISE})
    moment = {"events": [0]}
    refused(forged(record, {"mu": "0.99", "delta": "0.999"}, "refuted", "moment", moment), "no delta")
    refused(forged(ledger(pure("1")), {"epsilon": "1"}, "confirmed", "rogers2016/thm2.9", {}), "delta")


@pytest.mark.parametrize("step", ["0", "-1", "1/0", "1e-3000", "1e3000", "5"])
def test_a_grid_of_no_step_is_refused(step: str) -> None:
    """A step of 0 made the kernel fail before it refused anything."""
    record = ledger({"mechanism": NOISE})
    document = forged(record, {"epsilon": "1", "delta": "1e-3"}, "confirmed", "zdw2022/thm10", {**GRID, "step": step})
    refused(document, "step|grid|denominator|certain|precision|digits|work")


ALIKE = [
    ("A10", "A1O"), ("Al", "A1"), ("A-1", "A\u20101"), ("a", "\u0251"), ("A\u0131", "Ai"), ("b", "B"), ("corn", "com"),
    ("Z\u00fcrich", "Zu\u0308rich"), ("I", "l"), ("A|", "Al"), ("New York", "New  York"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_parts_whose_names_look_alike_are_not_disjoint(one: str, other: str) -> None:
    parts = [{**pure("1"), "part": {"of": "city", "is": name}} for name in (one, other)]
    record = {**ledger(*parts), "neighbours": "add-or-remove-one", "partitions": {"city": "key"}}
    document = forged(record, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {})
    for case in (one, other):
        document["proofs"] = [{"case": {"city": case}, "by": "rogers2016/thm2.9", "witness": {}}]
        refused(document, "alike|scripts|western|sum of|comes next")


def test_a_unit_need_not_lie_in_one_part_of_each_of_two_partitions() -> None:
    """Each part's event is lost somewhere; of both together no ledger says so."""
    ran = [{"mechanism": NOISE, "part": {"of": name, "is": "a"}} for name in ("city", "age")]
    keys = {"partitions": {"city": "key", "age": "key"}, "neighbours": "add-or-remove-one", "attained_together": True}
    record = {**ledger(*ran), **keys}
    document = forged(record, {"rho": "0.9"}, "refuted", "moment", {"events": [0, 1]})
    document["proofs"][0]["case"] = {"age": "a", "city": "a"}
    refused(document, "no ledger says that a unit lies in all of them")


SLOW: dict[str, tuple[Document, Document, str, Document]] = {
    "a huge epsilon": (ledger({"mechanism": NOISE}), {"epsilon": "1e100", "delta": "1e-5"}, "gdp/composition", {}),
    "a tiny scale": (
        ledger({"mechanism": {"kind": "laplace", "scale": "1e-12", "sensitivity": "1"}}),
        {"epsilon": "1", "delta": "1e-5"}, "zdw2022/thm10", GRID),
    "a wide window": (
        ledger({"mechanism": {"kind": "laplace", "scale": "1", "sensitivity": "1"}}), {"epsilon": "1", "delta": "1e-5"},
        "zdw2022/thm10", {**GRID, "step": "1/80", "low": -520_000, "high": 520_000, "own": 520_000}),
    "wide noise": (
        ledger({"mechanism": {"kind": "discrete-gaussian", "sigma": "20000", "shifts": ["1"]}}),
        {"epsilon": "1", "delta": "1e-5"}, "zdw2022/thm10", {**GRID, "step": "1/10"}),
    "many bits": (
        ledger({"count": 10**6, "mechanism": {"kind": "randomized-response", "epsilon": "1/1000"}}),
        {"epsilon": "9", "delta": "1e-5"}, "zdw2022/thm10",
        {"step": "1/1000", "bits": 4096, "low": -60_000, "high": 60_000, "own": 9}),
}  # fmt: skip


@pytest.mark.parametrize("name", SLOW)
def test_a_small_document_does_not_take_long(name: str) -> None:
    """Refused before anything is computed: each of these took more than half a minute."""
    record, claim, by, witness = SLOW[name]
    refused(forged(record, claim, "confirmed", by, witness), "more (work|memory)|written|not certain|not finite")
