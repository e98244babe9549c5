"""The inversion against laws written out one by one, against the grid, and against a published computation."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import privref
from privref.audit.facts import Facts
from privref.exact import decide
from privref.exact.errors import EnginesDisagree, UndecidedError
from privref.profiles import composed, grid, inversion
from privref.profiles.composed import dominating
from privref.profiles.inversion import FlooredLaplace
from privref.profiles.model import (
    Composition,
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    Pair,
    Response,
    Round,
    WorstApproximate,
)
from tests.profiles.test_grid import CONTEXT, WIDTH, delta, holds, laplace_delta, law, rationals, real, written_out

TEN = Fraction(1, 10**10)
#: Laws that are written out to far more digits than are compared.
ATOMIC = st.one_of(
    st.builds(Response, rationals(1, 20), st.integers(2, 4)),
    st.builds(Geometric, rationals(1, 9), st.integers(1, 3)),
    st.builds(DiscreteGaussian, rationals(1, 40), st.integers(1, 2)),
)
QUICK = settings(deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink])


def floored(law: FlooredLaplace) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """Losses and masses of Laplace noise of scale 1 rounded down, from its distribution function."""
    h = real(law.step)

    def cdf(x: mpmath.mpf) -> mpmath.mpf:
        return CONTEXT.exp(x) / 2 if x < 0 else 1 - CONTEXT.exp(-x) / 2

    def mass(x: int) -> mpmath.mpf:
        return cdf((x + 1) * h) - cdf(x * h) if x < 0 else CONTEXT.exp(-x * h) / 2 * (1 - CONTEXT.exp(-h))

    reach = int(60 / h)
    places = range(-reach, reach)
    return [(CONTEXT.log(mass(x) / mass(x - law.shift)), mass(x)) for x in places]


def value(pair: inversion.InvertiblePair, c: Fraction, t: Fraction, engine: decide.EngineName = "arb") -> tuple:
    ar = decide.engine(engine, 128)
    with ar.active():
        found = inversion.transform(inversion._Numbers(ar), pair, c, t)
        ends = [ar.enclosure(part) for part in found]
    assert ends[0] is not None
    assert ends[1] is not None
    return tuple(ends)


@settings(QUICK, max_examples=30)
@given(ATOMIC, rationals(1, 20), st.integers(-60, 60))
def test_transforms_are_the_sums_over_the_atoms(pair: Pair, c: Fraction, tenths: int) -> None:
    t = Fraction(tenths, 10)
    z = CONTEXT.mpc(real(c), real(t))
    exact = sum(mass * CONTEXT.exp(z * loss) for loss, mass in written_out(pair))
    x, y = value(pair, c, t)
    assert holds(x, exact.real)
    assert holds(y, exact.imag)
    assert x.width < Fraction(1, 10**15) * (1 + abs(x.upper))


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize("pair", [FlooredLaplace(Fraction(1, 3), 4), FlooredLaplace(Fraction(2, 3), 1)])
def test_the_transform_of_rounded_laplace_noise(pair: FlooredLaplace, engine: decide.EngineName) -> None:
    z = CONTEXT.mpc(1.5, 2)
    exact = sum(mass * CONTEXT.exp(z * loss) for loss, mass in floored(pair))
    x, y = value(pair, Fraction(3, 2), Fraction(2), engine)
    assert holds(x, exact.real)
    assert holds(y, exact.imag)


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_laplace_lies_between_its_two_lattice_mechanisms(parts: int) -> None:
    epsilon = Fraction(6, 5)
    less, more = floored(FlooredLaplace(epsilon / parts, parts)), written_out(Geometric(parts / epsilon, parts))
    for tenths in range(12):
        at = Fraction(tenths, 10)
        true = laplace_delta(epsilon, real(at))
        assert delta(less, at) <= true * (1 + CONTEXT.mpf(10) ** -20)
        assert true <= delta(more, at) * (1 + CONTEXT.mpf(10) ** -20)


@settings(QUICK, max_examples=25)
@given(st.lists(ATOMIC, min_size=1, max_size=2), rationals(0, 12))
def test_delta_of_atomic_laws_is_enclosed(pairs: list[Pair], eps: Fraction) -> None:
    try:
        found = inversion.delta_of(Composition.of([Round(pair) for pair in pairs]), eps)
    except UndecidedError:
        return
    assert holds(found, delta(law(pairs), eps))


@settings(QUICK, max_examples=20)
@given(
    st.lists(ATOMIC | st.builds(Laplace, rationals(1, 9)), min_size=1, max_size=2),
    st.integers(1, 12),
    st.sampled_from([None, Fraction(1, 2), Fraction(3)]),
    rationals(0, 30),
)
def test_both_engines_meet(pairs: list[Pair], times: int, mu_squared: Fraction | None, eps: Fraction) -> None:
    rounds = [Round(pair, times) for pair in pairs]
    composition = Composition.of([*rounds, Round(Gaussian(mu_squared))] if mu_squared else rounds)
    try:
        found = inversion.delta_of(composition, eps)
    except UndecidedError:
        return
    assert found.intersection(grid.delta_of(composition, eps, Fraction(1, 1000))) is not None
    if found.upper > Fraction(1, 10**30):
        assert found.relative_width_at_most(Fraction(1, 100))


@pytest.mark.parametrize(
    ("rounds", "asked", "lower", "upper"),
    [
        ([Round(Laplace(Fraction(1, 10)), 100)], Fraction(1, 10**6), "4.6925", "4.6928"),
        ([Round(Laplace(Fraction(1, 100)), 100_000)], Fraction(1, 10**6), "19.3816", "19.38173"),
        ([Round(Response(Fraction(1, 10)), 100)], Fraction(1, 10**6), "4.7745675", "4.7745676"),
        # gdp/profile.eps at mu^2 = 0.0104.
        ([Round(Gaussian(Fraction(13, 10000)), 8)], Fraction(1, 10**5), "0.3480242", "0.3480243"),
    ],
)
def test_many_rounds(rounds: list[Round], asked: Fraction, lower: str, upper: str) -> None:
    found = inversion.eps_of(Composition.of(rounds), asked, TEN)
    assert Fraction(lower) < found.lower <= found.upper < Fraction(upper)


def census(name: str) -> Composition:
    rounds = Facts.of(privref.ledger_from_document(privref.example_document(name, "ledger"))).mechanisms.laws
    assert rounds is not None
    return dominating(rounds)


def test_the_census_of_persons_as_another_group_computed_it() -> None:
    """Su, Su, Wang (arXiv 2410.09296), in floats with bounds."""
    found = inversion.eps_of(census("census2020-dhc-persons"), TEN, TEN)
    assert found.lower <= Fraction("24.456494") and Fraction("24.45649394") <= found.upper  # noqa: PT018
    assert found.relative_width_at_most(Fraction(1, 10**7))


def test_the_second_arithmetic_agrees() -> None:
    composition = Composition.of([Round(Gaussian(Fraction(1))), Round(Laplace(Fraction(1, 3)), 4)])
    first, second = (inversion.delta_of(composition, Fraction(2), engine) for engine in ("arb", "mpmath"))
    assert first.intersection(second) is not None
    assert second.relative_width_at_most(WIDTH)


def test_the_mass_of_infinite_loss_is_apart() -> None:
    worst = Composition.of([Round(WorstApproximate(Fraction(1, 10), Fraction(1, 100)), 2)])
    pure = law([Response(Fraction(1, 10)), Response(Fraction(1, 10))])
    survival = real(Fraction(99, 100)) ** 2
    assert holds(inversion.delta_of(worst, Fraction(1, 20)), 1 - survival * (1 - delta(pure, Fraction(1, 20))))
    assert inversion.delta_of(worst, Fraction(1, 5)).upper < Fraction(2, 100)


@pytest.mark.parametrize(
    "rounds",
    [
        [Round(DiscreteGaussian(Fraction(10007, 101), 1), 2), Round(DiscreteGaussian(Fraction(10009, 103), 1), 2)] * 9,
        [Round(Laplace(Fraction(1, 2))), Round(Laplace(Fraction(500009, 1000003)))],
    ],
)
def test_what_is_out_of_reach_is_said_to_be(rounds: list[Round]) -> None:
    spread = [Round(item.pair, item.count + i) for i, item in enumerate(rounds)]
    try:
        found = inversion.delta_of(Composition.of(spread), Fraction(1, 10))
    except UndecidedError as error:
        assert "out of reach" in str(error)  # noqa: PT017
    else:
        assert found.intersection(grid.delta_of(Composition.of(spread), Fraction(1, 10), WIDTH)) is not None


def test_a_disagreement_is_a_defect_and_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    composition = Composition.of([Round(Response(Fraction(1, 7)), 9)])
    wrong = privref.Enclosure(Fraction(1, 2), Fraction(1, 2))
    monkeypatch.setattr(composed, "_TO_DELTA", (*composed._TO_DELTA[:2], lambda *_, **__: wrong))
    with pytest.raises(EnginesDisagree):
        composed._delta("arb", composition, Fraction(1, 9))


def test_a_lattice_finer_than_floats_is_out_of_reach() -> None:
    """Three hundred scales of six digits have a common step below 10^-308."""
    rounds = [Round(Laplace(Fraction(1, 2 * 10**4 + 7 * i + 1))) for i in range(300)]
    with pytest.raises(UndecidedError):
        inversion.eps_of(Composition.of(rounds), Fraction(1, 10**10), Fraction(1, 10**6))
