"""What an audit says of one claim: bounds, refutations, hints, and the opinion."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Literal

from privref.exact.enclosure import Enclosure
from privref.exact.numbers import spell
from privref.exact.rounding import plain, to_decimal
from privref.exact.tables import html_facts
from privref.ledger.model import Budget
from privref.ledger.rounded import RoundedInput
from privref.statements.theorems import called

from .claims import ApproxDPClaim, Claim
from .facts import Finding
from .refuters import Witness
from .routes import Application

#: The closed list of verdicts; they have no order and no truth value.
Verdict = Literal[
    "confirmed",
    "conditional",
    "unsupported",
    "refuted",
    "contradicted-by-evidence",
    "underivable",
    "depends-on-digits",
    "undecided",
    "inapplicable",
    "out-of-scope",
]
#: The verdicts that decide against a claim; ``confirmed`` decides for it, and all others decide nothing.
AGAINST: frozenset[Verdict] = frozenset(("refuted", "contradicted-by-evidence", "underivable", "unsupported"))
#: What each says, in one line for people who see the word for the first time.
MEANINGS: Mapping[Verdict, str] = {
    "confirmed": "a theorem proves the claim, if what the ledger says is true",
    "conditional": "a theorem would prove the claim, if one thing more is declared",
    "unsupported": "no theorem here proves the claim; it may still be true",
    "refuted": "the claim is false of the mechanisms that the ledger names",
    "contradicted-by-evidence": "an attack succeeded more often than the declared privacy allows, unless by luck",
    "underivable": "nobody can prove the claim from this ledger; it may still be true",
    "depends-on-digits": "inputs were published rounded, and their next digits decide",
    "undecided": "privref stopped before the bound and the claim could be compared",
    "inapplicable": "a hypothesis does not hold or is not declared; nothing is decided",
    "out-of-scope": "privref cannot account for this; nothing is decided",
}
#: What to do about a claim of each verdict that decides against it, or decides nothing.
NEXT: Mapping[Verdict, str] = {
    "conditional": "answer the question of the report, or declare the budget that was enforced, and audit again",
    "unsupported": "declare more, such as the mechanisms that ran, or claim the best bound",
    "refuted": "check that the ledger names what ran; if it does, withdraw the claim, and audit a larger one",
    "contradicted-by-evidence": "find out how what ran differs from what is declared, or run the attack again",
    "underivable": "declare the mechanisms that ran, with their noise, and audit again",
    "depends-on-digits": "publish more digits of the inputs, or claim the larger bound",
    "undecided": "claim a little more than the best bound, or ask at a larger delta",
    "inapplicable": "declare what the reason asks for (of a sheet by an option such as --neighbours add-or-remove-one) "
    "only if it is true of what ran; if not, no theorem here applies",
    "out-of-scope": "describe the event by a guarantee or a mechanism that privref knows, and audit again",
}


@dataclass(frozen=True, slots=True, repr=False)
class Bound:
    """What one theorem gives for the ledger: an enclosure of its epsilon (or rho), exact where ``value`` is set."""

    application: Application
    enclosure: Enclosure | None = None
    value: str | None = None
    note: str = ""

    def __repr__(self) -> str:
        return f"<Bound by {self.application.by}: {self.note if self.enclosure is None else self.enclosure!r}>"

    def _repr_html_(self) -> str:
        at_least, at_most = ("", "") if self.enclosure is None else map(plain, self.enclosure.decimals(10))
        exactly = self.value if self.value is not None and len(self.value) <= 40 else ""
        rests = [(finding.hypothesis.value, finding.how) for finding in self.application.findings]
        facts = [("at least", at_least), ("at most", at_most), ("exactly", exactly), ("note", self.note), *rests]
        return html_facts(called(self.application.by), facts)


@dataclass(frozen=True, slots=True)
class Refutation:
    """A lower bound that is certainly above the claim, and the mechanisms that attain it."""

    witness: Witness
    enclosure: Enclosure
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Hints:
    """What the tightest theorem would prove instead of an unsupported claim; all numbers rounded up."""

    would_prove: str | None = None
    """The least epsilon (or rho) with as many decimals as the claim, or two."""
    at_delta: str | None = None
    """The delta at which the claimed epsilon would be proved."""
    rounded_down: bool = False
    """Whether the claim is the bound itself, rounded down to its own decimals."""
    mechanisms: str = ""
    """What to declare of the mechanisms that ran, and what that would give."""
    mechanisms_short: str = ""
    exactly: str | None = None
    """What a theorem proves exactly, where that is no more than ``would_prove``."""


@dataclass(frozen=True, slots=True, repr=False)
class Opinion:
    """The audit of one claim: the verdict, what decided it, and all bounds that apply, the tightest first."""

    claim: Claim
    verdict: Verdict
    reason: str
    _: KW_ONLY
    deciding: Bound | None = None
    refutation: Refutation | None = None
    bounds: tuple[Bound, ...] = ()
    inapplicable: tuple[Application, ...] = ()
    premises: tuple[Finding, ...] = ()
    declare: Budget | None = None
    """For a conditional verdict: the budget that proves the claim, if it is what was enforced."""
    undeclared: str = ""
    """How to say that parameters were fixed in advance, where the deciding theorem needs it and nothing is said."""
    hints: Hints | None = None
    case: Mapping[str, str] = field(default_factory=dict)
    """Of a claim about disjoint parts: the combination of parts that decides it."""
    others: tuple[tuple[Mapping[str, str], Opinion], ...] = ()
    """And the opinions on the other combinations."""
    of_unit: ApproxDPClaim | None = None
    """Of a claim about a group: that of one unit from which it follows, and of which all bounds are."""
    cover: tuple[tuple[Fraction, Fraction], ...] = ()
    """Of a claim of mu that finitely many guarantees (epsilon, delta) prove: those."""
    ends: tuple[Ending, ...] = ()
    """Where inputs were published rounded: the opinion where least is lost, and where most is."""

    def __repr__(self) -> str:
        return f"<Opinion {self.claim.id}: {self.claim} {self.verdict}>"


@dataclass(frozen=True, slots=True, repr=False)
class Ending:
    """The opinion on a claim with exact values in place of the rounded inputs."""

    values: tuple[tuple[RoundedInput, Fraction], ...]
    opinion: Opinion

    def __str__(self) -> str:
        return ", ".join(f"{item.place} = {_decimal(value)}" for item, value in self.values)


def _decimal(value: Fraction) -> str:
    """The exact decimal where it is short, the fraction otherwise."""
    text = plain(to_decimal(value, 15, "down"))
    if Fraction(text) != value:
        return spell(value)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def exit_code_of(verdicts: Collection[str], failing: Collection[str] = AGAINST) -> int:
    """Return the exit code of the worst verdict.

    0 all confirmed · 1 some refuted, contradicted, underivable or unsupported · 4 some inapplicable, conditional, out
    of scope, or dependent on digits that were not published · 3 some undecided. ``failing`` chooses which verdicts
    against a claim count as 1. Where nothing is decided, nothing is chosen: those claims count in any case. So does a
    verdict that this list does not know: it never passes.
    """
    if set(failing).intersection(verdicts):
        return 1
    left = set(verdicts) - AGAINST - {"confirmed"}
    return 0 if not left else 3 if left == {"undecided"} else 4
