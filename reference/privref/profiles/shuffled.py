"""Shuffled batches: what one epoch loses at least. Training loops shuffle, and report Poisson sampling's epsilon."""

from __future__ import annotations

import math
from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import AnyNumber, Count, Positive
from privref.statements.registry import Result, implements


@implements(
    "chua2024/shuffled.delta",
    kind="lower",
    cites="the lower bound for shuffled batches (Section 4), at any threshold",
    hypotheses=(Hypothesis.SHUFFLED_BATCHES,),
)
def shuffled_delta(ar: Arithmetic, sigma: Positive, batches: Count, eps: Fraction, threshold: AnyNumber) -> Result:
    """A lower bound on delta at epsilon of one epoch of T shuffled batches of a fixed size, noise multiplier sigma.

    chua2024/shuffled.delta: Chua et al. 2024: with clipping norm 1, all other records at -1 and the differing one at 1
    or zeroed out, the outputs are, up to a known shift, P = avg_t N(2 e_t, sigma^2 I) and Q = avg_t N(e_t, sigma^2 I).
    The same holds where the record is removed instead: of T b records one fewer leaves one batch, say the last, short
    by that record, so that Q is N(e_T, sigma^2 I), under which the event below is as likely, as it does not depend on
    which batch it is; and a loader that drops a short batch gives one answer fewer, which tells the two apart.

    The event max_t w_t >= C has P = 1 - Phi((C-2)/sigma) Phi(C/sigma)^(T-1), Q the same with C-1, and
    delta >= P - e^eps Q for any threshold C. Negative where the event says nothing; epsilon in nats.
    """

    def exceeds(shift: int) -> Scalar:
        here = ar.normal_cdf(ar.real(threshold - shift) / sigma)
        return 1 - here * ar.normal_cdf(ar.real(threshold) / sigma) ** (batches - 1)

    return exceeds(2) - ar.exp(eps) * exceeds(1)


def best_threshold(sigma: Fraction, batches: int, eps: Fraction) -> Fraction:
    """About the threshold with the largest bound, by floats: any threshold gives a true bound."""
    s, e = float(sigma), float(min(eps, Fraction(700)))

    def log_tail(x: float) -> float:
        """log Phi(x)."""
        below = math.erfc(x / math.sqrt(2)) / 2
        return math.log1p(-below) if below < 1 else -math.inf

    def value(c: float) -> float:
        rest = (batches - 1) * log_tail(c / s)
        p, q = -math.expm1(rest + log_tail((c - 2) / s)), -math.expm1(rest + log_tail((c - 1) / s))
        return p - math.exp(e) * q

    candidates = (Fraction(n, 64) for n in range(64, 64 * 12))
    return max(candidates, key=lambda c: value(float(c)))
