"""The reader of plain sheets of few columns."""

from __future__ import annotations

import contextlib
import hashlib
import io
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


ROWS = "release;epsilon;delta\nKarte für Kent;0,5;1e-9\nMittel;0,25;0\n"
AS_BYTES = {
    "UTF-8": ROWS.encode(),
    "UTF-8 with a mark, as Excel saves it": ROWS.encode("utf-8-sig"),
    "UTF-16": ROWS.encode("utf-16"),
    "Latin letters": ROWS.encode("cp1252"),
    "lines of Windows": ROWS.replace("\n", "\r\n").encode(),
    "lines of old Macs": ROWS.replace("\n", "\r").encode(),
    "a reader of its own": b"\xef\xbb\xbfepsilon,delta\n0.5,1e-9\n0.25,0\n",
}


@pytest.mark.parametrize("data", AS_BYTES.values(), ids=AS_BYTES)
def test_the_digest_of_a_sheet_is_of_the_bytes_that_its_reader_has(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``sha256sum FILE`` prints it: in the report, in the JSON report, in the certificate and when that is verified."""
    path, report, digest = tmp_path / "sheet.csv", tmp_path / "a.html", hashlib.sha256(data).hexdigest()
    path.write_bytes(data)
    ledger = privref.read_ledger(path)
    assert (ledger.digest, ledger.digest_of, len(ledger.events)) == (digest, "the file's bytes", 2)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    piped = privref.read_ledger("-")
    assert (piped.digest, piped.digest_of, piped.events) == (digest, "the bytes read", ledger.events)
    declared = ["--parameters", "fixed-in-advance", "--neighbours", "replace-one", "--interaction", "sequential"]
    options = ["audit", str(path), "--claim", "1,1e-6", *declared, "--html", str(report)]
    with contextlib.suppress(SystemExit):
        main([*options, "--certificates", str(tmp_path), "--format", "json"])
    assert json.loads(capsys.readouterr().out)["ledger"]["sha256"] == digest
    assert f"SHA-256 <code>{digest}</code> of the file&#39;s bytes" in report.read_text(encoding="utf-8")
    certificate = json.loads((tmp_path / "claim.json").read_text(encoding="utf-8"))
    assert certificate["commentary"]["sheet"] == {"sha256": digest, "digest_of": "the file's bytes"}
    found = privref.verify(certificate)
    assert found.outcome == "verified"
    assert digest in found.unchecked[0]


def test_the_digest_of_a_workbook_is_of_its_file(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")
    book = openpyxl.Workbook()
    for row in (("release", "epsilon"), ("map", "0.5")):
        book.active.append(row)
    book.save(tmp_path / "sheet.xlsx")
    found = privref.read_ledger(tmp_path / "sheet.xlsx")
    assert found.digest == hashlib.sha256((tmp_path / "sheet.xlsx").read_bytes()).hexdigest()
    assert found.digest_of == "the file's bytes"
