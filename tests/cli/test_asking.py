"""check, what-if, diff, identify, statement: as a user meets them."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator


@pytest.fixture
def ledger(tmp_path: Path, ledger_document: dict[str, Any]) -> Path:
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(ledger_document))
    return path


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("17.15,1e-10 --rho 2.5562", 0, "margin ≥"),
        ("1.7,1e-9 --epsilon 0.1 --count 17", 0, "kov2015/optimal"),
        ("1.7,0 --epsilon 0.1 --count 17 --adaptive", 4, "conditional"),
        ("3,1e-6 --gaussian sigma=2", 0, "gdp/composition"),
        ("3,1e-6 --gaussian sigma=2,sensitivity=4", 1, "refuted"),
        ("3,1e-6 --gaussian mu=1/2", 0, "gdp/composition"),
        ("1,1e-6 --epsilon 0.5 --delta-each 1e-7 --count 2", 0, "confirmed"),
        ("0,7;1e-5 --sgd sigma=4,rate=1/10,steps=40,sampling=poisson", 0, "zdw2022/poisson_gaussian"),
        ("0.5,1e-5 --sgd sigma=4,rate=1/10,steps=40,sampling=poisson", 1, "refuted"),
        ("9,1e-5 --sgd sigma=4,rate=1/10,steps=40,sampling=shuffled", 4, "declares sampling shuffled"),
        ("1,1e-5 --sgd sigma=1/2,rate=1/10,steps=40,sampling=shuffled", 1, "one epoch of 10"),
        # A replaced record moves a clipped sum by two clipping norms, from one side of 0 to the other.
        ("1.19,1e-5 --sgd sigma=4,rate=1/10,steps=40,sampling=poisson --neighbours replace-one", 1, "unsupported"),
        ("1.2,1e-5 --sgd sigma=4,rate=1/10,steps=40,sampling=poisson --neighbours replace-one", 0, "zdw2022/thm10"),
        ("0.7,1e-5 --sgd sigma=4,batch=6,records=60,epochs=4,sampling=poisson", 0, "40 round(s)"),
        ("0.7,1e-5 --sgd sigma=4,batch=6,records=60,epochs=3.95,sampling=poisson", 0, "40 round(s)"),
        ("4.7,1e-6 --mechanism laplace:scale=10,sensitivity=1 --count 100", 0, "zdw2022/thm10"),
        ("3,1e-6 --mechanism discrete-gaussian:sigma=2,shifts=1;1", 1, "refuted"),
    ],
)
def test_a_number_is_checked_without_a_file(privref_command: Any, words: str, code: int, said: str) -> None:
    found, out, _ = privref_command("check", *words.split())
    assert (found, said in out) == (code, True), out


@pytest.mark.parametrize(
    "words",
    [
        "1",
        "1,1e-6",
        "1,1e-6 --rho 1 --epsilon 1",
        "1,1e-6 --rho 1 --delta-each 0",
        "1,1e-6 --gaussian sigma=0",
        "1,1e-6 --gaussian x=1",
        "1,1e-6 --gaussian mu=1,sigma=1",
        "1,1e-6 --rho -1",
        "1,1e-6 --rho 1 --count 0",
        "1,1e-6 --sgd sigma=1,rate=1/100,steps=1000",
        "1,1e-6 --sgd sigma=1,rate=1/100,steps=1000,sampling=possion",
        "1,1e-6 --sgd sigma=1,batch=6,steps=1000,sampling=poisson",
        "1,1e-6 --sgd sigma=1,rate=1/10,records=60,steps=1000,sampling=poisson",
        "1,1e-6 --sgd sigma=1,rate=1/10,batch=6,records=60,steps=1000,sampling=poisson",
        "1,1e-6 --sgd sigma=1,rate=1/10,epochs=4,steps=40,sampling=poisson",
        "1,1e-6 --sgd sigma=1,batch=70,records=60,epochs=4,sampling=poisson",
        "1,1e-6 --sgd sigma=1,batch=6,records=0,epochs=4,sampling=poisson",
        "1,1e-6 --sgd sigma=1,epochs=4,sampling=poisson",
        "1,1e-6 --sgd sigma=1,rate=1/100,steps=0,sampling=poisson",
        "1,1e-6 --sgd sigma=1,rate=1.5,steps=5,sampling=poisson",
        "1,1e-6 --sgd sigma=1,rate=1/100,steps=5,sampling=poisson --count 2",
        "1,1e-6 --sgd sigma=1,rate=1/100,steps=5,sampling=poisson --rho 1",
        "1,1e-6 --mechanism laplace",
        "1,1e-6 --mechanism laplace:scale",
        "1,1e-6 --mechanism lapalce:scale=1,sensitivity=1",
    ],
)
def test_a_check_that_can_not_be_meant_is_refused(privref_command: Any, words: str) -> None:
    code, out, err = privref_command("check", *words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_epsilon_of_a_run_needs_no_guess(privref_command: Any) -> None:
    run = ("--sgd", "sigma=1,rate=1/100,steps=1000,sampling=poisson")
    code, out, err = privref_command("epsilon", "1e-5", *run)
    assert (code, err) == (0, "")
    assert out.startswith("at delta = 1e-5: epsilon ≤ 1.828236673 by composed Poisson-subsampled Gaussian rounds")
    assert "premise" in out
    _, out, _ = privref_command("check", "1.828236673,1e-5", *run)
    assert "confirmed" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("epsilon 2 --rho 1", "delta: privref rejects '2'"),
        ("epsilon 1e-5", "give one of --rho, "),
        ("epsilon 1e-5 --epsilon 0.1 --adaptive", "only if a filter enforced it"),
        ("epsilon 1e-5 --sgd sigma=1,rate=1/9,steps=9,sampling=shuffled", "batches of a shuffle can lose more"),
        ("check 1e-5 --rho 1", "privref epsilon 1e-5"),
    ],
)
def test_an_epsilon_that_is_not_proved_has_a_reason(privref_command: Any, words: str, said: str) -> None:
    code, out, err = privref_command(*words.split())
    assert (out, err.count("\n"), said in err) == ("", 1, True), err
    assert code in (2, 4)


def test_the_documents_are_valid(privref_command: Any, ledger: Path) -> None:
    other = ledger.with_name("other.json")
    other.write_text(ledger.read_text().replace("seventeen", "another").replace('"0.1"', '"0.2"'))
    commands = {
        "audit.1": ("check", "17.14,1e-10", "--rho", "2.5562"),
        "epsilon.1": ("epsilon", "1e-5", "--sgd", "sigma=1,rate=1/100,steps=10,sampling=poisson"),
        "what-if.1": ("what-if", ledger, "--add", "epsilon=0.1", "--budget", "2,1e-9"),
        "diff.1": ("diff", ledger, other, "--delta", "1e-9"),
        "identification.1": ("identify", "8.9,1e-10", "--rho", "0.81"),
        "risk.1": ("risk", ledger),
        "evidence.1": ("evidence", "--one-run", "1000,100,75", "--delta", "1e-4"),
        "notice.1": ("statement", ledger, "--claim", "1.7,1e-9"),
    }
    for name, words in commands.items():
        _, out, err = privref_command(*words, "--format", "json")
        assert err == ""
        document = json.loads(out)
        assert document["schema"] == name
        schema = json.loads(files("privref").joinpath("schemas", f"{name}.json").read_text("utf-8"))
        Draft202012Validator(schema).validate(document)


def test_a_change_and_a_difference(privref_command: Any, ledger: Path) -> None:
    code, out, _ = privref_command("what-if", ledger, "--add", "epsilon=0.1,label=more", "--budget", "2,1e-9")
    assert code == 0
    assert "after" in out
    assert "remains" in out
    assert "chosen-adaptively" in out
    assert privref_command("what-if", ledger)[0] == 2
    assert privref_command("diff", ledger, ledger)[:2] == (0, "the ledgers say the same\n")


def test_a_statement_is_made_of_what_is_confirmed(privref_command: Any, tmp_path: Path) -> None:
    """Attack success is that of the theorem's whole curve: the claim's point alone would give 100 %."""
    ledger, claims = tmp_path / "ledger.csv", tmp_path / "claims.json"
    ledger.write_text("rho,count\n0.03932,65\n")
    stated = [{"id": id, "epsilon": epsilon, "delta": "1e-10"} for id, epsilon in (("low", "17.1"), ("right", "17.15"))]
    claims.write_text(json.dumps({"schema": "claims.1", "claims": stated}))
    code, out, _ = privref_command("statement", ledger, claims, "--parameters", "fixed-in-advance")
    assert code == 1
    assert "low: no sentence, since the verdict is unsupported" in out
    assert "(17.15, 1e-10)-DP" in out
    assert "at most 34.7" in out
    assert privref_command("statement")[0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("1,1e-5 --rate 1/10 --steps 40", "sigma = 2.69 is within (1,1e-5), 2.68 is not"),
        ("1,1e-5 --rate 1/10 --sigma 4", "steps = 103 is within (1,1e-5), 104 is not"),
    ],
)
def test_dp_sgd_is_calibrated(privref_command: Any, words: str, said: str) -> None:
    code, out, _ = privref_command("calibrate-sgd", *words.split())
    assert (code, said in out) == (0, True), out
    assert "premise: Poisson subsampling, anew in every round" in out


@pytest.mark.parametrize(
    "words",
    [
        "1,1e-5 --rate 1/10",
        "1,1e-5 --rate 1/10 --steps 40 --sigma 4",
        "1,1e-5 --rate 2 --steps 40",
        "1,0 --rate 1/10 --steps 40",
        "1,1e-5 --rate 1/10 --steps 40 --resolution 0",
    ],
)
def test_a_calibration_that_can_not_be_meant_is_refused(privref_command: Any, words: str) -> None:
    code, out, err = privref_command("calibrate-sgd", *words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
