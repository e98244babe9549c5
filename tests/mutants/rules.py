"""Mutants of the kernel that change nothing that is verified, by what they change: one reason a class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from .operators import OPERATORS, Mutant, _At

TEXT = "the text of a refusal, or how long a number is shown in it"
LIMIT = "a limit of work or size: a little more or less is refused, and nothing is shown by what passes it"
PRECISION = "bits of working precision: a ball holds the true value at any; what is not decided is refused"
STRICT = "zip's strict: both have one length by construction"

REACH = "how far answers are written out: what lies beyond is bounded from the same number, whatever it is"
TRUTH = "whether a number is 0: half of it is 0 where it is"
STACK = "how deep a text may nest before it is parsed: the parser refuses what is no document"

_TEXTS, _LIMITS = ("Malformed", "Refused", "shown", "str"), ("_require_few", "require_few", "spend", "_spend")
#: Functions all of which are of one class.
_WHOLE = {
    "work": LIMIT,
    "checked": LIMIT,
    "listed": LIMIT,
    "_require_few": LIMIT,
    "require_few": LIMIT,
    "_spend": LIMIT,
    "shown": TEXT,
    "precision": PRECISION,
    "_precise": PRECISION,
    "_reach": REACH,
    "_bounded_depth": STACK,
}
#: Names to which a limit, or a precision, is assigned on the way.
_ASSIGNED = {"precision": PRECISION, "products": LIMIT, "outcomes": LIMIT, "longest": LIMIT}


@lru_cache(maxsize=256)
def _places(source: str, operator: str) -> tuple[list[ast.AST], ast.Module]:
    """The nodes that an operator changes, in order, and the tree that they are in, which is as it was."""
    tree = ast.parse(source)
    at = _At(OPERATORS[operator], -1)
    at.visit(tree)
    return [place.node for place in at.places], tree


def _around(tree: ast.AST, node: ast.AST) -> Iterator[ast.AST]:
    """What a node is in, from the module inwards."""
    place = _span(node)
    found: ast.AST | None = tree
    while found is not None and found is not node:
        yield found
        inner = (child for child in ast.iter_child_nodes(found) if _holds(child, place))
        found = next(inner, None)


def _span(node: ast.AST) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0  # type: ignore[attr-defined]


def _holds(child: ast.AST, place: tuple[int, int, int, int]) -> bool:
    if not hasattr(child, "lineno"):
        return isinstance(child, ast.keyword | ast.arguments | ast.withitem | ast.comprehension) and any(
            _holds(inner, place) for inner in ast.iter_child_nodes(child)
        )
    first, column, last, end = _span(child)
    return (first, column) <= place[:2] and (last, end) >= place[2:]


#: Functions that read a whole number: their second argument says the least one or the default, the later ones the most.
_COUNTS = ("whole", "count")


def _bounds(call: ast.Call) -> list[ast.AST]:
    """The arguments of a call that reads a number which say how large it may be."""
    later = 2 if isinstance(call.func, ast.Attribute) else 3
    return [*call.args[later:], *(keyword.value for keyword in call.keywords if keyword.arg == "most")]


def _within(outer: ast.AST, node: ast.AST) -> bool:
    return outer is node or any(each is node for each in ast.walk(outer))


def _is_truth(each: ast.AST, node: ast.AST) -> bool:
    """Whether a number is asked whether it is 0, and nothing else."""
    if isinstance(each, ast.UnaryOp):
        return isinstance(each.op, ast.Not)
    if isinstance(each, ast.Call):
        return ast.unparse(each.func) == "bool"
    return isinstance(each, ast.IfExp | ast.If) and each.test is node


def _is_limit(compared: ast.Compare, operator: str) -> bool:
    """Whether a length or a sum is held against a large number, or one that is named a limit, and stays so."""
    sides = [compared.left, *compared.comparators]
    most = [each for each in sides if "MOST_" in ast.unparse(each)]
    large = [
        each for each in sides if isinstance(each, ast.Constant) and isinstance(each.value, int) and each.value > 15
    ]
    lengths = any(word in ast.unparse(compared) for word in ("len(", "bit_length", "order"))
    return bool(most or (large and lengths)) and operator not in ("opposite", "logic")


def reason_of(mutant: Mutant) -> str:
    """Return why a mutant of the kernel need not be caught; empty where it must."""
    if not mutant.module.startswith("privref.kernel."):
        return ""
    nodes, tree = _places(mutant.original, mutant.operator)
    if mutant.operator == "boundary" and "MOST_" in mutant.before + mutant.after:
        return LIMIT
    for each in (*_around(tree, nodes[mutant.place]), nodes[mutant.place]):
        if isinstance(each, ast.ClassDef) and each.name in _TEXTS:
            return TEXT
        if isinstance(each, ast.FunctionDef) and each.name in _WHOLE:
            return _WHOLE[each.name]
        if isinstance(each, ast.Assign) and each.col_offset == 0:
            name = ast.unparse(each.targets[0])
            if name in ("_PRECISION", "(_BITS, _HALVINGS)"):
                return PRECISION
            return LIMIT if "MOST_" in name or name.startswith("WORK_") else ""
        if isinstance(each, ast.Assign | ast.AugAssign):
            target = each.targets[0] if isinstance(each, ast.Assign) else each.target
            if known := _ASSIGNED.get(ast.unparse(target)):
                return known
        if isinstance(each, ast.BoolOp) and all("MOST_" in ast.unparse(value) for value in each.values):
            return LIMIT
        if mutant.operator == "delta/2" and _is_truth(each, nodes[mutant.place]):
            return TRUTH
        if isinstance(each, ast.Compare) and _is_limit(each, mutant.operator):
            return LIMIT
        if isinstance(each, ast.Call):
            name = each.func.attr if isinstance(each.func, ast.Attribute) else ast.unparse(each.func)
            if name in _TEXTS:
                return TEXT
            if name in _LIMITS:
                return LIMIT
            if name in _COUNTS and any(_within(node, nodes[mutant.place]) for node in _bounds(each)):
                return LIMIT
            if name == "working":
                return PRECISION
            if name == "zip" and isinstance(nodes[mutant.place], ast.Constant) and mutant.before == "True":
                return STRICT
    return ""
