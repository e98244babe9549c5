"""The hypotheses of theorems, as data: what a ledger must declare before a theorem may be applied to it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Literal


class Hypothesis(Enum):
    """A condition under which a statement holds; the value completes the sentence "it requires …"."""

    FIXED_PARAMETERS = "privacy parameters fixed in advance"
    EQUAL_PARAMETERS = "equal parameters in all rounds"
    PURE_ROUNDS = "delta = 0 in every round"
    APPROX_DP_ROUNDS = "an (epsilon, delta)-DP guarantee for every event"
    ZCDP_ROUNDS = "a (delta-approximate) zCDP guarantee for every event"
    RDP_ROUNDS = "a Renyi DP guarantee of a common order for every event"
    BOUNDED_RANGE_ROUNDS = "a bounded range guarantee for every event"
    QUERIES_IN_ADVANCE = "mechanisms, and what is asked of them, chosen in advance, nothing from earlier answers"
    GAUSSIAN_ROUNDS = "a Gaussian DP guarantee for every event"
    DOMINATED_ROUNDS = "an (epsilon, delta)-DP or a Gaussian DP guarantee for every event"
    GAUSSIAN_BASES = "Gaussian DP for every event; Gaussian noise on a sample counts as on all records"
    OUTPUT_DP_ROUNDS = "an output DP guarantee and the observed cell for every event"
    EX_POST_ROUNDS = (
        "for every event an (epsilon, delta)-DP, zCDP or Renyi DP guarantee, or an output DP guarantee with delta = 0"
    )
    ATTAINED = "a pair of neighbouring data sets that has the declared mechanisms' own pairs of laws"
    KNOWN_LAWS = "for every event a mechanism with a known law, or a guarantee that is one pair of laws"
    RELEASED = "released answers that are the mechanism's own, or these divided by what no neighbour changes"
    SAMPLED_ROUNDS = "equal rounds of a subsampled Gaussian mechanism"
    POISSON_SAMPLING = "Poisson subsampling, anew in every round, of one record added, removed or zeroed out"
    TRUNCATED_SAMPLES = (
        "Poisson subsampling under add-or-remove-one neighbours, where samples above a stated cap are cut to it by a "
        "rule of the records drawn, of coins and of earlier answers, no sum is divided by how many were drawn, and no "
        "data set has more than the stated number of records besides the one that differs; of every other event a "
        "known law"
    )
    CUT_BY_ORDER = (
        "Poisson subsampling of one record added, removed, replaced or zeroed out, where samples above a stated cap "
        "keep that many of their records by an order, random or fixed, of all records, no sum is divided by how many "
        "were drawn, and no data set has more than the stated number of records besides the one that differs; of every "
        "other event a known law"
    )
    BALLS_IN_BINS = (
        "batches by balls in bins: each record in one of them, drawn on its own and uniformly; one record added, "
        "removed or zeroed out"
    )
    RANDOM_STEPS = (
        "random steps: each record in a stated number of them, drawn on its own and uniformly, no step twice; "
        "one record added, removed or zeroed out"
    )
    EXCHANGED = (
        "Gaussian noise on Poisson samples of which a record is replaced, no record contributing more than half of "
        "what that changes; or that differ by several records; or noise of any kind on samples of a fixed size without "
        "replacement of which one is replaced or zeroed out"
    )
    ANY_SAMPLING = (
        "samples drawn by coins and earlier answers, which hold a record at most once, and are the same ones where a "
        "record is replaced or zeroed out"
    )
    FIXED_SIZE_SAMPLING = "samples of a fixed size without replacement, anew in every round"
    WITH_REPLACEMENT = "samples of a fixed size with replacement, anew in every round"
    SHUFFLED_BATCHES = "batches of one size that an epoch takes from a random order of all records, each record once"
    DISJOINT_PARTS = "disjoint parts by a public key, each unit's records in one, under add-or-remove-one neighbours"
    GROUP = "a group of units: data as many neighbours apart, two for each unit that changes in two steps"
    PERIODS = "each period's events read that period's data only, and every period has these events"
    SELECTION = "independent trials, after each of which a coin fixed in advance ends the run, with no cap on them"
    PDP_ROUNDS = "a probabilistic DP guarantee for every event"
    RR_LOSS = "the loss of the dominating randomized response, or delta = 0"
    INDIVIDUAL_LOSSES = (
        "for each unit and event a bound on what the event reveals of that unit, with it against without it and both "
        "ways, whoever else takes part; it is a function of the unit's own data and of earlier answers"
    )
    LEFT_OUT = (
        "a unit takes part in an event only where its losses, this one's included, stay within the budget, by a rule "
        "of its own data and of earlier answers; nothing is published of which units take part, nor an end that "
        "depends on it"
    )
    BUDGET_IN_ADVANCE = "a budget fixed before the first event and enforced (the ledger's `budget`)"
    OUTPUT_BUDGET = "a budget that Algorithm 1 enforced, charging the observed cells"
    EX_POST_BUDGET = "a budget that the ex-post filter enforced, charging the observed cells"
    TUNING_IN_ADVANCE = "tuning parameters fixed before the first event"
    EVIDENCE = "attacks whose numbers and confidence were chosen before their outcome, on what the ledger describes"
    PUBLIC_SIZE = "a public data set size under replace-one neighbours"
    SEQUENTIAL = "sequential interaction"
    CONCURRENT_DP = "sequential interaction, or concurrent (epsilon, delta)-DP or Gaussian DP mechanisms"
    CONCURRENT_RDP = (
        "sequential interaction, or concurrent mechanisms of (epsilon, delta)-DP, or of Renyi DP or zCDP with delta = 0"
    )
    CONCURRENT_ZCDP = (
        "sequential interaction, or concurrent mechanisms of (epsilon, delta)-DP, or of zCDP with delta = 0"
    )

    @property
    def key(self) -> str:
        """The hypothesis's stable name: ``fixed-parameters``. The value is prose and may change."""
        return self.name.lower().replace("_", "-")


#: What a theorem asks of the rule that decided which events ran.
BUDGET_HYPOTHESES = frozenset({Hypothesis.BUDGET_IN_ADVANCE, Hypothesis.OUTPUT_BUDGET, Hypothesis.EX_POST_BUDGET})

#: Those of them that let a round pay for its answer: without the budget it costs the most that it may.
PAID_BY_ANSWERS = frozenset({Hypothesis.OUTPUT_BUDGET, Hypothesis.EX_POST_BUDGET})


# --- which failure a theorem bounds -----------------------------------------------------------------------------------
#
# Odometers are promised in two ways. Rogers, Roth, Ullman, Vadhan 2016 (Section 3, Definition 3.1) bound the
# probability that the absolute value of the privacy loss exceeds the reading; Whitehouse, Ramdas, Rogers, Wu 2023
# (Section 4.1, Definition 6) bound the probability that the loss itself does, at some time: P(exists n: L_(1:n) > U_n)
# <= delta, for both orders of each pair of neighbours. The second is less: a loss far below 0 is not a failure there.


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
