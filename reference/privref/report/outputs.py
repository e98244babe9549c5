"""An audit as files for other tools: JSON, Markdown, SARIF 2.1.0 for code scanning, JUnit XML, an in-toto statement."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from privref.audit import summary
from privref.audit.certificate import certificates
from privref.audit.claims import claim_named
from privref.audit.opinions import AGAINST, MEANINGS, Audit, Opinion
from privref.exact.errors import InputError, one_line
from privref.ledger.documents import NAMESPACE, digest

from .documents import audit_document
from .html import html_report
from .plain import LAWYER, made_words, sentences

#: How a verdict is shown by code scanning: what is not proved warns, what is false is an error.
_LEVELS = {"confirmed": "none", "refuted": "error", "contradicted-by-evidence": "error"}
_PREDICATE = f"{NAMESPACE}:predicate:certificate.2"


def _message(opinion: Opinion) -> str:
    text = f"{opinion.claim} is {opinion.verdict}"
    if known := summary.bound_words(opinion):
        text += f"; best bound {known.removeprefix('≤ ')}"
    _, advice = summary.advice(opinion)
    return one_line(f"{text}; {advice}" if advice else text)


def claim_line(text: str, id: str) -> int:
    """The line of a claims file on which the claim of that id stands; 1 where it is not found."""
    found = re.search(rf'"id"\s*:\s*{re.escape(json.dumps(id))}', text)
    return 1 if found is None else text.count("\n", 0, found.start()) + 1


def sarif_document(audit: Audit, claims: tuple[str, str] | None = None, passes: Collection[str] = ()) -> dict[str, Any]:
    """Return SARIF 2.1.0: a result for every claim, at its line of the file in which it stands (path and text).

    A claim of the command line stands in no file: it is shown at the first line of the ledger that it is about.
    The claims of the ids ``passes`` do not fail the build, so that their verdicts are notes.
    """
    verdicts = sorted({opinion.verdict for opinion in audit.opinions})
    results = []
    for opinion in audit.opinions:
        level = _LEVELS.get(opinion.verdict, "warning")
        level = "note" if opinion.claim.id in passes and level != "none" else level
        result: dict[str, Any] = {
            "ruleId": f"privref/{opinion.verdict}",
            "ruleIndex": verdicts.index(opinion.verdict),
            "level": level,
            # SARIF wants the level "none" beside every kind but "fail".
            "kind": "pass" if opinion.verdict == "confirmed" else "fail",
            "message": {"text": f"{claim_named(opinion.claim.id)}: {_message(opinion)}"},
            "partialFingerprints": {"privref/v1": f"{audit.ledger.digest}:{opinion.claim.id}"},
        }
        if claims is not None:
            path, text = claims
            place = {"artifactLocation": {"uri": quote(Path(path).as_posix())}}
            region = {"region": {"startLine": claim_line(text, opinion.claim.id)}}
            result["locations"] = [{"physicalLocation": {**place, **region}}]
        results.append(result)
    rules = [
        {
            "id": f"privref/{verdict}",
            "shortDescription": {"text": f"a privacy claim that is {verdict}"},
            "fullDescription": {"text": f"{verdict}: {MEANINGS[verdict]}"},
        }
        for verdict in verdicts
    ]
    driver = {"name": "privref", "version": version("privref"), "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def junit_text(audit: Audit, passes: Collection[str] = ()) -> str:
    """JUnit XML: a test case for every claim; what ends with exit code 1 fails, what is open is an error.

    The claims of the ids ``passes`` do not fail the build: unless they are confirmed they count as skipped.

    Each says what its verdict means: where it is not confirmed before the reason, else as its output.
    """
    tags = ["system-out" if opinion.verdict == "confirmed" else "skipped" if opinion.claim.id in passes
            else "failure" if opinion.verdict in AGAINST else "error" for opinion in audit.opinions]  # fmt: skip
    totals = {"tests": len(tags), "failures": tags.count("failure"), "errors": tags.count("error")}
    counts = {name: str(value) for name, value in totals.items()}
    suites = ElementTree.Element("testsuites", {"name": "privref", **counts})
    name = _xml(audit.ledger.title)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": name, "skipped": str(tags.count("skipped")), **counts})
    for opinion, tag in zip(audit.opinions, tags, strict=True):
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": name, "name": _xml(opinion.claim.id), "time": "0"}
        )
        means = _xml(f"{opinion.verdict}: {MEANINGS[opinion.verdict]}.")
        if tag in ("system-out", "skipped"):
            if tag == "skipped":
                # Jenkins' schema lets this element say nothing itself.
                ElementTree.SubElement(case, tag)
            ElementTree.SubElement(case, "system-out").text = f"{means} {_xml(_message(opinion))}"
        else:
            attributes = {"type": opinion.verdict, "message": _xml(_message(opinion))}
            ElementTree.SubElement(case, tag, attributes).text = f"{means} {_xml(opinion.reason)}"
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    """Text without the characters that XML cannot carry, not even escaped."""
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\N{REPLACEMENT CHARACTER}", one_line(text))


def _cell(text: str) -> str:
    return re.sub(r"([\\|<>\[\]*_`&])", r"\\\1", one_line(text))


def markdown_text(audit: Audit, asked_by: str = "") -> str:
    """Return plain sentences, a table of the claims, what the verdicts mean, what advises, and the summary line."""
    ledger = audit.ledger
    lines = [f"# {_cell(ledger.title)}", "", *(f"- {_cell(text)}" for text in sentences(audit)), ""]
    lines += [f"{len(ledger.events)} event(s), {ledger.rounds} round(s)", ""]
    lines += ["| claim | says | verdict | best bound | margin |", "|---|---|---|---|---|"]
    notes = []
    for opinion in audit.opinions:
        best, margin = summary.bound_words(opinion), summary.margin_words(opinion)
        cells = (opinion.claim.id, str(opinion.claim), opinion.verdict, best, margin)
        lines.append("| " + " | ".join(map(_cell, cells)) + " |")
        kind, text = summary.advice(opinion)
        notes += [f"- {_cell(opinion.claim.id)}, {kind}: {_cell(text)}"] if kind else []
    lines += ["", *notes, ""] if notes else [""]
    lines += [f"**{summary.counts_words(audit)}**", "", f"Ledger SHA-256 `{ledger.digest}` of {ledger.digest_of}.", ""]
    lines += [f"{_cell(made_words(asked_by))}.", "", _cell(LAWYER), ""]
    return "\n".join(lines)


def attestations(audit: Audit) -> dict[str, dict[str, Any]]:
    """By claim id: an in-toto statement (v1) about the ledger's digest, with the certificate as its predicate.

    The subject's digest is that which the certificate names: of the ledger's canonical JSON. Of a sheet it is that of
    the document that the sheet was read as.
    """
    return {
        id: {
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{"name": one_line(audit.ledger.title), "digest": {"sha256": document["ledger"]["sha256"]}}],
            "predicateType": _PREDICATE,
            "predicate": {"certificate": document, "certificate_sha256": digest(document, "certificate")},
        }
        for id, document in certificates(audit).items()
    }


def report_text(
    audit: Audit,
    path: Path,
    claims: tuple[str, str] | None = None,
    *,
    asked_by: str = "",
    passes: Collection[str] = (),
) -> str:
    """Return the report in the format that the file's ending names; InputError for another ending.

    ``claims``: path and text of the file in which the claims stand; ``asked_by``: for whom the report was made;
    ``passes``: ids of the claims that fail no build, whatever their verdicts, as --fail-on and --baseline say.
    """
    match path.suffix.lower():
        case ".html" | ".htm":
            return html_report(audit, asked_by=asked_by)
        case ".json":
            return json.dumps(audit_document(audit), indent=1, ensure_ascii=False) + "\n"
        case ".md":
            return markdown_text(audit, asked_by)
        case ".sarif":
            return json.dumps(sarif_document(audit, claims, passes), indent=1, ensure_ascii=False) + "\n"
        case ".xml":
            return junit_text(audit, passes)
    raise InputError("--output", str(path), "give a file that ends in .html, .json, .md, .sarif or .xml (JUnit)")
