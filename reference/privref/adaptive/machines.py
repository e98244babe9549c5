"""All filters and odometers by name, each built from one set-up: budget, split of the delta, and tuning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from privref.exact import decide
from privref.exact.errors import InputError, PrivrefError
from privref.guarantees.renyi import ORDERS
from privref.statements import theorems

from . import odometers, tuning
from .basic import BasicOdometer, basic_filter_machine
from .ex_post import ExPostFilter
from .gaussian import gaussian_filter
from .protocol import BlockMachine
from .renyi import RenyiGridFilter, renyi_filter
from .response import ResponseFilter, tuned_order
from .rogers import RogersFilter, rogers_odometer_machine
from .running import BudgetLimit
from .zcdp import dp_filter, lemma1_rho, tight_zcdp_filter, zcdp_filter

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
        return tuning.target_time(self.eps, self.slack, self.engine)

    @property
    def size(self) -> Fraction:
        if self.n is None:
            raise InputError("n", "(missing)", "this odometer needs the public size of the data set")
        return self.n


@dataclass(frozen=True, slots=True)
class MachineEntry:
    """One machine of the registry."""

    name: str
    role: Role
    summary: str
    build: Callable[[Setup], BlockMachine[Any]]


def _filter_odometer(setup: Setup, *, repaired: bool) -> BlockMachine[Any]:
    y_star = setup.target if setup.y_star is None else setup.y_star
    return odometers.filter_odometer(
        y_star, setup.slack, setup.rest, repaired=repaired, dominating=setup.dominating, engine=setup.engine
    )


def _mixture_odometer(setup: Setup, *, repaired: bool) -> BlockMachine[Any]:
    gamma = setup.gamma
    if gamma is None:
        gamma = tuning.tune_gamma(setup.target, setup.slack, setup.engine).value
    return odometers.mixture_odometer(
        gamma, setup.slack, setup.rest, repaired=repaired, dominating=setup.dominating, engine=setup.engine
    )


def _one_sided_odometer(setup: Setup) -> BlockMachine[Any]:
    gamma = setup.gamma
    if gamma is None:
        # The best gamma of two sides is nearly that of one.
        gamma = tuning.tune_gamma(setup.target, setup.slack, setup.engine).value
    return odometers.one_sided_odometer(
        gamma, setup.slack, setup.rest, dominating=setup.dominating, engine=setup.engine
    )


def _stitched_odometer(setup: Setup, *, repaired: bool) -> BlockMachine[Any]:
    v0 = setup.target / 100 if setup.v0 is None else setup.v0
    return odometers.stitched_odometer(
        v0, setup.slack, setup.rest, repaired=repaired, dominating=setup.dominating, engine=setup.engine
    )


def _zcdp_filter(setup: Setup) -> BlockMachine[Any]:
    rho = lemma1_rho(setup.eps, setup.slack, setup.engine) if setup.rho is None else BudgetLimit.exactly(setup.rho)
    return zcdp_filter(rho, setup.slack, setup.mixed_rest, setup.engine)


def _response_filter(setup: Setup) -> BlockMachine[Any]:
    order = tuned_order(setup.eps, setup.slack, setup.engine) if setup.order is None else setup.order
    return ResponseFilter.of(setup.eps, order, setup.slack, setup.rest, setup.engine)


def _ex_post_filter(setup: Setup) -> BlockMachine[Any]:
    order = tuned_order(setup.eps, setup.slack, setup.engine) if setup.order is None else setup.order
    return ExPostFilter.of(setup.eps, order, setup.slack, setup.rest, setup.engine)


def _renyi_filter(setup: Setup) -> BlockMachine[Any]:
    if setup.order is None:
        raise InputError("order", "(missing)", "this filter needs a Renyi order, fixed in advance")
    return renyi_filter(setup.eps, setup.order, setup.slack, setup.rest, setup.engine)


MACHINES: tuple[MachineEntry, ...] = (
    MachineEntry(
        "basic-filter",
        "filter",
        "sums of epsilon and delta (rogers2016/thm3.3)",
        lambda setup: basic_filter_machine(setup.eps, setup.delta),
    ),
    MachineEntry(
        "rogers-filter",
        "filter",
        "the first filter of advanced rate (rogers2016/thm5.1)",
        lambda setup: RogersFilter(setup.eps, setup.delta, setup.engine),
    ),
    MachineEntry("zcdp-filter", "filter", "sums of rho, converted by Lemma 1 (whitehouse2023/thm1)", _zcdp_filter),
    MachineEntry(
        "dp-filter",
        "filter",
        "sums of epsilon^2 (whitehouse2023/thm2)",
        lambda setup: dp_filter(setup.eps, setup.slack, setup.rest, setup.engine),
    ),
    MachineEntry(
        "tight-zcdp-filter",
        "filter",
        "sums of rho, converted tightly at the end (whitehouse2023/thm1 with cks2020/zcdp2dp)",
        lambda setup: tight_zcdp_filter(setup.eps, setup.slack, setup.mixed_rest, setup.engine),
    ),
    MachineEntry(
        "response-filter",
        "filter",
        "randomized response's divergence at one order, or the sum of epsilon (feldman2021/response_filter, ours)",
        _response_filter,
    ),
    MachineEntry(
        "ex-post-filter",
        "filter",
        "the cost of observed cells, and of other rounds at one order (rswr2023/ex_post_filter, ours)",
        _ex_post_filter,
    ),
    MachineEntry("renyi-filter", "filter", "one Renyi order fixed in advance (feldman2021)", _renyi_filter),
    MachineEntry(
        "renyi-grid-filter",
        "filter",
        "the best of a grid of Renyi orders, each paying its share of delta' (lecuyer2021)",
        lambda setup: RenyiGridFilter.of(setup.eps, setup.orders, setup.slack, setup.rest, setup.engine),
    ),
    MachineEntry(
        "gaussian-filter",
        "filter",
        "sums of mu^2 with the exact Gaussian profile (smith2022)",
        lambda setup: gaussian_filter(setup.eps, setup.delta, setup.engine),
    ),
    MachineEntry(
        "basic-odometer",
        "odometer",
        "sum of epsilon (rogers2016/thm3.3)",
        lambda setup: BasicOdometer(setup.delta, setup.dominating),
    ),
    MachineEntry(
        "rogers-odometer",
        "odometer",
        "equations (3) and (4) (rogers2016/thm6.2)",
        lambda setup: rogers_odometer_machine(
            setup.size, setup.delta, dominating=setup.dominating, engine=setup.engine
        ),
    ),
    MachineEntry(
        "restated-odometer",
        "odometer",
        "the Rogers odometer as restated, corrected (whitehouse2023/lem3)",
        lambda setup: odometers.restated_odometer(setup.size, setup.slack, setup.rest, dominating=setup.dominating),
    ),
    MachineEntry(
        "filter-odometer",
        "odometer",
        "tight at y* (whitehouse2023/thm3.filter)",
        lambda setup: _filter_odometer(setup, repaired=False),
    ),
    MachineEntry(
        "mixture-odometer",
        "odometer",
        "the method of mixtures (whitehouse2023/thm3.mixture)",
        lambda setup: _mixture_odometer(setup, repaired=False),
    ),
    MachineEntry(
        "one-sided-mixture-odometer",
        "odometer",
        "the method of mixtures on one side: always below (whitehouse2023/thm3.one_sided, ours)",
        _one_sided_odometer,
    ),
    MachineEntry(
        "stitched-odometer",
        "odometer",
        "of the iterated-logarithm rate (whitehouse2023/thm3.stitched)",
        lambda setup: _stitched_odometer(setup, repaired=False),
    ),
    MachineEntry(
        "filter-odometer-repaired",
        "odometer",
        "the filter odometer, repaired for pDP rounds (ours)",
        lambda setup: _filter_odometer(setup, repaired=True),
    ),
    MachineEntry(
        "mixture-odometer-repaired",
        "odometer",
        "the mixture odometer, repaired for pDP rounds (ours)",
        lambda setup: _mixture_odometer(setup, repaired=True),
    ),
    MachineEntry(
        "stitched-odometer-repaired",
        "odometer",
        "the stitched odometer, repaired for pDP rounds (ours)",
        lambda setup: _stitched_odometer(setup, repaired=True),
    ),
)

_BY_NAME = {entry.name: entry for entry in MACHINES}


def entry(name: str) -> MachineEntry:
    """The entry of that name, or of the theorem of that name; InputError listing all names otherwise."""
    rule = theorems.named(name)
    found = _BY_NAME.get(name) or (None if rule is None else _BY_NAME.get(rule.machine or rule.odometer))
    if found is None:
        raise InputError("machine", name, f"give one of {', '.join(_BY_NAME)}")
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
