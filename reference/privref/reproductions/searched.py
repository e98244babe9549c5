"""What the search for adversaries says of each machine of ours: whether any breaks it, and what the worst one reaches.

A search is over all adversaries of at most this many rounds of a menu; it says nothing of others. The theorems do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from privref.adaptive.sgd import charge
from privref.exact.numbers import spell
from privref.exact.rounding import to_decimal
from privref.games.attack import Attack
from privref.games.named import attack


@dataclass(frozen=True, slots=True)
class Search:
    """A machine, its budget, a menu and a number of rounds; ``told`` is the menu in words if it is long."""

    machine: str
    menu: str | Sequence[Mapping[str, Any]]
    rounds: int
    epsilon: str
    delta: str
    settings: Mapping[str, str] = field(default_factory=dict)
    told: str = ""


def _step(rate: str, p: str, q: str) -> dict[str, object]:
    """A step of DP-SGD with sigma = 1, of which it is published whether the gradient exceeds a threshold."""
    return {"family": "rdp", "p": p, "q": q, "orders": {"4": spell(charge(Fraction(rate), Fraction(1), 4))}}


#: The worst menus that are known for two orders: see tests/games/test_attack_orders.py.
_APART = "rdp(1/200; 11157/10000000; 2 8), rdp(19/25; 995/1000000; 2 8), rdp(805/1000000; 13285/100000000000; 2 8)"


SEARCHES = (
    Search("response-filter", "1/10, 1/5, 3/10, 1/2", 14, "1", "1/20", {"delta_prime": "1/20"}),
    Search("response-filter", "1/10, 1/5:1/1000, 1/2:1/100, 0:1/20", 14, "1", "1/20"),
    Search(
        "renyi-filter",
        [_step("1/10", "0.0363", "0.0228"), _step("3/10", "0.0244", "0.0062")],
        6,
        "1",
        "1/20",
        {"order": "4", "delta_prime": "1/20"},
        "DP-SGD, q = 1/10 or 3/10",
    ),
    Search(
        "renyi-grid-filter",
        _APART,
        4,
        "8",
        "1/1000",
        {"orders": "2 8", "delta_prime": "1/1000"},
        "tight at orders 2, 8",
    ),
    Search(
        "one-sided-mixture-odometer", "1/5, 1/2", 12, "1", "1/2", {"delta_prime": "1/2", "gamma": "1/20"}
    ),
    Search(
        "one-sided-mixture-odometer",
        "1/4, 1/2, zcdp(113/2048; 1/3; 1/5)",
        6,
        "1",
        "1/2",
        {"delta_prime": "1/2"},
    ),
    # From one side these keep their delta; the absolute value of the loss exceeds the reading more often.
    Search("filter-odometer", "1/25", 60, "1", "1/10", {"delta_prime": "1/10", "y_star": "1/50"}),
    Search("one-sided-mixture-odometer", "1/10, 3/10, 1", 6, "1", "9/10", {"delta_prime": "9/10", "gamma": "1"}),
    Search("mixture-odometer", "1/25", 60, "1", "1/10", {"delta_prime": "1/10", "gamma": "1/50"}),
    Search("stitched-odometer", "1/25", 60, "1", "1/10", {"delta_prime": "1/10", "v0": "1/500"}),
    Search("rogers-odometer", "1/25", 60, "1", "1/10", {"n": "30"}),
    Search("ex-post-filter", "reduced(3/2; 3), 1/4, zcdp(113/2048; 1/3; 1/5)", 6, "3/2", "1/20", {"order": "4"}),
    Search("filter-odometer-repaired", "1/5, 1/2, leak(1/50)", 6, "1", "1/2"),
    Search("mixture-odometer-repaired", "1/5, 1/2, leak(1/50)", 6, "1", "1/2"),
    Search("stitched-odometer-repaired", "1/5, 1/2, leak(1/50)", 6, "1", "1/2"),
)  # fmt: skip


def _of_delta(found: Attack) -> str:
    """The other failure and the multiple of delta that it certainly reaches, in per cent."""
    reached = found.factor or Fraction(0)
    return f"{found.failure_of}: {to_decimal(100 * reached, 4, 'down') if reached else 0} %"


def searched(chosen: Sequence[Search] = SEARCHES) -> Iterator[dict[str, str]]:
    """A row for each search: the verdict, and the largest failure of any adversary over the menu.

    The verdict is on the failure that the machine's theorem bounds. Of an odometer the other failure stands next to it,
    as the multiple of delta that it certainly reaches.
    """
    for each in chosen:
        found = attack(
            each.machine,
            each.menu,
            each.rounds,
            epsilon=each.epsilon,
            delta=each.delta,
            settings=each.settings,
            largest=True,
        )
        yield {
            "machine": each.machine,
            "menu": each.told or str(each.menu),
            "rounds": str(found.rounds),
            "epsilon": each.epsilon if found.accountant.kind == "filter" else "-",
            "delta": each.delta,
            "failure": found.failure_of,
            "verdict": found.verdict,
            "at most": to_decimal(found.ceiling, 4, "up") if found.ceiling else "0",
            "other failure, of delta": "-" if found.other is None else _of_delta(found.other),
            "states": str(found.states),
        }
