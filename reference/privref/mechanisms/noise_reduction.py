"""Noise reduction: a value is released with less and less noise, and only the least noisy release is paid for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from privref.exact.arithmetic import Arithmetic
from privref.exact.errors import InputError
from privref.statements.params import AboveOne, AtLeastOne, Positive
from privref.statements.registry import Result, implements

#: Every stage doubles the transcripts of what is gone through.
MOST_STAGES = 16


@implements(
    "whitehouse2022/brownian.rho",
    kind="exact",
    cites="the Brownian mechanism, as Gaussian rounds chosen on the way",
    standing="ours",
)
def brownian_rho(ar: Arithmetic, sensitivity: Fraction, variance: Sequence[Positive]) -> Result:
    """What the stages of a Brownian mechanism cost as zCDP in all: what its least noisy value costs alone.

    whitehouse2022/brownian.rho: sensitivity^2/(2 t), t the last of the variances, which decrease and may be chosen on
    the way. Proof: the step from t to t' is a Gaussian round of variance 1/(1/t' - 1/t) by itself, of rho_i =
    sensitivity^2 (1/t' - 1/t)/2, weighted with what is known (proofs/derivations/ex_post.py); the sum telescopes. Every
    filter for zCDP or Gaussian DP, and the odometers of Theorem 3, so mix these stages with other rounds.
    """
    for i, (before, after) in enumerate(pairwise(variance)):
        if after >= before:
            raise InputError(f"variance[{i + 1}]", str(after), f"give less than {before}: noise is only reduced")
    return sensitivity**2 / (2 * variance[-1]) if variance else Fraction(0)


def gradual_response(exp_eps: Sequence[Fraction]) -> list[dict[tuple[int, ...], tuple[Fraction, Fraction]]]:
    """The joint laws of the first 1, 2, … answers of a randomized response whose noise is reduced, on inputs 0 and 1.

    The last answer is randomized response of the last e^epsilon; each one before it is the next one, flipped as often
    as makes it randomized response of its own.
    """
    for i, (before, after) in enumerate(pairwise(exp_eps)):
        if after <= before:
            raise InputError(f"exp_eps[{i + 1}]", str(after), f"give more than {before}: noise is only reduced")
    if len(exp_eps) > MOST_STAGES:
        raise InputError("exp_eps", f"{len(exp_eps)} stages", f"at most {MOST_STAGES} are gone through")
    right = [x / (1 + x) for x in exp_eps]
    laws: list[dict[tuple[int, ...], tuple[Fraction, Fraction]]] = []
    for i, own in enumerate(right):
        if not i:
            laws.append({(0,): (own, 1 - own), (1,): (1 - own, own)})
            continue
        # before = own (1 - flip) + (1 - own) flip.
        flip = (own - right[i - 1]) / (2 * own - 1)
        law: dict[tuple[int, ...], tuple[Fraction, Fraction]] = {}
        for path in laws[-1]:
            for answer in (0, 1):
                # Backwards from the newest answer: each older one is it, flipped or not.
                kept = 1 - flip if answer == path[-1] else flip
                p, q = (own, 1 - own) if answer == 0 else (1 - own, own)
                scale = kept * _given_newer(path, right)
                law[(*path, answer)] = (p * scale, q * scale)
        laws.append(law)
    return laws


def _given_newer(path: tuple[int, ...], right: Sequence[Fraction]) -> Fraction:
    """The probability of the older answers given the newest of the path."""
    found = Fraction(1)
    for i in range(len(path) - 1):
        flip = (right[i + 1] - right[i]) / (2 * right[i + 1] - 1)
        found *= 1 - flip if path[i] == path[i + 1] else flip
    return found


@implements(
    "ligett2017/gradual_response.delta", kind="exact", cites="noise reduction, of randomized response", standing="ours"
)
def gradual_response_delta(ar: Arithmetic, exp_eps: Sequence[AboveOne], exp_E: Sequence[AtLeastOne]) -> Result:
    """What ex-post claims about a noise-reduced randomized response lack: 0 where each stage's own epsilon is claimed.

    ligett2017/gradual_response.delta: stages of e^epsilon that increase, and for each the e^E that is claimed of those
    who stop there. The largest sum of (p - e^E q)_+ over all ways to stop by what was seen: an exact rational, by going
    through all transcripts backwards; a rule that looks at the data too is not covered. The noise is reduced along a
    chain, so that the loss is that of the last answer.
    At most 16 stages.
    """
    if len(exp_E) != len(exp_eps):
        raise InputError("exp_E", f"{len(exp_E)} values", f"give {len(exp_eps)}, one for each stage")
    best: dict[tuple[int, ...], Fraction] = {}
    for law, claim in reversed(list(zip(gradual_response(exp_eps), exp_E, strict=True))):
        values = {}
        for path, (p, q) in law.items():
            stopped = max(p - claim * q, Fraction(0))
            on = sum((best[(*path, answer)] for answer in (0, 1) if (*path, answer) in best), Fraction(0))
            values[path] = max(stopped, on)
        best = values
    return sum(best.values(), Fraction(0))
