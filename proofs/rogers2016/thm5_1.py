"""The advanced filter: HALT once the deltas exceed delta_g/2 or eps_g is smaller than

  sum eps_j (e^eps_j - 1)/2
  + sqrt( 2 (sum eps_i^2 + eps_g^2/(28.04 log(1/delta_g)))
          (1 + 1/2 log( 28.04 log(1/delta_g) sum eps_i^2 / eps_g^2 + 1 )) log(2/delta_g) ).

Hypotheses: delta_g in (0, 1/e), eps_g > 0; RR_LOSS for the statement on the loss. Source: Theorem 5.1, equation (2).
The inner 28.04 is illegible in both extractions ("log(1/ 96)22i-1" in a); it is the beta of Theorem 4.1 and is derived
in proofs/derivations/rogers.py (E7).
"""

import sympy as sp

from proofs.transcription import Transcription, rounds, total

eps_g = sp.Symbol("eps_g", positive=True)
over = sp.Symbol("over", positive=True)
delta_g = sp.exp(-1 - over)
CONSTANT = sp.Rational(2804, 100)


def bound(eps, eps_g, delta_g):
    squares = total(c * e**2 for e, c in eps)
    drift = total(c * e * (sp.exp(e) - 1) / 2 for e, c in eps)
    beta = eps_g**2 / (CONSTANT * sp.log(1 / delta_g))
    inner = CONSTANT * sp.log(1 / delta_g) * squares / eps_g**2 + 1
    return drift + sp.sqrt(2 * (squares + beta) * (1 + sp.log(inner) / 2) * sp.log(2 / delta_g))


def decision(eps, delta, eps_g, delta_g):
    spent = total(c * d for d, c in delta)
    return "HALT" if spent > delta_g / 2 or eps_g < bound(eps, eps_g, delta_g) else "CONT"


def some(name, size):
    return tuple((sp.Symbol(f"{name}{i}", nonnegative=True), 1) for i in range(size))


PROVES = (
    Transcription(
        "rogers2016/thm5.1.bound",
        bound,
        tuple({"eps": rounds("e", size), "eps_g": eps_g, "delta_g": delta_g} for size in range(3)),
        "lists of any length with up to 2 different values",
        "cases",
    ),
    Transcription(
        "rogers2016/thm5.1.decision",
        decision,
        tuple(
            {"eps": some("e", size), "delta": some("d", size), "eps_g": eps_g, "delta_g": delta_g} for size in range(3)
        ),
        "up to 2 rounds, ties included",
        "cases",
    ),
)
