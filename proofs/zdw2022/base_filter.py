"""A filter that counts rounds of DP-SGD: each is dominated by one round of the base, (q0, s0), fixed in advance.

Let M = (1 - q) N(0, s^2) + q N(1, s^2) and N = N(0, s^2) be the pair of a step, q <= q0 and s >= s0. First s: adding
normal noise of variance s^2 - s0^2 to the answer, a post-processing, makes the pair of (q, s) of that of (q, s0).
Then q: with t = q/q0, M = (1 - t) N + t M0, and a hockey-stick divergence is convex in each of its laws and 0 of equal
ones, so that of (M, N) is at most t times that of (M0, N), and so is that of (N, M). Hence (M0, N) dominates the step.

By Theorem 10 of Zhu, Dong, Wang 2022 the product of pairs dominates adaptive composition where each pair dominates its
step whatever the earlier answers were. The number of steps is at most K, whatever they are: a run that ends earlier is
continued by base rounds that nobody looks at. So the whole is dominated by K base rounds, and the filter lets as many
run as there are where all is fixed: those of delta(eps_g) <= delta_g.

Hypotheses: one record added, removed or zeroed out; every record drawn on its own with probability q_t <= q0, at any
rate and noise s_t >= s0 chosen after the releases so far. Source: ours, by Theorems 10 and 11.
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Property, vanishes


def one_round(q, sigma, eps):
    """delta of one round: R > e^eps N from x on (removal), N > e^eps R up to another x (addition)."""
    s2, e = sigma**2, sp.exp(eps)

    def cdf(x):
        return (1 + sp.erf(x / sp.sqrt(2))) / 2

    x = s2 * sp.log((e - 1 + q) / q) + sp.Rational(1, 2)
    removal = q * cdf((1 - x) / sigma) + (1 - q - e) * cdf(-x / sigma)
    if 1 / e - 1 + q <= 0:
        return sp.N(removal, 40)
    y = s2 * sp.log((1 / e - 1 + q) / q) + sp.Rational(1, 2)
    addition = (1 - e * (1 - q)) * cdf(y / sigma) - e * q * cdf((y - 1) / sigma)
    return max(sp.N(removal, 40), sp.N(addition, 40))


def dominated(code):
    q, q0, n, n1 = sp.symbols("q q0 n n1", positive=True)
    mixed = (1 - q0) * n + q0 * n1
    assert vanishes((1 - q / q0) * n + q / q0 * mixed - ((1 - q) * n + q * n1))
    # One round is the base's own where it is equal, and no more where it has a smaller rate or more noise.
    for rate, sigma, eps in (("1/10", "1", "1/2"), ("1/2", "2", "1/4"), ("1/100", "1/2", "1")):
        base = tuple(map(sp.Rational, (rate, sigma, eps)))
        most = one_round(*base)
        for smaller in (sp.Rational(1, 2), sp.Rational(9, 10)):
            assert one_round(base[0] * smaller, *base[1:]) < most
            assert one_round(base[0], base[1] / smaller, base[2]) < most
        given = {"base_q": Fraction(rate), "base_sigma": Fraction(sigma), "eps_g": Fraction(eps)}
        near = Fraction(int(most * 10**25), 10**25)
        for own, noise in ((1, 1), (Fraction(1, 2), 1), (1, 2)):
            ran = {"q": (Fraction(rate) * own,), "sigma": (Fraction(sigma) * noise,), "steps": (1,)}
            assert code.exact(**given, **ran, delta_g=near * (1 + Fraction(1, 10**4))) == "CONT"
            assert code.exact(**given, **ran, delta_g=near * (1 - Fraction(1, 10**4))) == "HALT"
        beyond = {"q": (Fraction(rate) * 2,), "sigma": (Fraction(sigma),), "steps": (1,)}
        assert code.exact(**given, **beyond, delta_g=Fraction(999, 1000)) == "HALT"
        louder = {"q": (Fraction(rate),), "sigma": (Fraction(sigma) / 2,), "steps": (1,)}
        assert code.exact(**given, **louder, delta_g=Fraction(999, 1000)) == "HALT"


PROVES = (
    Property(
        "zdw2022/base_filter.decision",
        dominated,
        "the mixture, by SymPy; one round of 3 bases on both sides of its delta, which its formula gives",
        "grid",
    ),
)
