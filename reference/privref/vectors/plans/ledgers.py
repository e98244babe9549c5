"""Ledgers as they are kept: many different rounds, tiny deltas that add up, Gaussians among them; noise to a target.

Epsilons are dyadic, so that a library is given exactly the case's numbers and the law stays on a lattice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from privref.vectors.cases import Case, case, grid, more, rounds

from . import basic, composed, filters, gaussian, optimal, output_dp

#: The plans that these cases extend; importing them here makes the order certain.
_EXTENDED = (basic, composed, filters, gaussian, optimal, output_dp)


def _different(k: int, distinct: int, unit: int, seed: int) -> list[str]:
    """k epsilons of at least ``distinct`` values j/unit, in an order that is not sorted."""
    source = random.Random(seed)
    values = [*range(1, distinct + 1), *(source.randint(1, distinct) for _ in range(k - distinct))]
    source.shuffle(values)
    return [f"{value}/{unit}" for value in values]


#: Rounds, different values, unit.
_LEDGERS = ((10, 10, 16), (30, 12, 64), (100, 16, 256), (300, 20, 512), (1000, 12, 1024))


@more("mv2016/optimal.eps")
def ledgers_eps() -> Iterator[Case]:
    for seed, (k, distinct, unit) in enumerate(_LEDGERS):
        eps = _different(k, distinct, unit, seed)
        flag = "ordinary" if k < 1000 else "huge-k"
        for target in ("1e-6", "1e-12") if k < 1000 else ("1e-9",):
            yield case(flag, f"{k} rounds of {distinct} different epsilons.", eps=eps, delta=["0"] * k, delta_g=target)
    for k, each in ((10, "1e-12"), (100, "1e-12"), (100, "0x1.cd2b297d889bcp-55"), (10, "1e-18"), (30, "1e-20")):
        eps = _different(k, 10, 64, k)
        for target in ("1e-6", "1e-9"):
            yield case("tiny-delta", f"{k} rounds of {each} each.", eps=eps, delta=[each] * k, delta_g=target)
    # A target next to what the rounds' deltas add up to: 10 rounds of 2^-40.
    eps, tiny = _different(10, 10, 16, 7), ["1/1099511627776"] * 10
    for target, comment in (
        ("0x1.3fffffff8p-37", "Just below 1 - prod(1 - delta_i): no epsilon."),
        ("0x1.4p-37", "The sum of the deltas, just above 1 - prod(1 - delta_i): next to nothing is left."),
        ("0x1.4000001p-37", "A little above: a tiny delta is left for the finite losses."),
    ):
        yield case("cancellation", comment, eps=eps, delta=tiny, delta_g=target)
    yield case(
        "boundary",
        "One round alone spends the target; the other losses must not show.",
        eps=_different(12, 12, 32, 3),
        delta=["1/1048576", *["0"] * 11],
        delta_g="1/1048576",
    )


@more("mv2016/optimal.delta")
def ledgers_delta() -> Iterator[Case]:
    for seed, (k, distinct, unit) in enumerate(_LEDGERS[:4]):
        eps = _different(k, distinct, unit, seed)
        for place in ("1/2", "3"):
            yield case("ordinary", f"{k} rounds of {distinct} epsilons.", eps=eps, delta=["0"] * k, eps_g=place)
    for k, each in ((100, "1e-12"), (100, "0x1.cd2b297d889bcp-55"), (100, "1e-17"), (30, "1e-20")):
        # 8 is far out: what remains is what the rounds' own deltas add up to.
        eps = _different(k, 10, 64, k)
        yield case("tiny-delta", f"{k} rounds of {each}, far out.", eps=eps, delta=[each] * k, eps_g="16")


_GAUSSIANS = ["1/2", "1/4", "1/8"]


@more("mv2016/mixed.delta")
def mixed_delta() -> Iterator[Case]:
    for deltas in ("0", "1e-12"):
        for eps in ([f"{j}/16" for j in range(1, 8)], ["1/16"] * 100, ["1/4", "1/2", "3/4", "1"]):
            yield case(
                "ordinary",
                "Rounds beside three Gaussians.",
                eps=eps,
                delta=[deltas] * len(eps),
                mu=_GAUSSIANS,
                eps_g="4",
            )
    yield case(
        "tiny-delta",
        "Beside four Gaussians, deltas that 1 - delta can not show.",
        eps=["1/4"] * 20,
        delta=["1e-18"] * 20,
        mu=[*_GAUSSIANS, "1"],
        eps_g="20",
    )


@more("mv2016/mixed.eps")
def mixed_eps() -> Iterator[Case]:
    eps = ["1/4", "1/2", "3/4", "1"]
    yield case("ordinary", "Rounds beside three Gaussians.", eps=eps, delta=["0"] * 4, mu=_GAUSSIANS, delta_g="1e-6")


@more("kov2015/optimal.eps")
def long_runs() -> Iterator[Case]:
    # Where a convolution in floating point, once per round or by Fourier transform, has lost its tail.
    for eps, k in (("1/128", "10000"), ("1/16", "5000"), ("1/2", "1000")):
        yield from grid(
            "huge-k", "A long run far into its tail.", eps=(eps,), k=(k,), delta_g=("1e-9", "1e-12", "1e-14")
        )


@more("kov2015/optimal.delta")
def long_tails() -> Iterator[Case]:
    yield case("huge-k", "Ten thousand rounds, in the tail.", eps="1/128", k="10000", eps_g="6")


@more("gdp/composition.eps")
def different_gaussians() -> Iterator[Case]:
    yield from grid(
        "huge-k",
        "A hundred Gaussians of ten sizes, and ten thousand small ones.",
        mu=([{"value": f"{j}/64", "count": 10} for j in range(1, 11)], rounds("1/128", 10000)),
        delta=("1e-6", "1e-12", "1e-14"),
    )


@more("gdp/profile.mu")
def noise_for_a_target() -> Iterator[Case]:
    yield from grid("ordinary", "Noise for a target.", eps=("1/4", "1/2", "4"), delta=("1e-6", "1e-9", "1e-12"))
    yield from grid("cancellation", "Little epsilon, much noise.", eps=("1e-2", "1e-4"), delta=("1e-8", "1e-12"))
    yield from grid("tiny-delta", "Below one ulp of 1.", eps=("1", "1/8"), delta=("1e-15", "1e-16", "1e-17", "1e-20"))
    yield from grid("boundary", "A large epsilon.", eps=("100", "1000"), delta=("1e-5", "1e-9"))


@more("hartmann2022/thm15.optdel")
def counted_responses() -> Iterator[Case]:
    # Randomized responses whose noise parameter is a double: e^eps = 2^j - 1.
    yield from _responses("ordinary", "Binary randomized response.", "1", ("3/2", "2"))
    yield from _responses("ordinary", "Ten randomized responses.", "10", ("4", "1000"))
    yield from _responses("huge-k", "A thousand randomized responses.", "1000", ("4", "1000000"))


def _responses(flag: str, comment: str, k: str, places: tuple[str, ...]) -> Iterator[Case]:
    yield from grid(flag, comment, exp_eps=("3", "7"), delta=("0",), k=([k],), exp_E=[[place] for place in places])


_TEN = tuple(f"{j}/16" for j in range(1, 11))


@more("hartmann2022/thm15.optdel_het")
def different_rounds() -> Iterator[Case]:
    # k: the rounds after which each exit lies.
    for deltas in ("0", "1e-12"):
        yield case(
            "ordinary",
            "Five different rounds, with exits after the third and the last.",
            exp_eps=["3/2", "2", "5/2", "3", "4"],
            delta=[deltas] * 5,
            k=["3", "5"],
            exp_E=["6", "60"],
        )
    yield case(
        "tiny-delta", "A delta below one ulp of 1.", exp_eps=["2", "3", "4"], delta=["1e-18"] * 3, k=["3"], exp_E=["24"]
    )


@more("hartmann2022/thm15.optdel_het_eps")
def different_rounds_in_nats() -> Iterator[Case]:
    yield case("ordinary", "Ten different rounds.", eps=list(_TEN), delta=["1e-12"] * 10, k=["4", "10"], E=["1", "2"])
    yield case("boundary", "At the sum of the rounds.", eps=list(_TEN), delta=["0"] * 10, k=["10"], E=["55/16"])


@more("hartmann2022/thm15.least_E")
def least_costs() -> Iterator[Case]:
    yield from grid(
        "ordinary", "Costs that suffice.", eps=("1/8",), delta=("1e-9",), k=(["10", "20"],), shape=(["1", "2"],),
        delta_t=("1e-4", "1e-6"),
    )  # fmt: skip
    yield case("tiny-delta", "A tiny target.", eps="1/8", delta="0", k=["5", "10"], shape=["1", "2"], delta_t="1e-12")


@more("hartmann2022/thm15.optdel_eps")
def equal_rounds_in_nats() -> Iterator[Case]:
    yield from grid(
        "ordinary", "Two exits.", eps=("1/8", "1"), delta=("1e-12",), k=(["10", "20"],), E=(["1", "3/2"], ["1", "8"])
    )


@more("hartmann2022/lem11.delta")
def lemma_eleven() -> Iterator[Case]:
    yield from grid(
        "ordinary", "Two exits.", theorem=("advanced", "basic"), eps=("1/8",), delta=("1e-12",), k=(["10", "20"],),
        E=(["2", "3"],),
    )  # fmt: skip


@more("smith2022/filter.decision")
def gaussian_filter() -> Iterator[Case]:
    # mu = 1 at epsilon 1 holds at delta 0.1269…: sixteen rounds of 1/4 run at 0.127, a seventeenth does not.
    for asked, delta in ((16, "127/1000"), (17, "127/1000"), (16, "126/1000")):
        yield case("halting-step", "Rounds of 1/4 to mu = 1.", mu=rounds("1/4", asked), eps_g="1", delta_g=delta)
    yield case(
        "huge-k", "Ten thousand rounds of ten sizes.", mu=[{"value": f"{j}/1024", "count": 1000} for j in range(1, 11)],
        eps_g="4", delta_g="1e-6",
    )  # fmt: skip


@more("whitehouse2023/thm2.N")
def unequal_rounds() -> Iterator[Case]:
    for seed, (k, distinct, unit) in enumerate(_LEDGERS[:4]):
        eps = _different(k, distinct, unit, seed)
        for target in ("1", "3"):
            yield case(
                "halting-step",
                f"{k} rounds of {distinct} different epsilons, asked in this order.",
                eps_target=target,
                delta_prime="1e-6",
                delta_pp="1e-9",
                eps=eps,
                delta=["1e-12"] * k,
            )


def _mechanisms() -> Iterator[tuple[str, dict[str, str | list[str] | int]]]:
    """One mechanism each, with parameters that are doubles, and how often."""
    for scale, count in (("1", 1), ("8", 1), ("8", 100), ("64", 1000)):
        yield "laplace", {"kind": "laplace", "scale": scale, "sensitivity": "1", "count": count}
    for sigma, count in (("1", 1), ("4", 10), ("16", 100)):
        yield "discrete-gaussian", {"kind": "discrete-gaussian", "sigma": sigma, "shifts": ["1"], "count": count}
    for scale, count in (("1", 1), ("4", 10), ("16", 100)):
        yield "geometric", {"kind": "geometric", "scale": scale, "shifts": ["1"], "count": count}
    for probability, outcomes, count in (("3/4", "2", 1), ("3/4", "2", 10), ("5/8", "4", 1), ("5/8", "4", 100)):
        yield (
            "randomized-response",
            {"kind": "randomized-response", "probability": probability, "outcomes": outcomes, "count": count},
        )


@more("zdw2022/thm10.eps")
def known_mechanisms_eps() -> Iterator[Case]:
    for kind, mechanism in _mechanisms():
        for delta in ("1e-6", "1e-12") if kind != "laplace" else ("0", "1e-6", "1e-12"):
            yield case("ordinary", f"Equal rounds of a mechanism: {kind}.", rounds=[mechanism], delta=delta)


@more("zdw2022/thm10.delta")
def known_mechanisms_delta() -> Iterator[Case]:
    for kind, mechanism in _mechanisms():
        yield case("ordinary", f"Equal rounds of a mechanism: {kind}.", rounds=[mechanism], eps="1/2")
