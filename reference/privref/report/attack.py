"""The outcome of ``privref attack`` as text and as a document."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from privref.exact.numbers import spell
from privref.exact.rounding import to_decimal
from privref.games.attack import Attack, certificate
from privref.statements.hypotheses import Failure

from .lines import line, text_table

_SAID = {
    "broken": ("bold red", "an adversary breaks the claim"),
    "not-broken": ("bold green", "no adversary over this menu breaks the claim within these rounds"),
    "undecided": ("bold magenta", "the search bounds leave the claim open"),
    "limited": ("bold magenta", "the limit of states came before all rounds were searched"),
}
_FAILURE: dict[Failure, str] = {
    "view": "delta of the whole interaction at epsilon",
    "loss": "probability that |loss| exceeds the bound",
    "one-sided": "probability that the loss exceeds the bound",
}
_EVENT: dict[Failure, str] = {
    "loss": "|loss| above the reading (Rogers et al. 2016, Definition 3.1)",
    "one-sided": "loss above the reading (Whitehouse et al. 2023, Definition 6)",
}
_ABOVE = {"broken": "yes", "not-broken": "no", "undecided": "open"}
_SHOWN_STEPS = 40


def attack_document(found: Attack) -> dict[str, Any]:
    """``attack.1``: the verdict, what was searched, and the certificate of a broken accountant."""
    document: dict[str, Any] = {
        "schema": "attack.1",
        "verdict": found.verdict,
        "accountant": {"kind": found.accountant.kind, **found.accountant.document()},
        "budget": found.budget.document(),
        "failure_of": found.failure_of,
        "theorem_bounds": found.accountant.promised or "",
        "menu": [dict(asked.source) for asked in found.menu],
        "rounds_asked": found.asked_rounds,
        **_reached(found),
    }
    if found.other is not None:
        document["other_failure"] = {
            "failure_of": found.other.failure_of, "verdict": found.other.verdict, **_reached(found.other)
        }  # fmt: skip
    if found.verdict == "broken":
        document["certificate"] = certificate(found)
    return document


def _reached(found: Attack) -> dict[str, Any]:
    """What a search reached, and how far."""
    lower, upper = found.failure.decimals(30)
    failure = {"lower": lower, "upper": upper}
    if found.exact is not None and len(spell(found.exact)) <= 8_000:
        failure["value"] = spell(found.exact)
    return {
        "rounds_searched": found.rounds,
        "state_limit_reached": found.limited,
        "states": found.states,
        "failure_at_most": to_decimal(found.ceiling, 30, "up"),
        "failure_found": failure,
        **({} if found.factor is None else {"factor_at_least": to_decimal(found.factor, 10, "down")}),
    }


def _number(found: Attack) -> str:
    lower, upper = found.failure.decimals(10)
    shown = lower if lower == upper else f"between {lower} and {upper}"
    if found.exact is None or len(spell(found.exact)) > 40:
        return shown
    return spell(found.exact) if found.exact.denominator == 1 else f"{spell(found.exact)} ({shown})"


def attack_report(found: Attack) -> RenderableType:
    """The verdict, the failure against the claimed delta, what was searched, and the strategy."""
    style, meaning = _SAID["limited" if found.limited else found.verdict]
    lines: list[RenderableType] = [
        Text(f"{found.verdict}: {meaning}", style=style),
        Text(f"  {_FAILURE[found.failure_of]}: {_number(found)}; claimed: {spell(found.budget.delta)}"),
        Text(
            f"  searched: every adversary of at most {found.rounds} round(s) over {len(found.menu)} choice(s); "
            f"at most {to_decimal(found.ceiling, 10, 'up')}; {found.states} states"
        ),
    ]
    if found.accountant.takes_largest_cell and any(asked.notion == "odp" for asked in found.menu):
        lines.append(Text("  this accountant counts a round of output DP with its largest cell"))
    if found.limited:
        lines.append(
            Text(
                f"  {found.asked_rounds} rounds were asked for; raise --max-states, or ask for fewer rounds or choices"
            )
        )
    if found.accountant.kind == "odometer":
        lines += _failures(found)
    if found.verdict == "broken":
        lines.append(Text(f"  the strategy ({found.strategy.depth} rounds at most):"))
        lines += [line(f"    {step}") for step in _strategy(found)]
    return Group(*lines)


def _failures(found: Attack) -> list[RenderableType]:
    """Both failures of an odometer together: which one its theorem bounds, and what is certainly reached."""
    promised = found.accountant.promised
    table = text_table("  failure", "its theorem bounds it", "above delta", "reached", "at most", "times delta")
    for each in (found, found.other):
        if each is None:
            continue
        bounded = "no theorem" if promised is None else "yes" if each.failure_of == promised else "no"
        factor = "-" if each.factor is None else f"at least {to_decimal(each.factor, 4, 'down')}"
        table.add_row(
            f"  {_EVENT[each.failure_of]}",
            bounded,
            _ABOVE[each.verdict],
            to_decimal(each.failure.lower, 4, "down"),
            to_decimal(each.ceiling, 4, "up"),
            factor,
        )
    lines: list[RenderableType] = [table]
    if promised is not None and found.failure_of != promised:
        lines.append(Text("  the theorem of this odometer bounds the other failure, and this says nothing against it"))
    return lines


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
