"""Whitehouse et al. 2023: Theorem 2 from Theorem 1 and Lemma 1, the tangent point y*, the odometers from Theorems 4
to 6,
the stitched constants from Howard et al. 2021, the drift inequalities, and the repaired pDP odometer."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from privref import catalogue
from privref.statements.registry import statement
from proofs.symbolic import SymbolicArithmetic
from proofs.transcription import proper_fraction

from .steps import Derivation, Step, below, enclosure, identity, increasing_from_zero, nonnegative, positive

V = sp.Symbol("V", nonnegative=True)
y, a, b, l, eps, gamma = sp.symbols("y a b l eps gamma", positive=True)


def f(v: sp.Expr) -> sp.Expr:
    """f(y) = sqrt(2 l y) + y/2 with l = log(1/delta')."""
    return sp.sqrt(2 * l * v) + v / 2


def line(v: sp.Expr) -> sp.Expr:
    """The filter odometer tangent at y."""
    return sp.sqrt(2 * y * l) / 2 + sp.sqrt(2 * l) / (2 * sp.sqrt(y)) * v + v / 2


def theorem_2() -> Derivation:
    """Theorem 2 from Theorem 1 with Lemma 1."""
    rho = sp.Symbol("rho", nonnegative=True)
    d1, d2 = sp.symbols("d1 d2", nonnegative=True)
    return Derivation(
        "thm2 from thm1 + lem1",
        ("whitehouse2023/thm2.f", "whitehouse2023/thm2.N"),
        (
            identity(
                "Lemma 1 back at rho = V/2: rho + 2 sqrt(rho l) = f(V)",
                (rho + 2 * sp.sqrt(rho * l)).subs(rho, V / 2),
                f(V),
            ),
            positive(
                "f is strictly increasing, so eps < f(V_{n+1}) iff rho* < V_{n+1}/2 with f(2 rho*) = eps",
                sp.diff(f(y), y),
            ),
            identity(
                "rho* = y*/2 with the corrected y*: f(y*) = eps",
                lambda: sp.simplify(sp.expand(f_root(2))),
                eps,
            ),
            nonnegative(
                "delta'' + (1 - delta'') delta' = delta' + delta'' - delta' delta'' <= delta' + delta''",
                sp.expand(d1 + d2 - (d2 + (1 - d2) * d1)),
            ),
        ),
    )


def f_root(multiple: int) -> sp.Expr:
    """f at (-sqrt(2 l) + sqrt(2 l + multiple eps))^2, whose square root is positive."""
    root = -sp.sqrt(2 * l) + sp.sqrt(2 * l + multiple * eps)
    return sp.sqrt(2 * l) * root + root**2 / 2


def tangent() -> Derivation:
    """The tangent point has 2 eps, and what the printed eps does."""
    s = sp.Symbol("s", nonnegative=True)
    return Derivation(
        "y* with 2 eps, and the filter odometer",
        ("whitehouse2023/thm3.ystar.corrected", "whitehouse2023/thm3.filter", "whitehouse2023/thm3.filter.at"),
        (
            identity("f at the corrected point is eps", sp.expand(f_root(2)), eps),
            identity("f at the printed point is eps/2, identically", sp.expand(f_root(1)), eps / 2),
            identity(
                "Theorem 4 with a = y*, b = sqrt(2 l y*): b/2 + b V/(2a) + V/2 is the odometer",
                (b / 2 + b / (2 * a) * V + V / 2).subs({a: y, b: sp.sqrt(2 * l * y)}),
                line(V),
            ),
            identity("its tail exp(-b^2/(2a)) is e^-l = delta'", sp.exp(-((2 * l * y) / (2 * y))), sp.exp(-l)),
            identity("(the printed exp(-b^2/a) would be delta'^2)", sp.exp(-((2 * l * y) / y)), sp.exp(-l) ** 2),
            identity(
                "odometer - f = sqrt(2l)/2 (sqrt(y*) - sqrt V)^2/sqrt(y*) >= 0, zero iff V = y*",
                sp.expand(line(s**2) - f(s**2)),
                sp.expand(sp.sqrt(2 * l) / 2 * (sp.sqrt(y) - s) ** 2 / sp.sqrt(y)),
            ),
        ),
    )


def mixture() -> Derivation:
    """The mixture odometer from the one-sided half-normal argument, and Theorem 5."""
    q = sp.Symbol("q", positive=True)
    d = sp.exp(-l)
    boundary_squared = 2 * (q + gamma) * (l + sp.log((q + gamma) / gamma) / 2)
    return Derivation(
        "thm5 and the mixture odometer",
        ("whitehouse2023/thm5.boundary", "whitehouse2023/thm3.mixture"),
        (
            identity(
                "2 (V + gamma) log(1/delta sqrt((V+gamma)/gamma)) = 2 (V + gamma)(l + log((V+gamma)/gamma)/2)",
                sp.expand_log(2 * (q + gamma) * sp.log(1 / d * sp.sqrt((q + gamma) / gamma)), force=True).expand(),
                sp.expand_log(boundary_squared, force=True).expand(),
            ),
            identity(
                "at the boundary the normal mixture sqrt(gamma/(q+gamma)) exp(u^2/(2(q+gamma))) equals 1/delta",
                sp.expand_log(
                    sp.log(gamma / (q + gamma)) / 2 + boundary_squared / (2 * (q + gamma)), force=True
                ).simplify(),
                l,
            ),
            Step(
                "one-sided: the half-normal mixture is twice Phi(..) >= 1/2 times that, so it is at least "
                "1/delta there",
                lambda: enclosure(lambda ar: ar.normal_cdf(Fraction(1, 10**6))).lower > Fraction(1, 2),
            ),
        ),
    )


def zeta_enclosure() -> tuple[Fraction, Fraction]:
    """zeta(7/5) by 2,000 terms and the integral bounds of the tail: sum <= zeta - head, both ends rigorous."""
    terms = 2000

    def power(base: int):
        return lambda ar: ar.exp(-Fraction(7, 5) * ar.log(base))

    def head(ar):
        return ar.sum([Fraction(1), *(power(k)(ar) for k in range(2, terms))])

    def tail_from(start: int):
        # The integral of t^(-7/5) from start on: (5/2) start^(-2/5).
        return lambda ar: Fraction(5, 2) * ar.exp(-Fraction(2, 5) * ar.log(start))

    low = enclosure(lambda ar: head(ar) + tail_from(terms)(ar), 15).lower
    # Convexity: the trapezoid bounds the tail by the integral plus half the first term, plus nothing more than the
    # next term's share; the crude upper bound adds the whole first term.
    high = enclosure(lambda ar: head(ar) + tail_from(terms)(ar) + power(terms)(ar), 15).upper
    return low, high


def stitched() -> Derivation:
    """1.7, 0.72 and 5.2 are upward roundings of Howard et al.'s constants at eta = 2, s = 1.4."""

    def k1(ar):
        # (eta^(1/4) + eta^(-1/4))/sqrt 2, eta = 2
        fourth = ar.sqrt(ar.sqrt(2))
        return (fourth + 1 / fourth) / ar.sqrt(2)

    def zeta_ratio() -> bool:
        low, high = zeta_enclosure()
        scale = enclosure(lambda ar: ar.exp(-Fraction(7, 5) * ar.log(ar.log(2))))
        value = (low * scale.lower, high * scale.upper)
        return Fraction(518, 100) < value[0] <= value[1] <= Fraction(52, 10)

    w = sp.Symbol("w", positive=True)
    constant = sp.Symbol("C", positive=True)
    return Derivation(
        "the stitched constants",
        ("whitehouse2023/thm6.boundary", "whitehouse2023/thm3.stitched"),
        (
            identity(
                "Howard et al. eq. (11): k1 sqrt(V (s log log(eta V/m) + log(zeta(s)/(delta log^s eta)))) "
                "= k1 sqrt s sqrt(V(loglog + (1/s) log(..)))",
                sp.Rational(7, 5) * (w + constant / sp.Rational(7, 5)),
                sp.Rational(7, 5) * w + constant,
            ),
            below("k1 sqrt s <= 1.7", lambda ar: k1(ar) * ar.sqrt(Fraction(7, 5)), lambda ar: Fraction(17, 10)),
            below(
                "and is 1.6985 or more", lambda ar: Fraction(16985, 10000), lambda ar: k1(ar) * ar.sqrt(Fraction(7, 5))
            ),
            Step("1/s = 5/7 <= 0.72, rounded up", lambda: Fraction(5, 7) <= Fraction(72, 100)),
            Step("zeta(1.4)/log(2)^1.4 <= 5.2, and above 5.18", zeta_ratio),
            below(
                "at V = v0 the radicand is positive even for delta -> 1: log log 2 + 0.72 log 5.2 > 0",
                lambda ar: -ar.log(ar.log(2)),
                lambda ar: Fraction(72, 100) * ar.log(Fraction(52, 10)),
            ),
            Step(
                "rounding 1/s up needs log(5.2/delta) >= 0: 5.2/delta > 1 for delta in (0, 1)",
                lambda: Fraction(52, 10) > 1,
            ),
        ),
    )


def drift() -> Derivation:
    """eps tanh(eps/2) <= eps^2/2 <= eps (e^eps - 1)/2 on eps >= 0."""
    e = sp.Symbol("e", nonnegative=True)
    z = sp.exp(e)
    return Derivation(
        "the three drifts",
        ("whitehouse2023/lem10.kl_tight", "whitehouse2023/lem10.kl_bound", "whitehouse2023/eq2.eps"),
        (
            identity("tanh(eps/2) = (e^eps - 1)/(e^eps + 1)", sp.tanh(e / 2), (z - 1) / (z + 1)),
            identity(
                "d/de (e/2 - (z-1)/(z+1)) = (z-1)^2/(2(z+1)^2) >= 0, and it vanishes at 0",
                sp.diff(e / 2 - (z - 1) / (z + 1), e),
                (z - 1) ** 2 / (2 * (z + 1) ** 2),
            ),
            increasing_from_zero("so eps/2 >= tanh(eps/2)", e / 2 - (z - 1) / (z + 1), e, 1),
            identity("d/de ((z-1)/2 - e/2) = (z-1)/2", sp.diff((z - 1) / 2 - e / 2, e), (z - 1) / 2),
            Step(
                "(e^eps - 1)/2 >= eps/2: value and slope are 0 at 0 and the second derivative e^eps/2 is positive",
                lambda: (
                    sp.diff((z - 1) / 2 - e / 2, e, 2) == z / 2
                    and bool((z / 2).is_positive)
                    and ((z - 1) / 2 - e / 2).subs(e, 0) == 0
                    and sp.diff((z - 1) / 2 - e / 2, e).subs(e, 0) == 0
                ),
            ),
            Step(
                "eps tanh(eps/2) = eps^2/2 - eps^4/24 + O(eps^6)",
                lambda: sp.series(e * sp.tanh(e / 2), e, 0, 6).removeO() == e**2 / 2 - e**4 / 24,
            ),
            Step(
                "attained: the expected loss of randomized response is eps (p - q), p = e^eps/(1+e^eps)",
                lambda: sp.simplify(e * (z / (1 + z)) - e / (1 + z) - e * (z - 1) / (z + 1)) == 0,
            ),
        ),
    )


#: What the repaired odometer rests on, as the sentences print it and as the checks use it.
RANGE = 2 * eps
VARIANCE = eps**2
MEAN = eps**2 / 2
DELTA = sp.Symbol("delta", positive=True)
TERM = 1 / (1 - DELTA)


def bernoulli_log_moment(theta: sp.Expr, u: sp.Expr) -> sp.Expr:
    """log E e^(u (B - theta)) of a bit B that is 1 with probability theta."""
    return sp.log(1 - theta + theta * sp.exp(u)) - theta * u


def hoeffding() -> tuple[Step, ...]:
    """Hoeffding's lemma: E e^(lambda (X - E X)) <= e^((lambda width)^2/8) for X in an interval of that width."""
    u = sp.Symbol("u", real=True, nonzero=True)
    odds = sp.Symbol("odds", positive=True)
    # A share of an interval in (0, 1), and the slope of the bit's log moment, which lies there too.
    theta = odds / (1 + odds)
    place = sp.Symbol("place", real=True)
    chord = 1 - place + place * sp.exp(u) - sp.exp(place * u)
    tilted = theta * sp.exp(u) / (1 - theta + theta * sp.exp(u))
    bound = u**2 / 8
    excess = bound - bernoulli_log_moment(theta, u)
    scale = sp.Symbol("lambda", real=True)
    return (
        Step(
            "Hoeffding, the extremal law: e^(u x) lies below its chord on [0, 1]: chord minus curve is 0 at both ends",
            lambda: chord.subs(place, 0) == 0 and chord.subs(place, 1) == 0,
        ),
        positive("and concave between them", -sp.diff(chord, place, 2)),
        identity(
            "so of all laws on [0, 1] with mean theta the bit has the largest E e^(u X): the chord at the mean",
            (chord + sp.exp(place * u)).subs(place, theta),
            sp.exp(bernoulli_log_moment(theta, u) + theta * u),
        ),
        Step(
            f"the bit's log moment is below {bound}: their difference and its slope are 0 at u = 0",
            lambda: sp.simplify(excess.subs(u, 0)) == 0 and sp.simplify(sp.diff(excess, u).subs(u, 0)) == 0,
        ),
        identity(
            "and its second derivative is (1/2 - s)^2 >= 0, s = theta e^u/(1 - theta + theta e^u)",
            sp.diff(excess, u, 2),
            (sp.Rational(1, 2) - tilted) ** 2,
        ),
        identity(
            f"on an interval of width {RANGE}: (lambda {RANGE})^2/8 = lambda^2 ({VARIANCE})/2, {VARIANCE} the variance",
            bound.subs(u, scale * RANGE),
            scale**2 * VARIANCE / 2,
        ),
        Step(
            f"at lambda = -1: 1 = E e^-L' <= e^(-E L' + {VARIANCE / 2}), so E L' is at most {MEAN}",
            lambda: sp.solve(-place + bound.subs(u, -RANGE), place) == [MEAN],
        ),
    )


def conditioned_round() -> tuple[Step, ...]:
    """One round of laws P, Q given that its loss lies in [-eps, eps]: the loss L' of the conditioned laws P_G, Q_G."""
    size = 4
    p, q = sp.symbols("p q", positive=True)
    P, Q = sp.symbols(f"P:{size}", positive=True), sp.symbols(f"Q:{size}", positive=True)  # noqa: N806
    d = proper_fraction("d")
    spare, more = sp.symbols("spare more", nonnegative=True)
    worst, least = (1 / (1 + spare)), 1 - d + more
    shift = sp.Symbol("shift", real=True)
    P_G, Q_G = [[w / total for w in law] for law, total in ((P, sp.Add(*P)), (Q, sp.Add(*Q)))]  # noqa: N806
    losses = [sp.log(a / b) for a, b in zip(P_G, Q_G, strict=True)]
    term = TERM.subs(DELTA, d)
    return (
        identity(
            "given the good event G, p = P(G), q = Q(G): log(P/Q) = L' + log(p/q), L' = log((P/p)/(Q/q))",
            sp.expand_log(sp.log(P[0] / Q[0]) - sp.log((P[0] / p) / (Q[0] / q)), force=True),
            sp.log(p) - sp.log(q),
        ),
        nonnegative(
            f"for every p <= 1 and q >= 1 - delta: p/q <= {TERM}, whose logarithm is the repair term",
            lambda: sp.simplify(term / (worst / least) - 1),
        ),
        Step(
            "which is attained: p = 1, q = 1 - delta",
            lambda: sp.simplify(term / (worst / least) - 1).subs({spare: 0, more: 0}) == 0,
        ),
        identity(
            f"L' = L - log(p/q) with L in [-eps, eps] lies in an interval of width {RANGE}",
            (eps - shift) - (-eps - shift),
            RANGE,
        ),
        identity(
            "E e^-L' under P_G: each outcome contributes P_G e^(-log(P_G/Q_G)) = Q_G",
            p * sp.exp(-sp.log(p / q)),
            q,
        ),
        identity(
            f"and Q_G is a law, so E e^-L' = 1 (here for every law on {size} outcomes)",
            sum(a * sp.exp(-loss) for a, loss in zip(P_G, losses, strict=True)),
            1,
        ),
    )


def two_round_tree() -> tuple[Step, ...]:
    """Two rounds with two good outcomes and a bad one, the second round's law and delta chosen by the first outcome."""
    rests = sp.symbols("rest:3", nonnegative=True)
    split = [proper_fraction(f"s{j}") for j in range(3)]
    bad = [proper_fraction(f"b{j}") for j in range(3)]

    def law(j: int) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
        return (1 - bad[j]) * split[j], (1 - bad[j]) * (1 - split[j]), bad[j]

    first = law(0)
    paths = [(mine, law(j + 1)[place], first[2], bad[j + 1]) for j, mine in enumerate(first[:2]) for place in range(2)]
    masses = [mine * then for mine, then, _, _ in paths]
    conditioned = [mine / (1 - b) * then / (1 - c) for mine, then, b, c in paths]
    # The deltas are at least the bad masses, and on each branch sum to at most delta''.
    total = sp.Symbol("total", positive=True)
    branch = [bad[0] + rests[0] + bad[j] + rests[j] for j in (1, 2)]
    lost = first[2] + first[0] * bad[1] + first[1] * bad[2]
    mean_of_branches = sum(share * cost for share, cost in zip((split[0], 1 - split[0]), branch, strict=True))
    return (
        identity("under the conditioned process the good paths are all there is", sum(conditioned), 1),
        Step(
            "each good path has at most its mass under the conditioned process: P(A and all rounds good) <= P_G(A)",
            lambda: all(
                sp.factor(sp.together(more - mass)).is_nonnegative
                for mass, more in zip(masses, conditioned, strict=True)
            ),
        ),
        identity("the others have the bad masses", 1 - sum(masses), lost),
        nonnegative(
            "which are at most the mean, over the first round's good outcomes, of the deltas on the branch",
            sp.expand(sp.numer(sp.together(mean_of_branches - lost))),
        ),
        nonnegative(
            "and so at most delta'', as each branch's deltas sum to delta'' less something",
            total - (split[0] * (total - rests[1]) + (1 - split[0]) * (total - rests[2])),
        ),
    )


def witness_term() -> Step:
    """The bit of E4 needs all of the repair term."""
    d = sp.Symbol("d", positive=True)
    catalogue.load()
    registered = statement("whitehouse2023/thm3.repair_term").function(SymbolicArithmetic(), delta=((d, 1),))
    return identity(
        "the witness of E4, x -> a, x' -> a w.p. 1 - d, has P_G = Q_G and the loss log(1/(1 - d)): the registered term",
        sp.expand_log(sp.log(1 / (1 - d)), force=True),
        registered,
    )


def repaired() -> Derivation:
    """The repaired pDP odometer: u_n + sum log(1/(1 - delta_m))."""
    return Derivation(
        "the repaired pDP odometer",
        (
            "whitehouse2023/thm3.repair_term",
            "whitehouse2023/thm3.filter.repaired",
            "whitehouse2023/thm3.mixture.repaired",
            "whitehouse2023/thm3.stitched.repaired",
        ),
        (*conditioned_round(), *hoeffding(), *two_round_tree(), witness_term()),
    )


DERIVATIONS = (theorem_2(), tangent(), mixture(), stitched(), drift(), repaired())
