"""Several ledgers of one privacy unit as one: the events of all, as if they had been recorded together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from privref.exact.errors import InputError
from privref.exact.given import require

from .model import Ledger, require_ledger
from .names import canonical
from .reading import ledger_from_document
from .writing import ledger_document

#: What the ledgers must say alike, since every theorem takes one answer.
_ALIKE = ("neighbours", "parameters", "interaction", "privacy_unit")
#: What is said of one interaction and does not carry over to several.
_OF_ONE = ("budget", "tuning", "dataset_size", "attained_together", "queries")


def combined(ledgers: Sequence[Ledger], names: Sequence[str]) -> Ledger:
    """One ledger with the events of all, in order; InputError where they do not speak of the same thing.

    A spreadsheet says nothing of the privacy unit: it takes that of the first ledger that does.
    """
    require(ledgers, Sequence, "ledgers", "give a list of ledgers")
    for i, ledger in enumerate(ledgers):
        require_ledger(ledger, f"ledgers[{i}]")
    if not ledgers or len(names) != len(ledgers):
        raise InputError("names", names, "give each ledger a name, and at least one ledger")
    documents = [dict(ledger.document) for ledger in ledgers if ledger.document is not None]
    unit = documents[0]["privacy_unit"] if documents else "person"
    documents = [_document(ledger, name, unit) for ledger, name in zip(ledgers, names, strict=True)]
    first = documents[0]
    for document, name in zip(documents, names, strict=True):
        for key in (*_ALIKE, "period"):
            if document.get(key) != first.get(key):
                said = f"{names[0]} says {first.get(key, 'nothing')}"
                raise InputError(f"{name}.{key}", document.get(key, "(nothing)"), f"{said}; audit them apart")
        for key in _OF_ONE:
            if key in document and len(documents) > 1:
                remedy = f"the {key} of one ledger says nothing of several; remove it, or audit the ledgers apart"
                raise InputError(f"{name}.{key}", "(given)", remedy)
    partitions: dict[str, str] = {}
    for document, name in zip(documents, names, strict=True):
        for spelled, public_key in document.get("partitions", {}).items():
            partition = canonical(spelled, f"{name}.partitions")
            if partitions.setdefault(partition, public_key) != public_key:
                raise InputError(f"{name}.partitions", partition, "another ledger gives it another public key")
    different = [group for document in documents for group in document.get("different_names", ())]
    together: dict[str, Any] = {
        "schema": "ledger.1",
        "title": "; ".join(dict.fromkeys(document["title"] for document in documents)),
        **{key: first[key] for key in _ALIKE},
        **({"period": first["period"]} if "period" in first else {}),
        **({"partitions": partitions} if partitions else {}),
        **({"different_names": different} if different else {}),
        "events": [event for document in documents for event in document["events"]],
    }
    return ledger_from_document(together)


def _document(ledger: Ledger, name: str, unit: str) -> dict[str, Any]:
    """The ledger as a document; a spreadsheet becomes one, with what was declared for it."""
    if ledger.document is not None:
        return dict(ledger.document)
    neighbours, parameters, interaction = ledger.neighbours, ledger.parameters, ledger.interaction
    if neighbours is None or parameters is None or interaction is None:
        remedy = "a spreadsheet is audited together with others only with --neighbours, --parameters and --interaction"
        raise InputError(name, "(undeclared)", remedy)
    return ledger_document(
        ledger, title=ledger.title, privacy_unit=unit, neighbours=neighbours, parameters=parameters,
        interaction=interaction,
    )  # fmt: skip
