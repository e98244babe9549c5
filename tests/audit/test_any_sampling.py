"""Rounds on samples drawn in any way, where a record is replaced or zeroed out: what all records give."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb, exp
from statistics import NormalDist
from typing import Any

import pytest

import privref
from privref import kernel
from tests.audit.test_mechanisms import at, claims, verdicts
from tests.audit.test_sampled import ledger, opinion, steps

BASE = {"kind": "gaussian", "sigma": "4", "sensitivity": "1"}
F = Fraction


def epsilon(count: int, delta: str = "1e-5") -> Fraction:
    """Of so many rounds on all records."""
    found = privref.evaluate("gdp/composition.eps", {"mu": ["1/4"] * count, "delta": delta}).enclosure
    assert found is not None
    return found.upper


@pytest.mark.parametrize("neighbours", ["zero-out", "replace-one"])
@pytest.mark.parametrize(
    ("sampling", "count", "rounds"),
    [("shuffled", 10, 1), ("shuffled", 20, 2), ("shuffled", 21, 3)],
)
def test_each_round_counts_or_each_epoch(neighbours: str, sampling: str, count: int, rounds: int) -> None:
    """Both sides of the border, and the premise; every certificate verifies."""
    run = ledger(steps(count, base=BASE, sampling=sampling), neighbours=neighbours)
    most = epsilon(rounds)
    above, below = f"{float(most) * 1.0001:.7f}", f"{float(most) * 0.9999:.7f}"
    assert verdicts(run, at(above, "1e-5"), at(below, "1e-5")) == ["confirmed", "unsupported"]
    words = [finding.how for finding in opinion(run, at(above, "1e-5")).premises]
    assert any("without what sampling may gain" in how for how in words)
    assert any("begins with an epoch" in how for how in words) == (sampling == "shuffled")


EPOCH = {"count": 4, "mechanism": {
    "kind": "subsampled", "base": {**BASE, "sigma": "1/10"}, "rate": "1/4", "sampling": "shuffled"}}  # fmt: skip
LINE = "whitehouse2023/thm3.filter"


def of_an_epoch(**more: Any) -> privref.Ledger:
    """Four rounds, of which any may be the one that a record is in."""
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "an epoch", "privacy_unit": "record", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": [EPOCH], **more,
        }
    )  # fmt: skip


def test_nothing_that_looks_between_the_rounds_of_an_epoch_is_given_their_parts() -> None:
    """After one round an odometer would read 81 of what all four lose; the first may be the one with the record."""
    tuned = of_an_epoch(tuning={LINE: {"delta_prime": "1/100", "y_star": "100"}})
    found = opinion(tuned, {"id": "c", "reading": "110", "delta": "1/100", "after_event": 1, "by": LINE})
    assert found.verdict == "inapplicable"
    assert "what each of them loses" in found.reason
    with pytest.raises(privref.InputError, match="a replay looks between rounds"):
        privref.replay(tuned, "900,1/10", rows=2)
    for by, size, claim in (
        ("whitehouse2023/thm1", {"rho": "50"}, {"id": "c", "rho": "50", "delta": "1/10"}),
        ("gdp/composition", {"epsilon": "900"}, at("900", "1/10")),
        ("feldman2021/renyi_filter", {"epsilon": "900"}, at("900", "1/10")),
        ("rswr2023/ex_post_filter", {"epsilon": "900"}, at("900", "1/10")),
    ):
        budget = {**size, "delta": "1/10", "filter": by}
        run = of_an_epoch(parameters="chosen-adaptively", budget=budget, tuning={by: {"order": "4"}})
        assert opinion(run, claim).verdict == "inapplicable", by
    # All rounds together, fixed in advance, and an epoch of one round, which has all of it.
    assert opinion(of_an_epoch(), {"id": "c", "rho": "50"}).verdict == "confirmed"
    whole = {**EPOCH, "mechanism": {**EPOCH["mechanism"], "rate": "3/5"}}
    single = of_an_epoch(events=[whole], tuning={LINE: {"delta_prime": "1/100", "y_star": "100"}})
    read = {"id": "c", "reading": "900", "delta": "1/100", "after_event": 1, "by": LINE}
    assert opinion(single, read).verdict == "confirmed"


def test_a_lean_file_does_not_list_the_parts_of_an_epoch_as_rounds() -> None:
    audit = privref.audit(
        of_an_epoch(),
        privref.claims_from_document(
            {"schema": "claims.1", "claims": [{"id": "c", **at("900", "1/10"), "by": "whitehouse2023/lem1"}]}
        ),
    )
    (certificate,) = privref.certificates(audit).values()
    with pytest.raises(privref.InputError, match="lists what each round has"):
        privref.lean_file(certificate)


def test_replaced_records_of_poisson_samples_have_what_all_records_give() -> None:
    run = ledger(steps(20, base=BASE), neighbours="replace-one")
    assert opinion(run, at(f"{float(epsilon(20)) * 1.0001:.7f}", "1e-5")).verdict == "confirmed"
    named = opinion(run, {**at("900", "1e-5"), "by": "zdw2022/poisson_gaussian"})
    assert named.verdict == "inapplicable"
    assert "declares neighbours replace-one" in named.reason


def test_where_a_record_is_added_nothing_follows() -> None:
    """The others' batches may change too: of a fixed size one leaves, and of a shuffle all later ones may move."""
    for sampling in ("fixed-size", "shuffled"):
        assert opinion(ledger(steps(sampling=sampling)), at("900", "1e-5")).verdict == "inapplicable"


@pytest.mark.parametrize("neighbours", ["add-or-remove-one", "replace-one", "zero-out"])
def test_a_batch_of_as_many_records_as_there_are_need_not_be_all_of_them(neighbours: str) -> None:
    """All ten records lose less than (5, 1e-6). Drawn with replacement, one may be in the batch several times; one that
    is added, and adds 1 to a batch of ten, takes the place of one that adds -1."""
    normal = NormalDist()
    alone = exp(5) * normal.cdf(-4)
    again = sum(comb(10, k) * 0.1**k * 0.9 ** (10 - k) * normal.cdf(k - 4) for k in range(11))
    assert min(again, 10 / 11 * normal.cdf(2 - 4)) - alone > 0.01
    for sampling in ("poisson", "fixed-size", "shuffled", "unknown"):
        run = ledger(steps(1, rate="1", sampling=sampling), neighbours=neighbours)
        whole = sampling == "poisson" or (sampling != "unknown" and neighbours != "add-or-remove-one")
        assert opinion(run, at("5", "1e-6")).verdict == ("confirmed" if whole else "inapplicable"), sampling


def test_small_mechanisms_lose_no_more_in_all_samples_and_orders() -> None:
    """Exactly: answers of odds 2, told or not told the batches, against one round of them or one an epoch."""

    def law(batches: list[tuple[int, ...]], there: bool) -> dict[tuple[int, ...], Fraction]:
        """Whether record 0 is in each batch, by randomized response, and with it zeroed out."""
        found: dict[tuple[int, ...], Fraction] = {(): F(1)}
        for batch in batches:
            truth = F(2, 3) if there and 0 in batch else F(1, 3)
            found = {(*a, b): p * (truth if b else 1 - truth) for a, p in found.items() for b in (0, 1)}
        return found

    def mixed(every: list[list[tuple[int, ...]]], there: bool) -> dict[tuple[int, ...], Fraction]:
        whole: dict[tuple[int, ...], Fraction] = {}
        for batches in every:
            for answer, p in law(batches, there).items():
                whole[answer] = whole.get(answer, F(0)) + p / len(every)
        return whole

    def lost(p: dict[Any, Fraction], q: dict[Any, Fraction], scale: Fraction) -> Fraction:
        return sum((max(p[key] - scale * q[key], F(0)) for key in p), F(0))

    shuffles = [[order[:2], order[2:]] for order in permutations(range(4))]
    fixed = [[one, other] for one in combinations(range(4), 2) for other in combinations(range(4), 2)]
    for every, rounds in ((shuffles, 1), (fixed, 2)):
        bound = law([(0,)] * rounds, True), law([(0,)] * rounds, False)
        for scale in (F(1), F(3, 2), F(2), F(3)):
            one, other = mixed(every, True), mixed(every, False)
            assert max(lost(one, other, scale), lost(other, one, scale)) <= lost(*bound, scale)
        # A sample that is told is as large a loss: of one shuffle the round in which the record is.
        assert lost(law(every[0], True), law(every[0], False), F(3, 2)) > 0


#: Other noise on a tenth of the records, 20 times, and the epsilon at delta = 1e-3 if a record is replaced.
OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "Laplace": ({"kind": "laplace", "scale": "2", "sensitivity": "1"}, "2.0469"),
    "geometric": ({"kind": "geometric", "scale": "3", "shifts": ["2"]}, "3.0546"),
    "discrete Gaussian": ({"kind": "discrete-gaussian", "sigma": "3", "shifts": ["2"]}, "3.9837"),
    "answers": ({"kind": "randomized-response", "epsilon": "1"}, "5.2251"),
    "worst case": ({"kind": "four-outcome-randomized-response", "epsilon": "1/2", "delta": "1e-5"}, "2.2857"),
}


@pytest.mark.parametrize("cap", [{}, {"batch_cap": "50", "records": "1000"}], ids=["whole", "cut"])
@pytest.mark.parametrize("name", OTHERS)
def test_samples_of_other_noise_count_by_who_is_drawn(name: str, cap: dict[str, str]) -> None:
    """Both sides of the border, whether samples may be cut or not; the premises say what it rests on."""
    base, epsilon = OTHERS[name]
    run = ledger(steps(20, base, **cap), neighbours="replace-one")
    below = str(F(epsilon) - F(2, 1000))
    assert verdicts(run, at(epsilon, "1e-3"), at(below, "1e-3"), at("1/1000", "1e-9")) == [
        "confirmed", "unsupported", "unsupported"]  # fmt: skip
    found = opinion(run, at(epsilon, "1e-3"))
    assert found.bounds[0].application.by == "chua2024b/cut"
    assert [premise.hypothesis.key for premise in found.premises] == ["cut-by-order"]
    (words,) = (premise.how for premise in found.premises)
    assert "every record was drawn on its own, anew in every round" in words
    assert "depends on coins and on earlier answers only, each at most once" in words
    assert ("a cut batch keeps its records by an order" in words) == bool(cap)


#: Of a fixed size: an epsilon that they have at delta = 1e-3, and one that they have not.
ONE_SIZE: dict[str, dict[str, tuple[str, str]]] = {
    "Laplace": {"replace-one": ("0.5295", "0.492"), "zero-out": ("2.0469", "0.492")},
    "geometric": {"replace-one": ("0.7838", "0.715"), "zero-out": ("3.0546", "0.715")},
    "discrete Gaussian": {"replace-one": ("1.0783", "1"), "zero-out": ("3.9837", "1")},
    "answers": {"replace-one": ("1.4515", "1.312"), "zero-out": ("1.4515", "1.312")},
    "worst case": {"replace-one": ("0.5757", "0.528"), "zero-out": ("2.2857", "0.528")},
}


@pytest.mark.parametrize("neighbours", ["replace-one", "zero-out"])
@pytest.mark.parametrize("name", OTHERS)
def test_samples_of_a_fixed_size_of_other_noise_have_bounds_from_both_sides(name: str, neighbours: str) -> None:
    """Certified, and of no other sampler or neighbours. What only dominates is not lost."""
    (base, _), (most, least) = OTHERS[name], ONE_SIZE[name][neighbours]
    run = ledger(steps(20, base, sampling="fixed-size"), neighbours=neighbours)
    between = str((F(most) + F(least)) / 2)
    assert verdicts(run, at(most, "1e-3"), at(between, "1e-3"), at(least, "1e-3")) == [
        "confirmed", "unsupported", "refuted"]  # fmt: skip
    found = opinion(run, at(most, "1e-3"))
    premise, *more = [each for each in found.premises if each.hypothesis.key == "exchanged"]
    assert not more
    assert found.bounds[0].application.by == "zdw2022/thm10"
    # Only randomized response says more: that a unit that contributes nothing answers as the worst one.
    assert len(found.premises) - 1 == (name == "answers" and neighbours == "zero-out")
    assert "without replacement and anew in every round (sampling fixed-size)" in premise.how
    assert "sampling poisson" not in premise.how
    lost = opinion(run, at(least, "1e-3"))
    other = {"replace-one": "all other records may equal the one that is put in",
             "zero-out": "all other records may contribute nothing"}  # fmt: skip
    assert other[neighbours] in " ".join(each.how for each in lost.premises)
    for claim in (at(most, "1e-3"), at(least, "1e-3")):
        (document,) = privref.certificates(privref.audit(run, claims(claim))).values()
        assert privref.verify(document).outcome == "verified"
        changed = "1/9" if claim["epsilon"] == most else "1/12"
        for other_run in (
            ledger(steps(20, base, sampling="fixed-size", rate=changed), neighbours=neighbours),
            ledger(steps(20, base, sampling="fixed-size")),
            ledger(steps(20, base, sampling="shuffled"), neighbours=neighbours),
        ):
            forgery = {**document, "ledger": {"document": other_run.document, "sha256": other_run.digest}}
            assert privref.verify(forgery).outcome == "failed"
    if name != "worst case":
        free = ledger(steps(20, base, sampling="fixed-size", attained=False), neighbours=neighbours)
        assert opinion(free, at(least, "1e-3")).verdict == "unsupported"


@pytest.mark.parametrize(("neighbours", "least"), [("replace-one", "0.16"), ("zero-out", "1")])
def test_a_guarantee_next_to_samples_of_a_fixed_size_is_held_against_their_laws(neighbours: str, least: str) -> None:
    """At epsilon = 1 a tenth of the records lose log(1 + (e - 1)/10) = 0.1585; it was taken at its word."""

    def stated(epsilon: str, **more: str) -> privref.Ledger:
        base = {"kind": "laplace", "scale": "1", "sensitivity": "1"}
        guarantee = {"kind": "approx-dp" if more else "pure-dp", "epsilon": epsilon, **more}
        return ledger({**steps(3, base, sampling="fixed-size"), "guarantee": guarantee}, neighbours=neighbours)

    for false in (("0.158",), ("0.1", "0.001")):
        with pytest.raises(privref.InputError, match="stronger than what the declared mechanism"):
            stated(false[0], **({"delta": false[1]} if len(false) > 1 else {}))
    run = stated(least)
    assert "taken at" not in str(opinion(run, at("3", "0")).premises)
    assert opinion(run, at("3", "0")).verdict == "confirmed"
    if neighbours == "zero-out":
        # From one record to another one is two steps: whether this follows is not known.
        with pytest.raises(privref.InputError, match="not"):
            stated("0.4")


def test_several_kinds_of_noise_on_samples_of_a_fixed_size_lose_together() -> None:
    """Where one pair of data sets attains them; else each alone."""
    events = [steps(20, OTHERS[name][0], sampling="fixed-size") for name in ("Laplace", "answers")]
    apart = ledger(*events, neighbours="replace-one")
    together = ledger(*events, neighbours="replace-one", attained_together=True)
    assert opinion(apart, at("1.4", "1e-3")).verdict == "unsupported"
    found = opinion(together, at("1.4", "1e-3"))
    assert found.verdict == "refuted"
    assert opinion(together, at("1.6", "1e-3")).verdict == "unsupported"


@pytest.mark.parametrize("cap", ["150", "105"])
@pytest.mark.parametrize("name", OTHERS)
def test_cut_samples_of_other_noise_have_bounds_if_a_record_is_zeroed_out(name: str, cap: str) -> None:
    """They were inapplicable. Near those of whole samples if hardly any batch is cut, else by who is drawn."""
    (base, epsilon), least = OTHERS[name], ONE_SIZE[name]["zero-out"][1]
    run = ledger(steps(20, base, batch_cap=cap, records="1000"), neighbours="zero-out")
    rare = cap == "150" and name != "worst case"
    most, below = (str(F(least) * F(101, 100)), least) if rare else (epsilon, str(F(epsilon) - F(2, 1000)))
    assert verdicts(run, at(most, "1e-3"), at(below, "1e-3"), at("10", "99/100")) == [
        "confirmed", "refuted" if rare else "unsupported", "confirmed"]  # fmt: skip
    found = opinion(run, at(most, "1e-3"))
    assert found.bounds[0].application.by == "chua2024b/cut"
    assert "takes a place like any other" in " ".join(each.how for each in found.premises)
    (document,) = privref.certificates(privref.audit(run, claims(at(most, "1e-3")))).values()
    assert privref.verify(document).outcome == "verified"
    changes: list[dict[str, Any]] = [{"rate": "1/6"}, *([{"batch_cap": "90"}, {"records": "1500"}] if rare else [])]
    for change in changes:
        said: dict[str, Any] = {"batch_cap": cap, "records": "1000", **change}
        other = ledger(steps(20, base, **said), neighbours="zero-out")
        forgery = {**document, "ledger": {"document": other.document, "sha256": other.digest}}
        assert privref.verify(forgery).outcome == "failed"


@pytest.mark.parametrize("other", [{"sampling": "with-replacement", "records": 20}, {"batch_cap": 8, "records": 60}])
def test_samples_of_other_noise_stand_next_to_other_labels(other: dict[str, Any]) -> None:
    """What reveals copies is not taken for what reveals cuts; each sampler is named. It was an internal error."""
    run = ledger(
        steps(2, BASE, **{"sampling": "poisson", **other}),
        steps(3, OTHERS["Laplace"][0], sampling="fixed-size"),
        steps(2, BASE, sampling="with-replacement", records=20),
        neighbours="zero-out",
    )
    (found,) = privref.audit(run, claims(at("5", "1e-3"))).opinions
    assert found.verdict == "confirmed"
    premises = " ".join(each.how for each in found.premises)
    assert "(sampling fixed-size)" in premises
    assert "(sampling with-replacement)" in premises


def test_a_certificate_says_that_nobody_is_seen_to_be_absent() -> None:
    """Where absence shows, answers of samples lose all with the chance of being drawn."""
    run = ledger(steps(1, OTHERS["answers"][0], sampling="fixed-size"), neighbours="zero-out")
    (document,) = privref.certificates(privref.audit(run, claims(at("1/2", "1/20")))).values()
    assert document["proofs"][0]["by"] == "zdw2022/thm10"
    words = " ".join(kernel.check(document).premises)
    assert "randomized response answers for every unit" in words
    assert "changes no count, divisor or order" in words


@pytest.mark.parametrize("name", OTHERS)
def test_a_certificate_of_who_is_drawn_is_of_that_ledger_alone(name: str) -> None:
    """Altered in the rate, the noise, the neighbours or the sampler it fails."""
    base, epsilon = OTHERS[name]
    run = ledger(steps(20, base), neighbours="replace-one")
    (document,) = privref.certificates(privref.audit(run, claims(at(epsilon, "1e-3")))).values()
    assert document["proofs"][0]["by"] == "chua2024b/cut"
    assert privref.verify(document).outcome == "verified"
    more: dict[str, Any] = {key: value for key, value in base.items() if key not in ("scale", "sigma", "epsilon")}
    size = "scale" if "scale" in base else "sigma" if "sigma" in base else "epsilon"
    more[size] = str(F(base[size]) * (F(11, 10) if size == "epsilon" else F(10, 11)))
    if size == "sigma":
        more = {**base, "sigma": "27/10"}
    others = [
        ledger(steps(20, base, rate="1/9"), neighbours="replace-one"),
        ledger(steps(20, more), neighbours="replace-one"),
        ledger(steps(22, base), neighbours="replace-one"),
        ledger(steps(20, base, rate="1"), neighbours="replace-one"),
        ledger(steps(20, base, sampling="shuffled"), neighbours="replace-one"),
        ledger(steps(20, base), neighbours="replace-one", parameters="chosen-adaptively"),
        ledger(steps(20, {"kind": "laplace", "scale": "1", "shifts": ["1", "1"]}), neighbours="replace-one"),
    ]
    if name != "worst case":
        others += [ledger(steps(20, base)), ledger(steps(20, base), neighbours="zero-out")]
    for other in others:
        forgery = {**document, "ledger": {"document": other.document, "sha256": other.digest}}
        assert privref.verify(forgery).outcome == "failed"


def test_of_other_noise_nothing_is_refuted_and_two_coordinates_count_as_on_all_records() -> None:
    """The bound is no loss of known data sets; and a sample of two coordinates is no product of samples of each."""
    two = {"kind": "laplace", "scale": "2", "shifts": ["1/2", "1/2"]}
    one = {"kind": "laplace", "scale": "2", "sensitivity": "1"}
    run = ledger(steps(20, two), neighbours="replace-one")
    assert verdicts(run, at("9.9", "1e-3"), at("2.1", "1e-3"), at("1/10", "1e-9")) == [
        "confirmed", "unsupported", "unsupported"]  # fmt: skip
    assert "without what sampling may gain" in str([each.how for each in opinion(run, at("9.9", "1e-3")).premises])
    mixed = ledger(steps(20, one), steps(1, two), steps(1, BASE), neighbours="replace-one")
    found = opinion(mixed, at("2.8", "1e-3"))
    assert found.verdict == "confirmed"
    words = str([each.how for each in found.premises])
    assert "without what sampling may gain" in words
    assert opinion(mixed, at("2.3", "1e-3")).verdict == "unsupported"
    # A claim about two records does not follow from the pair of one.
    of_two: dict[str, Any] = {**at("2.1", "1e-3"), "units": 2}
    assert opinion(ledger(steps(20, one), neighbours="replace-one"), of_two).verdict == "unsupported"


def test_a_pure_claim_about_samples_is_that_about_all_records() -> None:
    """At delta = 0 nothing is gained if it is revealed who is drawn."""
    run = ledger(steps(20, OTHERS["Laplace"][0]), neighbours="replace-one")
    assert verdicts(run, at("10", "0"), at("9.99", "0")) == ["confirmed", "unsupported"]
    assert privref.epsilon(run, "0").upper == 10
