"""Clopper, Pearson 1934, exact intervals for a proportion."""
