"""The judge: one answer against one case, decided on exact rationals.

For a quantity that errs safely above (an upper bound, or an exact privacy cost):

- ``unsound``  below the lower end of the enclosure (or no number at all): the answer understates the cost;
- ``within``   inside the enclosure, or an epsilon of 0 where the formula of the case is negative;
- ``tight``    above its upper end by at most 4 ulp of binary64 at that end;
- ``vacuous``  infinite, or a delta of 1 or more: true of everything;
- ``loose``    any other answer above.

For one that errs safely below (a lower bound; how many rounds may run; what budget remains) all is mirrored, and 0
is vacuous. Where neither side is safe, ``tight`` is within 4 ulp on either side and everything beyond is unsound.
A decision to go on where the filter halts is unsound; to halt where it goes on is loose. A case that must be refused
is answered well by a refusal only; an answer that promises nothing (inf, HALT, nothing allowed) is vacuous, every
other one unsound. ``refused`` is the outcome for a case that has an answer and was given none: there is nothing to
judge, and nothing unsafe. A word where a number is called for, or the reverse, is a ``misfit``.

A double rarely is the true value, and without directed rounding it lies on either side of it. So an answer on the
unsafe side by at most ``ROUNDING_ULPS`` is ``rounding``: a class of its own, which does not fail a test suite, never
counts as sound and is always shown. Whoever publishes such a number rounds it outward first. One ulp would be too
little: a formula that is right and takes four operations, each rounded to the nearest double, errs by more (rho +
2 sqrt(rho log(1/delta)) by 1.09 ulp at a case of the vectors). A formula that cancels errs by thousands. The oracle's
``judge`` and ``check`` and the command have the same tolerance; with 0 there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, get_args

from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import rational

from .answers import DECISIONS, INFINITY, NOT_A_NUMBER, REFUSED, ReadAnswer
from .generate import interval
from .store import Quantity, Safe, Vector

#: The gravest first.
AnswerVerdict = Literal["unsound", "misfit", "rounding", "vacuous", "loose", "tight", "within", "refused"]
VERDICTS: tuple[AnswerVerdict, ...] = get_args(AnswerVerdict)

#: How far above the enclosure an answer still counts as tight.
TIGHT_ULPS = 4
#: How far on the unsafe side of the enclosure an answer counts as rounding, unless somebody asks for less.
ROUNDING_ULPS = 4


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """The verdict on one answer.

    ``margin`` is exact: how far the answer lies outside the enclosure, positive on the safe side and negative on the
    other; None where there is no such distance.
    """

    vector: Vector
    reading: ReadAnswer
    verdict: AnswerVerdict
    margin: Fraction | None = None
    ulps: Fraction | None = None
    factor: Fraction | None = None
    #: Of a misfit, what was called for.
    remedy: str = ""

    @property
    def promises(self) -> bool:
        """Whether the answer promises anything: a refusal, infinity and HALT do not."""
        return self.verdict not in ("refused", "vacuous") and self.reading.word != "HALT"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Opinions on all answers of one implementation."""

    opinions: tuple[JudgedAnswer, ...]
    unanswered: int = 0
    #: Whether a case without an answer, or one that has an answer and was refused, is a failure.
    complete: bool = False
    #: How many ulp on the unsafe side count as rounding.
    rounding_ulps: int = 0
    #: Whether the answers are meant to cover a part of the cases only, so that one of them is enough.
    partial: bool = False

    @property
    def counts(self) -> Counter[AnswerVerdict]:
        return Counter(opinion.verdict for opinion in self.opinions)

    @property
    def answered(self) -> bool:
        """Whether any case that has an answer was given one that promises something: no refusal, and not infinity.

        An answer that halts promises something only if it halts where it must, and goes on elsewhere.
        """
        judged = [opinion for opinion in self.opinions if "refused" not in opinion.vector.expected]
        if any(opinion.promises for opinion in judged):
            return True
        return bool(judged) and all(opinion.verdict == "within" for opinion in judged)

    @property
    def silent(self) -> tuple[int, int]:
        """How many cases that have an answer were refused or answered by infinity, and how many have an answer."""
        judged = [opinion for opinion in self.opinions if "refused" not in opinion.vector.expected]
        return sum(opinion.verdict in ("refused", "vacuous") for opinion in judged), len(judged)

    @property
    def too_little(self) -> bool:
        """Whether too few answers promise something: none, or without ``partial`` less than half."""
        silent, judged = self.silent
        return not self.answered or (2 * silent > judged and not self.partial)

    @property
    def exit_code(self) -> int:
        """1 for an answer that is unsound or a misfit, too little answered, or something missing; else 0."""
        missing = self.unanswered + self.counts["refused"] if self.complete else 0
        return 1 if self.counts["unsound"] or self.counts["misfit"] or missing or self.too_little else 0


def ulp(value: Fraction) -> Fraction:
    """The distance between neighbouring doubles in the binade of ``value`` (of the subnormals, for tiny values)."""
    if value == 0:
        return Fraction(1, 2**1074)
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    return Fraction(2) ** max(exponent - 52, -1074)


def judge(vector: Vector, reading: ReadAnswer, rounding_ulps: int = 0) -> JudgedAnswer:
    """Judge one answer; on the unsafe side by at most ``rounding_ulps`` it is rounding."""
    try:
        opinion = _judged(vector, reading)
    except InputError as error:
        return JudgedAnswer(vector, reading, "misfit", remedy=error.remedy)
    if opinion.verdict == "unsound" and opinion.ulps is not None and 0 < abs(opinion.ulps) <= rounding_ulps:
        return replace(opinion, verdict="rounding")
    return opinion


def _judged(vector: Vector, reading: ReadAnswer) -> JudgedAnswer:
    """The opinion; InputError where the answer is a word and a number is called for, or the reverse."""
    if reading.read_as == "unreadable":
        raise InputError(vector.id, reading.word, reading.remedy)
    if "refused" in vector.expected:
        return JudgedAnswer(vector, reading, _on_bad_input(vector, reading))
    if reading.word == REFUSED:
        return JudgedAnswer(vector, reading, "refused")
    if "word" in vector.expected:
        return JudgedAnswer(vector, reading, _on_word(vector, vector.expected["word"], reading))
    return _on_number(vector, interval(vector.expected), reading)


def _on_bad_input(vector: Vector, reading: ReadAnswer) -> AnswerVerdict:
    if reading.word == REFUSED:
        return "within"
    promises_nothing = (
        (reading.word == INFINITY and vector.safe == "above")
        or (reading.number is not None and _vacuous(vector.quantity, vector.safe, reading.number))
        or reading.word == "HALT"
    )
    return "vacuous" if promises_nothing else "unsound"


def _on_word(vector: Vector, expected: str, reading: ReadAnswer) -> AnswerVerdict:
    if expected in DECISIONS:
        if reading.word not in DECISIONS:
            raise InputError(vector.id, reading.spelled, "this case is a decision: give CONT, HALT or refused")
        return "within" if reading.word == expected else "unsound" if reading.word == "CONT" else "loose"
    if "=" in expected:
        return _on_parts(vector, _parts(expected, vector.id), _parts(reading.word, vector.id))
    return "within" if reading.word == expected else "unsound"


def _parts(text: str, id: str) -> dict[str, Fraction]:
    """The named numbers of an answer such as ``eps_r=1/4, delta_r=1/200``."""
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(sign for _, sign, _ in pairs):
        raise InputError(id, text, "give the answer's parts, as in eps_r=1/4, delta_r=1/200")
    found: dict[str, Fraction] = {}
    for name, value in ((name.strip(), value.strip()) for name, _, value in pairs):
        if name in found:
            raise InputError(f"{id}.{name}", text, "this part is given twice; give it once")
        found[name] = rational(value, f"{id}.{name}")
    return found


def _on_parts(vector: Vector, expected: Mapping[str, Fraction], given: Mapping[str, Fraction]) -> AnswerVerdict:
    if set(given) != set(expected):
        raise InputError(vector.id, ", ".join(given), f"give {' and '.join(expected)}")
    verdicts = [_number(vector.quantity, vector.safe, Enclosure(v, v), given[name])[0] for name, v in expected.items()]
    return next(verdict for verdict in VERDICTS if verdict in verdicts)


def _on_number(vector: Vector, truth: Enclosure, reading: ReadAnswer) -> JudgedAnswer:
    if reading.number is None:
        match reading.word, vector.safe:
            case (word, "above") if word == INFINITY:
                return JudgedAnswer(vector, reading, "vacuous")
            case ("-inf", "below"):
                return JudgedAnswer(vector, reading, "vacuous")
            case (word, _) if word in (INFINITY, "-inf", NOT_A_NUMBER):
                return JudgedAnswer(vector, reading, "unsound")
        raise InputError(vector.id, reading.word, "this case is a number")
    if vector.quantity == "epsilon" and truth.upper < 0 and reading.number == 0:
        # Where the formula is negative, the epsilon that it proves is 0.
        return JudgedAnswer(vector, reading, "within", Fraction(0), Fraction(0))
    verdict, margin = _number(vector.quantity, vector.safe, truth, reading.number)
    end = truth.upper if reading.number > truth.upper else truth.lower
    factor = reading.number / end if end and margin else None
    return JudgedAnswer(vector, reading, verdict, margin, margin / ulp(end), factor)


def _number(quantity: Quantity, safe: Safe, truth: Enclosure, answer: Fraction) -> tuple[AnswerVerdict, Fraction]:
    """The verdict on a number, and how far it is beyond the enclosure (negative on the unsafe side)."""
    if truth.contains(answer):
        return "within", Fraction(0)
    beyond = answer > truth.upper
    end = truth.upper if beyond else truth.lower
    distance = abs(answer - end)
    near = distance <= TIGHT_ULPS * ulp(end)
    if safe == "neither":
        return ("tight", distance) if near else ("unsound", -distance)
    if beyond != (safe == "above"):
        return "unsound", -distance
    if near:
        return "tight", distance
    return ("vacuous" if _vacuous(quantity, safe, answer) else "loose"), distance


def _vacuous(quantity: Quantity, safe: Safe, answer: Fraction) -> bool:
    if safe == "above":
        return quantity == "delta" and answer >= 1
    return safe == "below" and answer <= 0


def judge_all(
    vectors: Mapping[str, Vector],
    answers: Mapping[str, ReadAnswer],
    *,
    rounding_ulps: int = 0,
    complete: bool = False,
    partial: bool = False,
) -> Judgement:
    """Judge answers by case id; an id that no vector has is an InputError."""
    opinions = []
    for id, reading in answers.items():
        if id not in vectors:
            raise InputError("id", id, "there is no such case; `privref vectors list` names the files")
        opinions.append(judge(vectors[id], reading, rounding_ulps))
    asked = {vectors[id].statement for id in answers}
    considered = sum(1 for vector in vectors.values() if vector.statement in asked)
    return Judgement(tuple(opinions), considered - len(opinions), complete, rounding_ulps, partial)
