"""The toy mechanism of Hartmann et al. 2022: a fair coin decides between an epsilon-DP answer and nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.guarantees.model import OutputDP
from privref.statements.params import choice
from privref.statements.registry import implements


def toy(eps: Fraction) -> OutputDP:
    """The guarantee of M_toy: an answer costs eps, "bottom" nothing, delta = 0."""
    return OutputDP(_costs(eps), Fraction(0))


def _costs(eps: Fraction) -> tuple[tuple[str, Fraction], ...]:
    return (("answer", eps), ("bottom", Fraction(0)))


@implements("hartmann2022/sec3.toy.E", kind="exact", cites="Section 1 and the example after Definition 2")
def toy_cost(ar: Arithmetic, eps: Fraction, cell: Annotated[str, choice("answer", "bottom")]) -> Scalar:
    """What an output of the toy mechanism costs: eps for an answer, nothing for "bottom".

    hartmann2022/sec3.toy.E: Hartmann et al. 2022, example after Definition 2; delta = 0. The coin does not depend on
    the data, so both costs are exact for an answer that is exactly eps-DP.
    """
    return dict(_costs(eps))[cell]
