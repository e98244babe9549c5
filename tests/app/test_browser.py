"""In a real browser: from a dropped workbook to a certificate that verifies; by keyboard; dark; on a phone."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.cli.main import main
from tests.browser import PATIENCE

openpyxl = pytest.importorskip("openpyxl", reason="the extra privref[sheets] is not installed")

#: Colours, and the width of the window: a phone's is 390 px.
LOOKS = [("light", 1100), ("dark", 390), ("light", 390), ("dark", 1100)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address that the command prints; the command is ended as Ctrl-C does."""
    command = [sys.executable, "-m", "privref", "app", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def workbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    book = openpyxl.Workbook()
    for row in (
        ["Privacy ledger of the office"], [], ["Release", "Privacy loss (ε)", "δ", "Mechanism", "σ", "Sensitivity"],
        ["map", "≤ 1/4", "1·10⁻⁷"], ["table", 0.25, "1e-7"], ["histogram", None, None, "Gaussian", 20, 1],
    ):  # fmt: skip
        book.active.append(row)
    path = tmp_path_factory.mktemp("sheet") / "office.xlsx"
    book.save(path)
    return path


class Window:
    """A page that notes what is wrong with it: messages, errors, requests to elsewhere, and what is wider than it."""

    def __init__(self, browser: Any, address: str, colours: str, width: int) -> None:
        self.context = browser.chromium.new_context(
            color_scheme=colours, viewport={"width": width, "height": 800}, accept_downloads=True
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.width, self.host = width, address.split("?")[0]
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self._ask(request.url))
        self.page.goto(address)
        self.page.wait_for_selector("#ledger")

    def _ask(self, url: str) -> None:
        if not url.startswith((self.host, "data:")):
            self.said.append(f"asked for {url}")

    def look(self) -> None:
        """Check that nothing is wider than the window, and that what is shown has the colours that were asked for."""
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.width
        assert self.page.screenshot(full_page=True).startswith(b"\x89PNG")

    def drop(self, path: Path) -> None:
        """Drop a file onto the page as from a folder's window."""
        data = base64.b64encode(path.read_bytes()).decode()
        moved = self.page.evaluate_handle(
            """([data, name]) => { const moved = new DataTransfer();
            moved.items.add(new File([Uint8Array.from(atob(data), c => c.charCodeAt(0))], name)); return moved; }""",
            [data, path.name],
        )
        for kind in ("dragenter", "dragover", "drop"):
            self.page.dispatch_event("#drop", kind, {"dataTransfer": moved})

    def download(self, name: str, folder: Path) -> Path:
        with self.page.expect_download() as waited:
            self.page.click(f"a[download]:text-is('{name}')")
        assert waited.value.suggested_filename == name
        waited.value.save_as(folder / name)
        return folder / name

    def close(self) -> None:
        self.context.close()
        assert self.said == []


@pytest.mark.parametrize(("colours", "width"), LOOKS)
def test_from_a_dropped_workbook_to_a_certificate_that_verifies(
    browser: Any, address: str, workbook: Path, colours: str, width: int, tmp_path: Path, capsys: Any
) -> None:
    window = Window(browser, address, colours, width)
    page = window.page
    assert "token" not in page.url
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (colours == "light")
    window.look()
    window.drop(workbook)
    assert page.inner_text("#chosen") == "Chosen: office.xlsx"
    page.click("form[action='/ledger'] button")
    page.wait_for_selector("#questions")
    assert "1·10⁻⁷" in page.inner_text("table")
    window.look()
    page.check("input[value=fixed-in-advance]")
    page.check("input[value=add-or-remove-one]")
    page.fill("#epsilon", "1")
    page.fill("#delta", "10^-6")
    page.click("button:text-is('Audit')")
    page.wait_for_selector(".verdict")
    assert page.inner_text(".verdict") == "✓ confirmed"
    assert page.title().startswith("Confirmed: office.xlsx")
    window.look()

    report = window.download("report.html", tmp_path).read_text(encoding="utf-8")
    certificate = window.download("claim.certificate.json", tmp_path)
    assert "✓ confirmed" in report
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(certificate)])
    assert (ended.value.code, "verified" in capsys.readouterr().out) == (0, True)
    letter = window.download("letter.txt", tmp_path).read_text(encoding="utf-8")
    assert letter.startswith("All 3 releases of “office.xlsx” together are (1, 1e-6)-DP")
    ledger = privref.read_ledger(window.download("ledger.json", tmp_path))
    claims = [privref.ApproxDPClaim("again", epsilon="1", delta="1e-6")]
    assert privref.audit(ledger, claims).opinions[0].verdict == "confirmed"
    shown = json.loads(certificate.read_text(encoding="utf-8"))
    assert shown["ledger"]["document"] == ledger.document

    page.goto(f"{page.url}/report")
    page.click("#unfold")
    assert page.evaluate("self.origin") == "null"
    window.look()
    window.close()


def test_by_keyboard_alone(browser: Any, address: str, tmp_path: Path) -> None:
    """Every step by Tab, arrows, space and Enter; the focus is always seen, and goes to what is wrong."""
    window = Window(browser, address, "light", 390)
    page = window.page

    def tab_to(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
                return
        raise AssertionError(f"no Tab leads to {selector}")

    tab_to("a.skip")
    for name, value in (("noise_multiplier", "2"), ("sampling_rate", "0.01"), ("steps", "100"), ("delta", "1e-5")):
        tab_to(f"#{name}")
        page.keyboard.type(value)
    tab_to("input[name=sampling]")
    page.keyboard.press("Space")
    tab_to("button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#questions")
    assert page.input_value("#delta") == "1e-5"
    tab_to("#epsilon")
    page.keyboard.type("ln 3")
    tab_to("button")
    page.keyboard.press("Enter")
    page.wait_for_selector(".problems:focus")
    tab_to("#epsilon")
    page.keyboard.press("Control+A")
    page.keyboard.type("0.1")
    tab_to("button")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    assert page.inner_text(".verdict") == "✗ refuted"
    assert page.title().startswith("Not confirmed")
    window.said = [said for said in window.said if "422" not in said]  # Chromium notes that a form was asked again
    window.close()


def test_every_control_has_a_name_and_every_page_one_heading(browser: Any, address: str, workbook: Path) -> None:
    window = Window(browser, address, "light", 1100)
    page = window.page

    def named() -> None:
        assert page.evaluate("document.querySelectorAll('h1').length") == 1
        assert page.evaluate("document.documentElement.lang") == "en"
        nameless = """Array.from(document.querySelectorAll("input, textarea, select")).filter(
            control => control.labels.length === 0).map(control => control.outerHTML)"""
        assert page.evaluate(nameless) == []
        groups = "Array.from(document.querySelectorAll('fieldset')).every(g => g.querySelector('legend'))"
        assert page.evaluate(groups)

    named()
    window.drop(workbook)
    page.click("form[action='/ledger'] button")
    page.wait_for_selector("#questions")
    named()
    window.close()


def test_it_works_without_script(browser: Any, address: str, workbook: Path) -> None:
    """The page that waits loads itself again."""
    context = browser.chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_selector("#ledger")
    page.set_input_files("#ledger", workbook)
    page.click("form[action='/ledger'] button")
    page.wait_for_selector("#questions")
    context.close()
