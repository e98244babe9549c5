"""XLSX files of bounded size: what unpacks to too much is refused before it is parsed."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

import privref
from privref.guarantees.model import PureDP
from privref.ledger import xlsx

openpyxl = pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
    '<Override PartName="/xl/sharedStrings.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}"><si><t>epsilon</t></si><si><t>label</t></si></sst>',
}
HEAD = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'


def packed(path: Path, rows: str, compression: int = zipfile.ZIP_DEFLATED, **parts: str) -> Path:
    """Write a workbook of one sheet with these rows; ``parts`` replace others by the end of their names."""
    sheet = f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, text in {**PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            changed = next((given for end, given in parts.items() if name.endswith(f"{end}.xml")), text)
            archive.writestr(name, changed)
    return path


def test_a_workbook_of_this_form_is_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.xlsx", HEAD + '<row><c><v>0.5</v></c><c t="s"><v>1</v></c></row>' * 2)
    (event,) = privref.read_ledger(path).events
    assert (event.guarantee, event.count, event.label) == (PureDP(Fraction(1, 2)), 2, "label")


BOMBS = {
    "bytes": (HEAD + "<row><c><v>1</v></c></row>" * (xlsx.MOST_BYTES // 26), {}, "unpacks to"),
    "cells of one row": (f"{HEAD}<row>{'<c/>' * xlsx.MOST_TAGS}</row>", {}, "tags of XML"),
    "rows": (HEAD + "<row/>" * xlsx.MOST_TAGS, {}, "tags of XML"),
    "strings": (HEAD, {"sharedStrings": f'<sst xmlns="{_MAIN}">{"<si/>" * xlsx.MOST_TAGS}</sst>'}, "tags of XML"),
    "a far row": (f'{HEAD}<row r="2000000000"><c r="A2000000000"><v>1</v></c></row>', {}, "rows is not read"),
    "far columns": (HEAD + "".join(f'<row><c r="XFD{i}"/></row>' for i in range(2, 200)), {}, "cells or"),
    "a column beyond": (f'{HEAD}<row><c r="ZZZZZZZ2"><v>1</v></c></row>', {}, "not a readable XLSX"),
    "a row beyond": (f'{HEAD}<row><c r="A{"9" * 9000}"><v>1</v></c></row>', {}, "not a readable XLSX"),
    "one long text": (
        f'{HEAD}<row><c><v>1</v></c><c t="s"><v>2</v></c></row>',
        {"sharedStrings": PARTS["xl/sharedStrings.xml"].replace("</sst>", f"<si><t>{'x' * 40_000}</t></si></sst>")},
        "at most 32767 characters",
    ),
    "a text many times": (
        HEAD + '<row><c t="s"><v>2</v></c></row>' * 3000,
        {"sharedStrings": PARTS["xl/sharedStrings.xml"].replace("</sst>", f"<si><t>{'x' * 30_000}</t></si></sst>")},
        "is too large",
    ),
    "entities": (
        f"{HEAD}<row><c><v>&a;</v></c></row>",
        {"sharedStrings": f'<!DOCTYPE sst [<!ENTITY a "{"<si/>" * 100}">]><sst xmlns="{_MAIN}">&a;&a;</sst>'},
        "declares entities",
    ),
    "cut": ("", {"sheet1": f'<worksheet xmlns="{_MAIN}"><sheetData>{HEAD}<row><c><v>1</v>'}, "not a readable XLSX"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_unpacks_to_too_much_is_refused(name: str, tmp_path: Path) -> None:
    rows, parts, words = BOMBS[name]
    path = packed(tmp_path / "a.xlsx", rows, **parts)
    with pytest.raises(privref.InputError) as refused:
        privref.read_ledger(path)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_method_that_may_ask_for_any_memory_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.xlsx", HEAD, zipfile.ZIP_BZIP2)
    with pytest.raises(privref.InputError, match="another method than deflate"):
        privref.read_ledger(path)


def test_a_bomb_takes_neither_time_nor_memory(tmp_path: Path) -> None:
    """Six million rows in 400 kB took more than two minutes and 600 MB; here CPU and memory are limited."""
    path = packed(tmp_path / "a.xlsx", HEAD + "<row><c><v>1</v></c></row>" * 6_200_000)
    assert path.stat().st_size < 600_000

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))

    command = [sys.executable, "-m", "privref", "audit", str(path), "--claim", "1,0"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limits, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "unpacks to" in done.stderr


@pytest.mark.parametrize(
    ("value", "cut"), [("0.33333333333333331", True), ("0.30000000000000004", True), ("0.5", False)]
)
def test_a_formula_whose_value_may_be_cut_is_asked(value: str, cut: bool, tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>epsilon</t></is></c></row>'
    path = packed(tmp_path / "a.xlsx", f'{rows}<row r="2"><c r="A2"><f>1/3</f><v>{value}</v></c></row>')
    if not cut:
        assert privref.read_ledger(path).rounds == 1
        return
    with pytest.raises(privref.InputError, match=r"cell A2: .*'=1/3'.*write the number as text"):
        privref.read_ledger(path)


FORMATS = [
    (5, '0.0"%"', "the words '%'"), (5, "0.0\\%", "the words '%'"),
    (5, "0.0%", ""), (5, "0.0,", "divided by a thousand"),
    (5, "#,##0.00", ""), (5, "0.00E+00", ""), (5, '0" per day"', "'perday'"), (5, "~0.0", "'~' with it"),
    (5, "General", ""),
    (5, "[Red]0.0", ""), (5, '[<1]"small";0.0', "'small'"), (5, '0.0;-0.0;"n/a"', ""), (0, '0.0;-0.0;"n/a"', "'n/a'"),
    (5, ";;;", "nothing"), (5, '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', ""), (5, '"10^-"0', "'10^-'"),
    (0, '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', ""), (5, "[$€-407] #,##0.00", "'€'"),
    (5, '0 "bits"', "'bits'"),
    (5, '0.0" nats"', ""), (0.33, "# ?/?", "a fraction near it"), (0.5, "# ?/?", ""), (1 / 3, "0.00", "may be cut"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "format", "words"), FORMATS)
def test_a_number_that_is_shown_otherwise_is_asked(value: float, format: str, words: str, tmp_path: Path) -> None:
    """A cell that shows 5.0% and holds 5 is read by nobody as 5."""
    book = openpyxl.Workbook()
    book.active.append(["release", "epsilon"])
    book.active.append(["a", value])
    book.active["B2"].number_format = format
    book.save(tmp_path / "a.xlsx")
    if not words:
        (event,) = privref.read_ledger(tmp_path / "a.xlsx").events
        assert getattr(event.guarantee, "epsilon", None) == privref.rational(str(value))
        return
    with pytest.raises(privref.InputError, match=re.escape(words)) as asked:
        privref.read_ledger(tmp_path / "a.xlsx")
    assert "ledger cell B2" in str(asked.value)


RICH = "<si><r><t>10</t></r><r><rPr><{}/></rPr><t>2</t></r></si>"


@pytest.mark.parametrize(("look", "asked"), [('vertAlign val="superscript"', True), ("b", False)])
@pytest.mark.parametrize("shared", [True, False])
def test_raised_letters_are_asked(look: str, asked: bool, shared: bool, tmp_path: Path) -> None:
    """10 with a raised 2 is a hundred or has a footnote, and is not 102."""
    text = RICH.format(look)
    strings = PARTS["xl/sharedStrings.xml"].replace("</sst>", f"{text if shared else ''}</sst>")
    inline = f'<c t="inlineStr">{text.replace("si>", "is>")}</c>'
    cell = '<c t="s"><v>2</v></c>' if shared else inline
    path = packed(tmp_path / "a.xlsx", f"{HEAD}<row>{cell}<c><v>0</v></c></row>", sharedStrings=strings)
    if asked:
        with pytest.raises(privref.InputError, match="raised or lowered; write powers as"):
            privref.read_ledger(path)
    else:
        assert getattr(privref.read_ledger(path).events[0].guarantee, "epsilon", None) == 102


def test_merged_numbers_and_comments_are_asked_with_their_cells(tmp_path: Path) -> None:
    from openpyxl.comments import Comment

    book = openpyxl.Workbook()
    for row in (["Losses", None], ["Release", "Privacy loss (ε)"], ["a", 0.5], ["b", None], ["c", "n/a"]):
        book.active.append(row)
    book.active.merge_cells("A1:B1")
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(privref.InputError, match=r"ledger row 4: .*'b'.*; ledger cell B5: .*'n/a': did this release"):
        privref.read_ledger(tmp_path / "a.xlsx")
    book.active.merge_cells("B3:B4")
    book.active["B5"].comment = Comment("per day", "me")
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(privref.InputError, match=r"cell B5: .*'per day'.*no comments.*cells B3:B4: .*'0.5'.*merged"):
        privref.read_ledger(tmp_path / "a.xlsx")
    (tmp_path / "a.csv").write_bytes((tmp_path / "a.xlsx").read_bytes())
    with pytest.raises(privref.InputError, match=r"this is an XLSX workbook; give its name the ending \.xlsx"):
        privref.read_ledger(tmp_path / "a.csv")
