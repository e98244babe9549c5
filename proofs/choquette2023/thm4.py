"""The profile of a run with banded correlated noise whose groups of records are sampled in turn.

Hypotheses: a record is added, removed or zeroed out; parameters fixed in advance; its group is public.
Source: Choquette-Choo et al. 2023, Theorem 4.

C is lower triangular Toeplitz with no more coefficients than there are groups, b. A record of group g is drawn with
probability q in the rounds t = g mod b, each time by a coin of its own. Its columns of C have no row in common, so that
the run is that of ceil(n/b) Poisson-sampled Gaussian rounds, one at least as long as each column, with the noise
multiplier sigma/|c|.

Here the coefficients have norm 1, and the profile of one round and of two is that of zdw2022/poisson, by its formula
and by an integral.
"""

from fractions import Fraction

from proofs.numerals import meet
from proofs.transcription import Property
from proofs.zdw2022.poisson import profile

F = Fraction
ID = "choquette2023/thm4.delta"

INPUTS = (
    ((F(3, 5), F(4, 5)), 2, 2, F(1, 3), F(2), F(1, 5)),
    ((F(3, 5), F(-4, 5)), 4, 2, F(1, 4), F(3, 2), F(1, 3)),
    ((F(2, 3), F(2, 3), F(1, 3)), 4, 3, F(1, 10), F(1), F(1)),
    ((F(1),), 2, 1, F(1, 10), F(1), F(1)),
)


def as_many_sampled_rounds(code):
    for coefficients, rounds, groups, q, sigma, eps in INPUTS:
        assert sum(c * c for c in coefficients) == 1
        low, high = code.enclosed(4, coefficients=coefficients, rounds=rounds, groups=groups, q=q, sigma=sigma, eps=eps)
        assert meet((low, high), profile(q, sigma, -(-rounds // groups), eps)), coefficients
        assert high - low <= F(1, 10**5) * high
        assert code.refuses(
            coefficients=(*coefficients, F(1)), rounds=rounds, groups=len(coefficients), q=q, sigma=sigma, eps=eps
        )


PROVES = (
    Property(
        ID, as_many_sampled_rounds, "4 inputs of one round of a record and two, as proofs/zdw2022/poisson.py", "grid"
    ),
)
