"""The rounds of the Census in the Lean library are those of the example ledgers."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from leanci.toolchain import LEAN

from privref.certify.convolution import convolution_term

EXAMPLES = LEAN.parent / "reference" / "privref" / "examples"
LEDGERS = {
    "personsRounds": "census2020",
    "unitsRounds": "census2020-units",
    "dhcPersonsRounds": "census2020-dhc-persons",
    "dhcUnitsRounds": "census2020-dhc-units",
}


def rounds(name: str) -> list[Fraction]:
    """The parameters `σ²` of a list of rounds of squared norm 2, as the Lean source has them."""
    text = (LEAN / "PrivRef" / "Spec" / "Census.lean").read_text()
    assert "l.map fun v => ⟨v, 2⟩" in text
    (listed,) = re.findall(rf"^def {name} : List GaussianRound := pairs \[(.*?)\]$", text, re.MULTILINE | re.DOTALL)
    entries = [entry.split() for entry in listed.split(",")]
    assert all(words[0] == "mkRat" and len(words) == 3 for words in entries)
    return [Fraction(int(top), int(bottom)) for _, top, bottom in entries]


@pytest.mark.parametrize("name", LEDGERS)
def test_rounds_are_those_of_the_ledger(name: str) -> None:
    events = json.loads((EXAMPLES / f"{LEDGERS[name]}.ledger.json").read_text())["events"]
    assert {event["mechanism"]["kind"] for event in events} == {"discrete-gaussian"}
    assert all(event["mechanism"]["shifts"] == ["1", "1"] and "count" not in event for event in events)
    assert rounds(name) == [Fraction(event["mechanism"]["sigma_squared"]) for event in events]


@pytest.mark.parametrize(
    ("theorem", "example"), zip(("census_persons", "census_units", "census_dhc_persons", "census_dhc_units"),
                                LEDGERS.values(), strict=True)
)  # fmt: skip
def test_a_theorem_has_the_published_number(theorem: str, example: str) -> None:
    text = (LEAN / "PrivRef" / "Statements.lean").read_text()
    stated = text.split(f"theorem {theorem} ", 1)[1].split(":=", 1)[0]
    ((top, bottom),) = re.findall(r"exp \(ofRat \(mkRat (\d+) (\d+)\)\)", stated)
    ((one, power),) = re.findall(r"ofRat \(mkRat (\d+) \(10 \^ (\d+)\)\)", stated)
    claims = json.loads((EXAMPLES / f"{example}.claims.json").read_text())["claims"]
    (published,) = (claim for claim in claims if claim["id"] == "published")
    assert Fraction(int(top), int(bottom)) == Fraction(published["epsilon"])
    assert Fraction(int(one), 10 ** int(power)) == Fraction(published["delta"])


CONVOLVED = {"persons_by_convolution": "census2020", "units_by_convolution": "census2020-units"}


@pytest.mark.parametrize(("theorem", "example"), CONVOLVED.items())
def test_a_convolution_is_below_the_published_number_and_is_what_the_package_writes(theorem: str, example: str) -> None:
    text = (LEAN / "PrivRef" / "Thm" / "CensusConvolution.lean").read_text()
    stated, proof = text.split(f"theorem {theorem} ", 1)[1].split(" :=\n", 1)
    ((top, bottom),) = re.findall(r"exp \(ofRat \(mkRat (\d+) (\d+)\)\)", stated)
    epsilon, delta = Fraction(int(top), int(bottom)), Fraction(1, 10**10)
    claims = json.loads((EXAMPLES / f"{example}.claims.json").read_text())["claims"]
    (published,) = (claim for claim in claims if claim["id"] == "published")
    assert delta == Fraction(published["delta"])
    assert epsilon < Fraction(published["epsilon"])
    (name,) = (name for name, ledger in LEDGERS.items() if ledger == example)
    noises = [variance for variance in rounds(name) for _ in range(2)]
    term = convolution_term(noises, epsilon, delta)
    assert term is not None
    arguments = proof.split("convolved_rounds_are_private ", 1)[1].split(" (by decide +kernel)", 1)[0]
    assert arguments.split() == term.split()


def test_every_list_of_rounds_is_compared() -> None:
    text = (LEAN / "PrivRef" / "Spec" / "Census.lean").read_text()
    assert re.findall(r"^def (\w+) : List GaussianRound", text, re.MULTILINE) == list(LEDGERS)


TRAININGS = {"dpsgd_cifar10": "dpsgd-cifar10", "dpsgd_cifar100": "dpsgd-cifar100", "dpsgd_imagenet": "dpsgd-imagenet"}


@pytest.mark.parametrize(("theorem", "example"), TRAININGS.items())
def test_a_theorem_of_a_training_has_the_ledger_s_parameters_and_the_published_number(
    theorem: str, example: str
) -> None:
    text = (LEAN / "PrivRef" / "Statements.lean").read_text()
    stated = " ".join(text.split(f"theorem {theorem} ", 1)[1].split(":=", 1)[0].split())
    rates = re.findall(r"SgdAnalyst\.(?:Adm|expect) \(ofRat \(mkRat (\d+) (\d+)\)\)", stated)
    (step,) = re.findall(r"SgdAnalyst N \(ofRat \(mkRat (\d+) (\d+)\)\) (\d+)\)", stated)
    (epsilon,) = re.findall(r"reals\.exp \(ofRat (\d+)\)", stated)
    ((one, power),) = re.findall(r"\+ ofRat \(mkRat (\d+) \(10 \^ (\d+)\)\)", stated)
    (event,) = json.loads((EXAMPLES / f"{example}.ledger.json").read_text())["events"]
    base = event["mechanism"]["base"]
    assert event["mechanism"]["sampling"] == "poisson"
    assert len(rates) == 3
    assert {Fraction(int(top), int(bottom)) for top, bottom in rates} == {Fraction(event["mechanism"]["rate"])}
    assert Fraction(int(step[0]), int(step[1])) == (Fraction(base["sensitivity"]) / Fraction(base["sigma"])) ** 2
    assert int(step[2]) == event["count"]
    (published,) = json.loads((EXAMPLES / f"{example}.claims.json").read_text())["claims"]
    assert Fraction(epsilon) == Fraction(published["epsilon"])
    assert Fraction(int(one), 10 ** int(power)) == Fraction(published["delta"])
