"""The privacy losses of a pair on a grid: masses of P and Q by cells, from closed forms, as balls.

The loss of an answer is log(P/Q). A cell holds the answers whose losses lie between two neighbouring points of the
grid j*step, so that cells are a partition of the answers; which end a cell includes does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, isqrt

from privref.kernel import pairs
from privref.kernel.balls import Ball, crossing, end, normal_cdf, rational, summed
from privref.kernel.numbers import Refused

MOST_ATOMS = 60_000  # Answers of one discrete mechanism that are written out.


@dataclass(slots=True)
class Cells:
    """The answers of a pair by losses: ``inner`` as (j, P, Q) with losses in [j*step, (j+1)*step].

    ``on_grid`` holds (j, P, Q) with losses of at most j*step, which P counts as j*step. ``infinite`` is what P gives
    answers that Q does not give, ``beyond`` what P gives answers that are listed nowhere else.
    """

    inner: list[tuple[int, Ball, Ball]] = field(default_factory=list)
    on_grid: list[tuple[int, Ball, Ball]] = field(default_factory=list)
    infinite: Ball = 0
    beyond: Ball = 0


def cells(pair: pairs.Pair, removal: bool, step: Fraction, low: int, high: int, bits: int) -> Cells:
    """Return the cells between two points of the grid; losses outside are ``beyond``, those below are in cell low - 1.

    ``removal`` chooses the order of the two laws of a sampled pair; all others are symmetric. ``bits`` is the size of
    masses that may stay unlisted.
    """
    if isinstance(pair.base, pairs.Revealed):
        return _by_label(pair.base, removal, step, low, high, bits)
    if not isinstance(pair.base, (pairs.Normal, pairs.DoubleExponential, pairs.Step)):
        return _atoms(pair, removal, step, low, high, bits)
    found, last = Cells(), (rational(0), rational(0))
    for j in range(low, high + 1):
        # No answer of a step has a larger number than the last point: what is beyond has that.
        all_of_it = j == high and isinstance(pair.base, pairs.Step)
        here = (rational(1), rational(1)) if all_of_it else _at_most(pair, removal, j * step)
        found.inner.append((j - 1, here[0] - last[0], here[1] - last[1]))
        last = here
    found.beyond = 1 - last[0]
    return found


def _by_label(base: pairs.Revealed, removal: bool, step: Fraction, low: int, high: int, bits: int) -> Cells:
    """Add up the cells of all cases, each with its chance, and what loses nothing."""
    still = rational(1 - sum(share for share, _ in base.parts))
    found = Cells(on_grid=[(0, still, still)])
    for share, part in base.parts:
        weight, own = rational(share), cells(part, removal, step, low, high, bits)
        found.inner += [(j, weight * p, weight * q) for j, p, q in own.inner]
        found.on_grid += [(j, weight * p, weight * q) for j, p, q in own.on_grid]
        found.beyond, found.infinite = found.beyond + weight * own.beyond, found.infinite + weight * own.infinite
    return found


def _at_most(pair: pairs.Pair, removal: bool, loss: Fraction) -> tuple[Ball, Ball]:
    """Return what P and Q give the answers whose loss is at most this.

    ``means`` are of one pair at losses above 0, of another one, reversed, below; of other noise of a removal each time.
    That read backwards is an addition: losses change sign, and laws their places. Of a step ``loss`` is its own number.
    """
    if isinstance(pair.base, pairs.Step):
        odds = rational(loss).expm1() / rational(pair.base.weight)
        p, q = _base_below(pairs.Normal(pair.base.square), odds.log()) if loss > 0 else (rational(0), rational(0))
        own = p if pair.base.held else q
        return (own, q) if removal else (q, own)
    if pair.means is not None and isinstance(pair.base, pairs.Normal):
        above, below = pair.means if removal else pair.means[::-1]
        if loss >= 0:
            return _of_half_line(pair, above, loss, beyond=False)
        return _of_half_line(pair, below, -loss, beyond=True)[::-1]
    if loss >= 0 if pair.means else removal:
        return _below(pair, loss)
    p, q = _below(pair, -loss)
    return 1 - q, 1 - p


def _of_half_line(pair: pairs.Pair, laws: pairs.Mixtures, loss: Fraction, *, beyond: bool) -> tuple[Ball, Ball]:
    """Return what both mixtures give the answers beyond, or up to, where the loss of the first one is reached.

    With z = e^(mu y) a part of mean m is e^(-m^2 mu^2/2) z^m times N(0, 1) at y. What the first one has
    above e^loss of the second is a polynomial, times a power of z, whose signs change once: it has one positive root.
    """
    assert isinstance(pair.base, pairs.Normal)
    square = pair.base.square
    mu, grown, parts, terms = rational(square).sqrt(), rational(loss).expm1(), [dict(law) for law in laws], []
    for mean in sorted({*parts[0], *parts[1]}):
        p, q = (found.get(mean, Fraction(0)) for found in parts)
        terms.append((mean, (rational(p - q) - rational(q) * grown) * rational(-mean * mean * square / 2).exp()))
    terms = [(mean, term) for mean, term in terms if not term.is_zero()]
    above, below = [each for each in terms if each[1] > 0], [each for each in terms if each[1] < 0]
    if len(above) + len(below) < len(terms) or not below or (above and above[0][0] < below[-1][0]):
        raise Refused("at this precision it is not certain where a loss of a sample is reached")
    if not above:
        return (rational(0), rational(0)) if beyond else (rational(1), rational(1))
    end_at, sign = crossing(above, below) / mu, -1 if beyond else 1
    first, second = (
        summed(rational(weight) * normal_cdf(sign * (end_at - mean * mu)) for mean, weight in found.items())
        for found in parts
    )
    return first, second


def _below(pair: pairs.Pair, loss: Fraction) -> tuple[Ball, Ball]:
    """Return what P and Q of a pair, for a removal, give the answers whose loss is at most this."""
    if pair.rate == 1:
        return _base_below(pair.base, loss)
    rate = rational(pair.rate)
    odds = (rational(loss).exp() - (1 - rate)) / rate
    if odds <= 0:
        return rational(0), rational(0)
    if not odds > 0:
        raise Refused("at this precision a loss of a sample is not distinguished from its least one")
    p, q = _base_below(pair.base, odds.log())
    return (1 - rate) * q + rate * p, q


def _base_below(base: object, loss: Fraction | Ball) -> tuple[Ball, Ball]:
    value = rational(loss) if isinstance(loss, Fraction) else loss
    if isinstance(base, pairs.Normal):
        mu = rational(base.square).sqrt()
        return normal_cdf(value / mu - mu / 2), normal_cdf(value / mu + mu / 2)
    assert isinstance(base, pairs.DoubleExponential)
    # Answers on the far side of the other centre all have the loss -epsilon, those on the near side epsilon.
    if _reaches(loss, base.epsilon):
        return rational(1), rational(1)
    if not _reaches(loss, -base.epsilon):
        return rational(0), rational(0)
    epsilon = rational(base.epsilon)
    return ((value - epsilon) / 2).exp() / 2, 1 - (-(value + epsilon) / 2).exp() / 2


def _reaches(loss: Fraction | Ball, bound: Fraction) -> bool:
    """Decide loss >= bound: exactly for numbers, and for balls where it is certain."""
    if isinstance(loss, Fraction):
        return loss >= bound
    if not loss.is_finite() or end(loss, up=False) < bound <= end(loss, up=True):
        raise Refused("at this precision a loss is not distinguished from the largest one of Laplace noise")
    return end(loss, up=False) >= bound


def _atoms(pair: pairs.Pair, removal: bool, step: Fraction, low: int, high: int, bits: int) -> Cells:
    found, both = Cells(), bool(pair.means)
    rate, rest = rational(pair.rate), rational(1)
    if isinstance(pair.base, pairs.DiscreteNormal):
        # What is left out has about the same bound for P and Q, and so for a sample. The normaliser is above 1; answers
        # from -reach to shift + reach are listed, which are ``reach`` from both centres.
        found.beyond = 2 * _gaussian_tail(pair.base.variance, _reach(pair.base, bits) + 1)
    for loss, p, q in _answers(pair.base, bits):
        if pair.rate == 1:
            _place(found, loss, p, q, step, low, high)
            continue
        if both and (loss is None or loss <= 0):
            continue
        mixed: Ball = (1 - rate) * q + rate * p
        value: Ball = Fraction(0)  # A sample keeps a loss of 0, exactly.
        if loss != 0:
            value = (1 - rate if loss is None else 1 - rate + rate * rational(loss).exp()).log()
        for gains in (True, False) if both else (removal,):
            one, other = (mixed, q) if gains else (q, mixed)
            _place(found, value if gains else -value, one, other, step, low, high)
            rest = rest - one
    if isinstance(pair.base, pairs.WorstApproximate):
        # An added record is in no sample of the law that gives these answers to P alone.
        found.infinite = rational(pair.base.delta) * rate if removal or both or pair.rate == 1 else rational(0)
    if both:  # Of what has no loss both laws have as much: the pair is the same the other way round.
        found.on_grid.append((0, rest - found.infinite, rest - found.infinite))
    return found


def _place(found: Cells, loss: Fraction | Ball | None, p: Ball, q: Ball, step: Fraction, low: int, high: int) -> None:
    """Put an answer into its cell. Where a ball holds a point of the grid, the next point above bounds the loss."""
    if loss is None:
        return  # P does not give the answer.
    if isinstance(loss, Fraction):
        j, on_grid = loss // step, loss % step == 0
    else:
        bottom, top = (end(loss, up=up) // step for up in (False, True))
        if bottom != top:
            # At most one point of the grid lies in a ball; its P is moved up to the next one.
            found.on_grid.append((int(top) + 1, p, q))
            return
        j, on_grid = bottom, False
    if j >= high:
        found.beyond = found.beyond + p
    elif j < low:
        found.inner.append((low - 1, p, q))
    else:
        (found.on_grid if on_grid else found.inner).append((int(j), p, q))


def listed(base: object, bits: int) -> int:
    """Return about how many answers of a pair are written out; Refused where they are too many."""
    if isinstance(base, pairs.DiscreteNormal):
        return 2 * (_reach(base, bits) + base.shift)
    return base.shift if isinstance(base, pairs.TwoSidedGeometric) else 0


def _reach(base: pairs.DiscreteNormal, bits: int) -> int:
    """How far from 0 answers are written out: beyond it the masses sum to less than 2^-bits."""
    reach = isqrt(ceil(2 * base.variance * (bits + 8))) + 2
    if 2 * (reach + base.shift) > MOST_ATOMS:
        raise Refused(f"a discrete Gaussian of more than {MOST_ATOMS} answers is not written out")
    return reach


def _gaussian_tail(variance: Fraction, least: int) -> Ball:
    """Bound the sum of exp(-x^2/(2 variance)) over x >= least >= 1, by a geometric series."""
    first = rational(Fraction(-least * least, 2) / variance).exp()
    return first / (1 - rational(Fraction(-least) / variance).exp())


def _answers(base: object, bits: int) -> Iterator[tuple[Fraction | None, Ball, Ball]]:
    """Yield each answer, or all of one loss, as (loss, P, Q); None for a loss of minus infinity."""
    if isinstance(base, pairs.Response):
        grows = rational(base.epsilon).exp()
        whole = grows + base.outcomes - 1
        yield base.epsilon, grows / whole, 1 / whole
        yield -base.epsilon, 1 / whole, grows / whole
        middle = (base.outcomes - 2) / whole
        yield Fraction(0), middle, middle
    elif isinstance(base, pairs.WorstApproximate):
        left = rational(1 - base.delta)
        yield from ((loss, left * p, left * q) for loss, p, q in _answers(pairs.Response(base.epsilon), bits))
        yield None, rational(0), rational(base.delta)
    elif isinstance(base, pairs.TwoAnswers):
        # P and Q sum to 1: e^top q + e^(top - width) (1 - q) = 1.
        high, low = rational(base.top).exp(), rational(base.top - base.width).exp()
        q = (1 - low) / (high - low)
        yield base.top, high * q, q
        yield base.top - base.width, low * (1 - q), 1 - q
    elif isinstance(base, pairs.TwoSidedGeometric):
        if base.shift > MOST_ATOMS:
            raise Refused(f"a shift of more than {MOST_ATOMS} is not written out")
        ratio, shift = rational(-1 / base.scale).exp(), base.shift
        far = rational(-shift / base.scale).exp()
        yield shift / base.scale, 1 / (1 + ratio), far / (1 + ratio)
        yield -shift / base.scale, far / (1 + ratio), 1 / (1 + ratio)
        for x in range(1, shift):
            both = (rational(-each / base.scale).exp() * (1 - ratio) / (1 + ratio) for each in (x, shift - x))
            yield Fraction(shift - 2 * x) / base.scale, *both
    elif isinstance(base, pairs.DiscreteNormal):
        yield from _normal_answers(base, bits)
    else:
        raise Refused("this pair has no list of answers")


def _normal_answers(base: pairs.DiscreteNormal, bits: int) -> Iterator[tuple[Fraction, Ball, Ball]]:
    reach, shift = _reach(base, bits), base.shift
    weights = [rational(Fraction(-x * x, 2) / base.variance).exp() for x in range(reach + shift + 1)]
    inside = 2 * summed(weights[1 : reach + 1]) + 1
    tail = 2 * _gaussian_tail(base.variance, reach + 1)
    normaliser = inside.union(inside + tail)
    masses = [weight / normaliser for weight in weights]
    for x in range(-reach, shift + reach + 1):
        yield Fraction(shift * (shift - 2 * x), 2) / base.variance, masses[abs(x)], masses[abs(x - shift)]
