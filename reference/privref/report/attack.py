"""The outcome of ``privref attack`` as text and as a document."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.exact.numbers import spell
from privref.exact.rounding import to_decimal
from privref.games.attack import Attack, certificate

from .text import line

_SAID = {
    "broken": ("bold red", "an adversary breaks the claim"),
    "not-broken": ("bold green", "no adversary over this menu breaks the claim within these rounds"),
    "undecided": ("bold magenta", "the search bounds leave the claim open"),
    "limited": ("bold magenta", "the limit of states came before all rounds were searched"),
}
_FAILURE = {
    "view": "delta of the whole interaction at epsilon",
    "loss": "probability that |loss| exceeds the bound",
    "one-sided": "probability that the loss exceeds the bound",
}
_SHOWN_STEPS = 40


def attack_document(found: Attack) -> dict[str, Any]:
    """``attack.1``: the verdict, what was searched, and the certificate of a broken accountant."""
    lower, upper = found.failure.decimals(30)
    document: dict[str, Any] = {
        "schema": "attack.1",
        "verdict": found.verdict,
        "accountant": {"kind": found.accountant.kind, **found.accountant.document()},
        "budget": found.budget.document(),
        "failure_of": found.failure_of,
        "menu": [dict(asked.source) for asked in found.menu],
        "rounds_asked": found.asked_rounds,
        "rounds_searched": found.rounds,
        "state_limit_reached": found.limited,
        "states": found.states,
        "failure_at_most": to_decimal(found.ceiling, 30, "up"),
        "failure_found": {"lower": lower, "upper": upper},
    }
    if found.exact is not None and len(spell(found.exact)) <= 8_000:
        document["failure_found"]["value"] = spell(found.exact)
    if found.verdict == "broken":
        document["certificate"] = certificate(found)
    return document


def _number(found: Attack) -> str:
    lower, upper = found.failure.decimals(10)
    shown = lower if lower == upper else f"between {lower} and {upper}"
    if found.exact is None or len(spell(found.exact)) > 40:
        return shown
    return spell(found.exact) if found.exact.denominator == 1 else f"{spell(found.exact)} ({shown})"


def attack_report(found: Attack) -> RenderableType:
    """The verdict, the failure against the claimed delta, what was searched, and the strategy."""
    style, meaning = _SAID["limited" if found.limited else found.verdict]
    lines = [
        Text(f"{found.verdict}: {meaning}", style=style),
        Text(f"  {_FAILURE[found.failure_of]}: {_number(found)}; claimed: {spell(found.budget.delta)}"),
        Text(
            f"  searched: every adversary of at most {found.rounds} round(s) over {len(found.menu)} choice(s); "
            f"at most {to_decimal(found.ceiling, 10, 'up')}; {found.states} states"
        ),
    ]
    if found.limited:
        lines.append(
            Text(
                f"  {found.asked_rounds} rounds were asked for; raise --max-states, or ask for fewer rounds or choices"
            )
        )
    if found.verdict == "broken":
        lines.append(Text(f"  the strategy ({found.strategy.depth} rounds at most):"))
        lines += [line(f"    {step}") for step in _strategy(found)]
    return Group(*lines)


def _strategy(found: Attack) -> list[str]:
    nodes = found.strategy.nodes
    lines: list[str] = []
    queue, seen = [found.strategy.root], {found.strategy.root}
    while queue and len(lines) < _SHOWN_STEPS:
        place = queue.pop(0)
        node = nodes[place]
        if node.asks is None:
            continue
        asked = found.menu[node.asks]
        if node.refused:
            lines.append(f"{place}: ask {asked.name}; refused -> {node.then[0]}")
            if node.then[0] not in seen:
                seen.add(node.then[0])
                queue.append(node.then[0])
            continue
        steps = []
        for outcome, following in zip(asked.possible, node.then, strict=True):
            stops = nodes[following].asks is None
            steps.append(f"{outcome.label} -> {'stop' if stops else following}")
            if following not in seen:
                seen.add(following)
                queue.append(following)
        lines.append(f"{place}: ask {asked.name}; {', '.join(steps)}")
    if queue and any(nodes[i].asks is not None for i in queue):
        lines.append("… (the certificate has all of it)")
    return lines
