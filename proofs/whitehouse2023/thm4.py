"""Line crossing: a martingale with sigma_n^2-subGaussian increments ever reaches b/2 + b V_n/(2a) with probability at
most exp(-b^2/(2a)).

Hypotheses: a, b > 0; one-sided. Source: Theorem 4.
"""

import sympy as sp

from proofs.transcription import Transcription

a, b = sp.symbols("a b", positive=True)
V = sp.Symbol("V", nonnegative=True)

PROVES = (
    Transcription(
        "whitehouse2023/thm4.tail", lambda a, b: sp.exp(-(b**2) / (2 * a)), ({"a": a, "b": b},), "every a, b > 0"
    ),
    Transcription(
        "whitehouse2023/thm4.boundary",
        lambda a, b, V: b / 2 + b / (2 * a) * V,  # noqa: N803
        ({"a": a, "b": b, "V": V},),
        "every a, b > 0, V >= 0",
    ),
)
