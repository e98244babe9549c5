"""Documents that are wrong in one place are refused in one line, by the audit and by the kernel alike."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import privref
from privref.ledger.documents import digest

Document = dict[str, Any]


def record(partition: Document, **event: Any) -> Document:
    guarantee = {"kind": "output-dp", "partition": partition, "delta": "0"}
    return {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": [{"guarantee": guarantee, **event}],
    }  # fmt: skip


def certified(document: Document) -> Document:
    claims = privref.claims_from_document(
        {"schema": "claims.1", "claims": [{"id": "c", "epsilon": "9", "delta": "1/100"}]}
    )
    return copy.deepcopy(privref.certificates(privref.audit(privref.ledger_from_document(document), claims))["c"])


GOOD: dict[str, Document] = {
    "svt-count": {"rule": "svt-count", "eps1": "1", "eps2": "4", "c": 2},
    "ptr": {"rule": "ptr", "eps": "1/2"},
    "constant": {"rule": "constant", "cells": ["a", "b"], "eps": "1"},
    "iterations": {"rule": "iterations", "k": ["1", "5"], "E": ["1", "2"]},
}
BAD: dict[str, Document] = {
    "a list for a rule": {"rule": []},
    "an object for a rule": {"rule": {}},
    "no rule": {},
    "an unknown field": {**GOOD["ptr"], "x": "1"},
    "svt without c": {"rule": "svt-count", "eps1": "1", "eps2": "4"},
    "svt of a billion cells": {**GOOD["svt-count"], "c": 10**9},
    "svt of no cells": {**GOOD["svt-count"], "c": 0},
    "constant without cells": {"rule": "constant", "eps": "1"},
    "constant with a number of cells": {**GOOD["constant"], "cells": 5},
    "constant with a string of cells": {**GOOD["constant"], "cells": "ab"},
    "constant with lists for names": {**GOOD["constant"], "cells": [["a"]]},
    "constant with one cell twice": {**GOOD["constant"], "cells": ["a", "a"]},
    "constant with no cells": {**GOOD["constant"], "cells": []},
    "constant without eps": {"rule": "constant", "cells": ["a"]},
    "constant with a list for eps": {**GOOD["constant"], "eps": ["1"]},
    "iterations without E": {"rule": "iterations", "k": ["1"]},
    "iterations without k": {"rule": "iterations", "E": ["1"]},
    "iterations ragged": {**GOOD["iterations"], "E": ["1"]},
    "iterations with a string for k": {**GOOD["iterations"], "k": "12"},
    "iterations with lists in k": {**GOOD["iterations"], "k": [[1], [2]]},
    "iterations with null in E": {**GOOD["iterations"], "E": [None, "1"]},
    "iterations that fall": {**GOOD["iterations"], "k": ["5", "1"]},
    "iterations from 0": {**GOOD["iterations"], "k": ["0", "1"]},
}


@pytest.mark.parametrize("name", GOOD)
def test_a_rule_is_read_alike_by_the_audit_and_by_the_kernel(name: str) -> None:
    assert privref.verify(certified(record(GOOD[name]))).outcome == "verified"


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_rule_is_refused_by_the_audit(name: str) -> None:
    with pytest.raises(privref.InputError, match=r"^ledger\.events\[0\]\.guarantee\.partition"):
        privref.ledger_from_document(record(BAD[name]))


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_rule_is_refused_by_the_kernel(name: str) -> None:
    certificate = certified(record(GOOD["ptr"]))
    embedded = record(BAD[name])
    certificate["ledger"] |= {"document": embedded, "sha256": digest(embedded)}
    with pytest.raises(privref.InputError, match=r"^ledger\.events\[0\]\.guarantee"):
        privref.verify(certificate)
