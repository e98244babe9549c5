"""Declared mechanisms: what is read, what is refused and how, and what they imply."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.resources import files
from typing import Any

import pytest

from privref.exact.errors import InputError
from privref.guarantees.model import ZCDP, GaussianDP, PureDP
from privref.profiles.declared import KINDS, mechanism_from, mechanisms, worst_case
from privref.profiles.model import DiscreteGaussian, Gaussian, Geometric, Laplace, Response, Round
from privref.statements.registry import evaluate, statement

LAPLACE = {"kind": "laplace", "scale": "10", "sensitivity": "1"}
CELLS = {"kind": "discrete-gaussian", "sigma_squared": "3203/13", "shifts": ["1", "-1", "0"]}

QUERY = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
POISSON = {"kind": "subsampled", "base": QUERY, "rate": "1/100", "sampling": "poisson"}


def read(document: dict[str, Any]) -> Any:
    return mechanism_from(document, "m")


@pytest.mark.parametrize(
    ("document", "rounds", "guarantee"),
    [
        (LAPLACE, (Round(Laplace(Fraction(1, 10))),), PureDP(Fraction(1, 10))),
        (
            {"kind": "laplace", "scale": "2", "shifts": ["1", "1/2"]},
            (Round(Laplace(Fraction(1, 2))), Round(Laplace(Fraction(1, 4)))),
            PureDP(Fraction(3, 4)),
        ),
        (
            {"kind": "gaussian", "sigma": "7/2", "sensitivity": "1"},
            (Round(Gaussian(Fraction(4, 49))),),
            GaussianDP(Fraction(2, 7)),
        ),
        (
            {"kind": "gaussian", "sigma": "7", "sensitivity_squared": "79"},
            (Round(Gaussian(Fraction(79, 49))),),
            ZCDP(Fraction(79, 98)),
        ),
        (CELLS, (Round(DiscreteGaussian(Fraction(3203, 13), 1)),) * 2, ZCDP(Fraction(13, 3203))),
        (
            {"kind": "geometric", "scale": "5/2", "shifts": ["2"]},
            (Round(Geometric(Fraction(5, 2), 2)),),
            PureDP(Fraction(4, 5)),
        ),
        (
            {"kind": "randomized-response", "epsilon": "0.1", "outcomes": "3"},
            (Round(Response(Fraction(1, 10), 3)),),
            PureDP(Fraction(1, 10)),
        ),
    ],
)
def test_kinds_are_read(document: dict[str, Any], rounds: tuple[Round, ...], guarantee: object) -> None:
    found = read(document)
    assert found.upper == found.lower == rounds
    assert found.guarantee == guarantee
    assert found.attained
    assert read(found.document) == found


def test_a_probability_is_rounded_both_ways() -> None:
    found = read({"kind": "randomized-response", "probability": "3/4"})
    (up,), (down,) = found.upper, found.lower
    # e^eps = 3.
    assert down.pair.epsilon < up.pair.epsilon
    assert up.pair.epsilon - down.pair.epsilon < Fraction(1, 2**60)
    assert Fraction("1.0986122886681") < down.pair.epsilon < Fraction("1.0986122886682")
    assert found.guarantee == PureDP(up.pair.epsilon)
    assert read({"kind": "randomized-response", "probability": "1/2"}).upper == (Round(Response(Fraction(0))),)


def test_what_has_no_law() -> None:
    assert read({"kind": "other", "description": "a neural net"}).upper is None
    assert read({"kind": "randomized-response"}).upper is None
    assert not read({**LAPLACE, "attained": False}).attained
    assert worst_case(ZCDP(Fraction(1))) is None


@pytest.mark.parametrize(
    ("document", "field", "advice"),
    [
        ({"kind": "lapalce", "scale": "1", "sensitivity": "1"}, "m.kind", "did you mean laplace"),
        ({"kind": "zz"}, "m.kind", "known here: .*other, with a description"),
        ({}, "m.kind", "unknown kind"),
        ({**LAPLACE, "scael": "1"}, "m.scael", "unknown field; did you mean scale"),
        ({**LAPLACE, "sensitivity_squared": "1"}, "m.sensitivity_squared", "did you mean sensitivity"),
        ({"kind": "laplace", "sensitivity": "1"}, "m.scale", "declared by its scale"),
        ({"kind": "laplace", "scale": "1"}, "m.sensitivity", "exactly one of sensitivity, shifts"),
        ({**LAPLACE, "shifts": ["1"]}, "m.sensitivity", "exactly one"),
        ({"kind": "gaussian", "sigma": "1", "sigma_squared": "1", "sensitivity": "1"}, "m.sigma", "exactly one"),
        ({**LAPLACE, "scale": "0"}, "m.scale", "> 0"),
        ({**LAPLACE, "sensitivity": "-1"}, "m.sensitivity", ">= 0"),
        ({**LAPLACE, "attained": "yes"}, "m.attained", "true or false"),
        ({**CELLS, "shifts": ["1/2"]}, r"m.shifts\[0\]", "whole number"),
        ({**CELLS, "shifts": []}, "m.shifts", "list"),
        ({**CELLS, "shifts": "1"}, "m.shifts", "list"),
        ({**CELLS, "shifts": ["1"] * 1001}, "m.shifts", "at most 1000"),
        ({"kind": "randomized-response", "probability": "1/3"}, "m.probability", "likeliest"),
        ({"kind": "randomized-response", "epsilon": "1", "outcomes": "1"}, "m.outcomes", "from 2"),
        ({"kind": "other"}, "m.description", "in words"),
        ({"kind": "subsample"}, "m.kind", "did you mean subsampled"),
        ({k: v for k, v in POISSON.items() if k != "base"}, "m.base", "the mechanism that ran on each sample"),
        ({**POISSON, "base": "gaussian"}, "m.base", "the mechanism that ran on each sample"),
        ({**POISSON, "base": {**QUERY, "sgima": "1"}}, "m.base.sgima", "did you mean sigma"),
        ({**POISSON, "base": {"kind": "other", "description": "?"}}, "m.base.kind", "a law of its own"),
        ({**POISSON, "base": {"kind": "randomized-response"}}, "m.base.kind", "a law of its own"),
        ({**POISSON, "base": POISSON}, "m.base.kind", "nested samples multiply"),
        ({**POISSON, "rate": "0"}, "m.rate", r"\(0, 1\]"),
        ({**POISSON, "rate": "1.01"}, "m.rate", r"\(0, 1\]"),
        ({**POISSON, "rate": 0.01}, "m.rate", "exact"),
        ({**POISSON, "sampling": "possion"}, "m.sampling", "did you mean poisson"),
        ({k: v for k, v in POISSON.items() if k != "sampling"}, "m.sampling", "give one of poisson, fixed-size"),
        ({**POISSON, "sampling_rate": "1"}, "m.sampling_rate", "did you mean sampling"),
    ],
)
def test_refusals_name_field_and_remedy(document: dict[str, Any], field: str, advice: str) -> None:
    with pytest.raises(InputError, match=f"^{field}(: | is missing: ).*{advice}"):
        read(document)


def test_the_statement_takes_mechanisms_and_worst_cases() -> None:
    rounds = [{**LAPLACE, "count": 100}]
    found = evaluate("zdw2022/thm10.eps", {"rounds": rounds, "delta": "1e-6"})
    assert found.enclosure is not None
    assert Fraction("4.69266") < found.enclosure.lower < found.enclosure.upper < Fraction("4.69268")
    param = statement("zdw2022/thm10.eps").params[0]
    mixed = [*rounds, {"kind": "approx-dp", "epsilon": "1/10", "delta": "1/1000"}, {"kind": "gaussian-dp", "mu": "1"}]
    assert param.spell(param.read(mixed)) == mixed
    assert mechanisms().description.startswith("a list of mechanisms")
    with pytest.raises(InputError, match="no law of its own"):
        param.read([{"kind": "other", "description": "x"}])
    with pytest.raises(InputError, match="count"):
        param.read([{**LAPLACE, "count": 0}])
    with pytest.raises(InputError, match="give a list"):
        param.read("laplace")


def test_the_kinds_are_those_of_the_schema() -> None:
    """Each kind is listed there, and what may stand beside it."""
    schema = json.loads(files("privref").joinpath("schemas", "ledger.1.json").read_text(encoding="utf-8"))
    mechanism = schema["$defs"]["mechanism"]
    assert set(KINDS) == set(mechanism["properties"]["kind"]["enum"])
    shapes = [each["then"] for each in mechanism["allOf"]]
    assert set(KINDS) == {shape["properties"]["kind"]["const"] for shape in shapes}
    assert not any(shape["additionalProperties"] for shape in shapes)
