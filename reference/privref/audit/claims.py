"""Privacy claims about a ledger (``claims.1``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import at_least_zero, count, pair, probability, rational, spell
from privref.ledger import documents


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: (epsilon, delta)-DP, or rho-zCDP with delta; ``by`` names the theorem that is said to prove it."""

    id: str
    delta: Fraction
    epsilon: Fraction | None = None
    rho: Fraction | None = None
    by: str | None = None
    after_event: int | None = None
    reading: Fraction | None = None
    remaining: tuple[Fraction, Fraction] | None = None
    document: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", probability(self.delta, "delta"))
        for name in ("epsilon", "rho", "reading"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, at_least_zero(value, name))
        if self.after_event is not None:
            object.__setattr__(self, "after_event", count(self.after_event, "after_event"))
        if self.remaining is not None:
            object.__setattr__(self, "remaining", pair(self.remaining, "remaining"))

    @property
    def size(self) -> Fraction:
        """The claimed epsilon, or the claimed rho."""
        size = self.epsilon if self.epsilon is not None else self.rho
        assert size is not None
        return size

    def __str__(self) -> str:
        said = self.document or {}

        def text(key: str, value: Fraction) -> str:
            # As the claim was written, so that 17.14 is not shown as 857/50.
            return str(said.get(key, spell(value)))

        delta = text("delta", self.delta)
        if self.remaining is not None and self.epsilon is not None:
            left = ", ".join(spell(part) for part in self.remaining)
            return f"({left}) remains of ({text('epsilon', self.epsilon)}, {delta})"
        if self.reading is not None:
            return f"reading {text('reading', self.reading)} at delta = {delta} after event {self.after_event}"
        if self.rho is not None:
            return f"{text('rho', self.rho)}-zCDP" + (f" with delta = {delta}" if self.delta else "")
        return f"({text('epsilon', self.epsilon or Fraction(0))}, {delta})-DP"


def _exact(document: Mapping[str, Any], key: str, place: str, *, probability: bool = False) -> Fraction:
    value = rational(document[key], f"{place}.{key}")
    if value < 0 or (probability and value > 1):
        raise InputError(
            f"{place}.{key}", document[key], "give a number in [0, 1]" if probability else "give a number >= 0"
        )
    return value


def claim_from(document: Mapping[str, Any], place: str) -> Claim:
    """One claim from its parsed, schema-valid document."""
    remaining = document.get("remaining")
    return Claim(
        id=document["id"],
        delta=_exact(document, "delta", place, probability=True) if "delta" in document else Fraction(0),
        epsilon=_exact(document, "epsilon", place) if "epsilon" in document else None,
        rho=_exact(document, "rho", place) if "rho" in document else None,
        by=document.get("by"),
        after_event=document.get("after_event"),
        reading=_exact(document, "reading", place) if "reading" in document else None,
        remaining=None
        if remaining is None
        else (
            _exact(remaining, "epsilon", f"{place}.remaining"),
            _exact(remaining, "delta", f"{place}.remaining", probability=True),
        ),
        document=document,
    )


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
    return claims_from_document(documents.parse(documents.read_text(Path(path), "claims"), "claims"))
