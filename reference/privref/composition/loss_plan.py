"""Planning of loss grids: where the law of the loss must be fine for one answer. Floats, which no bound depends on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.errors import UndecidedError


@contextmanager
def planning() -> Iterator[None]:
    """Where a plan leaves what floats can tell (a step that is 0, an overflow), the question is out of reach.

    For plans alone: around an enclosure it would hide a defect.
    """
    try:
        yield
    except UndecidedError:
        raise
    except (ArithmeticError, ValueError):
        raise UndecidedError("the numbers are beyond what a plan in floats can tell: out of reach") from None


#: By what factor the variance of a loss grows in a jump, and a tilt below which none is sought.
_JUMP, _LEAST_TILT = 16, 1e-3


@dataclass(frozen=True, slots=True)
class Moments:
    """About log E_P[e^(tilt L)] of a loss L and its first two derivatives in the tilt."""

    value: float
    mean: float
    variance: float


@dataclass(frozen=True, slots=True)
class LossShape:
    """The tilted law at the answer; ``deeper`` is by how many bits delta is below what is usual at that tilt."""

    tilt: float
    eps: float
    deviation: float
    deeper: float = 0.0

    @property
    def eps_per_variance(self) -> float:
        """How much epsilon moves per unit of variance added to the loss."""
        return (self.tilt + 1) / 2 + 1 / (self.deviation * 2.5)

    @property
    def log_delta_per_eps(self) -> float:
        return self.tilt + 1.25 / self.deviation

    @property
    def rounded_tilt(self) -> Fraction:
        """The tilt of a grid, of few digits."""
        return Fraction(math.floor(self.tilt * 64 + 0.5), 64)


@dataclass(frozen=True, slots=True)
class LossPlan:
    """The moments by tilt, with a floor of the variance, the largest tilt of use, and how closely one is sought."""

    moments: Callable[[float], Moments]
    least_variance: float
    most_tilt: float
    closeness: float

    def at_eps(self, eps: Fraction) -> LossShape:
        """For delta at a given epsilon: tilt until the mean loss is epsilon."""
        target = float(eps)
        tilt = self._least_tilt(lambda tilt: self.moments(tilt).mean - target)
        found = self.moments(tilt)
        return replace(self._shape(tilt, found.value - tilt * found.mean), eps=target)

    def at_delta(self, log_delta: float) -> LossShape:
        """For epsilon at a given delta: the saddle point."""

        def shortfall(tilt: float) -> float:
            found = self.moments(tilt)
            spread = (1 + tilt) * (1 + 2.5 * tilt * math.sqrt(found.variance))
            return log_delta - (found.value - tilt * found.mean - math.log(spread))

        return self._shape(self._least_tilt(shortfall), log_delta)

    def _shape(self, tilt: float, log_delta: float) -> LossShape:
        found = self.moments(tilt)
        settled = self._settled(tilt)
        if settled == tilt:
            return LossShape(tilt, found.mean, math.sqrt(max(found.variance, self.least_variance)))
        found = self.moments(settled)
        # By Chernoff's bound, which is near enough to begin with.
        eps = (found.value - log_delta) / settled
        deeper = (found.value - settled * found.mean - log_delta) / math.log(2)
        return LossShape(settled, eps, math.sqrt(max(found.variance, self.least_variance)), max(deeper, 0.0))

    def _settled(self, tilt: float) -> float:
        """A smaller tilt where this one is in a jump: a law of rare large losses is there two at once, far apart.

        One is that of the answer, the other of losses that are too rare to count before they are tilted.
        """
        while tilt > _LEAST_TILT:
            before = max(self.moments(tilt / 2).variance, self.least_variance)
            if self.moments(tilt).variance <= _JUMP * before:
                break
            tilt /= 2
        return tilt

    def _least_tilt(self, increasing: Callable[[float], float]) -> float:
        """About the least tilt >= 0 at which the function is not negative; at most one that leaves only the top."""
        if increasing(0.0) >= 0:
            return 0.0
        low, high = 0.0, 1.0
        while increasing(high) < 0:
            if high >= self.most_tilt:
                return self.most_tilt
            high *= 2
        while high - low > self.closeness * high:
            middle = (low + high) / 2
            low, high = (low, middle) if increasing(middle) >= 0 else (middle, high)
        return high


def sharper(relative: float, found: Enclosure, width: Fraction) -> float:
    """The next relative width to plan for, after a plan that missed."""
    reached = float(found.width / found.upper) if found.upper else 1.0
    return relative * min(0.5, max(0.02, 0.7 * float(width) / reached))


def narrowed(known: Enclosure, lower: Enclosure | None, upper: Enclosure | None) -> Enclosure:
    """What is known of a value, with a lower and an upper bound of it, where they were found."""
    return Enclosure(
        known.lower if lower is None else max(known.lower, lower.lower),
        known.upper if upper is None else min(known.upper, upper.upper),
    )
