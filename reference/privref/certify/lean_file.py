"""From a certificate of a confirmed claim to a Lean file: the numbers, and mostly the privacy, proved in the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from privref.audit.facts import Facts
from privref.audit.verify import verify
from privref.exact.errors import InputError
from privref.exact.numbers import rational, spell
from privref.ledger.model import Ledger
from privref.ledger.reading import ledger_from_document, read_ledger
from privref.statements.registry import statement
from privref.statements.theorems import theorem

from .lean import LEAN_STATEMENTS, lean_certificate


def lean_file(document: Any, ledger_path: str | Path | None = None) -> str:
    """The Lean file of a ``certificate.1`` that confirms an (epsilon, delta) claim.

    The certificate is re-checked first. Raises InputError where it fails, confirms nothing, has no ledger with it, or
    rests on a theorem without a Lean checker.
    """
    outcome = verify(document, ledger_path)
    if outcome.outcome != "verified" or document.get("verdict") != "confirmed":
        raise InputError(
            "certificate", document.get("verdict", "(none)"), "give a certificate that confirms a claim and verifies"
        )
    if not outcome.ledger_checked:
        raise InputError("certificate.ledger", "(not embedded)", "give the ledger file with --ledger")
    if "epsilon" not in document["claim"]:
        raise InputError("certificate.claim", "rho", "only (epsilon, delta) claims have a Lean checker")
    (bound,) = document["bounds"]
    rule = theorem(bound["by"])
    by = rule.lean
    if by not in LEAN_STATEMENTS:
        raise InputError(
            "certificate.bounds[0].by",
            bound["by"],
            f"{rule.no_lean}; audit the claim by a theorem with a Lean checker: {', '.join(LEAN_STATEMENTS)}",
        )
    ledger = (
        read_ledger(ledger_path) if ledger_path is not None else ledger_from_document(document["ledger"]["document"])
    )
    inputs = statement(bound["statement"]).read(bound["inputs"])
    claim = {name: rational(document["claim"][name], f"certificate.claim.{name}") for name in ("epsilon", "delta")}
    if ledger.budget is not None and ledger.budget.rho is not None and not Facts(ledger).fixed:
        raise InputError("ledger.budget.rho", spell(ledger.budget.rho), "the Lean checker takes what the events spent")
    if by == "cks2020/zcdp2dp" and inputs["delta"] != claim["delta"]:
        remedy = "the Lean checker gives all of the claimed delta to the conversion; audit it by Lemma 1"
        raise InputError("certificate.bounds[0].inputs.delta", str(inputs["delta"]), remedy)
    try:
        return lean_certificate(by, _inputs(by, inputs, ledger), claim)
    except ValueError as error:
        raise InputError("certificate", by, str(error)) from None


def _inputs(by: str, inputs: Mapping[str, Any], ledger: Ledger) -> dict[str, object]:
    """What the Lean checker takes: the ledger's groups, from which Lean computes the sums itself."""
    facts = Facts(ledger)
    approx, zcdp = facts.approx or (), facts.zcdp or ()
    match by:
        case "rogers2016/thm2.9":
            return {"groups": [(count, dp.epsilon, dp.delta) for dp, count in approx]}
        case "whitehouse2023/thm2":
            groups = [(count, dp.epsilon, dp.delta) for dp, count in approx]
            return {"groups": groups, "delta_prime": inputs["delta_prime"]}
        case "rogers2016/thm2.10":
            delta = approx[0][0].delta if approx else Fraction(0)
            return {"k": inputs["k"], "eps": inputs["eps"], "delta": delta, "delta_hat": inputs["delta_hat"]}
        case "whitehouse2023/lem1":
            groups = [(count, event.rho, event.delta) for event, count in zcdp]
            return {"groups": groups, "delta_prime": inputs["delta_prime"]}
        case "cks2020/zcdp2dp":
            return {"groups": [(count, event.rho, event.delta) for event, count in zcdp]}
        case _:
            return {"k": inputs["k"], "eps": inputs["eps"]}
