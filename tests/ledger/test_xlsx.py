"""XLSX files of bounded size: what unpacks to too much is refused before it is parsed."""

from __future__ import annotations

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

pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")

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
    "a column beyond": (f'{HEAD}<row><c r="ZZZZZZZ2"><v>1</v></c></row>', {}, "no readable XLSX"),
    "a row beyond": (f'{HEAD}<row><c r="A{"9" * 9000}"><v>1</v></c></row>', {}, "no readable XLSX"),
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
    "cut": ("", {"sheet1": f'<worksheet xmlns="{_MAIN}"><sheetData>{HEAD}<row><c><v>1</v>'}, "no readable XLSX"),
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
    with pytest.raises(privref.InputError, match=r"cell A2: '=1/3'.*write the number as text"):
        privref.read_ledger(path)
