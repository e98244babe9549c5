"""A bound of the squared sensitivity of a binary tree's sums, to a unit in k of n rounds at most, b apart (ours).

Hypotheses: a unit changes the sums that hold a round of its own, each round's by 1 at most, all in one direction at
worst. Source: Kairouz et al. 2021, the tree of DP-FTRL; the bound is ours.

The sums are those of 2^l rounds in a row from a multiple of 2^l on, all of which are among the n. A unit of one round
is in as many of them as n has binary digits. Here every set of rounds is tried; sums do not cancel.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product

from proofs.transcription import Property

F = Fraction
ID = "kairouz2021/tree.sensitivity_squared"


def largest(n, k, b):
    sums = [range(first, first + size) for size in (2**level for level in range(n.bit_length()))
            for first in range(0, n - size + 1, size)]  # fmt: skip
    return max(
        sum(sum(t in each for t in rounds) ** 2 for each in sums)
        for size in range(1, k + 1)
        for rounds in combinations(range(n), size)
        if all(later - earlier >= b for earlier, later in pairwise(rounds))
    )


def bounds_every_set_of_rounds(code):
    for n, k, b in product((1, 2, 3, 5, 8, 12, 13), (1, 2, 4), (1, 2, 3, 5)):
        stated, found = code.exact(rounds=n, participations=k, separation=b), largest(n, k, b)
        assert found <= stated <= F(9, 8) * found, (n, k, b, stated, found)
        if k == 1:
            assert stated == found == n.bit_length()


PROVES = (Property(ID, bounds_every_set_of_rounds, "up to 13 rounds, every set", "cases"),)
