"""Which theorems hold of mechanisms that run concurrently, by which theorem, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterator

from privref.statements.hypotheses import Hypothesis
from privref.statements.theorems import LIFTS, THEOREMS, Theorem

_H = Hypothesis

_OF = {
    _H.CONCURRENT_DP: "(epsilon, delta)-DP, f-DP",
    _H.CONCURRENT_RDP: "(epsilon, delta)-DP; Renyi DP, zCDP with delta = 0",
    _H.CONCURRENT_ZCDP: "(epsilon, delta)-DP; zCDP with delta = 0",
}

#: Why a theorem stays with one mechanism after the other, by the first of its hypotheses that is here.
_WHY = {
    _H.QUERIES_IN_ADVANCE: "false: what is asked of one may depend on another's answer",
    _H.BOUNDED_RANGE_ROUNDS: "not proved: its worst rounds are chosen one after the other",
    _H.OUTPUT_DP_ROUNDS: "not proved: a cell is known at the end of a conversation",
    _H.EX_POST_ROUNDS: "not proved: a cell is known at the end of a conversation",
    _H.INDIVIDUAL_LOSSES: "not proved: who takes part may change within a conversation",
    _H.PUBLIC_SIZE: "not proved: its bounds on the loss are of whole rounds",
    _H.PDP_ROUNDS: "not proved: the part of a round that may lose more is known at its end",
}


def concurrency() -> Iterator[dict[str, str]]:
    """A row for each theorem by which an audit, a filter or an odometer answers."""
    for each in THEOREMS:
        if not each.lifts:
            yield {"theorem": each.id, **_row(each)}
    by_itself = next(each for each in THEOREMS if each.id == "rogers2016/thm3.3")
    yield {"theorem": f"{by_itself.id}, as an odometer", **_said(by_itself, by_itself.odometer_hypotheses)}


def _row(each: Theorem) -> dict[str, str]:
    return _said(each, each.hypotheses or each.odometer_hypotheses)


def _said(each: Theorem, hypotheses: tuple[Hypothesis, ...]) -> dict[str, str]:
    lifted = next((hypothesis for hypothesis in hypotheses if hypothesis in LIFTS), None)
    if lifted is not None:
        return {"concurrent": "yes", "of, or why not": _OF[lifted], "by": LIFTS[lifted]}
    why = next(_WHY[hypothesis] for hypothesis in _WHY if hypothesis in hypotheses)
    return {"concurrent": "no", "of, or why not": why, "by": "-"}
