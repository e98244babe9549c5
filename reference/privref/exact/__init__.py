"""Exact inputs, rigorous enclosures and certain comparisons."""
