"""Transcriptions of Balle, Barthe, Gaboardi 2018, amplification by sampling."""
