"""Noise reduction of randomized response: the answers y_1, …, y_m each are randomized response of e^eps_1 < … <
e^eps_m, and y_i is y_(i+1), flipped with the probability that makes it so. Whoever stops after y_T, by a rule of what
was seen, is claimed to lose at most E_T: the largest sum of (p - e^E_T q)_+ over the transcripts of any rule.

Here every rule is gone through, and the joint law is summed over all that comes later. Hypotheses: none. Source: the
noise reduction of Ligett et al. 2017 (of Laplace noise there; of randomized response: ours).
"""

from itertools import product

import sympy as sp

from proofs.transcription import Transcription

F = sp.Rational


def whole_law(exp_eps):
    """The law of all answers on either input, newest first."""
    m = len(exp_eps)
    right = [x / (1 + x) for x in exp_eps]
    law = {}
    for path in product((0, 1), repeat=m):
        flips = sp.S.One
        for i in range(m - 1):
            flip = (right[i + 1] - right[i]) / (2 * right[i + 1] - 1)
            flips *= flip if path[i] != path[i + 1] else 1 - flip
        last = right[-1]
        law[path] = tuple(flips * (last if path[-1] == x else 1 - last) for x in (0, 1))
    return law


def rules(m, seen=()):
    """Every stopping rule after these answers: the transcripts at which it stops."""
    if len(seen) == m:
        return [[seen]]
    onward = [a + b for a in rules(m, (*seen, 0)) for b in rules(m, (*seen, 1))]
    return [[seen], *onward] if seen else onward


def delta(exp_eps, exp_E):  # noqa: N803
    law = whole_law(exp_eps)
    best = sp.S.Zero
    for rule in rules(len(exp_eps)):
        lost = sp.S.Zero
        for seen in rule:
            p, q = (sum(pair[x] for path, pair in law.items() if path[: len(seen)] == seen) for x in (0, 1))
            excess = p - exp_E[len(seen) - 1] * q if seen else sp.S.Zero
            lost += max(excess, sp.S.Zero)
        best = max(best, lost)
    return best


PROVES = (
    Transcription(
        "ligett2017/gradual_response.delta",
        delta,
        tuple(
            {"exp_eps": stages, "exp_E": claims}
            for stages, claims in (
                ((F(3),), (F(2),)),
                ((F(2), F(3)), (F(2), F(3))),
                ((F(2), F(3)), (F(1), F(5, 2))),
                ((F(11, 10), F(2), F(6)), (F(11, 10), F(2), F(6))),
                ((F(11, 10), F(2), F(6)), (F(1), F(2), F(5))),
                ((F(3, 2), F(2), F(3)), (F(6, 5), F(9, 5), F(29, 10))),
            )
        ),
        "6 claims about 1 to 3 stages, every stopping rule gone through",
        "grid",
    ),
)
