"""One rule for all names that are compared: parts, partitions, units of a batch, labels.

1. A name is taken in normal form C of Unicode (NFC), without white space at its ends. NFC and not NFKC, because two
   spellings with one NFC are one text in every program, while NFKC also makes one of what is written differently on
   purpose ("m²" and "m2"): that is asked, and not decided.
2. A name with a character that nobody sees (controls, zero-width and bidirectional signs, fillers, selectors), or that
   has no fixed look (private use, unassigned), is refused.
3. Two names that differ may still be one for whoever wrote them. They are alike if at every place their characters look
   the same as they are written, in lower case, or in upper case; compatibility forms (NFKC) and the length of white
   space do not count. Which characters look the same is Unicode's own table (UTS #39, ``look_alikes.json``), of single
   characters only: "rn" is not compared with "m". Alike names are a question, which the ledger answers.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from privref.exact.errors import InputError, InputErrors

#: Categories of characters that show nothing, or nothing that is fixed.
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
#: Characters of other categories that show nothing: fillers, joiners and selectors.
_BLANK = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800), (0x3164, 0x3164),
        (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)  # fmt: skip
#: So many characters of pairs of names that share a key are compared; an input with more is refused.
MOST_COMPARED = 20_000_000
#: So many pairs are asked about at once.
MOST_ASKED = 20


def unseen(name: str) -> tuple[int, str] | None:
    """Return the place (from 1) and the character that nobody sees; None where there is none."""
    if name.isascii() and name.isprintable():
        return None
    for place, character in enumerate(name, 1):
        if unicodedata.category(character) in _UNSEEN or character in _BLANK:
            return place, character
    return None


def described(character: str) -> str:
    """Return a character's code point and name."""
    return f"U+{ord(character):04X} {unicodedata.name(character, 'without a name')}"


def trimmed(name: str) -> str:
    """Return the name in normal form C, without white space at its ends."""
    return unicodedata.normalize("NFC", name.strip())


@lru_cache(1 << 16)
def canonical(name: str, field: str) -> str:
    """Return the one form of a name; InputError where a character of it cannot be seen, or nothing is left."""
    found = trimmed(name)
    if not found:
        raise InputError(field, name or "(empty)", "give a name that can be seen")
    if (hidden := unseen(found)) is not None:
        place, character = hidden
        remedy = (
            f"character {place} is {described(character)}, which does not show, so the name looks the same "
            "without it; take it out"
        )
        raise InputError(field, name, remedy)
    return found


# --- names that are alike ---------------------------------------------------------------------------------------------


@cache
def _prototypes() -> dict[str, str]:
    """Return, of each character in Unicode's table, the one that stands for all that look like it."""
    text = files("privref").joinpath("ledger", "look_alikes.json").read_text(encoding="utf-8")
    return {other: one for one, others in json.loads(text)["alike"].items() for other in others}


@cache
def _kept() -> frozenset[str]:
    """Return the characters that look otherwise than their compatibility form: the lunate sigma, the long s."""
    return frozenset(each for each in _prototypes() if unicodedata.normalize("NFKD", each) != each)


def _apart(text: str) -> str:
    """Return the text with its compatibility forms taken apart (NFKD), but for characters that look otherwise."""
    kept = _kept()
    if kept.isdisjoint(text):
        return unicodedata.normalize("NFKD", text)
    signs = unicodedata.normalize("NFD", text)
    parts = (sign if sign in kept else unicodedata.normalize("NFKD", sign) for sign in signs)
    return unicodedata.normalize("NFD", "".join(parts))


def _single(text: str, character: str) -> str:
    return text if len(text) == 1 else character


def _lower(character: str) -> str:
    return _single(_apart(character.casefold()), character)


@cache
def _looks(character: str) -> tuple[str, str, str, str]:
    """Return what stands for a character's look as written, in lower and upper case, and in its compatibility form."""
    table = _prototypes()
    upper = _single(_apart(character.upper()), character)
    form = _single(unicodedata.normalize("NFKD", character), character)
    written, low, high, plain = (table.get(each, each) for each in (character, _lower(character), upper, form))
    return written, low, high, plain


def _same_look(one: str, other: str) -> bool:
    return one == other or any(a == b for a, b in zip(_looks(one), _looks(other), strict=True))


_ASCII = "".join(map(chr, range(32, 127)))


@lru_cache(64)
def _classes(others: str) -> dict[int, str]:
    """Return the class of each character of ASCII and of ``others``: the least that a chain of looks links it to.

    Characters of different classes never look the same. The fewer characters, the more classes.
    """
    parents: dict[str, str] = {}

    def root(character: str) -> str:
        while parents.setdefault(character, character) != character:
            character = parents[character]
        return character

    known: dict[tuple[int, str], str] = {}
    for character in _ASCII + others:
        for look in enumerate(_looks(character)):
            first, second = sorted((root(known.setdefault(look, character)), root(character)))
            parents[second] = first
    return {ord(character): root(character) for character in parents}


def spread(name: str) -> str:
    """Return the name as it is compared: compatibility forms taken apart, one space for all white space.

    A character that lower case makes into several (ß) stands as those, and the dotted capital I as an I.
    """
    if name.isascii():
        return " ".join(name.split())
    text = " ".join(_apart(name).split())
    if not text.isascii():
        text = "".join(character if len(folded := character.casefold()) == 1 else _apart(folded) for character in text)
    return text.replace("I\u0307", "I").replace("i\u0307", "i")


def others(name: str) -> str:
    """Return the characters beyond ASCII by which the name is compared, each once, in order."""
    return "" if name.isascii() else "".join(sorted({each for each in spread(name) if not each.isascii()}))


def key(name: str, others: str) -> str:
    """Return a key that all names share which are alike; names that share one need not be alike.

    ``others`` are the characters beyond ASCII of all names that are compared.
    """
    return spread(name).translate(_classes(others))


class Compared:
    """Which of several names with one key are alike: an exact test of each pair, while they are not too many."""

    def __init__(self) -> None:
        self._left = MOST_COMPARED

    def pairs(self, names: Sequence[str], field: str) -> Iterator[tuple[str, str]]:
        """Yield the pairs that are alike, each in the order given; InputError where there are too many to compare."""
        texts = [spread(name) for name in names]
        self._left -= len(names) * (len(names) - 1) // 2 * max(map(len, texts))
        if self._left < 0:
            remedy = (
                "too many names differ by little, and would have to be compared pair by pair; use names that differ by "
                "more than 1, l and I, or 0 and O"
            )
            raise InputError(field, names[0], remedy)
        for i, one in enumerate(texts):
            for j in range(i):
                if len(one) == len(texts[j]) and all(map(_same_look, texts[j], one)):
                    yield names[j], names[i]


def alike(names: Iterable[str], field: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of different names that are alike, the later name second. Names as ``canonical`` gives them."""
    different = list(dict.fromkeys(names))
    beyond = "".join(sorted({each for name in different for each in others(name)}))
    by_key: dict[str, list[str]] = {}
    for name in different:
        by_key.setdefault(key(name, beyond), []).append(name)
    compared = Compared()
    for group in by_key.values():
        if len(group) > 1:
            yield from compared.pairs(group, field)


def are_alike(one: str, other: str) -> bool:
    """Return whether two names are alike; those with one form are."""
    texts = spread(trimmed(one)), spread(trimmed(other))
    return len(texts[0]) == len(texts[1]) and all(map(_same_look, *texts))


def how_they_differ(one: str, other: str) -> str:
    """Return where two names that are alike first differ, by code points where the sight of them does not say it."""
    first = next((pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]), None)
    if one.casefold() == other.casefold() or first is None:
        return "they differ only by case" if one.casefold() == other.casefold() else "one is longer"
    return f"they first differ in {described(first[0])} and {described(first[1])}"


def question(one: str, other: str, answer: str) -> str:
    """Return the remedy for a name that is like another one; ``answer`` is what to write where they are two."""
    return (
        f"it looks like {one!r} ({how_they_differ(one, other)}); if both are one, write one of them everywhere; "
        f"if they are two, {answer}"
    )


# --- the names of a ledger --------------------------------------------------------------------------------------------


def groups_from(document: Iterable[Sequence[str]], field: str) -> tuple[tuple[str, ...], ...]:
    """Return the groups of names that a ledger declares to be different, each in its one form."""
    found = []
    for i, group in enumerate(document):
        names = tuple(canonical(name, f"{field}[{i}][{j}]") for j, name in enumerate(group))
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{field}[{i}]", twice, "this name stands twice, and is not different from itself")
        found.append(names)
    return tuple(found)


def require_told_apart(
    names: Sequence[tuple[str, str]], different: Sequence[Sequence[str]], what: str
) -> list[tuple[str, str]]:
    """Return the alike pairs that the ledger declares to be different; InputErrors for those that it does not.

    ``names`` are the places in the ledger with the names there, of one kind; ``what`` says which kind.
    """
    places: dict[str, str] = {}
    for place, name in names:
        places.setdefault(name, place)
    groups: dict[str, set[int]] = {}
    for i, group in enumerate(different):
        for name in group:
            groups.setdefault(name, set()).add(i)
    answered, errors = [], []
    for one, other in alike(places, what):
        if groups.get(one, set()) & groups.get(other, set()):
            answered.append((one, other))
            continue
        pair = json.dumps([one, other], ensure_ascii=False)
        answer = f'declare in the ledger "different_names": [{pair}]'
        errors.append(InputError(places[other], other, question(one, other, answer)))
        if len(errors) == MOST_ASKED:
            break
    if errors:
        raise InputErrors.of(errors)
    return answered
