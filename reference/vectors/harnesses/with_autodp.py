"""autodp: compositions of pure rounds and of Gaussians, DP-SGD, and the conversion from zCDP."""

from __future__ import annotations

from inputs import equal_pure, some, steps
from noise import one_sigma
from serving import Function, serve

ZOO = "from autodp.mechanism_zoo import {}; from autodp.transformer_zoo import *\n"
FUNCTIONS = [
    Function(
        "PureDP_Mechanism, Composition",
        "kov2015/optimal.eps",
        f"{ZOO.format('PureDP_Mechanism')}Composition()([PureDP_Mechanism(eps)], [k]).get_approxDP(delta_g)",
        equal_pure,
        part="PureDP_Mechanism",
    ),
    Function(
        "DP_acct.get_eps",
        "mv2016/optimal.eps",
        "from autodp.dp_acct import DP_acct\naccountant = DP_acct()\n"
        "[accountant.update_DPlosses(e, d) for e, d in zip(eps, delta)]\naccountant.get_eps(delta_g)",
        some,
    ),
    *(
        Function(
            f"{name}.get_approxDP",
            "gdp/profile.eps",
            f"from autodp.mechanism_zoo import {name}\n{name}(sigma).get_approxDP(delta)",
            **one_sigma(),
        )
        for name in ("ExactGaussianMechanism", "GaussianMechanism")
    ),
    *(
        Function(
            f"{name}, {transformer}",
            "gdp/composition.eps",
            f"{ZOO.format(name)}laws, counts = [{name}(s) for s, n in sigma], [n for s, n in sigma]\n"
            f"{transformer}()(laws, counts).get_approxDP(delta)",
            part=transformer,
            **one_sigma(),
        )
        for name, transformer in (("GaussianMechanism", "Composition"), ("ExactGaussianMechanism", "ComposeGaussian"))
    ),
    Function(
        "zCDP_Mechanism.get_approxDP",
        "cks2020/zcdp2dp.eps",
        "from autodp.mechanism_zoo import zCDP_Mechanism\nzCDP_Mechanism(rho, 0).get_approxDP(delta)",
    ),
    Function(
        "NoisySGD_Mechanism",
        "zdw2022/poisson_gaussian.eps",
        "from autodp.mechanism_zoo import NoisySGD_Mechanism\nNoisySGD_Mechanism(q, sigma, k).get_approxDP(delta)",
        steps,
    ),
]

if __name__ == "__main__":
    serve("autodp", FUNCTIONS)
