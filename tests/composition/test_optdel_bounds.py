"""Bounds on OptDel of unequal rounds: they enclose it, they close as asked, and they work on any grid."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from privref import catalogue
from privref.composition.optdel_bounds import StoppingRounds, _expected, lower_bound, optdel_bounds, upper_bound
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.statements.registry import evaluate
from tests.composition.optdel_oracles import contains, gain_recursion

F = Fraction
catalogue.load()


def _random_rounds(rng: random.Random, count: int) -> StoppingRounds:
    eps = tuple(F(rng.randint(1, 400), 1000) for _ in range(count))
    delta = tuple(rng.choice([F(0), F(1, 1000), F(1, 50)]) for _ in range(count))
    k = (*sorted(rng.sample(range(1, count), 2)), count)
    costs = tuple(sum(eps[:r], F(0)) * F(rng.randint(0, 9), 10) for r in k)
    return StoppingRounds(eps, delta, k, costs)


@pytest.mark.parametrize("seed", range(6))
def test_bounds_on_any_grid_enclose_the_value_over_all_words(seed: int) -> None:
    rng = random.Random(seed)
    rounds = _random_rounds(rng, 8)
    value = gain_recursion(rounds.eps, rounds.delta, rounds.k, rounds.E)
    for engine in ("arb", "mpmath"):
        ar = decide.engine(engine, 128)  # type: ignore[arg-type]
        for stride in (1, 3, 20, 150, 700):
            lower = lower_bound(ar, rounds, F(1, 1000), stride, 128)
            upper = upper_bound(ar, rounds, F(1, 1000), stride, 128)
            assert lower <= upper
            assert contains(Enclosure(lower, upper), value)


def test_the_bounds_close_as_asked() -> None:
    rng = random.Random(3)
    # Denominators without a common unit of fair size.
    eps = tuple(F(rng.randint(50, 300), 1000) + F(1, 10**7 + n) for n in range(30))
    rounds = StoppingRounds(eps, (F(1, 10**6),) * 30, (5, 15, 30), (F(1, 2), F(1), F(3, 2)))
    ar = decide.engine("arb", 128)
    before: Enclosure | None = None
    for gap in (F(1, 10**2), F(1, 10**3), F(1, 10**4), F(1, 10**5)):
        found = optdel_bounds(ar, rounds, gap)
        assert found.width <= gap
        if before is not None:
            assert found.intersection(before) is not None
            assert found.width < before.width
        before = found


def test_the_error_is_of_second_order_in_the_step() -> None:
    rounds = StoppingRounds((F(1, 10), F(3, 25)) * 20, (F(0),) * 40, (20, 40), (F(1, 2), F(1)))
    ar = decide.engine("arb", 128)
    wide, close = (
        upper_bound(ar, rounds, F(1, 1000), stride, 128) - lower_bound(ar, rounds, F(1, 1000), stride, 128)
        for stride in (64, 16)
    )
    assert close < wide / 6


def test_equal_rounds_give_the_exact_lattice() -> None:
    eps, k, cost = "1/10", [5, 10], ["1/4", "1/2"]
    inputs = {"eps": [eps] * 10, "delta": ["1e-6"] * 10, "k": k, "E": cost, "gap": "1e-20"}
    lower = evaluate("hartmann2022/thm15.optdel_lower", inputs).value
    upper = evaluate("hartmann2022/thm15.optdel_upper", inputs).value
    exact = evaluate("hartmann2022/thm15.optdel_eps", {"eps": eps, "delta": "1e-6", "k": k, "E": cost}).enclosure
    assert lower is not None
    assert upper is not None
    assert exact is not None
    assert F(lower) <= exact.upper
    assert exact.lower <= F(upper)
    assert F(upper) - F(lower) <= F(1, 10**20)


def test_nothing_to_claim_is_exact() -> None:
    inputs = {"eps": ["1/10", "1/7"], "delta": ["1/2", "1/2"], "k": [2], "E": ["1"], "gap": "1/10"}
    assert evaluate("hartmann2022/thm15.optdel_lower", inputs).value == "3/4"
    assert evaluate("hartmann2022/thm15.optdel_upper", inputs).value == "3/4"


@pytest.mark.parametrize(
    ("change", "field"),
    [({"gap": "0"}, "gap"), ({"k": [3]}, "eps"), ({"delta": ["0"]}, "delta"), ({"k": [2, 1]}, "k[1]")],
)
def test_bad_input_is_refused_with_its_field(change: dict[str, object], field: str) -> None:
    inputs: dict[str, object] = {"eps": ["1/10", "1/7"], "delta": ["0", "0"], "k": [2], "E": ["1/10"], "gap": "1/10"}
    with pytest.raises(InputError) as refusal:
        evaluate("hartmann2022/thm15.optdel_upper", inputs | change)
    assert refusal.value.field == field


@pytest.mark.parametrize("masses", [[(0, 3)], [(0, 5), (2, 9)], [(0, 16)]])
def test_expected_costs_are_rounded_up_by_less_than_a_unit(masses: list[tuple[int, int]]) -> None:
    """A cost that is too small would make the gain of a rule too large."""
    bits, row = 4, [7, 0, 16, 13, 1]
    found = _expected(row, masses, 3, bits, (1 << bits) - 1)
    exact = [sum(Fraction(w * row[place + a], 1 << bits) for a, w in masses) for place in range(len(found))]
    if len(masses) == 1:
        exact = [Fraction(masses[0][1] * entry, 1 << bits) for entry in row]
    assert len(found) == len(exact)
    assert all(value <= up < value + 1 for value, up in zip(exact, found, strict=True))
