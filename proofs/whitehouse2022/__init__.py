"""Whitehouse, Ramdas, Wu, Rogers 2022, Brownian noise reduction."""
