"""OptDel: the least delta of iterative mechanisms that may stop early (Hartmann et al. 2022, Theorem 15), computed.

Rounds are (eps_r, delta_r)-DP, cell i is "stopped after k_i rounds", Y_i = e^E_i. The worst case is a tree of
randomized responses (Lemma 13). A prefix with probabilities (p0, p1) on the two inputs is either claimed in cell i,
which gains p0 - Y_i p1 and so falls short of p0 by the cost Y_i p1, or continued; an unclaimed leaf costs p0. So

    F = min(Y_i p1, sum of F over the children) at a stopping point, that sum elsewhere, min(p0, Y_n p1) at the leaves,

and OptDel = 1 - F(root). Prefixes with a symbol 0 have p1 = 0 and those with a 3 have p0 = 0: both cost nothing, so
only the symbols 1 and 2 are followed. F is homogeneous, so prefixes with equal loss log(p0/p1) share one state.

Threshold: F/p0 is a concave function of p1/p0, as a minimum of linear ones, and stopping costs Y_i p1/p0; the two agree
at 0. Hence stopping is optimal exactly from some loss upward.

The rows are integers times 2^-bits, rounded down; one number bounds the error of a whole row, since minima and
sub-stochastic averages do not magnify errors.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import cast

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.errors import InputError, MorePrecisionError, UndecidedError
from privref.exact.numbers import parts
from privref.exact.seams import seam
from privref.mechanisms.iterative import likely, unlikely
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import AtLeastOne, Count, Positive, Probability
from privref.statements.registry import Result, implements

from .iterative import check_cells

#: Equal rounds with rational e^eps: up to here the registered statement answers with the exact rational.
EXACT_ROUNDS = 1000
#: Distinct (round, loss) states that the exact computation with unequal rounds may hold.
EXACT_STATES = 200_000
#: States that one pass over a loss lattice may visit.
LATTICE_STATES = 200_000_000
#: Equal rounds that one pass can take: k rounds have (k + 1)(k + 2)/2 states.
MOST_EQUAL_ROUNDS = (math.isqrt(8 * LATTICE_STATES + 1) - 3) // 2
_MOST_BITS = 200_000

_FIXED = (Hypothesis.FIXED_PARAMETERS,)
_EQUAL = (Hypothesis.FIXED_PARAMETERS, Hypothesis.EQUAL_PARAMETERS)


# --- the recursion on a lattice of losses ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stop:
    """A stopping point: the rounds run, and the cost written as e^E = scale * unit^places with scale <= 1."""

    rounds: int
    places: int
    scale: Scalar


@dataclass(frozen=True, slots=True)
class Lattice:
    """The tree of losses: after r rounds they are (2 a - S_r) log(unit), a = 0 … S_r, S_r the sum of the reaches.

    ``kernels[r]`` lists (offset, probability on input 0) of round r + 1's finite losses; the reach is the last offset.
    """

    unit: Scalar
    kernels: tuple[tuple[tuple[int, Scalar], ...], ...]
    stops: tuple[Stop, ...]

    @property
    def reaches(self) -> tuple[int, ...]:
        """S_0, S_1, …, S_k: the number of lattice places of a row, less one."""
        return tuple(accumulate((kernel[-1][0] for kernel in self.kernels), initial=0))

    @property
    def states(self) -> int:
        """The number of states of one pass."""
        return sum(self.reaches) + len(self.kernels) + 1


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which place on stopping is certainly (``sure``) and possibly (``maybe``) optimal; None for nowhere."""

    rounds: int
    maybe: int | None
    sure: int | None


@dataclass(frozen=True, slots=True)
class Pass:
    """The outcome of a pass: low <= F(root) * 2^bits <= low + error, and the stopping rule as far as it is certain."""

    low: int
    error: int
    bits: int
    thresholds: tuple[Threshold, ...]


def fixed(ar: EnclosingArithmetic, value: Scalar, bits: int) -> tuple[int, int]:
    """``value`` as (low, error): low <= value * 2^bits <= low + error."""
    low, high = decide.finite(ar, value, "no finite enclosure of a probability or a cost").in_units(bits)
    return low, high - low


def _averaged(row: list[int], weights: Sequence[tuple[int, int]], size: int, bits: int) -> list[int]:
    """The row before a round: the sum over (offset, weight) of weight * row[a + offset], rounded down."""
    if len(weights) == 2:
        (first, w0), (second, w1) = weights
        lows, highs = row[first : first + size], row[second : second + size]
        return [(w0 * low + w1 * high) >> bits for low, high in zip(lows, highs, strict=True)]
    columns = [row[offset : offset + size] for offset, _ in weights]
    factors = [weight for _, weight in weights]
    return [
        sum(weight * entry for weight, entry in zip(factors, entries, strict=True)) >> bits
        for entries in zip(*columns, strict=True)
    ]


def run_pass(ar: EnclosingArithmetic, build: Callable[[Arithmetic], Lattice], bits: int) -> Pass:
    """One backward pass at ``bits`` fractional bits. ``build`` makes the lattice in the arithmetic it is given."""
    work = ar.at(bits + 64)
    with work.active():
        lattice = build(work)
        # Equal rounds share one kernel object, so each is rounded once.
        distinct = {id(kernel): kernel for kernel in lattice.kernels}
        rounded = {key: [(offset, *fixed(work, w, bits)) for offset, w in kernel] for key, kernel in distinct.items()}
        step, step_error = fixed(work, 1 / work.real(lattice.unit), bits)
        scales = [fixed(work, stop.scale, bits) for stop in lattice.stops]
    reaches = lattice.reaches
    # unit^-j by repeated products, each rounded down; the factors are at most 1, so errors add up.
    powers = [1 << bits]
    for _ in range(max(reaches[stop.rounds] - stop.places for stop in lattice.stops)):
        powers.append((powers[-1] * step) >> bits)
    power_error = (step_error + 1) * len(powers)

    stops = {stop.rounds: (stop, *scale) for stop, scale in zip(lattice.stops, scales, strict=True)}
    thresholds: list[Threshold] = []
    row: list[int] = []
    error = 0
    for rounds in range(lattice.stops[-1].rounds, -1, -1):
        size = reaches[rounds] + 1
        if not row:
            row = [1 << bits] * size
        else:
            used = rounded[id(lattice.kernels[rounds])]
            row = _averaged(row, [(offset, low) for offset, low, _ in used], size, bits)
            # Each weight is short by its error, on entries of at most about 1; one more unit is the rounding down.
            error += 1 + 2 * sum(short for _, _, short in used)
        if rounds in stops:
            stop, scale, scale_error = stops[rounds]
            first = -((-stop.places - reaches[rounds]) // 2)
            costs = [(scale * power) >> bits for power in powers[2 * first - reaches[rounds] - stop.places :: 2]]
            costs = costs[: max(0, size - first)]
            cost_error = 1 + scale_error + 2 * power_error
            thresholds.append(_claim(row, costs, first, error, cost_error, rounds))
            error = max(error, cost_error)
    return Pass(row[0], error, bits, tuple(reversed(thresholds)))


def _claim(row: list[int], costs: list[int], first: int, error: int, cost_error: int, rounds: int) -> Threshold:
    """Take the minimum with the costs of stopping, which start at place ``first``; report where they are the lesser."""
    going_on = row[first:]
    row[first:] = [min(cost, other) for cost, other in zip(costs, going_on, strict=True)]
    maybe = next((a for a, (c, g) in enumerate(zip(costs, going_on, strict=True)) if c <= g + error), None)
    sure = next((a for a, (c, g) in enumerate(zip(costs, going_on, strict=True)) if c + cost_error <= g), None)
    return Threshold(rounds, None if maybe is None else first + maybe, None if sure is None else first + sure)


def guard_bits(lattice: Lattice) -> int:
    """Bits that the accumulated errors of a pass can eat."""
    return (16 * (len(lattice.kernels) + lattice.reaches[-1] + 8)).bit_length()


def _check_size(lattice: Lattice) -> None:
    if lattice.states > LATTICE_STATES:
        raise UndecidedError(f"{lattice.states} states are too many for one pass (at most {LATTICE_STATES})")


def lattice_delta(ar: Arithmetic, build: Callable[[Arithmetic], Lattice]) -> Scalar:
    """OptDel > 0 on an exact lattice, enclosed to about the arithmetic's precision relative to its value."""
    enclosing = enclosing_arithmetic(ar)
    with enclosing.active():
        lattice = build(enclosing)
    _check_size(lattice)
    bits = enclosing.precision + guard_bits(lattice) + 48
    while True:
        found = run_pass(enclosing, build, bits)
        delta = (1 << bits) - found.low
        if delta > found.error << enclosing.precision:
            whole = 1 << bits
            return ar.hull(Fraction(delta - found.error, whole), Fraction(delta, whole))
        # As many bits more as delta is smaller than 1; doubled while it is not even known to be positive.
        missing = enclosing.precision + found.error.bit_length() - delta.bit_length() + 8
        bits = bits + missing if delta > 2 * found.error else 2 * bits
        if bits > _MOST_BITS:
            raise MorePrecisionError("delta is too small to be enclosed")


def enclosing_arithmetic(ar: Arithmetic) -> EnclosingArithmetic:
    """The arithmetic itself where it encloses; otherwise the trusted one (an exact or float caller)."""
    return decide.enclosing(ar, 128)


def _places(ar: Arithmetic, unit: Fraction, claim: Fraction) -> int:
    """The least whole j with unit^j >= claim, or one less where that is too close to call; unit > 1, claim >= 1."""
    if claim == 1:
        return 0
    found = decide.finite(enclosing_arithmetic(ar), ar.log(claim) / ar.log(unit), "the place of a cost is open")
    return -(-found.lower.numerator // found.lower.denominator)


def equal_rational(x: Fraction, delta: Fraction, k: Sequence[int], Y: Sequence[Fraction]) -> Callable[..., Lattice]:
    """The lattice of k_n equal rounds with rational e^eps = x > 1 and e^E_i = Y_i."""

    def build(ar: Arithmetic) -> Lattice:
        kernel = ((0, unlikely(x, delta)), (1, likely(x, delta)))
        stops = []
        for rounds, claim in zip(k, Y, strict=True):
            places = _places(ar, x, claim)
            stops.append(Stop(rounds, places, claim * ar.real(1 / x) ** places))
        return Lattice(x, (kernel,) * k[-1], tuple(stops))

    return build


def commensurable(
    eps: Sequence[Fraction], delta: Sequence[Fraction], k: Sequence[int], E: Sequence[Fraction], unit: Fraction
) -> Callable[..., Lattice]:
    """The lattice of rounds whose epsilons are whole multiples of ``unit`` > 0, all in nats."""

    def build(ar: Arithmetic) -> Lattice:
        made: dict[tuple[Fraction, Fraction], tuple[tuple[int, Scalar], ...]] = {}
        kernels = []
        for e, d in zip(eps[: k[-1]], delta, strict=False):
            if (e, d) not in made:
                reach = int(e / unit)
                growth = ar.exp(e)
                made[e, d] = ((0, unlikely(growth, d)), (reach, likely(growth, d))) if reach else ((0, 1 - d),)
            kernels.append(made[e, d])
        return Lattice(ar.exp(unit), tuple(kernels), stops_in_nats(ar, k, E, unit))

    return build


def stops_in_nats(ar: Arithmetic, k: Sequence[int], E: Sequence[Fraction], unit: Fraction) -> tuple[Stop, ...]:
    places = [-(-cost // unit) for cost in E]
    return tuple(
        Stop(rounds, place, ar.exp(cost - place * unit)) for rounds, cost, place in zip(k, E, places, strict=True)
    )


def common_unit(eps: Sequence[Fraction]) -> Fraction:
    """The largest rational of which every eps is a whole multiple; 0 where all are 0."""
    denominator = math.lcm(*(e.denominator for e in eps))
    return Fraction(math.gcd(*(int(e * denominator) for e in eps)), denominator)


# --- exact answers ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StopRow:
    """One line of the optimal stopping rule: after ``rounds``, claim from ``least_ones`` symbols 1 on (None: never)."""

    rounds: int
    least_ones: int | None


class _ExactEqual:
    """Equal rounds with rational x = e^eps > 1, as integers: the cost of a stopping rule, and the optimal rule."""

    def __init__(self, x: Fraction, delta: Fraction, k: Sequence[int], Y: Sequence[Fraction]) -> None:
        self.x, self.delta = x, delta
        kept = undominated(k, Y, delta)
        self.k = tuple(k[i] for i in kept)
        self.Y = tuple(Y[i] for i in kept)
        self.rule: dict[int, int | None] = {}

    def cost(self, rounds: int, ones: int) -> Fraction:
        """F/p1 of going on from a prefix of ``rounds`` symbols, ``ones`` of them 1, under the rule for later stops."""
        p, q = parts(self.x)
        total = Fraction(0)
        counts, base, here = [1], 0, rounds
        for stop, claim in zip(self.k, self.Y, strict=True):
            if stop <= rounds:
                continue
            for _ in range(stop - here):
                counts = [low + high for low, high in zip([0, *counts], [*counts, 0], strict=True)]
            here = stop
            least = self.rule[stop]
            # Places below the threshold go on; counts are by the number of ones since the prefix.
            keep = len(counts) if least is None else min(max(least - ones - base, 0), len(counts))
            steps = stop - rounds
            total += claim * self._weighted(counts[keep:], base + keep, steps, q, p)
            counts = counts[:keep]
            if not counts:
                break
        else:
            leaf = self._weighted(counts, base, here - rounds, p, q)
            total += self.x ** (2 * ones - rounds) * leaf
        return total

    def _weighted(self, counts: Sequence[int], least: int, steps: int, one: int, other: int) -> Fraction:
        """((1 - delta)/(p + q))^steps times the sum of counts[i] one^(least + i) other^(steps - least - i)."""
        if not counts:
            return Fraction(0)
        total, power = 0, 1
        for number in counts:
            total = total * other + number * power
            power *= one
        total *= one**least * other ** (steps - least - len(counts) + 1)
        stay = (1 - self.delta) / sum(parts(self.x))
        found: Fraction = total * stay**steps
        return found

    def solve(self, bits: int) -> None:
        """Find the optimal rule: certain from one enclosed pass, settled exactly where that leaves a row open."""
        for row, claim in reversed(list(zip(_plan(self.x, self.delta, self.k, self.Y, bits), self.Y, strict=True))):
            self.rule[row.rounds] = self._settle(row, claim)

    def _settle(self, row: Threshold, claim: Fraction) -> int | None:
        if row.maybe is None or row.maybe == row.sure:
            return row.maybe
        low, high = row.maybe, row.rounds + 1 if row.sure is None else row.sure
        while low < high:
            middle = (low + high) // 2
            on = self.x ** (2 * middle - row.rounds) if row.rounds == self.k[-1] else self.cost(row.rounds, middle)
            low, high = (low, middle) if claim <= on else (middle + 1, high)
        return None if low > row.rounds else low


@seam
def _plan(x: Fraction, delta: Fraction, k: Sequence[int], Y: Sequence[Fraction], bits: int) -> tuple[Threshold, ...]:
    """What one enclosed pass says of the optimal rule at each stopping point."""
    engine = decide.engine("arb", 128)
    build = equal_rational(x, delta, k, Y)
    with engine.active():
        guard = guard_bits(build(engine))
    return run_pass(engine, build, bits + guard).thresholds


def undominated(k: Sequence[int], Y: Sequence[Fraction], delta: Fraction) -> list[int]:
    """The cells that can be worth claiming: not those where a later claim of everything costs no more.

    Going on from k_i to k_j and claiming all costs Y_j (1 - delta)^(k_j - k_i) p1, as symbols 0 and 3 are free.
    """
    kept: list[int] = []
    least: Fraction | None = None
    for i in reversed(range(len(k))):
        if least is not None:
            least *= (1 - delta) ** (k[i + 1] - k[i])
        if least is None or Y[i] < least:
            kept.append(i)
            least = Y[i]
    return kept[::-1]


def exact_equal_delta(
    exp_eps: Fraction, delta: Fraction, k: Sequence[int], exp_E: Sequence[Fraction], *, bits: int = 160
) -> tuple[Fraction, tuple[StopRow, ...]]:
    """OptDel of equal rounds as a rational, and the optimal stopping rule, for rational e^eps and e^E_i.

    ``bits`` is the precision of the pass that plans; whatever it leaves open is settled exactly.
    """
    check_cells(k, exp_E, "exp_E")
    if exp_eps == 1 or delta == 1:
        return 1 - (1 - delta) ** k[-1], tuple(StopRow(rounds, None) for rounds in k)
    tree = _ExactEqual(exp_eps, delta, k, exp_E)
    tree.solve(bits)
    return 1 - tree.cost(0, 0), tuple(StopRow(rounds, tree.rule.get(rounds)) for rounds in k)


def exact_unequal_delta(
    exp_eps: Sequence[Fraction], delta: Sequence[Fraction], k: Sequence[int], exp_E: Sequence[Fraction]
) -> Fraction:
    """OptDel of unequal rounds as a rational: prefixes with exactly equal p0/p1 share a state."""
    rows: list[set[Fraction]] = [{Fraction(1)}]
    states = 1
    for x in exp_eps[: k[-1]]:
        rows.append({ratio * factor for ratio in rows[-1] for factor in (x, 1 / x)})
        states += len(rows[-1])
        if states > EXACT_STATES:
            raise UndecidedError(
                f"more than {EXACT_STATES} distinct losses: ask hartmann2022/thm15.optdel_lower and optdel_upper"
            )
    claims = dict(zip(k, exp_E, strict=True))
    value = {ratio: min(ratio, exp_E[-1]) for ratio in rows[-1]}
    for r in reversed(range(k[-1])):
        x, d = exp_eps[r], delta[r]
        bottom, top = cast(Fraction, likely(x, d)), cast(Fraction, unlikely(x, d))
        on = {ratio: top * value[ratio * x] + bottom * value[ratio / x] for ratio in rows[r]}
        value = {ratio: min(cost, claims[r]) if r in claims else cost for ratio, cost in on.items()}
    return 1 - value[Fraction(1)]


# --- statements -------------------------------------------------------------------------------------------------------


def no_claim_delta(delta: Iterable[Fraction]) -> Fraction:
    """1 - prod(1 - delta_r): what is lost at every E, because a randomized response may give itself away."""
    stay = Fraction(1)
    for d, rounds in Counter(delta).items():
        stay *= (1 - d) ** rounds
    return 1 - stay


def check_equal_rounds(k: Sequence[int]) -> None:
    """InputError for more equal rounds than one pass can take, before a list of them is made."""
    if k[-1] > MOST_EQUAL_ROUNDS:
        raise InputError(
            f"k[{len(k) - 1}]", k[-1], f"at most {MOST_EQUAL_ROUNDS} equal rounds are computed; give fewer"
        )


def never_worth_claiming(
    eps: Sequence[Fraction], delta: Sequence[Fraction], k: Sequence[int], E: Sequence[Fraction]
) -> bool:
    """Whether no finite loss exceeds its cost, so that OptDel is ``no_claim_delta``."""
    reach = list(accumulate(eps, initial=Fraction(0)))
    return 1 in delta or all(cost >= reach[rounds] for rounds, cost in zip(k, E, strict=True))


@implements(
    "hartmann2022/thm15.optdel", kind="exact", cites="Theorem 15, equation (3), for equal rounds", hypotheses=_EQUAL
)
def optdel(
    ar: Arithmetic, exp_eps: AtLeastOne, delta: Probability, k: Sequence[Count], exp_E: Sequence[AtLeastOne]
) -> Result:
    """The least delta of every iterative mechanism with equal (eps, delta)-DP rounds, for rational e^eps and e^E_i.

    hartmann2022/thm15.optdel: Hartmann et al. 2022, Theorem 15, equation (3): the maximum over prefix-disjoint families
    Q_i of sum_i Pr_0(Q_i) - e^E_i Pr_1(Q_i), by optimal stopping on (k_n + 1)(k_n + 2)/2 states. The exact rational up
    to 1000 rounds, an enclosure beyond (``exact_equal_delta`` gives the rational at every length). At most 19,998
    rounds.
    """
    check_cells(k, exp_E, "exp_E")
    check_equal_rounds(k)
    if k[-1] <= EXACT_ROUNDS:
        return exact_equal_delta(exp_eps, delta, k, exp_E)[0]
    if delta == 1 or all(y >= exp_eps**r for r, y in zip(k, exp_E, strict=True)):
        return no_claim_delta([delta] * k[-1])
    return lattice_delta(ar, equal_rational(exp_eps, delta, k, exp_E))


@implements(
    "hartmann2022/thm15.optdel_eps", kind="exact", cites="Theorem 15, equation (3), for equal rounds", hypotheses=_EQUAL
)
def optdel_nats(ar: Arithmetic, eps: Fraction, delta: Probability, k: Sequence[Count], E: Sequence[Fraction]) -> Result:
    """The least delta of every iterative mechanism with equal (eps, delta)-DP rounds, eps and E_i in nats.

    hartmann2022/thm15.optdel_eps: as hartmann2022/thm15.optdel, enclosed. At most 19,998 rounds.
    """
    check_cells(k, E, "E")
    check_equal_rounds(k)
    return equal_nats(ar, eps, delta, k, E)


def equal_nats(ar: Arithmetic, eps: Fraction, delta: Fraction, k: Sequence[int], E: Sequence[Fraction]) -> Scalar:
    """OptDel of equal rounds in nats, for inputs that were checked."""
    return _unequal([eps] * k[-1], [delta] * k[-1], k, E, ar)


def _unequal(
    eps: Sequence[Fraction], delta: Sequence[Fraction], k: Sequence[int], E: Sequence[Fraction], ar: Arithmetic
) -> Scalar:
    """OptDel on the exact lattice of commensurable epsilons in nats."""
    eps, delta = eps[: k[-1]], delta[: k[-1]]
    if never_worth_claiming(eps, delta, k, E):
        return no_claim_delta(delta)
    return lattice_delta(ar, commensurable(eps, delta, k, E, common_unit(eps)))


def check_rounds(eps: Sequence[Fraction], delta: Sequence[Fraction], k: Sequence[int], name: str) -> None:
    if len(eps) < k[-1]:
        raise InputError(name, f"{len(eps)} rounds", f"give at least {k[-1]}, as the last stopping point asks")
    if len(delta) != len(eps):
        raise InputError("delta", f"{len(delta)} rounds", f"give {len(eps)}, one for each {name}")


@implements("hartmann2022/thm15.optdel_het", kind="exact", cites="Theorem 15, equation (3)", hypotheses=_FIXED)
def optdel_unequal(
    ar: Arithmetic,
    exp_eps: Sequence[AtLeastOne],
    delta: Sequence[Probability],
    k: Sequence[Count],
    exp_E: Sequence[AtLeastOne],
) -> Result:
    """The least delta of every iterative mechanism with (eps_r, delta_r)-DP rounds, exactly, for rational e^eps_r.

    hartmann2022/thm15.optdel_het: Hartmann et al. 2022, Theorem 15, equation (3). Equal losses are merged exactly; with
    more than 200,000 distinct ones UndecidedError, as the problem is #P-hard: then ask for bounds.
    """
    check_cells(k, exp_E, "exp_E")
    check_rounds(exp_eps, delta, k, "exp_eps")
    return exact_unequal_delta(exp_eps, delta, k, exp_E)


@implements("hartmann2022/thm15.optdel_het_eps", kind="exact", cites="Theorem 15, equation (3)", hypotheses=_FIXED)
def optdel_unequal_nats(
    ar: Arithmetic, eps: Sequence[Fraction], delta: Sequence[Probability], k: Sequence[Count], E: Sequence[Fraction]
) -> Result:
    """The least delta of every iterative mechanism with (eps_r, delta_r)-DP rounds, eps_r and E_i in nats.

    hartmann2022/thm15.optdel_het_eps: as hartmann2022/thm15.optdel_het, on the lattice of the common unit of all eps_r.
    UndecidedError where that lattice is too large: then ask hartmann2022/thm15.optdel_lower and optdel_upper.
    """
    check_cells(k, E, "E")
    check_rounds(eps, delta, k, "eps")
    return _unequal(eps, delta, k, E, ar)


@implements(
    "hartmann2022/thm15.least_E",
    kind="exact",
    cites="Theorem 15, equation (3), solved for E",
    hypotheses=(Hypothesis.FIXED_PARAMETERS, Hypothesis.EQUAL_PARAMETERS),
)
def least_scale(
    ar: Arithmetic,
    eps: Fraction,
    delta: Probability,
    k: Sequence[Count],
    shape: Sequence[Positive],
    delta_t: Probability,
) -> Result:
    """The least s for which costs E_i = s shape_i suffice at delta_t, for equal (eps, delta)-DP rounds.

    hartmann2022/thm15.least_E: OptDel is continuous and falls as s grows, from its value at 0 to 1 - (1 - delta)^k_n,
    which it reaches at s = max k_i eps/shape_i. A delta_t below that gives inf. At most 19,998 rounds.
    """
    check_cells(k, shape, "shape")
    check_equal_rounds(k)
    rounds = k[-1]
    least = no_claim_delta([delta] * rounds)
    if delta_t < least:
        return "inf"
    if delta == 1:
        return Fraction(0)
    highest = max(point * eps / part for point, part in zip(k, shape, strict=True))
    if delta_t == least:
        return highest

    def slack(inner: Arithmetic, scale: Fraction) -> Scalar:
        return delta_t - equal_nats(inner, eps, delta, k, [scale * part for part in shape])

    # OptDel at 0 is a non-constant rational function of e^eps, so it never equals a rational and the comparison ends.
    if decide.sign(lambda inner: slack(inner, Fraction(0)), ar) > 0:
        return Fraction(0)
    low, high = roots.root(slack, Fraction(0), highest, ar)
    return ar.hull(low, high)
