"""Filters of each unit by itself, proved here since the papers' texts were not at hand; Renyi and Gaussian.

Fix a unit, and the data S with it and S' without it. A unit j takes part in round t while its own sum of losses, with
that of round t, is within the budget. Its loss is a function of its own data and of the answers h before the round, so
that after the same answers every unit but the fixed one takes part in S exactly if it does in S'. Round t is then the
same mechanism on the same units with and without the fixed one: a pair of kernels (P_t, Q_t)(. | h) within the fixed
unit's bound, and P_t = Q_t once it is left out. So its privacy is that of one adaptive game whose parameters are
functions of h with a pathwise sum within the budget, whoever knows them; this is what the steps below bound, for P
against Q, and as the bounds hold both ways also for Q against P. Rounds that a deterministic h ends are rounds with
P_t = Q_t. Where a unit's loss hangs on another unit's data, or who takes part is published, the first sentence fails.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import mpmath
import sympy as sp

from .steps import Derivation, Step, identity, nonnegative, positive

alpha = 1 + sp.Symbol("a", positive=True)
moment, spent, loss, k, r, v, mu = sp.symbols("moment spent loss k r v mu", positive=True)
d1, d2 = sp.symbols("d1 d2", nonnegative=True)
u, s, z, eps = sp.symbols("u s z eps", real=True)

Kernel = tuple[Sequence[Fraction], Sequence[Fraction]]


def _moment(first: Sequence[Fraction], second: Sequence[Fraction], order: int) -> Fraction:
    """e^((order - 1) D_order) of two laws: rational where the order is whole."""
    return sum((p**order * q ** (1 - order) for p, q in zip(first, second, strict=True)), Fraction(0))


def _law(rng: random.Random) -> tuple[Fraction, ...]:
    cut = sorted(rng.sample(range(1, 12), 2))
    return Fraction(cut[0], 12), Fraction(cut[1] - cut[0], 12), Fraction(12 - cut[1], 12)


def _renyi_games() -> bool:
    """Games of four rounds whose kernels are drawn anew for each history: the whole game, summed over all paths."""
    rng = random.Random(31)
    reached = 0
    for order, budget in itertools.product((2, 3, 7), (Fraction(11, 10), Fraction(2), Fraction(30))):
        for _ in range(6):

            def value(rounds: int, left: Fraction, out: bool, order: int = order) -> tuple[Fraction, Fraction]:
                """The moments of the rest of the game, both ways, with the filter of what is left of the budget."""
                nonlocal reached
                if not rounds:
                    return Fraction(1), Fraction(1)
                first, second = _law(rng), _law(rng)
                cost = max(_moment(first, second, order), _moment(second, first, order))
                halted = out or cost > left
                reached += halted
                if halted:
                    first = second
                    cost = Fraction(1)
                later = [value(rounds - 1, left / cost, halted) for _ in first]
                there = sum(p**order * q ** (1 - order) * m[0] for p, q, m in zip(first, second, later, strict=True))
                back = sum(q**order * p ** (1 - order) * m[1] for p, q, m in zip(first, second, later, strict=True))
                return Fraction(there), Fraction(back)

            if max(value(4, budget, False)) > budget:
                return False
    return reached > 100


def _others_data() -> bool:
    """Another unit halts if this one is there: this one adds nothing to any answer, is charged 0, and is revealed."""
    with_it, without = (Fraction(1, 2), Fraction(1, 2)), (Fraction(3, 4), Fraction(1, 4))
    charged = _moment(with_it, with_it, 2)
    return charged == 1 < _moment(with_it, without, 2)


_CONTEXT = mpmath.mp.clone()
_CONTEXT.dps = 30
#: The answer of a round is which of three cells a Gaussian falls into: that is post-processing of it.
_CUTS = (mpmath.mpf("-0.4"), mpmath.mpf("0.9"))


def _cells(mean: mpmath.mpf) -> tuple[mpmath.mpf, ...]:
    below = [_CONTEXT.ncdf(cut - mean) for cut in _CUTS]
    return below[0], below[1] - below[0], 1 - below[1]


def _gaussian_games() -> bool:
    """Games of four rounds whose mu follows the history: every hockey-stick divergence is below the budget's."""
    rng = random.Random(32)
    null = _cells(_CONTEXT.mpf(0))
    reached = 0
    for square, _ in itertools.product((1, 4), range(5)):

        def play(
            rounds: int, left: Fraction, p: mpmath.mpf, q: mpmath.mpf, out: bool
        ) -> Iterator[tuple[mpmath.mpf, mpmath.mpf]]:
            nonlocal reached
            if not rounds:
                yield p, q
                return
            mean = Fraction(rng.randrange(1, 16), 10)
            halted = out or mean * mean > left
            reached += halted
            own = null if halted else _cells(_CONTEXT.mpf(mean.numerator) / mean.denominator)
            for i in range(3):
                yield from play(rounds - 1, left if halted else left - mean * mean, p * own[i], q * null[i], halted)

        paths = list(play(4, Fraction(square), _CONTEXT.mpf(1), _CONTEXT.mpf(1), False))
        root = _CONTEXT.sqrt(square)
        for level in ("-1", "0", "0.5", "2"):
            e = _CONTEXT.mpf(level)
            most = _CONTEXT.ncdf(root / 2 - e / root) - _CONTEXT.exp(e) * _CONTEXT.ncdf(-root / 2 - e / root)
            for sides in (paths, [(q, p) for p, q in paths]):
                if _CONTEXT.fsum(max(p - _CONTEXT.exp(e) * q, 0) for p, q in sides) >= most:
                    return False
    return reached > 100


def _normal(x: sp.Expr) -> sp.Expr:
    return (1 + sp.erf(x / sp.sqrt(2))) / 2


def _far() -> sp.Expr:
    return (sp.log(r / k) + v / 2) / sp.sqrt(v)


def _price() -> sp.Expr:
    """phi(r, v) = E[(r X - k)_+], X = e^(sqrt(v) Z - v/2) with Z standard normal: in closed form."""
    far = _far()
    return r * _normal(far) - k * _normal(far - sp.sqrt(v))


def _vanishes(expression: sp.Expr) -> Callable[[], bool]:
    return lambda: bool(sp.simplify(expression) == 0)


_SECOND = sp.diff(_price(), r, 2)
_BELL = sp.exp(-(((sp.log(r / k) + v / 2) ** 2) / (2 * v))) / sp.sqrt(2 * sp.pi)
_N = sp.Symbol("n", integer=True, positive=True)

DERIVATIONS = (
    Derivation(
        "the individual Renyi filter (feldman2021/individual_filter)",
        ("feldman2021/renyi_filter.decision",),
        (
            identity(
                "with E_Q[(dP_t/dQ_t)^alpha | h] <= e^((alpha - 1) loss_t(h)), the product of the likelihood ratios to "
                "the power alpha times e^(-(alpha - 1) sum of the losses) does not rise in expectation under Q",
                moment * sp.exp((alpha - 1) * loss) * sp.exp(-(alpha - 1) * (spent + loss)),
                moment * sp.exp(-(alpha - 1) * spent),
            ),
            Step(
                "it starts at 1, and the sum is at most B on every path: the moment is at most e^((alpha - 1) B), so "
                "that the divergence is at most B; exactly, in games of four rounds over all paths, both ways",
                _renyi_games,
            ),
            nonnegative(
                "delta-approximate rounds: both kernels are mixtures with weight 1 - delta_t(h) on a pair as above, "
                "and on every path the product of the weights is at least 1 - the sum of the delta_t, since",
                sp.expand((1 - d1) * (1 - d2) - (1 - d1 - d2)),
            ),
            nonnegative(
                "so P(E) <= P'[w 1_E] + delta'' <= e^eps Q'[w 1_E] + delta' + delta'' <= e^eps Q(E) + delta' + delta'' "
                "for the weight w in [0, 1] of a path, a hockey-stick divergence being the largest over all such "
                "functions: with P'[w] = 1 - d1 and a hockey-stick of d2, d1 + d2 bounds also what both take",
                sp.expand(d1 + d2 - (d1 + d2 - d1 * d2)),
            ),
            Step(
                "the hypothesis that a unit's loss does not hang on other units' data is needed: without it a unit "
                "that is charged nothing is revealed",
                _others_data,
            ),
        ),
    ),
    Derivation(
        "the individual Gaussian filter (koskela2023/individual_filter)",
        ("smith2022/filter.decision",),
        (
            identity(
                "phi(r, v) = E[(r X - k)_+] for X = e^(sqrt(v) Z - v/2), the likelihood ratio of sqrt(v)-Gaussian DP: "
                "X times Z's density is that density moved by sqrt(v)",
                sp.expand(sp.sqrt(v) * z - v / 2 - z**2 / 2),
                sp.expand(-((z - sp.sqrt(v)) ** 2) / 2),
            ),
            identity(
                "and r X >= k from the place on at which the closed form takes the normal law",
                sp.expand_log(sp.log(r) + sp.sqrt(v) * (-_far() + sp.sqrt(v)) - v / 2, force=True),
                sp.log(k),
            ),
            identity(
                "phi(1, mu^2) at k = e^eps is the profile of mu-Gaussian DP",
                lambda: sp.simplify(_price().subs({r: 1, k: sp.exp(eps), v: mu**2})),
                _normal(mu / 2 - eps / mu) - sp.exp(eps) * _normal(-mu / 2 - eps / mu),
            ),
            identity(
                "X of u + v is the product of independent ones of u and of v: log-moments (s^2 - s)/2 times each add "
                "up, so that E[phi(r X_u, v)] = phi(r, u + v)",
                sp.expand((s**2 - s) * (u + v) / 2),
                sp.expand((s**2 - s) * u / 2 + (s**2 - s) * v / 2),
            ),
            Step(
                "phi is convex in r: its second derivative is the bell curve over r sqrt(v)",
                _vanishes(_SECOND - _BELL / (r * sp.sqrt(v))),
            ),
            positive("which is positive", 1 / (r * sp.sqrt(v))),
            Step(
                "and so rises with v: its derivative is r^2/2 times that",
                _vanishes(sp.diff(_price(), v) - r**2 / 2 * _SECOND),
            ),
            identity(
                "a convex function is psi(0) + psi'(0) x and a mixture of (x - k)_+ with weights psi''(k) >= 0, here "
                "for powers; so a kernel pair whose hockey-stick divergences are at most those of mu-Gaussian DP has "
                "E_Q[psi(dP/dQ)] <= E[psi(X)] for every such psi of linear growth, E_Q[dP/dQ] = E[X] = 1",
                lambda: sp.simplify(sp.integrate(sp.expand((_N + 1) * _N * k ** (_N - 1) * (r - k)), (k, 0, r))),
                r ** (_N + 1),
            ),
            Step(
                "with psi(x) = phi(R x, left): phi(R_t, what is left of mu^2) does not rise in expectation under Q, "
                "ends at least at (R - e^eps)_+ and starts at the profile; seen in games of four rounds, both ways",
                _gaussian_games,
            ),
        ),
    ),
)
