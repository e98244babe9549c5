"""Check a certificate with the kernel alone: ``python -m privref.kernel CERTIFICATE [LEDGER]``.

Exit codes: 0 verified, 1 not verified, 2 a document that cannot be read.
"""

from __future__ import annotations

import sys
from pathlib import Path

from privref.kernel.certificate import check
from privref.kernel.numbers import Malformed, Refused, document


def main(arguments: list[str]) -> int:
    """Check the certificate in one file against the ledger in another, or the one that it holds."""
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        print("usage: python -m privref.kernel CERTIFICATE [LEDGER]", file=sys.stderr)
        return 2
    try:
        texts = [Path(name).read_text(encoding="utf-8") for name in arguments]
        found = check(*(document(text, name) for text, name in zip(texts, arguments, strict=True)))
    except (OSError, UnicodeError, Malformed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except Refused as refusal:
        print(f"not verified: {refusal}")
        return 1
    print(f"verified: {found.verdict} by {', '.join(found.by)}; ledger {found.sha256}")
    for premise in found.premises:
        print(f"premise: {premise}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
