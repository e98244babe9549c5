"""Transcriptions of Murtagh, Vadhan 2016, the optimal composition of different rounds."""
