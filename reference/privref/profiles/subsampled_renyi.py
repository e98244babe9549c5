"""The Renyi divergence of a Poisson-subsampled Gaussian at whole orders: a finite sum, to any digits."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from privref.exact.arithmetic import Arithmetic
from privref.exact.errors import InputError
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import POSITIVE, PROBABILITY, one, whole
from privref.statements.registry import Result, implements

#: The largest order whose sum is written out.
MOST_ORDER = 4096


@implements(
    "mtz2019/poisson_gaussian.renyi",
    kind="exact",
    cites="Section 3.3, the moment A_alpha at a whole order",
    params=(one("q", PROBABILITY), one("sigma", POSITIVE), whole("order", 2)),
    hypotheses=(Hypothesis.POISSON_SAMPLING,),
)
def renyi(ar: Arithmetic, q: Fraction, sigma: Fraction, order: int) -> Result:
    """The Renyi divergence, of a whole order, of one round of a Poisson-subsampled Gaussian, for a record's removal.

    mtz2019/poisson_gaussian.renyi: Mironov, Talwar, Zhang 2019, Section 3.3: with R = (1 - q) N(0, sigma^2) +
    q N(1, sigma^2) against N(0, sigma^2), D_alpha = log(sum over j of C(alpha, j) (1 - q)^(alpha - j) q^j
    e^(j (j - 1)/(2 sigma^2)))/(alpha - 1). sigma is the noise multiplier; nats; InputError beyond order 4096.
    """
    if order > MOST_ORDER:
        raise InputError("order", order, f"give at most {MOST_ORDER}")
    if q == 0:
        return Fraction(0)
    total = ar.sum(
        comb(order, j) * (1 - q) ** (order - j) * q**j * ar.exp(j * (j - 1) / (2 * sigma * sigma))
        for j in range(order + 1)
    )
    return ar.log(total) / (order - 1)
