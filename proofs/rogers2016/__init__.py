"""Transcriptions of Rogers, Roth, Ullman, Vadhan 2016 (NeurIPS), typed from both extractions of its text."""
