"""Registration and evaluation of statements."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Literal, TypeVar

from privref import catalogue
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError, OutOfScopeError, RegistrationError, nearest, require_text
from privref.exact.numbers import MAX_DIGITS, count, spell
from privref.exact.work import metered

from .hypotheses import Hypothesis
from .papers import PAPERS as PAPERS
from .params import Param, declared

#: How the number relates to what it speaks of: equal to it, an upper bound, or a lower bound.
BoundKind = Literal["exact", "upper", "lower"]
#: ``holds``: true as stated here. ``printed``: the paper's own wording where it is wrong; no audit may use it.
#: ``ours``: proved by this project, not by the paper.
Standing = Literal["holds", "printed", "ours"]

Result = Scalar | str
Function = TypeVar("Function", bound=Callable[..., Any])

_ID = re.compile(r"[a-z0-9]+/[A-Za-z0-9_.]+\Z")
_STATEMENTS: dict[str, Statement] = {}


@dataclass(frozen=True, slots=True)
class Statement:
    """A registered statement: a paper's sentence as a function of exact inputs, in any arithmetic."""

    id: str
    kind: BoundKind
    cites: str
    params: tuple[Param, ...]
    hypotheses: tuple[Hypothesis, ...]
    standing: Standing
    function: Callable[..., Result]
    #: The relative width that is promised where it is wider than the digits asked for; None: any digits.
    stated_width: Callable[[Mapping[str, Any]], Fraction | None] | None = None

    @property
    def summary(self) -> str:
        """The docstring's first line."""
        return self.documentation.splitlines()[0]

    @property
    def documentation(self) -> str:
        return inspect.getdoc(self.function) or ""

    @property
    def source(self) -> str:
        """Paper and theorem number."""
        return f"{PAPERS[self.id.split('/')[0]]}; {self.cites}"

    def read(self, inputs: Mapping[str, object]) -> dict[str, object]:
        """Check named raw inputs against the statement's parameters."""
        names = [param.name for param in self.params]
        for name in inputs:
            if name not in names:
                takes = f"{self.id} takes {', '.join(names) or 'no inputs'}"
                raise InputError(str(name), inputs[name], f"{nearest(name, names)}{takes}")
        for name in names:
            if name not in inputs:
                raise InputError(name, "(missing)", f"{self.id} takes {', '.join(names)}")
        return {param.name: param.read(inputs[param.name]) for param in self.params}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a statement evaluates to: an enclosure, and the exact spelling where the value is known exactly."""

    value: str | None
    enclosure: Enclosure | None


def non_negative(answer: Answer) -> Answer:
    """The larger of the answer and 0: an epsilon (a rho, a delta) is at least 0, whatever a formula gives.

    Exact: both ends of the enclosure are replaced by their maximum with 0, and an exact negative value by 0.
    """
    found = answer.enclosure
    if found is None or found.lower >= 0:
        return answer
    zero = Fraction(0)
    kept = Enclosure(zero, max(found.upper, zero))
    return Answer(answer.value if found.upper > 0 else "0", kept)


def implements(
    id: str,
    *,
    kind: BoundKind,
    cites: str,
    hypotheses: tuple[Hypothesis, ...] = (),
    standing: Standing = "holds",
    stated_width: Callable[[Mapping[str, Any]], Fraction | None] | None = None,
) -> Callable[[Function], Function]:
    """Register a formula as a statement of a paper; RegistrationError where something is missing.

    The function takes the arithmetic first and then, by keyword, the inputs that its parameters' types declare
    (``params.declared``). It returns a rational (known exactly), a ``Real`` (an enclosure), or a word such as CONT,
    HALT, inf. ``stated_width`` is for values that cost too much for digits on demand: for such inputs it gives the
    relative width that is promised.
    """

    def register(function: Function) -> Function:
        _check(id, kind, cites, hypotheses, standing, function)
        takes = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        params = tuple(declared(each.name, each.annotation) for each in takes)
        _STATEMENTS[id] = Statement(id, kind, cites, params, hypotheses, standing, function, stated_width)
        return function

    return register


def _check(
    id: str,
    kind: object,
    cites: str,
    hypotheses: tuple[Hypothesis, ...],
    standing: object,
    function: Callable[..., Any],
) -> None:
    if not _ID.match(id) or id.split("/")[0] not in PAPERS:
        raise RegistrationError(f"{id}: not an id of the form paper/item with a known paper")
    if id in _STATEMENTS:
        raise RegistrationError(f"{id}: registered twice")
    if kind not in ("exact", "upper", "lower") or standing not in ("holds", "printed", "ours"):
        raise RegistrationError(f"{id}: unknown kind or standing")
    if not cites.strip():
        raise RegistrationError(f"{id}: no citation")
    if not all(isinstance(hypothesis, Hypothesis) for hypothesis in hypotheses):
        raise RegistrationError(f"{id}: hypotheses must be members of Hypothesis")
    if not (function.__doc__ or "").strip():
        raise RegistrationError(f"{id}: no docstring")
    if id.endswith(".printed") != (standing == "printed"):
        raise RegistrationError(f"{id}: `.printed` ids and the standing `printed` go together")


def statements() -> tuple[Statement, ...]:
    """All registered statements, by id."""
    catalogue.load()
    return tuple(_STATEMENTS[id] for id in sorted(_STATEMENTS))


def statement(id: str) -> Statement:
    """The statement of that id; OutOfScopeError with the nearest known ids otherwise."""
    require_text(id, "id", "give a statement's id, e.g. cks2020/zcdp2dp.eps")
    for load in (partial(catalogue.load_one, id), catalogue.load):
        if id not in _STATEMENTS:
            load()
    found = _STATEMENTS.get(id)
    if found is None:
        alike = difflib.get_close_matches(id, _STATEMENTS, n=3)
        near = alike or [each for each in sorted(_STATEMENTS) if id in each][:3]
        hint = f"; did you mean {' or '.join(near)}?" if near else "; `privref explain --find WORD` lists ids"
        raise OutOfScopeError(f"unknown statement {id!r}{hint}")
    return found


#: No more significant digits than this are computed.
MOST_DIGITS = MAX_DIGITS


def evaluate(
    id: str,
    inputs: Mapping[str, object] | None = None,
    *,
    digits: object = 30,
    engine: decide.EngineName = "arb",
    **named: object,
) -> Answer:
    """Evaluate one statement on exact inputs to a relative width of at most 10^(2-digits) or the stated one.

    The inputs come as one mapping, by name, or both ways: ``evaluate("cks2020/zcdp2dp.eps", rho="1", delta="1e-6")``.
    Raises OutOfScopeError (unknown id), InputError (an input), HypothesisError, or UndecidedError (precision cap).
    """
    given = dict(inputs or {})
    for name, value in named.items():
        if name in given:
            raise InputError(name, value, "this input is given twice; keep one")
        given[name] = value
    found = statement(id)
    wanted = count(digits, "digits", least=1)
    if wanted > MOST_DIGITS:
        raise InputError("digits", digits, f"give a whole number from 1 to {MOST_DIGITS}")
    if engine not in decide.ENGINES:
        raise InputError("engine", engine, f"give one of {', '.join(decide.ENGINES)}")
    with metered():
        return solve(found, found.read(given), digits=wanted, engine=engine)


def solve(found: Statement, inputs: Mapping[str, object], *, digits: int, engine: decide.EngineName) -> Answer:
    """Evaluate a statement on inputs that were read already."""
    first = decide.engine(engine, 64 + 4 * digits)
    exact: list[Fraction | int | str] = []

    def formula(ar: Arithmetic) -> Scalar:
        result = found.function(ar, **inputs)
        if isinstance(result, (str, int, Fraction)):
            exact[:] = [result]
            return Fraction(0) if isinstance(result, str) else result
        return result

    # Outward rounding of both printed ends costs up to 2 units of the last digit; the rest is left to the width.
    width = Fraction(1, 10 ** (digits + 1))
    if found.stated_width is not None:
        width = max(width, found.stated_width(inputs) or width)
    enclosure = decide.enclose(formula, first, width)
    if not exact:
        return Answer(None, enclosure)
    value = exact[0]
    if isinstance(value, str):
        return Answer(value, None)
    # Decimal digits of a long number take time quadratic in their number: what is too long is not spelled at all.
    written = Fraction(value)
    if max(written.numerator.bit_length(), written.denominator.bit_length()) > 7 * MAX_DIGITS:
        return Answer(None, enclosure)
    spelled = spell(value)
    return Answer(spelled if len(spelled) <= 2 * MAX_DIGITS else None, enclosure)
