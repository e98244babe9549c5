"""What an audit says: of one claim its verdict, bounds, refutation and hints; of all claims rows and tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Literal

from privref.exact.enclosure import Enclosure
from privref.exact.numbers import spell
from privref.exact.rounding import plain, to_decimal
from privref.exact.tables import Library, frame, html_facts, html_table
from privref.ledger.model import Budget, Ledger
from privref.ledger.rounded import RoundedInput
from privref.statements.hypotheses import BUDGET_HYPOTHESES
from privref.statements.theorems import called

from .claims import ApproxDPClaim, Claim, TotalClaim
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
    "inapplicable": "declare what the reason asks for (in the ledger, or of a sheet by an option) only if it is true "
    "of what ran; if not, no theorem here applies",
    "out-of-scope": "describe the event by a guarantee or a mechanism that privref knows, and audit again",
}


@dataclass(frozen=True, slots=True, repr=False)
class Bound:
    """What one theorem gives for the ledger: an enclosure of its epsilon (or rho), exact where ``value`` is set."""

    application: Application
    enclosure: Enclosure | None = None
    value: str | None = None
    note: str = ""
    if_fixed: bool = False
    """Whether it holds only if no parameter was chosen after an answer was seen, which the ledger does not say."""

    def __repr__(self) -> str:
        return f"<Bound by {called(self.application.by)}: {self.note if self.enclosure is None else self.enclosure!r}>"

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
    by_filter: str = ""
    """The theorem whose filter had to be the one enforced; "" where the bound does not rest on one."""


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
    """How to declare what a theorem needs and nothing is said of: parameters fixed in advance, or the neighbours."""
    hints: Hints | None = None
    case: Mapping[str, str] = field(default_factory=dict)
    """Of a claim about disjoint parts: the combination of parts that decides it."""
    others: tuple[tuple[Mapping[str, str], Opinion], ...] = ()
    """And the opinions on the other combinations, without what mechanisms would give."""
    of_unit: ApproxDPClaim | None = None
    """Of a claim about a group: that of one unit from which it follows, and of which all bounds are."""
    cover: tuple[tuple[Fraction, Fraction], ...] = ()
    """Of a claim of mu that finitely many guarantees (epsilon, delta) prove: those."""
    lost_at: tuple[Fraction, Fraction] | None = None
    """Of a claim of mu that is contradicted at one point of its curve: that epsilon and delta."""
    ends: tuple[Ending, ...] = ()
    """Where inputs were published rounded: the opinion where least is lost, and where most is."""

    def __repr__(self) -> str:
        return f"<Opinion {self.claim.id}: {self.claim} {self.verdict}>"

    def _repr_html_(self) -> str:
        facts = [("verdict", self.verdict), ("meaning", MEANINGS[self.verdict]), ("reason", self.reason)]
        return html_facts(f"{self.claim.id}: {self.claim}", facts)


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


# --- the bound to say of a claim ---


def best(opinion: Opinion) -> Bound | None:
    """The bound that decided, or else the tightest; None where no theorem gave a finite one."""
    first = opinion.deciding or next(iter(opinion.bounds), None)
    return None if first is None or first.enclosure is None else first


#: Digits of a bound that is not exact, and letters of one that is.
DIGITS, MOST_LETTERS = 10, 20


def shown(opinion: Opinion) -> Bound | None:
    """The bound to say: the best one, or one that is known exactly and is no larger than the best one's digits.

    Where a theorem proves 15 exactly, another one's 14.9999999999999998, rounded up, is not new.
    """
    item, claim = best(opinion), opinion.claim
    if item is None or item.enclosure is None or item.value is not None:
        return item
    if claim.by is not None or not isinstance(claim, TotalClaim):
        return item
    most = Fraction(to_decimal(item.enclosure.upper, DIGITS, "up"))
    if opinion.verdict == "confirmed":
        most = min(most, (opinion.of_unit or claim).size)
    exact = (
        other
        for other in opinion.bounds
        if other.value is not None
        and len(other.value) <= MOST_LETTERS
        and other.enclosure is not None
        and other.enclosure.upper <= most
        and caveat(other) == caveat(item)
    )
    return next(exact, item)


def caveat(item: Bound) -> str:
    """What to say with a bound that is a reading of what ran, and holds as a guarantee only by a filter's budget."""
    if item.application.supposed is not None:
        return " (only if it was the filter enforced)"
    if item.if_fixed:
        return " (only if all parameters were fixed in advance)"
    by_filter = any(
        finding.premise and finding.hypothesis in BUDGET_HYPOTHESES for finding in item.application.findings
    )
    return " (what ran, within the budget, which is what the filter guarantees)" if by_filter else ""


def margin(opinion: Opinion, item: Bound | None = None) -> Enclosure | None:
    """The claimed number less the best bound, or this one: positive where the claim leaves room, else negative.

    None where a filter decided what ran: it guarantees its budget, so the rest cannot be used. Of a group's
    claim that follows from one of a unit it is that one's.
    """
    item, claim = item or best(opinion), opinion.claim
    if item is None or item.enclosure is None or not isinstance(claim, TotalClaim) or caveat(item):
        return None
    size = (opinion.of_unit or claim).size
    return Enclosure(size - item.enclosure.upper, size - item.enclosure.lower)


# --- all claims of a ledger ---


def rows(opinions: Iterable[Opinion]) -> list[dict[str, str]]:
    """One row for each claim: id, claim, verdict, the best bound (rounded up), by which theorem, the margin (rounded
    down), and why."""
    found = []
    for opinion in opinions:
        bound, left = best(opinion), margin(opinion)
        by, rests = ("", "") if bound is None else (bound.application.by, caveat(bound))
        found.append(
            {
                "claim": opinion.claim.id,
                "says": str(opinion.claim),
                "verdict": opinion.verdict,
                "bound": "" if bound is None or bound.enclosure is None else plain(bound.enclosure.decimals(DIGITS)[1]),
                "theorem": f"{called(by, authors=False)}{rests}",
                "by": f"{by}{rests}",
                "margin": "" if left is None else plain(to_decimal(left.lower, DIGITS, "down")),
                "reason": opinion.reason,
            }
        )
    return found


def _for_people(opinion: Opinion, row: dict[str, str]) -> dict[str, str]:
    """What a table for people says otherwise: theorems by their names, and bounds with their side."""
    short = row["margin"].startswith("-")
    return {
        "meaning": MEANINGS[opinion.verdict],
        "bound": f"≤ {row['bound']}" if row["bound"] else "",
        "by": row["theorem"],
        "margin": f"claim short by {row['margin'][1:]}" if short else row["margin"],
    }


def table(title: str, opinions: Iterable[Opinion]) -> str:
    """Return the rows as an HTML table; everything that a ledger or a claim says is escaped."""
    columns = ("claim", "says", "verdict", "meaning", "bound", "by", "margin")
    found = [row | _for_people(opinion, row) for opinion in opinions for row in rows([opinion])]
    return html_table(title, [{name: row[name] for name in columns} for row in found])


@dataclass(frozen=True, slots=True, repr=False)
class Drawing:
    """A picture as SVG."""

    svg: str

    def __repr__(self) -> str:
        return f"<Drawing of {len(self.svg)} letters of SVG>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the picture to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """The audit of a ledger against its claims; ``FAILING`` are the verdicts among which a build may choose."""

    FAILING: ClassVar[frozenset[Verdict]] = AGAINST
    ledger: Ledger
    opinions: tuple[Opinion, ...]
    proved: dict[str, object] = field(default_factory=dict, init=False, compare=False)
    """The proofs that ``audit.certificate`` looked for so far, by claim id."""

    def __repr__(self) -> str:
        said = ", ".join(f"{opinion.claim.id} {opinion.verdict}" for opinion in self.opinions[:5])
        more = f", and {len(self.opinions) - 5} more" if len(self.opinions) > 5 else ""
        return f"<Audit of {self.ledger.title[:60]!r}: {said}{more}>"

    def __bool__(self) -> bool:
        raise TypeError("an audit is not true or false: compare audit.exit_code with 0, or an opinion's verdict")

    def _repr_html_(self) -> str:
        return table(self.ledger.title, self.opinions)

    def rows(self) -> list[dict[str, str]]:
        """One dictionary of text for each claim."""
        return rows(self.opinions)

    def to_frame(self, library: Library | None = None) -> Any:
        """The rows as a data frame of pandas or polars; InputError where neither is installed."""
        return frame(self.rows(), library)

    def plot(self) -> Drawing:
        """Return the picture of the first claims, which a notebook shows; ``save(path)`` writes it as SVG."""
        # Reports are above audits and import them: this one is asked for by its name.
        return Drawing(import_module("privref.report.drawing").audit_picture(self))

    @property
    def exit_code(self) -> int:
        """The worst of the verdicts, as ``exit_code_of`` has it."""
        return self.exit_code_on(AGAINST)

    def exit_code_on(self, failing: Collection[str]) -> int:
        """Return the exit code where only ``failing`` of the verdicts against a claim count."""
        return exit_code_of({opinion.verdict for opinion in self.opinions}, failing)
