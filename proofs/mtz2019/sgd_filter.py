"""The filter for DP-SGD: it halts once the sum of the steps' divergences of a whole order alpha, fixed in advance,
converts to more than eps_g: cost + log(1 - 1/alpha) + log(1/(alpha delta))/(alpha - 1).

The removal of a record is the worse direction, for every alpha > 1. With w = N(1, s^2)/N(0, s^2), u = 1 + q (w - 1) and
g(u) = u^alpha - u^(1 - alpha) - (2 alpha - 1)(u - 1), the difference of both moments is E[g(u)], as E[u] = 1. The
reflection x -> 1 - x gives E[h(w); w < 1] = E[w h(1/w); w > 1], so that E[g(u)] is the mean over w > 1 of g(1 + w s) +
w g(1 - s) with s = q (w - 1)/w, that is w >= v = 1/(1 - s). g is convex from 1 on and g(1) = 0, so g(1 + w s)/w
increases with w; at w = v it is g(v)/v = -g(1/v) = -g(1 - s). So E[g(u)] >= 0.

Hypotheses: every record is drawn on its own with probability q_t, at any rate and noise chosen after the releases so
far. Source: Mironov, Talwar, Zhang 2019 for the moment, Feldman, Zrnic 2021 for the filter; the rest is ours.
"""

import sympy as sp

from proofs.transcription import Property, Transcription, proper_fraction, vanishes


def divergence(q, sigma, order):
    """By the binomial theorem; proofs/mtz2019/moment.py integrates it."""
    terms = (
        sp.binomial(order, j) * (1 - q) ** (order - j) * q**j * sp.exp(j * (j - 1) / (2 * sigma**2))
        for j in range(order + 1)
    )
    return sp.log(sp.Add(*terms)) / (order - 1)


def decision(order, q, sigma, steps, eps_g, delta_g):
    spent = sum((n * divergence(r, s, order) for r, s, n in zip(q, sigma, steps, strict=True)), sp.S.Zero)
    converted = spent + sp.log(1 - sp.Rational(1, order)) + sp.log(1 / (order * delta_g)) / (order - 1)
    return "HALT" if converted > eps_g else "CONT"


def removal_is_worse(code):
    u, v = sp.symbols("u v", positive=True)
    a = 1 + sp.Symbol("a", positive=True)

    def g(u):
        return u**a - u ** (1 - a) - (2 * a - 1) * (u - 1)

    assert g(sp.S.One) == 0
    assert vanishes(sp.diff(g(u), u).subs(u, 1))
    # Convex from 1 on: u^(2 alpha - 1) >= 1 there.
    second = sp.diff(g(u), u, 2) / (a * (a - 1)) * u ** (a + 1)
    assert vanishes(sp.simplify(sp.expand(sp.powsimp(sp.expand(second)) - (u ** (2 * a - 1) - 1))))
    assert vanishes(sp.simplify(sp.expand(g(v) + v * g(1 / v))))
    s = 1 - 1 / v
    assert vanishes(1 + v * s - v)
    # What the code charges is the removal's: at order 2 the log of 1 + q^2 (e^(1/s^2) - 1).
    q, noise = sp.symbols("q noise", positive=True)
    charged = code.helper("privref.profiles.subsampled_renyi:renyi")(q, noise, 2)
    assert vanishes(sp.simplify(sp.exp(charged) - 1 - q**2 * (sp.exp(1 / noise**2) - 1)))


PROVES = (
    Transcription(
        "mtz2019/sgd_filter.decision",
        decision,
        tuple(
            {
                "order": order,
                "q": tuple(proper_fraction(f"r{i}") for i in range(n)),
                "sigma": tuple(sp.Symbol(f"s{i}", positive=True) for i in range(n)),
                "steps": tuple(range(1, n + 1)),
                "eps_g": sp.Symbol("eps_g", nonnegative=True),
                "delta_g": proper_fraction("d"),
            }
            for order in (2, 3)
            for n in range(3)
        ),
        "orders 2 and 3, up to 2 kinds of steps with every rate in (0, 1) and every noise, ties included",
        "cases",
    ),
    Property("mtz2019/sgd_filter.decision", removal_is_worse, "the direction, for every order > 1, by SymPy", "cases"),
)
