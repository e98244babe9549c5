"""A harness in Python: a table of functions behind JSON lines. The script's lines are the lines that ran."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import struct
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any


class Skip(Exception):
    """The library is not asked this, and why."""


@dataclass(frozen=True)
class Function:
    """One function of a library: its code, of which the last line is an expression, and what the code is given."""

    function: str
    statement: str
    code: str
    #: Makes the names and values that the code needs of the decoded inputs; raises Skip for inputs it cannot take.
    given: Callable[[dict[str, Any]], dict[str, Any]] = lambda inputs: inputs
    #: Says what the library really got, exactly, where that is not what was sent.
    really: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    note: str = ""
    #: The part of the library that answers, where several functions share it.
    part: str = ""
    #: Exceptions that are the library's way to say HALT.
    halts: tuple[str, ...] = ()


#: Exceptions by which libraries refuse inputs.
REFUSALS = ("ValueError", "TypeError", "OverflowError", "ZeroDivisionError", "NotImplementedError")


def decoded(value: Any, name: str) -> Any:
    """Turn bits into doubles, counts into whole numbers, and equal rounds into pairs (value, count)."""
    if isinstance(value, list):
        pairs = any(isinstance(item, dict) for item in value)
        return [_pair(item, name) if pairs else decoded(item, name) for item in value]
    if name in ("k", "keys", "steps", "batches") or len(value) != 16:
        return int(value)
    return float(struct.unpack(">d", bytes.fromhex(value))[0])


def _pair(item: Any, name: str) -> tuple[float, int]:
    return (decoded(item["value"], name), item["count"]) if isinstance(item, dict) else (decoded(item, name), 1)


def pairs(values: list[Any]) -> list[tuple[float, int]]:
    """Write a list as pairs (value, count), whichever way it came; equal neighbours are one pair."""
    merged: list[tuple[float, int]] = []
    for value, count in (item if isinstance(item, tuple) else (item, 1) for item in values):
        if merged and merged[-1][0] == value:
            count += merged.pop()[1]
        merged.append((value, count))
    return merged


def literal(value: Any) -> str:
    if isinstance(value, float) and value - value != 0:
        return f'float("{value!r}")'
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))})"
    return f"[{', '.join(map(literal, value))}]" if isinstance(value, list) else repr(value)


def run(function: Function, names: dict[str, Any]) -> dict[str, Any]:
    """Execute the code; an exception is an answer of the library, not of the harness."""
    code = [f"{', '.join(names)} = {', '.join(map(literal, names.values()))}", *function.code.strip().splitlines()]
    script = [*code[:-1], f"print({code[-1].partition('  # ')[0]})"]
    if len(script) > 5:
        raise AssertionError(f"{function.function}: a script has at most five lines")
    tree = ast.parse("\n".join(code))
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    scope: dict[str, Any] = {}
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            exec(compile(tree, "<script>", "exec"), scope)
            value = eval(compile(ast.Expression(last.value), "<script>", "eval"), scope)
    except Exception as error:
        name, words = type(error).__name__, " ".join(str(error).split())[:200]
        if name in function.halts:
            return {"answer": "HALT", "script": script}
        return {"refused" if name in REFUSALS else "failed": f"{name}: {words}", "script": script}
    if value is None:
        value = float("inf")
    try:
        text = value if isinstance(value, str) else str(value) if isinstance(value, Fraction) else float(value).hex()
    except (TypeError, ValueError, OverflowError):
        return {"failed": f"unreadable answer: {type(value).__name__}", "script": script}
    return {"answer": text, "script": script}


def reply(functions: Sequence[Function], message: dict[str, Any]) -> dict[str, Any]:
    """Answer one case."""
    case = message["case"]
    wanted = (message["function"], case["statement"])
    function = next(entry for entry in functions if (entry.function, entry.statement) == wanted)
    bits = case["inputs_binary64"]
    try:
        if bits is None:
            names = function.given({"exact": case["inputs"]})
        else:
            names = function.given({name: decoded(value, name) for name, value in bits.items()})
    except KeyError:
        return {"skipped": "the inputs are not doubles"}
    except (Skip, ValueError, ArithmeticError) as error:
        return {"skipped": str(error)}
    return run(function, names) | ({} if function.really is None else {"given": function.really(names)})


def load(functions: Sequence[Function]) -> None:
    """Import what the functions import, so that it counts for no case; what cannot be imported, a case will say."""
    for function in functions:
        imports = [node for node in ast.parse(function.code).body if isinstance(node, (ast.Import, ast.ImportFrom))]
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")
            exec(compile(ast.Module([*imports], []), "<imports>", "exec"), {})


def serve(name: str, functions: Sequence[Function], release: str = "") -> None:
    """Read commands until ``stop``; the distribution of that name has to be installed, unless a release is given."""
    start = {
        "version": 1,
        "implementation": {"name": name, "version": release or version(name), "language": "Python"},
        "functions": [
            {name: getattr(entry, name) for name in ("function", "statement", "note", "part") if getattr(entry, name)}
            for entry in functions
        ],
    }
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            return
        if message["cmd"] == "start":
            load(functions)
        answer = start if message["cmd"] == "start" else {"seq": message["seq"], **reply(functions, message)}
        print(json.dumps(answer), flush=True)
