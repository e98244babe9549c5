"""The board: its JSON, its page, its badges, and what counts as mended."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import privref
from privref.cli.main import cli
from privref.exact.errors import InputError
from privref.report import board_document, read_board, write_board
from privref.report.board import OUTCOMES, badge, board_changes
from privref.vectors.answers import read_answer
from privref.vectors.peers.running import CallOutcome, PeerRow, judged
from privref.vectors.store import vectors

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "reference/privref/schemas/board.1.json").read_text(encoding="utf-8"))
RHO, SUM = "whitehouse2023/lem1.dp2zcdp.rho", "rogers2016/thm2.9.eps"
EXACT, BELOW, ABOVE, SILENT = Fraction(1), Fraction(1, 2), Fraction(2), None


def row(
    peer: str, factor: Fraction | None, statement: str = RHO, *, version: str = "1", note: str = "", most: int = 99
) -> PeerRow:
    """A library whose answers are the truth times a factor (None: it refuses)."""
    findings = []
    cases = [v for v in vectors().values() if v.statement == statement and Fraction(v.expected.get("value", "0")) > 0]
    for vector in cases[:most]:
        answer = "refused" if factor is None else str(Fraction(vector.expected["value"]) * factor)
        script = ("import <b>library</b>", "print(1)")
        findings.append(judged(vector, CallOutcome(read_answer(answer)), script, note, "Python"))
    assert findings
    return PeerRow(peer, version, "function", statement, tuple(findings), "function")


def cell(document: dict[str, Any], library: str) -> dict[str, Any]:
    (found,) = (cell for cell in document["cells"] if cell["library"] == library)
    return dict(found)


def test_a_cell_is_its_worst_answer_and_the_document_is_valid() -> None:
    document = board_document(
        [row("a", BELOW), row("a", EXACT, SUM), row("b", ABOVE), row("c", EXACT), row("d", SILENT)], date="2026-01-01"
    )
    Draft202012Validator(SCHEMA).validate(document)
    outcomes = {(c["library"], c["statement"]): c["outcome"] for c in document["cells"]}
    assert outcomes == {
        ("a", RHO): "unsound",
        ("a", SUM): "within",
        ("b", RHO): "loose",
        ("c", RHO): "within",
        ("d", RHO): "no answer",
    }
    assert {library["name"]: library["outcome"] for library in document["libraries"]}["a"] == "unsound"
    assert document["totals"]["libraries"] == 4
    assert cell(document, "b")["worst"] is None
    assert [c["worst"]["script"] for c in document["cells"] if c["worst"]] == [["import <b>library</b>", "print(1)"]]


def test_a_documented_approximation_is_told_from_a_bug_in_its_own_words() -> None:
    """The same answers; the library's warning stands beside them, and the outcome is another."""
    document = board_document([row("warns", BELOW, note="may underestimate"), row("silent", BELOW)])
    assert cell(document, "silent")["outcome"] == "unsound"
    warned = cell(document, "warns")
    assert warned["outcome"] == "approximation"
    assert any("may underestimate" in text for text in warned["worst"]["words"])
    assert any("how we call the library" in text for text in cell(document, "silent")["worst"]["words"])


def test_an_accountant_that_warns_is_not_called_unsound_where_nothing_finite_holds() -> None:
    """A finite number at delta = 0 from a function that says it approximates."""
    vector = next(v for v in vectors().values() if v.expected.get("word") == "inf" and v.statement == "gdp/profile.eps")
    for note, told in (("experimental", "approximation"), ("", "unsound")):
        finding = judged(vector, CallOutcome(read_answer("500")), ("print(500)",), note, "Python")
        rows = [PeerRow("a", "1", "f", vector.statement, (finding,), "f")]
        assert board_document(rows)["cells"][0]["outcome"] in (told, "minor")
        assert (board_document(rows)["cells"][0]["outcome"] == "approximation") == bool(note)


def test_a_call_that_few_users_make_is_minor() -> None:
    """Half precision, which diffprivlib's users hardly spend; the same answer to an ordinary call is unsound."""
    halts = (v for v in vectors().values() if v.statement == "rogers2016/thm3.3.filter" and "half" in v.comment.lower())
    vector = next(vector for vector in halts if vector.expected.get("word") == "HALT")
    finding = judged(vector, CallOutcome(read_answer("CONT")), ("print('CONT')",), "", "Python")
    for part, told in (("BudgetAccountant, NumPy's half precision", "minor"), ("BudgetAccountant", "unsound")):
        board = board_document([PeerRow("diffprivlib", "1", "f", vector.statement, (finding,), part)])
        assert board["cells"][0]["outcome"] == told
        assert board["cells"][0]["worst"]["answer"] == "CONT"


def test_what_is_ours_is_not_laid_at_a_library() -> None:
    """Our own textbook formulas."""
    document = board_document([row("float-reference", BELOW)])
    assert any("no released library" in text for text in cell(document, "float-reference")["worst"]["words"])


def test_a_reason_is_told_once() -> None:
    """That a call is unusual, which is also why the finding is minor."""
    halts = (v for v in vectors().values() if v.statement == "rogers2016/thm3.3.filter" and "half" in v.comment.lower())
    vector = next(vector for vector in halts if vector.expected.get("word") == "HALT")
    finding = judged(vector, CallOutcome(read_answer("CONT")), ("print('CONT')",), "", "Python")
    part = "BudgetAccountant, NumPy's half precision"
    board = board_document([PeerRow("diffprivlib", "1", "f", vector.statement, (finding,), part)])
    assert sum("call is unusual" in text for text in board["cells"][0]["worst"]["words"]) == 1


def test_nothing_run_is_no_board() -> None:
    with pytest.raises(InputError, match="at least one library"):
        board_document([])


def test_the_page_loads_nothing_and_shows_scripts_as_text(tmp_path: Path) -> None:
    document = board_document([row("a", BELOW), row("b", EXACT)], date="2026-01-01")
    names = write_board(tmp_path, document)
    assert set(names) == {"board.json", "index.html", "badges/a.svg", "badges/b.svg"}
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "import &lt;b&gt;library" in page
    assert not re.search(r"<script|<img|https?://[^ <)]*\.(?:js|css|woff)|@import|url\(", page)
    places = set(re.findall(r'href="#(f\d+)"', page))
    assert places == set(re.findall(r'id="(f\d+)"', page))
    assert len(places) == 1
    for svg in (tmp_path / "badges").glob("*.svg"):
        assert ET.fromstring(svg.read_text(encoding="utf-8")).tag.endswith("svg")
    assert read_board(tmp_path / "board.json") == json.loads(json.dumps(document))


@pytest.mark.parametrize("result", OUTCOMES)
def test_a_badge_says_library_version_and_outcome(result: str) -> None:
    text = badge("a<b", "1&2", result)
    root = ET.fromstring(text)
    assert root.attrib["aria-label"] == f"a<b 1&2: {result}"


def test_mended_is_said_of_answers_that_were_asked_again_and_are_safe_now() -> None:
    before = board_document([row("a", BELOW, version="1")])

    def since(after: PeerRow) -> dict[str, Any]:
        (found,) = board_changes(before, board_document([after]))
        return dict(found)

    mended = since(row("a", EXACT, version="2"))
    assert (mended["mended"], mended["version_before"], mended["version_after"]) == (True, "1", "2")
    assert (mended["before"], mended["after"]) == ("unsound", "within")
    assert not since(row("a", SILENT, version="2"))["mended"], "what refuses is not mended"
    assert not since(row("a", EXACT, version="2", most=3))["mended"], "fewer cases were asked"
    assert board_changes(before, board_document([row("a", BELOW, version="2")])) == []
    assert board_changes(before, board_document([row("other", EXACT)])) == []


def test_the_command_refuses_what_makes_no_board(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text('{"schema": "board.1"}', encoding="utf-8")
    command = ["peers", "--board", str(tmp_path / "new"), "--since", str(tmp_path / "old.json")]
    result = CliRunner().invoke(cli, command)
    assert isinstance(result.exception, privref.InputError)
    assert "--since" in str(result.exception)
    assert CliRunner().invoke(cli, ["peers", "--since", str(tmp_path / "old.json")]).exit_code == 2
    assert not (tmp_path / "new").exists()
