"""Every class of the libraries that takes privacy parameters or noise: the functions that ask it, or why none does.

opendp has constructors in place of classes. A test compares this table with the modules of the installed libraries.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from privref.vectors.store import examples

from .findings import PeerFinding, order
from .running import PeerRow


@cache
def table() -> dict[str, dict[str, list[str] | str]]:
    """Return by library the name of each class, and what asks it (parts of functions' names), or why nothing does."""
    text = files("privref.vectors.peers").joinpath("coverage.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, list[str] | str]] = json.loads(text)
    return found


# --- classes of mistakes that the cases reach, and what was found in each ---------------------------------------------


#: What libraries offer and no case asks yet.
NOT_ASKED = (
    "subsampling without replacement beyond one pair of data sets",
    "sparse vectors",
    "the law of what a sampler draws",
)

_MANY, _LONG = 10, 5_000


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """One class: how often it was asked of how many libraries, and the gravest wrong answer, if there is one.

    ``answered`` counts the cases that were given an answer, or rightly a refusal by a function that answers others.
    """

    name: str
    cases: int
    libraries: int
    gross: int
    worst: tuple[PeerRow, PeerFinding] | None
    answered: int


Test = Callable[[PeerRow, PeerFinding], bool]


def _distinct(row: PeerRow, finding: PeerFinding) -> bool:
    eps = finding.opinion.vector.inputs.get("eps")
    return row.statement.startswith("mv2016/") and isinstance(eps, list) and len(set(eps)) >= _MANY


def _tiny(row: PeerRow, finding: PeerFinding) -> bool:
    flags = finding.opinion.vector.flags
    return row.statement.startswith("mv2016/") and not {"tiny-delta", "cancellation"}.isdisjoint(flags)


def _long(row: PeerRow, finding: PeerFinding) -> bool:
    k = finding.opinion.vector.inputs.get("k")
    return isinstance(k, (str, int)) and not finding.bad and int(k) >= _LONG


def _of(*prefixes: str) -> Test:
    return lambda row, finding: row.statement.startswith(prefixes) and not finding.bad


def _bad(what: str) -> Test:
    return lambda row, finding: finding.bad and what in finding.symptom


CLASSES: dict[str, Test] = {
    "ten or more different epsilons": _distinct,
    "deltas that add up to about the target, or are below one ulp of 1": _tiny,
    "rounds with Gaussians": _of("mv2016/mixed."),
    "different Gaussians": _of("gdp/composition."),
    "five thousand equal rounds and more": _long,
    "one record replaced": lambda row, finding: "REPLACE_ONE" in row.function and not finding.bad,
    "noise for a target": _of("gdp/profile.mu"),
    "Laplace, geometric, discrete Gaussian, randomized response": _of("zdw2022/thm10.", "hartmann2022/thm15."),
    "Poisson subsampling (DP-SGD)": _of("zdw2022/poisson_gaussian."),
    "thresholds": _of("rogers2023/threshold."),
    "noisy max, bounded range": _of("cesar2021/br2zcdp."),
    "zero-concentrated privacy": _of("cks2020/", "whitehouse2023/"),
    "a budget that is spent exactly": _of("rogers2016/"),
    "NaN in any parameter": _bad("not a number"),
    "infinity in any cost": _bad("infinite"),
    "a negative number in any parameter": _bad("negative"),
}


def summaries(rows: Sequence[PeerRow]) -> Iterator[ClassSummary]:
    """Each class over all findings of these rows."""
    for name, test in CLASSES.items():
        mine = [(row, finding) for row in rows for finding in row.findings if test(row, finding)]
        wrong = [(row, finding) for row, finding in mine if finding.kind in ("gross", "bad-input")]
        worst = min(wrong, key=lambda entry: order(entry[1]), default=None)
        answered = sum(finding.kind != "no-answer" for row, finding in mine if row.answered)
        yield ClassSummary(name, len(mine), len({row.peer for row, _ in mine}), len(wrong), worst, answered)


def unasked(rows: Sequence[PeerRow]) -> tuple[str, ...]:
    """Statements with vectors that no function of these libraries claims to compute."""
    asked = {row.statement for row in rows}
    return tuple(id for id in examples() if id not in asked)
