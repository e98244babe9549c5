"""The contour of the subsampled Gaussian: against formulas, quadrature, the grid, and itself along other lines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref.exact import decide
from privref.exact.complex_interval import plane
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError
from privref.exact.interval import Ball
from privref.profiles import contour_plan, subsampled
from privref.profiles.contour import Contour, Transform
from privref.profiles.contour_plan import Nodes
from privref.profiles.model import SubsampledGaussian
from privref.statements.registry import evaluate
from proofs.zdw2022.poisson import in_one_orientation, one_round, real
from tests.oracles import encloses, meets

F = Fraction


def both(q: Fraction, sigma: Fraction) -> list[SubsampledGaussian]:
    return [SubsampledGaussian(q, sigma, "removal"), SubsampledGaussian(q, sigma, "addition")]


def delta(pair: SubsampledGaussian, k: int, eps: Fraction, engine: decide.EngineName = "arb"):
    ar = decide.engine(engine, 128)
    with ar.active():
        return subsampled.delta_in_one_orientation(ar, pair, k, eps)


@settings(max_examples=12, deadline=None)
@given(q=st.integers(2, 90), sigma=st.integers(8, 40), k=st.integers(1, 2), eps=st.integers(0, 10), add=st.booleans())
def test_one_and_two_rounds_are_their_integrals(q: int, sigma: int, k: int, eps: int, add: bool) -> None:
    """The formula of one round, and its integral over the first of two, are enclosed, or nothing is claimed."""
    rate, noise, at = F(q, 100), F(sigma, 10), F(eps, 20)
    pair = both(rate, noise)[add]
    try:
        found = delta(pair, k, at)
    except UndecidedError:
        return
    assert meets(found, Enclosure(*in_one_orientation(rate, noise, k, at, not add)))


@pytest.mark.parametrize("pair", both(F(1, 20), F(2)), ids=lambda pair: pair.orientation)
def test_other_lines_enclose_the_same(pair: SubsampledGaussian) -> None:
    """Other abscissas, cuts and tolerances are other error terms of one value: all enclosures meet."""
    k, eps = 200, F(3, 5)
    ar = decide.engine("arb", 128)
    guess = contour_plan.at_eps_of(pair, k, float(eps), None, 1e-6)
    law, near = guess.law, guess.at.abscissa
    found = []
    for factor in (0.6, 0.8, 1.0, 1.2, 1.4):
        at = contour_plan.Saddle(near * factor, float(eps), guess.at.log_delta)
        line = contour_plan.plan(contour_plan.Guess(law, at), k, guess.at.log_delta, 1e-7)
        found.append(Contour(ar, pair, k, line).delta(eps))
    for one in found:
        assert one.relative_width_at_most(F(1, 10**5))
        for other in found:
            assert one.intersection(other) is not None


def test_a_wider_line_is_not_a_narrower_claim() -> None:
    """Fewer nodes than the plan's widen the enclosure and do not move it off the value."""
    pair, k, eps = both(F(1, 20), F(2))[0], 200, F(3, 5)
    ar = decide.engine("arb", 128)
    truth = delta(pair, k, eps)
    guess = contour_plan.at_eps_of(pair, k, float(eps), None, 1e-6)
    line = contour_plan.plan(guess, k, guess.at.log_delta, 1e-7)
    coarse = replace(line.law, step=line.law.step * 2, first=line.law.first // 2, last=line.law.last // 2)
    for change in (
        {"nodes": 8},
        {"period": line.period / 3},
        {"second": line.abscissa * F(21, 20)},
        {"law": coarse},
        {"law": replace(line.law, last=line.law.last // 2)},
        {"outer": replace(line.outer, first=line.outer.first // 3)},
        {"top": contour_plan.Cut(F(4), F(1, 2))},
    ):
        found = Contour(ar, pair, k, replace(line, **change)).delta(eps)
        assert encloses(found, truth), change
        assert found.width > truth.width, change


@pytest.mark.parametrize("pair", both(F(1, 20), F(2)))
@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_a_search_rests_on_the_middle_of_what_is_proved(pair: SubsampledGaussian, engine: decide.EngineName) -> None:
    ar = decide.engine(engine, 128)
    guess = contour_plan.at_eps_of(pair, 200, 0.6, None, 1e-6)
    contour = Contour(ar, pair, 200, contour_plan.plan(guess, 200, guess.at.log_delta, 1e-4))
    about, proved = contour.about(F(3, 5)), contour.delta(F(3, 5))
    assert about.width < proved.width
    assert abs((about.lower + about.upper) - (proved.lower + proved.upper)) < proved.width / 1000


def test_four_nodes_bound_from_above_what_they_leave_out() -> None:
    """Their sum alone is below the value: without the bound of the nodes left out it would be called an upper bound."""
    pair, k, eps = both(F(1, 20), F(2))[0], 200, F(3, 5)
    ar = decide.engine("arb", 128)
    guess = contour_plan.at_eps_of(pair, k, float(eps), None, 1e-6)
    line = contour_plan.plan(guess, k, guess.at.log_delta, 1e-7)
    truth = Contour(ar, pair, k, line).delta(eps)
    few = Contour(ar, pair, k, replace(line, nodes=4))
    assert few.delta(eps).upper >= truth.lower
    with ar.active():
        alone = ar.enclosure(few.bounds(eps)[1] - ar.exp(-few.c * eps) * few.outer)
    assert alone is not None
    assert alone.upper < truth.lower


@pytest.mark.parametrize("pair", both(F(1, 10), F(3)), ids=lambda pair: pair.orientation)
def test_the_second_engine_encloses_the_same(pair: SubsampledGaussian) -> None:
    first, second = delta(pair, 40, F(1)), delta(pair, 40, F(1), "mpmath")
    assert first.intersection(second) is not None
    assert second.relative_width_at_most(F(1, 10**5))


def test_the_planes_of_both_engines_agree() -> None:
    """Sums, powers and angles, each against mpmath's complex numbers."""
    weights, points, k = [F(1, 3), F(1, 7), F(2, 5)], [F(-1, 2), F(3, 4), F(5, 3)], 5
    with mpmath.workdps(40):
        for name in ("arb", "mpmath"):
            ar = decide.engine(name, 128)
            with ar.active():
                field = plane(ar)
                w, x = ([ar.real(value) for value in values] for values in (weights, points))
                _, sums = field.oscillating_sums([x, w], x, ar.real(F(2, 3)), 7)
                terms = field.powers_over_kernel(sums, ar.real(0), k, ar.real(F(1, 2)), ar.real(F(2, 3)))
                found = ar.enclosure(field.trigonometric_sum(terms).real_part(ar.real(F(-9, 10))))
                angles = [ar.enclosure(field.angle(ar.real(a), ar.real(b))) for a, b in ((3, 2), (-1, 2), (2, 0))]
            truth = mpmath.mpf(0)
            for n in range(7):
                t = mpmath.mpf(2) / 3 * n
                m = sum(real(a) * mpmath.expj(t * real(b)) for a, b in zip(weights, points, strict=True))
                z = mpmath.mpc("0.5", t)
                truth += ((2 if n else 1) * m**k / (z * (z + 1)) * mpmath.expj(mpmath.mpf(-9) / 10 * n)).real
            assert real(found.lower) - mpmath.mpf("1e-27") <= truth <= real(found.upper) + mpmath.mpf("1e-27")
            assert found.width < F(1, 10**25)
            for (a, b), angle in zip(((3, 2), (-1, 2), (2, 0)), angles, strict=True):
                assert real(angle.lower) - mpmath.mpf("1e-27") <= mpmath.atan2(b, a)
                assert mpmath.atan2(b, a) <= real(angle.upper) + mpmath.mpf("1e-27")


@pytest.mark.parametrize("wide", [F(0), F(1, 2**40), F(1, 8)])
def test_turns_of_the_second_engine_enclose_every_number_of_their_intervals(wide: Fraction) -> None:
    """Against balls of many more bits; where all is exact only the rounding of each product is left."""
    fine, coarse = decide.engine("arb", 512), decide.engine("mpmath", 96)
    # A sum that vanishes shows the rounding alone: its ends are not rounded to as many bits.
    weights = [[F(1), F(1), F(2)], [F(1), F(-1), F(0)], [F(1, 3), F(-7, 5), F(3, 10**40)], [F(0), F(0), F(0)]]
    for points, step in (([F(1), F(-1), F(0)], F(1)), ([F(10, 7), F(-1, 9), F(800)], F(2, 3))):

        def around(ar: Any, value: Fraction) -> Any:
            return ar.hull(ar.real(value - wide / 3), ar.real(value + wide)) if wide else ar.real(value)

        with coarse.active():
            given = [[around(coarse, w) for w in each] for each in weights]
            found = plane(coarse).oscillating_sums(given, [around(coarse, x) for x in points], coarse.real(step), 150)
        for shift in {-wide / 3, F(0), wide}:
            with fine.active():
                exact = plane(fine).oscillating_sums(
                    [[fine.real(w + shift) for w in each] for each in weights],
                    [fine.real(x + shift) for x in points], fine.real(step), 150,
                )  # fmt: skip
                parts = [[(fine.enclosure(Ball(z.real)), fine.enclosure(Ball(z.imag))) for z in each] for each in exact]
            for ours, theirs in zip(found, parts, strict=True):
                for n, (pair, truths) in enumerate(zip(ours, theirs, strict=True)):
                    for part, truth in zip(pair, truths, strict=True):
                        enclosed = coarse.enclosure(part)
                        assert enclosed is not None
                        assert truth is not None
                        assert enclosed.lower <= truth.lower
                        assert truth.upper <= enclosed.upper
                        assert wide or enclosed.width <= F(801 * n + 1, 2**92)


@pytest.mark.parametrize(
    ("q", "sigma", "k", "delta", "eps"),
    [
        ("4096/50000", "10", 875, "1e-5", "0.90276"),
        ("16384/50000", "21.1", 250, "1e-5", "0.91211"),
        ("16384/1281167", "2.5", 71589, "8e-7", "7.44015"),
        ("1/100", "1/2", 10000, "1e-5", "43.36648"),
        pytest.param("517989/12695312500", "0.614", 100000, "1.1e-10", "1.71053", marks=pytest.mark.exhaustive),
    ],
)
def test_published_runs(q: str, sigma: str, k: int, delta: str, eps: str) -> None:
    """The epsilon of training runs as they were published, narrower than a millionth; little noise, many rounds."""
    found = evaluate("zdw2022/poisson_gaussian.eps", {"q": q, "sigma": sigma, "k": k, "delta": delta}).enclosure
    assert found is not None
    assert found.relative_width_at_most(F(1, 10**6))
    assert F(eps) <= found.lower <= found.upper <= F(eps) + F(2, 10**5)


def test_near_rate_one_it_is_the_gaussian() -> None:
    inputs = {"sigma": "10", "k": 10, "delta": "1e-5"}
    near = evaluate("zdw2022/poisson_gaussian.eps", {"q": "9999999999/10000000000", **inputs}).enclosure
    one = evaluate("zdw2022/poisson_gaussian.eps", {"q": "1", **inputs}).enclosure
    assert near is not None
    assert one is not None
    assert near.lower < one.upper
    assert one.upper - near.lower < F(1, 10**7)


def test_what_is_out_of_reach_is_refused() -> None:
    """The refusal is one line, and comes from the plan: little time is spent."""
    with pytest.raises(UndecidedError, match="no contour or grid within the work allowed"):
        evaluate("zdw2022/poisson_gaussian.eps", {"q": "1/10", "sigma": "1/1000", "k": 5, "delta": "1e-5"})


@pytest.mark.parametrize(
    "change", [{"second": F(1, 10**6)}, {"nodes": 1}, {"shift": F(-1, 8)}, {"shift": F(7)}, {"period": F(-9)}]
)
def test_a_line_on_which_no_bound_holds_is_no_line(change: dict[str, object]) -> None:
    """Aliases need the second abscissa above the first; paths stay below the zeros of R, at pi s = 6.28."""
    pair = both(F(1, 20), F(2))[0]
    guess = contour_plan.at_eps_of(pair, 200, 0.6, None, 1e-6)
    line = replace(contour_plan.plan(guess, 200, guess.at.log_delta, 1e-7), **change)
    with pytest.raises(UndecidedError, match=r"^a (line|strip) "):
        Contour(decide.engine("arb", 128), pair, 200, line).delta(F(3, 5))


def test_what_no_plan_may_have_is_refused_before_it_is_a_bound() -> None:
    """A negative strip or width would take an error away; an addition's top would leave out what is not counted."""
    removal, addition = both(F(1, 20), F(2))
    ar = decide.engine("arb", 128)
    nodes = Nodes(F(2, 5), -30, 30, F(-1))
    with ar.active():
        with pytest.raises(UndecidedError, match="half-width"):
            Transform(ar, removal).error(ar.real(1), nodes, F(0))
        with pytest.raises(UndecidedError, match="top for a removal only"):
            Transform(ar, addition, contour_plan.Cut(F(3), F(1)))
    with pytest.raises(ValueError, match="width above 0"):
        contour_plan.Cut(F(3), F(-1))
    with pytest.raises(ValueError, match="step above 0"):
        replace(nodes, step=F(0))


@pytest.mark.parametrize("height", [F(1, 2), F(1), F(3, 2), F(9, 5)])
def test_a_shifted_path_beyond_a_quarter_turn(height: F) -> None:
    """There the sum over y is of what falls with T too: it is no smaller than the integral on the path."""
    pair, c, t = SubsampledGaussian(F(3, 10), F(1)), F(1, 2), F(20)
    ar = decide.engine("arb", 192)
    with ar.active():
        law = Transform(ar, pair)
        nodes = Nodes(F(1, 4), -40, 60, F(13, 10))
        found = ar.enclosure(law.beyond(ar.real(c), nodes, None, height, t))
    with mpmath.workdps(30):
        z, q = mpmath.mpc("1.5", 20), mpmath.mpf("0.3")
        ys = [mpmath.mpf(n) / 32 for n in range(-400, 500)]
        transform = mpmath.fsum(mpmath.npdf(y) * (1 - q + q * mpmath.exp(y - 0.5)) ** z for y in ys) / 32
        path = [mpmath.mpc(y, real(height)) for y in ys]
        on_path = mpmath.fsum(abs(mpmath.npdf(y) * (1 - q + q * mpmath.exp(y - 0.5)) ** z) for y in path) / 32
        assert abs(transform) <= real(found.upper)
        assert on_path <= real(found.upper) * (1 + mpmath.mpf("1e-12"))
        assert real(found.upper) <= on_path * (1 + mpmath.mpf("1e-3"))


def test_a_strip_about_a_shifted_path_is_not_too_high() -> None:
    """Higher up the argument of the ratio falls again, and the factor e^(-T arg) is no longer at most 1."""
    pair = SubsampledGaussian(Fraction(1, 100), Fraction(1))
    ar = decide.engine("arb", 192)
    nodes = Nodes(Fraction(2, 5), -30, 30, Fraction(29, 10))
    with ar.active():
        law = Transform(ar, pair, None)
        with pytest.raises(UndecidedError, match="shifted path"):
            law.beyond(ar.real(Fraction(1, 2)), nodes, None, Fraction(1, 5), Fraction(10**4))
        low = replace(nodes, strip=Fraction(3, 2))
        assert ar.enclosure(law.beyond(ar.real(Fraction(1, 2)), low, None, Fraction(1, 5), Fraction(10**4))) is not None


@pytest.mark.parametrize("eps", ["10", "50"])
def test_one_round_has_a_closed_form(eps: str) -> None:
    """At any epsilon, with all digits, and its inverse."""
    inputs = {"q": "1/100", "sigma": "1", "k": "1"}
    found = evaluate("zdw2022/poisson_gaussian.delta", {**inputs, "eps": eps}).enclosure
    assert found is not None
    assert found.relative_width_at_most(F(1, 10**7))
    with mpmath.workdps(40):
        exact = one_round(real(F(1, 100)), mpmath.mpf(1), real(F(eps)), True)
        assert abs(real(found.lower) / exact - 1) < mpmath.mpf("1e-7")
    back = evaluate("zdw2022/poisson_gaussian.eps", {**inputs, "delta": found.upper}).enclosure
    assert back is not None
    assert abs(back.upper - F(eps)) < F(1, 10**6)


def test_a_plan_that_floats_cannot_make_is_out_of_reach() -> None:
    """No abscissa, no error allowed, a delta beyond all exponents: a refusal that callers know, not a float's error."""
    guess = contour_plan.at_eps_of(both(F(1, 20), F(2))[0], 200, 0.6, None, 1e-6)
    at = guess.at
    for abscissa, log_delta, tolerance in (
        (0.0, at.log_delta, 1e-7), (at.abscissa, at.log_delta, 0.0), (at.abscissa, -1e308, 1e-7),
    ):  # fmt: skip
        with pytest.raises(contour_plan.OutOfReachError):
            contour_plan.plan(replace(guess, at=replace(at, abscissa=abscissa)), 200, log_delta, tolerance)
