"""Contracts on the exact core, checked by CrossHair (`crosshair check --analysis_kind=PEP316`), within bounds.

CrossHair runs the functions on symbolic integers and short strings and searches for a counterexample; what it reports
as confirmed it has exhausted, what it leaves open it has not refuted. It reaches: reading of numbers, budget
subtraction, the rational step machines, intersection of enclosures. It can not reach: powers of symbolic integers
(directed rounding to decimals and the exact sum use them; they are properties in proofs/test_contracts.py), anything
through FLINT or mpmath (compiled, or unbounded loops over bits), rounding to binary64 (its own float model is the real
numbers), the precision ladder, and lists longer than a few entries. Those are covered by the property-based tests and
by the comparison of the two engines.
"""
