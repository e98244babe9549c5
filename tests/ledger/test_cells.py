"""Cells and headings as auditors write them: read where they have one meaning, else asked."""

from __future__ import annotations

import codecs
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privref
from privref.exact import decide
from privref.guarantees.model import ZCDP, ApproxDP, PureDP
from privref.ledger.cells import is_total

LOSS, BOTH = "Privacy loss (ε)", "Release,Privacy loss (ε),Delta"


def events(text: str) -> list[tuple[object, int, str]]:
    return [(event.guarantee, event.count, event.label) for event in privref.ledger_from_csv(text, "t").events]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("10^-6", "1e-6"), ("10^(-6)", "1e-6"), ("10**-6", "1e-6"), ("10⁻⁶", "1e-6"), ("1·10⁻⁶", "1e-6"),
        ("2.5 x 10^-7", "2.5e-7"), ("2.5×10⁻⁷", "2.5e-7"), ("3*10^-2", "0.03"), ("≤ 1e-6", "1e-6"), ("<= 0.5", "0.5"),
        ("< 10⁻⁶", "1e-6"), ("at most 1/2", "1/2"), ("50 %", "1/2"), ("0.01%", "1e-4"), ("1e−6", "1e-6"),
        ("10^0", "1"), ("0x1p-3", "1/8"),
    ],
)  # fmt: skip
def test_a_number_with_one_meaning_is_read(written: str, value: str) -> None:
    assert events(f"{BOTH}\na,1,{written}\n") == [(ApproxDP(Fraction(1), Fraction(value)), 1, "a")]


@given(st.integers(1, 999), st.integers(-30, 0))
def test_powers_are_what_they_are_in_the_other_spelling(mantissa: int, exponent: int) -> None:
    raised = str(exponent).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    wanted = [(PureDP(mantissa * Fraction(10) ** exponent), 1, "")]
    for text in (f"{mantissa}·10{raised}", f"{mantissa} * 10^{exponent}", f"≤{mantissa}e{exponent}"):
        assert events(f"epsilon\n{text}\n") == wanted


def test_decimal_commas_and_powers() -> None:
    assert events("Release;ε;δ\na;1,5;2,5·10⁻⁷\n") == [(ApproxDP(Fraction(3, 2), Fraction("2.5e-7")), 1, "a")]


@pytest.mark.parametrize(
    ("row", "question"),
    [
        ("a,1,n/a", r"line 2.delta: 'n/a' refused: give a number; 0 where there is none"),
        ("a,1,-", r"line 2.delta.*0 where there is none"),
        ("a,ln 3,0", r"line 2.epsilon: 'ln 3'.*irrational.*rounded up: 1\.0986123$"),
        ("a,log 3,0", r"to which base"),
        ("a,ln(0),0", r"does not exist"),
        ("a,≥ 2,0", r"not an upper bound"),
        ("a,~ 2,0", r"not an upper bound"),
        ("a,about 2,0", r"not an upper bound"),
        ("a,1,10^x", r"line 2.delta: '10\^x'"),
        ("a,1,200 %", r"in \[0, 1\]"),
        ("a,1.000 %,0;", r"line 2"),
    ],
)
def test_what_has_no_one_meaning_is_asked(row: str, question: str) -> None:
    with pytest.raises(privref.InputError, match=question):
        events(f"{BOTH}\n{row}\n")


def test_the_decimal_that_is_offered_is_above_the_logarithm() -> None:
    with pytest.raises(privref.InputError) as asked:
        events("epsilon\nln(7/5)\n")
    offered = Fraction(str(asked.value).rsplit(" ", 1)[1])
    exact = decide.enclose(lambda ar: ar.log(Fraction(7, 5)), decide.engine("mpmath"), Fraction(1, 10**20))
    assert exact.upper < offered < exact.lower + Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("heading", "guarantee"),
    [
        (LOSS, PureDP(Fraction(1))), ("Epsilon (ε)", PureDP(Fraction(1))), ("ε [nats]", PureDP(Fraction(1))),
        ("Privacy-loss budget (rho)", ZCDP(Fraction(1))), ("PRIVACY LOSS (Ρ)", ZCDP(Fraction(1))),
    ],
)  # fmt: skip
def test_a_heading_is_its_symbol(heading: str, guarantee: object) -> None:
    assert events(f"Release,{heading}\na,1\n") == [(guarantee, 1, "a")]


@pytest.mark.parametrize("heading", ["Privacy loss", "Standard deviation (ε)", "Epsilon (per day)", "ε (δ)", "(x)"])
def test_a_heading_that_may_mean_something_else_is_refused(heading: str) -> None:
    with pytest.raises(privref.InputError):
        events(f"Release,{heading}\na,1\n")


def test_the_header_stands_below_titles() -> None:
    """Cells keep their line, and the separator is the header's."""
    text = "Privacy ledger, of 2025; final\n\n;;\nRelease;ε;δ\na;0,5;1e-6\n"
    assert events(text) == [(ApproxDP(Fraction(1, 2), Fraction(1, 10**6)), 1, "a")]
    with pytest.raises(privref.InputError, match=r"ledger line 5\.δ|ledger line 5\.delta"):
        events(text.replace("1e-6", "x"))
    with pytest.raises(privref.InputError, match=r"line 1: 'b,2' refused: this line stands above the header"):
        events("b,2\nRelease,ε\na,1\n")


@pytest.mark.parametrize(
    "above", ["0.5", "a,10^-6", "a,≤ 2", "a,1·10⁻⁶", "a,~2", "ln 3", "a,50 %", "2025", "x;0,5", "a,b,1/2"]
)
def test_no_event_above_the_header_is_dropped(above: str) -> None:
    """A line without a parameter's name may be an event all the same."""
    with pytest.raises(privref.InputError, match=r"line 2: .*stands above the header and holds a number"):
        events(f"Releases of the year\n{above}\nrelease,epsilon\nb,1\n")


@pytest.mark.parametrize(
    "rows",
    [
        "a,1\nb,2\nTotal,3",
        "a,1\nb,2\nSUM:,4",
        "a,1\nb,2\n,3",
        "a,1\nb,2\nTotal of both,3",
        "a,1\nSummary total,1\nTotal,2",
    ],
)
def test_a_total_is_a_question(rows: str) -> None:
    with pytest.raises(privref.InputError, match="looks like the total of the others"):
        events(f"Release,ε\n{rows}\n")


@pytest.mark.parametrize(
    "rows", ["a,1\nb,2\nc,3", "a,1\nTotal population,2", "a,1\nb,1\nTotal population,3", ",1\n,2\n,3"]
)
def test_a_release_is_no_total(rows: str) -> None:
    assert sum(count for _, count, _ in events(f"Release,ε\n{rows}\n")) >= 2
    assert not is_total("Total population")


def test_nothing_in_one_of_two_sizes() -> None:
    assert events("name,ε,ρ\na,1,n/a\nb,-,2\n") == [(PureDP(Fraction(1)), 1, "a"), (ZCDP(Fraction(2)), 1, "b")]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", "Straße,ε\nä,1\n".encode("utf-16")),
        ("b.csv", codecs.BOM_UTF16_BE + "Straße,ε\nä,1\n".encode("utf-16-be")),
        ("c.csv", "Straße,epsilon\nä,1\n".encode("cp1252")),
        ("d.csv", codecs.BOM_UTF8 + "Straße,ε\nä,1\n".encode()),
    ],
)
def test_encodings(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    (event,) = privref.read_ledger(tmp_path / name).events
    assert (event.guarantee, event.label) == (PureDP(Fraction(1)), "Straße: ä")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("epsilon\n1\n".encode("utf-16-le"))
    with pytest.raises(privref.InputError, match=r"UTF-8|ledger header"):
        privref.read_ledger(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_bytes(b"\x00\xff\xfe")
    with pytest.raises(privref.InputError, match="UTF-8"):
        privref.read_ledger(tmp_path / "b.csv")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a.xls", "Excel 97"),
        ("a.PDF", "PDF"),
        ("a.yaml", "as JSON"),
        ("a.yml", "YAML"),
        ("a.ods", "OpenDocument"),
        ("a.docx", "table"),
    ],
)
def test_other_files_are_called_what_they_are(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("epsilon\n1\n")
    with pytest.raises(privref.InputError, match=words):
        privref.read_ledger(tmp_path / name)
