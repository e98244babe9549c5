"""DP is output DP with constant E = eps (Lemma 3); output DP is DP at the supremum of E (Lemma 4); subset DP on every
cell is output DP with the sum of the cells' deltas (Lemma 6).

Hypotheses: none. Source: Lemmas 3, 4, 6.
"""

import sympy as sp

from proofs.transcription import Transcription, listed, total


def supremum(E):  # noqa: N803
    best = E[0]
    for cost in E[1:]:
        best = cost if cost > best else best
    return best


PROVES = (
    Transcription("hartmann2022/lem3.E", lambda eps: eps, ({"eps": sp.Symbol("eps", nonnegative=True)},), "every eps"),
    Transcription(
        "hartmann2022/lem4.eps", supremum, tuple({"E": listed("E", n)} for n in (1, 2, 3)), "up to 3 cells", "cases"
    ),
    Transcription(
        "hartmann2022/lem6.delta",
        lambda Delta: total(Delta),  # noqa: N803
        tuple({"Delta": listed("d", n)} for n in range(5)),
        "up to 4 cells",
        "cases",
    ),
)
