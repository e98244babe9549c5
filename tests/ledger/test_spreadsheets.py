"""The reader of plain sheets of few columns."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

import privref
from privref.cli.main import main


@pytest.mark.parametrize(
    "text",
    [
        "epsilon,delta\n1,\n1,\n", "epsilon,delta\n,0\n,0\n", "epsilon,delta,count\n,1e-6,1000\n1,1e-6,1\n",
        "rho,count\n,5\n1,2\n",
    ],
)  # fmt: skip
def test_an_empty_first_cell_is_not_the_number_0(text: str, tmp_path: Path) -> None:
    """Plain sheets of few columns are read by a reader of their own, which remembers the last cell."""
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(privref.InputError, match="line 2"):
        privref.read_ledger(path)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("release,epsilon,repetitions\nA,1,a dozen\n", "how often"),
        ("release,epsilon,frequency\nA,1,regularly\n", "how often|frequency"),
        ("release,epsilon,number of queries\nA,1,hundreds\n", "how often"),
        ("release,privacy loss\nA,5 nats\n\nrelease,epsilon\nC,1\n", "above the header"),
        ("release,privacy loss\nA,5*\n\nrelease,epsilon\nC,1\n", "above the header"),
        ("release,privacy loss\nA,(5)\n\nrelease,epsilon\nC,1\n", "above the header"),
        ("release,privacy loss\nA,five\n\nrelease,epsilon\nC,1\n", "above the header"),
        ("part of report,epsilon\nchapter 1,1\nchapter 2,2\n", "groups of people"),
        ("part of total epsilon,epsilon\na,1\n", "groups of people"),
    ],
)
def test_what_may_count_more_or_less_is_a_question(text: str, match: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(privref.InputError, match=match):
        privref.read_ledger(path)


SHEET = "Releases\n\nrelease,epsilon,delta,comment,status,seen\nmap,0.3,1e-7,for regions,retracted,\nmeans,0.1,0,,,\n"
WITHOUT = "release,epsilon,delta,count\nmap,0.3,1e-7,1\nmeans,0.1,0,1\n"


def test_words_that_were_not_used_are_named_wherever_a_verdict_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*words: str) -> str:
        with contextlib.suppress(SystemExit):
            main(list(words))
        return capsys.readouterr().out

    path, report = tmp_path / "a.csv", tmp_path / "a.html"
    for sheet, said in ((SHEET, "the lines above the table, comment, status"), (WITHOUT, "")):
        path.write_text(sheet, encoding="utf-8")
        audit = privref.audit(privref.read_ledger(path), [privref.ApproxDPClaim("one", epsilon="1", delta="1e-6")])
        options = [str(path), "--claim", "1,1e-6", "--parameters", "fixed-in-advance"]
        shown = printed("audit", *options, "--html", str(report))
        document = json.loads(printed("audit", *options, "--format", "json"))
        letter = printed("statement", *options)
        for text in (shown, report.read_text(encoding="utf-8"), letter):
            one = " ".join(text.split())
            assert (f"not used: the words in {said}; the verdicts hold if nothing there changes" in one) == bool(said)
            assert bool(said) or "not used" not in one
        assert document["ledger"].get("unread", []) == [each for each in said.split(", ") if each]
        assert audit.ledger.unread == tuple(document["ledger"].get("unread", ()))


def test_words_of_each_of_several_sheets_are_named() -> None:
    given = {"neighbours": "replace-one", "parameters": "fixed-in-advance", "interaction": "sequential"}
    sheets = [privref.ledger_from_csv(text, "t", **given) for text in (SHEET, WITHOUT, "epsilon,note\n1,x\n")]
    assert privref.combined(sheets, ["a", "b", "c"]).unread == (
        "the lines above the table",
        "comment",
        "status",
        "note",
    )
