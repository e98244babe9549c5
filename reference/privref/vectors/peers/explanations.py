"""What is known of a cause, found by reading the library's source: where it comes from, and what could be done."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from .findings import USABLE, Cause

#: How the reproduction calls the library. ``documented``: a public function that its version does not mark as
#: deprecated. ``deprecated``: its authors say that it is to go. ``unusual``: a call that few users make.
#: ``unexamined``: nobody has looked yet. ``ours``: the answer says nothing about a library.
Usage = Literal["documented", "deprecated", "unusual", "unexamined", "ours"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A cause's title, where in the library it comes from, how it is called, and what could be done."""

    title: str
    why: str = ""
    #: What a maintainer could do.
    remedy: str = ""
    usage: Usage = "documented"
    #: Why the call is called deprecated, unusual or ours.
    because: str = ""
    #: Threads in which others reported it, or something near it, before.
    upstream: tuple[str, ...] = ()


@cache
def known() -> Mapping[tuple[str, str, str], Explanation]:
    """Return what was found out: by library, the part of it that answered, and the symptom."""
    text = files("privref.vectors.peers").joinpath("explanations.json").read_text(encoding="utf-8")
    return {
        (row.pop("library"), row.pop("component"), row.pop("symptom")): Explanation(
            **{**row, "upstream": tuple(row.get("upstream", ()))}
        )
        for row in json.loads(text)["rows"]
    }


#: opendp's mechanisms check what they are given; what a user writes in their place is asked for here.
_USERS_OWN = (
    "The loss is that of a user-defined measurement, which needs the feature `honest-but-curious`. opendp documents "
    "what its author has to see to: “This constructor only returns a valid measurement if” its outputs are as close as "
    "its privacy map says. No loss is negative, so that this one breaks the condition."
)
_HONEST = "a user-defined measurement, which needs opendp's feature `honest-but-curious`"

#: Our own programs, on the board for comparison.
_TEXTBOOK = Explanation(
    "A textbook formula in doubles",
    "float-reference shows what the plain formula gives without special care.",
    usage="ours",
    because="a yardstick, and no released library",
)


def explanation(cause: Cause) -> Explanation:
    """Return what somebody found out about the cause; where nobody looked yet, what holds of every one like it."""
    found = known().get((cause.peer, cause.component, cause.symptom))
    if found is not None:
        return found
    name = f"{cause.component}: {cause.symptom}"
    if cause.peer.startswith("float-reference"):
        return _TEXTBOOK
    if cause.kind == "approximation":
        warning = cause.worst.documented
        return Explanation(f"{cause.component}: an approximation", f"The library itself warns: “{warning}”.")
    if cause.kind == "bad-input" and "make_user_measurement" in "".join(cause.worst.reproduction):
        return Explanation(name, _USERS_OWN, "Check the number where it is added.", "unusual", _HONEST)
    return Explanation(name, remedy="Refuse the input." if cause.kind == "bad-input" else "", usage="unexamined")


def upstream(cause: Cause) -> tuple[str, ...]:
    """Return the threads in which the cause was reported before, by others; empty where none is known."""
    return explanation(cause).upstream


def minor(cause: Cause) -> str:
    """Return why a cause harms no ordinary use that we know of; "" where it may."""
    worst = cause.worst
    if worst.bad:
        return f"a number was given for an input that should be refused ({cause.symptom})"
    found = explanation(cause)
    if found.usage == "unusual":
        return f"the call is unusual: {found.because}"
    if not worst.usable:
        low, high = USABLE
        return f"only at deltas that we take to be out of use: none is from {float(low)} to {float(high)}"
    if worst.harm == 0:
        return "an epsilon below 0 where the truth is 0 claims no more than 0 does"
    return ""


def ranked(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return the causes in their order, with the minor ones behind all others."""
    return tuple(sorted(causes, key=lambda cause: minor(cause) != ""))
