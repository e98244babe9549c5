"""privref: an exact, formally backed reference for adaptive privacy composition.

Everything named in ``__all__`` is the stable interface; the command line uses nothing else. Numbers go in as
integers, ``Fraction`` or strings, and come out as exact rationals or as ``Enclosure``; epsilons and rhos are in nats.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from . import catalogue as _catalogue
from .audit.claims import (
    ApproxDPClaim,
    Claim,
    ReadingClaim,
    RemainingClaim,
    ZCDPClaim,
    claims_from_document,
    read_claims,
)
from .audit.opinions import Audit, Bound, Opinion, Verdict
from .audit.run import audit, compare
from .doctor import Diagnosis, doctor
from .exact.enclosure import Enclosure
from .exact.errors import (
    EnginesDisagree,
    HypothesisError,
    InputError,
    OutOfScopeError,
    PrivrefError,
    UndecidedError,
)
from .exact.numbers import from_binary64, rational, spell
from .ledger.documents import parse as parse_document
from .ledger.documents import read_text
from .ledger.model import Event, Ledger
from .ledger.reading import example_document, example_names, ledger_from_csv, ledger_from_document, read_ledger
from .statements import registry as _registry
from .statements.registry import Answer, Statement, evaluate, statement, statements

if TYPE_CHECKING:
    from .adaptive.calibrate import calibrate
    from .audit.baseline import baseline_from_document, under_baseline
    from .audit.certificate import certificates
    from .audit.changes import diff, event_from, what_if
    from .audit.identify import identify
    from .audit.replayed import replay
    from .audit.verify import Verification, verify
    from .cards import Card, all_cards, explain, find
    from .certify.lean_file import lean_file
    from .games.attack import Attack
    from .games.limits import MAX_STATES
    from .games.named import attack
    from .games.named import names as accountant_names
    from .ledger.imports import ledger_from_diffprivlib, ledger_from_dp_event, ledger_from_opacus
    from .ledger.writing import ledger_document
    from .registry.checks import registry_exit_code
    from .registry.gallery import registry_audits, registry_certificates, registry_texts
    from .registry.mapping import registry_example, registry_examples
    from .report.attack import attack_document, attack_report
    from .report.bench import bench_document, bench_plot, bench_report
    from .report.bug_reports import write_bug_reports
    from .report.cards import card_document, card_report, cards_document, cards_report
    from .report.changes import diff_document, diff_report, what_if_document, what_if_report
    from .report.comparison import comparison_document, comparison_report
    from .report.documents import (
        answer_document,
        audit_document,
        diagnosis_document,
        verification_document,
    )
    from .report.errata import errata_document, errata_report
    from .report.figures import figure, figure_names, table_picture, table_report
    from .report.html import html_report
    from .report.identify import identification_document, identification_report
    from .report.notice import notice_document, notice_report
    from .report.oracle import (
        finding_document,
        finding_report,
        judgement_document,
        judgement_report,
        peers_report,
        row_document,
        vectors_document,
        vectors_report,
    )
    from .report.outputs import attestations, report_text
    from .report.registry import registry_document, registry_html, registry_page, registry_report
    from .report.replay import calibration_document, replay_document, replay_picture, replay_report
    from .report.text import audit_report, diagnosis_report, verification_report
    from .reproductions.tables import table, table_names
    from .statements.errata import errata
    from .vectors.answers import read_lines as read_answers
    from .vectors.cases import plans as planned_statements
    from .vectors.export import export as export_vectors
    from .vectors.generate import data_folder as vectors_folder
    from .vectors.generate import generate as generate_vectors
    from .vectors.generate import stale as stale_vectors
    from .vectors.judge import Judgement
    from .vectors.oracle import Oracle, judge_answers
    from .vectors.peers.running import peer_names
    from .vectors.peers.running import rows as run_peers
    from .vectors.peers.search import search as search_peers
    from .vectors.peers.timing import bench
    from .vectors.store import Vector
    from .vectors.store import vectors as golden_vectors

#: The same imports, for run time: they are made when a name is first asked for, so that no command pays for others.
_LATER = {
    "cards": "Card all_cards explain find",
    "report.cards": "card_document card_report cards_document cards_report",
    "audit.certificate": "certificates",
    "audit.verify": "Verification verify",
    "games.attack": "Attack",
    "games.limits": "MAX_STATES",
    "games.named": "names:accountant_names attack",
    "ledger.imports": "ledger_from_diffprivlib ledger_from_dp_event ledger_from_opacus",
    "ledger.writing": "ledger_document",
    "report.attack": "attack_document attack_report",
    "report.bug_reports": "write_bug_reports",
    "audit.baseline": "baseline_from_document under_baseline",
    "certify.lean_file": "lean_file",
    "audit.changes": "diff event_from what_if",
    "report.changes": "diff_document diff_report what_if_document what_if_report",
    "report.html": "html_report",
    "audit.identify": "identify",
    "report.identify": "identification_document identification_report",
    "report.notice": "notice_document notice_report",
    "report.documents": ("answer_document audit_document diagnosis_document verification_document"),
    "report.oracle": (
        "finding_document finding_report judgement_document judgement_report peers_report row_document "
        "vectors_document vectors_report"
    ),
    "registry.checks": "registry_exit_code",
    "registry.gallery": "registry_audits registry_certificates registry_texts",
    "registry.mapping": "registry_example registry_examples",
    "report.registry": "registry_document registry_html registry_page registry_report",
    "report.outputs": "attestations report_text",
    "adaptive.calibrate": "calibrate",
    "audit.replayed": "replay",
    "report.bench": "bench_document bench_plot bench_report",
    "report.comparison": "comparison_document comparison_report",
    "report.errata": "errata_document errata_report",
    "report.figures": "figure figure_names table_picture table_report",
    "report.replay": "calibration_document replay_document replay_picture replay_report",
    "reproductions.tables": "table table_names",
    "statements.errata": "errata",
    "report.text": "audit_report diagnosis_report verification_report",
    "vectors.answers": "read_lines:read_answers",
    "vectors.cases": "plans:planned_statements",
    "vectors.export": "export:export_vectors",
    "vectors.generate": "generate:generate_vectors stale:stale_vectors data_folder:vectors_folder",
    "vectors.judge": "Judgement",
    "vectors.oracle": "Oracle judge_answers",
    "vectors.peers.running": "peer_names rows:run_peers",
    "vectors.peers.search": "search:search_peers",
    "vectors.peers.timing": "bench",
    "vectors.store": "Vector vectors:golden_vectors",
}
_HOME = {
    word.split(":")[-1]: (module, word.split(":")[0]) for module, words in _LATER.items() for word in words.split()
}


def __getattr__(name: str) -> object:
    """A public name that is imported when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, original = _HOME[name]
    found: object = getattr(import_module(f".{module}", __name__), original)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


_registry.load_with(_catalogue.load)

__all__ = [
    "MAX_STATES",
    "Answer",
    "ApproxDPClaim",
    "Attack",
    "Audit",
    "Bound",
    "Card",
    "Claim",
    "Diagnosis",
    "Enclosure",
    "EnginesDisagree",
    "Event",
    "HypothesisError",
    "InputError",
    "Judgement",
    "Ledger",
    "Opinion",
    "Oracle",
    "OutOfScopeError",
    "PrivrefError",
    "ReadingClaim",
    "RemainingClaim",
    "Statement",
    "UndecidedError",
    "Vector",
    "Verdict",
    "Verification",
    "ZCDPClaim",
    "accountant_names",
    "all_cards",
    "answer_document",
    "attack",
    "attack_document",
    "attack_report",
    "attestations",
    "audit",
    "audit_document",
    "audit_report",
    "baseline_from_document",
    "bench",
    "bench_document",
    "bench_plot",
    "bench_report",
    "calibrate",
    "calibration_document",
    "card_document",
    "card_report",
    "cards_document",
    "cards_report",
    "certificates",
    "claims_from_document",
    "compare",
    "comparison_document",
    "comparison_report",
    "diagnosis_document",
    "diagnosis_report",
    "diff",
    "diff_document",
    "diff_report",
    "doctor",
    "errata",
    "errata_document",
    "errata_report",
    "evaluate",
    "event_from",
    "example_document",
    "example_names",
    "explain",
    "export_vectors",
    "figure",
    "figure_names",
    "find",
    "finding_document",
    "finding_report",
    "from_binary64",
    "generate_vectors",
    "golden_vectors",
    "html_report",
    "identification_document",
    "identification_report",
    "identify",
    "judge_answers",
    "judgement_document",
    "judgement_report",
    "lean_file",
    "ledger_document",
    "ledger_from_csv",
    "ledger_from_diffprivlib",
    "ledger_from_document",
    "ledger_from_dp_event",
    "ledger_from_opacus",
    "notice_document",
    "notice_report",
    "parse_document",
    "peer_names",
    "peers_report",
    "planned_statements",
    "rational",
    "read_answers",
    "read_claims",
    "read_ledger",
    "read_text",
    "registry_audits",
    "registry_certificates",
    "registry_document",
    "registry_example",
    "registry_examples",
    "registry_exit_code",
    "registry_html",
    "registry_page",
    "registry_report",
    "registry_texts",
    "replay",
    "replay_document",
    "replay_picture",
    "replay_report",
    "report_text",
    "row_document",
    "run_peers",
    "search_peers",
    "spell",
    "stale_vectors",
    "statement",
    "statements",
    "table",
    "table_names",
    "table_picture",
    "table_report",
    "under_baseline",
    "vectors_document",
    "vectors_folder",
    "vectors_report",
    "verification_document",
    "verification_report",
    "verify",
    "what_if",
    "what_if_document",
    "what_if_report",
    "write_bug_reports",
]
