"""Running mechanisms on real data, through the output-DP accountant; the test distances against brute force."""

import itertools
import math
import random
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privref.adaptive.output_dp import OutputAccountant
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError
from privref.exact.numbers import rational
from privref.guarantees.model import OutputDP
from tests.mechanisms import erm_run
from tests.mechanisms.ptr_run import (
    ANSWER,
    BOTTOM,
    NO_SPREAD,
    iqr,
    iqr_cascade,
    iqr_distance,
    median_distance,
    pass_margin,
    ptr_iqr,
    ptr_median,
)
from tests.mechanisms.releases import noisy_median_search, release_laplace, run_iterative, sparse_vector
from tests.mechanisms.sampling import SeededBits
from tests.oracles import around, meets


def settle(accountant, state, release):
    """Let an accountant decide about a release and tell it the cell."""
    state, decision = accountant.step(state, release.guarantee)
    assert decision.verdict == "CONT"
    return accountant.observe(state, release.cell if release.cell is not None else "any")


@pytest.fixture(scope="module")
def wine():
    """Real data: 178 Italian wines (alcohol, proline)."""
    datasets = pytest.importorskip("sklearn.datasets", exc_type=ImportError)
    return datasets.load_wine().data


def test_sparse_vector_on_real_data_spends_what_lemma_8_says(wine):
    # How many wines have more than 13, 14, 14.5, … percent alcohol? Sensitivity 1.
    counts = [Fraction(int((wine[:, 0] > level).sum())) for level in (13.0, 14.0, 14.5, 12.0, 11.5)]
    eps1, eps2, c = Fraction(1, 2), Fraction(3, 2), 3
    release = sparse_vector(counts, [Fraction(100)] * 5, eps1, eps2, c, Fraction(1), SeededBits(1))
    assert release.answer == (0, 0, 0, 1, 1)
    accountant = OutputAccountant(Fraction(4), Fraction(0))
    after = settle(accountant, accountant.start(), release)
    # Two of at most three tops: eps1 + (2/3) eps2 = 3/2, so 1/2 comes back of the reserved 2.
    assert after.eps == Fraction(4) - Fraction(3, 2)
    assert after.delta == 0


def test_a_whole_session_on_real_data_ends_with_the_stated_budget(wine):
    bits = SeededBits(5)
    proline = [Fraction(float(v)) for v in wine[:, 12]]
    accountant = OutputAccountant(Fraction(10), Fraction(1, 1000))
    state = accountant.start()
    total = release_laplace(Fraction(len(proline)), Fraction(1), Fraction(1), Fraction(1), bits)
    state = settle(accountant, state, total)
    search = noisy_median_search(proline, Fraction(0), Fraction(2048), Fraction(1, 2), 8, 4, bits)
    state = settle(accountant, state, search)
    used = len(search.answer)
    assert 1 <= used < 8
    assert state.eps == Fraction(10) - 1 - Fraction(used, 2)
    median = sorted(proline)[len(proline) // 2]
    assert abs(search.answer[-1][0] - median) < 100


def test_the_interquartile_range_and_the_median_of_real_data(wine):
    proline = [Fraction(float(v)) for v in wine[:, 12]]
    epsilon, delta = Fraction(2), Fraction(1, 10_000)
    seen = set()
    for seed in range(6):
        bits = SeededBits(seed)
        whole, steps = iqr_cascade(proline, epsilon, delta, bits)
        assert whole.answer == steps[-1].answer
        assert whole.cell == steps[-1].cell
        assert len(steps) == (1 if steps[0].cell == ANSWER else 2)
        for release, cost in ((whole, {ANSWER: 6, BOTTOM: 4}), (steps[0], {ANSWER: 4, BOTTOM: 2})):
            accountant = OutputAccountant(Fraction(12), Fraction(1, 100))
            after = settle(accountant, accountant.start(), release)
            assert after.eps == 12 - cost[release.cell]
        accountant = OutputAccountant(Fraction(12), Fraction(1, 100))
        state = accountant.start()
        for step in steps:
            state = settle(accountant, state, step)
        assert state.delta == Fraction(1, 100) - len(steps) * delta
        seen.add(whole.cell)
        median = ptr_median(proline, whole.answer, epsilon, delta, bits)
        if whole.cell == BOTTOM:
            assert median.answer is None
        else:
            assert abs(float(whole.answer) - math.log2(iqr(proline))) < 6
    assert ANSWER in seen


def test_many_records_in_one_bucket_are_answered_and_few_are_not():
    epsilon, delta = Fraction(1), Fraction(1, 1000)
    tight = [Fraction(i % 100) + Fraction(i, 10**6) for i in range(1, 400)]
    assert iqr_distance(tight, 1) > pass_margin(epsilon, delta) + 9
    cells = [ptr_iqr(tight, 1, epsilon, delta, SeededBits(seed)).cell for seed in range(20)]
    assert cells.count(ANSWER) >= 19
    few = [Fraction(x) for x in (0, 1, 2, 4, 9)]
    assert [ptr_iqr(few, 0, epsilon, delta, SeededBits(seed)).cell for seed in range(20)] == [BOTTOM] * 20


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "1/1000"), ("1/10", "1e-6"), ("3", "0.4")])
def test_the_test_passes_an_unstable_input_with_probability_at_most_delta(epsilon, delta):
    m, e = pass_margin(Fraction(epsilon), Fraction(delta)), math.exp(-Fraction(epsilon))
    assert e**m / (1 + e) <= Fraction(delta)
    assert m == 1 or e ** (m - 1) / (1 + e) > Fraction(delta)


def bucket(data, half_steps):
    spread = iqr(data)
    return None if spread == 0 else math.floor(math.log2(spread) - half_steps / 2 + 1e-12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 7), min_size=4, max_size=6), st.sampled_from([0, 1]))
def test_the_distance_to_another_bucket_is_the_least_number_of_replacements(values, half_steps):
    data = [Fraction(v) for v in values]
    here = bucket(data, half_steps)
    # Replacements by far away values, by values of the data and by values between.
    pool = sorted({Fraction(v, 2) for v in range(-2, 18)} | {Fraction(-1000), Fraction(1000)})

    def reachable(j):
        for places in itertools.combinations(range(len(data)), j):
            for fresh in itertools.product(pool, repeat=j):
                changed = list(data)
                for place, value in zip(places, fresh, strict=True):
                    changed[place] = value
                if bucket(changed, half_steps) != here:
                    return True
        return False

    found = iqr_distance(data, half_steps)
    assert reachable(found) if found <= 2 else not reachable(2)
    if found > 1:
        assert not reachable(found - 1 if found <= 2 else 1)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=5), st.sampled_from([1, 2, 4]))
def test_the_distance_of_the_median_is_the_least_number_of_replacements(values, width):
    data = [Fraction(v) for v in values]

    def cell(d):
        return sorted(d)[(len(d) - 1) // 2] // width

    pool = [Fraction(v) for v in range(-5, 15)]
    found = median_distance(data, Fraction(width))
    for j in (1, 2):
        moves = any(
            cell([*(x for i, x in enumerate(data) if i not in places), *fresh]) != cell(data)
            for places in itertools.combinations(range(len(data)), j)
            for fresh in itertools.product(pool, repeat=j)
        )
        assert moves == (found <= j)


def test_data_without_spread_are_a_bucket_of_their_own():
    flat = [Fraction(3)] * 40
    epsilon, delta = Fraction(2), Fraction(1, 100)
    assert iqr_distance(flat, 0) == 10  # the lower quartile is the tenth of 40 values: ten replaced by low ones move it
    cells = {ptr_iqr(flat, 0, epsilon, delta, SeededBits(seed)).answer for seed in range(10)}
    assert NO_SPREAD in cells
    assert ptr_median(flat, NO_SPREAD, epsilon, delta, SeededBits(0)).cell == BOTTOM


def test_an_iterative_mechanism_stops_where_its_rule_says():
    release = run_iterative(
        [lambda seen: len(seen)] * 6,
        {2: lambda seen: False, 4: lambda seen: seen[-1] == 3},
        [Fraction(1), Fraction(2), Fraction(3)],
        Fraction(1, 100),
    )
    assert release.answer == (0, 1, 2, 3)
    assert release.cell == "4"
    assert isinstance(release.guarantee, OutputDP)
    assert dict(release.guarantee.cells) == {"2": 1, "4": 2, "6": 3}
    with pytest.raises(InputError, match="stops"):
        run_iterative([lambda seen: 0] * 2, {2: lambda seen: True}, [Fraction(1)], Fraction(0))


# --- logistic regression --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cancer():
    """Real data: breast cancer (Wisconsin), four covariates, 400 training and 169 test records."""
    datasets = pytest.importorskip("sklearn.datasets", exc_type=ImportError)
    found = datasets.load_breast_cancer()
    columns = found.data[:, [6, 7, 26, 27]] * [1.0, 2.0, 0.5, 2.0]
    labels = [1 if label else -1 for label in found.target]
    records = erm_run.scaled(columns - [0.09, 0.1, 0.13, 0.22], labels, Fraction(1, 2))
    return (
        erm_run.Records(records.covariates[:400], records.labels[:400]),
        erm_run.Records(records.covariates[400:], records.labels[400:]),
    )


def test_the_minimiser_is_certified_and_a_wrong_one_is_refused(cancer):
    train, _ = cancer
    tolerance = Fraction(1, 10**8)
    found = erm_run.minimiser(train, Fraction(1, 10), tolerance)
    assert erm_run.gradient_within(found, train, Fraction(1, 10), tolerance)
    moved = (found[0] + Fraction(1, 10**4), *found[1:])
    assert not erm_run.gradient_within(moved, train, Fraction(1, 10), tolerance)


RECORDS = erm_run.Records(
    tuple((Fraction(i % 5 - 2, 4), Fraction(i % 3 - 1, 2)) for i in range(30)),
    tuple(1 if i % 4 else -1 for i in range(30)),
)


def test_the_descent_gets_to_the_tolerance_in_the_steps_that_public_numbers_give():
    for weight, tolerance in ((Fraction(1, 10), Fraction(1, 10**8)), (Fraction(1, 200), Fraction(1, 10**12))):
        found = erm_run.minimiser(RECORDS, weight, tolerance)
        assert erm_run.gradient_within(found, RECORDS, weight, tolerance)


def test_records_of_one_label_have_a_minimiser_too():
    alike = erm_run.Records(RECORDS.covariates, (1,) * 30)
    tolerance = Fraction(1, 10**8)
    assert erm_run.gradient_within(erm_run.minimiser(alike, Fraction(1), tolerance), alike, Fraction(1), tolerance)


def test_what_a_minimisation_refuses_hangs_on_public_numbers_alone():
    for weight, tolerance in ((Fraction(1, 10**12), Fraction(1, 10**8)), (Fraction(1), Fraction(1, 10**40))):
        with pytest.raises(InputError):
            erm_run.minimiser(RECORDS, weight, tolerance)
        with pytest.raises(InputError):
            erm_run.require_work(len(RECORDS), RECORDS.dimension, weight, tolerance)


def test_the_score_is_the_mean_absolute_error(cancer):
    _, test = cancer
    p = (Fraction(-3), Fraction(1), Fraction(-5), Fraction(2))
    expected = sum(
        abs(math.tanh(float(sum(a * b for a, b in zip(p, x, strict=True))) / 2) - y)
        for x, y in zip(test.covariates, test.labels, strict=True)
    ) / len(test)
    score = erm_run.score(p, test)
    assert meets(Enclosure(score, score + Fraction(1, 10**6)), around(expected, absolute=Fraction(1, 10**12)))
    assert erm_run.score((Fraction(0),) * 4, test) == 1


def test_a_median_of_nothing_is_refused():
    with pytest.raises(InputError, match="at least 1"):
        median_distance((), Fraction(1))
    with pytest.raises(InputError, match="width"):
        median_distance((Fraction(1),), Fraction(0))


def one_covariate(*rows):
    return erm_run.Records(tuple((Fraction(x),) for x, _ in rows), tuple(y for _, y in rows))


@pytest.mark.parametrize(
    ("p", "rows", "expected"),
    [
        # The two terms cancel, and the score is 1, a grid point.
        ("1/3", [("1/2", 1), ("1/2", -1)], "1"),
        ("1/3", [("1/2", 1), ("-1/2", 1)], "1"),
        # They cancel in part: 1 - tanh(1/12)/3 is left.
        ("1/3", [("1/2", 1), ("1/2", -1), ("1/2", 1)], "0.972286"),
        # So near to a grid point that no precision that is written down shows it; only the side is decided.
        ("1e9", [("1", 1), ("1/2", 1)], "0"),
        ("-1e9", [("1", 1), ("1/2", 1)], "1.999999"),
        ("1e9", [("1", 1), ("1/2", -1)], "0.999999"),
        ("-1e9", [("1", 1), ("1/2", -1)], "1"),
        ("1e9", [("1", 1), ("1/2", -1), ("1/2", -1)], "1.333333"),
        ("1e-3000", [("1", 1), ("1/2", 1)], "0.999999"),
        ("-1e-3000", [("1", 1), ("1/2", 1)], "1"),
    ],
)
def test_every_score_is_computed(p, rows, expected):
    assert erm_run.score((rational(p),), one_covariate(*rows)) == Fraction(expected)


@pytest.mark.parametrize("seed", range(30))
def test_the_score_is_the_mean_of_the_errors_whatever_cancels(seed):
    source = random.Random(seed)
    rows = [(Fraction(source.randint(-4, 4), 5), source.choice((1, -1))) for _ in range(source.randint(1, 9))]
    p = Fraction(source.randint(-40, 40), 3)
    with mpmath.workdps(50):
        errors = [abs(y - mpmath.tanh(mpmath.mpf((p * x).numerator) / (p * x).denominator / 2)) for x, y in rows]
        found = erm_run.score((p,), one_covariate(*rows))
        steps = mpmath.fsum(errors) / len(rows) * 10**6 - int(found * 10**6)
        assert -(mpmath.mpf(10) ** -30) < steps < 1


def test_a_model_is_released_or_withheld_and_the_accountant_charges_the_cell(cancer):
    train, test = cancer
    eps1, eps2 = Fraction(3), Fraction(1)
    spent = {}
    for threshold in (Fraction(2), Fraction(-1)):
        release = erm_run.log_reg_test(train, test, eps1, eps2, Fraction(1, 20), threshold, SeededBits(2))
        accountant = OutputAccountant(Fraction(5), Fraction(0))
        after = settle(accountant, accountant.start(), release)
        spent[release.cell] = Fraction(5) - after.eps
    assert spent == {erm_run.MODEL: eps1, erm_run.BOTTOM: eps2}


def test_a_long_record_is_refused_by_theorem_16():
    with pytest.raises(HypothesisError, match="thm16"):
        erm_run.Records(((Fraction(1), Fraction(1)),), (1,))
    cut = erm_run.scaled([[3.0, 4.0]], [1], Fraction(1))
    assert Fraction(99, 100) < sum(x * x for x in cut.covariates[0]) <= 1
