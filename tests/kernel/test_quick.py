"""One forgery for each row of the kernel, which takes no time: it is in the quick run.

Of each theorem the proof whose check is quickest, for a claim on its border. It is refused for a claim beyond it, and
where parameters were chosen on the way and no budget was enforced.
"""

from __future__ import annotations

from typing import Any

import pytest

from privref import kernel
from privref.kernel.machines import ODOMETERS
from privref.kernel.theorems import TABLES
from tests.kernel.borders import rows
from tests.kernel.cases import Document, ledger, pure
from tests.kernel.test_borders import CASES, certificate
from tests.kernel.test_certificates import altered, is_refused
from tests.kernel.test_forgeries import forged

BY = [(notion, by) for notion, table in {**TABLES, "reading": ODOMETERS}.items() for by in table]


def shortest(notion: str, by: str) -> dict[str, Any]:
    """The row of a theorem whose proof is shortest, all in one step."""
    having = []
    for row in rows():
        one = [proof["by"] for proof in row["proofs"]] == [by] and "units" not in CASES[row["name"]][1]
        if one and notion in row["borders"]:
            having.append(row)
    return min(having, key=lambda row: (len(CASES[row["name"]][0]["events"]), len(str(row["proofs"]))))


def on_the_way(record: Document) -> Document:
    """The same ledger with parameters that were chosen from earlier answers, and no budget."""
    return {**{key: value for key, value in record.items() if key != "budget"}, "parameters": "chosen-adaptively"}


@pytest.mark.parametrize(("notion", "by"), BY)
def test_a_forgery_of_each_theorem_is_refused(notion: str, by: str) -> None:
    row = shortest(notion, by)
    ends = row["borders"][notion]
    honest = certificate(row, notion, ends["verified"])
    assert kernel.check(honest).by == (by,)
    assert is_refused(certificate(row, notion, ends["refused"]))
    if notion != "reading":  # an odometer is for parameters that are chosen on the way
        assert is_refused(altered(honest, on_the_way(CASES[row["name"]][0])))


def test_an_entry_that_was_refused_shows_that_not_all_was_fixed() -> None:
    claim = {"epsilon": "1", "delta": "0"}
    assert kernel.check(forged(ledger(pure("1")), claim, "confirmed", "rogers2016/thm2.9", {}))
    for decision in ("halt", "reject"):
        record = ledger(pure("1"), {**pure("9"), "decision": decision})
        assert is_refused(forged(record, claim, "confirmed", "rogers2016/thm2.9", {}))
