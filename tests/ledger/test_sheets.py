"""Spreadsheets: what is clear is read exactly, what is not is refused with its cell, all of it at once."""

from __future__ import annotations

import datetime
import io
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.audit import summary
from privref.exact.errors import InputErrors
from privref.guarantees.model import ZCDP, ApproxDP, BoundedRange, GaussianDP, ProbabilisticDP, PureDP
from privref.ledger.model import Budget, Event

#: What a sheet does not say, and a certificate's ledger states.
DECLARED: dict[str, Any] = {
    "neighbours": "replace-one", "parameters": "fixed-in-advance", "interaction": "sequential",
}  # fmt: skip


def read(text: str) -> list[tuple[Any, int, str]]:
    return [(event.guarantee, event.count, event.label) for event in privref.ledger_from_csv(text, "t").events]


def test_release_datum_epsilon_delta() -> None:
    text = "Release;Datum;Epsilon;Delta\nKarte;2024-01-02;0,5;1e-9\nTabelle;;0,25;0\n"
    assert read(text) == [
        (ApproxDP(Fraction(1, 2), Fraction(1, 10**9)), 1, "Karte (2024-01-02)"),
        (ApproxDP(Fraction(1, 4), Fraction(0)), 1, "Tabelle"),
    ]


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("DELTA,Epsilon\n1e-6,0.5\n", (ApproxDP(Fraction(1, 2), Fraction(1, 10**6)), 1, "")),
        ("eps\n1/3\n", (PureDP(Fraction(1, 3)), 1, "")),
        ("count\tRho\tdelta\n3\t0,1\t0\n", (ZCDP(Fraction(1, 10)), 3, "")),
        ("μ;name\n1,5;a\n", (GaussianDP(Fraction(3, 2)), 1, "a")),
        ("ρ;ε;comment\n;2;so far\n", (PureDP(Fraction(2)), 1, "comment: so far")),
        ('epsilon,delta,label\n"0,5",0,"a, b"\n', (ApproxDP(Fraction(1, 2), Fraction(0)), 1, "a, b")),
        ("epsilon;delta\n1.0000;0,001\n", (ApproxDP(Fraction(1), Fraction(1, 1000)), 1, "")),
        ("epsilon;delta\n0.125;0.001\n", (ApproxDP(Fraction(1, 8), Fraction(1, 1000)), 1, "")),
        ("epsilon,delta,label\n1.000,0,x\n", (ApproxDP(Fraction(1), Fraction(0)), 1, "x")),
        ("epsilon;delta\n0x1.999999999999ap-4;0\n", (ApproxDP(Fraction(0.1), Fraction(0)), 1, "")),
    ],
)
def test_columns_in_any_order_case_and_dialect(text: str, event: tuple[Any, int, str]) -> None:
    assert read(text) == [event]


@given(st.permutations(["epsilon", "delta", "count", "label"]), st.sampled_from([",", ";", "\t"]), st.booleans())
def test_the_order_of_columns_changes_nothing(order: list[str], delimiter: str, upper: bool) -> None:
    rows = [{"epsilon": "0.5", "delta": "1e-9", "count": "2", "label": "a"},
            {"epsilon": "1/3", "delta": "0", "count": "1", "label": "b"}]  # fmt: skip
    head = delimiter.join(name.upper() if upper else name for name in order)
    text = "\n".join([head, *(delimiter.join(row[name] for name in order) for row in rows)])
    assert read(text) == [
        (ApproxDP(Fraction(1, 2), Fraction(1, 10**9)), 2, "a"),
        (ApproxDP(Fraction(1, 3), Fraction(0)), 1, "b"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epsilon;delta\n1,500;0\n", "line 2, column epsilon.*thousands; write 1.5000 or 1500"),
        ("epsilon;delta\n1.234,5;0\n", "line 2, column epsilon"),
        ("epsilon;delta\n1.000;0\n", "line 2, column epsilon: .*'1.000'.*thousands; write 1.0000 or 1000"),
        ("epsilon;delta\n1,000,000;0\n", "line 2, column epsilon.*thousands; write 1000000"),
        ("epsilon;delta\n1.000.000;0\n", "line 2, column epsilon.*thousands; write 1000000"),
        ('epsilon,delta\n1.000,0\n"0,5",0\n', "line 2, column epsilon.*thousands"),
        ("rho\tdelta\n0,5\t0\n2.000\t0\n", "line 3, column rho.*thousands"),
        ("Release;Anzahl;Epsilon;Delta\nKarte;1.000;0,001;0\n", "line 2, column Anzahl: .*'1.000'.*digits"),
        ("rho,count\n1,1.000\n", "line 2, column count: .*'1.000'.*digits"),
        ("rho,count\n1,2e3\n", "line 2, column count.*digits"),
        ("epsilon;delta\n;0\n", "line 2.*needs epsilon"),
        ("epsilon;delta\n1;\n", r"line 2, column delta is empty"),
        ("epsilon;rho\n1;1\n", "line 2.*epsilon, rho"),
        ("mu;delta\n1;1e-9\n", "Gaussian DP has no delta"),
        ("epsilom;delta\n1;0\n", "epsilom: if each row.*call the column epsilon"),
        ("epsilon,eps\n1,1\n", "two columns mean epsilon"),
        (
            "epsilon,rate\n1,0.1\n",
            "line 2, column rate: privref rejects '0.1': it belongs to a mechanism.*mechanism and sigma",
        ),
        ("epsilon,deltas\n1,0.1\n", "column deltas.*call the column delta"),
        ("epsilon,count,label\n1,,x\n", "line 2, column count"),
        ("epsilon,delta,Decision\n1,0,halt\n", "line 2, column Decision: privref rejects 'halt'.*JSON ledger"),
        ("epsilon,delta,decision,label\n1,0,approved,x\n", "line 2, column decision: privref rejects 'approved'"),
        ("epsilon,kind\n1,zcdp\n", "line 2, column kind: privref rejects 'zcdp': zcdp has no epsilon; give rho"),
        ("rho,kind\n1,gdp\n", "line 2, column kind: .*'gdp'.*did you mean gaussian-dp"),
        ("epsilon,kind\n1,approximate_dp\n", "line 2, column kind.*did you mean approx-dp"),
        ("epsilon,kind\n1,rdp\n", "line 2, column kind: .*'rdp'.*JSON ledger"),
        ("epsilon,kind\n1,histogram\n", "line 2, column kind: .*'histogram'.*column label"),
        ("epsilon,kind\n1,approx-dp\n", r"line 2.delta is missing"),
        ("epsilon,delta,kind\n1,1e-9,pure-dp\n", "line 2, column delta.*pure-dp has no delta"),
        ("epsilon,type\n1,zCDP\n", "line 2, column type: .*'zCDP'.*read as pure-dp.*column kind"),
        ("rho,notion\n1,Approximate zCDP\n2,RDP\n", "line 3, column notion: .*'RDP'.*read as zcdp"),
        ("epsilon,delta,noise\n1,0,Gaussian\n", "line 2, column noise: .*'Gaussian'.*with delta 0"),
        ("epsilon,mechanism\n1,Gaussian mechanism\n", "line 2, column mechanism.*with delta 0"),
        ("epsilon,Neighbors\n1,replace-one\n", "header, column 2: .*'Neighbors'.*--neighbours"),
        ("epsilon,Observed Cell\n1,bottom\n", "header, column 2: .*'Observed Cell'.*JSON ledger"),
        ("epsilon,selected\n1,above-threshold\n", "header, column 2: .*'selected'.*JSON ledger"),
    ],
)
def test_what_is_not_clear_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(privref.InputError, match=message):
        read(text)


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("epsilon,kind\n1,bounded-range\n", (BoundedRange(Fraction(1)), 1, "")),
        ("epsilon,delta,Kind\n1,1e-9,pdp\n", (ProbabilisticDP(Fraction(1), Fraction(1, 10**9)), 1, "")),
        ("epsilon,delta,kind\n1,0,Pure-DP\n", (PureDP(Fraction(1)), 1, "")),
        ("epsilon,delta,kind\n1,0,\n", (ApproxDP(Fraction(1), Fraction(0)), 1, "")),
        ("rho,guarantee\n1,zCDP\n", (ZCDP(Fraction(1)), 1, "")),
        ("mu,kind\n1,gaussian-dp\n", (GaussianDP(Fraction(1)), 1, "")),
        ("epsilon,mechanism\n1,Laplace\n", (PureDP(Fraction(1)), 1, "mechanism: Laplace")),
        ("epsilon,delta,noise\n1,1e-9,Gaussian\n", (ApproxDP(Fraction(1), Fraction(1, 10**9)), 1, "noise: Gaussian")),
        ("epsilon,delta,type\n1,0,pure\n", (ApproxDP(Fraction(1), Fraction(0)), 1, "type: pure")),
        ("rho,notion\n1,Approximate zCDP\n", (ZCDP(Fraction(1)), 1, "notion: Approximate zCDP")),
    ],
)
def test_a_kind_means_in_a_sheet_what_it_means_in_a_batch(text: str, event: tuple[Any, int, str]) -> None:
    assert read(text) == [event]
    ledger = privref.ledger_from_csv(text, "t")
    said: dict[str, Any] = {"neighbours": "replace-one", "parameters": "fixed-in-advance", "interaction": "sequential"}
    document = privref.ledger_document(ledger, title="t", privacy_unit="person", **said)
    assert privref.ledger_from_document(document).events[0].guarantee == event[0]


def test_a_decision_means_in_a_sheet_what_it_means_in_a_batch() -> None:
    assert read("epsilon,delta,decision,label\n1,0,continue,x\n1,0,,x\n") == [
        (ApproxDP(Fraction(1), Fraction(0)), 2, "x")
    ]


def test_all_refusals_come_at_once_and_none_hides_another() -> None:
    with pytest.raises(InputErrors) as refused:
        read("epsilon,delta\n1,2\nx,0\n1,0\n-1,y\n")
    places = [error.field for error in refused.value.errors]
    assert places == [
        "ledger line 2, column delta",
        "ledger line 3, column epsilon",
        "ledger line 5, column epsilon",
        "ledger line 5, column delta",
    ]
    assert "\n" not in str(refused.value)


def test_refusals_of_a_document_come_at_once_with_what_was_meant(ledger_document: dict[str, Any]) -> None:
    ledger_document["neighbors"] = ledger_document.pop("neighbours")
    ledger_document["interaction"] = "Sequental"
    with pytest.raises(InputErrors) as refused:
        privref.ledger_from_document(ledger_document)
    said = [str(error) for error in refused.value.errors]
    assert any("did you mean neighbours?" in text for text in said)
    assert any("did you mean sequential?" in text for text in said)
    assert not any("missing" in text for text in said)


def test_what_a_sheet_can_not_say_is_asked_for() -> None:
    """Undeclared parameters: the claim holds under one filter, or if all parameters were fixed in advance."""
    claims = [privref.ApproxDPClaim("c", epsilon="0.75", delta="1e-9")]
    text = "Release;Epsilon;Delta\na;0,5;1e-9\nb;0,25;0\n"
    (silent,) = privref.audit(privref.ledger_from_csv(text, "t"), claims).opinions
    (adaptive,) = privref.audit(privref.ledger_from_csv(text, "t", parameters="chosen-adaptively"), claims).opinions
    (fixed,) = privref.audit(privref.ledger_from_csv(text, "t", parameters="fixed-in-advance"), claims).opinions
    assert (silent.verdict, adaptive.verdict, fixed.verdict) == ("conditional", "conditional", "confirmed")
    assert "Then add --parameters fixed-in-advance." in summary.advice(silent)[1]
    assert "fixed-in-advance" not in summary.advice(adaptive)[1]


def test_standard_input_is_csv_or_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Rho;Label\n0,5;a\n")))
    assert privref.read_ledger("-").events[0].label == "a"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"schema": "ledger.1"}')))
    with pytest.raises(privref.InputError, match="required"):
        privref.read_ledger("-")


def test_an_xlsx_file_is_read_as_what_was_typed_and_its_certificate_verifies(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")
    book = openpyxl.Workbook()
    book.active.append(["Name", "Date", "rho", "Count"])
    book.active.append(["map", datetime.date(2024, 1, 2), 0.1, 3])
    book.active.append([None, None, None, None])
    book.active.append(["table", None, "1/3", 1])
    path = tmp_path / "spends.xlsx"
    book.save(path)
    ledger = privref.read_ledger(path, **DECLARED)
    assert [(event.guarantee, event.count, event.label) for event in ledger.events] == [
        (ZCDP(Fraction(1, 10)), 3, "map (2024-01-02)"),
        (ZCDP(Fraction(1, 3)), 1, "table"),
    ]
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "8", "delta": "1e-9"}]}
    )
    certificate = privref.certificates(privref.audit(ledger, claims))["c"]
    found = privref.verify(certificate)
    assert (found.outcome, len(found.unchecked)) == ("verified", 1)
    assert certificate["ledger"]["document"]["events"][0]["guarantee"] == {"kind": "zcdp", "rho": "0.1"}


def workbook(path: Path, *sheets: list[list[Any]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")
    book = openpyxl.Workbook()
    for page in [book.active, *(book.create_sheet() for _ in sheets[1:])]:
        for row in sheets[book.worksheets.index(page)]:
            page.append(row)
    book.save(path)
    return path


def test_a_formula_that_was_saved_without_its_value_is_refused(tmp_path: Path) -> None:
    """openpyxl saves no values of formulas; the row had no value at all, and vanished."""
    path = workbook(tmp_path / "x.xlsx", [["epsilon", "delta"], [0.1, 0], ["=A2*100", "=B2"]])
    with pytest.raises(InputErrors, match=r"cell A3: .*'=A2\*100'.*without its value.*cell B3: .*'=B2'") as refused:
        privref.read_ledger(path)
    assert "\n" not in str(refused.value)


def test_a_formula_counts_as_the_value_that_was_saved_with_it(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", [["epsilon", "delta"], ["=A9", 0]])
    rewrite(path, b"<f>A9</f>", b"<f>A9</f><v>0.5</v>")
    for nothing in (b"<v />", b"<v></v>"):  # As openpyxl writes it without lxml, and with it.
        rewrite(path, nothing, b"", missing=True)
    assert privref.read_ledger(path).events[0].guarantee == ApproxDP(Fraction(1, 2), Fraction(0))


def test_a_second_sheet_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["epsilon", "delta"], [0.1, 0]]
    path = workbook(tmp_path / "x.xlsx", rows, [], [["epsilon", "delta"], [5, 0]])
    with pytest.raises(privref.InputError, match=r"'Sheet, Sheet2'.*several sheets are filled"):
        privref.read_ledger(path)
    for sheets in ([rows, []], [[], rows]):
        path = workbook(tmp_path / "x.xlsx", *sheets)
        assert privref.read_ledger(path).events[0].guarantee == ApproxDP(Fraction(1, 10), Fraction(0))


def test_a_file_that_says_it_is_smaller_than_it_is_is_read_whole(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", [["rho", "name"], [0.1, "a"], [0.2, None], [0.3, "c"]])
    rewrite(path, b'<dimension ref="A1:B4"', b'<dimension ref="A1:B2"')
    assert [event.guarantee for event in privref.read_ledger(path).events] == [
        ZCDP(Fraction(tenths, 10)) for tenths in (1, 2, 3)
    ]


def rewrite(path: Path, old: bytes, new: bytes, *, missing: bool = False) -> None:
    """Replace what stands in the first sheet of an XLSX file, or may be ``missing`` there."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert missing or old in parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(old, new)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def test_a_certificate_of_a_sheet_is_about_what_was_read(tmp_path: Path) -> None:
    path = tmp_path / "freigaben.csv"
    path.write_text("Release;Epsilon;Delta\na;0,5;1e-9\nb;0,25;0\n")
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1", "delta": "1e-9"}]}
    )
    for wanting in DECLARED:
        less = {name: value for name, value in DECLARED.items() if name != wanting}
        made = privref.certificates(privref.audit(privref.read_ledger(path, **less), claims))
        if wanting == "interaction":  # releases that may have overlapped: what assumes least
            assert made["c"]["ledger"]["document"]["interaction"] == "concurrent"
            assert made["c"]["commentary"]["sheet"]["undeclared"] == ["interaction"]
            assert privref.verify(made["c"]).outcome == "verified"
            continue
        assert not made
        assert f"--{wanting}" in made.missing["c"] or made.missing["c"].startswith("conditional says"), made.missing
    ledger = privref.read_ledger(path, **DECLARED)
    certificate = privref.certificates(privref.audit(ledger, claims))["c"]
    found = privref.verify(certificate)
    assert found.outcome == "verified"
    assert found.unchecked == (
        f"that the sheet with the SHA-256 {ledger.digest} says what the ledger in this certificate says",
    )
    with pytest.raises(privref.InputError, match="leave --ledger out"):
        privref.verify(certificate, path)
    certificate["ledger"]["document"]["events"][0]["guarantee"]["epsilon"] = "3/5"
    assert privref.verify(certificate).outcome == "failed"


def test_a_sheet_becomes_a_ledger_that_says_the_same() -> None:
    sheet = privref.ledger_from_csv("Release;Rho;Count\na;0,1;3\nb;1/3;1\n", "t")
    document = privref.ledger_document(
        sheet, title="t", privacy_unit="person", neighbours="replace-one", parameters="fixed-in-advance",
        interaction="sequential",
    )  # fmt: skip
    ledger = privref.ledger_from_document(document)
    assert ledger.events == sheet.events
    assert document["events"][0] == {"label": "a", "count": 3, "guarantee": {"kind": "zcdp", "rho": "0.1"}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"document": {"schema": "ledger.1"}}, "already"),
        ({"neighbours": "replace-one"}, "the ledger declares replace-one"),
        ({"budget": Budget(Fraction(0), Fraction(1))}, "more than a spreadsheet"),
        ({"events": (Event(PureDP(Fraction(1)), decision="reject"),)}, "only a guarantee, a count and a label"),
        ({"events": (Event(PureDP(Fraction(1)), part=("zip", "1")),)}, "only a guarantee, a count and a label"),
    ],
    ids=str,
)
def test_what_a_spreadsheet_can_not_say_is_not_lost(change: dict[str, Any], words: str) -> None:
    ledger = replace(privref.ledger_from_csv("epsilon,delta\n1,0\n", "t"), **change)
    with pytest.raises(privref.InputError, match=words):
        privref.ledger_document(
            ledger,
            title="t",
            privacy_unit="person",
            neighbours="add-or-remove-one",
            parameters="fixed-in-advance",
            interaction="sequential",
        )
