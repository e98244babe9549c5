"""What a document may say: each field at its border, and just beyond; and what is read where a field is left out."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

from privref import kernel
from privref.kernel.balls import end, rational, working
from privref.kernel.certificate import _group_delta
from privref.kernel.numbers import Malformed, Refused
from privref.kernel.pairs import MATRIX, MOST, mechanism
from privref.kernel.record import Record, read
from tests.kernel.cases import SHOWN, THM29, Document, approx, cells, event, ledger, pure
from tests.kernel.test_forgeries import GRID, forged

NOISE: Document = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}
PURE = {"epsilon": "1", "delta": "0"}
SAMPLE: Document = {"kind": "subsampled", "base": NOISE, "rate": "1/2", "sampling": "poisson"}
FOUR: Document = {"kind": "four-outcome-randomized-response", "epsilon": "1"}
RESPONSE: Document = {"kind": "randomized-response"}
COUNTY = {"county": "the address"}


def proved(record: Document | None = None, claim: Document = PURE, **changed: Any) -> Document:
    """A certificate of a true claim, and what is changed in it."""
    return {**forged(record or ledger(pure("1")), claim, "confirmed", THM29, {}), **changed}


def lost(record: Document, **proof: Any) -> Document:
    """A certificate that a claim of 1/2 cannot be proved, by one event."""
    made = forged(record, {"epsilon": "1/2", "delta": "0"}, "underivable", "event", {
        "events": [0], **GRID, "threshold": 1})  # fmt: skip
    return {**made, "proofs": [{**made["proofs"][0], **proof}]}


def showed(**changed: Any) -> Document:
    """A certificate of what the basic odometer read, and what is changed in its claim."""
    record, claim = SHOWN["the basic odometer of ranges"]
    made = forged(record, {**claim, **changed}, "confirmed", claim["by"], {})
    return {**made, "claim": {name: value for name, value in made["claim"].items() if value is not None}}


def without(document: Document, *path: str | int) -> Document:
    """A copy without the field at a path."""
    key, *rest = path
    if not rest:
        return {name: value for name, value in document.items() if name != key}
    if isinstance(document, list):
        return [without(each, *rest) if i == key else each for i, each in enumerate(document)]  # type: ignore[return-value]
    return {**document, key: without(document[key], *rest)}  # type: ignore[index]


def parts(*names: str, **more: Any) -> Document:
    """A ledger with one event for each part."""
    found = [{**pure("1"), "part": {"of": "county", "is": name}} for name in names]
    return ledger(*found, **{"neighbours": "add-or-remove-one", "partitions": COUNTY, **more})


def noisy(**law: Any) -> Document:
    """A ledger with one event of a mechanism."""
    return ledger({"mechanism": law}, neighbours="add-or-remove-one")


def ruled(**rule: Any) -> Document:
    return ledger(event("output-dp", partition={"rule": "iterations", **rule}, delta="0"))


def capped(neighbours: str, records: int) -> Document:
    """A ledger with a cap on samples of a data set of 1,000 records."""
    law = {**SAMPLE, "batch_cap": 600, "records": records}
    return ledger({"mechanism": law}, neighbours=neighbours, dataset_size={"value": 1000})


def is_read(record: Document) -> None:
    """Read a ledger, at both readings."""
    for reading in ("most", "least"):
        read(record, reading)


TWO = [{"title": "A", "sha256": "0" * 64}, {"title": "B", "sha256": "1" * 64}]
RUN = {"rounds": 3, "participations": 1, "separation": 1, "coefficients": ["1"]}
BUFFERS: Document = {"coefficients": None, "omega": ["1/4"], "theta": ["1/4"]}


def of_run(**changed: Any) -> Document:
    """Return the run with these fields, without those that are None."""
    return {key: value for key, value in {**RUN, **changed}.items() if value is not None}


#: What is refused, by which words; and, beside some, what is a little less and is taken.
REFUSED: dict[str, tuple[str, Document]] = {
    "a claim without a name": ("claim.id.*missing", without(proved(), "claim", "id")),
    "a claim of a delta above 1": ("claim.delta", proved(claim={"epsilon": "1", "delta": "1.5"})),
    "no digest": ("sha256.*missing", without(proved(), "ledger", "sha256")),
    "a proof without a theorem": ("proofs.by.*missing", without(proved(), "proofs", 0, "by")),
    "a lower bound without a test": ("proofs.by.*missing", without(lost(ledger(pure("1"))), "proofs", 0, "by")),
    "a reading without a theorem": ("proofs.by.*missing", without(showed(), "proofs", 0, "by")),
    "a reading without a name": ("claim.id.*missing", without(showed(), "claim", "id")),
    "a reading of a delta above 1": ("claim.delta", showed(delta="1.5")),
    "a reading of delta 1": ("delta", showed(delta="1")),
    "proofs by name": ("give a list of 1", proved(proofs={"0": {"by": THM29, "witness": {}}})),
    "no proofs": ("give a list of 1", proved(proofs=[])),
    "a unit's delta above 1": ("of_unit.delta", proved(claim={**PURE, "units": 2}, proofs=[
        {"by": THM29, "witness": {}, "of_unit": {"epsilon": "0.5", "delta": "1.5"}}])),
    "a unit as a group of one": ("about a group", proved(proofs=[
        {"by": THM29, "witness": {}, "of_unit": {"epsilon": "1", "delta": "0"}}])),
    "no events": ("give a list of 1", ledger()),
    "events by name": ("give a list of 1", {**ledger(), "events": {"0": pure("1")}}),
    "no title": ("ledger.title.*missing", without(ledger(pure("1")), "title")),
    "no unit": ("ledger.privacy_unit.*missing", without(ledger(pure("1")), "privacy_unit")),
    "an event that ran no time": ("from 1 to", ledger(pure("1", 0))),
    "a cell without a guarantee": ("not a cell", ledger({"mechanism": NOISE, "observed_cell": "a"})),
    "a cell of another name": ("not a cell", ledger(cells("b", a="1"))),
    "a guarantee's delta above 1": ("delta", ledger(approx("1", "1.5"))),
    "a budget's delta above 1": ("budget.delta", ledger(pure("1"), budget={"epsilon": "1", "delta": "1.5"})),
    "a part of delta that is none": ("above 0", ledger(pure("1"), budget={
        "epsilon": "1", "delta": "1/2", "delta_prime": "0"})),
    "nine partitions": ("at most 8", ledger(pure("1"), partitions=dict.fromkeys("abcdefghi", "key"))),
    "partitions in a list": ("at most 8", ledger(pure("1"), partitions=["county"])),
    "a key that is a number": ("public key", ledger(pure("1"), partitions={"county": 1})),
    "a key that is empty": ("public key", ledger(pure("1"), partitions={"county": ""})),
    "a key that does not show": ("public key", ledger(pure("1"), partitions={"county": "a\tb"})),
    "names that are no list": ("different_names", parts("A", "B", different_names={"A": "a"})),
    "no names": ("different_names", parts("A", "B", different_names=[])),
    "a name for a group": ("different_names", parts("A", "a", different_names=["A"])),
    "a group of one name": ("different names that", parts("A", "a", different_names=[["A"], ["A", "a"]])),
    "a name twice": ("different names that", parts("A", "a", different_names=[["A", "A"], ["A", "a"]])),
    "names that do not look alike": ("different names that", parts("A", "B", different_names=[["A", "B"]])),
    "names that nothing has": ("no part", parts("A", "a", different_names=[["X", "x"], ["A", "a"]])),
    "two parts of which one is not western": ("western letters", parts("\u0100b", "c")),
    "parts that look alike": ("spelled too alike", parts("A", "a")),
    "steps left out of what was divided": ("was released, by empty_batches", ledger(
        {"mechanism": NOISE, "released": {"divided_by": "number-of-records", "empty_batches": "left-out"}},
        neighbours="add-or-remove-one")),
    "a ledger of no title": ("title.*missing", ledger(pure("1"), together=[without(TWO[0], "title"), TWO[1]])),
    "a ledger of no digest": ("sha256.*missing", ledger(pure("1"), together=[without(TWO[0], "sha256"), TWO[1]])),
    "a point before the first": ("from 1 to", ruled(k=[0, 2], E=["1", "2"])),
    "a cost below 0": ("cost of at least 0", ruled(k=[1, 2], E=["-1/2", "2"])),
    "costs that are no list": ("a list of", ruled(k=[1], E={"1": "1"})),
    "a worst case's delta above 1": ("delta", noisy(**FOUR, delta="1.5")),
    "a worst case of one number": ("delta.*missing", ledger({"mechanism": FOUR, **pure("1")})),
    "a chance above 1": ("probability.*at most 1", noisy(**RESPONSE, probability="1.5")),
    "no chance": ("probability.*above 0", noisy(**RESPONSE, probability="0")),
    "another guarantee's epsilon": ("epsilon.*missing", ledger({"mechanism": RESPONSE, **approx("1", "0")})),
    "no epsilon": ("epsilon.*missing", noisy(**RESPONSE)),
    "a rate above 1": ("rate.*at most 1", noisy(**{**SAMPLE, "rate": "1.5"})),
    "a cap without records": ("records.*missing", noisy(**SAMPLE, batch_cap=5)),
    "records without a cap": ("batch_cap.*missing", noisy(**SAMPLE, records=5)),
    "a sample of a sample": ("no law", noisy(**{**SAMPLE, "base": SAMPLE})),
    "a sample of what is not known": ("no law", noisy(**{**SAMPLE, "base": {"kind": "other", "description": "x"}})),
    "a fixed-size sample of a run": ("no law", noisy(
        **{**SAMPLE, "sampling": "fixed-size", "base": {**NOISE, "kind": MATRIX, **RUN}})),
    "a sample of a run whose sums are shared": ("no more coefficients than the separation", noisy(
        **{**SAMPLE, "base": {**NOISE, "kind": MATRIX, **RUN, "participations": 2, "coefficients": ["1", "1/2"]}})),
    "what is not described": ("description.*missing", ledger({"mechanism": {"kind": "other"}, **pure("1")})),
    "21 runs": ("more than 20 events", ledger(*[{"mechanism": {**NOISE, "kind": MATRIX, **RUN}}] * 21)),
    **{
        f"a run of {what}": (words, noisy(**{**NOISE, "kind": MATRIX, **of_run(**changed)}))
        for what, words, changed in (
            ("no coefficients", "lists of one length", {"coefficients": []}),
            ("no matrix", "coefficients.*missing", {"coefficients": None}),
            ("two matrices", "does not know", {"tree": "binary"}),
            ("a tree of three", "give one of binary", {"coefficients": None, "tree": "ternary"}),
            ("coefficients that begin with 0", "on the diagonal", {"coefficients": ["0", "1"]}),
            ("more weights than decays", "lists of one length", {**BUFFERS, "omega": ["1/4", "1/4"]}),
            ("no weights", "omega.*missing", {**BUFFERS, "omega": None}),
            ("weights that are no list", "lists of one length", {**BUFFERS, "omega": "1/4"}),
            ("a weight below 0", "omega at least 0", {**BUFFERS, "omega": ["-1/4"]}),
            ("a decay above 1", "from 0 to 1", {**BUFFERS, "theta": ["5/4"]}),
            ("too many buffers for its rounds", "200000 rounds times buffers", {
                **BUFFERS, "rounds": 100_000, "omega": ["1/4"] * 3, "theta": ["1/4"] * 3}),
            ("rounds that are about apart", "give one of at-least", {"spacing": "about"}),
        )
    },
    "a cap that rests on too few, zeroed": ("there are 999", proved(capped("zero-out", 998))),
    "a cap that rests on too few, added": ("there are 1000", proved(capped("add-or-remove-one", 999))),
    "a lower bound beside a cap that rests on too few": ("there are 1000", lost(capped("add-or-remove-one", 999))),
    "equal rounds without a sample": ("not equal sampled", forged(
        noisy(**NOISE), {"epsilon": "5", "delta": "1/2"}, "confirmed", "zdw2022/poisson_gaussian", GRID)),
    "a sample of no law, of a fixed size": ("no law", ledger({"mechanism": {
        **SAMPLE, "sampling": "fixed-size", "base": SAMPLE}})),
    "a part of which nothing is said": ("no ledger says", lost(parts("A", "B"), case={"county": "C"})),
    "two parts at once": ("no ledger says", lost(ledger(
        {**pure("1"), "part": {"of": "a", "is": "A"}}, {**pure("1"), "part": {"of": "b", "is": "B"}},
        neighbours="add-or-remove-one", partitions={"a": "key", "b": "key"}), case={"a": "A", "b": "B"})),
}  # fmt: skip

#: What is taken: beside it, a little more is refused above.
TAKEN: dict[str, Document] = {
    "a lower bound about one part": lost(parts("A", "B"), case={"county": "A"}),
    "a reading without a delta": showed(delta=None),
    "a cap that rests on all others, zeroed": proved(capped("zero-out", 999)),
    "eight partitions": ledger(pure("1"), partitions=dict.fromkeys("abcdefgh", "key")),
    "names that look alike": parts("A", "a", different_names=[["A", "a"]]),
    "two parts, both western": parts("\u00ffb", "c"),
    "noise that nothing moves": noisy(**{**NOISE, "sensitivity": "0"}),
    "one part that is not western": parts("\u0100b"),
    "one part that is not western beside another partition": ledger(
        {**pure("1"), "part": {"of": "a", "is": "\u0100b"}}, {**pure("1"), "part": {"of": "b", "is": "B"}},
        neighbours="add-or-remove-one", partitions={"a": "key", "b": "key"}),
    "costs of 0 and a half": ruled(k=[1, 2], E=["0", "1/2"]),
    "a point at the first": ruled(k=[1], E=["1"]),
    "a chance of a half": noisy(**RESPONSE, probability="1/2"),
    "a chance above a half": noisy(**RESPONSE, probability="3/5"),
    "21 events without runs": ledger(*[{"mechanism": NOISE}] * 21),
    "20 runs": ledger(*[{"mechanism": {**NOISE, "kind": MATRIX, **RUN}}] * 20),
    "a run of coefficients of both signs": noisy(**{
        **NOISE, "kind": MATRIX, **RUN, "participations": 2, "separation": 2, "rounds": 5,
        "coefficients": ["1", "-1", "0"]}),
    "a run of a rising band that a unit is in once": noisy(**{
        **NOISE, "kind": MATRIX, **RUN, "separation": 2, "rounds": 5, "coefficients": ["1", "2", "-3"]}),
}  # fmt: skip


def taken(document: Document) -> None:
    """Read a ledger, or check a certificate."""
    if "proofs" in document:
        kernel.check(document)
    else:
        is_read(document)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_beyond_a_border_is_refused_by_its_name(name: str) -> None:
    match, document = REFUSED[name]
    with pytest.raises((Malformed, Refused), match=match):
        taken(document)


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_at_a_border_is_taken(name: str) -> None:
    if "a cap" in name:
        # A claim of pure DP is not proved of it; what is refused is not the cap.
        with pytest.raises(Refused) as found:
            taken(TAKEN[name])
        assert "a cap rests" not in str(found.value)
        return
    taken(TAKEN[name])


def of(record: Document) -> Record:
    return read(record, MOST)


def test_what_is_left_out_has_its_default() -> None:
    assert not of(ledger(pure("1"), dataset_size={"value": 5})).public_size
    assert of(ledger(pure("1"), dataset_size={"value": 5, "public": True})).public_size
    rho = of(ledger(pure("1"), budget={"rho": "1", "filter": "whitehouse2023/thm1"})).budget
    assert rho is not None
    assert rho.delta == 0
    assert of(ledger(pure("1"), pure("2"))).entries == 2


def test_a_budget_makes_what_runs_depend_on_cells_where_an_event_has_two() -> None:
    budget = {"epsilon": "9", "delta": "1e-6", "filter": "hartmann2022/alg1"}
    for costs, fixed in (({"a": "1"}, True), ({"a": "1", "b": "2"}, False)):
        assert of(ledger(cells(None, **costs), budget=budget)).fixed is fixed
        assert of(ledger(cells(None, **costs))).fixed


def test_a_group_s_delta_is_rounded_up_and_at_most_1() -> None:
    assert _group_delta(Fraction(0), Fraction(3, 5), 2) == 1
    assert _group_delta(Fraction(0), Fraction(2, 5), 2) == Fraction(4, 5)
    assert _group_delta(Fraction(1, 2), Fraction(3, 5), 4) == 1
    assert _group_delta(Fraction(10**9), Fraction(1, 10**9), 2) == 1
    found = _group_delta(Fraction(1, 2), Fraction(1, 1000), 3)
    with working(2000):
        exact = rational(Fraction(1, 1000)) * (1 + rational(Fraction(1, 2)).exp() + rational(1).exp())
        assert end(exact, up=True) <= found <= end(exact, up=False) + Fraction(1, 2**399)


def test_a_run_on_bins_has_one_epoch_unless_it_says_more() -> None:
    run = {"kind": "subsampled", "base": NOISE, "sampling": "balls-in-bins", "bins": 4}
    for more, square in (({}, Fraction(1, 4)), ({"epochs": 3}, Fraction(3, 4)), ({"chosen": 2}, Fraction(1, 2))):
        found = mechanism({**run, **more}, "m", MOST, "add-or-remove-one")
        assert found is not None
        assert found.mu_squared == square
    for more in ({"chosen": 2, "epochs": 2}, {"chosen": 2, "drawn": "each-epoch"}, {"chosen": 5}, {"chosen": 0}):
        with pytest.raises(Malformed, match="chosen"):
            mechanism({**run, **more}, "m", MOST, "add-or-remove-one")


def worst(coefficients: list[int], rounds: int, times: int, apart: int) -> int:
    """The largest square of what a unit changes: over all its rounds, and all signs of its changes."""
    most = 0
    for size in range(1, times + 1):
        for chosen in itertools.combinations(range(rounds), size):
            if any(b - a < apart for a, b in itertools.pairwise(chosen)):
                continue
            for signs in itertools.product((1, -1), repeat=size):
                sums = [0] * rounds
                for start, sign in zip(chosen, signs, strict=True):
                    for i, c in enumerate(coefficients[: rounds - start]):
                        sums[start + i] += sign * c
                most = max(most, sum(each * each for each in sums))
    return most


@pytest.mark.parametrize(
    ("coefficients", "rounds", "times", "apart"),
    [
        ([1], 4, 2, 1), ([3, 2, 1], 5, 3, 1), ([3, 2, 1], 6, 2, 3), ([2, 1], 5, 2, 2), ([2, -1], 6, 3, 2),
        ([1, -2, 0], 6, 2, 2), ([4, 3, 2, 2, 1, 0, 0], 7, 3, 2), ([1, 1, 1, 1], 4, 4, 1), ([1, 5, -2], 6, 1, 1),
        ([1, 5, -2], 3, 4, 3), ([2, 2, 1], 2, 2, 1), ([5, 4, 3, 2, 1], 7, 2, 5), ([3, 3], 7, 9, 2),
    ],
)  # fmt: skip
def test_a_run_s_largest_change_is_that_of_its_worst_rounds(
    coefficients: list[int], rounds: int, times: int, apart: int
) -> None:
    for unit in (1, 6):
        law = {
            "kind": MATRIX, "sigma": "2", "sensitivity": "3", "rounds": rounds, "participations": times,
            "separation": apart, "coefficients": [str(Fraction(c, unit)) for c in coefficients],
        }  # fmt: skip
        found = mechanism(law, "m", MOST, "zero-out")
        assert found is not None
        assert found.mu_squared == Fraction(9 * worst(coefficients, rounds, times, apart), 4 * unit**2)
        assert found.rho == found.mu_squared / 2


@pytest.mark.parametrize(("rate", "times", "shared"), [("1", 3, False), ("1/2", 3, True), ("1/2", 1, False)])
def test_a_round_of_a_shuffle_shares_its_epoch_s_loss(rate: str, times: int, shared: bool) -> None:
    law = {**SAMPLE, "sampling": "shuffled", "rate": rate}
    (found,) = of(ledger({"mechanism": law, "count": times}, neighbours="zero-out")).events
    assert found.law is not None
    assert found.law.shared is shared
    # Of an epoch it is known what it loses at least, and not what each round does.
    assert not found.law.attained or rate == "1" or (found.law.epoch, found.law.lost) == ((2, Fraction(1, 4)), ())


def test_a_lower_bound_of_periods_says_that_each_has_these_events() -> None:
    said = {"epsilon": "3/2", "delta": "0", "periods": 2}
    made = forged(
        ledger(pure("1"), period="day"), said, "underivable", "event", {"events": [0], **GRID, "threshold": 2}
    )
    assert "every day has these events" in kernel.check(made).premises


def test_an_event_of_several_cells_counts_once() -> None:
    record = ledger(cells(None, 3, a="2", b="1/4"), parameters="chosen-adaptively")
    for epsilon, holds in (("1", True), ("5/2", False)):
        made = forged(record, {"epsilon": epsilon, "delta": "0"}, "underivable", "event", {
            "events": [0], **GRID, "threshold": 2})  # fmt: skip
        if holds:
            assert kernel.check(made).verdict == "underivable"
            continue
        with pytest.raises(Refused, match="above"):
            kernel.check(made)


def test_rounds_of_gaussian_noise_are_one_round_of_it() -> None:
    """Two rounds of mu 1/2 and one of 1 are one of the root of 3/2."""
    record = noisy(**NOISE)
    record["events"] = [{"mechanism": NOISE, "count": 2}, {"mechanism": {**NOISE, "sigma": "1"}}]
    grid = {"step": "1/50", "bits": 64, "low": -400, "high": 400, "own": 390}
    for delta, holds in (("1/4", True), ("1/8", False)):
        made = forged(record, {"epsilon": "1", "delta": delta}, "confirmed", "zdw2022/thm10", grid)
        if holds:
            assert kernel.check(made).verdict == "confirmed"
            continue
        with pytest.raises(Refused):
            kernel.check(made)


def test_the_odometer_of_one_side_reads_moments() -> None:
    record, claim = SHOWN["an odometer of one side"]
    events = [record["events"][0], {"guarantee": {"kind": "zcdp", "rho": "1/100"}}]
    made = forged({**record, "events": events}, claim, "confirmed", claim["by"], {})
    assert kernel.check(made).verdict == "confirmed"
