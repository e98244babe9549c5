"""The (epsilon, delta) filter and the odometers of Whitehouse et al. 2023, as functions of V = sum eps_m^2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated

from privref.composition.basic import total_of_squares
from privref.composition.optimal import tail_sum
from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import HypothesisError, InputError
from privref.exact.numbers import count_sum
from privref.guarantees.conversions import zcdp_to_dp_eps
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import (
    OPEN_PROBABILITY,
    POSITIVE,
    AtLeastTwo,
    BelowInverseE,
    Multiset,
    OpenProbability,
    Positive,
    PositiveProbability,
    Probability,
    ProperProbabilities,
)
from privref.statements.registry import Result, implements

from .martingale import mixture_boundary, one_sided_boundary, stitched_boundary


def f(ar: Arithmetic, y: Scalar, delta_prime: Scalar) -> Real:
    """sqrt(2 log(1/delta') y) + y/2."""
    return ar.sqrt(2 * ar.log(1 / ar.real(delta_prime)) * y) + ar.real(y) / 2


def stitched_odometer(ar: Arithmetic, V: Scalar, v0: Scalar, delta_prime: Scalar) -> Real:
    """1.7 sqrt(V (log log(2 V/v0) + 0.72 log(5.2/delta'))) + V/2, for V >= v0."""
    return stitched_boundary(ar, V, v0, delta_prime) + ar.real(V) / 2


def rogers_inside(ar: Arithmetic, V: Scalar, n: Scalar, delta_prime: Scalar) -> Real:
    """sqrt(2 V (log(110 e) + 2 log(log(n)/delta'))) + V/2."""
    constant = ar.log(110 * ar.exp(1))
    return ar.sqrt(2 * V * (constant + 2 * ar.log(ar.log(n) / delta_prime))) + ar.real(V) / 2


def rogers_outside(ar: Arithmetic, V: Scalar, n: Scalar, log: Scalar) -> Real:
    """sqrt(2 (1/n^2 + V) (1 + log(1 + n^2 V)/2) log) + V/2."""
    floor = 1 / (ar.lift(Fraction(1)) * n * n)
    return ar.sqrt(2 * (floor + V) * (1 + ar.log(1 + n * n * V) / 2) * log) + ar.real(V) / 2


def epoch_log(ar: Arithmetic, n: Scalar, delta_prime: Scalar) -> Real:
    """log(4 log_2(n) / delta')."""
    return ar.log(4 * (ar.log(n) / ar.log(2)) / delta_prime)


def halts(ar: Arithmetic, V: Fraction, eps_target: Fraction, delta_prime: Fraction) -> bool:
    """Whether f(V) exceeds the target, certainly."""
    if V == 0 or delta_prime == 1:
        return eps_target < V / 2
    # A tie would make log(1/delta') rational, which it is for no rational delta' but 1: the comparison ends.
    return decide.exceeds(lambda inner: f(inner, V, delta_prime), lambda inner: eps_target, ar)


@implements("whitehouse2023/thm2.f", kind="upper", cites="Theorem 2 (Theorem 8 of the arXiv version)")
def filter_epsilon(ar: Arithmetic, eps: Multiset, delta_prime: PositiveProbability) -> Scalar:
    """What the (epsilon, delta) filter compares with its epsilon target.

    whitehouse2023/thm2.f: Whitehouse et al. 2023, Theorem 2: sqrt(2 log(1/delta') V) + V/2, V = sum eps_m^2.
    """
    return f(ar, total_of_squares(eps), delta_prime)


@implements(
    "whitehouse2023/thm2.delta",
    kind="upper",
    cites="Theorem 2 (Theorem 8 of the arXiv version)",
    hypotheses=(Hypothesis.BUDGET_IN_ADVANCE,),
)
def filter_delta(ar: Arithmetic, delta_prime: PositiveProbability, delta_pp: Probability) -> Scalar:
    """The delta of what the (epsilon, delta) filter lets run.

    whitehouse2023/thm2.delta: Whitehouse et al. 2023, Theorem 2: delta' + delta'', delta' in (0, 1] for the deviation
    and delta'' >= 0 for the sum of the rounds' deltas.
    """
    return delta_prime + delta_pp


@implements("whitehouse2023/thm2.N", kind="exact", cites="Theorem 2 (Theorem 8 of the arXiv version)")
def filter_rounds(
    ar: Arithmetic,
    eps_target: Fraction,
    delta_prime: PositiveProbability,
    delta_pp: Probability,
    eps: Sequence[Fraction],
    delta: Sequence[Probability],
) -> Result:
    """How many of the requested rounds the (epsilon, delta) filter runs before it halts (all, if it never does).

    whitehouse2023/thm2.N: Whitehouse et al. 2023, Theorem 2: the least n >= 0 at which eps < f(V_(n+1)) or
    delta'' < sum of delta_m up to n + 1. The interaction is (eps, delta' + delta'')-DP.
    """
    if len(eps) != len(delta):
        raise InputError("delta", f"{len(delta)} values", f"give one for each of the {len(eps)} epsilons")
    rounds = len(eps)
    spent = V = Fraction(0)
    times = []
    for n, (eps_m, delta_m) in enumerate(zip(eps, delta, strict=True)):
        count_sum(spent, delta_m)
        count_sum(V, eps_m * eps_m)
        spent, V = spent + delta_m, V + eps_m * eps_m
        if spent > delta_pp:
            rounds = n
            break
        times.append(V)
    # V never decreases and f increases: bisection finds the first time at which the target is exceeded.
    return roots.first(lambda n: halts(ar, times[n], eps_target, delta_prime), -1, rounds)


@implements(
    "whitehouse2023/thm2.arxiv.printed", kind="upper", cites="Theorem 2 of the arXiv version", standing="printed"
)
def arxiv_filter_epsilon(ar: Arithmetic, rho: Fraction, delta: PositiveProbability) -> Scalar:
    """The epsilon that the arXiv version claims with one delta for the rounds and for the conversion: false.

    whitehouse2023/thm2.arxiv.printed: rho + 2 sqrt(rho log(1/delta)) at a total delta of delta while sum delta_m may be
    delta too. whitehouse2023/thm2.arxiv_counterexample.delta exceeds it.
    """
    return zcdp_to_dp_eps(ar, rho, delta)


@implements(
    "whitehouse2023/thm3.ystar.printed", kind="exact", cites="Theorem 3.1, equations (11) and (15)", standing="printed"
)
def printed_ystar(
    ar: Arithmetic, eps: Annotated[Scalar, POSITIVE], delta_prime: Annotated[Scalar, OPEN_PROBABILITY]
) -> Real:
    """The printed tangent point of the filter odometer: it solves f(y) = eps/2, not f(y) = eps.

    whitehouse2023/thm3.ystar.printed: (-sqrt(2 log(1/delta')) + sqrt(2 log(1/delta') + eps))^2.
    """
    twice = 2 * ar.log(1 / ar.real(delta_prime))
    return (-ar.sqrt(twice) + ar.sqrt(twice + eps)) ** 2


@implements("whitehouse2023/thm3.ystar.corrected", kind="exact", cites="Theorem 3.1, corrected")
def inverse_f(
    ar: Arithmetic, eps: Annotated[Scalar, POSITIVE], delta_prime: Annotated[Scalar, OPEN_PROBABILITY]
) -> Real:
    """The tangent point of the filter odometer at a target epsilon: the y with f(y) = eps.

    whitehouse2023/thm3.ystar.corrected: (-sqrt(2 log(1/delta')) + sqrt(2 log(1/delta') + 2 eps))^2.
    """
    twice = 2 * ar.log(1 / ar.real(delta_prime))
    return (-ar.sqrt(twice) + ar.sqrt(twice + 2 * eps)) ** 2


_ODOMETER = (Hypothesis.RR_LOSS, Hypothesis.TUNING_IN_ADVANCE)
_REPAIRED = (Hypothesis.PDP_ROUNDS, Hypothesis.TUNING_IN_ADVANCE)


@implements("whitehouse2023/thm3.filter.printed", kind="upper", cites="Theorem 3.1", standing="printed")
def filter_odometer_printed(ar: Arithmetic, V: Fraction, eps: Positive, delta_prime: OpenProbability) -> Scalar:
    """The filter odometer with the printed y*: a valid odometer, but tangent at eps/2 and not at eps.

    whitehouse2023/thm3.filter.printed: sqrt(2 y* l)/2 + sqrt(2 l) V/(2 sqrt(y*)) + V/2 at the printed y*.
    """
    return filter_odometer(ar, V, printed_ystar(ar, eps, delta_prime), delta_prime)


@implements("whitehouse2023/thm3.filter", kind="upper", cites="Theorem 3.1 with the corrected y*", hypotheses=_ODOMETER)
def filter_odometer_statement(ar: Arithmetic, V: Fraction, eps: Positive, delta_prime: OpenProbability) -> Scalar:
    """The filter odometer, tangent to the filter's own bound at the target epsilon.

    whitehouse2023/thm3.filter: Whitehouse et al. 2023, Theorem 3.1, with f(y*) = eps:
    sqrt(2 y* l)/2 + sqrt(2 l) V/(2 sqrt(y*)) + V/2, l = log(1/delta'). At least f(V), equal at V = y* only.
    """
    return filter_odometer(ar, V, inverse_f(ar, eps, delta_prime), delta_prime)


@implements("whitehouse2023/thm3.filter.at", kind="upper", cites="Theorem 3.1 for any y* > 0", hypotheses=_ODOMETER)
def filter_odometer(
    ar: Arithmetic, V: Scalar, y_star: Annotated[Scalar, POSITIVE], delta_prime: Annotated[Scalar, OPEN_PROBABILITY]
) -> Real:
    """The filter odometer tangent at a given intrinsic time y* > 0, fixed in advance.

    whitehouse2023/thm3.filter.at: Theorem 4 with a = y*, b = sqrt(2 y* log(1/delta')).
    """
    log = ar.log(1 / ar.real(delta_prime))
    return ar.sqrt(2 * y_star * log) / 2 + ar.sqrt(2 * log) / (2 * ar.sqrt(y_star)) * V + ar.real(V) / 2


@implements("whitehouse2023/thm3.mixture", kind="upper", cites="Theorem 3.2", hypotheses=_ODOMETER)
def mixture_odometer(
    ar: Arithmetic, V: Scalar, gamma: Annotated[Scalar, POSITIVE], delta_prime: Annotated[Scalar, OPEN_PROBABILITY]
) -> Real:
    """The mixture odometer, gamma > 0 fixed in advance.

    whitehouse2023/thm3.mixture: Whitehouse et al. 2023, Theorem 3.2:
    sqrt(2 (gamma + V) log(sqrt((V + gamma)/gamma) / delta')) + V/2.
    """
    return mixture_boundary(ar, V, gamma, delta_prime) + ar.real(V) / 2


@implements(
    "whitehouse2023/thm3.one_sided",
    kind="upper",
    cites="Theorem 3.2, with the mixture of one side",
    hypotheses=_ODOMETER,
    standing="ours",
)
def one_sided_odometer(ar: Arithmetic, V: Fraction, gamma: Positive, delta_prime: OpenProbability) -> Scalar:
    """The one-sided mixture odometer, gamma > 0 fixed in advance: below the mixture odometer everywhere.

    whitehouse2023/thm3.one_sided: whitehouse2023/thm5.one_sided plus V/2. The proof of Theorem 3.2 needs a boundary for
    the sum of the losses from above only: with M the sum of the losses minus their conditional means, which are at most
    eps_m^2/2, exp(l M - l^2 V/2) is a supermartingale for l >= 0 (Hoeffding's lemma).
    """
    return ar.real(one_sided_boundary(ar, V, gamma, delta_prime)) + V / 2


@implements("whitehouse2023/thm3.stitched", kind="upper", cites="Theorem 3.3", hypotheses=_ODOMETER)
def stitched_odometer_statement(ar: Arithmetic, V: Fraction, v0: Positive, delta_prime: OpenProbability) -> Result:
    """The stitched odometer, v0 > 0 fixed in advance: inf for V < v0.

    whitehouse2023/thm3.stitched: Whitehouse et al. 2023, Theorem 3.3:
    1.7 sqrt(V (log log(2 V/v0) + 0.72 log(5.2/delta'))) + V/2 for V >= v0.
    """
    return "inf" if v0 > V else stitched_odometer(ar, V, v0, delta_prime)


#: The odometers of Theorem 3, each with what is fixed in advance beside its delta'.
TUNED: dict[str, tuple[Callable[..., Scalar], str]] = {
    "whitehouse2023/thm3.filter": (filter_odometer, "y_star"),
    "whitehouse2023/thm3.mixture": (mixture_odometer, "gamma"),
    "whitehouse2023/thm3.one_sided": (one_sided_odometer, "gamma"),
    "whitehouse2023/thm3.stitched": (stitched_odometer, "v0"),
}


@implements("whitehouse2023/thm3.stitched.domain", kind="exact", cites="Theorem 3.3 (where it is finite)")
def stitched_domain(ar: Arithmetic, V: Fraction, v0: Positive) -> Result:
    """Whether the stitched odometer is finite: V >= v0.

    whitehouse2023/thm3.stitched.domain: inf for V < v0; V = v0 is finite (log log 2 = -0.3665 is still covered).
    """
    return "inf" if v0 > V else "finite"


@implements(
    "whitehouse2023/thm3.repair_term",
    kind="upper",
    cites="Theorem 3, repaired for pDP rounds with delta_n > 0",
    hypotheses=(Hypothesis.PDP_ROUNDS,),
    standing="ours",
)
def repair_term(ar: Arithmetic, delta: ProperProbabilities) -> Scalar:
    """What must be added to an odometer of Theorem 3 for pDP rounds with positive deltas.

    whitehouse2023/thm3.repair_term: sum log(1/(1 - delta_m)). Proof: let G be the event |L_m| <= eps_m of one round,
    p = P(G), q = Q(G), both in [1 - delta_m, 1]. Under P given G the loss between P(.|G) and Q(.|G) is L' = L_m -
    log(p/q), so L_m <= L' + log(1/(1 - delta_m)). L' lies in an interval of width 2 eps_m and E[e^-L'] = 1, so
    Hoeffding's lemma gives E[L'] <= eps_m^2/2 and L' - E[L'] is eps_m-sub-Gaussian: the odometer u bounds the sum of
    the L' under the conditioned process except with probability delta'. The paths of P on which all rounds up to N are
    good have at most the conditioned process's mass, and the others at most delta''. So u + sum is a
    (delta' + delta'')-odometer.
    """
    return ar.sum(-count * ar.log1p(-value) for value, count in delta) if delta else Fraction(0)


def _repaired(ar: Arithmetic, odometer: Result, delta: Multiset) -> Result:
    return odometer if isinstance(odometer, str) else ar.real(repair_term(ar, delta)) + odometer


@implements(
    "whitehouse2023/thm3.filter.repaired",
    kind="upper",
    cites="Theorem 3.1, repaired for pDP rounds",
    hypotheses=_REPAIRED,
    standing="ours",
)
def filter_odometer_repaired(
    ar: Arithmetic, V: Fraction, y_star: Positive, delta_prime: OpenProbability, delta: ProperProbabilities
) -> Result:
    """The filter odometer for pDP rounds with positive deltas; the sum of the deltas must stay within delta''.

    whitehouse2023/thm3.filter.repaired: whitehouse2023/thm3.filter.at plus whitehouse2023/thm3.repair_term.
    """
    return _repaired(ar, filter_odometer(ar, V, y_star, delta_prime), delta)


@implements(
    "whitehouse2023/thm3.mixture.repaired",
    kind="upper",
    cites="Theorem 3.2, repaired for pDP rounds",
    hypotheses=_REPAIRED,
    standing="ours",
)
def mixture_odometer_repaired(
    ar: Arithmetic, V: Fraction, gamma: Positive, delta_prime: OpenProbability, delta: ProperProbabilities
) -> Result:
    """The mixture odometer for pDP rounds with positive deltas; the sum of the deltas must stay within delta''.

    whitehouse2023/thm3.mixture.repaired: whitehouse2023/thm3.mixture plus whitehouse2023/thm3.repair_term.
    """
    return _repaired(ar, mixture_odometer(ar, V, gamma, delta_prime), delta)


@implements(
    "whitehouse2023/thm3.stitched.repaired",
    kind="upper",
    cites="Theorem 3.3, repaired for pDP rounds",
    hypotheses=_REPAIRED,
    standing="ours",
)
def stitched_odometer_repaired(
    ar: Arithmetic, V: Fraction, v0: Positive, delta_prime: OpenProbability, delta: ProperProbabilities
) -> Result:
    """The stitched odometer for pDP rounds with positive deltas; the sum of the deltas must stay within delta''.

    whitehouse2023/thm3.stitched.repaired: whitehouse2023/thm3.stitched plus whitehouse2023/thm3.repair_term.
    """
    return _repaired(ar, "inf" if v0 > V else stitched_odometer(ar, V, v0, delta_prime), delta)


_RESTATED = (Hypothesis.RR_LOSS, Hypothesis.PUBLIC_SIZE)


def in_epochs(V: Fraction, n: Fraction) -> bool:
    """Whether V lies in [1/n^2, 1], both ends included: equation (3) of Rogers et al., Lemma 3's second branch."""
    return n * n * V >= 1 and V <= 1


@implements("whitehouse2023/lem3.branch2", kind="upper", cites="Lemma 3, second branch", hypotheses=_RESTATED)
def restated_inside(ar: Arithmetic, V: Fraction, n: AtLeastTwo, delta_prime: BelowInverseE) -> Scalar:
    """The restated Rogers odometer for V in [1/n^2, 1], n the public size of the data set.

    whitehouse2023/lem3.branch2: Whitehouse et al. 2023, Lemma 3, delta' <= 1/e:
    sqrt(2 V (log(110 e) + 2 log(log(n)/delta'))) + V/2. HypothesisError for V outside.
    """
    if not in_epochs(V, n):
        raise HypothesisError(f"whitehouse2023/lem3.branch2 requires V in [1/n^2, 1], which {V} is not (n = {n})")
    return rogers_inside(ar, V, n, delta_prime)


@implements("whitehouse2023/lem3.branch3.printed", kind="upper", cites="Lemma 3, third branch", standing="printed")
def restated_outside_printed(ar: Arithmetic, V: Fraction, n: AtLeastTwo, delta_prime: BelowInverseE) -> Scalar:
    """The restated Rogers odometer's third branch as printed, with an iterated logarithm: false.

    whitehouse2023/lem3.branch3.printed: sqrt(2 (1/n^2 + V) (1 + log(1 + n^2 V)/2) log log(4 log_2(n)/delta')) + V/2.
    """
    return rogers_outside(ar, V, n, ar.log(epoch_log(ar, n, delta_prime)))


@implements(
    "whitehouse2023/lem3.branch3.corrected",
    kind="upper",
    cites="Lemma 3, third branch, corrected (Rogers et al. 2016, equation (4))",
    hypotheses=_RESTATED,
)
def restated_outside(ar: Arithmetic, V: Fraction, n: AtLeastTwo, delta_prime: BelowInverseE) -> Scalar:
    """The restated Rogers odometer's third branch, for V outside [1/n^2, 1], with a single logarithm.

    whitehouse2023/lem3.branch3.corrected: sqrt(2 (1/n^2 + V) (1 + log(1 + n^2 V)/2) log(4 log_2(n)/delta')) + V/2.
    HypothesisError for V inside.
    """
    if in_epochs(V, n):
        raise HypothesisError(
            f"whitehouse2023/lem3.branch3.corrected requires V outside [1/n^2, 1], where {V} lies (n = {n})"
        )
    return rogers_outside(ar, V, n, epoch_log(ar, n, delta_prime))


@implements("whitehouse2023/lem3.odometer", kind="upper", cites="Lemma 3, corrected", hypotheses=_RESTATED)
def restated(ar: Arithmetic, V: Fraction, n: AtLeastTwo, delta_prime: BelowInverseE) -> Real:
    """The restated Rogers odometer with the corrected third branch.

    whitehouse2023/lem3.odometer: Whitehouse et al. 2023, Lemma 3: branch 2 for V in [1/n^2, 1] (closed), branch 3
    otherwise. Proof of validity, n >= 2 and delta' <= 1/e: on [1/n^2, 1] stitch lines (Theorem 4) over epochs of ratio
    33.97, whose radius is 2 sqrt(V log(1/d)); d = delta'/(sqrt(110 e) log n) and at most 2 log(n)/log(33.97) + 1 epochs
    cost at most 0.12 delta'. Outside, Theorem 4.1 with beta = 1/n^2 costs delta'/(4 log_2 n) <= delta'/4.
    """
    if in_epochs(V, n):
        return rogers_inside(ar, V, n, delta_prime)
    return rogers_outside(ar, V, n, epoch_log(ar, n, delta_prime))


# --- the exact counterexample to the arXiv version's filter theorem ---------------------------------------------------


def arxiv_epsilon(ar: Arithmetic, k: int, e0: Scalar, delta: Scalar) -> Scalar:
    """rho + 2 sqrt(rho log(1/delta)) at rho = k e0^2 / 2."""
    rho = ar.lift(Fraction(1, 2)) * k * e0 * e0
    return rho + 2 * ar.sqrt(rho * ar.log(1 / ar.real(delta)))


@implements(
    "whitehouse2023/thm2.arxiv_counterexample.delta",
    kind="lower",
    cites="Theorem 2 of the arXiv version, refuted",
    standing="ours",
)
def arxiv_counterexample_delta(ar: Arithmetic, k: int, e0: Positive, delta: OpenProbability) -> Result:
    """What one (0, delta)-DP round and k randomized responses really lose at the epsilon that the arXiv version claims.

    whitehouse2023/thm2.arxiv_counterexample.delta: with eps = rho + 2 sqrt(rho log(1/delta)), rho = k e0^2/2:
    delta + (1 - delta) sum_l C(k, l) (e^((k-l) e0) - e^(eps + l e0))_+ / (1 + e^e0)^k, which exceeds the claimed delta
    wherever the sum is positive.
    """

    # The terms are positive down to the last l with (k - 2 l) e0 > eps. Whether one is takes one comparison, and its
    # tie would make log(1/delta) algebraic over the rationals, which it is not for 0 < delta < 1.
    def positive(l: int) -> bool:
        loss = (k - 2 * l) * e0
        return decide.sign(lambda inner: loss - arxiv_epsilon(inner, k, e0, delta), ar) > 0

    if not k or not positive(0):
        return delta
    p, q = tail_sum(ar, e0, k, roots.first(lambda l: not positive(l), 0, k) - 1)
    return delta + (1 - delta) * (p - ar.exp(arxiv_epsilon(ar, k, e0, delta)) * q)
