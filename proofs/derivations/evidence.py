"""Audits by one run: how many of r guesses about m canaries are right, where what ran is (eps, delta)-DP.

S is uniform on {-1, 1}^m, T the guesses, a function of the answer and of coins: at most r are not 0. W counts the right
ones, a_w = P(W = w), E = e^eps. For any set J of counts let A_i be the event that W is in J and guess i is right. Given
S = s, it is an event of the answer. Flip s_i: guess i is wrong then, and there are W + 1 in J with it right. So

  P(A_i) <= E P(W + 1 in J, guess i is wrong) + delta,

and the sum over i is  sum_J (w a_w - E (r - w + 1) a_(w-1)) <= m delta:  no more than r - W guesses are wrong.

Now let b_w = P(Bin(r, E/(1 + E)) = w), for which w b_w = E (r - w + 1) b_(w-1), B_j its upper tails, and

  c_j = B_max(j,v) (1 - B_min(j,v))/(j b_j) >= 0:   sum_j c_j (j a_j - E (r - j + 1) a_(j-1)) = P(W >= v) - B_v.

With J where the brackets are positive, P(W >= v) - B_v <= m delta max_j c_j, and c_v is the largest of them: B_j/b_j
falls, and so does b_j j/(1 - B_j) = E (r - j + 1) b_(j-1)/(1 - B_j), since a binomial law is log-concave.
The law  a_w = b_w u (w < v),  b_w (u + y) (w >= v),  y = m delta/(v b_v),  u = 1 - y B_v,  drawn with r = m and S times
a uniform vector of so many signs 1, is (eps, delta)-DP where u >= 0, and attains the bound.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, product
from math import comb
from random import Random

import sympy as sp

from .steps import Derivation, Step

F = Fraction
E = sp.Symbol("E", positive=True)
_ROUNDS = 8


def binomial(r: int, odds: Fraction) -> list[Fraction]:
    return [comb(r, w) * odds**w / (1 + odds) ** r for w in range(r + 1)]


def bound(m: int, r: int, v: int, odds: Fraction, delta: Fraction) -> Fraction:
    law = binomial(r, odds)
    tail = sum(law[v:], F(0))
    return tail + m * delta * tail * (1 - tail) / (v * law[v])


def signs(m: int) -> list[tuple[int, ...]]:
    return list(product((-1, 1), repeat=m))


def _flipped(s: tuple[int, ...], i: int) -> tuple[int, ...]:
    return (*s[:i], -s[i], *s[i + 1 :])


def least_delta(law: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]], m: int, odds: Fraction) -> Fraction:
    """The least delta at so large odds, over all neighbours."""
    return max(
        sum((max(p - odds * law[_flipped(s, i)].get(t, F(0)), F(0)) for t, p in law[s].items()), F(0))
        for s in law
        for i in range(m)
    )


def right_guesses(s: tuple[int, ...], t: tuple[int, ...]) -> int:
    return sum(a == b for a, b in zip(s, t, strict=True))


def counted(law: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]], m: int) -> list[Fraction]:
    found = [F(0)] * (m + 1)
    for s, answers in law.items():
        for t, p in answers.items():
            found[right_guesses(s, t)] += p / len(law)
    return found


def _random_mechanisms() -> bool:
    """Random laws of guesses with abstentions: the inequality of every set of counts, and the bound itself."""
    random, near = Random(7), 0
    for m, r in ((1, 1), (2, 2), (2, 1), (3, 3), (3, 2)):
        guesses = [t for t in product((-1, 0, 1), repeat=m) if sum(map(abs, t)) <= r]
        for _ in range(12):
            law = {}
            for s in signs(m):
                # Guesses that are right are likelier, by chance more or less.
                weights = {t: random.randint(1, 4) * random.choice((1, 4)) ** right_guesses(s, t) for t in guesses}
                law[s] = {t: F(weight, sum(weights.values())) for t, weight in weights.items()}
            a = counted(law, m)
            for odds in (F(1), F(3, 2), F(4)):
                delta = least_delta(law, m, odds)
                excess = [w * a[w] - odds * (r - w + 1) * a[w - 1] for w in range(1, r + 1)]
                for chosen in chain.from_iterable(combinations(excess, k) for k in range(r + 1)):
                    if sum(chosen, F(0)) > m * delta:
                        return False
                for v in range(1, r + 1):
                    lost, most = sum(a[v:], F(0)), bound(m, r, v, odds, delta)
                    if lost > most:
                        return False
                    near += lost * 2 > most
    return near > 0


def _attained() -> bool:
    """The law that is stated is (eps, delta)-DP, both ways, and so many of its guesses are right."""
    for m, v, odds in product((1, 2, 3, 4), (1, 2, 3, 4), (F(1), F(3, 2), F(4))):
        if v > m:
            continue
        law = binomial(m, odds)
        # The largest delta with u >= 0, or less.
        delta = min(F(1, 50), v * law[v] / (m * sum(law[v:], F(0))))
        y = m * delta / (v * law[v])
        u = 1 - y * sum(law[v:], F(0))
        a = [law[w] * (u if w < v else u + y) for w in range(m + 1)]
        ran = {s: {t: a[right_guesses(s, t)] / comb(m, right_guesses(s, t)) for t in signs(m)} for s in signs(m)}
        if least_delta(ran, m, odds) > delta or sum(a[v:], F(0)) != bound(m, m, v, odds, delta):
            return False
    return True


def _quoted_is_exceeded() -> bool:
    """With three canaries and eps = 0 the quoted term, 2 m delta max_i P(v - i <= W < v)/i, is too small."""
    m, v, odds, delta = 3, 1, F(1), F(1, 50)
    law = binomial(m, odds)
    quoted = 2 * m * delta * max(sum(law[v - i : v], F(0)) / i for i in range(1, v + 1))
    return bound(m, m, v, odds, delta) > sum(law[v:], F(0)) + quoted


def _polynomials(r: int) -> list[sp.Expr]:
    """The binomial law times (1 + E)^r."""
    return [comb(r, w) * E**w for w in range(r + 1)]


def _weights() -> bool:
    """The weights turn the brackets into P(W >= v) - B_v, for every law of up to eight guesses and every E."""
    for r in range(1, _ROUNDS + 1):
        b = _polynomials(r)
        whole = (1 + E) ** r
        for v in range(1, r + 1):
            tail = [sum(b[j:], sp.S.Zero) for j in range(r + 2)]
            c = [sp.S.Zero] + [
                tail[max(j, v)] * (whole - tail[min(j, v)]) / (j * b[j] * whole) for j in range(1, r + 1)
            ]
            for w in range(r + 1):
                after = E * (r - w) * c[w + 1] if w < r else sp.S.Zero
                stated = (1 if w >= v else 0) - tail[v] / whole
                if sp.cancel(w * c[w] - after - stated) != 0:
                    return False
    return True


def _largest() -> bool:
    """The weight at v is the largest: differences, over what is positive, have no negative coefficient in E."""
    for r in range(1, _ROUNDS + 1):
        b = _polynomials(r)
        for v, j in product(range(1, r + 1), repeat=2):
            upper = (sum(b[v:]), sum(b[j:])) if j > v else (1, 1)
            lower = (sum(b[:v]), sum(b[:j])) if j < v else (1, 1)
            difference = upper[0] * lower[0] * j * b[j] - upper[1] * lower[1] * v * b[v]
            if any(coefficient < 0 for coefficient in sp.Poly(sp.expand(difference), E).coeffs()):
                return False
    return True


DERIVATIONS = (
    Derivation(
        "right guesses about randomly included canaries (steinke2023/one_run)",
        ("steinke2023/one_run.p", "steinke2023/one_run.eps"),
        (
            Step("flipping one canary, for 60 random laws with abstentions, every set of counts", _random_mechanisms),
            Step("the weights leave the tail less the binomial one, up to 8 guesses, all E", _weights),
            Step("the weight at v is the largest, up to 8 guesses, all E", _largest),
            Step("the bound is attained by a law that is (eps, delta)-DP, up to 4 guesses", _attained),
            Step("so that the term that programs quote from Appendix D is too small there", _quoted_is_exceeded),
        ),
    ),
)
