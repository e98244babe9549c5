"""A long sheet is read into columns, and audited as the same events one by one are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privref
from privref.audit.facts import Facts
from privref.audit.facts.hypotheses import check
from privref.ledger import spreadsheets
from privref.ledger.model import Event, EventColumns
from privref.statements.hypotheses import Hypothesis

CELLS = st.sampled_from(
    ["0.1", "2.5e-12", "0.25", "1", "0.0001", "5.", ".5", "1e-3", "1/8", "0", " 0.2", "007.50", "3e-1"]
)
DELTAS = st.sampled_from(["0", "1e-9", "37e-11", "1e-0", "0.000001", "1/1024", "0.5"])
COUNTS = st.sampled_from(["1", "2", "17"])


def read(text: str, least: int) -> privref.Ledger:
    before = spreadsheets.LEAST
    spreadsheets.LEAST = least
    try:
        return privref.ledger_from_csv(text, "t", parameters="fixed-in-advance", interaction="sequential")
    finally:
        spreadsheets.LEAST = before


@st.composite
def sheets(draw: st.DrawFn) -> str:
    """CSV text of each plain header."""
    header = draw(st.sampled_from(["epsilon,delta", "epsilon,delta,count", "rho", "rho,count"]))
    cells = {"epsilon": CELLS, "rho": CELLS, "delta": DELTAS, "count": COUNTS}
    row = st.tuples(*(cells[name] for name in header.split(","))).map(",".join)
    return "\n".join([header, *draw(st.lists(row, min_size=1, max_size=6))]) + "\n"


def test_numbers_and_counts_beyond_eight_bytes_are_kept_too() -> None:
    """From the first on that needs more; a later cell may give all of them a larger denominator."""
    cells = ["0.1", "0.5", "3" + "0" * 20, "0.25", "0." + "0" * 29 + "1", "0.1", "0.1"]
    counts = ["1", str(2**62), "1", "9", "1", str(2**62), str(2**62)]
    text = "epsilon,delta,count\n" + "".join(f"{e},0,{n}\n" for e, n in zip(cells, counts, strict=True))
    assert tuple(read(text, 1).events) == read(text, 10**9).events


@pytest.mark.parametrize("header", ["epsilon,delta", "rho"])
@pytest.mark.parametrize("deltas", [("0", "0", "0"), ("0", "1e-9", "0")])
def test_more_different_guarantees_than_are_counted(
    monkeypatch: pytest.MonkeyPatch, header: str, deltas: tuple[str, ...]
) -> None:
    """They are said to be more, and nothing else changes."""
    rows = [f"{e},{d}" if "delta" in header else e for e, d in zip(("0.1", "0.2", "0.3"), deltas, strict=True)]
    ledger = read("\n".join([header, *rows]) + "\n", 1)
    before = check(Facts.of(ledger), Hypothesis.EQUAL_PARAMETERS, "kov2015/optimal")
    for module in ("privref.exact.columns", "privref.audit.facts.guarantees", "privref.audit.facts.hypotheses"):
        monkeypatch.setattr(import_module(module), "MOST_MERGED", 2)
    after = check(Facts.of(ledger), Hypothesis.EQUAL_PARAMETERS, "kov2015/optimal")
    assert (before.met, after.met) == (False, False)
    assert after.how == before.how.replace("3 different", "more than 2 different")


@settings(max_examples=30)
@given(sheets())
def test_columns_hold_the_events(text: str) -> None:
    as_columns, as_events = read(text, 1), read(text, 10**9)
    assert isinstance(as_columns.events, EventColumns)
    assert isinstance(as_events.events, tuple)
    assert tuple(as_columns.events) == as_events.events == tuple(as_columns.ran)
    assert as_columns.events[:2] == as_events.events[:2]
    assert (as_columns.rounds, as_columns.digest) == (as_events.rounds, as_events.digest)
    ours, theirs = Facts.of(as_columns), Facts.of(as_events)
    mine, other = ours.guarantees, theirs.guarantees
    assert dict(mine.epsilons) == dict(other.epsilons)
    assert {rho for rho, _ in mine.rhos} == {rho for rho, _ in other.rhos}
    sums = ("approx_delta", "rho", "zcdp_delta", "unknown", "renyi", "distinct", "has_approx", "has_zcdp", "different")
    for name in sums:
        assert getattr(mine, name) == getattr(other, name), name
    assert ours.mechanisms.gaussian == theirs.mechanisms.gaussian
    for name in ("refused", "fixed"):
        assert getattr(ours.declarations, name) == getattr(theirs.declarations, name), name
    for hypothesis in (each for each in Hypothesis if each not in (Hypothesis.TUNING_IN_ADVANCE,)):
        try:
            found = check(theirs, hypothesis, "rogers2016/thm2.9")
        except KeyError:
            continue
        assert check(ours, hypothesis, "rogers2016/thm2.9") == found


TEXTS: Sequence[str] = (
    "epsilon,delta,count\n0.1,0,10\n0.05,1e-9,7\n0.1,0,2\n0.75,0,1\n",
    "epsilon,delta\n0.1,0\n0.1,0\n0.1,0\n",
    "rho\n0.01\n0.02\n0.005\n",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("epsilon", ["0.3", "1", "3"])
def test_the_verdicts_are_the_same(text: str, epsilon: str) -> None:
    """Whatever is proved, refuted or left open, with the same bounds; and the certificates verify."""
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "e", "epsilon": epsilon, "delta": "1e-6"}, {"id": "r", "rho": "0.04"}]}
    )
    ours, theirs = (privref.audit(read(text, least), claims) for least in (1, 10**9))
    for one, other in zip(ours.opinions, theirs.opinions, strict=True):
        assert (one.verdict, one.inapplicable) == (other.verdict, other.inapplicable)
        assert [bound.application.by for bound in one.bounds] == [bound.application.by for bound in other.bounds]
        for first, second in zip(one.bounds, other.bounds, strict=True):
            assert (first.value, first.note) == (second.value, second.note)
            assert (first.enclosure is None) == (second.enclosure is None)
            if first.enclosure is not None and second.enclosure is not None:
                assert first.enclosure.intersection(second.enclosure) is not None


def test_a_certificate_of_a_long_sheet_verifies(tmp_path: Path) -> None:
    text = "epsilon,delta\n" + "".join(f"0.000{i:04d},1e-15\n" for i in range(1, spreadsheets.LEAST + 2))
    path = tmp_path / "long.csv"
    path.write_text(text)
    ledger = privref.read_ledger(
        path, parameters="fixed-in-advance", neighbours="replace-one", interaction="sequential"
    )
    assert isinstance(ledger.events, EventColumns)
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1000", "delta": "1e-6", "by": "rogers2016/thm2.9"}]}
    )
    audit = privref.audit(ledger, claims)
    assert audit.opinions[0].verdict == "confirmed"
    assert privref.verify(privref.certificates(audit)["c"]).outcome == "verified"


@pytest.mark.parametrize(
    "row", ["-1,0", "0.1,2", "0.1", "0.1,0,0", "x,0", "1/0,0", "1_0,0", "٣,0", ",0", ".,0", "0.1,1.5", "nan,0"]
)
def test_what_is_refused_is_refused_in_the_same_words(row: str) -> None:
    messages = set()
    for least in (1, 10**9):
        with pytest.raises(privref.InputError) as refused:
            read(f"epsilon,delta\n0.1,0\n{row}\n", least)
        messages.add(str(refused.value))
    assert len(messages) == 1


@pytest.mark.parametrize("cells", [["0x1p-3", "0.5"], [f"1/{p}" for p in (3, 7, 10**40 + 1, 10**41 + 3)]])
def test_numbers_without_a_common_denominator_stay_as_they_are(cells: list[str]) -> None:
    """So do hexadecimal floats, which reports print as they came."""
    ledger = read("rho\n" + "".join(f"{cell}\n" for cell in cells), 1)
    assert isinstance(ledger.events, tuple)
    assert [privref.spell(event.guarantee.rho) for event in ledger.events] == [
        privref.spell(privref.rational(cell)) for cell in cells
    ]


@pytest.mark.parametrize("header", ["epsilon,delta", "rho"])
def test_an_audit_of_columns_makes_no_event_for_each_row(monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    """What asks every event of a long ledger takes ten times as long as reading it."""
    rows = [f"0.00{i:04d}1{',1e-12' if 'delta' in header else ''}" for i in range(3000)]
    ledger = read("\n".join([header, *rows]) + "\n", 1)
    made = []
    real = EventColumns.__getitem__

    def counted(self: EventColumns, place: int | slice) -> Event | tuple[Event, ...]:
        made.append(place)
        return real(self, place)

    monkeypatch.setattr(EventColumns, "__getitem__", counted)
    claim = {"id": "c", "epsilon": "99", "delta": "1e-6"}
    found = privref.audit(ledger, privref.claims_from_document({"schema": "claims.1", "claims": [claim]}))
    assert found.opinions[0].verdict == "confirmed"
    assert len(made) < 20


def test_an_event_is_made_when_it_is_asked_for() -> None:
    ledger = read("epsilon,delta\n0.125,1/3\n0.5,0\n", 1)
    assert ledger.events[1] == Event(privref.ledger_from_csv("epsilon,delta\n0.5,0\n", "t").events[0].guarantee)
    assert ledger.events[0].guarantee.delta == Fraction(1, 3)


@pytest.mark.parametrize("cell", ["1e-", ".5e-", "7e-"])
@pytest.mark.parametrize("rows", ["0.1,1e-9\n{},37e-11", "0.1,1e-9\n0.1,{}"])
def test_an_exponent_without_digits_is_refused(cell: str, rows: str) -> None:
    with pytest.raises(privref.InputError, match=f"privref rejects '{cell}'"):
        read("epsilon,delta\n" + rows.format(cell) + "\n", 1)
