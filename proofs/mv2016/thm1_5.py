"""Optimal composition of (eps_i, delta_i)-DP rounds: the least eps_g with

  1/prod(1 + e^eps_i) sum over sets S of rounds of max(e^(sum_S eps_i) - e^eps_g e^(sum outside S eps_i), 0)
  <= 1 - (1 - delta_g)/prod(1 - delta_i),

and solved for delta_g. With Gaussian rounds besides, each outcome of the randomized responses leaves the profile of
sqrt(sum mu_j^2)-Gaussian DP at eps_g minus its loss (ours, by the dominating pairs).

Hypotheses: parameters fixed in advance. Source: Theorem 1.5 of Murtagh, Vadhan 2016, as the seed papers use it.
"""

from fractions import Fraction
from itertools import product

import sympy as sp

from proofs.gdp.cor1 import profile_slope
from proofs.numerals import by_sympy, meet
from proofs.transcription import Property, Root, Sum, Transcription, phi

F = Fraction
DIGITS = 60


def pure(eps, eps_g):
    """The left side, by all subsets, at 60 digits."""
    values = [sp.Rational(e) for e in eps]
    total = sp.S.Zero
    for chosen in product((True, False), repeat=len(values)):
        inside = sum((e for e, c in zip(values, chosen, strict=True) if c), sp.S.Zero)
        term = sp.exp(inside) - sp.exp(eps_g + sum(values, sp.S.Zero) - inside)
        numeric = sp.N(term, DIGITS)
        total += numeric if numeric > 0 else 0
    return total / sp.N(sp.prod([1 + sp.exp(e) for e in values]), DIGITS)


def survival(delta):
    return sp.prod([1 - sp.Rational(d) for d in delta])


def delta_total(eps, delta, eps_g):
    """1 - delta_g = prod(1 - delta_i)(1 - pure)."""
    return 1 - survival(delta) * (1 - pure(eps, sp.Rational(eps_g)))


def on_symbols(eps, delta, eps_g):
    """The formula as printed; a set of rounds counts where what is in it outweighs eps_g and what is not."""
    total = sp.S.Zero
    for chosen in product((True, False), repeat=len(eps)):
        inside = sum((e for e, c in zip(eps, chosen, strict=True) if c), sp.S.Zero)
        outside = sum((e for e, c in zip(eps, chosen, strict=True) if not c), sp.S.Zero)
        if inside > eps_g + outside:
            total += sp.exp(inside) - sp.exp(eps_g + outside)
    pure = total / sp.prod([1 + sp.exp(e) for e in eps])
    return 1 - sp.prod([1 - d for d in delta]) * (1 - pure)


def mixed_on_symbols(eps, delta, mu, eps_g):
    """Every outcome of the randomized responses leaves the Gaussian profile at eps_g minus its loss."""
    weight = sp.prod([1 + sp.exp(e) for e in eps])
    root = sp.sqrt(sum((m**2 for m in mu), sp.S.Zero))
    total = sp.S.Zero
    for signs in product((1, -1), repeat=len(eps)):
        loss = sum((s * e for s, e in zip(signs, eps, strict=True)), sp.S.Zero)
        mass = sp.exp(sum((e for s, e in zip(signs, eps, strict=True) if s == 1), sp.S.Zero)) / weight
        total += mass * profile(root, eps_g - loss)
    return 1 - sp.prod([1 - d for d in delta]) * (1 - total)


def profile(mu, eps):
    return phi(mu / 2 - eps / mu) - sp.exp(eps) * phi(-mu / 2 - eps / mu)


def mixed_total(eps, delta, mu, eps_g):
    square = sum(sp.Rational(m) ** 2 for m in mu)
    if square == 0:
        return delta_total(eps, delta, eps_g)
    values = [sp.Rational(e) for e in eps]
    weight = sp.prod([1 + sp.exp(e) for e in values])
    total = sp.S.Zero
    for signs in product((1, -1), repeat=len(values)):
        loss = sum((s * e for s, e in zip(signs, values, strict=True)), sp.S.Zero)
        mass = sp.exp(sum((e for s, e in zip(signs, values, strict=True) if s == 1), sp.S.Zero)) / weight
        total += sp.N(mass * profile(sp.sqrt(square), sp.Rational(eps_g) - loss), DIGITS)
    return 1 - survival(delta) * (1 - total)


LEDGERS = (
    ((F(1, 2),), (F(0),)),
    ((F(1, 10), F(1, 2), F(1, 3)), (F(0), F(1, 100), F(0))),
    ((F(1), F(1), F(1, 7), F(2, 5)), (F(1, 1000),) * 4),
    ((F(1, 5),) * 5, (F(0),) * 5),
    ((F(0), F(3, 4)), (F(1, 10), F(0))),
)


def equal_on_symbols(eps, delta, delta_g):
    """Solved for eps_g where the rounds have one eps: the segment of the curve around what the delta_i leave."""
    rest = 1 - (1 - delta_g) / sp.prod([1 - d for d in delta])
    if rest < 0:
        return "inf"
    k, x = len(eps), sp.exp(eps[0])
    if rest == 0:
        return k * eps[0]

    def masses(i):
        """Under either input the probability of the losses k eps, ..., (k - 2i) eps."""
        unit = (1 + x) ** k
        return (
            sum(sp.binomial(k, l) * x ** (k - l) for l in range(i + 1)) / unit,
            sum(sp.binomial(k, l) * x**l for l in range(i + 1)) / unit,
        )

    for i in range((k + 1) // 2):
        p, q = masses(i)
        # The curve at the segment's lower end, which is 0 for the last one.
        end = max(k - 2 * (i + 1), 0)
        if p - x**end * q > rest:
            return sp.log((p - rest) / q)
    return sp.S.Zero


def within(code, value, **inputs):
    # Of 60 digits fewer than 15 are lost to roundings and to what cancels.
    assert meet(code.enclosed(25, **inputs), by_sympy(value, 45)), inputs


def delta(code):
    for eps, deltas in LEDGERS:
        for eps_g in (F(0), F(1, 7), F(1, 2)):
            within(code, delta_total(eps, deltas, eps_g), eps=eps, delta=deltas, eps_g=eps_g)


def inverse(total):
    def check(code):
        """delta falls in eps_g, and on both sides of the answer it lies on both sides of delta_g."""
        for eps, deltas, *rest in LEDGERS if total is delta_total else MIXED:
            more = {"mu": rest[0]} if rest else {}
            assert code.exact(eps=eps, delta=deltas, delta_g=F(1), **more) == 0
            for asked in (F(1, 5), F(3, 20)):
                low, high = code.enclosed(25, eps=eps, delta=deltas, delta_g=asked, **more)
                width = max(high - low, F(1, 10**25))
                after = total(eps, deltas, *rest, high + width)
                assert after <= sp.Rational(asked)
                if low > 0:
                    assert total(eps, deltas, *rest, low - width) > sp.Rational(asked)

    return check


MIXED = (
    ((F(1, 2), F(1, 3)), (F(0), F(1, 100)), (F(1), F(1, 2))),
    ((F(1, 5),) * 3, (F(0),) * 3, (F(1, 3),)),
    ((), (), (F(1),)),
)


def mixed(code):
    for eps, deltas, mu in MIXED:
        for eps_g in (F(0), F(1, 2), F(2)):
            within(code, mixed_total(eps, deltas, mu, eps_g), eps=eps, delta=deltas, mu=mu, eps_g=eps_g)


d1, d2, asked = (sp.Symbol(name, nonnegative=True) for name in ("d1", "d2", "asked"))

eps_g = sp.Symbol("g", nonnegative=True)


def distinct(size):
    """That many different rounds, ascending, every eps > 0 and delta in (0, 1); and delta = 0."""
    steps = [sp.Symbol(f"e{i}", positive=True) for i in range(size)]
    eps = tuple(sum(steps[: i + 1], sp.S.Zero) for i in range(size))
    deltas = tuple(1 - 1 / (1 + sp.Symbol(f"t{i}", positive=True)) for i in range(size))
    return tuple({"eps": eps, "delta": delta, "eps_g": eps_g} for delta in (deltas, (sp.S.Zero,) * size))


e, g, h, m, n = sp.symbols("e g h m n", positive=True)
#: Two rounds of e < f and eps_g: 0, below f - e, there, between f - e and e + f, there, above.
PLACES = (
    ((e, e + h), sp.S.Zero),
    ((e, e + g + h), g),
    ((e, e + g), g),
    (((m + n) / 2, (m + n) / 2 + h), h + m),
    ((m / 2, m / 2 + h), h + m),
    ((e, e + h), 2 * e + h + g),
)


def gaussians(size):
    return tuple(sp.Symbol(f"m{i}", positive=True) for i in range(size))


def outcomes(eps):
    """Each outcome of the randomized responses: e^-(what is lost against the data), and the total loss."""
    for wrong in product((False, True), repeat=len(eps)):
        lost = sum((e for e, w in zip(eps, wrong, strict=True) if w), sp.S.Zero)
        yield sp.exp(-lost), sum(eps, sp.S.Zero) - 2 * lost


def mixed_inverse(root, eps, delta, mu, delta_g):
    """The least eps_g >= 0 at which the sum over all outcomes is at most delta_g, which is a probability."""
    if delta_g == 1:
        return sp.S.Zero
    square_root = sp.sqrt(sum(m**2 for m in mu))

    def shortfall(at):
        found = sum(mass * profile(square_root, at - loss) for mass, loss in outcomes(eps))
        return sp.log(delta_g) - sp.log(found / sp.prod([1 + sp.exp(-e) for e in eps]))

    return sp.S.Zero if shortfall(sp.S.Zero) >= 0 else root(shortfall)


def mixed_slope(at, eps, delta, mu, delta_g):
    """Each outcome's profile falls as it does in proofs/gdp/cor1.py; so does their average."""
    above, below = [], []
    for mass, loss in outcomes(eps):
        falls, stands = profile_slope(sp.sqrt(sum(m**2 for m in mu)), at - loss)
        above.append((mass, *falls))
        below.append((mass, *stands))
    return (Sum(tuple(above)),), (Sum(tuple(below)),)


PROVES = (
    Root(
        "mv2016/mixed.eps",
        mixed_inverse,
        sp.Symbol("x", positive=True),
        tuple(
            {
                "eps": distinct(size)[1]["eps"],
                "delta": (sp.S.Zero,) * size,
                "mu": gaussians(1),
                "delta_g": sp.exp(-sp.Symbol("log_inverse", positive=True)),
            }
            for size in (0, 1)
        ),
        "every delta_g in (0, 1); one Gaussian round, alone and beside one of eps > 0, delta_i = 0: the same root, "
        "the only one by the cover of gdp/profile.eps",
        mixed_slope,
        status="cases",
    ),
    Transcription(
        "mv2016/optimal.delta",
        on_symbols,
        tuple({**case, "eps": eps, "eps_g": place} for case in distinct(2) for eps, place in PLACES),
        "every two rounds of different eps > 0, every delta_i in [0, 1), every eps_g; ties between sums included",
        "cases",
    ),
    Transcription(
        "mv2016/mixed.delta",
        mixed_on_symbols,
        tuple({**case, "mu": gaussians(n)} for size, n in ((0, 1), (0, 2), (1, 1), (2, 1)) for case in distinct(size)),
        "every eps_g; up to 2 Gaussian rounds alone, up to 2 rounds of different eps > 0 beside one",
        "cases",
    ),
    Property("mv2016/optimal.delta", delta, "15 inputs of up to 5 rounds, the sum over all subsets, 25 digits", "grid"),
    Transcription(
        "mv2016/optimal.eps",
        equal_on_symbols,
        tuple(
            {"eps": (e,) * size, "delta": delta, "delta_g": 1 - 1 / (1 + asked)}
            for size in (1, 2, 3)
            for delta in (distinct(size)[0]["delta"], (sp.S.Zero,) * size)
        ),
        "1, 2 and 3 rounds of one eps > 0, every delta_i in [0, 1), every delta_g in [0, 1), every segment",
        "cases",
    ),
    Property(
        "mv2016/optimal.eps",
        inverse(delta_total),
        "10 inputs: the sum over all subsets straddles delta_g; a search in numbers",
        "grid",
    ),
    Property(
        "mv2016/mixed.delta", mixed, "9 inputs with Gaussian rounds, the sum over all outcomes, 25 digits", "grid"
    ),
    Property("mv2016/mixed.eps", inverse(mixed_total), "6 inputs: the sum over all outcomes straddles delta_g", "grid"),
    Transcription(
        "mv2016/optimal.delta",
        lambda eps, delta, eps_g: 1 - sp.prod([1 - d for d in delta]),
        tuple(
            {"eps": (F(0),) * n, "delta": (F(1, 10), F(1, 7), F(0))[:n], "eps_g": g}
            for n in (0, 1, 2, 3)
            for g in (F(0), F(1))
        ),
        "rounds of eps = 0: the mass that is revealed",
        "grid",
    ),
)
