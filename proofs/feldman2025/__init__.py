"""Feldman, Shenfeld 2025, Privacy amplification by random allocation."""
