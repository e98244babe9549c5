"""One root over all units: a Merkle tree as in RFC 6962, so that one unit's result can be shown to be part of it.

A leaf hashes a salt, the unit and its result. The salt is HMAC-SHA256 of the unit under the run's secret key, so that
the hashes of others in a proof cannot be guessed back to names and verdicts.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence

_LEAF, _NODE, _SIZED = b"\x00", b"\x01", b"\x02"


def salt(key: bytes, unit: str) -> bytes:
    """The salt of a unit's leaf: HMAC-SHA256 of its name under the secret key."""
    return hmac.digest(key, unit.encode(), "sha256")


def leaf(salted: bytes, unit: str, result: bytes) -> bytes:
    """The leaf of a unit: its salt, the SHA-256 of its name and that of its result, hashed."""
    return hashlib.sha256(_LEAF + salted + hashlib.sha256(unit.encode()).digest() + result).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()


def sized(root: bytes, size: int) -> bytes:
    """The root as it is published: with the number of leaves, which the tree's own root leaves open."""
    return hashlib.sha256(_SIZED + size.to_bytes(8, "big") + root).digest()


class Tree:
    """The root of a growing list of leaves, in memory that grows with its logarithm (RFC 6962, section 2.1)."""

    def __init__(self) -> None:
        self._peaks: list[tuple[int, bytes]] = []
        self.size = 0

    def add(self, entry: bytes) -> None:
        height, self.size = 0, self.size + 1
        while self._peaks and self._peaks[-1][0] == height:
            entry = _node(self._peaks.pop()[1], entry)
            height += 1
        self._peaks.append((height, entry))

    @property
    def root(self) -> bytes:
        if not self._peaks:
            return hashlib.sha256(b"").digest()
        *rest, (_, found) = self._peaks
        for _, peak in reversed(rest):
            found = _node(peak, found)
        return found


def root(leaves: Iterable[bytes]) -> bytes:
    """The root over the leaves."""
    tree = Tree()
    for entry in leaves:
        tree.add(entry)
    return tree.root


def _siblings(index: int, size: int) -> list[tuple[int, int]]:
    """The ranges of leaves whose roots lead from one leaf to the root, the nearest first (RFC 6962, section 2.1.1)."""
    found: list[tuple[int, int]] = []
    low, high = 0, size
    while high - low > 1:
        split = low + (1 << ((high - low - 1).bit_length() - 1))
        if index < split:
            found.append((split, high))
            high = split
        else:
            found.append((low, split))
            low = split
    return found[::-1]


def path(leaves: Iterable[bytes], index: int, size: int) -> list[bytes]:
    """The hashes that lead from one leaf to the root, the nearest first; the leaves are passed through once."""
    ranges = _siblings(index, size)
    trees = {reach: Tree() for reach in ranges}
    waiting = iter(sorted(ranges))
    reach = next(waiting, None)
    for i, entry in enumerate(leaves):
        while reach is not None and i >= reach[1]:
            reach = next(waiting, None)
        if reach is not None and reach[0] <= i:
            trees[reach].add(entry)
    return [trees[reach].root for reach in ranges]


def root_from(entry: bytes, index: int, size: int, hashes: Sequence[bytes]) -> bytes | None:
    """The root that a leaf and its path lead to (RFC 9162, section 2.1.3.2); None where they fit no such tree."""
    if not 0 <= index < size:
        return None
    place, last, found = index, size - 1, entry
    for other in hashes:
        if last == 0:
            return None
        if place & 1 or place == last:
            found = _node(other, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = _node(found, other)
        place, last = place >> 1, last >> 1
    return found if last == 0 else None
