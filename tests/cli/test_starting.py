"""privref init: asks what a spreadsheet cannot say, and writes a ledger or nothing."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

import privref
from privref.cli.main import cli


def test_the_questions_are_asked_and_the_answers_are_declared(tmp_path: Path) -> None:
    sheet = tmp_path / "spends.csv"
    sheet.write_text("Release;Epsilon\na;0,5\n")
    answers = "A survey\nperson\nreplace-one\nno\nchosen-adaptively\nsequential\n"
    done = CliRunner().invoke(cli, ["init", str(sheet)], input=answers, standalone_mode=False)
    assert done.return_value == 0, done.output
    ledger = privref.read_ledger(tmp_path / "spends.ledger.json")
    assert (ledger.title, ledger.neighbours, ledger.parameters) == ("A survey", "replace-one", "chosen-adaptively")
    again = CliRunner().invoke(cli, ["init", str(sheet)], input=answers, standalone_mode=False)
    assert isinstance(again.exception, privref.InputError)


def test_an_interrupted_init_leaves_nothing(tmp_path: Path) -> None:
    sheet = tmp_path / "spends.csv"
    sheet.write_text("epsilon\n1\n")
    done = CliRunner().invoke(cli, ["init", str(sheet)], input="A survey\n", standalone_mode=False)
    assert "there is no terminal: give --privacy-unit, and whichever of" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["spends.csv"]
