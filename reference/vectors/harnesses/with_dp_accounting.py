"""dp-accounting: privacy loss distributions, Renyi divergences, and its closed forms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from inputs import equal_pure, fixed_samples, sampled_rate, some, steps
from noise import one_sigma
from serving import Function, Skip, serve

PLD = "from dp_accounting.pld.privacy_loss_distribution import *"
ACCOUNTANT = "import dp_accounting as da; from dp_accounting.{module} import {name}\n"
BOTH = (("eps", "delta", "epsilon_for_delta"), ("delta", "eps", "delta_for_epsilon"))
POISSON = "da.PoissonSampledDpEvent(q, da.GaussianDpEvent(sigma))"


def laplaces(inputs: dict[str, Any]) -> dict[str, Any]:
    """One Laplace mechanism of sensitivity 1, of which every number is a double."""
    exact = inputs["exact"]
    (round_,) = exact["rounds"] if len(exact["rounds"]) == 1 else [{}]
    known = {"kind", "scale", "sensitivity", "count"}
    if round_.get("kind") != "laplace" or round_.get("sensitivity") != "1" or not set(round_) <= known:
        raise Skip("not one Laplace mechanism of sensitivity 1")
    numbers = {"scale": round_["scale"]} | {name: exact[name] for name in ("delta", "eps") if name in exact}
    if any(Fraction(float(Fraction(text))) != Fraction(text) for text in numbers.values()):
        raise Skip("no doubles")
    return {name: float(Fraction(text)) for name, text in numbers.items()} | {"count": int(round_.get("count", 1))}


def accountants(event: str, id: str, count: str, **more: Any) -> list[Function]:
    """Both accountants, for epsilon and for delta."""
    return [
        Function(
            f"{name}, {event.partition('(')[0].removeprefix('da.')}",
            f"{id}.{quantity}",
            f"{ACCOUNTANT.format(module=module, name=name)}"
            f"{name}().compose({event}, {count}).get_{'epsilon' if quantity == 'eps' else 'delta'}({target})",
            part="PLD" if module == "pld" else "",
            **more,
        )
        for name, module in (("PLDAccountant", "pld"), ("RdpAccountant", "rdp"))
        for quantity, target, _ in BOTH
    ]


FUNCTIONS = [
    Function(
        "pld.accountant.advanced_composition",
        "kov2015/optimal.eps",
        "from dp_accounting.pld.accountant import advanced_composition\n"
        "from dp_accounting.pld.common import DifferentialPrivacyParameters as DP\n"
        "advanced_composition(DP(eps, 0), k, delta_g)",
        equal_pure,
    ),
    *(
        Function(
            f"PLD of pure rounds, {quantity}",
            f"kov2015/optimal.{quantity}",
            f"{PLD}\nlaw = from_privacy_parameters(common.DifferentialPrivacyParameters(eps, 0), 1e-4)\n"
            f"law.self_compose(k).get_{get}({given}_g)",
            equal_pure,
            part="PLD",
        )
        for quantity, given, get in BOTH
    ),
    *(
        Function(
            f"PLD of different rounds, {quantity}",
            f"mv2016/optimal.{quantity}",
            f"import functools; {PLD}\nlaw = lambda e, d: "
            "from_privacy_parameters(common.DifferentialPrivacyParameters(e, d), 1e-4)\n"
            f"functools.reduce(lambda a, b: a.compose(b), map(law, eps, delta)).get_{get}({given}_g)",
            some,
            part="PLD",
        )
        for quantity, given, get in BOTH
    ),
    Function(
        "get_epsilon_gaussian",
        "gdp/profile.eps",
        "import dp_accounting\ndp_accounting.get_epsilon_gaussian(sigma, delta)",
        **one_sigma(),
    ),
    *accountants("da.GaussianDpEvent(sigma)", "gdp/profile", "1", **one_sigma()),
    *(
        Function(
            f"{name}, Gaussians with counts",
            "gdp/composition.eps",
            f"{ACCOUNTANT.format(module=module, name=name)}accountant = {name}()\n"
            "[accountant.compose(da.GaussianDpEvent(s), n) for s, n in sigma]\naccountant.get_epsilon(delta)",
            **one_sigma(),
        )
        for name, module in (("PLDAccountant", "pld"), ("RdpAccountant", "rdp"))
    ),
    Function(
        "get_sigma_gaussian",
        "gdp/profile.mu",
        "import dp_accounting; from fractions import Fraction\n"
        "1 / Fraction(dp_accounting.get_sigma_gaussian(eps, delta))",
    ),
    *(
        Function(
            "RdpAccountant, ZCDpEvent",
            f"cks2020/zcdp2dp.{quantity}",
            f"{ACCOUNTANT.format(module='rdp', name='RdpAccountant')}"
            f"RdpAccountant().compose(da.ZCDpEvent(rho)).get_{'epsilon' if quantity == 'eps' else 'delta'}({given})",
        )
        for quantity, given, _ in BOTH
    ),
    *accountants(POISSON, "zdw2022/poisson_gaussian", "k", given=steps),
    Function(
        "RdpAccountant, SampledWithoutReplacementDpEvent",
        "zdw2022/poisson_gaussian.eps",
        f"{ACCOUNTANT.format(module='rdp', name='RdpAccountant')}"
        "event = da.SampledWithoutReplacementDpEvent(records, size, da.GaussianDpEvent(sigma))\n"
        "accountant = RdpAccountant(neighboring_relation=da.NeighboringRelation.REPLACE_ONE)\n"
        "accountant.compose(event, k).get_epsilon(delta)",
        fixed_samples,
        sampled_rate,
    ),
    *accountants("da.LaplaceDpEvent(scale)", "zdw2022/thm10", "count", given=laplaces),
]

if __name__ == "__main__":
    serve("dp-accounting", FUNCTIONS)
