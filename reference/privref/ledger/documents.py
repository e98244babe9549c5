"""Reading JSON documents strictly: no duplicate keys, no floats, no NaN, schema-checked, one-line errors."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import rfc8785

from privref.exact.errors import InputError, InputErrors, meant, nearest, path_from, require_text
from privref.exact.numbers import MAX_DIGITS

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_Schema: TypeAlias = "Mapping[str, Any] | bool"
#: A value, the keyword's argument, the schema that has the keyword, and the whole schema, for references.
_Rule: TypeAlias = Callable[[Any, Any, Mapping[str, Any], Mapping[str, Any]], bool]

_SCALARS = (str, int, bool, type(None))
_JSON_TYPES: Mapping[str, tuple[type, ...]] = {
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
    """Return whether the schema certainly allows the document; False also where only ``jsonschema`` can tell.

    Importing ``jsonschema`` takes longer than auditing a small ledger. Most documents are as they should be, which is
    seen here at once. For every other document ``jsonschema`` decides, and says what is wrong with it.
    """
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
        type(value) in _JSON_TYPES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)
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


#: Under which schemas and predicate types are named. A URN needs no address, so that none can change or be taken over.
NAMESPACE = f"urn:{__name__.partition('.')[0]}"
#: RFC 8785 writes the integers that binary64 holds exactly, and no others.
MOST_INTEGER = 2**53 - 1
_INTEGER_ADVICE = (
    "a JSON integer has a canonical form (RFC 8785) only up to 2^53 - 1 = 9007199254740991; "
    "split a larger count over several events, and write other numbers as strings"
)
_SURROGATE_ADVICE = "an unpaired surrogate (\\ud800 to \\udfff) is not a character; remove it or write the whole pair"

#: A key without a value, or an entry of a list that begins with a key.
_YAML = re.compile(r"^[ \t]*- \w+:[ \t]|^\w+:[ \t\r]*$", re.MULTILINE)
YAML = "this is YAML; write the same as JSON, with every number but counts as a string"


def is_yaml(text: str) -> bool:
    """Return whether a text that is not JSON looks like YAML."""
    return _YAML.search(text) is not None


def read_text(path: str | Path, field: str) -> str:
    """A file's text; InputError where it is missing, a directory, unreadable or not UTF-8."""
    path = path_from(path, field)
    return decoded(read_bytes(path, field), path, field)


def decoded(data: bytes, path: Path, field: str) -> str:
    """Return the text of a file's bytes; InputError where they are not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(field, str(path), "the file is not UTF-8 text") from None


def read_bytes(path: Path, field: str) -> bytes:
    """Return a file's bytes; InputError where it is missing, a directory or unreadable."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(field, str(path), "this file does not exist; check its name and its folder") from None
    except IsADirectoryError:
        raise InputError(field, str(path), "this is a directory; name a file") from None
    except PermissionError:
        raise InputError(field, str(path), "you have no permission to read this file") from None
    except (OSError, ValueError) as error:
        raise InputError(field, str(path), f"the file cannot be read ({error})") from None


def parse(text: str, field: str, reader: Callable[[Any], object] | None = None) -> Any:
    """Parse JSON strictly; ``field`` names the document in errors.

    Where a text has floats, what else the ``reader`` of its document refuses is said together with them.
    """

    require_text(text, field, "give the JSON text")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in items:
            if key in result:
                raise InputError(field, key, "this key stands twice in one object; keep one")
            result[key] = value
        return result

    def whole(number: str) -> int:
        if len(number) > MAX_DIGITS:
            raise InputError(field, number, f"at most {MAX_DIGITS} digits are read")
        return int(number)

    try:
        document = json.loads(text, object_pairs_hook=pairs, parse_float=_Float, parse_constant=_Float, parse_int=whole)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise InputError(field, "(empty)", "this file has no text") from None
        if field == "claims" and not text.lstrip().startswith(("{", "[")):
            remedy = "claims are a JSON file (claims.1), or --claim EPS,DELTA; this file is neither"
            raise InputError(field, text.strip().splitlines()[0], remedy) from None
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{field} {place}", "(value)", f"this is not valid JSON: {_repair(error)}") from None
    except RecursionError:
        raise _too_deep(field) from None
    require_shallow(document, field)
    if refused := list(islice(_floats(document, field), MOST_REFUSALS)):
        raise InputErrors.of((refused + _others(document, refused, reader))[:MOST_REFUSALS])
    if _ESCAPED_SURROGATE.search(text) and (found := next(_unpaired(document, field), None)) is not None:
        raise found
    return document


def _repair(error: json.JSONDecodeError) -> str:
    """What to change where JSON cannot be read: at the place itself, or right before it."""
    rest, before = error.doc[error.pos :], error.doc[: error.pos].rstrip()
    if rest.startswith(("“", "”", "„", "'")):
        return 'write straight double quotation marks: "'
    if rest.startswith(("//", "/*", "#")):
        return "it has no comments; take this one out"
    if rest.startswith(",") or (before.endswith(",") and rest.startswith(("}", "]"))):
        return "take the comma out that no value follows"
    return f"it is not complete ({error.msg}); look for a missing bracket, comma or quotation mark"


#: How deep a document may nest, more than twice as deep as any of privref's own. Libraries recurse into documents, and
#: one of them ends in a panic, which no reader can catch, where Python's limit of recursion is reached.
MOST_DEPTH = 40


def _too_deep(field: str) -> InputError:
    return InputError(field, "too deeply nested", f"no document of privref nests deeper than {MOST_DEPTH} levels")


def require_shallow(document: Any, field: str) -> None:
    """Refuse a parsed document that nests too deeply, before anything recurses into it."""
    rest: list[tuple[Any, int]] = [(document, 1)]
    while rest:
        value, depth = rest.pop()
        if isinstance(value, (Mapping, list, tuple)):
            if depth > MOST_DEPTH:
                raise _too_deep(field)
            rest += [(inner, depth + 1) for inner in (value.values() if isinstance(value, Mapping) else value)]


class _Float(str):
    """A JSON number that is not whole, as it is written."""


def _json_number(value: object) -> str:
    """What to write instead of a JSON number, which a reader may round; of a count instead of one with a point."""
    if str(value).lstrip("-") in ("NaN", "nan", "Infinity", "inf"):
        return 'this is not a number; write an exact one in quotation marks, such as "0.1"'
    before, _, after = str(value).partition(".")
    count = before if before.isdecimal() and not after.strip("0") else "10"
    exact = f'write it in quotation marks, "{value}"'
    return f"JSON numbers may be rounded: {exact} (a count: a whole number, such as {count})"


def _others(document: Any, known: list[InputError], reader: Callable[[Any], object] | None) -> list[InputError]:
    """What a reader refuses at other places, were the floats strings."""
    if reader is None:
        return []
    try:
        reader(document)
    except InputError as error:
        said = error.errors if isinstance(error, InputErrors) else (error,)
        return [other for other in said if other.field not in {each.field for each in known}]
    return []


def _floats(value: Any, place: str) -> Iterator[InputError]:
    """The floats of a parsed document, in its order."""
    match value:
        case dict():
            for key, entry in value.items():
                yield from _floats(entry, f"{place}.{key}")
        case list():
            for i, entry in enumerate(value):
                yield from _floats(entry, f"{place}[{i}]")
        case _Float():
            yield InputError(place, str(value), _json_number(value))


#: An unpaired surrogate comes into a document by its escape only: text that is UTF-8 has none.
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _unpaired(value: Any, place: str) -> Iterator[InputError]:
    """The strings of a parsed document that have an unpaired surrogate, in the document's order."""
    match value:
        case dict():
            for key, entry in value.items():
                if not _is_unicode(key):
                    yield InputError(place, key, _SURROGATE_ADVICE)
                yield from _unpaired(entry, f"{place}.{key}")
        case list():
            for i, entry in enumerate(value):
                yield from _unpaired(entry, f"{place}[{i}]")
        case str() if not _is_unicode(value):
            yield InputError(place, value, _SURROGATE_ADVICE)


def digest(document: Mapping[str, Any], field: str = "ledger") -> str:
    """The SHA-256 of the document's canonical JSON (RFC 8785), in hexadecimal.

    InputError where there is none: an integer beyond 2^53 - 1, an unpaired surrogate; ``field`` names the document.
    """
    try:
        canonical = rfc8785.dumps(dict(document))
    except ValueError:
        # All refusals of rfc8785, and the codec's for a surrogate in a key; none of them says where.
        refusal = next(_without_canonical_form(document, field), None)
        if refusal is None:
            raise
        raise refusal from None
    return hashlib.sha256(canonical).hexdigest()


def _without_canonical_form(value: Any, place: str) -> Iterator[InputError]:
    """What in a document RFC 8785 cannot write, in the document's order."""
    match value:
        case Mapping():
            for key, entry in value.items():
                if not isinstance(key, str):
                    yield InputError(place, key, "the keys of JSON are strings")
                else:
                    if not _is_unicode(key):
                        yield InputError(place, key, _SURROGATE_ADVICE)
                    yield from _without_canonical_form(entry, f"{place}.{key}")
        case list() | tuple():
            for i, entry in enumerate(value):
                yield from _without_canonical_form(entry, f"{place}[{i}]")
        case str():
            if not _is_unicode(value):
                yield InputError(place, value, _SURROGATE_ADVICE)
        case int():
            if abs(value) > MOST_INTEGER:
                # Python does not spell integers of many thousand digits.
                shown = value if abs(value) < 10**60 else "(more than 60 digits)"
                yield InputError(place, shown, _INTEGER_ADVICE)
        case float():
            if not math.isfinite(value):
                yield InputError(place, value, _json_number(value))
        case None:
            pass
        case _:
            yield InputError(place, type(value).__name__, "give a value that JSON has")


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


@cache
def schema_named(name: str) -> Mapping[str, Any]:
    """Return one of the package's JSON schemas."""
    text = files("privref").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    schema: Mapping[str, Any] = json.loads(text)
    return schema


def validate(document: Any, schema: str, field: str) -> None:
    """Check a document against one of the package's schemas; its mismatches become one InputError."""
    if found := mismatches(document, schema, field):
        raise InputErrors.of(found)


def mismatches(document: Any, schema: str, field: str) -> list[InputError]:
    """What in a document its schema does not allow: the most telling first, then the others in its order."""
    if isinstance(document, dict) and "schema" in document and document["schema"] != schema:
        return [InputError(f"{field}.schema", document["schema"], _other_schema(document["schema"], schema))]
    require_shallow(document, field)
    if has_shape(document, schema_named(schema)):
        return []
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    errors = list(Draft202012Validator(schema_named(schema)).iter_errors(document))
    if not errors:
        return []
    misspelled = {name for error in errors for name in _misspelled(error)}
    # A field that is missing because its name is misspelled is one fault, not two.
    errors = [error for error in errors if not _names(error) & misspelled] or errors
    # Of a value of another type nothing else is said.
    strange = {_place(error) for error in errors if error.validator == "type"}
    errors = [error for error in errors if error.validator == "type" or _place(error) not in strange]
    refusals = [_refusal(cast("ValidationError", best_match(errors)), field)]
    for error in sorted(errors, key=lambda error: [str(part) for part in error.absolute_path]):
        leaf = best_match([error])
        refusal = _refusal(leaf, field) if leaf is not None else None
        if refusal is not None and all(str(refusal) != str(known) for known in refusals):
            refusals.append(refusal)
        if len(refusals) == MOST_REFUSALS:
            break
    return refusals


#: What documents are, for a message.
_A = {"ledger": "a ledger", "claims": "claims"}


def _other_schema(given: object, schema: str) -> str:
    """Return what to do where a document of another schema was given."""
    if (given, schema) in (("ledger.1", "claims.1"), ("claims.1", "ledger.1")):
        is_, wanted = (name.partition(".")[0] for name in (str(given), schema))
        order = "the ledger comes first, then the claims"
        return f"this document holds {_A[is_]}, and {_A[wanted]} ({schema}) is read here; {order}"
    if schema.startswith("certificate.") and given == "ledger.1":
        return f"this reader takes {schema}; give the certificate first, and the ledger as --ledger FILE"
    newer = str(given).partition(".")[0] == schema.partition(".")[0]
    return f"this reader takes {schema}{'; a newer schema needs a newer privref' if newer else ''}"


#: A parameter that people write outside of a guarantee, with the kind of guarantee that has it.
_PARAMETERS = {"epsilon": "pure-dp", "rho": "zcdp", "mu": "gaussian-dp"}
#: What a claim of epsilon has where its delta is missing.
_PURE = {"id", "by", "epsilon"}
#: What to write in a field that is missing.
_EXAMPLES = {
    "title": ', such as "title": "a survey"',
    "privacy_unit": ': what one unit of protected data is, such as "privacy_unit": "person"',
    "neighbours": ', such as "neighbours": "replace-one"',
    "parameters": ': "fixed-in-advance" or "chosen-adaptively"',
    "interaction": ': "sequential" or "concurrent"',
    "events": ', such as "events": [{"guarantee": {"kind": "pure-dp", "epsilon": "0.1"}}]',
    "delta": ', such as "delta": "1e-6"; with delta = 0 the kind is pure-dp',
    "id": ': a name for the claim, such as "id": "published"',
    "kind": ', such as "kind": "pure-dp"',
}
#: What to write instead of a value of another type.
_TYPES = {
    "integer": "write a whole number without quotation marks, such as 10",
    "object": 'write fields with their names, in braces: {"name": …}',
}
#: At most this many refusals of one document are shown at once.
MOST_REFUSALS = 20


def _place(error: ValidationError) -> tuple[str | int, ...]:
    return tuple(error.absolute_path)


def _misspelled(error: ValidationError) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the fields that an unknown field of an object probably means, each with the object's place."""
    if error.validator == "additionalProperties":
        known = cast(dict[str, Any], cast(dict[str, Any], error.schema).get("properties", {}))
        for key in cast(dict[str, Any], error.instance):
            if key not in known and (near := meant(key, known)):
                yield _place(error), near


def _names(error: ValidationError) -> set[tuple[tuple[str | int, ...], str]]:
    """Return the fields that an error asks for, each with the place of their object."""
    if error.validator == "required":
        missing = re.search(r"'([^']*)'", error.message)
        return {(_place(error), missing[1])} if missing else set()
    if error.validator in ("anyOf", "oneOf"):
        return {(_place(error), name) for each in cast(Any, error.validator_value) for name in each.get("required", ())}
    return set()


def _unread(place: str, text: str) -> InputError:
    """The refusal of a text that is not an exact number, with what to write."""
    if re.fullmatch(r"[0-9]+,[0-9]+", text):
        return InputError(place, text, f'write a decimal point: "{text.replace(",", ".")}"')
    # Imported late: the patterns of cells are of sheets, and of refusals.
    from .cells import number_text

    try:
        number = number_text(text, place)
    except InputError as error:
        return error
    return InputError(place, text, f'write "{number}"')


def _refusal(error: ValidationError, field: str) -> InputError:
    place = field + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    value, schema, given = error.instance, cast(dict[str, Any], error.schema), cast(Any, error.validator_value)
    match error.validator:
        case "additionalProperties":
            known = sorted(cast(dict[str, Any], schema.get("properties", {})))
            extra = next((key for key in cast(dict[str, Any], value) if key not in known), "?")
            if extra in _PARAMETERS and "guarantee" in known:
                inside = f'"guarantee": {{"kind": "{_PARAMETERS[extra]}", "{extra}": …}}'
                return InputError(place, extra, f"this field belongs to a guarantee: write {inside}")
            if extra == "delta" and cast(dict[str, Any], value).get("kind") == "pure-dp":
                return InputError(place, extra, "pure DP has no delta; with one the kind is approx-dp")
            return InputError(place, extra, f"unknown field; {nearest(extra, known)}known here: {', '.join(known)}")
        case "required":
            missing = re.search(r"'([^']*)'", error.message)
            name = missing[1] if missing else "?"
            if name == "schema":
                wanted = json.dumps(schema["properties"]["schema"]["const"])
                return InputError(f"{place}.schema", "(missing)", f'this field is required: "schema": {wanted}')
            return InputError(f"{place}.{name}", "(missing)", f"this field is required{_EXAMPLES.get(name, '')}")
        case "enum":
            more = "; `privref explain NAME` says what each is" if any("/" in str(word) for word in given) else ""
            return InputError(place, value, f"{nearest(value, given)}give one of {', '.join(map(str, given))}{more}")
        case "const":
            return InputError(place, value, f"give {given!r}")
        case "minimum":
            return InputError(place, value, f"give a number that is at least {given}")
        case "minItems" | "minProperties":
            return InputError(place, "(empty)", "give at least one entry")
        case "type" if given == "string" and type(value) is int and "exact number" in schema.get("description", ""):
            return InputError(place, value, f'write it in quotation marks: "{value}"')
        case "type":
            described = schema.get("description")
            wanted = f"give {described}" if described else _TYPES.get(given, f"give a JSON {given}")
            return InputError(place, value, wanted)
        case "pattern" | "maxLength" if "description" in schema:
            return _unread(place, str(value))
        case "oneOf" | "not" if place.endswith(".budget"):
            return InputError(
                place,
                ", ".join(value) if isinstance(value, dict) else value,
                "a budget is epsilon with delta, or rho with the filter that enforces it",
            )
        case "oneOf" | "not" if "claim" in place and isinstance(value, dict) and {"epsilon"} <= set(value) <= _PURE:
            remedy = 'this field is required with epsilon, such as "delta": "1e-6"; with delta = 0 write "0"'
            return InputError(f"{place}.delta", "(missing)", remedy)
        case "oneOf" | "not" if "claim" in place:
            return InputError(
                place,
                ", ".join(value) if isinstance(value, dict) else value,
                "a claim is epsilon with delta; rho; mu; after_event with by, reading and delta; "
                "or remaining with epsilon and delta",
            )
        case "anyOf" if all(set(each) == {"required"} for each in given):
            names = [name for each in given for name in each["required"]]
            return InputError(place, "(value)", f"give at least one of {', '.join(names)}")
        case _:
            return InputError(place, value if isinstance(value, (str, int)) else "(value)", error.message[:200])
