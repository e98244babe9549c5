"""The command line, as a user meets it: exit codes, one-line errors, JSON, no partial output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.cli.main import main

DATA = Path(__file__).parents[1] / "data"

#: More equal rounds than can be computed: a list of them would not fit either.
_MANY = {"delta": "0", "k": ["1", "1000000000"]}
MANY_ROUNDS = {
    "optdel": {"exp_eps": "2", "exp_E": ["1", "2"], **_MANY},
    "optdel_eps": {"eps": "1/1000", "E": ["1", "2"], **_MANY},
    "least_E": {"eps": "1/1000", "shape": ["1", "2"], "delta_t": "1/10", **_MANY},
}


@pytest.fixture
def files(tmp_path: Path, ledger_document: dict[str, Any]) -> dict[str, Path]:
    ledger, claims = tmp_path / "ledger.json", tmp_path / "claims.json"
    ledger.write_text(json.dumps(ledger_document))
    claim = {"id": "k17", "epsilon": "1.7", "delta": "0"}
    claims.write_text(json.dumps({"schema": "claims.1", "claims": [claim]}))
    return {"ledger": ledger, "claims": claims, "folder": tmp_path}


def test_the_census_example(privref_command: Any) -> None:
    code, out, err = privref_command("audit", "--example", "census2020-guarantees")
    assert code == 1
    assert err == ""
    assert "17.14355" in out
    assert "rounded down" in out
    assert "rho = 293764/114921" in out
    assert out.splitlines()[-1].startswith("3 of 4 confirmed, 1 unsupported")
    assert max(map(len, out.splitlines())) <= 80
    _, out, _ = privref_command("audit", "--example", "census2020-guarantees", "-v")
    assert "17.9001" in out
    assert "exactly 293764/114921" in out
    assert "not applicable" not in out
    _, out, _ = privref_command("audit", "--example", "census2020-guarantees", "-vv")
    assert "not applicable" in out
    assert "the ledger declares a sequential interaction" in out


def test_an_audit_writes_certificates_that_verify(privref_command: Any, files: dict[str, Path]) -> None:
    folder = files["folder"] / "certificates"
    code, _, _ = privref_command("audit", files["ledger"], files["claims"], "--certificates", folder)
    assert code == 0
    assert [path.name for path in folder.iterdir()] == ["k17.json"]
    code, out, _ = privref_command("verify", folder / "k17.json", "--ledger", files["ledger"])
    assert (code, out.splitlines()[-1]) == (0, "verified")
    code, out, _ = privref_command("verify", folder / "k17.json", "--format", "json")
    assert json.loads(out)["outcome"] == "verified"


def test_json_output_is_one_document(privref_command: Any, files: dict[str, Path]) -> None:
    code, out, _ = privref_command("audit", files["ledger"], files["claims"], "--format", "json")
    document = json.loads(out)
    assert (code, document["exit_code"], document["opinions"][0]["verdict"]) == (0, 0, "confirmed")
    assert document["certificates"]["k17"]["schema"] == "certificate.2"


@pytest.mark.parametrize(
    ("claim", "code"), [("1.7,0", 4), ("1.699,1e-9", 1), ("1.69995,1e-9", 4), ("x,0", 2), ("1.7", 2), ("1,2,3", 2)]
)
def test_a_claim_on_the_command_line(privref_command: Any, tmp_path: Path, claim: str, code: int) -> None:
    csv = tmp_path / "ledger.csv"
    csv.write_text("epsilon,delta,count\n0.1,0,17\n")
    found, out, err = privref_command("audit", csv, "--claim", claim)
    assert found == code
    assert (err == "") == (code != 2)
    assert (out == "") == (code == 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "ledger.csv"], "no claim is given: add --claim EPS,DELTA"),
        (
            ["audit", "ledger.csv", "--claim", "1.7"],
            "such as 1.7,1e-6 (or 1.7,0 if delta is 0)",
        ),
        (["verify", "census2020.ledger.json"], "give the certificate first, and the ledger as --ledger FILE"),
        (["identify", "26.34,1e-10"], "rho, epsilon, mu or sgd is missing: say from what the epsilon may come"),
        (
            ["identify", "1,1e-5", "--rho", "0.1", "--count", "7"],
            "count: privref rejects '7': leave it out: rho is that of",
        ),
        (["identify", "1,1e-5", "--rho", "0"], "rho: privref rejects '0': give a number above 0"),
        (["check", "1,0", "--sgd", "sigma=1,rate=0.01,steps=10"], "give also sampling=poisson"),
    ],
)
def test_a_common_mistake_is_answered_with_what_to_write(
    privref_command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ledger.csv").write_text("epsilon,delta,count\n0.1,0,17\n")
    Path("census2020.ledger.json").write_text(json.dumps(privref.example_document("census2020", "ledger")))
    code, out, err = privref_command(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_csv_options_declare_what_csv_can_not_say(privref_command: Any, tmp_path: Path, files: dict[str, Path]) -> None:
    csv = tmp_path / "ledger.csv"
    csv.write_text("epsilon,delta,count\n0.1,0,17\n")
    code, out, _ = privref_command("audit", csv, "--claim", "1.69995,1e-9", "--parameters", "fixed-in-advance")
    assert (code, "kov2015/optimal); margin" in out) == (0, True)
    code, _, err = privref_command("audit", files["ledger"], files["claims"], "--parameters", "fixed-in-advance")
    assert (code, "option is for a sheet" in err) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit",),
        ("audit", "nothing.json"),
        ("audit", "nothing.json", "nothing.json"),
        ("audit", "--example", "nothing"),
        ("verify", "nothing.json"),
        ("explain", "rogers2016/thm9.9"),
        ("eval", "rogers2016/thm2.9.eps"),
        ("eval", "rogers2016/thm9.9", "{}"),
        ("eval", "rogers2016/thm2.9.eps", "[]"),
        ("eval", "rogers2016/thm2.9.eps", "{"),
        ("eval", "rogers2016/thm2.9.eps", '{"eps": [0.1]}'),
        ("eval", "rogers2016/thm2.9.eps", '{"eps": ["0.1"], "eps": []}'),
        ("eval", "rogers2016/thm2.9.eps", '{"eps": []}', "--digits", "0"),
        ("eval", "--batch", "nothing.json"),
        ("nothing",),
        ("audit", "--nothing"),
        *(("eval", f"hartmann2022/thm15.{id}", json.dumps(inputs)) for id, inputs in MANY_ROUNDS.items()),
        (
            "eval",
            "rogers2016/sec6.pointwise_failure",
            '{"exp_eps": "2", "delta_g": "1/10", "two_sided": "true", "drift": "tanh", "K": "10000"}',
        ),
    ],
    ids=" ".join,
)
def test_bad_usage_is_one_line_and_exit_code_two(privref_command: Any, arguments: tuple[str, ...]) -> None:
    code, out, err = privref_command(*arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"privref: [^\n]+\n", err), err


def test_a_malformed_ledger_leaves_no_output_and_no_certificate(privref_command: Any, files: dict[str, Path]) -> None:
    files["ledger"].write_text(files["ledger"].read_text()[:60])
    folder = files["folder"] / "certificates"
    code, out, err = privref_command("audit", files["ledger"], files["claims"], "--certificates", folder)
    assert (code, out, folder.exists()) == (2, "", False)
    assert re.fullmatch(r"privref: ledger line \d+, column \d+: [^\n]+\n", err)


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_one_statement_in_json(privref_command: Any, engine: str) -> None:
    inputs = '{"rho":"1/2","delta_prime":"1/1000000"}'
    arguments = ("eval", "whitehouse2023/lem1.zcdp2dp.eps", inputs, "--digits", "30", "--engine", engine)
    code, out, _ = privref_command(*arguments)
    line = json.loads(out)
    assert code == 0
    assert Fraction(line["lower"]) < Fraction(line["upper"])
    assert (Fraction(line["upper"]) - Fraction(line["lower"])) <= Fraction(line["lower"]) * Fraction(1, 10**28)
    assert line["inputs"] == json.loads(inputs)
    assert float.fromhex(line["binary64"]["lower"]) <= float.fromhex(line["binary64"]["upper"])


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_a_batch_answers_line_by_line_in_order(privref_command: Any, engine: str) -> None:
    code, out, _ = privref_command("eval", "--batch", DATA / "samples.json", "--engine", engine)
    lines = [json.loads(line) for line in out.splitlines()]
    samples = json.loads((DATA / "samples.json").read_text())["samples"]
    assert code == 0
    assert [(line["id"], line["inputs"]) for line in lines] == [(s["id"], s["inputs"]) for s in samples]
    for line, sample in zip(lines, samples, strict=True):
        for key in ("lower", "upper"):
            assert line.get(key) == sample.get(key), sample
        if sample["kind"] == "exact":
            assert line["value"] == sample["value"]


def test_a_batch_with_an_unknown_id_carries_an_error_line(privref_command: Any, tmp_path: Path) -> None:
    batch = tmp_path / "batch.json"
    known = {"id": "rogers2016/thm2.9.eps", "inputs": {"eps": ["0.1"]}}
    batch.write_text(json.dumps({"samples": [{"id": "x/y", "inputs": {}}, known]}))
    code, out, _ = privref_command("eval", "--batch", batch)
    first, second = (json.loads(line) for line in out.splitlines())
    assert "error" in first
    assert second["value"] == "1/10"
    assert code == 4


def test_every_statement_is_explained(privref_command: Any) -> None:
    code, out, _ = privref_command("explain", "--format", "json")
    ids = [row["id"] for row in json.loads(out)]
    assert code == 0
    for id in (ids[0], "whitehouse2023/thm1.N", "cks2020/zcdp2dp.eps"):
        code, out, _ = privref_command("explain", id)
        assert code == 0
        assert out.startswith(id)


def test_the_doctor_finds_this_installation_sound(privref_command: Any) -> None:
    code, out, _ = privref_command("doctor", "--format", "json")
    document = json.loads(out)
    assert (code, document["sound"]) == (0, True)
    assert {"privref", "python-flint", "mpmath", "sympy"} <= set(document["versions"])


def test_an_internal_error_is_reported_as_one(privref_command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("privref.doctor", lambda: 1 / 0)
    code, out, err = privref_command("doctor")
    assert (code, out) == (70, "")
    assert "internal error (ZeroDivisionError" in err


def test_an_internal_error_has_its_exit_code_with_its_traceback(
    privref_command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("privref.doctor", lambda: 1 / 0)
    monkeypatch.setenv("PRIVREF_TRACEBACK", "1")
    code, _, err = privref_command("doctor")
    assert (code, "Traceback (most recent call last)" in err) == (70, True)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_output_that_cannot_be_written_is_no_internal_error(files: dict[str, Path], form: str) -> None:
    command = [sys.executable, "-m", "privref", "audit", files["ledger"], "--claim", "1.7,0", "--format", form]
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 70
    assert ran.stderr.startswith("privref: standard output cannot be written (No space left on device)")
    assert len(ran.stderr.splitlines()) == 1


def test_a_closed_output_is_said_to_be_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as ended:
        main(["doctor"])
    assert ended.value.code == 70
    assert capsys.readouterr().err == "privref: standard output is closed: nothing can be printed\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_a_pipe_is_not_replaced_by_a_file(privref_command: Any, files: dict[str, Path], tmp_path: Path) -> None:
    pipe = tmp_path / "report.html"
    os.mkfifo(pipe)
    code, _, err = privref_command("audit", files["ledger"], "--claim", "1.7,0", "--html", pipe)
    assert (code, pipe.is_fifo()) == (2, True)
    assert err.endswith("name a file that can be written (it is a device or a pipe)\n")
    assert len(err.splitlines()) == 1


def test_another_way_to_ask_for_json_is_named(privref_command: Any, files: dict[str, Path]) -> None:
    code, _, err = privref_command("audit", files["ledger"], "--claim", "1.7,0", "--json")
    assert (code, err) == (2, "privref: No such option '--json'. Write --format json.\n")


@pytest.mark.parametrize("command", [(), ("vectors",)])
def test_a_command_without_arguments_shows_its_help(privref_command: Any, command: tuple[str, ...]) -> None:
    code, out, err = privref_command(*command)
    assert (code, out) == (2, "")
    assert err.startswith("Usage: ")
    assert len(err.splitlines()) > 5


def test_of_several_ledgers_the_one_that_is_refused_is_named(
    privref_command: Any, files: dict[str, Path], tmp_path: Path
) -> None:
    document = json.loads(files["ledger"].read_text())
    document["events"] = [{"guarantee": {"kind": "pure-dp", "epsilon": "-0.1"}}]
    other = tmp_path / "other.json"
    other.write_text(json.dumps(document))
    code, _, err = privref_command("audit", files["ledger"], "--with", other, "--claim", "1,0")
    assert code == 2
    assert err.startswith(f"privref: {other}: ledger.events[0].guarantee.epsilon: privref rejects '-0.1'")


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"claims": [{"id": "a", "epsilon": "1", "delta": "0"}]}, 'this field is required: "schema": "claims.1"'),
        ({"schema": "claims.1", "claims": [{"id": "a", "epsilon": "1"}]}, "claims.claims[0].delta is missing"),
    ],
)
def test_what_a_claim_lacks_is_named(
    privref_command: Any, files: dict[str, Path], tmp_path: Path, claims: dict[str, Any], said: str
) -> None:
    path = tmp_path / "claims.json"
    path.write_text(json.dumps(claims))
    code, _, err = privref_command("audit", files["ledger"], path)
    assert (code, said in err) == (2, True)


def test_every_stated_claim_is_audited(privref_command: Any, files: dict[str, Path]) -> None:
    code, out, _ = privref_command("audit", files["ledger"], "--claim", "1/1000,0", "--claim", "1.7,0")
    assert code == 1
    assert "claim-1: (1/1000, 0)-DP" in out
    assert "claim-2: (1.7, 0)-DP" in out


def test_an_example_takes_no_claim_of_another(privref_command: Any) -> None:
    code, _, err = privref_command("audit", "--example", "census2020-guarantees", "--claim", "1,0")
    assert code == 2
    assert "claims of its own" in err
