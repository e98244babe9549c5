"""Spreadsheets as ledgers: columns in any order and case, semicolons and decimal commas, XLSX.

What a sheet says is read exactly or refused with the cell's place; all refusals of a sheet come at once. A column that
is not known is kept with the label where it holds words; where it holds numbers, or words that say what a row
guarantees or what was declared, it is refused: what is not heeded must change no verdict.
"""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from privref.exact.errors import InputError, InputErrors
from privref.exact.extras import install
from privref.exact.numbers import count as read_count
from privref.exact.numbers import rational

from . import documents, names, sheet_events
from .cells import (
    HOW_OFTEN,
    NOTHING,
    POINTED_THOUSANDS,
    THOUSANDS,
    asks_for_a_number,
    asks_how_often,
    begins_with_a_number,
    column_meaning,
    decimal_above,
    instead_of_a_bound,
    instead_of_a_number,
    is_a_number_word,
    is_a_quantity,
    is_total,
    may_be_total,
    nearest_decimal,
    repetitions,
    says_a_quantity,
    says_how_often,
    several_dates,
    stated,
    with_unit,
    without_rounded,
    written_number,
)
from .model import Neighbours
from .sheet_events import Number, overlapping
from .xlsx import xlsx_text

#: What a column of this name means, in a sheet and in a batch.
MEANING = sheet_events.IN_BATCHES
#: The same with what a sheet alone may say of a row.
_MEANING = MEANING | sheet_events.MEANING
_NUMBERS = ("epsilon", "delta", "rho", "mu", "count")
_SIZES = ("epsilon", "rho", "mu")
#: One of these in a line makes it the header.
_TELLING = (*_SIZES, "sigma", "sigma_squared", "noise_multiplier", "scale", "probability")
_WORDS = ("label", "date", "source")
_DELIMITERS = (",", ";", "\t", "|")
_KNOWN = (
    "epsilon[, delta], rho[, delta] or mu, or mechanism with its parameters (sigma, scale, sensitivity, rate), "
    "and, if you like, kind, count, label, date, source, part, period, rounded"
)
#: What columns can say of each kind of guarantee, and which of it may be left out.
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pure-dp": (("epsilon",), ()),
    "approx-dp": (("epsilon", "delta"), ()),
    "pdp": (("epsilon", "delta"), ()),
    "zcdp": (("rho",), ("delta",)),
    "gaussian-dp": (("mu",), ()),
    "bounded-range": (("epsilon",), ()),
}
#: Kinds whose parameters are no columns.
NOT_IN_COLUMNS = ("rdp", "output-dp")
#: Other spellings of kinds; they are no kinds of a ledger, and a column that has them says something of the guarantee.
_LIKE_KINDS = {
    "epsilon-dp": "pure-dp", "ε-dp": "pure-dp", "puredp": "pure-dp", "pure": "pure-dp",
    "approximate-dp": "approx-dp", "approxdp": "approx-dp", "(ε,δ)-dp": "approx-dp", "(epsilon,delta)-dp": "approx-dp",
    "probabilistic-dp": "pdp", "cdp": "zcdp", "concentrated-dp": "zcdp", "approximate-zcdp": "zcdp", "rho-zcdp": "zcdp",
    "gdp": "gaussian-dp", "mu-gdp": "gaussian-dp", "renyi": "rdp", "renyi-dp": "rdp", "rényi-dp": "rdp",
    "outputdp": "output-dp",
}  # fmt: skip
#: What a JSON ledger declares and a sheet does not, with the option that says it of the whole sheet.
_DECLARED = {
    "neighbours": "--neighbours", "neighbors": "--neighbours", "parameters": "--parameters",
    "interaction": "--interaction", "queries": "", "budget": "", "filter": "", "selected": "", "observed_cell": "",
    "attained_together": "", "orders": "", "adaptive": "--parameters", "adaptivity": "--parameters",
    "adjacency": "--neighbours", "neighbour": "--neighbours", "neighbor": "--neighbours",
    "alpha": "", "α": "", "order": "", "renyi_order": "", "rényi_order": "",
}  # fmt: skip
#: Headings that may be a row's own numbers too, or another notion of its loss.
_OF_THE_ROW = {
    "queries": "if it says how often the row ran, call the column count; if it names what was asked, call it label",
    "budget": "if it is the epsilon that the row loses, call the column epsilon; the budget of all rows that "
    "a filter enforced is declared in a JSON ledger, which `privref init` writes",
} | dict.fromkeys(
    ("alpha", "α", "order", "renyi_order", "rényi_order"),
    "is epsilon the Renyi epsilon of this order? then write a JSON ledger with guarantees of the kind rdp; if the "
    "column only numbers the rows, call it ID",
)  # fmt: skip
#: Words in a cell that say another notion than (epsilon, delta)-DP, that the noise is Gaussian, and another logarithm.
_NOTIONS = re.compile(
    r"(?<![^\W\d_])(?:(zcdp|cdp|concentrated)|r[eé]nyi|rdp|(?:metric|label|attribute|distributional)[\s-](?:dp|"
    r"differential\s+privacy)|[kl]-(?:anonymity|diversity))(?![^\W\d_])",
    re.IGNORECASE,
)
_GAUSSIAN = re.compile(r"(?<![^\W\d_])(?:gaussian|gauss|gaussians|normal|(?:dp)?sgd)(?![^\W\d_])", re.IGNORECASE)
_OTHER_UNITS = re.compile(
    r"(?<![^\W\d_])(?:bits?|log[\s_]*(?:2|10|₂|₁₀)|base[\s-]*(?:2|10|two|ten)|shannons?|dits?|decibels?)(?!\w)",
    re.IGNORECASE,
)
#: Words in a title that say that numbers are not what they seem.
_SCALED = re.compile(
    r"(?<![^\W\d_])(?:in|as)\s+(?:1/10+|prozent|promille|percent|per\s*cent|percentages?|%|tenths|hundredths|thousandths|thousands|millions|millionths)"
    r"(?![^\W\d_])|[(\[]%[)\]]",
    re.IGNORECASE,
)
#: Headings that say how far numbers were rounded.
_OF_ROUNDING = ("rounding", "rounding_rule", "precision", "digits", "decimals", "significant_digits", "rundung")
#: A decimal comma, and signs that may as well separate thousands: a comma, and where commas are decimal, a point.
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[0-9]+")
#: So many refusals are shown at once.
MOST_REFUSALS = 20
_MORE_LINES = InputError("ledger", "(more)", "more lines have faults; mend these first, and read the sheet again")
#: Cells of a Parquet file.
MOST_CELLS = 40_000_000


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: its event as in ``ledger.1``, how often it ran, its label and what else is kept, period and unit."""

    line: int
    event: dict[str, Any]
    count: int
    label: str
    period: str = ""
    privacy_unit: str = ""
    name: str = ""
    """What it is called: its label, or the first cell of words where there is no label."""
    unread: tuple[str, ...] = ()
    """Headings of the columns whose words are kept with the label, and not used."""


@dataclass(frozen=True, slots=True)
class SheetColumns:
    """The columns of a sheet: headings, what each means ("" where it is not known), and what a heading adds."""

    header: Sequence[str]
    meanings: Sequence[str]
    partition: str
    """Of a column such as "part of county"."""
    rounded: Sequence[str]
    """What a heading calls rounded, as "epsilon (rounded)"."""
    unused: frozenset[int] = frozenset()
    """Columns that are not known and number or date the rows, or say how large something is."""

    @property
    def unknown(self) -> list[int]:
        return [i for i, meaning in enumerate(self.meanings) if not meaning]

    def name(self, i: int) -> str:
        return self.header[i].strip() or str(i + 1)


def delimiter(header: str) -> str:
    """What separates the columns: what occurs most often in the header, outside quotes."""
    bare = re.sub(r'"[^"]*"', "", header)
    return max(_DELIMITERS, key=bare.count)


#: How far down the header is looked for, below titles.
_MOST_TITLES = 30


def head_of(text: str) -> tuple[int, str]:
    """Return how many lines stand above the header, and what separates its columns.

    The header is the first line that names a parameter. Where no line does, it is the first that is not empty.
    """
    lines = text.split("\n", _MOST_TITLES)[:_MOST_TITLES]
    for i, line in enumerate(lines):
        for between in sorted(_DELIMITERS, key=line.count, reverse=True):
            if set(_TELLING) & {column_meaning(without_rounded(name)[0], _MEANING) for name in _split(line, between)}:
                return i, between
    first = next((i for i, line in enumerate(lines) if line.strip(" ,;\t\r")), 0)
    return first, delimiter(lines[first])


def _split(line: str, between: str) -> list[str]:
    try:
        return next(csv.reader([line.rstrip("\r")], delimiter=between), [])
    except csv.Error:
        return []


def _titles(lines: Sequence[str]) -> list[InputError]:
    """Return refusals of the lines above the header that hold a number, however it is written: they may be events."""
    errors = []
    for i, line in enumerate(lines, 1):
        # Whatever separates its cells: it need not be what separates the header's.
        parts = [cell.strip() for between in _DELIMITERS for cell in _split(line, between)]
        # A title may speak of numbers; a cell beside another one that is a quantity is one of a table.
        cells = [cell for cell in parts if cell and cell != line.strip()]
        if any(map(_holds_number, parts)) or any(map(begins_with_a_number, cells)):
            remedy = "this line stands above the header and holds a number; move it below, or take it out"
            errors.append(InputError(f"ledger line {i}", line.strip(), remedy))
    return errors


def _holds_number(cell: str) -> bool:
    """Return whether a cell is a number as people write it, or says something of one."""
    try:
        text, unit = written_number(cell, "cell")
    except InputError:
        return True
    return bool(unit) or _is_number(text)


def columns_of(header: Sequence[str]) -> tuple[SheetColumns, list[InputError]]:
    """What each column means, and what is wrong with the header."""
    plain = [without_rounded(name) for name in header]
    partitions = [sheet_events.partition_of(name) for name in header]
    meanings = [
        "part" if of else column_meaning(name, _MEANING) for (name, _), of in zip(plain, partitions, strict=True)
    ]
    if "records" in meanings and not {"batch_cap", "batch_size"} & set(meanings):
        # Alone it says how large the data are.
        meanings[meanings.index("records")] = ""
    errors = []
    for i, meaning in enumerate(meanings):
        if meaning and meaning in meanings[:i]:
            if meaning in _WORDS:
                meanings[i] = ""
            else:
                remedy = (
                    f"two columns mean {meaning}: if each is of releases of its own, write all of them below each "
                    "other; if both are of the same release, keep the column of the larger numbers"
                )
                if meaning == "count":
                    remedy = (
                        "two columns mean count: are these several runs of several steps? write their product into one"
                    )
                if meaning == "mechanism":
                    remedy = "two columns mean mechanism; keep one, and call a column of numbers after the parameter, "
                    remedy += "such as sigma or scale"
                errors.append(InputError(f"ledger header, column {i + 1}", header[i], remedy))
    for i, name in enumerate(header):
        word = name.strip().casefold().replace(" ", "_").replace("-", "_")
        if (not meanings[i] or name.strip() == "Δ") and (remedy := _not_as_it_looks(name)):
            errors.append(InputError(f"ledger header, column {i + 1}", name, remedy))
        elif not meanings[i] and word in _OF_ROUNDING:
            remedy = (
                "were numbers rounded? write yes, no or which into a column rounded in every row, and take this one out"
            )
            errors.append(InputError(f"ledger header, column {i + 1}", name, remedy))
        elif not meanings[i] and word in _DECLARED:
            option = f"declare it of the whole sheet by {_DECLARED[word]}, or" if _DECLARED[word] else "say it"
            remedy = f"a sheet does not say this of a row; {option} in a JSON ledger, which `privref init` writes"
            remedy = _OF_THE_ROW.get(word, remedy)
            errors.append(InputError(f"ledger header, column {i + 1}", name, remedy))
        elif not meanings[i] and name.strip() and set(_TELLING) & set(meanings) and _holds_number(name):
            remedy = (
                "a number stands in the line of the headings: does it say something of the rows? write it into them"
            )
            errors.append(InputError(f"ledger header, column {i + 1}", name, remedy))
        if plain[i][1] and meanings[i] in (*sheet_events.OF_RUNS, "records", "count", "batch_cap"):
            remedy = "this is read as exact; write the number that ran, below a heading without (rounded)"
            errors.append(InputError(f"ledger header, column {i + 1}", name, remedy))
    if (of := next(filter(None, partitions), "")) and "partition" in meanings:
        i = meanings.index("partition")
        remedy = (
            f"the column 'part of {of}' says of what the parts are, and this column says it again; keep one of the two"
        )
        errors.append(InputError(f"ledger header, column {i + 1}", header[i], remedy))
    if not errors and not set(_TELLING) & set(meanings):
        errors.append(InputError("ledger header", ",".join(header), _no_size(header, meanings)))
    rounded = [meaning for meaning, (_, marked) in zip(meanings, plain, strict=True) if marked]
    return SheetColumns(header, meanings, of, rounded), errors


def _no_size(header: Sequence[str], meanings: Sequence[str]) -> str:
    """Return what to do about a header below which no column says what a row loses."""
    if len(header) == 1 and len({MEANING[word] for word in header[0].casefold().split() if word in MEANING}) > 1:
        return "no comma, semicolon or tab stands between the headings; write one between all cells"
    if sum(map(bool, map(_YEAR.fullmatch, map(str.strip, header)))) > 1:
        return "are the columns years? write one row for each release and year, with its number in a column epsilon"
    if any(_holds_number(cell) for cell in header):
        return "this line holds a number: is the header missing? write a line such as release,epsilon,delta above it"
    unknown = [name.strip() for name, meaning in zip(header, meanings, strict=True) if not meaning]
    if {"batch_size", "epochs", "rate"} & set(meanings):
        return (
            "no column says what a row loses; of a training run the loss follows from the noise: give a column noise "
            "multiplier, and a column sampling (poisson, fixed-size, shuffled or unknown); the rate is batch size over "
            "records"
        )
    if (several := [name for name in unknown if _meant(name).startswith("if each row's")])[1:]:
        return (
            f"no column says what a row loses: {', '.join(several)} may each do so; if each is a release of its own, "
            "write a row for each, with one column epsilon; if not, call the column of the largest numbers epsilon"
        )
    asked = "; ".join(f"{name}: {question}" for name in unknown if (question := _meant(name)))
    if not asked and "mechanism" in meanings:
        asked = (
            "a mechanism's name alone says no loss: call the column of its noise sigma (gaussian) or scale (laplace), "
            "or probability of the true answer (randomized-response)"
        )
    return f"no column says what a row loses; {asked or f'give the columns {_KNOWN}'}"


#: Words beside a parameter's name in a heading, and what they make of the numbers below it.
_OF_A_HEADING = (
    (
        re.compile(r"\b(?:share|fraction|proportion)\b"),
        "a share is not the {0} that the row loses; take the column out",
    ),
    (
        re.compile(r"\b(?:average|mean|median|empirical|measured|estimated|approximate)\b"),
        "is each number at least what the row loses? if so, call the column {0}; an average or an estimate is not",
    ),
    (
        re.compile(r"\bmin(?:imum)?\b|\blower\b|\bleast\b|\bplanned\b|\bexpected\b"),
        "such a number bounds nothing from above: take the column out, and call the one of the largest numbers {0}",
    ),
    (
        re.compile(r"10\s*\^?\s*[-−⁻]|\be[-−][0-9]|\blog"),
        "is each number to be converted? write the {0} itself in full, such as 1e-6, and call the column {0}",
    ),
    (re.compile(r"%|per\s?cent"), "is each number in percent? write the sign % behind it, and call the column {0}"),
    (
        re.compile(
            r"\b(?:per|each|every)\s(?:quer(?:y|ies)|releases?|runs?|rounds?|steps?|iterations?|tables?|answers?)\b"
        ),
        "call the column {0}, and write how often the row ran into a column count",
    ),
    (
        re.compile(r"\b(?:per|an?|each|every|daily|weekly|monthly|quarterly|yearly|annual)\b"),
        "call the column {0}; if the claim is about one such period, write the period into a column period, and if "
        "not, how often it was spent into a column count",
    ),
    (
        re.compile(
            r"\b(?:total|cumulative|cumulated|running|sum|remaining|left|so far|overall|limit|cum|"
            r"kumuliert|gesamt|verbleibend\w*|rest|restant|cumulé|acumulado|together)\b"
        ),
        "privref adds up itself: call the column of what each row alone loses {0}, and take a column of totals out",
    ),
    (re.compile(""), "if each row's number is the {0} that it loses, call the column {0}"),
)
_LIKE_SIZES = {
    "épsilon": "epsilon",
    "loss": "epsilon",
    "budget": "epsilon",
    "ϵ": "epsilon",
    "perte": "epsilon",
    "verlust": "epsilon",
}


#: Headings of training runs, and the column to write in their place.
_OF_A_RUN = (
    (
        re.compile(r"\bepochs?\b"),
        "if it says how many epochs were run, call the column epochs; batch size and records then give the steps",
    ),
    (
        re.compile(r"\bbatch(?:es)?\b"),
        "if it is the number of records in a batch, call the column batch size, and give a column records",
    ),
)
#: Headings of what numbers or dates the rows, or says how large the data are, or what is released.
_OF_ROWS = re.compile(
    r"(?:(?:row|line|release|query|item|entry|serial|running|lfd\.?)\s?)?(?:(ids?)|nrs?|nos?|nums?|numbers?|#|№|n°|index|idx)\.?"
    r"(?:\s(?:nos?|nrs?|numbers?)\.?)?|lfd\.?\s?nr\.?",
)
_MAY_COUNT = re.compile(r"(?:numbers?|nums?|nos?|nrs?|#)\.?")
_OF_YEARS = re.compile(
    r"(?:(?:calendar|fiscal|survey|reference|release|publication)\s)?year|(?:\w+s)?jahr|ann[ée]e|año"
)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_OF_TIME = re.compile(r"\b(?:years?|months?|weeks?|days?|hours?|quarters?|jahre?|monate?)\b")
_OF_SIZES = re.compile(
    r"(?:(?:number|no\.?|nr\.?)\sof\s|#\s?)?(?:cells|bins|buckets|categories|records|observations|respondents|participants"
    r"|persons|people|individuals|households|users|patients)|(?:data\s?set|population|training\sset)\ssize"
)


def is_unused(heading: str, cells: Sequence[str], *, is_first: bool = False) -> bool:
    """Return whether a column that is not known numbers the rows, holds years, or says how large something is.

    Numbers of rows are whole and all different (an id), or 1, 2, 3, … in the order of the rows: any others may be
    counts, and so may those of few rows below "number" or "#" in a later column. Nothing that a row loses
    follows from such a column.
    """
    name = " ".join(heading.casefold().replace("_", " ").split())
    numbers = [cell.strip() for cell in cells if cell.strip()]
    if _OF_YEARS.fullmatch(name):
        return all(map(_YEAR.fullmatch, numbers))
    if _OF_SIZES.fullmatch(name):
        return all(re.fullmatch(r"[0-9]+|[0-9]{1,3}(?:[, '.][0-9]{3})+", number) for number in numbers)
    found = _OF_ROWS.fullmatch(name)
    if found is None or not all(map(_WHOLE.fullmatch, numbers)):
        return False
    if _MAY_COUNT.fullmatch(name) and cells and len(numbers) < 4 and not is_first:
        return False
    if found[1]:
        return len(set(numbers)) == len(numbers)
    return any(all(int(number) == i for i, number in enumerate(numbers, first)) for first in (0, 1))


def _meant(heading: str) -> str:
    """Return the question about a heading that may mean epsilon, delta, rho, mu, a rate or steps; "" for others."""
    of_a_run = next((remedy for word, remedy in _OF_A_RUN if word.search(heading.casefold().replace("_", " "))), "")
    if of_a_run:
        return of_a_run
    heading = heading.replace("_", " ")
    words = [word for word in re.split(r"[^^\w%²]+", heading.casefold()) if word]
    sizes = [name for word in words if (name := MEANING.get(word, _LIKE_SIZES.get(word, ""))) in (*_SIZES, "delta")]
    near = difflib.get_close_matches(heading.casefold(), ("epsilon", "delta"), n=1, cutoff=0.8)
    if "delta" in sizes and len(set(sizes)) > 1:
        return "write epsilon and delta into a column each, with the numbers alone"
    if not sizes and not near:
        return ""
    size = sizes[-1] if sizes else near[0]
    return next(ask for word, ask in _OF_A_HEADING if word.search(heading.casefold())).format(size)


def _not_as_it_looks(name: str) -> str:
    """Return why a column's name cannot be taken as it looks; nothing where it can."""
    if (hidden := names.unseen(names.trimmed(name))) is not None:
        return f"character {hidden[0]} is {names.described(hidden[1])}, which does not show; take it out"
    if name.strip() in ("Δ", "∆"):
        return "is this the sensitivity, or delta? call the column so"
    word = name.strip().replace(" ", "_").replace("-", "_")
    if (unit := _OTHER_UNITS.search(name)) is not None and re.search(r"eps|ε|loss", name, re.IGNORECASE):
        return f"epsilon is read in nats, and this heading says {unit[0]}; write it in nats (bits times ln 2)"
    if word.isascii():
        return ""
    near = next((known for known in (*_MEANING, *_DECLARED) if names.are_alike(known, word)), None)
    return f"it looks like {near} ({names.how_they_differ(near, word)}); write {near}, or another name" if near else ""


def cell_number(text: str, place: str, *, commas: bool) -> str:
    """A number's text with a decimal point; a comma or point that may separate thousands is refused.

    ``commas`` says that the sheet has decimal commas, or may have: then a point may separate thousands.
    """
    text, unit = written_number(text, place)
    for sign, pattern, doubtful in ((",", THOUSANDS, True), (".", POINTED_THOUSANDS, commas)):
        if doubtful and pattern.fullmatch(text):
            whole = text.replace(sign, "")
            # With a zero more, the digits after the sign are no group of three.
            either = f"{text.replace(sign, '.')}0 or {whole}" if text.count(sign) == 1 else whole
            name = "comma" if sign == "," else "point"
            raise InputError(place, text, f"a {name} may be decimal or separate thousands; write {either}")
    return with_unit(text.replace(",", ".") if _COMMA.fullmatch(text) else text, unit, place)


def cell_count(text: str, place: str) -> int:
    """How often an event ran: digits and nothing else, since ``1.000`` may be meant as a thousand."""
    text = text.strip()
    if not _WHOLE.fullmatch(text):
        raise InputError(place, text or "(empty)", "give a whole number of at least 1 in digits, without other signs")
    return read_count(text, place, least=1)


def _is_number(text: str) -> bool:
    try:
        rational(text.strip().replace(",", ".").rstrip(" %"), "cell")
    except InputError:
        return False
    return True


def rows(text: str, neighbours: Neighbours | None = None) -> Iterator[SheetRow]:
    """The rows of a sheet as text; where it is not known who the neighbours are, as what holds of all of them.

    InputErrors names every cell that is wrong, at once."""
    above, between = head_of(text)
    *titles, rest = text.split("\n", above)
    reader = csv.reader(StringIO(rest), strict=True, delimiter=between)
    try:
        header = next(reader, [])
    except csv.Error as error:
        raise InputError("ledger header", "(value)", f"this is not CSV: {error}") from None
    if not header:
        raise InputError("ledger", "(empty)", f"this sheet has no row; begin with a header: {_KNOWN}")
    # Alt+Enter breaks the line of a heading.
    header = [" ".join(name.split()) if not re.search(r"[0-9,;|]", name) else name for name in header]
    columns, errors = columns_of(header)
    if (
        len(columns.unknown) == len(header) - 1 > 1
        and set(_TELLING) & set(columns.meanings)
        and all(_holds_number(header[i]) for i in columns.unknown)
    ):
        remedy = "does the table lie on its side? write one row for each release, below a header with the names"
        errors = [InputError("ledger header", ",".join(header), remedy)]
    if errors and documents.is_yaml(text):
        raise InputError("ledger", header[0], documents.YAML)
    errors += _titles(titles)
    found: list[SheetRow] = []
    asked: set[int] = set()
    if not errors:
        commas = between == ";" or has_decimal_commas(rest, between, columns.meanings)
        columns = replace(columns, unused=_unused(rest, between, columns))
        try:
            for cells in reader:
                if not any(cell.strip() for cell in cells):
                    continue
                errors += _swallowed(cells, between, f"ledger line {above + reader.line_num}")
                try:
                    found.append(_row(cells, columns, above + reader.line_num, neighbours, asked, commas=commas))
                except InputError as error:
                    errors += error.errors if isinstance(error, InputErrors) else [error]
                if len(errors) > MOST_REFUSALS:
                    errors[MOST_REFUSALS - 1 :] = [_MORE_LINES]
                    break
        except csv.Error as error:
            remedy = f"this is not CSV ({error}): look above for a quotation mark that opens and does not close"
            errors.append(InputError(f"ledger line {above + reader.line_num}", "(value)", remedy))
    errors += _totals(found) + _different(found, "period") + _different(found, "privacy_unit") + _parts(found)
    if found and not errors:
        errors += _said_above(titles, found)
    if not errors and not found:
        errors.append(InputError("ledger", "(empty)", "give at least one event"))
    if errors:
        raise InputErrors.of(errors[:MOST_REFUSALS])
    return iter(found)


def _unused(text: str, between: str, columns: SheetColumns) -> frozenset[int]:
    """Return the columns that ``is_unused`` names, of those whose headings may be such."""
    named = [i for i in columns.unknown if is_unused(columns.header[i], ())]
    try:
        below = list(csv.reader(StringIO(text), strict=True, delimiter=between))[1:] if named else []
    except csv.Error:  # the reading proper says where
        return frozenset()
    of = {i: [cells[i] for cells in below if i < len(cells)] for i in named}
    return frozenset(i for i in named if is_unused(columns.header[i], of[i], is_first=i == 0))


def _swallowed(cells: Sequence[str], between: str, place: str) -> list[InputError]:
    """Return a question about a cell of several lines, one of which looks like a row below an open quotation mark."""
    for cell in cells:
        lines = cell.splitlines()
        for line in lines if len(lines) > 1 else ():
            parts = [part.strip() for part in _split(line, between)]
            if len(parts) > 1 and any(part and _holds_number(part) for part in parts):
                remedy = (
                    "this line stands within a cell of several lines: is a quotation mark open above it? Close it, so "
                    "that the row is read; if it is a text, write the cell on one line"
                )
                return [InputError(place, line, remedy)]
    return []


def _totals(found: Sequence[SheetRow]) -> list[InputError]:
    """Return a question about each row that is called a total, or that may be one and is the sum of those above."""
    errors = []
    spent: dict[str, Fraction] = {}
    named = any(row.name for row in found)
    for i, row in enumerate(found):
        size, value = _size(row.event)
        may_be = may_be_total(row.name) or (i > 1 and named and not row.name)
        if is_total(row.name) or (size and i and may_be and value == spent.get(size)):
            errors.append(InputError(f"ledger line {row.line}", row.name or decimal_above(value), _TOTAL))
        spent[size] = spent.get(size, Fraction(0)) + row.count * value
    return errors


_TOTAL = "this row looks like the total of the others; take it out, or, if it is a release, give it a name of its own"


def _size(event: dict[str, Any]) -> tuple[str, Fraction]:
    """Return the size of an event's guarantee and its name; "" and 0 where a mechanism alone is given."""
    guarantee = event.get("guarantee", {})
    size = next((name for name in _SIZES if name in guarantee), "")
    value = guarantee.get(size, "0")
    return size, rational(value["rounded"] if isinstance(value, dict) else value)


def _parts(found: Sequence[SheetRow]) -> list[InputError]:
    """Return a question about each row whose part may be more than one of the parts, or one that another row names."""
    lines: dict[str, dict[str, int]] = {}
    for row in found:
        if part := row.event.get("part"):
            lines.setdefault(part["of"], {}).setdefault(part["is"], row.line)
    return [
        InputError(f"ledger line {cells[name]}.part", name, why)
        for of, cells in lines.items()
        for name, why in overlapping(list(cells), of).items()
    ]


def _different(found: Sequence[SheetRow], name: Literal["period", "privacy_unit"]) -> list[InputError]:
    """Return the refusal of rows that are not all of one period, or of one privacy unit."""
    first = getattr(found[0], name) if found else ""
    other = next((row for row in found if getattr(row, name) != first), None)
    if other is None:
        return []
    said = f"line {found[0].line} says {first or 'nothing'}"
    remedy = f"{said}; a ledger has one privacy unit: write the same in every row"
    return [InputError(f"ledger line {other.line}.{name}", getattr(other, name) or "(empty)", remedy)]


#: Words that say of a row what its numbers do not, and what to ask.
_MORE = (
    (
        r"best\sof|(?:hyper-?)?param\w*\s(?:search|sweep|tuning)|grid\ssearch|tuned|tuning|sweep|(?:[2-9]|[0-9]{2,}|several|many)\s"
        r"(?:\w+\s)?(?:seeds|learning\srates|configurations|candidates|trials|models)",
        "was this chosen among several runs on the same data? then it lost more: write a JSON ledger with `best_of` or "
        "`selected`, or a row for each run; if not, take these words out",
    ),
    (
        r"adaptive\W+(?:yes|y|true|x|1)|(?:chosen|set|picked|selected|changed)\s(?:adaptively|after|from|on\sthe\sway)",
        "was a parameter chosen after an answer was seen? then add --parameters chosen-adaptively; take the words out",
    ),
    (
        r"sigma\s(?:is|=|means)\s(?:the\s|a\s)?variance",
        "is sigma a variance? then call its column sigma squared; if not, take these words out",
    ),
)
_SHUFFLED = re.compile(r"(?<![^\W_])(?:re)?shuffl")


def _says_more(text: str, values: dict[str, str]) -> str:
    """Return the question about words that contradict the numbers of a row, or add to them; "" without any."""
    words = " ".join(text.casefold().split())
    if re.search(r"\W(?:no|none|n/a|false|-)$", words):
        return ""
    if _SHUFFLED.search(words) and "shuffl" not in values.get("sampling", "shuffl").casefold():
        return (
            f"the column sampling says {values['sampling']!r}, and these words say shuffled: write into the column how "
            "batches were drawn, and take these words out"
        )
    return next((remedy for said, remedy in _MORE if re.search(rf"(?<![^\W_])(?:{said})(?![^\W_])", words)), "")


def _said_above(titles: Sequence[str], found: Sequence[SheetRow]) -> list[InputError]:
    """Return questions about titles that say something else than the rows are read as."""
    errors = []
    said = found[0].event.get("guarantee", {"kind": ""})
    drawn = {"sampling": found[0].event.get("mechanism", {}).get("sampling", "shuffled")}
    is_answered = any(row.count > 1 or row.period for row in found)
    guarantee = {name: value["rounded"] if isinstance(value, dict) else value for name, value in said.items()}
    for i, line in enumerate(titles, 1):
        place, text = f"ledger line {i}", " ".join(line.strip(" ,;\t\r").split())
        refusal = _contradiction(guarantee, text, place) or _stated_otherwise(guarantee, text, place)
        if refusal is not None:
            errors.append(refusal)
        elif (unit := _SCALED.search(text)) is not None:
            remedy = f"numbers are read as they stand, and not {unit[0]}; write them so, and take this line out"
            errors.append(InputError(place, text, remedy))
        elif remedy := instead_of_a_bound(text, None) or _says_more(text, drawn):
            errors.append(InputError(place, text, remedy))
        elif not is_answered and (often := repetitions(text)):
            remedy = f"this line says {often[0]!r}: {HOW_OFTEN.rpartition(';')[0]}; if not, take this line out"
            errors.append(InputError(place, text, remedy))
    return errors


def _stated_otherwise(guarantee: dict[str, Any], cell: str, place: str) -> InputError | None:
    """Return a question about a cell of words that states another epsilon, delta, rho or mu than the row is read as."""
    for name, value in stated(cell):
        own = guarantee.get(name, "0" if name == "delta" and "epsilon" in guarantee else None)
        if own is None and ("epsilon" not in guarantee or rational(guarantee.get("delta", "0"))):
            continue  # an epsilon that follows from rho, or a rho of which epsilon and delta are a consequence
        if own is None or value != rational(own):
            remedy = f"it states {name}, and the row is read with {own or 'none'}; correct one of the two, or reword it"
            return InputError(place, cell, remedy)
    return None


def has_decimal_commas(text: str, between: str, meanings: Sequence[str]) -> bool:
    """Whether any cell of a column of numbers has a decimal comma."""
    columns = [i for i, meaning in enumerate(meanings) if meaning in (*_NUMBERS, *sheet_events.NUMBERS)]
    try:
        return any(
            _COMMA.fullmatch(cells[i].strip())
            for cells in csv.reader(StringIO(text), strict=True, delimiter=between)
            for i in columns
            if i < len(cells)
        )
    except csv.Error:  # the reading proper says where
        return False


def _row(
    cells: Sequence[str],
    columns: SheetColumns,
    line: int,
    neighbours: Neighbours | None,
    asked: set[int],
    *,
    commas: bool,
) -> SheetRow:
    place, header = f"ledger line {line}", columns.header
    if len(cells) != len(header):
        remedy = f"the header has {len(header)} columns, and this line {len(cells)}: "
        if said := repetitions(cells[0]) if len(cells) == 1 else []:
            remedy += f"it says {said[0]!r}: {HOW_OFTEN}"
        elif len(cells) == 1:
            remedy += "if it is a note below the table, take it out"
        elif len(cells) > len(header):
            remedy += "does a cell hold a comma? put quotation marks around that cell"
        else:
            remedy += "write every cell, also the empty ones"
        raise InputError(place, ",".join(cells), remedy)
    values = {meaning: cell.strip() for meaning, cell in zip(columns.meanings, cells, strict=True) if meaning}
    sizes = {name: values[name] for name in _SIZES if name in values}
    values |= {name: "" for name, cell in sizes.items() if cell.casefold() in NOTHING}
    name = (
        values["label"]
        if "label" in values
        else next(filter(None, (cells[i].strip() for i in columns.unknown if i not in columns.unused)), "")
    )
    errors = _unknown_numbers(cells, columns, place, asked, values)

    formulas: dict[str, str] = {}

    def number(text: str, where: str) -> str:
        parameter = where.rpartition(".")[2]
        if parameter in (*_SIZES, "delta") and (nearest := nearest_decimal(text, where)):
            formulas[parameter] = text
            return nearest
        found = cell_number(text, where, commas=commas)
        if not _is_number(found) and (remedy := instead_of_a_number(text, parameter)):
            raise InputError(where, text, remedy)
        return found

    event: dict[str, Any] = {}
    times, period, label = 1, "", values.get("label", "")
    try:
        values = sheet_events.of_a_run(values, place, number)
        if (mechanism := sheet_events.mechanism(values, place, number, neighbours)) is not None:
            event["mechanism"] = mechanism
    except InputError as error:
        errors.append(error)
        mechanism = {}
    if "sampling" in event.get("mechanism", {}) and "count" not in values and -1 not in asked:
        asked.add(-1)
        remedy = "how many steps were run? write it into a column steps (1 where the row is one step), or give epochs"
        errors.append(InputError(f"{place}.steps", "(missing)", remedy))
    words = [*columns.unknown, *(i for i, m in enumerate(columns.meanings) if m == "mechanism" and mechanism is None)]
    if mechanism is None and not any(map(values.get, _SIZES)):
        errors.append(_without_number(sizes, name, place))
    elif mechanism is None or any(map(values.get, _SIZES)):
        event["guarantee"] = _guarantee(values, place, errors, number)
        others = [(f"{place}, column {columns.name(i)}", cells[i]) for i in words]
        if not errors:
            refusals = [_contradiction(event["guarantee"], cell, where) for where, cell in others]
            if _NOTIONS.search(label) is not None:  # Of other words a name may be made.
                refusals.append(_contradiction(event["guarantee"], label, f"{place}.label"))
            others += [(f"{place}.{name}", values[name]) for name in _WORDS if name in values]
            refusals += [_stated_otherwise(event["guarantee"], cell, where) for where, cell in others]
            errors += (refusal for refusal in refusals if refusal is not None)
    else:
        errors += _without_size(values, place)
    try:
        if "count" in values:
            times = cell_count(values["count"], f"{place}.count")
        if times > 1 and "sampling" in event.get("mechanism", {}) and "guarantee" in event:
            remedy = (
                f"is this the loss of all {times} steps? then claim it with --claim, and leave it empty here: the "
                "noise says what each step loses"
            )
            errors.append(InputError(f"{place}.{next(filter(values.get, _SIZES))}", "(given)", remedy))
        if (part := sheet_events.part(values, columns.partition, place)) is not None:
            event["part"] = part
        period = sheet_events.period(values.get("period", ""), place)
        errors += _of_words(cells, columns, place, asked, values)
        if not errors:
            sheet_events.mark_rounded(event, values, (*columns.rounded, *formulas), place)
    except InputError as error:
        errors.append(error)
    if errors:
        raise InputErrors.of(errors)
    kept = [values.get("date", ""), values.get("source", "")]
    words = [i for i in words if cells[i].strip()]
    # The first column is what a row is called, where no other is.
    unread = [i for i in words if i or label or i in columns.unused]
    kept += [
        f"{header[i].strip()}: {cells[i].strip()}".removeprefix(": ")
        for i in words
        if not (label and i in columns.unused)
    ]
    kept += [f"{parameter}: {text}" for parameter, text in formulas.items()]
    more = "; ".join(text for text in kept if text)
    kept_label = f"{label} ({more})" if label and more else label or more
    return SheetRow(
        line, event, times, kept_label, period, values.get("privacy_unit", ""), name, tuple(map(columns.name, unread))
    )


def _of_words(
    cells: Sequence[str], columns: SheetColumns, place: str, asked: set[int], values: dict[str, str]
) -> list[InputError]:
    """Return a question about each column whose words say how often a release was made, or contradict its number.

    Each column is asked about once; a count, or a period of the same length, answers for a rhythm.
    """
    errors = []
    for i, meaning in enumerate(columns.meanings):
        cell = cells[i].strip()
        if not cell or i in asked or meaning not in ("", "mechanism", *_WORDS):
            continue
        said = [] if "count" in values else repetitions(cell)
        if not (said or meaning or "count" in values):
            said = repetitions(columns.header[i], of_heading=True)
        dates = meaning == "date" and "count" not in values and several_dates(cell)
        if dates or not all(_is_answered(often, values) for often in said):
            remedy = HOW_OFTEN
        else:
            heading = None if meaning == "label" else columns.header[i]
            remedy = instead_of_a_bound(cell, heading) or _says_more(f"{heading or ''} {cell}", values)
        if remedy:
            asked.add(i)
            where = f"{place}.{meaning}" if meaning else f"{place}, column {columns.name(i)}"
            errors.append(InputError(where, cells[i], remedy))
    return errors


def _is_answered(said: str, values: dict[str, str]) -> bool:
    """Return whether the row's count or period answers for a rhythm such as daily."""
    period = sheet_events.PERIODS.get(values.get("period", "").casefold(), "")
    named = {sheet_events.PERIODS[word] for word in said.split() if word in sheet_events.PERIODS}
    return values.get("count", "1") != "1" or named == {period}


def _without_number(sizes: dict[str, str], name: str, place: str) -> InputError:
    """Return the question about a row that gives neither epsilon, rho or mu nor a mechanism."""
    if is_total(name):
        return InputError(place, name, _TOTAL)
    if size := next(filter(sizes.get, sizes), ""):
        remedy = f"did this release lose nothing? then write 0; if its {size} is not known, nothing bounds the total"
        return InputError(f"{place}.{size}", sizes[size], remedy)
    needed = f"{' or '.join(sizes)}, 0 if it loses nothing" if sizes else "a mechanism's parameters, or epsilon"
    remedy = f"this row needs {needed}"
    if not repetitions(name):
        remedy += "; if it is a heading or a note, take it out"
    return InputError(place, name or "(row)", remedy)


def _unknown_numbers(
    cells: Sequence[str], columns: SheetColumns, place: str, asked: set[int], values: dict[str, str]
) -> list[InputError]:
    """Return a question about each column that is not known and holds a number, or says how often a release was made.

    Each column is asked about once.
    """
    errors = []
    for i in columns.unknown:
        cell = " ".join(cells[i].split())
        if not cell or cell.casefold() in NOTHING or i in asked or i in columns.unused:
            continue
        if says_how_often(cell):
            is_answered = repetitions(cell) == [cell.casefold()] and _is_answered(cell.casefold(), values)
            remedy = "" if is_answered else HOW_OFTEN
        elif (
            _holds_number(cell)
            or is_a_quantity(cell)
            or is_a_number_word(cell)
            or (says_a_quantity(cell) and asks_for_a_number(columns.header[i]))
            or asks_how_often(columns.header[i])
        ):
            remedy = _meant(columns.header[i].strip())
            if any(remedy.startswith(f"if each row's number is the {size} ") for size in columns.meanings if size):
                remedy = (
                    "does the row lose this too? then write a row of its own for it; if it says the same loss again, "
                    "keep the column of the larger numbers"
                )
            remedy = remedy or _what_number(columns.header[i].casefold()).format(cell)
        else:
            continue
        if remedy:
            asked.add(i)
            errors.append(InputError(f"{place}, column {columns.name(i)}", cells[i], remedy))
    return errors


def _what_number(heading: str) -> str:
    """Return the question about a number in a column that is not known."""
    if not heading.strip():
        return (
            "this column has no heading: if its numbers are as those to its left, write a row for each; if not, name it"
        )
    asks = "privref does not know this column, and a number in it might change the verdict: "
    often = "if it says how often the row ran, call it count"
    rows = _OF_ROWS.fullmatch(heading.strip())
    if rows is not None and rows[1]:
        return f"{asks}if it only names the rows, write a letter before each number, such as n{{}}; {often}"
    if rows is not None:
        return f"{asks}if it only numbers the rows, call the column ID; {often}"
    if _OF_TIME.search(heading):
        return f"{asks}if it says when the release was made, call the column date; {often}; else take it out"
    return f"{asks}{often}; if it says nothing of privacy, take the column out"


def _without_size(values: dict[str, str], place: str) -> list[InputError]:
    """Return refusals of what a row says of a guarantee that it does not give, since its mechanism implies one."""
    errors = []
    delta = values.get("delta", "")
    if delta.casefold() not in ("", "0", *NOTHING):
        remedy = (
            "a delta without epsilon or rho: the mechanism's parameters imply what it guarantees, and a delta that is "
            "aimed at belongs to the claim; leave the cell empty"
        )
        errors.append(InputError(f"{place}.delta", delta, remedy))
    if values.get("kind"):
        remedy = "a kind without its numbers: the mechanism's parameters imply what it guarantees; leave the cell empty"
        errors.append(InputError(f"{place}.kind", values["kind"], remedy))
    return errors + _decision(values, place)


def _decision(values: dict[str, str], place: str) -> list[InputError]:
    if values.get("decision", "").casefold() in ("", "continue"):
        return []
    remedy = (
        "each row of a sheet is an event that ran: continue, or nothing; what a budget refused is said by the "
        "decision of a JSON ledger, and of many units by audit-batch"
    )
    return [InputError(f"{place}.decision", values["decision"], remedy)]


def _guarantee(values: dict[str, str], place: str, errors: list[InputError], number: Number) -> dict[str, str]:
    """Return the guarantee of a row; what is wrong with it is added to the errors."""
    sizes = [name for name in _SIZES if values.get(name)]
    if len(sizes) != 1:
        given = ", ".join(sizes)
        errors.append(InputError(place, given, f"give only one of {given}"))
        raise InputErrors.of(errors)
    errors += _decision(values, place)
    size = sizes[0]
    implied = {"epsilon": "approx-dp" if "delta" in values else "pure-dp", "rho": "zcdp", "mu": "gaussian-dp"}[size]
    guarantee: dict[str, str] = {"kind": implied}
    try:
        guarantee["kind"] = _kind(values.get("kind", ""), implied, size, place)
    except InputError as error:
        errors.append(error)
    for name in (size, "delta"):
        if name not in values:
            continue
        where = f"{place}.{name}"
        if name == "delta" and size == "mu":
            if values["delta"] and not (_is_number(values["delta"]) and rational(number(values["delta"], where)) == 0):
                errors.append(InputError(where, values["delta"], "Gaussian DP has no delta; leave it out or give 0"))
            continue
        try:
            if not values[name] or values[name].casefold() in NOTHING:
                raise InputError(where, values[name] or "(empty)", "give a number; 0 where there is none")
            text = number(values[name], where)
            value: Fraction = rational(text, where)
            if value < 0 or (name == "delta" and value > 1):
                raise InputError(where, text, f"give a number {'in [0, 1]' if name == 'delta' else '>= 0'}")
            guarantee[name] = text
        except InputError as error:
            errors.append(error)
    if guarantee["kind"] in KINDS and not errors:
        required, optional = KINDS[guarantee["kind"]]
        for name in required:
            if name not in guarantee:
                errors.append(InputError(f"{place}.{name}", "(missing)", f"{guarantee['kind']} has one"))
        if "delta" in guarantee and "delta" not in (*required, *optional):
            if rational(guarantee["delta"]):
                remedy = f"{guarantee['kind']} has no delta; leave it out or give 0"
                errors.append(InputError(f"{place}.delta", guarantee["delta"], remedy))
            del guarantee["delta"]
    return guarantee


def _spelled(text: str) -> str:
    """A word as kinds are spelled."""
    return re.sub(r"[\s_]+", "-", text.strip().casefold())


def _contradiction(guarantee: dict[str, str], cell: str, where: str) -> InputError | None:
    """Why a word alongside a row cannot be meant of what the row is read as; None for all other words."""
    word, kind = _spelled(cell), guarantee["kind"]
    named = _LIKE_KINDS.get(word, word)
    pure = kind in ("pure-dp", "bounded-range") or (kind == "approx-dp" and not rational(guarantee["delta"]))
    if named in (*KINDS, *NOT_IN_COLUMNS) and named != kind and not (named == "pure-dp" and pure):
        return InputError(where, cell, f"the row is read as {kind}; name its kind in a column kind, or reword it")
    other = _NOTIONS.search(cell)
    if other is not None and kind != ("zcdp" if other[1] else "rdp"):
        remedy = (
            f"the row is read as {kind}, and this cell says {other[0]}; name its kind in a column kind, or reword it"
        )
        return InputError(where, cell, remedy)
    if (unit := _OTHER_UNITS.search(cell)) is not None and "epsilon" in guarantee:
        remedy = f"epsilon is read in nats, and this cell says {unit[0]}; write it in nats (bits times ln 2)"
        return InputError(where, cell, f"{remedy}, or reword it")
    if pure and _GAUSSIAN.search(cell):
        remedy = "Gaussian noise guarantees no epsilon with delta 0; give delta, rho or mu, or reword it"
        return InputError(where, cell, remedy)
    return None


def meant_kind(text: str, kinds: Iterable[str]) -> str:
    """Return a hint at the kind of guarantee that a word was probably meant for, or nothing."""
    word = _spelled(text)
    near = _LIKE_KINDS.get(word) or next(iter(difflib.get_close_matches(word, kinds, n=1)), "")
    return f"did you mean {near}? " if near else ""


def _kind(text: str, implied: str, size: str, place: str) -> str:
    """The kind that a cell names, else the one that the numbers of the row imply; InputError for any other word."""
    named = text.strip().casefold()
    if not named:
        return implied
    if named in NOT_IN_COLUMNS:
        raise InputError(f"{place}.kind", text, "its parameters do not fit into columns; write a JSON ledger")
    if named not in KINDS:
        remedy = f"{meant_kind(text, KINDS)}known are {', '.join(KINDS)}; other words go into a column label"
        raise InputError(f"{place}.kind", text, remedy)
    if size not in KINDS[named][0]:
        raise InputError(f"{place}.kind", text, f"{named} has no {size}; give {' and '.join(KINDS[named][0])}")
    return named


#: The place of a refusal of a sheet: a line, and where it has one the parameter or the heading of its column.
_PLACE = re.compile(r"ledger (?:line (\d+)(?:(?:\.\w+)*\.(\w+)|, column (.+))?|header(?:, column (\d+))?)", re.DOTALL)


def placed(error: InputError, text: str, *, cells: bool = False) -> InputError:
    """Return refusals of a sheet with their places as people look them up: line and column, or a cell such as B2."""
    above, between = head_of(text)
    header = _split(text.split("\n", above)[-1].partition("\n")[0], between)
    columns, _ = columns_of(header)
    refused = []
    for each in error.errors if isinstance(error, InputErrors) else (error,):
        found, field = _PLACE.fullmatch(each.field), each.field
        if found is not None:
            line = found[1] or str(above + 1)
            names = [columns.name(i) for i in range(len(header))]
            i = int(found[4]) - 1 if found[4] else -1
            i = columns.meanings.index(found[2]) if found[2] in columns.meanings else i
            i = names.index(found[3]) if found[3] in names else i
            if cells:
                field = f"ledger cell {letters(i)}{line}" if i >= 0 else f"ledger row {line}"
                field += f".{found[2]}" if found[2] and i < 0 else ""
            elif found[2] and i >= 0:
                field = f"ledger line {line}, column {names[i]}"
        refused.append(InputError(field, each.value, each.remedy))
    return InputErrors.of(refused)


def letters(column: int) -> str:
    """Return a column's letters in a spreadsheet program: A for 0, AA for 26."""
    found = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(ord("A") + rest) + found
    return found


def sheet_text(path: Path) -> str | None:
    """The text of a sheet that is not a text file, by its ending; None for other files."""
    reader = {".xlsx": xlsx_text, ".parquet": parquet_text}.get(path.suffix.lower())
    return None if reader is None else reader(path)


def parquet_text(path: Path) -> str:
    """The rows of a Parquet file as CSV text: text, integers and decimals as they are, floats refused."""
    try:
        import pyarrow as pa
        import pyarrow.csv as arrow_csv
        import pyarrow.parquet as parquet
    except ImportError:
        remedy = f"this needs pyarrow: {install('batch')}; or save it as CSV"
        raise InputError("ledger", str(path), remedy) from None
    try:
        with parquet.ParquetFile(path) as file:
            if file.metadata.num_rows * file.metadata.num_columns > MOST_CELLS:
                raise InputError("ledger", str(path), f"a sheet of more than {MOST_CELLS} cells is not read")
            table = file.read()
    except FileNotFoundError:
        raise InputError("ledger", str(path), "this file does not exist; check its name and its folder") from None
    except (pa.ArrowException, OSError) as error:
        kind = type(error).__name__
        raise InputError("ledger", str(path), f"this is not a readable Parquet file ({kind})") from None
    floats = [field for field in table.schema if pa.types.is_floating(field.type)]
    if floats:
        remedy = "floats are not exact; write text such as 0.1 or 1/10, or a column of decimals"
        raise InputErrors.of([InputError(f"ledger column {field.name}", str(field.type), remedy) for field in floats])
    try:
        words = table.cast(pa.schema([(field.name, pa.string()) for field in table.schema]))
        out = pa.BufferOutputStream()
        names = StringIO()
        csv.writer(names, lineterminator="\n").writerow(table.schema.names)
        options = arrow_csv.WriteOptions(include_header=False, quoting_style="needed")
        arrow_csv.write_csv(words, out, options)
    except pa.ArrowException as error:
        raise InputError("ledger", str(path), f"a column is neither text nor exact numbers ({error})") from None
    rows: bytes = out.getvalue().to_pybytes()
    return names.getvalue() + rows.decode()
