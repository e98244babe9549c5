"""Noise that is correlated over rounds: the pair of a run, and the rounds that are the worst (profiles/correlated.py).

The run. y_t = (C x)_t + z_t for t = 0, ..., n - 1, z_t independent and normal; what is released before round t is a
function of y_0, ..., y_(t-1), C being lower triangular, and the sums x_t on both data sets are functions of that. Given
the earlier y, y_t on the one data set and on the other are normal laws of one variance, at the distance |(C u)_t|, u
being the difference of the sums. Where the sum of the squares of these distances never exceeds m^2, all answers
together lose no more than two normal laws at the distance m: in each step the pair of what is left is dominated by that
of one Gaussian query, and queries of distances a and b compose to sqrt(a^2 + b^2) (Denisov et al. 2022, Theorem 2.1;
Dong, Roth, Su 2019, Corollary 2). So the largest |C u| counts, over all differences u that a unit may cause, on the way
or in advance.

The worst rounds. |C u|^2 = sum of K_ij <u_i, u_j> <= sum of |K_ij| for |u_t| <= 1, where
K_ij = sum of c_a c_(a + j - i) over 0 <= a <= n - 1 - j, for i <= j.

Where rounds are exactly b apart, j - i is given, and K_ij is a sum of fewer products the larger j is. Any C whose
entries are no larger than those of A >= 0 has |C u| <= A |u| entry by entry.

A tree has a row for each sum of 2^l rounds in a row from a multiple of 2^l on, of those that are complete. C need not
be square: a row is released when its rounds are over, and its noise is its own. Of the rows of one l none has more than
m = ceil(2^l/b) of the unit's rounds, and all together no more than t, the most that are b apart in the rounds they
cover. A sum of squares of numbers from 0 to m of sum t at most is convex, and so largest at a corner: floor(t/m) of
them m, one the rest.

Samples. A record is drawn in each of its rounds t_1, t_2, ..., at least b apart, by a coin B_i of its own, and no c_a,
a >= b, is there: C e_(t_i) has rows t_i, ..., t_i + b - 1 only, all before t_(i+1). Given the answers before
t_i, those of its rows are y_t = f_t(y_0, ..., y_(t-1)) + B_i c_(t - t_i) u_(t_i) + z_t, where f_t, what all others
contribute, is the same function on both data sets (their coins are their own), and u_(t_i) a function of the answers
before. y_t - f_t is a bijection of the answers, so that they are one Gaussian query on a Poisson sample, of norm
|c| |u_(t_i)|, less for a last column that is cut: which rounds there are, and their pairs, is known in advance, and
pairs that dominate each round compose (Zhu, Dong, Wang 2022, Theorem 10). A column that is cut is a part of one that
is not, and of one round of a record any matrix will do (Choquette-Choo et al. 2023, Theorem 4).
"""

from __future__ import annotations

from itertools import combinations, pairwise, product

import sympy as sp

from .steps import Derivation, Step, identity

first, second, earlier, later, order = sp.symbols("first second earlier later order", real=True)
#: A band that never rises, by its drops.
DROPS = sp.symbols("d0:5", nonnegative=True)
FALLING = [sum(DROPS[i:], sp.S.Zero) for i in range(len(DROPS))]
BAND = sp.symbols("c0:3", real=True)


def _product(band: list[sp.Expr], n: int, i: int, j: int) -> sp.Expr:
    """K_ij by its sum, i <= j."""
    return sum((band[a] * band[a + j - i] for a in range(n - j) if a + j - i < len(band)), sp.S.Zero)


def _entries() -> bool:
    """The sum is the entry of C'C, for a matrix that is written out."""
    n = 5
    c = sp.Matrix(n, n, lambda i, j: FALLING[i - j] if i >= j else 0)
    square = c.T * c
    return all(sp.expand(square[i, j] - _product(FALLING, n, i, j)) == 0 for i in range(n) for j in range(i, n))


def _falls() -> bool:
    """No entry grows where j or j - i does: every coefficient of the difference in the drops is at least 0."""
    n = 5
    places = [(i, j) for i in range(n) for j in range(i, n)]
    for (i, j), (k, m) in ((one, two) for one in places for two in places):
        if m >= j and m - k >= j - i:
            difference = sp.Poly(_product(FALLING, n, i, j) - _product(FALLING, n, k, m), *DROPS)
            if any(coefficient < 0 for coefficient in difference.coeffs()):
                return False
    return True


def _first_rounds() -> bool:
    """Of any rounds at least b apart, the p-th and q-th have j >= q b and j - i >= (q - p) b."""
    for n, b in ((7, 1), (8, 2), (9, 3)):
        for size in range(1, 5):
            for rounds in combinations(range(n), size):
                if any(y - x < b for x, y in pairwise(rounds)):
                    continue
                for p in range(size):
                    for q in range(p, size):
                        if rounds[q] < q * b or rounds[q] - rounds[p] < (q - p) * b:
                            return False
                if rounds[-1] < (size - 1) * b or size > -(-n // b):
                    return False
    return True


def _later() -> bool:
    """Rounds exactly b apart, entries at least 0: what K_ij loses where the unit begins a round later is a product."""
    n, band = 6, sp.symbols("c0:4", nonnegative=True)
    for i in range(n - 1):
        for j in range(i, n - 1):
            less = sp.expand(_product(list(band), n, i, j) - _product(list(band), n, i + 1, j + 1))
            if less not in [sp.S.Zero, *(x * y for x in band for y in band)]:
                return False
    return True


def _corners() -> bool:
    """The sum of squares of whole numbers from 0 to m, of sum t at most, is floor(t/m) m^2 + (t mod m)^2 at most."""
    for many, most in product(range(1, 5), range(1, 5)):
        for whole in range(many * most + 1):
            found = max(
                sum(each**2 for each in held) for held in product(range(most + 1), repeat=many) if sum(held) <= whole
            )
            if found != whole // most * most**2 + (whole % most) ** 2:
                return False
    return True


def _own_rows() -> bool:
    """Rounds b apart, a band of b coefficients: no row is that of two of them, and no column's norm is above c's."""
    band, n = list(BAND), 8
    c = sp.Matrix(n, n, lambda i, j: band[i - j] if 0 <= i - j < len(band) else 0)
    for start in range(len(band)):
        rows = [{i for i in range(n) if c[i, t] != 0} for t in range(start, n, len(band))]
        if any(one & other for one, other in combinations(rows, 2)):
            return False
    whole = sum(each**2 for each in band)
    left = [sp.expand(whole - sum(c[i, j] ** 2 for i in range(n))) for j in range(n)]
    return all(each == sum(x**2 for x in band[len(band) - k :]) for each, k in zip(left, [0] * 6 + [1, 2], strict=True))


def _apart() -> bool:
    """A band of b coefficients, of any sign: K_ij = 0 for rounds b apart, and K_jj falls."""
    n, band = 6, list(BAND)
    apart = all(_product(band, n, i, j) == 0 for i in range(n) for j in range(i + len(band), n))
    squares = [_product(band, n, j, j) - _product(band, n, j + 1, j + 1) for j in range(n - 1)]
    return apart and all(sp.expand(each) == 0 or sp.expand(each) in [c**2 for c in band] for each in squares)


DERIVATIONS = (
    Derivation(
        "Gaussian noise that is correlated over the rounds of a run (kalinin2024/thm2)",
        (
            "kalinin2024/thm2.sensitivity_squared",
            "kalinin2024/bound.sensitivity_squared",
            "dvijotham2024/blt.sensitivity_squared",
            "kairouz2021/tree.sensitivity_squared",
            "choquette2023/thm4.delta",
        ),
        (
            identity(
                "losses of distances a and b add to one of sqrt(a^2 + b^2), by the logs of their moments of order t",
                (order**2 + order) * first**2 / 2 + (order**2 + order) * second**2 / 2,
                (order**2 + order) * sp.sqrt(first**2 + second**2) ** 2 / 2,
            ),
            identity(
                "a pair of rounds adds at most 2 |K_ij|: <u, v>^2 is |u|^2 |v|^2 less a square",
                (first * earlier + second * later) ** 2,
                (first**2 + second**2) * (earlier**2 + later**2) - (first * later - second * earlier) ** 2,
            ),
            Step("K_ij is a sum of n - j products", _entries),
            Step("it is at least 0 and falls with j and j - i, where coefficients never rise", _falls),
            Step("0, b, 2 b, ... come first and closest of all rounds that are b apart", _first_rounds),
            Step("of rounds exactly b apart the first are the worst, where entries are at least 0", _later),
            Step("a tree's rows of one length have squares of so much at most", _corners),
            Step("rounds that are b apart have rows of their own, where a band has b coefficients", _own_rows),
            Step("a band of at most b coefficients makes a unit's rounds orthogonal", _apart),
        ),
    ),
)
