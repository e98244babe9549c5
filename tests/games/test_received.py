"""What an attacked function receives of each round: its kind, what it declares, and the cell once it is observed."""

from __future__ import annotations

import inspect
import textwrap
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.games import named
from privref.games.named import read_rounds
from privref.games.received import received

MENU = "1/2, 1/2:1/100, leak(1/10), zcdp(113/2048; 1/3; 1/5), rdp(1/2; 1/3; 2 8), reduced(3/2; 3), toy(1/4), log(3/2)"
SEEN: list[Any] = []


def recording(history, budget, refused):
    """A user's filter that keeps what it was handed; it lets two rounds run."""
    SEEN.append((history, budget, refused))
    return "CONT" if len(history) <= 2 else "HALT"


def pairs(history, budget):
    """A user's filter for (epsilon, delta) rounds only."""
    return "CONT" if sum(epsilon for epsilon, _ in history) <= budget[0] else "HALT"


def by_kind(history, budget):
    """A user's filter that charges each round by its kind: by the observed cell, at order 2, or by epsilon."""
    spent = 0
    for each in history:
        if each.kind == "output-dp":
            cells = dict(each.cells)
            spent += max(cells.values()) if each.observed is None else cells[each.observed]
        elif each.kind == "zcdp":
            spent += 2 * each.rho
        elif each.kind == "rdp":
            spent += dict(each.orders)[2]
        else:
            spent += each.epsilon
    return "CONT" if spent <= budget[0] else "HALT"


def largest_cell(history):
    """A user's odometer that shows what observed cells cost."""
    return sum(dict(each.cells)[each.observed] for each in history)


@pytest.fixture
def user(tmp_path, monkeypatch):
    source = "\n\n".join(textwrap.dedent(inspect.getsource(each)) for each in (recording, pairs, by_kind, largest_cell))
    (tmp_path / "user_received.py").write_text(f"SEEN = []\n\n\n{source}")
    monkeypatch.syspath_prepend(str(tmp_path))
    import importlib

    return importlib.reload(importlib.import_module("user_received"))


def test_each_round_arrives_with_its_kind_and_its_numbers(user):
    target = named.accountant("user_received:recording", named.budget("1", "1/10"), (), kind="filter")
    for asked in read_rounds(MENU):
        target.request(target.start(), asked)
    first = {history[0] for history, _, _ in user.SEEN if len(history) == 1}
    found = {each.kind: each for each in sorted(first, key=repr)}
    assert set(found) == {"pure-dp", "approx-dp", "pdp", "zcdp", "rdp", "output-dp"}
    assert all(isinstance(each, privref.AskedRound) for each in first)
    assert (found["zcdp"].rho, found["zcdp"].epsilon, found["zcdp"].delta) == (Fraction(113, 2048), None, 0)
    assert [order for order, _ in found["rdp"].orders] == [2, 8]
    assert tuple(found["approx-dp"]) == (Fraction(1, 2), Fraction(1, 100))
    assert tuple(found["pdp"]) == (Fraction(1, 9), Fraction(1, 10))
    cells = {dict(each.cells)["answer"] for each in first if each.kind == "output-dp" and "answer" in dict(each.cells)}
    assert cells == {Fraction(1, 4)}
    # log(3/2) is irrational: the nearest double; the budget is (epsilon, delta).
    assert any(isinstance(each.epsilon, float) for each in first)
    assert {budget for _, budget, _ in user.SEEN} == {(Fraction(1), Fraction(1, 10))}


def test_the_observed_cell_is_handed_over_once_the_round_has_run(user):
    privref.attack("user_received:recording", "toy(1/4)", 3, epsilon="1/100", delta="9/10", kind="filter")
    histories = {history for history, _, _ in user.SEEN}
    assert {history[-1].observed for history in histories} == {None}
    assert {history[0].observed for history in histories if len(history) == 2} == {"answer", "bottom"}
    assert {(n, each.kind) for _, _, refused in user.SEEN for n, each in refused} <= {(2, "output-dp")}


@pytest.mark.parametrize("menu", ["zcdp(113/2048; 1/3; 1/5)", "rdp(1/2; 1/3; 2 8)", "reduced(3/2; 3)", "toy(1/4)"])
def test_a_round_without_an_epsilon_is_no_pair_of_numbers(user, menu):
    with pytest.raises(privref.InputError, match=r"not a pair \(epsilon, delta\): see round\.kind"):
        privref.attack("user_received:pairs", menu, 2, epsilon="1/100", delta="1/10", kind="filter")
    for asked in read_rounds(menu):
        with pytest.raises(privref.InputError, match="not a pair"):
            received(asked)[0]


def test_a_function_may_charge_each_kind_by_itself(user):
    menu = "1/2, zcdp(113/2048; 1/3; 1/5), toy(1/2)"
    kept = privref.attack("user_received:by_kind", menu, 3, epsilon="1", delta="1/4", kind="filter")
    assert kept.verdict == "not-broken"
    # What costs nothing where the coin falls on "bottom" is asked for again and again: no epsilon is enough for |loss|.
    free = privref.attack("user_received:by_kind", "toy(1/2)", 5, epsilon="1/2", kind="filter", order_free=True)
    assert (free.verdict, free.rounds) == ("not-broken", 5)
    document = privref.report.attack_document(
        privref.attack("user_received:largest_cell", "toy(1/2), reduced(3/2; 3)", 3, kind="odometer", failure_of="loss")
    )
    assert document["verdict"] == "not-broken"


def test_a_certificate_of_observed_cells_verifies(user, tmp_path):
    """An odometer that shows a half of what the cells cost is exceeded; the checker hands over the same cells."""
    (tmp_path / "user_half.py").write_text(
        "def half(history):\n    return sum(dict(each.cells)[each.observed] for each in history) / 2\n"
    )
    found = privref.attack("user_half:half", "toy(1/2)", 3, delta="1/10", kind="odometer")
    assert found.verdict == "broken"
    document = privref.report.attack_document(found)["certificate"]
    assert privref.verify(document, run_function=True).outcome == "verified"


def test_an_accountant_of_sums_says_that_it_takes_the_largest_cell():
    from rich.console import Console

    console = Console(width=200)
    with console.capture() as capture:
        found = privref.attack("S1", "reduced(3/2; 3)", 2, epsilon="3", kind="filter")
        console.print(privref.report.attack_report(found))
    assert "counts a round of output DP with its largest cell" in capture.get()
    with console.capture() as capture:
        console.print(privref.report.attack_report(privref.attack("S1", "1/2", 2, epsilon="3", kind="filter")))
    assert "largest cell" not in capture.get()
