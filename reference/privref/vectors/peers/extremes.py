"""A search beyond the vectors: parameters that people use, and corners that few reach, put to a harness.

Each input has values that are ordinary and values that are extreme. Cases with fewer extreme values come first and more
often, so that what is found is what users meet. Each case is judged like a vector, at the exact values of its doubles.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from privref.exact.errors import InputError, PrivrefError
from privref.exact.numbers import Binary64, spell
from privref.statements.params import Param
from privref.statements.registry import Statement, statement

from ..binary64 import inputs_binary64
from ..store import Vector, examples
from .findings import EXTREME, PeerFinding
from .harness import PATIENCE, Harness, HarnessLimits, asked, message_of
from .running import PeerRow, Truths, has_a_meaning

_NAN, _INF = float("nan"), float("inf")
#: For each input, by its name: values that people use, and values that few use or that must be refused.
_VALUES: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "eps": ((0.1, 0.5, 1.0, 2.0, 3.0), (0.0, 1e-9, 10.0, 50.0, -1.0, _NAN)),
    "eps_g": ((0.5, 1.0, 3.0, 10.0), (0.0, 50.0, _NAN)),
    "delta": ((1e-5, 1e-6, 1e-8), (0.5, 1e-12, 1e-15, 1e-30, 0.0, -1.0, _NAN)),
    "delta_g": ((1e-5, 1e-6, 1e-8), (0.5, 1e-12, 1e-15, 1e-30, 0.0, _NAN)),
    "delta_prime": ((1e-5, 1e-6, 1e-8), (0.5, 1e-12, 1e-30)),
    "rho": ((0.01, 0.1, 0.5, 1.0), (0.0, 1e-9, 50.0, -1.0, _NAN)),
    "rhos": ((0.01, 0.1, 0.5), (1e-9, 50.0, -1.0)),
    "mu": ((0.1, 0.5, 1.0, 2.0), (1e-6, 20.0, -1.0, _NAN)),
    "sigma": ((0.6, 0.8, 1.0, 2.0, 4.0), (0.3, 0.5, 50.0, 0.0, -1.0, _NAN)),
    "q": ((0.001, 0.005, 0.01, 0.05), (1e-6, 0.5, 0.99, 1.0, -1.0, _NAN)),
}
_COUNTS = ((1, 10, 100, 1000, 2000), (0, 5, 10_000, 100_000, -1))
#: Of the cases, this share has so many extreme inputs.
_SHARES = (5, 3, 2)
_LENGTHS = (1, 2, 3, 10)


def _drawn(param: Param, extreme: bool, chance: random.Random) -> Any:
    """Draw one input; KeyError where values of its kind are not known."""
    if param.shape == "whole":
        return chance.choice(_COUNTS[extreme])
    values = _VALUES[param.name]
    if param.shape == "one":
        return chance.choice(values[extreme])
    if param.shape in ("sequence", "multiset"):
        # One extreme value among ordinary ones, or a list of equal ones.
        rest = [chance.choice(values[0])] * (chance.choice(_LENGTHS) - 1)
        return [*rest, chance.choice(values[extreme])]
    raise KeyError(param.name)


def _spelled(value: Any) -> Any:
    if isinstance(value, list):
        return [_spelled(item) for item in value]
    if isinstance(value, int):
        return str(value)
    return spell(Binary64(value)) if value - value == 0 else str(value)


def draws(found: Statement, seed: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield inputs for a statement without end, each with the number of extreme ones; none where they are not known.

    Lists have one length. The same seed gives the same inputs.
    """
    chance = random.Random(f"{seed} {found.id}")
    seen: set[str] = set()
    exhausted = 0
    for count in itertools.cycle([level for level, share in enumerate(_SHARES) for _ in range(share)]):
        extreme = set(chance.sample(found.params, min(count, len(found.params))))
        for _ in range(50):
            try:
                drawn = {param.name: _spelled(_drawn(param, param in extreme, chance)) for param in found.params}
            except KeyError:
                return
            lengths = [len(drawn[param.name]) for param in found.params if param.shape == "sequence"]
            drawn = {
                name: value[: min(lengths)] if lengths and isinstance(value, list) else value
                for name, value in drawn.items()
            }
            if repr(drawn) not in seen:
                break
        else:
            # All cases of this kind were drawn; the others may have some left.
            exhausted += 1
            if exhausted == sum(_SHARES):
                return
            continue
        exhausted = 0
        seen.add(repr(drawn))
        yield len(extreme), drawn


def _posed(found: Statement, extreme: int, inputs: dict[str, Any], truths: Truths) -> Vector | None:
    """Return the case as it is judged; None where no answer is known."""
    example = examples()[found.id]
    flags = (EXTREME,) * extreme
    try:
        read = found.read(inputs)
    except InputError:
        name, refusal = f"{found.id} {inputs}", {"refused": "input"}
        bad = Vector(name, found.id, example.quantity, example.safe, flags, "", inputs, refusal)
        return None if has_a_meaning(bad) else bad
    try:
        at = truths.at(found, read)
    except PrivrefError:
        return None
    if at is None:
        return None
    return Vector(at.id, found.id, at.quantity, at.safe, flags, "", at.inputs, at.expected)


def search_harnesses(
    commands: Iterable[str],
    seconds: float,
    *,
    statements: tuple[str, ...] = (),
    limits: HarnessLimits | None = None,
    seed: int = 0,
) -> Iterator[PeerRow]:
    """Put drawn cases to harnesses for this many seconds in all; one row for each function that there was time to ask.

    The truth of a case is computed once for all functions. InputError for a command that is not a harness.
    """
    truths, commands = Truths(), tuple(commands)
    posed: dict[str, list[Vector | None]] = {}
    end = time.monotonic() + seconds
    for place, command in enumerate(commands):
        with Harness(command, limits or HarnessLimits()) as harness:
            offers = [
                offer for offer in harness.started["functions"] if not statements or offer["statement"] in statements
            ]
            mine = end - (end - time.monotonic()) * (len(commands) - place - 1) / (len(commands) - place)
            for rank, offer in enumerate(offers):
                until = time.monotonic() + max(0.0, mine - time.monotonic()) / (len(offers) - rank)
                found = statement(offer["statement"])
                known = posed.setdefault(found.id, [])
                findings = tuple(_searched(harness, offer, found, known, truths, until, seed))
                if findings:
                    yield harness.row(offer, findings)


def _searched(
    harness: Harness,
    offer: Mapping[str, str],
    found: Statement,
    known: list[Vector | None],
    truths: Truths,
    until: float,
    seed: int,
) -> Iterator[PeerFinding]:
    """Yield what one function answers to drawn cases until the time is up; ``known`` keeps their truths."""
    failures = 0
    for place, (extreme, inputs) in enumerate(draws(found, seed)):
        if time.monotonic() > until or failures == PATIENCE:
            return
        if place == len(known):
            known.append(_posed(found, extreme, inputs, truths))
        vector = known[place]
        if vector is None:
            continue
        bits = inputs_binary64(Vector(vector.id, found.id, vector.quantity, vector.safe, (), "", vector.inputs, {}))
        finding, replied = asked(harness, offer, found, vector, message_of(vector, bits), truths)
        failures += not replied
        if finding is not None:
            yield finding
