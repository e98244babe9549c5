"""What a claim on the command line says, in each form in which people write it."""

from __future__ import annotations

import pytest

import privref
from privref.cli.shared import claimed

BOTH = {"epsilon": "1", "delta": "1e-6"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,1e-6", BOTH), ("1, 1e-6", BOTH), ("(1, 1e-6)", BOTH), ("eps=1,delta=1e-6", BOTH), ("ε = 1, δ = 1e-6", BOTH),
        ("delta=1e-6, epsilon=1", BOTH), ("rho=0.1", {"rho": "0.1"}), ("mu = 1/2", {"mu": "1/2"}),
        ("rho=1,delta=0", {"rho": "1", "delta": "0"}),
    ],
)  # fmt: skip
def test_a_claim_is_read(text: str, said: dict[str, str]) -> None:
    assert claimed(text, "--claim") == said


@pytest.mark.parametrize(
    "text",
    ["", "1", "1,2,3", "eps=1", "eps=1,eps=2", "delta=1,1", "mu=1,delta=0", "mu=1,rho=1", "sigma=1", "1,", "eps=,1"],
)
def test_what_is_no_claim_is_refused(text: str) -> None:
    with pytest.raises(privref.InputError, match=r"give (epsilon and delta|delta too)"):
        claimed(text, "--claim")
