"""What a reader wants of an audit first: totals, the best bound, the margin, one sentence of advice, who contributed.

Everything here is exact or directed, and the text, JSON, HTML and Markdown reports say it with the same words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest

from privref.exact.numbers import rational, weighted_sum, written
from privref.exact.rounding import plain as plain
from privref.exact.rounding import plain_decimal as plain_decimal
from privref.exact.rounding import to_decimal
from privref.exact.work import QUESTION, WorkLimitError, apart
from privref.guarantees.conversions import renyi_cost
from privref.guarantees.model import ApproxDP, GaussianDP, Guarantee, PureDP, as_approx_dp, as_zcdp
from privref.ledger.model import Event, EventColumns, Ledger
from privref.statements.theorems import called, theorem

from .claims import ApproxDPClaim, TotalClaim
from .opinions import DIGITS, MOST_LETTERS, Audit, Bound, Opinion, Refutation, shown
from .opinions import best as best
from .opinions import caveat as caveat
from .opinions import margin as margin
from .reasons import NEIGHBOURS, TOGETHER_FIXED

#: Digits of a bound, at most.
_MOST_DIGITS = 60
#: Totals and contributions are listed for ledgers of at most so many entries.
MOST_LISTED = 100_000


@dataclass(frozen=True, slots=True)
class Contributor:
    """One ledger entry that ran: its part of the sum, exactly."""

    event: int
    """Its place in the ledger, counted from 1."""
    label: str
    count: int
    amount: Fraction
    share: Fraction


@dataclass(frozen=True, slots=True)
class Contributors:
    """The ledger entries by what they add to the sum that a theorem is built on, the largest first.

    ``measure`` names the summand; ``decides`` says whether the theorem's bound, at a given delta, is a function of
    that sum alone.
    """

    by: str
    measure: str
    decides: bool
    total: Fraction
    largest: tuple[Contributor, ...]
    last_ones: int
    """How many entries add as much as the last of ``largest``, listed or not."""

    @property
    def equal(self) -> int:
        """How many entries are equal to the last one listed, where not all of them are listed; else 0."""
        listed = sum(part.amount == self.largest[-1].amount for part in self.largest)
        return self.last_ones if self.last_ones > listed else 0

    @property
    def named(self) -> tuple[Contributor, ...]:
        """Those that are larger than every one left out: of equal ones all, or none."""
        if not self.equal:
            return self.largest
        return tuple(part for part in self.largest if part.amount != self.largest[-1].amount)

    @property
    def equal_words(self) -> str:
        """What to say of those that are equal and not named; "" where all are named."""
        which = "further entries" if self.named else "largest entries"
        return f"each of the {self.equal} {which}, which are equal" if self.equal else ""


#: How many columns of words are named.
_MOST_UNREAD = 6


def _epsilon(guarantee: Guarantee) -> Fraction | None:
    found = as_approx_dp(guarantee)
    return None if found is None else found.epsilon


def _epsilon_squared(guarantee: Guarantee) -> Fraction | None:
    found = _epsilon(guarantee)
    return None if found is None else found * found


def _rho(guarantee: Guarantee) -> Fraction | None:
    found = as_zcdp(guarantee)
    return None if found is None else found.rho


def _mu_squared(guarantee: Guarantee) -> Fraction | None:
    return guarantee.mu * guarantee.mu if isinstance(guarantee, GaussianDP) else None


_Cost = Callable[[Guarantee], Fraction | None]
#: What an event adds to the sum of this name; None where its guarantee implies none.
COSTS: Mapping[str, _Cost] = {"epsilon": _epsilon, "epsilon^2": _epsilon_squared, "rho": _rho, "mu^2": _mu_squared}


def _measure(item: Bound, ledger: Ledger) -> tuple[str, bool, _Cost]:
    """The summand of the sum that the theorem is built on.

    Basic composition adds epsilons; the conversions of zCDP take the sum of rho; Gaussian DP the sum of mu^2; Renyi
    DP the sum at one order. Advanced composition is led by the sum of epsilon^2 and has a second sum; the optimum is
    not a function of a sum, and epsilons are shown (rhos where no
    event has an epsilon).
    """
    rule = theorem(item.application.by)
    if rule.sums == "renyi":
        order = item.application.inputs["order"]
        assert isinstance(order, Fraction)

        def at_order(guarantee: Guarantee) -> Fraction | None:
            cost = renyi_cost(guarantee, order)
            return None if cost is None else cost[0]

        return f"Renyi epsilon at order {written(order)}", True, at_order
    if rule.sums:
        return rule.sums, rule.of_sum_alone, COSTS[rule.sums]
    if all(as_approx_dp(event.guarantee) is None for event in ledger.ran):
        return "rho", False, _rho
    return "epsilon", False, _epsilon


def of_first(audit: Audit, most: int) -> Contributors | None:
    """The largest contributors to the first best bound; of disjoint parts, among what those that decided it read."""
    best_ones = ((opinion, item) for opinion in audit.opinions if (item := best(opinion)) is not None)
    opinion, item = next(best_ones, (None, None))
    return None if opinion is None or item is None else contributors(audit.ledger, item, most, opinion.case)


def contributors(
    ledger: Ledger, item: Bound, most: int = 3, case: Mapping[str, str] | None = None
) -> Contributors | None:
    """The largest contributors to the sum behind this bound; None where it is zero, or takes too long to add up.

    Of the events that read a part of a partition only those that read the part in ``case`` count.
    """
    if len(ledger.events) > MOST_LISTED:
        return None
    measure, decides, cost = _measure(item, ledger)
    amounts: list[tuple[Fraction, int]] = []
    for i, event in enumerate(ledger.events):
        elsewhere = case and event.part is not None and case[event.part[0]] != event.part[1]
        if event.decision not in (None, "continue") or elsewhere:
            continue
        each = cost(event.guarantee)
        if each is None:
            return None
        amounts.append((each * event.count, i))
    total = _summed((amount, 1) for amount, _ in amounts)
    if not total:
        return None
    # The earlier of equals first.
    largest = nlargest(most, amounts, key=lambda pair: (pair[0], -pair[1]))
    listed = tuple(
        Contributor(i + 1, ledger.events[i].label, ledger.events[i].count, amount, amount / total)
        for amount, i in largest
        if amount
    )
    last_ones = sum(amount == listed[-1].amount for amount, _ in amounts)
    return Contributors(item.application.by, measure, decides, total, listed, last_ones)


def releases(ledger: Ledger) -> str:
    """How many releases a ledger lists, and how many rounds where some ran more than once.

    >>> from privref.ledger.reading import ledger_from_document
    >>> event = {"guarantee": {"kind": "pure-dp", "epsilon": "0.1"}, "count": 17}
    >>> document = {"schema": "ledger.1", "title": "a survey", "privacy_unit": "person", "events": [event]}
    >>> releases(ledger_from_document(document))
    '1 release (17 rounds)'
    """
    listed, rounds = len(ledger.events), ledger.rounds
    return f"{listed} release{'' if listed == 1 else 's'}{'' if rounds == listed else f' ({rounds} rounds)'}"


def totals(ledger: Ledger) -> tuple[tuple[str, Fraction], ...]:
    """The sums of what ran: of rho where all events are zCDP or Gaussian DP, of epsilon and delta where all are DP.

    None where events read disjoint parts: no unit's loss is a sum over parts; nor where a sum takes too long to add up,
    nor of rho where records were drawn: an event's rho is then that of a run on all records.
    """
    if len(ledger.events) > MOST_LISTED or (ledger.partitions and any(event.part for event in ledger.ran)):
        return ()
    counter: Counter[Guarantee] = Counter()
    for event in ledger.ran:
        counter[event.guarantee] += event.count
    sums: list[tuple[str, Fraction | None]] = []
    approx = [(as_approx_dp(guarantee), count) for guarantee, count in counter.items()]
    zcdp = [(as_zcdp(guarantee), count) for guarantee, count in counter.items()]
    if approx and all(dp is not None for dp, _ in approx):
        sums.append(("sum of epsilon", _summed((dp.epsilon, count) for dp, count in approx if dp is not None)))
        sums.append(("sum of delta", _summed((dp.delta, count) for dp, count in approx if dp is not None)))
    elif zcdp and all(each is not None for each, _ in zcdp) and not any(_is_drawn(event) for event in ledger.ran):
        sums.append(("sum of rho", _summed((each.rho, count) for each, count in zcdp if each is not None)))
        delta = _summed((each.delta, count) for each, count in zcdp if each is not None)
        sums += [("sum of delta", delta)] if delta else []
    found = tuple((name, value) for name, value in sums if value is not None)
    return found if len(found) == len(sums) else ()


def _is_drawn(event: Event) -> bool:
    return event.law is not None and event.law.sample is not None


def _summed(pairs: Iterable[tuple[Fraction, int]]) -> Fraction | None:
    """A sum to be shown; None where it alone would take a tenth of a question's work."""
    try:
        with apart(QUESTION // 10):
            return weighted_sum(pairs)
    except WorkLimitError:
        return None


def kinds(ledger: Ledger) -> tuple[tuple[str, int], ...]:
    """How many ledger entries there are of each kind of guarantee."""
    if isinstance(ledger.events, EventColumns):
        return ((ledger.events.kind, len(ledger.events)),)
    return tuple(sorted(Counter(event.guarantee.kind for event in ledger.events).items()))


def amount(value: Fraction) -> str:
    """A sum for people: the exact decimal where it is short, else the decimal above it."""
    up, down = to_decimal(value, 10, "up"), to_decimal(value, 10, "down")
    if up == down:
        mantissa, _, exponent = up.partition("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        return plain_decimal(value, 10, "up") if "e" not in plain(up) else f"{mantissa}e{exponent}"
    return f"≤ {plain(up)}"


def percent(share: Fraction) -> str:
    """A share in percent to one decimal, half up; what would be shown as zero is said to be less."""
    tenths = (share * 1000 + Fraction(1, 2)) // 1
    return "< 0.1 %" if not tenths and share else f"{tenths // 10}.{tenths % 10} %"


def margin_words(opinion: Opinion) -> str:
    """The margin of the bound that is shown, in words; what it is said to be at least or at most is certain."""
    found = margin(opinion, shown(opinion))
    if found is None or (found.lower == 0 and found.upper):
        # That the claim is the upper end of an enclosure says nothing of the margin.
        return ""
    if found.lower >= 0:
        return "no margin" if not found.upper else f"margin ≥ {plain_decimal(found.lower, 4, 'down')}"
    if found.upper < 0:
        most = plain_decimal(-found.lower, 4, "up")
        # Of a wide enclosure how much is short may be far less than at most.
        least = f"{plain_decimal(-found.upper, 4, 'down')} to " if found.width > -found.upper else "≤ "
        return f"claim short by {least}{most}"
    return "the claim lies within the bound's enclosure"


def premise_words(opinion: Opinion) -> str:
    """Return what the verdict rests on and no ledger can show, in one sentence; "" where it rests on nothing such."""
    return "; ".join(finding.how.removeprefix("premise: ") for finding in opinion.premises)


def bound_words(opinion: Opinion) -> str:
    """The bound to say, as exact as it is known: ``= 15 by …``, or ``≤ 17.14355075 by …``; "" where there is none.

    Of a bound that proves the claim as many digits are written as show it.
    """
    item = shown(opinion)
    if item is None or item.enclosure is None:
        return ""
    upper, digits = item.enclosure.upper, DIGITS
    if opinion.verdict == "confirmed" and isinstance(opinion.claim, TotalClaim):
        size = (opinion.of_unit or opinion.claim).size
        while upper <= size < Fraction(to_decimal(upper, digits, "up")) and digits < _MOST_DIGITS:
            digits += 5
    return at_most_words(item, digits)


def at_most_words(item: Bound, digits: int = DIGITS) -> str:
    """A finite bound, as exact as it is known, and by which theorem."""
    assert item.enclosure is not None
    if item.value is not None and len(item.value) <= MOST_LETTERS:
        number = f"= {written(rational(item.value))}"
    else:
        number = f"≤ {plain(to_decimal(item.enclosure.upper, digits, 'up'))}"
    return f"{number} by {called(item.application.by)}{caveat(item)}"


#: A claim with a larger delta than this, and than its epsilon, may have its numbers swapped.
_LARGE = Fraction(1, 100)


def unread_words(ledger: Ledger) -> str:
    """Return which words of a sheet no verdict depends on; "" without any."""
    if not ledger.unread:
        return ""
    shown = ", ".join(ledger.unread[:_MOST_UNREAD])
    more = f" and {len(ledger.unread) - _MOST_UNREAD} more" if len(ledger.unread) > _MOST_UNREAD else ""
    return f"not used: the words in {shown}{more}; the verdicts hold if nothing there changes what a row loses"


def swapped(ledger: Ledger) -> str:
    """Ask of events whose delta is large, and larger than their epsilon, and of a ledger that loses nothing at all."""
    if isinstance(ledger.events, EventColumns):
        return ""
    if all(event.guarantee in (PureDP(Fraction(0)), ApproxDP(Fraction(0), Fraction(0))) for event in ledger.events):
        return "no event loses anything: are the zeros meant? A release without noise has no epsilon, not even 0"
    asked = [
        (f"event {i}" + (f" ({event.label})" if event.label else ""), event.guarantee)
        for i, event in enumerate(ledger.events, 1)
        if isinstance(event.guarantee, ApproxDP) and event.guarantee.delta > max(event.guarantee.epsilon, _LARGE)
    ]
    if not asked:
        return ""
    which, found = asked[0]
    others = f" (and {len(asked) - 1} more such event(s))" if len(asked) > 1 else ""
    return (
        f"{which} has epsilon = {written(found.epsilon)} and the larger delta = {written(found.delta)}{others}: "
        "are the two numbers swapped?"
    )


def _fixed_question(opinion: Opinion) -> str:
    """Ask whether parameters were fixed in advance, with how to declare it."""
    return f"were all privacy parameters fixed before the first answer was seen? Then add {opinion.undeclared}."


def advice(opinion: Opinion) -> tuple[str, str]:
    """One sentence, and what kind it is: a premise that no ledger can show, advice, or the reason."""
    claim = opinion.claim
    symbol = claim.symbol
    hints = opinion.hints
    if opinion.verdict == "confirmed" and isinstance(claim, ApproxDPClaim) and claim.delta > max(claim.epsilon, _LARGE):
        little = "delta = 1 is true of every mechanism" if claim.delta == 1 else "such a claim says little"
        text = f"the claim {claim} has the larger delta, and {little}: are the two numbers swapped?"
        return ("premise", f"{premise_words(opinion)}; {text}") if opinion.premises else ("advice", text)
    if opinion.verdict == "confirmed" and opinion.premises:
        return "premise", premise_words(opinion)
    if opinion.verdict in ("refuted", "contradicted-by-evidence") and opinion.premises:
        return "reason", f"{opinion.reason}; premise: {premise_words(opinion)}"
    if opinion.undeclared == NEIGHBOURS:
        return "advice", (
            "the sheet has samples or parts: do neighbouring data sets differ in one record that is added or removed? "
            f"Then add {NEIGHBOURS}. If one record is replaced by another: --neighbours replace-one; if it is set to "
            "zero: --neighbours zero-out."
        )
    if opinion.declare is not None:
        rule = f'"budget": {json.dumps(opinion.declare.document)}'
        if "delta_prime" in opinion.declare.document:
            rule += " with the delta_prime that the filter was given; this one is enough"
        one = "a JSON ledger, which `privref init` writes from a sheet"
        if not opinion.undeclared:
            return "advice", (
                "which budget was enforced while the events ran? If this filter alone decided, from the start, which "
                f"of them ran: declare {rule} in {one}"
            )
        where = "one ledger that holds the events of all" if opinion.undeclared == TOGETHER_FIXED else one
        asked = (
            f"{_fixed_question(opinion)} If not, which budget was enforced while the events ran? "
            f"If this filter alone decided, from the start, which of them ran: declare {rule} in {where}"
        )
        return "advice", asked
    if opinion.verdict in ("unsupported", "conditional") and hints is not None and hints.would_prove is not None:
        text = f"claim what privref proves: {symbol} = {hints.exactly or hints.would_prove}"
        text += f", or the claimed epsilon at delta = {hints.at_delta}" if hints.at_delta else ""
        if hints.rounded_down:
            text = f"the claim is the bound rounded down, and a bound has to be rounded up: {text}"
        if hints.by_filter:
            text += f", if the filter of {called(hints.by_filter, authors=False)} was the one enforced"
        if opinion.undeclared:
            text = f"{_fixed_question(opinion)} If not: {text}"
        return "advice", text
    if opinion.verdict == "conditional" and opinion.undeclared:
        return "advice", _fixed_question(opinion)
    if opinion.verdict == "underivable":
        text = "declare the mechanisms that ran: a worst case of the guarantees says nothing of them"
        return "advice", f"{text}; premise: {premise_words(opinion)}" if opinion.premises else text
    if opinion.verdict == "confirmed" and opinion.deciding is not None:
        return "", ""
    return "reason", opinion.reason


def lost_by(refutation: Refutation) -> str:
    """Return what loses as much as a lower bound says: the mechanisms of the ledger, or a worst case."""
    return "what ran" if refutation.witness.actual else "worst case"


def lost_symbol(refutation: Refutation) -> str:
    """Return what a lower bound is about: rho, or delta at some epsilon."""
    return "rho" if refutation.witness.statement.endswith(".rho") else "delta"


def lower_bound_by(refutation: Refutation) -> str:
    """Return what gives a lower bound: the theorem's name with its id, or the id of a statement without a name."""
    id = refutation.witness.statement
    stem = id.rpartition(".")[0]
    return name if (name := called(stem)) != stem else id


def counts(audit: Audit) -> tuple[tuple[str, int], ...]:
    """How many claims have which verdict: confirmed first, the rest in order of appearance."""
    counter = Counter({"confirmed": 0})
    counter.update(opinion.verdict for opinion in audit.opinions)
    return tuple(counter.items())


def counts_words(audit: Audit) -> str:
    """The summary line, e.g. ``1 of 2 confirmed, 1 unsupported``."""
    (_, confirmed), *rest = counts(audit)
    said = [f"{confirmed} of {len(audit.opinions)} confirmed", *(f"{count} {verdict}" for verdict, count in rest)]
    return ", ".join(said)
