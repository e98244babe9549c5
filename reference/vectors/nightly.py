"""Judge the newest releases of all libraries: ``python reference/vectors/nightly.py DIR``.

Each library gets an environment of its own below DIR, with its newest release and nothing else. Its harness runs there,
and so does the script of each finding: what it prints stands on the board. The board goes to ``DIR/boards/DATE`` and is
compared with the last one: what got worse, and what was mended in which version. Exit code 1 where a cell got worse, 2
where no library could be run.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from typing import Any

from privref import InputError
from privref.report import board_document, read_board, write_board
from privref.report.board import OUTCOMES
from privref.vectors.peers.harness import HarnessLimits, run_harnesses
from privref.vectors.peers.running import Truths

HARNESSES = Path(__file__).parent / "harnesses"
_INSTALL_SECONDS = 1800
#: What the script of one finding may take.
_SCRIPT_SECONDS = 300


@dataclass(frozen=True)
class Library:
    """A harness, and what ``pip install`` is given for it; without packages it runs where this program runs."""

    harness: str
    packages: tuple[tuple[str, ...], ...] = ()
    #: What the harness is started with instead of its environment's Python.
    program: str = ""
    #: What makes a program of the harness; the program's path and the harness's follow.
    compiler: tuple[str, ...] = ()
    #: What a script of this library needs before its first line, as not all of the library's own needs are installed.
    before: str = ""


def _with(name: str, *packages: str) -> Library:
    return Library(f"with_{name}.py", (packages,))


#: opacus and jax-privacy are installed without what their accountants do not use (torch: gigabytes).
LIBRARIES: Mapping[str, Library] = {
    "autodp": _with("autodp", "autodp"),
    "diffprivlib": _with("diffprivlib", "diffprivlib", "scikit-learn<1.9"),
    "dp-accounting": _with("dp_accounting", "dp-accounting"),
    "gdpnum": _with("gdpnum", "gdpnum"),
    "jax-privacy": _with("jax_privacy", "jax-privacy"),
    "opacus": Library(
        "with_opacus.py", (("numpy", "scipy"), ("--no-deps", "opacus")), before="import with_opacus  # no torch"
    ),
    "opendp": _with("opendp", "opendp"),
    "PLD_accounting": _with("pld_accounting", "PLD_accounting"),
    "prv-accountant": _with("prv_accountant", "prv-accountant"),
    "random-allocation": _with("random_allocation", "random-allocation", "pandas"),
    "riskcal": _with("riskcal", "riskcal"),
    "tmlt.core": _with("tmlt_core", "tmlt.core"),
    "float reference": Library("float_reference.py"),
    "float reference, Go": Library("float_reference.go", compiler=("go", "build", "-o")),
    "float reference, JavaScript": Library("float_reference.mjs", program="node"),
    "float reference, Rust": Library("float_reference.rs", compiler=("rustc", "-O", "-o")),
}


def _installed(folder: Path, library: Library, keep: bool) -> list[str]:
    """Return the words that start the harness alongside the newest release; InputError with what failed.

    With ``keep``, what is installed already stays as it is.
    """
    harness = str(HARNESSES / library.harness)
    python, built = folder / "bin" / "python", folder / "harness"
    kept = keep and (python.exists() or built.exists())
    commands = []
    if library.compiler:
        folder.mkdir(parents=True, exist_ok=True)
        commands.append([*library.compiler, str(built), harness])
    elif library.packages and not python.exists():
        commands.append([sys.executable, "-m", "venv", str(folder)])
    pip = [str(python), "-m", "pip", "install", "--quiet", "--upgrade"]
    commands += [[*pip, *words] for words in library.packages]
    for command in () if kept else commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_INSTALL_SECONDS)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(shlex.join(command[-2:]), type(error).__name__, "it did not end in order") from None
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no words"])[-1]
            raise InputError(shlex.join(command[-2:]), last[:200], "it cannot be installed here")
    if library.compiler:
        return [str(built)]
    return [str(python) if library.packages else library.program or sys.executable, harness]


def _printed(script: list[str], language: str, python: str, before: str) -> str:
    """Run a finding's script where its library is installed and privref is not; its last line, or its error."""
    text = "\n".join([before, *script] if before else script)
    command = ["sh", "-c", text] if language == "shell" else [python, *([] if before else ["-I"]), "-c", text]
    known = {"PYTHONPATH": str(HARNESSES)} if before else {}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_SCRIPT_SECONDS, env={**os.environ, **known}
        )
    except subprocess.TimeoutExpired:
        return f"nothing within {_SCRIPT_SECONDS} s"
    last = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines() or [""]
    return last[-1][:300]


def _portable(line: str, program: str, library: Library) -> str:
    """Return a line of a script as it runs in the folder of the release, without this machine's paths."""
    line = line.replace(f"{HARNESSES.parent}{os.sep}", "")
    if library.compiler and program in line:
        built = Path(library.harness).stem
        made = shlex.join([*library.compiler, built, f"{HARNESSES.name}/{library.harness}"])
        return f"{made} && {line.replace(program, f'./{built}')}"
    return line


def _last(folder: Path) -> dict[str, Any] | None:
    """Return the newest board of earlier nights."""
    boards = sorted((folder / "boards").glob("*/board.json"))
    return read_board(boards[-1]) if boards else None


def night(
    folder: Path,
    libraries: Mapping[str, Library],
    *,
    date: str,
    statements: tuple[str, ...] = (),
    seconds: float = 30,
    workers: int = 1,
    keep: bool = False,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Install, run and judge; the board, and for each library that did not run the reason.

    InputError where none ran, or where the board of that date is there.
    """
    target = folder / "boards" / date
    if target.exists():
        raise InputError("DIR", str(target), "the board of this date is there; give another --date")
    before, rows, missing = _last(folder), [], {}
    programs: dict[str, tuple[str, Library]] = {}
    # A case may take what its function may, and no more than usual.
    truths, limits = Truths(), HarnessLimits(min(20.0, seconds))
    for name, library in libraries.items():
        print(name, file=sys.stderr, flush=True)
        try:
            words = _installed(folder / "environments" / name.replace(" ", "-"), library, keep)
            mine = sorted(
                run_harnesses(
                    (shlex.join(words),),
                    statements=statements,
                    limits=limits,
                    seconds=seconds,
                    truths=truths,
                    workers=workers,
                ),
                key=attrgetter("function", "statement"),
            )
            rows += mine
            programs |= {row.peer: (words[0], library) for row in mine}
        except InputError as error:
            missing[name] = str(error)
    if not rows:
        raise InputError("DIR", str(folder), f"no library could be run: {missing}")
    board = board_document(rows, before, date)
    for cell in board["cells"]:
        if cell["worst"] is not None:
            found, (program, library) = cell["worst"], programs[cell["library"]]
            found["printed"] = _printed(found["script"], found["language"], program, library.before)
            found["script"] = [_portable(line, program, library) for line in found["script"]]
    write_board(target, board)
    return board, missing


def _number(text: str) -> float | str:
    """Return the double that a text names; the text itself where it is a word."""
    try:
        return float.fromhex(text) if "0x" in text else float(Fraction(text))
    except (ValueError, OverflowError):
        return text


def _prints_its_answer(found: Mapping[str, Any]) -> bool:
    """Whether a finding's script printed the answer that the board shows."""
    printed = found["printed"]
    with contextlib.suppress(ValueError, LookupError, TypeError):
        printed = json.loads(printed)["answer"]
    return _number(printed) == _number(found["answer"].partition(",")[0])


def _worse(change: Mapping[str, Any]) -> bool:
    return OUTCOMES.index(change["after"]) < OUTCOMES.index(change["before"])


def main() -> int:
    """Run one night."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR", help="environments and boards; kept from night to night")
    parser.add_argument("--only", action="append", choices=[*LIBRARIES], metavar="LIBRARY", help="only this library")
    parser.add_argument("--statement", action="append", default=[], metavar="ID", help="only this statement")
    parser.add_argument("--seconds", type=float, default=30, help="of processor time a function (default: 30)")
    parser.add_argument("--workers", type=int, default=1, help="processes for the functions of a library (default: 1)")
    parser.add_argument("--keep", action="store_true", help="install nothing that is there, not even a newer release")
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    parser.add_argument("--date", default=today, type=lambda text: datetime.date.fromisoformat(text).isoformat())
    given = parser.parse_args()
    chosen = {name: library for name, library in LIBRARIES.items() if not given.only or name in given.only}
    try:
        options = {"date": given.date, "statements": tuple(given.statement), "seconds": given.seconds}
        board, missing = night(given.folder, chosen, **options, workers=max(1, given.workers), keep=given.keep)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for name, reason in missing.items():
        print(f"not run: {name}: {reason}")
    for change in board["changes"]:
        word = f"mended in {change['version_after']}" if change["mended"] else "worse" if _worse(change) else "changed"
        print(f"{word}: {change['library']}, {change['statement']}: {change['before']} -> {change['after']}")
    found = [cell for cell in board["cells"] if cell["worst"] is not None]
    again = [cell for cell in found if _prints_its_answer(cell["worst"])]
    print(f"{len(again)} of {len(found)} scripts print the answer again with the library alone")
    for cell in found:
        if cell not in again:
            print(f"not again: {cell['library']}, {cell['statement']}: {cell['worst']['printed']}")
    print(json.dumps(board["totals"]))
    return 1 if any(map(_worse, board["changes"])) else 0


if __name__ == "__main__":
    sys.exit(main())
