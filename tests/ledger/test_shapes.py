"""A document that has the shape of a schema at once is one that jsonschema allows, and every such document has it."""

from __future__ import annotations

import copy
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from privref.ledger import documents
from privref.ledger.documents import has_shape

EXAMPLES = {
    path.name: json.loads(path.read_text(encoding="utf-8"))
    for path in Path(str(files("privref") / "examples")).glob("census*.json")
}
#: What takes the place of a part of a document: of every type, in and out of what the schemas allow.
PARTS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2**80, 0.5, 1.0, "", "1/8", "0.1", "-1", "x" * 5000, "replace-one", [], {}, [""],
    {"kind": "zcdp", "rho": "1/8"}, {"kind": "unknown"}, ("1",), {"epsilon": "1", "delta": "0"}, {1: 2}, {"a": "b"},
)  # fmt: skip


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path into a document, its own included."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for key, entry in inner for found in places(entry, (*place, key)))]


def is_plain(value: Any) -> bool:
    """Whether JSON without floats parses to such a value."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(entry) for key, entry in value.items())
    return all(map(is_plain, value)) if type(value) is list else value is None or type(value) in (str, int, bool)


def agrees(document: Any, schema: dict[str, Any]) -> None:
    allowed = Draft202012Validator(schema).is_valid(document)
    assert has_shape(document, schema) == (allowed and is_plain(document))


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_examples_have_the_shape(name: str) -> None:
    """No example needs the slower validator."""
    assert has_shape(EXAMPLES[name], documents.schema_named(EXAMPLES[name]["schema"]))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_documents_are_told_apart_as_jsonschema_does(data: st.DataObject) -> None:
    """One or two parts of an example replaced, removed or added: the answer is the validator's."""
    document = copy.deepcopy(EXAMPLES[data.draw(st.sampled_from(sorted(EXAMPLES)))])
    schema = dict(documents.schema_named(document["schema"]))
    for _ in range(data.draw(st.integers(1, 2))):
        *outer, last = data.draw(st.sampled_from([place for place in places(document) if place]))
        inside = document
        for key in outer:
            inside = inside[key]
        change = data.draw(st.sampled_from(["replace", "remove", "add"]))
        if change == "remove":
            del inside[last]
        elif change == "replace" or isinstance(inside, list):
            inside[last] = copy.deepcopy(data.draw(st.sampled_from(PARTS)))
        else:
            name = data.draw(st.sampled_from(["count", "label", "budget", "mechanism", "other"]))
            inside[name] = copy.deepcopy(data.draw(st.sampled_from(PARTS)))
    agrees(document, schema)


SCHEMAS: tuple[tuple[dict[str, Any], Any], ...] = (
    ({"const": 1}, True),
    ({"const": 1}, 1),
    ({"enum": ["a", None]}, None),
    ({"enum": [0]}, False),
    ({"not": {"type": "integer"}}, 1),
    ({"not": {"type": "integer"}}, True),
    ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, 4),
    ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, 2),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1),
    ({"allOf": [{"minLength": 2}, {"maxLength": 3}]}, "abcd"),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 0}}, {"a": 1}),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 0}}, {"c": 1}),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"c": 1}),
    ({"then": False}, 1),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"type": ["integer", "null"]}}}, None),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "integer"}}, "maximum": 3}, 4),
    ({"pattern": "b"}, "abc"),
    ({"pattern": "^b"}, "abc"),
    ({"minItems": 1, "items": False}, [1]),
    ({"maximum": 0}, True),
    ({"additionalProperties": {"type": "string"}, "properties": {"a": {}}}, {"a": 1, "b": 2}),
)


@pytest.mark.parametrize(("schema", "value"), SCHEMAS)
def test_each_word_means_what_it_means_to_jsonschema(schema: dict[str, Any], value: Any) -> None:
    """Booleans are no integers, a sibling of a reference counts, and ``then`` without ``if`` says nothing."""
    agrees(value, schema)


@pytest.mark.parametrize("schema", [{"uniqueItems": True}, {"const": [1]}, {"$ref": "other.json"}])
def test_what_only_jsonschema_knows_is_left_to_it(schema: dict[str, Any]) -> None:
    """A word that is unknown here never makes a document pass."""
    assert not has_shape([1], schema)
    assert not has_shape([1], {"not": schema})
