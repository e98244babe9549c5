"""Tables and figures on output DP: what they say is certain, and figures are the same bytes every time."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

from privref import catalogue
from privref.report import hartmann_figures
from privref.reproductions import tables

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


def test_stopping_rule_tables_agree_for_a_rational_and_its_logarithm() -> None:
    k = [4, 8]
    nats = list(tables.stopping_rule_table(F(1, 10), F(0), k, [F(1, 5), F(2, 5)]))
    rational = list(tables.exact_stopping_rule_table(F(1105171, 10**6), F(0), k, [F(12214, 10**4), F(14918, 10**4)]))
    column = "stop from this many symbols 1 on"
    assert [row[column] for row in nats] == [row[column] for row in rational]


def test_figure_1_gains_most_where_few_entries_are_large() -> None:
    rows = list(tables.figure_1())
    sharp = [float(row["output DP, exact tail"]) for row in rows]
    assert sharp == sorted(sharp)
    assert sharp[0] < float(rows[0]["without output DP"]) / 25
    assert float(rows[-1]["without output DP"]) == 40


def test_figures_are_svg_and_the_same_every_time() -> None:
    rows = list(tables.optdel_against_lemma11(k=(10, 20), shapes=("r eps/2",)))
    for draw in (
        hartmann_figures.draw_figure_1,
        hartmann_figures.draw_figure_2,
        lambda: hartmann_figures.draw_optdel_gap(rows),
    ):
        first = draw()
        assert first == draw()
        assert ElementTree.fromstring(first).tag.endswith("svg")
