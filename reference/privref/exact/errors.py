"""The exceptions of privref, one tree.

PrivrefError
├── InputError          malformed or refused input (exit code 2)
├── OutOfScopeError     an unknown statement or event (exit code 4; 2 where it is the command's own argument)
├── HypothesisError     a theorem's hypothesis is not met (exit code 4)
├── UndecidedError      the precision cap was reached before a comparison was decided (exit code 3)
│   ├── UnwritableError the value is too large or too small to be written down
│   └── WorkLimitError  the question needs more work than is spent on one (privref.exact.work)
├── MorePrecisionError  an enclosure is too wide for the next step; the precision ladder catches it
├── NotRationalError    exact arithmetic was asked for an irrational value
├── EnginesDisagree     the two engines contradict each other (a defect of privref or of a library under it)
└── RegistrationError   a statement is registered without its citation, kind or docstring (a defect of privref)
"""

from __future__ import annotations

import difflib
import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

#: An end of an enclosure beyond 2^±this is not written down. Rational arithmetic with such numbers stays quick.
WRITABLE_BITS = 150_000

_PLACEHOLDER = re.compile(r"\([a-z ]{1,20}\)")
#: Controls, formats (bidirectional overrides among them), surrogates, and the separators of lines and paragraphs.
_UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def one_line(text: str) -> str:
    """The text with everything that moves the cursor, breaks the line or hides in it as an escape: \\n, \\x1b, \\u202e.

    For text from outside, wherever people read it: it can start no line of its own and colour nothing.
    """
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii") if unicodedata.category(character) in _UNSHOWN else character
        for character in text
    )


def _value_text(value: object) -> str:
    try:
        text = str(value) if isinstance(value, (str, Fraction)) else repr(value)
    except ValueError:  # Python spells no integer of more than 4,300 digits
        text = f"({type(value).__name__} of too many digits to show)"
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else f"{text[:40]}… ({len(text)} characters)")


class PrivrefError(Exception):
    """Any failure that privref expects and explains; its message is one line, whatever it quotes."""

    def __str__(self) -> str:
        return one_line(super().__str__())


#: What stands for a value that cannot be shown, and says something of the field.
_STATES = frozenset(
    f"({state})"
    for state in (
        "empty",
        "given",
        "irrational",
        "missing",
        "not declared",
        "not embedded",
        "not installed",
        "too large",
    )
)


def _refusal(field: str, value: object, remedy: str) -> str:
    if isinstance(value, str) and value in _STATES:
        return f"{field} is {value[1:-1]}: {remedy}"
    if isinstance(value, str) and _PLACEHOLDER.fullmatch(value):
        return f"{field}: {remedy}"
    return f"{field}: privref rejects {_value_text(value)}: {remedy}"


class InputError(PrivrefError, ValueError):
    """An input that is refused: names the field, shows the value, and says what to write instead.

    A word in parentheses, such as ``(missing)`` or ``(value)``, stands for a value that is not there or is not shown.
    """

    def __init__(self, field: str, value: object, remedy: str) -> None:
        self.field = field
        self.value = value
        self.remedy = remedy
        super().__init__(_refusal(field, value, remedy))

    def within(self, place: str) -> InputError:
        """The same refusal, its field prefixed by the place in the document where it was met."""
        separator = "" if self.field.startswith("[") else "."
        return InputError(f"{place}{separator}{self.field}", self.value, self.remedy)


class InputErrors(InputError):
    """Several refusals of one document, in its order; the message is still one line."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        self.errors = tuple(errors)
        first = self.errors[0]
        super().__init__(first.field, first.value, first.remedy)
        self.args = ("; ".join(error.args[0] for error in self.errors),)

    @classmethod
    def of(cls, errors: Sequence[InputError]) -> InputError:
        """The one refusal, or all of them together."""
        return errors[0] if len(errors) == 1 else cls(errors)


class OutOfScopeError(PrivrefError, LookupError):
    """A statement or an event that privref does not know."""


class HypothesisError(PrivrefError):
    """A theorem was asked for where one of its hypotheses fails."""


class UndecidedError(PrivrefError, ArithmeticError):
    """Precision was raised to its cap and the comparison or the digits asked for were still open."""


class UnwritableError(UndecidedError):
    """A value of certain sign that is too large or too small to be written down, at any precision."""

    def __init__(self, sign: int) -> None:
        self.sign = sign
        super().__init__(f"no finite enclosure of a writable size: its logarithm to base 2 is beyond {WRITABLE_BITS:,}")


class MorePrecisionError(PrivrefError, ArithmeticError):
    """An enclosure is too wide to go on (division around zero, an open branch): the ladder retries with more bits."""


class NotRationalError(PrivrefError, ArithmeticError):
    """The exact arithmetic met a value that is not rational (or not known to be)."""


class EnginesDisagree(PrivrefError, RuntimeError):
    """The two engines gave disjoint enclosures or different verdicts: a defect of privref or of a library under it."""


class RegistrationError(PrivrefError, TypeError):
    """A statement was registered without something that every statement must have."""


# --- what a caller gave is of the type that is read, or refused in one line -------------------------------------------


def require(value: object, kind: type | tuple[type, ...], field: str, remedy: str) -> None:
    """InputError where the value is of no such type."""
    if not isinstance(value, kind):
        raise InputError(field, value, remedy)


def require_text(value: object, field: str, remedy: str = "give text") -> None:
    """InputError where the value is not a text."""
    require(value, str, field, remedy)


#: Words that people write for one of ours that looks otherwise; the first that is known in its place is meant.
_MEANT = {
    "bounded": ("replace-one",), "unbounded": ("add-or-remove-one",), "renyi": ("rdp",), "theorem": ("by",),
    "basic": ("rogers2016/thm3.3",), "eps": ("epsilon",),
}  # fmt: skip


def meant(given: object, known: Iterable[object]) -> str:
    """Return the known word that was probably meant, or nothing; its case and underscores are forgiven."""
    words = {str(word).casefold(): str(word) for word in known}
    text = str(given).casefold()
    near = [word for word in _MEANT.get(text, ()) if word in words]
    near += [word for word in words if len(text) > 2 and word.startswith(text)]
    near += difflib.get_close_matches(text.replace("_", "-"), words, n=1) or difflib.get_close_matches(text, words, n=1)
    return words[near[0]] if near else ""


def nearest(given: object, known: Iterable[object]) -> str:
    """Return a hint at the known word that was probably meant, or nothing.

    >>> nearest("replace_one", ["add-or-remove-one", "replace-one"])
    'did you mean replace-one? '
    """
    word = meant(given, known)
    return f"did you mean {word}? " if word else ""


def one_of(value: object, known: Iterable[object], field: str) -> None:
    """InputError where the value is none of the known words."""
    words = list(known)
    if value not in words:
        named = [str(word) for word in words if word is not None]
        raise InputError(field, value, f"{nearest(value, named)}give one of {', '.join(named)}")


def path_from(value: object, field: str) -> Path:
    """A path from text or a path; InputError for anything else, and for none at all."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise InputError(field, value, "give the path of a file or folder, as text or as a Path")
    return Path(value)
