"""The weight of the part of a composition in which no round takes its bad part is prod (1 - delta_n), at least
1 - sum delta_n.

Hypotheses: independent coins. Source: Lemma 8, last display.
"""

import sympy as sp

from proofs.transcription import Transcription, rounds, total

CASES = tuple({"delta": rounds("d", size)} for size in range(4))

PROVES = (
    Transcription(
        "whitehouse2023/lem8.good",
        lambda delta: sp.Mul(*((1 - d) ** c for d, c in delta)),
        CASES,
        "lists of any length with up to 3 different values",
        "cases",
    ),
    Transcription(
        "whitehouse2023/lem8.lower",
        lambda delta: 1 - total(c * d for d, c in delta),
        CASES,
        "lists of any length with up to 3 different values",
        "cases",
    ),
)
