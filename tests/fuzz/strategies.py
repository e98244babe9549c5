"""Small documents for the fuzzer: drawn from the package's own schemas, then changed in a place or two.

What a schema allows is drawn as the schema says, so that a field that is added to one is fuzzed from then on; what the
readers ask beyond the schemas is said here (``_mechanism``, ``_consistent``), so that most drawn documents are read.
Numbers are ordinary or extreme; malformed ones come in by ``mutated``.
"""

from __future__ import annotations

import copy
import json
from importlib.resources import files
from typing import Any

from hypothesis import strategies as st

import privref
from privref.ledger.model import FILTERS, ZCDP_FILTER
from privref.statements.theorems import THEOREMS

ORDINARY = ["0", "1", "2", "1/2", "1/10", "0.25", "3", "1e-6", "1e-9", "1/3", "10", "0x1.8p-3", "1/1000", "17.14"]
EXTREME = [
    "1e-3999", "1e3990", "9" * 4000, "1/" + "3" * 3990, "1." + "3" * 3990, "0x1p-1074", "1e-300", "1e300", "1e6", "5e6",
    "1e9", "400", "1.99e-8", "0.9999999999999999999999999", "1e12", "123456789", "1e-40", "1e20", "1000003/999983",
]  # fmt: skip
MALFORMED = [
    "-1", "nan", "", "1/0", "0x1p-1075", "0x1.00000000000007p0", "1e99999", "½", "1_0", " 1", "inf", "-0", "2e",
]  # fmt: skip
ORDINARY_DELTAS = ["0", "0", "1e-6", "1e-6", "1/100", "1e-9", "1/2", "0x1p-40"]
EXTREME_DELTAS = ["1e-300", "1e-3999", "0." + "9" * 3900, "1e-40", "1/" + "3" * 3990]
DELTAS = st.sampled_from(ORDINARY_DELTAS * 4 + EXTREME_DELTAS + ["1", "2", "-1"])
COUNTS = [1, 2, 3, 5, 10, 100, 1000]
HUGE_COUNTS = [10**5, 10**6, 10**9, 2**53 - 1]
WORDS = st.sampled_from(["a", "b", "t", "x y", "→", "\x1b[2J", "ptr", "svt-count", "[bold]", "a" * 200])
JUNK = st.sampled_from(
    [None, True, False, 0, -1, 5, 10**9, "", "x", "1", [], {}, [[]], {"": []}, ["1", 2], {"rule": []}, 10**3000]
).map(copy.deepcopy)  # a place that is changed again is not to change what is drawn later
NUMBERS = st.sampled_from(ORDINARY * 20 + EXTREME * 3 + MALFORMED)
WHOLES = st.sampled_from(COUNTS * 5 + HUGE_COUNTS + [0, -1, 2**53, 10**30])
#: Fields whose numbers have a domain of their own: ordinary values, and extreme ones.
FIELDS = {
    "delta": (ORDINARY_DELTAS, EXTREME_DELTAS),
    "delta_prime": (["1e-7", "1e-9", "1e-12"], ["1e-3999"]),
    "probability": (["3/4", "0.9", "2/3", "0.6"], ["0." + "9" * 3900, "1" + "0" * 30 + "1/2" + "0" * 31]),
    "outcomes": (["2", "3", "10"], ["1000000000"]),
    "shifts": (["1", "2", "-3", "1", "0"], ["1000", "-1000000", "1" + "0" * 300]),
    "order": (["2", "3/2", "10", "64"], ["1.0000000001", "1e9", "1e300"]),
    "mu": (["1/2", "1", "0.3", "0", "2"], EXTREME),
    "sigma": (["1", "2", "5", "10", "1/2"], EXTREME),
    "scale": (["1", "2", "5", "10", "1/2"], EXTREME),
    "sensitivity": (["1", "2", "1/2", "0"], EXTREME),
}  # fmt: skip
FIELDS |= {f"{name}_squared": FIELDS[name] for name in ("sigma", "sensitivity")}
#: Of each group a mechanism has one.
ONE_OF = (
    ("sigma", "sigma_squared"),
    ("sensitivity", "sensitivity_squared"),
    ("sensitivity", "shifts"),
    ("epsilon", "probability"),
)


def load(name: str) -> dict[str, Any]:
    """One of the package's schemas."""
    found: dict[str, Any] = json.loads(files("privref").joinpath("schemas", f"{name}.json").read_text("utf-8"))
    return found


class Drawn:
    """Values as a schema describes them; ``extreme`` is how many in a hundred are not ordinary."""

    def __init__(self, draw: Any, root: dict[str, Any], extreme: int) -> None:
        self.draw, self.root, self.extreme = draw, root, extreme
        self.theorems = [found.id for found in THEOREMS]

    def one_in(self, times: int) -> bool:
        return bool(self.draw(st.integers(1, times)) == times)

    def of(self, *found: Any) -> Any:
        return self.draw(st.sampled_from(found))

    def number(self, name: str) -> str:
        ordinary, extreme = FIELDS.get(name, (ORDINARY, EXTREME))
        return str(self.of(*(extreme if self.draw(st.integers(0, 99)) < self.extreme else ordinary)))

    def whole(self) -> int:
        return int(self.of(*(HUGE_COUNTS if self.draw(st.integers(0, 99)) < self.extreme else COUNTS)))

    def value(self, schema: dict[str, Any], name: str = "") -> Any:
        if "$ref" in schema:
            found: Any = self.root
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            if schema["$ref"].endswith("/parameter") and self.one_in(30):
                # As published; in ordinary numbers, for a verdict at both ends takes twice the time.
                return {"rounded": self.of("0.1", "2.5", "1e-6", "3", "0.30", "1")}
            if any(word in schema["$ref"] for word in ("number", "delta", "parameter")):
                return self.number(name)
            return self.value(found, name)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.of(*schema["enum"])
        branches = [part["then"] for part in schema.get("allOf", ()) if "then" in part]
        if branches:
            # The guard of an if-then is what the branch says of its kind.
            return self.value(self.of(*branches), name)
        if "oneOf" in schema and "properties" not in schema:
            return self.value(self.of(*schema["oneOf"]), name)
        return self._typed(schema, name)

    def _typed(self, schema: dict[str, Any], name: str) -> Any:
        match schema.get("type"):
            case "object":
                return self._object(schema, name)
            case "array":
                sizes = st.integers(max(1, schema.get("minItems", 0)), min(3, schema.get("maxItems", 3)))
                return [self.value(schema.get("items", {}), name) for _ in range(self.draw(sizes))]
            case "integer":
                return self.whole()
            case "boolean":
                return self.draw(st.booleans())
            case "string":
                return self._string(schema, name)
            case _:
                return self.draw(JUNK)

    def _string(self, schema: dict[str, Any], name: str) -> Any:
        pattern = schema.get("pattern", "")
        if "[0-9]+/[0-9]+" in pattern or name in ("lower", "upper", "delta", "epsilon", "delta_sum", "p", "q"):
            return self.number(name)
        if pattern == "^[0-9a-f]{64}$":
            return "0" * 64
        if name == "id":
            return self.of("a", "b", "c-1")
        if name in ("by", "filter"):
            return self.of(*self.theorems)
        if name == "statement":
            return self.of(*[found.id for found in privref.statements()])
        if name == "machine":
            return self.of(*privref.accountant_names())
        if name == "formula":
            return self.of("S1", "sqrt(2*S2*log(1/delta))", "S1/k", "exp(exp(S1))", "1/0", "((")
        return self.draw(WORDS)

    def _object(self, schema: dict[str, Any], name: str) -> Any:
        if name == "partition":
            return self._rule()
        known = schema.get("properties", {})
        required = set(schema.get("required", []))
        variants = [set(part.get("required", [])) for key in ("oneOf", "anyOf") for part in schema.get(key, [])]
        if variants:
            # The first is the plainest: a pair of epsilon and delta, a guarantee, cells.
            required |= variants[0] if self.one_in(2) else self.of(*variants)
        elsewhere = {key for variant in variants for key in variant}
        chosen = {
            key: self.value(part, key)
            for key, part in known.items()
            if key in required or (key not in elsewhere and self.one_in(3))
        }
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            keys = {"tuning": self.theorems, "orders": ["2", "3/2", "10", "64"]}.get(name, ["a", "b", "x y", "→"])
            for _ in range(self.draw(st.integers(1, 2))):
                chosen[self.of(*keys)] = self.value(more)
        if name == "inputs" and not known:
            chosen = self.draw(st.dictionaries(st.sampled_from(["eps", "k", "delta", "rho"]), NUMBERS, max_size=3))
        if name == "claim" and not known:
            claims = load("claims.1")
            chosen = Drawn(self.draw, claims, self.extreme).value(claims["$defs"]["claim"])
        self._mechanism(chosen, known)
        self._consistent(chosen)
        return chosen

    def _rule(self) -> dict[str, Any]:
        number, whole = self.number("epsilon"), self.whole()
        size = self.draw(st.integers(1, 3))
        return self.of(
            {"rule": "svt-count", "eps1": number, "eps2": self.number("epsilon"), "c": whole},
            {"rule": "ptr", "eps": number},
            {"rule": "constant", "cells": ["a", "b", "c"][:size], "eps": number},
            {"rule": "iterations", "k": [1, 5, whole + 5][:size], "E": [number, "1/2", "2"][:size]},
            {"rule": "capped-count", "base": number, "per": self.number("epsilon"), "cap": whole},
        )

    def _mechanism(self, chosen: dict[str, Any], known: dict[str, Any]) -> None:
        """One of the fields that say the same of a mechanism."""
        kind = chosen.get("kind")
        for group in ONE_OF if "attained" in known or kind == "randomized-response" else ():
            if all(key in known for key in group) and not ("shifts" in group and kind != "laplace"):
                for key in group:
                    chosen.pop(key, None)
                key = self.of(*group)
                chosen[key] = self.value(known[key], key)
        if kind == "four-outcome-randomized-response" and ("epsilon" in chosen) != ("delta" in chosen):
            chosen |= {"epsilon": self.number("epsilon"), "delta": self.number("delta")}

    def _consistent(self, chosen: dict[str, Any]) -> None:
        """What one field says of another, as a reader wants it, most of the time."""
        if self.one_in(20):
            return
        guarantee, mechanism = chosen.get("guarantee"), chosen.get("mechanism")
        bare = isinstance(mechanism, dict) and (mechanism["kind"] == "other" or len(mechanism) == 1)
        if isinstance(mechanism, dict) and not guarantee and (bare or self.one_in(3)):
            guarantee = chosen["guarantee"] = self.value(self.root["$defs"]["guarantee"])
        if "observed_cell" in chosen:
            cells = guarantee.get("cells") if isinstance(guarantee, dict) else None
            chosen.pop("decision", None)
            if cells:
                chosen["observed_cell"] = self.of(*sorted(cells))
            else:
                del chosen["observed_cell"]
        if "selected" in chosen and not (isinstance(guarantee, dict) and guarantee.get("kind") == "pure-dp"):
            del chosen["selected"]
        if "best_of" in chosen:
            chosen.pop("selected", None)
            wanted = ("mean",) if chosen["best_of"]["trials"] == "poisson" else ("eta", "gamma")
            values = {"mean": "5/2", "eta": "1/2", "gamma": "1/9", **chosen["best_of"]}
            chosen["best_of"] = {key: values[key] for key in ("trials", *wanted)}
        if {"released", "best_of"} <= set(chosen) or (
            "released" in chosen and (not isinstance(mechanism, dict) or "selected" in chosen)
        ):
            del chosen["released"]
        for event in chosen["events"] if "privacy_unit" in chosen else ():
            # Two events in three are of no part; the others' partitions have their keys.
            if isinstance(event, dict) and "part" in event:
                if self.one_in(3):
                    chosen.setdefault("partitions", {})[event["part"]["of"]] = "by region"
                else:
                    del event["part"]
        if "filter" in chosen:
            if (chosen["filter"] == ZCDP_FILTER) != ("rho" in chosen):
                chosen["filter"] = ZCDP_FILTER if "rho" in chosen else self.of(*(set(FILTERS) - {ZCDP_FILTER}))
            if not FILTERS.get(chosen["filter"]) or chosen.get("delta", "0") == "0":
                chosen.pop("delta_prime", None)
        elif "privacy_unit" not in chosen and "reading" not in chosen:
            chosen.pop("delta_prime", None) if "rho" in chosen or "epsilon" in chosen else None
        if not chosen.get("tuning", True):
            del chosen["tuning"]
        if "claims" in chosen:
            for i, claim in enumerate(chosen["claims"]):
                claim["id"] = f"c{i}"
                if "after_event" in claim:
                    claim["after_event"] = self.of(0, 1, 1, 2)
                elif self.draw(st.integers(0, 2)):
                    claim.pop("by", None)
                for key in ("units", "periods"):
                    if key in claim and not self.one_in(3):
                        del claim[key]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a document, itself apart."""
    found = []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        found += [(*path, key), *places(part, (*path, key))]
    return found


def mutated(draw: Any, document: Any, most: int = 2) -> Any:
    """The document with one place, or up to so many, changed, taken away, doubled or added to."""
    document = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, most))):
        paths = places(document)
        if not paths:
            return draw(JUNK)
        # The deeper of two: a wrong name at the top is refused before anything else is read.
        *above, last = max((draw(st.sampled_from(paths)) for _ in range(2)), key=len)
        parent = document
        for key in above:
            parent = parent[key]
        # A place keeps its kind most of the time, so that what it changes is the question and not its form.
        number = ["number"] * 6 if isinstance(parent[last], str) else []
        whole = ["whole"] * 6 if type(parent[last]) is int else []
        match draw(st.sampled_from(["junk", "number", "whole", "away", "more", "double", *number, *whole])):
            case "junk":
                parent[last] = draw(JUNK)
            case "number":
                parent[last] = draw(NUMBERS)
            case "whole":
                parent[last] = draw(WHOLES)
            case "away":
                del parent[last]
            case "more" if isinstance(parent, dict):
                parent[draw(WORDS)] = draw(JUNK)
            case "double" if isinstance(parent, list):
                parent.append(copy.deepcopy(parent[last]))
    return document


@st.composite
def documents(draw: Any, schema: str) -> Any:
    """A document of one schema; one in three has a mistake or two."""
    root = load(schema)
    found = Drawn(draw, root, draw(st.sampled_from([0, 0, 5, 25]))).value(root)
    return found if draw(st.integers(0, 2)) else mutated(draw, found)


@st.composite
def inputs(draw: Any) -> tuple[str, dict[str, Any]]:
    """A statement and inputs of the shapes that it takes."""
    found = draw(st.sampled_from(privref.statements()))
    some = Drawn(draw, {}, draw(st.sampled_from([0, 5, 25])))

    def number(name: str) -> str:
        return some.number("delta" if name.startswith("delta") else name)

    def shaped(shape: str, name: str) -> Any:
        match shape:
            case "whole":
                return some.whole()
            case "wholes":
                return [some.whole() for _ in range(draw(st.integers(1, 3)))]
            case "sequence":
                return [number(name) for _ in range(draw(st.integers(1, 3)))]
            case "multiset":
                entries = [number(name) for _ in range(draw(st.integers(1, 3)))]
                return [{"value": entry, "count": some.whole()} if some.one_in(2) else entry for entry in entries]
            case _:
                return number(name)

    given = {
        param.name: draw(st.sampled_from(param.options)) if param.options else shaped(param.shape, param.name)
        for param in found.params
    }
    return found.id, given if draw(st.integers(0, 3)) else mutated(draw, given, 1)
