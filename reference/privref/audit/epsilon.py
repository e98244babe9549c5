"""One question: which epsilon is proved of a ledger, or of a training run, at a delta?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError
from privref.exact.numbers import ExactInput
from privref.ledger.imports import ledger_from_dp_sgd
from privref.ledger.model import Ledger
from privref.ledger.reading import ledger_from_document

from .opinions import Bound, caveat
from .run import compare, weighed_bound


def epsilon(of: Ledger | Mapping[str, Any], delta: ExactInput) -> Enclosure:
    """Return the smallest epsilon that a theorem proves of a ledger or a DP-SGD run at this delta, as an enclosure.

    ``enclosure.float_up`` is a double that is certainly proved. A run is a mapping as ``ledger_from_dp_sgd`` takes it,
    and ``sampling``; a ledger may be the mapping that a file of it holds. HypothesisError where no theorem proves a
    finite epsilon, or only under a budget that the ledger does not declare, or where evidence contradicts what is
    proved; ``compare`` lists every bound with what it rests on. Epsilons are in nats.

    >>> run = {"noise_multiplier": "1", "sampling_rate": "1/100", "num_steps": 10, "sampling": "poisson"}
    >>> print(f"{epsilon(run, delta='1e-5').float_up:.4f}")
    0.3799
    """
    enclosure = proved(of, delta).enclosure
    assert enclosure is not None
    return enclosure


def proved(of: Ledger | Mapping[str, Any], delta: ExactInput) -> Bound:
    """Return the bound whose enclosure ``epsilon`` returns, with its theorem and what it rests on.

    It takes what ``epsilon`` takes, and raises what it raises.

    >>> run = {"noise_multiplier": "1", "sampling_rate": "1/100", "num_steps": 10, "sampling": "poisson"}
    >>> proved(run, delta="1e-5").application.by
    'zdw2022/poisson_gaussian'
    """
    ledger = _ledger(of)
    best, _ = weighed_bound(ledger, delta)
    found = best if best is not None and not caveat(best) else None
    if found is None:
        bounds, _, _ = compare(ledger, delta)
        found = next((item for item in bounds if item.enclosure is not None and not caveat(item)), None)
    if found is None or found.enclosure is None:
        why = "no theorem proves a finite epsilon at this delta"
        if best is not None:
            why = (
                "it would hold only if a filter enforced it; say whether the parameters were fixed in advance, or audit"
            )
        raise HypothesisError(f"{ledger.title}: no epsilon is proved: {why}")
    return found


def _ledger(of: object) -> Ledger:
    if isinstance(of, Ledger):
        return of
    if not isinstance(of, Mapping):
        raise InputError("of", type(of).__name__, "give a ledger, or the settings of a training run as a mapping")
    if "events" in of or "schema" in of:
        return ledger_from_document(of)
    settings = dict(of)
    sampling = settings.pop("sampling", None)
    if sampling is None:
        remedy = 'say how the batches were drawn, e.g. "sampling": "poisson"; which theorem holds depends on it'
        raise InputError("of.sampling", list(settings), remedy)
    return ledger_from_dp_sgd(settings, sampling=sampling)
