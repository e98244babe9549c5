"""Domination of a Poisson sample: if (P, Q) dominates a mechanism with against without a record, then its run on a
sample, in which every record is with probability q on its own, is dominated by (R, Q) for the record's removal and by
(Q, R) for its addition, R = (1 - q) Q + q P.

Hypotheses: Poisson sampling, add-or-remove-one neighbours. Source: Zhu, Dong, Wang 2022, Theorem 11.

Here samples are enumerated: of up to three other records, and of the differing one. On each sample S of the others the
mechanism answers by a kernel of its own, K_S, applied to an outcome of P where the differing record is in the sample
and of Q where it is not: that is what (P, Q) dominates, for any kernels. The delta is the largest value of
P(E) - e^eps Q(E) over all events E, at most the statement's, and equal to it where the kernel changes nothing.
"""

from fractions import Fraction
from itertools import chain, combinations, product

from proofs.transcription import Property

F = Fraction
PAIRS = (
    ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))),
    ((F(1, 2), F(1, 3), F(1, 6)), (F(1, 6), F(1, 3), F(1, 2))),
    ((F(1, 10), F(3, 5), F(3, 10)), (F(0), F(7, 10), F(3, 10))),
    ((F(1), F(0)), (F(1, 2), F(1, 2))),
)
RATES = (F(0), F(1, 100), F(1, 3), F(1))
EXP_EPS = (F(1), F(11, 10), F(2), F(5))


def subsets(items):
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def kernels(size):
    """Row i is the law of the answer at outcome i: nothing changed, reversed, all merged, half forgotten."""
    same = [[F(int(i == j)) for j in range(size)] for i in range(size)]
    flat = [F(1, size)] * size
    mixed = [[(x + y) / 2 for x, y in zip(row, flat, strict=True)] for row in same]
    return same, same[::-1], [flat] * size, mixed


def largest(p, q, scale):
    return max(sum((p[a] - scale * q[a] for a in event), F(0)) for event in subsets(range(len(p))))


def sampled(pair, rate, others, chosen):
    """The laws of the answer with and without the differing record."""
    p, q = pair
    laws = []
    for there in (True, False):
        law = [F(0)] * len(p)
        for sample in subsets(range(others)):
            weight = rate ** len(sample) * (1 - rate) ** (others - len(sample))
            kernel = chosen[sum(2**i for i in sample) % len(chosen)]
            for drawn, chance in ((True, rate if there else F(0)), (False, 1 - rate if there else F(1))):
                outcome = p if drawn else q
                for i, j in product(range(len(p)), repeat=2):
                    law[j] += weight * chance * outcome[i] * kernel[i][j]
        assert sum(law) == 1
        laws.append(law)
    return laws


def dominated(code):
    for pair, rate, exp_eps in product(PAIRS, RATES, EXP_EPS):
        stated = code.exact(rate=rate, p=list(pair[0]), q=list(pair[1]), exp_eps=exp_eps)
        same, *rest = kernels(len(pair[0]))
        for others, chosen in product((0, 1, 3), ([same], [same, *rest], rest)):
            r, s = sampled(pair, rate, others, chosen)
            reached = max(largest(r, s, exp_eps), largest(s, r, exp_eps))
            assert reached <= stated, (pair, rate, exp_eps)
            assert reached == stated or chosen != [same], (pair, rate, exp_eps)


PROVES = (
    Property(
        "zdw2022/thm11.delta",
        dominated,
        "all samples of up to 3 other records, 4 pairs, 4 rates, 9 mechanisms",
        "cases",
    ),
)
