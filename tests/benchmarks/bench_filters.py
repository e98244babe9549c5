"""Every online machine: processor time and memory of a step, against adding the same numbers in a bare loop.

Run ``python tests/benchmarks/bench_filters.py [STEPS]``; ratios are within one run and hold on any machine. The bare
loop is two exact sums and a comparison for each event, which is what most machines keep; the filter of 16 Renyi orders
keeps 17 sums.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from fractions import Fraction

from privref.adaptive.machines import MACHINES, Setup, build
from privref.exact.errors import HypothesisError
from privref.guarantees.model import ZCDP, ApproxDP, GaussianDP, Guarantee, PureDP

#: What events declare: 97 different sizes again and again, or all different, as where losses are computed from data.
KINDS = ("epsilon", "epsilon, delta", "rho", "mu", "new epsilons")
SETUP = Setup(Fraction(10**6), Fraction(1, 10**6), order=Fraction(8), n=Fraction(10**6), dominating=True)


def events(kind: str, sizes: list[Fraction]) -> list[Guarantee]:
    delta = Fraction(1, 10**15)
    match kind:
        case "epsilon":
            return [PureDP(size) for size in sizes]
        case "new epsilons":
            return [PureDP(Fraction(2 * i + 1, 10**11)) for i in range(len(sizes))]
        case "epsilon, delta":
            return [ApproxDP(size, delta) for size in sizes]
        case "rho":
            return [ZCDP(size, Fraction(0)) for size in sizes]
        case _:
            return [GaussianDP(size) for size in sizes]


def bare(sizes: list[Fraction]) -> float:
    """Two exact sums and a comparison for each event."""
    start = time.process_time()
    spent, deltas, budget = Fraction(0), Fraction(0), Fraction(10**9)
    delta = Fraction(1, 10**15)
    for size in sizes:
        asked, asked_delta = spent + size, deltas + delta
        if asked > budget:
            break
        spent, deltas = asked, asked_delta
    return time.process_time() - start


def stepped(name: str, asked: list[Guarantee]) -> float:
    """Seconds of all steps; HypothesisError where the machine's theorem does not cover them."""
    machine = build(name, SETUP)
    state = machine.start()
    start = time.process_time()
    for event in asked:
        state, decision = machine.step(state, event)
    assert decision.verdict == "CONT"
    return time.process_time() - start


def grown(name: str, asked: list[Guarantee]) -> int:
    """How many bytes more the second half of the steps has at its peak than the first."""
    machine = build(name, SETUP)
    state = machine.start()
    peaks = []
    tracemalloc.start()
    for part in (asked[: len(asked) // 2], asked[len(asked) // 2 :]):
        tracemalloc.reset_peak()
        for event in part:
            state, _ = machine.step(state, event)
        peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    return peaks[1] - peaks[0]


def main() -> None:
    steps = int(float(sys.argv[1])) if sys.argv[1:] else 100_000
    sizes = [Fraction(i % 97 + 1, 10**8) for i in range(steps)]
    least = min(bare(sizes) for _ in range(3))
    asked = {kind: events(kind, sizes) for kind in KINDS}
    print(f"bare loop: {least / steps * 1e6:.2f} us a step; ratios to it by what the events declare:")
    print(f"{'':<28}{''.join(f'{kind:>16}' for kind in KINDS)}{'memory grown':>16}")
    for entry in MACHINES:
        shown, last = [], ""
        for kind in KINDS:
            try:
                shown.append(f"{stepped(entry.name, asked[kind]) / least:.1f}")
                last = kind
            except HypothesisError:
                shown.append("not covered")
        more = grown(entry.name, asked[last][: min(steps, 20_000)])
        print(f"{entry.name:<28}{''.join(f'{each:>16}' for each in shown)}{more / 1024:>12.1f} KiB", flush=True)


if __name__ == "__main__":
    main()
