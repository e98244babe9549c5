"""DP-SGD in the peers: the Poisson-subsampled Gaussian, composed, one record added or removed.

A library's accountant for central limits is an approximation by its own words; what it answers below the truth is
told apart from a bug.
"""

from __future__ import annotations

from typing import Any

from .model import Call, Inputs

_EPS, _DELTA = "zdw2022/poisson_gaussian.eps", "zdw2022/poisson_gaussian.delta"
_MOST = 10**8
#: Its memory grows with the steps: millions of them need more than most machines have.
_MOST_PRV = 20_000


def _runs(inputs: Inputs) -> bool:
    """Some rounds of which each may see a record; what no round sees is asked of nobody."""
    return bool(inputs["k"] >= 1 and 0 < inputs["q"] <= 1)


def _asked(inputs: Inputs) -> bool:
    return _runs(inputs) and bool(inputs["delta"] > 0)


def _both(function: str, code: str, **more: Any) -> tuple[Call, ...]:
    """A function asked for epsilon and for delta; ``code`` ends with what {quantity} and {given} complete."""
    return tuple(
        Call(
            f"{function}, {quantity}",
            id,
            code.format(quantity=quantity, other=other, given=given),
            most_rounds=_MOST,
            applies=_runs,
            **more,
        )
        for quantity, other, given, id in (("epsilon", "delta", "delta", _EPS), ("delta", "epsilon", "eps", _DELTA))
    )


def _epsilon(function: str, code: str, *, most: int = _MOST, **more: Any) -> Call:
    return Call(function, _EPS, code, most_rounds=most, applies=_asked, **more)


_ACCOUNTANT = (
    "import dp_accounting as da; from dp_accounting.{module} import {name}\n"
    "event = da.{event}\n"
    "{name}().compose(event, k).get_{{quantity}}({{given}})"
)

DP_ACCOUNTING = (
    *(
        call
        for name, module, part in (
            ("PLDAccountant", "pld", "PLD"),
            ("RdpAccountant", "rdp", "RdpAccountant, PoissonSampledDpEvent"),
        )
        for call in _both(
            f"{name}, PoissonSampledDpEvent of a Gaussian",
            _ACCOUNTANT.format(module=module, name=name, event="PoissonSampledDpEvent(q, da.GaussianDpEvent(sigma))"),
            part=part,
        )
    ),
    *_both(
        "PLDAccountant, MixtureOfGaussiansDpEvent",
        _ACCOUNTANT.format(
            module="pld",
            name="PLDAccountant",
            event="dp_event.MixtureOfGaussiansDpEvent(sigma, [0, 1], [1 - q, q])",
        ),
        part="PLD",
    ),
    *_both(
        "PLD of a subsampled Gaussian, self_compose",
        "from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism\n"
        "from_gaussian_mechanism(sigma, sampling_prob=q).self_compose(k).get_{quantity}_for_{other}({given})",
        part="PLD",
    ),
)

AUTODP = (
    _epsilon(
        "AmplificationBySampling of GaussianMechanism, Composition",
        "from autodp.mechanism_zoo import GaussianMechanism; from autodp.transformer_zoo import *\n"
        "sampled = AmplificationBySampling()(GaussianMechanism(sigma), q, improved_bound_flag=True)\n"
        "Composition()([sampled], [k]).get_approxDP(delta)",
        part="AmplificationBySampling",
    ),
    _epsilon(
        "NoisySGD_Mechanism",
        "from autodp.mechanism_zoo import NoisySGD_Mechanism\nNoisySGD_Mechanism(q, sigma, k).get_approxDP(delta)",
        part="AmplificationBySampling",
    ),
    _epsilon(
        "SubsampleGaussianMechanism, RDP",
        "from autodp.mechanism_zoo import SubsampleGaussianMechanism\n"
        'SubsampleGaussianMechanism({"prob": q, "sigma": sigma, "coeff": k}).get_approxDP(delta)',
        part="AmplificationBySampling",
    ),
)

PRV = (
    _epsilon(
        "PRVAccountant, PoissonSubsampledGaussianMechanism (upper)",
        "from prv_accountant import PRVAccountant, PoissonSubsampledGaussianMechanism\n"
        "law = PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=q)\n"
        "PRVAccountant(law, 0.1, delta / 1000, k).compute_epsilon(delta, [k])[2]",
        most=_MOST_PRV,
        part="PRVAccountant, PoissonSubsampledGaussianMechanism",
    ),
    _epsilon(
        "DPSGDAccountant (upper)",
        "from prv_accountant.dpsgd import DPSGDAccountant\n"
        "DPSGDAccountant(sigma, q, k, 0.1, delta / 1000).compute_epsilon(delta, k)[2]",
        most=_MOST_PRV,
        part="PRVAccountant, PoissonSubsampledGaussianMechanism",
    ),
)

#: What opacus itself says when a GaussianAccountant is made.
_WARNED = "GDP accounting is experimental and can underestimate privacy expenditure"

OPACUS = tuple(
    _epsilon(
        f"{name}, Poisson sampling",
        f"from opacus.accountants import {name}\naccountant = {name}()\n"
        "accountant.history = [(sigma, q, k)]  # k steps, set as in opacus.accountants.utils\n"
        "accountant.get_epsilon(delta)",
        documented=_WARNED if name == "GaussianAccountant" else "",
        part=name if name != "GaussianAccountant" else f"{name}, Poisson sampling",
    )
    for name in ("RDPAccountant", "GaussianAccountant", "PRVAccountant")
)
