"""Small documents through every command that reads one, each command in a process of its own with resource limits.

    python tests/fuzz/worker.py DOCUMENTS SEED [SECONDS]

A command may take 60 seconds of processor time and 2 GiB of memory, and ends in 0 to 4; certificates that an audit
writes are verified. Exit code 1, and files of the documents, where one does otherwise. With SECONDS other seeds
follow until that time is over. The counts come as one JSON line; PRIVREF_FUZZ_SHOW=1 lists the commands on stderr.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from strategies import COUNTS, DELTAS, EXTREME, NUMBERS, ORDINARY, documents, inputs, mutated

import privref
from privref.cli.main import main

MEMORY, SECONDS = 2 << 30, 60
CODES: Counter[str] = Counter()
SLOWEST: dict[str, tuple[float, str]] = {}
LARGEST: dict[str, int] = {}
#: What is wrong, by its first line, with the documents that show it.
FOUND: dict[str, str] = {}
#: The documents of the example that runs, and the commands that ran: Hypothesis draws many an example again.
SHOWN: dict[str, str] = {}
RAN: dict[tuple[str, ...], int] = {}
ISSUED: dict[tuple[str, ...], list[str]] = {}
PROVED: dict[tuple[str, ...], tuple[str, dict[str, Any]]] = {}
FOLDER = Path(tempfile.mkdtemp(prefix="privref-fuzz-"))


def run(*arguments: str) -> int:
    """One command, in a child of this process that may take so much; an AssertionError where it ends as none may."""
    asked = (*arguments, *SHOWN.values())
    if asked in RAN:
        CODES["repeated"] += 1
        return RAN[asked]
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        code = 70
        try:
            for stream, name in ((1, "out"), (2, "err")):
                os.dup2(os.open(FOLDER / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
            main([*arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status, used = os.wait4(child, 0)
    code, name, said = os.waitstatus_to_exitcode(status), arguments[0], (FOLDER / "err").read_text("utf-8")
    taken = round(used.ru_utime + used.ru_stime, 1)
    CODES[f"{name} {code}"] += 1
    SLOWEST[name] = max(SLOWEST.get(name, (0.0, "")), (taken, " ".join(arguments[1:])[:200]))
    LARGEST[name] = max(LARGEST.get(name, 0), used.ru_maxrss // 1024)
    if os.environ.get("PRIVREF_FUZZ_SHOW"):
        print(name, code, taken, said.strip()[:300], file=sys.stderr)
    RAN[asked] = code
    # A negative code is the signal of a limit.
    assert code in (0, 1, 2, 3, 4), f"{name} {' '.join(arguments[1:])[:200]}: {code}: {said[-300:]}"
    if code == 2 and name != "eval":
        assert all(line.startswith("privref: ") for line in said.splitlines()), said
    assert "Traceback" not in said, said
    return code


def file(name: str, document: Any) -> str:
    """The file that holds a document."""
    path = FOLDER / name
    text = SHOWN[name] = document if isinstance(document, str) else json.dumps(document)
    path.write_text(text, encoding="utf-8")
    return str(path)


def audited(draw: Any) -> None:
    """An audit; its certificates are good, and changed in a place or two they are judged."""
    ledger, claims = file("l.json", draw(documents("ledger.1"))), file("c.json", draw(documents("claims.1")))
    issued, asked = FOLDER / "certificates", (SHOWN["l.json"], SHOWN["c.json"])
    shutil.rmtree(issued, ignore_errors=True)
    run("audit", ledger, claims, "--certificates", str(issued), *draw(st.sampled_from([[], ["-vv"]])))
    # An audit that is drawn again is not run again, but its certificates are changed in other places.
    for text in ISSUED.setdefault(asked, [path.read_text("utf-8") for path in sorted(issued.glob("*.json"))]):
        CODES["certificates issued"] += 1
        assert run("verify", file("v.json", text), "--ledger", ledger) == 0, "an audit's own certificate"
        for _ in range(2):
            run("verify", file("v.json", mutated(draw, json.loads(text))))


BROKEN = privref.report.attack_document(
    privref.attack("natural-filter", "log(3/2),log(2),log(3)", 3, epsilon="log(2)", delta="1/4")
)["certificate"]
ROUNDS = st.sampled_from(
    ["1/10", "1", "log(2)", "log(3/2)", "1/2:1e-6", "leak(1/100)", "bit(1/100)", "toy(1/2)", "split(1/10)", "0"] * 3
    + ["binary(4; dp; 1/10)", "binary(10; pdp; 1/10)", "1e9", "1e-300", "9" * 4000, "log(1e9)", "leak(2)", "((", ""]
)


def attacked(draw: Any) -> None:
    """A search with few states, over a small menu."""
    name = draw(st.sampled_from([*privref.accountant_names(), "S1", "sqrt(2*S2*log(1/delta))", "S1/k", "exp(exp(S1))"]))
    kind = [f"--kind={draw(st.sampled_from(['filter', 'odometer']))}"] if name not in privref.accountant_names() else []
    menu = ",".join(draw(st.lists(ROUNDS, min_size=1, max_size=3)))
    budget = [f"--epsilon={draw(st.sampled_from(ORDINARY * 3 + ['log(2)'] * 5 + EXTREME))}"]
    run(
        "attack", name, f"--menu={menu}", f"--rounds={draw(st.sampled_from([1, 2, 3, 5, 20, 10000]))}",
        f"--delta={draw(DELTAS)}", f"--max-states={draw(st.sampled_from([10, 1000, 5000]))}",
        *(budget if draw(st.integers(0, 4)) else []), *kind, *draw(st.sampled_from([[], [], ["--largest"]])),
    )  # fmt: skip


def sheet(draw: Any) -> str:
    """A CSV ledger."""
    numbers = st.sampled_from(ORDINARY * 6 + EXTREME)
    if draw(st.integers(0, 3)) == 0:
        rows = [f"{draw(numbers)},{draw(st.sampled_from(COUNTS))}" for _ in range(draw(st.integers(1, 4)))]
        return "\n".join(["rho,count", *rows])
    row = st.tuples(numbers, DELTAS, st.one_of(st.sampled_from(COUNTS), st.integers(0, 10**7)))
    return "\n".join(["epsilon,delta,count", *(f"{e},{d},{n}" for e, d, n in draw(st.lists(row, max_size=4)))])


META = {
    "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "replace-one",
    "parameters": "fixed-in-advance", "interaction": "sequential",
}  # fmt: skip


def batched(draw: Any) -> None:
    """An events file of a few units; a unit's proof, good and changed."""
    cells = st.sampled_from(["a", "b", "c", "a", "b", "", "a ", "\u00e9", "x" * 50])
    numbers = st.sampled_from(ORDINARY * 6 + EXTREME + ["", "1,5", "x"])
    row = st.tuples(
        cells, numbers, DELTAS, st.sampled_from([*COUNTS, "", "0"]), st.sampled_from(["", "continue", "halt"])
    )
    text = "".join(",".join(map(str, cells)) + "\n" for cells in draw(st.lists(row, max_size=5)))
    meta = META if draw(st.integers(0, 2)) else mutated(draw, META, 1)
    events = file("e.csv", f"person,epsilon,delta,count,decision\n{text}")
    claim = f"--claim={draw(st.sampled_from(ORDINARY * 4 + EXTREME))},{draw(DELTAS)}"
    out, proof = FOLDER / "batch", FOLDER / "p.json"
    shutil.rmtree(out, ignore_errors=True)
    proof.unlink(missing_ok=True)
    run(
        "audit-batch", events, "--unit=person", "--ledger", file("m.json", meta), claim, "--output", str(out),
        "--workers=1", "--memory=300MB", *draw(st.sampled_from([[], ["--table=csv"]])),
    )  # fmt: skip
    if (out / "batch.json").exists():
        run("verify", str(out / "batch.json"), "--unit=a", "--proof", str(proof))
    # A batch that is drawn again is not run again, but its proof is changed in other places.
    asked = (SHOWN["e.csv"], SHOWN["m.json"], claim)
    if proof.exists():
        root = json.loads((out / "batch.json").read_text("utf-8"))["merkle_root"]
        PROVED[asked] = root, json.loads(proof.read_text("utf-8"))
    if asked in PROVED:
        CODES["proofs of units"] += 1
        root, document = PROVED[asked]
        # Where a verdict has no certificate, its link to the ledger was not checked.
        assert run("verify", file("v.json", document), "--root", root) in (0, 4), "a batch's own proof"
        run("verify", file("v.json", mutated(draw, document)), "--root", root)


def relation() -> dict[str, Any]:
    """The certificate of a relation, of the first mapping that has one."""
    from privref.registry.checks import answers_of
    from privref.registry.gallery import relation_certificate
    from privref.registry.mapping import mappings

    for mapping in mappings().values():
        for question in mapping.questions:
            for answer in () if question.is_audit else answers_of(mapping, question, None):
                found = relation_certificate(mapping, answer)
                if found is not None:
                    return found
    raise AssertionError("no mapping has a relation")


RELATION = relation()


def honest() -> list[dict[str, Any]]:
    """Certificates of a confirmed claim by a sum, one by a grid, and a refuted one."""
    noise = {"kind": "laplace", "scale": "2", "sensitivity": "1"}
    claims = [{"id": "a", "epsilon": "3", "delta": "0"}, {"id": "b", "epsilon": "2.4", "delta": "0.01"},
              {"id": "c", "epsilon": "1/2", "delta": "1e-6"}]  # fmt: skip
    record = privref.ledger_from_document({**META, "events": [{"count": 5, "mechanism": noise}]})
    audit = privref.audit(record, privref.claims_from_document({"schema": "claims.1", "claims": claims}))
    return list(privref.certificates(audit).values())


HONEST = honest()


def proved(draw: Any) -> None:
    """A certificate as it is, and changed in a place or two."""
    document = draw(st.sampled_from(HONEST))
    CODES["certificates issued"] += 1
    assert run("verify", file("v.json", document)) == 0, "an honest certificate"
    for _ in range(2):
        run("verify", file("v.json", mutated(draw, document)))


def example(draw: Any) -> None:
    """One document, and the commands that read it."""
    what = ["audit"] * 4 + ["compare", "replay", "eval", "eval", "verify", "broken", "attack", "attack", "judge", "csv"]
    what += ["batch", "relation", "sgd", "proved", "proved"]
    match draw(st.sampled_from(what)):
        case "audit":
            audited(draw)
        case "compare":
            run("compare", file("l.json", draw(documents("ledger.1"))), f"--delta={draw(DELTAS)}")
        case "replay":
            budget = f"--budget={draw(st.sampled_from(ORDINARY * 4 + EXTREME))},{draw(DELTAS)}"
            run("replay", file("l.json", draw(documents("ledger.1"))), budget)
        case "eval":
            id, values = draw(inputs())
            run("eval", "--batch", file("b.json", {"samples": [{"id": id, "inputs": values}]}))
        case "verify":
            run("verify", file("v.json", draw(documents("certificate.2"))))
        case "proved":
            proved(draw)
        case "broken":
            changed = mutated(draw, BROKEN) if draw(st.integers(0, 2)) else draw(documents("attack-certificate.1"))
            run("verify", file("v.json", changed))
        case "attack":
            attacked(draw)
        case "judge":
            vector = draw(st.sampled_from(sorted(privref.golden_vectors())))
            answer = draw(st.one_of(NUMBERS, st.floats(), st.sampled_from(["HALT", "refused", "a=1, b=2", None, []])))
            line = {"id": vector, "answer": answer}
            line = line if draw(st.booleans()) else mutated(draw, line, 1)
            run("judge", file("a.jsonl", json.dumps(line) + "\n"))
        case "batch":
            batched(draw)
        case "relation":
            run("verify", file("v.json", mutated(draw, RELATION) if draw(st.integers(0, 5)) else RELATION))
        case "sgd":
            numbers = st.sampled_from(ORDINARY * 4 + EXTREME)
            unknown = draw(st.sampled_from([f"--steps={draw(st.sampled_from(COUNTS))}", f"--sigma={draw(numbers)}"]))
            run("calibrate-sgd", f"{draw(numbers)},{draw(DELTAS)}", f"--rate={draw(numbers)}", unknown)
        case "csv":
            run("compare", file("l.csv", sheet(draw)), f"--delta={draw(DELTAS)}", "--parameters=fixed-in-advance")


def fuzz(count: int, number: int) -> None:
    """So many examples of one seed."""

    @seed(number)
    @settings(
        max_examples=count, deadline=None, database=None, derandomize=False, print_blob=False,
        suppress_health_check=list(HealthCheck), phases=[Phase.generate],
    )  # fmt: skip
    @given(st.data())
    def one(data: Any) -> None:
        SHOWN.clear()
        try:
            example(data.draw)
        except AssertionError as wrong:
            FOUND.setdefault(str(wrong), json.dumps(SHOWN))

    one()


if __name__ == "__main__":
    os.environ.pop("PRIVREF_TRACEBACK", None)
    # A command loads what it uses; here all is loaded once, before the processes part.
    for module in pkgutil.walk_packages(privref.__path__, "privref."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("ibis.backends.duckdb", "pandas"):
        importlib.import_module(name)
    privref.statements()
    asked, first = int(sys.argv[1]), int(sys.argv[2])
    until = time.monotonic() + (float(sys.argv[3]) if len(sys.argv) > 3 else 0)
    try:
        fuzz(asked, first)
        while time.monotonic() < until:
            first += 1
            fuzz(asked, first)
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)
        found = {"last_seed": first, "counts": dict(sorted(CODES.items())), "slowest_s": SLOWEST, "peak_mib": LARGEST}
        print(json.dumps(found))
    for number, (wrong, shown) in enumerate(FOUND.items()):
        kept = Path(tempfile.gettempdir()) / f"privref-fuzz-found-{os.getpid()}-{number}.json"
        kept.write_text(shown, encoding="utf-8")
        print(wrong[:600], f"documents: {kept}", sep="\n", file=sys.stderr)
    sys.exit(bool(FOUND))
