"""The oracle as an object: what a test suite asks it, in one line each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from privref.exact.errors import InputError
from privref.statements.registry import statement as registered

from .answers import REFUSED, Reading, read_answer
from .generate import interval
from .judge import Judgement, Opinion, judge, judge_all
from .store import Vector, vectors


def judge_answers(answers: Mapping[str, Reading]) -> Judgement:
    """Judge answers by case id against the package's vectors."""
    return judge_all(vectors(), answers)


class Oracle:
    """The package's vectors and the judge."""

    @property
    def vectors(self) -> Mapping[str, Vector]:
        """All cases, by id."""
        return vectors()

    def cases(self, statement: str) -> tuple[Vector, ...]:
        """The cases of one statement; InputError where there are none."""
        found = tuple(vector for vector in vectors().values() if vector.statement == statement)
        if not found:
            raise InputError("statement", statement, "it has no vectors; `privref vectors list` shows those that have")
        return found

    def judge(self, id: str, answer: float | str | Fraction) -> Opinion:
        """Judge one answer: a float by its exact value, a string or a Fraction exactly."""
        if id not in vectors():
            raise InputError("id", id, "there is no such case; `privref vectors list` shows the statements")
        return judge(vectors()[id], read_answer(answer))

    def check(self, statement: str, function: Callable[..., Any]) -> Judgement:
        """Run ``function(**inputs)`` on all cases of a statement and judge what it returns.

        Inputs arrive as the exact strings of the vectors. An exception of the function counts as a refusal; what it
        returns must be readable (InputError otherwise). AssertionError, with each case that is unsound, where there is
        one, and where every case that has an answer was refused: then nothing was judged.
        """
        cases = self.cases(statement)
        _require_inputs(function, tuple(param.name for param in registered(statement).params))
        answers = {vector.id: _answered(vector, function) for vector in cases}
        judgement = judge_all(vectors(), answers)
        unsound = [opinion for opinion in judgement.opinions if opinion.verdict == "unsound"]
        if unsound:
            lines = "\n".join(describe(opinion) for opinion in unsound)
            raise AssertionError(f"{len(unsound)} of {len(answers)} answers to {statement} are unsound:\n{lines}")
        answerable = [opinion for opinion in judgement.opinions if "refused" not in opinion.vector.expected]
        if answerable and all(opinion.verdict == "refused" for opinion in answerable):
            raise AssertionError(f"all {len(answerable)} cases of {statement} that have an answer were refused")
        return judgement


def _require_inputs(function: Callable[..., Any], names: tuple[str, ...]) -> None:
    """InputError for a function that can not be called with these inputs, as every call would fail."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some built-in functions do not tell
    try:
        signature.bind(**dict.fromkeys(names))
    except TypeError as error:
        raise InputError("function", str(signature), f"take the inputs {', '.join(names)} by name ({error})") from None


def _answered(vector: Vector, function: Callable[..., Any]) -> Reading:
    """What the function answers to a case; only what the function itself raises is a refusal."""
    try:
        given = function(**vector.inputs)
    except Exception:
        return read_answer(REFUSED)
    if given is None:
        raise InputError(vector.id, None, "the function returned nothing; return a number, a word, or raise to refuse")
    return read_answer(given, vector.id)


def describe(opinion: Opinion) -> str:
    """One line on an opinion: case, verdict, answer, expectation, distance."""
    vector = opinion.vector
    expected = vector.expected
    if "refused" in expected:
        wanted = "a refusal"
    elif "word" in expected:
        wanted = str(expected["word"])
    else:
        wanted = expected.get("value") or f"[{expected['lower']}, {expected['upper']}]"
        wanted = wanted if len(wanted) <= 80 else f"[{expected['lower']}, {expected['upper']}]"
    distance = "" if opinion.ulps is None or not opinion.margin else f", {distance_words(opinion)}"
    return f"{vector.id}: {opinion.verdict}: {opinion.reading} for {wanted}{distance}; {vector.comment}"


def distance_words(opinion: Opinion) -> str:
    """How far an answer is from the enclosure: in ulp while that is readable, and as a factor beyond."""
    if opinion.ulps is None or not opinion.margin:
        return ""
    ulps = abs(opinion.ulps)
    side = "above" if opinion.reading.number is not None and opinion.reading.number > _upper(opinion) else "below"
    if not opinion.vector.expected.get("lower", "0").strip("0.e"):
        return f"{short(abs(opinion.margin))} {side}"
    if ulps < 10**6 or opinion.factor is None or opinion.factor <= 0:
        return f"{short(ulps)} ulp {side}"
    return f"{side}, factor {short(opinion.factor)}"


def _upper(opinion: Opinion) -> Fraction:
    return interval(opinion.vector.expected).upper


def short(value: Fraction) -> str:
    """A number in few digits, for reading."""
    try:
        shown = float(value)
    except OverflowError:
        return "over 1e308"
    return f"{shown:.7g}" if 1e-4 <= shown < 1e7 else f"{shown:.3g}" if shown else "under 1e-323"
