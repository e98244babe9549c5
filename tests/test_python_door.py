"""Everything public reads its numbers exactly at its own door: floats are refused with advice, never rounded."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass
class DpParams:
    """The shape of JAX-privacy's, of batches of 2 records."""

    noise_multipliers: float = 2.0
    num_samples: int = 100
    batch_sizes: int = 2
    is_finite_guarantee: bool = True
    examples_per_user: int = 1
    cycle_length: int = 1
    sampling_method: str = "POISSON"
    truncated_batch_size: int | None = None


@dataclass
class FixedBatchSampling:
    batch_size: int = 1
    iterations: int = 3
    replace: bool = False


class Distribution:
    """The shape of a privacy loss distribution."""

    def get_delta_for_epsilon(self, epsilon: float) -> float:
        return 1 / (epsilon + 8)


def of_jax(run: Any, **change: Any) -> Any:
    return privref.ledger_from_jax_privacy(run, neighbours="zero-out", parameters="fixed-in-advance", **change).events


def of_fixed(**change: Any) -> Any:
    return of_jax(FixedBatchSampling(), **{"noise_multiplier": "1", "num_examples": 2, **change})


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
    ("epsilon", "width"): (
        lambda v: privref.epsilon(LEDGER, "1/2", width=v),
        ["1/2", Fraction(1, 2)],
        ["2", "-1", Fraction(2)],
    ),
    ("epsilon", "delta"): (lambda v: privref.epsilon(LEDGER, v), ["1/2", Fraction(1, 2)], ["2", "-1", Fraction(2)]),
    ("epsilon_document", "delta"): (
        lambda v: privref.report.epsilon_document(privref.proved(LEDGER, "1/2"), v)["delta"],
        ["1/2", Fraction(1, 2)],
        ["2", "-1", Fraction(2)],
    ),
    ("epsilon_report", "delta"): (
        lambda v: str(privref.report.epsilon_report(privref.proved(LEDGER, "1/2"), v).renderables[0]),
        ["1/2", Fraction(1, 2)],
        ["2", "-1", Fraction(2)],
    ),
    ("proved", "delta"): (
        lambda v: privref.proved(LEDGER, v).application.by,
        ["1/2", Fraction(1, 2)],
        ["2", "-1", Fraction(2)],
    ),
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
    ("ledger_from_accountant", "epsilon"): (
        lambda v: privref.ledger_from_accountant(Distribution(), epsilon=v, **SAID).events,
        ["2", 2, Fraction(2)],
        ["-1", 10**7],
    ),
    ("ledger_from_jax_privacy", "noise_multiplier"): (
        lambda v: of_fixed(noise_multiplier=v),
        ["2", 2, Fraction(2)],
        ["-1"],
    ),
    ("ledger_from_jax_privacy", "num_examples"): (lambda v: of_fixed(num_examples=v), ["2", 2], [0, "1/2", -1]),
    ("ledger_from_jax_privacy", "num_updates"): (lambda v: of_jax(DpParams(), num_updates=v), ["2", 2], ["1/2", -1]),
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
    assert {name for name, _ in DOORS} <= {name for _, name in public}
    for name, function in functions.items():
        for parameter in inspect.signature(function).parameters.values():
            words = str(parameter.annotation).replace("|", " ").split()
            if set(words) & set(numbers):
                # What a document says of digits was read before; a double is meant; and a search takes seconds.
                known = {
                    ("answer_document", "digits"),
                    ("from_binary64", "value"),
                    ("run_harnesses", "seconds"),
                    ("run_harnesses", "workers"),
                    ("search_harnesses", "seconds"),
                    ("search_harnesses", "seed"),
                }
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


SAID: dict[str, Any] = {"neighbours": "replace-one", "parameters": "fixed-in-advance"}
#: Every public callable that takes something first, given that; and of the bad values those that it may be given.
TAKES: dict[str, tuple[Call, tuple[Any, ...]]] = {
    "ApproxDPClaim": (lambda v: privref.ApproxDPClaim(v, "1", "0"), ()),
    "ZCDPClaim": (lambda v: privref.ZCDPClaim(v, "1"), ()),
    "GaussianDPClaim": (lambda v: privref.GaussianDPClaim(v, "1"), ()),
    "ReadingClaim": (lambda v: privref.ReadingClaim(v, "1", "0", 1, by="whitehouse2023/lem3"), ()),
    "RemainingClaim": (lambda v: privref.RemainingClaim(v, ("0", "0"), "1", "0"), ()),
    "Enclosure": (lambda v: privref.Enclosure(v, Fraction(2)), ()),
    "Event": (lambda v: privref.Event(v), ()),
    "Ledger": (lambda v: privref.Ledger(v, (), "", ""), ("",)),
    "attack": (lambda v: privref.attack(v, "1", 1, epsilon="2"), ()),
    "audit": (lambda v: privref.audit(v, []), ()),
    "audit, claims": (lambda v: privref.audit(LEDGER, v), ([],)),
    "audit, a claim": (lambda v: privref.audit(LEDGER, [v]), ()),
    "audit_batch": (lambda v: privref.audit_batch(v, unit="u", ledger={}, claims={}, output="o"), ()),
    "baseline_from_document": (privref.baseline_from_document, ()),
    "batch_exit_code": (privref.batch_exit_code, ()),
    "bench": (lambda v: list(privref.bench(v, peers=False)), ()),
    "calibrate": (lambda v: privref.calibrate(v, "1,0", rounds=1), ()),
    "calibrate_sgd": (lambda v: privref.calibrate_sgd(v, rate="1/2", steps=1), ()),
    "certificate_from_text": (privref.certificate_from_text, ()),
    "certificates": (privref.certificates, ()),
    "claims_from_document": (privref.claims_from_document, ()),
    "combined": (lambda v: privref.combined(v, ["a"]), ()),
    "combined, a ledger": (lambda v: privref.combined([v], ["a"]), ()),
    "compare": (lambda v: privref.compare(v, "0"), ()),
    "diff": (lambda v: privref.diff(v, LEDGER), ()),
    "diff, second": (lambda v: privref.diff(LEDGER, v), ()),
    "epsilon": (lambda v: privref.epsilon(v, "0"), ()),
    "proved": (lambda v: privref.proved(v, "0"), ()),
    "errata": (privref.errata, (None,)),
    "evaluate": (lambda v: privref.evaluate(v, {}), ()),
    "event_from": (privref.event_from, ()),
    "evidence": (lambda v: privref.evidence(v, "0"), ()),
    "risk": (privref.risk, ()),
    "example_document": (lambda v: privref.example_document(v, "ledger"), ()),
    "explain": (privref.explain, ()),
    "export_vectors": (lambda v: privref.export_vectors(v, "json"), ()),
    "figure": (privref.figure, ()),
    "find": (privref.find, ()),
    "from_binary64": (privref.from_binary64, (0.5,)),
    "generate_vectors": (lambda v: privref.generate_vectors(v, ("none",)), (None,)),
    "identify": (lambda v: privref.identify(v, "1e-6", rho="1"), ()),
    "judge_answers": (privref.judge_answers, ({},)),
    "lean_file": (privref.lean_file, ()),
    "ledger_document": (
        lambda v: privref.ledger_document(v, title="t", privacy_unit="p", interaction="sequential", **SAID), ()
    ),
    "ledger_from_accountant": (lambda v: privref.ledger_from_accountant(v, **SAID), ()),
    "ledger_from_frame": (lambda v: privref.ledger_from_frame(v, "t"), ()),
    "ledger_from_csv": (lambda v: privref.ledger_from_csv(v, "t"), ()),
    "ledger_from_diffprivlib": (lambda v: privref.ledger_from_diffprivlib(v, **SAID), ([],)),
    "ledger_from_document": (privref.ledger_from_document, ()),
    "ledger_from_dp_event": (lambda v: privref.ledger_from_dp_event(v, **SAID), ()),
    "ledger_from_dp_sgd": (lambda v: privref.ledger_from_dp_sgd(v, sampling="poisson"), ()),
    "ledger_from_jax_privacy": (lambda v: privref.ledger_from_jax_privacy(v, **SAID), ()),
    "ledger_from_opacus": (lambda v: privref.ledger_from_opacus(v, parameters="fixed-in-advance"), ([],)),
    "ledger_from_tensorflow": (lambda v: privref.ledger_from_tensorflow(v, parameters="fixed-in-advance"), ([],)),
    "number_text": (privref.number_text, ()),
    "parse_document": (lambda v: privref.parse_document(v, "f"), ()),
    "rational": (privref.rational, ()),
    "read_answers": (privref.read_answers, ()),
    "read_claims": (privref.read_claims, ()),
    "read_ledger": (privref.read_ledger, ()),
    "read_text": (lambda v: privref.read_text(v, "f"), ()),
    "registry_audits": (privref.registry_audits, (None,)),
    "registry_certificates": (privref.registry_certificates, ("", [])),
    "registry_example": (privref.registry_example, ("",)),
    "registry_exit_code": (privref.registry_exit_code, ({}, "", [])),
    "registry_relation": (lambda v: privref.registry_relation(v, {}), ("",)),
    "registry_texts": (privref.registry_texts, ()),
    "replay": (lambda v: privref.replay(v, "1,0"), ()),
    "spell": (privref.spell, ()),
    "stale_vectors": (lambda v: privref.stale_vectors(v, ("none",)), (None,)),
    "statement": (privref.statement, ()),
    "table": (privref.table, ()),
    "under_baseline": (lambda v: privref.under_baseline(v, (), None), ()),  # type: ignore[arg-type]
    "unit_proof": (lambda v: privref.unit_proof(v, "u"), ()),
    "verify": (privref.verify, ()),
    "verify_unit": (privref.verify_unit, ()),
    "what_if": (lambda v: privref.what_if(v, "0"), ()),
}  # fmt: skip
#: Made by privref and not by its callers; or a number of seconds, and names of libraries.
NO_DOORS = {
    "AttackedFilter",
    "AttackedFilterWithRefusals",
    "AttackedOdometer",
    "Answer",
    "AskedRound",
    "Attack",
    "Audit",
    "Bound",
    "Card",
    "Diagnosis",
    "Judgement",
    "Opinion",
    "Statement",
    "Vector",
}
NO_DOORS |= {
    "HarnessLimits",
    "Verdict",
    "Verification",
    "peer_commands",
    "run_harnesses",
    "search_harnesses",
}


def test_everything_that_takes_something_is_tried_with_something_else() -> None:
    for name in privref.__all__:
        found = getattr(privref, name)
        if not callable(found) or (isinstance(found, type) and issubclass(found, Exception)):
            continue
        if inspect.signature(found).parameters and name not in NO_DOORS:
            assert name in TAKES, name


@pytest.mark.parametrize("name", TAKES)
def test_a_first_argument_of_another_type_is_an_input_error(name: str) -> None:
    """And no AttributeError from within: the line names what was given, and says what to give."""
    call, allowed = TAKES[name]
    for value in ({}, {"a": 1}, None, 0.5, "", [], object()):
        if any(value == one for one in allowed):
            continue
        # An id that is text, but no statement's, is documented to be another refusal.
        kind = privref.OutOfScopeError if value == "" and name in ("evaluate", "statement") else InputError
        with pytest.raises(kind) as refused:
            call(value)
        assert "\n" not in str(refused.value)
