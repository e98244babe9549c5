"""One Gaussian round on a Poisson sample, of two data sets of which one has some records alone, and the other some.

  delta(eps) = max over both ways round of sup_S P(S) - e^eps Q(S), with a and b these numbers of records,
  P = sum_i C(a, i) q^i (1 - q)^(a - i) N(i, s^2), Q = sum_j C(b, j) q^j (1 - q)^(b - j) N(-j, s^2).

Hypotheses: each record is drawn on its own, anew in every round; s is the noise over the largest norm of a record.
Source: ours, by the convexity inequality of Kahane 1985 (proofs/derivations/exchanged.py); for b = 0 the mixture is
that of Ganesh 2024, arXiv 2401.10294.

Here the best half-line is searched for by halving. And small data sets are searched: of all numbers that the records of
both data sets may contribute, on a grid, and all samples, none loses more, and one loses as much.
"""

import math
from fractions import Fraction
from itertools import product

from proofs.kahane1985.exchanged import CONTEXT, law, lost, real
from proofs.transcription import Property

F = Fraction
CASES = ((F(1, 100), F(1)), (F(1, 3), F(2)), (F(9, 10), F(1, 2)), (F(1), F(3)))
GROUPS = ((1, 0), (0, 2), (2, 1), (2, 2), (7, 3))
EPSILONS = (F(0), F(1, 10), F(1), F(4))


def parts(n, q, sign):
    return [(real(math.comb(n, j) * q**j * (1 - q) ** (n - j)), sign * j) for j in range(n + 1)]


def one_way(q, s, a, b, eps):
    """The best half-line: the ratio of both laws rises."""
    s, grown = real(s), CONTEXT.exp(real(eps))
    first, second = parts(a, q, 1), parts(b, q, -1)

    def more(end):
        found = [sum(w * CONTEXT.exp((2 * m * end - m * m) / (2 * s * s)) for w, m in each) for each in (first, second)]
        return found[0] > grown * found[1]

    low, high = -60 * s - 60, 60 * s + 60 + 60 * real(eps) * s**2
    if not more(high):
        return CONTEXT.mpf(0)
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (low, middle) if more(middle) else (middle, high)
    of = [sum(w * CONTEXT.ncdf((m - high) / s) for w, m in each) for each in (first, second)]
    return of[0] - grown * of[1]


def deltas(code):
    for (q, s), (a, b), eps in product(CASES, GROUPS, EPSILONS):
        found = code.enclosed(25, rate=q, sigma=s, first=a, second=b, eps=eps)
        stated = max(one_way(q, s, a, b, eps), one_way(q, s, b, a, eps))
        slack = abs(stated) * CONTEXT.mpf(10) ** -18 + CONTEXT.mpf(10) ** -24
        assert real(found[0]) - slack <= stated <= real(found[1]) + slack, (q, s, a, b, eps)


def small_data_sets(code):
    """No numbers up to 1 lose more, whatever their signs; some lose as much. The sum is held to one in a thousand."""
    values = (F(-1), F(0), F(1, 2), F(1))
    for (a, b), (q, s, eps) in product(((2, 0), (1, 1), (2, 1)), ((F(1, 2), F(1), F(1, 2)), (F(1, 5), F(3, 2), F(0)))):
        stated = code.enclosed(12, rate=q, sigma=s, first=a, second=b, eps=eps)[1]
        most = 0
        for alone, others in product(product(values, repeat=a), product(values, repeat=b)):
            pair = [law(each, q, "poisson") for each in (alone, others)]
            most = max(most, lost(*pair, s, eps), lost(*pair[::-1], s, eps))
        assert float(stated) * 0.999 <= most <= float(stated) * 1.001, (a, b, q)


PROVES = (
    Property("kahane1985/group.delta", deltas, "4 rounds, 5 groups, 4 epsilons", "cases"),
    Property("kahane1985/group.delta", small_data_sets, "all samples of up to 3 records on a grid of values", "cases"),
)
