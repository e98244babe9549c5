"""All filters and odometers by name, each built from one set-up: budget, split of the delta, and tuning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from privref.exact import decide
from privref.exact.errors import InputError, PrivrefError, nearest
from privref.guarantees.conversions import ORDERS
from privref.statements import theorems

from . import odometers
from .additive import (
    BasicOdometer,
    basic_filter_machine,
    dp_filter,
    gaussian_filter,
    lemma1_rho,
    tight_zcdp_filter,
    zcdp_filter,
)
from .domination import DominationFilter
from .protocol import BlockMachine
from .renyi import RenyiGridFilter, renyi_filter
from .response import ExPostFilter, ResponseFilter, tuned_order
from .rogers import RogersFilter, rogers_odometer_machine
from .running import BudgetLimit

Role = Literal["filter", "odometer"]


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed before the first event. Only the budget is needed; the rest has defaults, or is asked for by name.

    ``delta_prime`` is the part of delta that the conversion or the martingale bound takes (default delta/2); what it
    leaves is for the events' own deltas. ``n`` is the public size of the data set. ``y_star``, ``gamma`` and ``v0``
    default to the values that are tightest where the filter halts (v0: a hundredth of it). ``order`` and ``orders`` are
    Renyi orders. ``dominating`` lets odometers cover general (epsilon, delta)-DP rounds as bounds on the loss of the
    dominating randomized response.
    """

    eps: Fraction
    delta: Fraction
    delta_prime: Fraction | None = None
    n: Fraction | None = None
    y_star: Fraction | None = None
    gamma: Fraction | None = None
    v0: Fraction | None = None
    rho: Fraction | None = None
    order: Fraction | None = None
    orders: tuple[Fraction, ...] = ORDERS
    dominating: bool = False
    engine: decide.EngineName = "arb"

    def __post_init__(self) -> None:
        if self.eps < 0:
            raise InputError("budget", str(self.eps), "give an epsilon >= 0")
        if not 0 <= self.delta < 1:
            raise InputError("budget", str(self.delta), "give a delta in [0, 1)")
        if self.delta_prime is not None and not 0 < self.delta_prime <= self.delta:
            raise InputError("delta_prime", str(self.delta_prime), f"give a delta' in (0, {self.delta}]")

    @property
    def slack(self) -> Fraction:
        """delta'."""
        if self.delta == 0:
            raise InputError("budget", "delta = 0", "this machine needs a delta > 0 for its delta'")
        return self.delta / 2 if self.delta_prime is None else self.delta_prime

    @property
    def rest(self) -> Fraction:
        """delta'' = delta - delta'."""
        return self.delta - self.slack

    @property
    def mixed_rest(self) -> Fraction:
        """The larger delta'' with delta = delta'' + (1 - delta'') delta' of whitehouse2023/lem1."""
        return (self.delta - self.slack) / (1 - self.slack)

    @property
    def target(self) -> Fraction:
        """The intrinsic time at which odometers are tuned to be tight."""
        return odometers.target_time(self.eps, self.slack, self.engine)

    @property
    def size(self) -> Fraction:
        if self.n is None:
            raise InputError("n", "(missing)", "this odometer needs the public size of the data set")
        return self.n


_Build = Callable[[Setup], BlockMachine[Any]]


@dataclass(frozen=True, slots=True)
class MachineEntry:
    """One machine of the registry."""

    name: str
    role: Role
    build: _Build


def _y_star(setup: Setup) -> Fraction:
    return setup.target if setup.y_star is None else setup.y_star


def _gamma(setup: Setup) -> Fraction:
    # The best gamma of two sides is nearly that of one.
    return odometers.tune_gamma(setup.target, setup.slack, setup.engine).value if setup.gamma is None else setup.gamma


def _v0(setup: Setup) -> Fraction:
    return setup.target / 100 if setup.v0 is None else setup.v0


def _tuned(statement: str, value: Callable[[Setup], Fraction], *, repaired: bool = False) -> _Build:
    return lambda setup: odometers.tuned_odometer(
        statement, value(setup), setup.slack, setup.rest,
        repaired=repaired, dominating=setup.dominating, engine=setup.engine,
    )  # fmt: skip


def _zcdp_filter(setup: Setup) -> BlockMachine[Any]:
    rho = lemma1_rho(setup.eps, setup.slack, setup.engine) if setup.rho is None else BudgetLimit.exactly(setup.rho)
    return zcdp_filter(rho, setup.slack, setup.mixed_rest, setup.engine)


def _order(setup: Setup) -> Fraction:
    return tuned_order(setup.eps, setup.slack, setup.engine) if setup.order is None else setup.order


def _renyi_filter(setup: Setup) -> BlockMachine[Any]:
    if setup.order is None:
        raise InputError("order", "(missing)", "this filter needs a Renyi order, fixed in advance")
    return renyi_filter(setup.eps, setup.order, setup.slack, setup.rest, setup.engine)


_FILTERS: dict[str, _Build] = {
    "basic-filter": lambda setup: basic_filter_machine(setup.eps, setup.delta),
    "rogers-filter": lambda setup: RogersFilter(setup.eps, setup.delta, setup.engine),
    "zcdp-filter": _zcdp_filter,
    "dp-filter": lambda setup: dp_filter(setup.eps, setup.slack, setup.rest, setup.engine),
    "tight-zcdp-filter": lambda setup: tight_zcdp_filter(setup.eps, setup.slack, setup.mixed_rest, setup.engine),
    "response-filter": lambda setup: ResponseFilter.of(setup.eps, _order(setup), setup.slack, setup.rest, setup.engine),
    "ex-post-filter": lambda setup: ExPostFilter.of(setup.eps, _order(setup), setup.slack, setup.rest, setup.engine),
    "renyi-filter": _renyi_filter,
    "renyi-grid-filter": lambda setup: RenyiGridFilter.of(
        setup.eps, setup.orders, setup.slack, setup.rest, setup.engine
    ),
    "gaussian-filter": lambda setup: gaussian_filter(setup.eps, setup.delta, setup.engine),
    "domination-filter": lambda setup: DominationFilter.of((setup.eps, setup.delta), setup.slack),
}
_ODOMETERS: dict[str, _Build] = {
    "basic-odometer": lambda setup: BasicOdometer(setup.delta, setup.dominating),
    "rogers-odometer": lambda setup: rogers_odometer_machine(
        setup.size, setup.delta, dominating=setup.dominating, engine=setup.engine
    ),
    "restated-odometer": lambda setup: odometers.restated_odometer(
        setup.size, setup.slack, setup.rest, dominating=setup.dominating
    ),
    "filter-odometer": _tuned("whitehouse2023/thm3.filter", _y_star),
    "mixture-odometer": _tuned("whitehouse2023/thm3.mixture", _gamma),
    "one-sided-mixture-odometer": _tuned("whitehouse2023/thm3.one_sided", _gamma),
    "stitched-odometer": _tuned("whitehouse2023/thm3.stitched", _v0),
    "filter-odometer-repaired": _tuned("whitehouse2023/thm3.filter", _y_star, repaired=True),
    "mixture-odometer-repaired": _tuned("whitehouse2023/thm3.mixture", _gamma, repaired=True),
    "stitched-odometer-repaired": _tuned("whitehouse2023/thm3.stitched", _v0, repaired=True),
}
MACHINES = (
    *(MachineEntry(name, "filter", build) for name, build in _FILTERS.items()),
    *(MachineEntry(name, "odometer", build) for name, build in _ODOMETERS.items()),
)

_BY_NAME = {entry.name: entry for entry in MACHINES}


def entry(name: str) -> MachineEntry:
    """The entry of that name, or of the theorem of that name; InputError listing all names otherwise."""
    rule = theorems.named(name)
    found = _BY_NAME.get(name) or (None if rule is None else _BY_NAME.get(rule.machine or rule.odometer))
    if found is None:
        raise InputError("machine", name, f"{nearest(name, _BY_NAME)}give one of {', '.join(_BY_NAME)}")
    return found


def build(name: str, setup: Setup) -> BlockMachine[Any]:
    """One machine by name; InputError where the set-up lacks or contradicts what it needs."""
    return entry(name).build(setup)


def build_all(setup: Setup) -> tuple[dict[str, BlockMachine[Any]], dict[str, str]]:
    """Every machine that the set-up allows, and for each of the others the reason why not."""
    built: dict[str, BlockMachine[Any]] = {}
    refused: dict[str, str] = {}
    for each in MACHINES:
        try:
            built[each.name] = each.build(setup)
        except PrivrefError as refusal:
            refused[each.name] = str(refusal)
    return built, refused
