"""The mutants of a module: every place where an operator applies, one change each."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Change = Callable[[ast.AST], ast.AST | None]


@dataclass(frozen=True)
class Mutant:
    """One change in one module: the mutated source and where it is."""

    module: str
    line: int
    operator: str
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.operator}: {self.before} -> {self.after}"


_COMPARED = {ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt}
_ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
_DIRECTIONS = {"down": "up", "up": "down"}


def _up(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return ast.Constant(node.value + 1)
    return None


def _down(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value != 0:
        return ast.Constant(node.value - 1)
    return None


def _boundary(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED:
        return ast.Compare(node.left, [_COMPARED[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    return None


def _arithmetic(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        return ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
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
    "boundary": _boundary,
    "arithmetic": _arithmetic,
    "log base": _log_base,
    "delta/2": _half_delta,
    "drop a round": _drop_first,
    "round inward": _inward,
}


class _At(ast.NodeTransformer):
    """Applies the change at the n-th place where it applies, outside docstrings and annotations."""

    def __init__(self, change: Change, n: int) -> None:
        self.change = change
        self.left = n
        self.found: tuple[int, str, str] | None = None

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return node
        if isinstance(node, ast.AnnAssign):
            if node.value is not None:
                node.value = self.visit(node.value)  # type: ignore[assignment]
            return node
        if isinstance(node, ast.arg):
            return node
        if isinstance(node, ast.FunctionDef):
            node.body = [self.visit(item) for item in node.body]  # type: ignore[misc]
            return node
        changed = self.change(node) if self.found is None else None
        if changed is not None:
            if self.left == 0:
                self.found = (node.lineno, ast.unparse(node)[:80], ast.unparse(changed)[:80])  # type: ignore[attr-defined]
                return ast.fix_missing_locations(ast.copy_location(changed, node))
            self.left -= 1
        return self.generic_visit(node)


def mutants(module: str, source: str, operators: dict[str, Change] = OPERATORS) -> Iterator[Mutant]:
    """Every mutant of a module."""
    for name, change in operators.items():
        n = 0
        while True:
            at = _At(change, n)
            tree = at.visit(ast.parse(source))
            if at.found is None:
                break
            line, before, after = at.found
            yield Mutant(module, line, name, before, after, ast.unparse(tree))
            n += 1
