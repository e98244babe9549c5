"""The gallery of published claims: as text, as one JSON document, as a page, as one HTML file."""

from __future__ import annotations

import base64
import html
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType

from privref.audit.certificate import certificate
from privref.registry.checks import MEANING, EntryAudit, GalleryAnswer
from privref.registry.gallery import of_relation, registry_certificates
from privref.registry.mapping import registry_example

from .text import line, text_table

_STYLES = {
    "confirmed": "bold green",
    "refuted": "bold red",
    "inconsistent": "bold yellow",
    "unsupported": "bold yellow",
    "underivable": "bold yellow",
    "rounded-down": "bold yellow",
    "stale": "bold magenta",
}


def _counts(audits: Sequence[EntryAudit]) -> str:
    answers = Counter(answer.verdict for audited in audits for answer in audited.answers)
    without = sum(audited.verdicts == ("not-enough-published",) for audited in audits)
    unknown = sum(audited.mapping is None for audited in audits)
    order = [word for word in MEANING if answers[word]]  # type: ignore[index]
    said = ", ".join(f"{answers[word]} {word}" for word in order)  # type: ignore[index]
    tail = f"; {without} not-enough-published" if without else ""
    tail += f"; {unknown} not-reviewed" if unknown else ""
    entries = "1 entry" if len(audits) == 1 else f"{len(audits)} entries"
    return f"{entries}, {len(audits) - without - unknown} with answers: {said or 'none'}{tail}"


def registry_report(audits: Sequence[EntryAudit], details: bool = False) -> RenderableType:
    """The table of the entries; with details, every answer with what it rests on."""
    if details or len(audits) == 1:
        return Group(*(part for audited in audits for part in _entry_lines(audited)), line(_counts(audits)))
    table = text_table("entry", "verdicts", "answers", "findings")
    for audited in audits:
        said = Counter(answer.verdict for answer in audited.answers)
        words = ", ".join(word if said[word] < 2 else f"{word} ({said[word]})" for word in audited.verdicts)  # type: ignore[index]
        findings = sum(answer.question.is_finding for answer in audited.answers)
        style = _STYLES.get(audited.verdicts[0], "")
        table.add_row(line(audited.title), line(words, style), str(len(audited.answers)), str(findings or ""))
    return Group(table, line(""), line(_counts(audits)))


def _entry_lines(audited: EntryAudit) -> Iterator[RenderableType]:
    yield line(f"{audited.title} ({audited.file}) → {', '.join(audited.verdicts)}", "bold")
    for answer in audited.answers:
        yield line(f"  {answer.question.asks}")
        meaning = MEANING[answer.verdict]
        yield line(f"    {answer.claim} → {answer.verdict} ({meaning})", _STYLES.get(answer.verdict, ""))
        yield line(f"    {answer.reason}")
        for key, said in _said(answer):
            yield line(f"    stated at {key}: {said}")
        for source in answer.sources:
            yield line(f"    stated elsewhere: {source}")
        for inference in answer.inferences:
            yield line(f"    inferred: {inference}")
        if then := answer.question.document.get("then"):
            yield line(f"    note: {then}")
        yield line(f"    again: {answer.command}")
    if audited.mapping is None:
        yield line("  no reviewed mapping says what its numbers are; nothing is concluded")
    else:
        for missing in audited.mapping.missing:
            yield line(f"  not published: {missing}")
        for note in audited.mapping.notes:
            yield line(f"  note: {note}")
    yield line("")


def _said(answer: GalleryAnswer) -> list[tuple[str, str]]:
    """Where an answer's numbers are stated and in which sentence, each sentence once."""
    said = ((quotation.key, quotation.sentence or quotation.words) for quotation in answer.quotations)
    return list(dict.fromkeys(said))


def _answer_document(answer: GalleryAnswer) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": answer.question.id,
        "asks": answer.question.asks,
        "claim": answer.claim,
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
    if then := answer.question.document.get("then"):
        document["note"] = then
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
                "verdicts": list(audited.verdicts),
                "reviewed": None if mapping is None else mapping.reviewed,
                "answers": [_answer_document(answer) for answer in audited.answers],
                "missing": [] if mapping is None else list(mapping.missing),
                "notes": [] if mapping is None else list(mapping.notes),
                "certificates": list(registry_certificates((audited,)).values()),
            }
        )
    return {"schema": "registry-audit.1", "entries": entries}


_LEAD = """# Published claims, checked

<!-- Made by `privref registry --page`; do not edit. -->

This page is made by `privref registry --page`. It reads what the entries of the OpenDP deployments registry
(snapshot of 15 July 2026, commit 3e9c812) state about their privacy parameters, and says what follows from that.

It judges numbers, not deployments. *Confirmed* means that a stated total follows from stated parts. The other words
mean that it does not follow **from what was published**; hardly ever does that make a claim false, and the column
"what it means" says so. Rounding to the nearest digit is good practice for measurements; for a bound it can make the
last digit too small, and that is all that *rounded-down* says. What is ours and not the registry's is marked
*inferred*. No claim is called *refuted* where anything was inferred.

| word | meaning |
|---|---|
"""

_AGAIN = """Each row can be made again by the command in its column "again". For the audit of a ledger that command
writes the certificate which the row names, with the ledger's SHA-256 in it, and `privref verify` checks it with code of
its own; in brackets stands the certificate's word where it is not the row's. A relation between published numbers has a
certificate too: the numbers by key, the formulas, both sides enclosed, and the SHA-256 of that relation;
`privref verify FILE --entry ENTRY.yaml` decides it again, looks the quotations up in the registry's own file and
compares the formulas with those reviewed here; facts of other sources and inferences it lists as not checked. Without
the entry its outcome is *unlinked* (exit code 4).
`privref registry --certificates DIR` writes all of them."""

_PROPOSAL = """
## A field that would make entries checkable

Of the entries, {without} state at most one guarantee and nothing that it could follow from, and most inferences above
are about things that the curator knows: how many runs there were, who the neighbours are, what the noise was. A
registry could take them in a machine-readable form, as an optional field beside `privacy_parameters`. A schema fragment
(JSON Schema, as the registry writes its own):

```json
{fragment}
```

A worked entry, for the evacuation metrics above; the ledger is what the prose says, one event for each operation, and
what the prose does not say is said here, to be corrected by who knows:

```json title="ledger.json"
{ledger}
```
```json title="claims.json"
{claims}
```
```sh
privref audit ledger.json claims.json --certificates certificates
privref verify certificates/published.json --ledger ledger.json
```

The certificate names the theorem, its hypotheses and the ledger's SHA-256, and `privref verify` checks it with code of
its own. A registry that stores both can show a check mark that anybody can repeat.
"""

_FRAGMENT = """{"privacy_ledger": {
  "tier": 3, "type": "object", "additionalProperties": false, "required": ["ledger"],
  "description": "The releases from which privacy_parameters follow, as a ledger.1 document, and a certificate.",
  "properties": {
    "ledger": {"type": "object", "description": "ledger.1: neighbours, parameters, interaction, events"},
    "claims": {"type": "object", "description": "claims.1: the parameters that the entry states"},
    "certificate": {"type": "object", "description": "certificate.1: the theorem, its hypotheses, the digest"},
    "certificate_url": {"type": "string", "format": "uri"}}}}"""

_LAST = ("again", "certificate")


def registry_page(audits: Sequence[EntryAudit]) -> str:
    """The page "published claims, checked", in Markdown."""
    lines = [_LEAD.rstrip("\n")]
    lines += [f"| {word} | {MEANING[word]} |" for word in MEANING if word not in ("not-reviewed", "undecided")]
    lines += ["", _counts(audits) + ".", "", "## Findings", ""]
    lines += [_AGAIN, "", *_head("entry", "claim", "verdict", "why, and what it means", "stated at", *_LAST)]
    for audited in audits:
        for answer in audited.answers:
            if answer.question.is_finding:
                lines.append(_page_row(audited, answer))
    lines += ["", "## All answers", "", *_head("entry", "question", "claim", "verdict", "why", "inferred", *_LAST)]
    for audited in audits:
        for answer in audited.answers:
            inferred = "; ".join(answer.inferences) or "nothing"
            claim = f"`{answer.claim}`"
            cells = (audited.title, answer.question.asks, claim, answer.verdict, answer.reason, inferred)
            lines.append(_row(*cells, *_again(audited, answer)))
    lines += ["", "## What is missing", "", *_head("entry", "verdicts", "not published")]
    for audited in audits:
        missing = "" if audited.mapping is None else "; ".join(audited.mapping.missing)
        lines.append(f"| {_cell(audited.title)} | {', '.join(audited.verdicts)} | {_cell(missing or 'nothing')} |")
    without = sum(audited.verdicts == ("not-enough-published",) for audited in audits)
    return "\n".join(lines) + "\n" + _proposal(without)


def _head(*columns: str) -> tuple[str, str]:
    return f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"


def _proposal(without: int) -> str:
    made = registry_example("spectus-hurricane")
    assert made is not None
    ledger, claims = (_json(document) for document in made)
    return (
        _PROPOSAL.replace("{without}", str(without))
        .replace("{fragment}", _FRAGMENT)
        .replace("{ledger}", ledger)
        .replace("{claims}", claims)
    )


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False)


def _page_row(audited: EntryAudit, answer: GalleryAnswer) -> str:
    keys = ", ".join(f"`{key}`" for key in dict.fromkeys(quotation.key for quotation in answer.quotations))
    why = f"{answer.reason}. {answer.question.document.get('then', '')}".strip()
    return _row(audited.title, f"`{answer.claim}`", answer.verdict, why, keys, *_again(audited, answer))


def _again(audited: EntryAudit, answer: GalleryAnswer) -> tuple[str, str]:
    """The exact command of an answer, and the certificate that it writes."""
    found = _certificate(audited, answer)
    if found is None:
        return f"`{answer.command}`", f"none: {answer.verdict} decides nothing that could be checked again"
    file, document, of = found
    folder = file.partition("/")[0]
    word = "" if document["verdict"] == answer.verdict else f" ({document['verdict']})"
    return f"`{answer.command} --certificates {folder}`", f"`{file}`{word}, {of}"


def _certificate(audited: EntryAudit, answer: GalleryAnswer) -> tuple[str, dict[str, Any], str] | None:
    """The file that an answer's command writes, its document, and the digest of what it is about."""
    opinion = answer.opinion
    if answer.audit is not None and opinion is not None:
        document = certificate(answer.audit.ledger, opinion)
        if document is None:
            return None
        return (
            f"{answer.command.split()[-1]}/{opinion.claim.id}.json",
            document,
            (f"ledger `{answer.audit.ledger.digest}`"),
        )
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
vertical-align:top}summary{cursor:pointer;font-weight:600}details{margin:.6rem 0}code{font-size:.9em}
blockquote{margin:.2rem 0 .2rem 1rem;color:#333;overflow-wrap:anywhere}.v{font-weight:600;white-space:nowrap}
@media(max-width:40rem){.f tr{display:block;padding:.4rem 0}.f th{display:none}.f td{display:block;border:0}}
.d{color:#444}.d,code,a{overflow-wrap:anywhere}h4{margin:1rem 0 .2rem}p{margin:.3rem 0}
@media print{details{display:block}}"""


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


def registry_html(audits: Sequence[EntryAudit]) -> str:
    """The gallery as one self-contained HTML file; it loads nothing."""

    def e(text: str) -> str:
        return html.escape(text)

    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width,initial-scale=1'>"
        f"<title>Published claims, checked</title><style>{_STYLE}</style><h1>Published claims, checked</h1>",
        f"<p>{e(_counts(audits))}.</p><p>The words say what follows from what was published; a claim that does not "
        "follow is not thereby false.</p><table><tr><th>word<th>meaning</tr>",
    ]
    parts += [f"<tr><td class=v>{e(word)}<td>{e(MEANING[word])}</tr>" for word in MEANING]
    parts.append(
        "</table><h2>Findings</h2><table class=f>"
        "<tr><th>entry<th>claim<th>verdict<th>certificate, and what it is about</tr>"
    )
    for audited in audits:
        for answer in audited.answers:
            if answer.question.is_finding:
                parts.append(
                    f"<tr><td>{e(audited.title)}<td><code>{e(answer.claim)}</code><td class=v>{e(answer.verdict)}"
                    f"<td>{_download(audited, answer)}</tr>"
                )
    parts.append("</table><h2>Entries</h2>")
    for audited in audits:
        parts.append(f"<details><summary>{e(audited.title)}: {e(', '.join(audited.verdicts))}</summary>")
        for answer in audited.answers:
            parts.append(
                f"<h4>{e(answer.question.asks)}</h4><p><code>{e(answer.claim)}</code> → "
                f"<span class=v>{e(answer.verdict)}</span><br>{e(answer.reason)}"
            )
            for key, said in _said(answer):
                parts.append(f"<blockquote>{e(said)}<br><code>{e(key)}</code></blockquote>")
            parts += [f"<p>Stated elsewhere: {e(source)}" for source in answer.sources]
            parts += [f"<p>Inferred: {e(inference)}" for inference in answer.inferences]
            if then := answer.question.document.get("then"):
                parts.append(f"<p>{e(then)}")
            parts.append(f"<p><code>{e(answer.command)}</code><br>{_download(audited, answer)}")
        if audited.mapping is not None:
            parts += [f"<p>Not published: {e(missing)}" for missing in audited.mapping.missing]
            parts += [f"<p>{e(note)}" for note in audited.mapping.notes]
        parts.append("</details>")
    return "\n".join(parts) + "\n</html>\n"
