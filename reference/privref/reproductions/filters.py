"""How many rounds each filter lets run, alongside the certified optimum for parameters fixed in advance.

The adversary's freedom costs something: the optimum is a limit that no filter for parameters chosen on the way can
exceed, and is not a filter itself (`price-of-adaptivity`). Every number is the last at which a machine, or a
comparison of enclosures, says CONT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from privref.adaptive.machines import Setup, build
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError, PrivrefError
from privref.guarantees.model import ApproxDP, GaussianDP, Guarantee, PureDP
from privref.statements.registry import statement

FILTERS = (
    "basic-filter", "rogers-filter", "dp-filter", "zcdp-filter", "tight-zcdp-filter", "renyi-grid-filter",
    "response-filter", "gaussian-filter",
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
        return str(_last(runs))
    except PrivrefError:
        return "-"


def optimum(setting: FilterSetting) -> str:
    """The most cycles, fixed in advance, whose certified delta is at most the budget's: one more is certainly not."""
    engine = decide.engine("arb")

    def holds(cycles: int) -> bool:
        return decide.sign(lambda ar: ar.real(setting.fixed(ar, cycles)) - setting.delta, engine) <= 0

    return str(_last(holds))


def _last(holds: Callable[[int], bool]) -> int:
    """The largest n >= 0 at which what holds up to some n holds."""
    high = 1
    while high < _MOST and holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
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
