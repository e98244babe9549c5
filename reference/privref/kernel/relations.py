"""Relations between published numbers: whether one formula is at most another, or equal to it (no ledger is read).

A ``relation-certificate.1`` names the numbers, quotes the words that write them, and gives a formula for each side. The
sides are evaluated once, as intervals with exact rational ends. One number may be known between two ends only: then
both ends are decided, and what holds at both holds between them only where the difference of the sides moves one way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from privref.kernel.balls import Ball, above, at_most, end, rational, working
from privref.kernel.fields import Fields
from privref.kernel.inequalities import lemma1
from privref.kernel.numbers import Malformed, Refused, digest, half_unit, number, shown
from privref.kernel.record import normal_delta

_PRECISION = 640
_MOST_STEPS, _CLOSE = 1000, 300  # Steps of one bisection, and the relative width, as a power of 2, at which it ends.
#: Parts of a formula, how deep it nests, bits of an intermediate number, and of all of them together.
MOST_NODES, MOST_DEPTH, MOST_BITS, MOST_ALL_BITS = 500, 20, 16_000, 2 * 10**7
#: Letters of a number's texts, and of how the words write it.
MOST_LETTERS, MOST_WRITTEN = 1000, 100
_WIDTH = Fraction(1, 10**17)  # A side is enclosed at most so widely, relative to its size.
_SETTINGS = {"engines": ["arb", "mpmath"], "digits": 20}


@dataclass(frozen=True, slots=True)
class Related:
    """What was shown: the verdict in words, what it rests on, and the digest of the relation."""

    says: str
    premises: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Number:
    """A published number; its two ends where it is not known exactly; the key and the words that it is quoted from."""

    text: str
    value: Fraction
    ends: tuple[Fraction, Fraction] | None = None
    whole: bool = False
    key: str | None = None
    words: str | None = None
    written: str = ""
    premise: str = ""


@dataclass(frozen=True, slots=True)
class Formula:
    """A number, a named one, or an operator or statement with its operands."""

    operator: str
    of: tuple[Formula, ...] = ()
    value: Fraction = Fraction(0)
    name: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """An interval with exact rational ends."""

    low: Fraction
    high: Fraction


def _root(rises: Callable[[Fraction], Ball], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Halve an interval around the zero of an increasing function, by signs that are certain."""
    for _ in range(_MOST_STEPS):
        middle = (low + high) / 2
        value = rises(middle)
        if above(value, Fraction(0)):
            high = middle
        elif above(-value, Fraction(0)):
            low = middle
        else:
            break
        if (high - low) * 2**_CLOSE < low:
            break
    return low, high


def _tight(rho: Fraction, delta: Fraction) -> Span:
    """The least epsilon of all Renyi orders (Canonne, Kamath, Steinke 2020, Corollary 13).

    The exponent is convex in the order: with (a - 1)^2 rho + log(a) = log(1/delta), epsilon is (2a - 1) rho + log(1 -
    1/a), which rises with a, or 0 where that is negative.
    """
    if not rho:
        return Span(Fraction(0), Fraction(0))
    target = -rational(delta).log()
    most = 1 + end((target / rational(rho)).sqrt(), up=True)
    low, high = _root(lambda a: rational((a - 1) ** 2 * rho) + rational(a).log() - target, Fraction(1), most)
    if low == 1:
        raise Refused("the best order is too near 1 to be enclosed")
    values = [rational((2 * a - 1) * rho) + (1 - 1 / rational(a)).log() for a in (low, high)]
    return Span(max(end(values[0], up=False), Fraction(0)), max(end(values[1], up=True), Fraction(0)))


def _gaussian(mu: Fraction, delta: Fraction) -> Span:
    """The least epsilon at which mu-Gaussian DP has this delta (Dong, Roth, Su 2019, Corollary 1)."""
    zero = Fraction(0)
    if at_most(normal_delta(mu * mu, zero), delta):
        return Span(zero, zero)
    high = Fraction(1)
    while not at_most(normal_delta(mu * mu, high), delta):
        high *= 2
        if high > 2**40:
            raise Refused("gdp/profile.eps gives no number below 2^40 here")
    return Span(*_root(lambda epsilon: rational(delta) - normal_delta(mu * mu, epsilon), zero, high))


#: The statements that a relation may name: the input in which each rises, that in which it falls, and its value.
STATEMENTS: dict[str, tuple[str, str, Callable[[Fraction, Fraction], Span]]] = {
    "cks2020/zcdp2dp.eps": ("rho", "delta", _tight),
    "whitehouse2023/lem1.zcdp2dp.eps": (
        "rho",
        "delta_prime",
        lambda rho, prime: Span(*(end(lemma1(rho, prime), up=up) for up in (False, True))),
    ),
    "gdp/profile.eps": ("mu", "delta", _gaussian),
}


def relate(
    certificate: Mapping[str, Any], texts: Mapping[str, str] | None = None, reviewed: Mapping[str, Any] | None = None
) -> Related:
    """Check a ``relation-certificate.1``; Malformed or Refused where it does not show its verdict.

    ``texts`` are the entry's scalars by dotted key: where they are given, each quotation is looked up in them, and the
    entry must be the one that the certificate names. ``reviewed`` is the relation that a reviewed mapping of that entry
    has for the question: where it is given, the certificate's must be the same.
    """
    fields = Fields(certificate, "certificate")
    if fields.take("schema") != "relation-certificate.1":
        raise Malformed("certificate.schema", certificate["schema"], "give a relation-certificate.1")
    entry, question = (fields.name(key, required=True) for key in ("entry", "question"))
    document, said = fields.take("relation"), fields.text("sha256", required=True)
    settings = {key: fields.take(key) for key in _SETTINGS}
    relation = _relation(document)
    verdict, sides = fields.name("verdict", required=True), fields.take("sides")
    threshold = fields.take("threshold") if fields.has("threshold") else None
    fields.take("commentary")
    fields.done()
    if settings != _SETTINGS:
        raise Refused("certificates rest on the engines arb and mpmath, at 20 digits")
    if digest(document, "certificate.relation") != said:
        raise Refused("the digest is not that of the relation")
    if texts is not None and texts.get("url_slug") != entry:
        raise Refused(f"the certificate is about {entry}, and the entry is {texts.get('url_slug')}")
    for name, given in relation.numbers.items():
        _quoted(name, given, texts)
    if reviewed is not None:
        _as_reviewed(document, reviewed)
    with working(_PRECISION):
        positions = relation.decide(sides, verdict, threshold)
    premises = [given.premise for given in relation.numbers.values() if given.premise]
    if reviewed is None:
        premises.append(f"that the formulas answer the question {question}")
    way = f"the left side is {', then '.join(positions)}" + ("" if positions == ["equal"] else " the right one")
    return Related(f"{verdict}: {way}", tuple(premises), said)


def _relation(found: object) -> _Relation:
    with Fields(found, "certificate.relation") as fields:
        given, size = fields.take("numbers"), [0]
        if not isinstance(given, Mapping) or len(given) > 100 or not all(name.isprintable() for name in given):
            raise Malformed("certificate.relation.numbers", ascii(given), "give at most 100 numbers by names")
        numbers = {name: _number(name, inner) for name, inner in given.items()}
        left, right = (_formula(fields.take(side), f"{fields.place}.{side}", 0, size) for side in ("left", "right"))
        return _Relation(numbers, left, fields.one_of("is", ("equal", "at-most")) == "equal", right)


def _number(name: str, found: object) -> Number:
    place = f"certificate.relation.numbers.{name}"
    fields = Fields(found, place)
    for key, value in fields.left.items():
        most = MOST_WRITTEN if key == "written" else MOST_LETTERS
        if isinstance(value, str) and len(value) > most:
            raise Malformed(f"{place}.{key}", value, f"give at most {most} letters")
    if fields.has("is"):
        said, whole = fields.name("is"), fields.flag("whole", False)
        made = Number("", Fraction(0), _ends(fields, "from", "to"), whole, premise=f"{name}: {said}")
        if whole and any(value.denominator != 1 for value in made.ends or ()):
            raise Refused(f"{name}: the ends of a whole number are whole")
    else:
        text = fields.name("number", required=True)
        value = number(text, f"{place}.number")
        if fields.has("source"):
            made = Number(text, value, premise=f"{name} = {text}, of {fields.name('source')}")
        else:
            ends = _ends(fields, "from", "to") if fields.has("from") or fields.has("to") else None
            key, words = fields.name("key", required=True), fields.text("words") if fields.has("words") else None
            made = Number(text, value, ends, False, key, words, fields.text("written") or text)
    fields.done()
    return made


def _ends(fields: Fields, *keys: str) -> tuple[Fraction, Fraction]:
    low, high = (number(fields.take(key), f"{fields.place}.{key}") for key in keys)
    return low, high


_ONE, _TWO, _SEVERAL = ("exp", "log", "sqrt"), ("difference", "quotient"), ("sum", "product")
_ADD, _TIMES, _LESS, _OVER = Fraction.__add__, Fraction.__mul__, Fraction.__sub__, Fraction.__truediv__
_OF_TWO = {"sum": _ADD, "product": _TIMES, "difference": _LESS, "quotient": _OVER}


def _formula(found: object, place: str, depth: int, size: list[int]) -> Formula:
    """Read a formula of a bounded size."""
    size[0] += 1
    if depth > MOST_DEPTH or size[0] > MOST_NODES:
        raise Malformed(place, "(too large)", f"no formula has {MOST_NODES} parts or nests {MOST_DEPTH} deep")
    if isinstance(found, str):
        return Formula("", value=number(found, place))

    def inner(each: object) -> Formula:
        return _formula(each, place, depth + 1, size)

    fields = Fields(found, place)
    if fields.has("statement"):
        operator = fields.name("statement")
        if operator not in STATEMENTS:
            raise Refused(f"{operator} is not a statement of which the kernel knows the value")
        with fields.inner("inputs") as given:
            made = Formula(operator, tuple(inner(given.take(key)) for key in STATEMENTS[operator][:2]))
    else:
        operator = next(iter(fields.left), "")
        of = fields.take(operator)
        if operator == "number" and isinstance(of, str):
            made = Formula(operator, name=of)
        elif operator in _ONE:
            made = Formula(operator, (inner(of),))
        elif isinstance(of, list) and (len(of) == 2 if operator in _TWO else operator in _SEVERAL and of):
            made = Formula(operator, tuple(inner(each) for each in of))
        else:
            raise Malformed(f"{place}.{operator}", of, "give an operator with its operands")
    fields.done()
    return made


_POWER_OF_TEN = re.compile(r"(?:([0-9]+(?:\.[0-9]+)?)\s*(?:\\times|×)\s*)?10\s*\^?\s*\{?\s*[-−–]\s*([0-9]{1,4})\s*\}?")
#: What before or after a quotation would make its first or last number part of a longer one.
_CUT_BEFORE = re.compile(r"\d(?:[.,/^−–-]|[eE][+-]?)?\Z")
_CUT_BEFORE_DIGIT = re.compile(r"[.^−–-]\{?\Z")
_CUT_AFTER = re.compile(r"\d|[.,/^−–-]\{?[-−–]?\d|[eE][+-]?\d|\s?\^|\s?(?:×|·|\\times|\\cdot)\s?(?:10\b|\Z)")
#: A sign between groups of three digits, where it is no comma: spaces (thin and unbreakable ones too), apostrophes.
_GROUPS = "[ \t\xa0\u2007\u2009\u202f'\u2019]"
_GROUP_BEFORE = re.compile(rf"(?<!\d)\d{{1,3}}(?:{_GROUPS}\d{{3}})*{_GROUPS}\Z")
_GROUP_AFTER = re.compile(rf"{_GROUPS}\d{{3}}(?!\d)")
_FIRST_GROUP, _LAST_GROUP = re.compile(r"\d{3}(?!\d)"), re.compile(r"(?<!\d)\d{1,3}\Z")


def _read(written: str, place: str) -> Fraction:
    """Return the number that a text writes: a decimal, one with thousands commas, or a power of ten."""
    if power := _POWER_OF_TEN.fullmatch(written):
        return number(power[1] or "1", place) / Fraction(10) ** int(power[2])
    return number(written.replace(",", "") if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+", written) else written, place)


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


def _quoted(name: str, given: Number, texts: Mapping[str, str] | None) -> None:
    """Check that words have the digits of the number, and no more around them; and that they stand in the texts."""
    if given.key is None:
        return
    if _read(given.written, name) != given.value:
        raise Refused(f"{name}: {given.written} is not {given.text}")
    if not _stands(given.written, given.written if given.words is None else given.words):
        raise Refused(f"{name}: the words do not write {given.written}")
    half = half_unit(given.text)
    if given.ends is not None and (half is None or given.ends != (given.value - half, given.value + half)):
        raise Refused(f"{name}: the ends are not half a unit of the last digit around {given.text}")
    if texts is None:
        return
    text, words = texts.get(given.key), given.words
    if text is None:
        raise Refused(f"{name}: the entry has no {given.key}")
    # White space is not compared, since YAML folds lines; but there has to be some where the words have it.
    if text != given.text if words is None else not _stands(" ".join(words.split()), " ".join(text.split())):
        raise Refused(f"{name}: not found at {given.key}")


def _as_reviewed(relation: Mapping[str, Any], reviewed: Mapping[str, Any]) -> None:
    if not reviewed:
        raise Refused("the reviewed mapping of this entry has no such question")
    for part in ("left", "is", "right"):
        if relation[part] != reviewed[part]:
            raise Refused(f"{part}: not what the reviewed mapping asks")
    for name in sorted({*relation["numbers"], *reviewed["numbers"]}):
        if relation["numbers"].get(name) != reviewed["numbers"].get(name):
            raise Refused(f"{name}: not as in the reviewed mapping")


def _position(left: Span, right: Span) -> str:
    """Return where the left side lies; equality only of exact values."""
    if left.low > right.high:
        return "above"
    if left.high < right.low:
        return "below"
    if left.low == left.high == right.low == right.high:
        return "equal"
    raise Refused("which side is larger is open at this precision")


class _Relation:
    """A relation as read: its numbers, of which at most one lies between two ends, and its two sides."""

    def __init__(self, numbers: Mapping[str, Number], left: Formula, equal: bool, right: Formula) -> None:
        self.numbers, self.left, self.equal, self.right = numbers, left, equal, right
        self.points = {name: Span(given.value, given.value) for name, given in numbers.items() if given.ends is None}
        unknown = [(name, *given.ends) for name, given in numbers.items() if given.ends is not None]
        if len(unknown) > 1 or any(low >= high for _, low, high in unknown):
            raise Refused("one number, between two ends of which the first is the less, may be unknown")
        self.unknown = unknown[0] if unknown else None
        self.spent = 0

    def decide(self, sides: object, verdict: str, threshold: object) -> list[str]:
        """Check each side at each end, then the verdict, then what is said of all values between the ends."""
        ends: list[Fraction | None] = [None] if self.unknown is None else [*self.unknown[1:]]
        if not isinstance(sides, list) or len(sides) != len(ends):
            raise Refused("the sides are given once, or at the two ends of the number that is not known")
        positions = [self._side(said, value) for said, value in zip(sides, ends, strict=True)]
        if verdict != self._verdict(positions):
            raise Refused(f"the sides give {self._verdict(positions)}, not {verdict}")
        if self.unknown is not None:
            self._between(*self.unknown, positions, threshold)
        elif threshold is not None:
            raise Refused("there is no number that a threshold could be of")
        return positions

    def _side(self, said: object, value: Fraction | None) -> str:
        with Fields(said, "certificate.sides") as fields:
            if (number(fields.take("at"), "certificate.sides.at") if fields.has("at") else None) != value:
                raise Refused("a side is not at an end of the number that is not known")
            both = self._at(self.left, value), self._at(self.right, value)
            position = _position(*both)
            if fields.take("left_is") != position:
                raise Refused(f"the left side is {position}, not what is said")
            for which, now in zip(("left", "right"), both, strict=True):
                with fields.inner(which) as inner:
                    low, high = _ends(inner, "lower", "upper")
                if not low <= now.low <= now.high <= high:
                    raise Refused(f"the {which} side is not within [{shown(low)}, {shown(high)}]")
                if high - low > _WIDTH * min(abs(low), abs(high)):
                    raise Refused("a certified enclosure is wider than an answer may be")
            return position

    def _holds(self, position: str) -> bool:
        return position == "equal" or (not self.equal and position == "below")

    def _verdict(self, positions: list[str]) -> str:
        held = [self._holds(position) for position in positions]
        if all(held):
            return "confirmed"
        if any(held) and self.unknown is not None:
            return "depends-on-digits" if self.numbers[self.unknown[0]].key is not None else "depends-on-missing"
        if self.equal:
            return "statements-differ"
        return "nearest-below" if self.unknown is None and self._nearest() else "unsupported"

    def _nearest(self) -> bool:
        """Whether the right side is a stated decimal, and the left one at most half a unit of its last digit above."""
        stated = self.numbers.get(self.right.name) if self.right.operator == "number" else None
        half = None if stated is None or stated.key is None else half_unit(stated.text)
        if stated is None or half is None:
            return False
        left = self._at(self.left, None)
        if left.high > stated.value + half >= left.low:
            raise Refused("whether the left side rounds to the right one is open at this precision")
        return left.high <= stated.value + half

    def _between(self, name: str, low: Fraction, high: Fraction, positions: list[str], threshold: object) -> None:
        """What holds at both ends holds between them only where the difference of the sides moves one way."""
        if self.equal:
            raise Refused("an equality is not decided over a range")
        over = {**self.points, name: Span(low, high)}
        if len(self._moves(Formula("difference", (self.left, self.right)), name, over)) > 1:
            raise Refused(f"the sides are not seen to move one way with {name}")
        held = [self._holds(position) for position in positions]
        if (threshold is None) != (held[0] == held[1]):
            raise Refused("a threshold is given exactly where the relation holds at one end only")
        if threshold is None:
            return
        with Fields(threshold, "certificate.threshold") as fields:
            ends, said = _ends(fields, "lower", "upper"), fields.one_of("holds", ("below", "above"))
        whole = self.numbers[name].whole
        if not low <= ends[0] < ends[1] <= high or (whole and any(value.denominator != 1 for value in ends)):
            raise Refused("the threshold does not lie between the ends")
        if [self._holds(_position(self._at(self.left, value), self._at(self.right, value))) for value in ends] != held:
            raise Refused("the relation does not change its truth at the threshold")
        if said != ("below" if held[0] else "above"):
            raise Refused("it holds on the other side of the threshold")

    def _moves(self, formula: Formula, name: str, over: Mapping[str, Span]) -> frozenset[int]:
        """Return the ways in which a formula can move while the unknown number rises; no factor may be negative."""
        ways = [self._moves(inner, name, over) for inner in formula.of]
        if formula.operator == "number":
            return frozenset({1} if formula.name == name else ())
        factors = formula.of if formula.operator in ("product", "quotient") and any(ways) else ()
        if any(self._value(inner, over).low < 0 for inner in factors):
            raise Refused("a factor of unknown sign moves")
        if formula.operator in (*_TWO, *STATEMENTS):
            ways[1] = frozenset(-way for way in ways[1])
        return frozenset().union(*ways)

    def _at(self, formula: Formula, value: Fraction | None) -> Span:
        own = {} if value is None or self.unknown is None else {self.unknown[0]: Span(value, value)}
        return self._value(formula, {**self.points, **own})

    def _value(self, formula: Formula, numbers: Mapping[str, Span]) -> Span:
        """Enclose a formula for all values of its numbers; exact where all is rational."""
        operator = formula.operator
        if not operator:
            return Span(formula.value, formula.value)
        if operator == "number":
            if formula.name not in numbers:
                raise Refused(f"the relation has no number {formula.name}")
            return numbers[formula.name]
        parts = [self._value(inner, numbers) for inner in formula.of]
        if operator in STATEMENTS:
            rising, falling = parts
            if rising.low < 0 or not 0 < falling.low <= falling.high < 1:
                raise Refused(f"{operator} gives no number here")
            self._spend(1000 * _PRECISION)
            value = STATEMENTS[operator][2]
            return Span(value(rising.low, falling.high).low, value(rising.high, falling.low).high)
        if operator in _ONE:
            return self._function(operator, parts[0])
        found, *more = parts
        for other in more:
            found = self._combined(operator, found, other)
        return found

    def _function(self, name: str, of: Span) -> Span:
        if name != "exp" and (of.low < 0 or (name == "log" and not of.low)):
            raise Refused(f"{name} of what may be negative")
        self._spend(_PRECISION)
        if of.low == of.high == {"exp": 0, "log": 1, "sqrt": 0}[name]:
            exact = Fraction(name == "exp")
            return Span(exact, exact)
        low, high = (getattr(rational(edge), name)() for edge in (of.low, of.high))
        return Span(end(low, up=False), end(high, up=True))

    def _combined(self, operator: str, one: Span, other: Span) -> Span:
        edges = (one.low, one.high, other.low, other.high)
        bits = sum(edge.numerator.bit_length() + edge.denominator.bit_length() for edge in edges)
        self._spend(bits)
        if bits > 4 * MOST_BITS:
            raise Refused(f"an intermediate number has more than {MOST_BITS} bits")
        if operator == "quotient" and other.low <= 0 <= other.high:
            raise Refused("division by what may be zero")
        corners = [_OF_TWO[operator](x, y) for x in (one.low, one.high) for y in (other.low, other.high)]
        return Span(min(corners), max(corners))

    def _spend(self, bits: int) -> None:
        self.spent += bits
        if self.spent > MOST_ALL_BITS:
            raise Refused("the formulas of this relation take more work than one check spends")
