"""What the columns of an events file mean, which types they may have, and where bad rows stand.

A file is Parquet, or CSV that Arrow rewrites as Parquet with every cell as text. Numbers are exact: text, integers,
decimals, or a numerator and a denominator; a column of floats is refused.
"""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privref.exact.errors import InputError, InputErrors
from privref.exact.extras import install
from privref.ledger.sheets import MEANING

if TYPE_CHECKING:
    import pyarrow as pa

NUMBERS = ("epsilon", "delta", "rho", "mu")
#: What an event is spelled from, in this order.
FIELDS = ("kind", *NUMBERS, "decision", "count")
_PARTS = ("numerator", "denominator")
_WORDS = ("label", "date", "source")
#: They separate the fields of an event and the events of a unit; no number or word has them.
FIELD_END, EVENT_END = "\x1f", "\x1e"
#: The field of a column that the file does not have; an empty cell is another thing.
ABSENT = "\x1d"
#: What stands for the three in a cell that has them.
UNREADABLE = "\ufffd"
_KNOWN = (
    "epsilon[, delta], rho[, delta] or mu, each as one column or as NAME_numerator and NAME_denominator, "
    "and, if you like, kind, count and decision"
)


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """A column of the file, by its name there; ``text`` says whether its cells are text."""

    name: str
    text: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the unit, the order and each field of an event stand: one column each, or a numerator and denominator."""

    unit: SourceColumn
    fields: dict[str, tuple[SourceColumn, ...]]
    order: SourceColumn | None = None


def needed() -> None:
    """InputError where the libraries of the batch audit are not installed."""
    try:
        import duckdb  # noqa: F401
        import ibis  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        remedy = f"this needs {error.name}: {install('batch')}"
        raise InputError("audit-batch", "(not installed)", remedy) from None


def event_files(path: Path) -> list[Path]:
    """The Parquet files of a folder in order of their names, or the one file."""
    if path.is_dir():
        found = sorted(path.rglob("*.parquet"))
        if not found:
            raise InputError("events", str(path), "there is no .parquet file in this folder")
        return found
    if not path.is_file():
        raise InputError("events", str(path), "this file does not exist; check its name and its folder")
    if path.suffix.lower() not in (".parquet", ".csv", ".tsv"):
        raise InputError("events", str(path), "give a .parquet, .csv or .tsv file, or a folder of .parquet files")
    return [path]


def csv_to_parquet(source: Path, target: Path) -> None:
    """Rewrite a CSV file as Parquet, every cell as the text that it is; InputError where it is not a CSV."""
    import pyarrow as pa
    import pyarrow.csv as csv
    import pyarrow.parquet as parquet

    parse = csv.ParseOptions(delimiter="\t" if source.suffix.lower() == ".tsv" else ",", newlines_in_values=True)
    try:
        with source.open(encoding="utf-8-sig", newline="") as file:
            import csv as plain

            header = next(plain.reader(file, delimiter=parse.delimiter), [])
        if len(set(header)) != len(header):
            raise InputError("events header", ",".join(header), "two columns have one name; rename one")
        convert = csv.ConvertOptions(
            column_types={name: pa.string() for name in header}, strings_can_be_null=False, check_utf8=True
        )
        with (
            csv.open_csv(source, parse_options=parse, convert_options=convert) as reader,
            parquet.ParquetWriter(target, reader.schema) as writer,
        ):
            for batch in reader:
                writer.write_batch(batch)
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        raise InputError("events", str(source), f"this is not a readable CSV file ({error})") from None


def schema_of(files: Sequence[Path]) -> pa.Schema:
    """The common schema of the Parquet files."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    schemas = []
    for file in files:
        try:
            schemas.append(parquet.read_schema(file).remove_metadata())
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError("events", str(file), f"this is not a readable Parquet file ({error})") from None
        if not schemas[-1].equals(schemas[0]):
            raise InputError("events", str(file), f"its columns or their types differ from those of {files[0].name}")
    return schemas[0]


def columns(schema: pa.Schema, unit: str, order: str | None = None, ignored: Sequence[str] = ()) -> Columns:
    """What each column means; InputErrors names all that are unknown, missing or of a type that is not exact."""
    errors: list[InputError] = []
    names = list(schema.names)
    for option, name in (("--unit", unit), ("--ordered-by", order), *(("--ignore", name) for name in ignored)):
        if name is not None and names.count(name) != 1:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            errors.append(InputError(option, name, f"{hint}the columns are {', '.join(names)}"))
    if errors:
        raise InputErrors.of(errors)
    fields: dict[str, tuple[SourceColumn, ...]] = {}
    parts: dict[str, dict[str, SourceColumn]] = {}
    for name in names:
        if name in ignored or name in (unit, order):
            continue
        meaning, part = _meaning(name)
        if meaning in _WORDS:
            continue
        if not meaning:
            near = difflib.get_close_matches(name.casefold(), FIELDS, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            remedy = f"{hint}known are {_KNOWN}; --ignore {name} leaves it out"
            errors.append(InputError("events column", name, remedy))
            continue
        column = SourceColumn(name, _is_text(schema.field(name).type))
        if refusal := _refused(schema.field(name).type, meaning, part):
            errors.append(InputError(f"events column {name}", str(schema.field(name).type), refusal))
        elif part:
            parts.setdefault(meaning, {})[part] = column
        elif meaning in fields:
            errors.append(InputError("events column", name, f"two columns mean {meaning}; --ignore one"))
        else:
            fields[meaning] = (column,)
    for meaning, found in parts.items():
        if len(found) != 2 or meaning in fields:
            what = f"give {meaning} once: as one column, or as {meaning}_numerator and {meaning}_denominator"
            errors.append(InputError("events column", next(iter(found.values())).name, what))
        else:
            fields[meaning] = tuple(found[part] for part in _PARTS)
    if not errors and not {"epsilon", "rho", "mu"} & set(fields):
        errors.append(InputError("events header", ",".join(names), f"give the columns {_KNOWN}"))
    kinds = [("--unit", unit)] + ([("--ordered-by", order)] if order is not None else [])
    for option, name in kinds:
        if refusal := _not_a_key(schema.field(name).type, ordered=option == "--ordered-by"):
            errors.append(InputError(option, f"{name}: {schema.field(name).type}", refusal))
    if errors:
        raise InputErrors.of(errors)
    return Columns(
        SourceColumn(unit, _is_text(schema.field(unit).type)),
        fields,
        None if order is None else SourceColumn(order, _is_text(schema.field(order).type)),
    )


def _meaning(name: str) -> tuple[str, str]:
    """What a column is called for, and whether it is a numerator or a denominator."""
    text = name.strip().casefold()
    stem, _, end = text.rpartition("_")
    if end in _PARTS and MEANING.get(stem, "") in NUMBERS:
        return MEANING[stem], end
    return MEANING.get(text, ""), ""


def _is_text(kind: Any) -> bool:
    import pyarrow.types as types

    inner = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_string(inner) or types.is_large_string(inner) or types.is_string_view(inner))


def _refused(kind: Any, meaning: str, part: str) -> str:
    """Why a field cannot be read from a column of this type; nothing where it can."""
    import pyarrow.types as types

    if types.is_floating(kind):
        return (
            "floats are not exact; write text such as 0.1 or 1/10, decimals, or integers as "
            f"{meaning}_numerator and {meaning}_denominator"
        )
    if _is_text(kind) or (types.is_integer(kind) and meaning not in ("kind", "decision")):
        return ""
    if types.is_decimal(kind) and meaning in NUMBERS and not part:
        return ""
    return "give text" if meaning in ("kind", "decision") else "give text, integers or decimals"


def _not_a_key(kind: Any, *, ordered: bool) -> str:
    import pyarrow.types as types

    if types.is_integer(kind) or (_is_text(kind) and not ordered):
        return ""
    if ordered:
        return "" if _is_text(kind) else "give the place of each event among those of its unit as a whole number"
    return "a unit is named by text or by an integer"


def spelled_batches(files: Sequence[Path], where: Columns) -> Iterator[tuple[Path, int, Any, Any]]:
    """The rows of the files in order: the file, the first row's number there, the units, and the events as spelled."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as parquet

    names = [where.unit.name, *(column.name for field in where.fields.values() for column in field)]
    for file in files:
        first = 1
        with contextlib.closing(parquet.ParquetFile(file)) as opened:
            for batch in opened.iter_batches(columns=list(dict.fromkeys(names))):
                cells = []
                for field in FIELDS:
                    found = [
                        pc.fill_null(pc.cast(batch.column(column.name), pa.string()), "")
                        for column in where.fields.get(field, ())
                    ]
                    if not found:
                        cells.append(pa.array([ABSENT] * len(batch), pa.string()))
                        continue
                    cell = found[0] if len(found) == 1 else pc.binary_join_element_wise(*found, "/")
                    for sign in (FIELD_END, EVENT_END, ABSENT):
                        cell = pc.replace_substring(cell, sign, UNREADABLE)
                    cells.append(cell)
                spelled = pc.binary_join_element_wise(*cells, FIELD_END)
                yield file, first, pc.cast(batch.column(where.unit.name), pa.string()), spelled
                first += len(batch)
