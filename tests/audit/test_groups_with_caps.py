"""Groups of units beside samples with a cap, against exact adversaries on small data sets.

The data sets have n records and a group more. Every record is drawn with probability q on its own; of more than B
records drawn some are dropped, by what they are, in an order that the adversary chooses. The answer is a sum with
noise: of the others a few (the special ones) contribute -1, all else of them nothing, and the group's records 1 each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import comb
from typing import Any

import mpmath
from hypothesis import assume, example, given
from hypothesis import strategies as st
from mpmath import iv
from mpmath.libmp import to_rational

import privref
from privref.exact.rounding import to_decimal

Document = dict[str, Any]
iv.dps = 40

ADDED = {"neighbours": "add-or-remove-one"}


def ledger(size: int | None, sample: Document, **more: Any) -> privref.Ledger:
    sized = {} if size is None else {"dataset_size": {"value": size, "public": True}}
    return privref.ledger_from_document({
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", **ADDED, "parameters": "fixed-in-advance",
        "interaction": "sequential", **sized,
        "events": [{"mechanism": {"kind": "subsampled", "sampling": "poisson", **sample}, **more}],
    })  # fmt: skip


def opinion(run: privref.Ledger, epsilon: str, delta: str, units: int, **more: Any) -> privref.Opinion:
    claim = {"id": "c", "epsilon": epsilon, "delta": delta, "units": units, **more}
    claims = privref.claims_from_document({"schema": "claims.1", "claims": [claim]})
    (found,) = privref.audit(run, claims).opinions
    return found


GAUSSIAN = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
HUNDRED: Document = {"base": GAUSSIAN, "rate": "0.99", "batch_cap": "101"}


def lost_by_two_of_hundred() -> Any:
    """What a threshold test finds at epsilon 4 between 100 and 102 records, where the special one is dropped first."""
    with mpmath.workdps(30):
        q = mpmath.mpf("0.99")
        fewer, more = {-1: q, 0: 1 - q}, Counter[int]()
        for drawn in range(3):
            for special, likely in fewer.items():
                more[drawn + special] += comb(2, drawn) * q**drawn * (1 - q) ** (2 - drawn) * likely
        more[1] -= q**102
        more[2] += q**102
        p, r = (sum(w * mpmath.ncdf(s - mpmath.mpf("1.96")) for s, w in law.items()) for law in (more, fewer))
        return p - mpmath.exp(4) * r


def test_a_group_has_more_records_beside_one_of_its_units() -> None:
    """(4, 0.18) was confirmed of a group of 2 among 100 records, and verified; 0.1969 is lost."""
    assert lost_by_two_of_hundred() > mpmath.mpf("0.1969")
    found = opinion(ledger(100, {**HUNDRED, "records": "100"}), "4", "0.18", 2)
    assert (found.verdict, "records of at least 101" in found.reason) == ("inapplicable", True)
    enough = ledger(100, {**HUNDRED, "records": "101"})
    assert opinion(enough, "4", "0.18", 2).verdict != "confirmed"
    # With one more room in a batch none of the group's data sets is cut, and the claim is true.
    found = opinion(ledger(100, {**HUNDRED, "batch_cap": "102", "records": "101"}), "4", "0.18", 2)
    assert found.verdict == "confirmed"
    assert any(
        "more than 101 besides the one that differs, of which 1 may be of" in each.how for each in found.premises
    )
    assert opinion(enough, "4", "0.18", 3).verdict == "inapplicable"
    # A unit that is replaced goes before another comes: there are no more records than before.
    replaced = opinion(ledger(100, {**HUNDRED, "records": "100"}), "4", "0.18", 1, neighbours="replace-one")
    assert replaced.verdict == "confirmed"
    assert not any("of which" in each.how for each in replaced.premises)


def test_a_guarantee_beside_a_cap_is_of_as_many_records() -> None:
    """Event by event a declared guarantee makes the group's; it was held against the cap at the stated records."""
    run = {"base": {**GAUSSIAN, "sigma": "8"}, "rate": "1/10", "batch_cap": "150"}
    told = {"guarantee": {"kind": "approx-dp", "epsilon": "0.23", "delta": "1e-6"}}
    for records, verdict in (("1000", "inapplicable"), ("1001", "confirmed")):
        found = opinion(ledger(1000, {**run, "records": records}, **told), "0.46", "1e-5", 2)
        assert found.verdict == verdict
    assert found.of_unit is None
    assert any("of which 1 may be of the claim's group" in each.how for each in found.premises)


KINDS = ("special", "other", "group")


def sums(n: int, special: int, group: int, q: Fraction, cap: int, order: tuple[str, ...]) -> Counter[int]:
    """The law of the sum of what is drawn and kept."""
    found: Counter[int] = Counter()
    have = {"special": special, "other": n - special, "group": group}
    for drawn in product(*(range(have[kind] + 1) for kind in KINDS)):
        likely = Fraction(1)
        kept = dict(zip(KINDS, drawn, strict=True))
        for kind, count in kept.items():
            likely *= comb(have[kind], count) * q**count * (1 - q) ** (have[kind] - count)
        excess = sum(drawn) - cap
        for kind in order:
            dropped = min(kept[kind], max(excess, 0))
            kept[kind] -= dropped
            excess -= dropped
        found[kept["group"] - kept["special"]] += likely
    return found


def number(value: Fraction) -> Any:
    return iv.mpf(value.numerator) / value.denominator


def with_noise(law: Counter[int], scale: Fraction, ends: int) -> list[Any]:
    """The probabilities of the sums with geometric noise, from -ends to ends; what is beyond counts at the ends."""
    alpha = iv.exp(-1 / number(scale))

    def noise(y: int, total: int) -> Any:
        at = alpha ** abs(y - total) / (1 + alpha)
        return at if abs(y) == ends else at * (1 - alpha)

    return [sum(number(w) * noise(y, total) for total, w in law.items()) for y in range(-ends, ends + 1)]


def adversaries(n: int, units: int, q: Fraction, cap: int) -> Iterator[tuple[Counter[int], Counter[int]]]:
    for special, order in product(range(n + 1), permutations(KINDS)):
        yield sums(n, special, 0, q, cap, order), sums(n, special, units, q, cap, order)


def most_lost(n: int, units: int, q: Fraction, cap: int, scale: Fraction, eps: Fraction) -> Fraction:
    """A lower bound on delta at epsilon, the largest that one of these adversaries has for certain."""
    grown, ends, most = iv.exp(number(eps)), n + units, Fraction(0)
    for fewer, more in adversaries(n, units, q, cap):
        laws = [with_noise(law, scale, ends) for law in (fewer, more)]
        for first, second in (laws, laws[::-1]):
            total = iv.mpf(0)
            for p, r in zip(first, second, strict=True):
                excess = p - grown * r
                total += excess if excess.a > 0 else 0
            most = max(most, Fraction(*to_rational(total._mpi_[0])))
    return most


@given(
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)]),
    st.integers(0, 6),
    st.integers(0, 3),
    st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2)]),
    st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)]),
)
@example(1, 2, Fraction(99, 100), 2, 0, Fraction(1, 2), Fraction(4))
def test_no_small_data_set_breaks_a_confirmed_claim_of_a_group(
    n: int, units: int, q: Fraction, cap: int, more: int, scale: Fraction, eps: Fraction
) -> None:
    """A claim of a little less than what one adversary's group loses is not confirmed, whatever records are stated."""
    assume(1 <= cap <= n + units)
    lost = most_lost(n, units, q, cap, scale, eps)
    assume(lost > Fraction(1, 10**6))
    claimed = to_decimal(lost * (1 - Fraction(1, 10**6)), 12, "down")
    base = {"kind": "geometric", "scale": str(scale), "shifts": ["1"]}
    sample = {"base": base, "rate": str(q), "batch_cap": str(cap), "records": str(n + more)}
    found = opinion(ledger(n, sample), str(eps), claimed, units)
    assert found.verdict != "confirmed"
    assert (found.verdict == "inapplicable") == (more < units - 1)
    if more >= units - 1:
        # The premise that the verdict prints is then true of all data sets of the group, and enough.
        assert opinion(ledger(None, sample), str(eps), claimed, units).verdict != "confirmed"
