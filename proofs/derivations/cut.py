"""Poisson samples that are cut above a cap, told whether one may be cut: the coupling of profiles/cut.py.

D has the records of D' and x; D' has at most n. In a round of rate q and cap B let W be the sample of the others and b
whether x is drawn: independent, of all earlier answers too. A batch keeps the first B of its sample by an order. Tell
whether |W| >= B, which has the same chance on D and on D'.

* |W| < B: nothing is cut with x or without it, and given W the round is a mixture of weight q of the base's pair.
* |W| >= B: without x the batch is the first B of W. With x drawn it is the same, or x stands in the place of the last.
  Given W and the order the round is a mixture of weight at most q, of a shift that is one record's less another's.
* Where the order is random, x is in the batch with q B/(|W| + 1), and in any one's place; without x the batch is any B
  of the n others, whatever |W| is. So given which B, and whose place it is, the weight is the mean over |W| >= B.

Where x is zeroed out, and what contributes nothing is drawn and kept as x is, the batches are alike but for x's own
contribution: told whether x is drawn, it is the base's pair, or nothing differs.

Where x' is drawn and kept in the place of x, the batches hold the same places on both data sets.

* |W| < B: given W, up to a shift, (1 - q) N_0 + q N_x against (1 - q) N_0 + q N_x', of norms at most half of the shift.
* |W| >= B: given W and the order, and where the order is random given which B and whose place, the mixtures are of
  N_0 with N_u and with N_u', u = x - t, u' = x' - t, of weight at most q, or of p: u, u' and u - u' are at most the
  shift. In Kahane's inequality the covariances are |u|^2, |u' - u|^2 and half of |u|^2 + |u' - u|^2 - |u'|^2: all are
  largest at u' = 0 and |u| the shift. Halves of the shift have |u|^2 of a quarter, and half of it for the last one.
* Not clipped: told whether the place is drawn, it is the base's pair, or nothing differs. So it is without a cap.

The last one uses nothing of the noise. Let (P, Q) dominate the base on two data sets that differ by a replaced record,
H_a(P, Q) = sup_S P(S) - a Q(S) for all a > 0. Given W, the order and all earlier answers the round is (1 - w) N + w A
against (1 - w) N + w B with w <= q: N the answers without the place, A and B those with x and with x' in it. H_a is
jointly convex, and H_a(N, N) = max(1 - a, 0), so that

  H_a <= w H_a(A, B) + (1 - w) max(1 - a, 0) <= q H_a(P, Q) + (1 - q) max(1 - a, 0),

as max(1 - a, 0) <= H_a(P, Q). That is the profile of (q P + (1 - q) *, q Q + (1 - q) *), * an answer of its own, at all
a, and so the other way round. Samples of a fixed size are alike: A, B and N are the means over those with the place
and those without it, and w is the rate. It holds whatever was answered before: the pairs compose. It is attained if
N is certain to be seen, as where no answer is given without the place. Nothing in a guarantee for replaced records
speaks of N on Poisson samples.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, prod

import sympy as sp

from proofs.chua2024b import truncated as exact

from .steps import Derivation, Step, identity, nonnegative

F = Fraction
NOTHING = F(0)
#: Records beside x, rate and cap.
_SMALL = ((1, F(1, 2), 1), (2, F(1, 2), 1), (2, F(1, 3), 2), (3, F(1, 2), 2), (3, F(1, 10), 1))
_SCALES = (F(1), F(9, 8), F(3, 2), F(3))
Law = dict[object, Fraction]


def _orders(n: int) -> list[tuple[object, ...]]:
    """Every order of all records, x among them."""
    return [tuple(each) for each in permutations((exact.X, *range(n)))]


def _kept(sample: set[object], cap: int, order: tuple[object, ...]) -> frozenset[object]:
    """The first of the sample by the order."""
    return frozenset([record for record in order if record in sample][:cap])


def _one_place() -> bool:
    """With x drawn the batch is the same, or has x in the place of one record, or besides where nothing is cut."""
    for n, _, cap in _SMALL:
        for order, size in product(_orders(n), range(n + 1)):
            for others in combinations(range(n), size):
                without, there = _kept(set(others), cap, order), _kept({exact.X, *others}, cap, order)
                if size < cap and (without != set(others) or there != {exact.X, *others}):
                    return False
                if size >= cap and there != without and not (exact.X in there and len(without - there) == 1):
                    return False
    return True


def _random_place() -> bool:
    """By a random order, given that |W| >= B: any batch without x, any place, and the stated mean weight."""
    for n, q, cap in _SMALL:
        tau = exact.tail(q, n, cap)
        if cap > n or not tau:
            continue
        found: dict[tuple[frozenset[object], frozenset[object]], Fraction] = {}
        for w, chance in exact.samples(tuple(range(n)), q):
            if len(w) >= cap:
                for order in _orders(n):
                    pair = _kept(set(w), cap, order), _kept({exact.X, *w}, cap, order)
                    found[pair] = found.get(pair, F(0)) + chance / tau / len(_orders(n))
        stated = F(cap, n + 1) * exact.tail(q, n + 1, cap + 1) / tau
        for batch in map(frozenset, combinations(range(n), cap)):
            of_batch = sum((share for (without, _), share in found.items() if without == batch), F(0))
            for out in batch:
                moved = found.get((batch, (batch - {out}) | {exact.X}), F(0))
                if q * moved != stated * of_batch / cap:
                    return False
    return True


@cache
def _noise(total: int) -> Law:
    return dict(exact.clamped(total))


def _law(n: int, q: Fraction, cap: int, order: tuple[object, ...], values: dict[object, int], there: str) -> Law:
    """The answers with the label; x is there, is not, or contributes nothing in its place."""
    found: Law = {}
    records = tuple(range(n)) if there == "absent" else (exact.X, *range(n))
    for sample, chance in exact.samples(records, q):
        told = sum(record != exact.X for record in sample) >= cap
        batch = _kept(set(sample), cap, order)
        total = sum(values[record] for record in batch if record != exact.X or there == "present")
        for answer, share in _noise(total).items():
            found[told, answer] = found.get((told, answer), F(0)) + chance * share
    return found


def _pair(rate: Fraction, odds: Fraction) -> tuple[Law, Law]:
    """Randomized response of so large odds on a sample; of odds 2 it dominates a shift of one, of odds 4 one of two."""
    high, low = odds / (1 + odds), 1 / (1 + odds)
    return {1: rate * high + (1 - rate) * low, 0: rate * low + (1 - rate) * high}, {1: low, 0: high}


def _told(parts: list[tuple[Fraction, tuple[Law, Law]]], still: Fraction = NOTHING) -> tuple[Law, Law]:
    laws: tuple[Law, Law] = {"still": still}, {"still": still}
    for place, (chance, pair) in enumerate(parts):
        for law, one in zip(laws, pair, strict=True):
            law.update({(place, answer): chance * share for answer, share in one.items()})
    return laws


def _dominated() -> bool:
    """All samples, all orders, many values: the answers lose no more than the stated mixture, both ways."""
    tight = 0
    for (n, q, cap), zeroed in product(_SMALL, (False, True)):
        tau = exact.tail(q, n, cap)
        parts = [
            (1 - tau, _pair(q, F(2))),
            (tau * q if zeroed else tau, _pair(F(1) if zeroed else q, F(2 if zeroed else 4))),
        ]
        above, below = _told(parts, tau * (1 - q) if zeroed else F(0))
        for order, signs in product(_orders(n)[:: 1 if n < 3 else 3], product((1, -1), repeat=n)):
            values = {exact.X: 1, **dict(enumerate(signs))}
            there = _law(n, q, cap, order, values, "present")
            without = _law(n, q, cap, order, values, "zeroed" if zeroed else "absent")
            for scale in _SCALES:
                for one, other, p, r in ((there, without, above, below), (without, there, below, above)):
                    lost, most = exact.hockey_stick(one, other, scale), exact.hockey_stick(p, r, scale)
                    if lost > most:
                        return False
                    tight += lost * 2 > most > 0
    return tight > 0


def _rounds(pairs: list[tuple[Law, Law]]) -> tuple[Law, Law]:
    """The laws of the answers of independent rounds."""

    def product_of(laws: list[Law]) -> Law:
        found: Law = {}
        for answers in product(*(law.items() for law in laws)):
            found[tuple(answer for answer, _ in answers)] = prod(mass for _, mass in answers)
        return found

    return product_of([p for p, _ in pairs]), product_of([q for _, q in pairs])


def _by_count() -> bool:
    """A usual part, a rare one or none is told: k rounds by how many have the rare part, and what is left beyond m."""
    kept, rare = _pair(F(1, 3), F(2)), _pair(F(1), F(3))
    for k, chance, still in product((1, 2, 3), (F(1, 20), F(1, 2)), (F(0), F(1, 5))):
        usual = _told([((1 - chance - still) / (1 - chance), kept)], still / (1 - chance))
        whole = _rounds([_told([(1 - chance - still, kept), (chance, rare)], still)] * k)
        for scale in _SCALES:
            terms = [
                comb(k, j) * chance**j * (1 - chance) ** (k - j)
                * exact.hockey_stick(*_rounds([usual] * (k - j) + [rare] * j), scale)
                for j in range(k + 1)
            ]  # fmt: skip
            if sum(terms) != exact.hockey_stick(*whole, scale):
                return False
            if any(sum(terms[m:]) > comb(k, m) * chance**m for m in range(1, k + 1)):
                return False
    return True


def _mixtures(rate: Fraction, total: int, moved: tuple[int, int]) -> tuple[Law, Law]:
    """The noise about a sum, and with a rate about it with either contribution added."""
    still, *others = (_noise(total + each) for each in (0, *moved))
    first, second = ({at: (1 - rate) * still[at] + rate * other[at] for at in still} for other in others)
    return first, second


@cache
def _most(rate: Fraction, cap: int, scale: Fraction, of_cut: bool, norm: int) -> Fraction:
    """The most that one sample loses, over all others, of two contributions of at most this norm; cut, or not."""
    values = range(-norm, norm + 1)
    outs = (-1, 1) if of_cut else (0,)
    return max(
        exact.hockey_stick(*_mixtures(rate, total, (x - out, other - out)), scale)
        for total, out, x, other in product(range(-cap, cap + 1), outs, values, values)
    )


def _random_law(n: int, q: Fraction, cap: int, values: dict[object, int]) -> Law:
    """The answers with the label, where the order is a random one."""
    found: Law = {}
    for order in _orders(n):
        for answer, share in _law(n, q, cap, order, values, "present").items():
            found[answer] = found.get(answer, F(0)) + share / len(_orders(n))
    return found


def _replaced() -> bool:
    """One record in another one's place: no more than the stated mean, by every order; by a random one with p."""
    tight = 0
    for (n, q, cap), scale in product(_SMALL, _SCALES):
        tau = exact.tail(q, n, cap)
        p = F(cap, n + 1) * exact.tail(q, n + 1, cap + 1) / tau
        whole = (1 - tau) * _most(q, cap, scale, False, 1)
        for signs, (x, other) in product(product((1, -1), repeat=n), ((1, -1), (-1, 1), (1, 0))):
            here, there = ({exact.X: each, **dict(enumerate(signs))} for each in (x, other))
            for order in _orders(n)[:: 1 if n < 3 else 7]:
                laws = (_law(n, q, cap, order, values, "present") for values in (here, there))
                lost, most = exact.hockey_stick(*laws, scale), whole + tau * _most(q, cap, scale, True, 1)
                if lost > most:
                    return False
                tight += lost * 2 > most > 0
            if n == 3 and sum(signs) != 1:
                continue  # Every order of these takes long.
            random = (_random_law(n, q, cap, values) for values in (here, there))
            if exact.hockey_stick(*random, scale) > whole + tau * _most(p, cap, scale, True, 1):
                return False
    return tight > 0


def _of_any_norm() -> bool:
    """Contributions that are not clipped lose more than that, and no more than if it is told which place is drawn."""
    beyond = 0
    for (n, q, cap), scale in product(_SMALL, _SCALES):
        tau = exact.tail(q, n, cap)
        clipped = (1 - tau) * _most(q, cap, scale, False, 1) + tau * _most(q, cap, scale, True, 1)
        base = max(exact.hockey_stick(_noise(at), _noise(at + move), scale) for at in range(-9, 8) for move in (-2, 2))
        for order, signs in product(_orders(n)[:: 1 if n < 3 else 7], product((1, -1), repeat=n)):
            here, there = ({exact.X: each, **dict(enumerate(signs))} for each in (3, 1))
            for laws in ((here, there), (there, here)):
                found = [_law(n, q, cap, order, values, "present") for values in laws]
                lost = exact.hockey_stick(found[0], found[1], scale)
                if lost > q * base:
                    return False
                beyond += lost > clipped
    return beyond > 0


def _never_cut() -> bool:
    """Nor do samples that are never cut, of any contributions: the chance times the base's loss, which is attained."""
    tight = 0
    for (n, q, _), scale, move in product(_SMALL, _SCALES, (1, 2, 3)):
        base = max(
            exact.hockey_stick(_noise(at), _noise(at + each), scale) for at in range(-9, 8) for each in (-move, move)
        )
        order = _orders(n)[0]
        for signs, (x, other) in product(product((1, -1, 0), repeat=n), ((move, 0), (0, move), (move - 1, -1))):
            here, there = ({exact.X: each, **dict(enumerate(signs))} for each in (x, other))
            lost = exact.hockey_stick(
                _law(n, q, n + 1, order, here, "present"), _law(n, q, n + 1, order, there, "present"), scale
            )
            if lost > q * base:
                return False
            tight += lost * 2 > q * base > 0
    return tight > 0


_ANSWERS: tuple[object, ...] = (0, 1, 2)


@cache
def _answer(true: object) -> tuple[tuple[object, Fraction], ...]:
    """Randomized response of odds 3 about one of three answers; and what is no answer, and certain."""
    if true == "none":
        return (("none", F(1)),)
    return tuple((each, F(3 if each == true else 1, 5)) for each in _ANSWERS)


def _round(q: Fraction, rules: tuple[tuple[object, object], ...]) -> Law:
    """One round: given each sample of the others, as likely as any other one, what is true without x and with it."""
    found: Law = {}
    for without, there in rules:
        for weight, true in ((1 - q, without), (q, there)):
            for answer, share in _answer(true):
                found[answer] = found.get(answer, F(0)) + weight * share / len(rules)
    return found


def _any_noise() -> bool:
    """Randomized response about samples, by all rules: no more than the stated pair, which one rule attains.

    Two rounds, where any rule may follow any answer, lose no more than two pairs, and as much.
    """
    rules = [(still, here, there) for still in (*_ANSWERS, "none") for here, there in product(_ANSWERS, repeat=2)]
    for q, scale in product((F(1, 10), F(1, 2)), (F(1, 2), *_SCALES, F(5, 2))):
        pair = _told([(q, (dict(_answer(0)), dict(_answer(1))))], 1 - q)
        most = exact.hockey_stick(*pair, scale)
        if most != q * exact.hockey_stick(dict(_answer(0)), dict(_answer(1)), scale) + (1 - q) * max(1 - scale, 0):
            return False
        found = max(
            exact.hockey_stick(*(_round(q, tuple((each[0], each[k]) for each in two)) for k in (1, 2)), scale)
            for two in product(rules, repeat=2)
        )
        single = [tuple(_round(q, ((each[0], each[k]),)) for k in (1, 2)) for each in rules]
        double = max(
            sum(
                max(
                    exact.hockey_stick(_times(p.get(a, F(0)), one), _times(r.get(a, F(0)), other), scale)
                    for one, other in single
                )
                for a in {*p, *r}
            )
            for p, r in single
        )
        if found != most or double != exact.hockey_stick(*_rounds([pair, pair]), scale):
            return False
    return True


def _times(weight: Fraction, law: Law) -> Law:
    return {answer: weight * mass for answer, mass in law.items()}


def _other_rules_lose_more() -> bool:
    """A cut batch that keeps first what is like the record in the place: by no order, and beyond the bound."""
    (n, q, cap), scale = (3, F(1, 2), 2), F(1)
    tau = exact.tail(q, n, cap)
    found: list[Law] = [{}, {}]
    for law, x in zip(found, (1, -1), strict=True):
        values: dict[object, int] = {exact.X: x, 0: 1, 1: 1, 2: -1}
        for sample, chance in exact.samples((exact.X, *range(n)), q):
            others = [record for record in sample if record != exact.X]
            like = sorted(sample, key=lambda record: values[record] != x) if exact.X in sample else others
            for answer, share in _noise(sum(values[record] for record in like[:cap])).items():
                told = len(others) >= cap, answer
                law[told] = law.get(told, F(0)) + chance * share
    most = (1 - tau) * _most(q, cap, scale, False, 1) + tau * _most(q, cap, scale, True, 1)
    return exact.hockey_stick(found[0], found[1], scale) > most


def _no_more_than_a_term() -> bool:
    """The mixture is never above whole samples with a term of the record drawn in a batch that is cut."""
    for n, q, cap in _SMALL:
        tau = exact.tail(q, n, cap)
        pair = _told([(1 - tau, _pair(q, F(2))), (tau, _pair(q, F(4)))])
        for scale in _SCALES:
            removal, addition = exact.hockey_stick(*pair, scale), exact.hockey_stick(pair[1], pair[0], scale)
            whole = _pair(q, F(2))
            if removal > exact.hockey_stick(*whole, scale) + tau * q:
                return False
            if addition > exact.hockey_stick(whole[1], whole[0], scale) + scale * tau * q:
                return False
    return True


tau, more, whole, cut = sp.symbols("tau more whole cut", nonnegative=True)
u, v = (sp.Matrix(sp.symbols(f"{name}_1:4", real=True)) for name in ("u", "v"))

DERIVATIONS = (
    Derivation(
        "Poisson samples cut above a cap, told whether one may be cut (chua2024b/cut)",
        ("chua2024b/cut.delta", "chua2024b/cut.eps"),
        (
            Step("x takes the place of at most one record, by every order", _one_place),
            Step("by a random order it is any place of any batch, with the stated mean weight", _random_place),
            Step("the profile of k rounds is the mean over how many have a rare part of those", _by_count),
            Step("so small mechanisms lose no more than the mixture, for all samples, orders and signs", _dominated),
            Step("which is never above whole samples with a term (chua2024b/truncated)", _no_more_than_a_term),
            identity(
                "a larger chance moves mass from the pair of whole samples to that of cut ones",
                (1 - tau - more) * whole + (tau + more) * cut - ((1 - tau) * whole + tau * cut),
                more * (cut - whole),
            ),
            Step(
                "and one in another's place no more than the mean of the most that whole and cut samples lose",
                _replaced,
            ),
            Step(
                "contributions that are not clipped lose more, and less than if it is told who is drawn", _of_any_norm
            ),
            Step("so do samples that are never cut, of which it is told who is drawn", _never_cut),
            Step("so it is of any noise: by all rules no more than the pair, which one attains, twice too", _any_noise),
            Step("a rule that is no order loses more", _other_rules_lose_more),
            identity(
                "the covariance of Kahane's two terms of a replaced record",
                (-u).dot(v - u),
                (u.dot(u) + (v - u).dot(v - u) - v.dot(v)) / 2,
            ),
            nonnegative("which loses at least as much: less noise, of which more is a post-processing", more * cut),
        ),
    ),
)
