"""The exact failure probabilities of pointwise advanced composition against enumeration of all paths."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log, sqrt

import pytest

from privref import catalogue
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.errors import InputError, UndecidedError
from privref.statements.registry import evaluate

catalogue.load()


def by_enumeration(x: Fraction, delta: float, *, two_sided: bool, slope: Fraction, rounds: int) -> Fraction:
    failed = Fraction(0)
    for path in product((1, -1), repeat=rounds):
        place, mass, crossed = 0, Fraction(1), False
        for k, step in enumerate(path, 1):
            place += step
            mass *= (x if step > 0 else 1) / (1 + x)
            height = abs(place) if two_sided else place
            crossed = crossed or height - k * float(slope) > sqrt(2 * k * log(1 / delta))
        if crossed:
            failed += mass
    return failed


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("drift", ["tanh", "expm1"])
@pytest.mark.parametrize(("exp_eps", "delta"), [("6/5", "1/4"), ("1001/1000", "1/2"), ("2", "3/4")])
def test_it_is_the_sum_over_all_paths(exp_eps: str, delta: str, drift: str, two_sided: bool) -> None:
    x = Fraction(exp_eps)
    slope = (x - 1) / (x + 1) if drift == "tanh" else x - 1
    for rounds in (1, 5, 9):
        inputs = {"exp_eps": exp_eps, "delta_g": delta, "two_sided": two_sided, "drift": drift, "K": rounds}
        found = evaluate("rogers2016/sec6.pointwise_failure", inputs).value
        expected = by_enumeration(x, float(Fraction(delta)), two_sided=two_sided, slope=slope, rounds=rounds)
        assert found == str(expected)


@pytest.mark.parametrize(
    ("delta", "two_sided", "drift", "first"),
    [
        ("1/10", True, "expm1", 15),
        ("1/20", True, "expm1", 19),
        ("1/100", True, "expm1", 31),
        ("1/10", False, "expm1", 61),
    ],
)
def test_the_first_failure_at_a_thousandth(delta: str, two_sided: bool, drift: str, first: int) -> None:
    inputs = {"exp_eps": "1001/1000", "delta_g": delta, "two_sided": two_sided, "drift": drift}
    assert evaluate("rogers2016/sec6.pointwise_failure.K", inputs).value == str(first)
    reached = {"K": first, **inputs}
    before = {"K": first - 1, **inputs}
    at = evaluate("rogers2016/sec6.pointwise_failure", reached).enclosure
    short = evaluate("rogers2016/sec6.pointwise_failure", before).enclosure
    assert at is not None
    assert short is not None
    assert short.upper <= Fraction(delta) < at.lower


def test_a_large_drift_never_fails_and_that_is_said() -> None:
    inputs = {"exp_eps": "3", "delta_g": "1/10", "two_sided": False, "drift": "expm1"}
    with pytest.raises(UndecidedError, match="no failure"):
        evaluate("rogers2016/sec6.pointwise_failure.K", inputs)
    with pytest.raises(InputError, match="drift"):
        evaluate("rogers2016/sec6.pointwise_failure.K", {**inputs, "drift": "none"})
    with pytest.raises(InputError, match="exp_eps"):
        evaluate("rogers2016/sec6.pointwise_failure.K", {**inputs, "exp_eps": "1"})


@pytest.mark.parametrize(("k", "delta"), [(1, "2/3"), (2, "1/2"), (6, "1/10")])
def test_the_arxiv_filter_claim_is_exceeded(k: int, delta: str) -> None:
    inputs = {"k": k, "e0": "1/10", "delta": delta}
    found = evaluate("whitehouse2023/thm2.arxiv_counterexample.delta", inputs).enclosure
    assert found is not None
    assert found.lower > Fraction(delta)
    # Over all outcome sequences of the k responses, by the other engine; the loss of a sequence is certainly above
    # the claimed epsilon, or certainly not.
    e0, d = Fraction(1, 10), Fraction(delta)
    rho = k * e0**2 / 2

    def lost(ar: Arithmetic) -> Scalar:
        eps = rho + 2 * ar.sqrt(rho * ar.log(1 / d))
        up = 1 / (1 + ar.exp(-e0))
        loss: Scalar = Fraction(0)
        for path in product((0, 1), repeat=k):
            ones = sum(path)
            p, q = up**ones * (1 - up) ** (k - ones), up ** (k - ones) * (1 - up) ** ones
            gain = p - ar.exp(eps) * q
            loss = loss + gain if decide.sign_now(gain, ar) > 0 else loss
        return d + (1 - d) * loss

    again = decide.enclose(lost, decide.engine("mpmath"), Fraction(1, 10**20))
    assert again.intersection(found) is not None
    assert found.relative_width_at_most(Fraction(1, 10**9))
