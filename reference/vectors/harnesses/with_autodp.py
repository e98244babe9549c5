"""autodp: its accountants, its mechanisms under its transformers, and a calibration."""

from __future__ import annotations

from inputs import calibration, equal_pure, flat, no_deltas, some, steps
from laws import law
from noise import one_sigma
from serving import Function, serve

DP_ACCT = "from autodp.dp_acct import DP_acct\naccountant = DP_acct()\n"
ZOO = "from autodp.mechanism_zoo import {}; from autodp.transformer_zoo import *\n"
FUNCTIONS = [
    Function(
        "DP_acct.get_eps_delta_naive",
        "rogers2016/thm2.9.eps",
        f"{DP_ACCT}[accountant.update_DPlosses(e, 0) for e, n in eps for _ in range(n)]\n"
        "accountant.get_eps_delta_naive()[0]",
        flat,
    ),
    *(
        Function(
            "DP_acct.get_eps",
            id,
            f"{DP_ACCT}[accountant.update_DPlosses({spent} in {rounds}]\naccountant.get_eps(delta_g)",
            given,
        )
        for id, spent, rounds, given in (
            ("kov2015/optimal.eps", "eps, 0) for _", "range(k)", equal_pure),
            ("mv2016/optimal.eps", "e, d) for e, d", "zip(eps, delta, strict=True)", some),
        )
    ),
    Function(
        "PureDP_Mechanism, Composition",
        "kov2015/optimal.eps",
        f"{ZOO.format('PureDP_Mechanism')}Composition()([PureDP_Mechanism(eps)], [k]).get_approxDP(delta_g)",
        equal_pure,
        part="PureDP_Mechanism",
    ),
    Function(
        "PureDP_Mechanism, Composition of different ones",
        "mv2016/optimal.eps",
        f"{ZOO.format('PureDP_Mechanism')}laws = [PureDP_Mechanism(e) for e in eps]\n"
        "Composition()(laws, [1] * len(laws)).get_approxDP(delta_g)",
        no_deltas,
        part="PureDP_Mechanism",
    ),
    Function(
        "PureDP_Mechanism and GaussianMechanism, Composition",
        "mv2016/mixed.eps",
        f"{ZOO.format('PureDP_Mechanism, GaussianMechanism')}"
        "laws = [PureDP_Mechanism(e) for e in eps] + [GaussianMechanism(s) for s, n in sigma]\n"
        "Composition()(laws, [1] * len(eps) + [n for s, n in sigma]).get_approxDP(delta_g)",
        **one_sigma(then=no_deltas),
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
            f"{ZOO.format(name)}laws, counts = [{name}(s{more}) for s, n in sigma], [n for s, n in sigma]\n"
            f"{transformer}()(laws, counts).get_approxDP(delta)",
            part=transformer,
            **one_sigma(),
        )
        for name, transformer, more in (
            ("GaussianMechanism", "Composition", ""),
            ("ExactGaussianMechanism", "ComposeGaussian", ""),
            ("GaussianMechanism", "ComposeAFA", ", phi_off=False"),
        )
    ),
    *(
        Function(
            f"{name}, Composition",
            "zdw2022/thm10.eps",
            f"{ZOO.format(name)}Composition()([{name}({argument})], [count]).get_approxDP(delta)",
            law(kind, only),
            part=name,
        )
        for name, kind, argument, only in (
            ("LaplaceMechanism", "laplace", "scale", lambda names: True),
            ("RandresponseMechanism", "randomized-response", "1 - noise / 2", lambda names: names["buckets"] == 2),
            ("DiscreteGaussianMechanism", "discrete-gaussian", "sigma", lambda names: True),
        )
    ),
    Function(
        "ana_gaussian_mech",
        "gdp/profile.mu",
        "from fractions import Fraction; import autodp.mechanism_zoo  # first, as the next import fails by itself\n"
        "from autodp.privacy_calibrator import ana_gaussian_mech\n"
        '1 / Fraction(float(ana_gaussian_mech(eps, delta)["sigma"]))',
        calibration,
        part="ana_gaussian",
    ),
    Function(
        "zCDP_Mechanism.get_approxDP",
        "cks2020/zcdp2dp.eps",
        "from autodp.mechanism_zoo import zCDP_Mechanism\nzCDP_Mechanism(rho, 0).get_approxDP(delta)",
    ),
    *(
        Function(
            name,
            "zdw2022/poisson_gaussian.eps",
            f"{ZOO.format(names)}{expression}.get_approxDP(delta)",
            steps,
            part="AmplificationBySampling",
        )
        for name, names, expression in (
            ("NoisySGD_Mechanism", "NoisySGD_Mechanism", "NoisySGD_Mechanism(q, sigma, k)"),
            (
                "SubsampleGaussianMechanism, RDP",
                "SubsampleGaussianMechanism",
                'SubsampleGaussianMechanism({"prob": q, "sigma": sigma, "coeff": k})',
            ),
            (
                "AmplificationBySampling of GaussianMechanism, Composition",
                "GaussianMechanism",
                "sampled = AmplificationBySampling()(GaussianMechanism(sigma), q, improved_bound_flag=True)\n"
                "Composition()([sampled], [k])",
            ),
        )
    ),
]

if __name__ == "__main__":
    serve("autodp", FUNCTIONS)
