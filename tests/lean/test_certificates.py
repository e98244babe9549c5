"""Numeric certificates: true claims pass the kernel, the same claims with the last digit lowered do not."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import ModuleType

import mpmath
import pytest
from leanci import build, cli, modules
from leanci.check import Outcome
from leanci.olean import read
from leanci.toolchain import LEAN, Result

import privref
from privref.certify import normal
from privref.certify.closed import closed_file
from privref.certify.listed import listed_file
from privref.certify.normal import normal_file
from privref.certify.ranges import ranges_file
from privref.ledger.opening import read_ledger
from tests.certify.test_listed import MIXED, RATES, RENYI
from tests.certify.test_normal import NORMAL
from tests.certify.test_ranges import RANGES

EXAMPLES = LEAN.parent / "reference" / "privref" / "examples"
CERTIFICATES = LEAN.parent / "reference" / "privref" / "certify" / "lean.py"


def load() -> ModuleType:
    """The writer alone: it needs nothing of the package."""
    spec = importlib.util.spec_from_file_location("privref_lean_certificates", CERTIFICATES)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


writer = load()
F = Fraction
CENSUS = [(1, F(293764, 114921))]
RUN = [(10, F(1, 10), F(1, 10**9)), (4, F(1, 4)), (100, F(1, 50), F(0))]

# name: statement, inputs, the least true claim with this many digits, its last digit, delta claimed
CASES: dict[str, tuple[str, Mapping[str, object], str, str, Fraction]] = {
    "census_lem1": (
        "whitehouse2023/lem1",
        {"groups": CENSUS, "delta_prime": F(1, 10**10)},
        "17.91",
        "0.01",
        F(1, 10**10),
    ),
    "census_lem1_20_digits": (
        "whitehouse2023/lem1",
        {"groups": CENSUS, "delta_prime": F(1, 10**10)},
        "",
        "1e-20",
        F(1, 10**10),
    ),
    "census_cks": ("cks2020/zcdp2dp", {"groups": CENSUS}, "17.15", "0.01", F(1, 10**10)),
    "filter_run": ("whitehouse2023/thm2", {"groups": RUN, "delta_prime": F(1, 10**6)}, "", "1e-6", F(2, 10**6)),
    "drift_run": ("whitehouse2023/eq2", {"groups": RUN, "delta_prime": F(1, 10**6)}, "", "1e-12", F(2, 10**6)),
    "drift_large": (
        "whitehouse2023/eq2",
        {"groups": [(1, F(10**6)), (2, F(3))], "delta_prime": F(1, 10**6)},
        "",
        "1e-6",
        F(1, 10**6),
    ),
    "kov_17": ("kov2015/optimal", {"k": 17, "eps": F(1, 10)}, "1.7", "0.1", F(0)),
    "kov_17_sharp": ("kov2015/optimal", {"k": 17, "eps": F(1, 10)}, "", "1e-9", F(1, 10**9)),
    "kov_17_delta": ("kov2015/optimal", {"k": 17, "eps": F(1, 10), "delta": F(1, 10**8)}, "", "1e-9", F(1, 10**5)),
    "advanced": ("rogers2016/thm2.10", {"k": 100, "eps": F(1, 10), "delta_hat": F(1, 10**6)}, "", "1e-12", F(1, 10**6)),
    "basic": ("rogers2016/thm2.9", {"groups": RUN}, "4", "0.001", F(1, 10**8)),
}


def true_value(name: str) -> mpmath.mpf:
    """The bound itself by another library, from the paper's formula and not from the writer's code."""
    mp = mpmath.mp
    _, inputs, _, _, delta = CASES[name]

    def r(x: Fraction) -> mpmath.mpf:
        return mp.mpf(x.numerator) / x.denominator

    if name.startswith("census_lem1"):
        rho = r(CENSUS[0][1])
        return rho + 2 * mp.sqrt(rho * mp.log(10**10))
    if name == "census_cks":
        rho = r(CENSUS[0][1])

        def eps_at(a: mpmath.mpf) -> mpmath.mpf:
            # delta = exp((a-1)(a rho - eps))/(a-1) (1-1/a)^a solved for eps
            return a * rho + (mp.log(1 / (a - 1)) + a * mp.log(1 - 1 / a) - mp.log(r(delta))) / (a - 1)

        a = mp.findroot(lambda x: mp.diff(eps_at, x), mp.mpf("3.91"))
        return eps_at(a)
    if name == "filter_run":
        v = sum((count * r(eps) ** 2 for count, eps, *_ in RUN), mp.mpf(0))
        return mp.sqrt(2 * mp.log(10**6) * v) + v / 2
    if name.startswith("drift"):
        rounds = [(count, r(eps)) for count, eps, *_ in inputs["groups"]]  # type: ignore[attr-defined]
        root = mp.sqrt(2 * mp.log(10**6) * sum(count * eps**2 for count, eps in rounds))
        return root + sum(count * eps * mp.tanh(eps / 2) for count, eps in rounds)
    if name == "advanced":
        e = mp.mpf(1) / 10
        return 100 * e * (mp.exp(e) - 1) + e * mp.sqrt(200 * mp.log(10**6))
    if name == "basic":
        return sum((count * r(eps) for count, eps, *_ in RUN), mp.mpf(0))
    e, d = mp.mpf(1) / 10, r(inputs.get("delta", F(0)))  # type: ignore[arg-type]
    if delta == 0:
        return 17 * e
    left = 1 - (1 - r(delta)) / (1 - d) ** 17

    def excess(eps_g: mpmath.mpf) -> mpmath.mpf:
        # The law of the loss: 17 - 2 heads steps of e, summed over outcomes instead of by the printed formula.
        p = mp.exp(e) / (1 + mp.exp(e))
        terms = [
            mp.binomial(17, h) * (p ** (17 - h) * (1 - p) ** h - mp.exp(eps_g) * p**h * (1 - p) ** (17 - h))
            for h in range(18)
        ]
        return sum((max(t, mp.mpf(0)) for t in terms), mp.mpf(0)) - left

    low, high = mp.mpf(0), mp.mpf("1.7")
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) <= 0 else (middle, high)
    return high


def claim_of(name: str, *, lowered: bool) -> Fraction:
    """The least multiple of the last digit at or above the bound, or that less one digit."""
    _, _, printed, digit, _ = CASES[name]
    step = F(digit)
    with mpmath.workdps(60):
        value = true_value(name)
        units = int(mpmath.ceil(value * step.denominator / step.numerator - mpmath.mpf(10) ** -30))
    least = units * step
    assert not printed or F(printed) == least
    return least - step if lowered else least


def certificate(name: str, *, lowered: bool) -> str:
    statement, inputs, _, _, delta = CASES[name]
    text = writer.lean_certificate(statement, inputs, {"epsilon": claim_of(name, lowered=lowered), "delta": delta})
    assert isinstance(text, str)
    return text


def split(text: str) -> tuple[str, str]:
    """Header and declarations of a certificate file."""
    head, rest = text.split("namespace PrivRef.Certificate\n", 1)
    return head, rest.split("end PrivRef.Certificate", 1)[0].split("open PrivRef PrivRef.Numerics\n", 1)[1]


HEAD = "module\n\npublic import PrivRef\n\n@[expose] public section\n\nopen PrivRef PrivRef.Numerics\n"


def refusal(text: str) -> str:
    """The same checker on the same numbers, claimed to answer no: a rejection for the right reason."""
    found = re.search(r"theorem claim : \w+Bound (.*) :=\n  (\w+)_sound(.*) \(by decide", text)
    assert found is not None
    claim, checker, bounds = found.groups()
    proposed = " ".join(f"({value})" for value in re.findall(r"\(\w+ := (.*?)\)(?= \(|$)", bounds))
    ledger, _ = split(text)[1].split("theorem claim", 1)
    return f"{ledger}theorem refused : {checker}Check {proposed} {claim} = false := by decide +kernel\n"


@pytest.fixture(scope="module")
def verdicts(run_lean: Callable[[str], Result]) -> dict[str, bool]:
    """All certificates, true and lowered, in one file with a namespace each, so that Lean starts once."""
    bodies: dict[str, str] = {}
    for name in CASES:
        lowered = certificate(name, lowered=True)
        bodies[name] = split(certificate(name, lowered=False))[1]
        bodies[f"{name}_lowered"] = split(lowered)[1]
        bodies[f"{name}_refused"] = refusal(lowered)
    text, starts = HEAD, {}
    for key, body in bodies.items():
        starts[key] = text.count("\n") + 1
        text += f"namespace C_{key}\n{body}\nend C_{key}\n"
    result = run_lean(text)
    assert not result.died, result.output
    lines = [m.line for m in result.messages if m.severity == "error"]
    ends = [*list(starts.values())[1:], text.count("\n") + 2]
    return {
        key: not any(start <= line < end for line in lines)
        for (key, start), end in zip(starts.items(), ends, strict=True)
    }


@pytest.mark.parametrize("name", sorted(CASES))
def test_true_claim_is_proved(verdicts: dict[str, bool], name: str) -> None:
    assert verdicts[name]


@pytest.mark.parametrize("name", sorted(CASES))
def test_claim_with_its_last_digit_lowered_is_refused(verdicts: dict[str, bool], name: str) -> None:
    assert not verdicts[f"{name}_lowered"]
    assert verdicts[f"{name}_refused"]


def test_published_census_claim_by_lemma_1(run_lean: Callable[[str], Result]) -> None:
    """The file as the command writes it, alone: 17.91 is what was published."""
    statement, inputs, _, _, delta = CASES["census_lem1"]
    text = writer.lean_certificate(statement, inputs, {"epsilon": F("17.91"), "delta": delta})
    result = run_lean(text)
    assert result.ok, result.output


def test_files_of_ledgers_are_proved(run_lean: Callable[[str], Result]) -> None:
    """As the command writes them, in one file: rounds in their order, and what was converted from other guarantees."""
    cells = {"kind": "output-dp", "cells": {"yes": "1", "no": "1/2"}, "delta": "1e-9"}
    pure = [{"kind": "pure-dp", "epsilon": epsilon} for epsilon in ("1", "2", "1")]
    claims = {"rogers2016/thm2.9": ("4", pure), "whitehouse2023/lem1": ("20", [*pure, cells])}
    text = HEAD
    for i, (by, (epsilon, rounds)) in enumerate(claims.items()):
        ledger = {
            "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
            "parameters": "fixed-in-advance", "interaction": "sequential",
            "events": [{"guarantee": guarantee} for guarantee in rounds],
        }  # fmt: skip
        claim = {"schema": "claims.1", "claims": [{"id": "c", "epsilon": epsilon, "delta": "1e-6", "by": by}]}
        results = privref.audit(privref.ledger_from_document(ledger), privref.claims_from_document(claim))
        body = split(privref.lean_file(privref.certificates(results)["c"]))[1]
        text += f"namespace L_{i}\n{body}\nend L_{i}\n"
    result = run_lean(text)
    assert result.ok, result.output


@pytest.mark.parametrize(("epsilon", "less"), [("5.3", "5.2"), ("4.91", "4.9")])
def test_a_closed_file_is_proved_and_not_for_less(run_lean: Callable[[str], Result], epsilon: str, less: str) -> None:
    """The noise of a ledger, over the real numbers; the same proof does not serve a smaller epsilon.

    By whole orders, and by convolution (the exact epsilon is 4.90058…).
    """
    noise = {"kind": "discrete-gaussian", "sigma_squared": "4", "shifts": ["1"]}
    ledger = {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": [{"mechanism": noise, "count": 4}],
    }  # fmt: skip
    text = closed_file(privref.ledger_from_document(ledger), F(epsilon), F(1, 10**6))
    assert text is not None
    assert ("convolved_rounds" in text) is (epsilon == "4.91")
    result = run_lean(text)
    assert result.ok, result.output
    line, other = (f"mkRat {F(x).numerator} {F(x).denominator}" for x in (epsilon, less))
    assert text.count(line) == 1
    assert not run_lean(text.replace(line, other)).ok


@pytest.mark.parametrize(
    ("name", "epsilon", "proof"),
    [
        ("units", "2.47", "sharply_checked_rounds_are_private"),
        ("dhc-units", "34.33", "checked_rounds_are_private"),
        ("dhc-persons", "24.88", "convolved_rounds_are_private"),
    ],
)
def test_the_closed_files_of_published_numbers_are_proved(
    run_lean: Callable[[str], Result], name: str, epsilon: str, proof: str
) -> None:
    """For the first the order depends on the noise of one round. The last claim is below the published 26.34."""
    text = closed_file(read_ledger(EXAMPLES / f"census2020-{name}.ledger.json"), F(epsilon), F(1, 10**10))
    assert text is not None
    assert f"  {proof} " in text
    result = run_lean(text)
    assert result.ok, result.output


@pytest.mark.parametrize(("name", "epsilon", "delta"), [("imagenet", "8", "8e-7"), ("cifar10", "1", "1e-5")])
def test_the_file_of_a_published_training_is_proved(
    run_lean: Callable[[str], Result], name: str, epsilon: str, delta: str
) -> None:
    """By a moment at a whole order, not for 3 % less."""
    text = closed_file(read_ledger(EXAMPLES / f"dpsgd-{name}.ledger.json"), F(epsilon), F(delta))
    assert text is not None
    result = run_lean(text)
    assert result.ok, result.output
    line = f"reals.exp (ofRat (mkRat {epsilon} 1))"
    assert text.count(line) == 1
    less = F(epsilon) * F(97, 100)
    assert not run_lean(text.replace(line, f"reals.exp (ofRat (mkRat {less.numerator} {less.denominator}))")).ok


LISTED = {"mixed": MIXED, "renyi": RENYI, "rates": RATES, "ranges": RANGES}


def declarations(text: str) -> str:
    return text.split("PrivRef.Reals\n", 1)[1].split("end PrivRef.Certificate", 1)[0]


def written_file(name: str, epsilon: Fraction) -> str | None:
    return (ranges_file if name == "ranges" else listed_file)(LISTED[name], epsilon, F(1, 10**6))


def least_written(name: str) -> Fraction:
    """The least epsilon of six decimals for which a file is written."""
    low, high = 0, 10**7
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if written_file(name, F(middle, 10**6)) else (middle, high)
    return F(high, 10**6)


def forged(text: str, epsilon: Fraction) -> dict[str, str]:
    """The file with one number made a little smaller than it is."""

    def lowered(number: str) -> int:
        value = int(number.strip("()"))
        return value - max(abs(value) // 10**12, 1)

    row = re.compile(r"(def \w+ : List Rat :=\n  \[\(mkRat )(\d+)( \d+\))")
    log = re.compile(r"(Check \d+ \d+.*\n    \(mkRat )(\(-\d+\)|\d+)( \d+\))")
    less = epsilon - F(1, 10**6)
    line, other = (f"(mkRat {x.numerator} {x.denominator})" for x in (epsilon, less))
    found = {
        "epsilon": text.replace(line, other),
        "delta": text.replace("(mkRat 1 1000000)", "(mkRat 9999 10000000000)"),
        "cost": row.sub(lambda m: f"{m[1]}{lowered(m[2])}{m[3]}", text),
        "logarithm": log.sub(lambda m: f"{m[1]}({lowered(m[2])}){m[3]}", text),
    }
    assert text not in found.values()
    return found


def test_listed_rounds_are_proved_and_nothing_less(run_lean: Callable[[str], Result]) -> None:
    """The least claims of six decimals; the check answers no where a number of the file is smaller."""
    bodies = {}
    for name in LISTED:
        epsilon = least_written(name)
        file = written_file(name, epsilon)
        assert file is not None
        bodies[f"{name} true"] = declarations(file)
        for what, changed in forged(file, epsilon).items():
            bodies[f"{name} {what}"] = declarations(changed)
            bodies[f"{name} {what} refused"] = refused(declarations(changed))
    found = proved_bodies(run_lean, bodies)
    assert found == {what: what.endswith((" true", " refused")) for what in bodies}
    assert len(found) == 36


def proved_bodies(run_lean: Callable[[str], Result], bodies: Mapping[str, str]) -> dict[str, bool]:
    """Which of the declarations Lean accepts, all in one file."""
    text, starts = HEAD.replace("PrivRef.Numerics", "PrivRef.Numerics PrivRef.Reals"), {}
    for i, (key, body) in enumerate(bodies.items()):
        starts[key] = text.count("\n") + 1
        text += f"namespace L{i}\n{body}\nend L{i}\n"
    result = run_lean(text)
    assert not result.died, result.output
    lines = [m.line for m in result.messages if m.severity == "error"]
    ends = [*list(starts.values())[1:], text.count("\n") + 2]
    return {
        key: not any(start <= line < end for line in lines)
        for (key, start), end in zip(starts.items(), ends, strict=True)
    }


def refused(body: str) -> str:
    """The same check on the same numbers, claimed to answer no."""
    return re.sub(r"= true := (.*)\n[\s\S]*", r"= false := \1\n", body)


def test_gaussian_dp_is_proved_and_nothing_less(
    run_lean: Callable[[str], Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least claim of five decimals by a coarse grid, and one number after another a little smaller."""
    monkeypatch.setattr(normal, "_WIDTHS", (F(1, 100),))
    least = next(e for e in (F(n, 10**5) for n in range(519_000, 530_000)) if normal_file(NORMAL, e, F(1, 10**6)))
    text = normal_file(NORMAL, least, F(1, 10**6))
    assert text is not None
    line, other = (f"(mkRat {x.numerator} {x.denominator})" for x in (least, least - F(1, 10**4)))
    changed = {
        "epsilon": text.replace(line, other),
        "delta": text.replace("(mkRat 1 1000000)", "(mkRat 999 1000000000)"),
        "distance": re.sub(r"(\(mkRat )(\d+)( \d+\) ledger)", lambda m: f"{m[1]}{int(m[2]) - 1}{m[3]}", text),
        "mu": text.replace("(3, (mkRat 1 2))", "(3, (mkRat 51 100))"),
        "place": re.sub(r"(mkRat 1 100\) \(mkRat \()(-\d+)", lambda m: f"{m[1]}{int(m[2]) * 99 // 100}", text),
    }
    assert text not in changed.values()
    bodies = {"true": declarations(text)}
    for what, forged_text in changed.items():
        bodies[what] = declarations(forged_text)
        bodies[f"{what} refused"] = refused(declarations(forged_text))
    found = proved_bodies(run_lean, bodies)
    assert found == {what: what == "true" or what.endswith("refused") for what in bodies}


# Where the theorem is that makes privacy of the claim.
PRIVATE = {
    "rogers2016/thm2.9": "Thm.Certificate",
    "rogers2016/thm2.10": "Thm.DpCertificate",
    "whitehouse2023/lem1": "Thm.ZcdpCertificate",
    "cks2020/zcdp2dp": "Thm.ZcdpCertificate",
    "whitehouse2023/thm2": "Thm.DpCertificate",
    "whitehouse2023/eq2": "Thm.DpCertificate",
    "kov2015/optimal": "Thm.DpCertificate",
}


def test_file_imports_what_it_needs_and_says_what_it_is_worth() -> None:
    assert {CASES[name][0] for name in CASES} == set(PRIVATE) == set(writer.LEAN_STATEMENTS)
    for name in CASES:
        text = certificate(name, lowered=False)
        assert [line for line in text.splitlines() if re.match(r"(public )?import", line)] == [
            f"public import PrivRef.{PRIVATE[CASES[name][0]]}"
        ]
        assert "theorem privacy" in text
        assert "@" not in text.replace("@[expose]", "")
        head, _ = split(text)
        assert "What makes it privacy" in head
        assert "Proved in this library" in head


def test_theorems_a_header_calls_proved_exist(library: Outcome) -> None:
    """Of every case, with every kind of guarantee that can be converted."""
    named = set()
    for statement, inputs, _, _, delta in CASES.values():
        claim = {"epsilon": F(10), "delta": delta}
        declared = sorted({kind for column in writer.CONVERSIONS.values() for kind in column})
        head, _ = split(writer.lean_certificate(statement, inputs, claim, declared))
        named |= set(re.findall(r"PrivRef\.[a-z]\w+", head))
    for file in [*(written_file(name, F(9)) for name in LISTED), normal_file(NORMAL, F(9), F(1, 10**6))]:
        named |= set(re.findall(r"PrivRef\.[a-z]\w+", str(file)))
    assert {"PrivRef.odp_is_dp_with_supremum_cost", "PrivRef.dp_mechanism_is_approximately_zcdp"} < named
    oleans = (read(build.olean(cli.CHECKED, name)) for name in modules.library(LEAN))
    found = {constant.name: constant.kind for module in oleans for constant in module.constants}
    assert {name: found.get(name) for name in named} == dict.fromkeys(named, "theorem")


def test_statement_without_a_checker_is_one_line() -> None:
    with pytest.raises(ValueError, match="no Lean checker") as error:
        writer.lean_certificate("rogers2016/thm5.1", {}, {})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"delta_prime": F(1, 10)}, "groups"),
        ({"groups": [(1, 0.5)], "delta_prime": F(1, 10)}, "exact rational"),
        ({"groups": [(-1, F(1))], "delta_prime": F(1, 10)}, "whole number"),
        ({"groups": [(1, F(1))], "delta_prime": F(2)}, "delta_prime"),
        ({"groups": [(1, F(1))]}, "delta_prime"),
    ],
)
def test_unreadable_inputs_are_named(inputs: Mapping[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        writer.lean_certificate("whitehouse2023/thm2", inputs, {"epsilon": F(1), "delta": F(1)})
