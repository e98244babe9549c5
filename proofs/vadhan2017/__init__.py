"""Transcriptions of Vadhan 2017, group privacy."""
