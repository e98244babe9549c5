"""Poisson samples that are cut above a cap: the coupling of profiles/truncated.py, and what it is no worse than.

D has the records of D' and x; D' has at most n. In each round, whose rate is q and cap B, let W be the sample of the
others, c its size, and b whether x is drawn: independent, of all earlier answers too. Let M~ be the mechanism that
leaves x out wherever c >= B. On D' it is the truncated one, M_B. On D, given W and b:

* c <= B - 1: the sample has at most B records, with x or without it; nothing is cut;
* c >= B and x is not drawn: the sample is W, cut by a rule of W, as on D'; and M~ answers the same;
* c >= B and x is drawn: M_B may answer anything, M~ as on D'.

So M_B and M~ on D can be run on one probability space, equal but where the last occurs in some round, which has the
probability drawn = 1 - prod (1 - q P(c >= B)): the pairs (W, b) of the rounds are independent. And M~ is dominated as
the untruncated mechanism is: given W, with c <= B - 1 a round is a mixture with weight q of the base's pair, and with
c >= B it is the same on D and D'. From P_B <= P~ + drawn, P~ <= e^eps Q + delta for a removal, and
Q <= e^eps P~ + delta, P~ <= P_B + drawn for an addition, delta_B <= delta + drawn and delta_B <= delta + e^eps drawn.

With the samples W told, the untruncated mechanism still has delta: domination is given W. Where all c <= B - 1 the
truncated one is that, on D and on D'; an event S loses at most delta on these W, and at most full on the others.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import sympy as sp

from proofs.chua2024b import truncated as cut

from .steps import Derivation, Step, identity, nonnegative

_SMALL = tuple(case for case in cut.CASES if case[3] == 1)
_SCALES = (Fraction(1), Fraction(9, 8), Fraction(6, 5), Fraction(3, 2), Fraction(3))
q = sp.Symbol("t", positive=True) / (1 + sp.Symbol("t", positive=True))
beyond, at = sp.symbols("beyond at", nonnegative=True)
n, j, p, r, x = sp.symbols("n j p r x", positive=True)

Law = dict[object, Fraction]


def _left_out(others: tuple[object, ...], rate: Fraction, cap: int, rule: Callable[..., object]) -> dict[object, Law]:
    """Of each sample of the others: the batches of M~ on D, x first."""
    found: dict[object, Law] = {}
    for w, chance in cut.samples(others, rate):
        if len(w) < cap:
            found[w] = {(cut.X, *w): chance * rate, w: chance * (1 - rate)}
        else:
            kept = [(w, Fraction(1))] if len(w) == cap else rule(w, cap)
            found[w] = {}
            for batch, share in kept:
                found[w][batch] = found[w].get(batch, Fraction(0)) + chance * share
    return found


def _answers(batches: Law, values: object) -> Law:
    law: Law = {}
    for batch, share in batches.items():
        for said, chance in cut.counts(batch, values).items():
            law[said] = law.get(said, Fraction(0)) + share * chance
    return law


def _joined(parts: dict[object, Law]) -> Law:
    joined: Law = {}
    for batches in parts.values():
        for batch, share in batches.items():
            joined[batch] = joined.get(batch, Fraction(0)) + share
    return joined


def _coupled() -> bool:
    """On D M~ differs from M_B by at most drawn in total variation of the batches; on D' the batches are the same."""
    for (size, rate, cap, _), rule in product(_SMALL, cut.RULES):
        others = tuple(range(size))
        there = cut.batches((cut.X, *others), rate, cap, rule)
        left_out = _joined(_left_out(others, rate, cap, rule))
        differ = sum(
            (max(there.get(b, Fraction(0)) - left_out.get(b, Fraction(0)), Fraction(0)) for b in {*there, *left_out}),
            Fraction(0),
        )
        if differ > rate * cut.tail(rate, size, cap) or sum(left_out.values()) != 1:
            return False
    return True


def _dominated() -> bool:
    """M~ loses no more than a mixture of the base's pair, both ways, also with the others' samples told."""
    for (size, rate, cap, _), rule, values in product(_SMALL, cut.RULES, (cut.FORWARD, cut.BACKWARD)):
        others = tuple(range(size))
        there = _left_out(others, rate, cap, rule)
        told: tuple[Law, Law] = ({}, {})
        for w, batches in there.items():
            alone = {b: share for b, share in batches.items() if cut.X not in b}
            without = alone if len(w) >= cap else {w: sum(batches.values(), Fraction(0))}
            for law, given in zip(told, (batches, without), strict=True):
                law.update({(w, said): chance for said, chance in _answers(given, values).items()})
        for scale in _SCALES:
            most = cut.whole(rate, 1, scale)
            if max(cut.hockey_stick(*told, scale), cut.hockey_stick(told[1], told[0], scale)) > most:
                return False
    return True


def _bounded() -> bool:
    """The truncated mechanism itself, on the answers, in both orientations: each with its own term."""
    tight = 0
    for (size, rate, cap, _), rule in product(_SMALL, cut.RULES):
        others = tuple(range(size))
        there = cut.law((cut.X, *others), rate, cap, rule, cut.counts, ((cut.FORWARD,),))
        without = cut.law(others, rate, cap, rule, cut.counts, ((cut.FORWARD,),))
        drawn, full = rate * cut.tail(rate, size, cap), cut.tail(rate, size, cap)
        for scale in _SCALES:
            most = cut.whole(rate, 1, scale)
            removal, addition = cut.hockey_stick(there, without, scale), cut.hockey_stick(without, there, scale)
            if removal > most + min(drawn, full) or addition > most + min(scale * drawn, full):
                return False
            tight += removal > most
    return tight > 0


def _lost_at_least() -> bool:
    """Others contribute nothing: x zeroed out or left out loses at least what whole samples lose, but for a term."""
    for (size, rate, cap, _), rule in product(_SMALL, cut.RULES):
        others, drawn = tuple(range(size)), rate * cut.tail(rate, size, cap)
        there = _answers(cut.batches((cut.X, *others), rate, cap, rule), cut.ALONE)
        zeroed = _answers(cut.batches((cut.X, *others), rate, cap, rule), dict.fromkeys(cut.ALONE, 0))
        without = _answers(cut.batches(others, rate, cap, rule), cut.ALONE)
        uncut = {said: rate * p + (1 - rate) * cut.clamped(0)[said] for said, p in cut.clamped(1).items()}
        if zeroed != without or without != cut.clamped(0):
            return False
        for scale in _SCALES:
            for first, second, third in ((there, without, uncut), (without, there, uncut)):
                pair = (third, without) if first is there else (without, third)
                if cut.hockey_stick(first, second, scale) < cut.hockey_stick(*pair, scale) - scale * drawn:
                    return False
    return True


def _monotone() -> bool:
    """More records draw no fewer: what holds for the bound holds for every data set below it."""
    return all(
        cut.tail(rate, size + 1, cap) == cut.tail(rate, size, cap) + rate * pmf
        for size, cap, rate in product(range(1, 6), range(1, 6), (Fraction(1, 2), Fraction(1, 7)))
        for pmf in (cut.tail(rate, size, cap - 1) - cut.tail(rate, size, cap),)
    )


_RATIO = (n - j) * p / ((j + 1) * r)

DERIVATIONS = (
    Derivation(
        "Poisson samples cut above a cap (chua2024b/truncated)",
        ("chua2024b/truncated.delta", "chua2024b/truncated.eps", "chua2024b/truncated.least"),
        (
            Step("M~ and M_B have the same batches on D', and on D but for the probability `drawn`", _coupled),
            Step("M~ is dominated as whole samples are, also with the samples of the others told", _dominated),
            Step("so each orientation has its term; and without one the bound would be false", _bounded),
            Step("what is lost at least where others contribute nothing, also if x is zeroed out", _lost_at_least),
            nonnegative(
                "it is no more than (1 + e^eps) P(more than B of n + 1 are drawn): that sample is above the cap where "
                "more than B others are drawn, or B of them and x, which with x drawn are all with c >= B",
                sp.expand(beyond + q * at - q * (beyond + at)),
            ),
            Step("and rises with n, so that n may be any upper bound", _monotone),
            identity(
                "e^eps of a term (P - x Q)_+ is convex in x = e^eps, as x drawn is, so that their sum is at most delta "
                "on one interval: halfway between two points a line is the mean",
                (p - x * r + p - (x + 2 * n) * r) / 2,
                p - (x + n) * r,
            ),
        ),
    ),
    Derivation(
        "a binomial tail by its first terms (chua2024b/truncated.tail)",
        ("chua2024b/truncated.tail",),
        (
            identity(
                "a term is the one before times (n - j) q/((j + 1) (1 - q))",
                sp.gammasimp(sp.binomial(n, j + 1) / sp.binomial(n, j)),
                (n - j) / (j + 1),
            ),
            nonnegative(
                "these ratios fall with j, so that from any on they are below a geometric series",
                sp.together(_RATIO - _RATIO.subs(j, j + 1)).subs(n, j + x),
            ),
            nonnegative(
                "they are at most 1 from the first j on that is at least n q - (1 - q)",
                sp.together((1 - _RATIO).subs(p, q).subs(r, 1 - q).subs(j, n * q - (1 - q) + x)),
            ),
        ),
    ),
)
