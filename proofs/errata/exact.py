"""The few tools of the witnesses: finite laws as exact rationals, and certain comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from privref import catalogue
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.statements.registry import evaluate
from proofs.derivations.steps import enclosure

F = Fraction
Formula = Callable[[Arithmetic], Scalar]
#: What a witness has established, in the words of its row: every number that the row prints stands in one of them.
Facts = tuple[str, ...]


def constant(value: Fraction | int) -> Formula:
    """The formula of a rational."""
    return lambda ar: Fraction(value)


def greater(left: Formula, right: Formula) -> bool:
    """left > right, certain in both engines."""
    return all(decide.exceeds(left, right, decide.engine(name)) for name in ("arb", "mpmath"))


def between(low: str, formula: Formula, high: str) -> bool:
    """low < formula < high, certain."""
    found = enclosure(formula)
    return Fraction(low) < found.lower and found.upper < Fraction(high)


def rounded(formula: Formula, places: int) -> str:
    """The value rounded to that many decimals, certain: both ends of an enclosure round to the same."""
    found = enclosure(formula)
    low, high = (math.floor(end * 10**places + Fraction(1, 2)) for end in (found.lower, found.upper))
    assert low == high, "the enclosure contains the middle of two decimals"
    whole, rest = divmod(low, 10**places)
    return f"{whole}.{rest:0{places}}" if places else str(whole)


def scientific(formula: Formula, exponent: int, places: int) -> str:
    """The value in units of 10^exponent, as 1.81e-5."""
    return f"{rounded(lambda ar: formula(ar) * F(10) ** -exponent, places)}e{exponent}"


def decimal(value: Fraction) -> str:
    """A rational with few decimals: 28.04."""
    places = next(count for count in range(20) if (value * 10**count).denominator == 1)
    return rounded(constant(value), places)


def power(value: Fraction) -> str:
    """10^-6 for 1/1000000 and 10^8 for 100000000."""
    up = value >= 1
    exponent = len(str(value.numerator if up else value.denominator)) - 1
    assert value == F(10) ** (exponent if up else -exponent)
    return f"10^{'' if up else '-'}{exponent}"


def law(probabilities: list[Fraction]) -> str:
    """(1/6, 1/30, 4/5)."""
    return f"({', '.join(str(value) for value in probabilities)})"


def hockey_stick(p: list[Fraction], q: list[Fraction], growth: Fraction) -> Fraction:
    """The least delta at e^eps = growth, one direction."""
    return sum((max(a - growth * b, F(0)) for a, b in zip(p, q, strict=True)), F(0))


def least_delta(p: list[Fraction], q: list[Fraction], growth: Fraction) -> Fraction:
    """The least delta at e^eps = growth, both directions."""
    return max(hockey_stick(p, q, growth), hockey_stick(q, p, growth))


def statement(id: str, **inputs: object) -> Enclosure:
    """A registered bound, enclosed."""
    catalogue.load()
    found = evaluate(id, inputs, digits=25).enclosure
    assert found is not None
    return found


def word(id: str, **inputs: object) -> str | None:
    """A registered statement's exact value or word."""
    catalogue.load()
    return evaluate(id, inputs, digits=25).value


def refused(id: str, **inputs: object) -> str | None:
    """The input for which a registered statement refuses to answer; None if it answers."""
    catalogue.load()
    try:
        evaluate(id, inputs, digits=25)
    except InputError as error:
        return error.field
    return None


def response_tail(ar: Arithmetic, eps: Fraction, k: int, above: Fraction) -> tuple[Scalar, Scalar]:
    """P and Q of {loss of k randomized responses >= the least value above ``above``}."""
    x = ar.exp(eps)
    p: Scalar = F(0)
    q: Scalar = F(0)
    for zeros in range(k + 1):
        if (k - 2 * zeros) * eps > above:
            p = p + math.comb(k, zeros) * x ** (k - zeros) / (1 + x) ** k
            q = q + math.comb(k, zeros) * x**zeros / (1 + x) ** k
    return p, q


def crossing(growth: Fraction, drift: Fraction, delta: Fraction, rounds: int, *, two_sided: bool) -> list[Fraction]:
    """For K = 1 .. rounds: the probability that the walk of a randomized response has left the pointwise bound.

    Steps up have probability x/(1+x); the bound after k steps is k drift + sqrt(2 k log(1/delta)), in units of eps.
    """
    up, down = growth.numerator, growth.denominator
    inside = {0: 1}
    lost, total = 0, 1
    slack = enclosure(lambda ar: 2 * ar.log(1 / delta), 40)
    found = []
    for k in range(1, rounds + 1):
        total, lost = total * (up + down), lost * (up + down)
        after: dict[int, int] = {}
        for place, weight in inside.items():
            for target, part in ((place + 1, weight * up), (place - 1, weight * down)):
                reach = (abs(target) if two_sided else target) - k * drift
                if reach > 0 and reach * reach > k * slack.upper:
                    lost += part
                else:
                    # The enclosure of the slack is far narrower than the distance of a rational square from it.
                    assert reach <= 0 or reach * reach < k * slack.lower
                    after[target] = after.get(target, 0) + part
        inside = after
        found.append(Fraction(lost, total))
    return found
