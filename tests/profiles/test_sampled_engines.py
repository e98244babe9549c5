"""DP-SGD's benchmark: the contour and the grid, each alone; what is recorded, and what the documentation says of it."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest

from privref import evaluate
from privref.exact.enclosure import Enclosure
from tests.benchmarks import bench_sgd, sgd_peers
from tests.oracles import encloses

PAGE = (Path(__file__).parents[2] / "reference" / "docs" / "dp-sgd.md").read_text(encoding="utf-8")
ANSWERS, ENGINES, PEERS = (
    bench_sgd.read(path) for path in (bench_sgd.ANSWERS, bench_sgd.ENGINES, bench_sgd.PEERS_DATA)
)


@pytest.mark.parametrize(
    ("seed", "orientation"), [(0, "removal"), (2, "removal"), (24, "removal"), (26, "removal"), (0, "addition")]
)
def test_the_engines_meet(seed: int, orientation: bench_sgd.Orientation) -> None:
    """From few jumps to many, rates of 0.1 % to 20 %, at the recorded epsilon."""
    assert int(bench_sgd.parameters(seed)["k"]) <= bench_sgd.MOST_COMPARED
    found = bench_sgd.compared(seed, orientation, Fraction(ANSWERS[seed]["upper"]))
    assert found["outcome"] == bench_sgd.BOTH


@pytest.mark.parametrize("ends", [("99/100", "1"), ("0", "1e-40")])
def test_a_contradiction_is_recorded(ends: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_sgd, "by_contour", lambda *_: Enclosure(*map(Fraction, ends)))
    found = bench_sgd.compared(2, "removal", Fraction(ANSWERS[2]["upper"]))
    assert found["outcome"] == bench_sgd.CONTRADICTION


def test_a_contradiction_ends_in_an_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"seed": "0", "orientation": "removal", "outcome": bench_sgd.BOTH}
    monkeypatch.setattr(bench_sgd, "compared", lambda *_: row)
    assert bench_sgd.run_engines(tmp_path / "agreed.csv", [0]) == 0
    row["outcome"] = bench_sgd.CONTRADICTION
    assert bench_sgd.run_engines(tmp_path / "rows.csv", [0]) == 1


def test_all_up_to_a_thousand_steps_are_compared() -> None:
    """Both orientations of each; where one engine is refused its reason stands there."""
    few = [seed for seed in range(len(ANSWERS)) if int(bench_sgd.parameters(seed)["k"]) <= bench_sgd.MOST_COMPARED]
    assert sorted((int(row["seed"]), row["orientation"]) for row in ENGINES) == sorted(
        (seed, orientation) for seed in few for orientation in bench_sgd.ORIENTATIONS
    )
    for row in ENGINES:
        ends = {
            name: [Fraction(row[f"{name}_{end}"] or -1) for end in ("lower", "upper")] for name in ("contour", "grid")
        }
        assert row["outcome"] != bench_sgd.CONTRADICTION
        assert all(
            lower <= Fraction(str(bench_sgd.parameters(int(row["seed"]))["delta"])) for lower, _ in ends.values()
        )
        if row["outcome"] in (bench_sgd.BOTH, bench_sgd.MEET):
            assert max(lower for lower, _ in ends.values()) <= min(upper for _, upper in ends.values())
        elif row["outcome"] != bench_sgd.ZERO:
            refused = [name for name, (_, upper) in ends.items() if upper < 0]
            assert refused
            assert all(f"{name}: " in row["outcome"] for name in refused)


def test_the_documentation_says_what_was_recorded() -> None:
    assert [int(row["seed"]) for row in ANSWERS] == list(range(1000))
    for line in (
        *bench_sgd.answers_table(ANSWERS),
        bench_sgd.computed_by(ANSWERS),
        *bench_sgd.engines_table(ENGINES),
        *bench_sgd.peers_table(PEERS, ANSWERS),
    ):
        assert line in PAGE


def test_no_other_library_says_a_number_at_a_small_delta() -> None:
    asked = {row["seed"] for row in PEERS if float(bench_sgd.parameters(int(row["seed"]))["delta"]) < 1e-15}
    assert asked
    assert all(row["epsilon"] in ("", "inf") for row in PEERS if row["seed"] in asked)


def test_the_goals_are_reached() -> None:
    assert bench_sgd.is_reached(ANSWERS)


@pytest.mark.parametrize("seed", [0, 1, 22, 30, 57])
def test_what_was_recorded_is_found_again(seed: int) -> None:
    row = ANSWERS[seed]
    found = evaluate(bench_sgd.EPS, bench_sgd.parameters(seed)).enclosure
    assert found is not None
    assert encloses(Enclosure(Fraction(row["lower"]), Fraction(row["upper"])), found)


# --- other libraries, without any ---------------------------------------------------------------------------------

HANGS = """
import signal
print("1.0", flush=True)
input()
signal.setitimer(signal.ITIMER_PROF, 0.01)
while True:
    pass
"""


def test_a_library_that_hangs_is_an_outcome() -> None:
    worker = bench_sgd.Worker(sys.executable, "-c", HANGS)
    for _ in range(2):
        found = worker.ask("any", bench_sgd.parameters(0))
        assert found == {"version": "1.0", "epsilon": "", "error": "no answer in time", "seconds": ""}
    worker.close()


def test_what_a_library_says_or_raises_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    def says(library: object, q: float, sigma: float, k: int, delta: float) -> float:
        return q * k

    def fails(*_: object) -> float:
        raise OverflowError("beyond")

    question = {"q": "1/4", "sigma": "2", "k": 10, "delta": "1e-5"}
    monkeypatch.setattr(sgd_peers, "PEERS", {"says": (says, "math", "privref"), "fails": (fails, "math", "privref")})
    assert sgd_peers.answer({"peer": "says", **question})["epsilon"] == "2.5"
    assert sgd_peers.answer({"peer": "fails", **question})["error"] == "OverflowError"


def test_tables_of_made_up_rows() -> None:
    """Below, infinite and failed are counted, and excess is over the certified upper end."""
    answers = [{"seed": str(n), "lower": "1", "upper": "1", "seconds": f"{n}"} for n in range(4)]
    said = ["0.5", "inf", "", "1.5"]
    peers = [
        {
            "seed": str(n),
            "peer": "one",
            "version": "2",
            "epsilon": value,
            "error": "" if value else "KeyError",
            "seconds": "1",
        }
        for n, value in enumerate(said)
    ]
    assert bench_sgd.peers_table(peers, answers) == [
        "| `privref` | 4 of 4 | | | 1.50 |",
        "| one 2 | 2; 1 KeyError; 1 infinity | 1 | -50 %, 0 %, 50 % | 1.00 |",
    ]
