"""The whole library compiles without warnings, hides no cheat, and has and states what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from leanci import build, check, cli, declared, meaning, modules
from leanci.check import Outcome
from leanci.olean import read
from leanci.toolchain import LEAN, Result, WasmLean

HERE = Path(__file__).parent
INDEX = LEAN.parent / "reference" / "privref" / "statements" / "lean.json"
RESTATED = (HERE / "Restated.lean").read_text()


def test_library_checks(library: Outcome) -> None:
    assert library.problems == []
    assert library.theorems > 0


def test_every_module_was_built(library: Outcome) -> None:
    sources = {p.relative_to(LEAN).with_suffix("") for p in (LEAN / "PrivRef").rglob("*.lean")}
    assert sources
    assert {".".join(p.parts) for p in sources} <= modules.reachable(modules.library(LEAN))


def test_every_named_theorem_rests_on_leans_own_axioms(library: Outcome) -> None:
    """The allow-list, by the oleans, for all that the README, the statements and the package's index name."""
    named, problems = check.names(LEAN, INDEX)
    assert problems == []
    assert {item.source for item in named} == {"README", "Statements.lean", INDEX.name}
    found_in = [read(build.olean(cli.CHECKED, name)) for name in modules.library(LEAN)]
    uses = {name: used for module in found_in for name, used in module.uses.items()}
    kinds = {constant.name: constant.kind for module in found_in for constant in module.constants}
    found = {item.name: declared.recorded_axioms(item.name, uses, kinds) for item in named}
    assert {name: axioms for name, axioms in found.items() if not axioms <= declared.ALLOWED_AXIOMS} == {}
    assert all(name in uses for name in found)
    assert "propext" in set().union(*found.values())  # rewriting by an equivalence: something was followed
    # One step inside the library, taken away, is missed.
    hidden = {name: used for name, used in uses.items() if name != "PrivRef.composition_is_private"}
    assert declared.recorded_axiom_problems(["PrivRef.Statements.theorem_7"], hidden, kinds) == [
        "PrivRef.Statements.theorem_7 rests on PrivRef.composition_is_private"
    ]


def test_the_statement_of_a_theorem_is_printed_with_its_axioms(library: Outcome, lean: WasmLean) -> None:
    said = check.shown(lean, modules.library(LEAN), cli.CHECKED, ["Statements.census_persons"])
    assert said.startswith("theorem PrivRef.Statements.census_persons ")
    assert "personsRounds" in said
    assert "mkRat 1714 100" in said
    axioms = set(said.split("\naxioms: ")[1].split(", "))
    assert {axiom.strip() for axiom in axioms} <= declared.ALLOWED_AXIOMS


# What the restatements would say if the library's theorem were the weaker one.
STRONGER = {
    "composition_is_private": ("f ≤ δt + X.exp εt", "f ≤ X.exp εt"),
    "basic_odometer_is_valid": ("g.LossExceeds v) ≤ δg", "g.LossExceeds v) ≤ 0"),
    "dp_is_odp_with_constant_cost": ("(fun _ => ε) δ", "(fun _ => ε) 0"),
    "accountant_rejection_spends_nothing": ("(h : (accountantStep s e).2 = .reject) ", ""),
    "optDel_of_three_rounds": ("4 / 27", "4 / 28"),
    "Numerics.table1": ("LeastRounds 16", "LeastRounds 15"),
    "Statements.executable_filter": ("(hε : 0 ≤ b.eps) ", ""),
    "Census.persons": ("mkRat 1714 100", "mkRat 1713 100"),
    "Census.persons_by_convolution": ("mkRat 168103 10000", "mkRat 168102 10000"),
    "product_of_dominating_pairs_dominates": ("(hl : ∀ L ∈ l, L.Ok)\n", "\n"),
    "definitions": ("+ δ :=", "+ 0 :="),
}


def test_a_weaker_theorem_does_not_prove_its_restatement(run_lean: Callable[[str], Result]) -> None:
    """Every restatement that says more than the library's theorem fails; the whole file as it is does not."""
    text, starts = RESTATED.split("namespace PrivRef.Restated", 1)[0] + "namespace PrivRef.Restated\n", {}
    sections = RESTATED.split("\nsection\n")[1:]
    blocks = {block.split("\ntheorem ", 1)[1].split()[0]: block for block in sections if "\ntheorem " in block}
    (blocks["definitions"],) = (b for b in sections if "\ntheorem " not in b and "IsDPSet X nbr M ε δ ↔" in b)
    text += "universe u v a b k\n"
    for name, (old, new) in STRONGER.items():
        block = blocks[name].split("\nend\n", 1)[0]
        assert old in block
        starts[name] = text.count("\n") + 1
        text += f"section\n{block.replace(old, new)}\nend\n"
    result = run_lean(text + "end PrivRef.Restated\n")
    lines = [m.line for m in result.messages if m.severity == "error"]
    ends = [*list(starts.values())[1:], text.count("\n") + 1]
    assert not result.died, result.output
    assert {
        name for (name, start), end in zip(starts.items(), ends, strict=True) if any(start <= n < end for n in lines)
    } == set(STRONGER)


TINY = {
    "PrivRef.lean": "module\n\npublic import PrivRef.Fact\npublic import PrivRef.Statements\n",
    "PrivRef/Fact.lean": (
        "module\n\n@[expose] public section\n\nnamespace PrivRef\n\n"
        "theorem fact (n : Nat) : n ≤ n + 1 := Nat.le_succ n\n\nend PrivRef\n"
    ),
    "PrivRef/Statements.lean": (
        "module\n\npublic import PrivRef.Fact\n\n@[expose] public section\n\nnamespace PrivRef.Statements\n\n"
        "theorem lemma_1 (n : Nat) : n ≤ n + 1 := Nat.le_succ n\n\nend PrivRef.Statements\n"
    ),
    "README.md": "| theorem |\n|---|\n| `fact` |\n",
    "lakefile.toml": (LEAN / "lakefile.toml").read_text(),
    "lean-toolchain": (LEAN / "lean-toolchain").read_text(),
    "index.json": '{"a/b": [{"theorem": "PrivRef.fact", "relation": "proves"}]}',
    "Restated.txt": (
        "module\n\nimport PrivRef\n\nnamespace PrivRef.Restated\n\n"
        "theorem fact (n : Nat) : n ≤ n + 1 := by\n  apply _root_.PrivRef.fact <;> assumption\n\n"
        "theorem Statements.lemma_1 (n : Nat) : n ≤ n + 1 := by\n"
        "  apply _root_.PrivRef.Statements.lemma_1 <;> assumption\n\nend PrivRef.Restated\n"
    ),
}


def lay_out(base: Path, **changes: tuple[str, str]) -> None:
    for name, text in TINY.items():
        old, new = changes.get(Path(name).stem, ("", ""))
        assert old in text
        file = base / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(old, new) if old else text)


def test_a_weakened_theorem_is_the_one_problem_of_a_small_library(lean: WasmLean, tmp_path: Path) -> None:
    """The whole check, from the sources to the verdict, on a library that a reader can take in."""
    base = tmp_path / "lean"
    lay_out(base, Fact=("theorem fact (n : Nat) :", "theorem fact (n : Nat) (_ : 0 < n) :"))
    outcome = check.check(
        base=base, out=tmp_path / "out", index=base / "index.json", restated=base / "Restated.txt", lean=lean
    )
    assert outcome.theorems == 2
    (problem,) = outcome.problems
    assert problem.startswith("a theorem is not what is said of it")
    assert problem.count(": error: ") == 1
    assert "0 < n" in problem


# Definitions that no restatement spells out, and what notation and names mean.
SETTING = """
structure Asked where
  cost : Nat
  big : 0 < cost

def Fits (q : Asked) (n : Nat) : Prop := q.cost ≤ n + 1

theorem fact (q : Asked) (n : Nat) (h : q.cost ≤ n) : Fits q n := Nat.le_succ_of_le h
"""
RESTATED_SETTING = "theorem fact (q : Asked) (n : Nat) (h : q.cost ≤ n) : Fits q n := by"


def test_a_changed_meaning_is_noticed(lean: WasmLean, tmp_path: Path) -> None:
    """Cheats that change no statement's words: an instance, a hidden name, impossible fields, another definition."""

    def build(folder: str, setting: str, known: str | None = None, proof: str = "succ") -> tuple[list[str], str]:
        base = tmp_path / folder
        fact = ("\ntheorem fact (n : Nat) : n ≤ n + 1 := Nat.le_succ n\n", setting)
        lay_out(base, Fact=fact, Statements=("Nat.le_succ n", f"Nat.le_{proof} n"))
        restated = base / "Restated.txt"
        text = restated.read_text().replace("theorem fact (n : Nat) : n ≤ n + 1 := by", RESTATED_SETTING)
        restated.write_text(text)
        meanings = None
        if known is not None:
            meanings = base / "Meanings.txt"
            meanings.write_text(known)
        out = tmp_path / f"{folder}-out"
        outcome = check.check(
            base=base, out=out, index=base / "index.json", restated=restated, meanings=meanings, lean=lean
        )
        names = ["PrivRef.fact", "PrivRef.Statements.lemma_1"]
        return outcome.problems, meaning.write(check.reached(modules.library(base), out, names))

    problems, known = build("honest", SETTING)
    assert problems == []
    assert {"PrivRef.Asked", "PrivRef.Asked.mk", "PrivRef.Fits", "PrivRef.fact"} <= set(meaning.read(known))
    problems, again = build("again", SETTING.replace("n : Nat", "m : Nat").replace(" n", " m"), known)
    assert (problems, again) == ([], known)  # the names of bound variables are not what is said

    cheating = (
        "\ninstance sane {K : Type} [Add K] : HAdd K K K := ⟨fun x _ => x⟩\n\nabbrev Int := Nat\n"
        + SETTING.replace("  big : 0 < cost\n", "  big : 0 < cost\n  small : cost < 1\n").replace(
            "Nat.le_succ_of_le h", "h"
        )
    )
    problems, _ = build("cheating", cheating, known, "refl")
    assert set(problems) == {
        "PrivRef/Fact.lean:7: instance",
        "PrivRef.Fact: instance PrivRef.sane of HAdd for anything",
        "PrivRef.Int hides Lean's own Int",
        "PrivRef.Asked.mk does not say what is known of it",
        "PrivRef.Fits does not say what is known of it",
        "PrivRef.Statements.lemma_1 does not say what is known of it",
        "a named theorem reaches PrivRef.sane, which is not known",
    }


def test_emptied_statements_are_noticed(tmp_path: Path) -> None:
    lay_out(tmp_path, Statements=("theorem lemma_1 (n : Nat) : n ≤ n + 1 := Nat.le_succ n\n", ""))
    named, problems = check.names(tmp_path, tmp_path / "index.json")
    assert problems == ["Statements.lean states no theorem"]
    assert declared.restatement_problems(TINY["Restated.txt"], named) == [
        "PrivRef.Statements.lemma_1 is restated, but nothing names it"
    ]


def test_every_lean_file_is_scanned(tmp_path: Path) -> None:
    lay_out(tmp_path)
    assert check.source_problems(tmp_path) == []
    (tmp_path / "Main.lean").write_text("import PrivRef.Fact\n\nunsafe def main : IO Unit := pure ()\n")
    (tmp_path / "Stray.lean").write_text("import Lean\n")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "Product.lean").write_text("import Lean\n")
    assert check.source_problems(tmp_path) == [
        "Main.lean:3: unsafe",
        "Stray.lean:1: import Lean",
        "Stray.lean belongs neither to the library nor to its program",
    ]
    (tmp_path / "lakefile.toml").unlink()
    assert "there is no lakefile.toml, so nobody else can build the library" in check.source_problems(tmp_path)


def test_a_cheat_that_lean_accepts_does_not_pass_the_check(tmp_path: Path) -> None:
    for file in sorted((HERE / "cheats").glob("hidden_*.lean")):
        base = tmp_path / file.stem
        lay_out(base)
        (base / "PrivRef" / "Fact.lean").write_text(file.read_text())
        assert any("skipKernelTC" in problem for problem in check.source_problems(base)), file.name
