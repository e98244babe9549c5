"""The best of K trials with law Q or Q', K drawn apart from them, by the Renyi divergence of one trial.

Let f be the generating function of K, and outputs be ordered from the worst to the best. The best of K trials is y with
the chance A(y) = f(Q(<= y)) - f(Q(< y)) = Q(y) E f'(q), where q is uniform between Q(< y) and Q(<= y). With the same
uniform number for q', and since x^a z^(1 - a) is convex in both and homogeneous,

    sum over y of A(y)^a A'(y)^(1 - a) <= sum over y of Q(y)^a Q'(y)^(1 - a) E f'(q)^a f'(q')^(1 - a).

1 - q and 1 - q' are the chances of one event, a part of y taken with it by a coin, on both data sets.

Truncated negative binomial: f'(x) = E K (gamma/g(x))^(1 + eta) with g(x) = 1 - (1 - gamma) x, which is gamma and 1 -
gamma times the chance 1 - x: again the chance of an event, that a coin or the former one is. For any order b > 1 Renyi
DP of one trial gives g(q')^b g(q)^(1 - b) <= e^((b - 1) eps(b)), as that is one of two terms; so

    f'(q)^a f'(q')^(1 - a) = E K gamma^(1 + eta) g(q)^(-(1 + eta) a) g(q')^((1 + eta)(a - 1))

is at most E K gamma^(1 + eta) e^((1 + eta)(a - 1)(1 - 1/b) eps(b)) g(q)^((1 + eta)((a - 1)(1 - 1/b) - a)). The last
exponent is negative and g(q) >= gamma: what is left of gamma has the exponent -(1 + eta)(a - 1)/b. The logarithm over
a - 1 is the statement. As a and b grow, eps(a), eps(b) <= eps of eps-DP, and both other terms vanish: (2 + eta) eps.

Poisson, K = 0 included, of which nothing is released: f'(x) = m e^(m (x - 1)), and with p = 1 - q, p' = 1 - q'

    f'(q)^a f'(q')^(1 - a) = m e^(m (a - 1)(p' - p a/(a - 1))) <= m e^(m (a - 1) delta)

where a trial is (log(a/(a - 1)), delta)-DP. Of K = 0 the chance e^-m is the same on both data sets: it adds e^-m.
"""

from __future__ import annotations

import sympy as sp

from .steps import Derivation, identity

x, gamma, eta, m, k = sp.symbols("x gamma eta m k", positive=True)
a, b = (1 + sp.Symbol(name, positive=True) for name in ("s", "t"))
p, q = sp.symbols("p q", positive=True)

GROWN = 1 - (1 - gamma) * x
F = (GROWN**-eta - 1) / (gamma**-eta - 1)
MEAN = eta * (1 - gamma) / (gamma * (1 - gamma**eta))
LOG = sp.log(GROWN) / sp.log(gamma)

DERIVATIONS = (
    Derivation(
        "The best of a random number of trials (papernot2022/thm2.renyi, thm6.renyi)",
        ("papernot2022/thm2.eps", "papernot2022/thm2.renyi", "papernot2022/thm6.renyi"),
        (
            identity("the derivative of f at 1 is the mean", sp.simplify(sp.diff(F, x).subs(x, 1) / MEAN), sp.S.One),
            identity(
                "elsewhere it is the mean times (gamma/g)^(1 + eta)",
                sp.simplify(sp.diff(F, x) / (MEAN * gamma ** (1 + eta) * GROWN ** (-1 - eta))),
                sp.S.One,
            ),
            identity(
                "so it is for the logarithmic law",
                sp.simplify(sp.diff(LOG, x) / (sp.diff(LOG, x).subs(x, 1) * gamma / GROWN)),
                sp.S.One,
            ),
            identity(
                "the mean of the logarithmic law",
                sp.diff(LOG, x).subs(x, 1),
                (1 / gamma - 1) / sp.log(1 / gamma).expand(force=True),
            ),
            identity(
                "the exponent that is left of gamma",
                1 + eta + (1 + eta) * ((a - 1) * (1 - 1 / b) - a),
                -(1 + eta) * (a - 1) / b,
            ),
            identity(
                "the exponent of the Poisson law",
                a * (-m * p) + (1 - a) * (-m * q),
                m * (a - 1) * (q - p * a / (a - 1)),
            ),
        ),
    ),
)
