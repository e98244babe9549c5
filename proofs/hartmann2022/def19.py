"""The filter equivalent to Algorithm 1: HALT if sum eps^i > eps_t or sum delta_i > delta_t, else CONT; eps^i is what
the observed cell cost, and for the requested round the supremum of E_i.

Hypotheses: as Theorem 7. Source: the paragraph after Definition 19, Algorithm 6.
"""

import sympy as sp

from proofs.transcription import Transcription, listed, total


def verdict(eps, delta, eps_t, delta_t):
    return "HALT" if total(eps) > eps_t or total(delta) > delta_t else "CONT"


PROVES = (
    Transcription(
        "hartmann2022/def19.simple_filter",
        verdict,
        tuple(
            {
                "eps": listed("e", n),
                "delta": listed("d", n),
                "eps_t": sp.Symbol("eps_t", nonnegative=True),
                "delta_t": sp.Symbol("delta_t", nonnegative=True),
            }
            for n in range(4)
        ),
        "up to 3 rounds, ties included",
        "cases",
    ),
)
