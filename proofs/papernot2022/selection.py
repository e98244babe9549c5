"""The best of a random number of trials, by Renyi DP: a truncated negative binomial number of them, or a Poisson one.

Hypotheses: every trial is the same mechanism run afresh; which of two trials is better is an order of their outputs;
the number of trials is drawn from a law that the data does not touch, and only the best trial is released.
Source: Theorems 2 and 6 of Papernot, Steinke 2022; proofs/derivations/selection.py derives both.

Here both bounds are compared with the law of the best trial itself: of m outputs in order, with the generating function
f of the number of trials, the best one is y with the chance f(P(Y <= y)) - f(P(Y < y)).
"""

from fractions import Fraction
from itertools import accumulate, pairwise

import sympy as sp

from proofs.transcription import Property, Transcription

eps, other_eps, mean = sp.symbols("eps other_eps mean", positive=True)
order, other = (1 + sp.Symbol(name, positive=True) for name in ("a", "b"))
gamma = 1 / (1 + sp.Symbol("c", positive=True))
delta = sp.Symbol("delta", positive=True)
delta = delta / (1 + delta)


def log_mean(eta, gamma):
    """log E K, from P(K = k) in proportion to (1 - gamma)^k prod_(l < k) (l + eta)/(l + 1)."""
    if eta == 0:
        return sp.log((1 / gamma - 1) / sp.log(1 / gamma))
    return sp.log(eta * (1 - gamma) / gamma / (1 - sp.exp(eta * sp.log(gamma))))


def negative_binomial(order, eps_order, other, eps_other, eta, gamma):
    step = (1 + eta) * (1 - 1 / other) * eps_other + (1 + eta) * sp.log(1 / gamma) / other
    return eps_order + step + log_mean(eta, gamma) / (order - 1)


def poisson(order, eps_order, mean, delta):
    moment = sp.exp(-mean) + mean * sp.exp((order - 1) * (eps_order + mean * delta))
    return sp.log(moment) / (order - 1)


# -- the best of a random number of trials, by its law ------------------------------------------------------------

#: Laws of three or four outputs in order, the worst first, on two data sets.
LAWS = (
    ((1, 2, 1), (2, 1, 1)), ((9, 0, 1), (8, 1, 1)), ((6, 3, 1), (6, 1, 3)), ((97, 2, 1), (96, 2, 2)),
    ((1, 1, 1, 1), (2, 1, 2, 3)),
)  # fmt: skip
NUMBERS = tuple((sp.Rational(*eta), sp.Rational(*gamma)) for eta, gamma in (
    ((1, 1), (1, 2)), ((1, 1), (1, 50)), ((0, 1), (1, 10)), ((0, 1), (1, 1000)), ((-1, 2), (1, 30)), ((3, 1), (1, 5))
))  # fmt: skip
MEANS = tuple(sp.Rational(*mean) for mean in ((1, 4), (1, 1), (3, 1), (20, 1)))
PAIRS = ((2, 2), (2, 8), (sp.Rational(3, 2), 4), (8, 3), (30, sp.Rational(5, 4)))


def law(weights):
    return [sp.Rational(weight, sum(weights)) for weight in weights]


def generating(eta, gamma):
    def f(x):
        grown = 1 - (1 - gamma) * x
        return sp.log(grown) / sp.log(gamma) if eta == 0 else (grown**-eta - 1) / (gamma**-eta - 1)

    return f


def best(of, f):
    sums = [sp.Integer(0), *accumulate(of)]
    return [sp.N(f(high) - f(low), 60) for low, high in pairwise(sums)]


def divergence(one, two, order):
    """The Renyi divergence, the larger one of both directions."""
    found = []
    for p, q in ((one, two), (two, one)):
        if any(x != 0 and y == 0 for x, y in zip(p, q, strict=True)):
            return sp.oo
        terms = (x**order * y ** (1 - order) for x, y in zip(p, q, strict=True) if x != 0)
        found.append(sp.N(sp.log(sum(terms)) / (order - 1), 60))
    return max(found)


def above(value):
    """A rational a little above a number."""
    return Fraction(int(sp.ceiling(value * 10**40)), 10**40)


def bounds_the_law(code):
    for weights in LAWS:
        one, two = map(law, weights)
        for order, other in PAIRS:
            at_order, at_other = divergence(one, two, order), divergence(one, two, other)
            if sp.oo in (at_order, at_other):
                continue
            for eta, gamma in NUMBERS:
                f = generating(eta, gamma)
                true = divergence(best(one, f), best(two, f), order)
                given = {"order": order, "other": other, "eta": eta, "gamma": gamma}
                exact = {
                    name: Fraction(int(v.p), int(v.q)) for name, v in ((k, sp.Rational(x)) for k, x in given.items())
                }
                low, _ = code.enclosed(25, **exact, eps_order=above(at_order), eps_other=above(at_other))
                assert true < low, (weights, given, true, low)


def bounds_the_law_of_poisson(code):
    for weights in LAWS:
        one, two = map(law, weights)
        for order in (sp.Rational(3, 2), 2, 5, 30):
            if divergence(one, two, order) == sp.oo:
                continue
            odds = sp.Rational(order) / (order - 1)
            delta = max(
                sum(max(x - odds * y, 0) for x, y in zip(p, q, strict=True)) for p, q in ((one, two), (two, one))
            )
            for mean in MEANS:
                laws = [
                    [sp.N(sp.exp(-mean), 60), *best(of, lambda x, m=mean: sp.exp(m * (x - 1)))] for of in (one, two)
                ]
                true = divergence(*laws, order)
                a, m, d = (Fraction(int(x.p), int(x.q)) for x in map(sp.Rational, (order, mean, delta)))
                low, _ = code.enclosed(25, order=a, eps_order=above(divergence(one, two, order)), mean=m, delta=d)
                assert true < low, (weights, order, mean, true, low)


PROVES = (
    Transcription(
        "papernot2022/thm2.eps", lambda eps, eta: (2 + eta) * eps,
        ({"eps": eps, "eta": sp.Symbol("eta", positive=True) - 1},), "every eps and eta",
    ),
    Transcription(
        "papernot2022/thm2.renyi", negative_binomial,
        tuple(
            {"order": order, "eps_order": eps, "other": other, "eps_other": other_eps, "eta": eta, "gamma": gamma}
            for eta in (sp.Integer(0), sp.Integer(1), sp.Rational(-1, 2), sp.Integer(4))
        ),
        "four eta, all else", "cases",
    ),
    Property("papernot2022/thm2.renyi", bounds_the_law, "above the law of the best trial: 5 laws, 6 numbers", "cases"),
    Transcription(
        "papernot2022/thm6.renyi", poisson,
        ({"order": order, "eps_order": eps, "mean": mean, "delta": delta},), "all inputs",
    ),
    Property("papernot2022/thm6.renyi", bounds_the_law_of_poisson, "above the law of the best trial", "cases"),
)  # fmt: skip
