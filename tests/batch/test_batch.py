"""The batch audit: the verdict on each unit is that of ``privref audit`` on the ledger that its events make."""

from __future__ import annotations

import io
import json
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from rich.console import Console

import privref
from privref.audit.opinions import exit_code_of
from privref.audit.summary import premise_words
from privref.batch.verdicts import SEVERITY
from privref.cli.main import main

from .conftest import CLAIMS, KEY, META, Batch, rows

CHOSEN = {**META, "parameters": "chosen-adaptively"}
HEADER = "person,kind,epsilon,delta,rho,mu,count,decision\n"


def random_events(seed: int, units: int, events: int) -> list[dict[str, str]]:
    """Events of all kinds that columns can say, as text."""
    rng = random.Random(seed)
    kinds = [
        {"kind": "pure-dp", "epsilon": "0.1"},
        {"kind": "approx-dp", "epsilon": "1/20", "delta": "1e-9"},
        {"kind": "zcdp", "rho": "0.01", "delta": "0"},
        {"kind": "gaussian-dp", "mu": "1/4"},
        {"kind": "bounded-range", "epsilon": "0.3"},
        {"kind": "", "epsilon": "0.10", "delta": "0"},
        {"kind": "pdp", "epsilon": "1e-1", "delta": "0.000000001"},
    ]
    columns = ("kind", "epsilon", "delta", "rho", "mu")
    return [
        {
            "person": f"p{rng.randrange(units)}",
            **dict.fromkeys(columns, ""),
            **rng.choice(kinds),
            "count": str(rng.choice([1, 1, 3])),
            "decision": rng.choice(["", "", "continue"]),
        }
        for _ in range(events)
    ]


def csv_of(events: list[dict[str, str]]) -> str:
    return HEADER + "".join(",".join(event.values()) + "\n" for event in events)


def ledger_by_hand(events: list[dict[str, str]], unit: str, shared: dict[str, Any]) -> dict[str, Any]:
    """The ledger of one unit, made without the batch: an event for each of its rows."""
    found = []
    for event in events:
        if event["person"] == unit:
            kind = event["kind"] or "approx-dp"
            only = {"pure-dp": "epsilon", "bounded-range": "epsilon", "zcdp": "rho delta", "gaussian-dp": "mu"}
            names = only.get(kind, "epsilon delta")
            guarantee = {"kind": kind, **{name: event[name] for name in names.split()}}
            found.append({"guarantee": guarantee, "count": int(event["count"])})
            if event["decision"]:
                found[-1]["decision"] = event["decision"]
    return {**shared, "events": found}


@pytest.mark.parametrize(
    ("shared", "budget"),
    [
        (META, None),
        (CHOSEN, None),
        (CHOSEN, {"epsilon": "1", "delta": "1e-6", "filter": "cks2020/zcdp2dp"}),
    ],
    ids=["fixed", "adaptive", "filtered"],
)
@pytest.mark.parametrize("best", [False, True], ids=["first", "best"])
def test_every_verdict_is_the_audits(
    run: Batch, tmp_path: Path, shared: dict[str, Any], budget: Any, best: bool
) -> None:
    """No hindsight: where parameters were chosen on the way a unit has the filter of the sidecar, and no other."""
    shared = shared if budget is None else {**shared, "budget": budget}
    events = random_events(7, 6, 15)
    summary = run(csv_of(events), ledger=shared, best=best)
    assert summary["bounds"] == ("best" if best else "first")
    found = {row["unit"]: row for row in rows(tmp_path / "out")}
    assert set(found) == {event["person"] for event in events}
    assert summary["units"] == len(found)
    claims = privref.claims_from_document(CLAIMS)
    for unit, row in found.items():
        ledger = privref.ledger_from_document(ledger_by_hand(events, unit, shared))
        (opinion,) = privref.audit(ledger, claims).opinions
        assert row["verdict"] == opinion.verdict
        shown = opinion.deciding or next((b for b in opinion.bounds if b.enclosure is not None), None)
        if shown is None or shown.enclosure is None:
            assert row["theorem"] is row["upper"] is None
            continue
        if best:
            assert row["theorem"] == shown.application.by
            assert (row["lower"], row["upper"]) == shown.enclosure.decimals(20)
        else:
            # What another theorem gives is a bound too, and where it decides at most the claim.
            (shown,) = (each for each in opinion.bounds if each.application.by == row["theorem"])
            assert shown.enclosure is not None
            assert Fraction(row["lower"]) <= shown.enclosure.upper
            assert shown.enclosure.lower <= Fraction(row["upper"])
            assert row["verdict"] != "confirmed" or Fraction(row["upper"]) <= 1
        ends = Fraction(row["lower_double"]), Fraction(row["upper_double"])
        assert ends[0] <= Fraction(row["lower"]) <= Fraction(row["upper"]) <= ends[1]
    counts = summary["verdicts"]["one"]
    assert sum(counts.values()) == len(found)
    assert privref.batch_exit_code(summary) == exit_code_of(set(counts))


def test_a_units_digest_is_that_of_the_ledger_that_privref_audit_reads(run: Batch, tmp_path: Path) -> None:
    """The ledger in the output has the digest in the unit's row, and is read by ``privref audit``."""
    run(csv_of(random_events(8, 4, 10)))
    ledgers = parquet.read_table(tmp_path / "out" / "ledgers.parquet").to_pylist()
    read = {privref.ledger_from_document(json.loads(row["ledger"])).digest for row in ledgers}
    assert read == {row["ledger_sha256"] for row in rows(tmp_path / "out")} == {row["ledger_sha256"] for row in ledgers}


def test_equal_multisets_are_audited_once(run: Batch) -> None:
    """However they are ordered, spelled and counted."""
    text = (
        "person,epsilon,delta,count\na,0.1,0,2\na,1/4,1e-9,1\nb,0.25,0.000000001,1\nb,1/10,0,1\nb,0.10,0.0,1\n"
        "c,1/4,1e-9,1\nc,0x1p-2,1e-9,1\n"
    )
    assert run(text)["distinct_ledgers"] == 2


SPELLINGS = ["Zürich", "Zürich ", "\u3000Zu\u0308rich", "Zu\u0308rich\n"]


def test_a_unit_is_one_in_all_spellings_of_its_name(run: Batch, tmp_path: Path) -> None:
    """Its events are one ledger, which loses what all of them lose."""
    events = pa.table({"person": [*SPELLINGS, "Basel"], "epsilon": ["1/4"] * 5})
    summary = run(events)
    assert summary["units"] == 2
    assert summary["premises"] == ["2 unit(s) are different ones, by their names"]
    assert {row["unit"]: round(float(row["upper"]), 4) for row in rows(tmp_path / "out")} == {
        "Zürich": 1,
        "Basel": 0.25,
    }
    for name in SPELLINGS:
        proof = privref.unit_proof(tmp_path / "out", name, KEY)
        assert proof["unit"] == "Zürich"
        assert privref.verify_unit(proof, summary["merkle_root"]).outcome == "verified"


def test_two_events_of_one_unit_have_two_places(run: Batch) -> None:
    events = pa.table({"person": ["Zürich", "Zu\u0308rich "], "epsilon": ["1", "1"], "place": [1, 1]})
    with pytest.raises(privref.InputError, match=r"unit Zürich, place.*two events have this place"):
        run(events, ordered_by="place")


def test_units_that_look_alike_may_be_declared_different(run: Batch, tmp_path: Path) -> None:
    """The verdict then says on what it rests."""
    summary = run(pa.table({"person": ["ada", "Ada", "b", "ü"], "epsilon": ["1"] * 4}), different_units=True)
    assert summary["units"] == 4
    said = "units whose names look alike are declared to be different: 'Ada' and 'ada'"
    assert summary["premises"][1] == said
    text = io.StringIO()
    Console(file=text, width=200).print(privref.report.batch_report(summary))
    assert f"premise: {said}" in text.getvalue()


def test_what_the_verdicts_rest_on_is_said(run: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As audits of the units say it, whether sums decide or an audit does; each once, and not too many."""
    shared = {**META, "period": "day"}
    events = "person,epsilon,rho\na,0.1,\nb,0.2,\nc,,0.001\nd,9,\n"
    summary = run(events, ledger=shared)
    ledger = {**shared, "events": [{"guarantee": {"kind": "zcdp", "rho": "0.001"}}]}
    (opinion,) = privref.audit(privref.ledger_from_document(ledger), privref.claims_from_document(CLAIMS)).opinions
    assert summary["premises"][1:] == [premise_words(opinion)] == ["the claim speaks of one day's data of a unit"]
    found = parquet.read_table(tmp_path / "out" / "verdicts.parquet").column("premises").to_pylist()
    assert found == summary["premises"][1:] * 4
    monkeypatch.setattr("privref.batch.run.MOST_PREMISES", 0)
    again = run(events, ledger=shared, output=tmp_path / "again")
    assert again["premises"][1:] == ["and more, which verdicts.parquet has for each ledger"]


def test_many_names_of_units_are_compared(run: Batch, tmp_path: Path) -> None:
    """Each with those that share its key, of names of ASCII and of others."""
    many = [f"county {i:05d}" for i in range(3000)]
    for more in ([], ["ü"]):
        table = pa.table({"person": [*many, *more], "epsilon": ["1"] * (3000 + len(more))})
        assert run(table, output=tmp_path / f"out{len(more)}")["units"] == 3000 + len(more)
    for other in ("COUNTY 02999", "county O2999", "c\u043eunty 02999"):
        table = pa.table({"person": [*many, other], "epsilon": ["1"] * 3001})
        with pytest.raises(privref.InputError, match=r"looks like .(COUNTY|county) 0"):
            run(table, output=tmp_path / "none")


def test_numbers_may_be_text_integers_decimals_or_numerators_and_denominators(run: Batch, tmp_path: Path) -> None:
    """A decimal column is exact, and so are two of integers: all make the ledger that text makes."""
    forms = [
        {"epsilon": pa.array(["0.125", "0.2"])},
        {"epsilon": pa.array([Decimal("0.125"), Decimal("0.200")], pa.decimal128(20, 3))},
        {"epsilon_numerator": pa.array([1, 1]), "epsilon_denominator": pa.array([8, 5])},
        {"eps": pa.array(["1/8", "1/5"]).dictionary_encode()},
    ]
    digests = set()
    for i, form in enumerate(forms):
        run(pa.table({"person": pa.array([3, 3]), **form}), output=tmp_path / f"out{i}")
        digests |= {row["ledger_sha256"] for row in rows(tmp_path / f"out{i}")}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"person": ["a"], "epsilon": [0.1]}, "events column epsilon: privref rejects 'double': floats are not exact"),
        ({"person": ["a"], "epsilon": ["1"], "spent": ["2"]}, "events column: privref rejects 'spent'"),
        ({"person": ["a"], "epsilon_numerator": [1]}, "give epsilon once"),
        ({"person": ["a"], "label": ["x"]}, "give the columns epsilon"),
        ({"persons": ["a"], "epsilon": ["1"]}, "--unit: privref rejects 'person': did you mean persons?"),
        ({"person": ["a", None], "epsilon": ["1", "1"]}, "1 row(s) name no unit"),
        ({"person": [" \t"], "epsilon": ["1"]}, "a name that can be seen"),
        ({"person": ["ada\u200b"], "epsilon": ["1"]}, "U+200B ZERO WIDTH SPACE, which does not show"),
        ({"person": ["b", "ad\u202ea"], "epsilon": ["1", "1"]}, "does not show"),
        ({"person": ["ada", "Ada"], "epsilon": ["1", "1"]}, "looks like 'Ada' (they differ only by case)"),
        ({"person": ["ada", "\u0430da"], "epsilon": ["1", "1"]}, "U+0430 CYRILLIC SMALL LETTER A); if both are one"),
        ({"person": ["user 1O", "user 10"], "epsilon": ["1", "1"]}, "by --different-units"),
        ({"person": [0.5], "epsilon": ["1"]}, "a unit is named by text or by an integer"),
        ({"person": ["a"], "epsilon": ["1"], "eps": ["1"]}, "two columns mean epsilon"),
        ({"person": ["a"], "epsilon": ["1"], "count": [1.0]}, "floats are not exact"),
    ],
)
def test_columns_that_are_not_clear_are_refused(run: Batch, tmp_path: Path, table: dict[str, Any], words: str) -> None:
    with pytest.raises(privref.InputError) as refused:
        run(pa.table(table))
    assert words in str(refused.value)
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob(".out*"))


BAD = (
    "person,epsilon,delta,count,kind\na,0.1,0,1,\nb,zero,2,1,\nc,0.1,,1,\na,0.1,0,1.5,\nd,-1,0,1,\ne,0.1,0,1,zcdp\n"
    'f,0.1,0,1,pate\ng,0.1,0,,\nh,"1\x1f",0,1,\ni,1/0,0,1,\nj,0.1,0,1,rdp\n'
)


def test_bad_rows_are_refused_all_together_with_their_places(run: Batch, tmp_path: Path) -> None:
    """Each wrong cell of each row; an empty delta is no 0, and a kind that is not listed is a bad row."""
    with pytest.raises(privref.InputError) as refused:
        run(BAD)
    places = [error.field for error in refused.value.errors]  # type: ignore[attr-defined]
    assert places == [
        "events row 2.epsilon", "events row 2.delta", "events row 3.delta", "events row 4.count",
        "events row 5.epsilon", "events row 6.rho", "events row 6.epsilon", "events row 7.kind", "events row 8.count",
        "events row 9.epsilon", "events row 10.epsilon", "events row 11.kind",
    ]  # fmt: skip
    assert not (tmp_path / "out").exists()


def test_quarantine_takes_the_unit_out_of_scope_and_not_the_row_out_of_the_unit(run: Batch, tmp_path: Path) -> None:
    """What is left of a unit without its bad rows is no ledger of it: a verdict on that would be a false one."""
    summary = run(BAD, quarantine=tmp_path / "bad.csv")
    verdicts = {row["unit"]: row["verdict"] for row in rows(tmp_path / "out")}
    assert verdicts == dict.fromkeys("abcdefghij", "out-of-scope")
    assert summary["quarantined"] == {"rows": 10, "units": 10}
    written = (tmp_path / "bad.csv").read_text().splitlines()
    assert len(written) == 11
    assert written[2].startswith("events row 3,c,")
    clean = run("person,epsilon\na,0.1\n", quarantine=tmp_path / "none.csv", output=tmp_path / "clean")
    assert clean["quarantined"] == {"rows": 0, "units": 0}
    assert {row["verdict"] for row in rows(tmp_path / "clean")} == {"confirmed"}


def test_what_a_batch_can_not_decide_is_refused(run: Batch, tmp_path: Path) -> None:
    remaining = {"id": "left", "epsilon": "1", "delta": "0", "remaining": {"epsilon": "0", "delta": "0"}}
    with pytest.raises(privref.InputError, match="have no order"):
        run("person,epsilon\na,0.1\n", claims={"schema": "claims.1", "claims": [remaining]})
    attacked = {"kind": "one-run", "canaries": 1000, "guesses": 100, "right": 95, "confidence": "0.95"}
    for name, given in (("events", []), ("evidence", [attacked]), ("together", [{"title": "a", "sha256": "a" * 64}])):
        with pytest.raises(privref.InputError, match=f"^ledger.{name} is given: .*leave (it|them) out here"):
            run("person,epsilon\na,0.1\n", ledger={**META, name: given})
    (tmp_path / "out").mkdir()
    with pytest.raises(privref.InputError, match="this exists"):
        run("person,epsilon\na,0.1\n")


def test_a_halted_event_did_not_run(run: Batch, tmp_path: Path) -> None:
    """And says that parameters depended on the answers, as in a single audit."""
    run("person,epsilon,decision\na,0.5,\na,9,halt\nb,0.5,\n")
    found = {row["unit"]: row["verdict"] for row in rows(tmp_path / "out")}
    assert found == {"a": "conditional", "b": "confirmed"}


def test_the_worst_come_first(run: Batch) -> None:
    summary = run("person,epsilon\na,0.5\nb,7\nc,8\nd,0.25\n")
    assert [row["unit"] for row in summary["worst"]] == ["c", "b", "a", "d"]
    assert summary["verdicts"] == {"one": {"confirmed": 2, "underivable": 2}}
    assert list(SEVERITY)[-1] == "confirmed"


def test_several_claims_and_a_table_of_csv(run: Batch, tmp_path: Path) -> None:
    two = {"schema": "claims.1", "claims": [*CLAIMS["claims"], {"id": "rho", "rho": "1/8"}]}
    summary = run("person,epsilon\nb,0.5\na,0.6\n", claims=two, table="csv")
    lines = (tmp_path / "out" / "units.csv").read_text().splitlines()
    assert [line.split(",")[:3] for line in lines[1:]] == [
        ['"a"', '"one"', '"confirmed"'], ['"a"', '"rho"', '"unsupported"'],
        ['"b"', '"one"', '"confirmed"'], ['"b"', '"rho"', '"confirmed"'],
    ]  # fmt: skip
    assert summary["units"] == 2


#: Five ledgers and more, which cost next to nothing: what is shown where a run is killed depends on no guarantee.
PLAIN = "person,epsilon\n" + "".join(f"p{i},0.{i}\n" for i in range(1, 8))

FORKING = """
import json, os, signal, sys, traceback
import ibis.backends.duckdb, pandas, pyarrow.parquet
import privref.batch.run as batch
from privref.batch import verdicts
real = verdicts.audit_ledgers

def dies(left):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1

def dies_at(name, given):
    if name and os.path.basename(given[1]) == name:
        os.kill(os.getpid(), signal.SIGKILL)

def run(renames, parts, at_once, before, **asked):
    renames, parts = [renames], [parts]
    batch.KEYS_AT_ONCE = batch.LEDGERS_AT_ONCE = at_once
    if parts[0] >= 0:
        verdicts.audit_ledgers = lambda *given: (dies(parts), real(*given))[1]
    sys.addaudithook(lambda event, given: (dies(renames), dies_at(before, given)) if event == "os.rename" else None)
    batch.audit_batch(**asked, key=b"a secret of this test only", workers=1)

for line in sys.stdin:
    pid = os.fork()
    if not pid:
        os.dup2(2, 1)
        try:
            run(**json.loads(line))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@contextmanager
def forking(source: Path, engine: str = "duckdb") -> Iterator[Callable[..., int]]:
    """Runs of a batch in children of one process, which has imported what they need; their exit codes.

    A run is killed after it audited `parts` parts, after it gave `renames` names, or before it gives the name `before`:
    a file is written under another name first, so that the last byte of it is written then.
    """
    shared = {"events": str(source), "unit": "person", "ledger": META, "claims": CLAIMS, "engine": engine}
    command = [sys.executable, "-c", FORKING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def start(output: Path, renames: int = -1, parts: int = -1, at_once: int = 4, before: str = "") -> int:
            own = {"output": str(output), "renames": renames, "parts": parts, "at_once": at_once, "before": before}
            asked = {**shared, **own}
            print(json.dumps(asked), file=process.stdin, flush=True)
            return int(process.stdout.readline())

        yield start


def test_a_run_that_is_killed_is_continued_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    """The second run audits only what is left; the output is that of a run that was not interrupted."""
    source = tmp_path / "events.csv"
    source.write_text(PLAIN)
    with forking(source) as start:
        assert start(tmp_path / "out", parts=2, at_once=2) == -signal.SIGKILL
        assert not (tmp_path / "out").exists()
        kept = sorted((tmp_path / ".out.partial" / "verdicts").glob("part-*.parquet"))
        assert len(kept) == 2
        stamps = [path.stat().st_mtime_ns for path in kept]
        assert start(tmp_path / "out", parts=0, at_once=2) == -signal.SIGKILL
        assert [path.stat().st_mtime_ns for path in kept] == stamps
        assert start(tmp_path / "out", parts=2, at_once=2) == 0
        assert not (tmp_path / ".out.partial").exists()
        assert start(tmp_path / "whole", at_once=2) == 0
    for path in sorted((tmp_path / "whole").iterdir()):
        assert path.read_bytes() == (tmp_path / "out" / path.name).read_bytes(), path.name


def killed_at_each_name(source: Path, output: Path) -> int:
    """Run a batch that is killed before each name that it gives to a file, and continued; how often it was killed."""
    partial, killed, renames, before = output.with_name(f".{output.name}.partial"), 0, 0, None
    with forking(source) as start:
        while (code := start(output, renames=renames)) != 0:
            assert code == -signal.SIGKILL
            killed += 1
            assert killed < 99
            if output.exists():
                break
            # The last two names are given anew by every run: the summary's, and the output's.
            names = {path.name for path in partial.rglob("*")}
            renames = 1 + (names == before)
            before = names
            for path in partial.rglob("*.parquet"):
                if path.name[0] != "." and path.is_file():
                    parquet.read_metadata(path)
    return killed


def test_a_run_that_is_killed_wherever_a_file_is_finished_loses_nothing(run: Batch, tmp_path: Path) -> None:
    """Each time it goes on by one file; in the end there is the output of a run that was not interrupted."""
    run(PLAIN, output=tmp_path / "whole")
    assert killed_at_each_name(tmp_path / "events.csv", tmp_path / "out") >= 10
    for path in sorted((tmp_path / "whole").iterdir()):
        assert path.read_bytes() == (tmp_path / "out" / path.name).read_bytes(), path.name


def test_stages_that_are_half_removed_are_never_continued(
    run: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed while it clears up after a finished run, a batch must not go on from what happens to be left."""
    events = csv_of(random_events(4, 5, 9))
    first = run(events)
    whole = (tmp_path / "out" / "units.parquet").read_bytes()
    shutil.rmtree(tmp_path / "out")

    class Killed(BaseException):
        pass

    removed: list[Path] = []
    real = shutil.rmtree

    def dies(path: Path, **more: Any) -> None:
        if removed:
            raise Killed
        removed.append(path)
        real(path, **more)

    monkeypatch.setattr("shutil.rmtree", lambda path, **more: (dies if path.name in STAGES else real)(path, **more))
    with pytest.raises(Killed):
        run(events)
    assert removed
    assert (tmp_path / ".out.partial").exists()
    monkeypatch.undo()
    real(tmp_path / "out")
    assert run(events) == first
    assert (tmp_path / "out" / "units.parquet").read_bytes() == whole
    assert not (tmp_path / ".out.partial").exists()


#: Folders of a run whose parts belong together.
STAGES = ("spelled", "verdicts", "scratch")


def test_a_full_disk_is_told_in_a_line_and_what_is_done_is_kept(
    run: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a limit on the size of files, which every writer meets as it would meet the end of a disk."""
    import resource

    monkeypatch.chdir(tmp_path)
    Path("meta.json").write_text(json.dumps(META))
    rng = random.Random(1)
    rows_ = [f"p{i % 3000},{rng.choice(('0.05', '0.1', '1/5'))}" for i in range(9000)]
    Path("events.csv").write_text("person,epsilon\n" + "\n".join(rows_) + "\n")
    words = ["audit-batch", "events.csv", "--unit", "person", "--ledger", "meta.json", "--claim", "1,1e-6"]
    words += ["--output", "out", "--workers", "1"]
    # Python does not notice that the limit cuts off the bytecode of a module that is imported under it.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    refused = 0
    for most in (1 << 9, 1 << 13, 1 << 15, 1 << 16, 1 << 17):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
        try:
            with pytest.raises(SystemExit) as ended:
                main(words)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        _, err = capsys.readouterr()
        if Path("out").exists():
            break
        assert (ended.value.code, err.count("\n")) == (2, 1), err
        assert "--output: privref rejects 'out'" in err
        assert "give the command again" in err
        refused += 1
    assert refused >= 2
    with pytest.raises(SystemExit):
        main(words)
    assert Path("out/batch.json").exists()
    assert json.loads(Path("out/batch.json").read_text())["units"] == 3000


def test_other_input_starts_clean_and_two_runs_do_not_meet(run: Batch, tmp_path: Path) -> None:
    stale = tmp_path / ".out.partial"
    stale.mkdir()
    (stale / "run.json").write_text("another run")
    (stale / "grouped.stage").write_text("of another run")
    assert run("person,epsilon\na,0.1\n")["units"] == 1
    foreign = tmp_path / ".other.partial"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("mine")
    with pytest.raises(privref.InputError, match="in the way"):
        run("person,epsilon\na,0.1\n", output=tmp_path / "other")
    assert (foreign / "thesis.txt").read_text() == "mine"


def test_a_second_run_of_the_same_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    source = tmp_path / "events.csv"
    source.write_text("person,epsilon\na,0.1\n")
    asked: dict[str, Any] = {"unit": "person", "ledger": META, "claims": CLAIMS, "output": tmp_path / "out", "key": KEY}

    def in_the_midst(step: str) -> None:
        with pytest.raises(privref.InputError, match="another run"):
            privref.audit_batch(source, **asked)

    assert privref.audit_batch(source, **asked, progress=in_the_midst, workers=1)["units"] == 1


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Text and JSON, exit codes, a proof written and re-checked."""
    monkeypatch.chdir(tmp_path)
    Path("events.csv").write_text("person,epsilon\na,0.5\nb,7\nc,0.5\n")
    Path("meta.json").write_text(json.dumps(META))

    def command(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    asked = ("audit-batch", "events.csv", "--unit", "person", "--ledger", "meta.json", "--claim", "1,1e-6")
    code, out, err = command(*asked, "--output", "out")
    assert code == 1, err
    assert "3 unit(s) with 2 different ledger(s)" in out
    summary = json.loads(Path("out/batch.json").read_text())
    assert summary["merkle_root"] in out
    code, out, _ = command("verify", "out/batch.json", "--unit", "c", "--proof", "c.json")
    assert (code, out.splitlines()[-1]) == (0, "verified")
    assert command("verify", "c.json", "--root", summary["merkle_root"])[0] == 0
    code, out, _ = command("verify", "c.json")
    assert code == 4
    assert "give --root HEX" in out
    assert command("verify", "c.json", "--root", "0" * 64)[0] == 1
    for wrong in (
        ("verify", "out/batch.json"),
        ("verify", "c.json", "--unit", "c"),
        ("verify", "c.json", "--proof", "x"),
    ):
        assert command(*wrong)[0] == 2
    code, _, err = command("verify", "out/batch.json", "--unit", "z")
    assert (code, err.count("\n")) == (2, 1)
    code, _, err = command("verify", "c.json", "--root", "ab")
    assert (code, err.count("\n")) == (2, 1)
    code, _, err = command(*asked, "--output", "out")
    assert (code, err.count("\n")) == (2, 1)
    code, _, err = command(*asked, "--output", "more", "--memory", "much")
    assert (code, err.count("\n")) == (2, 1)
    assert not Path("more").exists()
    assert not Path(".more.partial").exists()
