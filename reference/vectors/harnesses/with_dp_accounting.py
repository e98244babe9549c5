"""dp-accounting: privacy loss distributions, Renyi divergences, and its closed forms."""

from __future__ import annotations

from typing import Any

import dp_accounting_pld
from inputs import fixed_samples, sampled_rate, steps
from laws import binary_response, law
from noise import one_sigma
from serving import Function, serve

HEAD = "import dp_accounting as da; from dp_accounting.{} import {}\n"
REPLACE = "neighboring_relation=da.NeighboringRelation.REPLACE_ONE"
ACCOUNTANTS = (("PLDAccountant", "pld"), ("RdpAccountant", "rdp"))
BOTH = (("eps", "delta", "epsilon"), ("delta", "eps", "delta"))


def accountants(event: str, id: str, count: str, relation: str = "", part: str = "", **more: Any) -> list[Function]:
    """Both accountants, for epsilon and for delta."""
    event_name = event.partition("(")[0].removeprefix("da.")
    return [
        Function(
            f"{name}, {event_name}{part}",
            f"{id}.{quantity}",
            f"{HEAD.format(module, name)}accountant = {name}({relation})\n"
            f"accountant.compose(da.{event}, {count}).get_{get}({target})",
            part="PLD" if module == "pld" and not relation else f"{name}{part or f', {event_name}'}",
            **more,
        )
        for name, module in ACCOUNTANTS
        for quantity, target, get in BOTH
    ]


FUNCTIONS = [
    *dp_accounting_pld.FUNCTIONS,
    *(
        Function(
            f"{name}, Gaussians with counts",
            f"gdp/composition.{quantity}",
            f"{HEAD.format(module, name)}accountant = {name}()\n"
            f"[accountant.compose(da.GaussianDpEvent(s), n) for s, n in sigma]\naccountant.get_{get}({target})",
            part="PLD" if module == "pld" else f"{name}, ADD_OR_REMOVE_ONE",
            **one_sigma(),
        )
        for name, module in ACCOUNTANTS
        for quantity, target, get in BOTH
    ),
    *accountants("GaussianDpEvent(sigma)", "gdp/profile", "1", part=", ADD_OR_REMOVE_ONE", **one_sigma()),
    *accountants("GaussianDpEvent(sigma)", "gdp/profile", "1", REPLACE, ", REPLACE_ONE", **one_sigma(2)),
    *accountants("PoissonSampledDpEvent(q, da.GaussianDpEvent(sigma))", "zdw2022/poisson_gaussian", "k", given=steps),
    *accountants("LaplaceDpEvent(scale)", "zdw2022/thm10", "count", given=law("laplace")),
    *accountants(
        "RandomizedResponseDpEvent(noise, buckets)", "zdw2022/thm10", "count", REPLACE, given=law("randomized-response")
    ),
    *(
        Function(
            f"{name}, {event.partition('(')[0].partition('.')[2]}",
            f"{id}.{quantity}",
            f"{HEAD.format(module, name)}accountant = {name}({relation})\n"
            f"accountant.compose(da.{event}, {count}).get_{get}({target})",
            given,
            part=part,
        )
        for name, module, event, id, count, relation, given, part in (
            (
                "PLDAccountant",
                "pld",
                "dp_event.DiscreteLaplaceDpEvent(rate, 1)",
                "zdw2022/thm10",
                "count",
                "",
                law("geometric"),
                "PLD",
            ),
            (
                "PLDAccountant",
                "pld",
                "dp_event.MixtureOfGaussiansDpEvent(sigma, [0, 1], [1 - q, q])",
                "zdw2022/poisson_gaussian",
                "k",
                "",
                steps,
                "PLD",
            ),
            (
                "RdpAccountant",
                "rdp",
                "dp_event.ZCDpEvent(rho)",
                "cks2020/zcdp2dp",
                "1",
                "",
                lambda inputs: inputs,
                "RdpAccountant, ZCDpEvent",
            ),
        )
        for quantity, target, get in BOTH
    ),
    *(
        Function(
            f"{name}, RandomizedResponseDpEvent with a count",
            "hartmann2022/thm15.optdel",
            f"import math; {HEAD.format(module, name)}accountant = {name}({REPLACE})\n"
            "accountant.compose(da.RandomizedResponseDpEvent(noise, 2), count)\n"
            "accountant.get_delta(math.nextafter(math.log(exp_E), 0))",
            binary_response,
            part=f"{name}, RandomizedResponseDpEvent",
        )
        for name, module in ACCOUNTANTS
    ),
    Function(
        "RdpAccountant, SampledWithoutReplacementDpEvent",
        "zdw2022/poisson_gaussian.eps",
        f"{HEAD.format('rdp', 'RdpAccountant')}accountant = RdpAccountant({REPLACE})\n"
        "event = da.SampledWithoutReplacementDpEvent(records, size, da.GaussianDpEvent(sigma))\n"
        "accountant.compose(event, k).get_epsilon(delta)",
        fixed_samples,
        sampled_rate,
    ),
    *(
        Function(name, f"gdp/profile.{quantity}", code, **more)
        for name, quantity, code, more in (
            (
                "get_epsilon_gaussian",
                "eps",
                "import dp_accounting\ndp_accounting.get_epsilon_gaussian(sigma, delta)",
                one_sigma(),
            ),
            (
                "get_sigma_gaussian",
                "mu",
                "import dp_accounting; from fractions import Fraction\n"
                "1 / Fraction(dp_accounting.get_sigma_gaussian(eps, delta))",
                {},
            ),
        )
    ),
]

if __name__ == "__main__":
    serve("dp-accounting", FUNCTIONS)
