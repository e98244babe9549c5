"""What the command writes where stdout has few characters: a redirected Windows console, a terminal without UTF-8."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from privref.cli.main import main

FEW = ("cp1252", "cp437", "ascii", "latin-1")


def written(monkeypatch: pytest.MonkeyPatch, encoding: str, *arguments: str) -> tuple[int, bytes, bytes]:
    """The exit code of a command, and the bytes that it writes to stdout and stderr of that encoding."""
    out, err = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding=encoding))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding=encoding))
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    sys.stdout.flush()
    sys.stderr.flush()
    found = out.getvalue(), err.getvalue()
    monkeypatch.undo()
    return int(ended.value.code or 0), *found


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A ledger with a title of many alphabets, and a label of an emoji."""
    ledger = {
        "schema": "ledger.1", "title": "café → δ ≤ 1 🎲 ǆ", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential",
        "events": [{"label": "🎲", "guarantee": {"kind": "pure-dp", "epsilon": "1"}}],
    }  # fmt: skip
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(ledger), encoding="utf-8")
    return path


@pytest.mark.parametrize("encoding", FEW)
@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "--example", "census2020-guarantees"],
        ["errata"],
        ["explain"],
        ["explain", "cks2020/zcdp2dp.eps"],
        ["attack", "natural-filter", "--menu", "log(3/2),log(2)", "--rounds", "2", "--epsilon", "log(2)"],
        ["eval", "no/such"],
        ["vectors", "list"],
        ["--help"],
    ],
    ids=lambda arguments: "-".join(arguments[:2]),
)
def test_every_report_is_written_on_every_stdout(
    monkeypatch: pytest.MonkeyPatch, encoding: str, arguments: list[str]
) -> None:
    there, out, err = written(monkeypatch, "utf-8", *arguments)
    here, fewer, errors = written(monkeypatch, encoding, *arguments)
    assert here == there
    assert len((fewer + errors).splitlines()) == len((out + err).splitlines())
    assert b"internal error" not in errors


@pytest.mark.parametrize("encoding", FEW)
def test_signs_that_are_missing_are_written_in_ascii(monkeypatch: pytest.MonkeyPatch, odd: Path, encoding: str) -> None:
    code, out, _ = written(monkeypatch, encoding, "audit", str(odd), "--claim", "1,0")
    text = out.decode(encoding)
    assert code == 0
    assert "(1, 0)-DP -> confirmed" in text
    assert text.splitlines()[0].startswith("café -> " if encoding != "ascii" else "cafe -> delta <= 1 \\U0001f3b2")


@pytest.mark.parametrize("encoding", [*FEW, "utf-8", "utf-16"])
def test_json_is_the_same_document_on_every_stdout(monkeypatch: pytest.MonkeyPatch, odd: Path, encoding: str) -> None:
    code, out, _ = written(monkeypatch, encoding, "audit", str(odd), "--claim", "1,0", "--format", "json")
    assert code == 0
    assert json.loads(out.decode(encoding))["ledger"]["title"] == "café → δ ≤ 1 🎲 ǆ"


def test_a_batch_is_one_json_line_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    batch = tmp_path / "batch.json"
    batch.write_text(json.dumps({"samples": [{"id": "δ/→", "inputs": {"ε": "1"}}]}), encoding="utf-8")
    _, out, _ = written(monkeypatch, "ascii", "eval", "--batch", str(batch))
    assert json.loads(out)["id"] == "δ/→"


def test_a_process_with_an_ascii_stdout() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    ran = subprocess.run(
        [sys.executable, "-m", "privref", "audit", "--example", "census2020-guarantees"],
        capture_output=True, env=environment, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert b"->" in ran.stdout


def on_terminal(columns: int, *arguments: str) -> tuple[int, str]:
    """The exit code of a command on a terminal of that width, and what it prints, without the codes of colours."""
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    program = [sys.executable, "-c", "from privref.cli.main import main; main()", *arguments]
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen(program, stdout=its, stderr=subprocess.DEVNULL, env={**plain, "TERM": "xterm"}) as running:
        os.close(its)
        parts: list[bytes] = []
        # Linux reports the closed terminal as an error; other systems as an empty read.
        with contextlib.suppress(OSError):
            while part := os.read(ours, 65536):
                parts.append(part)
        os.close(ours)
    return running.returncode, re.sub(r"\x1b\[[0-9;]*m", "", b"".join(parts).decode()).replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [20, 60])
def test_a_narrow_terminal_breaks_lines_and_loses_nothing(columns: int) -> None:
    arguments = "audit", "--example", "census2020-guarantees", "--verbose"
    (code, wide), (same, narrow) = on_terminal(1000, *arguments), on_terminal(columns, *arguments)
    assert same == code == 1  # this example does not prove one of its claims
    assert max(map(len, narrow.splitlines())) <= columns < max(map(len, wide.splitlines()))
    # A table is broken cell by cell, so the order may differ.
    assert Counter("".join(narrow.split())) == Counter("".join(wide.split()))
