"""Every sample of Hartmann et al. 2022, to 30 digits, in both engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from privref import catalogue
from privref.statements.registry import evaluate

SAMPLES = [
    sample
    for sample in json.loads((Path(__file__).parent / "data" / "samples.json").read_text(encoding="utf-8"))["samples"]
    if sample["id"].startswith("hartmann2022/")
]

catalogue.load()


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample['id']}-{SAMPLES.index(sample)}")
def test_sample_is_reproduced_to_30_digits(sample: dict[str, Any], engine: Any) -> None:
    answer = evaluate(sample["id"], sample["inputs"], engine=engine)
    if "lower" in sample:
        assert answer.enclosure is not None
        assert answer.enclosure.decimals(30) == (sample["lower"], sample["upper"])
    if "value" in sample:
        assert answer.value == sample["value"]
