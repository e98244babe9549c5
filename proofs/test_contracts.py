"""Contracts of the exact core: CrossHair within a time bound, and as properties what CrossHair can not reach."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact.numbers import weighted_sum
from privref.exact.rounding import to_binary64, to_decimal
from proofs.stand_ins import defined_sum

ROOT = Path(__file__).parents[1]
VALUES = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**6)


def crosshair(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run CrossHair on this checkout."""
    environment = {"PYTHONPATH": f"{ROOT / 'reference'}:{ROOT}", "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, "-m", "crosshair", *arguments], capture_output=True, text=True, cwd=ROOT, env=environment
    )


CONFIRMED, OPEN = "Confirmed over all paths.", "Not confirmed."
#: The contracts that CrossHair exhausts, and those that it only searches.
EXHAUSTED = ("exact_core.intersection_is_common", "exact_core.filter_is_strict")
SEARCHED = (
    "exact_core.read_back",
    "exact_core.refuses_or_reads",
    "exact_core.zcdp_filter_keeps_its_budget",
    "budget.machine",
    "machines.output_filter_step",
    "machines.basic_filter_step",
    "machines.zcdp_filter_step",
)


def verdicts(output: str) -> dict[str, set[str]]:
    """What CrossHair printed of the contracts of each function, as file and function."""
    found: dict[str, set[str]] = {}
    for line in output.splitlines():
        match = re.match(r"(.*?):(\d+): (?:info|error): (.*)", line)
        if match is None:
            raise AssertionError(f"CrossHair says {line!r}")
        path, number = Path(match[1]), int(match[2])
        (name,) = (
            node.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef) and node.lineno <= number <= (node.end_lineno or node.lineno)
        )
        found.setdefault(f"{path.stem}.{name}", set()).add(match[3])
    return found


def check(*targets: str, fruitless: int | None = None) -> dict[str, set[str]]:
    """CrossHair's verdicts on contracts: each is searched for 30 s, or until so many paths in turn show nothing new."""
    bounds = ["--per_condition_timeout=30"]
    if fruitless is not None:
        bounds.append(f"--max_uninteresting_iterations={fruitless}")
    found = crosshair("check", "--analysis_kind=PEP316", "--report_all", *bounds, *targets)
    if found.stderr:
        raise AssertionError(found.stderr)
    return verdicts(found.stdout)


def test_crosshair_exhausts_what_it_can() -> None:
    """These hold on every path; the time is a bound, and a small part of it is needed."""
    found = check(*(f"proofs.contracts.{name}" for name in EXHAUSTED))
    assert found == {name: {CONFIRMED} for name in EXHAUSTED}


def test_crosshair_finds_no_counterexample() -> None:
    """No input that it reaches breaks a contract, and every contract can be reached.

    Five fruitless paths are the bound that CrossHair itself sets: what is broken by hand in a filter is found by then.
    """
    found = check(*(f"proofs.contracts.{name}" for name in SEARCHED), fruitless=5)
    assert set(found) == set(SEARCHED)
    for name, said in found.items():
        assert said <= {OPEN, CONFIRMED}, (name, said)


def test_every_contract_is_checked() -> None:
    """No function with a postcondition is left out."""
    with_contracts = {
        f"{path.stem}.{node.name}"
        for path in (ROOT / "proofs" / "contracts").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and "post:" in (ast.get_docstring(node) or "")
    }
    assert with_contracts == {*EXHAUSTED, *SEARCHED}


@pytest.mark.parametrize(
    ("precondition", "verdict"),
    [("eps >= 0", "false when calling"), ("eps < 0 and eps > 0", "Unable to meet precondition.")],
    ids=["broken", "unreachable"],
)
def test_crosshair_would_find_a_broken_contract(precondition: str, verdict: str, tmp_path: Path) -> None:
    """The check bites: a filter that halts at equality is refuted, and one that nothing can call is reported."""
    (tmp_path / "broken.py").write_text(
        "def halts(eps: int, budget: int) -> bool:\n"
        '    """A filter.\n\n'
        f"    pre: {precondition}\n"
        "    post: __return__ == (eps > budget)\n"
        '    """\n'
        "    return eps >= budget\n"
    )
    (found,) = check(str(tmp_path / "broken.py"), fruitless=5)["broken.halts"]
    assert found.startswith(verdict)
    assert {found} not in ({OPEN}, {CONFIRMED})


#: Denominators of 30 to 60 digits, of which some are shared: what doubles and long decimals give.
LARGE = st.builds(
    Fraction, st.integers(-(10**70), 10**70), st.sampled_from((2**100, 2**200, 10**40, 3**80, 10**59 + 7, 6**50))
)


@given(st.lists(st.tuples(VALUES | LARGE, st.integers(0, 10**12)), max_size=8))
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
