"""Filters, odometers and the martingale boundaries behind them: Rogers et al. 2016 and Whitehouse et al. 2023."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from privref.exact.numbers import spell
from privref.statements.registry import evaluate
from privref.vectors.cases import Case, case, grid, plan, refused, rounds

from .values import BELOW_ONE_DOUBLE, DELTAS, LEAST_SUBNORMAL, TENTH_DOUBLE, TINY_DELTAS

_EXHAUSTING = (("0.1", 10), ("1/3", 3), ("0.01", 100), ("1/7", 7), ("0.2", 5))
_VARIANCES = ("0", "1/1000", "0.1", "1", "25")


@plan("rogers2016/thm3.3.filter", "decision")
def basic_filter() -> Iterator[Case]:
    for value, times in _EXHAUSTING:
        for extra in (-1, 0, 1):
            yield case(
                "halting-step exact-exhaustion",
                f"{times + extra} rounds of {value} on a budget of 1: {times} fit exactly.",
                eps=rounds(value, times + extra),
                delta=["0"],
                eps_g="1",
                delta_g="0",
            )
    for times in (9, 10, 11):
        yield case(
            "halting-step",
            f"{times} rounds of the double nearest to 0.1: the tenth passes 1 by 5.6e-17.",
            eps=[TENTH_DOUBLE] * times,
            delta=["0"],
            eps_g="1",
            delta_g="0",
        )
    for tiny in TINY_DELTAS:
        yield case(
            "tiny-delta halting-step",
            f"The delta budget of 1/2 is passed by {tiny}.",
            eps=["0"],
            delta=["1/2", tiny],
            eps_g="1",
            delta_g="1/2",
        )
        yield case(
            "tiny-delta boundary",
            f"Ten deltas of {tiny} on a budget of ten times that.",
            eps=["0"],
            delta=rounds(tiny, 10),
            eps_g="1",
            delta_g=spell(10 * Fraction(tiny)),
        )
    yield case("cancellation halting-step", "1 + 1e-17.", eps=["1", "1e-17"], delta=[], eps_g="1", delta_g="0")
    yield case("boundary", "Nothing was asked.", eps=[], delta=[], eps_g="0", delta_g="0")
    yield case("boundary", "No budget, the least of costs.", eps=["1e-400"], delta=[], eps_g="0", delta_g="0")
    yield case(
        "huge-k",
        "A million million rounds that fit exactly.",
        eps=rounds("1e-12", 10**12),
        delta=[],
        eps_g="1",
        delta_g="0",
    )
    yield case("huge-k halting-step", "One more.", eps=rounds("1e-12", 10**12 + 1), delta=[], eps_g="1", delta_g="0")


@plan("rogers2016/thm3.3.odometer", "loss")
def basic_odometer() -> Iterator[Case]:
    yield from grid(
        "ordinary", "The running sum.", eps=(["0.1", "0.2"], ["1"]), delta=(["0"], ["1e-6"]), delta_g=("1e-6", "1e-5")
    )
    yield from grid(
        "exact-exhaustion", "Ten tenths.", eps=(["0.1"] * 10, [TENTH_DOUBLE] * 10), delta=([],), delta_g=("0",)
    )
    yield case("boundary", "The delta budget is used up exactly.", eps=["1"], delta=["0.1"] * 3, delta_g="0.3")
    yield case(
        "halting-step",
        "The delta budget is passed: no finite reading.",
        eps=["1"],
        delta=["0.1"] * 3,
        delta_g="0.2999999999999999999",
    )
    for tiny in TINY_DELTAS:
        yield case("tiny-delta halting-step", f"It is passed by {tiny}.", eps=["1"], delta=["1/2", tiny], delta_g="1/2")
    yield case("boundary", "Nothing was asked.", eps=[], delta=[], delta_g="0")


@plan("rogers2016/thm5.1.bound", "loss")
def rogers_filter_bound() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "The left side of the filter's comparison.",
        eps=(rounds("0.01", 1000), rounds("0.1", 20), ["0.5", "0.1"]),
        eps_g=("1/2", "1", "5"),
        delta_g=DELTAS,
    )
    yield from grid("tiny-delta", "Tiny delta_g.", eps=(rounds("0.01", 100),), eps_g=("1",), delta_g=TINY_DELTAS)
    yield from grid(
        "boundary",
        "No rounds: the bound is positive and below eps_g.",
        eps=([], ["0"]),
        eps_g=("1",),
        delta_g=("1e-6", "0.3"),
    )
    yield case("boundary", "delta_g just below 1/e.", eps=["0.1"], eps_g="1", delta_g="0.36787944117144232")
    yield case("huge-k", "A million million rounds.", eps=rounds("1e-6", 10**12), eps_g="1", delta_g="1e-6")
    yield case("cancellation", "e^eps - 1 without expm1.", eps=rounds("1e-17", 100), eps_g="1", delta_g="1e-6")


@plan("rogers2016/thm5.1.decision", "decision")
def rogers_filter() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "Well inside and well outside.",
        eps=(rounds("0.01", 10), rounds("0.1", 500)),
        delta=(["0"],),
        eps_g=("1",),
        delta_g=DELTAS,
    )
    # The last round of 1/100 that still runs, by delta_g; one round to either side.
    for delta_g, last in _last_rounds("0.01", "1", ("1e-5", "1e-6", "1e-10", "1e-30")):
        for asked in (last - 1, last, last + 1, last + 2):
            yield case(
                "halting-step",
                f"{asked} rounds of 0.01; {last} run.",
                eps=rounds("0.01", asked),
                delta=["0"],
                eps_g="1",
                delta_g=delta_g,
            )
    yield case("boundary", "Half of delta_g, exactly.", eps=["0.01"], delta=["5e-7"], eps_g="1", delta_g="1e-6")
    yield case(
        "halting-step tiny-delta",
        "Half of delta_g and 1e-30 more.",
        eps=["0.01"],
        delta=["5e-7", "1e-30"],
        eps_g="1",
        delta_g="1e-6",
    )
    yield case("boundary", "Nothing was asked.", eps=[], delta=[], eps_g="1", delta_g="1e-6")


def _last_rounds(value: str, eps_g: str, deltas: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """By bisection on the statement itself: how many equal rounds the filter of thm5.1 runs."""

    def continues(times: int, delta_g: str) -> bool:
        inputs = {"eps": rounds(value, times), "delta": ["0"], "eps_g": eps_g, "delta_g": delta_g}
        return evaluate("rogers2016/thm5.1.decision", inputs).value == "CONT"

    for delta_g in deltas:
        low, high = 1, 1 << 20
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if continues(middle, delta_g) else (low, middle)
        yield delta_g, low


@plan("rogers2016/thm4.1.radius", "loss")
def martingale_radius() -> Iterator[Case]:
    yield from _martingale("U2", "beta", "delta")


@plan("rogers2016/thm4.1.additive", "loss")
def martingale_additive() -> Iterator[Case]:
    yield from _martingale("U2", "beta", "delta")


def _martingale(variance: str, tuning: str, delta: str) -> Iterator[Case]:
    yield from grid(
        "ordinary", "The boundary.", **{variance: ("0.1", "1", "4"), tuning: ("1/10", "1"), delta: ("0.01", "1e-6")}
    )
    yield from grid("tiny-delta", "Tiny delta.", **{variance: ("1",), tuning: ("1",), delta: TINY_DELTAS})
    yield from grid("boundary", "No variance yet.", **{variance: ("0",), tuning: ("1/10", "1"), delta: ("0.01",)})
    yield from grid(
        "cancellation", "log(1 + tiny).", **{variance: ("1e-20", "1e-40"), tuning: ("1",), delta: ("0.01",)}
    )
    yield from grid("huge-k", "Much variance.", **{variance: ("1e12",), tuning: ("1", "1e-6"), delta: ("1e-6",)})


@plan("rogers2016/thm6.2.eq3", "loss")
def rogers_eq3() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "Between 1/n^2 and 1.",
        eps=(rounds("0.01", 100), rounds("0.1", 20)),
        n=("1000", "10"),
        delta_g=DELTAS,
    )
    yield from grid("tiny-delta", "Tiny.", eps=(rounds("0.01", 100),), n=("1000",), delta_g=TINY_DELTAS)
    yield case("boundary", "The sum of squares is 1 exactly.", eps=rounds("0.1", 100), n="1000", delta_g="1e-6")
    yield case("boundary", "The sum of squares is 1/n^2 exactly.", eps=["0.001"], n="1000", delta_g="1e-6")


@plan("rogers2016/thm6.2.eq4", "loss")
def rogers_eq4() -> Iterator[Case]:
    yield from grid(
        "ordinary", "Outside [1/n^2, 1].", eps=(rounds("0.1", 200), ["2"]), n=("1000", "10"), delta_g=DELTAS
    )
    yield from grid("boundary", "No rounds.", eps=([],), n=("2", "1000"), delta_g=("1e-6",))
    yield from grid("tiny-delta", "Tiny.", eps=(["2"],), n=("1000",), delta_g=TINY_DELTAS)


@plan("rogers2016/thm6.2.odometer", "loss")
def rogers_odometer() -> Iterator[Case]:
    yield from grid(
        "ordinary",
        "The odometer on both branches.",
        eps=(rounds("0.01", 100), rounds("0.1", 200), ["0.0001"]),
        delta=(["0"],),
        n=("1000",),
        delta_g=DELTAS,
    )
    for eps, what in (
        (rounds("0.1", 100), "1 exactly: the first branch"),
        ([*rounds("0.1", 100), "1e-12"], "just above 1: the second branch"),
        (["0.001"], "1/n^2 exactly: the first branch"),
        (["0.000999999999999999999"], "just below 1/n^2: the second branch"),
    ):
        yield case("boundary", f"The sum of squares is {what}.", eps=eps, delta=[], n="1000", delta_g="1e-6")
    yield case("boundary", "Half of delta_g, exactly.", eps=["0.1"], delta=["5e-7"], n="1000", delta_g="1e-6")
    yield case(
        "halting-step",
        "A little more: no finite reading.",
        eps=["0.1"],
        delta=["5e-7", "1e-30"],
        n="1000",
        delta_g="1e-6",
    )
    yield case(
        "hypothesis-trap",
        "n need not be a whole number, nor a power of two.",
        eps=["0.1"],
        delta=[],
        n="5/2",
        delta_g="1e-6",
    )


@plan("whitehouse2023/thm2.f", "loss")
def whitehouse_f() -> Iterator[Case]:
    yield from grid(
        "ordinary", "f(V), V = sum eps^2.", eps=(["0.1"] * 10, rounds("0.01", 1000), ["1", "0.5"]), delta_prime=DELTAS
    )
    yield from grid("tiny-delta", "Tiny delta'.", eps=(["0.1"] * 10,), delta_prime=TINY_DELTAS)
    yield from grid("boundary", "delta' = 1, or no rounds.", eps=([], ["1"]), delta_prime=("1", "1e-6"))
    yield case(
        "hypothesis-trap",
        "100 rounds of 0.01: eq. (2), for fixed parameters, gives less.",
        eps=rounds("0.01", 100),
        delta_prime="1e-6",
    )
    yield case("huge-k", "A million million rounds.", eps=rounds("1e-6", 10**12), delta_prime="1e-6")
    yield case("subnormal", "The squares underflow.", eps=["1e-200"] * 4, delta_prime="1e-6")


@plan("whitehouse2023/thm2.delta", "delta")
def filter_delta() -> Iterator[Case]:
    yield from grid("ordinary", "Both parts.", delta_prime=("1e-6", "1/3", "1"), delta_pp=("0", "1e-9", "1/10"))
    yield case("cancellation", "delta'' vanishes beside delta'.", delta_prime="1/2", delta_pp="1e-20")
    yield case("subnormal", "The least parts.", delta_prime="5e-324", delta_pp="5e-324")


@plan("feldman2021/renyi_filter.decision", "decision")
def renyi_filter() -> Iterator[Case]:
    # At order 10 and delta' = 1e-6 the conversion costs 1.1738 of epsilon: 0.826 are left of 2.
    shared = {"order": "10", "eps_g": "2", "delta_prime": "1e-6", "delta_pp": "1e-6"}
    for asked in (8, 9):
        yield case(
            "halting-step", "Rounds of 0.1: eight run.", eps_order=rounds("0.1", asked), delta=["0"] * asked, **shared
        )
    for times in (10, 11):
        yield case(
            "exact-exhaustion",
            "The deltas: ten of 1e-7 run.",
            eps_order=["0"] * times,
            delta=["1e-7"] * times,
            **shared,
        )
    yield case("boundary", "Nothing asked.", eps_order=[], delta=[], **shared)
    yield case("boundary", "The conversion alone is too dear.", eps_order=[], delta=[], **{**shared, "order": "2"})
    yield case("tiny-delta", "A tiny delta'.", eps_order=["1"], delta=["0"], **{**shared, "delta_prime": "1e-300"})
    yield case("huge-k", "Very many rounds.", eps_order=rounds("1e-12", 10**11), delta=rounds("0", 10**11), **shared)


@plan("feldman2021/response_filter.decision", "decision")
def response_filter() -> Iterator[Case]:
    shared = {"order": "6", "eps_g": "8", "delta_prime": "1e-6", "delta_pp": "1e-6"}
    for asked in (9, 10, 11, 12):
        yield case("halting-step", "Rounds of 1.", eps=rounds("1", asked), delta=["0"] * asked, **shared)
    for asked in (700, 800, 900, 1000):
        yield case("halting-step", "Rounds of 0.1.", eps=rounds("0.1", asked), delta=[], **shared)
    for times in (10, 11):
        yield case("exact-exhaustion", "The deltas: ten of 1e-7 run.", eps=[], delta=["1e-7"] * times, **shared)
    yield case("boundary", "Nothing asked.", eps=[], delta=[], **shared)
    yield case("boundary", "The conversion alone is too dear.", eps=[], delta=[], **{**shared, "order": "1.1"})
    yield case("ordinary", "Different rounds.", eps=["1", "1/2", "3"], delta=["1e-7", "0", "1e-9"], **shared)


@plan("lecuyer2021/renyi_grid_filter.decision", "decision")
def renyi_grid_filter() -> Iterator[Case]:
    shared = {"order": ["2", "10", "32"], "eps_g": "2", "delta_prime": "1e-6", "delta_pp": "0", "delta": ["0"]}
    yield case("ordinary", "The middle order pays.", eps_order=["1", "0.5", "4"], **shared)
    yield case("ordinary", "Only the largest order pays.", eps_order=["1", "3", "1.4"], **shared)
    yield case("ordinary", "None does.", eps_order=["1", "3", "4"], **shared)
    # Alone, order 10 leaves 0.826 of 2; as one of three, 0.704.
    yield case("hypothesis-trap", "Within the order's own limit, not at its share of delta'.",
               eps_order=["1", "0.8", "4"], **shared)  # fmt: skip
    yield case("hypothesis-trap", "The same order alone.", **{**shared, "order": ["10"], "eps_order": ["0.8"]})
    yield case(
        "exact-exhaustion", "A delta where none is left.", **{**shared, "eps_order": ["0"] * 3, "delta": ["1e-9"]}
    )
    yield refused("boundary", "A cost for each order.", **{**shared, "eps_order": ["1"]})
    yield refused("boundary", "An order twice.", **{**shared, "order": ["10", "10"], "eps_order": ["1", "1"]})


@plan("whitehouse2023/thm2.N", "rounds")
def whitehouse_filter() -> Iterator[Case]:
    def run(
        asked: int, value: str = "0.05", target: str = "1", delta: str = "1e-6", delta_pp: str = "0", each: str = "0"
    ) -> dict[str, object]:
        return {
            "eps_target": target,
            "delta_prime": delta,
            "delta_pp": delta_pp,
            "eps": [value] * asked,
            "delta": [each] * asked,
        }

    for asked in (0, 1, 12, 13, 14, 20):
        yield case("halting-step", f"{asked} rounds of 0.05 at epsilon 1: 13 run.", **run(asked))
    for value in ("0.1", "0.2", "0.5", "1"):
        for delta in ("1e-5", "1e-10", "1e-30"):
            yield case("halting-step", f"Thirty rounds of {value}.", **run(30, value, "3", delta))
    yield case("boundary", "The first round is too much: 0 rounds run.", **run(3, "10"))
    yield case(
        "boundary", "delta' = 1: f(V) = V/2, and two rounds of 1 fit epsilon 1 exactly.", **run(3, "1", "1", "1")
    )
    yield case(
        "exact-exhaustion", "delta' = 1: two hundred rounds of 0.1 fit epsilon 1 exactly.", **run(201, "0.1", "1", "1")
    )
    yield case("exact-exhaustion", "Three deltas of 0.1 fit 0.3 exactly.", **run(4, "0.01", "1", "1e-6", "0.3", "0.1"))
    yield case("boundary", "Free rounds on no budget.", **run(3, "0", "0", "1e-6"))


def _odometer(**tuning: tuple[str, ...]) -> Iterator[Case]:
    """An odometer's reading on V, with its tuning parameters."""
    yield from grid("ordinary", "The reading.", V=("1/50", "0.1", "1", "25"), **tuning, delta_prime=DELTAS)
    first = {name: values[:1] for name, values in tuning.items()}
    yield from grid("tiny-delta", "Tiny delta'.", V=("1",), **first, delta_prime=TINY_DELTAS)
    yield from grid("boundary", "No rounds yet.", V=("0",), **tuning, delta_prime=("1e-6",))
    yield from grid("cancellation", "A tiny V; a delta' next to 1.", V=("1e-30",), **first, delta_prime=("1e-6",))
    yield from grid("cancellation", "A delta' next to 1.", V=("1",), **first, delta_prime=(BELOW_ONE_DOUBLE,))
    yield from grid("huge-k", "A large V: the drift V/2 dominates.", V=("1e8",), **first, delta_prime=("1e-6",))
    yield from grid("subnormal", "A subnormal V.", V=(LEAST_SUBNORMAL,), **first, delta_prime=("1e-6",))


def _repaired(cases: Iterator[Case]) -> Iterator[Case]:
    for planned in cases:
        for delta in ([], ["0.01"], rounds("1e-18", 10)):
            if planned.flags[0] != "ordinary" or delta == ["0.01"]:
                yield Case(planned.flags, planned.comment, {**planned.inputs, "delta": delta})


@plan("whitehouse2023/thm3.filter", "loss")
def odometer_filter() -> Iterator[Case]:
    yield from _odometer(eps=("1", "1/2"))
    yield case(
        "hypothesis-trap",
        "y* must solve f(y) = eps; the printed formula solves f(y) = eps/2 and reads more here.",
        V="0.0349",
        eps="1",
        delta_prime="1e-6",
    )


@plan("whitehouse2023/thm3.filter.at", "loss")
def odometer_filter_at() -> Iterator[Case]:
    yield from _odometer(y_star=("1/10", "2"))


@plan("whitehouse2023/thm3.filter.repaired", "loss")
def odometer_filter_repaired() -> Iterator[Case]:
    yield from _repaired(_odometer(y_star=("1/10",)))


@plan("whitehouse2023/thm3.mixture", "loss")
def odometer_mixture() -> Iterator[Case]:
    yield from _odometer(gamma=("1/10", "2"))


@plan("whitehouse2023/thm3.one_sided", "loss")
def odometer_one_sided() -> Iterator[Case]:
    yield from _odometer(gamma=("1/10", "2"))


@plan("whitehouse2023/thm3.mixture.repaired", "loss")
def odometer_mixture_repaired() -> Iterator[Case]:
    yield from _repaired(_odometer(gamma=("1/10",)))


def _below_v0() -> Iterator[Case]:
    for v in ("99/100", "0.9999999999999999999", "1", "1.0000000000000000001", "1/2", "1/4", "0"):
        yield case(
            "boundary", "Below v0 there is no finite reading; from v0 on there is.", V=v, v0="1", delta_prime="1e-6"
        )


@plan("whitehouse2023/thm3.stitched", "loss")
def odometer_stitched() -> Iterator[Case]:
    yield from _odometer(v0=("1/100", "1/1000"))
    yield from _below_v0()


@plan("whitehouse2023/thm3.stitched.repaired", "loss")
def odometer_stitched_repaired() -> Iterator[Case]:
    yield from _repaired(_odometer(v0=("1/100",)))


@plan("whitehouse2023/thm3.stitched.domain", "number", "neither")
def odometer_stitched_domain() -> Iterator[Case]:
    yield from grid("boundary", "inf below v0.", V=("0", "99/100", "1"), v0=("1",))


@plan("whitehouse2023/thm3.repair_term", "loss")
def repair_term() -> Iterator[Case]:
    yield from grid("ordinary", "sum log(1/(1 - delta)).", delta=(["0.01"], ["0.1"] * 10, rounds("1e-6", 1000)))
    for tiny in TINY_DELTAS:
        yield case("tiny-delta cancellation", "log(1/(1 - delta)) where 1 - delta is 1 in binary64.", delta=[tiny])
    yield from grid("boundary", "Nothing; next to 1.", delta=([], ["0"], [BELOW_ONE_DOUBLE]))


@plan("whitehouse2023/thm3.ystar.corrected", "number", "neither")
def ystar() -> Iterator[Case]:
    yield from grid("ordinary", "The y with f(y) = eps.", eps=("1/2", "1", "5"), delta_prime=DELTAS)
    yield from grid(
        "tiny-delta cancellation", "Two square roots near each other.", eps=("0.01", "1e-9"), delta_prime=TINY_DELTAS
    )


def _rogers_restated(variances: tuple[str, ...]) -> Iterator[Case]:
    yield from grid("ordinary", "The odometer as restated.", V=variances, n=("200", "1000"), delta_prime=DELTAS)
    yield from grid("tiny-delta", "Tiny delta'.", V=variances[:1], n=("1000",), delta_prime=TINY_DELTAS)


@plan("whitehouse2023/lem3.branch2", "loss")
def lem3_branch2() -> Iterator[Case]:
    yield from _rogers_restated(("0.1", "1"))


@plan("whitehouse2023/lem3.branch3.corrected", "loss")
def lem3_branch3() -> Iterator[Case]:
    yield from _rogers_restated(("4",))
    yield refused("hypothesis-trap", "V lies in the other branch.", V="3/125000", n="1000", delta_prime="1e-6")
    yield case(
        "hypothesis-trap",
        "|x| = 200, V = 24 rounds of 1/1000: with the printed double logarithm the reading is 0.19 and fails.",
        V="3/125000",
        n="200",
        delta_prime="1e-6",
    )
    yield case("boundary", "No rounds.", V="0", n="200", delta_prime="1e-6")


@plan("whitehouse2023/lem3.odometer", "loss")
def lem3_odometer() -> Iterator[Case]:
    yield from _rogers_restated(("0.1", "4"))
    for v in ("1", "1.0000000000000000001", "1/40000", "0.0000249999999999999999999", "0"):
        yield case("boundary", "At or next to the border of a branch, 1/n^2 or 1.", V=v, n="200", delta_prime="1e-6")


@plan("whitehouse2023/thm4.boundary", "loss")
def thm4_boundary() -> Iterator[Case]:
    yield from grid("ordinary", "b/2 + b V / (2 a).", a=("1", "0.1"), b=("1", "0.7"), V=("0", "1", "0.3"))


@plan("whitehouse2023/thm4.tail", "delta")
def thm4_tail() -> Iterator[Case]:
    yield from grid("ordinary", "exp(-b^2 / (2 a)).", a=("1", "0.1"), b=("1", "0.7", "3"))
    yield case("subnormal", "Below the least double.", a="0.001", b="3")
    yield case("hypothesis-trap", "exp(-b^2/(2a)), not exp(-b^2/a).", a="2", b="2")


@plan("whitehouse2023/thm5.one_sided", "loss")
def thm5_one_sided() -> Iterator[Case]:
    yield from grid("ordinary", "The boundary of one side.", V=("0", "1", "25"), gamma=("1/10",), delta=DELTAS)
    yield from grid("tiny-delta", "Tiny delta.", V=("1",), gamma=("1/10",), delta=TINY_DELTAS)


@plan("rogers2016/sec6.odometer_failure", "delta")
def odometer_failure() -> Iterator[Case]:
    """At most 60 rounds: the exact numbers grow with each."""
    for odometer, tuning in (("filter", "1/2"), ("mixture", "1/20"), ("one_sided", "1/20"), ("stitched", "1/100")):
        yield from grid(
            "ordinary", "Randomized response under an odometer.", odometer=(odometer,), tuning=(tuning,),
            exp_eps=("11/10", "3/2"), delta_prime=("1/10", "1e-3"), K=(10, 60),
        )  # fmt: skip
    yield from grid(
        "ordinary", "Randomized response under an odometer for a public size.", odometer=("rogers", "restated"),
        tuning=("2", "1000"), exp_eps=("3/2", "5"), delta_prime=("1/10",), K=(10, 60),
    )  # fmt: skip


@plan("whitehouse2023/thm5.boundary", "loss")
def thm5_boundary() -> Iterator[Case]:
    yield from _martingale("V", "gamma", "delta")


@plan("whitehouse2023/thm6.boundary", "loss")
def thm6_boundary() -> Iterator[Case]:
    yield from grid("ordinary", "The stitched boundary.", V=("1", "4", "100"), v0=("1", "1/10"), delta=("0.1", "1e-6"))
    yield from grid("tiny-delta", "Tiny delta.", V=("4",), v0=("1",), delta=TINY_DELTAS)
    for v in ("0", "1/2", "99/100"):
        yield refused("hypothesis-trap", "Below v0 there is no boundary.", V=v, v0="1", delta="0.1")


@plan("whitehouse2023/thm2.arxiv_counterexample.delta", "delta")
def arxiv_counterexample() -> Iterator[Case]:
    yield case(
        "hypothesis-trap", "delta = 1/2 and two randomized responses lose more than 1/2.", k="2", e0="0.1", delta="1/2"
    )
    yield case(
        "hypothesis-trap",
        "delta = 1/10 and six randomized responses lose more than 1/10.",
        k="6",
        e0="0.1",
        delta="1/10",
    )
    yield case("hypothesis-trap", "delta = 2/3 and one randomized response.", k="1", e0="0.1", delta="2/3")
    yield from grid("ordinary", "Other rounds.", k=("3", "10"), e0=("0.05", "0.2"), delta=("1/4",))


@plan("whitehouse2023/thm3.mixture.best", "loss")
def best_mixture() -> Iterator[Case]:
    yield from grid("ordinary", "The best gamma for V.", V=("1/50", "1", "25"), delta_prime=DELTAS)
    yield from grid("tiny-delta", "Tiny delta'.", V=("1",), delta_prime=TINY_DELTAS)


@plan("whitehouse2023/thm3.mixture.best_gamma", "number", "neither")
def best_gamma() -> Iterator[Case]:
    yield from grid("ordinary", "The best gamma for V.", V=("1/50", "1", "25"), delta_prime=DELTAS)
    yield from grid("tiny-delta", "Tiny delta'.", V=("1",), delta_prime=TINY_DELTAS)
