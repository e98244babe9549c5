"""Private selection: the number of trials that were not released costs at most as much again.

With an acceptance probability a and an end after each trial with probability g, the release of the first accepted
trial has the law p(x)/(a + g (1 - a)): numerator and denominator move by e^eps each. The best of a geometric number of
trials adds the event that no other was better.

Hypotheses: every trial is the same eps-DP mechanism run afresh; whether a trial is accepted, and how good it is, is a
function of its own output; whether another trial follows is a coin that the data does not touch. Source: Theorems
3.1 and 3.2 of Liu, Talwar 2019, Algorithms 1 and 2 (stated there with a cap on the trials).
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", nonnegative=True)

PROVES = tuple(
    Transcription(f"liu2019/alg{n}.eps", lambda eps, n=n: (n + 1) * eps, ({"eps": eps},), "every eps") for n in (1, 2)
)
