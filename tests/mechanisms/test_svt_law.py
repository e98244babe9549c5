"""The law of the sparse vector technique against quadrature and simulation, and Lemma 8 on bad neighbours."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import mpmath
import pytest

import privref
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.second import MpmathArithmetic
from privref.mechanisms.svt import Output, output_probability, svt_cost
from tests.oracles import around, meets

HALF = Fraction(1, 2)


def outputs(queries: int, c: int) -> Iterator[Output]:
    """All outputs on that many queries: they end with the c-th top or with the last query."""

    def grow(prefix: Output) -> Iterator[Output]:
        if len(prefix) == queries or sum(prefix) == c:
            yield prefix
            return
        for answer in (0, 1):
            yield from grow((*prefix, answer))

    return grow(())


def probability(gaps, answers, eps1="1/2", eps2="1", c="2", sensitivity="1", **how):
    inputs = {"gaps": [str(g) for g in gaps], "answers": list(answers), "eps1": eps1, "eps2": eps2, "c": c,
              "sensitivity": sensitivity}  # fmt: skip
    return privref.evaluate("hartmann2022/alg2.probability", inputs, **how).enclosure


def by_quadrature(gaps, answers, eps1=0.5, eps2=1.0, c=2, sensitivity=1.0):
    """The defining integral, by mpmath's quadrature split at the kinks, with its error."""
    b1, b2 = sensitivity / eps1, 2 * c * sensitivity / eps2

    def top(u):
        return mpmath.exp(-u / b2) / 2 if u >= 0 else 1 - mpmath.exp(u / b2) / 2

    def integrand(r):
        value = mpmath.exp(-abs(r) / b1) / (2 * b1)
        for gap, answer in zip(gaps, answers, strict=False):
            value *= top(r - gap) if answer else 1 - top(r - gap)
        return value

    points = sorted({0.0, *map(float, gaps)})
    value, error = mpmath.quad(integrand, [-mpmath.inf, *points, mpmath.inf], error=True)
    # The estimate of the error, a hundred times over; the integrand itself is known to some 15 digits.
    return around(value, absolute=100 * around(error).upper, relative=Fraction(1, 10**12))


@pytest.mark.parametrize(
    ("gaps", "answers"),
    [
        ((0,), (0,)),
        ((0,), (1,)),
        ((Fraction(3, 2), -1, 4), (0, 0, 1)),
        ((Fraction(3, 2), -1, 4), (1, 1)),
        ((-2, -2, 5, 0), (0, 1, 0, 0)),
        ((30, -30), (0, 1)),
    ],
)
def test_the_closed_form_is_the_integral(gaps, answers):
    found = probability(gaps, answers)
    assert meets(found, by_quadrature(gaps, answers))
    second = probability(gaps, answers, engine="mpmath")
    assert found.intersection(second) is not None


def test_a_zero_rate_is_integrated_as_a_length():
    # eps2/(2c) = eps1 makes the rate of one term vanish.
    found = probability((2, -1), (1, 0), eps1="1/4", eps2="1", c="2")
    assert meets(found, by_quadrature((2, -1), (1, 0), eps1=0.25))


@pytest.mark.parametrize(("queries", "c"), [(1, 1), (4, 1), (5, 2), (4, 4)])
def test_the_outputs_partition_the_probability(queries, c):
    gaps = [Fraction(i * 7 % 5 - 2, 2) for i in range(queries)]
    everything = list(outputs(queries, c))
    total = sum((probability(gaps, a, c=str(c)).lower + probability(gaps, a, c=str(c)).upper) / 2 for a in everything)
    assert abs(total - 1) < Fraction(1, 10**20)
    # Tops at most c, ends at the c-th top: counted by hand as sum over lengths.
    assert len(everything) == sum(math.comb(queries, j) for j in range(c)) + sum(
        math.comb(m - 1, c - 1) for m in range(c, queries + 1)
    )


def test_an_output_that_can_not_occur_is_refused():
    for answers in ((1, 1, 0), (0,), (1, 1, 1), (2, 0)):
        with pytest.raises(InputError, match="answers"):
            probability((0, 0, 0), answers)


@dataclass(frozen=True, slots=True)
class Lemma8:
    """Lemma 8 at one output: both probabilities, whether the inequality certainly holds, and the loss it bounds."""

    answers: Output
    cost: Fraction
    probability: Enclosure
    neighbour: Enclosure
    holds: bool
    loss: Enclosure


def lemma8(
    gaps: Sequence[Fraction],
    neighbour: Sequence[Fraction],
    eps1: Fraction,
    eps2: Fraction,
    c: int,
    sensitivity: Fraction,
    answers: Output,
    engine: EnclosingArithmetic | None = None,
) -> Lemma8:
    """Compare P(M(x) = a) with e^(eps1 + (c'/c) eps2) P(M(x') = a) for one output a of neighbouring databases.

    Raises InputError where some query differs by more than its sensitivity. A tie of the two sides would run into the
    precision cap; it needs a linear relation between exponentials of different rationals with matching coefficients.
    """
    if len(gaps) != len(neighbour):
        raise InputError("neighbour", f"{len(neighbour)} gaps", f"give {len(gaps)}, one for each query")
    for i, (gap, other) in enumerate(zip(gaps, neighbour, strict=True)):
        if abs(gap - other) > sensitivity:
            raise InputError(f"neighbour[{i}]", str(other), f"it differs by more than the sensitivity {sensitivity}")
    ar = decide.engine("arb") if engine is None else engine
    cost = Fraction(cast(Fraction, svt_cost(ar, eps1, eps2, c, sum(answers))))

    def here(inner: Arithmetic) -> Scalar:
        return output_probability(inner, gaps, answers, eps1, eps2, c, sensitivity)

    def there(inner: Arithmetic) -> Scalar:
        return output_probability(inner, neighbour, answers, eps1, eps2, c, sensitivity)

    def excess(inner: Arithmetic) -> Scalar:
        return cast(Real, here(inner)) - inner.exp(cost) * there(inner)

    def loss(inner: Arithmetic) -> Scalar:
        return inner.log(here(inner)) - inner.log(there(inner))

    width = Fraction(1, 10**20)
    same = tuple(gaps) == tuple(neighbour)
    zero = Enclosure(Fraction(0), Fraction(0))
    return Lemma8(
        answers,
        cost,
        decide.enclose(here, ar, width),
        decide.enclose(there, ar, width),
        decide.sign(excess, ar) <= 0,
        zero if same else _enclosed(loss, ar),
    )


def _enclosed(loss: decide.Formula, ar: EnclosingArithmetic) -> Enclosure:
    """The loss to an absolute width of 10^-20: it may be zero."""
    precision = ar.precision
    while True:
        found = decide.enclose_once(loss, ar.at(precision))
        if found is not None and found.width <= Fraction(1, 10**20):
            return found
        precision *= 2
        if precision > decide.PRECISION_CAP:
            raise InputError("answers", "(loss)", "the loss cannot be enclosed")


def worst_neighbour(gaps: Sequence[Fraction], answers: Output, sensitivity: Fraction) -> tuple[Fraction, ...]:
    """The neighbour that is worst for an output: queries answered top move down, those answered bottom move up."""
    moved = [gap + (sensitivity if answer == 0 else -sensitivity) for gap, answer in zip(gaps, answers, strict=False)]
    return (*moved, *gaps[len(answers) :])


@pytest.mark.parametrize("c", [1, 2])
@pytest.mark.parametrize("gaps", [(0, 0, 0), (-3, 4, -3), (6, 6, 6), (-9, -9, -9), (Fraction(1, 3), -2, 5)])
def test_lemma_8_holds_on_the_worst_neighbour_of_every_output(gaps, c):
    gaps = tuple(map(Fraction, gaps))
    for answers in outputs(len(gaps), c):
        for mirrored in (False, True):
            other = worst_neighbour(gaps, answers, Fraction(1))
            first, second = (other, gaps) if mirrored else (gaps, other)
            for engine in (None, MpmathArithmetic()):
                found = lemma8(first, second, HALF, Fraction(1), c, Fraction(1), answers, engine)
                assert found.holds
                assert found.loss.upper <= found.cost


@pytest.mark.parametrize(("c", "tops"), [(1, 0), (1, 1), (2, 1), (2, 2), (3, 2)])
def test_lemma_8_is_attained_in_the_limit_so_that_no_smaller_cost_would_do(c, tops):
    # Six bottoms above the threshold push rho up by their own move; tops far below then pay for two moves each.
    gaps = (*[Fraction(40)] * 6, *[Fraction(-400)] * tops)
    answers = (0,) * 6 + (1,) * tops
    other = worst_neighbour(gaps, answers, Fraction(1))
    found = lemma8(gaps, other, HALF, Fraction(1), c, Fraction(1), answers)
    assert found.holds
    assert found.cost == HALF + Fraction(tops, c)
    assert found.loss.lower > found.cost - Fraction(1, 10)


def test_lemma_8_is_attained_to_ten_digits_with_one_top():
    gaps, answers = (*[Fraction(10)] * 6, Fraction(-10)), (0,) * 6 + (1,)
    found = lemma8(gaps, worst_neighbour(gaps, answers, Fraction(1)), HALF, Fraction(1), 1, Fraction(1), answers)
    assert found.holds
    assert found.cost - Fraction(1, 10**10) < found.loss.lower < found.cost


def test_neighbours_further_apart_than_the_sensitivity_are_refused():
    with pytest.raises(InputError, match="sensitivity"):
        lemma8((Fraction(0),), (Fraction(2),), HALF, Fraction(1), 1, Fraction(1), (1,))


def test_lemma_8_on_databases_that_differ_in_one_record():
    # Records are bits; the queries count attributes. The replaced record moves every count.
    rest = [(1, 1, 0, 0), (1, 1, 0, 1), (1, 0, 0, 0), (1, 1, 1, 0)]
    first, second = [*rest, (0, 0, 0, 0)], [*rest, (1, 1, 1, 1)]

    def gaps(database):
        return tuple(Fraction(sum(record[i] for record in database)) - Fraction(5, 2) for i in range(4))

    assert all(abs(a - b) == 1 for a, b in zip(gaps(first), gaps(second), strict=True))
    worst = {}
    for c in (1, 2, 3):
        for answers in outputs(4, c):
            for x, other in ((first, second), (second, first)):
                found = lemma8(gaps(x), gaps(other), HALF, Fraction(2), c, Fraction(1), answers)
                assert found.holds
                key = (c, sum(answers))
                worst[key] = max(worst.get(key, Fraction(-9)), found.loss.upper / found.cost)
    # With no top the cost is eps1 alone, however many answers there are; a good part of it is really lost.
    assert worst[1, 0] > Fraction(7, 10)
    assert all(0 < worst[c, 0] <= 1 for c in (1, 2, 3))
