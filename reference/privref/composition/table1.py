"""Table 1 of Hartmann et al. 2022: from how many rounds on optimal composition beats basic composition at a vertex."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.work import WorkLimitError
from privref.statements.hypotheses import Hypothesis
from privref.statements.params import OPEN_PROBABILITY, POSITIVE, one, whole
from privref.statements.registry import Result, evaluate, implements

from .optimal import vertex_delta

#: About e^eps rounds are needed: where eps is some 1,400 or more the search is given up.
_MOST_ROUNDS = 2**2048

_EQUAL_PURE = (Hypothesis.FIXED_PARAMETERS, Hypothesis.EQUAL_PARAMETERS, Hypothesis.PURE_ROUNDS)

#: The paper's row for eps = 1/10 and delta = 10^-5, …, 10^-12; every entry is one too large (erratum E17).
PRINTED_ROW = (17, 20, 24, 27, 31, 35, 38, 42)
DELTAS = tuple(Fraction(1, 10**n) for n in range(5, 13))
EPS = Fraction(1, 10)


@implements(
    "hartmann2022/table1.delta_i",
    kind="exact",
    cites="Table 1 (Kairouz, Oh, Viswanath 2015, Theorem 3.3)",
    params=(whole("k"), whole("i"), one("eps")),
    hypotheses=_EQUAL_PURE,
)
def table_delta(ar: Arithmetic, k: int, i: int, eps: Fraction) -> Result:
    """The delta of the i-th vertex of the optimal curve of k rounds of eps-DP.

    hartmann2022/table1.delta_i: Hartmann et al. 2022, Table 1; the same as kov2015/vertex.delta.
    """
    return vertex_delta(ar, eps, k, i)


def first_vertex(ar: Arithmetic, k: int, eps: Fraction) -> Scalar:
    """(1 - e^(-2 eps)) (1 + e^(-eps))^-k: the first vertex's delta, which falls with k."""
    return -ar.expm1(-2 * eps) / (1 + ar.exp(-eps)) ** k


@implements(
    "hartmann2022/table1.exact_min_k",
    kind="exact",
    cites="Table 1, recomputed",
    params=(one("delta", OPEN_PROBABILITY), one("eps", POSITIVE)),
    hypotheses=_EQUAL_PURE,
)
def least_rounds(ar: Arithmetic, delta: Fraction, eps: Fraction) -> Result:
    """From how many rounds of eps-DP on the first vertex of the optimal curve has a delta of at most ``delta``.

    hartmann2022/table1.exact_min_k: Hartmann et al. 2022, Table 1, recomputed: the least k >= 2 with
    delta_1(k) <= delta, delta_1(k) = (1 - e^(-2 eps)) (1 + e^(-eps))^-k. The whole curve beats basic composition at
    every k >= 1 and delta > 0 (kov2015/curve.eps_top_segment, erratum E18).
    """

    def fits(k: int) -> bool:
        # delta_1 is a non-constant rational function of e^eps, so it never equals a rational delta.
        return decide.sign(lambda inner: delta - first_vertex(inner, k, eps), ar) >= 0

    low, high = 1, 2
    while not fits(high):
        low, high = high, 2 * high
        if high > _MOST_ROUNDS:
            raise WorkLimitError("the least number of rounds is above 2^2048: ask for a smaller eps or a larger delta")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


@implements(
    "hartmann2022/table1.min_k.printed",
    kind="exact",
    cites="Table 1 as printed",
    params=(one("delta", OPEN_PROBABILITY), one("eps", POSITIVE)),
    hypotheses=_EQUAL_PURE,
    standing="printed",
)
def least_rounds_printed(ar: Arithmetic, delta: Fraction, eps: Fraction) -> Result:
    """The number of rounds that Table 1 prints: one more than needed.

    hartmann2022/table1.min_k.printed: Hartmann et al. 2022, Table 1: its row is the least k with
    delta_1(k - 1) <= delta (erratum E17).
    """
    found = least_rounds(ar, delta, eps)
    assert isinstance(found, int)
    return found + 1


@dataclass(frozen=True, slots=True)
class Table1Column:
    """One column with its certificate: delta_1 straddles delta at the recomputed k, and not at the printed one."""

    delta: Fraction
    rounds: int
    printed: int
    before: Enclosure
    at: Enclosure
    before_printed: Enclosure
    curve_eps_before: Enclosure

    @property
    def certified(self) -> bool:
        """delta_1(rounds - 1) > delta >= delta_1(rounds), so the recomputed entry is the minimum."""
        return self.at.upper <= self.delta < self.before.lower

    @property
    def printed_refuted(self) -> bool:
        """delta_1(printed - 1) <= delta already, so the printed entry is not the minimum."""
        return self.before_printed.upper <= self.delta


def table1(engine: decide.EngineName = "arb") -> tuple[Table1Column, ...]:
    """Table 1 recomputed, with the certificate of both rows and the whole curve's epsilon one round earlier (E18)."""

    def vertex(k: int) -> Enclosure:
        found = evaluate("hartmann2022/table1.delta_i", {"k": k, "i": 1, "eps": EPS}, engine=engine).enclosure
        assert found is not None
        return found

    columns = []
    for delta, printed in zip(DELTAS, PRINTED_ROW, strict=True):
        rounds = least_rounds(decide.engine(engine), delta, EPS)
        assert isinstance(rounds, int)
        curve = evaluate("kov2015/curve.eps_top_segment", {"k": rounds - 1, "eps": EPS, "delta": delta}, engine=engine)
        assert curve.enclosure is not None
        columns.append(
            Table1Column(
                delta, rounds, printed, vertex(rounds - 1), vertex(rounds), vertex(printed - 1), curve.enclosure
            )
        )
    return tuple(columns)
