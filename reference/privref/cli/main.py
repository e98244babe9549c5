"""The ``privref`` command. Reports go to stdout, progress and errors to stderr.

Exit codes: 0 all claims confirmed · 1 some refuted, contradicted, underivable or unsupported · 2 usage or
malformed input · 3 some undecided · 4 some inapplicable, out of scope or dependent on unpublished digits ·
70 internal error · 130 interrupted.
Where several apply, the worst: 70, 2, 1, 4, 3.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

import privref
from privref.cli.shared import (
    DIGITS_OPTION,
    ENGINE,
    FORMAT,
    PATH,
    claims_of,
    declared,
    emit,
    example_named,
    import_from_here,
    json_text,
    looks_claimed,
    once,
    print_anywhere,
    progress,
    read_key,
    require_writable,
    write_all,
    write_file,
)

if TYPE_CHECKING:
    from privref.cli.config import Settings


def _print_examples(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        rows = {name: privref.example_document(name, "ledger")["title"] for name in privref.example_names()}
        rows |= privref.registry_examples()
        width = max(map(len, rows))
        for name, title in rows.items():
            click.echo(f"{name:{width}}  {title}")
        context.exit()


#: Where the commands are that are not in this module.
_ELSEWHERE = {
    name: module
    for module, names in {
        "app": "app",
        "asking": "check diff epsilon evidence identify risk statement what-if",
        "attack": "attack",
        "batch": "audit-batch",
        "registry": "registry",
        "replaying": "bench calibrate calibrate-sgd compare errata figures replay tables",
        "starting": "init",
        "vectors": "judge peers vectors",
    }.items()
    for name in names.split()
}


class _Commands(click.Group):
    """The group of all commands; a command's module is imported when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"privref.cli.{_ELSEWHERE[cmd_name]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        once(command, rest)
        return name, command, rest


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="privref")
def cli() -> None:
    """Exact, formally backed reference for adaptive differential-privacy composition."""


@cli.command()
@click.argument("ledger", type=PATH, required=False)
@click.argument("claims", type=PATH, required=False)
@click.option("--example", metavar="NAME", help="Audit an example that comes with privref, e.g. census2020.")
@click.option(
    "--list-examples",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_examples,
    help="List the examples and exit.",
)
@click.option(
    "--claim", "stated", multiple=True, metavar="EPS,DELTA", help="A claim, instead of a claims file; may be repeated."
)
@click.option(
    "--with",
    "others",
    multiple=True,
    type=PATH,
    metavar="LEDGER",
    help="Another ledger of the same privacy unit, audited together with LEDGER; may be repeated.",
)
@click.option(
    "--together",
    metavar="WORD,…",
    help="What holds of all ledgers together: fixed-in-advance, sequential, same-parts [otherwise: none of these].",
)
@declared
@click.option("--certificates", type=PATH, metavar="DIR", help="Write a certificate per claim.")
@click.option("-v", "--verbose", "verbosity", count=True, help="All bounds; -vv: hypotheses and what does not apply.")
@click.option("--html", type=PATH, metavar="FILE", help="Write the report as one HTML file.")
@click.option(
    "--output",
    "outputs",
    multiple=True,
    type=PATH,
    metavar="FILE",
    help="Write the report here: .html, .json, .md, .sarif or .xml (JUnit); may be repeated.",
)
@click.option("--plot", type=PATH, metavar="FILE", help="Draw the claims here, as SVG.")
@click.option("--asked-by", default="", metavar="NAME", help="Who asked for the report, as it shall say.")
@click.option("--attest", type=PATH, metavar="DIR", help="Write in-toto statements per claim.")
@click.option("--baseline", type=PATH, metavar="FILE", help="Verdicts accepted for a time.")
@click.option(
    "--fail-on",
    metavar="VERDICT,…",
    help="Which of refuted, contradicted-by-evidence, underivable, unsupported fail [otherwise: all]. "
    "A claim that is not decided always fails, unless --baseline names it.",
)
@FORMAT
def audit(
    ledger: Path | None,
    claims: Path | None,
    example: str | None,
    stated: tuple[str, ...],
    others: tuple[Path, ...],
    together: str | None,
    sheet: dict[str, Any],
    certificates: Path | None,
    verbosity: int,
    html: Path | None,
    outputs: tuple[Path, ...],
    plot: Path | None,
    asked_by: str,
    attest: Path | None,
    baseline: Path | None,
    fail_on: str | None,
    form: str,
) -> int:
    """Decide whether the events of LEDGER support the CLAIMS made about it.

    Without LEDGER, [tool.privref] of ./pyproject.toml names ledger, together, claims, baseline and fail-on; options
    win.
    """
    if ledger is None and example is None and (found := _settings()) is not None:
        ledger, *rest = found.ledgers
        # What the file declares of its ledgers together says nothing of one that the command adds.
        together = together if together is not None or others else found.together
        others = (*rest, *others)
        claims = claims if claims is not None or stated else found.claims
        baseline, fail_on = baseline or found.baseline, fail_on or found.fail_on
    failing = None if fail_on is None else _failing(fail_on)
    known = None
    if baseline is not None:
        text = privref.read_text(baseline, "baseline")
        known = privref.baseline_from_document(privref.parse_document(text, "baseline"))
    if example is not None:
        if ledger is not None or others or together is not None:
            raise click.UsageError("give either files or --example, not both")
        if stated:
            raise click.UsageError("an example has claims of its own; give a LEDGER with --claim")
        record, audited = example_named(example)
    else:
        if ledger is not None and not ledger.exists() and looks_claimed(str(ledger)):
            raise click.UsageError(f"{str(ledger)!r} stands where the LEDGER is expected: write --claim {ledger}")
        if ledger is not None and claims is None and not stated:
            raise click.UsageError("no claim is given: add --claim EPS,DELTA, e.g. --claim 1.7,1e-9, or a CLAIMS file")
        if claims is not None and stated:
            raise click.UsageError(
                f"{str(claims)!r} is taken for a CLAIMS file, and --claim is given too: keep one; "
                "a claim is written without a space, e.g. --claim 1.7,1e-9"
            )
        if ledger is None or (claims is None) == (not stated):
            raise click.UsageError(
                "give a LEDGER file, and a CLAIMS file or --claim EPS,DELTA, e.g. `privref audit ledger.json --claim "
                "1.7,1e-9`"
            )
        if sheet["parameters"] is None and ledger.suffix.lower() in _SHEETS and not others:
            sheet["parameters"] = _asked("parameters")
        for other in others:
            if not other.exists():
                raise privref.InputError(
                    "--with", str(other), "this file does not exist; check its name and its folder"
                )
        of_sheets = any(path.suffix.lower() in _SHEETS for path in (ledger, *others))
        with progress("reading the ledger") as report:
            read = [
                _read(
                    path,
                    bool(others),
                    # Beside sheets a JSON ledger is not refused for what is declared for them.
                    **(sheet if not of_sheets or path.suffix.lower() in _SHEETS else {}),
                    progress=lambda rows: report(f"line {rows}"),
                )
                for path in (ledger, *others)
            ]
        if not others and read[0].asks_for_neighbours and (neighbours := _asked("neighbours")) is not None:
            read = [privref.read_ledger(ledger, **{**sheet, "neighbours": neighbours})]
        record = privref.combined(read, [str(path) for path in (ledger, *others)], () if together is None else together)
        audited = privref.read_claims(claims) if claims is not None else claims_of(stated)
    for path, option, end in ((html, "--html", ".html"), (plot, "--plot", ".svg")):
        if path is not None and path.suffix.lower() in _OTHER_FILES - {end}:
            raise privref.InputError(option, str(path), f"give a file that ends in {end}")
    files = [(html, "--html"), (plot, "--plot"), *((path, "--output") for path in outputs)]
    for target, option in files:
        if target is not None:
            require_writable(target, option)
    for target, option in ((certificates, "--certificates"), (attest, "--attest")):
        if target is not None:
            require_writable(target, option, folder=True)
    if certificates is not None or attest is not None:
        # Refused here, before anything is computed or written.
        for claim in audited:
            privref.report.require_file_name(claim.id, "claims.id")
    with progress("auditing") as report:
        result = privref.audit(record, audited, progress=lambda id, step: report(f"{id}, {step}"))
    made = None
    if certificates is not None or attest is not None:
        # Finding proofs takes time, which a report as text does without.
        with progress("looking for proofs"):
            made = privref.certificates(result)
    # A claim of the command line stands in no file: it is shown at the ledger.
    stands = None if ledger is None else (str(ledger), "")
    if claims is not None:
        stands = (str(claims), privref.read_text(claims, "claims"))
    counted, lines = result, tuple[str, ...]()
    if known is not None:
        counted, lines = privref.under_baseline(result, known, date.today())
    # A verdict is no failure in a file either, if the build passes in spite of it.
    failing = privref.Audit.FAILING if failing is None else failing
    passes = {opinion.claim.id for opinion in result.opinions if opinion.verdict in privref.Audit.FAILING - failing}
    passes |= {opinion.claim.id for opinion in result.opinions} - {opinion.claim.id for opinion in counted.opinions}
    # All are made before one is written: a wrong ending or an interrupt leaves nothing behind.
    texts = [(html, privref.report.html_report(result, asked_by=asked_by), "--html")] if html is not None else []
    texts += [
        (path, privref.report.report_text(result, path, stands, asked_by=asked_by, passes=passes), "--output")
        for path in outputs
    ]
    texts += [(plot, privref.report.audit_picture(result), "--plot")] if plot is not None else []
    attested = None if attest is None else privref.report.attestations(result)
    document = privref.report.audit_document(result) if form == "json" else None
    try:
        if certificates is not None and made is not None:
            write_all(certificates, made)
        for path, text, option in texts:
            write_file(path, text, option)
        if attest is not None and attested is not None:
            write_all(attest, attested)
    finally:
        # The verdict is worked out, whatever the disk says.
        emit(form, privref.report.audit_report(result, verbosity, None if made is None else made.missing), document)
    for line in lines:
        click.echo(f"privref: {line}", err=True)
    return counted.exit_code_on(failing)


def _settings() -> Settings | None:
    """Return what [tool.privref] of ./pyproject.toml says; None where it has no such table."""
    from privref.cli.config import settings

    return settings(Path())


#: What is asked about a sheet, and what each answer declares.
_QUESTIONS: dict[str, tuple[str, dict[str, str | None]]] = {
    "parameters": (
        "Were all privacy parameters fixed before the first release was seen? (yes, no, unknown)",
        {"yes": "fixed-in-advance", "no": "chosen-adaptively", "unknown": None},
    ),
    "neighbours": (
        "The sheet has samples or parts. What is done with the one record in which neighbouring data sets differ? "
        "(add it or remove it, replace it, set it to zero, unknown)",
        {"add": "add-or-remove-one", "remove": "add-or-remove-one", "replace": "replace-one", "zero": "zero-out",
         "unknown": None},
    ),
}  # fmt: skip


def _asked(name: str) -> Any:
    """Ask what a sheet does not declare, where somebody is there to answer; None for "unknown"."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    question, answers = _QUESTIONS[name]
    # The first letter is enough; of "remove" and "replace" it is not.
    letters = {word[0]: value for word, value in answers.items() if sum(word[0] == each[0] for each in answers) == 1}
    known = click.Choice([*answers, *letters], case_sensitive=False)
    found = (answers | letters)[click.prompt(question, type=known, show_choices=False, default="unknown", err=True)]
    if found is not None:
        click.echo(f"(to say so without being asked: --{name} {found})", err=True)
    return found


_SHEETS = (".csv", ".tsv", ".xlsx", ".parquet")
#: Endings of files that an option for another kind of file does not write.
_OTHER_FILES = frozenset({".html", ".svg", ".pdf", ".png", ".docx", ".json", ".csv", ".xlsx"})


def _failing(text: str) -> frozenset[str]:
    """The verdicts of --fail-on."""
    given = [part.strip() for part in text.split(",")]
    for verdict in given:
        if verdict not in privref.Audit.FAILING:
            known = ", ".join(each for each in get_args(privref.Verdict) if each in privref.Audit.FAILING)
            raise privref.InputError("--fail-on", verdict, f"give some of {known}")
    return frozenset(given)


@cli.command()
@click.argument("certificate", type=PATH)
@click.option("--ledger", type=PATH, help="The ledger file that the certificate names.")
@click.option("--entry", type=PATH, help="The entry's YAML file that a relation quotes.")
@click.option("--run-function", is_flag=True, help="Run the module:function that an attack certificate names.")
@click.option("--unit", metavar="NAME", help="The unit to prove, where CERTIFICATE is the batch.json of a batch.")
@click.option("--proof", type=PATH, metavar="FILE", help="Write that unit's proof here.")
@click.option("--key", type=PATH, metavar="FILE", help="The secret that the batch was given.")
@click.option("--root", metavar="HEX", help="The published root, where CERTIFICATE is the proof of a unit.")
@FORMAT
def verify(
    certificate: Path,
    ledger: Path | None,
    entry: Path | None,
    run_function: bool,
    unit: str | None,
    proof: Path | None,
    key: Path | None,
    root: str | None,
    form: str,
) -> int:
    """Check the proof in a CERTIFICATE by the kernel alone, or the result of one unit of a batch."""
    if run_function:
        import_from_here()
    document = privref.certificate_from_text(privref.read_text(certificate, "certificate"))
    schema = document.get("schema") if isinstance(document, dict) else None
    if unit is None and (proof is not None or key is not None):
        raise click.UsageError("--proof and --key go with --unit, and the batch.json of a batch")
    if schema == "batch.1":
        if unit is None:
            raise click.UsageError("name the --unit of the batch that is to be proved")
        made = privref.unit_proof(certificate.parent, unit, None if key is None else read_key(key))
        if proof is not None:
            write_file(proof, json_text(made, 1) + "\n", "--proof")
        result = privref.verify_unit(made, document["merkle_root"] if root is None else root)
    elif unit is not None:
        raise click.UsageError("--unit goes with the batch.json of a batch")
    elif schema == "unit-proof.1":
        result = privref.verify_unit(document, root)
    elif root is not None:
        raise click.UsageError("--root goes with the proof of a unit")
    else:
        texts = None if entry is None else privref.registry_texts(entry)
        with progress("checking the certificate"):
            reviewed = None
            if texts is not None and schema == "relation-certificate.1":
                reviewed = privref.registry_relation(texts["url_slug"], document.get("question"))
            result = privref.verify(document, ledger, run_function=run_function, texts=texts, reviewed=reviewed)
    emit(form, privref.report.verification_report(result), privref.report.verification_document(result))
    return result.exit_code


@cli.command()
@click.argument("certificate", type=PATH)
@click.option("--lean", "out", type=PATH, required=True, metavar="OUT.lean")
@click.option("--ledger", type=PATH, help="The ledger file, where it is not embedded.")
def certify(certificate: Path, out: Path, ledger: Path | None) -> int:
    """Write a Lean file that proves a confirmed CERTIFICATE's numbers, and the privacy that follows.

    Refused where the claim is not about the ledger's own rounds, one after another, with parameters fixed in advance.
    """
    document = privref.parse_document(privref.read_text(certificate, "certificate"), "certificate")
    with progress("checking the certificate"):
        source = privref.lean_file(document, ledger)
    write_file(out, source, "--lean")
    click.echo(f"{out}: check it with `lake env lean {out.name}` in lean/")
    return 0


@cli.command()
@click.argument("id", nargs=-1)
@click.option("--find", "words", metavar="WORDS", help="List what speaks of all these words, e.g. svt.")
@FORMAT
def explain(id: tuple[str, ...], words: str | None, form: str) -> int:
    """Explain a theorem, statement, machine, erratum or paper by its ID, or a word that privref prints.

    Without an ID, list theorems and statements.
    """
    if id and words is not None:
        raise click.UsageError("give either an id or --find, not both")
    if id:
        card = privref.explain(" ".join(id))
        emit(form, privref.report.card_report(card), privref.report.card_document(card))
        return 0
    cards = privref.all_cards() if words is None else privref.find(words)
    emit(form, privref.report.cards_report(cards), privref.report.cards_document(cards))
    return 0


def _statement(id: str) -> privref.Statement:
    try:
        return privref.statement(id)
    except privref.OutOfScopeError as error:
        # Here the id is the command's own argument, so a wrong one is a usage error.
        raise click.UsageError(str(error)) from None


@cli.command(name="eval")
@click.argument("statement_id", required=False)
@click.argument("inputs", required=False)
@click.option("--batch", type=PATH, metavar="FILE", help='{"samples": [{"id": …, "inputs": …}]}')
@DIGITS_OPTION
@ENGINE
def evaluate(statement_id: str | None, inputs: str | None, batch: Path | None, digits: int, engine: Any) -> int:
    """Evaluate one statement on exact INPUTS (a JSON object of strings), or a batch; print JSON."""
    if batch is not None:
        if statement_id is not None:
            raise click.UsageError("give either a statement or --batch, not both")
        return _batch(batch, digits, engine)
    if statement_id is None or inputs is None:
        raise click.UsageError("give a statement id and its inputs as JSON")
    _statement(statement_id)
    given = privref.parse_document(inputs, "inputs")
    if not isinstance(given, dict):
        raise privref.InputError("inputs", inputs, "give a JSON object of input names and values")
    answer = privref.evaluate(statement_id, given, digits=digits, engine=engine)
    click.echo(json_text(privref.report.answer_document(statement_id, given, answer, digits, engine)))
    return 0


def _batch(path: Path, digits: int, engine: Any) -> int:
    document = privref.parse_document(privref.read_text(path, "batch"), "batch")
    samples = document.get("samples") if isinstance(document, dict) else document
    if not isinstance(samples, list) or not samples:
        raise privref.InputError("batch", str(path), 'give {"samples": [{"id": …, "inputs": {…}}, …]}, not empty')
    for i, sample in enumerate(samples):
        if not isinstance(sample, dict) or not isinstance(sample.get("id"), str):
            raise privref.InputError(f"batch.samples[{i}]", "(value)", 'give an object with "id" and "inputs"')
        if not isinstance(sample.get("inputs"), dict):
            raise privref.InputError(f"batch.samples[{i}].inputs", "(value)", "give an object of names and values")
    worst = 0
    for sample in samples:
        line, code = _sample(sample, digits, engine)
        worst = max(worst, code, key=_SEVERITY.index)
        click.echo(json_text(line))
    return worst


_SEVERITY = (0, 3, 4, 1, 2, 70)


def _sample(sample: dict[str, Any], digits: int, engine: Any) -> tuple[dict[str, Any], int]:
    id, inputs = sample["id"], sample["inputs"]
    try:
        answer = privref.evaluate(id, inputs, digits=digits, engine=engine)
    except privref.PrivrefError as error:
        return {"id": id, "inputs": inputs, "error": str(error)}, _code(error)
    return privref.report.answer_document(id, inputs, answer, digits, engine), 0


@cli.command()
@FORMAT
def doctor(form: str) -> int:
    """Show versions and test both engines."""
    with progress("testing both engines"):
        diagnosis = privref.doctor()
    emit(form, privref.report.diagnosis_report(diagnosis), privref.report.diagnosis_document(diagnosis))
    return 0 if diagnosis.sound else 70


def _code(error: privref.PrivrefError) -> int:
    match error:
        case privref.InputError():
            return 2
        case privref.UndecidedError():
            return 3
        case privref.OutOfScopeError() | privref.HypothesisError():
            return 4
        case _:
            return 70


def _read(path: Path, is_one_of_several: bool, **options: Any) -> privref.Ledger:
    """Read a ledger; of several, the (first) refusal names the file."""
    try:
        return privref.read_ledger(path, **options)
    except privref.InputError as error:
        if not is_one_of_several:
            raise
        raise privref.InputError(f"{path}: {error.field}", error.value, error.remedy) from None


#: A full disk, or a quota, or a size that is used up; a device that fails.
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(arguments: list[str] | None = None) -> None:
    """Run the command and exit with its code; expected failures are one line on stderr."""
    if sys.stdout is None:
        click.echo("privref: standard output is closed: nothing can be printed", err=True)
        sys.exit(70)
    print_anywhere()
    try:
        code = cli.main(args=arguments, prog_name="privref", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        code = 2
    except click.ClickException as error:
        message = error.format_message().replace("\n", " ")
        if isinstance(error, click.NoSuchOption) and error.option_name == "--json":
            message += " Write --format json."
        if isinstance(error, click.MissingParameter) and error.ctx is not None:
            about = getattr(error.param, "help", None)
            message += f" {about} " if about else " "
            message += f"See `{error.ctx.command_path} --help`."
        click.echo(f"privref: {message}", err=True)
        code = 2
    except click.Abort:
        click.echo("privref: interrupted", err=True)
        code = 130
    except privref.PrivrefError as error:
        for part in getattr(error, "errors", (error,)):
            click.echo(f"privref: {part}", err=True)
        code = _code(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    except Exception as error:
        # Files that cannot be written are refused with their names.
        if isinstance(error, OSError) and error.errno in _UNWRITABLE and error.filename is None:
            click.echo(
                f"privref: standard output cannot be written ({error.strerror}): the output is incomplete", err=True
            )
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(70)
        if os.environ.get("PRIVREF_TRACEBACK"):
            traceback.print_exc()
        kind = type(error).__name__
        click.echo(f"privref: internal error ({kind}: {error}); PRIVREF_TRACEBACK=1 shows where", err=True)
        code = 70
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
