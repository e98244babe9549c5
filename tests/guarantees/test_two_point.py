"""The search for a two-point mechanism gives up where binary64 ends, and never with an error."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privref
from privref.exact import decide
from privref.exact.errors import HypothesisError
from privref.guarantees.two_point import is_zcdp, two_point_witness
from tests.slow import shared


@pytest.mark.parametrize(
    ("rho", "eps", "delta"),
    [
        ("1e400", "1", "0.1"),
        ("1e400", "1e401", "0.1"),
        ("1", "1e400", "0.1"),
        ("1000", "1001", "0.55"),
        ("1e-400", "1", "0.1"),
        ("1e-400", "1e-399", "0.1"),
        ("1e-320", "1", "0"),
        ("1", "1e20", "0"),
        ("0", "1", "0"),
        ("2", "1", "0.95"),
    ],
)
def test_nothing_is_found_beyond_the_range_of_floats(rho: str, eps: str, delta: str) -> None:
    assert two_point_witness(privref.rational(rho), privref.rational(eps), privref.rational(delta)) is None


@pytest.mark.parametrize(
    ("rho", "eps", "delta"),
    [("2", "1", "0.1"), ("1/2", "0", "0.47"), ("650", "700", "1e-3"), ("600", "601", "0.001"), ("5/2", "17", "1e-12")],
)
def test_what_is_found_up_to_the_limit_is_proved(rho: str, eps: str, delta: str) -> None:
    inputs = {"rho": rho, "eps": eps}
    pair = two_point_witness(*(privref.rational(text) for text in (rho, eps, delta)))
    assert pair is not None
    p, q = pair
    found = privref.evaluate("cks2020/two_point_witness.delta", {**inputs, "p": str(p), "q": str(q)})
    assert found.enclosure is not None
    assert found.enclosure.lower > privref.rational(delta)


@settings(deadline=None, max_examples=25)
@given(st.integers(-500, 500), st.integers(-500, 500))
def test_no_size_of_the_inputs_is_an_error(of_rho: int, of_eps: int) -> None:
    # A delta of one is never exceeded, so the search proposes and proves nothing.
    assert two_point_witness(Fraction(10) ** of_rho, Fraction(10) ** of_eps, Fraction(1)) is None


def test_a_tiny_rho_takes_few_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its orders reach 1/sqrt(rho), in steps that grow with the order."""
    asked, sign = [], decide.sign
    monkeypatch.setattr(decide, "sign", lambda *given: (asked.append(1), sign(*given))[1])
    assert two_point_witness(Fraction(1, 10**12), Fraction(0), Fraction(0)) is not None
    assert len(asked) < 2000


def test_an_audit_of_a_large_rho_ends_in_a_verdict() -> None:
    ledger = privref.ledger_from_csv("rho\n1000\n", "x", parameters="fixed-in-advance")
    claims = {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "1001", "delta": "0.55"}]}
    audit = privref.audit(ledger, privref.claims_from_document(claims))
    assert audit.opinions[0].verdict in ("unsupported", "refuted", "undecided")


@shared
def worst_rate(p: str, q: str) -> mpmath.mpf:
    """The supremum over orders above 1 of D(P||Q)/alpha, nearly, on a grid of orders: where it is worst it is flat."""

    def rate(alpha: mpmath.mpf) -> mpmath.mpf:
        a, b = (mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in (p, q))
        return mpmath.log(a**alpha * b ** (1 - alpha) + (1 - a) ** alpha * (1 - b) ** (1 - alpha)) / (alpha - 1) / alpha

    return max(rate(1 + mpmath.mpf(i) / 20) for i in range(1, 400))


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize(("p", "q"), [("0.5", "0.01"), ("0.1", "0.01"), ("0.02", "0.0001"), ("0.9", "0.3")])
def test_a_pair_is_zcdp_just_above_its_worst_order_and_not_below(engine: decide.EngineName, p: str, q: str) -> None:
    """The worst orders of the first three pairs lie in (1, 2), at about 3 and beyond; the last's is in reverse."""
    ar = decide.engine(engine)
    pair = Fraction(p), Fraction(q)
    rate = max(worst_rate(p, q), worst_rate(str(1 - pair[1]), str(1 - pair[0])))
    just_above, just_below = (Fraction(str(mpmath.nstr(rate * factor, 15))) for factor in (1.01, 0.99))
    assert is_zcdp(ar, just_above, *pair)
    assert not is_zcdp(ar, just_below, *pair)


def test_a_pair_that_differs_too_much_is_refused() -> None:
    inputs = {"rho": "1.75", "eps": "3", "p": "1/2", "q": "1/100"}
    with pytest.raises(HypothesisError, match=r"not shown to be 7/4-zCDP"):
        privref.evaluate("cks2020/two_point_witness.delta", inputs)
