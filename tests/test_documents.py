"""What README and the documentation show is what happens: every block of code runs, every output is compared.

A ``console`` block holds commands after ``$`` and what they print, with ``...`` for lines that are left out; ``sh``
holds commands whose output is not shown; ``python`` is a doctest, or a program; ``json``, ``csv``, ``toml`` and
``python`` with a ``title`` are files for what comes after them. Each document has a folder and a namespace of its own,
with the examples.
"""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from privref.cli.main import main

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "reference" / "privref" / "examples"
DOCS = ROOT / "reference" / "docs"
DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("CONTRIBUTING.md")), *sorted(DOCS.rglob("*.md"))]
#: These ask for the same epsilon of a training run, which takes seconds: one process keeps the answer.
TOGETHER = (ROOT / "README.md", DOCS / "dp-sgd.md")
KINDS = {"console", "sh", "python", "json", "toml", "csv", "yaml", "diff"}

#: What is no command of ours: these lines set up, or run what other tests run.
SET_UP = re.compile(
    r"python3 -m venv \.venv( && |$)|\.venv/bin/pip install [^&]*( && |$)|git clone |(cd lean && )?lake .*|"
    r"\.venv/bin/(python -m )?(pytest|pre-commit|ruff|mypy|mkdocs|proofs|tests|build|twine)\b.*|"
    r"\.venv/bin/python -m (proofs|tests\.|build|twine).*"
)


@dataclass(frozen=True)
class Block:
    """A fenced block: the language, its title, its text and the line of the document on which it starts."""

    kind: str
    title: str
    text: str
    line: int


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a Markdown text, also where they stand within a list."""
    pattern = re.compile(r'^( *)```([a-z]*)(?: title="([^"]*)")?[^\n]*\n(.*?)^\1```$', re.M | re.S)
    for found in pattern.finditer(text):
        indent, kind, title, body = found.groups()
        body = re.sub(rf"^{indent}", "", body, flags=re.M)
        yield Block(kind, title or "", body, text.count("\n", 0, found.start()) + 1)


def insert(text: str, block: Block) -> str:
    """The text with the block's added lines after its lines of context, which stand there once."""
    lines = block.text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line.startswith(" "))
    added = "".join(line[1:] for line in lines if line.startswith("+"))
    assert [line[0] for line in lines] == sorted(line[0] for line in lines), "context first, then what is added"
    assert text.count(before) == 1, f"{block.title}: {before}"
    return text.replace(before, before + added)


def commands(block: Block) -> list[tuple[str, str | None]]:
    """The commands of a block, each with the output that is shown, if it is."""
    if block.kind == "sh":
        lines = block.text.replace("\\\n", " ").splitlines()
        return [(line, None) for line in lines if line.strip() and not line.startswith("#")]
    assert block.text.startswith("$ "), f"line {block.line}: a console block begins with a command"
    parts = re.split(r"^\$ ", block.text.replace("\\\n", " "), flags=re.M)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def own(command: str) -> str:
    """The part of a command line that is ours, nothing where it only sets up."""
    while match := SET_UP.match(command):
        command = command[match.end() :]
    return command.strip()


def matches(shown: str, printed: str) -> bool:
    """Whether the output is what is shown: line by line, with ``...`` for any lines."""
    lines = [re.escape(line.rstrip()) for line in shown.strip("\n").splitlines()]
    pattern = "\n".join(lines).replace("\n\\.\\.\\.", "(?:\n[^\n]*)*?")
    text = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
    return re.fullmatch(pattern, text) is not None


@pytest.mark.parametrize(
    "document",
    [pytest.param(path, marks=pytest.mark.xdist_group("training") if path in TOGETHER else ()) for path in DOCUMENTS],
    ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS],
)
def test_every_block_of_a_document_runs(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands exit with a verdict and print what is shown; programs run; files are what the commands read."""
    for example in EXAMPLES.glob("*.json"):
        shutil.copy(example, tmp_path)
    monkeypatch.chdir(tmp_path)
    # What a program imports from its folder is gone with the folder.
    monkeypatch.setattr(sys, "path", [*sys.path])
    namespace: dict[str, Any] = {}
    for block in blocks(document.read_text(encoding="utf-8")):
        assert block.kind in KINDS, f"line {block.line}: say what the block is: {', '.join(sorted(KINDS))}"
        if block.kind == "python":
            if block.title:
                (tmp_path / block.title).write_text(block.text, encoding="utf-8")
            program(block, document, namespace)
        elif block.kind == "diff":
            # tests/test_contributing.py applies it; here it fits the file that it names.
            insert((ROOT / block.title).read_text(encoding="utf-8"), block)
        elif block.kind == "yaml":
            # A step of a workflow: the action that it uses has these inputs.
            for step in yaml.safe_load(block.text):
                action = ROOT / step["uses"].removeprefix("./privref/") / "action.yml"
                inputs = yaml.safe_load(action.read_text(encoding="utf-8"))["inputs"]
                assert step["with"].keys() <= inputs.keys(), f"line {block.line}"
                assert {name for name, of in inputs.items() if of.get("required")} <= step["with"].keys()
        elif block.kind in ("json", "csv", "toml"):
            if block.kind == "json":
                json.loads(block.text)
            elif block.kind == "toml":
                tomllib.loads(block.text)
            if block.title:
                (tmp_path / block.title).write_text(block.text, encoding="utf-8")
        else:
            for command, shown in commands(block):
                run(own(command), shown, f"{document.name}, line {block.line}", capsys)
    for name in [name for name, module in sys.modules.items() if _stands_in(module, tmp_path)]:
        del sys.modules[name]


def _stands_in(module: ModuleType, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).resolve().is_relative_to(folder)


def program(block: Block, document: Path, namespace: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        exec(compile(block.text, f"{document.name}:{block.line}", "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.text, namespace, document.name, str(document), block.line)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test, out=said.append, clear_globs=False).failed == 0, "".join(said)
    namespace.update(test.globs)


#: What the numbers of the Python interface may be, as somebody writes them whose programs are type-checked.
SPELLINGS = """
from fractions import Fraction

import privref

numbers: list[int | Fraction | str] = [1, Fraction(1, 2), "0.1", privref.from_binary64(0.5)]
ledger = privref.ledger_from_csv("epsilon,delta\\n0.1,0\\n", "one", parameters="fixed-in-advance")
for number in numbers:
    claims: list[privref.Claim] = [
        privref.ApproxDPClaim("a", epsilon=number, delta=number, units="2", periods=Fraction(2)),
        privref.ZCDPClaim("b", number),
        privref.ZCDPClaim("b", rho=number, delta=number),
        privref.GaussianDPClaim("c", mu=number),
        privref.ReadingClaim("d", number, number, "2", by="whitehouse2023/lem3"),
        privref.RemainingClaim("e", (number, "0"), number, number),
        privref.RemainingClaim("e", "0.1,0", number, number),
    ]
    print(privref.Enclosure(number, 1), privref.spell(number), privref.rational(number))
    print(privref.compare(ledger, number))
    print(privref.evaluate("rogers2016/thm2.9.eps", {"eps": [number]}, digits="9").value)
    print(privref.replay(ledger, (number, number), rows=3))
    print(privref.calibrate("basic-filter", budget=(number, "0"), rounds=1))
    print(privref.attack("natural-filter", "1", 1, epsilon=number, delta="0"))
print(privref.judge_answers({}, rounding_ulps="1").exit_code)
"""


@pytest.mark.xdist_group("architecture")
def test_the_programs_of_the_documents_are_typed(tmp_path: Path) -> None:
    """They pass ``mypy --strict``, as the programs of a user who copies them do; so does every exact number."""
    programs = {"spellings": SPELLINGS}
    for document in DOCUMENTS:
        parts = []
        for block in blocks(document.read_text(encoding="utf-8")):
            if block.kind == "python":
                examples = doctest.DocTestParser().get_examples(block.text)
                parts.append("\n".join(example.source for example in examples) if examples else block.text)
        if parts:
            name = re.sub(r"\W", "_", document.relative_to(ROOT).with_suffix("").as_posix())
            programs[name] = "\n".join(parts)
    assert {"README", "reference_docs_python"} <= programs.keys()
    for name, text in programs.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    # A name that is not public is an error, although names are imported when they are asked for.
    (tmp_path / "typo.py").write_text("import privref\nprivref.audits\nprivref.report.audits\n", encoding="utf-8")
    names = [f"{name}.py" for name in (*programs, "typo")]
    # mypy reads the package once, for this test and for that of the package's own types.
    options = ["--strict", "--config-file=", "--hide-error-context", f"--cache-dir={ROOT / '.mypy_cache'}"]
    command = [sys.executable, "-m", "mypy", *options, *names]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    *errors, _ = done.stdout.splitlines()
    assert [line.partition(" error")[0] for line in errors] == ["typo.py:2:", "typo.py:3:"], done.stdout + done.stderr


def run(command: str, shown: str | None, where: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not command:
        assert shown is None, f"{where}: output of what is not run"
        return
    words = shlex.split(command)
    assert words[0] in ("privref", ".venv/bin/privref"), f"{where}: {command}: not run by this test"
    with pytest.raises(SystemExit) as ended:
        main(words[1:])
    out, err = capsys.readouterr()
    assert ended.value.code in (0, 1, 3, 4), f"{where}: {command}: {err}"
    if shown is not None:
        assert matches(shown, out), f"{where}: {command} prints\n{out}"


def test_the_picture_of_the_readme_is_what_its_command_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is small, and the command that stands below it makes it: copy ``report.svg`` from there where it changed."""
    monkeypatch.chdir(tmp_path)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (sheet,) = (block for block in blocks(readme) if block.title == "releases.csv")
    (tmp_path / sheet.title).write_text(sheet.text, encoding="utf-8")
    drawing = [c for b in blocks(readme) if b.kind == "console" for c, _ in commands(b) if "--plot report.svg" in c]
    assert len(drawing) == 1
    run(drawing[0], None, "README.md", capsys)
    shown = (DOCS / "report.svg").read_text(encoding="utf-8")
    assert (tmp_path / "report.svg").read_text(encoding="utf-8") == shown
    assert len(shown) < 40_000
    assert "](reference/docs/report.svg)" in readme


def test_a_changed_output_is_noticed() -> None:
    """The comparison bites, with and without lines left out."""
    assert matches("a\n...\nd\n", "a  \nb\nc\nd\n")
    assert matches("a\n...\nd\n", "a\nd\n")
    assert not matches("a\n...\nd\n", "a\nb\nc\n")
    assert not matches("a\nb\n", "a\nb\nc\n")
    assert not matches("a.c\n", "abc\n")


def test_a_block_is_found_wherever_it_stands() -> None:
    """Kind, title, indented body and line."""
    (block,) = blocks('text\n\n- item\n\n  ```json title="a.json"\n  {"b": 1}\n  ```\n')
    assert block == Block("json", "a.json", '{"b": 1}\n', 5)


def test_set_up_is_cut_off_and_the_rest_stays() -> None:
    """What is ours of the first command is the audit."""
    assert own("python3 -m venv .venv && .venv/bin/pip install --quiet . && .venv/bin/privref doctor") == (
        ".venv/bin/privref doctor"
    )
    assert own("python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/python -m pytest") == ""
    assert own("rm -rf /") == "rm -rf /"
