"""An audit as rows, frame and notebook table: exact words, safe sides, nothing that a ledger says read as markup."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
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
