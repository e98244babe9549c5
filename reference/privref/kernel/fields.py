"""Take the fields of a JSON object one by one, and refuse what is left over: no field is ever ignored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from privref.kernel.numbers import Malformed, around, count, number

#: Which end of a number that was published rounded is read: the one with which most or least privacy is lost.
MOST, LEAST = "most", "least"


class Fields:
    """The fields of one object. Each is taken once; ``done`` refuses the object if one was not."""

    def __init__(self, found: object, place: str, reading: str = MOST) -> None:
        if not isinstance(found, Mapping):
            raise Malformed(place, found, "give a JSON object")
        self.left: dict[str, Any] = dict(found)
        self.place, self.reading = place, reading

    def __enter__(self) -> Fields:
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        """Refuse the object where a field was not taken, unless it is refused already."""
        if failure is None:
            self.done()

    def has(self, key: str) -> bool:
        """Return whether the field is given and not taken yet."""
        return key in self.left

    def take(self, key: str) -> Any:
        """Take a field that must be there."""
        if key not in self.left:
            raise Malformed(f"{self.place}.{key}", "(missing)", "this field is required here")
        return self.left.pop(key)

    def inner(self, key: str) -> Fields:
        """Take an object, whose numbers are read at the same ends."""
        return Fields(self.take(key), f"{self.place}.{key}", self.reading)

    def items(self, key: str, most: int, least: int = 1) -> list[Any]:
        """Take a list of at least one item, or of another least number, and of at most ``most``."""
        found = self.take(key)
        if not isinstance(found, list) or not least <= len(found) <= most:
            raise Malformed(f"{self.place}.{key}", found, f"give a list of {least} to {most}")
        return found

    def text(self, key: str, *, required: bool = False) -> str:
        """Take a text that nothing is decided by; "" where it is not given."""
        if key not in self.left and not required:
            return ""
        value = self.take(key)
        if not isinstance(value, str):
            raise Malformed(f"{self.place}.{key}", value, "give a text")
        return value

    def name(self, key: str, *, required: bool = False) -> str:
        """Take a text that is printed beside the verdict: of characters that can be shown."""
        value = self.text(key, required=required)
        if not value.isprintable():
            raise Malformed(f"{self.place}.{key}", ascii(value), "give characters that can be printed")
        return value

    def one_of(self, key: str, options: Collection[str], default: str | None = None) -> str:
        """Take a word of a closed list."""
        if key not in self.left and default is not None:
            return default
        value = self.take(key)
        if not isinstance(value, str) or value not in options:
            raise Malformed(f"{self.place}.{key}", value, f"give one of {', '.join(options)}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Take true or false."""
        value = self.left.pop(key, default)
        if not isinstance(value, bool):
            raise Malformed(f"{self.place}.{key}", value, "give true or false")
        return value

    def whole(self, key: str, default: int | None = None, most: int = 10**15, *, least: int = 1) -> int:
        """Take a whole number of at least 1, or of at least another one."""
        if key not in self.left and default is not None:
            return default
        return count(self.take(key), f"{self.place}.{key}", least, most)

    def exact(self, key: str, *, positive: bool = False, at_most: int | None = None) -> Fraction:
        """Take an exact number: at least 0, or above 0, and at most a bound where one is given."""
        value = number(self.take(key), f"{self.place}.{key}")
        return self._within(key, value, positive, at_most)

    def point(self) -> tuple[Fraction, Fraction]:
        """Take an epsilon and a delta, and refuse the object if it has more."""
        found = self.exact("epsilon"), self.exact("delta", at_most=1)
        self.done()
        return found

    def parameter(
        self, key: str, *, loses: str = "more", positive: bool = False, at_most: int | None = None
    ) -> Fraction:
        """Take a number that may have been published rounded, at the end that ``reading`` asks for.

        ``loses`` says whether "more" or "less" privacy is lost where the number is larger.
        """
        value = self.take(key)
        if not isinstance(value, Mapping):
            return self._within(key, number(value, f"{self.place}.{key}"), positive, at_most)
        low, high = around(value, f"{self.place}.{key}")
        return self._within(key, high if (loses == "more") == (self.reading == MOST) else low, positive, at_most)

    def _within(self, key: str, value: Fraction, positive: bool, at_most: int | None) -> Fraction:
        if value < 0 or (positive and not value) or (at_most is not None and value > at_most):
            low = "above 0" if positive else "at least 0"
            high = "" if at_most is None else f" and at most {at_most}"
            raise Malformed(f"{self.place}.{key}", value, f"give a number {low}{high}")
        return value

    def done(self) -> None:
        """Refuse the object where a field was not taken."""
        for key in self.left:
            raise Malformed(f"{self.place}.{key}", key, "the kernel does not know this field and ignores none")
