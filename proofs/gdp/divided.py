"""What is lost at least where sums of Gaussian noise are divided by the number of records, n or n - 1.

Hypotheses: a record is added or removed; N coordinates of independent noise in all rounds.
Source: ours; proofs/derivations/divided.py derives it.

Here both chances are summed from the law itself: of an even number N of coordinates, X is above x with the chance
e^(-x/2) sum over i < N/2 of (x/2)^i/i!.
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Property, Transcription

n, half = sp.symbols("n", integer=True, positive=True), sp.Rational(1, 2)
eps = sp.Symbol("eps", nonnegative=True)
N = sp.Symbol("N", integer=True, positive=True)


def transcribed(n, coordinates, eps):
    v = n / (n - 1)
    u = 1 / v
    # SymPy keeps a power and its logarithm apart: (v e^(1 - v))^(N/2) is written by its logarithm.
    missed, alike = (sp.exp(coordinates * half * (sp.log(x) + 1 - x)) for x in (v, u))
    return 1 - missed - sp.exp(eps) * alike


def above(x, coordinates):
    return sp.exp(-x / 2) * sum((x / 2) ** i / sp.factorial(i) for i in range(coordinates // 2))


def below_the_law(code):
    for records, coordinates, e in ((2, 40, 0), (3, 60, 1), (5, 200, 1)):
        v = sp.Rational(records, records - 1)
        true = 1 - above(v * coordinates, coordinates) - sp.exp(e) * (1 - above(coordinates / v, coordinates))
        low, high = code.enclosed(25, n=records, coordinates=coordinates, eps=Fraction(e))
        assert high < sp.N(true, 40), (low, high)


PROVES = (
    Transcription(
        "gdp/divided.delta",
        transcribed,
        tuple({"n": sp.Integer(k), "coordinates": N, "eps": eps} for k in (2, 3, 7)),
        "three sizes, every N and epsilon",
        "cases",
    ),
    Property("gdp/divided.delta", below_the_law, "below the law's own chances: three sizes", "cases"),
)
