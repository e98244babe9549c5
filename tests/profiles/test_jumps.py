"""Few jumps on the grid: against quadrature over the first of two rounds, a closed form, contours, and odd plans."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref import evaluate
from privref.composition.loss_grid import Grid
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, UndecidedError
from privref.exact.work import apart
from privref.profiles import composed, contour_few, jumps, model, subsampled, subsampled_law
from privref.profiles.contour_plan import OutOfReachError
from privref.profiles.model import Composition, Orientation, Round, SubsampledGaussian
from proofs.zdw2022.poisson import one_round, real

F = Fraction
ARB = decide.engine("arb", 128)
EPS = "zdw2022/poisson_gaussian.eps"


def planned(pair: SubsampledGaussian, k: int, eps: Fraction, points: int = 500) -> jumps.JumpGrid:
    return jumps.plan(((pair, k),), float(eps), contour_few.single(pair, k, float(eps)), points, 1e-9)


def holds(found: Enclosure, truth: mpmath.mpf) -> bool:
    slack = truth * mpmath.mpf("1e-16")
    return bool(real(found.lower) - slack <= truth <= real(found.upper) + slack)


def between(
    pair: SubsampledGaussian, eps: Fraction, parts: int, other: SubsampledGaussian | None = None
) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Bounds of two rounds' delta, the mean over the first one's outcome of one round's at what it leaves of epsilon.

    That rises with the outcome: a cell's mass times its value at either end.
    """
    q, s, at = real(pair.rate), real(pair.sigma), real(eps)
    second = pair if other is None else other
    rate, sigma = real(second.rate), real(second.sigma)
    removal = pair.orientation == "removal"
    lower = upper = mpmath.mpf(0)
    last, below = mpmath.mpf(1), mpmath.mpf(0)
    for n in range(-10 * parts, (12 + int(2 / s)) * parts):
        # The loss of an addition falls with the outcome: from the largest one down.
        y = mpmath.mpf(n) / parts * (1 if removal else -1)
        mass = (1 - q) * mpmath.ncdf(-y) + q * mpmath.ncdf(1 / s - y) if removal else mpmath.ncdf(y)
        loss = mpmath.log(1 - q + q * mpmath.exp(y / s - 1 / (2 * s * s)))
        here = one_round(rate, sigma, at - (loss if removal else -loss), removal)
        lower, upper = lower + (last - mass) * below, upper + (last - mass) * here
        last, below = mass, here
    return lower + last * below, upper + last


@pytest.mark.parametrize("orientation", ["removal", "addition"])
@settings(max_examples=4, deadline=None)
@given(q=st.integers(1, 40), sigma=st.integers(10, 40), part=st.integers(1, 8))
def test_two_rounds_are_what_is_left_after_one(orientation: Orientation, q: int, sigma: int, part: int) -> None:
    pair, at = SubsampledGaussian(F(q, 1000), F(sigma, 10), orientation), F(part, 10 * sigma)
    if orientation == "addition":
        # No more is lost than twice -log(1 - q), which is at least 2 q.
        at = F(q * part, 5000)
    found = jumps.Jumps(ARB, ((pair, 2),), planned(pair, 2, at)).delta(at)
    lower, upper = between(pair, at, 40)
    assert real(found.lower) <= upper
    assert lower <= real(found.upper)
    assert upper < 2 * lower


def test_rounds_of_two_kinds_are_what_is_left_after_one() -> None:
    pair, other, at = SubsampledGaussian(F(1, 50), F(2)), SubsampledGaussian(F(1, 200), F(5, 4)), F(1, 4)
    for rounds in (((pair, 1), (other, 1)), ((other, 1), (pair, 1))):
        found = jumps.Jumps(ARB, rounds, jumps.plan(rounds, 0.25, -8.0, 500, 1e-9)).delta(at)
        assert found.relative_width_at_most(F(1, 10**3))
        lower, upper = between(pair, at, 40, other)
        assert real(found.lower) <= upper
        assert lower <= real(found.upper)
        assert upper < 2 * lower


def test_equal_rounds_as_two_kinds_are_the_same_rounds() -> None:
    pair, at = SubsampledGaussian(F(1, 100), F(3, 2)), F(1, 2)
    once, twice = (
        jumps.Jumps(ARB, rounds, jumps.plan(rounds, 0.5, -9.0, 400, 1e-9)).delta(at)
        for rounds in (((pair, 5),), ((pair, 2), (pair, 3)))
    )
    assert once.relative_width_at_most(F(1, 100))
    assert twice.relative_width_at_most(F(1, 100))
    assert once.intersection(twice) is not None


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_small_rates_of_two_kinds_have_a_bracket(engine: decide.EngineName) -> None:
    """No contour and no tilted grid reaches them; they counted by Renyi divergences, with an epsilon of 0.556."""
    pairs = ((SubsampledGaussian(F(1, 753), F(31, 25)), 1477), (SubsampledGaussian(F(1, 103), F(401, 100)), 34))
    run, delta = Composition.of([Round(pair, k) for pair, k in pairs]), F(1, 10**6)
    found = composed._of_eps(engine, run, delta)
    assert found is not None
    assert found.relative_width_at_most(composed.GRID_WIDTH if engine == "arb" else F(1, 20))
    first = evaluate(EPS, {"q": "1/753", "sigma": "31/25", "k": 1477, "delta": "1e-6"}).enclosure
    assert first is not None
    assert first.lower <= found.upper
    assert composed._is_within(run.reversed(), found.upper, delta, engine)
    delta_there = composed._of_delta("arb", run, found.upper)
    assert delta_there.lower <= delta


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_the_grid_answers_where_a_contour_is_too_dear_for_an_arithmetic(engine: decide.EngineName) -> None:
    """The second arithmetic had neither: the contour was not dear, so that no grid was asked."""
    given = {"q": "0.0119", "sigma": "0.828", "k": 42}
    eps = evaluate(EPS, {**given, "delta": "1e-8"}, digits=3, engine=engine).enclosure
    delta = evaluate("zdw2022/poisson_gaussian.delta", {**given, "eps": "2.71"}, digits=3, engine=engine).enclosure
    assert eps is not None
    assert delta is not None
    assert eps.lower < F("2.711713272")
    assert eps.upper > F("2.71171325")
    assert delta.lower <= F("1.00832948e-8")
    assert delta.upper >= F("1.00832941e-8")


def test_one_round_has_no_error_at_a_grid_point() -> None:
    """What is above the last point is one cell, and it adds exactly what it has."""
    pair = SubsampledGaussian(F(1, 100), F(2))
    chosen = planned(pair, 1, F(1, 2), 50)
    at = (chosen.high - 1) * chosen.step
    found = jumps.Jumps(ARB, ((pair, 1),), chosen).delta(at)
    assert holds(found, one_round(real(pair.rate), real(pair.sigma), real(at), True))
    assert found.relative_width_at_most(F(1, 10**8))


def test_any_plan_encloses_the_value() -> None:
    """A cell that begins too low, few bits, or a cut that drops much: wider, never wrong."""
    pair, at = SubsampledGaussian(F(1, 400), F(7, 5)), F(1)
    chosen = planned(pair, 2, at)
    good = jumps.Jumps(ARB, ((pair, 2),), chosen).delta(at)
    assert good.relative_width_at_most(F(1, 10**3))
    for change in ({"high": chosen.high // 2}, {"high": 3}, {"bits": 30}, {"missing_bits": 4.0}):
        found = jumps.Jumps(ARB, ((pair, 2),), replace(chosen, **change)).delta(at)
        assert found.lower < good.lower, change
        assert good.upper < found.upper, change


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_it_meets_the_contour(engine: decide.EngineName) -> None:
    """Two engines of different mathematics; the epsilon and the delta of the grid are each other's inverse."""
    pair, k, delta = SubsampledGaussian(F(1, 20), F(2)), 8, F(1, 10**6)
    grid = decide.engine(engine, 128)
    found = jumps.eps_of(grid, ((pair, k),), delta, 0.5, F(1, 10**3))
    assert found.relative_width_at_most(F(1, 10**3))
    contour = subsampled.contour_at(ARB, pair, k, float(found.upper), -13.8, 1e-7)
    assert contour.delta(found.upper).lower <= delta <= contour.delta(found.lower).upper
    back = jumps.delta_of(grid, ((pair, k),), found.upper, -10.0, F(1, 10**2))
    assert back.relative_width_at_most(F(1, 10**2))
    assert back.lower <= delta
    assert back.intersection(contour.delta(found.upper)) is not None


@pytest.mark.parametrize(
    ("q", "sigma", "k", "delta"),
    [("1.99e-5", "2.38", 6, "2.79e-24"), ("2.08e-5", "1.19", 9, "3.72e-6")],
)
def test_what_contours_refused_is_narrow(q: str, sigma: str, k: int, delta: str) -> None:
    found = evaluate(EPS, {"q": q, "sigma": sigma, "k": k, "delta": delta}).enclosure
    assert found is not None
    assert found.relative_width_at_most(F(1, 10**6))


def test_an_epsilon_of_nothing_is_zero() -> None:
    """The total variation of five rounds is below five times one's, which the simple bounds do not see."""
    pair, k = SubsampledGaussian(F(1, 100), F(1)), 5
    delta = F(13, 1000)
    assert not subsampled._trivially_zero(ARB, pair, k, delta)
    assert jumps.eps_of(ARB, ((pair, k),), delta, 0.01, F(1, 1000)) == Enclosure(F(0), F(0))
    assert evaluate(EPS, {"q": "1/100", "sigma": "1", "k": k, "delta": str(delta)}).value == "0"


@pytest.mark.parametrize(("k", "sigma"), [(6228772, "0.844"), (120125, "0.506")])
def test_a_total_variation_near_one_is_not_trivially_zero(k: int, sigma: str) -> None:
    """Its bound is beyond what can be written, and is not written."""
    assert not subsampled._trivially_zero(ARB, SubsampledGaussian(F(1, 7), F(sigma)), k, F(1, 10**9))


def test_a_refusal_says_what_was_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise OutOfReachError

    monkeypatch.setattr(jumps, "MOST_POINTS", 90)
    monkeypatch.setattr(subsampled, "plan_few", never)
    inputs = {"q": "1.99e-5", "sigma": "2.38", "k": 6}
    with pytest.raises(UndecidedError, match=r"epsilon is within \[8\.\d+e-4, 8\.\d+e-4\], wider than"):
        evaluate(EPS, {**inputs, "delta": "2.78e-24"})
    with pytest.raises(UndecidedError, match=r"delta is within \[\d.*e-2\d, .*e-2\d\], wider than"):
        evaluate("zdw2022/poisson_gaussian.delta", {**inputs, "eps": "8.731e-4"})


def test_disjoint_enclosures_are_a_defect() -> None:
    with pytest.raises(EnginesDisagree):
        jumps.met(Enclosure(F(0), F(1)), Enclosure(F(2), F(3)))


def test_no_loss_is_below_the_grid() -> None:
    """Where 1 - q is far below a float's digits of q, log(1 - q) by floats of q is above the least loss."""
    pair = SubsampledGaussian(1 - F(17, 10**17), F(1))
    assert math.log1p(-float(pair.rate)) > math.log(1 - pair.rate) + 0.2
    step = F(1, 20)
    low = jumps._lowest(pair, step, 100)
    with ARB.active():
        ar, grid = ARB.bare(), Grid(step, 1, 64)
        tails = subsampled_law.tails_of(ar, F(1), pair, step, list(range(low, 101)))
        upper, _, _ = subsampled_law.topped(ar, [tails], F(0), grid)
        assert upper.measure().total >= 2**64
        with pytest.raises(UndecidedError, match="above a subsampled round's least loss"):
            subsampled_law.tails_of(ar, F(1), pair, step, list(range(low + 4, 101)))


def test_only_plans_are_out_of_the_reach_of_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lower end above the upper one is a defect, and is not taken for a plan that floats cannot make."""

    def crossed(*_: object) -> Enclosure:
        return Enclosure(F(2), F(1))

    monkeypatch.setattr(jumps.Jumps, "eps", crossed)
    monkeypatch.setattr(jumps.Jumps, "delta", crossed)
    pair = SubsampledGaussian(F(1, 100), F(1))
    for find, at in ((jumps.eps_of, (F(1, 10**6), 1.0)), (jumps.delta_of, (F(1), -12.0))):
        with ARB.active(), pytest.raises(ValueError, match="below the lower end"):
            find(ARB, ((pair, 3),), *at, F(1, 100))  # type: ignore[operator]


@pytest.mark.parametrize("tried", [[300, 2000, 10**6], [18_000]])
def test_a_grid_as_fine_as_the_last_try_is_not_followed_by_a_coarser_one(tried: list[int]) -> None:
    """What it says of the points that would be needed is known."""
    points = jumps._Points(ARB, F(1, 10**6), False)
    rounds = ((SubsampledGaussian(F(1, 10**5), F(13, 20), "removal"), 500),)
    finest = 0
    for points.next in tried:
        chosen = points.plan(rounds, 3.5, -50.0)
        assert chosen is not None
        assert finest < chosen[0].high <= jumps.MOST_POINTS
        finest = chosen[0].high
    points.next = 40_000
    assert points.plan(rounds, 3.5, -50.0) is None


def test_several_rounds_that_make_the_loss_are_no_few_jumps() -> None:
    """A grid of masses as small as one round's delta, 1e-1276, took a minute; simple bounds of ten rounds' hold."""
    pair, k = SubsampledGaussian(F(1, 2), F(5, 2)), 10
    with apart(1_000_000):
        found = subsampled.delta_in_one_orientation(ARB, pair, k, F(30))
        epsilon = subsampled.eps_in_one_orientation(ARB, pair, k, F(1, 10**300))
    assert 40 < epsilon.lower < epsilon.upper < 41

    def ratio(x: mpmath.mpf) -> mpmath.mpf:
        return (1 + mpmath.exp(x / 2.5 - 0.08)) / 2

    with mpmath.workdps(30):
        under_q = mpmath.ncdf(-9.5)
        all_large = ((mpmath.ncdf(0.4 - 9.5) + under_q) / 2) ** k - mpmath.exp(30) * under_q**k
        moment = mpmath.quad(lambda x: mpmath.npdf(x) * ratio(x) ** 23, [-20, 0, 5, 10, 20])
        assert 0 < all_large < real(found.lower) <= real(found.upper) < moment**k * mpmath.exp(-22 * 30)


def test_what_a_contour_says_of_two_rates_is_not_asked_of_a_grid() -> None:
    """It is narrow enough of rounds on samples; a grid for its last digits took all of an audit's work."""
    pairs = ((SubsampledGaussian(F(1, 62), F(39, 20)), 125), (SubsampledGaussian(F(1, 383), F(371, 100)), 163))
    run, delta = Composition.of([Round(pair, k) for pair, k in pairs]), F(1, 10**5)
    with apart(5_000_000):
        found = composed._eps("arb", run, delta)
    assert found is not None
    assert found.relative_width_at_most(composed.GRID_WIDTH)
    alone = evaluate(EPS, {"q": "1/62", "sigma": "39/20", "k": 125, "delta": "1e-5"}).enclosure
    assert alone is not None
    assert alone.lower < found.upper


@pytest.mark.parametrize(("times", "kept"), [("1.7", True), ("1.9", False)])
def test_jumps_that_are_as_narrow_as_stated_need_no_other_grid(times: str, kept: bool) -> None:
    """The width asked of each orientation is half of what is stated of both, which are as wide as the wider one."""
    pair = model.exchanged_pair(F(1, 728), F(99, 100), "fixed-size", "replace-one")
    assert pair is not None
    width, other = F(1, 2 * 10**4), Enclosure(F(1), F(1))
    known = Enclosure(1 - F(times) * width, F(1))
    part = Composition.of([Round(pair, 3351)])
    found = composed._gridded(part, F(1, 10**8), "arb", width, lambda *_: other, lambda *_: known)
    assert found is (known if kept else other)


@pytest.mark.parametrize("eps", [0.0, -1e-5])
def test_no_grid_is_planned_up_to_an_epsilon_that_is_not_above_0(eps: float) -> None:
    """Of a step below 0 the masses would be nonsense, and an epsilon of 0 was proved of them."""
    with pytest.raises(OutOfReachError):
        jumps.plan(((SubsampledGaussian(F(1, 10), F(1)), 2),), eps, -10.0, 300, 0.01)
