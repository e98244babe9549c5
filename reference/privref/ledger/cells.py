"""What people write into the cells of a sheet: headings with symbols, numbers with units and signs, totals.

A cell is read where it has one meaning. Where it may mean two things, the reader asks, with the cell's place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell, written
from privref.exact.rounding import plain_decimal

#: How a column is called whose heading has its symbol in parentheses, as in "Privacy loss (ε)".
_CALLED = frozenset(
    ("", "privacy loss", "privacy budget", "privacy loss budget", "privacy parameter", "privacy loss parameter",
     "privacy guarantee", "budget", "loss", "failure probability", "failure prob", "failure prob.",
     "probability of failure")
)  # fmt: skip
#: What may stand in parentheses behind a parameter's name and says nothing else.
_UNITS = frozenset(("nat", "nats", "natural log", "upper bound"))
_PARENTHESES = re.compile(r"(.*?)\s*[(\[]([^()\[\]]+)[)\]]\s*")

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_EXPONENT = re.compile(r"10\s*(?:(?:\^|\*\*)\s*(?:([+-]?[0-9]+)|\(\s*([+-]?[0-9]+)\s*\))|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))")
_TIMES = re.compile(r"\s*[·⋅∙×x*]\s*")
_AT_MOST = re.compile(r"(?:<=|≤|<|⩽|at most|up to)\s*", re.IGNORECASE)
_NOT_AT_MOST = re.compile(r"(?:>=|≥|>|~|≈|∼|about|approx\.?|ca\.?)\s*(?=[0-9.])", re.IGNORECASE)
_LOGARITHM = re.compile(r"(ln|log)\s*(?:\(\s*([0-9.,/]+)\s*\)|([0-9.,]+))", re.IGNORECASE)
_PERCENT = re.compile(r"(.*[0-9.])\s*%")
_NAMED = re.compile(r"(epsilon|eps|ε|ϵ|delta|δ|rho|ρ|mu|μ|µ)\s*(?:=|:|(?=[≤<⩽≥>~≈]))\s*", re.IGNORECASE)
_NATS = re.compile(r"(?<=[0-9.])\s*nats?", re.IGNORECASE)
HOW_OFTEN = (
    "did it run more than once? write how often into a column count (1 if once); if the claim is about one such "
    "period, write the period into a column period; else reword it"
)
#: Cells that say that there is no number.
NOTHING = frozenset(("n/a", "n.a.", "na", "-", "–", "—", "none", "nil", "not applicable"))
_TOTALS = frozenset(
    ("total", "totals", "grand total", "subtotal", "sub-total", "sum", "sums", "overall", "cumulative", "all", "σ", "∑",
     "all together", "altogether",
     "gesamt", "insgesamt", "summe", "total epsilon", "total budget", "total privacy loss", "total privacy budget")
)  # fmt: skip
_LIKE_TOTALS = ("total", "sum of", "overall", "cumulative", "gesamt", "summe")


def column_meaning(heading: str, known: Mapping[str, str]) -> str:
    """Return what a column's heading means, of the known words; "" where it is not known."""
    word = " ".join(heading.casefold().replace("-", " ").replace("_", " ").split())
    found = known.get(heading.strip().casefold(), "") or known.get(word, "")
    if found or (split := _PARENTHESES.fullmatch(word)) is None:
        return found
    outside, inside = known.get(split[1], ""), known.get(split[2], "")
    if inside and (outside == inside or split[1] in _CALLED):
        return inside
    return outside if split[2] in _UNITS else ""


def without_rounded(heading: str) -> tuple[str, bool]:
    """Return a heading without a "(rounded)" behind it, and whether one stood there."""
    split = _PARENTHESES.fullmatch(heading.strip())
    if split is None or split[2].strip().casefold() not in ("rounded", "gerundet"):
        return heading, False
    return split[1], True


def is_a_bound(text: str) -> bool:
    """Return whether a cell has a sign such as ≤ or ~ before its number."""
    text = text.strip()
    return bool(_AT_MOST.match(text) or _NOT_AT_MOST.match(text))


def written_number(text: str, place: str) -> tuple[str, str]:
    """Return the number that a cell holds, and what stands behind it: an exponent such as ``e-6``, ``%`` or nothing.

    ``10^-6``, ``1·10⁻⁶``, ``≤ 2`` (a bound from above, as every guarantee is one) and ``150 %`` are read; in the place
    of the parameter itself also ``ε = 2`` and ``2 nats``. InputError for what bounds nothing from above, and for a
    logarithm, which is irrational.
    """
    text = text.strip().replace("−", "-").replace("\u00a0", " ")
    parameter = place.rpartition(".")[2]
    if (named := _NAMED.match(text)) and _STATED_NAMES.get(named[1].casefold(), named[1].casefold()) == parameter:
        text = text[named.end() :]
    if parameter == "epsilon":
        text = _NATS.sub("", text)
    if _NOT_AT_MOST.match(text):
        raise InputError(place, text, "this is not an upper bound; write the largest value that it may have")
    if (logarithm := _LOGARITHM.fullmatch(text)) is not None:
        raise InputError(
            place, text, _of_logarithm(logarithm[1], (logarithm[2] or logarithm[3]).replace(",", "."), place)
        )
    text = _AT_MOST.sub("", text, count=1) if _AT_MOST.match(text) else text
    if (percent := _PERCENT.fullmatch(text)) is not None:
        return percent[1], "%"
    parts = [text] if _EXPONENT.fullmatch(text) else _TIMES.split(text, maxsplit=1)
    if (power := _EXPONENT.fullmatch(parts[-1])) is not None:
        exponent = power[1] or power[2] or power[3].translate(_RAISED)
        return (parts[0] if len(parts) > 1 else "1"), f"e{exponent}"
    return text, ""


def number_text(text: str, place: str = "number") -> str:
    """Return a number as people write it, such as ``10^-6`` or ``150 %``, in a form that ``rational`` reads.

    >>> [number_text(text) for text in ("1·10⁻⁶", "150 %", "≤ 2", "0.1")]
    ['1e-6', '1.5', '2', '0.1']

    Raises: InputError for what is not a number, bounds nothing from above, or is a logarithm, which is irrational.
    """
    if not isinstance(text, str):
        raise InputError(place, text, 'give a text, such as "1e-6" or "10^-6"')
    found = with_unit(*written_number(text, place), place)
    rational(found, place)
    return found


def with_unit(number: str, unit: str, place: str) -> str:
    """Return a number with its exponent or as a hundredth, as one exact number's text."""
    if unit == "%":
        return written(rational(number, place) / 100)
    return f"{number}{unit}"


def _of_logarithm(name: str, argument: str, place: str) -> str:
    """Return the question about a logarithm: its base, or a decimal above it."""
    value = rational(argument, place)
    if value <= 0:
        return "this logarithm does not exist; write a number"
    above = _above(lambda ar: ar.log(value))
    if name.casefold() == "log":
        return f"to which base? if it is the natural logarithm, write a decimal, rounded up: {above}"
    return f"write a decimal, rounded up: {above}"


def _above(number: Callable[[Any], Any]) -> str:
    """Return a decimal of eight digits that is at least this real number."""
    from privref.exact import decide  # Engines, which a check of a certificate does not load.

    return decimal_above(decide.enclose(number, decide.engine("arb"), Fraction(1, 10**12)).upper)


def decimal_above(value: Fraction) -> str:
    """Return a short decimal that is at least this number, and equal where it has at most eight digits."""
    text = plain_decimal(value, 8, "up")
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


_N = r"([0-9]+(?:[.,][0-9]+)?(?:e[+-]?[0-9]+)?)"
_TO = r"\s*(?:-|–|—|\.\.+|…|to|bis)\s*"
#: What people write where a number is asked for, and what to do about it. Of the patterns that fit the whole cell the
#: first is asked; ``{0}``, ``{1}`` are its groups, ``{=}`` a number that is made of them.
_INSTEAD: tuple[tuple[str, str, Callable[[list[Fraction]], str] | None], ...] = (
    (r"\+?inf(?:inity|inite)?|∞|unbounded|unlimited",
     "without a finite bound for every release nothing bounds their total; write the bound of this one, if it has one",
     None),
    (r"\?+|nan|x+|tb[acd]|todo|pending|(?:un|not |not yet )known|to be (?:confirmed|decided|determined)",
     "while it is not known nothing bounds the total; write the largest value that it may have", None),
    (r"#(?:DIV/0!|N/A|NAME\?|NULL!|NUM!|REF!|VALUE!)",
     "with this the spreadsheet program reports an error of a formula; correct the formula, and save the sheet", None),
    (rf"(?:{_N}\s*[·⋅∙×x*]\s*)?10[-–]([0-9]+)",
     "were raised digits lost? then write 10^-{1}, behind its factor; of a range write the largest value", None),
    (rf"{_N}{_TO}{_N}", "is it a range? write its largest value: {=}", lambda ends: decimal_above(max(ends))),
    (rf"{_N}\s*(?:±|\+/-|\+-)\s*{_N}", "write the largest value that it may have: {=}",
     lambda ends: decimal_above(ends[0] + ends[1])),
    (rf"(?:√|sqrt)\s*\(?{_N}\)?", "write a decimal, rounded up: {=}", lambda of: _above(lambda ar: ar.sqrt(of[0]))),
    (rf"{_N}\s*bits?", "a number in nats is asked for (bits times ln 2); write a decimal, rounded up: {=}",
     lambda bits: _above(lambda ar: ar.log(Fraction(2)) * bits[0])),
    (r"([0-9]+)\s+([0-9]+)/0*([1-9][0-9]*)", "write it as one fraction: {=}", lambda n: spell(n[0] + n[1] / n[2])),
    (rf"{_N}\s*(\*+|[†‡§¹²³⁴⁵⁶⁷⁸⁹]|\[\w{{1,2}}\]|\(?\w\))",
     "what does the mark {1} say? if it does not change the number, write {0}", None),
    (rf"{_N}\s*[·⋅∙×x*]\s*{_N}", "write {0}, and {1} into a column count if that is how often it ran", None),
    (rf"\(?{_N}\s*(?:;|,\s)\s*{_N}\)?|\({_N},{_N}\)",
     "two numbers stand in one cell; give epsilon and delta a column each", None),
    (rf"{_N}\s*(/\s*[^\W\d]+|\(?(?:an?|per|each|every)\s.*|\(?\w*(?:ly|annual)\b.*)", "write {0}; " + HOW_OFTEN, None),
    (rf"{_N}\s*([^\W\d].*|[(\[].*)", "write the number {0} alone, and the words into a column label", None),
)  # fmt: skip
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), remedy, made) for pattern, remedy, made in _INSTEAD]


def instead_of_a_number(text: str) -> str:
    """Return what to do about a cell that holds something else than a number; "" where that is not known."""
    text = " ".join(text.replace("−", "-").split())
    for pattern, remedy, made in _PATTERNS:
        if len(text) <= _MOST_LETTERS and (found := pattern.fullmatch(text)) is not None:
            groups = [group or "" for group in found.groups()]
            try:
                numbers = [rational(group.replace(",", "."), "cell") for group in groups] if made else []
            except InputError:  # of too many digits
                return ""
            shown = remedy.replace("{=}", made(numbers)) if made else remedy
            return shown.replace("{0}", groups[0] if groups else "").replace("{1}", groups[-1] if groups else "")
    return ""


def is_total(label: str) -> bool:
    """Return whether a row of this name is a total, and not a release."""
    return " ".join(label.casefold().strip(" :.*").split()) in _TOTALS


def may_be_total(label: str) -> bool:
    """Return whether a row of this name is a total if its number is the sum of those above."""
    return label.casefold().strip().startswith((*_LIKE_TOTALS, "all "))


#: Signs that people put between groups of three digits.
_GROUPS = re.compile(r"(?<=[0-9])[,.'’ \u00a0\u2009\u202f_](?=[0-9]{3}(?![0-9]))")
#: What is counted, behind a number or before it.
_COUNTED = re.compile(
    r"[x×*]|(?:times|time|mal|runs?|rounds?|steps?|quer(?:y|ies)|releases?|repetitions?|repeats?|iterations?|epochs?"
    r"|mechanisms?|nats?|bits?|per\b.*|(?:a|each|every)\s.*|/.*)(?:\s.*)?",
    re.IGNORECASE,
)
_LEADING = re.compile(r"([+-]?[0-9.,]*[0-9](?:e[+-]?[0-9]+)?)\s*(.*)", re.IGNORECASE | re.DOTALL)
#: Words that say a number, or how often.
_NUMBER_WORDS = re.compile(
    r"(?<![^\W\d_])(?:"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|fifty|hundred|"
    r"thousand|million|once|twice|thrice|double|triple|half|both|each|every|per|day|daily|"
    r"week|weekly|month|monthly|quarter|quarterly|year|yearly|annual|annually|hourly|hour"
    r")(?![^\W\d_])",
    re.IGNORECASE,
)
#: Words of a heading below which a number is meant for the guarantee, or for how often it was given.
_PARAMETER_WORDS = re.compile(
    r"(?<![^\W\d_])(?:"
    r"epsilon|epsilons|eps|ε|ϵ|delta|deltas|δ|rho|ρ|mu|μ|µ|sigma|σ|alpha|α|failure|fail|"
    r"prob|probability|loss|budget|repetition|repetitions|repeat|repeats|repeated|times|per|"
    r"queries|runs|rounds|releases|count|counts|number|frequency|steps|iterations|epochs|"
    r"sensitivity|noise|scale|rate"
    r")(?![^\W\d_])",
    re.IGNORECASE,
)


#: A cell that says how often something was done, and nothing else.
_HOW_OFTEN = re.compile(
    r"(?:(?:was|is|are|ran|run|runs|released|published|repeated|updated|recurring)\s+)*(?:once\s+)?"
    r"(?:a\s(?:hour|day|week|month|quarter|year)(?:\s.*)?"
    r"|(?:per|each|every)\s(?!(?:one|person|user|respondent|individual|household|record|row|unit|member|patient)\b).+"
    r"|hourly|daily|nightly|weekly|bi-?weekly|fortnightly|monthly|quarterly|(?:semi-?)?annually|yearly|annual|twice|thrice"
    r"|hour|day|week|month|quarter|year"
    r"|(?:[0-9]+|two|three|four|five|six|seven|eight|nine|ten|twelve|several|many|multiple)\s*"
    r"(?:×|x|times|hours|days|weeks|months|quarters|years|rounds|runs|queries)(?:\s.*)?)(?:\s(?:of|in|since|from|until)\s.*)?",
    re.IGNORECASE,
)
#: The same at the end of a range of dates, and of the name of a release.
_RANGE_OFTEN = re.compile(
    r".*[0-9].*\s(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually)", re.IGNORECASE
)
_NAME_OFTEN = re.compile(
    r"[0-9]+\s*[×*]\s*[^\W\d].*|.*(?<!\w)(?:[0-9]+\s*[×x]|[x×]\s*[0-9]+|[0-9]+\s+(?:times|runs|rounds))\)?",
    re.IGNORECASE,
)
#: The rhythm of a release, anywhere in a name.
_RHYTHM = re.compile(
    r"(?<![^\W_])(?:hourly|daily|nightly|(?:bi-?)?weekly|fortnightly|monthly|quarterly|yearly|(?:semi-?)?annual(?:ly)?"
    r"|(?:per|each|every)\s(?:hour|day|night|week|month|quarter|year))(?![^\W_])",
    re.IGNORECASE,
)
#: A parameter with a number behind it.
_STATED = re.compile(
    r"(?<![^\W\d_])(epsilon|eps|ε|ϵ|delta|δ|rho|ρ|mu|μ|µ)\s*"
    r"(?:(?:=|:|≈|~|≤|<=|<|\bis\b(?:\s+really)?|\bof\b)\s*([0-9.][^\s;)\]]*)|([0-9]{0,3}[./e^][0-9^/e.-]+|[0-9]{1,3})(?![\w.]))",
    re.IGNORECASE,
)
#: A longer cell is a text.
_MOST_LETTERS = 200
_STATED_NAMES = {"eps": "epsilon", "ε": "epsilon", "ϵ": "epsilon", "δ": "delta", "ρ": "rho", "μ": "mu", "µ": "mu"}


def says_how_often(text: str, *, of: str = "") -> bool:
    """Return whether a cell says how often a release was made; ``of`` says that it is a date or a name."""
    text = " ".join(text.split())
    if len(text) > _MOST_LETTERS:
        return False
    if of == "name":
        return _NAME_OFTEN.fullmatch(text) is not None
    return _HOW_OFTEN.fullmatch(text) is not None or (of == "date" and _RANGE_OFTEN.fullmatch(text) is not None)


def rhythm(text: str) -> str:
    """Return the words of a text that say the rhythm of a release, such as daily or per month; "" without any."""
    found = _RHYTHM.search(" ".join(text.split()).casefold()) if len(text) <= _MOST_LETTERS else None
    return found[0] if found else ""


def stated(text: str) -> list[tuple[str, Fraction | None]]:
    """Return the parameters that a cell of words states, such as "ε = 5"; None where the number cannot be read."""
    found: list[tuple[str, Fraction | None]] = []
    for name, signed, bare in _STATED.findall(text):
        try:
            value: Fraction | None = rational(number_text((signed or bare).rstrip(".,"), "cell"), "cell")
        except InputError:
            value = None
        name = name.casefold()
        if bare.isdecimal() and name in ("delta", "rho", "mu"):
            continue  # as in "Delta 7", which is a place
        found.append((_STATED_NAMES.get(name, name), value))
    return found


def is_a_quantity(text: str) -> bool:
    """Return whether a cell is a number with signs between its thousands, or with what is counted: ``12×``."""
    text = _GROUPS.sub("", text.strip().replace("−", "-"))
    if _is_rational(text):
        return True
    text = re.sub(r"^[x×]\s*(?=[0-9])", "", text)
    found = _LEADING.fullmatch(text)
    return found is not None and (not found[2] or _COUNTED.fullmatch(found[2]) is not None)


def begins_with_a_number(text: str) -> bool:
    """Return whether a cell begins with a digit, or is nothing but a word for a number."""
    return text.lstrip("([~<≤ ")[:1].isnumeric() or _NUMBER_WORDS.fullmatch(text) is not None


def says_a_quantity(text: str) -> bool:
    """Return whether a cell has a digit, or a word for a number or for how often."""
    return any(letter.isnumeric() for letter in text) or _NUMBER_WORDS.search(text) is not None


def asks_for_a_number(heading: str) -> bool:
    """Return whether a heading has a parameter's name, or a word for how often."""
    return _PARAMETER_WORDS.search(heading) is not None


#: Words of a heading below which every word says how often, in whatever language: "a dozen", "XII", "regularly".
_TIMES_WORDS = re.compile(
    r"(?<![^\W\d_])(?:repetitions?|repeat(?:s|ed)?|times|queries|runs|rounds|releases|counts?|frequency|cadence|schedule|"
    r"often|steps|iterations|epochs|factor|multiplier)(?![^\W\d_])",
    re.IGNORECASE,
)


def asks_how_often(heading: str) -> bool:
    """Return whether a heading asks how often, or by what factor, so that no cell below it may be passed over."""
    return _TIMES_WORDS.search(heading) is not None


def _is_rational(text: str) -> bool:
    try:
        rational(text, "cell")
    except InputError:
        return False
    return True
