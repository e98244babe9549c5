"""Whether a JSON document certainly has the shape that a JSON Schema (draft 2020-12) describes.

Importing ``jsonschema`` takes longer than auditing a small ledger. Most documents are as they should be, and this
module sees that at once. For every other document ``jsonschema`` decides, and says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

_Schema: TypeAlias = "Mapping[str, Any] | bool"
#: A value, the keyword's argument, the schema that has the keyword, and the whole schema, for references.
_Rule: TypeAlias = Callable[[Any, Any, Mapping[str, Any], Mapping[str, Any]], bool]

_SCALARS = (str, int, bool, type(None))
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


class _UnknownWordError(Exception):
    """The schema says something that only ``jsonschema`` knows."""


def has_shape(document: Any, schema: Mapping[str, Any]) -> bool:
    """Return whether the schema certainly allows the document; False also where only ``jsonschema`` can tell."""
    try:
        return _is_plain(document) and _allows(schema, document, schema)
    except _UnknownWordError:
        return False


def _is_plain(value: Any) -> bool:
    """Return whether the value has the very types that parsed JSON without floats has, and no subclasses of them."""
    if type(value) is dict:
        return all(type(key) is str and _is_plain(entry) for key, entry in value.items())
    if type(value) is list:
        return all(map(_is_plain, value))
    return type(value) in _SCALARS


def _allows(schema: _Schema, value: Any, root: Mapping[str, Any]) -> bool:
    if isinstance(schema, bool):
        return schema
    for word, argument in schema.items():
        if word in _NOTES:
            continue
        if word not in _RULES:
            raise _UnknownWordError(word)
        if not _RULES[word](value, argument, schema, root):
            return False
    return True


def _is_same(value: Any, wanted: Any) -> bool:
    if type(wanted) not in _SCALARS:
        raise _UnknownWordError("const")
    return type(value) is type(wanted) and bool(value == wanted)


def _referred(reference: str, root: Mapping[str, Any]) -> _Schema:
    """Return the part of the schema that a reference within it names."""
    if not reference.startswith("#"):
        raise _UnknownWordError("$ref")
    found: Any = root
    for key in reference.removeprefix("#").split("/")[1:]:
        found = found[key]
    schema: _Schema = found
    return schema


def _of(kind: type, rule: Callable[[Any, Any], bool]) -> _Rule:
    """Return the rule of a keyword that speaks of one type only."""
    return lambda value, argument, schema, root: type(value) is not kind or rule(value, argument)


def _conditional(value: Any, condition: _Schema, schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    branch = schema.get("then" if _allows(condition, value, root) else "else", True)
    return _allows(branch, value, root)


#: What describes and does not restrict; ``then`` and ``else`` belong to ``if``.
_NOTES = frozenset({"$schema", "$id", "$defs", "$comment", "title", "description", "examples", "then", "else"})
_RULES: Mapping[str, _Rule] = {
    "$ref": lambda value, name, schema, root: _allows(_referred(name, root), value, root),
    "allOf": lambda value, parts, schema, root: all(_allows(part, value, root) for part in parts),
    "anyOf": lambda value, parts, schema, root: any(_allows(part, value, root) for part in parts),
    "oneOf": lambda value, parts, schema, root: sum(_allows(part, value, root) for part in parts) == 1,
    "not": lambda value, part, schema, root: not _allows(part, value, root),
    "if": _conditional,
    "type": lambda value, kinds, schema, root: any(
        type(value) in _TYPES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)
    ),
    "const": lambda value, wanted, schema, root: _is_same(value, wanted),
    "enum": lambda value, words, schema, root: any(_is_same(value, word) for word in words),
    "properties": lambda value, parts, schema, root: (
        type(value) is not dict
        or all(_allows(part, value[name], root) for name, part in parts.items() if name in value)
    ),
    "additionalProperties": lambda value, part, schema, root: (
        type(value) is not dict
        or all(_allows(part, entry, root) for name, entry in value.items() if name not in schema.get("properties", ()))
    ),
    "items": lambda value, part, schema, root: (
        type(value) is not list or all(_allows(part, entry, root) for entry in value)
    ),
    "required": _of(dict, lambda value, names: all(name in value for name in names)),
    "minProperties": _of(dict, lambda value, least: len(value) >= least),
    "maxProperties": _of(dict, lambda value, most: len(value) <= most),
    "minItems": _of(list, lambda value, least: len(value) >= least),
    "maxItems": _of(list, lambda value, most: len(value) <= most),
    "minLength": _of(str, lambda value, least: len(value) >= least),
    "maxLength": _of(str, lambda value, most: len(value) <= most),
    "pattern": _of(str, lambda value, pattern: re.search(pattern, value) is not None),
    "minimum": _of(int, lambda value, least: bool(value >= least)),
    "maximum": _of(int, lambda value, most: bool(value <= most)),
}
