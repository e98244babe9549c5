"""From a certificate of a confirmed claim to a Lean file: the numbers, and the privacy that follows, in the kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from privref.audit.claims import ApproxDPClaim, claims_from_document
from privref.audit.facts import Facts
from privref.audit.facts.hypotheses import check
from privref.audit.routes import EPSILON_ROUTES
from privref.audit.structure import is_plain
from privref.exact.errors import InputError
from privref.guarantees.model import Guarantee, dp_parameters, zcdp_parameters
from privref.ledger.model import Ledger
from privref.ledger.opening import read_ledger
from privref.ledger.reading import ledger_from_document
from privref.profiles.sampled import NOT_BY_ROUND
from privref.statements.hypotheses import Hypothesis
from privref.statements.theorems import theorem
from privref.verification import verify

from .closed import closed_file
from .lean import LEAN_STATEMENTS, lean_certificate
from .listed import CHECKED_STATEMENTS, listed_file
from .normal import normal_file
from .ranges import ranges_file

#: A Lean file lists at most so many groups of rounds.
MOST_GROUPS = 1000

_Group = tuple[int, Fraction, Fraction]
_View = Callable[[Guarantee], tuple[Fraction, Fraction] | None]


def lean_file(document: Any, ledger_path: str | Path | None = None) -> str:
    """The Lean file of a ``certificate.2`` that confirms an (epsilon, delta) claim.

    Of discrete Gaussian noise the file is closed: it lists the noise and has no hypothesis, whatever theorem the
    certificate cites, where the library's bounds reach the claim. Other files list guarantees, and noise on samples.
    A claim by a theorem without a Lean checker has one where moments at a Renyi order reach it.

    The kernel checks the certificate first. Raises InputError where it fails, confirms nothing, has no ledger with it,
    rests on a theorem without a Lean checker, or is about another interaction than those of the Lean theorems: rounds
    one after another, with parameters fixed in advance, and the claim of one unit of the ledger as it stands.
    """
    outcome = verify(document, ledger_path)
    if outcome.outcome != "verified" or document.get("verdict") != "confirmed":
        raise InputError(
            "certificate", document.get("verdict", "(none)"), "give a certificate that confirms a claim and verifies"
        )
    if not outcome.ledger_checked:
        raise InputError("certificate.ledger", "(not embedded)", "give the ledger file with --ledger")
    (claim,) = claims_from_document({"schema": "claims.1", "claims": [document["claim"]]})
    if not isinstance(claim, ApproxDPClaim):
        raise InputError("certificate.claim", str(claim), "only (epsilon, delta) claims have a Lean checker")
    ledger = (
        read_ledger(ledger_path) if ledger_path is not None else ledger_from_document(document["ledger"]["document"])
    )
    _require_its_own_rounds(ledger, claim)
    closed = closed_file(ledger, claim.epsilon, claim.delta)
    if closed is not None:
        return closed
    (proof,) = document["proofs"]
    rule = theorem(proof["by"])
    by = rule.lean
    if by not in LEAN_STATEMENTS:
        for write in (ranges_file, normal_file, listed_file):
            found = write(ledger, claim.epsilon, claim.delta)
            if found is not None:
                return found
        why = rule.no_lean or "the Lean checker does not reach this claim, or does not list such a ledger"
        remedy = f"audit the claim by a theorem with a Lean checker: {', '.join(CHECKED_STATEMENTS)}"
        raise InputError("certificate.proofs[0].by", proof["by"], f"{why}; {remedy}")
    (route,) = (route for route in EPSILON_ROUTES if route.by == rule.id)
    application = route.apply(Facts.of(ledger), claim.delta, rule.id)
    for why in (application.obstacle, *(finding.how for finding in application.unmet)):
        if why:
            raise InputError("certificate.proofs[0].by", rule.id, f"{why}; audit the claim by another theorem")
    inputs = application.inputs
    if by == "cks2020/zcdp2dp" and inputs["delta"] != claim.delta:
        # Its own checker gives all of the claimed delta to the conversion.
        listed = listed_file(ledger, claim.epsilon, claim.delta)
        if listed is not None:
            return listed
        remedy = "the Lean checker lists no ledger like this one; audit it by Lemma 1"
        raise InputError("certificate.claim.delta", str(claim.delta), remedy)
    claimed = {"epsilon": claim.epsilon, "delta": claim.delta}
    try:
        return lean_certificate(by, _inputs(by, inputs, ledger), claimed, _kinds(ledger))
    except InputError:
        raise
    except ValueError as error:
        raise InputError("certificate", by, str(error)) from None


def _require_its_own_rounds(ledger: Ledger, claim: ApproxDPClaim) -> None:
    """Refuse a claim that is not about the ledger's own rounds, run as the Lean theorems have them run."""
    if not is_plain(ledger, claim):
        scope = claim.units == claim.periods == 1 and claim.neighbours in (None, ledger.neighbours)
        field, value, of = (
            ("ledger.partitions", ", ".join(ledger.partitions), "what reads one part")
            if scope
            else ("certificate.claim", str(claim), "what its group, periods or neighbours lose")
        )
        remedy = f"a Lean file is about a ledger's own rounds for one unit; write {of} as a ledger of its own"
        raise InputError(field, value, f"{remedy}, and claim it there")
    found = check(Facts.of(ledger), Hypothesis.FIXED_PARAMETERS, "")
    if not found.met:
        remedy = (
            "the Lean library has no theorem on budgets that decide on the way, only on rounds fixed in advance; the "
            "certificate still verifies without Lean"
        )
        raise InputError("ledger.parameters", ledger.parameters or "(not declared)", f"{found.how}, and {remedy}")
    if ledger.shares:
        remedy = f"a Lean file lists what each round has, and {NOT_BY_ROUND}; the certificate still verifies"
        raise InputError("ledger.events", "sampling shuffled", remedy)
    if ledger.interaction != "sequential":
        remedy = (
            "the Lean theorems are about rounds one after another; declare them sequential where they were (for "
            "concurrent ones the claim rests on Vadhan and Zhang 2023 and Haney et al. 2023, not proved in Lean)"
        )
        raise InputError("ledger.interaction", ledger.interaction or "(not declared)", remedy)


def _inputs(by: str, inputs: Mapping[str, Any], ledger: Ledger) -> dict[str, object]:
    """What the Lean checker takes: the ledger's groups, from which Lean computes the sums itself."""
    match by:
        case "rogers2016/thm2.9":
            return {"groups": _in_order(ledger)}
        case "whitehouse2023/eq2" | "whitehouse2023/thm2":
            return {"groups": _merged(ledger, dp_parameters), "delta_prime": inputs["delta_prime"]}
        case "rogers2016/thm2.10":
            delta = next((delta for _, _, delta in _merged(ledger, dp_parameters)), Fraction(0))
            return {"k": inputs["k"], "eps": inputs["eps"], "delta": delta, "delta_hat": inputs["delta_hat"]}
        case "whitehouse2023/lem1":
            return {"groups": _merged(ledger, zcdp_parameters), "delta_prime": inputs["delta_prime"]}
        case "cks2020/zcdp2dp":
            return {"groups": _merged(ledger, zcdp_parameters)}
        case _:
            return {"k": inputs["k"], "eps": inputs["eps"]}


def _in_order(ledger: Ledger) -> list[_Group]:
    """The rounds as they ran; only neighbours that are alike are counted together."""
    found: list[_Group] = []
    for event in ledger.ran:
        epsilon, delta = _known(dp_parameters, event.guarantee)
        if found and found[-1][1:] == (epsilon, delta):
            found[-1] = (found[-1][0] + event.count, epsilon, delta)
        else:
            found.append((event.count, epsilon, delta))
            _require_few(len(found))
    return found


def _merged(ledger: Ledger, view: _View) -> list[_Group]:
    """The rounds with how often each occurs, for theorems that ask for sums only."""
    counter: Counter[tuple[Fraction, Fraction]] = Counter()
    for event in ledger.ran:
        counter[_known(view, event.guarantee)] += event.count
        _require_few(len(counter))
    return [(count, parameter, delta) for (parameter, delta), count in counter.items()]


def _known(view: _View, guarantee: Guarantee) -> tuple[Fraction, Fraction]:
    found = view(guarantee)
    if found is None:
        raise InputError("ledger.events", guarantee.kind, "it has no parameters that the Lean checker takes")
    return found


def _require_few(groups: int) -> None:
    if groups > MOST_GROUPS:
        raise InputError("ledger.events", f"more than {MOST_GROUPS} groups", f"a Lean file lists at most {MOST_GROUPS}")


def _kinds(ledger: Ledger) -> tuple[str, ...]:
    """The kinds of guarantee that the ledger declares, and from what else a guarantee follows, sorted."""
    facts = Facts.of(ledger)
    if facts.guarantees.columns is not None:
        return (facts.guarantees.columns.kind,)
    kinds = {guarantee.kind for guarantee, _ in facts.guarantees.distinct}
    kinds |= {"mechanism" for event in ledger.ran if event.law is not None or event.trial is not None}
    kinds |= {"selection" for event in ledger.ran if event.selected or event.best_of}
    kinds |= {"rounded parameters" for _ in ledger.rounded}
    return tuple(sorted(kinds))
