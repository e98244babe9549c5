"""The command that installs an extra of privref, in the environment in which privref runs."""

from __future__ import annotations

import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from urllib.parse import unquote, urlsplit


def install(extra: str) -> str:
    """Return the shell command that installs the extra from where privref itself was installed (PEP 610).

    >>> install("html").endswith(("[html]'", "[html]"))
    True
    """
    try:
        origin = json.loads(distribution("privref").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:  # the sources are on the path, and nothing is installed
        origin = {}
    url, editable = origin.get("url", ""), origin.get("dir_info", {}).get("editable", False)
    if "dir_info" in origin or ("archive_info" in origin and url.startswith("file:")):
        what = f"{unquote(urlsplit(url).path)}[{extra}]"
    elif "vcs_info" in origin:
        vcs = origin["vcs_info"]
        what = f"privref[{extra}] @ {vcs['vcs']}+{url}@{vcs['commit_id']}"
    else:
        what = f"privref[{extra}] @ {url}" if url else f"privref[{extra}]"
    pip = [sys.executable, "-m", "pip", "install"]
    if find_spec("pip") is None:  # an environment made by uv
        pip = ["uv", "pip", "install", "--python", sys.executable]
    return shlex.join([*pip, *(["--editable"] if editable else []), what])
