"""Bounded range: chosen in advance and on the way, against each other, adversaries, and coarser grids."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref.composition import bounded_range
from privref.exact import decide
from privref.exact.decide import EngineName
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, UndecidedError
from privref.exact.work import WorkLimitError, metered, spend
from privref.statements.registry import evaluate
from tests.oracles import encloses

CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 30
ENGINES: tuple[EngineName, ...] = ("arb", "mpmath")


def value(id: str, engine: EngineName = "arb", **inputs: object) -> Enclosure:
    found = evaluate(id, inputs, digits=12, engine=engine).enclosure
    assert found is not None
    return found


def ranges(eps: str, k: int) -> list[str]:
    return [eps] * k


@pytest.mark.parametrize(("eps", "k", "delta"), [("0.1", 10, "1e-6"), ("1", 5, "0.1"), ("0.5", 20, "1e-4")])
@pytest.mark.parametrize("engine", ENGINES)
def test_choosing_on_the_way_loses_more(engine: EngineName, eps: str, k: int, delta: str) -> None:
    """The optimum of mechanisms chosen in advance is certainly below that of mechanisms chosen on the way.

    And that is below the optimum of pure DP rounds with the same epsilon, which lose over twice the range.
    """
    advance = value("dong2020/thm3.eps", engine, eps=eps, k=k, delta_g=delta)
    way = value("dong2020/adaptive.eps", engine, eps=ranges(eps, k), delta_g=delta)
    pure = value("kov2015/optimal.eps", engine, eps=eps, k=k, delta_g=delta)
    zcdp = value("cks2020/zcdp2dp.eps", engine, rho=str(k * Fraction(eps) ** 2 / 8), delta=delta)
    assert advance.upper < way.lower
    assert way.upper < pure.lower
    assert way.upper < zcdp.lower
    means = value("dong2020/prop4.eps", engine, eps=[{"value": eps, "count": k}], delta=delta)
    assert way.upper < means.lower


def lost(eps: list[Fraction], x: mpmath.mpf, choose: list[Fraction]) -> mpmath.mpf:
    """What an adversary loses beyond x, who chooses the interval by the answers so far, read from a list in order."""
    if not eps:
        return max(1 - CONTEXT.exp(x), CONTEXT.mpf(0))
    share = choose.pop() if choose else Fraction(1, 2)
    first = CONTEXT.mpf(eps[0].numerator) / eps[0].denominator
    t = first * share.numerator / share.denominator
    p = (CONTEXT.exp(first) - CONTEXT.exp(t)) / (CONTEXT.exp(first) - 1)
    return p * lost(eps[1:], x - t, choose) + (1 - p) * lost(eps[1:], x - t + first, choose)


SHARES = st.lists(st.fractions(0, 1, max_denominator=64), min_size=7, max_size=7)


@settings(max_examples=60, deadline=None)
@given(
    eps=st.sampled_from([["1", "1", "1"], ["1/2", "1", "3/4"], ["3", "1/3", "3/7"], ["2", "2"]]),
    at=st.fractions(0, 1, max_denominator=40),
    choose=SHARES,
)
def test_no_adversary_loses_more(eps: list[str], at: Fraction, choose: list[Fraction]) -> None:
    """Whatever it chooses after each answer."""
    spelled = [Fraction(e) for e in eps]
    eps_g = at * sum(spelled) * Fraction(4, 5)
    adversary = lost(spelled, CONTEXT.mpf(eps_g.numerator) / eps_g.denominator, list(choose))
    found = hull(tuple(spelled), eps_g)
    assert adversary <= CONTEXT.mpf(found.upper.numerator) / found.upper.denominator
    assert found.lower <= found.upper


def hull(eps: tuple[Fraction, ...], at: Fraction) -> Enclosure:
    """The grid's enclosure as it comes, however wide."""
    ar = decide.engine("arb", 160)
    with ar.active():
        low, high = (ar.enclosure(end) for end in bounded_range._read(ar, bounded_range._curve_at(ar, eps, at), at))
    assert low is not None
    assert high is not None
    return Enclosure(low.lower, high.upper)


@pytest.mark.parametrize("cells", [2, 3, 8])
@pytest.mark.parametrize("eps", [("1", "1", "1"), ("3", "3"), ("1/2", "1", "3/4"), ("1", "1/3", "3/7")])
def test_coarse_grids_hold_the_value_too(cells: int, eps: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """What a chord can gain within a cell, and between points, is in the upper bound."""
    spelled = tuple(map(Fraction, eps))
    places = [Fraction(i, 11) * sum(spelled) for i in range(11)]
    bounded_range._computed.cache_clear()
    fine = [hull(spelled, at) for at in places]
    monkeypatch.setattr(bounded_range, "_cells", lambda eps: cells)
    bounded_range._computed.cache_clear()
    for at, true in zip(places, fine, strict=True):
        rough = hull(spelled, at)
        assert encloses(rough, true), at
    bounded_range._computed.cache_clear()


@pytest.mark.parametrize("k", [1, 4, 30])
def test_the_parts_are_tried_in_any_order(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which number of low losses is tried first changes nothing."""
    first = value("dong2020/thm3.eps", eps="0.3", k=k, delta_g="1e-4")
    monkeypatch.setattr(bounded_range, "_likeliest_first", lambda eps, k, delta, parts: list(range(parts)))
    second = value("dong2020/thm3.eps", eps="0.3", k=k, delta_g="1e-4")
    assert first.intersection(second) is not None


def test_epsilon_and_delta_are_inverse() -> None:
    """The delta at the epsilon of a delta is that delta, within both widths."""
    way = value("dong2020/adaptive.eps", eps=ranges("0.2", 8), delta_g="1e-5")
    low = value("dong2020/adaptive.delta", eps=ranges("0.2", 8), eps_g=str(way.upper.limit_denominator(10**12)))
    high = value("dong2020/adaptive.delta", eps=ranges("0.2", 8), eps_g=str(way.lower.limit_denominator(10**12)))
    assert low.lower <= Fraction(1, 10**5) <= high.upper


def test_the_order_of_unequal_ranges_matters_on_the_way() -> None:
    """The largest first loses least, certainly: that order bounds what is chosen in advance, and no other ledger."""
    found = [
        value("dong2020/adaptive.eps", eps=eps, delta_g="0.05")
        for eps in (["1", "0.2", "0.2"], ["0.2", "1", "0.2"], ["0.2", "0.2", "1"])
    ]
    assert found[0].upper < found[1].lower
    assert found[1].upper < found[2].lower
    assert found[0].upper < Fraction("0.6198")
    assert found[2].lower > Fraction("0.6377")


SHARED = st.fractions(0, 1, max_denominator=12)


@settings(max_examples=40, deadline=None)
@given(first=SHARED, second=SHARED, third=SHARED, at=SHARED)
def test_unequal_ranges_in_advance_lose_at_most_that(
    first: Fraction, second: Fraction, third: Fraction, at: Fraction
) -> None:
    """Whatever the intervals of 1, 1/2 and 1/4, fixed in advance."""
    eps = (Fraction(1), Fraction(1, 2), Fraction(1, 4))
    outcomes = [(CONTEXT.mpf(1), CONTEXT.mpf(0))]
    for width, share in zip(eps, (first, second, third), strict=True):
        e, t = (CONTEXT.mpf(n.numerator) / n.denominator for n in (width, width * share))
        p = (CONTEXT.exp(e) - CONTEXT.exp(t)) / (CONTEXT.exp(e) - 1)
        outcomes = [(m * s, loss + more) for m, loss in outcomes for s, more in ((p, t), (1 - p, t - e))]
    eps_g = at * Fraction(3, 2)
    x = CONTEXT.mpf(eps_g.numerator) / eps_g.denominator
    lost_in_advance = sum((m * max(1 - CONTEXT.exp(x - loss), 0) for m, loss in outcomes), CONTEXT.mpf(0))
    upper = hull(eps, eps_g).upper
    assert lost_in_advance <= CONTEXT.mpf(upper.numerator) / upper.denominator


def test_what_is_out_of_reach_is_refused() -> None:
    with pytest.raises(WorkLimitError, match="201 rounds"):
        evaluate("dong2020/adaptive.eps", eps=ranges("0.1", 201), delta_g="1e-6")
    with pytest.raises(InputError, match="up to 4"):
        evaluate("dong2020/adaptive.eps", eps=["5"], delta_g="1e-6")
    with pytest.raises(WorkLimitError):
        evaluate("dong2020/thm3.delta", eps="0.1", k=3000, eps_g="1")
    # Rounds that lose nothing are none.
    assert evaluate("dong2020/adaptive.eps", eps=ranges("0", 300), delta_g="1e-6").value == "0"


def test_an_interval_with_one_end_at_zero_tells_nothing_apart() -> None:
    """At the ends of [0, eps] the worst pair is a pair of equal laws; in between it loses: tanh(eps/4) at 0."""
    for eps in ("1/10", "1", "3"):
        number = Fraction(eps)
        exact = CONTEXT.tanh(CONTEXT.mpf(number.numerator) / number.denominator / 4)
        for found in (
            value("dong2020/thm3.delta", eps=eps, k=1, eps_g="0"),
            value("dong2020/adaptive.delta", eps=[eps], eps_g="0"),
        ):
            lower, upper = (CONTEXT.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
            assert lower - CONTEXT.mpf("1e-25") <= exact <= upper + CONTEXT.mpf("1e-25")


def test_what_fits_the_published_pair_of_linkedin() -> None:
    """The note in the registry's mapping: 3000 ranges of 0.15 at delta' = 1e-9 give 34.9, and zCDP 33.79."""
    means = value("dong2020/prop4.eps", eps=[{"value": "0.15", "count": 3000}], delta="1e-9")
    assert Fraction("34.88") < means.lower < means.upper < Fraction("34.8813")
    assert Fraction("7e-9") == Fraction("1e-9") + 60 * Fraction("1e-10")
    left = (Fraction("7e-9") - Fraction("6e-9")) / (1 - Fraction("6e-9"))
    zcdp = value("cks2020/zcdp2dp.eps", rho=str(3000 * Fraction("0.15") ** 2 / 8), delta=str(left))
    assert zcdp.upper < Fraction("33.79")


@pytest.mark.parametrize(
    ("eps", "k", "delta"), [("0.01", 30, "1e-2"), ("1", 2, "1e-12"), ("4", 3, "1e-12"), ("0.1", 200, "1e-6")]
)
def test_the_promised_width_is_kept(eps: str, k: int, delta: str) -> None:
    """Near 0, near the sum of all ranges, and for as many rounds as are composed."""
    found = value("dong2020/adaptive.eps", eps=ranges(eps, k), delta_g=delta)
    assert found.lower < found.upper <= k * Fraction(eps)
    assert found.relative_width_at_most(Fraction(13, 100))


def test_a_curve_that_is_too_dear_is_given_up_and_takes_what_was_left() -> None:
    """Its price shows as it is computed; what comes after cannot ask for the same again and again."""
    rounds, arb = (Fraction(1, 97),) * 60, decide.engine("arb", 64)
    with metered(100_000):
        with pytest.raises(WorkLimitError):
            bounded_range._curve(arb, rounds, 40)
        with pytest.raises(WorkLimitError):
            spend(1)
    whole = bounded_range._curve(arb, rounds, 40)
    assert whole.price > 100_000
    # A curve that is known is not given away either.
    with metered(100_000), pytest.raises(WorkLimitError):
        bounded_range._curve(arb, rounds, 40)


@settings(max_examples=25, deadline=None)
@given(eps=st.lists(st.integers(1, 8), min_size=1, max_size=6), part=st.integers(0, 20))
def test_the_closed_form_of_the_top_is_on_the_curve(eps: list[int], part: int) -> None:
    """It is within what the grid says, and for equal ranges what mechanisms chosen in advance lose."""
    spelled = [Fraction(e, 4) for e in eps]
    at = sum(spelled, Fraction(0)) - min(spelled) * Fraction(part, 20)
    given = [str(e) for e in spelled]
    for engine in ENGINES:
        found = value("dong2020/adaptive.delta", engine, eps=given, eps_g=str(at))
        assert found.upper == 0 or found.relative_width_at_most(Fraction(1, 10**10))
        if part:
            back = value("dong2020/adaptive.eps", engine, eps=given, delta_g=str(found.upper))
            assert abs(back.upper - at) <= Fraction(1, 10**9) * max(at, min(spelled))
    ar = decide.engine("arb", 400)
    with ar.active():
        curve = bounded_range._computed("arb", tuple(spelled), 200)
        low, high = (ar.enclosure(end) for end in bounded_range._read(ar, curve, at))
    assert low is not None
    assert high is not None
    assert low.lower <= found.upper
    assert found.lower <= high.upper
    if len(set(eps)) == 1:
        advance = value("dong2020/thm3.delta", eps=str(spelled[0]), k=len(eps), eps_g=str(at))
        assert advance.intersection(found) is not None


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("k", "delta"), [(1, "1e-6"), (1, "1/10"), (2, "1e-30"), (12, "1e-60")])
def test_a_small_delta_of_few_mechanisms_has_digits_on_demand(engine: EngineName, k: int, delta: str) -> None:
    """It was refused, or known to a quarter."""
    found = value("dong2020/adaptive.eps", engine, eps=ranges("1", k), delta_g=delta)
    assert found.relative_width_at_most(Fraction(1, 10**10))
    again = value("dong2020/adaptive.delta", engine, eps=ranges("1", k), eps_g=str(found.upper))
    assert abs(again.upper / Fraction(delta) - 1) <= Fraction(1, 10**6)


def test_more_delta_than_one_mechanism_loses_is_no_epsilon() -> None:
    assert evaluate("dong2020/adaptive.eps", eps=["1"], delta_g="1/4").value == "0"


@pytest.mark.parametrize(("k", "most"), [(2, "0.0002"), (5, "0.0008"), (12, "0.012")])
def test_few_mechanisms_are_known_closely(k: int, most: str) -> None:
    """Three quarters of the way up as well; 24 % were promised."""
    at = str(Fraction(3 * (k - 1), 4))
    assert value("dong2020/adaptive.delta", eps=ranges("1", k), eps_g=at).relative_width_at_most(Fraction(most))


def test_what_no_grid_reaches_is_said_without_a_negative_delta() -> None:
    with pytest.raises(UndecidedError, match=r"^delta is within \[\d\S+, 4\.33\d*e-45\]: the grid is too coarse"):
        value("dong2020/adaptive.delta", eps=ranges("1", 100), eps_g="75")
