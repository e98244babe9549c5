"""OptDel for unequal rounds between two rigorous bounds, polynomial in the number of rounds and 1/gap.

The exact problem is #P-hard. On the loss grid of ``composition.loss_grid``:

* Upper bound. Each round's randomized response is replaced by its ``spread``, which splits every loss onto the two
  neighbouring grid points and keeps both laws' mass. Merging the points again gives the response back, so it is a
  post-processing of its spread, and OptDel can only grow (Hartmann et al. 2022, Lemma 14).
* Lower bound. Every stopping rule that exists gives one. Here a rule sees only the sum of the rounds' ``merge`` labels;
  the probabilities of the label sums are exact up to directed rounding, so whatever the rule, its gain is true.

Both errors are of second order in the grid step. Floats choose the rule and the step, and no bound depends on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice

from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError
from privref.exact.numbers import bits_below
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Count, Positive, Probability
from privref.statements.registry import Result, implements

from .iterative import check_cells
from .loss_grid import Grid, merge, randomized_response, spread
from .optdel import (
    LATTICE_STATES,
    Lattice,
    check_rounds,
    commensurable,
    common_unit,
    enclosing_arithmetic,
    fixed,
    never_worth_claiming,
    no_claim_delta,
    run_pass,
    stops_in_nats,
)

#: An exact lattice of at most this many states is preferred to a grid.
_SMALL_LATTICE = 2_000_000
_ATTEMPTS = 12


@dataclass(frozen=True, slots=True)
class StoppingRounds:
    """The rounds up to the last stopping point, the stopping points and their costs, all in nats."""

    eps: tuple[Fraction, ...]
    delta: tuple[Fraction, ...]
    k: tuple[int, ...]
    E: tuple[Fraction, ...]

    @property
    def kinds(self) -> set[tuple[Fraction, Fraction]]:
        """The different rounds."""
        return set(zip(self.eps, self.delta, strict=True))


def optdel_bounds(ar: Arithmetic, rounds: StoppingRounds, gap: Fraction) -> Enclosure:
    """Rigorous bounds on OptDel whose distance is at most ``gap``; UndecidedError where that takes too many states."""
    if never_worth_claiming(rounds.eps, rounds.delta, rounds.k, rounds.E):
        exact = no_claim_delta(rounds.delta)
        return Enclosure(exact, exact)
    engine = enclosing_arithmetic(ar)
    reach = sum(rounds.eps)
    bits = bits_below(gap) + 64 + (len(rounds.eps) * 64).bit_length()
    unit = common_unit(rounds.eps)
    if reach / unit * len(rounds.eps) <= _SMALL_LATTICE:
        return _exact_lattice(engine, rounds, unit, bits)
    step = max(rounds.eps) / 2
    for _ in range(_ATTEMPTS):
        # A stride of 1 is the exact lattice; coarser grids are whole multiples of the common unit.
        stride = int(step / unit)
        states = reach / max(step, unit) * len(rounds.eps)
        if states > LATTICE_STATES:
            raise UndecidedError(f"a gap of {gap} takes more than {LATTICE_STATES} states: ask for a wider one")
        if stride <= 1:
            return _exact_lattice(engine, rounds, unit, bits)
        found = Enclosure(
            lower_bound(engine, rounds, unit, stride, bits), upper_bound(engine, rounds, unit, stride, bits)
        )
        if found.width <= gap:
            return found
        # The width is about quadratic in the step.
        shrink = (float(gap) / float(found.width)) ** 0.5 * 0.85
        step = stride * unit * Fraction(min(max(shrink, 1 / 32), 0.7)).limit_denominator(1000)
    raise UndecidedError(f"a gap of {gap} was not reached in {_ATTEMPTS} refinements")


def _exact_lattice(engine: EnclosingArithmetic, rounds: StoppingRounds, unit: Fraction, bits: int) -> Enclosure:
    build = commensurable(rounds.eps, rounds.delta, rounds.k, rounds.E, unit)
    found = run_pass(engine, build, bits)
    whole = 1 << bits
    return Enclosure(Fraction(whole - found.low - found.error, whole), Fraction(whole - found.low, whole))


def upper_bound(
    engine: EnclosingArithmetic, rounds: StoppingRounds, unit: Fraction, stride: int, bits: int
) -> Fraction:
    """OptDel of the spread rounds, rounded up: at least that of the rounds themselves."""
    grid = Grid(unit, stride, bits)

    def build(ar: Arithmetic) -> Lattice:
        inner = enclosing_arithmetic(ar)
        made: dict[tuple[Fraction, Fraction], tuple[tuple[int, Scalar], ...]] = {}
        for eps, delta in rounds.kinds:
            cells = spread(randomized_response(inner, int(eps / unit), 1, grid), grid).bounds
            # Losses are symmetric; the lattice counts places from the least one, in half steps around 0.
            low = min(cells)
            mass = {j - low: (1 - delta) * Fraction(least, 1 << bits) for j, (least, _) in cells.items()}
            mass.setdefault(max(-2 * low, 0), Fraction(0))
            made[eps, delta] = tuple(sorted(mass.items()))
        kernels = tuple(made[kind] for kind in zip(rounds.eps, rounds.delta, strict=True))
        half = unit * stride / 2
        return Lattice(ar.exp(half), kernels, stops_in_nats(ar, rounds.k, rounds.E, half))

    # Masses rounded down make the cost too small, so this is an upper bound whatever was lost.
    return 1 - Fraction(run_pass(engine, build, bits).low, 1 << bits)


# --- the lower bound: a rule on label sums ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Labels:
    """One kind of round: (label - low, mass under P, mass under Q times e^(label h)), both masses rounded up."""

    low: int
    masses: tuple[tuple[int, int, int], ...]

    @property
    def reach(self) -> int:
        return self.masses[-1][0]


def _labels(engine: EnclosingArithmetic, eps: int, delta: Fraction, grid: Grid) -> _Labels:
    p_cells, q_cells = merge(randomized_response(engine, eps, 1, grid), grid)
    low = min(p_cells.bounds)

    def stay(mass: int) -> int:
        return -(-(mass * (1 - delta)) // 1)

    return _Labels(
        low, tuple((j - low, stay(most), stay(q_cells.bounds[j][1])) for j, (_, most) in sorted(p_cells.bounds.items()))
    )


def lower_bound(
    engine: EnclosingArithmetic, rounds: StoppingRounds, unit: Fraction, stride: int, bits: int
) -> Fraction:
    """The gain of one stopping rule on label sums, rounded down: at most OptDel."""
    grid = Grid(unit, stride, bits)
    with engine.at(bits + 64).active():
        work = engine.at(bits + 64)
        made = {(e, d): _labels(work, int(e / unit), d, grid) for e, d in rounds.kinds}
        kernels = [made[kind] for kind in zip(rounds.eps, rounds.delta, strict=True)]
        reaches = list(accumulate((kernel.reach for kernel in kernels), initial=0))
        lows = list(accumulate((kernel.low for kernel in kernels), initial=0))
        claims = {
            r: _claim(work, rounds, r, cost, unit * stride, lows[r], reaches[r], bits)
            for r, cost in zip(rounds.k, rounds.E, strict=True)
        }
    ratios = _barycentres(kernels, reaches, frozenset(rounds.k), bits)
    up = (1 << bits) - 1
    # The cost of a prefix is c0 p0 + c1 p1; c1 is kept times e^-(label sum h), like Q's masses.
    c0 = [1 << bits] * (reaches[-1] + 1)
    c1 = [0] * (reaches[-1] + 1)
    for r in range(len(kernels), -1, -1):
        if r < len(kernels):
            size, masses = reaches[r] + 1, kernels[r].masses
            c0 = _expected(c0, [(offset, p) for offset, p, _ in masses], size, bits, up)
            c1 = _expected(c1, [(offset, q) for offset, _, q in masses], size, bits, up)
        if r in claims:
            first, costs = claims[r]
            for place, (cost, ratio) in enumerate(zip(costs, islice(ratios[r], first, None), strict=True), first):
                # ratio is 2^53 times the true p0/p1 of the label sum over its nominal one.
                if cost << 53 <= c0[place] * ratio + (c1[place] << 53):
                    c0[place], c1[place] = 0, cost
    return 1 - Fraction(c0[0] + c1[0], 1 << bits)


def _expected(row: list[int], masses: Sequence[tuple[int, int]], size: int, bits: int, up: int) -> list[int]:
    if len(masses) == 2:
        (a, wa), (b, wb) = masses
        lows, highs = row[a : a + size], row[b : b + size]
        return [(wa * low + wb * high + up) >> bits for low, high in zip(lows, highs, strict=True)]
    return [(masses[0][1] * entry + up) >> bits for entry in row]


def _claim(
    work: EnclosingArithmetic,
    rounds: StoppingRounds,
    r: int,
    cost: Fraction,
    step: Fraction,
    low: int,
    reach: int,
    bits: int,
) -> tuple[int, list[int]]:
    """The first place that may be claimed after r rounds, and e^(E - label sum h) from there on, rounded up.

    The label sum of place a is low + a. Label sums can fall short of losses by what the labels were rounded; places
    from the cost less that shortfall on are offered. Leaving some out would only make the rule worse.
    """
    shortfall = sum((abs(e - round(e / step) * step) for e in rounds.eps[:r]), Fraction(0))
    first = max(0, -((shortfall - cost) // step) - low)
    if first > reach:
        return first, []
    down = sum(fixed(work, work.exp(-step), bits))
    current = sum(fixed(work, work.exp(cost - (low + first) * step), bits))
    costs = []
    for _ in range(first, reach + 1):
        costs.append(current)
        current = -(-current * down >> bits)
    return first, costs


def _barycentres(
    kernels: Sequence[_Labels], reaches: Sequence[int], wanted: frozenset[int], bits: int
) -> dict[int, list[int]]:
    """For each wanted row: 2^53 times p0/p1 of every label sum over e^(label sum h), in floats (they only plan)."""
    scale = 2.0**-bits if bits < 1000 else 0.0
    p, q = [1.0], [1.0]
    found: dict[int, list[int]] = {}
    for r, kernel in enumerate(kernels, 1):
        weights = [(o, _float(a, bits, scale), _float(b, bits, scale)) for o, a, b in kernel.masses]
        p = _forward(p, [(o, a) for o, a, _ in weights], reaches[r] + 1)
        q = _forward(q, [(o, b) for o, _, b in weights], reaches[r] + 1)
        if r in wanted:
            # Far out both masses vanish in floats; there any ratio will do.
            found[r] = [int(a / b * 2**53) if a > 1e-250 and b > 1e-250 else 2**53 for a, b in zip(p, q, strict=True)]
    return found


def _float(mass: int, bits: int, scale: float) -> float:
    return mass * scale if scale else float(Fraction(mass, 1 << bits))


def _forward(row: list[float], weights: Sequence[tuple[int, float]], size: int) -> list[float]:
    result = [0.0] * size
    for offset, weight in weights:
        shifted = [weight * entry for entry in row]
        tail = size - offset - len(row)
        padded = [0.0] * offset + shifted + [0.0] * tail
        result = [a + b for a, b in zip(result, padded, strict=True)]
    return result


# --- statements -------------------------------------------------------------------------------------------------------


def _bounds(
    ar: Arithmetic,
    eps: Sequence[Fraction],
    delta: Sequence[Fraction],
    k: Sequence[int],
    E: Sequence[Fraction],
    gap: Fraction,
) -> Enclosure:
    check_cells(k, E, "E")
    check_rounds(eps, delta, k, "eps")
    last = k[-1]
    return optdel_bounds(ar, StoppingRounds(tuple(eps[:last]), tuple(delta[:last]), tuple(k), tuple(E)), gap)


@implements(
    "hartmann2022/thm15.optdel_lower",
    kind="lower",
    cites="Theorem 15, equation (3), bounded",
    hypotheses=(Hypothesis.FIXED_PARAMETERS,),
    standing="ours",
)
def optdel_lower(
    ar: Arithmetic,
    eps: Sequence[Fraction],
    delta: Sequence[Probability],
    k: Sequence[Count],
    E: Sequence[Fraction],
    gap: Positive,
) -> Result:
    """A lower bound on OptDel for unequal rounds, at most ``gap`` below the upper one.

    hartmann2022/thm15.optdel_lower: the gain of an explicit stopping rule (Hartmann et al. 2022, Theorem 15); no
    analysis of (eps_r, delta_r)-DP rounds can prove less. Exact losses where the eps_r have a common unit of fair size.
    """
    return _bounds(ar, eps, delta, k, E, gap).lower


@implements(
    "hartmann2022/thm15.optdel_upper",
    kind="upper",
    cites="Theorem 15, equation (3), bounded",
    hypotheses=(Hypothesis.FIXED_PARAMETERS,),
    standing="ours",
)
def optdel_upper(
    ar: Arithmetic,
    eps: Sequence[Fraction],
    delta: Sequence[Probability],
    k: Sequence[Count],
    E: Sequence[Fraction],
    gap: Positive,
) -> Result:
    """An upper bound on OptDel for unequal rounds, at most ``gap`` above the lower one.

    hartmann2022/thm15.optdel_upper: OptDel of rounds that dominate the given ones (Hartmann et al. 2022, Theorem 15).
    """
    return _bounds(ar, eps, delta, k, E, gap).upper
