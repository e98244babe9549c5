"""The examples that are shipped, audited."""

from __future__ import annotations

import privref
from tests.slow import shared

#: Examples whose noise is convolved event by event, or whose sampled Gaussians take a contour: seconds each.
LONG = ("census", "dpsgd", "gboard")


@shared
def of_example(name: str) -> privref.Audit:
    documents = privref.registry_example(name) or (
        privref.example_document(name, "ledger"), privref.example_document(name, "claims")
    )  # fmt: skip
    ledger, claims = documents
    return privref.audit(privref.ledger_from_document(ledger), privref.claims_from_document(claims))


@shared
def page_of(name: str) -> str:
    return privref.report.html_report(of_example(name))


def every_example() -> list[str]:
    """All of them, but those of the gallery that take a ledger of the package's own."""
    gallery = [
        name for name in privref.registry_examples() if not name.startswith(("census-dhc", "census-redistricting"))
    ]
    return [*privref.example_names(), *gallery]
