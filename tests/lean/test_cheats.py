"""Every way known to us of passing off a false statement is caught, each by itself, and the kernel is live."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from leanci import build, cheats, check, declared, meaning, source
from leanci.olean import Module, OleanError, parts
from leanci.toolchain import LEAN, WasmLean

HERE = Path(__file__).parent / "cheats"

# What the source check must say about each file.
IN_SOURCE = {
    "admit": "admit",
    "axiom": "axiom",
    "csimp": "csimp",
    "elab": "elab",
    "extern": "extern",
    "bidi": "character U+202E",
    "digit_axiom": "letters after digits in 0axiom",
    "digit_class": "letters after digits in 0class",
    "digit_instance": "letters after digits in 0instance",
    "digit_option": "letters after digits in 0set_option",
    "greek": "character U+039D",
    "hidden_by_comment": "doubtful /--/",
    "hidden_by_interpolation": "string literal",
    "hidden_by_name": "doubtful «",
    "implemented_by": "implemented_by",
    "import_lean": "public import Lean",
    "initialize": "initialize",
    "macro": "macro",
    "native_decide": "native_decide",
    "notation": "notation",
    "opaque": "opaque",
    "partial": "partial",
    "prelude": "prelude",
    "raised_axiom": "axiom",
    "raw_string": "string literal",
    "return": "character U+000D",
    "run_cmd": "run_cmd",
    "skip_kernel": "set_option debug.skipKernelTC",
    "sorry": "sorry",
    "swallowed": "#guard_msgs",
    "syntax": "syntax",
    "unsafe": "unsafe",
    "warning_off": "set_option warningAsError",
    "zero_width": "character U+200B",
}

# Notation or names that mean something else: only code can do that, and comments may speak of it.
IN_CODE = {
    "broken_import": "import in the line public import",
    "class": "class",
    "core_namespace": "namespace Std.FactoryInstances",
    "core_order": "open Std.FactoryInstances",
    "column_instance": "instance sane",
    "export": "export",
    "instance": "instance",
    "foreign_instance": "instance ExpField.le",
    "local_instance": "instance Cheat.sane",
    "mixed_script": "mixed scripts in νat",
    "renaming": "renaming",
    "second_import": "import in the line public import Init.Grind public import Lean",
    "second_import_all": "import in the line public import Init.Grind import all Init.Prelude",
}

# These are cheats in code alone: comments may speak of 2cΔ.
BORDERS = ("digit_axiom", "digit_class", "digit_instance", "digit_option")

# What Lean's own record of the file must give away, for the cheats that Lean accepts without a word.
# Each body is compiled in a namespace of its own, all in one file, so that Lean has to start only once.
IN_OLEAN = {
    "admit": "mentions sorryAx",
    "sorry": "mentions sorryAx",
    "swallowed": "mentions sorryAx",
    "axiom": "axiom In_axiom.Cheat.wish",
    "class": "classExtension",
    "csimp": "csimp",
    "digit_axiom": "axiom In_digit_axiom.Cheat.wish",
    "digit_class": "classExtension",
    "digit_instance": "instance In_digit_instance.Cheat.sane of HAdd for anything",
    "extern": "extern",
    "export": "aliasExt",
    "implemented_by": "implementedBy",
    "instance": "instance In_instance.Cheat.sane of HAdd for anything",
    "macro": "macro",
    "opaque": "opaque In_opaque.Cheat.hidden",
    "raised_axiom": "axiom In_raised_axiom.Cheat.wish",
    "partial": "In_partial.Cheat.loop",
    "syntax": "parser",
    "unsafe": "unsafe definition In_unsafe.Cheat.loop",
}

# What is a cheat only in what a named theorem reaches: a class of Lean's for a type that is no variable.
ASSUMED = {
    "abbreviated_class": ("Cheat.Numbers", "Subsingleton", "Bool"),
    "assumed_class": ("Cheat.claim", "Subsingleton", "Bool"),
    "pattern_order": ("Cheat.Budget.mk", "LE", "Nat"),
}

# Lean records nothing of these, which prove False: what they hide, and what hides it, only the source shows.
HIDDEN = [name for name in IN_SOURCE if name.startswith("hidden_")]
# Lean takes these as well, and what it records of them shows nothing, or nothing of how they would be read.
SILENT = ["bidi", "column_instance", "core_order", "foreign_instance", "greek", "mixed_script", "zero_width"]


def body(name: str) -> str:
    """A cheat without its header, in a namespace of its own."""
    text = source.load(HERE / f"{name}.lean").split("public section", 1)[1]
    return f"namespace In_{name}\n{text}\nend In_{name}\n"


def test_every_cheat_file_is_covered() -> None:
    assert {p.stem for p in HERE.glob("*.lean")} == {*IN_SOURCE, *IN_CODE, *ASSUMED, "shadow"}
    assert set(IN_OLEAN) <= {*IN_SOURCE, *IN_CODE}


@pytest.mark.parametrize("name", sorted(IN_SOURCE | IN_CODE))
def test_source_check_catches(name: str) -> None:
    found = [f.cheat for f in cheats.in_source(source.load(HERE / f"{name}.lean"), name)]
    assert (IN_SOURCE | IN_CODE)[name] in found


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_hidden_is_found_as_well_as_what_hides_it(name: str) -> None:
    text = (HERE / f"{name}.lean").read_text()
    line = text.splitlines().index("set_option debug.skipKernelTC true in") + 1
    assert {f"x:{line}: debug", f"x:{line}: skipKernelTC"} <= {str(f) for f in cheats.in_source(text, "x")}


@pytest.mark.parametrize("name", sorted(set(IN_SOURCE) - {"import_lean", "raw_string", *HIDDEN, *BORDERS}))
def test_source_check_finds_the_same_words_in_comments_and_strings(name: str) -> None:
    text = source.load(HERE / f"{name}.lean").replace('"', "'")
    for hidden in (f"/- outer /- {text} -/ still -/\n", f'def s := "{text}"\n', f'def r := r#"{text} " {text}"#\n'):
        assert IN_SOURCE[name] in [f.cheat for f in cheats.in_source(hidden, "x")]


@pytest.mark.parametrize(
    ("text", "cheat"),
    [
        ('def a := "\\\\" \naxiom b : False -- "', "axiom"),
        ("/- -/ axiom b : False /- -/", "axiom"),
        ("/-/ -/ axiom b : False", "axiom"),
        ("def c := '\"' \naxiom b : False -- '\"'", "axiom"),
        ("theorem t : p := by decide +native", "native"),
        ("theorem t : p := Lean.ofReduceBool _ _ h", "ofReduceBool"),
        ("attribute [implemented_by f] g", "implemented_by"),
        ("@[simp, csimp] theorem t : a = b := rfl", "csimp"),
        ("meta import Lean.Meta", "meta import Lean.Meta"),
        ("import all Init.Prelude", "import all Init.Prelude"),
        ("@[tactic foo] def f := 1", "attribute tactic"),
        ("set_option pp.all true in\n theorem t : p := h", "set_option pp.all"),
        ("set_option/- -/pp.all true in\n theorem t : p := h", "set_option pp.all"),
        ("-- an option: set_option pp.all", "set_option pp.all"),
        ("theorem «a b» : p := h", "doubtful «"),
        ("/-!/ -- -/", "doubtful /-!/"),
        ("/-/ x -/", "doubtful /-/"),
        ("def c := '\"'", "string literal"),
        ('def c := m!"a"', "string literal"),
        ('def c := r##"a"##', "string literal"),
        ("#eval (1 : Nat)", "#eval"),
        ("@[instance] def Cheat.sane : LE Nat := h", "instance"),
        ("@[default_instance] def Cheat.sane : LE Nat := h", "attribute default_instance"),
        ("local instance : LE Nat := h", "instance"),
        (
            "attribute [instance 2000]\n  Lean.Grind.Semiring.natCast\n  Cheat.sane\ntheorem t : p := h",
            "instance Cheat.sane",
        ),
        ("set_option autoImplicit true", "set_option autoImplicit"),
        ("set_option linter.unusedSectionVars false", "set_option linter.unusedSectionVars"),
        ("def x := fun λaxiom b : False", "axiom"),
        ("def x := 1.0axiom b : False", "letters after digits in 0axiom"),
        ("def x := 0b1axiom b : False", "letters after digits in 0b1axiom"),
        ("def x := h.1instance : LE Nat := h", "letters after digits in 1instance"),
        ("theorem t : x = x²instance : LE Nat := h", "character U+00B2"),
        ("def Α := 1", "character U+0391"),
        ("-- one\u2028axiom", "character U+2028"),
        ("-- \ufeffone", "character U+FEFF"),
        ("theorem\tt : p := h", "character U+0009"),
        ("import\n  all Init.Prelude", "import in the line import"),
        ("public import Init.Grind\nimport Init /- -/ import Std", "import in the line import Init       import Std"),
        ("attribute [instance] _root_.Lean.Grind.Ring.intCast Ring.sane", "instance Ring.sane"),
        ("attribute [instance] Lean.Grind.Ring.intCast", "instance Lean.Grind.Ring.intCast"),
        ("attribute [instance] _root_.Lean.Grind.Ring.intCast /- -/ sane", "instance sane"),
        ("attribute [instance] _root_.Lean.Grind.Ring.intCast\n\n\nsane", "instance sane"),
        ("attribute [instance] _root_.Lean.Grind.Ring.intCast in\ntheorem t : p := h", "instance in"),
        ("theorem t : p := by run_tac pure ()", "run_tac"),
        ("open PrivRef.Numerics\n  Std.FactoryInstances\ntheorem t : p := h", "open Std.FactoryInstances"),
        ("open/- -/Std.FactoryInstances in\ntheorem t : p := h", "open Std.FactoryInstances"),
        ("open scoped Classical.Order in\ntheorem t : p := h", "open Classical.Order"),
        ("theorem t : p := by\n  open Lean.Order in exact h", "open Lean.Order"),
        ("open\n\n-- one\nFin.NatCast\ntheorem t : p := h", "open Fin.NatCast"),
        ("namespace PrivRef\nend PrivRef\nnamespace\n  Std.FactoryInstances", "namespace Std.FactoryInstances"),
        ("namespace PrivRef\nnamespace A\nend PrivRef.A\nnamespace Std\nend Std", "namespace Std"),
        ("namespace PrivRef\nnamespace _root_.Std\n", "namespace _root_.Std"),
        ("namespace PrivRef\nmutual\nend\nsection B\nend B\nend PrivRef\nnamespace Std\n", "namespace Std"),
        ("namespace PrivRef\nend\nnamespace Std\n", "end of nothing"),
    ],
)
def test_source_check_is_not_fooled(text: str, cheat: str) -> None:
    assert cheat in [f.cheat for f in cheats.in_source(text, "x")]


def test_source_check_leaves_honest_text_alone() -> None:
    comment = '/-- "Quoted", from two axioms; a prefixed word. -/\n'
    casts = "attribute [local instance] _root_.Lean.Grind.Semiring.natCast\n  _root_.Lean.Grind.Ring.intCast\n\n"
    assert cheats.in_source(casts + "-- an instance of a class\ndef x := 1\n", "x") == []
    assert cheats.in_source(comment + "@[simp] theorem Tree.stop_eq (x' : Nat) : x' = x' := rfl\n", "x") == []


HONEST = (LEAN / "lakefile.toml").read_text()


def test_lakefile_is_left_alone() -> None:
    assert cheats.in_lakefile(HONEST, "lakefile.toml") == []


@pytest.mark.parametrize(
    ("old", "new", "cheat"),
    [
        ("warningAsError = true", "warningAsError = false", "leanOptions"),
        ("[leanOptions]\nwarningAsError = true\n", "", "leanOptions"),
        ("autoImplicit = false", "autoImplicit = true", "leanOptions"),
        ("autoImplicit = false\n", "", "leanOptions"),
        ("warningAsError = true", "warningAsError = true\ndebug.skipKernelTC = true", "leanOptions"),
        ('globs = ["PrivRef.*"]', 'globs = ["PrivRef.*"]\nmoreLeanArgs = ["-DdebugX"]', "moreLeanArgs"),
        ('globs = ["PrivRef.*"]', 'globs = ["PrivRef.Spec.*"]', "lean_lib"),
        ('globs = ["PrivRef.*"]', 'globs = ["PrivRef.*"]\nsrcDir = "other"', "srcDir"),
        ('root = "Main"', 'root = "Other"', "lean_exe"),
        ("[leanOptions]", 'moreLeanArgs = ["-DdebugX"]\n[leanOptions]', "moreLeanArgs"),
        ("[leanOptions]", "[weakLeanOptions]\nx = 1\n[leanOptions]", "weakLeanOptions"),
        ("[[lean_lib]]", '[[require]]\nname = "mathlib"\n[[lean_lib]]', "require"),
        ('defaultTargets = ["PrivRef"]', "defaultTargets = []", "not built by default"),
    ],
)
def test_lakefile_check_is_not_fooled(old: str, new: str, cheat: str) -> None:
    assert HONEST.count(old) == 1
    found = [f.cheat for f in cheats.in_lakefile(HONEST.replace(old, new), "lakefile.toml")]
    assert any(cheat in f for f in found), found


def test_toolchain_is_pinned() -> None:
    text = (LEAN / "lean-toolchain").read_text()
    assert cheats.in_toolchain(text, "lean-toolchain") == []
    (found,) = cheats.in_toolchain(text.replace("v4.28.0", "v4.28.1"), "lean-toolchain")
    assert str(found) == "lean-toolchain: leanprover/lean4:v4.28.1 instead of leanprover/lean4:v4.28.0"


def test_finding_names_the_line() -> None:
    assert str(cheats.in_source("\n\naxiom a : False\n", "M")[0]) == "M:3: axiom"


@pytest.fixture(scope="module")
def recorded(lean: WasmLean, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The olean of all recorded cheats together; Lean accepts the file, which is the point."""
    folder = tmp_path_factory.mktemp("cheats")
    names = sorted(
        [*IN_OLEAN, *HIDDEN, *SILENT, *ASSUMED, "shadow"], key=lambda name: ("instance" in name, name)
    )  # what follows them suffers
    header = "module\n\npublic import Init.Grind import all Init.Prelude\n\n@[expose] public section\n\n"
    text = header + "\n".join(body(name) for name in names)
    (folder / "Cheats.lean").write_text(text)
    result = lean.run(["Cheats.lean", "-o", str(folder / "Cheats.olean")], path=[], cwd=folder)
    assert result.ok, result.output
    return folder / "Cheats.olean"


@pytest.mark.parametrize("name", sorted(IN_OLEAN))
def test_olean_check_catches(recorded: Path, name: str) -> None:
    found = [f.cheat for f in cheats.in_olean(recorded, name)]
    assert any(IN_OLEAN[name].lower() in cheat.lower() for cheat in found), "\n".join(found)


@pytest.mark.parametrize("name", sorted(ASSUMED))
def test_a_class_of_a_type_that_is_no_variable_is_found(lean: WasmLean, recorded: Path, name: str) -> None:
    """Also where a statement only reaches it, or where another name stands for it."""
    module = Module(parts(recorded))
    inside = f"In_{name}."
    said = meaning.meanings([module], [c.name for c in module.constants if c.name.startswith(inside)])
    constant, class_, subject = ASSUMED[name]
    _, classes = check.core_names(lean.toolchain / "lib")
    assert f"{inside}{constant} speaks of {class_} for {subject}" in meaning.assumed(module, said, classes)


def test_a_class_of_a_variable_is_no_cheat(lean: WasmLean, recorded: Path) -> None:
    module = Module(parts(recorded))
    _, classes = check.core_names(lean.toolchain / "lib")
    assert meaning.assumed(module, ["In_class.Cheat.claim", "In_shadow.Cheat.claim"], classes) == []


def test_an_import_that_the_source_hides_is_recorded(lean: WasmLean, recorded: Path) -> None:
    assert Module(parts(recorded)).unusual_imports == ["Init.Prelude"]
    assert "imports all of Init.Prelude, or its code" in [f.cheat for f in cheats.in_olean(recorded, "x")]


def test_a_name_of_core_is_not_hidden(lean: WasmLean, recorded: Path) -> None:
    core, classes = check.core_names(lean.toolchain / "lib")
    assert {"LE", "Subsingleton", "Lean.Grind.Field"} <= classes
    assert {"Rat", "Nat.add", "HAdd.hAdd"} <= core
    found = declared.shadows((constant.name for constant in Module(parts(recorded)).constants), core)
    assert "In_shadow.Cheat.Rat hides Lean's own Rat" in found
    assert "In_export.Cheat.Inner.Rat hides Lean's own Rat" in found
    assert declared.shadows(["PrivRef.Cheat.claim", "Rat", "_private.PrivRef.A.0.PrivRef.Nat.add"], core) == [
        "_private.PrivRef.A.0.PrivRef.Nat.add hides Lean's own Nat.add"
    ]


def test_axioms_behind_a_theorem_are_found(recorded: Path) -> None:
    module = Module(parts(recorded))
    kinds = {constant.name: constant.kind for constant in module.constants}

    def axioms(name: str) -> set[str]:
        return declared.recorded_axioms(name, module.uses, kinds)

    assert axioms("In_axiom.Cheat.claim") == {"In_axiom.Cheat.wish"}
    assert axioms("In_sorry.Cheat.claim") == {"sorryAx"}
    assert axioms("In_csimp.Cheat.swap") == set()
    names = ["In_axiom.Cheat.claim", "In_csimp.Cheat.swap", "PrivRef.gone"]
    assert declared.recorded_axiom_problems(names, module.uses, kinds) == [
        "In_axiom.Cheat.claim rests on In_axiom.Cheat.wish",
        "PrivRef.gone rests on PrivRef.gone",
    ]


def wide(path: Path, into: Path) -> None:
    """The same parts in the layout of a 64-bit build: words and addresses of twice the width."""
    files = parts(path)
    data = {file: file.read_bytes() for file in files}
    moved: dict[int, int] = {}
    bases: dict[Path, int] = {}
    objects: dict[Path, list[tuple[int, int, int]]] = {}
    start = 0x7E5A_0000_0000
    for file in files:
        (base,) = struct.unpack_from("<I", data[file], 0x50)
        bases[file], at, to, objects[file] = start, 0x58, 0x60, []
        while at < len(data[file]):
            _, size, count, tag = struct.unpack_from("<iHBB", data[file], at)
            (capacity,) = struct.unpack_from("<I", data[file], at + 12) if tag in (246, 248, 249) else (0,)
            old = {246: 16 + 4 * capacity, 248: 16 + capacity * count, 249: 20 + capacity}.get(tag, size)
            new = {246: 24 + 8 * capacity, 248: 24 + capacity * count, 249: 32 + capacity}.get(
                tag, size + 4 * count if tag < 245 else size
            )
            moved[base + at] = start + to
            objects[file].append((at, old, new))
            at, to = at + (old + 3) // 4 * 4, to + (new + 7) // 8 * 8
        start += (to + 0xFFFF) // 0x10000 * 0x10000

    def address(pointer: int) -> int:
        return pointer if pointer & 1 else moved[pointer]

    for file in files:
        (root,) = struct.unpack_from("<I", data[file], 0x54)
        made = bytearray(data[file][:0x50] + struct.pack("<QQ", bases[file], address(root)))
        for at, old, new in objects[file]:
            rc, size, count, tag = struct.unpack_from("<iHBB", data[file], at)
            body = data[file][at + 8 : at + old]
            if tag < 245:
                fields = struct.unpack_from(f"<{count}I", body)
                one = struct.pack(f"<iHBB{count}Q", rc, new, count, tag, *map(address, fields)) + body[4 * count :]
            elif tag in (246, 248, 249):
                words = struct.unpack_from("<3I" if tag == 249 else "<2I", body)
                rest = body[4 * len(words) :]
                if tag == 246:
                    rest = struct.pack(f"<{len(rest) // 4}Q", *map(address, struct.unpack(f"<{len(rest) // 4}I", rest)))
                one = data[file][at : at + 8] + struct.pack(f"<{len(words)}Q", *words) + rest
            else:
                one = data[file][at : at + 8] + body
            made += one.ljust((new + 7) // 8 * 8, b"\0")
        (into / file.name).write_bytes(made)


def test_oleans_of_a_64_bit_build_are_read_the_same(recorded: Path, tmp_path: Path) -> None:
    wide(recorded, tmp_path)
    narrow, other = Module(parts(recorded)), Module(parts(tmp_path / recorded.name))
    assert len(narrow.constants) > len(IN_OLEAN)
    assert other.constants == narrow.constants
    assert (other.imports, other.uses, other.attributes) == (narrow.imports, narrow.uses, narrow.attributes)
    names = [constant.name for constant in narrow.constants]
    assert meaning.meanings([other], names) == meaning.meanings([narrow], names)
    assert other.instances == narrow.instances != []
    assert [f.cheat for f in cheats.in_olean(tmp_path / recorded.name, "x")] == [
        f.cheat for f in cheats.in_olean(recorded, "x")
    ]


def test_olean_without_its_private_part_is_refused(recorded: Path, tmp_path: Path) -> None:
    copy = tmp_path / "Cheats.olean"
    copy.write_bytes(recorded.read_bytes())
    assert any("private part" in f.cheat for f in cheats.in_olean(copy, "x"))


def test_damaged_olean_is_refused(recorded: Path, tmp_path: Path) -> None:
    copy = tmp_path / "Cheats.olean"
    copy.write_bytes(recorded.read_bytes()[:-8])
    with pytest.raises(OleanError):
        Module(parts(copy))
    copy.write_bytes(b"not an olean" * 20)
    with pytest.raises(OleanError):
        Module(parts(copy))


# Each of these must be refused for its own reason; the one honest theorem must not.
KERNEL = """module

public import Init.Grind

@[expose] public section

theorem honest : (2 : Rat) / 6 = 1 / 3 ∧ 2 ^ 64 = 18446744073709551616 := by decide +kernel

theorem false_decide : 2 + 2 = 5 := by decide +kernel

theorem last_digit : 2 ^ 64 = 18446744073709551617 := by decide +kernel

theorem wrong_rat : (2 : Rat) / 6 = 1 / 4 := by decide +kernel

inductive Liar where
  | mk : (Liar → False) → Liar

theorem untrue : False := by trivial
"""


def test_kernel_is_live(lean: WasmLean, tmp_path: Path) -> None:
    """The kernel here rejects what it must: wrong numbers, and a type that would prove anything."""
    (tmp_path / "Kernel.lean").write_text(KERNEL)
    result = lean.run(["Kernel.lean", "-o", str(tmp_path / "Kernel.olean")], path=[], cwd=tmp_path)
    assert not result.ok
    assert not (tmp_path / "Kernel.olean").exists()
    starts = {
        m.group(1): KERNEL.count("\n", 0, m.start()) + 1 for m in re.finditer(r"(?:theorem|inductive) (\w+)", KERNEL)
    }
    lines = [m.line for m in result.messages if m.severity == "error"]
    ends = [*list(starts.values())[1:], KERNEL.count("\n") + 2]
    failed = {
        name for (name, start), end in zip(starts.items(), ends, strict=True) if any(start <= n < end for n in lines)
    }
    assert failed == {"false_decide", "last_digit", "wrong_rat", "Liar", "untrue"}


def test_warnings_are_errors(lean: WasmLean, tmp_path: Path) -> None:
    (tmp_path / "Warn.lean").write_text("module\n\ntheorem t : 1 = 2 := by sorry\n")
    result = lean.run([*build.OPTIONS, "Warn.lean"], path=[], cwd=tmp_path)
    assert not result.ok
    assert "sorry" in result.output
