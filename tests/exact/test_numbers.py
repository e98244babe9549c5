"""Exact inputs: what is read, what is refused, and that spelling is the inverse of reading."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact.errors import InputError
from privref.exact.numbers import MAX_DIGITS, count, from_binary64, rational, spell, weighted_sum

RATIONALS = st.fractions(max_denominator=10**12)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1e-10", Fraction(1, 10**10)),
        ("542/339", Fraction(542, 339)),
        ("-3", Fraction(-3)),
        ("+2.50", Fraction(5, 2)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("12E3", Fraction(12000)),
        ("0x1.8p+1", Fraction(3)),
        ("0x1.999999999999ap-4", Fraction(0.1)),
        (7, Fraction(7)),
        (Fraction(2, 3), Fraction(2, 3)),
    ],
)
def test_exact_inputs_are_read_exactly(text: object, value: Fraction) -> None:
    assert rational(text) == value


@pytest.mark.parametrize(
    "text",
    ["nan", "inf", "-inf", "", " 1", "1 ", "1_000", ".", "e5", "1/0", "1/-2", "1//2", "0x", "٣", "1e", "1,5", "½",
     "1e5000", "1e-5000", "1e99999999999999999999999", "1" * (MAX_DIGITS + 1), "1/" + "3" * (MAX_DIGITS + 9),
     "0x1p+5000", True, None, [], 1.5, float("nan"), 1j, 10 ** (MAX_DIGITS + 1)],
    ids=lambda value: repr(value)[:20],
)  # fmt: skip
def test_everything_else_is_refused_with_the_field_and_a_remedy(text: object) -> None:
    with pytest.raises(InputError, match=r"^epsilon: .* refused: .+") as refusal:
        rational(text, "epsilon")
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400


def test_the_refusal_of_a_float_names_the_explicit_door() -> None:
    with pytest.raises(InputError, match="from_binary64"):
        rational(0.1, "epsilon")


@given(RATIONALS)
def test_spelling_is_read_back(value: Fraction) -> None:
    assert rational(spell(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_keeps_its_value_and_its_origin(value: float) -> None:
    read = from_binary64(value)
    assert read == Fraction(value)
    assert spell(read) == (value + 0.0).hex()
    assert rational(spell(read)) == Fraction(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1, True])
def test_the_door_for_doubles_takes_only_finite_doubles(value: object) -> None:
    with pytest.raises(InputError):
        from_binary64(value)  # type: ignore[arg-type]


def test_integers_of_any_length_are_spelled() -> None:
    value = 7**20_000
    text = spell(value)
    reread = 0
    for start in range(0, len(text), 4000):
        chunk = text[start : start + 4000]
        reread = reread * 10 ** len(chunk) + int(chunk)
    assert reread == value
    assert spell(Fraction(-(10**6000), 3)).startswith("-1000")


@given(st.lists(st.tuples(RATIONALS, st.integers(0, 50))))
def test_the_weighted_sums_are_the_plain_sums(pairs: list[tuple[Fraction, int]]) -> None:
    assert weighted_sum(pairs) == sum((value * times for value, times in pairs), Fraction(0))
    assert weighted_sum(pairs, power=2) == sum((value**2 * times for value, times in pairs), Fraction(0))


@pytest.mark.parametrize("value", ["2.5", "-1", 0.0, "x", True])
def test_a_count_is_a_whole_number(value: object) -> None:
    with pytest.raises(InputError):
        count(value, "k")


def test_a_count_respects_its_least_value() -> None:
    assert count("3", "k", least=3) == 3
    with pytest.raises(InputError, match="at least 3"):
        count("2", "k", least=3)


def test_none_is_a_count_unless_more_are_wanted() -> None:
    assert count(0, "k") == count("0", "k") == 0
