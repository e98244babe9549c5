"""``privref app``: an audit in the browser of this machine."""

from __future__ import annotations

import click

from privref.cli.shared import WholeNumber


@click.command()
@click.option("--port", type=WholeNumber(0, 65535), default=0, metavar="N", help="[a free port]")
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def app(port: int, no_browser: bool) -> int:
    """Open a page on this machine only: drop a sheet or a ledger, answer questions, download the report."""
    from privref.app import serve

    def say(address: str) -> None:
        opens = "If no page opens by itself, open" if not no_browser else "Open"
        click.echo(f"{address}\n{opens} this address in a browser of this machine.")
        click.echo("Whoever has it can use the app: do not pass it on.")
        click.echo("Ctrl-C ends the app and removes its files.", err=True)

    serve(port, browser=not no_browser, say=say)
    return 0
