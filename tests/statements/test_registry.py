"""Registration refuses what is incomplete; evaluation honours digits, engines and input names."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.exact.errors import InputError, OutOfScopeError, RegistrationError
from privref.statements import registry
from privref.statements.params import Multiset, declared


def formula(ar: Any, x: Fraction) -> Fraction:
    """A formula."""
    return x


@pytest.mark.parametrize(
    "change",
    [
        {"id": "nopaper/thm1"},
        {"id": "rogers2016"},
        {"id": "rogers2016/thm2.9.eps"},
        {"kind": "bound"},
        {"standing": "maybe"},
        {"cites": " "},
        {"hypotheses": ("fixed",)},
        {"id": "rogers2016/new.printed"},
        {"standing": "printed"},
    ],
    ids=lambda change: ",".join(change),
)
def test_an_incomplete_statement_fails_at_registration(change: dict[str, Any]) -> None:
    complete: dict[str, Any] = {
        "id": "rogers2016/new", "kind": "upper", "cites": "Theorem 0",
    }  # fmt: skip
    arguments = {**complete, **change}
    with pytest.raises(RegistrationError, match=str(arguments["id"])):
        registry.implements(arguments.pop("id"), **arguments)(formula)
    assert "rogers2016/new" not in [found.id for found in registry.statements()]


def test_a_function_without_a_docstring_fails_at_registration() -> None:
    def undocumented(ar: Any, x: Fraction) -> Fraction:
        return x

    with pytest.raises(RegistrationError, match="docstring"):
        registry.implements("rogers2016/new", kind="upper", cites="Theorem 0")(undocumented)


def test_an_input_of_another_type_fails_at_registration() -> None:
    def with_a_float(ar: Any, x: float) -> Fraction:
        """rogers2016/new: a formula."""
        return Fraction(0)

    with pytest.raises(RegistrationError, match="x: no statement takes a"):
        registry.implements("rogers2016/new", kind="upper", cites="Theorem 0")(with_a_float)
    assert "rogers2016/new" not in [found.id for found in registry.statements()]


def test_every_registered_statement_is_documented_with_its_id_and_source() -> None:
    found = privref.statements()
    assert len(found) >= 18
    for statement in found:
        assert statement.id in statement.documentation, statement.id
        assert statement.cites in statement.source
        assert statement.summary.endswith("."), statement.id


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_samples_are_reproduced_to_thirty_digits(engine: Any, samples: list[dict[str, Any]]) -> None:
    known = {statement.id for statement in privref.statements()}
    checked = 0
    for sample in samples:
        if sample["id"] not in known:
            continue
        answer = privref.evaluate(sample["id"], sample["inputs"], engine=engine)
        if "lower" in sample:
            assert answer.enclosure is not None
            assert answer.enclosure.decimals(30) == (sample["lower"], sample["upper"]), sample
        if sample["kind"] == "exact":
            assert answer.value == sample["value"], sample
        checked += 1
    assert checked >= 18


@pytest.mark.parametrize("digits", [1, 2, 15, 100, 700])
@pytest.mark.parametrize("engine", ["arb", "mpmath"])
def test_digits_are_honoured_and_answers_are_nested(digits: int, engine: Any) -> None:
    inputs = {"rho": "1/2", "delta_prime": "1e-6"}
    found = privref.evaluate("whitehouse2023/lem1.zcdp2dp.eps", inputs, digits=digits, engine=engine).enclosure
    sharper = privref.evaluate("whitehouse2023/lem1.zcdp2dp.eps", inputs, digits=digits + 50).enclosure
    assert found is not None
    assert sharper is not None
    lower, upper = (Fraction(end) for end in found.decimals(digits))
    assert lower <= sharper.lower <= sharper.upper <= upper
    assert upper - lower <= lower * Fraction(10) ** (2 - digits)


def test_unknown_ids_are_answered_with_the_nearest() -> None:
    with pytest.raises(OutOfScopeError, match=r"rogers2016/thm2\.9\.eps"):
        privref.evaluate("rogers2016/thm2.9.esp", {})


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({"eps": "1", "k": "3"}, "delta_hat"),
        ({"eps": "1", "k": "3", "delta_hat": "1", "n": "2"}, "n"),
        ({"eps": "-1", "k": "3", "delta_hat": "1"}, "eps"),
        ({"eps": "1", "k": "3", "delta_hat": "0"}, "delta_hat"),
        ({"eps": "1", "k": "3", "delta_hat": "1.01"}, "delta_hat"),
        ({"eps": ["1"], "k": "3", "delta_hat": "1"}, "eps"),
        ({"eps": "1", "k": "3.5", "delta_hat": "1"}, "k"),
        ({"eps": 0.5, "k": "3", "delta_hat": "1"}, "eps"),
    ],
)
def test_inputs_are_checked_by_name_and_domain(inputs: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as refusal:
        privref.evaluate("rogers2016/thm2.10.eps_g", inputs)
    assert refusal.value.field == field


def test_parameters_read_what_they_spell() -> None:
    for param, value in (
        (declared("x", Fraction), Fraction(2, 7)),
        (declared("x", Sequence[Fraction]), (Fraction(1), Fraction(1, 2), Fraction(1))),
        (declared("x", Multiset), ((Fraction(1), 3), (Fraction(1, 2), 1))),
        (declared("x", int), 12),
        (declared("x", bool), True),
    ):
        assert param.read(param.spell(value)) == value


def test_a_multiset_merges_equal_values_and_takes_counts() -> None:
    param = declared("x", Multiset)
    assert param.read(["1/2", "0.5", {"value": "1", "count": 4}]) == ((Fraction(1, 2), 2), (Fraction(1), 4))
    for bad in ([{"value": "1"}], [{"value": "1", "count": 0}], ["-1"], "1", [["1"]]):
        with pytest.raises(InputError):
            param.read(bad)
