"""Write the documentation's glossary: ``python -m tests.glossary > reference/docs/glossary.md``."""

from __future__ import annotations

from privref.cards import terms

#: The sections, with what they are about.
SECTIONS = {
    "verdict": ("Verdicts", "What an audit says of a claim."),
    "word of a ledger": (
        "Words of a ledger",
        "What a ledger declares. [The ledger, field by field](ledger.md) has the rest.",
    ),
    "guarantee": ("Guarantees", "What an event promises."),
    "mechanism": ("Mechanisms and samples", "What ran, and how its records were drawn."),
    "notion": ("Notions", "What the theorems and the reports speak of."),
    "word of another answer": (
        "Words of other answers",
        "What `privref verify`, `attack`, `judge`, `replay` and `registry` say.",
    ),
}

HEAD = """# Glossary

Every word here can be asked on the command line too: `privref explain underivable`, `privref explain privacy loss`.
"""


def page() -> str:
    """Return the page, from the package's own list."""
    lines = [HEAD]
    for kind, (title, about) in SECTIONS.items():
        lines += [f"## {title}", "", about, ""]
        for term in sorted((term for term in terms() if term["kind"] == kind), key=lambda term: term["term"]):
            also = f" (also: {', '.join(term['also'])})" if "also" in term else ""
            lines += [
                f"**{term['term']}**{also}",
                "",
                term["says"] + (f" *What to do:* {term['so']}" if "so" in term else ""),
            ]
            lines += ["", f"See also: {', '.join(term['see'])}."] if "see" in term else []
            lines += [""]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(), end="")
