"""The index: what it counts."""

from __future__ import annotations

import pytest

from proofs import index


@pytest.mark.parametrize(
    ("statuses", "counted"),
    [([], "unproved"), (["grid"], "grid"), (["grid", "cases"], "cases"), (["property", "identical"], "identical")],
)
def test_a_statement_counts_by_its_strongest_proof(statuses: list[str], counted: str) -> None:
    """A statement without proof counts as unproved; it once counted as `grid`."""
    assert index._best([{"status": status} for status in statuses]) == counted


def test_the_counts_add_up_to_the_statements() -> None:
    line = next(line for line in index.render().splitlines() if "statements, by their strongest proof" in line)
    total, parts = line.split(" statements, by their strongest proof: ")
    assert sum(int(part.split()[0]) for part in parts.rstrip(".").split(", ")) == int(total)
    assert "unproved" not in line
