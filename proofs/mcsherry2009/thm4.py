"""Parallel composition: of mechanisms on disjoint parts, one neighbour changes the data of one only.

Hypotheses: the parts are fixed by a public key, and a unit lies in one of them. Source: Theorem 4.
"""

import sympy as sp

from proofs.transcription import Transcription


def largest(eps):
    known = sp.S.Zero
    for part in eps:
        known = known if known >= part else part
    return known


PROVES = (
    Transcription(
        "mcsherry2009/thm4.eps",
        largest,
        tuple({"eps": tuple(sp.Symbol(f"eps{i}", nonnegative=True) for i in range(size))} for size in range(4)),
        "up to 3 parts",
        "cases",
    ),
)
