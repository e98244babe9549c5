"""Laws X and Y are (eps, delta)-indistinguishable if P[X in S] <= e^eps P[Y in S] + delta and the reverse, for all S
(Definition 2.1); pointwise if |log(P[X=a]/P[Y=a])| <= eps with probability at least 1 - delta over a ~ X "or" a ~ Y,
which has to be read as "under each" (E28; Definition 2.2). The statements give the least delta.

Hypotheses: e^eps >= 1. Source: Definitions 2.1, 2.2.
"""

from itertools import combinations

import sympy as sp

from proofs.transcription import Transcription, total

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


def over_outcomes(p, q, exp_eps):
    """The maximum over S splits over the outcomes: one belongs to S unless its own term is negative."""

    def worst(first, second):
        terms = [a - exp_eps * b for a, b in zip(first, second, strict=True)]
        return sum(0 if term < 0 else term for term in terms)

    there, back = worst(p, q), worst(q, p)
    return back if back > there else there


def beyond(p, q, exp_eps):
    """P[X=a] > e^eps P[Y=a] or the reverse, with probabilities of zero as the limit of the ratio."""
    bad = [(a, b) for a, b in zip(p, q, strict=True) if a > exp_eps * b or b > exp_eps * a]
    under_p, under_q = total(a for a, _ in bad), total(b for _, b in bad)
    return under_q if under_q > under_p else under_p


growth = 1 + sp.Symbol("u", nonnegative=True)


def measures(size):
    """Any probabilities of that many outcomes: that they sum to 1 is not needed."""
    p, q = (tuple(sp.Symbol(f"{name}{i}", nonnegative=True) for i in range(size)) for name in "pq")
    return {"p": p, "q": q, "exp_eps": growth}


SMALL = tuple(measures(size) for size in (1, 2))
LAWS = (
    ((F(1, 6), F(1, 30), F(4, 5)), (F(1, 30), F(1, 6), F(4, 5))),
    ((F(1, 2), F(1, 2), F(0)), (F(0), F(1, 2), F(1, 2))),
    ((F(1), F(0), F(0)), (F(1, 3), F(1, 3), F(1, 3))),
    ((F(1, 2), F(1, 4), F(1, 4)), (F(1, 4), F(1, 2), F(1, 4))),
)
CASES = tuple({"p": p, "q": q, "exp_eps": x} for p, q in LAWS for x in (F(1), F(3, 2), F(2), F(5), F(1, 2)))

PROVES = (
    Transcription("rogers2016/def2.1.delta", over_outcomes, SMALL, "all laws on up to 2 outcomes, every eps", "cases"),
    Transcription("rogers2016/def2.2.delta", beyond, SMALL, "all laws on up to 2 outcomes, every eps", "cases"),
    Transcription("rogers2016/def2.1.delta", over_sets, CASES, "20 pairs of laws, all sets S, ties included", "grid"),
    Transcription("rogers2016/def2.2.delta", pointwise, CASES, "20 pairs of laws, ties and zeros included", "grid"),
)
