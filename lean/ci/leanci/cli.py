"""The command line: ``python lean/ci build|run|check|meaning|show``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from leanci import build as building
from leanci import modules as graph
from leanci.check import check, names, reached, shown
from leanci.meaning import write
from leanci.olean import OleanError
from leanci.toolchain import BUILD, LEAN, ToolchainError, wasm_lean

OUT = BUILD / "olean"
# Apart from OUT, so that a check from scratch does not take away what someone is working with.
CHECKED = BUILD / "checked"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python lean/ci", description="Build and check the Lean library.")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("build", help="compile the library")
    make.add_argument("modules", nargs="*", help="only these modules and what they import")
    make.add_argument("--incremental", action="store_true", help="keep what is unchanged since the last build")
    make.add_argument("--jobs", type=int, default=2)
    whole = commands.add_parser("check", help="build from scratch, look for cheats, check the names relied on")
    whole.add_argument("--incremental", action="store_true", help="keep what is unchanged since the last build")
    whole.add_argument("--index", type=Path, help="JSON file of theorems that must exist")
    whole.add_argument("--restated", type=Path, help="Lean file that states every theorem a second time")
    whole.add_argument("--meanings", type=Path, help="what `meaning` wrote when the definitions were last read")
    mean = commands.add_parser("meaning", help="print the digests of all that the named theorems of the last check say")
    mean.add_argument("--index", type=Path, help="JSON file of further theorems")
    show = commands.add_parser("show", help="print what theorems of the last check state, and their axioms")
    show.add_argument("names", nargs="+")
    run = commands.add_parser("run", help="check one file against the built library")
    run.add_argument("file", type=Path)
    run.add_argument("arguments", nargs="*", help="further options for lean (-D or -o), after --")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        if arguments.command == "check":
            outcome = check(
                out=CHECKED,
                index=arguments.index,
                restated=arguments.restated,
                meanings=arguments.meanings,
                incremental=arguments.incremental,
            )
            for problem in outcome.problems:
                print(f"error: {problem}", file=sys.stderr)
            print(f"{outcome.theorems} theorems, {len(outcome.problems)} problems, {outcome.total:.0f} s")
            return 0 if outcome.ok else 1
        if arguments.command == "meaning":
            named, _ = names(LEAN, arguments.index)
            print(write(reached(graph.library(LEAN), CHECKED, [item.name for item in named])), end="")
            return 0
        lean = wasm_lean()
        if arguments.command == "show":
            print(shown(lean, graph.library(LEAN), CHECKED, arguments.names))
            return 0
        if arguments.command == "run":
            file = arguments.file.resolve()
            result = lean.run([str(file), *arguments.arguments], path=[OUT], cwd=LEAN)
            print(result.output)
            return result.code
        report = building.build(
            lean,
            out=OUT,
            only=arguments.modules,
            incremental=arguments.incremental or bool(arguments.modules),
            jobs=arguments.jobs,
        )
    except (ToolchainError, graph.GraphError, OleanError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(
        f"{len(report.seconds)} built, {len(report.reused)} unchanged, {len(report.failed)} failed, "
        f"{len(report.skipped)} not tried, {report.total:.0f} s"
    )
    return 0 if report.ok else 1
