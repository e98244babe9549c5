"""Chromium for the tests of pages."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

#: Milliseconds that Chromium has for a step, of which it needs few: other programs may take the processor meanwhile.
PATIENCE = 600_000


class Browser:
    """Chromium, whose pages wait so long."""

    def __init__(self, chromium: Any) -> None:
        self.chromium = chromium

    def new_page(self, **options: Any) -> Any:
        page = self.chromium.new_page(**options)
        page.set_default_timeout(PATIENCE)
        return page


@pytest.fixture(scope="module")
def browser() -> Any:
    """Chromium through Playwright: its own, or the system's."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        system = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        last = ""
        for path in (None, system):
            try:
                found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"], timeout=PATIENCE)
            except api.Error as error:
                last = str(error).splitlines()[0]
                continue
            yield Browser(found)
            found.close()
            return
        pytest.skip(f"no Chromium is installed: {last}")
