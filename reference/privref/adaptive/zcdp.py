"""The zCDP filter of Whitehouse et al. 2023."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.statements.params import PROBABILITY, one, sequence
from privref.statements.registry import implements


@implements(
    "whitehouse2023/thm1.N",
    kind="exact",
    cites="Theorem 1",
    params=(one("rho"), one("delta", PROBABILITY), sequence("rhos"), sequence("deltas", PROBABILITY)),
)
def zcdp_filter_rounds(
    ar: Arithmetic, rho: Fraction, delta: Fraction, rhos: Sequence[Fraction], deltas: Sequence[Fraction]
) -> Scalar:
    """How many of the requested rounds the zCDP filter runs before it halts (all, if it never does).

    whitehouse2023/thm1.N: Whitehouse et al. 2023, Theorem 1: the least n >= 0 at which the next round would take the
    sum of the rho_m strictly above rho or that of the delta_m strictly above delta.
    """
    rho_spent = delta_spent = Fraction(0)
    for n, (rho_m, delta_m) in enumerate(zip(rhos, deltas, strict=True)):
        rho_spent, delta_spent = rho_spent + rho_m, delta_spent + delta_m
        if rho_spent > rho or delta_spent > delta:
            return n
    return len(rhos)
