"""What a change does to the best bound, how ledgers differ, and what may be said of a confirmed claim."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import privref
from privref.audit.changes import changed, diff, event_from, what_if
from privref.audit.notices import attack_success, notices
from privref.guarantees.model import OutputDP, RenyiDP
from privref.ledger.model import Budget, Event


def zcdp(*rhos: str, **changes: str) -> privref.Ledger:
    events = [{"label": f"q{i}", "guarantee": {"kind": "zcdp", "rho": rho}} for i, rho in enumerate(rhos)]
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": events, **changes,
        }
    )  # fmt: skip


def confirmed(ledger: privref.Ledger, epsilon: str, delta: str = "1e-6") -> privref.Audit:
    claim = {"id": "c", "epsilon": epsilon, "delta": delta}
    return privref.audit(ledger, privref.claims_from_document({"schema": "claims.1", "claims": [claim]}))


def test_what_is_added_costs_what_a_ledger_with_it_costs() -> None:
    found = what_if(zcdp("0.1", "0.2"), "1e-6", target="5", add=[event_from("rho=0.05,count=2")], remove=["q1"])
    (alone, *_), _, _ = privref.compare(zcdp("0.2"), "1e-6")
    assert found.after is not None
    assert found.after.enclosure == alone.enclosure
    assert found.before is not None
    assert found.before.enclosure is not None
    assert found.left is not None
    assert found.after.enclosure is not None
    assert found.left.lower == 5 - found.after.enclosure.upper


def test_the_rho_that_is_left_can_be_spent_and_no_more() -> None:
    """What remains, rounded down, still fits in the target; a little more does not."""
    ledger = zcdp("0.1", "0.2")
    found = what_if(ledger, "1e-6", target="5")
    assert found.rho_left is not None
    least = found.rho_left.lower
    for extra, fits in ((least, True), (least + Fraction(1, 10**9), False)):
        more = what_if(ledger, "1e-6", target="5", add=[event_from(f"rho={extra}")])
        assert more.left is not None
        assert (more.left.lower >= 0, more.left.upper < 0) == (fits, not fits)


def test_the_rho_that_is_left_beside_dp_rounds() -> None:
    """Moments give the best bound, and their rho is the sum of epsilon tanh(epsilon/2) and rho: what is left fits."""
    pure = event_from("epsilon=0.3,count=4")
    ledger = replace(zcdp("0.1"), events=(*zcdp("0.1").events, pure))
    found = what_if(ledger, "1e-6", target="5")
    assert found.after is not None
    assert found.after.application.by == "mironov2017/mixed"
    assert (found.rho_by, what_if(zcdp("0.1"), "1e-6", target="5").rho_by) == (
        "whitehouse2023/thm1.tight",
        "whitehouse2023/thm1",
    )
    assert found.rho_left is not None
    most = privref.evaluate("cks2020/zcdp2dp.rho", {"eps": "5", "delta": "1e-6"}).enclosure
    assert most is not None
    context = mpmath.mp.clone()
    context.dps = 40
    tanh = Fraction(int(context.tanh(context.mpf(3) / 20) * 10**35), 10**35)
    # Four rounds of 0.3 tanh(0.15), enclosed.
    least, largest = (Fraction(12, 10) * end for end in (tanh - Fraction(1, 10**34), tanh + Fraction(1, 10**34)))
    assert found.rho_left.lower <= most.upper - Fraction(1, 10) - least
    assert most.lower - Fraction(1, 10) - largest <= found.rho_left.upper
    more = what_if(ledger, "1e-6", target="5", add=[event_from(f"rho={found.rho_left.lower}")])
    assert more.left is not None
    assert more.left.lower >= 0
    # A target that moments reach and their rho does not: nothing is said to be missing.
    assert found.after.enclosure is not None
    just = what_if(ledger, "1e-6", target=found.after.enclosure.upper)
    assert just.left is not None
    assert (just.left.lower, just.rho_left, just.rho_by) == (0, None, None)
    short = what_if(ledger, "1e-6", target="2")
    assert short.rho_left is not None
    assert short.rho_left.upper < 0
    document = privref.report.what_if_document(found)
    assert document["rho_left_by"] == "whitehouse2023/thm1.tight"


def test_an_event_is_removed_by_label_or_place_and_a_slip_is_answered() -> None:
    ledger = zcdp("0.1", "0.2", "0.3")
    assert [event.label for event in changed(ledger, remove=["q1"]).events] == ["q0", "q2"]
    assert [event.label for event in changed(ledger, remove=["#1", "#3"]).events] == ["q1"]
    with pytest.raises(privref.InputError, match="did you mean q2"):
        changed(replace(ledger, events=ledger.events), remove=["qq2"])


@pytest.mark.parametrize(
    "text", ["rho", "rho=1,rho=2", "rho=-1", "epsilon=0.1,rho=1", "x=1", "mu=1,delta=1e-9", "rho=1,count=0"]
)
def test_an_event_that_can_not_be_meant_is_refused(text: str) -> None:
    with pytest.raises(privref.InputError):
        event_from(text)


def test_ledgers_differ_in_what_a_theorem_may_use() -> None:
    one, other = zcdp("0.1", "0.2"), zcdp("0.1", "0.3", neighbours="add-or-remove-one")
    found = diff(one, other, "1e-6")
    assert dict(found.declared) == {"neighbours": ("replace-one", "add-or-remove-one")}
    assert [said for said, _ in found.only_first] == ["q1: zcdp (rho = 0.2, delta = 0)"]
    assert [said for said, _ in found.only_second] == ["q1: zcdp (rho = 0.3, delta = 0)"]
    assert diff(one, zcdp("0.1", "0.2")).same


def test_costs_by_order_and_by_cell_are_numbers() -> None:
    renyi = RenyiDP(((Fraction(2), Fraction(1, 10)), (Fraction(5, 2), Fraction(1, 3))))
    cells = OutputDP((("yes: 1, no", Fraction(1)),), Fraction(0))
    one, other = (replace(zcdp("0.1"), events=(Event(guarantee, 1, "a"),)) for guarantee in (renyi, cells))
    found = diff(one, other)
    assert found.only_first == (("a: rdp (orders = 2: 0.1, 2.5: 1/3, delta = 0)", 1),)
    assert found.only_second == (("a: output-dp (cells = 'yes: 1, no': 1, delta = 0)", 1),)


def test_a_long_list_is_printed_where_it_differs() -> None:
    """The document keeps all of it."""
    costs = {order: Fraction(order, 100) for order in range(2, 12)}
    one, other = (
        replace(zcdp("0.1"), events=(Event(RenyiDP(tuple((Fraction(k), v) for k, v in each.items())), 1, "a"),))
        for each in (costs, costs | {5: Fraction(1, 3)})
    )
    found = diff(one, other)
    said = _said(privref.report.diff_report(found))
    assert said.splitlines() == [
        "- a: rdp (orders = 2: 0.02, …, 5: 0.05, …, delta = 0) x 1",
        "+ a: rdp (orders = 2: 0.02, …, 5: 1/3, …, delta = 0) x 1",
    ]
    assert "11: 0.11" in privref.report.diff_document(found)["only_first"][0]["event"]
    (alone,) = diff(one, replace(one, events=())).only_first
    assert alone[0] in _said(privref.report.diff_report(diff(one, replace(one, events=()))))


def _said(found: Any) -> str:
    text = io.StringIO()
    Console(file=text, width=1000).print(found)
    return text.getvalue()


def test_a_bound_under_a_filter_is_said_with_its_budget() -> None:
    """Without a declared budget none is made up, and where one is the number is the budget, and is not what ran."""
    free = replace(zcdp("0.1"), parameters="chosen-adaptively")
    found = what_if(free, "1e-6")
    assert found.before is not None
    assert found.before.application.supposed is not None
    said = _said(privref.report.what_if_report(found))
    assert said.count("only if") == 2  # before and after
    assert "with a budget (delta = 1e-6)" in said
    # Of a target that is given, the number is said.
    assert "with the budget (7, delta = 1e-6)" in _said(
        privref.report.what_if_report(what_if(free, "1e-6", target="7"))
    )
    budget = Budget(Fraction(1, 10**6), Fraction(9), filter="cks2020/zcdp2dp")
    said = _said(privref.report.what_if_report(what_if(replace(free, budget=budget), "1e-6")))
    assert "epsilon = 9 by zCDP" in said
    assert "; the budget that was enforced" in said
    assert "what ran" not in said
    assert "with the budget (9, delta = 1e-6)" in said


def test_only_what_is_added_may_have_been_chosen_adaptively() -> None:
    ledger = zcdp("0.1", "0.2")
    for add, noted in (((), False), ([event_from("rho=0.1")], True)):
        found = what_if(ledger, "1e-6", add=add, remove=["q1"])
        assert ("chosen adaptively" in _said(privref.report.what_if_report(found))) == noted


LAPLACE = {"kind": "laplace", "scale": "10", "sensitivity": "1"}


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"attained": True}, True),
        ({"attained": False}, False),
        ({"scale": "2"}, False),
        ({"kind": "geometric", "scale": "10", "shifts": ["1"], "sensitivity": None}, False),
    ],
)
def test_ledgers_differ_in_what_ran(changes: dict[str, Any], same: bool) -> None:
    """The guarantee is the same, the law is not, and the sum of the laws is what the audit reports."""

    def ledger(mechanism: dict[str, Any]) -> privref.Ledger:
        document = dict(zcdp("1").document or {})
        event = {"guarantee": {"kind": "pure-dp", "epsilon": "1/2"}, "mechanism": mechanism}
        return privref.ledger_from_document(document | {"events": [event]})

    other = {key: value for key, value in (LAPLACE | changes).items() if value is not None}
    assert diff(ledger(LAPLACE), ledger(other)).same == same


def test_ledgers_differ_in_whether_the_size_of_the_data_is_public() -> None:
    one = replace(zcdp("0.1"), dataset_size=100)
    assert not diff(one, replace(one, dataset_size_public=True)).same


def test_ledgers_differ_in_the_order_of_their_events() -> None:
    one = zcdp("0.1", "0.2", "0.3")
    found = diff(one, replace(one, events=(one.events[0], one.events[2], one.events[1])))
    assert dict(found.declared) == {
        "order of events": ("#2 q1: zcdp (rho = 0.2, delta = 0) x 1", "#2 q2: zcdp (rho = 0.3, delta = 0) x 1")
    }


@given(st.floats(0, 8), st.floats(0, 0.5), st.sampled_from([Fraction(1, 1000), Fraction(1, 100), Fraction(1, 3)]))
def test_attack_success_is_the_bound_of_hypothesis_testing(epsilon: float, delta: float, rate: Fraction) -> None:
    """Against binary64, from above; and randomized response with a leak attains it."""
    found = attack_success(Fraction(epsilon), Fraction(delta), rate)
    a = float(rate)
    wanted = min(math.exp(epsilon) * a + delta, 1 - math.exp(-epsilon) * (1 - a - delta), 1.0)
    assert wanted - 1e-9 <= float(found) <= wanted + 1e-9


def test_a_gaussian_s_attack_success_is_between_the_truth_and_the_claim_s(ledger_document: dict[str, Any]) -> None:
    """mu = 1: the truth at 1 % is 1 - Phi(Phi^-1(0.99) - 1) = 0.0924; the claim's point alone gives far more."""
    events = [{"guarantee": {"kind": "gaussian-dp", "mu": "1"}}]
    (found,) = notices(confirmed(privref.ledger_from_document(ledger_document | {"events": events}), "5"))
    tpr = dict(found.attack)[Fraction(1, 100)]
    assert Fraction("0.0924") < tpr < Fraction("0.13")
    assert "mu = 1" in found.gaussian
    assert attack_success(Fraction(5), Fraction(1, 10**6), Fraction(1, 100)) > Fraction(9, 10)


def test_attack_success_is_the_least_of_all_curves_that_hold(ledger_document: dict[str, Any]) -> None:
    """Four laws decide and are too dear for a curve; that of their zCDP says more than the claim's one point."""
    events = [
        {"mechanism": {"kind": "discrete-gaussian", "sigma_squared": f"{(2 + i) ** 2}", "shifts": ["1"]}}
        for i in range(4)
    ]
    (found,) = notices(confirmed(privref.ledger_from_document(ledger_document | {"events": events}), "5"))
    assert "zdw2022/thm10" in found.theorem
    assert found.attack_by == ("cks2020/zcdp2dp", "cks2020/zcdp2dp")
    assert any("zCDP" in text for text in found.assumptions)
    rho = sum(Fraction(1, 2 * (2 + i) ** 2) for i in range(4))
    mu = math.sqrt(2 * rho)
    for rate, success in found.attack:
        truth = 1 - NormalDist().cdf(NormalDist().inv_cdf(1 - float(rate)) - mu)
        assert truth < success < Fraction(1, 2) < attack_success(Fraction(5), Fraction(1, 10**6), Fraction(1, 100))


def test_claims_of_rho_and_mu_get_a_sentence(ledger_document: dict[str, Any]) -> None:
    """Attack success is above that of the Gaussian mechanism of that size, and of mu hardly."""
    events = [{"guarantee": {"kind": "gaussian-dp", "mu": "1/5"}}]
    claims = [privref.ZCDPClaim("r", rho="1/50"), privref.GaussianDPClaim("m", mu="0.2")]
    audit = privref.audit(privref.ledger_from_document(ledger_document | {"events": events}), claims)
    of_rho, of_mu = notices(audit)
    assert "1/50-zCDP: for every order alpha > 1, replacing the data of one person" in of_rho.sentence
    assert "a Renyi divergence of at most 0.02 times alpha" in of_rho.sentence
    assert "0.2-GDP: deciding from all outputs whether the data of one person were replaced" in of_mu.sentence
    assert "N(0, 1) or from N(0.2, 1)" in of_mu.sentence
    for notice in (of_rho, of_mu):
        for rate, success in notice.attack:
            truth = 1 - NormalDist().cdf(NormalDist().inv_cdf(1 - float(rate)) - 0.2)
            assert truth <= success
            assert success < truth * (1.001 if notice is of_mu else 4)
    said = _said(privref.report.notice_report(audit))
    assert said.count("(this rho alone)") == said.count("(this mu alone)") == 2
    assert [found["claim"] for found in privref.report.notice_document(audit)["notices"]] == ["r", "m"]


def test_a_sentence_about_a_rho_with_a_delta_or_an_epsilon_beyond_all_numbers() -> None:
    """The former has none; of the latter the claim's own point says nothing of attacks."""
    ledger = zcdp("0.1")
    audit = privref.audit(ledger, [privref.ZCDPClaim("r", rho="1", delta="1e-6"), privref.ZCDPClaim("s", rho="1e30")])
    (found,) = notices(audit)
    assert found.opinion.claim.id == "s"
    assert "claim r: confirmed, but no sentence" in _said(privref.report.notice_report(audit))
    assert [found.attack for found in notices(confirmed(ledger, "1e30"))]
    assert attack_success(Fraction(10**30), Fraction(0), Fraction(1, 100)) == 1


def test_only_what_is_confirmed_gets_a_sentence() -> None:
    ledger = zcdp("0.1", "0.2")
    (found,) = notices(confirmed(ledger, "5"))
    assert "(5, 1e-6)-DP: replacing the data of one person" in found.sentence
    assert any("fixed in advance" in text for text in found.assumptions)
    assert found.certificate_sha256 is not None
    assert len(found.certificate_sha256) == 64
    assert notices(confirmed(ledger, "3")) == ()


def test_what_is_added_is_an_event() -> None:
    record = privref.ledger_from_csv("epsilon\n1\n", "t", parameters="fixed-in-advance")
    with pytest.raises(privref.InputError, match=r"^add: .*give a list of events"):
        privref.what_if(record, "1e-6", add="epsilon=0.1")  # type: ignore[arg-type]
    with pytest.raises(privref.InputError, match=r"^add: .*give a list of events"):
        privref.what_if(record, "1e-6", add=record.events[0])  # type: ignore[arg-type]
    with pytest.raises(privref.InputError, match=r"^remove: .*give a list of labels: \['map'\]"):
        privref.what_if(record, "1e-6", remove="map")


def test_no_audit_and_no_verification_is_true_or_false() -> None:
    """``if privref.audit(...)`` was true of an underivable claim, and ``if privref.verify(...)`` of a failed check."""
    record = privref.ledger_from_csv("epsilon\n1\n", "t", neighbours="replace-one", parameters="fixed-in-advance")
    audit = privref.audit(record, [privref.ApproxDPClaim("c", epsilon="1", delta="0")])
    with pytest.raises(TypeError, match=r"compare audit\.exit_code with 0"):
        bool(audit)
    with pytest.raises(TypeError, match='compare its outcome with "verified"'):
        bool(privref.verify(privref.certificates(audit)["c"]))
