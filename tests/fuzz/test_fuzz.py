"""No small document makes a command end in 70, take 60 seconds of processor time, or take 2 GiB.

The suite draws a few documents, always the same ones, and more with ``--exhaustive``.
``PRIVREF_FUZZ_SECONDS=600 pytest tests/fuzz`` draws others for that long; ``python tests/fuzz/worker.py 300 SEED``
repeats the ones of a seed. Failures come with their documents.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

WORKER = Path(__file__).parent / "worker.py"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits of resources are POSIX")
@pytest.mark.longer
def test_small_documents(pytestconfig: pytest.Config) -> None:
    documents = "160" if pytestconfig.getoption("exhaustive") else "40"
    seconds = os.environ.get("PRIVREF_FUZZ_SECONDS")
    counts: Counter[str] = Counter()
    for number in (4, 1, 2, 3) if seconds is None else [random.randrange(10**6)]:
        arguments = [documents, str(number)] if seconds is None else ["200", str(number), seconds]
        ran = subprocess.run([sys.executable, str(WORKER), *arguments], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr[-4000:] + ran.stdout[-2000:]
        found = json.loads(ran.stdout.splitlines()[-1])
        print(found)
        counts += Counter(found["counts"])
        # Documents of every kind are drawn, and a fair share of the ledgers is read.
        ledgers = {name: count for name, count in counts.items() if name.split()[0] in ("audit", "compare", "replay")}
        read = sum(count for name, count in ledgers.items() if not name.endswith(" 2"))
        if read >= 3 and counts["certificates issued"]:
            return
    raise AssertionError(f"next to nothing that was drawn is read: {counts}")
