"""The exact law of the sparse vector technique (Hartmann et al. 2022, Algorithm 2).

With gaps g_i = q_i(x) - T_i, noise rho ~ Lap(b1), nu_i ~ Lap(b2), b1 = Delta/eps1, b2 = 2 c Delta/eps2, an output a of
answers top/bottom has probability

    integral of f_rho(r) prod over i of P(g_i + nu_i >= r) or its complement, dr.

Between neighbouring points among 0 and the gaps each factor is 1/2 e^(±(r - g_i)/b2) or one minus that, so the product
is a polynomial in e^(±r/b2), and the integral is a finite sum of exponentials: closed, no quadrature error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import cast

from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.errors import InputError
from privref.statements.params import POSITIVE, REAL, one, sequence, whole, wholes
from privref.statements.registry import implements

#: An output: one entry per query that was answered, 1 for top and 0 for bottom.
Output = tuple[int, ...]


def outputs(queries: int, c: int) -> Iterator[Output]:
    """All outputs on that many queries: they end with the c-th top or with the last query."""

    def grow(prefix: Output) -> Iterator[Output]:
        if len(prefix) == queries or sum(prefix) == c:
            yield prefix
            return
        for answer in (0, 1):
            yield from grow((*prefix, answer))

    return grow(())


@implements(
    "hartmann2022/alg2.probability",
    kind="exact",
    cites="Algorithm 2",
    params=(
        sequence("gaps", REAL),
        wholes("answers"),
        one("eps1", POSITIVE),
        one("eps2", POSITIVE),
        whole("c", 1),
        one("sensitivity", POSITIVE),
    ),
)
def output_probability(
    ar: Arithmetic,
    gaps: Sequence[Fraction],
    answers: Sequence[int],
    eps1: Fraction,
    eps2: Fraction,
    c: int,
    sensitivity: Fraction,
) -> Scalar:
    """The probability that the sparse vector technique gives these answers (1 top, 0 bottom).

    hartmann2022/alg2.probability: Hartmann et al. 2022, Algorithm 2: rho ~ Lap(Delta/eps1), nu_i ~ Lap(2 c Delta/eps2),
    answer i is top iff q_i + nu_i >= T_i + rho; ``gaps`` are the q_i - T_i. The output ends with the c-th top or with
    the last query.
    """
    _check(gaps, answers, c)
    b1, b2 = sensitivity / eps1, 2 * c * sensitivity / eps2
    used = list(zip(gaps, answers, strict=False))
    points = sorted({Fraction(0), *(gap for gap, _ in used)})
    pieces = zip([None, *points], [*points, None], strict=True)
    return ar.sum(_piece(ar, used, low, high, b1, b2) for low, high in pieces) / (2 * b1)


def _check(gaps: Sequence[Fraction], answers: Sequence[int], c: int) -> None:
    if any(answer not in (0, 1) for answer in answers):
        raise InputError("answers", str(tuple(answers)), "give 1 for top and 0 for bottom")
    tops = sum(answers)
    ends = len(answers) == len(gaps) or (tops == c and answers[-1] == 1)
    if len(answers) > len(gaps) or tops > c or not ends or (tops == c and answers[-1] != 1):
        raise InputError("answers", str(tuple(answers)), f"it ends with the {c}-th top or with the last query")


def _piece(
    ar: Arithmetic,
    used: Sequence[tuple[Fraction, int]],
    low: Fraction | None,
    high: Fraction | None,
    b1: Fraction,
    b2: Fraction,
) -> Real:
    """The integral over [low, high] (None: unbounded) of e^(-|r|/b1) times the product of the answers' factors."""
    # Powers m of e^(r/b2), with their coefficients; the coefficients' exponents are kept apart from r by centring on
    # an end of the piece, so that nothing overflows.
    base = cast(Fraction, low if low is not None else high)
    terms: dict[int, Real] = {0: ar.real(1)}
    for gap, answer in used:
        above = low is not None and low >= gap
        half = ar.exp(-abs(base - gap) / b2) / 2
        power = -1 if above else 1
        # Above its gap, top is 1/2 e^(-(r-gap)/b2); below it, bottom is 1/2 e^((r-gap)/b2).
        simple = answer == (1 if above else 0)
        following: dict[int, Real] = {}
        for m, coefficient in terms.items():
            if not simple:
                following[m] = following[m] + coefficient if m in following else coefficient
            change = coefficient * half if simple else -(coefficient * half)
            following[m + power] = following[m + power] + change if m + power in following else change
        terms = following
    outside = ar.exp(-abs(base) / b1)
    side = -1 if low is not None and low >= 0 else 1
    return outside * ar.sum(
        coefficient * _exponential(ar, Fraction(m) / b2 + side / b1, base, low, high)
        for m, coefficient in terms.items()
    )


def _exponential(ar: Arithmetic, rate: Fraction, base: Fraction, low: Fraction | None, high: Fraction | None) -> Scalar:
    """The integral of e^(rate (r - base)) over [low, high]; an unbounded end contributes nothing (the rate's sign)."""
    if rate == 0:
        return cast(Fraction, high) - cast(Fraction, low)
    upper: Scalar = Fraction(0) if high is None else ar.exp(rate * (high - base))
    lower: Scalar = Fraction(0) if low is None else ar.exp(rate * (low - base))
    return (cast(Real, upper) - lower) / rate
