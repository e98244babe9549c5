"""The vector files: valid, true to the registry, and broad enough."""

from __future__ import annotations

import hashlib
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
from privref.vectors import cases, generate
from privref.vectors.answers import read_answer
from privref.vectors.judge import judge
from privref.vectors.store import vectors

ROOT = Path(__file__).parents[2]
FILES = sorted(generate.data_folder().glob("*.json"))
SCHEMA = json.loads(files("privref").joinpath("schemas", "vectors.1.json").read_text(encoding="utf-8"))


def test_enough_cases_over_enough_statements() -> None:
    """At least 1,500 cases over 50 statements, and each reason for a case occurs."""
    assert len(vectors()) >= 1500
    assert len({vector.statement for vector in vectors().values()}) >= 50
    assert {flag for vector in vectors().values() for flag in vector.flags} == set(cases.FLAGS)


def test_no_statement_is_left_out() -> None:
    """Every registered statement has vectors, except wrong printed formulas and those without one right answer."""
    assert cases.unplanned() == ()


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


@pytest.fixture(scope="session")
def draw() -> str:
    """Changes with every change of the package's code, and with it the cases that are computed again."""
    state = hashlib.sha256()
    for path in sorted((ROOT / "reference" / "privref").rglob("*.py")):
        state.update(path.read_bytes())
    return state.hexdigest()


@pytest.mark.parametrize("id", sorted(cases.plans()))
def test_regeneration_is_byte_identical(id: str, draw: str) -> None:
    """Each file is what its plan says, and of every eighth case, and one of each statement, both engines say the same.

    ``privref vectors generate --check`` computes all of them, in minutes.
    """
    text = (generate.data_folder() / generate.file_name(id)).read_text(encoding="utf-8")
    known = {case["id"]: case["expected"] for group in json.loads(text)["groups"] for case in group["cases"]}
    drawn = {case: int(hashlib.sha256((draw + case).encode()).hexdigest(), 16) for case in known}
    again = {case for case, number in drawn.items() if number % 8 == 0} | {min(drawn, key=drawn.__getitem__)}

    def answer(found: Statement, inputs: Mapping[str, Any]) -> dict[str, Any]:
        case = generate.case_id(id, inputs)
        return generate.expected(found, inputs) if case in again else known.get(case, {})

    assert generate.render(generate.document(privref.statement(id), cases.plans()[id], answer=answer)) == text


def test_every_file_is_planned() -> None:
    assert [path.name for path in FILES] == sorted(generate.file_name(id) for id in cases.plans())


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
def one_plan(monkeypatch: pytest.MonkeyPatch) -> str:
    """Generation with a single plan: its file's name."""
    only = cases.plans()[ONE]
    monkeypatch.setattr(generate, "plans", lambda: {ONE: only})
    return generate.file_name(ONE)


def test_generation_removes_no_foreign_file(tmp_path, one_plan, privref_command) -> None:
    """Only vector files of statements without a plan go, and the report calls them removed."""
    foreign = {"my_ledger.json": '{"schema": "ledger.1"}', "list.json": "[1]", "broken.json": "{", "notes.txt": "x"}
    for name, text in foreign.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "old.statement.json").write_text(json.dumps({"schema": "vectors.1", "statement": "old/statement"}))
    code, out, _ = privref_command("vectors", "generate", "--check", "--output", tmp_path)
    assert (code, out.splitlines()) == (1, [f"not up to date: {one_plan}", "not up to date: old.statement.json"])
    code, out, _ = privref_command("vectors", "generate", "--output", tmp_path)
    assert (code, out.splitlines()) == (0, [f"written: {one_plan}", "removed: old.statement.json"])
    assert {name: (tmp_path / name).read_text() for name in foreign} == foreign
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*foreign, "deep.json", one_plan])
    assert privref_command("vectors", "generate", "--output", tmp_path)[:2] == (0, "all vectors are up to date\n")


@pytest.mark.parametrize("check", [(), ("--check",)])
def test_a_folder_that_is_none_is_refused(tmp_path, one_plan, privref_command, check) -> None:
    """A file in its place, or a place where none can be made: one line, exit code 2."""
    (tmp_path / "file").write_text("kept")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", "/proc/nope"):
        code, out, err = privref_command("vectors", "generate", *check, "--output", folder, ONE)
        assert (code, out, len(err.splitlines())) == (2, "", 1), err
        assert "--output" in err
    assert (tmp_path / "file").read_text() == "kept"


def test_a_file_that_can_not_be_written_leaves_no_half(tmp_path, one_plan, privref_command) -> None:
    """A folder in the file's place: nothing else is left in the folder."""
    (tmp_path / one_plan).mkdir()
    code, _, err = privref_command("vectors", "generate", "--output", tmp_path)
    assert (code, len(err.splitlines())) == (2, 1)
    assert [path.name for path in tmp_path.iterdir()] == [one_plan]


def test_a_planned_refusal_that_does_not_happen_stops_generation() -> None:
    """A plan cannot declare a good input bad."""
    plan = cases.CasePlan(
        "rogers2016/thm2.9.eps", "epsilon", "above", [lambda: [cases.refused("bad-input", "no", eps=["1"])]]
    )
    with pytest.raises(privref.InputError, match="planned otherwise"):
        generate.document(privref.statement("rogers2016/thm2.9.eps"), plan)


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
