"""How many rounds each filter lets run, alongside the certified optimum for parameters fixed in advance.

The adversary's freedom costs something: the optimum is a limit that no filter for parameters chosen on the way can
exceed, and is not a filter itself (`price-of-adaptivity`). Every number is the last at which a machine, or a
comparison of enclosures, says CONT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil, floor, log
from typing import Any

from privref.adaptive import whitehouse
from privref.adaptive.machines import Setup, build
from privref.adaptive.sgd import order_for_steps, sgd_guarantee
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, PrivrefError
from privref.guarantees.conversions import ORDERS
from privref.guarantees.model import ApproxDP, GaussianDP, Guarantee, PureDP
from privref.profiles.subsampled import estimated_log_delta
from privref.statements.registry import evaluate, statement

FILTERS = (
    "basic-filter", "rogers-filter", "dp-filter", "zcdp-filter", "tight-zcdp-filter", "renyi-grid-filter",
    "response-filter", "gaussian-filter", "domination-filter",
)  # fmt: skip
_MOST = 1 << 24


@dataclass(frozen=True, slots=True)
class FilterSetting:
    """Equal cycles of a few rounds, a budget, and the certified delta at its epsilon of this many cycles."""

    name: str
    cycle: tuple[Guarantee, ...]
    eps: Fraction
    delta: Fraction
    #: Of k cycles fixed in advance; None where no statement gives it.
    fixed: Callable[[Arithmetic, int], Scalar]


def _equal(eps: str, delta: str, budget: Fraction) -> Callable[[Arithmetic, int], Scalar]:
    """1 - (1 - delta_i)^k (1 - the optimal delta of k pure rounds), Kairouz, Oh, Viswanath 2015."""
    optimal = statement("kov2015/optimal.delta").function

    def formula(ar: Arithmetic, k: int) -> Scalar:
        pure = ar.real(_number(optimal(ar, eps=Fraction(eps), k=k, eps_g=budget)))
        return -ar.expm1(k * ar.log1p(-Fraction(delta))) * (1 - pure) + pure

    return formula


def _unequal(cycle: Sequence[str], budget: Fraction) -> Callable[[Arithmetic, int], Scalar]:
    optimal = statement("mv2016/optimal.delta").function
    parts = tuple(map(Fraction, cycle))

    def formula(ar: Arithmetic, k: int) -> Scalar:
        return _number(optimal(ar, eps=parts * k, delta=(Fraction(0),) * (k * len(parts)), eps_g=budget))

    return formula


def _gaussian(mu: str, budget: Fraction) -> Callable[[Arithmetic, int], Scalar]:
    profile = statement("gdp/composition.delta").function
    return lambda ar, k: _number(profile(ar, mu=((Fraction(mu), k),), eps=budget))


def _number(result: Any) -> Scalar:
    if isinstance(result, str):
        raise InputError("setting", result, "a number is needed")
    return result  # type: ignore[no-any-return]


def _setting(eps: str, budget: str, delta: str, own: str = "0") -> FilterSetting:
    event: Guarantee = PureDP(Fraction(eps)) if own == "0" else ApproxDP(Fraction(eps), Fraction(own))
    name = f"eps = {eps}" + ("" if own == "0" else f", delta = {own}")
    return FilterSetting(name, (event,), Fraction(budget), Fraction(delta), _equal(eps, own, Fraction(budget)))


def _mixed(cycle: tuple[str, ...], budget: str, delta: str) -> FilterSetting:
    events = tuple(PureDP(Fraction(eps)) for eps in cycle)
    name = f"eps = {', '.join(cycle)} in turn"
    return FilterSetting(name, events, Fraction(budget), Fraction(delta), _unequal(cycle, Fraction(budget)))


def _normal(mu: str, budget: str, delta: str) -> FilterSetting:
    events = (GaussianDP(Fraction(mu)),)
    return FilterSetting(f"mu = {mu}", events, Fraction(budget), Fraction(delta), _gaussian(mu, Fraction(budget)))


SETTINGS = (
    _setting("1", "8", "1e-6"),
    _setting("1/2", "8", "1e-6"),
    _setting("1/5", "8", "1e-9"),
    _setting("1/10", "3", "1e-6"),
    _setting("1/10", "5", "1e-6"),
    _setting("1/100", "1", "1e-6"),
    _setting("1/200", "12", "1e-6"),
    _setting("1/2", "8", "1e-6", "1e-9"),
    _setting("1/20", "3", "1e-6", "1e-10"),
    _mixed(("1/10", "1/2"), "12", "1e-6"),
    _mixed(("1/100", "1/100", "1/4"), "8", "1e-6"),
    _normal("1/20", "3", "1e-6"),
)


def admitted(machine: str, setting: FilterSetting) -> str:
    """How many whole cycles the filter lets run; "-" where it does not cover the rounds or the budget."""
    own = any(getattr(event, "delta", 0) for event in setting.cycle)
    # All of delta for the conversion where no round spends any: fixed in advance, as is all that is known here.
    prime = setting.delta / 2 if own else setting.delta
    try:
        built = build(machine, Setup(setting.eps, setting.delta, delta_prime=prime))
    except PrivrefError:
        return "-"

    def runs(cycles: int) -> bool:
        state = built.start()
        for event in setting.cycle:
            state, decision = built.block(state, event, cycles)
            if decision.verdict == "HALT":
                return False
        return True

    try:
        return str(_last(runs, most=_MOST))
    except PrivrefError:
        return "-"


def optimum(setting: FilterSetting) -> str:
    """The most cycles, fixed in advance, whose certified delta is at most the budget's: one more is certainly not."""
    engine = decide.engine("arb")

    def holds(cycles: int) -> bool:
        return decide.sign(lambda ar: ar.real(setting.fixed(ar, cycles)) - setting.delta, engine) <= 0

    return str(_last(holds, most=_MOST))


def _last(holds: Callable[[int], bool], start: int = 1, parts: int = 1, most: int = 1 << 62) -> int:
    """The largest n >= 0 at which what holds up to some n holds, or one after which it ends within a part of it."""
    low, high = 0, start
    while high < most and holds(high):
        low, high = high, 2 * high
    while high - low > max(1, low // parts if parts > 1 else 1):
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def filters(settings: Sequence[FilterSetting] = SETTINGS) -> Iterator[dict[str, str]]:
    """A row for each setting: the cycles that each filter admits, and those that are possible in advance."""
    for setting in settings:
        yield {
            "rounds": setting.name,
            "epsilon": str(setting.eps),
            "delta": f"{float(setting.delta):g}",
            **{name.removesuffix("-filter"): admitted(name, setting) for name in FILTERS},
            "fixed in advance": optimum(setting),
        }


# --- the response filter against those before it ----------------------------------------------------------------------


EPSILONS = ("1/2", "1/10", "1/100")
ROUNDS = (10, 100, 1000, 10_000, 100_000)
DELTAS = ("1e-6", "1e-9")
ADVANCED = ("rogers-filter", "zcdp-filter", "dp-filter", "tight-zcdp-filter", "response-filter")
#: A budget that is larger than this is none.
_LARGEST = 30


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
                if budget > _LARGEST:
                    continue
                setting = FilterSetting("", (PureDP(eps),), budget, delta, lambda ar, cycles: Fraction(0))
                found = {name.removesuffix("-filter"): admitted(name, setting) for name in ADVANCED}
                more = Fraction(int(found["response"]), int(found["dp"])) - 1
                yield {
                    "epsilon": own,
                    "delta": f"{float(delta):g}",
                    "k": str(k),
                    "budget": f"{float(budget):.3f}",
                    **found,
                    "more than dp": f"{floor(1000 * more) / 10:.1f} %",
                }


# --- the filter of DP-SGD: how many steps, and how close to the most in advance ---------------------------------------


#: Rate, noise multiplier, epsilon and delta of the budget.
SGD_SETTINGS = (
    ("1/100", "1", "2", "1e-5"),
    ("1/100", "1", "8", "1e-5"),
    ("1/100", "2", "1", "1e-6"),
    ("1/20", "2", "4", "1e-6"),
    ("1/1000", "1", "2", "1e-6"),
)
_GRID = tuple(order for order in ORDERS if order.denominator == 1)
#: The optimum is searched until it is known to within one part in this number.
_PARTS = 200


def steps(name: str, q: Fraction, sigma: Fraction, eps: Fraction, delta: Fraction, orders: tuple[Fraction, ...]) -> int:
    """How many equal steps a Renyi filter lets run, with all of delta for its conversion."""
    setup = Setup(eps, delta, delta_prime=delta, order=orders[0], orders=orders)
    machine, event = build(name, setup), sgd_guarantee(q, sigma, orders)
    return _last(lambda k: machine.block(machine.start(), event, k)[1].verdict == "CONT", 1, 1)


def possible(q: str, sigma: str, eps: str, delta: str, least: int) -> tuple[int, int]:
    """Two numbers of steps close to each other: with the first delta is certainly kept, and not with the second."""

    def enclosed(k: int) -> Enclosure:
        found = evaluate("zdw2022/poisson_gaussian.delta", q=q, sigma=sigma, k=k, eps=eps, digits=6).enclosure
        assert found is not None
        return found

    def kept(k: int) -> bool:
        return enclosed(k).upper <= Fraction(delta)

    def exceeded(k: int) -> bool:
        return enclosed(k).lower > Fraction(delta)

    def seems_kept(k: int) -> bool:
        found = estimated_log_delta(Fraction(q), Fraction(sigma), k, Fraction(eps))
        return kept(k) if found is None else found <= log(Fraction(delta))

    # Floats say where to look; where they are wrong about an end, all is asked of the enclosures.
    guess = _last(seems_kept, max(1, least), 1)
    margin = guess // (2 * _PARTS + 1)
    low, high = guess - margin, guess + max(1, margin)
    if kept(low) and exceeded(high):
        return low, high
    low = _last(kept, max(1, least), _PARTS)
    part = max(1, low // _PARTS)
    # That delta is not seen to be kept does not say that it is exceeded.
    return low, next(high for high in count(low + part, part) if exceeded(high))


def sgd_filter() -> Iterator[dict[str, str]]:
    """A row for each setting: steps by one order fixed in advance, by a grid that shares delta, by a base, and at best.

    The base filter lets as many base rounds run as fit where all is fixed, of which the lower end is seen to fit.
    """
    for q, sigma, eps, delta in SGD_SETTINGS:
        rate, noise, budget, total = Fraction(q), Fraction(sigma), Fraction(eps), Fraction(delta)
        order = order_for_steps(rate, noise, budget, total)
        one = steps("renyi-filter", rate, noise, budget, total, (Fraction(order),))
        many = steps("renyi-grid-filter", rate, noise, budget, total, _GRID)
        try:
            low, high = possible(q, sigma, eps, delta, one)
            reached = [f"{floor(Fraction(1000 * ran, high)) / 10:.1f} %" for ran in (one, low)]
            found = [f"{low} or more", f"{low} to {high}", *reached]
        except PrivrefError:
            found = ["-"] * 4
        yield {
            "q": q, "sigma": sigma, "epsilon": eps, "delta": delta, "order": str(order),
            "one order": str(one), f"{len(_GRID)} orders": str(many),
            **dict(zip(("base", "fixed in advance", "one order reaches", "base reaches"), found, strict=True)),
        }  # fmt: skip
