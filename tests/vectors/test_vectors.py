"""The vector files: valid, true to the registry, and broad enough."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import mpmath
import pytest
from jsonschema import Draft202012Validator

import privref
from privref.exact.numbers import rational
from privref.statements.registry import Statement
from privref.vectors import generate, store
from privref.vectors.answers import read_answer
from privref.vectors.judge import judge
from privref.vectors.store import vectors
from tests.conftest import code, sampled

ROOT = Path(__file__).parents[2]
FILES = sorted(generate.data_folder().glob("*.json"))
SCHEMA = json.loads(files("privref").joinpath("schemas", "vectors.1.json").read_text(encoding="utf-8"))


def test_enough_cases_over_enough_statements() -> None:
    """At least 1,500 cases over 50 statements, and each reason for a case occurs."""
    assert len(vectors()) >= 1500
    assert len({vector.statement for vector in vectors().values()}) >= 50
    assert {flag for vector in vectors().values() for flag in vector.flags} == set(store.FLAGS)


def test_no_statement_is_left_out() -> None:
    """Every registered statement has vectors, except wrong printed formulas and those without one right answer."""
    open_ended = {"hartmann2022/thm15.optdel_lower", "hartmann2022/thm15.optdel_upper"}
    due = {found.id for found in privref.statements() if found.standing != "printed"} - open_ended
    assert due <= set(generate.planned()) <= {found.id for found in privref.statements()}


def test_the_schema_is_a_schema() -> None:
    """And it closes every object that it describes."""
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_are_valid_and_canonical(path) -> None:
    """Against the schema; in canonical form; counts, notes and ids in agreement with the cases."""
    text = path.read_text(encoding="utf-8")
    document = json.loads(text)
    Draft202012Validator(SCHEMA).validate(document)
    assert generate.render(document) == text
    found = [case for group in document["groups"] for case in group["cases"]]
    assert document["cases"] == len(found) == len({case["id"] for case in found})
    assert set(document["notes"]) == {flag for case in found for flag in case["flags"]}
    for case in found:
        assert case["id"] == generate.case_id(document["statement"], case["inputs"])
        if "lower" in case["expected"]:
            inside = generate.interval(case["expected"])
            lower, upper = (rational(case["expected"][end]) for end in ("lower", "upper"))
            assert lower <= inside.lower <= inside.upper <= upper
            down, up = (float.fromhex(case["expected"]["binary64"][end]) for end in ("lower", "upper"))
            assert Fraction(down) <= inside.lower
            assert up == float("inf") or inside.upper <= Fraction(up)


@pytest.mark.parametrize("id", generate.planned())
def test_regeneration_is_byte_identical(id: str, pytestconfig: pytest.Config) -> None:
    """Each file is as it would be written; of one case in 32, and one of each statement, both engines say so.

    ``--other-vectors`` takes the other cases; ``privref vectors generate --check`` computes all of them, in minutes.
    """
    text = (generate.data_folder() / generate.file_name(id)).read_text(encoding="utf-8")
    source = json.loads(text)
    known = {case["id"]: case["expected"] for group in source["groups"] for case in group["cases"]}
    again = sampled(known, 32, code())
    if pytestconfig.getoption("other_vectors"):
        again = known.keys() - again

    def answer(found: Statement, inputs: Mapping[str, Any]) -> dict[str, Any]:
        case = generate.case_id(id, inputs)
        return generate.expected(found, inputs) if case in again else known.get(case, {})

    assert generate.render(generate.document(privref.statement(id), source, answer=answer)) == text


def test_every_file_is_a_statements() -> None:
    assert [path.name for path in FILES] == sorted(generate.file_name(id) for id in generate.planned())


def test_cases_are_written_by_hand_and_completed(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new file: a grid, a case, a refusal, and what lies outside the domain; and one more case in a complete file."""
    monkeypatch.setattr(generate, "data_folder", lambda: tmp_path)
    grid = {"flags": ["ordinary"], "comment": "A group.", "grid": {"mu": ["0.1", "1/3"], "k": ["1", "3"]}}
    bug = {"peer": "none", "version": "1", "reported": "0", "reproduction": ["0"]}
    known = {"known_bugs": [bug], "flags": ["boundary"], "comment": "Nothing.", "inputs": {"mu": "0", "k": "1"}}
    path = tmp_path / "gdp.group.mu.json"
    no_group = {"flags": ["boundary"], "comment": "No group.", "inputs": {"mu": "1/7", "k": "0"}}
    refused = {**no_group, "expected": {"refused": "input"}}
    source = {"statement": "gdp/group.mu", "quantity": "number", "groups": [{"cases": [grid, known, refused]}]}
    path.write_text(json.dumps(source))
    assert privref.generate_vectors().written == (path.name,)
    document = json.loads(path.read_text())
    Draft202012Validator(SCHEMA).validate(document)
    ordinary, boundary, outside = (group["cases"] for group in document["groups"])
    assert [case["expected"]["value"] for case in ordinary] == ["1/10", "3/10", "1/3", "1"]
    assert [*boundary[0]] == ["id", "comment", "flags", "inputs", "expected", "known_bugs"]
    assert len(outside) > 3
    assert all("refused" in case["expected"] for case in outside)
    document["groups"][0]["cases"].append({"flags": ["ordinary"], "comment": "More.", "inputs": {"mu": "2", "k": "2"}})
    path.write_text(json.dumps(document))
    assert privref.stale_vectors() == [path.name]
    privref.generate_vectors()
    assert (privref.stale_vectors(), json.loads(path.read_text())["cases"]) == ([], document["cases"] + 1)


def test_a_statement_without_vectors_is_told_what_to_write(tmp_path, monkeypatch, privref_command) -> None:
    """The line that comes with the refusal is the start of a file: its inputs are the statement's."""
    monkeypatch.setattr(generate, "data_folder", lambda: tmp_path)
    code, out, err = privref_command("vectors", "generate", "gdp/group.mu")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    source = json.loads(err[err.index('{"statement"') :])
    assert source["statement"] == "gdp/group.mu"
    assert [*source["groups"][0]["cases"][0]["inputs"]] == ["mu", "k"]
    assert "did you mean" in privref_command("vectors", "generate", "gdp/group.my")[2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "gdp.group.mu.json"),
        ('{"groups": []}', "quantity"),
        ('{"quantity": "number", "groups": [{"cases": [{"flags": ["odd"], "inputs": {"mu": "1", "k": "1"}}]}]}', "odd"),
        ('{"quantity": "number", "groups": [{"cases": [{"flags": ["ordinary"], "comment": ""}]}]}', "inputs"),
        ('{"quantity": "number", "groups": [{"cases": [{"grid": {"mu": 1}}]}]}', "gdp.group.mu.json"),
        ('{"quantity": "number", "groups": [{"cases": [{"inputs": {"mu": 0.1}}]}]}', "0.1"),
        ('{"quantity": "number", "groups": [{"cases": [{"coment": "", "inputs": {}}]}]}', "coment"),
    ],
)
def test_what_is_written_wrongly_is_named(tmp_path, monkeypatch: pytest.MonkeyPatch, text: str, said: str) -> None:
    monkeypatch.setattr(generate, "data_folder", lambda: tmp_path)
    (tmp_path / "gdp.group.mu.json").write_text(text)
    with pytest.raises(privref.InputError, match=said):
        privref.generate_vectors()


def test_a_tampered_file_is_found(tmp_path) -> None:
    """One digit changed in one file."""
    id = "whitehouse2023/lem1.dp2zcdp.rho"
    privref.generate_vectors(tmp_path, (id,))
    path = tmp_path / generate.file_name(id)
    assert privref.stale_vectors(tmp_path, (id,)) == []
    path.write_text(path.read_text(encoding="utf-8").replace("1/20000", "1/20001"), encoding="utf-8")
    assert privref.stale_vectors(tmp_path, (id,)) == [path.name]


ONE = "whitehouse2023/lem1.dp2zcdp.rho"


@pytest.fixture
def one_file(monkeypatch: pytest.MonkeyPatch) -> str:
    """Generation of a single file: its name."""
    monkeypatch.setattr(generate, "planned", lambda: (ONE,))
    return generate.file_name(ONE)


def test_generation_removes_no_foreign_file(tmp_path, one_file, privref_command) -> None:
    """Only vector files of statements without cases go, and the report calls them removed."""
    foreign = {"my_ledger.json": '{"schema": "ledger.1"}', "list.json": "[1]", "broken.json": "{", "notes.txt": "x"}
    for name, text in foreign.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "old.statement.json").write_text(json.dumps({"schema": "vectors.1", "statement": "old/statement"}))
    code, out, _ = privref_command("vectors", "generate", "--check", "--output", tmp_path)
    assert (code, out.splitlines()) == (1, [f"not up to date: {one_file}", "not up to date: old.statement.json"])
    code, out, _ = privref_command("vectors", "generate", "--output", tmp_path)
    assert (code, out.splitlines()) == (0, [f"written: {one_file}", "removed: old.statement.json"])
    assert {name: (tmp_path / name).read_text() for name in foreign} == foreign
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*foreign, "deep.json", one_file])
    assert privref_command("vectors", "generate", "--output", tmp_path)[:2] == (0, "all vectors are up to date\n")


@pytest.mark.parametrize("check", [(), ("--check",)])
def test_a_folder_that_is_none_is_refused(tmp_path, one_file, privref_command, check) -> None:
    """A file in its place, or a place where none can be made: one line, exit code 2."""
    (tmp_path / "file").write_text("kept")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", "/proc/nope"):
        code, out, err = privref_command("vectors", "generate", *check, "--output", folder, ONE)
        assert (code, out, len(err.splitlines())) == (2, "", 1), err
        assert "--output" in err
    assert (tmp_path / "file").read_text() == "kept"


def test_a_file_that_can_not_be_written_leaves_no_half(tmp_path, one_file, privref_command) -> None:
    """A folder in the file's place: nothing else is left in the folder."""
    (tmp_path / one_file).mkdir()
    code, _, err = privref_command("vectors", "generate", "--output", tmp_path)
    assert (code, len(err.splitlines())) == (2, 1)
    assert [path.name for path in tmp_path.iterdir()] == [one_file]


@pytest.mark.parametrize(("value", "expected"), [("1", {"refused": "input"}), ("-1", {"word": "inf"}), ("-1", None)])
def test_a_refusal_that_comes_or_goes_stops_generation(value: str, expected: dict[str, str] | None) -> None:
    """A good input cannot be called bad, nor a bad one good."""
    case = {"flags": ["bad-input"], "comment": "no", "inputs": {"eps": [value]}, "expected": expected}
    source = {"quantity": "epsilon", "groups": [{"cases": [case]}]}
    with pytest.raises(privref.InputError, match="expected otherwise"):
        generate.document(privref.statement("rogers2016/thm2.9.eps"), source)


def test_engines_that_disagree_stop_generation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong second engine is noticed; nothing is published."""
    true = generate.solve

    def wrong(found, read, *, digits, engine):
        if engine == "mpmath":
            read = {**read, "eps": read["eps"] + Fraction(1, 10**20)}
        return true(found, read, digits=digits, engine=engine)

    monkeypatch.setattr(generate, "solve", wrong)
    inputs = {"eps": "1/10", "k": "10", "delta_hat": "1e-6"}
    with pytest.raises(privref.EnginesDisagree):
        generate.expected(privref.statement("rogers2016/thm2.10.eps_g"), inputs)


def test_values_against_plain_multiprecision() -> None:
    """Advanced composition and the Gaussian profile, written down anew in mpmath at 60 digits."""
    checked = 0
    with mpmath.workdps(80):
        for vector in vectors().values():
            if "lower" not in vector.expected:
                continue
            if vector.statement == "rogers2016/thm2.10.eps_g":
                e, k, d = (mpmath.mpf(f.numerator) / f.denominator for f in map(rational, vector.inputs.values()))
                truth = k * e * mpmath.expm1(e) + e * mpmath.sqrt(2 * k * mpmath.log(1 / d))
            elif vector.statement == "gdp/profile.delta" and rational(vector.inputs["mu"]):
                m, e = (mpmath.mpf(f.numerator) / f.denominator for f in map(rational, vector.inputs.values()))
                if m > 3 or m < mpmath.mpf("1e-4"):
                    continue
                with mpmath.extradps(400):
                    truth = mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)
            else:
                continue
            slack = abs(truth) * mpmath.mpf(10) ** -40
            lower, upper = (mpmath.mpf(vector.expected[end]) for end in ("lower", "upper"))
            assert lower - slack <= truth <= upper + slack, vector.id
            checked += 1
    assert checked > 100


def test_directed_doubles_are_never_unsound() -> None:
    """A client that answers with the directed binary64 target is judged tight (or within) in every case."""
    for vector in vectors().values():
        if "lower" not in vector.expected:
            continue
        end = "upper" if vector.safe == "above" else "lower"
        answer = float.fromhex(vector.expected["binary64"][end])
        if answer not in (float("inf"), float("-inf")):
            assert judge(vector, read_answer(answer)).verdict in ("within", "tight"), vector.id
