"""Looks for anything that would let a false statement pass as proved.

Two independent looks, because neither sees everything:

* ``in_source`` reads the text without comments and strings. It sees every command and attribute by
  its keyword, whatever it expands to, and rejects options, imports and attributes that are not on a
  short list. It does not see what a tactic of core does inside a proof.
* ``in_olean`` reads what Lean recorded: the kind and safety of every constant, the axioms of
  compiled evaluation and of ``sorry`` by name wherever they occur, and the entries of attributes
  that replace code or extend the language. It does not see which axioms the lemmas of core rest on,
  since the WebAssembly build ships core without proofs; with the official Lean, ``#print axioms``
  does. It trusts Lean to write the oleans of what it checked: the kernel is Lean's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from leanci.olean import Module, parts
from leanci.source import strip


@dataclass(frozen=True)
class Finding:
    """One cheat: where, which, and the line of the source if it was found there."""

    where: str
    cheat: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.where}{'' if self.line is None else f':{self.line}'}: {self.cheat}"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Keywords that assume instead of prove, evaluate outside the kernel, or change the language itself.
WORDS = _words(
    """
    sorry admit axiom native_decide native ofReduceBool ofReduceNat reduceBool reduceNat trustCompiler
    lcProof lcUnreachable bv_decide implemented_by extern csimp unsafe opaque partial
    elab elab_rules macro macro_rules syntax declare_syntax_cat notation notation3 infix infixl infixr prefix postfix
    binder_predicate unif_hint run_cmd run_elab run_meta by_elab initialize builtin_initialize
    simproc dsimproc simproc_decl dsimproc_decl register_simp_attr register_option register_builtin_option
    skipKernelTC unsafeCast unsafeIO unsafeEIO unsafeBaseIO
    """
)
IMPORTS = re.compile(r"(PrivRef|Init|Std\.Data)(\.[\w.]+)?")
OPTIONS = re.compile(
    r"(linter(\.\w+)*|maxRecDepth|maxHeartbeats|synthInstance\.max\w+|autoImplicit|relaxedAutoImplicit)"
)
ATTRIBUTES = _words(
    "expose instance simp grind ext reducible irreducible semireducible inline specialize simp_match local scoped "
    "default_instance elab_as_elim"
)
# Components of names that a proof may not mention: `sorry`, and the axioms behind compiled evaluation.
NAMES = _words("sorryAx ofReduceBool ofReduceNat reduceBool reduceNat trustCompiler lcProof lcUnreachable")
# What must have recorded nothing in a module: replaced code, code run at import, and new syntax.
RECORDS = re.compile(
    r"implementedBy|extern|csimp|regularInit|builtinInit|parserExtension|macroAttr|elabAttr|unexpander|delab|simproc"
    r"|tokenTable|exportAttr|unsafe",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"(?<![\w'!?«])[A-Za-z_][\w'!?]*(?:\.[A-Za-z_][\w'!?]*)*")
_IMPORT = re.compile(r"^[ \t]*((?:public[ \t]+)?(meta[ \t]+)?import[ \t]+(all[ \t]+)?)([\w.«»]+)", re.MULTILINE)
_OPTION = re.compile(r"\bset_option\s+(\S+)")
_ATTRIBUTE = re.compile(r"(?:@\[|\battribute\s*\[)([^\]]*)\]")


def in_source(text: str, where: str) -> list[Finding]:
    """The cheats a reader of the source would see."""
    code = strip(text)
    found: list[Finding] = []

    def add(cheat: str, at: int) -> None:
        found.append(Finding(where, cheat, code.count("\n", 0, at) + 1))

    for match in _DOTTED.finditer(code):
        for piece in match.group().split("."):
            if piece in WORDS:
                add(piece, match.start())
    for match in _IMPORT.finditer(code):
        if match.group(2) or match.group(3) or not IMPORTS.fullmatch(match.group(4)):
            add(f"{' '.join(match.group(1).split())} {match.group(4)}", match.start())
    for match in _OPTION.finditer(code):
        if not OPTIONS.fullmatch(match.group(1)):
            add(f"set_option {match.group(1)}", match.start())
    for match in _ATTRIBUTE.finditer(code):
        for entry in match.group(1).split(","):
            name = entry.strip().lstrip("-").split(maxsplit=1)
            while name and name[0] in ("local", "scoped"):
                name = name[1].split(maxsplit=1) if len(name) > 1 else []
            if name and name[0] not in ATTRIBUTES:
                add(f"attribute {name[0]}", match.start())
    return found


def in_olean(path: Path, where: str) -> list[Finding]:
    """The cheats that Lean recorded in the module whose public part is `path`."""
    module = Module(parts(path))
    found = []
    if module.paths[-1].suffix != ".private":
        found.append(Finding(where, "no private part, so proofs cannot be seen: not a `module` file"))
    for constant in module.constants:
        if constant.kind in ("axiom", "opaque", "quotient"):
            found.append(Finding(where, f"{constant.kind} {constant.name}"))
        # Lean itself adds the compiled form of a recursive definition, which no theorem can mention.
        if constant.safety != "safe" and not constant.name.endswith("._unsafe_rec"):
            found.append(Finding(where, f"{constant.safety} {constant.kind} {constant.name}"))
    for name in sorted(module.strings & NAMES):
        found.append(Finding(where, f"mentions {name}"))
    for name, entries in sorted(module.attributes.items()):
        if entries and RECORDS.search(name):
            found.append(Finding(where, f"{entries} entries of {name}"))
    for name in module.imports:
        if not IMPORTS.fullmatch(name):
            found.append(Finding(where, f"imports {name}"))
    return found


def in_modules(sources: Iterable[tuple[str, Path, Path]]) -> list[Finding]:
    """All cheats of modules given as (name, source, olean)."""
    found: list[Finding] = []
    for name, source, olean in sources:
        found += in_source(source.read_text(), name)
        found += in_olean(olean, name)
    return found
