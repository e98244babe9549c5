"""One Gaussian query that one record moves by a random one of several shifts c_i >= 0, with the weights w_i.

  delta(eps) = max over both ways round of sup_S P(S) - e^eps Q(S), P = sum_i w_i N(c_i, s^2), Q = N(0, s^2).

Hypotheses: which shift it is is drawn on its own, and not released; of vectors c_i bounds the norm.
Source: ours, by the convexity inequality of Kahane 1985 (proofs/derivations/exchanged.py); in one direction the mixture
is that of Ganesh 2024, arXiv 2401.10294.

Here the best half-line is searched for by halving. And smaller shifts, of any signs, are searched: none loses more.
"""

from fractions import Fraction
from itertools import product

from proofs.kahane1985.exchanged import CONTEXT, lost, real
from proofs.transcription import Property

F = Fraction
#: Noise, and the weight of each shift.
CASES = (
    (F(1), {F(0): F(9, 10), F(1): F(1, 10)}),
    (F(2), {F(0): F(7, 10), F(1, 3): F(1, 5), F(5, 2): F(1, 10)}),
    (F(1, 2), {F(1, 7): F(1, 2), F(1): F(1, 2)}),
    (F(3), {F(0): F(1, 4), F(1): F(1, 4), F(2): F(1, 4), F(10): F(1, 4)}),
    (F(1), {F(2): F(1)}),
)
EPSILONS = (F(0), F(1, 10), F(1), F(4))


def one_way(first, second, s, eps):
    """The best half-line: the ratio of both laws rises."""
    s, grown = real(s), CONTEXT.exp(real(eps))
    laws = [[(real(w), real(m)) for m, w in each.items()] for each in (first, second)]

    def more(end):
        found = [sum(w * CONTEXT.exp((2 * m * end - m * m) / (2 * s * s)) for w, m in each) for each in laws]
        return found[0] > grown * found[1]

    low, high = -60 * s - 60, 60 * s + 60 + 60 * real(eps) * s**2
    if not more(high):
        return CONTEXT.mpf(0)
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (low, middle) if more(middle) else (middle, high)
    of = [sum(w * CONTEXT.ncdf((m - high) / s) for w, m in each) for each in laws]
    return of[0] - grown * of[1]


def asked(code, digits, s, weights, eps):
    return code.enclosed(digits, sigma=s, shifts=list(weights), weights=list(weights.values()), eps=eps)


def deltas(code):
    still = {F(0): F(1)}
    for (s, weights), eps in product(CASES, EPSILONS):
        found = asked(code, 25, s, weights, eps)
        mirrored = {-shift: weight for shift, weight in weights.items()}
        stated = max(one_way(weights, still, s, eps), one_way(still, mirrored, s, eps))
        slack = abs(stated) * CONTEXT.mpf(10) ** -18 + CONTEXT.mpf(10) ** -24
        assert real(found[0]) - slack <= stated <= real(found[1]) + slack, (s, weights, eps)


def no_smaller_shifts_lose_more(code):
    """Each shift is replaced by any of a grid up to it, of both signs. The sum is held to one in a thousand."""
    for s, eps, weights in (
        (F(1), F(1, 2), {F(0): F(1, 2), F(1): F(1, 4), F(2): F(1, 4)}),
        (F(3, 2), F(0), {F(1, 2): F(1, 5), F(1): F(4, 5)}),
    ):
        stated, most = float(asked(code, 12, s, weights, eps)[1]), 0.0
        for parts in product((F(-1), F(-1, 2), F(0), F(1, 2), F(1)), repeat=len(weights)):
            law = {}
            for part, (shift, weight) in zip(parts, weights.items(), strict=True):
                law[part * shift] = law.get(part * shift, F(0)) + weight
            most = max(most, lost(law, {F(0): F(1)}, s, eps), lost({F(0): F(1)}, law, s, eps))
        assert stated * 0.999 <= most <= stated * 1.001, (s, eps)


PROVES = (
    Property("kahane1985/mixture.delta", deltas, "5 mixtures, 4 epsilons", "cases"),
    Property("kahane1985/mixture.delta", no_smaller_shifts_lose_more, "all smaller shifts on a grid", "cases"),
)
