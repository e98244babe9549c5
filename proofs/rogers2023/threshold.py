"""Counts with discrete Laplace noise are shown where they reach a threshold: a person with m keys of their own, each
with a count of 1, is seen with probability 1 - (1 - P(1 + Z >= T))^m.

The tail is summed here from the law: P(Z = z) = (1 - r)/(1 + r) r^|z| with r = e^(-1/scale).

Hypotheses: noise on whole numbers, a key without a person is never shown. Source: after Algorithm 1 of Rogers 2023
(arXiv 2309.09170); the probability is that of the mechanism itself.
"""

import sympy as sp

from proofs.transcription import Transcription

scale = sp.Symbol("scale", positive=True)


def shown(scale, threshold, keys):
    r = sp.exp(-1 / scale)
    below = sum(((1 - r) / (1 + r) * r ** abs(z) for z in range(-threshold, threshold - 1)), sp.S.Zero)
    # What lies below -threshold is a geometric series.
    below += (1 - r) / (1 + r) * r ** (threshold + 1) / (1 - r)
    return 1 - sp.simplify(below) ** keys


PROVES = (
    Transcription(
        "rogers2023/threshold.delta",
        shown,
        tuple({"scale": scale, "threshold": T, "keys": m} for T in (1, 2, 5) for m in (1, 3)),
        "every scale > 0; thresholds 1, 2 and 5; 1 and 3 keys",
        "cases",
    ),
)
