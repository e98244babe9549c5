"""The search beyond the vectors: what it draws, what it finds by itself, and how its findings are ranked."""

from __future__ import annotations

import itertools
import json
import shlex
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from privref import search_harnesses
from privref.cli.main import cli
from privref.statements.registry import statement
from privref.vectors.peers.explanations import ranked
from privref.vectors.peers.extremes import draws
from privref.vectors.peers.findings import EXTREME
from privref.vectors.peers.running import PeerRow, causes

RHO, KOV = "whitehouse2023/lem1.dp2zcdp.rho", "kov2015/optimal.delta"

#: Right but for one region, which the test names.
LIBRARY = """
import json, struct, sys
from fractions import Fraction
START = {{"version": 1, "implementation": {{"name": "mine", "version": "1", "language": "Python"}},
          "functions": [{{"function": name, "statement": {id!r}}} for name in {functions!r}]}}
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "stop":
        break
    if message["cmd"] == "start":
        print(json.dumps(START), flush=True)
        continue
    eps = struct.unpack(">d", bytes.fromhex(message["case"]["inputs_binary64"]["eps"]))[0]
    good = eps == eps and 0 <= eps < float("inf")
    right = str(Fraction(eps) ** 2 / 2) if good else "inf"
    wrong = {{"corner": good and eps > 9, "often": good and 0 < eps < 9, "never": False, "nan": eps != eps}}
    if wrong[message["function"]]:
        right = str(Fraction(right) / 2) if good else "0"
    print(json.dumps({{"seq": message["seq"], "answer": right}}), flush=True)
"""


def library(folder: Path, *functions: str) -> str:
    path = folder / "library.py"
    path.write_text(LIBRARY.format(id=RHO, functions=functions), encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


def searched(folder: Path, *functions: str) -> list[PeerRow]:
    return list(search_harnesses((library(folder, *functions),), 20.0, seed=1))


def test_draws_are_the_same_again_differ_and_have_extremes_less_often() -> None:
    found = statement("kov2015/optimal.delta")
    first = list(itertools.islice(draws(found), 60))
    assert first == list(itertools.islice(draws(found), 60))
    assert first != list(itertools.islice(draws(found, seed=1), 60))
    assert len({repr(inputs) for _, inputs in first}) == 60
    levels = [extreme for extreme, _ in first]
    assert levels.count(0) >= levels.count(1) >= levels.count(2) > 0
    assert all(set(inputs) == {param.name for param in found.params} for _, inputs in first)


@pytest.mark.parametrize("id", ["mv2016/optimal.eps", "zdw2022/poisson_gaussian.eps", "gdp/composition.eps"])
def test_ordinary_draws_are_inside_of_the_domain(id: str) -> None:
    found = statement(id)
    ordinary = [inputs for extreme, inputs in itertools.islice(draws(found), 100) if extreme == 0]
    assert len(ordinary) > 30
    for inputs in ordinary:
        assert found.read(inputs)


def test_what_cannot_be_drawn_is_not_asked() -> None:
    assert list(draws(statement("zdw2022/thm10.eps"))) == []


def test_errors_that_users_meet_come_before_larger_ones_in_corners(tmp_path: Path) -> None:
    """Both are half the truth; one needs an epsilon above 9. A function without an error has no cause."""
    rows = searched(tmp_path, "corner", "often", "never", "nan")
    assert [row.function for row in rows] == ["corner", "often", "never", "nan"]
    found = ranked(causes(rows))
    assert [(cause.component, cause.kind) for cause in found] == [
        ("often", "gross"),
        ("corner", "gross"),
        ("nan", "bad-input"),
    ]
    often, corner, _ = (cause.worst for cause in found)
    assert (often.likelihood, corner.likelihood) == (Fraction(1), Fraction(1, 4))
    assert corner.harm >= often.harm > 0
    assert EXTREME in corner.opinion.vector.flags
    assert not any(finding.opinion.verdict == "unsound" for finding in rows[2].findings)
    assert len(rows[2].findings) == 11, "five ordinary epsilons and six extreme ones"


def test_the_command_line_searches_a_harness(tmp_path: Path) -> None:
    command = ["peers", "--harness", library(tmp_path, "often"), "--search", "5", "--board", str(tmp_path / "board")]
    result = CliRunner().invoke(cli, command, standalone_mode=False, catch_exceptions=False)
    assert result.return_value == 1
    assert "gross" in result.output
    board = json.loads((tmp_path / "board" / "board.json").read_text(encoding="utf-8"))
    assert board["cells"][0]["outcome"] == "unsound"
    assert board["cells"][0]["worst"]["script"][0].startswith("printf ")
    right = ["peers", "--harness", library(tmp_path, "never"), "--search", "5"]
    assert CliRunner().invoke(cli, right, standalone_mode=False, catch_exceptions=False).return_value == 0


def test_the_shown_message_gives_the_answer_again_without_privref(tmp_path: Path) -> None:
    """What the board shows for a harness without a script runs in a shell."""
    import subprocess

    (row,) = searched(tmp_path, "often")
    finding = row.worst[0]
    assert finding.script == "shell"
    done = subprocess.run(["sh", "-c", finding.reproduction[0]], capture_output=True, text=True, check=True)
    assert Fraction(json.loads(done.stdout)["answer"]) == finding.opinion.reading.number


def test_gdpnum_s_mu_is_found_by_the_search() -> None:
    """Where the library is installed: at parameters that people use, by more than a tenth."""
    pytest.importorskip("gdpnum", reason="needs gdpnum")
    harness = Path(__file__).parents[2] / "reference" / "vectors" / "harnesses" / "with_gdpnum.py"
    command = shlex.join([sys.executable, str(harness)])
    (row,) = search_harnesses((command,), 60.0, statements=("zdw2022/poisson_gaussian.delta",))
    cause = ranked(causes([row]))[0]
    assert (cause.kind, cause.worst.likelihood) == ("gross", 1)
    assert cause.worst.harm > Fraction(1, 10)
