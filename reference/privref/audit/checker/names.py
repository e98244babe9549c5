"""The rule for names of parts a second time, from the raw ledger: one form, nothing unseen, alike names answered."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from privref.exact.errors import InputError

#: What shows nothing though its category is that of letters, marks or symbols.
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_MOST_COMPARED = 20_000_000


def one_form(name: str, field: str) -> str:
    """Return the name in NFC without white space around it; InputError where something in it does not show."""
    form = unicodedata.normalize("NFC", name).strip()
    categories = {unicodedata.category(sign) for sign in form}
    if not form or _BLANKS.search(form) or any(each[0] == "C" or each in ("Zl", "Zp") for each in categories):
        raise InputError(field, name, "a name is of characters that show")
    return form


@cache
def _table() -> Mapping[str, str]:
    path = files("privref").joinpath("ledger", "look_alikes.json")
    groups = json.loads(path.read_text(encoding="utf-8"))["alike"]
    return {sign: first for first, signs in groups.items() for sign in signs}


def _decomposed(text: str) -> str:
    """Return the text in NFKD; a sign of the table that is not its own NFKD looks otherwise, and stays."""
    if not any(sign in _table() and unicodedata.normalize("NFKD", sign) != sign for sign in text):
        return unicodedata.normalize("NFKD", text)
    signs = (sign if sign in _table() else unicodedata.normalize("NFKD", sign) for sign in _canonical(text))
    return _canonical("".join(signs))


def _canonical(text: str) -> str:
    return unicodedata.normalize("NFD", text)


@cache
def _marks(sign: str) -> frozenset[tuple[str, str]]:
    """Return what a sign looks like, in each of four ways to write it; signs that share one of these are alike."""
    forms = {
        "as it is": sign,
        "small": _decomposed(sign.casefold()),
        "capital": _decomposed(sign.upper()),
        "plain": unicodedata.normalize("NFKD", sign),
    }
    one = {way: form if len(form) == 1 else sign for way, form in forms.items()}
    return frozenset((way, _table().get(form, form)) for way, form in one.items())


def _signs(name: str) -> str:
    """Return the signs that are compared, one for one."""
    words = " ".join(_decomposed(name).split())
    folded = (sign if len(sign.casefold()) == 1 else _decomposed(sign.casefold()) for sign in words)
    return re.sub("([Ii])\u0307", r"\1", "".join(folded))


def _keys(texts: Iterable[str]) -> dict[int, str]:
    """Return a table that makes one sign of all that are linked by a chain of alike ones among these texts."""
    linked: dict[tuple[str, str], str] = {}
    group = {sign: {sign} for text in texts for sign in text}
    for sign in sorted(group):
        for mark in _marks(sign):
            other = linked.setdefault(mark, sign)
            if group[other] is not group[sign]:
                larger, smaller = sorted((group[other], group[sign]), key=len, reverse=True)
                larger |= smaller
                for each in smaller:
                    group[each] = larger
    return {ord(sign): min(signs) for sign, signs in group.items()}


def require_answers(names: Iterable[str], different: Iterable[Iterable[str]], field: str) -> None:
    """Refuse names that look alike, or differ by case, unless a group of the ledger declares them to be different."""
    texts = {name: _signs(name) for name in names}
    table, by_key = _keys(texts.values()), defaultdict(list)
    for name, text in texts.items():
        by_key[text.translate(table)].append(name)
    groups = [set(group) for group in different]
    if sum(len(near) * (len(near) - 1) // 2 * len(key) for key, near in by_key.items()) > _MOST_COMPARED:
        raise InputError(field, "(many)", "too many names differ by little to be compared")
    for near in by_key.values():
        for one, other in combinations(near, 2):
            same = all(_marks(a) & _marks(b) for a, b in zip(texts[one], texts[other], strict=True))
            if same and not any({one, other} <= group for group in groups):
                raise InputError(field, other, f"it looks like {one!r}, and nothing says that they are different")


def parts_told_apart(document: Mapping[str, Any]) -> dict[str, Mapping[str, str]]:
    """Return each part that an event of the raw ledger reads, as it is spelled there, in its one form.

    InputError where a partition has no public key or two, where a name has signs that do not show, or where names are
    alike and the ledger does not say that they are different.
    """
    keys = [one_form(name, "ledger: partitions") for name in document.get("partitions", {})]
    if len(set(keys)) != len(keys):
        raise InputError("ledger: partitions", ", ".join(keys), "a partition stands twice")
    different = [
        [one_form(name, "ledger: different_names") for name in group] for group in document.get("different_names", ())
    ]
    parts: dict[str, dict[str, None]] = {}
    found: dict[str, Mapping[str, str]] = {}
    for event in document["events"]:
        if "part" not in event:
            continue
        part = {key: one_form(event["part"][key], f"ledger: part.{key}") for key in ("of", "is")}
        if part["of"] not in keys:
            raise InputError("ledger: part.of", part["of"], "its public key is not among the `partitions`")
        parts.setdefault(part["of"], {})[part["is"]] = None
        found[spelling(event["part"])] = part
    require_answers(keys, different, "ledger: partitions")
    for names in parts.values():
        require_answers(names, different, "ledger: part.is")
    return found


def spelling(part: Mapping[str, str]) -> str:
    """Return a raw part as one word."""
    return json.dumps([part["of"], part["is"]])
