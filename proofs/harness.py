"""Runs our registered functions on symbols and proves them equal to the transcriptions."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from privref import catalogue
from privref.exact import decide
from privref.exact.arithmetic import ExactArithmetic
from privref.exact.errors import HypothesisError, InputError
from privref.statements import registry

from . import cover
from .algebra import agree
from .exploring import paths
from .rooted import prove_root
from .stand_ins import on_symbols
from .symbolic import SymbolicArithmetic
from .transcription import Claim, Proof, ProofError, Property, Root


@dataclass(frozen=True)
class Outcome:
    """What was proved: how many cases and paths."""

    id: str
    status: str
    cases: int
    paths: int


def closed_ends(cases: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Each case, and the same with 0 for each of its symbols that may be 0, and for all of them at once.

    The truth of a symbol (``if charge:``) is no relation that ``exploring`` could ask about, and 0 is where formulas
    degenerate, so the closed ends of the domain are cases of their own.
    """
    for case in cases:
        yield case
        ends = sorted((s for s in _symbols(case) if s.is_nonnegative and not s.is_nonzero), key=str)
        for zeros in [*([end] for end in ends), *([ends] if len(ends) > 1 else [])]:
            yield {name: _with_zeros(value, zeros) for name, value in case.items()}


def _symbols(value: Any) -> set[sp.Symbol]:
    """The symbols of an input: an expression, or a list or mapping of inputs."""
    if isinstance(value, Mapping):
        return _symbols(tuple(value.values()))
    if isinstance(value, (tuple, list)):
        return {symbol for part in value for symbol in _symbols(part)}
    return set(value.free_symbols) if isinstance(value, sp.Basic) else set()


def _with_zeros(value: Any, zeros: list[sp.Symbol]) -> Any:
    if isinstance(value, (tuple, list)):
        return tuple(_with_zeros(part, zeros) for part in value)
    return value.subs(dict.fromkeys(zeros, 0)) if isinstance(value, sp.Basic) else value


class Code:
    def __init__(self, statement: registry.Statement) -> None:
        self._statement = statement
        self.name = statement.id

    def symbolic(self, **inputs: Any) -> Any:
        with on_symbols():
            return self._statement.function(SymbolicArithmetic(), **inputs)

    def exact(self, **inputs: Any) -> Any:
        return self._statement.function(ExactArithmetic(), **inputs)

    def refuses(self, **inputs: Any) -> bool:
        try:
            self.enclosed(10, **inputs)
        except (HypothesisError, InputError):
            return True
        return False

    def enclosed(self, digits: int, **inputs: Any) -> tuple[Fraction, Fraction]:
        engine = decide.engine("arb")
        # Mechanisms are documents to a transcription, which knows nothing of our classes.
        for param in self._statement.params:
            if param.shape == "mechanisms":
                inputs[param.name] = param.read(inputs[param.name])
        found = decide.enclose(lambda ar: self._statement.function(ar, **inputs), engine, Fraction(1, 10**digits))
        return found.lower, found.upper

    @staticmethod
    def positive(claim: Claim) -> int:
        return cover.prove_claim(claim)

    @staticmethod
    def helper(name: str) -> Callable[..., Any]:
        module, attribute = name.split(":")
        function: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
        return lambda *arguments, **named: function(SymbolicArithmetic(), *arguments, **named)


def prove(proof: Proof) -> Outcome:
    """Run one proof against the code; ProofError where it fails."""
    catalogue.load()
    statement = registry.statement(proof.id)
    code = Code(statement)
    if isinstance(proof, Property):
        proof.check(code)
        return Outcome(proof.id, proof.status, 1, 1)
    explored, roots_seen = 0, 0
    if not proof.cases:
        raise ProofError(f"{proof.id}: no cases")
    for case in closed_ends(proof.cases):
        missing = {param.name for param in statement.params} ^ set(case)
        if missing:
            raise ProofError(f"{proof.id}: the inputs differ in {sorted(missing)}")
        if isinstance(proof, Root):
            found = prove_root(proof, statement, case)
            explored, roots_seen = explored + found[0], roots_seen + found[1]
            continue

        def both(case: Mapping[str, Any] = case) -> tuple[Any, Any]:
            try:
                ours = code.symbolic(**case)
            except (HypothesisError, InputError):
                ours = "refused"
            return ours, proof.value(**case)

        for (ours, theirs), oracle in paths(both):
            explored += 1
            if not agree(ours, theirs, oracle.ties) and not oracle.impossible:
                raise ProofError(f"{proof.id} at {case}, {oracle.signs}:\n  code  {ours}\n  paper {theirs}")
    if isinstance(proof, Root) and not roots_seen:
        raise ProofError(f"{proof.id}: no path has a root")
    return Outcome(proof.id, proof.status, len(proof.cases), explored)
