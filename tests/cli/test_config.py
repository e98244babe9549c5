"""Several ledgers at once, and what [tool.privref] of a pyproject.toml says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from privref.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return int(str(ended.value.code)), out + err


def ledger(epsilon: str, **more: Any) -> str:
    document = {
        "schema": "ledger.1", "title": f"spent {epsilon}", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential",
        "events": [{"guarantee": {"kind": "pure-dp", "epsilon": epsilon}}],
    }  # fmt: skip
    return json.dumps({**document, **more})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("a.json", ledger("0.1")), ("b.json", ledger("0.2")), ("c.csv", "epsilon,delta\n0.3,0\n"),
        ("claims.json", json.dumps({"schema": "claims.1", "claims": [{"id": "all", "epsilon": "0.3", "delta": "0"}]})),
    ):  # fmt: skip
        Path(name).write_text(text)
    return tmp_path


TOGETHER = ("--together", "fixed-in-advance,sequential")
SHEET = ("--neighbours", "replace-one", "--parameters", "fixed-in-advance", "--interaction", "sequential")


def test_two_ledgers_are_audited_as_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "audit", "a.json", "claims.json", "--with", "b.json")
    assert (code, "conditional" in out, "--together" in out) == (4, True, True)
    code, out = run(capsys, "audit", "a.json", "claims.json", "--with", "b.json", *TOGETHER, "--certificates", "made")
    assert code == 0
    assert "spent 0.1; spent 0.2" in out
    assert "no margin" in out
    assert "it is declared of the 2 ledgers together" in out
    code, out = run(capsys, "verify", "made/all.json")
    assert code == 0, out
    code, out = run(capsys, "audit", "a.json", "claims.json", "--with", "b.json", "--with", "c.csv", *SHEET, *TOGETHER)
    assert code == 1
    code, out = run(capsys, "audit", "c.csv", "--claim", "0.4,0", "--with", "a.json", *SHEET, *TOGETHER)
    assert code == 0, out
    # What a sheet does not say of itself is not asked for beside others: it is declared of all of them.
    code, out = run(capsys, "audit", "c.csv", "--claim", "0.4,0", "--with", "a.json", *SHEET[:2], *TOGETHER)
    assert code == 0, out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("fixed", "privref rejects 'fixed': give some of fixed-in-advance"),
        ("sequential,concurrent", "sequential is declared too"),
        ("", "privref rejects '': give some of"),
    ],
)
def test_what_is_declared_of_all_together_is_read_strictly(
    words: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = run(capsys, "audit", "a.json", "claims.json", "--with", "b.json", "--together", words)
    assert (code, said in out, out.count("\n")) == (2, True, 1), out
    code, out = run(capsys, "audit", "a.json", "claims.json", "--together", "sequential")
    assert (code, "only one is given" in out) == (2, True)
    code, out = run(capsys, "audit", "--example", "census2020", "--together", "sequential")
    assert (code, "not both" in out) == (2, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ledger("0.2", neighbours="add-or-remove-one"), "b.json.neighbours"),
        (ledger("0.2", privacy_unit="household"), "b.json.privacy_unit"),
        (ledger("0.2", budget={"epsilon": "1", "delta": "0", "filter": "rogers2016/thm3.3"}), "b.json.budget"),
        (ledger("0.2", period="day"), "b.json.period"),
    ],
)
def test_ledgers_that_say_different_things_are_not_one(
    text: str, words: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "b.json").write_text(text)
    code, out = run(capsys, "audit", "a.json", "claims.json", "--with", "b.json")
    assert (code, words in out, out.count("\n")) == (2, True, 1)


def test_partitions_of_several_ledgers_are_the_same(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, key in (("a.json", "the ZIP code"), ("b.json", "the area code")):
        (here / name).write_text(ledger("0.1", partitions={"zip": key}))
    code, out = run(capsys, "audit", "a.json", "claims.json", "--with", "b.json")
    assert (code, "another public key" in out) == (2, True)
    code, out = run(capsys, "audit", "a.json", "claims.json", "--with", "c.csv")
    assert (code, "--neighbours" in out) == (2, True)


def test_a_pyproject_names_ledgers_and_claims(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "audit")
    assert (code, "LEDGER" in out) == (2, True)
    project = here / "pyproject.toml"
    project.write_text('[tool.privref]\nledger = ["a.json", "b.json"]\nclaims = "claims.json"\n')
    assert run(capsys, "audit")[0] == 4
    for words in ('"fixed-in-advance, sequential"', '["fixed-in-advance", "sequential"]'):
        project.write_text(
            f'[tool.privref]\nledger = ["a.json", "b.json"]\ntogether = {words}\nclaims = "claims.json"\n'
        )
        assert run(capsys, "audit")[0] == 0
    # What the file declares of its own ledgers says nothing of one that the command adds.
    assert run(capsys, "audit", "--with", "a.json", "--claim", "9,0")[0] == 4
    assert run(capsys, "audit", "--with", "a.json", "--claim", "9,0", *TOGETHER)[0] == 0
    assert run(capsys, "audit", "--claim", "0.2,0")[0] == 1
    # A ledger on the command line is audited as it always was.
    assert run(capsys, "audit", "a.json", "--claim", "0.05,0")[0] == 1
    project.write_text('[tool.privref]\nledger = "c.csv"\nclaims = "claims.json"\nfail-on = ["refuted"]\n')
    assert run(capsys, "audit", "--claim", "0.2,0")[0] == 0
    project.write_text("[tool.other]\nx = 1\n")
    assert run(capsys, "audit")[0] == 2


@pytest.mark.parametrize(
    "text",
    [
        "[tool.privref]\nledger = 1\nclaims = 'c'\n",
        "[tool.privref]\nclaims = 'c'\n",
        "[tool.privref]\nledger = 'a.json'\n",
        "[tool.privref]\nledger = 'a.json'\nclaims = 'claims.json'\nfailon = []\n",
        "[tool.privref]\nledger = 'a.json'\nclaims = 'claims.json'\nfail-on = ['wrong']\n",
        "[tool.privref]\nledger = 'a.json'\nclaims = 'claims.json'\ntogether = 'sequential'\n",
        "[tool.privref]\nledger = ['a.json', 'b.json']\nclaims = 'claims.json'\ntogether = [1]\n",
        "[tool.privref]\nledger = 'a.json'\nclaims = 'claims.json'\nbaseline = 'none.json'\n",
        "[tool.privref\n",
        "tool = 3\n[tool2]\n",
        "[tool]\nprivref = 3\n",
    ],
)
def test_a_malformed_table_is_refused_in_one_line(text: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "pyproject.toml").write_text(text)
    code, out = run(capsys, "audit")
    assert (code, out.count("\n")) == (2, 1), out
