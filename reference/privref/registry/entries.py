"""Entries of a deployment registry: YAML read strictly, every scalar kept as the text that was published."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match

from privref.exact.errors import InputError, PrivrefError, one_line, path_from
from privref.exact.extras import install
from privref.ledger.documents import read_text

#: No entry of a registry is larger; a larger file is refused, and so is one that nests deeper.
MOST_CHARACTERS = 200_000
MOST_ENTRIES = 10_000
#: What every entry has.
SLUG, NAME = "url_slug", "deployment.basic.name"


class YamlUnavailableError(PrivrefError, RuntimeError):
    """Reading a registry's files needs PyYAML, which is an extra."""


@dataclass(frozen=True, slots=True)
class RegistryEntry:
    """One entry: where it stood, its stable name, and the published text of every scalar by its dotted key."""

    file: str
    slug: str
    name: str
    texts: Mapping[str, str]

    @property
    def status(self) -> str:
        """How far the registry's board has reviewed the entry, in the registry's words."""
        return self.texts["status"]

    @property
    def tier(self) -> str:
        """How detailed the entry is, by the registry's own tiers."""
        return self.texts["tier"]


def _yaml() -> Any:
    try:
        import yaml
    except ImportError:
        raise YamlUnavailableError(f"a registry's files are YAML, which needs PyYAML: {install('registry')}") from None
    return yaml


def _loaders() -> tuple[Any, Any]:
    """Two strict loaders: one that types scalars, for the schema, and one that keeps their text, for us."""
    yaml = _yaml()

    def strict(base: Any) -> Any:
        class Strict(base):  # type: ignore[misc]
            """Refuses what YAML allows and no entry needs: aliases, and a key that stands twice."""

            def compose_node(self, parent: Any, index: Any) -> Any:
                if self.check_event(yaml.AliasEvent):
                    event = self.peek_event()
                    raise yaml.MarkedYAMLError(None, None, "aliases are not read", event.start_mark)
                return super().compose_node(parent, index)

            def construct_mapping(self, node: Any, deep: bool = False) -> Any:
                seen: set[str] = set()
                for key, _ in node.value:
                    if not isinstance(key, yaml.ScalarNode):
                        raise yaml.MarkedYAMLError(None, None, "a key is one word", key.start_mark)
                    if key.value in seen:
                        raise yaml.MarkedYAMLError(None, None, f"the key {key.value!r} stands twice", key.start_mark)
                    seen.add(key.value)
                return super().construct_mapping(node, deep=deep)

        return Strict

    return strict(yaml.SafeLoader), strict(yaml.BaseLoader)


def _load(text: str, loader: Any, place: str) -> Any:
    yaml = _yaml()
    if len(text) > MOST_CHARACTERS:
        raise InputError(place, f"{len(text)} characters", f"at most {MOST_CHARACTERS} are read")
    try:
        return yaml.load(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = "" if mark is None else f" at line {mark.line + 1}, column {mark.column + 1}"
        raise InputError(place, f"{error.problem}{where}", "the text is not the YAML of an entry; mend it") from None
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(place, one_line(str(error))[:120], "the text is not the YAML of an entry; mend it") from None
    except RecursionError:
        raise InputError(place, "too deeply nested", "no entry nests so deeply") from None


def _scalars(value: Any, key: str) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, inner in value.items():
                yield from _scalars(inner, f"{key}.{name}" if key else str(name))
        case list():
            for i, inner in enumerate(value):
                yield from _scalars(inner, f"{key}[{i}]")
        case _:
            yield key, str(value)


@cache
def structure() -> Mapping[str, Any]:
    """The structure of an entry: the keys, types and closed lists of the registry's schema, without its texts."""
    path = files("privref").joinpath("schemas", "deployment-registry-entry.json")
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def structure_of(schema: Any) -> Any:
    """What of a schema constrains an entry; its descriptions and other texts are left out."""
    keep = {"type", "additionalProperties", "required", "enum", "minItems", "items", "properties"}
    if not isinstance(schema, dict):
        return schema
    result: dict[str, Any] = {}
    for name in sorted(keep & set(schema)):
        value = schema[name]
        if name == "properties":
            result[name] = {key: structure_of(value[key]) for key in sorted(value)}
        else:
            result[name] = structure_of(value) if isinstance(value, dict) else value
    return result


def registry_schema(folder: Path) -> Mapping[str, Any] | None:
    """The registry's own schema where it lies next to the entries (``schemas/`` there or one folder up)."""
    for base in (folder, folder.parent):
        path = base / "schemas" / "deployments-schema.yaml"
        if path.is_file():
            loaded = _load(read_text(path, "schema"), _loaders()[0], f"schema {path.name}")
            if not isinstance(loaded, dict):
                raise InputError("schema", path.name, "the registry's schema is a mapping")
            found: Mapping[str, Any] = structure_of(loaded)
            try:
                Draft202012Validator.check_schema(dict(found))
            except SchemaError as error:
                raise InputError(
                    "schema", path.name, f"it is not a JSON Schema: {one_line(error.message)[:120]}"
                ) from None
            return found
    return None


def read_entry(text: str, file: str, schema: Mapping[str, Any] | None = None) -> RegistryEntry:
    """One entry from its YAML text, checked against the registry's schema; InputError names what is wrong."""
    place = f"entry {file}"
    typed_loader, text_loader = _loaders()
    typed = _load(text, typed_loader, place)
    error = best_match(Draft202012Validator(dict(schema or structure())).iter_errors(typed))
    if error is not None:
        where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        said = one_line(error.message)[:160]
        raise InputError(f"{place}{where}", f"({error.validator})", f"the registry's schema says: {said}")
    texts = dict(_scalars(_load(text, text_loader, place), ""))
    for key in (SLUG, NAME):
        if key not in texts:
            raise InputError(f"{place}.{key}", "(missing)", "an entry is known by it")
    return RegistryEntry(file, texts[SLUG], texts[NAME], texts)


def read_entries(path: str | Path) -> tuple[RegistryEntry, ...]:
    """The entry of a file, or all entries of a folder (``*.yaml`` in it, or in its ``deployments/``), by file name."""
    path = path_from(path, "PATH")
    if path.is_file():
        return (read_entry(read_text(path, "entry"), path.name, registry_schema(path.parent)),)
    if not path.is_dir():
        raise InputError("PATH", str(path), "name an entry's YAML file or a folder of entries")
    inner = path / "deployments"
    folder = inner if inner.is_dir() else path
    found = sorted(file for file in folder.iterdir() if file.suffix in (".yaml", ".yml"))
    if not found:
        raise InputError("PATH", str(path), "the folder holds no YAML entries")
    if len(found) > MOST_ENTRIES:
        raise InputError("PATH", str(path), f"at most {MOST_ENTRIES} entries are read")
    schema = registry_schema(folder)
    entries = tuple(read_entry(read_text(file, "entry"), file.name, schema) for file in found)
    slugs: dict[str, str] = {}
    for entry in entries:
        if entry.slug in slugs:
            raise InputError(
                f"entry {entry.file}.url_slug", entry.slug, f"{slugs[entry.slug]} has the same; rename one"
            )
        slugs[entry.slug] = entry.file
    return entries


def sentence_with(text: str, words: str) -> str | None:
    """The sentence (or list item) of a text in which these words stand; None where they do not.

    White space is not compared, since YAML folds lines; everything else must agree to the letter.
    """
    wanted = " ".join(words.split())
    for paragraph in re.split(r"\n\s*(?=[-*•]\s|\d+[.)]\s)|\n\s*\n", text):
        folded = " ".join(paragraph.split())
        at = folded.find(wanted)
        if at < 0:
            continue
        begin = max((found.end() for found in re.finditer(r"(?<=[.!?])\s+", folded[:at])), default=0)
        # The words may end the sentence themselves.
        end = re.search(r"[.!?](?=\s|$)", folded[at + len(wanted) - 1 :])
        stop = len(folded) if end is None else at + len(wanted) - 1 + end.end()
        return folded[begin:stop].strip()
    folded = " ".join(text.split())
    return wanted if wanted in folded else None
