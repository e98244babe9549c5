"""Output perturbation with a test. The minimiser's L2 sensitivity is 2/(n_train Lambda) (Theorem 16). The test's noise
is Lap(a/eps2), a = max(2/n_test, 2(exp(2/(n_train Lambda)) - 1)); a released model costs
max(eps1, (2/n_test)/a eps2), a withheld one min(that, eps2), delta = 0 (Theorem 17); for eps1 >= eps2 that is eps1 and
eps2 (Corollary 18). Lemma 21's sensitivity 2(e^w2 - 1), w2 = 2/(n_train Lambda), is loose: the tight one is
2 tanh(w2/4) (ours, E19; proofs/derivations/hartmann.py). Figure 2 plots the 95th percentile of Lap(a/eps2), a
log(10)/eps2.

Hypotheses: ||x|| <= 1, y in [-1, 1], Lambda > 0, public n_train and n_test. Source: Theorems 16, 17, Corollary 18,
Lemma 21, Figure 2.
"""

import sympy as sp

from proofs.transcription import Transcription

n_train, Lam, w2, eps1, eps2 = sp.symbols("n_train Lambda w2 eps1 eps2", positive=True)
SIZES = (1, 3, 300)
EVERY = "every n_train, Lambda, eps1, eps2; three n_test"


def printed(w2):
    return 2 * (sp.exp(w2) - 1)


def tight(w2):
    """2 (h(w2/2) - h(-w2/2))/2 with h(w) = 2/(1 + e^-w) - 1."""

    def h(w):
        return 2 / (1 + sp.exp(-w)) - 1

    return h(w2 / 2) - h(-w2 / 2)


def a_of(sensitivity, n_train, n_test, Lam):  # noqa: N803
    w2 = 2 / (n_train * Lam)
    second = printed(w2) if sensitivity is printed else 2 * sp.tanh(w2 / 4)
    return sp.Max(sp.Rational(2, n_test), second)


def model(sensitivity):
    def formula(n_train, n_test, Lam, eps1, eps2):  # noqa: N803
        return sp.Max(eps1, sp.Rational(2, n_test) / a_of(sensitivity, n_train, n_test, Lam) * eps2)

    return formula


def bottom(n_train, n_test, Lam, eps1, eps2):  # noqa: N803
    return sp.Min(model(printed)(n_train, n_test, Lam, eps1, eps2), eps2)


def percentile(sensitivity):
    return lambda n_train, n_test, Lam, eps2: a_of(sensitivity, n_train, n_test, Lam) * sp.log(10) / eps2  # noqa: N803


def ordered(value):
    def formula(eps1, eps2):
        return "refused" if eps1 < eps2 else value(eps1, eps2)

    return formula


CASES = tuple({"n_train": n_train, "n_test": n, "Lam": Lam} for n in SIZES)
BUDGETS = tuple({**case, "eps1": eps1, "eps2": eps2} for case in CASES)
PAIR = ({"eps1": eps1, "eps2": eps2},)

PROVES = (
    Transcription(
        "hartmann2022/thm16.l2_sensitivity",
        lambda n_train, Lam: 2 / (n_train * Lam),  # noqa: N803
        ({"n_train": n_train, "Lam": Lam},),
        "every n_train, Lambda",
    ),
    Transcription("hartmann2022/lem21.sensitivity", printed, ({"w2": w2},), "every w2"),
    Transcription("hartmann2022/lem21.sensitivity_tight", tight, ({"w2": w2},), "every w2"),
    Transcription(
        "hartmann2022/thm17.a",
        lambda n_train, n_test, Lam: a_of(printed, n_train, n_test, Lam),  # noqa: N803
        CASES,
        EVERY,
        "cases",
    ),
    Transcription(
        "hartmann2022/thm17.a_tight",
        lambda n_train, n_test, Lam: a_of(tight, n_train, n_test, Lam),  # noqa: N803
        CASES,
        EVERY,
        "cases",
    ),
    Transcription("hartmann2022/thm17.E_Rd", model(printed), BUDGETS, EVERY, "cases"),
    Transcription("hartmann2022/thm17.E_Rd_tight", model(tight), BUDGETS, EVERY, "cases"),
    Transcription("hartmann2022/thm17.E_bot", bottom, BUDGETS, EVERY, "cases"),
    Transcription("hartmann2022/cor18.E_Rd", ordered(lambda one, two: one), PAIR, "every eps1, eps2; refused below"),
    Transcription("hartmann2022/cor18.E_bot", ordered(lambda one, two: two), PAIR, "every eps1, eps2; refused below"),
    Transcription(
        "hartmann2022/fig2.percentile95",
        percentile(printed),
        tuple({**case, "eps2": eps2} for case in CASES),
        EVERY,
        "cases",
    ),
    Transcription(
        "hartmann2022/fig2.percentile95_tight",
        percentile(tight),
        tuple({**case, "eps2": eps2} for case in CASES),
        EVERY,
        "cases",
    ),
)
