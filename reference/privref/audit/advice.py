"""What to declare where guarantees alone do not prove a claim, and what it would prove."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.errors import PrivrefError
from privref.exact.numbers import spell
from privref.guarantees.model import ZCDP, Guarantee, PureDP
from privref.profiles.declared import Mechanism, is_short, mechanism_from, worst_case
from privref.statements.theorems import called

from .claims import ApproxDPClaim, TotalClaim
from .facts import Facts

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


def advice(facts: Facts, claim: TotalClaim, *, only_if_proved: bool) -> tuple[str, str]:
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
