"""What the named theorems say, down to the definitions and instances that they reach, as one digest each.

A statement can be read in `Restated.lean`, but it means what its definitions mean. The digests of all that a
statement reaches are kept beside the tests: whoever changes a definition, adds a field, or slips in an instance
changes a line there. They hold for one build of Lean, the pinned one in WebAssembly: another version may write the
same definition otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import cache

from leanci.olean import Module

_MATCH = re.compile(r"\.match_\d+$")
_HEAD = "# Written by `python lean/ci meaning`: kind, digest and name of all that the named theorems reach."


def meanings(modules: Iterable[Module], names: Iterable[str]) -> dict[str, str]:
    """The kind and the digest of every named theorem and of every definition and type of the library it reaches."""
    kinds: dict[str, str] = {}
    homes: dict[str, Module] = {}
    for module in modules:
        for constant in module.constants:
            kinds[constant.name] = constant.kind
            homes[constant.name] = module

    def proof(name: str) -> bool:
        return kinds.get(name) == "theorem"

    @cache
    def called(name: str) -> str:
        if proof(name):
            return ""  # which proof stands where says nothing
        # What a `match` becomes has a number that depends on what was elaborated before.
        return homes[name].meaning(name, called)[0] if _MATCH.search(name) and name in homes else name

    found: dict[str, str] = {}
    todo = [name for name in dict.fromkeys(names) if name in homes]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        digest, mentioned = homes[name].meaning(name, called)
        found[name] = f"{kinds[name]} {digest}"
        todo += [other for other in mentioned if other in homes and other not in found and not proof(other)]
    return {name: said for name, said in found.items() if not _MATCH.search(name)}


def write(found: Mapping[str, str]) -> str:
    return "\n".join([_HEAD, *(f"{said} {name}" for name, said in sorted(found.items()))]) + "\n"


def read(text: str) -> dict[str, str]:
    lines = (line.split(" ", 2) for line in text.splitlines() if line and not line.startswith("#"))
    return {name: f"{kind} {digest}" for kind, digest, name in lines}


def changes(known: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """One line for each constant that says something else than what is known of it."""
    problems = []
    for name in sorted({*known, *found}):
        if name not in found:
            problems.append(f"no named theorem reaches {name} any more")
        elif name not in known:
            problems.append(f"a named theorem reaches {name}, which is not known")
        elif known[name] != found[name]:
            problems.append(f"{name} does not say what is known of it")
    return problems


def assumed(module: Module, names: Iterable[str], classes: Container[str]) -> list[str]:
    """One line for each class of Lean's that one of the names speaks of for a type that is no variable.

    Instances are looked for among all that is bound: under `[Subsingleton Bool]` all is provable, and where an `LE Nat`
    is bound the comparisons of Lean's own numbers are those of whoever gave it. What is said of a type of the library
    may be a class if nothing has it as its type.
    """
    return [
        f"{name} speaks of {class_} for {subject}"
        for name in names
        if module.has(name)
        for class_, subject, bound in sorted(module.classed(name, classes))
        if bound or not subject.startswith("PrivRef.")
    ]
