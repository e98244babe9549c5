"""Transcriptions of Dong, Roth, Su 2019, Corollary 1, the profile of Gaussian DP."""
