"""The peers, and which statement each of their functions claims to answer.

A function that bounds the composition of pure-DP rounds is judged by the optimal curve: whatever theorem it uses, an
answer below the optimum is wrong for some mechanisms. A zCDP conversion is judged by the tight conversion of Canonne,
Kamath and Steinke, a Gaussian accountant by the exact Gaussian profile. In each case the judge uses the exact values
of the doubles that were passed.
"""

from __future__ import annotations

import importlib.util
import struct
import sys
import types
from fractions import Fraction

from . import mechanisms, subsampled
from .model import Call, Inputs, Peer


def _pure(inputs: Inputs) -> bool:
    """No deltas among the rounds, and at least one round."""
    return bool(inputs["eps"]) and not any(inputs["delta"])


def _some_delta(inputs: Inputs) -> bool:
    return bool(inputs["delta_g"])


def _deltas(inputs: Inputs) -> bool:
    """Whether some round of a multiset spends a delta."""
    return any(value for value, _ in inputs["delta"])


def _half(entry: tuple[Fraction, int]) -> bool:
    """Whether a value is a half-precision number: then NumPy's is exactly what the case says."""
    value = entry[0]
    return value > 0 and value == Fraction(struct.unpack("<e", struct.pack("<e", float(value)))[0])


def _binary_response(inputs: Inputs) -> bool:
    """Pure rounds whose noise parameter is a double, so that what is asked is exact."""
    one = len(inputs["k"]) == len(inputs["exp_E"]) == 1
    return one and inputs["delta"] == 0 and inputs["exp_E"][0] > 1 and inputs["exp_eps"] in (3, 7, 15, 31)


def _measure(name: str) -> str:
    return f"dp.{name}" if name.endswith(")") else f"dp.{name}()"


def _opendp(measure: str, body: str) -> str:
    return f"""import opendp.prelude as dp; dp.enable_features("contrib", "honest-but-curious")
space = dp.atom_domain(T=bool), dp.discrete_distance(), {_measure(measure)}
run = lambda loss: dp.m.make_user_measurement(*space, lambda x: 0, lambda d: loss, TO="i32")
{body}"""


def _opendp_filter(measure: str, budget: str, losses: str) -> str:
    return f"""import opendp.prelude as dp; dp.enable_features("contrib", "honest-but-curious")
space = dp.atom_domain(T=bool), dp.discrete_distance(), {_measure(measure)}
ask = dp.c.make_privacy_filter(dp.c.make_fully_adaptive_composition(*space), d_in=1, d_out={budget})(True)
[ask(dp.m.make_user_measurement(*space, lambda x: 0, lambda d, r=r: r, TO="i32")) for r in {losses}] and "CONT\""""


def _stub_opacus() -> None:
    """The accountants of opacus need neither torch nor its optimizers; without torch the package itself fails."""
    if importlib.util.find_spec("torch") is not None or "opacus" in sys.modules:
        return
    spec = importlib.util.find_spec("opacus")
    package = types.ModuleType("opacus")
    package.__spec__ = spec
    package.__path__ = list(spec.submodule_search_locations or ()) if spec is not None else []
    optimizers = types.ModuleType("opacus.optimizers")
    optimizers.DPOptimizer = object  # type: ignore[attr-defined]
    sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})


_PLD = "from dp_accounting.pld.privacy_loss_distribution import from_privacy_parameters as pld"
_PAIR = "from dp_accounting.pld.common import DifferentialPrivacyParameters as DP"

DP_ACCOUNTING = Peer(
    "dp-accounting",
    "dp_accounting",
    (
        Call(
            "pld.accountant.advanced_composition",
            "kov2015/optimal.eps",
            f"from dp_accounting.pld.accountant import advanced_composition\n{_PAIR}\n"
            "advanced_composition(DP(eps, 0), k, delta_g)",
            most_rounds=10_000,
        ),
        Call(
            "PLD.get_epsilon_for_delta",
            "kov2015/optimal.eps",
            f"{_PLD}\n{_PAIR}\npld(DP(eps, 0), 1e-4).self_compose(k).get_epsilon_for_delta(delta_g)",
            applies=lambda inputs: inputs["k"] >= 1,
            most_rounds=10_000,
            part="PLD",
        ),
        Call(
            "PLD.get_delta_for_epsilon",
            "kov2015/optimal.delta",
            f"{_PLD}\n{_PAIR}\npld(DP(eps, 0), 1e-4).self_compose(k).get_delta_for_epsilon(eps_g)",
            applies=lambda inputs: inputs["k"] >= 1,
            most_rounds=10_000,
            part="PLD",
        ),
        Call(
            "PLD.compose",
            "mv2016/optimal.eps",
            f"import functools\n{_PLD}\n{_PAIR}\n"
            "functools.reduce(lambda a, b: a.compose(b), [pld(DP(e, d), 1e-4) for e, d in zip(eps, delta)])"
            ".get_epsilon_for_delta(delta_g)",
            applies=lambda inputs: bool(inputs["eps"]),
            part="PLD",
        ),
        Call(
            "PLD.compose",
            "mv2016/optimal.delta",
            f"import functools\n{_PLD}\n{_PAIR}\n"
            "functools.reduce(lambda a, b: a.compose(b), [pld(DP(e, d), 1e-4) for e, d in zip(eps, delta)])"
            ".get_delta_for_epsilon(eps_g)",
            applies=lambda inputs: bool(inputs["eps"]),
            part="PLD",
        ),
        Call(
            "PLDAccountant, RandomizedResponseDpEvent with a count",
            "hartmann2022/thm15.optdel",
            "import math, dp_accounting as da; from dp_accounting.pld import PLDAccountant\n"
            "accountant = PLDAccountant(da.NeighboringRelation.REPLACE_ONE)\n"
            "accountant.compose(da.RandomizedResponseDpEvent(2 / (1 + exp_eps), 2), int(k[0]))\n"
            "accountant.get_delta(math.nextafter(math.log(exp_E[0]), 0))",
            applies=_binary_response,
            part="PLDAccountant, RandomizedResponseDpEvent",
        ),
        Call(
            "get_epsilon_gaussian",
            "gdp/profile.eps",
            "import dp_accounting\ndp_accounting.get_epsilon_gaussian(sigma, delta)",
            sigma=True,
            applies=lambda inputs: inputs["mu"] != 0,
        ),
        Call(
            "RdpAccountant, RandomizedResponseDpEvent with a count",
            "hartmann2022/thm15.optdel",
            "import math, dp_accounting as da; from dp_accounting.rdp import RdpAccountant\n"
            "accountant = RdpAccountant(neighboring_relation=da.NeighboringRelation.REPLACE_ONE)\n"
            "accountant.compose(da.RandomizedResponseDpEvent(2 / (1 + exp_eps), 2), int(k[0]))\n"
            "accountant.get_delta(math.nextafter(math.log(exp_E[0]), 0))",
            applies=_binary_response,
        ),
        *(
            Call(
                f"{name}.get_{quantity}, {relation}",
                f"gdp/profile.{'eps' if quantity == 'epsilon' else 'delta'}",
                f"import dp_accounting as da; from dp_accounting.{module} import {name}\n"
                f"accountant = {name}(neighboring_relation=da.NeighboringRelation.{relation})\n"
                f"accountant.compose(da.GaussianDpEvent(sigma)).get_{quantity}({given})",
                sigma=True,
                sensitivity=sensitivity,
                applies=lambda inputs: inputs["mu"] != 0,
                part=f"{name}, {relation}",
            )
            for name, module in (("PLDAccountant", "pld"), ("RdpAccountant", "rdp"))
            for quantity, given in (("epsilon", "delta"), ("delta", "eps"))
            for relation, sensitivity in (("ADD_OR_REMOVE_ONE", 1), ("REPLACE_ONE", 2), ("REPLACE_SPECIAL", 1))
        ),
        *(
            Call(
                f"{name}, Gaussians with counts, {quantity}",
                f"gdp/composition.{'eps' if quantity == 'epsilon' else 'delta'}",
                f"import dp_accounting as da; from dp_accounting.{module} import {name}\n"
                f"accountant = {name}()\n"
                "[accountant.compose(da.GaussianDpEvent(s), n) for s, n in sigma]\n"
                f"accountant.get_{quantity}({given})",
                most_rounds=10**12,
                sigma=True,
                applies=lambda inputs: 0 < len(inputs["mu"]) <= 50,
                part=f"{name}, ADD_OR_REMOVE_ONE",
            )
            for name, module in (("PLDAccountant", "pld"), ("RdpAccountant", "rdp"))
            for quantity, given in (("epsilon", "delta"), ("delta", "eps"))
        ),
        Call(
            "PLD of a Gaussian, self_compose",
            "gdp/composition.eps",
            "import functools; from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism as pld\n"
            "functools.reduce(lambda a, b: a.compose(b), [pld(s).self_compose(n) for s, n in sigma])"
            ".get_epsilon_for_delta(delta)",
            most_rounds=10_000,
            sigma=True,
            applies=lambda inputs: 0 < len(inputs["mu"]) <= 20,
            part="PLD",
        ),
        *(
            Call(
                "PLD.compose with Gaussians",
                f"mv2016/mixed.{'eps' if quantity == 'epsilon' else 'delta'}",
                "import functools; from dp_accounting.pld.privacy_loss_distribution import *\n"
                f"{_PAIR}\n"
                "laws = [from_privacy_parameters(DP(e, d), 1e-4) for e, d in zip(eps, delta)]"
                " + [from_gaussian_mechanism(s) for s in sigma]\n"
                f"functools.reduce(lambda a, b: a.compose(b), laws).get_{quantity}_for_{other}({given})",
                sigma=True,
                part="PLD",
            )
            for quantity, other, given in (("epsilon", "delta", "delta_g"), ("delta", "epsilon", "eps_g"))
        ),
        Call(
            "get_smallest_gaussian_noise",
            "gdp/profile.mu",
            "from fractions import Fraction; from dp_accounting.pld.accountant import get_smallest_gaussian_noise\n"
            f"{_PAIR}\n1 / Fraction(get_smallest_gaussian_noise(DP(eps, delta)))",
            applies=lambda inputs: inputs["eps"] > 0,
        ),
        Call(
            "get_sigma_gaussian",
            "gdp/profile.mu",
            "import dp_accounting; from fractions import Fraction\n"
            "1 / Fraction(dp_accounting.get_sigma_gaussian(eps, delta))",
        ),
        *(
            Call(
                f"RdpAccountant.get_{quantity}",
                f"cks2020/zcdp2dp.{'eps' if quantity == 'epsilon' else 'delta'}",
                "import dp_accounting as da; from dp_accounting.rdp import RdpAccountant\n"
                f"RdpAccountant().compose(da.ZCDpEvent(rho)).get_{quantity}({given})",
                part="RdpAccountant, ZCDpEvent",
            )
            for quantity, given in (("epsilon", "delta"), ("delta", "eps"))
        ),
        *mechanisms.DP_ACCOUNTING,
        *subsampled.DP_ACCOUNTING,
    ),
)

OPENDP = Peer(
    "opendp",
    "opendp",
    (
        Call(
            "make_zCDP_to_approxDP, epsilon",
            "cks2020/zcdp2dp.eps",
            _opendp("zero_concentrated_divergence", "dp.c.make_zCDP_to_approxDP(run(rho)).map(1).epsilon(delta)"),
        ),
        Call(
            "make_zCDP_to_approxDP, delta",
            "cks2020/zcdp2dp.delta",
            _opendp("zero_concentrated_divergence", "dp.c.make_zCDP_to_approxDP(run(rho)).map(1).delta(eps)"),
        ),
        Call(
            "make_composition",
            "rogers2016/thm2.9.eps",
            _opendp("max_divergence", "dp.c.make_composition([run(e) for e, n in eps for _ in range(n)]).map(1)"),
            applies=lambda inputs: bool(inputs["eps"]),
        ),
        *(
            Call(
                "make_composition, approximate",
                f"rogers2016/thm2.9.{name}",
                _opendp(
                    "approximate(dp.max_divergence())",
                    f"dp.c.make_composition([run({loss}) for x, n in {name} for _ in range(n)]).map(1)[{place}]",
                ),
                applies=lambda inputs, name=name: bool(inputs[name]),  # type: ignore[misc]
            )
            for name, loss, place in (("eps", "(x, 0.0)", 0), ("delta", "(0.0, x)", 1))
        ),
        Call(
            "make_composition",
            "whitehouse2023/thm1.rho",
            _opendp(
                "zero_concentrated_divergence",
                "dp.c.make_composition([run(r) for r, n in rhos for _ in range(n)]).map(1)",
            ),
            applies=lambda inputs: bool(inputs["rhos"]),
        ),
        Call(
            "make_pureDP_to_zCDP",
            "whitehouse2023/lem1.dp2zcdp.rho",
            _opendp("max_divergence", "dp.c.make_pureDP_to_zCDP(run(eps)).map(1)"),
        ),
        Call(
            "make_privacy_filter, approximate",
            "rogers2016/thm3.3.filter",
            _opendp_filter(
                "approximate(dp.max_divergence())",
                "(eps_g, delta_g)",
                "[(e, 0.0) for e, n in eps for _ in range(n)] + [(0.0, d) for d, n in delta for _ in range(n)]",
            ),
            most_rounds=100,
            applies=lambda inputs: bool(inputs["eps"] or inputs["delta"]),
            halts=("OpenDPException",),
        ),
        Call(
            "make_privacy_filter",
            "rogers2016/thm3.3.filter",
            _opendp_filter("max_divergence", "eps_g", "[e for e, n in eps for _ in range(n)]"),
            most_rounds=200,
            applies=lambda inputs: bool(inputs["eps"]) and not _deltas(inputs),
            halts=("OpenDPException",),
        ),
        *mechanisms.OPENDP,
    ),
)

DIFFPRIVLIB = Peer(
    "diffprivlib",
    "diffprivlib",
    (
        Call(
            "BudgetAccountant.total, slack=0",
            "rogers2016/thm2.9.eps",
            "from diffprivlib.accountant import BudgetAccountant\n"
            "accountant = BudgetAccountant(spent_budget=[(e, 0) for e, n in eps for _ in range(n)])\n"
            "accountant.total()[0]",
            applies=lambda inputs: bool(inputs["eps"]),
        ),
        Call(
            "BudgetAccountant.total, slack>0",
            "kov2015/optimal.eps",
            "from diffprivlib.accountant import BudgetAccountant\n"
            "BudgetAccountant(slack=delta_g, spent_budget=[(eps, 0)] * k).total()[0]",
            applies=_some_delta,
        ),
        Call(
            "BudgetAccountant.total, slack>0",
            "mv2016/optimal.eps",
            "from diffprivlib.accountant import BudgetAccountant\n"
            "BudgetAccountant(slack=delta_g, spent_budget=[(e, 0) for e in eps]).total()[0]",
            applies=lambda inputs: _pure(inputs) and _some_delta(inputs),
        ),
        Call(
            "BudgetAccountant.total, slack>0 and deltas",
            "mv2016/optimal.eps",
            "from diffprivlib.accountant import BudgetAccountant\n"
            "slack = (delta_g - sum(delta)) * 0.999  # so that the total delta stays below delta_g\n"
            "BudgetAccountant(slack=slack, spent_budget=list(zip(eps, delta))).total()[0]",
            applies=lambda inputs: any(inputs["delta"]) and sum(inputs["delta"]) < inputs["delta_g"],
            part="BudgetAccountant.total",
        ),
        *(
            Call(
                f"{name}, its noise",
                "gdp/profile.mu",
                f"from fractions import Fraction; from diffprivlib.mechanisms import {name}\n"
                f"1 / Fraction(float({name}(epsilon=eps, delta=delta, sensitivity=1)._scale))",
                applies=lambda inputs: inputs["eps"] > 0 and inputs["delta"] > 0,
            )
            for name in ("GaussianAnalytic", "Gaussian")
        ),
        Call(
            "BudgetAccountant.spend, half precision",
            "rogers2016/thm3.3.filter",
            "import numpy as np; from diffprivlib.accountant import BudgetAccountant\n"
            "accountant = BudgetAccountant(eps_g, delta_g)\n"
            "[accountant.spend(np.float16(e), 0) for e, n in eps for _ in range(n)]\n"
            '"CONT"',
            most_rounds=2000,
            applies=lambda inputs: bool(inputs["eps"]) and not _deltas(inputs) and all(map(_half, inputs["eps"])),
            halts=("BudgetError",),
            part="BudgetAccountant, NumPy's half precision",
        ),
        Call(
            "BudgetAccountant.spend",
            "rogers2016/thm3.3.filter",
            "from diffprivlib.accountant import BudgetAccountant\n"
            "accountant = BudgetAccountant(eps_g, delta_g)\n"
            "for e, d, n in [(e, 0, n) for e, n in eps] + [(0, d, n) for d, n in delta]: "
            '[accountant.spend(e, d) for _ in range(n) if e or d]\n"CONT"',
            halts=("BudgetError",),
        ),
    ),
)

AUTODP = Peer(
    "autodp",
    "autodp",
    (
        Call(
            "DP_acct.get_eps_delta_naive",
            "rogers2016/thm2.9.eps",
            "from autodp.dp_acct import DP_acct\naccountant = DP_acct()\n"
            "for e, n in eps: [accountant.update_DPlosses(e, 0) for _ in range(n)]\n"
            "accountant.get_eps_delta_naive()[0]",
        ),
        Call(
            "DP_acct.get_eps",
            "mv2016/optimal.eps",
            "from autodp.dp_acct import DP_acct\naccountant = DP_acct()\n"
            "for e, d in zip(eps, delta): accountant.update_DPlosses(e, d)\n"
            "accountant.get_eps(delta_g)",
        ),
        Call(
            "DP_acct.get_eps",
            "kov2015/optimal.eps",
            "from autodp.dp_acct import DP_acct\naccountant = DP_acct()\n"
            "for _ in range(k): accountant.update_DPlosses(eps, 0)\n"
            "accountant.get_eps(delta_g)",
        ),
        Call(
            "PureDP_Mechanism, Composition",
            "kov2015/optimal.eps",
            "from autodp.mechanism_zoo import PureDP_Mechanism; from autodp.transformer_zoo import Composition\n"
            "Composition()([PureDP_Mechanism(eps)], [k]).get_approxDP(delta_g)",
            most_rounds=10_000,
            applies=lambda inputs: inputs["k"] >= 1,
        ),
        Call(
            "PureDP_Mechanism, Composition of different ones",
            "mv2016/optimal.eps",
            "from autodp.mechanism_zoo import PureDP_Mechanism; from autodp.transformer_zoo import Composition\n"
            "Composition()([PureDP_Mechanism(e) for e in eps], [1] * len(eps)).get_approxDP(delta_g)",
            applies=_pure,
            part="PureDP_Mechanism",
        ),
        Call(
            "PureDP_Mechanism and GaussianMechanism, Composition",
            "mv2016/mixed.eps",
            "from autodp.mechanism_zoo import PureDP_Mechanism, GaussianMechanism\n"
            "from autodp.transformer_zoo import Composition\n"
            "laws = [PureDP_Mechanism(e) for e in eps] + [GaussianMechanism(s) for s in sigma]\n"
            "Composition()(laws, [1] * len(laws)).get_approxDP(delta_g)",
            sigma=True,
            applies=lambda inputs: _pure(inputs),
        ),
        *(
            Call(
                f"{mechanism}, {transformer}",
                "gdp/composition.eps",
                f"from autodp.mechanism_zoo import {mechanism}; from autodp.transformer_zoo import {transformer}\n"
                f"{transformer}()([{mechanism}(s{more}) for s, n in sigma], [n for s, n in sigma]).get_approxDP(delta)",
                most_rounds=10**12,
                sigma=True,
                applies=lambda inputs: bool(inputs["mu"]),
                part=transformer,
            )
            for mechanism, transformer, more in (
                ("GaussianMechanism", "Composition", ""),
                ("ExactGaussianMechanism", "ComposeGaussian", ""),
                ("GaussianMechanism", "ComposeAFA", ", phi_off=False"),
            )
        ),
        Call(
            "ana_gaussian_mech",
            "gdp/profile.mu",
            "from fractions import Fraction; import autodp.mechanism_zoo  # first, as the next import fails by itself\n"
            "from autodp.privacy_calibrator import ana_gaussian_mech\n"
            '1 / Fraction(float(ana_gaussian_mech(eps, delta)["sigma"]))',
            applies=lambda inputs: inputs["eps"] > 0 and inputs["delta"] > 0,
            part="ana_gaussian",
        ),
        Call(
            "zCDP_Mechanism.get_approxDP",
            "cks2020/zcdp2dp.eps",
            "from autodp.mechanism_zoo import zCDP_Mechanism\nzCDP_Mechanism(rho, 0).get_approxDP(delta)",
        ),
        Call(
            "ExactGaussianMechanism.get_approxDP",
            "gdp/profile.eps",
            "from autodp.mechanism_zoo import ExactGaussianMechanism\n"
            "ExactGaussianMechanism(sigma).get_approxDP(delta)",
            sigma=True,
            applies=lambda inputs: inputs["mu"] != 0,
        ),
        Call(
            "GaussianMechanism.get_approxDP",
            "gdp/profile.eps",
            "from autodp.mechanism_zoo import GaussianMechanism\nGaussianMechanism(sigma).get_approxDP(delta)",
            sigma=True,
            applies=lambda inputs: inputs["mu"] != 0,
        ),
        *mechanisms.AUTODP,
        *subsampled.AUTODP,
    ),
)

PRV = Peer(
    "prv-accountant",
    "prv_accountant",
    (
        Call(
            "PRVAccountant, PureDPMechanism (upper)",
            "kov2015/optimal.eps",
            "from prv_accountant import PRVAccountant, PureDPMechanism\n"
            "accountant = PRVAccountant(PureDPMechanism(eps), 0.1, delta_g / 1000, k)\n"
            "accountant.compute_epsilon(delta_g, [k])[2]",
            applies=lambda inputs: inputs["k"] >= 1 and _some_delta(inputs),
            part="PRVAccountant",
        ),
        *(
            Call(
                f"PRVAccountant, {laws} (upper)",
                id,
                "from prv_accountant import *\n"
                f"laws = {expression}\n"
                f"accountant = PRVAccountant(laws, 0.1, {delta} / 1000, [1] * len(laws))\n"
                f"accountant.compute_epsilon({delta}, [1] * len(laws))[2]",
                most_rounds=30,
                sigma=sigma,
                applies=applies,
                part="PRVAccountant",
            )
            for laws, id, expression, delta, sigma, applies in (
                (
                    "ApproximateDPMechanism",
                    "mv2016/optimal.eps",
                    "[ApproximateDPMechanism(e, d) for e, d in zip(eps, delta)]",
                    "delta_g",
                    False,
                    lambda inputs: bool(inputs["eps"]) and _some_delta(inputs),
                ),
                (
                    "PureDPMechanism and GaussianMechanism",
                    "mv2016/mixed.eps",
                    "[PureDPMechanism(e) for e in eps] + [GaussianMechanism(s) for s in sigma]",
                    "delta_g",
                    True,
                    lambda inputs: _pure(inputs) and _some_delta(inputs),
                ),
                (
                    "different GaussianMechanisms",
                    "gdp/composition.eps",
                    "[GaussianMechanism(s) for s, n in sigma for _ in range(n)]",
                    "delta",
                    True,
                    lambda inputs: bool(inputs["mu"]),
                ),
            )
        ),
        Call(
            "PRVAccountant, GaussianMechanism (upper)",
            "gdp/profile.eps",
            "from prv_accountant import PRVAccountant, GaussianMechanism\n"
            "PRVAccountant(GaussianMechanism(sigma), 0.1, delta / 1000, 1).compute_epsilon(delta, [1])[2]",
            sigma=True,
            applies=lambda inputs: inputs["mu"] != 0 and inputs["delta"] != 0,
            part="PRVAccountant",
        ),
        *mechanisms.PRV,
        *subsampled.PRV,
    ),
)

OPACUS = Peer(
    "opacus",
    "opacus",
    tuple(
        Call(
            f"{name}, sample rate 1",
            "gdp/profile.eps",
            f"from opacus.accountants import {name}\naccountant = {name}()\n"
            "accountant.step(noise_multiplier=sigma, sample_rate=1)\naccountant.get_epsilon(delta)",
            sigma=True,
            applies=lambda inputs: inputs["mu"] != 0,
        )
        for name in ("RDPAccountant", "GaussianAccountant", "PRVAccountant")
    )
    + tuple(
        Call(
            f"{name}, sample rate 1, several steps",
            "gdp/composition.eps",
            f"from opacus.accountants import {name}\naccountant = {name}()\n"
            "for s, n in sigma: [accountant.step(noise_multiplier=s, sample_rate=1) for _ in range(n)]\n"
            "accountant.get_epsilon(delta)",
            sigma=True,
            applies=lambda inputs: bool(inputs["mu"]),
            part=name,
        )
        for name in ("RDPAccountant", "GaussianAccountant", "PRVAccountant")
    )
    + subsampled.OPACUS,
    setup=_stub_opacus,
    imports="opacus.accountants",
)

PEERS = (DP_ACCOUNTING, OPENDP, DIFFPRIVLIB, AUTODP, PRV, OPACUS)
