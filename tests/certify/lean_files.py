"""The Lean files of the claims that ship with the package, and the seconds that Lean took for each.

``python -m tests.certify.lean_files`` prints the table of the documentation's page on trust. It builds the Lean library
first, and takes some minutes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import privref
from privref.certify.closed import closed_file
from privref.ledger.opening import read_ledger

EXAMPLES = Path(privref.__file__).parent / "examples"
#: Claims below the published ones that only the convolution reaches.
CONVOLVED = {"census2020-dhc-persons": "24.88", "census2020-dhc-units": "32.44"}
_PROOFS = {
    "checked_rounds": "a whole order",
    "sharply_checked_rounds": "whole orders that depend on one round's noise",
    "convolved_rounds": "convolution",
    "sgd_certificate": "a moment of the sampled noise",
    "zcdp_certificate": "the declared ρ, Lemma 1",
    "cks_certificate": "the declared ρ, tight conversion",
}


class Shipped(NamedTuple):
    """One Lean file: the ledger of which example, the claim, and what proves it."""

    example: str
    claim: str
    epsilon: str
    delta: str
    text: str

    @property
    def row(self) -> str:
        """The row of the table without the seconds."""
        (by,) = set(re.findall(rf" ({'|'.join(_PROOFS)})_(?:are_private|is_a_privacy_guarantee) ", self.text))
        return f"| `{self.example}` | `{self.claim}` | {self.epsilon} | {self.delta} | {_PROOFS[by]} |"


def shipped() -> Iterator[Shipped]:
    """Yield the files in the order of the examples, and below them those that only the convolution reaches."""
    for path in sorted(EXAMPLES.glob("*.claims.json")):
        example = path.name.removesuffix(".claims.json")
        record = read_ledger(next(EXAMPLES.glob(f"{example}.ledger.*")))
        document = json.loads(path.read_text())
        asked = {c["id"]: (c["epsilon"], c["delta"]) for c in document["claims"] if {"epsilon", "delta"} <= c.keys()}
        for name, (epsilon, delta) in asked.items():
            text = closed_file(record, Fraction(epsilon), Fraction(delta))
            if text is None:
                found = privref.certificates(privref.audit(record, privref.claims_from_document(document)))
                if name not in found:
                    continue
                text = privref.lean_file(found[name])
            yield Shipped(example, name, epsilon, delta, text)
    for example, epsilon in CONVOLVED.items():
        text = closed_file(read_ledger(EXAMPLES / f"{example}.ledger.json"), Fraction(epsilon), Fraction("1e-10"))
        assert text is not None
        yield Shipped(example, "less than published", epsilon, "1e-10", text)


def table(seconds: Callable[[str], float]) -> Iterator[str]:
    """Yield the lines of the table, in Markdown."""
    yield "| example | claim | ε | δ | proved by | seconds |"
    yield "|---|---|---|---|---|---|"
    for one in shipped():
        yield f"{one.row} {seconds(one.text):.1f} |"


def main() -> None:
    """Print the table: the processor's seconds of one process of Lean, which began before."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "lean" / "ci"))
    from leanci.build import build
    from leanci.check import run_text
    from leanci.cli import CHECKED
    from leanci.toolchain import wasm_lean

    lean = wasm_lean()
    assert build(lean, out=CHECKED, incremental=True, say=lambda line: print(line, file=sys.stderr)).ok

    def used() -> float:
        (server,) = lean._idle
        spent = Path(f"/proc/{server._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(spent[11]) + int(spent[12])) / 100

    def seconds(text: str) -> float:
        before = used()
        result = run_text(lean, text, CHECKED)
        assert result.ok, result.output
        return used() - before

    assert run_text(lean, "module\n\npublic import PrivRef\n", CHECKED).ok
    for line in table(seconds):
        print(line, flush=True)
    lean.close()


if __name__ == "__main__":
    main()
