"""The Renyi filter of m orders: it halts once the sum of the deltas exceeds delta'', or the cost at every order exceeds
what converts at delta'/m to eps_g.

Hypotheses: as for one order; the orders fixed in advance. The share delta'/m is needed, as which order survives depends
on the answers: with N the largest of the m halting times, E[(1 - e^(eps - L_N))_+] is at most the sum over the orders.
Source: Lecuyer 2021 for the idea, the conversion as in proofs/feldman2021/renyi_filter.py.
"""

import sympy as sp

from proofs.feldman2021.renyi_filter import converted
from proofs.transcription import Transcription, proper_fraction, rounds, total

eps_g = sp.Symbol("eps_g", nonnegative=True)


def decision(order, eps_order, delta, eps_g, delta_prime, delta_pp):
    if total(c * d for d, c in delta) > delta_pp:
        return "HALT"
    for alpha, cost in zip(order, eps_order, strict=True):
        if not converted(alpha, cost, delta_prime / len(order)) > eps_g:
            return "CONT"
    return "HALT"


PROVES = (
    Transcription(
        "lecuyer2021/renyi_grid_filter.decision",
        decision,
        tuple(
            {
                "order": tuple(1 + sp.Symbol(f"a{i}", positive=True) + i for i in range(m)),
                "eps_order": tuple(sp.Symbol(f"e{i}", nonnegative=True) for i in range(m)),
                "delta": rounds("d", 1),
                "eps_g": eps_g,
                "delta_prime": proper_fraction("t"),
                "delta_pp": proper_fraction("s"),
            }
            for m in (1, 2)
        ),
        "up to 2 orders, ties included",
        "cases",
    ),
)
