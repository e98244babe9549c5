"""The theorems that turn a ledger into a bound: one small function per theorem, from facts and a target delta to
the registered statement and the exact inputs that it is evaluated on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, isqrt, prod

from privref.composition.optimal import MOST_ROUNDS
from privref.exact.errors import InputError, UndecidedError
from privref.exact.numbers import exact_root, written
from privref.guarantees.conversions import renyi_cost
from privref.guarantees.model import OutputDP, dp_parameters
from privref.guarantees.output_dp import is_ex_post, require_cell, supremum
from privref.ledger.model import Budget
from privref.profiles.declared import Mechanism
from privref.profiles.model import SubsampledGaussian
from privref.profiles.sampled import gaussian_of
from privref.statements.hypotheses import BUDGET_HYPOTHESES, PAID_BY_ANSWERS, Hypothesis
from privref.statements.params import BELOW_INVERSE_E, one
from privref.statements.registry import solve, statement
from privref.statements.theorems import called, theorem

from .facts import Facts, Finding
from .facts.hypotheses import check


@dataclass(frozen=True, slots=True)
class Application:
    """A theorem applied to a ledger: the statement and its exact inputs, or what stands in the way.

    ``obstacle`` is set where the hypotheses hold and yet there is no finite bound at this delta, or none is computed.
    ``supposed`` is the budget under which alone the hypotheses hold, where the ledger does not declare it.
    """

    by: str
    findings: tuple[Finding, ...]
    statement: str = ""
    inputs: Mapping[str, object] = field(default_factory=dict)
    obstacle: str = ""
    supposed: Budget | None = None

    @property
    def unmet(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if not finding.met)

    @property
    def lifted_by(self) -> str:
        """The theorem by which it holds of concurrent mechanisms; "" where the interaction is sequential."""
        return next((finding.lifted_by for finding in self.findings if finding.lifted_by), "")


class _ObstacleError(Exception):
    """Why a theorem whose hypotheses hold has no inputs here."""


@dataclass(frozen=True, slots=True)
class RouteInputs:
    """The inputs of the route's statement, or the obstacle.

    ``idle`` says which theorem says as much, so that this one is computed only where a claim names it.
    """

    inputs: Mapping[str, object] = field(default_factory=dict)
    obstacle: str = ""
    idle: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """A theorem that an audit may use, the hypotheses it needs, and how it is applied."""

    by: str
    statement: str
    hypotheses: tuple[Hypothesis, ...]
    plan: Callable[[Facts, Fraction, str], RouteInputs]

    def apply(self, facts: Facts, delta: Fraction, named: str | None = None) -> Application:
        """The theorem at the target delta; nothing is computed where a hypothesis is not met.

        ``named`` is the theorem that a claim names: it decides that claim, also where another one says as much.
        """
        findings = tuple(check(facts, hypothesis, self.by) for hypothesis in self.hypotheses)
        if not all(finding.met for finding in findings):
            return Application(self.by, findings)
        try:
            plan = self.plan(facts, delta, self.by)
        except _ObstacleError as obstacle:
            return Application(self.by, findings, self.statement, obstacle=str(obstacle))
        idle = "" if named is not None and self.answers(named) else plan.idle
        if plan.obstacle or idle:
            return Application(self.by, findings, self.statement, obstacle=plan.obstacle or idle)
        return Application(self.by, findings, self.statement, plan.inputs)

    @property
    def is_filter(self) -> bool:
        """Whether the theorem speaks of an enforced budget, and so of parameters chosen on the way."""
        return bool(BUDGET_HYPOTHESES & set(self.hypotheses))

    def answers(self, name: str) -> bool:
        """Whether a claim's ``by`` means this theorem: its id, or that of the statement evaluated, shortened or not."""
        return name == self.by or (name.startswith(self.by + ".") and f"{self.statement}.".startswith(f"{name}."))


def _require_within(total: Fraction, delta: Fraction) -> None:
    """An obstacle where the deltas of the events alone are more than is claimed."""
    if total > delta:
        more = f"the deltas of the events sum to {written(total)}, more than the claimed {written(delta)}"
        raise _ObstacleError(f"{more}; a claim with that delta may be proved")


def _basic(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    _require_within(facts.guarantees.approx_delta, delta)
    return RouteInputs({"eps": facts.guarantees.epsilons})


def _require_left(spent: Fraction, left: Fraction) -> None:
    """An obstacle where the events spent more than the split that was fixed leaves them."""
    if spent > left:
        raise _ObstacleError(
            f"the deltas of the events sum to {written(spent)}, more than the {written(left)} that the filter's split "
            "leaves them"
        )


def split_in_advance(facts: Facts, delta: Fraction, by: str) -> Fraction:
    """The delta' that was fixed before the first event: the budget's, else the ledger's tuning, else delta/2.

    The default must not look at the events: whether one of them has a delta may have been chosen on the way.
    """
    if facts.declarations.budget is not None and facts.declarations.budget.delta_prime is not None:
        return facts.declarations.budget.delta_prime
    return facts.ledger.tuning.get(by, {}).get("delta_prime", delta / 2)


def largest_split(facts: Facts, delta: Fraction, by: str) -> Fraction:
    """The largest delta' that leaves the events what they spent; the best split for this record, known after it."""
    rule = theorem(by)
    if rule.converts:
        spent = facts.guarantees.zcdp_delta
        return (delta - spent) / (1 - spent) if spent < 1 else Fraction(0)
    return delta - (facts.guarantees.any_delta if rule.orders else facts.guarantees.approx_delta)


def _slack(facts: Facts, delta: Fraction, by: str) -> Fraction:
    """The delta' that an additive split delta = delta' + sum delta_m leaves; an obstacle where it leaves none.

    For parameters that were not fixed in advance it is the split that was.
    """
    spent = facts.guarantees.approx_delta
    slack = delta - spent
    if not facts.declarations.fixed:
        slack = split_in_advance(facts, delta, by)
        _require_left(spent, delta - slack)
    if slack <= 0:
        raise _ObstacleError(f"the deltas of the events leave nothing of the claimed {written(delta)} for delta'")
    return slack


def _equal_rounds(facts: Facts) -> tuple[Fraction, int]:
    """The one epsilon and how many rounds have it; no rounds at all are 0 rounds of 0."""
    return facts.guarantees.epsilons[0] if facts.guarantees.epsilons else (Fraction(0), 0)


def _advanced(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    slack = _slack(facts, delta, by)
    eps, count = _equal_rounds(facts)
    return RouteInputs({"eps": eps, "k": count, "delta_hat": slack})


def _heterogeneous(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    slack = _slack(facts, delta, by)
    return RouteInputs({"eps": facts.guarantees.epsilons, "delta_prime": slack})


def _optimal_equal(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    eps, count = _equal_rounds(facts)
    if count > MOST_ROUNDS:
        raise _ObstacleError(f"the optimal curve is computed for at most {MOST_ROUNDS} rounds, here are {count}")
    return RouteInputs({"eps": eps, "k": count, "delta_g": delta})


def _zcdp_slack(facts: Facts, delta: Fraction, by: str) -> Fraction:
    """The delta' with delta = delta_0 + (1 - delta_0) delta', where delta_0 is what approximate zCDP may spend.

    For parameters that were not fixed in advance delta_0 is the budget's, or what the split fixed in advance leaves.
    """
    spent, budget = facts.guarantees.zcdp_delta, _budget_of_rho(facts)
    if budget is not None:
        spent = budget.delta
    elif not facts.declarations.fixed:
        prime = split_in_advance(facts, delta, by)
        if prime > delta:
            raise _ObstacleError(
                f"the delta' of the filter's split, {written(prime)}, is more than the delta {written(delta)}"
            )
        allowed = (delta - prime) / (1 - prime) if prime < 1 else Fraction(0)
        _require_left(spent, allowed)
        return prime
    _require_within(spent, delta)
    return Fraction(0) if spent == 1 else (delta - spent) / (1 - spent)


def _lemma1(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    slack = _zcdp_slack(facts, delta, by)
    if slack == 0:
        raise _ObstacleError("Lemma 1 needs a positive delta' and none is left")
    return RouteInputs({"rho": _rho_in_force(facts), "delta_prime": slack})


def _tight(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    slack = _zcdp_slack(facts, delta, by)
    rho = _rho_in_force(facts)
    if slack == 0 and rho:
        raise _ObstacleError("zCDP gives no finite epsilon at delta = 0")
    return RouteInputs({"rho": rho, "delta": slack})


#: The best order is the root of a sum with a term for each different epsilon.
MOST_DIFFERENT_MOMENTS = 200


def _too_many_moments(facts: Facts) -> str:
    eps, _ = facts.guarantees.pure_and_rho
    if len(eps) <= MOST_DIFFERENT_MOMENTS:
        return ""
    return f"an audit takes the moments of at most {MOST_DIFFERENT_MOMENTS} different epsilons"


def _no_gain(facts: Facts, by: str) -> str:
    """Why the moments of pure rounds alongside zCDP say nothing that another theorem of this ledger does not."""
    if any(each > 0 for each, _ in facts.guarantees.pure_and_rho[0]):
        return ""
    return f"no event is (epsilon, delta)-DP alone, so that {called(by)} says as much"


def _mixed(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    slack = _zcdp_slack(facts, delta, by)
    eps, rho = facts.guarantees.pure_and_rho
    idle = _no_gain(facts, "cks2020/zcdp2dp")
    if not rho and facts.ledger.rounds <= MOST_DIFFERENT_ROUNDS:
        idle = idle or f"{called('mv2016/optimal', authors=False)} is the optimum of these rounds"
    obstacle = _too_many_moments(facts)
    if slack == 0 and (eps or rho):
        obstacle = obstacle or "moments give no finite epsilon at delta = 0"
    return RouteInputs({"eps": eps, "rho": rho, "delta": slack}, obstacle, idle)


def _budget_of_rho(facts: Facts) -> Budget | None:
    """The enforced budget of rho; None where it is not of rho, or where parameters were fixed in advance."""
    budget = facts.declarations.budget
    return budget if budget is not None and budget.rho is not None and not facts.declarations.fixed else None


def _rho_in_force(facts: Facts) -> Fraction:
    """The rho of the whole interaction: the events' sum, or an enforced budget of rho, which may not be used up."""
    budget = _budget_of_rho(facts)
    return facts.guarantees.rho if budget is None or budget.rho is None else budget.rho


def _expanded(facts: Facts, most: int) -> tuple[tuple[Fraction, Fraction], ...] | None:
    """Every round's (epsilon, delta), one by one; None where there are more than ``most``."""
    if facts.ledger.rounds > most:
        return None
    return tuple((dp.epsilon, dp.delta) for dp, count in facts.guarantees.approx or () for _ in range(count))


def _optimal(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    rounds = _expanded(facts, MOST_DIFFERENT_ROUNDS)
    if rounds is None:
        raise _ObstacleError(f"an audit computes it for at most {MOST_DIFFERENT_ROUNDS} rounds")
    eps, deltas = (tuple(part) for part in zip(*rounds, strict=True)) if rounds else ((), ())
    return RouteInputs({"eps": eps, "delta": deltas, "delta_g": delta})


def _output_dp(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    _require_within(facts.guarantees.approx_delta, delta)
    if facts.ledger.rounds > MOST_ORDERED_ROUNDS:
        raise _ObstacleError(f"an audit replays at most {MOST_ORDERED_ROUNDS} rounds")
    costs = facts.guarantees.output_costs or ()
    sups = tuple(worst for worst, _, _, count in costs for _ in range(count))
    spends = tuple(observed for _, observed, _, count in costs for _ in range(count))
    return RouteInputs({"sups": sups, "spends": spends})


def _ex_post(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    """Each entry in order: an ex-post round's largest cost and its answer's, or an epsilon, or a cost at the order."""
    if len(facts.ledger.events) > MOST_ORDERED_ROUNDS:
        raise _ObstacleError(f"an audit replays at most {MOST_ORDERED_ROUNDS} entries")
    prime = _split_of(facts, delta, by, facts.guarantees.any_delta)
    order = facts.ledger.tuning[by]["order"]
    rows: list[tuple[Fraction, Fraction, Fraction, Fraction]] = []
    none = Fraction(0)
    for event in facts.ledger.ran:
        guarantee = event.guarantee
        found = dp_parameters(guarantee)
        if is_ex_post(guarantee):
            assert isinstance(guarantee, OutputDP)
            most = supremum(guarantee.cells)
            seen = event.observed_cell
            rows.append((most, most if seen is None else require_cell(guarantee, seen), none, none))
        elif found is not None:
            rows.append((none, none, found[0], none))
        else:
            promised = renyi_cost(guarantee, order)
            assert promised is not None
            rows.append((none, none, none, promised[0]))
    columns = zip(*rows, strict=True) if rows else ((),) * 4
    exact = dict(zip(("sups", "spends", "eps", "cost"), columns, strict=True))
    counts = tuple(event.count for event in facts.ledger.ran)
    return RouteInputs({"order": order, **exact, "counts": counts, "delta_prime": prime})


def _renyi(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    slack = delta - facts.guarantees.renyi_delta
    if slack <= 0:
        raise _ObstacleError(
            f"the deltas of the events leave nothing of the claimed {written(delta)} for the conversion"
        )
    # Every order gives a bound; which one is used is a choice, and the upper ends make it.
    costs = facts.guarantees.renyi
    found = ({"order": order, "eps_order": cost, "delta": slack} for order, cost in costs)
    return RouteInputs(min(found, key=_upper_by_order))


def _upper_by_order(inputs: Mapping[str, object]) -> Fraction:
    """The upper end of what a cost at a Renyi order converts to."""
    found = solve(statement("cks2020/rdp2dp.eps"), inputs, digits=15, engine="arb").enclosure
    return Fraction(0) if found is None else found.upper


def _rogers(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    """What the filter compares with its budget, which its bound itself depends on."""
    budget = facts.declarations.budget
    if facts.declarations.fixed:
        raise _ObstacleError("it is about an enforced budget, and parameters were fixed in advance")
    if budget is None or not budget.epsilon:
        raise _ObstacleError("its bound depends on the budget's epsilon, and no positive one is declared")
    spent = facts.guarantees.approx_delta
    if spent > delta / 2:
        raise _ObstacleError(f"the deltas of the events sum to {written(spent)}, more than half of {written(delta)}")
    try:
        one("delta_g", BELOW_INVERSE_E).read(delta)
    except InputError:
        raise _ObstacleError(f"it takes a delta in (0, 1/e), and the budget's is {written(delta)}") from None
    return RouteInputs({"eps": facts.guarantees.epsilons, "eps_g": budget.epsilon, "delta_g": delta})


def _split_of(facts: Facts, delta: Fraction, by: str, spent: Fraction) -> Fraction:
    """The delta' of a filter's conversion; an obstacle where the split that was fixed leaves none or too little."""
    prime = split_in_advance(facts, delta, by)
    if not 0 < prime < 1:
        raise _ObstacleError(f"the conversion takes a delta' in (0, 1), and the split gives it {written(prime)}")
    _require_left(spent, delta - prime)
    return prime


def _renyi_filter(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    """The least budget at an order of the filter; each of several orders has its share of delta'."""
    orders = facts.declarations.filter_orders(by)
    prime = _split_of(facts, delta, by, facts.guarantees.any_delta)
    costs = ((order, facts.guarantees.at_order(order)) for order in orders)
    share = prime / len(orders)
    # The filter went on while any order was within its limit: each that is within the budget shows that it did.
    found = ({"order": order, "eps_order": cost[0], "delta": share} for order, cost in costs if cost is not None)
    return RouteInputs(min(found, key=_upper_by_order))


def _response(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    """The ex-post filter's least budget for rounds of epsilon only, which is that of this filter."""
    if len(facts.guarantees.epsilons) > MOST_ORDERED_ROUNDS:
        raise _ObstacleError(f"an audit replays at most {MOST_ORDERED_ROUNDS} entries")
    prime = _split_of(facts, delta, by, facts.guarantees.approx_delta)
    pairs = tuple(facts.guarantees.epsilons)
    none = (Fraction(0),) * len(pairs)
    return RouteInputs(
        {
            "order": facts.ledger.tuning[by]["order"],
            "sups": none,
            "spends": none,
            "eps": tuple(eps for eps, _ in pairs),
            "cost": none,
            "counts": tuple(count for _, count in pairs),
            "delta_prime": prime,
        }
    )


def _domination(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    """The least mu of which the filter lets these rounds run, in their order, rounded up."""
    # Imported late: no small audit runs a filter.
    from privref.adaptive.domination import least_square

    if len(facts.ledger.events) > MOST_ORDERED_ROUNDS:
        raise _ObstacleError(f"an audit replays at most {MOST_ORDERED_ROUNDS} entries")
    prime = _split_of(facts, delta, by, facts.guarantees.any_delta)
    try:
        square = least_square([(event.guarantee, event.count) for event in facts.ledger.ran])
    except UndecidedError as error:
        raise _ObstacleError(str(error)) from None
    mu = Fraction(isqrt(ceil(square * 4**_ROOT_BITS)) + 1, 2**_ROOT_BITS) if square else square
    return RouteInputs({"mu": mu, "delta": prime})


def _gaussian(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    if facts.mechanisms.gaussian is None and facts.mechanisms.mus is not None:
        raise _ObstacleError("a mu is irrational; zdw2022/thm10 composes these Gaussian mechanisms")
    mus = facts.mechanisms.mus or ()
    if delta == 0 and mus:
        raise _ObstacleError("a Gaussian mechanism has no finite epsilon at delta = 0")
    return RouteInputs({"mu": mus, "delta": delta})


_Rounds = tuple[tuple[Mechanism, int], ...]


def _require_few(rounds: _Rounds) -> _Rounds:
    """The rounds; an obstacle where more different ones would be put on the grid than an audit composes."""
    if len(rounds) > MOST_DIFFERENT_LAWS:
        raise _ObstacleError(f"an audit composes at most {MOST_DIFFERENT_LAWS} different mechanisms")
    return rounds


def _pairs(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    _require_few(facts.mechanisms.laws or ())
    idle = ""
    if facts.samples.gaussian is not None:
        idle = f"{called('zdw2022/poisson_gaussian', authors=False)} composes these equal rounds, at any count"
    obstacle = _beyond_contours([law for law, _ in facts.mechanisms.laws or ()], delta)
    if facts.samples.allocation is not None:
        idle = "chua2025/allocation speaks of this one run"
    return RouteInputs({"rounds": facts.mechanisms.laws or (), "delta": delta}, obstacle, idle)


def _beyond_contours(laws: list[Mechanism], delta: Fraction) -> str:
    """What stands in the way of composing subsampled Gaussian rounds, if there are any; empty where nothing does."""
    pairs = [item.pair for law in laws for item in law.upper or ()]
    if delta or not any(isinstance(pair, SubsampledGaussian) for pair in pairs):
        return ""
    return "a subsampled Gaussian mechanism has no finite epsilon at delta = 0"


def _truncated(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    rounds = _require_few(facts.samples.truncated or ())
    obstacle = _beyond_contours([law.whole or law for law, _ in rounds], delta)
    if not delta:
        obstacle = obstacle or "a sample may be cut, and what is lost then is bounded by delta only"
    if obstacle:
        raise _ObstacleError(obstacle)
    return RouteInputs({"rounds": rounds, "delta": delta})


def _cut(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    from privref.profiles.cut import uncut  # With the contours, which few ledgers need.

    rounds = _require_few(facts.samples.capped or ())
    obstacle = _beyond_contours([law if law.upper is not None else uncut(law) for law, _ in rounds], delta)
    if obstacle:
        raise _ObstacleError(obstacle)
    given = {"rounds": rounds, "neighbours": facts.ledger.neighbours, "known": False, "delta": delta}
    return RouteInputs(given)


def _allocation(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    if facts.samples.allocation is None:
        raise _ObstacleError("what ran is not one run on bins that were drawn once")
    if delta == 0:
        raise _ObstacleError("a Gaussian mechanism has no finite epsilon at delta = 0")
    pair, sample = facts.samples.allocation
    sigma = exact_root(1 / (gaussian_of(sample.base.upper or ()) or Fraction(1)))
    if sigma is None:
        raise _ObstacleError("the noise multiplier is irrational; zdw2022/thm10 composes this run")
    epochs = int(pair.mu_squared * sigma**2)
    return RouteInputs({"bins": pair.bins, "sigma": sigma, "epochs": epochs, "delta": delta})


def _poisson_gaussian(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    if facts.samples.gaussian is None:
        if any(law.is_exchanged for law in facts.mechanisms.declared):
            raise _ObstacleError("the data sets differ by several records, or by one in another's place")
        raise _ObstacleError("every record is in every sample: gdp/composition speaks of these rounds")
    pair, count = facts.samples.gaussian
    if delta == 0:
        raise _ObstacleError("a subsampled Gaussian mechanism has no finite epsilon at delta = 0")
    return RouteInputs({"q": pair.rate, "sigma": pair.sigma, "k": count, "delta": delta})


def _equal_range(facts: Facts) -> tuple[Fraction, int]:
    """The one range of all rounds and how many there are; no rounds at all are 0 rounds of 0."""
    ranges = facts.guarantees.bounded_range or ()
    return ranges[0] if ranges else (Fraction(0), 0)


def _ranges_in_advance(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    eps, count = _equal_range(facts)
    if count > MOST_EQUAL_RANGES:
        raise _ObstacleError(f"an audit computes it for at most {MOST_EQUAL_RANGES} rounds")
    return RouteInputs({"eps": eps, "k": count, "delta_g": delta})


def _beyond(count: int, most: Fraction) -> str:
    """Return why the curve of this many ranges up to the largest is not computed; "" where it is."""
    from privref.composition.bounded_range import MOST_RANGE, MOST_ROUNDS

    if count <= MOST_ROUNDS and most <= MOST_RANGE:
        return ""
    return f"the curve is computed for at most {MOST_ROUNDS} rounds of a range up to {MOST_RANGE}"


def _ranges_on_the_way(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    eps, count = _equal_range(facts)
    if obstacle := _beyond(count, eps):
        raise _ObstacleError(obstacle)
    return RouteInputs({"eps": (eps,) * count, "delta_g": delta})


_EQUAL = "all ranges are equal, and dong2020/thm3 is their optimum"


def _different_in_advance(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    from privref.composition.unequal_ranges import MOST_WIDTH

    ranges = facts.guarantees.bounded_range or ()
    if ranges and prod(times + 1 for _, times in ranges) > MOST_OUTCOMES.get(len(ranges), 0):
        most = ", ".join(f"{outcomes} of {kinds}" for kinds, outcomes in MOST_OUTCOMES.items())
        raise _ObstacleError(f"an audit searches at most this many combinations: {most} different ranges")
    if any(eps > MOST_WIDTH for eps, _ in ranges):
        raise _ObstacleError(f"ranges up to {MOST_WIDTH} are composed")
    return RouteInputs({"eps": ranges, "delta_g": delta}, idle=_EQUAL if len(ranges) <= 1 else "")


def _unequal_ranges(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    ranges = facts.guarantees.bounded_range or ()
    count, most = sum(times for _, times in ranges), max((eps for eps, _ in ranges), default=Fraction(0))
    if obstacle := _beyond(count, most):
        raise _ObstacleError(obstacle)
    spelled = tuple(eps for eps, times in ranges for _ in range(times))
    inputs = {"eps": tuple(sorted(spelled, reverse=True)), "delta_g": delta}
    return RouteInputs(inputs, idle=_EQUAL if len(ranges) <= 1 else "")


def _range_means(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    return RouteInputs({"eps": facts.guarantees.bounded_range or (), "delta": delta})


#: The optimum of equal ranges is a maximum of sums: their number is the square of this.
MOST_EQUAL_RANGES = 300
#: The optimum of different ranges is searched for so many numbers of low losses, by how many ranges there are.
MOST_OUTCOMES = {1: 101, 2: 450, 3: 64}
#: The optimum of unequal rounds takes seconds at this size; `privref eval mv2016/optimal.eps` has no such limit.
MOST_DIFFERENT_ROUNDS = 1000
MOST_ORDERED_ROUNDS = 100_000
#: The root of a rational mu^2 is rounded up to a multiple of 2^-this.
_ROOT_BITS = 96
#: Each different law is put on the grid by itself.
MOST_DIFFERENT_LAWS = 1000


def _epsilon(id: str, plan: Callable[[Facts, Fraction, str], RouteInputs]) -> Route:
    """The route of a theorem to its statement about epsilon, under the theorem's own hypotheses."""
    found = theorem(id)
    return Route(found.id, found.epsilon, found.hypotheses, plan)


#: What proves an (epsilon, delta)-DP claim.
EPSILON_ROUTES: tuple[Route, ...] = (
    _epsilon("rogers2016/thm2.9", _basic),
    _epsilon("rogers2016/thm3.3", _basic),
    _epsilon("rogers2016/thm2.10", _advanced),
    _epsilon("whitehouse2023/eq2", _heterogeneous),
    _epsilon("kov2015/optimal", _optimal_equal),
    _epsilon("mv2016/optimal", _optimal),
    _epsilon("whitehouse2023/thm2", _heterogeneous),
    _epsilon("hartmann2022/alg1", _output_dp),
    _epsilon("rswr2023/ex_post_filter", _ex_post),
    _epsilon("whitehouse2023/lem1", _lemma1),
    _epsilon("cks2020/zcdp2dp", _tight),
    _epsilon("mironov2017/mixed", _mixed),
    _epsilon("cks2020/rdp2dp", _renyi),
    _epsilon("dong2020/thm3", _ranges_in_advance),
    _epsilon("dong2020/adaptive", _ranges_on_the_way),
    _epsilon("dong2020/advance", _different_in_advance),
    _epsilon("dong2020/unequal", _unequal_ranges),
    _epsilon("dong2020/prop4", _range_means),
    _epsilon("gdp/composition", _gaussian),
    _epsilon("zdw2022/thm10", _pairs),
    _epsilon("zdw2022/poisson_gaussian", _poisson_gaussian),
    _epsilon("chua2024b/cut", _cut),
    _epsilon("chua2024b/truncated", _truncated),
    _epsilon("chua2025/allocation", _allocation),
)


#: What proves such a claim only as the filter that a ledger's budget names, or where a claim names it.
FILTER_ROUTES: tuple[Route, ...] = (
    _epsilon("rogers2016/thm5.1", _rogers),
    _epsilon("hartmann2022/def19", _output_dp),
    _epsilon("feldman2021/renyi_filter", _renyi_filter),
    _epsilon("feldman2021/response_filter", _response),
    _epsilon("lecuyer2021/renyi_grid_filter", _renyi_filter),
    _epsilon("gdp/domination", _domination),
)


def epsilon_routes(facts: Facts, named: str | None = None) -> tuple[Route, ...]:
    """Return the theorems that prove an (epsilon, delta)-DP claim of this ledger, the claim's own theorem included."""

    def asked(route: Route) -> bool:
        in_force = facts.declarations.filter == route.by and (
            not facts.declarations.fixed or bool(PAID_BY_ANSWERS & set(route.hypotheses))
        )
        return in_force or (named is not None and route.answers(named))

    return (*EPSILON_ROUTES, *filter(asked, FILTER_ROUTES))


def _rho(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    _require_within(facts.guarantees.zcdp_delta, delta)
    return RouteInputs({"rhos": facts.guarantees.rhos})


def _tight_rho(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    _require_within(facts.guarantees.zcdp_delta, delta)
    eps, rho = facts.guarantees.pure_and_rho
    rhos = ((rho, 1),) if rho else ()
    return RouteInputs({"eps": eps, "rhos": rhos}, _too_many_moments(facts), _no_gain(facts, "whitehouse2023/thm1"))


_ZCDP, _TIGHT_ZCDP = theorem("whitehouse2023/thm1"), theorem("whitehouse2023/thm1.tight")
#: What proves a zCDP claim.
RHO_ROUTES: tuple[Route, ...] = (
    Route(_ZCDP.id, _ZCDP.rho, _ZCDP.hypotheses, _rho),
    Route(_TIGHT_ZCDP.id, _TIGHT_ZCDP.rho, _TIGHT_ZCDP.hypotheses, _tight_rho),
)


def _mu(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    return RouteInputs({"mu": facts.mechanisms.mus_of_all or ()})


def _mu_of_rho(facts: Facts, delta: Fraction, by: str) -> RouteInputs:
    if facts.guarantees.zcdp_delta:
        raise _ObstacleError("an event has a delta, which no Gaussian mechanism has over all epsilon")
    return _rho(facts, delta, by)


_GDP, _AS_GAUSSIAN = theorem("gdp/composition"), theorem("gdp/zcdp2gdp")
_BASES = (Hypothesis.GAUSSIAN_BASES, Hypothesis.FIXED_PARAMETERS, Hypothesis.CONCURRENT_DP)
#: What proves a claim of Gaussian DP.
MU_ROUTES: tuple[Route, ...] = (
    Route(_GDP.id, _GDP.mu, _BASES, _mu),
    Route(_AS_GAUSSIAN.id, _AS_GAUSSIAN.mu, _AS_GAUSSIAN.hypotheses, _mu_of_rho),
)
