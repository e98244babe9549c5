"""Lean files of rounds of several kinds, by their moments at one Renyi order (``PrivRef.Thm.Listed``).

The file lists what each round of the ledger has: (epsilon, delta)-DP, zCDP, Renyi DP at one order, or Gaussian noise on
a Poisson sample. At an order it says what each may cost, and Lean checks every cost, their sum and the conversion. This
module only proposes the order, the costs and a precision.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from privref.certify.closed import LEAST_DELTA, MOST_EPSILON, MOST_ORDERS, log_moment, sampled_round
from privref.guarantees.model import BoundedRange, GaussianDP, RenyiDP, dp_parameters, zcdp_parameters
from privref.ledger.model import Event, Ledger

from .lean import LEAN_STATEMENTS
from .normal import NORMAL_STATEMENT
from .proposed import AT, DIGITS, MOST_EXPONENT, MOST_GROUPS, above, decimal, rat, rows
from .ranges import RANGE_STATEMENT

#: The theorems whose numbers these files check.
LISTED_STATEMENTS = ("mironov2017/mixed", "cks2020/rdp2dp")
CHECKED_STATEMENTS = (*LEAN_STATEMENTS, *LISTED_STATEMENTS, RANGE_STATEMENT, NORMAL_STATEMENT)
"""The theorems that have a Lean checker."""

#: The share of delta that the kernel's enclosures may take.
_SPARE = Decimal(10) ** -12

_NOT_PROVED = "not proved in this library"
_WORDS = {
    "pdp": f"as (ε, δ)-DP with the same numbers; {_NOT_PROVED}",
    "output-dp": "at its largest cell; proved in this library: PrivRef.odp_is_dp_with_supremum_cost",
    "gaussian-dp": f"as zCDP with ρ = μ²/2; {_NOT_PROVED}",
    "bounded-range": f"as zCDP with ρ = ε²/8; {_NOT_PROVED}",
    "mechanism": f"with the guarantee that follows from the mechanism it declares; {_NOT_PROVED}",
    "selection": f"with the guarantee of what was selected among several trials; {_NOT_PROVED}",
    "rounded parameters": f"at the end of the rounding where most is lost; that it covers the others is {_NOT_PROVED}",
}


@dataclass(frozen=True, slots=True)
class _Round:
    """What the file lists of a round: the constructor of Lean's `ListedRound`, and its numbers.

    For Renyi DP these are all declared orders with their costs, and the delta.
    """

    kind: str
    numbers: tuple[Fraction, ...]
    orders: tuple[tuple[Fraction, Fraction], ...] = ()

    def written(self, shift: Fraction) -> str:
        """Return the round in Lean, where the order is 1 + `shift`."""
        numbers = self.numbers
        if self.kind == "renyi":
            numbers = (shift, shift * dict(self.orders)[1 + shift], *numbers)
        return f".{self.kind} " + " ".join(map(rat, numbers))


@dataclass(frozen=True, slots=True)
class _Listing:
    """The rounds of a ledger in their order, with how often each came in a row, and how they were converted."""

    groups: tuple[tuple[int, _Round], ...]
    kinds: tuple[str, ...]

    @property
    def mass(self) -> Fraction:
        return sum((n * one.numbers[-1] for n, one in self.groups if one.kind != "sampled"), Fraction(0))


def _listing(ledger: Ledger) -> _Listing | None:
    """Return what the file lists; None where an event has nothing that it can list."""
    groups: list[tuple[int, _Round]] = []
    kinds: set[str] = {"rounded parameters"} if ledger.rounded else set()
    for event in ledger.ran:
        one = _sampled(event) if ledger.neighbours == "add-or-remove-one" else None
        if one is None:
            one = _declared(event)
            kinds |= set(_converted(event))
        if one is None:
            return None
        if groups and groups[-1][1] == one:
            groups[-1] = (groups[-1][0] + event.count, one)
        elif len(groups) == MOST_GROUPS:
            return None
        else:
            groups.append((event.count, one))
    return _Listing(tuple(groups), tuple(sorted(kinds))) if groups else None


def _sampled(event: Event) -> _Round | None:
    found = sampled_round(event)
    return None if found is None else _Round("sampled", (found.rate, found.distance))


def _declared(event: Event) -> _Round | None:
    guarantee = event.guarantee
    if isinstance(guarantee, RenyiDP):
        return _Round("renyi", (guarantee.delta,), guarantee.orders)
    # A bounded range is better as zCDP.
    dp = None if isinstance(guarantee, BoundedRange | GaussianDP) else dp_parameters(guarantee)
    found = zcdp_parameters(guarantee) if dp is None else dp
    return None if found is None else _Round("zcdp" if dp is None else "dp", found)


def _converted(event: Event) -> Iterator[str]:
    if event.guarantee.kind in _WORDS:
        yield event.guarantee.kind
    if event.law is not None or event.trial is not None:
        yield "mechanism"
    if event.selected or event.best_of:
        yield "selection"


# --- the order and the costs --------------------------------------------------------------------


def _log_kappa(m: float) -> float:
    """Return the logarithm of the least constant of conversion at the order 1 + m."""
    return -(1 + m) * math.log1p(1 / m) - math.log(m)


def _shifts(listing: _Listing, epsilon: Fraction) -> list[Fraction]:
    """Return the candidates for m, where the order is 1 + m: the best one if all of them are possible."""
    declared = [{order for order, _ in one.orders} for _, one in listing.groups if one.kind == "renyi"]
    sampled = any(one.kind == "sampled" for _, one in listing.groups)
    if declared:
        common = sorted(order - 1 for order in set.intersection(*declared) if order > 1)
        return [m for m in common if not sampled or (m.denominator == 1 and m < MOST_ORDERS)]
    if sampled:
        return [Fraction(m) for m in range(1, MOST_ORDERS)]
    rho = float(sum((n * one.numbers[0] for n, one in listing.groups if one.kind == "zcdp"), Fraction(0)))
    pure = [(n, float(one.numbers[0])) for n, one in listing.groups if one.kind == "dp"]

    def log_bound(log_m: float) -> float:
        m = math.exp(log_m)
        # cosh(eps (m + 1/2))/cosh(eps/2) without large exponents.
        moments = (n * (m * x + math.log1p(math.exp(-(2 * m + 1) * x)) - math.log1p(math.exp(-x))) for n, x in pure)
        return _log_kappa(m) + math.fsum(moments) + m * (m + 1) * rho - m * float(epsilon)

    low, high = -15.0, 25.0
    for _ in range(120):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if log_bound(a) < log_bound(b) else (a, high)
    return [Fraction(f"{math.exp((low + high) / 2):.6g}")]


def _cost(one: _Round, m: Fraction) -> Fraction | None:
    """Return what the round costs at the order 1 + m; None where the kernel's numbers would be long."""
    match one.kind:
        case "renyi":
            return m * dict(one.orders)[1 + m]
        case "zcdp":
            return m * (m + 1) * one.numbers[0]
        case "dp":
            eps = one.numbers[0]
            if (2 * m + 1) * eps > MOST_EXPONENT:
                return None
            far, near = (1 + (-decimal(x)).exp() for x in ((2 * m + 1) * eps, eps))
            return above(decimal(m * eps) + (far / near).ln())
        case _:
            rate, distance = one.numbers
            if m * (m + 1) * distance > 200:
                return None
            return above(log_moment(rate, distance, int(m)))


@dataclass(frozen=True, slots=True)
class _Proposed:
    """What Lean is to check: m, the costs of the groups at the order 1 + m, and a bound of log(1 - 1/(1 + m))."""

    m: Fraction
    costs: tuple[Fraction, ...]
    log: Fraction


def _proposed(listing: _Listing, epsilon: Fraction, delta: Fraction) -> _Proposed | None:
    """Return the candidate with the least delta, if that is at most what is claimed."""
    mass = listing.mass
    if not mass < delta <= 1 or mass >= 1:
        return None
    best: tuple[Decimal, _Proposed] | None = None
    with localcontext() as context:
        context.prec = DIGITS
        for m in _shifts(listing, epsilon):
            known: dict[_Round, Fraction | None] = {}
            for _, one in listing.groups:
                if one not in known:
                    known[one] = _cost(one, m)
            costs = [known[one] for _, one in listing.groups]
            found = [cost for cost in costs if cost is not None]
            if len(found) < len(costs):
                continue
            log = above(decimal(m / (1 + m)).ln())
            total = sum((n * cost for (n, _), cost in zip(listing.groups, found, strict=True)), Fraction(0))
            exponent = total - m * epsilon + (1 + m) * log
            value = decimal(exponent) - decimal(m).ln()
            if abs(exponent) < MOST_EXPONENT and (best is None or value < best[0]):
                best = value, _Proposed(m, tuple(found), log)
        if best is None or best[0] > decimal((delta - mass) / (1 - mass)).ln() - _SPARE:
            return None
    return best[1]


def listed_file(ledger: Ledger, epsilon: Fraction, delta: Fraction) -> str | None:
    """Return the Lean file that proves (epsilon, delta) of a ledger's rounds by their moments at one Renyi order.

    None for a ledger with an event that the file cannot list, and where no order that is looked at reaches the claim.
    """
    if not LEAST_DELTA <= delta <= 1 or epsilon > MOST_EPSILON:
        return None
    listing = _listing(ledger)
    found = _proposed(listing, epsilon, delta) if listing is not None else None
    if listing is None or found is None:
        return None
    m, samples = found.m, any(one.kind == "sampled" for _, one in listing.groups)
    listed = [f"({n}, {one.written(m)})" for n, one in listing.groups]
    converted = "".join(f"A round declared by {kind} is listed {_WORDS[kind]}.\n" for kind in listing.kinds)
    noise = (
        "In a sampled round one record is added or removed. Its noise may be any law with the shift property of\n"
        "Gaussian noise; the library proves it of the discrete Gaussian on the integers, not of the normal law.\n"
        if samples
        else ""
    )
    return f"""/-
Certificate for the claim ε = {epsilon}, δ = {delta} of rounds of several kinds, by their moments at the order {1 + m}.

What Lean checks as `claim`: what each round costs at this order, which is the logarithm of its moment (for an
(ε₀, δ₀)-DP round that of randomized response: Mironov 2017, Table II), and that the sum converts to (ε, δ)
(Canonne, Kamath, Steinke 2020, Proposition 12; the δ of the rounds are added).

What makes it privacy, as `privacy`:
every interaction whose rounds have what the ledger lists, in its order, is (ε, δ)-DP, with databases, mechanisms and
queries that are chosen on the way.
Proved in this library: PrivRef.listed_certificate_is_a_privacy_guarantee.
It is about the real numbers that the library constructs. It asks for functions of the view that are measurable along
the tree (hf).
{noise}{converted}That the ledger describes what was run is not for Lean to check.
-/
module

public import PrivRef.Thm.Listed

@[expose] public section

namespace PrivRef.Certificate

open PrivRef PrivRef.Numerics PrivRef.Reals

/-- The ledger: how often a round came in a row, and what it has. -/
def ledger : List (Nat × ListedRound Rat) :=
  {rows(listed)}

/-- What a round of each costs at the order {1 + m}. -/
def costs : List Rat :=
  {rows(list(map(rat, found.costs)))}

/-- The order is 1 + m; the number before the costs is at least log(m/(1 + m)) for m = {m}. -/
theorem claim : listedCheck {AT.squarings} {AT.bits} {int(m) if samples else 0} {rat(m)}
    {rat(found.log)} costs ledger
    {rat(epsilon)} {rat(delta)} = true := by decide +kernel

/-- Every measurable test of the view, in both directions. -/
theorem privacy.{{u}} (g : ListedAnalyst.{{u}} reals (expFieldLike reals) (listedRounds reals ledger))
    (f : g.View → reals.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ reals.exp (ofRat {rat(epsilon)}) * g.expect (!b) f + ofRat {rat(delta)} :=
  listed_certificate_is_a_privacy_guarantee reals_have_logarithms claim g f hf h0 h1 b

end PrivRef.Certificate
"""
