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
        ("10^0", "1"), ("0x1p-3", "1/8"), ("½", "1/2"), ("1/2^20", "1/1048576"), ("2⁻³", "1/8"), ("3/10^6", "3e-6"),
        ("√(1/4)", "1/2"), ("ln 1", "0"), ("2⁄3", "2/3"),
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
        ("a,1,n/a", r"line 2, column Delta: privref rejects 'n/a': give a number; 0 where there is none"),
        ("a,1,-", r"line 2, column Delta.*0 where there is none"),
        (
            "a,log 3,0",
            r"line 2, column Privacy loss \(ε\): .*to which base\? if it is the natural logarithm, write ln\(3\)$",
        ),
        ("a,ln(0),0", r"there is no such number"),
        ("a,√-2,0", r"there is no such number"),
        ("a,exp(1001),0", r"too large"),
        ("a,ln 3/2,0", r"write a decimal, rounded up$"),
        ("a,1,2e^-6", r"is it the exponential\? then write 2exp\(-6\); if a power of ten, write 2e-6$"),
        ("a,1,1 e-6", r"is it 1e-6\? write it so"),
        ("a,≥ 2,0", r"not an upper bound"),
        ("a,~ 2,0", r"not an upper bound"),
        ("a,about 2,0", r"not an upper bound"),
        ("a,1,10^x", r"line 2, column Delta: privref rejects '10\^x'"),
        ("a,1,200 %", r"in \[0, 1\]"),
        ("a,1.000 %,0;", r"line 2"),
    ],
)
def test_what_has_no_one_meaning_is_asked(row: str, question: str) -> None:
    with pytest.raises(privref.InputError, match=question):
        events(f"{BOTH}\n{row}\n")


@pytest.mark.parametrize(
    ("written", "formula"),
    [
        ("ln(7/5)", lambda ar: ar.log(Fraction(7, 5))),
        ("≤ 3·ln(2)/7", lambda ar: ar.log(Fraction(2)) * Fraction(3, 7)),
        ("ε = √2", lambda ar: ar.sqrt(Fraction(2))),
        ("2√3", lambda ar: ar.sqrt(Fraction(3)) * 2),
        ("e^-0.5", lambda ar: ar.exp(Fraction(-1, 2))),
        ("exp(500)", lambda ar: ar.exp(Fraction(500))),
    ],
)
def test_an_irrational_guarantee_is_read_between_two_decimals(written: str, formula: decide.Formula) -> None:
    ledger = privref.ledger_from_csv(f"release,epsilon\na,{written}\n", "t")
    exact = decide.enclose(formula, decide.engine("mpmath"), Fraction(1, 10**30))
    (number,) = ledger.rounded
    assert number.least < exact.lower
    assert exact.upper < number.most
    assert number.most < number.least * (1 + Fraction(1, 10**15))
    assert ledger.events[0].label == f"a (epsilon: {written})"


def test_the_decimal_that_is_offered_is_above_the_logarithm() -> None:
    with pytest.raises(privref.InputError) as asked:
        privref.number_text("ln(7/5)")
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
    with pytest.raises(privref.InputError, match=r"ledger line 5, column δ"):
        events(text.replace("1e-6", "x"))
    with pytest.raises(privref.InputError, match=r"line 1: privref rejects 'b,2': this line stands above the header"):
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
    assert len(events("Release,area,ε\na,All,1\nb,Total,1\n")) == 2


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


#: A cell in a column epsilon, and what is said of it.
INSTEAD = {
    "∞": "without a finite bound", "inf": "without a finite bound", "tbd": "not known", "nan": "not known",
    "#DIV/0!": "error of a formula", "10-6": r"write 10\^-6", "1x10-6": r"write 10\^-6", "1-2": "largest value: 2$",
    "0.5 to 0.75": r"largest value: 0\.75$", "2 ± 0.1": r"2\.1$", "2 bits": r"1\.3862944$",
    "0.1 (0.2 from May)": "several numbers", "0.1 and 0.2": "several numbers", "1_000": "without signs",
    "0.1e-": "digits are missing", "1d-3": "is it 1e-3", "5 ppm": "without the unit", "(0.1)": "as parentheses say",
    "12*0.1": "one of the two how often", "=0.1": "write 0.1, without", "0.1?": "number certain",
    "01.05.2025": "a date of a number", "dito": "in every row", "epsilon": "repeats the whole header",
    "0.1 (x12)": "into a column count",
    "---": "holds no release", "2 ln 3/4": "write a decimal, rounded up$",
    "1 1/2": "one fraction: 3/2$", "2*": r"the mark \*", "2 [1]": r"the mark \[1\]", "4²": "the mark ²",
    "0.1 x 30": "one of the two how often", "(1; 1e-6)": "two numbers", "2 (per day)": "did it run more",
    "2/day": "did it run more", "2 daily": "did it run more", "2 (noise added)": "write 2 alone",
    "n/a": "lose nothing", "—": "lose nothing", "": "needs epsilon, 0 if it loses nothing",
}  # fmt: skip


@pytest.mark.parametrize("cell", INSTEAD)
def test_what_stands_in_place_of_a_number_is_asked_with_what_to_write(cell: str) -> None:
    with pytest.raises(privref.InputError, match=f"^ledger line 2.*{INSTEAD[cell]}"):
        events(f'name,epsilon\na,"{cell}"\n')


@pytest.mark.parametrize("cell", ["ε = 2", "eps=2", "epsilon: 2", "ε ≤ 2", "2 nats", "≤ 2 nats", "2nat"])
def test_a_parameter_may_have_its_name_and_its_unit(cell: str) -> None:
    assert events(f"name,epsilon\na,{cell}\n") == [(PureDP(Fraction(2)), 1, "a")]
    with pytest.raises(privref.InputError):
        events(f"name,epsilon,delta\na,1,{cell}\n")


def test_the_root_and_the_bits_that_are_offered_are_above() -> None:
    for cell, number in (("√7", lambda ar: ar.sqrt(7)), ("3 bits", lambda ar: ar.log(Fraction(2)) * 3)):
        with pytest.raises(privref.InputError) as asked:
            events(f"mechanism,sensitivity,scale\nlaplace,{cell},1\n")
        exact = decide.enclose(number, decide.engine("mpmath"), Fraction(1, 10**20))
        assert exact.upper < Fraction(str(asked.value).rsplit(" ", 1)[1]) < exact.lower + Fraction(1, 10**6)


@pytest.mark.parametrize("release", ["daily counts", "Visits (weekly)", "counts per day", "annual report"])
@pytest.mark.parametrize("heading", ["release", "Product"])
def test_a_rhythm_in_a_name_is_asked_unless_a_count_or_a_period_answers(release: str, heading: str) -> None:
    with pytest.raises(privref.InputError, match=f"line 2, column {heading}: .*did it run more than once"):
        events(f"{heading},epsilon\n{release},1\n")
    assert events(f"{heading},epsilon,count\n{release},1,30\n")[0][1] == 30
    period = {"Visits (weekly)": "week", "annual report": "year"}.get(release, "day")
    assert len(events(f"{heading},epsilon,period\n{release},1,{period}\n")) == 1
    with pytest.raises(privref.InputError, match="did it run more than once"):
        events(f"{heading},epsilon,period\n{release},1,month\n")
    assert len(events(f"{heading},epsilon,count,cadence\n{release},1,30,daily\n")) == 1
    with pytest.raises(privref.InputError, match="did it run more than once"):
        events(f"{heading},epsilon,count,cadence\n{release},1,1,daily\n")
    with pytest.raises(privref.InputError, match="did it run more than once"):
        events(f"{heading},epsilon,count,cadence\n{release},1,30,5 times daily\n")


@pytest.mark.parametrize("heading", ["Year", "population", "accuracy"])
def test_a_column_of_numbers_that_is_not_known_is_one_question(heading: str) -> None:
    with pytest.raises(
        privref.InputError, match=f"^ledger line 2, column {heading}: privref rejects '1': privref does not"
    ) as one:
        events(f"name,epsilon,{heading}\n" + "".join(f"r{i},1,{i}\n" for i in range(1, 40)))
    assert not hasattr(one.value, "errors")


#: A heading, and what to do about it.
HEADINGS = {
    "epsilon (%)": "the sign %", "epsilon per year": "column period", "epsilon total": "adds up itself",
    "cumulative epsilon": "adds up itself", "Epsilon spent": "call the column e", "Privacy loss": "call the column e",
    "Perte de confidentialité (ε)": "call the column e", "epsilon (bits)": "in nats", "Δ": "sensitivity, or delta",
}  # fmt: skip


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_that_says_more_than_its_symbol_is_asked(heading: str) -> None:
    with pytest.raises(privref.InputError, match=HEADINGS[heading]) as asked:
        events(f"name,{heading}\na,1\n")
    assert "did you mean" not in str(asked.value)
    if heading != "epsilon (bits)":
        with pytest.raises(privref.InputError, match=f"{HEADINGS[heading]}|does the row lose this too"):
            events(f"name,epsilon,{heading}\na,1,1\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Product,Epsilon\na,1\nb,2\nTotal,3\n", "line 4: .*'Total'.*looks like the total"),
        (",Product,Epsilon\n,a,1\n,b,2\n,Total,3\n", "line 4: .*'Total'.*looks like the total"),
        (",Product,Epsilon\n,daily counts,1\n", "column Product: .*'daily counts'.*did it run more than once"),
        ("Freigabe;ε\na;1\nb;2\nGesamt;3\n", "line 4: .*'Gesamt'.*looks like the total"),
        ("name,ε\na,1\naltogether,1\n", "line 3: .*'altogether'"),
        ("name,ε\na,1\nall of it,1\n", "line 3: .*'all of it'"),
        ("name,ε\na,0.5\nb,0.25\n,0.75\n", r"line 4: .*'0\.75'.*looks like the total"),
        ("name,ε\na,1\nTotal,\n", "line 3: .*'Total'.*looks like the total"),
        ("name,ε,δ\nHouseholds,,\na,1,0\n", "line 2: .*'Households'.*if it is a heading or a note"),
        ("name,ε\na,1\nNote: per person\n", "line 3: .*'Note: per person'.*if it is a note below the table"),
        ("counts,0.5,0\nmap,0.3,0\n", "header: .*'counts,0.5,0'.*is the header missing"),
        ("name,mechanism,b,sensitivity\na,laplace,1,1\n", r"call the column of its noise sigma \(gaussian\) or scale"),
        ("name,mechanism,noise,sensitivity\na,laplace,1,1\n", "column 3: .*'noise'.*such as sigma or scale"),
        ("title: a\nevents:\n  - label: b\n", "YAML"),
    ],
)  # fmt: skip
def test_rows_and_headers_that_are_no_release_are_called_what_they_are(text: str, words: str) -> None:
    with pytest.raises(privref.InputError, match=words):
        events(text)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.csv", b"%PDF-1.7", "PDF"), ("a.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1", "Excel 97"), ("a.xls", b"<html>", "web"),
        ("a.json", b"title: a\nevents:\n - a: 1\n", "YAML"), ("a.txt", b"epsilon\n1\n", r"\.csv.*rename"),
        ("a.numbers", b"PK\x03\x04", "Numbers"), ("a.csv", "epsilon\n1\n".encode("utf-16-be"), "looks like UTF-16"),
    ],
)  # fmt: skip
def test_files_are_what_their_bytes_say(name: str, data: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(privref.InputError, match=words):
        privref.read_ledger(tmp_path / name, parameters="fixed-in-advance")


def test_lines_of_old_macs_and_pipes_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"name|epsilon\ra|1\r")
    (event,) = privref.read_ledger(tmp_path / "a.csv").events
    assert (event.guarantee, event.label) == (PureDP(Fraction(1)), "a")


def test_what_is_no_noise_and_a_range_of_records_are_asked() -> None:
    """Swapping has no epsilon, and fewer records make a larger sampling rate."""
    with pytest.raises(privref.InputError, match="was this published without noise"):
        events("name,mechanism,epsilon\na,swapping,0\nb,laplace,1\n")
    for column, cell in (("dataset size", "50000-60000"), ("noise multiplier", "1-2")):
        row = {
            "noise multiplier": "1",
            "batch size": "256",
            "dataset size": "60000",
            "sampling": "poisson",
            "epochs": "3",
        }
        row[column] = cell
        with pytest.raises(privref.InputError, match=f"column {column}: .*write the smallest value"):
            events(f"{','.join(row)}\n{','.join(row.values())}\n")
