"""The independent check of a relation certificate: published numbers by key, a formula on each side, the outcome.

It shares with the registry's own evaluation ``privref.exact`` and the registered statements only. It computes with
intervals whose ends are exact rationals (the elementary functions and the statements enclosed at both ends by both
engines), decides each side again, reads the verdict from that, and for what is said of a whole range of a number that
is not given shows that the sides' difference moves one way on all of it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import rfc8785

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, PrivrefError
from privref.exact.numbers import can_be_read, rational, spell
from privref.exact.work import spend
from privref.ledger import documents
from privref.statements.registry import solve, statement

RelationReport = list[tuple[str, bool, str]]
Position = Literal["above", "equal", "below"]
_ENGINES: tuple[decide.EngineName, ...] = ("arb", "mpmath")
_DIGITS = 20
#: Digits at which a side is computed again, until the comparison is decided.
_LADDER = (40, 80, 160)
_MOST_NODES = 500
_MOST_DEPTH = 20
#: Bits of an intermediate fraction, numerator and denominator together: about 20,000 decimal digits.
_MOST_BITS = 66_000
#: The statements that a relation may name, and how each moves with its inputs.
_MOVES: Mapping[str, Mapping[str, Literal[-1, 1]]] = {
    "cks2020/zcdp2dp.eps": {"rho": 1, "delta": -1},
    "whitehouse2023/lem1.zcdp2dp.eps": {"rho": 1, "delta_prime": -1},
    "gdp/profile.eps": {"mu": 1, "delta": -1},
}
_POWER_OF_TEN = re.compile(r"(?:(\d+(?:\.\d+)?)\s*(?:\\times|×)\s*)?10\s*\^?\s*\{?\s*[-−–]\s*(\d+)\s*\}?")
#: What before or after a quotation would make its first or last number part of a longer one.
_CUT_BEFORE = re.compile(r"\d(?:[.,/^−–-]|[eE][+-]?)?\Z")
_CUT_BEFORE_DIGIT = re.compile(r"[.^−–-]\{?\Z")
_CUT_AFTER = re.compile(r"\d|[.,/^−–-]\{?[-−–]?\d|[eE][+-]?\d|\s?\^|\s?(?:×|·|\\times|\\cdot)\s?(?:10\b|\Z)")


#: A sign between groups of three digits, where it is no comma: spaces (thin and unbreakable ones too), apostrophes.
_GROUPS = "[ \t\xa0\u2007\u2009\u202f'\u2019]"
_GROUP_BEFORE = re.compile(rf"(?<!\d)\d{{1,3}}(?:{_GROUPS}\d{{3}})*{_GROUPS}\Z")
_GROUP_AFTER = re.compile(rf"{_GROUPS}\d{{3}}(?!\d)")
_FIRST_GROUP, _LAST_GROUP = re.compile(r"\d{3}(?!\d)"), re.compile(r"(?<!\d)\d{1,3}\Z")


class _Wrong(PrivrefError):
    """The certificate says something that the re-check does not find."""


def check(
    document: Any, texts: Mapping[str, str] | None = None, reviewed: Mapping[str, Any] | None = None
) -> RelationReport:
    """Check a ``relation-certificate.1``; each line is what was checked, whether it held, and details.

    ``texts`` are the entry's scalars by dotted key: where they are given, each quotation is looked up in them, and
    the entry must be the one that the certificate names. ``reviewed`` is the relation that a reviewed mapping of that
    entry has for the question: where it is given, the certificate's must be the same.
    Raises InputError where the document is malformed.
    """
    _require_small(document)
    documents.validate(document, "relation-certificate.1", "certificate")
    report: RelationReport = []

    def attempt(what: str, action: Callable[[], str | None]) -> None:
        try:
            report.append((what, True, action() or ""))
        except InputError:
            raise
        except (PrivrefError, ZeroDivisionError) as error:
            report.append((what, False, str(error)))

    relation = document["relation"]
    attempt("engines and digits", lambda: _settings(document))
    attempt("the relation's digest", lambda: _digest(document))
    attempt("the quoted words write the numbers", lambda: _written(relation["numbers"]))
    if texts is not None:
        attempt("the entry is the one named", lambda: _named(document["entry"], texts))
        attempt("the entry says what is quoted", lambda: _quoted(relation["numbers"], texts))
    if reviewed is not None:
        attempt("the relation is the one that was reviewed", lambda: _as_reviewed(relation, reviewed))
    attempt("both sides and the verdict", lambda: _Relation(relation).check(document))
    return report


def unchecked(document: Mapping[str, Any], reviewed: bool) -> tuple[str, ...]:
    """What a valid certificate says that no check looks up: facts of other sources, inferences, the formulas."""
    numbers = document["relation"]["numbers"]
    said = [f"{name} = {given['number']}, of {given['source']}" for name, given in numbers.items() if "source" in given]
    said += [f"{name}: {given['is']}" for name, given in numbers.items() if "is" in given]
    inferred = document["commentary"].get("inferred", [])
    said += [f"inferred: {words}" for words in inferred] if isinstance(inferred, list) else []
    if not reviewed:
        said.append(f"that the formulas answer the question {document['question']}")
    return tuple(said)


def _require_small(document: Any) -> None:
    """Refuse what no relation is, before anything recurses into it."""
    layer, nodes = [document], 0
    for _ in range(_MOST_DEPTH):
        nodes += len(layer)
        if nodes > _MOST_NODES * 4:
            break
        layer = [
            inner
            for item in layer
            for inner in (item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
        ]
        if not layer:
            return
    raise InputError("certificate", "(too large)", f"no relation has {_MOST_NODES} parts or nests {_MOST_DEPTH} deep")


def _settings(document: Mapping[str, Any]) -> str:
    if tuple(document["engines"]) != _ENGINES or document["digits"] != _DIGITS:
        raise _Wrong(f"certificates rest on the engines {' and '.join(_ENGINES)}, at {_DIGITS} digits")
    return ""


def _digest(document: Mapping[str, Any]) -> str:
    if hashlib.sha256(rfc8785.dumps(document["relation"])).hexdigest() != document["sha256"]:
        raise _Wrong("the digest is not that of the relation")
    return ""


def _read(written: str) -> Fraction:
    """The number that a text writes: a decimal, one with thousands commas, or a power of ten."""
    if power := _POWER_OF_TEN.fullmatch(written):
        if len(power[2]) > 4:
            raise _Wrong(f"{written} is no published number")
        return rational(power[1] or "1") / Fraction(10) ** int(power[2])
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", written):
        written = written.replace(",", "")
    return rational(written, "certificate.relation.numbers")


def _half_unit(text: str) -> Fraction:
    """Half of what a one in the last written place is worth."""
    mantissa, _, exponent = text.lower().partition("e")
    if not re.fullmatch(r"\d+(?:\.\d*)?", mantissa) or not re.fullmatch(r"(?:[+-]?\d{1,4})?", exponent):
        raise _Wrong(f"only a decimal has a last digit, and {text} is none")
    return Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2])) / 2


def _stands(words: str, text: str) -> bool:
    """Whether these words stand in a text, and not as a part of longer words or of a longer number."""
    for found in re.finditer(re.escape(words), text):
        before, after = text[: found.start()], text[found.end() :]
        if (words[:1].isalpha() and before[-1:].isalpha()) or (words[-1:].isalpha() and after[:1].isalpha()):
            continue
        if _CUT_BEFORE.search(before[-4:]) or _CUT_AFTER.match(after):
            continue
        if words[:1].isdigit() and _CUT_BEFORE_DIGIT.search(before[-2:]):
            continue
        if _FIRST_GROUP.match(words) and _GROUP_BEFORE.search(before[-40:]):
            continue
        if _LAST_GROUP.search(words[-4:]) and _GROUP_AFTER.match(after):
            continue
        return True
    return False


def _written(numbers: Mapping[str, Mapping[str, Any]]) -> str:
    """The words of each quotation have the digits of its number, and no more digits around them."""
    for name, given in numbers.items():
        place = f"certificate.relation.numbers.{name}"
        if "number" in given:
            rational(given["number"], place)
        if "key" not in given:
            continue
        shown = given.get("written", given["number"])
        if _read(shown) != rational(given["number"], place):
            raise _Wrong(f"{name}: {shown} is not {given['number']}")
        if not _stands(shown, given.get("words", shown)):
            raise _Wrong(f"{name}: the words do not write {shown}")
        if "from" in given:
            number, half = rational(given["number"], place), _half_unit(given["number"])
            if (rational(given["from"], place), rational(given["to"], place)) != (number - half, number + half):
                raise _Wrong(f"{name}: the ends are not half a unit of the last digit around {given['number']}")
    return ""


def _named(entry: str, texts: Mapping[str, str]) -> str:
    if texts.get("url_slug") != entry:
        raise _Wrong(f"the certificate is about {entry}, and the entry is {texts.get('url_slug')}")
    return entry


def _as_reviewed(relation: Mapping[str, Any], reviewed: Mapping[str, Any]) -> str:
    if not reviewed:
        raise _Wrong("the reviewed mapping of this entry has no such question")
    for part in ("left", "is", "right"):
        if relation[part] != reviewed[part]:
            raise _Wrong(f"{part}: not what the reviewed mapping asks")
    for name in sorted({*relation["numbers"], *reviewed["numbers"]}):
        if relation["numbers"].get(name) != reviewed["numbers"].get(name):
            raise _Wrong(f"{name}: not as in the reviewed mapping")
    return ""


def _quoted(numbers: Mapping[str, Mapping[str, Any]], texts: Mapping[str, str]) -> str:
    for name, given in numbers.items():
        if "key" not in given:
            continue
        text, words = texts.get(given["key"]), given.get("words")
        if text is None:
            raise _Wrong(f"{name}: the entry has no {given['key']}")
        # White space is not compared, since YAML folds lines; but there has to be some where the words have it.
        if text != given["number"] if words is None else not _stands(" ".join(words.split()), " ".join(text.split())):
            raise _Wrong(f"{name}: not found at {given['key']}")
    return ""


@dataclass(frozen=True, slots=True)
class _Span:
    """An interval with exact rational ends."""

    low: Fraction
    high: Fraction


def _bounded(*spans: _Span) -> None:
    """Count the work of the next operation on these; fail where they have more digits than any relation needs."""
    bits = sum(
        end.numerator.bit_length() + end.denominator.bit_length() for span in spans for end in (span.low, span.high)
    )
    spend(4 + bits * bits // 800_000)
    if bits > _MOST_BITS * 2:
        raise _Wrong("an intermediate number has more than 20000 digits")


def _joined(spans: list[_Span]) -> _Span:
    """What both engines enclose; they must not be apart."""
    low, high = max(span.low for span in spans), min(span.high for span in spans)
    if low > high:
        raise _Wrong("the engines' enclosures are disjoint")
    return _Span(low, high)


class _Relation:
    """A relation as re-read: its exact numbers, at most one between two ends, and its two sides."""

    def __init__(self, relation: Mapping[str, Any]) -> None:
        self.relation = relation
        self.exact: dict[str, Fraction] = {}
        self.open: tuple[str, Fraction, Fraction, bool] | None = None
        for name, given in relation["numbers"].items():
            place = f"certificate.relation.numbers.{name}"
            if "from" not in given:
                self.exact[name] = rational(given["number"], place)
                continue
            low, high = rational(given["from"], place), rational(given["to"], place)
            whole = given.get("whole", False)
            if self.open is not None or low >= high or (whole and (low.denominator, high.denominator) != (1, 1)):
                raise _Wrong("one number, between two ends of which the first is the less, may be unknown")
            self.open = (name, low, high, whole)

    def check(self, document: Mapping[str, Any]) -> str:
        """Each side at each end, then the verdict, then what is said of all values between them."""
        if self.open is None:
            ends: list[dict[str, Fraction]] = [{}]
        else:
            name, low, high, _ = self.open
            ends = [{name: low}, {name: high}]
        if len(document["sides"]) != len(ends):
            raise _Wrong("the sides are given once, or at the two ends of the number that is not known")
        positions = [self._side(said, end) for said, end in zip(document["sides"], ends, strict=True)]
        if document["verdict"] != self._verdict(positions):
            raise _Wrong(f"the sides give {self._verdict(positions)}, not {document['verdict']}")
        if self.open is not None:
            self._between(document, positions)
        elif "threshold" in document:
            raise _Wrong("there is no number that a threshold could be of")
        return f"{document['verdict']}: the left side is {', then '.join(positions)}" + (
            "" if positions == ["equal"] else " the right one"
        )

    def _side(self, said: Mapping[str, Any], end: Mapping[str, Fraction]) -> Position:
        at = [rational(said["at"], "certificate.sides.at")] if "at" in said else []
        if at != list(end.values()):
            raise _Wrong("a side is not at an end of the number that is not known")
        position = self.position(end)
        if said["left_is"] != position:
            raise _Wrong(f"the left side is {position}, not {said['left_is']}")
        for which in ("left", "right"):
            now = self.span(self.relation[which], end, _LADDER[0])
            place = f"certificate.sides.{which}"
            low, high = (rational(said[which][name], place) for name in ("lower", "upper"))
            if not (low <= now.low and now.high <= high):
                raise _Wrong(f"the {which} side is not within [{said[which]['lower']}, {said[which]['upper']}]")
            if not Enclosure(low, high).relative_width_at_most(Fraction(1, 10 ** (_DIGITS - 3))):
                raise _Wrong("a certified enclosure is wider than an answer may be")
        return position

    def position(self, end: Mapping[str, Fraction]) -> Position:
        """Where the left side lies, decided; equality only of exact values."""
        for digits in _LADDER:
            left, right = (self.span(self.relation[which], end, digits) for which in ("left", "right"))
            if left.low > right.high:
                return "above"
            if left.high < right.low:
                return "below"
            if left.low == left.high == right.low == right.high:
                return "equal"
        raise _Wrong(f"the comparison is open at {_LADDER[-1]} digits")

    def _holds(self, position: Position) -> bool:
        return position == "equal" or (self.relation["is"] == "at-most" and position == "below")

    def _verdict(self, positions: list[Position]) -> str:
        held = [self._holds(position) for position in positions]
        if all(held):
            return "confirmed"
        if any(held):
            assert self.open is not None
            quoted = "key" in self.relation["numbers"][self.open[0]]
            return "depends-on-digits" if quoted else "depends-on-missing"
        if self.relation["is"] == "equal":
            return "statements-differ"
        return "nearest-below" if self.open is None and self._nearest() else "unsupported"

    def _nearest(self) -> bool:
        """Whether the right side is a stated decimal, and the left one at most half a unit of its last digit above."""
        match self.relation["right"]:
            case {"number": name} if "key" in self.relation["numbers"].get(name, {}):
                text = self.relation["numbers"][name]["number"]
            case _:
                return False
        try:
            half = _half_unit(text)
        except _Wrong:
            return False
        for digits in _LADDER:
            left = self.span(self.relation["left"], {}, digits)
            if left.high <= self.exact[name] + half:
                return True
            if left.low > self.exact[name] + half:
                return False
        raise _Wrong(f"the comparison is open at {_LADDER[-1]} digits")

    def _between(self, document: Mapping[str, Any], positions: list[Position]) -> None:
        """What holds at both ends holds between them only where the difference of the sides moves one way."""
        assert self.open is not None
        name, low, high, whole = self.open
        if self.relation["is"] == "equal":
            raise _Wrong("an equality is not decided over a range")
        moves = self.moves({"difference": [self.relation["left"], self.relation["right"]]})
        if len(moves) > 1:
            raise _Wrong(f"the sides are not seen to move one way with {name}")
        said = document.get("threshold")
        if (said is None) == document["verdict"].startswith("depends-on-"):
            raise _Wrong("a threshold is given exactly where the relation holds at one end only")
        if said is None:
            return
        ends = [rational(said[end], f"certificate.threshold.{end}") for end in ("lower", "upper")]
        if not low <= ends[0] < ends[1] <= high or (whole and any(end.denominator != 1 for end in ends)):
            raise _Wrong("the threshold does not lie between the ends")
        held = [self._holds(self.position({name: end})) for end in ends]
        if held != [self._holds(position) for position in positions]:
            raise _Wrong("the relation does not change its truth at the threshold")
        if said["holds"] != ("below" if held[0] else "above"):
            raise _Wrong("it holds on the other side of the threshold")

    def moves(self, formula: Any) -> frozenset[int]:
        """The ways in which a formula can move while the unknown number rises: no part may be of unknown sign."""
        assert self.open is not None
        name, low, high, _ = self.open
        if isinstance(formula, str):
            return frozenset()
        if "statement" in formula:
            known = _MOVES.get(formula["statement"], {})
            moved: frozenset[int] = frozenset()
            for key, inner in formula["inputs"].items():
                moved |= frozenset(known.get(key, 1) * way for way in self.moves(inner))
            return moved
        ((operator, operands),) = formula.items()
        match operator:
            case "number":
                return frozenset({1}) if operands == name else frozenset()
            case "exp" | "log" | "sqrt":
                return self.moves(operands)
            case "sum":
                return frozenset().union(*(self.moves(inner) for inner in operands))
            case "difference":
                return self.moves(operands[0]) | frozenset(-way for way in self.moves(operands[1]))
        ways = [self.moves(inner) for inner in operands]
        if any(ways) and any(self.over(inner, low, high).low < 0 for inner in operands):
            raise _Wrong("a factor of unknown sign moves")
        if operator == "quotient":
            return ways[0] | frozenset(-way for way in ways[1])
        return frozenset().union(*ways)

    def over(self, formula: Any, low: Fraction, high: Fraction) -> _Span:
        """What contains the values of a formula for all values of the unknown number between two."""
        assert self.open is not None
        return self._evaluate(formula, {**self._points({}), self.open[0]: _Span(low, high)}, _LADDER[0])

    def _points(self, end: Mapping[str, Fraction]) -> dict[str, _Span]:
        return {name: _Span(number, number) for name, number in {**self.exact, **end}.items()}

    def span(self, formula: Any, end: Mapping[str, Fraction], digits: int) -> _Span:
        """The value of a side for exact numbers, to about so many digits; exact where it is rational."""
        return self._evaluate(formula, self._points(end), digits)

    def _evaluate(self, formula: Any, numbers: Mapping[str, _Span], digits: int) -> _Span:
        if isinstance(formula, str):
            number = rational(formula, "certificate.relation")
            return _Span(number, number)
        if "statement" in formula:
            return self._statement(formula, numbers, digits)
        ((operator, operands),) = formula.items()
        if operator == "number":
            if operands not in numbers:
                raise _Wrong(f"the relation has no number {operands}")
            return numbers[operands]
        if operator in ("exp", "log", "sqrt"):
            of = self._evaluate(operands, numbers, digits)
            if operator != "exp" and (of.low < 0 or (operator == "log" and of.low == 0)):
                raise _Wrong(f"{operator} of what may be negative")
            return _Span(_function(operator, of.low, digits).low, _function(operator, of.high, digits).high)
        parts = [self._evaluate(inner, numbers, digits) for inner in operands]
        if operator == "difference":
            _bounded(*parts)
            return _Span(parts[0].low - parts[1].high, parts[0].high - parts[1].low)
        if operator == "quotient":
            if parts[1].low <= 0 <= parts[1].high:
                raise _Wrong("division by what may be zero")
            parts[1] = _Span(1 / parts[1].high, 1 / parts[1].low)
        total = parts[0]
        for part in parts[1:]:
            _bounded(total, part)
            if operator == "sum":
                total = _Span(total.low + part.low, total.high + part.high)
            else:
                corners = [x * y for x in (total.low, total.high) for y in (part.low, part.high)]
                total = _Span(min(corners), max(corners))
        return total

    def _statement(self, formula: Any, numbers: Mapping[str, _Span], digits: int) -> _Span:
        id, given = formula["statement"], formula["inputs"]
        if id not in _MOVES or set(given) != set(_MOVES[id]):
            raise _Wrong(f"{id} is not a statement that this checker reads, or its inputs are others")
        found = statement(id)
        spans = {name: self._evaluate(inner, numbers, digits) for name, inner in given.items()}
        ends = []
        for least in (True, False):
            # The least value: least where the statement rises, most where it falls.
            inputs = {}
            for name, span in spans.items():
                number = span.low if (_MOVES[id][name] > 0) == least else span.high
                if not can_be_read(number):
                    raise _Wrong(f"{id}: the input {name} has more digits than are read")
                inputs[name] = spell(number)
            found_in = []
            for engine in _ENGINES:
                answer = solve(found, found.read(inputs), digits=digits, engine=engine).enclosure
                if answer is None:
                    raise _Wrong(f"{id} gives no number")
                found_in.append(_Span(answer.lower, answer.upper))
            ends.append(_joined(found_in))
        return _Span(ends[0].low, ends[1].high)


def _function(name: str, number: Fraction, digits: int) -> _Span:
    """An elementary function of a rational, as both engines enclose it; exact where it is plain."""
    if number == {"exp": 0, "log": 1, "sqrt": 0}[name]:
        exact = Fraction(1 if name == "exp" else 0)
        return _Span(exact, exact)
    spans = []
    for engine in _ENGINES:
        found = decide.enclose(lambda ar: getattr(ar, name)(number), decide.engine(engine), Fraction(1, 10**digits))
        spans.append(_Span(found.lower, found.upper))
    return _joined(spans)
