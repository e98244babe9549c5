"""Write the page of the documentation about the kernel: ``python -m tests.kernel.page > reference/docs/kernel.md``."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import privref.kernel
from privref.kernel.machines import ODOMETERS
from privref.kernel.relations import STATEMENTS
from privref.kernel.theorems import TABLES
from privref.statements.theorems import theorem
from tests.kernel.cases import UNCERTIFIED
from tests.kernel.faults import MISREAD, NONE, OTHER, REFUSED, VERIFIED

ROOT = Path(privref.kernel.__file__).parent
#: The order in which the kernel is read: what comes later uses only what came before.
ORDER = (
    "numbers", "fields", "balls", "evidence", "pairs", "record", "losses", "bins", "grid", "inequalities", "ranges",
    "theorems", "refutations", "machines",
    "certificate", "relations", "__main__", "__init__",
)  # fmt: skip

HEAD = """# The kernel: what you have to trust

`privref audit --certificates DIR` writes, for each claim that it confirms or refutes, or calls underivable or
contradicted by evidence, a certificate with a proof (`certificate.2`). `privref verify` decides about such a
certificate with `privref.kernel` alone: {lines:,} lines of Python in {files} files, Arb (through python-flint) for real
numbers, rfc8785 for the digest of a ledger, and Python's standard library. The kernel imports nothing else of privref.
The code that finds bounds, plans grids and prints reports may be wrong. A fault there can cost a certificate, but it
cannot make a false claim `verified`.

- It reads the ledger and the claim with a reader of its own, and refuses each field that it does not use.
- It has its own code for the probability law of each mechanism and for the hypotheses of each theorem.
- It does not search. Some proofs need a value that had to be searched for: an order, a split of delta, a grid, an
  event, a threshold. The audit finds this value and writes it into the certificate, as a *witness*. The kernel puts it
  into the theorem once, at the stated precision.
- If it cannot check something, it refuses and says why. `unsupported`, `conditional`, `inapplicable`,
  `out-of-scope`, `undecided` and `depends-on-digits` say what was *not* proved. They have no certificate.

`python -m privref.kernel CERTIFICATE [LEDGER]` runs it without the rest of the package. It answers 0 (verified), 1 (not
verified) or 2 (a document that cannot be read).

## Read it in this order

Two words of the tables: "sums apart" means "except plain sums", and a *put option*, a word of finance, is the expected
value of max(0, a - X) of a random number X.

| file | lines | what it decides |
|---|---:|---|
"""

MIDDLE = """
## Theorems and their witnesses

The third column says which claims a theorem decides: `epsilon` is (ε, δ)-DP, `rho` is zCDP, `mu` is Gaussian DP,
`reading` is what an odometer showed, `remaining` is what a filter had left of its budget, and `relation` compares two
published numbers. A theorem that decides two kinds of claims stands in two rows. A claim of `mu` is also decided by
points of its curve: each point is a claim of (ε, δ)-DP with a proof of its own, and a lower bound at one point
contradicts the claim. The first column has the name
that an audit prints, and the last column the words of the kernel, which `privref verify` prints.

| name | theorem | claim | in the kernel's words |
|---|---|---|---|
"""

TAIL = """
## Verdicts without a certificate of the kernel

These verdicts have no certificate. The report says so (`no certificate: …`, `without_certificate` in JSON):

{uncertified}- a claim that evidence contradicts indirectly: because it contradicts what the ledger proves, or
  because it contradicts an (epsilon, delta) claim that follows from a claim of rho or mu, of a group or of periods.
  The kernel compares evidence only with an (epsilon, delta) claim of one unit;
- a confirmed claim of a ledger with evidence, unless it is an (epsilon, delta) claim about the ledger's own neighbours;
- a verdict about a sheet that leaves open the neighbours or the parameters, or that has
  more than 2 MB in its ledger document (more than 50,000 rows always have): the kernel reads that document.

The kernel also checks a `relation-certificate.1`, which is about published numbers of a registry's entry. `privref
verify` checks one kind of document by code that is not the kernel, and says so: an `attack-certificate.1` is about an
accountant's program. Neither has a ledger.

## Faults that were planted

{faults}

## Five arguments that the code rests on

**Splitting a cell keeps an upper bound.** A cell is the set of answers with losses between two neighbouring points
a < b of a grid. Let P and Q be its two probabilities. Split the cell into answers with loss a and answers with loss b,
such that both probabilities stay the same. Merging the two parts gives the cell back. Merging is post-processing, so
the split pair dominates. Each probability is then rounded up, which can only raise delta. If the step is halved, the
error of a split is about a quarter.

**An event is a lower bound.** For every set $S$ of answers, δ at ε is at least $P(S) - e^{{\\varepsilon}} Q(S)$.
Here $S$ is "the cells of the rounds sum to at least a threshold". $P$ is rounded down and $Q$ up. Where a record is in
$k$ of $t$ steps, drawn at random, the cells of a step are those of any one function of its answer. Their sum has the
same law whichever steps were drawn, and both probabilities are those of independent steps.

**A lattice of ratios stands for a run on balls in bins.** A list of losses with masses $m$ of $P$ may stand for a
mechanism in a product if $\\sum m (1 - K e^{{-\\text{{loss}}}})_+$ is at least its δ at ε = log K for each $K \\ge 0$:
what the product loses is a mean of that over the losses of the others. The masses need not sum to 1. Of balls in bins
the ratio $A$ of both laws is a mean of independent numbers, and all losses follow from $E(K - A)_+$. A lattice bounds
that from above. Its weights, with what they lack, are such a list (`bins.py`). So several runs compose, and with them
the blocks of a record that is in k of t steps.

**Points below a curve prove it.** μ-Gaussian DP for the δ from $a$ to $b$ says that for each of these δ the whole is
(ε, δ)-DP with $D(\\varepsilon) = \\delta$, or ε = 0 where $D(0)$ is less. $D$ is the curve of μ-Gaussian DP, and falls
strictly. Let $(\\varepsilon_i, \\delta_i)$ be proved for $i = 0, \\dots, n$, with $\\varepsilon_0 = 0$ or
$D(\\varepsilon_0) \\ge b$, with $D(\\varepsilon_i) \\ge \\delta_{{i-1}}$ for the later ones, and $\\delta_n \\le a$.
For a δ of the range take the first $i$ with $\\delta_i \\le \\delta$. Then $\\varepsilon_i = 0$ or
$D(\\varepsilon_i) \\ge \\delta$, so that $\\varepsilon_i$ is at most the ε that is claimed of δ.

**A smaller claim about one unit proves one about a group.** If a mechanism is (ε, δ)-DP for one unit, then for data
that are $m$ neighbours apart it is $(\\varepsilon', \\delta')$-DP (Vadhan 2017, Lemma 2.2), where

$$\\varepsilon' = m \\varepsilon, \\qquad
\\delta' = \\delta \\, \\frac{{e^{{m \\varepsilon}} - 1}}{{e^{{\\varepsilon}} - 1}}.$$
"""


FAULTS = """`python -m tests.kernel.faults run` changes one line of the code outside the kernel at a time, and audits
claims again that are known to be false. It made {mutants:,} changes in {files} files, with {claims} false claims. After
{turned} of these changes an audit confirmed a false claim:

{ends}

So the kernel verified {verified} false claims about a ledger. `tests/kernel/false_claims.json` says why each claim is
false, `tests/kernel/faults.json` which changes confirmed it.

`python -m tests.kernel.search 100000` makes 100,000 certificates at random: it changes witnesses, theorems and the
combination of disjoint parts, several at once, and attaches proofs to the false claims. The kernel verified none of
them."""

#: What became of a change after which a false claim was confirmed, by the end that the campaign recorded.
ENDS = {
    NONE: "there was no certificate",
    REFUSED: "there was a certificate, and the kernel refused it",
    OTHER: "there was a certificate about another claim",
    MISREAD: (
        "privref misread a sheet. The kernel verified the certificate, which is right about the ledger that it holds.\n"
        "  But the sheet says something else. `privref verify` says that nobody checked the sheet itself"
    ),
    VERIFIED: "the kernel verified the certificate of a false claim",
}


def page() -> str:
    """Return the page."""
    rows = []
    total = 0
    found = json.loads((Path(__file__).parent / "faults.json").read_text(encoding="utf-8"))
    assert {path.stem for path in ROOT.glob("*.py")} == set(ORDER)
    for name in ORDER:
        text = (ROOT / f"{name}.py").read_text(encoding="utf-8")
        says = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
        total += len(text.splitlines())
        rows.append(f"| `{name}.py` | {len(text.splitlines())} | {says} |\n")
    theorems = [
        f"| {theorem(id).name} | `{id}` ({row.cites}) | {notion} | {row.says} |\n"
        for notion, table in TABLES.items()
        for id, row in table.items()
    ]
    theorems += [
        f"| {theorem(id).name} | `{id}` ({row.cites}) | reading | {row.says} |\n" for id, row in ODOMETERS.items()
    ]
    theorems += [
        f"| | `{id}` | relation | the least epsilon of a {row[0]} and a {row[1]} |\n" for id, row in STATEMENTS.items()
    ]
    accountant = "hartmann2022/alg1"
    theorems.append(
        f"| {theorem(accountant).name} | `{accountant}` (Algorithm 1) | remaining "
        "| what the observed cells leave of a budget |\n"
    )
    by_end: dict[str, int] = found["by_end"]
    assert sum(by_end.values()) == found["turned"]
    assert by_end.keys() <= ENDS.keys()
    ends = "\n".join(f"- After {by_end[end]} {words}." for end, words in ENDS.items() if end in by_end)
    uncertified = "".join(f"- {name} ({case[2]});\n" for name, case in UNCERTIFIED.items())
    return (
        HEAD.format(lines=total, files=len(ORDER))
        + "".join(rows)
        + MIDDLE
        + "".join(theorems)
        + TAIL.format(
            faults=FAULTS.format(**found, ends=ends),
            uncertified=uncertified,
        )
    )


if __name__ == "__main__":
    print(page(), end="")
