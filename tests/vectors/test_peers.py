"""Running other libraries: with a library made for the test, so that nothing need be installed."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
import types
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

import privref
from privref.cli.main import cli, main
from privref.exact.numbers import rational
from privref.report.bug_reports import _classes, markdown, write_bug_reports
from privref.report.oracle import one_line, peer_row_line
from privref.vectors.answers import read_answer
from privref.vectors.judge import judge
from privref.vectors.peers import coverage, explanations, floats, mechanisms, running, search
from privref.vectors.peers.classes import summaries, unasked
from privref.vectors.peers.explanations import minor, ranked, upstream
from privref.vectors.peers.findings import PeerFinding, order, true_delta
from privref.vectors.peers.libraries import PEERS
from privref.vectors.peers.model import Call, Peer, doubles, run, total_rounds
from privref.vectors.peers.search import simplest
from privref.vectors.store import Vector, vectors

SUM = Call("total", "rogers2016/thm2.9.eps", "import sloppy\nsloppy.total([e for e, n in eps for _ in range(n)])")


def _total(values: list[float]) -> float:
    total = 0.0
    for value in values:
        if value < 0:
            raise ValueError("negative")
        total += value
    return total


@pytest.fixture
def sloppy(monkeypatch: pytest.MonkeyPatch) -> Peer:
    """A library that adds doubles, refuses negative ones, and lets NaN pass."""
    module = types.ModuleType("sloppy")
    module.total = _total  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sloppy", module)
    peer = Peer("sloppy", "sloppy", (SUM,))
    monkeypatch.setattr(Peer, "version", property(lambda self: "1.0" if self.name == "sloppy" else None))
    monkeypatch.setattr(running, "PEERS", (peer,))
    return peer


def test_every_call_names_a_planned_statement_and_five_lines() -> None:
    """The reproduction is the inputs' line and the code: at most five lines."""
    for peer in PEERS:
        for call in peer.calls:
            assert call.statement in privref.planned_statements(), call
            assert len(call.code.strip().splitlines()) <= 4, call


def test_answers_are_judged_at_the_doubles_that_were_passed(sloppy: Peer) -> None:
    """0.1 + 0.2 is 0.30000000000000004 and tight, though above 3/10; ten tenths are below their exact sum."""
    (row,) = running.rows(("sloppy",))
    by_lines = {finding.reproduction[0]: finding.opinion for finding in row.findings}
    assert by_lines["eps = [(0.1, 1), (0.2, 1)]"].verdict == "tight"
    tenth = by_lines["eps = [(0.1, 10)]"]
    assert tenth.verdict == "unsound"
    assert tenth.margin == Fraction(0.9999999999999999) - 10 * Fraction(0.1)


def test_bad_inputs_are_passed_on(sloppy: Peer) -> None:
    """The negative is refused, which is right; NaN is not."""
    (row,) = running.rows(("sloppy",))
    by_lines = {finding.reproduction[0]: finding.opinion.verdict for finding in row.findings}
    assert {verdict for line, verdict in by_lines.items() if "-" in line.replace("e-", "")} == {"within"}
    assert [verdict for line, verdict in by_lines.items() if "nan" in line] == ["unsound"]


def test_reproductions_are_what_ran(sloppy: Peer) -> None:
    """Run again by themselves, they give the same answer."""
    (row,) = running.rows(("sloppy",))
    for finding in row.worst:
        assert run(finding.reproduction).reading == finding.opinion.reading


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> float:
    """An end of the search that a fifth of its draws does not come near."""
    monkeypatch.setattr(search, "_EXAMPLES", search._EXAMPLES // 5)
    return time.monotonic() + 600


def test_the_search_minimises(sloppy: Peer, few_draws: float) -> None:
    """Few rounds, whose sum of doubles falls short by at least half of the most that was found."""
    finding = simplest(SUM, privref.statement(SUM.statement), running.Truths(), few_draws)
    assert finding is not None
    assert finding.opinion.verdict == "unsound"
    assert 2 <= finding.reproduction[0].count("(") <= 40
    assert finding.harm > Fraction(1, 2**54)


def test_the_search_prefers_large_errors(wrong: Peer, few_draws: float) -> None:
    """Not the trivial inputs at which the answer is a little below 0."""
    finding = simplest(WRONG[0], privref.statement(WRONG[0].statement), running.Truths(), few_draws)
    assert finding is not None
    assert finding.kind == "gross"
    assert finding.usable
    assert finding.harm > Fraction(1, 50)


def test_crashes_and_missing_answers_are_not_answers() -> None:
    """An exception is a refusal with its text; None promises nothing; numbers of other types are read exactly."""
    assert run(("1/0",)).error.startswith("ZeroDivisionError")
    assert run(("1/0",), ("ZeroDivisionError",)).reading.word == "HALT"
    assert run(("None",)).reading.word == "inf"
    assert run(("from fractions import Fraction", "Fraction(1, 3)")).reading.number == Fraction(1, 3)
    assert run(("x = 1",)).error.startswith("SyntaxError")


@pytest.mark.parametrize("code", ["True", "[1.0]", "1j", "object()", '"hello"', "10 ** 5000"])
def test_an_answer_that_can_not_be_read_is_told_and_crashes_nothing(code: str) -> None:
    """It is no answer; the run goes on."""
    outcome = run((code,))
    assert (outcome.reading.word, outcome.error.split(":")[0]) == ("refused", "unreadable answer")


def test_a_word_where_a_number_is_called_for_is_no_answer(sloppy: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge would refuse it; the row counts it as missing."""
    wordy = Peer("sloppy", "json", (Call("words", SUM.statement, '"CONT"'),))
    monkeypatch.setattr(running, "PEERS", (wordy,))
    (row,) = running.rows(("sloppy",))
    assert set(row.counts) == {"refused"}
    assert set(row.crashes) == {"unreadable answer"}


@pytest.mark.parametrize("seconds", ["-5", "0", "nan", "inf"])
def test_a_search_takes_a_positive_time(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing runs, in one line."""
    with pytest.raises(SystemExit) as ended:
        main(["peers", "--search", seconds])
    assert ended.value.code == 2
    assert "--search" in capsys.readouterr().err


def test_inputs_become_doubles_exactly() -> None:
    """Every shape; the double is kept as the exact rational that it is."""
    found = privref.statement("rogers2016/thm3.3.filter")
    read = found.read({"eps": ["1/3"], "delta": [], "eps_g": "0.1", "delta_g": "0"})
    assert doubles(found, read) == {
        "eps": ((Fraction(1 / 3), 1),),
        "delta": (),
        "eps_g": Fraction(0.1),
        "delta_g": Fraction(0),
    }


OWN = ["rogers2016/thm2.9.eps", "rogers2016/thm2.10.eps_g", "whitehouse2023/eq2.eps"]


def test_own_floats_are_unsound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our formulas in binary64 fall below the truth in many statements, by a few ulp in ordinary cases."""
    monkeypatch.setattr(floats, "considered", lambda: tuple(map(privref.statement, OWN)))
    rows = list(running.rows((floats.NAME,)))
    assert [row.statement for row in rows] == OWN
    assert all(row.counts["unsound"] for row in rows)
    ordinary = [f.opinion for row in rows for f in row.worst if "ordinary" in f.opinion.vector.flags]
    assert ordinary
    assert all(abs(opinion.ulps or 0) < 16 for opinion in ordinary)


def test_the_command_prints_the_table(sloppy: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1 for an unsound library; its reproduction is shown."""
    monkeypatch.setattr(floats, "considered", tuple)
    result = CliRunner().invoke(cli, ["peers"], standalone_mode=False)
    assert result.return_value == 1
    assert "sloppy 1.0" in result.output
    assert "sloppy.total([e for e, n in eps for _ in range(n)])" in result.output
    assert "privref-float" not in result.output
    result = CliRunner().invoke(cli, ["peers", "--only", "nobody"])
    assert result.exit_code == 2


#: Shared, as each test asks for the same.
TRUTHS = running.Truths()
WRONG = (
    Call("pure", "kov2015/optimal.eps", "import wrong\nwrong.pure(eps, k, delta_g)", part="curve"),
    Call("gaussian", "gdp/profile.eps", "import wrong\nwrong.gaussian(sigma, delta)", sigma=True, sensitivity=2),
    Call("spend", "rogers2016/thm3.3.filter", 'import wrong\nwrong.spend(eps, eps_g) or "CONT"'),
    Call("ceiling", "mv2016/optimal.eps", "import wrong\nwrong.ceiling(eps, delta)"),
)


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> Peer:
    """A library that is 10 % short, below 0 at an easy place, goes on at half a budget too much, and takes NaN."""
    module = types.ModuleType("wrong")
    module.pure = lambda eps, k, delta: -0.5 if delta >= 0.5 else 0.9 * k * eps  # type: ignore[attr-defined]
    module.gaussian = lambda sigma, delta: 1 / sigma  # type: ignore[attr-defined]
    module.spend = lambda eps, eps_g: None  # type: ignore[attr-defined]
    module.ceiling = lambda eps, delta: sum(eps)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wrong", module)
    peer = Peer("wrong", "wrong", WRONG)
    monkeypatch.setattr(Peer, "version", property(lambda self: "2.0" if self.name == "wrong" else None))
    monkeypatch.setattr(running, "PEERS", (peer,))
    # A few cases of each statement are enough here, and take no time.
    quick = [vector for vector in vectors().values() if vector.flags[0] in ("ordinary", "boundary", "halting-step")]
    few: dict[str, Vector] = {}
    for id in {call.statement for call in WRONG}:
        mine = [vector for vector in quick if vector.statement == id and len(str(vector.inputs)) < 120]
        halts = [vector for vector in mine if vector.expected.get("word") == "HALT"]
        few |= {vector.id: vector for vector in (*mine[:2], *mine[-4:], *halts[:4])}
    monkeypatch.setattr(running, "Truths", lambda: TRUTHS)
    monkeypatch.setattr(running, "vectors", lambda: few)
    return peer


def _pure(answer: str, **inputs: str) -> PeerFinding:
    found = privref.statement("kov2015/optimal.eps")
    at = running.Truths().at(found, found.read(inputs))
    assert at is not None
    return PeerFinding(judge(at, read_answer(answer)), "", ("",))


def test_errors_are_ranked_by_what_they_do() -> None:
    """A tenth short at 1e-6 before a negative epsilon whose truth is 0; at 1e-30 after both that matter."""
    short = _pure("8", eps="0.1", k="100", delta_g="1e-6")
    assert short.kind == "sound"
    common = _pure("3", eps="0.1", k="100", delta_g="1e-6")
    negative = _pure("-0.5", eps="0.1", k="1", delta_g="1/2")
    tiny = _pure("5", eps="0.1", k="100", delta_g="1e-30")
    digits = _pure("0.99999999999", eps="0.1", k="10", delta_g="0")
    found = [digits, tiny, negative, common]
    assert [finding.kind for finding in found] == ["last-digits", "gross", "gross", "gross"]
    assert sorted(found, key=order)[0] is common
    assert sorted(found, key=order)[-1] is digits
    assert negative.harm == 0
    assert not tiny.usable


def test_the_delta_at_the_answer() -> None:
    """Of an epsilon that is too small, the delta that it really has: above what was asked for."""
    finding = _pure("3", eps="0.1", k="100", delta_g="1e-6")
    true = true_delta(finding)
    assert true is not None
    exact = privref.evaluate("kov2015/optimal.delta", {"eps": "0.1", "k": "100", "eps_g": "3"}, digits=12)
    assert exact.enclosure is not None
    assert true.lower <= exact.enclosure.upper
    assert exact.enclosure.lower <= true.upper
    assert true.lower > 10 * Fraction("1e-6")


@pytest.mark.parametrize(
    ("number", "kind"), [("1.0000001", "last-digits"), ("1.00001", "gross"), ("1", "sound"), ("0.5", "sound")]
)
def test_an_overspent_budget_is_gross_by_its_size(number: str, kind: str) -> None:
    """What a filter lets run beyond the budget, relative to it."""
    found = privref.statement("rogers2016/thm3.3.filter")
    at = running.Truths().at(found, found.read({"eps": [number], "delta": [], "eps_g": "1", "delta_g": "0"}))
    assert at is not None
    assert PeerFinding(judge(at, read_answer("CONT")), "", ("",)).kind == kind


def test_no_epsilon_at_all_is_weighed_by_its_delta() -> None:
    """An epsilon where none holds: gross where the deltas exceed the target by much, last digits by 1e-16 of it."""
    found = privref.statement("mv2016/optimal.eps")
    kinds = []
    for tiny in ("1e-3", "1e-17"):
        at = running.Truths().at(found, found.read({"eps": ["1", "1"], "delta": ["1/2", tiny], "delta_g": "1/2"}))
        assert at is not None
        kinds.append(PeerFinding(judge(at, read_answer("2")), "", ("",)).kind)
    assert kinds == ["gross", "last-digits"]


def test_findings_of_one_cause_are_told_once(wrong: Peer) -> None:
    """Each cause has one part of the library and one symptom; the gravest finding leads."""
    found = running.causes(running.rows())
    assert len({(cause.component, cause.symptom) for cause in found}) == len(found)
    by_symptom = {(cause.component, cause.symptom): cause for cause in found}
    assert by_symptom["curve", "below the truth"].kind == "gross"
    assert by_symptom["curve", "below zero"].worst.harm == 0
    assert by_symptom["spend", "goes on where it must halt"].kind == "gross"
    assert by_symptom["gaussian", "sigma is negative"].kind == "bad-input"
    assert ("ceiling", "eps is negative") in by_symptom
    grave = [order(cause.worst) for cause in found]
    assert grave == sorted(grave)


def test_sensitivity_two_is_judged_at_twice_the_mu(wrong: Peer) -> None:
    """sigma is given for one record replaced."""
    (row,) = [row for row in running.rows() if row.function == "gaussian"]
    for finding in row.answerable:
        text = finding.reproduction[0].split("= ")[1].split(", ")[1]
        if text == 'float("inf")':
            assert rational(finding.opinion.vector.inputs["mu"]) == 0
            continue
        sigma = float(text)
        assert rational(finding.opinion.vector.inputs["mu"]) == 2 / Fraction(sigma)


def test_bad_input_goes_to_what_the_library_is_given() -> None:
    """Not to a count that only repeats our own line, nor to an input that the code does not mention."""
    call = Call("f", "kov2015/optimal.eps", "import x\nx.f([eps] * k, delta_g)")
    assert call.passed >= {"eps", "delta_g"}
    assert "k" not in call.passed
    found = privref.statement("kov2015/optimal.eps")
    inputs = found.read({"eps": "1/2", "k": "3", "delta_g": "1/8"})
    comments = [vector.comment for vector, _ in running.bad_inputs(call, found, inputs)]
    assert comments == [
        "eps is not a number",
        "eps is negative",
        "eps is infinite",
        "delta_g is not a number",
        "delta_g is negative",
    ]


LIBRARY = """
def pure(eps, k, delta): return -0.5 if delta >= 0.5 else 0.9 * k * eps
def gaussian(sigma, delta): return 1 / sigma
def spend(eps, eps_g): return None
def ceiling(eps, delta): return sum(eps)
"""


def test_bug_reports_stand_alone(wrong: Peer, tmp_path: Path) -> None:
    """Each script fails without privref, with the library alone; mended, it passes."""
    folder = tmp_path / "reports"
    result = CliRunner().invoke(cli, ["peers", "--report", str(folder)], standalone_mode=False)
    assert result.return_value == 1
    (tmp_path / "wrong.py").write_text(LIBRARY, encoding="utf-8")
    scripts = sorted(folder.glob("*.py"))
    assert len(scripts) >= 8
    assert len(list(folder.glob("*.md"))) == len(scripts) + 1
    run_all = "import runpy, sys, pathlib\nfor path in sorted(pathlib.Path(sys.argv[1]).glob('*.py')):\n"
    run_all += "    try: runpy.run_path(str(path)); print(path.name, 0)\n"
    run_all += "    except SystemExit as end: print(path.name, 1 if end.code else 0)\n"
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{run_all}", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    codes = [line.split() for line in done.stdout.splitlines() if line.split()[0].endswith(".py")]
    assert [name for name, code in codes if code != "1"] == []
    assert len(codes) == len(scripts)
    assert "privref" not in "".join(path.read_text(encoding="utf-8") for path in scripts)
    # An answer can change with NumPy or SciPy while the library's version stays.
    versions = re.compile(r"Python 3\.\d+\.\d+\S*, NumPy (\d|not installed).*, SciPy (\d|not installed)")
    for path in (*folder.glob("[0-9]*.md"), *scripts):
        assert versions.search(path.read_text(encoding="utf-8"))
    for path in folder.glob("*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        assert set(document["environment"]) == {"Python", "NumPy", "SciPy"}
        assert privref.statement(document["statement"]["id"])
        lower = [engine["lower"] for engine in document.get("engines", []) if "lower" in engine]
        assert len(set(lower)) <= 1


def test_a_finding_that_others_reported_first_names_their_thread(wrong: Peer) -> None:
    """The factor 2 of dp-accounting under REPLACE_ONE is an open issue there, with a pull request."""
    rows = tuple(running.rows())
    one = next(cause for cause in running.causes(rows) if cause.component == "curve")
    assert upstream(one) == ()
    known = replace(one, peer="dp-accounting", component="RdpAccountant, REPLACE_ONE", symptom="below the truth")
    threads = upstream(known)
    assert [thread.split(" (")[0] for thread in threads] == [
        "google/differential-privacy#378", "google/differential-privacy PR #464",
    ]  # fmt: skip
    page = markdown(known, "stem")
    assert all(f"- reported before: {thread}" in page for thread in threads)
    assert "reported before: no thread is known to us" in markdown(one, "stem")


def test_a_report_says_how_the_library_is_called_and_what_could_be_done(wrong: Peer, tmp_path: Path) -> None:
    """Documented, deprecated or unusual; a remedy where one is known; and that we may be wrong."""
    one = next(cause for cause in running.causes(tuple(running.rows())) if cause.component == "curve")
    page = markdown(one, "stem")
    # Nobody has looked at this one: nothing is said of its call.
    assert "- call: unexamined: we have not looked" in page
    assert "documented: a public function" not in page
    assert "what a maintainer could do" not in page
    known = replace(one, peer="dp-accounting", component="PLD", symptom="below the truth")
    assert "- call: documented: a public function" in markdown(known, "stem")
    assert "We may be wrong: tell us" in page
    afa = replace(one, peer="autodp", component="ana_gaussian", symptom="above the truth")
    page = markdown(afa, "stem")
    assert "- call: deprecated, because a maintainer calls" in page
    assert "- what a maintainer could do: End the search on the safe side" in page
    half = replace(
        one,
        peer="diffprivlib",
        component="BudgetAccountant, NumPy's half precision",
        symptom="goes on where it must halt",
    )
    assert "- minor: the call is unusual" in markdown(half, "stem")


def test_what_hurts_nobody_is_called_minor_and_ranked_last(wrong: Peer, tmp_path: Path) -> None:
    """NaN taken, deltas out of use, an epsilon below 0 at a truth of 0: behind every other finding."""
    found = ranked(cause for cause in running.causes(tuple(running.rows())) if cause.kind in ("gross", "bad-input"))
    few = [minor(cause) != "" for cause in found]
    assert few == sorted(few)
    assert True in few
    assert False in few
    for cause in found:
        assert bool(minor(cause)) >= cause.worst.bad
        if not minor(cause):
            assert cause.worst.usable
            assert cause.worst.harm
    # The same finding at a delta of 1e-30 only is minor.
    worst = next(cause for cause in found if not minor(cause) and "delta_g" in cause.worst.opinion.vector.inputs)
    vector = worst.worst.opinion.vector
    tiny = replace(vector, inputs={**vector.inputs, "delta_g": "1e-30"})
    finding = replace(worst.worst, opinion=replace(worst.worst.opinion, vector=tiny))
    assert minor(replace(worst, findings=(("f", finding),))).startswith("only at deltas that we take to be out of use")
    privref.report.write_bug_reports(tmp_path, tuple(running.rows()))
    index = (tmp_path / "README.md").read_text(encoding="utf-8")
    before, after = index.split("## Minor ones")
    assert all("should be refused" not in row for row in before.splitlines() if row.startswith("| ["))
    assert "should be refused" in after.split("## By class")[0]
    assert "We may be wrong: tell us" in index


def test_every_explanation_says_what_it_must() -> None:
    """A remedy for each known cause; a reason for each call that is not documented; threads as addresses."""
    for key, known in explanations._KNOWN.items():
        assert known.title, key
        assert known.remedy, key
        assert (known.usage == "documented") == (not known.because), key
        assert all("(https://github.com/" in thread for thread in known.upstream), key


def test_each_class_of_cases_is_told(wrong: Peer, tmp_path: Path) -> None:
    """By its gravest finding, or by the word that no library fails there."""
    rows = tuple(running.rows())
    told = {summary.name: summary for summary in summaries(rows)}
    assert told["a budget that is spent exactly"].gross
    assert told["NaN in any parameter"].gross
    assert told["one record replaced"].cases == 0
    assert "kov2015/optimal.eps" not in unasked(rows)
    assert "smith2022/filter.decision" in unasked(rows)
    privref.report.write_bug_reports(tmp_path, rows)
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert all(f"| {name} |" in page for name in told)
    assert "no library was asked" in page


def _inputs(*rounds: dict[str, object]) -> dict[str, object]:
    return dict(privref.statement("zdw2022/thm10.eps").read({"rounds": list(rounds), "delta": "1/1024"}))


def test_mechanisms_are_passed_with_their_parameters() -> None:
    """A Laplace scale, a rate, the noise of a response; only one mechanism, and only parameters that are doubles."""
    calls = {call.function: call for call in mechanisms.DP_ACCOUNTING}
    laplace = calls["PLDAccountant, LaplaceDpEvent, epsilon"]
    geometric = calls["PLDAccountant, dp_event.DiscreteLaplaceDpEvent, epsilon"]
    response = calls["PLDAccountant, RandomizedResponseDpEvent, epsilon"]
    one = {"kind": "laplace", "scale": "8", "sensitivity": "1", "count": 3}
    assert laplace.lines(_inputs(one))[0] == "scale, count, delta = 8.0, 3, 0.0009765625"
    assert laplace.applies(_inputs(one))
    assert not laplace.applies(_inputs(one, {**one, "scale": "4"}))
    assert not laplace.applies(_inputs({**one, "scale": "1/10"}))
    assert not geometric.applies(_inputs(one))
    two = {"kind": "geometric", "scale": "4", "shifts": ["1"]}
    assert geometric.lines(_inputs(two))[0] == "rate, count, delta = 0.25, 1, 0.0009765625"
    # The true answer with 5/8: uniform over four with 1/2.
    three = {"kind": "randomized-response", "probability": "5/8", "outcomes": "4"}
    assert response.lines(_inputs(three))[0] == "noise, buckets, count, delta = 0.5, 4, 1, 0.0009765625"
    comments = [
        vector.comment for vector, _ in running.bad_inputs(laplace, privref.statement(laplace.statement), _inputs(one))
    ]
    assert comments == [
        "scale is not a number",
        "scale is negative",
        "count is negative",
        "delta is not a number",
        "delta is negative",
    ]


def test_one_line_runs_in_a_shell(wrong: Peer, tmp_path: Path) -> None:
    """What is printed as "again" prints the answer."""
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("needs bash")
    (tmp_path / "wrong.py").write_text(LIBRARY, encoding="utf-8")
    cause = next(cause for cause in running.causes(running.rows()) if cause.component == "curve")
    command = one_line(cause.worst).replace("python", sys.executable, 1)
    done = subprocess.run([shell, "-c", command], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert read_answer(float(done.stdout)).number == cause.worst.opinion.reading.number


BUSY = "import time\nend = time.process_time() + 1.2\nwhile time.process_time() < end: pass\n"


def test_a_slow_import_is_no_hang(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a call imports is imported before it is timed, a part of a library too; what cannot be, the call says."""
    folder = tmp_path / "lazy_library"
    folder.mkdir()
    (folder / "__init__.py").write_text(BUSY, encoding="utf-8")
    (folder / "prelude.py").write_text(f"{BUSY}def f(): return 0.5\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("privref.vectors.peers.model.TIMEOUT", 1)
    peer = Peer("lazy", "lazy_library", ())
    peer.load()
    assert run(("x = 1", "import lazy_library.prelude as dp; y = x", "dp.f() * y")).error == ""
    Peer("nobody", "no_such_module", ()).load()
    assert run(("import no_such_module", "0")).error.startswith("ModuleNotFoundError")


@pytest.mark.skipif(not hasattr(signal, "SIGPROF"), reason="the platform has no timer of processor time")
def test_a_call_is_limited_in_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that computes is stopped, also where it swallows an exception; one that waits is not, until much later."""
    monkeypatch.setattr("privref.vectors.peers.model.TIMEOUT", 0.5)
    assert "0.5 s of processor time" in run(("while True: pass", "1")).error
    stubborn = "try:\n    while True: pass\nexcept Exception:\n    pass"
    assert "of processor time" in run((stubborn, "while True: pass", "1")).error
    assert run(("import time", "time.sleep(1) or 0.5")).error == ""
    monkeypatch.setattr("privref.vectors.peers.model.PATIENCE", 2)
    assert run(("import time", "time.sleep(600)")).error == "HangError: no answer within 2 s"
    assert signal.getitimer(signal.ITIMER_PROF) == signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGPROF) == signal.SIG_DFL


def test_a_library_that_answers_nothing_is_a_failure(sloppy: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call fails: nothing is found, and nothing is in order; rows, classes and exit code say so."""
    call = Call("total", SUM.statement, "import no_such_module\nno_such_module.total(eps)")
    monkeypatch.setattr(running, "PEERS", (Peer("sloppy", "sloppy", (call,)),))
    for options in ((), ("--only", "sloppy"), ("--search", "1")):
        monkeypatch.setattr(search, "PEERS", running.PEERS)
        result = CliRunner().invoke(cli, ["peers", *options], standalone_mode=False)
        assert result.return_value == 1, options
        assert "no unsound answer" not in result.output
        assert "nothing" in result.output.lower()
    rows = tuple(running.rows())
    assert rows[0].answerable
    assert rows[0].answered == 0
    told = {summary.name: summary for summary in summaries(rows)}
    budget = told["a budget that is spent exactly"]
    assert (budget.cases > 0, budget.answered, budget.gross) == (True, 0, 0)
    page = "\n".join(_classes(rows))
    assert "nothing was answered" in page
    assert "no library fails here" not in page


def test_the_numbers_of_a_row_s_line_add_up(sloppy: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """NaN for a bad input is no answer that a case lacks."""
    call = Call("total", SUM.statement, "sum((e for e, n in eps for _ in range(n)), 0.0) if eps else None")
    monkeypatch.setattr(running, "PEERS", (Peer("sloppy", "sloppy", (call,)),))
    (row,) = running.rows()
    counts = re.search(r"(\d+) cases: (.*?)(?:;|$)", peer_row_line(row))
    assert counts is not None
    assert sum(int(part.split()[0]) for part in counts[2].split(", ")) == int(counts[1]) == len(row.answerable)
    assert any(finding.bad and finding.kind == "no-answer" for finding in row.findings)


def test_infinity_everywhere_is_no_answer(sloppy: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    call = Call("total", SUM.statement, 'float("inf")')
    monkeypatch.setattr(running, "PEERS", (Peer("sloppy", "sloppy", (call,)),))
    (row,) = running.rows()
    assert row.answered == 0
    assert CliRunner().invoke(cli, ["peers"], standalone_mode=False).return_value == 1


def test_a_library_that_is_not_installed_is_not_passed_over(sloppy: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "PEERS", (sloppy, Peer("absent", "absent", ())))
    for options in ((), ("--search", "1")):
        result = CliRunner().invoke(cli, ["peers", "--only", "sloppy", "--only", "absent", *options])
        assert isinstance(result.exception, privref.InputError)
        assert "not installed" in str(result.exception)
        assert result.output == ""


def test_a_slow_function_is_asked_for_a_part_of_its_cases(sloppy: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of few rounds are asked, how many are not is said, and every case is asked where that is wanted."""
    (whole,) = running.rows()
    assert whole.unasked == 0
    clock = iter(range(10**6))
    monkeypatch.setattr(running.time, "process_time", lambda: next(clock))
    monkeypatch.setattr(running, "FUNCTION_SECONDS", 19)
    (part,) = running.rows()
    assert part.unasked > 0
    assert len(part.answerable) == 20
    assert len(part.answerable) + part.unasked == len(whole.answerable)
    rest = iter(whole.answerable)
    assert all(finding in rest for finding in part.answerable)  # in the order of the cases
    read = privref.statement(SUM.statement).read
    left = [finding for finding in whole.answerable if finding not in part.answerable]
    rounds = [total_rounds(read(finding.opinion.vector.inputs)) for finding in (*part.answerable, *left)]
    assert max(rounds[:20]) <= min(rounds[20:])
    assert [finding for finding in part.findings if finding.bad] == [f for f in whole.findings if f.bad]
    assert f"{part.unasked} more not asked" in peer_row_line(part)
    (every,) = running.rows(every_case=True)
    assert every == whole


def test_several_processes_give_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package in the place of opendp, which the processes find as this one does, and whose prelude has little."""
    prelude = "class Odd:\n    def __getattr__(self, name): return self\n    def __call__(self, *a, **k): return self\n"
    (tmp_path / "opendp").mkdir()
    (tmp_path / "opendp" / "__init__.py").write_text("", encoding="utf-8")
    names = "".join(f"{name} = Odd()\n" for name in ("c", "m", "atom_domain", "discrete_distance", "enable_features"))
    (tmp_path / "opendp" / "prelude.py").write_text(f"{prelude}{names}", encoding="utf-8")
    (tmp_path / "opendp-0.0.1.dist-info").mkdir()
    (tmp_path / "opendp-0.0.1.dist-info" / "METADATA").write_text("Name: opendp\nVersion: 0.0.1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "opendp", raising=False)
    monkeypatch.delitem(sys.modules, "opendp.prelude", raising=False)
    # Bad inputs only: how many other cases there is time for may differ.
    monkeypatch.setattr(running, "FUNCTION_SECONDS", -1e-9)
    together = list(running.rows(("opendp",), workers=2))
    assert len(together) >= running._LEAST_JOBS
    assert {row.version for row in together} == {"0.0.1"}
    assert together == list(running.rows(("opendp",)))
    assert all(row.findings and row.unasked for row in together)


@pytest.mark.parametrize("form", ["text", "json"])
def test_each_row_is_printed_as_it_comes(sloppy: Peer, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """The second function is asked after the line on the first was written; in JSON, to stderr."""
    seen: list[str] = []
    monkeypatch.setattr("click.echo", lambda text, err=False, **_: seen.append(f"{err}: {text}"))
    calls = (SUM, replace(SUM, function="later", applies=lambda inputs: bool(seen)))
    monkeypatch.setattr(running, "PEERS", (Peer("sloppy", "sloppy", calls),))
    CliRunner().invoke(cli, ["peers", "--format", form], standalone_mode=False)
    assert [line.split(" (")[0] for line in seen[:2]] == [
        f"{form == 'json'}: sloppy 1.0, {name}" for name in ("total", "later")
    ]
    assert ": 0 cases" not in seen[1]


def test_a_report_goes_to_a_folder(wrong: Peer, tmp_path: Path) -> None:
    """A file in its place: one line, exit code 2, nothing written."""
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    result = CliRunner().invoke(cli, ["peers", "--report", str(tmp_path / "file")])
    assert isinstance(result.exception, privref.InputError)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "kept"
    result = CliRunner().invoke(cli, ["peers", "--report", str(tmp_path / "new"), "--search", "1"])
    assert result.exit_code == 2
    assert not (tmp_path / "new").exists()


def _first_that_applies(call: Call) -> dict[str, object]:
    """Inputs of the first vector that the function answers, with something in every list where there is such a one."""
    found = privref.statement(call.statement)
    best: dict[str, object] = {}
    for vector in vectors().values():
        if vector.statement != call.statement or "refused" in vector.expected:
            continue
        try:
            inputs = call.prepare(found, found.read(vector.inputs))
        except (OverflowError, ZeroDivisionError):
            continue
        if running.applies(call, inputs):
            best = best or inputs
            if all(value for value in inputs.values() if isinstance(value, tuple)):
                return inputs
    return best


@pytest.mark.parametrize(
    "call", [call for peer in PEERS for call in peer.calls], ids=lambda call: f"{call.function}, {call.statement}"
)
def test_every_number_that_a_library_is_given_is_given_wrongly_too(call: Call) -> None:
    """Each parameter of each function, once at least: NaN, or negative where it is a count."""
    found = privref.statement(call.statement)
    inputs = _first_that_applies(call)
    assert inputs
    given = {param.name for param in found.params if param.shape not in ("flag", "choice")}
    if call.given is not None:
        given = set(call.given(inputs))
    else:
        # Two lists of one length are one list of pairs: where its delta is empty there is nothing to spoil.
        given = {name for name in given if inputs[name] != () or name == "mu"}
    spoiled = {
        comment.comment.partition(" ")[0].replace("sigma", "mu" if call.sigma else "sigma")
        for comment, _ in running.bad_inputs(call, found, inputs)
    }
    assert spoiled >= given & call.passed


def test_each_class_is_asked_or_says_why_not() -> None:
    """What the table names as asking a class is a function of that library."""
    assert coverage.TABLE.keys() == {peer.name for peer in PEERS}
    for peer in PEERS:
        functions = [call.function for call in peer.calls]
        for name, entry in coverage.TABLE[peer.name].items():
            asking = entry if isinstance(entry, tuple) else ()
            assert isinstance(entry, str) or asking, name
            for part in asking:
                assert any(part in function for function in functions), (name, part)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_no_class_of_an_installed_library_is_left_out(peer: Peer) -> None:
    """Every class that takes privacy parameters or noise stands in the table."""
    if peer.version is None:
        pytest.skip(f"{peer.name} is not installed")
    peer.setup()
    assert coverage.unknown(peer.name) == ()


def test_a_documented_approximation_is_no_bug(wrong: Peer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is counted and told apart, gets no bug report, and what it takes for a number is still bad input."""
    call = Call("limit", "kov2015/optimal.eps", "import wrong\nwrong.pure(eps, k, delta_g)", documented="may be low")
    monkeypatch.setattr(running, "PEERS", (Peer("wrong", "wrong", (call,)),))
    (row,) = running.rows(("wrong",))
    assert row.kinds["approximation"] > 5
    assert not row.kinds["gross"]
    assert row.kinds["bad-input"]
    names = write_bug_reports(tmp_path, [row])
    assert not [name for name in names if "below" in name]
    assert "may be low" in (tmp_path / "README.md").read_text(encoding="utf-8")
