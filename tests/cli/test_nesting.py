"""A document that nests too deeply is refused in one line, by every command that reads one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import privref
from privref.cli.main import main
from privref.ledger.documents import MOST_DEPTH
from privref.vectors.store import vectors

LEDGER = (
    '{"schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one", '
    '"parameters": "fixed-in-advance", "interaction": "sequential", "events": [DEEP]}'
)
PLAIN = LEDGER.replace("DEEP", '{"guarantee": {"kind": "pure-dp", "epsilon": "1"}}')
#: Of documents of 120 levels a library ended in a panic, beyond 200 Python in a RecursionError, then the parser.
LEVELS = (MOST_DEPTH + 1, 120, 200, 900, 100_000)


def objects(levels: int) -> str:
    return '{"a": ' * levels + "1" + "}" * levels


def arrays(levels: int) -> str:
    return "[" * levels + "]" * levels


def bases(levels: int) -> str:
    inner = '{"kind": "gaussian", "sigma": "1", "sensitivity": "1"}'
    outer = '{"kind": "subsampled", "sampling": "poisson", "rate": "1/100", "base": '
    return '{"mechanism": ' + outer * levels + inner + "}" * levels + "}"


#: A command, the text of the FILE that it reads, and what stands in the text's place for DEEP.
READ: dict[str, tuple[list[str], str, Callable[[int], str]]] = {
    "ledger, bases": (["audit", "FILE", "--claim", "1,0"], LEDGER, bases),
    "ledger, guarantee": (["audit", "FILE", "--claim", "1,0"], LEDGER.replace("DEEP", '{"guarantee": DEEP}'), objects),
    "replay": (["replay", "FILE", "--budget", "1,0"], LEDGER, bases),
    "compare": (["compare", "FILE", "--delta", "0"], LEDGER, bases),
    "claims": (["audit", "plain.json", "FILE"], '{"schema": "claims.1", "claims": DEEP}', arrays),
    "baseline": (
        ["audit", "plain.json", "--claim", "1,0", "--baseline", "FILE"],
        '{"schema": "baseline.1", "accepted": DEEP}',
        arrays,
    ),
    "settings": (["audit"], "[tool.privref]\nledger = DEEP\n", arrays),
    "inputs": (
        ["eval", "--batch", "FILE"],
        '{"samples": [{"id": "rogers2016/thm2.9.eps", "inputs": {"eps": DEEP}}]}',
        arrays,
    ),
    "answers": (["judge", "FILE"], json.dumps({"id": next(iter(vectors())), "answer": "DEEP"}), arrays),
    "certificate to Lean": (
        ["certify", "FILE", "--lean", "x.lean"],
        '{"schema": "certificate.2", "claim": DEEP}',
        objects,
    ),
    **{
        schema: (["verify", "FILE"], f'{{"schema": "{schema}", "claim": DEEP}}', objects)
        for schema in ("certificate.2", "relation-certificate.1", "attack-certificate.1", "unit-proof.1")
    },
}


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize("what", READ)
def test_what_nests_too_deeply_is_refused_in_one_line(
    what: str, levels: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, text, deep = READ[what]
    Path("plain.json").write_text(PLAIN)
    name = "pyproject.toml" if what == "settings" else "given.json"
    Path(name).write_text(text.replace('"DEEP"', "DEEP").replace("DEEP", deep(levels)))
    with pytest.raises(SystemExit) as ended:
        main([name if argument == "FILE" else argument for argument in arguments])
    out, err = capsys.readouterr()
    assert (ended.value.code, out, err.count("\n")) == (2, "", 1)
    assert "deep" in err or (what in ("settings", "answers"))
    assert len(err) < 400


@pytest.mark.parametrize("levels", LEVELS[:4])
def test_a_parsed_document_that_nests_too_deeply_is_refused(levels: int) -> None:
    """The door of Python, at which no parser stands."""
    deep: Any = "1"
    for _ in range(levels):
        deep = {"kind": "subsampled", "sampling": "poisson", "rate": "1/2", "base": deep}
    document = {**json.loads(PLAIN), "events": [{"mechanism": deep}]}
    circle: dict[str, Any] = {"schema": "claims.1"}
    circle["claims"] = [circle, circle]
    readers: list[tuple[Any, Any]] = [
        (privref.ledger_from_document, document),
        (privref.claims_from_document, {"schema": "claims.1", "claims": [deep]}),
        (privref.claims_from_document, circle),
        (privref.verify, {"schema": "certificate.2", "claim": deep}),
        (privref.verify_unit, {"schema": "unit-proof.1", "result": deep}),
    ]
    for reader, given in readers:
        with pytest.raises(privref.InputError, match="too deeply nested"):
            reader(given)


def test_what_nests_as_deeply_as_may_be_is_read_and_refused_for_what_it_is() -> None:
    """The limit is on the document: here the event's mechanism is what is wrong, said at its place."""
    with pytest.raises(privref.InputError, match="rates of nested samples multiply"):
        privref.ledger_from_document(json.loads(LEDGER.replace("DEEP", bases(MOST_DEPTH - 5))))
