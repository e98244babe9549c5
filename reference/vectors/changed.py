"""Which answers of the vectors changed since a tag, as a page: ``python reference/vectors/changed.py [TAG]``.

Without a tag there was no release. Exit code 1 where a change is not explained in ``ANSWERS.md``.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
#: Changes of a case after which somebody who trusted the old one was wrong, or is judged otherwise.
EXPLAINED = ("removed", "question", "answer", "wider", "shifted", "doubles")
_DATA = "reference/privref/vectors/data"


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[dict[str, str]]:
    """What ``privref-vectors compare`` says of two documents."""
    sys.path.insert(0, str(HERE / "python"))
    try:
        found: list[dict[str, str]] = importlib.import_module("privref_vectors.compare").changes(old, new)
    finally:
        sys.path.pop(0)
    return found


def unexplained(entries: Iterable[dict[str, str]], page: str) -> list[dict[str, str]]:
    """The changes that have to be explained, and whose case the page does not name."""
    return [entry for entry in entries if entry["kind"] in EXPLAINED and entry["id"] not in page]


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=HERE, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout


def since(tag: str) -> Iterator[dict[str, str]]:
    """The changes of every vector file from the tag to the working tree; of a file that is gone, each case."""
    root = Path(_git("rev-parse", "--show-toplevel").strip())
    then = set(_git("ls-tree", "-r", "--name-only", "--full-tree", tag, _DATA).split())
    now = {path.relative_to(root).as_posix() for path in (root / _DATA).glob("*.json")}
    for name in sorted(then | now):
        documents = [
            json.loads(_git("show", f"{tag}:{name}")) if name in then else None,
            json.loads((root / name).read_text(encoding="utf-8")) if name in now else None,
        ]
        none = {"statement": "", "quantity": "", "safe": "", "groups": []}
        if documents[0] != documents[1]:
            yield from changes(*(document or none for document in documents))


def page(tag: str, entries: list[dict[str, str]]) -> str:
    """The change log: how many of each kind, and each case that has to be explained, with both answers."""
    sums = Counter(entry["kind"] for entry in entries)
    said = ", ".join(f"{number} {kind}" for kind, number in sums.items()) or "none"
    lines = [f"# Answers changed since {tag}", "", f"{said} ({tag} to this commit)"]
    told = [entry for entry in entries if entry["kind"] in EXPLAINED]
    if told:
        lines += ["", "| case | kind | old | new |", "|---|---|---|---|"]
        lines += [f"| `{entry['id']}` | {entry['kind']} | {entry['old']} | {entry['new']} |" for entry in told]
        lines += ["", "Why: `ANSWERS.md` of privref-vectors names each of them."]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print the page."""
    if len(sys.argv) < 2:
        cases = sum(
            json.loads(path.read_text(encoding="utf-8"))["cases"] for path in (HERE.parents[1] / _DATA).iterdir()
        )
        print(f"# Answers changed\n\nno release before this one: {cases} cases are the first")
        return 0
    entries = list(since(sys.argv[1]))
    print(page(sys.argv[1], entries), end="")
    missing = unexplained(entries, (HERE / "ANSWERS.md").read_text(encoding="utf-8"))
    for entry in missing:
        print(f"not explained in {HERE / 'ANSWERS.md'}: {entry['id']} ({entry['kind']})", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
