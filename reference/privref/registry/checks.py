"""Answers: what follows from what an entry states, each with its verdict, its reason and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, cast

from privref.audit.claims import ApproxDPClaim, Claim, ZCDPClaim, claims_from_document
from privref.audit.opinions import Audit, Opinion
from privref.audit.run import audit
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, UndecidedError, require
from privref.exact.numbers import rational, spell, unit_in_last_place
from privref.exact.rounding import plain, plain_decimal, to_decimal
from privref.ledger.reading import ledger_from_document

from . import formulas
from .entries import RegistryEntry
from .mapping import EntryMapping, Question, Used, audit_documents, located, mappings

#: What the numbers of a relation decide by themselves, whatever else was inferred; a certificate has this word.
RelationVerdict = Literal[
    "statements-differ", "unsupported", "nearest-below", "depends-on-digits", "depends-on-missing", "confirmed"
]
#: The closed list of verdicts on one question. The audit's own words keep their meaning.
GalleryVerdict = Literal[
    "stale",
    "refuted",
    "statements-differ",
    "unsupported",
    "underivable",
    "nearest-below",
    "depends-on-digits",
    "depends-on-missing",
    "undecided",
    "inapplicable",
    "conditional",
    "circular",
    "out-of-scope",
    "corroborated",
    "confirmed",
]
NOT_IN_THE_ENTRY = "not-in-the-entry"
MEANING: Mapping[str, str] = {
    "confirmed": "follows from the quoted numbers and the sources named; nothing was inferred",
    "corroborated": "the entry leaves a number out; if that is a round one, such as 100, the stated one follows",
    "conditional": "would follow if what is marked as inferred held; the entry does not say that it does",
    "circular": "the entry leaves a number out, and a value was chosen to fit; that it fits confirms nothing",
    "nearest-below": "the computed number, rounded to the nearest printed digit; this rounding went down",
    "depends-on-digits": "follows for some values of a number that is stated rounded, and not for others",
    "depends-on-missing": "follows for some values of a number that the entry does not give, and not for others",
    "underivable": "some mechanism with the stated guarantees loses more, so that they cannot prove it",
    "unsupported": "no theorem here proves it; that does not make it false",
    "statements-differ": "two statements in the registry's entry differ; which one is right is not decided here",
    "refuted": "the stated mechanisms certainly lose more",
    "inapplicable": "a hypothesis of the theorem is not met",
    "out-of-scope": "not a guarantee that can be accounted here",
    "undecided": "not decided at the precision cap",
    "stale": "the entry no longer says what the mapping quotes",
    NOT_IN_THE_ENTRY: "the entry states at most one guarantee, and nothing that it could follow from",
    "not-reviewed": "no reviewed mapping for this entry",
}
_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Quotation:
    """What an entry says: where, the words quoted, and the sentence of the entry at hand that has them."""

    key: str
    words: str
    sentence: str | None


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a relation, enclosed and compared; where a number is known between two ends only, at one end."""

    at: Fraction | None
    left: Enclosure
    right: Enclosure
    left_is: Literal["above", "equal", "below"]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation as it was decided: its formulas in named numbers, its sides, and where its truth changes."""

    left: Any
    sign: str
    right: Any
    sides: tuple[Sides, ...]
    verdict: RelationVerdict
    threshold: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True, slots=True)
class GalleryAnswer:
    """The verdict on one guarantee or relation that was tested."""

    question: Question
    tested: str
    verdict: GalleryVerdict
    reason: str
    quotations: tuple[Quotation, ...] = ()
    sources: tuple[str, ...] = ()
    inferences: tuple[str, ...] = ()
    command: str = ""
    audit: Audit | None = None
    opinion: Opinion | None = None
    relation: Relation | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the answer does and does not mean, said wherever the relation is printed."""
        then = self.question.document.get("then")
        return () if then is None else (str(then),)


@dataclass(frozen=True, slots=True)
class EntryAudit:
    """What follows from one entry: an answer to each question, and what is missing for more.

    ``status`` and ``tier`` are the registry's own: how far its board has reviewed the entry, and how detailed it is.
    """

    file: str
    slug: str
    title: str
    status: str
    tier: str
    mapping: EntryMapping | None
    answers: tuple[GalleryAnswer, ...]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdicts that occur, the gravest first; an answer that a more exact one settles is left out."""
        if self.mapping is None:
            return ("not-reviewed",)
        seen = {answer.verdict for answer in self.answers if not self.settled(answer)}
        order: tuple[str, ...] = GalleryVerdict.__args__  # type: ignore[attr-defined]
        return tuple(word for word in order if word in seen) or (NOT_IN_THE_ENTRY,)

    def settled(self, answer: GalleryAnswer) -> bool:
        """Whether another question about the same number, asked of the noise itself, was answered in its favour."""
        by = answer.question.document.get("settled_by")
        words = {other.verdict for other in self.answers if other.question.id == by}
        return bool(words) and words <= {"confirmed", "conditional"}


def _decimals(enclosure: Enclosure) -> str:
    """A decimal of few digits as it is, and anything else, fractions too, between two decimals."""
    if enclosure.lower == enclosure.upper and len(short := _short(enclosure.lower)) <= 24 and "/" not in short:
        return short
    lower, upper = (plain(end) for end in enclosure.decimals(_DIGITS))
    return f"[{lower}, {upper}]"


def rests_on(mapping: EntryMapping, question: Question) -> Used:
    """The statements, facts and inferences that the answer to a question rests on."""
    return audit_documents(mapping, question)[2] if question.is_audit else _used_by_relation(mapping, question)


def quotations(mapping: EntryMapping, used: Used, entry: RegistryEntry | None) -> tuple[Quotation, ...]:
    """What is quoted, each looked up where the entry is at hand; one sentence may give several numbers."""
    quoted = {(item.key, item.quoted): item for item in (mapping.stated[id] for id in used.stated)}
    return tuple(
        Quotation(key, words, None if entry is None else located(item, entry)) for (key, words), item in quoted.items()
    )


def answers_of(mapping: EntryMapping, question: Question, entry: RegistryEntry | None) -> tuple[GalleryAnswer, ...]:
    """The answers to one question; where the entry is at hand, its quotations are looked up first."""
    used = rests_on(mapping, question)
    quoted = quotations(mapping, used, entry)
    named = (*(mapping.facts[id].source for id in used.facts), *question.document.get("sources", ()))
    sources = tuple(dict.fromkeys(named))
    inferences = tuple(used.inferences)

    def answer(
        tested: str,
        verdict: GalleryVerdict,
        reason: str,
        command: str,
        made: Audit | None = None,
        opinion: Opinion | None = None,
        relation: Relation | None = None,
    ) -> GalleryAnswer:
        return GalleryAnswer(
            question, tested, verdict, reason, quoted, sources, inferences, command, made, opinion, relation
        )

    command = f"privref registry --name {mapping.name} --question {question.id}"
    lost = [quotation for quotation in quoted if entry is not None and quotation.sentence is None]
    if lost:
        places = "; ".join(f"{quotation.words!r} at {quotation.key}" for quotation in lost)
        return (answer(question.asks, "stale", f"not found: {places}", command),)
    if not question.is_audit:
        verdict, reason, relation = _related(mapping, question)
        verdict, reason = _supposing(question, inferences, verdict, reason)
        return (answer(_relation_words(mapping, question), verdict, reason, command, relation=relation),)
    command = f"privref audit --example {mapping.example(question)}"
    ledger, claims, _ = audit_documents(mapping, question)
    made = audit(ledger_from_document(ledger), claims_from_document(claims))
    return tuple(
        answer(
            _claim_words(opinion.claim),
            *_supposing(
                question, inferences, *_judged(opinion, bool(inferences), _stated_epsilon(mapping, question, opinion))
            ),
            command,
            made,
            opinion,
        )
        for opinion in made.opinions
    )


def _claim_words(claim: Claim) -> str:
    by = "" if claim.by is None else f" by {claim.by}"
    match claim:
        case ApproxDPClaim():
            return f"({_short(claim.epsilon)}, {_short(claim.delta)})-DP{by}"
        case ZCDPClaim():
            return f"{_short(claim.rho)}-zCDP{by}"
        case _:
            return f"{claim}{by}"


def _short(value: Fraction) -> str:
    """A decimal where the number is one of few digits, its fraction otherwise."""
    text = plain_decimal(value, 12, "down")
    if rational(text) != value:
        return spell(value)
    mantissa, exponent, power = text.partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}{exponent}{power}" if exponent and "." in mantissa else text


def _supposing(
    question: Question, inferences: tuple[str, ...], verdict: GalleryVerdict, reason: str
) -> tuple[GalleryVerdict, str]:
    """What holds by an inference of ours is not confirmed: it is conditional, or circular, or corroborated."""
    if (round_value := question.document.get("corroborated_by")) is not None:
        if verdict != "depends-on-missing" or f"it holds from {round_value} on" not in reason:
            raise InputError(question.id, round_value, "the relation does not begin to hold at this value")
        return "corroborated", reason
    if (chosen := question.document.get("circular")) is not None:
        # A fit to the printed digits is a fit: a number that was chosen for it tells nothing about the digits.
        if verdict not in ("confirmed", "nearest-below"):
            raise InputError(
                question.id, verdict, "only what fits can be circular: confirmed, or to the digits printed"
            )
        return "circular", f"{reason}; {chosen}"
    if verdict == "confirmed" and inferences:
        return "conditional", reason
    return verdict, reason


def _stated_epsilon(mapping: EntryMapping, question: Question, opinion: Opinion) -> str | None:
    """A claim's epsilon as the entry writes it; None where it is not a quotation."""
    for claim in question.document["claims"]:
        match claim:
            case {"id": opinion.claim.id, "epsilon": {"stated": id}}:
                return mapping.stated[id].number
    return None


def _judged(opinion: Opinion, inferred: bool, stated: str | None) -> tuple[GalleryVerdict, str]:
    """The audit's verdict in the gallery's words.

    A claim is called refuted only where everything that the refutation rests on is in the entry; where a part of the
    ledger is our inference, the inference may be what is wrong.
    """
    verdict, reason = cast(GalleryVerdict, opinion.verdict), opinion.reason
    bound = None if opinion.deciding is None else opinion.deciding.enclosure
    if verdict == "confirmed" and bound is not None:
        exact = bound.lower == bound.upper
        most = f"= {_short(bound.lower)}" if exact else f"<= {plain(bound.decimals(_DIGITS)[1])}"
        return verdict, f"{reason}: {opinion.claim.symbol} {most}"
    if verdict == "refuted" and inferred:
        return "underivable", f"{reason}; a part of the ledger is inferred, so this is not a refutation"
    if verdict == "underivable":
        # What follows the first sentence is advice on the ledger.
        return verdict, reason.partition(". ")[0]
    if verdict == "unsupported" and bound is not None and stated is not None and _nearest(bound, stated):
        assert opinion.deciding is not None
        return "nearest-below", _nearest_words(f"{opinion.deciding.application.by} proves", bound, stated)
    return verdict, reason


def _nearest(computed: Enclosure, stated: str) -> bool:
    """Whether a stated decimal is below the computed value and equals it to the nearest printed digit."""
    number = rational(stated)
    return number < computed.lower and computed.upper <= number + unit_in_last_place(stated) / 2


def _nearest_words(by: str, computed: Enclosure, stated: str) -> str:
    written = Decimal(stated)
    upper = written + Decimal((0, (1,), cast(int, written.as_tuple().exponent)))
    return (
        f"{by} {_decimals(computed)}; {stated} equals that to the nearest printed digit, which is below it: as an "
        f"upper bound it would be written {upper}"
    )


def _walk(expression: Any, found: Callable[[str, Any], None]) -> None:
    if isinstance(expression, list):
        for inner in expression:
            _walk(inner, found)
    elif isinstance(expression, dict):
        for key, inner in expression.items():
            if key in ("stated", "fact", "rounded", "not_in_entry"):
                found(key, inner)
            else:
                _walk(inner, found)


def _used_by_relation(mapping: EntryMapping, question: Question) -> Used:
    used = Used()

    def found(kind: str, id: str) -> None:
        match kind:
            case "fact":
                if id not in mapping.facts:
                    raise InputError(f"mapping {mapping.name}", id, "no such fact in the mapping")
                used.note(used.facts, id)
            case "stated" | "rounded":
                if id not in mapping.stated or mapping.stated[id].number is None:
                    raise InputError(f"mapping {mapping.name}", id, "no such number in the mapping")
                used.note(used.stated, id)
            case _:
                if id not in question.document.get("not_in_entry", {}):
                    raise InputError(f"mapping {mapping.name}", id, "say between what it may lie")

    relation = question.document["relation"]
    _walk([relation["left"], relation["right"]], found)
    for id in question.document.get("rests_on", ()):
        if id not in mapping.stated:
            raise InputError(f"mapping {mapping.name}", id, "no such statement in the mapping")
        used.note(used.stated, id)
    used.inferences.extend(question.document.get("inferences", ()))
    return used


def _numbered(expression: Any) -> Any:
    """The formula with every reference written as a named number."""
    if isinstance(expression, list):
        return [_numbered(inner) for inner in expression]
    if not isinstance(expression, dict):
        return expression
    for kind in ("stated", "fact", "rounded", "not_in_entry"):
        if set(expression) == {kind}:
            return {"number": f"{kind}:{expression[kind]}"}
    return {key: inner if key == "statement" else _numbered(inner) for key, inner in expression.items()}


def _numbers(
    mapping: EntryMapping, question: Question
) -> tuple[dict[str, Fraction], dict[str, tuple[Fraction, Fraction, str]]]:
    """The exact numbers of a relation by name, and those known only between two ends, with what they are."""
    exact: dict[str, Fraction] = {}
    ranges: dict[str, tuple[Fraction, Fraction, str]] = {}

    def found(kind: str, id: str) -> None:
        name = f"{kind}:{id}"
        match kind:
            case "stated":
                exact[name] = rational(mapping.stated[id].number)
            case "fact":
                exact[name] = rational(mapping.facts[id].number)
            case "rounded":
                text = mapping.stated[id].number or ""
                half = unit_in_last_place(text) / 2
                number = rational(text)
                ranges[name] = (number - half, number + half, f"the digits behind {text}")
            case _:
                given = question.document["not_in_entry"][id]
                ranges[name] = (rational(given["from"]), rational(given["to"]), given["is"])

    relation = question.document["relation"]
    _walk([relation["left"], relation["right"]], found)
    return exact, ranges


def _related(mapping: EntryMapping, question: Question) -> tuple[GalleryVerdict, str, Relation | None]:
    try:
        return _related_or_open(mapping, question)
    except UndecidedError as error:
        return "undecided", str(error), None


def _related_or_open(mapping: EntryMapping, question: Question) -> tuple[GalleryVerdict, str, Relation]:
    relation = question.document["relation"]
    by, sign = question.document["by"], relation["is"]
    left, right = _numbered(relation["left"]), _numbered(relation["right"])
    numbers, ranges = _numbers(mapping, question)
    if ranges:
        missing = question.document.get("not_in_entry", {})
        whole = frozenset(f"not_in_entry:{id}" for id, given in missing.items() if given.get("whole"))
        return _with_range(left, sign, right, numbers, ranges, whole, by)
    sides = _sides(left, right, numbers)
    found, other = sides.left, sides.right

    def decided(verdict: RelationVerdict, reason: str) -> tuple[GalleryVerdict, str, Relation]:
        return verdict, f"{by}{reason}", Relation(left, sign, right, (sides,), verdict)

    if sign == "equal":
        if sides.left_is == "equal":
            return decided("confirmed", f": {_decimals(found)}")
        return decided("statements-differ", f": two statements differ, {_decimals(found)} against {_decimals(other)}")
    if sides.left_is != "above":
        room = "" if sides.left_is == "equal" else f", at most the stated {_decimals(other)}"
        return decided("confirmed", f": {_decimals(found)}{room}")
    stated = _stated_text(mapping, relation["right"])
    if stated is not None and _nearest(found, stated):
        return decided("nearest-below", _nearest_words(":", found, stated))
    return decided("unsupported", f": {_decimals(found)}, above the stated {_decimals(other)}")


def _sides(left: Any, right: Any, numbers: Mapping[str, Fraction], at: Fraction | None = None) -> Sides:
    found, other = formulas.enclose(left, numbers), formulas.enclose(right, numbers)
    if formulas.exceeds(left, right, numbers):
        return Sides(at, found, other, "above")
    return Sides(at, found, other, "below" if formulas.exceeds(right, left, numbers) else "equal")


def _stated_text(mapping: EntryMapping, right: Any) -> str | None:
    """A number on the right as the entry writes it; None where that side is a formula."""
    match right:
        case {"stated": id}:
            return mapping.stated[id].number or ""
        case _:
            return None


def _with_range(
    left: Any,
    sign: str,
    right: Any,
    numbers: Mapping[str, Fraction],
    ranges: Mapping[str, tuple[Fraction, Fraction, str]],
    whole: frozenset[str],
    by: str,
) -> tuple[GalleryVerdict, str, Relation]:
    """``left <= right`` where one number is known only between two ends, decided at both.

    The difference of the sides must move one way with that number, so that the ends speak for all between them.
    """
    if len(ranges) != 1:
        raise InputError("relation", ", ".join(ranges), "one number may be known between two ends only")
    if sign == "equal":
        raise InputError("relation.is", sign, "over a range of a number only at-most is decided")
    ((name, (low, high, what)),) = ranges.items()
    ends = ({**numbers, name: low}, {**numbers, name: high})
    if not formulas.moves_one_way({"difference": [left, right]}, name, ends):
        raise InputError("relation", name, "the sides must move one way with it")
    sides = tuple(_sides(left, right, given, end) for end, given in zip((low, high), ends, strict=True))
    shown = [
        f"at {_short(end)}: {_decimals(at.left)} against {_decimals(at.right)}"
        for end, at in zip((low, high), sides, strict=True)
    ]
    above = [at.left_is == "above" for at in sides]
    reason = f"{by}; {what}: {'; '.join(shown)}"

    def decided(verdict: RelationVerdict, words: str) -> tuple[GalleryVerdict, str, Relation]:
        return verdict, f"{reason}; it holds {words}", Relation(left, sign, right, sides, verdict)

    if above == [False, False]:
        return decided("confirmed", "at both ends, and so between them")
    if above == [True, True]:
        return decided("unsupported", "at neither end, and so nowhere between them")
    first, second = formulas.flip(left, right, numbers, name, low, high, whole=name in whole)
    if name in whole and second - first == 1 and second < 10**7:
        where = f"for {first} and less" if above[1] else f"from {second} on"
    else:
        ends_words = f"[{plain(to_decimal(first, 7, 'down'))}, {plain(to_decimal(second, 7, 'up'))}]"
        where = f"{'below' if above[1] else 'above'} a threshold in {ends_words}"
    verdict, words, made = decided("depends-on-digits" if name.startswith("rounded:") else "depends-on-missing", where)
    return verdict, words, replace(made, threshold=(first, second))


def _relation_words(mapping: EntryMapping, question: Question) -> str:
    relation = question.document["relation"]
    sign = "=" if relation["is"] == "equal" else "<="
    return f"{_spelled(mapping, relation['left'])} {sign} {_spelled(mapping, relation['right'])}"


#: What the statements that relations name are the epsilon of; the row's "why" says by which theorem.
_EPSILONS = frozenset({"cks2020/zcdp2dp.eps", "whitehouse2023/lem1.zcdp2dp.eps", "gdp/profile.eps"})


def _spelled(mapping: EntryMapping, expression: Any) -> str:
    """A formula as people write it, with the published numbers in it."""
    if isinstance(expression, str):
        return expression
    operator, operands = next(iter(expression.items()))

    def of(inner: Any) -> str:
        return _spelled(mapping, inner)

    match operator:
        case "stated" | "rounded":
            return mapping.stated[operands].number or ""
        case "fact":
            text = mapping.facts[operands].number
            return _short(rational(text)) if "/" in text else text
        case "not_in_entry":
            return str(operands)
        case "sum":
            return f"({' + '.join(map(of, operands))})"
        case "product":
            return " * ".join(map(of, operands))
        case "difference":
            return f"-{of(operands[1])}" if operands[0] == "0" else f"({of(operands[0])} - {of(operands[1])})"
        case "quotient":
            below = of(operands[1])
            bare = isinstance(operands[1], str) or not {"product", "quotient"} & set(operands[1])
            return f"{of(operands[0])}/{below if bare else f'({below})'}"
        case "statement":
            names = {"delta_prime": "delta"} if operands in _EPSILONS else {}
            inputs = ", ".join(f"{names.get(name, name)} {of(inner)}" for name, inner in expression["inputs"].items())
            return f"{'epsilon' if operands in _EPSILONS else operands}({inputs})"
        case _:
            inner = of(operands)
            # A sum has its own brackets, and so has a difference that is no negative.
            own = isinstance(operands, dict) and ("sum" in operands or "difference" in operands)
            return f"{operator}{inner}" if own and inner.startswith("(") else f"{operator}({inner})"


def audit_mapping(mapping: EntryMapping, entry: RegistryEntry | None = None, question: str | None = None) -> EntryAudit:
    """The answers of one mapping, or to one of its questions; each quotation is looked up in an entry at hand."""
    known = [asked.id for asked in mapping.questions]
    if question is not None and question not in known:
        raise InputError("--question", question, f"{mapping.name} has {', '.join(known) or 'none'}")
    answers = tuple(
        answer
        for asked in mapping.questions
        if question in (None, asked.id)
        for answer in answers_of(mapping, asked, entry)
    )
    file, status, tier = (
        (mapping.file, mapping.status, mapping.tier) if entry is None else (entry.file, entry.status, entry.tier)
    )
    return EntryAudit(file, mapping.entry, mapping.title, status, tier, mapping, answers)


def audit_entry(entry: RegistryEntry, question: str | None = None) -> EntryAudit:
    """What follows from one entry; without a reviewed mapping nothing is concluded."""
    mapping = mappings().get(entry.slug)
    if mapping is None:
        return EntryAudit(entry.file, entry.slug, entry.name, entry.status, entry.tier, None, ())
    return audit_mapping(mapping, entry, question)


_BELOW = {"refuted", "statements-differ", "unsupported", "underivable", "nearest-below"}
_UNSETTLED = {
    *("stale", "depends-on-digits", "depends-on-missing", "inapplicable", "conditional", "circular", "corroborated"),
    *("out-of-scope", NOT_IN_THE_ENTRY, "not-reviewed"),
}


def registry_exit_code(audits: Iterable[EntryAudit]) -> int:
    """Return 0 if everything is confirmed, 1 if a number is below what follows or two differ, 4 if anything rests on
    more than the entry, 3 if undecided; the first that fits.
    """
    remedy = "give what registry_audits() returned"
    require(audits, Iterable, "audits", remedy)
    seen: set[str] = set()
    for audited in audits:
        require(audited, EntryAudit, "audits", remedy)
        seen.update(audited.verdicts)
    for code, words in ((1, _BELOW), (4, _UNSETTLED), (3, {"undecided"})):
        if seen & words:
            return code
    return 0
