"""Look for certificates of false claims that the kernel verifies: ``python -m tests.kernel.search TRIES [SEED]``.

It starts from the false claims of ``false_claims.json``, most of them a little below what is certainly lost, with the
honest proofs of a true claim about the same events. Then it changes the witness, the theorem, the unit's claim of a
group and the case at random, several at once, and moves proofs from one certificate to another. Nothing of it may be
verified.
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
from tests.kernel.cases import GOOD
from tests.kernel.faults import SMALLER, corpus
from tests.kernel.test_certificates import CERTIFIED, good

Document = dict[str, Any]


def prepared() -> list[tuple[str, Document]]:
    """Return a certificate of each false claim of the corpus, with the proofs of a true claim about such a ledger.

    ``faults.corpus`` says why each claim is false.
    """
    found = []
    for item in corpus():
        if "ledger" not in item:
            continue
        name = item["name"].removesuffix(SMALLER)
        made = copy.deepcopy(good(name if name in GOOD else "basic"))
        record = item["ledger"]
        made |= {"claim": item["claim"], "ledger": {"sha256": digest(record, "ledger"), "document": record}}
        found.append((item["name"], made))
    return found


def changed(chance: random.Random, document: Document, others: list[Document]) -> Document:
    """Return the document with its proof altered in one to four ways."""
    made = copy.deepcopy(document)
    for _ in range(chance.randint(1, 4)):
        proof = chance.choice(made["proofs"])
        match chance.randrange(7):
            case 0:
                proof["by"] = chance.choice(list(TABLES[next(notion for notion in TABLES if notion in made["claim"])]))
            case 1:
                proof["witness"] = copy.deepcopy(chance.choice(chance.choice(others)["proofs"])["witness"])
            case 2:
                made["proofs"] = copy.deepcopy(chance.choice(others)["proofs"])
            case 3:
                unit = spell(Fraction(made["claim"].get("epsilon", "1")) / chance.randint(1, 3))
                proof["of_unit"] = {"epsilon": unit, "delta": made["claim"].get("delta", "0")}
            case 4:
                proof["case"] = {"county": chance.choice(("North", "South"))}
            case 5:
                proof["witness"][chance.choice(KEYS)] = chance.choice(VALUES)
            case _:
                for key, value in proof["witness"].items():
                    proof["witness"][key] = perturbed(chance, value)
    return made


KEYS = ("delta_prime", "order", "precision", "step", "bits", "low", "high", "own", "splits", "orders", "p", "q")
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


def is_slow(document: Document) -> bool:
    """Whether a proof is a long recursion: of these one in fifty is tried."""
    return any(proof["by"].startswith("dong2020/") and "step" in proof["witness"] for proof in document["proofs"])


def main(tries: int, seed: int) -> int:
    """Try so many alterations; return how many certificates of false claims were verified, or made the kernel fail."""
    chance = random.Random(seed)
    starts = prepared()
    others = [good(name) for name in CERTIFIED]
    verified = refused = malformed = crashed = 0
    for _ in range(tries):
        name, document = chance.choice(starts)
        while is_slow(document) and chance.randrange(50):
            name, document = chance.choice(starts)
        made = changed(chance, document, others)
        try:
            kernel.check(json.loads(json.dumps(made)))
        except kernel.Refused:
            refused += 1
        except kernel.Malformed:
            malformed += 1
        except Exception as error:
            crashed += 1
            print(f"CRASHED {name}: {type(error).__name__}: {error}: {json.dumps(made)}")
        else:
            verified += 1
            print(f"VERIFIED {name}: {json.dumps(made)}")
    print(
        f"{tries} tries from {len(starts)} false claims: {verified} verified, {refused} refused, "
        f"{malformed} malformed, {crashed} crashed"
    )
    return verified + crashed


if __name__ == "__main__":
    sys.exit(min(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0), 1))
