"""The gallery of published claims: as text, as one JSON document, as a page, as one HTML file."""

from __future__ import annotations

import base64
import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from rich.console import Group, RenderableType

from privref.audit.certificate import certificates
from privref.registry.checks import MEANING, NOT_IN_THE_ENTRY, EntryAudit, GalleryAnswer
from privref.registry.gallery import of_relation, registry_certificates
from privref.registry.mapping import registry_example

from .lines import line, text_table

_STYLES = {
    "confirmed": "bold green",
    "corroborated": "bold green",
    "refuted": "bold red",
    "statements-differ": "bold yellow",
    "unsupported": "bold yellow",
    "underivable": "bold yellow",
    "nearest-below": "bold yellow",
    "stale": "bold magenta",
}
#: Where the registry keeps its entries, as they were when they were read.
_ENTRIES = "https://github.com/opendp/deployments-registry-data/blob/3e9c812/deployments"


def _counts(audits: Sequence[EntryAudit]) -> str:
    answers = Counter(answer.verdict for audited in audits for answer in audited.answers)
    without = sum(audited.verdicts == (NOT_IN_THE_ENTRY,) for audited in audits)
    unknown = sum(audited.mapping is None for audited in audits)
    order = [word for word in MEANING if answers[word]]  # type: ignore[index]
    said = ", ".join(f"{answers[word]} {word}" for word in order)  # type: ignore[index]
    tail = f"; entries without answers: {without} {NOT_IN_THE_ENTRY}" if without else ""
    tail += f"; {unknown} not-reviewed" if unknown else ""
    entries = "1 entry" if len(audits) == 1 else f"{len(audits)} entries"
    return (
        f"{entries}, {len(audits) - without - unknown} with answers ({answers.total()} in all): {said or 'none'}{tail}"
    )


def _reviewed(audited: EntryAudit) -> str:
    """How far the registry's board has reviewed an entry, and how detailed it is."""
    return f"{audited.status}, tier {audited.tier}"


def _words(audited: EntryAudit) -> str:
    """The words of an entry with their counts, confirmed ones first; what the noise itself settles is left out."""
    said = Counter(answer.verdict for answer in audited.answers if not audited.settled(answer))
    return ", ".join(
        word if said[word] < 2 else f"{word} ({said[word]})"  # type: ignore[index]
        for word in reversed(audited.verdicts)
    )


def registry_report(audits: Sequence[EntryAudit], details: bool = False) -> RenderableType:
    """The table of the entries; with details, every answer with what it rests on."""
    if details or len(audits) == 1:
        return Group(*(part for audited in audits for part in _entry_lines(audited)), line(_counts(audits)))
    table = text_table("the registry's entry", "its status", "words", "answers", "findings")
    for audited in audits:
        findings = sum(answer.question.is_finding for answer in audited.answers)
        style = _STYLES.get(audited.verdicts[-1], "")
        cells = (line(audited.title), line(_reviewed(audited)), line(_words(audited), style))
        table.add_row(*cells, str(len(audited.answers)), str(findings or ""))
    return Group(table, line(""), line(_counts(audits)))


def _entry_lines(audited: EntryAudit) -> Iterator[RenderableType]:
    yield line(
        f"The registry's entry {audited.file} ({_reviewed(audited)}): {audited.title} → {_words(audited)}", "bold"
    )
    for answer in audited.answers:
        yield line(f"  {answer.question.asks}")
        meaning = MEANING[answer.verdict]
        yield line(f"    tested: {answer.tested} → {answer.verdict} ({meaning})", _STYLES.get(answer.verdict, ""))
        yield line(f"    {answer.reason}")
        for note in answer.notes:
            yield line(f"    note: {note}")
        for inference in answer.inferences:
            yield line(f"    inferred by us: {inference}")
        for key, said in _said(answer):
            yield line(f"    the entry, at {key}: {said}")
        for source in answer.sources:
            yield line(f"    other source: {source}")
        if audited.settled(answer):
            yield line(f"    settled by: {answer.question.document['settled_by']}")
        yield line(f"    again: {answer.command}")
    if audited.mapping is None:
        yield line("  no reviewed mapping says what its numbers are; nothing is concluded")
    else:
        for missing in audited.mapping.missing:
            yield line(f"  not in the entry: {missing}")
        for note in (*audited.mapping.notes, *(f"corrected: {text}" for text in audited.mapping.corrections)):
            yield line(f"  note: {note}")
    yield line("")


def _said(answer: GalleryAnswer) -> list[tuple[str, str]]:
    """Where an answer's numbers are stated and in which sentence, each sentence once."""
    said = ((quotation.key, quotation.sentence or quotation.words) for quotation in answer.quotations)
    return list(dict.fromkeys(said))


def _answer_document(audited: EntryAudit, answer: GalleryAnswer) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": answer.question.id,
        "asks": answer.question.asks,
        "relation_tested": answer.tested,
        "verdict": answer.verdict,
        "reason": answer.reason,
        "stated": [
            {"key": quotation.key, "words": quotation.words}
            | ({} if quotation.sentence is None else {"sentence": quotation.sentence})
            for quotation in answer.quotations
        ],
        "sources": list(answer.sources),
        "inferred": list(answer.inferences),
        "finding": answer.question.is_finding,
        "command": answer.command,
    }
    if answer.notes:
        document["note"] = " ".join(answer.notes)
    if audited.settled(answer):
        document["settled_by"] = answer.question.document["settled_by"]
    return document


def registry_document(audits: Sequence[EntryAudit]) -> dict[str, Any]:
    """The gallery as one JSON document; audits of ledgers come with their certificates."""
    entries = []
    for audited in audits:
        mapping = audited.mapping
        entries.append(
            {
                "file": audited.file,
                "entry": audited.slug,
                "title": audited.title,
                "status": audited.status,
                "tier": audited.tier,
                "verdicts": list(audited.verdicts),
                "reviewed": None if mapping is None else mapping.reviewed,
                "answers": [_answer_document(audited, answer) for answer in audited.answers],
                "not_in_the_entry": [] if mapping is None else list(mapping.missing),
                "notes": [] if mapping is None else list(mapping.notes),
                "corrections": [] if mapping is None else list(mapping.corrections),
                "certificates": list(registry_certificates((audited,)).values()),
            }
        )
    return {"schema": "registry-audit.1", "entries": entries}


#: What every form of the gallery says first.
_READING = (
    "We read the registry's entry and, where we say so, production code. The sources that it names may publish more; "
    "we have not read them all.",
    "Every row is about the registry's text, which its own authors wrote about an organisation. Some rows compare it "
    "with production code or a notebook of the organisation, which they name as another source. No row says that an "
    "organisation claimed what the entry states. {statuses}",
    "We chose each *relation tested*, from the entry's numbers. It is a question: 3500 = 2500 asks whether two "
    "numbers are equal. Perhaps nobody claimed that they are. Everything else that we add is marked as inferred. "
    "A number that follows only with an inference of ours is *conditional*, *circular* or *corroborated*, and "
    "never *confirmed*. A row with another word, such as *nearest-below*, may also rest on an inference, but no "
    "row is *refuted* because of one. A row that is not confirmed need not be false. These words are about one "
    "number of an entry: *conditional* does not mean here what it means as the verdict of an audit.",
)
_OBJECT = (
    'If a row is wrong, unfair or out of date, tell us: `CONTRIBUTING.md`, "If we are wrong about you", says how. '
    "Each correction is listed here, with the earlier words."
)
#: Words of which the page has no row.
_NOT_SHOWN = ("not-reviewed", "undecided")
_LAST = ("again", "certificate")


_DIGITS_LEAD = """The entries print the numbers below to a few digits, and each is the computed value, rounded to its
last printed digit. This rounding went down. Rounding to the nearest digit is right for a measurement.
A privacy bound has to be rounded up. This is one remark about all these numbers, not a complaint
about any of them.{settled}"""
_SETTLED = """ Where *settled by* names a question, the noise itself proves the printed number all
the same."""


def registry_page(audits: Sequence[EntryAudit]) -> str:
    """The page "published claims, checked", in Markdown."""
    answers = [(audited, answer) for audited in audits for answer in audited.answers]
    made = registry_example("spectus-hurricane")
    assert made is not None
    ledger, claims = (json.dumps(document, indent=1, ensure_ascii=False) for document in made)
    parts = {
        "reading": "\n\n".join(_preface(audits)),
        "meanings": "\n".join(_row(word, says) for word, says in MEANING.items() if word not in _NOT_SHOWN),
        "counts": _counts(audits),
        "findings": _table(_COLUMNS, (_page_row(*pair) for pair in answers if pair[1].question.is_finding)),
        "digits": _digits([pair for pair in answers if pair[1].verdict == "nearest-below"]),
        "others": _table(_COLUMNS, (_page_row(*pair) for pair in answers if not pair[1].question.is_finding)),
        "open": _table(("the registry's entry", "words", "not in the entry, and notes"), map(_left_open, audits)),
        "object": _OBJECT,
        "corrections": "\n".join(_corrections(audits)),
        "without": str(sum(audited.verdicts == (NOT_IN_THE_ENTRY,) for audited in audits)),
        "ledger": ledger,
        "claims": claims,
    }
    text = files("privref.report").joinpath("templates", "registry.md").read_text(encoding="utf-8")
    return re.sub(r"\{(\w+)\}", lambda found: parts[found[1]], text)


def _digits(rounded: Sequence[tuple[EntryAudit, GalleryAnswer]]) -> str:
    """The section on numbers that were rounded down; empty where there are none."""
    if not rounded:
        return ""
    settled = _SETTLED if any(audited.settled(answer) for audited, answer in rounded) else ""
    columns = ("relation tested", "computed, and as an upper bound", "inferred by us", "settled by")
    rows = (
        _row(
            _entry(audited),
            f"`{answer.tested}`",
            answer.reason,
            "; ".join(answer.inferences) or "nothing",
            answer.question.document["settled_by"] if audited.settled(answer) else "nothing",
        )
        for audited, answer in rounded
    )
    table = _table(("the registry's entry", *columns), rows)
    return f"\n## One fact about digits\n\n{_DIGITS_LEAD.format(settled=settled)}\n\n{table}\n"


def _left_open(audited: EntryAudit) -> str:
    """The row of what an entry does not give."""
    missing = () if audited.mapping is None else (*audited.mapping.missing, *audited.mapping.notes)
    return _row(_entry(audited), _words(audited), "; ".join(missing) or "nothing that we asked for")


def _preface(audits: Sequence[EntryAudit]) -> tuple[str, ...]:
    """What was read and what the rows are, as every form of the gallery says it first."""
    statuses = Counter(audited.status for audited in audits)
    said = " and ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    approved = sum(count for status, count in statuses.items() if status.startswith("Approved"))
    words = f"The registry gives each entry a status: {said}, and {approved or 'none'} approved."
    return tuple(text.replace("{statuses}", words) for text in _READING)


def _corrections(audits: Sequence[EntryAudit]) -> list[str]:
    made = [
        f"- {audited.title}: {text}"
        for audited in audits
        for text in (() if audited.mapping is None else audited.mapping.corrections)
    ]
    return made or ["Nobody has asked for a correction yet."]


_COLUMNS = (
    "the registry's entry (status, tier)",
    "question, and relation tested",
    "word",
    "why, and what it means",
    "in the entry at",
    "other sources",
    "inferred by us",
    *_LAST,
)


def _entry(audited: EntryAudit) -> str:
    return f"[{audited.title}]({_ENTRIES}/{audited.file}) ({_reviewed(audited)})"


def _table(columns: Sequence[str], rows: Iterable[str]) -> str:
    return "\n".join((f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}", *rows))


def _page_row(audited: EntryAudit, answer: GalleryAnswer) -> str:
    keys = ", ".join(f"`{key}`" for key in dict.fromkeys(quotation.key for quotation in answer.quotations))
    return _row(
        _entry(audited),
        f"{answer.question.asks} `{answer.tested}`",
        answer.verdict,
        ". ".join((answer.reason, *answer.notes)),
        keys or "nowhere: the number is of another source",
        "; ".join(answer.sources) or "none",
        "; ".join(answer.inferences) or "nothing",
        *_again(audited, answer),
    )


def _again(audited: EntryAudit, answer: GalleryAnswer) -> tuple[str, str]:
    """The exact command of an answer, and the certificate that it writes."""
    found = _certificate(audited, answer)
    if found is None:
        return f"`{answer.command}`", f"none: {_without(answer)}"
    file, document, of = found
    folder = file.partition("/")[0]
    word = "" if document["verdict"] == answer.verdict else f" ({document['verdict']})"
    return f"`{answer.command} --certificates {folder}`", f"`{file}`{word}, {of}"


def _without(answer: GalleryAnswer) -> str:
    """Return why an answer has no certificate."""
    if answer.audit is not None and answer.opinion is not None:
        return certificates(answer.audit).missing[answer.opinion.claim.id]
    return f"{answer.verdict} decides nothing that could be checked again"


def _certificate(audited: EntryAudit, answer: GalleryAnswer) -> tuple[str, dict[str, Any], str] | None:
    """The file that an answer's command writes, its document, and the digest of what it is about."""
    opinion = answer.opinion
    if answer.audit is not None and opinion is not None:
        document = certificates(answer.audit).get(opinion.claim.id)
        if document is None:
            return None
        file = f"{answer.command.split()[-1]}/{opinion.claim.id}.json"
        return file, document, f"ledger `{document['ledger']['sha256']}`"
    found = of_relation(audited, answer)
    if found is None or audited.mapping is None:
        return None
    name, document = found
    return f"{audited.mapping.name}/{name}.json", document, f"relation `{document['sha256']}`"


def _row(*cells: str) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


_STYLE = """body{font:15px/1.45 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#111}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.3rem .5rem;text-align:left;
vertical-align:top}section{margin:.6rem 0}code{font-size:.9em}
blockquote{margin:.2rem 0 .2rem 1rem;color:#333;overflow-wrap:anywhere}.v{font-weight:600;white-space:nowrap}
@media(max-width:40rem){.f tr{display:block;padding:.4rem 0}.f th{display:none}.f td{display:block;border:0}}
.d{color:#444}.d,code,a{overflow-wrap:anywhere}h3{margin:1rem 0 .2rem}p{margin:.3rem 0}"""


def _download(audited: EntryAudit, answer: GalleryAnswer) -> str:
    """A link to an answer's certificate, which the page itself holds, and the digest of what it is about."""
    found = _certificate(audited, answer)
    if found is None:
        return f"no certificate: {html.escape(answer.verdict)} decides nothing that could be checked again"
    file, document, of = found
    kind, digest = of.replace("`", "").split()
    held = base64.b64encode(json.dumps(document, ensure_ascii=False, indent=1).encode()).decode()
    name = html.escape(file.partition("/")[2])
    link = f"<a download='{name}' href='data:application/json;base64,{held}'>{html.escape(file)}</a>"
    return f"{link} {kind} <code class=d>{digest}</code>"


def _tested(answer: GalleryAnswer) -> str:
    """The question, the relation tested, why, and alongside it what it means and what was inferred: never apart."""
    lines = [
        f"<b>{html.escape(answer.question.asks)}</b> <code>{html.escape(answer.tested)}</code>",
        html.escape(answer.reason),
        *(f"Note: {html.escape(note)}" for note in answer.notes),
        *(f"Inferred by us: {html.escape(inference)}" for inference in answer.inferences),
    ]
    return "<br>".join(lines)


def registry_html(audits: Sequence[EntryAudit]) -> str:
    """The gallery as one self-contained HTML file; it loads nothing."""

    def e(text: str) -> str:
        return html.escape(text)

    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width,initial-scale=1'>"
        f"<title>Published claims, checked</title><style>{_STYLE}</style><h1>Published claims, checked</h1>",
        f"<p>{e(_counts(audits))}.</p>",
        *(f"<p>{e(text.replace('*', ''))}</p>" for text in _preface(audits)),
        "<table><tr><th>word<th>meaning</tr>",
    ]
    parts += [f"<tr><td class=v>{e(word)}<td>{e(MEANING[word])}</tr>" for word in MEANING]
    parts.append(
        "</table><h2>Findings</h2><table class=f>"
        "<tr><th>the registry's entry (status, tier)<th>relation tested, and what it means<th>word"
        "<th>certificate, and what it is about</tr>"
    )
    for audited in audits:
        for answer in audited.answers:
            if answer.question.is_finding:
                parts.append(
                    f"<tr><td>{e(audited.title)} ({e(_reviewed(audited))})<td>{_tested(answer)}"
                    f"<td class=v>{e(answer.verdict)}<td>{_download(audited, answer)}</tr>"
                )
    parts.append("</table><h2>Entries</h2>")
    for audited in audits:
        parts.append(f"<section><h3>{e(audited.title)} ({e(_reviewed(audited))}): {e(_words(audited))}</h3>")
        for answer in audited.answers:
            parts.append(f"<p>{_tested(answer)}<br>→ <span class=v>{e(answer.verdict)}</span>")
            for key, said in _said(answer):
                parts.append(f"<blockquote>{e(said)}<br><code>{e(key)}</code></blockquote>")
            parts += [f"<p>Other source: {e(source)}" for source in answer.sources]
            if audited.settled(answer):
                parts.append(f"<p>Settled by: {e(answer.question.document['settled_by'])}")
            parts.append(f"<p><code>{e(answer.command)}</code><br>{_download(audited, answer)}")
        if audited.mapping is not None:
            parts += [f"<p>Not in the entry: {e(missing)}" for missing in audited.mapping.missing]
            parts += [f"<p>{e(note)}" for note in audited.mapping.notes]
        parts.append("</section>")
    parts += ["<h2>Corrections</h2>", f"<p>{e(_OBJECT)}", *(f"<p>{e(text)}" for text in _corrections(audits))]
    return "\n".join(parts) + "\n</html>\n"
