"""DP-SGD: the Poisson-subsampled Gaussian, composed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from privref.vectors.cases import Case, case, grid, plan, refused

#: What people train with: rate, noise multiplier, steps.
_RUNS = (
    ("1/100", "2", 1000),
    ("256/60000", "1.1", 14063),
    ("4096/50000", "10", 875),
    ("16384/50000", "21.1", 250),
    ("16384/1281167", "2.5", 71589),
)


@plan("zdw2022/poisson_gaussian.delta", "delta")
def delta() -> Iterator[Case]:
    for q, sigma, k in _RUNS:
        yield from grid("ordinary", "A training run.", q=[q], sigma=[sigma], k=[k], eps=("0", "1/2", "1"))
    yield from grid("tiny-delta", "Far in the tail.", q=["1/100"], sigma=["2"], k=[10**5], eps=("10", "20"))
    yield from grid("huge-k", "Ten million rounds.", q=["1/1000"], sigma=["2", "20"], k=[10**7], eps=("1", "8"))
    yield from grid("ordinary", "Few rounds.", q=["1/4"], sigma=["3"], k=[4, 10, 30], eps=("0", "1/3"))
    yield case("boundary", "q = 0: nothing is released.", q="0", sigma="1", k=10, eps="0")
    yield case("boundary", "No rounds.", q="1/10", sigma="1", k=0, eps="0")
    yield case("boundary", "q = 1 is the Gaussian mechanism.", q="1", sigma="10", k=10, eps="1")
    yield case("boundary", "q near 1 is nearly so.", q="9999999999/10000000000", sigma="10", k=10, eps="1")


@plan("zdw2022/poisson_gaussian.eps", "epsilon")
def eps() -> Iterator[Case]:
    for q, sigma, k in _RUNS:
        yield from grid("ordinary", "A training run.", q=[q], sigma=[sigma], k=[k], delta=("1e-5", "1e-8"))
    for q, sigma, k in _RUNS[2:]:
        yield case("tiny-delta", "The same far in the tail.", q=q, sigma=sigma, k=k, delta="1e-30")
    yield from grid(
        "ordinary", "Over the range.", q=("1e-3", "0.3"), sigma=("2", "8"), k=[10**5, 10**6], delta=("1e-6", "1e-18")
    )
    yield from grid("ordinary", "Rare records.", q=["1e-4"], sigma=("5", "25"), k=[10**5, 10**6], delta=("1e-9",))
    yield from grid("ordinary", "Few rounds.", q=("1/4",), sigma=("3", "20"), k=[1, 2, 30], delta=("1e-6",))
    yield from grid("huge-k", "Ten million rounds.", q=("1e-3", "0.1"), sigma=["10"], k=[10**7], delta=("1e-6",))
    yield from grid(
        "huge-k", "Little noise: the loss of one round is heavy-tailed.", q=["1/100"], sigma=["1/2"], k=[10**4],
        delta=("1e-5", "1e-13"),
    )  # fmt: skip
    yield from grid(
        "cancellation", "A pessimistic loss distribution on a grid of floats is too small here.",
        q=["1/100"], sigma=["1"], k=[10**4], delta=("1e-5", "1e-9", "1e-12", "1e-13"),
    )  # fmt: skip
    for sigma, delta in (("1", "1e-6"), ("2.4", "1e-24")):
        yield case("ordinary", "Few rounds: one jump makes the loss.", q="2e-5", sigma=sigma, k=6, delta=delta)
    yield case("ordinary", "One round: a closed form.", q="1/100", sigma="1", k=1, delta="1e-12")
    yield case("boundary", "The total variation is below delta.", q="1e-4", sigma="10", k=10, delta="1e-3")
    yield case("boundary", "q = 0: nothing is released.", q="0", sigma="1", k=10, delta="1e-5")
    yield case("boundary", "q = 1 is the Gaussian mechanism.", q="1", sigma="10", k=10, delta="1e-5")
    yield case("boundary", "q near 1 is nearly so.", q="9999999999/10000000000", sigma="10", k=10, delta="1e-5")
    yield case("boundary", "delta = 0: no finite epsilon.", q="1/100", sigma="1", k=1, delta="0")
    yield case("boundary", "delta = 1.", q="1/100", sigma="1", k=1, delta="1")


@plan("chua2024/shuffled.delta", "delta")
def shuffled() -> Iterator[Case]:
    yield from grid(
        "ordinary", "One epoch.", sigma=("0.4", "0.7", "1"), batches=(100, 10**4), eps=("1", "4"), threshold=("2", "3")
    )
    yield case("tiny-delta", "Far in the tail.", sigma="0.4", batches=100, eps="20", threshold="5")
    yield case("boundary", "One batch is the Gaussian mechanism: one of its half-lines.", sigma="1", batches=1, eps="0",
               threshold="3/2")  # fmt: skip


def _cut(q: str, sigma: str, cap: int, records: int, count: int) -> dict[str, Any]:
    """Rounds on Poisson samples of at most so many records."""
    base = {"kind": "gaussian", "sigma": sigma, "sensitivity": "1"}
    drawn = {"kind": "subsampled", "base": base, "rate": q, "sampling": "poisson"}
    return {**drawn, "batch_cap": str(cap), "records": str(records), "count": count}


#: The mean of a sample of a thousand records at rate 1/10 is 100, its deviation 9.5.
_CUTS = tuple(_cut("1/10", "3", cap, 1000, 40) for cap in (150, 170, 200))
_RESPONSE: dict[str, Any] = {
    "kind": "subsampled", "base": {"kind": "randomized-response", "epsilon": "1"}, "rate": "1/20",
    "sampling": "poisson", "batch_cap": "90", "records": "1000",
}  # fmt: skip


@plan("chua2024b/truncated.tail", "number")
def tail() -> Iterator[Case]:
    yield from grid("ordinary", "Above the mean.", q=["1/10"], n=[1000], least=[110, 150, 200, 900])
    yield from grid("ordinary", "Below it.", q=["1/10"], n=[1000], least=[1, 50, 100])
    yield case("ordinary", "A training run's batches.", q="256/60000", n=60000, least=512)
    yield case("tiny-delta", "Far in the tail.", q="1/1000000", n=10**9, least=2000)
    yield case("huge-k", "A thousand million records.", q="1/10000", n=10**9, least=102000)
    yield case("boundary", "All of them.", q="1/3", n=7, least=7)
    yield case("boundary", "None is enough.", q="1/3", n=7, least=0)
    yield case("boundary", "More than there are.", q="1/3", n=7, least=8)
    yield case("boundary", "None is drawn.", q="0", n=7, least=1)
    yield case("boundary", "All are drawn.", q="1", n=7, least=7)


@plan("chua2024b/truncated.delta", "delta")
def cut_delta() -> Iterator[Case]:
    yield from grid("ordinary", "Batches with a cap.", rounds=[[each] for each in _CUTS], eps=("1/2", "1"))
    yield case("ordinary", "A cap near the mean: the term alone is above 1.", rounds=[_cut("1/10", "3", 105, 1000, 1)],
               eps="1")  # fmt: skip
    yield case("ordinary", "Beside a Gaussian query.", rounds=[_CUTS[1], {"kind": "gaussian", "sigma": "20",
               "sensitivity": "1"}], eps="1")  # fmt: skip
    yield case("ordinary", "Randomized response on cut samples.", rounds=[_RESPONSE], eps="1/100")
    yield case("boundary", "One round.", rounds=[_cut("1/10", "3", 170, 1000, 1)], eps="1/10")
    yield refused("bad-input", "A cap without the number of records.", eps="1", rounds=[
        {name: value for name, value in _CUTS[0].items() if name != "records"}])  # fmt: skip


@plan("chua2024b/truncated.eps", "epsilon")
def cut_eps() -> Iterator[Case]:
    yield from grid("ordinary", "Batches with a cap.", rounds=[[each] for each in _CUTS], delta=("1e-3", "1e-5"))
    yield case("ordinary", "Beside a Gaussian query.", rounds=[_CUTS[1], {"kind": "gaussian", "sigma": "20",
               "sensitivity": "1"}], delta="1e-5")  # fmt: skip
    yield case("ordinary", "Randomized response on cut samples.", rounds=[_RESPONSE], delta="1/1000")
    yield case("boundary", "Batches that are cut too often for any epsilon.", rounds=[_CUTS[0]], delta="1e-12")
    yield case("boundary", "One round.", rounds=[_cut("1/10", "3", 170, 1000, 1)], delta="1e-6")
    yield case("boundary", "delta = 1.", rounds=[_CUTS[0]], delta="1")


_OF_ONE = {"neighbours": "add-or-remove-one", "known": False}


@plan("chua2024b/cut.delta", "delta")
def told_delta() -> Iterator[Case]:
    yield from grid("ordinary", "Batches with a cap.", rounds=[[each] for each in _CUTS[:2]], eps=("1/2", "1"),
                    neighbours=("add-or-remove-one", "zero-out"), known=[False])  # fmt: skip
    yield case("ordinary", "So many records there are.", rounds=[_CUTS[0]], eps="1", neighbours="add-or-remove-one",
               known=True)  # fmt: skip
    yield case("boundary", "A cap below the mean.", rounds=[_cut("1/10", "3", 50, 1000, 40)], eps="1", **_OF_ONE)
    yield case("boundary", "One round.", rounds=[_cut("1/10", "3", 170, 1000, 1)], eps="1/10", **_OF_ONE)


@plan("chua2024b/cut.eps", "epsilon")
def told_eps() -> Iterator[Case]:
    yield from grid("ordinary", "Batches with a cap.", rounds=[[_CUTS[0]]], delta=["1e-5"],
                    neighbours=("add-or-remove-one", "zero-out"), known=[False])  # fmt: skip
    yield case("boundary", "A cap below the mean.", rounds=[_cut("1/10", "3", 50, 1000, 40)], delta="1e-5", **_OF_ONE)
    yield case("boundary", "delta = 0: no finite epsilon.", rounds=[_CUTS[0]], delta="0", **_OF_ONE)
    yield case("boundary", "delta = 1.", rounds=[_CUTS[0]], delta="1", **_OF_ONE)
    yield refused("bad-input", "Replaced records have no such pair.", rounds=[_CUTS[0]], delta="1e-5",
                  neighbours="replace-one", known=False)  # fmt: skip


@plan("chua2024b/truncated.least", "delta")
def cut_least() -> Iterator[Case]:
    yield from grid("ordinary", "Batches with a cap.", rounds=[[each] for each in _CUTS[1:]], eps=("1/2", "1"))
    yield case("boundary", "One round.", rounds=[_cut("1/10", "3", 170, 1000, 1)], eps="1/10")


@plan("chua2025/allocation.delta", "delta")
def allocation_delta() -> Iterator[Case]:
    yield from grid("ordinary", "One epoch.", bins=(10, 100), sigma=["1"], epochs=[1], eps=("1/2", "1"))
    yield case("ordinary", "The same bins in ten epochs.", bins=100, sigma="1", epochs=10, eps="4")
    yield case("tiny-delta", "Far in the tail.", bins=100, sigma="1", epochs=1, eps="4")
    yield case("boundary", "One bin is a Gaussian query for each epoch.", bins=1, sigma="2", epochs=4, eps="1")
    yield case("boundary", "Two bins.", bins=2, sigma="1", epochs=1, eps="0")


@plan("chua2025/allocation.eps", "epsilon")
def allocation_eps() -> Iterator[Case]:
    yield from grid("ordinary", "One epoch.", bins=[100], sigma=["1"], epochs=[1], delta=("1e-5", "1e-10", "1e-12"))
    yield case("ordinary", "The same bins in ten epochs.", bins=50, sigma="3", epochs=10, delta="1e-5")
    yield case("boundary", "One bin.", bins=1, sigma="2", epochs=4, delta="1e-6")
    yield case("boundary", "delta = 0: no finite epsilon.", bins=10, sigma="1", epochs=1, delta="0")
    yield case("boundary", "delta = 1.", bins=10, sigma="1", epochs=1, delta="1")


@plan("mtz2019/sgd_filter.decision", "decision")
def sgd_filter() -> Iterator[Case]:
    shared = {"order": "12", "eps_g": "2", "delta_g": "1e-6"}
    for steps in (100, 1000, 5000, 20000):
        yield case("halting-step", "Equal steps.", q=["1/100"], sigma=["1"], steps=[str(steps)], **shared)
    for steps in (100, 3000, 10000):
        yield case(
            "ordinary", "Noise that falls on the way.", q=["1/100", "1/200", "1/50"], sigma=["2", "1", "4"],
            steps=[str(steps)] * 3, **shared,
        )  # fmt: skip
    yield case("boundary", "Nothing asked.", q=[], sigma=[], steps=[], **shared)
    yield case("boundary", "No record is drawn.", q=["0"], sigma=["1"], steps=["1000000"], **shared)
    yield case("boundary", "The conversion alone is too dear.", q=[], sigma=[], steps=[], **{**shared, "order": "2"})


@plan("mtz2019/poisson_gaussian.renyi", "loss")
def renyi() -> Iterator[Case]:
    yield from grid("ordinary", "Whole orders.", q=("1/100", "0.3"), sigma=("1", "4"), order=(2, 8, 64))
    yield case("boundary", "q = 0: nothing is released.", q="0", sigma="1", order=2)
    yield case("boundary", "q = 1 is the Gaussian mechanism's order/(2 sigma^2).", q="1", sigma="2", order=3)
    yield case("cancellation", "A divergence far below the moment's 1.", q="1e-6", sigma="30", order=2)


@plan("mtz2019/poisson_gaussian.renyi_of_order", "loss")
def renyi_of_order() -> Iterator[Case]:
    yield from grid(
        "ordinary", "Orders between whole ones.", q=("1/100", "0.3"), sigma=("1", "4"), order=("5/4", "3/2", "17/2")
    )
    yield from grid("ordinary", "At whole orders it is the finite sum.", q=["1/100"], sigma=["1"], order=("2", "64"))
    yield case("boundary", "q = 0: nothing is released.", q="0", sigma="1", order="3/2")
    yield case("boundary", "q = 1 is the Gaussian mechanism's order/(2 sigma^2).", q="1", sigma="2", order="5/2")
    yield case("cancellation", "A divergence far below the moment's 1.", q="1e-6", sigma="30", order="11/10")
    yield case("boundary", "An order near 1: nearly the Kullback-Leibler divergence.", q="1/10", sigma="2",
               order="1000001/1000000")  # fmt: skip
