"""Gaussian noise that is correlated over the rounds of a run (DP-FTRL, matrix mechanisms), C a Toeplitz matrix.

A run adds C^-1 z to the sums x_1, ..., x_n of its rounds: z is normal, of sigma in each coordinate, and C is lower
triangular with c_0, c_1, ... on its diagonals. That is what C x + z gives, multiplied by C^-1. Sums may depend on
earlier answers, and the run loses no more than one Gaussian query of the largest |C u|, u being what a unit changes
(Denisov et al. 2022, Theorem 2.1; proofs/derivations/correlated.py).

With |u_t| <= 1 in the unit's rounds t, at most k and at least b apart, |C u|^2 <= sum of |K_ij| over pairs of these
rounds, K = C'C, and K_ij = sum of c_a c_(a + j - i), a from 0 to n - 1 - j, for i <= j.

* c_0 >= c_1 >= ... >= 0: every K_ij is at least 0, and falls as j and j - i grow. In increasing order the p-th and
  q-th rounds of any pattern have j >= q b and j - i >= (q - p) b: none has more than 0, b, 2 b, ... together.
* no c_a for a >= b, or one round only: K_ij = 0 for different rounds of the unit, and K_jj falls as j grows.

In both cases u = 1 in the rounds 0, b, 2 b, ... attains it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

from privref.exact.arithmetic import Arithmetic
from privref.exact.errors import InputError
from privref.statements.params import AnyNumber, Count
from privref.statements.registry import Result, implements

#: More coefficients than this, sums that a unit changes, digits of their common denominator, and runs of one ledger are
#: refused.
MOST_COEFFICIENTS, MOST_CHANGED, MOST_DIGITS, MOST_RUNS = 10_000, 10**5, 60, 20


@implements(
    "kalinin2024/thm2.sensitivity_squared",
    kind="exact",
    cites="Theorem 2; and for a band that is no longer than the separation, where coefficients may have any sign",
)
def sensitivity_squared(
    ar: Arithmetic, coefficients: tuple[AnyNumber, ...], rounds: Count, participations: Count, separation: Count
) -> Result:
    """The largest squared l2 norm that a unit of norm 1 changes C x by, C a Toeplitz matrix.

    kalinin2024/thm2.sensitivity_squared (Kalinin and Lampert 2024, Theorem 2): |C(e_0 + e_b + e_2b + ...)|^2 for a unit
    in at most ``participations`` of the ``rounds``, at least ``separation`` = b apart. C is lower triangular with the
    coefficients on its diagonals, which are >= 0 and never rise, or 0 from the b-th on. Exact.
    """
    return largest_square(coefficients, rounds, participations, separation, "")


def largest_square(
    coefficients: tuple[Fraction, ...], rounds: int, participations: int, separation: int, place: str
) -> Fraction:
    """The sum of squares above; InputError names the field, at ``place``, that is not as the theorem asks."""

    def refused(field: str, value: object, remedy: str) -> InputError:
        return InputError(f"{place}.{field}".removeprefix("."), value, remedy)

    band = list(coefficients[:rounds])
    while band and not band[-1]:
        band.pop()
    if not band or not band[0]:
        raise refused("coefficients", "no first coefficient", "the first one is on the main diagonal, and is not 0")
    if len(band) > MOST_COEFFICIENTS:
        raise refused("coefficients", f"{len(band)} coefficients", f"at most {MOST_COEFFICIENTS} are read")
    # As many rounds of a unit as there is room for: of a lower C each changes one sum at least.
    times = min(participations, -(-rounds // separation))
    if times > MOST_CHANGED:
        raise refused("rounds", rounds, f"a unit changes at most {MOST_CHANGED} sums of a run that is read")
    first = range(0, times * separation, separation)
    falling = all(a >= b for a, b in pairwise((*band, Fraction(0))))
    if len(first) > 1 and len(band) > separation and not falling:
        remedy = (
            "give coefficients that are at least 0 and never rise, or no more of them than the separation: of others "
            "the worst rounds of a unit are not known here"
        )
        raise refused("coefficients", "coefficients that rise or are below 0", remedy)
    length, unit = min(rounds, first[-1] + len(band)), 1
    if length > MOST_CHANGED:
        raise refused("rounds", rounds, f"a unit changes at most {MOST_CHANGED} sums of a run that is read")
    for c in band:
        unit = math.lcm(unit, c.denominator)
        if unit >= 10**MOST_DIGITS:
            remedy = f"write them as decimals, or as doubles: their common denominator has at most {MOST_DIGITS} digits"
            raise refused("coefficients", "numbers of many digits", remedy)
    # What the unit adds to the t-th sum is that of b rounds before, and c_t, less what its last round had then.
    whole_ones = [int(c * unit) for c in band] + [0] * length
    last = len(first) * separation
    changed: list[int] = []
    for t in range(length):
        before = changed[t - separation] if t >= separation else 0
        changed.append(before + whole_ones[t] - (whole_ones[t - last] if t >= last else 0))
    return Fraction(sum(each * each for each in changed), unit * unit)
