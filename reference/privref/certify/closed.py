"""Closed Lean files: a number that Lean proves of the noise of a ledger, over the real numbers.

The file of a ledger whose events are all discrete Gaussian noise with whole shifts lists the noise itself. It has one
theorem, about every analyst who asks what the rounds allow and about every set of views, with no hypothesis: neither a
field, nor a logarithm, nor measurability is left to assume. The bounds are those of the library's whole orders
(``PrivRef.Thm.Census``) or, where these do not reach the claim, of its convolution (``PrivRef.Thm.Convolution``). The
file of equal rounds of Gaussian noise on Poisson samples (``PrivRef.Thm.Sgd``) is about every law with the shift
property of Gaussian noise, of which the library does not construct the normal one, and asks that the conditional
expectations along the interaction are measurable.
This module only proposes an order and a precision, or a grid, and Lean verifies them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

from privref.certify.convolution import convolution_term
from privref.ledger.model import Event, Ledger
from privref.profiles.model import DiscreteGaussian, Gaussian

#: A closed file lists at most so many rounds.
MOST_ROUNDS = 400
#: The highest whole order that is looked at.
MOST_ORDERS = 64
#: Answers farther than this from the exact one are not looked at.
FARTHEST = 160
#: Beyond these the search, in floats, has no digits.
LEAST_DELTA, MOST_EPSILON = Fraction(1, 10**100), 10**6
#: The share of delta that is left to the rounding of floats and of the kernel's enclosures.
_SPARE = 1 - 1e-6
#: Where a bound is the difference of numbers that are larger than this times delta, such rounding could be all of it.
MOST_CANCELLED = 10**4


@dataclass(frozen=True)
class GaussianRound:
    """A round of discrete Gaussian noise: its parameter sigma squared, and the squared norm of the shifts."""

    variance: Fraction
    norm: int

    @property
    def rho(self) -> Fraction:
        return self.norm / (2 * self.variance)


_Inner = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Sharp:
    """What the sharper checker takes: the round whose noise decides the order, and the orders by that noise."""

    index: int
    order: int
    outer: tuple[tuple[int, int, _Inner], ...]


def gaussian_rounds(ledger: Ledger) -> list[GaussianRound] | None:
    """Return the rounds of a ledger of discrete Gaussian noise in its order; None for any other ledger."""
    rounds: list[GaussianRound] = []
    for event in ledger.ran:
        one = _round(event)
        if one is None or len(rounds) + event.count > MOST_ROUNDS:
            return None
        rounds += [one] * event.count
    return rounds or None


def _round(event: Event) -> GaussianRound | None:
    """Return the one round of an event that is only discrete Gaussian noise, with all shifts."""
    law = event.law
    # What is declared as an irrational number has two roundings, and the file would list neither the one that ran.
    if law is None or law.upper is None or law.upper != law.lower or event.selected or event.trial is not None:
        return None
    if law.kind != "discrete-gaussian":
        return None
    variances, norm = set(), 0
    for part in law.upper:
        if not isinstance(part.pair, DiscreteGaussian):
            return None
        variances.add(part.pair.sigma_squared)
        norm += part.count * part.pair.shift**2
    return GaussianRound(variances.pop(), norm) if len(variances) == 1 else None


def _log_kappa(order: int) -> float:
    """Return the logarithm of the least constant of conversion at the order 1 + `order`."""
    return (order + 1) * math.log1p(-1 / (order + 1)) - math.log(order)


def _log_bound(order: int, rho: float, epsilon: float) -> float:
    """Return the logarithm of the delta at `epsilon`, of either sign, behind rounds that spend `rho`."""
    return _log_kappa(order) + order * (order + 1) * rho - order * epsilon


def _exp(x: float) -> float:
    return math.exp(min(x, 700.0))


def _plain(rounds: Sequence[GaussianRound], epsilon: Fraction, delta: Fraction) -> int | None:
    """Return the best whole order, less one, if it reaches delta."""
    rho = float(sum((one.rho for one in rounds), Fraction(0)))
    best = min(range(1, MOST_ORDERS), key=lambda order: _log_bound(order, rho, float(epsilon)))
    return best if _log_bound(best, rho, float(epsilon)) < math.log(delta) + math.log(_SPARE) else None


def _sharp(rounds: Sequence[GaussianRound], epsilon: Fraction, delta: Fraction) -> _Sharp | None:
    """Return orders by the noise of the round that says most of the loss, if these reach delta."""
    pairs = [i for i, one in enumerate(rounds) if one.norm == 2]
    if not pairs:
        return None
    index = min(pairs, key=lambda i: rounds[i].variance)
    variance = float(rounds[index].variance)
    reach = math.ceil(9 * math.sqrt(variance)) + 1
    if reach > FARTHEST:
        return None
    rate, eps = 1 / (2 * variance), float(epsilon)
    rest = float(sum((one.rho for i, one in enumerate(rounds) if i != index), Fraction(0)))
    noise = range(-reach, reach + 1)
    weights = {x: math.exp(-rate * x * x) for x in noise}
    total = sum(weights.values())
    orders = range(1, MOST_ORDERS)

    def left(answers: float) -> float:
        return eps - rate * answers

    # Behind both answers, whose noises have the sum z, what is left is the same whichever answer came first.
    behind = {z: [_log_bound(q, rest, left(2 - 2 * z)) for q in orders] for z in range(-2 * reach, 2 * reach + 1)}
    best = {z: min(range(len(orders)), key=behind[z].__getitem__) for z in behind}
    first = {y: [_log_bound(i, rest + rate, left(1 - 2 * y)) for i in orders] for y in noise}
    gains: dict[tuple[int, int], tuple[float, _Inner]] = {}

    def inside(y: int, at: int) -> tuple[float, _Inner]:
        """What the exceptions of the second answer gain at one order of the first, and which they are."""
        if (y, at) not in gains:
            gain, chosen = 0.0, []
            for x in noise:
                q = best[x + y]
                if q != at and behind[x + y][q] < behind[x + y][at] - 1e-9:
                    change = weights[x] / total * (_exp(behind[x + y][at]) - _exp(behind[x + y][q]))
                    if change > float(delta) * 1e-6:
                        gain += change
                        chosen.append((x, orders[q]))
            gains[y, at] = gain, tuple(chosen)
        return gains[y, at]

    bases = sorted(range(len(orders)), key=lambda j: _log_bound(orders[j], rest + 2 * rate, eps))[:8]
    # Orders by the first answer alone, where these reach: each exception of the second costs the kernel as much.
    for twice, base in product((False, True), bases):
        value = _exp(_log_bound(orders[base], rest + 2 * rate, eps))
        if value > float(delta) * MOST_CANCELLED:
            continue
        options = []
        for y in noise:
            default = first[y][base]
            choices = [
                ((inside(y, at)[0] if twice else 0.0) + _exp(default) - _exp(first[y][at]), at)
                for at in range(len(orders))
                if at == base or first[y][at] < default - 1e-9
            ]
            gain, at = max(choices)
            options.append((weights[y] / total * gain, y, at))
        chosen = []
        for gain, y, at in sorted(options, reverse=True):
            if value <= float(delta) * _SPARE:
                break
            if gain > 0:
                value -= gain
                chosen.append((y, orders[at], inside(y, at)[1] if twice else ()))
        if value <= float(delta) * _SPARE:
            return _Sharp(index, orders[base], tuple(sorted(chosen)))
    return None


def _rat(value: Fraction) -> str:
    top = f"({value.numerator})" if value < 0 else f"{value.numerator}"
    return f"(mkRat {top} {value.denominator})"


def _proof(rounds: Sequence[GaussianRound], epsilon: Fraction, delta: Fraction) -> str | None:
    """Return the term that proves the claim, or None where the library's bounds do not reach it."""
    order = _plain(rounds, epsilon, delta)
    if order is not None:
        log = Fraction(math.floor(math.log1p(-1 / (order + 1)) * 10**9) + 2, 10**9)
        return (
            f"checked_rounds_are_private {order} (k := 64) (p := 200) (U := {_rat(log)[1:-1]})\n"
            "    (by decide +kernel) (by decide +kernel) g S b"
        )
    found = _sharp(rounds, epsilon, delta)
    if found is None:
        # By Lean every answer of such a round differs by at most 1: a squared norm of 4 may be one difference of 2.
        noises = [one.variance for one in rounds for _ in range(one.norm)]
        term = convolution_term(noises, epsilon, delta) if all(one.norm <= 2 for one in rounds) else None
        return term and f"convolved_rounds_are_private {term} (by decide +kernel) g S b"
    one = rounds[found.index]
    terms = math.ceil(math.sqrt(120 * float(one.variance)))
    rate = 1 / (2 * float(one.variance))
    total = 1 + 2 * sum(math.exp(-rate * x * x) for x in range(1, 2 * terms))
    weights = Fraction(math.ceil(total * 10**12) + 1, 10**12)
    rest = sum((other.rho for i, other in enumerate(rounds) if i != found.index), Fraction(0))
    rows = [f"({y}, {order}, [{', '.join(f'({x}, {q})' for x, q in inner)}])" for y, order, inner in found.outer]
    return (
        f"sharply_checked_rounds_are_private (pre := ledger.take {found.index}) (v := {_rat(one.variance)[1:-1]})\n"
        f"    (post := ledger.drop {found.index + 1}) rfl 48 128 {terms} {_rat(weights)} {found.order}\n"
        f"    {_rat(rest)}\n    [" + ",\n      ".join(rows) + "]\n    (by decide +kernel) g S b"
    )


@dataclass(frozen=True)
class SampledRounds:
    """A number of equal rounds of Gaussian noise on Poisson samples: the rate, and (sensitivity / sigma) squared."""

    count: int
    rate: Fraction
    distance: Fraction


def sampled_round(event: Event) -> SampledRounds | None:
    """Return the rounds of an event that is Gaussian noise on Poisson samples; None for any other event."""
    law = event.law
    sample = law.sample if law is not None else None
    if (
        sample is None
        or sample.base.kind != "gaussian"
        or sample.of_unit > 1
        or sample.truncation is not None
        or event.selected
        or event.trial is not None
    ):
        return None
    upper = sample.base.upper
    if sample.sampling != "poisson" or sample.rate == 1 or upper is None or upper != sample.base.lower:
        return None
    if len(upper) != 1 or upper[0].count != 1 or not isinstance(upper[0].pair, Gaussian):
        return None
    return SampledRounds(event.count, sample.rate, upper[0].pair.mu_squared)


def sampled_rounds(ledger: Ledger) -> SampledRounds | None:
    """Return the rounds of a ledger of equal subsampled Gaussian noise, records added or removed; None for others."""
    found: SampledRounds | None = None
    if ledger.neighbours != "add-or-remove-one":
        return None
    for event in ledger.ran:
        one = sampled_round(event)
        if one is None or (found is not None and (one.rate, one.distance) != (found.rate, found.distance)):
            return None
        found = one if found is None else SampledRounds(found.count + one.count, one.rate, one.distance)
    return found


def log_moment(sampling: Fraction, distance: Fraction, order: int) -> Decimal:
    """Return the logarithm of a sampled likelihood ratio's moment at the order 1 + `order`, to the digits in force."""

    def number(value: Fraction) -> Decimal:
        return Decimal(value.numerator) / Decimal(value.denominator)

    rate, half, n = number(sampling), number(distance) / 2, order + 1
    terms = (math.comb(n, k) * (1 - rate) ** (n - k) * rate**k * (k * (k - 1) * half).exp() for k in range(n + 1))
    return sum(terms, Decimal(0)).ln()


def _log_moment(rounds: SampledRounds, order: int) -> Decimal:
    """Return the logarithm of the moment of equal rounds to some 40 digits."""
    with localcontext() as context:
        context.prec = 60
        return log_moment(rounds.rate, rounds.distance, order)


def _sampled_file(rounds: SampledRounds, epsilon: Fraction, delta: Fraction) -> str | None:
    """Return the Lean file of equal rounds on Poisson samples; None where no whole order reaches the claim."""
    # Beyond this exponent no order is of use, and the numbers would only be long.
    orders = [m for m in range(1, MOST_ORDERS) if m * (m + 1) * rounds.distance < 200]
    found = None
    for order in orders:
        # At most what was rounded up to twelve digits, which the kernel's enclosure of the exponential confirms.
        cost = Fraction(math.ceil(_log_moment(rounds, order) * 10**12) + 1, 10**12)
        log = _log_kappa(order) + float(rounds.count * cost - order * epsilon)
        if found is None or log < found[0]:
            found = (log, order, cost)
    if found is None or found[0] >= math.log(delta) + math.log(_SPARE):
        return None
    _, order, cost = found
    rate = f"ofRat {_rat(rounds.rate)}"
    return f"""/-
Certificate for the claim ε = {epsilon}, δ = {delta} of {rounds.count} rounds of Gaussian noise on Poisson samples.

What Lean checks as `privacy`: whoever asks queries about Poisson samples of the rate {rounds.rate}, each answered with
Gaussian noise, where one record adds at most {rounds.distance} to the answer in squared norm (in units of the noise's
variance), and chooses everything else as a function of the answers before, the views with and without the record are
(ε, δ)-indistinguishable in both directions. No filter decides: all rounds of the ledger are answered.
One record is added or removed. It is about the real numbers that the library constructs. It asks for two things: that
the noise `N` has the shift property of Gaussian noise (the library proves it of the discrete Gaussian on the integers,
not of the normal law), and that the conditional expectations of the function along the interaction are measurable
(`hf`), which concerns the choices of whoever asks too. That the ledger describes what was run, and that a program drew
this noise and these samples, is not for Lean to check.
-/
module

public import PrivRef.Thm.Sgd

@[expose] public section

namespace PrivRef.Certificate

open PrivRef PrivRef.Numerics PrivRef.Reals

/-- Every measurable test of the view, in both directions. -/
theorem privacy.{{u}} {{V : Type u}} [Lean.Grind.IntModule V] (N : GaussianNoise reals V)
    {{h0 : 0 ≤ ({rate} : reals.K)}} {{h1 : ({rate} : reals.K) ≤ 1}}
    (g : SgdAnalyst N (ofRat {_rat(rounds.distance)}) {rounds.count}) (f : g.View → reals.K)
    (hf : SgdAnalyst.Adm ({rate}) h0 h1 g f) (l0 : ∀ v, 0 ≤ f v) (l1 : ∀ v, f v ≤ 1) (b : Bool) :
    SgdAnalyst.expect ({rate}) h0 h1 b g f
      ≤ reals.exp (ofRat {_rat(epsilon)}) * SgdAnalyst.expect ({rate}) h0 h1 (!b) g f
        + ofRat {_rat(delta)} :=
  sgd_certificate_is_a_privacy_guarantee reals_have_logarithms (k := 64) (p := 256) (m := {order})
    (c := {_rat(cost)[1:-1]}) (by decide +kernel) g f hf l0 l1 b

end PrivRef.Certificate
"""


def closed_file(ledger: Ledger, epsilon: Fraction, delta: Fraction) -> str | None:
    """Return the Lean file that proves (epsilon, delta) of the noise of a ledger, over the real numbers.

    The noise is discrete Gaussian, or Gaussian on Poisson samples. None for a ledger of anything else, and where the
    bounds of the library do not reach the claim.
    """
    if not LEAST_DELTA <= delta <= 1 or epsilon > MOST_EPSILON:
        return None
    sampled = sampled_rounds(ledger)
    if sampled is not None:
        return _sampled_file(sampled, epsilon, delta)
    rounds = gaussian_rounds(ledger)
    proof = _proof(rounds, epsilon, delta) if rounds is not None else None
    if rounds is None or proof is None:
        return None
    module = "Convolution" if proof.startswith("convolved") else "Census"
    listed = ",\n  ".join(f"⟨mkRat {one.variance.numerator} {one.variance.denominator}, {one.norm}⟩" for one in rounds)
    return f"""/-
Closed certificate for the claim ε = {epsilon}, δ = {delta} of discrete Gaussian noise.

What Lean checks as `privacy`: whoever asks integer queries, each answered with the noise of the ledger's round, as far
as the rounds allow (the answers on two neighbouring databases differ in each round by at most its squared norm), and
chooses everything else as a function of the answers before, the probability of every set of views on the one database
is at most exp(ε) times that on the other, plus δ. No filter decides: all rounds of the ledger are answered.
It is about the real numbers that the library constructs and the discrete Gaussian laws on them, and has no hypothesis.
That the ledger describes what was run, and that a program drew this noise, is not for Lean to check.
-/
module

public import PrivRef.Thm.{module}

@[expose] public section

namespace PrivRef.Certificate

open PrivRef PrivRef.Numerics PrivRef.Reals

/-- The ledger: the parameter σ² of the noise of each round, and the squared norm of the differences of its answers. -/
def ledger : List GaussianRound := [
  {listed}]

/-- Every set of views, in both directions. -/
theorem privacy (g : GaussianAnalyst reals ledger) (S : g.View → Prop) (b : Bool) :
    g.pr reals_are_complete b S
      ≤ reals.exp (ofRat {_rat(epsilon)}) * g.pr reals_are_complete (!b) S + ofRat {_rat(delta)} :=
  {proof}

end PrivRef.Certificate
"""
