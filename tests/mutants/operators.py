"""The mutants of a module: every place where an operator applies, one change each."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Change = Callable[[ast.AST], ast.AST | None]


@dataclass(frozen=True)
class Mutant:
    """One change in one module, and where it is."""

    module: str
    function: str
    line: int
    operator: str
    before: str
    after: str
    occurrence: int
    place: int
    original: str = field(repr=False, compare=False)

    @property
    def tree(self) -> ast.Module:
        """The mutated module; what stays keeps its lines."""
        return _At(OPERATORS[self.operator], self.place).change_in(self.original)

    @property
    def key(self) -> str:
        """A name that stays while the code around the function changes."""
        nth = f" #{self.occurrence + 1}" if self.occurrence else ""
        return f"{self.module}.{self.function} | {self.operator} | {self.before} -> {self.after}{nth}"

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.operator}: {self.before} -> {self.after}"


_BOUNDARIES = {ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt}
_OPPOSITES = {
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_DIRECTIONS = {"down": "up", "up": "down"}


def _up(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return ast.Constant(node.value + 1)
    return None


def _down(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value != 0:
        return ast.Constant(node.value - 1)
    return None


def _compared(table: dict[type[ast.cmpop], type[ast.cmpop]]) -> Change:
    def change(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Compare) and type(node.ops[0]) in table:
            return ast.Compare(node.left, [table[type(node.ops[0])](), *node.ops[1:]], node.comparators)
        return None

    return change


def _arithmetic(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        return ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
    return None


def _logic(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return node.operand
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        return ast.Constant(not node.value)
    return None


def _log_base(node: ast.AST) -> ast.AST | None:
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "log"
        and isinstance(node.func.value, ast.Name)
    ):
        two = ast.Call(copy.deepcopy(node.func), [ast.Constant(2)], [])
        return ast.BinOp(copy.deepcopy(node), ast.Div(), two)
    return None


def _half_delta(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id.startswith("delta"):
        return ast.BinOp(copy.deepcopy(node), ast.Div(), ast.Constant(2))
    return None


def _drop_first(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Name):
        changed = copy.deepcopy(node)
        changed.iter = ast.Subscript(
            ast.Call(ast.Name("tuple", ast.Load()), [node.iter], []),
            ast.Slice(ast.Constant(1)),
            ast.Load(),
        )
        return changed
    return None


def _inward(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Constant) and node.value in _DIRECTIONS:
        return ast.Constant(_DIRECTIONS[node.value])
    return None


OPERATORS: dict[str, Change] = {
    "literal+1": _up,
    "literal-1": _down,
    "boundary": _compared(_BOUNDARIES),
    "opposite": _compared(_OPPOSITES),
    "logic": _logic,
    "arithmetic": _arithmetic,
    "log base": _log_base,
    "delta/2": _half_delta,
    "drop a round": _drop_first,
    "round inward": _inward,
}


@dataclass(frozen=True)
class Place:
    """A node where a change applies, and what would stand there."""

    scope: str
    node: Any
    after: str


#: Calls whose arguments change no answer: the size of a cache, whether a record has slots.
_MEANINGLESS = ("lru_cache", "kept", "dataclass")


class _At(ast.NodeTransformer):
    """Applies the change at the n-th place where it applies, outside docstrings, annotations and ``_MEANINGLESS``.

    For n = -1 it changes nothing and notes every place.
    """

    def __init__(self, change: Change, n: int) -> None:
        self.change = change
        self.left = n
        self.scope: list[str] = []
        self.places: list[Place] = []

    def change_in(self, source: str) -> ast.Module:
        """The module with the change, if there is such a place."""
        tree = self.visit(ast.parse(source))
        assert isinstance(tree, ast.Module)
        return tree

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return node
        if isinstance(node, ast.AnnAssign):
            if node.value is not None:
                node.value = self.visit(node.value)  # type: ignore[assignment]
            return node
        if isinstance(node, ast.arg) or (isinstance(node, ast.Call) and ast.unparse(node.func) in _MEANINGLESS):
            return node
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.scope.append(node.name)
            if isinstance(node, ast.FunctionDef):
                node.args = self.visit(node.args)  # type: ignore[assignment]
            node.decorator_list = [self.visit(item) for item in node.decorator_list]  # type: ignore[misc]
            node.body = [self.visit(item) for item in node.body]  # type: ignore[misc]
            self.scope.pop()
            return node
        changed = self.change(node)
        if changed is not None:
            self.left -= 1
            if self.left == -1:
                return ast.fix_missing_locations(ast.copy_location(changed, node))
            if self.left < -1:
                self.places.append(Place(".".join(self.scope) or "<module>", node, ast.unparse(changed)))
        return self.generic_visit(node)


def mutants(module: str, source: str, operators: dict[str, Change] = OPERATORS) -> Iterator[Mutant]:
    """Every mutant of a module; those that two operators make alike, once."""
    seen: dict[str, int] = {}
    alike: set[tuple[object, ...]] = set()
    for name, change in operators.items():
        at = _At(change, -1)
        at.change_in(source)
        for n, place in enumerate(at.places):
            node = place.node
            where = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, place.after)
            if where in alike:
                continue
            alike.add(where)
            before, after = ast.unparse(node)[:80], place.after[:80]
            kind = f"{place.scope} | {name} | {before} -> {after}"
            occurrence = seen[kind] = seen.get(kind, -1) + 1
            yield Mutant(module, place.scope, node.lineno, name, before, after, occurrence, n, source)
