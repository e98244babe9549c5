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
    with pytest.raises(InputError, match=r"^epsilon: privref rejects .*: .+") as refusal:
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


@pytest.mark.parametrize(
    "text",
    ["0x1.00000000000007p0", "0x1.00000000000007p0".upper().replace("X", "x"), "0x1p-1075", "0x1.8p-1074", "-0x1p-1075",
     "0x1p1024", "0x1.fffffffffffff8p1023", "0x20000000000001p0", "0x1.0000000000000001p-1022", "0x1p-99999999999",
     "0x1p99999999999", "0x" + "f" * 400 + "p0"],
    ids=lambda value: value[:30],
)  # fmt: skip
def test_a_hexadecimal_float_is_never_rounded(text: str) -> None:
    with pytest.raises(InputError, match="not exactly a finite double"):
        rational(text, "epsilon")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x1p-1074", Fraction(1, 2**1074)),
        ("0x0.8p-1073", Fraction(1, 2**1074)),
        ("0x1.fffffffffffffp1023", Fraction(2**1024 - 2**971)),
        ("0x1.0000000000000000000p0", Fraction(1)),
        ("0x1" + "0" * 300 + "p-1200", Fraction(1)),
        ("0x20000000000000p0", Fraction(2**53)),
        ("-0x0p0", Fraction(0)),
        ("0x0p99999999999", Fraction(0)),
    ],
)
def test_a_double_may_be_written_in_any_hexadecimal_way(text: str, value: Fraction) -> None:
    assert rational(text) == value


@given(st.integers(0, 2**60), st.integers(-1140, 1030), st.sampled_from("+-"))
def test_a_hexadecimal_float_is_its_own_value_or_refused(mantissa: int, exponent: int, sign: str) -> None:
    value = Fraction(mantissa) * Fraction(2) ** exponent * (-1 if sign == "-" else 1)
    try:
        read = rational(f"{sign}{mantissa:#x}p{exponent}")
    except InputError:
        exact = mantissa == 0 or (
            mantissa.bit_length() - (mantissa & -mantissa).bit_length() < 53
            and exponent + mantissa.bit_length() <= 1024
            and exponent + (mantissa & -mantissa).bit_length() - 1 >= -1074
        )
        assert not exact
    else:
        assert read == value


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
