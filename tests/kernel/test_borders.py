"""Each honest proof shows its claim down to a border and not beyond: a kernel that is more generous is noticed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from privref import kernel
from privref.kernel.machines import ODOMETERS
from privref.kernel.numbers import digest
from privref.kernel.theorems import TABLES
from tests.kernel.borders import BUDGET, asked, rows, with_number

CASES = {name: (record, claim, verdict) for name, record, claim, verdict in asked()}
ENDS = [(row, number) for row in rows() for number in row["borders"]]


def certificate(row: dict[str, Any], number: str, value: str) -> dict[str, Any]:
    """The proofs of a row about its claim with another number."""
    record, claim, verdict = CASES[row["name"]]
    made = {
        "schema": "certificate.2", "claim": {"id": "c", **claim}, "verdict": verdict,
        "ledger": {"sha256": digest(record, "ledger"), "document": record}, "proofs": row["proofs"],
    }  # fmt: skip
    return with_number(made, number, value)


@pytest.mark.parametrize(("row", "number"), ENDS, ids=lambda value: value if isinstance(value, str) else value["name"])
def test_a_proof_shows_its_claim_and_no_more(row: dict[str, Any], number: str) -> None:
    ends = row["borders"][number]
    assert kernel.check(certificate(row, number, ends["verified"])).verdict == row["verdict"]
    with pytest.raises(kernel.Refused):
        kernel.check(certificate(row, number, ends["refused"]))


def test_the_borders_are_near_and_of_every_theorem() -> None:
    """Each lies between two numbers that differ by less than a billionth; each row of the kernel has one."""
    for row, number in ENDS:
        inside, outside = (Fraction(row["borders"][number][end]) for end in ("verified", "refused"))
        record, claim, _ = CASES[row["name"]]
        claimed = Fraction(record["budget"][BUDGET[number]] if number in BUDGET else claim[number])
        assert abs(inside - outside) <= max(inside, outside, claimed) / 10**9, (row["name"], number)
    proved = {proof["by"] for row, _ in ENDS for proof in row["proofs"]}
    assert {by for table in (*TABLES.values(), ODOMETERS) for by in table} <= proved
    assert {"event", "moment", "two-points"} <= proved
