"""Libraries behind JSON lines: honest harnesses, broken ones, limits, and harnesses in other languages."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from privref import HarnessLimits, run_harnesses
from privref.cli.main import cli
from privref.exact.errors import InputError
from privref.vectors.peers.running import PeerRow, has_a_meaning
from privref.vectors.store import Vector

ROOT = Path(__file__).parents[2]
HARNESSES = ROOT / "reference" / "vectors" / "harnesses"
SCHEMA = json.loads((ROOT / "reference/privref/schemas/harness.1.json").read_text(encoding="utf-8"))
RHO, SUM, MU = "whitehouse2023/lem1.dp2zcdp.rho", "rogers2016/thm2.9.eps", "gdp/profile.delta"
SHORT = HarnessLimits(seconds=2, memory=2**29)

HEAD = f"""
import json, struct, sys
from fractions import Fraction
START = {{"version": 1, "implementation": {{"name": "mine", "version": "7", "language": "Python"}},
          "functions": [{{"function": "f", "statement": {RHO!r}}}]}}
def answer(message):
    bits = message["case"]["inputs_binary64"]
    if bits is None:
        return {{"skipped": "no doubles"}}
    eps = struct.unpack(">d", bytes.fromhex(bits["eps"]))[0]
    return respond(eps)
def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        reply = START if message["cmd"] == "start" else {{"seq": message["seq"], **answer(message)}}
        print(json.dumps(reply), flush=True)
"""
RIGHT = 'str(Fraction(eps) ** 2 / 2) if eps - eps == 0 and eps >= 0 else "inf"'


def mine(folder: Path, body: str) -> str:
    """The command of a harness whose ``respond`` has this body."""
    path = folder / "mine.py"
    path.write_text(f"{HEAD}def respond(eps):\n{body}\nmain()\n", encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


def row(command: str, limits: HarnessLimits = SHORT, statement: str = RHO) -> PeerRow:
    (found,) = run_harnesses((command,), statements=(statement,), limits=limits)
    return found


def test_an_exact_harness_is_sound_and_sees_no_answer(tmp_path: Path) -> None:
    """Right everywhere; what it is sent is a message of the schema, without the expected answer."""
    seen = tmp_path / "seen.jsonl"
    body = f'    return {{"answer": {RIGHT}, "script": ["print(1)"]}}'
    command = mine(tmp_path, body)
    source = (tmp_path / "mine.py").read_text(encoding="utf-8")
    reading = "        message = json.loads(line)\n"
    source = source.replace(reading, f"        open({str(seen)!r}, 'a').write(line)\n{reading}")
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    found = row(command)
    assert (found.peer, found.version, found.language, found.unasked) == ("mine", "7", "Python", 0)
    assert found.counts["within"] == len(found.answerable) > 10
    assert not found.worst
    lines = [json.loads(line) for line in seen.read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 12
    for line in lines:
        Draft202012Validator(SCHEMA).validate(line)
        assert "expected" not in line.get("case", {})


def test_an_unsound_answer_is_found_with_the_script_that_gave_it(tmp_path: Path) -> None:
    found = row(
        mine(tmp_path, '    return {"answer": repr(eps ** 2 / 3 if eps < 1e9 else eps), "script": ["print(eps)"]}')
    )
    assert found.kinds["gross"] > 5
    assert found.worst[0].reproduction == ("print(eps)",)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("    while True: pass", "no answer within 2 s"),
        ('    return {"answer": len(bytearray(2**31))}', ""),
        ("    sys.exit(3)", "the harness ended"),
        ('    print("hello"); return {"answer": "1"}', "wrote no JSON"),
        ('    return {"seq": 999, "answer": "1"}', "the reply is to another message"),
        ('    return {"answer": "1", "refused": "both"}', "none of the protocol"),
        ('    return {"answer": "1", "given": {"eps": "12345"}}', "not next to what was sent"),
        ('    return {"answer": "1", "given": {"eps": "x"}}', "cannot be read"),
    ],
)
def test_a_broken_harness_is_no_answer_and_is_soon_left_alone(tmp_path: Path, body: str, words: str) -> None:
    """Three failures, each in bounded time; nothing is sound, nothing unsound, and the rest counts as not asked."""
    found = row(mine(tmp_path, body))
    failed = [finding for finding in found.findings if finding.error]
    assert len(failed) == 3
    assert all(words in finding.error for finding in failed)
    assert found.answered == 0
    assert found.unasked > 8


def test_after_one_failure_the_next_case_is_asked_anew(tmp_path: Path) -> None:
    body = f"    if eps == 1: sys.exit(1)\n    return {{'answer': {RIGHT}}}"
    found = row(mine(tmp_path, body))
    assert found.counts["refused"] == 1
    assert found.counts["within"] > 10


def test_what_is_given_beside_is_judged_there(tmp_path: Path) -> None:
    """A library that divides once more is judged at what it got: there it is exact, and elsewhere it is not."""
    body = (
        "    if not 0 < eps < 1e100 or eps < 1e-100: return {'skipped': 'no'}\n"
        "    got = eps * (1 + 2**-50)\n"
        "    return {'answer': str(Fraction(got) ** 2 / 2), 'given': {'eps': str(Fraction(got))}}"
    )
    beside = row(mine(tmp_path, body))
    assert beside.counts["within"] == len(beside.answerable) > 5
    sent = row(mine(tmp_path, body.replace(", 'given': {'eps': str(Fraction(got))}", "")))
    assert sent.counts["within"] < len(sent.answerable)


def test_a_decimal_is_the_double_that_a_program_means(tmp_path: Path) -> None:
    """0.1 is printed for a double above 1/10: a library that rounds its result upward is not below the truth."""
    body = (
        "    import math\n"
        "    if not 1e-100 < eps < 1e100: return {'skipped': 'no'}\n"
        "    truth = Fraction(eps) ** 2 / 2\n"
        "    up = next(x for x in (float(truth), math.nextafter(float(truth), math.inf)) if x >= truth)\n"
        "    return {'answer': repr(up)}"
    )
    found = row(mine(tmp_path, body))
    assert len(found.answerable) > 5
    assert not found.worst
    exact = row(mine(tmp_path, body.replace("repr(up)", "str(Fraction(repr(up)))")))
    assert exact.worst, "a fraction is what it says"


@pytest.mark.parametrize("command", ["", "/nonexistent/harness", "true", "echo {}", "'"])
def test_a_command_that_is_no_harness_is_refused_in_one_line(command: str) -> None:
    result = CliRunner().invoke(cli, ["peers", "--harness", command])
    assert isinstance(result.exception, InputError)
    assert "--harness" in str(result.exception)
    assert "\n" not in str(result.exception)


def test_the_command_line_fails_on_an_unsound_answer_and_on_none(tmp_path: Path) -> None:
    for body, code in (
        (f'    return {{"answer": {RIGHT}}}', 0),
        ('    return {"answer": "0"}', 1),
        ('    return {"refused": "I answer nothing"}', 1),
        ('    return {"answer": "inf"}', 1),
    ):
        command = ["peers", "--harness", mine(tmp_path, body)]
        result = CliRunner().invoke(cli, command, standalone_mode=False, catch_exceptions=False)
        assert result.return_value == code, body
    nothing = CliRunner().invoke(cli, ["peers", "--harness", mine(tmp_path, body), "--statement", SUM])
    assert nothing.exit_code == 2


@pytest.mark.parametrize("path", sorted(HARNESSES.glob("*.*")), ids=lambda path: path.name)
def test_a_harness_is_short_and_knows_nothing_of_privref(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    assert "import privref" not in text
    assert "from privref" not in text


def commands() -> dict[str, str]:
    """The float reference in each language that can be run here."""
    found = {"Python": shlex.join([sys.executable, str(HARNESSES / "float_reference.py")])}
    node = shutil.which("node")
    if node is not None:
        found["JavaScript"] = shlex.join([node, str(HARNESSES / "float_reference.mjs")])
    return found


@pytest.mark.parametrize("language", ["Go", "Python", "JavaScript", "Rust"])
def test_the_float_reference_errs_in_last_digits(language: str, tmp_path: Path) -> None:
    """Plain sums of doubles in each language: unsound answers of a few ulp, and nothing gross."""
    known = commands()
    program = tmp_path / "reference"
    compilers = {"Go": ("go", "build", "-o", program), "Rust": ("rustc", "-o", program)}
    if language in compilers and shutil.which(str(compilers[language][0])) is not None:
        source = HARNESSES / f"float_reference.{'go' if language == 'Go' else 'rs'}"
        subprocess.run([*compilers[language], source], check=True, capture_output=True)
        known[language] = str(program)
    if language not in known:
        pytest.skip(f"the toolchain of {language} is not installed")
    found = row(known[language], HarnessLimits(), SUM)
    assert found.language == language
    assert found.kinds["last-digits"] > 5
    assert found.kinds["gross"] == 0
    assert len(found.answerable) - found.answered <= 2


def test_a_noise_is_judged_as_the_library_got_it() -> None:
    """The Python helper says the mu of a double sigma exactly, counts and all."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import noise, serving\n"
        "given = noise.one_sigma()\n"
        "names = given['given']({'mu': [(0.1, 3), 0.3, 0.3], 'delta': 0.5})\n"
        "print(names, given['really'](names))\n"
        "print(serving.literal([float('nan'), 1.0]), serving.pairs([0.5, 0.5, (2.0, 3)]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(HARNESSES)], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert "'sigma': [(10.0, 3), (3.3333333333333335, 2)]" in first
    assert "{'mu': ['1/10', '1/10', '1/10', " in first
    assert first.endswith(", '2251799813685248/7505999378950827', '2251799813685248/7505999378950827']}")
    assert second == '[float("nan"), 1.0] [(0.5, 2), (2.0, 3)]'


def test_what_a_number_may_answer_truly_is_not_asked() -> None:
    """A delta at a negative or infinite epsilon, and zero keys, have a meaning; a negative cost and no noise do not."""
    for id, quantity, inputs, meaning in (
        ("zdw2022/poisson_gaussian.eps", "epsilon", {"q": "1", "sigma": "0", "k": "1", "delta": "0"}, False),
        ("zdw2022/poisson_gaussian.eps", "epsilon", {"q": "inf", "sigma": "1", "k": "1", "delta": "0"}, False),
        ("zdw2022/poisson_gaussian.eps", "epsilon", {"q": "1", "sigma": "1", "k": "1", "delta": "inf"}, True),
        ("rogers2023/threshold.delta", "delta", {"scale": "1", "threshold": "2", "keys": "0"}, True),
        (MU, "delta", {"mu": "1", "eps": "inf"}, True),
        (MU, "delta", {"mu": "nan", "eps": "1"}, False),
    ):
        vector = Vector("a", id, quantity, "above", (), "", inputs, {"refused": "input"})  # type: ignore[arg-type]
        assert has_a_meaning(vector) == meaning, inputs
    assert has_a_meaning(Vector("a", MU, "delta", "above", (), "", {"mu": "1", "eps": "-1"}, {"refused": "input"}))
    assert not has_a_meaning(Vector("a", MU, "delta", "above", (), "", {"mu": "-1", "eps": "1"}, {"refused": "input"}))
    kov = {"eps": "-1", "k": "2", "eps_g": "1"}
    assert not has_a_meaning(Vector("a", "kov2015/optimal.delta", "delta", "above", (), "", kov, {"refused": "input"}))
    known = commands()["Python"]
    found = row(known, HarnessLimits(), MU)
    asked = [finding.opinion.vector.inputs["eps"] for finding in found.findings if finding.bad]
    assert asked
    assert not any(str(eps).startswith("-") for eps in asked)
