"""Laws X and Y are (eps, delta)-indistinguishable if P[X in S] <= e^eps P[Y in S] + delta and the reverse, for all S
(Definition 2.1); pointwise if |log(P[X=a]/P[Y=a])| <= eps with probability at least 1 - delta over a ~ X "or" a ~ Y,
which has to be read as "under each" (E28; Definition 2.2). The statements give the least delta.

Hypotheses: e^eps >= 1. Source: Definitions 2.1, 2.2.
"""

from itertools import combinations

import sympy as sp

from proofs.transcription import Transcription

F = sp.Rational


def subsets(places):
    return (chosen for size in range(len(places) + 1) for chosen in combinations(places, size))


def over_sets(p, q, exp_eps):
    def worst(first, second):
        return max(sum(first[o] - exp_eps * second[o] for o in S) for S in subsets(range(len(p))))

    return max(worst(p, q), worst(q, p)) if exp_eps >= 1 else "refused"


def pointwise(p, q, exp_eps):
    if exp_eps < 1:
        return "refused"
    bad = []
    for o in range(len(p)):
        # |log(p/q)| > eps, where a ratio with one zero is infinite and an outcome with two zeros never happens.
        if p[o] == 0 and q[o] == 0:
            continue
        if p[o] == 0 or q[o] == 0 or sp.Max(p[o] / q[o], q[o] / p[o]) > exp_eps:
            bad.append(o)
    return max(sum(p[o] for o in bad), sum(q[o] for o in bad))


LAWS = (
    ((F(1, 6), F(1, 30), F(4, 5)), (F(1, 30), F(1, 6), F(4, 5))),
    ((F(1, 2), F(1, 2), F(0)), (F(0), F(1, 2), F(1, 2))),
    ((F(1), F(0), F(0)), (F(1, 3), F(1, 3), F(1, 3))),
    ((F(1, 2), F(1, 4), F(1, 4)), (F(1, 4), F(1, 2), F(1, 4))),
)
CASES = tuple({"p": p, "q": q, "exp_eps": x} for p, q in LAWS for x in (F(1), F(3, 2), F(2), F(5), F(1, 2)))

PROVES = (
    Transcription("rogers2016/def2.1.delta", over_sets, CASES, "20 pairs of laws, all sets S, ties included", "grid"),
    Transcription("rogers2016/def2.2.delta", pointwise, CASES, "20 pairs of laws, ties and zeros included", "grid"),
)
