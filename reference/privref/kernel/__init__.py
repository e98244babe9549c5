"""The kernel: what decides ``verified``. Read it, and you need not trust the rest of privref.

Reading order: numbers, fields, balls, evidence, pairs, record (what a ledger says); losses, bins, grid, inequalities;
theorems, refutations, machines (what follows from what); certificate (what is checked); relations (published numbers,
without a ledger). It imports nothing else of privref.
"""

from __future__ import annotations

from privref.kernel.certificate import Checked, check
from privref.kernel.numbers import Malformed, Refused, document
from privref.kernel.relations import Related, relate

__all__ = ["Checked", "Malformed", "Refused", "Related", "check", "document", "relate"]
