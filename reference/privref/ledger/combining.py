"""Several ledgers of one privacy unit as one: the events of all, and what is declared of their joint interaction.

What each ledger declares of its own interaction does not carry over. Two ledgers whose parameters were each fixed in
advance are adaptive together where which ledger ran depended on an answer in the other, and two that each ran one event
after another ran at the same time. So the joint ledger is read as adaptive and concurrent, unless more is declared of
all of them together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from privref.exact.errors import InputError, require

from .model import Ledger, require_ledger
from .names import canonical, question
from .reading import ledger_from_document

#: What may be declared of all ledgers together: by word, the field of the joint ledger that it sets, if it sets one.
TOGETHER: Mapping[str, str | None] = {
    "fixed-in-advance": "parameters",
    "chosen-adaptively": "parameters",
    "sequential": "interaction",
    "concurrent": "interaction",
    "same-parts": None,
}
#: What holds of any joint interaction.
_OF_ANY = {"parameters": "chosen-adaptively", "interaction": "concurrent"}
#: What the ledgers must say alike: one neighbour changes one unit's data in all of them.
_ALIKE = ("neighbours", "privacy_unit", "period")
#: What is joined.
_JOINED = ("schema", "title", "source", "partitions", "different_names", "events", "evidence")


def combined(ledgers: Sequence[Ledger], names: Sequence[str], together: str | Sequence[str] = ()) -> Ledger:
    """Return one ledger with the events of all, in order; InputError where they do not speak of the same thing.

    ``together``, words or a text with commas between them, declares of the joint interaction that its parameters were
    ``fixed-in-advance``, that it was ``sequential``, and that a unit lies in the ``same-parts`` of a partition in every
    ledger. What is not declared is not used. A field about one ledger's own interaction (its budget, say) is refused.

    A spreadsheet says nothing of the privacy unit: it takes that of the first ledger that does.
    """
    require(ledgers, Sequence, "ledgers", "give a list of ledgers")
    for i, ledger in enumerate(ledgers):
        require_ledger(ledger, f"ledgers[{i}]")
    if not ledgers or len(names) != len(ledgers):
        raise InputError("names", names, "give each ledger a name, and at least one ledger")
    words = _words(together)
    declared = _declared(words)
    if len(ledgers) == 1:
        if words:
            raise InputError("together", ",".join(words), "it declares how several ledgers ran, and only one is given")
        return ledgers[0]
    documents = [dict(ledger.document) for ledger in ledgers if ledger.document is not None]
    unit = documents[0]["privacy_unit"] if documents else "person"
    documents = [_document(ledger, name, unit) for ledger, name in zip(ledgers, names, strict=True)]
    named = list(zip(documents, names, strict=True))
    first = documents[0]
    for document, name in named:
        for key in _ALIKE:
            if document.get(key) != first.get(key):
                said = f"{names[0]} says {first.get(key, 'nothing')}"
                raise InputError(f"{name}.{key}", document.get(key, "(missing)"), f"{said}; audit them apart")
        for key in document:
            if key not in (*_ALIKE, *_JOINED, *_OF_ANY):
                remedy = f"the {key} of one ledger says nothing of several; remove it, or audit the ledgers apart"
                raise InputError(f"{name}.{key}", "(given)", remedy)
        for key, value in _OF_ANY.items():
            if document.get(key) == value and declared[key] != value:
                remedy = f"{name} declares {key} {value}, so the ledgers together are not {declared[key]}"
                raise InputError("together", declared[key], f"{remedy}; leave the word out")
    partitions = _partitions(named, same="same-parts" in words)
    different = [group for document in documents for group in document.get("different_names", ())]
    # What an attack on one of them shows, it shows of all of them together.
    evidence = [piece for document in documents for piece in document.get("evidence", ())]
    sources = list(dict.fromkeys(document["source"] for document in documents if "source" in document))
    joint: dict[str, Any] = {
        "schema": "ledger.1",
        "title": "; ".join(dict.fromkeys(document["title"] for document in documents)),
        **({"source": "; ".join(sources)} if sources else {}),
        **{key: first[key] for key in _ALIKE if key in first},
        **declared,
        **({"partitions": partitions} if partitions else {}),
        **({"different_names": different} if different else {}),
        **({"evidence": evidence} if evidence else {}),
        "together": [{"title": ledger.title, "sha256": ledger.digest} for ledger in ledgers],
        "events": [event for document in documents for event in document["events"]],
    }
    attacked = tuple(ledger for ledger in ledgers if ledger.evidence)
    unread = dict.fromkeys(each for ledger in ledgers for each in ledger.unread)
    may_be_fixed = all(document.get("parameters") != "chosen-adaptively" for document in documents)
    read = ledger_from_document(joint)
    found = replace(read, attacked=attacked, unread=tuple(unread), may_be_fixed=may_be_fixed)
    _each_answers(found, ledgers, names)
    return found


def _each_answers(joint: Ledger, ledgers: Sequence[Ledger], names: Sequence[str]) -> None:
    """Refuse a declaration that two names are different which is not of every ledger that uses one of them.

    What one ledger declares of its own spelling says nothing of what another ledger means by a name.
    """
    for one, other in joint.told_apart():
        for ledger, name in zip(ledgers, names, strict=True):
            own = ledger.names_in_use & {one, other}
            if own and not any({one, other} <= set(group) for group in ledger.different_names):
                used = min(own)
                pair = json.dumps([one, other], ensure_ascii=False)
                answer = f'declare here too "different_names": [{pair}]'
                remedy = question(other if used == one else one, used, answer)
                raise InputError(f"{name}, a part or partition", used, remedy)


def _words(together: str | Sequence[str]) -> tuple[str, ...]:
    require(together, Sequence, "together", f"give some of {', '.join(TOGETHER)}, with commas between them")
    if isinstance(together, str):
        return tuple(part.strip() for part in together.split(","))
    return tuple(together)


def _declared(words: tuple[str, ...]) -> dict[str, str]:
    """Return the parameters and the interaction of the joint ledger: as declared, else what holds of any."""
    found: dict[str, str] = {}
    for word in words:
        if not isinstance(word, str) or word not in TOGETHER:
            raise InputError("together", word, f"give some of {', '.join(TOGETHER)}")
        key = TOGETHER[word]
        if key is not None and found.setdefault(key, word) != word:
            raise InputError("together", word, f"{found[key]} is declared too; keep one of the two")
    return {**_OF_ANY, **found}


def _partitions(named: Sequence[tuple[dict[str, Any], str]], *, same: bool) -> dict[str, str]:
    """Return the partitions of all; one that several ledgers name must have one key, and be declared the same."""
    found: dict[str, str] = {}
    for document, name in named:
        for spelled, public_key in document.get("partitions", {}).items():
            partition = canonical(spelled, f"{name}.partitions")
            shared = partition in found
            if found.setdefault(partition, public_key) != public_key:
                raise InputError(f"{name}.partitions", partition, "another ledger gives it another public key")
            if shared and not same:
                remedy = (
                    "another ledger names it too, and a unit may lie in another part there; declare same-parts of the "
                    "ledgers together if it does not, or give the partition a name of its own in each"
                )
                raise InputError(f"{name}.partitions", partition, remedy)
    return found


def _document(ledger: Ledger, name: str, unit: str) -> dict[str, Any]:
    """Return the ledger as a document; a spreadsheet becomes one, with what was declared for it."""
    if ledger.document is not None:
        return dict(ledger.document)
    if ledger.neighbours is None:
        raise InputError(name, "(not declared)", "a spreadsheet is audited together with others only with --neighbours")
    declared = {"parameters": ledger.parameters, "interaction": ledger.interaction}
    from .writing import event_documents, structure

    return {
        "title": ledger.title,
        "privacy_unit": ledger.privacy_unit or unit,
        "neighbours": ledger.neighbours,
        **{key: value for key, value in declared.items() if value is not None},
        **structure(ledger),
        "events": event_documents(ledger),
    }
