"""Every output document has a shipped JSON Schema with a URN as ``$id``, and what the commands print is valid."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from referencing import Registry, Resource

import privref
from privref.cli.main import main
from privref.ledger.documents import NAMESPACE

EXAMPLES = Path(str(files("privref").joinpath("examples")))
SCHEMAS = sorted(Path(str(files("privref").joinpath("schemas"))).glob("*.json"))

ATTACKED = ("--delta", "1/4", "--format", "json")
COMMANDS = {
    "audit.1": ("audit", "--example", "census2020", "--format", "json"),
    "diagnosis.1": ("doctor", "--format", "json"),
    "card.1": ("explain", "rogers2016/lem2.3.corrected", "--format", "json"),
    "statements.1": ("explain", "--format", "json"),
    "attack.1": ("attack", "natural-filter", "--menu", "log(2)", "--rounds", "2", "--epsilon", "log(2)", *ATTACKED),
    "comparison.1": ("compare", str(EXAMPLES / "odp_interaction.json"), "--delta", "1e-6", "--format", "json"),
    "errata.1": ("errata", "--format", "json"),
    "vectors-list.1": ("vectors", "list", "--format", "json"),
    "replay.1": ("replay", str(EXAMPLES / "odp_interaction.json"), "--budget", "1,1e-6", "--format", "json"),
    "calibration.1": ("calibrate", "basic-filter", "--budget", "1,1e-6", "--rounds", "3", "--format", "json"),
    "table.1": ("tables", "--format", "json"),
}


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(files("privref").joinpath("schemas", f"{name}.json").read_text("utf-8")))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert ended.value.code in (0, 1, 3, 4), err
    return out


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
def test_every_schema_is_one_and_says_where_it_lives(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{NAMESPACE}:schema:{path.stem}"
    assert schema["title"]


def references(value: Any) -> Iterator[str]:
    """Yield every ``$ref`` of a schema."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from references(each)


def test_every_reference_of_a_schema_leads_to_a_place_in_the_distribution() -> None:
    shipped: Registry[Any] = Registry().with_resources(
        (f"{NAMESPACE}:schema:{path.stem}", Resource.from_contents(json.loads(path.read_text(encoding="utf-8"))))
        for path in SCHEMAS
    )
    seen = 0
    for path in SCHEMAS:
        resolver = shipped.resolver(f"{NAMESPACE}:schema:{path.stem}")
        for reference in references(json.loads(path.read_text(encoding="utf-8"))):
            resolver.lookup(reference)
            seen += 1
    assert seen > 50


def test_nothing_that_is_shipped_names_a_host_that_stands_for_another() -> None:
    package = Path(str(files("privref")))
    texts = {path: path.read_text("utf-8") for path in package.rglob("*") if path.suffix in (".py", ".json", ".md")}
    assert len(texts) > 400
    assert not [path for path, text in texts.items() if re.search(r"://[^/\s\"]*\.(example|invalid|test)\b", text)]


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_prints_is_valid(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run(capsys, *COMMANDS[name]))
    validator(name).validate(document)
    assert "schema" not in document or document["schema"] == name


def test_an_audit_with_every_part_is_valid_and_a_changed_one_is_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A refutation, a premise, a declared budget, hints; then one field too many, and one number as a float."""
    documents = []
    for rows, claim in (
        ("epsilon,delta\n1.7,0", "1.7,0"),
        ("rho,count\n0.03943,65", "17.1,1e-10"),
        ("rho\n2", "1,1e-9"),
    ):
        ledger = tmp_path / "ledger.csv"
        ledger.write_text(rows)
        words = ("audit", str(ledger), "--claim", claim, "--format", "json")
        documents.append(json.loads(run(capsys, *words, *(("--parameters", "fixed-in-advance") * ("rho" in rows)))))
    verdicts = {document["opinions"][0]["verdict"] for document in documents}
    assert verdicts == {"conditional", "underivable", "unsupported"}
    for document in documents:
        validator("audit.1").validate(document)
    changed: dict[str, Any] = json.loads(json.dumps(documents[0]))
    changed["opinions"][0]["surprise"] = 1
    with pytest.raises(ValidationError):
        validator("audit.1").validate(changed)
    changed = json.loads(json.dumps(documents[-1]))
    changed["opinions"][0]["margin"]["lower"] = 0.5
    with pytest.raises(ValidationError):
        validator("audit.1").validate(changed)


def test_answers_verifications_and_judgements_are_valid(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    answer = json.loads(run(capsys, "eval", "cks2020/zcdp2dp.eps", '{"rho": "1/2", "delta": "0"}'))
    validator("answer.1").validate(answer)
    answer = json.loads(run(capsys, "eval", "cks2020/zcdp2dp.eps", '{"rho": "1/2", "delta": "1e-6"}'))
    validator("answer.1").validate(answer)
    with pytest.raises(ValidationError):
        validator("answer.1").validate({"id": answer["id"], "inputs": answer["inputs"]})

    folder = tmp_path / "certificates"
    run(capsys, "audit", "--example", "census2020", "--certificates", str(folder))
    out = run(capsys, "verify", str(folder / "published.json"), "--format", "json")
    validator("verification.1").validate(json.loads(out))

    cases = [vector for vector in privref.golden_vectors().values() if vector.statement == "cks2020/zcdp2dp.eps"]
    lines = [json.dumps({"id": vector.id, "answer": "1"}) for vector in cases]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines))
    document = json.loads(run(capsys, "judge", str(tmp_path / "answers.jsonl"), "--format", "json"))
    assert document["counts"]["unsound"]
    validator("judgement.2").validate(document)
