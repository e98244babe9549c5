"""Balls in bins: published and prototyped numbers, both bounds of the put option, and what is out of reach."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import exp, factorial

import mpmath
import pytest

import privref
from privref.exact import decide
from privref.exact.errors import UndecidedError
from privref.profiles import allocation, allocation_law, grid
from privref.profiles.allocation import OptionLattice
from privref.profiles.model import Allocation, Composition, Round
from privref.statements.registry import evaluate

F = Fraction


@pytest.mark.parametrize(
    ("delta", "low", "high"),
    [("1e-5", "0.62089", "0.62095"), ("1e-10", "2.07654", "2.07657"), ("1e-12", "2.70234", "2.70236")],
)
def test_an_epoch_of_a_hundred_bins_has_the_epsilon_of_another_program(delta: str, low: str, high: str) -> None:
    found = evaluate("chua2025/allocation.eps", {"bins": 100, "sigma": "1", "epochs": 1, "delta": delta}, digits=4)
    assert found.enclosure is not None
    assert found.enclosure.relative_width_at_most(F(1, 10**4))
    assert F(low) <= found.enclosure.upper
    assert found.enclosure.lower <= F(high)


@pytest.mark.parametrize(
    ("epochs", "eps", "low", "high"),
    [(1, "1", "3.015718e-7", "3.015782e-7"), (10, "4", "0.08180916803", "0.08180917125")],
)
def test_delta_meets_the_enclosure_of_another_program(epochs: int, eps: str, low: str, high: str) -> None:
    found = allocation.delta_of("arb", 100, F(epochs), F(eps), F(1, 10**5) if epochs == 1 else F(1, 10**7))
    assert found.lower <= F(high)
    assert F(low) <= found.upper


@pytest.mark.parametrize("mu_squared", [F(1, 4), F(1), F(10)])
@pytest.mark.parametrize("step", [F(1, 20), F(23)])
@pytest.mark.parametrize("begins", [F(0), F(1, 3), None])
@pytest.mark.parametrize("parts", [None, 3.0])
def test_weights_bound_the_option_of_one_summand_at_every_strike(
    mu_squared: F, step: F, begins: F | None, parts: float | None
) -> None:
    """What all rests on: the chords nowhere below, the tangents nowhere above, whatever the lattice."""
    start = allocation.offset(mu_squared, step) if begins is None else begins
    lattice = OptionLattice(step * 64, 64, 96, start, parts)
    at = allocation._places(1, mu_squared, lattice)
    assert parts is None or len(at) < 64
    ar = decide.engine("arb", 256)
    with ar.active():
        a = ar.sqrt(mu_squared)
        above = allocation._masses_above(ar, a, step, lattice, at)
        below = allocation._masses_below(ar, a, step, lattice, at)
        assert min(above) >= 0
        assert min(below) >= 0
        for place in (F(k, 8) * step for k in range(1, 8 * 64, 5)):
            true = ar.enclosure(allocation._put(ar, a, place)[0])
            assert true is not None
            most = sum((place - j * step) * w for j, w in enumerate(above) if j * step < place) / F(2**96)
            least = sum((place - start - j * step) * w for j, w in enumerate(below) if start + j * step < place)
            assert F(least) / 2**96 <= true.upper
            assert most >= true.lower


def test_few_places_and_cut_ends_bound_the_same_delta_as_all_points(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice = OptionLattice(F(3), 2048, 96)
    found = [allocation._Law("arb", 20, F(1), replace(lattice, parts=each)).delta(F(1)) for each in (None, 8.0)]
    monkeypatch.setattr(allocation, "most_places", lambda size, holds: 0)
    allocation.sums.cache_clear()
    uncut = allocation._Law("arb", 20, F(1), lattice).delta(F(1))
    allocation.sums.cache_clear()
    assert uncut.lower >= found[0].lower
    assert uncut.upper <= found[0].upper
    assert found[0].relative_width_at_most(found[1].width / found[1].lower)
    assert found[1].lower <= uncut.lower
    assert uncut.upper <= found[1].upper


def test_both_engines_give_the_same_bounds() -> None:
    lattice = OptionLattice(F(3), 256, 96)
    found = [allocation._Law(engine, 20, F(1), lattice).delta(F(1)) for engine in decide.ENGINES]
    # But for a last bit of a mass.
    assert found[0].intersection(found[1]) is not None
    assert abs(found[0].lower - found[1].lower) + abs(found[0].upper - found[1].upper) < F(1, 2**60)


def test_more_epochs_fewer_bins_and_less_noise_lose_more() -> None:
    def delta(bins: int, mu_squared: F) -> privref.Enclosure:
        return allocation.delta_of("arb", bins, mu_squared, F(1, 2), F(1, 100))

    base = delta(10, F(1))
    assert delta(10, F(2)).lower > base.upper
    assert delta(5, F(1)).lower > base.upper
    # And less than one query of the whole shift.
    whole = evaluate("gdp/profile.delta", {"mu": "1", "eps": "1/2"}).enclosure
    assert whole is not None
    assert base.upper < whole.lower


def test_delta_is_below_what_renyi_divergences_allow() -> None:
    """E A^n = b^-n n! [x^n] (sum_j e^(j (j - 1) a^2/2) x^j/j!)^b, by Markov: an independent upper bound."""
    bins, eps = 100, 1.0
    found = allocation.delta_of("arb", bins, F(1), F(1))
    best = 1.0
    for n in range(2, 13):
        powers = [F(exp(j * (j - 1) / 2)) / factorial(j) for j in range(n + 1)]
        poly = [F(1)] + [F(0)] * n
        for _ in range(bins):
            product = [sum((poly[i] * powers[k - i] for i in range(k + 1)), F(0)) for k in range(n + 1)]
            poly = [each.limit_denominator(10**30) for each in product]
        moment = float(poly[n]) * factorial(n) / bins**n
        best = min(best, moment * (n - 1) ** (n - 1) / n**n * exp(-(n - 1) * eps))
    assert found.lower < best


def test_what_no_lattice_reaches_is_refused_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocation, "MOST_POINTS", 4096)
    with pytest.raises(UndecidedError, match="a finer lattice takes too much work"):
        allocation.delta_of("arb", 100, F(1), F(1), F(1, 10**9))
    with pytest.raises(UndecidedError, match="for a removal at most"):
        allocation.eps_of("arb", 100, F(1), F(1, 10**5), F(1, 10**9))
    with pytest.raises(UndecidedError, match="100000 bins need more than"):
        allocation.eps_of("arb", 100_000, F(1), F(1, 10**6))
    with pytest.raises(UndecidedError, match="up to 200"):
        allocation.delta_of("arb", 100, F(1), F(201))


# -- ledgers ------------------------------------------------------------------------------------------------------


def run(**fields: object) -> privref.Ledger:
    base = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
    drawn = {"kind": "subsampled", "base": base, "sampling": "balls-in-bins", **fields}
    neighbours = drawn.pop("neighbours", "add-or-remove-one")
    count = drawn.pop("count", 1)
    return privref.ledger_from_document({
        "schema": "ledger.1", "title": "t", "privacy_unit": "record", "neighbours": neighbours,
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": [{"count": count, "mechanism": drawn}],
    })  # fmt: skip


def audited(ledger: privref.Ledger, epsilon: str, delta: str = "1e-5") -> tuple[str, str]:
    claims = {"schema": "claims.1", "claims": [{"id": "c", "epsilon": epsilon, "delta": delta}]}
    (opinion,) = privref.audit(ledger, privref.claims_from_document(claims)).opinions
    return opinion.verdict, ("" if opinion.deciding is None else opinion.deciding.application.by)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("neighbours", ["add-or-remove-one", "zero-out"])
def test_a_run_is_confirmed_and_refuted_near_its_epsilon(neighbours: str) -> None:
    ledger = run(bins="100", neighbours=neighbours)
    assert audited(ledger, "0.63") == ("confirmed", "chua2025/allocation")
    assert audited(ledger, "0.61")[0] == "refuted"


def test_new_bins_in_each_epoch_are_composed() -> None:
    ledger = run(bins="4", epochs="3", drawn="each-epoch")
    assert audited(ledger, "5.07") == ("confirmed", "zdw2022/thm10")
    assert audited(ledger, "5.04")[0] == "refuted"


# -- runs over new bins, on a loss grid ----------------------------------------------------------------------------


@pytest.mark.parametrize("mu_squared", [F(4), F(1, 4)])
def test_the_pairs_of_the_grid_are_on_both_sides_of_the_run(mu_squared: F) -> None:
    """The two pairs of a run of two bins hold its profile between them, and their masses are those of laws."""
    above, below = (allocation_law.corners("arb", 2, mu_squared, 1024, up=up) for up in (True, False))
    assert below.p[-1] == 1
    for found in (above, below):
        assert all(0 <= x < y <= 1 for x, y in pairwise(found.q))
        assert all(0 <= x <= y <= 1 for x, y in pairwise(found.p))
        assert 0 <= found.infinite(removal=True) < F(1, 10**20)
    assert 0 <= above.infinite(removal=False) < F(1, 10**20)
    for ratio in (F(1, 50), F(1, 3), F(9, 10), F(1), F(3, 2), F(4), F(20)):
        least, most, known = below.lost_beyond(ratio), above.lost_beyond(ratio), of_two_bins(mu_squared, ratio)
        assert float(least) <= known * (1 + 1e-9) + 1e-12
        assert known <= float(most) * (1 + 1e-9) + 1e-12
        assert float(most - least) < 1e-3


def of_two_bins(mu_squared: F, ratio: F) -> float:
    """E(A - K)_+: the closed form of one lognormal, averaged over the other one."""
    a, strike = mpmath.sqrt(mpmath.mpf(mu_squared.numerator) / mu_squared.denominator), 2 * float(ratio)

    def call(z: mpmath.mpf) -> mpmath.mpf:
        rest = strike - mpmath.exp(a * z - a * a / 2)
        if rest <= 0:
            return mpmath.npdf(z) * (1 - rest) / 2
        moved = -mpmath.log(rest) / a
        return mpmath.npdf(z) * (mpmath.ncdf(moved + a / 2) - rest * mpmath.ncdf(moved - a / 2)) / 2

    kink = (mpmath.log(strike) + a * a / 2) / a
    parts = sorted([-12, -4, -2, 0, 2, 4, 6, 8, 12, 16, *(kink + x for x in (-1, -0.1, -0.01, 0, 1))])
    return float(mpmath.quad(call, parts))


@pytest.mark.parametrize("mu_squared", [F(1), F(4)])
def test_one_run_on_the_grid_meets_its_put_option(mu_squared: F) -> None:
    removal, addition = Composition.of([Round(Allocation(20, mu_squared))]).orientations
    if removal.rounds[0].pair != Allocation(20, mu_squared):
        removal, addition = addition, removal
    known = allocation.delta_of("arb", 20, mu_squared, F(1), F(1, 1000))
    found, added = (grid.delta_of(part, F(1), F(1, 100)) for part in (removal, addition))
    assert found.intersection(known) is not None
    assert found.relative_width_at_most(F(1, 50))
    lattice = OptionLattice(F(1), 1 << 13, 200)
    strike = F(math.exp(-1))
    bounds = [allocation.sums("arb", 20, mu_squared, lattice, up=up).put(strike) / strike for up in (True, False)]
    assert bounds[1] * F(999, 1000) <= added.upper
    assert added.lower <= bounds[0] * F(1001, 1000)
    assert added.relative_width_at_most(F(1, 50))


def test_records_that_are_replaced_gain_nothing_from_bins() -> None:
    """The bound is that of the mechanism on all records, and nothing is refuted below it."""
    assert audited(run(bins="100", neighbours="replace-one"), "0.63")[0] == "unsupported"
    whole = audited(run(bins="1", neighbours="replace-one"), "12")
    assert audited(run(bins="100", neighbours="replace-one"), "12") == whole == ("confirmed", "gdp/composition")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "bins"),
        ({"bins": "0"}, "bins"),
        ({"bins": "3/2"}, "bins"),
        ({"bins": "100", "rate": "1/100"}, "rate"),
        ({"bins": "100", "epochs": "0"}, "epochs"),
        ({"bins": "100", "drawn": "twice"}, "drawn"),
        ({"bins": "100", "batch_cap": "10", "records": "20"}, "batch_cap"),
    ],
)
def test_a_run_that_is_not_well_said_is_refused_by_field(fields: dict[str, object], field: str) -> None:
    with pytest.raises(privref.InputError) as refusal:
        run(**fields)
    assert field in refusal.value.field


@pytest.mark.parametrize("points", [2000, 32768])
def test_a_lattice_that_is_too_coarse_shows_nothing_and_no_negative_mass(points: int) -> None:
    """The noise is large: the ratio's spread is less than what the lattice tells apart."""
    found = allocation_law.corners("arb", 2500, Fraction(1, 1600), points, up=False)
    assert all(mass >= 0 for mass in found.q)
    assert list(found.q) == sorted(found.q)
    assert found.p[-1] <= 1
