"""The folders of proofs, and the proofs that they declare."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from .transcription import Proof

ROOT = Path(__file__).parent
#: Folders that hold something else than transcriptions.
_OTHERS = frozenset({"contracts", "derivations", "errata"})


def papers() -> tuple[str, ...]:
    """The folders of transcriptions."""
    return tuple(sorted({found.name for found in pkgutil.iter_modules([str(ROOT)]) if found.ispkg} - _OTHERS))


PAPERS = papers()


@dataclass(frozen=True)
class Entry:
    """One proof of one statement, with the file it stands in."""

    id: str
    proof: Proof
    file: str


def modules(folder: str) -> Iterator[ModuleType]:
    """The modules of one folder of proofs."""
    path = ROOT / folder
    if path.is_dir():
        for found in sorted(pkgutil.iter_modules([str(path)]), key=lambda info: info.name):
            yield importlib.import_module(f"proofs.{folder}.{found.name}")


def entries() -> tuple[Entry, ...]:
    """Every proof that the folders declare, by id; one statement may have several."""
    found: list[Entry] = []
    for paper in PAPERS:
        for module in modules(paper):
            file = f"proofs/{paper}/{module.__name__.rsplit('.', 1)[1]}.py"
            declared: tuple[Proof, ...] = module.PROVES
            found.extend(Entry(proof.id, proof, file) for proof in declared)
    return tuple(sorted(found, key=lambda entry: entry.id))
