"""Published numbers are traced to their formulas, and a number that no formula gives is traced to none."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import privref
from privref.audit.identify import FORMULAS, identify
from privref.exact.enclosure import Enclosure
from tests.oracles import around, meets

TIGHT = "tight conversion of zCDP"
LEMMA_1 = "rho + 2 sqrt(rho log(1/delta)), Lemma 1"
LEMMA_36 = "rho + 2 sqrt(rho log(sqrt(pi rho)/delta))"


@pytest.mark.parametrize(
    ("epsilon", "delta", "rho", "formula", "rounding"),
    [
        ("17.14", "1e-10", "2.5562", TIGHT, "rounded down to 2"),
        ("17.14", "1e-10", "2.56", TIGHT, "if rho = 2.56 is itself rounded"),
        ("26.34", "1e-10", "24811/5000", LEMMA_1, "rounded down to 2"),
        ("26.34", "1e-10", "4.96", LEMMA_1, "rounded up to 2"),
        ("34.33", "1e-10", "7.70", LEMMA_1, "rounded down to 2"),
        ("34.33", "1e-10", "15401/2000", LEMMA_1, "rounded down to 2"),
        ("1.844", "1e-5", "0.0728", LEMMA_36, "rounded down to 3"),
        ("8.9", "1e-10", "0.81", TIGHT, "rounded down to 1"),
        ("8.9", "1e-10", "79/98", TIGHT, "rounded up to 1"),
    ],
)
def test_the_formulas_behind_published_numbers(epsilon: str, delta: str, rho: str, formula: str, rounding: str) -> None:
    """Census redistricting and housing data, the URLs data set, a keyboard's language model."""
    (match,) = identify(epsilon, delta, rho=rho).found
    assert match.formula.name == formula
    assert match.rounding is not None
    assert rounding in match.rounding


def test_what_no_formula_gives_is_said_to_be_unknown() -> None:
    found = identify("17.20", "1e-10", rho="2.5562")
    assert found.found == ()
    assert len(found.matches) == sum(formula.takes == "rho" for formula in FORMULAS)


def test_rounds_of_epsilon_and_of_mu() -> None:
    names = {match.formula.name for match in identify("1.7", "1e-9", each="0.1", rounds=17).found}
    assert names == {"basic composition, k epsilon", "optimal composition"}
    matches = identify("34.9", "1e-9", each="0.15", rounds=3000).found
    assert {match.formula.name for match in matches} == {
        "bounded range by its largest mean, Proposition 4", "zCDP with rho = k eps^2/8, Lemma 1",
    }  # fmt: skip
    assert all("only if every mechanism has this bounded range" in match.formula.premise for match in matches)
    (match,) = identify("2.26", "1e-6", mu="1/2").found
    assert match.formula.name == "exact curve of Gaussian DP"


@given(st.fractions(Fraction(1, 100), Fraction(20), max_denominator=1000), st.integers(1, 12))
def test_the_formulas_that_are_not_registered_agree_with_floats(rho: Fraction, power: int) -> None:
    """The free formulas and the Gaussian curve against binary64 and against the registered statement."""
    values = {f.name: f.value(rho, 1, Fraction(1, 10**power)) for f in FORMULAS if f.takes == "rho"}
    enclosure = values[LEMMA_36]
    assert enclosure is not None
    r, inside = float(rho), math.log(math.sqrt(math.pi * float(rho)) * 10**power)
    if inside > 0.01:
        # The logarithm is off by some 2^-48, which is up to 2^-41 of it; the root halves that.
        assert meets(enclosure, around(r + 2 * math.sqrt(r * inside), relative=Fraction(1, 2**40)))
    gaussian = values["exact curve of a Gaussian of this rho"]
    assert gaussian is not None
    # mu = sqrt(2 rho) lies between these doubles, and epsilon increases with it.
    ends = around(math.sqrt(2 * r), relative=Fraction(1, 2**50))
    low, high = (
        privref.evaluate("gdp/profile.eps", {"mu": mu, "delta": Fraction(1, 10**power)}, digits=9).enclosure
        for mu in (ends.lower, ends.upper)
    )
    assert low is not None
    assert high is not None
    assert meets(gaussian, Enclosure(low.lower, high.upper))


@pytest.mark.parametrize(
    "given_", [{}, {"rho": "1", "mu": "1"}, {"rho": "0"}, {"rho": "x"}, {"each": "0.1", "rounds": 10**6}]
)
def test_what_can_not_be_meant_is_refused(given_: dict[str, str]) -> None:
    with pytest.raises(privref.InputError):
        identify("1", "1e-6", **given_)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("epsilon", "delta", "rate", "sigma", "steps", "formula", "rounding"),
    [
        # De et al. 2022 trained ImageNet to the 8.0 of an RDP accountant.
        ("8.0", "8e-7", "16384/1281167", "2.5", 71589, "Renyi DP at whole orders 2 to 63, tight", "rounded up"),
        ("0.91", "1e-5", "4096/50000", "10", 875, "exact profile", "rounded up"),
        ("2.54", "1e-5", "1/100", "1", 1000, "Renyi DP at whole orders 2 to 63, +", "rounded up"),
        ("1.62", "1e-5", "0.01", "1", 1000, "central limit", "rounded up"),
    ],
)
def test_the_formulas_behind_training_runs(
    epsilon: str, delta: str, rate: str, sigma: str, steps: int, formula: str, rounding: str
) -> None:
    found = identify(epsilon, delta, rate=rate, sigma=sigma, rounds=steps)
    (match,) = found.found
    assert match.formula.name.startswith(formula)
    assert (match.rounding or "").startswith(rounding)
    assert len(found.matches) == 4


@pytest.mark.parametrize(
    "given",
    [
        {"rate": "1/10"},
        {"sigma": "1"},
        {"rate": "1/10", "sigma": "0"},
        {"rate": "2", "sigma": "1"},
        {"rate": "1/10", "sigma": "1", "rho": "1"},
        {"rho": "1", "sigma": "1"},
        {"rate": "1/10", "sigma": "1", "rounds": 10**10},
    ],
)
def test_a_run_that_is_not_known_is_refused(given: Any) -> None:
    with pytest.raises(privref.InputError):
        identify("1", "1e-5", **given)


@pytest.mark.parametrize("asked", [{"rho": "2.5562"}, {"rate": "1/100", "sigma": "1", "rounds": 10}])
def test_a_name_or_authors_stand_before_each_id(asked: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    Console(width=4000).print(privref.report.identification_report(identify("17", "1e-10", **asked)))
    said = capsys.readouterr().out
    before = [said[place.start() - 1] for place in re.finditer(r"\b(?:[a-z]+[0-9]{4}|gdp)/", said)]
    assert set(before) <= {"(", " "}
    assert all(" et al. 20" in line for line in said.splitlines() if re.search(r"[0-9]{4}/", line))
