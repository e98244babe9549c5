"""How often the evidence of a ledger contradicts something true: at most the sum of the errors of all its pieces.

A piece states an error e, 1 less its confidence. Hypotheses, of which no ledger can show any:

(A) What was attacked is what the ledger describes; its neighbours are those of the attack.
(B) One run: each of m canaries is included by a fair coin of its own; guesses are a function of the answer and of coins
    of their own; at most r of them are made, and r, m and e are fixed before the coins.
(C) Many runs: they are independent, each says yes or no by a rule that is fixed before, and so are their numbers and e.
(D) Which outcomes stand in the ledger is decided before they are known.

Claim: for each piece there is an event of chance at most e, outside of which the piece contradicts no true statement:
no true (eps, delta), no true mu, however many there are, and whoever chose them, also after the outcome was seen. By a
union bound over the pieces, which may be about the same run, the chance that anything true is contradicted is at most
the sum of the errors.

One run. Let p(v) be a bound of P(W >= v) that holds where a statement is true: steinke2023/one_run.p for (eps, delta);
for mu, one_run.total is above 1 for v and e only if P(W >= v) < e. The statement is contradicted by W = w only if w is
at least the least v at which its bound is at most e. Take a true statement for which this v is the least of all. If
anything true is contradicted, W >= v, and that has the chance e at most, by this one statement.

Many runs. Let a and b be the true rates of yes with the record and of no without it. The lower ends for both are above
a, or b, with a chance of at most e/2 each (clopper1934/lower.p). Else a true (eps, delta) has a_low - delta <=
a - delta <= e^eps (1 - b) <= e^eps (1 - b_low), and the same with a and b exchanged: nothing is contradicted.

What a claim implies is true where the claim is, and so is what the ledger proves where the ledger is true; that is all
that an audit weighs (``Weighing`` in audit/evidence.py).

What is not covered: to choose the number of guesses, or which guesses count, after the coins are seen; the confidence
after the outcome; or of several attacks the one that found most. Each has a larger chance below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.profiles.evidence import lower_end, one_run_total

from .evidence import binomial, bound
from .steps import Derivation, Step

F = Fraction
ERROR = F(1, 5)


def _attaining(m: int, v: int, odds: Fraction, delta: Fraction) -> list[Fraction]:
    """The law of W, of all guesses, that attains the bound at v, or a smaller delta's."""
    law = binomial(m, odds)
    delta = min(delta, v * law[v] / (m * sum(law[v:], F(0))))
    more = m * delta / (v * law[v])
    left = 1 - more * sum(law[v:], F(0))
    return [each * (left if w < v else left + more) for w, each in enumerate(law)]


def _contradicted(m: int, w: int, points: list[tuple[Fraction, Fraction]]) -> bool:
    return any(w and bound(m, m, w, odds, delta) <= ERROR for odds, delta in points)


def _one_run() -> bool:
    """Laws that attain the bound, and many points that are true of each: what is contradicted at all is rare."""
    largest = F(0)
    for m, v, odds, delta in product((3, 6), (2, 3, 5), (F(1), F(3, 2), F(3)), (F(0), F(1, 50))):
        if v > m:
            continue
        law = _attaining(m, v, odds, delta)
        # (log odds, delta)-DP is (log E, delta)-DP for every larger E, and for every larger delta.
        points = [(odds * more, delta + add) for more, add in product((1, F(5, 4), 2), (F(0), F(1, 100), F(1, 10)))]
        alarm = sum((chance for w, chance in enumerate(law) if _contradicted(m, w, points)), F(0))
        if alarm > ERROR:
            return False
        largest = max(largest, alarm)
    return largest > ERROR / 2


def _with_mu() -> bool:
    """Guesses in coordinates of their own, right with 3/4: true are log 3, and every mu above 1.349."""
    m, points, law = 7, [(F(3), F(0)), (F(4), F(1, 100))], binomial(7, F(3))

    def by_curve(w: int) -> bool:
        return any(
            decide.exceeds(lambda ar, mu=mu: _total(ar, mu, m, w), lambda ar: F(1), decide.engine("arb"))  # type: ignore[misc]
            for mu in (F(27, 20), F(2))
        )

    contradicted = [_contradicted(m, w, points) or (w > 0 and by_curve(w)) for w in range(m + 1)]
    alarm = sum((chance for chance, is_wrong in zip(law, contradicted, strict=True) if is_wrong), F(0))
    return 0 < alarm <= ERROR


def _total(ar: Arithmetic, mu: Fraction, m: int, w: int) -> Scalar:
    return one_run_total(ar, mu, ERROR, m, m, w)  # type: ignore[return-value]


def _rates(n: int, rate: Fraction) -> list[Fraction]:
    return [comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(n + 1)]


def _many_runs() -> bool:
    """Up to six runs of each kind, of mechanisms at the border: both ends together are wrong with e at most."""
    n = 6
    ends = [
        decide.enclose(lambda ar, k=k: lower_end(ar, ERROR / 2, n, k), decide.engine("arb"), F(1, 10**12)).lower  # type: ignore[misc, arg-type]
        for k in range(n + 1)
    ]
    for odds, delta, b in product((F(1), F(3)), (F(0), F(1, 10)), (F(1, 20), F(1, 4))):
        a = min(odds * b + delta, 1 - (1 - b - delta) / odds, F(1))
        with_, without = _rates(n, a), _rates(n, 1 - b)
        alarm = F(0)
        for (i, p), (j, q) in product(enumerate(with_), enumerate(without)):
            wrong = ends[i] - delta > odds * (1 - ends[j]) or ends[j] - delta > odds * (1 - ends[i])
            alarm += p * q * wrong
        if alarm > ERROR:
            return False
    return True


def _several() -> bool:
    """Two pieces about one run, all guesses and half of them, and one of another run: at most three errors."""
    odds, m = F(3), 6
    half, alarm = _rates(m // 2, F(3, 4)), F(0)
    for (i, p), (j, q), (k, s) in product(enumerate(half), enumerate(half), enumerate(_rates(m, F(3, 4)))):
        points = [(odds, F(0)), (2 * odds, F(1, 100))]
        alarm += p * q * s * any(_contradicted(size, w, points) for size, w in ((m, i + j), (m // 2, i), (m, k)))
    return ERROR < alarm <= 3 * ERROR


def _coins(n: int) -> Iterator[tuple[int, ...]]:
    return product((0, 1), repeat=n)


def _not_covered(choose: Callable[[tuple[int, ...]], bool], n: int) -> bool:
    """Whether guesses of fair coins, which show nothing, contradict 0-DP more often than the error says."""
    return sum(map(choose, _coins(n))) > ERROR * 2**n


_NOTHING = [(F(1), F(0))]
DERIVATIONS = (
    Derivation(
        "how often evidence contradicts what is true",
        ("steinke2023/one_run.p", "mahloujifar2024/one_run.total", "clopper1934/lower.p"),
        (
            Step("one run, laws that attain the bound, nine true points at once", _one_run),
            Step("one run, points and mu at once", _with_mu),
            Step("many runs at the border of what is true", _many_runs),
            Step("three pieces, two of them about one run", _several),
            Step(
                "not covered: how many guesses count is chosen after the coins are seen",
                lambda: _not_covered(lambda s: any(_contradicted(r, sum(s[:r]), _NOTHING) for r in range(1, 9)), 8),
            ),
            Step(
                "not covered: of two attacks the one that found more",
                lambda: _not_covered(lambda s: _contradicted(5, max(sum(s[:5]), sum(s[5:])), _NOTHING), 10),
            ),
            Step(
                "not covered: the confidence that the outcome allows",
                lambda: _not_covered(lambda s: bound(8, 8, max(sum(s), 1), F(1), F(0)) < F(1, 2), 8),
            ),
        ),
    ),
)
