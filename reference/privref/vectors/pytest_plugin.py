"""The oracle in other projects' tests: ``pytest --privref-oracle`` and the fixture ``privref_oracle``.

Without the option the tests that ask for the fixture are skipped, so that a suite runs without the oracle too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .oracle import Oracle


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--privref-oracle`` turns the oracle on."""
    parser.getgroup("privref").addoption(
        "--privref-oracle",
        action="store_true",
        default=False,
        help="run the tests that are judged by privref's golden vectors",
    )


@pytest.fixture(scope="session")
def privref_oracle(request: pytest.FixtureRequest) -> Oracle:
    """The golden vectors and their judge.

    ``privref_oracle.check("rogers2016/thm2.9.eps", my_function)`` runs a function over all cases of a statement and
    fails the test on an unsound answer; ``privref_oracle.judge(id, answer)`` judges one.
    """
    if not request.config.getoption("--privref-oracle"):
        pytest.skip("needs --privref-oracle")
    from .oracle import Oracle

    return Oracle()
