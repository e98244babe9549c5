"""Tables: OptDel against Lemma 11, Table 1, and the data of Figures 1 and 2 of Hartmann et al. 2022; and our own.

Every row is a dict of exact spellings and of outward-rounded decimals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import isqrt
from typing import Any

from privref.adaptive import odometers
from privref.adaptive.sgd import charge
from privref.composition.optimal import table1
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, PrivrefError, require_text
from privref.exact.numbers import spell
from privref.exact.rounding import plain_decimal, to_decimal
from privref.games import named
from privref.games.accountants import NaturalFilter
from privref.games.attack import MAX_STATES, Attack, horizons
from privref.games.named import attack
from privref.games.odometer_walk import boundaries
from privref.games.pointwise import walked
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import evaluate
from privref.statements.theorems import LIFTS, THEOREMS, Theorem

from .filters import filters, response_grid, sgd_filter
from .side_by_side import side_by_side

TableRow = dict[str, str]
_DIGITS = 8

# What the search for adversaries says of each machine of ours: whether any breaks it, and what the worst one reaches.
#
# A search is over all adversaries of at most this many rounds of a menu; it says nothing of others. The theorems do.


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
    return f"{found.failure_of}: {plain_decimal(100 * reached, 4, 'down') if reached else 0} %"


def searched(chosen: Sequence[Search] = SEARCHES) -> Iterator[dict[str, str]]:
    """A row for each search: the verdict, and the largest failure of any adversary over the menu.

    The verdict is on the failure that the machine's theorem bounds. Of an odometer the other failure stands next to it,
    as the multiple of delta that it certainly reaches.
    """
    for each in chosen:
        claimed: dict[str, Any] = {"epsilon": each.epsilon, "delta": each.delta, "settings": each.settings}
        found = attack(each.machine, each.menu, each.rounds, **claimed, largest=True)
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


# The price of adaptivity: how much more than its claim a filter loses that composes optimally what it has seen.
#
# The natural filter lets a round run while the optimal composition of the parameters so far, as if they had been fixed
# in advance, stays within the budget. An adversary who chooses each round from a menu after the answers so far reaches
# a larger delta; the price is the largest ratio of what is reached to what is claimed. By the search of
# ``games.attack`` each ratio comes with both ends: what a strategy attains, exactly, and what no adversary exceeds.


@dataclass(frozen=True, slots=True)
class Price:
    """The price within this many rounds: that of the attack's strategy, and an upper bound on every other's."""

    attack: Attack

    @property
    def rounds(self) -> int:
        return self.attack.rounds

    @property
    def reached(self) -> Fraction:
        """The delta that the strategy attains: exact where the laws are rational, rounded down otherwise."""
        return self.attack.failure.lower if self.attack.exact is None else self.attack.exact

    @property
    def lower(self) -> Fraction:
        """The ratio that is attained."""
        return self.reached / self.attack.budget.delta

    @property
    def upper(self) -> Fraction:
        """A ratio that no adversary over the menu exceeds within these rounds."""
        return self.attack.ceiling / self.attack.budget.delta


def prices(menu: str, epsilon: str, delta: str, rounds: int, *, max_states: int = MAX_STATES) -> Iterator[Price]:
    """The price of the natural filter within 1, 2, … rounds; fewer where the search would visit more states."""
    budget = named.budget(epsilon, delta)
    if not budget.delta:
        raise InputError("delta", delta, "give a delta > 0: a ratio to 0 says nothing")
    found = horizons(NaturalFilter(budget), named.read_rounds(menu), budget, rounds, max_states=max_states)
    return map(Price, found)


@dataclass(frozen=True, slots=True)
class Instance:
    """A menu and a claim at which the price was found to be large."""

    menu: str
    epsilon: str
    delta: str


#: Found by a search over menus of logarithms of small rationals, and over the deltas that fixed rounds attain: the
#: largest known price within ten rounds for menus of 3 to 6 choices, the first with less budget, and its family with a
#: fourth choice, where four rounds reach 1102/10125 against 1/10. The ratios are computed, not stored.
INSTANCES = (
    Instance("log(3/2), log(2), log(3)", "log(2)", "1/4"),
    Instance("log(13/10), log(3), log(9)", "log(81)", "243/2300"),
    Instance("log(5/4), log(3/2), log(2), log(3)", "log(2)", "1/10"),
    Instance("log(13/10), log(7/4), log(8/3), log(9)", "log(81)", "243/2300"),
    Instance("log(4/3), log(2), log(7/3), log(9), log(12)", "log(12)", "12/91"),
    Instance("log(13/10), log(7/4), log(8/3), log(3), log(5), log(9)", "log(81)", "243/2300"),
)
ROUNDS = 10


#: A rational that is longer is shown as a decimal.
_LONGEST = 24


def price_of_adaptivity(instances: Sequence[Instance] = INSTANCES, rounds: int = ROUNDS) -> Iterator[dict[str, str]]:
    """One row for each menu and number of rounds; both ends of the ratio are certain."""
    for instance in instances:
        for price in prices(instance.menu, instance.epsilon, instance.delta, rounds):
            reached = spell(price.reached)
            yield {
                "menu": instance.menu,
                "epsilon": instance.epsilon,
                "claimed": instance.delta,
                "rounds": str(price.rounds),
                "reached": reached if len(reached) <= _LONGEST else to_decimal(price.reached, _DIGITS, "down"),
                "ratio at least": to_decimal(price.lower, _DIGITS, "down"),
                "ratio at most": to_decimal(price.upper, _DIGITS, "up"),
                "states": str(price.attack.states),
            }


# Odometers alongside each other: the mixture of one side against that of two, and how often each really errs.

#: Ours: the target epsilon at which everything is tuned, before the first round.
_TARGET = Fraction(1)
_DELTAS = ("1/10", "1e-3", "1e-6", "1e-9")
_TIMES = ("0", "1/100", "1/10", "1", "10", "100")
_GROWTH = Fraction(11, 10)
_ROUNDS = (10, 100, 400)
#: Of the data set, public: for the odometers of Rogers et al.
_SIZE = Fraction(10**4)


def one_sided_mixture() -> Iterator[dict[str, str]]:
    """The reading of both mixture odometers with the same gamma, and by how much ours is smaller, certainly."""
    for delta_prime in _DELTAS:
        prime = Fraction(delta_prime)
        gamma = odometers.tune_gamma(odometers.target_time(_TARGET, prime), prime).value
        for time in _TIMES:
            inputs = {"V": time, "gamma": str(gamma), "delta_prime": delta_prime}
            two, one = (
                evaluate(f"whitehouse2023/thm3.{name}", inputs, digits=20).enclosure
                for name in ("mixture", "one_sided")
            )
            assert two is not None
            assert one is not None
            saved = 1 - one.upper / two.lower
            yield {
                "delta'": delta_prime,
                "gamma": to_decimal(gamma, _DIGITS, "down"),
                "V": time,
                "two-sided": to_decimal(two.upper, _DIGITS, "up"),
                "one-sided": to_decimal(one.upper, _DIGITS, "up"),
                "smaller by at least": f"{plain_decimal(100 * saved, 4, 'down')} %",
            }


def odometer_errors() -> Iterator[dict[str, str]]:
    """The exact probability that randomized response exceeds each odometer, as a part of what its theorem allows."""
    engine = decide.engine("arb")
    for delta_prime in _DELTAS[:3]:
        prime = Fraction(delta_prime)
        target = odometers.target_time(_TARGET, prime)
        gamma = odometers.tune_gamma(target, prime).value
        tuned = {
            "rogers": _SIZE, "restated": _SIZE, "filter": target, "mixture": gamma, "one_sided": gamma,
            "stitched": target / 100,
        }  # fmt: skip
        for odometer, value in tuned.items():
            walk = walked(_GROWTH, boundaries(odometer, _GROWTH, value, prime, engine), two_sided=False)
            reached = dict(enumerate(islice(walk, _ROUNDS[-1]), 1))
            yield {
                "delta'": delta_prime,
                "odometer": odometer,
                "e^eps": spell(_GROWTH),
                **{f"within {k} rounds": to_decimal(reached[k], 4, "up") if reached[k] else "0" for k in _ROUNDS},
                "of delta'": f"{plain_decimal(100 * reached[_ROUNDS[-1]] / prime, 4, 'up')} %"
                if reached[_ROUNDS[-1]]
                else "0 %",
            }


# The cost of adaptivity for bounded range: the optimum in advance and on the way, certified, with other bounds.

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


def _bounded_range_enclosed(id: str, **inputs: object) -> Enclosure | None:
    try:
        return evaluate(id, inputs, digits=10).enclosure
    except PrivrefError:
        return None


def _bounded_range_shown(found: Enclosure | None) -> str:
    if found is None:
        return "-"
    if found.upper == 0:
        return "0"
    low, high = to_decimal(found.lower, 6, "down"), to_decimal(found.upper, 6, "up")
    return high if found.relative_width_at_most(Fraction(1, 10**8)) else f"{low} to {high}"


def bounded_range() -> Iterator[dict[str, str]]:
    """A row for each setting: the least epsilon at delta of what holds for all mechanisms with that range."""
    for eps, k, delta in SETTINGS:
        advance = _bounded_range_enclosed("dong2020/thm3.eps", eps=eps, k=k, delta_g=delta)
        way = _bounded_range_enclosed("dong2020/adaptive.eps", eps=[eps] * k, delta_g=delta)
        gap = "-"
        if advance is not None and way is not None and advance.lower > 0:
            more = 100 * (way.lower / advance.upper - 1), 100 * (way.upper / advance.lower - 1)
            low = plain_decimal(more[0], 2, "down") if more[0] > 0 else "0"
            gap = f"{low} to {plain_decimal(more[1], 2, 'up')} %"
        square = Fraction(eps) ** 2 * k
        yield {
            "range": eps,
            "rounds": str(k),
            "delta": delta,
            "in advance": _bounded_range_shown(advance),
            "on the way": _bounded_range_shown(way),
            "more by": gap,
            "zCDP, range^2/8": _bounded_range_shown(
                _bounded_range_enclosed("cks2020/zcdp2dp.eps", rho=str(square / 8), delta=delta)
            ),
            "Proposition 4": _bounded_range_shown(
                _bounded_range_enclosed("dong2020/prop4.eps", eps=[{"value": eps, "count": k}], delta=delta)
            ),
            "pure DP": _bounded_range_shown(
                _bounded_range_enclosed("kov2015/optimal.eps", eps=eps, k=k, delta_g=delta)
            ),
        }


# Which theorems hold of mechanisms that run concurrently, by which theorem, and why the others do not.

_H = Hypothesis

_OF = {
    _H.CONCURRENT_DP: "(epsilon, delta)-DP, f-DP",
    _H.CONCURRENT_RDP: "(epsilon, delta)-DP; Renyi DP, zCDP with delta = 0",
    _H.CONCURRENT_ZCDP: "(epsilon, delta)-DP; zCDP with delta = 0",
}

#: Why a theorem stays with one mechanism after the other, by the first of its hypotheses that is here.
_WHY = {
    _H.QUERIES_IN_ADVANCE: "false: what is asked of one may depend on another's answer",
    _H.BOUNDED_RANGE_ROUNDS: "not proved: its worst rounds are chosen one after the other",
    _H.OUTPUT_DP_ROUNDS: "not proved: a cell is known at the end of a conversation",
    _H.EX_POST_ROUNDS: "not proved: a cell is known at the end of a conversation",
    _H.INDIVIDUAL_LOSSES: "not proved: who takes part may change within a conversation",
    _H.PUBLIC_SIZE: "not proved: its bounds on the loss are of whole rounds",
    _H.PDP_ROUNDS: "not proved: the part of a round that may lose more is known at its end",
    _H.DOMINATED_ROUNDS: "not proved: what is left is lowered at the end of each round",
}


def concurrency() -> Iterator[dict[str, str]]:
    """A row for each theorem by which an audit, a filter or an odometer answers."""
    for each in THEOREMS:
        if not each.lifts:
            yield {"theorem": each.id, **_row(each)}
    by_itself = next(each for each in THEOREMS if each.id == "rogers2016/thm3.3")
    yield {"theorem": f"{by_itself.id}, as an odometer", **_said(by_itself, by_itself.odometer_hypotheses)}


def _row(each: Theorem) -> dict[str, str]:
    return _said(each, each.hypotheses or each.odometer_hypotheses)


def _said(each: Theorem, hypotheses: tuple[Hypothesis, ...]) -> dict[str, str]:
    lifted = next((hypothesis for hypothesis in hypotheses if hypothesis in LIFTS), None)
    if lifted is not None:
        return {"concurrent": "yes", "of, or why not": _OF[lifted], "by": LIFTS[lifted]}
    why = next(_WHY[hypothesis] for hypothesis in _WHY if hypothesis in hypotheses)
    return {"concurrent": "no", "of, or why not": why, "by": "-"}


#: Stopping points of a mechanism of k rounds.
PATTERNS: dict[str, Callable[[int], Sequence[int]]] = {
    "end only": lambda k: [k],
    "half and end": lambda k: [k // 2, k],
    "every tenth part": lambda k: [k * i // 10 for i in range(1, 11)],
    "every round": lambda k: list(range(1, k + 1)),
    "last tenth": lambda k: list(range(k - k // 10, k + 1)),
}

#: Costs of stopping after r rounds of eps.
SHAPES: dict[str, Callable[[Fraction, int], Fraction]] = {
    "r eps/2": lambda eps, r: eps * r / 2,
    "r eps^2/2 + 3 eps sqrt(r)": lambda eps, r: eps * eps * r / 2 + 3 * eps * Fraction(isqrt(r * 10**6), 10**3),
}


def _enclosed(id: str, inputs: dict[str, object]) -> Enclosure:
    found = evaluate(id, inputs, digits=_DIGITS).enclosure
    assert found is not None
    return found


def _shown(value: Enclosure) -> str:
    if value.lower == value.upper == 0:
        return "0"
    return f"[{to_decimal(value.lower, 6, 'down')}, {to_decimal(value.upper, 6, 'up')}]"


def _ratio(large: Enclosure, small: Enclosure) -> str:
    if small.lower <= 0:
        return "-"
    return _shown(Enclosure(large.lower / small.upper, large.upper / small.lower))


def optdel_against_lemma11(
    eps: Sequence[Fraction] = (Fraction(1, 100), Fraction(1, 10)),
    delta: Sequence[Fraction] = (Fraction(0), Fraction(1, 10**6)),
    k: Sequence[int] = (10, 100, 1000),
    patterns: Sequence[str] = tuple(PATTERNS),
    shapes: Sequence[str] = tuple(SHAPES),
) -> Iterator[TableRow]:
    """The gap that the paper leaves open: Theorem 15's optimum against Lemma 11 with optimal composition (eq. 4)."""
    for shape in shapes:
        for rounds in k:
            for pattern in patterns:
                points = PATTERNS[pattern](rounds)
                for e in eps:
                    for d in delta:
                        costs = [SHAPES[shape](e, r) for r in points]
                        inputs = {"eps": e, "delta": d, "k": points, "E": costs}
                        best = _enclosed("hartmann2022/thm15.optdel_eps", inputs)
                        union = _enclosed("hartmann2022/eq4.lemma11_eps", inputs)
                        yield {
                            "cost of stopping after r rounds": shape,
                            "k": str(rounds),
                            "stopping points": pattern,
                            "n": str(len(points)),
                            "eps": spell(e),
                            "delta": spell(d),
                            "OptDel": _shown(best),
                            "Lemma 11": _shown(union),
                            "Lemma 11 / OptDel": _ratio(union, best),
                        }


def table_1() -> Iterator[TableRow]:
    """Table 1 of Hartmann et al. 2022 for eps = 1/10: recomputed, with the certificate against the printed row."""
    for column in table1():
        assert column.certified
        assert column.printed_refuted
        k = column.rounds
        yield {
            "delta": to_decimal(column.delta, 1, "down"),
            "least k": str(k),
            "printed": str(column.printed),
            "delta_1(least k - 1)": _shown(column.before),
            "delta_1(least k)": _shown(column.at),
            "basic epsilon at least k - 1": spell((k - 1) * Fraction(1, 10)),
            "optimal epsilon at least k - 1": _shown(column.curve_eps_before),
        }


def figure_1() -> Iterator[TableRow]:
    """The data of Figure 1: expected absolute noise per released entry, by the number of large entries.

    Assumed, as the paper leaves it open: noise is the scale of the Laplace noise on a released entry at sensitivity 1,
    and 0 where nothing is released. Every row with output DP is an upper bound.
    """
    c, half = 20, Fraction(1, 2)
    plain = _enclosed("hartmann2022/fig1.noise_dp", {"c": c, "eps3": half})
    for large in range(1, c + 1):
        inputs = {"entries": 100, "large": large, "c": c, "eps_svt": half, "eps3": half, "margin": Fraction(500)}
        yield {
            "large entries": str(large),
            "without output DP": to_decimal(plain.upper, 6, "up"),
            "output DP, Chebyshev": to_decimal(
                _enclosed("hartmann2022/fig1.noise_odp_chebyshev", inputs).upper, 6, "up"
            ),
            "output DP, exact tail": to_decimal(_enclosed("hartmann2022/fig1.noise_odp", inputs).upper, 6, "up"),
        }


def figure_2() -> Iterator[TableRow]:
    """The data of Figure 2: the 95th percentile of the noise on the test error, 70% of the records for training."""
    for e in (Fraction(1, 100), Fraction(1, 10), Fraction(1)):
        for n in (100, 200, 500, 1000, 2000, 5000, 10_000, 100_000):
            inputs = {"n_train": n * 7 // 10, "n_test": n - n * 7 // 10, "Lam": Fraction(1), "eps2": e}
            yield {
                "eps2": spell(e),
                "records": str(n),
                "95th percentile": to_decimal(_enclosed("hartmann2022/fig2.percentile95", inputs).upper, 6, "up"),
                "with the tight sensitivity": to_decimal(
                    _enclosed("hartmann2022/fig2.percentile95_tight", inputs).upper, 6, "up"
                ),
            }


_TABLES = {
    "hartmann-table-1": table_1,
    "hartmann-figure-1": figure_1,
    "hartmann-figure-2": figure_2,
    "optdel-against-lemma-11": optdel_against_lemma11,
    "price-of-adaptivity": price_of_adaptivity,
    "one-sided-mixture": one_sided_mixture,
    "side-by-side": side_by_side,
    "filters": filters,
    "response-filter": response_grid,
    "sgd-filter": sgd_filter,
    "searched": searched,
    "odometer-errors": odometer_errors,
    "bounded-range": bounded_range,
    "concurrency": concurrency,
}


def table_names() -> tuple[str, ...]:
    """The tables that ``table`` computes."""
    return tuple(_TABLES)


def table(name: str) -> list[TableRow]:
    """One of the papers' tables, recomputed: rows of exact spellings and outward-rounded decimals."""
    require_text(name, "table", f"give one of {', '.join(_TABLES)}")
    if name not in _TABLES:
        raise InputError("table", name, f"give one of {', '.join(_TABLES)}")
    return list(_TABLES[name]())
