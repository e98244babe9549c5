"""Contracts of the exact core: CrossHair within a time bound, and as properties what CrossHair can not reach."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact.numbers import weighted_sum
from privref.exact.rounding import to_binary64, to_decimal
from proofs.harness import defined_sum

ROOT = Path(__file__).parents[1]
VALUES = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**6)


def crosshair(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run CrossHair on this checkout."""
    environment = {"PYTHONPATH": f"{ROOT / 'reference'}:{ROOT}", "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, "-m", "crosshair", *arguments], capture_output=True, text=True, cwd=ROOT, env=environment
    )


@pytest.mark.parametrize("module", ["proofs.contracts.exact_core", "proofs.contracts.budget"])
def test_crosshair_finds_no_counterexample(module: str) -> None:
    """No input breaks a contract within the time bound; and the contracts are seen at all."""
    found = crosshair("check", "--analysis_kind=PEP316", "--per_condition_timeout=2", "--report_all", module)
    assert "error" not in found.stdout, found.stdout
    assert "onfirmed" in found.stdout, found.stdout + found.stderr


def test_crosshair_finds_no_difference_between_the_accountant_and_its_definition() -> None:
    """Behaviour is compared by symbolic execution of both."""
    found = crosshair(
        "diffbehavior",
        "--per_condition_timeout=3",
        "proofs.contracts.budget.machine",
        "proofs.contracts.budget.definition",
    )
    assert "No differences found" in found.stdout, found.stdout + found.stderr


def test_crosshair_would_find_a_broken_contract(tmp_path: Path) -> None:
    """The check bites: a filter that halts at equality is refuted."""
    (tmp_path / "broken.py").write_text(
        "def halts(eps: int, budget: int) -> bool:\n"
        '    """post: __return__ == (eps > budget)"""\n'
        "    return eps >= budget\n"
    )
    found = subprocess.run(
        [sys.executable, "-m", "crosshair", "check", "--analysis_kind=PEP316", str(tmp_path / "broken.py")],
        capture_output=True,
        text=True,
    )
    assert "error" in found.stdout


@given(st.lists(st.tuples(VALUES, st.integers(0, 1000)), max_size=8))
def test_exact_sum_is_the_sum_by_definition(pairs: list[tuple[Fraction, int]]) -> None:
    """What the symbolic proofs put in place of the optimised sum is what it computes."""
    assert weighted_sum(pairs) == defined_sum(pairs)
    assert weighted_sum(pairs, power=2) == defined_sum(pairs, power=2)


@given(VALUES, st.integers(1, 30))
def test_decimals_enclose_within_a_unit_of_the_last_place(value: Fraction, digits: int) -> None:
    """Directed rounding never goes inward, and not further than one unit."""
    low, high = Fraction(to_decimal(value, digits, "down")), Fraction(to_decimal(value, digits, "up"))
    assert low <= value <= high
    assert high - low <= abs(value) * Fraction(10, 10**digits)


@given(VALUES)
def test_doubles_enclose_and_are_neighbours(value: Fraction) -> None:
    """The two directed doubles are equal for a double and adjacent otherwise."""
    low, high = to_binary64(value, "down"), to_binary64(value, "up")
    assert Fraction(low) <= value <= Fraction(high)
    assert (low == high) == (Fraction(float(value)) == value)
