"""The Poisson-subsampled Gaussian, composed: one round is dominated, under add-or-remove-one, by R against N (removal)
and N against R (addition), N = N(0, s^2), R = (1 - q) N(0, s^2) + q N(1, s^2); k rounds by the k-fold products, each
orientation composed separately:

  delta(eps) = max over both orientations of sup_S P^k(S) - e^eps Q^k(S).

Hypotheses: every record is drawn on its own with probability q, anew in every round; parameters fixed in advance;
s is the noise's deviation over the sensitivity.
Source: Zhu, Dong, Wang 2022, Theorems 10 and 11.

Here one round is its own formula (half-lines are the best events, for the ratio is monotone), and two rounds are its
integral over the first one's outcome, at 30 digits.
"""

from fractions import Fraction

import mpmath

from proofs.numerals import by_mpmath, meet
from proofs.transcription import Property

F = Fraction
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 30


def real(value):
    value = F(value)
    return CONTEXT.mpf(value.numerator) / value.denominator


def ratio(q, s, x):
    """The density of R over that of N."""
    return 1 - q + q * CONTEXT.exp((2 * x - 1) / (2 * s * s))


def one_round(q, s, eps, removal):
    """sup_S P(S) - e^eps Q(S), any real eps."""

    def above(x):
        """Masses of R and of N beyond x."""
        n, moved = CONTEXT.ncdf(-x / s), CONTEXT.ncdf((1 - x) / s)
        return (1 - q) * n + q * moved, n

    scale = CONTEXT.exp(eps)
    # The ratio is scale (removal) or 1/scale (addition) at the end of the best event.
    level = (scale if removal else 1 / scale) - (1 - q)
    if level <= 0:
        return 1 - scale if removal else CONTEXT.mpf(0)
    r, n = above(s * s * CONTEXT.log(level / q) + CONTEXT.mpf(1) / 2)
    return r - scale * n if removal else (1 - n) - scale * (1 - r)


def two_rounds(q, s, eps, removal):
    """One round's, at eps less the loss of the other."""

    def integrand(x):
        n = CONTEXT.npdf(x, 0, s)
        r = ratio(q, s, x)
        if removal:
            return n * r * one_round(q, s, eps - CONTEXT.log(r), removal)
        return n * one_round(q, s, eps + CONTEXT.log(r), removal)

    places = [s * t for t in (-12, -8, -4, -2, 0, 1, 2, 3, 4, 6, 8, 12)] + [1 + 13 * s]
    value, error = CONTEXT.quad(integrand, places, error=True)
    # Beyond the places is what a normal deviate is beyond 12 deviations: less than 4e-33 to a side.
    return by_mpmath(value, error)


def in_one_orientation(q, s, k, eps, removal):
    """One round or two, between two rationals."""
    given = real(q), real(s), real(eps), removal
    return by_mpmath(one_round(*given)) if k == 1 else two_rounds(*given)


def profile(q, s, k, eps):
    """The larger of both orientations, between two rationals."""
    both = [in_one_orientation(q, s, k, eps, removal) for removal in (True, False)]
    return max(low for low, _ in both), max(high for _, high in both)


INPUTS = (
    (F(1, 2), F(2), 1, F(1, 2)),
    (F(1, 3), F(2), 1, F(1, 5)),
    (F(1, 10), F(1), 2, F(1)),
    (F(1, 4), F(3, 2), 2, F(1, 3)),
    (F(1, 4), F(3, 2), 2, F(0)),
    (F(9, 10), F(3), 2, F(4, 5)),
)


def delta(code):
    for q, sigma, k, eps in INPUTS:
        low, high = code.enclosed(4, q=q, sigma=sigma, k=k, eps=eps)
        assert meet((low, high), profile(q, sigma, k, eps)), (q, sigma, k, eps)
        assert high - low <= F(1, 10**5) * high, (q, sigma, k, eps)
    assert code.exact(q=F(0), sigma=F(1), k=3, eps=F(0)) == 0


def inverse(code):
    for q, sigma, k, asked in ((F(1, 4), F(3), 1, F(1, 10**6)), (F(1, 4), F(3), 2, F(1, 10**6))):
        low, high = code.enclosed(4, q=q, sigma=sigma, k=k, delta=asked)
        assert profile(q, sigma, k, high)[0] <= asked <= profile(q, sigma, k, low)[1], (q, sigma, k)
        assert high - low <= F(1, 10**5) * high
    assert code.exact(q=F(1, 10), sigma=F(1), k=1, delta=F(1)) == 0


PROVES = (
    Property(
        "zdw2022/poisson_gaussian.delta",
        delta,
        "6 inputs of one round (its formula) and two (its integral), within the error that its quadrature states",
        "grid",
    ),
    Property("zdw2022/poisson_gaussian.eps", inverse, "2 inputs: the same straddles delta", "grid"),
)
