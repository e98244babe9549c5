"""Whether a theorem's hypothesis is met, and by what."""

from __future__ import annotations

from dataclasses import dataclass

from privref.statements.hypotheses import Hypothesis


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a hypothesis is met, and by what; a premise is what is declared and no ledger can show."""

    hypothesis: Hypothesis
    met: bool
    how: str
    premise: bool = False
    lifted_by: str = ""
    """The theorem by which it holds where mechanisms may run concurrently."""
