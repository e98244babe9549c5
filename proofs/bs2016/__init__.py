"""Transcriptions of Bun and Steinke 2016, group privacy."""
