"""The exact counterexample to the filter theorem of the arXiv version of Whitehouse et al. 2023."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.statements.params import OPEN_PROBABILITY, POSITIVE, one, whole
from privref.statements.registry import Result, implements


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
    growth = ar.exp(e0)
    factor = ar.exp(arxiv_epsilon(ar, k, e0, delta))
    terms: list[Scalar] = []
    for l in itertools.count():
        # A tie would make log(1/delta) algebraic over the rationals; it is transcendental for 0 < delta < 1.
        loss = (k - 2 * l) * e0
        if decide.sign(lambda inner: loss - arxiv_epsilon(inner, k, e0, delta), ar) <= 0:
            break
        terms.append(math.comb(k, l) * (growth ** (k - l) - factor * growth**l))
    return delta + (1 - delta) * ar.sum(terms) / (1 + growth) ** k if terms else delta
