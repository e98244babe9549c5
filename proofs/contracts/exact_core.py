"""Contracts in PEP 316 form; the functions are thin wrappers, so that the package stays free of them."""

from __future__ import annotations

from fractions import Fraction

from privref.adaptive.additive import zcdp_filter_rounds
from privref.adaptive.output_dp import simple_filter_verdict
from privref.exact.arithmetic import ExactArithmetic
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell


def read_back(numerator: int, denominator: int) -> bool:
    """Spelling a rational and reading it gives the rational back.

    pre: -50 <= numerator <= 50
    pre: 1 <= denominator <= 12
    post: __return__
    """
    value = Fraction(numerator, denominator)
    return rational(spell(value)) == value


def refuses_or_reads(text: str) -> bool:
    """Whatever the text, reading gives a Fraction or one InputError that names the field.

    pre: len(text) <= 3
    post: __return__
    """
    try:
        return isinstance(rational(text, "field"), Fraction)
    except InputError as error:
        return error.field == "field"


def intersection_is_common(a: int, b: int, c: int, d: int, x: int) -> bool:
    """A point lies in the intersection of two enclosures iff it lies in both.

    pre: a <= b and c <= d
    post: __return__
    """
    left, right = Enclosure(Fraction(a), Fraction(b)), Enclosure(Fraction(c), Fraction(d))
    both, point = left.intersection(right), Fraction(x)
    inside = both is not None and both.contains(point)
    return inside == (left.contains(point) and right.contains(point))


def filter_is_strict(eps: int, delta: int, eps_t: int, delta_t: int) -> str:
    """The output-DP filter halts exactly on strict excess.

    pre: min(eps, delta, eps_t, delta_t) >= 0
    post: (__return__ == "HALT") == (eps > eps_t or delta > delta_t)
    """
    return simple_filter_verdict(Fraction(eps), Fraction(delta), Fraction(eps_t), Fraction(delta_t))


def zcdp_filter_keeps_its_budget(rho: int, delta: int, first: int, second: int, third: int) -> int:
    """What runs fits the budget, and the round after it would not.

    pre: min(rho, delta, first, second, third) >= 0
    post: sum((first, second, third)[:__return__]) <= rho
    post: __return__ == 3 or sum((first, second, third)[: __return__ + 1]) > rho
    """
    rhos = [Fraction(first), Fraction(second), Fraction(third)]
    ran = zcdp_filter_rounds(
        ExactArithmetic(), rho=Fraction(rho), delta=Fraction(delta), rhos=rhos, deltas=[Fraction(0)] * 3
    )
    assert isinstance(ran, int)
    return ran
