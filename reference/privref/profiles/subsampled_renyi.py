"""The Renyi divergence of a Poisson-subsampled Gaussian: a finite sum at whole orders, a quadrature at any other."""

from __future__ import annotations

from fractions import Fraction
from math import comb, log
from typing import Annotated

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real
from privref.exact.errors import InputError, UndecidedError
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import AboveOne, Positive, Probability, Whole
from privref.statements.registry import Result, implements

from .contour import Transform
from .contour_plan import OutOfReachError, PlannedLaw, law_nodes
from .model import SubsampledGaussian

#: The largest order whose sum is written out.
MOST_ORDER = 4096
#: The largest exponent whose power of e is taken as it is.
MOST_EXPONENT = 2**40


@implements(
    "mtz2019/poisson_gaussian.renyi",
    kind="exact",
    cites="Section 3.3, the moment A_alpha at a whole order",
    hypotheses=(Hypothesis.POISSON_SAMPLING,),
)
def renyi(ar: Arithmetic, q: Probability, sigma: Positive, order: Annotated[int, Whole(2)]) -> Result:
    """The Renyi divergence, of a whole order, of one round of a Poisson-subsampled Gaussian, for a record's removal.

    mtz2019/poisson_gaussian.renyi: Mironov, Talwar, Zhang 2019, Section 3.3: with R = (1 - q) N(0, sigma^2) +
    q N(1, sigma^2) against N(0, sigma^2), D_alpha = log(sum over j of C(alpha, j) (1 - q)^(alpha - j) q^j
    e^(j (j - 1)/(2 sigma^2)))/(alpha - 1). sigma is the noise multiplier; nats; InputError beyond order 4096.
    """
    if order > MOST_ORDER:
        raise InputError("order", order, f"give at most {MOST_ORDER}")
    if q == 0:
        return Fraction(0)
    share = 1 / (2 * sigma * sigma)
    # The last exponent is the largest; one that no engine raises e to is taken out. A symbol, in proofs, has no size.
    largest = order * (order - 1) * share
    out = largest if isinstance(largest, Fraction) and largest > MOST_EXPONENT else Fraction(0)
    kept, drawn = ar.real(1 - q), ar.real(q)
    total = ar.sum(
        comb(order, j) * kept ** (order - j) * drawn**j * ar.exp(j * (j - 1) * share - out) for j in range(order + 1)
    )
    return (out + ar.log(total)) / (order - 1)


def log_moment(ar: EnclosingArithmetic, pair: SubsampledGaussian, order: Fraction) -> Real:
    """log E_P[e^(order L)] of one round, order > 0 and 0 < q < 1: order times the Renyi divergence of order + 1.

    The trapezoidal sum of ``contour.Transform`` at a real abscissa, as near as the arithmetic's precision asks for.
    """
    if not all(Fraction(1, 2**200) <= value <= 2**200 for value in (pair.rate, pair.sigma, order)):
        raise UndecidedError(_UNPLANNED)
    planned = PlannedLaw(pair)
    try:
        # The moment is about 1 + order (order + 1) q^2/(2 s^2) where its log is small: digits are lost there.
        lost = max(0.0, -log(float(order * (order + 1))) - 2 * log(pair.rate / min(pair.sigma, Fraction(2**40))))
        nodes = law_nodes(planned, float(order), 0.0, ar.precision * log(2) + lost, None)
    except (OutOfReachError, OverflowError):
        raise UndecidedError(_UNPLANNED) from None
    inner = ar.at(2 * ar.precision + 2 * int(lost) + 64)
    with inner.active():
        found = inner.enclosure(inner.log(Transform(inner, pair).moment(inner.real(order), nodes)))
    if found is None:
        raise UndecidedError(_UNPLANNED)
    hull: Real = ar.hull(found.lower, found.upper)
    return hull


_UNPLANNED = "the quadrature of a moment has no plan for these parameters: a rate, a noise or an order is too extreme"


@implements(
    "mtz2019/poisson_gaussian.renyi_of_order",
    kind="exact",
    cites="Section 3.3, the moment A_alpha at any order; Theorem 5 for the orientation",
    hypotheses=(Hypothesis.POISSON_SAMPLING,),
)
def renyi_of_order(ar: Arithmetic, q: Probability, sigma: Positive, order: AboveOne) -> Result:
    """The Renyi divergence, of any order > 1, of one round of a Poisson-subsampled Gaussian, for a record's removal.

    mtz2019/poisson_gaussian.renyi_of_order: Mironov, Talwar, Zhang 2019, Section 3.3: D_alpha = log E_N[(R/N)^alpha]/
    (alpha - 1), R/N = 1 - q + q e^((2x - 1)/(2 sigma^2)), N = N(0, sigma^2), integrated with a bound of the error; for
    an addition it is no larger (Theorem 5). sigma is the noise multiplier; nats; UndecidedError at extreme parameters.
    """
    if q == 0:
        return Fraction(0)
    if q == 1:
        return order / (2 * sigma * sigma)
    balls = decide.enclosing(ar)
    with balls.active():
        return log_moment(balls, SubsampledGaussian(q, sigma), order - 1) / (order - 1)
