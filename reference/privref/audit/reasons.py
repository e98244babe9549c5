"""Why a verdict is what it is, and what would prove the claim instead, in words and as data."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.errors import OutOfScopeError, PrivrefError
from privref.exact.numbers import rational, spell, written
from privref.guarantees.model import ZCDP, Guarantee, PureDP
from privref.ledger.model import Budget, Ledger
from privref.profiles.declared import Mechanism, is_short, mechanism_from, worst_case
from privref.statements.registry import statement
from privref.statements.theorems import called

from .claims import ApproxDPClaim, TotalClaim
from .engines import enclosed
from .facts import Facts, Finding
from .opinions import MOST_LETTERS, Bound, Hints, Opinion
from .routes import Route


def confirmed(item: Bound) -> str:
    """By what a claim is proved."""
    lifted = item.application.lifted_by
    text = f"proved by {called(item.application.by)}"
    return text + (f", of concurrent mechanisms by {called(lifted)}" if lifted else "")


def underivable(words: str) -> str:
    """What loses more than the claim, of what the guarantees allow."""
    return (
        "some mechanism with these guarantees loses more, so that no theorem proves it from this ledger; worst "
        f"case: {words}. This says nothing of the mechanisms that ran"
    )


def premises(item: Bound) -> tuple[Finding, ...]:
    """What no ledger can show, and a bound rests on."""
    return tuple(finding for finding in item.application.findings if finding.premise)


#: What a theorem for parameters that were fixed in advance rests on.
FIXED = "no privacy parameter was chosen after an answer was seen"
#: How parameters that were fixed in advance are declared of several ledgers together.
TOGETHER_FIXED = "--together fixed-in-advance"


def undeclared(ledger: Ledger) -> str:
    """Return how to say that parameters were fixed in advance, where the ledger says neither that nor the contrary.

    What each of several ledgers says of its own does not count for all of them together.
    """
    if ledger.together:
        return TOGETHER_FIXED if ledger.may_be_fixed and ledger.parameters != "fixed-in-advance" else ""
    return "--parameters fixed-in-advance" if ledger.parameters is None else ""


#: How the neighbours of a sheet are declared.
NEIGHBOURS = "--neighbours add-or-remove-one"


def to_declare(budget: Budget) -> str:
    """What a ledger has to say so that a conditional claim is proved."""
    return (
        "that holds only if exactly this filter decided, from before the first event, which events ran, since a filter "
        "or a split chosen after the run proves nothing; if it did, declare in the ledger "
        f'"budget": {json.dumps(budget.document)}'
    )


def inapplicable(by: str, unmet: Sequence[Finding]) -> str:
    """The first hypothesis that is not met."""
    return f"{called(by)} requires {unmet[0].hypothesis.value}: {unmet[0].how}"


def why_not_a_route(by: str, routes: tuple[Route, ...]) -> str:
    """Why the theorem that a claim names cannot audit it."""
    names = [route.by for route in routes]
    try:
        wrong = statement(by).standing == "printed"
    except OutOfScopeError:
        if called(by) == by:  # Else a theorem of several statements.
            near = difflib.get_close_matches(by, names, n=1)
            meant = f"; did you mean {near[0]}?" if near else "."
            return f"no theorem is called {by!r}{meant} These audit this kind of claim: {', '.join(names)}"
        wrong = False
    if wrong:
        return f"{by} is the printed form of a statement that is wrong; no audit may use it"
    return f"{called(by)} does not bound this kind of claim; these do: {', '.join(names)}"


#: Fewer decimals are as likely a round number as a bound that was cut.
_LEAST_DECIMALS = 2


def unsupported(facts: Facts, claim: TotalClaim, relevant: Sequence[Bound]) -> tuple[str, Hints | None]:
    """Why the tightest of the relevant theorems does not prove the claim, and what would, in words and as data.

    What to declare of mechanisms is added by ``advised``.
    """
    tightest = relevant[0]
    by = tightest.application.by
    if tightest.enclosure is None:
        return f"{called(by)} gives no bound here: {tightest.note}", None
    lower, upper = tightest.enclosure.decimals(9)
    symbol = claim.symbol
    only = "" if tightest.application.supposed is None else ", and that only had its filter been the one enforced"
    text = (
        f"{called(by)} proves only {symbol} in [{lower}, {upper}]{only}, which is above the claim; "
        "this does not show it false."
    )
    decimals = _decimal_places(claim.size)
    by_filter = "" if tightest.application.supposed is None else by
    if decimals is None:
        return text, Hints(by_filter=by_filter)
    places = max(decimals, _LEAST_DECIMALS)
    unit = Fraction(1, 10**places)
    proves = -(-tightest.enclosure.upper // unit) * unit
    rounded_up, exactly = _plain(proves, places), _exactly(relevant, proves)
    digits = max(decimals, _written_places(claim))
    last = Fraction(1, 10**digits)
    rounded_down = digits >= _LEAST_DECIMALS and tightest.enclosure.lower // last * last == claim.size
    if rounded_down:
        text += f" The claim is that bound rounded down to {digits} decimals; a privacy bound must be rounded up."
    delta = _delta_at_claim(facts, claim, tightest)
    text += f" It would prove {symbol} = {exactly or rounded_up}"
    text += f", or the claimed epsilon at delta = {delta}." if delta else "."
    return text, Hints(rounded_up, delta, rounded_down, exactly=exactly, by_filter=by_filter)


def _exactly(relevant: Sequence[Bound], most: Fraction) -> str | None:
    """The least number that a theorem proves exactly, as people write it, and on the same terms as the tightest one."""
    supposed = relevant[0].application.supposed is not None
    return next(
        (
            written(rational(item.value))
            for item in relevant
            if item.value is not None
            and len(item.value) <= MOST_LETTERS
            and item.enclosure is not None
            and item.enclosure.upper <= most
            and (item.application.supposed is not None) == supposed
        ),
        None,
    )


def _written_places(claim: TotalClaim) -> int:
    """The decimals with which the claim was written, trailing zeros too; 0 where it was not written as a decimal."""
    text = str((claim.document or {}).get(claim.symbol, ""))
    whole, _, decimals = text.partition(".")
    return len(decimals) if (whole + decimals).isdecimal() else 0


#: A claim with a larger delta is not advised.
_SAYS_LITTLE = Fraction(1, 10)


def _delta_at_claim(facts: Facts, claim: TotalClaim, tightest: Bound) -> str | None:
    """The delta at which the same theorem would prove the claimed epsilon, rounded up, where it has an inverse."""
    inverse = tightest.application.statement.removesuffix(".eps") + ".delta"
    inputs = dict(tightest.application.inputs)
    target = {
        "cks2020/zcdp2dp.delta": "delta",
        "mironov2017/mixed.delta": "delta",
        "kov2015/optimal.delta": "delta_g",
        "gdp/composition.delta": "delta",
    }
    of_moments = inverse in ("cks2020/zcdp2dp.delta", "mironov2017/mixed.delta")
    aside = _delta_aside(facts) if of_moments else Fraction(0)
    if inverse not in target or aside is None or not isinstance(claim, ApproxDPClaim):
        return None
    del inputs[target[inverse]]
    inputs["eps_g" if inverse.startswith(("kov", "mironov")) else "eps"] = claim.epsilon
    enclosure, _ = enclosed(inverse, inputs)
    if enclosure is None:
        return None
    upper = aside + (1 - aside) * enclosure.upper
    if upper > _SAYS_LITTLE:
        return None
    return Enclosure(upper, upper).decimals(4)[1]


def _delta_aside(facts: Facts) -> Fraction | None:
    """The delta_0 of approximate zCDP in delta_0 + (1 - delta_0) delta'; None where a filter's split decides it."""
    budget = facts.declarations.budget
    if facts.declarations.fixed:
        return facts.guarantees.zcdp_delta
    if budget is not None and budget.rho is not None:
        return budget.delta
    return None if facts.guarantees.zcdp_delta else Fraction(0)


def _decimal_places(value: Fraction) -> int | None:
    """How many decimals a terminating decimal has; None for other rationals."""
    denominator, places = value.denominator, 0
    while denominator % 10 == 0:
        denominator, places = denominator // 10, places + 1
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator, places = denominator // prime, places + 1
    return places if denominator == 1 else None


def _plain(value: Fraction, places: int) -> str:
    scaled = value * 10**places
    digits = spell(scaled).rjust(places + 1, "0")
    return digits if not places else f"{digits[:-places]}.{digits[-places:]}"


# --- what to declare where guarantees alone do not prove a claim, and what it would prove ----------------------------


#: The number is printed if it is cheap to find.
_MOST_DIFFERENT = 100
_MOST_ROUNDS = 10**6


def _plausible(guarantee: Guarantee) -> Mechanism | None:
    """The everyday mechanism with that guarantee: Gaussian for zCDP, Laplace for pure DP."""
    match guarantee:
        case ZCDP(rho, delta) if not delta and is_short(2 * rho):
            said = {"kind": "gaussian", "sigma": "1", "sensitivity_squared": spell(2 * rho)}
        case PureDP(epsilon) if is_short(epsilon):
            said = {"kind": "laplace", "scale": "1", "sensitivity": spell(epsilon)}
        case _:
            return worst_case(guarantee)
    return mechanism_from(said, "advice")


#: The everyday mechanism by the kind of guarantee that it has.
_EVERYDAY = {"zcdp": "Gaussian", "pure-dp": "Laplace"}


_BARE = "the mechanisms that ran, with their parameters, so that their own laws are composed"
_SHORT = "the mechanisms that ran, with their noise"


def _advice(facts: Facts, claim: TotalClaim, *, only_if_proved: bool) -> tuple[str, str]:
    """What to declare, in words and in short; "" where mechanisms would not count or nothing is known of them.

    Were the everyday mechanisms those that ran, what would zdw2022/thm10 give: a number, and no proof of anything.
    """
    # Of a group or of what was selected no mechanism's own law is composed, whatever is declared.
    if not isinstance(claim, ApproxDPClaim) or not facts.declarations.fixed or not facts.attainable:
        return "", ""
    counter: Counter[Mechanism] = Counter()
    supposed: set[str] = set()
    for event in facts.ledger.ran:
        found = event.law if event.law is not None and event.law.upper is not None else _plausible(event.guarantee)
        if found is None:
            return ("", "") if only_if_proved else (_BARE, _SHORT)
        if found is not event.law and event.guarantee.kind in _EVERYDAY:
            supposed.add(event.guarantee.kind)
        counter[found] += event.count
    if not supposed:
        return "", ""
    if len(counter) > _MOST_DIFFERENT or counter.total() > _MOST_ROUNDS or not 0 < claim.delta < 1:
        return ("", "") if only_if_proved else (_BARE, _SHORT)
    rounds = tuple(counter.items())

    def tells(known: Enclosure) -> bool:
        """Whether every tighter enclosure would be printed alike."""
        return _decimal(known.lower) == _decimal(known.upper) and not known.lower <= claim.epsilon < known.upper

    # Imported late: few audits give advice.
    from privref.profiles.composed import eps_until

    try:
        enclosure = eps_until(rounds, claim.delta, tells)
    except PrivrefError:
        enclosure = None
    if enclosure is None:
        return ("", "") if only_if_proved else (_BARE, _SHORT)
    proves = enclosure.upper <= claim.epsilon
    if only_if_proved and not proves:
        return "", ""
    gives = _decimal(enclosure.upper)
    effect = "which would prove the claim" if proves else "which would not prove it either"
    were = " and ".join(f"the {kind} events {_EVERYDAY[kind]} mechanisms" for kind in sorted(supposed))
    words = f"{_BARE}: were {were}, {called('zdw2022/thm10', authors=False)} would give epsilon = {gives}, {effect}"
    kinds = " and ".join(sorted(_EVERYDAY[kind] for kind in supposed))
    enough = "" if proves else ", which is still above the claim"
    return words, f"{_SHORT}; if it was {kinds} noise, privref would find epsilon = {gives}{enough}"


def _decimal(value: Fraction) -> str:
    """The value rounded up to 5 decimals."""
    whole, part = divmod(-(-value * 10**5 // 1), 10**5)
    return f"{whole}.{part:05d}"


def advised(opinion: Opinion, facts: Facts, claim: TotalClaim) -> Opinion:
    """The opinion with what to declare of mechanisms, where they could count."""
    if opinion.hints is None or opinion.verdict not in ("underivable", "unsupported"):
        return opinion
    declare, short = _advice(facts, claim, only_if_proved=opinion.verdict == "unsupported")
    reason = f"{opinion.reason.removesuffix('.')}; declare {declare}" if declare else opinion.reason
    return replace(opinion, reason=reason, hints=replace(opinion.hints, mechanisms=declare, mechanisms_short=short))
