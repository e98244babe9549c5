"""The HTML report: one file, nothing fetched, nothing that a ledger says read as markup; and as a browser shows it."""

from __future__ import annotations

import base64
import json
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import privref
from privref import report
from privref.report.html import downloads
from privref.report.plain import sentences
from privref.report.releases import releases
from tests.report.shipped import LONG, every_example, of_example, page_of

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
        "In plain words",
        "For a lawyer: ",
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


def many(events: int, **changes: Any) -> dict[str, Any]:
    """A ledger of different events."""
    listed = [
        {"label": f"release {i}", "guarantee": {"kind": "approx-dp", "epsilon": f"0.{1 + i % 99:02}", "delta": "1e-9"}}
        for i in range(events)
    ]
    return {
        "schema": "ledger.1", "title": "many", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": listed,
    } | changes  # fmt: skip


def test_a_report_of_three_thousand_releases_is_small() -> None:
    page = privref.report.html_report(audited(many(3_000), {"id": "c", "epsilon": "1600", "delta": "1e-5"}))
    assert len(page.encode()) <= 300_000
    assert page.count("<tr><td>") >= 3_000 + 10
    assert "Of all releases: kind approx-dp, count 1, delta 1e-9." in page


def test_long_labels_are_cut_and_no_row_is_left_out() -> None:
    """Labels of 120 letters and two claims: the page stays below 300 kB, and says how labels were cut."""
    document = many(3_000)
    for i, event in enumerate(document["events"]):
        event["label"] = f"Quarterly table number {i} of households by region and age of the head ({'office ' * 8}{i})"
        event["guarantee"]["delta"] = f"{1 + i % 9}e-12"
    claims = [{"id": name, "epsilon": size, "delta": "1e-5"} for name, size in (("a", "1600"), ("b", "1700"))]
    page = privref.report.html_report(audited(document, *claims))
    assert len(page.encode()) <= 300_000
    assert page.count("<tr><td>") >= 3_000 + 10
    most = int(re.search(r"Labels are cut to (\d+) letters here; the ledger has them in full", page)[1])
    assert most >= 24
    assert re.search(r"<td>3000<td>Quarterly[^<]*…[^<]*2999\)<td>", page)


def test_a_report_says_when_with_what_and_for_whom_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    audit = audited(many(2), {"id": "c", "epsilon": "1600", "delta": "1e-5"})
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1600000000")
    versions = f"python-flint {version('python-flint')}, mpmath {version('mpmath')}"
    made = f"Made on 2020-09-13 by privref {version('privref')} ({versions}); asked for by a &lt;board&gt;"
    assert made in privref.report.html_report(audit, asked_by="a <board>")
    assert "asked for" not in privref.report.html_report(audit)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(privref.InputError, match="SOURCE_DATE_EPOCH"):
        privref.report.html_report(audit)


@pytest.mark.parametrize(
    ("claims", "came", "do"),
    [
        (["1600"], "The claim is confirmed: a theorem proves", "You may publish"),
        (
            ["1600", "1500"],
            "All 2 claims are confirmed. Of each this means: a theorem proves the claim",
            "You may publish",
        ),
        (["1600", "0.01"], "Of these claims 1 is confirmed (a theorem", "Do not publish an underivable claim"),
    ],
)
def test_three_plain_sentences_come_first(claims: list[str], came: str, do: str) -> None:
    stated = [{"id": f"c{i}", "epsilon": epsilon, "delta": "1e-5"} for i, epsilon in enumerate(claims)]
    audit = audited(many(2), *stated)
    checked, said, next_step = sentences(audit)
    assert checked.startswith(f"privref checked {len(claims)} claim")
    assert checked.endswith(" about 2 releases that the ledger “many” lists.")
    assert said.startswith(came)
    assert next_step.startswith(do)
    number = sum(opinion.verdict == "confirmed" for opinion in audit.opinions)
    which = "the claim" if len(claims) == 1 else "the confirmed claim" if number == 1 else "the confirmed claims"
    assert next_step.count(f"You may publish {which}, if") == 1
    page = privref.report.html_report(audit)
    assert page.index(checked) < page.index(said) < page.index(next_step) < page.index("Best bound")


def test_numbers_that_their_texts_do_not_sort_have_their_places() -> None:
    """Two numbers with one text, rounded up, are told apart; others need no place."""
    near = [f"0.1000000000000000{i}" for i in (3, 1, 2)]
    events = [{"label": text, "guarantee": {"kind": "pure-dp", "epsilon": text}} for text in near]
    table = releases(privref.ledger_from_document(many(0) | {"events": events}), None)
    column = [name for name, _ in table.columns].index("epsilon")
    assert [row[column] for row in table.rows] == [("≤ 0.1000000001", 3), ("≤ 0.1000000001", 1), ("≤ 0.1000000001", 2)]
    table = releases(privref.ledger_from_document(many(3)), None)
    assert [place for row in table.rows for _, place in row] == [None] * 3 * len(table.columns)


def test_what_every_statement_assumes_is_said_once() -> None:
    stated = [{"id": f"c{i}", "epsilon": str(1600 + i), "delta": "1e-5"} for i in range(3)]
    page = privref.report.html_report(audited(many(2), *stated))
    assert page.count("<blockquote>") == 3
    assert page.count("every event has the guarantee that the ledger declares") == 1


def test_a_certificate_that_is_long_is_not_in_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    assert downloads({"a": {"b": "c"}}) == {"a": base64.b64encode(b'{"b":"c"}').decode()}
    assert downloads({"a": {"b": "c" * 100_000}}) == {}
    audit = audited(many(3), {"id": "c", "epsilon": "3", "delta": "1e-5"})
    assert 'download="c.certificate.json"' in privref.report.html_report(audit)
    monkeypatch.setattr("privref.report.html._MOST_HELD", 100)
    page = privref.report.html_report(audit)
    assert "download=" not in page
    assert "The certificate is not in this page" in page


@pytest.mark.parametrize("epsilon", ["1600", "0.01"])
def test_the_picture_of_an_audit_stands_alone(epsilon: str) -> None:
    """One SVG, well-formed, with the verdict in words, that names nothing outside itself."""
    audit = audited(many(3, title="<&> {{ 7 }}"), {"id": "c", "epsilon": epsilon, "delta": "1e-5"})
    root = ElementTree.fromstring(privref.report.audit_picture(audit))
    words = " ".join(text.strip() for text in root.itertext() if text.strip())
    assert audit.opinions[0].verdict in words
    assert "<&> {{ 7 }}" in words
    assert "at most, by " in words
    assert not any(name.endswith(("href", "src")) for part in root.iter() for name in part.attrib)


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

    def column(i: int) -> list[Fraction]:
        cells = f"Array.from(document.querySelectorAll('#events tbody tr')).map(r => r.cells[{i}].innerText)"
        return [Fraction(text.removeprefix("≤ ")) for text in page.evaluate(cells)]

    size = page.locator("#events th").all_inner_texts().index("epsilon" if name == "small" else "rho")
    head = page.locator("#events th").nth(size)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(size) == sorted(column(size))
    assert column(0) != sorted(column(0))
    head.locator("button").click()
    assert column(size) == sorted(column(size), reverse=True)
    assert (said, requests) == ([], [path.as_uri()])
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_label_is_cut_on_a_phone(browser: Any, scheme: str, tmp_path: Path) -> None:
    """Of a picture and of the largest parts; and the page takes the colours of the device."""
    events = [{"label": f"many words {i} " * 4, "guarantee": {"kind": "zcdp", "rho": f"{i}/1000"}} for i in (1, 2, 3)]
    path = tmp_path / "report.html"
    audit = audited(many(0) | {"events": events}, {"id": "c", "epsilon": "1.5", "delta": "1e-10"})
    path.write_text(privref.report.html_report(audit), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme=scheme)
    page.goto(path.as_uri())
    cut = """Array.from(document.querySelectorAll("figure svg[role=img] text")).filter(text => {
        const inner = text.getBoundingClientRect(), outer = text.ownerSVGElement.getBoundingClientRect();
        return inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1;
    }).map(text => text.textContent)"""
    assert page.evaluate(cut) == []
    labels = "Array.from(document.querySelectorAll('.bar span')).filter(e => e.scrollWidth > e.clientWidth + 1).length"
    assert page.locator(".bar span").count() >= 3
    assert page.evaluate(labels) == 0
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 22, 22)"}[scheme]
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
    # Of 5,001 releases the claims hold: a search for what contradicts them would take seconds.
    least = 8 if events == 5_001 else 5
    stated = [{"id": f"claim-{i}", "epsilon": f"{least + i}/2", "delta": "1e-6"} for i in range(claims)]
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
        text = page_of(name)
        assert len(re.findall('<section class="card ', text)) == len(audit.opinions)
        path.write_text(text, encoding="utf-8")
        assert visits.opened(path, most_pages=2) == ([], [path.as_uri()]), name


def test_a_browser_shows_every_short_example(visits: Visits, tmp_path: Path) -> None:
    short = [name for name in every_example() if not name.startswith(LONG)]
    assert len(short) >= 15
    show(visits, short, tmp_path)


@pytest.mark.longer
@pytest.mark.xdist_group("gallery")
def test_a_browser_shows_long_examples(visits: Visits, long_examples: list[str], tmp_path: Path) -> None:
    show(visits, long_examples, tmp_path)


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
