"""A browser for the tests of the app."""

from tests.browser import browser

__all__ = ["browser"]
