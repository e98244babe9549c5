"""The HTML report: one file, nothing fetched, nothing that a ledger says read as markup; and as a browser shows it."""

from __future__ import annotations

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import privref
from privref import report
from tests.report.shipped import LONG, every_example, of_example

FORGED = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{ 7 * 7 }}"

pytest.importorskip("jinja2", reason="the extra privref[html] is not installed")


def audited(ledger: dict[str, Any], *claims: dict[str, str]) -> privref.Audit:
    stated = privref.claims_from_document({"schema": "claims.1", "claims": list(claims)})
    return privref.audit(privref.ledger_from_document(ledger), stated)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The report of each example that has claims, and of a small ledger with a refuted claim."""
    found = {}
    for name in ("census2020-guarantees",):
        ledger = privref.ledger_from_document(privref.example_document(name, "ledger"))
        claims = privref.claims_from_document(privref.example_document(name, "claims"))
        found[name] = privref.report.html_report(privref.audit(ledger, claims))
    events = [
        {"label": label, "count": count, "guarantee": {"kind": "pure-dp", "epsilon": epsilon}}
        for label, count, epsilon in (("b", 3, "0.3"), ("a", 10, "0.1"), ("c", 1, "1/3"))
    ]
    small = {
        "schema": "ledger.1", "title": "small", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": events,
    }  # fmt: skip
    claims_ = [{"id": "low", "epsilon": "1.5", "delta": "1e-9"}, {"id": "high", "epsilon": "2.3", "delta": "0"}]
    found["small"] = privref.report.html_report(audited(small, *claims_))
    return found


class Reader(HTMLParser):
    """Which tags there are, and which attributes could fetch something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action", "srcset", "data")]
        assert not any(name.startswith("on") for name, _ in attrs)


@pytest.mark.parametrize("name", ["census2020-guarantees", "small"])
def test_the_file_stands_alone(name: str, pages: dict[str, str]) -> None:
    reader = Reader()
    reader.feed(pages[name])
    assert all(link.startswith("data:") for link in reader.links)
    assert reader.tags.count("script") == 1
    assert "https://" not in re.sub(r'href="data:[^"]*"', "", pages[name])
    assert "default-src 'none'" in pages[name]


def test_everything_that_the_report_promises_is_there(pages: dict[str, str]) -> None:
    page = pages["census2020-guarantees"]
    promised = [
        "of 4 confirmed",
        "What the ledger says and nobody checked",
        "Statement",
        "Largest parts of the sum of rho",
        "17.14355075",
        "Releases (65)",
        "certainly lost at least",
    ]
    for words in promised:
        assert words in page
    documents = [
        json.loads(base64.b64decode(found))
        for found in re.findall(r'download="[^"]*" href="data:application/json;base64,([^"]*)"', page)
    ]
    assert {document["claim"]["id"] for document in documents} == {"rounded-up", "by-lemma-1", "total-rho"}
    assert "unsupported says what was not proved" in page
    assert all(privref.verify(document).outcome == "verified" for document in documents)


def test_nothing_that_a_ledger_says_is_markup(ledger_document: dict[str, Any]) -> None:
    ledger_document |= {"title": FORGED, "privacy_unit": FORGED, "source": FORGED}
    ledger_document["events"][0]["label"] = FORGED
    page = privref.report.html_report(audited(ledger_document, {"id": "c", "epsilon": "1.7", "delta": "0"}))
    reader = Reader()
    reader.feed(page)
    assert reader.tags.count("script") == 1
    assert "img" not in reader.tags
    assert "{{ 7 * 7 }}" in page


def test_the_command_writes_the_file_or_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from privref.cli.main import main

    ledger = tmp_path / "s.csv"
    ledger.write_text("epsilon,label\n0.1,a\n")
    for out, code in ((tmp_path / "report.html", 0), (tmp_path / "no" / "report.html", 2)):
        with pytest.raises(SystemExit) as ended:
            main(["audit", str(ledger), "--claim", "0.1,0", "--parameters", "fixed-in-advance", "--html", str(out)])
        assert ended.value.code == code
        assert out.exists() == (code == 0)
    assert "--html" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "s.csv"]


# --- in a browser ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["census2020-guarantees", "small"])
@pytest.mark.parametrize("width", [1100, 420])
def test_a_browser_shows_it_without_an_error_or_a_request(
    browser: Any, pages: dict[str, str], name: str, width: int, tmp_path: Path
) -> None:
    """No message on the console, no request but the file, nothing wider than the window; folds open, rows sort."""
    path = tmp_path / "report.html"
    path.write_text(pages[name], encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 800})
    said: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.screenshot(full_page=True).startswith(b"\x89PNG")

    assert not page.locator("#events").is_visible()
    page.click("#unfold")
    assert page.locator("#events").is_visible()
    page.locator("#releases > summary").click()
    assert not page.locator("#events").is_visible()
    page.locator("#releases > summary").click()

    def column(i: int) -> list[int]:
        cells = f"Array.from(document.querySelectorAll('#events tbody tr')).map(r => Number(r.cells[{i}].dataset.rank))"
        found: list[int] = page.evaluate(cells)
        return found

    size = 5 if name == "small" else 7
    head = page.locator("#events th").nth(size)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(size) == sorted(column(size))
    assert column(0) != sorted(column(0))
    head.locator("button").click()
    assert column(size) == sorted(column(size), reverse=True)
    assert (said, requests) == ([], [path.as_uri()])
    page.close()


def printed_pages(page: Any) -> int:
    """Of the longer of A4 and Letter, with the margins that browsers take by themselves."""
    counts = []
    for size in ("A4", "Letter"):
        pdf = page.pdf(format=size, margin=dict.fromkeys(("top", "bottom", "left", "right"), "1cm"))
        counts.append(len(re.findall(rb"/Type\s*/Page\b", pdf)))
    assert min(counts) >= 1
    return max(counts)


@pytest.mark.parametrize(("events", "claims"), [(3, 1), (5_001, 2), (2, 8)])
def test_it_prints_to_two_pages_and_says_what_is_left_out(
    browser: Any, events: int, claims: int, tmp_path: Path
) -> None:
    """Also where there are more releases and curves than two pages hold; what is unfolded is printed."""
    ledger = {
        "schema": "ledger.1", "title": "many", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential",
        "events": [
            {"label": f"release {i}", "guarantee": {"kind": "zcdp", "rho": f"{1 + i % 7}/100000"}}
            for i in range(events)
        ],
    }  # fmt: skip
    stated = [{"id": f"claim-{i}", "epsilon": f"{5 + i}/2", "delta": "1e-6"} for i in range(claims)]
    path = tmp_path / "report.html"
    path.write_text(privref.report.html_report(audited(ledger, *stated)), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    assert printed_pages(page) <= 2
    left_out = page.locator(".paper", has_text="the others stand in the ledger")
    assert left_out.count() == (events == 5_001)
    assert events < 5_001 or "The 10 largest of 5001" in left_out.inner_text()
    assert page.locator(".paper", has_text="curves after claim 6").count() == (claims > 6)
    assert page.locator("figure:visible").count() == min(claims, 6)
    assert page.locator(".paper tbody tr:visible").count() == min(events, 10)
    page.emulate_media(media="screen")
    assert page.locator(".paper:visible").count() == 0
    page.locator("#releases > summary").click()
    page.emulate_media(media="print")
    assert page.locator(".paper.rows:visible").count() == 0
    assert page.locator("#events").is_visible()
    page.close()


class Visits:
    """One page of the browser, which opens one file after another: a page of its own for each takes as long again."""

    def __init__(self, browser: Any) -> None:
        self.page = browser.new_page()
        self.said: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def opened(self, path: Path, most_pages: int | None = None) -> tuple[list[str], list[str]]:
        """What a file says on the console and asks for; at neither width is anything on it wider than the window."""
        self.said.clear()
        self.requests.clear()
        self.page.goto(path.as_uri())
        for width in (1100, 420):
            self.page.set_viewport_size({"width": width, "height": 800})
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width
        if most_pages is not None:
            assert printed_pages(self.page) <= most_pages
        return self.said, self.requests


@pytest.fixture(scope="module")
def visits(browser: Any) -> Visits:
    return Visits(browser)


def show(visits: Visits, names: list[str], folder: Path) -> None:
    for name in names:
        path = folder / f"{name}.html"
        audit = of_example(name)
        text = report.html_report(audit)
        assert len(re.findall('<section class="card ', text)) == len(audit.opinions)
        path.write_text(text, encoding="utf-8")
        assert visits.opened(path, most_pages=2) == ([], [path.as_uri()]), name


def test_a_browser_shows_every_short_example(visits: Visits, tmp_path: Path) -> None:
    short = [name for name in every_example() if not name.startswith(LONG)]
    assert len(short) >= 15
    show(visits, short, tmp_path)


@pytest.mark.xdist_group("gallery")
def test_a_browser_shows_every_long_example(visits: Visits, tmp_path: Path) -> None:
    show(visits, [name for name in every_example() if name.startswith(LONG)], tmp_path)


def test_a_browser_shows_the_gallery_of_published_claims(visits: Visits, tmp_path: Path) -> None:
    """Of a few entries; at both widths; its certificates are downloads that the page itself holds."""
    audits = [
        audit for name in ("flex", "url-shares", "recurve-energy") for audit in privref.registry_audits(name=name)
    ]
    path = tmp_path / "gallery.html"
    path.write_text(report.registry_html(audits), encoding="utf-8")
    assert visits.opened(path) == ([], [path.as_uri()])
    with visits.page.expect_download() as download:
        visits.page.locator("a[download]").first.click()
    certificate = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    # A relation's certificate is linked to what was published by the registry's own entry only.
    wanted = "unlinked" if certificate["schema"] == "relation-certificate.1" else "verified"
    assert privref.verify(certificate).outcome == wanted
