"""Tables and figures on output DP: what they say is certain, and figures are the same bytes every time."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

from privref import catalogue
from privref.adaptive.machines import Setup, build
from privref.guarantees.model import PureDP
from privref.report import figures
from privref.reproductions import side_by_side, tables
from privref.reproductions.filters import SETTINGS, filters, response_grid
from privref.reproductions.tables import SEARCHES, searched
from privref.statements.registry import evaluate

F = Fraction
catalogue.load()


def test_the_gap_is_never_below_one_and_is_one_for_one_stopping_point() -> None:
    rows = list(tables.optdel_against_lemma11(k=(10, 40)))
    assert len(rows) == 2 * 2 * 5 * 2 * 2
    for row in rows:
        if row["Lemma 11 / OptDel"] == "-":
            assert row["OptDel"] == "0"
            continue
        low, high = (float(end) for end in row["Lemma 11 / OptDel"].strip("[]").split(","))
        assert high >= 1
        if row["n"] == "1":
            assert low <= 1 <= high
        elif row["delta"] != "0":
            assert low > 1


def test_table_1_shows_both_rows() -> None:
    rows = list(tables.table_1())
    assert [row["least k"] for row in rows] == ["16", "19", "23", "26", "30", "34", "37", "41"]
    assert [int(row["printed"]) - int(row["least k"]) for row in rows] == [1] * 8


def test_figure_1_gains_most_where_few_entries_are_large() -> None:
    rows = list(tables.figure_1())
    sharp = [float(row["output DP, exact tail"]) for row in rows]
    assert sharp == sorted(sharp)
    assert sharp[0] < float(rows[0]["without output DP"]) / 25
    assert float(rows[-1]["without output DP"]) == 40


def test_figures_are_svg_and_the_same_every_time() -> None:
    rows = list(tables.optdel_against_lemma11(k=(10, 20), shapes=("r eps/2",)))
    for draw in (
        figures.draw_figure_1,
        figures.draw_figure_2,
        lambda: figures.draw_optdel_gap(rows),
    ):
        first = draw()
        assert first == draw()
        assert ElementTree.fromstring(first).tag.endswith("svg")


def test_side_by_side_no_machine_is_below_the_limit_and_budgets_are_least() -> None:
    chosen = tuple(side_by_side.plans()[i] for i in (0, 1, 5, 7, 9))
    rows = {row[""]: row for row in side_by_side.side_by_side(chosen)}
    assert set(side_by_side.FILTERS) | set(side_by_side.ODOMETERS) < set(rows)
    limits = rows["fixed in advance"]
    for name in (*side_by_side.FILTERS, *side_by_side.ODOMETERS):
        for i in range(1, 6):
            assert rows[name][str(i)] == "-" or float(rows[name][str(i)]) >= float(limits[str(i)])
    assert float(rows["response-filter"]["2"]) < float(rows["tight-zcdp-filter"]["2"]) < float(rows["dp-filter"]["2"])
    # Read again, from the machine itself: the budget in the table lets the plan run, the next smaller one does not.
    for budget, verdict in (("5.081", "CONT"), ("5.080", "HALT")):
        machine = build("response-filter", Setup(F(budget), F("1e-6"), delta_prime=F("1e-6")))
        assert rows["response-filter"]["2"] == "5.081"
        assert machine.block(machine.start(), PureDP(F("1/10")), 100)[1].verdict == verdict
    # The odometer's cell is its theorem's number.
    found = evaluate("whitehouse2023/thm3.stitched", {"V": "1", "v0": "1", "delta_prime": "1e-6"}, digits=12).enclosure
    assert found is not None
    assert F(0) <= F(rows["stitched-odometer"]["2"]) - found.upper < F("1/1000")


def test_the_base_filter_loses_no_rounds_against_what_is_fixed_in_advance() -> None:
    plan = side_by_side._sampled(100, "1/20", "1", "1e-5")
    rows = {row[""]: row["1"] for row in side_by_side.side_by_side([plan])}
    least, limit = F(rows["base-filter"]), F(rows["fixed in advance"])
    assert least - limit <= F("1/1000")
    assert F(rows["renyi-filter"]) > least
    given = {"base_q": "1/20", "base_sigma": "1", "q": ["1/20", "1/40"], "sigma": ["1", "3/2"], "delta_g": "1e-5"}
    for steps, verdict in ((["50", "50"], "CONT"), (["50", "51"], "HALT")):
        assert evaluate("zdw2022/base_filter.decision", {**given, "eps_g": str(least), "steps": steps}).value == verdict


def test_the_response_filter_lets_more_run_than_theorem_2_everywhere() -> None:
    rows = list(response_grid(("1/10",), (10, 100), ("1e-6",)))
    assert [row["dp"] for row in rows] == [row["k"] for row in rows] == ["10", "100"]
    for row in rows:
        assert int(row["response"]) >= int(row["tight-zcdp"]) > int(row["dp"]) > int(row["rogers"])


def test_a_row_of_the_filters_counts_rounds() -> None:
    (row,) = filters((SETTINGS[3],))
    assert (row["basic"], row["response"], row["fixed in advance"]) == ("30", "41", "46")


def test_searches_of_our_machines_end_in_not_broken() -> None:
    (row,) = searched((SEARCHES[3],))
    assert row["verdict"] == "not-broken"
    assert F("8.9e-4") < F(row["at most"]) <= F(row["delta"])
