"""Rogers et al. 2016: Theorem 5.1 and Theorem 6.2 from Theorem 4.1, and Theorem 4.1 from the two-sided mixture."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from .steps import Derivation, Step, below, enclosure, identity, nonnegative

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
                sp.expand(sp.together(sp.expand(square))).simplify(),
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
            low, high = (middle, high) if enclosure(lambda ar: excess(ar, middle)).upper < 0 else (low, middle)
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
                sp.simplify(sp.diff(ratio, x) * x**2),
                x - 2 - sp.log(1 + x),
            ),
            nonnegative("x - 2 - log(1 + x) increases: its derivative is x/(1 + x)", w / (1 + w)),
            Step("28.04 = 8 x* rounded to two decimals", rounds_to_constant),
        ),
    )


def odometer_6_2() -> Derivation:
    """Theorem 6.2 from Theorem 4.1: the dyadic constant, and a union bound that leaves delta_g/2 for the deltas."""
    n, s, lf, b, r = sp.symbols("n s lf b r", positive=True)
    shape = (1 + 1 / r) * (2 + sp.log(1 + r))
    first, last = Fraction(69, 100), Fraction(58)

    def dyadic_cover() -> bool:
        """The points beta = 2^j/n^2 with S in [beta, 2 beta] cover [1/n^2, 1], ceil(2 log_2 n) of them."""
        for number in (2, 3, 5, 17, 100, 1000, 2**20 + 1):
            epochs = (number * number - 1).bit_length()
            points = [Fraction(2**j, number * number) for j in range(epochs)]
            if points[0] * number * number != 1 or 2 * points[-1] < 1:
                return False
        return True

    def budget(number: Fraction, epochs: int) -> Step:
        """(epochs + 1)/(4 log_2 n) <= 1/2, that is n^2 >= 2^(epochs + 1)."""
        return Step(
            f"{epochs} epochs and (4) within delta_g/2 from n = {number} on: epochs + 1 <= 2 log_2 n",
            lambda: number * number >= 2 ** (epochs + 1),
        )

    wide = last / first
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
                "dyadic: beta <= S <= 2 beta gives S + beta <= 2 S and log(S/beta + 1) <= log 3, the "
                "printed 4 S (1 + log sqrt 3)",
                2 * s * (2 + sp.log(3)),
                4 * s * (1 + sp.log(sp.sqrt(3))),
            ),
            Step("beta = 2^j/n^2 covers [1/n^2, 1] in ceil(2 log_2 n) dyadic epochs", dyadic_cover),
            Step(
                "these and (4) are ceil(2 log_2 n) + 1 events of delta_g/(4 log_2 n): more than delta_g/2 "
                "(E29), so take wider epochs",
                lambda: (2 + 1) * 2 > 4 * 1,
            ),
            identity(
                "(1 + 1/r)(2 + log(1 + r)) falls until r = 2 + log(1 + r) and rises after: r^2 d/dr = r - "
                "2 - log(1 + r)",
                sp.expand(sp.diff(shape, r) * r**2),
                r - 2 - sp.log(1 + r),
            ),
            below(
                "at r = 0.69 it is below the printed 4 + 2 log 3",
                lambda ar: (1 + 1 / first) * (2 + ar.log(1 + first)),
                lambda ar: 4 + 2 * ar.log(3),
            ),
            below(
                "and at r = 58: one beta serves every S/beta in [0.69, 58], a ratio of 84",
                lambda ar: (1 + 1 / last) * (2 + ar.log(1 + last)),
                lambda ar: 4 + 2 * ar.log(3),
            ),
            Step("1 epoch covers [1/n^2, 1] for n^2 <= 84, so for 2 <= n <= 9", lambda: wide >= 81),
            budget(Fraction(2), 1),
            Step(
                "j epochs cover it for n^2 <= 84^j; they are needed for n^2 > 84^(j-1) only, and 84^(j-1) "
                ">= 2^(j+1) for j >= 2",
                lambda: 84 >= 2**3 and wide >= 84,
            ),
            identity(
                "(4) is Theorem 4.1 with beta = 1/n^2",
                radius(4 * S, 1 / n**2, lf),
                2 * (1 / n**2 + S) * (1 + sp.log(1 + n**2 * S) / 2) * lf,
            ),
            identity(
                "log(1/(delta_g/(4 log_2 n))) = log(4 log_2(n)/delta_g): outer log natural, inner base 2",
                sp.log(1 / (delta / (4 * b))),
                sp.log(4 * b / delta),
            ),
        ),
    )


DERIVATIONS = (mixture(), filter_5_1(), odometer_6_2())
