"""The least rho, and mu^2/2 over all epsilon, of Gaussian rounds on samples: the sum of what all records would have.

Hypotheses: attained shifts; each round's sample holds the record with a positive chance, on its own.
Source: ours; proofs/derivations/sampled_mu.py derives it.

Here the Renyi divergence of a round on a Poisson sample is summed from its definition, at whole orders: over the order
it never exceeds rho, and comes as near as log(1/q)/(a - 1).
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Property, Transcription, rounds, total

F = Fraction


def divergence(rate, s, order):
    """Of ((1 - q) N(0, s^2) + q N(1, s^2)) from N(0, s^2): the mean of the ratio's power, by the binomial theorem."""
    moment = sum(
        sp.binomial(order, j) * (1 - rate) ** (order - j) * rate**j * sp.exp(sp.Rational(j * (j - 1)) / (2 * s**2))
        for j in range(order + 1)
    )
    return sp.N(sp.log(moment), 60) / (order - 1)


def large_orders(code):
    for rate, s in ((sp.Rational(1, 10), sp.Integer(1)), (sp.Rational(1, 2), sp.Integer(3))):
        rho = code.exact(rho=((F(1, 2) / F(int(s)) ** 2, 1),))
        for order in (2, 20, 60):
            share = divergence(rate, s, order) / order
            least = sp.Rational(rho) - sp.log(1 / rate) / (order - 1)
            assert least < share < sp.Rational(rho)
    two = code.exact(rho=((F(1, 2), 1), (F(1, 18), 1)))
    assert two == F(1, 2) + F(1, 18)


PROVES = (
    Transcription(
        "gdp/sampled.rho",
        lambda rho: total(c * r for r, c in rho),
        tuple({"rho": rounds("r", n)} for n in range(3)),
        "lists of any length with up to 2 different rho",
        "cases",
    ),
    Property("gdp/sampled.rho", large_orders, "two rates and noises, orders up to 60, by the definition", "cases"),
)
