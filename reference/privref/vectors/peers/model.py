"""What a peer is, and how one of its functions is run.

A function is given by its code: at most five lines with the first, which assigns the inputs; the last is an
expression. What is printed as a reproduction is therefore what ran. Nothing of a peer is imported before that.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.metadata
import importlib.util
import io
import re
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from privref.exact.errors import InputError
from privref.exact.numbers import Binary64
from privref.statements.params import Param
from privref.statements.registry import Statement

from ..answers import ReadAnswer, read_answer

Inputs = Mapping[str, Any]

#: Seconds of processor time after which a call counts as hung; what it imports before does not count.
TIMEOUT = 10
#: Seconds after which a call counts as hung that waits, and takes no processor time.
PATIENCE = 300


def nearest(value: Fraction) -> Fraction:
    """The double nearest to a rational, exactly (ties to even, as every parser rounds); refused beyond the range."""
    return Binary64(float(value))


def doubles(found: Statement, inputs: Inputs) -> dict[str, Any]:
    """The inputs with every rational replaced by its nearest double: what a caller really passes to a library."""

    def double(param: Param, value: Any) -> Any:
        match param.shape:
            case "one":
                return nearest(value)
            case "sequence":
                return tuple(nearest(item) for item in value)
            case "multiset":
                return tuple((nearest(item), count) for item, count in value)
            case _:
                return value

    return {param.name: double(param, inputs[param.name]) for param in found.params}


def _each(change: Callable[[Any], Any], value: Any) -> Any:
    """A value with each number in it changed: one, a sequence, or a multiset of pairs."""
    if isinstance(value, (tuple, list)):
        return tuple((change(item[0]), item[1]) if isinstance(item, tuple) else change(item) for item in value)
    return change(value)


def as_sigma(inputs: dict[str, Any], sensitivity: int = 1) -> dict[str, Any]:
    """mu becomes exactly sensitivity/sigma for a double sigma, for libraries that take the noise and not mu."""

    def exact(mu: Fraction) -> Fraction:
        return sensitivity / Fraction(float(sensitivity / mu)) if mu else mu

    return {**inputs, "mu": _each(exact, inputs["mu"])}


def total_rounds(inputs: Inputs) -> int:
    """How many rounds the inputs describe."""
    counts = [1]
    for value in inputs.values():
        if isinstance(value, int) and not isinstance(value, bool):
            counts.append(value)
        elif isinstance(value, tuple):
            counts.append(sum(item[1] if isinstance(item, tuple) else 1 for item in value))
    return max(counts)


@dataclass(frozen=True, slots=True)
class Call:
    """One function of a peer, and the statement whose quantity it claims to bound."""

    function: str
    statement: str
    code: str
    most_rounds: int = 1000
    sigma: bool = False
    #: The L2 sensitivity that sigma is meant for: 2 where one record is replaced.
    sensitivity: int = 1
    applies: Callable[[Inputs], bool] = lambda inputs: True
    #: Exceptions that are a filter's way to say HALT.
    halts: tuple[str, ...] = ()
    #: What the code is given where that is not the statement's inputs by their names: the parameters of a mechanism.
    given: Callable[[Inputs], dict[str, Any]] | None = None
    #: The part of the library that answers; findings of functions that share it have one cause. "": the function.
    part: str = ""
    #: The library's own warning that the answer may be below the truth: an approximation by its own words, and no bug.
    documented: str = ""

    @property
    def component(self) -> str:
        """What is at fault where the function is."""
        return self.part or self.function.partition(",")[0]

    @property
    def passed(self) -> frozenset[str]:
        """The inputs that the library itself is given; a count that only repeats a line of ours is not."""
        code = re.sub(r"range\(k\)|\* k\b|int\(k\[0\]\)|exp_\w+", "", self.code)
        names = set(re.findall(r"\b[a-z_]+\b", code))
        return frozenset(names | ({"mu"} if "sigma" in names else set()))

    def prepare(self, found: Statement, inputs: Inputs) -> dict[str, Any]:
        """The exact inputs that the library will really be given."""
        prepared = doubles(found, inputs)
        return as_sigma(prepared, self.sensitivity) if self.sigma else prepared

    def lines(self, inputs: Inputs) -> tuple[str, ...]:
        """The code with its inputs assigned: a reproduction."""
        return self.lines_of(dict(inputs) if self.given is None else self.given(inputs))

    def lines_of(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        """The code with what it is given assigned."""
        names = dict(given)
        if self.sigma:
            names["sigma"] = _each(lambda mu: self.sensitivity / mu if mu else float("inf"), names.pop("mu"))
        values = ", ".join(literal(value) for value in names.values())
        return (f"{', '.join(names)} = {values}", *self.code.strip().splitlines())


def literal(value: Any) -> str:
    """A Python literal: rationals as the doubles that they are."""
    if isinstance(value, Fraction):
        return repr(float(value))
    if isinstance(value, (tuple, list)):
        inner = [f"({literal(v[0])}, {v[1]})" if isinstance(v, tuple) else literal(v) for v in value]
        return f"[{', '.join(inner)}]"
    return f'float("{value!r}")' if isinstance(value, float) and value - value != 0 else repr(value)


@dataclass(frozen=True, slots=True)
class Peer:
    """A library: its distribution, the module whose presence shows that it is installed, and its functions."""

    name: str
    module: str
    calls: tuple[Call, ...]
    setup: Callable[[], None] = field(default=lambda: None)
    #: The module that the calls import, where it is not the same.
    imports: str = ""

    def load(self) -> None:
        """Import the library without a limit of time: an import that is cut short leaves half a module behind."""
        self.setup()
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            # What fails to import is told by each call.
            warnings.simplefilter("ignore")
            importlib.import_module(self.imports or self.module)

    @property
    def version(self) -> str | None:
        """The installed version; None where it is not installed."""
        if importlib.util.find_spec(self.module) is None:
            return None
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return None


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What a call gave: an answer, or how it failed."""

    reading: ReadAnswer
    error: str = ""


class HangError(Exception):
    """A call took longer than TIMEOUT of processor time, or than PATIENCE."""


@contextlib.contextmanager
def _deadline(seconds: int, patience: int) -> Iterator[None]:
    """Interrupt the block after so much processor time, or so much time, where platform and thread allow it."""
    if not hasattr(signal, "SIGPROF") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def hang(number: int, _: object) -> None:
        spent = number == signal.SIGPROF
        raise HangError(
            f"no answer within {seconds} s of processor time" if spent else f"no answer within {patience} s"
        )

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, seconds), (signal.SIGALRM, signal.ITIMER_REAL, patience))
    before = [signal.signal(number, hang) for number, _, _ in timers]
    try:
        for _, timer, limit in timers:
            # Again and again from then on: a library may take the exception for one of its own.
            signal.setitimer(timer, limit, 1)
        yield
    finally:
        for (number, timer, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def _import(tree: ast.Module) -> None:
    """Import what the code imports, before its time counts: a first import may take longer than any answer."""
    imports: list[ast.stmt] = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    exec(compile(ast.Module(imports, []), "<imports>", "exec"), {})


def run(lines: tuple[str, ...], halts: tuple[str, ...] = ()) -> CallOutcome:
    """Execute a reproduction; its last line's value is the answer. Any exception is an outcome, not ours."""
    try:
        # Some libraries print to stdout, where our report goes.
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            tree = ast.parse("\n".join(lines))
            last = tree.body.pop()
            if not isinstance(last, ast.Expr):
                raise SyntaxError("the last line of a reproduction is an expression")
            _import(tree)
            with _deadline(TIMEOUT, PATIENCE):
                scope: dict[str, Any] = {}
                exec(compile(tree, "<reproduction>", "exec"), scope)
                value = eval(compile(ast.Expression(last.value), "<reproduction>", "eval"), scope)
                return CallOutcome(read_answer("inf"), "None") if value is None else CallOutcome(read_answer(value))
    except InputError as error:
        # It answered, but with nothing that can be judged.
        return CallOutcome(read_answer("refused"), f"unreadable answer: {error.value!r:.100}")
    except Exception as error:
        if type(error).__name__ in halts:
            return CallOutcome(read_answer("HALT"))
        words = " ".join(str(error).split())
        return CallOutcome(read_answer("refused"), f"{type(error).__name__}: {words[:120]}")
