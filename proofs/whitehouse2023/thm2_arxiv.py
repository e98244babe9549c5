"""The counterexample to the arXiv form of Theorem 2 (E3): one round that fails openly with probability delta, and k
rounds of eps0-randomized response, against the claimed eps = rho + 2 sqrt(rho log(1/delta)), rho = k eps0^2/2.

The exact delta of the interaction at that eps is delta + (1 - delta) h, h the hockey-stick divergence of k randomized
responses. Hypotheses: delta in (0, 1). Source: arXiv text, Theorem 2; witness ours.
"""

import math

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

e0 = sp.Symbol("e0", positive=True)


def exact_delta(k, e0, delta):
    rho = k * e0**2 / 2
    claimed = rho + 2 * sp.sqrt(rho * sp.log(1 / delta))
    terms = []
    for zeros in range(int(k) + 1):
        loss = (int(k) - 2 * zeros) * e0
        if loss > claimed:
            p = math.comb(int(k), zeros) * sp.exp((int(k) - zeros) * e0) / (1 + sp.exp(e0)) ** int(k)
            q = math.comb(int(k), zeros) * sp.exp(zeros * e0) / (1 + sp.exp(e0)) ** int(k)
            terms.append(p - sp.exp(claimed) * q)
    return delta + (1 - delta) * sp.Add(*terms)


PROVES = (
    Transcription(
        "whitehouse2023/thm2.arxiv.printed",
        lambda rho, delta: rho + 2 * sp.sqrt(rho * sp.log(1 / delta)),
        ({"rho": sp.Symbol("rho", nonnegative=True), "delta": proper_fraction("t")},),
        "every rho >= 0, delta in (0, 1)",
    ),
    Transcription(
        "whitehouse2023/thm2.arxiv_counterexample.delta",
        exact_delta,
        tuple(
            {"k": k, "e0": sp.Rational(1, 10), "delta": delta}
            for k, delta in (
                (1, sp.Rational(2, 3)),
                (2, sp.Rational(1, 2)),
                (3, sp.Rational(9, 10)),
                (6, sp.Rational(1, 10)),
            )
        ),
        "the three witnesses of E3 (k = 6, 2, 1) and k = 3",
        "cases",
    ),
)
