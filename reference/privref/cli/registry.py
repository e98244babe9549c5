"""``privref registry``: what follows from what entries of a deployment registry publish."""

from __future__ import annotations

from pathlib import Path

import click

import privref
from privref.cli.shared import FORMAT, PATH, emit, progress, write_all, write_file


@click.command()
@click.argument("path", type=PATH, required=False)
@click.option("--name", metavar="NAME", help="One entry, by the short name of its mapping, e.g. spectus-hurricane.")
@click.option("--question", metavar="ID", help="One question of that entry, e.g. published.")
@click.option("--details", is_flag=True, help="Every answer with quotations, inferences and its command.")
@click.option("--html", "page", type=PATH, metavar="FILE", help="Write the gallery as HTML.")
@click.option("--certificates", type=PATH, metavar="DIR", help="Write the certificates of all answers.")
@click.option("--page", "markdown", is_flag=True, help="Print the page of the documentation instead (Markdown).")
@FORMAT
def registry(
    path: Path | None,
    name: str | None,
    question: str | None,
    details: bool,
    page: Path | None,
    certificates: Path | None,
    markdown: bool,
    form: str,
) -> int:
    """Say what follows from the entries of a deployment registry: PATH is one YAML file or a folder.

    Without PATH the numbers are those of the reviewed mappings; with it each quotation is looked up in the entry.
    """
    with progress("auditing the entries"):
        audits = privref.registry_audits(path, name, question)
    if certificates is not None:
        write_all(certificates, privref.registry_certificates(audits))
    if page is not None:
        write_file(page, privref.report.registry_html(audits), "--html")
    if markdown:
        click.echo(privref.report.registry_page(audits), nl=False)
    else:
        document = privref.report.registry_document(audits) if form == "json" else None
        emit(form, privref.report.registry_report(audits, details), document)
    return privref.registry_exit_code(audits)
