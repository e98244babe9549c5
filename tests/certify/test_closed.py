"""Closed Lean files: of discrete Gaussian noise alone, and only where the library's bounds reach the claim."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.certify.closed import GaussianRound, SampledRounds, closed_file, gaussian_rounds, sampled_rounds
from privref.certify.convolution import convolution_term
from privref.ledger.opening import read_ledger
from tests.certify.lean_files import shipped
from tests.certify.lean_routes import lean_routes, table

EXAMPLES = Path(privref.__file__).parent / "examples"
DELTA = Fraction(1, 10**10)
PUBLISHED = {
    "census2020": "17.14",
    "census2020-units": "2.47",
    "census2020-dhc-persons": "26.34",
    "census2020-dhc-units": "34.33",
}


def noise(sigma_squared: str = "3", shifts: tuple[str, ...] = ("1", "1"), **more: Any) -> dict[str, Any]:
    kind = {"kind": "discrete-gaussian", "sigma_squared": sigma_squared, "shifts": list(shifts)}
    return {"mechanism": kind, **more}


def ledger(*events: dict[str, Any]) -> Any:
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": list(events),
        }
    )  # fmt: skip


@pytest.mark.parametrize(("name", "epsilon"), PUBLISHED.items())
def test_the_published_numbers_of_the_census_have_closed_files(name: str, epsilon: str) -> None:
    path = EXAMPLES / f"{name}.ledger.json"
    text = closed_file(read_ledger(path), Fraction(epsilon), DELTA)
    assert text is not None
    listed = [(Fraction(int(a), int(b)), int(n)) for a, b, n in re.findall(r"⟨mkRat (\d+) (\d+), (\d+)⟩", text)]
    events = json.loads(path.read_text())["events"]
    assert listed == [(Fraction(event["mechanism"]["sigma_squared"]), 2) for event in events]
    assert "(F : ExpField)" not in text


def test_what_the_whole_orders_do_not_reach_is_convolved() -> None:
    # The exact loss of the noise is 16.46515…; the whole orders reach about 17.139, the grid of step 1/10 16.81029.
    record = read_ledger(EXAMPLES / "census2020.ledger.json")
    text = closed_file(record, Fraction("16.8103"), DELTA)
    assert text is not None
    assert "convolved_rounds_are_private 40 128 64 136 (mkRat 1 10)" in text
    assert "public import PrivRef.Thm.Convolution" in text


@pytest.mark.parametrize(("name", "epsilon"), [("census2020-dhc-persons", "24.88"), ("census2020-dhc-units", "32.44")])
def test_no_file_rests_on_a_difference_that_floats_do_not_resolve(name: str, epsilon: str) -> None:
    """The convolution proves these. For the second, floats took 10^19 times delta less its gains for a bound."""
    text = closed_file(read_ledger(EXAMPLES / f"{name}.ledger.json"), Fraction(epsilon), DELTA)
    assert text is not None
    assert "  convolved_rounds_are_private " in text
    assert (
        closed_file(read_ledger(EXAMPLES / f"{name}.ledger.json"), Fraction(epsilon) - Fraction(1, 100), DELTA) is None
    )


def test_what_the_bounds_do_not_reach_has_no_closed_file() -> None:
    # The first claim is true, and nearer to the exact number than a grid that the kernel is given reaches.
    record = read_ledger(EXAMPLES / "census2020.ledger.json")
    assert closed_file(record, Fraction("16.47"), DELTA) is None
    assert closed_file(record, Fraction("16.46"), DELTA) is None
    assert closed_file(record, Fraction("17.14"), Fraction(0)) is None


def test_differences_of_more_than_one_are_not_convolved() -> None:
    # A squared norm of 2 is two differences of 1; one of 4 may be a single difference of 2.
    text = closed_file(ledger(noise("9", ("1", "1"))), Fraction("1.2623"), Fraction("1/1000"))
    assert text is not None
    assert "convolved_rounds" in text
    assert closed_file(ledger(noise("9", ("2",))), Fraction("1.9"), Fraction("1/1000")) is None


@pytest.mark.parametrize(
    ("sigma_squared", "epsilon", "delta"),
    [("9", "1.2623", "1/1000"), ("1/2", "9.9337", "1e-5"), ("400", "0.2776", "1e-6")],
)
def test_the_grid_bounds_the_exact_loss_and_is_near_it(sigma_squared: str, epsilon: str, delta: str) -> None:
    exact = privref.epsilon(ledger(noise(sigma_squared, ("1", "1"))), delta)
    noises = [Fraction(sigma_squared)] * 2
    assert convolution_term(noises, Fraction(epsilon), Fraction(delta)) is not None
    assert convolution_term(noises, Fraction(str(exact.lower)), Fraction(delta)) is None


@pytest.mark.parametrize("sigma_squared", ["1/50", "1/10000", "1e12"])
def test_what_is_too_much_for_the_kernel_is_not_proposed(sigma_squared: str) -> None:
    """Losses beyond its exponentials, or too many values: no term, and no error."""
    assert convolution_term([Fraction(sigma_squared)] * 2, Fraction(3), DELTA) is None


@pytest.mark.parametrize(("epsilon", "delta"), [("3", "1e-400"), ("1e400", "1e-6"), ("3", "2")])
def test_claims_out_of_reach_of_the_search_have_no_closed_file(epsilon: str, delta: str) -> None:
    assert closed_file(ledger(noise("4")), Fraction(epsilon), Fraction(delta)) is None


def test_rounds_are_listed_as_often_as_they_ran() -> None:
    rounds = gaussian_rounds(ledger(noise(count=3), noise("5/2", ("2", "-1"))))
    assert rounds == [GaussianRound(Fraction(3), 2)] * 3 + [GaussianRound(Fraction(5, 2), 5)]


@pytest.mark.parametrize(
    "other",
    [
        {"guarantee": {"kind": "zcdp", "rho": "1/10"}},
        {"mechanism": {"kind": "gaussian", "sigma": "3", "sensitivity": "1"}},
        noise(count=10**6),
    ],
)
def test_a_ledger_of_anything_else_has_none(other: dict[str, Any]) -> None:
    assert gaussian_rounds(ledger(noise())) is not None
    assert gaussian_rounds(ledger(noise(), other)) is None


def test_a_certificate_by_a_theorem_without_a_lean_checker_gives_a_closed_file() -> None:
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "9", "delta": "1e-6"}]}
    )
    document = privref.certificates(privref.audit(ledger(noise("4", ("1",), count=4)), claims))["c"]
    assert document["proofs"][0]["by"] == "zdw2022/thm10"
    assert "theorem privacy (g : GaussianAnalyst reals ledger)" in privref.lean_file(document)


def test_the_documented_table_is_that_of_the_routes() -> None:
    page = (EXAMPLES.parents[1] / "docs" / "trust.md").read_text()
    assert "\n".join(table()) in page


def test_a_route_is_called_proved_only_where_its_bound_is() -> None:
    found = {route.by: route for route in lean_routes()}
    assert found["rogers2016/thm2.9"].proved == "yes"
    assert found["kov2015/optimal"].proved == "in part"
    # Its formulas are those of thm2.9, which Lean proves of parameters fixed in advance.
    assert found["rogers2016/thm3.3"].proved == "in part"
    assert "PrivRef.basic_composition" not in found["rogers2016/thm3.3"].theorems
    assert found["gdp/composition"].proved == "in part"
    assert found["chua2024b/cut"].proved == "no"
    assert not found["chua2024b/cut"].theorems
    assert all(route.number == "yes" or route.number.startswith("no: ") for route in found.values())


SGD = {"dpsgd-cifar10": ("1", "1e-5"), "dpsgd-cifar100": ("1", "1e-5"), "dpsgd-imagenet": ("8", "8e-7")}


@pytest.mark.parametrize(("name", "claim"), SGD.items())
def test_the_published_trainings_have_files_by_moments(name: str, claim: tuple[str, str]) -> None:
    record = read_ledger(EXAMPLES / f"{name}.ledger.json")
    rounds = sampled_rounds(record)
    (event,) = json.loads((EXAMPLES / f"{name}.ledger.json").read_text())["events"]
    mechanism = event["mechanism"]
    assert rounds == SampledRounds(
        event["count"], Fraction(mechanism["rate"]), 1 / Fraction(mechanism["base"]["sigma"]) ** 2
    )
    text = closed_file(record, Fraction(claim[0]), Fraction(claim[1]))
    assert text is not None
    assert "sgd_certificate_is_a_privacy_guarantee" in text
    # The moments give 0.98771, 0.99759 and 7.99821; 1 % below is beyond them.
    assert closed_file(record, Fraction(claim[0]) * Fraction(97, 100), Fraction(claim[1])) is None


@pytest.mark.parametrize("change", [{"sampling": "fixed-size"}, {"rate": "1"}, {"neighbours": "replace-one"}])
def test_other_samples_have_no_file_by_moments(change: dict[str, str]) -> None:
    document = json.loads((EXAMPLES / "dpsgd-cifar10.ledger.json").read_text())
    for key, value in change.items():
        place = document if key in document else document["events"][0]["mechanism"]
        place[key] = value
    if "sampling" in change:
        document["neighbours"] = "replace-one"
    assert sampled_rounds(privref.ledger_from_document(document)) is None


def test_the_documented_table_lists_the_files_of_the_shipped_claims() -> None:
    """All but the seconds, which ``python -m tests.certify.lean_files`` measures."""
    page = (EXAMPLES.parents[1] / "docs" / "trust.md").read_text().splitlines()
    start = (
        page.index("<!-- Made by `python -m tests.certify.lean_files`; a test compares all but the seconds. -->") + 4
    )
    rows = page[start : page.index("", start)]
    measured = [re.fullmatch(r"(.*\|) \d+\.\d \|", row) for row in rows]
    assert [row and row[1] for row in measured] == [one.row for one in shipped()]
