"""The audit: every applicable theorem, the tightest first, a verdict per claim, decided by both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from privref.exact.enclosure import Enclosure
from privref.exact.errors import OutOfScopeError, UndecidedError
from privref.exact.numbers import probability, spell
from privref.exact.roots import fixed_point
from privref.exact.rounding import to_decimal
from privref.exact.work import apart, metered
from privref.ledger.model import Ledger, require_ledger
from privref.statements.hypotheses import Hypothesis

from . import structure
from .bounds import all_bounds, has_epochs, refute, require_consistent, tightest_first
from .claims import ApproxDPClaim, Claim, ReadingClaim, RemainingClaim, TotalClaim, require_claims
from .deciding import audit_total, exceeded
from .facts import Facts, Finding
from .facts.hypotheses import answers_of_absent, correlated, cut, drawn, exchanged, in_bins, mixed, scored
from .facts.record import Structure
from .opinions import Audit, Bound, Opinion, Verdict
from .reasons import NEIGHBOURS, advised, inapplicable
from .refuters import divided
from .routes import EPSILON_ROUTES, Application, epsilon_routes
from .structure import PartsCase

if TYPE_CHECKING:
    from .evidence import Weighing


def audit_claim(
    facts: Facts, claim: Claim, report: Callable[[str], None] = lambda step: None, *, best: bool = True
) -> Opinion:
    """The verdict on one claim. Refuted takes precedence over unsupported; a claim that is proved is never refuted.

    InputError where a guarantee proves it and the mechanism alongside it certainly loses more.
    """
    try:
        match claim:
            case ReadingClaim() | RemainingClaim() if facts.ledger.together:
                return Opinion(claim, "inapplicable", _NO_ORDER)
            case ReadingClaim() | RemainingClaim() if facts.guarantees.unknown:
                return _unaccounted(facts, claim)
            case ReadingClaim() | RemainingClaim():
                from .readings import audit_reading, audit_remaining

                shown = (
                    audit_reading(facts, claim) if isinstance(claim, ReadingClaim) else audit_remaining(facts, claim)
                )
                if shown.verdict != "confirmed":
                    return shown
                return replace(
                    shown, premises=(*shown.premises, *structure.selection(facts.ledger), *_of_what_ran(facts))
                )
            case _:
                if structure.is_plain(facts.ledger, claim):
                    plain = _audit_plain(facts, claim, report, best=best)
                    found = _with_premises(advised(plain, facts, claim) if best else plain, facts, claim)
                else:
                    found = _audit_structured(facts, claim, report)
                if found.verdict == "confirmed":
                    _require_consistent(facts, claim, found)
                if found.verdict == "inapplicable" and facts.ledger.asks_for_neighbours:
                    return replace(found, undeclared=NEIGHBOURS)
                return found
    except UndecidedError as error:
        return Opinion(claim, "undecided", str(error))


_NO_ORDER = (
    "what an odometer reads, and what a filter has left, depend on the order of the events, which several ledgers "
    "together do not say; claim it of one ledger, or write the events of all in one, in the order in which they ran"
)


def _require_consistent(facts: Facts, claim: TotalClaim, found: Opinion) -> None:
    """InputError where the guarantees that prove the claim prove less than a declared epoch loses, of one unit too."""
    # More units, periods or parts lose no less than one unit in one event does.
    require_consistent(facts, found.of_unit or claim)
    steps = structure.steps(facts.ledger, claim)
    if isinstance(claim, ApproxDPClaim) and isinstance(steps, int) and steps > 1 and has_epochs(facts):
        # What proves it of a group proves so much of one unit.
        audit_claim(facts, replace(claim, epsilon=claim.epsilon / steps, units=1, neighbours=None, document=None))


def _audit_plain(facts: Facts, claim: TotalClaim, report: Callable[[str], None], *, best: bool = True) -> Opinion:
    return _unaccounted(facts, claim) if facts.samples.unaccounted else audit_total(facts, claim, report, best=best)


def _unaccounted(facts: Facts, claim: Claim) -> Opinion:
    """Out of scope; where only the sampling is not a theorem's, that one is inapplicable, or the claim is refuted."""
    by_sampling = facts.samples.only_sampling_unknown
    total = None if isinstance(claim, (ReadingClaim, RemainingClaim)) else claim
    if total is not None and facts.attainable and (by_sampling or next(divided(facts, Fraction(0)), None)):
        refutation = refute(facts, total)
        if refutation is not None and refutation.witness.actual:
            words, rests = refutation.witness.words, refutation.witness.premises
            return Opinion(claim, "refuted", f"lost by {words}", refutation=refutation, premises=rests)
    if not by_sampling or total is None:
        return Opinion(
            claim, "out-of-scope", f"the ledger has an event that cannot be accounted: {facts.guarantees.unknown[0]}"
        )
    is_cut = any(cap.occurs for cap in facts.samples.caps)
    of_samples = Hypothesis.CUT_BY_ORDER if is_cut else Hypothesis.POISSON_SAMPLING
    (route,) = (route for route in EPSILON_ROUTES if of_samples in route.hypotheses)
    application = route.apply(facts, claim.delta)
    if not application.unmet:
        return Opinion(claim, "inapplicable", f"an event cannot be accounted: {facts.guarantees.unknown[0]}")
    return Opinion(claim, "inapplicable", inapplicable(route.by, application.unmet), inapplicable=(application,))


def _with_premises(opinion: Opinion, facts: Facts, claim: TotalClaim) -> Opinion:
    found = structure.premises(facts.ledger, claim, whole=opinion.of_unit is not None)
    if opinion.verdict == "confirmed":
        beside = structure.beside(facts.ledger, claim)
        known = set[Hypothesis]()
        if Hypothesis.CUT_BY_ORDER in {finding.hypothesis for finding in opinion.premises}:
            # The rule by which a batch is cut says what the cap says, but for the other units of a group.
            known |= set() if beside else {Hypothesis.TRUNCATED_SAMPLES}
            as_bases = [law for law in facts.mechanisms.declared if law.sample is not None and law.upper is None]
            told = all(law.may_be_cut or law.may_reveal(facts.ledger.neighbours) for law in as_bases)
            known |= {Hypothesis.ANY_SAMPLING} if told else set()
        found = (*found, *(each for each in _of_what_ran(facts, beside) if each.hypothesis not in known))
    return replace(opinion, premises=(*opinion.premises, *found)) if found else opinion


def _of_what_ran(facts: Facts, beside: int = 0) -> tuple[Finding, ...]:
    """What a bound rests on that no ledger can show: of answers that a unit may not have given, of samples."""
    neighbours, samples, mechanisms = facts.ledger.neighbours, facts.samples, facts.mechanisms
    known = Hypothesis.KNOWN_LAWS
    said = [
        (known, answers_of_absent(neighbours) if mechanisms.answers_of_absent else ""),
        (Hypothesis.POISSON_SAMPLING, drawn(neighbours) if samples.drawn else ""),
        (Hypothesis.BALLS_IN_BINS, in_bins(neighbours, mechanisms.declared) if samples.in_bins else ""),
        (known, correlated(mechanisms.declared)),
        (known, scored(mechanisms.declared)),
        (known, mixed(tuple(mechanisms.declared))),
        (Hypothesis.EXCHANGED, exchanged(mechanisms.declared, neighbours)),
        (Hypothesis.ANY_SAMPLING, samples.unamplified),
        *((known, words) for words in samples.at_their_word),
        *((Hypothesis.RELEASED, words) for words in mechanisms.released),
        (Hypothesis.TRUNCATED_SAMPLES, cut(samples.caps, beside) if samples.caps else ""),
    ]
    return tuple(Finding(hypothesis, True, words, premise=True) for hypothesis, words in said if words)


#: Of the verdicts on the cases of one claim the first that occurs is the claim's.
_GRAVEST: tuple[Verdict, ...] = (
    "refuted", "contradicted-by-evidence", "underivable", "unsupported", "out-of-scope", "inapplicable",
    "conditional", "undecided", "confirmed",
)  # fmt: skip


def _audit_structured(facts: Facts, claim: TotalClaim, report: Callable[[str], None]) -> Opinion:
    """The verdict on a claim about parts, periods or a group: by its events, or from what the whole is for one unit."""
    if too_few := structure.too_few_records(facts.ledger, claim):
        return _with_premises(Opinion(claim, "inapplicable", too_few), facts, claim)
    opinion = _audit_cases(facts, claim, report)
    whole = None if opinion.verdict == "confirmed" else _of_the_whole(facts, claim, report)
    if whole is not None:
        silent = opinion.verdict in ("out-of-scope", "inapplicable")
        if whole.verdict == "confirmed" or (silent and whole.verdict in ("unsupported", "conditional", "undecided")):
            opinion = whole
        elif silent:
            # What stands in the way is what the unit's claim came to, of which the events alone say nothing.
            opinion = replace(opinion, verdict=whole.verdict, reason=whole.reason)
    return _with_premises(opinion, facts, claim)


def _of_the_whole(facts: Facts, claim: TotalClaim, report: Callable[[str], None]) -> Opinion | None:
    """The verdict on a group's claim of (epsilon, delta) by one about one unit: of the largest epsilon, or less."""
    steps = structure.steps(facts.ledger, claim)
    if not isinstance(claim, ApproxDPClaim) or not isinstance(steps, int) or steps == 1:
        return None
    unit = structure.of_one_unit(facts.ledger, claim)
    try:
        whole = None if unit is None else _audit_whole(facts, claim, unit, report)
    except UndecidedError:
        # A delta that is nearly 0 may be too expensive, and those of smaller epsilons need not be.
        less = _of_less(facts, claim, claim.epsilon / steps, report)
        if less is None:
            raise
        return less
    if whole is None or whole.verdict in ("unsupported", "inapplicable", "undecided"):
        return _of_less(facts, claim, claim.epsilon / steps, report) or whole
    return whole


def _audit_whole(facts: Facts, claim: TotalClaim, unit: ApproxDPClaim, report: Callable[[str], None]) -> Opinion:
    """The verdict on a group's claim by the claim about one unit from which it follows, however parameters came about.

    That a worst case of a unit's guarantees exceeds that claim is not known to be a loss of the group.
    """
    if structure.is_plain(facts.ledger, unit):
        plain = Facts.of(facts.ledger, Structure(of_group=True, beside=structure.beside(facts.ledger, claim)))
        found = _audit_plain(plain, unit, report)
    else:
        found = _audit_cases(facts, unit, report, group=claim)
    said = f"of one unit, ({spell(unit.epsilon)}, {_few_digits(unit.delta)})-DP, by vadhan2017/lem2.2: {found.reason}"
    bounds = {
        id(item): replace(item, note=f"of one unit; {item.note}" if item.note else "of one unit")
        for item in (*found.bounds, *((found.deciding,) if found.deciding is not None else ()))
    }
    return replace(
        found,
        claim=claim,
        reason=said,
        of_unit=unit,
        bounds=tuple(bounds[id(item)] for item in found.bounds),
        deciding=None if found.deciding is None else bounds[id(found.deciding)],
        hints=None,
    )


#: Epsilons of one unit that are tried below the largest, and what that may cost, in units of work.
_MOST_UNITS, _UNITS_WORK = 8, 2_500_000


def _of_less(facts: Facts, claim: TotalClaim, most: Fraction, report: Callable[[str], None]) -> Opinion | None:
    """The same from a smaller epsilon of one unit, with the larger delta that goes with it; None where none is found.

    The budget's, or where the bound at the delta that goes with an epsilon is that epsilon, found from 0 upwards.
    """
    budget = facts.declarations.budget
    enforced = None if budget is None or facts.declarations.fixed else budget.epsilon
    tried = Fraction(0) if enforced is None else enforced
    before: tuple[Fraction, Fraction] | None = None
    try:
        with apart(_UNITS_WORK):
            for _ in range(_MOST_UNITS if enforced is None else 1):
                unit = structure.of_one_unit(facts.ledger, claim, tried) if tried < most else None
                found = None if unit is None else _audit_whole(facts, claim, unit, report)
                if found is None or found.verdict == "confirmed":
                    return found
                if found.deciding is None or found.deciding.enclosure is None:
                    return None
                here = tried, found.deciding.enclosure.upper
                tried = Fraction(to_decimal(fixed_point(before, here), 12, "up"))
                before = here
    except UndecidedError:
        # The claim about the largest epsilon was decided, and stands.
        return None
    return None


def _few_digits(value: Fraction) -> str:
    """A few digits of a delta that is smaller than it, for a sentence."""
    return Enclosure(value, value).decimals(6)[0]


def _audit_cases(
    facts: Facts, claim: TotalClaim, report: Callable[[str], None], *, group: TotalClaim | None = None
) -> Opinion:
    """The verdict on a claim that must hold of each plain ledger that it comes to, also where a group's follows."""
    found = structure.cases(facts.ledger, claim)
    if isinstance(found, structure.Unstructured):
        return Opinion(claim, "inapplicable", found.reason)

    def about(case: PartsCase) -> Facts:
        return structure.case_facts(facts.ledger, claim, case, group=group)

    opinions = [_audit_plain(about(case), claim, report) for case in found]
    at, apart = min(range(len(found)), key=lambda i: _gravity(opinions[i])), structure.steps(facts.ledger, claim)
    # Advice may take longer than the verdict: only the printed opinion has it.
    gravest, case = advised(opinions[at], about(found[at]), claim), found[at]
    reason = gravest.reason
    if len(found) > 1 or case.alike > 1:
        here = ", ".join(f"{name} {part}" for name, part in case.parts.items())
        total = sum(each.alike for each in found)
        reason += f"; decided by the worst of {total} combinations of {'units' if apart != 1 else 'parts'}, {here}"
    others = tuple(
        (each.parts, opinion) for i, (each, opinion) in enumerate(zip(found, opinions, strict=True)) if i != at
    )
    whole = replace(gravest, reason=reason, case=case.parts, others=others)
    return (None if group is not None else _lost_in_one(facts, whole)) or whole


#: Verdicts that what one part loses may change: nothing was proved, and nothing cannot be accounted.
_OPEN: tuple[Verdict, ...] = ("unsupported", "inapplicable", "undecided")


def _lost_in_one(facts: Facts, opinion: Opinion) -> Opinion | None:
    """The claim refuted, or beyond any proof, by the events that units of one part see; None where none is known.

    It matters if parts are of several partitions: of a unit in parts of two no ledger speaks.
    """
    claim, found = opinion.claim, None
    if opinion.verdict not in _OPEN or not isinstance(claim, TotalClaim):
        return None
    for case in structure.by_partition(facts.ledger, claim):
        of_one = structure.case_facts(facts.ledger, claim, case)
        try:
            refutation = refute(of_one, claim) if of_one.attainable else None
        except UndecidedError:
            continue
        if refutation is not None and (found is None or refutation.witness.actual):
            read = "".join(f" or {name} {part}" for name, part in case.parts.items())
            words = f"{refutation.witness.words}; of the events that read all records{read}, to which others only add"
            lost = replace(refutation, witness=replace(refutation.witness, words=words))
            found = exceeded(partial(_decided, opinion), lost)
            if refutation.witness.actual:
                break
    return found


def _decided(opinion: Opinion, verdict: Verdict, reason: str, **more: Any) -> Opinion:
    return replace(opinion, **{"verdict": verdict, "reason": reason, "deciding": None, "hints": None, **more})


def _gravity(opinion: Opinion) -> tuple[int, Fraction]:
    """The gravest verdict first, and of equal ones the largest bound."""
    bound = opinion.deciding.enclosure if opinion.deciding is not None else None
    return _GRAVEST.index(opinion.verdict), Fraction(0) if bound is None else -bound.upper


def compare(ledger: Ledger, delta: object) -> tuple[tuple[Bound, ...], tuple[Application, ...], tuple[str, ...]]:
    """All bounds on epsilon at delta, the tightest first; the theorems that do not apply; those left undecided.

    Where events read disjoint parts, a theorem's bound is the largest over the combinations of parts. Every bound is at
    least 0, also where its statement's formula is negative. InputError for a delta that is not exact or not in [0, 1];
    HypothesisError where the ledger's evidence contradicts what the ledger proves.
    """
    require_ledger(ledger)
    delta = probability(delta, "delta")
    with metered():
        compared, premises = _compared(ledger, delta)
        premises += uncontradicted(ledger)
    undecided = tuple(dict.fromkeys(text for _, (_, _, texts) in compared for text in texts))
    open_names = {text.partition(":")[0] for text in undecided}
    inapplicable = {each.by: each for _, (_, found, _) in reversed(compared) for each in found}
    by: dict[str, list[tuple[PartsCase, Bound]]] = {}
    for case, (bounds, _, _) in compared:
        for item in bounds:
            by.setdefault(item.application.by, []).append((case, item))
    named = [name for name in by if name not in inapplicable and name not in open_names]
    worst = [_under(premises, _worst(by[name])[1]) for name in named]
    return tightest_first(worst), tuple(inapplicable.values()), undecided


def best_bound(ledger: Ledger, delta: object) -> tuple[Bound | None, tuple[Ledger, ...]]:
    """The bound on epsilon at delta that an audit would have, and the plain ledgers whose largest it is.

    Each combination of parts may have a theorem of its own; None where one has no finite bound.
    """
    require_ledger(ledger)
    delta = probability(delta, "delta")
    with metered():
        compared, premises = _compared(ledger, delta, best=True)
    tightest = [
        (case, next((item for item in bounds if item.enclosure is not None), None)) for case, (bounds, _, _) in compared
    ]
    plain = tuple(case.ledger for case, _ in tightest)
    finite = [(case, item) for case, item in tightest if item is not None]
    if len(finite) < len(tightest):
        return None, plain
    return _under(premises, _worst(finite)[1]), plain


def weighed_bound(ledger: Ledger, delta: object) -> tuple[Bound | None, tuple[Ledger, ...]]:
    """The same where evidence leaves alone what the ledger proves; HypothesisError where it contradicts that."""
    require_ledger(ledger)
    premises = uncontradicted(ledger)
    found, plain = best_bound(ledger, delta)
    return (None if found is None else _under(premises, found)), plain


_Compared = tuple[tuple[Bound, ...], tuple[Application, ...], tuple[str, ...]]


def _compared(
    ledger: Ledger, delta: Fraction, *, best: bool = False
) -> tuple[list[tuple[PartsCase, _Compared]], tuple[Finding, ...]]:
    """Every theorem applied to each combination of parts; and what the structure rests on."""
    everything = ApproxDPClaim("all", Fraction(0), delta)
    found: tuple[PartsCase, ...] | structure.Unstructured = (PartsCase({}, 1, ledger),)
    if not structure.is_plain(ledger, everything):
        found = structure.cases(ledger, everything)
    if isinstance(found, structure.Unstructured):
        raise OutOfScopeError(f"events of this ledger read parts of the data, and {found.reason}")
    compared = []
    for case in found:
        facts = Facts.of(case.ledger)
        if facts.samples.unaccounted:
            raise OutOfScopeError(f"the ledger has an event that cannot be accounted: {facts.samples.unaccounted[0]}")
        compared.append((case, all_bounds(facts, epsilon_routes(facts), delta, lambda step: None, best=best)))
    return compared, (*structure.premises(ledger, everything), *_of_what_ran(Facts.of(ledger)))


def _worst(found: list[tuple[PartsCase, Bound]]) -> tuple[PartsCase, Bound]:
    """The largest of bounds that all have to hold: above each lower end, and below the largest upper end."""
    case, item = max(found, key=lambda pair: _upper(pair[1]))
    if item.enclosure is None or (len(found) == 1 and case.alike == 1):
        return case, item
    lower = max(other.enclosure.lower for _, other in found if other.enclosure is not None)
    value = item.value if lower == item.enclosure.lower else None
    here = ", ".join(f"{name} {part}" for name, part in case.parts.items())
    note = f"worst of {sum(each.alike for each, _ in found)} combinations of parts, {here}"
    note = f"{item.note}; {note}" if item.note else note
    return case, replace(item, enclosure=Enclosure(lower, item.enclosure.upper), value=value, note=note)


def _upper(item: Bound) -> tuple[bool, Fraction, Fraction]:
    found = item.enclosure
    return (True, Fraction(0), Fraction(0)) if found is None else (False, found.upper, found.lower)


def _under(premises: tuple[Finding, ...], item: Bound) -> Bound:
    findings = (*item.application.findings, *premises)
    return replace(item, application=replace(item.application, findings=findings)) if premises else item


def weighing(ledger: Ledger) -> Weighing | None:
    """The evidence of a ledger, to be weighed against what an audit proves; None where there is none."""
    if not ledger.evidence:
        return None
    # Imported late: few ledgers have evidence.
    from .evidence import Weighing

    return Weighing(
        ledger,
        lambda delta: best_bound(ledger, delta)[0],
        lambda claim: audit_claim(Facts.of(ledger), claim).verdict == "confirmed",
        tuple(found for each in ledger.attacked if (found := weighing(each)) is not None),
    )


def uncontradicted(ledger: Ledger) -> tuple[Finding, ...]:
    """What was weighed of a ledger's evidence; HypothesisError where it contradicts what the ledger proves."""
    evidence = weighing(ledger)
    if evidence is None:
        return ()
    with metered():
        evidence.require_uncontradicted()
        return (evidence.premise(),)


def audit(
    ledger: Ledger,
    claims: Iterable[Claim],
    *,
    progress: Callable[[str, str], None] = lambda claim, step: None,
    best: bool = True,
) -> Audit:
    """Audit claims against a ledger: one opinion per claim, in order; at both ends of what was published rounded.

    Without ``best`` the verdicts are the same, and come sooner: the first theorem or worst case that decides is enough,
    and only what it takes is among the bounds.
    """
    require_ledger(ledger)
    given = require_claims(claims)
    facts = Facts.of(ledger)
    opinions = []
    evidence = weighing(ledger)
    with metered():
        for claim in given:

            def report(step: str, id: str = claim.id) -> None:
                progress(id, step)

            def exact(read: Facts, about: Claim, report: Callable[[str], None] = report) -> Opinion:
                return audit_claim(read, about, report, best=best)

            # Imported late: few ledgers have rounded numbers.
            if ledger.rounded:
                from .both_ends import audit_both_ends

                found = audit_both_ends(ledger, claim, exact)
            else:
                found = exact(facts, claim)
            opinions.append(found if evidence is None else evidence.opinion(found))
    return Audit(ledger, tuple(opinions))
