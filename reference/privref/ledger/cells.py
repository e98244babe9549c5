"""What people write into the cells of a sheet: headings with symbols, numbers with units and signs, totals.

A cell is read where it has one meaning. Where it may mean two things, the reader asks, with the cell's place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell, written
from privref.exact.rounding import Direction, plain_decimal

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
_N = r"([0-9]+(?:[.,][0-9]+)?(?:e[+-]?[0-9]+)?)"
#: A logarithm, a root or a power of e, with a factor before it and a divisor behind its parentheses.
_FORMULA = re.compile(
    rf"(?:{_N}\s*[·⋅∙×*]?\s*)?(ln|log|√|sqrt|exp(?=\s*\()|e\s*\^)\s*(?:\(\s*(-?[0-9.,/]+)\s*\)(?:\s*/\s*{_N})?|(-?[0-9.,]+))",
    re.IGNORECASE,
)
#: A power of a whole number, with what it is multiplied with or divides.
_POWER = re.compile(
    rf"(?:{_N}\s*([·⋅∙×x*/])\s*)?([2-9]|(?<=/)10|(?<=/ )10)\s*"
    r"(?:(?:\^|\*\*)\s*\(?([+-]?[0-9]{1,3})\)?|(⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))",
    re.IGNORECASE,
)
#: Signs that may as well separate thousands.
THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
POINTED_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_FRACTION_SIGN = re.compile(r"([0-9]*)\s*([¼½¾⅐-⅞])")
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
    ("total", "totals", "grand total", "subtotal", "sub-total", "sum", "overall", "cumulative", "all", "σ", "∑",
     "all together", "altogether",
     "gesamt", "insgesamt", "summe", "total epsilon", "total budget", "total privacy loss", "total privacy budget")
)  # fmt: skip
_LIKE_TOTALS = ("total", "sums", "sum of", "overall", "cumulative", "gesamt", "summe")


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
    of the parameter itself also ``ε = 2`` and ``2 nats``, and everywhere ``½``, ``√4`` and ``2^-40``. InputError for
    what bounds nothing from above, and for what is irrational.
    """
    text = _number_alone(text, place)
    if (value := _of_formula(text, place)) is not None:
        if isinstance(value, Fraction):
            return written(value), ""
        way: Direction = "down" if place.rpartition(".")[2] in _FALLING else "up"
        decimal = plain_decimal(value[way == "up"], 8, way)
        raise InputError(place, text, f"write a decimal, rounded {way}: {decimal}")
    if (percent := _PERCENT.fullmatch(text)) is not None:
        return percent[1], "%"
    parts = [text] if _EXPONENT.fullmatch(text) else _TIMES.split(text, maxsplit=1)
    if (power := _EXPONENT.fullmatch(parts[-1])) is not None:
        exponent = power[1] or power[2] or power[3].translate(_RAISED)
        return (parts[0] if len(parts) > 1 else "1"), f"e{exponent}"
    return text, ""


def _number_alone(text: str, place: str) -> str:
    """Return a cell without the parameter's name and the sign ≤; InputError for what bounds nothing from above."""
    text = text.strip().replace("−", "-").replace("\u00a0", " ").replace("⁄", "/")
    parameter = place.rpartition(".")[2]
    if (named := _NAMED.match(text)) and _STATED_NAMES.get(named[1].casefold(), named[1].casefold()) == parameter:
        text = text[named.end() :]
    if parameter == "epsilon":
        text = _NATS.sub("", text)
    if _NOT_AT_MOST.match(text):
        raise InputError(place, text, "this is not an upper bound; write the largest value that it may have")
    return _AT_MOST.sub("", text, count=1) if _AT_MOST.match(text) else text


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


def nearest_decimal(text: str, place: str) -> str:
    """Return the nearest decimal of 17 digits to what a formula such as ``ln 3`` says; "" for all other cells.

    InputError for a formula that has two meanings or no value.
    """
    value = _of_formula(_number_alone(text, place), place)
    if value is None or isinstance(value, Fraction):
        return ""
    # The decimal is within half a unit of its last digit of both ends of the enclosure, and so of the number.
    (low, high), nearest = value, Context(prec=17)
    ends = {nearest.divide(Decimal(end.numerator), Decimal(end.denominator)) for end in (low, high)}
    if len(ends) != 1:
        raise InputError(place, text, f"write a decimal, rounded up: {decimal_above(high)}")
    return str(ends.pop()).lower()


def _of_formula(text: str, place: str) -> Fraction | tuple[Fraction, Fraction] | None:
    """Return the number that a formula says: exact where it is rational, else an enclosure; None for other cells.

    InputError for a formula that has two meanings or no value.
    """
    if (mixed := _FRACTION_SIGN.fullmatch(text)) is not None:
        return int(mixed[1] or 0) + Fraction(unicodedata.normalize("NFKC", mixed[2]).replace("⁄", "/"))
    if (power := _POWER.fullmatch(text)) is not None:
        value = Fraction(int(power[3])) ** int((power[4] or power[5]).translate(_RAISED))
        factor = _of_part(power[1], place)
        return factor / value if power[2] == "/" else factor * value
    if (found := _FORMULA.fullmatch(text)) is None:
        return None
    numbers = (found[1], found[3] or found[5], found[4])
    factor, argument, divisor = (_of_part(each, place) for each in numbers)
    name = found[2].casefold().replace(" ", "")
    if name == "log":
        raise InputError(place, text, f"to which base? if it is the natural logarithm, write ln({numbers[1]})")
    if name == "e^" and argument.denominator == 1:
        ways = f"{found[1] or ''}exp({argument}); if a power of ten, write {found[1] or 1}e{argument}"
        raise InputError(place, text, f"is it the exponential? then write {ways}")
    name = {"ln": "log", "√": "sqrt", "e^": "exp"}.get(name, name)
    if not divisor or not {"log": argument > 0, "sqrt": argument >= 0, "exp": abs(argument) <= 1_000}[name]:
        raise InputError(place, text, "there is no such number, or it is too large; write a decimal, rounded up")
    if name == "sqrt" and (root := Fraction(*map(isqrt, argument.as_integer_ratio()))) ** 2 == argument:
        return factor * root / divisor
    if not factor or argument == (name == "log"):
        return factor * (name == "exp") / divisor
    return _enclosed(lambda ar: getattr(ar, name)(argument) * (factor / divisor))


def _of_part(text: str | None, place: str) -> Fraction:
    """Return a number of a formula, 1 where it has none; InputError for one whose comma may separate thousands."""
    if text and (THOUSANDS.fullmatch(text) or POINTED_THOUSANDS.fullmatch(text)):
        raise InputError(
            place, text, "does this sign separate thousands? write the number without it, or with more digits"
        )
    return rational((text or "1").replace(",", "."), place)


#: Parameters of noise of which less is lost the larger they are.
_FALLING = ("sigma", "sigma_squared", "noise_multiplier", "scale")


def _enclosed(number: Callable[[Any], Any]) -> tuple[Fraction, Fraction]:
    """Return rationals around this real number, of more digits than any decimal that is made of them."""
    from privref.exact import decide  # Engines, which a check of a certificate does not load.

    found = decide.enclose(number, decide.engine("arb"), Fraction(1, 10**40))
    return found.lower, found.upper


def _above(number: Callable[[Any], Any]) -> str:
    """Return a decimal of eight digits that is at least this real number."""
    return decimal_above(_enclosed(number)[1])


def decimal_above(value: Fraction) -> str:
    """Return a short decimal that is at least this number, and equal where it has at most eight digits."""
    return plain_decimal(value, 8, "up")


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
    (r".*(?:√|(?<![^\W\d_])(?:ln|log|lg|exp|sqrt)(?![^\W\d_])).*",
     "privref does not compute this; write a decimal, rounded up", None),
    (r"\S*[0-9]e[+-]?[0-9]+", "", None),  # A number of too many digits, as the reader of numbers says.
    (rf"{_N}\s*[ed]\s*[-–]\s*([0-9]+)", "is it {0}e-{1}? write it so, without blanks or signs between", None),
    (r"([0-9]{1,3}(?:['’_\u2009\u202f ][0-9]{3})+)", "write it without signs between the digits", None),
    (rf"{_N}e[+-]?", "digits are missing behind the e; write the whole number, such as {0}e-6", None),
    (rf"{_N}\s*(‰|ppm|ppb)", "write it without the unit, such as 1e-3 for 1 ‰ and 1e-6 for 1 ppm", None),
    (rf"{_N}\s*(?:k|m|mn|mio\.?|tsd\.?|thousand|million|kilo|milli|micro)",
     "write the whole number in digits, without a unit behind it", None),
    (rf"{_N}\s*/\s*n(?:\^?[2²])?", "write the number itself, with n = how many records there are", None),
    (rf"['\"’]+\s*{_N}\s*['\"’]*", "write {0}, without quotation marks", None),
    (rf"=\s*{_N}", "write {0}, without the sign =", None),
    (rf"\({_N}\)", "is it negative, as parentheses say in accounting? if not, write {0}", None),
    (rf"{_N}\s*\?+", "is the number certain? write the largest value that it may have", None),
    (r"[0-9]{1,4}([-./])[0-9]{1,2}\1[0-9]{1,4}.*",
     "did the spreadsheet program make a date of a number? write the number into a cell of text", None),
    (r"di(?:t)?to|dto\.?|\"|″|〃|idem|same", "write the number itself in every row", None),
    (r"epsilon|eps|ε|ϵ|delta|δ|rho|ρ|mu|μ|µ|sigma|σ|privacy (?:loss|budget)",
     "a heading stands here: if the line repeats the whole header, take it out; if rows hold parameters, make columns "
     "of them", None),
    (r"[-:|=_ ]{3,}|[(\[][^\W\d]+\.?[)\]]", "if this line holds no release, take it out", None),
    (rf"{_N}\s*bits?", "a number in nats is asked for (bits times ln 2); write a decimal, rounded up: {=}",
     lambda bits: _above(lambda ar: ar.log(Fraction(2)) * bits[0])),
    (r"([0-9]+)\s+([0-9]+)/0*([1-9][0-9]*)", "write it as one fraction: {=}", lambda n: spell(n[0] + n[1] / n[2])),
    (rf"{_N}\s*(\*+|[†‡§¹²³⁴⁵⁶⁷⁸⁹]|\[\w{{1,2}}\]|\(?\w\))",
     "what does the mark {1} say? if it does not change the number, write {0}", None),
    (rf"{_N}\s*[·⋅∙×x*]\s*{_N}",
     "is one of the two how often it ran? write that one into a column count, and the other here; else their product",
     None),
    (rf"\(?{_N}\s*(?:;|,\s)\s*{_N}\)?|\({_N},{_N}\)",
     "two numbers stand in one cell; give epsilon and delta a column each", None),
    (rf"{_N}\s*(/\s*[^\W\d]+|\(?(?:an?|per|each|every)\s.*|\(?\w*(?:ly|annual)\b.*)", "write {0}; " + HOW_OFTEN, None),
    (rf"{_N}\s*[(\[]\s*(?:[×x]\s*[0-9]+|[0-9]+\s*(?:[×x]|times))\s*[)\]]",
     "write {0}, and how often it ran into a column count", None),
    (rf"{_N}(?![0-9.,])\D.*[0-9].*",
     "it holds several numbers: write a row for each release, or the largest that may hold", None),
    (rf"{_N}\s*([^\W\d].*|[(\[].*)",
     "if the words do not change the number, write {0} alone, and the words into a column label", None),
)  # fmt: skip
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), remedy, made) for pattern, remedy, made in _INSTEAD]


def instead_of_a_number(text: str, parameter: str = "") -> str:
    """Return what to do about a cell that holds something else than a number; "" where that is not known.

    Of noise less is lost the larger it is, so that its smallest value is the safe one.
    """
    text = " ".join(text.replace("−", "-").split())
    for pattern, remedy, made in _PATTERNS:
        if len(text) <= _MOST_LETTERS and (found := pattern.fullmatch(text)) is not None:
            groups = [group or "" for group in found.groups()]
            try:
                numbers = [rational(group.replace(",", "."), "cell") for group in groups] if made else []
            except InputError:  # of too many digits
                return ""
            shown = remedy.replace("{=}", made(numbers)) if made else remedy
            if "largest" in shown and parameter in (*_FALLING, "records"):
                return "write the smallest value that it may have: of this one, less is lost the larger it is"
            return shown.replace("{0}", groups[0] if groups else "").replace("{1}", groups[-1] if groups else "")
    return ""


def is_total(label: str) -> bool:
    """Return whether a row of this name is a total, and not a release."""
    words = " ".join(label.casefold().strip(" :.*").split())
    return words in _TOTALS or words.startswith(("subtotal ", "sub-total ", "zwischensumme", "sous-total"))


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
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|hundred|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:thir|for|fif|six|seven|eigh|nine)ty|"
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
    r"(?:×|x|times|hours|days|nights|weeks|months|quarters|years|rounds|runs|queries|tables|files|tabellen|tableaux)(?:\s.*)?"
    r"|all(?:e)?\s[0-9]+\s\w+|each|doubled|(?:19|20)[0-9]{2}\s?[-–—]\s?(?:19|20)[0-9]{2}"
    r"|(?:tables|tabellen?|waves?|wellen|tableaux|tablas|reports|files|releases)\s[0-9]+\s?(?:-|–|—|to|bis|through|à|a)\s?[0-9]+(?:\s.*)?"
    r"|[0-9]+\s(?:tage|wochen|monate|quartale|jahre|jours|semaines|mois|trimestres|ans|d[ií]as|semanas|meses|años)"
    r"|(?:query|queries|q)\s?[0-9]+\s?(?:-|–|—|\.\.|to|bis)\s?q?[0-9]+|(?:a\s)?dozen|several|q[1-4]\s?[-–—]\s?q[1-4]|jan\w*\s?[-–—]\s?dec\w*)(?:\s(?:of|in|since|from|until)\s.*)?",
    re.IGNORECASE,
)
#: How often, anywhere in a text: a rhythm in four languages, a number of times, and words for again and again.
_SOME = (
    r"(?:[2-9]|[1-9][0-9]+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundreds?|thousands?"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:thir|for|fif|six|seven|eigh|nine)ty|dozens?|several|many|multiple|few"
    r"|(?:couple|number|series|sequence)\sof)"
)
#: Behind a word such as weekly: what a person has in each such period, or a survey that is called so.
_OF_A_QUANTITY = (
    r"\s(?:(?:household|personal|family|gross|net|disposable|median|mean|average|total)\s)?"
    r"(?:hours|incomes?|earnings|wages?|pay|salar(?:y|ies)|rents?)"
    r"(?![^\W_])"
)
_PERIOD = r"(?:hour|day|night|week|weekday|weekend|month|quarter|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_REPEATED = re.compile(
    rf"(?<![^\W_])(?:(?:(?:hour|dai|night|(?:bi-?)?week|fortnight|(?:bi-?)?month|quarter|year|(?:semi-?|bi-?)?annual)ly"
    rf"|(?:semi-?|bi-?)?annual)(?!{_OF_A_QUANTITY})|(?:per|each|every)\s(?:\w+[\s/-]){{0,3}}{_PERIOD}s?"
    r"|(?:epsilons?|eps|ε|loss|budget)\s(?:is\s)?(?:per|each|(?:for|of|in)\s(?:each|every))\s(?!(?:release|row|line|unit|"
    r"person|user|respondent|individual|household|record|member|patient|event|device)(?![^\W_]))\w+"
    rf"|(?:on|for|per|each|every)\s(?:each\s|every\s|any\s)?(?:request|update|refresh|call|publication)"
    rf"|{_SOME}(?:\s?[x×]|(?:\s|-)?(?:times|fold)|\s(?:(?:more|equal|separate|such|independent)\s)?"
    r"(?:runs|rounds|releases|queries|repetitions|repeats|iterations|updates|publications))"
    r"|(?:runs|rounds|releases|repetitions|repeats|iterations|times|n)\s*[:=]\s*(?:[2-9]|[1-9][0-9]+)"
    r"|[0-9]+\s?(?:mal|fois|veces|volte)|(?:deux|trois|quatre|cinq|six|dix|douze|vingt|cent)\sfois"
    r"|(?:dos|tres|cuatro|cinco|seis|diez|doce|veinte|cien)\sveces"
    rf"|{_SOME}\s(?:versions|waves|vintages|editions|versionen|wellen|ausgaben)"
    r"|(?:for|in)\s(?:each|every)\s(?:of\s(?:the\s)?[0-9]+|region|state|country|county|district|province|city|school|hospital)"
    r"|re-?runs?|re-?ran|(?:ran|run|released|published)\sagain"
    r"|laufend|fortlaufend|en\scontinu|usw\.?|fortsetzung|continued\son"
    r"|twice|thrice|repeated(?:ly)?|recurring|continu(?:ously|ally)|ongoing|regularly|periodically|(?:each|every)\stime"
    r"|real[\s-]time|streaming|on[\s-]demand|interactive(?:ly)?|weekdays|weekends"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|ditto|etc|and\sso\s(?:on|forth)|same\sagain"
    r"|(?:further|more|other)\s(?:rows|releases|queries|runs)"
    r"|(?:viertel|halb)?(?:stünd|täg|nächt|wöchent|monat|jähr)lich\w{0,2}|mehrmals|quartalsweise"
    r"|(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend)mal"
    r"|(?:pro|je|jede[nrs]?)\s(?:stunde|tag|nacht|woche|monat|quartal|jahr)|alle\s[0-9]+\s(?:tage|wochen|monate|jahre)"
    r"|(?:quotidien|mensuel|trimestriel|annuel)(?:le)?s?|hebdomadaires?|(?:par|chaque|tous\sles|toutes\sles)\s(?:jour|semaine|mois|trimestre|an)s?"
    r"|diari[oa]s?|(?:seman|mensu|trimestr|anu)al(?:es)?|(?:por|cada)\s(?:d[ií]a|semana|mes|año))(?![^\W_])",
    re.IGNORECASE,
)
_TIMES_IN_A_NAME = re.compile(
    r"[0-9]+\s*[×*]\s*[^\W\d].*|.*(?<!\w)(?:[0-9]+\s*[×x]|[x×]\s*[0-9]+)[)\]]?", re.IGNORECASE
)
#: A year, a month and a weekday: a cell with two of a sort holds several dates, as one with the ends of a range.
_OF_DATES = tuple(
    re.compile(rf"(?<![^\W_]){part}(?![^\W_])")
    for part in (
        r"[qh][1-4]|(?:19|20)[0-9]{2}(?:-[0-9]{2}){0,2}|[0-9]{1,2}[./][0-9]{1,2}(?:[./][0-9]{2,4}|[.])",
        r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|mär|mai|juni|juli|okt|dez)\w{0,6}",
        r"(?:mon|tue|wed|thu|fri|sat|sun)\w{0,6}",
    )
)
_RANGE_OF_DATES = re.compile(
    r"(?:to|bis|until|till|through|thru|since|from|ab|seit|depuis|desde)\b.*[0-9]|.*[0-9].*\s(?:to|bis|until|through|–|—)\s"
    r"|.*(?<![0-9])(?:19|20)[0-9]{2}\s?[-–—/]\s?(?:(?:19|20)[0-9]{2}|1[3-9]|[2-9][0-9])(?![0-9-])"
    r"|(?:kw|wk|weeks?)\s?[0-9]+\s?[-–—]\s?[0-9]",
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


@lru_cache(1 << 12)
def _words(text: str) -> str:
    """Return a text in small letters, with single blanks, and without characters that do not show."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return " ".join(text.casefold().split())


def says_how_often(text: str) -> bool:
    """Return whether a cell says how often a release was made, and nothing else."""
    words = _words(text).strip(_MARKS)
    return len(words) <= _MOST_LETTERS and _HOW_OFTEN.fullmatch(words) is not None


def repetitions(text: str, *, of_heading: bool = False) -> list[str]:
    """Return the words of a text that say how often a release was made, such as daily and 12 times.

    A heading such as Month asks for one, and does not say it.
    """
    words = _words(text)
    found = [said[0] for said in _REPEATED.finditer(words)]
    if found or of_heading or len(words) > _MOST_LETTERS:
        return found
    is_dots = words.strip("( )") in ("..", "...", "…", "⋮", "⋯") or re.fullmatch(r"\([0-9]+\)", words)
    return [words] if is_dots or _TIMES_IN_A_NAME.fullmatch(words) or says_how_often(words) else []


def several_dates(text: str) -> bool:
    """Return whether a cell holds more than one date, or the ends of a range of dates."""
    words = _words(text)[:_MOST_LETTERS]
    return _RANGE_OF_DATES.match(words) is not None or any(len(set(part.findall(words))) > 1 for part in _OF_DATES)


#: Marks around a word that add nothing to it.
_MARKS = " ()[]{}*.:;,!?-–—'\"/"
#: What a number is called that bounds nothing from above, as a whole cell or in brackets.
_NO_BOUND = frozenset(
    ("at least", "lower", "lower bound", "lower bounds", "≥", ">=", ">", "⩾", "~", "≈", "∼", "about", "approx",
     "approximate", "approximately", "circa", "ca", "greater", "more", "or more", "not less",
     "estimate", "estimated", "empirical", "measured", "minimum", "target", "nominal", "assumed",
     "mindestens", "untere schranke", "geschätzt", "au moins")
)  # fmt: skip
#: What an upper bound is called, in a column that says which bound a number is.
_BOUNDS = frozenset(
    ("upper", "upper bound", "at most", "maximum", "max", "≤", "<=", "<", "⩽", "=", "exact", "exactly", "equal",
     "proved", "proven", "theoretical", "analytic", "analytical", "worst case", "höchstens", "obere schranke")
)  # fmt: skip
_OF_BOUNDS = re.compile(
    r"(?<![^\W_])(?:bounds?|operator|op|compari\w+|relation|qualifier|direction|estimat\w+|inequality)(?![^\W_])"
)
_BOUND_IN_WORDS = re.compile(
    r"(?<![^\W_])(?:lower[\s-]bounds?|membership[\s-]inference|with\shigh\sprobability|asymptotic(?:ally)?"
    r"|heuristic(?:ally)?|conjectured?|unproven|not\sprove[nd]"
    r"|(?:average|mean|median|typical|expected|estimated|empirical|measured|observed|minimum|minimal|approximate)\s"
    r"(?:(?:over|across|of)\s(?:all\s)?(?:users|persons|people|units|records)"
    r"|epsilons?|eps|ε|ϵ|rho|ρ|mu|μ|privacy[\s-](?:loss(?:es)?|budgets?|parameters?)))(?![^\W_])"
)
_NO_NOISE = frozenset(
    ("no noise", "without noise", "unprotected", "not protected", "unperturbed", "not noised",
     "ohne rauschen", "ohne schutz", "sans bruit", "no protection", "no dp", "not dp", "suppression", "suppressed",
     "cell suppression", "swapping", "swapped", "data swapping", "record swapping", "cell key method", "rounding only")
)  # fmt: skip
_NOT_RUN = frozenset(
    ("planned", "proposed", "scheduled", "pending", "draft", "cancelled", "canceled", "rejected", "refused", "denied",
     "skipped", "aborted", "postponed", "withdrawn", "not released", "not run", "not published", "never run", "void",
     "deleted")
)  # fmt: skip
_YES = frozenset(("yes", "y", "true", "x", "1", "ja"))
_SCALES = re.compile(
    r"(?:in |× ?|x ?)?(?:percent|per cent|percentages?|%|‰|per mille?|(?:ten|hundred|thousand|million|billion)ths)"
)
_ROUNDED = re.compile(r"(?<![^\W_])(?:rounded|truncated|rounding|gerundet|arrondie?s?)(?![^\W_])")
_ROUNDED_NUMBERS = re.compile(
    r"(?:numbers|values|figures|losses|epsilons?|ε)\s(?:(?:is|are|were)\s)?(?:rounded|truncated)(?![^\W_])"
)
_IS_ROUNDED = (
    "were numbers rounded? write yes, no or which into a column rounded in every row, and take these words out"
)
#: Headings of what differs between neighbouring data sets, and words for it: losses of two units do not add up.
_OF_UNITS = frozenset(("unit", "level", "granularity", "protection", "protects", "protected", "scope", "subject"))
_UNITS_OF_PRIVACY = re.compile(
    r"(?:per\s)?(?:event|user|person|individual|household|family|device|record|row|item|respondent|patient|contribution"
    r"|trip|visit|transaction|session|example)s?(?:[\s-]level)?"
)
_IS_A_BOUND = (
    "is the number of this row at least what it loses? a lower bound, an estimate or an average proves nothing: write "
    "the largest value that it may have, and take these words out; if they speak of something else, reword them"
)


def _without_than(words: str) -> str:
    """Return a comparison without its last word, as greater and not less."""
    return re.sub(r"^no (?=less)", "not ", words).removesuffix(" than")


def instead_of_a_bound(cell: str, heading: str | None) -> str:
    """Return the question about words that may say that a number bounds nothing from above, or that a row did not run.

    ``heading`` is that of their column; None for a title and for a name, which may hold most of these words.
    """
    words = _words(cell)
    bracket = _PARENTHESES.fullmatch(words[-_MOST_LETTERS:])
    if _BOUND_IN_WORDS.search(words) or (bracket is not None and bracket[2].strip(_MARKS) in _NO_BOUND):
        return _IS_A_BOUND
    if _ROUNDED_NUMBERS.search(words) or (heading is not None and _ROUNDED.search(words)):
        return _IS_ROUNDED
    if heading is None:
        return ""
    said = words if words in _NO_BOUND else words.strip(_MARKS)
    if _without_than(said) in _NO_BOUND or (said and said not in _BOUNDS and _OF_BOUNDS.search(_words(heading))):
        return _IS_A_BOUND
    if said in _NO_NOISE or (
        said in ("none", "no", "ohne", "keine", "exact", "raw") and _words(heading) in ("mechanism", "noise")
    ):
        return (
            "was this published without noise? such a release has no epsilon, not even 0: say so in a JSON ledger, as "
            "a guarantee of the kind unknown; if noise was added, name it"
        )
    if said in _NOT_RUN or (said in _YES and _words(heading) in _NOT_RUN):
        return "did this row run? if not, take it out; if it ran, reword this cell"
    if said and _words(heading) in _OF_UNITS and _UNITS_OF_PRIVACY.fullmatch(said):
        return "whose data is protected? call the column privacy unit; all rows of a ledger have the same"
    if _SCALES.fullmatch(said):
        return "numbers are read as they stand, whatever this cell says: write them so, and take the word out"
    return ""


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


#: A range that is not a year with its month.
_RANGE_OF_NUMBERS = re.compile(rf"(?![12][0-9]{{3}}-[01][0-9]$){_N}{_TO}{_N}", re.IGNORECASE)


def is_a_quantity(text: str) -> bool:
    """Return whether a cell is a number with signs between its thousands, or with what is counted: ``12×``."""
    text = _GROUPS.sub("", text.strip().replace("−", "-"))
    if _is_rational(text) or _RANGE_OF_NUMBERS.fullmatch(text):
        return True
    text = re.sub(r"^[x×]\s*(?=[0-9])", "", text)
    found = _LEADING.fullmatch(text)
    return found is not None and (not found[2] or _COUNTED.fullmatch(found[2]) is not None)


def begins_with_a_number(text: str) -> bool:
    """Return whether a cell begins with a digit, or is nothing but a word for a number."""
    return text.lstrip("([~<≤ ")[:1].isnumeric() or is_a_number_word(text)


def is_a_number_word(text: str) -> bool:
    """Return whether a cell is nothing but a word for a number, or for how often."""
    return _NUMBER_WORDS.fullmatch(_words(text).strip(_MARKS).removeprefix("a ")) is not None


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
