"""Definition 3 as a computation: the least favourable parts, the ends, and the closed form of (eps, delta)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privref
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.work import metered
from privref.guarantees import approximate_zcdp as parts

F = Fraction
ID = "whitehouse2023/def3.delta"


def law(size: int) -> st.SearchStrategy[tuple[Fraction, ...]]:
    weights = st.lists(st.integers(0, 20), min_size=size, max_size=size).filter(any)
    return weights.map(lambda found: tuple(F(weight, sum(found)) for weight in found))


@st.composite
def mixtures(draw: st.DrawFn) -> tuple[parts.Laws, Fraction, parts.Laws]:
    """Two laws, a delta, and parts P', Q' that some mixture with it has."""
    size = draw(st.integers(2, 4))
    first, second, *rest = (draw(law(size)) for _ in range(4))
    delta = F(draw(st.integers(0, 9)), 10)
    p, q = (
        tuple((1 - delta) * a + delta * b for a, b in zip(part, other, strict=True))
        for part, other in zip((first, second), rest, strict=True)
    )
    return tuple(zip(p, q, strict=True)), delta, tuple(zip(first, second, strict=True))


def beyond(pairs: parts.Laws, c: Fraction) -> Fraction:
    """sum (P - c Q)_+."""
    return sum((max(p - c * q, F(0)) for p, q in pairs), F(0))


@settings(max_examples=150)
@given(mixtures(), st.integers(0, 40))
def test_no_parts_are_closer_than_the_least_favourable_ones(
    drawn: tuple[parts.Laws, Fraction, parts.Laws], c: int
) -> None:
    """The theorem of the module, in exact rationals: for every hockey stick and every whole order, both ways."""
    laws, delta, chosen = drawn
    merged = parts._merged(*zip(*laws, strict=True))
    delta = min(delta, parts.total_variation(merged))
    if delta < parts.least_share(merged) or delta == 1:
        return
    least = parts.least_favourable(merged, delta)
    assert sum(p for p, _ in least) == sum(q for _, q in least) == 1
    if delta < drawn[1]:
        assert all(p == q for p, q in least)
        return
    for swap in (False, True):
        ours, theirs = (tuple((q, p) for p, q in pairs) if swap else pairs for pairs in (least, chosen))
        assert beyond(ours, F(c, 8)) <= beyond(theirs, F(c, 8))
        if all(q or not p for p, q in theirs):
            for order in (2, 5):
                moments = [sum(p**order / q ** (order - 1) for p, q in pairs if p) for pairs in (ours, theirs)]
                assert moments[0] <= moments[1]


small = st.fractions(0, 4, max_denominator=12)
some = st.fractions(F(1, 12), 3, max_denominator=12)


@given(
    st.fractions(F(1, 12), 2, max_denominator=12), small, small, st.fractions(F(1, 12), 3, max_denominator=12), small
)
def test_a_chord_is_below_the_parabola_exactly_where_it_is(
    rho: Fraction, start: Fraction, at_start: Fraction, length: Fraction, at_end: Fraction
) -> None:
    """In rationals: at both ends and where the parabola comes nearest, which is where a chord would cross it."""
    excess = parts._Excess(decide.engine("arb"), ((F(1), F(1)),), rho)
    end, slope = start + length, (at_end - at_start) / length
    nearest = min(max((slope - rho) / (2 * rho), start), end)
    truth = all(at_start + slope * (s - start) <= rho * s * (s + 1) for s in (start, nearest, end))
    assert excess._chord_is_below(start, at_start, end, at_end) == truth


def least_delta(p: list[str], q: list[str], rho: str, engine: decide.EngineName = "arb") -> Enclosure:
    found = privref.evaluate(ID, p=p, q=q, rho=rho, digits=8, engine=engine).enclosure
    assert found is not None
    return found


THREE = (["1/2", "1/3", "1/6"], ["1/6", "1/6", "2/3"])
RARE = (["0.01", "0.5", "0.49"], ["0.0002", "0.5", "0.4998"])


@pytest.mark.parametrize(("laws", "rho"), [(THREE, "0.1"), (RARE, "0.02"), (RARE, "0.001")])
def test_the_parts_at_the_upper_end_are_zcdp_and_those_below_the_lower_are_not(
    laws: tuple[list[str], list[str]], rho: str
) -> None:
    """Decided order by order, by the divergences' own statement."""
    found = least_delta(*laws, rho)
    assert found.relative_width_at_most(F(1, 10**9))
    merged = parts._merged(*([F(text) for text in one] for one in laws))
    limit, below = F(rho), found.lower * (1 - F(1, 10**6))
    orders = [1 + F(i, 20) ** 3 for i in range(0, 60, 2)]

    p, q = zip(*parts.least_favourable(merged, found.upper), strict=True)
    for order in orders:
        for x, y in ((p, q), (q, p)):
            value = privref.evaluate("whitehouse2023/def2.renyi", p=x, q=y, order=order, digits=20).enclosure
            assert value is not None
            assert value.upper <= limit * order
    worst = parts._Excess(decide.engine("arb", 128), parts.least_favourable(merged, below), limit).violation()
    assert worst is not None


@pytest.mark.parametrize(("laws", "rho"), [(THREE, "0.1"), (RARE, "0.02")])
def test_both_engines_meet(laws: tuple[list[str], list[str]], rho: str) -> None:
    first, second = (least_delta(*laws, rho, engine) for engine in ("arb", "mpmath"))  # type: ignore[arg-type]
    assert first.intersection(second) is not None


@settings(max_examples=15)
@given(law(3), law(3), st.integers(1, 30))
def test_it_falls_with_rho_between_what_is_always_lost_and_the_total_variation(
    p: tuple[Fraction, ...], q: tuple[Fraction, ...], scale: int
) -> None:
    merged = parts._merged(p, q)
    found = [privref.evaluate(ID, p=p, q=q, rho=F(scale, 20) * times, digits=8).enclosure for times in (1, 2)]
    assert found[0] is not None
    assert found[1] is not None
    assert parts.least_share(merged) <= found[1].lower
    assert found[1].lower <= found[0].upper <= parts.total_variation(merged)
    with_more = privref.evaluate(ID, p=[*p, 0], q=[*q, 0], rho=F(scale, 20), digits=8).enclosure
    halved = privref.evaluate(
        ID, p=[x / 2 for x in p for _ in "ab"], q=[x / 2 for x in q for _ in "ab"], rho=F(scale, 20), digits=8
    ).enclosure
    assert with_more == halved == found[0]


def test_ends_are_exact() -> None:
    for rho, value in (("0", "1/2"), ("100", "0")):
        assert privref.evaluate(ID, p=THREE[0], q=THREE[1], rho=rho).value == value
    assert privref.evaluate(ID, p=["1/10", "9/10"], q=["0", "1"], rho="7").value == "1/10"
    assert privref.evaluate(ID, p=["1", "0"], q=["0", "1"], rho="7").value == "1"
    assert privref.evaluate(ID, p=["1"], q=["1"], rho="0").value == "0"


@pytest.mark.parametrize("rho", ["0.001", "0.1", "0.2"])
@pytest.mark.parametrize("delta", ["0", "1/100"])
def test_the_closed_form_is_that_of_the_four_outcomes(rho: str, delta: str) -> None:
    """For eps beside log 2 the two-point laws of e^eps = 2 lie between."""
    rest, lost = 1 - F(delta), F(delta)
    p, q = [lost, rest * 2 / 3, rest / 3, F(0)], [F(0), rest / 3, rest * 2 / 3, lost]
    found = privref.evaluate(ID, p=p, q=q, rho=rho, digits=8).enclosure
    low, high = (
        privref.evaluate("whitehouse2023/lem1.dp2zcdp.least_delta", eps=eps, delta=delta, rho=rho).enclosure
        for eps in ("0.69314718055994530941", "0.69314718055994530942")
    )
    assert found is not None
    assert low is not None
    assert high is not None
    assert found.intersection(Enclosure(low.lower, high.upper)) is not None


def test_the_sharpened_lemma_needs_less_rho_than_the_lemma() -> None:
    """eps tanh(eps/2) < 0.4622 < eps^2/2 at eps = 1: no delta beside the mechanism's own is needed."""
    found = privref.evaluate("whitehouse2023/lem1.dp2zcdp.least_delta", eps="1", delta="1e-6", rho="0.4622")
    assert found.value == "1/1000000"
    above = privref.evaluate("whitehouse2023/lem1.dp2zcdp.least_delta", eps="1", delta="1e-6", rho="0.4621").enclosure
    assert above is not None
    assert above.lower > F(1, 10**6)


def test_what_is_no_law_is_refused() -> None:
    with pytest.raises(InputError, match="sum to 1"):
        privref.evaluate(ID, p=["1/2"], q=["1"], rho="1")
    with pytest.raises(InputError, match="as many outcomes"):
        privref.evaluate(ID, p=["1"], q=["1/2", "1/2"], rho="1")


def test_more_outcomes_than_the_work_allows_are_refused() -> None:
    size = 4000
    p = [F(2 * i + 1, size**2) for i in range(size)]
    with metered(200_000), pytest.raises(privref.UndecidedError, match="units of work"):
        privref.evaluate(ID, p=p, q=p[::-1], rho="0.01", digits=8)
