"""Lean files of bounded ranges by the means of their losses (``PrivRef.Thm.RangeCertificate``).

The file lists the range of each round. This module only proposes upper bounds of the means, of log(1/delta) and of a
root, and Lean checks them.
"""

from __future__ import annotations

from decimal import localcontext
from fractions import Fraction

from privref.guarantees.model import BoundedRange
from privref.ledger.model import Ledger

from .closed import LEAST_DELTA, MOST_EPSILON
from .proposed import AT, DIGITS, MOST_EXPONENT, MOST_GROUPS, above, decimal, rat, rows

#: The theorem whose number these files check.
RANGE_STATEMENT = "dong2020/prop4"


def _mean(width: Fraction) -> Fraction:
    """Return a number above a - 1 - log a with a = eps/(1 - e^-eps), the largest mean of the loss."""
    eps = decimal(width)
    ratio = eps / (1 - (-eps).exp())
    return above(ratio - 1 - ratio.ln())


def _groups(ledger: Ledger) -> list[tuple[int, Fraction]] | None:
    """Return the ranges in the ledger's order, with how often each came in a row; None for any other ledger."""
    found: list[tuple[int, Fraction]] = []
    for event in ledger.ran:
        guarantee = event.guarantee
        if not isinstance(guarantee, BoundedRange) or not 0 < guarantee.epsilon <= MOST_EXPONENT:
            return None
        if found and found[-1][1] == guarantee.epsilon:
            found[-1] = (found[-1][0] + event.count, guarantee.epsilon)
        elif len(found) == MOST_GROUPS:
            return None
        else:
            found.append((event.count, guarantee.epsilon))
    return found or None


def ranges_file(ledger: Ledger, epsilon: Fraction, delta: Fraction) -> str | None:
    """Return the Lean file that proves (epsilon, delta) of a ledger's bounded ranges by Proposition 4.

    None for a ledger of anything else, and where the bound is above the claim.
    """
    groups = _groups(ledger)
    if groups is None or not LEAST_DELTA <= delta <= 1 or epsilon > MOST_EPSILON:
        return None
    with localcontext() as context:
        context.prec = DIGITS
        means = [_mean(width) for _, width in groups]
        log = above(-decimal(delta).ln())
        square = sum((n * width**2 for n, width in groups), Fraction(0))
        root = above((decimal(square * log) / 2).sqrt())
    if sum((n * mean for (n, _), mean in zip(groups, means, strict=True)), Fraction(0)) + root > epsilon:
        return None
    kept = [event for event in ledger.ran if event.law is not None or event.trial is not None]
    converted = (
        "A round declared by mechanism is listed with the range that follows from it; not proved in this library.\n"
        if kept
        else ""
    )
    rounded = (
        "Rounded parameters are listed at the end where most is lost; that it covers the others is not proved here.\n"
        if ledger.rounded
        else ""
    )
    return f"""/-
Certificate for the claim ε = {epsilon}, δ = {delta} of bounded ranges by `{RANGE_STATEMENT}`.

What Lean checks as `claim`: Dong, Durfee, Rogers 2020, Proposition 4:
Σ (a_i - 1 - log a_i) + √(Σ ε_i² log(1/δ) / 2) ≤ ε with a_i = ε_i/(1 - exp(-ε_i)).

What makes it privacy, as `privacy`:
every interaction whose mechanisms have the ledger's bounded ranges, in its order, is (ε, δ)-DP, with databases and
mechanisms that are chosen on the way.
Proved in this library: PrivRef.range_certificate_is_a_privacy_guarantee.
It is about the real numbers that the library constructs. It asks for functions of the view that are measurable along
the tree (hf).
{converted}{rounded}That the ledger describes what was run is not for Lean to check.
-/
module

public import PrivRef.Thm.RangeCertificate

@[expose] public section

namespace PrivRef.Certificate

open PrivRef PrivRef.Numerics PrivRef.Reals

/-- The ledger: how often a range came in a row. -/
def ledger : List (Nat × Rat) :=
  {rows([f"({n}, {rat(width)})" for n, width in groups])}

/-- Upper bounds of the means of the losses. -/
def means : List Rat :=
  {rows(list(map(rat, means)))}

/-- The first number is an upper bound of log(1/δ), the second one of the root. -/
theorem claim : rangeCheck {AT.squarings} {AT.bits}
    {rat(log)}
    {rat(root)} means ledger
    {rat(epsilon)} {rat(delta)} = true := by decide +kernel

/-- Every measurable test of the view, in both directions. -/
theorem privacy.{{u}} (g : RangeAdversary.{{u}} (expFieldLike reals) (listedNumbers reals ledger))
    (f : g.View → reals.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ reals.exp (ofRat {rat(epsilon)}) * g.expect (!b) f + ofRat {rat(delta)} :=
  range_certificate_is_a_privacy_guarantee reals_are_archimedean reals_have_logarithms
    reals_have_roots claim g f hf h0 h1 b

end PrivRef.Certificate
"""
