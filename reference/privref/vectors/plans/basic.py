"""Basic and advanced composition for parameters fixed in advance, and the zCDP sums and filter."""

from __future__ import annotations

from collections.abc import Iterator

from privref.vectors.cases import Case, case, grid, plan, rounds

from .values import (
    ABOVE_ONE_DOUBLE,
    BELOW_ONE_DOUBLE,
    DELTAS,
    EPSILONS,
    LARGEST_DOUBLE,
    LEAST_NORMAL,
    LEAST_SUBNORMAL,
    TENTH_DOUBLE,
    THIRD_DOUBLE,
    TINY_DELTAS,
)

_EXHAUSTING = (("0.1", 10), ("0.01", 100), ("1/3", 3), ("1/7", 7), ("0.2", 5), ("0.7", 10), ("0.001", 1000))


def _sums(name: str) -> Iterator[Case]:
    """A sum that binary floating point gets wrong in one direction or the other."""
    yield case("boundary", "No rounds cost nothing.", **{name: []})
    yield case("boundary", "A round that costs nothing.", **{name: ["0"]})
    yield case("ordinary", "Three different rounds.", **{name: ["1/10", "1/5", "3/10"]})
    yield case("ordinary", "Two rounds whose doubles add up to 0.30000000000000004.", **{name: ["0.1", "0.2"]})
    for value, times in _EXHAUSTING:
        yield case("exact-exhaustion", f"{value} written {times} times.", **{name: [value] * min(times, 100)})
        yield case("exact-exhaustion", f"{value} with a count of {times}.", **{name: rounds(value, times)})
    for double in (TENTH_DOUBLE, THIRD_DOUBLE):
        for times in (3, 10, 1000):
            yield case(
                "exact-exhaustion", f"The double {double}, {times} rounds: its exact sum.", **{name: [double] * times}
            )
    yield case(
        "cancellation",
        "1 and then ten thousand rounds that each vanish beside it.",
        **{name: ["1", *rounds("1e-16", 10_000)]},
    )
    yield case("cancellation", "Half an ulp of 1, four times.", **{name: ["1", *rounds("0x1p-53", 4)]})
    yield case("cancellation", "The smallest first, the largest last.", **{name: ["1e-30", "1e-15", "1"]})
    for least in (LEAST_SUBNORMAL, LEAST_NORMAL, "1e-320", "5e-325", "1e-1000"):
        yield case("subnormal", f"Three rounds of {least}.", **{name: [least] * 3})


@plan("rogers2016/thm2.9.eps", "epsilon")
def basic_eps() -> Iterator[Case]:
    yield from _sums("eps")
    for value in EPSILONS:
        yield case("huge-k", f"A million million rounds of {value}.", eps=rounds(value, 10**12))
    yield case("boundary", "Beyond the largest double.", eps=[LARGEST_DOUBLE, LARGEST_DOUBLE])
    yield case("boundary", "The largest double itself.", eps=[LARGEST_DOUBLE])


@plan("rogers2016/thm2.9.delta", "delta")
def basic_delta() -> Iterator[Case]:
    yield from _sums("delta")
    for value in TINY_DELTAS:
        yield case("tiny-delta", f"A hundred rounds of {value}.", delta=rounds(value, 100))
        yield case("tiny-delta", f"1/2 and then twelve rounds of {value}.", delta=["1/2", *rounds(value, 12)])
    yield case("boundary", "Exactly 1: a vacuous guarantee, and the right answer.", delta=["1/2", "1/2"])
    yield case("boundary", "More than 1: the sum is not clipped.", delta=["3/4", "3/4"])
    yield case("boundary", "The double below 1.", delta=[BELOW_ONE_DOUBLE])


@plan("rogers2016/thm2.10.eps_g", "epsilon")
def advanced_eps() -> Iterator[Case]:
    yield from grid("ordinary", "Equal rounds.", eps=EPSILONS, k=("1", "10", "1000"), delta_hat=DELTAS)
    yield from grid("tiny-delta", "log(1/delta_hat) far out.", eps=("0.1", "1"), k=("1", "100"), delta_hat=TINY_DELTAS)
    yield from grid("huge-k", "Very many rounds.", eps=("1e-6", "0.1"), k=("1000000", "1" + "0" * 15), delta_hat=DELTAS)
    yield from grid(
        "boundary", "delta_hat = 1: the square root vanishes.", eps=EPSILONS, k=("0", "1", "10"), delta_hat=("1",)
    )
    yield from grid(
        "boundary", "No rounds, or rounds that cost nothing.", eps=("0", "1"), k=("0",), delta_hat=("1e-6",)
    )
    yield case("boundary", "Rounds of epsilon 0.", eps="0", k="10", delta_hat="1e-6")
    yield from grid(
        "cancellation",
        "e^eps - 1 for a small epsilon, without expm1.",
        eps=("1e-9", "1e-17", "1e-30"),
        k=("1", "1000"),
        delta_hat=("1e-6",),
    )
    yield from grid(
        "cancellation",
        "delta_hat next to 1, so that its logarithm is near 0.",
        eps=("1",),
        k=("1", "1000"),
        delta_hat=(BELOW_ONE_DOUBLE, "999999999999999999999999/1000000000000000000000000"),
    )
    yield from grid(
        "subnormal",
        "Rounds below the least normal double.",
        eps=(LEAST_SUBNORMAL, "1e-320"),
        k=("1", "1000"),
        delta_hat=("1e-6",),
    )
    yield case("boundary", "e^eps overflows a double.", eps="800", k="1", delta_hat="1e-6")


@plan("rogers2016/thm2.10.delta", "delta")
def advanced_delta() -> Iterator[Case]:
    yield from grid("ordinary", "Equal rounds.", delta=("0", "1e-9", "1e-6"), k=("1", "10", "1000"), delta_hat=DELTAS)
    yield from grid("tiny-delta", "One part far below the other.", delta=TINY_DELTAS, k=("3",), delta_hat=("1e-6",))
    yield case("boundary", "No rounds.", delta="1/10", k="0", delta_hat="1e-6")
    yield case("boundary", "Above 1: it says nothing.", delta="1/2", k="3", delta_hat="1")
    yield case("exact-exhaustion", "Ten rounds of 0.1 and a delta_hat.", delta="0.1", k="10", delta_hat="1e-17")
    yield case("huge-k", "A million million rounds.", delta="1e-15", k="1000000000000", delta_hat="1e-6")


@plan("whitehouse2023/eq2.delta", "delta")
def advanced_heterogeneous_delta() -> Iterator[Case]:
    yield from grid("ordinary", "Different rounds.", delta=([], ["0"], ["1e-9", "2e-9", "1/7"]), delta_prime=DELTAS)
    for value in TINY_DELTAS:
        yield case("tiny-delta", f"Twelve rounds of {value}.", delta=rounds(value, 12), delta_prime="1e-6")
    yield case("cancellation", "1/2 and many that vanish beside it.", delta=rounds("1e-17", 1000), delta_prime="1/2")
    yield case("exact-exhaustion", "0.1 written ten times.", delta=["0.1"] * 10, delta_prime="1e-17")


@plan("whitehouse2023/eq2.eps", "epsilon")
def advanced_heterogeneous_eps() -> Iterator[Case]:
    for delta in DELTAS:
        for value in EPSILONS:
            for times in (1, 10, 1000):
                yield case("ordinary", f"{times} equal rounds.", eps=rounds(value, times), delta_prime=delta)
        yield case("ordinary", "Different rounds.", eps=["0.1", "0.2", "0.3", "1", "0.05"], delta_prime=delta)
        yield case("ordinary", "One large round among small ones.", eps=["5", *rounds("0.01", 100)], delta_prime=delta)
    yield from grid("tiny-delta", "Tiny delta'.", eps=(["0.1"] * 10, ["1", "0.5"]), delta_prime=TINY_DELTAS)
    yield from grid(
        "boundary", "delta' = 1: only the drift remains.", eps=([], ["1"], ["0.1"] * 10), delta_prime=("1",)
    )
    yield case("boundary", "No rounds.", eps=[], delta_prime="1e-6")
    yield case(
        "hypothesis-trap",
        "A hundred rounds of 0.01: the drift eps tanh(eps/2) holds for fixed parameters only; a "
        "filter for adaptively chosen ones reads eps^2/2 and more.",
        eps=rounds("0.01", 100),
        delta_prime="1e-6",
    )
    yield from grid("cancellation", "tanh of a tiny number.", eps=(["1e-9"] * 3, ["1e-30"]), delta_prime=("1e-6",))
    yield from grid(
        "huge-k", "Very many rounds.", eps=(rounds("1e-6", 10**9), rounds("0.1", 10**12)), delta_prime=DELTAS
    )
    yield case("subnormal", "Squares of the rounds underflow.", eps=["1e-200"] * 4, delta_prime="1e-6")
    yield case("subnormal", "The least subnormal.", eps=[LEAST_SUBNORMAL], delta_prime="1e-6")
    yield case("boundary", "e^eps overflows, tanh does not.", eps=["1000"], delta_prime="1e-6")


@plan("whitehouse2023/thm1.rho", "rho")
def composed_rho() -> Iterator[Case]:
    yield from _sums("rhos")
    yield case("huge-k", "A million million rounds.", rhos=rounds("1e-6", 10**12))
    yield case("ordinary", "The 17 rounds of a published zCDP budget.", rhos=["2.56"] + ["0.0083"] * 16)


@plan("whitehouse2023/thm1.delta", "delta")
def composed_delta() -> Iterator[Case]:
    yield from _sums("deltas")
    for value in TINY_DELTAS:
        yield case("tiny-delta", f"1/2 and then twelve rounds of {value}.", deltas=["1/2", *rounds(value, 12)])


@plan("whitehouse2023/thm1.N", "rounds")
def zcdp_filter() -> Iterator[Case]:
    for value, times in (("0.1", 10), ("1/3", 3), ("0.01", 100), ("1/7", 7), ("0.2", 5)):
        for extra in (-1, 0, 1):
            asked = times + extra
            yield case(
                "halting-step exact-exhaustion",
                f"{asked} rounds of {value} on a budget of 1: {times} fit exactly.",
                rho="1",
                delta="0",
                rhos=[value] * asked,
                deltas=["0"] * asked,
            )
        above = f"{ABOVE_ONE_DOUBLE if times == 10 else BELOW_ONE_DOUBLE}"
        yield case(
            "halting-step",
            "A budget one ulp away from 1.",
            rho=above,
            delta="0",
            rhos=[value] * (times + 1),
            deltas=["0"] * (times + 1),
        )
    for times in (9, 10, 11):
        yield case(
            "halting-step",
            f"{times} rounds of the double nearest to 0.1, whose exact sum exceeds 1 at the tenth.",
            rho="1",
            delta="0",
            rhos=[TENTH_DOUBLE] * times,
            deltas=["0"] * times,
        )
    yield case(
        "boundary", "The first round alone is too much: 0 rounds run.", rho="1/2", delta="0", rhos=["1"], deltas=["0"]
    )
    yield case("boundary", "Nothing is asked.", rho="1", delta="0", rhos=[], deltas=[])
    yield case("boundary", "No budget, free rounds.", rho="0", delta="0", rhos=["0", "0"], deltas=["0", "0"])
    yield case(
        "boundary", "No budget, and the least of costs.", rho="0", delta="0", rhos=["0", "1e-400"], deltas=["0", "0"]
    )
    yield case(
        "halting-step",
        "Half, half, and a billionth more.",
        rho="1",
        delta="1/10",
        rhos=["1/2", "1/2", "1e-9"],
        deltas=["0"] * 3,
    )
    yield case(
        "halting-step cancellation",
        "The excess vanishes beside 1 in binary64.",
        rho="1",
        delta="0",
        rhos=["1", "1e-17"],
        deltas=["0"] * 2,
    )
    for tiny in TINY_DELTAS:
        yield case(
            "halting-step tiny-delta",
            f"The delta budget is passed by {tiny}.",
            rho="10",
            delta="1/2",
            rhos=["0"] * 2,
            deltas=["1/2", tiny],
        )
        yield case(
            "tiny-delta",
            f"Ten deltas of {tiny} in a budget of ten times that.",
            rho="10",
            delta=f"{tiny.replace('1e', '10e')}",
            rhos=["0"] * 11,
            deltas=[tiny] * 11,
        )
    yield case(
        "hypothesis-trap",
        "A cheap round after a refused one: the filter has halted and does not go on.",
        rho="1",
        delta="0",
        rhos=["1/2", "1", "1/2"],
        deltas=["0"] * 3,
    )
