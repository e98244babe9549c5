"""mv2016: against enumeration of all subsets, the equal-rounds formula, and between the three ways of computing it.

The oracle is Murtagh and Vadhan's sum itself, over all 2^k sets of rounds, at 60 digits.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import mpmath
import pytest

from privref.composition import heterogeneous, loss_convolution, loss_grid
from privref.composition.loss_convolution import FiniteRounds
from privref.exact import decide
from privref.exact.arithmetic import FloatArithmetic
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, UndecidedError
from privref.statements.registry import Answer, evaluate
from tests.oracles import encloses

MP = mpmath.mp.clone()
MP.dps = 60
TINY = MP.mpf(10) ** -45
ENGINES: tuple[decide.EngineName, ...] = ("arb", "mpmath")


def number(x: Fraction | int | str) -> mpmath.mpf:
    return MP.mpf(Fraction(x).numerator) / Fraction(x).denominator


def all_subsets(eps: list[Fraction]) -> list[mpmath.mpf]:
    """e^(sum of eps in S), over all sets S, by doubling."""
    sums = [MP.mpf(1)]
    for value in eps:
        growth = MP.exp(number(value))
        sums += [x * growth for x in sums]
    return sums


def oracle(eps: list[Fraction], delta: list[Fraction], eps_g: Fraction) -> mpmath.mpf:
    sums = all_subsets(eps)
    top, y = sums[-1], MP.exp(number(eps_g))
    scale = MP.fprod(1 + MP.exp(number(value)) for value in eps)
    pure = MP.fsum(x - y * (top / x) for x in sums if x > y * (top / x)) / scale
    return 1 - MP.fprod(1 - number(value) for value in delta) * (1 - pure)


def enclosed(answer: Answer) -> Enclosure:
    assert answer.enclosure is not None
    return answer.enclosure


def near(found: object, exact: Enclosure) -> bool:
    """Whether a double lies within 10^-12 of an enclosed value, relatively: what some dozens of roundings may do."""
    value = Fraction(float(found))  # type: ignore[arg-type]
    return exact.lower * (1 - Fraction(1, 10**12)) <= value <= exact.upper * (1 + Fraction(1, 10**12))


def assert_is_delta(found: Enclosure, exact: mpmath.mpf) -> None:
    assert number(found.lower) <= exact + TINY
    assert number(found.upper) >= exact - TINY


def assert_is_eps(found: Enclosure, eps: list[Fraction], delta: list[Fraction], delta_g: Fraction) -> None:
    """delta at the upper end is at most delta_g; at the lower end, unless that is 0, at least."""
    assert oracle(eps, delta, found.upper) <= number(delta_g) + TINY
    assert found.lower == 0 or oracle(eps, delta, found.lower) >= number(delta_g) - TINY


def random_ledger(source: random.Random, most: int) -> tuple[list[Fraction], list[Fraction]]:
    k = source.randint(1, most)
    eps = [Fraction(source.randint(0, 300), source.randint(1, 200)) for _ in range(k)]
    if source.random() < 0.5:
        eps = [source.choice(eps) for _ in range(k)]
    delta = [Fraction(source.choice((0, 0, 1)), 10 ** source.randint(2, 9)) for _ in range(k)]
    return eps, delta


@pytest.mark.parametrize("block", range(10))
def test_500_random_rational_ledgers_agree_with_enumeration(block: int) -> None:
    """Both engines, delta and epsilon; k <= 12."""
    source = random.Random(f"ledgers {block}")
    for number_in_block in range(50):
        eps, delta = random_ledger(source, 12 if number_in_block % 5 == 0 else 8)
        eps_g = Fraction(source.randint(0, 100), 100) * sum(eps)
        delta_g = Fraction(source.randint(1, 99), 10 ** source.randint(2, 7))
        inputs = {"eps": eps, "delta": delta}
        exact = oracle(eps, delta, eps_g)
        least = 1 - MP.fprod(1 - number(value) for value in delta)
        for engine in ENGINES:
            answer = evaluate("mv2016/optimal.delta", {**inputs, "eps_g": eps_g}, digits=12, engine=engine)
            assert_is_delta(enclosed(answer), exact)
            solved = evaluate("mv2016/optimal.eps", {**inputs, "delta_g": delta_g}, digits=12, engine=engine)
            if number(delta_g) < least - TINY:
                assert solved.value == "inf"
            else:
                assert_is_eps(enclosed(solved), eps, delta, delta_g)


@pytest.mark.parametrize("block", range(4))
def test_the_grid_encloses_what_enumeration_gives(block: int) -> None:
    """The loss grid is forced on ledgers that need none: both ends, at every delta and epsilon tried."""
    source = random.Random(f"grid {block}")
    for _ in range(12):
        eps, _ = random_ledger(source, 9)
        eps = [value for value in eps if value] or [Fraction(1, 3)]
        finite = heterogeneous.rounds(eps, [Fraction(0)] * len(eps)).finite
        ar = decide.engine(source.choice(ENGINES), 160)
        eps_g = Fraction(source.randint(0, 90), 100) * sum(eps)
        delta_g = Fraction(source.randint(1, 99), 10 ** source.randint(2, 12))
        with ar.active():
            delta = loss_convolution.grid_delta(ar, finite, eps_g, Fraction(1, 100))
            found = loss_convolution.grid_eps(ar, finite, lambda inner, d=delta_g: d, Fraction(1, 1000))  # type: ignore[misc]
        assert_is_delta(delta, oracle(eps, [], eps_g))
        assert_is_eps(found, eps, [], delta_g)
        assert found.upper == 0 or found.relative_width_at_most(Fraction(1, 1000))


@pytest.mark.parametrize("tilt", [Fraction(0), Fraction(2)])
def test_epsilons_off_the_fine_unit_are_rounded_in_the_sound_direction(tilt: Fraction) -> None:
    """With a fine unit so coarse that rounding the epsilons to it is what matters."""
    eps = [Fraction(n, 7) for n in (1, 2, 3, 4)]
    grid = loss_grid.Grid(Fraction(1, 64), 1, 90, tilt)
    ar = decide.engine("arb", 192)
    with ar.active():
        setting = loss_convolution.Setting(grid, 20.0, exact=False)
        profile = loss_convolution.convolve(ar, FiniteRounds(tuple((value, 1) for value in eps)), setting)
        for eps_g in (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(13, 10)):
            lower, upper = ar.enclosure(profile.delta_lower(ar, eps_g)), ar.enclosure(profile.delta_upper(ar, eps_g))
            assert lower is not None
            assert upper is not None
            exact = oracle(eps, [], eps_g)
            assert number(lower.upper) < exact < number(upper.lower)
            assert exact / 2 < number(lower.lower)
            assert number(upper.upper) < 2 * exact


@pytest.mark.parametrize("seed", range(6))
def test_the_lattice_agrees_with_enumeration_to_many_digits(seed: int) -> None:
    source = random.Random(f"lattice {seed}")
    eps = [Fraction(source.randint(1, 40), 20) for _ in range(11)]
    finite = heterogeneous.rounds(eps, [Fraction(0)] * len(eps)).finite
    unit = Fraction(1, 20)
    eps_g, delta_g = sum(eps) * Fraction(source.randint(0, 80), 100), Fraction(1, 10 ** source.randint(1, 9))
    for engine in ENGINES:
        ar = decide.engine(engine, 160)
        with ar.active():
            delta = loss_convolution.lattice_delta(ar, finite, eps_g, unit)
            found = loss_convolution.lattice_eps(ar, finite, lambda inner: delta_g, unit)
        assert_is_delta(delta, oracle(eps, [], eps_g))
        assert delta.relative_width_at_most(Fraction(1, 10**35))
        assert_is_eps(found, eps, [], delta_g)
        assert found.upper == 0 or found.relative_width_at_most(Fraction(1, 10**35))


@pytest.mark.parametrize(("k", "delta_g"), [(1, "1/10"), (10, "1e-3"), (1000, "1e-30"), (100_000, "1e-9")])
def test_equal_rounds_agree_with_kairouz_oh_viswanath(k: int, delta_g: str) -> None:
    """On the grid, which is not told that the closed form exists."""
    eps = Fraction(1, 100)
    exact = enclosed(evaluate("kov2015/optimal.eps", {"eps": eps, "k": k, "delta_g": delta_g}, digits=40))
    finite = FiniteRounds(((eps, k),))
    ar = decide.engine("arb", 192)
    with ar.active():
        found = loss_convolution.grid_eps(ar, finite, lambda inner: Fraction(delta_g), Fraction(1, 10**6))
        delta = loss_convolution.grid_delta(ar, finite, exact.upper, Fraction(1, 10**6))
    assert encloses(found, exact)
    assert found.relative_width_at_most(Fraction(1, 10**6))
    assert delta.lower <= Fraction(delta_g)
    if k < 100_000:
        same = evaluate("mv2016/optimal.eps", {"eps": [eps] * k, "delta": ["0"] * k, "delta_g": delta_g}, digits=15)
        assert encloses(enclosed(same), exact)


def test_a_delta_of_1e_minus_30_loses_nothing() -> None:
    """200 rounds of 40 different epsilons: the grid is as good there as at 1e-3, and agrees with the lattice."""
    source = random.Random("tiny")
    values = [Fraction(source.randint(1, 100), 1000) for _ in range(40)]
    finite = heterogeneous.rounds(values * 5, [Fraction(0)] * 200).finite
    ar = decide.engine("arb", 192)
    for delta_g in (Fraction(1, 10**3), Fraction(1, 10**30), Fraction(1, 10**60)):
        with ar.active():
            exact = loss_convolution.lattice_eps(ar, finite, lambda inner, d=delta_g: d, Fraction(1, 1000))  # type: ignore[misc]
            found = loss_convolution.grid_eps(ar, finite, lambda inner, d=delta_g: d, Fraction(1, 10**5))  # type: ignore[misc]
            delta = loss_convolution.grid_delta(ar, finite, exact.lower, Fraction(1, 10**4))
        assert found.relative_width_at_most(Fraction(1, 10**5))
        assert exact.relative_width_at_most(Fraction(1, 10**40))
        assert found.lower <= exact.lower <= exact.upper <= found.upper
        assert delta.relative_width_at_most(Fraction(1, 10**4))
        assert delta.lower <= delta_g * (1 + Fraction(1, 10**20))
        assert delta.upper >= delta_g


def test_the_interval_shrinks_as_asked() -> None:
    source = random.Random("shrinks")
    eps = [Fraction(source.randint(10**8, 10**9), 10**10) for _ in range(60)]
    finite = heterogeneous.rounds(eps, [Fraction(0)] * 60).finite
    ar = decide.engine("arb", 192)
    last: Enclosure | None = None
    for digits in (1, 2, 3, 4, 5):
        width = Fraction(1, 10**digits)
        with ar.active():
            found = loss_convolution.grid_eps(ar, finite, lambda inner: Fraction(1, 10**6), width)
        assert found.relative_width_at_most(width)
        assert found.lower < found.upper
        assert last is None or last.intersection(found) is not None
        last = found


def test_a_large_ledger_of_arbitrary_epsilons_is_enclosed_to_the_stated_width() -> None:
    source = random.Random("stated")
    eps = [Fraction(source.randint(10**8, 10**9), 10**10) for _ in range(60)]
    inputs = {"eps": eps, "delta": ["1e-9"] * 60}
    for engine in ENGINES:
        found = enclosed(evaluate("mv2016/optimal.eps", {**inputs, "delta_g": "1e-6"}, digits=30, engine=engine))
        assert not found.relative_width_at_most(Fraction(1, 10**20))
        assert found.relative_width_at_most(heterogeneous.STATED_WIDTH)
        for end, kept in ((found.lower, False), (found.upper, True)):
            back = enclosed(evaluate("mv2016/optimal.delta", {**inputs, "eps_g": end}, digits=30, engine=engine))
            assert back.relative_width_at_most(heterogeneous.STATED_DELTA_WIDTH)
            assert (back.lower <= Fraction("1e-6")) if kept else (back.upper >= Fraction("1e-6"))


def test_a_tie_of_the_deltas_is_seen() -> None:
    """One (eps, delta) round at its own delta: exactly eps; a little less: nothing finite; a little more: less."""
    inputs = {"eps": ["0.1", "0.3"], "delta": ["1e-6", "0"]}
    assert evaluate("mv2016/optimal.eps", {**inputs, "delta_g": "1e-6"}).value == "2/5"
    assert evaluate("mv2016/optimal.eps", {**inputs, "delta_g": "9.99e-7"}).value == "inf"
    assert enclosed(evaluate("mv2016/optimal.eps", {**inputs, "delta_g": "1.001e-6"})).upper < Fraction(2, 5)


@pytest.mark.parametrize(
    ("inputs", "value"),
    [
        ({"eps": [], "delta": [], "delta_g": "0"}, "0"),
        ({"eps": ["0", "0"], "delta": ["0", "0"], "delta_g": "0"}, "0"),
        ({"eps": ["1", "2"], "delta": ["0", "0"], "delta_g": "0"}, "3"),
        ({"eps": ["1", "2"], "delta": ["0", "1"], "delta_g": "1/2"}, "inf"),
        ({"eps": ["1", "2"], "delta": ["0", "1"], "delta_g": "1"}, "0"),
        ({"eps": ["1", "2"], "delta": ["0", "0"], "delta_g": "9/10"}, "0"),
        ({"eps": ["0"], "delta": ["1/10"], "delta_g": "1/10"}, "0"),
    ],
)
def test_corners_of_epsilon(inputs: dict[str, object], value: str) -> None:
    assert evaluate("mv2016/optimal.eps", inputs).value == value


@pytest.mark.parametrize(
    ("inputs", "value"),
    [
        ({"eps": [], "delta": [], "eps_g": "0"}, "0"),
        ({"eps": ["1", "2"], "delta": ["0", "0"], "eps_g": "3"}, "0"),
        ({"eps": ["1", "2"], "delta": ["0", "1"], "eps_g": "3"}, "1"),
    ],
)
def test_corners_of_delta(inputs: dict[str, object], value: str) -> None:
    assert evaluate("mv2016/optimal.delta", inputs).value == value


def test_what_no_plan_holds_is_undecided_and_not_an_error() -> None:
    """An epsilon of 1e-200 among many different ones."""
    source = random.Random("unplannable")
    eps = [Fraction(source.randint(10**8, 10**9), 10**10) for _ in range(40)] + [Fraction(1, 10**200)]
    with pytest.raises(UndecidedError, match="loss grid"):
        evaluate("mv2016/optimal.eps", {"eps": eps, "delta": ["0"] * 41, "delta_g": "1e-6"})


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="delta"):
        evaluate("mv2016/optimal.delta", {"eps": ["1", "2"], "delta": ["0"], "eps_g": "0"})


def test_above_the_sum_only_the_deltas_are_left() -> None:
    found = enclosed(evaluate("mv2016/optimal.delta", {"eps": ["1", "2"], "delta": ["0.1", "0.2"], "eps_g": "3"}))
    assert found.contains(Fraction(28, 100))
    assert found.relative_width_at_most(Fraction(1, 10**29))


# --- with Gaussian rounds ----------------------------------------------------------------------------------------


def mixed_oracle(eps: list[Fraction], delta: list[Fraction], mu: list[Fraction], eps_g: Fraction) -> mpmath.mpf:
    """The hockey stick of the whole product, integrated over the Gaussian's loss by its profile."""
    spread = MP.sqrt(MP.fsum(number(value) ** 2 for value in mu))
    pure = MP.mpf(0)
    for signs in itertools.product((1, -1), repeat=len(eps)):
        loss = MP.fsum(s * number(value) for s, value in zip(signs, eps, strict=True))
        weight = MP.fprod(1 / (1 + MP.exp(-s * number(value))) for s, value in zip(signs, eps, strict=True))
        ratio, half = (number(eps_g) - loss) / spread, spread / 2
        pure += weight * (MP.ncdf(half - ratio) - MP.exp(number(eps_g) - loss) * MP.ncdf(-half - ratio))
    return 1 - MP.fprod(1 - number(value) for value in delta) * (1 - pure)


MIXED = (
    [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(2, 7)],
    [Fraction(0), Fraction(1, 1000), Fraction(0), Fraction(0)],
    [Fraction(1, 4), Fraction(2, 3)],
)


@pytest.mark.parametrize("engine", ENGINES)
def test_mixed_ledgers_agree_with_the_sum_over_signs(engine: decide.EngineName) -> None:
    eps, delta, mu = MIXED
    inputs = {"eps": eps, "delta": delta, "mu": mu}
    for eps_g in (Fraction(0), Fraction(1), Fraction(3)):
        answer = evaluate("mv2016/mixed.delta", {**inputs, "eps_g": eps_g}, digits=20, engine=engine)
        assert_is_delta(enclosed(answer), mixed_oracle(eps, delta, mu, eps_g))
        assert enclosed(answer).relative_width_at_most(Fraction(1, 10**18))
    found = enclosed(evaluate("mv2016/mixed.eps", {**inputs, "delta_g": "1/500"}, digits=12, engine=engine))
    assert mixed_oracle(eps, delta, mu, found.upper) <= MP.mpf(1) / 500 <= mixed_oracle(eps, delta, mu, found.lower)
    assert evaluate("mv2016/mixed.eps", {**inputs, "delta_g": "1/1000"}, engine=engine).value == "inf"


def test_a_mixed_ledger_on_the_grid_agrees_with_the_sum_over_signs() -> None:
    eps, _, mu = MIXED
    finite = heterogeneous.rounds(eps, [Fraction(0)] * len(eps), mu).finite
    ar = decide.engine("arb", 192)
    for eps_g, delta_g in ((Fraction(0), Fraction(1, 100)), (Fraction(3), Fraction(1, 10**9))):
        with ar.active():
            delta = loss_convolution.grid_delta(ar, finite, eps_g, Fraction(1, 1000))
            found = loss_convolution.grid_eps(ar, finite, lambda inner, d=delta_g: d, Fraction(1, 1000))  # type: ignore[misc]
        assert_is_delta(delta, mixed_oracle(eps, [], mu, eps_g))
        assert delta.relative_width_at_most(Fraction(1, 1000))
        assert found.relative_width_at_most(Fraction(1, 1000))
        below, above = (mixed_oracle(eps, [], mu, end) for end in (found.upper, found.lower))
        assert below <= number(delta_g) <= above


def test_gaussian_rounds_alone_are_the_gaussian_profile() -> None:
    inputs = {"eps": [], "delta": [], "mu": ["3/5", "4/5"]}
    mixed = enclosed(evaluate("mv2016/mixed.delta", {**inputs, "eps_g": "1/2"}, digits=25))
    alone = enclosed(evaluate("gdp/profile.delta", {"mu": "1", "eps": "1/2"}, digits=25))
    assert mixed.intersection(alone) is not None
    mixed = enclosed(evaluate("mv2016/mixed.eps", {**inputs, "delta_g": "1e-6"}, digits=25))
    alone = enclosed(evaluate("gdp/profile.eps", {"mu": "1", "delta": "1e-6"}, digits=25))
    assert mixed.intersection(alone) is not None


def test_other_arithmetics_run_too() -> None:
    """Floats get what fast code would; they are no bound, but they are near."""
    ar = FloatArithmetic()
    ledger = heterogeneous.rounds([Fraction(1, 10), Fraction(1, 3)], [Fraction(0)] * 2)
    found = heterogeneous.optimal_delta(ar, ledger, Fraction(1, 10))
    exact = enclosed(evaluate("mv2016/optimal.delta", {"eps": ["1/10", "1/3"], "delta": ["0", "0"], "eps_g": "1/10"}))
    assert near(found, exact)
    mixed = heterogeneous.rounds([Fraction(1, 10), Fraction(1, 3)], [Fraction(0)] * 2, [Fraction(1)])
    solved = heterogeneous.optimal_eps(ar, mixed, Fraction(1, 100))
    again = heterogeneous.optimal_delta(ar, mixed, Fraction(float(solved)))  # type: ignore[arg-type]
    assert near(again, Enclosure(Fraction(1, 100), Fraction(1, 100)))


def test_a_delta_of_one_needs_no_epsilon() -> None:
    """Even where an event gives everything away, which nothing smaller forgives."""
    ledger = {"eps": ["1", "2"], "delta": ["0", "1"]}
    assert evaluate("mv2016/optimal.eps", ledger, delta_g="1").value == "0"
    assert evaluate("mv2016/optimal.eps", ledger, delta_g="1/2").value == "inf"


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_what_many_long_deltas_leave_is_enclosed_around_the_rational(engine: decide.EngineName) -> None:
    """300 deltas of a hundred bits each are not multiplied out; here they are: 1 - (1 - delta_g)/prod (1 - delta_i)."""
    deltas = tuple((Fraction(1, 10**30 + i) + Fraction(i, 10**9), 1) for i in range(300))
    delta_g = Fraction(1, 10**3)
    rest = 1 - delta_g
    for delta, _ in deltas:
        rest /= 1 - delta
    found = decide.enclose(
        lambda ar: heterogeneous.finite_delta(ar, deltas, delta_g), decide.engine(engine), Fraction(1, 10**20)
    )
    assert found.lower < 1 - rest < found.upper
