"""Certificates of all kernel tests, issued once where many mutants are judged by them."""

from __future__ import annotations

import pytest


def pytest_collection_finish(session: pytest.Session) -> None:
    """Issue what the tests share before a campaign forks: a mutant of the kernel is judged by certificates as they are.

    Else each child would look for them again.
    """
    if session.config.getoption("--hypothesis-profile", None) != "mutants":
        return
    from tests.kernel.cases import FALSE, GOOD
    from tests.kernel.test_certificates import false, good

    for name in GOOD:
        good(name)
    for name in FALSE:
        false(name)
