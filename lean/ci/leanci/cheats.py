"""Looks for anything that would let a false statement pass as proved.

Two independent looks, because neither sees everything:

* ``in_source`` reads the text, once without comments and literals and once as it stands, so that it
  does not matter whether it tells them apart as Lean does: not even a comment may hold a forbidden
  word. It sees every command and attribute by its keyword, whatever it expands to, and rejects
  options, imports and attributes that are not on a short list, and what it might read otherwise than
  Lean (``source.doubts``). It does not see what a tactic of core does inside a proof.
* ``in_olean`` reads what Lean recorded: the kind and safety of every constant, the axioms of
  compiled evaluation and of ``sorry`` by name wherever they occur, and the entries of attributes
  that replace code or extend the language. It does not see which axioms the lemmas of core rest on,
  since the WebAssembly build ships core without proofs; with the official Lean, ``#print axioms``
  does. It trusts Lean to write the oleans of what it checked: the kernel is Lean's own.

``in_lakefile`` rejects whatever the official build would do beyond compiling with warnings as errors.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from leanci.modules import ROOT
from leanci.olean import read
from leanci.source import doubts, strip, tokens


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
    debug skipKernelTC warningAsError unsafeCast unsafeIO unsafeEIO unsafeBaseIO dbg_trace
    prelude run_tac term_elab command_elab builtin_term_elab builtin_command_elab builtin_init sorryAx
    Elab Meta CoreM MetaM TermElabM TacticM CommandElabM addDecl addAndCompile addDeclCore addDeclWithoutChecking
    """
)
IMPORTS = re.compile(r"(PrivRef|Init|Std\.Data)(\.[\w.]+)?")
OPTIONS = re.compile(r"(maxRecDepth|maxHeartbeats|synthInstance\.max\w+)")
ATTRIBUTES = _words(
    "expose instance simp grind ext reducible irreducible semireducible inline specialize simp_match local scoped "
    "elab_as_elim"
)
# What changes the meaning of notation or of a name: a class or instance of one's own, another name for something.
DECLARATIONS = _words("instance class export renaming")
# The only instances: of a field that is an argument, and the casts into it. In full, so that no namespace has another.
_FIELD = "_root_.PrivRef.Numerics.ExpField"
INSTANCES = _words(
    f"""
    _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast
    {_FIELD}.field {_FIELD}.le {_FIELD}.lt {_FIELD}.linear {_FIELD}.lawful {_FIELD}.ordered
    """
)
# What may follow the list of names that an attribute is given to: a list goes on over lines, at any column.
_STARTERS = _words(
    "theorem def abbrev structure inductive example variable universe section namespace end open set_option attribute "
    "public private protected noncomputable include omit mutual"
)
TOOLCHAIN = "leanprover/lean4:v4.28.0"
# Components of names that a proof may not mention: `sorry`, and the axioms behind compiled evaluation.
NAMES = _words("sorryAx ofReduceBool ofReduceNat reduceBool reduceNat trustCompiler lcProof lcUnreachable")
# All that may have recorded something in a module: bookkeeping of the compiler and of proof search, documentation,
# and instances, which are looked at one by one. Not classes, coercions, aliases, replaced code, code run at import,
# syntax, or anything that a later version of Lean adds.
RECORDS = _words(
    """
    Lean.Compiler.LCNF.Specialize.specCacheExt Lean.Compiler.LCNF.UnreachableBranches.functionSummariesExt
    Lean.Compiler.LCNF.baseExt Lean.Compiler.LCNF.monoExt Lean.Compiler.LCNF.specExtension Lean.Compiler.inlineAttrs
    Lean.Elab.Structural.eqnInfoExt Lean.Elab.Term.elabAsElim Lean.IR.declMapExt Lean.Linter.deprecatedAttr
    Lean.Meta.Grind.grindExt Lean.Meta.Match.Extension.extension Lean.Meta.completionBlackListExt
    Lean.Meta.congrKindsExt Lean.Meta.globalInstanceExtension Lean.Meta.instanceExtension Lean.Meta.simpExtension
    Lean.auxRecExt Lean.declRangeExt Lean.defeqAttr Lean.docStringExt Lean.extraModUses Lean.namespacesExt
    Lean.noConfusionExt Lean.noncomputableExt Lean.projectionFnInfoExt Lean.protectedExt
    _private.Lean.AddDecl.0.Lean.privateConstKindsExt
    _private.Lean.AuxRecursor.0.Lean.sparseCasesOnExt _private.Lean.Compiler.ModPkgExt.0.Lean.modPkgExt
    _private.Lean.DocString.Extension.0.Lean.moduleDocExt
    _private.Lean.Meta.Constructions.SparseCasesOn.0.Lean.Meta.sparseCasesOnInfoExt
    _private.Lean.Structure.0.Lean.structureExt recExt reducibilityCore sineQueNon symbolFrequency
    """
)
# The namespaces of others that a source may open: one of Lean's own may hold instances and notation that come into
# force where it is open. Those without `PrivRef` stand where the namespace around them has that part of the name.
_OPENED = re.compile(r"(PrivRef(\.\w+)*|Classical|Numerics|KernelAnalyst|DiscreteNoise)")
_SCOPE = re.compile(r"(?<![\w.])(?:namespace\s+([\w.]+)|(section|mutual|end)\b(?:[ \t]+([A-Za-z_][\w.]*))?)")
_IMPORT = re.compile(r"^[ \t]*((?:public[ \t]+)?(meta[ \t]+)?import[ \t]+(all[ \t]+)?)([\w.«»]+)", re.MULTILINE)
# An import has a line of its own: Lean would read another one behind it, or its name on the next line.
_IMPORT_LINE = re.compile(r"(?:public )?import [A-Za-z][A-Za-z0-9_.]*")
_OPTION = re.compile(r"set_option(?:\s+(\S+))?")
_ATTRIBUTE = re.compile(r"(?:@\[|attribute\s*\[)([^\]]*)\]")
_MADE_INSTANCES = re.compile(r"attribute\s*\[\s*(?:local\s+|scoped\s+)?instance[^\]]*\]")
_NAME = re.compile(r"\s*([^\s/@]+)")
# Commands that print or evaluate while the file is compiled.
_HASH = re.compile(r"#[A-Za-z_]\w*")


def in_source(text: str, where: str) -> list[Finding]:
    """The cheats a reader of the source would see, in code or anywhere else."""
    # Blanking keeps lines, so that what both readings find is one finding.
    found = {(cheat, text.count("\n", 0, at) + 1): None for cheat, at in doubts(text)}
    found |= {(cheat, text.count("\n", 0, at) + 1): None for cheat, at in _meanings(strip(text))}
    for reading in (strip(text), text):
        found |= {(cheat, reading.count("\n", 0, at) + 1): None for cheat, at in _commands(reading)}
    return [Finding(where, cheat, line) for cheat, line in found]


def _commands(code: str) -> list[tuple[str, int]]:
    found = [(token, at) for token, at in tokens(code) if token in WORDS]
    for match in _IMPORT.finditer(code):
        if match.group(2) or match.group(3) or not IMPORTS.fullmatch(match.group(4)):
            found.append((f"{' '.join(match.group(1).split())} {match.group(4)}", match.start()))
    for match in _OPTION.finditer(code):
        if not OPTIONS.fullmatch(match.group(1) or ""):
            found.append((f"set_option {match.group(1)}", match.start()))
    for match in _ATTRIBUTE.finditer(code):
        for entry in match.group(1).split(","):
            name = entry.strip().lstrip("-").split(maxsplit=1)
            while name and name[0] in ("local", "scoped"):
                name = name[1].split(maxsplit=1) if len(name) > 1 else []
            if name and name[0] not in ATTRIBUTES:
                found.append((f"attribute {name[0]}", match.start()))
    found += [(match.group(), match.start()) for match in _HASH.finditer(code)]
    return found


def _meanings(code: str) -> list[tuple[str, int]]:
    """What may make notation or names mean something else; only code counts, since comments speak of instances."""
    found = []
    for match in _MADE_INSTANCES.finditer(code):
        names, end = _names(code, match.end())
        found += [(f"instance {name}", match.start()) for name in names if name not in INSTANCES]
        code = code[: match.start()] + " " * (end - match.start()) + code[end:]
    for token, at in tokens(code):
        if token in DECLARATIONS:
            found.append((token, at))
        if token == "open":
            names = _names(code, at + len(token), re.compile(r"\s*([\w.]+)"))[0]
            names = names[: names.index("in")] if "in" in names else names
            found += [(f"open {name}", at) for name in names or ["nothing"] if not _OPENED.fullmatch(name)]
        if token == "import":
            line = code[code.rfind("\n", 0, at) + 1 :].split("\n", 1)[0].rstrip()
            if not _IMPORT_LINE.fullmatch(line):
                found.append((f"import in the line {line.strip()}", at))
    return found + _spaces(code)


def _spaces(code: str) -> list[tuple[str, int]]:
    """The namespaces that are neither the library's nor inside one of it: in there those of Lean would be open."""
    found, scopes = [], list[tuple[str, bool]]()
    for match in _SCOPE.finditer(code):
        space, word, name = match.groups()
        if space:
            pieces = space.split(".")
            if "_root_" in pieces or not (pieces[0] == ROOT or any(inside for _, inside in scopes)):
                found.append((f"namespace {space}", match.start()))
            scopes += [(piece, True) for piece in pieces]
        elif word == "end":
            pieces = (name or "").split(".")
            if [piece for piece, _ in scopes[-len(pieces) :]] != pieces:
                found.append((f"end {name or 'of nothing'}", match.start()))
            del scopes[-len(pieces) :]
        else:
            scopes += [(piece, False) for piece in (name or "").split(".")]
    return found


def _names(code: str, at: int, name: re.Pattern[str] = _NAME) -> tuple[list[str], int]:
    """Return the names from `at` up to the next command, a comment's place or an attribute, and where they end."""
    names = []
    while (match := name.match(code, at)) and match.group(1) not in _STARTERS:
        names.append(match.group(1))
        at = match.end()
    return names, at


def in_toolchain(text: str, where: str) -> list[Finding]:
    """Whether the official build uses the pinned Lean."""
    return [] if text.strip() == TOOLCHAIN else [Finding(where, f"{text.strip()} instead of {TOOLCHAIN}")]


# All that the file for the official build may say: names, and that warnings are errors.
_TABLES = {
    "lean_lib": ({"name": "PrivRef", "globs": ["PrivRef.*"]},),
    "lean_exe": ({"name": "privref", "root": "Main"},),
}


def in_lakefile(text: str, where: str) -> list[Finding]:
    """Whatever would make the official build check less, or other files, than this check reads."""
    said = tomllib.loads(text)
    found = []
    if said.pop("leanOptions", None) != {"warningAsError": True, "autoImplicit": False}:
        found.append(Finding(where, "leanOptions other than warningAsError = true, autoImplicit = false"))
    for key, value in said.items():
        if key in _TABLES:
            found += [Finding(where, f"{key} {entry}") for entry in value if entry not in _TABLES[key]]
        elif key not in ("name", "version", "defaultTargets"):
            found.append(Finding(where, f"{key} = {value}"))
    if "PrivRef" not in said.get("defaultTargets", ()) or not said.get("lean_lib"):
        found.append(Finding(where, "the library is not built by default"))
    return found


def in_olean(path: Path, where: str) -> list[Finding]:
    """The cheats that Lean recorded in the module whose public part is `path`."""
    module = read(path)
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
        if entries and name not in RECORDS:
            found.append(Finding(where, f"{entries} entries of {name}"))
    own = {constant.name for constant in module.constants if constant.kind == "inductive"}
    for name in module.instances:
        class_, subject = module.conclusion(name) if module.has(name) else ("a class", "")
        # An instance of a type that the module declares, or of the field of one that it declares.
        if not (subject in own or (subject.rpartition(".")[0] in own and module.projects(subject))):
            found.append(Finding(where, f"instance {name} of {class_} for {subject or 'anything'}"))
    for name in module.imports:
        if not IMPORTS.fullmatch(name):
            found.append(Finding(where, f"imports {name}"))
    found += [Finding(where, f"imports all of {name}, or its code") for name in module.unusual_imports]
    return found
