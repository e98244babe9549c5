"""PLD_accounting: its subsampling of a privacy loss distribution; random allocation has no vectors."""

from __future__ import annotations

from inputs import steps
from serving import Function, serve

LAW = (
    "from PLD_accounting import subsample_pld\n"
    "from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism\n"
    "law = subsample_pld(pld=from_gaussian_mechanism(sigma), sampling_probability=q).self_compose(k)\n"
)
FUNCTIONS = [
    Function(
        "subsample_pld, composed",
        "zdw2022/poisson_gaussian.eps",
        f"{LAW}law.get_epsilon_for_delta(delta)",
        steps,
        part="PLD",
    ),
    Function(
        "subsample_pld, composed",
        "zdw2022/poisson_gaussian.delta",
        f"{LAW}law.get_delta_for_epsilon(eps)",
        steps,
        part="PLD",
    ),
]

if __name__ == "__main__":
    serve("PLD_accounting", FUNCTIONS)
