"""Build a release of the golden vectors that needs nothing of privref: ``python reference/vectors/release.py DIR``.

DIR holds the unpacked release, a wheel, a source archive, an npm package, one archive of everything, and SHA256SUMS.
The same sources give the same bytes. With ``--previous`` the answers are compared with those of an earlier release,
and each one that changed has to be named in ``ANSWERS.md`` with the reason.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from changed import changes, unexplained

from privref.exact.errors import InputError
from privref.vectors.export import exported_cases, format_page, written
from privref.vectors.generate import data_folder

#: Of the vectors, apart from that of privref. First number: the format; second: cases; third: answers and pages.
VERSION = "1.0.0"
NAME = f"privref-vectors-{VERSION}"
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
#: The first second of 1980, before which a ZIP archive knows no time.
EPOCH = 315532800

_PAGES = ("README.md", "ANSWERS.md", "PROTOCOL.md")
_SCHEMAS = ("vectors.1.json", "vectors.2.json", "harness.1.json")


def _copy(source: Path, target: Path) -> None:
    """Copy a file, with the release's version in it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    text = source.read_text(encoding="utf-8")
    if source.suffix in (".toml", ".json", ".py") and source.parent != data_folder():
        text = text.replace('"0.0.0"', f'"{VERSION}"')
    target.write_text(text, encoding="utf-8")


def _tree(folder: Path, only: Iterable[str]) -> None:
    """Write the unpacked release: pages, schemas, vectors, and the same vectors for each language."""
    only = tuple(only)
    cases = exported_cases(only)
    document = written(cases, "json")["vectors.json"]
    for name in _PAGES:
        _copy(HERE / name, folder / name)
    (folder / "FORMAT.md").write_text(format_page(), encoding="utf-8")
    (folder / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    for name in _SCHEMAS:
        _copy(Path(str(files("privref").joinpath("schemas", name))), folder / "schemas" / name)
    for part in ("bugs", "harnesses", "python", "npm", "rust", "go"):
        for path in sorted((HERE / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                _copy(path, folder / path.relative_to(HERE))
    chosen = {case["statement"] for case in cases}
    for path in sorted(data_folder().glob("*.json")):
        if json.loads(path.read_text(encoding="utf-8"))["statement"] in chosen:
            _copy(path, folder / "vectors" / path.name)
    package = folder / "python" / "privref_vectors"
    for target in (folder, package, folder / "npm", folder / "go"):
        (target / "vectors.json").write_text(document, encoding="utf-8")
    (folder / "rust" / "src" / "cases.rs").write_text(written(cases, "rust")["privref_vectors.rs"], encoding="utf-8")
    for part in ("schemas", "bugs"):
        shutil.copytree(folder / part, package / part)
    for part in ("python", "npm", "rust", "go"):
        for name in ("README.md", "LICENSE"):
            shutil.copyfile(folder / name, folder / part / name)


def _pack(archive: Path, folder: Path, prefix: str) -> None:
    """Pack a folder into a compressed archive whose bytes depend on the files' names and contents only."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as opened:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{prefix}/{path.relative_to(folder).as_posix()}")
            content = path.read_bytes()
            entry.size, entry.mtime, entry.mode = len(content), EPOCH, 0o644
            opened.addfile(entry, io.BytesIO(content))
    archive.write_bytes(gzip.compress(stream.getvalue(), mtime=0))


def _wheel_and_source(project: Path, target: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target), "-t", "wheel", "-t", "sdist"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InputError("hatchling", done.stderr.strip()[-200:], "install privref[dev], which has it")


def _require_explained(previous: Path, folder: Path) -> None:
    """Refuse a release in which an answer changed that ``ANSWERS.md`` does not name."""
    if previous.is_dir():
        previous = previous / "vectors.json"
    try:
        old: dict[str, Any] = json.loads(previous.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError("--previous", str(previous), f"give the vectors.json of a release ({error})") from None
    new = json.loads((folder / "vectors.json").read_text(encoding="utf-8"))
    missing = unexplained(changes(old, new), (folder / "ANSWERS.md").read_text(encoding="utf-8"))
    if missing:
        first = missing[0]
        raise InputError(
            "ANSWERS.md",
            f"{first['id']} ({first['kind']}: {first['old']} -> {first['new']})",
            f"write down why this case changed, and {len(missing) - 1} more",
        )


def release(target: Path, only: Iterable[str] = (), previous: Path | None = None) -> dict[str, str]:
    """Build the release into a new folder, whole or not at all; the SHA-256 of each archive by its name."""
    if target.exists():
        raise InputError("DIR", str(target), "name a folder that does not exist yet")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        work = Path(name) / "release"
        folder = work / NAME
        _tree(folder, only)
        if previous is not None:
            _require_explained(previous, folder)
        _wheel_and_source(folder / "python", work)
        _pack(work / f"{NAME}.npm.tgz", folder / "npm", "package")
        _pack(work / f"{NAME}-all.tar.gz", folder, NAME)
        sums = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(work.iterdir())
            if path.is_file()
        }
        (work / "SHA256SUMS").write_text(
            "".join(f"{value}  {name}\n" for name, value in sums.items()), encoding="ascii"
        )
        work.rename(target)
    return sums


def main() -> int:
    """Build a release; 2 where it cannot be built."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder that does not exist yet")
    parser.add_argument("--previous", type=Path, metavar="FILE", help="vectors.json of the last release")
    parser.add_argument("--only", action="append", default=[], metavar="STATEMENT", help="only these statements")
    given = parser.parse_args()
    try:
        sums = release(given.folder, given.only, given.previous)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for name, value in sums.items():
        print(f"{value}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
