"""The oracle as an object: what a test suite asks it, in one line each."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from privref.exact.errors import InputError, require
from privref.exact.numbers import ExactInput, count
from privref.statements.registry import statement as registered

from .answers import REFUSED, ReadAnswer, read_answer
from .binary64 import as_floats, at_binary64
from .generate import interval
from .judge import ROUNDING_ULPS, JudgedAnswer, Judgement, judge, judge_all
from .store import Vector, vectors


def judge_answers(
    answers: Mapping[str, ReadAnswer],
    *,
    rounding_ulps: ExactInput = ROUNDING_ULPS,
    complete: bool = False,
    binary64: bool = False,
    partial: bool = False,
) -> Judgement:
    """Judge answers by case id against the package's vectors.

    ``rounding_ulps``: so far on the unsafe side is rounding; ``complete``: a missing answer is a failure; ``binary64``:
    the answers are about the doubles nearest to the inputs, and cases that no double can say do not count;
    ``partial``: the answers cover a part of the cases only, so one is enough, where else half of them must be given.
    """
    require(answers, Mapping, "answers", "give answers by case id, as read_answers(text) makes them")
    rounding_ulps = count(rounding_ulps, "rounding_ulps")
    known: Mapping[str, Vector] = vectors()
    if binary64:
        asked = {known[id].statement for id in answers if id in known}
        at = {id: at_binary64(vector) for id, vector in known.items() if vector.statement in asked}
        beyond = [id for id in answers if id in at and at[id] is None]
        answers = {id: reading for id, reading in answers.items() if id not in beyond}
        if not answers:
            raise InputError("answers", ", ".join(beyond)[:200], "no double can say what these cases are about")
        known = {id: vector for id, vector in at.items() if vector is not None}
    return judge_all(known, answers, rounding_ulps=rounding_ulps, complete=complete, partial=partial)


#: What a function under test may raise to refuse, unless it declares others.
REFUSALS: tuple[type[Exception], ...] = (ValueError, ArithmeticError, NotImplementedError)


class RoundingWarning(UserWarning):
    """Some answers understate the truth, by no more than the rounding of doubles."""


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

    def judge(self, id: str, answer: float | str | Fraction, *, rounding_ulps: int = ROUNDING_ULPS) -> JudgedAnswer:
        """Judge one answer: a float by its exact value, a string or a Fraction exactly; "refused" is an answer too.

        An answer on the unsafe side by at most ``rounding_ulps`` is ``rounding``, which is not sound; beyond, unsound.

        >>> case = Oracle().cases("rogers2016/thm2.9.eps")[0]
        >>> Oracle().judge(case.id, "refused").verdict
        'refused'
        """
        if id not in vectors():
            raise InputError("id", id, "there is no such case; `privref vectors list` shows the statements")
        opinion = judge(vectors()[id], read_answer(answer), rounding_ulps)
        if opinion.verdict == "misfit":
            raise InputError(id, str(opinion.reading), opinion.remedy)
        return opinion

    def check(
        self,
        statement: str,
        function: Callable[..., Any],
        *,
        floats: bool | None = None,
        rounding_ulps: int = ROUNDING_ULPS,
        refusals: tuple[type[Exception], ...] = REFUSALS,
        partial: bool = False,
    ) -> Judgement:
        """Run ``function(**inputs)`` on all cases of a statement and judge what it returns.

        Inputs arrive as the exact strings of the vectors; where ``floats``, as the doubles nearest to them, and the
        answers are judged for these doubles. Left open, a function gets floats whose parameters are annotated as float
        (or lists of float). Equal rounds are then as many floats.

        What the function returns must be readable (InputError otherwise). It refuses a case by an exception of
        ``refusals``. Any other exception, such as a TypeError, is an error of the function or of how it is called,
        unless the case has to be refused. AssertionError for a case that is unsound, for such an error, and where more
        than half of the cases that have an answer were refused or answered by infinity: too little was judged.
        ``partial``: the function covers a part of the cases only, so one answer is enough.

        A double is rounded, so an answer on the unsafe side by at most ``rounding_ulps`` is not ``unsound`` but
        ``rounding``, as in ``privref judge``. It still understates the truth, so a RoundingWarning names the largest
        such error. Round outward (``math.nextafter``) to avoid it, or give ``rounding_ulps=0`` to let it fail.
        """
        cases = self.cases(statement)
        names = tuple(param.name for param in registered(statement).params)
        _require_inputs(function, names)
        if _takes_floats(function, names) if floats is None else floats:
            at = [(as_floats(vector), at_binary64(vector)) for vector in cases]
            asked = [(given, vector) for given, vector in at if given is not None and vector is not None]
        else:
            asked = [(dict(vector.inputs), vector) for vector in cases]
        if not asked:
            raise InputError("statement", statement, "no case of it can be said in doubles; take its exact strings")
        raised: dict[str, Exception] = {}
        answers = {vector.id: _answered(vector, given, function, raised) for given, vector in asked}
        judgement = judge_all(
            {vector.id: vector for _, vector in asked}, answers, rounding_ulps=rounding_ulps, partial=partial
        )
        misfit = next((opinion for opinion in judgement.opinions if opinion.verdict == "misfit"), None)
        if misfit is not None:
            raise InputError(misfit.vector.id, str(misfit.reading), misfit.remedy)
        unsound = [opinion for opinion in judgement.opinions if opinion.verdict == "unsound"]
        if unsound:
            lines = "\n".join(describe(opinion) for opinion in unsound)
            raise AssertionError(f"{len(unsound)} of {len(answers)} answers to {statement} are unsound:\n{lines}")
        errors = {id: error for id, error in raised.items() if not isinstance(error, refusals)}
        if errors or judgement.too_little:
            silent, judged = judgement.silent
            first, error = next(iter((errors or raised).items()), ("", None))
            message = f"of the {judged} cases of {statement} that have an answer, "
            if errors:
                message += f"{len(errors)} raised an exception that is not a declared refusal"
            else:
                message += f"{silent} were refused or answered by infinity, so too little was judged"
            if error is not None:
                given = next(given for given, vector in asked if vector.id == first)
                message += f"; the first exception: {type(error).__name__}: {error}; its inputs: {_typed(given)}"
            message += "; annotate parameters as float or list[float], or give floats=True, if the function takes "
            message += "doubles; refusals=(…) declares its own exceptions"
            message += "" if errors else "; partial=True says that it covers some of the cases only"
            raise AssertionError(message) from error
        near = [opinion for opinion in judgement.opinions if opinion.verdict == "rounding"]
        if near:
            worst = max(near, key=lambda opinion: abs(opinion.ulps or Fraction(0)))
            message = f"{len(near)} of {len(answers)} answers to {statement} are on the unsafe side of the true value "
            message += f"by rounding (at most {distance_words(worst)}); round outward before anybody relies on them"
            warnings.warn(message, RoundingWarning, stacklevel=2)
        return judgement


def _takes_floats(function: Callable[..., Any], names: tuple[str, ...]) -> bool:
    """Whether the function says that it takes floats: some input is annotated so, and none as anything exact."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    said = [parameters[name].annotation for name in names if name in parameters]
    texts = [text if isinstance(text, str) else getattr(text, "__name__", "") + str(text) for text in said]
    return any("float" in text for text in texts) and not any("str" in text or "Fraction" in text for text in texts)


def _require_inputs(function: Callable[..., Any], names: tuple[str, ...]) -> None:
    """InputError for a function that cannot be called with these inputs, as every call would fail."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some built-in functions do not tell
    try:
        signature.bind(**dict.fromkeys(names))
    except TypeError as error:
        raise InputError("function", str(signature), f"take the inputs {', '.join(names)} by name ({error})") from None


def _typed(given: Mapping[str, Any]) -> str:
    """The inputs of a case with the types in which they arrived, cut."""
    said = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return said if len(said) <= 120 else f"{said[:119]}…"


def _answered(
    vector: Vector, given: Mapping[str, Any], function: Callable[..., Any], raised: dict[str, Exception]
) -> ReadAnswer:
    """What the function answers to a case; what it raises on one that has an answer is kept in ``raised``."""
    try:
        answer = function(**given)
    except Exception as error:
        if "refused" not in vector.expected:
            raised[vector.id] = error
        return read_answer(REFUSED)
    if answer is None:
        raise InputError(vector.id, None, "the function returned nothing; return a number, a word, or raise to refuse")
    return read_answer(answer, vector.id)


def describe(opinion: JudgedAnswer) -> str:
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
    remedy = f"; {opinion.remedy}" if opinion.remedy else ""
    return f"{vector.id}: {opinion.verdict}: {opinion.reading} for {wanted}{distance}{remedy}; {vector.comment}"


def distance_words(opinion: JudgedAnswer) -> str:
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


def _upper(opinion: JudgedAnswer) -> Fraction:
    return interval(opinion.vector.expected).upper


def short(value: Fraction) -> str:
    """A number in few digits, for reading."""
    try:
        shown = float(value)
    except OverflowError:
        return "over 1e308"
    return f"{shown:.7g}" if 1e-4 <= shown < 1e7 else f"{shown:.3g}" if shown else "under 1e-323"
