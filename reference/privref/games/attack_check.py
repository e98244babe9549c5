"""The independent check of an attack certificate: no search, no strategy tables, its own laws and its own sums.

It shares with the attack ``privref.exact``, the accountant that is judged, and the argument by which two outcomes are
zCDP (here by the other engine). It writes down the laws of every round
again, checks that they have the guarantee that the round declares, asks the accountant about every history that the
strategy can produce, and adds up the probabilities under both inputs, forward, exactly or with both engines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError, PrivrefError
from privref.exact.logs import LogForm, log_form
from privref.exact.numbers import rational
from privref.guarantees.two_point import is_zcdp

from .accountants import Accountant, AccountantBudget
from .named import accountant_from_document, budget_from_document
from .rounds import GameRound, Outcome

AttackReport = list[tuple[str, bool, str]]
_STATES = 2_000_000
_ENGINES: tuple[decide.EngineName, ...] = ("arb", "mpmath")


class _Wrong(PrivrefError):
    """The certificate says something that the re-check does not find."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer of a round: its probabilities on the two inputs as formulas, exact where they can be."""

    label: str
    p: Callable[[Arithmetic], Scalar]
    q: Callable[[Arithmetic], Scalar]
    loss: LogForm | None  # None: infinite
    cell: str | None
    exact: tuple[Fraction, Fraction] | None


@dataclass(frozen=True, slots=True)
class _Law:
    """A round as re-read: what the accountant receives, and the answers that input 0 can give."""

    told: GameRound
    answers: tuple[_Answer, ...]


def check(document: Mapping[str, Any], *, run_function: bool = False) -> AttackReport:
    """Check a schema-valid ``attack-certificate.1``; each entry is what was checked, whether it held, and details.

    A certificate that names ``module:function`` names code: it is run only where the caller says that it may be.
    """
    report: AttackReport = []
    if "function" in document["accountant"] and not run_function:
        raise InputError(
            "certificate.accountant.function",
            document["accountant"]["function"],
            "checking it would run this code; allow it with --run-function if you trust it",
        )

    def attempt(what: str, action: Callable[[], Any]) -> Any:
        try:
            found = action()
        except InputError:
            raise
        except PrivrefError as error:
            report.append((what, False, str(error)))
            return None
        report.append((what, True, found if isinstance(found, str) else ""))
        return found

    budget = budget_from_document(document["budget"])
    laws = attempt("the rounds have the guarantees that they declare", lambda: [_law(s) for s in document["rounds"]])
    if laws is None:
        return report
    accountant = accountant_from_document(document["accountant"], budget, [law.told for law in laws])
    ends = attempt(
        "the accountant lets every round of the strategy run",
        lambda: _play(document["strategy"], laws, accountant),
    )
    if ends is None:
        return report
    attempt("the failure probability", lambda: _failure(document, laws, ends, accountant, budget))
    return report


# --- laws, written down again ---------------------------------------------------------------------------------------


def _answer(label: str, p: Fraction, q: Fraction, cell: str | None = None) -> _Answer:
    loss = LogForm.log(p / q) if p and q else None
    return _Answer(label, lambda ar: p, lambda ar: q, loss, cell, (p, q))


def _response(epsilon: LogForm, rest: Fraction, cell: str | None) -> list[_Answer]:
    """Randomized response with total probability ``rest``: e^epsilon to 1."""
    growth = epsilon.rational_exp()
    if growth is not None:
        high, low = rest * growth / (growth + 1), rest / (growth + 1)
        return [_answer("top", high, low, cell), _answer("bottom", low, high, cell)]

    def high_p(ar: Arithmetic) -> Scalar:
        grown = ar.exp(epsilon.evaluate(ar))
        return rest * (grown / (grown + 1))

    def low_p(ar: Arithmetic) -> Scalar:
        return rest / (ar.exp(epsilon.evaluate(ar)) + 1)

    return [
        _Answer("top", high_p, low_p, epsilon, cell, None),
        _Answer("bottom", low_p, high_p, -epsilon, cell, None),
    ]


#: What a round of a family has to say.
_REQUIRED = {"finite": ("outcomes",), "zcdp": ("rho", "p", "q"), "rdp": ("p", "q", "orders")}


def _law(source: Mapping[str, Any]) -> _Law:
    family = source["family"]
    for field in _REQUIRED.get(family, ()):
        if field not in source:
            raise InputError(f"rounds.{field}", "(missing)", "this field is required")
    one, zero = Fraction(1), Fraction(0)
    delta = rational(source.get("delta", "0"), "delta")
    epsilon = log_form(source["epsilon"], "epsilon") if "epsilon" in source else LogForm()
    if not 0 <= delta <= 1 or (delta == 1 and family != "randomized-response") or epsilon.sign() < 0:
        raise InputError("rounds", family, "give epsilon >= 0 and delta in [0, 1)")
    notion, cells = "dp", {}
    if family == "randomized-response":
        answers = [_answer("0", delta, zero), _answer("1", zero, delta)] if delta else []
        if epsilon.is_zero:
            answers.append(_answer("same", 1 - delta, 1 - delta))
        elif delta < 1:
            answers += _response(epsilon, 1 - delta, None)
        # (epsilon, delta)-DP by construction: only "0" and "1" exceed epsilon, by delta.
        return _finish(source, epsilon, delta, answers, "dp")
    cell_delta: dict[str, Fraction] = {}
    if family == "zcdp":
        return _zcdp(source, delta)
    if family == "rdp":
        return _renyi(source)
    if family == "toy":
        half = one / 2
        answers = [*_response(epsilon, half, "answer"), _answer("nothing", half, half, "bottom")]
        return _finish(source, epsilon, zero, answers, "odp", cells=(("answer", epsilon), ("bottom", LogForm())))
    if family == "leak":
        notion, epsilon = "pdp", LogForm.of(delta / (1 - delta))
        answers = [_answer("a", one, 1 - delta), _answer("b", zero, delta)]
    elif family == "bit":
        answers = [_answer("a", (1 - delta) / 2, (1 + delta) / 2), _answer("b", (1 + delta) / 2, (1 - delta) / 2)]
    elif family == "split":
        notion, epsilon = "odp", LogForm.log(1 / (1 - delta))
        cells, cell_delta = {"a": LogForm(), "c": epsilon}, {"a": delta, "c": zero}
        answers = [_answer("a", delta, zero, "a"), _answer("c", 1 - delta, one, "c")]
    elif family == "finite":
        answers = [
            _answer(str(e.get("label", i)), rational(e["p"], "p"), rational(e["q"], "q"), e.get("cell"))
            for i, e in enumerate(source["outcomes"])
        ]
        cells = {cell: log_form(cost, "cells") for cell, cost in source.get("cells", {}).items()}
        cell_delta = {cell: rational(d, "cell_deltas") for cell, d in source.get("cell_deltas", {}).items()}
        notion = "odp" if cells else source.get("notion", "dp")
        for cost in cells.values():
            epsilon = cost if (cost - epsilon).sign() > 0 else epsilon
    else:
        raise InputError("rounds.family", family, "unknown family of rounds")
    answers = _oriented(source, answers)
    _require_guarantee(family, answers, epsilon, delta, notion, cells)
    costs = {"cells": tuple(cells.items()), "cell_delta": tuple(cell_delta.items())}
    return _finish(source, epsilon, delta, answers, notion, **costs)


def _zcdp(source: Mapping[str, Any], delta: Fraction) -> _Law:
    """Two outcomes that are rho-zCDP, but for what the input itself gives away with probability delta."""
    rho, p, q = (rational(source[name], name) for name in ("rho", "p", "q"))
    if not 0 < q < p < 1 or rho <= 0 or not is_zcdp(decide.engine("mpmath"), rho, p, q):
        raise _Wrong("zcdp: the laws do not have the guarantee that is declared")
    answers = [_answer("0", delta, Fraction(0)), _answer("1", Fraction(0), delta)] if delta else []
    laws = (("a", p, q), ("b", 1 - p, 1 - q))
    answers += [_answer(label, (1 - delta) * x, (1 - delta) * y) for label, x, y in laws]
    return _finish(source, LogForm(), delta, _oriented(source, answers), "zcdp", rho=rho)


def _renyi(source: Mapping[str, Any]) -> _Law:
    """Two outcomes whose divergences, in both directions, are at most what is declared at each order."""
    p, q = (rational(source[name], name) for name in ("p", "q"))
    orders = tuple((rational(order, "orders"), rational(cost, "orders")) for order, cost in source["orders"].items())
    if not (0 < p < 1 and 0 < q < 1) or p == q or any(order <= 1 for order, _ in orders):
        raise _Wrong("rdp: p and q are not two probabilities, or an order is not above 1")
    for order, cost in orders:
        for x, y in ((p, q), (q, p)):

            def excess(ar: Arithmetic, x: Fraction = x, y: Fraction = y, order: Fraction = order) -> Scalar:
                high = x * ar.exp((order - 1) * ar.log(x / y))
                return high + (1 - x) * ar.exp((order - 1) * ar.log((1 - x) / (1 - y)))

            def allowed(ar: Arithmetic, order: Fraction = order, cost: Fraction = cost) -> Scalar:
                return ar.exp((order - 1) * cost)

            if decide.exceeds(excess, allowed, decide.engine("mpmath")):
                raise _Wrong("rdp: the laws do not have the guarantee that is declared")
    answers = [_answer("a", p, q), _answer("b", 1 - p, 1 - q)]
    return _finish(source, LogForm(), Fraction(0), _oriented(source, answers), "rdp", orders=orders)


def _oriented(source: Mapping[str, Any], answers: list[_Answer]) -> list[_Answer]:
    """The answers, with the inputs exchanged where the round says so."""
    if not source.get("swapped"):
        return answers
    return [_answer(a.label, a.exact[1], a.exact[0], a.cell) for a in answers if a.exact]


def _finish(
    source: Mapping[str, Any], epsilon: LogForm, delta: Fraction, answers: list[_Answer], notion: Any, **declared: Any
) -> _Law:
    """The round as the accountant receives it: without its laws, which it must not see."""
    name = str(source.get("name", source["family"]))
    told = GameRound(name, epsilon, delta, (), notion, source=source, **declared)
    return _Law(told, tuple(a for a in answers if a.exact is None or a.exact[0]))


def _require_guarantee(
    name: str, answers: list[_Answer], epsilon: LogForm, delta: Fraction, notion: str, cells: Mapping[str, LogForm]
) -> None:
    pairs = [(*cast("tuple[Fraction, Fraction]", a.exact), a.cell) for a in answers]
    if sum(p for p, _, _ in pairs) != 1 or sum(q for _, q, _ in pairs) != 1 or min(min(p, q) for p, q, _ in pairs) < 0:
        raise _Wrong(f"{name}: a law is not a probability law")
    for first, second in ((0, 1), (1, 0)):

        def excess(ar: Arithmetic, first: int = first, second: int = second) -> Scalar:
            lost: Scalar = -delta
            for pair in pairs:
                p, q, cell = cast(Fraction, pair[first]), cast(Fraction, pair[second]), pair[2]
                if not p:
                    continue
                if cells and cell not in cells:
                    raise _Wrong(f"{name}: an answer is in no cell with a cost")
                cost = cells[cell] if cells and cell is not None else epsilon
                over = not q or (LogForm.log(p / q) - cost).sign() > 0
                if notion == "pdp":
                    under = bool(q) and (LogForm.log(q / p) - cost).sign() > 0
                    lost = lost + (p if over or under else 0)
                elif over:
                    lost = lost + (p - cast(Real, cost.exp(ar)) * q)
            return lost

        if decide.sign(excess, decide.engine("mpmath")) > 0:
            raise _Wrong(f"{name}: the laws do not have the guarantee that is declared")


# --- the game -------------------------------------------------------------------------------------------------------

#: A way the game can end: the multiset of (round, answer) steps taken with its multiplicity summed exactly below.
_Place = tuple[int, Any, LogForm | None]


@dataclass(slots=True)
class _Ends:
    """The order in which places are visited, and the steps out of each: its round, or None for one that is refused."""

    order: list[_Place]
    steps: dict[_Place, tuple[int | None, tuple[_Place, ...]]]


def _play(strategy: Mapping[str, Any], laws: list[_Law], accountant: Accountant) -> _Ends:
    nodes = strategy["nodes"]
    root: _Place = (strategy["root"], accountant.start(), LogForm())
    if not 0 <= root[0] < len(nodes):
        raise InputError("strategy.root", root[0], "name a node")
    ends = _Ends([], {})
    waiting: dict[int, dict[_Place, None]] = {root[0]: {root: None}}
    visited = 0
    for index in range(len(nodes) - 1, -1, -1):
        node = nodes[index]
        for place in waiting.pop(index, {}):
            visited += 1
            if visited > _STATES:
                raise _Wrong(f"the strategy can end in more than {_STATES} ways")
            ends.order.append(place)
            if node.get("stop"):
                continue
            law = laws[_index(node["round"], len(laws), "round")]
            reached: _Place
            running = accountant.request(place[1], law.told)
            if "refused" in node:
                if running is not None:
                    raise _Wrong(f"the accountant lets {law.told.name} run at node {index}, where it should refuse")
                target = _index(node["refused"], index, "refused")
                reached = (target, accountant.refuse(place[1], law.told), place[2])
                waiting.setdefault(target, {})[reached] = None
                ends.steps[place] = (None, (reached,))
                continue
            if running is None:
                raise _Wrong(f"the accountant refuses {law.told.name} at node {index}")
            following: list[_Place] = []
            if sorted(node["then"]) != sorted(a.label for a in law.answers):
                raise _Wrong(f"node {index} does not name what follows each answer of {law.told.name}")
            for answer in law.answers:
                target = _index(node["then"][answer.label], index, "then")
                shown = Outcome(answer.label, Fraction(0), Fraction(0), LogForm(), answer.cell)
                after = accountant.observe(running, law.told, shown)
                loss = None if place[2] is None or answer.loss is None else place[2] + answer.loss
                reached = (target, after, loss)
                waiting.setdefault(target, {})[reached] = None
                following.append(reached)
            ends.steps[place] = (node["round"], tuple(following))
    return ends


def _index(value: int, below: int, field: str) -> int:
    if not 0 <= value < below:
        raise InputError(f"strategy.{field}", value, f"name an entry below {below}, so that the game ends")
    return value


def _failed(place: _Place, accountant: Accountant, budget: AccountantBudget, failure_of: str, root: _Place) -> bool:
    loss = place[2]
    if accountant.kind == "filter":
        if loss is None:
            return True
        epsilon = cast(LogForm, budget.epsilon)
        return (loss - epsilon).sign() > 0 or (failure_of == "loss" and (-loss - epsilon).sign() > 0)
    if place == root:
        return False
    shown = accountant.shows(place[1])
    if shown == "inf":
        return False
    if loss is None:
        return True
    for signed in (loss, -loss) if failure_of == "loss" else (loss,):
        if isinstance(shown, LogForm):
            if (signed - shown).sign() > 0:
                return True
        elif decide.exceeds(signed.evaluate, shown, decide.engine("mpmath")):
            return True
    return False


def _failure(
    document: Mapping[str, Any], laws: list[_Law], ends: _Ends, accountant: Accountant, budget: AccountantBudget
) -> str:
    failure_of, root = document["failure_of"], ends.order[0]
    failed = [
        place
        for place in ends.order
        if place not in ends.steps and _failed(place, accountant, budget, failure_of, root)
    ]

    def total(ar: Arithmetic) -> Scalar:
        mass: dict[_Place, tuple[Scalar, Scalar]] = {root: (Fraction(1), Fraction(1))}
        for place in ends.order:
            if place not in ends.steps:
                continue
            index, following = ends.steps[place]
            p, q = mass.pop(place)
            if index is None:
                p0, q0 = mass.get(following[0], (Fraction(0), Fraction(0)))
                mass[following[0]] = (cast(Real, p0) + p, cast(Real, q0) + q)
                continue
            for answer, reached in zip(laws[index].answers, following, strict=True):
                p0, q0 = mass.get(reached, (Fraction(0), Fraction(0)))
                mass[reached] = (p0 + cast(Real, p) * answer.p(ar), q0 + cast(Real, q) * answer.q(ar))
        p_all = sum((cast(Fraction, mass[place][0]) for place in failed), Fraction(0))
        if failure_of != "view":
            return p_all
        q_all = sum((cast(Fraction, mass[place][1]) for place in failed), Fraction(0))
        # What is lost on a set of transcripts is a lower bound on delta, whatever the set.
        return p_all - cast(Real, cast(LogForm, budget.epsilon).exp(ar)) * q_all

    said = document["failure"]
    lower, upper = rational(said["lower"], "failure.lower"), rational(said["upper"], "failure.upper")
    for name in _ENGINES:
        engine = decide.engine(name)
        if not decide.exceeds(total, lambda ar: budget.delta, engine):
            raise _Wrong(f"{name}: the failure is not above {budget.delta}")
        found = decide.enclose(total, engine, Fraction(1, 10**28))
        if found.lower > upper or found.upper < lower:
            raise _Wrong(f"{name}: the failure is not the certified one")
        if "value" in said:
            exact = rational(said["value"], "failure.value")
            if not found.contains(exact) or (found.lower == found.upper and found.lower != exact):
                raise _Wrong(f"{name}: the failure is not {said['value']}")
    return f"{len(ends.order)} states, {len(failed)} ends fail; more than delta = {budget.delta}"
