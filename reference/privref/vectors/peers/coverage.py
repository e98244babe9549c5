"""Every class of the libraries that takes privacy parameters or noise: the functions that ask it, or why none does.

opendp has constructors in place of classes. A test compares this table with the modules of the installed libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from privref.vectors.store import examples

from .findings import PeerFinding, order
from .running import PeerRow

_SAMPLER = "draws noise for an epsilon and accounts nothing; the law of what it draws is not judged"
_LAW = "a law that `PrivacyLossDistribution` is built from; asked through it"
_NO_LAW = "no statement gives its exact profile"
_CRASHES = "its phi functions end in KeyError: 'gamma', whatever is asked; its Renyi side is asked"
_RAPPOR = "a bound for vectors of bits, of which no statement speaks"
_WRAPS = "chooses among the constructors, which are asked themselves"

#: By library: the name of each class, and what asks it (parts of names of functions) or the reason why nothing does.
TABLE: dict[str, dict[str, tuple[str, ...] | str]] = {
    "dp-accounting": {
        "RandomizedResponseDpEvent": ("RandomizedResponseDpEvent",),
        "GaussianDpEvent": ("Gaussians with counts", "REPLACE_ONE", "ADD_OR_REMOVE_ONE"),
        "LaplaceDpEvent": ("LaplaceDpEvent",),
        "DiscreteLaplaceDpEvent": ("DiscreteLaplaceDpEvent",),
        "PoissonSampledDpEvent": ("PoissonSampledDpEvent",),
        "SingleEpochTreeAggregationDpEvent": f"one Gaussian for each level of a tree; {_NO_LAW}",
        "MixtureOfGaussiansDpEvent": ("MixtureOfGaussiansDpEvent",),
        "ZCDpEvent": ("RdpAccountant, ZCDpEvent",),
        "TruncatedSubsampledGaussianDpEvent": f"its batches are cut at a size; {_NO_LAW}",
        "DifferentialPrivacyParameters": ("advanced_composition", "PLD of different rounds"),
        "AdditiveNoisePrivacyLoss": _LAW,
        "LaplacePrivacyLoss": _LAW,
        "GaussianPrivacyLoss": _LAW,
        "DiscreteLaplacePrivacyLoss": _LAW,
        "DiscreteGaussianPrivacyLoss": _LAW,
        "MixtureGaussianPrivacyLoss": _LAW,
    },
    "diffprivlib": {
        "BudgetAccountant": ("BudgetAccountant.total", "BudgetAccountant.spend"),
        "DPMechanism": "an abstract base",
        "Budget": "a pair of numbers, checked by BudgetAccountant, which is asked",
        "Gaussian": ("Gaussian, its noise",),
        "GaussianAnalytic": ("GaussianAnalytic, its noise",),
        "GaussianDiscrete": "no statement gives the least scale of a discrete Gaussian",
        **dict.fromkeys(
            (
                *("Binary", "Bingham", "Exponential", "ExponentialCategorical", "ExponentialHierarchical"),
                *("PermuteAndFlip", "Geometric", "GeometricFolded", "GeometricTruncated", "Laplace"),
                *("LaplaceBoundedDomain", "LaplaceBoundedNoise", "LaplaceFolded", "LaplaceTruncated", "Snapping"),
                *("Staircase", "Uniform", "Vector"),
            ),
            _SAMPLER,
        ),
    },
    "autodp": {
        "GaussianMechanism": ("GaussianMechanism, Composition", "GaussianMechanism, ComposeAFA"),
        "ExactGaussianMechanism": ("ExactGaussianMechanism",),
        "LaplaceMechanism": ("LaplaceMechanism",),
        "RandresponseMechanism": ("RandresponseMechanism",),
        "zCDP_Mechanism": ("zCDP_Mechanism",),
        "ExponentialMechanism": "the zCDP of its epsilon, and nothing else; zCDP_Mechanism is asked",
        "PureDP_Mechanism": ("PureDP_Mechanism",),
        "DiscreteGaussianMechanism": ("DiscreteGaussianMechanism",),
        "SubsampleGaussianMechanism": ("SubsampleGaussianMechanism, RDP",),
        "SubsampleGaussianMechanism, phi functions": _CRASHES,
        "ComposedGaussianMechanism": "a GaussianMechanism in a Composition; both are asked",
        "NoisyScreenMechanism": f"a bound that depends on the data; {_NO_LAW}",
        "GaussianSVT_Mechanism": f"a Renyi bound for sparse vectors with Gaussian noise; {_NO_LAW}",
        "LaplaceSVT_Mechanism": f"a Renyi bound for sparse vectors; {_NO_LAW} under composition",
        "StageWiseMechanism": f"a Renyi bound for sparse vectors in stages; {_NO_LAW}",
        "NoisySGD_Mechanism": ("NoisySGD_Mechanism",),
        "NoisyGD_Mechanism": "the GaussianMechanism of a sum of squares, which is asked",
    },
    "prv-accountant": {
        "Accountant": "the former name of DPSGDAccountant, which is asked",
        "PoissonSubsampledGaussianMechanism": ("PoissonSubsampledGaussianMechanism",),
        "DPSGDAccountant": ("DPSGDAccountant",),
        "LaplaceMechanism": ("LaplaceMechanism",),
        "GaussianMechanism": ("PRVAccountant, GaussianMechanism",),
        "PureDPMechanism": ("PRVAccountant, PureDPMechanism",),
        "ApproximateDPMechanism": ("PRVAccountant, ApproximateDPMechanism",),
    },
    "opacus": {
        "PoissonSubsampledGaussianPRV": ("PRVAccountant, Poisson sampling",),
        "RDPAccountant": ("RDPAccountant, Poisson sampling",),
        "GaussianAccountant": ("GaussianAccountant, Poisson sampling",),
        "PRVAccountant": ("PRVAccountant, Poisson sampling",),
    },
    "opendp": {
        "make_adaptive_composition": "the interactive form of make_composition, which is asked",
        "make_sequential_composition": "the former name of make_adaptive_composition",
        "make_fully_adaptive_composition": ("make_privacy_filter",),
        "make_privacy_filter": ("make_privacy_filter",),
        "make_fix_delta": "one point of the curve of make_zCDP_to_approxDP, which is asked",
        "make_user_measurement": ("make_composition", "make_privacy_filter"),
        "make_select_private_candidate": f"private selection with a random number of tries; {_NO_LAW}",
        "make_laplace": ("make_laplace, composed",),
        "make_gaussian": "one division, 1/(2 sigma^2); what is composed of it is asked through make_composition",
        "make_geometric": "make_laplace on whole numbers, which is asked",
        "make_noise": _WRAPS,
        "make_laplace_threshold": ("make_laplace_threshold",),
        "make_gaussian_threshold": "no statement gives its delta; it shares its comparison with make_laplace_threshold",
        "make_noise_threshold": _WRAPS,
        "make_noisy_max": ("make_noisy_max, zCDP",),
        "make_noisy_top_k": "make_noisy_max, k times",
        "make_report_noisy_max_gumbel": "the former name of make_noisy_max",
        "make_private_quantile": "make_noisy_max on quantile scores",
        "make_private_expr": "a query language; its mechanisms are asked themselves",
        "make_private_lazyframe": "a query language; its mechanisms are asked themselves",
        "make_randomized_response": "its map is the logarithm of a ratio; composed it is PureDP, which is asked",
        "make_randomized_response_bool": "its map is the logarithm of a ratio; composed it is PureDP, which is asked",
        "make_randomized_response_bitvec": _RAPPOR,
        "make_canonical_noise": _NO_LAW,
        "make_alp_queryable": f"a sketch of counts; {_NO_LAW}",
    },
}


# --- classes of mistakes that the cases reach, and what was found in each ---------------------------------------------


#: What libraries offer and no case asks yet.
NOT_ASKED = (
    "subsampling without replacement beyond one pair of data sets",
    "sparse vectors",
    "the law of what a sampler draws",
)

_MANY, _LONG = 10, 5_000


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """One class: how often it was asked of how many libraries, and the gravest wrong answer, if there is one.

    ``answered`` counts the cases that were given an answer, or rightly a refusal by a function that answers others.
    """

    name: str
    cases: int
    libraries: int
    gross: int
    worst: tuple[PeerRow, PeerFinding] | None
    answered: int


Test = Callable[[PeerRow, PeerFinding], bool]


def _distinct(row: PeerRow, finding: PeerFinding) -> bool:
    eps = finding.opinion.vector.inputs.get("eps")
    return row.statement.startswith("mv2016/") and isinstance(eps, list) and len(set(eps)) >= _MANY


def _tiny(row: PeerRow, finding: PeerFinding) -> bool:
    flags = finding.opinion.vector.flags
    return row.statement.startswith("mv2016/") and not {"tiny-delta", "cancellation"}.isdisjoint(flags)


def _long(row: PeerRow, finding: PeerFinding) -> bool:
    k = finding.opinion.vector.inputs.get("k")
    return isinstance(k, (str, int)) and not finding.bad and int(k) >= _LONG


def _of(*prefixes: str) -> Test:
    return lambda row, finding: row.statement.startswith(prefixes) and not finding.bad


def _bad(what: str) -> Test:
    return lambda row, finding: finding.bad and what in finding.symptom


CLASSES: dict[str, Test] = {
    "ten or more different epsilons": _distinct,
    "deltas that add up to about the target, or are below one ulp of 1": _tiny,
    "rounds with Gaussians": _of("mv2016/mixed."),
    "different Gaussians": _of("gdp/composition."),
    "five thousand equal rounds and more": _long,
    "one record replaced": lambda row, finding: "REPLACE_ONE" in row.function and not finding.bad,
    "noise for a target": _of("gdp/profile.mu"),
    "Laplace, geometric, discrete Gaussian, randomized response": _of("zdw2022/thm10.", "hartmann2022/thm15."),
    "Poisson subsampling (DP-SGD)": _of("zdw2022/poisson_gaussian."),
    "thresholds": _of("rogers2023/threshold."),
    "noisy max, bounded range": _of("cesar2021/br2zcdp."),
    "zero-concentrated privacy": _of("cks2020/", "whitehouse2023/"),
    "a budget that is spent exactly": _of("rogers2016/"),
    "NaN in any parameter": _bad("not a number"),
    "infinity in any cost": _bad("infinite"),
    "a negative number in any parameter": _bad("negative"),
}


def summaries(rows: Sequence[PeerRow]) -> Iterator[ClassSummary]:
    """Each class over all findings of these rows."""
    for name, test in CLASSES.items():
        mine = [(row, finding) for row in rows for finding in row.findings if test(row, finding)]
        wrong = [(row, finding) for row, finding in mine if finding.kind in ("gross", "bad-input")]
        worst = min(wrong, key=lambda entry: order(entry[1]), default=None)
        answered = sum(finding.kind != "no-answer" for row, finding in mine if row.answered)
        yield ClassSummary(name, len(mine), len({row.peer for row, _ in mine}), len(wrong), worst, answered)


def unasked(rows: Sequence[PeerRow]) -> tuple[str, ...]:
    """Statements with vectors that no function of these libraries claims to compute."""
    asked = {row.statement for row in rows}
    return tuple(id for id in examples() if id not in asked)
