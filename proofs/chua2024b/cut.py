"""Poisson samples that are cut above a cap B, by a mixture of which it is told which part a round has:

  the Poisson pair of (q, s) with the chance 1 - tau, tau = P(Bin(n, q) >= B), and with the chance tau
  that of (q, s/2); of (p, s/2) where there are exactly n others, p = B/(n + 1) P(Bin(n + 1, q) > B)/tau;
  and where the record is zeroed out the Gaussian pair of s with the chance tau q;
  where it is replaced, and clipped to half of what that changes, M_1 against M_-1 of (q, 2 s), M_a being the mixture of
  N(0, .) and N(a, .), with the chance 1 - tau, and M_1 against M_0 of (q, s), or of (p, s), with the chance tau;
  where it is not clipped the Gaussian pair of s with the chance q, or with other noise the pair of that.

Hypotheses: as for chua2024b/truncated, and a cut batch keeps its records by an order, which is random for (p, s/2).
Source: ours (proofs/derivations/cut.py).

Here the profile of one round is written out: at least its event is a half-line in each case, and it is the mean of two.
"""

from fractions import Fraction

import mpmath

from proofs.chua2024b.truncated import tail
from proofs.transcription import Property

F = Fraction
CONTEXT = mpmath.mp.clone()
CONTEXT.dps = 30
#: Rate, multiplier, cap, others.
CASES = ((F(1, 10), F(3), 150, 1000), (F(1, 3), F(1), 4, 9), (F(1, 100), F(2), 5, 200), (F(1, 2), F(5), 1, 3))
RELATIONS = ("add-or-remove-one", "zero-out", "replace-one", "clipped")


def real(value):
    return CONTEXT.mpf(value.numerator) / value.denominator


def removal(q, s, eps):
    """P(S) - e^eps Q(S) of (1 - q) N(0, s^2) + q N(1, s^2) against N(0, s^2), S the best half-line."""
    q, s, grown = real(q), real(s), CONTEXT.exp(real(eps))
    end = s * s * CONTEXT.log((grown - 1 + q) / q) + CONTEXT.mpf(1) / 2
    p = q * CONTEXT.ncdf((1 - end) / s) + (1 - q) * CONTEXT.ncdf(-end / s)
    return p - grown * CONTEXT.ncdf(-end / s)


def exchanged(q, s, eps):
    """P(S) - e^eps Q(S) of M_1 against M_-1, S the half-line from where v - e^eps/v = (1 - q)(e^eps - 1)/(q c) on."""
    q, s, grown = real(q), real(s), CONTEXT.exp(real(eps))
    half = (1 - q) * (grown - 1) / (2 * q * CONTEXT.exp(-1 / (2 * s * s)))
    end = s * s * CONTEXT.log(half + CONTEXT.sqrt(half * half + grown))
    p, r = (q * CONTEXT.ncdf((mean - end) / s) + (1 - q) * CONTEXT.ncdf(-end / s) for mean in (1, -1))
    return p - grown * r


def delta(q, s, cap, n, relation, known, eps):
    tau = tail(q, n, cap)
    if relation == "replace-one":
        return real(q) * removal(F(1), s, eps)
    whole = exchanged(q, 2 * s, eps) if relation == "clipped" else removal(q, s, eps)
    s = 2 * s if relation == "clipped" else s
    if relation == "zero-out":
        cut = real(q) * removal(F(1), s, eps)
    elif known:
        cut = removal(F(cap, n + 1) * tail(q, n + 1, cap + 1) / tau, s / 2, eps)
    else:
        cut = removal(q, s / 2, eps)
    return (1 - real(tau)) * whole + real(tau) * cut


def stated(q, s, cap, n, relation):
    base = {"kind": "gaussian", "sigma": str(s), "sensitivity": "1"}
    drawn = {"kind": "subsampled", "base": base, "rate": str(q), "sampling": "poisson"}
    rounds = [{**drawn, "batch_cap": cap, "records": n, **({"clipped": True} if relation == "clipped" else {})}]
    return {"rounds": rounds, "neighbours": "replace-one" if relation == "clipped" else relation}


def near(value, ends):
    """Whether the number, known to 25 digits, lies between both ends."""
    slack = abs(value) * CONTEXT.mpf(10) ** -20 + CONTEXT.mpf(10) ** -40
    return real(ends[0]) - slack <= value <= real(ends[1]) + slack


#: Other noise, where a record is replaced: what the round has at e^eps, from the base's odds, in closed form.
OTHERS = (
    ({"kind": "randomized-response", "epsilon": "1"}, lambda e, grown: (e - grown) / (e + 1)),
    ({"kind": "laplace", "scale": "2", "sensitivity": "2"}, lambda e, grown: 1 - CONTEXT.sqrt(grown / e)),
    ({"kind": "geometric", "scale": "1", "shifts": ["1"]}, lambda e, grown: (e - grown) / (e + 1)),
)


def of_other_noise(code, name):
    for base, whole in OTHERS:
        drawn = {"kind": "subsampled", "base": base, "rate": "1/10", "sampling": "poisson"}
        for cap in ({}, {"batch_cap": 50, "records": 1000}):
            rounds = {"rounds": [{**drawn, **cap}], "neighbours": "replace-one", "known": False}
            for eps in (F(0), F(1, 10), F(1, 2)):
                found = max(whole(CONTEXT.e, CONTEXT.exp(real(eps))), 0) / 10
                if name == "delta":
                    assert near(found, code.enclosed(3, **rounds, eps=eps)), (base, eps)
                    continue
                low, high = code.enclosed(3, **rounds, delta=F(int(found * 10**40), 10**40))
                assert low - F(1, 10**15) <= eps <= high + F(1, 10**15), (base, eps)


def deltas(code):
    for case in CASES:
        for relation in RELATIONS:
            for known in (False, True):
                for eps in (F(0), F(1, 10), F(1), F(3)):
                    found = code.enclosed(3, **stated(*case, relation), known=known, eps=eps)
                    assert near(delta(*case, relation, known, eps), found), (case, relation, known, eps)
    of_other_noise(code, "delta")


def epsilons(code):
    for case in CASES:
        for relation in RELATIONS:
            for known in (False, True):
                at = delta(*case, relation, known, F(1, 2))
                target = F(int(at * 10**40), 10**40)
                low, high = code.enclosed(3, **stated(*case, relation), known=known, delta=target)
                assert low <= F(1, 2) + F(1, 10**15), (case, relation, known)
                assert high >= F(1, 2) - F(1, 10**15), (case, relation, known)
                assert (high - low) * 10**4 <= high
    of_other_noise(code, "eps")


PROVES = (
    Property("chua2024b/cut.delta", deltas, "one round: 4 caps, 4 epsilons, all neighbours, n known or not", "cases"),
    Property("chua2024b/cut.eps", epsilons, "one round: the epsilon of a delta at 1/2", "cases"),
)
