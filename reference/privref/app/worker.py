"""One reading or one audit, in a process of its own: ``python -m privref.app.worker FOLDER``.

The folder holds ``task.json``. The process writes ``progress`` while it works, files into ``out`` and, at the end,
``answer.json``. It ends when its standard input does, which is when the server is gone.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any


def _limit(task: dict[str, Any]) -> None:
    """Bound the process's memory, time and files where the system can."""
    try:
        import resource
    except ImportError:  # Windows has none; the server bounds the time there
        return
    seconds = int(task["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (task["file_bytes"], task["file_bytes"]))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (task["memory_bytes"], task["memory_bytes"]))


def _end_with_the_server() -> None:
    sys.stdin.read()
    os._exit(1)


def _said(error: Exception, folder: Path) -> str:
    """Return the refusal in the words of the pages, with the file's own name: where the app keeps it is private."""
    from .tasks import in_pages

    return in_pages(str(error).replace(f"{folder / 'in'}{os.sep}", ""))


def main(folder: Path) -> int:
    """Do the folder's task; 0 where it was answered, be it by a refusal."""
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    _limit(task)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    # Imported under the limits.
    from privref.exact.errors import InputError, InputErrors, PrivrefError
    from privref.report import write_whole

    from . import tasks

    try:
        answer = tasks.TASKS[task["kind"]](task, folder)
    except InputError as error:
        errors = error.errors if isinstance(error, InputErrors) else (error,)
        answer = {"refused": [_said(each, folder) for each in errors]}
    except PrivrefError as error:
        answer = {"refused": [_said(error, folder)]}
    except MemoryError:
        answer = {"stopped": "memory"}
    write_whole(folder / "answer.json", json.dumps(answer, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
