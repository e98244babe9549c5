"""The inputs that each theorem takes, derived from the raw events and compared with the certificate's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

from privref.audit.checker.basis import Mismatch, counted_values, total
from privref.audit.checker.guarantees import (
    cap_of,
    cell_costs,
    cut_or_pair_of,
    mu_of,
    pair_of,
    parameters_of,
    renyi_cost,
    sampled_query,
    square_of_irrational_mu,
)
from privref.audit.checker.record import RawBudget, RawEvents, RawRecord
from privref.audit.checker.theorems import CONVERSIONS, FILTERS, GRID_ORDERS, LIFTS, claimed_number, theorems_for
from privref.audit.checker.values import ends_of, exceeds, read_inputs
from privref.audit.checker.witnesses import used_rounds
from privref.exact import decide
from privref.exact.errors import UndecidedError
from privref.exact.numbers import rational
from privref.exact.work import apart
from privref.profiles.subsampled import within
from privref.statements.hypotheses import Hypothesis
from privref.statements.registry import Statement, solve, statement

_H = Hypothesis

_MOST_ORDERED = 100_000

#: What a check beside those that a verdict rests on may cost, in units of work.
_SIDE_WORK = 2_500_000

#: A noise multiplier that is no rational is rounded down to a multiple of this.
_ROOT_UNIT = Fraction(1, 2**120)


def _spends(events: RawEvents) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """For Algorithm 1, in order: largest costs, costs of the observed cells, and the sum of the deltas."""
    sups, spends, delta = [], [], Fraction(0)
    if sum(count for _, count in events) > _MOST_ORDERED:
        raise Mismatch(f"more than {_MOST_ORDERED} rounds are not re-derived in order")
    for guarantee, count in events:
        worst, part = parameters_of(guarantee, "dp")
        observed = worst
        if guarantee["kind"] == "output-dp" and guarantee.get("cell") is not None:
            costs = cell_costs(guarantee)
            if guarantee["cell"] not in costs:
                raise Mismatch(f"{guarantee['cell']!r} is not a cell of its event")
            observed = costs[guarantee["cell"]]
        sups += [worst] * count
        spends += [observed] * count
        delta += part * count
    return sups, spends, delta


def _ex_post_agrees(inputs: Mapping[str, Any], record: RawRecord, budget: RawBudget | None, delta: Fraction) -> bool:
    """For the ex-post filter, in order: what each entry is charged, at the declared order and split."""
    tuned = record.declared.get("tuning", {}).get("rswr2023/ex_post_filter", {})
    if "order" not in tuned:
        raise Mismatch("the ledger does not declare the order that the ex-post filter was tuned to")
    order = rational(tuned["order"], "ledger: tuning.order")
    charged: list[tuple[Fraction, Fraction, Fraction, Fraction, int]] = []
    spent = Fraction(0)
    for event, count in record.events:
        if event["kind"] == "output-dp":
            costs, part = cell_costs(event), rational(event.get("delta", "0"), "delta")
            worst, cell = max(costs.values()), event.get("cell")
            if cell is not None and cell not in costs:
                raise Mismatch(f"{cell!r} is not a cell of its event")
            if not part and len(set(costs.values())) > 1:
                charged.append((worst, worst if cell is None else costs[cell], Fraction(0), Fraction(0), count))
                continue
        if event["kind"] in ("zcdp", "gaussian-dp", "rdp"):
            cost, part = renyi_cost(event, order)
            charged.append((Fraction(0), Fraction(0), Fraction(0), cost, count))
        else:
            epsilon, part = parameters_of(event, "dp")
            charged.append((Fraction(0), Fraction(0), epsilon, Fraction(0), count))
        spent += count * part
    given = zip(inputs["sups"], inputs["spends"], inputs["eps"], inputs["cost"], inputs["counts"], strict=True)
    if budget is not None and budget.delta_prime is not None:
        prime = budget.delta_prime
    elif "delta_prime" in tuned:
        prime = rational(tuned["delta_prime"], "ledger: tuning.delta_prime")
    else:
        prime = delta - spent if budget is None else delta / 2
    declared = inputs["order"] == order and inputs["delta_prime"] == prime
    return declared and list(given) == charged and spent <= delta - prime


#: The filters that charge every event at a Renyi order.
_RENYI_FILTERS = ("feldman2021/renyi_filter", "lecuyer2021/renyi_grid_filter")


def _declared_order(by: str, record: RawRecord) -> Fraction:
    tuned = record.declared.get("tuning", {}).get(by, {})
    if "order" not in tuned:
        raise Mismatch(f"the ledger does not declare the order that {by} was tuned to")
    return rational(tuned["order"], "ledger: tuning.order")


def _at_filters_order(
    by: str, inputs: Mapping[str, Any], record: RawRecord, budget: RawBudget | None, delta: Fraction
) -> bool:
    """For a Renyi filter: an order of its own, what every event costs there, and that order's share of delta'."""
    orders = GRID_ORDERS if by == "lecuyer2021/renyi_grid_filter" else (_declared_order(by, record),)
    if inputs["order"] not in orders:
        raise Mismatch(f"{inputs['order']} is not an order of {by}")
    costs = [(renyi_cost(event, inputs["order"]), count) for event, count in record.events]
    spent = total([(part, count) for (_, part), count in costs])
    prime = _prime(by, record, budget, delta, delta - spent)
    given = inputs["eps_order"], inputs["delta"]
    wanted = total([(cost, count) for (cost, _), count in costs]), prime / len(orders)
    return given == wanted and spent <= delta - prime


def check_inputs(bound: Mapping[str, Any], claim: Mapping[str, Any], record: RawRecord, verdict: str) -> str:
    """Derive what the theorem needs from the raw events and compare it with the certificate's inputs."""
    found, inputs = read_inputs(bound)
    id, by = found.id, bound["by"]
    delta = rational(claim.get("delta", "0"), "certificate.claim.delta")
    wanted, hypotheses = theorems_for(claim).get(by, ("", ()))
    if wanted != id:
        raise Mismatch(f"{id} is not what {by} gives for this kind of claim")
    if _H.FIXED_PARAMETERS in hypotheses and not record.fixed:
        raise Mismatch(f"{by} needs parameters fixed in advance, which the ledger does not declare")
    lifts = [LIFTS[hypothesis] for hypothesis in hypotheses if hypothesis in LIFTS]
    lifted = lifts[0] if lifts and record.declared.get("interaction") != "sequential" else None
    if bound.get("lifted_by") != lifted:
        raise Mismatch(f"{by} holds of the declared interaction by {lifted or 'itself'}, not {bound.get('lifted_by')}")
    if id == "zdw2022/thm10.eps":
        return _check_pairs(inputs, claim, record, delta, verdict)
    if id == "zdw2022/poisson_gaussian.eps":
        return _check_sampled(inputs, claim, record, delta, verdict)
    if id == "chua2024b/truncated.eps":
        return _check_truncated(inputs, bound, claim, record, delta, verdict)
    if by.startswith("dong2020/"):
        return _check_ranges(by, inputs, record, delta)
    if by in ("mironov2017/mixed", "whitehouse2023/thm1.tight"):
        return _check_moments(by, hypotheses, inputs, record, delta)
    if id == "cks2020/rdp2dp.eps" and by == "cks2020/rdp2dp":
        return _check_renyi(found, inputs, record, delta, claim, verdict)
    budget = _in_force(by, hypotheses, claim, record, verdict)
    of_rho = budget is not None and budget.of_rho
    if budget is not None and not of_rho:
        # The filter that was in force had the budget's delta, not the claim's.
        delta = budget.delta
    zcdp = id in ("whitehouse2023/lem1.zcdp2dp.eps", "cks2020/zcdp2dp.eps", "whitehouse2023/thm1.rho")
    gaussian = id in ("gdp/composition.eps", "gdp/composition.mu")
    events = record.events
    pairs = (
        []
        if gaussian or by in ("rswr2023/ex_post_filter", *_RENYI_FILTERS)
        else [(parameters_of(event, "zcdp" if zcdp else "dp"), count) for event, count in events]
    )
    _check_interaction(by, hypotheses, record)
    values = [(value, count) for (value, _), count in pairs]
    spent = total([(part, count) for (_, part), count in pairs])
    rho = total(values) if zcdp else Fraction(0)
    if of_rho:
        assert budget is not None
        if rho > budget.size or spent > budget.delta:
            raise Mismatch("what ran exceeds the declared budget")
        if "epsilon" in claim:
            rho, spent = budget.size, budget.delta
    match id:
        case "rogers2016/thm2.9.eps":
            agree = dict(inputs["eps"]) == counted_values(values) and spent <= delta
        case "rogers2016/thm2.10.eps_g":
            agree = counted_values(values) == {inputs["eps"]: inputs["k"]} and inputs["delta_hat"] + spent == delta
        case "mv2016/optimal.eps":
            given = Counter(zip(inputs["eps"], inputs["delta"], strict=True))
            needed: Counter[tuple[Fraction, Fraction]] = Counter()
            for pair, count in pairs:
                needed[pair] += count
            agree = given == needed and inputs["delta_g"] == delta
        case "hartmann2022/alg1.least_eps":
            sups, spends, used = _spends(events)
            agree = list(inputs["sups"]) == sups and list(inputs["spends"]) == spends and used <= delta
        case "rogers2016/thm5.1.bound":
            # Its bound is about one budget: that of the ledger, to which it is compared below.
            enforced = claimed_number(claim) if budget is None else budget.size
            agree = dict(inputs["eps"]) == counted_values(values) and 2 * spent <= delta
            agree = agree and not record.fixed and (inputs["eps_g"], inputs["delta_g"]) == (enforced, delta)
        case "cks2020/rdp2dp.eps":
            agree = _at_filters_order(by, inputs, record, budget, delta)
        case "rswr2023/ex_post_filter.least_eps" if by == "feldman2021/response_filter":
            prime = _prime(by, record, budget, delta, delta - spent)
            rounds = counted_values(list(zip(inputs["eps"], inputs["counts"], strict=True)))
            agree = rounds == counted_values(values) and not any((*inputs["sups"], *inputs["cost"]))
            agree = agree and (inputs["order"], inputs["delta_prime"]) == (_declared_order(by, record), prime)
            agree = agree and spent <= delta - prime
        case "rswr2023/ex_post_filter.least_eps":
            agree = _ex_post_agrees(inputs, record, budget, delta)
        case "whitehouse2023/eq2.eps":
            agree = dict(inputs["eps"]) == counted_values(values) and inputs["delta_prime"] + spent == delta
        case "whitehouse2023/thm2.f":
            prime = _prime(by, record, budget, delta, delta - spent)
            agree = dict(inputs["eps"]) == counted_values(values) and inputs["delta_prime"] == prime
            agree = agree and spent <= delta - prime
        case "kov2015/optimal.eps":
            agree = counted_values(values) == {inputs["eps"]: inputs["k"]} and spent == 0 and inputs["delta_g"] == delta
        case "whitehouse2023/lem1.zcdp2dp.eps" | "cks2020/zcdp2dp.eps":
            largest = (delta - spent) / (1 - spent) if spent < 1 else Fraction(0)
            prime = largest if of_rho else _prime(by, record, budget, delta, largest)
            agree = inputs["rho"] == rho and inputs.get("delta_prime", inputs.get("delta")) == prime
            agree = agree and spent + (1 - spent) * prime <= delta
        case "whitehouse2023/thm1.rho":
            agree = total(list(inputs["rhos"])) == rho and spent <= delta
        case "gdp/composition.mu":
            if not record.fixed:
                raise Mismatch("a claim of mu needs parameters fixed in advance")
            squares = [(square_of_irrational_mu(event), count) for event, count in events]
            mus = [(mu_of(event), n) for (event, n), (square, _) in zip(events, squares, strict=True) if square is None]
            squared = total([(square, count) for square, count in squares if square is not None])
            listed = counted_values(list(inputs["mu"]))
            agree = listed == _with_root(
                {mu: count for mu, count in counted_values(mus).items() if mu}, squared, listed
            )
        case "gdp/composition.eps":
            mus = [(mu_of(event), count) for event, count in events]
            agree = inputs["delta"] == delta and dict(inputs["mu"]) == {
                mu: count for mu, count in counted_values(mus).items() if mu
            }
        case _:
            raise Mismatch(f"{id} is not a statement whose inputs this checker derives from a ledger")
    if not agree:
        raise Mismatch(f"the inputs of {id} do not follow from the ledger and the claim")
    if budget is not None and not of_rho and exceeds(found, inputs, budget.size):
        raise Mismatch("what ran exceeds the declared budget")
    return "the inputs follow from the ledger and the claim"


def _with_root(
    rational_ones: dict[Fraction, int], squared: Fraction, given: Mapping[Fraction, int]
) -> dict[Fraction, int]:
    """With the root of the squares of those that are no rationals: the given number, where it is that, rounded up."""
    if not squared:
        return rational_ones
    for mu in given:
        if squared <= mu * mu <= squared * (1 + _ROOT_UNIT * 2**10):
            return {**rational_ones, mu: rational_ones.get(mu, 0) + 1}
    raise Mismatch("no mu is that of the Gaussian mechanisms whose own are no rationals")


def _check_pairs(
    inputs: Mapping[str, Any], claim: Mapping[str, Any], record: RawRecord, delta: Fraction, verdict: str
) -> str:
    """The rounds are those of the ledger; and on another grid, tilted and cut for delta at the claimed epsilon."""
    events = [(pair_of(event), count) for event, count in record.events]
    if used_rounds(events) != used_rounds(inputs["rounds"]) or inputs["delta"] != delta:
        raise Mismatch("the mechanisms are not those of the ledger, or delta is not that of the claim")
    if not 0 < delta < 1:
        return "the mechanisms are those of the ledger"
    at_claim = {"rounds": inputs["rounds"], "eps": claimed_number(claim)}
    try:
        with apart(_SIDE_WORK):
            enclosure = solve(statement("zdw2022/thm10.delta"), at_claim, digits=30, engine="arb").enclosure
    except UndecidedError:
        # Both engines have enclosed the certified epsilon and decided the inequality; this would only be one more view.
        return "the mechanisms are those of the ledger; no grid reaches delta at the claimed epsilon"
    if enclosure is None or (enclosure.lower > delta if verdict == "confirmed" else enclosure.upper < delta):
        raise Mismatch("delta at the claimed epsilon, on another grid, decides otherwise")
    return "the mechanisms are those of the ledger; delta at the claimed epsilon, on another grid, agrees"


def _check_sampled(
    inputs: Mapping[str, Any], claim: Mapping[str, Any], record: RawRecord, delta: Fraction, verdict: str
) -> str:
    """The rounds are those of the ledger; and along another contour, for delta at the claimed epsilon."""
    if record.declared.get("neighbours") != "add-or-remove-one":
        raise Mismatch("subsampled rounds are accounted for add-or-remove-one neighbours, which are not declared")
    sigma, rounds = inputs["sigma"], 0
    for event, count in record.events:
        drawn = sampled_query(event)
        if drawn is None or drawn[2] != "poisson":
            raise Mismatch("an event is no Poisson-sampled Gaussian query")
        # A multiplier that is no rational is rounded down: less noise loses more.
        if drawn[0] != inputs["q"] or not sigma**2 <= drawn[1] < (sigma + _ROOT_UNIT) ** 2:
            raise Mismatch("the rate or the noise is not that of the ledger")
        rounds += count
    if rounds != inputs["k"] or inputs["delta"] != delta:
        raise Mismatch("the rounds are not those of the ledger, or delta is not that of the claim")
    if not 0 < delta < 1:
        return "the rounds are those of the ledger"
    ar = decide.engine("arb", 128)
    with ar.active():
        found = within(ar, inputs["q"], sigma, rounds, claimed_number(claim), delta)
    if found is None:
        return "the rounds are those of the ledger; no contour reaches delta at the claimed epsilon"
    if found != (verdict == "confirmed"):
        raise Mismatch("delta at the claimed epsilon, along another contour, decides otherwise")
    return "the rounds are those of the ledger; delta at the claimed epsilon, along another contour, agrees"


def _check_truncated(
    inputs: Mapping[str, Any],
    bound: Mapping[str, Any],
    claim: Mapping[str, Any],
    record: RawRecord,
    delta: Fraction,
    verdict: str,
) -> str:
    """The rounds and their caps are those of the ledger; equal ones are held against delta along another contour."""
    if record.declared.get("neighbours") != "add-or-remove-one":
        raise Mismatch("cut samples are accounted for add-or-remove-one neighbours, which are not declared")
    events = [(cut_or_pair_of(event), count) for event, count in record.events]
    if used_rounds(events) != used_rounds(inputs["rounds"]) or inputs["delta"] != delta:
        raise Mismatch("the mechanisms are not those of the ledger, or delta is not that of the claim")
    same = {(sampled_query(event), cap_of(event)) for event, _ in record.events}
    (drawn, cap), *others = same
    if others or drawn is None or cap is None or drawn[1].denominator > 10**40 or not 0 < delta < 1:
        return "the mechanisms and their caps are those of the ledger"
    # A multiplier that is no rational is rounded down: less noise loses more.
    sigma = _root_down(drawn[1])
    rounds = sum(count for _, count in record.events)
    claimed = claimed_number(claim)
    upper = ends_of(bound["enclosure"])[1]
    near = [claimed] if verdict != "confirmed" else [claimed, upper * Fraction(1001, 1000), upper * Fraction(101, 100)]
    said = [_within_with_cuts(drawn[0], sigma, rounds, cap, min(claimed, eps), delta) for eps in near]
    if verdict == "confirmed" and True not in said and None not in said:
        raise Mismatch("delta near the claimed epsilon, along another contour, decides otherwise")
    if verdict != "confirmed" and said == [True]:
        raise Mismatch("delta at the claimed epsilon, along another contour, decides otherwise")
    if verdict == "confirmed" and True not in said:
        return "the mechanisms and their caps are those of the ledger; no contour reaches delta near that epsilon"
    return "the mechanisms and their caps are those of the ledger; delta near the claimed epsilon agrees"


def _root_down(square: Fraction) -> Fraction:
    """The root, rounded down to a multiple of the unit where it is no rational."""
    parts = isqrt(square.numerator), isqrt(square.denominator)
    if (parts[0] ** 2, parts[1] ** 2) == (square.numerator, square.denominator):
        return Fraction(*parts)
    unit = _ROOT_UNIT.denominator
    return Fraction(isqrt(square.numerator * unit * unit // square.denominator), unit)


def _within_with_cuts(
    q: Fraction, sigma: Fraction, k: int, cap: tuple[int, int], eps: Fraction, delta: Fraction
) -> bool | None:
    """Whether what the term of cut samples leaves of delta is enough for k whole ones at epsilon; None where open."""
    try:
        return _decided_with_cuts(q, sigma, k, cap, eps, delta)
    except UndecidedError:
        # Too long a tail, or numbers too large or too small to be written: this is one more view, and stays open.
        return None


def _decided_with_cuts(
    q: Fraction, sigma: Fraction, k: int, cap: tuple[int, int], eps: Fraction, delta: Fraction
) -> bool | None:
    likely = {"q": q, "n": cap[1], "least": cap[0]}
    with apart(_SIDE_WORK):
        found = solve(statement("chua2024b/truncated.tail"), likely, digits=20, engine="mpmath").enclosure
    if found is None or found.upper >= 1:
        return None
    p = found.upper
    ar = decide.engine("mpmath", 192)
    with ar.active():
        # At some of k independent rounds: the differing record drawn with so many others; so many others at all.
        one = ar.enclosure(-ar.expm1(k * ar.log1p(-q * p)) * ar.exp(eps))
        any_ = ar.enclosure(-ar.expm1(k * ar.log1p(-p)))
    if one is None or any_ is None:
        return None
    left = delta - min(one.upper, any_.upper)
    if left <= 0:
        return False
    balls = decide.engine("arb", 128)
    with balls.active():
        return within(balls, q, sigma, k, eps, left)


def _check_ranges(by: str, inputs: Mapping[str, Any], record: RawRecord, delta: Fraction) -> str:
    """All rounds of bounded range, with their ranges; the same one throughout where the theorem is about equal ones."""
    if any(event["kind"] != "bounded-range" for event, _ in record.events):
        raise Mismatch("not every event has bounded range")
    ranges = counted_values([(parameters_of(event, "dp")[0], count) for event, count in record.events])
    in_advance = by in ("dong2020/thm3", "dong2020/advance", "dong2020/unequal")
    if in_advance and record.declared.get("queries") != "fixed-in-advance":
        raise Mismatch(f"{by} needs mechanisms chosen in advance, which the ledger does not declare")
    if in_advance and record.declared.get("periods", 1) > 1:
        raise Mismatch("the mechanisms of a later period may be chosen from the answers of an earlier one")
    # Concurrent mechanisms can be chosen in advance while what is asked of one hangs on the answers of another.
    if record.declared.get("interaction") != "sequential":
        raise Mismatch(f"{by} needs a sequential interaction, which the ledger does not declare")
    match by:
        case "dong2020/thm3":
            agree = ranges == {inputs["eps"]: inputs["k"]} and inputs["delta_g"] == delta
        case "dong2020/adaptive":
            agree = len(ranges) == 1 and ranges == dict(Counter(inputs["eps"])) and inputs["delta_g"] == delta
        case "dong2020/advance":
            agree = ranges == dict(inputs["eps"]) and inputs["delta_g"] == delta
        case "dong2020/unequal":
            # What is chosen in advance loses at most what it does chosen on the way, in whatever order.
            agree = ranges == dict(Counter(inputs["eps"])) and inputs["delta_g"] == delta
        case _:
            agree = ranges == dict(inputs["eps"]) and inputs["delta"] == delta
    if not agree:
        raise Mismatch(f"the inputs of {by} do not follow from the ledger and the claim")
    return "the inputs follow from the ledger and the claim"


def _in_force(
    by: str, hypotheses: tuple[Hypothesis, ...], claim: Mapping[str, Any], record: RawRecord, verdict: str
) -> RawBudget | None:
    """The budget of the filter that the theorem is, where the record was not fixed in advance; None where it was.

    Only the filter that the ledger names may confirm a claim: one that is chosen after the run is a union of filters.
    It must have let run no more than was claimed. Without a named filter a bound can only be too large to prove the
    claim, whichever split it is given.
    """
    budget = record.budget
    if record.fixed and not {_H.OUTPUT_BUDGET, _H.EX_POST_BUDGET} & set(hypotheses):
        return None
    if by not in FILTERS:
        raise Mismatch(f"{by} is not a filter, and the parameters were not fixed in advance")
    if budget is None or budget.filter is None:
        if record.fixed:
            raise Mismatch(f"{by} charges observed cells only where it enforced a budget, and none is declared")
        if verdict == "confirmed":
            raise Mismatch("parameters were not fixed in advance, and the ledger names no filter that was enforced")
        if budget is not None and "epsilon" in claim:
            raise Mismatch("whether a budget without a filter was kept is not known")
        return None
    if by != budget.filter and not (budget.of_rho and by in CONVERSIONS):
        raise Mismatch(f"the filter that was enforced is {budget.filter}, not {by}")
    if budget.delta > rational(claim.get("delta", "0"), "certificate.claim.delta"):
        raise Mismatch("the declared budget is larger than the claim")
    if budget.of_rho == ("rho" in claim) and budget.size > claimed_number(claim):
        raise Mismatch("the declared budget is larger than the claim")
    return budget


def _prime(by: str, record: RawRecord, budget: RawBudget | None, delta: Fraction, largest: Fraction) -> Fraction:
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


def _check_renyi(
    found: Statement,
    inputs: Mapping[str, Any],
    record: RawRecord,
    delta: Fraction,
    claim: Mapping[str, Any],
    verdict: str,
) -> str:
    if not record.fixed:
        raise Mismatch("cks2020/rdp2dp.eps is used for fixed parameters only")
    _check_interaction("cks2020/rdp2dp", (_H.CONCURRENT_RDP,), record)

    def at(order: Fraction) -> dict[str, Any]:
        costs = [(renyi_cost(guarantee, order), count) for guarantee, count in record.events]
        spent = total([(part, count) for (_, part), count in costs])
        return {
            "order": order,
            "eps_order": total([(cost, count) for (cost, _), count in costs]),
            "delta": delta - spent,
        }

    if inputs != at(inputs["order"]):
        raise Mismatch("the inputs of cks2020/rdp2dp.eps do not follow from the ledger and the claim")
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
            except Mismatch:
                # Not a common order: an event promises nothing there.
                continue
            if not exceeds(found, other, claimed_number(claim)):
                raise Mismatch(f"the order {order} proves the claim")
    return "the inputs follow from the ledger and the claim"


def _check_moments(
    by: str, hypotheses: tuple[Hypothesis, ...], inputs: Mapping[str, Any], record: RawRecord, delta: Fraction
) -> str:
    """The epsilons of the events that are DP alone, what the others have of rho, and the delta that they leave."""
    _check_interaction(by, hypotheses, record)
    alone = ("pure-dp", "approx-dp", "pdp", "output-dp")
    pure = [(parameters_of(event, "dp")[0], count) for event, count in record.events if event["kind"] in alone]
    rho = total([(parameters_of(event, "zcdp")[0], n) for event, n in record.events if event["kind"] not in alone])
    spent = total([(parameters_of(event, "zcdp")[1], count) for event, count in record.events])
    wanted = {eps: count for eps, count in counted_values(pure).items() if eps}
    agree = {eps: count for eps, count in inputs["eps"] if eps} == wanted and spent <= delta
    if by == "mironov2017/mixed":
        agree = agree and inputs["rho"] == rho and spent < 1 and inputs["delta"] == (delta - spent) / (1 - spent)
    else:
        agree = agree and total(list(inputs["rhos"])) == rho
    if not agree:
        raise Mismatch(f"the inputs of {by} do not follow from the ledger and the claim")
    return "the inputs follow from the ledger and the claim"


def _check_interaction(by: str, hypotheses: tuple[Hypothesis, ...], record: RawRecord) -> None:
    """Concurrency costs nothing for (epsilon, delta)-DP, and for the moments of rounds that have no delta of theirs."""
    approximate = any(
        event["kind"] in ("zcdp", "rdp") and rational(event.get("delta", "0"), "ledger: delta")
        for event, _ in record.events
    )
    of_moments = _H.CONCURRENT_ZCDP in hypotheses or _H.CONCURRENT_RDP in hypotheses
    excluded = _H.SEQUENTIAL in hypotheses or (of_moments and approximate)
    if excluded and record.declared.get("interaction") != "sequential":
        raise Mismatch(f"{by} needs a sequential interaction here, which the ledger does not declare")
