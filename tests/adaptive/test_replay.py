"""The registry of machines and the replay of an interaction."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from privref.adaptive.machines import MACHINES, Setup, build, build_all, entry
from privref.adaptive.running import every, run_machines
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.guarantees.model import ApproxDP, GaussianDP, Guarantee, PureDP, Unknown
from privref.statements.hypotheses import Hypothesis

SETUP = Setup(Fraction(1), Fraction(1, 10**6), n=Fraction(1000), order=Fraction(24))


def test_every_machine_is_built_and_names_its_theorem_and_hypotheses() -> None:
    built, refused = build_all(SETUP)
    assert refused == {}
    assert list(built) == [each.name for each in MACHINES]
    for machine in built.values():
        assert "/" in machine.statement
        assert machine.hypotheses
        assert all(isinstance(hypothesis, Hypothesis) for hypothesis in machine.hypotheses)


def test_a_bare_budget_leaves_out_what_needs_more_and_says_what() -> None:
    built, refused = build_all(Setup(Fraction(1), Fraction(1, 10**6)))
    assert set(refused) == {"rogers-odometer", "restated-odometer", "renyi-filter"}
    assert "size" in refused["rogers-odometer"]
    assert "order" in refused["renyi-filter"]
    assert "dp-filter" in built


def test_without_a_delta_only_sums_are_left() -> None:
    built, refused = build_all(Setup(Fraction(1), Fraction(0)))
    assert set(built) == {"basic-filter", "basic-odometer"}
    assert all(refused.values())


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"eps": Fraction(-1), "delta": Fraction(0)}, "budget"),
        ({"eps": Fraction(1), "delta": Fraction(1)}, "budget"),
        ({"eps": Fraction(1), "delta": Fraction(1, 10), "delta_prime": Fraction(1, 5)}, "delta_prime"),
        ({"eps": Fraction(1), "delta": Fraction(1, 10), "delta_prime": Fraction(0)}, "delta_prime"),
    ],
)
def test_contradictory_set_ups_are_refused(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError, match=field):
        Setup(**arguments)


def test_unknown_machines_and_orders_are_refused() -> None:
    with pytest.raises(InputError, match="basic-filter"):
        entry("best-filter")
    with pytest.raises(InputError, match="larger order"):
        build("renyi-filter", Setup(Fraction(1), Fraction(1, 10**6), order=Fraction(2)))
    for orders in ((), (Fraction(2), Fraction(2)), (Fraction(1),), (Fraction(2),)):
        with pytest.raises(InputError, match="order"):
            build("renyi-grid-filter", Setup(Fraction(1), Fraction(1, 10**6), orders=orders))


def test_the_whole_interaction_is_shown_step_by_step() -> None:
    machines, _ = build_all(SETUP)
    rows = list(run_machines([PureDP(Fraction(1, 10))] * 11, machines))
    assert [row.round for row in rows] == list(range(1, 12))
    assert rows[-1].time == Fraction(11, 100)
    basic = [row.cells["basic-filter"].outcome for row in rows]
    assert basic == ["CONT"] * 10 + ["HALT"]
    assert rows[9].cells["basic-odometer"].reading == Enclosure(Fraction(1), Fraction(1))
    assert rows[10].cells["basic-filter"].reason
    assert {row.cells["gaussian-filter"].outcome for row in rows} == {"inapplicable"}
    for row in rows:
        for name, cell in row.cells.items():
            if cell.outcome in ("CONT", "HALT"):
                assert cell.reading is not None, name


def test_a_machine_is_inapplicable_from_the_first_event_that_it_does_not_cover() -> None:
    machines, _ = build_all(SETUP)
    events: list[Guarantee] = [
        PureDP(Fraction(1, 100)),
        ApproxDP(Fraction(1, 100), Fraction(1, 10**8)),
        PureDP(Fraction(1, 100)),
        GaussianDP(Fraction(1, 100)),
        Unknown("survey"),
    ]
    rows = list(run_machines(events, machines))
    assert [row.cells["mixture-odometer"].outcome for row in rows] == ["CONT"] + ["inapplicable"] * 4
    assert [row.cells["dp-filter"].outcome for row in rows] == ["CONT"] * 3 + ["inapplicable"] * 2
    assert [row.cells["zcdp-filter"].outcome for row in rows] == ["CONT"] * 4 + ["inapplicable"]
    assert "delta > 0" in rows[1].cells["mixture-odometer"].reason
    assert rows[3].time is not None
    assert rows[4].time is None


def test_the_dominating_view_covers_general_rounds() -> None:
    machines, _ = build_all(Setup(Fraction(1), Fraction(1, 10**6), dominating=True))
    rows = list(run_machines([ApproxDP(Fraction(1, 100), Fraction(1, 10**8))], machines))
    assert rows[0].cells["mixture-odometer"].outcome == "CONT"
    assert rows[0].cells["basic-odometer"].outcome == "CONT"
    # The repaired odometers are about the mechanism's own loss: no view helps them over a general DP round.
    assert rows[0].cells["mixture-odometer-repaired"].outcome == "inapplicable"


def test_readings_are_taken_only_where_wanted() -> None:
    machines = {"dp-filter": build("dp-filter", SETUP)}
    rows = list(run_machines([PureDP(Fraction(1, 1000))] * 20, machines, read=every(4, 20)))
    read = [row.round for row in rows if row.cells["dp-filter"].reading is not None]
    assert read == [1, 5, 10, 15, 20]


def test_the_rows_count_what_ran() -> None:
    machines, _ = build_all(SETUP)
    rows = list(run_machines([PureDP(Fraction(1, 10))] * 20, machines, read=lambda k: k == 20))
    admitted = Counter(name for row in rows for name, cell in row.cells.items() if cell.outcome == "CONT")
    assert admitted["basic-filter"] == 10
    assert rows[-1].cells["basic-filter"].outcome == "HALT"
    assert rows[-1].cells["basic-odometer"].reading == Enclosure(Fraction(2), Fraction(2))
    assert admitted["gaussian-filter"] == 0
    assert list(run_machines([], machines)) == []


def test_a_request_that_a_machine_is_not_told_of_leaves_it_as_it_was() -> None:
    machines = {name: build(name, SETUP) for name in ("basic-odometer", "basic-filter")}
    events = [PureDP(Fraction(1, 2)), PureDP(Fraction(7, 10)), PureDP(Fraction(1, 4))]
    untold = list(run_machines(events, machines, passed_over=lambda k, name: k == 2 and name == "basic-odometer"))
    readings = [row.cells["basic-odometer"].reading for row in untold]
    assert readings == [Enclosure(x, x) for x in (Fraction(1, 2), Fraction(1, 2), Fraction(3, 4))]
    assert [row.cells["basic-filter"].outcome for row in untold] == ["CONT", "HALT", "HALT"]
    first = list(run_machines(events[:1], machines, passed_over=lambda k, name: True))
    assert first[0].cells["basic-odometer"].reading is None
