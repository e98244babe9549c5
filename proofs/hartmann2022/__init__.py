"""Transcriptions of Hartmann, Bindschaedler, Bentkamp, West 2022 (PoPETs), typed from its text."""
