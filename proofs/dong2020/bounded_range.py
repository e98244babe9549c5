"""Composition of mechanisms of bounded range eps: with q_t = (e^-t - e^-eps)/(1 - e^-eps),

  delta(eps_g) = max over l of sum over i of C(k, i) q_t^(k-i) (1-q_t)^i max(e^(k t - i eps) - e^eps_g, 0),
  t = (eps_g + (l+1) eps)/(k+1), kept within [0, eps],

for k equal mechanisms chosen in advance. Chosen on the way: delta_0(x) = (1 - e^x)_+, delta_k(x) = the largest over
t in [0, eps] of p_t delta_(k-1)(x - t) + (1 - p_t) delta_(k-1)(x - t + eps), p_t = e^t q_t. An epsilon for any ranges:
min(sum eps_i, sum (a_i - 1 - log a_i) + sqrt(sum eps_i^2 log(1/delta)/2)), a_i = eps_i/(1 - e^-eps_i).

Hypotheses: bounded range, parameters fixed in advance. Source: Theorem 3 and Proposition 4 (the numbers and formulas as
two public programs quote them: the authors' text was not at hand, and the derivations stand in proofs/derivations); the
recursion is transcribed from its derivation.
"""

import itertools
import math
from fractions import Fraction
from functools import cache

import mpmath
import sympy as sp

from proofs.transcription import Property, Transcription, proper_fraction, rounds, total

F = Fraction
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 40


def real(x):
    x = F(x)
    return CONTEXT.mpf(x.numerator) / x.denominator


def in_advance(eps, k, eps_g):
    eps, eps_g = real(eps), real(eps_g)
    exp = CONTEXT.exp
    largest = CONTEXT.mpf(0)
    for low in range(k + 1):
        t = min(max((eps_g + (low + 1) * eps) / (k + 1), CONTEXT.mpf(0)), eps)
        q = (exp(-t) - exp(-eps)) / (1 - exp(-eps))
        terms = (
            math.comb(k, i) * q ** (k - i) * (1 - q) ** i * max(exp(k * t - i * eps) - exp(eps_g), CONTEXT.mpf(0))
            for i in range(k + 1)
        )
        largest = max(largest, sum(terms, CONTEXT.mpf(0)))
    return largest


def profile(intervals, eps, eps_g):
    """The hockey stick of mechanisms with two outputs, whose losses are t and t - eps, by all outcomes."""
    exp = CONTEXT.exp
    outcomes = [(CONTEXT.mpf(1), CONTEXT.mpf(0))]
    for t in intervals:
        p = (exp(eps) - exp(t)) / (exp(eps) - 1)
        outcomes = [
            (mass * share, loss + more) for mass, loss in outcomes for share, more in ((p, t), (1 - p, t - eps))
        ]
    return sum((mass * max(1 - exp(eps_g - loss), CONTEXT.mpf(0)) for mass, loss in outcomes), CONTEXT.mpf(0))


ADVANCE = ((F(1), 1), (F(1, 2), 2), (F(1), 3), (F(1, 10), 7), (F(2), 5))
#: What fewer than a thousand roundings of terms of at most e^10 come to, at 40 digits.
TINY = CONTEXT.mpf("1e-30")


def advance_delta(code):
    for eps, k in ADVANCE:
        for share in (F(0), F(1, 10), F(2, 5), F(9, 10)):
            eps_g = share * k * eps
            low, high = (real(end) for end in code.enclosed(30, eps=eps, k=k, eps_g=eps_g))
            assert max(abs(in_advance(eps, k, eps_g) - low), high - low) <= TINY, (eps, k, eps_g)
        assert code.exact(eps=eps, k=k, eps_g=k * eps) == 0
    # No other intervals lose more: all of a grid, of three mechanisms.
    steps = [real(F(i, 8)) for i in range(9)]
    for eps_g in (F(0), F(1, 2), F(3, 2)):
        high = real(code.enclosed(30, eps=F(1), k=3, eps_g=eps_g)[1])
        for first in range(9):
            for second in range(first, 9):
                for third in range(second, 9):
                    chosen = (steps[first], steps[second], steps[third])
                    assert profile(chosen, real(1), real(eps_g)) <= high + TINY, (chosen, eps_g)


def advance_eps(code):
    for eps, k in ADVANCE:
        for asked in (F(1, 10), F(1, 10**4), F(1, 10**9)):
            low, high = code.enclosed(25, eps=eps, k=k, delta_g=asked)
            assert in_advance(eps, k, high) <= real(asked) + TINY, (eps, k, asked)
            assert low <= 0 or in_advance(eps, k, low) >= real(asked) - TINY, (eps, k, asked)
            assert high - low <= F(1, 10**20)
        assert code.exact(eps=eps, k=k, delta_g=F(0)) == k * eps
        assert code.exact(eps=eps, k=k, delta_g=F(1)) == 0


first = sp.Symbol("first", positive=True)


def by_outcomes(eps, t, eps_g):
    """The sum over all outcomes of (P - e^eps_g Q)_+, whose signs are those of the losses' sums less eps_g."""
    total_lost = sp.S.Zero
    for lows in itertools.product((0, 1), repeat=len(eps)):
        loss = sum((end - low * width for low, width, end in zip(lows, eps, t, strict=True)), sp.S.Zero)
        if not loss > eps_g:
            continue
        p = sp.S.One
        for low, width, end in zip(lows, eps, t, strict=True):
            high = (sp.exp(width) - sp.exp(end)) / (sp.exp(width) - 1)
            p *= 1 - high if low else high
        total_lost += p * (1 - sp.exp(eps_g - loss))
    return total_lost


def intervals(code):
    for eps, k in ((F(1), 3), (F(1, 2), 6)):
        for end in (F(1, 3), F(3, 4)):
            for eps_g in (F(0), F(1, 3), F(2, 3)):
                low, high = (real(x) for x in code.enclosed(30, eps=(eps,) * k, t=(end * eps,) * k, eps_g=eps_g))
                exact = profile([real(end * eps)] * k, real(eps), real(eps_g))
                assert abs(exact - low) <= TINY, (eps, k, end, eps_g)
                assert high <= in_advance(eps, k, eps_g) + TINY, (eps, k, end, eps_g)
    assert code.exact(eps=(F(1),), t=(F(1),), eps_g=F(0)) == 0
    assert code.refuses(eps=(F(1),), t=(F(3, 2),), eps_g=F(0))


def best_of_two(first, second, eps_g, cells):
    """The most that two kinds (range, number) lose with intervals of a grid, refined about the best of the last."""
    centre, width = (CONTEXT.mpf(1) / 2, CONTEXT.mpf(1) / 2), CONTEXT.mpf(1) / 2
    best = CONTEXT.mpf(0)
    for _ in range(8):
        found = []
        for i in range(-cells, cells + 1):
            for j in range(-cells, cells + 1):
                shares = [min(max(c + width * step / cells, 0), 1) for c, step in zip(centre, (i, j), strict=True)]
                ends = [real(kind[0]) * share for kind, share in zip((first, second), shares, strict=True)]
                found.append((two_kinds((first, second), ends, real(eps_g)), shares))
        top, centre = max(found)
        best, width = max(best, top), width / 3
    return best


def two_kinds(kinds, ends, eps_g):
    """The hockey stick of two kinds of two-point mechanisms, by their numbers of low losses."""
    exp = CONTEXT.exp
    shares = [
        (exp(real(width)) - exp(end)) / (exp(real(width)) - 1) for (width, _), end in zip(kinds, ends, strict=True)
    ]
    lost = CONTEXT.mpf(0)
    for low in itertools.product(*(range(n + 1) for _, n in kinds)):
        loss = sum(n * end - real(width) * i for (width, n), end, i in zip(kinds, ends, low, strict=True))
        if loss > eps_g:
            mass = CONTEXT.mpf(1)
            for (_, n), share, i in zip(kinds, shares, low, strict=True):
                mass *= math.comb(n, i) * share ** (n - i) * (1 - share) ** i
            lost += mass * (1 - exp(eps_g - loss))
    return lost


IN_ADVANCE = (((F(1), 1), (F(1, 2), 1), F(1, 2)), ((F(1), 2), (F(1, 2), 1), F(1)), ((F(3), 1), (F(1), 2), F(2)))


def different_delta(code):
    for first, second, eps_g in IN_ADVANCE:
        low, high = (real(end) for end in code.enclosed(8, eps=(first, second), eps_g=eps_g))
        best = best_of_two(first, second, eps_g, 6)
        assert best <= high, (first, second)
        # The search's last step is 1/26244 of a range, and what it misses is of second order in it.
        assert abs(best - low) <= CONTEXT.mpf("1e-6") * best, (first, second, best, low)
    for eps, k in ADVANCE[:4]:
        eps_g = F(2, 5) * k * eps
        low, high = (real(end) for end in code.enclosed(8, eps=((eps, k),), eps_g=eps_g))
        assert low <= in_advance(eps, k, eps_g) <= high, (eps, k)
    assert code.exact(eps=((F(1), 2), (F(1, 2), 1)), eps_g=F(5, 2)) == 0
    # Where the smaller range adds nothing: tanh(1/4).
    low, high = (real(end) for end in code.enclosed(8, eps=((F(1), 1), (F(1, 10), 1)), eps_g=F(0)))
    assert low <= CONTEXT.tanh(CONTEXT.mpf(1) / 4) <= high


def different_eps(code):
    for first, second, asked in ((IN_ADVANCE[0][0], IN_ADVANCE[0][1], F(1, 20)), (*IN_ADVANCE[2][:2], F(1, 10))):
        low, high = code.enclosed(8, eps=(first, second), delta_g=asked)
        assert best_of_two(first, second, high, 6) <= real(asked), (first, second)
        assert best_of_two(first, second, low * (1 - F(1, 10**5)), 6) >= real(asked), (first, second)
        assert high - low <= F(1, 10**8)
    assert code.exact(eps=((F(1), 2), (F(1, 2), 1)), delta_g=F(0)) == F(5, 2)
    assert code.exact(eps=((F(1), 2), (F(1, 2), 1)), delta_g=F(1)) == 0


def on_the_way(eps, x, cells):
    """The recursion for an adversary with ``cells`` + 1 intervals in each round to choose from."""
    exp = CONTEXT.exp
    if not eps:
        return max(1 - exp(x), CONTEXT.mpf(0))
    first = real(eps[0])
    best = CONTEXT.mpf(0)
    for t, p in choices(eps[0], cells):
        value = p * on_the_way(eps[1:], x - t, cells) + (1 - p) * on_the_way(eps[1:], x - t + first, cells)
        best = max(best, value)
    return best


@cache
def choices(eps, cells):
    """Each choice t of a round, and the probability of its upper end."""
    first, exp = real(eps), CONTEXT.exp
    places = [first * i / cells for i in range(cells + 1)]
    return [(t, (exp(first) - exp(t)) / (exp(first) - 1)) for t in places]


def one_round(eps, x):
    """delta_1(x) = (e^(eps/2) - e^(x/2))^2/(e^eps - 1) for |x| <= eps."""
    eps, x = real(eps), real(x)
    return (CONTEXT.exp(eps / 2) - CONTEXT.exp(x / 2)) ** 2 / (CONTEXT.exp(eps) - 1)


def two_rounds(eps, x):
    """The largest chord of delta_1 over t, to the square of 2^-12 of t; a lower bound that is the value to 8 digits."""
    first, x = real(eps), real(x)
    exp = CONTEXT.exp

    def inner(y):
        if y >= first:
            return CONTEXT.mpf(0)
        return 1 - exp(y) if y <= -first else (exp(first / 2) - exp(y / 2)) ** 2 / (exp(first) - 1)

    def chord(i, cells):
        t = first * i / cells
        p = (exp(first) - exp(t)) / (exp(first) - 1)
        return p * inner(x - t) + (1 - p) * inner(x - t + first)

    best = max(range(257), key=lambda i: chord(i, 256))
    return max(chord(i, 4096) for i in range(max(0, 16 * best - 16), min(4096, 16 * best + 16) + 1))


def way_delta(code):
    for eps in (F(1), F(1, 10), F(3)):
        for share in (F(0), F(1, 3), F(7, 10)):
            low, high = (real(end) for end in code.enclosed(2, eps=(eps,), eps_g=share * eps))
            assert low <= one_round(eps, share * eps) <= high, (eps, share)
            two = two_rounds(eps, share * eps)
            low, high = (real(end) for end in code.enclosed(2, eps=(eps, eps), eps_g=share * eps))
            assert low / (1 + CONTEXT.mpf("1e-6")) <= two <= high, (eps, share)
    for eps in ((F(1),) * 3, (F(1, 2), F(1), F(3, 4)), (F(1), F(1, 3), F(3, 7))):
        for eps_g in (F(0), F(1, 2), F(1)):
            low, high = (real(end) for end in code.enclosed(2, eps=eps, eps_g=eps_g))
            adversary = on_the_way(eps, real(eps_g), 8)
            assert low / CONTEXT.mpf("1.1") <= adversary <= high, (eps, eps_g)
    assert code.exact(eps=(F(1), F(1, 2)), eps_g=F(3, 2)) == 0


def way_eps(code):
    for eps, k, asked in ((F(1), 1, F(1, 100)), (F(1, 10), 1, F(1, 1000)), (F(1), 2, F(1, 100)), (F(3), 2, F(1, 9))):
        low, high = code.enclosed(2, eps=(eps,) * k, delta_g=asked)
        exact = one_round if k == 1 else two_rounds
        assert exact(eps, high) <= real(asked) <= exact(eps, low) * (1 + CONTEXT.mpf("1e-6")), (eps, k)
    assert code.exact(eps=(F(1), F(1, 2)), delta_g=F(0)) == F(3, 2)
    assert code.exact(eps=(F(0), F(0)), delta_g=F(1, 2)) == 0
    # delta_1(0) = tanh(eps/4).
    assert code.exact(eps=(F(1),), delta_g=F(1, 4)) == 0


def means(eps, delta):
    spent = total(c * e for e, c in eps)

    def mean(e):
        a = e / (1 - sp.exp(-e))
        return a - 1 - sp.log(a)

    root = sp.sqrt(sp.Rational(1, 2) * total(c * e**2 for e, c in eps) * sp.log(1 / delta))
    return sp.Min(spent, total(c * mean(e) for e, c in eps) + root)


PROVES = (
    Transcription(
        "dong2020/group.eps",
        lambda eps, k: sp.Sum(eps, (sp.Symbol("step"), 1, k)).doit(),
        ({"eps": sp.Symbol("eps", nonnegative=True), "k": sp.Symbol("k", integer=True, positive=True)},),
        "every eps, k >= 1: the widths of k steps",
    ),
    Property(
        "dong2020/thm3.delta",
        advance_delta,
        "20 inputs of up to 7 mechanisms, 30 digits; no other intervals of a grid, of 3 mechanisms, lose more",
        "grid",
    ),
    Property("dong2020/thm3.eps", advance_eps, "15 inputs: the same straddles delta", "grid"),
    Transcription(
        "dong2020/prop4.eps",
        means,
        (
            {"eps": rounds("e", 1, lowest="positive"), "delta": proper_fraction("t")},
            {"eps": rounds("e", 2, lowest="positive"), "delta": proper_fraction("t")},
            {"eps": (), "delta": proper_fraction("t")},
            {"eps": rounds("e", 1, lowest="positive"), "delta": sp.S.One},
        ),
        "lists of any length with up to 2 different values",
        "cases",
    ),
    Transcription(
        "dong2020/intervals.delta",
        by_outcomes,
        tuple(
            {"eps": tuple(width for width, _ in shape), "t": tuple(end for _, end in shape), "eps_g": sp.S.Zero}
            for shape in ((), ((2 * first, first),), ((2 * first, first),) * 2)
        ),
        "up to two equal mechanisms at 0, with t = eps/2; more by the property",
        "cases",
    ),
    Property(
        "dong2020/intervals.delta",
        intervals,
        "12 inputs of up to 6 mechanisms, by all outcomes, 30 digits; none loses more than the best in advance",
        "grid",
    ),
    Property(
        "dong2020/advance.delta",
        different_delta,
        "3 inputs of two ranges, against a refined grid of intervals; 4 of one range, by Theorem 3; two exact ones",
        "grid",
    ),
    Property("dong2020/advance.eps", different_eps, "2 inputs of two ranges: the same straddles delta", "grid"),
    Property(
        "dong2020/adaptive.delta",
        way_delta,
        "18 inputs of one and two mechanisms, closed or maximised; 9 of three, against an adversary of 9 intervals",
        "grid",
    ),
    Property("dong2020/adaptive.eps", way_eps, "4 inputs of one and two mechanisms: the same straddles delta", "grid"),
)
