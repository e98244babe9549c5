"""Transcriptions of Dong, Durfee, Rogers 2020, composition of bounded range."""
