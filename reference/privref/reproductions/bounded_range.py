"""The cost of adaptivity for bounded range: the optimum in advance and on the way, certified, with other bounds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.errors import PrivrefError
from privref.exact.rounding import to_decimal
from privref.statements.registry import evaluate

#: Range, rounds, delta.
SETTINGS = (
    ("1", 2, "1/10"),
    ("1", 2, "3/10"),
    ("1", 5, "1/10"),
    ("1/2", 5, "1/20"),
    ("1/2", 20, "1e-4"),
    ("1/10", 10, "1e-6"),
    ("1/10", 100, "1e-6"),
)


def _enclosed(id: str, **inputs: object) -> Enclosure | None:
    try:
        return evaluate(id, inputs, digits=10).enclosure
    except PrivrefError:
        return None


def _shown(found: Enclosure | None, digits: int = 6) -> str:
    if found is None:
        return "-"
    if found.upper == 0:
        return "0"
    low, high = to_decimal(found.lower, digits, "down"), to_decimal(found.upper, digits, "up")
    return high if found.relative_width_at_most(Fraction(1, 10**8)) else f"{low} to {high}"


def bounded_range() -> Iterator[dict[str, str]]:
    """A row for each setting: the least epsilon at delta of what holds for all mechanisms with that range."""
    for eps, k, delta in SETTINGS:
        advance = _enclosed("dong2020/thm3.eps", eps=eps, k=k, delta_g=delta)
        way = _enclosed("dong2020/adaptive.eps", eps=[eps] * k, delta_g=delta)
        gap = "-"
        if advance is not None and way is not None and advance.lower > 0:
            more = 100 * (way.lower / advance.upper - 1), 100 * (way.upper / advance.lower - 1)
            low = to_decimal(more[0], 2, "down") if more[0] > 0 else "0"
            gap = f"{low} to {to_decimal(more[1], 2, 'up')} %"
        square = Fraction(eps) ** 2 * k
        yield {
            "range": eps,
            "rounds": str(k),
            "delta": delta,
            "in advance": _shown(advance),
            "on the way": _shown(way),
            "more by": gap,
            "zCDP, range^2/8": _shown(_enclosed("cks2020/zcdp2dp.eps", rho=str(square / 8), delta=delta)),
            "Proposition 4": _shown(_enclosed("dong2020/prop4.eps", eps=[{"value": eps, "count": k}], delta=delta)),
            "pure DP": _shown(_enclosed("kov2015/optimal.eps", eps=eps, k=k, delta_g=delta)),
        }
