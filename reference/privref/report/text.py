"""Results as readable text, built of rich renderables."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from privref.audit import summary
from privref.audit.claims import ApproxDPClaim, claim_named
from privref.audit.opinions import MEANINGS, NEXT, Audit, Bound, Opinion, best
from privref.audit.routes import Application
from privref.exact.enclosure import Enclosure
from privref.exact.errors import one_line
from privref.exact.rounding import plain
from privref.statements.hypotheses import BUDGET_HYPOTHESES
from privref.statements.theorems import called

from .lines import line, text_table

_DIGITS = 10
_STYLES = {
    "confirmed": "bold green",
    "conditional": "bold yellow",
    "unsupported": "bold yellow",
    "refuted": "bold red",
    "contradicted-by-evidence": "bold red",
    "underivable": "bold yellow",
    "depends-on-digits": "bold cyan",
    "undecided": "bold magenta",
    "inapplicable": "bold cyan",
    "out-of-scope": "bold cyan",
}


def plain_ends(enclosure: Enclosure, digits: int) -> tuple[str, str]:
    """Both ends as people write them: without an exponent where that stays short. Only the point is moved."""
    lower, upper = (plain(end) for end in enclosure.decimals(digits))
    return lower, upper


def bounds_table(bounds: Iterable[Bound], symbol: str) -> Table:
    """Theorems and what they give, in the order given."""
    table = text_table("  theorem", f"{symbol} at least", f"{symbol} at most", "")
    for bound in bounds:
        ends = ("—", "—") if bound.enclosure is None else plain_ends(bound.enclosure, _DIGITS)
        note = bound.note or (f"exactly {bound.value}" if bound.value and len(bound.value) <= 40 else "")
        table.add_row(line(f"  {called(bound.application.by, authors=False)}"), *ends, line(note))
    return table


def inapplicable_lines(applications: Iterable[Application]) -> list[RenderableType]:
    """What does not apply, grouped by the hypothesis that fails; of a budget, also why it is not the one wanted."""
    wanting: dict[str, list[str]] = {}
    for application in applications:
        unmet = application.unmet[0]
        why = f"; {unmet.how}" if unmet.hypothesis in BUDGET_HYPOTHESES else ""
        wanting.setdefault(f"{unmet.hypothesis.value}{why}", []).append(called(application.by, authors=False))
    return [line(f"  not applicable, need {what}: {', '.join(names)}", "dim") for what, names in wanting.items()]


#: The default report is made for a terminal of this width, and so is what is piped.
_WIDTH = 80
_INDENT = 13


#: A reason may quote a description of any length: beyond this many lines it is left to ``-v``.
_MOST_LINES = 8


def _paragraph(label: str, text: str, style: str = "", most: int | None = None) -> Iterator[Text]:
    """Yield a label and what it says, folded; beyond ``most`` lines the rest is left to ``-v``."""
    folded = textwrap.wrap(one_line(text), _WIDTH - _INDENT, break_on_hyphens=False) or [""]
    if most is not None and len(folded) > most:
        folded = [*folded[: most - 1], *textwrap.wrap(folded[most - 1], _WIDTH - _INDENT - 11)[:1]]
        folded[-1] += " … (see -v)"
    for i, part in enumerate(folded):
        yield Text(f"{f'  {label}' if not i else '':<{_INDENT}}{part}", style=style)


def _cropped(text: str, width: int = _WIDTH) -> str:
    shown = one_line(text)
    return shown if cell_len(shown) <= width else f"{set_cell_size(shown, width - 1)}…"


def _head(audit: Audit, verbosity: int) -> Iterator[RenderableType]:
    ledger = audit.ledger
    yield line(ledger.title if verbosity else _cropped(ledger.title), "bold")
    read = [f"{len(ledger.events)} event(s), {ledger.rounds} round(s)"]
    read += [f"{name} {summary.amount(value)}" for name, value in summary.totals(ledger)]
    declared = ", ".join(
        value or f"{name} not declared"
        for name, value in (
            ("neighbours", ledger.neighbours),
            ("parameters", ledger.parameters),
            ("interaction", ledger.interaction),
        )
    )
    if ledger.together:
        declared += " (of the joint run; what is not declared of it is read as the worst)"
    for text in ("; ".join(read), declared):
        yield from (Text(part, style="dim") for part in textwrap.wrap(text, _WIDTH, break_on_hyphens=False))
    if ledger.rounded:
        from privref.audit.both_ends import words  # few ledgers have rounded numbers

        yield from (Text(part, style="dim") for part in textwrap.wrap(words(ledger), _WIDTH, break_on_hyphens=False))
    if unread := summary.unread_words(ledger):
        yield from (line(part, "dim") for part in textwrap.wrap(unread, _WIDTH, break_on_hyphens=False))
    if question := summary.swapped(ledger):
        yield from _paragraph("question", question)
    if verbosity:
        yield Text(f"SHA-256 {ledger.digest} of {ledger.digest_of}", style="dim")
        yield Text("")


def _claim(opinion: Opinion) -> Iterator[RenderableType]:
    said = f"{opinion.claim}"
    room = _WIDTH - len(opinion.verdict) - len("claim :  → ") - len(said)
    name = claim_named(_cropped(opinion.claim.id, max(room, 12)))
    yield Text.assemble(
        line(name, "bold"), line(f": {said} → "), (opinion.verdict, _STYLES.get(opinion.verdict, "bold"))
    )


#: Verdicts of which the reason is said in full: it names the premises.
_UNCUT = ("depends-on-digits", "contradicted-by-evidence")
#: Verdicts that end in a question where one more declaration would decide.
_ASKS = ("conditional", "inapplicable")


def _summary_lines(opinion: Opinion, *, explain: bool, asked: bool) -> Iterator[RenderableType]:
    """A claim in a few lines: the verdict, what that word means, the best bound, the margin, and one sentence."""
    yield from _claim(opinion)
    if explain:
        yield from _paragraph("meaning", MEANINGS[opinion.verdict])
    if opinion.claim.by:
        yield from _paragraph("theorem", f"named by the claim: {called(opinion.claim.by)}")
    symbol = opinion.claim.symbol
    # What one declaration would prove comes before the bound, which rests on the filter that was enforced.
    asks = opinion.verdict in _ASKS and bool(opinion.undeclared)
    if asks:
        yield from _paragraph(*summary.advice(opinion), most=None)
    if known := summary.bound_words(opinion):
        margin = summary.margin_words(opinion)
        text = f"{symbol} {known}{f'; {margin}' if margin else ''}"
        yield from _paragraph("best bound", text)
    if opinion.refutation is not None:
        lower, _ = plain_ends(opinion.refutation.enclosure, _DIGITS)
        what = summary.lost_symbol(opinion.refutation)
        words = opinion.refutation.witness.words
        label = summary.lost_by(opinion.refutation)
        where = " at the claimed epsilon" if isinstance(opinion.claim, ApproxDPClaim) else ""
        yield from _paragraph(label, f"{what} ≥ {lower}{where}: {words}", most=_MOST_LINES)
        if opinion.premises:
            yield from _paragraph("premise", summary.premise_words(opinion))
        kind = ""
    else:
        kind, text = summary.advice(opinion)
        if kind and not asks:
            # What no ledger can show is never cut short, nor what has to be declared.
            yield from _paragraph(
                kind, text, most=_MOST_LINES if kind == "reason" and opinion.verdict not in _UNCUT else None
            )
    declare = opinion.hints is not None and opinion.hints.mechanisms
    if opinion.hints is not None and declare:
        yield from _paragraph("declare", opinion.hints.mechanisms_short)
    if explain and asked and opinion.verdict not in NEXT:
        yield from _paragraph("next", "answer the question above; the verdict is of the numbers as they stand")
    if explain and opinion.verdict in NEXT and kind != "advice" and not declare:
        yield from _paragraph("next", f"{'answer the question above; then ' if asked else ''}{_next(opinion)}")


def _next(opinion: Opinion) -> str:
    """Return what to do after a verdict."""
    if opinion.verdict == "refuted" and best(opinion) is not None and opinion.claim.by is None:
        return "check that the ledger names what ran; if it does, claim the best bound instead"
    if opinion.verdict == "out-of-scope" and opinion.claim.by:
        return "name a theorem that audits this kind of claim, or leave `by` out"
    if opinion.verdict == "inapplicable" and opinion.claim.by:
        return "leave `by` out, so that every theorem is tried; or declare what the reason asks for, if it is true"
    return NEXT[opinion.verdict]


def _long(opinion: Opinion, verbosity: int) -> Iterator[RenderableType]:
    """A claim with all bounds, and, on demand, what does not apply and how the hypotheses of the others are met."""
    symbol = opinion.claim.symbol
    yield from _claim(opinion)
    yield line(f"  {MEANINGS[opinion.verdict]}")
    if opinion.verdict in NEXT:
        yield line(f"  next: {_next(opinion)}")
    if opinion.verdict in _ASKS and opinion.undeclared:
        yield line(f"  {summary.advice(opinion)[1]}")
    if opinion.claim.by:
        yield line(f"  the claim names {called(opinion.claim.by)}")
    yield line(f"  {opinion.reason}")
    yield from (line(f"  {finding.how}", "italic") for finding in opinion.premises)
    if opinion.refutation is not None:
        lower, _ = plain_ends(opinion.refutation.enclosure, _DIGITS)
        what = summary.lost_symbol(opinion.refutation)
        yield line(f"  {summary.lower_bound_by(opinion.refutation)}: {what} is at least {lower}")
    if margin := summary.margin_words(opinion):
        yield line(f"  {margin}")
    if opinion.bounds:
        yield bounds_table(opinion.bounds, symbol)
    if verbosity > 1:
        for bound in opinion.bounds:
            for finding in bound.application.findings:
                yield line(
                    f"  {called(bound.application.by, authors=False)}: {finding.hypothesis.value}: {finding.how}", "dim"
                )
        yield from inapplicable_lines(opinion.inapplicable)
    yield Text("")


def _contributors(audit: Audit, most: int) -> Iterator[RenderableType]:
    """The largest parts of the sum behind the first claim's best bound."""
    parts = summary.of_first(audit, most)
    if parts is None or len(audit.ledger.events) < 2:
        return
    yield Text(f"largest parts of the sum of {parts.measure}:")
    for part in parts.named:
        label = part.label or f"event {part.event}"
        times = f" ({part.count} times)" if part.count > 1 else ""
        yield Text(_cropped(f"  {summary.percent(part.share):>7}  {one_line(label)}{times}"))
    if parts.equal:
        yield Text(f"  {summary.percent(parts.largest[-1].share):>7}  {parts.equal_words}")


def audit_report(audit: Audit, verbosity: int = 0, uncertified: Mapping[str, str] | None = None) -> RenderableType:
    """The audit as text for 80 columns; 1: all bounds and full reasons; 2: hypotheses and what does not apply.

    ``uncertified`` says of each claim without a certificate why it has none; without it nothing is said of that.
    """
    parts: list[RenderableType] = list(_head(audit, verbosity))
    explained: set[str] = set()
    asked = bool(summary.swapped(audit.ledger))
    for opinion in audit.opinions:
        explain = opinion.verdict not in explained
        parts += _long(opinion, verbosity) if verbosity else _summary_lines(opinion, explain=explain, asked=asked)
        explained.add(opinion.verdict)
        if reason := (uncertified or {}).get(opinion.claim.id):
            parts += _paragraph("kernel", f"no certificate: {reason}")
    parts += _contributors(audit, 10 if verbosity else 3)
    more = ("; -v shows all bounds", "; -vv shows hypotheses and what does not apply", "")[min(verbosity, 2)]
    return Group(*parts, Text.assemble((summary.counts_words(audit), "bold"), (more, "dim")))
