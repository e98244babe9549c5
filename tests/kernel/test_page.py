"""The page about the kernel is what its generator writes from the code."""

from __future__ import annotations

from tests.kernel.page import page
from tests.test_documents import ROOT


def test_the_page_is_generated_from_the_code() -> None:
    assert (ROOT / "reference" / "docs" / "kernel.md").read_text(encoding="utf-8") == page()
