"""What a row of a sheet says alongside its guarantee: the mechanism that ran, the part that it read, what was rounded.

A row becomes the event that a JSON ledger would have. A mechanism is read where its parameters stand in the row; a
name alone is a word about the row, from which nothing follows.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from math import ceil
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell

from .cells import NOTHING, is_a_bound, is_total, may_be_total
from .model import Neighbours

#: What each column may be called, and what it is: of those in sheets and batches, and of those in sheets alone.
COLUMNS: Mapping[str, Mapping[str, Mapping[str, Any]]] = json.loads(
    files("privref").joinpath("ledger", "columns.json").read_text(encoding="utf-8")
)
#: What a column of this name means, in a sheet and in a batch; and in a sheet alone.
IN_BATCHES, MEANING = (
    {name: meaning for meaning, column in columns.items() for name in column["called"]} for columns in COLUMNS.values()
)
#: The columns of mechanisms that hold numbers.
NUMBERS = (
    "sigma", "sigma_squared", "noise_multiplier", "scale", "sensitivity", "l1_sensitivity", "l2_sensitivity",
    "probability", "outcomes", "rate", "batch_cap", "records",
    "batch_size", "epochs", "steps_per_epoch",
)  # fmt: skip
#: What is given of the noise, and what of the sample that it was added to.
_OF_NOISE = (
    "sigma", "sigma_squared", "scale", "sensitivity", "l1_sensitivity", "l2_sensitivity", "shifts", "probability",
    "outcomes",
)  # fmt: skip
#: The norm in which each noise takes a sensitivity.
_NORMS = {"l1_sensitivity": "laplace", "l2_sensitivity": "gaussian"}
_OF_SAMPLES = ("rate", "sampling", "batch_cap", "records")
OF_RUNS = ("batch_size", "epochs", "steps_per_epoch")
_OF_BOTH = ("noise_multiplier", "attained")
#: Each noise, with the columns of its parameters.
_KINDS = {
    "gaussian": ("sigma", "sigma_squared", "sensitivity"),
    "discrete-gaussian": ("sigma", "sigma_squared", "shifts"),
    "laplace": ("scale", "sensitivity", "shifts"),
    "geometric": ("scale", "shifts"),
    "randomized-response": ("probability", "outcomes"),
}
#: Other names of mechanisms, and whether the name says that samples were drawn.
_CALLED = {
    "normal": ("gaussian", False), "laplacian": ("laplace", False), "two-sided-geometric": ("geometric", False),
    "discrete-laplace": ("geometric", False), "dp-sgd": ("gaussian", True), "dpsgd": ("gaussian", True),
    "subsampled-gaussian": ("gaussian", True), "sampled-gaussian": ("gaussian", True),
    "subsampled-laplace": ("laplace", True),
}  # fmt: skip
_SAMPLINGS = {"poisson": "poisson", "fixed-size": "fixed-size", "fixed": "fixed-size",
              "with-replacement": "with-replacement", "shuffled": "shuffled", "shuffle": "shuffled",
              "unknown": "unknown"}  # fmt: skip
PERIODS = {
    word: period
    for period, words in {
        "day": ("day", "daily", "per day"),
        "week": ("week", "weekly", "per week"),
        "month": ("month", "monthly", "per month"),
        "quarter": ("quarter", "quarterly", "per quarter"),
        "year": ("year", "yearly", "annual", "per year"),
    }.items()
    for word in words
}
_YES, _NO = ("yes", "y", "true", "x", "ja"), ("no", "n", "false", "nein", "")
#: What has parts that are not groups of people.
_NO_KEY = re.compile(
    r"\b(?:reports?|releases?|budget|projects?|papers?|time|epsilon|eps|delta|loss|total)\b", re.IGNORECASE
)
_PART_OF = re.compile(r"part\s+of\s+(.+)", re.IGNORECASE)

#: Reads a cell as an exact number's text; InputError with the place for what is none.
Number = Callable[[str, str], str]


def partition_of(heading: str) -> str:
    """Return the partition that a heading such as "part of county" names; "" for other headings."""
    found = _PART_OF.fullmatch(" ".join(heading.split()))
    if found is not None and _NO_KEY.search(found[1]):
        raise InputError(
            "ledger header", heading,
            "parts are disjoint groups of people, by a key such as 'part of county'; if this is none, call it a label"
        )  # fmt: skip
    return "" if found is None else found[1]


def _given(values: Mapping[str, str], names: Sequence[str]) -> list[str]:
    return [name for name in names if values.get(name, "").casefold() not in ("", *NOTHING)]


def of_a_run(values: Mapping[str, str], place: str, number: Number) -> dict[str, str]:
    """Return a row's cells with the rate from batch size and records, and the steps from epochs: a part of one is one.

    A row without noise is returned as it is.
    """
    found = dict(values)
    given = _given(values, ("rate", "count", "records", "batch_cap", *OF_RUNS))
    if not set(OF_RUNS) & set(given) or not _given(values, (*_OF_NOISE, "noise_multiplier")):
        return found

    def positive(name: str) -> Fraction:
        value = rational(_own(values[name], f"{place}.{name}", number), f"{place}.{name}")
        if value <= 0:
            raise InputError(f"{place}.{name}", values[name], "give a number > 0")
        return value

    for name, other in (("batch_size", "rate"), ("epochs", "count")):
        if {name, other} <= set(given):
            same = f"{name.replace('_', ' ')} and {'steps' if other == 'count' else other} say the same"
            raise InputError(f"{place}.{name}", values[name], f"{same}; leave one of the two empty")
    if "batch_size" in given:
        if "records" not in given:
            remedy = "a batch of how many records? write the number of all records into a column records"
            raise InputError(f"{place}.batch_size", values["batch_size"], remedy)
        rate = positive("batch_size") / positive("records")
        if rate > 1:
            raise InputError(
                f"{place}.batch_size", values["batch_size"], f"it is larger than records {values['records']}"
            )
        found["rate"] = spell(rate)
        if "batch_cap" not in given and _drawn(values) != "with-replacement":
            del found["records"]
    if {"epochs", "rate"} <= set(given):
        positive("rate")
    if "steps_per_epoch" in given and "shuffl" in values.get("sampling", "").casefold() and "rate" in found:
        steps = int(1 / rational(_own(found["rate"], f"{place}.rate", number), f"{place}.rate"))
        if positive("steps_per_epoch") < steps:
            remedy = f"an epoch of shuffled batches takes every record once, in {steps} steps; leave the cell empty"
            raise InputError(f"{place}.steps_per_epoch", values["steps_per_epoch"], remedy)
    if "steps_per_epoch" in given and "epochs" not in given:
        remedy = "how many epochs were run? write it into a column epochs, or give all steps in a column steps"
        raise InputError(f"{place}.steps_per_epoch", values["steps_per_epoch"], remedy)
    if "epochs" in given:
        if not {"rate", "batch_size", "steps_per_epoch"} & set(given):
            remedy = "an epoch has how many steps? give batch size and records, or the rate, or steps per epoch"
            raise InputError(f"{place}.epochs", values["epochs"], remedy)
        of_one = (
            positive("steps_per_epoch")
            if "steps_per_epoch" in given
            else 1 / rational(_own(found["rate"], f"{place}.rate", number), f"{place}.rate")
        )
        found["count"] = str(ceil(positive("epochs") * of_one))
    return {name: cell for name, cell in found.items() if name not in OF_RUNS}


def mechanism(
    values: Mapping[str, str], place: str, number: Number, neighbours: Neighbours | None
) -> dict[str, Any] | None:
    """Return the mechanism of a row as ``ledger.1`` has it; None where the row gives no parameter of one.

    A noise multiplier is in units of the norm of one record's contribution. Replacing a record moves a sum by up to
    twice that, as an upper bound; who the neighbours are may still be open, and the bound holds of all of them.
    """
    given = _given(values, (*_OF_NOISE, *_OF_SAMPLES, *OF_RUNS, *_OF_BOTH))
    if not given:
        return None
    named = values.get("mechanism", "").casefold() not in ("", *NOTHING)
    if not named and not {*_OF_NOISE, "noise_multiplier"} & set(given):
        remedy = "it belongs to a mechanism, and the row names none; give the columns mechanism and sigma or scale, or "
        raise InputError(f"{place}.{given[0]}", values[given[0]], f"{remedy}take the column {given[0]} out")
    kind, sampled = _kind(values.get("mechanism", ""), given, place)
    if (run := next((name for name in OF_RUNS if name in given), None)) is not None:
        remedy = (
            "it is of a training run, whose noise this row does not give; if it says how often the row ran, write that "
            "into a column count, and leave this cell empty"
        )
        raise InputError(f"{place}.{run}", values[run], remedy)
    noise: dict[str, Any] = {"kind": kind}
    for name in (*_OF_NOISE, "noise_multiplier"):
        if name in given:
            where = f"{place}.{name}"
            noise[name] = (
                _shifts(values[name], where, number) if name == "shifts" else _own(values[name], where, number)
            )
    _one_sensitivity(noise, place)
    doubled = "noise_multiplier" in noise and neighbours not in ("add-or-remove-one", "zero-out")
    _spread(noise, place, "2" if doubled else "1")
    if (other := next((name for name in noise if name not in ("kind", *_KINDS[kind])), None)) is not None:
        remedy = f"{kind} noise has no {other}; leave the cell empty in this row, or correct the mechanism"
        raise InputError(f"{place}.{other}", values.get(other, ""), remedy)
    sample = [name for name in _OF_SAMPLES if name in given]
    whole: dict[str, Any] = noise
    if sampled or sample:
        whole = _subsampled(noise, values, sample, place, number)
    if doubled and neighbours == "replace-one" and whole.get("sampling") == "poisson":
        # In units of the clipping norm no record contributes more than half of what replacing one changes.
        whole["clipped"] = True
    if "attained" in given:
        whole["attained"] = _flag(values["attained"], f"{place}.attained")
    if doubled and whole.setdefault("attained", False):
        remedy = (
            "of a noise multiplier, replacing a record moves the sum by at most twice its unit, and whether by all of "
            "it privref does not know; give the columns sigma and sensitivity in its place, or write no"
        )
        raise InputError(f"{place}.attained", values["attained"], remedy)
    return whole


def _own(cell: str, place: str, number: Number) -> str:
    """Return a parameter of a mechanism, which is a value and no bound."""
    if is_a_bound(cell):
        raise InputError(
            place, cell, "a mechanism's parameter is one value; write the value that ran, without the sign"
        )
    text = number(cell, place)
    rational(text, place)
    return text


def _kind(cell: str, given: Sequence[str], place: str) -> tuple[str, bool]:
    """Return the kind of a mechanism's noise, and whether its name says that samples were drawn."""
    word = re.sub(r"[\s_]+", "-", cell.strip().casefold())
    word = word.removesuffix("-mechanism").removesuffix("-noise")
    if word in ("", *NOTHING):
        if "noise_multiplier" in given:
            return "gaussian", False
        remedy = (
            f"which noise has this {given[0].replace('_', ' ')}? write it into a column mechanism: {', '.join(_KINDS)}"
        )
        raise InputError(f"{place}.mechanism", "(missing)", remedy)
    if word in _KINDS:
        return word, False
    if word in _CALLED:
        return _CALLED[word]
    near = difflib.get_close_matches(word, (*_KINDS, *_CALLED), n=1, cutoff=0.8)
    hint = f"did you mean {near[0]}? " if near else ""
    remedy = (
        f"{hint}known are {', '.join(_KINDS)}; for any other give its guarantee (epsilon, delta, rho or mu), and leave "
        f"{', '.join(given)} empty"
    )
    raise InputError(f"{place}.mechanism", cell, remedy)


def _one_sensitivity(noise: dict[str, Any], place: str) -> None:
    """Make the sensitivity in a norm the sensitivity, where the noise takes that norm."""
    for name, kind in _NORMS.items():
        if name not in noise:
            continue
        norm = name[:2].upper()
        if noise["kind"] != kind:
            needed = next(
                (f"{other[:2].upper()} sensitivity" for other, of in _NORMS.items() if of == noise["kind"]), ""
            )
            remedy = f"{norm} sensitivity says nothing of {noise['kind']} noise; leave the cell empty, and "
            remedy += f"write its {needed} into a column {needed}" if needed else "give the columns of this noise"
            raise InputError(f"{place}.{name}", noise[name], remedy)
        if "sensitivity" in noise or "shifts" in noise:
            other = "sensitivity" if "sensitivity" in noise else "shifts"
            remedy = f"the row gives the column {other} too; keep one of the two"
            raise InputError(f"{place}.{name}", noise[name], remedy)
        noise["sensitivity"] = noise.pop(name)


def _spread(noise: dict[str, Any], place: str, units: str) -> None:
    """Turn a noise multiplier into sigma at a sensitivity of this many units, and ask for what is missing."""
    kind = noise["kind"]
    if (multiplier := noise.pop("noise_multiplier", None)) is not None:
        other = next((name for name in ("sigma", "sigma_squared", "sensitivity") if name in noise), None)
        if kind != "gaussian" or other is not None:
            remedy = "a noise multiplier is the sigma of Gaussian noise over the clipping norm; give it alone"
            raise InputError(f"{place}.noise_multiplier", multiplier, f"{remedy}, without {other or kind}")
        noise |= {"sigma": multiplier, "sensitivity": units}
    if kind in ("gaussian", "laplace") and not {"sensitivity", "shifts"} & set(noise):
        remedy = "by how much can one neighbour change the answer? write it into a column sensitivity"
        multiplied = (
            "; a sigma in units of the clipping norm is a column noise multiplier" if kind == "gaussian" else ""
        )
        raise InputError(f"{place}.sensitivity", "(missing)", f"{remedy}{multiplied}")
    if kind in ("discrete-gaussian", "geometric") and "shifts" not in noise:
        remedy = (
            "by how much can one neighbour change each count? write the whole numbers into a column shifts, such as "
            "1 for one count, or 1; 1 for two; the sensitivity of all together does not say it"
        )
        raise InputError(f"{place}.shifts", "(missing)", remedy)


def _shifts(cell: str, place: str, number: Number) -> list[str]:
    parts = [part for part in re.split(r"[;|\s]+", cell.strip().strip("()[]")) if part]
    return [number(part, place) for part in parts]


def _drawn(values: Mapping[str, str]) -> str:
    return re.sub(r"[\s_]+", "-", values.get("sampling", "").strip().casefold()).removesuffix("-sampling")


def _subsampled(
    noise: dict[str, Any], values: Mapping[str, str], sample: Sequence[str], place: str, number: Number
) -> dict[str, Any]:
    if "rate" not in sample:
        remedy = "each record is in a sample with which probability? write it into a column rate"
        raise InputError(f"{place}.rate", "(missing)", remedy)
    word = _drawn(values)
    if word not in _SAMPLINGS:
        remedy = (
            "how were samples drawn? write into a column sampling: poisson (each record on its own), fixed-size (drawn "
            "anew in every step), with-replacement (the same, but a record may be drawn twice), shuffled (an epoch "
            "takes every record once) or unknown"
        )
        raise InputError(f"{place}.sampling", values.get("sampling", "") or "(missing)", remedy)
    found = {"kind": "subsampled", "base": noise, "sampling": _SAMPLINGS[word]}
    for name in ("rate", "batch_cap", "records"):
        if name in sample:
            found[name] = _own(values[name], f"{place}.{name}", number)
    return found


def _flag(cell: str, place: str) -> bool:
    word = cell.strip().casefold()
    if word in _YES or word in _NO:
        return word in _YES
    raise InputError(place, cell, "write yes or no")


def part(values: Mapping[str, str], partition: str, place: str) -> dict[str, str] | None:
    """Return the part that a row reads; ``partition`` is what the heading says, else a column says it."""
    of = partition or ("" if values.get("partition", "").casefold() in NOTHING else values.get("partition", ""))
    which = "" if values.get("part", "").casefold() in NOTHING else values.get("part", "")
    if which and not of:
        remedy = (
            "a part of what? call the column after the key that decides in which part a person's records lie, such as "
            "'part of county'; if records of one person may lie in two parts, call it a label"
        )
        raise InputError(f"{place}.partition", "(missing)", remedy)
    if of and not which and not partition:
        remedy = f"which part of {of} does the row read? write it into a column part, or leave both empty for all"
        raise InputError(f"{place}.part", "(missing)", remedy)
    return {"of": of, "is": which} if which else None


def period(cell: str, place: str) -> str:
    """Return the length of the period whose data is the privacy unit; "" for an empty cell."""
    word = " ".join(cell.split()).casefold()
    if word and word not in PERIODS:
        remedy = (
            "a period is day, week, month, quarter or year: the privacy unit is then one's data of one such period, "
            "and every period has these rows again; if the cell says when a release was made, call the column date"
        )
        raise InputError(f"{place}.period", cell, remedy)
    return PERIODS.get(word, "")


def mark_rounded(event: dict[str, Any], values: Mapping[str, str], by_heading: Sequence[str], place: str) -> None:
    """Mark the numbers of an event that were published rounded: what its cell names, and what headings say."""
    inner: dict[str, dict[str, Any]] = {}
    for holder in (event.get("mechanism", {}), event.get("guarantee", {})):
        inner |= {name: holder for name, value in holder.items() if _may_be_rounded(name, value)}
    where = f"{place}.rounded"
    cell = values.get("rounded", "no")
    if not cell:
        # An empty cell below a yes may be one of merged cells.
        raise InputError(where, "(empty)", "were numbers of this row rounded? write yes or no in every row")
    by_heading = [_NAMED_IN_EVENTS.get(name, name) for name in _given(values, by_heading)]
    of_samples = event.get("mechanism", {}).get("base", {})
    if (name := next((name for name in by_heading if name in of_samples), None)) is not None:
        remedy = "the noise of samples is read as exact; write the value that ran, below a heading without (rounded)"
        raise InputError(f"{place}.{name}", of_samples[name], remedy)
    for name in dict.fromkeys((*_rounded_names(cell, list(inner), where), *(n for n in by_heading if n in inner))):
        text = inner[name][name]
        if not re.fullmatch(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?", text):
            remedy = "a number that was rounded is a decimal, whose last digit says how far; write it as published"
            raise InputError(f"{place}.{name}", text, remedy)
        inner[name][name] = {"rounded": text}


#: What a column's number is called in the event.
_NAMED_IN_EVENTS = {"noise_multiplier": "sigma", "l1_sensitivity": "sensitivity", "l2_sensitivity": "sensitivity"}


def _may_be_rounded(name: str, value: object) -> bool:
    """Return whether a published parameter may have lost digits: a zero has none to lose."""
    return name not in ("kind", "sampling") and isinstance(value, str) and rational(value) != 0


def _rounded_names(cell: str, here: Sequence[str], place: str) -> list[str]:
    word = cell.strip().casefold()
    if word in _NO or word in NOTHING:
        return []
    if word in _YES:
        if len(here) == 1:
            return list(here)
        remedy = f"which of {', '.join(here)} were rounded? write their names, such as {' and '.join(here[:2])}"
        raise InputError(place, cell, remedy)
    named = [name for name in re.split(r"[\s,;+&]+|\band\b|\bund\b", word) if name]
    names = [_SYMBOLS.get(name, name) for name in named]
    wrong = next((name for name in names if name not in here), None)
    if wrong is not None:
        raise InputError(
            place, cell, f"write no, or which were rounded of {', '.join(here) or 'the numbers of the row'}"
        )
    return names


_SYMBOLS = {"eps": "epsilon", "ε": "epsilon", "δ": "delta", "ρ": "rho", "μ": "mu", "µ": "mu", "σ": "sigma"}


# --- parts that may share records: all of them, several at once, or one written in two ways ---------------------------
#
# Rows of two parts lose as much as the larger of them, since no record lies in both. A sheet whose cells may mean one
# record in two parts is asked about.


#: Words for all parts, or for all but some.
_ALL = re.compile(
    r"(?<![^\W\d_])(?:"
    r"all|any|both|each|every|everyone|everybody|everywhere|everything|whole|entire|total|"
    r"totals|subtotal|overall|combined|statewide|state[- ]wide|national|nationwide|countrywide|"
    r"citywide|global|worldwide|alle|aller|alles|gesamt|insgesamt|summe|sum|except|excluding|"
    r"without|outside|not"
    r")(?![^\W\d_])",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:\band\b|\bund\b|\bor\b|[&+;])\s*", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:\band\b|\bund\b|\bor\b|\bto\b|\bbis\b|[&+;,/|–—-])\s*", re.IGNORECASE)
_NUMBER = r"([0-9]+(?:\.[0-9]+)?)"
_RANGE = re.compile(rf"{_NUMBER}\s*(?:-|–|—|\.\.\.?|…|\bto\b|\bbis\b)\s*{_NUMBER}", re.IGNORECASE)
_FROM = re.compile(
    rf"(?:{_NUMBER}\s*(?:\+|and over|and older|or more|or older)|(?:≥|>=|from)\s*{_NUMBER})", re.IGNORECASE
)
_WRITE = "if it is one part that shares no record with the others, write a name that says so; else leave the cell empty"


def overlapping(names: Sequence[str], of: str) -> dict[str, str]:
    """Return a question for each name of a part that may have records in common with another one."""
    found = {name: why for name in names if (why := _of_all(name, of))}
    found |= {name: why for name, why in _lists(names).items() if name not in found}
    found |= {name: why for name, why in _numbers(names).items() if name not in found}
    return found


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def _of_all(name: str, of: str) -> str:
    if "*" not in name and _ALL.search(name) is None and not is_total(name) and not may_be_total(name):
        return ""
    return f"is this one part of {of}, or several or all? {_WRITE}, and the row then counts for every part"


def _lists(names: Sequence[str]) -> dict[str, str]:
    """Return a question for each name that joins names of parts, as "A and B" alongside "A"."""
    known = {_plain(name): name for name in names}
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for name in names:
        own = _plain(name)
        pieces = {piece for piece in _JOINED.split(own) if piece and piece != own}
        other = next((known[piece] for piece in sorted(pieces) if piece in known), None)
        for piece in {piece for piece in _LISTED.split(own) if piece and piece != own}:
            other = other or (first[piece] if first.setdefault(piece, name) != name else None)
        if other is not None:
            found[name] = f"does it hold records of the part {other!r} too? {_WRITE}"
    return found


def _numbers(names: Sequence[str]) -> dict[str, str]:
    """Return a question for each name that is a number or a range which another name shares."""
    spans = sorted((span, name) for name in names if (span := _span(name)) is not None)
    found: dict[str, str] = {}
    last: tuple[Fraction | None, str] | None = None
    for (low, open_, high), name in spans:
        if last is not None and (last[0] is None or low <= last[0]):
            found[name] = f"privref reads it as numbers that the part {last[1]!r} has too; {_WRITE}"
        if last is None or (last[0] is not None and (open_ or high > last[0])):
            last = (None if open_ else high, name)
    return found


def _span(name: str) -> tuple[Fraction, bool, Fraction] | None:
    """Return the least number of a name, whether it has no largest, and the largest; None where it is not a number."""
    text = _plain(name)
    if re.fullmatch(_NUMBER, text):
        return Fraction(text), False, Fraction(text)
    if ends := _RANGE.fullmatch(text):
        low, high = Fraction(ends[1]), Fraction(ends[2])
        return (low, False, high) if low <= high else None
    if above := _FROM.fullmatch(text):
        low = Fraction(above[1] or above[2])
        return low, True, low
    return None
