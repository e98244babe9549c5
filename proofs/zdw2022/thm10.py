"""Composition of dominating pairs: if (P_i, Q_i) dominates the i-th mechanism, whatever was answered before, then the
product of the P_i against that of the Q_i dominates the composition:

  delta(eps) <= sup over events S of P(S) - e^eps Q(S),  P = P_1 x ... x P_k,  Q = Q_1 x ... x Q_k.

Hypotheses: the pairs are fixed in advance; both orientations of the neighbouring relation, each composed separately
(all pairs here are symmetric). It is attained where one pair of neighbours attains every pair at once.
Source: Zhu, Dong, Wang 2022, Theorem 10; for f-DP Dong, Roth, Su 2019, Theorem 4.

Here every outcome of the product is written out: P and Q from the densities of the noise, at 50 digits, and the sum of
(P - e^eps Q)_+ over them. One continuous law may be among them: it is left in its own closed form, conditioned on the
outcomes of the others.
"""

from fractions import Fraction
from itertools import product

import mpmath

from proofs.numerals import by_mpmath, meet
from proofs.transcription import Property

F = Fraction
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 50


def real(value):
    value = F(value)
    return CONTEXT.mpf(value.numerator) / value.denominator


def normalised(weights):
    total = sum(weights)
    return [weight / total for weight in weights]


def outcomes(mechanism):
    """The P- and Q-mass of every outcome, by the density of the noise."""
    exp = CONTEXT.exp
    match mechanism["kind"]:
        case "randomized-response":
            k = int(mechanism.get("outcomes", "2"))
            if "epsilon" in mechanism:
                truth = exp(real(mechanism["epsilon"])) / (exp(real(mechanism["epsilon"])) + k - 1)
            else:
                truth = real(mechanism["probability"])
            rest = (1 - truth) / (k - 1)
            return [(truth, rest), (rest, truth)] + [(rest, rest)] * (k - 2)
        case "geometric":
            b, (v,) = real(mechanism["scale"]), map(int, mechanism["shifts"])
            places = range(-160, 160 + v)
            p, q = (normalised([exp(-abs(x - at) / b) for x in places]) for at in (0, v))
            return list(zip(p, q, strict=True))
        case "discrete-gaussian":
            s = real(mechanism["sigma_squared"])
            found = [(CONTEXT.mpf(1), CONTEXT.mpf(1))]
            for v in map(int, mechanism["shifts"]):
                places = range(-40, 41 + v)
                p, q = (normalised([exp(-((x - at) ** 2) / (2 * s)) for x in places]) for at in (0, v))
                found = [(a * c, b * d) for (a, b), (c, d) in product(found, zip(p, q, strict=True)) if a * c > 1e-30]
            return found
        case "approx-dp":
            e, d = real(mechanism["epsilon"]), real(mechanism["delta"])
            yes, no = (1 - d) * exp(e) / (1 + exp(e)), (1 - d) / (1 + exp(e))
            return [(d, CONTEXT.mpf(0)), (CONTEXT.mpf(0), d), (yes, no), (no, yes)]
    raise AssertionError(mechanism)


def phi(z):
    return CONTEXT.ncdf(z)


def continuous(mechanism, p, q):
    """sup over t of p P(x <= t) - q Q(x <= t): the likelihood ratio falls in x, so half-lines are the best events."""
    if mechanism is None:
        return max(p - q, CONTEXT.mpf(0))
    if q == 0:
        return p
    if p == 0:
        return CONTEXT.mpf(0)
    if mechanism["kind"] == "laplace":
        b, d = real(mechanism["scale"]), real(mechanism["sensitivity"])

        def below(x):
            return CONTEXT.exp(x / b) / 2 if x < 0 else 1 - CONTEXT.exp(-x / b) / 2

        # p f(x) = q f(x - d) within [0, d] at x = (d + b log(p/q))/2.
        t = (d + b * CONTEXT.log(p / q)) / 2
        if t > d:
            return p - q
        if t < 0:
            return CONTEXT.mpf(0)
        return p * below(t) - q * below(t - d)
    s, d = real(mechanism["sigma"]), real(mechanism["sensitivity"])
    t = d / 2 + s * s * CONTEXT.log(p / q) / d
    return p * phi(t / s) - q * phi((t - d) / s)


def profile(rounds, eps):
    """The sum over all outcomes of (P - e^eps Q)_+."""
    discrete = [m for m in rounds if m["kind"] not in ("laplace", "gaussian")]
    smooth = [m for m in rounds if m["kind"] in ("laplace", "gaussian")]
    assert len(smooth) <= 1
    found = [(CONTEXT.mpf(1), CONTEXT.mpf(1))]
    for mechanism in discrete:
        found = [(a * c, b * d) for (a, b), (c, d) in product(found, outcomes(mechanism)) if a * c > 1e-30]
    scale = CONTEXT.exp(real(eps))
    return sum((continuous(smooth[0] if smooth else None, a, scale * b) for a, b in found), CONTEXT.mpf(0))


LAPLACE = {"kind": "laplace", "scale": "2", "sensitivity": "1"}
GAUSSIAN = {"kind": "gaussian", "sigma": "3", "sensitivity": "2"}
RESPONSE = {"kind": "randomized-response", "epsilon": "2/5"}
KARY = {"kind": "randomized-response", "probability": "3/4", "outcomes": "4"}
GEOMETRIC = {"kind": "geometric", "scale": "3/2", "shifts": ["2"]}
CELLS = {"kind": "discrete-gaussian", "sigma_squared": "5/3", "shifts": ["1", "1"]}
WORST = {"kind": "approx-dp", "epsilon": "1/3", "delta": "1/100"}

#: Fewer than 10^5 outcomes of less than 1e-30 each, and what is beyond 40 deviations or 100 scales.
DROPPED = CONTEXT.mpf("1e-25")
LEDGERS = (
    [LAPLACE],
    [GAUSSIAN, RESPONSE, RESPONSE],
    [LAPLACE, KARY, WORST],
    [CELLS],
    [GEOMETRIC, RESPONSE],
    [KARY, KARY, WORST, WORST],
)


def ends(rounds, eps):
    """The profile, between two rationals."""
    return by_mpmath(profile(rounds, eps), DROPPED, digits=CONTEXT.dps)


def delta(code):
    """Within the enclosure, which is narrow."""
    for rounds in LEDGERS:
        for eps in (F(0), F(2, 7), F(3, 2)):
            low, high = code.enclosed(4, rounds=rounds, eps=eps)
            assert meet((low, high), ends(rounds, eps)), (rounds, eps)
            assert high - low <= F(1, 10**4) * high, (rounds, eps)


def inverse(code):
    """delta falls in epsilon, and at both ends of the answer it lies on both sides of what was asked."""
    for rounds in LEDGERS:
        for asked in (F(1, 9), F(1, 30)):
            low, high = code.enclosed(6, rounds=rounds, delta=asked)
            assert ends(rounds, high)[0] <= asked, (rounds, asked)
            if low > 0:
                assert ends(rounds, low)[1] >= asked, (rounds, asked)


PROVES = (
    Property(
        "zdw2022/thm10.delta",
        delta,
        "18 inputs of up to 4 rounds of every kind: the sum over all outcomes, within the stated width",
        "grid",
    ),
    Property("zdw2022/thm10.eps", inverse, "12 inputs: the sum over all outcomes straddles delta", "grid"),
)
