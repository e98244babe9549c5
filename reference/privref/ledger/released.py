"""What of a mechanism's answers was released, as an event declares it: premises, or why no theorem speaks of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import count
from privref.profiles.declared import Mechanism

#: By what may be declared: the words under which a mechanism's law is that of its released answers, and what they say.
OWN: Mapping[str, Mapping[str, str]] = {
    "divided_by": {
        "nothing": "the noisy sums were released as they are",
        "public-constant": "the noisy sums were divided by a constant that no record changes",
    },
    "clipping": {"each-record": "what each record contributes was clipped to the declared sensitivity"},
    "padding": {
        "none": "no batch was padded",
        "zeros": "batches were padded by what contributes nothing",
    },
    "empty_batches": {"like-others": "a step with an empty batch ran and released its noise like any other"},
    "not_finite": {"zeroed": "a contribution that is not a finite number counted as 0"},
    "noise": {"new-each-step": "each step's noise was drawn anew, with the declared sigma for the sum of its batch"},
    "across_records": {"none": "what a record contributes depends on no other record"},
    "metrics": {
        "none": "no metric of the run was released",
        "events": "each metric that was released is an event of this ledger",
    },
    "tuning": {
        "none": "nothing of the run was chosen by other runs on these data",
        "other-data": "what was tuned was tuned on other data",
        "events": "each run that was tried on these data is an event of this ledger",
    },
}
#: The words under which it is not.
OTHER: Mapping[str, Mapping[str, str]] = {
    "divided_by": {
        "number-of-records": "the noisy sums were divided by the number of records, which a neighbour changes",
        "batch-size": "the noisy sums were divided by the number of records that were drawn",
    },
    "clipping": {"whole-batch": "sums were clipped, and not what each record contributes"},
    "padding": {"other-records": "batches were padded by other records"},
    "empty_batches": {"left-out": "a step with an empty batch failed or was left out, which shows that it was empty"},
    "not_finite": {"kept": "contributions that are not finite numbers were kept"},
    "noise": {"reused": "noise was used in more than one sum"},
    "across_records": {"some": "what a record contributes depends on the others of its batch"},
    "metrics": {"exact": "metrics of the run were released without noise"},
    "tuning": {"left-out": "the run was chosen among others on these data, which the ledger leaves out (`selected`)"},
}
#: Samples of one size, where no record is added: the size of a batch is the same for both data sets.
_OF_ONE_SIZE = ("fixed-size", "shuffled")


@dataclass(frozen=True, slots=True)
class Released:
    """What an event declares of the answers that were released, under its ledger's neighbours."""

    said: tuple[tuple[str, str], ...]
    coordinates: int | None
    """Of one round's answer, where sums were divided by the number of records."""
    neighbours: str | None
    public_size: bool
    of_one_size: bool

    @property
    def shows_size(self) -> bool:
        """Whether the noise of every step was divided by a number of records that a neighbour changes."""
        divided = ("divided_by", "number-of-records") in self.said and not self._same_size
        # Where something else was released too, as the best of several runs, the noise need not be as declared.
        return divided and all(self._own(key, word) is not None for key, word in self.said if key != "divided_by")

    @property
    def _same_size(self) -> bool:
        return self.neighbours in ("replace-one", "zero-out") or self.public_size

    def _own(self, key: str, word: str) -> str | None:
        """What a word says, where the mechanism's law is that of what was released; None where it is not."""
        if word == "number-of-records" and self._same_size:
            same = (
                "public, and divides the sums of both data sets" if self.public_size else "the same in both data sets"
            )
            return f"the noisy sums were divided by the number of records, which is {same}"
        if word == "batch-size" and self.of_one_size and self.neighbours in ("replace-one", "zero-out"):
            return "the noisy sums were divided by the size of a batch, which is the same for both data sets"
        return OWN[key].get(word)

    @property
    def obstacle(self) -> str | None:
        """Why the mechanism's law is not that of what was released; None where nothing declared says so."""
        return next((OTHER[key][word] for key, word in self.said if self._own(key, word) is None), None)

    @property
    def premise(self) -> str:
        """What is declared of the released answers, and what is not: nobody checked either."""
        given = [words for key, word in self.said if (words := self._own(key, word)) is not None]
        missing = [key for key in OWN if key not in dict(self.said)]
        left = f"; not declared, and assumed as theorems need it: {', '.join(missing)}" if missing else ""
        return f"the ledger declares of what was released, and nobody checked it: {'; '.join(given)}{left}"

    def __str__(self) -> str:
        """As ``diff`` names it."""
        many = f", coordinates {self.coordinates}" if self.coordinates is not None else ""
        return f"released ({', '.join(f'{key} {word}' for key, word in self.said)}{many})"


def released_from(
    event: Mapping[str, Any], law: Mechanism | None, neighbours: str | None, public_size: bool, place: str
) -> Released | None:
    """Return what an event declares of the answers that were released; InputError where it says nothing of them."""
    if "released" not in event:
        return None
    document, place = event["released"], f"{place}.released"
    if law is None or {"selected", "best_of"} & set(event):
        remedy = (
            "it is about the answers of a mechanism, and the event declares none whose every answer was released; "
            "declare the mechanism, or, if the event's guarantee leaves this out, give it the kind unknown"
        )
        raise InputError(place, ", ".join(document), remedy)
    coordinates = None
    if "coordinates" in document:
        if document.get("divided_by") != "number-of-records":
            remedy = "leave it out: it is used of sums that were divided by the number of records (`divided_by`)"
            raise InputError(f"{place}.coordinates", document["coordinates"], remedy)
        if "part" in event:
            remedy = "leave it out: of how many records one part has nothing is declared"
            raise InputError(f"{place}.coordinates", document["coordinates"], remedy)
        coordinates = count(document["coordinates"], f"{place}.coordinates", least=1)
        if coordinates > 10**15:
            raise InputError(f"{place}.coordinates", document["coordinates"], "give at most 10^15")
    said = tuple((key, document[key]) for key in OWN if key in document)
    of_one_size = law.sample is not None and law.sample.sampling in _OF_ONE_SIZE
    return Released(said, coordinates, neighbours, public_size, of_one_size)
