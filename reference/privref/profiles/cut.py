"""Poisson samples with a cap, by a pair of their own: the pair reveals whether a round's sample may be cut.

In a round of rate q and cap B let r be how many records besides the differing one, x, are drawn, of at most n. A cut
batch keeps B of its records by an order: a random one, or a fixed one. Its norm is 1 for each record, s the noise.

* r < B: nothing is cut, with x or without it. x is drawn with q: the Poisson pair of (q, s).
* r >= B: a batch without x holds B others. With x drawn it holds the same B, or x in the place of one of them: a shift
  of length at most 2. Given the order and the others' sample x is drawn with q; so the Poisson pair of (q, s/2)
  dominates (a shorter shift is a post-processing, and a smaller weight a mixture with the same law on both sides).
* Where the order is a random one and n others there are exactly, the B others without x are any B of the n, whatever
  r >= B is; x takes any one's place, with probability q B/(r + 1) given r. Its mean over r >= B is
  p = B/(n + 1) P(Bin(n + 1, q) > B)/tau: the pair of (p, s/2).

The others' coins alone decide the case, so its chance tau = P(Bin(n, q) >= B) is the same on both data sets:
a mixture whose part is revealed dominates. tau rises with n, and (q, s/2) dominates (q, s): any upper bound of n will
do.

Where x is zeroed out, and what contributes nothing is drawn as x is and takes a place as x does, x - t stands against
-t in a cut batch, or against -x. The pair reveals whether x is drawn: then a Gaussian pair of shift 1, else nothing
is lost. Of other noise it is the base's pair. Two simpler products dominate this: the pair that reveals in each round
whether x is drawn; and that of whole samples with an infinite loss of the chance q tau, on its own.

Where x is replaced by x', which is drawn and takes a place as x does, s is the noise over a replaced record's change:

* r < B: the pair of replaced records of (q, s) (``exchanged``), each clipped to half of that change.
* r >= B: x - t stands against x' - t, or the batches are alike. x, x' and t are at most 1 apart, so by Kahane's
  inequality all is largest where x' = t: the pair (M_1, M_0) of (q, s), of (p, s) as above, for each epsilon >= 0 the
  larger one both ways round. It dominates that of r < B, whose covariances are smaller.
* Not clipped: the pair reveals whether x is drawn, as above, whatever is cut, and also if nothing ever is.

The last pair needs nothing of the base but its own pair (P, Q) for a replaced record: any noise, and any query, of sums
or not. Let W be the sample of the other records, and M(W) what the round answers if x is not drawn. The round is
(1 - w) M(W) + w M(W + x) against (1 - w) M(W) + w M(W + x'), given W and all earlier answers, with a weight w of at
most q. Its profile is at most w that of (P, Q) by joint convexity, at every epsilon, both ways round, also below 0:
that of the pair that is (P, Q) with the chance q, and reveals if it is. A bound by the mixtures alone is not possible.
M(W) is the answer about another number of records, of which a guarantee for replaced ones says nothing: if it lies
far from both others, the answer itself tells that x was not drawn, and the pair is attained.

A sample of a fixed size is the same places on both data sets too, if a record is replaced or zeroed out. So the pair
dominates there as well; if a record is replaced there is a better one (``instead``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any, Literal, cast

from privref.exact import decide, roots
from privref.exact.arithmetic import Arithmetic, EnclosingArithmetic
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, UndecidedError, UnwritableError
from privref.exact.rounding import to_decimal
from privref.exact.work import kept
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import Probability, choice
from privref.statements.registry import Result, implements

from . import counted, exchanged, grid, sampled
from .binomial import tail
from .composed import of_few_jumps, profile_delta, profile_eps, whole_delta, whole_eps
from .declared import Mechanism, mechanism_from, mechanisms, under
from .model import (
    REPLACED,
    TAKEN,
    Composition,
    Drawn,
    Exchanged,
    Labelled,
    Round,
    Sampled,
    SubsampledGaussian,
    WorstApproximate,
)
from .subsampled import delta_of_one_round, poisson_gaussian_delta_statement, poisson_gaussian_eps_statement

ToldRounds = tuple[tuple[Mechanism, int], ...]
#: Of one record beside the others: it is there or not; or in its place is one that contributes nothing, or another.
OfOneRecord = Literal["add-or-remove-one", "zero-out", "replace-one"]
RELATIONS: tuple[OfOneRecord, ...] = ("add-or-remove-one", "zero-out", "replace-one")

#: Relative widths of epsilon and of delta: a contour reaches further, a loss grid of few rounds does not.
STATED_WIDTH, STATED_DELTA_WIDTH = Fraction(1, 10**4), Fraction(1, 10**3)

#: What cuts may add to delta, in parts of it, where the profile of whole samples stands for theirs; what is hardly any.
_RARE, _HARDLY = Fraction(1, 2 * 10**4), Fraction(1, 10**8)
#: Of a delta a contour mostly says more than this.
_NARROW = Fraction(1, 10**6)
_PRECISION = 256
#: Digits of a chance.
_DIGITS = 40
_TINY = Fraction(1, 2**1000)
#: What a chance to lose all is at most, in parts of delta, next to which no other product is looked for.
_SELDOM = Fraction(1, 100)
#: The fields of samples that are cut.
_OF_A_CAP = ("batch_cap", "records")


def uncut(mechanism: Mechanism) -> Mechanism:
    """The same mechanism, had no sample been cut."""
    said = {key: value for key, value in mechanism.document.items() if key not in _OF_A_CAP}
    return mechanism_from(said, "mechanism")


def with_whole(mechanism: Mechanism) -> Mechanism:
    """The same mechanism with its law had no sample been cut, which ledgers of zeroed-out records do not keep."""
    return replace(mechanism, whole=uncut(mechanism)) if mechanism.may_be_cut else mechanism


def pair_of(mechanism: Mechanism, relation: OfOneRecord, known: bool = False) -> Labelled | Drawn | None:
    """What dominates one round on samples that may be cut; None where nothing is known of its base there.

    Of a replaced record that is not clipped also one that is not cut: it is revealed whether its place is drawn. This
    holds of every base that is one pair, whatever its noise; all else of one Gaussian mechanism. With ``known`` there
    are exactly the stated records besides the one that differs, and the order is a random one: it makes no difference
    where it is revealed which record is drawn.
    """
    if not mechanism.may_be_cut and not mechanism.may_reveal(relation):
        return None
    assert mechanism.sample is not None
    other = sampled.one_of(mechanism.sample.base.upper or ())
    if other is not None:
        revealed = relation == "zero-out" or mechanism.may_reveal(relation)
        return Drawn(other, mechanism.sample.rate) if revealed else None
    whole = uncut(mechanism)
    item = whole.upper[0] if whole.upper is not None and len(whole.upper) == 1 else None
    if item is None or not isinstance(item.pair, SubsampledGaussian):
        return None
    q, s = item.pair.rate, item.pair.sigma
    if relation == "replace-one" and not mechanism.sample.clipped:
        return Labelled(((q, SubsampledGaussian(Fraction(1), s)),), 1 - q)
    assert mechanism.sample.truncation is not None
    cap, n = mechanism.sample.truncation.cap, mechanism.sample.truncation.records
    least, most = _chance(q, n, cap)
    whole_pair: Sampled = SubsampledGaussian(q, s)
    moved: Sampled = SubsampledGaussian(q, s / 2)
    if relation == "zero-out":
        return Labelled(((1 - most, whole_pair), (most * q, SubsampledGaussian(Fraction(1), s))), most * (1 - q))
    if relation == "replace-one":
        whole_pair, moved = Exchanged(q, 2 * s, REPLACED, REPLACED), Exchanged(q, s, TAKEN, TAKEN)
    if not known or not least:
        return Labelled(((1 - most, whole_pair), (most, moved)))
    taken = min(_rounded(Fraction(cap, n + 1) * _chance(q, n + 1, cap + 1)[1] / least, "up"), q)
    # What is between both ends of the chance counts as the larger weight.
    return Labelled(((1 - most, whole_pair), (least, replace(moved, rate=taken)), (most - least, moved)))


@kept(256)
def _chance(q: Fraction, n: int, cap: int) -> tuple[Fraction, Fraction]:
    """P(Bin(n, q) >= cap) from below and from above; WorkLimitError where the tail has too many terms."""
    if cap > n:
        return Fraction(0), Fraction(0)
    ar = decide.engine("arb", _PRECISION)
    with ar.active():
        try:
            found = ar.enclosure(tail(ar, q, n, cap).probability)
        except UnwritableError:
            if cap <= q * n:
                raise
            # Too small to be written down: it lies below a number that is not.
            return Fraction(0), _TINY
    if found is None:
        raise UndecidedError("the chance that a batch is cut has no enclosure")
    if found.upper <= _TINY:
        # A more exact number is of no use, and long to be written down.
        return Fraction(0), _TINY
    lower = Fraction(to_decimal(found.lower, _DIGITS, "down")) if found.lower > 0 else Fraction(0)
    return max(lower, Fraction(0)), min(_rounded(found.upper, "up"), Fraction(1))


def _rounded(value: Fraction, side: Literal["down", "up"]) -> Fraction:
    return Fraction(to_decimal(value, _DIGITS, side))


def composition(rounds: ToldRounds, relation: OfOneRecord, known: bool = False, *, aside: bool = False) -> Composition:
    """The product of what dominates all rounds; InputError where one has no pair under these neighbours.

    Of cut samples of other noise, a record zeroed out, with ``aside`` whole samples and a chance to lose all, where
    whole samples have a pair.
    """
    found = []
    for mechanism, count in rounds:
        labelled = pair_of(mechanism, relation, known)
        whole = uncut(mechanism).upper if aside and mechanism.may_be_cut and isinstance(labelled, Drawn) else None
        if whole is not None:
            assert isinstance(labelled, Drawn)
            assert mechanism.sample is not None
            assert mechanism.sample.truncation is not None
            cap, n = mechanism.sample.truncation.cap, mechanism.sample.truncation.records
            lost = _rounded(labelled.rate * _chance(labelled.rate, n, cap)[1], "up")
            found += [Round(item.pair, item.count * count) for item in whole]
            found.append(Round(WorstApproximate(Fraction(0), lost), count))
            continue
        if labelled is not None:
            found.append(Round(labelled, count))
            continue
        if dict(mechanism.said).get("neighbours", relation) != relation:
            raise InputError("rounds", str(mechanism), f"its pair is one of other neighbours than {relation}")
        ran = under(mechanism, relation)
        if ran.upper is None:
            remedy = (
                "cut samples have a pair of their own where their base is a Gaussian query, and the rate below 1; "
                "where a record is replaced, samples of other noise have one, for a base of one coordinate"
            )
            raise InputError("rounds", str(mechanism), remedy)
        found += [Round(item.pair, item.count * count) for item in ran.upper]
    return Composition.of(found)


def _tells(found: Composition) -> bool:
    """Whether the pair of some round reveals that it may be cut, and none reveals anything else, such as copies."""
    parts = [item.pair.parts[0][1] for item in found.rounds if isinstance(item.pair, Labelled)]
    return bool(parts) and all(isinstance(part, SubsampledGaussian) for part in parts)


def _single(found: Composition) -> Labelled | None:
    """The one round that a composition is, where its pair is revealed."""
    if len(found.rounds) != 1 or found.rounds[0].count > 1:
        return None
    pair = found.rounds[0].pair
    return pair if isinstance(pair, Labelled) else None


def _one_round(ar: EnclosingArithmetic, pair: Labelled, eps: Fraction) -> Enclosure:
    """delta of one round in closed form: the mean of its pairs', of which a removal's is the larger."""
    lower = upper = Fraction(0)
    for chance, part in pair.parts:
        of_part = exchanged.delta_of_one_round if isinstance(part, Exchanged) else delta_of_one_round
        found = of_part(ar, part, eps)  # type: ignore[arg-type]
        lower, upper = lower + chance * found.lower, upper + chance * found.upper
    return Enclosure(lower, upper)


def _eps_of_one_round(ar: EnclosingArithmetic, pair: Labelled, delta: Fraction) -> Enclosure:
    """The epsilon of one round."""
    return roots.epsilon_at(lambda eps: _one_round(ar, pair, eps), delta, STATED_WIDTH / 100)


def _of_whole(
    engine: decide.EngineName, kept: Composition, *, delta: Fraction | None = None, eps: Fraction | None = None
) -> Enclosure | None:
    """epsilon at delta, or delta at epsilon, of rounds that are not cut; None where that is infinite."""
    (item, *more) = kept.rounds
    pair, ar = item.pair, decide.engine(engine, _PRECISION)
    if delta is not None:
        if more or not isinstance(pair, SubsampledGaussian):
            return whole_eps(engine, kept, delta, STATED_WIDTH / 100)
        found = poisson_gaussian_eps_statement(ar, pair.rate, pair.sigma, item.count, delta)
    else:
        assert eps is not None
        if more or not isinstance(pair, SubsampledGaussian):
            return whole_delta(engine, kept, eps, STATED_DELTA_WIDTH / 1000)
        found = poisson_gaussian_delta_statement(ar, pair.rate, pair.sigma, item.count, eps)
    return None if isinstance(found, str) else decide.finite(ar, ar.real(found), "whole samples have no enclosure")


def _hardly_cut(
    engine: decide.EngineName,
    found: Composition,
    relation: OfOneRecord,
    *,
    delta: Fraction | None = None,
    eps: Fraction | None = None,
) -> Enclosure | None:
    """epsilon at delta, or delta at epsilon, where hardly ever a batch is cut; None where that is too wide.

    None of replaced records, whose loss grid takes as long either way. Let d be the chance that x is drawn in some
    round that is cut, c that some round is cut. On both data sets the cases without the former are those of whole
    samples, up to answers that say nothing, and no more than all of them: the two profiles are less than (1 + e^eps) d
    apart, and without zero-out e^eps d. With c revealed this one is at least (1 - c) times that of whole samples, and
    at most that and c.
    """
    if relation == "replace-one" or not _tells(found):
        return None
    ar, cut, drawn, kept = decide.engine(engine, _PRECISION), Fraction(0), Fraction(0), _uncut(found)
    for item in found.rounds:
        if isinstance(item.pair, Labelled):
            chance, pair = item.pair.parts[0]
            assert isinstance(pair, SubsampledGaussian)
            # Of all rounds together at most the sum.
            cut += item.count * (1 - chance)
            drawn += item.count * (1 - chance) * pair.rate

    def off(eps: Fraction) -> tuple[Fraction, Fraction]:
        """At most so much is the profile above and below that of whole samples."""
        with ar.active():
            grown = decide.finite(ar, ar.exp(eps), "e^epsilon has no finite enclosure").upper
        return min((grown + (relation == "zero-out")) * drawn, cut), min(grown * drawn, cut)

    try:
        if eps is not None:
            above, below = off(eps)
            whole = None if above > _RARE else _of_whole(engine, kept, eps=eps)
            if whole is None:
                return None
            known = Enclosure(max(whole.lower - below, Fraction(0)), min(whole.upper + above, Fraction(1)))
            return known if known.relative_width_at_most(_NARROW) else None
        assert delta is not None
        room = cut if cut <= _HARDLY * delta else _RARE * delta
        if drawn > room:
            return None
        most = _of_whole(engine, kept, delta=_rounded(delta - room, "down"))
        if most is None or off(most.upper)[0] > room:
            return None
        least = _of_whole(engine, kept, delta=min(_rounded(delta + room, "up"), Fraction(1)))
    except UndecidedError:
        return None
    if least is None:
        return None
    known = Enclosure(least.lower, most.upper)
    return known if known.relative_width_at_most(STATED_WIDTH) else None


@kept(256)
def _by_count(
    engine: decide.EngineName, found: Composition, *, delta: Fraction | None = None, eps: Fraction | None = None
) -> Enclosure | None:
    """epsilon at delta, or delta at epsilon, by how many batches are cut; None where that is too wide, or too many.

    The second arithmetic checks an epsilon of the first one, where its own search takes several times as long.
    """
    if engine != "arb" and delta is not None:
        first = _by_count("arb", found, delta=delta)
        checked = None if first is None else counted.checked(engine, found, delta, first)
        if checked is not None:
            return checked
    whole_rounds = _uncut(found)
    try:
        if eps is not None:
            whole = _of_whole(engine, whole_rounds, eps=eps)
            known = None if whole is None or not whole.lower else counted.delta_of(engine, found, eps, whole.lower)
            return known if known is not None and known.relative_width_at_most(STATED_DELTA_WIDTH) else None
        assert delta is not None
        whole = _of_whole(engine, whole_rounds, delta=delta)
    except UndecidedError:
        return None
    if whole is None or not whole.lower:
        return None
    known = counted.eps_of(engine, found, delta, float(whole.lower))
    return known if known is not None and known.relative_width_at_most(STATED_WIDTH) else None


def _uncut(found: Composition) -> Composition:
    """The same rounds, had no batch been cut."""
    return Composition.of(
        [
            Round(item.pair.parts[0][1] if isinstance(item.pair, Labelled) else item.pair, item.count)
            for item in found.rounds
        ]
    )


def _delta_width(inputs: Mapping[str, Any]) -> Fraction:
    return STATED_DELTA_WIDTH


def _width(inputs: Mapping[str, Any]) -> Fraction:
    return STATED_WIDTH


_HYPOTHESES = (Hypothesis.FIXED_PARAMETERS, Hypothesis.CUT_BY_ORDER)
_CITES = "Theorems 10 and 11 of Zhu, Dong, Wang 2022, with a label for batches that may be cut (ours)"


def _hull(ar: Arithmetic, found: Enclosure) -> Result:
    return cast(Result, ar.hull(found.lower, found.upper))


@implements(
    "chua2024b/cut.delta",
    kind="upper",
    cites=_CITES,
    hypotheses=_HYPOTHESES,
    standing="ours",
    stated_width=_delta_width,
)
def cut_delta(
    ar: Arithmetic,
    rounds: Annotated[ToldRounds, mechanisms(revealed=True)],
    neighbours: Annotated[OfOneRecord, choice(*RELATIONS)],
    known: bool,
    eps: Fraction,
) -> Result:
    """The delta at epsilon of rounds on Poisson samples that are cut above a cap, with others that have laws.

    chua2024b/cut.delta: the profile of the product of revealed mixtures: the Poisson pair where fewer than B others are
    drawn; else, which has the chance tau = P(Bin(n, q) >= B), the pair of half the noise; with ``known`` of the rate
    B/(n + 1) P(Bin(n + 1, q) > B)/tau, there being exactly n others and a random order; under zero-out the Gaussian
    pair with chance q. A clipped record that is replaced: that of replaced records, else (M_1, M_0) both ways round;
    one that is not clipped: the base's pair, Gaussian or not, with chance q, cap or none (proofs/derivations/cut.py). A
    cut batch keeps B records by an order that is random or fixed; no sum is divided by how many were drawn; parameters
    fixed in advance. Of cut samples of other noise, a record zeroed out, the less of two: that pair, and whole samples
    with an infinite loss of the chance q tau. Not above chua2024b/truncated; in nats.
    """
    engine, found = decide.engine_name(ar), []
    for whole in _ways(rounds, neighbours, known, eps=eps):
        one = _single(whole)
        if one is not None:
            found.append(_one_round(decide.engine(engine, _PRECISION), one, eps))
            continue
        rare = _hardly_cut(engine, whole, neighbours, eps=eps)
        if rare is None and neighbours == "zero-out" and _tells(whole):
            rare = of_few_jumps(engine, whole, STATED_DELTA_WIDTH, eps=eps)
            rare = _by_count(engine, whole, eps=eps) if rare is None else rare
        found.append(profile_delta(engine, whole, eps, STATED_DELTA_WIDTH) if rare is None else rare)
    return _hull(ar, _least(found))


@implements(
    "chua2024b/cut.eps",
    kind="upper",
    cites=f"{_CITES}, solved for epsilon",
    hypotheses=_HYPOTHESES,
    standing="ours",
    stated_width=_width,
)
def cut_eps(
    ar: Arithmetic,
    rounds: Annotated[ToldRounds, mechanisms(revealed=True)],
    neighbours: Annotated[OfOneRecord, choice(*RELATIONS)],
    known: bool,
    delta: Probability,
) -> Result:
    """An epsilon at delta of rounds on Poisson samples that are cut above a cap, with others that have laws.

    chua2024b/cut.eps: chua2024b/cut.delta solved for epsilon. At delta = 0 it is the largest loss, ``inf`` if there is
    none, and below the chance of an infinite loss.
    """
    if delta == 1 or not rounds:
        return Fraction(0)
    engine = decide.engine_name(ar)
    known_ones = [_eps_of(engine, whole, neighbours, delta) for whole in _ways(rounds, neighbours, known, delta=delta)]
    found = [each for each in known_ones if each is not None]
    return _hull(ar, _least(found)) if found else "inf"


def _eps_of(
    engine: decide.EngineName, whole: Composition, neighbours: OfOneRecord, delta: Fraction
) -> Enclosure | None:
    if not delta:
        return None if grid.finite(whole).deltas else grid.largest_of_all(whole)
    one = _single(whole)
    if one is not None:
        return _eps_of_one_round(decide.engine(engine, _PRECISION), one, delta)
    found = _hardly_cut(engine, whole, neighbours, delta=delta)
    if found is None and neighbours == "zero-out" and _tells(whole):
        # Elsewhere the rare pair is no whole step, and a contour of all is found sooner.
        found = of_few_jumps(engine, whole, STATED_WIDTH, delta=delta)
        found = _by_count(engine, whole, delta=delta) if found is None else found
    return profile_eps(engine, whole, delta, STATED_WIDTH) if found is None else found


def _least(found: list[Enclosure]) -> Enclosure:
    """The least of several upper bounds."""
    return Enclosure(min(each.lower for each in found), min(each.upper for each in found))


def _ways(
    rounds: ToldRounds,
    relation: OfOneRecord,
    known: bool,
    *,
    delta: Fraction | None = None,
    eps: Fraction | None = None,
) -> list[Composition]:
    """The products that dominate all rounds: one, or two of cut samples of other noise, a record zeroed out.

    The second one has whole samples, and loses all if a cut batch may hold the record: alone where that is rare.
    """
    first = composition(rounds, relation, known)
    if relation != "zero-out":
        return [first]
    other = [law for law, _ in rounds if law.may_be_cut and isinstance(pair_of(law, relation), Drawn)]
    if not other:
        return [first]
    second = composition(rounds, relation, known, aside=True)
    lost = [item for item in second.rounds if isinstance(item.pair, WorstApproximate) and not item.pair.epsilon]
    chance = sum((item.count * cast(WorstApproximate, item.pair).delta for item in lost), Fraction(0))
    if delta is not None and chance >= delta:
        return [first]
    return [second] if chance <= (_SELDOM if delta is None else _SELDOM * delta) else [first, second]
