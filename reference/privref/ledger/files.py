"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, or leave what was there: also where a signal comes in between. Text in UTF-8, lines as they are.

    OSError where the folder can not be written.
    """
    name = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".privref-", delete=False) as file:
            name = Path(file.name)
            file.write(content.encode() if isinstance(content, str) else content)
        name.chmod(0o644)
        os.replace(name, path)
    except BaseException:
        if name is not None:
            name.unlink(missing_ok=True)
        raise
