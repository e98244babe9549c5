"""Accountants under attack, whatever they are, behind one small interface.

An accountant is a filter (may the requested round run?) or an odometer (what is the loss bounded by, so far?). It sees
the declared parameters of the rounds and the observed cells, never the answers. States are hashable and say all that
the accountant remembers: two histories with the same state are treated alike from then on.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Union, cast

from privref.adaptive.protocol import Machine, failure_of
from privref.adaptive.renyi import RenyiGridFilter, conversion_limit
from privref.adaptive.response import tuned_order
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError, PrivrefError
from privref.exact.logs import LogForm, total
from privref.exact.numbers import spell
from privref.guarantees.conversions import ORDERS
from privref.guarantees.model import ZCDP, ApproxDP, Guarantee, OutputDP, ProbabilisticDP, PureDP, RenyiDP
from privref.guarantees.randomized_response import charged
from privref.statements.hypotheses import Failure
from privref.statements.registry import Statement
from privref.statements.theorems import THEOREMS

from . import formula
from .received import AskedRound, plain, received
from .rounds import ZERO, GameRound, Outcome

AccountantKind = Literal["filter", "odometer"]
#: What an odometer shows: exact, ``inf``, or a formula.
Shown = Union[LogForm, Literal["inf"], Callable[[Arithmetic], Scalar]]
ENGINE = decide.engine("arb")


@dataclass(frozen=True, slots=True)
class AccountantBudget:
    """What the accountant claims: epsilon (of a filter), delta, and how far the sum of the delta_i may go."""

    epsilon: LogForm | None
    delta: Fraction
    delta_sum: Fraction

    @property
    def enforced(self) -> LogForm:
        """The epsilon; InputError where there is none."""
        if self.epsilon is None:
            raise InputError("epsilon", "(missing)", "a filter needs the epsilon that it enforces")
        return self.epsilon

    def document(self) -> dict[str, str]:
        """The JSON form."""
        found = {"delta": spell(self.delta), "delta_sum": spell(self.delta_sum)}
        return found if self.epsilon is None else {"epsilon": self.epsilon.spell(), **found}


def _epsilon_of(asked: GameRound) -> LogForm:
    """The epsilon that a round declares; InputError where it declares another quantity."""
    if asked.notion in ("zcdp", "rdp"):
        raise InputError(
            "menu", asked.name, f"this accountant takes rounds with an epsilon; attack a {asked.notion} filter"
        )
    return asked.epsilon


class Accountant(ABC):
    """A filter or an odometer as the attacker meets it."""

    kind: AccountantKind
    #: Whether a round of output DP counts with its largest cell, whichever cell is observed.
    takes_largest_cell = False

    @property
    def promised(self) -> Failure | None:
        """The failure that the accountant's theorem bounds; None where it has no theorem."""
        return None

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """What a certificate needs to build the accountant again."""

    @abstractmethod
    def start(self) -> Hashable:
        """The state before the first round."""

    @abstractmethod
    def request(self, state: Any, asked: GameRound) -> Hashable | None:
        """The state once the round has been let run, before its answer; None where it is refused."""

    def refuse(self, state: Any, asked: GameRound) -> Hashable:
        """The state once the round was refused; as before, where a refusal is not remembered."""
        return cast(Hashable, state)

    def observe(self, state: Any, asked: GameRound, outcome: Outcome) -> Hashable:
        """The state once the answer's cell is known."""
        return cast(Hashable, state)

    def shows(self, state: Any) -> Shown:
        """An odometer's bound in this state (never asked before the first round)."""
        raise NotImplementedError(f"{type(self).__name__} is a filter")


def exceeds_shown(loss: LogForm, shown: Shown, *, two_sided: bool) -> bool:
    """Whether a loss, or where both sides count its absolute value, exceeds what an odometer shows."""
    if shown == "inf":
        return False
    for signed in (loss, -loss) if two_sided else (loss,):
        if isinstance(shown, LogForm):
            if (signed - shown).sign() > 0:
                return True
        # A bound that is no sum of logarithms does not tie with a loss; the ladder's cap guards an unforeseen tie.
        elif decide.exceeds(signed.evaluate, shown, ENGINE):
            return True
    return False


# --- what is remembered of the past ---------------------------------------------------------------------------------

_Counts = tuple[tuple[Any, int], ...]


def _added(counts: _Counts, item: Any) -> _Counts:
    found = dict(counts)
    found[item] = found.get(item, 0) + 1
    return tuple(sorted(found.items(), key=repr))


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums and multisets of the parameters so far; only the named ones are kept, the others stay empty."""

    kept: frozenset[str]
    rounds: int = 0
    eps_sum: LogForm = ZERO
    square_sum: Fraction = Fraction(0)
    delta_sum: Fraction = Fraction(0)
    eps: _Counts = ()
    delta: _Counts = ()

    def plus(self, asked: GameRound) -> Tally:
        """The tally with one more round."""
        _epsilon_of(asked)
        kept, square = self.kept, self.square_sum
        if "square_sum" in kept:
            epsilon = asked.epsilon.rational
            if epsilon is None:
                raise InputError("menu", asked.epsilon.spell(), "this accountant takes rational epsilons")
            square += epsilon * epsilon
        return Tally(
            kept,
            self.rounds + ("rounds" in kept),
            self.eps_sum + asked.epsilon if "eps_sum" in kept else self.eps_sum,
            square,
            self.delta_sum + asked.delta if "delta_sum" in kept else self.delta_sum,
            _added(self.eps, asked.epsilon) if "eps" in kept else (),
            _added(self.delta, asked.delta) if "delta" in kept else (),
        )


# --- formulas -------------------------------------------------------------------------------------------------------


class _TallyAccountant(Accountant):
    """An accountant whose state is a tally: past the budget's sum of deltas it refuses, or shows no bound."""

    takes_largest_cell = True
    kept: frozenset[str]
    budget: AccountantBudget

    def start(self) -> Tally:
        return Tally(self.kept)

    def request(self, state: Tally, asked: GameRound) -> Tally | None:
        after = state.plus(asked)
        if self.kind == "odometer":
            return after
        return after if after.delta_sum <= self.budget.delta_sum and self._admits(after) else None

    def shows(self, state: Tally) -> Shown:
        return "inf" if state.delta_sum > self.budget.delta_sum else self._bound(state)

    @abstractmethod
    def _admits(self, after: Tally) -> bool:
        """Whether a filter lets a round run after which this is the tally."""

    @abstractmethod
    def _bound(self, state: Tally) -> Shown:
        """What an odometer shows at this tally."""


class FormulaAccountant(_TallyAccountant):
    """A formula in S1, S2, k, …: an odometer that shows it, or the filter that halts once it exceeds epsilon."""

    def __init__(
        self, kind: AccountantKind, expression: formula.Expression, budget: AccountantBudget, menu: Iterable[GameRound]
    ) -> None:
        #: Of a filter.
        self.epsilon = budget.enforced if kind == "filter" else ZERO
        self.kind = kind
        self.expression = expression
        self.budget = budget
        names = expression.names
        rational = all(asked.epsilon.rational is not None for asked in menu)
        self.squares = "S2" in names and rational
        kept = {"delta_sum"} | ({"rounds"} if "k" in names else set()) | ({"eps_sum"} if "S1" in names else set())
        kept |= {"square_sum"} if self.squares else set()
        kept |= {"eps"} if names & {"E1", "T1"} or ("S2" in names and not rational) else set()
        self.kept = frozenset(kept)

    def document(self) -> dict[str, Any]:
        return {"formula": self.expression.text}

    def _admits(self, after: Tally) -> bool:
        value = self._value(ENGINE, after)
        if isinstance(value, (int, Fraction)):
            value = LogForm.of(value)
        if isinstance(value, LogForm):
            return (value - self.epsilon).sign() <= 0

        def excess(ar: Arithmetic) -> Scalar:
            return cast(Real, _scalar(self._value(ar, after), ar)) - self.epsilon.evaluate(ar)

        # A tie of a rational budget with a formula of logs and roots is not expected; the ladder's cap guards it.
        return decide.sign(excess, ENGINE) <= 0

    def _bound(self, state: Tally) -> Shown:
        with ENGINE.active():
            value = self._value(ENGINE, state)
        if isinstance(value, LogForm):
            return value
        if isinstance(value, (int, Fraction)):
            return LogForm.of(value)
        return lambda ar: _scalar(self._value(ar, state), ar)

    def _value(self, ar: Arithmetic, state: Tally) -> formula.Value:
        values: dict[str, formula.Value] = {
            "k": state.rounds,
            "S1": state.eps_sum,
            "D": state.delta_sum,
            "delta": self.budget.delta,
        }
        if self.budget.epsilon is not None:
            values["eps"] = self.budget.epsilon
        elif "eps" in self.expression.names:
            raise InputError("epsilon", "(missing)", "the formula names eps: give the epsilon of the budget")
        names = self.expression.names
        if self.squares:
            values["S2"] = state.square_sum
        elif "S2" in names:
            values["S2"] = ar.sum(times * ar.real(e.evaluate(ar)) ** 2 for e, times in state.eps)
        if "E1" in names:
            values["E1"] = self._drift(ar, state.eps)
        if "T1" in names:
            values["T1"] = ar.sum(times * (ar.real(e.evaluate(ar)) * _tanh_half(e, ar)) for e, times in state.eps)
        return self.expression.evaluate(ar, values)

    @staticmethod
    def _drift(ar: Arithmetic, eps: _Counts) -> formula.Value:
        if all(epsilon.rational_exp() is not None for epsilon, _ in eps):
            return total(epsilon.scaled(times * (epsilon.rational_exp() - 1)) for epsilon, times in eps)
        return ar.sum(times * (ar.real(e.evaluate(ar)) * ar.expm1(e.evaluate(ar))) for e, times in eps)


def _tanh_half(epsilon: LogForm, ar: Arithmetic) -> Scalar:
    growth = epsilon.rational_exp()
    return (growth - 1) / (growth + 1) if growth is not None else ar.tanh(ar.real(epsilon.evaluate(ar)) / 2)


def _scalar(value: formula.Value, ar: Arithmetic) -> Scalar:
    return value.evaluate(ar) if isinstance(value, LogForm) else value


# --- registered statements ------------------------------------------------------------------------------------------


class StatementAccountant(_TallyAccountant):
    """A registered statement fed with the realised parameters: CONT/HALT makes a filter, a number an odometer.

    Inputs ``eps``, ``delta`` (lists) are the realised parameters and ``V`` is the sum of their squares; ``eps_g``,
    ``eps_t`` and ``eps_target`` are the budget's epsilon, ``delta_g``, ``delta_t`` and ``delta_prime`` its delta where
    the settings do not say otherwise.
    """

    def __init__(
        self, found: Statement, settings: Mapping[str, object], budget: AccountantBudget, kind: AccountantKind
    ) -> None:
        self.kind = kind
        self.found = found
        self.settings = dict(settings)
        self.budget = budget
        names = {param.name: param for param in found.params}
        kept = {"delta_sum"}
        self.fixed: dict[str, object] = {}
        for name, param in names.items():
            if param.shape in ("multiset", "sequence") and name in ("eps", "delta"):
                kept.add(name)
            elif name == "V":
                kept.add("square_sum")
            else:
                self.fixed[name] = param.read(self._setting(name))
        for name in settings:
            if name not in self.fixed:
                raise InputError(f"settings.{name}", str(settings[name]), f"{found.id} takes {', '.join(self.fixed)}")
        self.kept = frozenset(kept)

    def _setting(self, name: str) -> object:
        if name in self.settings:
            return self.settings[name]
        if name in ("eps_g", "eps_t", "eps_target") and self.budget.epsilon is not None:
            return self.budget.epsilon.rational
        if name in ("delta_g", "delta_t", "delta_prime"):
            return self.budget.delta
        raise InputError(f"settings.{name}", "(missing)", f"{self.found.id} needs it: --set {name}=…")

    @property
    def promised(self) -> Failure | None:
        if self.kind == "filter":
            return "view"
        near = [rule for rule in THEOREMS if rule.odometer and f"{self.found.id}.".startswith(f"{rule.id}.")]
        return (max(near, key=lambda rule: len(rule.id)).odometer_failure or None) if near else None

    def document(self) -> dict[str, Any]:
        return {"statement": self.found.id, "settings": {name: str(value) for name, value in self.settings.items()}}

    def _result(self, ar: Arithmetic, state: Tally) -> Any:
        inputs: dict[str, object] = dict(self.fixed)
        for param in self.found.params:
            if param.name == "V":
                inputs["V"] = state.square_sum
            elif param.name in self.kept:
                counts = state.eps if param.name == "eps" else state.delta
                values = [(_rational(item), times) for item, times in counts]
                each = (v for v, times in values for _ in range(times))
                inputs[param.name] = tuple(values) if param.shape == "multiset" else tuple(each)
        return self.found.function(ar, **inputs)

    def _admits(self, after: Tally) -> bool:
        verdict = self._result(ENGINE, after)
        if verdict not in ("CONT", "HALT"):
            raise InputError(
                "accountant", self.found.id, "it gives a number, not CONT or HALT; attack it as an odometer"
            )
        return bool(verdict == "CONT")

    def _bound(self, state: Tally) -> Shown:
        with ENGINE.active():
            result = self._result(ENGINE, state)
        if isinstance(result, str):
            if result != "inf":
                raise InputError("accountant", self.found.id, f"it gives {result}; attack it as a filter")
            return "inf"
        if isinstance(result, (int, Fraction)):
            return LogForm.of(result)
        return lambda ar: cast(Scalar, self._result(ar, state))


def _rational(value: LogForm | Fraction) -> Fraction:
    exact = value.rational if isinstance(value, LogForm) else value
    if exact is None:
        raise InputError("menu", value.spell() if isinstance(value, LogForm) else "", "this accountant takes rationals")
    return exact


# --- machines -------------------------------------------------------------------------------------------------------


def guarantee(asked: GameRound) -> Guarantee:
    """The declared guarantee as a machine receives it."""
    if asked.notion == "zcdp":
        return ZCDP(asked.rho, asked.delta)
    if asked.notion == "rdp":
        return RenyiDP(asked.orders, asked.delta)
    if asked.notion == "odp":
        return OutputDP(tuple((cell, _rational(cost)) for cell, cost in asked.cells), asked.delta)
    epsilon = _rational(asked.epsilon)
    if asked.notion == "pdp":
        return ProbabilisticDP(epsilon, asked.delta)
    return ApproxDP(epsilon, asked.delta) if asked.delta else PureDP(epsilon)


class MachineAccountant(Accountant):
    """One of privref's own machines, asked through its own ``step`` (and ``observe`` where it has one)."""

    def __init__(self, name: str, machine: Machine[Any], kind: AccountantKind, settings: Mapping[str, object]) -> None:
        self.kind = kind
        self.name = name
        self.machine = machine
        self.settings = dict(settings)
        self._written: dict[Hashable, Any] = {}

    @property
    def promised(self) -> Failure | None:
        return failure_of(self.machine)

    def document(self) -> dict[str, Any]:
        return {"machine": self.name, "settings": {name: str(value) for name, value in self.settings.items()}}

    def start(self) -> Hashable:
        return cast(Hashable, self.machine.start())

    def request(self, state: Any, asked: GameRound) -> Hashable | None:
        after, decision = self.machine.step(state, guarantee(asked))
        if decision.verdict == "HALT":
            return None
        if self.kind == "odometer":
            self._written[after] = decision.reading
        return cast(Hashable, after)

    def refuse(self, state: Any, asked: GameRound) -> Hashable:
        return cast(Hashable, self.machine.step(state, guarantee(asked))[0])

    def observe(self, state: Any, asked: GameRound, outcome: Outcome) -> Hashable:
        settle = getattr(self.machine, "observe", None)
        if settle is None or outcome.cell is None:
            return cast(Hashable, state)
        return cast(Hashable, settle(state, outcome.cell))

    def shows(self, state: Any) -> Shown:
        reading = self._written[state]
        if reading is None:
            raise InputError("accountant", self.name, "it shows no reading; attack it as a filter")
        if isinstance(reading, (int, Fraction)):
            return LogForm.of(reading)
        return cast(Shown, reading)


# --- Python functions -----------------------------------------------------------------------------------------------

History = tuple[AskedRound, ...]
#: Each refused request, after how many rounds that ran it came.
Refused = tuple[tuple[int, AskedRound], ...]

#: How many histories are asked in other orders too before ``order_free`` is believed, and in how many orders each.
_SPOT_HISTORIES = 200
_SPOT_ORDERS = 6


@dataclass(frozen=True, slots=True)
class Told:
    """What a function receives: the rounds that ran, and each refused request after how many of them it came.

    ``refused`` stays empty for a function that does not ask for it.
    """

    history: History = ()
    refused: Refused = ()


class FunctionAccountant(Accountant):
    """``module:function``: f(history, budget) -> "CONT" | "HALT", or f(history) -> bound (a number or "inf").

    ``history`` is a tuple of ``AskedRound``, the requested round last; ``budget`` is (epsilon, delta). Rationals are
    Fractions. A filter that takes a third argument receives its own refusals: a tuple of (how many rounds had run,
    ``AskedRound``). A function that keeps a state of its own is refused: what it said is asked again after each HALT.
    With ``order_free`` the function is declared not to depend on the order of the history; that is tried on the first
    histories, in other orders, before it is believed.
    """

    def __init__(self, name: str, kind: AccountantKind, budget: AccountantBudget, order_free: bool) -> None:
        self.kind = kind
        self.name = name
        self.budget = budget
        self.order_free = order_free
        module, _, attribute = name.partition(":")
        try:
            self.function = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError, ValueError) as error:
            raise InputError("accountant", name, f"name an importable module:function ({error})") from None
        self.told_of_refusals = kind == "filter" and _arguments(self.function) >= 3
        self._spot_checks = _SPOT_HISTORIES

    def document(self) -> dict[str, Any]:
        return {"function": self.name, "order_free": self.order_free}

    def start(self) -> Told:
        return Told()

    def _call(self, history: History, refused: Refused = ()) -> object:
        try:
            if self.kind == "odometer":
                return self.function(history)
            budget = self.budget
            claimed = (None if budget.epsilon is None else plain(budget.epsilon), budget.delta)
            if self.told_of_refusals:
                return self.function(history, claimed, refused)
            return self.function(history, claimed)
        except PrivrefError:
            raise
        except Exception as error:
            message = f"it raised {type(error).__name__} ({error}); mend it"
            raise InputError("accountant", self.name, message) from error

    def _with(self, state: Told, asked: GameRound) -> History:
        """The history with the requested round; in one order for all, where the order is declared not to matter."""
        inorder = (*state.history, received(asked))
        if not self.order_free:
            return inorder
        history = tuple(sorted(inorder, key=repr))
        if self._spot_checks > 0 and len(set(history)) > 1:
            self._spot_checks -= 1
            self._spot_check(history, inorder, state.refused)
        return history

    def _spot_check(self, history: History, inorder: History, refused: Refused) -> None:
        """InputError where the function, declared order-free, answers otherwise in another order of the same rounds."""
        said = self._call(history, refused)
        rotated = (*history[len(history) // 2 :], *history[: len(history) // 2])
        others = itertools.chain([inorder, history[::-1], rotated], itertools.permutations(history))
        for other in itertools.islice(dict.fromkeys(itertools.islice(others, 4 * _SPOT_ORDERS)), _SPOT_ORDERS):
            if other != history and (again := self._call(other, refused)) != said:
                raise InputError(
                    "order_free",
                    self.name,
                    f"it says {_written(said)} to {_spelled(history)} and {_written(again)} to {_spelled(other)}: "
                    "it depends on the order of the rounds; leave out --order-free",
                )

    def request(self, state: Told, asked: GameRound) -> Told | None:
        history = self._with(state, asked)
        verdict = self._call(history, state.refused) if self.kind == "filter" else "CONT"
        if verdict not in ("CONT", "HALT"):
            raise InputError("accountant", self.name, f'a filter returns "CONT" or "HALT", this one {verdict!r}')
        if verdict == "HALT" and self._call(history, state.refused) != "HALT":
            raise InputError(
                "accountant",
                self.name,
                "asked again after HALT, it lets the same request run: it keeps a state of its own; take the refusals "
                "as a third argument, f(history, budget, refused)",
            )
        return Told(history, state.refused) if verdict == "CONT" else None

    def refuse(self, state: Told, asked: GameRound) -> Told:
        if not self.told_of_refusals:
            return state
        return Told(state.history, (*state.refused, (len(state.history), received(asked))))

    def observe(self, state: Told, asked: GameRound, outcome: Outcome) -> Told:
        """The state once the cell of an answer is known: an earlier round of these cells has its own already."""
        before = received(asked)
        if before.kind != "output-dp" or outcome.cell is None:
            return state
        place = len(state.history) - 1 - state.history[::-1].index(before)
        history = (*state.history[:place], before.seen(outcome.cell), *state.history[place + 1 :])
        return Told(tuple(sorted(history, key=repr)) if self.order_free else history, state.refused)

    def shows(self, state: Told) -> Shown:
        value = self._call(state.history)
        if isinstance(value, str) and value == "inf":
            return "inf"
        if isinstance(value, float):
            if value == float("inf"):
                return "inf"
            if not math.isfinite(value):
                raise InputError("accountant", self.name, f"it returned {value}; return a bound")
            return LogForm.of(Fraction(value))
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            return LogForm.of(value)
        raise InputError("accountant", self.name, f"an odometer returns a number or inf, this one {value!r}")


def _arguments(function: Any) -> int:
    """How many arguments a function takes by position; 2 where it does not say."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 2
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in by_position and each.default is inspect.Parameter.empty for each in parameters)


def _written(value: object) -> str:
    return str(value) if isinstance(value, (str, int, float, Fraction)) else repr(value)


def _spelled(history: History) -> str:
    shown = [each.spelled for each in history[:6]]
    return ", ".join(shown) + (f", … ({len(history)} rounds)" if len(history) > 6 else "")


# --- accountants that are known to be wrong -------------------------------------------------------------------------


class NaturalFilter(Accountant):
    """Halts on the exact optimal composition of the realised parameters, as if they had been fixed in advance."""

    kind: AccountantKind = "filter"
    takes_largest_cell = True

    def __init__(self, budget: AccountantBudget) -> None:
        self.budget = budget
        self.epsilon = budget.enforced

    def document(self) -> dict[str, Any]:
        return {"rule": "natural-filter"}

    def start(self) -> _Counts:
        return ()

    def request(self, state: _Counts, asked: GameRound) -> _Counts | None:
        after = _added(state, (_epsilon_of(asked), asked.delta))
        if self._exact(after):
            return after if cast(Fraction, self._delta(ENGINE, after)) <= self.budget.delta else None
        # The optimal delta is a non-constant function of exponentials; the cap guards an unforeseen tie.
        excess = decide.exceeds(lambda ar: self._delta(ar, after), lambda ar: self.budget.delta, ENGINE)
        return None if excess else after

    def _exact(self, counts: _Counts) -> bool:
        return self.epsilon.rational_exp() is not None and all(e.rational_exp() is not None for (e, _), _ in counts)

    def _delta(self, ar: Arithmetic, counts: _Counts) -> Scalar:
        """1 - prod(1 - delta_i) (1 - E[(1 - e^(eps_g - L))_+]), L the sum of the losses of the responses."""
        alive = Fraction(1)
        times: dict[LogForm, int] = {}
        for (epsilon, delta), count in counts:
            alive *= (1 - delta) ** count
            times[epsilon] = times.get(epsilon, 0) + count
        # The masses of rational laws are integers over ``whole``: one division in the end, not one for each of them.
        masses: dict[LogForm, Scalar] = {LogForm(): 1}
        whole = 1
        for epsilon, count in times.items():
            growth = epsilon.rational_exp()
            if growth is None:
                down = 1 / (1 + cast(Real, epsilon.exp(ar)))
                weights = _binomial(1 - down, down, count)
            else:
                weights = _binomial(growth.numerator, growth.denominator, count)
                whole *= (growth.numerator + growth.denominator) ** count
            masses = _convolved(masses, [(epsilon.scaled(Fraction(2 * i - count)), w) for i, w in enumerate(weights)])
        kept: Scalar = Fraction(0)
        for loss, mass in masses.items():
            if (loss - self.epsilon).sign() > 0:
                kept = kept + cast(Real, mass) * (1 - cast(Real, (self.epsilon - loss).exp(ar)))
        return (1 - alive) + alive * (cast(Real, kept) / whole)


def _binomial(up: Scalar, down: Scalar, count: int) -> list[Scalar]:
    """The weights of 0, 1, …, count responses "top" among ``count``: binomial coefficients times powers."""
    ups: list[Scalar] = [1]
    downs: list[Scalar] = [1]
    for _ in range(count):
        ups.append(cast(Real, ups[-1]) * up)
        downs.append(cast(Real, downs[-1]) * down)
    return [math.comb(count, i) * (cast(Real, ups[i]) * downs[count - i]) for i in range(count + 1)]


def _convolved(masses: Mapping[LogForm, Scalar], steps: Sequence[tuple[LogForm, Scalar]]) -> dict[LogForm, Scalar]:
    """The law of the sum of two independent losses; equal sums share their mass."""
    found: dict[LogForm, Scalar] = {}
    for loss, mass in masses.items():
        for step, weight in steps:
            reached = loss + step
            part = cast(Real, mass) * weight
            found[reached] = cast(Real, found[reached]) + part if reached in found else part
    return found


class Algorithm1(Accountant):
    """Algorithm 1 of Hartmann et al. with exact logarithmic costs, sound or in one of its two wrong readings.

    ``subtract`` is the algorithm; ``assign`` reads its lines 7 and 8 as assignments (erratum E11); ``cell-delta``
    charges the delta of the observed cell (erratum E12).
    """

    kind: AccountantKind = "filter"

    def __init__(self, budget: AccountantBudget, reading: Literal["subtract", "assign", "cell-delta"]) -> None:
        self.budget = budget
        self.epsilon = budget.enforced
        self.reading = reading

    def document(self) -> dict[str, Any]:
        return {"rule": {"subtract": "algorithm-1"}.get(self.reading, f"algorithm-1.{self.reading}")}

    def start(self) -> tuple[LogForm, Fraction]:
        return self.epsilon, self.budget.delta

    def request(self, state: tuple[LogForm, Fraction], asked: GameRound) -> tuple[LogForm, Fraction] | None:
        epsilon, delta = state
        return state if (_epsilon_of(asked) - epsilon).sign() <= 0 and asked.delta <= delta else None

    def observe(self, state: tuple[LogForm, Fraction], asked: GameRound, outcome: Outcome) -> tuple[LogForm, Fraction]:
        epsilon, delta = state
        cost = asked.cost(outcome.cell)
        charged = asked.delta
        if self.reading == "cell-delta" and asked.cell_delta and outcome.cell is not None:
            charged = dict(asked.cell_delta)[outcome.cell]
        if self.reading == "assign":
            return cost, charged
        return epsilon - cost, delta - charged


class BestOrder(MachineAccountant):
    """A Renyi filter of several orders that converts each at the whole of delta, as if the best had been known.

    lecuyer2021/renyi_grid_filter divides delta among the orders; without that it is not a theorem, and is broken.
    """

    def __init__(self, budget: AccountantBudget, orders: tuple[Fraction, ...]) -> None:
        # Each order's share of m delta is delta.
        machine = RenyiGridFilter.of(_rational(budget.enforced), orders, len(orders) * budget.delta, Fraction(0))
        super().__init__("best-order", machine, "filter", {"orders": " ".join(map(spell, orders))})

    def document(self) -> dict[str, Any]:
        return {"rule": self.name, "settings": {name: str(value) for name, value in self.settings.items()}}


class RealisedOrder(Accountant):
    """A Renyi filter of one order that charges a round the divergence of the cell that was observed.

    rswr2023/ex_post_filter adds the cost of that cell itself. Its divergence, which is less, does not bound the moment:
    which cell is reached depends on the loss. So this is not a theorem, and is broken.
    """

    kind: AccountantKind = "filter"

    def __init__(self, budget: AccountantBudget, order: Fraction | None = None) -> None:
        epsilon = _rational(budget.enforced)
        self.order = tuned_order(epsilon, budget.delta) if order is None else order
        self.limit = conversion_limit(epsilon, self.order, budget.delta, "arb")

    def document(self) -> dict[str, Any]:
        return {"rule": "realised-order", "settings": {"order": spell(self.order)}}

    def start(self) -> Fraction:
        return Fraction(0)

    def _charge(self, cost: LogForm) -> Fraction:
        return charged(_rational(cost), self.order, "arb")

    def request(self, state: Fraction, asked: GameRound) -> Fraction | None:
        largest = self._charge(_epsilon_of(asked))
        return state if not asked.delta and self.limit.admits(state + largest) else None

    def observe(self, state: Fraction, asked: GameRound, outcome: Outcome) -> Fraction:
        return state + self._charge(asked.cost(outcome.cell))


RULES: dict[str, Callable[[AccountantBudget], Accountant]] = {
    "natural-filter": NaturalFilter,
    "realised-order": RealisedOrder,
    "best-order": lambda budget: BestOrder(budget, ORDERS),
    "algorithm-1": lambda budget: Algorithm1(budget, "subtract"),
    "algorithm-1.assign": lambda budget: Algorithm1(budget, "assign"),
    "algorithm-1.cell-delta": lambda budget: Algorithm1(budget, "cell-delta"),
}
