"""What people read has none of the words that only this project used: in README, documents, messages, docstrings.

``python -m tests.test_words [CLONE]`` counts them in this clone, or in another (of an older commit).
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
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
        for line, text in strings(path):
            # A name of the code may be one of the words.
            yield f"{path.relative_to(root).as_posix()}:{line}", re.sub("``.*?``", "", text)


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
        for line, text in strings(path):
            yield f"{path.relative_to(root).as_posix()}:{line}", text


@cache
def strings(path: Path) -> list[tuple[int, str]]:
    """The strings of a module, each with its line."""
    found = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [
        (each.lineno, each.value) for each in found if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def on_one_line(read: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same with every run of white space as one space, so that a line's end hides no words."""
    return [(place, " ".join(text.split())) for place, text in read]


def places(word: str, read: list[tuple[str, str]]) -> list[str]:
    pattern = re.compile(rf"\b({word})\b")
    return [place for place, text in read if pattern.search(text)]


@pytest.fixture(scope="module")
def read() -> list[tuple[str, str]]:
    return on_one_line(texts())


@pytest.mark.parametrize("word", PRIVATE)
def test_a_private_word_is_read_nowhere(word: str, read: list[tuple[str, str]]) -> None:
    assert not places(word, read), f"write: {PRIVATE[word]}"


@pytest.fixture(scope="module")
def printed() -> list[tuple[str, str]]:
    return on_one_line(messages())


@pytest.mark.parametrize("word", PRINTED)
def test_a_private_word_is_printed_nowhere(word: str, printed: list[tuple[str, str]]) -> None:
    assert not places(word, printed), f"write: {PRINTED[word]}"


def test_the_reader_reads_documents_messages_and_docstrings(read: list[tuple[str, str]]) -> None:
    files = {place.partition(":")[0] for place, _ in read}
    assert {"README.md", "reference/docs/index.md", "glossary.json", "reference/privref/cli/main.py"} <= files
    assert len(read) > 10_000


if __name__ == "__main__":
    CLONE = Path(sys.argv[1]) if sys.argv[1:] else ROOT
    for private, of in ((PRIVATE, on_one_line(texts(CLONE))), (PRINTED, on_one_line(messages(CLONE)))):
        for words in private:
            print(f"{len(places(words, of)):5} texts have {words}")
