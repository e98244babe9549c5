"""The mpmath engine gives the same enclosures on Python's integers and, where gmpy2 is installed, on GMP's."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import json, mpmath, privref
inputs = {"rho": "1/7", "delta": "1e-6"}
found = privref.evaluate("cks2020/zcdp2dp.eps", inputs, engine="mpmath", digits=30).enclosure
ends = found.lower, found.upper
assert all(type(part) is int for end in ends for part in (end.numerator, end.denominator))
print(json.dumps([mpmath.libmp.BACKEND, *map(str, ends)]))
"""


def test_gmp_changes_nothing_but_time() -> None:
    pytest.importorskip("gmpy2", reason="gmpy2 is not installed (privref[fast])")
    found = {}
    for setting in ("", "1"):
        environment = {name: value for name, value in os.environ.items() if name != "MPMATH_NOGMPY"}
        environment |= {"MPMATH_NOGMPY": setting} if setting else {}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        backend, *ends = json.loads(done.stdout)
        found[backend] = ends
    assert set(found) == {"gmpy", "python"}
    assert found["gmpy"] == found["python"]
