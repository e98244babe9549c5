"""The judge: every verdict at its very border, on answers in every spelling."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import privref
from privref.exact.errors import InputError
from privref.vectors.answers import read_answer, read_lines
from privref.vectors.judge import ROUNDING_ULPS, judge, judge_all, ulp
from privref.vectors.oracle import Oracle, RoundingWarning, describe, judge_answers
from privref.vectors.store import Vector


def vector(expected: dict[str, object], safe: str = "above", quantity: str = "epsilon") -> Vector:
    return Vector("paper/x#0000000000", "paper/x", quantity, safe, ("ordinary",), "a case", {}, expected)


def exact(value: str, **keywords: str) -> Vector:
    return vector({"value": value, "lower": value, "upper": value}, **keywords)


def verdict(case: Vector, answer: object) -> str:
    return judge(case, read_answer(answer)).verdict


def up(value: float, steps: int) -> float:
    for _ in range(abs(steps)):
        value = math.nextafter(value, math.inf if steps > 0 else -math.inf)
    return value


@pytest.mark.parametrize(
    ("steps", "expected"),
    [(-2, "unsound"), (-1, "unsound"), (0, "within"), (1, "tight"), (4, "tight"), (5, "loose"), (10**3, "loose")],
)
def test_ulps_around_an_exact_upper_bound(steps: int, expected: str) -> None:
    """One ulp below is unsound, four above are tight, the fifth is loose."""
    for value in (1.5, 3.0, 0.1, 1e-300, 5e-324 * 10):
        assert verdict(exact(value.hex()), up(value, steps)) == expected


@pytest.mark.parametrize(
    ("steps", "expected"), [(2, "unsound"), (1, "unsound"), (0, "within"), (-1, "tight"), (-4, "tight"), (-5, "loose")]
)
def test_ulps_around_an_exact_lower_bound(steps: int, expected: str) -> None:
    """For what is safe below, all is mirrored."""
    for value in (1.5, 3.0, 0.1):
        assert verdict(exact(value.hex(), safe="below"), up(value, steps)) == expected


def test_at_a_power_of_two_the_spacing_above_counts_above() -> None:
    """Below 1 doubles lie twice as close; an answer one of those below 1 is unsound, by half an ulp of 1."""
    opinion = judge(exact("1"), read_answer(up(1.0, -1)))
    assert opinion.verdict == "unsound"
    assert opinion.margin == -Fraction(1, 2**53)
    assert opinion.ulps == Fraction(-1, 2)


@pytest.mark.parametrize(("steps", "expected"), [(-5, "unsound"), (-4, "tight"), (4, "tight"), (5, "unsound")])
def test_where_neither_side_is_safe(steps: int, expected: str) -> None:
    """Near is tight on both sides, far is unsound on both."""
    assert verdict(exact("3/2", safe="neither"), up(1.5, steps)) == expected


def test_the_ends_of_an_enclosure_belong_to_it() -> None:
    """Both published ends count as inside; anything outside them does not, however near."""
    case = vector({"lower": "1.1", "upper": "1.2"})
    assert verdict(case, "1.1") == verdict(case, "1.2") == verdict(case, "23/20") == "within"
    assert verdict(case, "1.09999999999999999999999999999") == "unsound"
    assert verdict(case, "1.20000000000000000000000000001") == "tight"


def test_vacuous_answers() -> None:
    """Infinity, and a delta of one or more; but not where that is the right answer."""
    assert verdict(exact("1"), math.inf) == "vacuous"
    assert verdict(exact("0.1", quantity="delta"), 1.0) == "vacuous"
    assert verdict(exact("0.1", quantity="delta"), 0.9999) == "loose"
    assert verdict(exact("3/2", quantity="delta"), 1.5) == "within"
    assert verdict(exact("3/2", quantity="delta"), 1.0) == "unsound"
    assert verdict(exact("0.1", safe="below"), 0) == "vacuous"
    assert verdict(exact("0.1", safe="below"), math.inf) == "unsound"
    assert verdict(exact("0.1", safe="below"), -math.inf) == "vacuous"


@pytest.mark.parametrize("safe", ["above", "below", "neither"])
def test_what_is_not_a_number_is_unsound(safe: str) -> None:
    """NaN bounds nothing, on whichever side."""
    assert verdict(exact("1", safe=safe), math.nan) == "unsound"


def test_an_infinite_truth() -> None:
    """Where no finite bound holds, every finite answer is unsound."""
    assert verdict(vector({"word": "inf"}), math.inf) == "within"
    assert verdict(vector({"word": "inf"}), 1e308) == "unsound"


def test_decisions() -> None:
    """To go on where the filter halts is unsound, to halt where it goes on is only a loss."""
    assert verdict(vector({"word": "HALT"}), "CONT") == "unsound"
    assert verdict(vector({"word": "CONT"}), "HALT") == "loose"
    assert verdict(vector({"word": "HALT"}), "HALT") == "within"
    opinion = judge(vector({"word": "HALT"}), read_answer(1.0))
    assert opinion.verdict == "misfit"
    assert "CONT, HALT" in opinion.remedy


def test_parts_of_a_budget() -> None:
    """Each named part is judged as what may still be spent; the worst one counts."""
    case = vector({"word": "eps_r=1/4, delta_r=1/200"}, safe="below", quantity="budget")
    assert verdict(case, "eps_r=0.25, delta_r=0.005") == "within"
    assert verdict(case, "eps_r=0.25, delta_r=0.0051") == "unsound"
    assert verdict(case, "delta_r=0.005, eps_r=0.1") == "loose"
    assert verdict(case, "eps_r=0.25") == "misfit"


def test_a_part_that_is_given_twice_is_refused() -> None:
    """Which of the two was meant is not known."""
    case = vector({"word": "eps_r=1/4, delta_r=1/200"}, safe="below", quantity="budget")
    opinion = judge(case, read_answer("eps_r=1, eps_r=1/4, delta_r=1/200"))
    assert opinion.verdict == "misfit"
    assert "twice" in opinion.remedy


def test_a_bad_input_must_be_refused() -> None:
    """A refusal is right; an answer that promises nothing is vacuous; any other is unsound."""
    case = vector({"refused": "input"})
    assert verdict(case, "refused") == "within"
    assert verdict(case, math.inf) == "vacuous"
    assert verdict(case, "HALT") == "vacuous"
    assert verdict(case, 0.0) == verdict(case, math.nan) == "unsound"
    assert verdict(exact("1"), "refused") == "refused"


def test_subnormal_truths() -> None:
    """A truth below every positive double: 0 understates it, the least double is tight."""
    case = vector({"lower": "1e-400", "upper": "1.1e-400"}, quantity="delta")
    assert verdict(case, 0.0) == "unsound"
    assert verdict(case, 5e-324) == "tight"


@given(st.floats(min_value=1e-320, max_value=1e308))
def test_ulp_is_the_distance_to_the_next_double(value: float) -> None:
    """Against the standard library."""
    assert ulp(Fraction(value)) == Fraction(math.ulp(value))


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=1000), st.integers(min_value=-40, max_value=40))
def test_verdicts_are_those_of_a_plain_reading(truth: Fraction, steps: int) -> None:
    """The answer ``steps`` doubles from the double nearest to the truth, against the definition in words."""
    answer = up(float(truth), steps)
    distance = Fraction(answer) - truth
    nearest = float(truth)
    below = math.nextafter(nearest, 0) if Fraction(nearest) > truth else nearest
    near = distance <= 4 * Fraction(math.ulp(below))
    expected = "within" if distance == 0 else "unsound" if distance < 0 else "tight" if near else "loose"
    assert verdict(exact(f"{truth.numerator}/{truth.denominator}"), answer) == expected


def test_spellings() -> None:
    """Decimal strings are exact, JSON numbers are doubles, hexadecimal strings are the doubles they spell."""
    text = "\n".join(
        json.dumps({"id": str(i), "answer": answer})
        for i, answer in enumerate(["0.1", 0.1, "0x1.999999999999ap-4", "1/10"])
    )
    answers = list(read_lines(text).values())
    assert [answer.read_as for answer in answers] == ["exact", "binary64", "exact", "exact"]
    assert answers[0].number == answers[3].number == Fraction(1, 10)
    assert answers[1].number == answers[2].number == Fraction(0.1)
    assert answers[1].spelled == "0x1.999999999999ap-4"


def test_a_long_json_integer_is_the_double_that_json_makes_of_it() -> None:
    """JavaScript prints the shortest digits of a double, so the digits are not the number."""
    assert (
        next(iter(read_lines('{"id": "a", "answer": 123456789012345680000}').values())).number == 123456789012345683968
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        '{"id": "a"}',
        '{"id": 1, "answer": 1}',
        '{"id": "a", "answer": 1, "more": 2}',
        '{"id": "a", "answer": 1}\n{"id": "a", "answer": 2}',
        "nonsense",
    ],
)
def test_malformed_answers_are_refused(line: str) -> None:
    """Each in one line that names the place."""
    with pytest.raises(InputError) as error:
        read_lines(line)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("answer", ["null", "true", '"about 1"', "[1]", '"1/0"', '"' + "9" * 5000 + '"'])
def test_an_answer_that_can_not_be_read_is_a_misfit_and_the_others_are_judged(answer: str) -> None:
    vectors = privref.golden_vectors()
    first, second = list(vectors)[:2]
    lines = f'{{"id": "{first}", "answer": {answer}}}\n{{"id": "{second}", "answer": 1}}'
    found = judge_all(vectors, read_lines(lines))
    assert found.opinions[0].verdict == "misfit"
    assert found.opinions[0].remedy
    assert found.opinions[1].verdict != "misfit"
    assert found.exit_code == 1


def test_unknown_case() -> None:
    """An id that no vector has is not passed over."""
    with pytest.raises(InputError, match="no such case"):
        judge_all({}, {"a": read_answer(1.0)})


@pytest.mark.parametrize(
    ("expected", "answers", "code"),
    [
        (["1", "1", "1"], ["refused", "refused", "refused"], 1),
        (["1", "1", "1"], ["inf", "inf", "inf"], 1),
        (["1", "1", "1"], ["refused", "inf", "inf"], 1),
        (["1", "1", "1"], ["refused", 1.5, 1.5], 0),
        (["1", "1"], ["refused", 1.5], 0),
        (["HALT", "CONT"], ["HALT", "HALT"], 1),
        (["HALT", "CONT"], ["HALT", "refused"], 1),
        (["HALT", "CONT"], ["HALT", "CONT"], 0),
        (["HALT", "HALT"], ["HALT", "HALT"], 0),
        (["inf"], ["inf"], 0),
        ([None, None], ["refused", "refused"], 1),
        ([None, "1"], ["refused", "inf"], 1),
        ([None, "1"], ["refused", "1"], 0),
    ],
)
def test_answers_that_promise_nothing_are_no_success(
    expected: list[str | None], answers: list[object], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Refusals, infinities and halts alone: nothing was judged, whatever the cases must be refused for."""
    known = {}
    for i, said in enumerate(expected):
        truth = {"refused": "input"} if said is None else {"word": said} if said.isalpha() else None
        known[str(i)] = exact(str(said)) if truth is None else vector(truth)
    judgement = judge_all(known, {str(i): read_answer(answer) for i, answer in enumerate(answers)})
    assert judgement.exit_code == code
    Console().print(privref.report.judgement_report(judgement))
    assert ("nothing was judged" in capsys.readouterr().out) == (code == 1)


def test_answers_of_which_most_are_refusals_are_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    """As in the pytest fixture: a parser that fails on most cases looked like a function that refuses them."""
    known = {str(i): exact("1") for i in range(3)}
    answers = {"0": read_answer("refused"), "1": read_answer("inf"), "2": read_answer(1.5)}
    judgement = judge_all(known, answers)
    Console().print(privref.report.judgement_report(judgement))
    assert (judgement.exit_code, "3 cases that have an answer, 2 were refused" in capsys.readouterr().out) == (1, True)
    assert judge_all(known, answers, partial=True).exit_code == 0


def test_exit_code_and_unanswered_cases() -> None:
    """Unsound is 1, everything else 0; what was not answered is counted."""
    vectors = {f"{i}": exact("1") for i in range(3)}
    assert judge_all(vectors, {"0": read_answer(1)}).exit_code == 0
    judgement = judge_all(vectors, {"0": read_answer(1), "1": read_answer(0.5)})
    assert (judgement.exit_code, judgement.unanswered) == (1, 1)


@pytest.mark.parametrize(
    ("steps", "allowed", "expected"),
    [
        (-1, 0, "unsound"),
        (-1, 1, "rounding"),
        (-4, 4, "rounding"),
        (-5, 4, "unsound"),
        (1, 4, "tight"),
        (0, 4, "within"),
    ],
)
def test_rounding_is_a_class_of_its_own(steps: int, allowed: int, expected: str) -> None:
    """On the unsafe side by at most so many ulp; never where the truth is 0, nor for a wrong word."""
    case = exact("3/2")
    opinion = judge(case, read_answer(up(1.5, steps)), allowed)
    assert opinion.verdict == expected
    assert judge(exact("0"), read_answer(-1e-300), allowed).verdict == "unsound"
    assert judge(vector({"word": "HALT"}), read_answer("CONT"), allowed).verdict == "unsound"
    assert judge(case, read_answer(math.nan), allowed).verdict == "unsound"


def test_rounding_fails_nobody_and_a_misfit_does() -> None:
    """In the exit code; a missing answer only where all are called for."""
    vectors = {f"{i}": exact("1") for i in range(3)}
    below = read_answer(up(1.0, -1))
    assert judge_all(vectors, {"0": below}, rounding_ulps=1).exit_code == 0
    assert judge_all(vectors, {"0": below}).exit_code == 1
    assert judge_all(vectors, {"0": read_answer("CONT")}).exit_code == 1
    assert judge_all(vectors, {"0": read_answer(1)}, complete=True).exit_code == 1
    everything = {f"{i}": read_answer(1) for i in range(3)}
    assert judge_all(vectors, everything, complete=True).exit_code == 0
    assert judge_all(vectors, everything | {"2": read_answer("refused")}, complete=True).exit_code == 1
    assert judge_all(vectors, everything | {"2": read_answer("refused")}).exit_code == 0


def test_the_oracle_checks_a_function() -> None:
    """An exact sum passes; the sum of doubles does not, and the message names case, answer and truth."""

    def add(values: list[float]) -> float:
        total = 0.0
        # Not sum(), which corrects its rounding errors since Python 3.12.
        for value in values:
            total += value
        return total

    def times(eps: list[object]) -> list[tuple[Fraction, int]]:
        pairs = []
        for entry in eps:
            value, count = (entry["value"], entry["count"]) if isinstance(entry, dict) else (entry, 1)
            number = Fraction(float.fromhex(value)) if "x" in value else Fraction(value)
            if number < 0:
                raise ValueError("negative")
            pairs.append((number, count))
        return pairs

    oracle = Oracle()
    judgement = oracle.check("rogers2016/thm2.9.eps", lambda eps: sum((n * c for n, c in times(eps)), Fraction(0)))
    assert set(judgement.counts) == {"within"}
    with pytest.raises(AssertionError, match=r"0\.9999999999999999 for 1, 0\.5 ulp below"):
        oracle.check(
            "rogers2016/thm2.9.eps",
            lambda eps: add([float(n) for n, c in times(eps) for _ in range(min(c, 1000))]),
            rounding_ulps=0,
        )


def test_a_check_and_a_judge_have_one_tolerance() -> None:
    """What is right to the nearest double is rounding, with a warning; what forgets a round is unsound."""
    statement = "rogers2016/thm2.9.eps"

    def nearest(eps: list[float]) -> float:
        if not all(0 <= value < math.inf for value in eps):
            raise ValueError("bad")
        return math.fsum(eps)

    oracle = Oracle()
    with pytest.warns(RoundingWarning, match=r"answers to rogers2016/thm2.9.eps are on the unsafe side .* ulp below"):
        checked = oracle.check(statement, nearest)
    assert checked.counts["rounding"] > 0
    near = next(opinion for opinion in checked.opinions if opinion.verdict == "rounding")
    with pytest.raises(AssertionError, match="unsound"):
        oracle.check(statement, nearest, rounding_ulps=0)
    with pytest.raises(AssertionError, match="unsound"):
        oracle.check(statement, lambda eps: nearest(eps[1:]), floats=True)
    exact = next(case for case in oracle.cases(statement) if case.id == near.vector.id)
    low = math.nextafter(float(Fraction(exact.expected["lower"])), 0)
    verdicts = {ulps: oracle.judge(exact.id, low, rounding_ulps=ulps).verdict for ulps in (0, ROUNDING_ULPS)}
    answers = {exact.id: read_answer(low)}
    assert verdicts == {0: "unsound", ROUNDING_ULPS: "rounding"}
    assert oracle.judge(exact.id, low).verdict == judge_answers(answers).opinions[0].verdict == "rounding"


class Single:
    """A number of another library: it only knows how to become a double."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value

    def __eq__(self, other: object) -> bool:
        return self.value == other


class Long(Single):
    """One that a double would round."""

    def __eq__(self, other: object) -> bool:
        return False


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (Decimal("0.1"), Fraction(1, 10)),
        (numpy.float32(0.1), Fraction(13421773, 2**27)),
        (numpy.int64(2**62 + 1), Fraction(2**62 + 1)),
        (numpy.array(0.5), Fraction(1, 2)),
        (Single(0.25), Fraction(1, 4)),
    ],
)
def test_numbers_of_other_types_are_read_exactly(value: object, number: Fraction) -> None:
    """Nothing is rounded on the way."""
    assert read_answer(value).number == number


def test_what_is_no_finite_number_of_other_types() -> None:
    """Infinities and NaN are words."""
    assert [read_answer(v).word for v in (numpy.float32("inf"), Decimal("NaN"), Single(float("-inf")))] == [
        "inf",
        "nan",
        "-inf",
    ]


@pytest.mark.parametrize(
    "value",
    [None, (0.0,), [1.0], {}, 1j, True, numpy.bool_(True), numpy.zeros(2), Long(0.1), object(), Decimal("1e999999999")],
)
def test_what_is_no_number_is_refused(value: object) -> None:
    """It is never taken for an answer, nor for a refusal."""
    with pytest.raises(InputError):
        read_answer(value)
    with pytest.raises(InputError, match=r"rogers2016/thm2\.9\.eps#"):
        Oracle().check("rogers2016/thm2.9.eps", lambda eps: value)


@pytest.mark.parametrize("zero", [Decimal(0), Single(0.0), numpy.float32(0), 0.0])
def test_a_wrong_number_of_any_type_is_unsound(zero: object) -> None:
    """An answer of 0 to every case is no refusal."""
    with pytest.raises(AssertionError, match="unsound"):
        Oracle().check("rogers2016/thm2.9.eps", lambda eps: zero)


def test_a_function_that_can_not_be_called_is_refused() -> None:
    """Other names than the statement's inputs: every call would fail, and that is no refusal of a case."""
    with pytest.raises(InputError, match="eps"):
        Oracle().check("rogers2016/thm2.9.eps", lambda epsilons: 0.0)


def test_a_function_that_refuses_everything_is_not_judged_well() -> None:
    """Nothing unsafe, and nothing checked either."""

    def refuses(eps: object) -> float:
        raise RuntimeError("not today")

    with pytest.raises(AssertionError, match=r"not a declared refusal; the first exception: RuntimeError: not today"):
        Oracle().check("rogers2016/thm2.9.eps", refuses)
    with pytest.raises(AssertionError, match="too little was judged"):
        Oracle().check("rogers2016/thm2.9.eps", refuses, refusals=(RuntimeError,), partial=True)


def _few(eps: list[float]) -> float:
    if not eps or not all(0 <= value < math.inf for value in eps):
        raise ValueError("bad")
    if len(eps) > 1:
        raise ValueError("one round only")
    return eps[0]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda eps: sum(eps) * 0.9, r"39 raised .* TypeError: unsupported .*; its inputs: eps=\['.*list\[float\]"),
        (lambda eps: math.fsum(eps), r"39 raised .* TypeError: must be real number, not str"),
        (lambda eps: eps.total, r"40 raised .* AttributeError"),
        (lambda eps: {}[eps[0]] if eps else 0, r"39 raised .* KeyError"),
        (lambda eps: sum(map(float, eps)) * 0.9, r"unsound|refused or answered by infinity"),
        (lambda eps: math.inf if eps else 0.0, r"39 were refused or answered by infinity, so too little was judged"),
        (_few, r"too little was judged; the first exception: ValueError: one round only.*partial=True"),
    ],
)
def test_an_error_is_no_refusal_and_few_answers_are_no_success(function: Any, says: str) -> None:
    """A function that is wrong, and that fails on nearly every case by how it is called, does not pass."""
    with pytest.raises(AssertionError, match=says):
        Oracle().check("rogers2016/thm2.9.eps", function)


def test_a_part_of_the_cases_is_enough_where_the_function_says_so() -> None:
    counts = Oracle().check("rogers2016/thm2.9.eps", _few, partial=True).counts
    assert counts["refused"] > counts["within"] > 0 == counts["unsound"]


def test_descriptions_name_the_distance() -> None:
    """In ulp while near, as a factor when far."""
    assert "1 ulp above" in describe(judge(exact("3/2"), read_answer(up(1.5, 1))))
    assert "factor 2" in describe(judge(exact("3/2"), read_answer(3.0)))


def test_an_epsilon_of_0_is_right_where_the_formula_is_negative():
    oracle = Oracle()
    negative = [
        case for case in oracle.vectors.values()
        if case.quantity == "epsilon" and case.expected.get("upper", "0").startswith("-")
    ]  # fmt: skip
    assert negative
    for case in negative:
        assert oracle.judge(case.id, 0.0).verdict == oracle.judge(case.id, "0").verdict == "within"
        assert oracle.judge(case.id, "-1000").verdict == "unsound"
        assert oracle.judge(case.id, "1").verdict == "loose"
    positive = next(case for case in oracle.cases("cks2020/rdp2dp.eps") if case not in negative)
    assert oracle.judge(positive.id, -0.05).verdict == oracle.judge(positive.id, 0).verdict == "unsound"


@pytest.mark.parametrize("line", ['{"id": "a", "answer": 1, "answer": 2}', '{"id": "a", "id": "b", "answer": 1}'])
def test_a_key_that_stands_twice_is_refused(line):
    with pytest.raises(InputError, match="stands twice in one object"):
        read_lines(line)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_only_a_line_feed_ends_a_line(separator):
    answers = read_lines(f'{{"id": "a{separator}b", "answer": 1}}\r\n{{"id": "c", "answer": 2}}\n')
    assert list(answers) == [f"a{separator}b", "c"]


def test_the_command_line_has_the_oracle_s_tolerance() -> None:
    from privref.cli.vectors import judge as command

    assert {option.name: option.default for option in command.params}["rounding"] == ROUNDING_ULPS


def test_a_right_formula_in_doubles_errs_by_more_than_one_ulp_and_by_less_than_the_tolerance() -> None:
    """Why the tolerance is not one ulp, and why it does not save a formula that cancels."""

    def converted(rho: float, delta_prime: float) -> float:
        if not (0 < delta_prime <= 1 and rho >= 0):
            raise ValueError
        return rho + 2 * math.sqrt(rho * math.log(1 / delta_prime))

    def cancels(eps: float, k: int, delta_hat: float) -> float:
        if not (0 < delta_hat <= 1 and eps >= 0):
            raise ValueError
        return k * eps * (math.exp(eps) - 1) + eps * math.sqrt(2 * k * math.log(1 / delta_hat))

    statement = "whitehouse2023/lem1.zcdp2dp.eps"
    with pytest.raises(AssertionError, match=r"1\.0\d* ulp below"):
        Oracle().check(statement, converted, rounding_ulps=1)
    with pytest.warns(RoundingWarning):
        Oracle().check(statement, converted)
    with pytest.raises(AssertionError, match="unsound"):
        Oracle().check("rogers2016/thm2.10.eps_g", cancels, floats=True)
