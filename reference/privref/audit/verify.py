"""The independent check of a certificate.

It shares with the audit only ``privref.exact`` and the registered statements: it reads the raw ledger document by
itself, derives each statement's inputs from it again, evaluates the statement with both engines at a higher
precision, and decides the verdict's inequality anew.
"""

from __future__ import annotations

import copy
import csv
import hashlib
import io
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, PrivrefError, UndecidedError
from privref.exact.numbers import MAX_END_DIGITS, rational, spell
from privref.exact.numbers import count as read_count
from privref.exact.rounding import to_decimal
from privref.exact.work import apart, metered, spend
from privref.games import attack_check
from privref.guarantees.model import GaussianDP, RenyiDP, Unknown
from privref.ledger import documents, sheets
from privref.ledger.reading import guarantee_from
from privref.profiles.contradiction import Allowance
from privref.profiles.declared import Mechanism, counted, mechanism_from, under
from privref.profiles.model import Response, Round
from privref.profiles.subsampled import within
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import Statement, non_negative, solve, statement

from . import relation_check

VerificationOutcome = Literal["verified", "unlinked", "failed"]
_MOST_ORDERED = 100_000
_MOST_EQUAL = 100_000
#: A contour's work hardly grows with the number of rounds.
_AT_ANY_COUNT = ("zdw2022/poisson_gaussian.eps", "zdw2022/poisson_gaussian.delta")
_DIGITS = 20
_H = Hypothesis
#: Which statement each theorem is evaluated by, and what it needs: for epsilon claims, and for rho claims. This table
#: is the checker's own; a test holds it against the audit's.
_EPSILON: dict[str, tuple[str, tuple[Hypothesis, ...]]] = {
    "rogers2016/thm2.9": (
        "rogers2016/thm2.9.eps", (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "rogers2016/thm3.3": (
        "rogers2016/thm2.9.eps", (_H.APPROX_DP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP),
    ),
    "rogers2016/thm2.10": (
        "rogers2016/thm2.10.eps_g",
        (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "whitehouse2023/eq2": (
        "whitehouse2023/eq2.eps", (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "kov2015/optimal": (
        "kov2015/optimal.eps",
        (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.EQUAL_PARAMETERS, _H.PURE_ROUNDS, _H.CONCURRENT_DP),
    ),
    "mv2016/optimal": (
        "mv2016/optimal.eps", (_H.APPROX_DP_ROUNDS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
    "whitehouse2023/thm2": (
        "whitehouse2023/thm2.f", (_H.APPROX_DP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP),
    ),
    "hartmann2022/alg1": (
        "hartmann2022/alg1.least_eps", (_H.OUTPUT_DP_ROUNDS, _H.OUTPUT_BUDGET, _H.SEQUENTIAL),
    ),
    "whitehouse2023/lem1": (
        "whitehouse2023/lem1.zcdp2dp.eps", (_H.ZCDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_ZCDP),
    ),
    "cks2020/zcdp2dp": (
        "cks2020/zcdp2dp.eps", (_H.ZCDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_ZCDP),
    ),
    "cks2020/rdp2dp": ("cks2020/rdp2dp.eps", (_H.RDP_ROUNDS, _H.FIXED_PARAMETERS, _H.SEQUENTIAL)),
    "gdp/composition": ("gdp/composition.eps", (_H.GAUSSIAN_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP)),
    "zdw2022/thm10": ("zdw2022/thm10.eps", (_H.KNOWN_LAWS, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP)),
    "zdw2022/poisson_gaussian": (
        "zdw2022/poisson_gaussian.eps",
        (_H.SAMPLED_ROUNDS, _H.POISSON_SAMPLING, _H.FIXED_PARAMETERS, _H.CONCURRENT_DP),
    ),
}  # fmt: skip
_RHO: dict[str, tuple[str, tuple[Hypothesis, ...]]] = {
    "whitehouse2023/thm1": (
        "whitehouse2023/thm1.rho", (_H.ZCDP_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_ZCDP),
    ),
}  # fmt: skip
_MU: dict[str, tuple[str, tuple[Hypothesis, ...]]] = {
    "gdp/composition": ("gdp/composition.mu", (_H.GAUSSIAN_ROUNDS, _H.BUDGET_IN_ADVANCE, _H.CONCURRENT_DP)),
}  # fmt: skip
#: The filters, and whether the delta of each was split in advance.
_FILTERS = {
    "rogers2016/thm3.3": False,
    "whitehouse2023/thm2": True,
    "whitehouse2023/lem1": True,
    "cks2020/zcdp2dp": True,
    "gdp/composition": False,
    "hartmann2022/alg1": False,
    "whitehouse2023/thm1": False,
}
#: What a check beside those that a verdict rests on may cost, in units of work.
_SIDE_WORK = 2_500_000
#: A noise multiplier that is no rational is rounded down to a multiple of this.
_ROOT_UNIT = Fraction(1, 2**120)
_CONVERSIONS = ("whitehouse2023/lem1", "cks2020/zcdp2dp")
_LOWER_EPSILON = {
    "kov2015/optimal.delta",
    "mv2016/optimal.delta",
    "cks2020/gaussian_witness.delta",
    "cks2020/two_point_witness.delta",
    "zdw2022/thm10.delta",
    "zdw2022/poisson_gaussian.delta",
    "chua2024/shuffled.delta",
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
    """The outcome for a certificate.

    ``ledger_checked`` is False where no ledger was at hand: then nothing says that the numbers are about one, and the
    outcome is ``unlinked`` at best.
    """

    checks: tuple[Check, ...]
    ledger_checked: bool
    #: What to give where that link is missing.
    missing: str = "the link to the ledger was not checked: give --ledger FILE"
    #: What the certificate says that nothing was compared with.
    unchecked: tuple[str, ...] = ()

    @property
    def outcome(self) -> VerificationOutcome:
        if not self.checks or not all(check.passed for check in self.checks):
            return "failed"
        return "verified" if self.ledger_checked else "unlinked"

    @property
    def exit_code(self) -> int:
        """0 verified · 1 failed · 4 unlinked."""
        return {"verified": 0, "failed": 1, "unlinked": 4}[self.outcome]


class _Mismatch(PrivrefError):
    """The certificate says something that the re-check does not find."""


def verify(
    document: Any,
    ledger_path: str | Path | None = None,
    *,
    run_function: bool = False,
    texts: Mapping[str, str] | None = None,
    reviewed: Mapping[str, Any] | None = None,
) -> Verification:
    """Re-check a certificate with one budget of work; what needs more of it fails. See ``_verify``.

    ``texts`` are the scalars of a registry's entry by key, in which a ``relation-certificate.1``'s quotations are
    looked up; without them it is ``unlinked``. ``reviewed`` is the relation that a mapping of that entry has for its
    question, with which the certificate's is compared.
    """
    if isinstance(document, dict) and document.get("schema") == "relation-certificate.1":
        if ledger_path is not None:
            raise InputError("--ledger", str(ledger_path), "a relation has no ledger; give its entry with --entry")
        with metered():
            checks = tuple(Check(*entry) for entry in relation_check.check(document, texts, reviewed))
        missing = "the quotations were not looked up: give --entry FILE"
        said = relation_check.unchecked(document, reviewed is not None)
        return Verification(checks, texts is not None, missing, said)
    if texts is not None or reviewed is not None:
        raise InputError("--entry", "(given)", "only the certificate of a relation quotes an entry")
    with metered():
        return _verify(document, ledger_path, run_function=run_function)


def _verify(document: Any, ledger_path: str | Path | None, *, run_function: bool) -> Verification:
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
    for name in ("epsilon", "delta", "rho", "mu"):
        if name in claim:
            _in_domain(rational(claim[name], f"certificate.claim.{name}"), name, "certificate.claim")
    checks: list[Check] = []

    def attempt(what: str, action: Any) -> None:
        try:
            checks.append(Check(what, True, action() or ""))
        except InputError:
            raise
        except PrivrefError as error:
            checks.append(Check(what, False, str(error)))

    attempt("engines and digits", lambda: _check_settings(document))
    if verdict == "depends-on-digits":
        linked = _check_readings(document, ledger_path, attempt)
    else:
        for name in ("ends",) if "ends" in document else ():
            raise InputError(f"certificate.{name}", "(given)", "only a verdict that depends on digits has two readings")
        worst = "most" if verdict == "confirmed" else "least"
        record = _record(document["ledger"], ledger_path, attempt, lambda found: _at_end(found, worst))
        _check_verdict(document, claim, verdict, record, attempt)
        linked = record is not None
    return Verification(tuple(checks), linked)


def _check_verdict(
    part: Mapping[str, Any], claim: Mapping[str, Any], verdict: str, record: _Record | None, attempt: Any
) -> None:
    """What one verdict rests on: its bounds or its lower bound, and the margin."""
    decisive: Mapping[str, Any]
    if verdict in ("refuted", "underivable"):
        if "lower_bound" not in part or "bounds" in part:
            raise InputError(
                "certificate.lower_bound",
                "(missing)",
                "a refuted or underivable claim has its lower bound, and no other",
            )
        decisive = part["lower_bound"]
        attempt(f"{decisive['statement']}: value and inequality", lambda: _check_lower(decisive, claim))
        if record is not None:
            check = _check_actual if verdict == "refuted" else _check_witness
            attempt(
                "the witness respects the ledger",
                lambda: check(decisive, _plain(record, claim, decisive.get("case", {}), lower=True)),
            )
    else:
        bounds = part.get("bounds", [])
        if "lower_bound" in part:
            remedy = "only a refuted or underivable claim has a lower bound"
            raise InputError("certificate.lower_bound", "(given)", remedy)
        if not bounds:
            raise InputError("certificate.bounds", "(empty)", "give the bounds that the verdict rests on")
        if verdict == "confirmed" and len(bounds) != 1 and not all("case" in bound for bound in bounds):
            raise InputError("certificate.bounds", f"{len(bounds)} bounds", "a confirmed claim has exactly one")
        if record is not None:
            attempt("every combination of parts", lambda: _check_combinations(bounds, claim, record, verdict))
        decisive = bounds[0]
        for bound in bounds:
            attempt(f"{bound['by']}: theorem and claim", lambda bound=bound: _check_theorem(bound, claim, verdict))
            attempt(
                f"{bound['statement']}: value and inequality", lambda bound=bound: _check_upper(bound, claim, verdict)
            )
            if record is not None:
                attempt(
                    f"{bound['by']}: inputs and hypotheses from the ledger",
                    lambda bound=bound: _check_inputs(
                        bound, claim, _plain(record, claim, bound.get("case", {})), verdict
                    ),
                )
    attempt("margin", lambda: _check_margin(part["margin"], decisive, claim, verdict))


# --- rounded inputs ----------------------------------------------------------------------------------------------

#: By what they are parameters of: with which of them more is lost, and with which less. The checker's own.
_LOSE_MORE = {
    "guarantee": {"epsilon", "delta", "rho", "mu", "orders", "cells"},
    "gaussian": {"sensitivity", "sensitivity_squared"},
    "laplace": {"sensitivity", "shifts"},
    "randomized-response": {"epsilon", "probability"},
    "four-outcome-randomized-response": {"epsilon", "delta"},
}
_LOSE_LESS = {"gaussian": {"sigma", "sigma_squared"}, "laplace": {"scale"}, "geometric": {"scale"}}


def _rounded(document: Mapping[str, Any]) -> dict[str, tuple[tuple[str | int, ...], Fraction, Fraction]]:
    """By place: the path of a rounded input, and its values where least and where most is lost."""
    found: dict[str, tuple[tuple[str | int, ...], Fraction, Fraction]] = {}
    for i, event in enumerate(document["events"]):
        for part in ("guarantee", "mechanism"):
            for name, value in event.get(part, {}).items():
                inner: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
                if isinstance(value, dict) and "rounded" not in value:
                    inner = [((key,), each) for key, each in value.items()]
                elif isinstance(value, list):
                    inner = [((j,), each) for j, each in enumerate(value)]
                for rest, each in inner:
                    if not (isinstance(each, dict) and "rounded" in each):
                        continue
                    shown = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in rest)
                    place = f"events[{i}].{part}.{name}{shown}"
                    kind = part if part == "guarantee" else event[part]["kind"]
                    number, text = rational(each["rounded"], place), each["rounded"].lower()
                    mantissa, _, exponent = text.partition("e")
                    half = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2])) / 2
                    low, high = max(number - half, Fraction(0)), number + half
                    if name == "delta":
                        high = min(high, Fraction(1))
                    if name in _LOSE_MORE.get(kind, ()):
                        found[place] = ("events", i, part, name, *rest), low, high
                    elif name in _LOSE_LESS.get(kind, ()):
                        found[place] = ("events", i, part, name, *rest), high, low
                    else:
                        raise InputError(f"ledger: {place}", "(rounded)", "this parameter may not be rounded")
    return found


def _with(document: Any, values: Mapping[tuple[str | int, ...], Fraction]) -> Any:
    found = copy.deepcopy(document)
    for path, value in values.items():
        inner = found
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = spell(value)
    return found


def _at_end(document: Any, end: str) -> Any:
    """The ledger with every rounded input where most is lost, or where least is."""
    return _with(
        document, {path: most if end == "most" else least for path, least, most in _rounded(document).values()}
    )


def _check_readings(document: Mapping[str, Any], ledger_path: str | Path | None, attempt: Any) -> bool:
    """Two readings within the published digits, the second of which loses more, have different verdicts."""
    ends = document["ends"]
    for name in ("bounds", "lower_bound", "margin"):
        if name in document:
            raise InputError(f"certificate.{name}", "(given)", "a verdict that depends on digits has them in its ends")
    attempt("the verdicts differ", lambda: _check_different(ends))
    records = []
    for end, other in ((ends[0], None), (ends[1], ends[0])):

        def named(what: str, action: Any, end: Mapping[str, Any] = end) -> None:
            attempt(f"{end['verdict']}: {what}", action)

        def read(found: Any, end: Mapping[str, Any] = end, other: Mapping[str, Any] | None = other) -> Any:
            return _with(found, _reading(found, end, other))

        record = _record(document["ledger"], ledger_path, named, read)
        records.append(record)
        _check_verdict(end, document["claim"], end["verdict"], record, named)
    attempt("what proves one reading fails for the other", lambda: _check_shared(ends, records, document["claim"]))
    return None not in records


def _check_different(ends: list[Mapping[str, Any]]) -> str:
    if ends[0]["verdict"] == ends[1]["verdict"]:
        raise _Mismatch("both readings have the same verdict")
    first, second = (
        {place: rational(value, f"certificate.ends.inputs.{place}") for place, value in end["inputs"].items()}
        for end in ends
    )
    if first == second:
        raise _Mismatch("both readings are the same")
    return ""


def _check_shared(ends: list[Mapping[str, Any]], records: list[_Record | None], claim: Mapping[str, Any]) -> str:
    """A reading is not unsupported for want of the theorem that confirms the other one: it was computed there too."""
    for i in (0, 1):
        proved, other, record = ends[i], ends[1 - i], records[1 - i]
        if (proved["verdict"], other["verdict"]) != ("confirmed", "unsupported"):
            continue
        tried = {_case_of(bound): set[str]() for bound in other["bounds"]}
        for bound in other["bounds"]:
            tried[_case_of(bound)].add(bound["by"])
        shared = [bound for bound in proved["bounds"] if _case_of(bound) in tried]
        if not shared:
            raise _Mismatch("the two readings are about different parts")
        for bound in shared:
            by, case = bound["by"], bound.get("case", {})
            if by in tried[_case_of(bound)]:
                continue
            if record is not None and not _out_of_hypotheses(by, _plain(record, claim, case), claim):
                raise _Mismatch(f"{by} confirms one reading and is not among the bounds of the unsupported one")
    return ""


def _case_of(bound: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(bound.get("case", {}).items()))


def _out_of_hypotheses(by: str, record: _Record, claim: Mapping[str, Any]) -> bool:
    """Whether a theorem need not apply to these values: unequal parameters, or deltas that leave it nothing."""
    hypotheses = _table(claim).get(by, ("", ()))[1]
    if not {_H.APPROX_DP_ROUNDS, _H.OUTPUT_DP_ROUNDS, _H.ZCDP_ROUNDS} & set(hypotheses):
        return False
    notion = "zcdp" if _H.ZCDP_ROUNDS in hypotheses else "dp"
    pairs = [(_parameters(event, notion), count) for event, count in record.events]
    spent = _sum([(delta, count) for (_, delta), count in pairs])
    if _H.EQUAL_PARAMETERS in hypotheses and len({pair for pair, _ in pairs}) > 1:
        return True
    return spent > 0 and (
        _H.PURE_ROUNDS in hypotheses or spent >= rational(claim.get("delta", "0"), "certificate.claim.delta")
    )


def _reading(
    document: Mapping[str, Any], end: Mapping[str, Any], other: Mapping[str, Any] | None
) -> dict[tuple[str | int, ...], Fraction]:
    """The values of one reading by path: within the digits, and no less lost than with the other reading's."""
    rounded = _rounded(document)
    if set(end["inputs"]) != set(rounded):
        raise InputError("certificate.ends.inputs", ", ".join(end["inputs"]), "give a number for each rounded input")
    values = {}
    for place, (path, least, most) in rounded.items():
        value = rational(end["inputs"][place], f"certificate.ends.inputs.{place}")
        before = least if other is None else rational(other["inputs"][place], f"certificate.ends.inputs.{place}")
        between = before <= value <= most if least <= most else most <= value <= before
        if not between or not min(least, most) <= value <= max(least, most):
            raise InputError(f"certificate.ends.inputs.{place}", spell(value), "it is not what the digits allow here")
        values[path] = value
    return values


def _check_settings(document: Mapping[str, Any]) -> str:
    if tuple(document["engines"]) != _ENGINES or document["digits"] != _DIGITS:
        raise _Mismatch(f"certificates rest on the engines {' and '.join(_ENGINES)}, at {_DIGITS} digits")
    return ""


def _check_margin(
    margin: Mapping[str, Any], decisive: Mapping[str, Any], claim: Mapping[str, Any], verdict: str
) -> str:
    """The margin is what the certified enclosure leaves to the claimed number, rounded outward."""
    lower, upper = _ends(decisive["enclosure"])
    if lower > upper:
        raise _Mismatch("the certified enclosure is empty")
    claimed = _lower_target(claim) if verdict in ("refuted", "underivable") else _claimed(claim)
    if list(Enclosure(claimed - upper, claimed - lower).decimals(6)) != [margin["lower"], margin["upper"]]:
        raise _Mismatch("the margin is not the claimed number less the certified enclosure")
    return ""


def _check_theorem(bound: Mapping[str, Any], claim: Mapping[str, Any], verdict: str) -> str:
    """The statement is the theorem's own, of the claim's kind, and the theorem is the one that the claim names."""
    by, id = bound["by"], bound["statement"]
    wanted, hypotheses = _table(claim).get(by, ("", ()))
    if wanted != id:
        raise _Mismatch(f"{id} is not what {by} gives for this kind of claim")
    if bound["hypotheses"] != [hypothesis.value for hypothesis in hypotheses]:
        raise _Mismatch(f"these are not the hypotheses of {by}")
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


def _double(text: str) -> Fraction | float:
    if text in ("inf", "-inf"):
        return float(text)
    if "0x" not in text.lower():
        raise InputError("certificate.enclosure.binary64", text, "give hexadecimal doubles, or inf or -inf")
    return rational(text, "certificate.enclosure.binary64")


def _ends(said: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    lower, upper = (rational(said[end], f"certificate.enclosure.{end}", MAX_END_DIGITS) for end in ("lower", "upper"))
    return lower, upper


def _check_value(part: Mapping[str, Any], *, floor: bool = False) -> tuple[Statement, dict[str, Any]]:
    """The certified value is the statement's: enclosed, and as narrowly as a certificate promises."""
    found, inputs = _read_inputs(part)
    if (part["kind"], part["source"]) != (found.kind, found.source):
        raise _Mismatch(f"{found.id} is registered as {found.kind}, {found.source}")
    lower, upper = _ends(part["enclosure"])
    if lower > upper:
        raise _Mismatch("the certified enclosure is empty")
    if isinstance(inputs.get("k"), int) and inputs["k"] > _MOST_EQUAL and found.id not in _AT_ANY_COUNT:
        raise _Mismatch(f"more than {_MOST_EQUAL} equal rounds are not re-computed")
    certified = Enclosure(lower, upper)
    stated = found.stated_width(inputs) if found.stated_width is not None else None
    # Decimals are rounded outward from enclosures of 10^(2 - digits), or of the statement's own width.
    widest = Fraction(1, 10 ** (_DIGITS - 3)) if stated is None else 2 * stated
    if not certified.relative_width_at_most(widest):
        raise _Mismatch("the certified enclosure is wider than an answer may be")
    now: Enclosure | None = certified if stated is None else None
    for engine in _ENGINES:
        answer = solve(found, inputs, digits=30, engine=engine)
        # No epsilon and no rho is negative, whatever the statement's formula gives.
        answer = non_negative(answer) if floor else answer
        if part.get("value") != answer.value:
            raise _Mismatch(f"{engine} gives the exact value {answer.value}, the certificate {part.get('value')}")
        if answer.enclosure is None:
            raise _Mismatch(f"{engine} gives no number")
        met = answer.enclosure.intersection(certified)
        now = answer.enclosure if now is None else now.intersection(answer.enclosure)
        if met is None or now is None:
            ends = ", ".join(answer.enclosure.decimals(10))
            raise _Mismatch(f"{engine} gives [{ends}], apart from the certified enclosure")
        # At a stated width each engine finds its own enclosure: below, what they have in common is to be certified.
        if stated is None and not (lower <= answer.enclosure.lower and answer.enclosure.upper <= upper):
            _check_touching(found, inputs, certified)
    assert now is not None
    # What is known to a stated width may lie anywhere in the checker's own enclosure: all of it is to be certified.
    if stated is not None and not (lower <= now.lower and now.upper <= upper):
        raise _Mismatch(f"the certified enclosure leaves out a part of [{', '.join(now.decimals(10))}]")
    down, up = (_double(text) for text in part["enclosure"]["binary64"])
    widest_down, widest_up = (_double(text) for text in certified.binary64())
    if stated is None:
        around = widest_down <= down <= now.upper and now.lower <= up <= widest_up
    else:
        around = widest_down <= down <= now.lower and now.upper <= up <= widest_up
    if not around:
        raise _Mismatch("the certified doubles are not the ones around the value")
    return found, inputs


def _check_touching(found: Statement, inputs: Mapping[str, Any], certified: Enclosure) -> None:
    """A value at an end of the certified enclosure: exactly there by the trusted engine, or within at more digits."""
    finer = solve(found, inputs, digits=90, engine="arb").enclosure
    if finer is None or not (certified.lower <= finer.lower and finer.upper <= certified.upper):
        raise _Mismatch("the certified enclosure does not contain the value")


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


def _table(claim: Mapping[str, Any]) -> dict[str, tuple[str, tuple[Hypothesis, ...]]]:
    """The theorems that bound what the claim speaks of."""
    return _EPSILON if "epsilon" in claim else _RHO if "rho" in claim else _MU


def _lower_target(claim: Mapping[str, Any]) -> Fraction:
    """What a lower bound is held against: the delta, the rho, or the rho that mu-GDP has, mu^2/2."""
    if "epsilon" in claim:
        return rational(claim.get("delta", "0"), "certificate.claim.delta")
    return _claimed(claim) if "rho" in claim else _claimed(claim) ** 2 / 2


def _claimed(claim: Mapping[str, Any]) -> Fraction:
    key = next(name for name in ("epsilon", "rho", "mu") if name in claim)
    return rational(claim[key], f"certificate.claim.{key}")


def _check_upper(bound: Mapping[str, Any], claim: Mapping[str, Any], verdict: str) -> str:
    found, inputs = _check_value(bound, floor=True)
    if found.kind == "lower":
        raise _Mismatch(f"{found.id} is a lower bound; it proves no claim")
    above = _exceeds(found, inputs, _claimed(claim))
    if above != (verdict == "unsupported"):
        raise _Mismatch(f"the bound is {'above' if above else 'at most'} the claim, which does not make it {verdict}")
    return f"the bound is {'above' if above else 'at most'} the claim"


def _check_lower(lower: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    found, inputs = _check_value(lower)
    if lower["bounds"] != ("delta" if "epsilon" in claim else "rho"):
        raise _Mismatch("the lower bound is on something else than the claim's number")
    if found.id not in (_LOWER_EPSILON if "epsilon" in claim else _LOWER_RHO):
        raise _Mismatch(f"{found.id} is not a lower bound on what this kind of claim speaks of")
    if "epsilon" not in claim and rational(claim.get("delta", "0"), "certificate.claim.delta"):
        raise _Mismatch("a rho claim with delta > 0 is not refuted by a bound on rho")
    if "epsilon" in claim:
        at = inputs.get("eps_g", inputs.get("eps"))
        if at != rational(claim["epsilon"], "certificate.claim.epsilon"):
            raise _Mismatch("the lower bound is not taken at the claimed epsilon")
    if not _exceeds(found, inputs, _lower_target(claim)):
        raise _Mismatch("the lower bound is not above the claim")
    return "the lower bound is above the claim"


# --- from the ledger, independently of the audit's reader -------------------------------------------------------

_Events = list[tuple[Mapping[str, Any], int]]


@dataclass(frozen=True, slots=True)
class _Budget:
    """A declared budget; ``size`` is its epsilon, or its rho where ``of_rho``."""

    size: Fraction
    delta: Fraction
    of_rho: bool
    filter: str | None
    delta_prime: Fraction | None


@dataclass(frozen=True, slots=True)
class _Record:
    """What ran, of a ledger, and what is declared about it."""

    events: _Events
    declared: Mapping[str, Any]
    budget: _Budget | None
    fixed: bool


def _record(
    part: Mapping[str, Any], path: str | Path | None, attempt: Any, read: Callable[[Any], Any]
) -> _Record | None:
    """What ran, from the given file, else from the embedded ledger, else None; ``read`` makes rounded inputs exact."""
    if path is not None:
        ending = Path(path).suffix.lower()
        sheet = sheets.sheet_text(Path(path))
        text = documents.read_text(Path(path), "ledger") if sheet is None else sheet
        if sheet is not None or ending in (".csv", ".tsv"):
            if "document" in part:
                raise InputError("certificate.ledger.document", "(given)", "this certificate is not about a CSV file")
            try:
                events = _csv_events(text)
            except (ValueError, csv.Error):
                raise InputError("ledger", str(path), "the CSV is malformed; audit it for the place") from None
            declared = part.get("declared", {})
            digest = hashlib.sha256(text.encode()).hexdigest()
            attempt("the ledger", lambda: _check_ledger(part, digest, _CSV_DIGEST, events))
            return _Record(events, declared, None, declared.get("parameters") == "fixed-in-advance")
        document = documents.parse(text, "ledger")
    elif "document" in part:
        document = part["document"]
    else:
        return None
    documents.validate(document, "ledger.1", "ledger")
    if part.get("document", document) != document:
        raise InputError("certificate.ledger.document", "(value)", "it is not the ledger that was given")
    exact = read(document)
    ran = [event for event in exact["events"] if event.get("decision", "continue") == "continue"]
    allowance = Allowance()
    neighbours = document["neighbours"]
    events = [(_structured(event, _raw_event(event, allowance, neighbours)), event.get("count", 1)) for event in ran]
    attempt("the ledger", lambda: _check_ledger(part, documents.digest(document), _JSON_DIGEST, events))
    attempt("what is declared", lambda: _check_declared(part, document))
    budget = _budget(document["budget"]) if "budget" in document else None
    # A refusal, and a budget that may have been charged by what was observed, hang on the answers: what ran then was
    # not fixed in advance.
    by_answers = budget is not None and budget.filter in (None, "hartmann2022/alg1") and any(
        event["kind"] == "output-dp" and len(_cell_costs(event)) > 1 for event, _ in events
    )  # fmt: skip
    fixed = document["parameters"] == "fixed-in-advance" and len(ran) == len(document["events"]) and not by_answers
    return _Record(events, exact, budget, fixed)


def _raw_event(event: Mapping[str, Any], allowance: Allowance, neighbours: str) -> Mapping[str, Any]:
    """The raw guarantee, with the observed cell, and the mechanism with the parameters that it has or takes from it."""
    declared = event.get("mechanism")
    if declared is None:
        return {**event["guarantee"], "cell": event.get("observed_cell")}
    if "guarantee" not in event:
        implied = under(mechanism_from(declared, "ledger: mechanism"), neighbours).guarantee
        if implied is None:
            raise InputError("ledger: guarantee", "(missing)", "give what the event guarantees")
        if isinstance(implied, Unknown):
            return {"kind": "unknown", "cell": None, "mechanism": declared, "neighbours": neighbours}
        if isinstance(implied, RenyiDP):
            orders = {spell(order): spell(cost) for order, cost in implied.orders}
            return {"kind": "rdp", "orders": orders, "cell": None, "mechanism": declared, "neighbours": neighbours}
        names = {"pure-dp": ("epsilon",), "zcdp": ("rho",), "gaussian-dp": ("mu",), "approx-dp": ("epsilon", "delta")}
        event = {
            **event,
            "guarantee": {"kind": implied.kind} | {n: spell(getattr(implied, n)) for n in names[implied.kind]},
        }
    guarantee = event["guarantee"]
    kind, given = guarantee["kind"], {"epsilon", "probability", "delta"} & set(declared)
    if declared["kind"] == "randomized-response" and not given and kind == "pure-dp":
        declared = {**declared, "epsilon": guarantee["epsilon"]}
    if declared["kind"] == "four-outcome-randomized-response" and not given and kind in ("pure-dp", "approx-dp"):
        declared = {**declared, "epsilon": guarantee["epsilon"], "delta": guarantee.get("delta", "0")}
    law = under(mechanism_from(declared, "ledger: mechanism"), neighbours)
    if allowance.contradiction(law, guarantee_from(guarantee, "ledger: guarantee")):
        raise InputError("ledger: guarantee", kind, "this is stronger than what the declared mechanism gives")
    return {**guarantee, "cell": event.get("observed_cell"), "mechanism": declared, "neighbours": neighbours}


#: How often one trial's epsilon is paid by what private selection releases.
_TRIALS = {"above-threshold": 2, "best-of-random-number": 3}


def _structured(event: Mapping[str, Any], raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """The raw guarantee of what was selected, and the part that the event reads."""
    if "selected" in event:
        if raw["kind"] != "pure-dp":
            raise InputError("ledger: selected", event["selected"], "only pure-dp trials are accounted")
        epsilon = _TRIALS[event["selected"]] * _in_domain(rational(raw["epsilon"], "epsilon"), "epsilon")
        raw = {"kind": "pure-dp", "epsilon": spell(epsilon)}
    return {**raw, "part": event["part"]} if "part" in event else raw


def _valued(value: Any) -> Any:
    """A raw event with its numbers spelled one way, so that what is equal reads alike."""
    if isinstance(value, Mapping):
        return {key: _valued(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_valued(inner) for inner in value]
    try:
        return spell(rational(value)) if isinstance(value, str) else value
    except InputError:
        return value


def _reads(record: _Record) -> dict[str, dict[str, Counter[str]]]:
    """Of each partition that events name, each part with what reads it."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for event, count in record.events:
        if "part" in event:
            alone = json.dumps(_valued({key: event[key] for key in event if key != "part"}), sort_keys=True)
            parts = found.setdefault(event["part"]["of"], {})
            parts.setdefault(event["part"]["is"], Counter())[alone] += count
    return found


def _check_combinations(
    bounds: list[Mapping[str, Any]], claim: Mapping[str, Any], record: _Record, verdict: str
) -> str:
    """A claim is confirmed for what reads each combination of parts; the first bound is the largest."""
    reads = _reads(record)
    for bound in bounds:
        if set(bound.get("case", {})) != set(reads):
            raise _Mismatch("a bound is not for one part of each partition that the events name")
    if verdict != "confirmed":
        return ""
    kinds = {name: {part: frozenset(read.items()) for part, read in parts.items()} for name, parts in reads.items()}
    for bound in bounds:
        for name, part in bound.get("case", {}).items():
            if part not in kinds[name]:
                raise _Mismatch(f"no event reads {part!r} of {name!r}")
    covered = {tuple(kinds[name][bound["case"][name]] for name in sorted(reads)) for bound in bounds if reads}
    if not reads:
        return ""
    wanted = math.prod(len(set(parts.values())) for parts in kinds.values())
    if len(covered) != wanted:
        raise _Mismatch(f"{wanted} combinations of parts read differently, {len(covered)} have a bound")
    most = _ends(bounds[0]["enclosure"])[1]
    if any(_ends(bound["enclosure"])[1] > most for bound in bounds):
        raise _Mismatch("the first bound is not the largest")
    return f"{wanted} read differently"


def _plain(record: _Record, claim: Mapping[str, Any], case: Mapping[str, str], *, lower: bool = False) -> _Record:
    """What of a record the units of these parts are read by, as it counts for the claim's group and periods."""
    units, periods = claim.get("units", 1), claim.get("periods", 1)
    reads = _reads(record)
    if lower and any("selected" in event for event in record.declared.get("events", ())):
        raise _Mismatch("a worst case of one trial's guarantee is not known to be that of what was selected")
    if not reads and units == periods == 1:
        return record
    if not record.fixed:
        raise _Mismatch("parts, periods and groups need parameters fixed in advance")
    if reads and record.declared.get("neighbours") != "add-or-remove-one":
        raise _Mismatch("a replaced record may leave one part and enter another")
    if reads and units > 1:
        raise _Mismatch("the units of a group may lie in different parts")
    if periods > 1 and not record.declared.get("period"):
        raise _Mismatch("the ledger does not say of which period a unit is")
    if periods > 1 and any(len({frozenset(read.items()) for read in parts.values()}) > 1 for parts in reads.values()):
        raise _Mismatch("a unit may lie in different parts in different periods")
    if units > 1 and lower:
        raise _Mismatch("a worst case of one unit's guarantee is not known to be that of a group's")
    if len(reads) > 1 and lower:
        raise _Mismatch("no ledger says that a unit lies in these parts of several partitions")
    if set(case) != set(reads):
        raise _Mismatch("the case is not one part of each partition that the events name")
    declared = dict(record.declared)
    if units > 1 or periods > 1:
        declared.pop("attained_together", None)
    declared["periods"] = periods
    events = []
    for event, count in record.events:
        part = event.get("part")
        if part is not None and case[part["of"]] != part["is"]:
            continue
        event = {key: value for key, value in event.items() if key != "part"}
        events.append((event if units == 1 else _of_group(event, units), count * periods))
    return _Record(events, declared, None, True)


def _of_group(event: Mapping[str, Any], k: int) -> Mapping[str, Any]:
    """The raw guarantee of an event for a group of k."""
    kind = event["kind"]
    if kind == "gaussian-dp":
        return {"kind": kind, "mu": spell(k * _in_domain(rational(event["mu"], "mu"), "mu"))}
    if kind == "zcdp" and not _parameters(event, "zcdp")[1]:
        return {"kind": kind, "rho": spell(k * k * _parameters(event, "zcdp")[0])}
    if kind == "rdp":
        c = 0
        while 2**c < k:
            c += 1
        if rational(event.get("delta", "0"), "delta"):
            raise _Mismatch("approximate Renyi DP of a group is not known")
        costs = {
            spell(rational(order, "orders") / 2**c): spell(3**c * _in_domain(rational(cost, "orders"), "orders"))
            for order, cost in event["orders"].items()
            if rational(order, "orders") >= 2 ** (c + 1)
        }
        return {"kind": kind, "orders": costs}
    eps, delta = _parameters(event, "dp")
    if not delta:
        return {"kind": "pure-dp", "epsilon": spell(k * eps)}

    def geometric(ar: Arithmetic) -> Scalar:
        # 1 + e^eps + ... + e^((k-1) eps), by squaring: the sum of 2n terms is that of n times 1 + e^(n eps).
        def terms(n: int) -> Any:
            if n == 1:
                return ar.real(Fraction(1))
            half = terms(n // 2)
            doubled = half * (1 + ar.exp(eps * (n // 2)))
            return doubled if n % 2 == 0 else doubled + ar.exp(eps * (n - 1))

        return delta * terms(k)  # type: ignore[no-any-return]

    for digits in (40, 120, 480):
        found = decide.enclose(geometric, decide.engine("mpmath"), Fraction(1, 10**digits))
        ends = [Fraction(text) for text in (to_decimal(found.lower, 30, "up"), to_decimal(found.upper, 30, "up"))]
        if found.lower >= 1:
            ends = [Fraction(1), Fraction(1)]
        if ends[0] == ends[1]:
            return {"kind": "approx-dp", "epsilon": spell(k * eps), "delta": spell(min(ends[0], Fraction(1)))}
    raise _Mismatch("the delta of the group can not be rounded up")


def _law(event: Mapping[str, Any]) -> Mechanism | None:
    """The declared mechanism of a raw event, where its law is known."""
    if "mechanism" not in event:
        return None
    found = under(mechanism_from(event["mechanism"], "ledger: mechanism"), event["neighbours"])
    return None if found.upper is None else found


def _mu(event: Mapping[str, Any]) -> Fraction:
    """The mu of a raw event: its Gaussian mechanism's where that is rational, else its guarantee's."""
    law = _law(event)
    if law is not None and isinstance(law.guarantee, GaussianDP):
        return law.guarantee.mu
    if event["kind"] != "gaussian-dp":
        raise _Mismatch(f"an event of kind {event['kind']} is no Gaussian one")
    return _in_domain(rational(event["mu"], "mu"), "mu")


def _pair(event: Mapping[str, Any]) -> Mechanism:
    """The pair of laws of a raw event: its mechanism's, or the worst case of its guarantee."""
    law = _law(event)
    if law is not None:
        return law
    if event["kind"] == "gaussian-dp":
        document: dict[str, Any] = {"kind": "gaussian-dp", "mu": event["mu"]}
    elif event["kind"] == "pure-dp":
        document = {"kind": "pure-dp", "epsilon": event["epsilon"]}
    else:
        epsilon, delta = _parameters(event, "dp")
        document = {"kind": "approx-dp", "epsilon": spell(epsilon), "delta": spell(delta)}
    return counted(document, "ledger: guarantee")[0]


def _used(rounds: Any) -> Counter[Mechanism]:
    counter: Counter[Mechanism] = Counter()
    for mechanism, count in rounds:
        counter[mechanism] += count
    return counter


def _check_actual(lower: Mapping[str, Any], record: _Record) -> str:
    """The witness uses the declared mechanisms whose shift is attained, each as often as it ran at most."""
    _, inputs = _read_inputs(lower)
    if not record.fixed:
        raise _Mismatch("what ran may hang on the answers, so that no mechanism is known to have run for certain")
    laws = [(law, count) for event, count in record.events if (law := _law(event)) is not None and law.attained]
    # One pair of neighbours attains the shifts of one event; those of several only where the ledger says so.
    groups = [laws] if record.declared.get("attained_together", False) else [[entry] for entry in laws]
    if lower["statement"] in ("zdw2022/poisson_gaussian.delta", "chua2024/shuffled.delta"):
        return _check_sampled_witness(lower["statement"], inputs, record)
    if lower["statement"] not in ("zdw2022/thm10.delta", "kov2015/optimal.delta", "cks2020/gaussian_witness.rho"):
        raise _Mismatch(f"{lower['statement']} does not speak of declared mechanisms")
    if not any(_offers(_used(group), lower["statement"], inputs) for group in groups):
        raise _Mismatch("the witness uses more than the declared mechanisms")
    return "every mechanism of the witness is declared, its shift attained"


def _sampled(event: Mapping[str, Any]) -> tuple[Fraction, Fraction, str, bool] | None:
    """Of a raw subsampled event with one Gaussian query: rate, squared noise multiplier, sampling, and if attained."""
    said = event.get("mechanism", {})
    if said.get("kind") != "subsampled" or said["base"]["kind"] != "gaussian":
        return None
    base = said["base"]

    def square(name: str) -> Fraction:
        if f"{name}_squared" in base:
            return rational(base[f"{name}_squared"], f"ledger: base.{name}_squared")
        return rational(base[name], f"ledger: base.{name}") ** 2

    sensitivity = square("sensitivity")
    if not sensitivity:
        return None
    attained = said.get("attained", True) and base.get("attained", True)
    return rational(said["rate"], "ledger: rate"), square("sigma") / sensitivity, said["sampling"], attained


def _check_sampled_witness(id: str, inputs: Mapping[str, Any], record: _Record) -> str:
    """Rounds of one event, or where one pair attains all, of all events: at least as noisy, and no more of them."""
    if record.declared.get("neighbours") != "add-or-remove-one":
        raise _Mismatch(f"{id} is about add-or-remove-one neighbours, which the ledger does not declare")
    shuffled = id == "chua2024/shuffled.delta"
    if shuffled and record.declared.get("periods", 1) > 1:
        raise _Mismatch("the steps of several periods are no epoch of one shuffle")
    rate, wanted = (Fraction(1, inputs["batches"]), inputs["batches"]) if shuffled else (inputs["q"], inputs["k"])
    counts = [
        count
        for event, count in record.events
        if (found := _sampled(event)) is not None
        and found[2:] == ("shuffled" if shuffled else "poisson", True)
        and found[0] == rate
        and found[1] <= inputs["sigma"] ** 2
    ]
    together = record.declared.get("attained_together", False) and not shuffled
    if wanted > (sum(counts) if together else max(counts, default=0)):
        raise _Mismatch("the witness uses more than the declared subsampled rounds")
    return "the rounds of the witness are declared, their shift attained"


def _offers(offered: Counter[Mechanism], id: str, inputs: Mapping[str, Any]) -> bool:
    """Whether the mechanisms, which one pair of neighbours attains, include those of the witness."""
    if id == "zdw2022/thm10.delta":
        return all(count <= offered[mechanism] for mechanism, count in _used(inputs["rounds"]).items())
    if id == "kov2015/optimal.delta":
        wanted = (Round(Response(inputs["eps"], 2)),)
        return bool(inputs["k"] <= sum(count for law, count in offered.items() if law.lower == wanted))
    rhos: Counter[Fraction] = Counter()
    for law, count in offered.items():
        if law.kind in ("gaussian", "discrete-gaussian"):
            rhos[_rho_of(law)] += count
    return all(count <= rhos[rho] for rho, count in dict(inputs["rho"]).items())


def _rho_of(law: Mechanism) -> Fraction:
    """Half the sum of the squared shifts over sigma^2, from the raw parameters."""
    said = law.document

    def square(name: str) -> Fraction:
        if f"{name}_squared" in said:
            return rational(said[f"{name}_squared"], name)
        return rational(said[name], name) ** 2

    if law.kind == "gaussian":
        return square("sensitivity") / square("sigma") / 2
    shifts = said["shifts"]
    assert isinstance(shifts, list)
    return sum((rational(shift, "shifts") ** 2 for shift in shifts), Fraction(0)) / square("sigma") / 2


_JSON_DIGEST, _CSV_DIGEST = "the ledger's canonical JSON (RFC 8785)", "the CSV file's text"


def _check_ledger(part: Mapping[str, Any], digest: str, digest_of: str, events: _Events) -> str:
    _same(digest, part["sha256"])
    for name, value in (("digest_of", digest_of), ("rounds", sum(count for _, count in events))):
        if part[name] != value:
            raise _Mismatch(f"the ledger's {name} is {value}, the certificate says {part[name]}")
    return ""


def _check_declared(part: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """Beside a JSON ledger, which declares these things itself, the certificate says the same or nothing."""
    for name, value in part.get("declared", {}).items():
        if document[name] != value:
            raise _Mismatch(f"the ledger declares {name} {document[name]}, the certificate {value}")
    return ""


def _budget(document: Mapping[str, Any]) -> _Budget:
    """A raw budget; InputError where the audit's reader refuses it too."""
    name, of_rho = document.get("filter"), "rho" in document

    def number(key: str) -> Fraction:
        return _in_domain(rational(document.get(key, "0"), f"ledger: budget.{key}"), key)

    delta = number("delta")
    if of_rho != (name == "whitehouse2023/thm1"):
        raise InputError(
            "ledger: budget.filter", str(name), "a budget of rho is that of whitehouse2023/thm1, and of no other"
        )
    prime = number("delta_prime") if "delta_prime" in document else None
    if prime is not None and not (name is not None and _FILTERS[name] and 0 < prime <= delta):
        raise InputError(
            "ledger: budget.delta_prime", document["delta_prime"], "give a part of the delta of a filter that splits it"
        )
    return _Budget(number("rho" if of_rho else "epsilon"), delta, of_rho, name, prime)


def _same(found: str, said: str) -> str:
    if found != said:
        raise _Mismatch(f"the ledger's SHA-256 is {found}, the certificate says {said}")
    return found


def _csv_events(text: str) -> _Events:
    """The rows of a CSV ledger, the four plain shapes by this reader; InputError where an audit does not read them."""
    first = next(csv.reader(io.StringIO(text.split("\n", 1)[0])), [])
    header = [name.strip() for name in first]
    counted = header[-1:] == ["count"]
    names = header[:-1] if counted else header
    plain = names in (["epsilon", "delta"], ["rho"])
    rows = list(csv.reader(io.StringIO(text), strict=True)) if plain else []
    if not plain or any("," in cell for row in rows for cell in row):  # decimal commas are the sheets' reader's
        return [(dict(row.guarantee), row.count) for row in sheets.rows(text)]
    kind = "zcdp" if names == ["rho"] else "approx-dp"
    events: _Events = []
    for row in rows[1:]:
        if not row:
            continue
        values = dict(zip(header, (cell.strip() for cell in row), strict=True))
        times = sheets.cell_count(values.pop("count"), "ledger.count") if counted else 1
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


def _in_domain(value: Fraction, name: str, place: str = "ledger") -> Fraction:
    """A raw parameter within its domain; InputError otherwise, as the audit's reader refuses it too."""
    if value < 0 or (name == "delta" and value > 1):
        remedy = "give a number in [0, 1]" if name == "delta" else "give a number >= 0"
        raise InputError(f"{place}: {name}", str(value), remedy)
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
            spend(3 * c)
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


def _check_inputs(bound: Mapping[str, Any], claim: Mapping[str, Any], record: _Record, verdict: str) -> str:
    """Derive what the theorem needs from the raw events and compare it with the certificate's inputs."""
    found, inputs = _read_inputs(bound)
    id, by = found.id, bound["by"]
    delta = rational(claim.get("delta", "0"), "certificate.claim.delta")
    wanted, hypotheses = _table(claim).get(by, ("", ()))
    if wanted != id:
        raise _Mismatch(f"{id} is not what {by} gives for this kind of claim")
    if _H.FIXED_PARAMETERS in hypotheses and not record.fixed:
        raise _Mismatch(f"{by} needs parameters fixed in advance, which the ledger does not declare")
    if id == "zdw2022/thm10.eps":
        return _check_pairs(inputs, claim, record, delta, verdict)
    if id == "zdw2022/poisson_gaussian.eps":
        return _check_sampled(inputs, claim, record, delta, verdict)
    if id == "cks2020/rdp2dp.eps":
        return _check_renyi(found, inputs, record, delta, claim, verdict)
    budget = _in_force(by, hypotheses, claim, record, verdict)
    of_rho = budget is not None and budget.of_rho
    if budget is not None and not of_rho:
        # The filter that was in force had the budget's delta, not the claim's.
        delta = budget.delta
    zcdp = id in ("whitehouse2023/lem1.zcdp2dp.eps", "cks2020/zcdp2dp.eps", "whitehouse2023/thm1.rho")
    gaussian = id in ("gdp/composition.eps", "gdp/composition.mu")
    events = record.events
    pairs = [] if gaussian else [(_parameters(event, "zcdp" if zcdp else "dp"), count) for event, count in events]
    _check_interaction(id, pairs, record.declared)
    values = [(value, count) for (value, _), count in pairs]
    spent = _sum([(part, count) for (_, part), count in pairs])
    rho = _sum(values) if zcdp else Fraction(0)
    if of_rho:
        assert budget is not None
        if rho > budget.size or spent > budget.delta:
            raise _Mismatch("what ran exceeds the declared budget")
        if "epsilon" in claim:
            rho, spent = budget.size, budget.delta
    match id:
        case "rogers2016/thm2.9.eps":
            agree = dict(inputs["eps"]) == _counted(values) and spent <= delta
        case "rogers2016/thm2.10.eps_g":
            agree = _counted(values) == {inputs["eps"]: inputs["k"]} and inputs["delta_hat"] + spent == delta
        case "mv2016/optimal.eps":
            given = Counter(zip(inputs["eps"], inputs["delta"], strict=True))
            needed: Counter[tuple[Fraction, Fraction]] = Counter()
            for pair, count in pairs:
                needed[pair] += count
            agree = given == needed and inputs["delta_g"] == delta
        case "hartmann2022/alg1.least_eps":
            sups, spends, used = _spends(events)
            agree = list(inputs["sups"]) == sups and list(inputs["spends"]) == spends and used <= delta
        case "whitehouse2023/eq2.eps":
            agree = dict(inputs["eps"]) == _counted(values) and inputs["delta_prime"] + spent == delta
        case "whitehouse2023/thm2.f":
            prime = _prime(by, record, budget, delta, delta - spent)
            agree = dict(inputs["eps"]) == _counted(values) and inputs["delta_prime"] == prime
            agree = agree and spent <= delta - prime
        case "kov2015/optimal.eps":
            agree = _counted(values) == {inputs["eps"]: inputs["k"]} and spent == 0 and inputs["delta_g"] == delta
        case "whitehouse2023/lem1.zcdp2dp.eps" | "cks2020/zcdp2dp.eps":
            largest = (delta - spent) / (1 - spent) if spent < 1 else Fraction(0)
            prime = largest if of_rho else _prime(by, record, budget, delta, largest)
            agree = inputs["rho"] == rho and inputs.get("delta_prime", inputs.get("delta")) == prime
            agree = agree and spent + (1 - spent) * prime <= delta
        case "whitehouse2023/thm1.rho":
            agree = _sum(list(inputs["rhos"])) == rho and spent <= delta
        case "gdp/composition.mu":
            if not record.fixed:
                raise _Mismatch("a claim of mu needs parameters fixed in advance")
            mus = [(_mu(event), count) for event, count in events]
            agree = dict(inputs["mu"]) == {mu: count for mu, count in _counted(mus).items() if mu}
        case "gdp/composition.eps":
            mus = [(_mu(event), count) for event, count in events]
            agree = inputs["delta"] == delta and dict(inputs["mu"]) == {
                mu: count for mu, count in _counted(mus).items() if mu
            }
        case _:
            raise _Mismatch(f"{id} is not a statement whose inputs this checker derives from a ledger")
    if not agree:
        raise _Mismatch(f"the inputs of {id} do not follow from the ledger and the claim")
    if budget is not None and not of_rho and _exceeds(found, inputs, budget.size):
        raise _Mismatch("what ran exceeds the declared budget")
    return "the inputs follow from the ledger and the claim"


def _check_pairs(
    inputs: Mapping[str, Any], claim: Mapping[str, Any], record: _Record, delta: Fraction, verdict: str
) -> str:
    """The rounds are those of the ledger; and on another grid, tilted and cut for delta at the claimed epsilon."""
    events = [(_pair(event), count) for event, count in record.events]
    if _used(events) != _used(inputs["rounds"]) or inputs["delta"] != delta:
        raise _Mismatch("the mechanisms are not those of the ledger, or delta is not that of the claim")
    if not 0 < delta < 1:
        return "the mechanisms are those of the ledger"
    at_claim = {"rounds": inputs["rounds"], "eps": _claimed(claim)}
    try:
        with apart(_SIDE_WORK):
            enclosure = solve(statement("zdw2022/thm10.delta"), at_claim, digits=30, engine="arb").enclosure
    except UndecidedError:
        # Both engines have enclosed the certified epsilon and decided the inequality; this would only be one more view.
        return "the mechanisms are those of the ledger; no grid reaches delta at the claimed epsilon"
    if enclosure is None or (enclosure.lower > delta if verdict == "confirmed" else enclosure.upper < delta):
        raise _Mismatch("delta at the claimed epsilon, on another grid, decides otherwise")
    return "the mechanisms are those of the ledger; delta at the claimed epsilon, on another grid, agrees"


def _check_sampled(
    inputs: Mapping[str, Any], claim: Mapping[str, Any], record: _Record, delta: Fraction, verdict: str
) -> str:
    """The rounds are those of the ledger; and along another contour, for delta at the claimed epsilon."""
    if record.declared.get("neighbours") != "add-or-remove-one":
        raise _Mismatch("subsampled rounds are accounted for add-or-remove-one neighbours, which are not declared")
    sigma, rounds = inputs["sigma"], 0
    for event, count in record.events:
        drawn = _sampled(event)
        if drawn is None or drawn[2] != "poisson":
            raise _Mismatch("an event is no Poisson-sampled Gaussian query")
        # A multiplier that is no rational is rounded down: less noise loses more.
        if drawn[0] != inputs["q"] or not sigma**2 <= drawn[1] < (sigma + _ROOT_UNIT) ** 2:
            raise _Mismatch("the rate or the noise is not that of the ledger")
        rounds += count
    if rounds != inputs["k"] or inputs["delta"] != delta:
        raise _Mismatch("the rounds are not those of the ledger, or delta is not that of the claim")
    if not 0 < delta < 1:
        return "the rounds are those of the ledger"
    ar = decide.engine("arb", 128)
    with ar.active():
        found = within(ar, inputs["q"], sigma, rounds, _claimed(claim), delta)
    if found is None:
        return "the rounds are those of the ledger; no contour reaches delta at the claimed epsilon"
    if found != (verdict == "confirmed"):
        raise _Mismatch("delta at the claimed epsilon, along another contour, decides otherwise")
    return "the rounds are those of the ledger; delta at the claimed epsilon, along another contour, agrees"


def _in_force(
    by: str, hypotheses: tuple[Hypothesis, ...], claim: Mapping[str, Any], record: _Record, verdict: str
) -> _Budget | None:
    """The budget of the filter that the theorem is, where the record was not fixed in advance; None where it was.

    Only the filter that the ledger names may confirm a claim: one that is chosen after the run is a union of filters.
    It must have let run no more than was claimed. Without a named filter a bound can only be too large to prove the
    claim, whichever split it is given.
    """
    budget, output_dp = record.budget, _H.OUTPUT_BUDGET in hypotheses
    if record.fixed and not output_dp:
        return None
    if by not in _FILTERS:
        raise _Mismatch(f"{by} is not a filter, and the parameters were not fixed in advance")
    if budget is None or budget.filter is None:
        if record.fixed:
            raise _Mismatch("Algorithm 1 charges observed cells only where it enforced a budget, and none is declared")
        if verdict == "confirmed":
            raise _Mismatch("parameters were not fixed in advance, and the ledger names no filter that was enforced")
        if budget is not None and "epsilon" in claim:
            raise _Mismatch("whether a budget without a filter was kept is not known")
        return None
    if by != budget.filter and not (budget.of_rho and by in _CONVERSIONS):
        raise _Mismatch(f"the filter that was enforced is {budget.filter}, not {by}")
    if budget.delta > rational(claim.get("delta", "0"), "certificate.claim.delta"):
        raise _Mismatch("the declared budget is larger than the claim")
    if budget.of_rho == ("rho" in claim) and budget.size > _claimed(claim):
        raise _Mismatch("the declared budget is larger than the claim")
    return budget


def _prime(by: str, record: _Record, budget: _Budget | None, delta: Fraction, largest: Fraction) -> Fraction:
    """The delta' of a split: all that is left for parameters fixed in advance; the one fixed before otherwise.

    Without a named filter nothing can be confirmed, and the most that any split leaves to delta' shows what can not.
    """
    tuned = record.declared.get("tuning", {}).get(by, {}).get("delta_prime")
    if record.fixed:
        return largest
    if budget is not None and budget.delta_prime is not None:
        return budget.delta_prime
    if tuned is not None:
        return rational(tuned, "ledger: tuning.delta_prime")
    return largest if budget is None else delta / 2


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


def _check_renyi(
    found: Statement,
    inputs: Mapping[str, Any],
    record: _Record,
    delta: Fraction,
    claim: Mapping[str, Any],
    verdict: str,
) -> str:
    if not record.fixed or record.declared.get("interaction") != "sequential":
        raise _Mismatch("cks2020/rdp2dp.eps is used for fixed parameters and sequential interaction only")

    def at(order: Fraction) -> dict[str, Any]:
        costs = [(_renyi_cost(guarantee, order), count) for guarantee, count in record.events]
        spent = _sum([(part, count) for (_, part), count in costs])
        return {
            "order": order,
            "eps_order": _sum([(cost, count) for (cost, _), count in costs]),
            "delta": delta - spent,
        }

    if inputs != at(inputs["order"]):
        raise _Mismatch("the inputs of cks2020/rdp2dp.eps do not follow from the ledger and the claim")
    if verdict == "unsupported":
        # Any order may be used, so that the claim is above the bound of none.
        orders = {
            rational(order, "orders")
            for guarantee, _ in record.events
            if guarantee["kind"] == "rdp"
            for order in guarantee["orders"]
        }
        for order in orders:
            try:
                other = at(order)
            except _Mismatch:
                # Not a common order: an event promises nothing there.
                continue
            if not _exceeds(found, other, _claimed(claim)):
                raise _Mismatch(f"the order {order} proves the claim")
    return "the inputs follow from the ledger and the claim"


def _check_interaction(
    id: str, pairs: list[tuple[tuple[Fraction, Fraction], int]], declared: Mapping[str, Any]
) -> None:
    """Concurrency costs nothing for (epsilon, delta)-DP and for zCDP with delta = 0; elsewhere it must be excluded."""
    approximate = id in ("whitehouse2023/lem1.zcdp2dp.eps", "cks2020/zcdp2dp.eps", "whitehouse2023/thm1.rho") and any(
        delta for (_, delta), _ in pairs
    )
    if (approximate or id == "hartmann2022/alg1.least_eps") and declared.get("interaction") != "sequential":
        raise _Mismatch(f"{id} needs a sequential interaction here, which the ledger does not declare")


def _check_witness(lower: Mapping[str, Any], record: _Record) -> str:
    """The witness's mechanisms stay within the declared guarantees of different events.

    Output-DP events with several cells count only one at a time, unless all was fixed in advance and no budget was in
    force: what ran after them may hang on the observed cell.
    """
    _, inputs = _read_inputs(lower)
    # An event whose mechanism has a declared law, or is run on a sample, is no worst case of its guarantee; it can
    # only add.
    events = [
        event
        for event in record.events
        if _law(event[0]) is None and event[0].get("mechanism", {}).get("kind") != "subsampled"
    ]
    fixed = record.fixed and record.budget is None
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
