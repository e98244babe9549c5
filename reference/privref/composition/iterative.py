"""Lemma 11 of Hartmann et al. 2022: the delta of an iterative mechanism from any composition theorem.

Cell i of the partition is "stopped after k_i rounds" and costs E_i; a composition theorem says which delta_i the first
k_i rounds have at E_i; the iterative mechanism's delta is the sum of the delta_i.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated, TypeVar

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.exact.numbers import parts, ratio
from privref.guarantees.conversions import zcdp_to_dp_tight_delta
from privref.guarantees.output_dp import require_stopping_points
from privref.guarantees.pointwise import all_good
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import AtLeastOne, Count, Probability, choice
from privref.statements.registry import Result, implements

from .optimal import optimal_delta

#: A composition theorem for one mechanism per round: from the number of rounds and the epsilon wanted to a delta.
CompositionTheorem = Callable[[Arithmetic, int, Fraction], Scalar]

#: A delta as it comes: a rational, or a value of some arithmetic.
Pure = TypeVar("Pure", Fraction, Scalar)

_EQUAL = (Hypothesis.FIXED_PARAMETERS, Hypothesis.EQUAL_PARAMETERS)


def check_cells(k: Sequence[int], costs: Sequence[Fraction], name: str) -> None:
    """Refuse stopping points out of order and a number of costs that is not theirs."""
    require_stopping_points(k)
    if len(costs) != len(k):
        raise InputError(name, f"{len(costs)} values", f"give {len(k)}, one for each stopping point")


def lemma11(ar: Arithmetic, theorem: CompositionTheorem, k: Sequence[int], E: Sequence[Fraction]) -> Scalar:
    """The sum over the stopping points of the delta that ``theorem`` gives k_i rounds at E_i (Lemma 11)."""
    check_cells(k, E, "E")
    total: Scalar = Fraction(0)
    for rounds, cost in zip(k, E, strict=True):
        total = total + theorem(ar, rounds, cost)
    return total


# --- composition theorems in the form that Lemma 11 takes ------------------------------------------------------------


def with_catastrophes(delta: Fraction, k: int, pure: Pure) -> Pure:
    """1 - (1 - delta)^k (1 - pure): k rounds whose randomized responses give themselves away with probability delta."""
    return 1 - (1 - delta) ** k * (1 - pure)


def optimal_cell_delta(ar: Arithmetic, eps: Fraction, delta: Fraction, k: int, cost: Fraction) -> Scalar:
    """The optimal delta of k rounds of (eps, delta)-DP at epsilon ``cost`` (kov2015/optimal.delta with delta)."""
    pure = optimal_delta(ar, eps, k, cost)
    assert not isinstance(pure, str)
    return 1 - all_good(ar, ((delta, k),)) * (1 - pure)


def exact_cell_delta(growth: Fraction, delta: Fraction, k: int, claim: Fraction) -> Fraction:
    """The optimal delta of k rounds with e^eps = growth at e^cost = claim, exactly.

    The sum over the losses above the cost of C(k, a) (x^a - claim x^(k-a)) / (1 + x)^k, in integers.
    """
    (p, q), (most, unit) = parts(growth), parts(claim)
    total, ways, a = 0, 1, k
    # From all symbols likely downwards, while x^(2a - k) > claim.
    while a >= 0:
        gain = unit * p**a * q ** (k - a) - most * q**a * p ** (k - a)
        if gain <= 0:
            break
        total += ways * gain
        ways = ways * a // (k - a + 1)
        a -= 1
    return with_catastrophes(delta, k, ratio(total, unit * (p + q) ** k))


def basic_cell_delta(ar: Arithmetic, eps: Fraction, delta: Fraction, k: int, cost: Fraction) -> Scalar:
    """Basic composition (rogers2016/thm2.9): k delta from k eps upward; below it, only the trivial 1."""
    return min(Fraction(1), k * delta) if cost >= k * eps else Fraction(1)


def advanced_cell_delta(ar: Arithmetic, eps: Fraction, delta: Fraction, k: int, cost: Fraction) -> Scalar:
    """Advanced composition (rogers2016/thm2.10) solved for its slack: k delta + exp(-(cost - drift)^2/(2 k eps^2)).

    The drift is k eps (e^eps - 1); below it, and where the sum exceeds 1, the theorem gives but the trivial 1.
    """
    if eps == 0:
        return min(Fraction(1), k * delta)
    room = cost - k * eps * ar.expm1(eps)
    # exp of minus a square is at most 1, which is what the theorem gives for no room; (x)_+ keeps that.
    room = ar.maximum(0, room)
    return ar.minimum(1, k * delta + ar.exp(-(room * room) / (2 * k * eps * eps)))


def zcdp_cell_delta(ar: Arithmetic, eps: Fraction, delta: Fraction, k: int, cost: Fraction) -> Scalar:
    """Through zCDP (cks2020/zcdp2dp.delta): 1 - (1 - delta)^k (1 - slack), the slack that of k eps^2/2-zCDP.

    The rounds are post-processed randomized responses (Hartmann et al. 2022, Lemma 13), whose coins are independent:
    with probability (1 - delta)^k, under both laws, none gives itself away, and then all are pure. Lemma 1 of
    Whitehouse et al. 2023, for each round by itself, would only add the deltas up.
    """
    slack = zcdp_to_dp_tight_delta(ar, k * eps * eps / 2, cost)
    assert not isinstance(slack, str)
    return 1 - all_good(ar, ((delta, k),)) * (1 - slack)


THEOREMS: dict[str, Callable[[Arithmetic, Fraction, Fraction, int, Fraction], Scalar]] = {
    "basic": basic_cell_delta,
    "advanced": advanced_cell_delta,
    "zcdp": zcdp_cell_delta,
    "optimal": optimal_cell_delta,
}


@implements("hartmann2022/lem11.delta", kind="upper", cites="Lemma 11", hypotheses=_EQUAL)
def lemma11_delta(
    ar: Arithmetic,
    theorem: Annotated[str, choice(*THEOREMS)],
    eps: Fraction,
    delta: Probability,
    k: Sequence[Count],
    E: Sequence[Fraction],
) -> Result:
    """The delta of an iterative mechanism by Lemma 11 with a composition theorem plugged in.

    hartmann2022/lem11.delta: Hartmann et al. 2022, Lemma 11: the sum over i of COMP(k_i rounds; E_i), rounds
    (eps, delta)-DP. Theorems: basic (rogers2016/thm2.9), advanced (rogers2016/thm2.10), zcdp (cks2020/zcdp2dp),
    optimal (kov2015/optimal). Where a theorem gives nothing at E_i, its term is the trivial 1.
    """
    chosen = THEOREMS[theorem]
    return lemma11(ar, lambda inner, rounds, cost: chosen(inner, eps, delta, rounds, cost), k, E)


@implements("hartmann2022/eq4.lemma11", kind="exact", cites="equation (4)", hypotheses=_EQUAL)
def lemma11_exact(
    ar: Arithmetic, exp_eps: AtLeastOne, delta: Probability, k: Sequence[Count], exp_E: Sequence[AtLeastOne]
) -> Result:
    """The delta of an iterative mechanism by Lemma 11 with optimal composition, exactly, for rational e^eps.

    hartmann2022/eq4.lemma11: Hartmann et al. 2022, equation (4): the sum over i and over the outputs q of k_i
    randomized responses of (Pr_0(q) - e^E_i Pr_1(q))_+.
    """
    check_cells(k, exp_E, "exp_E")
    return sum((exact_cell_delta(exp_eps, delta, r, y) for r, y in zip(k, exp_E, strict=True)), Fraction(0))


@implements("hartmann2022/eq4.lemma11_eps", kind="exact", cites="equation (4)", hypotheses=_EQUAL)
def lemma11_optimal(
    ar: Arithmetic, eps: Fraction, delta: Probability, k: Sequence[Count], E: Sequence[Fraction]
) -> Result:
    """The delta of an iterative mechanism by Lemma 11 with optimal composition, eps and E in nats.

    hartmann2022/eq4.lemma11_eps: Hartmann et al. 2022, equation (4); as hartmann2022/eq4.lemma11.
    """
    return lemma11(ar, lambda inner, rounds, cost: optimal_cell_delta(inner, eps, delta, rounds, cost), k, E)
