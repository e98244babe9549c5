"""Kahane 1985: the convexity inequality."""
