"""Basic and advanced composition, for parameters fixed in advance. All epsilons are in nats."""

from __future__ import annotations

from fractions import Fraction

from privref.exact.arithmetic import Arithmetic, Scalar, SumsColumns
from privref.exact.columns import Column
from privref.exact.numbers import weighted_sum
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Multiset, PositiveProbability, Probabilities, Probability
from privref.statements.registry import implements


def total(values: Multiset) -> Fraction:
    """The sum of a multiset of rationals, exactly; 0 for none."""
    return weighted_sum(values)


def total_of_squares(values: Multiset) -> Fraction:
    """The sum of the squares of a multiset of rationals, exactly."""
    return weighted_sum(values, power=2)


@implements("rogers2016/thm2.9.eps", kind="upper", cites="Theorem 2.9")
def basic_eps(ar: Arithmetic, eps: Multiset) -> Scalar:
    """The epsilon of basic composition: the sum.

    rogers2016/thm2.9.eps: Rogers et al. 2016, Theorem 2.9: sum of eps_i; 0 for no rounds.
    """
    return total(eps)


@implements("rogers2016/thm2.9.delta", kind="upper", cites="Theorem 2.9")
def basic_delta(ar: Arithmetic, delta: Probabilities) -> Scalar:
    """The delta of basic composition: the sum.

    rogers2016/thm2.9.delta: Rogers et al. 2016, Theorem 2.9: sum of delta_i; 0 for no rounds.
    """
    return total(delta)


@implements(
    "rogers2016/thm2.10.eps_g",
    kind="upper",
    cites="Theorem 2.10",
    hypotheses=(Hypothesis.FIXED_PARAMETERS, Hypothesis.EQUAL_PARAMETERS),
)
def advanced_eps(ar: Arithmetic, eps: Fraction, k: int, delta_hat: PositiveProbability) -> Scalar:
    """The epsilon of advanced composition of k equal rounds.

    rogers2016/thm2.10.eps_g: Rogers et al. 2016, Theorem 2.10: k eps (e^eps - 1) + eps sqrt(2 k log(1/delta_hat)),
    for (eps, delta)-DP rounds; the total delta is k delta + delta_hat, delta_hat in (0, 1].
    """
    return k * eps * ar.expm1(eps) + eps * ar.sqrt(2 * k * ar.log(1 / delta_hat))


@implements(
    "rogers2016/thm2.10.delta",
    kind="upper",
    cites="Theorem 2.10",
    hypotheses=(Hypothesis.FIXED_PARAMETERS, Hypothesis.EQUAL_PARAMETERS),
)
def advanced_delta(ar: Arithmetic, delta: Probability, k: int, delta_hat: PositiveProbability) -> Scalar:
    """The delta of advanced composition of k equal rounds.

    rogers2016/thm2.10.delta: Rogers et al. 2016, Theorem 2.10: k delta + delta_hat, delta_hat in (0, 1]; above 1 it
    says nothing.
    """
    return k * delta + delta_hat


@implements(
    "whitehouse2023/eq2.eps",
    kind="upper",
    cites="equation (2) (Kairouz, Oh, Viswanath 2015, Theorem 3.5)",
    hypotheses=(Hypothesis.FIXED_PARAMETERS,),
)
def advanced_heterogeneous_eps(ar: Arithmetic, eps: Multiset, delta_prime: PositiveProbability) -> Scalar:
    """The epsilon of advanced composition of rounds with different parameters.

    whitehouse2023/eq2.eps: Whitehouse et al. 2023, equation (2):
    sqrt(2 log(1/delta') sum eps_m^2) + sum eps_m (e^eps_m - 1)/(e^eps_m + 1), where the fraction is tanh(eps_m/2);
    the total delta is delta' + sum delta_m, delta' in (0, 1].
    """
    if isinstance(eps, Column) and isinstance(ar, SumsColumns):
        drift = ar.x_tanh_half(eps)
    else:
        drift = ar.sum(count * x * ar.tanh(x / 2) for x, count in ((ar.real(value), count) for value, count in eps))
    return ar.sqrt(2 * ar.log(1 / delta_prime) * total_of_squares(eps)) + drift


@implements(
    "whitehouse2023/eq2.delta",
    kind="upper",
    cites="equation (2) (Kairouz, Oh, Viswanath 2015, Theorem 3.5)",
    hypotheses=(Hypothesis.FIXED_PARAMETERS,),
)
def advanced_heterogeneous_delta(ar: Arithmetic, delta: Probabilities, delta_prime: PositiveProbability) -> Scalar:
    """The delta of advanced composition of rounds with different parameters.

    whitehouse2023/eq2.delta: Whitehouse et al. 2023, equation (2): delta' + sum delta_m, delta' in (0, 1]; above 1 it
    says nothing.
    """
    return delta_prime + total(delta)


# --- zCDP: the parameters add up, also when they are chosen adaptively ------------------------------------------------


@implements("whitehouse2023/thm1.rho", kind="upper", cites="Theorem 1 (the spent rho)")
def composed_rho(ar: Arithmetic, rhos: Multiset) -> Scalar:
    """The rho of the composition: the sum.

    whitehouse2023/thm1.rho: Whitehouse et al. 2023, Theorem 1: as long as the filter with this budget continues, the
    interaction is (delta-approximate) rho-zCDP; for fixed parameters the budget is the sum. 0 for no rounds.
    """
    return total(rhos)


@implements("whitehouse2023/thm1.delta", kind="upper", cites="Theorem 1 (the spent delta)")
def composed_delta(ar: Arithmetic, deltas: Probabilities) -> Scalar:
    """The delta of the composition of approximate zCDP: the sum.

    whitehouse2023/thm1.delta: Whitehouse et al. 2023, Theorem 1. 0 for no rounds.
    """
    return total(deltas)
