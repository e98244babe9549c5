"""Witnesses of the errata: one function per row of privref.statements.errata, which recomputes its evidence exactly.

A witness returns nothing and fails by AssertionError. It uses rationals, or rigorous enclosures on which two engines
agree, and small code of its own; where it shows that a printed bound is violated it evaluates privref's statement of
that bound.
"""
