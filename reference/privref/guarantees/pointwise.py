"""Pointwise indistinguishability (probabilistic DP) and its conversions from and to (epsilon, delta)-DP."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.exact.seams import seam
from privref.statements.params import Positive, Probability, ProperProbabilities
from privref.statements.registry import Result, implements


def printed_pointwise_delta(ar: Arithmetic, eps: Scalar, delta: Scalar) -> Scalar:
    """2 delta / (eps e^eps)."""
    return 2 * delta / (eps * ar.exp(eps))


def sharp_pointwise_delta(ar: Arithmetic, eps: Scalar, delta: Scalar) -> Scalar:
    """delta (1 + e^(-2 eps)) / (1 - e^-eps)."""
    return delta * (1 + ar.exp(-2 * eps)) / -ar.expm1(-eps)


@implements("rogers2016/lem2.3.delta", kind="upper", cites="Lemma 2.3, first half")
def pointwise_to_dp_delta(ar: Arithmetic, delta: Probability) -> Scalar:
    """The delta to which (epsilon, delta)-pointwise indistinguishability converts at the same epsilon.

    rogers2016/lem2.3.delta: Rogers et al. 2016, Lemma 2.3, first half: pointwise implies indistinguishable with the
    same epsilon and delta.
    """
    return delta


@implements(
    "rogers2016/lem2.3.printed",
    kind="upper",
    cites="Lemma 2.3, second half (Kasiviswanathan and Smith 2014)",
    standing="printed",
)
def dp_to_pointwise_printed(ar: Arithmetic, eps: Positive, delta: Probability) -> Scalar:
    """The printed delta of the (2 epsilon, .)-pointwise conversion: false for every epsilon > 0.

    rogers2016/lem2.3.printed: Rogers et al. 2016, Lemma 2.3, second half: 2 delta / (eps e^eps). At e^eps = 2 the pair
    (1/6, 1/30, 4/5), (1/30, 1/6, 4/5) has delta = 1/10 and P(|loss| > 2 eps) = 1/5 > 0.1443.
    """
    return printed_pointwise_delta(ar, eps, delta)


@implements("whitehouse2023/lem2.printed", kind="upper", cites="Lemma 2, second half", standing="printed")
def dp_to_pdp_printed(ar: Arithmetic, eps: Positive, delta: Probability) -> Scalar:
    """The printed delta of the conversion from DP to 2 epsilon-pDP: the same false formula as rogers2016/lem2.3.

    whitehouse2023/lem2.printed: Whitehouse et al. 2023, Lemma 2: 2 delta / (eps e^eps).
    """
    return printed_pointwise_delta(ar, eps, delta)


#: A product of more bits than this is not multiplied out.
_EXACT_BITS = 500_000


def _sharp_at_most_one(ar: Arithmetic, eps: Fraction, delta: Fraction) -> Scalar:
    return ar.minimum(sharp_pointwise_delta(ar, eps, delta), 1) if delta else Fraction(0)


@implements("rogers2016/lem2.3.corrected", kind="upper", cites="Lemma 2.3, second half, corrected")
def dp_to_pointwise(ar: Arithmetic, eps: Positive, delta: Probability) -> Scalar:
    """The delta of the (2 epsilon, .)-pointwise guarantee that (epsilon, delta)-DP gives.

    rogers2016/lem2.3.corrected: delta (1 + e^(-2 eps)) / (1 - e^-eps), at most 1. Proof: on A = {loss > 2 eps},
    P(A) <= e^eps Q(A) + delta < e^-eps P(A) + delta, so P(A) <= delta / (1 - e^-eps); on B = {loss < -2 eps} the same
    holds for Q(B), and P(B) <= e^(-2 eps) Q(B). Attained for small delta. eps = 0 has no such conversion.
    """
    return _sharp_at_most_one(ar, eps, delta)


@implements("whitehouse2023/lem2.corrected", kind="upper", cites="Lemma 2, second half, corrected")
def dp_to_pdp(ar: Arithmetic, eps: Positive, delta: Probability) -> Scalar:
    """The delta of the 2 epsilon-pDP guarantee that (epsilon, delta)-DP gives: as rogers2016/lem2.3.corrected.

    whitehouse2023/lem2.corrected: delta (1 + e^(-2 eps)) / (1 - e^-eps), at most 1.
    """
    return _sharp_at_most_one(ar, eps, delta)


@implements("whitehouse2023/lem8.good", kind="exact", cites="Lemma 8 (Lemma 7 of the arXiv version)")
def all_good(ar: Arithmetic, delta: ProperProbabilities) -> Scalar:
    """The probability that no round of a composition takes its bad part, for independent coins.

    whitehouse2023/lem8.good: Whitehouse et al. 2023, Lemma 8: prod (1 - delta_n). Exact where that has at most some
    hundred thousand digits; enclosed beyond.
    """
    # A symbol, in proofs, has no digits.
    digits = sum(value.denominator.bit_length() * count for value, count in delta if isinstance(value, Fraction))
    exact = digits <= _EXACT_BITS
    product: Scalar = Fraction(1) if exact else ar.lift(Fraction(1))
    for value, count in delta:
        product = product * (1 - value if exact else ar.real(1 - value)) ** count
    return product


@implements("whitehouse2023/lem8.lower", kind="lower", cites="Lemma 8 (Lemma 7 of the arXiv version)")
def all_good_lower(ar: Arithmetic, delta: ProperProbabilities) -> Scalar:
    """A lower bound on the probability that no round takes its bad part.

    whitehouse2023/lem8.lower: Whitehouse et al. 2023, Lemma 8: 1 - sum delta_n.
    """
    return 1 - sum((value * count for value, count in delta), Fraction(0))


@seam
def check_laws(p: Sequence[Fraction], q: Sequence[Fraction]) -> None:
    """InputError where these are not two laws on the same outcomes."""
    for name, law in (("p", p), ("q", q)):
        if sum(law) != 1:
            raise InputError(name, f"a sum of {sum(law)}", "give the probabilities of all outcomes, which sum to 1")
    if len(p) != len(q):
        raise InputError("q", f"{len(q)} outcomes", f"give as many outcomes as p has: {len(p)}")


@implements("rogers2016/def2.1.delta", kind="exact", cites="Definition 2.1")
def indistinguishability_delta(
    ar: Arithmetic, p: Sequence[Probability], q: Sequence[Probability], exp_eps: Fraction
) -> Result:
    """The least delta for which two finite laws are (epsilon, delta)-indistinguishable.

    rogers2016/def2.1.delta: Rogers et al. 2016, Definition 2.1: the larger of sum (P(a) - e^eps Q(a))_+ and the same
    with P and Q exchanged; exact for a rational e^eps >= 1.
    """
    check_laws(p, q)
    if exp_eps < 1:
        raise InputError("exp_eps", str(exp_eps), "give e^eps >= 1")
    pairs = list(zip(p, q, strict=True))
    there = sum((max(a - exp_eps * b, Fraction(0)) for a, b in pairs), Fraction(0))
    back = sum((max(b - exp_eps * a, Fraction(0)) for a, b in pairs), Fraction(0))
    return max(there, back)


@implements("rogers2016/def2.2.delta", kind="exact", cites="Definition 2.2")
def pointwise_delta(ar: Arithmetic, p: Sequence[Probability], q: Sequence[Probability], exp_eps: Fraction) -> Result:
    """The least delta for which two finite laws are (epsilon, delta)-pointwise indistinguishable.

    rogers2016/def2.2.delta: Rogers et al. 2016, Definition 2.2: the probability of |log(P(a)/Q(a))| > eps under each
    of the two laws, the larger; exact for a rational e^eps >= 1.
    """
    check_laws(p, q)
    if exp_eps < 1:
        raise InputError("exp_eps", str(exp_eps), "give e^eps >= 1")
    bad = [(a, b) for a, b in zip(p, q, strict=True) if a > exp_eps * b or b > exp_eps * a]
    return max(sum((a for a, _ in bad), Fraction(0)), sum((b for _, b in bad), Fraction(0)))


@implements("whitehouse2023/def2.renyi", kind="exact", cites="Definition 2")
def renyi_divergence(ar: Arithmetic, p: Sequence[Probability], q: Sequence[Probability], order: Positive) -> Result:
    """The Renyi divergence of an order >= 1 of two finite laws; the order 1 is the Kullback-Leibler divergence.

    whitehouse2023/def2.renyi: Whitehouse et al. 2023, Definition 2: log(sum P^order Q^(1 - order)) / (order - 1), in
    nats; at order 1 the limit sum P log(P/Q). inf where P is not absolutely continuous with respect to Q.
    """
    check_laws(p, q)
    if order < 1:
        raise InputError("order", str(order), "give an order >= 1")
    pairs = [(a, b) for a, b in zip(p, q, strict=True) if a]
    if any(b == 0 for _, b in pairs):
        return "inf"
    if all(a == b for a, b in pairs):
        return Fraction(0)
    if order == 1:
        return ar.sum(a * ar.log(a / b) for a, b in pairs)
    ratios = [a / b for a, b in pairs]
    # With the largest taken out no exponent is positive; symbols, in proofs, have no largest.
    top = max(ratios) if all(isinstance(ratio, Fraction) for ratio in ratios) else Fraction(1)
    moment = ar.sum(a * ar.exp((order - 1) * ar.log(ratio / top)) for (a, _), ratio in zip(pairs, ratios, strict=True))
    return ar.log(top) + ar.log(moment) / (order - 1)
