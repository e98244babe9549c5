"""The index of every registered statement, generated: function, proof, derivation, Lean declaration, samples, errata.

``python -m proofs --index`` writes INDEX.md; a test renders it again and compares. ``holes`` lists what is missing or
points nowhere.
"""

from __future__ import annotations

import importlib
import json
import re
from collections import defaultdict
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from privref import cards, catalogue
from privref.statements import errata
from privref.statements.registry import PAPERS, Statement, statements

from . import folders
from .derivations import (
    allocation,
    bounded_range,
    concurrent,
    contour,
    contour_product,
    correlated,
    curve_of_one_run,
    cut,
    divided,
    domination,
    evidence,
    ex_post,
    exchanged,
    false_alarms,
    hartmann,
    individual,
    instead,
    kov,
    noisy_max,
    rogers,
    sampled_mu,
    selection,
    shuffled,
    truncated,
    whitehouse,
    with_replacement,
    zcdp_as_gaussian,
)
from .derivations.steps import Derivation

PATH = Path(__file__).parent / "INDEX.md"
ERRATA = Path(__file__).parents[1] / "reference" / "docs" / "errata.md"
MODULES = Path(__file__).parents[1] / "reference" / "privref" / "statements" / "modules.json"
DATA = Path(__file__).parents[1] / "reference" / "privref" / "statements" / "proofs.json"
LEAN_ROOT = Path(__file__).parents[1] / "lean"
SAMPLES = Path(__file__).parents[1] / "tests" / "data" / "samples.json"
_STRENGTH = ("identical", "enclosed", "cases", "property", "grid", "unproved")


def derivations() -> tuple[tuple[str, Derivation], ...]:
    """Every derivation with the file it stands in."""
    return tuple(
        (f"proofs/derivations/{module.__name__.rsplit('.', 1)[1]}.py", derivation)
        for module in (
            bounded_range,
            rogers,
            whitehouse,
            kov,
            hartmann,
            contour,
            contour_product,
            concurrent,
            individual,
            instead,
            correlated,
            cut,
            truncated,
            allocation,
            ex_post,
            exchanged,
            evidence,
            curve_of_one_run,
            false_alarms,
            sampled_mu,
            divided,
            domination,
            selection,
            shuffled,
            noisy_max,
            with_replacement,
            zcdp_as_gaussian,
        )
        for derivation in module.DERIVATIONS
    )


def lean() -> dict[str, list[dict[str, str]]]:
    """The Lean theorems of each statement and what they are to it, as kept beside the registry."""
    text = resources.files("privref.statements").joinpath("lean.json").read_text(encoding="utf-8")
    found: dict[str, list[dict[str, str]]] = json.loads(text)
    return found


def samples() -> dict[str, int]:
    """How many sample values each id has."""
    counts: dict[str, int] = defaultdict(int)
    for sample in json.loads(SAMPLES.read_text(encoding="utf-8"))["samples"]:
        counts[sample["id"]] += 1
    return counts


def _registered() -> tuple[Statement, ...]:
    catalogue.load()
    return statements()


def _declared_in_lean() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(LEAN_ROOT.rglob("*.lean")))


def holes() -> list[str]:
    """What the index lacks: statements without proof, and entries that point nowhere."""
    known = {statement.id for statement in _registered()}
    proved = {entry.id for entry in folders.entries()}
    found = [f"{id}: no proof entry" for id in sorted(known - proved)]
    pointing: dict[str, set[str]] = {
        "proof": proved,
        "derivation": {id for _, derivation in derivations() for id in derivation.proves},
        "Lean declaration": set(lean()),
        "sample": set(samples()),
        "erratum": {id for row in errata.rows() for id in row.statements},
    }
    for kind, ids in pointing.items():
        found += [f"{id}: a {kind} of something that is not registered" for id in sorted(ids - known)]
    for row in errata.rows():
        module, name = row.witness.split(":")
        if not callable(getattr(importlib.import_module(module), name, None)):
            found.append(f"{row.id}: no witness {row.witness}")
    if LEAN_ROOT.is_dir():
        text = _declared_in_lean()
        for id, entries in lean().items():
            for name in (entry["theorem"] for entry in entries):
                if not re.search(rf"\btheorem\s+{re.escape(name.split('.')[-1])}\b", text):
                    found.append(f"{id}: no Lean theorem {name}")
    return found


def data() -> dict[str, dict[str, Any]]:
    """Of each statement its proofs, derivations and number of samples, as the package keeps them for ``explain``."""
    proofs: dict[str, list[dict[str, str]]] = defaultdict(list)
    for entry in folders.entries():
        proofs[entry.id].append({"status": entry.proof.status, "covers": entry.proof.covers, "file": entry.file})
    chains: dict[str, list[dict[str, str]]] = defaultdict(list)
    for file, derivation in derivations():
        for id in derivation.proves:
            chains[id].append({"name": derivation.name, "file": file})
    counts = samples()
    return {
        found.id: {
            "proofs": proofs[found.id],
            "derivations": chains[found.id],
            "samples": counts.get(found.id, 0),
        }
        for found in _registered()
    }


def render_modules() -> str:
    """Which module registers each statement, as the text of ``modules.json``."""
    homes = {found.id: found.function.__module__ for found in _registered()}
    return json.dumps(homes, indent=1, sort_keys=True) + "\n"


def render_data() -> str:
    """The same as the text of ``proofs.json``."""
    return json.dumps(data(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def render_errata() -> str:
    """The page of errata of the documentation."""
    lines = [
        "# Errata",
        "",
        "Generated by `python -m proofs --index` from the rows that `privref errata` lists. Each has a witness under",
        "`proofs/errata/` that recomputes every number in it, exactly or enclosed. The rows are sorted by paper, so",
        "the numbers jump.",
        "",
        "- `false`: false as written.",
        "- `overclaim`: the paper claims more than holds or than it shows.",
        "- `misprint`: a printing error, or an error of the copy if the text that we read was extracted from a PDF.",
        "- `loose`: the words are imprecise, and true in the sense that the authors clearly mean.",
        "- `note`: no error. The row gives exact numbers for what the paper says, or names a source that it needs.",
        "- `extraction`: an error of the text that we read, and not of the paper.",
        "",
        _escaped(errata.WRONG),
    ]
    for paper, title in PAPERS.items():
        own = [row for row in errata.rows() if row.paper == paper]
        if own:
            lines += ["", f"## {title}", "", f"Read: {own[0].read}."]
        for row in own:
            lines += ["", f"### {row.id} ({row.severity}): {row.where}", ""]
            lines += [f"- says: {_escaped(row.says)}", f"- correct: {_escaped(row.correct)}"]
            lines += [f"- for auditors: {_escaped(row.consequence)}"]
            lines += ["- statements: " + ", ".join(f"`{id}`" for id in row.statements)]
            lines += [f"- witness: `{row.witness}`"]
            lines += [f"- corrected: {_escaped(text)}" for text in row.corrections]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Plain text for Markdown: what would be emphasis, a link or a tag stays what it is."""
    return re.sub(r"([\\`*_\[\]])", r"\\\1", text).replace("<", "&lt;")


def write() -> None:
    """Write the package's data, the index and the page of errata."""
    ERRATA.write_text(render_errata(), encoding="utf-8")
    DATA.write_text(render_data(), encoding="utf-8")
    MODULES.write_text(render_modules(), encoding="utf-8")
    PATH.write_text(render(), encoding="utf-8")


def _link(path: str) -> str:
    """A file of the proofs as a link from the index."""
    return f"[{path}]({path.removeprefix('proofs/')})"


def render() -> str:
    """The index as Markdown, of the same data and cards as ``privref explain``."""
    found, registered = data(), _registered()
    by_status = dict.fromkeys(_STRENGTH, 0)
    for statement in registered:
        by_status[_best(found[statement.id]["proofs"])] += 1
    lines = [
        "# Index of statements",
        "",
        "Generated by `python -m proofs --index`; checked in CI. The proof column says what `proofs/` shows of the",
        "running function: `identical` (SymPy proves it equal to the transcription on symbols over the whole domain; a",
        "root that the code brackets is one symbol there, proved to be the only root of the paper's equation),",
        "`enclosed` (the same, where the signs that leave no other root are proved by intervals on a cover of the",
        "whole domain, with limits at its ends), `cases` (either for lists and whole numbers up to the stated size),",
        "`property` (the equation that defines the value), `grid` (exact or high-precision equality with the paper's",
        "definition on stated inputs: the code computes in integers or searches, and takes no symbols). That",
        "`privref.exact.roots` brackets roots is tested with the package.",
        "The Lean column says what a theorem of `lean/` is to the paper's statement: it `proves` it (in the model of",
        "`lean/README.md`), `supports` it (proves the part named), or `evaluates` it (a numeric checker of the formula",
        "is sound, which proves no privacy).",
        "",
        f"{len(registered)} statements, by their strongest proof: "
        + ", ".join(f"{count} {status}" for status, count in by_status.items() if count)
        + ".",
    ]
    for paper, title in PAPERS.items():
        own = [statement for statement in registered if statement.id.split("/")[0] == paper]
        if not own:
            continue
        lines += [
            "",
            f"## {title}",
            "",
            "| Statement | Cites | Standing | Function | Proof | Covers | Derivation | Lean | Samples | Errata |",
            "|---|---|---|---|---|---|---|---|---|---|",
        ]
        for statement in own:
            entry, card = found[statement.id], cards.explain(statement.id)
            lines.append(
                "| "
                + " | ".join(
                    (
                        f"`{statement.id}`",
                        _cell(statement.cites),
                        statement.standing,
                        f"[`{card.function}`]({_target(card.file)})",
                        _cell("; ".join(f"{e['status']} ({_link(e['file'])})" for e in entry["proofs"])),
                        _cell("; ".join(e["covers"] for e in entry["proofs"])),
                        _cell("; ".join(f"{e['name']} ({_link(e['file'])})" for e in entry["derivations"])),
                        _cell("; ".join(map(_lean_cell, card.lean))),
                        str(entry["samples"] or "–"),
                        _cell(", ".join(row.id for row in card.errata)),
                    )
                )
                + " |"
            )
    return "\n".join(lines) + "\n"


def _target(file: str) -> str:
    """A function's file, without the line, which moves with every change above it."""
    return f"../reference/{file.split(':')[0]}"


def _best(entries: list[dict[str, str]]) -> str:
    return min((entry["status"] for entry in entries), key=_STRENGTH.index, default="unproved")


def _lean_cell(entry: Mapping[str, str]) -> str:
    part = f": {entry['part']}" if "part" in entry else ""
    return f"`{entry['theorem']}` ({entry['relation']}{part})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|") or "–"
