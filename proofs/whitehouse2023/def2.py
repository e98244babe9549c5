"""The Renyi divergence of order lambda >= 1: 1/(lambda - 1) log E_{Y ~ P} (P(Y)/Q(Y))^(lambda - 1); at lambda = 1,
where
that is 0/0, its limit, the Kullback-Leibler divergence.

Hypotheses: finite laws; infinite where P is not absolutely continuous. Source: Definition 2.
"""

import sympy as sp

from proofs.transcription import Property, Transcription, proper_fraction, vanishes

a, b = proper_fraction("a"), proper_fraction("b")
order = 1 + sp.Symbol("lam", positive=True)


def renyi(p, q, order):
    if any(y == 0 and x != 0 for x, y in zip(p, q, strict=True)):
        return "inf"
    if order == 1:
        return sp.Add(*(x * sp.log(x / y) for x, y in zip(p, q, strict=True) if x != 0))
    moment = sp.Add(*(x * (x / y) ** (order - 1) for x, y in zip(p, q, strict=True) if x != 0))
    return sp.log(moment) / (order - 1)


def limit_at_one(code):
    """The value at order 1 is the limit of the formula (l'Hopital: both sides of the quotient vanish there)."""
    lam = sp.Symbol("lam", positive=True)
    p, q = (sp.Rational(2, 3), sp.Rational(1, 3)), (sp.Rational(1, 4), sp.Rational(3, 4))
    moment = sum(x * (x / y) ** (lam - 1) for x, y in zip(p, q, strict=True))
    slope = sp.diff(sp.log(moment), lam).subs(lam, 1)
    assert vanishes(sp.expand_log(slope - code.symbolic(p=p, q=q, order=sp.S.One)))


PROVES = (
    Transcription(
        "whitehouse2023/def2.renyi",
        renyi,
        (
            {"p": (a, 1 - a), "q": (b, 1 - b), "order": sp.S.One},
            {"p": (a, 1 - a), "q": (b, 1 - b), "order": sp.Integer(2)},
            {"p": (a, 1 - a), "q": (b, 1 - b), "order": sp.Integer(5)},
            {"p": (a, 1 - a), "q": (sp.S.One, sp.S.Zero), "order": sp.Integer(2)},
            {"p": (sp.S.One, sp.S.Zero), "q": (b, 1 - b), "order": sp.Integer(3)},
        ),
        "all laws on 2 outcomes at orders 1, 2, 3, 5, zeros included",
        "cases",
    ),
    Property("whitehouse2023/def2.renyi", limit_at_one, "the order 1 is the limit, one pair of laws"),
)
