"""Functions of the peers that take a mechanism with its noise: judged by the composition of its dominating pairs.

Only cases whose parameters are doubles are asked, so that the library accounts exactly the mechanism of the case.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from privref.exact.numbers import rational

from .model import Call, Inputs

_EPS, _DELTA = "zdw2022/thm10.eps", "zdw2022/thm10.delta"
_PLD = "import dp_accounting as da; from dp_accounting.pld import PLDAccountant"
_RDP = "import dp_accounting as da; from dp_accounting.rdp import RdpAccountant"
_REPLACE = "neighboring_relation=da.NeighboringRelation.REPLACE_ONE"


def _one(inputs: Inputs) -> tuple[dict[str, Any], int] | None:
    """The fields of the only mechanism, and how often it ran; None where there are several or none."""
    if len(inputs["rounds"]) != 1:
        return None
    mechanism, count = inputs["rounds"][0]
    return mechanism.document, count


def _parameters(inputs: Inputs, kind: str) -> dict[str, Fraction | int] | None:
    """What a library is given for a mechanism of this kind; None where it is another, or is not for it to say."""
    found = _one(inputs)
    if found is None or found[0]["kind"] != kind:
        return None
    document, count = found
    given: dict[str, Fraction | int] = {}
    match kind:
        case "laplace":
            if document.get("sensitivity") != "1":
                return None
            given["scale"] = rational(document["scale"])
        case "geometric":
            if document["shifts"] != ["1"]:
                return None
            given["rate"] = 1 / rational(document["scale"])
        case "discrete-gaussian":
            sigma = rational(document["sigma"]) if "sigma" in document else None
            if sigma is None or document["shifts"] != ["1"]:
                return None
            given["sigma"] = sigma
        case "randomized-response":
            if "probability" not in document:
                return None
            buckets = int(document.get("outcomes", "2"))
            # The true answer with probability 1 - noise, else any of the buckets.
            given["noise"] = (1 - rational(document["probability"])) * buckets / (buckets - 1)
            given["buckets"] = buckets
    return {**given, "count": count}


def _exact(given: dict[str, Fraction | int] | None) -> bool:
    return given is not None and all(Fraction(float(value)) == value for value in given.values())


def _call(function: str, kind: str, quantity: str, code: str, part: str, **more: Any) -> Call:
    target = "delta" if quantity == "epsilon" else "eps"
    allowed: Callable[[dict[str, Any]], bool] = more.pop("allowed", lambda given: True)

    def given(inputs: Inputs) -> dict[str, Any]:
        return {**(_parameters(inputs, kind) or {}), target: inputs[target]}

    def applies(inputs: Inputs) -> bool:
        parameters = _parameters(inputs, kind)
        return _exact(parameters) and allowed({**(parameters or {}), target: inputs[target]})

    id = _EPS if quantity == "epsilon" else _DELTA
    return Call(f"{function}, {quantity}", id, code, applies=applies, given=given, part=part, **more)


def _event(accountant: str, event: str, kind: str, relation: str = "", **more: Any) -> tuple[Call, ...]:
    head = _PLD if accountant == "PLDAccountant" else _RDP
    name = event.partition("(")[0]
    return tuple(
        _call(
            f"{accountant}, {name}",
            kind,
            quantity,
            f"{head}\n{accountant}({relation}).compose(da.{event}, count).get_{quantity}({target})",
            part="PLD" if accountant == "PLDAccountant" and not relation else f"{accountant}, {name}",
            **more,
        )
        for quantity, target in (("epsilon", "delta"), ("delta", "eps"))
    )


DP_ACCOUNTING = (
    *_event("PLDAccountant", "LaplaceDpEvent(scale)", "laplace"),
    *_event("RdpAccountant", "LaplaceDpEvent(scale)", "laplace"),
    *_event("PLDAccountant", "dp_event.DiscreteLaplaceDpEvent(rate, 1)", "geometric"),
    *_event("PLDAccountant", "RandomizedResponseDpEvent(noise, buckets)", "randomized-response", _REPLACE),
    *_event("RdpAccountant", "RandomizedResponseDpEvent(noise, buckets)", "randomized-response", _REPLACE),
    *(
        _call(
            "PLD of a discrete Gaussian",
            "discrete-gaussian",
            quantity,
            "from dp_accounting.pld.privacy_loss_distribution import from_discrete_gaussian_mechanism\n"
            f"from_discrete_gaussian_mechanism(sigma).self_compose(count).get_{quantity}_for_{other}({target})",
            part="PLD",
        )
        for quantity, other, target in (("epsilon", "delta", "delta"), ("delta", "epsilon", "eps"))
    ),
)

AUTODP = tuple(
    _call(
        f"{mechanism}, Composition",
        kind,
        "epsilon",
        f"from autodp.mechanism_zoo import {mechanism}; from autodp.transformer_zoo import Composition\n"
        f"Composition()([{mechanism}({argument})], [count]).get_approxDP(delta)",
        part=mechanism,
        allowed=allowed,
    )
    for mechanism, kind, argument, allowed in (
        ("LaplaceMechanism", "laplace", "scale", lambda given: True),
        ("RandresponseMechanism", "randomized-response", "1 - noise / 2", lambda given: given["buckets"] == 2),
        ("DiscreteGaussianMechanism", "discrete-gaussian", "sigma", lambda given: True),
    )
)

PRV = (
    _call(
        "PRVAccountant, LaplaceMechanism (upper)",
        "laplace",
        "epsilon",
        "from prv_accountant import PRVAccountant, LaplaceMechanism\n"
        "accountant = PRVAccountant(LaplaceMechanism(1 / scale), 0.1, delta / 1000, count)\n"
        "accountant.compute_epsilon(delta, [count])[2]",
        part="PRVAccountant, LaplaceMechanism",
        allowed=lambda given: given["delta"] > 0 and Fraction(float(1 / given["scale"])) == 1 / given["scale"],
    ),
)

_MAX = (
    'import opendp.prelude as dp; dp.enable_features("contrib")\n'
    "space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int), dp.zero_concentrated_divergence()\n"
)
_HISTOGRAM = (
    'import opendp.prelude as dp; dp.enable_features("contrib")\n'
    "keys_to_counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))\n"
    "space = keys_to_counts, dp.l01inf_distance(dp.absolute_distance(T=int))\n"
)


def _scale(inputs: Inputs) -> dict[str, Any]:
    """The scale of the noise for which selection has a range of eps: scores that move by 1 move apart by 2."""
    return {"scale": 2 / inputs["eps"]}


def _double(value: Fraction) -> bool:
    return Fraction(float(value)) == value


OPENDP = (
    Call(
        "make_noisy_max, zCDP",
        "cesar2021/br2zcdp.rho",
        f"{_MAX}dp.m.make_noisy_max(*space, scale).map(1)",
        applies=lambda inputs: inputs["eps"] > 0 and _double(2 / inputs["eps"]),
        given=_scale,
    ),
    Call(
        "make_laplace_threshold, its delta",
        "rogers2023/threshold.delta",
        f"{_HISTOGRAM}dp.m.make_laplace_threshold(*space, scale, threshold).map((keys, keys, 1))[1]",
        applies=lambda inputs: inputs["threshold"] > 1,
        most_rounds=10**6,
        part="make_laplace_threshold",
    ),
    _call(
        "make_laplace, composed",
        "laplace",
        "epsilon",
        'import opendp.prelude as dp; dp.enable_features("contrib")\n'
        "space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)\n"
        "dp.c.make_composition([dp.m.make_laplace(*space, scale)] * count).map(1.0)",
        part="make_laplace",
        allowed=lambda given: given["delta"] == 0,
    ),
)
