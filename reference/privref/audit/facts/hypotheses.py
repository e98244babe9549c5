"""Which hypotheses of theorems a ledger meets, and by which declaration or computation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from privref.exact.columns import MOST_MERGED
from privref.exact.numbers import spell
from privref.exact.rounding import about
from privref.guarantees.conversions import ORDERS, renyi_cost
from privref.guarantees.model import ZCDP, GaussianDP, Guarantee, OutputDP, RenyiDP, as_approx_dp, as_zcdp
from privref.ledger.model import Budget, Ledger
from privref.profiles.declared import MATRIX, MIXTURE, NOISY_MAX, Mechanism, Truncation, worst_case
from privref.profiles.model import Drawn
from privref.profiles.sampled import (
    CLAIMED,
    NOT_ADD_OR_REMOVE,
    NOT_BY_ROUND,
    NOT_POISSON,
    SAMPLED_NEIGHBOURS,
    TRUNCATED,
    ZEROED_AND_CUT,
    gaussian_of,
)
from privref.statements.hypotheses import BUDGET_HYPOTHESES, Hypothesis
from privref.statements.theorems import LIFTS, THEOREMS, called, named

from .record import Facts, Finding, renyi_orders

#: What each of several ledgers declares of itself says nothing of them together.
_NOT_TOGETHER = "it is not declared of the {} ledgers together that they had {} (--together {})"


def together(ledger: Ledger) -> tuple[Finding, ...]:
    """Return what is declared of several ledgers' joint interaction, which none of them can show."""
    found = []
    if ledger.together:
        how = f"the events are all those of the ledgers {', '.join(each.digest[:12] for each in ledger.together)}"
        found.append(Finding(Hypothesis.FIXED_PARAMETERS, True, how, premise=True))
    if ledger.together and ledger.parameters == "fixed-in-advance":
        how = (
            f"it is declared of the {len(ledger.together)} ledgers together that the privacy parameters of all their "
            "events, and which events there are, were fixed before the first answer in any of them"
        )
        found.append(Finding(Hypothesis.FIXED_PARAMETERS, True, how, premise=True))
    if ledger.together and ledger.interaction == "sequential":
        how = (
            f"it is declared of the {len(ledger.together)} ledgers together that their events ran one after another, "
            "none of one ledger while one of another ran"
        )
        found.append(Finding(Hypothesis.SEQUENTIAL, True, how, premise=True))
    return tuple(found)


def _fixed(facts: Facts) -> tuple[bool, str]:
    declared = facts.ledger.parameters
    if facts.ledger.together and declared != "fixed-in-advance":
        return False, _NOT_TOGETHER.format(
            len(facts.ledger.together), "parameters fixed in advance", "fixed-in-advance"
        )
    if declared is None:
        return False, "the ledger does not declare whether parameters were fixed in advance"
    if facts.declarations.refused:
        return False, f"{facts.declarations.refused} event(s) were refused, so what ran may depend on the answers"
    if facts.declarations.charged_by_answers:
        return (
            False,
            "the declared budget may have been charged by observed cells, so what ran may depend on the answers",
        )
    return facts.declarations.fixed, f"the ledger declares parameters {declared}"


def _known_laws(facts: Facts) -> tuple[bool, str]:
    if not facts.mechanisms.declares_laws:
        return False, "no event declares its mechanism with parameters"
    if facts.mechanisms.laws is None:
        without = sorted(
            {
                event.guarantee.kind
                for event in facts.ledger.ran
                if (event.law is None or event.law.upper is None) and worst_case(event.guarantee) is None
            }
        )
        return False, f"events of kind {', '.join(without)} declare no mechanism with a law"
    words = sorted({mechanism.kind for mechanism, _ in facts.mechanisms.laws})
    return True, f"every event has a pair of laws: {', '.join(words)}"


def _sampled(facts: Facts) -> tuple[bool, str]:
    if facts.samples.draws is None:
        return False, "not every event declares a subsampled mechanism"
    bases = {gaussian_of(sample.base.upper or ()) for sample, _ in facts.samples.draws}
    if None in bases:
        kinds = sorted({sample.base.kind for sample, _ in facts.samples.draws})
        return (
            False,
            f"the mechanisms on the samples are {', '.join(kinds)}, of which not every one is a Gaussian query",
        )
    if len(bases) > 1 or len({sample.rate for sample, _ in facts.samples.draws}) > 1:
        return False, "the rounds differ in rate or noise, and only equal ones are composed"
    return True, "all rounds are one Gaussian mechanism on samples of one rate"


def _declared(facts: Facts) -> str:
    """Return which neighbours the ledger declares."""
    declared = facts.ledger.neighbours
    return f"the ledger declares neighbours {declared}" if declared else "the ledger does not declare its neighbours"


def drawn(neighbours: str | None, *, at_least: bool = False) -> str:
    """What an upper bound for Poisson samples rests on, and no ledger can show; or what a lower bound does."""
    zeroed = (
        " (the one that is zeroed out too, and it changes no count, divisor or order)"
        if neighbours == "zero-out"
        else ""
    )
    rests = (
        "samples that were drawn otherwise may lose less"
        if at_least
        else "batches of a shuffle, which most training loops use, can lose more"
    )
    return (
        f"the ledger declares sampling poisson and {neighbours} neighbours: every record was drawn on its own, anew in "
        f"every round{zeroed}; {rests}"
    )


#: What all other records of a data set do where a sample of a fixed size loses what one of Poisson's does.
EQUAL = {"zero-out": "contribute nothing", "replace-one": "equal the one that is put in"}


def exchanged(laws: Iterable[Mechanism], neighbours: str | None, *, at_least: bool = False) -> str:
    """What upper bounds for samples that hold one record or another in its place rest on, or a lower bound; or ""."""
    laws = tuple(laws)
    samples = [law.sample for law in laws if law.is_exchanged and law.sample is not None]
    kinds = {sample.sampling for sample in samples if sample.of_unit == 1 or neighbours == "replace-one"}
    found = []
    if any(sample.of_unit > 1 for sample in samples):
        found.append(
            "a unit has exactly as many records as declared (`records_per_unit`); each one was drawn on its own, anew "
            "in every round (sampling poisson), and contributes the whole declared amount, in one direction"
            if at_least
            else "a unit has no more records than declared; each one, also of a group, was drawn on its own, anew in "
            "every round (sampling poisson), and none contributes more than declared"
        )
    if "poisson" in kinds:
        found.append(
            "every record was drawn on its own, anew in every round (sampling poisson), the one that is replaced as "
            "the one in its place, and "
            + (
                "what both contribute is opposite, each exactly half of what a replaced one changes (clipped)"
                if at_least
                else "no record contributes more than half of what a replaced one changes (clipped)"
            )
        )
    if "with-replacement" in kinds:
        found.append(
            "each batch is drawn record by record, each any of all records, as many as declared (`records`), whatever "
            "was drawn before, and anew in every round (sampling with-replacement)"
        )
    if "fixed-size" in kinds:
        found.append(
            "each batch is drawn from all batches of its size, without replacement and anew in every round (sampling "
            "fixed-size); batches of a shuffle can lose more"
        )
        if at_least and neighbours in EQUAL:
            found.append(f"all other records may {EQUAL[neighbours]}")
        elif any(isinstance(item.pair, Drawn) for law in laws for item in law.upper or ()):
            found.append("which records a batch holds depends on coins and on earlier answers only, each at most once")
    if {"fixed-size", "with-replacement"} & kinds and neighbours == "zero-out":
        found.append("the one that is zeroed out is drawn like any other, and it changes no count, divisor or order")
    return "; ".join(found)


def correlated(laws: Iterable[Mechanism], *, at_least: bool = False) -> str:
    """What upper bounds for noise that is correlated over rounds rest on, or a lower bound; "" where there is none."""
    runs = [(law if law.sample is None else law.sample.base, law.sample is not None) for law in laws]
    spacings = {str(dict(law.said).get("spacing", "at-least")) for law, _ in runs if law.kind == MATRIX}
    if not spacings:
        return ""
    of_samples = any(law.kind == MATRIX and on_sample for law, on_sample in runs)
    if at_least:
        may = " (or may be drawn there, on samples)" if of_samples else ""
        return (
            f"a privacy unit is in the first rounds{may}, as many and as close as declared (`participations`, "
            "`separation`), and changes each of their sums by the whole `sensitivity` in one direction"
        )
    apart = " or ".join(sorted(spacings)).replace("-", " ")
    return (
        f"a privacy unit changes the sums of its own rounds only: at most as many as `participations`, and {apart} "
        "`separation` rounds apart (of a shuffle, only if each epoch has the same order)"
        + ("; on samples these are the rounds where it may be drawn, which no other unit's data change" * of_samples)
    )


def mixed(laws: Iterable[Mechanism], *, at_least: bool = False) -> str:
    """What bounds for mixtures of Gaussians rest on, or a lower bound; "" where there is none."""
    if all(law.kind != MIXTURE for law in laws):
        return ""
    far = "by the whole of the drawn shift, in one direction" if at_least else "by no more than the drawn shift"
    return (
        f"the record moves the sum on one of two neighbours alone, {far}, which is each of the `shifts` with its "
        "weight, drawn anew in every round, on its own, and not released"
    )


def scored(laws: Iterable[Mechanism]) -> str:
    """What bounds for a noisy maximum rest on; "" where there is none."""
    found = [dict(law.said) for law in laws if law.kind == NOISY_MAX]
    if not found:
        return ""
    one_way = any(said.get("monotone") is True for said in found)
    together = " (all in one direction where the ledger declares `monotone`)" if one_way else ""
    return (
        "both data sets have the same candidates, no neighbour changes a score by more than `sensitivity`"
        f"{together}, every score got noise of its own, and only the best candidate was released, not its score"
    )


def shuffled(neighbours: str | None) -> str:
    """What a lower bound for an epoch of shuffled batches rests on."""
    return (
        f"the ledger declares sampling shuffled and {neighbours} neighbours: each epoch takes its batches from a "
        "random order of all records, and the other records may be any that the clipping allows; an event begins with "
        "an epoch"
    )


def in_bins(neighbours: str | None, laws: Iterable[Mechanism], *, at_least: bool = False) -> str:
    """What an upper bound for records in bins rests on, or what a lower bound does."""
    often = [law.sample.chosen for law in laws if law.sample is not None and law.sample.sampling == "balls-in-bins"]
    into = "one" if max(often) == 1 else " or ".join(map(str, sorted(set(often))))
    there = "that bin's steps" if max(often) == 1 else "the steps of these"
    zeroed = (
        " (the one that is zeroed out falls like any other, and it changes no count, divisor or order)"
        if neighbours == "zero-out"
        else ""
    )
    alike = ", with the same contribution in every epoch" if at_least else ""
    return (
        f"the ledger declares sampling balls-in-bins and {neighbours} neighbours: every record fell into {into} of the "
        f"bins on its own and uniformly, whatever the others did{zeroed}, and took part in {there} "
        f"only{alike}; batches of one size from a shuffle are not drawn so, and can lose more"
    )


def _in_bins(facts: Facts) -> tuple[bool, str]:
    if facts.ledger.neighbours not in SAMPLED_NEIGHBOURS:
        return False, f"{_declared(facts)}: {NOT_ADD_OR_REMOVE}"
    if facts.samples.allocation is None:
        return False, "what ran is not one run on bins that were drawn once, and nothing else"
    return True, in_bins(facts.ledger.neighbours, facts.mechanisms.declared)


def _poisson(facts: Facts) -> tuple[bool, str]:
    declared = sorted({sample.sampling for sample, _ in facts.samples.draws or ()})
    for sampling in declared:
        if sampling != "poisson":
            claimed = CLAIMED[sampling]
            said = "" if claimed is None else f" ({claimed.value})"
            return False, f"the ledger declares sampling {sampling}{said}: {NOT_POISSON[sampling]}"
    if facts.ledger.neighbours not in SAMPLED_NEIGHBOURS:
        return False, f"{_declared(facts)}: {NOT_ADD_OR_REMOVE}"
    if any(cap.occurs for cap in facts.samples.caps):
        return False, TRUNCATED
    if not declared:
        return False, "no event declares how its records were sampled"
    return True, drawn(facts.ledger.neighbours)


def cut(caps: Iterable[Truncation], beside: int = 0) -> str:
    """What a verdict on samples with caps rests on; ``beside`` are the other units of the claim's group."""
    group = f", of which {beside} may be of the claim's group" if beside else ""
    said = "; ".join(
        f"a batch of more than {cap.cap} records is cut to {cap.cap}, and no data set has more than {cap.records} "
        f"besides the one that differs{group}"
        for cap in caps
    )
    return (
        f"the ledger declares that {said}: which records are dropped depends on the records drawn, on coins and on "
        "earlier answers only, and no sum is divided by how many were drawn"
    )


def _truncated(facts: Facts) -> tuple[bool, str]:
    if not any(cap.occurs for cap in facts.samples.caps):
        return False, "no event declares a cap (`batch_cap`) that its Poisson samples may be above"
    if facts.ledger.neighbours != "add-or-remove-one":
        why = ZEROED_AND_CUT if facts.ledger.neighbours == "zero-out" else NOT_ADD_OR_REMOVE
        return False, f"{_declared(facts)}: {why}"
    if facts.samples.truncated is None:
        first = f": {facts.guarantees.unknown[0]}" if facts.guarantees.unknown else ""
        return False, f"an event has neither a known law nor a guarantee that is one pair of laws{first}"
    return True, cut(facts.samples.caps, facts.structure.beside)


def _cut_by_order(facts: Facts) -> tuple[bool, str]:
    neighbours, is_cut = facts.ledger.neighbours, any(cap.occurs for cap in facts.samples.caps)
    found = [law for law in facts.mechanisms.declared if law.may_be_cut or law.may_reveal(neighbours)]
    revealed = any(law.may_reveal(neighbours) for law in found)
    drawn = {law.sample.sampling for law in found if law.sample is not None}
    if not is_cut and not revealed:
        return False, "no event declares a cap (`batch_cap`) that its Poisson samples may be above"
    if facts.ledger.neighbours is None:
        return False, f"{_declared(facts)}: {NOT_ADD_OR_REMOVE}"
    if facts.samples.capped is None:
        return False, "an event has neither a known law, nor a pair on cut samples, nor a guarantee of one pair"
    more = ""
    if facts.ledger.neighbours == "zero-out":
        more = (
            "; what contributes nothing is drawn like any other, and takes a place like any other, and it changes no "
            "count, divisor or order"
        )
    elif facts.ledger.neighbours == "replace-one" and "poisson" in drawn:
        more = (
            "; every record was drawn on its own, anew in every round (sampling poisson), and one in another's place "
            "is drawn, and takes a place, as that one does"
        )
        if any(law.may_be_cut and law.sample is not None and law.sample.clipped for law in found):
            more += "; no record contributes more than half of what a replaced one changes (clipped)"
    if revealed:
        more += "; which records a batch holds depends on coins and on earlier answers only, each at most once"
    if not is_cut:
        return True, f"it may be revealed which records a batch holds{more}"
    return True, (
        f"{cut(facts.samples.caps, facts.structure.beside)}; a cut batch keeps its records by an order of all records, "
        f"which is random or fixed{more}"
    )


def _equal(facts: Facts) -> tuple[bool, str]:
    found = facts.guarantees.different
    many = f"more than {MOST_MERGED}" if found > MOST_MERGED and facts.guarantees.columns is not None else str(found)
    return found <= 1, f"{many} different guarantee(s) among {facts.ledger.rounds} round(s)"


def _pure(facts: Facts) -> tuple[bool, str]:
    if not facts.guarantees.has_approx:
        return False, _lacking(facts, as_approx_dp)
    return facts.guarantees.approx_delta == 0, f"the deltas of the events sum to {about(facts.guarantees.approx_delta)}"


def _lacking(facts: Facts, view: Callable[[Guarantee], object]) -> str:
    if facts.guarantees.columns is not None:
        return f"events of kind {facts.guarantees.columns.kind} have no such guarantee"
    kinds = sorted({guarantee.kind for guarantee, _ in facts.guarantees.distinct if view(guarantee) is None})
    return f"events of kind {', '.join(kinds)} have no such guarantee"


def _approx(facts: Facts) -> tuple[bool, str]:
    if not facts.guarantees.has_approx:
        return False, _lacking(facts, as_approx_dp)
    return True, "every event has an (epsilon, delta)-DP guarantee"


def _zcdp(facts: Facts) -> tuple[bool, str]:
    if not facts.guarantees.has_zcdp:
        return False, _lacking(facts, as_zcdp)
    return True, "every event has a zCDP guarantee, declared or implied by its epsilon (whitehouse2023/lem1)"


def _gaussian(facts: Facts) -> tuple[bool, str]:
    met = facts.mechanisms.mus is not None
    return met, "every event is declared Gaussian DP" if met else "not every event is declared Gaussian DP"


def _dominated(facts: Facts) -> tuple[bool, str]:
    rest = facts.guarantees.columns is None and all(
        isinstance(guarantee, GaussianDP) or as_approx_dp(guarantee) for guarantee, _ in facts.guarantees.distinct
    )
    if facts.guarantees.has_approx or rest:
        return True, "every event has an (epsilon, delta)-DP or a Gaussian DP guarantee"
    return False, _lacking(facts, lambda guarantee: isinstance(guarantee, GaussianDP) or as_approx_dp(guarantee))


def _gaussian_bases(facts: Facts) -> tuple[bool, str]:
    if facts.mechanisms.mus is not None or facts.mechanisms.mus_of_all is None:
        return _gaussian(facts)
    how = "every event is declared Gaussian DP, or Gaussian noise on samples, which over all epsilon has the mu of none"
    return True, how


def _bounded_range(facts: Facts) -> tuple[bool, str]:
    met = facts.guarantees.bounded_range is not None
    return met, "every event is declared of bounded range" if met else "not every event is declared of bounded range"


def _queries(facts: Facts) -> tuple[bool, str]:
    said = facts.ledger.queries
    if said is None:
        return False, "the ledger does not declare whether mechanisms were chosen from earlier answers (`queries`)"
    if facts.structure.of_periods:
        return False, "the mechanisms of a later period may be chosen from the answers of an earlier one"
    return facts.declarations.fixed and said == "fixed-in-advance", f"the ledger declares queries {said}"


def _renyi(facts: Facts) -> tuple[bool, str]:
    orders = ", ".join(str(order) for order, _ in facts.guarantees.renyi)
    return bool(
        orders
    ), f"every event has Renyi DP of the order(s) {orders}" if orders else "no declared order is common"


_CELLS_WITHOUT_BUDGET = (
    "the ledger declares no budget enforced by {}, and parameters fixed in advance: what ran did not depend on "
    "the observed cells, so that each event costs its largest cell"
)


def of_filter(budget: Budget, stopped_otherwise: str = "") -> str:
    """Return what a filter theorem rests on and no ledger can show.

    ``stopped_otherwise`` names an event that did not run although the filter lets it run. So something else decided
    too. That does no harm if it only stops more, by earlier answers: so may the analyst, who chooses the events.
    """
    article = "a" if budget.epsilon is None and budget.rho is None else "the"
    alone = "" if stopped_otherwise else ", and no other rule,"
    rule = f"{called(budget.filter)} with {article} budget {budget}{alone} decided from before the first event"
    which = "which events ran"
    if stopped_otherwise:
        which = (
            f"which events may run; {stopped_otherwise} did not run although this filter lets it run, so something "
            "else decided too, and knew no more of the data than the earlier answers"
        )
    return f"premise: {rule} {which} (no ledger can show this)"


_CONCURRENT = (
    "for (epsilon, delta)-DP, Gaussian DP, and Renyi DP and zCDP with delta = 0 concurrent composition costs the same"
)


def _sequential(facts: Facts) -> tuple[bool, str]:
    if facts.ledger.interaction == "sequential":
        return True, "the ledger declares a sequential interaction"
    if facts.ledger.together:
        return False, _NOT_TOGETHER.format(len(facts.ledger.together), "a sequential interaction", "sequential")
    return False, "the ledger does not declare a sequential interaction"


def _concurrent_dp(facts: Facts) -> tuple[bool, str]:
    sequential, how = _sequential(facts)
    return True, how if sequential else _CONCURRENT


def _concurrent_moments(facts: Facts) -> tuple[bool, str]:
    """Moments of one order are lifted, and (epsilon, delta)-DP is post-processing; approximate zCDP has no such proof.

    proofs/derivations/concurrent.py; Haney et al. 2023 for filters of one fixed order.
    """
    sequential, how = _sequential(facts)
    if sequential or facts.guarantees.unknown:
        return sequential, how
    if facts.guarantees.columns is not None:
        approximate = facts.guarantees.columns.kind == "zcdp" and facts.guarantees.zcdp_delta > 0
    else:
        approximate = any(isinstance(event, (ZCDP, RenyiDP)) and event.delta for event, _ in facts.guarantees.distinct)
    if approximate:
        return False, f"{how}, and an event is delta-approximately zCDP or Renyi DP with delta > 0"
    return True, _CONCURRENT


_OBSERVED = "every event has an output DP guarantee and its observed cell"


def _output_dp(facts: Facts) -> tuple[bool, str]:
    if not facts.guarantees.has_approx:
        return False, _lacking(facts, as_approx_dp)
    if facts.guarantees.columns is not None:
        return True, _OBSERVED
    unseen = sum(
        event.count
        for event in facts.ledger.ran
        if isinstance(event.guarantee, OutputDP) and event.observed_cell is None and len(event.guarantee.cells) > 1
    )
    return True, _OBSERVED if not unseen else (
        f"every event has an output DP guarantee; {unseen} without an observed cell are charged their largest cost"
    )


#: The theorem for rounds that pay for the cell of their answer at a Renyi order.
(_EX_POST,) = (each for each in THEOREMS if Hypothesis.EX_POST_BUDGET in each.hypotheses)


def _ex_post(facts: Facts) -> tuple[bool, str]:
    order = facts.ledger.tuning.get(_EX_POST.id, {}).get("order")
    if facts.guarantees.columns is None and order is not None and order > 1:
        for guarantee, _ in facts.guarantees.distinct:
            if as_approx_dp(guarantee) is None and renyi_cost(guarantee, order) is None:
                return False, f"an event of kind {guarantee.kind} promises nothing at the declared order {spell(order)}"
    return True, "every event is (epsilon, delta)-DP, zCDP or Renyi DP"


def answers_of_absent(neighbours: str | None, *, at_least: bool = False) -> str:
    """How an absent unit is answered for, on which the pair rests; or on which a lower bound does.

    Another rule for an absent unit's answer loses less.
    """
    rests = (
        "an absent unit's answer is drawn as that of a unit with another value; were it a fair coin, for example, less "
        "would be lost"
        if at_least
        else "the pair holds where an answer is given for every unit, and that of an absent one is drawn as that of a "
        "unit with some value, and not where absence shows, as no answer or as one without noise"
    )
    return f"the ledger declares randomized response under {neighbours or 'undeclared'} neighbours: {rests}"


_CHECKS: dict[Hypothesis, Callable[[Facts], tuple[bool, str]]] = {
    Hypothesis.FIXED_PARAMETERS: _fixed,
    Hypothesis.EQUAL_PARAMETERS: _equal,
    Hypothesis.KNOWN_LAWS: _known_laws,
    Hypothesis.SAMPLED_ROUNDS: _sampled,
    Hypothesis.POISSON_SAMPLING: _poisson,
    Hypothesis.TRUNCATED_SAMPLES: _truncated,
    Hypothesis.CUT_BY_ORDER: _cut_by_order,
    Hypothesis.BALLS_IN_BINS: _in_bins,
    Hypothesis.PURE_ROUNDS: _pure,
    Hypothesis.APPROX_DP_ROUNDS: _approx,
    Hypothesis.ZCDP_ROUNDS: _zcdp,
    Hypothesis.GAUSSIAN_ROUNDS: _gaussian,
    Hypothesis.DOMINATED_ROUNDS: _dominated,
    Hypothesis.GAUSSIAN_BASES: _gaussian_bases,
    Hypothesis.BOUNDED_RANGE_ROUNDS: _bounded_range,
    Hypothesis.QUERIES_IN_ADVANCE: _queries,
    Hypothesis.RDP_ROUNDS: _renyi,
    Hypothesis.OUTPUT_DP_ROUNDS: _output_dp,
    Hypothesis.EX_POST_ROUNDS: _ex_post,
    Hypothesis.SEQUENTIAL: _sequential,
    Hypothesis.CONCURRENT_DP: _concurrent_dp,
    Hypothesis.CONCURRENT_RDP: _concurrent_moments,
    Hypothesis.CONCURRENT_ZCDP: _concurrent_moments,
}


def check(facts: Facts, hypothesis: Hypothesis, by: str) -> Finding:
    """Whether the ledger meets the hypothesis for this theorem, and by which declaration or computation."""
    if hypothesis in BUDGET_HYPOTHESES:
        return _enforced(facts, hypothesis, by)
    if hypothesis is Hypothesis.TUNING_IN_ADVANCE:
        return _tuned(facts, by)
    if hypothesis is Hypothesis.RDP_ROUNDS and renyi_orders(by):
        return _at_filters_orders(facts, by)
    met, how = _CHECKS[hypothesis](facts)
    lifted = LIFTS.get(hypothesis, "") if met and facts.ledger.interaction != "sequential" else ""
    # No ledger can show by which rule a batch is cut.
    rests = met and hypothesis is Hypothesis.CUT_BY_ORDER
    return Finding(hypothesis, met, f"{how} ({lifted})" if lifted else how, premise=rests, lifted_by=lifted)


def _enforced(facts: Facts, hypothesis: Hypothesis, by: str) -> Finding:
    """Whether the theorem is the filter that was in force.

    A filter is valid when it alone decided what ran. One that is chosen after the run, by what happened to run,
    belongs to a union of filters, and a union of filters is not a filter.
    """
    budget = facts.declarations.budget
    if facts.declarations.fixed and hypothesis is Hypothesis.BUDGET_IN_ADVANCE:
        return Finding(hypothesis, True, "parameters fixed in advance: the sum is a budget that was never exceeded")
    if facts.ledger.shares:
        return Finding(hypothesis, False, NOT_BY_ROUND)
    if facts.declarations.fixed and (budget is None or budget.filter is None):
        enforcing = "Algorithm 1" if hypothesis is Hypothesis.OUTPUT_BUDGET else "the ex-post filter"
        return Finding(hypothesis, False, _CELLS_WITHOUT_BUDGET.format(enforcing))
    if budget is None or budget.filter is None:
        return Finding(hypothesis, False, "the ledger names no filter that was enforced")
    theorem = named(by)
    if budget.filter != by and (theorem is None or budget.filter != theorem.converts):
        how = (
            f"the ledger's budget names {called(budget.filter)} as the filter that was enforced; a theorem chosen "
            "after the run would make it a union of filters, which is not a filter"
        )
        return Finding(hypothesis, False, how)
    return Finding(hypothesis, True, of_filter(budget), premise=True)


def _at_filters_orders(facts: Facts, by: str) -> Finding:
    """Whether every event promises something at the filter's order, or at one of its orders."""
    orders = facts.declarations.filter_orders(by)
    if not orders:
        return Finding(Hypothesis.RDP_ROUNDS, False, "the ledger does not declare the filter's order (`tuning`)")
    kept = [order for order in orders if facts.guarantees.at_order(order) is not None]
    named = ", ".join(spell(order) for order in kept or orders)
    if not kept:
        return Finding(Hypothesis.RDP_ROUNDS, False, f"an event promises nothing at the order(s) {named}")
    return Finding(Hypothesis.RDP_ROUNDS, True, f"every event promises something at the order(s) {named}")


def _tuned(facts: Facts, by: str) -> Finding:
    """Whether the ledger declares the order that the filter was tuned to; that it was in advance is a premise."""
    if renyi_orders(by) == "grid":
        orders = ", ".join(spell(order) for order in ORDERS)
        how = f"the filter's orders were {orders}, fixed before the first event (no ledger can show this)"
        return Finding(Hypothesis.TUNING_IN_ADVANCE, True, how, premise=True)
    order = facts.ledger.tuning.get(by, {}).get("order")
    if order is None or order <= 1:
        said = "the ledger does not declare it" if order is None else f"the ledger declares {spell(order)}"
        return Finding(Hypothesis.TUNING_IN_ADVANCE, False, f"a Renyi order above 1, and {said} (`tuning`)")
    return Finding(
        Hypothesis.TUNING_IN_ADVANCE,
        True,
        f"the order {spell(order)} was fixed before the first event (no ledger can show this)",
        premise=True,
    )
