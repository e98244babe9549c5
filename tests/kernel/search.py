"""Look for certificates of false claims that the kernel verifies: ``python -m tests.kernel.search TRIES [SEED]``.

It starts from honest certificates of true claims and makes the claim false: epsilon or delta below what a lower bound
shows, so that no proof can be right. Then it changes the witness, the theorem and the ledger's digest at random, in
several fields at once, and moves proofs from one certificate to another. Nothing of it may be verified.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from fractions import Fraction
from typing import Any

from privref import kernel
from privref.exact.numbers import spell
from privref.kernel.numbers import digest
from privref.kernel.theorems import TABLES
from tests.kernel.test_certificates import CERTIFIED, good

Document = dict[str, Any]

#: Claims about these ledgers at delta 1e-6 (1e-3 for the last two) are false: 0.6 of the least epsilon that any theorem
#: of ours proves is below a lower bound, which ``prepared`` checks with the audit before anything is tried.
SHRINK = (Fraction(3, 5), Fraction(4, 5), Fraction(19, 20))


def prepared(names: list[str]) -> list[tuple[str, Document]]:
    """Return certificates whose claim the audit refutes or calls underivable, with the proofs of the true claim."""
    import privref

    found = []
    for name in names:
        document = good(name)
        record = document["ledger"]["document"]
        ledger = privref.ledger_from_document(record)
        if record["parameters"] != "fixed-in-advance":
            continue
        for epsilon in least(ledger, document["claim"]):
            claim = {**document["claim"], "epsilon": spell(epsilon)}
            claim.pop("by", None)
            claims = privref.claims_from_document({"schema": "claims.1", "claims": [claim]})
            verdict = privref.audit(ledger, claims).opinions[0].verdict
            if verdict in ("refuted", "underivable"):
                found.append((name, {**copy.deepcopy(document), "claim": claim}))
    return found


def least(ledger: Any, claim: Document) -> list[Fraction]:
    """Return epsilons near the least one that is proved at the claim's delta."""
    import privref

    if "epsilon" not in claim:
        return []
    bounds, _, _ = privref.compare(ledger, claim["delta"])
    values = [bound.enclosure.lower for bound in bounds if bound.enclosure is not None]
    return [min(values) * share for share in SHRINK] if values else []


def changed(chance: random.Random, document: Document, others: list[Document]) -> Document:
    """Return the document with its proof altered in one to four ways."""
    made = copy.deepcopy(document)
    for _ in range(chance.randint(1, 4)):
        proof = chance.choice(made["proofs"])
        match chance.randrange(6):
            case 0:
                proof["by"] = chance.choice(list(TABLES["epsilon"]))
            case 1:
                proof["witness"] = copy.deepcopy(chance.choice(chance.choice(others)["proofs"])["witness"])
            case 2:
                made["proofs"] = copy.deepcopy(chance.choice(others)["proofs"])
            case 3:
                unit = spell(Fraction(made["claim"]["epsilon"]) / chance.randint(1, 3))
                proof["of_unit"] = {"epsilon": unit, "delta": made["claim"]["delta"]}
            case 4:
                proof["witness"][chance.choice(KEYS)] = chance.choice(VALUES)
            case _:
                for key, value in proof["witness"].items():
                    proof["witness"][key] = perturbed(chance, value)
    return made


KEYS = ("delta_prime", "order", "precision", "step", "bits", "low", "high", "own")
VALUES = ("1", "1e-6", "2", "0", "-1", "1e-300", "1e6", 1, 32, 0, -1, 64, 2**30, -(2**30), True, None, [], "1/3")


def perturbed(chance: random.Random, value: Any) -> Any:
    """Return a value near, or far from, the given one."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return value
    factor = chance.choice(
        (Fraction(1, 2), Fraction(2), Fraction(9, 10), Fraction(11, 10), Fraction(1, 100), Fraction(1))
    )
    if isinstance(value, int):
        return int(value * factor) + chance.randint(-1, 1)
    return spell(Fraction(value) * factor)


def main(tries: int, seed: int) -> int:
    """Try so many alterations; return how many certificates of false claims were verified."""
    chance = random.Random(seed)
    starts = prepared(CERTIFIED)
    others = [good(name) for name in CERTIFIED]
    verified = refused = malformed = 0
    for _ in range(tries):
        name, document = chance.choice(starts)
        made = changed(chance, document, others)
        if chance.random() < 0.3:
            record = made["ledger"]["document"]
            made["ledger"] = {"sha256": digest(record, "ledger"), "document": record}
        try:
            kernel.check(json.loads(json.dumps(made)))
        except kernel.Refused:
            refused += 1
        except kernel.Malformed:
            malformed += 1
        else:
            verified += 1
            print(f"VERIFIED {name}: {json.dumps(made)}")
    print(
        f"{tries} tries from {len(starts)} false claims: {verified} verified, {refused} refused, {malformed} malformed"
    )
    return verified


if __name__ == "__main__":
    sys.exit(min(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0), 1))
