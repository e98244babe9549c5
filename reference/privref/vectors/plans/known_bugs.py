"""Inputs at which a released library answers wrongly: each was reproduced, and is judged by both engines.

``reported`` is what that version answered. The inputs are the exact values of the doubles that it was given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from privref.statements.registry import statement
from privref.vectors.cases import Case, KnownBug, more, rounds
from privref.vectors.peers.libraries import PEERS
from privref.vectors.peers.model import Call

from . import basic, filters, gaussian, optimal, output_dp, selection, subsampled, zcdp

#: The plans that these cases extend; importing them here makes the order certain.
_EXTENDED = (basic, filters, gaussian, optimal, output_dp, selection, subsampled, zcdp)
_FOUND: dict[str, list[Case]] = defaultdict(list)


def _hex(value: float) -> str:
    return value.hex()


def _call(peer: str, function: str, id: str) -> Call:
    known = next(entry for entry in PEERS if entry.name == peer)
    return next(call for call in known.calls if call.function == function and call.statement == id)


def _bug(peer: str, version: str, function: str, id: str, reported: str, comment: str, **inputs: Any) -> None:
    """A wrong answer of one of the peers' functions; the reproduction is the code that the adapter runs."""
    lines = _call(peer, function, id).lines(statement(id).read(inputs))
    _add(id, comment, inputs, KnownBug(peer, version, reported, lines))


def _open_to_bad_input(
    peer: str, version: str, function: str, id: str, reported: str, comment: str, given: dict[str, Any], **inputs: Any
) -> None:
    """A bad input that is not refused; ``given`` is what the library was called with."""
    lines = _call(peer, function, id).lines(given)
    _add(id, comment, inputs, KnownBug(peer, version, reported, lines), refuse=True)


def _add(id: str, comment: str, inputs: dict[str, Any], bug: KnownBug, *, refuse: bool = False) -> None:
    _FOUND[id].append(Case(("known-bug",), comment, inputs, refuse, (bug,)))


_KOV, _GDP, _CKS = "kov2015/optimal.eps", "gdp/profile.eps", "cks2020/zcdp2dp.eps"
_SUM, _FILTER = "rogers2016/thm2.9.eps", "rogers2016/thm3.3.filter"
_TENTH = _hex(0.1)
_NAN, _INF = float("nan"), float("inf")

_DPA = ("dp-accounting", "0.6.0")
for _E, _reported in (("4", "0.0"), ("1000000", "0.0")):
    _bug(
        *_DPA,
        "PLDAccountant, RandomizedResponseDpEvent with a count",
        "hartmann2022/thm15.optdel",
        _reported,
        "A count of 100 randomized responses of log 3 is composed as one.",
        exp_eps="3",
        delta="0",
        k=["100"],
        exp_E=[_E],
    )
for _delta, _reported in ((0.0, "8.0"), (1e-20, "8.0"), (1e-30, "8.0")):
    _bug(
        *_DPA,
        "pld.accountant.advanced_composition",
        _KOV,
        _reported,
        "1 - (1 - delta) is formed in binary64: a target below 1e-17 counts as met.",
        eps=_TENTH,
        k="100",
        delta_g=_hex(_delta),
    )
for _eps, _k, _delta, _reported in (
    (1.0, "100", 1e-5, "79.84132236440765"),
    (0.1, "1000", 1e-12, "26.524813498774268"),
):
    _bug(
        *_DPA,
        "PLD.get_epsilon_for_delta",
        _KOV,
        _reported,
        "The pessimistic discretisation is optimistic under the roundoff of its FFT.",
        eps=_hex(_eps),
        k=_k,
        delta_g=_hex(_delta),
    )
_bug(
    *_DPA,
    "PLD.get_delta_for_epsilon",
    "kov2015/optimal.delta",
    "0.08037586902080086",
    "The pessimistic discretisation is optimistic under roundoff.",
    eps="1",
    k="1000",
    eps_g="500",
)
_bug(
    *_DPA,
    "PLD.compose",
    "mv2016/optimal.eps",
    "2.0",
    "The deltas of the rounds alone exceed the target: there is no epsilon.",
    eps=["1", "1"],
    delta=["1/2", _hex(5e-17)],
    delta_g="1/2",
)
_bug(
    *_DPA,
    "get_epsilon_gaussian",
    _GDP,
    "1.9383566754018087e-06",
    "A root finder's result, returned on whichever side it ends.",
    mu="1/1000000",
    delta=_hex(1e-8),
)
_open_to_bad_input(
    *_DPA,
    "RdpAccountant.get_epsilon",
    _CKS,
    "0",
    "A rho that is not a number costs nothing.",
    {"rho": _NAN, "delta": 1e-5},
    rho="nan",
    delta="1e-5",
)

_bug(
    *_DPA,
    "RdpAccountant.get_epsilon, REPLACE_ONE",
    _GDP,
    "5.2215396311544175",
    "Replacing one record moves the sum by twice the norm; PLDAccountant answers 10.997.",
    mu="2",
    delta=_hex(1e-6),
)
_open_to_bad_input(
    *_DPA,
    "get_epsilon_gaussian",
    _GDP,
    "0",
    "A noise multiplier that is not a number costs nothing.",
    {"mu": _NAN, "delta": 1e-6},
    mu="nan",
    delta="1e-6",
)

for _delta, _reported in ((1e-9, "8.765354603461917"), (1e-12, "10.298822461444551"), (1e-13, "10.63479655177076")):
    _bug(
        *_DPA,
        "PLDAccountant, PoissonSampledDpEvent of a Gaussian, epsilon",
        "zdw2022/poisson_gaussian.eps",
        _reported,
        "The pessimistic discretisation of DP-SGD is optimistic in its tail.",
        q=_hex(0.01),
        sigma="1",
        k="10000",
        delta=_hex(_delta),
    )

_DPL = ("diffprivlib", "0.6.6")
_bug(
    *_DPL,
    "GaussianAnalytic, its noise",
    "gdp/profile.mu",
    "0.12130984599989",
    "Noise for (1, 1e-20) that gives 197 times that delta.",
    eps="1",
    delta=_hex(1e-20),
)
_bug(
    *_DPL,
    "BudgetAccountant.total, slack=0",
    _SUM,
    "99.9999999999986",
    "A sum of a thousand doubles, each rounded to nearest.",
    eps=rounds(_TENTH, 1000),
)
_bug(
    *_DPL,
    "BudgetAccountant.spend",
    _FILTER,
    "CONT",
    "Ten times the double nearest to 0.1 is more than 1, and fits a ceiling of 1.",
    eps=rounds(_TENTH, 10),
    delta=[],
    eps_g="1",
    delta_g="0",
)
_bug(
    *_DPL,
    "BudgetAccountant.spend",
    _FILTER,
    "CONT",
    "1/2 and 1e-18 fit a ceiling of 1/2.",
    eps=[],
    delta=["1/2", _hex(1e-18)],
    eps_g="1",
    delta_g="1/2",
)
_HALF = "0x1.a380000000000p-12"  # the half-precision number nearest to 4e-4
_add(
    _FILTER,
    "Half-precision numbers are added in half precision: 1.4 is spent under a ceiling of 1.",
    {"eps": ["1", *rounds(_HALF, 1000)], "delta": [], "eps_g": "1", "delta_g": "0"},
    KnownBug(
        *_DPL,
        "CONT",
        (
            "import numpy as np; from diffprivlib.accountant import BudgetAccountant",
            "accountant = BudgetAccountant(1.0, 0)",
            "[accountant.spend(np.float16(e), 0) for e in [1.0] + [4e-4] * 1000]",
            '"CONT"',
        ),
    ),
)

_AUTODP = ("autodp", "0.2.3.1")
_bug(
    *_AUTODP,
    "ana_gaussian_mech",
    "gdp/profile.mu",
    "2.01717473e-05",
    "Calibrated to within 1e-12 of a delta of 1e-12.",
    eps=_hex(1e-4),
    delta=_hex(1e-12),
)
_bug(
    *_AUTODP,
    "GaussianMechanism, ComposeAFA",
    "gdp/composition.eps",
    "-0.004808814547857186",
    "The same answer for every Gaussian and every delta.",
    mu=["1"],
    delta=_hex(1e-5),
)
_bug(
    *_AUTODP,
    "DP_acct.get_eps_delta_naive",
    _SUM,
    "99.9999999999986",
    "A sum of a thousand doubles, each rounded to nearest.",
    eps=rounds(_TENTH, 1000),
)
_bug(
    *_AUTODP,
    "PureDP_Mechanism, Composition",
    _KOV,
    "0.01999603969381703",
    "Below the optimum, which randomized response attains.",
    eps=_hex(0.01),
    k="2",
    delta_g=_hex(1e-6),
)
_bug(*_AUTODP, "zCDP_Mechanism.get_approxDP", _CKS, "nan", "0-zCDP at delta = 0.", rho="0", delta="0")
_bug(
    *_AUTODP,
    "ExactGaussianMechanism.get_approxDP",
    _GDP,
    "1.93835651031126e-06",
    "A root finder's result, returned on whichever side it ends.",
    mu="1/1000000",
    delta=_hex(1e-8),
)
_open_to_bad_input(
    *_AUTODP,
    "PureDP_Mechanism, Composition",
    _KOV,
    "0.0",
    "An infinite epsilon composes to nothing.",
    {"eps": _INF, "k": 2, "delta_g": 1e-5},
    eps="inf",
    k="2",
    delta_g="1e-5",
)

_PRV = ("prv-accountant", "0.2.0")
_bug(
    *_PRV,
    "PRVAccountant, PureDPMechanism (upper)",
    _KOV,
    "72.1248280836658",
    "An upper bound that is 14 % too small.",
    eps="1",
    k="100",
    delta_g=_hex(1e-6),
)
_bug(
    *_PRV,
    "PRVAccountant, PureDPMechanism (upper)",
    _KOV,
    "-0.5911144304854121",
    "An upper bound on epsilon below 0.",
    eps=_TENTH,
    k="1",
    delta_g="1/2",
)
_bug(
    *_PRV,
    "PRVAccountant, GaussianMechanism (upper)",
    _GDP,
    "-0.27412855132000197",
    "An upper bound on epsilon below 0.",
    mu="1",
    delta="1/2",
)

_OPACUS = ("opacus", "1.6.0")
_open_to_bad_input(
    *_OPACUS,
    "GaussianAccountant, sample rate 1",
    _GDP,
    "0.0",
    "A noise multiplier that is not a number costs nothing.",
    {"mu": _NAN, "delta": 1e-6},
    mu="nan",
    delta="1e-6",
)
for _function, _reported in (
    ("RDPAccountant, sample rate 1", "-0.6930471805599453"),
    ("PRVAccountant, sample rate 1", "-0.6821485064701333"),
):
    _bug(*_OPACUS, _function, _GDP, _reported, "An epsilon below 0.", mu="1/100", delta="1/2")
_bug(
    *_OPACUS,
    "GaussianAccountant, sample rate 1",
    _GDP,
    "500.0",
    "delta = 0 has no finite epsilon; this is the end of the root finder's interval.",
    mu="1",
    delta="0",
)

_OPENDP = ("opendp", "0.16.0")
_bug(
    *_OPENDP,
    "make_laplace_threshold, its delta",
    "rogers2023/threshold.delta",
    "0.004925833956035741",
    "A count that equals the threshold is released and not counted in delta.",
    scale="1",
    threshold="5",
    keys="1",
)
_open_to_bad_input(
    *_OPENDP,
    "make_composition",
    _SUM,
    "-1.0",
    "A user-defined measurement with a negative loss; opendp makes its author responsible for that.",
    {"eps": [(-1.0, 1)]},
    eps=["-1"],
)
_open_to_bad_input(
    *_OPENDP,
    "make_privacy_filter",
    _FILTER,
    "CONT",
    "A negative loss refunds the budget; opendp makes the measurement's author responsible for that.",
    {"eps": [(0.9, 1), (-5.0, 1), (0.9, 1)], "delta": [], "eps_g": 1.0, "delta_g": 0.0},
    eps=["0.9", "-5", "0.9"],
    delta=[],
    eps_g="1",
    delta_g="0",
)


def _declare(id: str, cases: Iterable[Case]) -> None:
    @more(id)
    def known() -> Iterable[Case]:
        return cases


for _id, _cases in _FOUND.items():
    _declare(_id, _cases)
