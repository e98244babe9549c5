"""What follows from one guarantee for groups, for disjoint parts, for a selected run, and for a Poisson sample."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Count, Probability, Whole
from privref.statements.registry import Result, implements

from .pointwise import check_laws, indistinguishability_delta


@implements("dr2014/thm2.2.eps", kind="upper", cites="Theorem 2.2")
def group_pure_eps(ar: Arithmetic, eps: Fraction, k: Count) -> Scalar:
    """The epsilon of pure DP for a group of k privacy units.

    dr2014/thm2.2.eps: Dwork and Roth 2014, Theorem 2.2: k eps. Attained: Laplace noise on a count.
    """
    return k * eps


@implements("vadhan2017/lem2.2.delta", kind="upper", cites="Lemma 2.2, the sum in its proof")
def group_delta(ar: Arithmetic, eps: Fraction, delta: Probability, k: Count) -> Scalar:
    """The delta of (eps, delta)-DP for a group of k privacy units, at k times the epsilon.

    vadhan2017/lem2.2.delta: Vadhan 2017, Lemma 2.2: delta (1 + e^eps + ... + e^((k-1) eps)), which is
    delta (e^(k eps) - 1)/(e^eps - 1); the lemma rounds it up to k e^(k eps) delta. Above 1 it says nothing.
    """
    if eps == 0 or delta == 0:
        return k * delta
    return delta * (ar.expm1(k * eps) / ar.expm1(eps))


@implements("bs2016/prop1.9.rho", kind="upper", cites="Proposition 1.9")
def group_rho(ar: Arithmetic, rho: Fraction, k: Count) -> Scalar:
    """The rho of zCDP (with delta = 0) for a group of k privacy units.

    bs2016/prop1.9.rho: Bun and Steinke 2016, Proposition 1.9: k^2 rho. Attained: Gaussian noise on a count.
    """
    return k * k * rho


@implements("gdp/group.mu", kind="upper", cites="Theorem 2.14 of the arXiv version")
def group_mu(ar: Arithmetic, mu: Fraction, k: Count) -> Scalar:
    """The mu of Gaussian DP for a group of k privacy units.

    gdp/group.mu: Dong, Roth, Su 2019, Theorem 2.14 of the arXiv version: k mu. Attained: Gaussian noise on a count.
    """
    return k * mu


@implements(
    "dong2020/group.eps",
    kind="upper",
    cites="the definition of bounded range, along a chain of neighbours (ours)",
    standing="ours",
)
def group_range(ar: Arithmetic, eps: Fraction, k: Count) -> Scalar:
    """The bounded range of a mechanism for a group of k privacy units.

    dong2020/group.eps: k eps (Dong, Durfee, Rogers 2020, for the definition): along a chain of k neighbours the losses
    add, and with them the widths of the intervals that hold them. Attained: an exponential mechanism on a count.
    """
    return k * eps


#: Times that a group is doubled: with more, the digits of 3^c alone would fill a page.
_MOST_DOUBLINGS = 10_000


@implements("mironov2017/prop2.eps", kind="upper", cites="Proposition 2")
def group_renyi(ar: Arithmetic, eps: Fraction, c: Annotated[int, Whole(most=_MOST_DOUBLINGS)]) -> Scalar:
    """The Renyi DP of a group of 2^c privacy units, at the order divided by 2^c.

    mironov2017/prop2.eps: Mironov 2017, Proposition 2: 3^c eps at the order alpha/2^c, from eps at an order alpha of
    at least 2^(c+1).
    """
    factor: int = 3**c
    return factor * eps


@implements("mcsherry2009/thm4.eps", kind="upper", cites="Theorem 4", hypotheses=(Hypothesis.DISJOINT_PARTS,))
def parallel_eps(ar: Arithmetic, eps: tuple[Fraction, ...]) -> Scalar:
    """The epsilon of mechanisms that each see one of several disjoint parts of the data: the largest.

    mcsherry2009/thm4.eps: McSherry 2009, Theorem 4: max eps_i, 0 for no parts; a unit's records lie in one part,
    neighbours differ by adding or removing a unit.
    """
    largest = Fraction(0)
    for value in eps:
        if value > largest:
            largest = value
    return largest


@implements("liu2019/alg1.eps", kind="upper", cites="Theorem 3.1 (Algorithm 1), with no cap on the number of trials")
def threshold_selection_eps(ar: Arithmetic, eps: Fraction) -> Scalar:
    """The epsilon of private selection that stops at the first trial above a threshold fixed in advance.

    liu2019/alg1.eps: Liu and Talwar 2019, Theorem 3.1 (Algorithm 1): 2 eps, for eps-DP trials that release
    candidate and score, each followed by a coin that ends the run with a probability fixed in advance; no cap on
    their number.
    """
    return 2 * eps


@implements(
    "liu2019/alg2.eps",
    kind="upper",
    cites="Theorem 3.2 (Algorithm 2, random stopping), with no cap on the number of trials",
)
def random_selection_eps(ar: Arithmetic, eps: Fraction) -> Scalar:
    """The epsilon of private selection of the best of a geometric number of trials.

    liu2019/alg2.eps: Liu and Talwar 2019, Theorem 3.2 (Algorithm 2): 3 eps, for eps-DP trials that release
    candidate and score; after each the run ends with a probability fixed in advance; no cap on their number.
    """
    return 3 * eps


@implements("bbg2018/thm8.eps", kind="upper", cites="Theorem 8", hypotheses=(Hypothesis.POISSON_SAMPLING,))
def sampled_eps(ar: Arithmetic, eps: Fraction, q: Probability) -> Scalar:
    """The epsilon of an (eps, delta)-DP mechanism on a Poisson sample.

    bbg2018/thm8.eps: Balle, Barthe, Gaboardi 2018, Theorem 8: log(1 + q (e^eps - 1)); every record is in the sample
    with probability q, independently, and neighbours differ by adding or removing one.
    """
    if q in (0, 1):
        return q * eps
    return ar.log1p(q * ar.expm1(eps))


@implements("bbg2018/thm8.delta", kind="upper", cites="Theorem 8", hypotheses=(Hypothesis.POISSON_SAMPLING,))
def sampled_delta(ar: Arithmetic, delta: Probability, q: Probability) -> Scalar:
    """The delta of an (eps, delta)-DP mechanism on a Poisson sample, at the epsilon of bbg2018/thm8.eps.

    bbg2018/thm8.delta: Balle, Barthe, Gaboardi 2018, Theorem 8: q delta.
    """
    return q * delta


@implements("zdw2022/thm11.delta", kind="upper", cites="Theorem 11", hypotheses=(Hypothesis.POISSON_SAMPLING,))
def sampled_pair_delta(
    ar: Arithmetic, rate: Probability, p: Sequence[Probability], q: Sequence[Probability], exp_eps: Fraction
) -> Result:
    """The delta of a mechanism on a Poisson sample, from a finite pair of laws that dominates the mechanism.

    zdw2022/thm11.delta: Zhu, Dong, Wang 2022, Theorem 11: where (P, Q) dominates the mechanism with against without a
    record, (R, Q) with R = (1 - rate) Q + rate P dominates its run on a Poisson sample for the record's removal, and
    (Q, R) for its addition; the larger of sum (R(a) - e^eps Q(a))_+ and sum (Q(a) - e^eps R(a))_+. Attained where the
    pair is the mechanism's own; exact for a rational e^eps >= 1.
    """
    check_laws(p, q)
    mixed = [(1 - rate) * there + rate * here for here, there in zip(p, q, strict=True)]
    return indistinguishability_delta(ar, mixed, q, exp_eps)
