"""One epoch of T shuffled batches loses at least what the event max_t w_t >= C shows of P = avg_t N(2 e_t, sigma^2 I)
against Q = avg_t N(e_t, sigma^2 I): delta >= P(max >= C) - e^eps Q(max >= C).

Every component of the mixture has the same probability of the event, by symmetry: the complement is that all T
coordinates lie below C, T - 1 of them centred at 0 and one at 2 (at 1 under Q).

Hypotheses: batches of a fixed size from one uniform shuffle, each record in one batch; clipping norm 1; neighbours
differ in one record, zeroed out; C is any real number.
Source: Chua et al. 2024 (arXiv 2403.17673), the lower bound on shuffled batches in Section 4; the pair re-derived.
"""

import sympy as sp

from proofs.transcription import Transcription, phi

sigma = sp.Symbol("sigma", positive=True)
eps = sp.Symbol("eps", nonnegative=True)
threshold = sp.Symbol("threshold", real=True)


def bound(sigma, batches, eps, threshold):
    below = [[phi((threshold - (centre if t == 0 else 0)) / sigma) for t in range(batches)] for centre in (2, 1)]
    p, q = (1 - sp.prod(factors) for factors in below)
    return p - sp.exp(eps) * q


PROVES = (
    Transcription(
        "chua2024/shuffled.delta",
        bound,
        tuple({"sigma": sigma, "batches": T, "eps": eps, "threshold": threshold} for T in (1, 2, 3, 5)),
        "every sigma > 0, eps >= 0 and threshold; 1, 2, 3 and 5 batches",
        "cases",
    ),
)
