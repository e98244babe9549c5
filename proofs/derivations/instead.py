"""Other noise than Gaussian on samples of a fixed size: the bounds of profiles/instead.py, on small mechanisms.

The proof is in that module. Here randomized response about batches is worked out exactly: by every rule, which gives
each batch a true answer, all batches, and in two rounds every rule after each answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import sympy as sp

from proofs.chua2024b import truncated as exact

from .exchanged import fixed_size
from .steps import Derivation, Step, identity, nonnegative

F = Fraction
Law = dict[object, Fraction]
_ANSWERS = 3
#: Sizes of batches, and records.
_SMALL = ((1, 2), (1, 3), (2, 3))
_SCALES = (F(1), F(9, 8), F(3, 2), F(5, 2))


def _answer(true: int) -> Law:
    """Randomized response of odds 3 about one of three answers."""
    return {each: F(3 if each == true else 1, 5) for each in range(_ANSWERS)}


def _mixed(parts: list[tuple[Fraction, Law]]) -> Law:
    found: Law = {}
    for chance, law in parts:
        for answer, mass in law.items():
            found[answer] = found.get(answer, F(0)) + chance * mass
    return found


def _rounds(size: int, records: int) -> Iterator[tuple[Law, Law]]:
    """One round on both data sets by every rule, x replaced by x': a true answer for each batch that may be drawn."""
    batches = list(combinations(range(records), size))
    with_x, without = ([batch for batch in batches if (0 in batch) is there] for there in (True, False))
    share = F(1, len(batches))
    for true in product(range(_ANSWERS), repeat=2 * len(with_x) + len(without)):
        here, there, still = true[: len(with_x)], true[len(with_x) : 2 * len(with_x)], true[2 * len(with_x) :]
        yield tuple(  # type: ignore[misc]
            _mixed([(share, _answer(each)) for each in (*own, *still)]) for own in (here, there)
        )


def _poisson(q: Fraction) -> tuple[Law, Law]:
    return _mixed([(1 - q, _answer(1)), (q, _answer(0))]), _answer(1)


def stated(q: Fraction) -> tuple[Law, Law]:
    """The stated pair: what a Poisson sample gains, the same the other way round, and what loses nothing."""
    p, r = _poisson(q)
    gains = [each for each in p if p[each] > r[each]]
    first = {**{("more", each): p[each] for each in gains}, **{("less", each): r[each] for each in gains}}
    second = {**{("more", each): r[each] for each in gains}, **{("less", each): p[each] for each in gains}}
    still = 1 - sum(first.values())
    return {**first, "still": still}, {**second, "still": still}


def _dominated() -> bool:
    """Every rule loses no more than the pair, at every scale, and one of them as much at each scale of at least 1."""
    for size, records in _SMALL:
        q = F(size, records)
        pair, laws = stated(q), list(_rounds(size, records))
        for scale in (F(1, 2), F(8, 9), *_SCALES):
            most = exact.hockey_stick(*pair, scale)
            if max(exact.hockey_stick(*each, scale) for each in laws) != most:
                return False
            base = exact.hockey_stick(_answer(0), _answer(1), 1 + (scale - 1) / q)
            if scale >= 1 and most != q * base:
                return False
    return True


def _adaptive() -> bool:
    """Two rounds, of which the second one's rule is chosen by the first answer: no more than two pairs."""
    tight = 0
    for size, records in _SMALL[:2]:
        pair, laws = stated(F(size, records)), list(_rounds(size, records))
        for scale in _SCALES:
            twice = ({(a, b): law[a] * law[b] for a in law for b in law} for law in pair)
            found = max(
                sum(
                    max(
                        exact.hockey_stick(_times(p[answer], one), _times(r[answer], other), scale)
                        for one, other in laws
                    )
                    for answer in p
                )
                for p, r in laws
            )
            first, second = twice
            most = exact.hockey_stick(first, second, scale)
            if found > most:
                return False
            tight += found * 10 > most * 9 > 0
    return tight > 0


def _times(weight: Fraction, law: Law) -> Law:
    return {answer: weight * mass for answer, mass in law.items()}


def _as_poisson() -> bool:
    """Where each batch without x has one true answer and each with it another one, it is a Poisson sample."""
    for size, records in _SMALL:
        batches = list(combinations(range(records), size))
        found = _mixed([(F(1, len(batches)), _answer(0 if 0 in batch else 1)) for batch in batches])
        if (found, _answer(1)) != _poisson(F(size, records)):
            return False
    return True


def _any_sampler() -> bool:
    """If y is no neighbour, as of Poisson samples, it is more than the pair: what is revealed may be needed."""
    q, none = F(1, 2), {"none": F(1)}
    p, r = (_mixed([(1 - q, none), (q, _answer(true))]) for true in (0, 1))
    return all(exact.hockey_stick(p, r, scale) > exact.hockey_stick(*stated(q), scale) for scale in _SCALES[1:])


q, less, scale = sp.symbols("q less scale", positive=True)
x, other, y = sp.symbols("x other y")
rise, rest = sp.symbols("rise rest", nonnegative=True)
above = 1 + (scale - 1) / q
share = scale / above

DERIVATIONS = (
    Derivation(
        "other noise on samples of a fixed size, one record replaced (zdw2022/thm10)",
        (),
        (
            Step("a sample of a fixed size is others and one place, which x has with B/n", fixed_size),
            identity(
                "P - scale Q is q times N_x less A times a mean of N_y and N_x' (Balle, Barthe, Gaboardi 2018)",
                (1 - q) * y + q * x - scale * ((1 - q) * y + q * other),
                q * (x - above * ((1 - share) * y + share * other)),
            ),
            # q = 1/(1 + rest), scale = 1 + rise.
            nonnegative(
                "of which both weights are at least 0",
                (1 - share).subs({q: 1 / (1 + rest), scale: 1 + rise}),
            ),
            Step("by every rule no round loses more than the pair, and one as much at each scale from 1", _dominated),
            Step("nor do two rounds, the second one by any rule that follows from the first answer", _adaptive),
            Step("where the others equal what is put in, it is a Poisson sample of the same rate", _as_poisson),
            Step("which no sample has where y is no neighbour: then more may be lost", _any_sampler),
        ),
    ),
)
