"""What the commands share: options, progress on stderr, output on stdout."""

from __future__ import annotations

import codecs
import contextlib
import functools
import io
import itertools
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import privref

if TYPE_CHECKING:
    from rich.console import RenderableType


#: The type of an option or argument that names a file or a folder.
PATH = click.Path(path_type=Path)


class WholeNumber(click.IntRange):
    """A whole number within a range; its error says so."""

    name = "whole number"


FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Report format."
)
ENGINE = click.option(
    "--engine", type=click.Choice(["arb", "mpmath"]), default="arb", show_default=True, help="Interval arithmetic."
)
DIGITS_OPTION = click.option(
    "--digits",
    type=WholeNumber(1, 4000),
    default=30,
    show_default=True,
    help="Significant digits; the relative width is at most 10^(2-digits).",
)


def declared(command: Callable[..., int]) -> Any:
    """Add the options that say what a spreadsheet cannot: the command takes them together, as ``sheet``."""

    @functools.wraps(command)
    def gathered(*, neighbours: Any, parameters: Any, interaction: Any, **given: Any) -> int:
        sheet = {"neighbours": neighbours, "parameters": parameters, "interaction": interaction}
        return command(sheet=sheet, **given)

    with_options: Any = gathered
    for name, words in (
        ("--interaction", ["sequential", "concurrent"]),
        ("--parameters", ["fixed-in-advance", "chosen-adaptively"]),
        ("--neighbours", ["add-or-remove-one", "replace-one", "zero-out"]),
    ):
        with_options = click.option(name, type=click.Choice(words), help="For a sheet.")(with_options)
    return with_options


#: How the signs of reports are written where the output cannot carry them.
_PLAIN = str.maketrans(
    {"→": "->", "←": "<-", "…": "...", "—": "-", "–": "-", "−": "-", "·": "|", "≥": ">=", "≤": "<=", "≠": "!=",
     "×": "x", "∞": "inf", "√": "sqrt", "‘": "'", "’": "'", "“": '"', "”": '"', "•": "*", "°": "deg",
     "\u00a0": " ", "\u202f": " ", "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "eps", "μ": "mu",
     "π": "pi", "ρ": "rho", "σ": "sigma", "Σ": "Sum", "Δ": "Delta"}
)  # fmt: skip


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """What is written for characters that the output's encoding does not have: ASCII that says the same."""
    assert isinstance(error, UnicodeEncodeError)
    written = []
    for character in error.object[error.start : error.end]:
        text = character.translate(_PLAIN)
        folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
        written.append(folded or character.encode("ascii", "backslashreplace").decode("ascii"))
    return "".join(written), error.end


codecs.register_error("privref-plain", _plainly)


def print_anywhere() -> None:
    """Let stdout and stderr take every character, whatever their encoding: a redirected console may have few."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="privref-plain")


def json_text(document: Any, indent: int | None = None) -> str:
    """One JSON document for stdout: as it is where stdout can carry it, else in ASCII with JSON's own escapes."""
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(document, indent=indent)
    return text


def emit(form: str, text: RenderableType, document: Any) -> None:
    """Print one report, as text or as one JSON document."""
    if form == "json":
        click.echo(json_text(document, 2))
    else:
        from rich.console import Console

        # A file or a pipe has no width: nothing is folded there.
        console = Console(width=None if sys.stdout.isatty() else 4000, highlight=False)
        console.print(text, soft_wrap=isinstance(text, str))


def import_from_here() -> None:
    """Let ``module:function`` name a module of the current folder, after all that are installed."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)


def require_writable(path: Path, option: str, *, folder: bool = False) -> None:
    """InputError where a file, or a folder, cannot be written: asked before the work, so that none is half done."""
    if not folder:
        require_no_input(path, option)
    holder = path if folder else path.parent
    while folder and not holder.exists():
        holder = holder.parent
    wrong = None
    if not holder.exists():
        wrong = "its folder does not exist"
    elif not holder.is_dir():
        wrong = f"{holder} is not a folder"
    elif not folder and path.is_dir():
        wrong = "it is a folder"
    elif not folder and path.exists() and not path.is_file():
        wrong = "it is a device or a pipe"
    elif not os.access(holder, os.W_OK):
        wrong = f"no files can be made in {holder}"
    if wrong is not None:
        kind = "folder" if folder else "file"
        raise privref.InputError(option, str(path), f"name a {kind} that can be written ({wrong})")


def require_no_input(path: Path, option: str) -> None:
    """InputError where the command would overwrite one of its own inputs: a file that it was given twice."""
    context = click.get_current_context(silent=True)
    given = context.params.values() if context is not None else ()
    paths = [each for value in given for each in (value if isinstance(value, tuple) else (value,))]
    same = [each for each in paths if isinstance(each, Path) and each.exists() and each.resolve() == path.resolve()]
    if len(same) > 1:
        raise privref.InputError(option, str(path), "this file is read by the same command; name another to write")


def write_file(path: Path, content: str | bytes, option: str) -> None:
    """The whole file or none; InputError names the option."""
    require_no_input(path, option)
    try:
        privref.report.write_whole(path, content)
    except OSError as error:
        raise privref.InputError(option, str(path), f"name a file that can be written ({error.strerror})") from None


@contextlib.contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """A spinner on stderr with the step at work; silent where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title)
        yield lambda step: bar.update(task, description=f"{title}: {step}")


def write_all(folder: Path, documents: dict[str, Any]) -> None:
    """Write each document to ``folder/<name>.json``: complete or not at all."""
    for name in documents:
        privref.report.require_file_name(name, "--certificates")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, document in documents.items():
            text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
            privref.report.write_whole(folder / f"{name}.json", text)
    except OSError as error:
        said = f"name a folder that can be written ({error.strerror})"
        raise privref.InputError("--certificates", str(folder), said) from None


#: Names of a claim's numbers as people write them.
_NUMBERS = {
    "epsilon": "epsilon", "eps": "epsilon", "ε": "epsilon", "delta": "delta", "δ": "delta", "rho": "rho", "ρ": "rho",
    "mu": "mu", "μ": "mu",
}  # fmt: skip


def _require_meant(epsilon: str, delta: str, field: str) -> None:
    """InputError where two numbers without names are rather one, with a decimal comma, or swapped, or say nothing."""
    first, second = (
        privref.rational(text, f"{field}: {name}") for text, name in ((epsilon, "epsilon"), (delta, "delta"))
    )
    if first < 0 or (second <= first and second < 1):
        return
    named = f"if they are meant so, name them: eps={epsilon},delta={delta}"
    if epsilon.isdecimal() and delta.isdecimal() and second:
        ask = f"is it the one number {epsilon}.{delta}? Then give a delta too: {epsilon}.{delta},1e-6"
    elif second > 1 and re.fullmatch("[0-9.]+[eE][0-9]+", delta):
        ask = f"is a minus missing? Then write {epsilon},{re.sub('[eE]', 'e-', delta)}"
    elif second > first and first <= 1:
        ask = f"are the two swapped? Then write {delta},{epsilon}"
    else:
        ask = "delta is a probability, and at 1 the claim is true of every mechanism. Give a small one, such as 1e-6"
    remedy = f"epsilon would be {epsilon} and delta {delta}: {ask}"
    raise privref.InputError(field, f"{epsilon},{delta}", remedy if second > 1 else f"{remedy}; {named}")


def looks_claimed(text: str) -> bool:
    """Whether a text is rather two numbers, a claim, than the name of a file."""
    return re.fullmatch(r"[0-9.]+[,;][0-9.eE^-]+", text) is not None


def once(command: click.Command | None, arguments: list[str]) -> None:
    """UsageError where an option stands twice that is taken once: the earlier one would be lost without a word."""
    if command is None or isinstance(command, click.Group):
        return
    options = (option for option in command.params if isinstance(option, click.Option))
    single = {name: option for option in options if not (option.multiple or option.is_flag or option.count)
              for name in option.opts}  # fmt: skip
    given = [part.partition("=")[0] for part in itertools.takewhile(lambda part: part != "--", arguments)]
    for name in given:
        if not name.startswith("--") and any(f"-{name}" in option.opts for option in command.params):
            raise click.UsageError(f"no option is called {name}; did you mean -{name}?")
    names = [single[name].opts[0] for name in given if name in single]
    for name in names:
        if names.count(name) > 1:
            events = {"--rho", "--epsilon", "--gaussian", "--mechanism", "--sgd", "--count"} & {name}
            more = "; several releases are rows of a sheet, for privref audit" if events else ""
            raise click.UsageError(f"{name} is given {names.count(name)} times: give it once{more}")


def claimed(text: str, field: str) -> dict[str, str]:
    """Return what a text claims, with the numbers as written.

    Read are ``EPS,DELTA``, also in parentheses, with a semicolon or as ``eps=EPS, delta=DELTA``,
    and ``rho=RHO`` or ``mu=MU``.
    """
    remedy = "give epsilon and delta, e.g. 1.7,1e-9, or rho=0.1, or mu=0.5"
    if apart := re.fullmatch(r"\s*([0-9.]+)\s*(?:[/@]|\s)\s*([0-9.]+[eE]-[0-9]+)\s*", text):
        remedy = f"put a comma between epsilon and delta: {apart[1]},{apart[2]}"
    elif points := re.fullmatch(r"\s*([0-9]+),([0-9]+)\s*,\s*([0-9]+),([0-9]+)\s*", text):
        remedy = "write decimal points: {}.{},{}.{}".format(*points.groups())
    inner = text.strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1]
    parts = [part.strip() for part in inner.split(";" if inner.count(";") == 1 else ",")]
    if ";" in inner:  # A comma before three digits may separate thousands.
        parts = [re.sub(r"^([0-9]+),([0-9]{1,2}|[0-9]{4,})$", r"\1.\2", part) for part in parts]
    if any(part.partition("=")[0].strip().lower() == "by" for part in parts):
        remedy = 'a theorem cannot be named here; leave it out, or name it in a claims file as "by"'
    found: dict[str, str] = {}
    for place, part in zip(("epsilon", "delta"), parts, strict=False):
        given, equals, number = (each.strip() for each in part.rpartition("="))
        name = _NUMBERS.get(given.lower()) if equals else place
        if name is None or name in found or not number:
            raise privref.InputError(field, text, remedy)
        found[name] = number
    if set(found) == {"epsilon"} and apart is None:
        number = found["epsilon"] if re.fullmatch(r"[0-9.e/+-]+", found["epsilon"]) else "1.7"
        remedy = f"give epsilon and delta, such as {number},1e-6 (or {number},0 if delta is 0), or rho=0.1, or mu=0.5"
        if field == "claim":
            remedy += f"; to ask for the epsilon that is proved at a delta: privref epsilon {number} …"
    if len(parts) > 2 or set(found) not in ({"epsilon", "delta"}, {"rho"}, {"rho", "delta"}, {"mu"}):
        raise privref.InputError(field, text, remedy)
    found = {name: privref.number_text(number, f"{field}: {name}") for name, number in found.items()}
    if "delta" in found and "=" not in text:
        _require_meant(found["epsilon"], found["delta"], field)
    return {name: found[name] for name in ("epsilon", "delta", "rho", "mu") if name in found}


def stated_claims(texts: tuple[str, ...], field: str = "--claim") -> dict[str, Any]:
    """The claims document of --claim, each with an id of its own: claim, or claim-1, claim-2, …"""
    claims = []
    for i, text in enumerate(texts, 1):
        claims.append({"id": "claim" if len(texts) == 1 else f"claim-{i}", **claimed(text, field)})
    return {"schema": "claims.1", "claims": claims}


def claims_of(texts: tuple[str, ...], field: str = "--claim") -> tuple[privref.Claim, ...]:
    """Return the claims that an option states; InputError names the option, and not a place in a file."""
    stated = stated_claims(texts, field)
    try:
        return privref.claims_from_document(stated)
    except privref.InputError as error:
        raise at_option(error, field) from None


def at_option(error: privref.InputError, option: str) -> privref.InputError:
    """The (first) refusal of what an option says: it names the option, and not a place in a file that nobody wrote."""
    name = error.field.rpartition(".")[2]
    return privref.InputError(option if option == f"--{name}" else f"{option}: {name}", error.value, error.remedy)


def budget_of(text: str, field: str = "--budget") -> tuple[str, str]:
    """Return the epsilon and the delta of an option, as they are read; InputError where it is neither."""
    found = claimed(text, field)
    if "epsilon" not in found:
        raise privref.InputError(field, text, "give epsilon and delta, e.g. 1.7,1e-9")
    return found["epsilon"], found["delta"]


def read_key(path: Path) -> bytes:
    """The bytes of a secret's file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise privref.InputError("--key", str(path), f"name a file that can be read ({error.strerror})") from None


def example_named(name: str) -> tuple[privref.Ledger, tuple[privref.Claim, ...]]:
    """An example by its name: of the package's own files, or of the gallery of published claims."""
    own = name in privref.example_names()
    found = None if own else privref.registry_example(name)
    ledger, claims = found or (privref.example_document(name, "ledger"), privref.example_document(name, "claims"))
    return privref.ledger_from_document(ledger), privref.claims_from_document(claims)
