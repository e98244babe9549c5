"""Lean files of Gaussian differential privacy, by sums over a grid (``PrivRef.Thm.GdpCertificate``).

The file lists the mu of each round. This module only proposes a distance of the normal laws, a grid and a precision,
and Lean bounds the hockey-stick divergence by sums over the grid. A finer grid has a smaller bound and takes longer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from privref.guarantees.model import GaussianDP
from privref.ledger.model import Ledger

from .closed import LEAST_DELTA
from .proposed import MOST_GROUPS, rat, rows

#: The theorem whose number these files check.
NORMAL_STATEMENT = "gdp/composition"

#: The widths of the bins that are tried: with the last Lean takes half a minute.
_WIDTHS = tuple(Fraction(1, parts) for parts in (100, 200, 500, 1000, 2000))
#: The share of delta that is left to the rounding of floats and of the kernel's fixed point.
_SPARE = 1 - 1e-9
#: The last bin for the sum of all weights: what lies beyond is a share of 1e-14.
_FARTHEST = 8
#: Beyond these the search, in floats, has no digits, or the kernel's numbers are long.
_MOST_DISTANCE, _MOST_EPSILON = 40, 600
#: A root is rounded up to a multiple of one by this.
_ROOT = 10**12


@dataclass(frozen=True)
class _Grid:
    """What Lean takes: the bins' width, the last bin, the number of bins below it, and the same of all weights."""

    width: Fraction
    last: Fraction
    bins: int
    all_bins: int

    def bound(self, distance: float, epsilon: float) -> float:
        """Return the delta at epsilon that Lean proves, in floats."""
        w, last = float(self.width), float(self.last)

        def weight(t: float) -> float:
            return math.exp(-t * t / 2)

        def down(t: float, bins: int) -> float:
            return math.fsum(weight(t - i * w) for i in range(bins + 1))

        edge = math.expm1(distance * w) * sum(weight(last + i * w) for i in (-1, 0, 1, 2))
        upper = math.exp(w * w / 2) * (down(last - w, self.bins) + down(last + w, self.bins) + edge)
        lost = upper - 2 * math.exp(epsilon) * down(last - distance, self.bins)
        return lost / (2 * down(_FARTHEST, self.all_bins)) + weight(last - self.bins * w)


def _groups(ledger: Ledger) -> list[tuple[int, Fraction]] | None:
    """Return the mus in the ledger's order, with how often each came in a row; None for any other ledger."""
    found: list[tuple[int, Fraction]] = []
    for event in ledger.ran:
        guarantee = event.guarantee
        if not isinstance(guarantee, GaussianDP):
            return None
        if found and found[-1][1] == guarantee.mu:
            found[-1] = (found[-1][0] + event.count, guarantee.mu)
        elif len(found) == MOST_GROUPS:
            return None
        else:
            found.append((event.count, guarantee.mu))
    return found or None


def _distance(groups: Sequence[tuple[int, Fraction]]) -> Fraction:
    """Return the root of the sum of the squares, rounded up where it is irrational."""
    square = sum((n * mu**2 for n, mu in groups), Fraction(0))
    root = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    if root**2 == square:
        return root
    return Fraction(math.isqrt(math.floor(square * _ROOT**2)) + 1, _ROOT)


def _grid(distance: Fraction, epsilon: Fraction, delta: Fraction) -> _Grid | None:
    """Return the coarsest grid that reaches the claim."""
    if not 0 < distance <= _MOST_DISTANCE or epsilon > _MOST_EPSILON:
        return None
    # The place of no loss at epsilon, and how far below it the rest is a small part of delta.
    kink = distance / 2 - epsilon / distance
    reach = math.sqrt(2 * (math.log(1 / delta) + 23))
    if reach + kink <= 0:
        return None
    for width in _WIDTHS:
        last = Fraction(math.floor((kink - width / 2) * 10**9), 10**9)
        bins = math.ceil((float(last) + reach) / width)
        grid = _Grid(width, last, bins, math.ceil(2 * _FARTHEST / width))
        if bins > 0 and grid.bound(float(distance), float(epsilon)) < float(delta) * _SPARE:
            return grid
    return None


def normal_file(ledger: Ledger, epsilon: Fraction, delta: Fraction) -> str | None:
    """Return the Lean file that proves (epsilon, delta) of a ledger of Gaussian differential privacy.

    None for a ledger of anything else, and where no grid that is tried reaches the claim.
    """
    groups = _groups(ledger)
    if groups is None or not LEAST_DELTA <= delta < 1:
        return None
    distance = _distance(groups)
    grid = _grid(distance, epsilon, delta)
    if grid is None:
        return None
    # So many bits that the smallest weights have digits.
    farthest = max(abs(float(grid.last - distance)) + 1, abs(float(grid.last - grid.bins * grid.width)) + 1, _FARTHEST)
    bits = 256 + math.ceil(farthest**2 / 2 / math.log(2))
    declared = [event for event in ledger.ran if event.law is not None or event.trial is not None]
    converted = (
        "A round declared by mechanism is listed with the μ that follows from it; not proved in this library.\n"
        if declared
        else ""
    )
    rounded = (
        "Rounded parameters are listed at the end where most is lost; that it covers the others is not proved here.\n"
        if ledger.rounded
        else ""
    )
    return f"""/-
Certificate for the claim ε = {epsilon}, δ = {delta} of Gaussian differential privacy by `{NORMAL_STATEMENT}`.

What Lean checks as `claim`: an upper bound of the hockey-stick divergence at exp(ε) of two normal laws whose means
have a distance of at least √(Σ μ_i²), by sums of exp(-t²/2) over a grid of step {grid.width}.

What makes it privacy, as `privacy`:
every interaction whose mechanisms have the ledger's μ_i-GDP, in its order, is (ε, δ)-DP, with databases and mechanisms
that are chosen on the way (Dong, Roth, Su 2022, Corollaries 1 and 2).
Proved in this library: PrivRef.gdp_certificate_is_a_privacy_guarantee.
It is about the real numbers that the library constructs, and about every law `N` with two properties of the normal law
(what a shift does to it, and the law of a sum). That the normal law has them, and that there is such a law, is not
proved in this library. A round is μ-GDP there if it is post-processed from a normal number with the mean 0 or μ, which
by Blackwell's theorem, not proved here, is the definition by trade-off functions.
It asks for functions of the view that are measurable along the tree (hf).
{converted}{rounded}That the ledger describes what was run is not for Lean to check.
-/
module

public import PrivRef.Thm.GdpCertificate

@[expose] public section

namespace PrivRef.Certificate

open PrivRef PrivRef.Numerics PrivRef.Reals

/-- The ledger: how often a μ came in a row. -/
def ledger : List (Nat × Rat) :=
  {rows([f"({n}, {rat(mu)})" for n, mu in groups])}

/-- The distance of the normal laws is {distance}. -/
theorem claim : gdpCheck 96 {bits} {grid.bins} {grid.all_bins} {rat(grid.width)} {rat(grid.last)} {_FARTHEST}
    {rat(distance)} ledger
    {rat(epsilon)} {rat(delta)} = true := by decide +kernel

/-- Every measurable test of the view, in both directions. -/
theorem privacy.{{u}} (N : NormalLaw reals) (g : GdpAnalyst.{{u}} N (listedNumbers reals ledger))
    (f : g.View → reals.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ reals.exp (ofRat {rat(epsilon)}) * g.expect (!b) f + ofRat {rat(delta)} :=
  gdp_certificate_is_a_privacy_guarantee reals_have_roots N claim g f hf h0 h1 b

end PrivRef.Certificate
"""
