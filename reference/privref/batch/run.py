"""A batch from the events file to the output folder, in stages that are kept on disk until all are done.

Everything is made in a folder next to the output, which gets its name at the end: what is interrupted is continued by
the same command, and there is never half an output. A run on other input starts clean.
"""

from __future__ import annotations

import contextlib
import csv
import json
import os
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from privref.audit.opinions import exit_code_of
from privref.exact.errors import InputError, InputErrors, path_from
from privref.exact.numbers import count
from privref.ledger import documents, names

from . import columns, filters, merkle, plan, spelling, verdicts
from .engines import ENGINES, Engine, EngineKind, Report, engine, parts, unwritten

SUMMARY, UNITS, LEDGERS, VERDICTS, KEY = "batch.json", "units", "ledgers.parquet", "verdicts.parquet", "merkle.key"
_RUN = "run.json"
#: Refusals, units, and kinds of premises that are shown at once.
MOST_REFUSALS = 20
MOST_WORST = 10
MOST_PREMISES = 10
#: Keys spelled, and ledgers audited, by one call in a worker: what an interruption may lose.
KEYS_AT_ONCE, LEDGERS_AT_ONCE = 20_000, 32
#: Of many ledgers more are audited by one call: this share of them, but no more than the second number.
SHARE, MOST_AT_ONCE = 64, 2_048
#: Names of units read by one call.
NAMES_AT_ONCE = 100_000
ROW_GROUP = 65_536
#: Bytes of a secret key.
LEAST_KEY = 16
_SHOWN = (
    "unit", "claim", "verdict", "theorem", "lower", "upper", "lower_double", "upper_double", "witness", "ledger_sha256",
    "result_sha256", *verdicts.FILTER_COLUMNS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """What a batch is asked: the events, what their columns mean, what all units share, and the claims."""

    events: Path
    unit: str
    ledger: Mapping[str, Any]
    claims: Mapping[str, Any]
    output: Path
    ignored: tuple[str, ...] = ()
    quarantine: Path | None = None
    table: str = "parquet"
    kind: EngineKind = "duckdb"
    workers: int = 1
    memory: str = "2GB"
    key: bytes | None = None
    ordered_by: str | None = None
    filter: str | None = None
    different_units: bool = False
    best: bool = False


def audit_batch(
    events: str | Path,
    *,
    unit: str,
    ledger: Any,
    claims: Any,
    output: str | Path,
    ignored: Sequence[str] = (),
    quarantine: str | Path | None = None,
    table: str = "parquet",
    engine: str = "duckdb",
    workers: int | None = None,
    memory: str = "2GB",
    key: bytes | None = None,
    ordered_by: str | None = None,
    filter: str | None = None,
    different_units: bool = False,
    best: bool = False,
    progress: Report = lambda step: None,
) -> dict[str, Any]:
    """Audit the ledger of every unit against the claims; the summary (``batch.1``), which is in the output folder too.

    ``events`` has one row per event; ``ledger`` is a ``ledger.1`` document without events and ``claims`` a
    ``claims.1`` document, both parsed. The verdict on a unit is that of ``audit`` on the ledger that its events make.
    InputErrors names bad rows by their places, all together; with ``quarantine`` they are written there, and the
    units that they belong to are out of scope. With ``filter`` the events of each unit, in the order of the column
    ``ordered_by``, are decided by a filter of that unit alone, with the budget of the sidecar.

    Names of units are compared by the rule of ``privref.ledger.names``; ``different_units`` says that units whose names
    look alike are different ones. A unit's bound is that of the first theorem that decides, which takes a fraction of
    the time of the smallest one that theorems prove; ``best`` asks for that.
    """
    source, target = path_from(events, "events"), path_from(output, "--output")
    columns.needed()
    if engine not in ENGINES:
        raise InputError("--engine", engine, f"give one of {', '.join(ENGINES)}")
    if table not in ("parquet", "csv"):
        raise InputError("--table", table, "give parquet or csv")
    if key is not None and len(key) < LEAST_KEY:
        raise InputError("--key", f"{len(key)} byte(s)", f"give a secret of at least {LEAST_KEY} bytes")
    verdicts.batch_claims(claims)
    if quarantine is not None:
        _require_own(Path(quarantine))
    if filter is not None:
        filters.machine_for(spelling.sidecar(ledger), filter)
        if ordered_by is None:
            raise InputError("--ordered-by", "(missing)", "a filter decides in order: name the column of the places")
    request = Request(
        source, unit, spelling.sidecar(ledger), claims, target, tuple(ignored),
        None if quarantine is None else Path(quarantine), table, engine,
        os.cpu_count() or 1 if workers is None else count(workers, "--workers", least=1), memory, key,
        ordered_by, filter, different_units, best,
    )  # fmt: skip
    return _Run(request, progress).finish()


#: The first line of a file of rows that cannot be read.
_QUARANTINED = ["row", "unit", "refusal"]


def _require_own(path: Path) -> None:
    """InputError where the quarantine would overwrite a file that is not one."""
    if path.is_file() and path.read_bytes()[:16] != ",".join(_QUARANTINED).encode():
        raise InputError("--quarantine", str(path), "this file exists and is something else; name a new one")


class _Run:
    """One run, on the folder of its stages."""

    def __init__(self, request: Request, report: Report) -> None:
        self.request = request
        self.report = report
        self.files = columns.event_files(request.events)
        output = request.output
        if output.exists():
            raise InputError("--output", str(output), "this exists; name a new folder")
        if not output.resolve().parent.is_dir():
            raise InputError("--output", str(output), "there is no folder to make it in")
        self.folder = output.resolve().parent / f".{output.resolve().name}.partial"

    def finish(self) -> dict[str, Any]:
        """The stages that are not yet done, then the output; InputError where they cannot be written."""
        try:
            return self._finish()
        except InputError:
            raise
        except Exception as error:
            reason = unwritten(error)
            if reason is None:
                raise
            remedy = f"{reason}; what is done is kept: make room, or see to the folder, and give the command again"
            raise InputError("--output", str(self.request.output), remedy) from error

    def _finish(self) -> dict[str, Any]:
        self._open()
        with _locked(self.folder / "lock"):
            scratch = self.folder / "scratch"
            scratch.mkdir(exist_ok=True)
            try:
                running = engine(self.request.kind, scratch, self.request.workers, self.request.memory)
                try:
                    document = self._stages(running)
                finally:
                    running.close()
            except InputError:
                # The input has to change, so that nothing here can be continued.
                self._discard()
                raise
            self._deliver(document)
        return document

    def _open(self) -> None:
        """Continue the folder of the same run; start clean where it is of another."""
        wanted = spelling.fingerprint(self._identity())
        mark = self.folder / _RUN
        if self.folder.exists():
            # Only the mark is written before the mark.
            if not mark.is_file() and any(path.name != f".{_RUN}.half" for path in self.folder.iterdir()):
                raise InputError("--output", str(self.folder), "this folder is in the way; remove it")
            if mark.is_file() and mark.read_text() != wanted:
                # Another run may be at work in it.
                with _locked(self.folder / "lock"):
                    self._discard()
        self.folder.mkdir(exist_ok=True)
        if not mark.is_file():
            _write(mark, wanted)

    def _identity(self) -> Any:
        from importlib.metadata import version

        request = self.request
        stamps = [(str(file.resolve()), file.stat().st_size, file.stat().st_mtime_ns) for file in self.files]
        asked = [
            request.unit,
            request.ignored,
            request.table,
            request.kind,
            (request.key or b"").hex(),
            request.ordered_by,
            request.filter,
            request.different_units,
            request.best,
        ]
        return [version("privref"), stamps, asked, request.ledger, request.claims]

    def _stages(self, running: Engine) -> dict[str, Any]:
        files = self._parquet()
        where = columns.columns(
            columns.schema_of(files), self.request.unit, self.request.ordered_by, self.request.ignored
        )
        events = running.table(files)
        units = self._made(running, "grouped", lambda: plan.grouped(self._checked(running, events, where), where))
        self._made(running, "keys", lambda: plan.distinct_keys(units))
        spelled_path = self.folder / "spelled"
        context = json.dumps({"ledger": self.request.ledger, "ordered": self.request.ordered_by is not None})
        self._mapped(
            running, spelling.spell_ledgers, spelling.spelled_schema(), context, "keys", "spelled", KEYS_AT_ONCE
        )
        quarantined = self._bad_rows(running, files, where, spelled_path)
        spelled = running.table(parts(spelled_path))
        ledgers = self._made(running, "ledgers", lambda: plan.distinct_ledgers(spelled).order_by("ledger_sha256"))
        request = self.request
        asked = {"claims": request.claims, "ledger": request.ledger, "filter": request.filter, "best": request.best}
        schema, context = verdicts.verdict_schema(), json.dumps(asked)
        # Of the ledgers alone, so that a run with other workers goes on with the same parts.
        at_once = max(LEDGERS_AT_ONCE, min(running.value(ledgers.count()) // SHARE, MOST_AT_ONCE))
        self._mapped(running, verdicts.audit_ledgers, schema, context, "ledgers", "verdicts", at_once)
        decided = running.table(parts(self.folder / "verdicts"))
        self._made(running, "verdicts", lambda: decided.order_by(["ledger_sha256", "claim_index"]))
        self._made(running, "joined", lambda: plan.joined(units, spelled, decided))
        return self._written(running, quarantined)

    def _checked(self, running: Engine, events: Any, where: columns.Columns) -> Any:
        self.report("grouping the events")
        unnamed = running.value(plan.without_unit(events, where))
        if unnamed:
            remedy = f"{unnamed} row(s) name no unit, and any unit may be theirs; name it, or take them out"
            raise InputError(f"events column {where.unit.name}", "(empty)", remedy)
        if where.unit.text:
            events = self._named(running, events, where)
        if where.order is not None and (found := running.rows(plan.misplaced(events, where))):
            raise InputErrors.of(
                [
                    InputError(
                        f"events of unit {row['unit']}, {where.order.name}",
                        row["place"] or "(empty)",
                        "two events have this place; number them" if row["whole"] else "give a whole number in digits",
                    )
                    for row in found
                ]
            )
        return events

    def _named(self, running: Engine, events: Any, where: columns.Columns) -> Any:
        """Return the events with each unit by the one form of its name.

        InputErrors for names that do not show what they are, and for names that are alike, unless the request says that
        such names are of different units.
        """
        place = f"events column {where.unit.name}"
        self._made(running, "names", lambda: plan.unit_names(events, where))
        schema = spelling.named_schema()
        self._mapped(running, spelling.spell_names, schema, "", "names", "named", NAMES_AT_ONCE)
        named = running.table(parts(self.folder / "named"))
        if refused := running.rows(plan.refused_names(named)):
            raise InputErrors.of([InputError(place, row["unit"], row["refusal"]) for row in refused])
        self._made(running, "beyond", lambda: plan.beyond_ascii(named))
        found = (
            each for batch in running.batches(self.folder / "beyond.stage") for each in batch.column(0).to_pylist()
        )
        others = "".join(sorted(set().union(*found)))
        self._made(running, "forms", lambda: plan.names_of_units(named))
        self._mapped(running, spelling.key_names, spelling.keyed_schema(), others, "forms", "keyed", NAMES_AT_ONCE)
        keyed = running.table(parts(self.folder / "keyed"))
        self._made(running, "near", lambda: plan.near_names(keyed))
        pairs = self._alike(running, place)
        if pairs and not self.request.different_units:
            answer = "say so of all units whose names look alike by --different-units"
            raise InputErrors.of([InputError(place, other, names.question(one, other, answer)) for one, other in pairs])
        _write(self.folder / "alike.json", json.dumps(pairs))
        respelled = plan.respelled(named)
        return plan.renamed(events, where, respelled) if running.value(respelled.count()) else events

    def _alike(self, running: Engine, place: str) -> list[tuple[str, str]]:
        """Return pairs of names that are alike; some of them."""
        compared = names.Compared()
        rows = (row for batch in running.batches(self.folder / "near.stage") for row in batch.to_pylist())
        found: list[tuple[str, str]] = []
        for _, group in groupby(rows, key=lambda row: row["key"]):
            try:
                found += compared.pairs([row["name"] for row in group], place)
            except InputError:
                if not self.request.different_units:
                    raise
                break
            if len(found) >= MOST_REFUSALS:
                break
        return found[:MOST_REFUSALS]

    def _parquet(self) -> list[Path]:
        if self.files[0].suffix.lower() == ".parquet":
            return self.files
        made = self.folder / "events.parquet"
        if not made.exists():
            self.report("reading the CSV")
            half = self.folder / ".events.half"
            columns.csv_to_parquet(self.files[0], half)
            os.replace(half, made)
        return [made]

    def _made(self, running: Engine, name: str, expression: Callable[[], Any]) -> Any:
        """A table of the plan, computed once."""
        target = self.folder / f"{name}.stage"
        if not target.exists():
            self.report(name)
            running.write(expression(), target)
        return running.table(parts(target))

    def _mapped(
        self, running: Engine, function: Any, schema: Any, context: str, source: str, name: str, chunk: int
    ) -> None:
        """A map over a table of the plan, part by part; parts that are there are kept."""
        target, done = self.folder / name, self.folder / f"{name}.done"
        if done.exists():
            return
        run = self.folder / f"{source}.stage"
        running.map(function, schema, context, run, target, chunk, lambda step: self.report(f"{name}, {step}"))
        _write(done, "")

    def _bad_rows(
        self, running: Engine, files: Sequence[Path], where: columns.Columns, spelled: Path
    ) -> dict[str, int] | None:
        """Refuse rows that cannot be read, or write them to the quarantine; how many there are."""
        if not any(entry for batch in running.batches(spelled) for entry in batch.column("bad").to_pylist()):
            if self.request.quarantine is not None:
                self._quarantine([])
            return None if self.request.quarantine is None else {"rows": 0, "units": 0}
        found = self._places(files, where)
        if self.request.quarantine is None:
            errors = []
            for place, _, error in found:
                for part in getattr(error, "errors", (error,)):
                    errors.append(part.within(place))
                if len(errors) >= MOST_REFUSALS:
                    break
            raise InputErrors.of(errors[:MOST_REFUSALS])
        return self._quarantine(found)

    def _places(self, files: Sequence[Path], where: columns.Columns) -> Iterator[tuple[str, str, InputError]]:
        """The rows that cannot be read: place, unit and refusal."""
        several = len(files) > 1
        for file, first, units, spelled in columns.spelled_batches(files, where):
            refusals = {text: error for text in spelled.unique().to_pylist() if (error := _refusal(text)) is not None}
            if not refusals:
                continue
            for i, text in enumerate(spelled.to_pylist()):
                if text in refusals:
                    place = f"{file.name} row {first + i}" if several else f"events row {first + i}"
                    yield place, units[i].as_py(), refusals[text]

    def _quarantine(self, found: Any) -> dict[str, int]:
        assert self.request.quarantine is not None
        rows, units = 0, set()
        half = self.folder / ".quarantine.half"
        with half.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(_QUARANTINED)
            for place, unit, error in found:
                writer.writerow([place, unit, str(error)])
                rows += 1
                units.add(names.trimmed(unit))
        try:
            shutil.move(half, self.request.quarantine)
        except OSError as error:
            remedy = f"name a file that can be written ({error.strerror})"
            raise InputError("--quarantine", str(self.request.quarantine), remedy) from None
        return {"rows": rows, "units": len(units)}

    def _key(self) -> bytes:
        """The secret key: the one given, else one made once for this run and kept with its output."""
        if self.request.key is not None:
            return self.request.key
        path = self.folder / KEY
        if not path.exists():
            with os.fdopen(os.open(path.with_suffix(".half"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as f:
                f.write(secrets.token_bytes(32))
            os.replace(path.with_suffix(".half"), path)
        return path.read_bytes()

    def _written(self, running: Engine, quarantined: dict[str, int] | None) -> dict[str, Any]:
        """The output's tables, and the summary: counts, the worst units, the root."""
        self.report("writing")
        out = self.folder / "output"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        key, tree = self._key(), merkle.Tree()
        counts: Counter[tuple[str, str]] = Counter()
        with _table(out / f"{UNITS}.{self.request.table}", self.request.table, _shown_schema()) as write:
            for batch in running.batches(self.folder / "joined.stage"):
                write(batch)
                _count(batch, counts)
                for unit, result in _first_claims(batch):
                    tree.add(merkle.leaf(merkle.salt(key, unit), unit, bytes.fromhex(result)))
        tables = (
            (LEDGERS, "ledgers.stage", _ledgers_schema()),
            (VERDICTS, "verdicts.stage", verdicts.verdict_schema()),
        )
        for name, source, schema in tables:
            with _table(out / name, "parquet", schema) as write:
                for batch in running.batches(self.folder / source):
                    write(batch)
        if self.request.key is None:
            shutil.copy(self.folder / KEY, out / KEY)
        document = self._summary(running, counts, tree, quarantined)
        _write(out / SUMMARY, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        return document

    def _summary(
        self, running: Engine, counts: Counter[tuple[str, str]], tree: merkle.Tree, quarantined: dict[str, int] | None
    ) -> dict[str, Any]:
        joined = running.table(parts(self.folder / "joined.stage"))
        shown = ("unit", "claim", "verdict", "theorem", "upper", "ledger_sha256")
        worst = [{name: row[name] for name in shown} for row in running.rows(plan.worst(joined, MOST_WORST))]
        ledgers = running.table(parts(self.folder / "ledgers.stage"))
        by_claim: dict[str, dict[str, int]] = {}
        for (claim, verdict), number in sorted(counts.items()):
            by_claim.setdefault(claim, {})[verdict] = number
        ids = [claim["id"] for claim in self.request.claims["claims"]]
        return {
            "schema": "batch.1",
            "title": self.request.ledger["title"],
            "units": tree.size,
            "distinct_ledgers": running.value(ledgers.count()),
            "verdicts": {claim: by_claim.get(claim, {}) for claim in ids},
            "worst": worst,
            "merkle_root": merkle.sized(tree.root, tree.size).hex(),
            "quarantined": quarantined,
            "filter": self._filtered(running, joined),
            "premises": self._premises(running, tree.size),
            "bounds": "best" if self.request.best else "first",
            "table": f"{UNITS}.{self.request.table}",
            "ledger": dict(self.request.ledger),
            "claims": dict(self.request.claims),
        }

    def _premises(self, running: Engine, units: int) -> list[str]:
        """What no file can show: what the names of units rest on, and the verdicts on their ledgers."""
        said = [f"{units} unit(s) are different ones, by their names"]
        path = self.folder / "alike.json"
        pairs = json.loads(path.read_text()) if path.exists() else []
        if pairs:
            one, other = pairs[0]
            more = f", and {'at least ' if len(pairs) == MOST_REFUSALS else ''}{len(pairs) - 1} pair(s) more"
            more = more if len(pairs) > 1 else ""
            said.append(f"units whose names look alike are declared to be different: {one!r} and {other!r}{more}")
        decided = running.table(parts(self.folder / "verdicts.stage"))
        rests = [row["premises"] for row in running.rows(plan.premises(decided, MOST_PREMISES + 1))]
        said += rests[:MOST_PREMISES]
        if len(rests) > MOST_PREMISES:
            said.append(f"and more, which {VERDICTS} has for each ledger")
        return said

    def _filtered(self, running: Engine, joined: Any) -> dict[str, Any] | None:
        """What the filter of each unit says of all of them, and what that rests on."""
        if self.request.filter is None:
            return None
        rule = filters.theorem_of(self.request.filter)
        said = {row["filter_says"]: row["units"] for row in running.rows(plan.said(joined))}
        premises = [hypothesis.value for hypothesis in rule.hypotheses]
        return {"theorem": rule.id, "units": dict(sorted(said.items())), "premises": premises}

    def _deliver(self, document: Mapping[str, Any]) -> None:
        """Give the output its name, in one step; then the stages go."""
        try:
            os.rename(self.folder / "output", self.request.output)
        except OSError as error:
            raise InputError("--output", str(self.request.output), f"it cannot be made ({error.strerror})") from None
        self._discard()

    def _discard(self) -> None:
        """Remove the stages; once one is gone none may be continued, so that the mark is not a run's, and goes last."""
        mark = self.folder / _RUN
        _write(mark, "discarded")
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            elif path != mark:
                path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            mark.unlink(missing_ok=True)
            self.folder.rmdir()


def exit_code(summary: Mapping[str, Any]) -> int:
    """The worst of all verdicts of a batch, as an audit's."""
    documents.validate(summary, "batch.1", "summary")
    return exit_code_of({verdict for counts in summary["verdicts"].values() for verdict in counts})


def _refusal(spelled: str) -> InputError | None:
    try:
        spelling.read_event(spelled)
    except InputError as error:
        return error
    return None


def _write(path: Path, text: str) -> None:
    half = path.with_name(f".{path.name}.half")
    half.write_text(text, encoding="utf-8")
    os.replace(half, path)


def _count(batch: Any, counts: Counter[tuple[str, str]]) -> None:
    import pyarrow as pa

    table = pa.Table.from_batches([batch.select(["claim", "verdict"])])
    for row in table.group_by(["claim", "verdict"]).aggregate([([], "count_all")]).to_pylist():
        counts[row["claim"], row["verdict"]] += row["count_all"]


def _first_claims(batch: Any) -> Iterator[tuple[str, str]]:
    """Each unit once, with the digest of its result."""
    import pyarrow.compute as pc

    first = batch.filter(pc.equal(batch.column("claim_index"), 0))
    return zip(first.column("unit").to_pylist(), first.column("result_sha256").to_pylist(), strict=True)


def _ledgers_schema() -> Any:
    import pyarrow as pa

    return pa.schema([("ledger_sha256", pa.string()), ("ledger", pa.string())])


def _shown_schema() -> Any:
    import pyarrow as pa

    text = {name: pa.string() for name in _SHOWN}
    numbers = {"lower_double": pa.float64(), "upper_double": pa.float64()}
    return pa.schema(list({**text, **numbers, "filter_rounds": pa.int64(), "halted_at": pa.int64()}.items()))


@contextmanager
def _table(path: Path, kind: str, schema: Any) -> Iterator[Callable[[Any], None]]:
    """A file that batches are written to, in groups of rows that do not depend on how the engine cut them."""
    import pyarrow as pa
    import pyarrow.csv as arrow_csv
    import pyarrow.parquet as parquet

    kept: list[Any] = []
    with (parquet.ParquetWriter if kind == "parquet" else arrow_csv.CSVWriter)(path, schema) as writer:

        def flush(least: int) -> None:
            rows = pa.Table.from_batches(kept, schema)
            whole = rows.num_rows // ROW_GROUP * ROW_GROUP if least else rows.num_rows
            for start in range(0, whole, ROW_GROUP):
                writer.write_table(rows.slice(start, ROW_GROUP).combine_chunks())
            kept[:] = rows.slice(whole).to_batches()

        def write(batch: Any) -> None:
            kept.append(batch.select(schema.names).replace_schema_metadata(None).cast(schema))
            if sum(map(len, kept)) >= ROW_GROUP:
                flush(ROW_GROUP)

        yield write
        flush(0)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the folder: a second run of the same command is refused."""
    try:
        import fcntl
    except ImportError:  # a system without file locks
        yield
        return
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError("--output", str(path.parent), "another run is making this output; wait for it") from None
        yield
