"""Sheets as auditors write them: each is read in one try, as the same JSON ledger, or asks one question."""

from __future__ import annotations

import contextlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.exact.errors import InputErrors
from privref.ledger import sheet_events

DECLARED: dict[str, Any] = {
    "neighbours": "add-or-remove-one", "parameters": "fixed-in-advance", "interaction": "sequential",
}  # fmt: skip
GAUSSIAN = {"kind": "gaussian", "sigma": "27.7", "sensitivity": "1"}


def eps(epsilon: Any, **more: Any) -> dict[str, Any]:
    return {"guarantee": {"kind": "pure-dp", "epsilon": epsilon}, **more}


def noise(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"mechanism": {"kind": kind, **parameters}}


def sampled(base: dict[str, Any], rate: str, sampling: str = "poisson", **more: Any) -> dict[str, Any]:
    return {"mechanism": {"kind": "subsampled", "base": base, "rate": rate, "sampling": sampling, **more}}


#: A sheet, and what the JSON ledger says that means the same: its events, and fields of the whole.
READ: dict[str, tuple[str, list[dict[str, Any]], dict[str, Any]]] = {
    "title-above": ("Privacy ledger of the office\n\nRelease,Privacy loss (ε)\na,1\n", [eps("1", label="a")], {}),
    "privacy-unit": ("Release,ε,Privacy unit\na,1,person\n", [eps("1", label="a")], {"privacy_unit": "person"}),
    "words-that-repeat-the-numbers": (
        'Release,ρ,comment\na,1/2,"bulletin no. 12, rho = 0.5, so ε = 4.6 at δ = 1e-5"\n',
        [
            {
                "label": "a (comment: bulletin no. 12, rho = 0.5, so ε = 4.6 at δ = 1e-5)",
                "guarantee": {"kind": "zcdp", "rho": "1/2"},
            }
        ],
        {},
    ),
    "words-that-say-nothing-of-it": (
        "Release,ε,comment\nDelta 7,1,a survey\nMap 4x4,1,each person counted once\n",
        [eps("1", label="Delta 7 (comment: a survey)"), eps("1", label="Map 4x4 (comment: each person counted once)")],
        {},
    ),
    "counted-names": (
        "Release,ε,count\n10 × histogram,1,10\n3 x 3 table,1,1\n",
        [eps("1", label="10 × histogram", count=10), eps("1", label="3 x 3 table")],
        {},
    ),
    "power": (
        "Release,ε,δ\na,≤ 2,1·10⁻⁶\n",
        [{"label": "a", "guarantee": {"kind": "approx-dp", "epsilon": "2", "delta": "1e-6"}}],
        {},
    ),
    "percent": (
        "Release,ε,δ\na,150 %,10^-6\n",
        [{"label": "a", "guarantee": {"kind": "approx-dp", "epsilon": "3/2", "delta": "1e-6"}}],
        {},
    ),
    "no-epsilon-in-a-row-of-rho": (
        "name,ε,ρ\na,1,n/a\nb,n/a,2\n",
        [eps("1", label="a"), {"label": "b", "guarantee": {"kind": "zcdp", "rho": "2"}}],
        {},
    ),
    "gaussian": (
        "Release,Mechanism,Sigma,Sensitivity\nmap,Gaussian,2.5,1\n",
        [{"label": "map", **noise("gaussian", sigma="2.5", sensitivity="1")}],
        {},
    ),
    "gaussian-german": (
        "Bezeichnung;Mechanismus;σ;Sensitivity;Anzahl\nKarte;Gaussian noise;2,5;1;3\n",
        [{"label": "Karte", "count": 3, **noise("gaussian", sigma="2.5", sensitivity="1")}],
        {},
    ),
    "variance": (
        "mechanism,variance,sensitivity\nnormal,4,1\n",
        [noise("gaussian", sigma_squared="4", sensitivity="1")],
        {},
    ),
    "laplace": (
        "Release,Noise,Scale,Sensitivity\na,Laplace mechanism,10,1\n",
        [{"label": "a", **noise("laplace", scale="10", sensitivity="1")}],
        {},
    ),
    "l1-and-l2": (
        "mechanism,scale,sigma,L1 sensitivity,L2 sensitivity\nlaplace,10,,1,\ngaussian,,4,,2\n",
        [noise("laplace", scale="10", sensitivity="1"), noise("gaussian", sigma="4", sensitivity="2")],
        {},
    ),
    "words-beside": (
        "Release,Epsilon,Team,Epsilon source\nmap,1,geo 2,the paper\n",
        [eps("1", label="map (Team: geo 2; Epsilon source: the paper)")],
        {},
    ),
    "parts-that-are-ranges": (
        "Epsilon,Part of age\n1,under 18\n1,18-64\n1,65+\n",
        [eps("1", part={"of": "age", "is": age}) for age in ("under 18", "18-64", "65+")],
        {"partitions": {"age": "age"}},
    ),
    "laplace-with-its-epsilon": (
        "mechanism,scale,sensitivity,epsilon\nlaplacian,10,1,0.1\n",
        [{**noise("laplace", scale="10", sensitivity="1"), **eps("0.1")}],
        {},
    ),
    "discrete-gaussian": (
        "mechanism,sigma squared,shifts\ndiscrete Gaussian,3203/13,1 1\n",
        [noise("discrete-gaussian", sigma_squared="3203/13", shifts=["1", "1"])],
        {},
    ),
    "geometric": (
        "mechanism,scale,shifts\ntwo-sided geometric,5/2,1\n",
        [noise("geometric", scale="5/2", shifts=["1"])],
        {},
    ),
    "randomized-response": (
        "mechanism,probability of truth,outcomes\nrandomized response,3/4,4\n",
        [noise("randomized-response", probability="3/4", outcomes="4")],
        {},
    ),
    "not-attained": (
        "mechanism,sigma,sensitivity,attained\ngaussian,2,1,no\n",
        [noise("gaussian", sigma="2", sensitivity="1", attained=False)],
        {},
    ),
    "training-run": (
        "Name,Mechanism,Noise multiplier,q,Sampling,Steps\ncifar,DP-SGD,1.1,0.5 %,Poisson,100\n",
        [
            {
                "label": "cifar",
                "count": 100,
                **sampled({"kind": "gaussian", "sigma": "1.1", "sensitivity": "1"}, "1/200"),
            }
        ],
        {},
    ),
    "training-run-without-a-name": (
        "noise multiplier,sampling rate,sampling,steps\n1.1,0.01,poisson,1\n1.1,0.01,poisson,1\n",
        [{"count": 2, **sampled({"kind": "gaussian", "sigma": "1.1", "sensitivity": "1"}, "0.01")}],
        {},
    ),
    "batches-and-epochs": (
        "noise multiplier,batch size,records,steps per epoch,epochs,sampling\n1.1,60,6000,90,2,poisson\n",
        [{"count": 180, **sampled({"kind": "gaussian", "sigma": "1.1", "sensitivity": "1"}, "1/100")}],
        {},
    ),
    "batches-with-a-cap": (
        "noise multiplier,rate,sampling,batch cap,records,steps\n1.1,0.01,poisson,64,6000,1\n",
        [sampled({"kind": "gaussian", "sigma": "1.1", "sensitivity": "1"}, "0.01", batch_cap="64", records="6000")],
        {},
    ),
    "other-sampling": (
        "noise multiplier,rate,sampling,steps\n1.1,0.01,shuffle,1\n",
        [sampled({"kind": "gaussian", "sigma": "1.1", "sensitivity": "1"}, "0.01", "shuffled")],
        {},
    ),
    "mechanism-in-some-rows": (
        "name,mechanism,sigma,sensitivity,epsilon\na,gaussian,2,1,\nb,own,,,0.5\n",
        [{"label": "a", **noise("gaussian", sigma="2", sensitivity="1")}, eps("0.5", label="b (mechanism: own)")],
        {},
    ),
    "parts": (
        "Release,Epsilon,Part of county\nmap,1,Kent\nmap,1,Surrey\ncountry,0.5,\n",
        [
            eps("1", label="map", part={"of": "county", "is": "Kent"}),
            eps("1", label="map", part={"of": "county", "is": "Surrey"}),
            eps("0.5", label="country"),
        ],
        {"partitions": {"county": "county"}},
    ),
    "parts-of-two-partitions": (
        "epsilon,partition,part\n1,county,Kent\n1,age group,under 18\n",
        [eps("1", part={"of": "county", "is": "Kent"}), eps("1", part={"of": "age group", "is": "under 18"})],
        {"partitions": {"county": "county", "age group": "age group"}},
    ),
    "period": (
        "Release,Epsilon,Period\na,1,monthly\nb,2,month\n",
        [eps("1", label="a"), eps("2", label="b")],
        {"period": "month"},
    ),
    "rounded-by-a-column": ("epsilon,rounded\n0.81,yes\n2,no\n", [eps({"rounded": "0.81"}), eps("2")], {}),
    "rounded-by-name": (
        "epsilon,delta,rounded\n0.81,1e-9,ε and delta\n",
        [{"guarantee": {"kind": "approx-dp", "epsilon": {"rounded": "0.81"}, "delta": {"rounded": "1e-9"}}}],
        {},
    ),
    "rounded-by-its-heading": (
        "mechanism,sigma (rounded),sensitivity\ngaussian,27.7,1\n",
        [noise("gaussian", sigma={"rounded": "27.7"}, sensitivity="1")],
        {},
    ),
    "no-delta-to-round": (
        "epsilon,delta,rounded\n0.81,0,yes\n",
        [{"guarantee": {"kind": "approx-dp", "epsilon": {"rounded": "0.81"}, "delta": "0"}}],
        {},
    ),
}

#: A sheet, and the one question that it asks: where, and the words that say what to write.
ASKED: dict[str, tuple[str, str]] = {
    "logarithm": ("epsilon\nlog 3\n", r"line 2, column epsilon: privref rejects 'log 3'.*write ln\(3\)$"),
    "epochs-of-no-run": (
        "mechanism,epsilon,epochs\nrandomized-response,1,10\n",
        r"column epochs: .*how often the row ran",
    ),
    "no-rate": ("noise multiplier,rate,sampling,epochs\n1,0,poisson,10\n", r"column rate: .*give a number > 0"),
    "rounded-batch": (
        "noise multiplier,batch size (rounded),records,sampling,epochs\n1,100,1000,poisson,3\n",
        r"column 2: .*this is read as exact",
    ),
    "short-epochs": (
        "mechanism,sigma,sensitivity,batch size,records,sampling,epochs,steps per epoch\n"
        "gaussian,4,1,100,1000,shuffled,10,5\n",
        r"column steps per epoch: .*takes every record once, in 10 steps",
    ),
    "which-steps": (
        "noise multiplier,rate,sampling\n1,0.1,poisson\n",
        r"line 2\.steps is missing: how many steps were run",
    ),
    "range-of-noise": ("mechanism,sigma,sensitivity\ngaussian,5-10,1\n", r"column sigma: .*write the smallest value"),
    "error-of-noise": ("noise multiplier\n5 ± 1\n", r"column noise multiplier: .*write the smallest value"),
    "runs-of-steps": ("noise multiplier,rate,sampling,steps,count\n1,1,poisson,9,5\n", r"write their product into one"),
    "uniform": (
        "mechanism,scale,sensitivity\nuniform,1,1\n",
        r"column mechanism: privref rejects 'uniform': known are",
    ),
    "root of noise": (
        "mechanism,sigma,sensitivity\ngaussian,√2,1\n",
        r"column sigma: .*write a decimal, rounded down: 1\.4142135$",
    ),
    "root of a sensitivity": (
        "mechanism,scale,sensitivity\nlaplace,1,√2\n",
        r"column sensitivity: .*write a decimal, rounded up: 1\.4142136$",
    ),
    "superscript": ("mechanism,sigma,sensitivity\ngaussian,4²,1\n", r"line 2, column sigma: .*'4²'"),
    "cadence": ("release,epsilon,cadence\na,1,daily\n", "column cadence: .*'daily'.*did it run more than once"),
    "interval": ("release,epsilon,interval\na,1,day\n", "column interval: .*'day'.*did it run more than once"),
    "published": ("release,epsilon,published\na,1,every week\n", "did it run more than once"),
    "ran-twice": ("release,epsilon,notes\na,1,ran twice\n", "did it run more than once"),
    "each-of": ("release,epsilon,comment\na,1,each of the 50 states\n", "did it run more than once"),
    "date-daily": (
        "release,epsilon,date\na,1,2020-01-01 to 2020-12-31 daily\n",
        r"line 2, column date.*did it run more",
    ),
    "days": ("release,epsilon,date\na,1,365 days\n", r"line 2, column date.*write how often into a column count"),
    "label-times": ("release,epsilon\ncounts (10 times),1\n", r"line 2, column release.*did it run more than once"),
    "label-by": ("release,epsilon\n10 × histogram,1\n", r"line 2, column release.*did it run more than once"),
    "other-epsilon": ("release,epsilon,comment\na,1,ε = 5\n", "states epsilon, and the row is read with 1"),
    "other-epsilon-named": ("release,epsilon\nmap (ε=5),1\n", r"line 2, column release.*states epsilon"),
    "delta-in-words": ("release,epsilon,comment\na,1,delta 1e-3\n", "states delta, and the row is read with 0"),
    "delta-of-a-power": ('release,epsilon,source\na,1,"report, δ = 10^-3"\n', r"line 2, column source.*states delta"),
    "rho-of-a-pure": ("release,epsilon,comment\na,1,rho=0.1\n", "states rho, and the row is read with none"),
    "delta-above": ("delta = 1e-6\nrelease,epsilon\na,1\n", "line 1: .*'delta = 1e-6'.*states delta"),
    "bits-above": ("all epsilons in bits\nrelease,epsilon\na,1\n", "line 1.*epsilon is read in nats"),
    "zcdp-above": ("zCDP ledger\nrelease,epsilon\na,1\n", "line 1.*read as pure-dp, and this cell says zCDP"),
    "percent-above": ("values in percent\nrelease,epsilon\na,1\n", "line 1.*as they stand, and not in percent"),
    "daily-above": ("each released daily\nrelease,epsilon\na,1\n", "line 1.*did it run more than once"),
    "two-units": (
        "release,epsilon,privacy unit\na,1,household\nb,1,person\n",
        r"line 3, column privacy unit: .*'person'",
    ),
    "adaptive": (
        "release,epsilon,adaptive\na,1,yes\n",
        "column 3: .*'adaptive'.*declare it of the whole sheet by --param",
    ),
    "all-releases": ("release,epsilon\na,1\nb,2\nAll releases,3\n", "line 4: .*'All releases'.*looks like the total"),
    "no-delta": ("epsilon,delta\n1,n/a\n", r"line 2, column delta: .*'n/a'.*0 where there is none"),
    "about": ("epsilon\n~2\n", r"line 2, column epsilon.*not an upper bound; write the largest value"),
    "total": ("release,epsilon\na,1\nb,2\nTotal,3\n", "line 4: .*'Total'.*looks like the total.*take it out"),
    "number-above": ("b,2\nrelease,epsilon\na,1\n", "line 1.*stands above the header and holds a number"),
    "which-noise": ("sigma,sensitivity\n2,1\n", r"line 2\.mechanism is missing: which noise has this sigma\?"),
    "unknown-noise": (
        "mechanism,sigma,sensitivity\ngausian,2,1\n",
        r"line 2, column mechanism: .*'gausian'.*did you mean gaussian\?",
    ),
    "own-noise": ("mechanism,sigma\nours,2\n", r"line 2, column mechanism: .*'ours'.*for any other give its guarantee"),
    "sensitivity": ("mechanism,sigma\ngaussian,2\n", r"line 2\.sensitivity is missing: by how much can one neighbour"),
    "shifts": ("mechanism,sigma\ndiscrete gaussian,2\n", r"line 2\.shifts is missing: by how much"),
    "multiplier-and-sigma": ("noise multiplier,sensitivity\n2,1\n", r"line 2, column noise multiplier.*give it alone"),
    "which-sampling": ("noise multiplier,rate\n2,0.1\n", r"line 2\.sampling is missing: how were samples drawn\?"),
    "which-rate": ("mechanism,noise multiplier\ndp-sgd,2\n", r"line 2\.rate is missing: each record is in a sample"),
    "rate-alone": ("epsilon,rate\n1,0.1\n", r"line 2, column rate: .*'0.1'.*it belongs to a mechanism"),
    "records-alone": ("epsilon,batch size,records\n1,10,6000\n", r"records: .*6000.*take the column records out"),
    "bound-of-sigma": ("mechanism,sigma,sensitivity\ngaussian,≤ 2,1\n", r"line 2, column sigma: .*'≤ 2'.*is one value"),
    "foreign-parameter": (
        "mechanism,scale,sensitivity\ngaussian,2,1\n",
        r"line 2, column scale: .*'2'.*gaussian noise has no scale",
    ),
    "zero-sigma": ("mechanism,sigma,sensitivity\ngaussian,0,1\n", r"line 2, column sigma: .*'0'"),
    "aimed-delta": (
        "mechanism,sigma,sensitivity,delta\ngaussian,2,1,1e-6\n",
        r"line 2, column delta.*belongs to the claim",
    ),
    "stronger-than-its-noise": (
        "mechanism,scale,sensitivity,epsilon\nlaplace,1,1,0.5\n",
        r"line 2\.guarantee.*correct the guarantee, or the mechanism",
    ),
    "part-of-what": ("epsilon,part\n1,Kent\n", r"line 2\.partition is missing: a part of what\?"),
    "which-part": ("epsilon,partition,part\n1,county,\n", r"line 2, column part is missing: which part of county"),
    "alike-parts": ("epsilon,part of county\n1,Kent\n1,kent\n", r"line 3\.part\.is: .*'kent'"),
    "which-period": ("epsilon,period\n1,2024-01\n", r"line 2, column period: .*'2024-01'.*call the column date"),
    "two-periods": ("epsilon,period\n1,day\n2,week\n", r"line 3, column period: .*'week'.*line 2 says day"),
    "which-rounded": (
        "epsilon,delta,rounded\n0.8,1e-6,yes\n",
        r"line 2, column rounded: .*'yes'.*which of epsilon, delta",
    ),
    "rounded-fraction": ("epsilon,rounded\n4/5,yes\n", r"line 2, column epsilon: .*'4/5'.*is a decimal"),
    "rounded-what": ("epsilon,rounded\n0.8,sigma\n", r"line 2, column rounded: .*'sigma'.*epsilon"),
    "rounded-rate": ("noise multiplier,q (rounded),sampling,steps\n1,0.1,poisson,1\n", r"line 2, column q \(rounded\)"),
    "l2-for-laplace": (
        "mechanism,scale,L2 sensitivity\nlaplace,1,1\n",
        r"line 2, column L2 sensitivity: .*'1'.*L2 sensitivity says nothing of laplace noise.*column L1 sensitivity",
    ),
    "l1-for-gaussian": (
        "mechanism,sigma,L1 sensitivity\ngaussian,1,1\n",
        r"line 2, column L1 sensitivity.*L2 sensitivity",
    ),
    "two-sensitivities": (
        "mechanism,sigma,sensitivity,L2 sensitivity\ngaussian,1,1,2\n",
        r"line 2, column L2 sensitivity: .*'2'.*keep one",
    ),
    "partition-twice": ("epsilon,part of county,partition\n1,A,county\n1,B,age\n", "column 3: .*'partition'.*keep one"),
    **{
        f"parts-{i}": (
            f'epsilon,part of county\n1,A\n1,B\n1,"{cell}"\n',
            "line 4, column part of county: .*leave the cell empty",
        )
        for i, cell in enumerate(
            (
                "all",
                "*",
                "total",
                "Statewide",
                "whole state",
                "every county",
                "national",
                "alle",
                "A and B",
                "A, B",
                "A/C",
                "A & C",
                "not A",
            )
        )
    },
    **{
        f"numbered-parts-{i}": (
            f"epsilon,part of year\n1,2020\n1,{cell}\n",
            r"line \d, column part of year: .*the part '",
        )
        for i, cell in enumerate(("2020-2021", "2019 to 2023", "2018+", "02020", "2020.0", "2020/21", "2020-21"))
    },
    "rounded-left-empty": (
        "epsilon,rounded\n0.8,yes\n0.8,\n",
        r"line 3, column rounded is empty: .*yes or no in every row",
    ),
    "rounded-multiplier-of-samples": (
        "noise multiplier (rounded),rate,sampling,steps\n1.1,0.1,poisson,1\n",
        r"line 2\.sigma: .*'1\.1'.*noise of samples",
    ),
    "rounding": ("epsilon,rounding\n0.8,to one digit\n", "column 2: .*'rounding'.*column rounded in every row"),
    **{
        f"word-{i}": (f"epsilon,{heading}\n1,{cell}\n", f"line 2, column {heading}: .*{said}")
        for i, (heading, cell, said) in enumerate(
            [
                ("mechanism", "normal", "Gaussian noise guarantees no epsilon"),
                ("mechanism", "dp-sgd", "Gaussian noise guarantees no epsilon"),
                ("mechanism", "Gaussian (sigma=2)", "Gaussian noise guarantees no epsilon"),
                ("type", "RDP(alpha=2)", "says RDP"),
                ("type", "Renyi alpha=2", "says Renyi"),
                ("type", "concentrated DP (CDP)", "says concentrated"),
                ("unit", "bits", "in nats"),
                ("unit", "log base 2", "in nats"),
            ]
        )
    },
    "budget": ("epsilon,budget\n1,2\n", "header, column 2: .*'budget'.*JSON ledger"),
    "nothing-at-all": ("name,mechanism,sigma,sensitivity\na,gaussian,,\n", "line 2.*a mechanism's parameters"),
}


@pytest.mark.parametrize("name", READ)
def test_a_sheet_is_read_in_one_try_as_the_ledger_that_says_the_same(name: str) -> None:
    text, events, whole = READ[name]
    document = {"schema": "ledger.1", "title": "t", "privacy_unit": "person", **DECLARED, **whole, "events": events}
    written = privref.ledger_from_document(document)
    sheet = privref.ledger_from_csv(text, "t", **DECLARED)
    assert tuple(sheet.events) == tuple(written.events)
    assert (sheet.partitions, sheet.period) == (written.partitions, written.period)
    assert sheet.privacy_unit == whole.get("privacy_unit", "")
    assert [(item.path, item.least, item.most) for item in sheet.rounded] == [
        (item.path, item.least, item.most) for item in written.rounded
    ]
    made = privref.ledger_document(sheet, title="t", privacy_unit="person", **DECLARED)
    again = privref.ledger_from_document(made)
    assert (tuple(again.events), again.rounded) == (tuple(written.events), written.rounded)


@pytest.mark.parametrize("name", ASKED)
def test_a_sheet_that_is_not_clear_asks_one_question(name: str) -> None:
    text, question = ASKED[name]
    with pytest.raises(privref.InputError, match=question) as asked:
        privref.ledger_from_csv(text, "t", **DECLARED)
    refused = asked.value
    assert not isinstance(refused, InputErrors) or len(refused.errors) == 1
    assert "\n" not in str(refused)


def test_every_column_is_in_the_table() -> None:
    """A column that is known and never read would be one that changes no verdict."""
    texts = " ".join(text.casefold() for text, _, _ in READ.values())
    meanings = {meaning for name, meaning in sheet_events.MEANING.items() if name in texts}
    assert meanings == set(sheet_events.MEANING.values())


CASES = {
    "rounded": ("epsilon,rounded\n0.81,yes\n1,no\n", "1.82", "0", "confirmed"),
    "digits": ("epsilon,rounded\n0.81,yes\n1,no\n", "1.81", "0", "depends-on-digits"),
    "parts": ("epsilon,part of county\n1,Kent\n1,Surrey\n0.5,\n", "1.5", "0", "confirmed"),
    "mechanisms": ("mechanism,sigma,sensitivity,count\ngaussian,10,1,4\n", "1", "1e-5", "confirmed"),
    "training": (
        "mechanism,noise multiplier,rate,sampling,steps\ndp-sgd,2,0.01,poisson,100\n",
        "1",
        "1e-5",
        "confirmed",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_verdict_and_certificate_are_those_of_the_ledger(name: str, tmp_path: Path) -> None:
    """A sheet's certificate holds the document that its rows are, and the kernel reads that."""
    text, epsilon, delta, verdict = CASES[name]
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    claims = [privref.ApproxDPClaim("c", epsilon=epsilon, delta=delta)]
    sheet = privref.read_ledger(path, **DECLARED)
    document = privref.ledger_document(sheet, title="t", privacy_unit="person", **DECLARED)
    found, wanted = (privref.audit(ledger, claims) for ledger in (sheet, privref.ledger_from_document(document)))
    assert found.opinions[0].verdict == wanted.opinions[0].verdict == verdict
    made = privref.certificates(found)
    if verdict == "depends-on-digits":
        assert not made
        return
    result = privref.verify(json.loads(json.dumps(made["c"])))
    assert result.outcome == "verified"
    assert any("the sheet with the SHA-256" in unchecked for unchecked in result.unchecked)


def test_what_a_sheet_does_not_declare_stays_open() -> None:
    """A neighbour that is not named is none for which samples amplify, and no rounded number loses its two readings."""
    text = "mechanism,noise multiplier,rate,sampling,steps\ndp-sgd,2,0.01,poisson,100\n"
    open_ = privref.ledger_from_csv(text, "t")
    assert (open_.neighbours, open_.parameters, open_.interaction) == (None, None, None)
    assert open_.events[0].guarantee.kind == "unknown"
    assert privref.ledger_from_csv(text, "t", **DECLARED).events[0].guarantee.kind != "unknown"
    rounded = privref.ledger_from_csv("epsilon (rounded)\n0.81\n", "t")
    assert (rounded.rounded[0].least, rounded.rounded[0].most) == (Fraction("0.805"), Fraction("0.815"))
    claims = [privref.ApproxDPClaim("c", epsilon="0.81", delta="0")]
    assert privref.audit(rounded, claims).opinions[0].verdict != "confirmed"


def test_sheets_with_parts_are_audited_together() -> None:
    one = privref.ledger_from_csv("epsilon,part of county\n1,Kent\n", "a", **DECLARED)
    other = privref.ledger_from_csv("epsilon\n1\n", "b", **DECLARED)
    joint = privref.combined([one, other], ["a", "b"], "fixed-in-advance,sequential")
    assert (len(joint.events), joint.partitions) == (2, {"county": "county"})


#: A heading that is not known, and a cell with a number below it.
NUMBERS_BESIDE = [
    ("failure prob", "10^-6"), ("delta total", "1·10⁻²"), ("epsilon second phase", "≤ 5"), ("repetitions", "≤ 5"),
    ("repetitions", '"1,000,000"'), ("repetitions", "1 000"), ("repetitions", "10^3"), ("repetitions", "12×"),
    ("repetitions", "x12"), ("repetitions", "~12"), ("repetitions", "1'000"), ("repetitions", "twelve"),
    ("queries per release", "5 queries"), ("how", "365 times"), ("how", "1.000.000"), ("how", "5 per day"),
    ("epsilon per", "month"),
]  # fmt: skip


@pytest.mark.parametrize(("heading", "cell"), NUMBERS_BESIDE)
def test_a_number_in_a_column_that_is_not_known_is_asked(heading: str, cell: str) -> None:
    with pytest.raises(
        privref.InputError,
        match=rf"line 2, column {heading}: .*(does not know this|call the column|did it run|the row lose this too)",
    ):
        privref.ledger_from_csv(f"epsilon,{heading}\n0.1,{cell}\n", "t", **DECLARED)


MULTIPLIER = "mechanism,noise multiplier\ngaussian,1\n"
SAMPLED = "mechanism,noise multiplier,rate,sampling,steps\ndp-sgd,1,1,poisson,1\n"


@pytest.mark.parametrize("text", [MULTIPLIER, SAMPLED])
def test_a_noise_multiplier_counts_twice_where_a_record_is_replaced(text: str) -> None:
    """As in the records of dp-accounting: the sum moves by up to twice the norm, which is a bound only."""
    said = DECLARED | {"neighbours": "replace-one"}
    ledger = privref.ledger_from_csv(text, "t", **said)
    claims = [privref.ApproxDPClaim("c", epsilon="5.5", delta="1e-6")]
    assert privref.audit(ledger, claims).opinions[0].verdict == "unsupported"
    open_ = privref.ledger_from_csv(text, "t")
    for made in (ledger, open_):
        (event,) = privref.ledger_document(made, title="t", privacy_unit="person", **said)["events"]
        mechanism = event["mechanism"]
        assert (mechanism.get("base", mechanism)["sensitivity"], mechanism["attained"]) == ("2", False)
    added = privref.ledger_from_csv(text, "t", **DECLARED)
    assert privref.audit(added, claims).opinions[0].verdict == "confirmed"


def test_that_a_doubled_noise_multiplier_is_attained_is_asked() -> None:
    text = "mechanism,noise multiplier,attained\ngaussian,1,yes\n"
    with pytest.raises(privref.InputError, match=r"line 2, column attained: .*'yes'.*columns sigma and sensitivity"):
        privref.ledger_from_csv(text, "t", **DECLARED | {"neighbours": "replace-one"})


def test_a_long_cell_is_looked_at_in_little_time() -> None:
    """Patterns that went back and forth would need hours for it."""
    for text in ("1 " * 50_000, "9" * 100_000, "ε=" * 50_000, "released " * 10_000, "1 x" * 30_000):
        with contextlib.suppress(privref.InputError):
            privref.ledger_from_csv(f"release,epsilon,comment\n{text},1,{text}\n", "t", **DECLARED)


RUN = "model,noise multiplier,sampling"


@pytest.mark.parametrize(
    ("columns", "cells", "rate", "steps"),
    [
        ("batch size,records,epochs", "256,60000,10", "8/1875", 2344),
        ("batch size,records,steps", "256,60000,10", "8/1875", 10),
        ("q,epochs", "0.01,3/2", "0.01", 150),
        ("rate,steps per epoch,epochs", "0.01,90,2", "0.01", 180),
    ],
)
def test_a_training_run_is_read_as_check_reads_it(columns: str, cells: str, rate: str, steps: int) -> None:
    (event,) = privref.ledger_from_csv(f"{RUN},{columns}\nA,1,poisson,{cells}\n", "t", neighbours="zero-out").events
    assert event.law is not None
    assert event.law.sample is not None
    assert (event.law.sample.rate, event.count) == (Fraction(rate), steps)


@pytest.mark.parametrize(
    ("columns", "cells", "remedy"),
    [
        ("batch size,epochs", "256,10", "of how many records"),
        ("batch size,records,epochs", "256,100,10", "larger than records 100"),
        ("batch size,records,rate", "256,60000,0.1", "batch size and rate say the same"),
        ("rate,epochs,steps", "0.1,2,20", "epochs and steps say the same"),
        ("rate,steps per epoch", "0.1,10", "how many epochs were run"),
        ("rate,epochs", "0.1,0", "give a number > 0"),
        ("rate,epochs", "0.1,<= 3", "one value"),
        ("epochs", "3", "an epoch has how many steps"),
    ],
)
def test_what_a_training_run_leaves_open_is_asked(columns: str, cells: str, remedy: str) -> None:
    with pytest.raises(privref.InputError, match=remedy):
        privref.ledger_from_csv(f"{RUN},{columns}\nA,1,poisson,{cells}\n", "t")
