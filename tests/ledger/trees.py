"""Random trees of dp-accounting events: what privref proves of each, next to what that library's accountants answer.

``python -m tests.ledger.trees FILE --trees 10000`` draws them from one seed and appends a line for each to FILE, with
the answers of dp-accounting, which has to be installed; a second call goes on where the first one stopped.
``--rounds 30 --seconds 2`` draws smaller counts and waits less, so that many trees are tried in little time, and
``--cpu 600`` stops after so many seconds. ``python -m tests.ledger.trees FILE`` counts what the file shows. A line is
found again from its number, its seed and its rounds.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import signal
import sys
import time
from collections import Counter, namedtuple
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import privref
from privref.profiles.declared import Mechanism

RELATIONS = ("add-or-remove-one", "replace-one", "zero-out")
#: What dp-accounting calls them.
_THEIRS = {"add-or-remove-one": "ADD_OR_REMOVE_ONE", "replace-one": "REPLACE_ONE", "zero-out": "REPLACE_SPECIAL"}
#: How far an exact bound may lie above another library's one: what the enclosure and that library's double may lose.
ABOVE = 1e-6
#: Seconds of CPU for one tree, of each side, and the largest count, where the command names no other.
SECONDS, ROUNDS = 60, 300

Tree = dict[str, Any]
_CLASS = "class"


def _event(name: str, **fields: Any) -> Tree:
    return {_CLASS: f"{name}DpEvent", **fields}


def _some(rng: random.Random, low: float, high: float) -> float:
    """A number between both, of three digits, by its logarithm."""
    return float(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.3g}")


def _count(rng: random.Random, high: int) -> int:
    return int(_some(rng, 1, high + 0.5))


def _gaussian(rng: random.Random) -> Tree:
    return _event("Gaussian", noise_multiplier=_some(rng, 0.7, 30))


def _mixture(rng: random.Random) -> Tree:
    shifts = rng.choice(([1.0], [0.0, 1.0], [0.0, 1.0, 2.0], [0.0, 0.5, 1.0]))
    weights = {1: [1.0], 2: [0.75, 0.25], 3: [0.75, 0.125, 0.125]}[len(shifts)]
    return _event(
        "MixtureOfGaussians", standard_deviation=_some(rng, 1, 20), sensitivities=shifts, sampling_probs=weights
    )


def _truncated(rng: random.Random) -> Tree:
    records, rate = rng.choice((10_000, 50_000, 1_000_000)), rng.choice((0.001, 0.01, 0.05))
    mean = records * rate
    return _event(
        "TruncatedSubsampledGaussian", dataset_size=records, sampling_probability=rate,
        truncated_batch_size=int(mean + rng.choice((3, 4, 6, 9)) * math.sqrt(mean)),
        noise_multiplier=_some(rng, 0.7, 5),
    )  # fmt: skip


def _on_samples(rng: random.Random) -> Tree:
    base = rng.choice((_gaussian, _gaussian, _gaussian, _laplace, _twice))(rng)
    return _event("PoissonSampled", sampling_probability=_some(rng, 0.001, 0.5), event=base)


def _twice(rng: random.Random) -> Tree:
    return _event("Composed", events=[_gaussian(rng), _gaussian(rng)])


def _laplace(rng: random.Random) -> Tree:
    return _event("Laplace", noise_multiplier=_some(rng, 0.7, 50))


def _without_replacement(rng: random.Random) -> Tree:
    return _event(
        "SampledWithoutReplacement", source_dataset_size=1000, sample_size=rng.choice((1, 10, 100)),
        event=_gaussian(rng),
    )  # fmt: skip


_LEAVES = (
    _gaussian, _gaussian, _laplace, _on_samples, _on_samples, _on_samples, _mixture, _truncated, _without_replacement,
    lambda rng: _event("DiscreteLaplace", noise_parameter=_some(rng, 0.02, 1.5), sensitivity=rng.randint(1, 3)),
    lambda rng: _event("RandomizedResponse", noise_parameter=_some(rng, 0.1, 0.99), num_buckets=rng.randint(2, 8)),
    lambda rng: _event("ZC", rho=_some(rng, 1e-4, 0.1), xi=rng.choice((0.0, 0.0, _some(rng, 1e-4, 0.05)))),
    lambda rng: _event("SingleEpochTreeAggregation", noise_multiplier=_some(rng, 2, 50),
                       step_counts=rng.choice((7, 1000, [3, 60]))),
    lambda rng: _event("RepeatAndSelect", event=_gaussian(rng), mean=_some(rng, 1, 50), shape=rng.choice((0.5, 1.0))),
    lambda rng: _event("NoOp"),
)  # fmt: skip


def _tree(rng: random.Random, depth: int, rounds: int) -> Tree:
    kind = rng.random()
    if depth and kind < 0.25:
        return _event("Composed", events=[_tree(rng, depth - 1, rounds) for _ in range(rng.randint(2, 4))])
    if depth and kind < 0.6:
        inner = _tree(rng, depth - 1, rounds)
        return _event("SelfComposed", event=inner, count=_count(rng, rounds if depth == 1 else min(12, rounds)))
    return rng.choice(_LEAVES)(rng)


def drawn(number: int, seed: int, rounds: int = ROUNDS) -> tuple[str, str, Tree]:
    """Return the relation, the delta and the tree of a number."""
    rng = random.Random(f"{seed}/{number}")
    return rng.choice(RELATIONS), f"1e-{rng.randint(4, 8)}", _tree(rng, 2, rounds)


def stand_in(tree: Any) -> Any:
    """Build the tree of named tuples, as dp-accounting's ``to_named_tuple`` does; nothing of it need be installed."""
    if isinstance(tree, list):
        return [stand_in(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    values = {"class_name" if key == _CLASS else key: stand_in(value) for key, value in tree.items()}
    return namedtuple("Event", values)(**values)  # type: ignore[misc]


def names(tree: Any) -> Iterator[str]:
    """Yield the classes of a tree, that of a sample with those of its base."""
    if isinstance(tree, list):
        for item in tree:
            yield from names(item)
    elif isinstance(tree, dict):
        name = tree[_CLASS].removesuffix("DpEvent")
        inner = sorted({each for value in tree.values() for each in names(value)})
        if name in ("Composed", "SelfComposed"):
            yield from inner
        else:
            yield f"{name}({', '.join(inner)})" if inner else name


def ours(relation: Any, delta: str, tree: Tree) -> dict[str, Any]:
    """Return what privref proves, by which theorem, and whether some data sets lose as much."""
    try:
        ledger = privref.ledger_from_dp_event(stand_in(tree), neighbours=relation, parameters="fixed-in-advance")
        best = privref.proved(ledger, delta)
    except privref.PrivrefError as error:
        return {"why": str(error)[:200]}
    by, found = best.application.by, best.enclosure
    assert found is not None
    exact = by in _EXACT and all(event.law is not None and _is_exact(event.law) for event in ledger.events)
    return {"low": float(found.lower), "high": found.float_up, "by": by, "exact": exact}


#: What composes the laws themselves; others bound what they lose.
_EXACT = ("zdw2022/thm10", "zdw2022/poisson_gaussian", "gdp/composition", "chua2025/allocation")


def _is_exact(law: Mechanism) -> bool:
    return law.attained and law.upper is not None and law.lower is not None and not law.only_dominates


def theirs(relation: str, delta: str, tree: Tree) -> dict[str, float | None]:
    """Return the epsilons of dp-accounting's two accountants, None where one of them has no finite one."""
    import dp_accounting as dp
    from dp_accounting import pld, rdp

    def built(node: Any) -> Any:
        if isinstance(node, list):
            return [built(item) for item in node]
        if not isinstance(node, dict):
            return node
        fields = {key: built(value) for key, value in node.items() if key != _CLASS}
        return getattr(dp.dp_event, node[_CLASS])(**fields)

    event, of = built(tree), getattr(dp.NeighboringRelation, _THEIRS[relation])
    found: dict[str, float | None] = {}
    for name, accountant in (("pld", pld.PLDAccountant(of)), ("rdp", rdp.RdpAccountant(neighboring_relation=of))):
        answer = math.inf
        if accountant.supports(event):
            answer = float(accountant.compose(event).get_epsilon(float(delta)))
        found[name] = answer if math.isfinite(answer) else None
    return found


def _repeated(tree: Any, times: int = 1) -> Iterator[str]:
    """Yield the classes of a tree that run more than once as one event."""
    if tree[_CLASS] == "ComposedDpEvent":
        for item in tree["events"]:
            yield from _repeated(item, times)
    elif tree[_CLASS] == "SelfComposedDpEvent":
        yield from _repeated(tree["event"], times * tree["count"])
    elif times > 1:
        yield tree[_CLASS]


def compared(row: dict[str, Any]) -> list[float]:
    """Return the answers of dp-accounting that are about what the tree says.

    Two are not. Where a record is replaced, its Renyi accountant takes the noise over the change of a sum, and its
    other one over what a record contributes, as the events' documentation does: a factor of 2. And that other one
    counts randomized response once however often it runs.
    """
    found = {name: row.get(name) for name in ("pld", "rdp")}
    if row["relation"] == "replace-one" and set(names(row["tree"])) - {"ZC", "RandomizedResponse", "NoOp"}:
        found.pop("rdp")
    if "RandomizedResponseDpEvent" in _repeated(row["tree"]):
        found.pop("pld")
    return [answer for answer in found.values() if answer is not None]


def judged(row: dict[str, Any]) -> str:
    """Say what a line shows, in a few words."""
    answers = compared(row)
    why = row.get("why", "")
    if not answers:
        return "the library takes too long, or fails" if why.startswith("theirs: ") else "no peer answers"
    if "high" not in row:
        return "privref takes too long" if why.startswith("ours: ") else "privref has no answer"
    if row["high"] <= min(answers) + ABOVE:
        return "not above"
    if not row["exact"]:
        return "above, an upper bound only"
    within = row["low"] <= min(answers) + ABOVE
    return "above by the width of the enclosure" if within else "a peer is below what some data sets lose"


class _TooLongError(Exception):
    """A tree took all of its seconds."""


def _stop(*_: object) -> None:
    raise _TooLongError


def _timed(side: Callable[..., dict[str, Any]], seconds: int, *given: Any) -> tuple[dict[str, Any], float]:
    """Return what a side answers, and its seconds; that it took too long is an answer too."""
    signal.signal(signal.SIGPROF, _stop)
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        found = side(*given)
    except _TooLongError:
        found = {"why": f"{side.__name__}: more than {seconds} s of CPU"}
    except Exception as error:  # Of the library any; one of privref's is a fault.
        if side is ours:
            raise
        found = {"why": f"{side.__name__}: {type(error).__name__}: {error}"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return found, round(time.process_time() - began, 2)


def _line(number: int, seed: int, rounds: int, seconds: int) -> dict[str, Any]:
    """Try one tree; privref is not asked where there is nothing to compare with."""
    relation, delta, tree = drawn(number, seed, rounds)
    row = {"number": number, "seed": seed, "rounds": rounds, "relation": relation, "delta": delta, "tree": tree}
    for name, side in (("theirs", theirs), ("ours", ours)):
        if name == "theirs" or compared(row):
            found, row[f"seconds_{name}"] = _timed(side, seconds, relation, delta, tree)
            row |= found
    return row


_PLAIN = ("no peer answers", "not above", "above by the width of the enclosure")


def counted(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield lines that count what was shown, and what the trees without an answer have in common."""
    rows = list(rows)
    verdicts = Counter(map(judged, rows))
    spent = [sum(row.get(f"seconds_{name}", 0) for row in rows) for name in ("theirs", "ours")]
    yield f"{len(rows)} trees"
    yield f"seconds of dp-accounting {spent[0]:.0f}, of privref {spent[1]:.0f}"
    yield from (f"{count:6} {verdict}" for verdict, count in verdicts.most_common())
    for verdict in verdicts:
        if verdict in _PLAIN:
            continue
        here = [row for row in rows if judged(row) == verdict]
        yield f"{verdict}:"
        classes = Counter(f"{row['relation']}: {name}" for row in here for name in set(names(row["tree"])))
        yield from (f"{count:6} {name}" for name, count in classes.most_common(12))
        whys = Counter(row.get("why") or f"by {row['by']}" for row in here)
        yield from (f"{count:6} {why}" for why, count in whys.most_common(8))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--trees", type=int, default=0, help="how many trees the file shall have")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="the largest count of one event")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="of CPU, for one tree and each side")
    parser.add_argument("--cpu", type=float, default=math.inf, help="stop after so many seconds of CPU")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.file.read_text().splitlines()] if given.file.exists() else []
    with given.file.open("a") as file:
        for number in range(len(rows), given.trees):
            if time.process_time() > given.cpu:
                break
            rows.append(_line(number, given.seed, given.rounds, given.seconds))
            file.write(json.dumps(rows[-1]) + "\n")
            file.flush()
    sys.stdout.write("".join(f"{line}\n" for line in counted(rows)))


if __name__ == "__main__":
    main()
