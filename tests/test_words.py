"""What people read has none of the words that only this project used: in README, documents, messages, docstrings.

``python -m tests.test_words [CLONE]`` counts them in this clone, or in another (of an older commit).
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# One process reads the texts, once for all words.
pytestmark = pytest.mark.xdist_group("words")

#: Each private word, and what the field says.
PRIVATE = {
    r"can not": "cannot",
    r"hangs? on": "depends on",
    r"dear(er)?": "expensive",
    r"held against": "compared with",
    r"no rational": "irrational",
    r"loses? no less": "loses at least as much",
    r"no less than": "at least",
}
#: The same for what is printed, and for docstrings outside the kernel: documents that are not made of data, the
#: glossary, and messages.
PRINTED = {
    r"told": "says, knows, reveals",
    r"so many": "this many, a number",
    r"beside": "with, next to, besides",
    r"at will": "if you like",
    r"(?<!there )(?<!There )(is|are) no (?!longer|other|such|larger|more|better|worse)\w+": "is not a",
}
#: Made of the registry's texts, of errata and of what happened before.
GENERATED = ("errata.md", "published-claims.md")


def messages(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Each place, with a text that is printed, or is a docstring; not of the kernel, which speaks to its checker."""
    package = root / "reference" / "privref"
    for place, text in documents(root):
        if not place.endswith(GENERATED):
            yield place, text
    for path in package.rglob("templates/*.*"):
        yield (
            path.relative_to(root).as_posix(),
            re.sub("<(style|script)>.*?</\\1>", "", path.read_text("utf-8"), flags=re.S),
        )
    for path in package.rglob("*.py"):
        if {"plans", "kernel"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                # A name of the code may be one of the words.
                yield f"{path.relative_to(root).as_posix()}:{node.lineno}", re.sub("``.*?``", "", node.value)


def documents(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Each place, with a text that stands there: documents and the glossary."""
    for path in (root / "README.md", root / "CONTRIBUTING.md", *(root / "reference" / "docs").rglob("*.md")):
        yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
    glossary = root / "reference" / "privref" / "glossary.json"
    for term in json.loads(glossary.read_text(encoding="utf-8"))["terms"] if glossary.exists() else ():
        yield f"glossary.json: {term['term']}", f"{term['says']} {term.get('so', '')}"


def texts(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Each place, with a text that stands there: documents, the glossary, and the strings of the package."""
    yield from documents(root)
    for path in (root / "reference" / "privref").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{path.relative_to(root).as_posix()}:{node.lineno}", node.value


def places(word: str, read: list[tuple[str, str]]) -> list[str]:
    return [place for place, text in read if re.search(rf"\b({word})\b", " ".join(text.split()))]


@pytest.fixture(scope="module")
def read() -> list[tuple[str, str]]:
    return list(texts())


@pytest.mark.parametrize("word", PRIVATE)
def test_a_private_word_is_read_nowhere(word: str, read: list[tuple[str, str]]) -> None:
    assert not places(word, read), f"write: {PRIVATE[word]}"


@pytest.fixture(scope="module")
def printed() -> list[tuple[str, str]]:
    return list(messages())


@pytest.mark.parametrize("word", PRINTED)
def test_a_private_word_is_printed_nowhere(word: str, printed: list[tuple[str, str]]) -> None:
    assert not places(word, printed), f"write: {PRINTED[word]}"


def test_the_reader_reads_documents_messages_and_docstrings(read: list[tuple[str, str]]) -> None:
    files = {place.partition(":")[0] for place, _ in read}
    assert {"README.md", "reference/docs/index.md", "glossary.json", "reference/privref/cli/main.py"} <= files
    assert len(read) > 10_000


if __name__ == "__main__":
    CLONE = Path(sys.argv[1]) if sys.argv[1:] else ROOT
    for private, of in ((PRIVATE, list(texts(CLONE))), (PRINTED, list(messages(CLONE)))):
        for words in private:
            print(f"{len(places(words, of)):5} texts have {words}")
