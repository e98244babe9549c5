"""Everything public reads its numbers exactly at its own door: floats are refused with advice, never rounded."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import privref
from privref.cli.main import main
from privref.exact.errors import InputError
from privref.guarantees.model import GaussianDP, OutputDP, PureDP, RenyiDP
from privref.ledger.model import Budget

LEDGER = privref.ledger_from_document(
    {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential",
        "events": [{"count": 3, "guarantee": {"kind": "pure-dp", "epsilon": "1/10"}}],
    }
)  # fmt: skip
FIRST = "rogers2016/thm2.9.eps"


def calibrated(**change: Any) -> Any:
    return privref.calibrate("basic-filter", **{"budget": ("1", "1e-6"), "rounds": 3, **change})


def reading(**change: Any) -> Any:
    given = {"reading": "1", "delta": "0", "after_event": 1, **change}
    return privref.ReadingClaim("c", **given, by="whitehouse2023/lem3")


def remaining(**change: Any) -> Any:
    return privref.RemainingClaim("c", **{"remaining": ("0", "0"), "epsilon": "1", "delta": "0", **change})


#: Every parameter of a public callable that is a number: how it is given, one good value in three spellings, bad ones.
#: name of the callable, parameter -> (call, the same exact value in several ways, what is out of its domain)
Call = Callable[[Any], Any]
DOORS: dict[tuple[str, str], tuple[Call, list[Any], list[Any]]] = {
    ("ApproxDPClaim", "epsilon"): (lambda v: privref.ApproxDPClaim("c", v, "0").epsilon, ["2", 2, Fraction(2)], ["-1"]),
    ("ApproxDPClaim", "delta"): (
        lambda v: privref.ApproxDPClaim("c", "1", v).delta,
        ["1/2", Fraction(1, 2)],
        ["2", "-1"],
    ),
    ("ZCDPClaim", "rho"): (lambda v: privref.ZCDPClaim("c", v).rho, ["2", 2, Fraction(2)], ["-1"]),
    ("ZCDPClaim", "delta"): (lambda v: privref.ZCDPClaim("c", "1", v).delta, ["1/2", Fraction(1, 2)], ["2", "-1"]),
    ("ReadingClaim", "reading"): (lambda v: reading(reading=v).reading, ["2", 2], ["-1"]),
    ("ReadingClaim", "delta"): (lambda v: reading(delta=v).delta, ["1/2", Fraction(1, 2)], ["2", "-1"]),
    ("ReadingClaim", "after_event"): (lambda v: reading(after_event=v).after_event, ["2", 2], ["1/2", -1]),
    ("RemainingClaim", "remaining"): (lambda v: remaining(remaining=(v, "0")).remaining, ["2", 2, Fraction(2)], ["-1"]),
    ("RemainingClaim", "epsilon"): (lambda v: remaining(epsilon=v).epsilon, ["2", 2, Fraction(2)], ["-1"]),
    ("RemainingClaim", "delta"): (lambda v: remaining(delta=v).delta, ["1/2", Fraction(1, 2)], ["2", "-1"]),
    ("Enclosure", "lower"): (lambda v: privref.Enclosure(v, Fraction(9)).lower, ["2", 2, Fraction(2)], ["a"]),
    ("Enclosure", "upper"): (lambda v: privref.Enclosure(Fraction(0), v).upper, ["2", 2, Fraction(2)], ["a"]),
    ("Event", "count"): (lambda v: privref.Event(PureDP(Fraction(1)), v).count, ["2", 2, Fraction(2)], [0, "1/2", -1]),
    ("Event", "guarantee"): (
        lambda v: privref.Event(PureDP(v)).guarantee,
        ["2", 2, Fraction(2)],
        ["-1", Fraction(-1)],
    ),
    ("Event", "guarantee.delta"): (
        lambda v: privref.Event(OutputDP((("a", Fraction(1)),), v)).guarantee,
        ["1/2", Fraction(1, 2)],
        ["2", "-1"],
    ),
    ("Event", "guarantee.cells"): (
        lambda v: privref.Event(OutputDP((("a", v),), Fraction(0))).guarantee,
        ["2", 2, Fraction(2)],
        ["-1"],
    ),
    ("Event", "guarantee.orders"): (lambda v: privref.Event(RenyiDP(((2, v),))).guarantee, ["2", 2], ["-1"]),
    ("Event", "guarantee.mu"): (lambda v: privref.Event(GaussianDP(v)).guarantee, ["2", 2], ["-1"]),
    ("Ledger", "dataset_size"): (
        lambda v: privref.Ledger("t", (), "", "", dataset_size=v).dataset_size,
        ["2", 2],
        [0, "1/2"],
    ),
    ("Ledger", "budget"): (
        lambda v: privref.Ledger("t", (), "", "", budget=Budget("1/9", epsilon=v)).budget,
        ["2", 2, Fraction(2)],
        ["-1"],
    ),
    ("Ledger", "tuning"): (lambda v: privref.Ledger("t", (), "", "", tuning={"s": {"y": v}}).tuning, ["2", 2], ["-1"]),
    ("attack", "rounds"): (
        lambda v: privref.attack("natural-filter", "1", v, epsilon="2").rounds,
        ["2", 2],
        [0, "1/2"],
    ),
    ("attack", "epsilon"): (
        lambda v: privref.attack("natural-filter", "1", 1, epsilon=v).budget,
        ["2", 2, Fraction(2)],
        ["-1"],
    ),
    ("attack", "delta"): (
        lambda v: privref.attack("natural-filter", "1", 1, epsilon="2", delta=v).budget,
        ["1/2", Fraction(1, 2)],
        ["-1", "2"],
    ),
    ("attack", "delta_sum"): (
        lambda v: privref.attack("natural-filter", "1", 1, epsilon="2", delta_sum=v).budget,
        ["1/2", Fraction(1, 2)],
        [],
    ),
    ("attack", "max_states"): (
        lambda v: privref.attack("natural-filter", "1", 1, epsilon="2", max_states=v).rounds,
        ["900", 900],
        [0, "1/2"],
    ),
    ("attack", "settings"): (
        lambda v: privref.attack("filter-odometer", "1", 1, delta="1/9", settings={"y_star": v}).rounds,
        ["2", 2],
        [],
    ),
    ("bench", "most"): (lambda v: len(list(privref.bench(v, peers=False))), ["1", 1], [0, "1/2"]),
    ("calibrate", "budget"): (lambda v: calibrated(budget=(v, "0")), ["2", 2, Fraction(2)], ["-1"]),
    ("calibrate", "budget.delta"): (lambda v: calibrated(budget=("1", v)), ["1/2", Fraction(1, 2)], ["-1", "2"]),
    ("calibrate", "rounds"): (lambda v: calibrated(rounds=v), ["2", 2, Fraction(2)], [0, "1/2"]),
    ("calibrate", "cost"): (lambda v: calibrated(rounds=None, cost=v), ["1/2", Fraction(1, 2)], ["-1"]),
    ("calibrate", "round_delta"): (
        lambda v: calibrated(kind="approx-dp", budget="3,9/10", round_delta=v, rounds=1),
        ["1/2", Fraction(1, 2)],
        ["2"],
    ),
    ("calibrate", "delta_prime"): (
        lambda v: privref.calibrate("dp-filter", ("1", "1/9"), rounds=3, delta_prime=v),
        ["1/20", Fraction(1, 20)],
        ["-1"],
    ),
    ("calibrate", "size"): (lambda v: calibrated(size=v), ["2000", 2000], ["-1"]),
    ("calibrate", "resolution"): (lambda v: calibrated(resolution=v), ["1/2", Fraction(1, 2)], ["0", "-1"]),
    ("compare", "delta"): (lambda v: privref.compare(LEDGER, v), ["1/2", Fraction(1, 2)], ["2", "-1", Fraction(2)]),
    ("evaluate", "inputs"): (lambda v: privref.evaluate(FIRST, {"eps": [v]}), ["2", 2, Fraction(2)], ["-1"]),
    ("evaluate", "digits"): (
        lambda v: privref.evaluate(FIRST, {"eps": ["1"]}, digits=v),
        ["9", 9, Fraction(9)],
        [0, 4001, "1/2"],
    ),
    ("judge_answers", "rounding_ulps"): (
        lambda v: privref.judge_answers({}, rounding_ulps=v).rounding_ulps,
        ["2", 2],
        ["-1", "1/2"],
    ),
    ("rational", "value"): (lambda v: privref.rational(v), ["2", 2, Fraction(2)], ["a", ""]),
    ("replay", "budget"): (
        lambda v: privref.replay(LEDGER, (v, "1/9"), machines=["basic-filter"]).setup,
        ["2", 2, Fraction(2)],
        ["-1"],
    ),
    ("replay", "budget.delta"): (
        lambda v: privref.replay(LEDGER, ("1", v), machines=["basic-filter"]).setup,
        ["1/2", Fraction(1, 2)],
        ["-1", "2", Fraction(2)],
    ),
    ("replay", "delta_prime"): (
        lambda v: privref.replay(LEDGER, ("1", "1/9"), delta_prime=v, machines=["basic-filter"]).setup,
        ["1/20", Fraction(1, 20)],
        ["-1"],
    ),
    ("replay", "rows"): (
        lambda v: len(privref.replay(LEDGER, "1,1/9", rows=v, machines=["basic-filter"]).rows),
        ["2", 2],
        [0, "1/2"],
    ),
    ("spell", "value"): (lambda v: privref.spell(v), [2, Fraction(2), "2"], ["a"]),
}


def test_every_annotated_number_of_a_door_is_tried() -> None:
    """No parameter of a public function is annotated as a number unless it is tried here."""
    numbers = ("int", "Fraction", "ExactInput", "float")
    public = [(module, name) for module in (privref, privref.report) for name in module.__all__]
    functions = {name: found for module, name in public if inspect.isfunction(found := getattr(module, name))}
    assert {name for name, _ in DOORS} <= set(privref.__all__)
    for name, function in functions.items():
        for parameter in inspect.signature(function).parameters.values():
            words = str(parameter.annotation).replace("|", " ").split()
            if set(words) & set(numbers):
                # What a document says of digits was read before; a double is meant; and a search takes seconds.
                known = {("answer_document", "digits"), ("from_binary64", "value"), ("search_peers", "seconds")}
                known |= {("audit_report", "verbosity"), ("audit_batch", "workers"), ("rational", "most")}
                assert (name, parameter.name) in known | set(DOORS), f"{name}({parameter.name})"


@pytest.mark.parametrize("door", DOORS, ids=".".join)
def test_a_number_may_be_spelled_in_any_exact_way(door: tuple[str, str]) -> None:
    call, spellings, _ = DOORS[door]
    assert len({repr(call(value)) for value in spellings}) == 1


@pytest.mark.parametrize("door", DOORS, ids=".".join)
def test_a_float_is_refused_with_advice(door: tuple[str, str]) -> None:
    for value in (0.5, 2.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="floats are not exact"):
            DOORS[door][0](value)


@pytest.mark.parametrize("door", DOORS, ids=".".join)
def test_what_is_no_number_or_out_of_the_domain_is_an_input_error(door: tuple[str, str]) -> None:
    call, _, outside = DOORS[door]
    for value in [*outside, "half", True, [], 1j]:
        with pytest.raises(InputError):
            call(value)


@pytest.mark.parametrize("value", ["2", "-1", "half", "0x1p-1075", "1/0", ""])
def test_the_command_line_says_the_same(value: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(LEDGER.document))
    with pytest.raises(InputError) as said:
        privref.compare(LEDGER, value)
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(path), f"--delta={value}"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"privref: {said.value}\n"


@pytest.mark.parametrize("budget", ["1", "1,2", "1,0.1,3", (), ("1",), 5, None, {"1": "2"}, ("1", 0.5), (2.0, "0")])
def test_a_budget_is_a_pair(budget: Any) -> None:
    for call in (lambda: privref.replay(LEDGER, budget), lambda: calibrated(budget=budget)):
        with pytest.raises(InputError, match=r"^budget"):
            call()
