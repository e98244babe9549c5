"""Transcriptions of Papernot and Steinke 2022, hyperparameter tuning with Renyi differential privacy."""
