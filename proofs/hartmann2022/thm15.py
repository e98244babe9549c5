"""OptDel, the least delta of every iterative mechanism that may stop after k_1 < ... < k_n rounds: the maximum over
families of sets Q_i of outputs of k_i randomized responses, no output of one a prefix of an output of a later one, of
the sum of Pr_0(Q_i) - e^E_i Pr_1(Q_i) (Theorem 15, equation (3)). Without that restriction: equation (4), which is
Lemma 11 with optimal composition, the sum over i of the delta of k_i rounds at E_i.

Hypotheses: parameters fixed in advance. Source: Lemma 11, Lemma 12, Theorem 15 with "Q in" read as "Q a subset of" and
the sum to n (E14), equation (4).
"""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import sympy as sp

from proofs.numerals import by_sympy, image, least, meet
from proofs.transcription import Property, Transcription

F = Fraction


def symbol_law(x, delta, bit):
    """Lemma 12's table for e^eps = x."""
    zero = (delta, (1 - delta) * x / (1 + x), (1 - delta) / (1 + x), 0 * delta)
    return zero if bit == 0 else (zero[3], zero[2], zero[1], zero[0])


def gains(xs, deltas, rounds, y):
    """For every output q of that many rounds: Pr_0(q) - y Pr_1(q)."""
    found = {}
    for q in product(range(4), repeat=rounds):
        p0 = p1 = 1
        for symbol, x, delta in zip(q, xs, deltas, strict=False):
            p0 *= symbol_law(x, delta, 0)[symbol]
            p1 *= symbol_law(x, delta, 1)[symbol]
        found[q] = p0 - y * p1
    return found


def positive_part(values):
    return sum((v for v in values if v > 0), 0)


@cache
def optdel(xs, deltas, k, ys):
    """Equation (3). The last Q is best chosen freely among outputs without a claimed prefix; all others are
    enumerated.
    """
    tables = [gains(xs, deltas, rounds, y) for rounds, y in zip(k, ys, strict=True)]
    if len(k) < 3:
        return max(families(tables, k, [()]))
    # There are 17^4 families for k = (1, 2, 3): added up in integers.
    unit = math.lcm(*(gain.denominator for table in tables for gain in table.values()))
    return Fraction(max(families([{q: int(g * unit) for q, g in t.items()} for t in tables], k, [()])), unit)


def families(tables, k, free):
    """The value of every family with the best last Q, within the outputs that begin with one of ``free``."""
    own = {q: gain for q, gain in tables[0].items() if any(q[: len(prefix)] == prefix for prefix in free)}
    if len(tables) == 1:
        yield positive_part(own.values())
        return
    outputs = list(own)
    rest = {q: positive_part(g for r, g in tables[-1].items() if r[: k[0]] == q) for q in outputs}
    for claimed in product((False, True), repeat=len(outputs)):
        if len(tables) == 2:
            yield sum(own[q] if c else rest[q] for q, c in zip(outputs, claimed, strict=True))
        else:
            value = sum(own[q] for q, c in zip(outputs, claimed, strict=True) if c)
            left = [q for q, c in zip(outputs, claimed, strict=True) if not c]
            yield from (value + further for further in families(tables[1:], k[1:], left))


def equal(exp_eps, delta, k, exp_E):  # noqa: N803
    return sp.Rational(optdel((exp_eps,) * k[-1], (delta,) * k[-1], tuple(k), tuple(exp_E)))


def unequal(exp_eps, delta, k, exp_E):  # noqa: N803
    return sp.Rational(optdel(tuple(exp_eps), tuple(delta), tuple(k), tuple(exp_E)))


def optdel_on_symbols(exp_eps, delta, k, exp_E):  # noqa: N803
    """Equation (3) for one or two stopping points: the maximum splits over the outputs of the first, each claimed or
    left to the last, and over the outputs of the last that are left.
    """

    def laws(q):
        p0 = p1 = sp.S.One
        for symbol, x, d in zip(q, exp_eps, delta, strict=False):
            p0 *= symbol_law(x, d, 0)[symbol]
            p1 *= symbol_law(x, d, 1)[symbol]
        return p0, p1

    def left(prefix, unit):
        """What the last claims after a prefix, in a unit of probability."""
        found = sp.S.Zero
        for more in product(range(4), repeat=k[-1] - len(prefix)):
            p0, p1 = laws(prefix + more)
            # An output that the input 1 never gives is free.
            found += p0 / unit - exp_E[-1] * p1 / unit if p1 == 0 or p0 / p1 > exp_E[-1] else 0
        return found

    if len(k) == 1:
        return left((), sp.S.One)
    best = sp.S.Zero
    for q in product(range(4), repeat=k[0]):
        p0, p1 = laws(q)
        # Compared per unit of Pr_1(q), so that only the losses matter.
        unit = sp.S.One if p1 == 0 else p1
        rest = left(q, unit)
        best += p0 - exp_E[0] * p1 if p0 / unit - exp_E[0] * p1 / unit > rest else unit * rest
    return best


def equal_on_symbols(exp_eps, delta, k, exp_E):  # noqa: N803
    return optdel_on_symbols((exp_eps,) * k[-1], (delta,) * k[-1], k, exp_E)


def equation4_of_ratios(exp_eps, delta, k, exp_E):  # noqa: N803
    """Equation (4) on symbols: the sum over all outputs of each number of rounds, those that gain."""
    total = sp.S.Zero
    for rounds, y in zip(k, exp_E, strict=True):
        for q in product(range(4), repeat=rounds):
            p0 = p1 = sp.S.One
            for symbol in q:
                p0 *= symbol_law(exp_eps, delta, 0)[symbol]
                p1 *= symbol_law(exp_eps, delta, 1)[symbol]
            # An output that the input 1 never gives is free.
            total += p0 - y * p1 if p1 == 0 or (p0 != 0 and p0 / p1 > y) else 0
    return total


def equation4(exp_eps, delta, k, exp_E):  # noqa: N803
    return sp.Rational(
        sum(
            positive_part(gains((exp_eps,) * rounds, (delta,) * rounds, rounds, y).values())
            for rounds, y in zip(k, exp_E, strict=True)
        )
    )


CELLS = (
    ((1,), (F(1),)),
    ((1,), (F(7, 4),)),
    ((2,), (F(3, 2),)),
    ((3,), (F(3, 2),)),
    ((1, 2), (F(1), F(3, 2))),
    ((1, 2), (F(3, 2), F(1))),
    ((1, 2), (F(5, 4), F(9, 4))),
    ((1, 2), (F(100), F(100))),
    ((1, 3), (F(5, 4), F(2))),
    ((1, 3), (F(6, 5), F(6, 5))),
)
ROUNDS = ((F(2), F(0)), (F(2), F(1, 10)), (F(11, 10), F(1, 1000)), (F(1), F(1, 10)), (F(3, 2), F(1)))
EQUAL = tuple({"exp_eps": x, "delta": d, "k": k, "exp_E": ys} for x, d in ROUNDS for k, ys in CELLS)
THREE = ((1, 2, 3), (F(5, 4), F(3, 2), F(7, 4)))
EQUAL += tuple(
    {"exp_eps": x, "delta": d, "k": THREE[0], "exp_E": ys}
    for x, d, ys in ((F(2), F(1, 10), THREE[1]), (F(3, 2), F(0), (F(2), F(1), F(1))))
)
UNEQUAL = tuple(
    {"exp_eps": xs, "delta": ds, "k": k, "exp_E": ys}
    for xs, ds in (((F(3, 2), F(2), F(5, 4)), (F(1, 10), F(0), F(1, 20))), ((F(2), F(1), F(3)), (F(0), F(1, 4), F(0))))
    for k, ys in (*CELLS, THREE)
)


def in_nats(code, formula, cases):
    """The same on e^eps and e^E between two rationals: what is lost grows with every eps and falls with every E."""
    for case in cases:
        assert meet(code.enclosed(20, **case), ends_of(formula, case)), case


def ends_of(formula, case):
    """The formula where the e^eps are below what they are and the e^E above, and the other way round."""
    return tuple(formula(side, **case) for side in (0, 1))


def powers(values, side):
    """Rationals next to e^v: below for side 0, above for side 1."""
    return tuple(by_sympy(sp.exp(sp.Rational(v)), 30)[side] for v in values)


def equal_nats(side, eps, delta, k, E):  # noqa: N803
    return optdel(powers([eps], side) * k[-1], (delta,) * k[-1], tuple(k), powers(E, 1 - side))


def unequal_nats(side, eps, delta, k, E):  # noqa: N803
    return optdel(powers(eps, side), tuple(delta), tuple(k), powers(E, 1 - side))


def equation4_nats(side, eps, delta, k, E):  # noqa: N803
    return sum(
        positive_part(gains(powers([eps], side) * rounds, (delta,) * rounds, rounds, y).values())
        for rounds, y in zip(k, powers(E, 1 - side), strict=True)
    )


NATS = tuple(
    {"eps": eps, "delta": delta, "k": k, "E": E}
    for eps, delta in ((F(1, 2), F(1, 10)), (F(1, 10), F(1, 1000)))
    for k, E in (((1,), (F(1, 5),)), ((1, 2), (F(1, 3), F(1, 2))), ((1, 3), (F(1, 10), F(1, 4))))
)
UNEQUAL_NATS = tuple(
    {"eps": (F(1, 2), F(1, 4), F(1, 2)), "delta": (F(0), F(1, 20), F(1, 100)), "k": k, "E": E}
    for k, E in (((1,), (F(1, 5),)), ((1, 2), (F(1, 3), F(1, 2))), ((1, 3), (F(1, 10), F(1, 4))))
)


def equation4_on_symbols(eps, delta, k, E):  # noqa: N803
    """Equation (4) where every E_i is a rational multiple of eps: an output counts if its loss exceeds E_i."""
    total = sp.S.Zero
    x = sp.exp(eps)
    for rounds, cost in zip(k, E, strict=True):
        for q in product(range(4), repeat=rounds):
            p0, p1 = (sp.prod([symbol_law(x, delta, bit)[symbol] for symbol in q]) for bit in (0, 1))
            # A symbol 0 reveals the input 0, a 3 the input 1; a 1 or 2 moves the loss by eps.
            exceeds = 3 not in q and (0 in q or q.count(1) - q.count(2) > sp.simplify(cost / eps))
            total += p0 - sp.exp(cost) * p1 if exceeds else 0
    return total


eps_symbol = sp.log(1 + sp.Symbol("t", positive=True))


def basic(theorem, eps, delta, k, E):  # noqa: N803
    terms = []
    for rounds, cost in zip(k, E, strict=True):
        reached = cost >= rounds * eps
        terms.append((rounds * delta if rounds * delta < 1 else 1) if reached else 1)
    return sum(terms)


def advanced(theorem, eps, delta, k, E):  # noqa: N803
    """delta_i for which rogers2016/thm2.10 gives E_i: E_i = k eps (e^eps - 1) + eps sqrt(2 k log(1/delta^)).

    At eps = 0 it gives 0 for every delta^ > 0, so that only k delta remains.
    """
    terms = []
    for rounds, cost in zip(k, E, strict=True):
        if eps == 0:
            terms.append(rounds * delta if rounds * delta < 1 else 1)
            continue
        room = sp.Max(0, cost - rounds * eps * (sp.exp(eps) - 1))
        # No probability is above 1.
        terms.append(sp.Min(1, rounds * delta + sp.exp(-((room / eps) ** 2) / (2 * rounds))))
    return sum(terms)


def through_zcdp(code):
    """Some round of k gives itself away, or all are k eps^2/2-zCDP: the tight conversion at the optimal order."""
    alpha = sp.Symbol("alpha", positive=True)
    assert code.enclosed(10, theorem="zcdp", eps=F(1, 10), delta=F(1), k=(2,), E=(F(1),)) == (1, 1)
    for eps, delta, rounds, cost in (
        (F(1, 10), F(1, 1000), 10, F(1)),
        (F(1, 2), F(0), 3, F(2)),
        (F(1, 10), F(1, 2), 3, F(1)),
    ):
        rho = rounds * eps**2 / 2
        low, high = code.enclosed(25, theorem="zcdp", eps=eps, delta=delta, k=(rounds,), E=(cost,))
        exponent = (alpha - 1) * (alpha * sp.Rational(rho) - sp.Rational(cost))
        slack = least(exponent - sp.log(alpha - 1) + alpha * sp.log(1 - 1 / alpha), alpha, 1 + cost / (2 * rho))
        known = sum(delta * (1 - delta) ** before for before in range(rounds))
        assert meet((low, high), tuple(known + (1 - known) * end for end in image(sp.exp, slack)))


def optimal_term(code):
    cases = tuple({"theorem": "optimal", **c} for c in NATS)
    in_nats(code, lambda side, theorem, **case: equation4_nats(side, **case), cases)


def bounds(side):
    """lower <= OptDel <= upper, and they are at most the gap apart."""

    def check(code):
        gap = F(1, 10**6)
        for case in UNEQUAL_NATS:
            low, high = code.enclosed(30, gap=gap, **case)
            below, above = ends_of(unequal_nats, case)
            if side == "lower":
                assert below - gap <= high <= above
            else:
                assert below <= low <= above + gap

    return check


def least_scale(code):
    """At the scale returned OptDel is the delta that was asked for; below 1 - (1 - delta)^k there is none."""
    eps, k, shape = F(1, 2), (1, 2), (F(1), F(3, 2))
    for delta, asked in ((F(1, 10), F(1, 4)), (F(0), F(1, 20))):
        low, high = code.enclosed(20, eps=eps, delta=delta, k=k, shape=shape, delta_t=asked)
        # It falls with the scale, so that the ends of the scale are on either side of it.
        smallest = equal_nats(0, eps, delta, k, tuple(high * part for part in shape))
        assert smallest <= asked <= equal_nats(1, eps, delta, k, tuple(low * part for part in shape))
    assert code.exact(eps=eps, delta=F(1, 10), k=k, shape=shape, delta_t=F(1, 100)) == "inf"


def symbolic_rounds(size, name):
    """Every eps > 0 and every delta in (0, 1), a pair for each round; then delta = 0."""
    growths = tuple(1 + sp.Symbol(f"u{name(i)}", positive=True) for i in range(size))
    deltas = tuple(1 - 1 / (1 + sp.Symbol(f"t{name(i)}", positive=True)) for i in range(size))
    return tuple({"exp_eps": growths, "delta": delta} for delta in (deltas, (sp.S.Zero,) * size))


CLAIMS = tuple(1 + sp.Symbol(f"v{i}", positive=True) for i in range(2))
SYMBOLIC = tuple(
    {**case, "k": k, "exp_E": CLAIMS[: len(k)]}
    for k, name in (((1,), str), ((2,), str), ((1, 2), lambda i: "0"))
    for case in symbolic_rounds(k[-1], name)
)


def equal_rounds(claims):
    """Every eps > 0 and delta in [0, 1), with the claims that a function of e^eps and 1/sqrt(1 - delta) gives."""
    t, u = sp.symbols("t u", positive=True)
    for root in (1 + t, sp.S.One):
        for growth, k, exp_e in claims(1 + u, root):
            yield {"exp_eps": growth, "delta": 1 - 1 / root**2, "k": k, "exp_E": exp_e}


def one_stop(x, root):
    """Every e^E >= 1; for three rounds above, at and below one loss of eps, so that no path is impossible."""
    for v in (sp.S.Zero, sp.Symbol("v", positive=True)):
        yield from ((x, (1,), (1 + v,)), (x, (2,), (1 + v,)), (x, (3,), (x * (1 + v),)), (x + v, (3,), (1 + v,)))


def two_stops(x, root):
    """The same for the first and second round: where the first claim costs no less than the second of everything, and
    where it costs less; each where the second is below, at and above two losses, and where after one loss the first
    claim is worth more than going on, as much, or less.
    """
    a, w, z = sp.symbols("a w z", positive=True)
    for b in (sp.S.Zero, a):
        for more in (sp.S.Zero, w):
            yield x + b, (1, 2), ((1 + b) ** 2 / root**2 + more, (1 + b) ** 2)
            yield x, (1, 2), (x**2 * (1 + b) / root**2 + more, x**2 * (1 + b))
        for growth, second in ((x + a, (1 + a) ** 2), (x, x**2)):
            going_on = (growth + second) / (1 + growth) / root**2
            between = (growth + second + growth * (second - 1) * z / (1 + z)) / (1 + growth) / root**2
            for first in (going_on / (1 + z), going_on, between):
                yield growth, (1, 2), (first, second)
        for growth in (x * root**2 * (1 + b), root**2 * (1 + b)):
            if growth != 1:
                yield growth, (1, 2), (1 + b, growth**2 * (1 + z))
        yield x + w, (1, 2), ((x + w) * (1 + w) / root**2, (x + w) ** 2 * (1 + z))
        yield x, (1, 2), (x * (x + b) / root**2, x * (x + b) * (1 + z))


def free_stops(x, root):
    """Equation (4) adds its stopping points: any two costs."""
    yield x, (1, 2), CLAIMS


d = sp.Symbol("d", nonnegative=True)
costs = sp.symbols("E:3", nonnegative=True)
any_eps = sp.log(1 + sp.Symbol("t", nonnegative=True))

PROVES = (
    Property(
        "hartmann2022/thm15.optdel_lower",
        bounds("lower"),
        "3 mechanisms against all families Q; a rounded grid, no formula",
        "grid",
    ),
    Property(
        "hartmann2022/thm15.optdel_upper",
        bounds("upper"),
        "3 mechanisms against all families Q; a rounded grid, no formula",
        "grid",
    ),
    Property(
        "hartmann2022/thm15.least_E",
        least_scale,
        "OptDel at the answer is delta_t, 2 values to 18 digits; no formula",
        "grid",
    ),
    Transcription(
        "hartmann2022/thm15.optdel",
        equal,
        EQUAL,
        "52 mechanisms, up to 3 stopping points, all families Q as printed; a rule planned in integers",
        "grid",
    ),
    Transcription(
        "hartmann2022/thm15.optdel",
        equal_on_symbols,
        (*equal_rounds(one_stop), *equal_rounds(two_stops)),
        "every eps > 0, E_i >= 0, delta in [0, 1); stopping points (1), (2), (3) and (1, 2); the rule by comparisons, "
        "all places left open by the pass in integers, which only saves some of them",
        "cases",
    ),
    Transcription(
        "hartmann2022/thm15.optdel_het",
        unequal,
        UNEQUAL,
        "22 mechanisms, up to 3 stopping points, all families Q",
        "grid",
    ),
    Transcription(
        "hartmann2022/thm15.optdel_het",
        optdel_on_symbols,
        SYMBOLIC,
        "every eps_r, E_i > 0, delta_r in [0, 1); stopping points (1) and (2), and (1, 2) for equal rounds",
        "cases",
    ),
    Transcription(
        "hartmann2022/eq4.lemma11",
        equation4_of_ratios,
        (*equal_rounds(one_stop), *equal_rounds(free_stops)),
        "every eps > 0, E_i >= 0, delta in [0, 1); stopping points (1), (2), (3) and (1, 2)",
        "cases",
    ),
    Transcription(
        "hartmann2022/eq4.lemma11",
        equation4,
        EQUAL,
        "52 mechanisms, the sum over all outputs; in integers",
        "grid",
    ),
    Property(
        "hartmann2022/thm15.optdel_eps",
        lambda code: in_nats(code, equal_nats, NATS),
        "6 mechanisms, all families Q; a pass in integers on a lattice",
        "grid",
    ),
    Property(
        "hartmann2022/thm15.optdel_het_eps",
        lambda code: in_nats(code, unequal_nats, UNEQUAL_NATS),
        "3 mechanisms, all families Q; a pass in integers on a lattice",
        "grid",
    ),
    Transcription(
        "hartmann2022/eq4.lemma11_eps",
        equation4_on_symbols,
        tuple(
            {"eps": eps_symbol, "delta": d, "k": k, "E": tuple(sp.Rational(r) * eps_symbol for r in ratios)}
            for k, ratios in (
                ((1,), ("0",)),
                ((1,), ("1/2",)),
                ((2,), ("1",)),
                ((3,), ("1/3",)),
                ((1, 2), ("1/2", "3/2")),
                ((1, 3), ("2", "1")),
            )
        ),
        "every eps > 0 and delta; 6 sets of stopping points, E_i in a rational ratio to eps, vertices included",
        "cases",
    ),
    Property(
        "hartmann2022/eq4.lemma11_eps",
        lambda code: in_nats(code, equation4_nats, NATS),
        "6 mechanisms, the sum over all outputs",
        "grid",
    ),
    Transcription(
        "hartmann2022/lem11.delta",
        basic,
        tuple({"theorem": "basic", "eps": any_eps, "delta": d, "k": k, "E": costs[: len(k)]} for k in ((1,), (1, 3))),
        "basic composition: every eps, delta, E_i >= 0; stopping points (1) and (1, 3)",
        "cases",
    ),
    Transcription(
        "hartmann2022/lem11.delta",
        advanced,
        tuple(
            {"theorem": "advanced", "eps": any_eps, "delta": d, "k": k, "E": costs[: len(k)]}
            for k in ((1,), (2, 5), (1, 4, 6))
        ),
        "advanced composition: every eps, delta, E_i >= 0; stopping points (1), (2, 5) and (1, 4, 6)",
        "cases",
    ),
    Property(
        "hartmann2022/lem11.delta",
        through_zcdp,
        "zcdp: 3 values to 25 digits",
        "grid",
    ),
    Property("hartmann2022/lem11.delta", optimal_term, "optimal: 6 mechanisms, the sum over all outputs", "grid"),
)
