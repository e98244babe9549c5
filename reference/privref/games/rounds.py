"""What an adversary may ask for in one round: a declared guarantee and a pair of finite laws that has it.

The laws are those of the answer on the two neighbouring inputs. Losses log(p/q) are exact (``LogForm``); the
probabilities are rationals where e^epsilon is, and otherwise formulas to be enclosed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cmp_to_key, partial
from typing import Any, Literal, Union, cast

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.exact.logs import LogForm, log_form
from privref.exact.numbers import count, rational, spell
from privref.guarantees.two_point import has_renyi, is_zcdp, two_point_renyi
from privref.mechanisms.noise_reduction import gradual_response

#: The loss of an outcome that only the first input can give.
INFINITE: Literal["inf"] = "inf"
Loss = Union[LogForm, Literal["inf"]]
#: A probability: exact, or a formula that encloses it.
LawProbability = Union[Fraction, Callable[[Arithmetic], Scalar]]
ZERO = LogForm()


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer: its probability on input 0 and on input 1, its loss, and its cell where cells have costs.

    ``loss`` is log(p/q); it is meaningless where p = 0, and such an answer only matters to input 1.
    """

    label: str
    p: LawProbability
    q: LawProbability
    loss: Loss
    cell: str | None = None


@dataclass(frozen=True, slots=True)
class GameRound:
    """A request: the parameters that it declares, and the laws of its answer.

    ``cells`` and ``cell_delta`` are set for output-DP rounds: what each cell costs, and, for accountants that believe
    in it, a delta per cell. ``source`` is what a certificate writes down.
    """

    name: str
    epsilon: LogForm
    delta: Fraction
    outcomes: tuple[Outcome, ...]
    notion: Literal["dp", "pdp", "odp", "zcdp", "rdp"] = "dp"
    cells: tuple[tuple[str, LogForm], ...] = ()
    cell_delta: tuple[tuple[str, Fraction], ...] = ()
    #: Of a zCDP round, which declares no epsilon.
    rho: Fraction = Fraction(0)
    #: Of a Renyi DP round, which declares a divergence at each of a few orders.
    orders: tuple[tuple[Fraction, Fraction], ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict, compare=False, hash=False)

    @property
    def possible(self) -> tuple[Outcome, ...]:
        """The answers that input 0 can give."""
        return tuple(o for o in self.outcomes if o.p != 0)

    @property
    def exact(self) -> bool:
        """Whether all probabilities are rational."""
        return all(isinstance(o.p, Fraction) and isinstance(o.q, Fraction) for o in self.outcomes)

    def cost(self, cell: str | None) -> LogForm:
        """What the cell costs: the round's epsilon where it has no cells."""
        return self.epsilon if not self.cells or cell is None else dict(self.cells)[cell]


def randomized_response(epsilon: LogForm, delta: Fraction = Fraction(0)) -> GameRound:
    """RR(epsilon, delta), which dominates every (epsilon, delta)-DP mechanism (rogers2016/def2.6, thm2.7)."""
    source = {"family": "randomized-response", "epsilon": epsilon.spell(), "delta": spell(delta)}
    name = f"RR({epsilon.spell()}{'' if not delta else ', ' + spell(delta)})"
    if epsilon.sign() < 0 or not 0 <= delta <= 1:
        raise InputError("rounds", name, "give epsilon >= 0 and delta in [0, 1]")
    outcomes: list[Outcome] = []
    if delta:
        outcomes.append(Outcome("0", delta, Fraction(0), INFINITE))
    if delta < 1:
        likely, unlikely = _likely(epsilon, 1 - delta, 1), _likely(epsilon, 1 - delta, -1)
        if epsilon.is_zero:
            outcomes.append(Outcome("same", 1 - delta, 1 - delta, ZERO))
        else:
            outcomes.append(Outcome("top", likely, unlikely, epsilon))
            outcomes.append(Outcome("bottom", unlikely, likely, -epsilon))
    if delta:
        outcomes.append(Outcome("1", Fraction(0), delta, ZERO))
    return GameRound(name, epsilon, delta, tuple(outcomes), source=source)


def _likely(epsilon: LogForm, rest: Fraction, side: int) -> LawProbability:
    """(1 - delta) e^(side epsilon/2) / (e^(epsilon/2) + e^(-epsilon/2)), written without the halves."""
    growth = epsilon.rational_exp()
    if growth is not None:
        return rest * (growth if side > 0 else 1) / (1 + growth)

    def formula(ar: Arithmetic) -> Scalar:
        return rest / (1 + ar.exp(-side * ar.real(epsilon.evaluate(ar))))

    return formula


def finite(
    name: str,
    laws: Sequence[tuple[str, Fraction, Fraction]],
    epsilon: LogForm,
    delta: Fraction,
    *,
    notion: Literal["dp", "pdp", "odp"] = "dp",
    cells: Mapping[str, tuple[str, ...]] | None = None,
    costs: Mapping[str, LogForm] | None = None,
    cell_delta: Mapping[str, Fraction] | None = None,
    source: Mapping[str, Any] | None = None,
) -> GameRound:
    """A round with given rational laws (label, p, q); refused unless the laws have the guarantee that it declares."""
    for what, declared in (("epsilon", epsilon), *((f"cells.{cell}", cost) for cell, cost in (costs or {}).items())):
        if declared.sign() < 0:
            raise InputError(f"rounds.{name}.{what}", declared.spell(), "give a number >= 0")
    for what, part in (("delta", delta), *((f"cell_deltas.{cell}", d) for cell, d in (cell_delta or {}).items())):
        if not 0 <= part <= 1:
            raise InputError(f"rounds.{name}.{what}", spell(part), "give a number in [0, 1]")
    for cell in cell_delta or {}:
        if cell not in (costs or {}):
            raise InputError(f"rounds.{name}.cell_deltas", cell, "name a cell that has a cost")
    if sum(p for _, p, _ in laws) != 1 or sum(q for _, _, q in laws) != 1 or any(min(p, q) < 0 for _, p, q in laws):
        raise InputError(f"rounds.{name}", "(laws)", "both laws must be non-negative and sum to 1")
    owner = {label: cell for cell, labels in (cells or {}).items() for label in labels}
    outcomes = tuple(Outcome(label, p, q, _loss(p, q), owner.get(label)) for label, p, q in laws if p or q)
    by_cell = tuple((costs or {}).items()), tuple((cell_delta or {}).items())
    given = GameRound(name, epsilon, delta, outcomes, notion, *by_cell, source=source or {})
    _require(given)
    return given


def _loss(p: Fraction, q: Fraction) -> Loss:
    if not p:
        return ZERO
    return LogForm.log(p / q) if q else INFINITE


def minimal_delta(laws: Sequence[tuple[Fraction, Fraction, LogForm]]) -> Callable[[Arithmetic], Scalar]:
    """The sum over (p, q, epsilon) of (p - e^epsilon q)_+, as a formula; each sign is decided exactly."""
    kept: list[tuple[Fraction, Fraction, LogForm]] = []
    for p, q, epsilon in laws:
        loss = _loss(p, q)
        if p and (loss == "inf" or (loss - epsilon).sign() > 0):
            kept.append((p, q, epsilon))

    def formula(ar: Arithmetic) -> Scalar:
        value: Scalar = Fraction(0)
        for p, q, epsilon in kept:
            value = value + (p - epsilon.exp(ar) * q) if q else value + p
        return value

    return formula


def _at_most(formula: Callable[[Arithmetic], Scalar], bound: Fraction) -> bool:
    return not decide.exceeds(formula, lambda ar: bound, decide.engine("arb"))


def _require(given: GameRound) -> None:
    """The declared guarantee, from its definition, in both directions."""
    pairs = [(o.p, o.q, o.cell) for o in given.outcomes]
    for direction in (1, -1):
        laws = [(p, q, cell) if direction > 0 else (q, p, cell) for p, q, cell in pairs]
        if given.notion == "pdp":
            lost = sum(
                (Fraction(p) for p, q, _ in laws if p and _outside(_loss(Fraction(p), Fraction(q)), given.epsilon)),  # type: ignore[arg-type]
                Fraction(0),
            )
            holds = lost <= given.delta
        else:
            costed = [(Fraction(p), Fraction(q), given.cost(cell)) for p, q, cell in laws]  # type: ignore[arg-type]
            holds = _at_most(minimal_delta(costed), given.delta)
        if not holds:
            raise InputError(f"rounds.{given.name}", "(laws)", "they do not have the guarantee that is declared")


def _outside(loss: Loss, epsilon: LogForm) -> bool:
    return loss == "inf" or (loss - epsilon).sign() > 0 or (-loss - epsilon).sign() > 0


def _swapped(given: GameRound) -> GameRound:
    """The same mechanism with the two inputs exchanged: the adversary chooses which is which."""
    outcomes = tuple(
        replace(o, p=o.q, q=o.p, loss=_loss(Fraction(o.q), Fraction(o.p)))  # type: ignore[arg-type]
        for o in given.outcomes
    )
    source = {**given.source, "swapped": True} if given.source else {}
    return replace(given, name=f"{given.name} swapped", outcomes=outcomes, source=source)


def leak(delta: Fraction) -> GameRound:
    """Input 0 always gives a; input 1 gives a, or b with probability delta: (log 1/(1-delta), delta)-pDP.

    It declares the rational delta/(1-delta), which is a little more.
    """
    return finite(
        f"leak({spell(delta)})",
        [("a", Fraction(1), 1 - delta), ("b", Fraction(0), delta)],
        LogForm.of(delta / (1 - delta)),
        delta,
        notion="pdp",
        source={"family": "leak", "delta": spell(delta)},
    )


def bit(delta: Fraction) -> GameRound:
    """A bit with probabilities (1 -+ delta)/2: (0, delta)-DP, and its loss is never 0."""
    low, high = (1 - delta) / 2, (1 + delta) / 2
    laws, source = [("a", low, high), ("b", high, low)], {"family": "bit", "delta": spell(delta)}
    return finite(f"bit({spell(delta)})", laws, ZERO, delta, source=source)


def toy(epsilon: LogForm) -> GameRound:
    """A fair coin decides between randomized response, which costs epsilon, and "bottom", which costs nothing."""
    name = f"toy({epsilon.spell()})"
    if epsilon.sign() < 0:
        raise InputError("rounds", name, "give epsilon >= 0")
    half = Fraction(1, 2)
    high, low = _likely(epsilon, half, 1), _likely(epsilon, half, -1)
    # Where e^epsilon is irrational, high = e^epsilon low is true by construction, and no tie to be decided.
    given = GameRound(
        name,
        epsilon,
        Fraction(0),
        (
            Outcome("top", high, low, epsilon, "answer"),
            Outcome("bottom", low, high, -epsilon, "answer"),
            Outcome("nothing", half, half, ZERO, "bottom"),
        ),
        "odp",
        (("answer", epsilon), ("bottom", ZERO)),
        source={"family": "toy", "epsilon": epsilon.spell()},
    )
    if given.exact:
        _require(given)
    return given


def split(delta: Fraction) -> GameRound:
    """Input 0 gives a with probability delta, else c; input 1 gives c.

    Cell a costs nothing but has the whole delta; cell c costs log 1/(1-delta) and has none.
    """
    cost = LogForm.log(1 / (1 - delta))
    return finite(
        f"split({spell(delta)})",
        [("a", delta, Fraction(0)), ("c", 1 - delta, Fraction(1))],
        cost,
        delta,
        notion="odp",
        cells={"a": ("a",), "c": ("c",)},
        costs={"a": ZERO, "c": cost},
        cell_delta={"a": delta, "c": Fraction(0)},
        source={"family": "split", "delta": spell(delta)},
    )


def approximate_zcdp(rho: Fraction, p: Fraction, q: Fraction, delta: Fraction = Fraction(0)) -> GameRound:
    """Two outcomes that are rho-zCDP, or, with probability delta, the input itself: delta-approximate rho-zCDP."""
    numbers = {"rho": rho, "p": p, "q": q, "delta": delta}
    name = f"zcdp({'; '.join(spell(value) for value in numbers.values())})"
    if not 0 < q < p < 1 or not 0 <= delta < 1 or rho <= 0:
        raise InputError("rounds", name, "give rho > 0, 0 < q < p < 1, and a delta in [0, 1)")
    if not is_zcdp(decide.engine("arb"), rho, p, q):
        raise InputError("rounds", name, "these outcomes are not shown to be rho-zCDP; give a larger rho")
    rest = 1 - delta
    laws = [("0", delta, Fraction(0)), ("a", rest * p, rest * q), ("b", rest * (1 - p), rest * (1 - q))]
    laws.append(("1", Fraction(0), delta))
    outcomes = tuple(Outcome(label, x, y, _loss(x, y)) for label, x, y in laws if x or y)
    source = {"family": "zcdp", **{key: spell(value) for key, value in numbers.items()}}
    return GameRound(name, ZERO, delta, outcomes, "zcdp", rho=rho, source=source)


def reduced(first: Fraction, second: Fraction) -> dict[str, Any]:
    """Randomized response whose e^epsilon is raised from ``first`` to ``second`` after one of its two answers.

    Its cell is the last stage, whose epsilon is declared to six decimals, rounded up.
    """
    one, two = gradual_response([first, second])
    outcomes = [
        {"label": "".join(map(str, path)), "p": spell(p), "q": spell(q), "cell": str(len(path))}
        for law, here in ((one, 0), (two, 1))
        for path, (p, q) in law.items()
        if path[0] == here
    ]
    cells = {str(i): spell(_round_up(LogForm.log(growth))) for i, growth in enumerate((first, second), 1)}
    name = f"reduced({spell(first)}; {spell(second)})"
    return {"family": "finite", "name": name, "outcomes": outcomes, "cells": cells}


#: Divergences that no round declares are rounded up to a multiple of this.
_COST = Fraction(1, 10**9)


def renyi(p: Fraction, q: Fraction, orders: Sequence[tuple[Fraction, Fraction | None]]) -> GameRound:
    """Two outcomes of Renyi DP: at each order what is declared, or the least that is true, rounded up."""
    name = f"rdp({spell(p)}; {spell(q)}; {' '.join(spell(order) for order, _ in orders)})"
    if not (0 < p < 1 and 0 < q < 1 and p != q) or not orders or any(order <= 1 for order, _ in orders):
        raise InputError("rounds", name, "give p and q in (0, 1), not equal, and orders above 1")
    if len({order for order, _ in orders}) != len(orders):
        raise InputError("rounds", name, "give each order once")
    engine = decide.engine("arb")
    declared = tuple((order, _divergence(p, q, order) if cost is None else cost) for order, cost in orders)
    if not has_renyi(engine, p, q, declared):
        raise InputError("rounds", name, "these outcomes have a larger divergence than is declared")
    outcomes = (Outcome("a", p, q, _loss(p, q)), Outcome("b", 1 - p, 1 - q, _loss(1 - p, 1 - q)))
    costs = {spell(order): spell(cost) for order, cost in declared}
    source = {"family": "rdp", "p": spell(p), "q": spell(q), "orders": costs}
    return GameRound(name, ZERO, Fraction(0), outcomes, "rdp", orders=declared, source=source)


def _divergence(p: Fraction, q: Fraction, order: Fraction) -> Fraction:
    """The larger of both directions' divergences, rounded up."""
    ends = [
        decide.enclose(partial(two_point_renyi, p=x, q=y, order=order), decide.engine("arb"), _COST / 2**20).upper
        for x, y in ((p, q), (q, p))
    ]
    return math.ceil(max(ends) / _COST) * _COST


def _need(source: Mapping[str, Any], key: str, place: str = "rounds") -> Any:
    """A field of a round that is written down; InputError where it is missing."""
    if key not in source:
        raise InputError(f"{place}.{key}", "(missing)", "this field is required")
    return source[key]


def _part(source: Mapping[str, Any]) -> Fraction:
    """The delta of a family of rounds that has no other parameter."""
    delta = rational(_need(source, "delta"), "rounds.delta")
    if not 0 <= delta < 1:
        raise InputError("rounds.delta", str(delta), "give a number in [0, 1)")
    return delta


def from_source(source: Mapping[str, Any]) -> GameRound:
    """The round that a certificate or a menu file writes down."""
    family = source.get("family")
    swapped = source.get("swapped", False)
    if not isinstance(swapped, bool):
        raise InputError("rounds.swapped", swapped, "give true or false")
    match family:
        case "randomized-response":
            epsilon = log_form(_need(source, "epsilon"), "rounds.epsilon")
            made = randomized_response(epsilon, rational(source.get("delta", "0"), "rounds.delta"))
        case "toy":
            made = toy(log_form(_need(source, "epsilon"), "rounds.epsilon"))
        case "leak" | "bit" | "split":
            made = {"leak": leak, "bit": bit, "split": split}[family](_part(source))
        case "zcdp":
            rho, p, q = (rational(_need(source, key), f"rounds.{key}") for key in ("rho", "p", "q"))
            made = approximate_zcdp(rho, p, q, rational(source.get("delta", "0"), "rounds.delta"))
        case "rdp":
            p, q = (rational(_need(source, key), f"rounds.{key}") for key in ("p", "q"))
            made = renyi(p, q, _declared_orders(source))
        case "finite":
            made = _from_laws(source)
        case _:
            known = "randomized-response, leak, bit, toy, split, zcdp, rdp or finite"
            raise InputError("rounds.family", family, f"give {known}")
    if swapped and family in ("randomized-response", "toy"):
        raise InputError("rounds.swapped", family, "its two inputs are alike; leave it out")
    return _swapped(made) if swapped else made


def _declared_orders(source: Mapping[str, Any]) -> list[tuple[Fraction, Fraction | None]]:
    """The orders of a Renyi DP round: an object of costs, or a list of orders whose costs are computed."""
    orders = _need(source, "orders")
    if isinstance(orders, Mapping):
        return [
            (rational(key, "rounds.orders"), rational(cost, f"rounds.orders.{key}")) for key, cost in orders.items()
        ]
    if not isinstance(orders, Sequence) or isinstance(orders, str):
        raise InputError("rounds.orders", orders, 'give an object such as {"2": "1/10"}, or a list of orders')
    return [(rational(order, "rounds.orders"), None) for order in orders]


def _from_laws(source: Mapping[str, Any]) -> GameRound:
    """A round with laws that the user writes down: outcomes with p and q, and a guarantee or the costs of cells."""
    written = _need(source, "outcomes")
    if not isinstance(written, Sequence) or not all(isinstance(entry, Mapping) for entry in written):
        raise InputError("rounds.outcomes", "(value)", 'give a list of {"label": …, "p": …, "q": …}')
    costs = {cell: log_form(cost, f"rounds.cells.{cell}") for cell, cost in _by_cell(source, "cells").items()}
    laws: list[tuple[str, Fraction, Fraction]] = []
    cells: dict[str, tuple[str, ...]] = {}
    outcomes: list[dict[str, str]] = []
    for i, entry in enumerate(written):
        place = f"rounds.outcomes[{i}]"
        label = str(entry.get("label", i))
        p, q = (rational(_need(entry, key, place), f"{place}.{key}") for key in ("p", "q"))
        laws.append((label, p, q))
        outcomes.append({"label": label, "p": spell(p), "q": spell(q)})
        if costs:
            cell = _need(entry, "cell", place)
            if not isinstance(cell, str) or cell not in costs:
                raise InputError(f"{place}.cell", cell, f"known cells: {', '.join(costs)}")
            cells[cell] = (*cells.get(cell, ()), label)
            outcomes[-1]["cell"] = cell
    if len({label for label, _, _ in laws}) != len(laws):
        raise InputError("rounds.outcomes", "(labels)", "give each outcome a label of its own")
    delta = rational(source.get("delta", "0"), "rounds.delta")
    declared = LogForm() if costs else log_form(_need(source, "epsilon"), "rounds.epsilon")
    epsilon = max(costs.values(), key=cmp_to_key(_compared), default=declared)
    notion = "odp" if costs else source.get("notion", "dp")
    if notion not in ("dp", "pdp", "odp"):
        raise InputError("rounds.notion", notion, "give dp or pdp")
    return finite(
        str(source.get("name", "finite")),
        laws,
        epsilon,
        delta,
        notion=cast(Literal["dp", "pdp", "odp"], notion),
        cells=cells if costs else None,
        costs=costs,
        cell_delta={c: rational(d, "rounds.cell_deltas") for c, d in _by_cell(source, "cell_deltas").items()},
        source={**source, "outcomes": outcomes},
    )


def _compared(one: LogForm, other: LogForm) -> int:
    return (one - other).sign()


def _by_cell(source: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A field that gives each cell a number; empty where it is missing."""
    found = source.get(key, {})
    if not isinstance(found, Mapping):
        raise InputError(f"rounds.{key}", found, 'give an object such as {"answer": "1/2", "bottom": "0"}')
    return found


def binary(denominator: int, notion: Literal["dp", "pdp"], delta: Fraction) -> tuple[GameRound, ...]:
    """Every mechanism with two answers and probabilities k/denominator to which delta lends a smaller epsilon.

    Each declares (epsilon, delta) with the least epsilon that it has at this delta, rounded up to six decimals. Pairs
    with p < q stand for all: the others differ by the names of the answers, and exchanging the inputs maps them among
    themselves.
    """
    if not 1 <= denominator <= 100 or not 0 < delta < 1 or notion not in ("dp", "pdp"):
        raise InputError("menu", f"binary({denominator}; {notion}; {delta})", "give e.g. binary(20; dp; 1/10)")
    found = []
    for low in range(denominator):
        for high in range(low + 1, denominator + 1):
            p, q = Fraction(low, denominator), Fraction(high, denominator)
            pairs = [(p, q), (1 - p, 1 - q)]
            ratio = _least_ratio(pairs, notion, delta)
            plain = _least_ratio(pairs, notion, Fraction(0))
            if ratio is None or (plain is not None and plain <= ratio):
                continue
            found.append(_written(notion, delta, pairs, _round_up(LogForm.log(ratio))))
    return tuple(found)


def _least_ratio(pairs: Sequence[tuple[Fraction, Fraction]], notion: str, delta: Fraction) -> Fraction | None:
    """The least e^epsilon >= 1 with which two answers have (epsilon, delta) in both directions; None for none.

    pDP may neglect a set of answers that is rare on both inputs: none of them or one, as both together are certain. DP
    may neglect delta of the probability, and only one answer exceeds in each direction, as both laws sum to 1.
    """
    if notion == "dp":
        return _largest_ratio(pairs, delta)
    kept = [pairs, *([pairs[1 - i]] for i, pair in enumerate(pairs) if max(pair) <= delta)]
    return min((ratio for each in kept if (ratio := _largest_ratio(each, Fraction(0))) is not None), default=None)


def _largest_ratio(pairs: Sequence[tuple[Fraction, Fraction]], neglected: Fraction) -> Fraction | None:
    """The largest of (p - neglected)/q over both directions, and 1; None where it is infinite."""
    needed = Fraction(1)
    for p, q in pairs:
        for first, second in ((p, q), (q, p)):
            if first <= neglected:
                continue
            if not second:
                return None
            needed = max(needed, (first - neglected) / second)
    return needed


def _round_up(epsilon: LogForm) -> Fraction:
    """The least multiple of 10^-6 that is not below epsilon."""
    if epsilon.is_zero:
        return Fraction(0)
    found = decide.enclose(epsilon.evaluate, decide.engine("arb"), Fraction(1, 10**20))
    return Fraction(math.ceil(found.upper * 10**6), 10**6)


def _written(notion: str, delta: Fraction, pairs: Sequence[tuple[Fraction, Fraction]], epsilon: Fraction) -> GameRound:
    outcomes = [{"label": label, "p": spell(p), "q": spell(q)} for label, (p, q) in zip("ab", pairs, strict=True)]
    name = f"binary({outcomes[0]['p']} | {outcomes[0]['q']})"
    declared = {"notion": notion, "epsilon": spell(epsilon), "delta": spell(delta)}
    return from_source({"family": "finite", "name": name, **declared, "outcomes": outcomes})


def read_menu(text: str) -> tuple[GameRound, ...]:
    """A menu such as ``1/10, log(3/2):1/100, leak(1/10), toy(log(2))``: rounds that the adversary may choose from.

    A bare number or ``epsilon:delta`` is randomized response; ``binary(20; dp; 1/10)`` is a whole family (``binary``).
    Rounds that treat the two inputs differently enter in both orientations.
    """
    menu: list[GameRound] = []
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if len(parts) > 1 and part and not part.strip("0"):
            raise InputError("menu", text, "a round with epsilon = 0 says nothing; in numbers write a point, as in 0.1")
        if part.startswith("binary(") and part.endswith(")"):
            menu.extend(_binary(part))
        else:
            menu.extend(both_orientations(from_source(_source_of(part))))
    if not menu:
        raise InputError("menu", text, "give at least one round")
    return tuple(menu)


def _binary(part: str) -> tuple[GameRound, ...]:
    fields = [field.strip() for field in part[len("binary(") : -1].split(";")]
    if len(fields) != 3:
        raise InputError("menu", part, "give e.g. binary(20; dp; 1/10)")
    notion = cast(Literal["dp", "pdp"], fields[1])
    return binary(count(fields[0], "menu", least=1), notion, rational(fields[2], "menu"))


def _source_of(part: str) -> dict[str, Any]:
    for family, parameter in (("leak", "delta"), ("bit", "delta"), ("split", "delta"), ("toy", "epsilon")):
        if part.startswith(f"{family}(") and part.endswith(")"):
            return {"family": family, parameter: part[len(family) + 1 : -1]}
    if part.startswith("zcdp(") and part.endswith(")"):
        fields = [field.strip() for field in part[len("zcdp(") : -1].split(";")]
        if len(fields) not in (3, 4):
            raise InputError("menu", part, "give zcdp(rho; p; q) or zcdp(rho; p; q; delta)")
        return {"family": "zcdp", **dict(zip(("rho", "p", "q", "delta"), fields, strict=False))}
    if part.startswith("reduced(") and part.endswith(")"):
        growths = [rational(field.strip(), "menu") for field in part[len("reduced(") : -1].split(";")]
        if len(growths) != 2 or growths[0] <= 1:
            raise InputError("menu", part, "give reduced(e^eps; larger e^eps), e.g. reduced(3/2; 3)")
        return reduced(growths[0], growths[1])
    if part.startswith("rdp(") and part.endswith(")"):
        fields = [field.strip() for field in part[len("rdp(") : -1].split(";")]
        if len(fields) != 3:
            raise InputError("menu", part, "give rdp(p; q; orders), e.g. rdp(1/2; 1/3; 2 8)")
        return {"family": "rdp", "p": fields[0], "q": fields[1], "orders": fields[2].split()}
    epsilon, _, delta = part.partition(":")
    return {"family": "randomized-response", "epsilon": epsilon, "delta": delta or "0"}


def both_orientations(given: GameRound) -> tuple[GameRound, ...]:
    """The round, and where its laws are not mirror images of each other also the one with the inputs exchanged."""
    if given.source.get("family") in ("randomized-response", "bit", "toy") or given.source.get("swapped"):
        return (given,)
    return (given, _swapped(given))
