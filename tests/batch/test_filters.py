"""Filters of each unit by itself: what is let through is what the machine lets through, round by round."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.batch import filters
from privref.ledger.reading import ledger_from_document
from privref.statements.hypotheses import Hypothesis
from privref.statements.theorems import theorem

from .conftest import KEY, META, Batch, rows

SHARED = {
    **META, "neighbours": "add-or-remove-one", "parameters": "chosen-adaptively",
    "budget": {"epsilon": "1", "delta": "1e-5"}, "tuning": {"feldman2021/individual_filter": {"order": "32"}},
}  # fmt: skip


def by_steps(name: str, events: list[dict[str, str]]) -> dict[str, Any]:
    """The filter's decisions one round at a time."""
    machine = filters.machine_for(SHARED, name)
    state, rounds = machine.start(), 0
    ledger = ledger_from_document({**SHARED, "events": [{"guarantee": event} for event in events]})
    for event in ledger.events:
        state, decision = machine.step(state, event.guarantee)
        if decision.verdict == "HALT":
            return {"says": "halted", "rounds": rounds, "halted_at": rounds + 1}
        rounds += 1
    return {"says": "ran", "rounds": rounds, "halted_at": None}


@pytest.mark.parametrize("name", ["renyi-filter", "koskela2023/individual_filter"])
def test_each_unit_is_halted_where_its_own_filter_halts(run: Batch, tmp_path: Path, name: str) -> None:
    """Rows in any order, runs of equal events, units that never halt: all as stepped one by one."""
    rng = random.Random(4)
    kind, number, sizes = (
        ("zcdp", "rho", ["0.001", "0.004", "1/100"])
        if name == "renyi-filter"
        else ("gaussian-dp", "mu", ["0.05", "0.1"])
    )
    sequences = {f"u{u}": [rng.choice(sizes)] * 4 * u + rng.choices(sizes, k=u + 1) for u in range(7)}
    lines = [f"{unit},{place},{size}" for unit, all_ in sequences.items() for place, size in enumerate(all_, 8)]
    rng.shuffle(lines)
    summary = run(f"person,place,{number}\n" + "\n".join(lines) + "\n", ledger=SHARED, ordered_by="place", filter=name)
    found = {row["unit"]: row for row in rows(tmp_path / "out")}
    halted = 0
    for unit, all_ in sequences.items():
        wanted = by_steps(name, [{"kind": kind, number: size} for size in all_])
        row = found[unit]
        assert {
            key: row[column] for key, column in zip(wanted, ("filter_says", "filter_rounds", "halted_at"), strict=True)
        } == wanted
        halted += wanted["says"] == "halted"
    assert 0 < halted < len(sequences)
    assert summary["filter"]["units"] == {"halted": halted, "ran": len(sequences) - halted}
    assert (
        privref.verify_unit(privref.unit_proof(tmp_path / "out", "u0", KEY), summary["merkle_root"]).outcome
        == "verified"
    )


def test_an_expensive_run_is_bisected() -> None:
    """A count of many rounds is decided in few steps, and exactly."""
    machine = filters.machine_for(SHARED, "gaussian-filter")
    document = {**SHARED, "events": [{"count": 10**6, "guarantee": {"kind": "gaussian-dp", "mu": "1/100"}}]}
    said = filters.decided(machine, ledger_from_document(document))
    (event,) = ledger_from_document(document).events
    assert said["says"] == "halted"
    assert machine.block(machine.start(), event.guarantee, said["rounds"])[1].verdict == "CONT"
    assert machine.block(machine.start(), event.guarantee, said["halted_at"])[1].verdict == "HALT"


def test_a_filter_is_not_chosen_after_the_run() -> None:
    """The sidecar's own filter decides, or none that it names."""
    for named in ("gaussian-filter", "koskela2023/individual_filter"):
        filters.machine_for({**SHARED, "budget": {**SHARED["budget"], "filter": "gdp/composition"}}, named)
        with pytest.raises(privref.InputError, match="declares another filter than gaussian-filter"):
            filters.machine_for({**SHARED, "budget": {**SHARED["budget"], "filter": "whitehouse2023/thm2"}}, named)


def test_the_first_refusal_is_for_good(run: Batch, tmp_path: Path) -> None:
    """A later event that would still fit is not let through, as the theorem's rule has it."""
    run("person,place,mu\na,1,9\na,2,0.001\n", ledger=SHARED, ordered_by="place", filter="gaussian-filter")
    (row,) = rows(tmp_path / "out")
    assert (row["filter_says"], row["filter_rounds"], row["halted_at"]) == ("halted", 0, 1)


def test_the_hypotheses_are_the_point_and_are_told(run: Batch, tmp_path: Path) -> None:
    """Individual losses, and units that are left out without a word: no file shows them."""
    summary = run("person,place,rho\na,1,0.001\n", ledger=SHARED, ordered_by="place", filter="renyi-filter")
    assert Hypothesis.INDIVIDUAL_LOSSES.value in summary["filter"]["premises"]
    assert Hypothesis.LEFT_OUT.value in summary["filter"]["premises"]
    assert theorem("feldman2021/individual_filter").individual == "renyi-filter"
    # What the theorem does not speak of is not decided.
    run(
        "person,place,rho\na,1,0.1\n",
        ledger=SHARED,
        ordered_by="place",
        filter="gaussian-filter",
        output=tmp_path / "b",
    )
    assert rows(tmp_path / "b")[0]["filter_says"] == "not-covered"
    assert run("person,rho\na,0.1\n", output=tmp_path / "c")["filter"] is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"filter": "dp-filter"}, "give one of gaussian-filter, renyi-filter"),
        ({"ordered_by": None}, "--ordered-by"),
        ({"ledger": {**SHARED, "neighbours": "replace-one"}}, "add-or-remove-one"),
        ({"ledger": {**SHARED, "interaction": "concurrent"}}, "sequential"),
        ({"ledger": {key: value for key, value in SHARED.items() if key != "budget"}}, "ledger.budget"),
        ({"ledger": {key: value for key, value in SHARED.items() if key != "tuning"}}, "order"),
    ],
)
def test_what_a_filter_needs_is_asked_for(run: Batch, tmp_path: Path, change: dict[str, Any], words: str) -> None:
    asked = {"ledger": SHARED, "ordered_by": "place", "filter": "renyi-filter", **change}
    with pytest.raises(privref.InputError, match=words):
        run("person,place,rho\na,1,0.001\n", **asked)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("places", [("1", "1"), ("1", "01"), ("1", ""), ("-1", "2"), ("1.0", "2")])
def test_places_that_say_no_order_are_refused(run: Batch, places: tuple[str, str]) -> None:
    text = "person,place,rho\n" + "".join(f"a,{place},0.1\n" for place in places) + "b,1,0.1\n"
    with pytest.raises(privref.InputError, match="events of unit a, place"):
        run(text, ledger=SHARED, ordered_by="place", filter="renyi-filter")
