"""Exact adversaries over mechanisms of bounded range log 3, against a filter and against the certified optimum."""

from __future__ import annotations

from fractions import Fraction

import privref

#: e^t of the interval [t - log 3, t] is 3/2, 2, 5/4, 5/2; (log 3)^2/8 = 0.15086...
PAIRS = ("3/4; 1/2", "1/2; 1/4", "7/8; 7/10", "1/4; 1/10")
MENU = ", ".join(f"zcdp(1509/10000; {pair})" for pair in PAIRS)
#: log 3 = 1.0986122...
ABOVE = "1.0987"


def test_the_pairs_have_that_range() -> None:
    for pair in PAIRS:
        p, q = (Fraction(part) for part in pair.split(";"))
        assert (p / q) / ((1 - p) / (1 - q)) == 3


def test_no_zcdp_filter_is_broken_by_bounded_range() -> None:
    """Charged range^2/8, what is chosen from the answers stays within the budget, here with the range log(6/5)."""
    menu = ", ".join(f"zcdp(4156/1000000; {pair})" for pair in ("1/2; 5/11", "3/4; 5/7", "1/4; 5/23"))
    for name in ("tight-zcdp-filter", "zcdp-filter"):
        found = privref.attack(name, menu, 8, epsilon="1/2", delta="1/10", largest=True)
        assert found.verdict == "not-broken"
        assert 0 < found.failure.lower <= found.ceiling <= Fraction(1, 10), name


def test_an_exact_adversary_loses_more_than_anything_chosen_in_advance() -> None:
    """Five rounds, all within the budget, over four intervals alone; and no more than the certified optimum."""
    found = privref.attack("tight-zcdp-filter", MENU, 5, epsilon="1", delta="99/100", largest=True)
    way = privref.evaluate("dong2020/adaptive.delta", eps=[ABOVE] * 5, eps_g="1", digits=4).enclosure
    advance = privref.evaluate("dong2020/thm3.delta", eps=ABOVE, k=5, eps_g="1", digits=10).enclosure
    assert way is not None
    assert advance is not None
    assert advance.upper < found.failure.lower
    assert found.ceiling <= way.upper
