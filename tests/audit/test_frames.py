"""An audit as rows, frame and notebook table: exact words, safe sides, nothing that a ledger says read as markup."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import privref


def audited(document: dict[str, Any], **claim: str) -> privref.Audit:
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", "delta": "1e-9", **claim}]})
    return privref.audit(privref.ledger_from_document(document), claims)


def test_rows_are_rounded_to_the_safe_side(ledger_document: dict[str, Any]) -> None:
    audit = audited(ledger_document, epsilon="1.7")
    (row,) = audit.rows()
    enclosure = audit.opinions[0].bounds[0].enclosure
    assert enclosure is not None
    assert Fraction(row["bound"]) >= enclosure.upper
    assert Fraction(row["margin"]) <= Fraction("1.7") - enclosure.upper
    assert (row["claim"], row["verdict"], row["by"]) == ("c", "confirmed", "kov2015/optimal")
    # The name stands before the id.
    assert row["theorem"].endswith(" (kov2015/optimal)")
    assert list(row).index("theorem") < list(row).index("by")


def test_numbers_are_shown_as_they_were_written(ledger_document: dict[str, Any]) -> None:
    event = {"guarantee": {"kind": "approx-dp", "epsilon": "0.10", "delta": "1e-07"}}
    ledger = privref.ledger_from_document(ledger_document | {"events": [event]})
    assert ledger.rows_of_events()[0]["guarantee"] == "approx-dp(epsilon = 0.10, delta = 1e-07)"
    assert repr(privref.ApproxDPClaim("c", epsilon="0.10", delta="1e-6")) == "<ApproxDPClaim 'c': (0.10, 1e-6)-DP>"


def test_a_bound_that_holds_only_under_a_filter_says_so(ledger_document: dict[str, Any]) -> None:
    (row,) = audited(ledger_document | {"parameters": "chosen-adaptively"}, epsilon="1.7").rows()
    assert row["verdict"] == "conditional"
    assert "only if it was the filter enforced" in row["by"]


def test_what_a_filter_admitted_leaves_no_margin(ledger_document: dict[str, Any]) -> None:
    """The filter guarantees its budget; what was not spent of it is no room between a bound and the claim."""
    budget = {"epsilon": "1.7", "delta": "1e-9", "filter": "rogers2016/thm3.3"}
    document = ledger_document | {"parameters": "chosen-adaptively", "budget": budget}
    (row,) = audited(document, epsilon="1.7").rows()
    assert row["verdict"] == "confirmed"
    assert row["margin"] == ""
    assert "which is what the filter guarantees" in row["by"]


def test_reprs_are_short_and_a_notebook_gets_escaped_html(ledger_document: dict[str, Any]) -> None:
    audit = audited(ledger_document | {"title": "<script>x</script>" * 20}, epsilon="1.7")
    for shown in (audit, audit.ledger, audit.opinions[0], audit.opinions[0].bounds[0]):
        assert len(repr(shown)) < 160
    html = audit._repr_html_()
    assert "<script>" not in html
    assert "confirmed" in html
    assert set(re.findall(r"<(\w+)", html)) == {"table", "caption", "thead", "tbody", "tr", "th", "td"}


def test_a_frame_is_made_by_what_is_installed(ledger_document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    audit = audited(ledger_document, epsilon="1.7")
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=lambda rows: ("polars", rows)))
    assert audit.to_frame() == ("polars", audit.rows())
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(privref.InputError, match="rows"):
        audit.to_frame()
    with pytest.raises(privref.InputError, match="pandas or polars"):
        audit.to_frame("numpy")  # type: ignore[arg-type]


def test_an_enclosure_is_no_float_and_names_both_directions() -> None:
    answer = privref.evaluate("cks2020/zcdp2dp.eps", rho="1", delta="1e-6")
    assert answer.enclosure is not None
    with pytest.raises(TypeError, match=r"float_down.*float_up"):
        float(answer.enclosure)
    assert Fraction(answer.enclosure.float_down) <= answer.enclosure.lower
    assert Fraction(answer.enclosure.float_up) >= answer.enclosure.upper
    assert repr(answer.enclosure) == "<Enclosure [7.76621662531e0, 7.76621662532e0]>"


def test_inputs_by_name_are_those_of_the_mapping() -> None:
    by_name = privref.evaluate("cks2020/zcdp2dp.eps", rho="1", delta="1e-6")
    assert by_name == privref.evaluate("cks2020/zcdp2dp.eps", {"rho": "1", "delta": "1e-6"})
    assert by_name == privref.evaluate("cks2020/zcdp2dp.eps", {"rho": "1"}, delta="1e-6")
    with pytest.raises(privref.InputError, match="twice"):
        privref.evaluate("cks2020/zcdp2dp.eps", {"rho": "1", "delta": "1e-6"}, rho="1")
    with pytest.raises(privref.InputError, match="takes rho, delta"):
        privref.evaluate("cks2020/zcdp2dp.eps", rho="1", epsilon="1")
    with pytest.raises(privref.InputError, match="floats are not exact"):
        privref.evaluate("cks2020/zcdp2dp.eps", rho=0.1, delta="1e-6")


def test_everything_that_a_notebook_shows_is_a_table_and_escaped(ledger_document: dict[str, Any]) -> None:
    """Ledger, claim, bound, calibration and card; what was declared and what is proved stands in it."""
    audit = audited(ledger_document | {"title": "<script>x</script>"}, epsilon="1.7")
    bound = audit.opinions[0].bounds[0]
    calibration = privref.calibrate("basic-filter", budget=("1", "0"), rounds=3)
    shown = {
        "fixed-in-advance": audit.ledger,
        "(1.7, 1e-9)-DP": audit.opinions[0].claim,
        "optimal composition of equal rounds (Kairouz et al. 2015; kov2015/optimal)": bound,
        "0.333333": calibration,
        "optimal composition (mv2016/optimal)": privref.explain("mv2016/optimal"),
        "a theorem proves the claim": audit,
    }
    for words, each in shown.items():
        html = each._repr_html_()
        assert words in html
        assert set(re.findall(r"<(\w+)", html)) <= {"table", "caption", "thead", "tbody", "tr", "th", "td"}


def test_a_long_ledger_shows_its_first_events(ledger_document: dict[str, Any]) -> None:
    events = [{"label": f"e{i}", "guarantee": {"kind": "pure-dp", "epsilon": f"{i + 1}/100"}} for i in range(60)]
    html = privref.ledger_from_document(ledger_document | {"events": events})._repr_html_()
    assert "60 event(s), 60 round(s)" in html
    assert ("e49" in html, "e50" in html, "the first 50 are shown" in html) == (True, False, True)


def test_a_claim_shows_its_numbers_as_they_were_written() -> None:
    """Not 857/50 for 17.14; equal claims are equal however they are written."""
    claim = privref.ApproxDPClaim("a", epsilon="17.14", delta="1e-10")
    assert str(claim) == "(17.14, 1e-10)-DP"
    assert claim == privref.ApproxDPClaim("a", Fraction(857, 50), Fraction(1, 10**10))
    assert hash(claim) == hash(privref.ApproxDPClaim("a", "857/50", "0.0000000001"))
    assert (str(privref.ZCDPClaim("a", "0.10")), str(privref.GaussianDPClaim("a", "0.5"))) == ("0.10-zCDP", "0.5-GDP")
    assert str(privref.ApproxDPClaim("a", Fraction(1, 2), 0)) == "(0.5, 0)-DP"


def test_an_audit_has_a_picture(ledger_document: dict[str, Any], tmp_path: Path) -> None:
    drawn = audited(ledger_document, epsilon="1.7").plot()
    drawn.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == drawn._repr_svg_()
    assert drawn.svg.startswith("<svg ")
    assert "confirmed" in drawn.svg


def test_one_verb_gives_the_epsilon_that_is_proved(ledger_document: dict[str, Any]) -> None:
    """Of a ledger and of a training run; none where it needs a filter that nobody declared."""
    ledger = privref.ledger_from_document(ledger_document)
    found = privref.epsilon(ledger, delta="1e-9")
    claim = privref.ApproxDPClaim("c", privref.from_binary64(found.float_up), "1e-9")
    assert privref.audit(ledger, [claim]).opinions[0].verdict == "confirmed"
    assert found.relative_width_at_most(Fraction(1, 10**6))
    run = {"noise_multiplier": "1", "sampling_rate": "1/100", "num_steps": 10}
    proved = privref.epsilon(run | {"sampling": "poisson"}, "1e-5")
    assert proved.lower < Fraction("0.37991") < proved.upper + Fraction("0.0001")
    with pytest.raises(privref.InputError, match="how the batches were drawn"):
        privref.epsilon(run, "1e-5")
    adaptive = ledger_document | {"parameters": "chosen-adaptively"}
    with pytest.raises(privref.HypothesisError, match="only if a filter enforced it"):
        privref.epsilon(privref.ledger_from_document(adaptive), "1e-9")
    budget = {"epsilon": "1.8", "delta": "1e-9", "filter": "rogers2016/thm3.3"}
    with pytest.raises(privref.HypothesisError, match="no epsilon is proved"):
        privref.epsilon(privref.ledger_from_document(adaptive | {"budget": budget}), "1e-9")


@pytest.mark.parametrize("text", ["epsilon,delta,count\n0.10,0,2\n0.10,0,1\n", "release,epsilon,delta\nA,0.10,0.00\n"])
def test_a_sheet_keeps_its_numbers_as_they_were_written(text: str) -> None:
    ledger = privref.ledger_from_csv(text, "t")
    assert ledger.rows_of_events()[0]["guarantee"].startswith("approx-dp(epsilon = 0.10, delta = 0")
    written = privref.ledger_document(
        ledger, title="t", privacy_unit="person", neighbours="replace-one", parameters="fixed-in-advance",
        interaction="sequential",
    )  # fmt: skip
    assert written["events"][0]["guarantee"]["epsilon"] == "0.10"
    assert privref.ledger_from_document(written).rounds == ledger.rounds
