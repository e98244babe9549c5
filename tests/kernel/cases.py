"""Ledgers and claims of which the kernel's tests make certificates: true ones, and what makes each of them false."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]


def ledger(*events: Document, parameters: str = "fixed-in-advance", **more: Any) -> Document:
    return {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": parameters, "interaction": "sequential", "events": list(events), **more,
    }  # fmt: skip


def adaptive(*events: Document, **more: Any) -> Document:
    return ledger(*events, parameters="chosen-adaptively", **more)


def event(kind: str, count: int = 1, **guarantee: Any) -> Document:
    return {"count": count, "guarantee": {"kind": kind, **guarantee}}


def pure(epsilon: str, count: int = 1) -> Document:
    return event("pure-dp", count, epsilon=epsilon)


def approx(epsilon: str, delta: str, count: int = 1) -> Document:
    return event("approx-dp", count, epsilon=epsilon, delta=delta)


def zcdp(rho: str, delta: str = "0", count: int = 1) -> Document:
    return event("zcdp", count, rho=rho, delta=delta)


def cells(observed: str | None, count: int = 1, delta: str = "0", **costs: str) -> Document:
    found = event("output-dp", count, cells=costs, delta=delta)
    return found if observed is None else {**found, "observed_cell": observed}


def svt(observed: str, delta: str = "0") -> Document:
    """The sparse vector technique at 1 + 4 with at most two tops: its cells "0", "1", "2" cost 1, 3, 5."""
    rule = {"rule": "svt-count", "eps1": "1", "eps2": "4", "c": 2}
    return {**event("output-dp", partition=rule, delta=delta), "observed_cell": observed}


def ptr(observed: str, delta: str = "0") -> Document:
    """Propose-test-release at 1/2: an answer costs 1, no answer 1/2."""
    return {**event("output-dp", partition={"rule": "ptr", "eps": "1/2"}, delta=delta), "observed_cell": observed}


def budget(epsilon: str, delta: str, filter: str | None = None, delta_prime: str | None = None) -> Document:
    named = {"filter": filter, "delta_prime": delta_prime}
    return {"budget": {"epsilon": epsilon, "delta": delta, **{k: v for k, v in named.items() if v is not None}}}


def under(by: str, delta: str = "1e-6", delta_prime: str | None = None) -> Document:
    """The budget of 50 that most claims here are about, enforced by a filter."""
    return budget("50", delta, by, delta_prime)


def rho_budget(rho: str, delta: str = "0") -> Document:
    return {"budget": {"rho": rho, "delta": delta, "filter": "whitehouse2023/thm1"}}


def tuning(by: str, delta_prime: str) -> Document:
    return {"tuning": {by: {"delta_prime": delta_prime}}}


#: Three stages of noise reduction, of which the first was enough.
def staged(observed: str | None, count: int = 1) -> Document:
    return cells(observed, count, first="0.1", second="1/2", third="1")


def at_order(order: str, theorem: str = "rswr2023/ex_post_filter", **more: str) -> Document:
    return {"tuning": {theorem: {"order": order, **more}}}


E50 = {"epsilon": "50", "delta": "1e-6"}


def by(theorem: str, **claim: Any) -> Document:
    return {**E50, "by": theorem, **claim}


#: How many trials there were of which the best one was released.
LOGARITHMIC = {"trials": "negative-binomial", "eta": "0", "gamma": "1/9"}
FEWER, POISSON_MANY = {**LOGARITHMIC, "eta": "-1/2"}, {"trials": "poisson", "mean": "5"}
THM29, THM33, THM210 = "rogers2016/thm2.9", "rogers2016/thm3.3", "rogers2016/thm2.10"
EQ2, KOV, MV, THM2 = "whitehouse2023/eq2", "kov2015/optimal", "mv2016/optimal", "whitehouse2023/thm2"
ALG1, LEMMA1, TIGHT = "hartmann2022/alg1", "whitehouse2023/lem1", "cks2020/zcdp2dp"
OF_MOMENTS, TIGHT_RHO = "mironov2017/mixed", "whitehouse2023/thm1.tight"
EX_POST = "rswr2023/ex_post_filter"
RENYI, GAUSSIAN, ZCDP_AS_GAUSSIAN = "cks2020/rdp2dp", "gdp/composition", "gdp/zcdp2gdp"
ROGERS, SIMPLE = "rogers2016/thm5.1", "hartmann2022/def19"
ONE_ORDER, RESPONSES = "feldman2021/renyi_filter", "feldman2021/response_filter"
SEVERAL_ORDERS = "lecuyer2021/renyi_grid_filter"
DOMINATION = "gdp/domination"
OF_THREE_KINDS = approx("0.1", "1e-9", 300), event("gaussian-dp", mu="1/2"), pure("0.3")
UNEQUAL, DIFFERENT = "dong2020/unequal", "dong2020/advance"
ADVANCE, ON_THE_WAY, MEANS = "dong2020/thm3", "dong2020/adaptive", "dong2020/prop4"
IN_ADVANCE = {"queries": "fixed-in-advance"}
RANGES, FEW = event("bounded-range", 4, epsilon="0.5"), event("bounded-range", 2, epsilon="0.5")
MANY, SMALL = event("bounded-range", 20, epsilon="0.5"), event("bounded-range", 8, epsilon="0.25")
#: Two ledgers, of which a joint one has the events.
JOINT = {"together": [{"title": "one", "sha256": "0" * 64}, {"title": "other", "sha256": "1" * 64}]}

FIVE = approx("0.1", "1e-7", 5)
LEAKY = zcdp("0.1", "1e-7")
MOMENTS = (LEAKY, event("gaussian-dp", mu="0.1"), event("rdp", orders={"8": "0.05"}, delta="1e-8"))

LAWS = "zdw2022/thm10"
LAPLACE = {"kind": "laplace", "scale": "10", "sensitivity": "1"}
WORST = {"kind": "pure-dp", "epsilon": "0.2"}
NOISE: Document = {"count": 5, "mechanism": LAPLACE}
SAMPLES = "zdw2022/poisson_gaussian"
#: Noise of which a contour takes few steps: the second engine sums it for every forgery.
QUERY = {"kind": "gaussian", "sigma": "8", "sensitivity": "1"}
POISSON = {"kind": "subsampled", "base": QUERY, "rate": "1/10", "sampling": "poisson"}
ROOT = {**POISSON, "base": {"kind": "gaussian", "sigma_squared": "62", "sensitivity": "1"}}
DRAWN: Document = {"count": 40, "mechanism": POISSON}
CUT_BATCHES, TOLD = "chua2024b/truncated", "chua2024b/cut"
CAP = {"batch_cap": "150", "records": "1000"}
CAPPED: Document = {"mechanism": {**POISSON, **CAP}}
MIXTURE = {"kind": "gaussian-mixture", "sigma": "2", "shifts": ["0", "1/2", "3"], "weights": ["3/4", "1/8", "1/8"]}
SHIFTED: Document = {"mechanism": MIXTURE}
#: Two epochs of batches, of which each record is in two.
SHUFFLE: Document = {"count": 200, "mechanism": {
    **POISSON, "base": {**QUERY, "sigma": "1"}, "rate": "1/100", "sampling": "shuffled"}}  # fmt: skip
OFTEN_CUT: Document = {"count": 4, "mechanism": {**POISSON, "batch_cap": 105, "records": 1000}}


def replaced(**more: Any) -> Document:
    """Rounds of which some are cut, of records that contribute at most half of what a replaced one changes."""
    return {"count": 4, "mechanism": {**OFTEN_CUT["mechanism"], "clipped": True, **more}}


NEVER_CUT: Document = {
    "mechanism": {
        **POISSON, "base": {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}, "rate": "99/100",
        "batch_cap": "101", "records": "100",
    }
}  # fmt: skip
ANSWER = {**POISSON, "base": {"kind": "randomized-response", "epsilon": "1"}}
#: Laplace noise of epsilon = 1/2 on samples.
OF_LAPLACE: Document = {**POISSON, "base": {"kind": "laplace", "scale": "2", "sensitivity": "1"}}
OF_ONE_SIZE: Document = {**OF_LAPLACE, "sampling": "fixed-size"}
CUT_AND_WHOLE: tuple[Document, ...] = (
    {"count": 2, "mechanism": {**ANSWER, **CAP}},
    {"mechanism": {**ANSWER, "rate": "1/20"}},
)
BINS = "chua2025/allocation"
STEP = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}
IN_BINS = {"kind": "subsampled", "base": STEP, "sampling": "balls-in-bins", "bins": "20", "epochs": "4"}
RUN: Document = {"mechanism": IN_BINS}
#: A record is in several of these bins.
SOME_BINS = {**IN_BINS, "epochs": "1", "chosen": "4"}
#: Records that contribute at most half of what a replaced one changes.
CLIPPED: Document = {"count": 40, "mechanism": {**POISSON, "clipped": True}}
#: A run whose noise is correlated over its rounds.
CORRELATED: Document = {**QUERY, "kind": "matrix-gaussian", "sigma": "4", "coefficients": ["1", "1/2", "3/8"],
                        "rounds": 20, "participations": 2, "separation": 2, "attained": True}  # fmt: skip
BLT: Document = {"coefficients": None, "omega": ["1/4", "1/8"], "theta": ["9/10", "1/3"]}
TREE: Document = {"coefficients": None, "tree": "binary"}


def matrix(**changed: Any) -> Document:
    """Return the run with these fields, without those that are None."""
    return {key: value for key, value in {**CORRELATED, **changed}.items() if value is not None}


#: A run with correlated noise, on samples: 40 rounds of a record, 3 apart.
BANDED = {**QUERY, "kind": "matrix-gaussian", "coefficients": ["1", "1/2", "3/8"], "rounds": 120, "participations": 40,
          "separation": 3, "attained": True}  # fmt: skip
CYCLIC: Document = {"mechanism": {**POISSON, "base": BANDED}}


def cyclic(**changed: Any) -> Document:
    """Return that run with other noise."""
    return {"mechanism": {**POISSON, "base": {**BANDED, **changed}}}


#: The best of candidates, by scores with noise.
BEST: Document = {"kind": "report-noisy-max", "noise": "exponential", "scale": "10", "sensitivity": "1"}
GUMBEL: Document = {**BEST, "noise": "gumbel"}
BESIDE = {"guarantee": {"kind": "zcdp", "rho": "1/128"}}


#: What of the answers was released, as theorems have it, but for what is not declared.
RELEASED = {"divided_by": "public-constant", "padding": "zeros", "noise": "new-each-step", "metrics": "events"}
#: Sums of 11.7 million numbers in 10,000 steps, divided by the number of records, and how many there are.
DIVIDED: Document = {
    **DRAWN, "count": 10_000, "released": {"divided_by": "number-of-records", "coordinates": 11_700_000},
}  # fmt: skip
COUNTED: Document = {"dataset_size": {"value": 50_000, "public": False}}


def records(*events: Document, **more: Any) -> Document:
    return {**ledger(*events), "neighbours": "add-or-remove-one", **more}


def zeroed(*events: Document, **more: Any) -> Document:
    return {**ledger(*events), "neighbours": "zero-out", **more}


def drawn(**changed: Any) -> Document:
    return {"count": 40, "mechanism": {**POISSON, **changed}}


#: Of 3 draws each takes one of 30 records.
PUT_BACK = {"sampling": "with-replacement", "records": 30}


#: By name: the ledger and the claim. The audit confirms each, and each certificate verifies.
GOOD: dict[str, tuple[Document, Document]] = {
    "basic": (ledger(FIVE, pure("0.2")), by(THM29)),
    "basic filter": (adaptive(FIVE, pure("0.2"), **under(THM33)), by(THM33)),
    "basic filter, all spent": (adaptive(FIVE, **under(THM33, "5e-7")), by(THM33, delta="5e-7")),
    "basic filter in its budget": (adaptive(FIVE, **budget("1/2", "5e-7", THM33)), by(THM33)),
    "basic, the best of trials": (
        ledger({**pure("0.2"), "best_of": LOGARITHMIC}, pure("0.2")), by(THM29, epsilon="3/5", delta="0")),
    "basic, the best of trials, of which most often one runs": (
        ledger({**pure("0.2"), "best_of": FEWER}), by(THM29, epsilon="3/10", delta="0")),
    "advanced": (ledger(FIVE), by(THM210)),
    "equation (2)": (ledger(FIVE, pure("0.2")), by(EQ2)),
    "optimum of equal rounds": (ledger(pure("0.1", 5)), by(KOV)),
    "optimum": (ledger(approx("0.1", "1e-7", 2), pure("0.2")), by(MV)),
    "optimum of cells": (ledger(svt("0", "1e-7"), ptr("bottom")), by(MV)),
    "filter without deltas": (adaptive(pure("0.1", 5), **under(THM2)), by(THM2)),
    "filter without deltas, tuned": (adaptive(pure("0.1", 5), **tuning(THM2, "3e-7"), **under(THM2)), by(THM2)),
    "filter by halves": (adaptive(FIVE, **under(THM2)), by(THM2)),
    "filter, tuned": (adaptive(FIVE, **tuning(THM2, "3e-7"), **under(THM2)), by(THM2)),
    "filter, its split declared": (adaptive(FIVE, **under(THM2, delta_prime="3e-7")), by(THM2)),
    "filter, fixed": (ledger(FIVE), by(THM2)),
    "filter in a budget that parameters fixed in advance do not need": (ledger(FIVE, **budget("60", "0")), by(THM2)),
    "filter in its budget": (adaptive(pure("0.1", 5), **budget("2", "1e-6", THM2)), by(THM2)),
    "filter in a budget by halves": (adaptive(FIVE, **budget("2", "1e-6", THM2)), by(THM2)),
    "cells": (adaptive(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"), **under(ALG1)), by(ALG1)),
    "cells in a budget": (ledger(svt("0"), ptr("bottom"), **budget("5", "0", ALG1)), by(ALG1)),
    "ex-post": (
        adaptive(staged("first", 3), approx("0.1", "1e-7"), *MOMENTS, **at_order("8"), **under(EX_POST)), by(EX_POST)),
    "ex-post in its budget": (
        adaptive(staged("first", 3), pure("0.1", 9), **at_order("8"), **budget("2.2", "1e-6", EX_POST)), by(EX_POST)),
    "ex-post, its split declared": (
        adaptive(staged("second"), LEAKY, **at_order("8"), **under(EX_POST, delta_prime="3e-7")), by(EX_POST)),
    "ex-post, its split tuned": (
        adaptive(staged(None), LEAKY, **at_order("8", delta_prime="3e-7"), **under(EX_POST)), by(EX_POST)),
    "ex-post, fixed": (ledger(staged("first", 3), **at_order("8"), **under(EX_POST)), by(EX_POST)),
    "ex-post, cells with a delta": (
        adaptive(svt("0", "1e-7"), staged("first"), **at_order("8"), **under(EX_POST)), by(EX_POST)),
    "lemma 1": (ledger(LEAKY, pure("0.2")), by(LEMMA1)),
    "lemma 1 by halves": (adaptive(LEAKY, pure("0.2"), **under(LEMMA1)), by(LEMMA1)),
    "lemma 1, tuned": (adaptive(LEAKY, pure("0.2"), **tuning(LEMMA1, "3e-7"), **under(LEMMA1)), by(LEMMA1)),
    "lemma 1 without deltas, tuned": (
        adaptive(zcdp("0.1"), **tuning(LEMMA1, "3e-7"), **under(LEMMA1)), by(LEMMA1)),
    "zCDP": (ledger(LEAKY, pure("0.2"), event("gaussian-dp", mu="3")), by(TIGHT)),
    "zCDP by halves": (adaptive(LEAKY, **under(TIGHT)), by(TIGHT)),
    "zCDP, tuned": (adaptive(LEAKY, **tuning(TIGHT, "3e-7"), **under(TIGHT)), by(TIGHT)),
    "zCDP in its budget": (adaptive(zcdp("0.1"), **budget("10", "1e-6", TIGHT)), by(TIGHT)),
    "zCDP of cells": (adaptive(svt("0", "1e-7"), **under(TIGHT)), by(TIGHT)),
    "zCDP at delta 1": (
        adaptive(zcdp("0", "1e-7"), **tuning(TIGHT, "3e-7"), **under(TIGHT, "1")), by(TIGHT, delta="1")),
    "concurrent zCDP of (epsilon, delta)-DP": (
        adaptive(zcdp("0.1"), approx("0.1", "1e-7"), interaction="concurrent", **under(TIGHT)), by(TIGHT)),
    "concurrent Renyi": (
        ledger(event("rdp", orders={"8": "0.5"}), zcdp("0.1"), interaction="concurrent"), by("cks2020/rdp2dp")),
    "concurrent zCDP": (adaptive(zcdp("0.1"), interaction="concurrent", **under(TIGHT)), by(TIGHT)),
    "concurrent Gaussian mechanisms, declared approximate zCDP": (
        ledger({**event("zcdp", 4, rho="0.02", delta="1e-9"),
                "mechanism": {"kind": "gaussian", "sigma": "5", "sensitivity": "1"}}, interaction="concurrent"),
        by(GAUSSIAN)),
    "rho": (ledger(zcdp("0.1", "1e-7"), pure("0.2")), {"rho": "1", "delta": "1e-7"}),
    "moments": (ledger(FIVE, LEAKY, event("gaussian-dp", mu="0.3"), RANGES), by(OF_MOMENTS)),
    "moments of cells": (ledger(svt("0", "1e-7"), zcdp("0.1")), by(OF_MOMENTS)),
    "moments of many pure rounds": (ledger(pure("0.1", 900), pure("0.2", 200)), by(OF_MOMENTS)),
    "concurrent moments": (ledger(FIVE, zcdp("0.1"), interaction="concurrent"), by(OF_MOMENTS)),
    "Renyi, the best of trials": (ledger({**zcdp("1/100"), "best_of": LOGARITHMIC}), by(RENYI, epsilon="4")),
    "Renyi, the best of trials of bounded range": (
        ledger({**event("bounded-range", epsilon="1/5"), "best_of": FEWER}), by(RENYI, epsilon="4")),
    "Renyi, the best of a Poisson number": (
        ledger({**pure("1/5"), "best_of": POISSON_MANY}, pure("1/10")), by(RENYI, epsilon="4")),
    "Renyi, the best of trials with noise": (
        ledger({"mechanism": QUERY, "best_of": FEWER, "count": 2}), by(RENYI, epsilon="9")),
    "Renyi, bests of several kinds": (
        ledger({**event("rdp", orders={"8": "1/10", "32": "2/5"}), "best_of": LOGARITHMIC},
               {**zcdp("1/50"), "best_of": POISSON_MANY}, {**zcdp("1/100"), "best_of": POISSON_MANY}, zcdp("1/10")),
        by(RENYI, epsilon="9")),
    "the Renyi filter, the best of trials": (
        adaptive({**zcdp("1/100"), "best_of": LOGARITHMIC}, **at_order("8", ONE_ORDER), **under(ONE_ORDER)),
        by(ONE_ORDER)),
    "several orders, the best of trials": (
        adaptive({**zcdp("1/100"), "best_of": LOGARITHMIC}, **under(SEVERAL_ORDERS)), by(SEVERAL_ORDERS)),
    "ex-post, the best of trials": (
        adaptive(staged("first"), {**zcdp("1/100"), "best_of": POISSON_MANY}, **at_order("8"), **under(EX_POST)),
        by(EX_POST)),
    "mu on a range of delta": (ledger(zcdp("1/2")), {"mu": "7/5", "deltas": ["1e-6", "1/10"]}),
    "mu on a range of delta, a group": (ledger(zcdp("1/2")), {"mu": "14/5", "deltas": ["1e-6", "1/10"], "units": 2}),
    "mu on a range of delta, by what is proved of all": (
        ledger(event("gaussian-dp", 4, mu="1/2")), {"mu": "1", "deltas": ["1e-6", "1/10"]}),
    "mu on a range of delta, samples": (
        records(drawn(base={"kind": "gaussian", "sigma": "1", "sensitivity": "1"})),
        {"mu": "11/10", "deltas": ["1e-4", "1/100"]}),
    "mu over all epsilon, by points": (ledger(pure("1")), {"mu": "13/10"}),
    "mu on a range of delta, noise on integers": (
        ledger({"mechanism": {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}}),
        {"mu": "3/5", "deltas": ["1e-6", "1/10"]}),
    # 1.49069..., and of rho = 1/2 + 1/8 + 1/8 in all 1.8949...
    "mu of zCDP": (ledger(zcdp("1/2")), {"mu": "1.4907", "by": ZCDP_AS_GAUSSIAN}),
    "mu of zCDP, several kinds": (
        ledger(zcdp("1/2"), pure("1/2"), {"mechanism": {"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1"]}}),
        {"mu": "1.9", "by": ZCDP_AS_GAUSSIAN}),
    "mu of zCDP, a group": (ledger(zcdp("1/8")), {"mu": "1.4907", "units": 2, "by": ZCDP_AS_GAUSSIAN}),
    "mu of zCDP, concurrent": (
        ledger(zcdp("1/2"), interaction="concurrent"), {"mu": "1.4907", "by": ZCDP_AS_GAUSSIAN}),
    "mu": (ledger(event("gaussian-dp", 4, mu="1/2")), {"mu": "1", "by": GAUSSIAN}),
    # sqrt(40)/8 = 0.79056..., and with a quarter 0.82915...
    "mu of samples": (records(DRAWN, event("gaussian-dp", mu="1/4")), {"mu": "0.8292", "by": GAUSSIAN}),
    "rho, tight": (ledger(zcdp("0.1", "1e-7"), pure("2"), RANGES), {"rho": "1.8", "delta": "1e-7", "by": TIGHT_RHO}),
    "rho under a budget": (adaptive(zcdp("0.1"), **rho_budget("1")), {"rho": "1"}),
    "epsilon under a budget of rho": (adaptive(LEAKY, **rho_budget("1", "2e-7")), by(TIGHT)),
    "epsilon under a budget of rho, by Lemma 1": (adaptive(LEAKY, **rho_budget("1", "2e-7")), by(LEMMA1)),
    "laws": (ledger(NOISE, pure("0.2")), by(LAWS)),
    "samples": (records(DRAWN), by(SAMPLES)),
    "samples, a record zeroed out": (zeroed(DRAWN), by(SAMPLES)),
    "samples, two records zeroed out": (zeroed(DRAWN), by(SAMPLES, epsilon="1", delta="1e-3", units=2)),
    "samples, a record replaced by way of zero": (
        zeroed(DRAWN), by(SAMPLES, epsilon="1", delta="1e-3", neighbours="replace-one")),
    "samples, a record zeroed out by way of none": (
        records(DRAWN), by(SAMPLES, epsilon="1", delta="1e-3", neighbours="zero-out")),
    "samples, a group of two": (records(DRAWN), by(LAWS, epsilon="3/10", delta="1/400", units=2)),
    "samples, a record in another's place": (
        records(DRAWN, pure("0.1")), by(LAWS, epsilon="1/2", delta="1/400", neighbours="replace-one")),
    "samples of users": (records(drawn(records_per_unit=3)), by(LAWS, epsilon="3/10", delta="1/50")),
    "a mixture": (records({**SHIFTED, "count": 20}), by(LAWS, epsilon="4.47", delta="1e-2")),
    "a mixture, one zeroed out": (zeroed(SHIFTED, pure("0.1")), by(LAWS, epsilon="3/5", delta="1/50")),
    "a mixture, as its largest shift": (records(SHIFTED), by(GAUSSIAN, epsilon="4.02", delta="1e-2")),
    "a mixture, two records": (records(SHIFTED), by(LAWS, epsilon="8.65", delta="1/20", units=2)),
    "samples of users, one replaced": (
        ledger(drawn(records_per_unit=2, clipped=True)), by(LAWS, epsilon="3/10", delta="1/400")),
    "samples in parts": (records({**DRAWN, "count": 30}, {**DRAWN, "count": 10}), by(SAMPLES)),
    "samples, a multiplier that is no rational": (records({"count": 40, "mechanism": ROOT}), by(SAMPLES)),
    "samples of two rates": (records(DRAWN, drawn(rate="1/20")), by(LAWS)),
    "samples, next to Laplace noise": (records(DRAWN, NOISE), by(LAWS, epsilon="0.748")),
    "samples never above their cap, of a group": (
        records(NEVER_CUT), {"epsilon": "4", "delta": "0.18", "units": 2}),
    "epochs of a shuffle": (ledger(SHUFFLE), by(GAUSSIAN)),
    "epochs of a shuffle, a record zeroed out": (zeroed(SHUFFLE), by(LAWS)),
    "cut samples, a record replaced": (ledger({**CAPPED, "count": 40}), by(GAUSSIAN, epsilon="4", delta="1e-5")),
    "samples of a fixed size, a record zeroed out": (
        zeroed({"count": 9, "mechanism": {**SHUFFLE["mechanism"], "sampling": "fixed-size"}}), by(GAUSSIAN)),
    "samples of a fixed size, a record replaced": (ledger(drawn(sampling="fixed-size")), by(LAWS, epsilon="0.335")),
    "samples of a fixed size, a record zeroed out, composed": (
        zeroed(drawn(sampling="fixed-size")), by(LAWS, epsilon="0.38")),
    "draws with replacement, a record replaced": (ledger(drawn(**PUT_BACK)), by(LAWS, epsilon="0.36")),
    "draws with replacement, a record zeroed out": (zeroed(drawn(**PUT_BACK)), by(LAWS, epsilon="0.4")),
    "draws with replacement, all of a record": (
        ledger(drawn(**PUT_BACK)), {"epsilon": "15", "delta": "1e-5", "by": GAUSSIAN}),
    "correlated noise": (zeroed({"mechanism": CORRELATED}), by(LAWS, epsilon="2.106")),
    **{f"correlated noise, {what}": (zeroed({"mechanism": matrix(**changed)}), by(LAWS, epsilon=epsilon))
       for what, epsilon, changed in (
           ("of any sign", "2.106", {"coefficients": ["1", "-1/2", "-3/8"]}),
           ("of any sign, exactly apart", "2.584", {"coefficients": ["1", "-1/2", "3/4"], "spacing": "exactly"}),
           ("of buffers", "2.253", BLT), ("of a tree", "4.887", TREE))},
    "samples of groups in turn": (records(CYCLIC), by(SAMPLES, epsilon="0.387")),
    "samples of groups in turn, a record zeroed out": (zeroed(CYCLIC), by(SAMPLES, epsilon="0.387")),
    "samples of groups in turn, by moments": (records(CYCLIC), by("cks2020/rdp2dp", epsilon="0.5")),
    "samples of groups in turn, a record replaced": (ledger(CYCLIC), by(TIGHT)),
    "correlated noise by zCDP": (zeroed({"mechanism": CORRELATED}), by(TIGHT, epsilon="2.6")),
    "a noisy maximum": (ledger({"mechanism": BEST}), by(LAWS, epsilon="0.1", delta="0.0488")),
    "a noisy maximum, one way, beside noise": (
        records({"count": 3, "mechanism": {**BEST, "monotone": True}}, NOISE), by(LAWS, epsilon="1")),
    "exponential mechanisms": (
        ledger({"count": 10, "mechanism": GUMBEL}, **IN_ADVANCE), by(ADVANCE, epsilon="1.32")),
    "exponential mechanisms by zCDP": (ledger({"count": 10, "mechanism": GUMBEL}), by(TIGHT, epsilon="1.5")),
    "samples, a record replaced": (ledger(CLIPPED), by(LAWS, epsilon="0.32")),
    "samples, a record replaced, beside noise": (
        ledger({**CLIPPED, "count": 5}, NOISE), by(LAWS, epsilon="1")),
    "samples of which the sums were released": (records({**DRAWN, "released": RELEASED}), by(LAWS)),
    "sums divided by a public number": (
        records({**DRAWN, "released": DIVIDED["released"]}, dataset_size={"value": 50_000, "public": True}), by(LAWS)),
    "sums divided by a number that stays": (
        zeroed({**DRAWN, "released": {"divided_by": "number-of-records"}}), by(LAWS)),
    "sums divided by a batch of a fixed size": (
        ledger({**drawn(sampling="fixed-size"), "released": {"divided_by": "batch-size"}}),
        by(LAWS, epsilon="0.335")),
    "told samples": (records(OFTEN_CUT), by(TOLD)),
    "told samples, a record zeroed out": (zeroed(OFTEN_CUT), by(TOLD)),
    "told samples, a record replaced": (ledger(replaced()), by(TOLD, epsilon="0.0352", delta="1e-3")),
    "told samples and whole ones": (records(OFTEN_CUT, DRAWN), by(TOLD)),
    "told samples of a group": (
        records(OFTEN_CUT, dataset_size={"value": 999, "public": True}), by(TOLD, units=2)),
    "bins": (records(RUN), by(BINS, epsilon="1.2", delta="1e-4")),
    "bins, a record zeroed out": (zeroed(RUN), by(BINS, epsilon="1.2", delta="1e-4")),
    "bins of a group": (records(RUN), {"epsilon": "2.5", "delta": "5e-4", "units": 2}),
    "bins, new ones in each epoch": (
        records({"mechanism": {**IN_BINS, "drawn": "each-epoch"}}), by(GAUSSIAN, epsilon="3.81", delta="1e-4")),
    "several bins": (zeroed({"mechanism": SOME_BINS}), by(GAUSSIAN, epsilon="3.81", delta="1e-4")),
    "several bins, in blocks": (zeroed({"mechanism": SOME_BINS}), by(LAWS, epsilon="2", delta="1e-4")),
    "bins, new ones in each epoch, composed": (
        records({"mechanism": {**IN_BINS, "bins": "4", "epochs": "2", "drawn": "each-epoch"}}),
        by(LAWS, epsilon="0.63", delta="1e-2")),
    "bins, beside a small loss": (records(RUN, pure("1/10")), by(LAWS, epsilon="1.4", delta="1e-4")),
    "several bins of a group": (zeroed({"mechanism": SOME_BINS}), {"epsilon": "9", "delta": "1e-4", "units": 2}),
    "told samples, a record replaced that is not clipped": (
        ledger({**CAPPED, "count": 40}), by(TOLD, epsilon="1.2", delta="1e-5")),
    "samples without a cap, a record replaced that is not clipped": (
        ledger(DRAWN), by(TOLD, epsilon="1.2", delta="1e-5")),
    "samples of Laplace noise, a record replaced": (
        ledger({"count": 20, "mechanism": OF_LAPLACE}), by(TOLD, epsilon="2.05", delta="1e-3")),
    "samples of answers, a record replaced, with a cap": (
        ledger({"count": 20, "mechanism": {**ANSWER, **CAP}}), by(TOLD, epsilon="5.24", delta="1e-3")),
    "samples of Laplace noise, a record replaced, next to Gaussian noise": (
        ledger({"count": 20, "mechanism": OF_LAPLACE}, DRAWN), by(TOLD, epsilon="2.24", delta="1e-3")),
    "samples of a fixed size of answers, a record zeroed out": (
        zeroed({"count": 20, "mechanism": {**ANSWER, "sampling": "fixed-size"}}),
        by(LAWS, epsilon="1.46", delta="1e-3")),
    "samples of answers, a record zeroed out, with a cap": (
        zeroed({"count": 20, "mechanism": {**ANSWER, **CAP}}), by(TOLD, epsilon="5.24", delta="1e-3")),
    "samples of a fixed size of Laplace noise, a record replaced": (
        ledger({"count": 20, "mechanism": OF_ONE_SIZE}), by(LAWS, epsilon="0.531", delta="1e-3")),
    "samples of a fixed size of Laplace noise, a record zeroed out": (
        zeroed({"count": 20, "mechanism": OF_ONE_SIZE}), by(LAWS, epsilon="2.05", delta="1e-3")),
    "samples of a fixed size of discrete noise, a record replaced": (
        ledger({"count": 20, "mechanism": {**OF_ONE_SIZE, "base": {
            "kind": "discrete-gaussian", "sigma": "3", "shifts": ["2"]}}}), by(LAWS, epsilon="1.08", delta="1e-3")),
    "samples of a fixed size of what may lose all, a record replaced": (
        ledger({"count": 20, "mechanism": {**OF_ONE_SIZE, "base": {
            "kind": "four-outcome-randomized-response", "epsilon": "1/2", "delta": "1e-5"}}}),
        by(LAWS, epsilon="0.577", delta="1e-3")),
    "bins, a record replaced": (ledger(RUN), by(GAUSSIAN, epsilon="3.81", delta="1e-4")),
    "cut samples": (records(CAPPED), by(CUT_BATCHES)),
    "cut samples and whole ones": (records(*CUT_AND_WHOLE), by(CUT_BATCHES, delta="1e-3")),
    "cut samples, concurrent": (records(CAPPED, interaction="concurrent"), by(CUT_BATCHES)),
    "cut samples of a group": (
        records(CAPPED, dataset_size={"value": 999, "public": True}), {"epsilon": "1", "delta": "1e-4", "units": 2}),
    "Gaussian": (ledger(event("gaussian-dp", 2, mu="1"), event("gaussian-dp", mu="0")), by(GAUSSIAN)),
    "Gaussian in its budget": (adaptive(event("gaussian-dp", mu="1"), **budget("10", "1e-6", GAUSSIAN)), by(GAUSSIAN)),
    "ranges in advance": (ledger(RANGES, **IN_ADVANCE), by(ADVANCE)),
    "ranges on the way": (ledger(FEW), by(ON_THE_WAY)),
    "different ranges in advance": (
        ledger(FEW, event("bounded-range", epsilon="0.25"), **IN_ADVANCE), by("dong2020/advance")),
    "unequal ranges": (
        ledger(FEW, event("bounded-range", epsilon="0.25"), **IN_ADVANCE), by("dong2020/unequal")),
    "many ranges on the way": (ledger(MANY), by(ON_THE_WAY, epsilon="5.44")),
    "more different ranges in advance": (
        ledger(event("bounded-range", 6, epsilon="0.5"), SMALL, **IN_ADVANCE),
        by(DIFFERENT, epsilon="2.47", delta="1e-4")),
    "more unequal ranges": (
        ledger(event("bounded-range", 6, epsilon="0.5"), SMALL, **IN_ADVANCE),
        by(UNEQUAL, epsilon="2.48", delta="1e-4")),
    "the first filter of advanced rate": (
        adaptive(FIVE, pure("0.2"), **budget("4", "1e-6", ROGERS)), by(ROGERS, epsilon="4")),
    "cells by the definition": (
        adaptive(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"), **budget("6", "1e-6", SIMPLE)), by(SIMPLE)),
    "one order": (
        adaptive(FIVE, *MOMENTS, **at_order("8", ONE_ORDER), **budget("5", "2e-6", ONE_ORDER)),
        by(ONE_ORDER, epsilon="5", delta="2e-6")),
    "one order, its split tuned": (
        adaptive(*MOMENTS, **at_order("8", ONE_ORDER, delta_prime="3e-7"), **under(ONE_ORDER)), by(ONE_ORDER)),
    "responses at one order": (
        adaptive(pure("0.1", 100), **at_order("16", RESPONSES), **budget("9.5", "1e-6", RESPONSES)),
        by(RESPONSES, epsilon="9.5")),
    "responses as a sum": (
        adaptive(pure("0.1", 5), **at_order("3/2", RESPONSES), **budget("0.5", "1e-6", RESPONSES)), by(RESPONSES)),
    "several orders": (
        adaptive(FIVE, zcdp("0.1"), **budget("4", "2e-6", SEVERAL_ORDERS)),
        by(SEVERAL_ORDERS, epsilon="4", delta="2e-6")),
    "domination": (adaptive(pure("0.1", 20), **budget("2.2", "1e-6", DOMINATION)), by(DOMINATION, epsilon="2.2")),
    "domination of three kinds of rounds": (
        adaptive(*OF_THREE_KINDS, **budget("12", "1e-6", DOMINATION)), by(DOMINATION, epsilon="12")),
    "domination, by a split of its own": (
        adaptive(pure("0.1", 20), **tuning(DOMINATION, "9e-7"), **budget("2.1", "1e-6", DOMINATION)),
        by(DOMINATION, epsilon="2.1")),
    "domination of noise": (
        adaptive({"count": 2, "mechanism": {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}},
                 {"mechanism": {"kind": "laplace", "scale": "2", "sensitivity": "1"}},
                 **budget("5", "1e-6", DOMINATION)), by(DOMINATION, epsilon="5")),
    "two ledgers together": (ledger(FIVE, pure("0.2"), **JOINT), by(THM29)),
    "two ledgers together, at once": (ledger(FIVE, pure("0.2"), interaction="concurrent", **JOINT), by(THM29)),
    "ranges by their means": (ledger(RANGES, event("bounded-range", epsilon="0.1")), by(MEANS)),
    "ranges as pure DP": (ledger(RANGES), by(KOV)),
    "ranges as zCDP": (adaptive(RANGES, **under(TIGHT)), by(TIGHT)),
    "Renyi": (ledger(event("rdp", orders={"8": "0.5"}, delta="1e-7"), zcdp("0.1")), by(RENYI)),
    "the statement's full name": (ledger(zcdp("0.1")), by("whitehouse2023/lem1.zcdp2dp.eps")),
}  # fmt: skip


#: What is wrong: the good certificate, and its ledger or claim that do not fit its proof any more.
WRONG: dict[str, tuple[str, Document]] = {
    "basic, deltas above the claim": ("basic", {"claim": {"delta": "4.9e-7"}}),
    "basic, adaptive": ("basic", {"record": adaptive(FIVE, pure("0.2"))}),
    "basic, an event refused": ("basic", {"record": ledger(FIVE, pure("0.2"), {**pure("1"), "decision": "halt"})}),
    "basic, the best of trials of another law": (
        "basic, the best of trials",
        {"record": ledger({**pure("0.2"), "best_of": {**LOGARITHMIC, "eta": "1/100"}}, pure("0.2"))}),
    "basic, the best of a Poisson number": (
        "basic, the best of trials",
        {"record": ledger({**pure("0.2"), "best_of": {"trials": "poisson", "mean": "1"}}, pure("0.2"))}),
    "basic, the best of trials that a coin ends": (
        "basic, the best of trials",
        {"record": ledger({**pure("0.2"), "best_of": LOGARITHMIC, "selected": "above-threshold"}, pure("0.2"))}),
    "basic, the best of trials with a delta": (
        "basic, the best of trials",
        {"record": ledger({**approx("0.2", "0"), "best_of": LOGARITHMIC}, pure("0.2"))}),
    "basic filter, a claim below the budget": ("basic filter", {"claim": {"delta": "4.9e-7"}}),
    "basic filter, deltas above the budget": (
        "basic filter, all spent", {"record": adaptive(approx("0.1", "1.1e-7", 5), **under(THM33, "5e-7"))}),
    "basic filter, no filter named": ("basic filter", {"record": adaptive(FIVE, pure("0.2"), **budget("50", "1e-6"))}),
    "basic filter, no budget": ("basic filter", {"record": adaptive(FIVE, pure("0.2"))}),
    "basic filter, another filter named": ("basic filter", {"record": adaptive(FIVE, pure("0.2"), **under(THM2))}),
    "basic filter, a budget of rho": ("basic filter", {"record": adaptive(FIVE, pure("0.2"), **rho_budget("9"))}),
    "basic filter, a larger budget": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("51", "5e-7", THM33))}),
    "basic filter, a budget of a larger delta": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("1/2", "1.1e-6", THM33))}),
    "basic filter, a budget that was exceeded": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("0.49", "5e-7", THM33))}),
    "basic filter, a budget whose delta was exceeded": (
        "basic filter in its budget", {"record": adaptive(FIVE, **budget("1/2", "4.9e-7", THM33))}),
    "advanced, a claim of less delta": ("advanced", {"claim": {"delta": "9.9e-7"}}),
    "advanced, unequal rounds": ("advanced", {"record": ledger(FIVE, pure("0.2"))}),
    "advanced, adaptive": ("advanced", {"record": adaptive(FIVE)}),
    "equation (2), adaptive": ("equation (2)", {"record": adaptive(FIVE, pure("0.2"))}),
    "optimum of equal rounds, rounds with a delta": ("optimum of equal rounds", {"record": ledger(FIVE)}),
    "optimum of equal rounds, different ones": (
        "optimum of equal rounds", {"record": ledger(pure("0.1", 3), pure("0.05"))}),
    "optimum of equal rounds, adaptive": ("optimum of equal rounds", {"record": adaptive(pure("0.1", 5))}),
    "optimum, adaptive": ("optimum", {"record": adaptive(approx("0.1", "1e-7", 2), pure("0.2"))}),
    "filter, another split declared": (
        "filter, its split declared", {"record": adaptive(FIVE, **under(THM2, delta_prime="4e-7"))}),
    "filter, a budget without a filter": ("filter by halves", {"record": adaptive(FIVE, **budget("50", "1e-6"))}),
    "filter, a tuning without a filter": ("filter, tuned", {"record": adaptive(FIVE, **tuning(THM2, "3e-7"))}),
    "filter by halves, deltas above their half": (
        "filter by halves", {"record": adaptive(approx("0.1", "1.1e-7", 5), **under(THM2))}),
    "filter, deltas above what the tuning leaves": (
        "filter, tuned", {"record": adaptive(approx("0.1", "1.5e-7", 5), **tuning(THM2, "3e-7"), **under(THM2))}),
    "filter, a budget that was exceeded": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("0.9", "1e-6", THM2))}),
    "filter, a budget that was exceeded at its delta": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("2", "1e-60", THM2))}),
    "filter, a budget without delta": (
        "filter in its budget", {"record": adaptive(pure("0.1", 5), **budget("50", "0", THM2))}),
    "filter, deltas above half of the budget's": (
        "filter in a budget by halves", {"record": adaptive(FIVE, **budget("2", "9e-7", THM2))}),
    "cells, a claim of less delta": ("cells", {"claim": {"delta": "9.9e-7"}}),
    "cells, a dearer one was observed": (
        "cells", {"record": adaptive(svt("2"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"), **under(ALG1))}),
    "cells, none was observed": (
        "cells", {"record": adaptive(svt("1"), cells(None, delta="4e-7", answer="1", bottom="1/2"),
                                     approx("0.1", "6e-7"), **under(ALG1))}),
    "cells, in another order": (
        "cells", {"record": adaptive(ptr("bottom", "4e-7"), svt("1"), approx("0.1", "6e-7"), **under(ALG1))}),
    "cells, concurrent": (
        "cells", {"record": adaptive(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"),
                                     interaction="concurrent", **under(ALG1))}),
    "cells, fixed and without a budget": (
        "cells", {"record": ledger(svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"))}),
    "cells, a budget that was exceeded": (
        "cells in a budget", {"record": ledger(svt("0"), ptr("bottom"), **budget("1.4", "0", ALG1))}),
    "cells, a larger budget": (
        "cells in a budget", {"record": ledger(svt("0"), ptr("bottom"), **budget("51", "0", ALG1))}),
    "ex-post, another order declared": (
        "ex-post, fixed", {"record": ledger(staged("first", 3), **at_order("9"), **under(EX_POST))}),
    "ex-post, no order declared": ("ex-post, fixed", {"record": ledger(staged("first", 3), **under(EX_POST))}),
    "ex-post, no budget": ("ex-post, fixed", {"record": ledger(staged("first", 3), **at_order("8"))}),
    "ex-post, another filter named": (
        "ex-post, fixed", {"record": ledger(staged("first", 3), **at_order("8"), **under(ALG1))}),
    "ex-post, concurrent": (
        "ex-post, fixed",
        {"record": ledger(staged("first", 3), interaction="concurrent", **at_order("8"), **under(EX_POST))}),
    "ex-post, a later stage": (
        "ex-post, fixed", {"record": ledger(staged("second", 3), **at_order("8"), **under(EX_POST))}),
    "ex-post, none was observed": (
        "ex-post, fixed", {"record": ledger(staged(None, 3), **at_order("8"), **under(EX_POST))}),
    "ex-post, a delta that the cells share": (
        "ex-post, fixed",
        {"record": ledger(cells("first", 3, "1e-8", first="0.1", second="1/2", third="1"), **at_order("8"),
                          **under(EX_POST))}),
    "ex-post, in another order": (
        "ex-post in its budget",
        {"record": adaptive(pure("0.1", 9), staged("first", 3), **at_order("8"), **budget("2.2", "1e-6", EX_POST))}),
    "ex-post, a budget that was exceeded": (
        "ex-post in its budget",
        {"record": adaptive(staged("first", 3), pure("0.1", 9), **at_order("8"), **budget("1.1", "1e-6", EX_POST))}),
    "ex-post, plain rounds that exceed its budget": (
        "ex-post in its budget",
        {"record": adaptive(staged("first"), pure("0.5", 9), **at_order("8"), **budget("3", "1e-6", EX_POST))}),
    "ex-post, a larger budget": (
        "ex-post in its budget",
        {"record": adaptive(staged("first", 3), pure("0.1", 9), **at_order("8"), **budget("51", "1e-6", EX_POST))}),
    "ex-post, another split declared": (
        "ex-post, its split declared",
        {"record": adaptive(staged("second"), LEAKY, **at_order("8"), **under(EX_POST, delta_prime="4e-7"))}),
    "ex-post, deltas above what the split leaves": (
        "ex-post, its split declared",
        {"record": adaptive(staged("second"), zcdp("0.1", "8e-7"), **at_order("8"),
                            **under(EX_POST, delta_prime="3e-7"))}),
    "moments, adaptive": ("moments", {"record": adaptive(FIVE, LEAKY, event("gaussian-dp", mu="0.3"), RANGES)}),
    "moments, a round of zCDP taken for a pure one": (
        "moments of cells", {"record": ledger(svt("0", "1e-7"), zcdp("0.1"), pure("0.1"))}),
    "moments, concurrent with a delta": (
        "concurrent moments", {"record": ledger(FIVE, LEAKY, interaction="concurrent")}),
    "rho, tight, a claim of less delta": ("rho, tight", {"claim": {"delta": "9e-8"}}),
    "lemma 1, concurrent with a delta": ("lemma 1", {"record": ledger(LEAKY, pure("0.2"), interaction="concurrent")}),
    "zCDP by halves, deltas above their half": (
        "zCDP by halves", {"record": adaptive(zcdp("0.1", "5.1e-7"), **under(TIGHT))}),
    "zCDP, deltas above what the tuning leaves": (
        "zCDP, tuned", {"record": adaptive(zcdp("0.1", "7.1e-7"), **tuning(TIGHT, "3e-7"), **under(TIGHT))}),
    "zCDP, all of the delta tuned away": (
        "zCDP, tuned", {"record": adaptive(LEAKY, **tuning(TIGHT, "1"), **under(TIGHT))}),
    "zCDP, another theorem's tuning": (
        "zCDP, tuned", {"record": adaptive(LEAKY, **tuning(LEMMA1, "3e-7"), **under(TIGHT))}),
    "zCDP, a budget that was exceeded at its delta": (
        "zCDP in its budget", {"record": adaptive(zcdp("0.1"), **budget("10", "1e-300", TIGHT))}),
    "zCDP, a budget without delta": (
        "zCDP in its budget", {"record": adaptive(zcdp("0.1"), **budget("10", "0", TIGHT))}),
    "rho, a claim of less delta": ("rho", {"claim": {"delta": "9e-8"}}),
    "zCDP, deltas of more than 1": (
        "zCDP at delta 1",
        {"record": adaptive(zcdp("0", "3/4", 2), **tuning(TIGHT, "3e-7"), **under(TIGHT, "0.9")),
         "claim": {"delta": "0.9"}}),
    "zCDP, deltas of 1": (
        "zCDP at delta 1", {"record": adaptive(zcdp("0", "1"), **tuning(TIGHT, "3e-7"), **under(TIGHT, "1"))}),
    "moments, deltas of more than 1": (
        "moments", {"record": ledger(approx("0.1", "3/4", 2)), "claim": {"delta": "0.9"}}),
    "moments, deltas of 1": ("moments", {"record": ledger(approx("0.1", "1")), "claim": {"delta": "0.9"}}),
    "the best of more trials": (
        "Renyi, the best of trials",
        {"record": ledger({**zcdp("1/100"), "best_of": {**LOGARITHMIC, "gamma": "1e-9"}}), "claim": {"epsilon": "1"}}),
    "the best of a larger Poisson number": (
        "Renyi, the best of a Poisson number",
        {"record": ledger({**pure("1/5"), "best_of": {**POISSON_MANY, "mean": "500"}}, pure("1/10")),
         "claim": {"epsilon": "1"}}),
    "the best of trials by epsilons": (
        "Renyi, the best of a Poisson number", {"claim": {"by": THM29}}),
    "the best of trials of which nothing is known at the second order": (
        "Renyi, bests of several kinds",
        {"record": ledger({**event("rdp", orders={"8": "1/10"}), "best_of": LOGARITHMIC},
                          {**zcdp("1/50"), "best_of": POISSON_MANY}, {**zcdp("1/100"), "best_of": POISSON_MANY})}),
    "the best of one kind of trials more": (
        "Renyi, the best of trials",
        {"record": ledger({**zcdp("1/100"), "best_of": LOGARITHMIC}, {**zcdp("1/100"), "best_of": POISSON_MANY})}),
    "the best of trials for a group": ("Renyi, the best of trials", {"claim": {"units": 2}}),
    "the Renyi filter, the best of more trials": (
        "the Renyi filter, the best of trials",
        {"record": adaptive({**zcdp("50"), "best_of": LOGARITHMIC}, **at_order("8", ONE_ORDER), **under(ONE_ORDER))}),
    "several orders, a best that is none of trials": (
        "several orders, the best of trials", {"record": adaptive(zcdp("1/100"), **under(SEVERAL_ORDERS)),
                                               "claim": {"delta": "1e-9"}}),
    "ex-post, the best of dearer trials": (
        "ex-post, the best of trials",
        {"record": adaptive(staged("first"), {**zcdp("9"), "best_of": POISSON_MANY}, **at_order("8"),
                            **under(EX_POST))}),
    "mu of zCDP, a smaller one": ("mu of zCDP", {"claim": {"mu": "1.4906"}}),
    "mu of zCDP, that of the Gaussian": ("mu of zCDP", {"claim": {"mu": "1"}}),
    "mu of zCDP, none": ("mu of zCDP", {"claim": {"mu": "0"}}),
    "mu of zCDP, a larger rho": ("mu of zCDP", {"record": ledger(zcdp("0.5001"))}),
    "mu of zCDP, a round more": ("mu of zCDP", {"record": ledger(zcdp("1/2"), zcdp("1/1000"))}),
    "mu of zCDP, a delta": ("mu of zCDP", {"record": ledger(zcdp("1/2", "1e-30"))}),
    "mu of zCDP, an (epsilon, delta) round": (
        "mu of zCDP, several kinds", {"record": ledger(zcdp("1/2"), approx("1/2", "1e-30"))}),
    "mu of zCDP, Renyi DP at some orders": (
        "mu of zCDP", {"record": ledger(event("rdp", orders={"2": "1", "64": "32"}))}),
    "mu of zCDP, chosen on the way": ("mu of zCDP", {"record": adaptive(zcdp("1/2"))}),
    "mu of zCDP, three in a group": ("mu of zCDP, a group", {"claim": {"units": 3}}),
    "mu of zCDP, by the theorem of Gaussian DP": ("mu of zCDP", {"claim": {"by": GAUSSIAN}}),
    "mu on a longer range, below": ("mu on a range of delta", {"claim": {"deltas": ["1e-12", "1/10"]}}),
    "mu on a longer range, above": ("mu on a range of delta", {"claim": {"deltas": ["1e-6", "1/5"]}}),
    "a smaller mu on a range, of samples": ("mu on a range of delta, samples", {"claim": {"mu": "1.09"}}),
    "mu on no range": ("mu on a range of delta", {"claim": {"deltas": ["1/10", "1/10"]}}),
    "a smaller mu on a range": ("mu on a range of delta", {"claim": {"mu": "1.39"}}),
    "no mu on a range": ("mu on a range of delta", {"claim": {"mu": "0"}}),
    "mu on a range, a round more": ("mu on a range of delta", {"record": ledger(zcdp("1/2"), zcdp("1/1000"))}),
    "mu on a range, three in a group": ("mu on a range of delta, a group", {"claim": {"units": 3}}),
    "mu on a range by a theorem about all": ("mu on a range of delta", {"claim": {"by": GAUSSIAN}}),
    "a smaller mu over all epsilon": ("mu over all epsilon, by points", {"claim": {"mu": "1.29"}}),
    "mu over all epsilon of a larger epsilon": ("mu over all epsilon, by points", {"record": ledger(pure("1.001"))}),
    "a smaller mu on a range, of what is proved of all": (
        "mu on a range of delta, by what is proved of all", {"claim": {"mu": "0.999"}}),
    "mu, a smaller one": ("mu", {"claim": {"mu": "0.999"}}),
    "mu of samples, a smaller one": ("mu of samples", {"claim": {"mu": "0.8291"}}),
    "mu of samples, which may be cut": ("mu of samples", {"record": records(OFTEN_CUT), "claim": {"mu": "9"}}),
    "mu of samples, of Laplace noise": (
        "mu of samples", {"record": records(drawn(base=LAPLACE)), "claim": {"mu": "99"}}),
    "mu, of a round that is no Gaussian": (
        "mu", {"record": ledger(event("gaussian-dp", 3, mu="1/2"), zcdp("1/8"))}),
    "mu, a round more": ("mu", {"record": ledger(event("gaussian-dp", 5, mu="1/2"))}),
    "rho, a larger budget": ("rho under a budget", {"record": adaptive(zcdp("0.1"), **rho_budget("1.1"))}),
    "rho, a budget that was exceeded": (
        "rho under a budget", {"record": adaptive(zcdp("0.1"), **rho_budget("0.09"))}),
    "epsilon under a budget of rho, a smaller one": (
        "epsilon under a budget of rho", {"record": adaptive(LEAKY, **rho_budget("0.09", "2e-7"))}),
    "epsilon under a budget of rho, less delta": (
        "epsilon under a budget of rho", {"record": adaptive(LEAKY, **rho_budget("1", "9e-8"))}),
    "epsilon under a budget of rho, by no filter": ("epsilon under a budget of rho", {"record": adaptive(LEAKY)}),
    "laws, adaptive": ("laws", {"record": adaptive(NOISE, pure("0.2"))}),
    "laws, an event without one": ("laws", {"record": ledger(NOISE, zcdp("0.02"))}),
    "samples, adaptive": ("samples", {"record": records(DRAWN, parameters="chosen-adaptively")}),
    "samples of records that are replaced": ("samples", {"record": ledger({**DRAWN, **BESIDE})}),
    "samples, a record zeroed out, on the way": (
        "samples, a record zeroed out", {"record": zeroed(DRAWN, parameters="chosen-adaptively")}),
    "samples, a record zeroed out, of ones replaced": (
        "samples, a record zeroed out", {"record": ledger({**DRAWN, **BESIDE})}),
    "samples, a record zeroed out, cut": ("samples, a record zeroed out", {"record": zeroed(drawn(**CAP))}),
    "samples, a record zeroed out, shuffled": (
        "samples, a record zeroed out", {"record": zeroed({**drawn(sampling="shuffled"), **BESIDE})}),
    "samples, a record zeroed out, of one added": (
        "samples, a record zeroed out", {"claim": {"neighbours": "add-or-remove-one"}}),
    "samples, a record zeroed out, of one replaced": (
        "samples, a record zeroed out", {"claim": {"neighbours": "replace-one"}}),
    "samples, two records zeroed out, and a third": ("samples, two records zeroed out", {"claim": {"units": 3}}),
    "samples, two records replaced by way of zero": (
        "samples, a record replaced by way of zero", {"claim": {"units": 2}}),
    "samples, a record replaced in samples of ones replaced": (
        "samples, a record replaced by way of zero", {"record": ledger({**DRAWN, **BESIDE})}),
    "samples, a record zeroed out by way of none, two": (
        "samples, a record zeroed out by way of none", {"claim": {"units": 2}}),
    "samples, a record zeroed out by way of one replaced": (
        "samples, a record zeroed out by way of none", {"record": ledger({**DRAWN, **BESIDE})}),
    "samples, a group of three": ("samples, a group of two", {"claim": {"units": 3}}),
    **{
        f"samples, a group of two, {what}": ("samples, a group of two", {"record": records(event, **more)})
        for what, event, more in (
            ("of users", drawn(records_per_unit=2), {}), ("with less noise", drawn(base={**QUERY, "sigma": "6"}), {}),
            ("more often", {**DRAWN, "count": 60}, {}), ("with a cap", {**drawn(**CAP), **BESIDE}, {}),
            ("chosen on the way", DRAWN, {"parameters": "chosen-adaptively"}),
        )
    },
    **{
        f"a mixture, {what}": ("a mixture", {"record": records({"count": 20, "mechanism": mechanism}, **more)})
        for what, mechanism, more in (
            ("of less noise", {**MIXTURE, "sigma": "19/10"}, {}),
            ("of a larger shift", {**MIXTURE, "shifts": ["0", "1/2", "31/10"]}, {}),
            ("with more weight on it", {**MIXTURE, "weights": ["5/8", "1/8", "1/4"]}, {}),
            ("on samples", {"kind": "subsampled", "base": MIXTURE, "rate": "1/2", "sampling": "poisson"}, {}),
            ("with weights of no sum", {**MIXTURE, "weights": ["1/2", "1/4", "1/8"]}, {}),
            ("with a weight below 0", {**MIXTURE, "weights": ["3/2", "1/4", "-3/4"]}, {}),
            ("with a shift twice", {**MIXTURE, "shifts": ["0", "3", "3"]}, {}),
            ("with a weight too few", {**MIXTURE, "weights": ["1/2", "1/2"]}, {}),
            ("of shifts without a short common measure", {
                **MIXTURE, "shifts": ["0", f"1/{10**50 + 1}", f"1/{10**50 + 3}"]}, {}),
            ("chosen on the way", MIXTURE, {"parameters": "chosen-adaptively"}),
        )
    },
    "a mixture, once more": ("a mixture", {"record": records({**SHIFTED, "count": 21})}),
    "a mixture, of a replaced record": ("a mixture", {"record": ledger({**SHIFTED, "count": 20})}),
    "a mixture, with its largest shift's guarantee too small": (
        "a mixture, as its largest shift",
        {"record": records({**SHIFTED, "guarantee": {"kind": "gaussian-dp", "mu": "7/5"}})}),
    "a mixture, of a group of three": ("a mixture, two records", {"claim": {"units": 3}}),
    "samples, two records in others' places": ("samples, a record in another's place", {"claim": {"units": 2}}),
    **{
        f"samples of users, {what}": ("samples of users", {"record": record}) for what, record in (
            ("of more records", records(drawn(records_per_unit=4))), ("replaced", ledger(drawn(records_per_unit=3))),
            ("too many records", records(drawn(records_per_unit=33))),
            ("of a fixed size", zeroed(drawn(records_per_unit=3, sampling="fixed-size"))),
            ("with a cap", records(drawn(records_per_unit=3, **CAP))),
            ("with Laplace noise", records(drawn(records_per_unit=3, base=LAPLACE))),
            ("in every sample", records(drawn(records_per_unit=3, rate="1"))),
        )
    },
    "samples, another round of more": (
        "samples in parts", {"record": records({**DRAWN, "count": 30}, {**drawn(rate="1/9"), "count": 10})}),
    "samples, beside another mechanism": ("samples", {"record": records(DRAWN, NOISE)}),
    **{
        f"samples, next to Laplace noise {what}": ("samples, next to Laplace noise", {"record": record})
        for what, record in (
            ("of a smaller scale", records(DRAWN, {**NOISE, "mechanism": {**LAPLACE, "scale": "9"}})),
            ("in more rounds", records(DRAWN, {**NOISE, "count": 6})),
            ("and at a larger rate", records(drawn(rate="1/9"), NOISE)),
        )
    },
    "samples of another mechanism": ("samples", {"record": records({**drawn(base=LAPLACE), **BESIDE})}),
    "samples never above their cap, of more records": (
        "samples never above their cap, of a group", {"record": records(NEVER_CUT, dataset_size={"value": 100})}),
    **{
        f"epochs of a shuffle, {what}": ("epochs of a shuffle", {"record": record}) for what, record in (
            ("a record added", records(SHUFFLE)), ("chosen on the way", adaptive(SHUFFLE)),
            ("drawn in another way", ledger({**SHUFFLE, "mechanism": {**SHUFFLE["mechanism"], "sampling": "unknown"}})),
            ("of a fixed size", ledger({**SHUFFLE, "mechanism": {**SHUFFLE["mechanism"], "sampling": "fixed-size"}})),
            ("of Poisson samples", ledger({**SHUFFLE, "mechanism": {**SHUFFLE["mechanism"], "sampling": "poisson"}})),
            ("of large batches", ledger({**SHUFFLE, "mechanism": {**SHUFFLE["mechanism"], "rate": "1/2"}})),
            ("of many epochs", ledger({**SHUFFLE, "count": 9000})),
            ("with less noise", ledger({**SHUFFLE, "mechanism": {
                **SHUFFLE["mechanism"], "base": {**QUERY, "sigma": "1/9"}}})),
            ("beside another guarantee", ledger({**SHUFFLE, **BESIDE})),
        )
    },
    **{
        f"correlated noise, {what}": ("correlated noise", {"record": zeroed({"mechanism": {**CORRELATED, **changed}})})
        for what, changed in (
            ("coefficients that rise", {"coefficients": ["1", "1/2", "3/4"]}),
            ("coefficients below 0", {"coefficients": ["1", "1/2", "-3/4"]}),
            ("rounds closer together", {"separation": 1}), ("more rounds of a unit", {"participations": 9}),
            ("less noise", {"sigma": "2"}), ("a longer band", {"coefficients": ["1"] * 9}),
            ("no diagonal", {"coefficients": ["0", "0", "0"]}),
        )
    },
    **{
        f"correlated noise, {of}, {what}": (f"correlated noise, {of}", {
            "record": zeroed({"mechanism": matrix(**{**first, **changed})})})
        for of, first, what, changed in (
            ("of buffers", BLT, "more weight", {"omega": ["1/4", "1/7"]}),
            ("of buffers", BLT, "that keep more", {"theta": ["19/20", "1/3"]}),
            ("of buffers", BLT, "rounds closer together", {"separation": 1}),
            ("of buffers", BLT, "that grow", {"theta": ["9/10", "4/3"]}),
            ("of buffers", BLT, "of another number", {"theta": ["9/10"]}),
            ("of a tree", TREE, "of more rounds", {"rounds": 33}),
            ("of a tree", TREE, "more rounds of a unit", {"participations": 3}),
            ("of a tree", TREE, "with coefficients", {"coefficients": ["1"]}),
            ("of any sign, exactly apart", {"coefficients": ["1", "-1/2", "3/4"]}, "at least apart", {}),
        )
    },
    **{
        f"what was released, {what}": ("samples of which the sums were released", {
            "record": records({**DRAWN, "released": {**RELEASED, name: word}})})
        for what, name, word in (
            ("divided by the records", "divided_by", "number-of-records"),
            ("divided by the batch", "divided_by", "batch-size"), ("sums clipped", "clipping", "whole-batch"),
            ("padded by records", "padding", "other-records"), ("empty batches left out", "empty_batches", "left-out"),
            ("infinite gradients", "not_finite", "kept"), ("noise used twice", "noise", "reused"),
            ("batch normalisation", "across_records", "some"), ("exact metrics", "metrics", "exact"),
            ("tuned by runs that are left out", "tuning", "left-out"),
        )
    },
    "sums divided by a private number": ("sums divided by a public number", {
        "record": records({**DRAWN, "released": DIVIDED["released"]}, **COUNTED)}),
    "sums divided by a number that changes": ("sums divided by a number that stays", {
        "record": records({**DRAWN, "released": {"divided_by": "number-of-records"}})}),
    "sums divided by a batch that varies": ("samples, a record replaced", {
        "record": ledger({**CLIPPED, "released": {"divided_by": "batch-size"}})}),
    **{
        f"a noisy maximum, {what}": ("a noisy maximum", {"record": ledger({"mechanism": {**BEST, **changed}})})
        for what, changed in (
            ("less noise", {"scale": "9"}), ("larger scores", {"sensitivity": "2"}),
            ("other noise", {"noise": "normal"}), ("attained", {"attained": False}),
        )
    },
    "noise other than Gumbel's": (
        "exponential mechanisms", {"record": ledger({"count": 10, "mechanism": BEST}, **IN_ADVANCE)}),
    "other noise by zCDP": ("exponential mechanisms by zCDP", {"record": ledger({"count": 10, "mechanism": BEST})}),
    "samples of a noisy maximum": ("samples", {"record": records({**drawn(base=BEST), **BESIDE})}),
    **{
        f"samples of groups in turn, {what}": ("samples of groups in turn", {"record": record}) for what, record in (
            ("less noise", records(cyclic(sigma="7"))), ("a longer band", records(cyclic(separation=2))),
            ("more rounds of a record", records(cyclic(rounds=150, participations=50))),
            ("more correlation", records(cyclic(coefficients=["1", "1/2", "1/2"]))),
            ("drawn more often", records({"mechanism": {**CYCLIC["mechanism"], "rate": "1/9"}})),
            ("drawn otherwise", records({"mechanism": {**CYCLIC["mechanism"], "sampling": "fixed-size"}})),
            ("another record", ledger(CYCLIC)), ("adaptive", records(CYCLIC, parameters="chosen-adaptively")),
            ("cut above a cap", records({"mechanism": {**CYCLIC["mechanism"], "batch_cap": 5, "records": 9}})),
            ("of a tree", records({"mechanism": {**POISSON, "base": {
                **{key: value for key, value in BANDED.items() if key != "coefficients"}, "tree": "binary"}}})),
        )
    },
    "samples of correlated noise": ("samples", {"record": records({**drawn(base=CORRELATED), **BESIDE})}),
    "samples of a fixed size, a record zeroed out, many": (
        "samples of a fixed size, a record zeroed out", {
            "record": zeroed({"count": 900, "mechanism": {**SHUFFLE["mechanism"], "sampling": "fixed-size"}})}),
    **{
        f"samples, a record replaced, {what}": ("samples, a record replaced", {"record": record}) for what, record in (
            ("not clipped", ledger(drawn(clipped=False))), ("chosen on the way", adaptive(CLIPPED)),
            ("of samples of a fixed size", ledger(drawn(sampling="fixed-size"))),
            ("of a shuffle", ledger(drawn(sampling="shuffled"))),
            ("of samples with a cap", ledger({**drawn(**CAP), **BESIDE})),
            ("often", ledger({**CLIPPED, "count": 4000})),
            ("with less noise", ledger(drawn(clipped=True, base={**QUERY, "sigma": "1"}))),
        )
    },
    **{
        f"samples of a fixed size, a record replaced, {what}": (
            "samples of a fixed size, a record replaced", {"record": record}) for what, record in (
            ("of ones added", records({**drawn(sampling="fixed-size"), **BESIDE})),
            ("of a larger size", ledger(drawn(sampling="fixed-size", rate="1/2"))),
            ("of an unknown kind", ledger({**drawn(sampling="unknown"), **BESIDE})),
            ("zeroed out of them", zeroed(drawn(sampling="fixed-size"))),
        )
    },
    **{
        f"draws with replacement, {what}": ("draws with replacement, a record replaced", {"record": record})
        for what, record in (
            ("of ones added", records({**drawn(**PUT_BACK), **BESIDE})),
            ("of more draws", ledger(drawn(**PUT_BACK, rate="1/2"))),
            ("with less noise", ledger(drawn(**PUT_BACK, base={**QUERY, "sigma": "1"}))),
            ("zeroed out of them", zeroed(drawn(**PUT_BACK))),
            ("often", ledger({**drawn(**PUT_BACK), "count": 4000})),
            ("chosen on the way", adaptive(drawn(**PUT_BACK))),
            ("of a data set of another size", ledger(
                drawn(**PUT_BACK), dataset_size={"value": 100, "public": True})),
            ("of Laplace noise", ledger({**drawn(**PUT_BACK, base=NOISE["mechanism"]), **BESIDE})),
            ("that are clipped", ledger(drawn(**PUT_BACK, clipped=True))),
            ("of users", ledger(drawn(**PUT_BACK, records_per_unit=2))),
            ("with a cap", ledger(drawn(**PUT_BACK, batch_cap=30))),
        )
    },
    "draws with replacement, all of one copy": (
        "draws with replacement, all of a record", {"claim": {"epsilon": "4", "delta": "1e-5", "by": GAUSSIAN}}),
    "draws with replacement, as if drawn once": (
        "draws with replacement, a record zeroed out", {"claim": by(LAWS, epsilon="0.38")}),
    "told samples, adaptive": ("told samples", {"record": records(OFTEN_CUT, parameters="chosen-adaptively")}),
    "told samples of replaced records": ("told samples", {"record": ledger({**OFTEN_CUT, **BESIDE})}),
    **{
        f"told samples, a record replaced, {what}": ("told samples, a record replaced", change) for what, change in (
            ("not clipped", {"record": ledger(replaced(clipped=False))}),
            ("cut more often", {"record": ledger(replaced(batch_cap=100))}),
            ("of more records", {"record": ledger(replaced(records=1050))}),
            ("of a larger rate", {"record": ledger(replaced(rate="1/9"))}),
            ("with less noise", {"record": ledger(replaced(base={**QUERY, "sigma": "7"}))}),
            ("as if none were cut", {"claim": {"by": LAWS}}), ("at less", {"claim": {"epsilon": "0.034"}}),
            ("as if a term were added", {"claim": {"by": CUT_BATCHES}}), ("adaptive", {"record": adaptive(replaced())}),
            ("as moments", {"claim": {"by": "cks2020/rdp2dp"}}),
        )
    },
    "told samples, none cut": ("told samples", {"record": records({"count": 4, "mechanism": POISSON})}),
    "told samples, with less noise": (
        "told samples", {"record": records({**OFTEN_CUT, "mechanism": {
            **OFTEN_CUT["mechanism"], "base": {**QUERY, "sigma": "1/8"}}})}),
    "told samples of randomized response": (
        "told samples", {"record": records({"mechanism": {**ANSWER, **CAP}})}),
    "told samples, cut to nothing of one added": (
        "told samples, a record zeroed out", {"claim": {"neighbours": "add-or-remove-one"}}),
    "told samples as if a term were added": ("told samples", {"claim": {"by": CUT_BATCHES}}),
    "told samples of a group, more records than the cap rests on": (
        "told samples of a group", {"record": records(OFTEN_CUT, dataset_size={"value": 1000, "public": True})}),
    "told samples of a group, many units": ("told samples of a group", {"claim": {"units": 100}}),
    "cut samples of a group, more records than the cap rests on": (
        "cut samples of a group", {"record": records(CAPPED, dataset_size={"value": 1000, "public": True})}),
    "cut samples of a group, a unit more": ("cut samples of a group", {"claim": {"units": 4}}),
    "bins, fewer of them": ("bins", {"record": records({"mechanism": {**IN_BINS, "bins": "19"}})}),
    "bins, an epoch more": ("bins", {"record": records({"mechanism": {**IN_BINS, "epochs": "5"}})}),
    "bins, less noise": ("bins", {"record": records({"mechanism": {**IN_BINS, "base": {**STEP, "sigma": "1.9"}}})}),
    "bins, another run": ("bins", {"record": records({**RUN, "count": 2})}),
    "bins, another mechanism": ("bins", {"record": records(RUN, pure("0.0001"))}),
    "bins, drawn anew": ("bins", {"record": records({"mechanism": {**IN_BINS, "drawn": "each-epoch"}})}),
    "bins of records that are replaced": ("bins", {"record": ledger(RUN)}),
    "bins, adaptive": ("bins", {"record": records(RUN, parameters="chosen-adaptively")}),
    "bins, a smaller epsilon": ("bins", {"claim": {"epsilon": "1.19"}}),
    "bins, a smaller delta": ("bins", {"claim": {"delta": "9.5e-5"}}),
    "bins, Laplace noise": ("bins", {"record": records({"mechanism": {**IN_BINS, "base": LAPLACE}})}),
    "bins, of a group": ("bins of a group", {"claim": {"units": 3}}),
    "several bins, one more": (
        "several bins", {"record": zeroed({"mechanism": {**SOME_BINS, "chosen": "5"}})}),
    "several bins, in two epochs": ("several bins", {"record": zeroed({"mechanism": {**SOME_BINS, "epochs": "2"}})}),
    "several bins, their own pair": ("several bins", {"claim": {"by": BINS}}),
    **{f"several bins, in blocks, {what}": ("several bins, in blocks", changed) for what, changed in (
        ("of more steps with a record", {"record": zeroed({"mechanism": {**SOME_BINS, "chosen": "8"}})}),
        ("of fewer steps", {"record": zeroed({"mechanism": {**SOME_BINS, "bins": "11"}})}),
        ("a record added", {"record": records({"mechanism": {**SOME_BINS, "chosen": "8"}})}),
        ("a record replaced", {"record": ledger({"mechanism": SOME_BINS})}),
        ("chosen on the way", {"record": zeroed({"mechanism": SOME_BINS}, parameters="chosen-adaptively")}),
        ("a smaller epsilon", {"claim": {"epsilon": "1.3"}}), ("of a group", {"claim": {"units": 2}}))},
    "bins, new ones in each epoch, composed, one more": (
        "bins, new ones in each epoch, composed",
        {"record": records({"mechanism": {**IN_BINS, "bins": "4", "epochs": "3", "drawn": "each-epoch"}})}),
    "samples without a cap, a record replaced that is not clipped, at a larger rate": (
        "samples without a cap, a record replaced that is not clipped", {"record": ledger(drawn(rate="1/5"))}),
    "samples without a cap, a record replaced that is not clipped, a shuffle": (
        "samples without a cap, a record replaced that is not clipped", {"record": ledger(drawn(sampling="shuffled"))}),
    "samples without a cap, a record zeroed out": (
        "samples without a cap, a record replaced that is not clipped", {"record": zeroed(DRAWN)}),
    **{f"samples of Laplace noise, a record replaced, {what}": (
        "samples of Laplace noise, a record replaced", changed) for what, changed in (
        ("at a larger rate", {"record": ledger({"count": 20, "mechanism": {**OF_LAPLACE, "rate": "1/9"}})}),
        ("with less noise", {"record": ledger({"count": 20, "mechanism": {
            **OF_LAPLACE, "base": {**LAPLACE, "scale": "19/10"}}})}),
        ("of two coordinates", {"record": ledger({"count": 20, "mechanism": {
            **OF_LAPLACE, "base": {"kind": "laplace", "scale": "2", "shifts": ["1", "1"]}}})}),
        ("a round more", {"record": ledger({"count": 21, "mechanism": OF_LAPLACE})}),
        ("without samples", {"record": ledger({"count": 20, "mechanism": OF_LAPLACE["base"]})}),
        ("in every sample", {"record": ledger({"count": 20, "mechanism": {**OF_LAPLACE, "rate": "1"}})}),
        ("of a shuffle", {"record": ledger({"count": 20, "mechanism": {**OF_LAPLACE, "sampling": "shuffled"}})}),
        ("with replacement", {"record": ledger({"count": 20, "mechanism": {**OF_LAPLACE, **PUT_BACK}})}),
        ("drawn who knows how", {"record": ledger({"count": 20, "mechanism": {**OF_LAPLACE, "sampling": "unknown"}})}),
        ("one added", {"record": records({"count": 20, "mechanism": OF_LAPLACE})}),
        ("one zeroed out", {"record": zeroed({"count": 20, "mechanism": OF_LAPLACE})}),
        ("chosen on the way", {"record": adaptive({"count": 20, "mechanism": OF_LAPLACE})}),
        ("clipped", {"record": ledger({"count": 20, "mechanism": {**OF_LAPLACE, "clipped": True}})}),
        ("two of them", {"claim": {"units": 2}}), ("at less", {"claim": {"epsilon": "2.046"}}),
        ("at a smaller delta", {"claim": {"delta": "99/100000"}}),
        ("by equal rounds", {"claim": {"by": "zdw2022/poisson_gaussian"}}),
    )},
    **{f"samples of a fixed size of answers, {what}": (
        "samples of a fixed size of answers, a record zeroed out", {"record": record}) for what, record in (
        ("one added", records({"count": 20, "mechanism": {**ANSWER, "sampling": "fixed-size"}})),
        ("of a larger size", zeroed({"count": 20, "mechanism": {**ANSWER, "sampling": "fixed-size", "rate": "1/9"}})),
        ("of a shuffle", zeroed({"count": 20, "mechanism": {**ANSWER, "sampling": "shuffled"}})))},
    **{f"samples of a fixed size of Laplace noise, {what}": (
        "samples of a fixed size of Laplace noise, a record replaced", change) for what, change in (
        ("of more rounds", {"record": ledger({"count": 22, "mechanism": OF_ONE_SIZE})}),
        ("of a larger size", {"record": ledger({"count": 20, "mechanism": {**OF_ONE_SIZE, "rate": "1/9"}})}),
        ("of Poisson's", {"record": ledger({"count": 20, "mechanism": OF_LAPLACE})}),
        ("of a shuffle", {"record": ledger({"count": 20, "mechanism": {**OF_ONE_SIZE, "sampling": "shuffled"}})}),
        ("one added", {"record": records({"count": 20, "mechanism": OF_ONE_SIZE})}),
        ("one zeroed out", {"record": zeroed({"count": 20, "mechanism": OF_ONE_SIZE})}),
        ("chosen on the way", {"record": adaptive({"count": 20, "mechanism": OF_ONE_SIZE})}),
        ("two of them", {"claim": {"units": 2}}), ("at less", {"claim": {"epsilon": "0.5294"}}),
        ("at a smaller delta", {"claim": {"delta": "9/10000"}}),
    )},
    "samples of answers, a record replaced, with a cap, two rates": (
        "samples of answers, a record replaced, with a cap", {
            "record": ledger({"count": 20, "mechanism": {**ANSWER, **CAP, "rate": "11/100"}})}),
    "samples of Laplace noise, a record replaced, next to less Gaussian noise": (
        "samples of Laplace noise, a record replaced, next to Gaussian noise", {
            "record": ledger({"count": 20, "mechanism": OF_LAPLACE}, drawn(base={**QUERY, "sigma": "5"}))}),
    "bins, beside a larger loss": ("bins, beside a small loss", {"record": records(RUN, pure("1/2"))}),
    **{f"told samples, a record replaced that is not clipped, {what}": (
        "told samples, a record replaced that is not clipped", changed) for what, changed in (
        ("at a larger rate", {"record": ledger({"count": 40, "mechanism": {**CAPPED["mechanism"], "rate": "1/5"}})}),
        ("a round more", {"record": ledger({"count": 60, "mechanism": CAPPED["mechanism"]})}),
        ("with less noise", {"record": ledger({"count": 40, "mechanism": {
            **CAPPED["mechanism"], "base": {**QUERY, "sigma": "7"}}})}),
        ("in another order of records", {"record": ledger({"count": 40, "mechanism": {
            **CAPPED["mechanism"], "sampling": "unknown"}})}),
        ("a smaller epsilon", {"claim": {"epsilon": "1"}}))},
    "bins, a record replaced, an epoch more": (
        "bins, a record replaced", {"record": ledger({"mechanism": {**IN_BINS, "epochs": "5"}})}),
    "bins, a record replaced, the bins' own pair": ("bins, a record replaced", {"claim": {"by": BINS}}),
    "bins, new ones in each epoch, an epoch more": (
        "bins, new ones in each epoch",
        {"record": records({"mechanism": {**IN_BINS, "drawn": "each-epoch", "epochs": "5"}})}),
    "cut samples, another round": ("cut samples", {"record": records({**CAPPED, "count": 2})}),
    **{
        f"cut samples, a record replaced, {what}": ("cut samples, a record replaced", {"record": record})
        for what, record in (
            ("a record added", records({**CAPPED, "count": 40})), ("zeroed out", zeroed({**CAPPED, "count": 40})),
            ("of more rounds", ledger({**CAPPED, "count": 90})),
            ("chosen on the way", adaptive({**CAPPED, "count": 40})),
            ("of users", ledger({"count": 40, "mechanism": {**CAPPED["mechanism"], "records_per_unit": 2}})),
            ("of other samples", ledger({"count": 40, "mechanism": {**CAPPED["mechanism"], "sampling": "shuffled"}})),
        )
    },
    "cut samples of records that are replaced": ("cut samples", {"record": ledger(CAPPED)}),
    "cut samples, adaptive": ("cut samples", {"record": records(CAPPED, parameters="chosen-adaptively")}),
    "cut samples, none cut": ("cut samples", {"record": records({"mechanism": POISSON})}),
    "cut samples and whole ones, all whole": (
        "cut samples and whole ones", {"record": records({**CUT_AND_WHOLE[0], "mechanism": ANSWER}, CUT_AND_WHOLE[1])}),
    "samples, cut": ("samples", {"record": records(drawn(**CAP))}),
    "samples of two rates, one cut": ("samples of two rates", {"record": records(drawn(**CAP), drawn(rate="1/20"))}),
    "samples of two rates, one shuffled": (
        "samples of two rates", {"record": records(DRAWN, drawn(rate="1/20", sampling="shuffled"))}),
    "samples of two rates, chosen on the way": (
        "samples of two rates", {"record": records(DRAWN, drawn(rate="1/20"), parameters="chosen-adaptively")}),
    "samples that were shuffled": ("samples", {"record": records({**drawn(sampling="shuffled"), **BESIDE})}),
    "samples of a fixed size": ("samples", {"record": records({**drawn(sampling="fixed-size"), **BESIDE})}),
    "samples of an unknown kind": ("samples", {"record": records({**drawn(sampling="unknown"), **BESIDE})}),
    "Gaussian, an event that is not": ("Gaussian", {"record": ledger(event("gaussian-dp", 2, mu="1"), pure("9"))}),
    "Gaussian, an event that is said to be unknown": (
        "Gaussian", {"record": ledger(event("gaussian-dp", mu="1"), event("unknown", description="a sample"))}),
    "Gaussian, an event of an unknown kind": (
        "Gaussian", {"record": ledger(event("gaussian-dp", mu="1"), event("subsampled-gaussian", mu="1"))}),
    "Gaussian, a budget that was exceeded at its delta": (
        "Gaussian in its budget", {"record": adaptive(event("gaussian-dp", mu="1"),
                         **budget("10", "1e-300", GAUSSIAN))}),
    "Gaussian, a budget without delta": (
        "Gaussian in its budget", {"record": adaptive(event("gaussian-dp", mu="1"), **budget("10", "0", GAUSSIAN))}),
    "ranges in advance, nothing said of the mechanisms": ("ranges in advance", {"record": ledger(RANGES)}),
    "ranges in advance, chosen from answers": (
        "ranges in advance", {"record": ledger(RANGES, queries="chosen-adaptively")}),
    "ranges in advance, an event refused": (
        "ranges in advance", {"record": ledger(RANGES, {**RANGES, "decision": "halt"}, **IN_ADVANCE)}),
    "ranges in advance, pure DP": ("ranges in advance", {"record": ledger(pure("0.5", 4), **IN_ADVANCE)}),
    "ranges in advance, concurrent": (
        "ranges in advance", {"record": ledger(RANGES, interaction="concurrent", **IN_ADVANCE)}),
    "ranges on the way, concurrent": ("ranges on the way", {"record": ledger(FEW, interaction="concurrent")}),
    "ranges on the way, their parameters too": ("ranges on the way", {"record": adaptive(FEW)}),
    "ranges on the way, unequal": (
        "ranges on the way", {"record": ledger(event("bounded-range", epsilon="0.5"),
                                               event("bounded-range", epsilon="0.4"))}),
    "different ranges, chosen from answers": (
        "different ranges in advance", {"record": ledger(FEW, event("bounded-range", epsilon="0.25"))}),
    "unequal ranges, chosen from answers": (
        "unequal ranges", {"record": ledger(FEW, event("bounded-range", epsilon="0.25"))}),
    "many ranges on the way, one more": (
        "many ranges on the way", {"record": ledger(event("bounded-range", 21, epsilon="0.5"))}),
    "many ranges on the way, wider ones": (
        "many ranges on the way", {"record": ledger(event("bounded-range", 20, epsilon="0.51"))}),
    "many ranges on the way, concurrent": (
        "many ranges on the way", {"record": ledger(MANY, interaction="concurrent")}),
    "many ranges on the way, zCDP": ("many ranges on the way", {"record": ledger(zcdp("1/32", count=20))}),
    "many ranges on the way, less delta": ("many ranges on the way", {"claim": {"delta": "1e-7"}}),
    "many ranges on the way, less epsilon": ("many ranges on the way", {"claim": {"epsilon": "5.42"}}),
    "more different ranges, one more": (
        "more different ranges in advance",
        {"record": ledger(event("bounded-range", 7, epsilon="0.5"), SMALL, **IN_ADVANCE)}),
    "more different ranges, wider ones": (
        "more different ranges in advance",
        {"record": ledger(event("bounded-range", 6, epsilon="0.51"), SMALL, **IN_ADVANCE)}),
    "more different ranges, chosen from answers": (
        "more different ranges in advance", {"record": ledger(event("bounded-range", 6, epsilon="0.5"), SMALL)}),
    "more different ranges, a third": (
        "more different ranges in advance",
        {"record": ledger(event("bounded-range", 6, epsilon="0.5"), SMALL, event("bounded-range", epsilon="0.1"),
                          **IN_ADVANCE)}),
    "more different ranges, less epsilon": ("more different ranges in advance", {"claim": {"epsilon": "2.46"}}),
    "more different ranges, less delta": ("more different ranges in advance", {"claim": {"delta": "9.5e-5"}}),
    "more unequal ranges, one more": (
        "more unequal ranges", {"record": ledger(event("bounded-range", 7, epsilon="0.5"), SMALL, **IN_ADVANCE)}),
    "more unequal ranges, wider ones": (
        "more unequal ranges", {"record": ledger(event("bounded-range", 6, epsilon="0.51"), SMALL, **IN_ADVANCE)}),
    "more unequal ranges, concurrent": (
        "more unequal ranges",
        {"record": ledger(event("bounded-range", 6, epsilon="0.5"), SMALL, interaction="concurrent", **IN_ADVANCE)}),
    "more unequal ranges, chosen from answers": (
        "more unequal ranges", {"record": ledger(event("bounded-range", 6, epsilon="0.5"), SMALL)}),
    "more unequal ranges, less epsilon": ("more unequal ranges", {"claim": {"epsilon": "2.46"}}),
    "more unequal ranges, less delta": ("more unequal ranges", {"claim": {"delta": "9.5e-5"}}),
    "advanced rate, fixed": ("the first filter of advanced rate", {"record": ledger(FIVE, pure("0.2"))}),
    "advanced rate, another filter named": (
        "the first filter of advanced rate", {"record": adaptive(FIVE, pure("0.2"), **budget("4", "1e-6", THM2))}),
    "advanced rate, a budget that was exceeded": (
        "the first filter of advanced rate", {"record": adaptive(FIVE, pure("0.2"), **budget("1", "1e-6", ROGERS))}),
    "advanced rate, a larger budget": (
        "the first filter of advanced rate", {"record": adaptive(FIVE, pure("0.2"), **budget("4.1", "1e-6", ROGERS))}),
    "advanced rate, deltas above half": (
        "the first filter of advanced rate",
        {"record": adaptive(approx("0.1", "1.1e-7", 5), pure("0.2"), **budget("4", "1e-6", ROGERS))}),
    "advanced rate, more than its delta": (
        "the first filter of advanced rate",
        {"record": adaptive(FIVE, pure("0.2"), **budget("4", "0.4", ROGERS)), "claim": {"delta": "0.4"}}),
    "advanced rate, a round of another kind": (
        "the first filter of advanced rate", {"record": adaptive(FIVE, zcdp("0"), **budget("4", "1e-6", ROGERS))}),
    "cells by the definition, a dearer one was observed": (
        "cells by the definition",
        {"record": adaptive(svt("2"), svt("2"), ptr("bottom", "4e-7"), **budget("6", "1e-6", SIMPLE))}),
    "cells by the definition, concurrent": (
        "cells by the definition",
        {"record": adaptive(svt("1"), ptr("bottom", "4e-7"), interaction="concurrent",
                            **budget("6", "1e-6", SIMPLE))}),
    "cells by the definition, of the other filter": (
        "cells by the definition", {"record": adaptive(svt("1"), ptr("bottom"), **budget("6", "1e-6", ALG1))}),
    "cells by the definition, without a budget": (
        "cells by the definition", {"record": ledger(svt("1"), ptr("bottom", "4e-7"))}),
    "cells by the definition, a larger budget": (
        "cells by the definition", {"record": adaptive(svt("1"), ptr("bottom"), **budget("51", "1e-6", SIMPLE))}),
    "cells by the definition, less delta": ("cells by the definition", {"claim": {"delta": "9e-7"}}),
    "cells by the definition as fixed ones": (
        "optimum of cells", {"record": ledger(svt("0", "1e-7"), ptr("bottom"), **budget("50", "1e-6", SIMPLE))}),
    "one order, another order declared": (
        "one order",
        {"record": adaptive(FIVE, *MOMENTS, **at_order("2", ONE_ORDER), **budget("5", "2e-6", ONE_ORDER))}),
    "one order, declared for another filter": (
        "one order",
        {"record": adaptive(FIVE, *MOMENTS, **at_order("8", RESPONSES), **budget("5", "2e-6", ONE_ORDER))}),
    "one order, none declared": (
        "one order", {"record": adaptive(FIVE, *MOMENTS, **budget("5", "2e-6", ONE_ORDER))}),
    "one order, of another filter": (
        "one order", {"record": adaptive(FIVE, *MOMENTS, **at_order("8", ONE_ORDER), **budget("5", "2e-6", THM2))}),
    "one order, a budget that was exceeded": (
        "one order",
        {"record": adaptive(FIVE, *MOMENTS, **at_order("8", ONE_ORDER), **budget("1", "2e-6", ONE_ORDER))}),
    "one order, concurrent with a delta": (
        "one order", {"record": adaptive(FIVE, *MOMENTS, interaction="concurrent", **at_order("8", ONE_ORDER),
                                         **budget("5", "2e-6", ONE_ORDER))}),
    "one order, deltas above what the split leaves": (
        "one order, its split tuned",
        {"record": adaptive(zcdp("0.1", "8e-7"), **at_order("8", ONE_ORDER, delta_prime="3e-7"), **under(ONE_ORDER))}),
    "one order, no moment at it": (
        "one order",
        {"record": adaptive(event("rdp", orders={"4": "0.1"}), **at_order("8", ONE_ORDER),
                            **budget("5", "2e-6", ONE_ORDER))}),
    "responses, a round of zCDP": (
        "responses as a sum",
        {"record": adaptive(zcdp("0.001"), **at_order("16", RESPONSES), **budget("0.5", "1e-6", RESPONSES))}),
    "responses, one more": (
        "responses as a sum",
        {"record": adaptive(pure("0.1", 6), **at_order("3/2", RESPONSES), **budget("0.5", "1e-6", RESPONSES))}),
    "responses, an order of 1": (
        "responses as a sum",
        {"record": adaptive(pure("0.1", 5), **at_order("1", RESPONSES), **budget("0.5", "1e-6", RESPONSES))}),
    "responses, no order": (
        "responses at one order", {"record": adaptive(pure("0.1", 100), **budget("9.5", "1e-6", RESPONSES))}),
    "responses, another filter's order": (
        "responses at one order",
        {"record": adaptive(pure("0.1", 100), **at_order("16", ONE_ORDER), **budget("9.5", "1e-6", RESPONSES))}),
    "responses, a larger budget": (
        "responses at one order",
        {"record": adaptive(pure("0.1", 100), **at_order("16", RESPONSES), **budget("9.6", "1e-6", RESPONSES))}),
    "responses, deltas above their half": (
        "responses as a sum",
        {"record": adaptive(approx("0.1", "1.1e-7", 5), **at_order("3/2", RESPONSES),
                            **budget("0.5", "1e-6", RESPONSES))}),
    "responses, a budget that was exceeded": (
        "responses at one order",
        {"record": adaptive(pure("0.1", 200), **at_order("16", RESPONSES), **budget("9.5", "1e-6", RESPONSES))}),
    "domination, one more": (
        "domination", {"record": adaptive(pure("0.1", 21), **budget("2.2", "1e-6", DOMINATION))}),
    "domination, one less": (
        "domination", {"record": adaptive(pure("0.1", 19), **budget("2.2", "1e-6", DOMINATION))}),
    "domination, a larger epsilon": (
        "domination", {"record": adaptive(pure("0.11", 20), **budget("2.2", "1e-6", DOMINATION))}),
    "domination, of another filter": (
        "domination", {"record": adaptive(pure("0.1", 20), **budget("2.2", "1e-6", GAUSSIAN))}),
    "domination, no budget": ("domination", {"record": adaptive(pure("0.1", 20))}),
    "domination, a larger budget": (
        "domination", {"record": adaptive(pure("0.1", 20), **budget("2.3", "1e-6", DOMINATION))}),
    "domination, a smaller budget": (
        "domination", {"record": adaptive(pure("0.1", 20), **budget("2", "1e-6", DOMINATION))}),
    "domination, a smaller claim": ("domination", {"claim": {"epsilon": "2.1"}}),
    "domination, a smaller delta": ("domination", {"claim": {"delta": "9e-7"}}),
    "domination at once": (
        "domination",
        {"record": adaptive(pure("0.1", 20), interaction="concurrent", **budget("2.2", "1e-6", DOMINATION))}),
    "domination, rounds of zCDP": (
        "domination", {"record": adaptive(zcdp("0.001", count=20), **budget("2.2", "1e-6", DOMINATION))}),
    "domination, deltas above what the split leaves": (
        "domination", {"record": adaptive(approx("0.1", "3e-8", 20), **budget("2.2", "1e-6", DOMINATION))}),
    "domination, a split that buys less": (
        "domination", {"record": adaptive(pure("0.1", 20), **budget("2.2", "1e-6", DOMINATION, "1e-7"))}),
    "domination, two splits": (
        "domination, by a split of its own",
        {"record": adaptive(pure("0.1", 20), tuning={DOMINATION: {"delta_prime": "8e-7"}},
                            **budget("2.1", "1e-6", DOMINATION, "9e-7"))}),
    "domination of three kinds of rounds, in another order": (
        "domination of three kinds of rounds",
        {"record": adaptive(*OF_THREE_KINDS[::-1], **budget("12", "1e-6", DOMINATION))}),
    "domination of three kinds of rounds, a larger mu": (
        "domination of three kinds of rounds",
        {"record": adaptive(OF_THREE_KINDS[0], event("gaussian-dp", mu="0.6"), pure("0.3"),
                            **budget("12", "1e-6", DOMINATION))}),
    "domination of noise, less of it": (
        "domination of noise",
        {"record": adaptive({"count": 2, "mechanism": {"kind": "gaussian", "sigma": "1.9", "sensitivity": "1"}},
                            {"mechanism": {"kind": "laplace", "scale": "2", "sensitivity": "1"}},
                            **budget("5", "1e-6", DOMINATION))}),
    "several orders, of the filter of one": (
        "several orders", {"record": adaptive(FIVE, zcdp("0.1"), **budget("4", "2e-6", ONE_ORDER))}),
    "several orders, a budget that was exceeded": (
        "several orders", {"record": adaptive(FIVE, zcdp("0.1"), **budget("1", "2e-6", SEVERAL_ORDERS))}),
    "several orders, a larger budget": (
        "several orders", {"record": adaptive(FIVE, zcdp("0.1"), **budget("4.1", "2e-6", SEVERAL_ORDERS))}),
    "several orders, concurrent with a delta": (
        "several orders",
        {"record": adaptive(FIVE, LEAKY, interaction="concurrent", **budget("4", "2e-6", SEVERAL_ORDERS))}),
    "several orders, deltas above half": (
        "several orders", {"record": adaptive(FIVE, zcdp("0.1", "6e-7"), **budget("4", "2e-6", SEVERAL_ORDERS))}),
    "several orders, no moment at any": (
        "several orders",
        {"record": adaptive(event("rdp", orders={"1.25": "0.1"}), **budget("4", "2e-6", SEVERAL_ORDERS))}),
    "several orders, less delta": ("several orders", {"claim": {"delta": "1.9e-6"}}),
    "two ledgers together, not declared fixed": (
        "two ledgers together", {"record": adaptive(FIVE, pure("0.2"), **JOINT)}),
    "two ledgers together, one named": (
        "two ledgers together", {"record": ledger(FIVE, pure("0.2"), together=JOINT["together"][:1])}),
    "two ledgers together, a budget of one": (
        "two ledgers together", {"record": ledger(FIVE, pure("0.2"), **JOINT, **budget("50", "1e-6"))}),
    "two ledgers together, queries of one": (
        "two ledgers together", {"record": ledger(FIVE, pure("0.2"), **JOINT, **IN_ADVANCE)}),
    "two ledgers together, a size of one": (
        "two ledgers together", {"record": ledger(FIVE, pure("0.2"), **JOINT, dataset_size={"value": 9})}),
    "two ledgers together, attained in one": (
        "two ledgers together", {"record": ledger(FIVE, pure("0.2"), **JOINT, attained_together=True)}),
    "two ledgers together, a digest that is none": (
        "two ledgers together",
        {"record": ledger(FIVE, pure("0.2"), together=[JOINT["together"][0], {"title": "o", "sha256": "G" * 64}])}),
    "ranges by their means, concurrent": (
        "ranges by their means", {"record": ledger(RANGES, event("bounded-range", epsilon="0.1"),
                                                   interaction="concurrent")}),
    "Renyi, adaptive": ("Renyi", {"record": adaptive(event("rdp", orders={"8": "0.5"}, delta="1e-7"), zcdp("0.1"))}),
    "Renyi, an order of 1": (
        "Renyi", {"record": ledger(event("rdp", orders={"1": "0.5", "8": "0.5"}, delta="1e-7"), zcdp("0.1"))}),
    "Renyi, concurrent": (
        "Renyi", {"record": ledger(event("rdp", orders={"8": "0.5"}, delta="1e-7"), zcdp("0.1"),
                                   interaction="concurrent")}),
}  # fmt: skip

FALSE: dict[str, tuple[Document, Document]] = {
    "two dearest cells, fixed": (ledger(cells("b", 2, a="2", b="1/4")), {"epsilon": "3", "delta": "0"}),
    "the dearest cell alone": (adaptive(cells("b", a="2", b="1/4")), {"epsilon": "1", "delta": "0"}),
    "one-cell events together": (adaptive(cells("a", 2, a="2")), {"epsilon": "3", "delta": "0"}),
    "rounds with deltas": (ledger(approx("1", "0.1", 2)), {"epsilon": "2", "delta": "0.1"}),
    "Gaussian mechanisms": (ledger(event("gaussian-dp", 3, mu="2")), {"epsilon": "1", "delta": "0.01"}),
    "bounded ranges": (ledger(RANGES), {"epsilon": "0.9", "delta": "1e-2"}),
    "different bounded ranges": (
        ledger(event("bounded-range", 2, epsilon="1"), event("bounded-range", 2, epsilon="0.5")),
        {"epsilon": "1.5", "delta": "0.015"}),
    "responses within bounded ranges": (ledger(RANGES, pure("1/4", 6)), {"epsilon": "2.4", "delta": "0"}),
    "rhos of Gaussian mechanisms": (ledger(event("gaussian-dp", 2, mu="2")), {"rho": "3.9"}),
    "two points": (ledger(zcdp("1/2")), {"epsilon": "4", "delta": "1e-4"}),
}  # fmt: skip


UNWITNESSED: dict[str, tuple[str, Document]] = {
    "two dearest cells, adaptive": ("two dearest cells, fixed", adaptive(cells("b", 2, a="2", b="1/4"))),
    "two dearest cells, a budget": (
        "two dearest cells, fixed", ledger(cells("b", 2, a="2", b="1/4"), **budget("4", "0"))),
    "two dearest cells, a budget, adaptive": (
        "two dearest cells, fixed", adaptive(cells("b", 2, a="2", b="1/4"), **budget("4", "0"))),
    "a cheaper dearest cell": ("the dearest cell alone", adaptive(cells("b", a="1.9", b="1/4"))),
    "cells for one-cell events": ("one-cell events together", adaptive(cells("a", 2, a="2", b="0"))),
    "a smaller delta": ("rounds with deltas", ledger(approx("1", "0.1"), approx("1", "0.09"))),
    "a round less": ("rounds with deltas", ledger(approx("1", "0.1"))),
    "a smaller mu": ("Gaussian mechanisms", ledger(event("gaussian-dp", 3, mu="1.9"))),
    "a smaller range": ("bounded ranges", ledger(event("bounded-range", 4, epsilon="0.4"))),
    "a smaller range among different ones": (
        "different bounded ranges",
        ledger(event("bounded-range", 2, epsilon="1"), event("bounded-range", 2, epsilon="0.49"))),
    "one range less among different ones": (
        "different bounded ranges",
        ledger(event("bounded-range", 1, epsilon="1"), event("bounded-range", 2, epsilon="0.5"))),
    "a range less": ("bounded ranges", ledger(event("bounded-range", 3, epsilon="0.5"))),
    "pure DP, which is of twice the range": ("bounded ranges", ledger(pure("0.4", 4))),
    "responses of more than half the range": (
        "responses within bounded ranges", ledger(event("bounded-range", 4, epsilon="0.49"), pure("1/4", 6))),
    "a Gaussian mechanism less": ("rhos of Gaussian mechanisms", ledger(event("gaussian-dp", 1, mu="2"))),
    "a smaller rho": ("two points", ledger(zcdp("0.49"))),
}  # fmt: skip


def tuned(theorem: str, *events: Document, parameters: str = "chosen-adaptively", **values: str) -> Document:
    """A ledger that declares what an odometer was told before the first event."""
    return ledger(*events, parameters=parameters, **({"tuning": {theorem: values}} if values else {}))


def reads(theorem: str, reading: str, delta: str = "1e-6", after: int = 2) -> Document:
    return {"reading": reading, "by": theorem, "delta": delta, "after_event": after}


THM62, LEM3, THM3 = "rogers2016/thm6.2", "whitehouse2023/lem3", "whitehouse2023/thm3"
PDP = event("pdp", 3, epsilon="0.1", delta="1e-9")
FOUR = {"count": 3, "guarantee": {"kind": "approx-dp", "epsilon": "0.1", "delta": "1e-9"},
        "mechanism": {"kind": "four-outcome-randomized-response"}}  # fmt: skip
SIZED = {"dataset_size": {"value": 1000, "public": True}}
LINE, MIXED = {"delta_prime": "5e-7", "y_star": "1/10"}, {"delta_prime": "5e-7", "gamma": "1/10"}
STITCHED = {"delta_prime": "5e-7", "v0": "1/100"}
LEFT = {"epsilon": "6", "delta": "1e-6", "remaining": {"epsilon": "2", "delta": "0"}}
SPENT = (svt("1"), ptr("bottom", "4e-7"), approx("0.1", "6e-7"))
#: What a machine showed: the ledger and a claim that the audit confirms.
SHOWN: dict[str, tuple[Document, Document]] = {
    "the basic odometer": (adaptive(pure("0.1", 5), PDP, pure("9")), reads(THM33, "0.8")),
    "the basic odometer of ranges": (adaptive(pure("0.1", 5), RANGES), reads(THM33, "2.5", "0")),
    "the basic odometer of the worst case": (adaptive(FOUR, pure("0.2")), reads(THM33, "0.5")),
    "the basic odometer of noise": (adaptive({"count": 2, "mechanism": LAPLACE}, svt("0")), reads(THM33, "5.2")),
    "a sized odometer in its epochs": (
        {**adaptive(pure("0.1", 5), RANGES), **SIZED}, reads(THM62, "7")),
    "a sized odometer beyond its epochs": (
        {**adaptive(pure("1", 3), FOUR), **SIZED}, reads(THM62, "40")),
    "a restated odometer in its epochs": (
        {**tuned(LEM3, pure("0.1", 5), RANGES, delta_prime="5e-7"), **SIZED}, reads(LEM3, "7")),
    "a restated odometer beyond its epochs": (
        {**tuned(LEM3, pure("1", 3), FOUR, delta_prime="5e-7"), **SIZED}, reads(LEM3, "40")),
    "an odometer tight at a time": (
        tuned(f"{THM3}.filter", pure("0.1", 5), zcdp("0.01"), pure("1"), **LINE), reads(f"{THM3}.filter", "5")),
    "an odometer tight at a time, after nothing": (
        tuned(f"{THM3}.filter", pure("0.1", 5), **LINE), reads(f"{THM3}.filter", "5", after=0)),
    "an odometer of mixtures": (
        tuned(f"{THM3}.mixture", pure("0.1", 5), event("gaussian-dp", mu="0.2"), **MIXED),
        reads(f"{THM3}.mixture", "5")),
    "an odometer of mixtures, the worst case": (
        tuned(f"{THM3}.mixture", pure("0.1", 5), FOUR, **MIXED), reads(f"{THM3}.mixture", "5")),
    "an odometer of one side": (
        tuned(f"{THM3}.one_sided", pure("0.1", 5), RANGES, **MIXED), reads(f"{THM3}.one_sided", "5")),
    "a stitched odometer": (
        tuned(f"{THM3}.stitched", pure("0.1", 5), {"mechanism": QUERY}, **STITCHED), reads(f"{THM3}.stitched", "9")),
    "an odometer after a refused entry": (
        tuned(f"{THM3}.mixture", pure("0.1", 5), {**pure("9"), "decision": "reject"}, pure("0.1"), **MIXED),
        reads(f"{THM3}.mixture", "5", after=3)),
    "an odometer tight at a time, repaired": (
        tuned(f"{THM3}.filter.repaired", pure("0.1", 5), PDP, **LINE), reads(f"{THM3}.filter.repaired", "5")),
    "an odometer of mixtures, repaired": (
        tuned(f"{THM3}.mixture.repaired", PDP, RANGES, **MIXED), reads(f"{THM3}.mixture.repaired", "6")),
    "a stitched odometer, repaired": (
        tuned(f"{THM3}.stitched.repaired", pure("0.1", 5), PDP, **STITCHED), reads(f"{THM3}.stitched.repaired", "9")),
    "what remains": (adaptive(*SPENT, **budget("6", "1e-6", ALG1)), LEFT),
    "what remains of a fixed ledger": (
        ledger(svt("0"), svt("1"), pure("1/2", 3), **budget("9", "1e-6", ALG1)),
        {"epsilon": "9", "delta": "1e-6", "remaining": {"epsilon": "3.5", "delta": "1e-6"}}),
}  # fmt: skip

#: What is wrong: a certificate of ``SHOWN``, and another ledger or claim, that it does not show.
NOT_SHOWN: dict[str, tuple[str, Document]] = {
    "the basic odometer, one entry more": ("the basic odometer", {"claim": {"after_event": 3}}),
    "the basic odometer, beyond the ledger": ("the basic odometer", {"claim": {"after_event": 4}}),
    "the basic odometer, before the first event": ("the basic odometer", {"claim": {"after_event": 0}}),
    "the basic odometer, less delta": ("the basic odometer", {"claim": {"delta": "2e-9"}}),
    "the basic odometer, a delta of DP": (
        "the basic odometer", {"record": adaptive(pure("0.1", 5), approx("0.1", "1e-9", 3))}),
    "the basic odometer, zCDP": ("the basic odometer", {"record": adaptive(pure("0.1"), zcdp("1e-9"))}),
    "the basic odometer, Renyi DP": (
        "the basic odometer", {"record": adaptive(pure("0.1"), event("rdp", orders={"2": "1e-9"}))}),
    "the basic odometer, of two ledgers together": (
        "the basic odometer", {"record": {**adaptive(pure("0.1", 5), PDP, pure("9")), "together": [
            {"title": "one", "sha256": "1" * 64}, {"title": "the other", "sha256": "2" * 64}]}}),
    "the basic odometer, of a number published rounded": (
        "the basic odometer", {"record": adaptive(event("pure-dp", epsilon={"rounded": "0.1"}), PDP)}),
    "a sized odometer, of a number published rounded": (
        "a sized odometer in its epochs", {
            "record": {**adaptive(event("pure-dp", epsilon={"rounded": "1.0"})), **SIZED},
            "claim": {"after_event": 1}}),
    "a stitched odometer, of a number published rounded": (
        "a stitched odometer", {
            "record": tuned(f"{THM3}.stitched", event("pure-dp", epsilon={"rounded": "0.4"}), **STITCHED),
            "claim": {"after_event": 1}}),
    "the basic odometer, concurrent": (
        "the basic odometer", {"record": adaptive(pure("0.1"), PDP, interaction="concurrent")}),
    "the basic odometer, a sample": (
        "the basic odometer", {"record": {**adaptive(pure("0.1"), DRAWN), "neighbours": "add-or-remove-one"}}),
    "the basic odometer, the worst case beside another delta": (
        "the basic odometer of the worst case", {"record": adaptive(FOUR, approx("0.1", "1e-9"))}),
    "a sized odometer, a size that is not public": (
        "a sized odometer in its epochs",
        {"record": adaptive(pure("0.1", 5), RANGES, dataset_size={"value": 1000, "public": False})}),
    "a sized odometer, a size of one": (
        "a sized odometer in its epochs",
        {"record": adaptive(pure("0.1", 5), RANGES, dataset_size={"value": 1, "public": True})}),
    "a sized odometer, no size": ("a sized odometer in its epochs", {"record": adaptive(pure("0.1", 5), RANGES)}),
    "a sized odometer, adding or removing": (
        "a sized odometer in its epochs",
        {"record": {**adaptive(pure("0.1", 5), RANGES), **SIZED, "neighbours": "add-or-remove-one"}}),
    "a sized odometer, a large delta": ("a sized odometer in its epochs", {"claim": {"delta": "0.37"}}),
    "a sized odometer, no delta": ("a sized odometer in its epochs", {"claim": {"delta": "0"}}),
    "a sized odometer, more than half the delta": (
        "a sized odometer beyond its epochs", {"claim": {"delta": "5.9e-9"}}),
    "a sized odometer, zCDP": (
        "a sized odometer in its epochs", {"record": {**adaptive(zcdp("1e-9")), **SIZED}, "claim": {"after_event": 1}}),
    "a restated odometer, its split a large one": (
        "a restated odometer in its epochs",
        {"record": {**tuned(LEM3, pure("0.1", 5), RANGES, delta_prime="0.37"), **SIZED}, "claim": {"delta": "1/2"}}),
    "a restated odometer, deltas beyond its split": (
        "a restated odometer beyond its epochs", {"claim": {"delta": "5.02e-7"}}),
    "an odometer tight at a time, nothing tuned": (
        "an odometer tight at a time", {"record": adaptive(pure("0.1", 5), zcdp("0.01"))}),
    "an odometer tight at a time, tuned for another": (
        "an odometer tight at a time", {"record": tuned(f"{THM3}.mixture", pure("0.1", 5), zcdp("0.01"), **LINE)}),
    "an odometer tight at a time, no time": (
        "an odometer tight at a time",
        {"record": tuned(f"{THM3}.filter", pure("0.1", 5), zcdp("0.01"), delta_prime="5e-7", y_star="0")}),
    "an odometer tight at a time, a split above its delta": (
        "an odometer tight at a time", {"claim": {"delta": "4.9e-7"}}),
    "an odometer tight at a time, zCDP with a delta": (
        "an odometer tight at a time",
        {"record": tuned(f"{THM3}.filter", pure("0.1", 5), zcdp("0.01", "1e-9"), **LINE)}),
    "an odometer of mixtures, pDP with a delta": (
        "an odometer of mixtures", {"record": tuned(f"{THM3}.mixture", pure("0.1", 5), PDP, **MIXED)}),
    "an odometer of one side, no more than its time": ("an odometer of one side", {"claim": {"reading": "0.05"}}),
    "a stitched odometer before its time": ("a stitched odometer", {"claim": {"after_event": 0}}),
    "an odometer after a refused entry, one more": (
        "an odometer after a refused entry",
        {"record": tuned(f"{THM3}.mixture", pure("0.1", 5), pure("9"), pure("0.1"), **MIXED)}),
    "a repaired odometer, zCDP": (
        "an odometer tight at a time, repaired",
        {"record": tuned(f"{THM3}.filter.repaired", pure("0.1", 5), zcdp("1e-9"), **LINE)}),
    "a repaired odometer, the worst case": (
        "an odometer tight at a time, repaired",
        {"record": tuned(f"{THM3}.filter.repaired", pure("0.1", 5), FOUR, **LINE)}),
    "a repaired odometer, a round that promises nothing": (
        "an odometer tight at a time, repaired",
        {"record": tuned(f"{THM3}.filter.repaired", event("pdp", epsilon="0.1", delta="1"), **LINE)}),
    "what remains, a little more": (
        "what remains", {"claim": {"remaining": {"epsilon": "2.41", "delta": "0"}}}),
    "what remains, more delta": ("what remains", {"claim": {"remaining": {"epsilon": "2", "delta": "1e-9"}}}),
    "what remains, a last round that was refused": (
        "what remains", {"record": adaptive(cells("b", 3, a="5", b="2"), **budget("8", "1e-6", ALG1)),
                         "claim": {"epsilon": "8"}}),
    "what remains of another budget": ("what remains", {"claim": {"epsilon": "7"}}),
    "what remains of another delta": ("what remains", {"claim": {"delta": "2e-6"}}),
    "what remains, of another filter": ("what remains", {"record": adaptive(*SPENT, **budget("6", "1e-6", SIMPLE))}),
    "what remains without a budget": ("what remains", {"record": adaptive(*SPENT)}),
    "what remains, concurrent": (
        "what remains", {"record": adaptive(*SPENT, interaction="concurrent", **budget("6", "1e-6", ALG1))}),
    "what remains, a round that was refused": (
        "what remains", {"record": adaptive(svt("1"), svt("0"), **budget("6", "1e-6", ALG1)),
                         "claim": {"remaining": {"epsilon": "0", "delta": "0"}}}),
    "what remains, deltas that were refused": (
        "what remains", {"record": adaptive(*SPENT, approx("0.1", "1e-9"), **budget("6", "1e-6", ALG1)),
                         "claim": {"remaining": {"epsilon": "0", "delta": "0"}}}),
    "what remains, zCDP": (
        "what remains", {"record": adaptive(*SPENT, zcdp("1e-9"), **budget("6", "1e-6", ALG1))}),
}  # fmt: skip


NO_LAW = {"kind": "subsampled", "base": {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}, "rate": "1/10"}
#: Verdicts that the kernel has no certificate of: a ledger, a claim, the verdict, and words of the reason.
UNCERTIFIED: dict[str, tuple[Document, Document, str, str]] = {
    "a reading of an odometer of mechanisms that run concurrently": (
        {**SHOWN["an odometer of mixtures"][0], "interaction": "concurrent"}, SHOWN["an odometer of mixtures"][1],
        "confirmed", "sequential interaction"),
    "a claim about a sampled mechanism that the kernel cannot analyse, proved from the declared guarantee": (
        {**ledger({"mechanism": {**NO_LAW, "sampling": "unknown"}, "guarantee": {"kind": "zcdp", "rho": "1/2"}})},
        {"rho": "1/2"}, "confirmed", "knows no law of this sample"),
    "a claim about bounded-range mechanisms, so slightly below the bound that no witness of the loss is found": (
        ledger(FEW), {"epsilon": "0.9", "delta": "1e-6"}, "underivable", "no lower bound was found"),
    "a claim about a ledger that declares a stronger guarantee than a mechanism next to it gives": (
        ledger({"mechanism": {**NO_LAW["base"], "attained": False}, "guarantee": {"kind": "zcdp", "rho": "1/10"}}),
        {"rho": "1/10"}, "confirmed", "does not see that the zcdp guarantee follows"),
    "a lower bound of one event, where another one is not accounted": (
        records({"mechanism": NO_LAW["base"]}, {"mechanism": {**NO_LAW, "sampling": "fixed-size"}}),
        {"rho": "1/10"}, "refuted", "the event has no guarantee"),
}  # fmt: skip
