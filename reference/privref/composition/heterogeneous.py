"""Optimal composition of different rounds, fixed in advance (Murtagh, Vadhan 2016), and of ledgers with Gaussians.

(epsilon_i, delta_i)-DP rounds are worst as randomized responses that reveal the input with probability delta_i
(Kairouz, Oh, Viswanath 2015). So delta = 1 - prod(1 - delta_i) (1 - delta_pure(eps_g)), and only the pure part is
work. Three ways, the first that applies:

1. few distinct total losses: all of them, as a formula, to any digits;
2. epsilons that are multiples of a common unit, not too many of it: the exact law on that lattice, to any digits;
3. otherwise bounds from a loss grid, to the relative width ``STATED_WIDTH`` (``Statement.stated_width`` says so).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.guarantees.gaussian import gaussian_delta
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import NON_NEGATIVE, PROBABILITY, Multiset, one, sequence
from privref.statements.registry import Result, implements

from .loss_convolution import FiniteRounds, common_unit, grid_delta, grid_eps, lattice_delta, lattice_eps

#: Relative width of the answer where a ledger is too large for digits on demand.
STATED_WIDTH = Fraction(1, 10**6)
#: At most this many distinct total losses are written out.
MOST_LOSSES = 1 << 14
#: The same where each needs two normal distribution functions, again at every step of a root search.
MOST_GAUSSIAN_LOSSES = 1 << 8
#: At most this many equal rounds are written out, where no other rounds are.
MOST_EQUAL = 1 << 20
#: At most this many lattice units make up the largest loss for the lattice to be used.
MOST_UNITS = 1 << 18

_FIXED = (Hypothesis.FIXED_PARAMETERS, Hypothesis.APPROX_DP_ROUNDS)
_EXACT_CHECK_BITS = 100_000


@dataclass(frozen=True, slots=True)
class Rounds:
    """A ledger of rounds with parameters fixed in advance, in the order-free form that the worst case needs."""

    finite: FiniteRounds
    deltas: Multiset

    @property
    def largest_loss(self) -> Fraction:
        """The sum of the epsilons."""
        return sum((eps * n for eps, n in self.finite.eps), Fraction(0))

    @property
    def losses(self) -> int:
        """At most how many distinct total losses there are (Gaussian rounds apart)."""
        return math.prod(n + 1 for _, n in self.finite.eps)


def rounds(eps: Sequence[Fraction], delta: Sequence[Fraction], mu: Sequence[Fraction] = ()) -> Rounds:
    """A ledger of (eps_i, delta_i)-DP rounds and mu_j-Gaussian ones."""
    if len(eps) != len(delta):
        raise InputError("delta", f"{len(delta)} values", f"give as many as eps has, {len(eps)}")
    return Rounds(
        FiniteRounds(
            tuple(sorted(Counter(value for value in eps if value).items())),
            sum((value * value for value in mu), Fraction(0)),
        ),
        tuple(sorted(Counter(value for value in delta if value).items())),
    )


# --- the mass at infinite loss -----------------------------------------------------------------------------------


def _log_survival(ar: Arithmetic, deltas: Multiset) -> Scalar:
    """log prod (1 - delta_i), for delta_i < 1."""
    return ar.sum(n * ar.log1p(-delta) for delta, n in deltas) if deltas else 0


def finite_delta(ar: Arithmetic, deltas: Multiset, delta_g: Fraction) -> Scalar:
    """What is left of delta_g for the finite losses: 1 - (1 - delta_g)/prod(1 - delta_i)."""
    return delta_g if not deltas else -ar.expm1(ar.log1p(-delta_g) - _log_survival(ar, deltas))


def _total_delta(ar: Arithmetic, deltas: Multiset, finite: Scalar) -> Scalar:
    """1 - prod(1 - delta_i) (1 - delta_pure), without cancellation."""
    if not deltas:
        return finite
    survival = _log_survival(ar, deltas)
    return ar.exp(survival) * finite - ar.expm1(survival)


def _sign_of_rest(ar: Arithmetic, deltas: Multiset, delta_g: Fraction) -> int:
    """The certain sign of ``finite_delta``; a tie is possible (delta_g = delta_1), so small ledgers go exactly."""
    if sum(n * delta.denominator.bit_length() for delta, n in deltas) <= _EXACT_CHECK_BITS:
        rest = math.prod(((1 - delta) ** n for delta, n in deltas), start=Fraction(1)) - (1 - delta_g)
        return (rest > 0) - (rest < 0)
    # With as many digits as that a tie would be a coincidence; it would end at the precision cap.
    return decide.sign(lambda inner: finite_delta(inner, deltas, delta_g), ar)


# --- way 1: all losses -------------------------------------------------------------------------------------------


def _law(ar: Arithmetic, eps: Multiset) -> tuple[Fraction, dict[int, Real]]:
    """The law of the total loss under P: a unit, and for each loss in units its probability."""
    unit = common_unit(eps) if eps else Fraction(1)
    law: dict[int, Real] = {0: ar.real(1)}
    for value, n in eps:
        step = int(value / unit)
        odds = ar.exp(-ar.real(value))
        mass = (1 / (1 + odds)) ** n
        group = [(n * step, mass)]
        for l in range(n):
            mass = mass * Fraction(n - l, l + 1) * odds
            group.append(((n - 2 * (l + 1)) * step, mass))
        if len(law) == 1:
            law = dict(group)
            continue
        found: dict[int, Real] = {}
        for loss, p in law.items():
            for more, q in group:
                total = loss + more
                found[total] = found[total] + p * q if total in found else p * q
        law = found
    return unit, law


def _written_out_delta(ar: Arithmetic, finite: FiniteRounds, eps_g: Fraction) -> Result:
    """delta of the finite part from all losses: sum over losses above eps_g of P - e^eps_g Q."""
    unit, law = _law(ar, finite.eps)
    if finite.mu_squared:
        mu = ar.sqrt(finite.mu_squared)
        return ar.sum(p * gaussian_delta(ar, mu, eps_g - loss * unit) for loss, p in law.items())
    above = [loss for loss in law if loss * unit > eps_g]
    # Swapping P and Q turns every loss round, so Q(loss) = P(-loss).
    p, q = ar.sum(law[loss] for loss in above), ar.sum(law[-loss] for loss in above)
    return p - ar.exp(eps_g) * q


def _written_out_eps(ar: Arithmetic, finite: FiniteRounds, delta: Callable[[Arithmetic], Scalar]) -> Result:
    """The least epsilon >= 0 with the given delta in (0, 1), on the segment between two losses.

    Comparisons end: at a loss, delta is a rational function of e^unit that is 0 at 1 and positive, so not constant,
    hence transcendental, while the delta asked for is rational.
    """
    if finite.mu_squared:
        return _written_out_gaussian_eps(ar, finite, delta)
    unit, law = _law(ar, finite.eps)
    losses = sorted((loss for loss in law if loss > 0), reverse=True)
    heads, tails = [ar.real(0)], [ar.real(0)]
    for loss in losses:
        heads.append(heads[-1] + law[loss])
        tails.append(tails[-1] + law[-loss])
    target = delta(ar)

    def reached(i: int) -> bool:
        """Whether delta at the i-th largest loss (after the last of them: at 0) exceeds the target."""
        eps = losses[i] * unit if i < len(losses) else Fraction(0)
        return decide.sign_now(heads[i] - ar.exp(eps) * tails[i] - target, ar) > 0

    if not reached(len(losses)):
        return Fraction(0)
    low, high = 0, len(losses)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return ar.log((heads[high] - target) / tails[high])


def _written_out_gaussian_eps(ar: Arithmetic, finite: FiniteRounds, delta: Callable[[Arithmetic], Scalar]) -> Result:
    def shortfall(inner: Arithmetic, eps: Fraction) -> Scalar:
        return inner.real(delta(inner)) - cast(Real, _written_out_delta(inner, finite, eps))

    # The profile at 0 and a rational delta could tie only by an identity between values of Phi; none is known.
    if decide.sign(lambda inner: shortfall(inner, Fraction(0)), ar) >= 0:
        return Fraction(0)
    low, high = roots.root(shortfall, Fraction(0), roots.bracket_above(shortfall, Fraction(0), ar), ar)
    return ar.hull(low, high)


# --- ways 2 and 3: convolution -----------------------------------------------------------------------------------


def _writes_out(ledger: Rounds) -> bool:
    if ledger.finite.mu_squared:
        return ledger.losses <= MOST_GAUSSIAN_LOSSES
    return ledger.losses <= (MOST_EQUAL if len(ledger.finite.eps) == 1 else MOST_LOSSES)


def _lattice_unit(ledger: Rounds) -> Fraction | None:
    """The common unit of all losses, where a law on its multiples is short enough."""
    if ledger.finite.mu_squared:
        return None
    unit = common_unit(ledger.finite.eps)
    return unit if ledger.largest_loss / unit <= MOST_UNITS else None


def stated_width(ledger: Rounds) -> Fraction | None:
    """The relative width to which the optimum is enclosed; None where any number of digits may be asked for."""
    return None if _writes_out(ledger) or _lattice_unit(ledger) is not None else STATED_WIDTH


def _enclosing(ar: Arithmetic) -> EnclosingArithmetic:
    """The arithmetic itself, or balls where it encloses nothing."""
    if getattr(ar, "enclosure", None) is None:
        return decide.engine("arb")
    return cast(EnclosingArithmetic, ar)


@lru_cache(maxsize=64)
def _grid_delta(engine: decide.EngineName, finite: FiniteRounds, eps_g: Fraction, width: Fraction) -> Enclosure:
    ar = decide.engine(engine, 192)
    with ar.active():
        return grid_delta(ar, finite, eps_g, width)


@lru_cache(maxsize=64)
def _grid_eps(engine: decide.EngineName, ledger: Rounds, delta_g: Fraction, width: Fraction) -> Enclosure:
    ar = decide.engine(engine, 192)
    with ar.active():
        return grid_eps(ar, ledger.finite, lambda inner: finite_delta(inner, ledger.deltas, delta_g), width)


def optimal_delta(ar: Arithmetic, ledger: Rounds, eps_g: Fraction, width: Fraction = STATED_WIDTH) -> Result:
    """The worst-case delta of the ledger at eps_g >= 0; ``width`` where digits on demand are out of reach."""
    if any(delta == 1 for delta, _ in ledger.deltas):
        return Fraction(1)
    finite: Scalar
    if not ledger.finite.mu_squared and eps_g >= ledger.largest_loss:
        if not ledger.deltas:
            return Fraction(0)
        finite = Fraction(0)
    elif _writes_out(ledger):
        finite = cast(Scalar, _written_out_delta(ar, ledger.finite, eps_g))
    else:
        balls, unit = _enclosing(ar), _lattice_unit(ledger)
        found = (
            lattice_delta(balls, ledger.finite, eps_g, unit)
            if unit is not None
            else _grid_delta(cast(decide.EngineName, balls.name), ledger.finite, eps_g, width)
        )
        finite = ar.hull(found.lower, found.upper)
    return _total_delta(ar, ledger.deltas, finite)


def optimal_eps(ar: Arithmetic, ledger: Rounds, delta_g: Fraction, width: Fraction = STATED_WIDTH) -> Result:
    """The least eps_g >= 0 at which the ledger's worst-case delta is at most delta_g; ``inf`` where there is none."""
    if delta_g == 1:
        return Fraction(0)
    if any(delta == 1 for delta, _ in ledger.deltas):
        return "inf"
    sign = _sign_of_rest(ar, ledger.deltas, delta_g)
    if sign < 0:
        return "inf"
    if sign == 0:
        return "inf" if ledger.finite.mu_squared else ledger.largest_loss
    if not ledger.finite.eps and not ledger.finite.mu_squared:
        return Fraction(0)

    def delta(inner: Arithmetic) -> Scalar:
        return finite_delta(inner, ledger.deltas, delta_g)

    if _writes_out(ledger):
        return _written_out_eps(ar, ledger.finite, delta)
    balls, unit = _enclosing(ar), _lattice_unit(ledger)
    found = (
        lattice_eps(balls, ledger.finite, delta, unit)
        if unit is not None
        else _grid_eps(cast(decide.EngineName, balls.name), ledger, delta_g, width)
    )
    return ar.hull(found.lower, found.upper)


# --- statements --------------------------------------------------------------------------------------------------


def _stated_width(inputs: Mapping[str, Any]) -> Fraction | None:
    return stated_width(rounds(inputs["eps"], inputs["delta"], inputs.get("mu", ())))


_LEDGER = (sequence("eps", NON_NEGATIVE), sequence("delta", PROBABILITY))


@implements(
    "mv2016/optimal.delta",
    kind="exact",
    cites="Theorem 1.5",
    params=(*_LEDGER, one("eps_g")),
    hypotheses=_FIXED,
    stated_width=_stated_width,
)
def optimal_delta_statement(
    ar: Arithmetic, eps: tuple[Fraction, ...], delta: tuple[Fraction, ...], eps_g: Fraction
) -> Result:
    """The least delta for which (eps_i, delta_i)-DP rounds compose to (eps_g, delta)-DP in the worst case.

    mv2016/optimal.delta: Murtagh and Vadhan 2016, Theorem 1.5: with delta_pure = prod(1 + e^eps_i)^-1 times the sum
    over sets S of rounds of (e^(sum of eps in S) - e^eps_g e^(sum of eps outside S))_+, delta =
    1 - prod(1 - delta_i) (1 - delta_pure). Any digits for few or commensurable epsilons; else a stated width.
    """
    return optimal_delta(ar, rounds(eps, delta), eps_g)


@implements(
    "mv2016/optimal.eps",
    kind="exact",
    cites="Theorem 1.5",
    params=(*_LEDGER, one("delta_g", PROBABILITY)),
    hypotheses=_FIXED,
    stated_width=_stated_width,
)
def optimal_eps_statement(
    ar: Arithmetic, eps: tuple[Fraction, ...], delta: tuple[Fraction, ...], delta_g: Fraction
) -> Result:
    """The least eps_g >= 0 for which (eps_i, delta_i)-DP rounds compose to (eps_g, delta_g)-DP in the worst case.

    mv2016/optimal.eps: Murtagh and Vadhan 2016, Theorem 1.5: the least eps_g >= 0 with delta_pure(eps_g) <=
    1 - (1 - delta_g)/prod(1 - delta_i). ``inf`` where delta_g < 1 - prod(1 - delta_i); the sum of the eps_i at
    equality.
    """
    return optimal_eps(ar, rounds(eps, delta), delta_g)


_MIXED = (*_LEDGER, sequence("mu", NON_NEGATIVE))


@implements(
    "mv2016/mixed.delta",
    kind="exact",
    cites="Theorem 1.5, with Gaussian rounds by their dominating pair (Dong, Roth, Su 2019, Corollary 3.3)",
    params=(*_MIXED, one("eps_g")),
    hypotheses=(Hypothesis.FIXED_PARAMETERS,),
    standing="ours",
    stated_width=_stated_width,
)
def mixed_delta_statement(
    ar: Arithmetic, eps: tuple[Fraction, ...], delta: tuple[Fraction, ...], mu: tuple[Fraction, ...], eps_g: Fraction
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
    params=(*_MIXED, one("delta_g", PROBABILITY)),
    hypotheses=(Hypothesis.FIXED_PARAMETERS,),
    standing="ours",
    stated_width=_stated_width,
)
def mixed_eps_statement(
    ar: Arithmetic, eps: tuple[Fraction, ...], delta: tuple[Fraction, ...], mu: tuple[Fraction, ...], delta_g: Fraction
) -> Result:
    """The least eps_g >= 0 for (eps_i, delta_i)-DP rounds together with mu_j-Gaussian ones at delta_g.

    mv2016/mixed.eps: mv2016/mixed.delta solved for eps_g; ``inf`` where delta_g leaves nothing for the finite losses.
    """
    return optimal_eps(ar, rounds(eps, delta, mu), delta_g)
