"""The gallery as a whole: what it must show, the command, the page, the examples."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from html import escape
from html.parser import HTMLParser
from importlib.resources import files
from io import StringIO
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from rich.console import Console, RenderableType

import privref
from privref.cli.main import main
from privref.guarantees.model import ZCDP
from privref.profiles.declared import mechanism_from
from privref.registry.checks import EntryAudit, quotations, rests_on
from privref.registry.entries import read_entries
from privref.registry.mapping import mappings

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "data" / "registry"
PAGE = ROOT / "reference" / "docs" / "published-claims.md"


@pytest.fixture(scope="module")
def gallery() -> tuple[EntryAudit, ...]:
    """All of it, once: the tests that take it stay in one process."""
    return privref.registry_audits()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return int(str(ended.value.code)), out + err


@pytest.mark.xdist_group("gallery")
def test_it_shows_what_it_must(gallery: tuple[EntryAudit, ...]) -> None:
    """At least 25 of 41 entries with a verdict, findings with a key each, nothing refuted or confirmed by inference."""
    assert len(gallery) == 41
    assert sum(audited.verdicts != ("not-in-the-entry",) for audited in gallery) >= 25
    findings = [answer for audited in gallery for answer in audited.answers if answer.question.is_finding]
    assert len(findings) >= 10
    assert not any(answer.verdict == "nearest-below" for answer in findings), "one fact about digits is no finding"
    assert all(answer.quotations and answer.command for answer in findings)
    for audited in gallery:
        assert audited.mapping is not None
        assert audited.answers or audited.mapping.missing
        for answer in audited.answers:
            assert not (answer.verdict in ("refuted", "confirmed") and answer.inferences)
            for opinion in answer.audit.opinions if answer.audit is not None else ():
                assert not (opinion.verdict == "refuted" and answer.inferences)
            assert answer.verdict not in ("stale", "undecided", "inapplicable", "out-of-scope"), answer.reason


@pytest.mark.xdist_group("gallery")
def test_the_numbers_of_the_issue_are_found(gallery: tuple[EntryAudit, ...]) -> None:
    reasons = " ".join(answer.reason for audited in gallery for answer in audited.answers)
    for number in ("4.9622", "34.332102", "15.293869", "4.7203637", "1.4519953", "0.021 against 0.042", "3500 against"):
        assert number in reasons


@pytest.mark.xdist_group("gallery")
def test_the_page_is_what_the_audit_says(gallery: tuple[EntryAudit, ...]) -> None:
    assert PAGE.read_text(encoding="utf-8") == privref.report.registry_page(gallery), (
        "make it again: privref registry --page > reference/docs/published-claims.md"
    )


@pytest.mark.xdist_group("gallery")
def test_every_ledger_of_the_gallery_is_an_example(
    gallery: tuple[EntryAudit, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The command that an answer names audits the same ledger and claims; where that is quick, it is run."""
    made = {
        answer.command: answer.audit for audited in gallery for answer in audited.answers if answer.audit is not None
    }
    assert sorted(made) == sorted(f"privref audit --example {name}" for name in privref.registry_examples())
    for command, audit in made.items():
        name = command.split()[-1]
        ledger, claims = privref.registry_example(name) or ({}, {})
        assert privref.ledger_from_document(ledger).digest == audit.ledger.digest
        assert [claim["id"] for claim in claims["claims"]] == [opinion.claim.id for opinion in audit.opinions]
        if len(ledger["events"]) < 10:
            _, out = run(capsys, "audit", "--example", name, "--format", "json")
            assert [opinion["verdict"] for opinion in json.loads(out)["opinions"]] == [
                opinion.verdict for opinion in audit.opinions
            ]


def test_examples_are_listed_once_each(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "audit", "--list-examples")
    assert code == 0
    names = [line.split()[0] for line in out.splitlines()]
    assert Counter(names) == Counter([*privref.example_names(), *privref.registry_examples()])
    assert max(Counter(names).values()) == 1
    code, out = run(capsys, "audit", "--example", "nobody")
    assert (code, out.count("\n")) == (2, 1)


def test_the_certificates_of_the_gallery_verify(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of three ledgers, as `privref verify` says; the gallery's own command writes the same ones."""
    for name in ("spectus-hurricane", "community-mobility", "wikimedia-current"):
        ledger, _ = privref.registry_example(name) or ({}, {})
        (tmp_path / "ledger.json").write_text(json.dumps(ledger))
        run(capsys, "audit", "--example", name, "--certificates", str(tmp_path / name))
        certificate = next((tmp_path / name).iterdir())
        run(capsys, "registry", "--name", name, "--certificates", str(tmp_path / "all"))
        assert (tmp_path / "all" / f"{name}.{certificate.name}").read_bytes() == certificate.read_bytes()
        code, out = run(capsys, "verify", str(certificate), "--ledger", str(tmp_path / "ledger.json"))
        assert code == 0, out


def test_the_command_reads_a_folder_and_one_entry(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("yaml", reason="PyYAML is the extra `registry`")
    code, out = run(capsys, "registry", str(FOLDER / "deployments" / "lookup_hints.yaml"))
    assert code == 4
    assert "two donations per day" in out
    assert "inferred by us: the unit User-level is read as a person's day" in out
    code, out = run(capsys, "registry", str(FOLDER), "--name", "shared-mobility", "--format", "json")
    assert code == 4
    document: dict[str, Any] = json.loads(out)
    schema = json.loads(files("privref").joinpath("schemas", "registry-audit.1.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(document)
    (entry,) = document["entries"]
    assert entry["answers"][0]["verdict"] == "corroborated"
    assert "it holds from 100 on" in entry["answers"][0]["reason"]
    assert (entry["status"], entry["tier"]) == ("Pending", "1")
    assert "sentence" in entry["answers"][0]["stated"][0]
    code, out = run(capsys, "registry", "--name", "nobody")
    assert (code, out.count("\n")) == (2, 1)


def page_rows(page: str) -> list[tuple[str, str]]:
    """The command and the certificate of each row that has one, each once."""
    rows = [row for row in page.splitlines() if "| `privref " in row]
    cells = [tuple(row.removesuffix(" |").split(" | ")[-2:]) for row in rows]
    pairs = dict.fromkeys((command.strip("`"), written) for command, written in cells)
    return [(command, written) for command, written in pairs if not written.startswith("none: ")]


def cells(row: str) -> list[str]:
    """The cells of a row of the page."""
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


@pytest.mark.xdist_group("gallery")
def test_the_page_s_table_is_true_of_the_entries_that_it_quotes(gallery: tuple[EntryAudit, ...]) -> None:
    """Row by row: whose text, its status and tier, where it stands, which sources, what is ours, and the notes."""
    pytest.importorskip("yaml", reason="PyYAML is the extra `registry`")
    entries = {entry.file: entry for entry in read_entries(FOLDER)}
    page = privref.report.registry_page(gallery)
    _, findings, digits, answers, missing, *_ = page.split("\n## ")
    asked = [(audited, answer) for audited in gallery for answer in audited.answers]
    rows = {
        "findings": ([pair for pair in asked if pair[1].question.is_finding], findings),
        "others": ([pair for pair in asked if not pair[1].question.is_finding], answers),
    }
    for pairs, part in rows.values():
        shown = [cells(row) for row in part.splitlines() if "| `privref " in row]
        for row, (audited, answer) in zip(shown, pairs, strict=True):
            entry = entries[audited.file]
            texts, mapping = entry.texts, audited.mapping
            assert mapping is not None
            assert row[0].endswith(f"/{entry.file}) ({texts['status']}, tier {texts['tier']})")
            assert row[1] == f"{answer.question.asks} `{answer.tested}`"
            assert row[2] == answer.verdict
            assert all(note in row[3] for note in answer.notes), "a note is beside its relation"
            keys = re.findall(r"`([^`]+)`", row[4])
            assert {*keys} == {quotation.key for quotation in answer.quotations}
            assert all(key in texts for key in keys)
            for quotation in quotations(mapping, rests_on(mapping, answer.question), entry):
                assert quotation.sentence, (entry.file, quotation.words)
            used = rests_on(mapping, answer.question)
            wanted = [*(mapping.facts[id].source for id in used.facts), *answer.question.document.get("sources", [])]
            assert row[5] == ("; ".join(dict.fromkeys(wanted)) or "none")
            assert row[6] == ("; ".join(used.inferences) or "nothing")
            # Another entry that is named as a source says what is quoted of it.
            for file, key, words in re.findall(r"(\w+\.yaml)[^;]*?, (deployment[\w.]*): ([^;]+)", row[5]):
                assert words in entries[file].texts[key], (file, key, words)
    assert digits.count("\n| [") == sum(answer.verdict == "nearest-below" for _, answer in asked)
    for row, audited in zip([row for row in missing.splitlines() if row.startswith("| [")], gallery, strict=True):
        texts = entries[audited.file].texts
        assert cells(row)[0].endswith(f"/{audited.file}) ({texts['status']}, tier {texts['tier']})")
    statuses = Counter(entry.texts["status"] for entry in entries.values())
    assert f"{statuses['Draft']} Draft and {statuses['Pending']} Pending, and none approved" in page


@pytest.mark.xdist_group("gallery")
def test_no_form_says_more_than_the_entry(gallery: tuple[EntryAudit, ...]) -> None:
    """What we did not read is not called unpublished; a relation's notes and inferences stand beside it everywhere."""
    text, html = (
        plain_text(privref.report.registry_report(gallery, details=True)),
        privref.report.registry_html(gallery),
    )
    page, document = privref.report.registry_page(gallery), json.dumps(privref.report.registry_document(gallery))
    for form in (text, html, page, document):
        for words in ("not published", "npublished", "not-enough", "guess", "cut, not", "rounded-down", "inconsistent"):
            assert words not in form.replace("a guess", "").replace("even guess", ""), words
    assert "<details" not in html
    for form in (html, page):
        assert "we have not read them all" in form
        assert "CONTRIBUTING.md" in form
    for audited in gallery:
        for answer in audited.answers:
            for said in (*answer.notes, *answer.inferences):
                assert f": {said}\n" in text
                assert said in page
                assert escape(said) in html
            if answer.verdict == "statements-differ":
                assert answer.relation is not None
                assert answer.relation.sign == "equal"
                assert "fact:" not in json.dumps([answer.relation.left, answer.relation.right])


def test_a_correction_is_shown_in_every_form(gallery_of_one: tuple[EntryAudit, ...]) -> None:
    """With its date, what was said before and what is right; where there is none, that there is none."""
    (audited,) = gallery_of_one
    assert audited.mapping is not None
    said = "2026-12-01: the scale was read as 0.9; it is 10"
    corrected = (replace(audited, mapping=replace(audited.mapping, corrections=(said,))),)
    forms = (privref.report.registry_page, privref.report.registry_html)
    for form in forms:
        assert "Nobody has asked for a correction yet." in form(gallery_of_one)
        assert said in form(corrected)
        assert "Nobody has asked" not in form(corrected)
    assert f"corrected: {said}" in plain_text(privref.report.registry_report(corrected))
    (entry,) = privref.report.registry_document(corrected)["entries"]
    assert entry["corrections"] == [said]


@pytest.fixture
def gallery_of_one() -> tuple[EntryAudit, ...]:
    return privref.registry_audits(name="russian-editors")


def plain_text(parts: RenderableType) -> str:
    """A report as it stands in a file, with no line folded."""
    console = Console(width=100_000, file=StringIO())
    console.print(parts)
    assert isinstance(console.file, StringIO)
    return re.sub(r" +\n", "\n", console.file.getvalue())


@pytest.mark.xdist_group("gallery")
def test_each_row_names_its_command_and_its_certificate(gallery: tuple[EntryAudit, ...]) -> None:
    page = privref.report.registry_page(gallery)
    answers = [answer for audited in gallery for answer in audited.answers]
    rows = [row for row in page.splitlines() if "| `privref " in row]
    assert len(rows) == len(answers)
    named = {written.split("`")[1] for _, written in page_rows(page)}
    without = [answer for answer in answers if answer.opinion is not None and answer.opinion.verdict == "unsupported"]
    assert len(named) == len(answers) - len(without)
    assert page.count("none: unsupported says what was not proved") >= len(without) > 0
    # `--certificates DIR` writes the same: a relation's file has its entry in its name, a ledger's its example.
    files = {path.rpartition("/")[2] if ".relation." in path else path.replace("/", ".") for path in named}
    assert files == {f"{name}.json" for name in privref.registry_certificates(gallery)}


#: Ledgers whose noise is convolved event by event: their commands take seconds, and run with the slow tests.
LONG = ("census-dhc-persons-noise", "census-dhc-units-noise", "census-redistricting-persons")
ROWS = page_rows(PAGE.read_text(encoding="utf-8"))


def execute(capsys: pytest.CaptureFixture[str], rows: list[tuple[str, str]]) -> None:
    """Run the rows' commands in an empty folder: each writes what its row names, with its digest, which verifies."""
    for command in dict.fromkeys(command for command, _ in rows):
        run(capsys, *command.split()[1:])
    for command, written in rows:
        _, path, rest = written.split("`", 2)
        certificate = json.loads(Path(path).read_text(encoding="utf-8"))
        digest = certificate["sha256"] if ".relation." in path else certificate["ledger"]["sha256"]
        assert digest == rest.split("`")[1], command
        verification = privref.verify(certificate)
        # A relation is linked by the entry that it quotes, which the next test but one gives.
        wanted = "unlinked" if ".relation." in path else "verified"
        assert verification.outcome == wanted, (command, verification)


def test_the_command_of_each_row_writes_the_certificate_that_it_names(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All rows of the page but those of the three long ledgers, each by its exact command."""
    monkeypatch.chdir(tmp_path)
    rows = [(command, written) for command, written in ROWS if command.split()[-1] not in LONG]
    assert len(rows) == len(ROWS) - 3
    execute(capsys, rows)


@pytest.mark.xdist_group("gallery")
def test_the_commands_of_the_long_ledgers_write_what_their_rows_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the gallery's process, which knows their epsilons; each certificate is checked at the claim's delta."""
    monkeypatch.chdir(tmp_path)
    execute(capsys, [(command, written) for command, written in ROWS if command.split()[-1] in LONG])


def test_a_relation_is_looked_up_in_the_entry_it_quotes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="PyYAML is the extra `registry`")
    run(capsys, "registry", "--name", "shared-mobility", "--question", "threshold", "--certificates", str(tmp_path))
    (written,) = tmp_path.iterdir()
    assert written.name == "shared-mobility.relation.threshold.json"
    deployments = FOLDER / "deployments"
    code, out = run(capsys, "verify", str(written), "--entry", str(deployments / "shared_mobility_dataset.yaml"))
    assert code == 0, out
    assert "the entry says what is quoted" in out
    assert "ok     the relation is the one that was reviewed" in out
    code, out = run(capsys, "verify", str(written))
    assert code == 4
    assert "--entry FILE" in out
    code, out = run(capsys, "verify", str(written), "--entry", str(deployments / "lookup_hints.yaml"))
    assert code == 1
    assert "FAILED the kernel: the certificate is about shared-mobility-dataset-google-2022, and the entry is" in out
    # The same certificate of an entry of another name, which no mapping is about.
    made_up = json.loads(written.read_text(encoding="utf-8")) | {"entry": "made-up-2020"}
    (tmp_path / "made-up.json").write_text(json.dumps(made_up), encoding="utf-8")
    entry = (deployments / "shared_mobility_dataset.yaml").read_text(encoding="utf-8")
    slug = next(line for line in entry.splitlines() if line.startswith("url_slug:"))
    (tmp_path / "made_up.yaml").write_text(entry.replace(slug, "url_slug: made-up-2020"), encoding="utf-8")
    code, out = run(capsys, "verify", str(tmp_path / "made-up.json"), "--entry", str(tmp_path / "made_up.yaml"))
    assert (code, "FAILED" in out) == (4, False), out
    assert "no mapping of this entry is reviewed" in out
    for wrong in (("--question", "split"), ("--name", "shared-mobility", "--question", "split")):
        code, out = run(capsys, "registry", *wrong)
        assert (code, out.count("\n")) == (2, 1)


def most_squared(rounds: int, updates: int, between: int) -> int:
    """The largest sum of squared counts over the complete dyadic blocks of the rounds, by a search over the rounds."""
    powers = [2**power for power in range(rounds.bit_length())]
    blocks = [[size for size in powers if (x // size + 1) * size <= rounds] for x in range(rounds)]
    seen: dict[tuple[tuple[int, int, int], ...], int]
    # What matters of the past: the counts of the blocks that are large enough to hold two updates.
    last = [
        {tuple((size, x // size, 1) for size in blocks[x] if size > between + 1): len(blocks[x])} for x in range(rounds)
    ]
    most = max(value for found in last for value in found.values())
    for _ in range(updates - 1):
        seen, then = {}, []
        for x in range(rounds):
            for counts, value in last[x - between - 1].items() if x > between else ():
                seen[counts] = max(value, seen.get(counts, 0))
            found: dict[tuple[tuple[int, int, int], ...], int] = {}
            for counts, value in seen.items():
                had = {(size, block): count for size, block, count in counts}
                now = tuple(
                    (size, x // size, had.get((size, x // size), 0) + 1) for size in blocks[x] if size > between + 1
                )
                gain = len(blocks[x]) + 2 * sum(count - 1 for _, _, count in now)
                found[now] = max(value + gain, found.get(now, 0))
            then.append(found)
        last = then
        most = max([most, *(value for found in last for value in found.values())])
    return most


@pytest.mark.parametrize(("rounds", "updates", "between"), [(13, 3, 2), (16, 4, 0), (11, 2, 5), (7, 3, 1)])
def test_the_search_over_trees_is_right_where_all_can_be_listed(rounds: int, updates: int, between: int) -> None:
    blocks = [range(at, at + 2**j) for j in range(5) for at in range(0, rounds - 2**j + 1, 2**j)]
    assert most_squared(rounds, updates, between) == max(
        sum(sum(x in block for x in chosen) ** 2 for block in blocks)
        for number in range(1, updates + 1)
        for chosen in combinations(range(rounds), number)
        if all(after - x > between for x, after in pairwise(chosen))
    )


def test_the_sensitivity_of_the_keyboard_model_is_that_of_its_tree() -> None:
    """2000 rounds, at most 6 with one device, at least 313 between two: its bound is what they can give."""
    ledger, _ = privref.registry_example("gboard-spanish") or ({}, {})
    law = mechanism_from(ledger["events"][0]["mechanism"], "mechanism")
    assert law.guarantee == ZCDP(Fraction(most_squared(2000, 6, 313), 2 * 49)) == ZCDP(Fraction(79, 98))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]


@pytest.mark.xdist_group("gallery")
def test_the_html_holds_every_entry_and_loads_nothing(
    gallery: tuple[EntryAudit, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = privref.report.registry_html(gallery)
    tags = _Tags()
    tags.feed(text)
    assert tags.tags["section"] == 41
    downloads = [link for link in tags.links if link.startswith("data:application/json;base64,")]
    assert downloads == tags.links
    answers = [answer for audited in gallery for answer in audited.answers]
    missing = [
        answer for answer in answers
        if answer.audit is not None and answer.opinion.claim.id in privref.certificates(answer.audit).missing
    ]  # fmt: skip
    assert len(downloads) == len(answers) + sum(answer.question.is_finding for answer in answers) - len(missing)
    assert len(missing) <= 1
    held = [json.loads(base64.b64decode(link.partition(",")[2])) for link in dict.fromkeys(downloads)]
    assert {json.dumps(document, sort_keys=True) for document in held} == {
        json.dumps(document, sort_keys=True) for document in privref.registry_certificates(gallery).values()
    }
    assert not tags.tags["script"]
    run(capsys, "registry", "--name", "flex", "--html", str(tmp_path / "gallery.html"))
    assert "FLEX" in (tmp_path / "gallery.html").read_text(encoding="utf-8")
    code, _ = run(capsys, "registry", "--name", "flex", "--html", str(tmp_path / "none" / "gallery.html"))
    assert code == 2


def test_a_question_that_the_mapping_does_not_ask_has_no_relation() -> None:
    """An entry without a reviewed mapping has none to compare with; one with it has no such question."""
    assert privref.registry_relation("no-such-entry", "hash-functions") is None
    (entry, question) = next(
        (name, asked.id) for name, mapping in mappings().items() for asked in mapping.questions if not asked.is_audit
    )
    assert privref.registry_relation(entry, question)
    assert privref.registry_relation(entry, f"{question}-renamed") == {}
