"""The exact counterexample to the filter theorem of the arXiv version of Whitehouse et al. 2023."""

from __future__ import annotations

from fractions import Fraction

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.statements.params import OPEN_PROBABILITY, POSITIVE, one, whole
from privref.statements.registry import Result, implements

from .optimal import tail_sum


def arxiv_epsilon(ar: Arithmetic, k: int, e0: Scalar, delta: Scalar) -> Scalar:
    """rho + 2 sqrt(rho log(1/delta)) at rho = k e0^2 / 2."""
    rho = ar.lift(Fraction(1, 2)) * k * e0 * e0
    return rho + 2 * ar.sqrt(rho * ar.log(1 / ar.real(delta)))


@implements(
    "whitehouse2023/thm2.arxiv_counterexample.delta",
    kind="lower",
    cites="Theorem 2 of the arXiv version, refuted",
    params=(whole("k"), one("e0", POSITIVE), one("delta", OPEN_PROBABILITY)),
    standing="ours",
)
def arxiv_counterexample_delta(ar: Arithmetic, k: int, e0: Fraction, delta: Fraction) -> Result:
    """What one (0, delta)-DP round and k randomized responses really lose at the epsilon that the arXiv version claims.

    whitehouse2023/thm2.arxiv_counterexample.delta: with eps = rho + 2 sqrt(rho log(1/delta)), rho = k e0^2/2:
    delta + (1 - delta) sum_l C(k, l) (e^((k-l) e0) - e^(eps + l e0))_+ / (1 + e^e0)^k, which exceeds the claimed delta
    wherever the sum is positive.
    """

    # The terms are positive down to the last l with (k - 2 l) e0 > eps. Whether one is takes one comparison, and its
    # tie would make log(1/delta) algebraic over the rationals, which it is not for 0 < delta < 1.
    def positive(l: int) -> bool:
        loss = (k - 2 * l) * e0
        return decide.sign(lambda inner: loss - arxiv_epsilon(inner, k, e0, delta), ar) > 0

    if not k or not positive(0):
        return delta
    low, high = 0, k
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if positive(middle) else (low, middle)
    p, q = tail_sum(ar, e0, k, low)
    return delta + (1 - delta) * (p - ar.exp(arxiv_epsilon(ar, k, e0, delta)) * q)
