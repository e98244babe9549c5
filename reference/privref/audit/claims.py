"""Privacy claims about a ledger (``claims.1``): of (epsilon, delta), of rho, of mu, of a reading, of what remains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, get_args

from privref.exact.errors import InputError, one_of, path_from, require
from privref.exact.numbers import ExactInput, at_least_zero, count, pair, probability, rational, spell, written
from privref.exact.tables import html_facts
from privref.ledger import documents
from privref.ledger.model import Neighbours
from privref.statements.theorems import called

#: As claims.1 has it: an id names a certificate's file.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
#: Units of a group, and periods, of which one claim speaks.
_MOST_AT_ONCE = 10**6


def claim_named(id: str) -> str:
    """Return how a text names a claim. One that was stated by --claim has no name but its number.

    >>> claim_named("published"), claim_named("claim"), claim_named("claim-2")
    ('claim published', 'claim', 'claim-2')
    """
    return id if re.fullmatch(r"claim(-[0-9]+)?", id) else f"claim {id}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _Named:
    """What every claim has: an id, the theorem that is said to prove it, and the claim as it was written.

    Each kind of claim has an ``__init__`` of its own, because it takes numbers in any exact spelling and keeps
    Fractions.
    """

    id: str
    by: str | None = field(default=None, kw_only=True)
    document: Mapping[str, Any] | None = field(default=None, kw_only=True)
    units: int = field(default=1, kw_only=True)
    """Of how many privacy units the claim speaks at once."""
    periods: int = field(default=1, kw_only=True)
    """Of how many periods' data of a unit the claim speaks."""
    neighbours: Neighbours | None = field(default=None, kw_only=True)
    """Of which neighbours the claim speaks; None for the ledger's."""

    texts: Mapping[str, str] = field(default_factory=dict, init=False, compare=False, repr=False)
    """The numbers that were given as text, as they were written."""

    symbol: ClassVar[str] = "epsilon"
    """What the claim bounds."""

    def _name(
        self,
        id: str,
        by: str | None,
        document: Mapping[str, Any] | None,
        units: ExactInput,
        periods: ExactInput,
        neighbours: Neighbours | None,
    ) -> None:
        """Read and set what every claim has."""
        if not isinstance(id, str) or _ID.fullmatch(id) is None:
            raise InputError("id", id, "name the claim: at most 100 letters, digits, and . _ - after the first")
        for name, given in (("units", units), ("periods", periods)):
            read = count(given, name, least=1)
            if read > _MOST_AT_ONCE:
                raise InputError(name, given, f"give at most {_MOST_AT_ONCE}")
            self._set(**{name: read})
        one_of(neighbours, (None, *get_args(Neighbours)), "neighbours")
        self._set(id=id, by=by, document=document, neighbours=neighbours, texts={})

    def _as_written(self, **given: object) -> None:
        """Keep the numbers that are text as they were written."""
        self._set(texts={name: text.strip() for name, text in given.items() if isinstance(text, str)})

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _text(self, key: str, value: Fraction) -> str:
        # As the claim was written, so that 17.14 is not shown as 857/50.
        return str((self.document or self.texts).get(key, written(value)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id!r}: {self}>"

    def _repr_html_(self) -> str:
        rows = [("claims", str(self)), ("theorem", called(self.by)), ("units", str(self.units) * (self.units > 1))]
        return html_facts(claim_named(self.id), rows)

    @property
    def written(self) -> Mapping[str, Any]:
        """The claim as claims.1 has it: as it was written, or its exact numbers where it was made in Python."""
        if self.document is not None:
            return self.document
        said: dict[str, Any] = {"id": self.id} | ({} if self.by is None else {"by": self.by})
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Fraction):
                said[each.name] = spell(value)
            elif each.name == "deltas" and value is not None:
                said[each.name] = list(map(spell, value))
        said |= {name: getattr(self, name) for name in ("units", "periods") if getattr(self, name) > 1}
        return said if self.neighbours is None else {**said, "neighbours": self.neighbours}

    @property
    def scope(self) -> str:
        """Of which data the claim speaks, where it is not one unit's of the ledger's neighbours."""
        group = f" for a group of {self.units}" if self.units > 1 else ""
        group += f" under {self.neighbours} neighbours" if self.neighbours is not None else ""
        return group + (f" over {self.periods} periods" if self.periods > 1 else "")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ApproxDPClaim(_Named):
    """The whole ledger is (epsilon, delta)-DP."""

    epsilon: Fraction
    delta: Fraction

    def __init__(
        self,
        id: str,
        epsilon: ExactInput,
        delta: ExactInput,
        *,
        by: str | None = None,
        document: Mapping[str, Any] | None = None,
        units: ExactInput = 1,
        periods: ExactInput = 1,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._name(id, by, document, units, periods, neighbours)
        self._set(epsilon=at_least_zero(epsilon, "epsilon"), delta=probability(delta, "delta"))
        self._as_written(epsilon=epsilon, delta=delta)

    @property
    def size(self) -> Fraction:
        """The claimed number: epsilon."""
        return self.epsilon

    def __str__(self) -> str:
        return f"({self._text('epsilon', self.epsilon)}, {self._text('delta', self.delta)})-DP{self.scope}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ZCDPClaim(_Named):
    """The whole ledger is rho-zCDP, approximately with this delta."""

    rho: Fraction
    delta: Fraction

    symbol: ClassVar[str] = "rho"

    def __init__(
        self,
        id: str,
        rho: ExactInput,
        delta: ExactInput = 0,
        *,
        by: str | None = None,
        document: Mapping[str, Any] | None = None,
        units: ExactInput = 1,
        periods: ExactInput = 1,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._name(id, by, document, units, periods, neighbours)
        self._set(rho=at_least_zero(rho, "rho"), delta=probability(delta, "delta"))
        self._as_written(rho=rho, delta=delta)

    @property
    def size(self) -> Fraction:
        """The claimed number: rho."""
        return self.rho

    def __str__(self) -> str:
        delta = f" with delta = {self._text('delta', self.delta)}" if self.delta else ""
        return f"{self._text('rho', self.rho)}-zCDP{delta}{self.scope}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class GaussianDPClaim(_Named):
    """The whole ledger is mu-Gaussian DP."""

    mu: Fraction
    deltas: tuple[Fraction, Fraction] | None = field(default=None, kw_only=True)
    """The range of delta of which it speaks; None for all of them, and so for all epsilon."""

    symbol: ClassVar[str] = "mu"

    def __init__(
        self,
        id: str,
        mu: ExactInput,
        *,
        deltas: Sequence[ExactInput] | None = None,
        by: str | None = None,
        document: Mapping[str, Any] | None = None,
        units: ExactInput = 1,
        periods: ExactInput = 1,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._name(id, by, document, units, periods, neighbours)
        if deltas is not None and by is not None:
            raise InputError("by", by, "leave it out: whichever theorems have points of the curve decide a range")
        self._set(mu=at_least_zero(mu, "mu"), deltas=None if deltas is None else _range(deltas))
        self._as_written(mu=mu)

    @property
    def delta(self) -> Fraction:
        """Gaussian DP has no delta alongside it."""
        return Fraction(0)

    @property
    def size(self) -> Fraction:
        """The claimed number: mu."""
        return self.mu

    def __str__(self) -> str:
        where = "" if self.deltas is None else f" for delta from {' to '.join(map(spell, self.deltas))}"
        return f"{self._text('mu', self.mu)}-GDP{where}{self.scope}"


def _range(deltas: Sequence[ExactInput]) -> tuple[Fraction, Fraction]:
    if not isinstance(deltas, Sequence) or isinstance(deltas, str) or len(deltas) != 2:
        raise InputError("deltas", deltas, 'give both ends of a range, such as ["1e-8", "1e-2"]')
    low, high = (probability(delta, f"deltas[{i}]") for i, delta in enumerate(deltas))
    if not low < high:
        raise InputError("deltas", f"{spell(low)}, {spell(high)}", "give the smaller delta first")
    return low, high


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ReadingClaim(_Named):
    """The odometer ``by`` read at most this epsilon at delta after `after_event` entries of the ledger."""

    reading: Fraction
    delta: Fraction
    after_event: int

    def __init__(
        self,
        id: str,
        reading: ExactInput,
        delta: ExactInput,
        after_event: ExactInput,
        *,
        by: str | None = None,
        document: Mapping[str, Any] | None = None,
        units: ExactInput = 1,
        periods: ExactInput = 1,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._name(id, by, document, units, periods, neighbours)
        self._set(
            reading=at_least_zero(reading, "reading"),
            delta=probability(delta, "delta"),
            after_event=count(after_event, "after_event"),
        )
        if by is None:
            raise InputError("by", by, "name the odometer that was read")

    def __str__(self) -> str:
        delta = self._text("delta", self.delta)
        return f"reading {self._text('reading', self.reading)} at delta = {delta} after event {self.after_event}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class RemainingClaim(_Named):
    """At least the (epsilon, delta) ``remaining`` was left of an (epsilon, delta) budget of output DP."""

    remaining: tuple[Fraction, Fraction]
    epsilon: Fraction
    delta: Fraction

    def __init__(
        self,
        id: str,
        remaining: str | tuple[ExactInput, ExactInput],
        epsilon: ExactInput,
        delta: ExactInput,
        *,
        by: str | None = None,
        document: Mapping[str, Any] | None = None,
        units: ExactInput = 1,
        periods: ExactInput = 1,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._name(id, by, document, units, periods, neighbours)
        self._set(
            remaining=pair(remaining, "remaining"),
            epsilon=at_least_zero(epsilon, "epsilon"),
            delta=probability(delta, "delta"),
        )

    def __str__(self) -> str:
        left = ", ".join(written(part) for part in self.remaining)
        return f"({left}) remains of ({self._text('epsilon', self.epsilon)}, {self._text('delta', self.delta)})"


#: A claim about what all events of the ledger together are.
TotalClaim = ApproxDPClaim | ZCDPClaim | GaussianDPClaim
Claim = TotalClaim | ReadingClaim | RemainingClaim


def require_claims(value: object) -> tuple[Claim, ...]:
    """The claims that a caller gave; InputError for anything else."""
    if not isinstance(value, Iterable) or isinstance(value, (str, Mapping)):
        raise InputError("claims", value, _CLAIMS)
    found = tuple(value)
    for i, claim in enumerate(found):
        require(claim, _Named, f"claims[{i}]", _CLAIMS)
    if not found:
        # An audit of nothing would end in success.
        raise InputError("claims", "(empty)", _CLAIMS)
    return found


_CLAIMS = "give a list of claims, e.g. [ApproxDPClaim(id, epsilon, delta)] or claims_from_document(document)"


def _exact(document: Mapping[str, Any], key: str, place: str, *, probability: bool = False) -> Fraction:
    value = rational(document[key], f"{place}.{key}")
    if value < 0 or (probability and value > 1):
        raise InputError(
            f"{place}.{key}", document[key], "give a number in [0, 1]" if probability else "give a number >= 0"
        )
    return value


def claim_from(document: Mapping[str, Any], place: str) -> Claim:
    """One claim from its parsed, schema-valid document."""
    id, by = document["id"], document.get("by")
    delta = _exact(document, "delta", place, probability=True) if "delta" in document else Fraction(0)
    scope = {name: document.get(name, 1) for name in ("units", "periods")} | {"neighbours": document.get("neighbours")}
    if "reading" in document:
        reading = _exact(document, "reading", place)
        return ReadingClaim(id, reading, delta, document["after_event"], by=by, document=document)
    if "rho" in document:
        return ZCDPClaim(id, _exact(document, "rho", place), delta, by=by, document=document, **scope)
    if "mu" in document:
        mu, deltas = _exact(document, "mu", place), document.get("deltas")
        return GaussianDPClaim(id, mu, deltas=deltas, by=by, document=document, **scope)
    epsilon = _exact(document, "epsilon", place)
    if "remaining" not in document:
        return ApproxDPClaim(id, epsilon, delta, by=by, document=document, **scope)
    left, inside = document["remaining"], f"{place}.remaining"
    remaining = _exact(left, "epsilon", inside), _exact(left, "delta", inside, probability=True)
    return RemainingClaim(id, remaining, epsilon, delta, by=by, document=document)


def claims_from_document(document: Any) -> tuple[Claim, ...]:
    """The claims of a parsed ``claims.1`` document; their ids must differ."""
    documents.validate(document, "claims.1", "claims")
    claims = tuple(claim_from(claim, f"claims.claims[{i}]") for i, claim in enumerate(document["claims"]))
    seen: set[str] = set()
    for i, claim in enumerate(claims):
        if claim.id.lower() in seen:
            raise InputError(f"claims.claims[{i}].id", claim.id, "give every claim an id of its own")
        seen.add(claim.id.lower())
    return claims


def read_claims(path: str | Path) -> tuple[Claim, ...]:
    """Read a claims file."""
    return claims_from_document(
        documents.parse(documents.read_text(path_from(path, "claims"), "claims"), "claims", claims_from_document)
    )
