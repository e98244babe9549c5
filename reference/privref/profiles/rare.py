"""Labels and losses so rare that delta hardly shows them: left out of a composition, and added to delta once.

The pair of a label is (P, Q). Both laws hold the same law R with the chance 1 - m: if no record is drawn that is on one
of both data sets only, which at a rate q at most n of them are, m <= n q. For all epsilon >= 0 its delta is m at most,
and so delta(-eps) <= 1 - e^-eps + e^-eps m: no more than that of a pair that loses all with the chance m, and else
nothing. That pair dominates it.

Let a round lose nothing for the labels that are left out. What is left of the composition is its core:

* It loses no more: each left out label's answer is replaced by one that says nothing, the same on both data sets.
* It loses less by d at most, d the sum over all rounds of the chances of a left out label times its m. Let the pairs
  that dominate the left out ones reveal whether all is lost. In some round it is, with a chance of at most d. Else the
  answers are those of the core, of each list of labels with the same part of their masses under P as under Q. So
  delta(eps) <= d + delta_core(eps).

Rounds that lose all with a chance, and else nothing, are left out alike. So delta_core <= delta <= delta_core + d at
each epsilon, and epsilon is between that of the core at delta and that of the core at delta - d.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .model import Composition, Exchanged, Labelled, Round, Sampled, WorstApproximate, records_of

#: All that is left out together has at most this share of delta for a relative width of 1.
_SHARE = Fraction(1, 1024)


@dataclass(frozen=True, slots=True)
class Core:
    """What is left of a composition, and how much less delta it has at most, at each epsilon."""

    part: Composition
    missing: Fraction


def _mass(pair: Sampled) -> Fraction:
    """At least the chance with which the laws of a pair differ."""
    if isinstance(pair, Exchanged):
        most = max(records_of(law) for law in (*pair.above, *pair.below))
        return min(most * pair.rate, Fraction(1))
    return pair.rate


def core_of(part: Composition, delta: Fraction, width: Fraction) -> Core:
    """The core that has so nearly the same delta that an enclosure of about this relative width hardly shows it.

    ``delta`` is what epsilon is asked at, or a lower bound of the delta that is asked for.
    """
    worst = [item.count * item.pair.delta for item in part.rounds if isinstance(item.pair, WorstApproximate)]
    room = (delta - sum(worst, Fraction(0))) * min(width, Fraction(1)) * _SHARE
    missing, out = Fraction(0), set()
    for mass, i, j in sorted(_rare(part)):
        if missing + mass > room:
            break
        missing += mass
        out.add((i, j))
    if not out:
        return Core(part, missing)
    rounds = []
    for i, item in enumerate(part.rounds):
        if isinstance(item.pair, Labelled):
            left = [each for j, each in enumerate(item.pair.parts) if (i, j) not in out]
            still = 1 - sum((chance for chance, _ in left), Fraction(0))
            rounds += [Round(Labelled(tuple(left), still), item.count)] if left else []
        elif (i, 0) not in out:
            rounds.append(item)
    return Core(Composition.of(rounds), missing)


def _rare(part: Composition) -> Iterator[tuple[Fraction, int, int]]:
    """What may be left out, as the delta that it has at most, the place of its round, and of its label."""
    for i, item in enumerate(part.rounds):
        match item.pair:
            case WorstApproximate(0, delta):
                yield item.count * delta, i, 0
            case Labelled(parts):
                yield from ((item.count * chance * _mass(pair), i, j) for j, (chance, pair) in enumerate(parts))
            case _:
                pass
