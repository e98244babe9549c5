"""Which failure a theorem bounds: what filters and odometers promise not to happen with more than their delta.

Odometers are promised in two ways. Rogers, Roth, Ullman, Vadhan 2016 (Section 3, Definition 3.1) bound the probability
that the absolute value of the privacy loss exceeds the reading; Whitehouse, Ramdas, Rogers, Wu 2023 (Section 4.1,
Definition 6) bound the probability that the loss itself does, at some time: P(exists n: L_(1:n) > U_n) <= delta, for
both orders of each pair of neighbours. The second is less: a loss far below 0 is not a failure there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

#: ``view``: delta of the whole interaction at the filter's epsilon. ``loss``: |loss|. ``one-sided``: the loss.
Failure = Literal["view", "loss", "one-sided"]

#: The failures of an odometer, in short and with the place of the definition.
READING_FAILURES: Mapping[Failure, str] = {
    "one-sided": "the loss exceeds the reading at some time (Whitehouse et al. 2023, Definition 6)",
    "loss": "the absolute value of the loss exceeds the reading at some time (Rogers et al. 2016, Definition 3.1)",
}


def promised(failure: Failure) -> str:
    """Say what a machine promises that bounds this failure; empty for a filter's, whose budget says it."""
    return f"the probability that {READING_FAILURES[failure]}" if failure in READING_FAILURES else ""
