"""Replaying a ledger through filters and odometers, and the claims that only a replay can decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from privref.adaptive.machines import MACHINES, Setup, build, build_all
from privref.adaptive.output_dp import OutputAccountant, OutputFilter
from privref.adaptive.protocol import Machine, Reading, ReadingMachine
from privref.adaptive.running import ReplayRow, every, run_machines
from privref.exact.errors import InputError, one_of
from privref.exact.numbers import at_least_zero, count, pair, spell
from privref.exact.work import DECISIONS, metered
from privref.guarantees.model import ApproxDP, Guarantee, OutputDP, as_approx_dp
from privref.ledger.model import Event, Ledger, require_ledger
from privref.profiles.sampled import NOT_BY_ROUND
from privref.statements import theorems
from privref.statements.theorems import THEOREMS, theorem

#: Algorithm 1 of Hartmann et al. 2022: the one filter that charges what was observed and nothing else.
OUTPUT_ACCOUNTANT = theorem("hartmann2022/alg1")
_OUTPUT_ACCOUNTANT = OUTPUT_ACCOUNTANT.machine


@dataclass(frozen=True, slots=True)
class Replay:
    """A ledger run through every machine that its budget and declarations allow."""

    setup: Setup
    machines: dict[str, Machine[Any]]
    refused: dict[str, str]
    rows: tuple[ReplayRow, ...]


#: The declared mechanism of an event whose loss is that of the dominating randomized response: the one with four
#: outcomes of rogers2016/def2.6, two of which reveal the input. A plain randomized response may lose otherwise.
DOMINATING = "four-outcome-randomized-response"


def setup_for(ledger: Ledger, eps: Fraction, delta: Fraction, delta_prime: Fraction | None = None) -> Setup:
    """The set-up of a replay: the budget, and the tuning and the public size that the ledger declares.

    Odometers read the loss of the dominating randomized response where every event that ran with a positive delta is
    declared to be one.
    """
    tuned: dict[str, Fraction] = {}
    for values in ledger.tuning.values():
        for name, value in values.items():
            if tuned.setdefault(name, value) != value:
                raise InputError(f"ledger.tuning.{name}", spell(value), "another value is declared; a replay takes one")
    with_delta = [event for event in ledger.ran if (found := as_approx_dp(event.guarantee)) and found.delta]
    size = ledger.dataset_size if ledger.dataset_size_public and ledger.neighbours == "replace-one" else None
    return Setup(
        eps,
        delta,
        delta_prime=tuned.get("delta_prime") if delta_prime is None else delta_prime,
        n=None if size is None else Fraction(size),
        y_star=tuned.get("y_star"),
        gamma=tuned.get("gamma"),
        v0=tuned.get("v0"),
        order=tuned.get("order"),
        dominating=bool(with_delta) and all(_dominating(event) for event in with_delta),
    )


def _dominating(event: Event) -> bool:
    """Whether the event is the dominating randomized response itself, with parameters that its guarantee allows."""
    guarantee, law = event.guarantee, event.law
    if event.mechanism != DOMINATING or not isinstance(guarantee, ApproxDP) or law is None or law.upper is None:
        return False
    own = law.guarantee
    return isinstance(own, ApproxDP) and own.epsilon <= guarantee.epsilon and own.delta <= guarantee.delta


def single_rounds(events: Sequence[Event]) -> Iterator[Event]:
    """The events round by round, counts expanded; WorkLimitError for more of them than a replay runs."""
    DECISIONS.require(sum(event.count for event in events))
    for event in events:
        for _ in range(event.count):
            yield event


def machines_for(ledger: Ledger, setup: Setup) -> tuple[dict[str, Machine[Any]], dict[str, str]]:
    """Every machine that can be built, and why the others cannot; output DP's own where the ledger has such events."""
    built, refused = build_all(setup)
    machines: dict[str, Machine[Any]] = dict(built)
    if any(isinstance(event.guarantee, OutputDP) for event in ledger.events):
        machines[_OUTPUT_ACCOUNTANT] = OutputAccountant(setup.eps, setup.delta)
        machines[theorem("hartmann2022/def19").machine] = OutputFilter(setup.eps, setup.delta)
    return machines, refused


def replay_ledger(
    ledger: Ledger, setup: Setup, *, read: Callable[[int], bool] = lambda k: True, names: tuple[str, ...] = ()
) -> Replay:
    """Replay the events that were requested.

    Events that the running system refused are given neither to the odometers nor to the output-DP accountant, whose
    budget they leave as it was."""
    if ledger.shares:
        remedy = f"a replay looks between rounds, and {NOT_BY_ROUND}; audit a claim about all rounds together"
        raise InputError("ledger.events", "sampling shuffled", remedy)
    machines, refused = machines_for(ledger, setup)
    names = tuple(dict.fromkeys(_machine_name(name, machines) for name in names))
    for name in names:
        if name not in machines:
            if name in refused:
                raise InputError("machine", name, refused[name])
            one_of(name, machines, "machine")
    if names:
        machines, refused = {name: machines[name] for name in names}, {}
    DECISIONS.require(len(machines) * sum(event.count for event in ledger.events))
    rounds = list(single_rounds(ledger.events))
    guarantees: list[Guarantee] = [event.guarantee for event in rounds]
    observed = [event.observed_cell for event in rounds]
    ran = [event.decision in (None, "continue") for event in rounds]
    told_of_answers = {entry.name for entry in MACHINES if entry.role == "odometer"} | {_OUTPUT_ACCOUNTANT}
    with metered():
        rows = tuple(
            run_machines(
                guarantees,
                machines,
                read=read,
                passed_over=lambda k, name: name in told_of_answers and not ran[k - 1],
                observed=observed,
            )
        )
    return Replay(setup, machines, refused, rows)


def replay(
    ledger: Ledger, budget: object, *, delta_prime: object = None, machines: Sequence[str] = (), rows: object = 20
) -> Replay:
    """Run the requests of a ledger through filters and odometers with one budget; readings at about ``rows`` rounds.

    The budget is a pair of exact numbers, or text with a comma between them. Raises InputError for a number that is not
    exact, and for a machine that does not exist or cannot be built from the budget and the declarations.
    """
    require_ledger(ledger)
    slack = None if delta_prime is None else at_least_zero(delta_prime, "delta_prime")
    setup = setup_for(ledger, *pair(budget, "budget"), slack)
    requested = sum(event.count for event in ledger.events)
    read = every(count(rows, "rows", least=1), requested)
    # Building the machines is part of the question: their limits are enclosed for whatever budget was given.
    with metered():
        return replay_ledger(ledger, setup, read=read, names=tuple(machines))


def _machine_name(name: str, machines: dict[str, Machine[Any]]) -> str:
    """The machine that a name means, which may be its theorem's: the filter where there is one, else the odometer."""
    rule = theorems.named(name)
    if name in machines or rule is None:
        return name
    return rule.machine or rule.odometer or name


#: The odometers by the id of the theorem that makes each valid.
ODOMETERS = {each.id: each.odometer for each in THEOREMS if each.odometer}


def odometer_by(ledger: Ledger, statement: str, delta: Fraction) -> Machine[Any]:
    """The odometer of a theorem at delta, tuned as the ledger declares for that theorem.

    InputError where the ledger does not declare what the odometer needs: its tuning, or a public data set size.
    """
    tuned = dict(ledger.tuning.get(statement, {}))
    for needed in theorem(statement).odometer_tuning:
        if needed not in tuned:
            raise InputError(f"ledger.tuning.{statement}.{needed}", "(missing)", "declare what was fixed in advance")
    setup = setup_for(replace(ledger, tuning={statement: tuned}), Fraction(0), delta)
    return build(ODOMETERS[statement], setup)


def reading_after(ledger: Ledger, machine: Machine[Any], entries: int) -> Reading | None:
    """What the odometer reads after the first entries of the ledger; HypothesisError for one that it does not cover."""
    state = machine.start()
    reading = machine.read(state) if isinstance(machine, ReadingMachine) else None
    ran = tuple(event for event in ledger.events[:entries] if event.decision in (None, "continue"))
    for event in single_rounds(ran):
        state, decision = machine.step(state, event.guarantee)
        reading = decision.reading
    return reading


def remaining_budget(ledger: Ledger, eps: Fraction, delta: Fraction) -> tuple[Fraction, Fraction] | str:
    """What Algorithm 1 leaves of a budget after the rounds that ran; in words, why it would have refused one."""
    accountant = OutputAccountant(eps, delta)
    state = accountant.start()
    for k, event in enumerate(single_rounds(ledger.ran), 1):
        state, decision = accountant.step(state, event.guarantee)
        if decision.verdict == "HALT":
            return f"Algorithm 1 would have refused round {k}: {decision.reason}"
        if event.observed_cell is not None:
            state = accountant.observe(state, event.observed_cell)
    return state.eps, state.delta
