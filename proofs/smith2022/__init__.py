"""Transcriptions of the Gaussian-DP filter (Smith, Thakurta 2022; Koskela, Tobaben, Honkela 2023)."""
