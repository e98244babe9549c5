"""Lower bounds that refute a claim: explicit worst cases that respect every declared event of the ledger.

Each refuter yields a registered lower-bound statement, its inputs, and the witness in words. A claim
(epsilon, delta) is refuted when the statement's value at epsilon is certainly above delta.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from privref.composition.optimal import MOST_ROUNDS
from privref.exact.numbers import spell
from privref.guarantees.model import ZCDP, GaussianDP
from privref.guarantees.two_point import two_point_witness

from .facts import Facts


@dataclass(frozen=True, slots=True)
class Witness:
    """A lower bound on what the ledger's guarantees allow to be lost, and the mechanisms that attain it."""

    statement: str
    inputs: Mapping[str, object]
    words: str


def _randomized_response(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """Equal randomized responses within the events' own epsilons; the other events answer nothing."""
    if facts.approx is None:
        return
    counts = dict(facts.epsilons)
    candidates: dict[Fraction, int] = {}
    if counts:
        most = max(counts, key=lambda eps: (counts[eps] * eps, eps))
        candidates[most] = counts[most]
        least = min(eps for eps in counts if eps) if any(counts) else Fraction(0)
        candidates[least] = sum(count for eps, count in counts.items() if eps >= least)
    for eps, available in candidates.items():
        if eps:
            # Fewer rounds than the ledger has are a weaker witness, and still a witness.
            rounds = min(available, MOST_ROUNDS)
            every = len(facts.distinct) == 1 and rounds == facts.ledger.rounds
            declared = every and all(event.mechanism == "randomized-response" for event in facts.ledger.events)
            rest = "" if every else "; where an event allows more, it is not used, and the other events answer nothing"
            yield Witness(
                "kov2015/optimal.delta",
                {"eps": eps, "k": rounds, "eps_g": epsilon},
                f"{'the declared mechanisms, ' if declared else ''}{rounds} randomized response(s) of "
                f"epsilon = {spell(eps)}{rest}",
            )


def _rhos(facts: Facts) -> tuple[tuple[Fraction, int], ...]:
    """The rho of every event that is declared zCDP (without its delta) or Gaussian DP."""
    rhos: dict[Fraction, int] = {}
    for guarantee, count in facts.distinct:
        if isinstance(guarantee, GaussianDP):
            rho = guarantee.mu * guarantee.mu / 2
        elif isinstance(guarantee, ZCDP):
            rho = guarantee.rho
        else:
            continue
        if rho:
            rhos[rho] = rhos.get(rho, 0) + count
    return tuple(rhos.items())


_GAUSSIANS = "Gaussian mechanisms with the declared parameters; events of other kinds answer nothing"


def _gaussian(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """Gaussian mechanisms with the declared rho or mu."""
    if rhos := _rhos(facts):
        yield Witness("cks2020/gaussian_witness.delta", {"rho": rhos, "eps": epsilon}, _GAUSSIANS)


def gaussian_rho_witness(facts: Facts) -> Witness:
    """The lower bound on the rho of the whole ledger that Gaussian mechanisms attain."""
    return Witness("cks2020/gaussian_witness.rho", {"rho": _rhos(facts)}, _GAUSSIANS)


def _two_points(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """A two-outcome mechanism for the largest zCDP event alone."""
    rhos = [guarantee.rho for guarantee, _ in facts.distinct if isinstance(guarantee, ZCDP)]
    if not rhos:
        return
    rho = max(rhos)
    pair = two_point_witness(rho, epsilon, delta)
    if pair is not None:
        p, q = pair
        yield Witness(
            "cks2020/two_point_witness.delta",
            {"rho": rho, "eps": epsilon, "p": p, "q": q},
            f"one mechanism with two outcomes, proved {spell(rho)}-zCDP, in place of the largest event; "
            "the other events answer nothing",
        )


_REFUTERS: tuple[Callable[[Facts, Fraction, Fraction], Iterator[Witness]], ...] = (
    _randomized_response,
    _gaussian,
    _two_points,
)


def witnesses(facts: Facts, epsilon: Fraction, delta: Fraction) -> Iterator[Witness]:
    """The lower bounds to try against an (epsilon, delta) claim, cheap ones first."""
    for refuter in _REFUTERS:
        yield from refuter(facts, epsilon, delta)
