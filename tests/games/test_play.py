"""The games: exact laws against hand computation and brute force, sampled runs against exact laws."""

import itertools
import math
from fractions import Fraction

import pytest

import privref
from privref.exact import decide
from privref.exact.errors import InputError
from privref.exact.logs import LogForm
from privref.games import named
from privref.games.accountants import FormulaAccountant, NaturalFilter
from privref.games.formula import parse
from privref.games.rounds import bit, leak, randomized_response, split, toy
from tests.games.playing import (
    REFUSED,
    Ask,
    adapt_param_comp,
    as_adversary,
    clopper_pearson,
    estimate_delta,
    estimate_failure,
    exact_law,
    fixed_param_comp,
    odp_composition,
    odp_filter_composition,
    play,
)
from tests.mechanisms.sampling import SeededBits

LOG2 = LogForm.log(Fraction(2))
RR2, RR3 = randomized_response(LOG2), randomized_response(LogForm.log(Fraction(3)))
RR32 = randomized_response(LogForm.log(Fraction(3, 2)))


def test_fixed_parameters_are_kept_to():
    game = fixed_param_comp([(LOG2, Fraction(0))] * 2)
    law = exact_law(game, lambda view: RR2)
    assert len(law.transcripts) == 4
    with pytest.raises(InputError, match="keep to them"):
        exact_law(game, lambda view: RR3)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_view_of_equal_responses_loses_what_the_optimal_curve_says(k):
    law = exact_law(fixed_param_comp([(LOG2, Fraction(0))] * k), lambda view: RR2)
    for growth in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)):
        # Kairouz-Oh-Viswanath: sum over l of C(k, l) (2^(k-l) - growth 2^l)_+ / 3^k.
        optimal = sum(math.comb(k, l) * max(2 ** (k - l) - growth * 2**l, 0) for l in range(k + 1)) / Fraction(3) ** k
        for direction in (0, 1):
            found = law.delta(LogForm.log(growth), direction=direction)
            assert found.lower == found.upper == optimal


def test_the_three_round_witness_against_the_natural_filter_as_a_tree():
    tree = Ask(RR32, {"top": Ask(RR3), "bottom": Ask(RR2, {"top": Ask(RR2), "bottom": Ask(RR2)})})
    game = adapt_param_comp(NaturalFilter(named.budget("log(2)", "1/4")), 3)
    law = exact_law(game, tree)
    assert law.delta(LOG2).lower == Fraction(53, 180)
    assert sum(p for p, _ in law.probabilities().values()) == 1
    assert sum(q for _, q in law.probabilities().values()) == 1


def test_an_adversary_as_code_and_as_a_tree_have_the_same_law():
    def code(view):
        if not view:
            return RR32
        if view[0][1] == "top":
            return RR3 if len(view) == 1 else None
        return RR2 if len(view) < 3 else None

    tree = Ask(RR32, {"top": Ask(RR3), "bottom": Ask(RR2, {"top": Ask(RR2), "bottom": Ask(RR2)})})
    game = adapt_param_comp(NaturalFilter(named.budget("log(2)", "1/4")), 5)
    assert exact_law(game, code).probabilities() == exact_law(game, tree).probabilities()


def test_a_refusal_goes_on_in_odp_composition_and_ends_odp_filter_composition():
    def greedy(view):
        return RR3 if len(view) == 1 else RR2

    budget = (LOG2, Fraction(0))
    goes_on = exact_law(odp_composition(*budget, 3), greedy)
    assert all(t.view[1][1] == REFUSED and len(t.view) == 3 for t in goes_on.transcripts)
    ends = exact_law(odp_filter_composition(*budget, 3), greedy)
    assert all(len(t.view) == 1 for t in ends.transcripts)


def test_bottom_costs_nothing_and_the_whole_interaction_keeps_its_budget():
    asked = toy(LOG2)
    law = exact_law(odp_composition(LOG2, Fraction(0), 4), lambda view: asked)
    assert law.delta(LOG2).upper == 0
    assert law.delta(LOG2, direction=1).upper == 0
    most = max(sum(answer not in (REFUSED, "nothing") for _, answer in t.view) for t in law.transcripts)
    longest = max(sum(answer == "nothing" for _, answer in t.view) for t in law.transcripts)
    assert (most, longest) == (1, 4)


def test_infinite_losses_in_both_directions():
    law = exact_law(
        fixed_param_comp([(LogForm.of(Fraction(1, 9)), Fraction(1, 10))]), lambda view: leak(Fraction(1, 10))
    )
    assert law.delta(LogForm.of(Fraction(1, 9))).upper == 0
    assert law.delta(LogForm.of(Fraction(1, 9)), direction=1).upper == Fraction(1, 10)
    both = exact_law(fixed_param_comp([(LOG2, Fraction(1, 2))] * 2), lambda view: split(Fraction(1, 2)))
    assert both.delta(LOG2).upper == Fraction(3, 4)


def test_laws_with_irrational_probabilities_are_enclosed():
    half = randomized_response(LogForm.of(Fraction(1, 2)))
    law = exact_law(fixed_param_comp([(LogForm.of(Fraction(1, 2)), Fraction(0))] * 2), lambda view: half)
    found = law.delta(LogForm.of(Fraction(1, 4)))
    again = decide.enclose(
        lambda ar: (ar.exp(Fraction(1)) - ar.exp(Fraction(1, 4))) / (1 + ar.exp(Fraction(1, 2))) ** 2,
        decide.engine("mpmath"),
        Fraction(1, 10**25),
    )
    assert again.intersection(found) is not None
    assert found.relative_width_at_most(Fraction(1, 10**12))
    assert found.lower < found.upper
    with pytest.raises(InputError):
        law.probabilities()


def test_the_basic_odometer_fails_with_certainty_on_a_dp_bit():
    odometer = FormulaAccountant("odometer", parse("S1"), named.budget(None, "1/5"), [bit(Fraction(1, 10))])
    law = exact_law(adapt_param_comp(odometer, 1), lambda view: bit(Fraction(1, 10)))
    assert law.odometer_fails().lower == 1
    assert law.loss_exceeds(LogForm.log(Fraction(11, 9))).upper == 0
    assert law.loss_exceeds(LogForm.log(Fraction(12, 10))).lower == 1


def test_sampled_runs_follow_the_exact_law():
    game = fixed_param_comp([(LOG2, Fraction(0)), (LogForm.of(Fraction(1)), Fraction(1, 10))])
    second = randomized_response(LogForm.of(Fraction(1)), Fraction(1, 10))

    def adversary(view):
        return second if view else RR2

    law = exact_law(game, adversary)
    bits, runs = SeededBits(7), 4_000
    for input_bit in (0, 1):
        counts = {}
        for _ in range(runs):
            view = play(game, adversary, input_bit, bits).view
            counts[view] = counts.get(view, 0) + 1
        x = math.e
        chi = 0.0
        cells = 0
        for t in law.transcripts:
            p = 1.0
            for (name, answer), _ in zip(t.view, t.outcomes, strict=True):
                if name == RR2.name:
                    p *= (2 if (answer == "top") == (input_bit == 0) else 1) / 3
                else:
                    table = {"0": 0.1, "1": 0.0, "top": 0.9 * x / (1 + x), "bottom": 0.9 / (1 + x)}
                    mirror = {"0": "1", "1": "0", "top": "bottom", "bottom": "top"}
                    p *= table[mirror[answer] if input_bit else answer]
            if p:
                chi += (counts.get(t.view, 0) - runs * p) ** 2 / (runs * p)
                cells += 1
            else:
                assert t.view not in counts
        assert cells == 6
        assert chi < 20.52  # the 0.999 quantile of chi-square with 5 degrees of freedom


def test_monte_carlo_covers_the_exact_values():
    formula = parse("T1 + sqrt(2*S2*log(1/delta))")
    game = adapt_param_comp(FormulaAccountant("odometer", formula, named.budget(None, "1/20"), [RR32]), 8)
    law = exact_law(game, lambda view: RR32)
    exact = law.odometer_fails()
    found = estimate_failure(game, lambda view: RR32, 800, SeededBits(3), Fraction(999, 1000))
    assert found.interval.lower <= exact.lower <= found.interval.upper
    delta = law.delta(LogForm.of(Fraction(1, 2)))
    guess = estimate_delta(game, lambda view: RR32, Fraction(1, 2), 800, SeededBits(4), Fraction(999, 1000))
    assert guess.interval.lower <= delta.lower <= delta.upper <= guess.interval.upper
    assert guess.interval.width < Fraction(1, 5)


@pytest.mark.parametrize(("hits", "runs"), [(0, 10), (10, 10), (3, 10), (1, 400), (57, 100)])
def test_clopper_pearson_solves_its_two_equations(hits, runs):
    found = clopper_pearson(hits, runs, Fraction(95, 100))

    def tail(p, least):
        return sum(math.comb(runs, i) * p**i * (1 - p) ** (runs - i) for i in range(least, runs + 1))

    # Exactly: on the safe side of each root, and a millionth of the way back beyond it.
    lower, upper, level, near = found.lower, found.upper, Fraction(1, 40), Fraction(1, 10**6)
    assert lower == 0 if hits == 0 else tail(lower, hits) <= level < tail(lower * (1 + near), hits)
    if hits == runs:
        assert upper == 1
    else:
        assert 1 - tail(upper, hits + 1) <= level < 1 - tail(upper * (1 - near), hits + 1)


def test_all_laws_are_laws():
    for first, second in itertools.product(
        [RR2, RR32, leak(Fraction(1, 10)), bit(Fraction(1, 3)), split(Fraction(1, 4))], repeat=2
    ):
        law = exact_law(
            fixed_param_comp([(first.epsilon, first.delta), (second.epsilon, second.delta)]),
            lambda view, first=first, second=second: second if view else first,
        )
        assert [sum(t.probability(None, b) for t in law.transcripts) for b in (0, 1)] == [1, 1]


@pytest.mark.parametrize(
    ("name", "menu", "claim"),
    [
        ("natural-filter", "log(3/2), log(2), log(3)", {"epsilon": "log(2)", "delta": "1/4"}),
        ("algorithm-1.cell-delta", "split(1/2), 0:1/2, log(2)", {"epsilon": "log(2)", "delta": "1/2"}),
        ("algorithm-1.assign", "log(2), toy(log(2))", {"epsilon": "log(2)"}),
        ("natural-filter", "log(5/4):1/20, log(2)", {"epsilon": "log(3/2)", "delta": "3/10"}),
        ("T1 + sqrt(2*S2*log(1/delta))", "log(11/10)", {"delta": "1/10", "kind": "odometer"}),
        ("dp-filter", "1/10, 1/2:1/100", {"epsilon": "1", "delta": "1/20"}),
    ],
)
def test_the_strategy_of_an_attack_loses_in_the_game_what_the_attack_says(name, menu, claim):
    found = privref.attack(name, menu, 6, **claim)
    law = exact_law(adapt_param_comp(found.accountant, found.rounds), as_adversary(found))
    played = law.delta(found.budget.epsilon) if found.failure_of == "view" else law.odometer_fails()
    assert played.intersection(found.failure) is not None
    if found.exact is not None:
        assert played.lower == played.upper == found.exact
