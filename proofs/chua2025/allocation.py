"""Balls in bins: every record in one of b batches, uniformly, the same in each of E epochs, noise multiplier s:

  P = (1/b) sum_i N(sqrt(E) e_i, s^2 I)  against  Q = N(0, s^2 I),  delta(eps) the larger of both orientations.

Hypotheses: each record's bin is drawn on its own; every step is a Gaussian query of one record of length at most 1.
Source: the dominating pair of Chua et al. 2025 (arXiv 2412.16802), of which the abstract was read; it is derived in
proofs/derivations/allocation.py.

dP/dQ is the mean of b independent exp(a z - a^2/2), a = sqrt(E)/s. With one bin that is a Gaussian query. With two,
given the first summand, both orientations are Black and Scholes' formulas of the second: one integral, at 30 digits.
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


def call(a, strike):
    """E(X - strike)_+ of X = exp(a Z - a^2/2)."""
    if strike <= 0:
        return 1 - strike
    d = (-CONTEXT.log(strike) + a * a / 2) / a
    return CONTEXT.ncdf(d) - strike * CONTEXT.ncdf(d - a)


def of_two(a, eps, removal):
    """E(A - K)_+ or E(1 - K A)_+ of the mean A of two, given the first summand."""
    k = CONTEXT.exp(eps)
    strike = 2 * k if removal else 2 / k

    def integrand(z):
        left = strike - CONTEXT.exp(a * z - a * a / 2)
        over = call(a, left)
        # A put option is the call option less the forward.
        value = over / 2 if removal else k * (over - 1 + left) / 2
        return CONTEXT.npdf(z) * (value if removal or left > 0 else 0)

    bend = (CONTEXT.log(strike) + a * a / 2) / a
    places = sorted({*(CONTEXT.mpf(t) for t in (-12, -6, -3, -1, 0, 1, 3, 6, 12)), bend})
    value, error = CONTEXT.quad(integrand, [*places, max(bend, 12) + a + 12], error=True)
    # Beyond the places there is less than a normal deviate has beyond 12 deviations, times exp(a z).
    return by_mpmath(value, error + CONTEXT.mpf(10) ** -20)


def profile(bins, sigma, epochs, eps):
    """The larger of both orientations, between two rationals."""
    a = CONTEXT.sqrt(real(epochs)) / real(sigma)
    if bins == 1:
        return by_mpmath(call(a, CONTEXT.exp(real(eps))))
    both = [of_two(a, real(eps), removal) for removal in (True, False)]
    return max(low for low, _ in both), max(high for _, high in both)


INPUTS = (
    (1, F(2), 3, F(1, 2)),
    (2, F(1), 1, F(1, 2)),
    (2, F(2), 1, F(1, 10)),
    (2, F(2), 4, F(1)),
    (2, F(1), 2, F(3)),
    (2, F(3), 1, F(0)),
)


def delta(code):
    for bins, sigma, epochs, eps in INPUTS:
        low, high = code.enclosed(3, bins=bins, sigma=sigma, epochs=epochs, eps=eps)
        assert meet((low, high), profile(bins, sigma, epochs, eps)), (bins, sigma, epochs, eps)
        assert high - low <= F(1, 10**3) * high, (bins, sigma, epochs, eps)


def inverse(code):
    for bins, sigma, epochs, asked in ((1, F(2), 1, F(1, 10**5)), (2, F(1), 1, F(1, 10**5)), (2, F(2), 2, F(1, 10**3))):
        low, high = code.enclosed(4, bins=bins, sigma=sigma, epochs=epochs, delta=asked)
        assert profile(bins, sigma, epochs, high)[0] <= asked <= profile(bins, sigma, epochs, low)[1], (bins, sigma)
        assert high - low <= F(1, 10**4) * high
    assert code.exact(bins=3, sigma=F(1), epochs=1, delta=F(1)) == 0


PROVES = (
    Property(
        "chua2025/allocation.delta",
        delta,
        "6 inputs of one bin (a formula) and two (an integral), within the error that its quadrature states",
        "grid",
    ),
    Property("chua2025/allocation.eps", inverse, "3 inputs: the same straddles delta", "grid"),
)
