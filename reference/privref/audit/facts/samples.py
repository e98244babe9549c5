"""How a ledger's records were sampled: the rounds on samples, their caps, and what is taken at its word."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

from privref.guarantees.model import Guarantee, PureDP, Unknown
from privref.ledger.model import SELECTED, Event, Ledger
from privref.profiles.allowance import Allowance, is_left_open
from privref.profiles.declared import Mechanism, Sample, Truncation, worst_case
from privref.profiles.model import Allocation, SubsampledGaussian
from privref.profiles.sampled import SAMPLED_NEIGHBOURS

from .guarantees import Guarantees, counted
from .mechanisms import Mechanisms

#: Events that a premise names.
_MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class Samples:
    """What is declared of the samples that mechanisms ran on."""

    mechanisms: Mechanisms

    @property
    def guarantees(self) -> Guarantees:
        """What the same events guarantee."""
        return self.mechanisms.guarantees

    @property
    def ledger(self) -> Ledger:
        """The ledger that declares them."""
        return self.mechanisms.ledger

    @cached_property
    def draws(self) -> tuple[tuple[Sample, int], ...] | None:
        """How the records of every event were drawn, with counts; None where one event is not subsampled."""
        return counted(self.ledger, lambda event: None if event.law is None else event.law.sample)

    def _by(self, sampling: str) -> bool:
        """Whether some event ran on samples drawn so, under neighbours of which the theorems about them speak."""
        if self.ledger.neighbours not in SAMPLED_NEIGHBOURS:
            return False
        return any(law.sample is not None and law.sample.sampling == sampling for law in self.mechanisms.declared)

    @cached_property
    def drawn(self) -> bool:
        """Whether some event ran on a Poisson sample of the records, of which the theorems speak."""
        return self._by("poisson")

    @cached_property
    def in_bins(self) -> bool:
        """Whether some event ran on batches that are bins, of which a theorem speaks."""
        return self._by("balls-in-bins")

    @cached_property
    def unamplified(self) -> str:
        """Which events count as their base mechanisms on samples drawn in any way, in words; "" where none does."""
        found = [law for law in self.mechanisms.declared if _counts_as_its_base(law)]
        if not found:
            return ""
        kinds = {law.sample.sampling for law in found if law.sample is not None}
        epochs = {
            "shuffled": "; in an epoch of a shuffle a record is in one batch, and an event begins with an epoch",
            "balls-in-bins": "; each record, also one in another's place, fell into one of the bins on its own "
            "and uniformly, whatever the others did, and took part in that bin's steps only",
        }
        return (
            "rounds on samples count as their mechanism on all records, without what sampling may gain: which records "
            "a batch holds depends on coins and on earlier answers only, each at most once"
        ) + "".join(words for kind, words in epochs.items() if kind in kinds)

    @cached_property
    def at_their_word(self) -> tuple[str, ...]:
        """Say which guarantees, listed with a mechanism, do not follow from it."""
        if self.guarantees.columns is not None:
            return ()
        allowance = Allowance()
        unknown, stronger = list[str](), list[str]()
        for place, event in enumerate(self.ledger.events, 1):
            law, guarantee = event.law or event.trial, _stated(event)
            if event.decision not in (None, "continue") or law is None or isinstance(guarantee, Unknown):
                continue
            if _is_unlike(law, guarantee):
                unknown.append(str(place))
            elif is_left_open(law) and allowance.contradiction(replace(law, attained=True), guarantee) is not None:
                stronger.append(str(place))
        laws = "its mechanism's law is not known here", "their mechanisms' laws are not known here"
        less = (
            "it is stronger than what its mechanism gives, whose shift or sensitivity is not attained",
            "they are stronger than what their mechanisms give, whose shifts or sensitivities are not attained",
        )
        return tuple(_taken(places, *why) for places, why in ((unknown, laws), (stronger, less)) if places)

    @cached_property
    def truncated(self) -> tuple[tuple[Mechanism, int], ...] | None:
        """Every event as one dominating pair, some with samples that may be cut; None where none is, or one has none.

        What is declared of the mechanism counts before its guarantee.
        """
        if self.guarantees.columns is not None:
            return None

        def view(event: Event) -> Mechanism | None:
            law = event.law
            return law if law is not None and (law.whole or law).upper is not None else worst_case(event.guarantee)

        found = counted(self.ledger, view)
        return found if any(law.whole is not None for law, _ in found or ()) else None

    @cached_property
    def capped(self) -> tuple[tuple[Mechanism, int], ...] | None:
        """The same if cut samples have a pair of their own, in which it is revealed whether a batch may be cut."""
        neighbours = self.ledger.neighbours
        if self.guarantees.columns is not None or neighbours is None:
            return None
        laws = [event.law for event in self.ledger.ran if event.law is not None]
        if not any(law.may_be_cut or law.may_reveal(neighbours) for law in laws):
            return None
        # Imported late: few ledgers have cut samples, and the pair brings the contours with it.
        from privref.profiles.cut import pair_of

        def view(event: Event) -> Mechanism | None:
            law = event.law
            known = law is not None and (law.upper is not None or pair_of(law, neighbours) is not None)
            return law if known else worst_case(event.guarantee)

        return counted(self.ledger, view)

    @cached_property
    def caps(self) -> tuple[Truncation, ...]:
        """The different caps that are declared of Poisson samples, and how many records they rest on."""
        if self.guarantees.columns is not None:
            return ()
        found = dict.fromkeys(event.truncation for event in self.ledger.ran)
        return tuple(truncation for truncation in found if truncation is not None)

    @property
    def unaccounted(self) -> tuple[str, ...]:
        """Descriptions of the events that neither have a guarantee nor are bounded by their pair and a cap."""
        return () if self.truncated is not None or self.capped is not None else self.guarantees.unknown

    @property
    def only_sampling_unknown(self) -> bool:
        """Whether all that cannot be accounted is how records were sampled."""
        return all(
            event.law is not None and event.law.sample is not None
            for event in self.ledger.events
            if isinstance(event.guarantee, Unknown)
        )

    @cached_property
    def allocation(self) -> tuple[Allocation, Sample] | None:
        """The one run of balls in bins that is all that ran; None where there is more, or none."""
        ran = self.ledger.ran
        if self.guarantees.columns is not None or len(ran) != 1:
            return None
        event = ran[0]
        law = event.law
        if event.count != 1 or law is None or law.sample is None or len(law.upper or ()) != 1:
            return None
        (item,) = law.upper or ()
        return (item.pair, law.sample) if isinstance(item.pair, Allocation) and item.count == 1 else None

    @cached_property
    def gaussian(self) -> tuple[SubsampledGaussian, int] | None:
        """The one Poisson-sampled Gaussian round that all events are, and how often; None where there is none."""
        pairs: Counter[SubsampledGaussian] = Counter()
        for event in self.ledger.ran:
            (item, *more) = (event.law.upper if event.law is not None else None) or (None,)
            if item is None or more or not isinstance(item.pair, SubsampledGaussian):
                return None
            pairs[item.pair] += event.count * item.count
        return next(iter(pairs.items())) if len(pairs) == 1 else None


def _counts_as_its_base(law: Mechanism) -> bool:
    """Whether a mechanism on samples has no pair, and a guarantee all the same."""
    return law.sample is not None and law.upper is None and not isinstance(law.guarantee, Unknown)


def _stated(event: Event) -> Guarantee:
    """The guarantee that the event was declared with: that of one trial, of several."""
    if event.best_of is not None:
        return event.best_of.of
    if event.selected is not None and isinstance(event.guarantee, PureDP):
        return PureDP(event.guarantee.epsilon / SELECTED[event.selected])
    return event.guarantee


def _is_unlike(law: Mechanism, guarantee: Guarantee) -> bool:
    """Whether the mechanism has no pair, and the guarantee is not its own; an attained cut one was compared."""
    return law.upper is None and guarantee != law.guarantee and not (law.attained and law.may_be_cut)


def _taken(places: list[str], of_one: str, of_several: str) -> str:
    if len(places) == 1:
        return f"the guarantee of event {places[0]} is taken at its word; {of_one}"
    more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
    named = ", ".join(places[:_MOST_NAMED])
    return f"the guarantees of events {named}{more} are taken at their word; {of_several}"
