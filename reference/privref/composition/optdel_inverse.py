"""What to do with OptDel: the optimal stopping rule as a table, and the least costs E for a given delta."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import UndecidedError
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import POSITIVE, PROBABILITY, one, sequence, wholes
from privref.statements.registry import Result, implements

from .iterative import check_cells
from .optdel import (
    StopRow,
    check_equal_rounds,
    commensurable,
    equal_nats,
    guard_bits,
    never_worth_claiming,
    no_claim_delta,
    run_pass,
)

_RULE_PRECISIONS = (128, 256, 512, 1024, 2048)


def stopping_rule(eps: Fraction, delta: Fraction, k: Sequence[int], E: Sequence[Fraction]) -> tuple[StopRow, ...]:
    """The optimal stopping rule of equal rounds, in nats: from how many symbols 1 on to claim at each stopping point.

    After a symbol 0 any claim will do; after a 3 none pays. Certain, or UndecidedError where two costs tie.
    """
    check_cells(k, E, "E")
    check_equal_rounds(k)
    if never_worth_claiming([eps] * k[-1], [delta] * k[-1], k, E):
        return tuple(StopRow(rounds, None) for rounds in k)
    kept = _undominated(delta, k, E)
    k_kept, costs = [k[i] for i in kept], [E[i] for i in kept]
    build = commensurable([eps] * k[-1], [delta] * k[-1], k_kept, costs, eps)
    for precision in _RULE_PRECISIONS:
        engine = decide.engine("arb", precision)
        with engine.active():
            guard = guard_bits(build(engine))
        found = run_pass(engine, build, precision + guard)
        # The last row compares two rationals, (2 a - k_n) eps and E_n.
        last = -(-(costs[-1] / eps + k[-1]) // 2)
        rows = [(row.rounds, row.maybe, row.sure) for row in found.thresholds[:-1]]
        if all(maybe == sure for _, maybe, sure in rows):
            rule: dict[int, int | None] = {rounds: sure for rounds, _, sure in rows}
            rule[k[-1]] = last if last <= k[-1] else None
            return tuple(StopRow(rounds, rule.get(rounds)) for rounds in k)
    raise UndecidedError(f"the stopping rule is still open at {_RULE_PRECISIONS[-1]} bits: claiming and going on tie")


def _undominated(delta: Fraction, k: Sequence[int], E: Sequence[Fraction]) -> list[int]:
    """As ``optdel.undominated``, with costs in nats."""

    def excess(ar: Arithmetic, dearer: Fraction, saved: Fraction) -> Scalar:
        return ar.exp(dearer) * saved - 1

    kept = [len(k) - 1]
    for i in reversed(range(len(k) - 1)):
        best = kept[-1]
        dearer, saved = E[best] - E[i], (1 - delta) ** (k[best] - k[i])
        # e^dearer is irrational unless the costs are equal, so it never ties with a rational.
        if dearer > 0 and decide.sign(partial(excess, dearer=dearer, saved=saved), decide.engine("arb")) > 0:
            kept.append(i)
    return kept[::-1]


@implements(
    "hartmann2022/thm15.least_E",
    kind="exact",
    cites="Theorem 15, equation (3), solved for E",
    params=(
        one("eps"),
        one("delta", PROBABILITY),
        wholes("k", 1),
        sequence("shape", POSITIVE),
        one("delta_t", PROBABILITY),
    ),
    hypotheses=(Hypothesis.FIXED_PARAMETERS, Hypothesis.EQUAL_PARAMETERS),
)
def least_scale(
    ar: Arithmetic, eps: Fraction, delta: Fraction, k: Sequence[int], shape: Sequence[Fraction], delta_t: Fraction
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
