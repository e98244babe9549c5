"""Selection and thresholds: the exponential mechanism as bounded range, noisy maxima, histograms with a threshold."""

from __future__ import annotations

from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError
from privref.statements.params import Count, Positive
from privref.statements.registry import Result, implements


@implements("cesar2021/br2zcdp.rho", kind="upper", cites="the zCDP of bounded range")
def bounded_range_to_zcdp(ar: Arithmetic, eps: Fraction) -> Scalar:
    """The rho for which an epsilon-bounded-range mechanism, such as the exponential mechanism, is rho-zCDP.

    cesar2021/br2zcdp.rho: Cesar, Rogers 2021: eps^2/8. Bounded range: the losses of any two outputs differ by at most
    eps. Proof: K(s) = log E_P[e^(s L)] is 0 at s = 0 and at s = -1, and K'' is a variance of a number in an interval of
    width eps, so at most eps^2/4; a function that is 0 at both is K''(x)/2 times s (s + 1) for some x, so that the
    divergence of order alpha = s + 1, K(s)/s, is at most alpha eps^2/8.
    """
    return eps * eps / 8


@implements(
    "mckenna2020/noisy_max.delta",
    kind="exact",
    cites="permute-and-flip, which is the noisy maximum with exponential noise; its profile is ours",
    standing="ours",
)
def noisy_max_delta(ar: Arithmetic, shift: Fraction, eps: Fraction) -> Result:
    """The least delta at epsilon for permute-and-flip, over all scores and numbers of candidates.

    mckenna2020/noisy_max.delta: 1 - e^((eps - shift)/2), and 0 for eps >= shift: the profile of Laplace noise. The
    shift is the most by which the difference of two scores changes between neighbours, over the scale b of the noise:
    2 sensitivity/b, or sensitivity/b where all scores move one way. Permute-and-flip asks the candidates in a random
    order and releases the first that says yes, with the chance e^((score - best)/b): the candidate of the largest score
    plus exponential noise of mean b (Ding et al. 2021). With Laplace noise, or with Gumbel noise (the exponential
    mechanism), no more is lost. At each epsilon the scores of two candidates attain it; the whole profile dominates
    every release (proofs/derivations/noisy_max.py).
    """
    if eps >= shift:
        return Fraction(0)
    return -ar.expm1((eps - shift) / 2)


@implements(
    "rogers2023/threshold.delta",
    kind="exact",
    cites="the released keys of a noisy histogram with a threshold",
    standing="ours",
)
def threshold_delta(ar: Arithmetic, scale: Positive, threshold: Count, keys: Count) -> Result:
    """The delta of showing the keys of a histogram whose noisy count reaches a threshold, for keys of one person alone.

    rogers2023/threshold.delta: each count gets discrete Laplace noise, P(z) proportional to e^(-|z|/scale), and is
    shown with its key where it is at least ``threshold``. A person who alone has ``keys`` keys, each once, adds them:
    the probability that one of them is shown is 1 - (1 - p)^keys, with p = P(1 + z >= threshold) =
    e^(-(threshold - 1)/scale)/(1 + e^(-1/scale)). Without that person none of them can be shown, so that every
    (epsilon, delta)-guarantee has at least this delta, and more is not needed for the keys. At most 10,000 keys.
    """
    if keys > 10_000:
        raise InputError("keys", keys, "give at most 10000")
    ratio = -1 / scale
    shown = ar.exp((threshold - 1) * ratio) / (1 + ar.exp(ratio))
    return -ar.expm1(keys * ar.log1p(-shown))
