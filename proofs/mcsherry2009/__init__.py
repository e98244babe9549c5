"""Transcriptions of McSherry 2009, parallel composition."""
