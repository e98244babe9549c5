"""One Gaussian round on a sample, one record replaced or zeroed out, with M_a = (1 - q) N(0, s^2) + q N(a, s^2):

  delta(eps) = sup_S M_a(S) - e^eps M_b(S), s being the noise over what a changed record changes a sum by, and (a, b)
  (1/2, -1/2) for Poisson samples of which a record is replaced, where no record contributes more than half of that,
  (1, 0) for samples of a fixed size of which a record is replaced, and for Poisson samples of which one is zeroed out,
  (2, 1) for samples of a fixed size of which a record is zeroed out.

Hypotheses: batches by coins, anew in every round; a fixed size is without replacement.
Source: ours, by the convexity inequality of Kahane 1985 (proofs/derivations/exchanged.py).

Here the profile is searched for: the best half-line by halving. And small data sets are searched: of all numbers
that up to three records may contribute, on a grid, and all samples, none loses more, and one loses as much.
"""

import math
from fractions import Fraction
from itertools import combinations, product

import mpmath

from proofs.transcription import Property

F = Fraction
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 30
MEANS = {
    ("poisson", "replace-one"): (F(1, 2), F(-1, 2)),
    ("poisson", "zero-out"): (F(1), F(0)),
    ("fixed-size", "replace-one"): (F(1), F(0)),
    ("fixed-size", "zero-out"): (F(2), F(1)),
}
CASES = ((F(1, 100), F(1)), (F(1, 3), F(2)), (F(9, 10), F(1, 2)), (F(1, 10**4), F(3)), (F(1), F(1)))
EPSILONS = (F(0), F(1, 10), F(1), F(4))


def real(value):
    return CONTEXT.mpf(value.numerator) / value.denominator


def half_line(q, s, means, eps, end):
    """What the answers beyond the end have of M_a less e^eps of M_b."""
    q, s = real(q), real(s)
    first, second = ((1 - q) * CONTEXT.ncdf(-end / s) + q * CONTEXT.ncdf((real(mean) - end) / s) for mean in means)
    return first - CONTEXT.exp(real(eps)) * second


def delta(q, s, means, eps):
    """The best half-line, by halving from where the loss is negative to where it is large."""
    low, high = -60 * real(s) - 60, 60 * real(s) + 60 + 60 * real(eps) * real(s) ** 2
    grown = CONTEXT.exp(real(eps))

    def more(end):
        """Whether M_a exceeds e^eps M_b at the end: it does beyond the best one, and nowhere before."""
        first, second = (
            (1 - real(q)) + real(q) * CONTEXT.exp((2 * real(m) * end - real(m) ** 2) / (2 * real(s) ** 2))
            for m in means
        )
        return first > grown * second

    for _ in range(300):
        middle = (low + high) / 2
        low, high = (low, middle) if more(middle) else (middle, high)
    return half_line(q, s, means, eps, high)


def deltas(code):
    for (sampling, neighbours), means in MEANS.items():
        for (q, s), eps in product(CASES, EPSILONS):
            found = code.enclosed(25, rate=q, sigma=s, sampling=sampling, neighbours=neighbours, eps=eps)
            stated = delta(q, s, means, eps)
            slack = abs(stated) * CONTEXT.mpf(10) ** -18 + CONTEXT.mpf(10) ** -24
            assert real(found[0]) - slack <= stated <= real(found[1]) + slack, (sampling, neighbours, q, s, eps)


def mixture(parts, s, x):
    return sum(float(weight) * math.exp(-((x - float(mean)) ** 2) / (2 * s * s)) for mean, weight in parts.items())


def lost(first, second, s, eps):
    """delta of two mixtures of normal laws by a sum over a fine lattice, in doubles: to about four digits."""
    s, grown, step = float(s), math.exp(eps), 1 / 32
    places = (i * step for i in range(-32 * 9, 32 * 9 + 1))
    total = math.fsum(max(mixture(first, s, x) - grown * mixture(second, s, x), 0) for x in places)
    return total * step / (s * math.sqrt(2 * math.pi))


def samples(records, q, sampling):
    """Every sample with its chance; of a fixed size, q is that over the number of records."""
    for size in range(len(records) + 1):
        chance = q**size * (1 - q) ** (len(records) - size)
        if sampling == "fixed-size":
            chance = F(1, len(list(combinations(records, size)))) if size == q * len(records) else F(0)
        for sample in combinations(range(len(records)), size) if chance else ():
            yield sample, chance


def law(records, q, sampling):
    found = {}
    for sample, chance in samples(records, q, sampling):
        total = sum((records[i] for i in sample), F(0))
        found[total] = found.get(total, F(0)) + chance
    return found


def small_data_sets(code):
    """No numbers in their range lose more; some lose as much. The sum is held to one in a thousand."""
    norms = (F(-1, 2), F(0), F(1, 2))
    for (sampling, neighbours), (q, n) in product(MEANS, ((F(1, 2), 2), (F(1, 3), 3))):
        scale = F(1) if neighbours == "replace-one" else F(2)
        values = [scale * norm for norm in norms]
        for s, eps in ((F(1), F(1, 2)), (F(3, 4), F(0))):
            stated = code.enclosed(12, rate=q, sigma=s, sampling=sampling, neighbours=neighbours, eps=eps)[1]
            most = 0
            for others in product(values, repeat=n - 1):
                for x, y in product(values, values if neighbours == "replace-one" else (F(0),)):
                    pair = [law((each, *others), q, sampling) for each in (x, y)]
                    most = max(most, lost(*pair, s, eps), lost(*pair[::-1], s, eps))
            assert float(stated) * 0.999 <= most <= float(stated) * 1.001, (sampling, neighbours)


PROVES = (
    Property("kahane1985/exchanged.delta", deltas, "5 rounds, 4 epsilons, all samplings and neighbours", "cases"),
    Property(
        "kahane1985/exchanged.delta", small_data_sets, "all samples of 2 and 3 records on a grid of values", "cases"
    ),
)
