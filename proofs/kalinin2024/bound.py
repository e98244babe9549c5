"""A bound of the squared sensitivity of C x, C lower triangular Toeplitz of any coefficients (ours).

Hypotheses: a unit changes each of its rounds by a vector of norm 1 at most. Source: ours, in the notation of Kalinin
and Lampert 2024, Theorem 2, whose hypotheses it does without.

  the largest |sum of u_t C e_t|^2 over all sets of at most k of n rounds t, at least or exactly b apart, |u_t| <= 1.

It is attained where thm2 says so, and by coefficients that are at least 0 if rounds are exactly b apart. Here every set
of rounds is tried, and every corner of the box of the u_t, as for thm2.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product

from proofs.transcription import Property

F = Fraction
ID = "kalinin2024/bound.sensitivity_squared"

BANDS = (
    (F(1), F(1, 2), F(3, 4), F(1, 4)),
    (F(1), F(-1)),
    (F(1), F(-1, 2), F(-1, 8), F(1, 3)),
    (F(-1, 2), F(2), F(1)),
    (F(1), F(1, 2), F(3, 8)),
    (F(1), F(0), F(1)),
)


def largest(coefficients, n, k, b, exactly):
    matrix = [[coefficients[i - j] if 0 <= i - j < len(coefficients) else F(0) for j in range(n)] for i in range(n)]
    best = F(0)
    for size in range(1, k + 1):
        for rounds in combinations(range(n), size):
            if any(later - earlier != b if exactly else later - earlier < b for earlier, later in pairwise(rounds)):
                continue
            for signs in product((1, -1), repeat=size):
                changed = [sum((u * row[t] for u, t in zip(signs, rounds, strict=True)), F(0)) for row in matrix]
                best = max(best, sum((each * each for each in changed), F(0)))
    return best


def bounds_every_set_of_rounds(code):
    for coefficients, n, k, b, exactly in product(BANDS, (1, 4, 6), (1, 2, 3), (1, 2, 3), (True, False)):
        spacing = "exactly" if exactly else "at-least"
        stated = code.exact(coefficients=coefficients, rounds=n, participations=k, separation=b, spacing=spacing)
        found = largest(coefficients, n, k, b, exactly)
        falling = all(x >= y >= 0 for x, y in pairwise((*coefficients, F(0))))
        known = falling or (exactly and min(coefficients) >= 0) or len(coefficients) <= b or min(n, k) == 1
        assert stated == found if known else stated >= found, (coefficients, n, k, b, spacing)


PROVES = (Property(ID, bounds_every_set_of_rounds, "up to 6 rounds, every set, 6 bands", "cases"),)
