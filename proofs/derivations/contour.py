"""The contour of the subsampled Gaussian: its kernel, its aliases, and the bounds of the law's transform."""

from __future__ import annotations

import mpmath
import sympy as sp

from .steps import Derivation, Step, identity, nonnegative, positive

z, x, b, c, t = sp.symbols("z x b c t", positive=True)
#: What the two records' laws weigh, their share, half an angle, deviations and places.
u, v, theta, half = sp.symbols("u v theta half", positive=True)
p = sp.Symbol("p", positive=True)
y, place, eta = sp.symbols("y place eta", real=True)
w = sp.Symbol("w", positive=True)
m, d, f, g, slope = sp.symbols("m d f g slope", real=True)


def _aliases() -> bool:
    """For one atom at l both sides of the alias identity are sums in closed form; 25 digits at several places."""
    context = mpmath.mp.clone()
    context.dps = 40
    for abscissa, period, eps, atom in ((1, 3, "0.4", "1.9"), ("0.7", 5, 2, "1.25"), ("2.5", "1.5", "0.1", "0.3")):
        a, big, e, l = (context.mpf(value) for value in (abscissa, period, eps, atom))
        # The sum over n of e^((l - e) z_n)/(z_n (z_n + 1)), z_n = a + 2 pi i n/period, by its partial fractions: with
        # 0 < r <= period the remainder of l - e, the sum of e^(2 pi i n r/period)/(z_n + s) is
        # period e^(-(a + s) r)/(1 - e^(-(a + s) period)).
        r = (l - e) % big

        parts = [big * context.exp(-(a + s) * r) / (1 - context.exp(-(a + s) * big)) for s in (0, 1)]
        trapezoid = context.exp((l - e) * a) * (parts[0] - parts[1]) / big
        aliases = sum(context.exp(a * k * big) * max(0, 1 - context.exp(e + k * big - l)) for k in range(-80, 20))
        if abs(trapezoid - aliases) > context.mpf("1e-25"):
            return False
    return True


def _partial_sums() -> bool:
    """The sum used above, against its definition added pairwise; it converges like 1/n, smoothed by Richardson."""
    context = mpmath.mp.clone()
    context.dps = 30
    a, big, r = context.mpf(1), context.mpf(3), context.mpf("1.1")

    def term(n: int) -> mpmath.mpf:
        pole = context.mpc(a, 2 * context.pi * n / big)
        return context.exp(2j * context.pi * n * r / big) / (pole * (pole + 1))

    total = term(0).real + 2 * context.fsum(term(n).real for n in range(1, 4000))
    closed = sum(
        sign * big * context.exp(-(a + s) * r) / (1 - context.exp(-(a + s) * big)) for s, sign in ((0, 1), (1, -1))
    )
    return bool(abs(total - closed) < context.mpf("1e-4"))


def _never_below() -> bool:
    """The arguments' difference at 60 shares and some twenty pairs of heights that are allowed."""
    context = mpmath.mp.clone()
    context.dps = 20
    for path, height in ((a, b) for a in range(1, 12, 2) for b in range(1, 7)):
        if path + height >= 12:
            continue
        v_, w_ = path * context.pi / 12, height * context.pi / 12
        for n in range(1, 61):
            share_ = context.mpf(n) / 60
            up, down = (context.arg(1 - share_ + share_ * context.expj(turn)) for turn in (w_ + v_, w_ - v_))
            if up - down < 0:
                return False
    return True


def _strip_of_the_normal() -> bool:
    """For the normal density the error of the sum over h Z is 2 sum e^(-2 pi^2 m^2/h^2), below the bound at every v."""
    context = mpmath.mp.clone()
    context.dps = 60
    for step in ("0.5", "0.8", "1.25"):
        h = context.mpf(step)
        total = h * context.fsum(context.npdf(n * h) for n in range(-60, 61))
        aliases = 2 * context.fsum(context.exp(-2 * (context.pi * n / h) ** 2) for n in range(1, 20))
        if abs(total - 1 - aliases) > context.mpf("1e-50"):
            return False
        for height in (1, 3, 8, 20):
            v_ = context.mpf(height)
            if aliases > 2 * context.exp(v_**2 / 2) / context.expm1(2 * context.pi * v_ / h):
                return False
    return True


def _telescopes() -> bool:
    """M^k - A^k = sum over j < k of A^j (M - A) M^(k - 1 - j), for k up to 8."""
    return all(
        sp.expand(big**n - small**n - sum(small**j * (big - small) * big ** (n - 1 - j) for j in range(n))) == 0
        for n in range(1, 9)
    )


big, small, part, few = sp.symbols("M A B k", positive=True)
ratio, share = sp.symbols("r s", positive=True)
#: A cell's masses, its lower end's ratio, the other rounds' ratio, e^eps, a ratio in the cell.
p_c, q_c, end, others, grown, within_cell = sp.symbols("P_c Q_c a Y E X", positive=True)

angle = sp.atan2(p * sp.sin(theta), 1 - p + p * sp.cos(theta))
kappa = z * sp.log(z) - (z + 1) * sp.log(z + 1)
log_ratio = sp.log((1 - p) + p * sp.exp(y))

DERIVATIONS = (
    Derivation(
        "the contour encloses the subsampled Gaussian's profile",
        ("zdw2022/poisson_gaussian.delta", "zdw2022/poisson_gaussian.eps"),
        (
            identity(
                "the kernel is the Laplace transform of (1 - e^-x)_+",
                lambda: sp.integrate(sp.expand(sp.exp(-z * x) * (1 - sp.exp(-x))), (x, 0, sp.oo)),
                1 / (z * (z + 1)),
            ),
            Step(
                "the alias identity at an atom: the trapezoidal sum is the sum of e^(c m period) (1 - e^(eps + m "
                "period - l))_+ over all m; so for every law, by integration",
                _aliases,
            ),
            Step("with the sums over n in closed form as used there", _partial_sums),
            identity(
                "(1 - e^-x) e^(-b x) is largest where e^-x = b/(b + 1)",
                lambda: sp.simplify(sp.diff((1 - sp.exp(-x)) * sp.exp(-b * x), x).subs(x, sp.log((b + 1) / b))),
                0,
            ),
            identity(
                "and is b^b/(1 + b)^(1 + b) there: Chernoff's factor",
                sp.expand_log(sp.log((1 - b / (b + 1)) * (b / (b + 1)) ** b), force=True)
                - sp.expand_log(sp.log(b**b / (1 + b) ** (1 + b)), force=True),
                0,
            ),
            identity(
                "the mixture inequality: |u + v e^(i theta)|^2 - (u + v)^2 cos^2(theta/2) = (u - v)^2 sin^2(theta/2)",
                sp.expand(
                    sp.expand_trig((u + v * sp.cos(2 * half)) ** 2 + (v * sp.sin(2 * half)) ** 2)
                    - (u + v) ** 2 * sp.cos(half) ** 2
                    - (u - v) ** 2 * sp.sin(half) ** 2
                )
                .subs(sp.sin(half) ** 2, 1 - sp.cos(half) ** 2)
                .subs(sp.sin(half) ** 4, (1 - sp.cos(half) ** 2) ** 2),
                0,
            ),
            identity(
                "sharper: with p = v/(u + v) it is (u + v)^2 (1 - 2 p (1 - p) (1 - cos theta))",
                lambda: sp.simplify(
                    sp.expand((1 - p + p * sp.cos(theta)) ** 2 + p**2 * sp.sin(theta) ** 2)
                    - (1 - 2 * p * (1 - p) * (1 - sp.cos(theta)))
                ),
                0,
            ),
            identity(
                "the argument of 1 - p + p e^(i theta) rises with p: its slope is sin theta over the modulus squared",
                lambda: sp.simplify(
                    sp.diff(sp.atan(p * sp.sin(theta) / (1 - p + p * sp.cos(theta))), p)
                    - sp.sin(theta) / ((1 - p + p * sp.cos(theta)) ** 2 + (p * sp.sin(theta)) ** 2)
                ),
                0,
            ),
            identity(
                "and with theta: its slope is p (p + (1 - p) cos theta) over the modulus squared, of which sin theta "
                "times the slope of the tangent is what a turn adds; |R^e| on a shifted path falls with |t|",
                lambda: sp.simplify(
                    sp.diff(sp.atan(p * sp.sin(theta) / (1 - p + p * sp.cos(theta))), theta)
                    - p * (p + (1 - p) * sp.cos(theta)) / ((1 - p + p * sp.cos(theta)) ** 2 + (p * sp.sin(theta)) ** 2)
                ),
                0,
            ),
            identity(
                "a strip of height eta about a path at theta: the sine of arg R(eta + theta) - arg R(eta - theta) has "
                "the sign of (1 - p) cos eta + p cos theta, linear in p. Where eta <= pi/2 and eta + theta < pi the "
                "difference goes from 0 to 2 theta, and is pi where the sign changes: never below 0",
                sp.expand(
                    sp.expand_trig(
                        (p * sp.sin(eta + theta)) * (1 - p + p * sp.cos(eta - theta))
                        - (1 - p + p * sp.cos(eta + theta)) * (p * sp.sin(eta - theta))
                    )
                    - 2 * p * sp.sin(theta) * ((1 - p) * sp.cos(eta) + p * sp.cos(theta) * sp.cos(eta) ** 2)
                    - 2 * p**2 * sp.sin(theta) * sp.cos(theta) * sp.sin(eta) ** 2
                ),
                0,
            ),
            Step("so it is at sixty shares and many heights, as near to the allowed ends as pi/12", _never_below),
            identity(
                "|phi(y + i eta)| = e^(eta^2/2) phi(y): the strip bound's first factor; a cut of width w has "
                "e^(eta^2/(2 w^2)) likewise, under its integral",
                sp.re(sp.expand(-((y + sp.I * eta) ** 2) / 2)) - (-(y**2) / 2 + eta**2 / 2),
                0,
            ),
            identity(
                "log R is convex in y: its second derivative is p' (1 - p') of the tilted share",
                lambda: sp.simplify(
                    sp.diff(log_ratio, y, 2)
                    - (p * sp.exp(y) / (1 - p + p * sp.exp(y))) * (1 - p * sp.exp(y) / (1 - p + p * sp.exp(y)))
                ),
                0,
            ),
            identity(
                "a tail: the exponent at y + d is that at y less (1 + 1/w^2) d^2/2 + (y + (y - place)/w^2 - slope) d",
                sp.expand(
                    -((y + d) ** 2) / 2
                    - (y + d - place) ** 2 / (2 * w**2)
                    + slope * d
                    - (-(y**2) / 2 - (y - place) ** 2 / (2 * w**2))
                    + (1 + 1 / w**2) * d**2 / 2
                    + (y + (y - place) / w**2 - slope) * d
                ),
                0,
            ),
            nonnegative(
                "beyond the last node the kernel is at most 1/t^2: |z (z + 1)|^2 >= t^4",
                (c**2 + t**2) * ((c + 1) ** 2 + t**2) - t**4,
            ),
            positive(
                "and 1/(n (n - 1)), whose sum from N on is 1/(N - 1), exceeds 1/n^2",
                1 / ((1 + t) * t) - 1 / (1 + t) ** 2,
            ),
            identity(
                "the strip bound: by Poisson's formula the sum over y is off by the transform at all multiples of "
                "1/h but 0; moved by v up or down each is at most S r^|m|, r = e^(-2 pi v/h), and r + r^2 + … is what "
                "r times itself and 1 more gives",
                ratio / (1 - ratio) - (ratio + ratio * (ratio / (1 - ratio))),
                0,
            ),
            identity(
                "that is 2 S/(e^(2 pi v/h) - 1) for both sides",
                lambda: sp.simplify(2 * sp.exp(-share) / (1 - sp.exp(-share)) - 2 / (sp.exp(share) - 1)),
                0,
            ),
            Step("for the normal density, whose sum is known, the bound holds at every v", _strip_of_the_normal),
            Step(
                "few jumps: M^k - A^k telescopes, so with B = M - A its modulus on the line is at most "
                "k |B| (A(c) + |B|)^(k - 1)",
                _telescopes,
            ),
            identity(
                "and as measures M^k - A^k <= k B M^(k - 1): D_k, the difference, is 0 at k = 1, and "
                "D_(k + 1) = M D_k + B (M^k - A^k), with M = A + B, is no less",
                sp.expand(
                    ((few + 1) * part * big**few - big * big**few + small * small**few)
                    - big * (few * part * big**few / big - big**few + small**few)
                    - part * (big**few - small**few)
                ).subs(part, big - small),
                0,
            ),
            identity(
                "small losses: with the same for A and what of it is below a sharper cut, the rest counts k times its "
                "mass; D_1 is 0",
                sp.expand(part - big + small).subs(part, big - small),
                0,
            ),
            identity(
                "the grid's last cell, of ratios above a: Q_c stays on a with a Q_c of P, the rest of P on infinity; "
                "where Y a >= E it adds what the cell does",
                (end * q_c * others - grown * q_c) + (p_c - end * q_c) * others,
                p_c * others - grown * q_c,
            ),
            identity(
                "and where Y a < E it adds Y (X - a), which exceeds X Y - E by E - a Y: it dominates",
                others * (within_cell - end) - (within_cell * others - grown),
                grown - end * others,
            ),
        ),
    ),
)
