"""Samples of other noise than Gaussian, of which a record is replaced: it is revealed whether its place is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import mpmath
import pytest

from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.profiles import composed, cut, grid, inversion
from privref.profiles.declared import mechanism_from
from privref.profiles.model import Composition, Drawn, Laplace, Response, Round, WorstApproximate, swapped
from privref.statements.registry import evaluate

F = Fraction
Law = dict[Any, Fraction]
#: Noise of few answers, and of many.
BASES: dict[str, dict[str, Any]] = {
    "answers": {"kind": "randomized-response", "epsilon": "1"},
    "five answers": {"kind": "randomized-response", "epsilon": "3/2", "outcomes": "5"},
    "geometric": {"kind": "geometric", "scale": "3", "shifts": ["2"]},
    "discrete Gaussian": {"kind": "discrete-gaussian", "sigma": "3", "shifts": ["2"]},
    "Laplace": {"kind": "laplace", "scale": "2", "sensitivity": "1"},
    "worst case": {"kind": "four-outcome-randomized-response", "epsilon": "1/2", "delta": "1e-3"},
}


def rounds(base: dict[str, Any], count: int = 1, rate: str = "1/10", **more: Any) -> list[dict[str, Any]]:
    return [{"kind": "subsampled", "base": base, "rate": rate, "sampling": "poisson", "count": count, **more}]


def value(item: str, given: list[dict[str, Any]], engine: str = "arb", **asked: Any) -> Enclosure:
    inputs = {"rounds": given, "neighbours": "replace-one", "known": False, **asked}
    found = evaluate(f"chua2024b/cut.{item}", inputs, engine=engine).enclosure  # type: ignore[arg-type]
    assert found is not None
    return found


def pair(base: dict[str, Any], rate: str = "1/10") -> Drawn:
    (given,) = rounds(base, rate=rate)
    found = cut.pair_of(mechanism_from({k: v for k, v in given.items() if k != "count"}, "m"), "replace-one")
    assert isinstance(found, Drawn)
    return found


def atoms(base: dict[str, Any]) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """P and Q of the base's answers, typed once more."""
    with mpmath.workdps(40):
        match base["kind"]:
            case "randomized-response":
                m, e = int(base.get("outcomes", 2)), mpmath.exp(mpmath.mpf(F(base["epsilon"]).numerator)
                                                               / F(base["epsilon"]).denominator)  # fmt: skip
                total = e + m - 1
                masses = [(e / total, 1 / total), (1 / total, e / total), ((m - 2) / total, (m - 2) / total)]
            case "four-outcome-randomized-response":
                e, d = mpmath.exp(mpmath.mpf(1) / 2), mpmath.mpf(1) / 1000
                likely, other = ((1 - d) * each / (1 + e) for each in (e, 1))
                masses = [(d, 0), (0, d), (likely, other), (other, likely)]
            case "geometric":
                r, v, reach = mpmath.exp(-mpmath.mpf(1) / 3), 2, 250
                law = {x: (1 - r) / (1 + r) * r ** abs(x) for x in range(-reach, reach + 1)}
                masses = [(law.get(x, 0), law.get(x - v, 0)) for x in range(-reach + v, reach + 1)]
            case "discrete-gaussian":
                law = {x: mpmath.exp(-mpmath.mpf(x * x) / 18) for x in range(-60, 61)}
                whole = sum(law.values())
                masses = [(law.get(x, 0) / whole, law.get(x - 2, 0) / whole) for x in range(-58, 61)]
            case kind:
                raise AssertionError(kind)
        return masses


@cache
def _of_one(name: str, rate: Fraction) -> tuple[tuple[mpmath.mpf, mpmath.mpf], ...]:
    with mpmath.workdps(40):
        w = mpmath.mpf(rate.numerator) / rate.denominator
        found: dict[Any, list[Any]] = {}
        for p, q in atoms(BASES[name]):
            # Answers of one loss together.
            key = mpmath.nstr(mpmath.log(p / q), 25) if p and q else (bool(p), bool(q))
            known = found.setdefault(key, [mpmath.mpf(0), mpmath.mpf(0)])
            known[0], known[1] = known[0] + w * p, known[1] + w * q
        return ((1 - w, 1 - w), *((p, q) for p, q in found.values()))


def summed(name: str, rate: Fraction, count: int, eps: str) -> mpmath.mpf:
    """Delta of so many rounds, outcome by outcome."""
    with mpmath.workdps(40):
        scale = mpmath.exp(mpmath.mpf(eps))
        total = mpmath.mpf(0)
        for outcome in product(_of_one(name, rate), repeat=count):
            p, q = mpmath.mpf(1), mpmath.mpf(1)
            for one in outcome:
                p, q = p * one[0], q * one[1]
            total += max(p - scale * q, 0)
        return total


@pytest.mark.parametrize("engine", decide.ENGINES)
@pytest.mark.parametrize("name", [name for name in BASES if name != "Laplace"])
@pytest.mark.parametrize("count", [1, 2])
def test_rounds_have_the_sum_over_all_their_outcomes(name: str, count: int, engine: str) -> None:
    """Also of a rate of a half; epsilon is where delta is."""
    for rate in ("1/10", "1/2"):
        for eps in ("0.125", "0.5", "1.25"):
            known = summed(name, F(rate), count, eps)
            found = value("delta", rounds(BASES[name], count, rate), engine, eps=eps)
            with mpmath.workdps(40):
                slack = mpmath.mpf(10) ** -25
                low, high = (mpmath.mpf(end.numerator) / end.denominator for end in (found.lower, found.upper))
                assert low - slack <= known <= high + slack, (rate, eps)
            if known > 1e-4 and (name != "worst case" or 2 * F(eps) < count):
                delta = F(str(known))
                back = value("eps", rounds(BASES[name], count, rate), engine, delta=delta)
                assert back.lower - F(1, 10**6) <= F(eps) <= back.upper + F(1, 10**6)


@pytest.mark.parametrize("name", BASES)
def test_one_round_has_the_share_of_its_base_and_many_are_less_than_all_records(name: str) -> None:
    """A tenth of delta at each epsilon; and no epsilon is above that without samples."""
    base = BASES[name]
    whole = [{**base, "count": 1}]
    for eps in ("0", "1/10", "2/5"):
        of_all = evaluate("zdw2022/thm10.delta", {"rounds": whole, "eps": eps}).enclosure
        found = value("delta", rounds(base), eps=eps)
        assert of_all is not None
        assert found.lower <= of_all.upper / 10
        assert of_all.lower / 10 <= found.upper
        assert found.relative_width_at_most(F(1, 1000))
    delta = "3/100" if name == "worst case" else "1e-4"
    all_records = evaluate("zdw2022/thm10.eps", {"rounds": [{**base, "count": 12}], "delta": delta}).enclosure
    drawn = value("eps", rounds(base, 12), delta=delta)
    assert all_records is not None
    assert drawn.upper < all_records.lower
    assert drawn.relative_width_at_most(F(1, 10**4))


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("count", [7, 300])
def test_the_grid_and_the_inversion_agree(name: str, count: int) -> None:
    """By two kinds of mathematics, and two arithmetics."""
    composition = Composition.of([Round(pair(BASES[name]), count)])
    (part,) = composition.orientations
    assert part == part.reversed()
    about = value("eps", rounds(BASES[name], count), delta="1/10" if name == "worst case" else "1/100").upper
    eps = F(round(about * 100), 100)
    by_grid = grid.delta_of(part, eps, F(1, 1000))
    by_inversion = inversion.delta_of(part, eps)
    assert by_grid.relative_width_at_most(F(1, 100))
    assert by_inversion.relative_width_at_most(F(1, 100))
    assert by_grid.intersection(by_inversion) is not None
    second = composed.profile_delta("mpmath", composition, eps, cut.STATED_DELTA_WIDTH)
    assert second.intersection(by_grid) is not None


def test_the_pair_is_that_of_the_base_and_needs_neither_a_cap_nor_sums() -> None:
    for more in ({}, {"batch_cap": 50, "records": 1000}, {"attained": False}):
        (given,) = rounds(BASES["Laplace"], **more)
        del given["count"]
        mechanism = mechanism_from(given, "m")
        assert cut.pair_of(mechanism, "replace-one") == Drawn(Laplace(F(1, 2)), F(1, 10))
        assert cut.pair_of(mechanism, "add-or-remove-one") is None
        # Zeroed out, of a batch that may be cut only: of whole samples the mixture itself is the pair.
        assert (cut.pair_of(mechanism, "zero-out") is None) == ("batch_cap" not in more)
    found = pair(BASES["answers"])
    assert swapped(found) == found
    several = rounds({"kind": "laplace", "scale": "2", "shifts": ["1", "1"]})
    nothing = rounds({"kind": "laplace", "scale": "2", "shifts": ["0"]})
    others = (rounds(BASES["Laplace"], sampling=each) for each in ("shuffled", "unknown"))
    for given in (several, *others, rounds(BASES["Laplace"], sampling="with-replacement", records=100)):
        with pytest.raises(InputError):
            value("eps", given, delta="1e-5")
    assert value("eps", rounds({**BASES["Laplace"], "sensitivity": "0"}), delta="1e-5").upper == 0
    with pytest.raises(InputError):
        value("eps", nothing, delta="1e-5")


@pytest.mark.parametrize("name", [name for name in BASES if "answers" not in name])
def test_samples_of_a_fixed_size_have_the_same_pair_if_a_record_is_zeroed_out(name: str) -> None:
    """Of answers they have a better one, and of all noise if a record is replaced (``instead``)."""
    (given,) = rounds(BASES[name], sampling="fixed-size", neighbours="zero-out")
    del given["count"]
    found = mechanism_from(given, "m")
    assert found.upper == (Round(pair(BASES[name])),)
    assert cut.pair_of(found, "zero-out") is None


def zeroed(name: str, count: int, cap: int, records: int = 1000, **asked: Any) -> Enclosure:
    given = rounds(BASES[name], count, batch_cap=cap, records=records)
    inputs = {"rounds": given, "neighbours": "zero-out", "known": False, **asked}
    found = evaluate(f"chua2024b/cut.{'eps' if 'delta' in asked else 'delta'}", inputs).enclosure
    assert found is not None
    return found


@pytest.mark.parametrize("name", [name for name in BASES if name != "worst case"])
def test_cut_samples_of_a_zeroed_out_record_lose_the_less_of_two(name: str) -> None:
    """Near whole samples where cuts are rare; who is drawn where they are not; no more than either in between."""
    whole = evaluate("zdw2022/thm10.eps", {"rounds": rounds(BASES[name], 12), "delta": "1e-4"}).enclosure
    revealed = value("eps", rounds(BASES[name], 12), delta="1e-4")
    assert whole is not None
    far, near, between = (zeroed(name, 12, cap, delta="1e-4") for cap in (180, 101, 146))
    assert whole.lower < far.upper < whole.upper * F(1001, 1000)
    assert near == revealed
    assert whole.upper < between.upper < revealed.lower
    assert zeroed(name, 12, 101, delta="0" if name != "discrete Gaussian" else "1e-9").upper > near.upper
    for cap, eps in ((180, "1/2"), (146, "1/2"), (101, "1/2")):
        found = zeroed(name, 12, cap, eps=eps)
        most = value("delta", rounds(BASES[name], 12), eps=eps).upper
        assert found.upper <= most * F(1001, 1000)


def test_every_rule_of_a_cut_sample_of_a_zeroed_out_record_loses_no_more() -> None:
    """Two others, a cap of one or two, every order and rule: no more than either product."""
    q, answers = F(1, 2), [response(true) for true in range(ANSWERS)]
    worst = 0
    for cap, order in product((1, 2), permutations(("x", 0, 1))):
        tau = sum((chance for drawn, chance in subsets(2, q) if sum(drawn) >= cap), F(0))
        kept: list[tuple[Fraction, bool, tuple[int, ...]]] = []
        for coins, chance in subsets(3, q):
            drawn = [each for each, coin in zip(("x", 0, 1), coins, strict=True) if coin]
            batch = sorted(drawn, key=order.index)[:cap]
            kept.append((chance, "x" in batch, tuple(sorted(each for each in batch if isinstance(each, int)))))
        alone = sorted({others for _, _, others in kept})
        held = sorted({others for _, there, others in kept if there})
        stated, whole = revealed(q), (mixed([(1 - q, answers[1]), (q, answers[0])]), answers[1])
        for true in product(range(ANSWERS), repeat=len(alone) + len(held)):
            without, there = dict(zip(alone, true, strict=False)), dict(zip(held, true[len(alone) :], strict=True))
            p = mixed([(chance, answers[there[others] if x else without[others]]) for chance, x, others in kept])
            r = mixed([(chance, answers[without[others]]) for chance, _, others in kept])
            for one, other, pair in ((p, r, whole), (r, p, whole[::-1])):
                for scale in (F(1), F(3, 2)):
                    lost = stick(one, other, scale)
                    assert lost <= stick(*stated, scale)
                    most = q * tau + (1 - q * tau) * stick(*pair, scale)
                    assert lost <= most
                    worst += lost * 2 > most
    assert worst


def test_an_infinite_loss_has_the_share_of_its_chance() -> None:
    """Twenty rounds whose place is drawn with a tenth: below 1 - (1 - 1e-4)^20 no epsilon is enough."""
    given = rounds(BASES["worst case"], 20)
    least = 1 - (1 - F(1, 10**4)) ** 20
    for change, infinite in ((F(-1, 10**9), True), (F(1, 10**9), False)):
        inputs = {"rounds": given, "neighbours": "replace-one", "known": False, "delta": least + change}
        assert (evaluate("chua2024b/cut.eps", inputs).enclosure is None) == infinite
    split = grid.finite(Composition.of([Round(Drawn(WorstApproximate(F(1), F(1, 2)), F(1, 3)), 2)]))
    assert split.deltas == ((F(1, 6), 2),)
    assert split.rounds == ((Drawn(Response(F(1)), F(1, 5)), 2),)
    all_lost = grid.finite(Composition.of([Round(Drawn(WorstApproximate(F(1), F(1)), F(1, 3)))]))
    assert (all_lost.rounds, all_lost.deltas) == ((), ((F(1, 3), 1),))


@pytest.mark.parametrize("item", ["delta", "eps", "least"])
@pytest.mark.parametrize("cap", [{}, {"batch_cap": 50, "records": 1000}], ids=["whole", "cut"])
def test_no_other_statement_takes_what_has_no_law_but_who_is_drawn(item: str, cap: dict[str, int]) -> None:
    """A round without a pair would count as one that loses nothing."""
    asked = {"delta": "1e-5"} if item == "eps" else {"eps": "1/10"}
    given = rounds(BASES["worst case"], 5, **cap)
    with pytest.raises(InputError):
        evaluate(f"chua2024b/truncated.{item}", {"rounds": given, **asked})
    if item != "least":
        with pytest.raises(InputError):
            evaluate(f"zdw2022/thm10.{item}", {"rounds": given, **asked})
    for relation in ("add-or-remove-one", *(() if cap else ("zero-out",))):
        with pytest.raises(InputError):
            evaluate("chua2024b/cut.delta", {"rounds": given, "neighbours": relation, "known": False, "eps": "1/10"})
    if cap:
        # Of whole samples no pair is known: with a cap that is hardly ever reached it stays revealed who is drawn.
        for most in (50, 900):
            said = rounds(BASES["worst case"], 5, batch_cap=most, records=1000)
            asked = {"rounds": said, "neighbours": "zero-out", "known": False, "eps": "1/10"}
            found = evaluate("chua2024b/cut.delta", asked).enclosure
            assert found == value("delta", rounds(BASES["worst case"], 5), eps="1/10")


def test_at_delta_0_it_is_the_largest_loss() -> None:
    assert value("eps", rounds(BASES["Laplace"], 20), delta="0") == Enclosure(F(10), F(10))
    for name in ("discrete Gaussian", "worst case"):
        inputs = {"rounds": rounds(BASES[name], 20), "neighbours": "replace-one", "known": False, "delta": "0"}
        assert evaluate("chua2024b/cut.eps", inputs).enclosure is None


# --- an exact small mechanism: all samples, all rules ------------------------------------------------------------

ODDS, ANSWERS = F(3), 3
SCALES = (F(1), F(5, 4), F(2), F(5, 2))


def response(true: int) -> Law:
    """Randomized response of odds 3 about one of three answers."""
    return {each: (ODDS if each == true else F(1)) / (ODDS + ANSWERS - 1) for each in range(ANSWERS)}


def stick(p: Law, q: Law, scale: Fraction) -> Fraction:
    return sum((max(p.get(each, F(0)) - scale * q.get(each, F(0)), F(0)) for each in {*p, *q}), F(0))


def subsets(n: int, rate: Fraction) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    for drawn in product((0, 1), repeat=n):
        chance = F(1)
        for each in drawn:
            chance *= rate if each else 1 - rate
        yield drawn, chance


def mixed(parts: list[tuple[Fraction, Law]]) -> Law:
    found: Law = {}
    for chance, law in parts:
        for answer, mass in law.items():
            found[answer] = found.get(answer, F(0)) + chance * mass
    return found


def revealed(rate: Fraction) -> tuple[Law, Law]:
    """The stated pair."""
    p, q = ({("drawn", answer): rate * mass for answer, mass in response(true).items()} for true in (0, 1))
    return {**p, "not": 1 - rate}, {**q, "not": 1 - rate}


def laws_of(n: int, rate: Fraction, rule: dict[tuple[int, ...], tuple[int | None, int, int]]) -> tuple[Law, Law]:
    """The round on both data sets: for each sample of the others, the true answer without the place and with it.

    None answers nothing at all, so that the answer tells that the place was not drawn.
    """
    first, second = list[tuple[Fraction, Law]](), list[tuple[Fraction, Law]]()
    for others, chance in subsets(n, rate):
        still, here, there = rule[others]
        without = {"no answer": F(1)} if still is None else response(still)
        for found, true in ((first, here), (second, there)):
            found += [(chance * (1 - rate), without), (chance * rate, response(true))]
    return mixed(first), mixed(second)


#: What a rule may say of one sample of the others.
CHOICES = tuple(product((None, 0, 1, 2), range(ANSWERS), range(ANSWERS)))


@pytest.mark.parametrize("rate", [F(1, 10), F(1, 2), F(9, 10)])
def test_every_rule_of_a_small_mechanism_loses_no_more_and_one_as_much(rate: Fraction) -> None:
    """Two records, every rule, every sample: both ways round, above 1 and below. And the closed form is the pair's."""
    one, other = revealed(rate)
    worst = dict.fromkeys((*SCALES, F(1, 2)), F(0))
    fixed = dict(worst)
    for first, second in product(CHOICES, repeat=2):
        p, q = laws_of(1, rate, {(0,): first, (1,): second})
        for scale in worst:
            worst[scale] = max(worst[scale], stick(p, q, scale), stick(q, p, scale))
            if None not in (first[0], second[0]):
                fixed[scale] = max(fixed[scale], stick(p, q, scale))
    for scale in worst:
        most = stick(one, other, scale)
        assert worst[scale] == most
        if scale >= 1:
            assert most == rate * stick(response(0), response(1), scale)
            # If an answer is given in any case, and is one of the three, the best rule loses less: but not at 1.
            assert (fixed[scale] == most) == (scale == 1)


def test_every_rule_of_batches_of_two_of_three_records_loses_no_more_and_one_as_much() -> None:
    """Of a fixed size: the place is in two of three batches, and the third one may tell that it is not."""
    rate, third = F(2, 3), F(1, 3)
    one, other = revealed(rate)
    worst = dict.fromkeys((*SCALES, F(1, 2)), F(0))
    true = tuple(product(range(ANSWERS), repeat=2))
    for first, second, still in product(true, true, (None, 0, 1, 2)):
        without = {"no answer": F(1)} if still is None else response(still)
        p, q = (mixed([(third, response(first[k])), (third, response(second[k])), (third, without)]) for k in (0, 1))
        for scale in worst:
            worst[scale] = max(worst[scale], stick(p, q, scale))
    assert worst == {scale: stick(one, other, scale) for scale in worst}


def test_how_near_the_best_rule_comes_that_always_answers() -> None:
    """The share of the bound, which is the less, the larger epsilon and the smaller the rate."""
    shares = {}
    for rate in (F(1, 10), F(1, 2), F(9, 10)):
        one, other = revealed(rate)
        for scale in SCALES:
            found = max(stick(*laws_of(0, rate, {(): rule}), scale) for rule in CHOICES if rule[0] is not None)
            shares[rate, scale] = found / stick(one, other, scale)
    assert shares[F(1, 10), F(1)] == shares[F(9, 10), F(1)] == 1
    assert shares[F(1, 10), F(5, 4)] == 0
    assert shares[F(1, 2), F(5, 4)] == F(6, 7)
    assert F(9, 10) < shares[F(9, 10), F(5, 4)] < 1


@pytest.mark.parametrize("rate", [F(1, 10), F(1, 2)])
def test_two_rounds_whose_second_rule_is_chosen_after_the_first_answer(rate: Fraction) -> None:
    """The best adversary of all, against the product of the pairs; and both are alike if one answers nothing."""
    one, other = revealed(rate)
    double = tuple({(a, b): law[a] * law[b] for a in law for b in law} for law in (one, other))
    second = [laws_of(0, rate, {(): rule}) for rule in CHOICES]
    for scale in SCALES:
        best = F(0)
        for rule in CHOICES:
            p, q = laws_of(0, rate, {(): rule})
            total = F(0)
            for answer in {*p, *q}:
                here, there = p.get(answer, F(0)), q.get(answer, F(0))
                total += max(
                    sum((max(here * a.get(x, F(0)) - scale * there * b.get(x, F(0)), F(0)) for x in {*a, *b}), F(0))
                    for a, b in second
                )
            best = max(best, total)
        assert best == stick(*double, scale)


@pytest.mark.parametrize("rate", ["1/10", "1/2"])
def test_the_statement_is_what_the_best_rules_lose(rate: str) -> None:
    """Of odds that are a whole number epsilon is irrational: the ends of what it is rounded to."""
    one, other = revealed(F(rate))
    base = {"kind": "randomized-response", "probability": "3/5", "outcomes": "3"}
    for eps in ("1/8", "1/2"):
        found = value("delta", rounds(base, rate=rate), eps=eps)
        low, high = (F(str(mpmath.exp(mpmath.mpf(F(eps).numerator) / F(eps).denominator))) + each for each in (
            F(-1, 10**12), F(1, 10**12)))  # fmt: skip
        assert stick(one, other, high) <= found.upper
        assert found.lower <= stick(one, other, low)
        assert found.relative_width_at_most(F(1, 10**6))
