"""The part `pld` of dp-accounting without its accountant: distributions composed by hand, and closed forms."""

from __future__ import annotations

from typing import Any

from inputs import at_most, equal_pure, some
from laws import law
from noise import one_sigma
from serving import Function

PLD = "from dp_accounting.pld.privacy_loss_distribution import *"
PURE = "from_privacy_parameters(common.DifferentialPrivacyParameters({}), 1e-4)"


def distributions(function: str, id: str, law: str, targets: tuple[str, str], **more: Any) -> list[Function]:
    """A distribution, for epsilon and for delta."""
    gets = (f"get_epsilon_for_delta({targets[0]})", f"get_delta_for_epsilon({targets[1]})")
    return [
        Function(function, f"{id}.{quantity}", f"import functools; {PLD}\n{law}.{get}", part="PLD", **more)
        for quantity, get in zip(("eps", "delta"), gets, strict=True)
    ]


SUM = "functools.reduce(lambda a, b: a.compose(b), {})"
EACH = f"[{PURE.format('e, d')} for e, d in zip(eps, delta, strict=True)]"
FUNCTIONS = [
    Function(
        "pld.accountant.advanced_composition",
        "kov2015/optimal.eps",
        "from dp_accounting.pld.accountant import advanced_composition\n"
        "from dp_accounting.pld.common import DifferentialPrivacyParameters as DP\n"
        "advanced_composition(DP(eps, 0), k, delta_g)",
        equal_pure,
    ),
    Function(
        "get_smallest_gaussian_noise",
        "gdp/profile.mu",
        "from fractions import Fraction; from dp_accounting.pld.accountant import *\n"
        "1 / Fraction(get_smallest_gaussian_noise(common.DifferentialPrivacyParameters(eps, delta)))",
    ),
    *distributions(
        "PLD of pure rounds",
        "kov2015/optimal",
        f"{PURE.format('eps, 0')}.self_compose(k)",
        ("delta_g", "eps_g"),
        given=equal_pure,
    ),
    *distributions(
        "PLD of different rounds",
        "mv2016/optimal",
        f"laws = {EACH}\n{SUM.format('laws')}",
        ("delta_g", "eps_g"),
        given=lambda inputs: at_most(1000)(some(inputs)),
    ),
    *distributions(
        "PLD of different rounds and Gaussians",
        "mv2016/mixed",
        f"laws = {EACH}\ngaussians = [from_gaussian_mechanism(s).self_compose(n) for s, n in sigma]\n"
        f"{SUM.format('laws + gaussians')}",
        ("delta_g", "eps_g"),
        **one_sigma(then=at_most(1000)),
    ),
    *distributions(
        "PLD of Gaussians, self_compose",
        "gdp/composition",
        SUM.format("[from_gaussian_mechanism(s).self_compose(n) for s, n in sigma]"),
        ("delta", "eps"),
        **one_sigma(then=at_most(10_000)),
    ),
    *distributions(
        "PLD of a discrete Gaussian",
        "zdw2022/thm10",
        "from_discrete_gaussian_mechanism(sigma).self_compose(count)",
        ("delta", "eps"),
        given=law("discrete-gaussian"),
    ),
]
