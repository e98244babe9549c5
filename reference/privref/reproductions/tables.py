"""Tables on output DP: OptDel against Lemma 11, Table 1, and the data of Figures 1 and 2 of Hartmann et al. 2022.

Every row is a dict of exact spellings and of outward-rounded decimals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import isqrt

from privref.composition.optimal import table1
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, require_text
from privref.exact.numbers import spell
from privref.exact.rounding import to_decimal
from privref.statements.registry import evaluate

from .bounded_range import bounded_range
from .concurrency import concurrency
from .filters import filters, response_grid, sgd_filter
from .odometers import odometer_errors, one_sided_mixture
from .price import price_of_adaptivity
from .searched import searched
from .side_by_side import side_by_side

TableRow = dict[str, str]

_DIGITS = 8

#: Stopping points of a mechanism of k rounds.
PATTERNS: dict[str, Callable[[int], Sequence[int]]] = {
    "end only": lambda k: [k],
    "half and end": lambda k: [k // 2, k],
    "every tenth part": lambda k: [k * i // 10 for i in range(1, 11)],
    "every round": lambda k: list(range(1, k + 1)),
    "last tenth": lambda k: list(range(k - k // 10, k + 1)),
}

#: Costs of stopping after r rounds of eps.
SHAPES: dict[str, Callable[[Fraction, int], Fraction]] = {
    "r eps/2": lambda eps, r: eps * r / 2,
    "r eps^2/2 + 3 eps sqrt(r)": lambda eps, r: eps * eps * r / 2 + 3 * eps * Fraction(isqrt(r * 10**6), 10**3),
}


def _enclosed(id: str, inputs: dict[str, object]) -> Enclosure:
    found = evaluate(id, inputs, digits=_DIGITS).enclosure
    assert found is not None
    return found


def _shown(value: Enclosure) -> str:
    if value.lower == value.upper == 0:
        return "0"
    return f"[{to_decimal(value.lower, 6, 'down')}, {to_decimal(value.upper, 6, 'up')}]"


def _ratio(large: Enclosure, small: Enclosure) -> str:
    if small.lower <= 0:
        return "-"
    return _shown(Enclosure(large.lower / small.upper, large.upper / small.lower))


def optdel_against_lemma11(
    eps: Sequence[Fraction] = (Fraction(1, 100), Fraction(1, 10)),
    delta: Sequence[Fraction] = (Fraction(0), Fraction(1, 10**6)),
    k: Sequence[int] = (10, 100, 1000),
    patterns: Sequence[str] = tuple(PATTERNS),
    shapes: Sequence[str] = tuple(SHAPES),
) -> Iterator[TableRow]:
    """The gap that the paper leaves open: Theorem 15's optimum against Lemma 11 with optimal composition (eq. 4)."""
    for shape in shapes:
        for rounds in k:
            for pattern in patterns:
                points = PATTERNS[pattern](rounds)
                for e in eps:
                    for d in delta:
                        costs = [SHAPES[shape](e, r) for r in points]
                        inputs = {"eps": e, "delta": d, "k": points, "E": costs}
                        best = _enclosed("hartmann2022/thm15.optdel_eps", inputs)
                        union = _enclosed("hartmann2022/eq4.lemma11_eps", inputs)
                        yield {
                            "cost of stopping after r rounds": shape,
                            "k": str(rounds),
                            "stopping points": pattern,
                            "n": str(len(points)),
                            "eps": spell(e),
                            "delta": spell(d),
                            "OptDel": _shown(best),
                            "Lemma 11": _shown(union),
                            "Lemma 11 / OptDel": _ratio(union, best),
                        }


def table_1() -> Iterator[TableRow]:
    """Table 1 of Hartmann et al. 2022 for eps = 1/10: recomputed, with the certificate against the printed row."""
    for column in table1():
        assert column.certified
        assert column.printed_refuted
        k = column.rounds
        yield {
            "delta": to_decimal(column.delta, 1, "down"),
            "least k": str(k),
            "printed": str(column.printed),
            "delta_1(least k - 1)": _shown(column.before),
            "delta_1(least k)": _shown(column.at),
            "basic epsilon at least k - 1": spell((k - 1) * Fraction(1, 10)),
            "optimal epsilon at least k - 1": _shown(column.curve_eps_before),
        }


def figure_1(
    entries: int = 100,
    c: int = 20,
    eps_svt: Fraction = Fraction(1, 2),
    eps3: Fraction = Fraction(1, 2),
    margin: Fraction = Fraction(500),
) -> Iterator[TableRow]:
    """The data of Figure 1: expected absolute noise per released entry, by the number of large entries.

    Assumed, as the paper leaves it open: noise is the scale of the Laplace noise on a released entry at sensitivity 1,
    and 0 where nothing is released. Every row with output DP is an upper bound.
    """
    plain = _enclosed("hartmann2022/fig1.noise_dp", {"c": c, "eps3": eps3})
    for large in range(1, c + 1):
        inputs = {"entries": entries, "large": large, "c": c, "eps_svt": eps_svt, "eps3": eps3, "margin": margin}
        yield {
            "large entries": str(large),
            "without output DP": to_decimal(plain.upper, 6, "up"),
            "output DP, Chebyshev": to_decimal(
                _enclosed("hartmann2022/fig1.noise_odp_chebyshev", dict(inputs)).upper, 6, "up"
            ),
            "output DP, exact tail": to_decimal(_enclosed("hartmann2022/fig1.noise_odp", dict(inputs)).upper, 6, "up"),
        }


def figure_2(
    sizes: Sequence[int] = (100, 200, 500, 1000, 2000, 5000, 10_000, 100_000),
    eps2: Sequence[Fraction] = (Fraction(1, 100), Fraction(1, 10), Fraction(1)),
    regularisation: Fraction = Fraction(1),
) -> Iterator[TableRow]:
    """The data of Figure 2: the 95th percentile of the noise on the test error, 70% of the records for training."""
    for e in eps2:
        for n in sizes:
            inputs = {"n_train": n * 7 // 10, "n_test": n - n * 7 // 10, "Lam": regularisation, "eps2": e}
            yield {
                "eps2": spell(e),
                "records": str(n),
                "95th percentile": to_decimal(_enclosed("hartmann2022/fig2.percentile95", dict(inputs)).upper, 6, "up"),
                "with the tight sensitivity": to_decimal(
                    _enclosed("hartmann2022/fig2.percentile95_tight", dict(inputs)).upper, 6, "up"
                ),
            }


_TABLES = {
    "hartmann-table-1": table_1,
    "hartmann-figure-1": figure_1,
    "hartmann-figure-2": figure_2,
    "optdel-against-lemma-11": optdel_against_lemma11,
    "price-of-adaptivity": price_of_adaptivity,
    "one-sided-mixture": one_sided_mixture,
    "side-by-side": side_by_side,
    "filters": filters,
    "response-filter": response_grid,
    "sgd-filter": sgd_filter,
    "searched": searched,
    "odometer-errors": odometer_errors,
    "bounded-range": bounded_range,
    "concurrency": concurrency,
}


def table_names() -> tuple[str, ...]:
    """The tables that ``table`` computes."""
    return tuple(_TABLES)


def table(name: str) -> list[TableRow]:
    """One of the papers' tables, recomputed: rows of exact spellings and outward-rounded decimals."""
    require_text(name, "table", f"give one of {', '.join(_TABLES)}")
    if name not in _TABLES:
        raise InputError("table", name, f"give one of {', '.join(_TABLES)}")
    return list(_TABLES[name]())
