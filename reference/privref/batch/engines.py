"""What runs the plan: DuckDB in this process, out of core; or Spark, on a cluster. Both by Ibis, with equal results.

An engine makes a table into a Parquet file or folder, all or nothing, and maps a function of Python over the rows of
one. DuckDB's maps are chunks in processes of their own, each kept when it is done; Spark's run in its executors.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from privref.exact.errors import InputError
from privref.exact.extras import install

if TYPE_CHECKING:
    import pyarrow as pa

EngineKind = Literal["duckdb", "spark"]
ENGINES: tuple[EngineKind, ...] = ("duckdb", "spark")
Map = Callable[["pa.RecordBatch", str], "pa.RecordBatch"]
Report = Callable[[str], None]


class Engine(Protocol):
    """What a batch needs of an engine."""

    def table(self, source: Sequence[Path]) -> Any:
        """Parquet files, or the folder of them that was written here, as a table of Ibis."""
        ...

    def value(self, expression: Any) -> Any:
        """The value of a scalar expression."""
        ...

    def rows(self, expression: Any) -> list[dict[str, Any]]:
        """The rows of a small table."""
        ...

    def write(self, expression: Any, target: Path) -> None:
        """The table as Parquet at ``target``: all of it or nothing."""
        ...

    def batches(self, target: Path) -> Iterator[pa.RecordBatch]:
        """What was written, in the order in which it was written."""
        ...

    def map(
        self, function: Map, schema: pa.Schema, context: str, source: Path, target: Path, chunk: int, report: Report
    ) -> None:
        """The function over the rows of a table that was written, in pieces of about ``chunk`` rows."""
        ...

    def close(self) -> None:
        """Give back what the engine holds."""
        ...


def parts(target: Path) -> list[Path]:
    """The Parquet files of a table that was written."""
    return sorted(target.glob("*.parquet")) if target.is_dir() else [target]


def _read(files: Sequence[Path], columns: Sequence[str] | None = None, size: int = 65_536) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as parquet

    for file in files:
        with contextlib.closing(parquet.ParquetFile(file)) as opened:
            yield from opened.iter_batches(batch_size=size, columns=columns)


def write_batches(batches: Sequence[pa.RecordBatch], schema: pa.Schema, target: Path) -> None:
    """A Parquet file, all of it or nothing."""
    import pyarrow.parquet as parquet

    half = target.with_name(f".{target.name}.half")
    with parquet.ParquetWriter(half, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    os.replace(half, target)


class DuckDB:
    """DuckDB within this process; what does not fit into ``memory`` goes to ``scratch``."""

    def __init__(self, scratch: Path, workers: int, memory: str) -> None:
        import ibis

        self._workers = workers
        settings = {"memory_limit": memory, "threads": workers, "temp_directory": str(scratch)}
        try:
            self._connection = ibis.duckdb.connect(**settings)
        except Exception as error:  # DuckDB's own refusal of a size
            raise InputError("--memory", memory, f"DuckDB refuses it ({error})") from None

    def table(self, source: Sequence[Path]) -> Any:
        return self._connection.read_parquet([str(path) for path in source])

    def value(self, expression: Any) -> Any:
        return expression.to_pyarrow().as_py()

    def rows(self, expression: Any) -> list[dict[str, Any]]:
        return list(expression.to_pyarrow().to_pylist())

    def write(self, expression: Any, target: Path) -> None:
        half = target.with_name(f".{target.name}.half")
        self._connection.to_parquet(expression, half)
        os.replace(half, target)

    def batches(self, target: Path) -> Iterator[pa.RecordBatch]:
        return _read(parts(target))

    def map(
        self, function: Map, schema: pa.Schema, context: str, source: Path, target: Path, chunk: int, report: Report
    ) -> None:
        target.mkdir(exist_ok=True)
        done, finished = 0, {path.name for path in target.glob("part-*.parquet")}
        pending: dict[Any, Path] = {}
        pool: ProcessPoolExecutor | None = None

        def collect(most: int) -> None:
            nonlocal done
            while len(pending) > most:
                ready, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in ready:
                    write_batches([future.result()], schema, pending.pop(future))
                    done += 1
                    report(f"part {done}")

        several = _rows(parts(source)) > chunk and self._workers > 1
        try:
            for number, batch in enumerate(_read(parts(source), size=chunk)):
                path = target / f"part-{number:08d}.parquet"
                if path.name in finished:
                    done += 1
                elif several:
                    # A process of its own for each: DuckDB's threads do not survive a fork.
                    pool = pool or ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
                    pending[pool.submit(function, batch, context)] = path
                    collect(2 * self._workers)
                else:
                    write_batches([function(batch, context)], schema, path)
                    done += 1
                    report(f"part {done}")
            collect(0)
        finally:
            if pool is not None:
                pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        self._connection.disconnect()


def _rows(files: Sequence[Path]) -> int:
    import pyarrow.parquet as parquet

    return sum(parquet.read_metadata(file).num_rows for file in files)


class Spark:
    """Spark: the session that runs here, or one with ``workers`` threads on this machine."""

    def __init__(self, scratch: Path, workers: int, memory: str) -> None:
        try:
            import pyspark  # noqa: F401
        except ImportError:
            raise InputError("--engine", "spark", f"this needs PySpark: {install('spark')}") from None
        import ibis
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.appName("privref audit-batch")
        if SparkSession.getActiveSession() is None and "SPARK_REMOTE" not in os.environ:
            builder = builder.master(os.environ.get("MASTER", f"local[{workers}]"))
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            local = {"spark.ui.enabled": "false", "spark.driver.memory": memory.lower().removesuffix("b")}
            for name, setting in {**local, "spark.local.dir": str(scratch.resolve())}.items():
                builder = builder.config(name, setting)
        try:
            # The session of a batch speaks of no time zone, and Ibis of none either.
            self._session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
        except Exception as error:  # PySpark wraps whatever the JVM says
            remedy = f"Spark does not start; it needs a Java 17 runtime ({type(error).__name__})"
            raise InputError("--engine", "spark", remedy) from None
        self._partitions = 4 * workers
        self._session.sparkContext.setLogLevel("ERROR")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            self._connection = ibis.pyspark.connect(self._session)

    def _frame(self, expression: Any) -> Any:
        return self._session.sql(self._connection.compile(expression))

    def table(self, source: Sequence[Path]) -> Any:
        name = f"privref_{abs(hash(tuple(map(str, source)))):x}"
        self._session.read.parquet(*(str(path.resolve()) for path in source)).createOrReplaceTempView(name)
        return self._connection.table(name)

    def value(self, expression: Any) -> Any:
        return self._frame(expression.as_table()).collect()[0][0]

    def rows(self, expression: Any) -> list[dict[str, Any]]:
        return [row.asDict() for row in self._frame(expression).collect()]

    def write(self, expression: Any, target: Path) -> None:
        self._written(self._frame(expression), target)

    @staticmethod
    def _written(frame: Any, target: Path) -> None:
        half = target.with_name(f".{target.name}.half")
        shutil.rmtree(half, ignore_errors=True)
        frame.write.parquet(str(half.resolve()))
        os.replace(half, target)

    def batches(self, target: Path) -> Iterator[pa.RecordBatch]:
        return _read(parts(target))

    def map(
        self, function: Map, schema: pa.Schema, context: str, source: Path, target: Path, chunk: int, report: Report
    ) -> None:
        from pyspark.sql.pandas.types import from_arrow_schema

        frame = self._session.read.parquet(*(str(path.resolve()) for path in parts(source)))
        pieces = max(1, min(self._partitions, -(-frame.count() // chunk)))
        mapped = frame.repartition(pieces).mapInArrow(_over(function, context), from_arrow_schema(schema))
        self._written(mapped, target)

    def close(self) -> None:
        self._session.stop()


def _over(function: Map, context: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function over batches, for Spark."""

    def over(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if len(batch):
                yield function(batch, context)

    return over


def unwritten(error: Exception) -> str | None:
    """Why a stage could not be written or read back, in a line; None where that is not what went wrong."""
    if isinstance(error, BrokenProcessPool):
        return "a worker was ended from outside, as where memory is short (--workers 1 takes the least)"
    duckdb = "duckdb" in type(error).__module__ and type(error).__name__ in ("IOException", "OutOfMemoryException")
    text = str(error)
    if not isinstance(error, OSError) and not duckdb and "java.io.IOException" not in text:
        return None
    return " ".join(text.split())[:300]


def engine(kind: EngineKind, scratch: Path, workers: int, memory: str) -> Engine:
    """The engine of this name."""
    return DuckDB(scratch, workers, memory) if kind == "duckdb" else Spark(scratch, workers, memory)
