"""From what a user writes to an accountant: a name, a statement id, a formula, or ``module:function``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from privref.adaptive import machines
from privref.adaptive.output_dp import OutputAccountant, OutputFilter
from privref.adaptive.protocol import Machine
from privref.exact.errors import InputError, meant, require_text
from privref.exact.logs import LogForm, log_form
from privref.exact.numbers import count, rational
from privref.statements import theorems
from privref.statements.params import Param
from privref.statements.registry import PAPERS, statement, statements

from . import formula
from .accountants import (
    RULES,
    Accountant,
    AccountantBudget,
    AccountantKind,
    BestOrder,
    FormulaAccountant,
    FunctionAccountant,
    MachineAccountant,
    RealisedOrder,
    StatementAccountant,
)
from .attack import MAX_STATES, Attack, Failure
from .attack import attack as search
from .rounds import GameRound, both_orientations, from_source, read_menu

_STATEMENT = re.compile(r"([a-z0-9]+)/[A-Za-z0-9_.]+\Z")
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*\Z")
_OUTPUT: dict[str, Callable[[Fraction, Fraction], Machine[Any]]] = {
    theorems.theorem("hartmann2022/alg1").machine: OutputAccountant,
    theorems.theorem("hartmann2022/def19").machine: OutputFilter,
}
#: Registered statements that answer CONT or HALT; the others are read as odometers.
_FILTERS = ("rogers2016/thm3.3.filter", "rogers2016/thm5.1.decision", "hartmann2022/def19.simple_filter")
#: Odometers are tuned to a target epsilon; where none is given it is this.
_TUNED_FOR = Fraction(1)


def budget(epsilon: object = None, delta: object = "0", delta_sum: object = None) -> AccountantBudget:
    """A checked budget; ``delta_sum`` (how far the sum of the delta_i may go) defaults to delta."""
    total = rational(delta, "delta")
    if not 0 <= total < 1:
        raise InputError("delta", str(delta), "give a number in [0, 1)")
    limit = total if delta_sum is None else rational(delta_sum, "delta_sum")
    target = None if epsilon is None else log_form(epsilon, "epsilon")
    if target is not None and target.sign() < 0:
        raise InputError("epsilon", str(epsilon), "give an epsilon >= 0")
    return AccountantBudget(target, total, limit)


def names() -> tuple[str, ...]:
    """The accountants that have a name."""
    return (*(entry.name for entry in machines.MACHINES), *_OUTPUT, *RULES)


def accountant(
    text: str,
    allowed: AccountantBudget,
    menu: Sequence[GameRound],
    *,
    kind: AccountantKind | None = None,
    settings: Mapping[str, object] | None = None,
    order_free: bool = False,
) -> Accountant:
    """The accountant that ``text`` names. Formulas and functions need ``kind``; names and statements know theirs."""
    given = dict(settings or {})
    if text in RULES and not given:
        return RULES[text](allowed)
    rule = theorems.named(text)
    known = {each.id for each in statements()} if rule is not None else set()
    if rule is not None and text not in (*names(), *known):
        # A theorem's other names mean its machine; an id that is a statement's too is read as the statement.
        text = rule.machine or rule.odometer or text
    if text in names():
        return _machine(text, allowed, given)
    match = _STATEMENT.match(text)
    if match and match[1] in PAPERS:
        return StatementAccountant(
            statement(text), given, allowed, kind or ("filter" if text in _FILTERS else "odometer")
        )
    if given:
        raise InputError("settings", ", ".join(given), "formulas and functions carry their own constants")
    if _FUNCTION.match(text):
        return FunctionAccountant(text, _needed(kind, text), allowed, order_free)
    return FormulaAccountant(_needed(kind, text), formula.parse(text), allowed, menu)


def _needed(kind: AccountantKind | None, text: str) -> AccountantKind:
    if kind is None:
        if near := meant(text, names()):
            raise InputError("accountant", text, f"no accountant has this name; did you mean {near}?")
        raise InputError("kind", text, "say what it is: --kind filter or --kind odometer")
    return kind


def _machine(name: str, allowed: AccountantBudget, settings: Mapping[str, object]) -> Accountant:
    if name == "best-order" and set(settings) == {"orders"}:
        return BestOrder(allowed, _tuning(settings)["orders"])
    if name == "realised-order" and set(settings) == {"order"}:
        return RealisedOrder(allowed, _tuning(settings)["order"])
    if name in RULES:
        raise InputError("settings", ", ".join(settings), f"{name} takes none")
    epsilon = _TUNED_FOR if allowed.epsilon is None else allowed.epsilon.rational
    if epsilon is None:
        raise InputError("epsilon", cast(LogForm, allowed.epsilon).spell(), f"{name} takes a rational epsilon")
    if name in _OUTPUT:
        if settings:
            raise InputError("settings", ", ".join(settings), f"{name} takes none")
        return MachineAccountant(name, _OUTPUT[name](epsilon, allowed.delta), "filter", settings)
    entry = machines.entry(name)
    setup = machines.Setup(epsilon, allowed.delta, **_tuning(settings))
    return MachineAccountant(name, entry.build(setup), entry.role, settings)


def _tuning(settings: Mapping[str, object]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in settings.items():
        if name == "dominating":
            found[name] = Param(name, "flag").read(value)
        elif name == "orders" and isinstance(value, str):
            found[name] = tuple(rational(part, name) for part in value.split(" "))
        elif name in ("delta_prime", "n", "y_star", "gamma", "v0", "rho", "order"):
            found[name] = rational(value, name)
        else:
            raise InputError(f"settings.{name}", str(value), "unknown setting of this machine")
    return found


def budget_from_document(document: Mapping[str, Any]) -> AccountantBudget:
    """A budget as certificates write it."""
    return budget(document.get("epsilon"), document["delta"], document["delta_sum"])


def accountant_from_document(
    document: Mapping[str, Any], allowed: AccountantBudget, menu: Sequence[GameRound]
) -> Accountant:
    """The accountant that a certificate names."""
    kinds = [key for key in ("formula", "statement", "machine", "function", "rule") if key in document]
    if len(kinds) != 1:
        raise InputError("accountant", ", ".join(document), "name one formula, statement, machine, function or rule")
    found = accountant(
        document[kinds[0]],
        allowed,
        menu,
        kind=document["kind"],
        settings=document.get("settings"),
        order_free=document.get("order_free", False),
    )
    if found.kind != document["kind"]:
        raise InputError(
            "accountant.kind", document["kind"], f"it is {'an' if found.kind == 'odometer' else 'a'} {found.kind}"
        )
    return found


def read_rounds(menu: str | Sequence[Mapping[str, Any]]) -> tuple[GameRound, ...]:
    """A menu in the short notation, or as a list of objects as certificates write them."""
    if isinstance(menu, str):
        return read_menu(menu)
    for source in menu:
        if not isinstance(source, Mapping):
            raise InputError("menu", source, "give one text, such as '1/10, 1/2', or the objects of a certificate")
    found = tuple(each for source in menu for each in both_orientations(from_source(source)))
    if not found:
        raise InputError("menu", "(empty)", "give at least one round")
    return found


def attack(
    name: str,
    menu: str | Sequence[Mapping[str, Any]],
    rounds: object,
    *,
    epsilon: object = None,
    delta: object = "0",
    delta_sum: object = None,
    kind: AccountantKind | None = None,
    failure_of: Failure | None = None,
    settings: Mapping[str, object] | None = None,
    order_free: bool = False,
    largest: bool = False,
    max_states: object = MAX_STATES,
    progress: Callable[[str], None] | None = None,
) -> Attack:
    """Search for an adversary that breaks an accountant: all of at most ``rounds`` rounds over the menu.

    The shortest that breaks it, or, where ``largest``, the one that reaches the largest failure. Of an odometer, unless
    ``failure_of`` is given, the largest failure of the other kind is searched too (``other``).

    ``name`` is one of ``names()``, a registered statement, a formula, or ``module:function``. Raises InputError for
    what cannot be read and HypothesisError where the accountant does not cover a round of the menu.
    """
    require_text(name, "name", "name an accountant (`privref attack --help` lists them), or module:function")
    allowed = budget(epsilon, delta, delta_sum)
    choices = read_rounds(menu)
    target = accountant(name, allowed, choices, kind=kind, settings=settings, order_free=order_free)
    wanted, limit = count(rounds, "rounds", least=1), count(max_states, "max_states", least=1)

    def searched(failure: Failure | None, largest: bool) -> Attack:
        return search(
            target,
            choices,
            allowed,
            wanted,
            failure_of=failure,
            largest=largest,
            max_states=limit,
            progress=progress,
        )

    found = searched(failure_of, largest)
    if target.kind == "filter" or failure_of is not None:
        return found
    return replace(found, other=searched("loss" if found.failure_of == "one-sided" else "one-sided", True))
