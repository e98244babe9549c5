"""What is known of a cause, found by reading the library's source: where it comes from, and what could be done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .findings import USABLE, Cause

#: How the reproduction calls the library. ``documented``: a public function that its version does not mark as
#: deprecated. ``deprecated``: its authors say that it is to go. ``unusual``: a call that few users make.
#: ``unexamined``: nobody has looked yet. ``ours``: the answer says nothing about a library.
Usage = Literal["documented", "deprecated", "unusual", "unexamined", "ours"]

_GITHUB = "https://github.com"
_CLIP = "Take the larger of the result and 0."
_NAN = "Compare so that NaN fails, as in `if not sigma >= 0: raise`."
_MAX = "`max(0, epsilon)` then makes 0 of an epsilon that is NaN."
_ADDS = "`update_DPlosses` adds what it is given: it has no check of its sign."
_SUMS = (
    "The spends are added as doubles, to nearest. `remaining` documents that it is right “assuming no floating point "
    "errors”; `total` and `spend` do not speak of them."
)
_UP = "Round each sum upward, add fractions, or document in `total` that the sum is rounded."


@dataclass(frozen=True, slots=True)
class Explanation:
    """A cause's title, where in the library it comes from, how it is called, and what could be done."""

    title: str
    why: str = ""
    #: What a maintainer could do.
    remedy: str = ""
    usage: Usage = "documented"
    #: Why the call is called deprecated, unusual or ours.
    because: str = ""
    #: Threads in which others reported it, or something near it, before.
    upstream: tuple[str, ...] = ()


def _thread(name: str, path: str, note: str = "") -> str:
    return f"{name} ({_GITHUB}/{path}){note}"


#: The issue does not say which accountant; the pull request cuts both off at 0.
_NEGATIVE = (
    _thread("meta-pytorch/opacus#585", "meta-pytorch/opacus/issues/585"),
    _thread("meta-pytorch/opacus PR #844", "meta-pytorch/opacus/pull/844"),
)

#: The issue names the accountant of sampled events; the pull request is for events with and without sampling.
_REPLACED = (
    _thread("google/differential-privacy#378", "google/differential-privacy/issues/378"),
    _thread("google/differential-privacy PR #464", "google/differential-privacy/pull/464"),
)

_KNOWN: dict[tuple[str, str, str], Explanation] = {
    ("dp-accounting", "PLDAccountant, RandomizedResponseDpEvent", "below the truth"): Explanation(
        "PLDAccountant ignores the count of RandomizedResponseDpEvent",
        "`_maybe_compose` composes the event's distribution once, whatever the count; those of Laplace and of "
        "Poisson sampled events have `.self_compose(count)` there, and that of a Gaussian has its noise divided by "
        "sqrt(count). `compose` documents the count as “The number of times to compose the event.” The ledger records "
        "it, and composing the event that many times one by one is right.",
        "Compose `rr_pld.self_compose(count)`, with a test that has a count above 1.",
    ),
    ("dp-accounting", "RdpAccountant, REPLACE_ONE", "below the truth"): Explanation(
        "RdpAccountant accounts Gaussians under REPLACE_ONE as under ADD_OR_REMOVE_ONE",
        "`GaussianDpEvent` says: “If the norms of the values are bounded ||v_i|| <= C, the noise_multiplier is defined "
        "as s / C.” Replacing a value moves the sum by up to 2C. `PLDAccountant` accounts that, and `RdpAccountant` "
        "does not, so that one event under one neighbouring relation has two epsilons. The documentation can be read "
        "both ways: the private functions of `RdpAccountant` call the multiplier “The ratio of the standard deviation "
        "of the Gaussian noise to the l2-sensitivity of the function to which it is added.” A caller who passes that "
        "ratio for the sensitivity under replacement gets a right epsilon from `RdpAccountant`, and one that is too "
        "large from `PLDAccountant`. We judge by the public `GaussianDpEvent`.",
        "Halve the noise multiplier under REPLACE_ONE, as the open pull request does, or document in `GaussianDpEvent` "
        "that it is relative to the sensitivity of the relation, and account so in `PLDAccountant`.",
        upstream=_REPLACED,
    ),
    ("dp-accounting", "RdpAccountant, SampledWithoutReplacementDpEvent", "below the truth"): Explanation(
        "RdpAccountant accounts samples of a fixed size as if replacing a record moved the sum by the norm",
        "`GaussianDpEvent` documents its noise multiplier as the noise divided by the norm of one value. Replacing a "
        "value moves the sum by up to twice that norm: if every other record is the negative of the replaced one, the "
        "sum moves by twice the norm whenever the record is sampled. The private `_compute_rdp_sample_wor_gaussian` "
        "calls the multiplier “The ratio of the standard deviation of the Gaussian noise to the l2-sensitivity of the "
        "function to which it is added.” A caller who passes that ratio for the sensitivity under replacement gets a "
        "right epsilon. We judge by the public `GaussianDpEvent`.",
        "Halve the noise multiplier under REPLACE_ONE, as the open pull request does, or document in `GaussianDpEvent` "
        "that it is relative to the sensitivity of the relation.",
        upstream=_REPLACED,
    ),
    ("gdpnum", "get_mu_and_regret_for_dpsgd, its mu", "below the truth"): Explanation(
        "The mu of gdpnum, documented as pessimistic, allows less delta than there is",
        "`PLDConverter` speaks of “a pessimistic value for μ (i.e. so that f_μ <= T(P,Q))”. The trade-off curve takes "
        "its first coordinate from the distribution of one direction and its second from that of the other. "
        "dp-accounting's pessimistic distribution has a total mass above 1 (by 1.7e-8 a round at noise 1 and rate "
        "1/100), where it harms no delta. Read from its other end, that mass counts as a probability of large losses, "
        "which makes the curve too good. In the example of its README (noise 9.4, rate "
        "0.328, 2,000 steps) the mu allows at least as much as the distribution up to epsilon 7, and 0.4 % less at 9.",
        "Take both coordinates from one distribution: its masses, and its masses times e^-loss. At noise 1, rate 1/100 "
        "and 1,000 steps that gives mu = 0.5222 in place of 0.4394.",
    ),
    ("dp-accounting", "PLD", "below the truth"): Explanation(
        "The pessimistic estimate of a privacy loss distribution can be below the truth at very small deltas",
        "`get_epsilon_for_delta` says that with pessimistic rounding the mechanism is (epsilon, delta)-differentially "
        "private. Composition by Fourier transform adds roundoff of either sign, for which the estimate has no "
        "allowance. For 10,000 steps of DP-SGD with noise 1 and rate 0.01 the epsilon is 0.001 % too small at delta "
        "1e-9 and 0.5 % at 1e-12. Of deltas above 1e-9 we know no error beyond the last digits.",
        "Add a bound on the roundoff to the pessimistic estimate, or document the delta below which it is not a bound.",
    ),
    ("dp-accounting", "pld.accountant.advanced_composition", "below the truth"): Explanation(
        "advanced_composition can exceed a total_delta below about 1e-16",
        "`1 - ((1 - delta) ** k) * (1 - delta_i) <= total_delta` is evaluated in doubles, where 1 - delta_i is 1 for a "
        "delta_i of 5e-17 and less: such a delta_i passes for any smaller total_delta.",
        "Form the difference with `math.log1p` and `math.expm1`, or refuse a delta below 1e-16.",
    ),
    ("dp-accounting", "RdpAccountant", "mu is not a number"): Explanation(
        "RdpAccountant reports epsilon 0 for a noise multiplier that is NaN",
        f"NaN passes the check `noise_multiplier < 0`. {_MAX}",
        _NAN,
    ),
    ("dp-accounting", "RdpAccountant", "delta is not a number"): Explanation(
        "RdpAccountant.get_epsilon(nan) is 0",
        f"NaN passes the check `delta < 0`. {_MAX}",
        _NAN,
    ),
    ("dp-accounting", "RdpAccountant", "rho is not a number"): Explanation(
        "RdpAccountant reports epsilon 0 for a rho that is NaN",
        f"NaN passes the check `event.rho < 0`. {_MAX}",
        _NAN,
    ),
    ("dp-accounting", "get_epsilon_gaussian", "mu is not a number"): Explanation(
        "get_epsilon_gaussian(nan, delta) is 0",
        "NaN passes the check `sigma < 0`.",
        _NAN,
    ),
    ("diffprivlib", "BudgetAccountant, NumPy's half precision", "goes on where it must halt"): Explanation(
        "BudgetAccountant adds NumPy scalars in their own precision",
        "`total` adds the spends as they come. Once one of them is a NumPy scalar of half precision, small ones "
        "vanish next to the sum. Spends that are all Python floats are not concerned.",
        "Read each spend as a float: `float(epsilon)`.",
        "unusual",
        "it spends NumPy scalars of half precision",
    ),
    ("diffprivlib", "BudgetAccountant.total, slack=0", "last digits"): Explanation(
        "BudgetAccountant.total can be below the exact sum in its last digits", _SUMS, _UP
    ),
    ("diffprivlib", "BudgetAccountant.total, slack>0", "last digits"): Explanation(
        "BudgetAccountant.total can be below the exact sum in its last digits",
        f"With so small a slack the plain sum is the least of its three bounds. {_SUMS}",
        _UP,
    ),
    ("diffprivlib", "GaussianAnalytic", "above the truth"): Explanation(
        "GaussianAnalytic can calibrate too little noise at deltas of about 1e-14 and less",
        "`phi` is (1 + erf(x/sqrt(2)))/2, whose error at the lower tail is about 1e-16 whatever its value; "
        "`scipy.special.ndtr` has none of it. At epsilon 1 the noise has 1.04 times the delta asked for if that is "
        "1e-15, and 197 times if it is 1e-20; at epsilon 4 and 1e-15 there is too much noise. The script reads the "
        "noise from the private attribute `_scale`, because no public one has it.",
        "Use `scipy.special.ndtr`, or `erfc` for negative arguments.",
    ),
    ("autodp", "ana_gaussian", "above the truth"): Explanation(
        "ana_gaussian_mech calibrates to an absolute tolerance of 1e-12 in delta",
        "The binary search stops where the delta is within `tol=1e-12` of the target, on either side: for a target of "
        "1e-12 the delta may be twice that. The tolerance is a parameter, documented as “error tolerance for binary "
        "search (tol > 0)”. At epsilon 1 the noise has 1.0003 times a delta of 1e-10 and 41 times one of 1e-15; with "
        "`tol=1e-16` it has 1.00005 times a delta of 1e-12. "
        "`calibrator_zoo.ana_gaussian_calibrator`, which is to replace it, has the same search in its source.",
        "End the search on the safe side, or make the tolerance relative to delta.",
        "deprecated",
        "a maintainer calls `privacy_calibrator` deprecated in the thread below, and `calibrator_zoo` plans it",
        (_thread("yuxiangw/autodp#39", "yuxiangw/autodp/issues/39", ", on this calibration and its successor"),),
    ),
    ("autodp", "ComposeAFA", "below zero"): Explanation(
        "ComposeAFA answers -0.0048 for all Gaussians and deltas that were asked, with SciPy 1.10 and later",
        "`numerical_inverse` gives `minimize_scalar` bounds together with a bracket. Before SciPy 1.10 bounds without "
        "a method were ignored. Since then they select the bounded method, so that e^epsilon is searched on [0, 1], "
        "where no positive epsilon lies. The change is SciPy's; autodp 0.2.3.1 asks for `scipy>=1.2.1`.",
        "Leave out the bounds, or give bounds that contain e^epsilon. Without them ten Gaussians of noise 10 have "
        "epsilon 1.1984 at delta 1e-5; the exact value is 1.1994.",
        upstream=(
            _thread(
                "yuxiangw/autodp#40",
                "yuxiangw/autodp/issues/40",
                ", on the same change of SciPy elsewhere in `converter.py`",
            ),
        ),
    ),
    ("autodp", "PureDP_Mechanism", "eps is infinite"): Explanation(
        "An infinite epsilon composes to 0",
        "The mechanism alone answers infinity. `Composition` adds Renyi divergences, and `RDP_pureDP` takes the "
        "difference of two infinite terms: its logarithm comes out as minus infinity, which converts to epsilon 0.",
        "Refuse an infinite epsilon, or answer infinity.",
        "unusual",
        "its epsilon is infinite, for which the library documents nothing",
    ),
    ("autodp", "zCDP_Mechanism.get_approxDP", "rho is negative"): Explanation(
        "zCDP_Mechanism accepts a negative rho",
        "Its constructor has no check of rho.",
        "Refuse what is not `rho >= 0`.",
    ),
    ("autodp", "ExactGaussianMechanism.get_approxDP", "mu is negative"): Explanation(
        "ExactGaussianMechanism can accept a negative sigma",
        "Its constructor has no check of sigma, which is 1/mu: -1e30 gives 0. At sigma = -1 the root finder fails.",
        "Refuse what is not `sigma >= 0`.",
    ),
    ("autodp", "DP_acct.get_eps", "eps is negative"): Explanation(
        "DP_acct accepts a negative epsilon", _ADDS, "Refuse what is not `eps >= 0`."
    ),
    ("autodp", "DP_acct.get_eps_delta_naive", "eps is negative"): Explanation(
        "DP_acct accepts a negative epsilon", _ADDS, "Refuse what is not `eps >= 0`."
    ),
    ("random-allocation", "Gaussian_delta", "mu is negative"): Explanation(
        "Gaussian_delta accepts a negative sigma",
        "It has no check of sigma, which is 1/mu. It is a helper of `other_schemes.local`, and the package does not "
        "export it.",
        "Refuse what is not `sigma > 0`, where a caller's noise comes in.",
        "unusual",
        "it imports a helper that the package does not export",
    ),
    ("prv-accountant", "PRVAccountant", "sigma is negative"): Explanation(
        "PoissonSubsampledGaussianMechanism can accept a negative noise multiplier",
        "Its constructor has no check of it, unlike those of `GaussianMechanism` and `LaplaceMechanism`: -1e-30 is "
        "taken. At -1 a subtraction fails with an error.",
        "Assert here too that it is positive.",
    ),
    ("prv-accountant", "PRVAccountant", "below the truth"): Explanation(
        "The upper bound for many pure rounds can be too small: by 12 to 14 % for 100 rounds of epsilon 1",
        "`PureDPMechanism.rdp(alpha)` is (alpha - 1) eps/alpha, below the Renyi divergence of randomized response (1/2 "
        "and not 0.735 at order 2 and eps = 1). The domain of the losses is taken from it and is too short, so that "
        "the lower bound, the estimate and the upper bound are wrong together.",
        "Return the divergence, log(p^a (1-p)^(1-a) + (1-p)^a p^(1-a))/(a - 1) with p = e^eps/(1 + e^eps). Then the "
        "three numbers at delta 1e-6 are 83.47, 83.57 and 83.67; the exact value is 83.53.",
        upstream=(
            _thread(
                "microsoft/prv_accountant#42",
                "microsoft/prv_accountant/issues/42",
                ", on another failure at very large epsilons",
            ),
        ),
    ),
    ("prv-accountant", "PRVAccountant", "below zero"): Explanation(
        "An upper bound on epsilon that is negative, at deltas where epsilon is 0",
        "The result is not cut off at 0.",
        _CLIP,
    ),
    ("opendp", "make_laplace_threshold", "below the truth"): Explanation(
        "The delta of make_laplace_threshold leaves out the probability of the threshold itself",
        "The threshold is documented as “Exclude counts that are less than this minimum value”, so that a noisy count "
        "equal to it is released. The delta is that of the tail beyond it: over integers, "
        "the delta of a threshold that is one higher. The thread names `make_gaussian_threshold` too.",
        "Take the tail from the threshold on, or release only counts above it. Until then a caller over integers can "
        "ask for the delta of a threshold that is one lower.",
        upstream=(_thread("opendp/opendp#2922", "opendp/opendp/issues/2922"),),
    ),
    ("opacus", "GaussianAccountant", "finite where nothing finite holds"): Explanation(
        "GaussianAccountant answers 500 for delta = 0",
        "500 is the upper end of the interval in which the root is searched. The library calls this accountant "
        "experimental when it is made.",
        "Refuse delta = 0, or answer infinity.",
    ),
    ("opacus", "GaussianAccountant", "mu is not a number"): Explanation(
        "GaussianAccountant reports epsilon 0 for a noise multiplier that is NaN",
        "`step` has no check of it. The library calls this accountant experimental when it is made.",
        "Refuse what is not `noise_multiplier >= 0`, so that NaN fails too.",
    ),
    ("opacus", "RDPAccountant", "below zero"): Explanation(
        "RDPAccountant answers a negative epsilon",
        "The conversion from Renyi divergences is not cut off at 0.",
        _CLIP,
        upstream=_NEGATIVE,
    ),
    ("opacus", "PRVAccountant", "below zero"): Explanation(
        "PRVAccountant answers a negative epsilon",
        "Where the exact epsilon is 0 the result is not cut off at 0.",
        _CLIP,
        upstream=_NEGATIVE,
    ),
}

#: Their accountants ask dp-accounting for its distribution, and pass the answer on.
_KNOWN |= {
    (name, "PLD", "below the truth"): Explanation(
        f"{name} passes on the privacy loss distribution of dp-accounting",
        "dp-accounting, called directly with the same settings, gives the same epsilon: we know no cause in this "
        "library itself. The Fourier transforms of dp-accounting add roundoff of either sign. For 10,000 steps with "
        "noise 1 and rate 0.01 the epsilon is 0.001 % too small at delta 1e-9, and 0.5 to 0.7 % at 1e-12.",
        "Document the delta below which the answer is not a bound, until the distribution bounds its roundoff.",
    )
    for name in ("gdpnum", "jax-privacy", "riskcal")
}
_KNOWN["PLD_accounting", "PLD", "below the truth"] = Explanation(
    "dp-accounting composes the distribution that PLD_accounting returns",
    "Our script composes what `subsample_pld` returns by the `self_compose` of dp-accounting, whose Fourier transforms "
    "add roundoff of either sign. PLD_accounting's own composition was not asked.",
    "Document the delta below which a composed distribution is not a bound.",
)

#: opendp's mechanisms check what they are given; what a user writes in their place is asked for here.
_USERS_OWN = (
    "The loss is that of a user-defined measurement, which needs the feature `honest-but-curious`. opendp documents "
    "what its author has to see to: “This constructor only returns a valid measurement if” its outputs are as close as "
    "its privacy map says. No loss is negative, so that this one breaks the condition."
)
_HONEST = "a user-defined measurement, which needs opendp's feature `honest-but-curious`"

#: Our own programs, on the board for comparison.
_TEXTBOOK = Explanation(
    "A textbook formula in doubles",
    "float-reference shows what the plain formula gives without special care.",
    usage="ours",
    because="a yardstick, and no released library",
)


def explanation(cause: Cause) -> Explanation:
    """Return what somebody found out about the cause; where nobody looked yet, what holds of every one like it."""
    found = _KNOWN.get((cause.peer, cause.component, cause.symptom))
    if found is not None:
        return found
    name = f"{cause.component}: {cause.symptom}"
    if cause.peer.startswith("float-reference"):
        return _TEXTBOOK
    if cause.kind == "approximation":
        warning = cause.worst.documented
        return Explanation(f"{cause.component}: an approximation", f"The library itself warns: “{warning}”.")
    if cause.kind == "bad-input" and "make_user_measurement" in "".join(cause.worst.reproduction):
        return Explanation(name, _USERS_OWN, "Check the number where it is added.", "unusual", _HONEST)
    return Explanation(name, remedy="Refuse the input." if cause.kind == "bad-input" else "", usage="unexamined")


def upstream(cause: Cause) -> tuple[str, ...]:
    """Return the threads in which the cause was reported before, by others; empty where none is known."""
    return explanation(cause).upstream


def minor(cause: Cause) -> str:
    """Return why a cause harms no ordinary use that we know of; "" where it may."""
    worst = cause.worst
    if worst.bad:
        return f"a number was given for an input that should be refused ({cause.symptom})"
    found = explanation(cause)
    if found.usage == "unusual":
        return f"the call is unusual: {found.because}"
    if not worst.usable:
        low, high = USABLE
        return f"only at deltas that we take to be out of use: none is from {float(low)} to {float(high)}"
    if worst.harm == 0:
        return "an epsilon below 0 where the truth is 0 claims no more than 0 does"
    return ""


def ranked(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Return the causes in their order, with the minor ones behind all others."""
    return tuple(sorted(causes, key=lambda cause: minor(cause) != ""))
