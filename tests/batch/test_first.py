"""The first theorem or worst case that decides gives the verdict of them all."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privref
from privref.audit.engines import enclosed
from privref.batch import spelling, verdicts
from privref.batch.columns import ABSENT, EVENT_END, FIELD_END, FIELDS
from privref.batch.sums import Rule, UnitSums, exceeds, optimal
from privref.exact.numbers import spell
from privref.ledger.documents import digest
from privref.ledger.reading import ledger_with
from tests.kernel.cases import GOOD

from .conftest import META

SHARED: list[dict[str, Any]] = [
    META,
    META,
    META,
    {**META, "interaction": "concurrent"},
    {**META, "title": '\U0001f600 \\ "events":[]', "partitions": {"\U0001f600": "a", "\uff21": "b"}},
    {**META, "parameters": "chosen-adaptively"},
    {**META, "budget": {"epsilon": "1", "delta": "1e-6"}},
    *(
        {**META, "parameters": "chosen-adaptively", "budget": {"epsilon": "1", "delta": "1e-6", "filter": filter}}
        for filter in ("rogers2016/thm3.3", "cks2020/zcdp2dp", "whitehouse2023/thm2")
    ),
    {
        **META,
        "parameters": "chosen-adaptively",
        "budget": {"rho": "1/10", "delta": "0", "filter": "whitehouse2023/thm1"},
    },
]
KINDS = {
    "pure-dp": ["epsilon"], "approx-dp": ["epsilon", "delta"], "pdp": ["epsilon", "delta"], "zcdp": ["rho", "delta"],
    "gaussian-dp": ["mu"], "bounded-range": ["epsilon"],
}  # fmt: skip
SIZES = st.builds(Fraction, st.integers(0, 400), st.sampled_from([1, 7, 100, 1000, 10**6]))
DELTAS = st.sampled_from(["0", "0", "1e-9", "1e-7", "0.3"])


@st.composite
def keys(draw: st.DrawFn) -> str:
    """A unit's events as the plan spells them: mostly of one family, as those of a system are."""
    kinds = draw(st.sampled_from([["pure-dp"], ["pure-dp", "approx-dp"], ["zcdp"], ["gaussian-dp"], list(KINDS)]))
    tokens = []
    for _ in range(draw(st.integers(1, 9))):
        kind = draw(st.sampled_from(kinds))
        cells = dict.fromkeys(FIELDS, ABSENT) | {"kind": kind}
        cells |= {name: draw(DELTAS) if name == "delta" else spell(draw(SIZES)) for name in KINDS[kind]}
        cells["count"] = str(draw(st.sampled_from([1, 1, 1, 2, 30])))
        cells["decision"] = draw(st.sampled_from([ABSENT, ABSENT, ABSENT, "continue", "halt"]))
        tokens.append(FIELD_END.join((*cells.values(), str(draw(st.integers(1, 2))))))
    return EVENT_END.join(sorted(tokens))


@st.composite
def questions(draw: st.DrawFn) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """What all units share, the events of one, and claims: some at the sum of its sizes, or next to the optimum."""
    shared, key = draw(st.sampled_from(SHARED)), draw(keys())
    events = json.loads(f"[{spelling.events_of(key)[0]}]")
    sizes = [
        (Fraction(next(v for n, v in e["guarantee"].items() if n in ("epsilon", "rho", "mu"))), e["count"])
        for e in events
    ]
    total = sum((size * count for size, count in sizes), Fraction(0))
    delta = draw(st.sampled_from(["0", "1e-9", "1e-6", "0.01", "0.9", "1"]))
    near = [total, total * Fraction(999_999, 10**6), total * Fraction(99, 100), draw(SIZES)]
    if sum(count for _, count in sizes) <= 12:
        inputs = {"eps": tuple(s for s, n in sizes for _ in range(n)), "delta_g": Fraction(delta)}
        inputs["delta"] = (Fraction(0),) * len(inputs["eps"])
        found, _ = enclosed("mv2016/optimal.eps", inputs, 12)
        near += (
            []
            if found is None
            else [found.upper, found.lower * Fraction(9999, 10**4), found.upper * Fraction(1001, 1000)]
        )
    epsilon = spell(draw(st.sampled_from(near)))
    claims: list[dict[str, Any]] = [{"id": "dp", "epsilon": epsilon, "delta": delta}]
    others = [{"rho": epsilon}, {"rho": "1/8", "delta": "1e-6"}, {"mu": epsilon}]
    others += [{"epsilon": epsilon, "delta": delta, **more} for more in ({"units": 2}, {"by": "rogers2016/thm2.9"})]
    more = st.sampled_from(others)
    claims += [{"id": f"c{i}", **each} for i, each in enumerate(draw(st.lists(more, max_size=1)))]
    return shared, key, {"schema": "claims.1", "claims": claims}


def auditor(shared: dict[str, Any], claims: dict[str, Any], *, best: bool) -> verdicts.Auditor:
    return verdicts.Auditor.of(json.dumps({"claims": claims, "ledger": shared, "filter": None, "best": best}))


@settings(max_examples=40)
@given(questions())
def test_no_verdict_is_another_one(question: tuple[dict[str, Any], str, dict[str, Any]]) -> None:
    """Of all kinds of events, declarations and claims, also at ties; and what is printed as a bound is one."""
    shared, key, claims = question
    before, after = spelling.around_events(shared)
    text = f"{before}{spelling.events_of(key)[0]}{after}"
    # A unit's events are in no order, and a ledger's are: there nothing ran after a halt.
    ledger = privref.ledger_from_document(json.loads(text.replace('"halt"', '"reject"')))
    opinions = privref.audit(ledger, privref.claims_from_document(claims)).opinions
    first = auditor(shared, claims, best=False).rows(text, ledger.digest)
    assert [row["verdict"] for row in first] == [opinion.verdict for opinion in opinions]
    for row, opinion in zip(first, opinions, strict=True):
        bounds = {each.application.by: each.enclosure for each in opinion.bounds}
        known = bounds.get(row["theorem"])
        if row["upper"] is not None and known is not None:
            assert Fraction(row["lower"]) <= known.upper
            assert known.lower <= Fraction(row["upper"])


@settings(max_examples=25)
@given(st.sampled_from(SHARED), keys())
def test_what_a_batch_writes_is_the_ledger_that_is_read(shared: dict[str, Any], key: str) -> None:
    """Its text is canonical, and what is put together of parts is what reading all of it gives."""
    before, after = spelling.around_events(shared)
    text = f"{before}{spelling.events_of(key)[0]}{after}".replace('"halt"', '"reject"')
    ledger = privref.ledger_from_document(json.loads(text))
    assert privref.ledger_from_document(json.loads(text)).digest == digest(json.loads(text))
    one = privref.ledger_from_document(spelling.with_no_loss(shared))
    assert ledger_with(one, json.loads(text), ledger.digest) == replace(ledger, in_order=False)


def test_a_result_put_together_of_parts_is_canonical() -> None:
    claims = {
        "schema": "claims.1",
        "claims": [{"id": "one", "epsilon": "1.0", "delta": "0"}, {"id": "b", "rho": "1/8"}],
    }
    found = auditor(META, claims, best=False)
    for filter in (None, "ran"):
        rows = [{"verdict": "confirmed", "filter_says": filter, "filter_rounds": 3, "halted_at": None}] * 2
        document = verdicts.result_document("ab" * 32, found.claims, rows)
        assert digest(json.loads(found._result("ab" * 32, rows))) == digest(document)
        assert found._result("ab" * 32, rows) == json.dumps(document, separators=(",", ":"), sort_keys=True)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(SIZES, st.integers(1, 3)), min_size=1, max_size=8),
    st.sampled_from(["0", "1e-12", "1e-6", "1e-3", "0.2", "0.6"]),
    st.lists(DELTAS, max_size=2),
    st.sampled_from([Fraction(n, 10**4) for n in (0, 5000, 9000, 9900, 9990, 9999, 10_000, 10_001)]),
)
def test_the_integers_hold_what_both_engines_enclose(
    rounds: list[tuple[Fraction, int]], delta: str, deltas: list[str], share: Fraction
) -> None:
    """The bound and the lower bound by integers, against the optimum: neither says what it does not."""
    events = [{"guarantee": {"kind": "pure-dp", "epsilon": spell(size)}, "count": times} for size, times in rounds]
    events += [
        {"guarantee": {"kind": "approx-dp", "epsilon": "0", "delta": spell(Fraction(each))}, "count": 1}
        for each in deltas
    ]
    sums = UnitSums.of(events)
    assert sums is not None
    inputs = {
        "eps": tuple(size for size, times in rounds for _ in range(times)) + (Fraction(0),) * len(deltas),
        "delta": (Fraction(0),) * sum(times for _, times in rounds) + tuple(map(Fraction, deltas)),
        "delta_g": Fraction(delta),
    }
    known, _ = enclosed("mv2016/optimal.eps", inputs, 15)
    found = optimal(sums, Fraction(delta))
    if found is not None:
        assert known is not None
        assert found.lower <= known.upper
        assert known.lower <= found.upper
    if known is not None:
        claimed = known.lower * share
        assert known.upper > claimed or not exceeds(sums.epsilons, claimed, Fraction(delta))


def test_the_integers_decide_most_units_of_a_batch() -> None:
    """One far below a claim, one just above it that the optimum proves, and one that loses more: without an audit."""
    claim = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "one", "epsilon": "1", "delta": "1e-4"}]}
    )
    shared = privref.ledger_from_document(spelling.with_no_loss(META))
    rule = Rule.of(shared, claim[0])
    assert rule is not None
    for sizes, verdict, theorem in (
        (["1/3", "2/3"], "confirmed", "rogers2016/thm2.9"),
        (["1/3", "2/3", "1/10000"], "confirmed", "mv2016/optimal"),
        (["1/3", "2/3", "1/10"], "underivable", "rogers2016/thm2.9"),
    ):
        sums = UnitSums.of({"guarantee": {"kind": "pure-dp", "epsilon": size}, "count": 1} for size in sizes)
        assert sums is not None
        decided = rule.decided(sums)
        assert decided is not None
        assert (decided.verdict, decided.theorem) == (verdict, theorem)


#: Those of the kernel's cases of which an audit takes a moment only.
QUICK = [name for name in sorted(GOOD) if not any(word in name for word in ("samples", "bins", "ranges"))]


@pytest.mark.parametrize("name", QUICK)
def test_the_verdicts_of_other_ledgers(name: str) -> None:
    """Declared mechanisms, groups, parts, filters and cells: those that the kernel's cases have a certificate of."""
    ledger, claim = GOOD[name]
    record = privref.ledger_from_document(ledger)
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [{"id": "c", **claim}]})
    first, every = (privref.audit(record, claims, best=best).opinions[0].verdict for best in (False, True))
    assert first == every
