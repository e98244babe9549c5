"""False claims that a careless kernel would verify: each was verified once, before the rule that its test names."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from privref import kernel
from privref.kernel.balls import end, working
from privref.kernel.grid import Grid, lower_delta
from privref.kernel.numbers import digest
from privref.kernel.pairs import Normal, Pair
from tests.kernel.cases import (
    ALG1,
    CORRELATED,
    COUNTED,
    CYCLIC,
    DIVIDED,
    DRAWN,
    LAWS,
    LOGARITHMIC,
    RUN,
    SOME_BINS,
    THM29,
    TIGHT,
    Document,
    adaptive,
    approx,
    cells,
    event,
    ledger,
    pure,
    records,
    under,
    zcdp,
    zeroed,
)  # fmt: skip

GRID = {"step": "1", "bits": 64, "low": -20, "high": 20, "own": 20}
NOISE = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}


def forged(record: Document, claim: Document, verdict: str, by: str, witness: Document) -> dict[str, Any]:
    """A certificate with one proof."""
    return {
        "schema": "certificate.2",
        "claim": {"id": "c", **claim},
        "verdict": verdict,
        "ledger": {"sha256": digest(record, "ledger"), "document": record},
        "proofs": [{"by": by, "witness": witness}],
    }


def refused(document: Document, match: str) -> None:
    with pytest.raises((kernel.Refused, kernel.Malformed), match=match):
        kernel.check(document)


@pytest.mark.parametrize("again", [0, "0", "00"])
def test_an_event_counts_once_in_a_lower_bound(again: object) -> None:
    """Pure DP of 1 is true of one event; of the same event counted twice it would be false."""
    one = ledger(pure("1"))
    assert kernel.check(forged(one, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {}))
    witness = {"events": [0, again], **GRID, "threshold": 2}
    refused(forged(one, {"epsilon": "1", "delta": "0"}, "underivable", "event", witness), "each once|whole number")
    ran = ledger({"mechanism": NOISE}, attained_together=True)
    refused(forged(ran, {"rho": "1/2"}, "refuted", "moment", {"events": [0, again]}), "each once|whole number")


def test_what_runs_after_observed_cells_is_not_lost_with_them() -> None:
    """The second event may depend on the first one's cell, and then need not run beside the dearest."""
    record = adaptive(cells("b", a="2", b="1/4"), pure("1"))
    witness = {"events": [0], **GRID, "threshold": 2}
    claim = {"epsilon": "1", "delta": "0"}
    assert kernel.check(forged(record, claim, "underivable", "event", witness))
    refused(forged(record, claim, "underivable", "event", {**witness, "events": [0, 1]}), "may depend on the cell")


def test_two_answers_are_given_with_chances_below_1() -> None:
    witness = {"events": [0], "p": "1", "q": "1/10", "orders": ["2", "4"]}
    claim = {"epsilon": "1", "delta": "1e-4"}
    refused(forged(ledger(zcdp("9")), claim, "underivable", "two-points", witness), "0 < q < p < 1")


@pytest.mark.parametrize("name", ["sigma", "sigma_squared"])
def test_integer_noise_has_no_rounded_sigma(name: str) -> None:
    """Its delta is not monotone in sigma: neither end of a rounded one is the worst."""
    noise = {"kind": "discrete-gaussian", name: {"rounded": "0.96"}, "shifts": ["1"]}
    claim = {"epsilon": "3", "delta": "0.00177"}
    refused(forged(ledger({"mechanism": noise}), claim, "confirmed", "zdw2022/thm10", {**GRID, "step": "1/64"}), name)


@pytest.mark.parametrize(
    "how", [{"selected": "best-of-random-number"}, {"selected": "above-threshold"}, {"best_of": LOGARITHMIC}]
)
def test_what_is_paid_for_a_selected_trial_need_not_be_lost(how: Document) -> None:
    record = ledger({**pure("1"), **how})
    witness = {"events": [0], **GRID, "threshold": 2}
    refused(forged(record, {"epsilon": "0", "delta": "0.7"}, "underivable", "event", witness), "private selection")


CUT = {
    "kind": "subsampled", "base": {"kind": "laplace", "scale": "9", "sensitivity": "1"}, "rate": "1",
    "sampling": "poisson", "batch_cap": "101", "records": "100",
}  # fmt: skip
SHUFFLED = {"kind": "subsampled", "base": NOISE, "rate": "1/10", "sampling": "shuffled"}
LOOSE = {"epsilon": "99", "delta": "1e-3"}


@pytest.mark.parametrize(
    "item",
    [
        approx("1/10", "1e-9"), zcdp("1/10", "1e-9"), event("rdp", orders={"8": "1/10"}, delta="1e-9"),
        cells("b", a="2", b="1/4"), {"mechanism": CUT}, {"mechanism": SHUFFLED, "count": 9},
        {"mechanism": {"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "1e-9"}},
    ],
)  # fmt: skip
def test_only_trials_without_a_delta_are_accounted(item: Document) -> None:
    """Nor those of a sample that may be cut or shuffled, of which a round by itself loses more than its part."""
    for best_of in (LOGARITHMIC, {"trials": "poisson", "mean": "1"}):
        record = ledger({**item, "best_of": best_of})
        for by, witness in ((THM29, {}), (TIGHT, {}), ("cks2020/rdp2dp", {"order": "3", "others": ["3"]})):
            refused(forged(record, LOOSE, "confirmed", by, witness), "trials of this guarantee|knows no law")
    sampled = {"mechanism": {**SHUFFLED, "sampling": "poisson"}, "best_of": LOGARITHMIC}
    record = {**ledger(sampled), "neighbours": "add-or-remove-one"}
    refused(forged(record, LOOSE, "confirmed", "cks2020/rdp2dp", {"order": "3", "others": ["3"]}), "trials of this")


@pytest.mark.parametrize("how", [{"selected": "above-threshold"}, {"best_of": LOGARITHMIC}])
def test_no_cell_of_a_selected_trial_is_charged(how: Document) -> None:
    """What is paid for its mechanism counts, twice: 1/5."""
    one = {**cells("a", a="1/10", b="1/2"), "mechanism": {"kind": "laplace", "scale": "10", "sensitivity": "1"}}
    record = adaptive({**one, **how}, **under(ALG1))
    claim = {"epsilon": "50", "delta": "1e-6"}
    assert kernel.check(forged(record, claim, "confirmed", ALG1, {}))
    left = claim | {"remaining": {"epsilon": "499/10", "delta": "0"}}
    refused(forged(record, left, "confirmed", ALG1, {}), "remains")


@pytest.mark.parametrize("item", [zcdp("1/10"), event("gaussian-dp", mu="1/2"), event("rdp", orders={"8": "1/10"})])
def test_the_best_of_trials_has_renyi_dp_and_nothing_else(item: Document) -> None:
    record = ledger({**item, "best_of": LOGARITHMIC})
    right = {"order": "3", "others": ["4"]}
    assert kernel.check(forged(record, LOOSE, "confirmed", "cks2020/rdp2dp", right))
    for by, witness in ((THM29, {}), (TIGHT, {"order": "3"}), ("zdw2022/thm10", GRID), ("gdp/composition", {})):
        refused(
            forged(record, LOOSE, "confirmed", by, witness), "guarantee that the kernel knows|pair of laws|declares"
        )
    refused(forged(record, {"rho": "99"}, "confirmed", "whitehouse2023/thm1", {}), "no zCDP")
    refused(forged(record, {"mu": "99"}, "confirmed", "gdp/composition", {}), "no Gaussian DP")
    witness = {**GRID, "events": [0], "threshold": 2}
    for verdict in ("underivable", "refuted"):
        refused(forged(record, {"epsilon": "0", "delta": "0"}, verdict, "event", witness), "selection|not declared")


@pytest.mark.parametrize("numbers", [LOGARITHMIC, {"trials": "poisson", "mean": "2"}])
@pytest.mark.parametrize("others", [None, [], ["1"], ["1/2"], ["0"], ["-3"], ["x"], [3], "4", {}])
def test_a_second_order_is_above_1_and_there_is_one_for_each_kind_of_trials(others: object, numbers: Document) -> None:
    record = ledger({**zcdp("1/10"), "best_of": numbers}, zcdp("1/10"))
    witness = {"order": "3", "others": others}
    if others is None:
        del witness["others"]
    document = forged(record, LOOSE, "confirmed", "cks2020/rdp2dp", witness)
    refused(document, "above 1|exact number|list of 1|required")


def test_any_order_above_1_may_be_the_second_one() -> None:
    record = ledger({**zcdp("1/10"), "best_of": LOGARITHMIC})
    for other in ("1001/1000", "3/2", "2"):
        assert kernel.check(forged(record, LOOSE, "confirmed", "cks2020/rdp2dp", {"order": "3", "others": [other]}))


def test_trials_that_never_run_are_none() -> None:
    record = ledger({**zcdp("1/10"), "best_of": {"trials": "poisson", "mean": "0"}})
    witness = {"order": "3", "others": ["4"]}
    refused(forged(record, LOOSE, "confirmed", "cks2020/rdp2dp", witness), "a mean above 0")


@pytest.mark.parametrize("item", [pure("1"), {"mechanism": NOISE, "best_of": LOGARITHMIC}])
def test_what_was_released_is_said_of_all_answers_of_a_known_law(item: Document) -> None:
    """Not of a guarantee alone, nor of the best of trials."""
    record = ledger({**item, "released": {"divided_by": "nothing"}})
    witness = {"order": "3", "others": ["4"]}
    refused(forged(record, LOOSE, "confirmed", "cks2020/rdp2dp", witness), "released: it is about all answers")


def test_two_rounds_of_normal_noise_are_one_that_counts() -> None:
    """The delta at 1 of mu = 2 is 0.51."""
    record = ledger({"mechanism": NOISE, "count": 4})
    fine = {**GRID, "step": "1/8", "low": -200, "high": 200, "own": 200}
    assert kernel.check(forged(record, {"epsilon": "1", "delta": "0.55"}, "confirmed", "zdw2022/thm10", fine))
    refused(forged(record, {"epsilon": "1", "delta": "0.49"}, "confirmed", "zdw2022/thm10", fine), "not certain")


def test_an_event_runs_at_least_once() -> None:
    refused(forged(ledger(pure("9", 0)), {"epsilon": "1", "delta": "0"}, "confirmed", THM29, {}), "count")


def test_an_attack_may_have_guessed_nothing() -> None:
    piece = {"kind": "one-run", "canaries": 10, "guesses": 0, "right": 0, "confidence": "0.95"}
    record = ledger(pure("1"), evidence=[piece])
    assert kernel.check(forged(record, {"epsilon": "1", "delta": "0"}, "confirmed", THM29, {}))


def test_a_group_of_correlated_noise_has_a_larger_mu() -> None:
    """A sampled one is refused: between its rounds a group's records move together."""
    record = ledger({"mechanism": CORRELATED})
    claim = {"epsilon": "40", "delta": "1e-3", "units": 2}
    fine = {**GRID, "step": "1/8", "low": -800, "high": 800, "own": 800}
    assert kernel.check(forged(record, claim, "confirmed", "zdw2022/thm10", fine))
    once = {**CYCLIC["mechanism"], "base": {**CYCLIC["mechanism"]["base"], "rounds": 3, "participations": 1}}
    drawn = {**ledger({"mechanism": once}), "neighbours": "add-or-remove-one"}
    refused(forged(drawn, claim, "confirmed", "zdw2022/thm10", fine), "no event declares its mechanism")


def test_an_order_of_no_trials_is_left_over() -> None:
    record = ledger({**zcdp("1/10"), "best_of": LOGARITHMIC})
    document = forged(record, LOOSE, "confirmed", "cks2020/rdp2dp", {"order": "3", "others": ["4", "5"]})
    refused(document, "list of 1 to 1")


POINT = {"epsilon": "3", "delta": "1/10", "proofs": [{"by": THM29, "witness": {}}]}
RANGE = {"mu": "2", "deltas": ["1/10", "1/5"]}


def on_points(*points: Document, claim: Document = RANGE, size: str = "1/2", **more: Any) -> dict[str, Any]:
    """A certificate about mu on a range of delta, by these points, of one event of pure DP."""
    return forged(ledger(pure(size)), claim, "confirmed", "points", {"cover": list(points), **more})


def test_points_prove_mu_where_they_leave_no_gap() -> None:
    """The delta of 2-Gaussian DP: 0.6827 at 0, 0.5099 at 1, 0.3319 at 2, 0.1838 at 3, 0.0850 at 4."""
    at: dict[str, Document] = {n: {**POINT, "epsilon": n} for n in ("0", "1", "2", "3", "4")}
    assert kernel.check(on_points(at["2"])).by == (THM29,)
    # It begins too late, ends too early, or leaves something out between two points.
    refused(on_points(at["3"]), "point 0 is not certainly below")
    refused(on_points({**at["2"], "delta": "0.11"}), "last point")
    assert kernel.check(on_points(at["2"], at["3"]))
    refused(on_points(at["2"], {**at["4"], "delta": "0"}), "point 1 is not certainly below")
    assert kernel.check(on_points({**at["1"], "delta": "0.2"}, at["2"]))
    refused(on_points({**at["1"], "delta": "0.34"}, at["2"]), "point 1 is not certainly below")
    refused(on_points(at["2"], {**at["1"], "delta": "0.2"}), "last point")
    # Each point is proved itself, and none by points of its own.
    refused(on_points({**at["0"], "delta": "0"}), "sum of the epsilons")
    refused(on_points({**at["2"], "proofs": [{"by": "points", "witness": {"cover": [at["2"]]}}]}), "no row")
    refused(on_points({**at["2"], "proofs": []}), "list of 1")
    refused(on_points({**at["2"], "delta": "2"}), "at most 1")
    refused(on_points({**at["2"], "epsilon": "-1"}), "at least 0")
    refused(on_points({**at["2"], "also": "1"}), "does not know this field")
    refused(on_points(at["2"], also="1"), "does not know this field")
    refused(on_points(*[at["2"]] * 65), "list of 1 to 64")
    refused(on_points(), "list of 1")
    document = on_points(at["2"])
    refused({**document, "proofs": document["proofs"] * 2}, "one proof")
    document["proofs"][0]["case"] = {"city": "Bern"}
    refused(document, "last point|parts")


def test_mu_without_a_range_is_about_every_delta() -> None:
    nothing = {"epsilon": "0", "delta": "1/10", "proofs": [{"by": THM29, "witness": {}}]}
    refused(on_points(nothing, claim={"mu": "2"}, size="0"), "last point")
    refused(on_points({**nothing, "epsilon": "5", "delta": "0"}, claim={"mu": "2"}, size="5"), "point 0 is not")
    assert kernel.check(on_points({**nothing, "delta": "0"}, claim={"mu": "2"}, size="0"))


@pytest.mark.parametrize("claim", [{"epsilon": "2", "delta": "1/10"}, {"rho": "9"}])
def test_points_prove_mu_only(claim: Document) -> None:
    refused(on_points({**POINT, "epsilon": "0", "delta": "1"}, claim=claim), "no row")


@pytest.mark.parametrize(
    "deltas", [["1/5", "1/10"], ["1/10", "1/10"], ["-1", "1/2"], ["0", "2"], ["0"], "0", [0, 1], ["0", "1/5", "1"]]
)
def test_a_range_of_delta_is_one(deltas: object) -> None:
    refused(on_points(POINT, claim={"mu": "2", "deltas": deltas}), "deltas")


def test_a_range_is_of_mu() -> None:
    for claim in ({"epsilon": "2", "delta": "1/10"}, {"rho": "9"}):
        document = forged(ledger(pure("1/2")), {**claim, "deltas": ["0", "1"]}, "confirmed", THM29, {})
        refused(document, "deltas")


def test_mu_on_a_range_is_contradicted_at_a_point_of_the_range() -> None:
    """Randomized response of epsilon 3 loses 0.602 at epsilon 2, and 1-Gaussian DP 0.021 there."""
    ran = ledger({"mechanism": {"kind": "randomized-response", "epsilon": "3"}})
    witness = {**GRID, "events": [0], "threshold": 3, "at": {"epsilon": "2", "delta": "1/10"}}

    def claimed(witness: Document, **claim: Any) -> dict[str, Any]:
        return forged(ran, {"mu": "1", "deltas": ["1/20", "1/5"], **claim}, "refuted", "event", witness)

    assert kernel.check(claimed(witness)).verdict == "refuted"
    refused(claimed(witness, deltas=["1/9", "1/5"]), "says nothing of this mu")
    refused(claimed(witness, deltas=["1/20", "1/11"]), "says nothing of this mu")
    refused(claimed(witness, mu="3"), "says nothing of this mu")
    refused(claimed({**witness, "at": {"epsilon": "1", "delta": "1/10"}}), "says nothing of this mu")
    refused(claimed({**witness, "at": {"epsilon": "2", "delta": "1/20", "more": "1"}}), "does not know")
    refused(claimed({**witness, "at": {"epsilon": "3", "delta": "1/20"}}), "is not above the claimed delta")
    more = {**witness, "at": {"epsilon": "2", "delta": "7/10"}}
    refused(claimed(more, deltas=["1/20", "7/10"]), "is not above the claimed delta")
    gaussian = ledger({"mechanism": NOISE})
    # All orders together contradict a mu below 1, which says nothing of one range.
    moment = forged(gaussian, {"mu": "1/2"}, "refuted", "moment", {"events": [0]})
    assert kernel.check(moment).verdict == "refuted"
    for deltas in (["1/10", "1"], ["0", "9/10"]):
        on_a_range = forged(gaussian, {"mu": "1/2", "deltas": deltas}, "refuted", "moment", {"events": [0]})
        refused(on_a_range, "contradicted at a point")


@pytest.mark.parametrize(
    "wrong", [{"eta": "-1"}, {"gamma": "0"}, {"gamma": "1"}, {"gamma": "2"}, {"trials": "poisson"}, {"mean": "1"}]
)
def test_a_number_of_trials_that_is_no_such_law_is_refused(wrong: Document) -> None:
    record = ledger({**pure("1"), "best_of": {**LOGARITHMIC, **wrong}})
    refused(forged(record, {"epsilon": "9", "delta": "0"}, "confirmed", THM29, {}), "best_of")


def test_a_claim_has_the_delta_of_its_notion() -> None:
    record = ledger({"mechanism": NOISE})
    moment = {"events": [0]}
    refused(forged(record, {"mu": "0.99", "delta": "0.999"}, "refuted", "moment", moment), "no delta")
    refused(forged(ledger(pure("1")), {"epsilon": "1"}, "confirmed", "rogers2016/thm2.9", {}), "delta")


@pytest.mark.parametrize("step", ["0", "-1", "1/0", "1e-3000", "1e3000", "5"])
def test_a_grid_of_no_step_is_refused(step: str) -> None:
    """A step of 0 made the kernel fail before it refused anything."""
    record = ledger({"mechanism": NOISE})
    document = forged(record, {"epsilon": "1", "delta": "1e-3"}, "confirmed", "zdw2022/thm10", {**GRID, "step": step})
    refused(document, "step|grid|denominator|certain|precision|digits|work")


@pytest.mark.parametrize("step", ["0", "-1"])
def test_a_recursion_of_no_step_is_refused(step: str) -> None:
    record = ledger(event("bounded-range", 2, epsilon="1/2"))
    document = forged(
        record, {"epsilon": "1", "delta": "0"}, "confirmed", "dong2020/adaptive", {"step": step, "bits": 64}
    )
    refused(document, "step")


def test_each_part_has_its_own_proof() -> None:
    parts = [{**pure(size), "part": {"of": "city", "is": name}} for size, name in (("1", "Bern"), ("1/2", "Genf"))]
    record = {**ledger(*parts), "neighbours": "add-or-remove-one", "partitions": {"city": "key"}}
    document = forged(record, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {})
    (proof,) = document["proofs"]
    document["proofs"] = [{**proof, "case": {"city": name}} for name in ("Bern", "Genf")]
    assert kernel.check(document).verdict == "confirmed"
    refused({**document, "claim": {**document["claim"], "epsilon": "0.9"}}, "sum of")
    refused({**document, "proofs": document["proofs"][:1]}, "proof|case|part")


ALIKE = [
    ("A10", "A1O"), ("Al", "A1"), ("A-1", "A\u20101"), ("a", "\u0251"), ("A\u0131", "Ai"), ("b", "B"), ("corn", "com"),
    ("Z\u00fcrich", "Zu\u0308rich"), ("I", "l"), ("A|", "Al"), ("New York", "New  York"),
    ("A", "A "), ("A", "A\u200b"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_parts_whose_names_look_alike_are_not_disjoint(one: str, other: str) -> None:
    parts = [{**pure("1"), "part": {"of": "city", "is": name}} for name in (one, other)]
    record = {**ledger(*parts), "neighbours": "add-or-remove-one", "partitions": {"city": "key"}}
    document = forged(record, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {})
    for case in (one, other):
        document["proofs"] = [{"case": {"city": case}, "by": "rogers2016/thm2.9", "witness": {}}]
        refused(document, "alike|scripts|western|sum of|comes next|visible")


@pytest.mark.parametrize("neighbours", ["add-or-remove-one", "replace-one", "zero-out"])
@pytest.mark.parametrize("sampling", ["poisson", "fixed-size", "with-replacement", "shuffled", "unknown"])
def test_a_rate_of_one_is_all_records_of_both_data_sets_only_where_their_batches_may_hold_them(
    neighbours: str, sampling: str
) -> None:
    """A batch with replacement may hold one twice, and one of one size cannot hold one record more."""
    of = {"records": 10} if sampling == "with-replacement" else {}
    drawn = {"mechanism": {"kind": "subsampled", "base": NOISE, "rate": "1", "sampling": sampling, **of}}
    made = forged({**ledger(drawn), "neighbours": neighbours}, {"mu": "1"}, "confirmed", "gdp/composition", {})
    once = sampling not in ("with-replacement", "unknown")
    if sampling == "poisson" or (once and neighbours != "add-or-remove-one"):
        assert kernel.check(made)
    else:
        refused(made, "knows no law|a larger mu|mu")


def capped(record: Document, **more: Any) -> Document:
    """Every record, in batches that are cut to two by a rule of them; of so many records as are stated."""
    law = {
        "kind": "subsampled",
        "base": NOISE,
        "rate": "1",
        "sampling": "poisson",
        "batch_cap": 2,
        "records": 1,
        **more,
    }
    return {**record, "events": [{"mechanism": law}], "dataset_size": {"value": 1000, "public": False}}


@pytest.mark.parametrize("neighbours", ["replace-one", "add-or-remove-one"])
@pytest.mark.parametrize(
    ("claim", "verdict", "by", "witness"),
    [
        ({"mu": "1"}, "confirmed", "gdp/composition", {}),
        ({"epsilon": "1", "delta": "0.127"}, "confirmed", "zdw2022/thm10",
         {"step": "1/100", "bits": 64, "low": -1000, "high": 1000, "own": 900}),
        ({"epsilon": "1", "delta": "0.01"}, "refuted", "event",
         {"events": [0], "removal": True, "step": "1/20", "bits": 64, "low": -200, "high": 200, "own": 190,
          "threshold": 20}),
    ],
)  # fmt: skip
def test_a_cap_rests_on_the_stated_records_at_rate_1_too(
    neighbours: str, claim: Document, verdict: str, by: str, witness: Document
) -> None:
    """A rule may cut the batch so that one record moves the sum by two, or hardly ever."""
    record = capped({**ledger(), "neighbours": neighbours})
    refused(forged(record, claim, verdict, by, witness), "a cap rests on 1 records|is not declared|no")


def test_a_cap_at_rate_1_of_a_law_of_two_pairs_rests_on_the_stated_records() -> None:
    record = capped(
        {**ledger(), "neighbours": "add-or-remove-one"}, base={"kind": "laplace", "scale": "2", "shifts": ["1", "1"]}
    )
    refused(
        forged(record, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {}), "a cap rests on 1 records"
    )


def test_one_ledger_does_not_stand_twice_among_those_that_ran_together() -> None:
    parts = [{"title": "A", "sha256": "0" * 64}, {"title": "B", "sha256": "1" * 64}]
    claim = {"epsilon": "1", "delta": "0"}
    honest = forged(ledger(pure("1"), together=parts), claim, "confirmed", "rogers2016/thm2.9", {})
    assert "all those of the ledgers 000000000000, 111111111111" in " ".join(kernel.check(honest).premises)
    twice = ledger(pure("1"), together=[parts[0], parts[0]])
    refused(forged(twice, claim, "confirmed", "rogers2016/thm2.9", {}), "names one ledger twice")


def test_a_refutation_by_an_event_with_a_count_says_that_one_pair_has_all_its_rounds() -> None:
    """Five disjoint counts lose what one does."""
    noise = {"kind": "laplace", "scale": "10", "sensitivity": "1"}
    witness = {
        "events": [0],
        "removal": True,
        "step": "1/35",
        "bits": 64,
        "low": -60,
        "high": 60,
        "own": 50,
        "threshold": 6,
    }
    record = {**ledger({"count": 5, "mechanism": noise}), "neighbours": "add-or-remove-one"}
    found = kernel.check(forged(record, {"epsilon": "0.1", "delta": "0.01"}, "refuted", "event", witness))
    assert any(premise.endswith("the same one in all rounds of an event") for premise in found.premises)


def test_letters_that_stand_for_letters_have_their_script() -> None:
    parts = [{**pure("1"), "part": {"of": "region", "is": name}} for name in ("1ª Región", "2º Distrito", "µ-Zone")]
    record = {**ledger(*parts), "neighbours": "add-or-remove-one", "partitions": {"region": "the address"}}
    document = forged(record, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {})
    document["proofs"][0]["case"] = {"region": "1ª Región"}
    refused(document, "different scripts")  # a Greek letter is among them
    record["events"].pop()
    document = forged(record, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {})
    document["proofs"][0]["case"] = {"region": "1ª Región"}
    assert kernel.check(document).verdict == "confirmed"


def test_a_field_starts_no_line_of_its_own() -> None:
    record = {**ledger(pure("1")), "x\nverified: confirmed": 1}
    with pytest.raises(kernel.Malformed) as found:
        kernel.check(forged(record, {"epsilon": "1", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {}))
    assert "\n" not in str(found.value)


def test_a_unit_need_not_lie_in_one_part_of_each_of_two_partitions() -> None:
    """Each part's event is lost somewhere; of both together no ledger says so."""
    ran = [{"mechanism": NOISE, "part": {"of": name, "is": "a"}} for name in ("city", "age")]
    keys = {"partitions": {"city": "key", "age": "key"}, "neighbours": "add-or-remove-one", "attained_together": True}
    record = {**ledger(*ran), **keys}
    document = forged(record, {"rho": "0.9"}, "refuted", "moment", {"events": [0, 1]})
    document["proofs"][0]["case"] = {"age": "a", "city": "a"}
    refused(document, "no ledger says that a unit lies in all of them")
    for case in ({"age": "b"}, {"county": "a"}, {}, [], ["age"], 5, None, "age", True):
        document["proofs"][0]["case"] = case
        with pytest.raises((kernel.Refused, kernel.Malformed)):
            kernel.check(document)
    # Of one of them it does.
    for case in ({"age": "a"}, {"city": "a"}):
        document["proofs"][0] |= {"case": case, "witness": {"events": [0]}}
        refused(document, "this is not certain")
        document["claim"] |= {"rho": "0.4"}
        assert kernel.check(document).verdict == "refuted"
        document["claim"] |= {"rho": "0.9"}


def ranged(epsilon: str, count: int) -> Document:
    return {"count": count, "guarantee": {"kind": "bounded-range", "epsilon": epsilon}}


ADVANCE = {"queries": "fixed-in-advance"}
EX_POST = "rswr2023/ex_post_filter"
SAMPLED = [
    {"mechanism": {"kind": "subsampled", "rate": "1/100", "sampling": "poisson",
                   "base": {"kind": "gaussian", "sigma": str(5 + i), "sensitivity": "1"}}}
    for i in range(6)
]  # fmt: skip

SLOW: dict[str, tuple[Document, Document, str, Document]] = {
    "a huge epsilon": (ledger({"mechanism": NOISE}), {"epsilon": "1e100", "delta": "1e-5"}, "gdp/composition", {}),
    "a tiny scale": (
        ledger({"mechanism": {"kind": "laplace", "scale": "1e-12", "sensitivity": "1"}}),
        {"epsilon": "1", "delta": "1e-5"}, "zdw2022/thm10", GRID),
    "a wide window": (
        ledger({"mechanism": {"kind": "laplace", "scale": "1", "sensitivity": "1"}}), {"epsilon": "1", "delta": "1e-5"},
        "zdw2022/thm10", {**GRID, "step": "1/80", "low": -520_000, "high": 520_000, "own": 520_000}),
    "wide noise": (
        ledger({"mechanism": {"kind": "discrete-gaussian", "sigma": "20000", "shifts": ["1"]}}),
        {"epsilon": "1", "delta": "1e-5"}, "zdw2022/thm10", {**GRID, "step": "1/10"}),
    "many bits": (
        ledger({"count": 10**6, "mechanism": {"kind": "randomized-response", "epsilon": "1/1000"}}),
        {"epsilon": "9", "delta": "1e-5"}, "zdw2022/thm10",
        {"step": "1/1000", "bits": 4096, "low": -60_000, "high": 60_000, "own": 9}),
    "many ranges in a box": (
        {**ledger(ranged("1e-6", 200_000)), **ADVANCE}, {"epsilon": "1", "delta": "0.5"}, "dong2020/advance",
        {"splits": [-1], "precision": 32}),
    "many equal ranges": (
        {**ledger(ranged("1/100", 2800)), **ADVANCE}, {"epsilon": "1/100", "delta": "1"}, "dong2020/thm3",
        {"precision": 32}),
    "many ranges on the way": (
        ledger(ranged("1", 3000)), {"epsilon": "100", "delta": "0.999"}, "dong2020/adaptive",
        {"step": "1", "bits": 32}),
    "a deep cover": (
        {**ledger(ranged("1", 1)), **ADVANCE}, {"epsilon": "1/2", "delta": "0.5"}, "dong2020/advance",
        {"splits": [0] * 40_000, "precision": 32}),
    "masses of many bits": (
        ledger({"mechanism": {"kind": "gaussian", "sigma": "1/100", "sensitivity": "1"}}),
        {"epsilon": "6000", "delta": "0.999"}, "zdw2022/thm10",
        {"step": "1/4", "bits": 64, "low": -26_000, "high": 26_000, "own": 1000}),
    "many listed answers": (
        ledger({"mechanism": {"kind": "geometric", "scale": "60000", "shifts": ["59990"] * 8}}),
        {"epsilon": "90", "delta": "0.999"}, "zdw2022/thm10",
        {"step": "4", "bits": 2048, "low": -30, "high": 30, "own": 3}),
    "moments of many bits": (
        {**ledger(*SAMPLED), "neighbours": "add-or-remove-one", "parameters": "chosen-adaptively",
         "tuning": {EX_POST: {"order": "4096"}}, "budget": {"epsilon": "5000", "delta": "1e-6", "filter": EX_POST}},
        {"epsilon": "5000", "delta": "1e-6"}, EX_POST, {"precision": 8192}),
}  # fmt: skip


@pytest.mark.parametrize("name", SLOW)
def test_a_small_document_does_not_take_long(name: str) -> None:
    """Refused before anything is computed: each of these took more than half a minute."""
    record, claim, by, witness = SLOW[name]
    refused(
        forged(record, claim, "confirmed", by, witness), "more (work|memory)|written|not certain|not finite|too often"
    )


LAPLACE = {"kind": "laplace", "scale": "10", "sensitivity": "1"}
REPLACED = {"kind": "subsampled", "base": {**NOISE, "sigma": "2"}, "rate": "1/10", "sampling": "poisson"}
CUT_AND_REPLACED = {**REPLACED, "clipped": True, "batch_cap": 105, "records": 1000, "attained": True}
CAPPED = {
    "kind": "subsampled", "base": {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}, "rate": "99/100",
    "sampling": "poisson", "batch_cap": "100", "records": "100",
}  # fmt: skip
COARSE = {"step": "1/20", "bits": 64, "low": -200, "high": 200, "own": 190}


def added(*events: Document, **more: Any) -> Document:
    return {**ledger(*events, **more), "neighbours": "add-or-remove-one"}


def one(kind: str, **guarantee: Any) -> Document:
    return {"guarantee": {"kind": kind, **guarantee}}


LINE = "whitehouse2023/thm3.filter"
#: Four rounds of an epoch, of which each may be the one that a record is in: together mu = 10, a quarter of it each.
EPOCH = {"count": 4, "mechanism": {
    "kind": "subsampled", "base": {**NOISE, "sigma": "1/10"}, "rate": "1/4", "sampling": "shuffled"}}  # fmt: skip


def stopped(by: str, **tuning: str) -> Document:
    """The epoch with parameters chosen on the way, stopped by a filter."""
    size = {"rho": "50"} if by == "whitehouse2023/thm1" else {"epsilon": "900"}
    return ledger(
        EPOCH, parameters="chosen-adaptively", budget={**size, "delta": "1/10", "filter": by}, tuning={by: tuning}
    )


DAILY = {"parameters": "chosen-adaptively", "budget": {"epsilon": "2", "delta": "0", "filter": "rogers2016/thm3.3"}}
#: What a proof says beside what it is by and its witness; each is refused by one rule alone.
ONE_RULE: dict[str, tuple[Document, Document, str, str, Document, Document]] = {
    "a unit's rho is no epsilon": (
        added(one("zcdp", rho="1/2")), {"rho": "1", "units": 2}, "confirmed", "whitehouse2023/thm1", {},
        {"of_unit": {"epsilon": "1/2", "delta": "0"}}),
    "an order too low for a group": (
        added(one("rdp", orders={"3": "0.1"})), {"epsilon": "90", "delta": "0.1", "units": 2}, "confirmed",
        "cks2020/rdp2dp", {"order": "3/2"}, {}),
    "an order beyond what three doublings leave": (
        added(one("rdp", orders={"64": "0.001"})), {"epsilon": "90", "delta": "0.1", "units": 5}, "confirmed",
        "cks2020/rdp2dp", {"order": "10"}, {}),
    "an order too low for three doublings": (
        added(one("rdp", orders={"15": "0.001"})), {"epsilon": "90", "delta": "0.1", "units": 5}, "confirmed",
        "cks2020/rdp2dp", {"order": "15/8"}, {}),
    "two events whose shifts need not meet": (
        ledger({"mechanism": LAPLACE}, {"mechanism": LAPLACE}), {"epsilon": "0.1", "delta": "1e-9"}, "refuted", "event",
        {"events": [0, 1], **COARSE, "threshold": 1}, {}),
    "a worst case beside a law": (
        ledger({"mechanism": LAPLACE, **one("pure-dp", epsilon="1")}), {"epsilon": "0.5", "delta": "1e-9"},
        "underivable", "event", {"events": [0], **COARSE, "threshold": 1}, {}),
    "a cap of as many as there are others": (
        added({"mechanism": CAPPED}), {"epsilon": "4", "delta": "0.5"}, "confirmed", "zdw2022/poisson_gaussian",
        {**COARSE, "low": -400, "high": 400, "own": 390}, {}),
    "days of a budget that each day has": (
        ledger(pure("1"), period="day", **DAILY), {"epsilon": "2", "delta": "0", "periods": 2}, "confirmed",
        "rogers2016/thm3.3", {}, {}),
    "a moment of samples of which a record is replaced": (
        ledger({"count": 40, "mechanism": {**REPLACED, "clipped": True}}), {"epsilon": "3/10", "delta": "1/50"},
        "confirmed", "cks2020/rdp2dp", {"order": "16"}, {}),
    "a moment of samples of a fixed size": (
        ledger({"count": 40, "mechanism": {**REPLACED, "sampling": "fixed-size"}}),
        {"epsilon": "2", "delta": "1/100"}, "confirmed", "cks2020/rdp2dp", {"order": "8"}, {}),
    "a lower bound about a group": (
        added({"mechanism": NOISE}), {"epsilon": "0.1", "delta": "0.01", "units": 2}, "refuted", "event",
        {"events": [0], **COARSE, "threshold": 1}, {}),
    "a reading between the rounds of an epoch": (
        ledger(EPOCH, tuning={LINE: {"delta_prime": "1/100", "y_star": "100"}}),
        {"reading": "110", "delta": "1/100", "after_event": 1}, "confirmed", LINE, {}, {}),
    "a filter of rho between the rounds of an epoch": (
        stopped("whitehouse2023/thm1"), {"rho": "50", "delta": "1/10"}, "confirmed", "whitehouse2023/thm1", {}, {}),
    "a filter of mu between the rounds of an epoch": (
        stopped("gdp/composition"), {"epsilon": "900", "delta": "1/10"}, "confirmed", "gdp/composition", {}, {}),
    "a Renyi filter between the rounds of an epoch": (
        stopped("feldman2021/renyi_filter", order="4"), {"epsilon": "900", "delta": "1/10"}, "confirmed",
        "feldman2021/renyi_filter", {}, {}),
    "an ex-post filter between the rounds of an epoch": (
        stopped("rswr2023/ex_post_filter", order="4"), {"epsilon": "900", "delta": "1/10"}, "confirmed",
        "rswr2023/ex_post_filter", {}, {}),
    "a lower bound of mu of samples that may be cut": (
        added({"mechanism": CAPPED}), {"mu": "1e-9"}, "refuted", "moment", {"events": [0]}, {}),
    "a lower bound of mu of cut samples of which a record is replaced": (
        ledger({"count": 4, "mechanism": CUT_AND_REPLACED}), {"mu": "1e-9"}, "refuted", "moment", {"events": [0]}, {}),
    "a lower bound of cut samples of which a record is replaced": (
        ledger({"count": 4, "mechanism": CUT_AND_REPLACED}), {"epsilon": "1/100", "delta": "1e-9"}, "refuted",
        "event", {"events": [0], **COARSE, "threshold": 1}, {}),
    "a lower bound of mu of samples of which a record is replaced": (
        ledger({"count": 40, "mechanism": {**REPLACED, "clipped": True, "attained": True}}), {"mu": "1e-9"}, "refuted",
        "moment", {"events": [0]}, {}),
    "samples of a fixed size as Poisson's": (
        {**ledger({"mechanism": {**REPLACED, "sampling": "fixed-size"}}), "neighbours": "zero-out"},
        {"epsilon": "1", "delta": "1/2"}, "confirmed", "zdw2022/poisson_gaussian", COARSE, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_RULE)
def test_what_one_rule_alone_refuses(name: str) -> None:
    record, claim, verdict, by, witness, more = ONE_RULE[name]
    document = forged(record, claim, verdict, by, witness)
    document["proofs"][0] |= more
    refused(
        document,
        "only an|no moment|have moments here|order|attained_together|declares what ran|cap|fixed in advance|one unit"
        "|rounds of an epoch|equal sampled|not attained|above the claim",
    )


@pytest.mark.parametrize(
    "law",
    [
        {"kind": "discrete-gaussian", "sigma": "0", "shifts": ["1"]},
        {"kind": "discrete-gaussian", "sigma_squared": "0", "shifts": ["1"]},
        {"kind": "discrete-gaussian", "sigma": "1", "shifts": ["3/2"]},
        {"kind": "gaussian", "sigma_squared": "0", "sensitivity": "1"},
        {"kind": "laplace", "scale": "0", "sensitivity": "1"},
        {"kind": "geometric", "scale": "0", "shifts": ["1"]},
        {"kind": "geometric", "scale": "1", "shifts": ["3/2"]},
        {"kind": "subsampled", "base": NOISE, "rate": "0", "sampling": "poisson"},
    ],
    ids=str,
)
def test_noise_of_no_scale_and_parts_of_a_count_are_refused(law: Document) -> None:
    document = forged(added({"mechanism": law}), {"epsilon": "9", "delta": "0.9"}, "confirmed", "zdw2022/thm10", GRID)
    refused(document, "above 0|whole number")


def test_an_added_unit_counts_among_those_that_a_cap_rests_on() -> None:
    """A replaced unit may be removed before the other is added: the cap must hold beside all others then."""
    law = {**CAPPED, "rate": "1/100", "batch_cap": "150", "records": "1000"}
    size = {"dataset_size": {"value": 1001, "public": True}}
    claim = {"epsilon": "9", "delta": "0.9", "neighbours": "replace-one"}
    document = forged(added({"mechanism": law}, **size), claim, "confirmed", "chua2024b/truncated", COARSE)
    document["proofs"][0]["of_unit"] = {"epsilon": "4", "delta": "1e-3"}
    refused(document, "a cap rests on 1000 records, and by the ledger there are 1001")


def test_a_lower_bound_is_of_a_shift_that_is_attained() -> None:
    claim, witness = {"epsilon": "1/10", "delta": "1/100"}, {"events": [0], **GRID, "threshold": 1}
    assert kernel.check(forged(ledger({"mechanism": NOISE}), claim, "refuted", "event", witness))
    record = ledger({"mechanism": {**NOISE, "attained": False}})
    refused(forged(record, claim, "refuted", "event", witness), "not attained")


#: What takes the ground away from a test of the divisor: the event's change, the ledger's, the claim, the witness.
NOT_DIVIDED: dict[str, tuple[Document, Document, Document, Document]] = {
    "by a number that is public": ({}, {"dataset_size": {"value": 50_000, "public": True}}, {}, {}),
    "by a number that stays": ({}, {"neighbours": "zero-out"}, {}, {}),
    "by a number that is not declared": ({}, {"dataset_size": None}, {}, {}),
    "of no other record": ({}, {"dataset_size": {"value": 1, "public": False}}, {}, {}),
    "of steps chosen on the way": ({}, {"parameters": "chosen-adaptively"}, {}, {}),
    "of one part's records": ({"part": {"of": "zip", "is": "a"}}, {"partitions": {"zip": "by region"}}, {}, {}),
    "of two days": ({}, {"period": "day"}, {"periods": 2}, {}),
    "of sums that were not divided": ({}, {"attained_together": True}, {}, {"events": [0, 1]}),
    "of fewer numbers": ({"released": {**DIVIDED["released"], "coordinates": 1_170_000}}, {}, {}, {}),
    "of a number that nobody declares": ({"released": {"divided_by": "number-of-records"}}, {}, {}, {}),
    "of noise used twice": ({"released": {**DIVIDED["released"], "noise": "reused"}}, {}, {}, {}),
    "of steps that were left out": ({"released": {**DIVIDED["released"], "empty_batches": "left-out"}}, {}, {}, {}),
    "of Laplace noise": ({"mechanism": {"kind": "laplace", "scale": "1", "sensitivity": "1"}}, {}, {}, {}),
    "of noise for nothing": ({"mechanism": {"kind": "laplace", "scale": "1", "sensitivity": "0"}}, {}, {}, {}),
    "of what no data set attains": ({"mechanism": {**DRAWN["mechanism"], "attained": False}}, {}, {}, {}),
    "for a claim of mu": ({}, {}, {"mu": "1"}, {}),
    "for a claim of rho": ({}, {}, {"rho": "1"}, {}),
    "for a group": ({}, {}, {"units": 2}, {}),
    "for a larger delta": ({}, {}, {"delta": "0.976"}, {}),
    "for a larger epsilon": ({}, {}, {"epsilon": "12"}, {}),
    "of sums as they are": ({"released": {"divided_by": "nothing"}}, {}, {}, {}),
}


@pytest.mark.parametrize("name", NOT_DIVIDED)
def test_a_divisor_shows_what_neighbours_change_and_nothing_else(name: str) -> None:
    event, changed, more, other = NOT_DIVIDED[name]
    claim, witness = {"epsilon": "8", "delta": "1e-5"}, {"events": [0]}
    assert kernel.check(forged(added(DIVIDED, DRAWN, **COUNTED), claim, "refuted", "division", witness))
    record = {**added({**DIVIDED, **event}, DRAWN, **COUNTED), **changed}
    record = {key: value for key, value in record.items() if value is not None}
    asked = more if {"mu", "rho"} & set(more) else {**claim, **more}
    document = forged(record, asked, "refuted", "division", {**witness, **other})
    if "part" in event:
        document["proofs"][0]["case"] = {"zip": "a"}
    refused(document, "of normal noise|by the division|may depend on|lower bounds are about|something else")


def test_divided_sums_count_together_where_one_pair_of_data_sets_is_declared() -> None:
    half = {**DIVIDED, "count": DIVIDED["count"] // 2}
    claim, witness = {"epsilon": "8", "delta": "0.97"}, {"events": [0, 1]}
    both = added(half, half, attained_together=True, **COUNTED)
    assert kernel.check(forged(both, claim, "refuted", "division", witness))
    refused(forged(both, claim, "refuted", "division", {"events": [0]}), "by the division")
    refused(forged(added(half, half, **COUNTED), claim, "refuted", "division", witness), "attained_together")


@pytest.mark.parametrize("by", ["event", "two-points"])
def test_a_claim_of_rho_is_contradicted_by_a_moment_only(by: str) -> None:
    """Read as an epsilon, a rho of 0.6 without delta would be too little for the event, which has a rho of 1/2."""
    record = ledger({"guarantee": {"kind": "zcdp", "rho": "1/2"}})
    event = {"events": [0], **GRID, "threshold": 1}
    assert kernel.check(forged(record, {"epsilon": "0.6", "delta": "0"}, "underivable", "event", event))
    points = {"events": [0], "p": "1/2", "q": "1/10", "orders": ["2", "3", "4"]}
    witness = event if by == "event" else points
    refused(forged(record, {"rho": "0.6"}, "underivable", by, witness), "moment|two answers")


def test_a_lower_bound_is_above_the_claimed_delta_and_not_equal_to_it() -> None:
    """Noise that loses as much as is claimed contradicts nothing."""
    step = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
    grid = Grid(Fraction(1, 8), 64, -40, 40, 40)
    with working(512):
        least = end(lower_delta([(Pair(Normal(Fraction(1))), 1)], True, grid, 2, Fraction(1, 4)), up=False)
    record = {**ledger({"mechanism": step}), "neighbours": "add-or-remove-one"}
    witness = {"events": [0], "step": "1/8", "bits": 64, "low": -40, "high": 40, "own": 40, "threshold": 2}
    claims = [{"epsilon": "1/4", "delta": str(delta)} for delta in (least - Fraction(1, 2**200), least)]
    assert kernel.check(forged(record, claims[0], "refuted", "event", witness))
    refused(forged(record, claims[1], "refuted", "event", witness), "not above the claimed delta")


#: A run in which a record is in 4 of 20 steps: what changes of the mechanism, the ledger, the claim, and the witness.
NOT_IN_STEPS: dict[str, tuple[Document, Document, Document, Document, str]] = {
    "of more steps": ({"bins": 23}, {}, {}, {}, "not above"),
    "in fewer of them": ({"chosen": 3}, {}, {}, {}, "not above"),
    "in one of them": ({"chosen": 1}, {}, {}, {}, "not above"),
    "with more noise": ({"base": {"kind": "gaussian", "sigma": "2.1", "sensitivity": "1"}}, {}, {}, {}, "not above"),
    "that is not attained": ({"attained": False}, {}, {}, {}, "not attained"),
    "of Laplace noise": ({"base": {"kind": "laplace", "scale": "2", "sensitivity": "1"}}, {}, {}, {}, "no law"),
    "of a replaced record": ({}, {"neighbours": "replace-one"}, {}, {}, "not attained"),
    "chosen on the way": ({}, {"parameters": "chosen-adaptively"}, {}, {}, "depend on the answers"),
    "for a larger epsilon": ({}, {}, {"epsilon": "1.01"}, {}, "not above"),
    "for a larger delta": ({}, {}, {"delta": "44/10000"}, {}, "not above"),
    "for a group": ({}, {}, {"units": 2}, {}, "one unit"),
    "without a weight": ({}, {}, {}, {"weight": None}, "weight"),
    "with a weight of nothing": ({}, {}, {}, {"weight": "0"}, "above 0"),
    "with another weight": ({}, {}, {}, {"weight": "1/100"}, "not above"),
    "at a lower threshold": ({}, {}, {}, {"threshold": 300}, "not above"),
    "at a higher threshold": ({}, {}, {}, {"threshold": 400}, "not above"),
    "read backwards": ({}, {}, {}, {"removal": False}, "not above"),
    "with a short window": ({}, {}, {}, {"own": 20}, "not above"),
    "by a lattice": ({}, {}, {}, {"lattice": 1024}, "lattice is stated where there are balls in bins"),
}  # fmt: skip


@pytest.mark.parametrize("name", ["as it is", *NOT_IN_STEPS])
def test_a_run_in_some_steps_loses_what_its_test_shows_and_no_more(name: str) -> None:
    changed, declared, claim, other, reason = NOT_IN_STEPS.get(name, ({}, {}, {}, {}, ""))
    record = {**zeroed({"mechanism": {**SOME_BINS, **changed}}), **declared}
    witness = {"events": [0], "weight": "1/4", "step": "1/64", "bits": 96, "low": -1, "high": 500, "own": 200}
    witness |= {"threshold": 343, **other}
    kept = {key: value for key, value in witness.items() if value is not None}
    document = forged(record, {"epsilon": "1", "delta": "43/10000", **claim}, "refuted", "event", kept)
    if reason:
        refused(document, reason)
    else:
        assert kernel.check(document).verdict == "refuted"


def test_runs_in_some_steps_add_up_where_one_pair_attains_them() -> None:
    """Two runs count together, each step in both; a sum of the ledger's other losses may stand beside one."""
    run = {"mechanism": SOME_BINS}
    witness = {"weight": "1/4", "step": "1/32", "bits": 96, "low": -90, "high": 400, "own": 150, "events": [0]}
    claim = {"epsilon": "1.5", "delta": "5e-3"}
    twice = forged(zeroed({**run, "count": 2}), claim, "refuted", "event", {**witness, "threshold": 316})
    assert kernel.check(twice).verdict == "refuted"
    refused(forged(zeroed(run), claim, "refuted", "event", {**witness, "threshold": 316}), "not above")
    beside = zeroed(run, {"mechanism": NOISE}, attained_together=True)
    both = {**witness, "events": [0, 1], "threshold": 181}
    claim["delta"] = "0.08"
    assert kernel.check(forged(beside, claim, "refuted", "event", both)).verdict == "refuted"
    refused(forged({**beside, "attained_together": False}, claim, "refuted", "event", both), "attained_together")
    refused(forged(beside, claim, "refuted", "event", {**both, "removal": False}), "not above")


#: The sum of the ratios of a run on 20 bins, in one of which a record is: what changes of the mechanism, the claim, and
#: the witness.
NOT_A_SUM: dict[str, tuple[Document, Document, Document, str]] = {
    "of more bins": ({"bins": "21"}, {}, {}, "not above"),
    "of fewer epochs": ({"epochs": "3"}, {}, {}, "not above"),
    "for a larger epsilon": ({}, {"epsilon": "1.2"}, {}, "not above"),
    "for a larger delta": ({}, {"delta": "1.042e-4"}, {}, "not above"),
    "without a weight": ({}, {}, {"weight": None}, "weight"),
    "with a large weight": ({}, {}, {"weight": "1"}, "not above"),
    "cut far below": ({}, {}, {"own": 700}, "not above"),
    "at a lower threshold": ({}, {}, {"threshold": 900}, "not above"),
    "new bins in each epoch": ({"drawn": "each-epoch"}, {}, {}, "not above"),
}  # fmt: skip


@pytest.mark.parametrize("name", ["as it is", *NOT_A_SUM])
def test_a_run_on_bins_loses_what_the_sum_of_its_ratios_shows_and_no_more(name: str) -> None:
    changed, claim, other, reason = NOT_A_SUM.get(name, ({}, {}, {}, ""))
    record = records({"mechanism": {**RUN["mechanism"], **changed}})
    witness = {"events": [0], "weight": "1/1099511627776", "step": "34467545/590295810358655651712", "bits": 64}
    witness |= {"low": -1, "high": 1044, "own": 1024, "threshold": 1015, **other}
    kept = {key: value for key, value in witness.items() if value is not None}
    document = forged(record, {"epsilon": "1.19", "delta": "1.04e-4", **claim}, "refuted", "event", kept)
    if reason:
        refused(document, reason)
    else:
        assert kernel.check(document).verdict == "refuted"


FOUR = {
    "events": [0], "weight": "1725/32768", "step": "1507/262144", "bits": 96, "low": -1, "high": 1670, "own": 1669,
    "threshold": 1158,
}  # fmt: skip
#: Four epochs, each on 20 new bins: what changes of the mechanism and the claim.
NOT_FOUR: dict[str, tuple[Document, Document, str]] = {
    "in three epochs": ({"epochs": "3"}, {}, "not above"),
    "on more bins": ({"bins": "25"}, {}, "not above"),
    "that are not attained": ({"attained": False}, {}, "not attained"),
    "where a record is replaced": ({"bins": "20"}, {}, "not attained"),
    "with more noise": ({"base": {**NOISE, "sigma": "11/10"}}, {}, "not above"),
    "for a larger epsilon": ({}, {"epsilon": "2.75"}, "not above"),
    "for a larger delta": ({}, {"delta": "1e-3"}, "not above"),
}


@pytest.mark.parametrize("name", ["as it is", *NOT_FOUR])
def test_new_bins_in_each_epoch_lose_what_the_sum_over_all_their_steps_shows(name: str) -> None:
    """(2.704, 1e-5) is what they lose, on a grid; the sum of one kind of numbers shows less of it."""
    changed, claim, reason = NOT_FOUR.get(name, ({}, {}, ""))
    run = {"kind": "subsampled", "sampling": "balls-in-bins", "bins": "20", "epochs": "4", "drawn": "each-epoch"}
    record = records({"mechanism": {**run, "base": NOISE, **changed}})
    record |= {"neighbours": "replace-one"} if "replaced" in name else {}
    document = forged(record, {"epsilon": "2.4", "delta": "1e-5", **claim}, "refuted", "event", FOUR)
    if reason:
        refused(document, reason)
    else:
        assert kernel.check(document).verdict == "refuted"


#: An epoch of ten batches of a shuffle: what changes of the mechanism, the ledger, the claim, and the witness.
EPOCH_OF_TEN = {"kind": "subsampled", "base": {**NOISE, "sigma": "1/2"}, "rate": "1/10", "sampling": "shuffled"}
NOT_AN_EPOCH: dict[str, tuple[Document, Document, Document, Document, str]] = {
    "of more batches": ({"rate": "1/20"}, {"count": 20}, {}, {}, "not certain"),
    "of part of the data": ({"rate": "3/20"}, {}, {}, {}, "not attained|no guarantee"),
    "with more noise": ({"base": {**NOISE, "sigma": "11/20"}}, {}, {}, {}, "not certain"),
    "that did not end": ({}, {"count": 9}, {}, {}, "not attained|no guarantee"),
    "of all records at once": ({"rate": "1"}, {}, {}, {}, "no guarantee|not .* of an epoch"),
    "that is not attained": ({"attained": False}, {}, {}, {}, "not attained"),
    "of a base that is not attained": (
        {"base": {**NOISE, "sigma": "1/2", "attained": False}}, {}, {}, {}, "not attained"),
    "of Laplace noise": (
        {"base": {"kind": "laplace", "scale": "1/2", "sensitivity": "1"}}, {}, {}, {}, "not attained|no guarantee"),
    "of Poisson samples": ({"sampling": "poisson"}, {}, {}, {}, "not .* of an epoch"),
    "of a replaced record": ({}, {"neighbours": "replace-one"}, {}, {}, "not attained"),
    "chosen on the way": ({}, {"parameters": "chosen-adaptively"}, {}, {}, "depend on the answers"),
    "for a larger epsilon": ({}, {}, {"epsilon": "41/40"}, {}, "not certain"),
    "for a larger delta": ({}, {}, {"delta": "0.64"}, {}, "not certain"),
    "for a claim of mu": ({}, {}, {"mu": "1/2", "epsilon": None, "delta": None}, {}, "not .* of an epoch"),
    "for a group": ({}, {}, {"units": 2}, {}, "one unit"),
    "without a place": ({}, {}, {}, {"deviations": None}, "deviations"),
    "at a lower place": ({}, {}, {}, {"deviations": "3"}, "not certain"),
    "at a higher place": ({}, {}, {}, {"deviations": "4"}, "not certain"),
}  # fmt: skip


@pytest.mark.parametrize("neighbours", ["add-or-remove-one", "zero-out"])
@pytest.mark.parametrize("name", ["as it is", *NOT_AN_EPOCH])
def test_an_epoch_of_a_shuffle_loses_what_its_largest_answer_shows_and_no_more(name: str, neighbours: str) -> None:
    changed, declared, claim, other, reason = NOT_AN_EPOCH.get(name, ({}, {}, {}, {}, ""))
    of_ledger = {"neighbours": neighbours, **{key: value for key, value in declared.items() if key != "count"}}
    event = {"mechanism": {**EPOCH_OF_TEN, **changed}, "count": declared.get("count", 10)}
    said = {"epsilon": "1", "delta": "0.505", **claim}
    document = forged(
        {**ledger(event), **of_ledger}, {key: value for key, value in said.items() if value is not None}, "refuted",
        "epoch", {key: value for key, value in {"events": [0], "deviations": "113/32", **other}.items() if value},
    )  # fmt: skip
    if reason:
        refused(document, reason)
    else:
        assert kernel.check(document).verdict == "refuted"


def test_an_epoch_of_a_shuffle_shows_nothing_by_another_test() -> None:
    """What its rounds lose at most together is no lower bound, nor is a part of it that of each round."""
    for neighbours in ("add-or-remove-one", "zero-out"):
        record = {**ledger({"mechanism": EPOCH_OF_TEN, "count": 10}), "neighbours": neighbours}
        witness = {"events": [0], **GRID, "threshold": 1}
        refused(forged(record, {"epsilon": "0", "delta": "0"}, "refuted", "event", witness), "not above")
        refused(forged(record, {"mu": "1/100"}, "refuted", "moment", {"events": [0]}), "a rho of these")
    unknown, claim = records({"mechanism": EPOCH_OF_TEN, "count": 10}), {"epsilon": "19", "delta": "99/100"}
    refused(forged(unknown, claim, "confirmed", LAWS, GRID), "not certain")


#: Noise, an epsilon, a delta that five rounds on a tenth of the records are shown to have if one is replaced, and not.
REVEALED: dict[str, tuple[Document, str, str, str]] = {
    "Laplace": ({"kind": "laplace", "scale": "2", "sensitivity": "1"}, "0.9", "0.0026", "0.0025"),
    "geometric": ({"kind": "geometric", "scale": "3", "shifts": ["2"]}, "1.1", "0.0065", "0.0063"),
    "discrete": ({"kind": "discrete-gaussian", "sigma": "3", "shifts": ["2"]}, "1.1", "0.0154", "0.0152"),
    "answers": ({"kind": "randomized-response", "epsilon": "1"}, "1.1", "0.0262", "0.026"),
    "worst case": (
        {"kind": "four-outcome-randomized-response", "epsilon": "1/2", "delta": "1e-4"}, "0.9", "0.0037", "0.0036"),
}  # fmt: skip


@pytest.mark.parametrize("sampling", ["poisson", "fixed-size"])
@pytest.mark.parametrize("name", REVEALED)
def test_a_sample_loses_what_its_base_does_where_it_is_revealed_who_is_drawn(name: str, sampling: str) -> None:
    """Of a fixed size where a record is zeroed out, which from another one is two steps; answers are one step apart."""
    base, epsilon, above, below = REVEALED[name]
    law = {"kind": "subsampled", "base": base, "rate": "1/10", "sampling": sampling}
    witness = {"step": "1/64", "bits": 64, "low": -320, "high": 640, "own": 320}
    record = ledger({"mechanism": law, "count": 5})
    if sampling == "fixed-size":
        if name == "answers":
            return
        record = {**record, "neighbours": "zero-out"}
    enough, less = ({"epsilon": epsilon, "delta": delta} for delta in (above, below))
    premises = str(kernel.check(forged(record, enough, "confirmed", LAWS, witness)).premises)
    assert "drawn with at most its chance, whatever was answered before" in premises
    assert "depends on coins and on earlier answers only" in premises
    refused(forged(record, less, "confirmed", LAWS, witness), "not certain")
    about = {"neighbours": record["neighbours"]}
    often = {**ledger({"mechanism": {**law, "rate": "1/5"}, "count": 5}), **about}
    refused(forged(often, enough, "confirmed", LAWS, witness), "not certain")
    more = {**ledger({"mechanism": law, "count": 6}), **about}
    refused(forged(more, enough, "confirmed", LAWS, witness), "not certain")
    for other in ("unknown", "shuffled"):
        elsewhere = {**ledger({"mechanism": {**law, "sampling": other}, "count": 5}), **about}
        refused(forged(elsewhere, enough, "confirmed", LAWS, witness), "no guarantee|not certain")
    if sampling == "fixed-size":
        added = {**record, "neighbours": "add-or-remove-one"}
        refused(forged(added, enough, "confirmed", LAWS, witness), "no guarantee")


#: The same of samples of a fixed size if a record is replaced, of five rounds; and a delta that they are shown to lose.
IN_ANOTHERS_PLACE: dict[str, tuple[Document, str, str, str, str]] = {
    "Laplace": (REVEALED["Laplace"][0], "0.2", "0.0017935", "0.0017930", "0.0014"),
    "geometric": (REVEALED["geometric"][0], "0.25", "0.004386", "0.004385", "0.00344"),
    "discrete": (REVEALED["discrete"][0], "0.3", "0.00741", "0.007409", "0.0063"),
    "answers": (REVEALED["answers"][0], "0.4", "0.010209", "0.010208", "0.00626"),
    "worst case": (REVEALED["worst case"][0], "0.2", "0.002627", "0.002626", "0.00205"),
}


@pytest.mark.parametrize("name", IN_ANOTHERS_PLACE)
def test_a_sample_of_a_fixed_size_loses_what_its_two_laws_do(name: str) -> None:
    """The pair from both sides; of Poisson samples, of which y is no neighbour, it is not."""
    base, epsilon, above, below, lost = IN_ANOTHERS_PLACE[name]
    law = {"kind": "subsampled", "base": base, "rate": "1/10", "sampling": "fixed-size"}
    witness = {"step": "1/1024", "bits": 64, "low": -1500, "high": 3000, "own": 1500}
    record = ledger({"mechanism": law, "count": 5})
    enough, less = ({"epsilon": epsilon, "delta": delta} for delta in (above, below))
    premises = str(kernel.check(forged(record, enough, "confirmed", LAWS, witness)).premises)
    assert "each batch is any of the batches of one size" in premises
    refused(forged(record, less, "confirmed", LAWS, witness), "not certain")
    for other in ("unknown", "shuffled", "poisson"):
        elsewhere = ledger({"mechanism": {**law, "sampling": other}, "count": 5})
        refused(forged(elsewhere, enough, "confirmed", LAWS, witness), "no guarantee|not certain")
    test = {**witness, "threshold": int(Fraction(epsilon) * 1024), "events": [0]}
    false = {"epsilon": epsilon, "delta": lost}
    assert "attained" in str(kernel.check(forged(record, false, "refuted", "event", test)).premises)
    for change in ({"attained": False}, {"sampling": "shuffled"}, {"rate": "1/15"}):
        elsewhere = ledger({"mechanism": {**law, **change}, "count": 5})
        refused(forged(elsewhere, false, "refuted", "event", test), "not attained|not above")


#: A record in 4 of 20 steps, at most: what changes of the mechanism, the ledger, the claim, and the witness.
NOT_IN_BLOCKS: dict[str, tuple[Document, Document, Document, Document, str]] = {
    "of fewer steps": ({"bins": "19"}, {}, {}, {}, "not certain"),
    "in more of them": ({"chosen": "5"}, {}, {}, {}, "not certain"),
    "with less noise": ({"base": {"kind": "gaussian", "sigma": "1.9", "sensitivity": "1"}}, {}, {}, {}, "not certain"),
    "in four epochs of new bins, of 4": (
        {"chosen": "1", "epochs": "4", "bins": "4", "drawn": "each-epoch"}, {}, {}, {}, "not certain"),
    "twice": ({}, {"count": 2}, {}, {}, "not certain"),
    "of a replaced record": ({}, {"neighbours": "replace-one"}, {}, {}, "lattice is stated where"),
    "chosen on the way": ({}, {"parameters": "chosen-adaptively"}, {}, {}, "fixed in advance"),
    "for a smaller epsilon": ({}, {}, {"epsilon": "1.99"}, {}, "not certain"),
    "for a smaller delta": ({}, {}, {"delta": "4.04e-6"}, {}, "not certain"),
    "for a group": ({}, {}, {"units": 2}, {}, "lattice is stated where"),
    "by its own theorem": ({}, {}, {"by": "chua2025/allocation"}, {}, "not one run"),
    "without a lattice": ({}, {}, {}, {"lattice": None}, "16 to"),
    "on a lattice of few points": ({}, {}, {}, {"lattice": 64}, "not certain"),
    "on a lattice of too few": ({}, {}, {}, {"lattice": 15}, "16 to"),
    "on a lattice of too many": ({}, {}, {}, {"lattice": 2**17 + 1}, "16 to"),
    "on a coarse grid": ({}, {}, {}, {"step": "1/8", "low": -18, "high": 36, "own": 24}, "not certain"),
    "in a narrow window": ({}, {}, {}, {"own": 150}, "not certain"),
    "in a window that is cut below": ({}, {}, {}, {"low": -9}, "not certain"),
    "in a window that is cut above": ({}, {}, {}, {"high": 300}, "not certain"),
    "in a window beyond what is written": ({}, {}, {}, {"own": 2**20, "high": 2**15, "low": -(2**15)}, "epsilon of at"),
}  # fmt: skip


@pytest.mark.parametrize("name", ["as it is", *NOT_IN_BLOCKS])
def test_a_run_in_some_steps_loses_at_most_what_its_blocks_do(name: str) -> None:
    """At 2 delta is at most 4.0507e-6 on this lattice, and 4.0446e-6 on one of four times as many points."""
    changed, declared, claim, other, reason = NOT_IN_BLOCKS.get(name, ({}, {}, {}, {}, ""))
    of_ledger = {key: value for key, value in declared.items() if key != "count"}
    record = {**zeroed({"mechanism": {**SOME_BINS, **changed}, "count": declared.get("count", 1)}), **of_ledger}
    witness = {"step": "1/128", "bits": 64, "low": -288, "high": 576, "own": 384, "lattice": 8192, **other}
    by = claim.get("by", LAWS)
    kept = {key: value for key, value in witness.items() if value is not None}
    kept = {"points": 1024, "bits": 128} if by != LAWS else kept
    document = forged(record, {"epsilon": "2", "delta": "4.06e-6", **claim}, "confirmed", by, kept)
    if reason:
        refused(document, reason)
    else:
        assert kernel.check(document).verdict == "confirmed"


#: Guarantees with a claim whose contrary their worst case shows, and one a little larger whose contrary it does not.
WORST_CASES: dict[str, tuple[list[Document], Document, Document, Document]] = {
    "zCDP": (
        [{"guarantee": {"kind": "zcdp", "rho": "1/2"}}],
        {"epsilon": "1", "delta": "0.1"}, {"epsilon": "1", "delta": "0.13"}, {"events": [0]}),
    "a range, its losses unnamed": (
        [{"guarantee": {"kind": "bounded-range", "epsilon": "4"}}],
        {"epsilon": "1", "delta": "1/2"}, {"epsilon": "1", "delta": "3/5"}, {"events": [0]}),
    "a delta alone": (
        [{"guarantee": {"kind": "approx-dp", "epsilon": "0", "delta": "1/10"}}],
        {"epsilon": "0", "delta": "0.09"}, {"epsilon": "0", "delta": "0.11"}, {"events": [0]}),
    "an event that loses nothing": (
        [{"guarantee": {"kind": "zcdp", "rho": "0"}}, pure("2")],
        {"epsilon": "1", "delta": "1/3"}, {"epsilon": "1", "delta": "3/5"}, {"events": [0, 1]}),
}  # fmt: skip
FINE = {"step": "1/16", "bits": 64, "low": -200, "high": 200, "own": 200}


@pytest.mark.parametrize("name", WORST_CASES)
def test_a_worst_case_loses_what_its_guarantee_allows_and_no_more(name: str) -> None:
    events, less, more, witness = WORST_CASES[name]
    full = {**witness, **FINE, "threshold": 16 * len(events)}
    assert kernel.check(forged(ledger(*events), less, "underivable", "event", full))
    refused(forged(ledger(*events), more, "underivable", "event", full), "not above")


def test_what_depends_on_an_observed_cell_counts_once() -> None:
    """Two rounds whose cells are observed may not both cost the larger one: the second may depend on the first."""
    cells = {"guarantee": {"kind": "output-dp", "delta": "0", "cells": {"a": "2", "b": "1"}}, "count": 2}
    record = {**ledger(cells), "budget": {"epsilon": "9", "delta": "0", "filter": "hartmann2022/alg1"}}
    witness = {"events": [0], **FINE, "threshold": 16}
    assert kernel.check(forged(record, {"epsilon": "1", "delta": "1/3"}, "underivable", "event", witness))
    refused(
        forged(record, {"epsilon": "3", "delta": "0"}, "underivable", "event", {**witness, "threshold": 49}), "above"
    )


def test_two_answers_take_no_declared_mechanism_s_place() -> None:
    record = ledger({"mechanism": NOISE, "guarantee": {"kind": "zcdp", "rho": "1/2"}})
    witness = {"events": [0], "p": "1/2", "q": "1/10", "orders": ["2", "3", "4"]}
    refused(forged(record, {"epsilon": "0", "delta": "0"}, "underivable", "two-points", witness), "declared guarantee")


#: Ledgers and claims: the proof of the first claim holds, and the same proof of the second one does not.
ON_THE_WAY = {"parameters": "chosen-adaptively"}
RANGED = [{"guarantee": {"kind": "bounded-range", "epsilon": epsilon}} for epsilon in ("1/2", "2")]
BORDERS: dict[str, tuple[Document, Document, Document, str, Document, str]] = {
    "rhos alone": (
        ledger({"guarantee": {"kind": "zcdp", "rho": "1/2"}}), {"rho": "1/2"}, {"rho": "0.49"},
        "whitehouse2023/thm1.tight", {}, "certain"),
    "two epochs of a shuffle": (
        ledger({"count": 200, "mechanism": {
            "kind": "subsampled", "base": NOISE, "rate": "1/100", "sampling": "shuffled"}}),
        {"rho": "1"}, {"rho": "0.99"}, "whitehouse2023/thm1", {}, "certain"),
    "one epoch, where none is stated": (
        {**ledger({"mechanism": {"kind": "subsampled", "base": NOISE, "bins": 2, "sampling": "balls-in-bins"}}),
         "neighbours": "add-or-remove-one"},
        {"rho": "1/2"}, {"rho": "0.49"}, "whitehouse2023/thm1", {}, "certain"),
    "an accountant's rounds": (
        {**ledger({"guarantee": {"kind": "output-dp", "delta": "0", "cells": {"a": "2", "b": "1"}},
                   "observed_cell": "b", "count": 3}, **ON_THE_WAY),
         "budget": {"epsilon": "4", "delta": "0", "filter": "hartmann2022/alg1"}},
        {"epsilon": "4", "delta": "0"}, {"epsilon": "3.99", "delta": "0"}, "hartmann2022/alg1", {}, "budget"),
}  # fmt: skip


@pytest.mark.parametrize("name", BORDERS)
def test_a_proof_holds_up_to_its_border(name: str) -> None:
    record, holds, fails, by, witness, why = BORDERS[name]
    assert kernel.check(forged(record, holds, "confirmed", by, witness))
    refused(forged(record, fails, "confirmed", by, witness), why)


def test_what_is_left_is_of_rounds_that_the_accountant_let_run() -> None:
    """Three rounds of 1 with the most 2 need a budget of 4 before the last one, whatever they cost at the end."""
    cells = {"guarantee": {"kind": "output-dp", "delta": "0", "cells": {"a": "2", "b": "1"}}, "observed_cell": "b"}
    for size, runs in (("4", True), ("3.5", False)):
        record = ledger({**cells, "count": 3}, **ON_THE_WAY)
        record |= {"budget": {"epsilon": size, "delta": "0", "filter": "hartmann2022/alg1"}}
        claim = {"epsilon": size, "delta": "0", "remaining": {"epsilon": "1/2", "delta": "0"}}
        document = forged(record, claim, "confirmed", "hartmann2022/alg1", {})
        if runs:
            assert kernel.check(document)
        else:
            refused(document, "beyond the budget")


@pytest.mark.parametrize("by", ["filter", "mixture", "stitched"])
def test_a_repaired_odometer_adds_what_each_delta_costs(by: str) -> None:
    """log(1/(1 - 1/10)) = 0.1054 for each of three rounds: between two readings that are 0.3 apart lies the border."""
    theorem = f"whitehouse2023/thm3.{by}.repaired"
    tuned = {"delta_prime": "1/10", "y_star": "1", "gamma": "1", "v0": "1/100"}
    used = {"filter": ("y_star",), "mixture": ("gamma",), "stitched": ("v0",)}[by]
    tuning = {theorem: {name: tuned[name] for name in ("delta_prime", *used)}}

    def read(delta: str, target: Fraction) -> bool:
        rounds = {"guarantee": {"kind": "pdp", "epsilon": "1/2", "delta": delta}, "count": 3}
        record = ledger(rounds, **ON_THE_WAY, tuning=tuning)
        claim = {"reading": str(target), "after_event": 1, "delta": "1/2"}
        try:
            kernel.check(forged(record, claim, "confirmed", theorem, {}))
        except kernel.Refused:
            return False
        return True

    least = []
    for delta in ("0", "1/10"):
        low, high = Fraction(0), Fraction(64)
        while high - low > Fraction(1, 2**20):
            middle = (low + high) / 2
            low, high = (low, middle) if read(delta, middle) else (middle, high)
        least.append(high)
    assert Fraction(3160, 10000) < least[1] - least[0] < Fraction(3162, 10000)
    assert not read("1", Fraction(64))


def test_unequal_ranges_and_later_periods_are_not_equal_ranges() -> None:
    witness: Document = {}
    record = {**ledger(RANGED[0], RANGED[0]), "queries": "fixed-in-advance", "period": "day"}
    claim = {"epsilon": "0.9", "delta": "1/4"}
    assert kernel.check(forged(record, claim, "confirmed", "dong2020/thm3", witness))
    refused(forged(record, {**claim, "periods": 2}, "confirmed", "dong2020/thm3", witness), "before the first answer")
    record = {**ledger(*RANGED), "queries": "fixed-in-advance"}
    refused(forged(record, claim, "confirmed", "dong2020/thm3", witness), "not equal")


def test_moments_are_of_whole_samples_and_whole_orders() -> None:
    sampled = {"kind": "subsampled", "base": NOISE, "rate": "1/10", "sampling": "poisson"}
    for more, order, holds in (({}, "4", True), ({}, "7/2", False), ({"batch_cap": 150, "records": 1000}, "4", False)):
        record = {**ledger({"mechanism": {**sampled, **more}}), "neighbours": "add-or-remove-one"}
        claim = {"epsilon": "4", "delta": "1e-3"}
        document = forged(record, claim, "confirmed", "cks2020/rdp2dp", {"order": order})
        if holds:
            assert kernel.check(document)
        else:
            refused(document, "whole orders")


def test_a_group_of_moments_keeps_no_delta() -> None:
    """For a group a delta of Renyi DP grows, and no theorem says to what: it is proved through one unit."""
    record = ledger({"guarantee": {"kind": "rdp", "orders": {"16": "1/10"}, "delta": "1e-3"}})
    claim = {"epsilon": "9", "delta": "0.002", "units": 2}
    refused(forged(record, claim, "confirmed", "cks2020/rdp2dp", {"order": "8"}), "one unit only")


def test_a_probabilistic_guarantee_follows_from_no_profile() -> None:
    """Noise of sigma 1 is (1, 0.127)-DP; that its loss is above 1 with probability 0.127 at most is false."""
    record = ledger({"mechanism": NOISE, "guarantee": {"kind": "pdp", "epsilon": "1", "delta": "0.13"}})
    refused(forged(record, {"epsilon": "1", "delta": "0.13"}, "confirmed", "rogers2016/thm2.9", {}), "follows")


def test_two_cells_are_enough_for_what_ran_to_depend_on_answers() -> None:
    cells = {"guarantee": {"kind": "output-dp", "delta": "0", "cells": {"a": "2", "b": "1"}}, "observed_cell": "b"}
    record = {**ledger(cells), "budget": {"epsilon": "2", "delta": "0", "filter": "hartmann2022/alg1"}}
    refused(forged(record, {"epsilon": "2", "delta": "0"}, "confirmed", "rogers2016/thm2.9", {}), "in advance")
