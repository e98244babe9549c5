"""Complex enclosures, and the sums that a contour integral needs, in both enclosing arithmetics.

With ``interval`` and ``integer_poly`` the only modules that import flint. Precision is that of the arithmetic whose
``active`` block is open.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import flint

from .arithmetic import EnclosingArithmetic
from .interval import ArbArithmetic, Ball, Bare
from .second import MpmathPlane


class TrigonometricSum(Protocol):
    """The sum of c_n e^(i n angle) over n >= 0 as a function of the angle."""

    def real_part(self, angle: Any) -> Any: ...


class Plane(Protocol):
    """What a contour integral asks for beyond real arithmetic. Reals are those of one arithmetic."""

    def pi(self) -> Any: ...
    def cosine(self, angle: Any) -> Any: ...
    def sine(self, angle: Any) -> Any: ...
    def angle(self, x: Any, y: Any) -> Any:
        """The argument of x + iy, x > 0 or y > 0."""
        ...

    def upper(self, value: Any) -> Any:
        """The upper end."""
        ...

    def around(self, value: Any, radius: Any) -> Any:
        """Every real at most ``radius`` from the value."""
        ...

    def powers_over_kernel(self, sums: Sequence[Any], radius: Any, k: int, c: Any, step: Any) -> list[Any]:
        """(s_n widened by the radius)^k / (z (z + 1)), z = c + i n step; twice that for n > 0."""
        ...

    def times_powers(self, values: Sequence[Any], sums: Sequence[Any], radius: Any, k: int) -> list[Any]:
        """Each value times (s_n widened by the radius)^k."""
        ...

    def complex(self, x: Any, y: Any) -> Any:
        """x + iy."""
        ...

    def added(self, one: Any, other: Any) -> Any:
        """The sum of two complex numbers."""
        ...

    def oscillating_sums(
        self, weights: Sequence[Sequence[Any]], points: Sequence[Any], step: Any, count: int
    ) -> list[list[Any]]:
        """For each list of weights the sums of w_j e^(i n step x_j) over the points x_j, for n = 0 … count - 1."""
        ...

    def trigonometric_sum(self, coefficients: Sequence[Any]) -> TrigonometricSum: ...


class ArbPlane:
    """Rectangles of FLINT/Arb."""

    def pi(self) -> Ball:
        return Ball(flint.arb.pi())

    def cosine(self, angle: Ball) -> Ball:
        return Ball(angle.arb.cos())

    def sine(self, angle: Ball) -> Ball:
        return Ball(angle.arb.sin())

    def angle(self, x: Ball, y: Ball) -> Ball:
        return Ball(flint.arb.atan2(y.arb, x.arb))

    def upper(self, value: Ball) -> Ball:
        return Ball(value.arb.upper())

    def around(self, value: Ball, radius: Ball) -> Ball:
        return Ball(value.arb + flint.arb(0, radius.arb.abs_upper()))

    def powers_over_kernel(
        self, sums: Sequence[flint.acb], radius: Ball, k: int, c: Ball, step: Ball
    ) -> list[flint.acb]:
        error = flint.arb(0, radius.arb.abs_upper())
        box = flint.acb(error, error)
        found = []
        for n, value in enumerate(sums):
            z = flint.acb(c.arb, step.arb * n)
            found.append((2 if n else 1) * (value + box) ** k / (z * (z + 1)))
        return found

    def times_powers(
        self, values: Sequence[flint.acb], sums: Sequence[flint.acb], radius: Ball, k: int
    ) -> list[flint.acb]:
        error = flint.arb(0, radius.arb.abs_upper())
        box = flint.acb(error, error)
        return [value * (other + box) ** k for value, other in zip(values, sums, strict=True)]

    def complex(self, x: Ball, y: Ball) -> flint.acb:
        return flint.acb(x.arb, y.arb)

    def added(self, one: flint.acb, other: flint.acb) -> flint.acb:
        return one + other

    def oscillating_sums(
        self, weights: Sequence[Sequence[Ball]], points: Sequence[Ball], step: Ball, count: int
    ) -> list[list[Any]]:
        # n = a b' + b: one product of a matrix of giant steps with one of baby steps gives all of them.
        baby = max(1, math.isqrt(count))
        small = _turned([flint.acb(1)] * len(points), step, points, baby)
        right = flint.acb_mat([list(column) for column in zip(*small, strict=True)])
        found = []
        for each in weights:
            left = flint.acb_mat(_turned([flint.acb(w.arb) for w in each], step * baby, points, -(-count // baby)))
            found.append(list((left * right).entries()[:count]))
        return found

    def trigonometric_sum(self, coefficients: Sequence[flint.acb]) -> ArbSum:
        return ArbSum(coefficients)


def _turned(values: list[flint.acb], speed: Ball, points: Sequence[Ball], count: int) -> list[list[flint.acb]]:
    """Each value times e^(i n speed x) at its point x, for n = 0 … count - 1.

    Each turn of a rectangle makes it wider, so that n is put together from few powers of two, as its bits say.
    """
    found = [values]
    while (n := len(found)) < count:
        turns = [flint.acb(0, angle).exp() for angle in [(speed * n * x).arb for x in points]]
        found += [[a * b for a, b in zip(turns, each, strict=True)] for each in found[: count - n]]
    return found


class ArbSum:
    """A trigonometric sum by one matrix product."""

    __slots__ = ("_baby", "_coefficients")

    def __init__(self, coefficients: Sequence[flint.acb]) -> None:
        self._baby = max(1, math.isqrt(len(coefficients)))
        rows = [*coefficients, *[flint.acb(0)] * (-len(coefficients) % self._baby)]
        self._coefficients = flint.acb_mat(len(rows) // self._baby, self._baby, rows)

    def real_part(self, angle: Ball) -> Ball:
        baby = [[flint.acb(0, (angle * n).arb).exp()] for n in range(self._baby)]
        total = flint.acb(0)
        for n, part in enumerate((self._coefficients * flint.acb_mat(baby)).entries()):
            total += part * flint.acb(0, (angle * (n * self._baby)).arb).exp()
        return Ball(total.real)


class _BarePlane(ArbPlane):
    """Of bare reals, what a long loop asks for."""

    def angle(self, x: Any, y: Any) -> Any:
        return flint.arb.atan2(y, x)

    def upper(self, value: Any) -> Any:
        return value.upper()


def plane(ar: EnclosingArithmetic) -> Plane:
    """The complex plane over an arithmetic."""
    if isinstance(ar, Bare):
        return _BarePlane()
    return ArbPlane() if isinstance(ar, ArbArithmetic) else MpmathPlane(ar.precision)
