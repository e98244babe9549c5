"""Bounded range: two outputs are the worst, what is worst of k chosen in advance, zCDP with its sharp constant, what
odometers count, and the recursion for mechanisms chosen on the way with the cells of a grid (Dong, Durfee, Rogers
2020)."""

from __future__ import annotations

import sympy as sp

from .steps import Derivation, Step, identity, nonnegative, positive, rising_from_zero

#: r = e^eps > 1 and e^t = 1 + (r - 1) c/(1 + c), which takes all of (1, r).
g, c = sp.symbols("g c", positive=True)
r = 1 + g
w = 1 + g * c / (1 + c)
p = (r - w) / (r - 1)

#: A point u = e^-loss between a and b, and a hinge at y: (1 - y v)_+ for v = e^-loss.
a, d, f, y = sp.symbols("a d f y", positive=True)
u, b = a + d, a + d + f
share = (b - u) / (b - a)

#: The number of low losses of the others; L = e^eps_g; T = product of all e^t.
k, l = sp.symbols("k l", integer=True, positive=True)
L, T, P = sp.symbols("L T P", positive=True)

#: Of one mechanism among others: what of P and of Q is in S where its loss is low, and more where it is high.
P_low, Q_low, P_piv, Q_piv, x = sp.symbols("P_low Q_low P_piv Q_piv x", positive=True)
p_x = (r - x) / (r - 1)
one_of_many = p_x * (P_low + P_piv) + (1 - p_x) * P_low - L * (p_x / x * (Q_low + Q_piv) + (1 - p_x) * r / x * Q_low)
#: Of two mechanisms of one range: what is in S with no, one or two low losses of theirs, and the product of their e^t.
A0, A1, A2, B0, B1, B2, xi, y1 = sp.symbols("A0 A1 A2 B0 B1 B2 xi y1", positive=True)

s, eps = sp.symbols("s eps", positive=True)
e = sp.Symbol("e", nonnegative=True)

#: A cell of the grid: u_0 and r u_0 start lines alpha + beta a and gamma + kappa v of the curve above.
alpha, beta, gamma, kappa = sp.symbols("alpha beta gamma kappa", real=True)
v, C, m, n = sp.symbols("v C m n", positive=True)
chord = ((r * a - v) * (alpha + beta * a) + (v - a) * (gamma + kappa * r * a)) / ((r - 1) * a)

#: One mechanism: the hinge (1 - v)_+ under chords from a < 1 < r a.
one = (r * a - v) * (1 - a) / ((r - 1) * a)
q = sp.Symbol("q", positive=True)


def _largest_of_one() -> bool:
    """At a = sqrt(v/r) the chord is (sqrt r - sqrt v)^2/(r - 1), and elsewhere less by a square."""
    root_r, root_v = sp.symbols("R V", positive=True)
    gap = (root_r - root_v) ** 2 / (root_r**2 - 1) - one.subs({v: root_v**2, g: root_r**2 - 1})
    square = (root_r * a - root_v) ** 2 / ((root_r**2 - 1) * a)
    return bool(sp.simplify(gap - square) == 0)


def _kl() -> bool:
    """t - eps (e^t - 1)/(e^eps - 1) is largest at e^t = (e^eps - 1)/eps, where it is a - 1 - log a."""
    t = sp.Symbol("t", real=True)
    mean = t - eps * (sp.exp(t) - 1) / (sp.exp(eps) - 1)
    at = sp.log((sp.exp(eps) - 1) / eps)
    ratio = eps / (1 - sp.exp(-eps))
    concave = sp.simplify(sp.diff(mean, t, 2) + eps * sp.exp(t) / (sp.exp(eps) - 1)) == 0
    flat = sp.simplify(sp.diff(mean, t).subs(t, at)) == 0
    difference = sp.expand_log(sp.simplify(mean.subs(t, at) - (ratio - 1 - sp.log(ratio))), force=True)
    return bool(concave and flat and sp.simplify(sp.expand_log(sp.simplify(difference), force=True)) == 0)


def _sharp() -> bool:
    """The mean of the loss of the worst interval is eps^2/8 + O(eps^4): no smaller rho than eps^2/8 holds for all."""
    mean = eps / (sp.exp(eps) - 1) - 1 + sp.log((sp.exp(eps) - 1) / eps)
    return bool(sp.series(mean, eps, 0, 4).removeO() == eps**2 / 8)


def _derivative() -> bool:
    """By t_j: p' = -e^t/(r - 1), q' = -r e^-t/(r - 1) for q = e^-t p; and the others' Q is P times r^l e^t/T."""
    x = sp.Symbol("x", positive=True)
    first = x * sp.diff((r - x) / (r - 1), x)
    second = x * sp.diff((r - x) / (r - 1) / x, x)
    moved = P * first - L * (P * r**l * x / T) * second
    return bool(sp.simplify(moved - P / (r - 1) * (L * r ** (l + 1) / T - x)) == 0)


def _two_alike() -> bool:
    """With x1 x2 = xi held, P(S) - L Q(S) is affine in x1 + x2."""
    x1, x2 = y1, xi / y1

    def of(first: sp.Expr, second: sp.Expr, weights: tuple[sp.Expr, ...], other: bool) -> sp.Expr:
        (h1, l1), (h2, l2) = (
            ((r - z) / (r - 1) / (z if other else 1), (z - 1) / (r - 1) * (r / z if other else 1))
            for z in (first, second)
        )
        none, single, both = weights
        return h1 * h2 * none + (h1 * l2 + l1 * h2) * single + l1 * l2 * both

    value = of(x1, x2, (A0, A1, A2), other=False) - L * of(x1, x2, (B0, B1, B2), other=True)
    total = x1 + x2
    slope = sp.simplify(sp.diff(value, y1) / sp.diff(total, y1))
    return bool(sp.simplify(sp.diff(slope, y1)) == 0)


def _sums_of_stationary() -> bool:
    """t_j + T = u + eps_j + m_j for all j, n_j of each: (k + 1) T and (k + 1) t_j as the search has them."""
    n1, n2 = sp.symbols("n1 n2", positive=True)
    e1, e2, m1, m2, held, t1, t2 = sp.symbols("e1 e2 m1 m2 held t1 t2", real=True)
    sums = n1 * t1 + n2 * t2
    found = sp.solve([t1 + sums - held - e1 - m1, t2 + sums - held - e2 - m2], [t1, t2], dict=True)[0]
    count, spread = n1 + n2, n1 * e1 + n2 * e2
    total = count * held + spread + n1 * m1 + n2 * m2
    first = (count + 1) * e1 + held - spread + (count + 1 - n1) * m1 - n2 * m2
    return bool(
        sp.simplify((count + 1) * sums.subs(found) - total) == 0 and sp.simplify((count + 1) * found[t1] - first) == 0
    )


DERIVATIONS = (
    Derivation(
        "bounded range: the worst mechanisms have two outputs, all with one interval if chosen in advance",
        ("dong2020/thm3.delta", "dong2020/thm3.eps"),
        (
            identity(
                "losses t and t - eps, the first with probability p = (r - e^t)/(r - 1): e^-loss has mean 1, as Q is "
                "a law",
                p / w + (1 - p) * r / w,
                1,
            ),
            positive("p is a probability for 0 < t < eps", p),
            positive("and so is 1 - p", 1 - p),
            # (1 - y v)_+ is convex in v = e^-loss; so is every profile of what else is run, an integral of such.
            identity(
                "where both ends are below the hinge the chord is the value",
                lambda: sp.simplify(share * (1 - y * a) + (1 - share) * (1 - y * b)),
                1 - y * u,
            ),
            identity(
                "where it lies between them the chord is more, by the share of b times y b - 1 > 0 (and it is >= 0)",
                lambda: sp.simplify(share * (1 - y * a) - (1 - y * u)),
                lambda: sp.simplify((1 - share) * (y * b - 1)),
            ),
            identity(
                "so that all mass may be moved to the ends, with the mean of e^-loss kept: the weight of a is p where "
                "a = u/e^t, b = r a",
                lambda: sp.simplify(((r * a - v) / ((r - 1) * a)).subs(a, v / w)),
                p,
            ),
            # F = P(at most l low losses) - e^eps_g Q(the same), which the losses' sum decides for equal ranges.
            Step(
                "dF/dt_j = pi_j/(r - 1) (e^(eps_g + (l+1) eps - T) - e^t_j), T the sum of all t, pi_j the chance of l "
                "low losses among the others",
                _derivative,
            ),
            # Where 0 < t_j < eps for some j: e^t_j = e^(c - T), c = eps_g + (l+1) eps, the same for all such j. An
            # end t_i = 0 beside it asks c - T <= 0, one t_i = eps asks c - T >= eps, both together the impossible too;
            # pi_j = 0 only where at most l losses are low for certain (F = 1 - e^eps_g) or never (F = 0).
            identity(
                "so all t are c - T: t = (eps_g + (l+1) eps)/(k + 1)",
                lambda: sp.solve(sp.Symbol("t") - (sp.Symbol("c") - k * sp.Symbol("t")), sp.Symbol("t"))[0],
                sp.Symbol("c") / (k + 1),
            ),
            identity(
                "and at it k t - i eps > eps_g exactly for i <= l, where l < k - eps_g/eps: k t - eps_g - l eps = "
                "((k - l) eps - eps_g)/(k + 1)",
                k * (L + (l + 1) * eps) / (k + 1) - L - l * eps,
                (k * eps - l * eps - L) / (k + 1),
            ),
            positive(
                "(l + 1 low losses are one too many there: (l+1) eps > k t - eps_g)",
                lambda: sp.simplify((l + 1) * eps - (k * (L + (l + 1) * eps) / (k + 1) - L)),
            ),
        ),
    ),
    Derivation(
        "different bounded ranges chosen in advance: one t a kind, all derivatives 0, and what a box can gain",
        ("dong2020/advance.delta", "dong2020/advance.eps"),
        (
            # delta(t) = max over S of f_S(t), f_S = P(S) - L Q(S): at t the best S is {sum t - sum of low eps > eps_g}
            # (Neyman-Pearson), a set {sum of low eps < c} with c = T - eps_g. It has fewer outputs the more losses are
            # low, so that what is in S with a mechanism's loss low is in S with it high: P_piv, Q_piv >= 0.
            identity(
                "in one x = e^t f_S is A - a x - b/x with a = P_piv/(r - 1), b = L r Q_piv/(r - 1)",
                lambda: sp.expand(sp.simplify(sp.diff(one_of_many, x))),
                sp.expand(-P_piv / (r - 1) + L * r * Q_piv / (r - 1) / x**2),
            ),
            Step("of two mechanisms alike, with the product of both e^t held, f_S is affine in their sum", _two_alike),
            # Among the intervals that lose most (a closed set, as delta(t) is continuous) take those with the least sum
            # over pairs of a kind of (t_i - t_j)^2. Were t_i != t_j in it: where f_S, S the best set, does not rise
            # with the sum, both at the mean of t_i, t_j have the least sum for their product, lose as much and are
            # nearer, as the mean is nearer to all others' mean square. Where it rises, the sum is the largest there is
            # for the product, or more were lost: one of both is 0 or eps, a mechanism of two equal laws. What is a
            # function of the others' answers loses no more, so that it may have any t; at the mean of the others of
            # its kind it is nearer, as it is not that mean already (it would be at an end of [0, eps] with all others).
            identity(
                "two numbers at their mean are nearer to any third, in sum of squares, by a square",
                (alpha - kappa) ** 2 + (beta - kappa) ** 2 - 2 * ((alpha + beta) / 2 - kappa) ** 2,
                (alpha - beta) ** 2 / 2,
            ),
            # So all t of a kind are equal at some maximum; a kind at 0 or eps may be moved inside as a whole. There,
            # inside, f_S of the best S is largest too, as delta >= f_S: its derivatives are 0, and T - eps_g lies in
            # (the largest sum in S, the next one].
            identity(
                "its derivative is 0 at x^2 = L r Q_piv/P_piv; by Q_piv = P_piv e^-(T - t) E[e^Y]: t + T = eps_g + "
                "eps + log E[e^Y]",
                sp.diff(one_of_many, x).subs(x, sp.sqrt(L * r * Q_piv / P_piv)),
                0,
            ),
            Step("solved for T and each t, linear in the means of the kinds", _sums_of_stationary),
            # A kind on which S does not hang may be left out: f_S is that of the rest, which the rest's optimum bounds.
            # E[e^Y | window] over a box: each output's weight is a product of powers of the odds of low losses, known
            # between two ends once a common factor is left out; the largest mean puts the most weight on the largest
            # e^Y, down to the mean itself.
            nonnegative(
                "a weighted mean moves to a value above it by more of that value's weight",
                (s * (alpha + v) + n * alpha) / (s + n) - alpha,
            ),
            identity(
                "from the middle of a box f_S gains at most the slopes: P_piv e^t/(r - 1) (e^-h - 1) each, h what "
                "t + T is above eps_g + eps + log E",
                lambda: sp.simplify(x * sp.diff(one_of_many, x)),
                lambda: sp.simplify(P_piv * x / (r - 1) * (L * r * Q_piv / (P_piv * x**2) - 1)),
            ),
            Step(
                "and |e^u - 1| <= |u| + u^2 for |u| <= 1: for u > 0 e^u - 1 - u <= u^2 (1/2 + 1/6 + ...) = u^2 (e - 2)",
                lambda: bool(sp.E - 2 < 1),
            ),
        ),
    ),
    Derivation(
        "bounded range is eps^2/8-zCDP, and with no smaller constant",
        ("cesar2021/br2zcdp.rho", "dong2020/prop4.eps"),
        (
            # K(s) = log E_P e^(s loss), K(0) = K(-1) = 0; K'' is the variance under a tilted law on the same interval.
            nonnegative(
                "a number in an interval of width eps with mean at the share x of it has variance at most "
                "x (1 - x) eps^2 <= eps^2/4",
                eps**2 / 4 - (c / (1 + c)) * (1 - c / (1 + c)) * eps**2,
            ),
            identity(
                "K - (eps^2/8) s (s + 1) is concave and 0 at 0 and at -1, so at most 0 for s > 0: K(s)/s <= "
                "(s+1) eps^2/8",
                sp.diff(eps**2 / 8 * s * (s + 1), s, 2),
                eps**2 / 4,
            ),
            Step("the largest mean of the loss, at e^t = (e^eps - 1)/eps, is a - 1 - log a, a = eps/(1 - e^-eps)", _kl),
            Step("it is eps^2/8 + O(eps^4): no smaller constant than 1/8 holds", _sharp),
            rising_from_zero(
                "bounded range is pure DP: an interval of losses all above 0 would make Q(everything) = E e^-loss < 1",
                1 - sp.exp(-e),
                e,
                1,
            ),
        ),
    ),
    Derivation(
        "odometers count a bounded range of width eps as an intrinsic time of eps^2/4",
        (
            "whitehouse2023/thm3.filter.at",
            "whitehouse2023/thm3.mixture",
            "whitehouse2023/thm3.one_sided",
            "whitehouse2023/thm3.stitched",
            "whitehouse2023/lem3.odometer",
            "rogers2016/thm6.2.odometer",
        ),
        (
            # The interval of a round is chosen with it, so that all of this holds given the answers before.
            identity(
                "zCDP with rho = eps^2/8: E e^(s loss) <= e^(s (s+1) rho) is e^(s V/2 + s^2 V/2), V = eps^2/4, the "
                "supermartingale of Theorem 3 for s > 0",
                s * (s + 1) * eps**2 / 8,
                s * (eps**2 / 4) / 2 + s**2 * (eps**2 / 4) / 2,
            ),
            identity(
                "centred, of both signs: Hoeffding's (s eps)^2/8 is s^2 V/2, and of Theorem 4.1 U^2/4 is V for the "
                "widths of Rogers et al.",
                (s * eps) ** 2 / 8,
                s**2 * (eps**2 / 4) / 2,
            ),
            Step(
                "the mean: 1 = E e^-loss <= e^(-mean + eps^2/8), so mean <= eps^2/8 = V/2, the drift of Lemma 3; and "
                "it is no less than 0, so that the loss's lower side is that of the centred one",
                lambda: sp.solve(-s + eps**2 / 8, s) == [eps**2 / 8],
            ),
            rising_from_zero(
                "which is below half of what Rogers et al. add for pure DP of half the width, x (e^x - 1)/2, x = eps/2",
                e / 2 * (sp.exp(e / 2) - 1) / 2 - e**2 / 8,
                e,
                3,
            ),
        ),
    ),
    Derivation(
        "bounded range chosen on the way: chords, and what a cell of the grid can add",
        ("dong2020/adaptive.delta", "dong2020/adaptive.eps"),
        (
            # delta_k(x) = sup E_P delta_(k-1)(x - loss) over the first mechanism, and delta_(k-1) is convex in e^x.
            identity(
                "with u = e^x a step is a chord over [u/e^t, r u/e^t], which holds u: the mean of the ends is u",
                p * (v / w) + (1 - p) * (r * v / w),
                v,
            ),
            Step("one mechanism: (sqrt r - sqrt u)^2/(r - 1), at a = sqrt(u/r)", _largest_of_one),
            # From the sum E of all ranges down by the least: delta_k(x) = (1 - e^-d)^(k+1)/prod (1 - 1/r_i) with
            # d = (E - x)/(k+1), by induction, k = 0 being the hinge 1 - e^x. One more of range eps before, at
            # x >= E + eps - least: after a low loss x - t + eps >= x >= E, where delta_k is 0; after a high one
            # E - (x - t) = (k + 1) tau, and with sigma = eps - t: sigma + (k + 1) tau = E + eps - x, whatever t.
            identity("the high loss has (1 - e^-sigma)/(1 - 1/r)", p, (1 - w / r) / (1 - 1 / r)),
            identity(
                "log(1 - e^-s) is concave: (1 - e^-sigma) (1 - e^-tau)^(k+1) is largest where sigma and tau are their "
                "weighted mean, (E + eps - x)/(k + 2), which is at most eps: the next delta",
                -sp.diff(sp.log(1 - sp.exp(-s)), s, 2),
                lambda: sp.exp(-s) / (1 - sp.exp(-s)) ** 2,
            ),
            identity(
                "of one mechanism: (1 - sqrt(u/r))^2/(1 - 1/r), the same as above",
                (1 - sp.sqrt(v / r)) ** 2 / (1 - 1 / r),
                (sp.sqrt(r) - sp.sqrt(v)) ** 2 / (r - 1),
            ),
            identity(
                "where the curve above is linear in a cell of left ends and in that of right ones, the chord is "
                "B + A a + C/a with C = u (gamma - alpha)/(r - 1)",
                sp.expand(
                    chord
                    - (
                        (r * alpha - v * beta + r * kappa * v - gamma) / (r - 1)
                        + a * r * (beta - kappa) / (r - 1)
                        + v * (gamma - alpha) / ((r - 1) * a)
                    )
                ),
                0,
            ),
            identity(
                "for C < 0 it is above the line between a cell's ends m^2, n^2 by -C times the chord of 1/a less 1/a, "
                "at most (1/m - 1/n)^2: the rest is a square",
                (1 / m - 1 / n) ** 2 - (1 / m**2 + 1 / n**2 - a / (m**2 * n**2) - 1 / a),
                (a - m * n) ** 2 / (a * m**2 * n**2),
            ),
            identity(
                "intercepts of lines through two grid points u, q u: (q h(u) - h(q u))/(q - 1)",
                alpha,
                (q * (alpha + beta * v) - (alpha + beta * q * v)) / (q - 1),
            ),
            identity(
                "exchanging both laws, which is again bounded range: delta(x) = 1 - e^x + e^x delta(-x), here of one",
                (sp.sqrt(r) - sp.sqrt(v)) ** 2 / (r - 1),
                1 - v + v * (sp.sqrt(r) - 1 / sp.sqrt(v)) ** 2 / (r - 1),
            ),
        ),
    ),
)
