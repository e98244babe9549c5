"""The advanced odometer: infinity once the deltas exceed delta_g/2, else with S = sum eps_i^2,

  (3), S in [1/n^2, 1]:  sum eps_i (e^eps_i - 1)/2 + 2 sqrt( S (1 + log sqrt 3) log(4 log_2(n)/delta_g) )
  (4), otherwise:        sum eps_i (e^eps_i - 1)/2
                         + sqrt( 2 (1/n^2 + S)(1 + 1/2 log(1 + n^2 S)) log(4 log_2(n)/delta_g) ).

Hypotheses: delta_g in (0, 1/e), n >= 2 public. Source: Theorem 6.2, equations (3), (4); (4) prints a surplus
parenthesis, log(4 log_2(n))/delta_g) (E8). log is natural, log_2 binary.
"""

import sympy as sp

from proofs.transcription import Transcription, rounds, total

n = 2 + sp.Symbol("m", nonnegative=True)
over = sp.Symbol("over", positive=True)
delta_g = sp.exp(-1 - over)


def drift(eps):
    return total(c * e * ((sp.exp(e) - 1) / 2) for e, c in eps)


def squares(eps):
    return total(c * e**2 for e, c in eps)


def log_term(n, delta_g):
    return sp.log(4 * (sp.log(n) / sp.log(2)) / delta_g)


def inside(eps, n):
    return sp.S.One / n**2 <= squares(eps) and squares(eps) <= 1


def eq3(eps, n, delta_g):
    return first_branch(eps, n, delta_g) if inside(eps, n) else "refused"


def eq4(eps, n, delta_g):
    return "refused" if inside(eps, n) else second_branch(eps, n, delta_g)


def first_branch(eps, n, delta_g):
    return drift(eps) + 2 * sp.sqrt(squares(eps) * (1 + sp.log(sp.sqrt(3))) * log_term(n, delta_g))


def second_branch(eps, n, delta_g):
    s = squares(eps)
    return drift(eps) + sp.sqrt(2 * (1 / n**2 + s) * (1 + sp.log(1 + n**2 * s) / 2) * log_term(n, delta_g))


def odometer(eps, delta, n, delta_g):
    if total(c * d for d, c in delta) > delta_g / 2:
        return "inf"
    return first_branch(eps, n, delta_g) if inside(eps, n) else second_branch(eps, n, delta_g)


CASES = tuple({"eps": rounds("e", size), "n": n, "delta_g": delta_g} for size in range(3))
LISTS = "lists of any length with up to 2 different values"

PROVES = (
    Transcription("rogers2016/thm6.2.eq3", eq3, CASES, LISTS, "cases"),
    Transcription("rogers2016/thm6.2.eq4", eq4, CASES, LISTS, "cases"),
    Transcription(
        "rogers2016/thm6.2.odometer",
        odometer,
        tuple({**case, "delta": rounds("d", len(case["eps"]))} for case in CASES),
        LISTS + "; all branches, ties included",
        "cases",
    ),
)
