"""``python -m tests.additions theorem|mechanism|field NAME``: begin an addition with the lines that CONTRIBUTING shows.

They go under that name into the files that CONTRIBUTING names, and are a copy of what is there already: the rest is to
make them say what is new. The tests that CONTRIBUTING names are red as long as a file is missing.
"""

from __future__ import annotations

import re
import sys

from tests.test_documents import ROOT, Block, blocks, insert

#: The headings under which an addition's lines stand, and the name that they carry.
SECTIONS = {
    "theorem": "A theorem that bounds a ledger",
    "mechanism": "A mechanism",
    "field": "A field of a ledger",
}
NAME = re.compile(r"made([ _-])up")


def shown(what: str) -> tuple[Block, ...]:
    """The lines that CONTRIBUTING shows for an addition."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {SECTIONS[what]}\n")[2].partition("\n## ")[0]
    return tuple(block for block in blocks(section) if block.kind == "diff")


def main(what: str, name: str) -> None:
    for block in shown(what):
        path = ROOT / block.title
        added = NAME.sub(lambda found: re.sub("[ _-]", found[1], name), block.text)
        text = insert(path.read_text(encoding="utf-8"), Block(block.kind, block.title, added, block.line))
        path.write_text(text, encoding="utf-8")
        print(block.title)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in SECTIONS:
        sys.exit(f"python -m tests.additions {'|'.join(SECTIONS)} NAME")
    main(*sys.argv[1:])
