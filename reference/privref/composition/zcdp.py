"""Composition of zCDP guarantees: the parameters add up, also when they are chosen adaptively (Theorem 1)."""

from __future__ import annotations

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.statements.params import PROBABILITY, Multiset, multiset
from privref.statements.registry import implements

from .basic import total


@implements("whitehouse2023/thm1.rho", kind="upper", cites="Theorem 1 (the spent rho)", params=(multiset("rhos"),))
def composed_rho(ar: Arithmetic, rhos: Multiset) -> Scalar:
    """The rho of the composition: the sum.

    whitehouse2023/thm1.rho: Whitehouse et al. 2023, Theorem 1: as long as the filter with this budget continues, the
    interaction is (delta-approximate) rho-zCDP; for fixed parameters the budget is the sum. 0 for no rounds.
    """
    return total(rhos)


@implements(
    "whitehouse2023/thm1.delta",
    kind="upper",
    cites="Theorem 1 (the spent delta)",
    params=(multiset("deltas", PROBABILITY),),
)
def composed_delta(ar: Arithmetic, deltas: Multiset) -> Scalar:
    """The delta of the composition of approximate zCDP: the sum.

    whitehouse2023/thm1.delta: Whitehouse et al. 2023, Theorem 1. 0 for no rounds.
    """
    return total(deltas)
