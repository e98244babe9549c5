"""Propose-test-release functions and their cascade (Hartmann et al. 2022, Definition 9, section 4.2, Lemma 10)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from privref.exact.arithmetic import Arithmetic, Scalar
from privref.guarantees.model import OutputDP
from privref.guarantees.output_dp import Cells, partition_from_rule
from privref.statements.params import Probability, choice
from privref.statements.registry import implements


def _ptr_costs(eps: Fraction) -> Cells:
    return partition_from_rule({"rule": "ptr", "eps": eps}, "ptr")


def _cascade_costs(eps: Fraction) -> Cells:
    return ("answer", 3 * eps), ("bottom", 2 * eps)


def ptr_function(eps: Fraction, delta: Fraction) -> OutputDP:
    """The guarantee of an (eps, delta)-PTR function at a fixed proposal: answer 2 eps, bottom eps, delta."""
    return OutputDP(_ptr_costs(eps), delta)


def ptr_cascade(eps: Fraction, delta: Fraction) -> OutputDP:
    """What Definition 9 alone supports for M_IQR, two PTR functions in a row, as one mechanism (erratum E13)."""
    return OutputDP(_cascade_costs(eps), 2 * delta - delta * delta)


@implements("hartmann2022/def9.E", kind="upper", cites="Section 4.2 after Definition 9")
def ptr_cost(ar: Arithmetic, eps: Fraction, cell: Annotated[str, choice("answer", "bottom")]) -> Scalar:
    """What an output of an (eps, delta)-PTR function costs: 2 eps for an answer, eps for "bottom".

    hartmann2022/def9.E: Hartmann et al. 2022, section 4.2: ({C', bottom}, {2 eps, eps}, delta)-output DP, for each
    fixed proposal s.
    """
    return dict(_ptr_costs(eps))[cell]


@implements("hartmann2022/lem10.E", kind="upper", cites="Lemma 10")
def cascade_cost(ar: Arithmetic, eps: Fraction, cell: Annotated[str, choice("answer", "bottom")]) -> Scalar:
    """What an output of M_IQR, two PTR functions in a row, costs: 3 eps for an answer, 2 eps for "bottom".

    hartmann2022/lem10.E: Hartmann et al. 2022, Lemma 10; its delta is hartmann2022/lem10.delta_from_def9.
    """
    return dict(_cascade_costs(eps))[cell]


@implements("hartmann2022/lem10.delta_from_def9", kind="exact", cites="Lemma 10, with what Definition 9 alone supports")
def cascade_delta(ar: Arithmetic, delta: Probability) -> Scalar:
    """The delta of M_IQR that follows from its two steps being PTR functions, and no smaller one does.

    hartmann2022/lem10.delta_from_def9: 2 delta - delta^2. With a = Pr(step 1 answers) <= delta where its proposal is
    bad, both bad proposals lose at most a + (1 - a) delta. Attained where both proposals are bad (erratum E13).
    """
    return 2 * delta - delta * delta


@implements("hartmann2022/lem10.delta.printed", kind="upper", cites="Lemma 10 as printed", standing="printed")
def cascade_delta_printed(ar: Arithmetic, delta: Probability) -> Scalar:
    """The delta of M_IQR as printed, which needs more than that its steps are PTR functions.

    hartmann2022/lem10.delta.printed: Hartmann et al. 2022, Lemma 10 as printed: delta (erratum E13).
    """
    return delta


@implements(
    "hartmann2022/sec4.2.cascade.eps", kind="upper", cites="Section 4.2, two separate mechanisms under Algorithm 1"
)
def separate_eps(
    ar: Arithmetic, eps: Fraction, case: Annotated[str, choice("answer", "bottom-answer", "bottom-bottom")]
) -> Scalar:
    """The epsilon that two PTR functions spend as separate events of Algorithm 1.

    hartmann2022/sec4.2.cascade.eps: Hartmann et al. 2022, section 4.2: 2 eps where the first answers, 3 eps where the
    second does, 2 eps where none does.
    """
    return {"answer": 2, "bottom-answer": 3, "bottom-bottom": 2}[case] * eps


@implements(
    "hartmann2022/sec4.2.cascade.delta", kind="upper", cites="Section 4.2, two separate mechanisms under Algorithm 1"
)
def separate_delta(
    ar: Arithmetic, delta: Probability, case: Annotated[str, choice("answer", "bottom-answer", "bottom-bottom")]
) -> Scalar:
    """The delta that two PTR functions spend as separate events of Algorithm 1.

    hartmann2022/sec4.2.cascade.delta: Hartmann et al. 2022, section 4.2: delta for each function that was invoked.
    """
    return delta if case == "answer" else 2 * delta


# The toy mechanism of Hartmann et al. 2022: a fair coin decides between an epsilon-DP answer and nothing.


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
