"""Filters and odometers: composition of guarantees whose parameters are chosen as the interaction goes."""
