"""Optimal composition timed: our enclosures alongside the answers of the libraries that are installed, in one run.

Each row is one answer to one question, epsilon at a given delta: both ends, the relative width, the time. A library's
answer is judged by our narrowest enclosure: ``below`` means smaller than the least epsilon that is true, which for an
upper bound is an error in the wrong direction.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from privref.composition import heterogeneous, loss_convolution
from privref.exact import decide
from privref.exact.enclosure import Enclosure
from privref.exact.numbers import count

#: The verdict on our own rows: enclosures, whose ends are doubles rounded outward.
CERTIFIED = "certified"


@dataclass(frozen=True, slots=True)
class TimedQuestion:
    """A ledger of pure rounds whose epsilons are doubles, so that every library sees the same numbers."""

    name: str
    eps: tuple[float, ...]
    delta: str
    widths: tuple[str, ...] = ("1e-4", "1e-6")
    peers: bool = True

    @property
    def rounds(self) -> tuple[Fraction, ...]:
        return tuple(Fraction(value) for value in self.eps)


@dataclass(frozen=True, slots=True)
class Timing:
    """One answer: its ends (None: it gave none), its seconds, and how it stands to the truth."""

    question: str
    tool: str
    lower: float | None
    upper: float | None
    seconds: float
    relative_width: float | None = None
    verdict: str = ""


def random_rounds(k: int, distinct: int | None = None) -> tuple[float, ...]:
    """k epsilons drawn from [0.01, 0.1], of at most this many different values."""
    source = random.Random(1)
    if distinct is None:
        return tuple(source.uniform(0.01, 0.1) for _ in range(k))
    values = [source.uniform(0.01, 0.1) for _ in range(distinct)]
    return tuple(source.choice(values) for _ in range(k))


def questions(most: int = 100_000) -> tuple[TimedQuestion, ...]:
    """The ledgers of the benchmark, up to this many rounds."""
    everything = (
        TimedQuestion("100 random", random_rounds(100), "1e-9"),
        TimedQuestion("1,000 random", random_rounds(1_000), "1e-9", ("1e-3", "1e-4", "1e-5", "1e-6")),
        TimedQuestion("1,000 random, delta 1e-30", random_rounds(1_000), "1e-30"),
        TimedQuestion("10,000 equal, delta 1e-13", (0.01,) * 10_000, "1e-13"),
        TimedQuestion("10,000 random", random_rounds(10_000), "1e-9", ("1e-4",), peers=False),
        TimedQuestion("100,000 of 50 values", random_rounds(100_000, 50), "1e-9", ("1e-4", "1e-6"), peers=False),
    )
    return tuple(question for question in everything if len(question.eps) <= most)


# --- ours --------------------------------------------------------------------------------------------------------


def ours(question: TimedQuestion, width: Fraction) -> tuple[Enclosure, float]:
    """Our enclosure by the loss grid, also where a closed form exists, and its time with everything from scratch."""
    start = time.perf_counter()
    rounds = question.rounds
    finite = heterogeneous.rounds(rounds, (Fraction(0),) * len(rounds)).finite
    delta = Fraction(question.delta)
    ar = decide.engine("arb", 192)
    with ar.active():
        found = loss_convolution.grid_eps(ar, finite, lambda inner: delta, width)
    return found, time.perf_counter() - start


# --- the libraries -----------------------------------------------------------------------------------------------


Ends = tuple[float | None, float]


def _dp_accounting(eps: Sequence[float], delta: float, interval: float) -> Ends:
    pld: Any = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    common: Any = importlib.import_module("dp_accounting.pld.common")
    total: Any = None
    for value, n in Counter(eps).items():
        law = pld.from_privacy_parameters(common.DifferentialPrivacyParameters(value, 0.0), interval)
        law = law if n == 1 else law.self_compose(n)
        total = law if total is None else total.compose(law)
    return None, float(total.get_epsilon_for_delta(delta))


def _prv_accountant(eps: Sequence[float], delta: float, error: float) -> Ends:
    module: Any = importlib.import_module("prv_accountant")
    counts = Counter(eps)
    laws = [module.PureDPMechanism(value) for value in counts]
    accountant = module.PRVAccountant(
        prvs=laws, max_self_compositions=list(counts.values()), eps_error=error, delta_error=delta / 1000
    )
    lower, _, upper = accountant.compute_epsilon(delta=delta, num_self_compositions=list(counts.values()))
    return float(lower), float(upper)


def _diffprivlib(eps: Sequence[float], delta: float, _: float) -> Ends:
    module: Any = importlib.import_module("diffprivlib.accountant")
    accountant = module.BudgetAccountant(slack=delta, spent_budget=[(value, 0.0) for value in eps])
    return None, float(accountant.total()[0])


@dataclass(frozen=True, slots=True)
class TimedLibrary:
    """A library: its package, its settings of accuracy, how it is asked, and for how many different epsilons at most.

    The last is a matter of minutes: prv-accountant took three for 1,000 different rounds.
    """

    tool: str
    package: str
    settings: tuple[float, ...]
    ask: Callable[[Sequence[float], float, float], Ends]
    most_distinct: int = 10_000

    @property
    def installed(self) -> bool:
        return importlib.util.find_spec(self.package) is not None


LIBRARIES = (
    TimedLibrary("dp-accounting PLD", "dp_accounting", (1e-3, 1e-4, 5e-5), _dp_accounting),
    TimedLibrary("prv-accountant", "prv_accountant", (0.1,), _prv_accountant, 100),
    TimedLibrary("diffprivlib", "diffprivlib", (0.0,), _diffprivlib),
)


def missing_peers() -> list[str]:
    """The packages that are not installed, so that their rows are left out."""
    return [peer.package for peer in LIBRARIES if not peer.installed]


def _peer_rows(question: TimedQuestion, truth: Enclosure) -> Iterator[Timing]:
    distinct = len(set(question.eps))
    for peer in LIBRARIES:
        if not peer.installed or distinct > peer.most_distinct:
            continue
        for setting in peer.settings:
            name = f"{peer.tool} at {setting:g}" if setting else peer.tool
            start = time.perf_counter()
            try:
                lower, upper = peer.ask(question.eps, float(question.delta), setting)
            except Exception as error:  # whatever a library raises is its answer here, and is shown
                seconds = time.perf_counter() - start
                yield Timing(question.name, name, None, None, seconds, None, f"{type(error).__name__}")
                continue
            seconds = time.perf_counter() - start
            yield Timing(question.name, name, lower, upper, seconds, *_judged(lower, upper, truth))


def _judged(lower: float | None, upper: float, truth: Enclosure) -> tuple[float | None, str]:
    """The relative width (without a lower end: the excess over the truth) and the direction of the upper end."""
    if upper != upper or upper in (float("inf"), float("-inf")):
        return None, f"gives {upper}"
    if Fraction(upper) < truth.lower:
        short = (truth.lower - Fraction(upper)) / truth.lower
        return None, f"below the truth by {float(short):.1e}"
    if lower is not None and Fraction(lower) > truth.upper:
        return None, "its lower end is above the truth"
    base = truth.lower if lower is None else Fraction(lower)
    width = float((Fraction(upper) - base) / truth.lower) if truth.lower else None
    return width, "within" if Fraction(upper) <= truth.upper else "above"


# --- the run -----------------------------------------------------------------------------------------------------


def run(asked: Sequence[TimedQuestion], *, peers: bool = True) -> Iterator[Timing]:
    """The rows, as they are measured. The truth is our narrowest enclosure, which is the last of ours."""
    for question in asked:
        truth: Enclosure | None = None
        for width in question.widths:
            found, seconds = ours(question, Fraction(width))
            truth = found if truth is None else truth.intersection(found)
            if truth is None:
                raise ArithmeticError(f"{question.name}: two enclosures of one value are disjoint")
            relative = float(found.width / found.lower) if found.lower else None
            low, high = (float.fromhex(end) for end in found.binary64())
            yield Timing(question.name, f"privref to {width}", low, high, seconds, relative, CERTIFIED)
        if peers and question.peers and truth is not None:
            yield from _peer_rows(question, truth)


def bench(most: object = 1000, *, peers: bool = True) -> Iterator[Timing]:
    """Measure optimal composition on ledgers of at most this many rounds, alongside the installed libraries."""
    return run(questions(count(most, "most", least=1)), peers=peers)
