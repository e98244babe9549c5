"""Randomized response with four outcomes: the worst case of (epsilon, delta)-DP. All epsilons are in nats.

RR(eps, delta) under b = 0 gives "0" with probability delta, "top" with (1 - delta) e^eps / (1 + e^eps), "bottom" with
(1 - delta) / (1 + e^eps) and "1" never; under b = 1 it is the mirror image.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.statements.params import PROBABILITY, AboveOne, Probability, ProperProbability
from privref.statements.registry import implements


@implements("rogers2016/def2.6.p_top", kind="exact", cites="Definition 2.6")
def p_top(ar: Arithmetic, eps: Scalar, delta: Annotated[Scalar, PROBABILITY]) -> Scalar:
    """The probability of the outcome "top" under b = 0.

    rogers2016/def2.6.p_top: Rogers et al. 2016, Definition 2.6: (1 - delta) e^eps / (1 + e^eps).
    """
    return (1 - delta) / (1 + ar.exp(-eps))


@implements("rogers2016/def2.6.p_bottom", kind="exact", cites="Definition 2.6")
def randomized_response_p_bottom(ar: Arithmetic, eps: Fraction, delta: Probability) -> Scalar:
    """The probability of the outcome "bottom" under b = 0.

    rogers2016/def2.6.p_bottom: Rogers et al. 2016, Definition 2.6: (1 - delta) / (1 + e^eps).
    """
    return (1 - delta) / (1 + ar.exp(eps))


@implements("whitehouse2023/lem10.kl_bound", kind="upper", cites="Lemma 10 (Lemma 9 of the arXiv version)")
def pure_kl_bound(ar: Arithmetic, eps: Fraction) -> Scalar:
    """An upper bound on the expected privacy loss of an epsilon-DP mechanism.

    whitehouse2023/lem10.kl_bound: Whitehouse et al. 2023, Lemma 10: E[L] <= eps^2 / 2.
    """
    return eps * eps / 2


@implements("whitehouse2023/lem10.kl_tight", kind="exact", cites="Lemma 10 with its sharp constant")
def pure_kl(ar: Arithmetic, eps: Scalar) -> Scalar:
    """The largest expected privacy loss of an epsilon-DP mechanism, attained by randomized response.

    whitehouse2023/lem10.kl_tight: eps tanh(eps / 2) = eps (e^eps - 1) / (e^eps + 1).
    """
    return eps * ar.tanh(ar.real(eps) / 2)


@implements("whitehouse2023/appF.loss", kind="exact", cites="Appendix F")
def merged_loss(ar: Arithmetic, eps: Fraction, delta: ProperProbability) -> Scalar:
    """The privacy loss of randomized response with "0" and "top" merged: above epsilon for every delta > 0.

    whitehouse2023/appF.loss: Whitehouse et al. 2023, Appendix F: log((delta + e^eps) / (1 - delta)), taken with
    probability (delta + e^eps) / (1 + e^eps); eps = 0 is allowed, delta < 1.
    """
    return ar.log((delta + ar.exp(eps)) / (1 - delta))


@implements("whitehouse2023/appF.probability", kind="exact", cites="Appendix F")
def merged_probability(ar: Arithmetic, eps: Fraction, delta: ProperProbability) -> Scalar:
    """The probability of the loss ``whitehouse2023/appF.loss``.

    whitehouse2023/appF.probability: (1 - delta) e^eps / (1 + e^eps) + delta.
    """
    return p_top(ar, eps, delta) + delta


# --- its Renyi divergence, which no (epsilon, delta)-DP round exceeds but for its delta -------------------------------


#: A round is charged its divergence rounded up to a multiple of 2^-this: a little more than it costs, and short.
_CHARGE_BITS = 96
#: From here on 2 epsilon e^-epsilon is below 2^-96.
_LARGE = 128
#: Up to this product of epsilon and order a Renyi filter charges order epsilon^2/2, which is a millionth more at most.
_SMALL = Fraction(1, 1024)


def response_divergence(ar: Arithmetic, eps: Real, order: Real) -> Real:
    """eps + (log(1 + e^((1 - 2 order) eps)) - log(1 + e^-eps))/(order - 1): no exponent is positive."""
    return eps + (ar.log1p(ar.exp((1 - 2 * order) * eps)) - ar.log1p(ar.exp(-eps))) / (order - 1)


@implements("mironov2017/response.renyi", kind="exact", cites="Table II, randomized response")
def response_renyi(ar: Arithmetic, eps: Fraction, order: AboveOne) -> Scalar:
    """The Renyi divergence of randomized response, the largest of any epsilon-DP mechanism.

    mironov2017/response.renyi: Mironov 2017: log(p^alpha (1-p)^(1-alpha) + (1-p)^alpha p^(1-alpha))/(alpha - 1) with
    p = e^eps/(1 + e^eps). At most alpha eps^2/2 and at most eps. Nats.
    """
    return response_divergence(ar, ar.real(eps), ar.real(order)) if eps else Fraction(0)


def charged(eps: Fraction, order: Fraction, engine: decide.EngineName = "arb") -> Fraction:
    """The divergence of randomized response at an order, rounded up by less than 2^-96.

    Never above epsilon and order epsilon^2/2, which bound it too, so that rounding costs nothing where it is small.
    Where one of them is within 2^-96 of it by itself nothing is computed, so that any epsilon has a charge: the first
    is at most 2 epsilon e^-epsilon above (the divergence is at least that of order 1, epsilon tanh(epsilon/2)), the
    second at most order^3 epsilon^4/3 (x^2/2 - log cosh x rises at most by x^3/3).
    """
    return Fraction(*charged_ratio(eps.numerator, eps.denominator, order.numerator, order.denominator, engine))


@lru_cache(maxsize=4096)
def charged_ratio(n: int, d: int, a: int, b: int, engine: decide.EngineName) -> tuple[int, int]:
    """The same for epsilon n/d and order a/b: a filter asks at each step, and Python hashes rationals by a division."""
    if n >= _LARGE * d:
        return n, d
    n2, d2 = n * n, d * d
    least = (a * n2, 2 * b * d2) if a * n * d <= 2 * b * d2 else (n, d)
    # order^3 epsilon^4 <= 2^-96.
    if a * a * a * n2 * n2 << _CHARGE_BITS > b * b * b * d2 * d2:
        ceiling = _ceiling_of_small(n, d, a, b)

        def divergence(ar: Arithmetic) -> Real:
            return response_divergence(ar, ar.real(n) / d, ar.real(a) / b)

        # Rounded up: by one evaluation where it is not next to a multiple of 2^-96.
        ends = None if ceiling else decide.engine(engine, 160).units_of(divergence, _CHARGE_BITS)
        if ends is not None and ends[1] - ends[0] == 1:
            ceiling = ends[1]
        elif not ceiling:
            width = Fraction(1, 2 ** (_CHARGE_BITS + 8))
            found = decide.enclose(divergence, decide.engine(engine, 256), width)
            ceiling = math.ceil(found.upper * (1 << _CHARGE_BITS))
        if ceiling * least[1] <= least[0] << _CHARGE_BITS:
            return ceiling, 1 << _CHARGE_BITS
    shared = math.gcd(*least)
    return least[0] // shared, least[1] // shared


def _ceiling_of_small(n: int, d: int, a: int, b: int) -> int:
    """The divergence for a tiny epsilon n/d and the order a/b, rounded up to units of 2^-96; 0 where this is not known.

    With Y = (2 order - 1) epsilon/2 and z = epsilon/2 it is (log cosh Y - log cosh z)/(order - 1). As x - x^3/3 <=
    tanh x <= x - x^3/3 + 2x^5/15 for x >= 0, log cosh x is x^2/2 - x^4/12 and at most x^6/45 more. So the divergence is
    order epsilon^2/2 (1 - (2 order^2 - 2 order + 1) epsilon^2/12), give or take Y^6/(45 (order - 1)).
    """
    # Lengths show that the last term is below 2^-104: a 256th of a unit.
    length = ((2 * a - b) * n).bit_length() - (2 * b * d).bit_length() + 1
    if 6 * length + b.bit_length() - (a - b).bit_length() > 4 - 104:
        return 0
    n2, d2, b2 = n * n, d * d, b * b
    whole = 24 * b * b2 * d2 * d2
    floor, rest = divmod(a * n2 * (12 * b2 * d2 - (2 * a * a - 2 * a * b + b2) * n2) << _CHARGE_BITS, whole)
    return floor + 1 if whole < rest << 8 < 255 * whole else 0


def are_small(eps: Fraction, order: Fraction) -> bool:
    """Whether order epsilon^2/2 is charged at an order: 2/3 (order epsilon)^2 of it is the most that it is above.

    Nothing is enclosed then, and online machines may be asked with a new epsilon at every step.
    """
    return eps.numerator * order.numerator * _SMALL.denominator <= eps.denominator * order.denominator


def charged_at_order(eps: Fraction, order: Fraction) -> Fraction:
    """What a Renyi filter charges an (epsilon, delta)-DP round at an order, alongside its delta."""
    return order * eps * eps / 2 if are_small(eps, order) else charged(eps, order)
