"""The filters as running systems use them: processor time of a step, against adding the same numbers in a bare loop.

Run ``python tests/benchmarks/bench_filters.py [STEPS]``; ratios are within one run and hold on any machine.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction

from privref.adaptive.machines import Setup, build
from privref.guarantees.model import ZCDP, ApproxDP, GaussianDP, Guarantee

FILTERS = ("basic-filter", "dp-filter", "zcdp-filter", "tight-zcdp-filter", "renyi-filter", "gaussian-filter")


def bare(sizes: list[Fraction]) -> float:
    """Two exact sums and a comparison for each event."""
    start = time.process_time()
    spent, deltas, budget = Fraction(0), Fraction(0), Fraction(10**9)
    zero = Fraction(0)
    for size in sizes:
        asked, asked_delta = spent + size, deltas + zero
        if asked > budget:
            break
        spent, deltas = asked, asked_delta
    return time.process_time() - start


def stepped(name: str, events: list[Guarantee]) -> float:
    machine = build(name, Setup(Fraction(10**6), Fraction(1, 10**6), order=Fraction(8)))
    state = machine.start()
    start = time.process_time()
    for event in events:
        state, decision = machine.step(state, event)
    assert decision.verdict == "CONT"
    return time.process_time() - start


def main() -> None:
    steps = int(float(sys.argv[1])) if sys.argv[1:] else 100_000
    sizes = [Fraction(i % 97 + 1, 10**8) for i in range(steps)]
    least = bare(sizes)
    print(f"bare loop: {least / steps * 1e6:.2f} us a step")
    print("filter             us a step  ratio to the bare loop")
    for name in FILTERS:
        kind = {"basic-filter": ApproxDP, "dp-filter": ApproxDP, "gaussian-filter": None}.get(name, ZCDP)
        events: list[Guarantee] = [GaussianDP(size) if kind is None else kind(size, Fraction(0)) for size in sizes]
        seconds = stepped(name, events)
        print(f"{name:<18} {seconds / steps * 1e6:<10.2f} {seconds / least:.1f}")


if __name__ == "__main__":
    main()
