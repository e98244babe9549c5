"""Composition of guarantees whose parameters are fixed in advance."""
