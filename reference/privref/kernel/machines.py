"""What a machine showed: the reading of an odometer after an event, and what Algorithm 1 had left of its budget.

An odometer bounds the privacy loss at all times at once, also where parameters are chosen on the way. Its reading is a
formula in V, the sum of the squared epsilons of the events that ran (twice the rho of zCDP, a quarter of the squared
width of a bounded range), so that "it reads at most x" is one inequality. Some formulas fall where V grows: of numbers
that were published rounded the kernel checks no reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from privref.kernel.balls import Ball, at_most, normal_cdf, rational, summed, working
from privref.kernel.fields import Fields
from privref.kernel.numbers import Refused, shown, total
from privref.kernel.pairs import NOT_BY_ROUND
from privref.kernel.record import BEST, REPLACE, Event, Guarantee, Record
from privref.kernel.theorems import Counted, only, sequential, spent_by_cells

_ONE_SIDED = "the loss exceeds the reading at some time (Whitehouse et al. 2023, Definition 6)"
_TWO_SIDED = "the absolute value of the loss exceeds the reading at some time (Rogers et al. 2016, Definition 3.1)"
_PRECISION = 256


@dataclass(frozen=True, slots=True)
class Known:
    """What an odometer knows of the events so far, and what was fixed before the first one."""

    epsilons: Counted
    widths: Counted
    deltas: Counted
    time: Fraction
    delta: Fraction
    tuned: Mapping[str, Fraction]
    size: int


@dataclass(frozen=True, slots=True)
class Odometer:
    """One row: what it says, where it stands, what it needs, and the inequality that it reads at most a number."""

    says: str
    cites: str
    holds: Callable[[Known, Fraction], bool]
    tuned: tuple[str, ...] = ()
    sized: bool = False
    #: It covers rounds of probabilistic DP with a delta, and rounds of zCDP by their moments.
    pdp: bool = False
    moments: bool = False
    failure: str = _ONE_SIDED


def _log(known: Known) -> Ball:
    return -rational(known.tuned["delta_prime"]).log()


def _basic(known: Known, target: Fraction) -> bool:
    return total(known.deltas) <= known.delta and total(known.epsilons) + total(known.widths) <= target


def _drift(known: Known) -> Ball:
    """sum eps (e^eps - 1)/2, and width^2/8 for a bounded range: the most that the losses are in the mean."""
    parts = [n * rational(eps) * rational(eps).expm1() / 2 for eps, n in known.epsilons]
    return sum(parts, rational(total((w * w, n) for w, n in known.widths)) / 8)


def _in_epochs(known: Known) -> bool:
    return known.size**2 * known.time >= 1 and known.time <= 1


def _outside(known: Known, delta: Fraction) -> Ball:
    """sqrt(2 (1/n^2 + V) (1 + log(1 + n^2 V)/2) log(4 log_2(n)/delta))."""
    size, time = rational(known.size), rational(known.time)
    epochs = (4 * size.log() / rational(2).log() / rational(delta)).log()
    return (2 * (1 / size**2 + time) * (1 + (size**2 * time).log1p() / 2) * epochs).sqrt()


def _rogers(known: Known, target: Fraction) -> bool:
    """Equations (3) and (4)."""
    if total(known.deltas) > known.delta / 2:
        return False
    if not _in_epochs(known):
        return at_most(_drift(known) + _outside(known, known.delta), target)
    epochs = (4 * rational(known.size).log() / rational(2).log() / rational(known.delta)).log()
    spread = rational(known.time) * (1 + rational(3).log() / 2) * epochs
    return at_most(_drift(known) + 2 * spread.sqrt(), target)


def _restated(known: Known, target: Fraction) -> bool:
    prime, half = known.tuned["delta_prime"], rational(known.time) / 2
    if not _in_epochs(known):
        return at_most(_outside(known, prime) + half, target)
    inner = rational(110).log() + 1 + 2 * (rational(known.size).log() / rational(prime)).log()
    return at_most((2 * rational(known.time) * inner).sqrt() + half, target)


def _line(known: Known) -> Ball:
    """sqrt(2 y* l)/2 + sqrt(2 l) V/(2 sqrt(y*)) + V/2, l = log(1/delta')."""
    y, log = rational(known.tuned["y_star"]), _log(known)
    return (2 * y * log).sqrt() / 2 + (2 * log / y).sqrt() * rational(known.time) / 2 + rational(known.time) / 2


def _mixture(known: Known) -> Ball:
    """sqrt(2 (gamma + V) log(sqrt((V + gamma)/gamma)/delta')) + V/2."""
    gamma = known.tuned["gamma"]
    whole = known.time + gamma
    return (2 * rational(whole) * (rational(whole / gamma).log() / 2 + _log(known))).sqrt() + rational(known.time) / 2


def _stitched(known: Known) -> Ball:
    """1.7 sqrt(V (log log(2 V/v0) + 0.72 log(5.2/delta'))) + V/2, from V = v0 on."""
    if known.time < known.tuned["v0"]:
        raise Refused("the odometer shows inf: its intrinsic time has not reached v0")
    inner = rational(2 * known.time / known.tuned["v0"]).log().log()
    inner = inner + rational(Fraction(18, 25)) * (rational(Fraction(26, 5)).log() + _log(known))
    return rational(Fraction(17, 10)) * (rational(known.time) * inner).sqrt() + rational(known.time) / 2


def _one_sided(known: Known, target: Fraction) -> bool:
    """It reads sqrt(V + gamma) z + V/2 with z^2/2 + log(2 Phi(z)) = log(sqrt((V + gamma)/gamma)/delta').

    The left side increases with z: at the z of the target it is at least the right one.
    """
    gamma = known.tuned["gamma"]
    if target < known.time / 2:
        return False
    whole = known.time + gamma
    z = rational(target - known.time / 2) / rational(whole).sqrt()
    excess = z * z / 2 + (2 * normal_cdf(z)).log() - rational(whole / gamma).log() / 2 - _log(known)
    return at_most(-excess, Fraction(0))


def _reads(formula: Callable[[Known], Ball]) -> Callable[[Known, Fraction], bool]:
    return lambda known, target: at_most(formula(known), target)


def _repaired(formula: Callable[[Known], Ball]) -> Callable[[Known, Fraction], bool]:
    """Add log(1/(1 - delta)) for each round of probabilistic DP (ours)."""

    def holds(known: Known, target: Fraction) -> bool:
        if any(delta == 1 for delta, _ in known.deltas):
            raise Refused("a round with delta = 1 promises nothing")
        term = summed(-n * (-rational(delta)).log1p() for delta, n in known.deltas)
        return at_most(formula(known) + term, target)

    return holds


_THM3, _PRIME = "whitehouse2023/thm3", "delta_prime"
ODOMETERS: dict[str, Odometer] = {
    "rogers2016/thm3.3": Odometer("the sum of the epsilons", "Theorem 3.3", _basic, pdp=True, failure=_TWO_SIDED),
    "rogers2016/thm6.2": Odometer("the first of advanced rate", "Thm 6.2", _rogers, sized=True, failure=_TWO_SIDED),
    "whitehouse2023/lem3": Odometer("advanced rate, restated", "Lemma 3, corrected", _restated, (_PRIME,), sized=True),
    f"{_THM3}.filter": Odometer("tight at y*", "Theorem 3.1", _reads(_line), (_PRIME, "y_star"), moments=True),
    f"{_THM3}.mixture": Odometer("by mixtures", "Theorem 3.2", _reads(_mixture), (_PRIME, "gamma"), moments=True),
    f"{_THM3}.one_sided": Odometer("by mixtures on one side", "ours", _one_sided, (_PRIME, "gamma"), moments=True),
    f"{_THM3}.stitched": Odometer("a stitched boundary", "Thm 3.3", _reads(_stitched), (_PRIME, "v0"), moments=True),
    f"{_THM3}.filter.repaired": Odometer("tight, for pDP", "ours", _repaired(_line), (_PRIME, "y_star"), pdp=True),
    f"{_THM3}.mixture.repaired": Odometer("mixture, for pDP", "ours", _repaired(_mixture), (_PRIME, "gamma"), pdp=True),
    f"{_THM3}.stitched.repaired": Odometer("stitched, for pDP", "ours", _repaired(_stitched), (_PRIME, "v0"), pdp=True),
}


def declared(event: Event) -> Guarantee:
    """Return the guarantee that a machine knows of: the declared one, or the one that the declared law has."""
    law = event.law
    if law is not None and law.stated is not None and (law.cap is None or law.rho is None):
        raise Refused("no machine accounts for an event on samples with a cap")
    if law is not None and law.shared:
        raise Refused(NOT_BY_ROUND)
    found = event.own if event.guarantee is None else event.guarantee
    if found is not None:
        return found
    raise Refused("no machine accounts for an event on samples")


def _known(record: Record, row: Odometer, by: str, delta: Fraction, after: int) -> Known:
    """Add up what the odometer knows until then; Refused for one that it does not cover."""
    with_delta = [event for event in record.events if declared(event).delta]
    # Where all deltas are those of the worst case itself, its own loss is what is read.
    worst = all(event.law is not None and event.law.kind == "four-outcome-randomized-response" for event in with_delta)
    repaired = by.endswith(".repaired")
    epsilons, widths, deltas, squares = Counted(), Counted(), Counted(), Counted()
    for event, place in zip(record.events, record.places, strict=True):
        if place >= after:
            continue
        found, n = declared(event), event.count
        if found.kind in ("zcdp", "gaussian-dp"):
            if not row.moments or found.delta:
                raise Refused(f"{by} does not cover a {found.kind} event here")
            squares.append((2 * found.rho if found.kind == "zcdp" else found.mu**2, n))
        elif found.kind == "bounded-range":
            widths.append((found.epsilon, n))
            squares.append((found.epsilon**2 / 4, n))
        elif found.kind in ("rdp", BEST):
            raise Refused(f"{by} does not cover an event of Renyi DP")
        else:
            if found.delta and not (worst and not repaired) and not (row.pdp and found.kind == "pdp"):
                raise Refused(f"{by} does not cover a {found.kind} event with a delta")
            epsilon = max((cost for _, cost in found.cells), default=found.epsilon)
            epsilons.append((epsilon, n))
            deltas.append((found.delta, n))
            squares.append((epsilon**2, n))
    return Known(epsilons, widths, deltas, total(squares), delta, record.tuning.get(by, {}), record.size or 0)


def _reading(record: Record, fields: Fields, by: str, premises: list[str]) -> None:
    """Check that an odometer reads at most a number after this many entries of the ledger."""
    row = ODOMETERS.get(by)
    if row is None:
        raise Refused(f"{by} is no odometer of the kernel")
    target, delta = fields.exact("reading"), fields.exact("delta", at_most=1) if fields.has("delta") else Fraction(0)
    after = fields.whole("after_event", most=record.entries, least=0)
    sequential(record)
    tuned = record.tuning.get(by, {})
    if delta == 1 or any(tuned.get(name, 0) <= 0 for name in row.tuned):
        raise Refused(f"{by} needs a delta below 1, and in advance: {', '.join(row.tuned) or 'nothing else'}")
    prime = tuned["delta_prime"] if row.tuned else delta
    with working(_PRECISION):
        if row.sized:
            if not (record.public_size and record.neighbours == REPLACE and (record.size or 0) >= 2):
                raise Refused(f"{by} needs a public size of at least 2 of the data set, and replace-one neighbours")
            if not prime or not at_most(rational(prime).log(), Fraction(-1)):
                raise Refused(f"{by} needs a delta above 0 and below 1/e")
        if after == 0 and not row.tuned and not row.sized:
            raise Refused(f"{by} is not read before the first event")
        known = _known(record, row, by, delta, after)
        if row.tuned and (prime > delta or total(known.deltas) > delta - prime):
            raise Refused("the odometer shows inf: the deltas are more than its split leaves them")
        if not row.holds(known, target):
            raise Refused("the reading is not certainly at most the claimed one")
    fixed = ", ".join(f"{name} = {shown(tuned[name])}" for name in row.tuned)
    premises.append(f"of a reading by {by} this is proved: with probability at most {shown(delta)} {row.failure}")
    fixed = " and ".join(filter(None, (f"delta = {shown(delta)}", fixed)))
    premises.append(f"{fixed} fixed before the first event (no ledger can show it)")


def _remaining(record: Record, fields: Fields, by: str, premises: list[str]) -> None:
    """Check that so much was left of a budget by Algorithm 1 of Hartmann et al. 2022, which charges observed cells."""
    least = fields.inner("remaining").point()
    epsilon, delta = fields.exact("epsilon"), fields.exact("delta", at_most=1)
    sequential(record)
    if by != "hartmann2022/alg1":
        raise Refused(f"{by} leaves nothing of a budget")
    budget = record.budget
    if budget is None or budget.filter != by or (budget.size, budget.delta) != (epsilon, delta):
        raise Refused("the ledger names no budget of hartmann2022/alg1 that is the claim's")
    known = [replace(event, law=None, guarantee=declared(event)) for event in record.events]
    spent, lost = spent_by_cells(known, epsilon), total((event.own_delta, event.count) for event in known)
    if least[0] > epsilon - spent or least[1] > delta - lost:
        raise Refused(f"({shown(epsilon - spent)}, {shown(delta - lost)}) remains")
    premises.append(
        f"{by} with the budget epsilon = {shown(epsilon)}, delta = {shown(delta)}, and no other rule, decided from "
        "before the first event which events ran (no ledger can show this)"
    )


def showed(record: Record, said: object, proofs: list[Any], premises: list[str]) -> str:
    """Check the one proof of a claim about a machine; return the theorem."""
    case, by, witness = only(proofs)
    witness.done()
    with Fields(said, "certificate.claim") as fields:
        fields.name("id", required=True)
        named = fields.name("by")
        if case or (named and named != by):
            raise Refused(f"the claim is by {named}, the proof by {by}, with the parts {case}")
        (_reading if fields.has("reading") else _remaining)(record, fields, by, premises)
    return by
