"""Optimal composition of different rounds, fixed in advance (Murtagh, Vadhan 2016), and of ledgers with Gaussians.

(epsilon_i, delta_i)-DP rounds are worst as randomized responses that reveal the input with probability delta_i
(Kairouz, Oh, Viswanath 2015). So delta = 1 - prod(1 - delta_i) (1 - delta_pure(eps_g)), and only the pure part is
work. The first way that applies:

1. equal rounds: Kairouz-Oh-Viswanath; few total losses above the epsilon of interest: all of them, one by one. Both
   to any digits;
2. epsilons that are multiples of a common unit, not too many of it: the exact law on that lattice, to any digits;
3. otherwise bounds from a loss grid, to a stated relative width (``Statement.stated_width``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import count_sum
from privref.exact.seams import seam
from privref.exact.work import kept
from privref.guarantees.gaussian import gaussian_delta
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Multiset, Probability
from privref.statements.registry import Result, implements

from . import optimal
from .basic import total
from .loss_convolution import FiniteRounds, grid_delta, grid_eps, lattice_delta, lattice_eps

#: Relative width of epsilon where a ledger is too large for digits on demand.
STATED_WIDTH = Fraction(1, 10**6)
#: The same of delta, which moves about ten times as much as epsilon does, relatively.
STATED_DELTA_WIDTH = Fraction(1, 10**5)
#: At most this many total losses are written out.
MOST_LOSSES = 1 << 13
#: The same where each needs two normal distribution functions, again at every step of a root search.
MOST_GAUSSIAN_LOSSES = 1 << 8
#: At most this many lattice units make up the largest loss for the lattice to be used.
MOST_UNITS = 1 << 18

_FIXED = (Hypothesis.FIXED_PARAMETERS, Hypothesis.APPROX_DP_ROUNDS)
_EXACT_BITS = 20_000


@dataclass(frozen=True, slots=True)
class Rounds:
    """A ledger of rounds with parameters fixed in advance, in the order-free form that the worst case needs."""

    finite: FiniteRounds
    deltas: Multiset

    @property
    def largest_loss(self) -> Fraction:
        """The sum of the epsilons."""
        return total(self.finite.eps)


def rounds(eps: Sequence[Fraction], delta: Sequence[Fraction], mu: Sequence[Fraction] = ()) -> Rounds:
    """A ledger of (eps_i, delta_i)-DP rounds and mu_j-Gaussian ones."""
    if len(eps) != len(delta):
        raise InputError("delta", f"{len(delta)} values", f"give as many as eps has, {len(eps)}")
    return Rounds(
        FiniteRounds(
            tuple(sorted(Counter(value for value in eps if value).items())),
            total(tuple(Counter(value * value for value in mu).items())),
        ),
        tuple(sorted(Counter(value for value in delta if value).items())),
    )


# --- the mass at infinite loss -----------------------------------------------------------------------------------


def _log_survival(ar: Arithmetic, deltas: Multiset) -> Scalar:
    """log prod (1 - delta_i), for delta_i < 1."""
    return ar.sum(n * ar.log1p(-delta) for delta, n in deltas)


@seam
def _exact_rest(deltas: Multiset, delta_g: Fraction) -> Fraction | None:
    """``finite_delta`` as a rational, where it is not too long to write."""
    if sum(n * delta.denominator.bit_length() for delta, n in deltas) > _EXACT_BITS:
        return None
    return 1 - (1 - delta_g) / math.prod(((1 - delta) ** n for delta, n in deltas), start=Fraction(1))


def finite_delta(ar: Arithmetic, deltas: Multiset, delta_g: Fraction) -> Scalar:
    """What is left of delta_g for the finite losses: 1 - (1 - delta_g)/prod(1 - delta_i)."""
    if not deltas:
        return delta_g
    exact = _exact_rest(deltas, delta_g)
    return exact if exact is not None else -ar.expm1(ar.log1p(-delta_g) - _log_survival(ar, deltas))


def _total_delta(ar: Arithmetic, deltas: Multiset, finite: Scalar) -> Scalar:
    """1 - prod(1 - delta_i) (1 - delta_pure), without cancellation."""
    if not deltas:
        return finite
    survival = _log_survival(ar, deltas)
    return ar.exp(survival) * finite - ar.expm1(survival)


# --- way 1: losses one by one ------------------------------------------------------------------------------------
#
# The rounds that come out against the data lose epsilon each: with `lost` their sum, the total loss is T - 2 lost, and
# it has probability base N e^-lost under P and base N e^(lost - T) under Q, where N counts the ways to lose that sum
# and base = prod (1 + e^-eps_i)^-1.


@seam
@kept(16)
def _ways_to_lose(eps: Multiset, below: Fraction, most: int) -> tuple[tuple[Fraction, int], ...] | None:
    """All sums that can be lost and are less than ``below``, ascending, each with a count; None for more than most."""
    found: list[tuple[Fraction, int]] = []

    def extend(start: int, lost: Fraction, ways: int) -> bool:
        if len(found) >= most:
            return False
        # What is compared with it beside the interval arithmetic, which counts itself.
        count_sum(below, lost)
        found.append((lost, ways))
        for i in range(start, len(eps)):
            value, n = eps[i]
            if lost + value >= below:
                break  # the epsilons ascend
            chosen, more = ways, lost
            for l in range(1, n + 1):
                more += value
                if more >= below:
                    break
                chosen = chosen * (n - l + 1) // l
                if not extend(i + 1, more, chosen):
                    return False
        return True

    # Recursion is as deep as an outcome has different epsilons lost; each level doubles the outcomes found.
    complete = below <= 0 or extend(0, Fraction(0), 1)
    return tuple(sorted(found)) if complete else None


def _base(ar: Arithmetic, eps: Multiset) -> Real:
    return ar.exp(-ar.real(ar.sum(n * ar.log1p(ar.exp(-value)) for value, n in eps)))


def _written_out_delta(ar: Arithmetic, finite: FiniteRounds, eps_g: Fraction) -> Scalar | None:
    """delta of the finite part from the losses above eps_g: sum of P - e^eps_g Q."""
    top = total(finite.eps)
    if finite.mu_squared:
        ways = _ways_to_lose(finite.eps, top + 1, MOST_GAUSSIAN_LOSSES)
        if ways is None:
            return None
        mu = ar.sqrt(finite.mu_squared)
        profile = (n * ar.exp(-lost) * cast(Real, gaussian_delta(ar, mu, eps_g - top + 2 * lost)) for lost, n in ways)
        return _base(ar, finite.eps) * ar.sum(profile)
    ways = _ways_to_lose(finite.eps, (top - eps_g) / 2, MOST_LOSSES)
    if ways is None:
        return None
    head, tail = ar.sum(n * ar.exp(-lost) for lost, n in ways), ar.sum(n * ar.exp(lost) for lost, n in ways)
    return _base(ar, finite.eps) * (head - ar.exp(eps_g - top) * tail)


@kept(16)
def _ways_at_delta(ledger: Rounds, delta_g: Fraction) -> tuple[tuple[Fraction, int], ...] | None:
    """The ways to lose down to a loss > 0 where delta exceeds delta_g; none where it does not even at 0."""
    eps, top = ledger.finite.eps, ledger.largest_loss
    if not eps:
        return ()
    for halvings in range(24, -1, -4):
        below = top / 2 / 2**halvings
        ways = _ways_to_lose(eps, below, MOST_LOSSES)
        if ways is None:
            return None
        if _exceeds(ledger, top - 2 * below, delta_g):
            return ways
    return ()


def _exceeds(ledger: Rounds, eps_g: Fraction, delta_g: Fraction) -> bool:
    """Whether delta at eps_g is above delta_g, in the finite part.

    It ends: delta there is a non-constant rational function of e^(a common unit) (it is 0 for eps = 0), hence
    transcendental, and the delta asked for is rational.
    """

    def delta(ar: Arithmetic) -> Scalar:
        return cast(Scalar, _written_out_delta(ar, ledger.finite, eps_g))

    return decide.exceeds(delta, lambda ar: finite_delta(ar, ledger.deltas, delta_g), decide.engine("arb"))


def _written_out_eps(ar: Arithmetic, ledger: Rounds, delta_g: Fraction) -> Result | None:
    """The least epsilon >= 0 at delta in (0, 1), on the segment between two losses. Ends as ``_exceeds`` does."""
    if ledger.finite.mu_squared:
        return _written_out_gaussian_eps(ar, ledger, delta_g)
    ways = _ways_at_delta(ledger, delta_g)
    if not ways:
        return ways if ways is None else Fraction(0)
    top, target = ledger.largest_loss, finite_delta(ar, ledger.deltas, delta_g)
    base = _base(ar, ledger.finite.eps)
    heads, tails = [ar.real(0)], [ar.real(0)]
    for lost, n in ways:
        heads.append(heads[-1] + base * n * ar.exp(-lost))
        tails.append(tails[-1] + base * n * ar.exp(lost - top))

    def exceeded(i: int) -> bool:
        """Whether delta at the i-th largest loss exceeds the target."""
        return decide.sign_now(heads[i] - ar.exp(top - 2 * ways[i][0]) * tails[i] - target, ar) > 0

    # delta is 0 at the largest loss and, as _ways_at_delta says, exceeds the target below the last.
    last = roots.first(exceeded, 0, len(ways))
    return ar.log((heads[last] - target) / tails[last])


def _written_out_gaussian_eps(ar: Arithmetic, ledger: Rounds, delta_g: Fraction) -> Result | None:
    if _ways_to_lose(ledger.finite.eps, ledger.largest_loss + 1, MOST_GAUSSIAN_LOSSES) is None:
        return None

    def shortfall(inner: Arithmetic, eps: Fraction) -> Scalar:
        asked = finite_delta(inner, ledger.deltas, delta_g)
        # Of logs: the profile falls like a Gaussian tail, on which secant steps would crawl.
        return inner.log(asked) - inner.log(cast(Scalar, _written_out_delta(inner, ledger.finite, eps)))

    # The profile at 0 and a rational delta could tie only by an identity between values of Phi; none is known.
    return roots.least(shortfall, ar)


# --- ways 2 and 3: convolution -----------------------------------------------------------------------------------


def _lattice_unit(ledger: Rounds) -> Fraction | None:
    """The common unit of all losses, where a law on its multiples is short enough."""
    eps = ledger.finite.eps
    if ledger.finite.mu_squared or not eps:
        return None
    # The unit is a common divisor of the numerators over a common multiple of the denominators.
    divisor, multiple = math.gcd(*(value.numerator for value, _ in eps)), 1
    most = MOST_UNITS * divisor / ledger.largest_loss
    for value, _ in eps:
        multiple = math.lcm(multiple, value.denominator)
        if multiple > most:
            return None
    return Fraction(divisor, multiple)


def _equal_pure(finite: FiniteRounds) -> bool:
    return len(finite.eps) == 1 and not finite.mu_squared


@kept(64)
def _grid_delta(engine: decide.EngineName, finite: FiniteRounds, eps_g: Fraction, width: Fraction) -> Enclosure:
    ar = decide.engine(engine, 192)
    with ar.active():
        return grid_delta(ar, finite, eps_g, width)


@kept(64)
def _grid_eps(engine: decide.EngineName, ledger: Rounds, delta_g: Fraction, width: Fraction) -> Enclosure:
    ar = decide.engine(engine, 192)
    with ar.active():
        return grid_eps(ar, ledger.finite, lambda inner: finite_delta(inner, ledger.deltas, delta_g), width)


def optimal_delta(ar: Arithmetic, ledger: Rounds, eps_g: Fraction, width: Fraction = STATED_DELTA_WIDTH) -> Result:
    """The worst-case delta of the ledger at eps_g >= 0; ``width`` where digits on demand are out of reach."""
    if any(delta == 1 for delta, _ in ledger.deltas):
        return Fraction(1)
    return _total_delta(ar, ledger.deltas, _finite_delta_at(ar, ledger, eps_g, width))


def _finite_delta_at(ar: Arithmetic, ledger: Rounds, eps_g: Fraction, width: Fraction) -> Scalar:
    finite = ledger.finite
    if not finite.mu_squared and eps_g >= ledger.largest_loss:
        return Fraction(0)
    if _equal_pure(finite):
        ((eps, n),) = finite.eps
        return cast(Scalar, optimal.optimal_delta(ar, eps, n, eps_g))
    written_out = _written_out_delta(ar, finite, eps_g)
    if written_out is not None:
        return written_out
    balls, unit = decide.enclosing(ar), _lattice_unit(ledger)
    found = (
        _grid_delta(cast(decide.EngineName, balls.name), finite, eps_g, width)
        if unit is None
        else lattice_delta(balls, finite, eps_g, unit)
    )
    return ar.hull(found.lower, found.upper)


def _sign_of_rest(ar: Arithmetic, ledger: Rounds, delta_g: Fraction) -> int:
    """The certain sign of what delta_g leaves to the finite losses.

    A tie (delta_g = delta_1) is seen where the rest is rational; beyond that it would end at the precision cap.
    """
    return decide.sign(lambda inner: finite_delta(inner, ledger.deltas, delta_g), ar)


def _infeasible(ar: Arithmetic, ledger: Rounds, delta_g: Fraction) -> bool:
    """Whether no finite epsilon has that delta: the delta_i use it up, or a Gaussian's tail needs some of it."""
    if delta_g == 1:
        return False
    if any(delta == 1 for delta, _ in ledger.deltas):
        return True
    sign = _sign_of_rest(ar, ledger, delta_g)
    return sign < 0 or (sign == 0 and ledger.finite.mu_squared > 0)


def optimal_eps(ar: Arithmetic, ledger: Rounds, delta_g: Fraction, width: Fraction = STATED_WIDTH) -> Result:
    """The least eps_g >= 0 at which the ledger's worst-case delta is at most delta_g; ``inf`` where there is none."""
    if delta_g == 1:
        return Fraction(0)
    if _infeasible(ar, ledger, delta_g):
        return "inf"
    if _sign_of_rest(ar, ledger, delta_g) == 0:
        return ledger.largest_loss
    if not ledger.finite.eps and not ledger.finite.mu_squared:
        return Fraction(0)
    rest = _exact_rest(ledger.deltas, delta_g)
    if rest is not None and _equal_pure(ledger.finite):
        ((eps, n),) = ledger.finite.eps
        return optimal.optimal_eps(ar, eps, n, rest)
    written_out = _written_out_eps(ar, ledger, delta_g)
    if written_out is not None:
        return written_out
    balls, unit = decide.enclosing(ar), _lattice_unit(ledger)
    found = (
        _grid_eps(cast(decide.EngineName, balls.name), ledger, delta_g, width)
        if unit is None
        else lattice_eps(balls, ledger.finite, lambda inner: finite_delta(inner, ledger.deltas, delta_g), unit)
    )
    return ar.hull(found.lower, found.upper)


def _stated_width(inputs: Mapping[str, Any]) -> Fraction | None:
    """The relative width to which a statement below is enclosed; None where any number of digits may be asked for."""
    ledger = rounds(inputs["eps"], inputs["delta"], inputs.get("mu", ()))
    if _equal_pure(ledger.finite) or _lattice_unit(ledger) is not None:
        return None
    if any(delta == 1 for delta, _ in ledger.deltas):
        return None
    if ledger.finite.mu_squared:
        ways = _ways_to_lose(ledger.finite.eps, ledger.largest_loss + 1, MOST_GAUSSIAN_LOSSES)
    elif "eps_g" in inputs:
        ways = _ways_to_lose(ledger.finite.eps, (ledger.largest_loss - inputs["eps_g"]) / 2, MOST_LOSSES)
    else:
        ways = _ways_at_delta(ledger, inputs["delta_g"])
    if ways is not None:
        return None
    return STATED_DELTA_WIDTH if "eps_g" in inputs else STATED_WIDTH


# --- statements --------------------------------------------------------------------------------------------------


@implements("mv2016/optimal.delta", kind="exact", cites="Theorem 1.5", hypotheses=_FIXED, stated_width=_stated_width)
def optimal_delta_statement(
    ar: Arithmetic, eps: tuple[Fraction, ...], delta: tuple[Probability, ...], eps_g: Fraction
) -> Result:
    """The least delta for which (eps_i, delta_i)-DP rounds compose to (eps_g, delta)-DP in the worst case.

    mv2016/optimal.delta: Murtagh and Vadhan 2016, Theorem 1.5: with delta_pure = prod(1 + e^eps_i)^-1 times the sum
    over sets S of rounds of (e^(sum of eps in S) - e^eps_g e^(sum of eps outside S))_+, delta =
    1 - prod(1 - delta_i) (1 - delta_pure). Any digits for few or commensurable epsilons; else a stated width.
    """
    return optimal_delta(ar, rounds(eps, delta), eps_g)


@implements("mv2016/optimal.eps", kind="exact", cites="Theorem 1.5", hypotheses=_FIXED, stated_width=_stated_width)
def optimal_eps_statement(
    ar: Arithmetic, eps: tuple[Fraction, ...], delta: tuple[Probability, ...], delta_g: Probability
) -> Result:
    """The least eps_g >= 0 for which (eps_i, delta_i)-DP rounds compose to (eps_g, delta_g)-DP in the worst case.

    mv2016/optimal.eps: Murtagh and Vadhan 2016, Theorem 1.5: the least eps_g >= 0 with delta_pure(eps_g) <=
    1 - (1 - delta_g)/prod(1 - delta_i). ``inf`` where delta_g < 1 - prod(1 - delta_i); the sum of the eps_i at
    equality.
    """
    return optimal_eps(ar, rounds(eps, delta), delta_g)


@implements(
    "mv2016/mixed.delta",
    kind="exact",
    cites="Theorem 1.5, with Gaussian rounds by their dominating pair (Dong, Roth, Su 2019, Corollary 3.3)",
    hypotheses=(Hypothesis.FIXED_PARAMETERS,),
    standing="ours",
    stated_width=_stated_width,
)
def mixed_delta_statement(
    ar: Arithmetic, eps: tuple[Fraction, ...], delta: tuple[Probability, ...], mu: tuple[Fraction, ...], eps_g: Fraction
) -> Result:
    """The worst-case delta of (eps_i, delta_i)-DP rounds together with mu_j-Gaussian ones.

    mv2016/mixed.delta: the Gaussian rounds compose to one with mu^2 = sum mu_j^2; with the law of the other rounds'
    total loss L, delta_finite = E_P[delta_mu(eps_g - L)], where delta_mu is the Gaussian profile. The delta_i enter as
    in mv2016/optimal.delta. Attained by randomized response and the Gaussian mechanism.
    """
    return optimal_delta(ar, rounds(eps, delta, mu), eps_g)


@implements(
    "mv2016/mixed.eps",
    kind="exact",
    cites="Theorem 1.5, with Gaussian rounds by their dominating pair (Dong, Roth, Su 2019, Corollary 3.3)",
    hypotheses=(Hypothesis.FIXED_PARAMETERS,),
    standing="ours",
    stated_width=_stated_width,
)
def mixed_eps_statement(
    ar: Arithmetic,
    eps: tuple[Fraction, ...],
    delta: tuple[Probability, ...],
    mu: tuple[Fraction, ...],
    delta_g: Probability,
) -> Result:
    """The least eps_g >= 0 for (eps_i, delta_i)-DP rounds together with mu_j-Gaussian ones at delta_g.

    mv2016/mixed.eps: mv2016/mixed.delta solved for eps_g; ``inf`` where delta_g leaves nothing for the finite losses.
    """
    return optimal_eps(ar, rounds(eps, delta, mu), delta_g)
