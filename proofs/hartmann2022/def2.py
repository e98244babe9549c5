"""Output DP: Pr(M(x) in S) <= delta + sum over the cells P_k of e^E(P_k) Pr(M(x') in S and P_k), for every set S of
outputs and both orders of the neighbours. The least delta for finite laws is therefore the maximum over S of
P(S) - sum_k e^E(P_k) Q(S and P_k); for subset DP on R (Definition 5) the maximum is over S within R.

Hypotheses: none. Source: Definitions 2 and 5.
"""

from itertools import combinations

import sympy as sp

from proofs.transcription import Transcription, proper_fraction

p, q = sp.symbols("p q", nonnegative=True)
p2, q2 = sp.symbols("p2 q2", nonnegative=True)
y, y2, y3 = (1 + sp.Symbol(name, nonnegative=True) for name in ("u", "u2", "u3"))
half = proper_fraction("t")
E1, E2 = sp.symbols("E1 E2", positive=True)


def subsets(places):
    places = tuple(places)
    return (chosen for size in range(len(places) + 1) for chosen in combinations(places, size))


def over_sets(P, Q, weights, places):  # noqa: N803
    """The maximum over S, which splits over the outputs: an output belongs to S unless its own term is negative."""
    total = sp.S.Zero
    for o in places:
        term = P[o] - weights[o] * Q[o]
        total += 0 if term < 0 else term
    return total


def by_definition(P, Q, weights, places):  # noqa: N803
    return max(sum(P[o] - weights[o] * Q[o] for o in S) for S in subsets(places))


def one_way(P, Q, expE):  # noqa: N803
    return over_sets(P, Q, expE, range(len(P)))


def both_ways(P, Q, expE):  # noqa: N803
    first, second = one_way(P, Q, expE), one_way(Q, P, expE)
    return second if second > first else first


def nats(P, Q, E):  # noqa: N803
    return over_sets(P, Q, [sp.exp(cost) for cost in E], range(len(P)))


def within(P, Q, R, expE):  # noqa: N803
    return over_sets(P, Q, [expE] * len(P), R)


F = sp.Rational
GRID = tuple(
    {"P": P, "Q": Q, "expE": Y}
    for P, Q in (
        ((F(1, 2), F(1, 4), F(1, 4)), (F(1, 4), F(1, 2), F(1, 4))),
        ((F(0), F(1), F(0)), (F(1, 3), F(1, 3), F(1, 3))),
        ((F(1), F(0), F(0)), (F(0), F(9, 10), F(1, 10))),
    )
    for Y in ((F(1), F(1), F(1)), (F(1), F(2), F(5, 4)), (F(3), F(1), F(2)))
)
TWO = {"P": (p, 1 - p), "Q": (q, 1 - q)}
THREE = {"P": (p, p2, 1 - p - p2), "Q": (q, q2, 1 - q - q2)}

PROVES = (
    Transcription(
        "hartmann2022/def2.min_delta",
        one_way,
        ({**TWO, "expE": (y, y2)}, {**THREE, "expE": (y, y2, y3)}),
        "all laws on 2 and 3 outputs, all costs",
        "cases",
    ),
    Transcription(
        "hartmann2022/def2.min_delta",
        lambda P, Q, expE: by_definition(P, Q, expE, range(len(P))),  # noqa: N803
        GRID,
        "9 laws and costs, the maximum over all sets S as printed",
        "grid",
    ),
    Transcription(
        "hartmann2022/def2.min_delta_both",
        both_ways,
        ({**TWO, "expE": (sp.S.One, sp.S.One)},),
        "all laws on 2 outputs at costs of 0 (one way is proved for all costs)",
        "cases",
    ),
    Transcription(
        "hartmann2022/def2.min_delta_both",
        lambda P, Q, expE: max(  # noqa: N803
            by_definition(P, Q, expE, range(len(P))), by_definition(Q, P, expE, range(len(P)))
        ),
        GRID,
        "9 laws and costs, the maximum over all sets S as printed",
        "grid",
    ),
    Transcription(
        "hartmann2022/def2.min_delta_nats",
        nats,
        (
            {**TWO, "E": (E1, E2)},
            {**TWO, "E": (sp.S.Zero, E2)},
            {"P": (half, 1 - half), "Q": (sp.S.Zero, sp.S.One), "E": (E1, E2)},
        ),
        "all laws on 2 outputs, all costs, costs and probabilities of 0 included",
        "cases",
    ),
    Transcription(
        "hartmann2022/def5.min_delta",
        within,
        tuple({**THREE, "R": R, "expE": y} for R in ((), (1,), (0, 2), (0, 1, 2))),
        "all laws on 3 outputs, four subsets R",
        "cases",
    ),
    Transcription(
        "hartmann2022/def5.min_delta",
        lambda P, Q, R, expE: by_definition(P, Q, [expE] * len(P), R),  # noqa: N803
        tuple({"P": c["P"], "Q": c["Q"], "R": R, "expE": F(5, 4)} for c in GRID for R in ((), (0, 1), (2,))),
        "9 laws, three subsets R, the maximum over all sets S as printed",
        "grid",
    ),
)
