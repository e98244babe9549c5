"""A ledger as a ``ledger.1`` document: what a spreadsheet said, with what it could not say."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell
from privref.guarantees.model import Guarantee

from .model import Event, Interaction, Ledger, Neighbours, Parameters, require_ledger
from .reading import OF_NUMBERS, ledger_from_document


def _guarantee(guarantee: Guarantee, as_written: Mapping[str, Any]) -> dict[str, str]:
    if guarantee.kind not in OF_NUMBERS:
        raise InputError("guarantee", guarantee.kind, "no spreadsheet says this")
    numbers = {each.name: getattr(guarantee, each.name) for each in fields(guarantee)}
    left_out = {each.name for each in fields(guarantee) if each.default == numbers[each.name]}
    texts = {name: as_written.get(name) for name in numbers}
    said = {name: text for name, text in texts.items() if isinstance(text, str) and rational(text) == numbers[name]}
    return {"kind": guarantee.kind} | {
        name: said.get(name, spell(number)) for name, number in numbers.items() if name in said or name not in left_out
    }


def ledger_document(
    ledger: Ledger,
    *,
    title: str,
    privacy_unit: str,
    neighbours: Neighbours,
    parameters: Parameters,
    interaction: Interaction,
) -> dict[str, Any]:
    """The document that says what the spreadsheet said and what it could not; it is read back as a check.

    InputError for a ledger that says more than a spreadsheet does: what it declares would be lost.
    """
    require_ledger(ledger)
    if ledger.document is not None:
        raise InputError("ledger", ledger.title, "it is a ledger.1 document already: ledger.document")
    stated = {"neighbours": neighbours, "parameters": parameters, "interaction": interaction}
    for name, value in {**stated, "privacy_unit": privacy_unit}.items():
        if getattr(ledger, name) not in (None, "", value):
            raise InputError(name, value, f"the ledger declares {getattr(ledger, name)}")
    document = {
        "schema": "ledger.1",
        "title": title,
        "privacy_unit": privacy_unit,
        "neighbours": neighbours,
        "parameters": parameters,
        "interaction": interaction,
        **structure(ledger),
        "events": event_documents(ledger),
    }
    ledger_from_document(document)
    return document


#: What of a ledger is written, is given beside it, or says where it was read from.
_WRITTEN = {
    "title", "events", "digest", "digest_of", "neighbours", "parameters", "interaction", "privacy_unit", "document",
    "rows", "unread",
}  # fmt: skip
#: What of the whole the rows of a sheet may say, and the mark of the numbers in them that were rounded.
_OF_ROWS = ("partitions", "period")


def structure(ledger: Ledger) -> dict[str, Any]:
    """Return what the rows of a sheet say of the whole, as ``ledger.1`` has it: partitions and the period."""
    rows = ledger.rows or {}
    return {name: rows[name] for name in _OF_ROWS if name in rows}


def says_more(row: Mapping[str, Any]) -> bool:
    """Return whether a row says more than a guarantee with exact numbers, a count and a label."""
    return bool(set(row) - {"label", "count", "guarantee"}) or any(
        isinstance(number, dict) for number in row.get("guarantee", {}).values()
    )


def event_documents(ledger: Ledger) -> list[dict[str, Any]]:
    """Return the events of a spreadsheet as ``ledger.1`` has them.

    InputError for a ledger that says more than a spreadsheet does, of an event or of the whole.
    """
    for field in fields(ledger):
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        of_rows = ledger.rows is not None and field.name in (*_OF_ROWS, "rounded")
        if field.name not in _WRITTEN and not of_rows and getattr(ledger, field.name) != default:
            remedy = "the ledger declares more than a spreadsheet can; write its document itself"
            raise InputError(f"ledger.{field.name}", "(given)", remedy)
    if ledger.rows is not None and any(says_more(row) for row in ledger.rows["events"]):
        return list(ledger.rows["events"])
    events = []
    for i, (event, as_written) in enumerate(zip(ledger.events, ledger.as_written, strict=True)):
        if event != Event(event.guarantee, event.count, event.label):
            remedy = "only a guarantee, a count and a label are written here; write the ledger's document itself"
            raise InputError(f"ledger.events[{i}]", event.label or event.guarantee.kind, remedy)
        entry: dict[str, Any] = {"label": event.label} if event.label else {}
        entry |= {"count": event.count} if event.count > 1 else {}
        events.append(entry | {"guarantee": _guarantee(event.guarantee, as_written)})
    return events


# Files that are written whole or not at all.

#: What Windows takes for a device in every folder, in any case and with any ending: "aux.txt" is the device aux.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE | re.DOTALL
)


def require_file_name(name: str, field: str) -> None:
    """Refuse a name that some platform cannot give a file; the same on every one, since files are sent to others."""
    if _DEVICE.fullmatch(name):
        remedy = "a file is written under this name, and on Windows it is a device, whatever its ending; choose another"
        raise InputError(field, name, remedy)
    if name != name.rstrip(". ") or not name:
        remedy = "a file is written under this name, and Windows drops dots and blanks at its end; choose another"
        raise InputError(field, name, remedy)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, or leave what was there: also where a signal comes in between. Text in UTF-8, lines as they are.

    OSError where the folder cannot be written, or where the name is that of a device or a pipe: it would be replaced.
    """
    name, path = None, path.resolve()
    if path.exists() and not path.is_file():
        raise OSError(errno.EEXIST, "it is a device or a pipe")
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".privref-", delete=False) as file:
            name = Path(file.name)
            file.write(content.encode() if isinstance(content, str) else content)
        name.chmod(0o644)
        os.replace(name, path)
    except BaseException:
        if name is not None:
            name.unlink(missing_ok=True)
        raise


def write_folder(folder: Path, texts: Mapping[str, str], option: str) -> tuple[str, ...]:
    """Write files into a folder, each whole or not at all, and return their names; InputError names the option."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).parent.mkdir(exist_ok=True)
            write_whole(folder / name, text)
    except OSError as error:
        raise InputError(option, str(folder), f"name a folder that can be written ({error.strerror})") from None
    return tuple(texts)
