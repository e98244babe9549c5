"""``privref attack`` and ``privref verify`` of what it writes: exit codes, reports, one-line errors."""

import json
import sys

import pytest

from privref.cli.main import main

NATURAL = ["natural-filter", "--menu", "log(3/2), log(2), log(3)", "--epsilon", "log(2)", "--delta", "1/4"]


def test_a_function_of_the_current_folder_is_found(call, tmp_path, monkeypatch):
    """As with ``python -m``, and after all that is installed."""
    (tmp_path / "found_here.py").write_text("def careful(history, budget):\n    return 'HALT'\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path not in ("", str(tmp_path))])
    options = ["--menu", "1/2", "--rounds", "2", "--epsilon", "1", "--delta", "0"]
    code, out, err = call("attack", "found_here:careful", "--kind", "filter", *options)
    assert (code, err) == (0, "")
    assert out.startswith("not-broken")
    assert sys.path[-1] == str(tmp_path)


@pytest.fixture
def call(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return run


def test_a_broken_filter_is_reported_certified_and_verified(call, tmp_path):
    path = tmp_path / "natural.json"
    code, out, err = call("attack", *NATURAL, "--rounds", "5", "--certificate", str(path))
    assert (code, err) == (1, "")
    assert "53/180" in out
    assert "broken" in out.splitlines()[0]
    code, out, _ = call("verify", str(path))
    assert (code, out.splitlines()[-1]) == (0, "verified")
    changed = json.loads(path.read_text())
    changed["budget"] = {"epsilon": "log(2)", "delta": "3/10", "delta_sum": "3/10"}
    path.write_text(json.dumps(changed))
    code, out, _ = call("verify", str(path))
    assert (code, out.splitlines()[-1]) == (1, "failed")


def test_json_names_what_was_searched(call):
    claim = ["--epsilon", "1", "--delta", "1/20", "--rounds", "6"]
    code, out, _ = call("attack", "dp-filter", "--menu", "1/10, 1/5", *claim, "--format", "json")
    document = json.loads(out)
    assert code == 0
    assert document["verdict"] == "not-broken"
    assert (document["rounds_searched"], len(document["menu"])) == (6, 2)
    assert "certificate" not in document


def test_a_search_that_ends_too_early_is_open_or_says_how_far_it_came(call):
    code, out, _ = call("attack", "S1 - 1/100", "--kind", "odometer", "--menu", "1/10", "--max-states", "1")
    assert code == 3
    assert "undecided" in out


def test_a_search_that_stops_early_is_no_verdict_on_the_rounds_asked_for(call):
    # Five rounds do break it, but the limit of states comes after one or two.
    claim = [*NATURAL, "--rounds", "5", "--max-states", "12"]
    code, out, _ = call("attack", *claim)
    assert code == 3
    assert out.startswith("undecided")
    assert "--max-states" in out
    code, out, _ = call("attack", *claim, "--format", "json")
    document = json.loads(out)
    assert (code, document["verdict"], document["state_limit_reached"]) == (3, "undecided", True)
    assert 0 < document["rounds_searched"] < document["rounds_asked"] == 5


def test_a_number_that_is_rounded_is_shown_with_both_ends(call):
    _, out, _ = call("attack", *NATURAL, "--rounds", "3")
    assert "53/180 (between 2.944444444e-1 and 2.944444445e-1)" in out


def test_a_menu_file(call, tmp_path):
    path = tmp_path / "menu.json"
    outcomes = [{"label": "a", "p": "9/20", "q": "11/20"}, {"label": "b", "p": "11/20", "q": "9/20"}]
    entry = {"family": "finite", "name": "bit", "epsilon": "0", "delta": "1/10", "outcomes": outcomes}
    path.write_text(json.dumps({"rounds": [entry]}))
    code, out, _ = call(
        "attack", "rogers2016/thm3.3.odometer", "--menu-file", str(path), "--delta", "1/5", "--rounds", "1"
    )
    assert code == 1
    assert "claimed: 1/5" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["natural-filter", "--menu", "log(2)"],
        ["no-such-accountant", "--menu", "1/10"],
        ["S1", "--menu", "1/10"],
        ["S1", "--kind", "filter", "--menu", "1/10"],
        ["basic-filter", "--epsilon", "1"],
        ["basic-filter", "--menu", "1/10", "--menu-file", "x", "--epsilon", "1"],
        ["basic-filter", "--menu", "0.1.2", "--epsilon", "1"],
        ["basic-filter", "--menu", "1/10", "--epsilon", "1", "--set", "n"],
        ["basic-filter", "--menu", "1/10", "--epsilon", "1", "--set", "colour=red"],
        ["basic-filter", "--menu", "log(2)", "--epsilon", "1"],
        ["no.such:function", "--menu", "1/10", "--kind", "filter", "--epsilon", "1"],
        ["basic-filter", "--menu", "1/10", "--epsilon", "1", "--delta", "2"],
        ["S1/(k-1)", "--menu", "1/10", "--kind", "odometer"],
        ["basic-odometer", "--menu", "1/10", "--epsilon", "1", "--failure", "view"],
        ["mixture-odometer", "--menu", "1/10", "--delta", "1/10", "--set", "dominating=yes"],
        ["output-accountant", "--menu", "1/10", "--epsilon", "1", "--set", "foo=bar"],
        ["output-filter", "--menu", "1/10", "--epsilon", "1", "--set", "foo=bar"],
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(call, arguments):
    code, out, err = call("attack", *arguments)
    assert code == 2, err
    assert out == ""
    assert len(err.strip().splitlines()) == 1


def test_a_round_that_can_not_be_searched_is_refused(call):
    code, out, err = call("attack", "basic-filter", "--menu", "10000000000", "--epsilon", "1e11", "--delta", "1/10")
    assert (code, out) == (3, "")
    assert "no finite enclosure of a writable size" in err


EVEN = [{"label": "a", "p": "1/2", "q": "1/2"}, {"label": "b", "p": "1/2", "q": "1/2"}]
IN_CELLS = [{**entry, "cell": "x"} for entry in EVEN]


@pytest.mark.parametrize(
    "change",
    [
        {"cells": ["a"]},
        {"cells": {"x": "1"}, "cell_deltas": ["x"], "outcomes": IN_CELLS},
        {"cells": {"x": "1"}, "cell_deltas": {"y": "0"}, "outcomes": IN_CELLS},
        {"cells": {"x": "1"}, "cell_deltas": {"x": "-1"}, "outcomes": IN_CELLS},
        {"cells": {"x": "1"}, "outcomes": [{**EVEN[0], "cell": ["x"]}, {**EVEN[1], "cell": "x"}]},
        {"cells": {"x": "-1"}, "outcomes": IN_CELLS, "delta": "1"},
        {"epsilon": "-1", "delta": "1"},
        {"delta": "2"},
        {"delta": "-1"},
        {"swapped": "no"},
        {"swapped": 1},
    ],
)
def test_a_menu_file_that_says_what_it_can_not_mean_is_refused(call, tmp_path, change):
    path = tmp_path / "menu.json"
    entry = {"family": "finite", "epsilon": "1", "outcomes": EVEN, **change}
    path.write_text(json.dumps({"rounds": [entry]}))
    claim = ["--epsilon", "1", "--delta", "1/10", "--rounds", "2"]
    code, out, err = call("attack", "algorithm-1", "--menu-file", str(path), *claim)
    assert (code, out, len(err.splitlines())) == (2, "", 1), err
    assert "rounds." in err


def test_a_malformed_attack_certificate_is_refused(call, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text('{"schema": "attack-certificate.1", "rounds": []}')
    code, _, err = call("verify", str(path))
    assert code == 2
    # Every field that is missing is named, each on a line of its own.
    assert all(line.startswith("privref: certificate.") for line in err.strip().splitlines())
    assert "certificate.budget" in err
