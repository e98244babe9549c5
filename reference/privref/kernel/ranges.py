"""Bounded ranges (Dong, Durfee, Rogers 2020): chosen in advance, chosen on the way, and by their means.

A mechanism has bounded range eps where the losses of its answers lie in an interval of width eps. E[e^-loss] is 1 and
the hockey-stick divergence is convex in e^-loss, so the two ends of the interval [t - eps, t] are the worst losses that
it can have, and t has the probability p(t) = (e^eps - e^t)/(e^eps - 1). All epsilons are in nats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil, comb, floor, prod

from privref.kernel.balls import MOST_PRECISION, Ball, at_most, end, rational, summed, working
from privref.kernel.numbers import Refused, total

Counted = Sequence[tuple[Fraction, int]]
Box = tuple[tuple[Fraction, Fraction], ...]  # For each kind of range, two numbers between which its t lies.

#: Bits of the terms of one inequality's sums, about 10 ns each; ranges that are listed one by one; and products of
#: integers of a recursion, about 250 ns each.
MOST_BITS = 10**9
MOST_TERMS = 500_000
MOST_PRODUCTS = 40_000_000
#: Boxes of a cover, halvings on the way to one of them, and different ranges that it has.
MOST_BOXES = 200_000
MOST_DEPTH = 200
MOST_KINDS = 5
#: Takes a number of bits, about 10 ns each; Refused where they are too many beside all others of a certificate.
Spend = Callable[[int], None]


def require_few(bits: int, spend: Spend) -> None:
    """Refuse a sum of too many bits, and count what it takes."""
    if bits > MOST_BITS:
        raise Refused("this theorem takes more work here than one check spends")
    spend(bits)


def equal_ranges(width: Fraction, count: int, target: Fraction, delta: Fraction, precision: int, spend: Spend) -> bool:
    """dong2020/thm3: equal bounded ranges chosen in advance are (target, delta)-DP (Dong, Durfee, Rogers 2020, Thm 3).

    For every number l < k of low losses: the sum over i <= l of C(k, i) p^(k-i) (1-p)^i (1 - e^(target - k t + i eps))
    is at most delta, with t = (target + (l + 1) eps)/(k + 1) and p = (e^eps - e^t)/(e^eps - 1). All else is negative.
    """
    if target >= count * width:
        return True
    require_few(count * (count + 1) * (256 + precision + count), spend)
    for last in range(count):
        t = (target + (last + 1) * width) / (count + 1)
        if t >= width:
            break  # p is at most 0: this many low losses do not occur.
        if not at_most(in_box([(width, count)], ((t, t),), target), delta):
            return False
    return True


def means(widths: Counted, delta: Fraction, target: Fraction) -> bool:
    """dong2020/prop4: the largest means of the losses, and Azuma's inequality (Dong, Durfee, Rogers 2020).

    sum (a - 1 - log a) + sqrt(sum eps^2 log(1/delta)/2) <= target, with a = eps/(1 - e^-eps); or sum eps <= target.
    """
    positive = [(eps, times) for eps, times in widths if eps]
    if total(positive) <= target:
        return True
    if not delta:
        return False
    drift = []
    for eps, times in positive:
        ratio = rational(-eps) / rational(-eps).expm1()
        drift.append(times * (ratio - 1 - ratio.log()))
    square = rational(total((eps * eps, times) for eps, times in positive))
    return at_most(summed(drift) + (-square * rational(delta).log() / 2).sqrt(), target)


def from_the_top(widths: Counted, target: Fraction, delta: Fraction) -> bool:
    """Decide a target above the sum of all ranges less the least one: then every loss must be a high one.

    With one low loss the sum of all is at most the target, so that delta is the largest product of all p(t_i) times
    1 - e^(target - sum t_i), whatever was chosen on the way. With s_i = eps_i - t_i and s_0 = sum t_i - target that is
    prod (1 - e^-s_i) / prod (1 - e^-eps_i). log(1 - e^-s) is concave and the s_i sum to sum eps_i - target, so it is
    largest where all k + 1 of them are equal: (1 - e^-s)^(k+1)/prod (1 - e^-eps_i), s = (sum eps_i - target)/(k + 1).
    """
    positive = [(eps, times) for eps, times in widths if eps]
    whole, count = total(positive), sum(times for _, times in positive)
    if target >= whole:
        return True
    if target < whole - min(eps for eps, _ in positive):
        raise Refused("the claim is further than the least range from the sum of all: the witness needs a step, bits")
    short = rational((whole - target) / (count + 1))
    # In logarithms, as the powers may be too small for a number of these bits.
    left = (count + 1) * (-(-short).expm1()).log() - summed([n * (-rational(-e).expm1()).log() for e, n in positive])
    return bool(delta) and at_most(left - rational(delta).log(), Fraction(0))


def on_the_way(
    widths: Sequence[Fraction], target: Fraction, delta: Fraction, step: Fraction, bits: int, spend: Spend
) -> bool:
    """dong2020/adaptive: ranges in this order, each mechanism chosen from the answers before it.

    H(u), the largest delta at epsilon = log u of what is still to run, is a supremum of lines in u: convex, falling,
    (1 - u)_+ where nothing runs. One mechanism more before it makes it the largest chord of H over an interval
    [a, a e^eps] that holds u (the recursion of Dong, Durfee, Rogers 2020). Here H is bounded at u = e^(i step) for
    whole i; between two of these a convex curve is at most its chord. Ranges are rounded up to multiples of the step.
    """
    steps = [ceil(width / step) for width in widths if width]
    at, reach = floor(target / step), sum(steps)
    if target >= sum(widths):
        return True
    # Each point of a curve takes as long as some eight products.
    products = sum((reach + 1) * (size + 8) for size in steps) * (1 + (bits >> 8))
    if products > MOST_PRODUCTS or len(steps) > MOST_TERMS:
        raise Refused("this recursion takes more work than one check spends")
    spend(25 * products)
    precision = 2 * bits + 2 * step.denominator.bit_length() + ceil(2 * (reach + abs(at)) * step) + 64
    if precision > MOST_PRECISION:
        raise Refused("this recursion takes more precision than one check spends")
    with working(precision):
        ratio = rational(step).exp()
        values = [
            max(0, (1 << bits) - _scaled((i * rational(step)).exp(), bits, up=False)) if i < 0 else 0
            for i in range(at - reach, at + reach + 2)
        ]
        chords = {size: _Chords(ratio, size, bits) for size in set(steps)}
        for size in reversed(steps):
            values = chords[size].largest(values)
        first, second = values
        share = (rational(target) - at * rational(step)).expm1() / (ratio - 1)
        return at_most(first + (second - first) * share, delta * 2**bits)


def _scaled(value: Ball, bits: int, *, up: bool) -> int:
    edge: Fraction = end(value, up=up) * 2**bits
    return ceil(edge) if up else floor(edge)


class _Chords:
    """The weights of chords over ``size`` steps of the grid, times 2^bits and rounded up.

    With left end a, L(a) and M(a) the curve at a and at R a, the chord at u is ((R a - u) L + (u - a) M)/(a (R - 1)).
    Within a cell L and M are lines in a: this is B + A a + C/a. Where C >= 0 it is convex, and largest at an end of the
    cell. Else it is above its own chord by at most -C (1/sqrt(a1) - 1/sqrt(a2))^2.
    """

    def __init__(self, ratio: Ball, size: int, bits: int) -> None:
        self.size, self.bits = size, bits
        powers = [ratio**d for d in range(size + 1)]
        span = powers[size] - 1
        #: The left end d = size, ..., 0 steps below u.
        self.left = [_scaled((powers[size] - powers[d]) / span, bits, up=True) for d in range(size, -1, -1)]
        self.right = [_scaled((powers[d] - 1) / span, bits, up=True) for d in range(size, -1, -1)]
        root = (ratio.sqrt() - 1) ** 2 / ((ratio - 1) * span)
        #: The cell from d + 1 to d steps below u, for d = size - 1, ..., 0.
        self.bends = [_scaled(root * powers[d], bits, up=True) for d in range(size - 1, -1, -1)]
        self.ratio = _scaled(ratio, bits, up=True)

    def largest(self, values: list[int]) -> list[int]:
        """Return upper bounds after one mechanism more, at all points but ``size`` at each end."""
        size, bits = self.size, self.bits
        # r (L(a1) - M(a1)) - (L(a2) - M(a2)); a bound on a falling curve need not fall in its last digit.
        gaps = [max(low - high, 0) for low, high in zip(values, values[size:], strict=False)]
        least = [low - high for low, high in zip(values, values[size:], strict=False)]
        bend = [max((self.ratio * gap >> bits) + 1 - after, 0) for gap, after in zip(gaps, least[1:], strict=False)]
        found = []
        for first in range(len(values) - 2 * size):
            lows, highs = values[first : first + size + 1], values[first + size : first + 2 * size + 1]
            ends = [x * low + y * high for x, low, y, high in zip(self.left, lows, self.right, highs, strict=True)]
            best = max(
                max(one, other) + more * gap
                for one, other, more, gap in zip(ends, ends[1:], self.bends, bend[first : first + size], strict=False)
            )
            found.append(-(-best >> bits))
        return found


def in_advance(
    kinds: Counted, target: Fraction, delta: Fraction, splits: Sequence[int], precision: int, spend: Spend
) -> bool:
    """dong2020/advance: ranges that are all chosen in advance lose at most delta at the target, for all intervals.

    Where all mechanisms of one range have one t, some choice of these loses most (proofs/derivations/bounded_range.py:
    the best event gives an affine function of the sum of two such e^t while their product is held). So the t of the
    kinds lie in a box. ``splits`` cuts it: the place of the kind whose side is halved, -1 for a box that is not cut,
    the lower half first. In a box with t from a to b every loss lies in [a - eps, b]: the two ends are the worst.
    """
    if len(kinds) > MOST_KINDS or len(splits) > MOST_BOXES:
        raise Refused("this cover has too many boxes or kinds")
    outcomes = prod(times + 1 for _, times in kinds)
    longest = max((times for _, times in kinds), default=0)
    require_few(len(splits) * outcomes * (256 + precision + longest), spend)
    left = iter(splits)
    waiting: list[Box] = [tuple((Fraction(0), width) for width, _ in kinds)]
    while waiting:
        box, cut = waiting.pop(), next(left, None)
        if cut is None or not -1 <= cut < len(kinds):
            raise Refused("the cover ends before every box is decided, or cuts a kind that there is not")
        if cut >= 0:
            if (box[cut][1] - box[cut][0]) * 2**MOST_DEPTH < kinds[cut][0]:
                raise Refused("the cover halves a range too often")
            waiting += reversed([*halves(box, cut)])
        elif not at_most(in_box(kinds, box, target), delta):
            return False
    if next(left, None) is not None:
        raise Refused("the cover goes on after the last box")
    return True


def halves(box: Box, cut: int) -> Iterator[Box]:
    """Yield both halves of a box, the lower one first."""
    low, high = box[cut]
    for side in ((low, (low + high) / 2), ((low + high) / 2, high)):
        yield (*box[:cut], side, *box[cut + 1 :])


def in_box(kinds: Counted, box: Box, target: Fraction) -> Ball:
    """Bound what is lost where the t of each kind lies between two numbers: as if its losses were a - eps and b."""
    masses = [(rational(1), -target)]
    for (width, times), (low, high) in zip(kinds, box, strict=True):
        span = width + high - low
        q = rational(high).expm1() / rational(span).expm1()
        parts = [comb(times, i) * (1 - q) ** (times - i) * q**i for i in range(times + 1)]
        more = [(part, times * high - i * span) for i, part in enumerate(parts)]
        masses = [(mass * part, loss + each) for mass, loss in masses for part, each in more]
    return summed([mass * -rational(-loss).expm1() for mass, loss in masses if loss > 0])
