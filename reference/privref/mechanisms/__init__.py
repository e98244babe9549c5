"""Mechanisms: their guarantees, their exact laws and their runs."""
