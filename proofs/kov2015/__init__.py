"""Transcriptions of Kairouz, Oh, Viswanath 2015, Theorem 3.3, as the seed papers use it."""
