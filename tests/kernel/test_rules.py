"""The kernel's inequalities, numbers and closed rules, each on both sides of its border."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import flint
import pytest

import privref
from privref import kernel
from privref.exact.enclosure import Enclosure
from privref.kernel import inequalities as iq
from privref.kernel import ranges
from privref.kernel.balls import above, at_most, binomial_tail, end, rational, working
from privref.kernel.fields import LEAST, MOST
from privref.kernel.numbers import Malformed, Refused, around, count, document, number, shown, total
from privref.kernel.pairs import Normal, Pair, mechanism
from privref.kernel.record import normal_delta, read
from privref.kernel.theorems import Goal, renyi_moment
from tests.kernel.cases import RUN, Document, cells, event, ledger, pure, records

F = Fraction
TINY = F(1, 10**9)
EPS: list[tuple[Fraction, int]] = [(F(1, 10), 40), (F(3, 10), 7)]
SPELLED = ["1/10"] * 40 + ["3/10"] * 7
PRIME = F(1, 10**6)


def value(statement: str, **inputs: Any) -> Enclosure:
    found = privref.evaluate(statement, inputs).enclosure
    assert found is not None
    return found


#: A statement of the reference with its inputs, and the kernel's inequality at a target.
BORDERS: dict[str, tuple[str, Document, Callable[[Fraction], bool]]] = {
    "equal rounds": (
        "rogers2016/thm2.10.eps_g", {"eps": "1/10", "k": 40, "delta_hat": "1e-6"},
        lambda target: iq.advanced("rogers2016/thm2.10", [(F(1, 10), 40)], PRIME, target)),
    "different rounds": (
        "whitehouse2023/eq2.eps", {"eps": SPELLED, "delta_prime": "1e-6"},
        lambda target: iq.advanced("whitehouse2023/eq2", EPS, PRIME, target)),
    "squares": (
        "whitehouse2023/thm2.f", {"eps": SPELLED, "delta_prime": "1e-6"},
        lambda target: iq.advanced("whitehouse2023/thm2", EPS, PRIME, target)),
    "lemma 1": (
        "whitehouse2023/lem1.zcdp2dp.eps", {"rho": "3/10", "delta_prime": "1e-6"},
        lambda target: at_most(iq.lemma1(F(3, 10), PRIME), target)),
    "one order": (
        "cks2020/rdp2dp.eps", {"order": "9/2", "eps_order": "7/10", "delta": "1e-6"},
        lambda target: iq.by_order(rational(F(7, 10) * F(7, 2)), F(9, 2), PRIME, target)),
    "a Gaussian": (
        "gdp/composition.eps", {"mu": ["3/4"], "delta": "1e-6"},
        lambda target: at_most(normal_delta(F(9, 16), target), PRIME)),
    "means": (
        "dong2020/prop4.eps", {"eps": SPELLED, "delta": "1e-6"}, lambda target: ranges.means(EPS, PRIME, target)),
    "equal ranges": (
        "dong2020/thm3.eps", {"eps": "1/2", "k": 12, "delta_g": "1e-6"},
        lambda target: ranges.equal_ranges(F(1, 2), 12, target, PRIME, 256, lambda bits: None)),
}  # fmt: skip


@pytest.mark.parametrize("name", BORDERS)
def test_an_inequality_holds_just_above_its_border_and_not_below(name: str) -> None:
    statement, inputs, holds = BORDERS[name]
    border = value(statement, **inputs)
    with working(256):
        assert holds(border.upper * (1 + TINY))
        assert not holds(border.lower * (1 - TINY))


def test_the_filter_of_advanced_rate_at_its_border() -> None:
    """What it compares depends on the budget: the fixed point is bracketed."""
    low, high = F(1), F(20)
    for _ in range(60):
        middle = (low + high) / 2
        bound = value("rogers2016/thm5.1.bound", eps=SPELLED, eps_g=str(middle), delta_g="1e-6")
        low, high = (middle, high) if bound.lower > middle else (low, middle)
    with working(256):
        assert iq.rogers_filter(EPS, high * (1 + TINY), PRIME)
        assert not iq.rogers_filter(EPS, low * (1 - TINY), PRIME)
        for target, delta in ((F(0), PRIME), (F(5), F(37, 100))):
            with pytest.raises(Refused, match="1/e"):
                iq.rogers_filter(EPS, target, delta)


@pytest.mark.parametrize("order", [F(5, 4), F(2), F(17)], ids=str)
def test_the_moment_of_randomized_response(order: Fraction) -> None:
    exact = value("mironov2017/response.renyi", eps="7/10", order=str(order))
    with working(256):
        moment = iq.response_moment(F(7, 10), order) / rational(order - 1)
        assert end(moment, up=True) >= exact.lower
        assert end(moment, up=False) <= exact.upper
        with pytest.raises(Refused, match="above 1"):
            iq.by_order(moment, F(1), PRIME, F(1))


@pytest.mark.parametrize("eta", ["1", "5/2", "0", "-1/2"])
@pytest.mark.parametrize(("order", "other"), [("3", "9/2"), ("5/4", "32"), ("17", "17")])
def test_the_moment_of_the_best_of_trials(order: str, other: str, eta: str) -> None:
    """With eps(a) = a/9, against the statements; a Poisson number by the delta that its second order gives."""
    a, b = F(order), F(other)
    exact = value(
        "papernot2022/thm2.renyi", order=order, eps_order=str(a / 9), other=other, eps_other=str(b / 9), eta=eta,
        gamma="1/7",
    )  # fmt: skip
    with working(256):
        moments = rational((a - 1) * a / 9), b, rational((b - 1) * b / 9)
        found = iq.best_moment((F(eta), F(1, 7)), a, *moments) / rational(a - 1)
        assert exact.lower <= end(found, up=True)
        assert end(found, up=False) <= exact.upper
        log = iq.log_delta(moments[2], b, (rational(a) / rational(a - 1)).log())
        delta = min(end(log.exp(), up=True), F(1))
    poisson = value("papernot2022/thm6.renyi", order=order, eps_order=str(a / 9), mean="7/2", delta=str(delta))
    with working(256):
        found = iq.best_moment((F(7, 2),), a, *moments) / rational(a - 1)
        assert abs(end(found, up=True) - poisson.upper) < TINY * poisson.upper
        for numbers in ((F(1), F(1, 7)), (F(7, 2),)):
            with pytest.raises(Refused, match="above 1"):
                iq.best_moment(numbers, a, moments[0], F(1), rational(0))


def test_the_moment_of_a_sampled_gaussian_is_its_sum() -> None:
    """E_Q[(P/Q)^a] by its binomial sum, with other arithmetic."""
    rate, square = F(1, 20), F(1, 9)
    for order in (2, 3, 7):
        with working(256):
            terms = [
                rational(comb(order, j) * (1 - rate) ** (order - j) * rate**j)
                * rational(F(j * j - j) * square / 2).exp()
                for j in range(order + 1)
            ]
            exact = sum(terms, rational(0)).log()
            assert iq.sampled_moment(rate, square, order).overlaps(exact)
            assert float((iq.sampled_moment(rate, square, order) - exact).rad()) < 1e-60
    for order in (1, 4097):
        with pytest.raises(Refused, match="whole orders"):
            iq.sampled_moment(rate, square, order)


@pytest.mark.parametrize(("cap", "n"), [(4, 10), (7, 10), (10, 10), (30, 40)])
def test_the_chance_of_a_large_batch_is_bounded(cap: int, n: int) -> None:
    rate = F(1, 5)
    exact = sum(comb(n, j) * rate**j * (1 - rate) ** (n - j) for j in range(cap, n + 1))
    with working(256):
        bound = end(binomial_tail(n, rational(rate), cap), up=True)
    assert exact <= bound * (1 + F(1, 2**200))
    assert bound <= exact * (1 + F(1, 2**200))


def test_the_delta_of_a_gaussian() -> None:
    exact = value("gdp/composition.delta", mu=["3/4"], eps="1/2")
    with working(256):
        found = normal_delta(F(9, 16), F(1, 2))
        assert end(found, up=True) >= exact.lower
        assert end(found, up=False) <= exact.upper


# -- guarantees beside mechanisms ---------------------------------------------------------------------------------

GAUSSIAN = {"kind": "gaussian", "sigma": "2", "sensitivity": "1"}
LAPLACE = {"kind": "laplace", "scale": "2", "sensitivity": "1"}
FOUR = {"kind": "four-outcome-randomized-response", "epsilon": "1", "delta": "1/100"}
#: A mechanism, a guarantee that it just has, and the number that is a little less.
FOLLOWS: dict[str, tuple[Document, Document, Document]] = {
    "pure DP": (LAPLACE, {"kind": "pure-dp", "epsilon": "0.5"}, {"epsilon": "0.4999"}),
    "approximate DP of pure": (LAPLACE, {"kind": "approx-dp", "epsilon": "0.5", "delta": "0"}, {"epsilon": "0.4999"}),
    "cells": (LAPLACE, {"kind": "output-dp", "cells": {"a": "0.5", "b": "1"}, "delta": "0"},
              {"cells": {"a": "0.4999", "b": "1"}}),
    "zCDP": (GAUSSIAN, {"kind": "zcdp", "rho": "1/8"}, {"rho": "0.1249"}),
    "zCDP of pure": (LAPLACE, {"kind": "zcdp", "rho": "1/8"}, {"rho": "0.1249"}),
    "Gaussian DP": (GAUSSIAN, {"kind": "gaussian-dp", "mu": "1/2"}, {"mu": "0.4999"}),
    "Renyi": (GAUSSIAN, {"kind": "rdp", "orders": {"4": "1/2", "8": "1"}}, {"orders": {"4": "1/2", "8": "0.999"}}),
    "four outcomes": (FOUR, {"kind": "approx-dp", "epsilon": "1", "delta": "1/100"}, {"delta": "0.0099"}),
    "four outcomes, their epsilon": (
        FOUR, {"kind": "approx-dp", "epsilon": "1", "delta": "1/100"}, {"epsilon": "0.99"}),
    "approximate DP of a Gaussian": (
        GAUSSIAN, {"kind": "approx-dp", "epsilon": "1", "delta": "0.01"}, {"epsilon": "0.9", "delta": "0.005"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FOLLOWS)
def test_a_guarantee_must_follow_from_its_mechanism(name: str) -> None:
    law, guarantee, less = FOLLOWS[name]
    assert read(ledger({"mechanism": law, "guarantee": guarantee}), MOST).events[0].law is not None
    with pytest.raises(Refused, match="follows from its law"):
        read(ledger({"mechanism": law, "guarantee": {**guarantee, **less}}), MOST)


@pytest.mark.parametrize(
    ("law", "guarantee"),
    [
        (LAPLACE, {"kind": "gaussian-dp", "mu": "9"}), (LAPLACE, {"kind": "rdp", "orders": {"2": "9"}}),
        (GAUSSIAN, {"kind": "pure-dp", "epsilon": "99"}), (GAUSSIAN, {"kind": "bounded-range", "epsilon": "99"}),
        (FOUR, {"kind": "zcdp", "rho": "9"}), (FOUR, {"kind": "pure-dp", "epsilon": "9"}),
    ],
)  # fmt: skip
def test_a_guarantee_of_another_kind_is_not_taken(law: Document, guarantee: Document) -> None:
    with pytest.raises(Refused, match="follows from its law"):
        read(ledger({"mechanism": law, "guarantee": guarantee}), MOST)


# -- mechanisms ---------------------------------------------------------------------------------------------------


def law_of(found: Document, reading: str = MOST, neighbours: str = "add-or-remove-one") -> Any:
    return mechanism(found, "m", reading, neighbours)


def test_what_mechanisms_imply() -> None:
    assert law_of({**GAUSSIAN, "sensitivity": "3"}).rho == F(9, 8)
    assert law_of({"kind": "gaussian", "sigma_squared": "3", "sensitivity_squared": "2"}).mu_squared == F(2, 3)
    assert law_of({"kind": "discrete-gaussian", "sigma": "2", "shifts": ["1", "-2", "0"]}).rho == F(5, 8)
    assert law_of({"kind": "laplace", "scale": "2", "shifts": ["1", "-2"]}).pure == F(3, 2)
    assert law_of({"kind": "geometric", "scale": "2", "shifts": ["1", "3"]}).pure == 2
    assert law_of({"kind": "randomized-response", "epsilon": "1"}).pure == 1
    for reading, bound in ((MOST, 1), (LEAST, -1)):
        found = law_of({"kind": "randomized-response", "probability": "3/4", "outcomes": "3"}, reading).pure
        with working(256):
            away = rational(found) - rational(6).log()
            assert end(away, up=True) * bound >= 0 or end(away, up=False) * bound >= 0
            assert abs(end(away, up=True)) < F(1, 2**118)
    # The logarithm of a fraction so near e lies 2^-137 units above 1, or below: no ball tells it from 1.
    for p, q in (
        (3224546177070375504839670260260400797251, 1186244245652160441069426743288856160849),
        (162856031922762339083408277730932270531176, 59911386015144380676529795854455292984675),
    ):
        odds = {"kind": "randomized-response", "probability": str(F(p, p + q))}
        assert [law_of(odds, reading).pure for reading in (MOST, LEAST)] == [1 + F(1, 2**120), 1 - F(1, 2**120)]
    assert law_of(FOUR).approx == (1, F(1, 100))
    assert law_of(FOUR).attained


def test_what_runs_on_bins_and_on_all_records_imply() -> None:
    """Two bins or more have a pair where no record is replaced; of new ones in each epoch every epoch has its own."""
    run = RUN["mechanism"]
    for bins, attained in (("2", False), ("1", True)):
        replaced = law_of({**run, "bins": bins}, neighbours="replace-one")
        assert (replaced.pairs, replaced.attained) == ((Pair(Normal(F(1))),), attained)
    for bins, drawn, runs in (("1", "each-epoch", 1), ("2", "each-epoch", 4), ("2", "once", 1)):
        found = law_of({**run, "bins": bins, "drawn": drawn, "epochs": "4"})
        assert found.attained
        (lost,) = found.lost
        assert lost.base.square == 4 * law_of({**run, "epochs": "1"}).mu_squared
        if bins != "1":
            assert (lost.base.bins, lost.base.held) == (2 * runs, runs)
    whole = {"kind": "subsampled", "base": GAUSSIAN, "rate": "1", "sampling": "poisson"}
    assert law_of(whole).rho == law_of(GAUSSIAN).rho
    assert law_of({**whole, "batch_cap": 5, "records": 9}) is None
    for neighbours in ("replace-one", "zero-out"):
        assert law_of({**whole, "sampling": "fixed-size"}, neighbours=neighbours).pairs == law_of(GAUSSIAN).pairs


@pytest.mark.parametrize(
    ("found", "match"),
    [
        ({"kind": "laplace", "scale": "1", "shifts": "1"}, "list"),
        ({"kind": "laplace", "scale": "1", "shifts": []}, "list"),
        ({"kind": "laplace", "scale": "1", "shifts": ["1"] * 1001}, "list"),
        ({"kind": "geometric", "scale": "1", "shifts": ["1/2"]}, "whole"),
        ({**GAUSSIAN, "sigma": "1e61"}, "60 digits"), ({**GAUSSIAN, "sigma": "0"}, "above 0"),
        ({"kind": "randomized-response", "epsilon": "1", "outcomes": "1"}, "whole number"),
        ({"kind": "randomized-response", "probability": "1"}, "likeliest"),
        ({"kind": "randomized-response", "probability": "1/4"}, "likeliest"),
        ({"kind": "four-outcome-randomized-response"}, "give epsilon"),
        ({**RUN["mechanism"], "base": {"kind": "other", "description": "x"}}, "no law"),
        ({**RUN["mechanism"], "base": RUN["mechanism"]}, "no law"),
    ],
)  # fmt: skip
def test_mechanisms_that_are_none(found: Document, match: str) -> None:
    with pytest.raises(Malformed, match=match):
        law_of(found)


# -- events -------------------------------------------------------------------------------------------------------


def test_moments_of_events() -> None:
    def moment(item: Document, order: Fraction) -> Fraction:
        with working(256):
            return end(renyi_moment(read(ledger(item), MOST).events[0], order), up=True)

    assert moment(event("rdp", orders={"4": "1", "9": "2"}), F(5)) == 8
    assert moment(event("bounded-range", epsilon="1/2"), F(3)) == F(3, 16)
    assert moment(event("bounded-range", epsilon="8"), F(3)) == 16
    assert moment(event("zcdp", rho="1/3"), F(4)) >= 4
    assert moment(event("zcdp", rho="1/3"), F(4)) < 4 + TINY


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"rule": "capped-count", "base": "1/2", "per": "1/10", "cap": 3},
         {"0": "1/2", "1": "3/5", "2": "7/10", "3 or more": "4/5"}),
        ({"rule": "capped-count", "base": "1/2", "per": "0", "cap": 3}, {"0 or more": "1/2"}),
        ({"rule": "constant", "eps": "2", "cells": ["a", "b"]}, {"a": "2", "b": "2"}),
        ({"rule": "iterations", "k": ["2", "5"], "E": ["1", "3/2"]}, {"2": "1", "5": "3/2"}),
        ({"rule": "ptr", "eps": "1/2"}, {"answer": "1", "bottom": "1/2"}),
        ({"rule": "svt-count", "eps1": "1", "eps2": "3", "c": 2}, {"0": "1", "1": "5/2", "2": "4"}),
    ],
)  # fmt: skip
def test_cells_by_a_rule(rule: Document, expected: dict[str, str]) -> None:
    found = read(ledger(event("output-dp", partition=rule, delta="0")), MOST).events[0].guarantee
    assert found is not None
    assert dict(found.cells) == {name: F(cost) for name, cost in expected.items()}


@pytest.mark.parametrize(
    "rule",
    [
        {"rule": "iterations", "k": ["2", "5"], "E": ["1"]}, {"rule": "iterations", "k": ["5", "2"], "E": ["1", "2"]},
        {"rule": "iterations", "k": ["2"], "E": ["-1"]}, {"rule": "constant", "eps": "2", "cells": ["a", "a"]},
        {"rule": "constant", "eps": "2", "cells": []},
    ],
)  # fmt: skip
def test_rules_that_are_none(rule: Document) -> None:
    with pytest.raises(Malformed):
        read(ledger(event("output-dp", partition=rule, delta="0")), MOST)


def test_a_selected_trial_pays_for_itself_several_times() -> None:
    for how, times in (("above-threshold", 2), ("best-of-random-number", 3)):
        for item in (pure("1/2"), {"mechanism": LAPLACE}):
            found = read(ledger({**item, "selected": how}), MOST).events[0]
            assert found.dp == (times * F(1, 2), 0)
            assert found.law is None
            assert found.selected


def test_budgets_have_their_own_shape() -> None:
    for budget in (
        {"epsilon": "1", "delta": "0", "delta_prime": "1/2"}, {"rho": "1", "filter": "cks2020/zcdp2dp"},
        {"epsilon": "1", "delta": "0", "filter": "whitehouse2023/thm1"},
        {"rho": "1", "delta": "1/2", "delta_prime": "1/4", "filter": "whitehouse2023/thm1"},
    ):  # fmt: skip
        with pytest.raises(Malformed, match="budget"):
            read(ledger(pure("1"), budget=budget), MOST)
    found = read(ledger(pure("1"), budget={"epsilon": "1", "delta": "1/2", "delta_prime": "1/2"}), MOST).budget
    assert found is not None
    assert found.prime == F(1, 2)


# -- groups, periods and parts ------------------------------------------------------------------------------------


def proved(record: Document, claim: Document, by: str, **more: Any) -> bool:
    said = {
        "schema": "certificate.2", "claim": {"id": "c", **claim}, "verdict": "confirmed",
        "ledger": {"sha256": kernel.numbers.digest(record, "ledger"), "document": record},
        "proofs": [{"by": by, "witness": {}, **more}],
    }  # fmt: skip
    try:
        return kernel.check(said).verdict == "confirmed"
    except Refused:
        return False


BASIC, RHO, GDP = "rogers2016/thm2.9", "whitehouse2023/thm1", "gdp/composition"
#: A ledger of add-or-remove-one, the theorem, and a claim that is just true; and one number of it that is too small.
SIZES: dict[str, tuple[Document, str, Document, Document]] = {
    "a group of pure DP": (
        records(pure("1/2")), BASIC, {"epsilon": "3/2", "delta": "0", "units": 3}, {"epsilon": "1.49"}),
    "a group of zCDP": (records(event("zcdp", rho="1/2")), RHO, {"rho": "9/2", "units": 3}, {"rho": "4.49"}),
    "a group of Gaussian DP": (records(event("gaussian-dp", mu="1")), GDP, {"mu": "3", "units": 3}, {"mu": "2.99"}),
    "one replaced": (
        records(pure("1/2")), BASIC, {"epsilon": "1", "delta": "0", "neighbours": "replace-one"}, {"epsilon": "0.99"}),
    "two replaced": (
        records(pure("1/2")), BASIC, {"epsilon": "2", "delta": "0", "units": 2, "neighbours": "replace-one"},
        {"epsilon": "1.99"}),
    "three days": (
        records(pure("1/2"), period="day"), BASIC, {"epsilon": "3/2", "delta": "0", "periods": 3}, {"epsilon": "1.49"}),
    "a group with a delta": (
        records(event("approx-dp", epsilon="0", delta="1/100")), BASIC, {"epsilon": "0", "delta": "0.03", "units": 3},
        {"delta": "0.0299"}),
}  # fmt: skip


@pytest.mark.parametrize("name", SIZES)
def test_a_claim_is_about_so_much(name: str) -> None:
    record, by, claim, less = SIZES[name]
    assert proved(record, claim, by)
    assert not proved(record, {**claim, **less}, by)


def test_periods_and_parts_need_what_they_rest_on() -> None:
    claim = {"epsilon": "3/2", "delta": "0", "periods": 3}
    assert not proved(records(pure("1/2")), claim, BASIC)
    assert not proved(records(pure("1/2"), period="day", parameters="chosen-adaptively"), claim, BASIC)
    one = {"epsilon": "1", "delta": "0"}
    north, south = ({**pure("1"), "part": {"of": "county", "is": name}} for name in ("North", "South"))
    parted = {"partitions": {"county": "its code"}}
    assert proved(records(north, south, **parted), one, BASIC, case={"county": "North"})
    assert not proved(records(north, north, **parted), one, BASIC, case={"county": "North"})
    assert not proved(records(north, south, pure("1/2"), **parted), one, BASIC, case={"county": "North"})
    assert not proved(records(north, south, **parted), {**one, "units": 2}, BASIC, case={"county": "North"})
    assert not proved(ledger(north, south, **parted), one, BASIC, case={"county": "North"})


def test_cells_are_paid_one_after_another() -> None:
    """The largest cell of each round on top of what was seen before, also of equal rounds."""
    budget = {"budget": {"epsilon": "3", "delta": "0", "filter": "hartmann2022/alg1"}}
    dear = cells("b", 3, a="2", b="1/2")
    assert proved(ledger(dear, **budget), {"epsilon": "3", "delta": "0"}, "hartmann2022/alg1")
    small = {"budget": {**budget["budget"], "epsilon": "2.99"}}
    assert not proved(ledger(dear, **small), {"epsilon": "3", "delta": "0"}, "hartmann2022/alg1")


# -- numbers ------------------------------------------------------------------------------------------------------

NUMBERS = {
    "1.5e-1": F(3, 20), "-3/4": F(-3, 4), "+2": F(2), ".5": F(1, 2), "5.": F(5), "0x1.8p1": F(3), "-0x1p-2": F(-1, 4),
    "0xffp0": F(255), "0x1.08p4": F(33, 2), "007": F(7), "1e2": F(100),
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_read_exactly(text: str) -> None:
    assert number(text, "n") == NUMBERS[text]


@pytest.mark.parametrize(
    "text", [".", "", "e5", "1e", "1/0", "0x", "1_0", " 1", "1\n", "nan", "1e999999", 1, None, "0x1p9999"]
)
def test_what_is_no_number_is_refused(text: object) -> None:
    with pytest.raises(Malformed):
        number(text, "n")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("0.81", F(805, 1000), F(815, 1000)), ("5", F(9, 2), F(11, 2)), ("1.0e2", F(95), F(105)), ("0.0", F(0), F(1, 20))],
)
def test_a_rounded_number_has_two_ends(text: str, low: Fraction, high: Fraction) -> None:
    assert around({"rounded": text}, "n") == (low, high)


def test_sums_counts_and_how_numbers_are_shown() -> None:
    assert total([(F(1, 3), 2), (F(1, 6), 1)]) == F(5, 6)
    with pytest.raises(Refused, match="bits"):
        total([(F(1, 3**200_000), 1), (F(1, 5**200_000), 1)])
    assert count("12", "n") == 12
    for wrong in (True, 0, "012", 1.0, 10**16):
        with pytest.raises(Malformed):
            count(wrong, "n")
    assert shown(F(1, 3)) == "1/3"
    assert shown(F(1, 2**1000)) == "(a number of 1001 bits)"
    assert "…" in shown(F(1, 2**999))


@pytest.mark.parametrize(
    "text",
    ['{"a": 1.5}', '{"a": 1e3}', '{"a": NaN}', '{"a": 1, "a": 1}', "[1]", "{", '{"a": ' + "[" * 30 + "]" * 30 + "}"],
)
def test_documents_that_are_none(text: str) -> None:
    with pytest.raises(Malformed):
        document(text, "d")


def test_levels_are_counted_one_by_one_and_those_that_ended_no_more() -> None:
    """An object of 23 lists within each other has 24 levels, however many lists stand next to each other."""
    nested = "[" * 23 + "]" * 23
    beside = ", ".join(["[]"] * 40)
    assert set(document(f'{{"a": {nested}, "b": [{beside}], "c": {nested}}}', "d")) == {"a", "b", "c"}
    for text in (f'{{"a": [{nested}]}}', f'{{"b": [{beside}], "a": [{nested}]}}'):
        with pytest.raises(Malformed, match="levels"):
            document(text, "d")


@pytest.mark.parametrize(
    ("most", "more"),
    [
        ("1" * 4000, "1" * 4001),
        ("." + "1" * 4000, "." + "1" * 4001),
        ("1e3999", "1e4000"),
        ("12.5e3997", "12.5e3998"),
        ("1e-4000", "1e-4001"),
        ("1.5e-3999", "1.5e-4000"),
    ],
    ids=["whole", "part", "exponent", "all", "small", "a part and small"],
)
def test_a_number_has_at_most_four_thousand_digits(most: str, more: str) -> None:
    assert number(most, "n") == F(most)
    with pytest.raises(Malformed, match="digits"):
        number(more, "n")


def test_a_fraction_has_a_denominator_that_is_not_zero() -> None:
    assert (number("0/5", "n"), number("-6/4", "n"), number("+7/1", "n")) == (0, F(-3, 2), 7)
    for wrong in ("5/0", "0/0", "1/00"):
        with pytest.raises(Malformed, match="zero"):
            number(wrong, "n")


def test_brackets_in_texts_are_no_levels() -> None:
    said = "[" * 50 + '\\"' + "{" * 50
    assert document('{"a": "' + said + '"}', "d") == {"a": said.replace("\\", "")}


def test_a_text_that_does_not_end_is_refused_at_once() -> None:
    """Its levels are counted in one pass: a quotation mark that is not closed is not looked for again and again."""
    for unended in ('\\"', "\\", '"', "["):
        with pytest.raises(Malformed):
            document('{"a": "' + unended * 10**6, "d")


def test_ends_of_balls_are_rounded_outward() -> None:
    least = F(1, 2**50_000)
    with working(64):
        tiny = rational(2) ** -60_000
        assert (end(tiny, up=True), end(tiny, up=False)) == (least, 0)
        assert (end(-tiny, up=True), end(-tiny, up=False)) == (0, -least)
        assert end(rational(2) ** -50_001, up=True) == F(1, 2**50_001)
        with pytest.raises(Refused, match="large"):
            end(rational(2) ** 60_000, up=True)
        with pytest.raises(Refused, match="finite"):
            end(flint.arb("nan"), up=True)
        ball = flint.arb(1, 0.25)
        assert at_most(ball, F(5, 4) + TINY)
        assert not at_most(ball, F(5, 4) - TINY)
        assert above(ball, F(3, 4) - TINY)
        assert not above(ball, F(3, 4) + TINY)


#: Of 1000 others each drawn with probability 1/10 at least 110 are drawn with a chance of about 0.16.
OFTEN_CUT: Document = {
    "mechanism": {
        "kind": "subsampled", "base": {"kind": "randomized-response", "epsilon": "1"}, "rate": "1/10",
        "sampling": "poisson", "batch_cap": "110", "records": "1000",
    }
}  # fmt: skip
WINDOW = {"step": "1/8", "bits": 64, "low": -40, "high": 40, "own": 40}


@pytest.mark.parametrize(("delta", "holds"), [("0.06", True), ("0.04", False), ("0.03", False), ("0.01", False)])
def test_a_cut_batch_costs_its_chance(delta: str, holds: bool) -> None:
    """At epsilon 1 the whole samples lose nothing: what is left is e times the chance that a cut batch has the record.

    That is 0.1 of 0.16 for a removal, and e times as much for an addition.
    """
    claim = {"epsilon": "1", "delta": delta}
    assert proved(records(OFTEN_CUT), claim, "chua2024b/truncated", witness=WINDOW) is holds
    assert not proved(
        records(OFTEN_CUT, OFTEN_CUT), {"epsilon": "2", "delta": delta}, "chua2024b/truncated", witness=WINDOW
    )


@pytest.mark.parametrize(
    ("claim", "witness", "holds"),
    [
        ({"epsilon": "1.2", "delta": "1e-4"}, {"points": 4096, "bits": 128}, True),
        ({"epsilon": "1.2", "delta": "1e-4"}, {"points": 20, "bits": 128}, False),
        ({"epsilon": "1.2", "delta": "1e-4"}, {"points": 4096, "bits": 32}, False),
        ({"epsilon": "1.2", "delta": "1e-4"}, {"points": 2**20, "bits": 128}, False),
        ({"epsilon": "201", "delta": "1e-4"}, {"points": 4096, "bits": 128}, False),
        ({"epsilon": "1.19", "delta": "1e-4"}, {"points": 16384, "bits": 128}, False),
        ({"epsilon": "0", "delta": "0.2"}, {"points": 1024, "bits": 128}, True),
        ({"epsilon": "0", "delta": "0.1"}, {"points": 4096, "bits": 128}, False),
    ],
)
def test_a_lattice_shows_what_a_run_on_bins_loses_at_most(claim: Document, witness: Document, holds: bool) -> None:
    assert proved(records(RUN), claim, "chua2025/allocation", witness=witness) is holds


def test_claims_about_rounded_and_halted_events() -> None:
    """The larger end of a rounded epsilon confirms; an event that was halted costs nothing, and makes all adaptive."""
    rounded = event("pure-dp", 2, epsilon={"rounded": "0.5"})
    assert proved(records(rounded), {"epsilon": "1.1", "delta": "0"}, BASIC)
    assert not proved(records(rounded), {"epsilon": "1.09", "delta": "0"}, BASIC)
    halted = {**pure("1"), "decision": "halt"}
    assert not proved(records(pure("1"), halted), {"epsilon": "9", "delta": "0"}, BASIC)
    budget = {"budget": {"epsilon": "1", "delta": "0", "filter": "rogers2016/thm3.3"}}
    assert proved(records(pure("1"), halted, **budget), {"epsilon": "1", "delta": "0"}, "rogers2016/thm3.3")
    assert not proved(
        records(pure("1"), pure("1"), halted, **budget), {"epsilon": "1", "delta": "0"}, "rogers2016/thm3.3"
    )


def test_a_lower_bound_of_moments_is_of_rho_without_delta() -> None:
    """The rhos of declared Gaussian mechanisms add up, where one pair of neighbours attains them all."""
    record = records({"count": 3, "mechanism": GAUSSIAN}, attained_together=True)

    def refuted(claim: Document) -> bool:
        said = {
            "schema": "certificate.2", "claim": {"id": "c", **claim}, "verdict": "refuted",
            "ledger": {"sha256": kernel.numbers.digest(record, "ledger"), "document": record},
            "proofs": [{"by": "moment", "witness": {"events": [0]}}],
        }  # fmt: skip
        try:
            return kernel.check(said).verdict == "refuted"
        except Refused:
            return False

    assert refuted({"rho": "0.374"})
    assert not refuted({"rho": "3/8"})
    assert refuted({"mu": "0.866"})
    assert not refuted({"mu": "0.8661"})
    assert not refuted({"rho": "0.374", "delta": "1e-9"})
    assert not refuted({"epsilon": "0.1", "delta": "1e-9"})


def test_ex_post_rounds_are_paid_one_after_another() -> None:
    """The largest cell of each round on top of what the rounds before it released."""
    by = "rswr2023/ex_post_filter"
    dear = cells("b", 3, a="2", b="1/2")
    for size, holds in (("3", True), ("2.99", False)):
        budget = {"epsilon": size, "delta": "1e-6", "filter": by}
        record = ledger(dear, budget=budget, tuning={by: {"order": "8"}})
        assert proved(record, {"epsilon": "3", "delta": "1e-6"}, by) is holds


def test_a_split_by_halves_is_half_of_the_budgets_delta() -> None:
    border = value("whitehouse2023/thm2.f", eps=SPELLED, delta_prime="1e-6")
    by = "whitehouse2023/thm2"
    for size, holds in ((border.upper * (1 + TINY), True), (border.lower * (1 - TINY), False)):
        budget = {"budget": {"epsilon": str(size), "delta": "2e-6", "filter": by}}
        record = {**ledger(pure("1/10", 40), pure("3/10", 7), **budget), "parameters": "chosen-adaptively"}
        assert proved(record, {"epsilon": "50", "delta": "2e-6"}, by) is holds


def test_a_claim_about_a_group_through_one_unit() -> None:
    """delta (1 + e^(1/2)) of two units: 2.6487e-6."""
    record = records(event("approx-dp", epsilon="1/2", delta="1e-6"))
    for unit, delta, holds in (
        ("1e-6", "2.65e-6", True), ("1e-6", "2.64e-6", False), ("9e-7", "2.65e-6", False), ("1.1e-6", "2.65e-6", False),
    ):  # fmt: skip
        claim = {"epsilon": "1", "delta": delta, "units": 2}
        assert proved(record, claim, BASIC, of_unit={"epsilon": "1/2", "delta": unit}) is holds
    less = {"epsilon": "0.99", "delta": "1", "units": 2}
    assert not proved(record, less, BASIC, of_unit={"epsilon": "1/2", "delta": "1e-6"})


def test_parts_that_read_differently_are_of_one_period() -> None:
    north, south = ({**pure("1"), "part": {"of": "county", "is": name}} for name in ("North", "South"))
    more = {"partitions": {"county": "its code"}, "period": "day"}
    two = {"epsilon": "2", "delta": "0", "periods": 2}
    assert proved(records(north, south, **more), two, BASIC, case={"county": "North"})
    assert not proved(records(north, {**south, "count": 2}, **more), two, BASIC, case={"county": "North"})


def test_the_filter_of_several_orders_has_those_of_the_machine() -> None:
    from privref.adaptive.machines import ORDERS
    from privref.kernel.theorems import GRID_ORDERS

    assert GRID_ORDERS == ORDERS


def test_a_joint_ledger_in_parts_says_so() -> None:
    item = {**pure("1"), "part": {"of": "county", "is": "North"}}
    together = [{"title": name, "sha256": name * 64} for name in "01"]
    record = records(item, partitions={"county": "its code"}, together=together)
    assert any("same part of a partition in every ledger" in each for each in read(record, MOST).premises)
    plain = read(records(pure("1"), together=together), MOST).premises
    assert not any("partition" in each for each in plain)
    assert len(plain) == 3


def test_an_enforced_rho_is_converted_at_what_its_delta_leaves() -> None:
    prime = (F(1, 10**6) - F(2, 10**7)) / (1 - F(2, 10**7))
    border = value("whitehouse2023/lem1.zcdp2dp.eps", rho="1", delta_prime=str(prime))
    budget = {"rho": "1", "delta": "2e-7", "filter": RHO}
    record = ledger(event("zcdp", rho="1", delta="1e-7"), budget=budget, parameters="chosen-adaptively")
    for size, holds in ((border.upper * (1 + TINY), True), (border.lower * (1 - TINY), False)):
        assert proved(record, {"epsilon": str(size), "delta": "1e-6"}, "whitehouse2023/lem1") is holds
    assert not proved(record, {"epsilon": "99", "delta": "2e-7"}, "whitehouse2023/lem1")


@pytest.mark.parametrize(("units", "order", "cost"), [(2, "4", "3/10"), (3, "2", "9/10"), (4, "2", "9/10")])
def test_a_group_of_renyi_dp(units: int, order: str, cost: str) -> None:
    border = value("cks2020/rdp2dp.eps", order=order, eps_order=cost, delta="1e-6")
    record = records(event("rdp", orders={"8": "1/10"}))
    for size, holds in ((border.upper * (1 + TINY), True), (border.lower * (1 - TINY), False)):
        claim = {"epsilon": str(size), "delta": "1e-6", "units": units}
        assert proved(record, claim, "cks2020/rdp2dp", witness={"order": order}) is holds
    assert not proved(record, {"epsilon": "99", "delta": "1e-6", "units": 5}, "cks2020/rdp2dp", witness={"order": "2"})


def test_a_group_of_events_with_a_delta() -> None:
    """delta (1 + e^(1/2)) for each event: 2.6487e-6."""
    record = records(event("approx-dp", epsilon="1/2", delta="1e-6"))
    for delta, holds in (("2.6488e-6", True), ("2.6487e-6", False)):
        assert proved(record, {"epsilon": "1", "delta": delta, "units": 2}, BASIC) is holds
    assert not proved(record, {"epsilon": "0.99", "delta": "1", "units": 2}, BASIC)


def test_a_worst_case_of_gaussian_dp_has_half_its_square() -> None:
    record = ledger(event("gaussian-dp", mu="3"))

    def underivable(claim: Document) -> bool:
        said = {
            "schema": "certificate.2", "claim": {"id": "c", **claim}, "verdict": "underivable",
            "ledger": {"sha256": kernel.numbers.digest(record, "ledger"), "document": record},
            "proofs": [{"by": "moment", "witness": {"events": [0]}}],
        }  # fmt: skip
        try:
            return kernel.check(said).verdict == "underivable"
        except Refused:
            return False

    assert underivable({"rho": "4.49"})
    assert not underivable({"rho": "4.5"})
    assert underivable({"mu": "2.99"})
    assert not underivable({"mu": "3"})


def test_two_answers_are_zcdp_between_all_orders_of_the_cover() -> None:
    """A cover with gaps, or one that ends too early, shows nothing."""
    from tests.kernel.test_certificates import false, is_refused, replaced

    document = false("two points")
    orders = document["proofs"][0]["witness"]["orders"]
    place = ("proofs", 0, "witness", "orders")
    for changed in (orders[::16], [*orders[::16], orders[-1]], orders[-1:], orders[: len(orders) // 2], orders[::-1]):
        assert is_refused(replaced(document, place, changed)), len(changed)


@pytest.mark.parametrize("removal", [True, False])
def test_a_refutation_of_cut_samples_leaves_out_what_a_cut_may_change(removal: bool) -> None:
    """The lower bound less the chance that the record is in a cut batch, times e^epsilon for an addition."""
    from privref.kernel.grid import Grid, lower_delta
    from privref.kernel.theorems import drawn

    law = {
        "kind": "subsampled", "base": {"kind": "randomized-response", "epsilon": "3"}, "rate": "1/2",
        "sampling": "poisson", "batch_cap": "540", "records": "1000",
    }  # fmt: skip
    record, epsilon, threshold = records({"mechanism": law}), F(1, 2), 33
    (one,) = read(record, LEAST).events
    assert one.law is not None
    grid = {"step": "1/64", "bits": 64, "low": -300, "high": 300, "own": 300}
    with working(256):
        found = lower_delta([(one.law.pairs[0], 1)], removal, Grid(F(1, 64), 64, -300, 300, 300), threshold, epsilon)
        held, _ = drawn([one], Goal("epsilon", Fraction(0), Fraction(0)))
        border = end(found - held * (1 if removal else rational(epsilon).exp()), up=False)
    assert border > F(1, 10)
    for delta, holds in ((border * (1 - TINY), True), (border * (1 + TINY), False)):
        said = {
            "schema": "certificate.2", "claim": {"id": "c", "epsilon": "1/2", "delta": str(delta)},
            "verdict": "refuted", "ledger": {"sha256": kernel.numbers.digest(record, "ledger"), "document": record},
            "proofs": [{"by": "event", "witness": {
                "events": [0], **grid, "threshold": threshold, "removal": removal}}],
        }  # fmt: skip
        try:
            refuted = kernel.check(said).verdict == "refuted"
        except Refused:
            refuted = False
        assert refuted is holds
