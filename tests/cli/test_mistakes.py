"""Mistakes at the command line: one line, which names what is wrong and what to write instead."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.cli.main import main

LEDGER: dict[str, Any] = {
    "schema": "ledger.1",
    "title": "t",
    "privacy_unit": "person",
    "neighbours": "replace-one",
    "parameters": "fixed-in-advance",
    "interaction": "sequential",
}
GUARANTEE = {"kind": "pure-dp", "epsilon": "0.1"}


def said_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    captured = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, captured.err or captured.out


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, 'ledger.events is missing: this field is required, such as "events": ['),
        ({"events": [{"guarantee": GUARANTEE, "count": "10"}]}, "count: privref rejects '10': write a whole number"),
        ({"events": [{"guarantee": {"kind": "pure-dp", "epsilon": "0,1"}}]}, 'write a decimal point: "0.1"'),
        ({"events": [{"guarantee": {**GUARANTEE, "delta": "1e-7"}}]}, "with one the kind is approx-dp"),
        ({"events": [{"mechanism": "gaussian"}]}, "mechanism: privref rejects 'gaussian': write fields"),
        (
            {"events": [{"mechanism": {"kind": "gaussian", "stddev": "2", "sensitivity": "1"}}]},
            "give exactly one of sigma, sigma_squared; stddev stands there, which is not a field",
        ),
        ({"events": [{"mechanism": {"kind": "gausian"}}]}, "did you mean gaussian? known here: discrete-gaussian, "),
        ({"events": [{"guarantee": GUARANTEE}], "budget": {"epsilon": "2", "dleta": "1e-6"}}, "did you mean delta?"),
        (
            {"events": [{"guarantee": GUARANTEE}], "budget": {"epsilon": "2", "delta": "0", "filter": "cks2020/zcdp"}},
            "`privref explain NAME` says what each is",
        ),
    ],
)
def test_one_line_says_what_is_wrong_with_a_ledger(
    more: dict[str, Any], line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "ledger.json").write_text(json.dumps(LEDGER | more), encoding="utf-8")
    code, said = said_of(["audit", "ledger.json", "--claim", "1,1e-6"], capsys)
    assert (code, said.count("\n"), line in said) == (2, 1, True), said


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--claim", "1.5,~1"], "--claim: delta: privref rejects '~1': this is not an upper bound"),
        (["--claim", "ln 3,1e-6"], "--claim: epsilon: privref rejects 'ln 3': "),
        (["--claim", "inf,1e-6"], "--claim: epsilon: privref rejects 'inf': write a number such as 0.1, 1e-6 or 1/10"),
        (
            ["--claim", "1e-6,1"],
            "--claim: privref rejects '1e-6,1': epsilon would be 1e-6 and delta 1: are the two ",
        ),
        (["--claim", "1e-6,0.5"], "are the two swapped? Then write 0.5,1e-6; "),
        (["--claim", "1e-6,0.3"], "Then write 0.3,1e-6; if they are meant so, name them: eps=1e-6,delta=0.3"),
        (["--claim=-1,1e-6"], "epsilon: privref rejects '-1': give a number >= 0"),
        (["--claim", "0,0.3"], "are the two swapped? Then write 0.3,0; "),
        (["--claim", "1,2"], "is it the one number 1.2? Then give a delta too: 1.2,1e-6"),
        (["--claim", "3,1"], "is it the one number 3.1? Then give a delta too: 3.1,1e-6; if they are meant so, name"),
        (["--claim", "3,1e6"], "is a minus missing? Then write 3,1e-6"),
        (["--claim", "3.5,1.0"], "delta is a probability, and at 1 the claim is true of every mechanism."),
        (["--claim", "3 / 1e-6"], "put a comma between epsilon and delta: 3,1e-6"),
        (["--claim", "3,00,0,000001"], "write decimal points: 3.00,0.000001"),
        (["-claim", "3,1e-6"], "no option is called -claim; did you mean --claim?"),
        (
            ["--claim", "1,1e-6", "--parameters", "fixed-in-advance", "--parameters", "chosen-adaptively"],
            "--parameters is given 2 times: give it once",
        ),
        (
            ["--claim", "1,1e-6", "--fail-on", "confirmed"],
            "--fail-on: privref rejects 'confirmed': give some of unsupported, refuted, cont",
        ),
        (
            ["--claim", "1,1e-6", "--certificates", "ledger.json"],
            "privref rejects 'ledger.json': name a folder that",
        ),
        (["--claim", "1,1e-6", "--output", "a.json", "--output", "none/r.html"], "(its folder does not exist)"),
        (["--claim", "1,1e-6", "--html", "folder.html"], "--html: privref rejects 'folder.html': name a file"),
        (["sheet.csv"], "claims: privref rejects 'epsilon': claims are a JSON file (claims.1), or --claim EPS,DELTA; "),
        (["ledger.json"], "this document holds a ledger, and claims (claims.1) is read here"),
        (["--claim", "1;2;1e-6"], "privref: --claim: privref rejects '1;2;1e-6': give epsilon and delta"),
        (["--claim", "1,500;1e-6"], "--claim: epsilon: privref rejects '1,500'"),
        (["--claim", "1", "1e-6"], "'1e-6' is taken for a CLAIMS file, and --claim is given too: keep one"),
        (["--claim", "1,1e-6", "--html", "report.pdf"], "--html: privref rejects 'report.pdf': give a file that"),
        (["--claim", "1,1e-6", "--plot", "r.png"], "--plot: privref rejects 'r.png': give a file that ends in .svg"),
    ],
)
def test_one_line_says_what_is_wrong_with_an_option(
    arguments: list[str], line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "ledger.json").write_text(json.dumps(LEDGER | {"events": [{"guarantee": GUARANTEE}]}), encoding="utf-8")
    (folder / "sheet.csv").write_text("epsilon\n1\n", encoding="utf-8")
    (folder / "folder.html").mkdir()
    before = sorted(folder.iterdir())
    code, said = said_of(["audit", "ledger.json", *arguments], capsys)
    assert (code, said.count("\n"), line in said) == (2, 1, True), said
    assert sorted(folder.iterdir()) == before, "nothing is half written"


def test_a_claim_of_rho_may_have_a_delta(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = {"guarantee": {"kind": "zcdp", "rho": "0.05", "delta": "1e-7"}}
    (folder / "ledger.json").write_text(json.dumps(LEDGER | {"events": [event]}), encoding="utf-8")
    _, said = said_of(["audit", "ledger.json", "--claim", "rho=1"], capsys)
    assert "more than the claimed 0; a claim with that delta may be proved" in " ".join(said.split())
    code, said = said_of(["audit", "ledger.json", "--claim", "rho=1,delta=1e-7"], capsys)
    assert (code, "confirmed" in said) == (0, True), said


@pytest.mark.parametrize("claim", ["1.5,10^-6", "1.5,1·10⁻⁶", "150 %, 1e-6", "≤ 1.5,1e-6"])
def test_a_claim_is_read_as_a_cell_of_a_sheet_is(claim: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ledger.json").write_text(json.dumps(LEDGER | {"events": [{"guarantee": GUARANTEE}]}), encoding="utf-8")
    code, said = said_of(["audit", "ledger.json", "--claim", claim], capsys)
    assert (code, re.search(r"claim: \(1.5, 1e-0?6\)-DP → confirmed", said) is not None) == (0, True), said


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["check", "1,1e-6", "--rho", "abc"], "--rho: privref rejects 'abc': write a number such as 0.1, 1e-6 or 1/10"),
        (["check", "1,1e-6", "--rho", "1", "--epsilon", "1"], "--mechanism, --sgd, and only one"),
        (["check", "1,1e-6", "--gaussian", "sgima=2"], "did you mean sigma?"),
        (["check", "1,1e-5", "--mechanism", "laplace"], "--mechanism: scale is missing: laplace is declared by its"),
        (["check", "1,1e-5", "--mechanism", "laplace:sigma=1"], "by its scale, and sigma is not the same"),
        (["check", "1,1e-5", "--sgd", "sigma=1,batch=9,records=6,epochs=2,sampling=poisson"], "larger than records=6"),
        (["check", "1,1e-5", "--epsilon", "0.5", "--epsilon=0.1"], "given 2 times: give it once; several releases are"),
        (["check", "1,1e-5", "--epsilon", "1", "--count", "ten"], "'--count': 'ten' is not a valid whole number"),
        (
            ["check", "--rho", "1", "--claim", "1,1e-5"],
            "the claim is the first argument of this command: write privref check 1,1e-5 …",
        ),
        (["check", "1,1e-5", "--sgd", "sigma=1,batch_cap=9"], "batch_cap is not known here; did you mean cap? "),
        (["check", "1,1e-5", "--sgd", "sigma=1; rate=1"], "put commas between the pairs: sigma=1, rate=1"),
        (["audit", "1,1e-5", "ledger.json"], "'1,1e-5' stands where the LEDGER is expected: write --claim 1,1e-5"),
        (["epsilon", "1", "--epsilon", "0.1"], "at delta = 1 every mechanism has epsilon = 0: give one such as 1e-5"),
        (["epsilon", "1,1e-5", "--rho", "0.1"], "give a delta alone; a claim is checked by: privref check 1,1e-5"),
        (["attack", "basic-filter", "--menu", "0,1", "--epsilon", "1"], "in numbers write a point, as in 0.1"),
        (["check", "1e-6,1", "--epsilon", "0.5"], "are the two swapped? Then write 1,1e-6; "),
        (["calibrate", "basic", "--budget", "1,1e-6"], "rounds or cost is missing: give rounds (--rounds), and "),
        (["calibrate-sgd", "1,0", "--rate", "0.1", "--steps", "9"], "budget: privref rejects '1,0': give a delta in"),
        (["replay", "ledger.json", "--budget", "1e-6,1"], "--budget: privref rejects '1e-6,1': epsilon would be 1e"),
        (["replay", "ledger.json", "--budget", "1,1e-6", "--machine", "reny"], "did you mean renyi-grid-filter?"),
        (["what-if", "ledger.json", "--add", "eps=1", "--delta", "1e-6"], "did you mean epsilon?"),
        (["eval", "cks2020/zcdp2dp.eps", '{"rho": "1", "dleta": "1e-6"}'], "did you mean delta?"),
        (["attack", "natural-fliter", "--menu", "1", "--epsilon", "2"], "did you mean natural-filter?"),
        (["risk", "ledger.json", "--fpr", "2"], "--fpr: privref rejects '2': give a number in [0, 1]"),
        (
            ["audit", "ledger.json", "--claim", "1,0", "--with", "x.json"],
            "--with: privref rejects 'x.json': this file does not",
        ),
    ],
)
def test_a_mistake_is_named_as_it_was_written(
    arguments: list[str], line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its option and not by a place in a file that nobody wrote; with the word that was probably meant."""
    (folder / "ledger.json").write_text(json.dumps(LEDGER | {"events": [{"guarantee": GUARANTEE}]}), encoding="utf-8")
    code, said = said_of(arguments, capsys)
    assert (code, said.count("\n"), line in said) == (2, 1, True), said


def test_the_verdict_is_printed_where_a_file_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails after the work, such as a full disk, hides no verdict."""

    def full(path: Path, content: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(privref.report, "write_whole", full)
    (folder / "ledger.json").write_text(json.dumps(LEDGER | {"events": [{"guarantee": GUARANTEE}]}), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["audit", "ledger.json", "--claim", "1.5,1e-6", "--output", "r.json"])
    said = capsys.readouterr()
    assert ended.value.code == 2
    assert "→ confirmed" in said.out
    assert "No space left on device" in said.err
    assert [path.name for path in folder.iterdir()] == ["ledger.json"]


@pytest.mark.parametrize(
    ("sheet", "line"),
    [("", "ledger is empty: this sheet has no row"), ("epsilon (bits)\n1\n", "epsilon is read in nats, and this head")],
)
def test_one_line_says_what_is_wrong_with_a_sheet(
    sheet: str, line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "sheet.csv").write_text(sheet, encoding="utf-8")
    code, said = said_of(["audit", "sheet.csv", "--claim", "1,1e-6"], capsys)
    assert (code, line in said) == (2, True), said


def test_a_verdict_asks_one_thing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A question comes before advice, a budget says where it stands, and no vacuous delta is advised."""
    (folder / "swapped.csv").write_text("epsilon,delta\n0.5,0\n1e-7,0.3\n", encoding="utf-8")
    code, said = said_of(["audit", "swapped.csv", "--claim", "1,1e-6", "--parameters", "fixed-in-advance"], capsys)
    assert (code, "answer the question above; then declare" in " ".join(said.split())) == (1, True)
    (folder / "sheet.csv").write_text("epsilon,delta\n0.5,0\n0.3,1e-7\n", encoding="utf-8")
    code, said = said_of(["audit", "sheet.csv", "--claim", "1,1e-6"], capsys)
    assert (code, "in a JSON ledger, which `privref init` writes" in " ".join(said.split())) == (4, True)
    (folder / "ledger.json").write_text(json.dumps(LEDGER | {"events": [{"guarantee": GUARANTEE, "count": 1000}]}))
    code, said = said_of(["audit", "ledger.json", "--claim", "1,1e-6"], capsys)
    assert (code, "at delta =" in said) == (1, False)
    (folder / "claims.json").write_text(
        json.dumps({"schema": "claims.1", "claims": [{"id": "x", "epsilon": "9", "delta": "0", "by": "mv2016/optima"}]})
    )
    code, said = said_of(["audit", "ledger.json", "claims.json"], capsys)
    assert code == 4
    assert re.search(r"did you mean mv2016/optimal\?.*next +name a theorem", " ".join(said.split()))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["check", "1,1e-5", "--sgd", "noise=1,q=0.01"],
            "noise is not known here; did you mean sigma? give name=value",
        ),
        (["check", "1,1e-5", "--sgd", "sigma=1,q=0.01"], "q is not known here; did you mean rate? "),
        (
            ["check", "1,1e-5", "--sgd", "sigma=1,sigma=2"],
            "sigma is given twice; give name=value pairs; known are batch",
        ),
        (["check", "1,1e-5", "--sgd", "sigma"], "'sigma': give name=value pairs; known are batch, cap, "),
        (["check", "1,1e-5", "--sgd", "x=1"], "and with sampling=balls-in-bins also bins"),
        (
            ["eval", "zcdp", "{}"],
            "unknown statement 'zcdp'; did you mean cesar2021/br2zcdp.rho or cks2020/zcdp2dp.delta",
        ),
        (["eval", "zzz", "{}"], "unknown statement 'zzz'; `privref explain --find WORD` lists ids"),
    ],
)
def test_a_wrong_name_is_named_with_the_one_that_was_meant(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = said_of(arguments, capsys)
    assert (code, said.count("\n"), line in said) == (2, 1, True), said


def test_a_sensitivity_that_nobody_gave_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    for given, title in (
        ("sigma=4", "; sensitivity = 1 (none was given)"),
        ("sigma=4,sensitivity=1", ""),
        ("mu=1/4", ""),
    ):
        code, said = said_of(["check", "3,1e-5", "--gaussian", given], capsys)
        assert (code, said.splitlines()[0]) == (0, f"1 round(s) as given on the command line{title}")


def test_steps_of_epochs_whose_batches_do_not_come_out_even_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    for records, steps, more in (
        ("60000", 2344, "; steps=2350 if each epoch is rounded up on its own"),
        ("59904", 2340, " as given on the command line"),
    ):
        run = f"sigma=8,batch=256,records={records},epochs=10,sampling=poisson"
        code, said = said_of(["check", "3,1e-5", "--sgd", run], capsys)
        assert (code, " ".join(said.split("\n1 event")[0].split())) == (
            0,
            f"{steps} round(s){more}",
        )


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "ledger.json", "--claim", "1,1e-6", "--output", "ledger.json"],
        ["audit", "ledger.json", "claims.json", "--output", "claims.json"],
        ["risk", "ledger.json", "--claims", "./ledger.json"],
        ["audit", "ledger.json", "claims.json", "--html", "claims.json"],
    ],
)
def test_no_command_overwrites_what_it_reads(
    arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = {"guarantee": {"kind": "zcdp", "rho": "1/2"}}
    (folder / "ledger.json").write_text(json.dumps(LEDGER | {"events": [event]}), encoding="utf-8")
    claims = {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "9", "delta": "1e-6"}]}
    (folder / "claims.json").write_text(json.dumps(claims), encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    code, said = said_of(arguments, capsys)
    assert (code, {path: path.read_bytes() for path in folder.iterdir()}) == (2, before), said
    assert "name another to write" in said or "give a file that ends in" in said


def test_a_record_in_several_bins_is_checked_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    run = "sigma=2,bins=100,chosen=10,sampling=balls-in-bins"
    for claim, verdict in (("8,1e-5", "confirmed"), ("1,1e-5", "refuted")):
        _, said = said_of(["check", claim, "--sgd", run], capsys)
        assert f"DP → {verdict}" in said
