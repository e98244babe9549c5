"""Samples of a fixed size of other noise than Gaussian, one record in another one's place: the pair, by definition."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import mpmath
import pytest

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.profiles import composed, grid, instead, laws
from privref.profiles.declared import as_poisson, mechanism_from
from privref.profiles.model import Composition, Drawn, Instead, Laplace, Response, Round, Subsampled, WorstApproximate
from privref.statements.registry import evaluate
from tests.profiles.test_drawn import BASES, atoms

F = Fraction


def rounds(name: str, count: int = 1, rate: str = "1/10", neighbours: str = "replace-one") -> list[dict[str, Any]]:
    said = {"base": BASES[name], "rate": rate, "sampling": "fixed-size", "neighbours": neighbours}
    return [{"kind": "subsampled", "count": count, **said}]


def value(item: str, given: list[dict[str, Any]], engine: str = "arb", **asked: Any) -> Enclosure:
    found = evaluate(f"zdw2022/thm10.{item}", {"rounds": given, **asked}, engine=engine).enclosure  # type: ignore[arg-type]
    assert found is not None
    return found


def number(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


@cache
def of_one(name: str, rate: Fraction) -> tuple[tuple[mpmath.mpf, mpmath.mpf], ...]:
    """P and Q: what a Poisson sample gains, answer by answer, the same the other way round, and the rest."""
    with mpmath.workdps(40):
        q, found = number(rate), dict[Any, list[Any]]()
        for here, there in atoms(BASES[name]):
            mixed = (1 - q) * there + q * here
            if mixed > there + mpmath.mpf(10) ** -35:
                key = mpmath.nstr(mixed / there, 25) if there else "all"
                known = found.setdefault(key, [mpmath.mpf(0), mpmath.mpf(0)])
                known[0], known[1] = known[0] + mixed, known[1] + there
        both = [pair for p, r in found.values() for pair in ((p, r), (r, p))]
        still = 1 - sum(p for p, _ in both)
        return ((still, still), *both)


def summed(name: str, rate: Fraction, count: int, eps: str) -> mpmath.mpf:
    """Delta of ``count`` rounds, outcome by outcome."""
    with mpmath.workdps(40):
        scale, total = mpmath.exp(mpmath.mpf(eps)), mpmath.mpf(0)
        for outcome in product(of_one(name, rate), repeat=count):
            p, q = mpmath.mpf(1), mpmath.mpf(1)
            for one in outcome:
                p, q = p * one[0], q * one[1]
            total += max(p - scale * q, 0)
        return total


@pytest.mark.parametrize("engine", decide.ENGINES)
@pytest.mark.parametrize("name", [name for name in BASES if name != "Laplace"])
@pytest.mark.parametrize("count", [1, 2])
def test_rounds_have_the_sum_over_all_their_outcomes(name: str, count: int, engine: str) -> None:
    """Also of a rate of a half; nothing that a lower bound says is above it, and epsilon is where delta is."""
    for rate, eps in (("1/10", "0.05"), ("1/10", "0.15"), ("1/2", "0.125"), ("1/2", "0.5")):
        known = summed(name, F(rate), count, eps)
        if known < 1e-12:
            continue
        found = value("delta", rounds(name, count, rate), engine, eps=eps)
        with mpmath.workdps(40):
            assert number(found.upper) >= known - mpmath.mpf(10) ** -25, (rate, eps)
            assert number(found.lower) <= known + mpmath.mpf(10) ** -25, (rate, eps)
        assert found.relative_width_at_most(F(1, 20) if engine != "arb" else F(1, 1000))
        if engine == "arb" and (name != "worst case" or eps == "0.05"):
            back = value("eps", rounds(name, count, rate), delta=F(str(known)))
            assert back.lower * F(999, 1000) <= F(eps) <= back.upper * F(1001, 1000)


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("rate", ["1/100", "1/2"])
def test_one_round_has_the_share_of_its_base_at_a_larger_epsilon(name: str, rate: str) -> None:
    """q delta(log(1 + (e^eps - 1)/q)): a Poisson sample's. Many lose more than these, and less than all records."""
    q, base = F(rate), {**BASES[name], "count": 1}
    for eps in ("1/1000", "1/100"):
        found = value("delta", rounds(name, 1, rate), eps=eps)
        with mpmath.workdps(40):
            larger = F(str(mpmath.log(1 + mpmath.expm1(number(F(eps))) / number(q))))
        share = evaluate("zdw2022/thm10.delta", {"rounds": [base], "eps": larger}).enclosure
        assert share is not None
        assert found.lower <= q * share.upper * (1 + F(1, 10**9))
        assert found.upper >= q * share.lower * (1 - F(1, 10**9))
    given = rounds(name, 30, rate)
    delta = "1e-4" if name != "worst case" else "1/50" if rate == "1/2" else "1e-3"
    most = value("eps", given, delta=delta)
    kept = {k: v for k, v in given[0].items() if k not in ("count", "neighbours")} | {"neighbours": "replace-one"}
    twin = as_poisson(mechanism_from(kept, "m"))
    assert twin is not None
    poisson = value("eps", [{**twin.document, "count": 30}], delta=delta)  # type: ignore[list-item]
    all_records = evaluate("zdw2022/thm10.eps", {"rounds": [{**base, "count": 30}], "delta": delta}).enclosure
    assert poisson.lower < most.upper
    assert all_records is None or most.upper < all_records.lower


def test_laplace_noise_lies_between_two_mechanisms_of_atoms() -> None:
    """Of geometric noise of the same epsilon, with ever finer steps: by a law without a density."""
    delta, last = "1e-4", F(10)
    laplace = value("eps", rounds("Laplace", 20), delta=delta)
    for steps in (1, 4, 16):
        base = {"kind": "geometric", "scale": str(2 * steps), "shifts": [str(steps)]}
        said = {
            "kind": "subsampled",
            "base": base,
            "rate": "1/10",
            "sampling": "fixed-size",
            "neighbours": "replace-one",
        }
        found = value("eps", [{**said, "count": 20}], delta=delta)  # type: ignore[list-item]
        assert laplace.lower < found.upper < last
        last = found.upper
    assert last < laplace.upper * F(101, 100)


@pytest.mark.parametrize("name", BASES)
def test_the_pair_is_the_same_the_other_way_round(name: str) -> None:
    mechanism = mechanism_from({k: v for k, v in rounds(name)[0].items() if k != "count"}, "m")
    assert mechanism.upper is not None
    (item,) = mechanism.upper
    assert isinstance(item.pair, Drawn if "answers" in name or name == "worst case" else Instead)
    (part,) = Composition.of(list(mechanism.upper)).orientations
    assert part == part.reversed()
    assert mechanism.is_exchanged
    assert mechanism.only_dominates
    assert all(isinstance(each.pair, Subsampled) for each in mechanism.lower)


def test_at_delta_0_it_is_the_largest_loss_of_a_sample() -> None:
    """log(1 + q (e^eps - 1)) a round; none of discrete Gaussian noise, nor where all may be lost."""
    found = value("eps", rounds("Laplace", 20), delta="0")
    with mpmath.workdps(40):
        known = 20 * mpmath.log(1 + mpmath.expm1(mpmath.mpf(1) / 2) / 10)
        assert abs(number(found.upper) - known) < 1e-12
    for name in ("discrete Gaussian", "worst case"):
        assert evaluate("zdw2022/thm10.eps", {"rounds": rounds(name, 20), "delta": "0"}).enclosure is None


def test_an_infinite_loss_has_the_share_of_its_chance() -> None:
    least = 1 - (1 - F(1, 10**4)) ** 20
    for change, infinite in ((F(-1, 10**9), True), (F(1, 10**9), False)):
        asked = {"rounds": rounds("worst case", 20), "delta": least + change}
        assert (evaluate("zdw2022/thm10.eps", asked).enclosure is None) == infinite
    split = grid.finite(
        Composition.of([Round(instead.pair_of(WorstApproximate(F(1), F(1, 2)), F(1, 3), "replace-one"))])
    )
    assert split.deltas == ((F(1, 6), 1),)
    lost = grid.finite(Composition.of([Round(instead.pair_of(WorstApproximate(F(1), F(1)), F(1, 3), "replace-one"))]))
    assert (lost.rounds, lost.deltas) == ((), ((F(1, 3), 1),))


def test_of_all_records_it_is_the_base() -> None:
    """Another way to the same numbers, at a rate of 1."""
    found, known = (
        composed.profile_delta("arb", Composition.of([Round(pair, 6)]), F(1, 4), F(1, 1000))
        for pair in (Instead(Laplace(F(1)), F(1)), Laplace(F(1)))
    )
    assert found.intersection(known) is not None
    assert found.relative_width_at_most(F(1, 500))


@pytest.mark.parametrize("outcomes", [2, 5])
def test_of_answers_it_is_answers_of_a_smaller_epsilon_with_a_chance(outcomes: int) -> None:
    """By the law of three losses itself, on a grid; numbers rounded up dominate."""
    base = Response(F(3, 2), outcomes)
    drawn = instead.pair_of(base, F(1, 3), "zero-out")
    assert isinstance(drawn, Drawn)
    with mpmath.workdps(60):
        e = mpmath.exp(mpmath.mpf(3) / 2)
        r, loss = 1 / (e + outcomes - 1), mpmath.log(1 + (e - 1) / 3)
        chance = r + r * (1 + (e - 1) / 3)
        for found, known in ((drawn.rate, chance), (laws.base_of(drawn).epsilon, loss)):  # type: ignore[union-attr]
            assert 0 <= number(found) - known < known * mpmath.mpf(10) ** -38
    for count in (1, 9):
        one, other = (
            composed.profile_delta("arb", Composition.of([Round(pair, count)]), F(1, 3), F(1, 1000))
            for pair in (drawn, Instead(base, F(1, 3)))
        )
        assert other.lower <= one.upper
        assert one.lower <= other.upper * (1 + F(1, 10**30))
        assert one.relative_width_at_most(F(1, 500))


def test_few_rounds_at_a_small_delta_have_nearly_the_largest_loss() -> None:
    """No grid reaches them. Where noise has none, or it is out of reach, it counts as revealed who is drawn."""
    given = rounds("Laplace", 2, "1/16")
    found = value("eps", given, delta="1e-8")
    with mpmath.workdps(40):
        known = 2 * mpmath.log(1 + mpmath.expm1(mpmath.mpf(1) / 2) / 16)
        assert number(found.upper) * (1 - mpmath.mpf(10) ** -12) <= known <= number(found.upper)
        # The chance of the largest loss, twice.
        top = (1 - F(1, 16)) * F(str(mpmath.exp(-0.5))) / 2 + F(1, 32)
        assert number(top**2) * -mpmath.expm1(number(found.lower) - known) >= mpmath.mpf("1e-8")
    composition = Composition.of([Round(Instead(Laplace(F(1, 2)), F(1, 16)), 2), Round(Laplace(F(1)))])
    assert composed.revealed(composition) == Composition.of(
        [Round(Drawn(Laplace(F(1, 2)), F(1, 16)), 2), Round(Laplace(F(1)))]
    )
    for eps in ("1/100", "1/5"):
        # What stands in for it is above.
        one, other = (
            composed.profile_delta("arb", each, F(eps), F(1, 1000))
            for each in (composition, composed.revealed(composition))
        )
        assert one.lower <= other.upper


def test_other_neighbours_and_several_coordinates_have_no_pair() -> None:
    for change in (
        {"neighbours": "add-or-remove-one"},
        {"base": {"kind": "laplace", "scale": "2", "shifts": ["1", "1"]}},
    ):
        with pytest.raises(InputError):
            value("delta", [{**rounds("Laplace")[0], **change}], eps="1/10")
    assert mechanism_from({**{k: v for k, v in rounds("Laplace")[0].items() if k != "count"}, "neighbours": "zero-out"},
                          "m").upper == (Round(Drawn(Laplace(F(1, 2)), F(1, 10))),)  # fmt: skip
