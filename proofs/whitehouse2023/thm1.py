"""The zCDP filter stops after N rounds, the least n at which the next round would take the sum of the rhos above rho or
the sum of the deltas above delta (strictly); all rounds run if there is no such n.

Hypotheses: rho_n, delta_n known before round n. Source: Theorem 1, N = inf{n : rho < sum_{m <= n+1} rho_m or
delta < sum_{m <= n+1} delta_m}; n = 0 has to be allowed (E10).
"""

import sympy as sp

from proofs.transcription import Transcription, listed, rounds, total

rho = sp.Symbol("rho", nonnegative=True)
delta = sp.Symbol("delta", nonnegative=True)


def stop(rho, delta, rhos, deltas):
    for n in range(len(rhos)):
        if rho < total(rhos[: n + 1]) or delta < total(deltas[: n + 1]):
            return sp.Integer(n)
    return sp.Integer(len(rhos))


PROVES = (
    *(
        Transcription(
            f"whitehouse2023/thm1.{name}",
            lambda **inputs: total(c * v for v, c in next(iter(inputs.values()))),
            tuple({f"{name}s": rounds(name, size)} for size in range(4)),
            "lists of any length with up to 3 different values (what the filter has spent when it continues)",
            "cases",
        )
        for name in ("rho", "delta")
    ),
    Transcription(
        "whitehouse2023/thm1.N",
        stop,
        tuple(
            {"rho": rho, "delta": delta, "rhos": listed("r", size), "deltas": listed("d", size)} for size in range(4)
        ),
        "up to 3 rounds, ties included",
        "cases",
    ),
)
