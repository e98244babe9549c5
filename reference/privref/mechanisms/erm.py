"""Output perturbation for empirical risk minimisation, with a test (Hartmann et al. 2022, section 6.1, Appendix D).

Algorithm 4 adds to the minimiser a vector q with joint density proportional to exp(-(n_train Lam eps/2) ||q||_2).
Algorithm 5 releases it only where the noisy test error is at most a threshold, Lap(a/eps2) being the noise. Hypotheses:
||x|| <= 1, labels in [-1, 1], Lam > 0, public n_train and n_test, replace-one neighbours.
"""

from __future__ import annotations

from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import HypothesisError
from privref.guarantees.model import OutputDP
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Count, Positive
from privref.statements.registry import implements

_PUBLIC = (Hypothesis.PUBLIC_SIZE,)


@implements("hartmann2022/thm16.l2_sensitivity", kind="upper", cites="Theorem 16", hypotheses=_PUBLIC)
def minimiser_sensitivity(ar: Arithmetic, n_train: Count, Lam: Positive) -> Scalar:
    """The L2 sensitivity of the regularised minimiser.

    hartmann2022/thm16.l2_sensitivity: Hartmann et al. 2022, Theorem 16: 2/(n_train Lam), for a differentiable
    1-strongly convex regulariser and a convex differentiable loss with derivative at most 1.
    """
    return 2 / (n_train * Lam)


@implements("hartmann2022/lem21.sensitivity", kind="upper", cites="Lemma 21, proof", hypotheses=_PUBLIC)
def error_sensitivity(ar: Arithmetic, w2: Scalar) -> Scalar:
    """The paper's bound on the sensitivity of the test error to the training set, w2 = 2/(n_train Lam).

    hartmann2022/lem21.sensitivity: Hartmann et al. 2022, Lemma 21: 2 (e^w2 - 1). Valid and loose: it exceeds the
    error's whole range 2 for w2 > log 2 (erratum E19).
    """
    return 2 * ar.expm1(w2)


@implements(
    "hartmann2022/lem21.sensitivity_tight",
    kind="exact",
    cites="Lemma 21, with the tight constant",
    hypotheses=_PUBLIC,
    standing="ours",
)
def error_sensitivity_tight(ar: Arithmetic, w2: Scalar) -> Scalar:
    """The exact sensitivity of the test error to a move of the parameters by w2.

    hartmann2022/lem21.sensitivity_tight: 2 tanh(w2/4). h(w) = tanh(w/2) has derivative (1 - h^2)/2, largest at 0 and
    symmetric, so h(w + w2) - h(w) is largest at w = -w2/2, where it is 2 tanh(w2/4); attained by labels 1 or -1.
    """
    return 2 * ar.tanh(w2 / ar.real(4))


def _scale(ar: Arithmetic, n_test: int, sensitivity: Scalar) -> Scalar:
    return ar.maximum(Fraction(2) / n_test, sensitivity)


def _w2(n_train: int, Lam: Fraction) -> Fraction:
    return 2 / (n_train * Lam)


@implements("hartmann2022/thm17.a", kind="exact", cites="Theorem 17 and Algorithm 5", hypotheses=_PUBLIC)
def test_scale(ar: Arithmetic, n_train: Count, n_test: Count, Lam: Positive) -> Scalar:
    """The sensitivity a to which Algorithm 5 scales the noise of its test.

    hartmann2022/thm17.a: Hartmann et al. 2022, Theorem 17: max(2/n_test, 2 (e^w2 - 1)), w2 = 2/(n_train Lam).
    """
    return _scale(ar, n_test, error_sensitivity(ar, _w2(n_train, Lam)))


@implements(
    "hartmann2022/thm17.a_tight",
    kind="exact",
    cites="Theorem 17 with the tight sensitivity",
    hypotheses=_PUBLIC,
    standing="ours",
)
def test_scale_tight(ar: Arithmetic, n_train: Count, n_test: Count, Lam: Positive) -> Scalar:
    """The sensitivity a that suffices for the test of Algorithm 5.

    hartmann2022/thm17.a_tight: max(2/n_test, 2 tanh(w2/4)), w2 = 2/(n_train Lam); see
    hartmann2022/lem21.sensitivity_tight.
    """
    return _scale(ar, n_test, error_sensitivity_tight(ar, _w2(n_train, Lam)))


def answer_cost(ar: Arithmetic, n_test: int, a: Scalar, eps1: Fraction, eps2: Fraction) -> Scalar:
    """max(eps1, (2/n_test) eps2 / a): what releasing the model costs."""
    return ar.maximum(eps1, Fraction(2) / n_test * eps2 / a)


@implements("hartmann2022/thm17.E_Rd", kind="exact", cites="Theorem 17", hypotheses=_PUBLIC)
def model_cost(ar: Arithmetic, n_train: Count, n_test: Count, Lam: Positive, eps1: Positive, eps2: Positive) -> Scalar:
    """What a released model costs in Algorithm 5.

    hartmann2022/thm17.E_Rd: Hartmann et al. 2022, Theorem 17: max(eps1, (2/n_test) eps2/a); delta = 0.
    """
    return answer_cost(ar, n_test, test_scale(ar, n_train, n_test, Lam), eps1, eps2)


@implements("hartmann2022/thm17.E_bot", kind="exact", cites="Theorem 17", hypotheses=_PUBLIC)
def withheld_cost(
    ar: Arithmetic, n_train: Count, n_test: Count, Lam: Positive, eps1: Positive, eps2: Positive
) -> Scalar:
    """What a withheld model costs in Algorithm 5.

    hartmann2022/thm17.E_bot: Hartmann et al. 2022, Theorem 17: min(E(R^d), eps2); delta = 0.
    """
    return ar.minimum(model_cost(ar, n_train, n_test, Lam, eps1, eps2), eps2)


@implements(
    "hartmann2022/thm17.E_Rd_tight",
    kind="exact",
    cites="Theorem 17 with the tight sensitivity",
    hypotheses=_PUBLIC,
    standing="ours",
)
def model_cost_tight(
    ar: Arithmetic, n_train: Count, n_test: Count, Lam: Positive, eps1: Positive, eps2: Positive
) -> Scalar:
    """What a released model costs in Algorithm 5 when its test's noise has the scale a_tight/eps2.

    hartmann2022/thm17.E_Rd_tight: max(eps1, (2/n_test) eps2/a_tight); delta = 0.
    """
    return answer_cost(ar, n_test, test_scale_tight(ar, n_train, n_test, Lam), eps1, eps2)


def log_reg_with_test(eps1: Fraction, eps2: Fraction) -> OutputDP:
    """The guarantee of Algorithm 5 for eps1 >= eps2 > 0: a model costs eps1, "bottom" eps2, delta = 0."""
    return OutputDP(_costs(eps1, eps2), Fraction(0))


def _costs(eps1: Fraction, eps2: Fraction) -> tuple[tuple[str, Fraction], ...]:
    if eps1 < eps2:
        raise HypothesisError(f"hartmann2022/cor18: it requires eps1 >= eps2, not {eps1} < {eps2}")
    return (("model", eps1), ("bottom", eps2))


@implements("hartmann2022/cor18.E_Rd", kind="exact", cites="Corollary 18", hypotheses=_PUBLIC)
def model_cost_simple(ar: Arithmetic, eps1: Positive, eps2: Positive) -> Scalar:
    """What a released model costs in Algorithm 5 for eps1 >= eps2.

    hartmann2022/cor18.E_Rd: Hartmann et al. 2022, Corollary 18: eps1. Raises HypothesisError for eps1 < eps2.
    """
    return dict(_costs(eps1, eps2))["model"]


@implements("hartmann2022/cor18.E_bot", kind="exact", cites="Corollary 18", hypotheses=_PUBLIC)
def withheld_cost_simple(ar: Arithmetic, eps1: Positive, eps2: Positive) -> Scalar:
    """What a withheld model costs in Algorithm 5 for eps1 >= eps2.

    hartmann2022/cor18.E_bot: Hartmann et al. 2022, Corollary 18: eps2. Raises HypothesisError for eps1 < eps2.
    """
    return dict(_costs(eps1, eps2))["bottom"]


def percentile95(ar: Arithmetic, a: Scalar, eps2: Scalar) -> Scalar:
    """a log(10)/eps2: where the tail of Lap(a/eps2) is 1/20."""
    return a * ar.log(10) / eps2


@implements("hartmann2022/fig2.percentile95", kind="exact", cites="Figure 2", hypotheses=_PUBLIC)
def noise_percentile(ar: Arithmetic, n_train: Count, n_test: Count, Lam: Positive, eps2: Positive) -> Scalar:
    """The 95th percentile of the noise that Algorithm 5 adds to the test error.

    hartmann2022/fig2.percentile95: Hartmann et al. 2022, Figure 2: a log(10)/eps2, a from hartmann2022/thm17.a.
    """
    return percentile95(ar, test_scale(ar, n_train, n_test, Lam), eps2)


@implements(
    "hartmann2022/fig2.percentile95_tight",
    kind="exact",
    cites="Figure 2 with the tight sensitivity",
    hypotheses=_PUBLIC,
    standing="ours",
)
def noise_percentile_tight(ar: Arithmetic, n_train: Count, n_test: Count, Lam: Positive, eps2: Positive) -> Scalar:
    """The 95th percentile of the noise that suffices for the test of Algorithm 5.

    hartmann2022/fig2.percentile95_tight: a_tight log(10)/eps2, a_tight from hartmann2022/thm17.a_tight.
    """
    return percentile95(ar, test_scale_tight(ar, n_train, n_test, Lam), eps2)
