"""Audits by one run under f-DP: which chances the counts of right guesses about m canaries can have (Gaussian: mu).

S is uniform on {-1, 1}^m, T the guesses, a function of the answer and of coins: at most r are not 0, where r was chosen
before. W counts the right ones, T_j = P(W >= j), A_j = T_j + T_(j+1) + ... + T_r. What ran is f-DP: with g(x) =
f(1 - x), an event that has the chance x on one data set has at least g(x) on its neighbour; g is convex, does not fall
and is g(x) = Phi(Phi^-1(x) - mu) for mu-Gaussian DP.

1. Let X_i be the event that guess i is right and W >= j + 1. Given S = s it is an event of the answer. With s_i flipped
the same answers make guess i wrong, and W >= j. So for Y_i, the event that guess i is made and wrong and W >= j:
P(Y_i) >= mean over s of g(P(X_i | s)) >= g(P(X_i)), by Jensen's inequality; and the sum over i is at least m g(mean).

2. The sum of P(X_i) is E[W; W >= j + 1] = (j + 1) T_(j+1) + A_(j+2). No more than r - W guesses are wrong, so that the
sum of P(Y_i) is at most E[r - W; W >= j] = (r - j) T_j - A_(j+1). Hence, for every j < r,

    (r - j) T_j >= A_(j+1) + m g(((j + 1) T_(j+1) + A_(j+2))/m),    and T_j >= T_(j+1).

3. Both right sides do not fall in the sums above. Suppose T_v >= level. Begin with T_v = level and A_(v+1) = 0 and go
down with equality, or with T_(j+1) where that is larger: by induction no T_j and no A_j of what ran is smaller. So T_0
of the recursion is at most that of what ran, which is 1. Where it is above 1, T_v < level.

This is the recursion of h = E[r - W; W >= j]/m and r = E[W; W >= j]/m that programs have: A_(j+1) and T_j are linear in
them. Also: more mass above v is what the recursion from v + 1 has, so that the counts at which it is above 1 for a
level are all from some v on. What it needs and what it says:

- r is the largest number of guesses, chosen before; which guesses, and whether to abstain, may depend on the answer.
- It is a test of f-DP of what ran, on each pair of data sets that differ in one canary, in both orders. Programs
(jax-privacy's epsilon_one_run_fdp) put in the mu at which a Gaussian has the delta at epsilon that is asked about. What
they reject then is that Gaussian, and not (epsilon, delta)-DP: randomized response is a counterexample, below.
- m g(x/m) falls as m grows, for g(0) = 0: more canaries without a guess show less.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import sympy as sp

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.profiles.evidence import one_run_total

from .evidence import counted, least_delta, right_guesses, signs
from .steps import Derivation, Step, enclosure

F = Fraction
Curve = Callable[[Fraction], Fraction]


def total(g: Curve, level: Fraction, m: int, r: int, v: int) -> Fraction:
    """The recursion, for any curve on [0, 1], in rationals; 2 where the argument is 1 or more."""
    tail, above = level, F(0)
    for j in range(v - 1, -1, -1):
        share = ((j + 1) * tail + above) / m
        if share >= 1:
            return F(2)
        above += tail
        tail = max(tail, (above + m * g(share)) / (r - j))
    return tail


def of_dp(odds: Fraction, delta: Fraction) -> Curve:
    """The g of (eps, delta)-DP: max(0, (x - delta)/E, 1 - delta - E (1 - x))."""
    return lambda x: max(F(0), (x - delta) / odds, 1 - delta - odds * (1 - x))


def _random_mechanisms() -> bool:
    """Random laws of guesses with abstentions: both inequalities at every j, and the recursion from every count."""
    random, near = Random(11), 0
    for m, r in ((1, 1), (2, 2), (2, 1), (3, 3), (3, 2), (4, 2)):
        guesses = [t for t in product((-1, 0, 1), repeat=m) if sum(map(abs, t)) <= r]
        for _ in range(6):
            law = {}
            for s in signs(m):
                weights = {t: random.randint(1, 4) * random.choice((1, 4)) ** right_guesses(s, t) for t in guesses}
                law[s] = {t: F(weight, sum(weights.values())) for t, weight in weights.items()}
            a = counted(law, m)
            tails = [sum(a[j:], F(0)) for j in range(m + 3)]
            for odds in (F(1), F(3, 2), F(4)):
                g = of_dp(odds, least_delta(law, m, odds))
                for j in range(r):
                    above = sum(tails[j + 1 :], F(0))
                    share = ((j + 1) * tails[j + 1] + above - tails[j + 1]) / m
                    if (r - j) * tails[j] < above + m * g(share):
                        return False
                for v in range(1, r + 1):
                    found = total(g, tails[v], m, r, v)
                    if found > 1:
                        return False
                    near += found > F(9, 10)
    return near > 0


def _same_as_printed() -> bool:
    """r and h of the printed recursion and the tails are the same numbers, for every v and r up to 6 and any curve."""
    x = sp.symbols("x0:7", positive=True)
    m = sp.Symbol("m", positive=True)
    for n in range(1, 7):
        for v in range(1, n + 1):
            tails = {v: x[v]}
            r, h = x[v] * v / m, x[v] * (n - v) / m
            for i in range(v - 1, -1, -1):
                # x[i] is what the curve has there: the new h, in both.
                r, h = r + sp.Rational(i, n - i) * (x[i] - h), x[i]
                tails[i] = (sum(tails.values()) + m * x[i]) / (n - i)
                above = sum(tail for j, tail in tails.items() if j > i)
                if sp.simplify(r - (i * tails[i] + above) / m) or sp.simplify(h - ((n - i) * tails[i] - above) / m):
                    return False
            if sp.simplify((r + h) * m / n - tails[0]):
                return False
    return True


def _at(mu: Fraction, level: Fraction, m: int, r: int, v: int) -> Enclosure:
    """The statement, from both engines."""
    return enclosure(lambda ar: ar.real(one_run_total(ar, mu, level, m, r, v)), 12)  # type: ignore[arg-type]


def _tail(n: int, q: Fraction, v: int) -> Fraction:
    return sum((comb(n, w) * q**w * (1 - q) ** (n - w) for w in range(v, n + 1)), F(0))


def _coordinates() -> bool:
    """Canaries in coordinates of their own, each guess right with q <= Phi(mu/2): no count is likelier than allowed."""
    for m, mu in ((1, F(1)), (3, F(1, 2)), (8, F(1)), (12, F(2))):
        most = enclosure(lambda ar, mu=mu: ar.normal_cdf(mu / 2)).lower  # type: ignore[misc]
        q = F(int(most * 2**40), 2**40)
        # All guesses are made, or all but one.
        if any(_at(mu, _tail(r, q, v), m, r, v).upper > 1 for r in (m, m - 1) for v in range(1, r + 1)):
            return False
    return True


def _one_guess() -> bool:
    """One guess about one canary attains it: its chance is Phi(mu/2), and any larger level is above 1."""
    most = enclosure(lambda ar: ar.normal_cdf(F(1, 2)))
    return _at(F(1), most.lower, 1, 1, 1).lower <= 1 < _at(F(1), most.upper + F(1, 10**9), 1, 1, 1).lower


def _response_is_no_gaussian() -> bool:
    """1-DP randomized response is (1, 1e-5)-DP. Reading the claim as the Gaussian's with that point rejects it often.

    That Gaussian has a mu below 27/100. Of 200 guesses about 200 canaries at least 135 are right with a chance above
    96 %, and for mu = 27/100 the recursion says: with less than 5 %.
    """

    def delta(ar: Arithmetic) -> Scalar:
        mu = F(27, 100)
        return ar.normal_cdf(mu / 2 - 1 / mu) - ar.exp(1) * ar.normal_cdf(-mu / 2 - 1 / mu)

    enough = all(decide.exceeds(delta, lambda ar: F(1, 10**5), decide.engine(name)) for name in ("arb", "mpmath"))
    q = enclosure(lambda ar: 1 / (1 + ar.exp(-1))).lower
    often = _tail(200, F(int(q * 2**40), 2**40), 135) > F(96, 100)
    return enough and often and _at(F(27, 100), F(1, 20), 200, 200, 135).lower > 1


DERIVATIONS = (
    Derivation(
        "right guesses about randomly included canaries, under f-DP (mahloujifar2024/one_run)",
        ("mahloujifar2024/one_run.total", "mahloujifar2024/one_run.mu"),
        (
            Step("36 random laws with abstentions are within both inequalities and the recursion", _random_mechanisms),
            Step("the recursion of r and h that programs have is this one", _same_as_printed),
            Step("guesses about coordinates of their own are within it", _coordinates),
            Step("one guess about one canary attains it", _one_guess),
            Step("a rejected Gaussian is no rejected (epsilon, delta): a counterexample", _response_is_no_gaussian),
        ),
    ),
)
