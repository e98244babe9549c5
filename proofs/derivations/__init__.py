"""Derivations between statements, each a list of steps that a machine checks; run by proofs/test_derivations.py.

A step is a sentence and a check. Checks are SymPy identities and signs, exact rationals, or rigorous enclosures from
privref's own engines; nothing is checked to a tolerance.
"""
