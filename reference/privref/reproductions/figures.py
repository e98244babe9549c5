"""Figures 1 to 3 of Whitehouse et al. 2023, regenerated from enclosures, and one of our own odometer.

The paper prints delta' = 10^-6 and the form of the curves. It does not print the ranges, the targets of epsilon, gamma,
v0 and |x|: those used here are ours, and every caption says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal

from privref.adaptive import odometers, whitehouse
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.numbers import spell
from privref.guarantees.randomized_response import pure_kl

# Charts of rigorous values: curves whose every point is an enclosure.


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve: what it shows (its statement's id), and where it is known; None is a gap (no finite value there)."""

    label: str
    statement: str
    x: tuple[Fraction, ...]
    y: tuple[Enclosure | None, ...]
    dashed: bool = False
    #: The first x at which a filter halted, where it did.
    halted_at: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves over one axis, with a caption that says what is ours in it."""

    name: str
    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    caption: str


def points(low: Fraction, high: Fraction, count: int) -> tuple[Fraction, ...]:
    """``count`` evenly spaced rationals, both ends included."""
    step = (high - low) / (count - 1)
    return tuple(low + i * step for i in range(count))


def table(chart: Chart, digits: int = 12) -> list[dict[str, str]]:
    """The chart's numbers, one row per point and curve, as outward-rounded decimals."""
    return [
        {"curve": curve.label, "statement": curve.statement, "x": str(x), "lower": low, "upper": high}
        for curve in chart.curves
        for x, y in zip(curve.x, curve.y, strict=True)
        if y is not None
        for low, high in [y.decimals(digits)]
    ]


def enclosures(found: Sequence[Enclosure | Literal["inf"] | None]) -> tuple[Enclosure | None, ...]:
    """Readings as a curve's heights: what is infinite or absent is a gap."""
    return tuple(None if isinstance(each, str) else each for each in found)


DELTA_PRIME = Fraction(1, 10**6)
#: Ours: the target epsilon at which the odometers are tuned, and the size of the data set.
TARGET_EPS = Fraction(1)
SIZE = Fraction(10**4)
#: One point for each pixel column of the axes, more or less.
COLUMNS = 601

_WIDTH = Fraction(1, 10**9)
_X = "sum of eps_m^2"
_Y = "bound on the privacy loss"
_OURS = "Ours (not printed in the paper): "


def _curve(
    label: str,
    statement: str,
    x: tuple[Fraction, ...],
    formula: Callable[[Arithmetic, Fraction], Scalar],
    *,
    starts_at: Fraction = Fraction(0),
    dashed: bool = False,
) -> Curve:
    engine = decide.engine("arb", 128)

    def at(value: Fraction) -> Enclosure | None:
        return None if value < starts_at else decide.enclose(lambda ar: formula(ar, value), engine, _WIDTH)

    return Curve(label, statement, x, tuple(at(value) for value in x), dashed)


def _odometer(name: str, x: tuple[Fraction, ...], tuning: Fraction, label: str) -> Curve:
    """An odometer of Theorem 3; the stitched one starts at its v0."""
    id = f"whitehouse2023/thm3.{name}"
    formula, tuned_by = whitehouse.TUNED[id]
    start = tuning if tuned_by == "v0" else Fraction(0)
    return _curve(label, id, x, lambda ar, v: formula(ar, v, tuning, DELTA_PRIME), starts_at=start)


def _pointwise(x: tuple[Fraction, ...]) -> Curve:
    return _curve(
        "advanced composition, pointwise (no odometer)",
        "whitehouse2023/thm2.f",
        x,
        lambda ar, v: whitehouse.f(ar, v, DELTA_PRIME),
        dashed=True,
    )


def _times() -> tuple[Fraction, ...]:
    return points(Fraction(0), Fraction(1, 10), COLUMNS)


def _tuned() -> tuple[Fraction, Fraction, Fraction]:
    """y*, gamma and v0 of the comparisons: tight where the bound is the target epsilon; v0 a tenth of that time."""
    target = odometers.target_time(TARGET_EPS, DELTA_PRIME)
    return target, odometers.tune_gamma(target, DELTA_PRIME).value, target / 10


def _said(value: Fraction) -> str:
    text = spell(value)
    return text if len(text) <= 12 else f"{float(value):.6g}"


def figure_1a() -> Chart:
    """Figure 1(a): the lower-order terms of advanced composition and of the filter."""
    x = points(Fraction(0), Fraction(2), COLUMNS)
    return Chart(
        "1a",
        "Lower-order terms",
        "eps",
        "lower-order term",
        (
            _curve("filter: eps^2/2", "whitehouse2023/lem10.kl_bound", x, lambda ar, eps: eps * eps / 2),
            _curve(
                "advanced composition: eps tanh(eps/2)",
                "whitehouse2023/lem10.kl_tight",
                x,
                lambda ar, eps: pure_kl(ar, eps) if eps else Fraction(0),
                dashed=True,
            ),
        ),
        f"{_OURS}the range of eps, [0, 2].",
    )


def _own(x: tuple[Fraction, ...]) -> tuple[Curve, ...]:
    """The three odometers of Theorem 3, as the comparisons tune them."""
    return tuple(
        _odometer(name, x, tuning, f"{name} odometer")
        for name, tuning in zip(("filter", "mixture", "stitched"), _tuned(), strict=True)
    )


def _against_original(name: str, title: str) -> Chart:
    """Figures 1(b) and 3(a): the odometers of the paper and the original one."""
    y_star, gamma, v0 = _tuned()
    x = _times()
    id = "whitehouse2023/lem3.odometer"
    original = _curve("Rogers et al., restated", id, x, lambda ar, v: whitehouse.restated(ar, v, SIZE, DELTA_PRIME))
    return Chart(
        name,
        title,
        _X,
        _Y,
        (original, *_own(x)),
        f"delta' = 10^-6. {_OURS}the range; filter odometer with y* = {_said(y_star)} (target eps = "
        f"{_said(TARGET_EPS)}), mixture with gamma = {_said(gamma)} (tight there), stitched with v0 = {_said(v0)}; "
        f"|x| = {_said(SIZE)}. The restated odometer of Rogers et al. has its third branch corrected "
        "(a single logarithm).",
    )


#: Of Figure 2: by the odometer, its symbol, the values that tune it, and what of the figure is ours.
_TUNINGS = {
    "2a": ("filter", "eps", (Fraction(1, 2), Fraction(1), Fraction(3, 2)), "the targets eps = 1/2, 1, 3/2"),
    "2b": ("mixture", "gamma", (Fraction(1, 10**4), Fraction(1, 10**3), Fraction(1, 10**2)), "the values of gamma"),
    "2c": ("stitched", "v0", (Fraction(1, 1000), Fraction(1, 200), Fraction(1, 50)), "the values of v0"),
}


def _tunings_of(name: str) -> Chart:
    """Figure 2: one odometer with different tunings; the filter's by its target epsilon."""
    odometer, symbol, values, ours = _TUNINGS[name]
    x = _times()
    curves = tuple(
        _odometer(
            odometer,
            x,
            odometers.target_time(value, DELTA_PRIME) if symbol == "eps" else value,
            f"{odometer}, {symbol} = {_said(value)}",
        )
        for value in values
    )
    title = f"{odometer.capitalize()} odometers"
    return Chart(name, title, _X, _Y, curves, f"delta' = 10^-6. {_OURS}the range and {ours}.")


def figure_3b() -> Chart:
    """Figure 3(b): the odometers against advanced composition at every point, which is not an odometer."""
    y_star, gamma, v0 = _tuned()
    x = _times()
    return Chart(
        "3b",
        "Odometers and pointwise advanced composition",
        _X,
        _Y,
        (*_own(x), _pointwise(x)),
        f"delta' = 10^-6. {_OURS}the range, y* = {_said(y_star)}, gamma = {_said(gamma)}, v0 = {_said(v0)}. The dashed "
        "curve holds at one time fixed in advance only: it is not an odometer.",
    )


def one_sided() -> Chart:
    """No figure of the paper: its mixture odometer with the mixture of one side, and what no odometer can reach."""
    _, gamma, _ = _tuned()
    x = points(Fraction(0), Fraction(1, 10), 401)
    return Chart(
        "one-sided",
        "The mixture odometer of one side",
        _X,
        _Y,
        (
            _odometer("mixture", x, gamma, "mixture odometer"),
            _odometer("one_sided", x, gamma, "mixture odometer of one side (ours)"),
            _pointwise(x),
        ),
        f"delta' = 10^-6. {_OURS}the figure, with the range and gamma = {_said(gamma)} for both mixtures. The dashed "
        "curve holds at one time fixed in advance only: it is not an odometer.",
    )


FIGURES: dict[str, Callable[[], Chart]] = {
    "1a": figure_1a,
    "1b": partial(_against_original, "1b", "Privacy odometers"),
    **{name: partial(_tunings_of, name) for name in _TUNINGS},
    "3a": partial(_against_original, "3a", "New odometers and the original"),
    "3b": figure_3b,
    "one-sided": one_sided,
}


def chart(name: str) -> Chart:
    """The data of one figure; InputError for a name that is not one."""
    found = FIGURES.get(name)
    if found is None:
        raise InputError("figure", name, f"give one of {', '.join(FIGURES)}")
    return found()
