"""Kalinin, Lampert 2024: banded square root matrix factorization."""
