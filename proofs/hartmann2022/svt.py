"""The sparse vector technique with c' of at most c top answers costs E = eps1 + (c'/c) eps2, delta = 0 (Lemma 8). The
release of the c' entries then has eps3' = eps3 + ((c - c')/c) eps2, that is eps3'/c' each. The optimal split has
eps1/eps2 = 1/(2c)^(2/3).

Hypotheses: sensitivities at most Delta; rho ~ Lap(Delta/eps1), nu ~ Lap(2 c Delta/eps2). Source: Lemma 8, Section 4.1.
"""

from fractions import Fraction
from itertools import pairwise

import mpmath as mp
import sympy as sp

from proofs.transcription import Property, Transcription, vanishes

eps1, eps2, eps3 = sp.symbols("eps1 eps2 eps3", positive=True)
F = Fraction
COUNTS = tuple((c, n) for c in (1, 2, 3, 20) for n in range(min(c, 3) + 1))


def cost(eps1, eps2, c, cprime):
    return eps1 + sp.Rational(cprime, c) * eps2 if cprime <= c else "refused"


def per_entry(eps2, eps3, c, cprime):
    return (eps3 + sp.Rational(c - cprime, c) * eps2) / cprime if cprime <= c else "refused"


def split(code):
    """eps1 + eps2 = eps in the printed ratio, and there the variance of the comparison's noise is least."""
    eps = sp.Symbol("eps", positive=True)
    c = sp.Symbol("c", positive=True, integer=True)
    first, second = code.helper("privref.mechanisms.svt:split")(eps, c)
    assert vanishes(first + second - eps)
    assert vanishes(sp.simplify(first / second) - (2 * c) ** sp.Rational(-2, 3))
    share = sp.Symbol("share", positive=True)
    variance = 2 / share**2 + 2 * (2 * c) ** 2 / (eps - share) ** 2
    assert vanishes(sp.simplify(sp.diff(variance, share).subs(share, eps / (1 + (2 * c) ** sp.Rational(2, 3)))))
    # Each part of the variance is convex in the share, so the stationary point is the minimum.
    assert sp.diff(2 / share**2, share, 2).is_positive


def law(code):
    """Algorithm 2 by quadrature at 40 digits: given the threshold's noise the answers are independent."""
    mp.mp.dps = 40
    for gaps, e1, e2, c in (((F(1), F(-1, 2)), F(1, 2), F(1), 1), ((F(0), F(2), F(-1)), F(1, 3), F(3, 2), 2)):
        b1, b2 = 1 / mp.mpf(e1.numerator) * e1.denominator, 2 * c / mp.mpf(e2.numerator) * e2.denominator
        total = 0
        for answers in sequences(len(gaps), c):

            def density(z, answers=answers, gaps=gaps, b1=b1, b2=b2):
                value = mp.exp(-abs(z) / b1) / (2 * b1)
                for gap, top in zip(gaps, answers, strict=False):
                    # top iff nu >= z - gap, nu ~ Lap(b2)
                    x = z - mp.mpf(gap.numerator) / gap.denominator
                    tail = mp.exp(-x / b2) / 2 if x >= 0 else 1 - mp.exp(x / b2) / 2
                    value *= tail if top else 1 - tail
                return value

            corners = sorted({mp.mpf(0), *(mp.mpf(g.numerator) / g.denominator for g in gaps)})
            value = mp.quad(density, [-mp.inf, *corners, mp.inf])
            low, high = code.enclosed(25, gaps=gaps, answers=answers, eps1=e1, eps2=e2, c=c, sensitivity=F(1))
            middle = (low + high) / 2
            assert abs(value - mp.mpf(middle.numerator) / middle.denominator) < mp.mpf(10) ** -18, answers
            total += middle
        assert abs(total - 1) < F(1, 10**20), "the outputs' probabilities sum to 1"


def sequences(queries, c, prefix=()):
    """Answers until the c-th top or the last query."""
    if len(prefix) == queries or sum(prefix) == c:
        return [prefix]
    return [*sequences(queries, c, (*prefix, 0)), *sequences(queries, c, (*prefix, 1))]


z = sp.Symbol("z", real=True)


def integral(expression, low, high):
    """Of a sum of exponentials of multiples of z from low to high; at an infinite end they vanish."""
    total = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(expression)):
        rate = sum((sp.expand(f.exp).coeff(z) for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)), sp.S.Zero)
        assert sp.expand(sp.diff(term, z) - rate * term) == 0
        if rate == 0:
            total += term * (high - low)
            continue
        for end, sign in ((high, 1), (low, -1)):
            total += 0 if end in (sp.oo, -sp.oo) else sign * (term / rate).subs(z, end)
    return total


def on_symbols(gaps, answers, eps1, eps2, c, sensitivity):
    """Algorithm 2: the threshold's noise z has density e^(-|z|/b1)/(2 b1); top i iff nu_i >= z - gap_i."""
    b1, b2 = sensitivity / eps1, 2 * c * sensitivity / eps2
    corners = [-sp.oo, *sorted({sp.S.Zero, *(gap for gap, _ in zip(gaps, answers, strict=False))}), sp.oo]
    total = sp.S.Zero
    for low, high in pairwise(corners):
        density = sp.exp(-z / b1 if low >= 0 else z / b1) / (2 * b1)
        for gap, top in zip(gaps, answers, strict=False):
            above = sp.exp(-(z - gap) / b2) / 2
            tail = above if low >= gap else 1 - sp.exp((z - gap) / b2) / 2
            density *= tail if top else 1 - tail
        total += integral(density, low, high)
    return total


first, more = sp.symbols("first more", positive=True)
PLACED = ((first,), (-first,), (sp.S.Zero,), (first + more, first), (first, -more))
DELTA = sp.Symbol("Delta", positive=True)
#: eps2 free, and where the noises' rates are one or two times each other, so that a term of the integral is constant.
STREAMS = tuple(
    {"gaps": gaps, "answers": answers, "eps1": eps1, "eps2": second, "c": c, "sensitivity": DELTA}
    for gaps in PLACED
    for c in (len(gaps),)
    for answers in sequences(len(gaps), c)
    for second in (eps2, *(2 * c * eps1 / m for m in range(1, len(gaps) + 1)))
)

PROVES = (
    Transcription(
        "hartmann2022/alg2.probability",
        on_symbols,
        STREAMS,
        "1 and 2 queries, all answers, every eps1, eps2, sensitivity; one gap above, at or below 0, two in 2 places",
        "cases",
    ),
    Property(
        "hartmann2022/alg2.probability",
        law,
        "all outputs of 2 streams, by quadrature to 18 digits; they sum to 1",
        "grid",
    ),
    Transcription(
        "hartmann2022/lem8.cost",
        cost,
        tuple({"eps1": eps1, "eps2": eps2, "c": c, "cprime": n} for c, n in (*COUNTS, (2, 3))),
        "every eps1, eps2; counts up to c = 20; c' > c refused",
        "cases",
    ),
    Transcription(
        "hartmann2022/sec4.1.per_entry_budget",
        per_entry,
        tuple({"eps2": eps2, "eps3": eps3, "c": c, "cprime": n} for c, n in (*COUNTS, (2, 3)) if n),
        "every eps2, eps3; counts up to c = 20; c' > c refused",
        "cases",
    ),
    Property("hartmann2022/sec4.1.split.eps1", split, "every eps > 0, c >= 1: the ratio, and that it is optimal"),
    Property("hartmann2022/sec4.1.split.eps2", split, "every eps > 0, c >= 1: the ratio, and that it is optimal"),
    Transcription(
        "hartmann2022/sec4.1.split.eps1",
        lambda eps, c: eps / (1 + (2 * c) ** sp.Rational(2, 3)),
        ({"eps": eps1, "c": sp.Symbol("c", positive=True, integer=True)},),
        "every eps > 0, c >= 1",
    ),
    Transcription(
        "hartmann2022/sec4.1.split.eps2",
        lambda eps, c: eps * (2 * c) ** sp.Rational(2, 3) / (1 + (2 * c) ** sp.Rational(2, 3)),
        ({"eps": eps1, "c": sp.Symbol("c", positive=True, integer=True)},),
        "every eps > 0, c >= 1",
    ),
)
