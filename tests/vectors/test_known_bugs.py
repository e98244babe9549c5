"""Every stored bug of a library, run again where that version is installed."""

from __future__ import annotations

import importlib.metadata

import pytest

from privref.vectors.answers import read_answer
from privref.vectors.judge import judge
from privref.vectors.peers.libraries import PEERS
from privref.vectors.peers.model import run
from privref.vectors.store import vectors

BUGS = [(vector, bug) for vector in vectors().values() for bug in vector.known_bugs]


def test_four_libraries_have_stored_bugs() -> None:
    """The vectors hold what was found."""
    assert len({bug["peer"] for _, bug in BUGS}) >= 4
    assert all("known-bug" in vector.flags for vector, _ in BUGS)


@pytest.mark.parametrize(("vector", "bug"), BUGS, ids=lambda value: value.id if hasattr(value, "id") else value["peer"])
def test_what_was_reported_is_unsound(vector, bug) -> None:
    """By the judge, on the stored answer."""
    reported = bug["reported"]
    number = reported not in ("CONT", "nan")
    assert judge(vector, read_answer(float(reported) if number else reported)).verdict == "unsound"


@pytest.mark.parametrize(("vector", "bug"), BUGS, ids=lambda value: value.id if hasattr(value, "id") else value["peer"])
def test_reproductions_reproduce(vector, bug) -> None:
    """At most five lines, whose last gives an unsound answer in the version that is named."""
    assert len(bug["reproduction"]) <= 5
    peer = next(peer for peer in PEERS if peer.name == bug["peer"])
    if peer.version != bug["version"]:
        pytest.skip(f"{peer.name} {bug['version']} is not installed")
    peer.setup()
    outcome = run(tuple(bug["reproduction"]))
    assert outcome.error == ""
    assert judge(vector, outcome.reading).verdict == "unsound"


def test_peers_are_named_as_their_distributions() -> None:
    """So that a version is always found where the module is."""
    for peer in PEERS:
        if peer.version is not None:
            assert importlib.metadata.version(peer.name) == peer.version
