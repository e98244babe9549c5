"""Correlated noise on samples of groups in turn: a run is as many Poisson-sampled Gaussian rounds as a record has.

The argument is in ``correlated``; the rounds are those of ``subsampled``.
"""

from __future__ import annotations

from fractions import Fraction

from privref.exact.arithmetic import Arithmetic
from privref.exact.errors import InputError
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import AnyNumber, Count, Positive, Probability
from privref.statements.registry import Result, implements

from .correlated import largest_square
from .sampled import multipliers
from .subsampled import STATED_WIDTH, poisson_gaussian_delta_statement


@implements(
    "choquette2023/thm4.delta",
    kind="upper",
    cites="Theorem 4",
    hypotheses=(Hypothesis.FIXED_PARAMETERS, Hypothesis.POISSON_SAMPLING),
    stated_width=lambda inputs: None if inputs["q"] in (0, 1) else STATED_WIDTH,
)
def cyclic_delta(
    ar: Arithmetic,
    coefficients: tuple[AnyNumber, ...],
    rounds: Count,
    groups: Count,
    q: Probability,
    sigma: Positive,
    eps: Fraction,
) -> Result:
    """The delta at epsilon of a run with correlated noise whose groups of records are sampled in turn.

    choquette2023/thm4.delta (Choquette-Choo et al. 2023, Theorem 4): C is lower triangular Toeplitz with no more
    coefficients than groups. Round t draws each record of group t mod ``groups`` with probability q, and adds noise of
    sigma norms. zdw2022/poisson_gaussian.delta of ceil(rounds/groups) rounds, with sigma over the norm of a column,
    rounded down to a multiple of 2^-120 where it is irrational. An upper bound: exact if groups divide the rounds.
    """
    if len(coefficients) > groups:
        raise InputError("coefficients", f"{len(coefficients)} coefficients", "give no more than there are groups")
    column = largest_square(coefficients, rounds, 1, 1, "")
    return poisson_gaussian_delta_statement(ar, q, multipliers(column / sigma**2)[0], -(-rounds // groups), eps)
