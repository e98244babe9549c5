"""The accountant: start with eps_r = eps_t, delta_r = delta_t; round i needs sup E_i <= eps_r and delta_i <= delta_r;
after an output in the cell P_{i,k}, E_i(P_{i,k}) is subtracted from eps_r and delta_i from delta_r. The view is then
(eps_t, delta_t)-DP (Theorem 7).

Lines 7 and 8 show "=" in the text; the prose says the cost is subtracted (E11). Hypotheses: adaptive everything, the
delta of the whole mechanism and not of the cell (E12). Source: Algorithm 1, Theorem 7.
"""

from fractions import Fraction

import sympy as sp

from proofs.transcription import Transcription


def spelled(value):
    if isinstance(value, sp.Expr):
        return str(sp.expand(value))
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def remaining(eps_t, delta_t, spends, deltas):
    eps_r, delta_r = eps_t, delta_t
    for spend, delta in zip(spends, deltas, strict=True):
        if not (spend <= eps_r and delta <= delta_r):
            return "refused"
        eps_r -= spend
        delta_r -= delta
    return f"eps_r={spelled(eps_r)}, delta_r={spelled(delta_r)}"


def printed(eps_t, delta_t, spends, deltas):
    eps_r, delta_r = eps_t, delta_t
    for spend, delta in zip(spends, deltas, strict=True):
        if not (spend <= eps_r and delta <= delta_r):
            return "refused"
        eps_r = spend
        delta_r = delta
    return f"eps_r={spelled(eps_r)}, delta_r={spelled(delta_r)}"


F = Fraction
CASES = tuple(
    {"eps_t": F(1), "delta_t": F(1, 100), "spends": spends, "deltas": deltas}
    for spends, deltas in (
        ((), ()),
        ((F(1, 2),), (F(0),)),
        ((F(1),), (F(1, 100),)),
        ((F(1, 3), F(1, 3)), (F(1, 200), F(1, 200))),
        ((F(1, 3), F(1, 3), F(1, 3)), (F(0), F(1, 300), F(0))),
        ((F(2, 3), F(1, 2)), (F(0), F(0))),
        ((F(1, 4), F(1, 4)), (F(1, 100), F(1, 1000))),
        ((F(1), F(0)), (F(0), F(0))),
    )
)


def least_budget(sups, spends):
    """The least eps_t on which every round's admission test passes: sup E_i <= eps_t - what was spent before."""
    least = sp.S.Zero
    for i, (sup, spend) in enumerate(zip(sups, spends, strict=True)):
        if spend > sup:
            return "refused"
        needed = sum(spends[:i], sp.S.Zero) + sup
        least = needed if needed > least else least
    return least


def symbols(name, size, **assumed):
    return tuple(sp.Symbol(f"{name}{i}", **(assumed or {"nonnegative": True})) for i in range(size))


BUDGET = {name: sp.Symbol(name, nonnegative=True) for name in ("eps_t", "delta_t")}

PROVES = (
    Transcription(
        "hartmann2022/thm7.delta",
        lambda eps_t, delta_t: delta_t,
        (BUDGET,),
        "every budget",
    ),
    Transcription(
        "hartmann2022/alg1.least_eps",
        least_budget,
        tuple(
            {
                "sups": tuple(
                    s + rest for s, rest in zip(symbols("s", n), symbols("t", n, positive=True), strict=True)
                ),
                "spends": symbols("s", n),
            }
            for n in range(4)
        ),
        "up to 3 rounds, every spend below its supremum, ties between rounds included",
        "cases",
    ),
    Transcription(
        "hartmann2022/alg1.least_eps",
        least_budget,
        ({"sups": (Fraction(1), Fraction(1, 2)), "spends": (Fraction(0), Fraction(1))},),
        "a spend above its round's supremum is refused",
        "grid",
    ),
    Transcription(
        "hartmann2022/alg1.remaining", remaining, CASES, "8 interactions, exhausted and refused ones", "grid"
    ),
    Transcription("hartmann2022/alg1.remaining.printed", printed, CASES, "8 interactions", "grid"),
    *(
        Transcription(
            f"hartmann2022/alg1.{name}",
            rule,
            tuple({**BUDGET, "spends": symbols("s", n), "deltas": symbols("d", n)} for n in range(4)),
            "up to 3 rounds, every budget, spend and delta, ties and refusals included",
            "cases",
        )
        for name, rule in (("remaining", remaining), ("remaining.printed", printed))
    ),
    Transcription(
        "hartmann2022/thm7.eps",
        lambda eps_t, delta_t: eps_t,
        (BUDGET,),
        "every budget",
    ),
)
