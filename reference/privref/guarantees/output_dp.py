"""Output differential privacy (Hartmann et al. 2022): partitions, their costs, and the minimal delta of finite laws.

(P, E, delta)-output DP: for all sets S of outputs and ordered neighbours x, x',
Pr(M(x) in S) <= delta + sum over the cells P_k of e^E(P_k) Pr(M(x') in S and P_k).
E is in nats, one number >= 0 per cell; delta is one number for the whole mechanism.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Union

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.exact.numbers import count, rational
from privref.exact.seams import seam
from privref.statements.params import AtLeastOne, Probability
from privref.statements.registry import Result, implements

from .model import Guarantee, OutputDP

Cells = tuple[tuple[str, Fraction], ...]

#: A partition is written down cell by cell; a rule that would need more cells than this is refused.
MAX_CELLS = 100_000

_CELL_DEPENDENT_DELTA = (
    "output DP has one delta for the whole mechanism: charging the delta of the observed cell is unsound "
    "(Hartmann et al. 2022, section 3.2; two rounds can reach delta 3/4 on a budget of 1/2); "
    "give the sum of the cells' deltas (hartmann2022/lem6)"
)


# --- reading and refusing -------------------------------------------------------------------------------------------


def read_cells(cells: object, field: str = "cells") -> Cells:
    """The cells of a finite partition with their costs; InputError for none, a repeated one or a negative cost.

    Takes a mapping from names to costs or (name, cost) pairs.
    """
    if isinstance(cells, Mapping):
        pairs: Iterable[object] = cells.items()
    elif isinstance(cells, Sequence) and not isinstance(cells, (str, bytes)):
        pairs = cells
    else:
        raise InputError(field, cells, 'give the cells and what each costs, such as {"answer": "1/2", "bottom": "0"}')
    found: dict[str, Fraction] = {}
    for pair in pairs:
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2 or not isinstance(pair[0], str):
            raise InputError(field, pair, "give each cell a name and a cost")
        name, cost = pair
        if name in found:
            raise InputError(field, name, "the cells of a partition may not overlap: name each cell once")
        found[name] = _cost(cost, f"{field}.{name}")
        if len(found) > MAX_CELLS:
            raise InputError(field, f"more than {MAX_CELLS} cells", "coarsen the partition")
    if not found:
        raise InputError(field, "(empty)", "a partition must cover the outputs: give at least one cell")
    return tuple(found.items())


@seam
def _cost(value: object, field: str) -> Fraction:
    number = rational(value, field)
    if number < 0:
        raise InputError(field, value, "the cost E of a cell is a number >= 0")
    return number


def read_delta(delta: object) -> Fraction:
    """The one delta of an output-DP guarantee; a delta per cell is refused with the reason (erratum E12)."""
    if isinstance(delta, Mapping) or (isinstance(delta, Sequence) and not isinstance(delta, (str, bytes))):
        raise InputError("delta", delta, _CELL_DEPENDENT_DELTA)
    number = rational(delta, "delta")
    if not 0 <= number <= 1:
        raise InputError("delta", delta, "give a number in [0, 1]")
    return number


def output_dp(cells: object, delta: object = Fraction(0)) -> OutputDP:
    """A checked output-DP guarantee from its cells and its delta."""
    return OutputDP(read_cells(cells), read_delta(delta))


def require_cell(guarantee: OutputDP, cell: object, field: str = "observed_cell") -> Fraction:
    """What the observed cell costs; InputError where the partition has no such cell."""
    for name, cost in guarantee.cells:
        if name == cell:
            return cost
    names = [name for name, _ in guarantee.cells]
    shown = ", ".join(names[:6]) + (f", … {names[-1]}" if len(names) > 6 else "")
    raise InputError(field, cell, f"give one of the partition's cells: {shown}")


def require_stopping_points(k: Sequence[int], field: str = "k") -> None:
    """Refuse stopping points that are not at least 1 and strictly increasing."""
    if not k:
        raise InputError(field, "(empty)", "give at least one stopping point")
    for i, here in enumerate(k):
        if here < 1:
            raise InputError(f"{field}[{i}]", here, "a stopping point is a whole number >= 1")
        if i and here <= k[i - 1]:
            raise InputError(f"{field}[{i}]", here, "stopping points must be strictly increasing")


def supremum(cells: Cells) -> Fraction:
    """The largest cost: the epsilon of the DP guarantee that the mechanism has (hartmann2022/lem4)."""
    return max(cost for _, cost in cells)


# --- partitions given by a rule -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CountPartition:
    """Countably many cells "0", "1", "2", …: E(n) = base + per min(n, cap), without a cap base + per n."""

    base: Fraction
    per: Fraction
    cap: int | None = None

    def cost(self, n: int) -> Fraction:
        """What the cell of n counted outputs costs."""
        return self.base + self.per * (n if self.cap is None else min(n, self.cap))

    @property
    def supremum(self) -> Union[Fraction, Literal["inf"]]:
        """The supremum of the costs; ``inf`` where they are unbounded, so that no finite budget admits the event."""
        if self.cap is None:
            return "inf" if self.per else self.base
        return self.cost(self.cap)

    def as_finite(self) -> Cells:
        """The coarsest finite partition with the same costs: all counts from the cap on share a cell.

        Exact, as E is constant on the merged cell; InputError where the costs are unbounded.
        """
        if not self.per:
            return (("0 or more", self.base),)
        if self.cap is None:
            raise InputError("partition", "an uncapped count", "its costs are unbounded: no budget can admit it")
        rest = (f"{self.cap} or more", self.cost(self.cap))
        return (*((str(n), self.cost(n)) for n in range(self.cap)), rest)


def svt_cell_cost(eps1: Fraction, eps2: Fraction, c: int, cprime: int) -> Fraction:
    """eps1 + (c'/c) eps2: what c' top answers of at most c cost (hartmann2022/lem8.cost)."""
    return eps1 + eps2 * cprime / c


_RULES: dict[str, tuple[str, ...]] = {
    "svt-count": ("eps1", "eps2", "c"),
    "ptr": ("eps",),
    "constant": ("cells", "eps"),
    "iterations": ("k", "E"),
    "capped-count": ("base", "per", "cap"),
}


def partition_from_rule(rule: object, field: str = "partition") -> Cells:
    """The cells of a partition that is given by a rule; InputError with the place where the rule is wrong.

    svt-count {eps1, eps2, c}: cells "0" … "c", by the number of top answers (hartmann2022/lem8).
    ptr {eps}: "answer" costs 2 eps, "bottom" eps (hartmann2022/def9).
    constant {cells: [names], eps}: every cell costs eps (hartmann2022/lem3).
    iterations {k: [stopping points], E: [costs]}: cells by the number of iterations run (hartmann2022/alg3).
    capped-count {base, per, cap}: E(n) = base + per min(n, cap) on the counts n = 0, 1, 2, …
    """
    name = rule.get("rule") if isinstance(rule, Mapping) else None
    # A name that is no string may be no key either: it is not looked up.
    if not isinstance(rule, Mapping) or not isinstance(name, str) or name not in _RULES:
        raise InputError(field, rule, f"give a rule, one of {', '.join(_RULES)}")
    for key in _RULES[name]:
        if key not in rule:
            raise InputError(f"{field}.{key}", "(missing)", f"the rule {name} takes {', '.join(_RULES[name])}")
    for key in rule:
        if key != "rule" and key not in _RULES[name]:
            raise InputError(f"{field}.{key}", rule[key], f"the rule {name} takes {', '.join(_RULES[name])}")

    def cost(key: str) -> Fraction:
        return _cost(rule[key], f"{field}.{key}")

    if name == "svt-count":
        c = _cells_count(rule["c"], f"{field}.c")
        eps1, eps2 = cost("eps1"), cost("eps2")
        return tuple((str(n), svt_cell_cost(eps1, eps2, c, n)) for n in range(c + 1))
    if name == "ptr":
        return (("answer", 2 * cost("eps")), ("bottom", cost("eps")))
    if name == "capped-count":
        cap = _cells_count(rule["cap"], f"{field}.cap")
        return CountPartition(cost("base"), cost("per"), cap).as_finite()
    if name == "constant":
        eps = cost("eps")
        return read_cells([(cell, eps) for cell in _list(rule["cells"], f"{field}.cells")], f"{field}.cells")
    points = [count(value, f"{field}.k[{i}]") for i, value in enumerate(_list(rule["k"], f"{field}.k"))]
    costs = _list(rule["E"], f"{field}.E")
    require_stopping_points(points, f"{field}.k")
    if len(costs) != len(points):
        raise InputError(f"{field}.E", costs, f"give one cost for each of the {len(points)} stopping points")
    return read_cells([(str(k), e) for k, e in zip(points, costs, strict=True)], f"{field}.E")


def _cells_count(value: object, field: str) -> int:
    number = count(value, field, least=1)
    if number >= MAX_CELLS:
        raise InputError(field, value, f"a partition has at most {MAX_CELLS} cells")
    return number


def _list(value: object, field: str) -> Sequence[object]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise InputError(field, value, "give a list")
    return value


# --- statements -----------------------------------------------------------------------------------------------------


def _check_laws(p: Sequence[Fraction], q: Sequence[Fraction], rest: Sequence[object], rest_name: str) -> None:
    for name, law in (("P", p), ("Q", q)):
        if sum(law) != 1:
            raise InputError(name, str(sum(law)), "the probabilities of a law must sum to 1")
    if len(q) != len(p):
        raise InputError("Q", f"{len(q)} outputs", f"give {len(p)} probabilities, as for P")
    if len(rest) != len(p):
        raise InputError(rest_name, f"{len(rest)} outputs", f"give {len(p)} values, one for each output")


def hockey_stick(p: Sequence[Fraction], q: Sequence[Fraction], growth: Sequence[Fraction]) -> Fraction:
    """The sum of (p_o - growth_o q_o)_+ over the outputs: the least delta in that direction."""
    return sum((max(a - g * b, Fraction(0)) for a, b, g in zip(p, q, growth, strict=True)), Fraction(0))


@implements("hartmann2022/def2.min_delta", kind="exact", cites="Definition 2")
def min_delta(ar: Arithmetic, P: Sequence[Probability], Q: Sequence[Probability], expE: Sequence[AtLeastOne]) -> Scalar:
    """The least delta for which laws P against Q satisfy output DP, in that one direction.

    hartmann2022/def2.min_delta: Hartmann et al. 2022, Definition 2, for finite laws: the sum over the outputs o of
    (P(o) - e^E(cell of o) Q(o))_+. expE lists e^E of the cell of each output. The supremum over S in the definition
    is attained by the outputs with a positive term.
    """
    _check_laws(P, Q, expE, "expE")
    return hockey_stick(P, Q, expE)


@implements("hartmann2022/def2.min_delta_both", kind="exact", cites="Definition 2")
def min_delta_both(
    ar: Arithmetic, P: Sequence[Probability], Q: Sequence[Probability], expE: Sequence[AtLeastOne]
) -> Scalar:
    """The least delta for which a mechanism with laws P and Q on two neighbours satisfies output DP.

    hartmann2022/def2.min_delta_both: Hartmann et al. 2022, Definition 2, for both orders of the neighbours: the
    larger of the two one-directional minima.
    """
    _check_laws(P, Q, expE, "expE")
    return max(hockey_stick(P, Q, expE), hockey_stick(Q, P, expE))


@implements("hartmann2022/def2.min_delta_nats", kind="exact", cites="Definition 2")
def min_delta_nats(ar: Arithmetic, P: Sequence[Probability], Q: Sequence[Probability], E: Sequence[Fraction]) -> Result:
    """The least delta of output DP in one direction, with the costs E of the outputs' cells given in nats.

    hartmann2022/def2.min_delta_nats: Hartmann et al. 2022, Definition 2: the sum of (P(o) - e^E(cell of o) Q(o))_+.
    """
    _check_laws(P, Q, E, "E")
    total: Scalar = Fraction(0)
    for p, q, cost in zip(P, Q, E, strict=True):
        if q == 0 or cost == 0:
            total = total + max(p - q, Fraction(0))
            continue
        # e^cost is irrational, so p - e^cost q is never zero and the ladder ends.
        term = p - ar.exp(cost) * q
        if decide.sign_now(term, ar) > 0:
            total = total + term
    return total


@implements("hartmann2022/def5.min_delta", kind="exact", cites="Definition 5")
def subset_min_delta(
    ar: Arithmetic, P: Sequence[Probability], Q: Sequence[Probability], R: Sequence[int], expE: AtLeastOne
) -> Scalar:
    """The least delta for which laws P against Q satisfy subset DP on the outputs R, in that one direction.

    hartmann2022/def5.min_delta: Hartmann et al. 2022, Definition 5: the sum over the outputs o in R of
    (P(o) - e^eps Q(o))_+. R lists places in P and Q, counted from 0.
    """
    _check_laws(P, Q, P, "P")
    if len(set(R)) != len(R) or any(place >= len(P) for place in R):
        raise InputError("R", R, f"give distinct places below {len(P)}")
    return hockey_stick([P[o] for o in R], [Q[o] for o in R], [expE] * len(R))


@implements("hartmann2022/lem3.E", kind="upper", cites="Lemma 3")
def dp_to_output_dp(ar: Arithmetic, eps: Fraction) -> Scalar:
    """What every cell of any partition costs for an (epsilon, delta)-DP mechanism.

    hartmann2022/lem3.E: Hartmann et al. 2022, Lemma 3: E is constant eps; delta is kept.
    """
    return eps


@implements("hartmann2022/lem4.eps", kind="upper", cites="Lemma 4")
def output_dp_to_dp(ar: Arithmetic, E: Sequence[Fraction]) -> Scalar:
    """The epsilon of the DP guarantee that an output-DP mechanism has; delta is kept.

    hartmann2022/lem4.eps: Hartmann et al. 2022, Lemma 4: the supremum of the cells' costs.
    """
    if not E:
        raise InputError("E", "(empty)", "a partition has at least one cell")
    return max(E)


@implements("hartmann2022/lem6.delta", kind="upper", cites="Lemma 6")
def subset_to_output_dp(ar: Arithmetic, Delta: Sequence[Fraction]) -> Scalar:
    """The delta of output DP from the deltas of subset DP on every cell.

    hartmann2022/lem6.delta: Hartmann et al. 2022, Lemma 6: the sum of the cells' deltas. Valid, not always optimal
    (hartmann2022/thm15.optdel).
    """
    return sum(Delta, Fraction(0))


def is_ex_post(event: Guarantee) -> bool:
    """Whether the event pays for the cell of its answer: an output-DP guarantee with delta = 0 and several costs."""
    return isinstance(event, OutputDP) and not event.delta and len({cost for _, cost in event.cells}) > 1
