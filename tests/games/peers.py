"""Accountants of other libraries behind the interface of ``privref attack``; each needs its library installed.

They are used as filters on the realised parameters, which is how an analyst who chooses parameters as he goes would use
them. Where a library states its guarantee for parameters fixed in advance only, breaking it says so and no more.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

PeerHistory = Sequence[tuple[Any, Fraction]]
PeerBudget = tuple[Any, Fraction]


def diffprivlib_filter(history: PeerHistory, budget: PeerBudget) -> str:
    """diffprivlib's ``BudgetAccountant``, its slack the whole delta where no round spends any, else half of it."""
    accounting = importlib.import_module("diffprivlib.accountant")
    errors = importlib.import_module("diffprivlib.utils")
    epsilon, delta = float(budget[0]), float(budget[1])
    spends = [(float(e), float(d)) for e, d in history]
    slack = delta if all(d == 0 for _, d in spends) else delta / 2
    ledger = accounting.BudgetAccountant(epsilon, delta, slack)
    try:
        for e, d in spends:
            ledger.spend(e, d)
    except errors.BudgetError:
        return "HALT"
    return "CONT"


def dp_accounting_pld_filter(history: PeerHistory, budget: PeerBudget) -> str:
    """Google's privacy loss distributions (pessimistic, interval 1e-4) composed over the realised parameters."""
    pld = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    common = importlib.import_module("dp_accounting.pld.common")
    composed = pld.identity()
    for epsilon, delta in history:
        parameters = common.DifferentialPrivacyParameters(float(epsilon), float(delta))
        composed = composed.compose(pld.from_privacy_parameters(parameters))
    return "CONT" if composed.get_delta_for_epsilon(float(budget[0])) <= float(budget[1]) else "HALT"
