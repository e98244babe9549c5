"""A browser for the tests of reports, and what of the long examples a run shows."""

from collections.abc import Iterator

import pytest

from privref.report import picture
from tests.browser import browser
from tests.conftest import code, sampled
from tests.report.shipped import LONG, every_example

__all__ = ["browser"]


@pytest.fixture(autouse=True, scope="package")
def coarser(pytestconfig: pytest.Config) -> Iterator[None]:
    """A picture takes work until it is used up, and is true at any: a quarter of it here, all with --exhaustive."""
    with pytest.MonkeyPatch.context() as patched:
        if not pytestconfig.getoption("exhaustive"):
            for name in ("WORK", "MOST_WORK"):
                patched.setattr(picture, name, getattr(picture, name) // 4)
        yield


@pytest.fixture(scope="package")
def long_examples(pytestconfig: pytest.Config) -> list[str]:
    """One of each family, others with each change of the code; or all of them."""
    names = [name for name in every_example() if name.startswith(LONG)]
    if pytestconfig.getoption("exhaustive"):
        return names
    families = ([name for name in names if name.startswith(family)] for family in LONG)
    drawn = {name for family in families for name in sampled(family, 2**64, code())}
    return [name for name in names if name in drawn]
