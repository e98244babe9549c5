"""Private logistic regression that runs: output perturbation, and its release behind a test (Algorithms 4 and 5).

The minimiser is found by a descent that is proved to get within the public ``tolerance``, and ball arithmetic bounds
its gradient: no data is refused. Moving from the true minimiser to what is found and to the grid adds
2 tolerance/lam + step sqrt(d) to the sensitivity 2/(n_train lam) of Theorem 16. The noise is a grid vector with
probability proportional to e^(-rate ||z||_2), exactly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.errors import HypothesisError, InputError
from privref.guarantees.model import PureDP
from privref.mechanisms.erm import error_sensitivity, log_reg_with_test
from tests.mechanisms import sampling
from tests.mechanisms.releases import Release, grid_sensitivity, positive

Coefficients = tuple[Fraction, ...]
#: Digits of the grid on which the test error is compared with its threshold.
_TEST_STEP = Fraction(1, 10**6)
MODEL = "model"
BOTTOM = "bottom"


@dataclass(frozen=True, slots=True)
class Records:
    """Labelled records with exact covariates, ||x||_2 <= 1 and labels -1 or 1."""

    covariates: tuple[Coefficients, ...]
    labels: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.covariates or len(self.covariates) != len(self.labels):
            raise InputError("records", f"{len(self.covariates)} with {len(self.labels)} labels", "give one label each")
        if any(label not in (-1, 1) for label in self.labels):
            raise InputError("labels", "(values)", "give -1 or 1")
        for i, x in enumerate(self.covariates):
            if len(x) != len(self.covariates[0]):
                raise InputError(f"covariates[{i}]", f"{len(x)} entries", "give all records the same dimension")
            if sum(entry * entry for entry in x) > 1:
                raise HypothesisError(f"hartmann2022/thm16: it requires ||x|| <= 1, which record {i} breaks")

    @property
    def dimension(self) -> int:
        return len(self.covariates[0])

    def __len__(self) -> int:
        return len(self.labels)


def scaled(rows: Sequence[Sequence[float]], labels: Sequence[int], bound: Fraction, digits: int = 6) -> Records:
    """Records from floats: divided by a public bound, rounded to ``digits`` decimals, cut to the unit ball.

    The cut multiplies a longer record by a rational just below 1/||x||; it looks at one record only.
    """
    unit = Fraction(1, 10**digits)
    covariates = []
    for row in rows:
        x = [sampling.round_to_grid(Fraction(float(entry)) / bound, unit) for entry in row]
        square = sum((entry * entry for entry in x), Fraction(0))
        if square > 1:
            root = Fraction(math.isqrt(math.ceil(square * 10**24)) + 1, 10**12)
            x = [entry / root for entry in x]
        covariates.append(tuple(x))
    return Records(tuple(covariates), tuple(labels))


def _dot(p: Sequence[Fraction], x: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(p, x, strict=True)), Fraction(0))


def _gradient(ar: Arithmetic, p: Sequence[Fraction], records: Records, lam: Fraction) -> list[Real]:
    """The gradient of the regularised logistic risk at p, times the number of records."""
    total = [ar.real(lam * len(records) * entry) for entry in p]
    for x, y in zip(records.covariates, records.labels, strict=True):
        weight = -y / (1 + ar.exp(y * _dot(p, x)))
        total = [entry + weight * coordinate for entry, coordinate in zip(total, x, strict=True)]
    return total


def gradient_within(p: Sequence[Fraction], records: Records, lam: Fraction, tolerance: Fraction) -> bool:
    """Whether the gradient of the regularised logistic risk at p certainly has norm at most ``tolerance``."""

    def room(ar: Arithmetic) -> Scalar:
        total = _gradient(ar, p, records, lam)
        return ar.sum(entry * entry for entry in total) - (tolerance * len(records)) ** 2

    found = decide.enclose_once(room, decide.engine("arb", 192))
    return found is not None and found.upper <= 0


#: What one minimisation may cost in the worst case, in coordinates of records visited: about a minute.
MOST_WORK = 40_000_000
#: Coordinates of an iterate are multiples of this, far below any tolerance that is read.
_GRID_BITS = 256


def steps(lam: Fraction, tolerance: Fraction) -> int:
    """After this many accelerated gradient steps from 0 the gradient's norm is at most the tolerance, for all data.

    The risk is lam-strongly convex and has an L-Lipschitz gradient, L = lam + 1/4, as ||x|| <= 1; its minimiser is at
    most 1/lam away. So f - f* <= L/lam^2 (1 - sqrt(lam/L))^t (Nesterov 2018, Theorem 2.2.3), and the gradient's
    squared norm is at most 2 L (f - f*). Half of the tolerance is left to the rounding of iterates.
    """
    smooth = float(lam + Fraction(1, 4))
    logarithm = math.log(8) + 2 * (math.log(smooth) - math.log(lam) - math.log(tolerance))
    return math.ceil(math.sqrt(smooth / float(lam)) * logarithm * 1.01) + 2


def require_work(n: int, dimension: int, lam: Fraction, tolerance: Fraction) -> None:
    """Refuse by public numbers alone what the minimisation of some data could not do in time."""
    if tolerance < Fraction(1, 2**96):
        raise InputError("tolerance", str(tolerance), "give one of at least 2^-96")
    if lam < Fraction(1, 2**64) or n * dimension * steps(lam, tolerance) > MOST_WORK:
        remedy = "with this many records so weak a regularisation may take too long to minimise; give a larger one"
        raise InputError("lam", str(lam), remedy)


def minimiser(records: Records, lam: Fraction, tolerance: Fraction) -> Coefficients:
    """A vector at which the gradient of the regularised risk certainly has norm at most ``tolerance``.

    No data is refused: a refusal that depends on the data would be an answer that no theorem charges. What is refused,
    ``require_work``, depends on public numbers.
    """
    require_work(len(records), records.dimension, lam, tolerance)
    found = _descended(records, lam, tolerance)
    if not gradient_within(found, records, lam, tolerance):
        raise AssertionError("the accelerated descent did not reach its own bound")
    return found


def _descended(records: Records, lam: Fraction, tolerance: Fraction) -> Coefficients:
    """Nesterov's accelerated gradient descent from 0, in balls whose midpoints are kept."""
    ar = decide.engine("arb", _GRID_BITS + 64)
    smooth = lam + Fraction(1, 4)
    ratio = Fraction(math.isqrt(int(lam / smooth * 2**80)), 2**40)
    momentum = (1 - ratio) / (1 + ratio)
    point = ahead = tuple(Fraction(0) for _ in range(records.dimension))
    with ar.active():
        for _ in range(steps(lam, tolerance)):
            gradient = _gradient(ar, ahead, records, lam)
            following = tuple(
                _midpoint(ar, entry - slope / (smooth * len(records)))
                for entry, slope in zip(ahead, gradient, strict=True)
            )
            ahead = tuple(_rounded(new + momentum * (new - old)) for new, old in zip(following, point, strict=True))
            point = following
    return point


def _rounded(value: Fraction) -> Fraction:
    return Fraction(round(value * 2**_GRID_BITS), 2**_GRID_BITS)


def _midpoint(ar: EnclosingArithmetic, value: Scalar) -> Fraction:
    found = ar.enclosure(value)
    assert found is not None
    return _rounded((found.lower + found.upper) / 2)


def move(n_train: int, dimension: int, lam: Fraction, tolerance: Fraction, step: Fraction) -> Fraction:
    """A rational bound on how far the rounded minimiser moves between neighbours, in the L2 norm."""
    return 2 / (n_train * lam) + 2 * tolerance / lam + step * (math.isqrt(dimension - 1) + 1)


def lattice_noise(rate: Fraction, dimension: int, bits: sampling.Bits) -> tuple[int, ...]:
    """An integer vector z with probability proportional to e^(-rate ||z||_2), exactly.

    Proposals have independent discrete Laplace entries with total exponent (rate/r) ||z||_1, r the least integer with
    r >= sqrt(d); as ||z||_2 >= ||z||_1/r, they are kept with probability e^(-rate (||z||_2 - ||z||_1/r)).
    """
    r = math.isqrt(dimension - 1) + 1
    while True:
        z = tuple(sampling.discrete_laplace(r / rate, bits) for _ in range(dimension))
        square, length = sum(entry * entry for entry in z), Fraction(sum(map(abs, z)), r)

        def kept(ar: Arithmetic, square: int = square, length: Fraction = length) -> Scalar:
            return ar.exp(-rate * (ar.sqrt(square) - length))

        def lost(ar: Arithmetic, kept: Callable[[Arithmetic], Scalar] = kept) -> Scalar:
            return 1 - cast(Real, kept(ar))

        if sampling.choose([kept, lost], bits) == 0:
            return z


def output_perturbation(
    records: Records,
    epsilon: Fraction,
    lam: Fraction,
    bits: sampling.Bits,
    *,
    tolerance: Fraction = Fraction(1, 10**8),
    step: Fraction = Fraction(1, 10**4),
) -> Release[Coefficients]:
    """ERMOutputPert (Algorithm 4) for logistic regression: epsilon-DP for replace-one neighbours, n_train public."""
    positive(lam, "lam")
    positive(epsilon, "epsilon")
    found = minimiser(records, lam, tolerance)
    rate = epsilon / move(len(records), records.dimension, lam, tolerance, step)
    noise = lattice_noise(rate * step, records.dimension, bits)
    answer = tuple(sampling.round_to_grid(p, step) + step * z for p, z in zip(found, noise, strict=True))
    return Release(answer, PureDP(epsilon))


def score(p: Sequence[Fraction], records: Records) -> Fraction:
    """The mean absolute error s(p, x_test) with h_p(x) = tanh(p.x/2), rounded down to the test's grid, exactly.

    With b = y p.x it is the mean of 1 - tanh(b/2), tanh is odd, and tanh(b/2) = 1 - 2/(e^b + 1). So records with b and
    -b cancel, and with c_b of those with b > 0 left over (negative for -b) the score is

        1 - sum c_b/n + (2/n) sum c_b/(e^b + 1).

    The last sum is transcendental unless it is empty, so that the score is not a grid point and precision decides its
    cell: with b = m_b/D, t = e^(1/D) is transcendental (Lindemann-Weierstrass), and the sum is a rational function of t
    that is not constant, as its pole e^(i pi/M), M the largest m_b, is not a pole of a term with a smaller m_b.
    """
    left = _left_over(_dot(p, x) * y for x, y in zip(records.covariates, records.labels, strict=True))
    if not left:
        return Fraction(1)
    count = len(records)
    base = 1 - Fraction(sum(left.values()), count)
    places, part = divmod(base, _TEST_STEP)
    least = min(left)
    if least < 21 + count.bit_length():

        def formula(ar: Arithmetic) -> Scalar:
            return base + ar.sum(c / (1 + ar.exp(b)) for b, c in left.items()) * Fraction(2, count)

        return _TEST_STEP * _cell(formula)
    # The sum is below (2/n) n e^-least < step/n, and the base is a multiple of step/n: only its sign matters, and only
    # on a grid point. It may be too small to be written down, so its sign is that of e^least times it.
    if part:
        return _TEST_STEP * places

    def tail(ar: Arithmetic) -> Scalar:
        return ar.sum(c * ar.exp(least - b) / (1 + ar.exp(-b)) for b, c in left.items())

    return _TEST_STEP * (places if _positive(tail) else places - 1)


def _left_over(margins: Iterable[Fraction]) -> dict[Fraction, int]:
    """How often b > 0 occurs more often than -b, without those that cancel."""
    found: Counter[Fraction] = Counter()
    for b in margins:
        if b:
            found[abs(b)] += 1 if b > 0 else -1
    return {b: c for b, c in found.items() if c}


def _precisions() -> Iterator[int]:
    """128 bits, 256, …: without a cap, for what is known to be decided at last."""
    precision = 128
    while True:
        yield precision
        precision *= 2


def _cell(formula: Callable[[Arithmetic], Scalar]) -> int:
    """The number of grid steps below a value that is not a grid point."""
    for precision in _precisions():
        found = decide.enclose_once(formula, decide.engine("arb", precision))
        if found is not None and found.lower // _TEST_STEP == found.upper // _TEST_STEP:
            return int(found.lower // _TEST_STEP)
    raise AssertionError("unreachable: the precisions do not end")


def _positive(formula: Callable[[Arithmetic], Scalar]) -> bool:
    """Whether a value that is not 0 is positive."""
    for precision in _precisions():
        found = decide.enclose_once(formula, decide.engine("arb", precision))
        if found is not None and (found.lower > 0 or found.upper < 0):
            return found.lower > 0
    raise AssertionError("unreachable: the precisions do not end")


def log_reg_test(
    train: Records,
    test: Records,
    eps1: Fraction,
    eps2: Fraction,
    lam: Fraction,
    threshold: Fraction,
    bits: sampling.Bits,
    *,
    tolerance: Fraction = Fraction(1, 10**8),
    step: Fraction = Fraction(1, 10**4),
) -> Release[Coefficients | None]:
    """LogRegWithTest (Algorithm 5): a private model, released only where its noisy test error is at most a threshold.

    eps1 >= eps2; a model costs eps1, bottom eps2 (hartmann2022/cor18). The noise of the test is Laplace on a grid with
    scale a/eps2, a at least the paper's for the sensitivity that the rounded minimiser has.
    """
    guarantee = log_reg_with_test(eps1, eps2)
    model = output_perturbation(train, eps1, lam, bits, tolerance=tolerance, step=step)
    moved = move(len(train), train.dimension, lam, tolerance, step)
    from_train = decide.enclose(
        lambda ar: error_sensitivity(ar, moved), decide.engine("arb"), Fraction(1, 10**12)
    ).upper
    a = grid_sensitivity(max(Fraction(2, len(test)), from_train), _TEST_STEP)
    noisy = score(model.answer, test) + sampling.grid_laplace(a / eps2, _TEST_STEP, bits)
    if noisy <= threshold:
        return Release(model.answer, guarantee, MODEL)
    return Release(None, guarantee, BOTTOM)
