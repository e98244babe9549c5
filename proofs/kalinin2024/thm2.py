"""The squared sensitivity of C x, C lower triangular Toeplitz, to a unit in at most k of n rounds, at least b apart:

  the largest |sum of u_t C e_t|^2 over all such sets of rounds t and all numbers |u_t| <= 1.

Hypotheses: the coefficients are at least 0 and never rise; or no more of them than b; or one round of a unit.
Source: Theorem 2 (the first case), for sums that may be chosen after earlier answers; the others are ours.

Here the matrix is written out, every set of rounds is tried, and every corner of the box of the u_t, where a convex
function of them is largest.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product

from proofs.transcription import Property

F = Fraction
ID = "kalinin2024/thm2.sensitivity_squared"


def largest(coefficients, n, k, b):
    matrix = [[coefficients[i - j] if 0 <= i - j < len(coefficients) else F(0) for j in range(n)] for i in range(n)]
    best = F(0)
    for size in range(1, k + 1):
        for rounds in combinations(range(n), size):
            if any(later - earlier < b for earlier, later in pairwise(rounds)):
                continue
            for signs in product((1, -1), repeat=size):
                changed = [sum((u * row[t] for u, t in zip(signs, rounds, strict=True)), F(0)) for row in matrix]
                best = max(best, sum((each * each for each in changed), F(0)))
    return best


FALLING = (
    (F(1),),
    (F(1), F(1, 2), F(3, 8), F(5, 16)),
    (F(2), F(2), F(1), F(0), F(0)),
    (F(1), F(1), F(1), F(1), F(1), F(1), F(1)),
)
ANY = ((F(1), F(-1)), (F(-1), F(3), F(-2)), (F(1, 2), F(2)))


def every_set_of_rounds(code):
    for n, k, b in product((1, 3, 6, 7), (1, 2, 3), (1, 2, 3)):
        for coefficients in FALLING:
            stated = code.exact(coefficients=coefficients, rounds=n, participations=k, separation=b)
            assert stated == largest(coefficients, n, k, b), (coefficients, n, k, b)
        for coefficients in ANY:
            if len(coefficients) <= b or k == 1:
                stated = code.exact(coefficients=coefficients, rounds=n, participations=k, separation=b)
                assert stated == largest(coefficients, n, k, b), (coefficients, n, k, b)


def others_are_refused(code):
    """What rises, or is below 0 and longer than the separation: the first rounds need not be the worst there."""
    assert largest((F(1), F(-1)), 4, 2, 1) > sum((F(1), F(0), F(-1)), F(0)) ** 2
    for coefficients in ((F(1), F(-1)), (F(1, 2), F(2)), (F(1), F(1, 2), F(3, 4))):
        assert code.refuses(coefficients=coefficients, rounds=4, participations=2, separation=1)
    assert code.refuses(coefficients=(F(0), F(1)), rounds=4, participations=1, separation=1)


PROVES = (
    Property(
        "kalinin2024/thm2.sensitivity_squared", every_set_of_rounds, "up to 7 rounds, every set, 7 bands", "cases"
    ),
    Property("kalinin2024/thm2.sensitivity_squared", others_are_refused, "bands of which it is not known", "cases"),
)
