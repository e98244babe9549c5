"""What is known of a cause: its title, and where in the library it comes from, found by reading its source."""

from __future__ import annotations

from .findings import Cause

_KNOWN: dict[tuple[str, str, str], tuple[str, str]] = {
    ("dp-accounting", "PLDAccountant, RandomizedResponseDpEvent", "below the truth"): (
        "PLDAccountant ignores the count of RandomizedResponseDpEvent",
        "`_maybe_compose` composes the event's distribution once; every other event has `.self_compose(count)` there. "
        "The ledger records the count, and composing the event that many times one by one is right.",
    ),
    ("dp-accounting", "RdpAccountant, REPLACE_ONE", "below the truth"): (
        "RdpAccountant accounts Gaussians under REPLACE_ONE as under ADD_OR_REMOVE_ONE",
        "Replacing a record moves a clipped sum by up to twice the clipping norm; `PLDAccountant` accounts that, and "
        "`RdpAccountant` does not, so that one event under one neighbouring relation has two epsilons.",
    ),
    ("dp-accounting", "PLD", "below the truth"): (
        "The pessimistic privacy loss distribution is optimistic in its tail",
        "Composition by Fourier transform adds roundoff of either sign, unbounded: the pessimistic estimate is "
        "below the truth at deltas of about 1e-12 and less.",
    ),
    ("dp-accounting", "pld.accountant.advanced_composition", "below the truth"): (
        "advanced_composition takes a delta below 1e-17 for met",
        "`1 - ((1 - delta) ** k) * (1 - delta_i) <= total_delta` is evaluated in doubles, where 1 - delta_i is 1.",
    ),
    ("dp-accounting", "RdpAccountant", "sigma is not a number"): (
        "RdpAccountant reports epsilon 0 for a noise multiplier that is NaN",
        "NaN passes the check `noise_multiplier < 0`, and a divergence that is NaN is dropped from the minimum.",
    ),
    ("dp-accounting", "RdpAccountant", "delta is not a number"): (
        "RdpAccountant.get_epsilon(nan) is 0",
        "NaN passes the check `delta < 0`.",
    ),
    ("dp-accounting", "get_epsilon_gaussian", "sigma is not a number"): (
        "get_epsilon_gaussian(nan, delta) is 0",
        "NaN passes the check `sigma < 0`.",
    ),
    ("diffprivlib", "BudgetAccountant, NumPy's half precision", "goes on where it must halt"): (
        "BudgetAccountant adds NumPy scalars in their own precision and overspends",
        "`total` adds the spends as they come. In half precision small ones vanish beside the sum.",
    ),
    ("diffprivlib", "GaussianAnalytic", "above the truth"): (
        "GaussianAnalytic calibrates too little noise at small deltas",
        "`phi` is (1 + erf(x/sqrt(2)))/2, whose error at the lower tail is about 1e-16 whatever its value; "
        "`scipy.special.ndtr` has none of it.",
    ),
    ("autodp", "ana_gaussian", "above the truth"): (
        "ana_gaussian_mech calibrates to an absolute tolerance of 1e-12 in delta",
        "The binary search stops where the delta is within `tol=1e-12` of the target, on either side: for a target of "
        "1e-12 the delta may be twice that.",
    ),
    ("autodp", "ComposeAFA", "below zero"): (
        "ComposeAFA answers -0.0048 for every Gaussian and every delta",
        "`cdf_to_approxdp` searches e^epsilon on [0, 1], where no positive epsilon lies, and returns where it stopped.",
    ),
    ("autodp", "PureDP_Mechanism", "eps is infinite"): (
        "An infinite epsilon composes to 0",
        "",
    ),
    ("prv-accountant", "PRVAccountant", "below the truth"): (
        "The upper bound for 100 pure rounds of epsilon 1 is 12 to 14 % too small",
        "The lower bound, the estimate and the upper bound are all below the exact value.",
    ),
    ("prv-accountant", "PRVAccountant", "below zero"): (
        "An upper bound on epsilon that is negative",
        "Where the exact epsilon is 0 the result is not cut off at 0.",
    ),
    ("opendp", "make_laplace_threshold", "below the truth"): (
        "make_laplace_threshold reports the delta of a threshold that is one higher",
        "Counts equal to the threshold are released, and the delta is that of the tail beyond it (opendp#2922).",
    ),
    ("opacus", "GaussianAccountant", "finite where nothing finite holds"): (
        "GaussianAccountant answers 500 for delta = 0",
        "500 is the upper end of the interval in which the root is searched.",
    ),
    ("opacus", "GaussianAccountant", "sigma is not a number"): (
        "GaussianAccountant reports epsilon 0 for a noise multiplier that is NaN",
        "",
    ),
    ("opacus", "RDPAccountant", "below zero"): (
        "RDPAccountant answers a negative epsilon",
        "The conversion from Renyi divergences is not cut off at 0.",
    ),
    ("opacus", "PRVAccountant", "below zero"): (
        "PRVAccountant answers a negative epsilon",
        "Where the exact epsilon is 0 the result is not cut off at 0.",
    ),
}


#: opendp's mechanisms check what they are given; what a user writes in their place is asked for here.
_USERS_OWN = (
    "The loss is that of a user-defined measurement, which needs the feature `honest-but-curious`: opendp makes its "
    "author responsible for what it claims, and says so. A check of the number would still be cheap where it is added."
)
_APPROXIMATE = "The library warns of it: "


_GITHUB = "https://github.com"
#: Where the finding is the maintainers' or another user's already: the threads, confirmed to be about this.
_UPSTREAM: dict[tuple[str, str, str], tuple[str, ...]] = {
    ("dp-accounting", "RdpAccountant, REPLACE_ONE", "below the truth"): (
        f"google/differential-privacy#378 ({_GITHUB}/google/differential-privacy/issues/378)",
        f"google/differential-privacy PR #464 ({_GITHUB}/google/differential-privacy/pull/464)",
    ),
}


def upstream(cause: Cause) -> tuple[str, ...]:
    """Return the threads in which the cause was reported before, by others; empty where none is known."""
    return _UPSTREAM.get((cause.peer, cause.component, cause.symptom), ())


def explanation(cause: Cause) -> tuple[str, str] | None:
    """The title and the explanation of a cause; None where nobody looked yet."""
    known = _KNOWN.get((cause.peer, cause.component, cause.symptom))
    if known is None and cause.kind == "approximation":
        return f"{cause.component}: an approximation", f"{_APPROXIMATE}{cause.worst.documented!r}."
    if known is None and cause.kind == "bad-input" and "make_user_measurement" in "".join(cause.worst.reproduction):
        return f"{cause.component}: {cause.symptom}", _USERS_OWN
    return known
