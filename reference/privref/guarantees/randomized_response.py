"""Randomized response with four outcomes: the worst case of (epsilon, delta)-DP. All epsilons are in nats.

RR(eps, delta) under b = 0 gives "0" with probability delta, "top" with (1 - delta) e^eps / (1 + e^eps), "bottom" with
(1 - delta) / (1 + e^eps) and "1" never; under b = 1 it is the mirror image.
"""

from __future__ import annotations

from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.statements.params import PROBABILITY, PROPER_PROBABILITY, one
from privref.statements.registry import implements


@implements(
    "rogers2016/def2.6.p_top",
    kind="exact",
    cites="Definition 2.6",
    params=(one("eps"), one("delta", PROBABILITY)),
)
def p_top(ar: Arithmetic, eps: Scalar, delta: Scalar) -> Scalar:
    """The probability of the outcome "top" under b = 0.

    rogers2016/def2.6.p_top: Rogers et al. 2016, Definition 2.6: (1 - delta) e^eps / (1 + e^eps).
    """
    return (1 - delta) / (1 + ar.exp(-eps))


@implements(
    "rogers2016/def2.6.p_bottom",
    kind="exact",
    cites="Definition 2.6",
    params=(one("eps"), one("delta", PROBABILITY)),
)
def randomized_response_p_bottom(ar: Arithmetic, eps: Fraction, delta: Fraction) -> Scalar:
    """The probability of the outcome "bottom" under b = 0.

    rogers2016/def2.6.p_bottom: Rogers et al. 2016, Definition 2.6: (1 - delta) / (1 + e^eps).
    """
    return (1 - delta) / (1 + ar.exp(eps))


@implements(
    "whitehouse2023/lem10.kl_bound",
    kind="upper",
    cites="Lemma 10 (Lemma 9 of the arXiv version)",
    params=(one("eps"),),
)
def pure_kl_bound(ar: Arithmetic, eps: Fraction) -> Scalar:
    """An upper bound on the expected privacy loss of an epsilon-DP mechanism.

    whitehouse2023/lem10.kl_bound: Whitehouse et al. 2023, Lemma 10: E[L] <= eps^2 / 2.
    """
    return eps * eps / 2


@implements(
    "whitehouse2023/lem10.kl_tight",
    kind="exact",
    cites="Lemma 10 with its sharp constant",
    params=(one("eps"),),
)
def pure_kl(ar: Arithmetic, eps: Scalar) -> Scalar:
    """The largest expected privacy loss of an epsilon-DP mechanism, attained by randomized response.

    whitehouse2023/lem10.kl_tight: eps tanh(eps / 2) = eps (e^eps - 1) / (e^eps + 1).
    """
    return eps * ar.tanh(ar.real(eps) / 2)


@implements(
    "whitehouse2023/appF.loss",
    kind="exact",
    cites="Appendix F",
    params=(one("eps"), one("delta", PROPER_PROBABILITY)),
)
def merged_loss(ar: Arithmetic, eps: Fraction, delta: Fraction) -> Scalar:
    """The privacy loss of randomized response with "0" and "top" merged: above epsilon for every delta > 0.

    whitehouse2023/appF.loss: Whitehouse et al. 2023, Appendix F: log((delta + e^eps) / (1 - delta)), taken with
    probability (delta + e^eps) / (1 + e^eps); eps = 0 is allowed, delta < 1.
    """
    return ar.log((delta + ar.exp(eps)) / (1 - delta))


@implements(
    "whitehouse2023/appF.probability",
    kind="exact",
    cites="Appendix F",
    params=(one("eps"), one("delta", PROPER_PROBABILITY)),
)
def merged_probability(ar: Arithmetic, eps: Fraction, delta: Fraction) -> Scalar:
    """The probability of the loss ``whitehouse2023/appF.loss``.

    whitehouse2023/appF.probability: (1 - delta) e^eps / (1 + e^eps) + delta.
    """
    return p_top(ar, eps, delta) + delta
