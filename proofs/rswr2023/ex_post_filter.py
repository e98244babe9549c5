"""The ex-post filter (ours): what ex-post rounds have released, of the requested one its largest cost, is added to what
the other rounds cost at one Renyi order alpha > 1. It halts once the deltas sum to more than delta'', or the sum
converts (total + log(1 - 1/alpha) + log(1/(alpha delta'))/(alpha - 1)) to more than eps_g and no sum of epsilons alone,
where every other round has one, is within it.

Hypotheses: pure ex-post rounds, (eps, delta)-DP, zCDP; budget and order fixed in advance. Source: the question is of
Rogers, Samorodnitsky, Wu, Ramdas 2023; the rule and its proof are ours (proofs/derivations/ex_post.py).
"""

import sympy as sp

from proofs.transcription import Transcription, proper_fraction, rounds, total

alpha = 1 + sp.Symbol("a", positive=True)
eps_g = sp.Symbol("eps_g", nonnegative=True)


def response(eps, order):
    """Randomized response's divergence, expanded by e^(-alpha eps) and e^-eps."""
    if eps == 0:
        return sp.S.Zero
    return eps + (sp.log(1 + sp.exp((1 - 2 * order) * eps)) - sp.log(1 + sp.exp(-eps))) / (order - 1)


def decision(order, spends, eps, rho, delta, eps_g, delta_prime, delta_pp):
    if total(c * d for d, c in delta) > delta_pp:
        return "HALT"
    released, rhos = total(spends), total(c * r for r, c in rho)
    plain = not rhos > 0
    if plain and not released + total(c * e for e, c in eps) > eps_g:
        return "CONT"
    cost = released + order * rhos + total(c * response(e, order) for e, c in eps)
    cost += sp.log(1 - 1 / order) + sp.log(1 / (order * delta_prime)) / (order - 1)
    return "HALT" if cost > eps_g else "CONT"


PROVES = (
    Transcription(
        "rswr2023/ex_post_filter.decision",
        decision,
        tuple(
            {
                "order": alpha,
                "spends": tuple(sp.Symbol(f"s{i}", nonnegative=True) for i in range(n)),
                "eps": rounds("e", m, lowest="positive"),
                "rho": rounds("r", k, lowest="positive"),
                "delta": rounds("d", m),
                "eps_g": eps_g,
                "delta_prime": proper_fraction("t"),
                "delta_pp": proper_fraction("s"),
            }
            for n, m, k in ((0, 0, 0), (1, 1, 0), (2, 1, 1), (1, 0, 1), (2, 2, 0))
        ),
        "lists of any length with up to 2 different positive values, ties included",
        "cases",
    ),
)
