"""Time-uniform boundaries of martingales, on which filters and odometers are built.

V is the intrinsic time: the sum of the squared sub-Gaussian scales, U^2/4 for increments in intervals of widths whose
squares sum to U^2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from privref.exact import roots
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError
from privref.statements.params import BELOW_INVERSE_E, OPEN_PROBABILITY, POSITIVE, OpenProbability, Positive
from privref.statements.registry import implements


def one_sided_excess(ar: Arithmetic, z: Scalar, ratio: Scalar, delta: Scalar) -> Real:
    """z^2/2 + log(2 Phi(z)) - log(sqrt(ratio)/delta), which increases with z; ratio = (V + gamma)/gamma."""
    return ar.real(z) ** 2 / 2 + ar.log(2 * ar.normal_cdf(z)) - ar.log(ar.sqrt(ratio) / delta)


def stitched_boundary(ar: Arithmetic, V: Scalar, v0: Scalar, delta: Scalar) -> Real:
    """1.7 sqrt(V (log log(2 V / v0) + 0.72 log(5.2 / delta))), for V >= v0."""
    constant, factor, inside = Fraction(17, 10), Fraction(72, 100), Fraction(52, 10)
    return ar.lift(constant) * ar.sqrt(
        V * (ar.log(ar.log(2 * ar.real(V) / v0)) + ar.lift(factor) * ar.log(ar.lift(inside) / delta))
    )


@implements("rogers2016/thm4.1.radius", kind="upper", cites="Theorem 4.1")
def rogers_radius(
    ar: Arithmetic, U2: Scalar, beta: Annotated[Scalar, POSITIVE], delta: Annotated[Scalar, BELOW_INVERSE_E]
) -> Real:
    """A radius that |M_k| stays below except with probability delta, for predictable increment intervals.

    rogers2016/thm4.1.radius: Rogers et al. 2016, Theorem 4.1: with U^2 the sum of the squared widths, beta > 0 fixed in
    advance and 0 < delta <= 1/e: sqrt((U^2/4 + beta) (2 + log(U^2/(4 beta) + 1)) log(1/delta)).
    """
    quarter = ar.real(U2) / 4
    return ar.sqrt((quarter + beta) * (2 + ar.log(quarter / beta + 1)) * ar.log(1 / ar.real(delta)))


@implements(
    "rogers2016/thm4.1.additive",
    kind="upper",
    cites="Theorem 4.1, sharpened by the two-sided normal mixture",
    standing="ours",
)
def additive_radius(
    ar: Arithmetic, U2: Scalar, beta: Annotated[Scalar, POSITIVE], delta: Annotated[Scalar, OPEN_PROBABILITY]
) -> Real:
    """A smaller radius than Theorem 4.1's, valid for every delta in (0, 1) and uniformly over time.

    rogers2016/thm4.1.additive: sqrt(2 (U^2/4 + beta) (log(1/delta) + log(U^2/(4 beta) + 1)/2)). Proof: Hoeffding's
    lemma makes exp(l M - l^2 U^2/8) a supermartingale for every real l; mixed over l ~ N(0, 1/beta) it is
    sqrt(beta/(U^2/4 + beta)) exp(M^2 / (2 (U^2/4 + beta))), which exceeds 1/delta ever with probability at most delta
    (Ville). Theorem 4.1 follows: log(1/delta) (1 + t) >= log(1/delta) + t for t >= 0 and delta <= 1/e.
    """
    quarter = ar.real(U2) / 4
    return ar.sqrt(2 * (quarter + beta) * (ar.log(1 / ar.real(delta)) + ar.log(quarter / beta + 1) / 2))


@implements("whitehouse2023/thm4.boundary", kind="exact", cites="Theorem 4 (the line)")
def line_boundary(ar: Arithmetic, a: Positive, b: Positive, V: Fraction) -> Scalar:
    """The line that a sub-Gaussian martingale crosses with probability at most whitehouse2023/thm4.tail.

    whitehouse2023/thm4.boundary: Whitehouse et al. 2023, Theorem 4: b/2 + b V / (2 a).
    """
    return ar.lift(Fraction(1, 2)) * (b + b * V / (ar.lift(Fraction(1)) * a))


@implements("whitehouse2023/thm4.tail", kind="upper", cites="Theorem 4 (the probability)")
def line_tail(ar: Arithmetic, a: Positive, b: Positive) -> Scalar:
    """A bound on the probability that a sub-Gaussian martingale ever crosses the line.

    whitehouse2023/thm4.tail: Whitehouse et al. 2023, Theorem 4: exp(-b^2 / (2 a)). Proof: with l = b/a, exp(l M - l^2
    V/2) starts at 1 and on the crossing is at least exp(l b/2 + l b V/(2 a) - l^2 V/2) = exp(b^2/(2 a)) (Ville).
    """
    return ar.exp(-b * b / (2 * a))


@implements("whitehouse2023/thm5.boundary", kind="upper", cites="Theorem 5 (Robbins 1970)")
def mixture_boundary(
    ar: Arithmetic, V: Scalar, gamma: Annotated[Scalar, POSITIVE], delta: Annotated[Scalar, OPEN_PROBABILITY]
) -> Real:
    """The mixture boundary: crossed ever with probability at most delta.

    whitehouse2023/thm5.boundary: Whitehouse et al. 2023, Theorem 5, gamma > 0 fixed in advance, delta in (0, 1):
    sqrt(2 (V + gamma) log(sqrt((V + gamma)/gamma) / delta)).
    """
    total = ar.real(V + gamma)
    return ar.sqrt(2 * total * ar.log(ar.sqrt(total / gamma) / delta))


@implements(
    "whitehouse2023/thm5.one_sided", kind="upper", cites="Theorem 5, with the mixture of one side", standing="ours"
)
def one_sided_boundary(ar: Arithmetic, V: Fraction, gamma: Positive, delta: OpenProbability) -> Scalar:
    """The mixture boundary of one side, smaller than Theorem 5's: crossed from below ever with probability <= delta.

    whitehouse2023/thm5.one_sided: gamma > 0 fixed in advance, delta in (0, 1): sqrt(V + gamma) z for the z with
    z^2/2 + log(2 Phi(z)) = log(sqrt((V + gamma)/gamma)/delta). Proof: exp(l M - l^2 V/2) is a supermartingale for every
    l >= 0, from 1 on; mixed over l = |N(0, 1/gamma)| it is 2 Phi(M/sqrt(V + gamma)) sqrt(gamma/(V + gamma))
    exp(M^2/(2 (V + gamma))), which increases with M and exceeds 1/delta ever with probability at most delta (Ville).
    Theorem 5 has 1 in the place of 2 Phi(z), which is more than 1 for z > 0. Robbins 1970; Howard, Ramdas, McAuliffe,
    Sekhon 2021 have such boundaries for other processes.
    """

    def excess(inner: Arithmetic, z: Fraction) -> Scalar:
        return one_sided_excess(inner, z, (V + gamma) / gamma, delta)

    # At z = 0 it is -log(sqrt(ratio)/delta) < 0.
    return ar.sqrt(V + gamma) * ar.hull(*roots.root_above(excess, Fraction(0), ar))


@implements("whitehouse2023/thm6.boundary", kind="upper", cites="Theorem 6 (Howard, Ramdas, McAuliffe, Sekhon 2021)")
def stitched_boundary_statement(ar: Arithmetic, V: Fraction, v0: Positive, delta: OpenProbability) -> Scalar:
    """The stitched boundary: crossed at any time with V >= v0 with probability at most delta.

    whitehouse2023/thm6.boundary: Whitehouse et al. 2023, Theorem 6, v0 > 0 fixed in advance, delta in (0, 1):
    1.7 sqrt(V (log log(2 V/v0) + 0.72 log(5.2/delta))). InputError for V < v0, where nothing is claimed.
    """
    if v0 > V:
        raise InputError("V", str(V), f"the stitched boundary starts at v0 = {v0}")
    return stitched_boundary(ar, V, v0, delta)
