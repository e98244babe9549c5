"""The tight conversion of rho-zCDP: delta(eps) = inf over alpha > 1 of
exp((alpha - 1)(alpha rho - eps))/(alpha - 1) (1 - 1/alpha)^alpha, and its inverse eps(delta).

No closed form. Proved of the running code: with J(alpha) the logarithm of the objective, J' is the function whose root
it brackets; J'' > 0, so the root is the minimum; at the root J equals minus the code's log(1/delta); and the two code
helpers are the parametrisation of the same curve by alpha (the eps one solves J' = 0 for eps). Then both statements
are checked against a direct minimisation on a grid of orders, from above, and against J at both ends of a bracket,
from below.

Hypotheses: rho-zCDP of all orders. Source: Corollary 13 of Canonne, Kamath, Steinke 2020 (optimised over alpha).
"""

from fractions import Fraction

import sympy as sp

from proofs.numerals import by_sympy, image, least, meet
from proofs.transcription import (
    Chart,
    Claim,
    Property,
    Root,
    Transcription,
    phi,
    proper_fraction,
    rounds,
    total,
    vanishes,
)

a = sp.Symbol("u", positive=True) + 1
alpha = sp.Symbol("alpha", positive=True)
rho = sp.Symbol("rho", positive=True)
eps = sp.Symbol("eps", positive=True)
MODULE = "privref.guarantees.conversions"


def log_objective(alpha, rho, eps):
    return (alpha - 1) * (alpha * rho - eps) - sp.log(alpha - 1) + alpha * sp.log(1 - 1 / alpha)


def parametrisation(code):
    u = sp.Symbol("u", positive=True)
    J = log_objective(alpha, rho, eps)  # noqa: N806
    first = sp.diff(J, alpha).subs(alpha, a)
    eps_at = code.helper(f"{MODULE}:cks_eps_at")
    log_at = code.helper(f"{MODULE}:cks_log_inverse_delta_at")
    # J' is increasing (J'' > 0 below) and zero exactly where the code's eps equals eps.
    assert vanishes(first - (eps_at(rho, a) - eps))
    second = sp.simplify(sp.diff(J, alpha, 2).subs(alpha, a))
    assert vanishes(second - (2 * rho + 1 / (u * (1 + u))))
    assert second.is_positive or sp.simplify(second - 2 * rho).is_positive
    # At that order the objective is exp(-(alpha-1)^2 rho)/alpha.
    minimum = log_objective(a, rho, eps_at(rho, a))
    assert vanishes(sp.expand_log(sp.simplify(minimum + log_at(rho, a)), force=False))
    # log(1/delta) increases in alpha, so the inverse is a root of a monotone function.
    assert sp.simplify(sp.diff(log_at(rho, a), u)).is_positive
    # J' tends to -oo at alpha = 1 and to +oo at infinity: the root exists.
    assert sp.limit(sp.diff(J, alpha).subs({rho: 1, eps: 3}), alpha, 1, "+") == -sp.oo
    assert sp.limit(sp.diff(J, alpha).subs({rho: 1, eps: 3}), alpha, sp.oo) == sp.oo


def delta(code):
    parametrisation(code)
    for r, e in ((Fraction(1, 10), Fraction(1)), (Fraction(2), Fraction(15)), (Fraction(1, 1000), Fraction(1, 4))):
        low, high = code.enclosed(25, rho=r, eps=e)
        orders = [1 + sp.Rational(2**j, 64) for j in range(16)]
        best = min(by_sympy(sp.exp(log_objective(o, sp.Rational(r), sp.Rational(e))), 30)[1] for o in orders)
        assert low <= best, "no order does better than the infimum"
        infimum = least(log_objective(alpha, sp.Rational(r), sp.Rational(e)), alpha, sp.Rational(1 + e / (2 * r)))
        assert meet((low, high), image(sp.exp, infimum))


def epsilon(code):
    parametrisation(code)
    # Large delta: the orders give a negative epsilon, so 0; and one that is positive and small.
    assert code.enclosed(25, rho=Fraction(1, 10), delta=Fraction(9, 10)) == (0, 0)
    low, high = code.enclosed(25, rho=Fraction(1, 10), delta=Fraction(1, 10))
    assert 0 < low <= high < 1
    for r, d in (
        (Fraction(1, 10), Fraction(1, 10**6)),
        (Fraction(2), Fraction(1, 10**10)),
        (Fraction(1, 10), Fraction(1, 10)),
    ):
        low, high = code.enclosed(25, rho=r, delta=d)
        start = sp.N(1 + sp.sqrt(sp.log(1 / sp.Rational(d)) / sp.Rational(r)), 30)
        # The least objective falls with eps: at the code's ends it is on either side of the delta that was asked for.
        above, below = (
            least(log_objective(alpha, sp.Rational(r), sp.Rational(end)), alpha, start) for end in (low, high)
        )
        asked = by_sympy(sp.log(sp.Rational(d)))
        assert below[0] <= asked[1]
        assert asked[0] <= above[1]


def largest_rho(code):
    """At the rho returned, the infimum over the orders at eps is the delta that was asked for."""
    for e, d, near in (
        (Fraction(1), Fraction(1, 10**5), None),
        (Fraction(10), Fraction(1, 10**10), None),
        (Fraction(5), Fraction(9, 10), sp.Float("1.01", 30)),
    ):
        low, high = code.enclosed(25, eps=e, delta=d)
        # The best order is near eps/(2 rho) for small delta, and near 1 for a delta near 1.
        start = sp.N(1 + sp.Rational(e) / (2 * sp.Rational(low)), 30) if near is None else near
        below, above = (
            least(log_objective(alpha, sp.Rational(end), sp.Rational(e)), alpha, start) for end in (low, high)
        )
        asked = by_sympy(sp.log(sp.Rational(d)))
        assert below[0] <= asked[1]
        assert asked[0] <= above[1]
    # The objective at every order increases with rho, so the infimum does.
    assert vanishes(sp.diff(log_objective(a, rho, eps), rho) - a * (a - 1))


def one_order(order, eps_order, delta):
    """Proposition 12 at one order."""
    return eps_order + sp.log(1 - 1 / order) - (sp.log(delta) + sp.log(order)) / (order - 1)


def objective_agrees(code):
    """Solved for delta, Proposition 12 at divergence rho alpha is Corollary 13's objective."""
    d = sp.Symbol("d", positive=True)
    bound = one_order(a, rho * a, d)
    solved = (a - 1) * (rho * a - eps) + (a - 1) * sp.log(1 - 1 / a) - sp.log(a)
    assert vanishes(sp.expand(bound.subs(d, sp.exp(solved)) - eps))
    assert vanishes(sp.expand_log(sp.simplify(solved - log_objective(a, rho, eps)), force=False).simplify())


def every_order(code, rho, p, q):
    """Renyi divergence at most rho alpha at every order alpha = 1 + b > 1: e^(rho b (1 + b)) exceeds the moment."""
    loss, other = sp.log(p / q), sp.log((1 - p) / (1 - q))
    if max(loss, other) <= rho:
        # No divergence exceeds the largest loss, and rho alpha is at least rho.
        return
    b, box = sp.symbols("b box", nonnegative=True)
    excess = sp.exp(rho * b * (1 + b)) - p * sp.exp(b * loss) - (1 - p) * sp.exp(b * other)
    assert excess.subs(b, 0) == 0
    start, end = Fraction(1, 2), int(sp.ceiling(max(loss, other) / rho))
    assert rho * (1 + end) >= max(loss, other)
    for quantity, low, high in ((sp.diff(excess, b), 0, start), (excess, start, end)):
        chart = Chart({box: (Fraction(low), Fraction(high))}, {b: box})
        code.positive(
            Claim("the moment is small enough", quantity, {b: (sp.Rational(low), sp.Rational(high))}, (chart,))
        )


def two_points(code):
    """delta = p - e^eps q for pairs that are rho-zCDP, at every order, both ways; refused where they are not."""
    for r, p, q in (
        (Fraction(1, 2), Fraction(11, 20), Fraction(9, 20)),
        (Fraction(1, 10), Fraction(1, 100), Fraction(1, 200)),
    ):
        e = Fraction(1, 10)
        low, high = code.enclosed(25, rho=r, eps=e, p=p, q=q)
        value = sp.Rational(p) - sp.exp(sp.Rational(e)) * sp.Rational(q)
        assert sp.Rational(low) <= sp.N(value, 40) <= sp.Rational(high)
        for x, y in ((sp.Rational(p), sp.Rational(q)), (sp.Rational(q), sp.Rational(p))):
            every_order(code, sp.Rational(r), x, y)
    # P from Q diverges by 1/4 log 2 or more; in the second pair Q from P does, whose rare outcome is the other one.
    assert code.refuses(rho=Fraction(1, 1000), eps=Fraction(0), p=Fraction(1, 2), q=Fraction(1, 4))
    assert code.refuses(rho=Fraction(1, 2), eps=Fraction(0), p=Fraction(999, 1000), q=Fraction(9, 10))


def gaussian_profile(rho, eps):
    """Corollary 1 of Dong, Roth, Su at mu = sqrt(2 sum rho)."""
    if not rho:
        return sp.S.Zero
    mu = sp.sqrt(2 * total(c * r for r, c in rho))

    return phi(mu / 2 - eps / mu) - sp.exp(eps) * phi(-mu / 2 - eps / mu)


def gaussian_renyi(code):
    """The Renyi divergence of order alpha of N(mu, 1) from N(0, 1) is alpha mu^2/2: complete the square."""
    x, m = sp.symbols("x m", real=True)
    exponent = -alpha * (x - m) ** 2 / 2 - (1 - alpha) * x**2 / 2
    square = -((x - alpha * m) ** 2) / 2 + alpha * (alpha - 1) * m**2 / 2
    assert vanishes(sp.expand(exponent - square))
    mu = sp.sqrt(2 * rho)
    assert vanishes(alpha * mu**2 / 2 - alpha * rho)


def log_slope(order, rho, eps):
    return sp.diff(log_objective(alpha, rho, eps), alpha).subs(alpha, order)


def stationary_eps(order, rho):
    """The eps at which that order is the best one."""
    found = (2 * order - 1) * rho + sp.log(1 - 1 / order)
    assert vanishes(log_slope(order, rho, found))
    return found


def stationary_rho(order, eps):
    """The rho at which that order is the best one."""
    found = (eps - sp.log(1 - 1 / order)) / (2 * order - 1)
    assert vanishes(log_slope(order, found, eps))
    return found


def tight_delta(root, rho, eps):
    """The objective where its slope vanishes, which is the infimum as the slope increases; 0 without any loss."""
    if rho == 0:
        return sp.S.Zero
    best = root(lambda order: log_slope(order, rho, eps))
    return sp.exp(log_objective(best, rho, stationary_eps(best, rho)))


def tight_eps(root, rho, delta):
    """The eps whose infimum is delta, parametrised by its best order; 0 where that is negative."""
    if rho == 0 or delta == 1:
        return sp.S.Zero
    if delta == 0:
        return "inf"
    best = root(lambda order: sp.log(delta) - log_objective(order, rho, stationary_eps(order, rho)))
    found = stationary_eps(best, rho)
    return sp.S.Zero if found < 0 else found


def tight_rho(root, eps, delta):
    """The rho whose infimum at eps is delta, parametrised by its best order."""
    best = root(lambda order: sp.log(delta) - log_objective(order, stationary_rho(order, eps), eps))
    return stationary_rho(best, eps)


def tight_order(root, eps, delta):
    return root(lambda order: sp.log(delta) - log_objective(order, stationary_rho(order, eps), eps))


def rho_slope(order, eps, delta):
    """Of log(1/delta) at the best order, in a form whose terms are all positive: log(1 + 1/u) is."""
    u = order - 1
    loss = eps + sp.log(1 + 1 / u)
    return (2 * u * (1 + u) * loss / (1 + 2 * u) ** 2 + 1 / (1 + 2 * u),), ()


slack = sp.exp(-sp.Symbol("log_inverse", positive=True))
EDGES = ({"rho": sp.S.Zero, "delta": slack}, {"rho": rho, "delta": sp.S.Zero}, {"rho": rho, "delta": sp.S.One})
ROOT = "the same root of the same equation, by SymPy, and the only one: "

PROVES = (
    Root(
        "cks2020/zcdp2dp.delta",
        tight_delta,
        a,
        ({"rho": rho, "eps": sp.Symbol("e", nonnegative=True)}, {"rho": sp.S.Zero, "eps": eps}),
        ROOT + "every rho, eps >= 0",
    ),
    Root(
        "cks2020/zcdp2dp.eps",
        tight_eps,
        a,
        ({"rho": rho, "delta": slack}, *EDGES),
        ROOT + "every rho >= 0, delta in [0, 1]",
    ),
    Root(
        "cks2020/zcdp2dp.rho",
        tight_rho,
        a,
        ({"eps": sp.Symbol("e", nonnegative=True), "delta": slack},),
        ROOT + "every eps >= 0, delta in (0, 1)",
        rho_slope,
    ),
    Root(
        "cks2020/zcdp2dp.order",
        tight_order,
        a,
        ({"eps": sp.Symbol("e", nonnegative=True), "delta": slack},),
        ROOT + "every eps >= 0, delta in (0, 1)",
        rho_slope,
    ),
    Property("cks2020/zcdp2dp.rho", largest_rho, "monotony for all rho; 3 deltas lie between those of both ends"),
    Transcription(
        "cks2020/rdp2dp.eps",
        one_order,
        tuple({"order": a, "eps_order": eps, "delta": delta} for delta in (proper_fraction("t"), sp.Integer(1))),
        "every order > 1, divergence > 0, delta in (0, 1]",
    ),
    Property("cks2020/rdp2dp.eps", objective_agrees, "Proposition 12 solved for delta is Corollary 13's objective"),
    Property(
        "cks2020/two_point_witness.delta",
        two_points,
        "2 pairs, every order by a cover, both directions; two refusals; acceptance is a search",
    ),
    Transcription(
        "cks2020/gaussian_witness.delta",
        gaussian_profile,
        tuple({"rho": rounds("r", n, lowest="positive"), "eps": eps} for n in range(3)),
        "lists of any length with up to 2 different rho",
        "cases",
    ),
    Transcription(
        "cks2020/gaussian_witness.rho",
        lambda rho: total(c * r for r, c in rho),
        tuple({"rho": rounds("r", n)} for n in range(3)),
        "lists of any length with up to 2 different rho",
        "cases",
    ),
    Property("cks2020/gaussian_witness.rho", gaussian_renyi, "every order and mu: the divergence is alpha mu^2/2"),
    Property("cks2020/zcdp2dp.delta", delta, "equation, convexity and parametrisation for all rho, eps > 0; 3 values"),
    Property("cks2020/zcdp2dp.eps", epsilon, "equation, monotony and parametrisation for all rho > 0; 2 values"),
)
