"""Gaussian noise that is correlated over the rounds of a run (DP-FTRL, matrix mechanisms).

A run adds C^-1 z to the sums x_1, ..., x_n of its rounds: z is normal, of sigma in each coordinate, and C is lower
triangular with c_0, c_1, ... on its diagonals. That is what C x + z gives, multiplied by C^-1. Sums may depend on
earlier answers, and the run loses no more than one Gaussian query of the largest |C u|, u being what a unit changes
(Denisov et al. 2022, Theorem 2.1; proofs/derivations/correlated.py).

With |u_t| <= 1 in the unit's rounds t, at most k and at least b apart, |C u|^2 <= sum of |K_ij| over pairs of these
rounds, K = C'C, and K_ij = sum of c_a c_(a + j - i), a from 0 to n - 1 - j, for i <= j.

* c_0 >= c_1 >= ... >= 0: every K_ij is at least 0, and falls as j and j - i grow. In increasing order the p-th and
  q-th rounds of any pattern have j >= q b and j - i >= (q - p) b: none has more than 0, b, 2 b, ... together.
* no c_a for a >= b, or one round only: K_ij = 0 for different rounds of the unit, and K_jj falls as j grows.
* rounds that are exactly b apart, and no c_a below 0: j - i is given, and K_ij falls as j grows.

In these cases u = 1 in the rounds 0, b, 2 b, ... attains it. Elsewhere |C u| <= |A u| entry by entry for any A of
entries >= |C|: of |c_a|, or of the largest |c_s|, s >= a, which never rise.

A buffered linear Toeplitz matrix (BLT) has c_0 = 1 and c_a = sum of omega_j theta_j^(a - 1). A binary tree has a row
for each 1, 2, 4, ... rounds in a row from a multiple of their number, as soon as they are complete: 1 in its rounds. Of
s rounds in a row at most m = ceil(s/b) are a unit's, and of the complete rows of s rounds at most t together: the sum
of squares of numbers <= m of sum <= t is convex in them, and at most floor(t/m) m^2 + (t mod m)^2.

On samples a record is drawn, by a coin of its own, in each of its rounds. If these are b apart and no c_a, a >= b, is
there, what it changes in one of them are other sums than in the next: given all answers before, these are one query on
a Poisson sample, of the norm of a column. So a run has as many such rounds as a record has (cyclic Poisson sampling).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Annotated, Any

from privref.exact.arithmetic import Arithmetic
from privref.exact.errors import InputError
from privref.statements.params import AnyNumber, Count, Probability, Whole, choice
from privref.statements.registry import Result, implements

#: More coefficients than this, sums that a unit changes, digits of their common denominator, and runs of one ledger are
#: refused.
MOST_COEFFICIENTS, MOST_CHANGED, MOST_DIGITS, MOST_RUNS = 10_000, 10**5, 60, 20
#: Of a BLT: its buffers, and these times the rounds.
MOST_BUFFERS, MOST_STEPS = 20, 200_000
#: To a multiple of what a BLT's coefficients are rounded.
_UNIT = 2**80
#: How far apart a unit's rounds are: at least, or exactly, the separation.
SPACINGS = ("at-least", "exactly")


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


@implements(
    "kalinin2024/bound.sensitivity_squared",
    kind="upper",
    cites="Theorem 2; of other coefficients by larger ones, and of rounds that are exactly as far apart",
    standing="ours",
)
def bounded_sensitivity_squared(
    ar: Arithmetic,
    coefficients: tuple[AnyNumber, ...],
    rounds: Count,
    participations: Count,
    separation: Count,
    spacing: Annotated[str, choice(*SPACINGS)],
) -> Result:
    """A bound of the squared l2 norm that a unit of norm 1 changes C x by, C a Toeplitz matrix of any coefficients.

    kalinin2024/bound.sensitivity_squared (ours): kalinin2024/thm2.sensitivity_squared where that speaks of the
    coefficients, or of their sizes where rounds are exactly ``separation`` apart; else that of the coefficients
    max |c_s| over s >= t, of which none is smaller. Attained by coefficients >= 0, rounds exactly apart.
    """
    return squares(coefficients, rounds, participations, separation, spacing, "")[0]


@implements("dvijotham2024/blt.sensitivity_squared", kind="exact", cites="the coefficients of a BLT")
def blt_sensitivity_squared(
    ar: Arithmetic,
    omega: tuple[Probability, ...],
    theta: tuple[Probability, ...],
    rounds: Annotated[int, Whole(1, MOST_COEFFICIENTS)],
    participations: Count,
    separation: Count,
) -> Result:
    """The largest squared l2 norm that a unit of norm 1 changes C x by, C a buffered linear Toeplitz matrix.

    dvijotham2024/blt.sensitivity_squared (Dvijotham et al. 2024): kalinin2024/thm2.sensitivity_squared of the
    coefficients c_0 = 1 and c_t = sum of omega_j theta_j^(t - 1), which never rise where the omega sum to 1 at most.
    """
    _require_buffers(omega, theta, rounds, "")
    if sum(omega) > 1:
        raise InputError("omega", sum(omega), "they sum to 1 at most, so that no coefficient rises")
    band, left = [ar.real(Fraction(1))], [ar.real(each) for each in omega]
    for _ in range(rounds - 1):
        band.append(ar.sum(left))
        left = [each * decay for each, decay in zip(left, theta, strict=True)]
    first = first_rounds(rounds, participations, separation, "")
    return ar.sum([each * each for each in _changed(band, rounds, first, ar.real(Fraction(0)))])


@implements(
    "kairouz2021/tree.sensitivity_squared", kind="upper", cites="the binary tree of all rounds", standing="ours"
)
def tree_sensitivity_squared(
    ar: Arithmetic, rounds: Annotated[int, Whole(1, 10**6)], participations: Count, separation: Count
) -> Result:
    """A bound of the squared l2 norm that a unit of norm 1 changes the sums of a binary tree by.

    kairouz2021/tree.sensitivity_squared (ours): each 1, 2, 4, ... rounds in a row, from a multiple of their number,
    have a sum, once they are complete. A unit is in at most ``participations`` rounds, at least ``separation`` apart.
    Exact for one round of a unit: the number of sums that it is in (Kairouz et al. 2021, Section 4).
    """
    return tree_squares(rounds, participations, separation, "")[0]


def largest_square(
    coefficients: Sequence[Fraction], rounds: int, participations: int, separation: int, place: str
) -> Fraction:
    """The sum of squares above; InputError names the field, at ``place``, that is not as the theorem asks."""
    most, least = squares(coefficients, rounds, participations, separation, SPACINGS[0], place)
    if most != least:
        remedy = (
            "give coefficients that are at least 0 and never rise, or no more of them than the separation: of others "
            "the worst rounds of a unit are not known here"
        )
        raise _refused(place, "coefficients", "coefficients that rise or are below 0", remedy)
    return most


def squares(
    coefficients: Sequence[Fraction], rounds: int, participations: int, separation: int, spacing: str, place: str
) -> tuple[Fraction, Fraction]:
    """The most that |C u|^2 can be, and what it is of the first rounds; equal where a theorem says so."""
    band = list(coefficients[:rounds])
    while band and not band[-1]:
        band.pop()
    if not band or not band[0]:
        remedy = "the first one is on the main diagonal, and is not 0"
        raise _refused(place, "coefficients", "no first coefficient", remedy)
    first = first_rounds(rounds, participations, separation, place)
    if min(rounds, first[-1] + len(band)) > MOST_CHANGED:
        raise _too_many(place, rounds)
    unit = 1
    for c in band:
        unit = math.lcm(unit, c.denominator)
        if unit >= 10**MOST_DIGITS:
            remedy = f"write them as decimals, or as doubles: their common denominator has at most {MOST_DIGITS} digits"
            raise _refused(place, "coefficients", "numbers of many digits", remedy)

    def square(band: list[int]) -> Fraction:
        return Fraction(sum(each * each for each in _changed(band, rounds, first, 0)), unit * unit)

    whole = [int(c * unit) for c in band]
    larger = [abs(c) for c in whole]
    if spacing == "at-least":
        larger = list(accumulate(reversed(larger), max))[::-1]
    if len(first) == 1 or len(band) <= separation:
        larger = whole
    least = square(whole)
    return least if whole == larger else square(larger), least


def tree_squares(rounds: int, participations: int, separation: int, place: str) -> tuple[Fraction, Fraction]:
    """The same of a binary tree, whose rows are the sums of complete rounds."""
    first = first_rounds(rounds, participations, separation, place)
    most = least = 0
    for level in range(rounds.bit_length()):
        held = Counter(start >> level for start in first if start >> level < rounds >> level)
        # As the first ones, as many rounds as there can be are in one row, and in all.
        of_one, of_all = held[0], held.total()
        most += of_all // of_one * of_one**2 + (of_all % of_one) ** 2
        least += sum(times * times for times in held.values())
    return Fraction(most), Fraction(least)


def blt_squares(
    omega: Sequence[Fraction],
    theta: Sequence[Fraction],
    rounds: int,
    participations: int,
    separation: int,
    spacing: str,
    place: str,
) -> tuple[Fraction, Fraction]:
    """The same of a BLT, of coefficients that are rounded up, and down, to a multiple of 2^-80."""
    _require_buffers(omega, theta, rounds, place)

    def rounded(up: Callable[[Fraction], int]) -> list[Fraction]:
        band, left = [Fraction(1)], [up(each * _UNIT) for each in omega]
        for _ in range(rounds - 1):
            band.append(Fraction(sum(left), _UNIT))
            left = [up(each * decay) for each, decay in zip(left, theta, strict=True)]
        return band

    run = rounds, participations, separation, spacing, place
    return squares(rounded(math.ceil), *run)[0], squares(rounded(math.floor), *run)[1]


def _changed(band: Sequence[Any], rounds: int, first: range, nothing: Any) -> list[Any]:
    """What a unit adds to each sum: what it does b rounds before, and c_t, less what its last round had then."""
    last, changed = len(first) * first.step, list[Any]()
    for t in range(min(rounds, first[-1] + len(band))):
        before = changed[t - first.step] if t >= first.step else nothing
        now, gone = (band[i] if 0 <= i < len(band) else nothing for i in (t, t - last))
        changed.append(before + now - gone)
    return changed


def first_rounds(rounds: int, participations: int, separation: int, place: str) -> range:
    """As many rounds of a unit as there is room for, and may be; of each matrix here every one changes a sum."""
    times = min(participations, -(-rounds // separation))
    if times > MOST_CHANGED:
        raise _too_many(place, rounds)
    return range(0, times * separation, separation)


def _require_buffers(omega: Sequence[Fraction], theta: Sequence[Fraction], rounds: int, place: str) -> None:
    if len(omega) != len(theta) or not 1 <= len(omega) <= MOST_BUFFERS:
        remedy = f"each of 1 to {MOST_BUFFERS} buffers has an omega and a theta"
        raise _refused(place, "theta", f"{len(omega)} omega and {len(theta)} theta", remedy)
    if rounds * len(omega) > MOST_STEPS:
        raise _refused(place, "rounds", rounds, f"rounds times buffers are at most {MOST_STEPS}")


def _refused(place: str, field: str, value: object, remedy: str) -> InputError:
    return InputError(f"{place}.{field}".removeprefix("."), value, remedy)


def _too_many(place: str, rounds: int) -> InputError:
    return _refused(place, "rounds", rounds, f"a unit changes at most {MOST_CHANGED} sums of a run that is read")
