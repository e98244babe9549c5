"""The odometer of Rogers et al. as restated: for V in [1/|x|^2, 1],
sqrt(2V (log(110 e) + 2 log(log|x|/delta'))) + V/2; outside,
sqrt(2 (1/|x|^2 + V)(1 + 1/2 log(1 + |x|^2 V)) log log(4/delta' log_2|x|)) + V/2.

The iterated logarithm of the last branch is wrong, it is a single one (E6). Hypotheses: delta' in (0, 1/e], |x| >= 2
(not stated there; |x| = 1 has log 0). Source: Lemma 3.
"""

import sympy as sp

from proofs.transcription import Transcription

V = sp.Symbol("V", nonnegative=True)
n = 2 + sp.Symbol("m", nonnegative=True)
delta_prime = sp.exp(-1 - sp.Symbol("over", nonnegative=True))


def inside(V, n):  # noqa: N803
    return sp.S.One / n**2 <= V and V <= 1


def branch2(V, n, delta_prime):  # noqa: N803
    return second(V, n, delta_prime) if inside(V, n) else "refused"


def second(V, n, delta_prime):  # noqa: N803
    return sp.sqrt(2 * V * (sp.log(110 * sp.E) + 2 * sp.log(sp.log(n) / delta_prime))) + V / 2


def branch3(last):
    def formula(V, n, delta_prime):  # noqa: N803
        argument = last(4 / delta_prime * sp.log(n) / sp.log(2))
        return sp.sqrt(2 * (1 / n**2 + V) * (1 + sp.log(1 + n**2 * V) / 2) * argument) + V / 2

    return formula


def corrected(V, n, delta_prime):  # noqa: N803
    return "refused" if inside(V, n) else branch3(sp.log)(V, n, delta_prime)


def odometer(V, n, delta_prime):  # noqa: N803
    return second(V, n, delta_prime) if inside(V, n) else branch3(sp.log)(V, n, delta_prime)


CASES = ({"V": V, "n": n, "delta_prime": delta_prime},)
EVERY = "every V >= 0, n >= 2, delta' in (0, 1/e]"

PROVES = (
    Transcription("whitehouse2023/lem3.branch2", branch2, CASES, EVERY),
    Transcription("whitehouse2023/lem3.branch3.printed", branch3(lambda z: sp.log(sp.log(z))), CASES, EVERY),
    Transcription("whitehouse2023/lem3.branch3.corrected", corrected, CASES, EVERY),
    Transcription("whitehouse2023/lem3.odometer", odometer, CASES, EVERY + ", both ends of [1/n^2, 1]"),
)
