"""Adaptive composition as games between a curator and an adversary."""
