"""(epsilon, delta)-DP and zCDP rounds together, by the moments of each: fixed parameters leave the order open."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError
from privref.exact.work import spend
from privref.guarantees.randomized_response import pure_kl
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Count, Multiset, OpenProbability, Probability, Whole
from privref.statements.registry import Result, implements

from .basic import total


def mixed_eps_at(ar: Arithmetic, eps: Multiset, rho: Scalar, alpha: Scalar) -> Real:
    """The epsilon for which the order alpha is the best one: K'(alpha) + log(1 - 1/alpha)."""
    order = ar.real(alpha)
    slopes = [n * (x * ar.tanh(x * (2 * order - 1) / 2)) for x, n in eps]
    return ar.sum([(2 * order - 1) * rho, *slopes, ar.log(1 - 1 / order)])


def mixed_log_inverse_delta_at(ar: Arithmetic, eps: Multiset, rho: Scalar, alpha: Scalar) -> Real:
    """log(1/delta) at the epsilon for which the order alpha is best: (alpha - 1) K'(alpha) - K(alpha) + log(alpha)."""
    order = ar.real(alpha)
    parts = [(order - 1) * (order - 1) * rho, ar.log(order)]
    for x, n in eps:
        # No exponent is positive, and what remains of (alpha - 1) x cancels in both.
        far = ar.exp((1 - 2 * order) * x)
        parts.append(n * (ar.log1p(ar.exp(-ar.real(x))) - ar.log1p(far) - 2 * (order - 1) * x * far / (1 + far)))
    return ar.sum(parts)


@implements(
    "mironov2017/mixed.eps",
    kind="upper",
    cites="Table II (randomized response), added to zCDP; Canonne, Kamath, Steinke 2020, Proposition 12, at all orders",
    hypotheses=(Hypothesis.ZCDP_ROUNDS, Hypothesis.FIXED_PARAMETERS),
    standing="ours",
)
def mixed_eps(ar: Arithmetic, eps: Multiset, rho: Fraction, delta: Probability) -> Result:
    """The least epsilon >= 0 that the Renyi orders give at delta for pure DP rounds with others of rho-zCDP in all.

    mironov2017/mixed.eps: with K(alpha) = alpha (alpha - 1) rho plus the sum of log cosh(eps (alpha - 1/2)) - log
    cosh(eps/2), the logarithm of the moment of randomized response, which no eps-DP round exceeds, and alpha the root
    of (alpha - 1) K'(alpha) - K(alpha) + log(alpha) = log(1/delta): epsilon = K'(alpha) + log(1 - 1/alpha), or 0 where
    that is negative. At most cks2020/zcdp2dp.eps of rho plus the sum of eps^2/2, and of eps tanh(eps/2). Rounds with a
    delta of their own are such rounds but for it. delta = 0 gives inf (0 for no rounds).
    """
    eps = tuple((x, n) for x, n in eps if x > 0)
    if not (eps or rho > 0) or delta == 1:
        return Fraction(0)
    if delta == 0:
        return "inf"

    def excess(inner: Arithmetic, alpha: Fraction) -> Scalar:
        return mixed_log_inverse_delta_at(inner, eps, rho, alpha) - inner.log(1 / delta)

    low, high = roots.root_above(excess, Fraction(1), ar)
    found = ar.hull(mixed_eps_at(ar, eps, rho, low), mixed_eps_at(ar, eps, rho, high))
    return found if decide.sign_now(found, ar) >= 0 else Fraction(0)


@implements(
    "mironov2017/mixed.delta",
    kind="upper",
    cites="Table II (randomized response), added to zCDP; Canonne, Kamath, Steinke 2020, Proposition 12, at all orders",
    hypotheses=(Hypothesis.ZCDP_ROUNDS, Hypothesis.FIXED_PARAMETERS),
    standing="ours",
)
def mixed_delta(ar: Arithmetic, eps: Multiset, rho: Fraction, eps_g: Fraction) -> Result:
    """The least delta that the Renyi orders give at eps_g for pure DP rounds with others of rho-zCDP in all.

    mironov2017/mixed.delta: the inverse of mironov2017/mixed.eps: exp(K(alpha) - (alpha - 1) K'(alpha))/alpha at the
    root alpha of K'(alpha) + log(1 - 1/alpha) = eps_g. 0 where rho is 0 and the epsilons sum to at most eps_g.
    """
    eps = tuple((x, n) for x, n in eps if x > 0)
    if not rho > 0 and total(eps) <= eps_g:
        return Fraction(0)

    def excess(inner: Arithmetic, alpha: Fraction) -> Scalar:
        return mixed_eps_at(inner, eps, rho, alpha) - eps_g

    ends = roots.root_above_one(excess, ar)
    return ar.hull(*(ar.exp(-mixed_log_inverse_delta_at(ar, eps, rho, alpha)) for alpha in ends))


@implements(
    "whitehouse2023/thm1.tight.rho",
    kind="upper",
    cites="Theorem 1, with what an (epsilon, delta)-DP round is: eps tanh(eps/2)-zCDP",
    hypotheses=(Hypothesis.ZCDP_ROUNDS, Hypothesis.FIXED_PARAMETERS),
    standing="ours",
)
def tight_rho(ar: Arithmetic, eps: Multiset, rhos: Multiset) -> Result:
    """The rho of pure DP rounds with zCDP ones: the sum of eps tanh(eps/2), below eps^2/2, and of the rhos.

    whitehouse2023/thm1.tight.rho: randomized response is eps tanh(eps/2)-zCDP and no less, and every eps-DP round is
    its post-processing (whitehouse2023/lem1.dp2zcdp.least_delta). Rounds with a delta of their own add it apart.
    """
    own = [n * pure_kl(ar, x) for x, n in eps if x > 0]
    return ar.sum([total(rhos), *own]) if own else total(rhos)


# --- concurrent mechanisms: the largest moment of an adversary who interleaves queries --------------------------------


#: So deep a mechanism has 21,845 points.
_MOST_DEPTH = 8
_MOST_ORDER = 64


@implements(
    "haney2023/concurrent.moment",
    kind="exact",
    cites="for Renyi DP of a fixed order (abstract), on finite mechanisms; proved here anew",
)
def concurrent_moment(
    ar: Arithmetic,
    order: Annotated[int, Whole(2)],
    depths: Sequence[Count],
    p: Sequence[OpenProbability],
    q: Sequence[OpenProbability],
) -> Result:
    """The largest moment, the sum of p^order q^(1-order), of an adversary who interleaves interactive mechanisms.

    haney2023/concurrent.moment: each mechanism is asked up to ``depths`` times, every time one of two questions that
    are answered yes or no, with laws that may depend on its own conversation so far. ``p`` and ``q`` hold the
    probabilities of yes on two inputs, mechanism by mechanism, level by level, a point's two questions side by side;
    point i has the points 4 i + 1 + 2 question + answer below it, with yes 0 and no 1. The moment is the product of the
    mechanisms' own V: at a point the larger of 1 and, over both questions, the mean of p^order q^(1-order) V below.
    Interleaving gains nothing (proofs/derivations/concurrent.py), so that a filter may add up what each one costs.
    """
    if order > _MOST_ORDER:
        raise InputError("order", order, f"give a whole number from 2 to {_MOST_ORDER}")
    for i, depth in enumerate(depths):
        if depth > _MOST_DEPTH:
            raise InputError(f"depths[{i}]", depth, f"give a whole number from 1 to {_MOST_DEPTH}")
    sizes = [2 * (4**depth - 1) // 3 for depth in depths]
    for name, values in (("p", p), ("q", q)):
        if len(values) != sum(sizes):
            raise InputError(name, f"{len(values)} values", f"give {sum(sizes)}: two for each point of each mechanism")
    spend(8 * order * sum(sizes))
    moment, start = Fraction(1), 0
    for size in sizes:
        moment, start = moment * _largest(order, p[start : start + size], q[start : start + size]), start + size
    return moment


def _largest(order: int, p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """V at the start of one mechanism, from its last points upward."""
    points = len(p) // 2
    values = [Fraction(1)] * points

    def below(point: int) -> Fraction:
        return values[point] if point < points else Fraction(1)

    for point in reversed(range(points)):
        for question in (0, 1):
            i, child = 2 * point + question, 4 * point + 1 + 2 * question
            yes = p[i] ** order / q[i] ** (order - 1) * below(child)
            no = (1 - p[i]) ** order / (1 - q[i]) ** (order - 1) * below(child + 1)
            values[point] = max(values[point], yes + no)
    return values[0]
