"""JAX-privacy's strategies of batch selection, training parameters and execution plans as ledgers, read by attributes.

A record is in one group of a cycle, whatever it holds. Given its group, and the groups and the batches of all others,
only the rounds of that group depend on it: the ``ceil(iterations / cycle_length)`` rounds of the first group at most.
That bound need not be attained, because nobody knows the group. If the groups have equal size, an added record moves
others to other groups, and nothing is read for that relation.

A record of b-min-sep sampling is in ``ceil(iterations / min_sep)`` rounds at most, and which ones does not depend on
what it holds. Given these, the run is one Gaussian query of as many times the squared sensitivity. Without truncation
they do not depend on whether it is there either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from privref.exact import numbers
from privref.exact.errors import InputError
from privref.exact.numbers import ExactInput, spell
from privref.profiles.sampled import Sampling

from .model import Interaction, Ledger, Neighbours, Parameters
from .records import (
    Entry,
    at_least_zero,
    exact,
    gaussian,
    hold_relation,
    ledger_of,
    sampled,
    unknown,
    whole_count,
)

_Events = Iterator[tuple[Entry, int, str]]
#: The label of rounds of which those of one group are counted.
_OF_A_GROUP = "cyclic: the rounds of one group"
_MOVED = "JAX-privacy groups of equal size: an added record moves others to other groups; give zero-out or replace-one"


def ledger_from_jax_privacy(
    run: Any,
    *,
    neighbours: Neighbours,
    parameters: Parameters,
    noise_multiplier: ExactInput | None = None,
    num_examples: ExactInput | None = None,
    num_updates: ExactInput | None = None,
    interaction: Interaction = "sequential",
    privacy_unit: str = "record",
    title: str = "JAX-privacy run",
) -> Ledger:
    """A run of JAX-privacy: a strategy of batch selection, ``DpParams``, an execution plan, or the plan's config.

    A strategy does not say the noise: ``noise_multiplier`` is the standard deviation of fresh Gaussian noise in each
    round, over the largest norm of one record's contribution. ``DpParams`` need ``num_updates``; their noise and batch
    size may change. ``num_examples`` is the public number of records, for batches of a fixed size and for truncated
    ones (of users, if the strategy selects users; then say so by ``privacy_unit``). Of a plan the DpEvent is read, and
    compared with the strategy; a plan does not say its neighbours, its config does.
    """
    norm = Fraction(2 if neighbours == "replace-one" else 1)
    kind = type(run).__name__
    if privacy_unit == "record" and (
        kind == "UserSelectionStrategy" or (getattr(run, "examples_per_user", 0) or 1) != 1
    ):
        raise InputError("privacy_unit", privacy_unit, "the run protects users; say who they are, such as user")
    if kind == "UserSelectionStrategy":
        run = run.base_strategy
        kind = type(run).__name__
    if kind == "BandMFExecutionPlanConfig":
        hold_relation(run.accountant, neighbours, "run.accountant")
        run = run.plan
        kind = type(run).__name__
    if kind not in _READERS:
        raise InputError("run", kind, f"give one of {', '.join(_READERS)}, UserSelectionStrategy, or a plan's config")
    needed = {"noise_multiplier": kind not in ("DPExecutionPlan", "DpParams"), "num_updates": kind == "DpParams"}
    for name, value in (("noise_multiplier", noise_multiplier), ("num_updates", num_updates)):
        if (value is not None) != needed[name]:
            raise InputError(name, value, f"a {kind} {'needs' if needed[name] else 'says'} it")
    said = _Said(
        neighbours,
        norm,
        None if noise_multiplier is None else numbers.at_least_zero(noise_multiplier, "noise_multiplier"),
        None if num_examples is None else numbers.count(num_examples, "num_examples"),
        None if num_updates is None else numbers.count(num_updates, "num_updates"),
    )
    return ledger_of(title, _READERS[kind](run, said), neighbours, parameters, interaction, privacy_unit)


@dataclass(frozen=True)
class _Said:
    """What the caller says, and the record does not."""

    neighbours: Neighbours
    norm: Fraction
    sigma: Fraction | None
    records: int | None
    updates: int | None

    def noise(self) -> Fraction:
        assert self.sigma is not None
        return self.sigma

    def public_records(self) -> int:
        if not self.records:
            raise InputError("num_examples", self.records, "these batches depend on the number of records; give it")
        return self.records


@dataclass(frozen=True)
class _Cycle:
    """Poisson samples from groups in turn: how many groups, whether of equal size, the rate in one, and the cap."""

    length: int
    equal: bool
    rate: Fraction
    cap: int | None

    @classmethod
    def of(cls, strategy: Any) -> _Cycle:
        rate = at_least_zero(strategy.sampling_prob, "run.sampling_prob")
        cut = strategy.truncated_batch_size
        length = whole_count(getattr(strategy, "cycle_length", 1), "run.cycle_length")
        if rate > 1 or not length:
            raise InputError("run.sampling_prob", strategy.sampling_prob, "give a probability, and one group at least")
        equal = getattr(getattr(strategy, "partition_type", None), "name", "EQUAL_SPLIT") == "EQUAL_SPLIT"
        return cls(length, equal, rate, None if cut is None else whole_count(cut, "run.truncated_batch_size"))

    def rounds(self, iterations: int) -> int:
        return -(-iterations // self.length)

    def entries(self, said: _Said, sigma: Fraction, iterations: int, group: int | None) -> _Events:
        """The rounds of one group; its number of records is needed where batches are cut."""
        if not self.rate or self.cap == 0:
            return
        label = _OF_A_GROUP if self.length > 1 else ""
        if self.length > 1 and self.equal and said.neighbours == "add-or-remove-one":
            yield unknown(_MOVED), 1, ""
            return
        if self.cap is None:
            entry = sampled(sigma, said.norm, self.rate, "poisson")
        elif label and not self.equal and said.neighbours != "add-or-remove-one":
            # Nobody knows the size of the group: as on all records, of which the same are in a batch.
            entry, _ = gaussian(sigma, said.norm)
        else:
            if group is None:
                records = said.public_records()
                group = records // self.length if self.equal else records
            entry = sampled(sigma, said.norm, self.rate, "poisson", (Fraction(self.cap), Fraction(max(group, 1))))
        yield (_at_most(entry) if label else entry), self.rounds(iterations), label


def _at_most(entry: Entry) -> Entry:
    """The law as an upper bound only."""
    return {"mechanism": {**entry["mechanism"], "attained": False}} if "mechanism" in entry else entry


def _cyclic(run: Any, said: _Said) -> _Events:
    yield from _Cycle.of(run).entries(said, said.noise(), whole_count(run.iterations, "run.iterations"), None)


def _bins(run: Any, said: _Said) -> _Events:
    """Each record in one bin of a cycle; a last cycle that is cut short counts as a whole one."""
    length = run.cycle_length if hasattr(run, "cycle_length") else run.min_sep
    iterations, bins = whole_count(run.iterations, "run.iterations"), whole_count(length, "run.cycle_length")
    if not bins:
        raise InputError("run.cycle_length", length, "give one bin at least")
    base, label = gaussian(said.noise(), said.norm)
    if "mechanism" not in base:
        yield base, -(-iterations // bins), label
    elif iterations:
        law = {
            "kind": "subsampled", "base": base["mechanism"], "sampling": "balls-in-bins", "bins": bins,
            "epochs": -(-iterations // bins),
        }  # fmt: skip
        yield ({"mechanism": law} if iterations % bins == 0 else _at_most({"mechanism": law})), 1, ""


def _fixed(run: Any, said: _Said) -> _Events:
    iterations, size = whole_count(run.iterations, "run.iterations"), whole_count(run.batch_size, "run.batch_size")
    records = said.public_records()
    if not size:
        return
    if run.replace and not 1 < records >= size:
        yield unknown("JAX-privacy samples with replacement: more draws than records, or one record"), 1, ""
        return
    if size > records:
        raise InputError("run.batch_size", run.batch_size, f"there are {records} records")
    drawn = ("with-replacement", None, records) if run.replace else ("fixed-size",)
    yield sampled(said.noise(), said.norm, Fraction(size, records), *drawn), iterations, ""


def _separated(run: Any, said: _Said) -> _Events:
    """b-min-sep sampling: Poisson samples for b = 1, balls in bins where each record comes as soon as it may."""
    iterations, gap = whole_count(run.iterations, "run.iterations"), whole_count(run.min_sep, "run.min_sep")
    cut, certain = run.truncated_batch_size, exact(run.sampling_prob, "run.sampling_prob") == 1
    if gap == 1:
        yield from _cyclic(run, said)
    elif certain and run.warm_start and cut is None:
        yield from _bins(run, said)
    elif cut is not None and said.neighbours == "add-or-remove-one":
        yield unknown("JAX-privacy truncated b-min-sep batches: an added record takes the place of another one"), 1, ""
    elif iterations and run.sampling_prob:
        base, label = gaussian(said.noise(), said.norm)
        times = -(-iterations // max(gap, 1))
        yield _at_most(base), times, label or "b-min-sep: as often as a record can be sampled"


def _interleaved(run: Any, updates: int) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Steps, noise multiplier and batch size of each stretch; both may change, each at a list of steps."""

    def schedule(name: str) -> list[tuple[int, Fraction]]:
        value = getattr(run, name)
        pairs = list(value) if isinstance(value, (list, tuple)) else [(0, value)]
        found = [(whole_count(t, f"run.{name}"), at_least_zero(of, f"run.{name}")) for t, of in pairs]
        if not found or min(found)[0]:
            raise InputError(f"run.{name}", value, "say it from step 0 on")
        return sorted(found)

    noises, sizes = schedule("noise_multipliers"), schedule("batch_sizes")
    starts = sorted({t for t, _ in noises + sizes if t < updates})
    for start, end in zip(starts, [*starts[1:], updates], strict=True):
        noise, size = ([of for t, of in each if t <= start][-1] for each in (noises, sizes))
        yield end - start, noise, size


def _parameters(run: Any, said: _Said) -> _Events:
    """``DpParams``: the library takes groups of equal size, and drops the records that are left over."""
    assert said.updates is not None
    if not run.is_finite_guarantee:
        yield unknown("JAX-privacy parameters that say that no finite guarantee holds"), 1, ""
        return
    cycle = whole_count(run.cycle_length or 1, "run.cycle_length")
    records = whole_count(run.num_samples, "run.num_samples")
    users = whole_count(run.examples_per_user or 1, "run.examples_per_user")
    method = getattr(run.sampling_method, "name", run.sampling_method)
    sampling: Sampling = "poisson" if method == "POISSON" else "fixed-size"
    group = records // max(cycle, 1)
    plain = cycle == 1 and run.truncated_batch_size is None
    if (
        method not in ("POISSON", "FIXED_BATCH_SIZE")
        or not (plain or (sampling == "poisson" and users == 1))
        or not group
    ):
        raise InputError(
            "run.sampling_method", method, "these settings do not go together; JAX-privacy refuses them too"
        )
    for steps, sigma, size in _interleaved(run, said.updates):
        rate = size / group
        if rate > 1:
            raise InputError("run.batch_sizes", spell(size), f"a group has {group} records")
        cut = run.truncated_batch_size
        if sampling == "poisson":
            cap = None if cut is None else whole_count(cut, "run.truncated_batch_size")
            entries = _Cycle(cycle, True, rate, cap).entries(said, sigma, steps, group)
        else:
            entries = iter([(sampled(sigma, said.norm, rate, sampling), steps, "")] if rate else [])
        for entry, count, label in entries:
            if users > 1 and "mechanism" in entry and sampling == "poisson":
                yield {"mechanism": {**entry["mechanism"], "records_per_unit": users}}, count, label
            elif users > 1:
                yield unknown("JAX-privacy users of several records in batches of a fixed size: no law is read"), 1, ""
            else:
                yield entry, count, label


def _plan(run: Any, said: _Said) -> _Events:
    """The DpEvent of a plan, which has to say what its strategy draws."""
    event, strategy = run.dp_event, run.batch_selection_strategy
    cycle = _Cycle.of(strategy)
    step, iterations = event.event, whole_count(strategy.iterations, "run.batch_selection_strategy.iterations")
    cut = getattr(step, "truncated_batch_size", None)
    same = (
        event.count == cycle.rounds(iterations)
        and exact(step.sampling_probability, "run.dp_event.sampling_probability") == cycle.rate
        and cut == strategy.truncated_batch_size
    )
    if not same:
        raise InputError("run.dp_event", type(step).__name__, "the plan's batches are drawn otherwise than it says")
    noise = getattr(step, "event", step).noise_multiplier
    group = None if cut is None else whole_count(step.dataset_size, "run.dp_event.dataset_size")
    sigma = at_least_zero(noise, "run.dp_event.noise_multiplier")
    yield from cycle.entries(said, sigma, iterations, group)


_READERS = {
    "CyclicPoissonSampling": _cyclic,
    "BallsInBinsSampling": _bins,
    "FixedBatchSampling": _fixed,
    "BMinSepSampling": _separated,
    "DpParams": _parameters,
    "DPExecutionPlan": _plan,
}
