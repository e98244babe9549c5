"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from privref.exact.errors import InputError

#: What Windows takes for a device in every folder, in any case and with any ending: "aux.txt" is the device aux.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE | re.DOTALL
)


def require_file_name(name: str, field: str) -> None:
    """Refuse a name that some platform cannot give a file; the same on every one, since files are sent to others."""
    if _DEVICE.fullmatch(name):
        remedy = "a file is written under this name, and on Windows it is a device, whatever its ending; choose another"
        raise InputError(field, name, remedy)
    if name != name.rstrip(". ") or not name:
        remedy = "a file is written under this name, and Windows drops dots and blanks at its end; choose another"
        raise InputError(field, name, remedy)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, or leave what was there: also where a signal comes in between. Text in UTF-8, lines as they are.

    OSError where the folder cannot be written.
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
