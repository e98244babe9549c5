"""Lower bounds above a claim: what the declared mechanisms lose, and worst cases of the declared guarantees.

Each yields a registered statement, its inputs, and the witness in words; it speaks where the statement's value at the
claimed epsilon is certainly above delta. Only the declared mechanisms, with the shifts that are declared attained,
refute a claim: it is false of what ran. A worst case respects every declared guarantee and need not be what ran; it
shows that no theorem can prove the claim from the guarantees alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from privref.composition.optimal import MOST_ROUNDS
from privref.exact.numbers import spell, weighted_sum
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    OutputDP,
    PureDP,
    as_approx_dp,
    as_zcdp,
)
from privref.profiles.declared import Mechanism, as_poisson
from privref.profiles.model import (
    Allocation,
    Composition,
    Gaussian,
    Pair,
    Response,
    Round,
    Subsampled,
    SubsampledGaussian,
)
from privref.profiles.sampled import SAMPLED_NEIGHBOURS, gaussian_of, multipliers
from privref.statements.hypotheses import Hypothesis

from .facts import Facts, Finding
from .facts.hypotheses import EQUAL, answers_of_absent, correlated, cut, drawn, exchanged, in_bins, mixed, shuffled
from .facts.mechanisms import answers
from .routes import MOST_DIFFERENT_LAWS, MOST_DIFFERENT_ROUNDS, MOST_EQUAL_RANGES


@dataclass(frozen=True, slots=True)
class Witness:
    """A lower bound on what is lost, or on what the guarantees allow to be lost, and the mechanisms that attain it."""

    statement: str
    inputs: Mapping[str, object]
    words: str
    actual: bool = False
    """Whether these are the mechanisms that ran."""
    premises: tuple[Finding, ...] = ()
    """Of mechanisms that ran: what no ledger can show, and that so much is lost rests on."""
    cheaper: Witness | None = None
    """Where this one takes much work: another one, which loses less."""
    highest: Callable[[], Fraction | None] = lambda: None
    """An upper bound of what it shows, found in little time; None where none is known."""


def _together(facts: Facts) -> tuple[tuple[ApproxDP, int], ...]:
    """The events that a worst case may answer together, by their DP guarantees.

    Under output DP with several cells, what runs next may depend on the observed cell (Algorithm 1 charges it),
    unless all was fixed in advance and no budget was in force: such events are not combined with others, since the
    most expensive cell would have left less budget for what followed.
    """
    return tuple(
        (dp, count)
        for guarantee, count in facts.guarantees.distinct
        if (facts.declarations.unconditional or not _has_cells(guarantee)) and (dp := _response(guarantee)) is not None
    )


def _response(guarantee: Guarantee) -> ApproxDP | None:
    """The randomized response within a guarantee: its losses, from -epsilon to epsilon, have the range 2 epsilon."""
    if isinstance(guarantee, BoundedRange):
        return ApproxDP(guarantee.epsilon / 2, Fraction(0))
    return as_approx_dp(guarantee)


def _bounded_range(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """Equal mechanisms of two outputs, chosen in advance, with a declared range: the worst ones that are."""
    counts: Counter[Fraction] = Counter()
    for guarantee, count in facts.guarantees.distinct:
        if isinstance(guarantee, BoundedRange) and guarantee.epsilon:
            counts[guarantee.epsilon] += count
    if counts:
        most = max(counts, key=lambda eps: (counts[eps] * eps, eps))
        rounds = min(counts[most], MOST_EQUAL_RANGES)
        yield Witness(
            "dong2020/thm3.delta",
            {"eps": most, "k": rounds, "eps_g": epsilon},
            f"{rounds} mechanism(s) of two outputs with bounded range {spell(most)}, chosen in advance; the other "
            "events release nothing",
        )
    if len(counts) > 1:
        yield _different_ranges(counts, epsilon)


#: Different ranges in one witness, and rounds of each.
_MOST_RANGES, _MOST_OF_EACH = 3, 20


def _different_ranges(counts: Counter[Fraction], epsilon: Fraction) -> Witness:
    """Mechanisms of two outputs with the intervals that a search on floats found: any would do."""
    from privref.composition.bounded_range import worst_ends

    chosen = [(eps, min(n, _MOST_OF_EACH)) for eps, n in counts.most_common(_MOST_RANGES)]
    ends = worst_ends(chosen, epsilon)
    rounds = sum(n for _, n in chosen)
    return Witness(
        "dong2020/intervals.delta",
        {
            "eps": tuple(eps for eps, n in chosen for _ in range(n)),
            "t": tuple(end for (_, n), end in zip(chosen, ends, strict=True) for _ in range(n)),
            "eps_g": epsilon,
        },
        f"{rounds} mechanism(s) of two outputs with the declared bounded ranges, chosen in advance; the other events "
        "release nothing",
    )


def _has_cells(guarantee: Guarantee) -> bool:
    return isinstance(guarantee, OutputDP) and len(guarantee.cells) > 1


def _single(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """One output-DP event whose answers fall (but for an arbitrarily small probability) into its costliest cell."""
    costs: list[Fraction] = [
        dp.epsilon
        for guarantee, _ in facts.guarantees.distinct
        if _has_cells(guarantee) and (dp := as_approx_dp(guarantee))
    ]
    dearest = max(costs, default=Fraction(0))
    if dearest:
        yield Witness(
            "kov2015/optimal.delta",
            {"eps": dearest, "k": 1, "eps_g": epsilon},
            f"randomized response with epsilon = {spell(dearest)} in the most expensive cell of one output-DP event; "
            "the other events release nothing",
        )


def _randomized_response(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """Equal randomized responses within the events' own epsilons; the other events answer nothing."""
    counts: Counter[Fraction] = Counter()
    for dp, count in _together(facts):
        if dp.epsilon:
            counts[dp.epsilon] += count
    if not counts:
        return
    most = max(counts, key=lambda eps: (counts[eps] * eps, eps))
    candidates = {most: counts[most], min(counts): counts.total()}
    # Fewer rounds than the ledger has are a weaker witness, and still a witness: the cheap ones come first.
    tried = [(eps, min(available, most)) for most in (1000, MOST_ROUNDS) for eps, available in candidates.items()]
    for eps, rounds in dict.fromkeys(tried):
        if rounds < facts.ledger.rounds:
            rest = "; the other events release nothing"
        else:
            rest = "" if len(facts.guarantees.distinct) == 1 else ", also where an event allows more"
        yield Witness(
            "kov2015/optimal.delta",
            {"eps": eps, "k": rounds, "eps_g": epsilon},
            f"randomized response with epsilon = {spell(eps)} in {rounds} round(s){rest}",
        )


def _optimum(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """Randomized responses with every event's own (epsilon, delta); events of other kinds answer nothing."""
    rounds = [(dp, count) for dp, count in _together(facts) if dp.epsilon or dp.delta]
    total = sum(count for _, count in rounds)
    if (len(rounds) < 2 and not any(dp.delta for dp, _ in rounds)) or total > MOST_DIFFERENT_ROUNDS:
        return
    yield Witness(
        "mv2016/optimal.delta",
        {
            "eps": tuple(dp.epsilon for dp, count in rounds for _ in range(count)),
            "delta": tuple(dp.delta for dp, count in rounds for _ in range(count)),
            "eps_g": epsilon,
        },
        "randomized response with the (epsilon, delta) of each event; events of other kinds release nothing",
    )


def _rhos(facts: Facts) -> tuple[tuple[Fraction, int], ...]:
    """The rho of every event that is declared zCDP (without its delta) or Gaussian DP."""
    rhos: dict[Fraction, int] = {}
    for guarantee, count in facts.guarantees.distinct:
        if isinstance(guarantee, GaussianDP):
            rho = guarantee.mu * guarantee.mu / 2
        elif isinstance(guarantee, ZCDP):
            rho = guarantee.rho
        else:
            continue
        if rho:
            rhos[rho] = rhos.get(rho, 0) + count
    return tuple(rhos.items())


_GAUSSIANS = "Gaussian mechanisms with the declared parameters; events of other kinds release nothing"


def _gaussian(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """Gaussian mechanisms with the declared rho or mu."""
    if rhos := _rhos(facts):
        yield Witness("cks2020/gaussian_witness.delta", {"rho": rhos, "eps": epsilon}, _GAUSSIANS)


def gaussian_rho_witness(facts: Facts) -> Witness:
    """The lower bound on the rho of the whole ledger that Gaussian mechanisms attain."""
    return Witness("cks2020/gaussian_witness.rho", {"rho": _rhos(facts)}, _GAUSSIANS)


def _two_points(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """A two-outcome mechanism for the largest zCDP event alone."""
    rhos = [guarantee.rho for guarantee, _ in facts.guarantees.distinct if isinstance(guarantee, ZCDP)]
    if not rhos:
        return
    from privref.guarantees.two_point import two_point_witness

    rho = max(rhos)
    pair = two_point_witness(rho, epsilon, delta)
    if pair is not None:
        p, q = pair
        yield Witness(
            "cks2020/two_point_witness.delta",
            {"rho": rho, "eps": epsilon, "p": p, "q": q},
            f"one mechanism with two outcomes, proved {spell(rho)}-zCDP, in place of the largest event; "
            "the other events release nothing",
        )


_REFUTERS: tuple[Callable[[Facts, Fraction, Fraction], Iterator[Witness]], ...] = (
    _randomized_response,
    _single,
    _bounded_range,
    _gaussian,
    _optimum,
    _two_points,
)


#: Events are tried alone in the order of what their guarantees allow to be lost, and at most so many.
MOST_GROUPS = 4

_Group = tuple[tuple[Mechanism, int], ...]


def _rests_on(facts: Facts, laws: Iterable[Mechanism]) -> tuple[Finding, ...]:
    """Return what no ledger can show, and that these mechanisms lose so much rests on.

    Their pairs of laws bound what is lost from above in any case. That so much is lost, some pair of data sets has to
    attain them.
    """
    laws = tuple(dict.fromkeys(laws))
    if facts.ledger.attained_together:
        how = "one pair of neighbouring data sets is the worst case of all these mechanisms at once, in every round"
        said = "the ledger declares `attained_together`"
    else:
        how = "some pair of neighbouring data sets is the worst case of the declared mechanism in every round"
        if any(law.sample is not None and law.sample.sampling == "shuffled" for law in laws):
            how = "some record changes the sum of its batch by the full sensitivity, whichever batch it is in"
        said = "the ledger declares `attained`"
        if any(("attained", True) not in law.said for law in laws):
            said = "assumed, because the ledger does not declare `attained` false"
    found = [Finding(Hypothesis.ATTAINED, True, f"{how} ({said})", premise=True)]
    neighbours = facts.ledger.neighbours
    if neighbours != "replace-one" and any(map(answers, laws)):
        found.append(Finding(Hypothesis.ATTAINED, True, answers_of_absent(neighbours, at_least=True), premise=True))
    if words := correlated(laws, at_least=True):
        found.append(Finding(Hypothesis.KNOWN_LAWS, True, words, premise=True))
    if words := mixed(laws, at_least=True):
        found.append(Finding(Hypothesis.KNOWN_LAWS, True, words, premise=True))
    if words := exchanged(laws, facts.ledger.neighbours, at_least=True):
        found.append(Finding(Hypothesis.EXCHANGED, True, words, premise=True))
    found += [Finding(Hypothesis.RELEASED, True, words, premise=True) for words in facts.mechanisms.released]
    samplings = {law.sample.sampling for law in laws if law.sample is not None and not law.is_exchanged}
    if "poisson" in samplings:
        found.append(Finding(Hypothesis.POISSON_SAMPLING, True, drawn(neighbours, at_least=True), premise=True))
    if "balls-in-bins" in samplings:
        found.append(Finding(Hypothesis.BALLS_IN_BINS, True, in_bins(neighbours, laws, at_least=True), premise=True))
    if "shuffled" in samplings:
        found.append(Finding(Hypothesis.SHUFFLED_BATCHES, True, shuffled(neighbours), premise=True))
    if caps := [law.sample.truncation for law in laws if law.sample is not None and law.sample.truncation is not None]:
        found.append(Finding(Hypothesis.TRUNCATED_SAMPLES, True, cut(dict.fromkeys(caps)), premise=True))
    return tuple(found)


def declared(facts: Facts, epsilon: Fraction) -> Iterator[Witness]:
    """The declared mechanisms themselves; none where what ran may depend on the answers, or no law is known.

    The other events can only add to what these lose, and the sum of all losses is the best test.
    """
    if not facts.declarations.fixed:
        return
    yield from divided(facts, epsilon)
    yield from _sampled(facts, epsilon)
    yield from _cut(facts, epsilon)
    heaviest = sorted(facts.mechanisms.lost, key=_weight, reverse=True)[:MOST_GROUPS]
    for group in heaviest:
        alike = tuple((_alike(law), count) for law, count in group)
        if len(group) <= MOST_DIFFERENT_LAWS and not _is_dear(alike):
            yield _actual(facts, group, alike, epsilon)


def divided(facts: Facts, epsilon: Fraction) -> Iterator[Witness]:
    """Gaussian noise that was divided by the number of records, of two data sets whose records contribute nothing."""
    size = facts.ledger.dataset_size
    if size is None or size < 2 or facts.structure.of_periods or facts.ledger.neighbours != "add-or-remove-one":
        return
    numbers = [
        event.count * event.released.coordinates
        for event in facts.ledger.ran
        if event.released is not None
        and event.released.shows_size
        and event.released.coordinates is not None
        and event.trial is not None
        and event.trial.attained
        and (event.trial if event.trial.sample is None else event.trial.sample.base).is_gaussian
    ]
    if not numbers:
        return
    many = sum(numbers) if facts.ledger.attained_together else max(numbers)
    how = (
        f"some data set has {size} records that contribute nothing to these sums, and the noise of each of the {many} "
        f"numbers, drawn by itself, was divided by the number of records, which is {size - 1} for a neighbour"
    )
    yield Witness(
        "gdp/divided.delta",
        {"n": size, "coordinates": many, "eps": epsilon},
        f"the noise of {many} number(s), divided by the number of records, {size} or {size - 1}, by the test whether "
        "their mean square is small",
        actual=True,
        premises=(Finding(Hypothesis.RELEASED, True, how, premise=True),),
    )


def _alike(law: Mechanism) -> Mechanism:
    """Return what has the laws of a mechanism on two data sets: of other noise on samples of a fixed size Poisson's."""
    if not any(isinstance(item.pair, Subsampled) for item in law.lower):
        return law
    return (as_poisson(law) if law.only_dominates else None) or law


def _is_dear(group: _Group) -> bool:
    """Whether Gaussians on samples are alongside rounds that are none, or all equal: ``_sampled`` speaks of the latter.

    The contour composes Gaussian rounds; the loss grid would take too much work.
    """
    pairs = {item.pair for law, _ in group for item in law.lower}
    sampled = any(isinstance(pair, SubsampledGaussian) for pair in pairs)
    if any(law.only_dominates for law, _ in group):
        return True
    return sampled and (len(pairs) == 1 or not all(isinstance(pair, (Gaussian, SubsampledGaussian)) for pair in pairs))


def _highest(rounds: Iterable[tuple[Pair, int]], epsilon: Fraction) -> Fraction | None:
    """A bound of the delta of Gaussian rounds, by Renyi divergences: far out a contour takes long to be found."""
    from privref.profiles import contour_mixed  # Which few ledgers need.

    lost = Composition.of([Round(pair, count) for pair, count in rounds])
    return contour_mixed.highest(lost, eps=epsilon) if contour_mixed.speaks_of(lost) else None


def _sampled(facts: Facts, epsilon: Fraction) -> Iterator[Witness]:
    """Subsampled Gaussian rounds, those of each event alone and, where one pair attains them all, all equal ones."""
    pairs: Counter[SubsampledGaussian] = Counter()
    alone: Counter[SubsampledGaussian] = Counter()
    declared_as: dict[SubsampledGaussian, set[Mechanism]] = {}
    for event in facts.ledger.ran:
        law = event.law
        if law is None or law.sample is None or not law.attained:
            continue
        # The steps of several periods are no epoch of one shuffle.
        of_epochs = law.sample.sampling == "shuffled" and facts.ledger.neighbours in SAMPLED_NEIGHBOURS
        if of_epochs and not facts.structure.of_periods:
            yield from _shuffled(facts, law, event.count, epsilon)
        if law.only_dominates and law.sample.chosen > 1:
            yield from _chosen(facts, law, epsilon)
        for item in law.lower:
            if isinstance(item.pair, SubsampledGaussian):
                pairs[item.pair] += event.count * item.count
                alone[item.pair] = max(alone[item.pair], event.count * item.count)
                declared_as.setdefault(item.pair, set()).add(law)
    counts = pairs if facts.ledger.attained_together else alone
    for pair, count in counts.most_common(MOST_GROUPS):

        def of(rounds: int, cheaper: Witness | None, pair: SubsampledGaussian = pair) -> Witness:
            others = "events" if cheaper is not None or rounds == counts[pair] else "rounds"
            rest = "" if rounds == facts.ledger.rounds else f"; the other {others} can only add to it"
            return Witness(
                "zdw2022/poisson_gaussian.delta",
                {"q": pair.rate, "sigma": pair.sigma, "k": rounds, "eps": epsilon},
                f"{rounds} declared {_drawn(declared_as[pair])} Gaussian round(s), where one record has the full "
                f"sensitivity, by the test whether the privacy loss of the answers exceeds the claimed epsilon{rest}",
                actual=True,
                premises=_rests_on(facts, declared_as[pair]),
                cheaper=cheaper,
                highest=partial(_highest, [(pair, rounds)], epsilon),
            )

        # A single round is in closed form, and far out most of what all lose.
        yield of(count, of(1, None) if count > 1 else None)


def _drawn(laws: Iterable[Mechanism]) -> str:
    """How samples of the pair of Poisson's were drawn: those of a fixed size lose it at least."""
    kinds = {law.sample.sampling for law in laws if law.sample is not None}
    return "Poisson-subsampled" if kinds == {"poisson"} else "subsampled"


def _cut(facts: Facts, epsilon: Fraction) -> Iterator[Witness]:
    """Rounds on samples that may be cut: each event's own, or where one pair attains them all, all together."""
    laws = [(event.law, event.count) for event in facts.ledger.ran if event.law is not None]
    if facts.ledger.neighbours == "zero-out" and any(law.may_be_cut for law, _ in laws):
        from privref.profiles.cut import with_whole  # With the contours, which few ledgers need.

        laws = [(with_whole(law), count) for law, count in laws]
    ran = [(law, count) for law, count in laws if law.attained and (law.whole or law).lower]
    if not any(law.whole is not None for law, _ in ran):
        return
    counter: Counter[Mechanism] = Counter()
    for law, count in ran:
        counter[law] += count
    groups: list[_Group] = [((law, count),) for law, count in dict.fromkeys(ran) if law.whole is not None]
    groups.sort(key=lambda group: group[0][1], reverse=True)
    if facts.ledger.attained_together and len(counter) <= MOST_DIFFERENT_LAWS:
        groups = [tuple(counter.items()), *(group for group in groups if len(counter) > 1)]
    for group in groups[:MOST_GROUPS]:
        uncut = tuple((law.whole or law, count) for law, count in group)
        if len({item.pair for law, _ in uncut for item in law.lower}) > 1 and _is_dear(uncut):
            continue
        count = sum(times for _, times in group)
        rest = "" if count == facts.ledger.rounds else "; the other events can only add to it"
        yield Witness(
            "chua2024b/truncated.least",
            {"rounds": group, "eps": epsilon},
            f"{count} declared round(s), where one record has the full sensitivity and the others contribute nothing, "
            "minus the probability that a batch which holds that record is cut, by the test whether the privacy loss "
            f"of the answers exceeds the claimed epsilon{rest}",
            actual=True,
            premises=_rests_on(facts, (law for law, _ in group)),
            highest=partial(_highest, [(item.pair, item.count * n) for law, n in uncut for item in law.lower], epsilon),
        )


def epochs(facts: Facts, epsilon: Fraction) -> Iterator[tuple[int, Witness]]:
    """The declared epochs of shuffled batches, each with the place of its event: they have a witness, and no pair."""
    if (
        facts.guarantees.columns is not None
        or not facts.declarations.fixed
        or facts.ledger.neighbours not in SAMPLED_NEIGHBOURS
    ):
        return
    seen: set[Mechanism] = set()
    for place, event in enumerate(facts.ledger.events):
        law = event.law
        if law is None or law in seen or law.sample is None or law.sample.sampling != "shuffled" or not law.attained:
            continue
        for witness in _shuffled(facts, law, event.count, epsilon):
            seen.add(law)
            yield place, witness


def _shuffled(facts: Facts, law: Mechanism, count: int, epsilon: Fraction) -> Iterator[Witness]:
    """One epoch of shuffled batches of a Gaussian base, where all of it ran."""
    assert law.sample is not None
    rate, mu_squared = law.sample.rate, gaussian_of(law.sample.base.upper or ())
    if mu_squared is None or rate.numerator != 1 or not 2 <= rate.denominator <= count:
        return
    from privref.profiles.shuffled import best_threshold

    sigma, batches = multipliers(mu_squared)[1], rate.denominator
    yield Witness(
        "chua2024/shuffled.delta",
        {"sigma": sigma, "batches": batches, "eps": epsilon, "threshold": best_threshold(sigma, batches, epsilon)},
        f"one epoch of {batches} shuffled batches with noise multiplier {spell(sigma)}, where the gradients of all "
        "other records are opposite to that of the differing one, by the test whether the sum of some batch is above "
        "a threshold; the other steps can only add to it",
        actual=True,
        premises=_rests_on(facts, [law]),
    )


def _chosen(facts: Facts, law: Mechanism, epsilon: Fraction) -> Iterator[Witness]:
    """One run in which a record is in several steps, drawn at random: its test by a sum over all steps."""
    sample = law.sample
    mu_squared = None if sample is None else gaussian_of(sample.base.upper or ())
    if sample is None or mu_squared is None or facts.ledger.neighbours not in SAMPLED_NEIGHBOURS:
        return
    from privref.profiles.chosen import best_event

    sigma, steps = multipliers(mu_squared)[1], int(sample.chosen / sample.rate)
    event = best_event(steps, sample.chosen, sigma, epsilon)
    if event is None:
        return
    weight, mesh, threshold = event
    yield Witness(
        "feldman2025/allocation.delta",
        {"steps": steps, "chosen": sample.chosen, "sigma": sigma, "eps": epsilon, "weight": weight, "mesh": mesh,
         "threshold": threshold},
        f"one run of {steps} steps with noise multiplier {spell(sigma)}, in {sample.chosen} of which a record is that "
        "has the full sensitivity, while the others contribute nothing, by the test whether a sum over the steps is "
        "above a threshold; the other events can only add to it",
        actual=True,
        premises=_rests_on(facts, [law]),
    )  # fmt: skip


def _weight(group: _Group) -> Fraction:
    """A measure of what a group loses; it only decides which one is tried first."""
    found = ((None if one.guarantee is None else as_zcdp(one.guarantee), count) for one, count in group)
    return weighted_sum((zcdp.rho + zcdp.delta, count) for zcdp, count in found if zcdp is not None)


def _actual(facts: Facts, group: _Group, alike: _Group, epsilon: Fraction) -> Witness:
    """What a group loses, by the same laws."""
    count = sum(times for _, times in group)
    kinds = ", ".join(sorted({mechanism.kind for mechanism, _ in group}))
    rest = "" if count == facts.ledger.rounds else "; the other events can only add to it"
    together = " on a pair of neighbours that is the worst for all of them" if len(group) > 1 else ""
    if alike != group:
        together += (
            f", where all other records {EQUAL[facts.ledger.neighbours or '']} and samples lose what Poisson's do"
        )
    words = (
        f"the declared mechanisms ({kinds}; {count} round(s)){together}, by the test whether the privacy "
        f"loss of their answers exceeds the claimed epsilon{rest}"
    )
    rests = _rests_on(facts, (law for law, _ in group))
    mechanism, _ = group[0]
    if len(group) == 1 and count <= MOST_ROUNDS and len(mechanism.lower) == 1:
        pair = mechanism.lower[0].pair
        if isinstance(pair, Response) and pair.outcomes == 2 and isinstance(mechanism.guarantee, PureDP):
            # The same number, to any digits.
            inputs = {"eps": pair.epsilon, "k": count, "eps_g": epsilon}
            return Witness("kov2015/optimal.delta", inputs, words, actual=True, premises=rests)
    return Witness("zdw2022/thm10.delta", {"rounds": alike, "eps": epsilon}, words, actual=True, premises=rests)


def _own_rho(mechanism: Mechanism) -> Fraction | None:
    """The rho that Gaussian noise has and nothing less; None for any other mechanism.

    The Renyi divergence of order 2 is 2 rho exactly, also of discrete noise for whole shifts. On samples those of large
    orders come as near to rho times the order as one likes.
    """
    if mechanism.kind == "discrete-gaussian":
        return mechanism.guarantee.rho if isinstance(mechanism.guarantee, ZCDP) else None
    normal = mechanism.sample is not None or mechanism.is_gaussian
    rhos = [(_rho_on_samples(item.pair), item.count) for item in mechanism.lower] if normal else []
    return weighted_sum((rho, count) for rho, count in rhos if rho is not None) or None


def _rho_on_samples(pair: object) -> Fraction | None:
    match pair:
        case Gaussian(square) | Allocation(_, square):
            return square / 2
        case SubsampledGaussian(_, sigma):
            return 1 / (2 * sigma**2)
        case _:
            return None


def declared_rho(facts: Facts) -> Witness | None:
    """The rho that the declared Gaussian mechanisms have and none of them less: continuous, discrete or on samples."""
    if not facts.declarations.fixed:
        return None
    found: list[tuple[Counter[Fraction], list[Mechanism]]] = []
    for group in facts.mechanisms.lost:
        rhos: Counter[Fraction] = Counter()
        for mechanism, times in group:
            if (rho := _own_rho(mechanism)) is not None:
                rhos[rho] += times
        if rhos:
            found.append((rhos, [law for law, _ in group if _own_rho(law) is not None]))
    if not found:
        return None
    most, laws = max(found, key=lambda pair: weighted_sum(pair[0].items()))
    inputs, rests = {"rho": tuple(most.items())}, _rests_on(facts, laws)
    by, words = "cks2020/gaussian_witness.rho", "order 2"
    if any(law.sample is not None for law in laws):
        by, words = "gdp/sampled.rho", "large orders, which no sampling lowers"
    words = f"the declared Gaussian mechanisms on one pair of neighbours, by their Renyi divergence of {words}"
    return Witness(by, inputs, words, actual=True, premises=rests)


def witnesses(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """The lower bounds to try against an (epsilon, delta) claim, cheap ones first."""
    for refuter in _REFUTERS:
        yield from refuter(facts, epsilon, delta)


#: Rounds of randomized response up to which a curve of dozens of points may take their optimal composition.
_MOST_QUICK_ROUNDS = 1_000


def quick_witnesses(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """Those of ``witnesses`` that take next to no time, for the many points of a curve: nothing is searched."""
    yield from _gaussian(facts, epsilon, delta)
    for refuter in (_randomized_response, _single):
        for witness in refuter(facts, epsilon, delta):
            rounds = witness.inputs["k"]
            if isinstance(rounds, int) and rounds <= _MOST_QUICK_ROUNDS:
                yield witness
