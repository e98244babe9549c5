"""P and Q are delta-approximately rho-zCDP where P = (1 - delta) P' + delta P'' and Q = (1 - delta) Q' + delta Q'' with
D_alpha(P'||Q') <= rho alpha and D_alpha(Q'||P') <= rho alpha for all alpha >= 1; the least such delta.

With p = (1 - delta) P' and q = (1 - delta) Q' this maximises sum p over 0 <= p <= P, 0 <= q <= Q, sum p = sum q and,
for every order, G(p, q) = sum p^alpha q^(1 - alpha) - e^(alpha (alpha - 1) rho) sum p <= 0 (sum p log(p/q) - rho sum p
at order 1). Both ends below are by this programme alone. Upper: a feasible point. Lower, by weak duality: for m >= 0,
any n, sum p <= sum p - m G + n (sum q - sum p), which is concave and homogeneous in each outcome's (p, q); with A and B
its slopes in p and in q at any ratio r of them, it is at most A p + B q, so that sum p <= sum A_+ P + B_+ Q.

Hypotheses: one pair of neighbours, one history, finite laws. Source: Definition 3 (its domain as in ICML 2023).
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Property

F = Fraction
DIGITS = 50
ONE = sp.Float(1, DIGITS)


def cut(laws, delta):
    """The likelihood ratios a and b at which what is cut off of Q and of P weighs delta."""

    def ratio(pairs):
        above = [sp.Float(0, DIGITS)] * 2
        for i, (x, y) in enumerate(pairs):
            above = [above[0] + x, above[1] + y]
            b = (above[0] - delta) / above[1] if above[1] > 0 else None
            if b is not None and (i + 1 == len(pairs) or pairs[i + 1][0] <= b * pairs[i + 1][1]):
                return b
        raise AssertionError("no ratio")

    ordered = sorted(laws, key=lambda pair: pair[0] / pair[1] if pair[1] else sp.oo, reverse=True)
    return 1 / ratio([(y, x) for x, y in reversed(ordered)]), ratio(ordered)


def divergence(pairs, order):
    """D_order of the parts, which need not be divided by 1 - delta: by their own sum."""
    unit = sum(x for x, _ in pairs)
    if order == 1:
        return sum(x * sp.log(x / y) for x, y in pairs) / unit
    return sp.log(sum(x * sp.exp((order - 1) * sp.log(x / y)) for x, y in pairs) / unit) / (order - 1)


def worst(pairs, rho):
    """The largest D_alpha - rho alpha on a grid of orders, refined; and that order."""

    def excess(order):
        return divergence(pairs, order) - rho * order

    grid = [1 + sp.Rational(i, 8) ** 2 for i in range(81)]
    values = [excess(order) for order in grid]
    i = max(range(len(grid)), key=values.__getitem__)
    if i == 0:
        return values[0], sp.S.One
    low, high = sp.Float(grid[i - 1], DIGITS), sp.Float(grid[min(i + 1, 80)], DIGITS)
    for _ in range(60):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if excess(left) > excess(right) else (left, high)
    return excess(low), low


def dual_bound(laws, rho, order, a, b):
    """What no parts exceed in mass, with the multipliers at which A(b) = 0 = B(a)."""
    if order == 1:
        slopes = (lambda r: sp.log(r) + 1 - rho), (lambda r: -r)
    else:
        cap = sp.exp(order * (order - 1) * rho)
        slopes = (lambda r: order * r ** (order - 1) - cap), (lambda r: (1 - order) * r**order)
    # A(r) = 1 - n - m slopes[0](r), B(r) = n - m slopes[1](r).
    m = 1 / (slopes[0](b) + slopes[1](a))
    n = m * slopes[1](a)
    assert m > 0
    total = sp.Float(0, DIGITS)
    for x, y in laws:
        if x and y:
            r = min(max(x / y, a), b)
            total += max(1 - n - m * slopes[0](r), 0) * x + max(n - m * slopes[1](r), 0) * y
    return total


PAIRS = (
    ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)), F(1, 10)),
    ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)), F(1, 2)),
    ((F(1, 2), F(1, 3), F(1, 6)), (F(1, 6), F(1, 6), F(2, 3)), F(1, 10)),
    ((F(9, 10), F(1, 10), F(0)), (F(1, 10), F(4, 5), F(1, 10)), F(1, 10)),
    ((F(1, 100), F(1, 2), F(49, 100)), (F(1, 5000), F(1, 2), F(2499, 5000)), F(1, 50)),
    ((F(1, 2), F(1, 4), F(1, 8), F(1, 8)), (F(1, 4), F(1, 4), F(2, 5), F(1, 10)), F(1, 100)),
)


def both_ends(code):
    """The enclosure's ends by the primal and by the dual of the programme, at the order that binds."""
    beyond_one = 0
    for p, q, rho in PAIRS:
        low, high = code.enclosed(9, p=p, q=q, rho=rho)
        assert high - low <= low / 10**8
        laws = [(ONE * sp.Rational(x), ONE * sp.Rational(y)) for x, y in zip(p, q, strict=True)]
        limit = ONE * sp.Rational(rho)
        # A feasible point of mass 1 - high: by it the least delta is at most high.
        a, b = cut(laws, ONE * sp.Rational(high))
        parts = [(min(x, b * y), min(y, x / a)) for x, y in laws if x and y]
        # Four sums and quotients of 50 digits.
        assert abs(sum(x for x, _ in parts) - (1 - high)) < sp.Float("1e-45")
        excesses = {swap: worst([(y, x) for x, y in parts] if swap else parts, limit) for swap in (False, True)}
        assert all(excess <= 0 for excess, _ in excesses.values())
        swap = excesses[True][0] > excesses[False][0]
        order = excesses[swap][1]
        beyond_one += order != 1
        facing = [(y, x) for x, y in laws] if swap else laws
        bound = dual_bound(facing, limit, order, *((1 / b, 1 / a) if swap else (a, b)))
        assert bound <= 1 - sp.Rational(low) + sp.Rational(high - low) * 2
    assert 0 < beyond_one < len(PAIRS)


def exact_ends(code):
    """rho = 0: the total variation. What only one law can give is always lost, and enough where rho is large."""
    for p, q, _ in PAIRS:
        assert code.exact(p=p, q=q, rho=F(0)) == sum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2
        alone = max(sum(x for x, y in zip(*pair, strict=True) if not y) for pair in ((p, q), (q, p)))
        assert code.exact(p=p, q=q, rho=F(100)) == alone


PROVES = (
    Property(
        "whitehouse2023/def3.delta",
        both_ends,
        "6 pairs of up to 4 outcomes: a feasible point and a bound by weak duality, which meet; a search and a cover",
        "grid",
    ),
    Property("whitehouse2023/def3.delta", exact_ends, "12 inputs at both ends of rho", "grid"),
)
