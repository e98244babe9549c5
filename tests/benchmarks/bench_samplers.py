"""How narrow and how quick epsilons are, sampler by sampler, for parameters that are drawn at random.

``python tests/benchmarks/bench_samplers.py [--each 200] [--cpu 60] [--seed 1] [--into PAGE] [NAME ...]`` prints one
line for each sampler and kind of neighbours: how many of the drawn runs have an epsilon; of how many it is a relative
1e-4 narrow, by a theorem that encloses the loss itself, and by one that encloses an upper bound for this sampler; and
the median and the largest processor seconds. What has an upper bound by another theorem, such as a point of Renyi
divergences, is in neither of the two columns. Parameters are those of trainings that people report. A row ends after
``--cpu`` seconds. ``--into reference/docs/samplers.md`` writes the table there.

``--pld N`` compares the first N epsilons of a row with those of dp-accounting's privacy-loss distributions, where that
library has the sampler: how many it puts below the lower end by more than a millionth. It rounds up, so the other side
says nothing. A theorem that is an upper bound only (of a cap, or of all records where the samples are out of reach) may
be above without a contradiction.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import privref

WIDTH = Fraction(1, 10**4)
Document = dict[str, Any]


def _rate(rng: random.Random) -> str:
    return f"1/{round(math.exp(rng.uniform(math.log(5), math.log(1000))))}"


def _base(rng: random.Random) -> Document:
    return {"kind": "gaussian", "sigma": f"{rng.uniform(0.7, 5):.2f}", "sensitivity": "1"}


def _steps(rng: random.Random) -> int:
    return round(math.exp(rng.uniform(0, math.log(5000))))


def _drawn(rng: random.Random, **more: Any) -> list[Document]:
    said = {"kind": "subsampled", "base": _base(rng), "rate": _rate(rng), "sampling": "poisson", **more}
    return [{"count": _steps(rng), "mechanism": said}]


def _capped(rng: random.Random, **more: Any) -> list[Document]:
    records, rate = rng.choice((10_000, 50_000, 1_000_000)), rng.choice((0.001, 0.01, 0.1))
    cap = round(records * rate + rng.uniform(3, 9) * math.sqrt(records * rate))
    return _drawn(rng, rate=str(rate), batch_cap=cap, records=records, **more)


def _put_back(rng: random.Random) -> list[Document]:
    records, rate = rng.choice((1000, 10_000, 50_000)), rng.choice(("0.001", "0.01", "0.1"))
    return _drawn(rng, rate=rate, sampling="with-replacement", records=records)


def _bins(rng: random.Random) -> list[Document]:
    said = {"kind": "subsampled", "base": _base(rng), "sampling": "balls-in-bins", "bins": rng.randint(5, 1000)}
    return [{"mechanism": {**said, "epochs": rng.randint(1, 10)}}]


_ADD, _ZERO, _REPLACE = "add-or-remove-one", "zero-out", "replace-one"
#: Whether a theorem encloses the loss, or an upper bound; and those theorems.
_EXACT = (True, ("zdw2022/poisson_gaussian", "zdw2022/thm10", "chua2025/allocation"))
_CUT, _FIXED_SIZE, _EPOCHS = (False, ("chua2024b/cut",)), (False, ("zdw2022/thm10",)), (False, ("gdp/composition",))
#: Of each sampler: its neighbours, how a run is drawn, and what speaks of it.
SAMPLERS: dict[str, tuple[str, Callable[[random.Random], list[Document]], tuple[bool, tuple[str, ...]]]] = {
    "poisson": (_ADD, _drawn, _EXACT),
    "poisson-replaced": (_REPLACE, lambda rng: _drawn(rng, clipped=True), _EXACT),
    "poisson-two-rates": (_ADD, lambda rng: _drawn(rng) + _drawn(rng), _EXACT),
    "capped": (_ADD, _capped, _CUT),
    "capped-zeroed": (_ZERO, _capped, _CUT),
    "capped-replaced": (_REPLACE, lambda rng: _capped(rng, clipped=True), _CUT),
    "bins": (_ADD, _bins, _EXACT),
    "fixed-size-zeroed": (_ZERO, lambda rng: _drawn(rng, sampling="fixed-size"), _FIXED_SIZE),
    "fixed-size-replaced": (_REPLACE, lambda rng: _drawn(rng, sampling="fixed-size"), _FIXED_SIZE),
    "with-replacement-zeroed": (_ZERO, _put_back, _FIXED_SIZE),
    "with-replacement-replaced": (_REPLACE, _put_back, _FIXED_SIZE),
    "shuffled-zeroed": (_ZERO, lambda rng: _drawn(rng, sampling="shuffled"), _EPOCHS),
    "users": (_ADD, lambda rng: _drawn(rng, records_per_unit=rng.randint(2, 8)), _EXACT),
}


@dataclass(frozen=True)
class Run:
    """One drawn run: its epsilon and by which theorem, None where it has none, the seconds, the library's epsilon."""

    epsilon: privref.Enclosure | None
    by: str | None
    seconds: float
    library: float | None

    @property
    def narrow(self) -> bool:
        return self.epsilon is not None and self.epsilon.relative_width_at_most(WIDTH)

    @property
    def contradicted(self) -> bool:
        assert self.epsilon is not None
        return self.library is not None and self.library < float(self.epsilon.lower) * (1 - 1e-6) - 1e-9


def _pld(name: str, events: list[Document], delta: float) -> float | None:
    """dp-accounting's epsilon, None where it has not this sampler."""
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    relations = dp_accounting.NeighboringRelation
    relation = {"poisson-replaced": relations.REPLACE_ONE, "capped-zeroed": relations.REPLACE_SPECIAL}.get(
        name, relations.ADD_OR_REMOVE_ONE
    )
    accountant = PLDAccountant(relation)
    for event in events:
        said = event["mechanism"]
        sigma, rate = float(said["base"]["sigma"]), float(Fraction(said.get("rate", "1")))
        match name:
            case "poisson" | "poisson-two-rates":
                one = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
            case "poisson-replaced":
                # It divides by the norm of one record, half of what a replaced one changes.
                one = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(2 * sigma))
            case "capped-zeroed":
                one = dp_accounting.TruncatedSubsampledGaussianDpEvent(said["records"], rate, said["batch_cap"], sigma)
            case "users":
                size = said["records_per_unit"]
                chances = [math.comb(size, j) * rate**j * (1 - rate) ** (size - j) for j in range(size + 1)]
                one = dp_accounting.dp_event.MixtureOfGaussiansDpEvent(sigma, list(range(size + 1)), chances)
            case _:
                return None
        accountant.compose(one, event.get("count", 1))
    return float(accountant.get_epsilon(delta))


def measured(name: str, number: int, seed: int, pld: bool = False) -> Run:
    """Return one drawn run."""
    rng = random.Random(f"{seed}/{name}/{number}")
    neighbours, drawn, _ = SAMPLERS[name]
    document = {
        "schema": "ledger.1", "title": name, "privacy_unit": "record", "neighbours": neighbours,
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": drawn(rng),
    }  # fmt: skip
    delta = f"1e-{rng.randint(5, 8)}"
    began, found, by = time.process_time(), None, None
    with suppress(privref.PrivrefError):  # No epsilon: the line counts it.
        best = privref.proved(privref.ledger_from_document(document), delta)
        found, by = best.enclosure, best.application.by
    seconds = time.process_time() - began
    library = _pld(name, document["events"], float(delta)) if pld and found is not None else None
    return Run(found, by, seconds, library)


HEAD = (
    "| sampler | neighbours | runs | with an epsilon | loss, width ≤ 1e-4 | upper bound, width ≤ 1e-4 | median s | "
    "largest s | PLD at least | PLD below |"
)
_RULE = f"{'|---' * 10}|"


def row(name: str, found: list[Run]) -> str:
    """Return the line of a sampler."""
    neighbours, _, (exact, theorems) = SAMPLERS[name]
    known = [run for run in found if run.epsilon is not None]
    seconds = [run.seconds for run in found]
    narrow = str(sum(run.narrow and run.by in theorems for run in known))
    compared = [run for run in known if run.library is not None]
    above = sum(run.contradicted for run in compared)
    beside = f"{len(compared) - above} | {above}" if compared else " | "
    return (
        f"| `{name}` | `{neighbours}` | {len(found)} | {len(known)} | {narrow if exact else ''} | "
        f"{'' if exact else narrow} | {statistics.median(seconds):.2f} | {max(seconds):.1f} | {beside} |"
    )


def drawn_runs(name: str, each: int, seed: int, cpu: float, pld: int) -> list[Run]:
    """Return the runs of a sampler, up to so many or so many seconds."""
    found: list[Run] = []
    while len(found) < each and sum(run.seconds for run in found) < cpu:
        found.append(measured(name, len(found), seed, len(found) < pld))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(SAMPLERS))
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", type=float, default=math.inf)
    parser.add_argument("--pld", type=int, default=0)
    parser.add_argument("--into", type=Path)
    given = parser.parse_args()
    lines = [HEAD, _RULE]
    for name in given.names:
        lines.append(row(name, drawn_runs(name, given.each, given.seed, given.cpu, given.pld)))
        sys.stdout.write("".join(f"{line}\n" for line in (lines[-1:] if len(lines) > 3 else lines)))
        sys.stdout.flush()
    if given.into is not None:
        before, _, rest = given.into.read_text().partition(f"{HEAD}\n")
        after = rest[rest.index("\n\n") :]
        given.into.write_text(before + "\n".join(lines) + after)


if __name__ == "__main__":
    main()
