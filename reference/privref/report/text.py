"""Results as readable text, built of rich renderables."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from privref.audit.routes import Application
from privref.audit.run import Audit, Bound, Opinion
from privref.audit.verify import Verification
from privref.doctor import Diagnosis
from privref.exact.enclosure import Enclosure
from privref.exact.errors import one_line
from privref.statements import errata
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import Statement

_DIGITS = 10
_STYLES = {
    "confirmed": "bold green",
    "conditional": "bold yellow",
    "unsupported": "bold yellow",
    "refuted": "bold red",
    "undecided": "bold magenta",
    "inapplicable": "bold cyan",
    "out-of-scope": "bold cyan",
}
_MEANING = {
    "confirmed": "a theorem whose hypotheses hold proves it",
    "conditional": "one enforced filter would prove it, and the ledger names none",
    "unsupported": "no applicable theorem proves it; that does not make it false",
    "refuted": "a rigorous lower bound is above it",
    "undecided": "precision ran out before the comparison was decided",
    "inapplicable": "a hypothesis of the theorem is not met",
    "out-of-scope": "privref can not account this",
}


def plain_ends(enclosure: Enclosure, digits: int) -> tuple[str, str]:
    """Both ends as people write them: without an exponent where that stays short. Only the point is moved."""
    lower, upper = (_plain(end) for end in enclosure.decimals(digits))
    return lower, upper


def _plain(scientific: str) -> str:
    mantissa, _, exponent = scientific.partition("e")
    shift = int(exponent or 0)
    sign, digits = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    digits = digits.replace(".", "")
    if not 0 <= shift < len(digits):
        return scientific if shift < -4 or shift > 0 else f"{sign}0.{'0' * (-shift - 1)}{digits}"
    whole, part = digits[: shift + 1], digits[shift + 1 :]
    return f"{sign}{whole}.{part}" if part else f"{sign}{whole}"


def line(text: str, style: str = "") -> Text:
    """One line of text or one cell: markup is not read, and control characters of what it quotes are escaped."""
    return Text(one_line(text), style=style)


_BUDGETS = (Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.OUTPUT_BUDGET)


def text_table(*columns: str) -> Table:
    """A table without lines."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def bounds_table(bounds: Iterable[Bound], symbol: str) -> Table:
    """Theorems and what they give, in the order given."""
    table = text_table("  theorem", f"{symbol} at least", f"{symbol} at most", "")
    for bound in bounds:
        ends = ("—", "—") if bound.enclosure is None else plain_ends(bound.enclosure, _DIGITS)
        note = bound.note or (f"exactly {bound.value}" if bound.value and len(bound.value) <= 40 else "")
        table.add_row(line(f"  {bound.application.by}"), *ends, line(note))
    return table


def inapplicable_lines(applications: Iterable[Application]) -> list[RenderableType]:
    """What does not apply, grouped by the hypothesis that fails; of a budget, also why it is not the one wanted."""
    wanting: dict[str, list[str]] = {}
    for application in applications:
        unmet = application.unmet[0]
        why = f"; {unmet.how}" if unmet.hypothesis in _BUDGETS else ""
        wanting.setdefault(f"{unmet.hypothesis.value}{why}", []).append(application.by)
    return [line(f"  not applicable: {', '.join(names)} (want {what})", "dim") for what, names in wanting.items()]


def _opinion(opinion: Opinion) -> list[RenderableType]:
    symbol = "rho" if opinion.claim.rho is not None else "epsilon"
    parts: list[RenderableType] = [
        Text.assemble(
            "claim ",
            line(opinion.claim.id, "bold"),
            line(f": {opinion.claim}" + (f" by {opinion.claim.by}" if opinion.claim.by else "") + " → "),
            (opinion.verdict, _STYLES[opinion.verdict]),
            f" ({_MEANING[opinion.verdict]})",
        ),
        line(f"  {opinion.reason}"),
    ]
    parts += [line(f"  {finding.how}", "italic") for finding in opinion.premises]
    if opinion.refutation is not None:
        lower, _ = plain_ends(opinion.refutation.enclosure, _DIGITS)
        what = "delta" if opinion.claim.epsilon is not None else "rho"
        parts.append(line(f"  {opinion.refutation.witness.statement}: {what} is at least {lower}"))
    if opinion.bounds:
        parts.append(bounds_table(opinion.bounds, symbol))
    parts += inapplicable_lines(opinion.inapplicable)
    return [*parts, Text("")]


def audit_report(audit: Audit) -> RenderableType:
    """The audit as text: the ledger, then each claim with its verdict, why, and all bounds."""
    ledger = audit.ledger
    declared = ", ".join(
        value or f"{name} not declared"
        for name, value in (
            ("neighbours", ledger.neighbours),
            ("parameters", ledger.parameters),
            ("interaction", ledger.interaction),
        )
    )
    head: list[RenderableType] = [
        line(ledger.title, "bold"),
        line(f"{len(ledger.events)} event(s), {ledger.rounds} round(s); {declared}"),
        Text(f"SHA-256 {ledger.digest} of {ledger.digest_of}", style="dim"),
        Text(""),
    ]
    return Group(*head, *(part for opinion in audit.opinions for part in _opinion(opinion)))


def verification_report(verification: Verification) -> RenderableType:
    """The re-check of a certificate as text."""
    lines: list[RenderableType] = [
        line(f"{'ok    ' if check.passed else 'FAILED'} {check.what}" + (f": {check.detail}" if check.detail else ""))
        for check in verification.checks
    ]
    if not verification.ledger_checked:
        lines.append(Text("the link to the ledger was not checked: give --ledger FILE"))
    return Group(*lines, Text(verification.outcome, style="bold"))


def diagnosis_report(diagnosis: Diagnosis) -> RenderableType:
    """Versions and self-tests as text."""
    lines = [line(f"{name} {version}") for name, version in diagnosis.versions.items()]
    lines += [Text(f"{'ok    ' if passed else 'FAILED'} {name}") for name, passed in diagnosis.tests]
    return Group(*lines, Text("sound" if diagnosis.sound else "NOT SOUND", style="bold"))


def statement_report(found: Statement) -> RenderableType:
    """A statement explained: source, kind, hypotheses, inputs, and its documentation."""
    standing = {
        "holds": "holds as stated here",
        "printed": "the paper's own wording, which is wrong: no audit uses it",
        "ours": "proved by this project",
    }[found.standing]
    lines: list[RenderableType] = [
        Text(found.id, style="bold"),
        Text(found.documentation),
        Text(""),
        Text(f"source      {found.source}"),
        Text(f"kind        {found.kind}"),
        Text(f"standing    {standing}"),
    ]
    lines += [Text(f"hypothesis  {hypothesis.value}") for hypothesis in found.hypotheses]
    lines += [Text(f"input       {param.name}: {param.description}") for param in found.params]
    lines += [Text(f"erratum     {row.id} ({row.where}): {row.correct}") for row in errata.for_statement(found.id)]
    return Group(*lines)
