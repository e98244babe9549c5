"""Points of delta against epsilon: a theorem's delta at another epsilon, what a witness loses there at least."""

from __future__ import annotations

import math
from fractions import Fraction

from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, UndecidedError
from privref.exact.work import WorkLimitError
from privref.statements.hypotheses import BUDGET_HYPOTHESES, Hypothesis
from privref.statements.registry import solve, statement

from .opinions import Bound
from .refuters import Witness
from .routes import Application

#: The statement of epsilon -> the statement of delta, the name of epsilon there, the name of delta here.
INVERSES = {
    "cks2020/zcdp2dp.eps": ("cks2020/zcdp2dp.delta", "eps", "delta"),
    "mironov2017/mixed.eps": ("mironov2017/mixed.delta", "eps_g", "delta"),
    "gdp/composition.eps": ("gdp/composition.delta", "eps", "delta"),
    "kov2015/optimal.eps": ("kov2015/optimal.delta", "eps_g", "delta_g"),
    "mv2016/optimal.eps": ("mv2016/optimal.delta", "eps_g", "delta_g"),
    "dong2020/thm3.eps": ("dong2020/thm3.delta", "eps_g", "delta_g"),
    "dong2020/adaptive.eps": ("dong2020/adaptive.delta", "eps_g", "delta_g"),
    "dong2020/advance.eps": ("dong2020/advance.delta", "eps_g", "delta_g"),
    "zdw2022/thm10.eps": ("zdw2022/thm10.delta", "eps", "delta"),
    "zdw2022/poisson_gaussian.eps": ("zdw2022/poisson_gaussian.delta", "eps", "delta"),
    "chua2024b/cut.eps": ("chua2024b/cut.delta", "eps", "delta"),
    "chua2024b/truncated.eps": ("chua2024b/truncated.delta", "eps", "delta"),
    "chua2025/allocation.eps": ("chua2025/allocation.delta", "eps", "delta"),
}

Point = tuple[Fraction, Fraction]
"""An epsilon, and a delta that goes with it."""
#: Digits of what a witness loses.
_DIGITS = 6


def in_force(application: Application) -> bool:
    """Whether the theorem guarantees the budget of a filter, or what was tuned in advance, and no other point."""
    tied = BUDGET_HYPOTHESES | {Hypothesis.TUNING_IN_ADVANCE}
    premises = any(finding.premise and finding.hypothesis in tied for finding in application.findings)
    return premises or application.supposed is not None


def has_inverse(item: Bound, delta: Fraction) -> bool:
    """Whether the inverse speaks of the same delta: nothing of it went to the events or to a split."""
    known = INVERSES.get(item.application.statement)
    return known is not None and not in_force(item.application) and item.application.inputs.get(known[2]) == delta


def delta_at(item: Bound, epsilon: Fraction, digits: int = 8) -> Enclosure | None:
    """The theorem's delta at another epsilon; None where it gives none. Only where it has an inverse."""
    id, name, dropped = INVERSES[item.application.statement]
    inputs = {key: value for key, value in item.application.inputs.items() if key != dropped} | {name: epsilon}
    found = statement(id)
    try:
        return solve(found, inputs, digits=digits, engine="arb").enclosure
    except WorkLimitError:
        raise
    except (HypothesisError, UndecidedError):
        return None


def lower_of(witness: Witness) -> Fraction:
    """What the witness loses at least; one engine's word, as for the other curves."""
    try:
        found = solve(statement(witness.statement), witness.inputs, digits=_DIGITS, engine="arb").enclosure
    except WorkLimitError:
        raise
    except (HypothesisError, UndecidedError):
        return Fraction(0)
    return Fraction(0) if found is None else found.lower


def log10(value: Fraction) -> float:
    """For places on a picture only; of numbers too small for a double as well."""
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    return math.log10(float(value / Fraction(2) ** shift)) + shift * math.log10(2)
