"""DP-SGD chosen on the way: the Renyi machines decide as the statement, and no more runs than is possible."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

import privref
from privref.adaptive.machines import Setup, build
from privref.adaptive.sgd import order_for_steps, sgd_guarantee
from privref.exact import decide
from privref.exact.errors import InputError
from privref.guarantees.model import RenyiDP
from privref.profiles.subsampled_renyi import renyi

EPS, DELTA = Fraction(2), Fraction(1, 10**5)
Q, SIGMA = Fraction(1, 100), Fraction(1)


def test_the_machine_decides_as_its_statement() -> None:
    """Rates and noise that change on the way; the last step that runs, and the first that does not."""
    order = 8
    machine = build("renyi-filter", Setup(EPS, DELTA, delta_prime=DELTA, order=Fraction(order)))
    kinds = [(Fraction(1, 100), Fraction(1)), (Fraction(1, 50), Fraction(2)), (Fraction(1, 20), Fraction(3))]
    state, decision = machine.block(machine.start(), sgd_guarantee(*kinds[0], [Fraction(order)]), 300)
    ran = [300, 0, 0]
    for _ in range(40):
        for i, (q, sigma) in enumerate(kinds):
            asked = [n + (10 if j == i else 0) for j, n in enumerate(ran)]
            state, decision = machine.block(state, sgd_guarantee(q, sigma, [Fraction(order)]), 10)
            stated = privref.evaluate(
                "mtz2019/sgd_filter.decision",
                order=str(order), q=[str(q) for q, _ in kinds], sigma=[str(s) for _, s in kinds],
                steps=[str(n) for n in asked], eps_g=str(EPS), delta_g=str(DELTA),
            )  # fmt: skip
            assert stated.value == decision.verdict
            if decision.verdict == "HALT":
                return
            ran = asked
    pytest.fail("it never halts")


def test_what_runs_is_possible() -> None:
    """The certified delta of the steps that the filter lets run is within its budget; half as many more are not."""
    order = order_for_steps(Q, SIGMA, EPS, DELTA)
    assert order == 8
    machine = build("renyi-filter", Setup(EPS, DELTA, delta_prime=DELTA, order=Fraction(order)))
    event = sgd_guarantee(Q, SIGMA, [Fraction(order)])
    assert machine.block(machine.start(), event, 879)[1].verdict == "CONT"
    assert machine.block(machine.start(), event, 880)[1].verdict == "HALT"
    for steps, within in ((879, True), (1320, False)):
        found = privref.evaluate(
            "zdw2022/poisson_gaussian.delta", q=str(Q), sigma=str(SIGMA), k=str(steps), eps=str(EPS), digits=6
        ).enclosure
        assert found is not None
        assert (found.upper <= DELTA) is within
        assert (found.lower > DELTA) is not within


@pytest.mark.parametrize("order", [2, 5, 40])
def test_the_removal_is_the_worse_direction(order: int) -> None:
    """The moment of an addition, E_N[(R/N)^(1 - alpha)], integrated, is below the removal's."""
    q, sigma = mpmath.mpf(1) / 10, mpmath.mpf(3) / 2
    added = mpmath.quad(
        lambda x: mpmath.npdf(x, 0, sigma) * (1 - q + q * mpmath.exp((2 * x - 1) / (2 * sigma**2))) ** (1 - order),
        [-20, -5, 0, 5, 20],
    )
    ar = decide.engine("arb")
    removed = decide.enclose(
        lambda inner: renyi(inner, Fraction(1, 10), Fraction(3, 2), order), ar, Fraction(1, 10**20)
    )  # type: ignore[arg-type, return-value]
    assert mpmath.log(added) / (order - 1) < mpmath.mpf(removed.lower.numerator) / removed.lower.denominator


def test_the_charge_is_the_divergence_rounded_up() -> None:
    event = sgd_guarantee(Q, SIGMA, [Fraction(3, 2), Fraction(2), Fraction(64)])
    assert isinstance(event, RenyiDP)
    assert [order for order, _ in event.orders] == [2, 64]
    for order, cost in event.orders:
        exact = privref.evaluate("mtz2019/poisson_gaussian.renyi", q=str(Q), sigma="1", order=str(order)).enclosure
        assert exact is not None
        assert exact.lower <= cost <= exact.upper + Fraction(1, 2**95)


@pytest.mark.parametrize(("q", "sigma", "orders"), [("2", "1", [2]), ("1/2", "0", [2]), ("1/2", "1", [])])
def test_bad_steps_are_refused(q: str, sigma: str, orders: list[int]) -> None:
    with pytest.raises(InputError):
        sgd_guarantee(Fraction(q), Fraction(sigma), [Fraction(order) for order in orders])
    with pytest.raises(InputError, match="steps"):
        privref.evaluate(
            "mtz2019/sgd_filter.decision", order="2", q=["1/2"], sigma=["1"], steps=["1", "2"], eps_g="1", delta_g="1/2"
        )
