"""Signs over a whole domain by intervals: an adaptive cover of boxes, and limits at the ends.

A claim says that a quantity is positive on a product of intervals, ends at 0 or infinity included. Its parts are

- charts: closed boxes whose image is part of the domain. A positive factor times the quantity is enclosed on the box,
  and the box is bisected until every piece is decided;
- tails: the rest of one variable's range, where a positive factor times the quantity moves one way (SymPy decides the
  sign of its derivative), so that its infimum is its value at the start or its limit at the end.

The parts must cover the domain. A piece that is not positive, or that is still open when the cover has grown too
large, is a ProofError: no piece is skipped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import sympy as sp

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic, Scalar
from privref.exact.enclosure import Enclosure

from .transcription import Chart, Claim, ProofError, Tail, vanishes

#: A cover that needs more pieces than this is given up.
MOST_BOXES = 20_000
_PRECISION = 64
_PI_DIGITS = 10**40
_PI = int(sp.floor(sp.pi * _PI_DIGITS))

Interval = tuple[Fraction, Fraction]
Box = Mapping[sp.Symbol, Interval]
Region = Mapping[sp.Symbol, tuple[Any, Any]]


def prove_claim(claim: Claim, *, most_boxes: int = MOST_BOXES, engine: decide.EngineName = "arb") -> int:
    """Prove that the claim's quantity is positive on its whole domain; how many boxes it took."""
    unbound = claim.quantity.free_symbols - set(claim.domain)
    if unbound:
        raise ProofError(f"{claim.says}: the domain says nothing of {unbound}")
    regions: list[Region] = []
    boxes = 0
    for part in claim.parts:
        if isinstance(part, Chart):
            regions.append(_image(claim, part))
            boxes += positive_on_box(_on_chart(claim, part), part.box, most_boxes=most_boxes, engine=engine)
        else:
            regions.append(_tail_region(claim, part))
            _prove_tail(claim, part, engine)
    check_covered(claim.domain, regions)
    return boxes


# --- boxes ------------------------------------------------------------------------------------------------------------


def positive_on_box(
    expression: Any,
    box: Box,
    *,
    most_boxes: int = MOST_BOXES,
    engine: decide.EngineName = "arb",
) -> int:
    """Prove that an expression is positive on a closed box by bisection; the number of pieces."""
    ar = decide.engine(engine, _PRECISION)
    # First in, first out: pieces shrink together, so that a part of the box where the claim fails is met soon.
    open_pieces: deque[Box] = deque([dict(box)])
    decided = 0
    while open_pieces:
        piece = open_pieces.popleft()
        found = enclose_on(expression, piece, ar)
        if found is not None and found.lower > 0:
            decided += 1
        elif found is not None and found.upper <= 0:
            raise ProofError(f"{expression} is not positive on {_spelled(piece)}")
        elif decided + len(open_pieces) >= most_boxes or all(low == high for low, high in piece.values()):
            raise ProofError(f"the sign of {expression} is still open on {_spelled(piece)}")
        else:
            open_pieces += _halves(piece, box)
    return decided


def enclose_on(expression: Any, piece: Box, ar: EnclosingArithmetic) -> Enclosure | None:
    """All values of an expression on a piece, enclosed; None where no finite enclosure came out."""

    def formula(inner: Arithmetic) -> Scalar:
        return evaluate(expression, {symbol: inner.hull(*ends) for symbol, ends in piece.items()}, inner)

    return decide.enclose_once(formula, ar)


def _halves(piece: Box, whole: Box) -> tuple[Box, Box]:
    """The two halves along the side that is the longest in proportion to the whole box."""

    def share(symbol: sp.Symbol) -> Fraction:
        (low, high), (first, last) = piece[symbol], whole[symbol]
        return (high - low) / (last - first) if last > first else Fraction(0)

    longest = max(piece, key=share)
    low, high = piece[longest]
    middle = (low + high) / 2
    return {**piece, longest: (low, middle)}, {**piece, longest: (middle, high)}


def evaluate(expression: Any, values: Mapping[sp.Symbol, Scalar], ar: Arithmetic) -> Scalar:
    """A SymPy expression in an arithmetic of ours."""
    functions: dict[Any, Callable[[Scalar], Scalar]] = {
        sp.exp: ar.exp,
        sp.log: ar.log,
        sp.tanh: ar.tanh,
        sp.erf: lambda x: 2 * ar.normal_cdf(ar.sqrt(2) * x) - 1,
        sp.erfc: lambda x: 2 * ar.normal_cdf(-(ar.sqrt(2) * x)),
    }
    if expression.is_Symbol:
        return values[expression]
    if expression.is_Rational:
        return Fraction(int(expression.p), int(expression.q))
    if expression is sp.E:
        return ar.exp(1)
    if expression is sp.pi:
        return ar.hull(Fraction(_PI, _PI_DIGITS), Fraction(_PI + 1, _PI_DIGITS))
    if expression.func in functions:
        return functions[expression.func](ar.real(evaluate(expression.args[0], values, ar)))
    if expression.is_Add:
        return ar.sum(evaluate(term, values, ar) for term in expression.args)
    if expression.is_Mul:
        result: Any = ar.real(1)
        for factor in expression.args:
            result = result * evaluate(factor, values, ar)
        return result  # type: ignore[no-any-return]
    if expression.is_Pow:
        base, exponent = ar.real(evaluate(expression.base, values, ar)), expression.exp
        if exponent.is_Integer:
            power = base ** abs(int(exponent))
            return power if exponent > 0 else 1 / power
        if (2 * exponent).is_Integer:
            power = ar.real(ar.sqrt(base)) ** abs(int(2 * exponent))
            return power if exponent > 0 else 1 / power
        return ar.exp(ar.log(base) * evaluate(exponent, values, ar))
    raise ProofError(f"no enclosure of {expression.func}")


# --- charts -----------------------------------------------------------------------------------------------------------


def _inside(box: Box) -> dict[sp.Symbol, Any]:
    """Each coordinate as an expression that ranges over the inside of its side: for SymPy's assumptions."""
    found = {}
    for symbol, (low, high) in box.items():
        free = sp.Symbol(f"{symbol}_inside", positive=True)
        found[symbol] = sp.Rational(low) + sp.Rational(high - low) * free / (1 + free)
    return found


def _on_chart(claim: Claim, chart: Chart) -> Any:
    """The factor times the quantity in the chart's coordinates, checked to be that."""
    inside = _inside(chart.box)
    factor = sp.factor(sp.together(chart.factor.subs(inside)))
    if not factor.is_positive:
        raise ProofError(f"{claim.says}: the factor {chart.factor} is not seen to be positive")
    quantity = chart.factor * claim.quantity.subs(chart.image)
    if chart.product is None:
        return quantity
    if not vanishes((chart.product - quantity).subs(inside)):
        raise ProofError(f"{claim.says}: {chart.product} is not the factor times the quantity")
    return chart.product


def _image(claim: Claim, chart: Chart) -> Region:
    """The product of intervals that a chart covers: each variable increases with a coordinate of its own."""
    if set(chart.image) != set(claim.domain):
        raise ProofError(f"{claim.says}: a chart gives {set(chart.image)}, not {set(claim.domain)}")
    used: set[sp.Symbol] = set()
    region = {}
    for variable, expression in chart.image.items():
        coordinates = expression.free_symbols
        if len(coordinates) != 1 or coordinates & used or not coordinates <= set(chart.box):
            raise ProofError(f"{claim.says}: {variable} = {expression} has no coordinate of its own")
        used |= coordinates
        (coordinate,) = coordinates
        slope = sp.factor(sp.together(sp.diff(expression, coordinate).subs(_inside(chart.box))))
        if not slope.is_positive:
            raise ProofError(f"{claim.says}: {variable} = {expression} is not seen to increase")
        low, high = chart.box[coordinate]
        region[variable] = (
            sp.limit(expression, coordinate, sp.Rational(low), "+"),
            sp.limit(expression, coordinate, sp.Rational(high), "-"),
        )
    return region


# --- tails ------------------------------------------------------------------------------------------------------------


def _tail_region(claim: Claim, tail: Tail) -> Region:
    if set(claim.domain) != {tail.variable} or tail.end not in (sp.oo, -sp.oo):
        raise ProofError(f"{claim.says}: a tail goes to infinity in the only variable")
    return {tail.variable: (min(tail.start, tail.end), max(tail.start, tail.end))}


def _prove_tail(claim: Claim, tail: Tail, engine: decide.EngineName) -> None:
    """The product moves one way from start to end: so it is above the lesser of its two ends."""
    distance = sp.Symbol("distance", nonnegative=True)
    outward = 1 if tail.end is sp.oo else -1
    along = sp.Rational(tail.start) + outward * distance
    if not sp.factor(tail.factor.subs(tail.variable, along)).is_positive:
        raise ProofError(f"{claim.says}: the factor {tail.factor} is not seen to be positive")
    moving = tail.factor * claim.quantity
    slope = sp.simplify(sp.diff(moving, tail.variable)).subs(tail.variable, along) * outward
    if slope.is_negative:
        # It falls: positive all along where the limit is not negative.
        if not sp.limit(moving, tail.variable, tail.end).is_nonnegative:
            raise ProofError(f"{claim.says}: it falls on the tail, and the limit is not seen to be >= 0")
    elif slope.is_positive:
        start = moving.subs(tail.variable, sp.Rational(tail.start))
        positive_on_box(start, {}, engine=engine)
    else:
        raise ProofError(f"{claim.says}: {moving} is not seen to move one way on the tail")


# --- the cover --------------------------------------------------------------------------------------------------------


def check_covered(domain: Region, regions: list[Region]) -> None:
    """Every cell between neighbouring ends lies in one of the regions; ProofError names a hole."""
    cuts = {
        variable: sorted({*domain[variable], *(end for region in regions for end in region[variable])})
        for variable in domain
    }
    for cell in _cells(domain, cuts):
        if not any(
            all(region[v][0] <= cell[v][0] and cell[v][1] <= region[v][1] for v in domain) for region in regions
        ):
            raise ProofError(f"the cover has a hole: {dict(cell)}")


def _cells(domain: Region, cuts: Mapping[sp.Symbol, list[Any]]) -> Iterator[Region]:
    sides = [[(a, b) for a, b in pairwise(cuts[v]) if domain[v][0] <= a and b <= domain[v][1]] for v in domain]
    for chosen in product(*sides):
        yield dict(zip(domain, chosen, strict=True))


def _spelled(piece: Box) -> str:
    return (
        ", ".join(f"{float(low):.8g} <= {symbol} <= {float(high):.8g}" for symbol, (low, high) in piece.items())
        or "the start"
    )
