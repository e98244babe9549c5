"""Proofs that the code says what the papers say, derivations, and certificates of the papers' errors.

One folder per paper and one file per statement: the statement in plain words, and a SymPy transcription typed from the
paper's text. Transcriptions never import privref; ``proofs.harness`` runs both and compares. ``python -m proofs``
prints the table, ``python -m proofs ID`` proves one statement, ``python -m proofs --index`` rewrites INDEX.md.
"""
