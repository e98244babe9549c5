"""Runs our registered functions on symbols and proves them equal to the transcriptions.

A function that branches is run once for every outcome of its comparisons: inside ``exploring`` the truth of a SymPy
relation is asked of an oracle, which tries below, tie and above for each quantity whose sign matters and answers the
same quantity the same way, to the code and to the transcription alike. A path that no real input can take costs time
and proves a little more than is needed.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any
from unittest.mock import patch

import sympy as sp
from sympy.core.relational import Ge, Gt, Le, Lt, Relational

from privref import catalogue
from privref.adaptive import output_dp as accountant
from privref.composition import heterogeneous
from privref.exact import decide, roots
from privref.exact.arithmetic import ExactArithmetic
from privref.exact.errors import HypothesisError, InputError
from privref.exact.symbolic import SymbolicArithmetic
from privref.guarantees import output_dp as guarantees
from privref.guarantees import pointwise
from privref.statements import registry

from . import cover
from .transcription import At, Claim, Drop, Proof, ProofError, Property, Root, Sum, Transcription, vanishes

ROOT = Path(__file__).parent
#: Folders that hold something else than transcriptions.
_OTHERS = frozenset({"contracts", "derivations", "errata"})


def papers() -> tuple[str, ...]:
    """The folders of transcriptions."""
    return tuple(sorted({found.name for found in pkgutil.iter_modules([str(ROOT)]) if found.ispkg} - _OTHERS))


PAPERS = papers()
_MAX_PATHS = 20_000
#: Where an equality between symbols is a question of the code or of a transcription.
_ASKING = ("privref.", *(f"proofs.{paper}." for paper in PAPERS))


@dataclass(frozen=True)
class Entry:
    """One proof of one statement, with the file it stands in."""

    id: str
    proof: Proof
    file: str


@dataclass(frozen=True)
class Outcome:
    """What was proved: how many cases and paths."""

    id: str
    status: str
    cases: int
    paths: int


class _Oracle:
    """Answers signs; the first ``len(script)`` new quantities as scripted, the others by their first option."""

    def __init__(self, script: tuple[int, ...]) -> None:
        self.script = script
        self.signs: dict[Any, int] = {}
        self.options: list[list[int]] = []

    def sign(self, expression: Any) -> int:
        key, factor = _canonical(expression)
        if key not in self.signs and self.ties:
            # Where earlier quantities tie, they are zero: what remains may be one whose sign is known.
            rest, turned = self._reduced(key)
            if rest == 0:
                return 0
            key, factor = rest, factor * turned
            for known, sign in self.signs.items():
                reduced, side = self._reduced(known)
                if sign and reduced == key:
                    return factor * side * sign
        if key not in self.signs:
            options = _possible(key)
            if len(options) == 1:
                return factor * options[0]
            position = len(self.signs)
            self.options.append(options)
            self.signs[key] = self.script[position] if position < len(self.script) else options[0]
        return factor * self.signs[key]

    def may_be_positive(self, expression: Any) -> bool:
        """Whether this path leaves open, or has settled, that the expression is positive."""
        key, factor = _canonical(expression)
        if key in self.signs:
            return factor * self.signs[key] > 0
        return 1 in [factor * sign for sign in _possible(key)]

    def _reduced(self, key: Any) -> tuple[Any, int]:
        return _canonical(_modulo(_at_zero(key, self.ties), self.ties))

    @property
    def impossible(self) -> bool:
        """Whether the ties of this path contradict, for certain, a sign that it gave before them."""
        if not self.ties:
            return False
        for known, sign in self.signs.items():
            if sign:
                rest, turned = self._reduced(known)
                if rest == 0 or turned * sign not in _possible(rest):
                    return True
        return False

    @property
    def ties(self) -> list[Any]:
        """The quantities that are zero on this path."""
        return [key for key, sign in self.signs.items() if sign == 0]

    def truth(self, relation: Relational) -> bool:
        difference = relation.lhs - relation.rhs
        match relation:
            case Gt():
                return self.sign(difference) > 0
            case Ge():
                return self.sign(difference) >= 0
            case Lt():
                return self.sign(difference) < 0
            case Le():
                return self.sign(difference) <= 0
        raise ProofError(f"no rule for the relation {relation}")


def _possible(quantity: Any) -> list[int]:
    """The signs that the declared assumptions on the symbols leave a quantity."""
    if quantity.is_positive:
        return [1]
    if quantity.is_negative:
        return [-1]
    if quantity.is_zero:
        return [0]
    return [
        sign
        for sign, excluded in ((1, quantity.is_nonpositive), (0, quantity.is_nonzero), (-1, quantity.is_nonnegative))
        if not excluded
    ]


@cache
def _canonical(expression: Any) -> tuple[Any, int]:
    """A normal form of the quantity up to a positive factor, and -1 where the sign was turned."""
    numerator, denominator = sp.fraction(sp.together(sp.expand(expression)))
    kernel = sp.expand(numerator) if denominator.is_positive else sp.expand(expression)
    _, kernel = kernel.as_content_primitive()
    if kernel.is_Add and kernel.is_polynomial() and len(_possible(kernel)) > 1:
        factors = [base**power for base, power in sp.factor_list(kernel)[1] if not base.is_positive]
        kernel = sp.expand(sp.prod(factors)) * (1 if sp.factor_list(kernel)[0] > 0 else -1)
    kernel = sp.Mul(*(factor for factor in sp.Mul.make_args(kernel) if not factor.is_positive))
    return (-kernel, -1) if kernel.could_extract_minus_sign() else (kernel, 1)


@cache
def _solved(zero: Any) -> tuple[Any, Any] | None:
    """A symbol in which the zero polynomial is linear with a constant factor, and what it then is."""
    if not zero.is_polynomial():
        return None
    for symbol in sorted(zero.free_symbols, key=str, reverse=True):
        factor = sp.diff(zero, symbol)
        if factor.is_number and factor != 0:
            return symbol, sp.expand(symbol - zero / factor)
    return None


def _modulo(expression: Any, zeros: list[Any]) -> Any:
    """The remainder of an expression where the quantities in ``zeros`` are zero; itself if it is not polynomial."""
    for number, zero in enumerate(zeros):
        solved = _solved(zero)
        if solved is not None:
            # Eliminating a symbol leaves one form of what is equal; a division alone depends on the order of symbols.
            later = [sp.expand(other.subs(*solved)) for other in zeros[number + 1 :]]
            return _modulo(expression.subs(*solved), [*zeros[:number], *(other for other in later if other != 0)])
    numerator, _ = sp.fraction(sp.together(sp.expand(expression)))
    if numerator.is_number or not zeros:
        return numerator
    try:
        return sp.reduced(sp.expand(numerator), zeros)[1]
    except sp.PolynomialError:
        return expression


def defined_sum(pairs: Iterable[tuple[Any, Any]], power: int = 1) -> Any:
    """What ``weighted_sum`` is by definition."""
    return sum((value**power * times for value, times in pairs), Fraction(0))


@contextmanager
def symbolic_sums() -> Iterator[None]:
    """Let the definition stand in for the exact sum, which is optimised for Fractions and takes no symbols.

    That the two agree on rationals is a contract of its own (proofs/test_contracts.py).
    """
    users = [m for name, m in sys.modules.items() if name.startswith("privref.") and hasattr(m, "weighted_sum")]
    with ExitStack() as stack:
        for module in users:
            stack.enter_context(patch.object(module, "weighted_sum", defined_sum))
        yield


def _symbol_or(reader: Callable[..., Any], symbolic: Callable[[Any], Any]) -> Callable[..., Any]:
    def read(value: Any, *more: Any) -> Any:
        first = value[0] if isinstance(value, tuple) and value else value
        return symbolic(value) if isinstance(first, sp.Expr) else reader(value, *more)

    return read


@contextmanager
def symbolic_spelling() -> Iterator[None]:
    """Let symbols be where numbers are read, checked and spelled: as they are, unchecked, and in expanded form.

    Laws that are not checked to sum to 1 are all measures, which proves more.
    """
    with ExitStack() as stack:
        for module, name, symbolic in (
            (guarantees, "_cost", lambda value: value),
            (pointwise, "_laws", lambda law: None),
            (accountant, "spell", lambda value: str(sp.expand(value))),
        ):
            stack.enter_context(patch.object(module, name, _symbol_or(getattr(module, name), symbolic)))
        # What is remembered of one path's comparisons must not be found on another.
        stack.enter_context(patch.object(heterogeneous, "_ways_to_lose", heterogeneous._ways_to_lose.__wrapped__))
        yield


@contextmanager
def exploring(oracle: _Oracle) -> Iterator[None]:
    """Let relations between symbols, and equalities that the code or a transcription asks, be decided by the oracle."""
    structural = sp.Expr.__eq__

    def equal(left: Any, right: Any) -> bool:
        asked = _asks(sys._getframe(1)) and isinstance(right, (int, Fraction, sp.Expr))
        return oracle.sign(left - _number(right)) == 0 if asked else structural(left, right)

    def unequal(left: Any, right: Any) -> bool:
        asked = _asks(sys._getframe(1)) and isinstance(right, (int, Fraction, sp.Expr))
        return oracle.sign(left - _number(right)) != 0 if asked else structural(left, right) is not True

    with (
        patch.object(Relational, "__bool__", lambda self: oracle.truth(self)),
        patch.object(sp.Expr, "__eq__", equal),
        patch.object(sp.Expr, "__ne__", unequal),
    ):
        yield


def _asks(frame: FrameType) -> bool:
    """Whether an equality stands in the code or in a transcription; elsewhere it is SymPy's own, of the same form."""
    module = frame.f_globals.get("__name__", "")
    return module.startswith(_ASKING) and module != SymbolicArithmetic.__module__


def _number(value: Any) -> Any:
    return sp.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else value


def paths(run: Callable[[], Any]) -> Iterator[tuple[Any, _Oracle]]:
    """The result of ``run`` for every combination of outcomes of the comparisons it makes."""
    return _paths(lambda oracle: run())


def _paths(run: Callable[[_Oracle], Any]) -> Iterator[tuple[Any, _Oracle]]:
    script: tuple[int, ...] = ()
    for _ in range(_MAX_PATHS):
        oracle = _Oracle(script)
        with exploring(oracle):
            result = run(oracle)
        yield result, oracle
        taken = list(oracle.signs.values())
        while taken and taken[-1] == oracle.options[len(taken) - 1][-1]:
            taken.pop()
        if not taken:
            return
        options = oracle.options[len(taken) - 1]
        script = (*taken[:-1], options[options.index(taken[-1]) + 1])
    raise ProofError("too many paths: state smaller cases")


def agree(ours: Any, theirs: Any, zeros: list[Any]) -> bool:
    """Whether two results are the same word, or provably the same expression where the ``zeros`` are zero."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return isinstance(ours, str) and isinstance(theirs, str) and ours == theirs
    difference = sp.sympify(ours) - sp.sympify(theirs)
    if vanishes(difference):
        return True
    return bool(zeros) and _defined(difference, zeros) and _modulo(_at_zero(difference, zeros), zeros) == 0


def _defined(expression: Any, zeros: list[Any]) -> bool:
    """Whether no denominator of an expression becomes zero where the ``zeros`` are zero."""
    _, denominator = sp.fraction(sp.together(expression))
    return denominator.is_number or _modulo(_at_zero(denominator, zeros), zeros) != 0


def _at_zero(expression: Any, zeros: list[Any]) -> Any:
    """An expression where the ``zeros`` are zero, as far as each of them gives one symbol in terms of the others."""
    known: dict[sp.Symbol, Any] = {}
    for zero in zeros:
        found = _solved_for(sp.expand(zero.subs(known)))
        if found is not None:
            symbol, value = found
            known = {other: sp.expand(was.subs(symbol, value)) for other, was in known.items()} | {symbol: value}
    return expression.subs(known)


def _solved_for(zero: Any) -> tuple[sp.Symbol, Any] | None:
    """A symbol that the zero is a power of, or in which it is linear with a constant factor, and its value."""
    base = zero.as_base_exp()[0]
    if base.is_Symbol:
        return base, sp.S.Zero
    # In the order of _solved, so that both eliminate the same symbol.
    for symbol in sorted(zero.free_symbols, key=str, reverse=True):
        slope = sp.diff(zero, symbol)
        if slope.is_number and slope != 0:
            return symbol, sp.expand(symbol - zero / slope)
    return None


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


class _Code:
    def __init__(self, statement: registry.Statement) -> None:
        self._statement = statement
        self.name = statement.id

    def symbolic(self, **inputs: Any) -> Any:
        with symbolic_sums(), symbolic_spelling():
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
    code = _Code(statement)
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
            found = _prove_root(proof, statement, case)
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


# --- values that the code brackets ------------------------------------------------------------------------------------

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


class _Bracket:
    """What ``roots`` promises, on symbols: of an increasing function that is not positive at the lower end, a bracket.

    Both ends stand for the root that lies between them. The promise itself is tested with the package.
    """

    def __init__(self, unknown: Any, oracle: _Oracle) -> None:
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
def _bracketing(bracket: _Bracket) -> Iterator[None]:
    """Let brackets of roots be symbols, and follow the searches for their lower ends a few steps."""
    asked, searched = decide.sign, 0

    def sign(formula: Any, arithmetic: Any, **named: Any) -> int:
        nonlocal searched
        found = asked(formula, arithmetic, **named)
        searched += found > 0
        if searched > _SEARCH_STEPS:
            raise _SearchedFurtherError
        return found

    with ExitStack() as stack:
        for module, name, stand_in in (
            (roots, "root", bracket.root),
            (roots, "bracket_above", lambda function, low, arithmetic: low),
            (decide, "sign", sign),
            (decide, "enclosing", lambda arithmetic: arithmetic),
        ):
            stack.enter_context(patch.object(module, name, stand_in))
        yield


def _prove_root(proof: Root, statement: registry.Statement, case: Mapping[str, Any]) -> tuple[int, int]:
    """The code's root is the paper's on every path, the only one, and its bracket encloses the paper's value.

    The numbers of paths, and of those with a root.
    """
    explored = rooted = 0

    def run(oracle: _Oracle) -> tuple[Any, Any, Any, Any]:
        ours, theirs = _Bracket(proof.unknown, oracle), []

        def their_root(function: Callable[[Any], Any]) -> Any:
            theirs.append(sp.sympify(function(proof.unknown)))
            return proof.unknown

        try:
            with _bracketing(ours), symbolic_sums(), symbolic_spelling():
                result = statement.function(_RootArithmetic(), **case)
        except _SearchedFurtherError:
            return None, None, None, None
        expected = proof.value(their_root, **case)
        return result, expected, ours.function, theirs[0] if theirs else None

    for (ours, theirs, our_function, their_function), oracle in _paths(run):
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
        if not vanishes(our_function - their_function):
            raise ProofError(f"{where}: the root is of\n  code  {our_function}\n  paper {their_function}")
        (symbol,) = proof.unknown.free_symbols
        _prove_increasing(proof, our_function, symbol, case)
        if not _moves_one_way(sp.diff(sp.sympify(ours), symbol)):
            raise ProofError(f"{where}: {ours} is not seen to move one way with the root")
    return explored, rooted


def _prove_increasing(proof: Root, function: Any, symbol: sp.Symbol, case: Mapping[str, Any]) -> None:
    slope = sp.diff(function, symbol)
    above, below = ((), ()) if proof.slope is None else proof.slope(proof.unknown, **case)
    covered = any(_rests_on_a_cover(factor) for factor in (*above, *below))
    if proof.status == ("identical" if covered else "enclosed"):
        raise ProofError(f"{proof.id}: {proof.status}, but a cover is {'used' if covered else 'not used'}")
    if proof.slope is None:
        if _plainly_positive(slope):
            return
        raise ProofError(f"{proof.id}: {slope} is not seen to be positive")
    for factor in (*above, *below):
        _prove_factor(factor)
    claimed = sp.prod([_factor(f) for f in above]) / sp.prod([_factor(f) for f in below])
    difference = slope - claimed
    if proof.abbreviated is not None:
        whole = proof.abbreviated(**case)
        if not _plainly_positive(whole):
            raise ProofError(f"{proof.id}: {whole} is not seen to be positive")
        difference = difference.subs(whole, sp.Symbol("abbreviated", positive=True))
    if not vanishes(difference):
        raise ProofError(f"{proof.id}: {slope} is not {claimed}")


def _rests_on_a_cover(factor: Any) -> bool:
    if isinstance(factor, Sum):
        return any(_rests_on_a_cover(part) for factors in factor.products for part in factors)
    return isinstance(factor, At | Drop)


def _factor(factor: Any) -> Any:
    return factor.expression if isinstance(factor, At | Drop | Sum) else sp.sympify(factor)


def _prove_factor(factor: Any) -> None:
    """One factor of a slope is positive: by SymPy's assumptions, or by a claim that is proved on a cover."""
    if isinstance(factor, Sum):
        for part in (part for factors in factor.products for part in factors):
            _prove_factor(part)
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
            if not _plainly_positive(part):
                raise ProofError(f"{factor.claim.says}: {part} is not seen to be positive")
    elif not _plainly_positive(factor):
        raise ProofError(f"{factor} is not seen to be positive")


_PROVED: list[Claim] = []


def _proved(claim: Claim) -> None:
    """Prove a claim once."""
    if not any(claim is earlier for earlier in _PROVED):
        cover.prove_claim(claim)
        _PROVED.append(claim)


def _plainly_positive(expression: Any) -> bool:
    forms = (sp.sympify, sp.simplify, lambda e: sp.factor(sp.together(sp.simplify(e))))
    return any(bool(form(expression).is_positive) for form in forms)


def _moves_one_way(slope: Any) -> bool:
    return slope == 0 or _plainly_positive(slope) or _plainly_positive(-slope)


def modules(folder: str) -> Iterator[ModuleType]:
    """The modules of one folder of proofs."""
    path = ROOT / folder
    if path.is_dir():
        for found in sorted(pkgutil.iter_modules([str(path)]), key=lambda info: info.name):
            yield importlib.import_module(f"proofs.{folder}.{found.name}")


def entries() -> tuple[Entry, ...]:
    """Every proof that the folders declare, by id; one statement may have several."""
    found: list[Entry] = []
    for paper in PAPERS:
        for module in modules(paper):
            file = f"proofs/{paper}/{module.__name__.rsplit('.', 1)[1]}.py"
            declared: tuple[Proof, ...] = module.PROVES
            found.extend(Entry(proof.id, proof, file) for proof in declared)
    return tuple(sorted(found, key=lambda entry: entry.id))


__all__ = ["Entry", "Outcome", "ProofError", "Transcription", "agree", "entries", "modules", "paths", "prove"]
