"""What a process does for a page: read a ledger, or audit it and write what can be downloaded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import privref
from privref.audit import summary
from privref.audit.notices import Notice, notices
from privref.audit.opinions import MEANINGS
from privref.exact.errors import InputError, one_line
from privref.exact.rounding import plain_decimal
from privref.ledger.opening import SHEETS
from privref.ledger.sheets import cell_number
from privref.ledger.spreadsheets import read_sheet
from privref.ledger.understanding import columns_understood
from privref.profiles.sampled import SAMPLINGS
from privref.report.html import MARKS
from privref.report.plain import sentences

#: Releases that are shown before an audit.
_MOST_SHOWN = 12
#: Columns that are shown, and letters of a cell or a name.
_MOST_COLUMNS = 60
_MOST_LETTERS = 200
_DECLARED = ("neighbours", "parameters", "interaction")
#: Digits of an epsilon that was asked for: with more, the kernel seldom has room for a certificate.
_DIGITS = 4
#: What advises an option of the command line, and what does the same in the pages.
_IN_PAGES = (
    (
        re.compile(r"declare the mechanisms that ran:"),
        "name the mechanisms that ran in the sheet, in a column mechanism and columns of its parameters:",
    ),
    (re.compile(r"Then add --parameters fixed-in-advance"), "Then change the first answer to Yes"),
    (
        re.compile(r"Then add --neighbours .*"),
        "Then choose that answer to the second question, or the one that is true",
    ),
    (
        re.compile(r'declare ("budget": .*?)(?: in a JSON ledger, which `privref init` writes from a sheet)?$'),
        r"answer all questions, add \1 to the ledger.json that is then offered below, and give that file",
    ),
    (
        re.compile(r"declare it of the whole sheet by --[a-z]+, or in a JSON ledger, which `privref init` writes"),
        "take the column out; it is asked of the whole sheet on the next page",
    ),
    (re.compile(r"in a JSON ledger, which `privref init` writes$"), "in a JSON ledger"),
    (re.compile(r"give the certificate first, and the ledger as --ledger FILE"), "give the ledger, or a sheet"),
    (re.compile(r"give the ledger first, then the claims"), "give the ledger here; claims are asked for later"),
)


def in_pages(text: str) -> str:
    """Return advice in the words of the pages, where it has those of the command line."""
    for command, words in _IN_PAGES:
        text = command.sub(words, text)
    return text


def read(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Read the ledger that was uploaded, or make the one of a training run, and say how it is understood."""
    path = folder / "in" / task["name"]
    ledger = _training_run(task["run"], path) if "run" in task else privref.read_ledger(path)
    is_sheet = ledger.document is None
    columns = columns_understood(read_sheet(path)[0]) if is_sheet else ()
    names = ("cell", "heading", "meaning", "at", "written", "read", "decides")
    return {
        "title": one_line(ledger.title)[:_MOST_LETTERS],
        "read": [
            f"{len(ledger.events)} event(s), {ledger.rounds} round(s)",
            *(f"{name} {summary.amount(value)}" for name, value in summary.totals(ledger)),
        ],
        "first": [_event(event) for event in ledger.events[:_MOST_SHOWN]],
        "more": max(0, len(ledger.events) - _MOST_SHOWN),
        "columns": [{name: _shown(getattr(column, name)) for name in names} for column in columns[:_MOST_COLUMNS]],
        "more_columns": max(0, len(columns) - _MOST_COLUMNS),
        "is_sheet": is_sheet,
        "declared": {name: getattr(ledger, name) for name in _DECLARED},
        "period": ledger.period,
    }


def _shown(value: str | bool) -> str | bool:
    return one_line(value)[:_MOST_LETTERS] if isinstance(value, str) else value


def _event(event: privref.Event) -> dict[str, Any]:
    guarantee = event.guarantee
    numbers = [(name, getattr(guarantee, name, None)) for name in ("epsilon", "delta", "rho", "mu")]
    stated = [f"{name} {summary.amount(value)}" for name, value in numbers if isinstance(value, Fraction)]
    what = str(event.law or event.trial or f"{guarantee.kind}{f' ({shown})' if (shown := ', '.join(stated)) else ''}")
    part = "" if event.part is None else f"{event.part[0]}: {event.part[1]}"
    said = {"label": event.label, "what": what, "part": part}
    return {name: one_line(text)[:_MOST_LETTERS] for name, text in said.items()} | {"count": event.count}


#: The fields of the form of a training run, by their names in the record of a run.
_RUN = {
    "noise multiplier": "noise_multiplier",
    "sampling rate": "sampling_rate",
    "batch size": "batch_size",
    "records": "num_examples",
    "steps": "num_steps",
    "epochs": "num_epochs",
}


def _training_run(run: Mapping[str, str], path: Path) -> privref.Ledger:
    """Return the ledger of a training run from the fields of its form, and keep its document."""
    sampling = run["sampling"]
    if sampling not in SAMPLINGS:
        raise InputError("sampling", sampling or "(missing)", "say how the batches were drawn")
    given = {own: cell_number(run[name], name, commas=False) for name, own in _RUN.items() if run.get(name)}
    try:
        ledger = privref.ledger_from_dp_sgd(given, sampling=sampling, title="DP-SGD training run")
    except InputError as error:
        spoken = {f"record.{own}": name for name, own in _RUN.items()}
        raise InputError(spoken.get(error.field, error.field), error.value, error.remedy) from None
    path.write_text(json.dumps(ledger.document, indent=1), encoding="utf-8")
    return ledger


def audit(task: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Audit the ledger, and write the report, the letter, the ledger's document and the certificates."""
    path = folder / "in" / task["name"]
    declared = {name: task["declared"].get(name) for name in _DECLARED} if path.suffix.lower() in SHEETS else {}
    ledger = privref.read_ledger(path, **declared)

    def progress(step: str) -> None:
        (folder / "progress").write_text(one_line(step), encoding="utf-8")

    progress("auditing")
    claims = privref.claims_from_document(_claims(task["claims"], ledger))
    found = privref.audit(ledger, claims, progress=lambda id, step: progress(f"{id}: {step}"))
    progress("looking for proofs")
    made = privref.certificates(found)
    progress("writing the report")
    out = folder / "out"
    out.mkdir()
    letters = {notice.opinion.claim.id: notice for notice in notices(found)}
    asked = [not claim["epsilon"] for claim in task["claims"]]
    opinions = [
        _opinion(opinion, letters) | {"asked": was_asked}
        for opinion, was_asked in zip(found.opinions, asked, strict=True)
    ]
    files = {
        "report.html": privref.report.html_report(found),
        "letter.txt": "".join(_letter(opinion) for opinion in opinions),
        "audit.json": _json(privref.report.audit_document(found)),
        **{f"{id}.certificate.json": _json(document) for id, document in made.items()},
    }
    document, without = _document(ledger)
    if document is not None:
        files["ledger.json"] = _json(document)
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8")
    return {
        "opinions": [opinion | {"missing": made.missing.get(opinion["id"], "")} for opinion in opinions],
        "counts": summary.counts_words(found),
        "sentences": sentences(found),
        "exit_code": found.exit_code,
        "files": sorted(files),
        "without_ledger": without,
        "version": version("privref"),
    }


def _claims(given: list[dict[str, str]], ledger: privref.Ledger) -> dict[str, Any]:
    """Return the claims as a document, with numbers as people write them; where epsilon is left out, what is proved."""
    claims = []
    for i, claim in enumerate(given, 1):
        id = "claim" if len(given) == 1 else f"claim-{i}"
        numbers = {
            name: cell_number(claim[name], f"{name} of {id}", commas=False)
            for name in ("epsilon", "delta")
            if claim[name]
        }
        if "epsilon" not in numbers:
            numbers["epsilon"] = plain_decimal(privref.epsilon(ledger, numbers["delta"]).upper, _DIGITS, "up")
        claims.append({"id": id, **numbers})
    return {"schema": "claims.1", "claims": claims}


def _json(document: Any) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _letter(opinion: Mapping[str, Any]) -> str:
    """Return the lines of one claim in the letter: its sentence, and what it assumes."""
    assuming = f"Assuming: {'; '.join(opinion['assumptions'])}.\n" if opinion["assumptions"] else ""
    return f"{opinion['sentence']}\n{assuming}"


def _opinion(opinion: privref.Opinion, letters: Mapping[str, Notice]) -> dict[str, Any]:
    """Return one claim's verdict in the words of the report, with a sentence that says no more than the verdict."""
    claim, verdict = opinion.claim, opinion.verdict
    bound, meaning = summary.bound_words(opinion), MEANINGS[verdict]
    notice = letters.get(claim.id)
    sentence = notice.sentence if notice else f"The claim {claim} is not confirmed. It is {verdict}: {meaning}."
    if verdict == "confirmed" and notice is None:
        sentence = f"The claim {claim} promises nothing: with delta = 1 it is true of every release."
    kind, advice = summary.advice(opinion)
    return {
        "id": claim.id,
        "says": str(claim),
        "verdict": verdict,
        "mark": MARKS.get(verdict, "·"),
        "meaning": meaning,
        "best": f"{claim.symbol} {bound}" if bound else "",
        "margin": summary.margin_words(opinion),
        "advice": (kind, in_pages(advice)),
        "reason": in_pages(opinion.reason),
        "sentence": one_line(sentence),
        "promises": verdict != "confirmed" or notice is not None,
        "assumptions": [one_line(assumed).rstrip(".") for assumed in notice.assumptions] if notice else [],
    }


def _document(ledger: privref.Ledger) -> tuple[dict[str, Any] | None, str]:
    """Return the ledger's document; None with the reason where a sheet does not say what it has to state."""
    if ledger.document is not None:
        return dict(ledger.document), ""
    if ledger.neighbours is None or ledger.parameters is None or ledger.interaction is None:
        return None, "a ledger's document states the answers that were left open"
    made = privref.ledger_document(
        ledger,
        title=ledger.title,
        privacy_unit=ledger.privacy_unit or "unit",
        neighbours=ledger.neighbours,
        parameters=ledger.parameters,
        interaction=ledger.interaction,
    )
    return made, ""


TASKS: Mapping[str, Callable[[Mapping[str, Any], Path], dict[str, Any]]] = {"read": read, "audit": audit}
