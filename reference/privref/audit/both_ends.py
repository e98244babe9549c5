"""Inputs as published: one opinion for all that the digits allow, or where the verdict depends on them.

A ledger with rounded inputs is read twice, with all of them where most is lost and where least is lost
(``ledger.rounded`` says why these two speak for all others). What is proved of the first is true of every reading, and
what certainly loses more than the claim in the second does so in every reading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from privref.exact.errors import InputError, UndecidedError
from privref.exact.numbers import written
from privref.exact.roots import flip
from privref.exact.rounding import plain, to_decimal
from privref.exact.work import apart
from privref.ledger.model import Ledger
from privref.ledger.reading import ledger_at
from privref.ledger.rounded import RoundedInput

from .claims import Claim, TotalClaim
from .facts import Facts
from .opinions import Ending, Opinion

_Decide = Callable[[Facts, Claim], Opinion]
#: What the search for the value at which a verdict flips may cost, in units of work.
_WORK = 8_000_000
#: Verdicts where least and where most is lost, of which the first one holds of every reading.
_WITH_EVERY_READING = {
    (found, other) for found in ("refuted", "underivable") for other in ("unsupported", "undecided")
} | {("refuted", "underivable")}
_READINGS = (
    "what an odometer reads, and what a filter has left, may fall where a loss grows: the ends of what was published "
    "rounded do not speak for what lies between; claim a total, or declare exact parameters"
)


def audit_both_ends(ledger: Ledger, claim: Claim, decide: _Decide) -> Opinion:
    """The opinion on one claim about a ledger with rounded inputs; ``decide`` is the audit of an exact one."""
    if not isinstance(claim, TotalClaim):
        return Opinion(claim, "inapplicable", _READINGS)
    most = _at(ledger, tuple((item, item.most) for item in ledger.rounded), claim, decide)
    if most.opinion.verdict == "confirmed":
        reason = f"{most.opinion.reason}; with the rounded inputs where most is lost, and so with every other reading"
        return replace(most.opinion, reason=reason, ends=(most,))
    least = _at(ledger, tuple((item, item.least) for item in ledger.rounded), claim, decide)
    verdicts = least.opinion.verdict, most.opinion.verdict
    if verdicts in _WITH_EVERY_READING:
        # Every other reading loses, or allows to be lost, at least what this one does; that the search for a lower
        # bound found none where most is lost says nothing.
        reason = f"{least.opinion.reason}; with the rounded inputs where least is lost, and so with every other reading"
        return _with_bounds(replace(least.opinion, reason=reason, ends=(least, most)), most.opinion)
    if verdicts[0] == verdicts[1]:
        # Bounds and hints hold for every reading where most is lost, lower bounds where least is.
        shown = least.opinion if least.opinion.refutation is not None else most.opinion
        reason = f"{shown.reason} (the same at both ends of the rounded inputs)"
        return _with_bounds(replace(shown, reason=reason, ends=(least, most)), most.opinion)
    if "undecided" in verdicts:
        reason = f"{verdicts[0]} with {least}, {verdicts[1]} with {most}"
        return Opinion(claim, "undecided", reason, bounds=most.opinion.bounds, ends=(least, most))
    proved, where = most.opinion, ""
    if len(ledger.rounded) == 1:
        least, most = _threshold(ledger, claim, least, most, decide)
        where = f"; it flips {_between(least, most)}"
    reason = (
        f"{least.opinion.verdict} with {least}, {most.opinion.verdict} with {most}: the published digits leave open "
        f"which{where}; publish more digits"
    )
    return Opinion(
        claim,
        "depends-on-digits",
        reason,
        bounds=proved.bounds,
        inapplicable=proved.inapplicable,
        premises=tuple(dict.fromkeys((*least.opinion.premises, *most.opinion.premises))),
        ends=(least, most),
    )


def _with_bounds(opinion: Opinion, most: Opinion) -> Opinion:
    """With the bounds that hold of every reading, which are those where most is lost."""
    hints = most.hints if most.verdict == opinion.verdict else opinion.hints
    return replace(opinion, bounds=most.bounds, inapplicable=most.inapplicable, hints=hints)


def _at(ledger: Ledger, values: tuple[tuple[RoundedInput, Fraction], ...], claim: Claim, decide: _Decide) -> Ending:
    return Ending(values, decide(Facts.of(ledger_at(ledger, dict(values))), claim))


def _threshold(ledger: Ledger, claim: Claim, least: Ending, most: Ending, decide: _Decide) -> tuple[Ending, Ending]:
    """The two readings nearest to each other that were found to have different verdicts."""
    ((item, first),), ((_, last),) = least.values, most.values
    known = {first: least, last: most}
    weights: dict[Fraction, Fraction] = {}

    def alike(middle: Fraction) -> bool | None:
        try:
            found = known[middle] = _at(ledger, ((item, middle),), claim, decide)
        except (InputError, UndecidedError):
            return None
        if found.opinion.verdict == "undecided":
            return None
        return found.opinion.verdict == least.opinion.verdict

    def pick(near: Fraction, far: Fraction) -> Fraction:
        """Where a straight line through the margins of both has none (the Illinois rule); a short rational."""
        ends = [_margin(known[end].opinion) for end in (near, far)]
        if ends[0] is None or ends[1] is None or not ends[0] > 0 > ends[1]:
            return (near + far) / 2
        # An end that stays is pulled nearer each time.
        weights[near], weights[far] = weights.get(near, Fraction(2)) / 2, weights.get(far, Fraction(2)) / 2
        left, right = ends[0] * weights[near], -ends[1] * weights[far]
        share = min(max(left / (left + right), Fraction(1, 1000)), Fraction(999, 1000))
        wanted = near + (far - near) * share
        scale = 10 ** max(0, 3 - _exponent(abs(far - near)))
        return Fraction(round(wanted * scale), scale)

    with apart(_WORK):
        ends = flip(alike, first, last, pick=pick)
    return known[ends[0]], known[ends[1]]


def _margin(opinion: Opinion) -> Fraction | None:
    """The claimed number less the tightest bound: it only says where to look."""
    found = opinion.deciding or next(iter(opinion.bounds), None)
    if found is None or found.enclosure is None or not isinstance(opinion.claim, TotalClaim):
        return None
    return (opinion.of_unit or opinion.claim).size - (found.enclosure.lower + found.enclosure.upper) / 2


def _exponent(value: Fraction) -> int:
    """About the decimal exponent of a positive number."""
    return len(str(value.numerator)) - len(str(value.denominator))


def _between(least: Ending, most: Ending) -> str:
    ((item, first),), ((_, last),) = least.values, most.values
    low, high = to_decimal(min(first, last), 10, "down"), to_decimal(max(first, last), 10, "up")
    return f"between {plain(low)} and {plain(high)} ({item.place}, published as {item.text})"


def where_least(ledger: Ledger) -> Ledger:
    """The ledger read where least is lost; itself where nothing is rounded."""
    return ledger_at(ledger, {item: item.least for item in ledger.rounded}) if ledger.rounded else ledger


def words(ledger: Ledger) -> str:
    """What a report says of the rounded inputs of a ledger; "" where there are none."""
    if not ledger.rounded:
        return ""
    shown = [f"{item} (from {written(item.least)} to {written(item.most)})" for item in ledger.rounded[:3]]
    more = f" and {len(ledger.rounded) - 3} more" if len(ledger.rounded) > 3 else ""
    return f"published rounded, read where most is lost: {', '.join(shown)}{more}"
