"""Transcriptions of Liu and Talwar 2019, private selection."""
