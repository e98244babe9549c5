"""An (eps, delta)-PTR function is output DP with E(answer) = 2 eps, E(bottom) = eps and delta. Two of them in a row, as
separate events of Algorithm 1, spend (2 eps, delta) where the first answers, (3 eps, 2 delta) where the second does,
(2 eps, 2 delta) where none does. As one mechanism (Lemma 10): E(R) = 3 eps, E(bottom) = 2 eps, with delta as printed;
from Definition 9 alone only 2 delta - delta^2 follows, and it is attained (E13; proofs/errata).

The toy mechanism costs eps where it answers and nothing where it does not. Hypotheses: a fixed proposal s. Source:
Section 4.2, Definition 9, Lemma 10; the example after Definition 2.
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", nonnegative=True)
delta = sp.Symbol("delta", nonnegative=True)


def by(**values):
    return lambda eps, **choice: values[next(iter(choice.values())).replace("-", "_")] * eps


def spent_delta(delta, case):
    invoked = {"answer": 1, "bottom-answer": 2, "bottom-bottom": 2}[case]
    return invoked * delta


CELLS = tuple({"eps": eps, "cell": cell} for cell in ("answer", "bottom"))
RUNS = ("answer", "bottom-answer", "bottom-bottom")

PROVES = (
    Transcription("hartmann2022/sec3.toy.E", by(answer=1, bottom=0), CELLS, "both cells"),
    Transcription("hartmann2022/def9.E", by(answer=2, bottom=1), CELLS, "both cells, every eps"),
    Transcription("hartmann2022/lem10.E", by(answer=3, bottom=2), CELLS, "both cells"),
    Transcription("hartmann2022/lem10.delta.printed", lambda delta: delta, ({"delta": delta},), "every delta"),
    Transcription(
        "hartmann2022/lem10.delta_from_def9",
        lambda delta: 1 - (1 - delta) ** 2,
        ({"delta": delta},),
        "every delta",
    ),
    Transcription(
        "hartmann2022/sec4.2.cascade.eps",
        by(answer=2, bottom_answer=3, bottom_bottom=2),
        tuple({"eps": eps, "case": case} for case in RUNS),
        "all three cases",
    ),
    Transcription(
        "hartmann2022/sec4.2.cascade.delta",
        spent_delta,
        tuple({"delta": delta, "case": case} for case in RUNS),
        "all three cases",
    ),
)
