"""The (eps, delta)-DP filter stops after N rounds, the least n for which f(V_{n+1}) > eps or
sum_{m <= n+1} delta_m > delta'', with f(y) = sqrt(2 log(1/delta') y) + y/2 and V_n = sum_{m <= n} eps_m^2.

Hypotheses: delta = delta' + delta'', delta' in (0, 1], delta'' >= 0. Source: Theorem 2 (ICML; Theorem 8 of the arXiv
text), f in the proof of Lemma 9 (ICML) with equation (15). The arXiv form of Theorem 2 is false (E3).
"""

import sympy as sp

from proofs.transcription import Transcription, listed, proper_fraction, rounds, total

F = sp.Rational
eps_target = sp.Symbol("eps", positive=True)
delta_pp = sp.Symbol("delta_pp", nonnegative=True)


def f(eps, delta_prime):
    v = total(c * e**2 for e, c in eps)
    return sp.sqrt(2 * sp.log(1 / delta_prime) * v) + sp.Rational(1, 2) * v


def stop(eps_target, delta_prime, delta_pp, eps, delta):
    for n in range(len(eps)):
        if eps_target < f([(e, 1) for e in eps[: n + 1]], delta_prime) or delta_pp < total(delta[: n + 1]):
            return sp.Integer(n)
    return sp.Integer(len(eps))


PROVES = (
    Transcription(
        "whitehouse2023/thm2.f",
        f,
        (
            *tuple({"eps": rounds("e", size), "delta_prime": proper_fraction("t")} for size in range(3)),
            {"eps": rounds("e", 1), "delta_prime": sp.S.One},
        ),
        "lists of any length with up to 2 different values",
        "cases",
    ),
    Transcription(
        "whitehouse2023/thm2.N",
        stop,
        tuple(
            {
                "eps_target": eps_target,
                "delta_prime": proper_fraction("t"),
                "delta_pp": delta_pp,
                "eps": listed("e", size),
                "delta": listed("d", size),
            }
            for size in range(2)
        ),
        "no round and one, ties included",
        "cases",
    ),
    Transcription(
        "whitehouse2023/thm2.N",
        stop,
        tuple(
            {
                "eps_target": F(target),
                "delta_prime": F(prime),
                "delta_pp": F(budget),
                "eps": tuple(F(e) for e in eps),
                "delta": tuple(F(d) for d in delta),
            }
            for target, prime in (("1", "1/1000"), ("1/2", "1/10"), ("3", "1"))
            for budget in ("0", "1/50")
            for eps, delta in (
                (("1/10",) * 9, ("0",) * 9),
                (("1/20", "1/5", "0", "1/3", "1"), ("0", "1/100", "1/100", "0", "0")),
                (("2", "1"), ("0", "0")),
                (("1/10", "1/10", "1/10"), ("1/50", "0", "1/1000")),
                (("1", "1", "2", "1/9"), ("0", "0", "0", "1/40")),
            )
        ),
        "30 sequences of up to 9 rounds",
        "grid",
    ),
    Transcription(
        "whitehouse2023/thm2.delta",
        lambda delta_prime, delta_pp: delta_prime + delta_pp,
        ({"delta_prime": proper_fraction("t"), "delta_pp": proper_fraction("s")},),
        "every delta', delta'' in (0, 1)",
    ),
)
