"""Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu 2023: (amplified) banded matrix factorization."""
