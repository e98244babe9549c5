"""How many more rounds the response filter lets run than the filters before it, over a grid of (epsilon, k, delta)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from privref.adaptive import whitehouse
from privref.exact import decide
from privref.guarantees.model import PureDP

from .filters import FilterSetting, admitted

EPSILONS = ("1/2", "1/10", "1/100")
ROUNDS = (10, 100, 1000, 10_000, 100_000)
DELTAS = ("1e-6", "1e-9")
FILTERS = ("rogers-filter", "zcdp-filter", "dp-filter", "tight-zcdp-filter", "response-filter")
#: A budget that is larger than this is none.
_MOST = 30


def _budget(eps: Fraction, k: int, delta: Fraction) -> Fraction:
    """What Theorem 2 of Whitehouse et al. needs for k rounds, rounded up to thousandths."""
    found = decide.enclose(lambda ar: whitehouse.f(ar, k * eps**2, delta), decide.engine("arb"), Fraction(1, 10**9))
    return Fraction(ceil(1000 * found.upper), 1000)


def response_grid(
    epsilons: Sequence[str] = EPSILONS, rounds: Sequence[int] = ROUNDS, deltas: Sequence[str] = DELTAS
) -> Iterator[dict[str, str]]:
    """Rounds of epsilon that each filter lets run on the budget on which Theorem 2 lets k of them run."""
    for own in epsilons:
        eps = Fraction(own)
        for delta in map(Fraction, deltas):
            for k in rounds:
                budget = _budget(eps, k, delta)
                if budget > _MOST:
                    continue
                setting = FilterSetting("", (PureDP(eps),), budget, delta, lambda ar, cycles: Fraction(0))
                found = {name.removesuffix("-filter"): admitted(name, setting) for name in FILTERS}
                more = Fraction(int(found["response"]), int(found["dp"])) - 1
                yield {
                    "epsilon": own,
                    "delta": f"{float(delta):g}",
                    "k": str(k),
                    "budget": f"{float(budget):.3f}",
                    **found,
                    "more than dp": f"{floor(1000 * more) / 10:.1f} %",
                }
