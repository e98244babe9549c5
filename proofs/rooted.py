"""Values that the code brackets: the code's root is the paper's, the only one, and its bracket encloses the value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sympy as sp

from privref.exact.seams import SEAMS, standing_in
from privref.statements import registry

from . import cover
from .algebra import agree, identically_zero, moves_one_way, plainly_positive
from .exploring import Oracle, paths_with
from .stand_ins import on_symbols
from .symbolic import SymbolicArithmetic
from .transcription import At, Claim, Drop, ProofError, Root, Sum

#: A search for the lower end of a bracket is followed for this many steps; each step only moves that end.
_SEARCH_STEPS = 2


class _SearchedFurtherError(Exception):
    """A path on which the search for the lower end goes on."""


class _RootArithmetic(SymbolicArithmetic):
    """Symbols, and the hull of a bracket whose ends stand for one and the same root."""

    def hull(self, first: Any, second: Any) -> Any:
        if first != second:
            raise ProofError(f"{first} and {second} are not the two ends of one bracket")
        return first


class Bracket:
    """What ``roots`` promises, on symbols: of an increasing function that is not positive at the lower end, a bracket.

    Both ends stand for the root that lies between them. The promise itself is tested with the package.
    """

    def __init__(self, unknown: Any, oracle: Oracle) -> None:
        self.unknown, self.oracle = unknown, oracle
        self.function: Any = None

    def root(self, function: Callable[..., Any], low: Any, high: Any, arithmetic: Any) -> tuple[Any, Any]:
        if self.function is not None:
            raise ProofError("more than one root")
        at_low = sp.sympify(function(arithmetic, low))
        if self.oracle.may_be_positive(at_low):
            raise ProofError(f"{at_low} is not known to be at most 0 at the bracket's lower end {low}")
        self.function = sp.sympify(function(arithmetic, self.unknown))
        return self.unknown, self.unknown


@contextmanager
def _bracketing(bracket: Bracket) -> Iterator[None]:
    """Let brackets of roots be symbols, and follow the searches for their lower ends a few steps."""
    asked, searched = SEAMS["exact.decide.sign"], 0

    def sign(formula: Any, arithmetic: Any, **named: Any) -> int:
        nonlocal searched
        found: int = asked(formula, arithmetic, **named)
        searched += found > 0
        if searched > _SEARCH_STEPS:
            raise _SearchedFurtherError
        return found

    stand_ins: dict[str, Callable[..., Any]] = {
        "exact.roots.root": bracket.root,
        "exact.roots.bracket_above": lambda function, low, arithmetic: low,
        "exact.decide.sign": sign,
        "exact.decide.enclosing": lambda arithmetic: arithmetic,
    }
    with standing_in(stand_ins):
        yield


def prove_root(proof: Root, statement: registry.Statement, case: Mapping[str, Any]) -> tuple[int, int]:
    """The code's root is the paper's on every path, the only one, and its bracket encloses the paper's value.

    The numbers of paths, and of those with a root.
    """
    explored = rooted = 0

    def run(oracle: Oracle) -> tuple[Any, Any, Any, Any]:
        ours, theirs = Bracket(proof.unknown, oracle), []

        def their_root(function: Callable[[Any], Any]) -> Any:
            theirs.append(sp.sympify(function(proof.unknown)))
            return proof.unknown

        try:
            with _bracketing(ours), on_symbols():
                result = statement.function(_RootArithmetic(), **case)
        except _SearchedFurtherError:
            return None, None, None, None
        expected = proof.value(their_root, **case)
        return result, expected, ours.function, theirs[0] if theirs else None

    for (ours, theirs, our_function, their_function), oracle in paths_with(run):
        explored += 1
        if ours is None:
            continue
        where = f"{proof.id} at {case}, {oracle.signs}"
        if (our_function is None) != (their_function is None):
            raise ProofError(f"{where}: only one side has a root: code {ours}, paper {theirs}")
        if not agree(ours, theirs, oracle.ties):
            raise ProofError(f"{where}:\n  code  {ours}\n  paper {theirs}")
        if our_function is None:
            continue
        rooted += 1
        if not identically_zero(our_function - their_function):
            raise ProofError(f"{where}: the root is of\n  code  {our_function}\n  paper {their_function}")
        (symbol,) = proof.unknown.free_symbols
        _prove_increasing(proof, our_function, symbol, case)
        if not moves_one_way(sp.diff(sp.sympify(ours), symbol)):
            raise ProofError(f"{where}: {ours} is not seen to move one way with the root")
    return explored, rooted


def _prove_increasing(proof: Root, function: Any, symbol: sp.Symbol, case: Mapping[str, Any]) -> None:
    slope = sp.diff(function, symbol)
    above, below = ((), ()) if proof.slope is None else proof.slope(proof.unknown, **case)
    covered = any(_rests_on_a_cover(factor) for factor in (*above, *below))
    if proof.status == ("identical" if covered else "enclosed"):
        raise ProofError(f"{proof.id}: {proof.status}, but a cover is {'used' if covered else 'not used'}")
    if proof.slope is None:
        if plainly_positive(slope):
            return
        raise ProofError(f"{proof.id}: {slope} is not seen to be positive")
    for factor in (*above, *below):
        prove_factor(factor)
    claimed = sp.prod([_factor(f) for f in above]) / sp.prod([_factor(f) for f in below])
    difference = slope - claimed
    if proof.abbreviated is not None:
        whole = proof.abbreviated(**case)
        if not plainly_positive(whole):
            raise ProofError(f"{proof.id}: {whole} is not seen to be positive")
        difference = difference.subs(whole, sp.Symbol("abbreviated", positive=True))
    if not identically_zero(difference):
        raise ProofError(f"{proof.id}: {slope} is not {claimed}")


def _rests_on_a_cover(factor: Any) -> bool:
    if isinstance(factor, Sum):
        return any(_rests_on_a_cover(part) for factors in factor.products for part in factors)
    return isinstance(factor, At | Drop)


def _factor(factor: Any) -> Any:
    return factor.expression if isinstance(factor, At | Drop | Sum) else sp.sympify(factor)


def prove_factor(factor: Any) -> None:
    """One factor of a slope is positive: by SymPy's assumptions, or by a claim that is proved on a cover."""
    if isinstance(factor, Sum):
        for part in (part for factors in factor.products for part in factors):
            prove_factor(part)
    elif isinstance(factor, At | Drop):
        _proved(factor.claim)
        if isinstance(factor, At):
            real = all(sp.sympify(value).is_extended_real for value in factor.point.values())
            if not real or any(ends != (-sp.oo, sp.oo) for ends in factor.claim.domain.values()):
                raise ProofError(f"{factor.claim.says}: {factor.point} is not seen to lie in its domain")
            return
        (z,) = factor.claim.domain
        falls = sp.simplify(sp.diff(factor.falling, z) + factor.weight * factor.claim.quantity)
        if factor.claim.domain[z] != (-sp.oo, sp.oo) or falls != 0:
            raise ProofError(f"{factor.claim.says}: it is not minus the slope of {factor.falling}")
        for part in (factor.weight, factor.scale, factor.second - factor.first):
            if not plainly_positive(part):
                raise ProofError(f"{factor.claim.says}: {part} is not seen to be positive")
    elif not plainly_positive(factor):
        raise ProofError(f"{factor} is not seen to be positive")


_PROVED: list[Claim] = []


def _proved(claim: Claim) -> None:
    """Prove a claim once."""
    if not any(claim is earlier for earlier in _PROVED):
        cover.prove_claim(claim)
        _PROVED.append(claim)
