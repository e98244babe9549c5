"""Every sample of Rogers 2016 and Whitehouse 2023, to 30 digits, in both engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from privref import catalogue
from privref.statements.registry import evaluate

catalogue.load()

_SAMPLES = json.loads((Path(__file__).parents[1] / "data" / "samples.json").read_text())["samples"]
_OURS = [sample for sample in _SAMPLES if sample["id"].startswith(("rogers2016/", "whitehouse2023/"))]


def test_there_are_samples_of_both_papers() -> None:
    assert len(_OURS) >= 80
    assert len({sample["id"] for sample in _OURS}) >= 40


@pytest.mark.parametrize("engine", ["arb", "mpmath"])
@pytest.mark.parametrize("sample", _OURS, ids=[f"{i}-{sample['id']}" for i, sample in enumerate(_OURS)])
def test_sample_is_reproduced_to_thirty_digits(sample: dict[str, Any], engine: Any) -> None:
    answer = evaluate(sample["id"], sample["inputs"], digits=30, engine=engine)
    if sample["kind"] == "exact":
        assert answer.value == sample["value"]
    if "lower" in sample:
        assert answer.enclosure is not None
        assert answer.enclosure.decimals(30) == (sample["lower"], sample["upper"])
