"""Section 6: advanced composition read after every round is not an odometer. Exact companion: the probability that the
loss of K randomized responses exceeds, at some round k <= K, k d + sqrt(2 k log(1/delta_g)) in units of eps, with
d = e^eps - 1 (Theorem 2.10) or (e^eps - 1)/(e^eps + 1) (equation (2) of Whitehouse et al.).

Here every one of the 2^K sequences of answers is enumerated. Hypotheses: rational e^eps > 1. Source: Section 6 and
Theorem 6.1 (asymptotic); the companion is ours.
"""

from itertools import product

import sympy as sp

from proofs.transcription import Transcription

F = sp.Rational


def failure(exp_eps, delta_g, two_sided, drift, K):  # noqa: N803
    slope = exp_eps - 1 if drift == "expm1" else (exp_eps - 1) / (exp_eps + 1)
    bounds = [k * slope + sp.sqrt(2 * k * sp.log(1 / delta_g)) for k in range(1, K + 1)]
    least = []
    for bound in bounds:
        j = 0
        while not j > bound:
            j += 1
        least.append(j)
    probability = sp.S.Zero
    for answers in product((1, -1), repeat=K):
        position, crossed = 0, False
        for step, boundary in zip(answers, least, strict=True):
            position += step
            crossed = crossed or position >= boundary or (two_sided and -position >= boundary)
        if crossed:
            ups = answers.count(1)
            probability += exp_eps**ups / (1 + exp_eps) ** K
    return probability


def reading(odometer, tuning, delta_prime, V):  # noqa: N803
    """The odometers of Whitehouse et al. 2023, Theorem 3, as functions of V; the one-sided mixture is asked below."""
    log = sp.log(1 / delta_prime)
    match odometer:
        case "filter":
            return sp.sqrt(2 * log) * (sp.sqrt(tuning) + V / sp.sqrt(tuning)) / 2 + V / 2
        case "mixture":
            return sp.sqrt(2 * (V + tuning) * sp.log(sp.sqrt((V + tuning) / tuning) / delta_prime)) + V / 2
        case "stitched":
            inner = sp.log(sp.log(2 * V / tuning)) + F(72, 100) * sp.log(F(52, 10) / delta_prime)
            return F(17, 10) * sp.sqrt(V * inner) + V / 2


def exceeds(odometer, tuning, delta_prime, loss, V):  # noqa: N803
    if odometer == "one_sided":
        z = (loss - V / 2) / sp.sqrt(V + tuning)
        mixed = sp.sqrt(tuning / (V + tuning)) * sp.exp(z**2 / 2) * (1 + sp.erf(z / sp.sqrt(2)))
        return bool(sp.N(mixed - 1 / delta_prime, 30) > 0)
    if odometer == "stitched" and bool(sp.N(V - tuning, 30) < 0):
        return False
    return bool(sp.N(loss - reading(odometer, tuning, delta_prime, V), 30) > 0)


def sized(odometer, n, exp_eps, delta_prime, k):
    """Theorem 6.2 of k rounds, equations (3) and (4); Lemma 3 of Whitehouse et al., its third branch corrected."""
    eps = sp.log(exp_eps)
    V = k * eps**2  # noqa: N806
    inside = bool(sp.N(V - 1 / n**2, 30) >= 0) and bool(sp.N(V - 1, 30) <= 0)
    if odometer == "rogers":
        drift = k * eps * (exp_eps - 1) / 2
        log = sp.log(4 * sp.log(n, 2) / delta_prime)
        if inside:
            return drift + 2 * sp.sqrt(V * (1 + sp.log(sp.sqrt(3))) * log)
    else:
        drift = V / 2
        log = sp.log(4 / delta_prime * sp.log(n, 2))
        if inside:
            return drift + sp.sqrt(2 * V * (sp.log(110 * sp.E) + 2 * sp.log(sp.log(n) / delta_prime)))
    return drift + sp.sqrt(2 * (1 / n**2 + V) * (1 + sp.log(1 + n**2 * V) / 2) * log)


def odometer_failure(odometer, tuning, exp_eps, delta_prime, K):  # noqa: N803
    eps = sp.log(exp_eps)
    over = {
        (k, j): bool(sp.N(j * eps - sized(odometer, tuning, exp_eps, delta_prime, k), 30) > 0)
        if odometer in ("rogers", "restated")
        else exceeds(odometer, tuning, delta_prime, j * eps, k * eps**2)
        for k in range(1, K + 1)
        for j in range(k + 1)
    }
    probability = sp.S.Zero
    for answers in product((1, -1), repeat=K):
        position, crossed = 0, False
        for k, step in enumerate(answers, 1):
            position += step
            crossed = crossed or (position >= 0 and over[k, position])
        if crossed:
            probability += exp_eps ** answers.count(1) / (1 + exp_eps) ** K
    return probability


def first(exp_eps, delta_g, two_sided, drift):
    K = 1  # noqa: N806
    while failure(exp_eps, delta_g, two_sided, drift, K) <= delta_g:
        K += 1  # noqa: N806
    return sp.Integer(K)


GRID = tuple(
    {"exp_eps": x, "delta_g": d, "two_sided": two, "drift": drift}
    for x, d in ((F(11, 10), F(1, 2)), (F(2), F(3, 10)), (F(101, 100), F(2, 5)))
    for two in (True, False)
    for drift in ("tanh", "expm1")
)
FAST = tuple({"exp_eps": F(1001, 1000), "delta_g": d, "two_sided": True, "drift": "tanh"} for d in (F(1, 2), F(1, 5)))

PROVES = (
    Transcription(
        "rogers2016/sec6.pointwise_failure",
        failure,
        tuple({**case, "K": K} for case in GRID for K in (1, 4, 7)),
        "36 inputs with K <= 7, every sequence of answers enumerated; in integers",
        "grid",
    ),
    Transcription(
        "rogers2016/sec6.odometer_failure",
        odometer_failure,
        tuple(
            {"odometer": odometer, "tuning": tuning, "exp_eps": x, "delta_prime": d, "K": 7}
            for odometer, tuning in (
                ("filter", F(1)),
                ("mixture", F(1, 2)),
                ("one_sided", F(1, 2)),
                ("stitched", F(1, 2)),
            )
            for x, d in ((F(3, 2), F(3, 5)), (F(3), F(4, 5)))
        )
        + tuple(
            {"odometer": odometer, "tuning": n, "exp_eps": F(6), "delta_prime": F(9, 25), "K": 7}
            for odometer in ("rogers", "restated")
            for n in (F(2), F(100))
        )
        + tuple(
            {"odometer": odometer, "tuning": F(2), "exp_eps": F(5, 4), "delta_prime": F(9, 25), "K": 5}
            for odometer in ("rogers", "restated")
        ),
        "14 inputs with K <= 7, every sequence of answers enumerated; in integers",
        "grid",
    ),
    Transcription(
        "rogers2016/sec6.pointwise_failure.K",
        first,
        FAST,
        "2 inputs, by enumeration; a search without bound",
        "grid",
    ),
)
