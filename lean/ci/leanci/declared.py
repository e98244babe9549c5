"""The theorems that documentation and Python name: whether Lean has them, what they state, their axioms.

Whoever names a theorem is relied on for no more than the name; what it states is written out a second
time in a file outside the library (``restated``), which Lean must be able to prove from that theorem.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from leanci.source import strip

_CODE = re.compile(r"`([^`\s]+)`")
_AXIOMS = re.compile(r"'([^']+)' (?:depends on axioms: \[([^\]]*)\]|does not depend on any axioms)", re.DOTALL)
# What Lean's own library rests on, and all that a proof here may.
ALLOWED_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
CORE_AXIOMS = ALLOWED_AXIOMS | {
    "sorryAx",
    "lcProof",
    "lcUnreachable",
    "Lean.trustCompiler",
    "Lean.ofReduceBool",
    "Lean.ofReduceNat",
}
NAMESPACE = "PrivRef"
STATEMENTS = f"{NAMESPACE}.Statements"
# What a theorem is to a statement of the Python package.
RELATIONS = ("proves", "supports", "evaluates")
# The restatements and the certificates stand in namespaces of their own: a name of the library there would come first.
RESERVED = (f"{NAMESPACE}.Restated", f"{NAMESPACE}.Certificate")
# What Lean itself adds beside a constant of another module.
_ADDED = re.compile(r"\w[\w.]*\.(congr_simp|eq_\d+|eq_def|hcongr_\d+)")
_PRIVATE = re.compile(r"^_private\..*?\.0\.")
# What `deriving` leaves behind, in a namespace that no source opens.
_DERIVED = re.compile(r"PrivRef\.inst\w+\.(repr|decEq)")
_THEOREM = re.compile(r"^(?:[a-z]+ )*theorem +([\w.'!?]+)", re.MULTILINE)
# A namespace that is opened, and the names for which it is, if not for all.
_OPENED = re.compile(rf"^open ({NAMESPACE}\.[\w.]+)(?: \(([^)]*)\))?", re.MULTILINE)
_USED = re.compile(r"[A-Za-z_][\w.'!?]*")
_RESTATED = re.compile(r"^theorem +(\S+)(.*?):= by\n  apply _root_\.(\S+) <;> assumption$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Named:
    """A theorem someone names: its full name, and who says so."""

    name: str
    source: str


def full(name: str) -> str:
    return name if name.split(".")[0] == NAMESPACE else f"{NAMESPACE}.{name}"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def readme_theorems(text: str) -> list[Named]:
    """Every name in backquotes in a table column headed "theorem"; other tables are prose."""
    found: list[Named] = []
    column: int | None = None
    for line in text.splitlines():
        if not line.lstrip().startswith("|"):
            column = None
            continue
        cells = _cells(line)
        if column is None:
            heads = [cell.lower() for cell in cells]
            column = next((i for i, head in enumerate(heads) if head.startswith("theorem")), -1)
        elif 0 <= column < len(cells):
            found += [Named(full(name), "README") for name in _CODE.findall(cells[column])]
    return found


def index_declarations(path: Path) -> list[Named]:
    """The theorems of a JSON file: for every statement a list of objects with `theorem`, `relation` and `part`.

    A theorem that does not prove the whole statement must say in `part` what it does prove.
    """
    found = []
    for statement, entries in json.loads(path.read_text()).items():
        for entry in entries:
            if not {"theorem", "relation"} <= entry.keys() <= {"theorem", "relation", "part"}:
                raise ValueError(f"{path.name}: {statement}: expected theorem, relation and part, not {entry}")
            if entry["relation"] not in RELATIONS:
                raise ValueError(f"{path.name}: {statement}: unknown relation {entry['relation']}")
            if (entry["relation"] == "proves") == bool(entry.get("part")):
                raise ValueError(f"{path.name}: {statement}: a part is what `supports` and `evaluates` must name")
            found.append(Named(full(entry["theorem"]), path.name))
    return found


def statements(text: str) -> list[Named]:
    """Every theorem of `PrivRef/Statements.lean`."""
    return [Named(f"{STATEMENTS}.{name}", "Statements.lean") for name in _THEOREM.findall(strip(text))]


def restatement_problems(text: str, named: Iterable[Named]) -> list[str]:
    """Whether the file writes out every named theorem once, and proves each by the theorem of that name alone."""
    code = strip(text)
    if len(_THEOREM.findall(code)) != len(_RESTATED.findall(code)):
        return ["the restatements have a theorem that is not proved by one theorem of the library alone"]
    found = {f"{NAMESPACE}.{name}": proof for name, _, proof in _RESTATED.findall(code)}
    problems = [f"{name} is restated from {proof}" for name, proof in found.items() if name != proof]
    wanted = {item.name: item.source for item in named}
    problems += [
        f"{source} names {name}, which is not restated" for name, source in wanted.items() if name not in found
    ]
    problems += [f"{name} is restated, but nothing names it" for name in found if name not in wanted]
    return problems


def missing(named: Iterable[Named], kinds: Mapping[str, str]) -> list[str]:
    """One line for each name that Lean does not have, or has as something else than a theorem."""
    problems = []
    for item in named:
        kind = kinds.get(item.name)
        if kind is None:
            problems.append(f"{item.source} names {item.name}, which does not exist")
        elif kind != "theorem":
            problems.append(f"{item.source} calls {item.name} a theorem, but it is a {kind}")
    return problems


def unread(theorems: Iterable[str], named: Iterable[Named]) -> list[str]:
    """The theorems Lean recorded for `Statements.lean` that were not read in its source, but for those Lean adds."""
    known = {item.name for item in named}
    own = (name for name in theorems if re.fullmatch(rf"{re.escape(STATEMENTS)}\.[^_.]\w*", name))
    return [f"Statements.lean has {name}, which the check did not see" for name in own if name not in known]


def recorded_axioms(name: str, uses: Mapping[str, Iterable[str]], kinds: Mapping[str, str]) -> set[str]:
    """What a theorem rests on, as far as the library's own proofs go, following all they mention.

    The axioms are those the library declares, which it may not, and those of core that its proofs mention themselves:
    which axioms core's lemmas rest on is not recorded by the build without core's proofs. A name of the library that
    nothing recorded counts as an axiom.
    """
    found: set[str] = set()
    seen, todo = {name}, [name]
    while todo:
        current = todo.pop()
        if kinds.get(current) == "axiom" or current in CORE_AXIOMS:
            found.add(current)
        elif current in uses:
            new = set(uses[current]) - seen
            seen |= new
            todo += new
        elif current.removeprefix("_private.").split(".")[0] == NAMESPACE:
            found.add(current)
    return found


def recorded_axiom_problems(
    names: Iterable[str], uses: Mapping[str, Iterable[str]], kinds: Mapping[str, str]
) -> list[str]:
    """One line for each theorem that rests on more than Lean's own axioms, by what the oleans record."""
    problems = []
    for name in dict.fromkeys(names):
        if extra := sorted(recorded_axioms(name, uses, kinds) - ALLOWED_AXIOMS):
            problems.append(f"{name} rests on {', '.join(extra)}")
    return problems


def check_file(names: Iterable[str]) -> str:
    """A module that uses every name, so that Lean itself says whether a user of the library sees it."""
    lines = [f"example := @{name}" for name in dict.fromkeys(names)]
    return "module\n\nimport PrivRef\n\nnoncomputable section\n\n" + "\n".join(lines) + "\n"


def misplaced(kinds: Mapping[str, str]) -> list[str]:
    """List the constants that are not in the library's namespace, or that a reader's own namespace would find first."""
    problems = []
    for name, kind in kinds.items():
        plain = _PRIVATE.sub("", name)
        if not (plain.startswith(f"{NAMESPACE}.") or (kind == "theorem" and _ADDED.fullmatch(plain))):
            problems.append(f"{name} is outside of the namespace {NAMESPACE}")
        for space in RESERVED:
            if plain.startswith(f"{space}.") or plain == space:
                problems.append(f"{name} is in {space}, which the library may not use")
        if plain.startswith(f"{STATEMENTS}.") and kind != "theorem":
            problems.append(f"{name} is a {kind}, but {STATEMENTS} may hold theorems alone")
    return problems


def restated_problems(kinds: Mapping[str, str], uses: Mapping[str, Iterable[str]], named: Iterable[Named]) -> list[str]:
    """Check what Lean recorded for the restatements: theorems alone, each of which rests on the one it restates."""
    space = RESERVED[0]
    # What a file declares without `public` has another name before its own.
    kinds = {_PRIVATE.sub("", name): kind for name, kind in kinds.items()}
    uses = {_PRIVATE.sub("", name): {_PRIVATE.sub("", other) for other in used} for name, used in uses.items()}
    problems = []
    for name, kind in kinds.items():
        if not name.startswith(f"{space}.") and not (kind == "theorem" and _ADDED.fullmatch(name)):
            problems.append(f"the restatements declare {name} outside of {space}")
        elif kind != "theorem":
            problems.append(f"the restatements declare the {kind} {name}")
    for name in dict.fromkeys(item.name for item in named):
        again = name.replace(NAMESPACE, space, 1)
        if kinds.get(again) != "theorem":
            problems.append(f"the restatements have no theorem {again}")
        elif name not in _followed(again, uses):
            problems.append(f"{again} does not rest on {name}")
    return problems


def _followed(name: str, uses: Mapping[str, Iterable[str]]) -> set[str]:
    """All that a restatement mentions, by what Lean cut out of its proof as well."""
    seen, todo = {name}, [name]
    while todo:
        new = set(uses.get(todo.pop(), ())) - seen
        seen |= new
        todo += [other for other in new if other.startswith(f"{name}.")]
    return seen


def shadows(constants: Iterable[str], core: Container[str]) -> list[str]:
    """The names by which the library hides one of core: from inside a namespace its own ones come first."""
    problems = {}
    for name in constants:
        if _DERIVED.fullmatch(name):
            continue
        pieces = _PRIVATE.sub("", name).split(".")
        for i in range(1, len(pieces)):
            if (plain := ".".join(pieces[i:])) in core:
                problems[f"{name} hides Lean's own {plain}"] = None
    return list(problems)


def outranked(text: str, kinds: Mapping[str, str]) -> list[str]:
    """The names that a section of the restatements opens a namespace for, and that mean another constant instead."""
    problems = dict[str, None]()
    for section in re.split(r"^section$", strip(text), flags=re.MULTILINE):
        used = set(_USED.findall(section))
        for space, listed in _OPENED.findall(section):
            for name in used if not listed else used & set(listed.split()):
                meant, other = f"{space}.{name}", f"{NAMESPACE}.{name}"
                if "theorem" not in (kinds.get(meant, "theorem"), kinds.get(other, "theorem")):
                    problems[f"in the restatements {name} is {other} instead of {meant}"] = None
    return sorted(problems)


def axioms_file(names: Iterable[str]) -> str:
    """For the official Lean: not a `module`, so that `#print axioms` sees every proof."""
    lines = [f"#print axioms {name}" for name in dict.fromkeys(names)]
    return "import PrivRef\n\n" + "\n".join(lines) + "\n"


def axiom_problems(output: str, names: Iterable[str]) -> list[str]:
    """Reads what `#print axioms` said: every name must be there and rest on nothing but Lean's own axioms."""
    said = {name: set(re.findall(r"[\w.]+", axioms or "")) for name, axioms in _AXIOMS.findall(output)}
    problems = []
    for name in dict.fromkeys(names):
        if name not in said:
            problems.append(f"#print axioms said nothing about {name}")
        elif extra := sorted(said[name] - ALLOWED_AXIOMS):
            problems.append(f"{name} rests on {', '.join(extra)}")
    return problems
