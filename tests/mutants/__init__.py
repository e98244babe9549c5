"""Mutation testing: small changes to the code that the checks must notice. ``python -m tests.mutants --help``."""
