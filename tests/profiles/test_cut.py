"""Poisson samples with a cap, by a pair of their own: numbers, engines, and that it is never above a term."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, InputError
from privref.profiles import composed, contour_mixed, cut, exchanged, grid
from privref.profiles.declared import mechanism_from
from privref.profiles.model import Composition, Exchanged, Labelled, Round, SubsampledGaussian, swapped
from privref.statements.registry import evaluate
from tests.oracles import encloses

F = Fraction


def rounds(cap: int = 150, records: int = 1000, count: int = 40, q: str = "1/10", s: str = "3") -> list[dict[str, Any]]:
    base = {"kind": "gaussian", "sigma": s, "sensitivity": "1"}
    drawn = {"kind": "subsampled", "base": base, "rate": q, "sampling": "poisson"}
    return [{**drawn, "batch_cap": cap, "records": records, "count": count}]


def value(
    item: str, given: list[dict[str, Any]], relation: str = "add-or-remove-one", known: bool = False, **more: Any
) -> Enclosure:
    inputs = {"rounds": given, "neighbours": relation, "known": known, **more}
    found = evaluate(f"chua2024b/cut.{item}", inputs).enclosure
    assert found is not None
    return found


#: (n, q, B, s, T, delta) with epsilon, computed elsewhere with n known to five digits; dp-accounting's is above it.
NUMBERS = (
    (10**4, "1/100", 130, "1", 100, "1e-6", "3.4493", "3.4595"),
    (10**4, "1/100", 140, "1", 1000, "1e-6", "3.1163", "3.1263"),
    (50000, "4096/50000", 4352, "10", 875, "1e-5", "0.90280", "0.90291"),
    (50000, "4096/50000", 4224, "10", 875, "1e-5", "0.9322", "1.0374"),
)


@pytest.mark.parametrize(("n", "q", "cap", "s", "count", "delta", "epsilon", "library"), NUMBERS)
def test_the_numbers_of_another_program(
    n: int, q: str, cap: int, s: str, count: int, delta: str, epsilon: str, library: str
) -> None:
    """To its digits, and never above it; below what dp-accounting gives."""
    found = value("eps", rounds(cap, n - 1, count, q, s), known=True, delta=delta)
    assert F(epsilon) - F(1, 10**4) < found.lower <= found.upper < F(epsilon) + F(1, 10**4)
    assert found.upper < F(library)
    assert found.relative_width_at_most(F(1, 10**4))


@pytest.mark.parametrize("cap", [150, 170, 200])
@pytest.mark.parametrize("eps", ["1/2", "1"])
def test_it_is_never_above_a_term_nor_below_what_is_lost(cap: int, eps: str) -> None:
    """chua2024b/truncated bounds the same rounds, from above and from below."""
    found = value("delta", rounds(cap), eps=eps).upper
    term = evaluate("chua2024b/truncated.delta", {"rounds": rounds(cap), "eps": eps}).enclosure
    least = evaluate("chua2024b/truncated.least", {"rounds": rounds(cap), "eps": eps}).enclosure
    whole = evaluate("zdw2022/poisson_gaussian.delta", {"q": "1/10", "sigma": 3, "k": 40, "eps": eps}).enclosure
    assert term is not None
    assert least is not None
    assert whole is not None
    assert least.lower <= whole.upper
    assert whole.lower <= found <= term.upper * (1 + F(1, 10**5))


@pytest.mark.parametrize(("cap", "least"), [(150, "2"), (400, "2.84")])
def test_a_ledger_of_zeroed_out_records_is_confirmed_and_refuted(cap: int, least: str) -> None:
    """Its events keep no law of whole samples, without which they once seemed to lose nothing at all."""
    given = rounds(cap, count=10, s="1")[0]
    ledger = privref.ledger_from_document({
        "schema": "ledger.1", "title": "t", "privacy_unit": "record", "neighbours": "zero-out",
        "parameters": "fixed-in-advance", "interaction": "sequential",
        "events": [{"count": given.pop("count"), "mechanism": given}],
    })  # fmt: skip
    claims = [{"id": epsilon, "epsilon": epsilon, "delta": "1e-5"} for epsilon in ("2.86", least)]
    audit = privref.audit(ledger, privref.claims_from_document({"schema": "claims.1", "claims": claims}))
    assert [opinion.verdict for opinion in audit.opinions] == ["confirmed", "refuted"]


@pytest.mark.parametrize("relation", cut.RELATIONS[:2])
def test_rare_cuts_and_jumps_meet_what_the_contour_says(relation: cut.OfOneRecord) -> None:
    """Three ways to one number, by mathematics of their own; and the second engine's grid with one cell above."""
    told = tuple((mechanism_from({k: v for k, v in each.items() if k != "count"}, "m"), 40) for each in rounds(200))
    (part, _) = cut.composition(told, relation).orientations
    delta = F(1, 10**5)
    known = contour_mixed.eps_of(part, delta)
    rare = cut._hardly_cut("arb", cut.composition(told, relation), relation, delta=delta)
    at = cut._hardly_cut("arb", cut.composition(told, relation), relation, eps=F(1, 2))
    assert rare is not None
    assert rare.intersection(known) is not None
    assert at is not None
    assert at.intersection(contour_mixed.delta_of(part, F(1, 2))) is not None
    for engine, width in (("arb", F(1, 10**4)), ("mpmath", F(1, 20))):
        found = composed._eps_by_jumps(part, delta, engine, width)  # type: ignore[arg-type]
        assert found is not None
        assert found.relative_width_at_most(width)
        assert found.intersection(known) is not None
    found = composed._delta_by_jumps(part, F(1, 2), "arb", F(1, 1000))
    assert found is not None
    assert found.intersection(contour_mixed.delta_of(part, F(1, 2))) is not None


@pytest.mark.parametrize(("count", "sigma", "cap", "delta"), [(17, "2.78", 1141, "1e-8"), (3423, "1.68", 1148, "1e-7")])
def test_few_records_in_large_batches_have_an_epsilon(count: int, sigma: str, cap: int, delta: str) -> None:
    """Where no contour reaches: at a small delta of cut batches."""
    found = value("eps", rounds(cap, 10**6, count, "1/1000", sigma), delta=delta)
    assert found.relative_width_at_most(F(1, 10**4))
    whole = evaluate(
        "zdw2022/poisson_gaussian.eps", {"q": "1/1000", "sigma": sigma, "k": count, "delta": delta}
    ).enclosure
    assert whole is not None
    assert whole.lower <= found.upper


@pytest.mark.parametrize("relation", cut.RELATIONS[:2])
def test_an_audit_counts_rounds_that_are_hardly_cut(relation: str) -> None:
    """As the audit reads them: they lose what whole samples lose, and not nothing."""
    (drawn,) = rounds(38, 10_000, 9, "1/1000", "4.72")
    ledger = privref.ledger_from_document({
        "schema": "ledger.1", "title": "t", "privacy_unit": "record", "neighbours": relation,
        "parameters": "fixed-in-advance", "interaction": "sequential",
        "events": [{"count": drawn.pop("count"), "mechanism": {"kind": "subsampled", **drawn}}],
    })  # fmt: skip
    found = privref.epsilon(ledger, "1e-5")
    whole = evaluate(
        "zdw2022/poisson_gaussian.eps", {"q": "1/1000", "sigma": "4.72", "k": 9, "delta": "1e-5"}
    ).enclosure
    assert whole is not None
    assert found.relative_width_at_most(F(1, 10**4))
    assert whole.lower <= found.upper
    assert found.lower <= whole.upper * (1 + F(1, 10**4))


def test_every_cap_and_delta_has_a_bound() -> None:
    """Also a cap below the mean, and a delta at which the term alone is larger."""
    often = value("eps", rounds(50), delta="1e-5")
    assert often.upper < 3
    assert value("eps", rounds(), delta="1e-12").upper < 3
    assert value("eps", rounds(50), "zero-out", delta="1e-5").upper < 30
    assert value("eps", rounds(50), known=True, delta="1e-5").upper <= often.upper * (1 + F(1, 10**4))


def replaced(cap: int, records: int, count: int, q: str, s: str, clipped: bool = True) -> list[dict[str, Any]]:
    """Noise of s norms of a record: a replaced one changes a sum by two."""
    found = rounds(cap, records, count, q, s)[0]
    return [{**found, "base": {**found["base"], "sensitivity": "2"}, **({"clipped": True} if clipped else {})}]


#: The same, of a replaced record, and what dp-accounting 0.6.0 says at n known, of opposite vectors in a cut batch too.
REPLACED = (
    (1000, "1/10", 50, "3", 40, "1e-5", "1.1785", "1.7208"),
    (1000, "1/10", 95, "3", 40, "1e-5", "2.0705", "2.9379"),
    (1000, "1/10", 120, "3", 40, "1e-5", "1.6751", "1.7345"),
    (1000, "1/10", 200, "3", 40, "1e-5", "1.6500", "1.6500"),
    (10**4, "1/100", 115, "1", 100, "1e-6", "5.3627", "5.3764"),
    (50000, "4096/50000", 4100, "10", 875, "1e-5", "1.9944", "3.1378"),
    (500, "1/2", 240, "4", 20, "1e-5", "5.4010", "9.6326"),
)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("n", "q", "cap", "s", "count", "delta", "epsilon", "library"), REPLACED)
def test_a_replaced_record_loses_no_more_than_a_library_says(
    n: int, q: str, cap: int, s: str, count: int, delta: str, epsilon: str, library: str
) -> None:
    """Of as many others as there are, of any number of them, and if it is revealed who is drawn: ever more."""
    told = value("eps", replaced(cap, n - 1, count, q, s), "replace-one", known=True, delta=delta)
    most = value("eps", replaced(cap, n - 1, count, q, s), "replace-one", delta=delta)
    whole = evaluate("zdw2022/thm10.eps", {"rounds": [{
        "kind": "subsampled", "base": {"kind": "gaussian", "sigma": s, "sensitivity": "2"}, "rate": q, "count": count,
        "sampling": "poisson", "clipped": True, "neighbours": "replace-one"}], "delta": delta}).enclosure  # fmt: skip
    assert whole is not None
    assert F(epsilon) - F(1, 10**4) < told.lower <= told.upper < F(library) + F(1, 10**4)
    assert told.relative_width_at_most(F(1, 10**4))
    assert most.relative_width_at_most(F(1, 10**4))
    assert told.lower <= most.upper
    assert whole.lower <= most.upper
    drawn = value("eps", replaced(cap, n - 1, count, q, s, clipped=False), "replace-one", delta=delta)
    assert most.upper < drawn.lower


def test_of_a_cut_sample_one_vector_is_worst_and_of_a_whole_one_two() -> None:
    """In units of what a replaced record changes; and a cut sample loses more, whatever its chance."""
    (given,) = replaced(95, 1000, 1, "1/10", "3")
    pair = cut.pair_of(mechanism_from({k: v for k, v in given.items() if k != "count"}, "m"), "replace-one")
    assert pair is not None
    (_, whole), (tau, moved) = pair.parts
    assert (whole, moved) == (
        Exchanged(F(1, 10), F(3), ((1, 1), (1, -1)), ((1, 1), (1, -1))),
        Exchanged(F(1, 10), F(3, 2), ((1, 1), (0, 0)), ((1, 1), (0, 0))),
    )
    assert F(1, 2) < tau < 1
    assert swapped(pair) == pair
    ar = decide.engine("arb", 128)
    for eps in (F(0), F(1, 10), F(1)):
        less, more = (exchanged.delta_of_one_round(ar, part, eps) for part in (whole, moved))
        assert less.upper < more.lower or (not eps and less.lower < more.upper)


def test_a_record_that_is_not_clipped_has_the_same_pair_with_a_cap_and_without() -> None:
    """The chance times a Gaussian mechanism's loss in one round; of several no more than on all records."""
    (capped,) = replaced(95, 1000, 1, "1/10", "3", clipped=False)
    bare = {key: capped[key] for key in ("kind", "base", "rate", "sampling")}
    pairs = [cut.pair_of(mechanism_from(given, "m"), "replace-one") for given in (
        {key: capped[key] for key in (*bare, "batch_cap", "records")}, bare)]  # fmt: skip
    assert pairs[0] == pairs[1] == Labelled(((F(1, 10), SubsampledGaussian(F(1), F(3, 2))),), F(9, 10))
    for relation in ("add-or-remove-one", "zero-out"):
        assert cut.pair_of(mechanism_from(bare, "m"), relation) is None
    assert cut.pair_of(mechanism_from({**bare, "clipped": True}, "m"), "replace-one") is None
    for eps in ("0", "1/10", "1/2"):
        whole = privref.evaluate("gdp/profile.delta", {"mu": "2/3", "eps": eps}).enclosure
        found = value("delta", [bare], "replace-one", eps=eps)
        assert whole is not None
        assert found.lower <= whole.upper / 10
        assert whole.lower / 10 <= found.upper
        assert found.relative_width_at_most(F(1, 1000))


def test_a_round_of_other_neighbours_is_refused() -> None:
    """Noise of two coordinates has no pair if a record is replaced; and pairs of one relation are none of another."""
    (given,) = replaced(150, 1000, 1, "1/10", "3")
    beside = {key: given[key] for key in ("kind", "base", "rate", "sampling")}
    laplace = {**beside, "base": {"kind": "laplace", "scale": "3", "shifts": ["1", "1"]}}
    for other, relation in ((laplace, "replace-one"), ({**beside, "sampling": "shuffled"}, "replace-one")):
        with pytest.raises(InputError):
            value("eps", [given, other], relation, delta="1e-5")
    clipped = {**beside, "clipped": True}
    assert value("eps", [given, clipped], "replace-one", delta="1e-5").upper < 1
    fixed = {**beside, "sampling": "fixed-size", "neighbours": "zero-out"}
    with pytest.raises(InputError, match="other neighbours"):
        value("eps", [given, fixed], "replace-one", delta="1e-5")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("relation", cut.RELATIONS)
@pytest.mark.parametrize("known", [False, True])
def test_both_engines_agree(relation: cut.OfOneRecord, known: bool) -> None:
    """On the contour, and in closed form."""
    for count in (1, 40):
        mechanism = mechanism_from({k: v for k, v in rounds()[0].items() if k != "count"}, "m")
        found = []
        for name in ("arb", "mpmath"):
            result = evaluate(
                "chua2024b/cut.eps",
                {"rounds": [{**mechanism.document, "count": count}], "neighbours": relation, "known": known,
                 "delta": "1e-5"},
                engine=name,
            )  # fmt: skip
            assert result.enclosure is not None
            found.append(result.enclosure)
        assert found[0].intersection(found[1]) is not None


def test_the_contour_and_the_grid_agree() -> None:
    """A told mixture by two kinds of mathematics, with a part in which nothing is lost."""
    pair = Labelled(
        ((F(9, 10), SubsampledGaussian(F(1, 10), F(3))), (F(1, 20), SubsampledGaussian(F(1), F(3)))), F(1, 20)
    )
    for part in Composition.of([Round(pair, 20)]).orientations:
        near = contour_mixed.eps_of(part, F(1, 10**4))
        wide = grid.eps_of(part, F(1, 10**4), F(1, 1000))
        assert encloses(wide, near)


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_additions_by_jumps_meet_the_contour(engine: decide.EngineName) -> None:
    """Losses of an addition have an end above, those of a Gaussian step in it none on either side."""
    pair = Labelled(
        ((F(9, 10), SubsampledGaussian(F(1, 10), F(3))), (F(1, 20), SubsampledGaussian(F(1), F(3)))), F(1, 20)
    )
    part = Composition.of([Round(pair, 20)]).reversed()
    delta, width = F(1, 10**4), F(1, 10**4) if engine == "arb" else F(1, 20)
    found = composed._eps_by_jumps(part, delta, engine, width)
    assert found is not None
    assert found.relative_width_at_most(width)
    assert found.intersection(contour_mixed.eps_of(part, delta)) is not None
    assert composed._is_below(part, found.upper * 2, delta, engine)
    assert not composed._is_below(part, found.lower * F(99, 100), delta, engine)
    found = composed._delta_by_jumps(part, F(1, 2), engine, 10 * width)
    assert found is not None
    assert found.relative_width_at_most(10 * width)
    assert found.intersection(contour_mixed.delta_of(part, F(1, 2))) is not None


@pytest.mark.parametrize(
    ("count", "sigma", "cap", "records", "delta", "by_count"),
    [(2, "1.23", 1141, 10**6, "1e-8", ("0.0378596958", "0.0378795503")),
     (31, "2.44", 81, 50000, "1e-5", ("0.00598720002", "0.00599033986")),
     (2, "3.04", 74, 50000, "1e-8", ("0.605497157", "0.605497209"))],
)  # fmt: skip
def test_a_record_that_is_hardly_ever_drawn(
    count: int, sigma: str, cap: int, records: int, delta: str, by_count: tuple[str, str]
) -> None:
    """The way round that mostly has less took a fine grid of minutes; ``counted`` had these ends by its contours."""
    found = value("eps", rounds(cap, records, count, "1/1000", sigma), "zero-out", delta=delta)
    assert found.relative_width_at_most(F(1, 10**4))
    assert found.intersection(Enclosure(F(by_count[0]), F(by_count[1]))) is not None


def test_delta_of_a_record_that_is_hardly_ever_drawn() -> None:
    at = value("delta", rounds(1141, 10**6, 2, "1/1000", "1.23"), "zero-out", eps="0.0378704")
    assert at.relative_width_at_most(F(1, 10**3))
    assert at.lower <= F(1, 10**8) <= at.upper * F(1001, 1000)


def test_one_part_is_the_pair_itself() -> None:
    """Of chance 1, and where two parts are alike."""
    pair = SubsampledGaussian(F(1, 10), F(3))
    alone = contour_mixed.eps_of(Composition.of([Round(pair, 40)]), F(1, 10**5))
    for told in (Labelled(((F(1), pair),)), Labelled(((F(1, 3), pair), (F(2, 3), pair)))):
        assert contour_mixed.eps_of(Composition.of([Round(told, 40)]), F(1, 10**5)).intersection(alone) is not None
    assert swapped(swapped(Labelled(((F(1), pair),)))) == Labelled(((F(1), pair),))
    with pytest.raises(ValueError, match="sum to 1"):
        Labelled(((F(1, 2), pair),))


def test_what_has_no_pair_is_refused() -> None:
    answer = {**rounds(count=1)[0], "base": {"kind": "randomized-response", "epsilon": "1"}}
    with pytest.raises(InputError, match="Gaussian query"):
        value("eps", [answer], delta="1e-5")
    never = {key: said for key, said in rounds(1001)[0].items() if key != "count"}
    assert cut.pair_of(mechanism_from(never, "m"), "zero-out") is None
    none = {"rounds": rounds(), "neighbours": "zero-out", "known": False, "delta": "0"}
    assert evaluate("chua2024b/cut.eps", none).enclosure is None


def test_the_second_arithmetic_checks_on_a_coarse_grid_what_takes_it_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """It bounds the value for itself, and has the digits of the first; where they are apart nothing is answered."""
    monkeypatch.setattr(composed, "_CHECK_WORK", 400_000)
    given = {"rounds": rounds(70, 5000, 40, "1/100", "1"), "neighbours": "add-or-remove-one", "known": False}
    first, second = (
        evaluate("chua2024b/cut.eps", given, delta="1e-5", engine=name).enclosure for name in decide.ENGINES
    )
    assert first is not None
    assert second is not None
    assert first.intersection(second) == second
    assert second.relative_width_at_most(composed.STATED_WIDTH)
    apart = {"arb": Enclosure(F(1), F(2)), "mpmath": Enclosure(F(3), F(4))}
    monkeypatch.setattr(composed, "_eps", lambda engine, *asked: apart[engine])
    with pytest.raises(EnginesDisagree):
        composed.profile_eps("mpmath", Composition.of([Round(SubsampledGaussian(F(1, 9), F(1)), 2)]), F(1, 9), F(0))
