"""privref: an exact, formally backed reference for adaptive privacy composition.

Everything named in ``__all__``, and in that of ``privref.report``, is the stable interface; the command line uses
nothing else. Numbers go in as integers, ``Fraction`` or strings, and come out as exact rationals or as ``Enclosure``;
epsilons and rhos are in nats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import report
from .lazily import homes, keep_names, loader

# At run time each is imported when it is first asked for, so that no command pays for the others (``lazily``).
if TYPE_CHECKING:
    from .adaptive.calibrate import calibrate
    from .adaptive.sgd import calibrate_sgd
    from .audit.baseline import baseline_from_document, under_baseline
    from .audit.certificate import certificates
    from .audit.changes import diff, event_from, what_if
    from .audit.claims import (
        ApproxDPClaim,
        Claim,
        GaussianDPClaim,
        ReadingClaim,
        RemainingClaim,
        ZCDPClaim,
        claims_from_document,
        read_claims,
    )
    from .audit.epsilon import epsilon, proved
    from .audit.evidence import evidence
    from .audit.identify import identify
    from .audit.opinions import Audit, Bound, Opinion, Verdict
    from .audit.replayed import replay
    from .audit.risk import risk
    from .audit.run import audit, compare
    from .batch.proof import unit_proof, verify_unit
    from .batch.run import audit_batch
    from .batch.run import exit_code as batch_exit_code
    from .cards import Card, all_cards, explain, find
    from .certify.lean_file import lean_file
    from .diagnosis import Diagnosis, doctor
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
    from .games.attack import Attack
    from .games.limits import MAX_STATES
    from .games.named import attack
    from .games.named import names as accountant_names
    from .games.received import AskedRound, AttackedFilter, AttackedFilterWithRefusals, AttackedOdometer
    from .ledger.cells import number_text
    from .ledger.combining import combined
    from .ledger.documents import parse as parse_document
    from .ledger.documents import read_text
    from .ledger.frames import ledger_from_frame
    from .ledger.imports import (
        ledger_from_accountant,
        ledger_from_diffprivlib,
        ledger_from_dp_event,
        ledger_from_dp_sgd,
        ledger_from_opacus,
        ledger_from_tensorflow,
    )
    from .ledger.jax_privacy import ledger_from_jax_privacy
    from .ledger.model import Event, Ledger
    from .ledger.opening import read_ledger
    from .ledger.reading import example_document, example_names, ledger_from_document
    from .ledger.spreadsheets import ledger_from_csv
    from .ledger.writing import ledger_document
    from .registry.checks import registry_exit_code
    from .registry.gallery import registry_audits, registry_certificates, registry_relation, registry_texts
    from .registry.mapping import registry_example, registry_examples
    from .report.figures import figure, figure_names
    from .reproductions.tables import table, table_names
    from .statements.errata import errata
    from .statements.registry import Answer, Statement, evaluate, statement, statements
    from .vectors.answers import read_lines as read_answers
    from .vectors.export import export as export_vectors
    from .vectors.generate import generate as generate_vectors
    from .vectors.generate import planned as planned_statements
    from .vectors.generate import stale as stale_vectors
    from .vectors.judge import Judgement
    from .vectors.oracle import Oracle, RoundingWarning, judge_answers
    from .vectors.peers.extremes import search_harnesses
    from .vectors.peers.floats import own_float_rows
    from .vectors.peers.harness import HarnessLimits, peer_commands, peer_names, run_harnesses
    from .vectors.peers.timing import bench
    from .vectors.store import Vector
    from .vectors.store import data_folder as vectors_folder
    from .vectors.store import vectors as golden_vectors
    from .verification import Verification, certificate_from_text, verify

#: Names of earlier versions.
_MOVED = {name: f"privref.report.{name}" for name in report.__all__}

if not TYPE_CHECKING:
    # A type checker would let every name pass.
    __getattr__ = loader(__name__, _MOVED)
keep_names(__name__)


def __dir__() -> list[str]:
    return sorted({*globals(), *homes(__name__)})


__all__ = [
    "MAX_STATES",
    "Answer",
    "ApproxDPClaim",
    "AskedRound",
    "Attack",
    "AttackedFilter",
    "AttackedFilterWithRefusals",
    "AttackedOdometer",
    "Audit",
    "Bound",
    "Card",
    "Claim",
    "Diagnosis",
    "Enclosure",
    "EnginesDisagree",
    "Event",
    "GaussianDPClaim",
    "HarnessLimits",
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
    "RoundingWarning",
    "Statement",
    "UndecidedError",
    "Vector",
    "Verdict",
    "Verification",
    "ZCDPClaim",
    "accountant_names",
    "all_cards",
    "attack",
    "audit",
    "audit_batch",
    "baseline_from_document",
    "batch_exit_code",
    "bench",
    "calibrate",
    "calibrate_sgd",
    "certificate_from_text",
    "certificates",
    "claims_from_document",
    "combined",
    "compare",
    "diff",
    "doctor",
    "epsilon",
    "errata",
    "evaluate",
    "event_from",
    "evidence",
    "example_document",
    "example_names",
    "explain",
    "export_vectors",
    "figure",
    "figure_names",
    "find",
    "from_binary64",
    "generate_vectors",
    "golden_vectors",
    "identify",
    "judge_answers",
    "lean_file",
    "ledger_document",
    "ledger_from_accountant",
    "ledger_from_csv",
    "ledger_from_diffprivlib",
    "ledger_from_document",
    "ledger_from_dp_event",
    "ledger_from_dp_sgd",
    "ledger_from_frame",
    "ledger_from_jax_privacy",
    "ledger_from_opacus",
    "ledger_from_tensorflow",
    "number_text",
    "own_float_rows",
    "parse_document",
    "peer_commands",
    "peer_names",
    "planned_statements",
    "proved",
    "rational",
    "read_answers",
    "read_claims",
    "read_ledger",
    "read_text",
    "registry_audits",
    "registry_certificates",
    "registry_example",
    "registry_examples",
    "registry_exit_code",
    "registry_relation",
    "registry_texts",
    "replay",
    "report",
    "risk",
    "run_harnesses",
    "search_harnesses",
    "spell",
    "stale_vectors",
    "statement",
    "statements",
    "table",
    "table_names",
    "under_baseline",
    "unit_proof",
    "vectors_folder",
    "verify",
    "verify_unit",
    "what_if",
]
