"""Transcriptions of Canonne, Kamath, Steinke 2020, the conversion of zCDP."""
