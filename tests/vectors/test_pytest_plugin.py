"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

import pytest

from tests.test_documents import ROOT, blocks

pytest_plugins = ["pytester"]

SUITE = """
import math
from fractions import Fraction

def test_sound(privref_oracle):
    privref_oracle.check("whitehouse2023/lem1.dp2zcdp.rho", lambda eps: Fraction(exact(eps)) ** 2 / 2)

def test_unsound(privref_oracle):
    privref_oracle.check("whitehouse2023/lem1.dp2zcdp.rho", lambda eps: float(exact(eps)) ** 2 / 2 * (1 - 1e-14))

def test_rounded(privref_oracle):
    found = privref_oracle.check("whitehouse2023/lem1.dp2zcdp.rho", lambda eps: float(exact(eps)) ** 2 / 2)
    assert found.counts["rounding"] > 0

def test_strict(privref_oracle):
    rho = lambda eps: float(exact(eps)) ** 2 / 2
    privref_oracle.check("whitehouse2023/lem1.dp2zcdp.rho", rho, rounding_ulps=0)

def test_one_answer(privref_oracle):
    case = privref_oracle.cases("whitehouse2023/lem1.dp2zcdp.rho")[0]
    assert privref_oracle.judge(case.id, case.expected["value"]).verdict == "within"

def test_floats(privref_oracle):
    def rho(eps: float) -> float:
        if not 0 <= eps < float("inf"):
            raise ValueError("bad")
        return math.nextafter(eps * eps / 2, math.inf)

    assert privref_oracle.check("whitehouse2023/lem1.dp2zcdp.rho", rho).counts["unsound"] == 0

def test_broken(privref_oracle):
    def rho(eps: float) -> float:
        return undefined_name

    privref_oracle.check("whitehouse2023/lem1.dp2zcdp.rho", rho)

def exact(text):
    value = Fraction(float.fromhex(text)) if "x" in text else Fraction(text)
    if value < 0:
        raise ValueError("negative")
    return value
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, request: pytest.FixtureRequest) -> pytest.Pytester:
    """A project's tests that use the oracle, with the plugin loaded as its entry point would be."""
    pytester.makepyfile(SUITE)
    if not request.config.pluginmanager.hasplugin("privref"):
        pytester.makeconftest('pytest_plugins = ["privref.vectors.pytest_plugin"]')
    return pytester


def test_without_the_option_the_tests_are_skipped(suite: pytest.Pytester) -> None:
    """A suite runs where nobody asks for the oracle."""
    suite.runpytest_subprocess().assert_outcomes(skipped=7)


def test_the_suite_of_the_documents_passes(pytester: pytest.Pytester, request: pytest.FixtureRequest) -> None:
    """What an implementer copies runs as it stands, without a warning."""
    page = (ROOT / "reference/docs/accountants.md").read_text(encoding="utf-8")
    (shown,) = (block.text for block in blocks(page) if block.title == "test_mine.py")
    pytester.makepyfile(test_mine=shown)
    if not request.config.pluginmanager.hasplugin("privref"):
        pytester.makeconftest('pytest_plugins = ["privref.vectors.pytest_plugin"]')
    pytester.runpytest_subprocess("--privref-oracle", "-W", "error").assert_outcomes(passed=3)


def test_with_the_option_unsound_answers_fail(suite: pytest.Pytester) -> None:
    """The exact square passes, that of a double with a warning; too small a one fails, with case and distance."""
    result = suite.runpytest_subprocess("--privref-oracle")
    result.assert_outcomes(passed=4, failed=3, warnings=1)
    result.stdout.fnmatch_lines(["*RoundingWarning: * by rounding (at most * ulp below); round outward*"])
    result.stdout.fnmatch_lines(["*answers to whitehouse2023/lem1.dp2zcdp.rho are unsound*", "*ulp below*"])
    result.stdout.fnmatch_lines(["*first exception: NameError: name 'undefined_name' is not defined*"])
