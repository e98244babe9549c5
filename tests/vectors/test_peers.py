"""Running other libraries: with a library made for the test, so that nothing need be installed."""

from __future__ import annotations

import sys
import types
from fractions import Fraction

import pytest
from click.testing import CliRunner

import privref
from privref.cli.main import cli, main
from privref.vectors.peers import bench, floats
from privref.vectors.peers.libraries import PEERS
from privref.vectors.peers.model import Call, Peer, doubles, run
from privref.vectors.peers.search import simplest

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
    monkeypatch.setattr(bench, "PEERS", (peer,))
    return peer


def test_every_call_names_a_planned_statement_and_five_lines() -> None:
    """The reproduction is the inputs' line and the code: at most five lines."""
    for peer in PEERS:
        for call in peer.calls:
            assert call.statement in privref.planned_statements(), call
            assert len(call.code.strip().splitlines()) <= 4, call


def test_answers_are_judged_at_the_doubles_that_were_passed(sloppy: Peer) -> None:
    """0.1 + 0.2 is 0.30000000000000004 and tight, though above 3/10; ten tenths are below their exact sum."""
    (row,) = bench.rows(("sloppy",))
    by_lines = {finding.reproduction[0]: finding.opinion for finding in row.findings}
    assert by_lines["eps = [(0.1, 1), (0.2, 1)]"].verdict == "tight"
    tenth = by_lines["eps = [(0.1, 10)]"]
    assert tenth.verdict == "unsound"
    assert tenth.margin == Fraction(0.9999999999999999) - 10 * Fraction(0.1)


def test_bad_inputs_are_passed_on(sloppy: Peer) -> None:
    """The negative is refused, which is right; NaN is not."""
    (row,) = bench.rows(("sloppy",))
    by_lines = {finding.reproduction[0]: finding.opinion.verdict for finding in row.findings}
    assert {verdict for line, verdict in by_lines.items() if "-" in line.replace("e-", "")} == {"within"}
    assert [verdict for line, verdict in by_lines.items() if "nan" in line] == ["unsound"]


def test_reproductions_are_what_ran(sloppy: Peer) -> None:
    """Run again by themselves, they give the same answer."""
    (row,) = bench.rows(("sloppy",))
    for finding in row.worst:
        assert run(finding.reproduction).reading == finding.opinion.reading


def test_the_search_minimises(sloppy: Peer) -> None:
    """Two rounds are the fewest whose sum of doubles falls short."""
    import time

    finding = simplest(SUM, privref.statement(SUM.statement), bench.Truths(), time.monotonic() + 20)
    assert finding is not None
    assert finding.opinion.verdict == "unsound"
    assert finding.reproduction[0].count("(") == 2


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
    monkeypatch.setattr(bench, "PEERS", (wordy,))
    (row,) = bench.rows(("sloppy",))
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
    rows = list(bench.rows((floats.NAME,)))
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
    result = CliRunner().invoke(cli, ["peers", "--only", "nobody"])
    assert result.exit_code == 2
