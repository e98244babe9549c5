"""List the statements, judge answers in doubles, or compare two releases."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from . import FOLDER, __version__, cases, changes, judge, statements


def _read(path: str) -> dict[str, Any]:
    """Read a file of vectors, or the one of an unpacked release."""
    place = Path(path)
    return dict(json.loads((place / "vectors.json" if place.is_dir() else place).read_text(encoding="utf-8")))


def _list() -> int:
    counts = Counter(case["statement"] for case in cases())
    for statement in statements():
        print(f"{counts[statement]:5}  {statement}")
    print(f"{sum(counts.values()):5}  cases of {len(counts)} statements, in {FOLDER / 'vectors.json'}")
    return 0


def _judge(path: str) -> int:
    """Judge JSON lines of ``id`` and ``answer`` (a number, "inf", "nan", a word, or null for a refusal)."""
    known = {case["id"]: case for case in cases()}
    verdicts: Counter[str] = Counter()
    text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    for number, line in enumerate(filter(str.strip, text.splitlines()), 1):
        entry = json.loads(line)
        if entry.get("id") not in known or "answer" not in entry:
            raise ValueError(f"line {number}: give an id of these vectors, and an answer (null for a refusal)")
        answer = entry["answer"]
        if answer in ("inf", "-inf", "nan"):
            answer = float(answer)
        verdict = judge(known[entry["id"]], answer)
        verdicts[verdict] += 1
        if verdict == "unsound":
            print(f"unsound  {entry['id']}  answered {answer}")
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())) or "nothing was answered")
    # Where all is refused or infinite, nothing was judged.
    return 1 if verdicts["unsound"] or not set(verdicts) - {"refused", "vacuous"} else 0


def _compare(old: str, new: str) -> int:
    found = changes(_read(old), _read(new))
    for entry in found:
        print(f"{entry['kind']:9} {entry['id']}  {entry['old']} -> {entry['new']}")
    print(", ".join(f"{n} {kind}" for kind, n in Counter(e["kind"] for e in found).items()) or "nothing changed")
    return 1 if any(entry["kind"] in ("answer", "question", "removed") for entry in found) else 0


def main() -> int:
    """Run one command; 1 where an answer is unsound or changed, 2 for what cannot be read."""
    parser = argparse.ArgumentParser(prog="privref-vectors", description=__doc__)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list the statements and the number of their cases")
    judging = commands.add_parser("judge", help="judge a file of JSON lines (- for stdin)")
    judging.add_argument("file")
    comparing = commands.add_parser("compare", help="compare the vectors of two releases")
    comparing.add_argument("old")
    comparing.add_argument("new")
    given = parser.parse_args()
    try:
        if given.command == "judge":
            return _judge(given.file)
        return _compare(given.old, given.new) if given.command == "compare" else _list()
    except (OSError, ValueError, KeyError) as error:
        print(f"privref-vectors: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
