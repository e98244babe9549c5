"""A certified value against its statement: enclosed again by both engines, and the inequality decided anew."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from privref.audit.checker.basis import DIGITS, ENGINES, Mismatch
from privref.audit.checker.theorems import LOWER_EPSILON, LOWER_RHO, claimed_number, lower_target
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import MAX_END_DIGITS, rational
from privref.statements.registry import Statement, non_negative, solve, statement

_MOST_EQUAL = 100_000

#: A contour's work hardly grows with the number of rounds.
_AT_ANY_COUNT = ("zdw2022/poisson_gaussian.eps", "zdw2022/poisson_gaussian.delta")


def check_margin(margin: Mapping[str, Any], decisive: Mapping[str, Any], claim: Mapping[str, Any], verdict: str) -> str:
    """The margin is what the certified enclosure leaves to the claimed number, rounded outward."""
    lower, upper = ends_of(decisive["enclosure"])
    if lower > upper:
        raise Mismatch("the certified enclosure is empty")
    claimed = lower_target(claim) if verdict in ("refuted", "underivable") else claimed_number(claim)
    if list(Enclosure(claimed - upper, claimed - lower).decimals(6)) != [margin["lower"], margin["upper"]]:
        raise Mismatch("the margin is not the claimed number less the certified enclosure")
    return ""


def read_inputs(part: Mapping[str, Any]) -> tuple[Statement, dict[str, Any]]:
    found = statement(part["statement"])
    if found.standing == "printed":
        raise Mismatch(f"{found.id} is the printed form of a wrong statement; no certificate may use it")
    inputs: dict[str, Any] = found.read(part["inputs"])
    return found, inputs


def _double(text: str) -> Fraction | float:
    if text in ("inf", "-inf"):
        return float(text)
    if "0x" not in text.lower():
        raise InputError("certificate.enclosure.binary64", text, "give hexadecimal doubles, or inf or -inf")
    return rational(text, "certificate.enclosure.binary64")


def ends_of(said: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    lower, upper = (rational(said[end], f"certificate.enclosure.{end}", MAX_END_DIGITS) for end in ("lower", "upper"))
    return lower, upper


def _check_value(part: Mapping[str, Any], *, floor: bool = False) -> tuple[Statement, dict[str, Any]]:
    """The certified value is the statement's: enclosed, and as narrowly as a certificate promises."""
    found, inputs = read_inputs(part)
    if (part["kind"], part["source"]) != (found.kind, found.source):
        raise Mismatch(f"{found.id} is registered as {found.kind}, {found.source}")
    lower, upper = ends_of(part["enclosure"])
    if lower > upper:
        raise Mismatch("the certified enclosure is empty")
    if isinstance(inputs.get("k"), int) and inputs["k"] > _MOST_EQUAL and found.id not in _AT_ANY_COUNT:
        raise Mismatch(f"more than {_MOST_EQUAL} equal rounds are not re-computed")
    certified = Enclosure(lower, upper)
    stated = found.stated_width(inputs) if found.stated_width is not None else None
    # Decimals are rounded outward from enclosures of 10^(2 - digits), or of the statement's own width.
    widest = Fraction(1, 10 ** (DIGITS - 3)) if stated is None else 2 * stated
    if not certified.relative_width_at_most(widest):
        raise Mismatch("the certified enclosure is wider than an answer may be")
    now: Enclosure | None = certified if stated is None else None
    for engine in ENGINES:
        answer = solve(found, inputs, digits=30, engine=engine)
        # No epsilon and no rho is negative, whatever the statement's formula gives.
        answer = non_negative(answer) if floor else answer
        if part.get("value") != answer.value:
            raise Mismatch(f"{engine} gives the exact value {answer.value}, the certificate {part.get('value')}")
        if answer.enclosure is None:
            raise Mismatch(f"{engine} gives no number")
        met = answer.enclosure.intersection(certified)
        now = answer.enclosure if now is None else now.intersection(answer.enclosure)
        if met is None or now is None:
            ends = ", ".join(answer.enclosure.decimals(10))
            raise Mismatch(f"{engine} gives [{ends}], apart from the certified enclosure")
        # At a stated width each engine finds its own enclosure: below, what they have in common is to be certified.
        if stated is None and not (lower <= answer.enclosure.lower and answer.enclosure.upper <= upper):
            _check_touching(found, inputs, certified)
    assert now is not None
    # What is known to a stated width may lie anywhere in the checker's own enclosure: all of it is to be certified.
    if stated is not None and not (lower <= now.lower and now.upper <= upper):
        raise Mismatch(f"the certified enclosure leaves out a part of [{', '.join(now.decimals(10))}]")
    down, up = (_double(text) for text in part["enclosure"]["binary64"])
    widest_down, widest_up = (_double(text) for text in certified.binary64())
    if stated is None:
        around = widest_down <= down <= now.upper and now.lower <= up <= widest_up
    else:
        around = widest_down <= down <= now.lower and now.upper <= up <= widest_up
    if not around:
        raise Mismatch("the certified doubles are not the ones around the value")
    return found, inputs


def _check_touching(found: Statement, inputs: Mapping[str, Any], certified: Enclosure) -> None:
    """A value at an end of the certified enclosure: exactly there by the trusted engine, or within at more digits."""
    finer = solve(found, inputs, digits=90, engine="arb").enclosure
    if finer is None or not (certified.lower <= finer.lower and finer.upper <= certified.upper):
        raise Mismatch("the certified enclosure does not contain the value")


def exceeds(found: Statement, inputs: Mapping[str, object], number: Fraction) -> bool:
    if found.stated_width is not None and found.stated_width(inputs) is not None:
        return _exceeds_at_stated_width(found, inputs, number)

    def formula(ar: Arithmetic) -> Scalar:
        result = found.function(ar, **inputs)
        if isinstance(result, str):
            raise Mismatch(f"{found.id} gives {result}, not a number")
        return result

    said = {decide.exceeds(formula, lambda ar: number, decide.engine(engine)) for engine in ENGINES}
    if len(said) != 1:
        raise Mismatch("the engines decide the inequality differently")
    return said.pop()


def _exceeds_at_stated_width(found: Statement, inputs: Mapping[str, object], number: Fraction) -> bool:
    """Decided by what the engines' enclosures have in common, as the audit's are: each one contains the value.

    What more digits leave open, as they are computed a little otherwise, may be decided with the audit's own.
    """
    common: Enclosure | None = None
    for digits in (30, DIGITS):
        for engine in ENGINES:
            enclosure = solve(found, inputs, digits=digits, engine=engine).enclosure
            if enclosure is None:
                raise Mismatch(f"{found.id} gives no number")
            common = enclosure if common is None else common.intersection(enclosure)
            if common is None:
                raise Mismatch(f"{found.id}: the engines' enclosures are disjoint")
        assert common is not None
        if not common.lower <= number < common.upper:
            return common.lower > number
    raise Mismatch(f"{found.id} does not decide the inequality at its stated width")


def check_upper(bound: Mapping[str, Any], claim: Mapping[str, Any], verdict: str) -> str:
    found, inputs = _check_value(bound, floor=True)
    if found.kind == "lower":
        raise Mismatch(f"{found.id} is a lower bound; it proves no claim")
    above = exceeds(found, inputs, claimed_number(claim))
    if above != (verdict == "unsupported"):
        raise Mismatch(f"the bound is {'above' if above else 'at most'} the claim, which does not make it {verdict}")
    return f"the bound is {'above' if above else 'at most'} the claim"


def check_lower(lower: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    found, inputs = _check_value(lower)
    if lower["bounds"] != ("delta" if "epsilon" in claim else "rho"):
        raise Mismatch("the lower bound is on something else than the claim's number")
    if found.id not in (LOWER_EPSILON if "epsilon" in claim else LOWER_RHO):
        raise Mismatch(f"{found.id} is not a lower bound on what this kind of claim speaks of")
    if "epsilon" not in claim and rational(claim.get("delta", "0"), "certificate.claim.delta"):
        raise Mismatch("a rho claim with delta > 0 is not refuted by a bound on rho")
    if "epsilon" in claim:
        at = inputs.get("eps_g", inputs.get("eps"))
        if at != rational(claim["epsilon"], "certificate.claim.epsilon"):
            raise Mismatch("the lower bound is not taken at the claimed epsilon")
    if not exceeds(found, inputs, lower_target(claim)):
        raise Mismatch("the lower bound is not above the claim")
    return "the lower bound is above the claim"
