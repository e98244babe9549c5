"""Guarantees of the mechanisms of Hartmann et al. 2022 against their laws, integrated or enumerated independently."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from privref import catalogue
from privref.adaptive.output_dp import OutputAccountant
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError
from privref.guarantees.output_dp import output_dp
from privref.mechanisms.erm import log_reg_with_test
from privref.mechanisms.iterative import iterative
from privref.mechanisms.ptr import ptr_cascade, ptr_function, toy
from privref.mechanisms.svt import svt
from privref.statements.registry import evaluate
from tests.oracles import around, meets

F = Fraction
catalogue.load()


def _enclosed(id: str, **inputs: object) -> Enclosure:
    found = evaluate(id, inputs).enclosure
    assert found is not None
    return found


def _close(found: Enclosure, value: Any, digits: int = 12) -> bool:
    """Whether the enclosure meets what an oracle says, to within 10^-digits of it, or of 1 where it is less."""
    return meets(found, around(mpmath.mpf(value), absolute=max(F(1), abs(F(float(value)))) / 10**digits))


def _laplace(x: object, scale: object) -> object:
    return mpmath.exp(-abs(x) / scale) / (2 * scale)  # type: ignore[arg-type,operator]


def _upper_tail(x: object, scale: object) -> object:
    half = mpmath.exp(-abs(x) / scale) / 2  # type: ignore[arg-type,operator]
    return half if x >= 0 else 1 - half  # type: ignore[operator]


# --- the toy mechanism ------------------------------------------------------------------------------------------------


def test_toy_costs_are_exact_for_randomized_response() -> None:
    """M_toy over randomized response with e^eps = 3: delta 0 at (eps, 0), and positive for any smaller cost."""
    p, q = [F(3, 8), F(1, 8), F(1, 2)], [F(1, 8), F(3, 8), F(1, 2)]
    inputs = {"P": [str(v) for v in p], "Q": [str(v) for v in q]}
    assert evaluate("hartmann2022/def2.min_delta_both", inputs | {"expE": ["3", "3", "1"]}).value == "0"
    assert evaluate("hartmann2022/def2.min_delta_both", inputs | {"expE": ["14/5", "14/5", "1"]}).value == "1/40"
    assert dict(toy(F(2)).cells) == {"answer": 2, "bottom": 0}
    assert evaluate("hartmann2022/sec3.toy.E", {"eps": "2", "cell": "bottom"}).value == "0"
    with pytest.raises(InputError):
        evaluate("hartmann2022/sec3.toy.E", {"eps": "2", "cell": "top"})


# --- the sparse vector technique --------------------------------------------------------------------------------------


@pytest.mark.parametrize("answers", [(0,), (1,), (0, 0, 1), (1, 0, 1), (0, 1, 0)])
def test_svt_answers_lose_at_most_their_cell(answers: tuple[int, ...]) -> None:
    """Algorithm 2 integrated over rho for neighbouring query values: |log ratio| <= E of the number of tops."""
    eps1, eps2, c = mpmath.mpf("0.3"), mpmath.mpf("0.8"), 2
    b1, b2 = 1 / eps1, 2 * c / eps2

    def probability(values: tuple[float, ...]) -> object:
        def density(z: object) -> object:
            result = _laplace(z, b1)
            for value, top in zip(values, answers, strict=False):
                tail = _upper_tail(z - value, b2)  # type: ignore[operator]
                result = result * (tail if top else 1 - tail)  # type: ignore[operator]
            return result

        breaks = sorted({-200, 200, 0, *values})
        return mpmath.quad(density, breaks)

    tops = sum(answers)
    cost = evaluate("hartmann2022/lem8.cost", {"eps1": "3/10", "eps2": "4/5", "c": c, "cprime": tops}).value
    assert cost is not None
    bound = float(F(cost))
    assert dict(svt(F(3, 10), F(4, 5), c).cells)[str(tops)] == F(cost)
    worst = 0.0
    unshifted = probability((0.0,) * len(answers))
    for shift in itertools.product((-1.0, 0.0, 1.0), repeat=len(answers)):
        loss = float(abs(mpmath.log(unshifted / probability(shift))))  # type: ignore[operator]
        worst = max(worst, loss)
        assert loss <= bound + 1e-9
    assert worst > 0.15 * bound


def test_the_split_minimises_the_variance_of_comparisons() -> None:
    for c in (1, 4, 20):
        eps1 = _enclosed("hartmann2022/sec4.1.split.eps1", eps="1/2", c=c)
        eps2 = _enclosed("hartmann2022/sec4.1.split.eps2", eps="1/2", c=c)
        assert Enclosure(eps1.lower + eps2.lower, eps1.upper + eps2.upper).contains(F(1, 2))

        def variance(part: F, tops: int = c) -> F:
            return 2 / part**2 + 2 * (2 * tops / (F(1, 2) - part)) ** 2

        step = F(1, 10**6)
        best = variance(eps1.upper)
        assert variance(eps1.upper - step) > best < variance(eps1.upper + step)


def test_the_saved_budget_is_what_the_accountant_leaves() -> None:
    eps1, eps2, eps3, c = F(1, 10), F(2, 5), F(1, 2), 20
    for tops in range(1, c + 1):
        accountant = OutputAccountant(eps1 + eps2 + eps3, F(0))
        state, _ = accountant.step(accountant.start(), svt(eps1, eps2, c))
        left = accountant.observe(state, str(tops)).eps
        entry = evaluate(
            "hartmann2022/sec4.1.per_entry_budget",
            {"eps2": str(eps2), "eps3": str(eps3), "c": c, "cprime": tops},
        ).value
        assert entry is not None
        assert F(entry) * tops == left


@pytest.mark.parametrize(
    ("id", "inputs", "field"),
    [
        ("hartmann2022/lem8.cost", {"eps1": "1", "eps2": "1", "c": 2, "cprime": 3}, "cprime"),
        ("hartmann2022/lem8.cost", {"eps1": "1", "eps2": "1", "c": 0, "cprime": 0}, "c"),
        ("hartmann2022/sec4.1.per_entry_budget", {"eps2": "1", "eps3": "1", "c": 2, "cprime": 0}, "cprime"),
        ("hartmann2022/sec4.1.per_entry_budget", {"eps2": "1", "eps3": "1", "c": 2, "cprime": 3}, "cprime"),
    ],
)
def test_impossible_counts_are_refused(id: str, inputs: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as refusal:
        evaluate(id, inputs)
    assert refusal.value.field == field


def test_figure_1_bounds_are_above_the_integrated_noise() -> None:
    """E[scale of the released entries] by integrating over rho and summing the two binomials."""
    entries, c, margin = 30, 4, 60.0
    eps_svt, eps3 = 0.5, 0.5
    ratio = (2 * c) ** (-2 / 3)
    eps1, eps2 = eps_svt * ratio / (1 + ratio), eps_svt / (1 + ratio)
    b1, b2 = 1 / eps1, 2 * c / eps2

    def noise(count: int) -> float:
        return count / (eps3 + (c - count) / c * eps2)

    def binomial(n: int, p: float) -> list[float]:
        return [float(mpmath.binomial(n, i)) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]

    for large in (1, 3, 4):

        def integrand(z: object, m: int = large) -> float:
            small_top = float(_upper_tail(margin + z, b2))  # type: ignore[operator,arg-type]
            large_top = float(_upper_tail(z - margin, b2))  # type: ignore[operator,arg-type]
            total = 0.0
            for i, p in enumerate(binomial(m, large_top)):
                for j, q in enumerate(binomial(entries - m, small_top)):
                    total += p * q * noise(min(c, i + j))
            return float(_laplace(z, b1)) * total  # type: ignore[arg-type]

        with mpmath.workdps(8):
            expected = float(mpmath.quad(integrand, [-120, -60, 0, 60, 120], maxdegree=5))
        inputs = {"entries": entries, "large": large, "c": c, "eps_svt": "1/2", "eps3": "1/2", "margin": "60"}
        sharp = float(_enclosed("hartmann2022/fig1.noise_odp", **inputs).upper)
        chebyshev = float(_enclosed("hartmann2022/fig1.noise_odp_chebyshev", **inputs).upper)
        plain = float(_enclosed("hartmann2022/fig1.noise_dp", c=c, eps3="1/2").upper)
        assert expected <= sharp * (1 + 1e-6)
        assert sharp <= chebyshev * (1 + 1e-12)
        assert chebyshev <= plain * (1 + 1e-12)
        assert sharp < 2 * expected


def test_the_chebyshev_bound_is_that_of_the_difference_of_two_laplace_variables() -> None:
    """One large entry of two, c = 4: b(1) + (b(4) - b(1)) Pr/3 with Cantelli's Pr = V/(V + margin^2)."""
    with mpmath.workdps(30):
        eps2 = mpmath.mpf(1) / 2 / (1 + mpmath.mpf(8) ** (mpmath.mpf(-2) / 3))
        eps1 = mpmath.mpf(1) / 2 - eps2
        # Var Lap(b) = 2 b^2, with b = 1/eps1 and 2 c/eps2.
        variance = 2 / eps1**2 + 2 * (8 / eps2) ** 2
        one = 1 / (mpmath.mpf(1) / 2 + mpmath.mpf(3) / 4 * eps2)
        expected = one + (8 - one) * variance / (variance + 60**2) / 3
        inputs = {"entries": 2, "large": 1, "c": 4, "eps_svt": "1/2", "eps3": "1/2", "margin": "60"}
        assert _close(_enclosed("hartmann2022/fig1.noise_odp_chebyshev", **inputs), expected, 25)


# --- propose, test, release -------------------------------------------------------------------------------------------


#: The law of a PTR function on one data set: Pr(bottom) and the probabilities of its answers.
PtrLaw = tuple[F, tuple[F, ...]]


def cascade_worst_case(delta: F) -> tuple[PtrLaw, PtrLaw]:
    """The law of one step on x and on x' that makes the cascade lose 2 delta - delta^2 at every epsilon.

    The proposal is bad on both (G is empty): each answers with probability delta, and never the same value.
    """
    stay = 1 - delta
    return (stay, (delta, F(0))), (stay, (F(0), delta))


def cascade_law(first: PtrLaw, second: PtrLaw) -> tuple[F, ...]:
    """The law of the cascade over the answers and then bottom: the second step runs where the first says bottom."""
    answers = (a + first[0] * b for a, b in zip(first[1], second[1], strict=True))
    return (*answers, first[0] * second[0])


@pytest.mark.parametrize("delta", [F(1, 10), F(1, 3)])
def test_the_cascade_loses_exactly_what_definition_9_allows(delta: F) -> None:
    """Erratum E13: PTR functions whose cascade has delta 2d - d^2 at every epsilon, more than the printed d."""
    here, there = cascade_worst_case(delta)
    for law, other in ((here, there), (there, here)):
        # Definition 9 with eps = 0 and G empty: both conditions of item 2, and item 4.
        assert law[0] <= other[0]
        assert sum(law[1]) <= sum(other[1])
        assert sum(law[1]) <= delta
        assert law[0] + sum(law[1]) == 1
    p, q = cascade_law(here, here), cascade_law(there, there)
    wanted = evaluate("hartmann2022/lem10.delta_from_def9", {"delta": str(delta)}).value
    assert wanted is not None
    for growth in ("1", "8", "1000000"):
        inputs = {"P": [str(v) for v in p], "Q": [str(v) for v in q], "expE": [growth] * 3}
        assert evaluate("hartmann2022/def2.min_delta_both", inputs).value == wanted
    printed = evaluate("hartmann2022/lem10.delta.printed", {"delta": str(delta)}).value
    assert printed is not None
    assert F(printed) < F(wanted)
    assert ptr_cascade(F(1), delta).delta == F(wanted)


def test_separate_ptr_functions_spend_what_the_three_cases_say() -> None:
    eps, delta = F(1, 4), F(1, 100)
    for case, cells in (
        ("answer", ["answer"]),
        ("bottom-answer", ["bottom", "answer"]),
        ("bottom-bottom", ["bottom", "bottom"]),
    ):
        accountant = OutputAccountant(F(2), F(1))
        state = accountant.start()
        for cell in cells:
            state, decision = accountant.step(state, ptr_function(eps, delta))
            assert decision.verdict == "CONT"
            state = accountant.observe(state, cell)
        spent = evaluate("hartmann2022/sec4.2.cascade.eps", {"eps": str(eps), "case": case}).value
        spent_delta = evaluate("hartmann2022/sec4.2.cascade.delta", {"delta": str(delta), "case": case}).value
        assert (str(2 - state.eps), str(1 - state.delta)) == (spent, spent_delta)


# --- empirical risk minimisation with a test --------------------------------------------------------------------------


@pytest.mark.parametrize("w2", ["1/10", "1", "5"])
def test_the_tight_sensitivity_is_attained_and_never_exceeded(w2: str) -> None:
    with mpmath.workdps(30):
        move = mpmath.mpf(F(w2).numerator) / F(w2).denominator
        tight = _enclosed("hartmann2022/lem21.sensitivity_tight", w2=w2)
        middle = mpmath.tanh(move / 4) - mpmath.tanh(-move / 4)
        assert _close(tight, middle, 25)
        for step in range(-200, 201):
            w = mpmath.mpf(step) / 20
            assert mpmath.tanh((w + move) / 2) - mpmath.tanh(w / 2) <= middle
    assert tight.upper < _enclosed("hartmann2022/lem21.sensitivity", w2=w2).lower / 4


@pytest.mark.parametrize(("suffix", "n_train"), [("", 700), ("_tight", 700), ("", 70), ("_tight", 70)])
def test_the_percentile_leaves_a_twentieth_above(suffix: str, n_train: int) -> None:
    sizes = {"n_train": n_train, "n_test": 300, "Lam": "1/10"}
    scale = _enclosed(f"hartmann2022/thm17.a{suffix}", **sizes)
    percentile = _enclosed(f"hartmann2022/fig2.percentile95{suffix}", **sizes, eps2="1/5")
    least, most = (float(end) for end in (percentile.lower, percentile.upper))
    above = Enclosure(
        *(F(float(_upper_tail(x, float(b) / 0.2))) for x, b in ((most, scale.lower), (least, scale.upper)))  # type: ignore[arg-type]
    )
    assert meets(above, around(0.05, absolute=F(1, 10**14)))


def test_theorem_17_and_corollary_18_agree_where_both_apply() -> None:
    sizes = {"n_train": 700, "n_test": 300, "Lam": "1/100"}
    budgets = {"eps1": "1", "eps2": "1/2"}
    assert _enclosed("hartmann2022/thm17.E_Rd", **sizes, **budgets).contains(F(1))
    assert _enclosed("hartmann2022/thm17.E_bot", **sizes, **budgets).contains(F(1, 2))
    assert evaluate("hartmann2022/cor18.E_Rd", budgets).value == "1"
    assert evaluate("hartmann2022/cor18.E_bot", budgets).value == "1/2"
    assert dict(log_reg_with_test(F(1), F(1, 2)).cells) == {"model": 1, "bottom": F(1, 2)}
    with pytest.raises(HypothesisError):
        evaluate("hartmann2022/cor18.E_bot", {"eps1": "1/2", "eps2": "1"})
    # For eps2 > eps1 a withheld model costs no more than a released one.
    reverse = {"eps1": "1/10", "eps2": "2"}
    released = _enclosed("hartmann2022/thm17.E_Rd", **sizes, **reverse)
    withheld = _enclosed("hartmann2022/thm17.E_bot", **sizes, **reverse)
    assert released.intersection(withheld) is not None
    tight = _enclosed("hartmann2022/thm17.E_Rd_tight", **sizes, **reverse)
    with mpmath.workdps(30):
        assert _close(tight, max(mpmath.mpf("0.1"), mpmath.mpf(4) / 300 / (2 * mpmath.tanh(mpmath.mpf(2) / 28))), 20)


# --- iterative mechanisms ---------------------------------------------------------------------------------------------


def test_iterative_mechanisms_are_accounted_by_the_rounds_they_ran() -> None:
    guarantee = iterative([10, 20], [F(1, 2), F(1)], F(1, 1000))
    assert guarantee == output_dp({"10": "1/2", "20": "1"}, "1/1000")
    accountant = OutputAccountant(F(1), F(1, 1000))
    state, _ = accountant.step(accountant.start(), guarantee)
    assert accountant.observe(state, "10").eps == F(1, 2)
    with pytest.raises(InputError):
        iterative([20, 10], [F(1), F(1)], F(0))


def test_symbols_of_randomized_response_sum_to_one() -> None:
    with mpmath.workdps(40):
        e = mpmath.exp(mpmath.mpf(3) / 10)
        found = _enclosed("hartmann2022/lem12.p1", eps="3/10", delta="1/7")
        assert _close(found, mpmath.mpf(6) / 7 * e / (1 + e), 28)
