"""A browser for the tests of reports."""

from tests.browser import browser

__all__ = ["browser"]
