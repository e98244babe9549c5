"""What the commands print and write: reports as text, documents as JSON, pictures, pages.

Each name takes what a verb of ``privref`` gave. A ``..._report`` is for people (a renderable of rich), a
``..._document`` for programs (plain JSON).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from privref.lazily import loader

# At run time each is imported when it is first asked for, so that no command pays for the others (``lazily``).
if TYPE_CHECKING:
    from .attack import attack_document, attack_report
    from .batch import batch_report
    from .bench import bench_document, bench_plot, bench_report
    from .board import board_document, read_board, write_board
    from .bug_reports import require_file_name, write_bug_reports, write_whole
    from .cards import card_document, card_report, cards_document, cards_report, errata_document, errata_report
    from .checks import diagnosis_document, diagnosis_report, verification_document, verification_report
    from .documents import answer_document, audit_document
    from .drawing import audit_picture
    from .figures import table_picture, table_report
    from .findings import (
        comparison_document,
        comparison_report,
        diff_document,
        diff_report,
        epsilon_document,
        epsilon_report,
        evidence_document,
        evidence_report,
        risk_claims,
        risk_document,
        risk_report,
        what_if_document,
        what_if_report,
    )
    from .html import html_report
    from .identify import identification_document, identification_report
    from .notice import notice_document, notice_report
    from .oracle import (
        finding_document,
        finding_report,
        judgement_document,
        judgement_report,
        peer_row_line,
        peers_report,
        row_document,
        vectors_document,
        vectors_report,
    )
    from .outputs import attestations, report_text
    from .registry import registry_document, registry_html, registry_page, registry_report
    from .replay import calibration_document, calibration_report, replay_document, replay_picture, replay_report
    from .text import audit_report

__all__ = [
    "answer_document",
    "attack_document",
    "attack_report",
    "attestations",
    "audit_document",
    "audit_picture",
    "audit_report",
    "batch_report",
    "bench_document",
    "bench_plot",
    "bench_report",
    "board_document",
    "calibration_document",
    "calibration_report",
    "card_document",
    "card_report",
    "cards_document",
    "cards_report",
    "comparison_document",
    "comparison_report",
    "diagnosis_document",
    "diagnosis_report",
    "diff_document",
    "diff_report",
    "epsilon_document",
    "epsilon_report",
    "errata_document",
    "errata_report",
    "evidence_document",
    "evidence_report",
    "finding_document",
    "finding_report",
    "html_report",
    "identification_document",
    "identification_report",
    "judgement_document",
    "judgement_report",
    "notice_document",
    "notice_report",
    "peer_row_line",
    "peers_report",
    "read_board",
    "registry_document",
    "registry_html",
    "registry_page",
    "registry_report",
    "replay_document",
    "replay_picture",
    "replay_report",
    "report_text",
    "require_file_name",
    "risk_claims",
    "risk_document",
    "risk_report",
    "row_document",
    "table_picture",
    "table_report",
    "vectors_document",
    "vectors_report",
    "verification_document",
    "verification_report",
    "what_if_document",
    "what_if_report",
    "write_board",
    "write_bug_reports",
    "write_whole",
]


def __dir__() -> list[str]:
    return list(__all__)


if not TYPE_CHECKING:
    # A type checker would let every name pass.
    __getattr__ = loader(__name__)
