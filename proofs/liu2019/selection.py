"""Private selection: the number of trials that were not released costs at most as much again.

With an acceptance probability a and an end after each trial with probability g, the release of the first accepted
trial has the law p(x)/(a + g (1 - a)): numerator and denominator move by e^eps each. The best of a geometric number of
trials adds the event that no other was better. Source: Algorithms 1 and 2 (stated there with a cap on the trials).
"""

import sympy as sp

from proofs.transcription import Transcription

eps = sp.Symbol("eps", nonnegative=True)

PROVES = tuple(
    Transcription(f"liu2019/alg{n}.eps", lambda eps, n=n: (n + 1) * eps, ({"eps": eps},), "every eps") for n in (1, 2)
)
