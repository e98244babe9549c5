"""The mechanisms that a ledger declares: their laws, and what they certainly lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from privref.exact.numbers import weighted_sum
from privref.exact.roots import root_up
from privref.guarantees.model import ZCDP, GaussianDP
from privref.ledger.model import Event, Ledger
from privref.profiles.declared import Mechanism, worst_case
from privref.profiles.model import Allocation, Gaussian
from privref.profiles.sampled import MAYBE_TWICE, gaussian_of
from privref.statements.params import Multiset

from .guarantees import Guarantees, counted, merged


@dataclass(frozen=True, eq=False)
class Mechanisms:
    """The declared mechanisms of what ran."""

    guarantees: Guarantees

    @property
    def ledger(self) -> Ledger:
        """The ledger that declares them."""
        return self.guarantees.ledger

    @cached_property
    def gaussian(self) -> tuple[tuple[GaussianDP, int], ...] | None:
        """All events as Gaussian DP, by guarantee or by a Gaussian mechanism of rational mu; None where one is none."""
        return counted(self.ledger, _gaussian)

    @cached_property
    def mus(self) -> Multiset | None:
        """The mus of all events; those of Gaussian mechanisms that are not rationals as one, the root of their squares.

        That one is rounded up where it is irrational. None where an event is not a Gaussian one.
        """
        if self.gaussian is not None:
            return tuple((event.mu, count) for event, count in self.gaussian if event.mu)
        rational: list[tuple[Fraction, int]] = []
        squares = Fraction(0)
        for event in self.ledger.ran:
            law, found = event.law, _gaussian(event)
            if found is not None:
                rational.append((found.mu, event.count))
            elif law is not None and law.is_gaussian and isinstance(law.guarantee, ZCDP):
                squares += 2 * event.count * law.guarantee.rho
            else:
                return None
        return tuple((mu, count) for mu, count in merged([*rational, (root_up(squares), 1)]) if mu)

    @cached_property
    def mus_of_all(self) -> Multiset | None:
        """The same where rounds on samples count as on all records: no pair of a sample has more than its base's.

        A Gaussian mixture is dominated by its farthest Gaussian, and over all epsilon no smaller one dominates it
        (gdp/sampled.rho). As one number, the root of the squares, rounded up where it is irrational.
        """
        if self.mus is not None:
            return self.mus
        squares = Fraction(0)
        for event in self.ledger.ran:
            gaussian = _gaussian(event)
            found = None if gaussian is None else gaussian.mu**2
            square = found if event.law is None else _square_of_all(event.law, found)
            if square is None:
                return None
            squares += event.count * square
        return ((root_up(squares), 1),) if squares else ()

    @cached_property
    def laws(self) -> tuple[tuple[Mechanism, int], ...] | None:
        """Every event as one dominating pair, of its mechanism or else its guarantee; None where one has none."""
        return counted(self.ledger, _dominating)

    @property
    def declared(self) -> Iterator[Mechanism]:
        """What ran, as far as it is declared: mechanisms, and those of trials of which one was selected."""
        if self.guarantees.columns is not None:
            return iter(())
        found = (event.law or event.trial for event in self.ledger.ran)
        return (law for law in found if law is not None)

    @property
    def released(self) -> tuple[str, ...]:
        """What is declared of the answers that were released, which nobody checked."""
        if self.guarantees.columns is not None:
            return ()
        found = (event.released for event in self.ledger.ran)
        return tuple(dict.fromkeys(each.premise for each in found if each is not None))

    @cached_property
    def lost(self) -> tuple[tuple[tuple[Mechanism, int], ...], ...]:
        """Groups of declared mechanisms with their counts; what one group loses, the whole loses at least.

        One pair of neighbouring data sets attains the shifts of a group. That pairs are the same for different events
        is the ledger's to declare: counts of men and of women change for different records. Otherwise every event is
        a group of its own.
        """
        attained = [
            (event.law, event.count)
            for event in self.ledger.ran
            if event.law is not None and event.law.attained and event.law.lower
        ]
        if not self.ledger.attained_together:
            return tuple((pair,) for pair in dict.fromkeys(attained))
        counter: Counter[Mechanism] = Counter()
        for law, count in attained:
            counter[law] += count
        return (tuple(counter.items()),) if counter else ()

    @property
    def declares_laws(self) -> bool:
        """Whether some event that ran declares a mechanism with its law, or on a sample."""
        return self.guarantees.columns is None and any(map(is_declared, self.ledger.ran))

    @property
    def answers_of_absent(self) -> bool:
        """Whether randomized response is declared of a unit that may be absent."""
        if self.ledger.neighbours == "replace-one" or self.guarantees.columns is not None:
            return False
        return any(map(answers, self.declared))


def _gaussian(event: Event) -> GaussianDP | None:
    """An event as Gaussian DP, by its mechanism or else by its guarantee; None where it is not."""
    kinds = (None if event.law is None else event.law.guarantee, event.guarantee)
    return next((kind for kind in kinds if isinstance(kind, GaussianDP)), None)


def _dominating(event: Event) -> Mechanism | None:
    """An event as a dominating pair, of its mechanism or else of its guarantee; None where it has none."""
    return event.law if event.law is not None and event.law.upper is not None else worst_case(event.guarantee)


def _square_of_all(law: Mechanism, guaranteed: Fraction | None) -> Fraction | None:
    """The mu^2 of Gaussian noise, that on a sample with a pair as on all records; else what is guaranteed.

    A batch that may hold a record several times loses more than its base.
    """
    if law.is_gaussian and isinstance(law.guarantee, ZCDP):
        return 2 * law.guarantee.rho
    base = None if law.sample is None else gaussian_of(law.sample.base.upper or ())
    if base is None or not law.upper or (law.sample is not None and law.sample.sampling in MAYBE_TWICE):
        return guaranteed
    squares = (item.pair.mu_squared if isinstance(item.pair, (Gaussian, Allocation)) else base for item in law.upper)
    return weighted_sum(zip(squares, (item.count for item in law.upper), strict=True))


def answers(law: Mechanism) -> bool:
    """Whether the mechanism, or that on a sample, is randomized response of a unit's own value."""
    return "randomized-response" in (law.kind, law.sample.base.kind if law.sample else "")


def is_declared(event: Event) -> bool:
    """Whether what ran is declared, so that it need not lose what its guarantee allows: a law, or a sample."""
    return event.law is not None and (event.law.upper is not None or event.law.sample is not None)
