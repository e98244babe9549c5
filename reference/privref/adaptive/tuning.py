"""The tuning of odometers that is tightest at a target intrinsic time: found, rounded to a short rational, certified.

Tuning is part of the mechanism: it must be fixed before the first event.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.rounding import to_decimal
from privref.statements.params import OPEN_PROBABILITY, POSITIVE, one
from privref.statements.registry import implements

from . import whitehouse

_DIGITS = 12
_WIDTH = Fraction(1, 2**100)


def best_ratio(ar: Arithmetic, delta_prime: Fraction) -> tuple[Fraction, Fraction]:
    """A bracket of the r > 0 with r - log(1 + r) = 2 log(1/delta'): the best V/gamma."""

    def excess(inner: Arithmetic, r: Fraction) -> Scalar:
        return r - inner.log1p(r) - 2 * inner.log(1 / delta_prime)

    return roots.root_above(excess, Fraction(0), ar)


@implements(
    "whitehouse2023/thm3.mixture.best",
    kind="exact",
    cites="Theorem 3.2, minimised over gamma",
    params=(one("V", POSITIVE), one("delta_prime", OPEN_PROBABILITY)),
    standing="ours",
)
def best_mixture(ar: Arithmetic, V: Fraction, delta_prime: Fraction) -> Scalar:
    """The least reading at V of a mixture odometer over all gamma.

    whitehouse2023/thm3.mixture.best: sqrt(V (1 + r)) + V/2 with r - log(1 + r) = 2 log(1/delta'). With r = V/gamma the
    squared radius is 2 V (1 + 1/r)(log(1/delta') + log(1 + r)/2), whose derivative has the sign of r - log(1 + r) -
    2 log(1/delta'), which increases; at its root the bracket is r/2.
    """
    low, high = best_ratio(ar, delta_prime)
    return ar.sqrt(V * ar.hull(1 + low, 1 + high)) + V / 2


@implements(
    "whitehouse2023/thm3.mixture.best_gamma",
    kind="exact",
    cites="Theorem 3.2, minimised over gamma",
    params=(one("V", POSITIVE), one("delta_prime", OPEN_PROBABILITY)),
    standing="ours",
)
def best_gamma(ar: Arithmetic, V: Fraction, delta_prime: Fraction) -> Scalar:
    """The gamma whose mixture odometer is least at V.

    whitehouse2023/thm3.mixture.best_gamma: V / r with r - log(1 + r) = 2 log(1/delta').
    """
    return V / ar.hull(*best_ratio(ar, delta_prime))


@dataclass(frozen=True, slots=True)
class Tuned:
    """A tuning value, and its certificate: the reading it gives at the target and a bound on what any value gives."""

    value: Fraction
    reading: Enclosure
    best: Enclosure

    @property
    def excess(self) -> Fraction:
        """At most this much is lost at the target against the best value."""
        return self.reading.upper - self.best.lower


def short(value: Fraction, digits: int = _DIGITS) -> Fraction:
    """A positive number rounded down to a few significant digits."""
    return Fraction(to_decimal(value, digits, "down"))


def target_time(eps: Fraction, delta_prime: Fraction, engine: decide.EngineName = "arb") -> Fraction:
    """A short rational at, or just below, the intrinsic time at which the filter's bound is ``eps``."""
    one("eps", POSITIVE).read(eps)
    one("delta_prime", OPEN_PROBABILITY).read(delta_prime)
    found = _enclosed(lambda ar: whitehouse.inverse_f(ar, eps, delta_prime), engine)
    return short(found.lower)


def tune_gamma(target: Fraction, delta_prime: Fraction, engine: decide.EngineName = "arb") -> Tuned:
    """The mixture odometer's gamma."""
    if target <= 0:
        raise InputError("target", str(target), "give the intrinsic time sum eps^2 > 0 at which to be tight")
    one("delta_prime", OPEN_PROBABILITY).read(delta_prime)
    gamma = short(_enclosed(lambda ar: best_gamma(ar, target, delta_prime), engine).lower)
    reading = _enclosed(lambda ar: whitehouse.mixture_odometer(ar, target, gamma, delta_prime), engine)
    return Tuned(gamma, reading, _enclosed(lambda ar: best_mixture(ar, target, delta_prime), engine))


def _enclosed(formula: decide.Formula, engine: decide.EngineName) -> Enclosure:
    return decide.enclose(formula, decide.engine(engine, 160), _WIDTH)
