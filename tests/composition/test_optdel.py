"""OptDel (hartmann2022/thm15): the recursion against the theorem's own maximum over all prefix-disjoint families."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref import catalogue
from privref.composition.optdel import (
    StopRow,
    equal_rational,
    exact_equal_delta,
    exact_unequal_delta,
    lattice_delta,
    run_pass,
)
from privref.exact import decide
from privref.exact.errors import InputError, UndecidedError
from privref.statements.registry import evaluate
from tests.composition.optdel_oracles import (
    brute_force,
    contains,
    equal_gain_recursion,
    family_values,
    gain_recursion,
    patterns,
)

F = Fraction
catalogue.load()


def _parameters(rng: random.Random, rounds: int, cells: int, pure: bool) -> tuple[list[F], list[F], list[F]]:
    x = [1 + F(rng.randint(0, 12), rng.randint(4, 8)) for _ in range(rounds)]
    d = [F(0) if pure else F(rng.randint(0, 6), 20) for _ in range(rounds)]
    y = [1 + F(rng.randint(0, 16), rng.randint(4, 8)) for _ in range(cells)]
    return x, d, y


def test_there_are_83521_families_of_two_rounds() -> None:
    assert len(family_values(4, (1, 2), lambda word, cell: 0)) == 17**4 == 83_521


@pytest.mark.parametrize("k", list(patterns(2)), ids=str)
def test_recursion_is_the_maximum_over_all_families_of_four_symbols(k: tuple[int, ...]) -> None:
    rng = random.Random(15)
    for _ in range(20):
        x, d, y = _parameters(rng, k[-1], len(k), pure=False)
        d[0] = max(d[0], F(1, 50))
        assert exact_unequal_delta(x, d, k, y) == brute_force(x, d, k, y)
        equal = [x[0]] * k[-1], [d[0]] * k[-1]
        assert exact_equal_delta(x[0], d[0], k, y)[0] == brute_force(*equal, k, y)


def test_recursion_is_the_maximum_over_all_families_of_pure_rounds() -> None:
    rng = random.Random(16)
    every = list(patterns(3))
    for trial in range(200):
        k = every[trial % len(every)]
        x, d, y = _parameters(rng, k[-1], len(k), pure=True)
        assert exact_unequal_delta(x, d, k, y) == brute_force(x, d, k, y)
        assert exact_equal_delta(x[0], F(0), k, y)[0] == brute_force([x[0]] * k[-1], d, k, y)


@st.composite
def equal_cases(draw: st.DrawFn, most: int = 9) -> tuple[F, F, list[int], list[F]]:
    points = sorted(draw(st.sets(st.integers(1, most), min_size=1, max_size=5)))
    x = 1 + draw(st.fractions(0, 2, max_denominator=6))
    d = draw(st.sampled_from([F(0), F(1, 100), F(1, 10)]))
    # Costs that are often equal, or powers of x, so that claiming and going on tie.
    y = [draw(st.sampled_from([F(1), F(3, 2), F(2), x, x * x, x**3])) for _ in points]
    return x, d, points, y


@settings(deadline=None)
@given(equal_cases())
def test_equal_and_unequal_code_agree_exactly(case: tuple[F, F, list[int], list[F]]) -> None:
    x, d, k, y = case
    assert exact_equal_delta(x, d, k, y)[0] == exact_unequal_delta([x] * k[-1], [d] * k[-1], k, y)


@settings(deadline=None)
@given(equal_cases(), st.sampled_from(["arb", "mpmath"]))
def test_the_lattice_encloses_the_exact_value(case: tuple[F, F, list[int], list[F]], engine: decide.EngineName) -> None:
    x, d, k, y = case
    exact = exact_equal_delta(x, d, k, y)[0]
    if x == 1 or all(claim >= x**rounds for rounds, claim in zip(k, y, strict=True)):
        assert exact == 1 - (1 - d) ** k[-1]
        return
    found = decide.enclose(
        lambda ar: lattice_delta(ar, equal_rational(x, d, k, y)), decide.engine(engine), F(1, 10**25)
    )
    assert found.contains(exact)


@settings(deadline=None)
@given(equal_cases(), st.integers(6, 40))
def test_a_pass_of_few_bits_still_brackets_the_cost(case: tuple[F, F, list[int], list[F]], bits: int) -> None:
    x, d, k, y = case
    if x > 1:
        found = run_pass(decide.engine("arb", 64), equal_rational(x, d, k, y), bits)
        cost = (1 - exact_unequal_delta([x] * k[-1], [d] * k[-1], k, y)) * 2**bits
        assert found.low <= cost <= found.low + found.error


@settings(deadline=None, max_examples=50)
@given(equal_cases())
def test_what_a_poor_plan_leaves_open_is_settled_exactly(case: tuple[F, F, list[int], list[F]]) -> None:
    x, d, k, y = case
    assert exact_equal_delta(x, d, k, y, bits=-4) == exact_equal_delta(x, d, k, y)


@settings(deadline=None)
@given(equal_cases())
def test_optdel_is_at_most_lemma_11_and_equal_for_one_stopping_point(case: tuple[F, F, list[int], list[F]]) -> None:
    x, d, k, y = case
    inputs = {"exp_eps": str(x), "delta": str(d)}

    def both(points: Sequence[int], claims: Sequence[F]) -> tuple[F, F]:
        given_inputs = inputs | {"k": list(points), "exp_E": [str(claim) for claim in claims]}
        ids = ("hartmann2022/thm15.optdel", "hartmann2022/eq4.lemma11")
        best, union = (evaluate(id, given_inputs).value for id in ids)
        assert best is not None
        assert union is not None
        return F(best), F(union)

    best, union = both(k, y)
    assert best <= union
    if len(k) > 1 and d > 0:
        assert best < union
    best, union = both(k[-1:], y[-1:])
    assert best == union


def _play(x: F, d: F, rule: Sequence[StopRow], k: Sequence[int], y: Sequence[F]) -> F:
    """The gain of a stopping rule over all words of four symbols, followed symbol by symbol."""
    a, b = (1 - d) * x / (1 + x), (1 - d) / (1 + x)
    laws = ((d, F(0)), (a, b), (b, a), (F(0), d))
    least = {row.rounds: row.least_ones for row in rule}
    claims = dict(zip(k, y, strict=True))

    def follow(r: int, ones: int, p0: F, p1: F, plain: bool) -> F:
        if r in claims:
            threshold = least[r]
            if (p1 == 0 and p0 > 0) or (plain and threshold is not None and ones >= threshold):
                return p0 - claims[r] * p1
        if r == k[-1]:
            return F(0)
        return sum(
            (
                follow(r + 1, ones + (s == 1), p0 * law[0], p1 * law[1], plain and s in (1, 2))
                for s, law in enumerate(laws)
            ),
            F(0),
        )

    return follow(0, 0, F(1), F(1), True)


@settings(deadline=None, max_examples=40)
@given(equal_cases(most=5))
def test_the_stopping_rule_gains_exactly_optdel(case: tuple[F, F, list[int], list[F]]) -> None:
    x, d, k, y = case
    best, rule = exact_equal_delta(x, d, k, y)
    assert _play(x, d, rule, k, y) == best


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize(
    ("eps", "delta", "k", "cost"),
    [
        ("1/10", "1e-6", [5, 10, 20], ["1/4", "1/2", "1"]),
        ("1/2", "0", [1, 2, 3, 4, 5, 6], ["0", "1/2", "1", "1", "1/2", "2"]),
        ("2", "1/100", [3, 7], ["100", "1"]),
        ("1/50", "1e-9", [10, 40], ["1/5", "3/10"]),
        ("3", "0", [30], ["60"]),
    ],
)
def test_equal_rounds_in_nats_agree_with_high_precision_arithmetic(
    engine: decide.EngineName, eps: str, delta: str, k: list[int], cost: list[str]
) -> None:
    inputs = {"eps": eps, "delta": delta, "k": k, "E": cost}
    found = evaluate("hartmann2022/thm15.optdel_eps", inputs, engine=engine).enclosure
    assert found is not None
    assert found.relative_width_at_most(F(1, 10**28))
    assert contains(found, equal_gain_recursion(eps, delta, k, cost))


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_unequal_rounds_in_nats_agree_with_high_precision_arithmetic(engine: decide.EngineName) -> None:
    eps, delta = ["1/10", "1/4", "0", "3/20", "1/4", "1/2"], ["0", "1e-3", "1e-2", "0", "0", "1e-4"]
    k, cost = [2, 4, 6], ["1/5", "3/10", "1/2"]
    inputs = {"eps": eps, "delta": delta, "k": k, "E": cost}
    found = evaluate("hartmann2022/thm15.optdel_het_eps", inputs, engine=engine).enclosure
    assert found is not None
    assert contains(found, gain_recursion(eps, delta, k, cost))


def test_costs_beyond_every_loss_are_never_claimed() -> None:
    """Also where the cost of a middle stopping point is far beyond what its row of losses reaches."""
    inputs = {"eps": "1/10", "delta": "0", "k": [10, 20], "E": ["30", "20"]}
    assert evaluate("hartmann2022/thm15.optdel_eps", inputs).value == "0"
    inputs = {"eps": "1/10", "delta": "1/4", "k": [10, 20], "E": ["30", "20"]}
    assert evaluate("hartmann2022/thm15.optdel_eps", inputs).value == str(1 - F(3, 4) ** 20)
    found = evaluate(
        "hartmann2022/thm15.optdel_eps", {"eps": "1/10", "delta": "0", "k": [3, 10, 20], "E": ["5", "30", "1"]}
    ).enclosure
    only = evaluate("hartmann2022/eq4.lemma11_eps", {"eps": "1/10", "delta": "0", "k": [20], "E": ["1"]}).enclosure
    assert found is not None
    assert only is not None
    assert found.intersection(only) is not None


def test_degenerate_rounds() -> None:
    zero = {"eps": "0", "delta": "1/3", "k": [1, 3], "E": ["0", "0"]}
    assert evaluate("hartmann2022/thm15.optdel_eps", zero).value == str(1 - F(2, 3) ** 3)
    exact = {"exp_eps": "1", "delta": "1/3", "k": [1, 3], "exp_E": ["1", "1"]}
    assert evaluate("hartmann2022/thm15.optdel", exact).value == str(1 - F(2, 3) ** 3)
    sure = {"exp_eps": "2", "delta": "1", "k": [2], "exp_E": ["1"]}
    assert evaluate("hartmann2022/thm15.optdel", sure).value == "1"


def test_two_thousand_rounds_enclosed_agree_with_the_exact_rational() -> None:
    k, claims = [500, 1000, 1500, 2000], ["3/2", "2", "5/2", "3"]
    inputs = {"exp_eps": "51/50", "delta": "1e-9", "k": k, "exp_E": claims}
    found = evaluate("hartmann2022/thm15.optdel", inputs).enclosure
    assert found is not None
    exact, _ = exact_equal_delta(F(51, 50), F(1, 10**9), k, [F(claim) for claim in claims])
    assert found.contains(exact)
    assert found.lower < found.upper


def test_exact_unequal_rounds_stop_before_an_exponential_number_of_states() -> None:
    primes = [p for p in range(2, 200) if all(p % q for q in range(2, p))]
    inputs = {
        "exp_eps": [str(p) for p in primes],
        "delta": ["0"] * len(primes),
        "k": [len(primes)],
        "exp_E": ["2"],
    }
    with pytest.raises(UndecidedError, match="optdel_lower"):
        evaluate("hartmann2022/thm15.optdel_het", inputs)


@pytest.mark.parametrize("id", ["hartmann2022/thm15.optdel_eps", "hartmann2022/eq4.lemma11_eps"])
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"k": [2, 1], "E": ["1", "1"]}, "k[1]"),
        ({"k": [2, 2], "E": ["1", "1"]}, "k[1]"),
        ({"k": [], "E": []}, "k"),
        ({"k": [0, 1], "E": ["1", "1"]}, "k[0]"),
        ({"k": [1, 2], "E": ["1"]}, "E"),
        ({"k": [1, 2], "E": ["1", "-1"]}, "E[1]"),
        ({"delta": "2"}, "delta"),
        ({"eps": "-1"}, "eps"),
    ],
)
def test_bad_input_is_refused_with_its_field(id: str, change: dict[str, object], field: str) -> None:
    inputs: dict[str, object] = {"eps": "1/10", "delta": "0", "k": [1, 2], "E": ["1/10", "1/10"]}
    with pytest.raises(InputError) as refusal:
        evaluate(id, inputs | change)
    assert refusal.value.field == field


def test_too_few_rounds_for_the_last_stopping_point_are_refused() -> None:
    inputs = {"exp_eps": ["2"], "delta": ["0"], "k": [1, 2], "exp_E": ["1", "1"]}
    with pytest.raises(InputError) as refusal:
        evaluate("hartmann2022/thm15.optdel_het", inputs)
    assert refusal.value.field == "exp_eps"


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_lemma_11_in_nats_is_the_sum_of_single_stops(engine: decide.EngineName) -> None:
    """With one stopping point equation (4) is Theorem 15, which has its own oracle."""
    inputs = {"eps": "1/10", "delta": "1/50", "k": [3, 9], "E": ["1/5", "1/2"]}
    found = evaluate("hartmann2022/eq4.lemma11_eps", inputs, engine=engine).enclosure
    assert found is not None
    with mpmath.workdps(60):
        single = [equal_gain_recursion("1/10", "1/50", [k], [e]) for k, e in ((3, "1/5"), (9, "1/2"))]
        assert contains(found, single[0] + single[1])


def test_lemma_11_sums_over_all_words() -> None:
    """Equation (4) word by word, with an independent law of randomized response."""
    x, d, k, y = F(3, 2), F(1, 20), [1, 3], [F(5, 4), F(2)]
    law = {0: (d, F(0)), 1: (F(19, 20) * F(3, 5), F(19, 20) * F(2, 5))}
    law |= {2: law[1][::-1], 3: (F(0), d)}
    total = F(0)
    for rounds, claim in zip(k, y, strict=True):
        for word in itertools.product(range(4), repeat=rounds):
            p0 = p1 = F(1)
            for symbol in word:
                p0, p1 = p0 * law[symbol][0], p1 * law[symbol][1]
            total += max(p0 - claim * p1, F(0))
    inputs = {"exp_eps": str(x), "delta": str(d), "k": k, "exp_E": [str(claim) for claim in y]}
    assert evaluate("hartmann2022/eq4.lemma11", inputs).value == str(total)


@pytest.mark.parametrize(
    ("exp_eps", "delta", "claim"),
    [("1", "1/10", "1"), ("2", "1", "1"), ("2", "1/10", str(2**1001)), ("2", "0", str(2**1001))],
)
def test_long_mechanisms_that_lose_only_their_deltas_are_exact(exp_eps: str, delta: str, claim: str) -> None:
    """Beyond the rounds that are summed exactly: no epsilon, all lost at once, or a cost that no loss exceeds."""
    inputs = {"exp_eps": exp_eps, "delta": delta, "k": [1001], "exp_E": [claim]}
    found = evaluate("hartmann2022/thm15.optdel", inputs).value
    assert found is not None
    assert Fraction(found) == 1 - (1 - Fraction(delta)) ** 1001
