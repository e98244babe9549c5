"""Rogers et al. 2016: Theorem 5.1 and Theorem 6.2 from Theorem 4.1, and Theorem 4.1 from the two-sided mixture."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import sympy as sp

from privref import catalogue
from privref.statements.registry import evaluate

from .steps import Derivation, Step, below, enclosure, identity, nonnegative, positive

U2 = sp.Symbol("U2", nonnegative=True)
S = sp.Symbol("S", nonnegative=True)
beta, L, eps_g, eps = sp.symbols("beta L eps_g eps", positive=True)
delta = sp.Symbol("delta", positive=True)
CONSTANT = Fraction(2804, 100)


def radius(u2: sp.Expr, b: sp.Expr, log_inverse_delta: sp.Expr) -> sp.Expr:
    """Theorem 4.1's radius squared."""
    return (u2 / 4 + b) * (2 + sp.log(u2 / (4 * b) + 1)) * log_inverse_delta


def mixture() -> Derivation:
    """Theorem 4.1 with a smaller radius, for every delta in (0, 1), uniformly over time."""
    lam, m, q = sp.Symbol("lam", real=True), sp.Symbol("m", real=True), sp.Symbol("q", nonnegative=True)
    exponent = lam * m - lam**2 * q / 2 - beta * lam**2 / 2
    square = -(q + beta) / 2 * (lam - m / (q + beta)) ** 2 + m**2 / (2 * (q + beta))
    r2 = 2 * (q + beta) * (L + sp.log(q / beta + 1) / 2)
    t = sp.log(q / beta + 1) / 2
    x, y = sp.symbols("x y", nonnegative=True)
    return Derivation(
        "thm4.1 from the two-sided normal mixture",
        ("rogers2016/thm4.1.radius", "rogers2016/thm4.1.additive"),
        (
            identity(
                "exp(l M - l^2 q/2) against N(0, 1/beta), q = U^2/4: completing the square in l",
                sp.expand(exponent),
                lambda: sp.expand(sp.together(sp.expand(square))).simplify(),
            ),
            identity(
                "so its integral is sqrt(beta/(q+beta)) exp(M^2/(2(q+beta))): the Gaussian integral with "
                "variance 1/(q+beta)",
                sp.sqrt(beta / (2 * sp.pi)) * sp.sqrt(2 * sp.pi / (q + beta)),
                sp.sqrt(beta / (q + beta)),
            ),
            identity(
                "at |M| = the additive radius its logarithm is L = log(1/delta): crossing means exceeding "
                "1/delta (Ville)",
                sp.expand_log(sp.log(beta / (q + beta)) / 2 + r2 / (2 * (q + beta)), force=True),
                sp.expand_log(L + sp.log(q / beta + 1) / 2 + sp.log(beta / (q + beta)) / 2, force=True),
            ),
            identity(
                "the logarithms cancel", sp.simplify(sp.expand_log(t + sp.log(beta / (q + beta)) / 2, force=True)), 0
            ),
            nonnegative("for L >= 1 (delta <= 1/e): L (1 + t) - (L + t) = (L - 1) t >= 0", sp.expand(x * y)),
            identity(
                "and Theorem 4.1's radius squared is 2 (q + beta) L (1 + t)",
                radius(4 * q, beta, L),
                sp.expand(2 * (q + beta) * L * (1 + t)),
            ),
            identity("with L = 1 + x: L (1 + t) - L - t = x t", (1 + x) * (1 + y) - (1 + x) - y, x * y),
        ),
    )


def filter_5_1() -> Derivation:
    """Theorem 5.1 from Theorem 4.1."""
    b = eps_g**2 / (sp.Rational(CONSTANT) * L)
    l2 = sp.Symbol("l2", positive=True)
    printed = 2 * (S + b) * (1 + sp.log(sp.Rational(CONSTANT) * L * S / eps_g**2 + 1) / 2) * l2

    def excess(ar, x):
        return x - 2 - ar.log(1 + x)

    def x_star_brackets(digits: int) -> tuple[Fraction, Fraction]:
        low, high = Fraction(3), Fraction(4)
        while high - low > Fraction(1, 10**digits):
            middle = (low + high) / 2
            low, high = (middle, high) if enclosure(partial(excess, x=middle)).upper < 0 else (low, middle)
        return low, high

    def rounds_to_constant() -> bool:
        low, high = x_star_brackets(12)
        return round(8 * low * 100) == round(8 * high * 100) == 2804

    x = sp.Symbol("x", positive=True)
    w = sp.Symbol("w", positive=True)
    # At S = eps_g^2/(8L), with c = 8x: the square of the radius relative to S L is (1 + 1/x)(2 + log(1 + x)).
    ratio = (1 + 1 / x) * (2 + sp.log(1 + x))
    return Derivation(
        "thm5.1 from thm4.1",
        ("rogers2016/thm5.1.bound", "rogers2016/thm5.1.decision"),
        (
            Step(
                "a round's loss lies in [-eps, eps]: its range is 2 eps, so U^2 = 4 sum eps_i^2",
                lambda: bool(sp.simplify((eps - -eps) ** 2 - 4 * eps**2) == 0),
            ),
            identity(
                "Theorem 4.1 with U^2 = 4 S, beta = eps_g^2/(28.04 log(1/delta_g)), delta = delta_g/2 is (2) squared",
                radius(4 * S, b, l2),
                printed,
            ),
            identity("log(1/(delta_g/2)) = log(2/delta_g)", sp.log(1 / (delta / 2)), sp.log(2 / delta)),
            identity(
                "the drift eps tanh(eps/2) is below the printed eps (e^eps - 1)/2 by (e^eps - 1)^2/(2 (e^eps + 1)) eps",
                eps * (sp.exp(eps) - 1) / 2 - eps * (sp.exp(eps) - 1) / (sp.exp(eps) + 1),
                eps * (sp.exp(eps) - 1) ** 2 / (2 * (sp.exp(eps) + 1)),
            ),
            identity(
                "stationary point of the ratio over the constant c = 8 x at S = eps_g^2/(8 "
                "log(1/delta_g)): x = 2 + log(1 + x)",
                lambda: sp.simplify(sp.diff(ratio, x) * x**2),
                x - 2 - sp.log(1 + x),
            ),
            nonnegative("x - 2 - log(1 + x) increases: its derivative is x/(1 + x)", w / (1 + w)),
            Step("28.04 = 8 x* rounded to two decimals", rounds_to_constant),
            *halves(sp.exp(-sp.log(2 / delta)), filter_allows),
        ),
    )


def halves(failure: sp.Expr, allows: Callable[[Fraction], bool]) -> tuple[Step, ...]:
    """delta_g from the failure of Theorem 4.1 and the deltas that are let through."""
    first, second = sp.symbols("d1 d2", positive=True)
    share = sp.Rational(1, 2)

    def boundary() -> bool:
        """The largest sum of deltas that is let through at delta_g = 1/5."""
        limit = Fraction(1, 5) * Fraction(int(share.p), int(share.q))
        return allows(limit) and not allows(limit + Fraction(1, 10**9))

    return (
        nonnegative(
            "a round fails with probability at most its delta, some round with at most their sum: "
            "1 - (1 - d1)(1 - d2) <= d1 + d2, and so on round by round",
            first + second - (1 - (1 - first) * (1 - second)),
        ),
        Step(f"the deltas that are let through sum to at most {share} delta_g", boundary),
        identity(
            f"Theorem 4.1 fails with {share} delta_g, so {share} delta_g + {share} delta_g = delta_g in all",
            failure + share * delta,
            delta,
        ),
    )


def filter_allows(spent: Fraction) -> bool:
    """Whether Theorem 5.1 lets a round run that leaks nothing beside a delta, at delta_g = 1/5."""
    catalogue.load()
    inputs = {"eps": ["0"], "delta": [str(spent)], "eps_g": "1", "delta_g": "1/5"}
    return evaluate("rogers2016/thm5.1.decision", inputs).value == "CONT"


def odometer_allows(spent: Fraction) -> bool:
    """Whether Theorem 6.2 is finite after such a round."""
    catalogue.load()
    inputs = {"eps": ["0"], "delta": [str(spent)], "n": "1000", "delta_g": "1/5"}
    return evaluate("rogers2016/thm6.2.odometer", inputs).value != "inf"


def odometer_6_2() -> Derivation:
    """Theorem 6.2 from Theorem 4.1, for every n >= 2: floor(2 log_2 n) events serve (3) and (4)."""
    n, s, lf, r = sp.symbols("n s lf r", positive=True)
    shape = (1 + 1 / r) * (2 + sp.log(1 + r))
    # 2 log_2 n = N + part with N = 2, 3, .. whole and part in [0, 1).
    N = 2 + sp.Symbol("m", integer=True, nonnegative=True)  # noqa: N806
    tick = sp.Symbol("tick", nonnegative=True)
    part = tick / (1 + tick)
    twice_log = N + part
    beta_0 = 1 / n**2
    ratio = n ** (2 / N)
    most = sp.Rational(3, 2)
    tail = delta / (2 * twice_log)
    epochs = sp.Symbol("j", integer=True, nonnegative=True)

    def printed(ar):
        return 4 + 2 * ar.log(3)

    return Derivation(
        "thm6.2 from thm4.1 by a union bound over epochs",
        ("rogers2016/thm6.2.eq3", "rogers2016/thm6.2.eq4", "rogers2016/thm6.2.odometer"),
        (
            identity(
                "Theorem 4.1 with U^2 = 4 S, beta = S/r: radius^2 = S (1 + 1/r)(2 + log(1 + r)) log(1/delta)",
                radius(4 * s, s / r, lf),
                s * shape * lf,
            ),
            identity(
                "(3)'s radius squared is S (4 + 2 log 3) log(1/delta)",
                (2 * sp.sqrt(s * (1 + sp.log(sp.sqrt(3))) * lf)) ** 2,
                s * (4 + 2 * sp.log(3)) * lf,
            ),
            identity(
                "r^2 d/dr of (1 + 1/r)(2 + log(1 + r)) is r - 2 - log(1 + r)",
                sp.expand(sp.diff(shape, r) * r**2),
                r - 2 - sp.log(1 + r),
            ),
            identity("which increases: its derivative is r/(1 + r)", sp.diff(r - 2 - sp.log(1 + r), r), r / (1 + r)),
            below(
                f"and is negative at r = 2^({most}): the shape falls on [1, 2^({most})]",
                lambda ar: ar.exp(Fraction(most.p, most.q) * ar.log(2)),
                lambda ar: 2 + ar.log(1 + ar.exp(Fraction(most.p, most.q) * ar.log(2))),
            ),
            below(
                "so it is at most its value 2 (2 + log 2) at r = 1, below (3)'s 4 + 2 log 3",
                lambda ar: 2 * (2 + ar.log(2)),
                printed,
            ),
            positive(
                f"with N = floor(2 log_2 n) >= 2 epochs of ratio n^(2/N) = 2^(2 log_2(n)/N): 2 log_2(n)/N < {most}, "
                "so one beta at the lower end of each epoch serves it",
                most - twice_log / N,
            ),
            identity(
                "epoch j goes from n^(-2) n^(2j/N) to n^(-2) n^(2(j+1)/N), where epoch j + 1 begins",
                beta_0 * ratio**epochs * ratio,
                beta_0 * ratio ** (epochs + 1),
            ),
            identity("the first begins at 1/n^2 and the last ends at 1: they cover (3)'s range", beta_0 * ratio**N, 1),
            identity(
                "(4) is Theorem 4.1 at beta = 1/n^2, for every S: the event of the first epoch and no further one",
                radius(4 * S, beta_0, lf),
                2 * (1 / n**2 + S) * (1 + sp.log(1 + n**2 * S) / 2) * lf,
            ),
            nonnegative(
                "the N events of delta_g/(4 log_2 n) sum to at most delta_g/2",
                delta / 2 - N * tail,
            ),
            identity(
                "and to delta_g/2 where 2 log_2 n is whole, as for n = 2, 4, 8, ..", (N * tail).subs(tick, 0), delta / 2
            ),
            identity(
                "log(1/(delta_g/(4 log_2 n))) = log(4 log_2(n)/delta_g): outer log natural, inner base 2",
                sp.log(1 / (delta / (2 * (2 * sp.log(n) / sp.log(2))))),
                sp.log(4 * (sp.log(n) / sp.log(2)) / delta),
            ),
            positive("delta_g/(4 log_2 n) < delta_g < 1/e, as Theorem 4.1 requires", delta - tail),
            *halves((N * tail).subs(tick, 0), odometer_allows),
        ),
    )


DERIVATIONS = (mixture(), filter_5_1(), odometer_6_2())
