"""``privref attack``: search for an adversary that breaks an accountant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import privref
from privref.cli.shared import FORMAT, PATH, WholeNumber, emit, import_from_here, progress, write_file

_MENU = (
    "What may be asked: EPS or EPS:DELTA (randomized response; log(3/2) is an EPS), leak(DELTA), bit(DELTA), toy(EPS), "
    "split(DELTA), zcdp(RHO; P; Q; DELTA), rdp(P; Q; ORDER ORDER), reduced(E^EPS; E^EPS), or all "
    "mechanisms with two answers, binary(20; dp; 1/10) or binary(10; pdp; 1/10)."
)
_CODES = {"not-broken": 0, "broken": 1, "undecided": 3}


class _Naming(click.Command):
    """A command whose help ends with the names of the accountants, which are loaded for it only."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.epilog = f"Named accountants: {', '.join(privref.accountant_names())}."
        super().format_epilog(ctx, formatter)


@click.command(cls=_Naming)
@click.argument("accountant")
@click.option("--menu", metavar="ROUNDS", help=_MENU)
@click.option("--menu-file", type=PATH, help='JSON: {"rounds": [{"family": …}, …]}.')
@click.option("--rounds", type=WholeNumber(1, 10_000), default=20, show_default=True, help="The most rounds.")
@click.option("--epsilon", metavar="EPS", help="The claimed epsilon, e.g. 1 or log(2); odometers need none.")
@click.option("--delta", metavar="DELTA", default="0", show_default=True, help="The claimed delta.")
@click.option("--delta-sum", metavar="DELTA", help="How far the rounds' own deltas may add up  [default: --delta].")
@click.option("--kind", type=click.Choice(["filter", "odometer"]), help="For a formula or a function.")
@click.option(
    "--failure", "failure_of", type=click.Choice(["view", "loss", "one-sided"]), help="What counts as failure."
)
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A tuning of the accountant.")
@click.option("--order-free", is_flag=True, help="The function does not depend on the order of the rounds.")
@click.option("--largest", is_flag=True, help="The largest failure within --rounds, not the shortest attack.")
@click.option(
    "--max-states",
    type=WholeNumber(1),
    default=privref.MAX_STATES,
    show_default=True,
    help="Give up after this many states, each round tried in one counted too (some 0.5 kB each).",
)
@click.option("--certificate", type=PATH, metavar="FILE", help="Write the certificate here.")
@FORMAT
def attack(
    accountant: str,
    menu: str | None,
    menu_file: Path | None,
    rounds: int,
    settings: tuple[str, ...],
    certificate: Path | None,
    form: str,
    **claimed: Any,
) -> int:
    """Search for an adversary that breaks ACCOUNTANT, and certify what it gains.

    ACCOUNTANT is a name (below), a statement's id, a formula in S1 = sum eps, S2 = sum eps^2, E1, T1, k, D, eps,
    delta with log, exp, sqrt, tanh, or module:function with f(history, budget) -> "CONT" | "HALT" (filter; it may
    take its refusals as a third argument) or f(history) -> bound (odometer). Exit code 0: not broken in any of the
    rounds asked for; 1: broken; 3: open, also where --max-states came first.
    """
    if (menu is None) == (menu_file is None):
        raise click.UsageError(
            "give --menu or --menu-file, the mechanisms that the adversary may choose, such as --menu '1/10, 1/2' for "
            "randomized response with epsilon = 1/10 or 1/2"
        )
    given: Any = menu
    if menu_file is not None:
        document = privref.parse_document(privref.read_text(menu_file, "menu"), "menu")
        given = document.get("rounds") if isinstance(document, dict) else None
        if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
            raise privref.InputError("menu", str(menu_file), 'give {"rounds": [{"family": …}, …]}')
    import_from_here()
    tuned = dict(_setting(text) for text in settings)
    with progress("searching") as report:
        found = privref.attack(accountant, given, rounds, settings=tuned, progress=report, **claimed)
    result = privref.report.attack_document(found)
    if certificate is not None and "certificate" in result:
        write_file(certificate, json.dumps(result["certificate"], indent=1) + "\n", "--certificate")
    emit(form, privref.report.attack_report(found), result)
    return _CODES[found.verdict]


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise privref.InputError("--set", text, "write NAME=VALUE")
    return name.strip(), value.strip()
