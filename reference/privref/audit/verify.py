"""The independent check of a certificate.

It shares with the audit only ``privref.exact`` and the registered statements: it reads the raw ledger document by
itself, derives each statement's inputs from it again, evaluates the statement with both engines at a higher
precision, and decides the verdict's inequality anew.
"""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, PrivrefError
from privref.exact.numbers import count as read_count
from privref.exact.numbers import rational
from privref.games import attack_check
from privref.ledger import documents
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import Statement, solve, statement

Outcome = Literal["verified", "failed"]
_MOST_ORDERED = 1_000_000
_MOST_EQUAL = 100_000
#: Which statement each theorem is evaluated by: for epsilon claims, for rho claims, and for lower bounds.
_EPSILON = {
    "rogers2016/thm2.9": "rogers2016/thm2.9.eps",
    "rogers2016/thm3.3": "rogers2016/thm2.9.eps",
    "rogers2016/thm2.10": "rogers2016/thm2.10.eps_g",
    "whitehouse2023/eq2": "whitehouse2023/eq2.eps",
    "kov2015/optimal": "kov2015/optimal.eps",
    "mv2016/optimal": "mv2016/optimal.eps",
    "whitehouse2023/thm2": "whitehouse2023/thm2.f",
    "hartmann2022/alg1": "hartmann2022/alg1.least_eps",
    "whitehouse2023/lem1": "whitehouse2023/lem1.zcdp2dp.eps",
    "cks2020/zcdp2dp": "cks2020/zcdp2dp.eps",
    "cks2020/rdp2dp": "cks2020/rdp2dp.eps",
    "gdp/composition": "gdp/composition.eps",
}
_RHO = {"whitehouse2023/thm1": "whitehouse2023/thm1.rho"}
_LOWER_EPSILON = {
    "kov2015/optimal.delta",
    "mv2016/optimal.delta",
    "cks2020/gaussian_witness.delta",
    "cks2020/two_point_witness.delta",
}
_LOWER_RHO = {"cks2020/gaussian_witness.rho"}
_ENGINES: tuple[decide.EngineName, ...] = ("arb", "mpmath")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and what came out."""

    what: str
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome for a certificate; ``ledger_checked`` is False where the link to the ledger was not checked."""

    checks: tuple[Check, ...]
    ledger_checked: bool

    @property
    def outcome(self) -> Outcome:
        return "verified" if self.checks and all(check.passed for check in self.checks) else "failed"


class _Mismatch(PrivrefError):
    """The certificate says something that the re-check does not find."""


def verify(document: Any, ledger_path: str | Path | None = None, *, run_function: bool = False) -> Verification:
    """Re-check a parsed ``certificate.1`` or ``attack-certificate.1``; InputError where it is malformed."""
    if isinstance(document, dict) and document.get("schema") == "attack-certificate.1":
        documents.validate(document, "attack-certificate.1", "certificate")
        # An attack is about an accountant, not about a ledger: there is no link that could be missing.
        entries = attack_check.check(document, run_function=run_function)
        return Verification(tuple(Check(*entry) for entry in entries), True)
    documents.validate(document, "certificate.1", "certificate")
    claim, verdict = document["claim"], document["verdict"]
    documents.validate({"schema": "claims.1", "claims": [claim]}, "claims.1", "certificate.claim")
    if "remaining" in claim or "after_event" in claim:
        raise InputError("certificate.claim", claim["id"], "certificates are for epsilon and rho claims")
    checks: list[Check] = []

    def attempt(what: str, action: Any) -> None:
        try:
            checks.append(Check(what, True, action() or ""))
        except InputError:
            raise
        except PrivrefError as error:
            checks.append(Check(what, False, str(error)))

    events, declared = _events(document["ledger"], ledger_path, attempt)
    if verdict == "refuted":
        if "lower_bound" not in document:
            raise InputError("certificate.lower_bound", "(missing)", "a refuted claim needs its lower bound")
        lower = document["lower_bound"]
        attempt(f"{lower['statement']}: value and inequality", lambda: _check_lower(lower, claim))
        if events is not None:
            attempt("the witness respects the ledger", lambda: _check_witness(lower, events, declared))
        return Verification(tuple(checks), events is not None)
    bounds = document.get("bounds", [])
    if verdict == "confirmed" and len(bounds) != 1:
        raise InputError("certificate.bounds", f"{len(bounds)} bounds", "a confirmed claim has exactly one")
    if not bounds:
        raise InputError("certificate.bounds", "(empty)", "give the bounds that the verdict rests on")
    finite = [bound for bound in bounds if "no_finite_bound" not in bound]
    if not finite or (verdict == "confirmed" and finite != bounds):
        raise InputError("certificate.bounds", "(no number)", "a verdict rests on at least one enclosed bound")
    for bound in finite:
        attempt(f"{bound['by']}: theorem and claim", lambda bound=bound: _check_theorem(bound, claim, verdict))
        attempt(f"{bound['statement']}: value and inequality", lambda bound=bound: _check_upper(bound, claim, verdict))
        if events is not None:
            attempt(
                f"{bound['by']}: inputs and hypotheses from the ledger",
                lambda bound=bound: _check_inputs(bound, claim, events, declared),
            )
    return Verification(tuple(checks), events is not None)


def _check_theorem(bound: Mapping[str, Any], claim: Mapping[str, Any], verdict: str) -> str:
    """The statement is the theorem's own, of the claim's kind, and the theorem is the one that the claim names."""
    by, id = bound["by"], bound["statement"]
    if (_EPSILON if "epsilon" in claim else _RHO).get(by) != id:
        raise _Mismatch(f"{id} is not what {by} gives for this kind of claim")
    named = claim.get("by")
    if named is not None and not (named == by or (named.startswith(by + ".") and f"{id}.".startswith(named + "."))):
        raise _Mismatch(f"the claim is by {named}, the bound by {by}")
    return "" if verdict == "confirmed" else "the verdict speaks of the listed theorems only"


def _read_inputs(part: Mapping[str, Any]) -> tuple[Statement, dict[str, Any]]:
    found = statement(part["statement"])
    if found.standing == "printed":
        raise _Mismatch(f"{found.id} is the printed form of a wrong statement; no certificate may use it")
    inputs: dict[str, Any] = found.read(part["inputs"])
    return found, inputs


#: No certified enclosure is relatively wider than this.
_WIDEST = Fraction(1, 10**4)


def _double(text: str) -> Fraction | float:
    if text in ("inf", "-inf"):
        return float(text)
    if "0x" not in text.lower():
        raise InputError("certificate.enclosure.binary64", text, "give hexadecimal doubles, or inf or -inf")
    return rational(text, "certificate.enclosure.binary64")


def _check_value(part: Mapping[str, Any], digits: int = 30) -> tuple[Statement, dict[str, Any]]:
    found, inputs = _read_inputs(part)
    said = part["enclosure"]
    lower, upper = (
        rational(said["lower"], "certificate.enclosure.lower"),
        rational(said["upper"], "certificate.enclosure.upper"),
    )
    if lower > upper:
        raise _Mismatch("the certified enclosure is empty")
    if isinstance(inputs.get("k"), int) and inputs["k"] > _MOST_EQUAL:
        raise _Mismatch(f"more than {_MOST_EQUAL} equal rounds are not re-computed")
    certified = Enclosure(lower, upper)
    if not certified.relative_width_at_most(_WIDEST):
        raise _Mismatch("the certified enclosure is too wide to be an answer")
    for engine in _ENGINES:
        answer = solve(found, inputs, digits=digits, engine=engine)
        if "value" in part and part["value"] != answer.value:
            raise _Mismatch(f"{engine} gives the exact value {answer.value}, the certificate {part['value']}")
        # An enclosure of stated width is found anew, not nested in the certified one: they must meet.
        if answer.enclosure is None or answer.enclosure.intersection(certified) is None:
            found_now = "no number" if answer.enclosure is None else f"[{', '.join(answer.enclosure.decimals(10))}]"
            raise _Mismatch(f"{engine} gives {found_now}, apart from the certified enclosure")
        down, up = said.get("binary64", ["-inf", "inf"])
        if not (_double(down) <= answer.enclosure.upper and answer.enclosure.lower <= _double(up)):
            raise _Mismatch("the certified doubles do not enclose the value")
    return found, inputs


def _exceeds(found: Statement, inputs: Mapping[str, object], number: Fraction) -> bool:
    if found.stated_width is not None and found.stated_width(inputs) is not None:
        return _exceeds_at_stated_width(found, inputs, number)

    def formula(ar: Arithmetic) -> Scalar:
        result = found.function(ar, **inputs)
        if isinstance(result, str):
            raise _Mismatch(f"{found.id} gives {result}, not a number")
        return result

    said = {decide.exceeds(formula, lambda ar: number, decide.engine(engine)) for engine in _ENGINES}
    if len(said) != 1:
        raise _Mismatch("the engines decide the inequality differently")
    return said.pop()


def _exceeds_at_stated_width(found: Statement, inputs: Mapping[str, object], number: Fraction) -> bool:
    for engine in _ENGINES:
        enclosure = solve(found, inputs, digits=30, engine=engine).enclosure
        if enclosure is not None and enclosure.lower > number:
            return True
        if enclosure is None or enclosure.upper > number:
            raise _Mismatch(f"{found.id} does not decide the inequality at its stated width")
    return False


def _claimed(claim: Mapping[str, Any]) -> Fraction:
    key = "epsilon" if "epsilon" in claim else "rho"
    return rational(claim[key], f"certificate.claim.{key}")


def _check_upper(bound: Mapping[str, Any], claim: Mapping[str, Any], verdict: str) -> str:
    found, inputs = _check_value(bound)
    if found.kind == "lower":
        raise _Mismatch(f"{found.id} is a lower bound; it proves no claim")
    above = _exceeds(found, inputs, _claimed(claim))
    if above != (verdict == "unsupported"):
        raise _Mismatch(f"the bound is {'above' if above else 'at most'} the claim, which does not make it {verdict}")
    return f"the bound is {'above' if above else 'at most'} the claim"


def _check_lower(lower: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    found, inputs = _check_value(lower)
    if found.id not in (_LOWER_EPSILON if "epsilon" in claim else _LOWER_RHO):
        raise _Mismatch(f"{found.id} is not a lower bound on what this kind of claim speaks of")
    if "epsilon" not in claim and rational(claim.get("delta", "0"), "certificate.claim.delta"):
        raise _Mismatch("a rho claim with delta > 0 is not refuted by a bound on rho")
    if "epsilon" in claim:
        at = inputs.get("eps_g", inputs.get("eps"))
        if at != rational(claim["epsilon"], "certificate.claim.epsilon"):
            raise _Mismatch("the lower bound is not taken at the claimed epsilon")
        target = rational(claim.get("delta", "0"), "certificate.claim.delta")
    else:
        target = _claimed(claim)
    if not _exceeds(found, inputs, target):
        raise _Mismatch("the lower bound is not above the claim")
    return "the lower bound is above the claim"


# --- from the ledger, independently of the audit's reader -------------------------------------------------------

_Events = list[tuple[Mapping[str, Any], int]]


def _events(part: Mapping[str, Any], path: str | Path | None, attempt: Any) -> tuple[_Events | None, Mapping[str, Any]]:
    """The events to derive inputs from: of the given file, else of the embedded ledger, else None."""
    if path is not None:
        text = documents.read_text(Path(path), "ledger")
        if Path(path).suffix.lower() == ".csv":
            attempt("the ledger's digest", lambda: _same(hashlib.sha256(text.encode()).hexdigest(), part["sha256"]))
            try:
                return _csv_events(text), part.get("declared", {})
            except (ValueError, csv.Error):
                raise InputError("ledger", str(path), "the CSV is malformed; audit it for the place") from None
        document = documents.parse(text, "ledger")
    elif "document" in part:
        document = part["document"]
    else:
        return None, {}
    documents.validate(document, "ledger.1", "ledger")
    attempt("the ledger's digest", lambda: _same(documents.digest(document), part["sha256"]))
    ran = [event for event in document["events"] if event.get("decision", "continue") == "continue"]
    if len(ran) < len(document["events"]):
        # What ran may hang on the answers: nothing was fixed in advance.
        document = {**document, "parameters": "chosen-adaptively"}
    return [
        ({**event["guarantee"], "cell": event.get("observed_cell")}, event.get("count", 1)) for event in ran
    ], document


def _same(found: str, said: str) -> str:
    if found != said:
        raise _Mismatch(f"the ledger's SHA-256 is {found}, the certificate says {said}")
    return found


def _csv_events(text: str) -> _Events:
    """The rows of a CSV ledger; InputError where they are not of one of the four shapes that an audit reads."""
    rows = list(csv.reader(io.StringIO(text), strict=True))
    header = [name.strip() for name in rows[0]] if rows else []
    counted = header[-1:] == ["count"]
    names = header[:-1] if counted else header
    if names not in (["epsilon", "delta"], ["rho"]):
        raise ValueError("header")
    kind = "zcdp" if names == ["rho"] else "approx-dp"
    events: _Events = []
    for row in rows[1:]:
        if not row:
            continue
        values = dict(zip(header, (cell.strip() for cell in row), strict=True))
        times = read_count(values.pop("count"), "ledger.count", least=1) if counted else 1
        events.append(({"kind": kind, **values}, times))
    return events


def _parameters(guarantee: Mapping[str, Any], notion: str) -> tuple[Fraction, Fraction]:
    """(epsilon, delta) or (rho, delta) of one raw event; _Mismatch where it has no such guarantee."""

    def number(key: str) -> Fraction:
        return _in_domain(rational(guarantee.get(key, "0"), key), key)

    kind = guarantee["kind"]
    if kind in ("pure-dp", "approx-dp", "pdp"):
        eps, delta = number("epsilon"), number("delta")
        return (eps, delta) if notion == "dp" else (eps * eps / 2, delta)
    if kind == "output-dp":
        eps, delta = max(_cell_costs(guarantee).values()), number("delta")
        return (eps, delta) if notion == "dp" else (eps * eps / 2, delta)
    if notion == "zcdp" and kind == "zcdp":
        return number("rho"), number("delta")
    if notion == "zcdp" and kind == "gaussian-dp":
        return number("mu") ** 2 / 2, Fraction(0)
    raise _Mismatch(f"an event of kind {kind} has no {notion} guarantee")


def _in_domain(value: Fraction, name: str) -> Fraction:
    """A raw parameter within its domain; InputError otherwise, as the audit's reader refuses it too."""
    if value < 0 or (name == "delta" and value > 1):
        raise InputError(
            f"ledger: {name}", str(value), "give a number in [0, 1]" if name == "delta" else "give a number >= 0"
        )
    return value


#: What each rule of a partition takes. This checker does not derive the cells of the others.
_RULE_FIELDS = {
    "svt-count": {"eps1", "eps2", "c"},
    "ptr": {"eps"},
    "constant": {"cells", "eps"},
    "iterations": {"k", "E"},
}
#: A partition has at most so many cells, as for the audit's reader.
_MOST_CELLS = 100_000


def _cell_costs(guarantee: Mapping[str, Any]) -> dict[str, Fraction]:
    """The cells of a raw output-DP guarantee, listed or by a rule; InputError for a rule that an audit refuses too."""
    if "cells" in guarantee:
        return {cell: _in_domain(rational(cost, "cells"), "cells") for cell, cost in guarantee["cells"].items()}
    rule = guarantee["partition"]
    name = rule.get("rule")
    if not isinstance(name, str):
        raise InputError("ledger: partition.rule", name, "give the name of a rule")
    if name not in _RULE_FIELDS:
        raise _Mismatch(f"this checker does not derive the cells of the rule {name!r}")
    for key in sorted(set(rule) ^ {"rule", *_RULE_FIELDS[name]}):
        raise InputError(
            f"ledger: partition.{key}",
            rule.get(key, "(missing)"),
            f"the rule {name} takes {', '.join(sorted(_RULE_FIELDS[name]))}",
        )

    def number(key: str) -> Fraction:
        return _in_domain(rational(rule[key], f"ledger: partition.{key}"), key)

    def entries(key: str) -> list[Any]:
        if not isinstance(rule[key], list) or not 1 <= len(rule[key]) <= _MOST_CELLS:
            raise InputError(f"ledger: partition.{key}", rule[key], f"give a list of 1 to {_MOST_CELLS} entries")
        return list(rule[key])

    match name:
        case "svt-count":
            c = read_count(rule["c"], "ledger: partition.c", least=1)
            if c >= _MOST_CELLS:
                raise InputError("ledger: partition.c", rule["c"], f"a partition has at most {_MOST_CELLS} cells")
            eps1, eps2 = number("eps1"), number("eps2")
            return {str(tops): eps1 + eps2 * tops / c for tops in range(c + 1)}
        case "ptr":
            return {"answer": 2 * number("eps"), "bottom": number("eps")}
        case "constant":
            cells, eps = entries("cells"), number("eps")
            if not all(isinstance(cell, str) for cell in cells) or len(set(cells)) < len(cells):
                raise InputError("ledger: partition.cells", cells, "give the name of every cell once")
            return dict.fromkeys(cells, eps)
        case _:
            stops = [read_count(k, "ledger: partition.k", least=1) for k in entries("k")]
            costs = [_in_domain(rational(cost, "ledger: partition.E"), "partition.E") for cost in entries("E")]
            if any(later <= earlier for earlier, later in itertools.pairwise(stops)):
                raise InputError("ledger: partition.k", rule["k"], "stopping points must be strictly increasing")
            if len(costs) != len(stops):
                raise InputError(
                    "ledger: partition.E", rule["E"], f"give one cost for each of the {len(stops)} stopping points"
                )
            return dict(zip(map(str, stops), costs, strict=True))


def _spends(events: _Events) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """For Algorithm 1, in order: largest costs, costs of the observed cells, and the sum of the deltas."""
    sups, spends, delta = [], [], Fraction(0)
    if sum(count for _, count in events) > _MOST_ORDERED:
        raise _Mismatch(f"more than {_MOST_ORDERED} rounds are not re-derived in order")
    for guarantee, count in events:
        worst, part = _parameters(guarantee, "dp")
        observed = worst
        if guarantee["kind"] == "output-dp" and guarantee.get("cell") is not None:
            costs = _cell_costs(guarantee)
            if guarantee["cell"] not in costs:
                raise _Mismatch(f"{guarantee['cell']!r} is not a cell of its event")
            observed = costs[guarantee["cell"]]
        sups += [worst] * count
        spends += [observed] * count
        delta += part * count
    return sups, spends, delta


def _sum(pairs: list[tuple[Fraction, int]]) -> Fraction:
    return sum((value * count for value, count in pairs), Fraction(0))


def _counted(pairs: list[tuple[Fraction, int]]) -> dict[Fraction, int]:
    counter: Counter[Fraction] = Counter()
    for value, count in pairs:
        counter[value] += count
    return dict(counter)


def _check_inputs(
    bound: Mapping[str, Any], claim: Mapping[str, Any], events: _Events, declared: Mapping[str, Any]
) -> str:
    """Derive what the theorem needs from the raw events and compare it with the certificate's inputs."""
    found, inputs = _read_inputs(bound)
    id = found.id
    delta = rational(claim.get("delta", "0"), "certificate.claim.delta")
    # Theorem 2.9 shares its statement with the filter of Theorem 3.3, which needs no fixed parameters.
    fixed_only = Hypothesis.FIXED_PARAMETERS in found.hypotheses or bound["by"] == "rogers2016/thm2.9"
    if fixed_only and declared.get("parameters") != "fixed-in-advance":
        raise _Mismatch(f"{bound['by']} needs parameters fixed in advance, which the ledger does not declare")
    if id == "cks2020/rdp2dp.eps":
        return _check_renyi(inputs, events, declared, delta)
    zcdp = id in ("whitehouse2023/lem1.zcdp2dp.eps", "cks2020/zcdp2dp.eps", "whitehouse2023/thm1.rho")
    gaussian = id == "gdp/composition.eps"
    pairs = [] if gaussian else [(_parameters(event, "zcdp" if zcdp else "dp"), count) for event, count in events]
    _check_interaction(id, pairs, declared)
    values = [(value, count) for (value, _), count in pairs]
    spent = _sum([(part, count) for (_, part), count in pairs])
    match id:
        case "rogers2016/thm2.9.eps":
            agree = dict(inputs["eps"]) == _counted(values) and spent <= delta
        case "rogers2016/thm2.10.eps_g":
            agree = _counted(values) == {inputs["eps"]: inputs["k"]} and inputs["delta_hat"] + spent <= delta
        case "mv2016/optimal.eps":
            given = Counter(zip(inputs["eps"], inputs["delta"], strict=True))
            needed: Counter[tuple[Fraction, Fraction]] = Counter()
            for pair, count in pairs:
                needed[pair] += count
            agree = given == needed and inputs["delta_g"] == delta
        case "hartmann2022/alg1.least_eps":
            sups, spends, used = _spends(events)
            agree = list(inputs["sups"]) == sups and list(inputs["spends"]) == spends and used <= delta
        case "whitehouse2023/eq2.eps" | "whitehouse2023/thm2.f":
            agree = dict(inputs["eps"]) == _counted(values) and inputs["delta_prime"] + spent <= delta
            if id == "whitehouse2023/thm2.f":
                agree = agree and _split_in_advance(
                    "whitehouse2023/thm2", inputs["delta_prime"], spent, delta, declared
                )
        case "kov2015/optimal.eps":
            agree = _counted(values) == {inputs["eps"]: inputs["k"]} and spent == 0 and inputs["delta_g"] == delta
        case "whitehouse2023/lem1.zcdp2dp.eps" | "cks2020/zcdp2dp.eps":
            slack: Any = inputs.get("delta_prime", inputs.get("delta"))
            agree = inputs["rho"] == _sum(values) and spent + (1 - spent) * slack <= delta
            agree = agree and _split_in_advance(bound["by"], slack, spent, delta, declared, mixed=True)
        case "whitehouse2023/thm1.rho":
            agree = _sum(list(inputs["rhos"])) == _sum(values) and spent <= delta
        case "gdp/composition.eps":
            gaussian_only = [event for event in events if event[0]["kind"] == "gaussian-dp"]
            mus = [(rational(guarantee["mu"], "mu"), count) for guarantee, count in gaussian_only]
            agree = len(mus) == len(events) and dict(inputs["mu"]) == {
                mu: count for mu, count in _counted(mus).items() if mu
            }
            agree = agree and inputs["delta"] == delta
        case _:
            raise _Mismatch(f"{id} is not a statement whose inputs this checker derives from a ledger")
    if not agree:
        raise _Mismatch(f"the inputs of {id} do not follow from the ledger and the claim")
    _check_budget(found, bound["by"], inputs, spent, claim, declared)
    return "the inputs follow from the ledger and the claim"


def _renyi_cost(guarantee: Mapping[str, Any], order: Fraction) -> tuple[Fraction, Fraction]:
    """What a raw event promises at a Renyi order, and its delta."""
    if guarantee["kind"] == "rdp":
        declared = {rational(name, "orders"): cost for name, cost in guarantee["orders"].items()}
        if len(declared) < len(guarantee["orders"]):
            raise InputError("ledger: orders", ", ".join(guarantee["orders"]), "an order stands twice; keep one")
        above = [other for other in declared if other >= order]
        if not above:
            raise _Mismatch(f"an event promises nothing at the order {order}")
        cost, delta = rational(declared[min(above)], "orders"), rational(guarantee.get("delta", "0"), "delta")
        return _in_domain(cost, "orders"), _in_domain(delta, "delta")
    rho, delta = _parameters(guarantee, "zcdp")
    if guarantee["kind"] in ("zcdp", "gaussian-dp"):
        return rho * order, delta
    return min(rho * order, _parameters(guarantee, "dp")[0]), delta


def _check_renyi(inputs: Mapping[str, Any], events: _Events, declared: Mapping[str, Any], delta: Fraction) -> str:
    if declared.get("parameters") != "fixed-in-advance" or declared.get("interaction") != "sequential":
        raise _Mismatch("cks2020/rdp2dp.eps is used for fixed parameters and sequential interaction only")
    costs = [(_renyi_cost(guarantee, inputs["order"]), count) for guarantee, count in events]
    total = _sum([(cost, count) for (cost, _), count in costs])
    spent = _sum([(part, count) for (_, part), count in costs])
    if total != inputs["eps_order"] or spent + inputs["delta"] > delta:
        raise _Mismatch("the inputs of cks2020/rdp2dp.eps do not follow from the ledger and the claim")
    return "the inputs follow from the ledger and the claim"


def _check_budget(
    found: Statement,
    by: str,
    inputs: Mapping[str, Any],
    spent: Fraction,
    claim: Mapping[str, Any],
    declared: Mapping[str, Any],
) -> None:
    """A declared budget is at most the claim and was kept; Algorithm 1 needs one, or adaptive rounds."""
    fixed = declared.get("parameters") == "fixed-in-advance"
    output_dp = found.id == "hartmann2022/alg1.least_eps"
    if "budget" not in declared:
        if output_dp and fixed:
            raise _Mismatch("Algorithm 1 charges observed cells only where a budget was in force, and none is declared")
        return
    if "epsilon" not in claim or (fixed and not output_dp):
        return
    epsilon, delta = (rational(declared["budget"][name], f"ledger: budget.{name}") for name in ("epsilon", "delta"))
    if epsilon > _claimed(claim) or delta > rational(claim["delta"], "certificate.claim.delta"):
        raise _Mismatch("the declared budget is larger than the claim")
    # The filter that was in force had the budget's delta, not the claim's.
    at_budget = dict(inputs)
    if found.id == "gdp/composition.eps":
        at_budget["delta"] = delta
    elif (param := next((param for param in found.params if param.name in ("delta_prime", "delta")), None)) is not None:
        slack = _slack_in_advance(by, spent, delta, declared, mixed=found.id != "whitehouse2023/thm2.f")
        if slack is None or not param.domain.contains(slack):
            raise _Mismatch("what ran exceeds the declared budget's delta")
        at_budget[param.name] = slack
    if spent > delta or _exceeds(found, at_budget, epsilon):
        raise _Mismatch("what ran exceeds the declared budget")


def _split_in_advance(
    by: str, slack: Fraction, spent: Fraction, delta: Fraction, declared: Mapping[str, Any], *, mixed: bool = False
) -> bool:
    """Whether delta' was not chosen in hindsight: parameters fixed, or the split that was fixed before."""
    fixed = declared.get("parameters") == "fixed-in-advance"
    return fixed or slack == _slack_in_advance(by, spent, delta, declared, mixed=mixed)


def _slack_in_advance(
    by: str, spent: Fraction, delta: Fraction, declared: Mapping[str, Any], *, mixed: bool
) -> Fraction | None:
    """The delta' that was fixed before the first event: all of delta where the events have none, else the declared
    one, else by halves; None where the events spend more than it leaves them.

    ``mixed``: delta = delta_0 + (1 - delta_0) delta', as for approximate zCDP; otherwise delta = delta_0 + delta'.
    """
    tuned = declared.get("tuning", {}).get(by, {}).get("delta_prime")
    expected = None if tuned is None else rational(tuned, "ledger: tuning.delta_prime")
    if not spent and (mixed or expected is None):
        return delta
    if not mixed:
        prime = delta / 2 if expected is None else expected
        return prime if spent <= delta - prime else None
    if expected is not None and expected >= 1:
        return None
    allowed = delta / 2 if expected is None else (delta - expected) / (1 - expected)
    if spent > allowed:
        return None
    return (delta - allowed) / (1 - allowed) if allowed < 1 else Fraction(0)


def _check_interaction(
    id: str, pairs: list[tuple[tuple[Fraction, Fraction], int]], declared: Mapping[str, Any]
) -> None:
    """Concurrency costs nothing for (epsilon, delta)-DP and for zCDP with delta = 0; elsewhere it must be excluded."""
    approximate = id in ("whitehouse2023/lem1.zcdp2dp.eps", "cks2020/zcdp2dp.eps", "whitehouse2023/thm1.rho") and any(
        delta for (_, delta), _ in pairs
    )
    if (approximate or id == "hartmann2022/alg1.least_eps") and declared.get("interaction") != "sequential":
        raise _Mismatch(f"{id} needs a sequential interaction here, which the ledger does not declare")


def _check_witness(lower: Mapping[str, Any], events: _Events, declared: Mapping[str, Any]) -> str:
    """The witness's mechanisms stay within the declared guarantees of different events.

    Output-DP events with several cells count only one at a time, unless all was fixed in advance and no budget was in
    force: what ran after them may hang on the observed cell.
    """
    _, inputs = _read_inputs(lower)
    fixed = declared.get("parameters") == "fixed-in-advance" and "budget" not in declared
    alone = lower["statement"] == "kov2015/optimal.delta" and inputs["k"] == 1
    if not (fixed or alone):
        events = [event for event in events if event[0]["kind"] != "output-dp" or len(_cell_costs(event[0])) == 1]
    match lower["statement"]:
        case "kov2015/optimal.delta":
            enough = sum(count for guarantee, count in events if _allows(guarantee, inputs["eps"]))
            respected = inputs["k"] <= enough
        case "mv2016/optimal.delta":
            offered: Counter[tuple[Fraction, Fraction]] = Counter()
            for guarantee, count in events:
                if guarantee["kind"] in ("pure-dp", "approx-dp", "pdp", "output-dp"):
                    offered[_parameters(guarantee, "dp")] += count
            taken = Counter(zip(inputs["eps"], inputs["delta"], strict=True))
            respected = all(count <= offered[pair] for pair, count in taken.items())
        case "cks2020/gaussian_witness.delta" | "cks2020/gaussian_witness.rho":
            gaussian = [event for event in events if event[0]["kind"] in ("zcdp", "gaussian-dp")]
            allowed = _counted([(_parameters(guarantee, "zcdp")[0], count) for guarantee, count in gaussian])
            used = dict(inputs["rho"])
            respected = all(count <= allowed.get(rho, 0) for rho, count in used.items())
        case "cks2020/two_point_witness.delta":
            respected = any(
                guarantee["kind"] == "zcdp" and rational(guarantee["rho"], "rho") >= inputs["rho"]
                for guarantee, _ in events
            )
        case other:
            raise _Mismatch(f"{other} is not a witness that this checker knows")
    if not respected:
        raise _Mismatch("the witness uses more than the declared guarantees allow")
    return "every mechanism of the witness is within the declared guarantee of an event of its own"


def _allows(guarantee: Mapping[str, Any], eps: Any) -> bool:
    try:
        return bool(_parameters(guarantee, "dp")[0] >= eps)
    except _Mismatch:
        return False
