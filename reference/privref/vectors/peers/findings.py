"""Which findings matter: how wrong an answer is, whether at parameters that people use, and what it has in common.

An answer on the unsafe side is *gross* where it is off by more than one part in a million, and *last digits* otherwise.
A gross error is ranked by what it does to who relies on it: the shortfall of epsilon, relative or in nats, whichever is
less; of any other quantity the relative one. An epsilon below 0 is as good as 0, and only its truth decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, PrivrefError
from privref.statements.registry import solve, statement

from ..answers import INFINITY, NOT_A_NUMBER
from ..generate import interval
from ..judge import JudgedAnswer
from ..store import Vector

#: ``gross`` and ``last-digits``: on the unsafe side, at a good input. ``bad-input``: a number for an input that must be
#: refused. ``approximation``: on the unsafe side, where the library itself warns that it can be. ``no-answer``: an
#: exception, NaN, or a bound that promises nothing. ``sound``: the rest.
FindingKind = Literal["gross", "last-digits", "bad-input", "approximation", "no-answer", "sound"]
KINDS: tuple[FindingKind, ...] = ("gross", "last-digits", "bad-input", "approximation", "no-answer", "sound")

#: Relative error up to which an answer is wrong in its last digits only.
ROUNDING = Fraction(1, 10**6)
#: The deltas that we take to be in use, besides 0. Beyond them a wrong epsilon is wrong, and is called minor.
USABLE = (Fraction(1, 10**15), Fraction(1, 10))

#: A search marks a case with it once for each of its inputs that few users have.
EXTREME = "extreme"

_LEAST_NORMAL = Fraction(1, 2**1022)

#: For an epsilon at a delta: the statement of the delta at an epsilon, and what both inputs are called.
_CURVES = {
    "kov2015/optimal.eps": ("kov2015/optimal.delta", "delta_g", "eps_g"),
    "mv2016/optimal.eps": ("mv2016/optimal.delta", "delta_g", "eps_g"),
    "mv2016/mixed.eps": ("mv2016/mixed.delta", "delta_g", "eps_g"),
    "gdp/profile.eps": ("gdp/profile.delta", "delta", "eps"),
    "gdp/composition.eps": ("gdp/composition.delta", "delta", "eps"),
    "zdw2022/poisson_gaussian.eps": ("zdw2022/poisson_gaussian.delta", "delta", "eps"),
}
_NATS = ("epsilon", "loss", "rho")


@dataclass(frozen=True, slots=True)
class PeerFinding:
    """One answer of one function of a peer, judged at the inputs that it was really given."""

    opinion: JudgedAnswer
    error: str
    reproduction: tuple[str, ...]
    #: The library's own warning, where it gives one.
    documented: str = ""
    #: The language of the reproduction, which prints the answer.
    script: str = "shell"

    @property
    def bad(self) -> bool:
        """Whether the input had to be refused."""
        return "refused" in self.opinion.vector.expected

    @property
    def kind(self) -> FindingKind:
        verdict = self.opinion.verdict
        if verdict in ("refused", "vacuous"):
            return "sound" if self.bad else "no-answer"
        if verdict != "unsound":
            return "sound"
        if self.opinion.reading.word == NOT_A_NUMBER:
            return "no-answer"
        if self.bad:
            return "bad-input"
        if self.documented and "lower" in self.opinion.vector.expected:
            return "approximation"
        return "gross" if self.shortfall > ROUNDING and not self.underflow else "last-digits"

    @property
    def underflow(self) -> bool:
        """Whether the truth is positive and below every normal double."""
        expected = self.opinion.vector.expected
        return "lower" in expected and 0 < interval(expected).upper < _LEAST_NORMAL

    @property
    def shortfall(self) -> Fraction:
        """How far an answer is on the unsafe side, relative to the truth (absolute where the truth is 0); 0 else."""
        opinion = self.opinion
        expected = opinion.vector.expected
        if opinion.verdict != "unsound" or self.bad:
            return Fraction(0)
        if "lower" not in expected:
            return self._misjudged()
        if opinion.margin is None:
            return Fraction(1)
        truth = interval(expected)
        end = truth.lower if opinion.vector.safe == "above" else truth.upper
        return abs(opinion.margin / end) if end else abs(opinion.margin)

    def _misjudged(self) -> Fraction:
        """A wrong word, or a number where there is none: by how much the budget or the delta is overspent."""
        inputs: Mapping[str, Any] = statement(self.opinion.vector.statement).read(self.opinion.vector.inputs)
        if self.opinion.vector.expected.get("word") == INFINITY:
            # No epsilon has this delta: the truth that can be compared is the delta at the answer.
            true = true_delta(self)
            return Fraction(1) if true is None or not true.lower else 1 - target_delta(self) / true.lower
        excess: list[Fraction] = []
        for rounds, budget in (("eps", "eps_g"), ("delta", "delta_g")):
            if isinstance(inputs.get(rounds), tuple) and isinstance(inputs.get(budget), Fraction):
                pairs = (item if isinstance(item, tuple) else (item, 1) for item in inputs[rounds])
                spent = sum((n * value for value, n in pairs), Fraction(0))
                allowed = inputs[budget]
                over = spent / allowed - 1 if allowed else Fraction(spent > 0)
                excess.append(max(Fraction(0), over))
        return min(Fraction(1), max(excess, default=Fraction(0))) or Fraction(1)

    @property
    def harm(self) -> Fraction:
        """The shortfall, in nats where that is less; 0 for an answer below a truth of 0, which does no more than 0."""
        opinion = self.opinion
        if "lower" not in opinion.vector.expected:
            return self.shortfall
        truth = interval(opinion.vector.expected)
        if truth.lower <= 0 and opinion.vector.safe == "above":
            return Fraction(0)
        nats = opinion.margin is not None and opinion.vector.quantity in _NATS
        return min(self.shortfall, Fraction(1), abs(opinion.margin or Fraction(0))) if nats else self.shortfall

    @property
    def likelihood(self) -> Fraction:
        """How likely a user meets the inputs, roughly: each one that is extreme makes it a quarter as likely."""
        return Fraction(1, 4 ** self.opinion.vector.flags.count(EXTREME))

    @property
    def usable(self) -> bool:
        """Whether the delta in question is one that people use."""
        vector = self.opinion.vector
        low, high = USABLE
        if vector.quantity == "delta" and "lower" in vector.expected:
            return interval(vector.expected).upper >= low
        asked = target_delta(self)
        if asked:
            return low <= asked <= high
        # The claim of no delta at all is broken by any; what counts is how much there is.
        true = true_delta(self)
        return true is None or true.upper >= low

    @property
    def symptom(self) -> str:
        """What findings of one cause have in common, apart from the part of the library that answered."""
        vector, reading = self.opinion.vector, self.opinion.reading
        if self.bad:
            return _fault_words(vector)
        if reading.word == NOT_A_NUMBER:
            return "not a number"
        if reading.number is not None and reading.number < 0:
            return "below zero"
        if vector.expected.get("word") == INFINITY:
            return "finite where nothing finite holds"
        if self.kind == "last-digits":
            return "last digits"
        if vector.quantity == "decision":
            return "goes on where it must halt"
        return "below the truth" if vector.safe == "above" else "above the truth"


def fault(vector: Vector) -> tuple[str, str]:
    """Return which input of a case has to be refused, and its value; ("", "") where each can be read by itself."""
    try:
        statement(vector.statement).read(vector.inputs)
    except InputError as error:
        return error.field.partition("[")[0], str(error.value)
    return "", ""


def _fault_words(vector: Vector) -> str:
    """Return which input of a case is wrong, and how."""
    name, value = fault(vector)
    for sign, words in (("nan", "not a number"), ("inf", "infinite"), ("-", "negative")):
        if sign in value:
            return f"{name} is {words}"
    return f"{name} is outside its domain" if name else vector.comment


def order(finding: PeerFinding) -> tuple[int, bool, Fraction, Fraction]:
    """The gravest first: by kind, then where the delta is in use, then by harm and how likely a user meets it."""
    likely = finding.likelihood
    return KINDS.index(finding.kind), not finding.usable, -finding.harm * likely, -finding.shortfall * likely


def target_delta(finding: PeerFinding) -> Fraction:
    """The delta that was asked for; 0 where the question has none."""
    inputs: Mapping[str, Any] = finding.opinion.vector.inputs
    for name in ("delta_g", "delta", "delta_prime"):
        if isinstance(inputs.get(name), str) and not finding.bad:
            found = statement(finding.opinion.vector.statement)
            asked: Any = found.read(inputs)[name]
            return Fraction(asked)
    return Fraction(0)


def true_delta(finding: PeerFinding) -> Enclosure | None:
    """The delta that really holds at the epsilon that was answered; None where no statement gives it."""
    vector, answer = finding.opinion.vector, finding.opinion.reading.number
    if vector.statement not in _CURVES or answer is None or finding.bad:
        return None
    id, delta, eps = _CURVES[vector.statement]
    found = statement(id)
    read = statement(vector.statement).read(vector.inputs)
    inputs = {name: value for name, value in read.items() if name != delta} | {eps: max(answer, Fraction(0))}
    try:
        return solve(found, inputs, digits=6, engine="arb").enclosure
    except PrivrefError:
        return None  # out of reach at these inputs


@dataclass(frozen=True, slots=True)
class Cause:
    """Findings that a maintainer would mend in one place: those of one part of a library with one symptom."""

    peer: str
    version: str
    component: str
    symptom: str
    #: The findings with the function that gave them, the gravest first.
    findings: tuple[tuple[str, PeerFinding], ...]

    @property
    def worst(self) -> PeerFinding:
        return self.findings[0][1]

    @property
    def kind(self) -> FindingKind:
        return self.worst.kind
