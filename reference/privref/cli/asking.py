"""Questions without a claims file: check a number, what a change does, how ledgers differ, where a number is from."""

from __future__ import annotations

import difflib
import functools
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

import privref
from privref.cli.shared import (
    FORMAT,
    PATH,
    WholeNumber,
    at_option,
    budget_of,
    claims_of,
    declared,
    emit,
    example_named,
    json_text,
    progress,
    write_file,
)

#: Other names of the parameters of a training run.
_ALSO_CALLED = {
    "noise": "sigma", "noise_multiplier": "sigma", "z": "sigma", "q": "rate", "sampling_rate": "rate", "n": "records",
    "batch_size": "batch", "dataset_size": "records", "iterations": "steps", "t": "steps", "batch_cap": "cap",
    "truncated_batch_size": "cap",
}  # fmt: skip


def _pairs(text: str, field: str, known: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    if ";" in text:
        raise privref.InputError(field, text, f"put commas between the pairs: {text.replace(';', ',')}")
    for part in text.split(","):
        name, equals, value = part.partition("=")
        word = name.strip()
        if not equals or word not in known or word in found:
            called = _ALSO_CALLED.get(word.casefold().replace(" ", "_").replace("-", "_"), "")
            near = [called] if called in known else difflib.get_close_matches(word, known, n=1)
            wrong = "" if not equals else f"{word} is given twice; " if word in found else f"{word} is not known here; "
            hint = f"did you mean {near[0]}? " if wrong and near and word not in known else ""
            more = ", and with sampling=balls-in-bins also bins" if {"rate", "sampling"} <= known else ""
            remedy = f"{wrong}{hint}give name=value pairs; known are {', '.join(sorted(known))}{more}"
            raise privref.InputError(field, text, remedy)
        found[name.strip()] = value.strip()
    return found


def _clipped(sigma: str, neighbours: str | None) -> dict[str, Any]:
    """A clipped sum with noise of ``sigma`` clipping norms: a replaced record moves it by up to two of them."""
    base = {"kind": "gaussian", "sigma": sigma, "sensitivity": "1"}
    return {**base, "sensitivity": "2", "attained": False} if neighbours == "replace-one" else base


def _sgd(text: str, neighbours: str | None) -> dict[str, Any]:
    """The steps of a training run: a Gaussian mechanism on samples, its noise in units of the clipping norm."""
    if "balls-in-bins" in text:
        return _sgd_in_bins(text, neighbours)
    given = _of_a_run(text)
    examples = {"sigma": "1", "rate": "256/60000", "steps": "1000", "sampling": "poisson"}
    if "epochs" in given:
        del examples["steps"]
    if missing := [f"{name}={example}" for name, example in examples.items() if name not in given]:
        remedy = f"give also {', '.join(missing)}, with the values of your run"
        if "sampling" not in given:
            remedy += (
                "; sampling is poisson, fixed-size, with-replacement, shuffled, balls-in-bins or unknown: the theorem "
                "depends on it"
            )
        raise privref.InputError("--sgd", text, remedy)
    if not given["steps"].isdecimal() or int(given["steps"]) < 1:
        raise privref.InputError("--sgd.steps", given["steps"], "give a whole number >= 1")
    base = _clipped(given["sigma"], neighbours)
    drawn: dict[str, Any] = {"kind": "subsampled", "base": base, "rate": given["rate"], "sampling": given["sampling"]}
    if "cap" in given and "records" not in given:
        raise privref.InputError(
            "--sgd", text, "a cap on the batches goes with the number of records: cap=512,records=60000"
        )
    if "cap" in given:
        drawn |= {"batch_cap": given["cap"], "records": given["records"]}
    if given["sampling"] == "with-replacement" and "records" in given:
        drawn["records"] = given["records"]
    if neighbours == "replace-one" and given["sampling"] == "poisson":
        drawn["clipped"] = True
    return {"mechanism": drawn, "count": int(given["steps"])}


def _of_a_run(text: str) -> dict[str, str]:
    """The rate from a batch and the number of records, and the steps from epochs: a part of a step is a step."""
    given = _pairs(text, "--sgd", {"sigma", "rate", "batch", "records", "steps", "epochs", "sampling", "cap"})
    numbers = {
        name: privref.rational(given[name], f"--sgd.{name}")
        for name in ("rate", "batch", "records", "epochs")
        if name in given
    }
    for name, value in numbers.items():
        if value <= 0:
            raise privref.InputError(f"--sgd.{name}", given[name], "give a number > 0")
    for pair in (("rate", "batch"), ("steps", "epochs")):
        if set(pair) <= set(given):
            raise privref.InputError("--sgd", text, f"{' and '.join(pair)} say the same; leave one of the two out")
    if "batch" in given and "records" not in given:
        raise privref.InputError("--sgd", text, "a batch goes with the number of records: batch=256,records=60000")
    if "records" in given and not {"batch", "cap"} & set(given):
        raise privref.InputError("--sgd", text, "records goes with batch, or with cap; leave it out")
    if "batch" in given:
        numbers["rate"] = numbers["batch"] / numbers["records"]
        if numbers["rate"] > 1:
            raise privref.InputError("--sgd.batch", given["batch"], f"it is larger than records={given['records']}")
        given = {**given, "rate": privref.spell(numbers["rate"])}
    if "epochs" in given and "rate" in numbers:
        given = {**given, "steps": str(math.ceil(numbers["epochs"] / numbers["rate"]))}
    return given


def _sgd_in_bins(text: str, neighbours: str | None) -> dict[str, Any]:
    """A training run whose batches are bins that each record falls into one of, or into several."""
    given = _pairs(text, "--sgd", {"sigma", "bins", "chosen", "epochs", "sampling", "drawn"})
    for name, example in (("sigma", "1"), ("bins", "100")):
        if name not in given:
            raise privref.InputError("--sgd", text, f"balls in bins need {name}=…, such as {name}={example}")
    base = _clipped(given.pop("sigma"), neighbours)
    return {"mechanism": {"kind": "subsampled", "base": base, **given}, "count": 1}


def _mechanism(text: str) -> dict[str, Any]:
    """``laplace:scale=10,sensitivity=1``: the fields of a ledger's mechanism; the shifts are parted by semicolons."""
    kind, colon, rest = text.partition(":")
    fields: dict[str, Any] = {"kind": kind.strip()}
    for part in rest.split(",") if colon else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name in fields:
            raise privref.InputError(
                "--mechanism", text, "give KIND:name=value,…, such as laplace:scale=10,sensitivity=1"
            )
        fields[name] = [shift.strip() for shift in value.split(";")] if name == "shifts" else value
    if "attained" in fields:
        fields["attained"] = {"true": True, "false": False}.get(fields["attained"], fields["attained"])
    return {"mechanism": fields}


def _event(asked: dict[str, str | None], neighbours: str | None) -> dict[str, Any]:
    """What is known of each event: its guarantee, or the mechanism that ran."""
    delta = asked.pop("delta_each")
    given = [(name, text) for name, text in asked.items() if text is not None]
    if len(given) != 1:
        raise click.UsageError("give one of --rho, --gaussian, --epsilon, --mechanism, --sgd, and only one")
    name, text = given[0]
    if delta is not None and name != "epsilon":
        raise click.UsageError("--delta-each goes with --epsilon")
    if name == "sgd":
        return _sgd(text, neighbours)
    if name == "mechanism":
        return _mechanism(text)
    if name == "rho":
        return {"guarantee": {"kind": "zcdp", "rho": text}}
    if name == "epsilon":
        said = {"kind": "pure-dp"} if delta is None else {"kind": "approx-dp", "delta": delta}
        return {"guarantee": {**said, "epsilon": text}}
    return _gaussian(text)


def _assumed(asked: dict[str, str | None]) -> str:
    """What the options leave open: the sensitivity, or how a loop rounds the steps of an epoch."""
    given_so = " as given on the command line"
    if asked["gaussian"] is not None and not {"mu", "sensitivity"} & set(re.findall("[a-z]+", asked["gaussian"])):
        return f"{given_so}; sensitivity = 1 (none was given)"
    if asked["sgd"] is None or "balls-in-bins" in asked["sgd"] or "epochs" not in (given := _of_a_run(asked["sgd"])):
        return given_so
    of_one = 1 / privref.rational(given["rate"], "--sgd.rate")
    most = math.ceil(privref.rational(given["epochs"], "--sgd.epochs")) * math.ceil(of_one)
    if str(most) == given["steps"]:
        return given_so
    return f"; steps={most} if each epoch is rounded up on its own"


def _gaussian(gaussian: str) -> dict[str, Any]:
    """``mu=1``, or ``sigma=2,sensitivity=1``."""
    given = _pairs(gaussian, "--gaussian", {"mu", "sigma", "sensitivity"})
    if set(given) == {"mu"}:
        return {"mechanism": {"kind": "gaussian", "sigma": "1", "sensitivity": given["mu"]}}
    if "sigma" not in given or "mu" in given:
        raise privref.InputError("--gaussian", gaussian, "give mu=…, or sigma=… with sensitivity=… (1 if left out)")
    sigma = privref.rational(given["sigma"], "--gaussian.sigma")
    sensitivity = privref.rational(given.get("sensitivity", "1"), "--gaussian.sensitivity")
    if sigma <= 0 or sensitivity < 0:
        raise privref.InputError("--gaussian", gaussian, "give sigma > 0 and sensitivity >= 0")
    return {"mechanism": {"kind": "gaussian", "sigma": given["sigma"], "sensitivity": given.get("sensitivity", "1")}}


def _rounds(command: Callable[..., int]) -> Any:
    """Add the options that say what ran: the command takes what is known of an event, by option, as ``asked``."""

    @functools.wraps(command)
    def gathered(
        *, rho: Any, gaussian: Any, epsilon: Any, delta_each: Any, mechanism: Any, sgd: Any, **given: Any
    ) -> int:
        asked = {"rho": rho, "gaussian": gaussian, "epsilon": epsilon, "delta_each": delta_each, "mechanism": mechanism}
        return command(asked={**asked, "sgd": sgd}, **given)

    with_options: Any = gathered
    for option in (
        click.option(
            "--neighbours",
            type=click.Choice(["add-or-remove-one", "replace-one", "zero-out"]),
            help="Who the neighbours are [replace-one; with --sgd add-or-remove-one].",
        ),
        click.option(
            "--adaptive",
            is_flag=True,
            help="The parameters were chosen adaptively; otherwise they are fixed in advance.",
        ),
        click.option("--count", type=WholeNumber(1), help="How many events [1]."),
        click.option(
            "--sgd",
            metavar="sigma=…,batch=…,records=…,epochs=…,sampling=…",
            help="DP-SGD: noise multiplier, batch and records (or rate), epochs (or steps), how samples were drawn.",
        ),
        click.option(
            "--mechanism", metavar="KIND:NAME=…,…", help="Any mechanism, e.g. laplace:scale=10,sensitivity=1."
        ),
        click.option("--delta-each", metavar="NUMBER", help="The delta of each event, with --epsilon."),
        click.option("--epsilon", metavar="NUMBER", help="epsilon-DP of each event."),
        click.option("--gaussian", metavar="mu=…|sigma=…,sensitivity=…", help="A Gaussian mechanism per event."),
        click.option("--rho", metavar="NUMBER", help="rho-zCDP of each event."),
    ):
        with_options = option(with_options)
    return with_options


def _ledger_of(
    asked: dict[str, str | None], count: int | None, adaptive: bool, neighbours: str | None
) -> privref.Ledger:
    """The ledger of equal events that the options describe."""
    of_sgd = asked["sgd"] is not None
    event = _event(dict(asked), neighbours)
    if of_sgd and count is not None:
        raise click.UsageError("--count does not go with --sgd, whose steps=… are the events")
    event = {"count": count or 1, **event}
    document = {
        "schema": "ledger.1",
        "title": f"{event['count']} round(s){_assumed(asked)}",
        "privacy_unit": "record",
        "neighbours": neighbours or ("add-or-remove-one" if of_sgd else "replace-one"),
        "parameters": "chosen-adaptively" if adaptive else "fixed-in-advance",
        "interaction": "sequential",
        "events": [event],
    }
    try:
        return privref.ledger_from_document(document)
    except privref.InputError as error:
        raise at_option(error, next(f"--{name}" for name, text in asked.items() if text is not None)) from None


def _as_it_is(_context: click.Context, _option: click.Parameter, claim: str | None) -> None:
    """Refuse the option by which other commands take a claim."""
    if claim is not None:
        raise click.UsageError(f"the claim is the first argument of this command: write privref check {claim} …")


@click.command()
@click.argument("claim", metavar="EPS,DELTA")
@click.option("--claim", "as_option", hidden=True, expose_value=False, callback=_as_it_is)
@_rounds
@click.option("-v", "--verbose", "verbosity", count=True, help="All bounds; -vv: hypotheses, what does not apply.")
@FORMAT
def check(
    claim: str,
    asked: dict[str, str | None],
    count: int | None,
    adaptive: bool,
    neighbours: str | None,
    verbosity: int,
    form: str,
) -> int:
    """Check one claim EPS,DELTA without a file: equal events with the guarantee that is given."""
    ledger = _ledger_of(asked, count, adaptive, neighbours)
    stated = claims_of((claim,), "claim")
    with progress("auditing") as report:
        result = privref.audit(ledger, stated, progress=lambda id, step: report(step))
    emit(
        form,
        privref.report.audit_report(result, verbosity),
        privref.report.audit_document(result) if form == "json" else None,
    )
    return result.exit_code


@click.command()
@click.argument("delta")
@_rounds
@FORMAT
def epsilon(
    delta: str, asked: dict[str, str | None], count: int | None, adaptive: bool, neighbours: str | None, form: str
) -> int:
    """The smallest epsilon that a theorem proves of equal events at DELTA. For a ledger: privref compare."""
    if "," in delta:
        raise privref.InputError("DELTA", delta, f"give a delta alone; a claim is checked by: privref check {delta} …")
    if privref.rational(delta, "DELTA") == 1:
        raise privref.InputError("DELTA", delta, "at delta = 1 every mechanism has epsilon = 0: give one such as 1e-5")
    ledger = _ledger_of(asked, count, adaptive, neighbours)
    with progress("comparing"):
        found = privref.proved(ledger, delta)
    emit(form, privref.report.epsilon_report(found, delta), privref.report.epsilon_document(found, delta))
    return 0


@click.command(name="what-if")
@click.argument("ledger", type=PATH)
@click.option("--add", multiple=True, metavar="rho=…|epsilon=…[,delta=…][,count=…]", help="An event more.")
@click.option("--remove", multiple=True, metavar="LABEL", help="Without the events of this label, or #3 by place.")
@click.option("--budget", metavar="EPS,DELTA", help="What may be spent [the ledger's budget].")
@click.option("--delta", metavar="NUMBER", help="The delta of the bounds, where there is no budget.")
@declared
@FORMAT
def what_if(
    ledger: Path,
    add: tuple[str, ...],
    remove: tuple[str, ...],
    budget: str | None,
    delta: str | None,
    sheet: dict[str, Any],
    form: str,
) -> int:
    """The best bound for LEDGER before and after a change, and what remains of a budget."""
    record = privref.read_ledger(ledger, **sheet)
    own = record.budget
    if budget is not None and delta is not None:
        raise click.UsageError("give --budget or --delta, not both")
    target: object = None
    slack: object = delta
    if budget is not None:
        target, slack = budget_of(budget)
    elif slack is None and own is not None:
        target, slack = own.epsilon, own.delta
    if slack is None:
        raise click.UsageError("give --budget EPS,DELTA or --delta, since the ledger declares no budget")
    events = [privref.event_from(text) for text in add]
    with progress("comparing"):
        found = privref.what_if(record, slack, target=target, add=events, remove=remove)
    emit(form, privref.report.what_if_report(found), privref.report.what_if_document(found))
    return 0


@click.command()
@click.argument("first", type=PATH)
@click.argument("second", type=PATH)
@click.option("--delta", metavar="NUMBER", help="Also the best bound of each at this delta.")
@declared
@FORMAT
def diff(first: Path, second: Path, delta: str | None, sheet: dict[str, Any], form: str) -> int:
    """How two ledgers differ: declarations, events, and their best bounds. Exit code 1 where they do."""
    documents = [path.suffix.lower() == ".json" for path in (first, second)]
    # The options speak of the sheet. If the other file is a JSON ledger, it is read without them.
    one, other = (
        privref.read_ledger(path, **({} if document and not all(documents) else sheet))
        for path, document in zip((first, second), documents, strict=True)
    )
    found = privref.diff(one, other, delta)
    emit(form, privref.report.diff_report(found), privref.report.diff_document(found))
    return 0 if found.same else 1


@click.command()
@click.argument("claim", metavar="EPS,DELTA")
@click.option("--rho", metavar="NUMBER", help="The published rho of all events together.")
@click.option("--epsilon", metavar="NUMBER", help="The published epsilon of each round.")
@click.option("--mu", metavar="NUMBER", help="The published mu of each round.")
@click.option("--sgd", metavar="sigma=…,rate=…,steps=…", help="DP-SGD's published noise multiplier, rate and steps.")
@click.option("--count", type=WholeNumber(1), help="How many rounds [1].")
@FORMAT
def identify(
    claim: str, rho: str | None, epsilon: str | None, mu: str | None, sgd: str | None, count: int | None, form: str
) -> int:
    """Which known formula, and which rounding, gives a published EPS,DELTA."""
    parts = [part.strip() for part in claim.split(",")]
    if len(parts) != 2:
        raise privref.InputError("claim", claim, "give epsilon and delta as published, e.g. 17.14,1e-10")
    with progress("looking for it"):
        run: dict[str, str] = {} if sgd is None else _pairs(sgd, "--sgd", {"sigma", "rate", "steps"})
    if sgd is not None and (len(run) < 3 or count is not None):
        raise privref.InputError("--sgd", sgd, "give sigma=…, rate=… and steps=…, and no --count")
    rounds: object = run.get("steps", count or 1)
    run.pop("steps", None)
    found = privref.identify(*parts, rho=rho, each=epsilon, mu=mu, rounds=rounds, **run)
    emit(form, privref.report.identification_report(found), privref.report.identification_document(found))
    return 0 if found.found else 1


def _counts(text: str, field: str, kind: str, names: tuple[str, ...], confidence: str) -> dict[str, Any]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != len(names) or not all(part.isdecimal() for part in parts):
        raise privref.InputError(field, text, f"give whole numbers: {', '.join(names)}")
    return {"kind": kind, **dict(zip(names, map(int, parts), strict=True)), "confidence": confidence}


@click.command()
@click.argument("ledger", type=PATH, required=False)
@click.option("--delta", required=True, metavar="NUMBER", help="The delta of what is shown.")
@click.option("--one-run", metavar="CANARIES,GUESSES,RIGHT", help="The outcome of one run with canaries.")
@click.option("--many-runs", metavar="WITH,TRUE,WITHOUT,FALSE", help="Runs with a record and without, and positives.")
@click.option("--confidence", default="0.95", show_default=True, metavar="NUMBER", help="Chosen before the outcome.")
@FORMAT
def evidence(
    ledger: Path | None, delta: str, one_run: str | None, many_runs: str | None, confidence: str, form: str
) -> int:
    """What attacks show: an epsilon such that what was attacked has no smaller one at DELTA, with confidence.

    The outcomes are those in LEDGER, or the one that is given.
    """
    if sum(given is not None for given in (ledger, one_run, many_runs)) != 1:
        raise click.UsageError("give one of LEDGER, --one-run and --many-runs")
    if ledger is not None:
        record = privref.read_ledger(ledger)
        if not record.evidence:
            raise privref.InputError("ledger.evidence", "(missing)", "the ledger has no evidence; see --one-run")
    else:
        runs = ("runs_with", "true_positives", "runs_without", "false_positives")
        if one_run is not None:
            piece = _counts(one_run, "--one-run", "one-run", ("canaries", "guesses", "right"), confidence)
        else:
            piece = _counts(many_runs or "", "--many-runs", "many-runs", runs, confidence)
        attacked = {"guarantee": {"kind": "unknown", "description": "what was attacked"}}
        record = privref.ledger_from_document(
            {
                "schema": "ledger.1", "title": "what was attacked", "privacy_unit": "record",
                "neighbours": "add-or-remove-one", "parameters": "fixed-in-advance", "interaction": "sequential",
                "events": [attacked], "evidence": [piece],
            }
        )  # fmt: skip
    with progress("reckoning"):
        found = privref.evidence(record, delta)
    emit(form, privref.report.evidence_report(found), privref.report.evidence_document(found))
    return 0


@click.command()
@click.argument("ledger", type=PATH, required=False)
@click.argument("claims", type=PATH, required=False)
@click.option("--example", metavar="NAME", help="An example that comes with privref, e.g. census2020.")
@click.option("--claim", metavar="EPS,DELTA", help="One claim, instead of a claims file.")
@declared
@FORMAT
def statement(
    ledger: Path | None, claims: Path | None, example: str | None, claim: str | None, sheet: dict[str, Any], form: str
) -> int:
    """The sentence for a privacy notice, of each confirmed claim."""
    if example is not None:
        if ledger is not None:
            raise click.UsageError("give either files or --example, not both")
        record, stated = example_named(example)
    else:
        if ledger is None or (claims is None) == (claim is None):
            raise click.UsageError("give a LEDGER file, and a CLAIMS file or --claim EPS,DELTA")
        record = privref.read_ledger(ledger, **sheet)
        stated = privref.read_claims(claims) if claims is not None else claims_of((claim or "",))
    with progress("auditing") as report:
        result = privref.audit(record, stated, progress=lambda id, step: report(f"{id}, {step}"))
    emit(form, privref.report.notice_report(result), privref.report.notice_document(result))
    return result.exit_code


@click.command()
@click.argument("ledger", type=PATH)
@click.option("--fpr", "rates", multiple=True, metavar="NUMBER", help="A false-positive rate [0.001 and 0.01].")
@click.option("--prior", "priors", multiple=True, metavar="NUMBER", help="A prior of a guess [1/2 and 1/100].")
@click.option("--deltas", default="1e-8,1e-2", show_default=True, metavar="LOW,HIGH", help="The range of delta for mu.")
@click.option("--claims", "points", type=PATH, metavar="FILE", help="Write the points as claims.")
@declared
@FORMAT
def risk(
    ledger: Path,
    rates: tuple[str, ...],
    priors: tuple[str, ...],
    deltas: str,
    points: Path | None,
    sheet: dict[str, Any],
    form: str,
) -> int:
    """What attacks on one unit of LEDGER can do: attack success, advantage, right guesses, mu on a range of delta.

    Each number lies between two ends. --claims writes the points from which the upper ends follow; audit them with
    --certificates for a proof of each.
    """
    record = privref.read_ledger(ledger, **sheet)
    given: dict[str, Any] = {"rates": rates} if rates else {}
    given |= {"priors": priors} if priors else {}
    with progress("following the curve"):
        try:
            found = privref.risk(record, deltas=deltas.split(","), **given)
        except privref.InputError as error:
            option = {"rates": "--fpr", "priors": "--prior"}.get(error.field.partition("[")[0], error.field)
            raise privref.InputError(option, error.value, error.remedy) from None
    if points is not None:
        write_file(points, json_text(privref.report.risk_claims(found), 1) + "\n", "--claims")
    emit(form, privref.report.risk_report(found), privref.report.risk_document(found))
    return 0
