"""Expressions as quotients of sparse polynomials in their symbols and functions: where that is 0, they are 0."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import cache
from typing import Any

import sympy as sp
from sympy.polys.domains import QQ
from sympy.polys.rings import PolyElement, PolyRing

#: A polynomial, and the polynomials under the line with their powers.
_Quotient = tuple[PolyElement, Counter[PolyElement]]
#: Functions whose arguments are brought to lowest terms, beside e^x.
_FUNCTIONS = (sp.log, sp.erf, sp.Max, sp.Min, sp.Pow)


def fraction(expression: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """The expanded numerator over a denominator, and the denominator's factors; None where 0 stands under a line.

    No factor under a line is turned, so that the numerator's sign is the expression's wherever these are positive.
    """
    try:
        (above, below), values = _quotient(expression)
    except ZeroDivisionError:
        return None
    return above.as_expr(*values), tuple(factor.as_expr(*values) for factor in below)


def is_rational(expression: Any) -> bool:
    """Whether it is a rational function of symbols: then it is 0 only by these rules."""
    return all(kernel.is_Symbol for kernel in _kernels(expression, set()))


def is_zero(expression: Any) -> bool:
    """Whether the expression is 0 by the rules of quotients and e^(a + b) = e^a e^b alone."""
    try:
        return bool(_quotient(expression)[0][0] == 0)
    except ZeroDivisionError:
        return False


def _kernels(expression: Any, found: set[Any]) -> set[Any]:
    """What is neither a rational number nor a sum, product or whole power."""
    if expression.is_Add or expression.is_Mul:
        for part in expression.args:
            _kernels(part, found)
    elif expression.is_Pow and expression.exp.is_Integer:
        _kernels(expression.base, found)
    elif not expression.is_Rational:
        found.add(expression)
    return found


def _quotient(expression: Any) -> tuple[_Quotient, tuple[Any, ...]]:
    """The expression as one quotient of polynomials, and the values of their generators."""
    if expression.has(sp.zoo, sp.nan, sp.oo, -sp.oo):
        raise ZeroDivisionError
    normal = {kernel: _normal(kernel) for kernel in _kernels(expression, set())}
    kernels = sorted(set[Any]().union(*(_kernels(form, set()) for form in normal.values())), key=str)
    exponents = {kernel: _terms(kernel.exp) for kernel in kernels if isinstance(kernel, sp.exp)}
    # e^(2a/3) and e^(a/2) are powers of one generator, e^(a/6).
    parts: dict[Any, int] = defaultdict(lambda: 1)
    for terms in exponents.values():
        for term, times in terms.items():
            parts[term] = math.lcm(parts[term], int(times.denominator))
    others = [kernel for kernel in kernels if kernel not in exponents]
    values = (*others, *(sp.exp(term / whole) for term, whole in parts.items()))
    ring = PolyRing([sp.Dummy() for _ in values or (None,)], QQ)
    known: dict[Any, _Quotient] = {kernel: (gen, Counter()) for kernel, gen in zip(others, ring.gens, strict=False)}
    generators = dict(zip(parts, ring.gens[len(others) :], strict=False))
    for kernel, terms in exponents.items():
        powers = Counter({generators[term]: int(times * parts[term]) for term, times in terms.items()})
        known[kernel] = math.prod((gen**times for gen, times in (+powers).items()), start=ring.one), -powers

    def read(part: Any) -> _Quotient:
        if part not in known:
            known[part] = read(normal[part]) if part in normal else combined(part)
        return known[part]

    def combined(part: Any) -> _Quotient:
        if part.is_Rational:
            return ring.ground_new(QQ(int(part.p), int(part.q))), Counter()
        if part.is_Add:
            return _sum([read(term) for term in part.args], ring.one)
        if part.is_Mul:
            return _product([read(factor) for factor in part.args], ring.one)
        above, below = read(part.base)
        power = int(part.exp)
        if power < 0:
            above, below = _inverse(above, below)
        return above ** abs(power), Counter({factor: times * abs(power) for factor, times in below.items()})

    return read(expression), values


def _product(factors: list[_Quotient], one: PolyElement) -> _Quotient:
    above, below = one, Counter[PolyElement]()
    for numerator, denominator in factors:
        above *= numerator
        below += denominator
    return above, below


def _sum(terms: list[_Quotient], one: PolyElement) -> _Quotient:
    below = Counter[PolyElement]()
    sums: dict[Any, PolyElement] = {}
    for above, denominator in terms:
        below |= denominator
        key = frozenset(denominator.items())
        sums[key] = sums[key] + above if key in sums else above
    total = one * 0
    for key, above in sums.items():
        for factor, times in (below - Counter(dict(key))).items():
            above *= factor**times
        total += above
    return total, below


def _inverse(above: PolyElement, below: Counter[PolyElement]) -> _Quotient:
    if above == 0:
        raise ZeroDivisionError
    ring = above.ring
    turned = ring.one
    for factor, times in below.items():
        turned *= factor**times
    powers = tuple(map(min, zip(*above.itermonoms(), strict=True)))
    content, rest = above.quo_term((powers, QQ(1))).primitive()
    if rest.is_ground:
        content, rest = content * rest.LC, ring.one
    found = Counter({gen: power for gen, power in zip(ring.gens, powers, strict=True) if power})
    if rest != 1:
        found[rest] += 1
    return turned * (1 / content), found


def _lowest(expression: Any) -> tuple[PolyElement, Any, tuple[Any, ...]]:
    """The quotient in lowest terms: above, below as an expression, and the values of the generators."""
    (above, below), values = _quotient(expression)
    above, under = above.cancel(math.prod((factor**times for factor, times in below.items()), start=above.ring.one))
    content, under = under.primitive()
    return above * (1 / content), under.as_expr(*values), values


@cache
def _normal(kernel: Any) -> Any:
    """A function with its arguments in lowest terms; a positive number is taken out of a power's base."""
    if not isinstance(kernel, _FUNCTIONS):
        return kernel
    if kernel.is_Pow:
        above, under, values = _lowest(kernel.base)
        content, rest = above.primitive()
        number = sp.Rational(int(content.numerator), int(content.denominator))
        return number**kernel.exp * (rest.as_expr(*values) / under) ** kernel.exp
    return kernel.func(*(_reduced(part) for part in kernel.args))


def _reduced(expression: Any) -> Any:
    above, under, values = _lowest(expression)
    return above.as_expr(*values) / under


@cache
def _terms(exponent: Any) -> dict[Any, Any]:
    """An exponent as a sum of rational multiples of monomials over its denominator."""
    above, under, values = _lowest(exponent)
    return {above.ring({monomial: QQ(1)}).as_expr(*values) / under: times for monomial, times in above.terms()}
