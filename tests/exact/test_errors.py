"""Every message is one line without control characters, whatever it quotes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privref.exact.errors import HypothesisError, InputError, OutOfScopeError, one_line


@pytest.mark.parametrize(
    "part", ["a\nb", "a\r\nb", "a\x1b[31mb", "a\x9bb", "a\u2028b", "a\u202eb", "a\ud800b", "a\x00b"]
)
def test_no_part_of_a_refusal_breaks_the_line(part: str) -> None:
    for error in (
        InputError(part, "x", "y"),
        InputError("x", part, "y"),
        InputError("x", "y", part),
        InputError("x", "y", "z").within(part),
        OutOfScopeError(part),
        HypothesisError(part),
    ):
        message = str(error)
        assert len(message.splitlines()) == 1
        assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in message)
        assert message.encode("utf-8")


def test_the_refusal_says_where_the_control_character_was() -> None:
    assert str(InputError("a\nb", "1", "unknown input")) == "a\\nb: privref rejects '1': unknown input"
    assert InputError("a\nb", "1", "x").field == "a\nb"


@given(st.text())
def test_what_people_read_is_left_as_it_is(text: str) -> None:
    shown = one_line(text)
    assert one_line(shown) == shown
    assert len(shown.splitlines()) <= 1
    if text.isprintable():
        assert shown == text


def test_letters_and_signs_of_every_script_stay() -> None:
    assert one_line("ε ≤ 1, café, 1\u00a0000, 人口 📊") == "ε ≤ 1, café, 1\u00a0000, 人口 📊"
