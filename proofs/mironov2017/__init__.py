"""Transcriptions of Mironov 2017, group privacy."""
