"""Zero as a quotient of polynomials: seen where it is by the rules, and never where it is not."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import sympy as sp

from proofs import rational

a, b, x, y = sp.symbols("a b x y", positive=True)
p, q = sp.symbols("p q", real=True)
e = sp.exp

ZEROS = (
    1 / (x + y) - (x - y) / ((x - y) * (x + y)),
    (p + q) ** 3 / (p - q) ** 2 - ((p + q) / (p - q)) ** 2 * (p + q),
    e(x + 2 * y) - e(x) * e(y) ** 2,
    e(-2 * x / 3) * e(x / 2) - 1 / e(x / 6),
    e(a * (x + y) / b) - e((a * x + a * y) / b),
    e(2) - e(sp.Rational(1, 2)) ** 4,
    sp.log(1 / (1 + 1 / x)) - sp.log(x / (1 + x)),
    sp.log((e(2 * x) - 1) / (e(x) + 1)) - sp.log(e(x) - 1),
    sp.sqrt(p**2 / 2 + q**2 / 2) - sp.sqrt(p**2 + q**2) / sp.sqrt(2),
    sp.erf((x - y) / a) + sp.erf(y / a - x / a),
    sp.Max(0, (x - y) / (x + y)) - sp.Max(0, 1 / (1 + y / x) - 1 / (1 + x / y)),
)


@pytest.mark.parametrize("zero", ZEROS, ids=str)
def test_what_is_zero_by_the_rules_is_seen(zero: Any) -> None:
    """And with a billionth of anything in it beside, it is not."""
    assert rational.is_zero(zero)
    for more in (1, x, e(-x), sp.sqrt(x), sp.log(y)):
        assert not rational.is_zero(zero + sp.Rational(1, 10**9) * more)


@pytest.mark.parametrize(
    "other",
    [
        e(x + y) - e(x) - e(y),
        e(2 * x) - e(x),
        e(x / 2) - e(x / 3),
        e(x * y) - e(x) * e(y),
        sp.sqrt(x + y) - sp.sqrt(x) - sp.sqrt(y),
        sp.sqrt(p**2) - p,
        sp.log(x * y) - sp.log(x) * sp.log(y),
        1 / (x + y) - 1 / x - 1 / y,
        sp.erf(x / a) + sp.erf(y / a),
    ],
    ids=str,
)
def test_what_is_not_zero_is_never_claimed_to_be(other: Any) -> None:
    """No rule is used that does not hold."""
    assert not rational.is_zero(other)


@pytest.mark.parametrize("undefined", [1 / ((p + q) ** 2 - p**2 - 2 * p * q - q**2), sp.zoo, sp.nan, (p + 1) * sp.oo])
def test_nothing_is_said_of_what_has_zero_under_a_line(undefined: Any) -> None:
    """Neither that it vanishes nor what stands above."""
    assert not rational.is_zero(undefined)
    assert rational.fraction(undefined) is None


QUOTIENTS = (1 / (p - q) - 3, x / (y - x) ** 3 + 1 / (x - y), p / (-3 * q) - 1 / q, 1 / (-2 * x * (p - 1)))


@pytest.mark.parametrize("expression", QUOTIENTS, ids=str)
def test_the_numerator_over_the_factors_is_the_expression(expression: Any) -> None:
    """With their signs: no factor is turned, and positive numbers only are taken out of them."""
    above, below = rational.fraction(expression)
    point = {x: sp.Rational(3, 7), y: sp.Rational(5, 3), p: sp.Rational(-2, 5), q: sp.Rational(4, 9)}
    whole, factors = (above / expression).subs(point), [factor.subs(point) for factor in below]
    powers = product((1, 2, 3, 4), repeat=len(factors))
    assert whole in [sp.Mul(*(f**n for f, n in zip(factors, chosen, strict=True))) for chosen in powers]
    assert rational.is_rational(expression)
    assert not rational.is_rational(e(expression))
