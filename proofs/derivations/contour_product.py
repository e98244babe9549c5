"""The contour of a product: several sampled Gaussians and Gaussians, whose transforms multiply.

What one law's contour shows (``contour``: the kernel, the aliases, the strips, the kernel's tail) holds of every law,
the product's too. Here is what is different for a product: where its transform is from, what bounds it beyond the last
node, what each factor's cut at its top costs, which abscissas there are, and where additions end.
"""

from __future__ import annotations

import itertools

import mpmath
import sympy as sp

from .steps import Derivation, Step, identity, nonnegative, positive, rising_from_zero

z = sp.Symbol("z")
c, t, m, q, rest, s, w, big = sp.symbols("c t mu q r s w Lambda", positive=True)
#: Masses of two laws' atoms and where they lie.
p1, p2, r1, r2 = sp.symbols("p1 p2 r1 r2", positive=True)
a1, a2, b1, b2 = sp.symbols("a1 a2 b1 b2", real=True)
y, place, eps = sp.symbols("y place epsilon", real=True)
#: Bounds at T and what they are above those further out; errors; what is lost at the tops.
first, second, above, over = sp.symbols("A B d e", nonnegative=True)
one, other, near, far = sp.symbols("M N m n")
lost, more = sp.symbols("l r", nonnegative=True)
extra, decay = sp.symbols("x rho", positive=True)

phi = sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi)
#: -log of the kernel, of which the abscissa is chosen by its saddle.
kernel = -sp.log(c) - sp.log(1 + c)


def _gaussian_transform() -> bool:
    """The integral of e^(z l) over N(mu^2/2, mu^2), completed to a square in the exponent."""
    l = sp.Symbol("l", real=True)
    exponent = z * l - (l - m**2 / 2) ** 2 / (2 * m**2)
    square = -((l - m**2 / 2 - z * m**2) ** 2) / (2 * m**2) + z * (z + 1) * m**2 / 2
    return bool(sp.expand(exponent - square) == 0)


def _product_is_the_mean() -> bool:
    """For two laws of two atoms: the sum over pairs of atoms, at the sum of their losses."""
    left, right = ((p1, a1), (p2, a2)), ((r1, b1), (r2, b2))
    together = sum(p * r * sp.exp(z * (a + b)) for (p, a), (r, b) in itertools.product(left, right))
    apart = sum(p * sp.exp(z * a) for p, a in left) * sum(r * sp.exp(z * b) for r, b in right)
    return bool(sp.expand(sp.expand(apart, power_exp=True) - sp.expand(together, power_exp=True)) == 0)


def _two_gaussians() -> bool:
    """The trapezoidal sum of two Gaussians' transforms is the closed form at all multiples of the period."""
    context = mpmath.mp.clone()
    context.dps = 40
    for mus, at, abscissa, period in ((("0.6", "0.8"), "0.5", "1.5", 9), (("1.2", "0.5"), "2", "0.7", 14)):
        squares = [context.mpf(mu) ** 2 for mu in mus]
        mu = context.sqrt(sum(squares))
        e, a, length = context.mpf(at), context.mpf(abscissa), context.mpf(period)

        def profile(x: mpmath.mpf, mu: mpmath.mpf = mu) -> mpmath.mpf:
            return context.ncdf(mu / 2 - x / mu) - context.exp(x) * context.ncdf(-mu / 2 - x / mu)

        def term(
            n: int,
            a: mpmath.mpf = a,
            length: mpmath.mpf = length,
            e: mpmath.mpf = e,
            squares: list[mpmath.mpf] = squares,
        ) -> mpmath.mpf:
            pole = context.mpc(a, 2 * context.pi * n / length)
            found = context.exp(-e * pole) / (pole * (pole + 1))
            for square in squares:
                found *= context.exp(pole * (pole + 1) * square / 2)
            return found.real

        total = (term(0) + 2 * context.fsum(term(n) for n in range(1, 60))) / length
        aliases = context.fsum(context.exp(a * k * length) * profile(e + k * length) for k in range(-12, 12))
        if abs(total - aliases) > context.mpf("1e-25"):
            return False
    return True


def _unions() -> bool:
    """l_1 + … + l_n exceeds 1 - (1 - l_1) … (1 - l_n): each further l adds l times the latter, for n up to six."""
    for n in range(1, 7):
        shares = sp.symbols(f"l1:{n + 1}", nonnegative=True)
        rest = sp.prod([1 - share for share in shares])
        excess = sum(shares) - (1 - rest)
        # With one more: the excess grows by the share times 1 - rest >= 0.
        grown = excess + lost - rest * lost
        if sp.expand(grown - (sum(shares) + lost - (1 - rest * (1 - lost)))) != 0:
            return False
        if sp.expand(grown - excess - lost * (1 - rest)) != 0:
            return False
    return True


DERIVATIONS = (
    Derivation(
        "the contour encloses the profile of sampled Gaussians of several rates and noises",
        ("zdw2022/thm10.delta", "zdw2022/thm10.eps"),
        (
            Step(
                "losses of a product are sums of independent losses, so transforms multiply: for two atoms each, and "
                "so for every law, by integration",
                _product_is_the_mean,
            ),
            Step(
                "a Gaussian mechanism's loss is N(mu^2/2, mu^2): its transform is e^(z (z + 1) mu^2/2), exactly",
                _gaussian_transform,
            ),
            identity(
                "on the line it has the modulus e^((c (c + 1) - t^2) mu^2/2), which falls with |t|",
                sp.re(sp.expand((c + sp.I * t) * (c + sp.I * t + 1))),
                c * (c + 1) - t**2,
            ),
            Step(
                "the kernel and the aliases are of the product, as of one law: for two Gaussians the trapezoidal sum "
                "is the closed form at all multiples of the period",
                _two_gaussians,
            ),
            identity(
                "strips: R_i = 1 - q + q e^(u_i) is first zero at Im u_i = pi, where e^(Re u_i) = (1 - q)/q; u_i is "
                "y/s_i less a constant, so that each integral over y has a strip of its own, |Im y| < pi s_i",
                (1 - q + q * sp.exp(sp.I * sp.pi + extra)).subs(extra, sp.log((1 - q) / q)),
                0,
            ),
            identity(
                "each transform is enclosed by itself, and errors multiply as balls do: M N - m n = (M - m) N + "
                "m (N - n)",
                sp.expand((one - near) * other + near * (other - far)),
                sp.expand(one * other - near * far),
            ),
            nonnegative(
                "beyond T each |M_i| has a bound on a path shifted by an amount of its own, which falls with |t| since "
                "arg R_i is in [0, pi) there; the product of bounds that fall falls, so that its value at T bounds all",
                (first + above) * (second + over) - first * second,
            ),
            identity(
                "tops: under P a removal's noise is N(0, 1), or with probability q N(1/s, 1): phi(y) e^u = "
                "phi(y - 1/s)",
                sp.expand(-(y**2) / 2 + y / s - 1 / (2 * s**2) + (y - 1 / s) ** 2 / 2),
                0,
            ),
            identity(
                "phi Phi((y - place)/w) integrates to Phi(-place/sqrt(1 + w^2)): both vanish for a place far out, and "
                "both slopes in the place are the same normal density",
                lambda: sp.simplify(
                    sp.integrate(sp.expand(sp.exp(-(y**2) / 2 - (y - place) ** 2 / (2 * w**2))), (y, -sp.oo, sp.oo))
                    / (2 * sp.pi * w)
                ),
                sp.exp(-(place**2) / (2 * (1 + w**2))) / sp.sqrt(2 * sp.pi * (1 + w**2)),
            ),
            Step(
                "what all laws leave out at their tops together is at most the sum of k_i times what each leaves out, "
                "and delta, an integral of something in [0, 1], gains no more",
                _unions,
            ),
            nonnegative(
                "for two of them: l + r exceeds 1 - (1 - l) (1 - r) by l r",
                sp.expand(lost + more - (1 - (1 - lost) * (1 - more))),
            ),
            identity(
                "aliases below: delta <= 1 there whatever the product, and e^(-c Lambda) and its powers add up to "
                "1/(e^(c Lambda) - 1)",
                lambda: sp.simplify((decay / (1 - decay)).subs(decay, sp.exp(-c * big)) - 1 / (sp.exp(c * big) - 1)),
                0,
            ),
            identity(
                "aliases above: with Chernoff's factor at a second abscissa c + x, common to all factors, "
                "e^(c m Lambda) delta(eps + m Lambda) is at most kappa e^(-(c + x) eps) prod M_i(c + x)^k_i times "
                "e^(-x m Lambda)",
                sp.expand(c * big - (c + extra) * (eps + big)),
                sp.expand(-(c + extra) * eps - extra * big),
            ),
            positive(
                "any abscissa c > 0 will do. A removal's M_i(c), the integral of phi R^(c + 1), is finite: R is at "
                "most 1 + e^u, for (1 - q + q) (1 + e^u) exceeds it",
                (rest + q) * (1 + sp.exp(y)) - (rest + q * sp.exp(y)),
            ),
            positive("an addition's R^(-c) is bounded, R exceeding 1 - q by q e^u", rest + q * sp.exp(y) - rest),
            positive(
                "the one that is chosen is the saddle of the whole: sum k_i log M_i(c) - c eps - log c - log (1 + c) "
                "has one, since log M_i is convex (Hoelder) and the kernel's part strictly so",
                sp.diff(kernel, c, 2),
            ),
            identity(
                "with its slope: epsilon is the sum of the mean losses tilted by c, less 1/c and 1/(1 + c)",
                sp.diff(kernel, c),
                -1 / c - 1 / (1 + c),
            ),
            rising_from_zero(
                "additions end: as R > 1 - q each loss -log R is below log 1/(1 - q); where epsilon is at least the "
                "sum of k_i log 1/(1 - q_i) every loss is epsilon - x, and e^x exceeds 1",
                sp.exp(extra) - 1,
                extra,
                1,
            ),
        ),
    ),
)
