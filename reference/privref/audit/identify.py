"""Which known formula, and which rounding, gives a published epsilon: a search over formulas people use.

Not all of them are theorems that an audit may use; those without a registered statement say where they are from. A
match says how a number may have come about, not that it is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import HypothesisError, InputError, UndecidedError
from privref.exact.numbers import count, rational
from privref.guarantees.conversions import conversion_cost
from privref.profiles.subsampled_renyi import renyi
from privref.statements.registry import solve, statement

_DIGITS = 15
#: pi to 30 decimals: as a rational below and above, for the one formula that names it.
_PI = (
    Fraction(3141592653589793238462643383279, 10**30),
    Fraction(3141592653589793238462643383280, 10**30),
)
_MOST_ROUNDS = 10_000
_MOST_STEPS = 10**9


@dataclass(frozen=True, slots=True)
class KnownFormula:
    """A formula for epsilon at delta from one given number, increasing in it."""

    name: str
    source: str
    takes: str
    registered: str | None
    value: Callable[[Fraction, int, Fraction], Enclosure | None]
    """(the number, rounds, delta) -> epsilon; None where the formula gives nothing."""
    premise: str = ""


def _registered(
    name: str, takes: str, id: str, inputs: Callable[[Fraction, int, Fraction], Mapping[str, Any]], premise: str = ""
) -> KnownFormula:
    def value(number: Fraction, rounds: int, delta: Fraction) -> Enclosure | None:
        found = statement(id)
        return solve(found, found.read(inputs(number, rounds, delta)), digits=_DIGITS, engine="arb").enclosure

    return KnownFormula(name, id, takes, id, value, premise)


def _free(
    name: str,
    takes: str,
    source: str,
    formula: Callable[[Arithmetic, Fraction, int, Fraction], Scalar],
) -> KnownFormula:
    def value(number: Fraction, rounds: int, delta: Fraction) -> Enclosure | None:
        width = Fraction(1, 10**_DIGITS)
        return decide.enclose(lambda ar: formula(ar, number, rounds, delta), decide.engine("arb"), width)

    return KnownFormula(name, source, takes, None, value)


def _bun_steinke_36(ar: Arithmetic, rho: Fraction, rounds: int, delta: Fraction) -> Scalar:
    root = ar.sqrt(ar.hull(_PI[0] * rho, _PI[1] * rho))
    return rho + 2 * ar.sqrt(rho * ar.log(root / delta))


def _classical(ar: Arithmetic, mu: Fraction, rounds: int, delta: Fraction) -> Scalar:
    return mu * ar.sqrt(2 * rounds * ar.log(Fraction(5, 4) / delta))


def _gaussian(rho: Fraction, rounds: int, delta: Fraction) -> Enclosure | None:
    """The curve between those of two rational mu about sqrt(2 rho): it increases with mu."""
    scale = 10 ** (2 * _DIGITS)
    root = Fraction(isqrt(2 * rho.numerator * rho.denominator * scale**2), rho.denominator * scale)
    found = statement("gdp/profile.eps")
    ends = [
        solve(found, found.read({"mu": mu, "delta": delta}), digits=_DIGITS, engine="arb").enclosure
        for mu in (root, root + Fraction(1, rho.denominator * scale))
    ]
    low, high = ends
    return None if low is None or high is None else Enclosure(low.lower, high.upper)


_GAUSS = "only if all noise is Gaussian"
_RANGE = "only if every mechanism has this bounded range, as exponential ones have"

#: Every formula takes one of rho (in all), epsilon (of each of k rounds), mu (of each of k rounds).
FORMULAS: tuple[KnownFormula, ...] = (
    _registered("tight conversion of zCDP", "rho", "cks2020/zcdp2dp.eps", lambda rho, k, d: {"rho": rho, "delta": d}),
    _registered(
        "rho + 2 sqrt(rho log(1/delta)), Lemma 1",
        "rho",
        "whitehouse2023/lem1.zcdp2dp.eps",
        lambda rho, k, d: {"rho": rho, "delta_prime": d},
    ),
    _free(
        "rho + 2 sqrt(rho log(sqrt(pi rho)/delta))", "rho", "Bun and Steinke 2016, Lemma 3.6 (not registered)",
        _bun_steinke_36,
    ),
    KnownFormula(
        "exact curve of a Gaussian of this rho", "gdp/profile.eps", "rho", "gdp/profile.eps", _gaussian, _GAUSS
    ),
    _registered("basic composition, k epsilon", "epsilon", "rogers2016/thm2.9.eps", lambda e, k, d: {
        "eps": [{"value": e, "count": k}]}),
    _registered("advanced composition", "epsilon", "rogers2016/thm2.10.eps_g", lambda e, k, d: {
        "eps": e, "k": k, "delta_hat": d}),
    _registered("optimal composition", "epsilon", "kov2015/optimal.eps", lambda e, k, d: {
        "eps": e, "k": k, "delta_g": d}),
    _registered("zCDP with rho = k eps^2/2, Lemma 1", "epsilon", "whitehouse2023/lem1.zcdp2dp.eps", lambda e, k, d: {
        "rho": k * e * e / 2, "delta_prime": d}),
    _registered("zCDP with rho = k eps^2/2, tight conversion", "epsilon", "cks2020/zcdp2dp.eps", lambda e, k, d: {
        "rho": k * e * e / 2, "delta": d}),
    _registered("bounded range by its largest mean, Proposition 4", "epsilon", "dong2020/prop4.eps", lambda e, k, d: {
        "eps": [{"value": e, "count": k}], "delta": d}, _RANGE),
    _registered("zCDP with rho = k eps^2/8, tight conversion", "epsilon", "cks2020/zcdp2dp.eps", lambda e, k, d: {
        "rho": k * e * e / 8, "delta": d}, _RANGE),
    _registered("zCDP with rho = k eps^2/8, Lemma 1", "epsilon", "whitehouse2023/lem1.zcdp2dp.eps", lambda e, k, d: {
        "rho": k * e * e / 8, "delta_prime": d}, _RANGE),
    _registered("exact curve of Gaussian DP", "mu", "gdp/composition.eps", lambda mu, k, d: {
        "mu": [{"value": mu, "count": k}], "delta": d}),
    _registered("zCDP with rho = k mu^2/2, tight conversion", "mu", "cks2020/zcdp2dp.eps", lambda mu, k, d: {
        "rho": k * mu * mu / 2, "delta": d}),
    _registered("zCDP with rho = k mu^2/2, Lemma 1", "mu", "whitehouse2023/lem1.zcdp2dp.eps", lambda mu, k, d: {
        "rho": k * mu * mu / 2, "delta_prime": d}),
    _free("classical Gaussian mechanism, mu sqrt(2 log(1.25/delta))", "mu",
          "Dwork and Roth 2014, Theorem A.1, proved for epsilon <= 1 only (not registered)", _classical),
)  # fmt: skip


#: The whole orders that RDP accountants try; some try fractional ones between them.
_ORDERS = range(2, 64)


def _by_renyi(
    convert: Callable[[Arithmetic, int, Fraction, Fraction], Scalar], sigma: Fraction
) -> Callable[[Fraction, int, Fraction], Enclosure | None]:
    """The least epsilon over whole orders of the rounds' summed Renyi divergence, converted."""

    def value(rate: Fraction, rounds: int, delta: Fraction) -> Enclosure | None:
        found = []
        for order in _ORDERS:

            def formula(ar: Arithmetic, order: int = order) -> Scalar:
                divergence = renyi(ar, rate, sigma, order)
                assert not isinstance(divergence, str)
                return rounds * ar.real(divergence) + convert(ar, order, rate, delta)

            found.append(decide.enclose(formula, decide.engine("arb"), Fraction(1, 10**_DIGITS)))
        return Enclosure(min(one.lower for one in found), min(one.upper for one in found))

    return value


def _central_limit(sigma: Fraction) -> Callable[[Fraction, int, Fraction], Enclosure | None]:
    def value(rate: Fraction, rounds: int, delta: Fraction) -> Enclosure | None:
        mu_squared = decide.enclose(
            lambda ar: rate * rate * rounds * ar.expm1(1 / (sigma * sigma)), decide.engine("arb"), Fraction(1, 10**20)
        )
        ends = [_gaussian(end / 2, 1, delta) for end in (mu_squared.lower, mu_squared.upper)]
        low, high = ends
        return None if low is None or high is None else Enclosure(low.lower, high.upper)

    return value


def _of_samples(sigma: Fraction) -> tuple[KnownFormula, ...]:
    """Formulas of DP-SGD with this noise multiplier, for a rate and a number of rounds."""
    premise = "only if every batch was a Poisson sample"
    renyi_divergence = "mtz2019/poisson_gaussian.renyi"
    return (
        _registered(
            "exact profile of the Poisson-subsampled Gaussian", "rate", "zdw2022/poisson_gaussian.eps",
            lambda q, k, d: {"q": q, "sigma": sigma, "k": k, "delta": d}, premise,
        ),
        KnownFormula(
            "Renyi DP at whole orders 2 to 63, tight conversion", f"{renyi_divergence} and cks2020/rdp2dp.eps", "rate",
            None, _by_renyi(lambda ar, order, q, d: conversion_cost(ar, Fraction(order), d), sigma), premise,
        ),
        KnownFormula(
            "Renyi DP at whole orders 2 to 63, + log(1/delta)/(order - 1)", f"{renyi_divergence} and Mironov 2017, "
            "Proposition 3 (not registered)", "rate", None,
            _by_renyi(lambda ar, order, q, d: ar.log(1 / d) / (order - 1), sigma), premise,
        ),
        KnownFormula(
            "central limit, mu = q sqrt(k (e^(1/sigma^2) - 1))", "Bu, Dong, Long, Su 2020 (not registered)", "rate",
            None, _central_limit(sigma), "an approximation: no bound, and often below what is lost",
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Match:
    """A formula's value alongside the published number, and the rounding that makes them agree, if one does."""

    formula: KnownFormula
    enclosure: Enclosure
    rounding: str | None
    of_rounded_input: bool = False


@dataclass(frozen=True, slots=True)
class Identification:
    """What was asked, and every formula that applies: the ones that agree first."""

    epsilon: str
    delta: str
    takes: str
    number: str
    rounds: int
    matches: tuple[Match, ...]

    @property
    def found(self) -> tuple[Match, ...]:
        """The formulas that agree; one that needs a rounded input only where no other does."""
        agreeing = [match for match in self.matches if match.rounding is not None]
        direct = tuple(match for match in agreeing if not match.of_rounded_input)
        return direct or tuple(agreeing)


def _decimals(text: str) -> int | None:
    """How many decimals a number was written with; None where it is not a plain decimal."""
    found = re.fullmatch(r"[0-9]+(?:\.([0-9]+))?", text.strip())
    return None if found is None else len(found[1] or "")


def _rounding(enclosure: Enclosure, claimed: Fraction, places: int | None) -> str | None:
    if enclosure.lower == enclosure.upper == claimed:
        return "exactly"
    if places is None:
        return None
    unit = Fraction(1, 10**places)
    nearest = claimed - unit / 2 <= enclosure.lower and enclosure.upper <= claimed + unit / 2
    of_these = ", and rounding to the nearest gives the same" if nearest else ""
    if claimed <= enclosure.lower and enclosure.upper < claimed + unit:
        return f"rounded down to {_decimals_words(places)}{of_these}"
    if claimed - unit < enclosure.lower and enclosure.upper <= claimed:
        return f"rounded up to {_decimals_words(places)}{of_these}"
    return None


def _decimals_words(places: int) -> str:
    """Return what a number of so few decimals is called."""
    return f"{places} decimal{'' if places == 1 else 's'}" if places else "a whole number"


def _match(
    formula: KnownFormula, claim: tuple[Fraction, int | None], given: str, rounds: int, delta: Fraction
) -> Match | None:
    claimed, places = claim
    number = rational(given, formula.takes)
    try:
        enclosure = formula.value(number, rounds, delta)
        if enclosure is None:
            return None
        rounding = _rounding(enclosure, claimed, places)
        written = _decimals(given)
        if rounding is not None or written is None or places is None:
            return Match(formula, enclosure, rounding)
        # The given number may itself have been rounded: the formulas increase with it.
        half = Fraction(1, 2 * 10**written)
        low, high = (
            formula.value(max(number - half, Fraction(0)), rounds, delta),
            formula.value(number + half, rounds, delta),
        )
    except (HypothesisError, UndecidedError):
        return None
    unit = Fraction(1, 10**places)
    if low is None or high is None or high.upper < claimed - unit / 2 or claimed + unit / 2 < low.lower:
        return Match(formula, enclosure, None)
    said = f"rounded to {_decimals_words(places)}, if {formula.takes} = {given} is itself rounded to "
    said += _decimals_words(written)
    return Match(formula, enclosure, said, of_rounded_input=True)


def identify(
    epsilon: str,
    delta: str,
    *,
    rho: str | None = None,
    each: str | None = None,
    mu: str | None = None,
    rate: str | None = None,
    sigma: str | None = None,
    rounds: object = 1,
) -> Identification:
    """The formulas that give (epsilon, delta) from rho, or from ``rounds`` rounds of epsilon ``each`` or of ``mu``.

    DP-SGD has a ``rate`` and, alongside it, the noise multiplier ``sigma``. Numbers are strings as published: their
    decimals say how they may have been rounded.
    """
    given = {"rho": rho, "epsilon": each, "mu": mu, "rate": rate}
    named = [(name, text) for name, text in given.items() if text is not None]
    if len(named) != 1:
        raise InputError(
            "rho, epsilon, mu or sgd",
            ", ".join(name for name, _ in named) or "(missing)",
            "say from what the epsilon may come, by one of them, such as --rho 1/8",
        )
    takes, number = named[0]
    if (rate is None) != (sigma is None):
        raise InputError("sigma", sigma or "(missing)", "a rate and a noise multiplier sigma go together")
    formulas, most = FORMULAS, _MOST_ROUNDS
    if sigma is not None:
        noise = rational(sigma, "sigma")
        if noise <= 0 or rational(number, takes) > 1:
            raise InputError("sigma", sigma, "give sigma > 0, and a rate in (0, 1]")
        formulas, most = _of_samples(noise), _MOST_STEPS
    claimed, slack = rational(epsilon, "epsilon"), rational(delta, "delta")
    if claimed < 0 or not 0 < slack < 1:
        raise InputError("claim", f"{epsilon},{delta}", "give an epsilon of at least 0, and a delta in (0, 1)")
    if rational(number, takes) <= 0:
        raise InputError(takes, number, "give a number above 0")
    times = count(rounds, "count", least=1)
    if rho is not None and times > 1:
        raise InputError("count", rounds, "leave it out: rho is that of all rounds together")
    if times > most:
        raise InputError("count", rounds, f"give 1 to {most} rounds")
    claim = claimed, _decimals(epsilon)
    matches = [
        match
        for formula in formulas
        if formula.takes == takes and (match := _match(formula, claim, number, times, slack)) is not None
    ]

    def rank(match: Match) -> tuple[bool, bool]:
        return match.rounding is None, match.of_rounded_input

    return Identification(epsilon, delta, takes, number, times, tuple(sorted(matches, key=rank)))
