"""Cesar, Rogers 2021, Bounding, concentrating, and truncating."""
