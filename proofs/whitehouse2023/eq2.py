"""Advanced composition with different parameters: eps = sqrt(2 log(1/delta') sum eps_m^2)
+ sum eps_m (e^eps_m - 1)/(e^eps_m + 1), at delta = delta' + sum delta_m.

Hypotheses: parameters fixed in advance, delta' in (0, 1]. Source: equation (2).
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction, rounds, total


def eps_total(eps, delta_prime):
    gain = total(c * e * (sp.exp(e) - 1) / (sp.exp(e) + 1) for e, c in eps)
    return sp.sqrt(2 * sp.log(1 / delta_prime) * total(c * e**2 for e, c in eps)) + gain


PROVES = (
    Transcription(
        "whitehouse2023/eq2.eps",
        eps_total,
        (
            *tuple({"eps": rounds("e", size), "delta_prime": proper_fraction("t")} for size in range(3)),
            {"eps": rounds("e", 1), "delta_prime": sp.S.One},
        ),
        "lists of any length with up to 2 different values",
        "cases",
    ),
    Transcription(
        "whitehouse2023/eq2.delta",
        lambda delta, delta_prime: delta_prime + total(c * d for d, c in delta),
        tuple({"delta": rounds("d", size), "delta_prime": proper_fraction("t")} for size in range(3)),
        "lists of any length with up to 2 different values",
        "cases",
    ),
)
