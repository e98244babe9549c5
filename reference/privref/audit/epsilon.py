"""One question: which epsilon is proved of a ledger, or of a training run, at a delta?"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from privref.exact.enclosure import Enclosure
from privref.exact.errors import EnginesDisagree, HypothesisError, InputError, UndecidedError
from privref.exact.numbers import ExactInput, rational
from privref.exact.rounding import to_decimal
from privref.exact.work import QUESTION, metered
from privref.ledger.imports import ledger_from_dp_sgd
from privref.ledger.model import Ledger
from privref.ledger.reading import ledger_from_document

from .opinions import Bound, caveat
from .run import compare, weighed_bound

#: What a narrower enclosure may take.
_WORK = 2 * QUESTION


def epsilon(of: Ledger | Mapping[str, Any], delta: ExactInput, width: ExactInput | None = None) -> Enclosure:
    """Return the smallest epsilon that a theorem proves of a ledger or a DP-SGD run at this delta, as an enclosure.

    ``enclosure.float_up`` is a double that is certainly proved. A run is a mapping as ``ledger_from_dp_sgd`` takes it,
    and ``sampling``; a ledger may be the mapping that a file of it holds. HypothesisError where no theorem proves a
    finite epsilon, or only under a budget that the ledger does not declare, or where evidence contradicts what is
    proved; ``compare`` lists every bound with what it rests on. Epsilons are in nats.

    ``width`` is the largest width of the enclosure, relative to its upper end: composed laws (zdw2022/thm10) are mostly
    enclosed to a relative 1e-4, in little time, and to 1e-6 in up to a minute. UndecidedError where it takes too long,
    and where it is wider and the ledger has events in parts.

    >>> run = {"noise_multiplier": "1", "sampling_rate": "1/100", "num_steps": 10, "sampling": "poisson"}
    >>> print(f"{epsilon(run, delta='1e-5').float_up:.4f}")
    0.3799
    """
    ledger = _ledger(of)
    bound = proved(ledger, delta)
    enclosure = bound.enclosure
    assert enclosure is not None
    if width is None:
        return enclosure
    most = rational(width, "width")
    if not 0 < most < 1:
        raise InputError("width", width, "give a part of epsilon above 0 and below 1, such as 1e-6")
    # Of parts the largest epsilon counts: what one of them has more exactly is no bound of the others.
    alone = all(event.part is None for event in ledger.events)
    return _narrowed(bound, enclosure, most, again=alone and bound.application.by == "zdw2022/thm10")


def _narrowed(bound: Bound, enclosure: Enclosure, width: Fraction, *, again: bool) -> Enclosure:
    """The enclosure to this width, asked for ``again`` where it is wider."""
    inputs: Mapping[str, Any] = bound.application.inputs
    if again and not enclosure.relative_width_at_most(width):
        from privref.profiles.composed import narrower_eps  # Which few questions need.

        # Where it takes too long the width that is known is named.
        with suppress(UndecidedError), metered(_WORK):
            found = narrower_eps(inputs["rounds"], inputs["delta"], width / 2)
            common = None if found is None else enclosure.intersection(found)
            if common is None:
                raise EnginesDisagree("two grids disagree about the profile of a composition")
            enclosure = common
    if not enclosure.relative_width_at_most(width):
        known = to_decimal((enclosure.upper - enclosure.lower) / enclosure.upper, 2, "up")
        raise UndecidedError(f"epsilon is enclosed to a relative {known}, and to none narrower: give a larger width")
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
