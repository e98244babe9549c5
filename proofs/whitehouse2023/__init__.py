"""Transcriptions of Whitehouse, Ramdas, Rogers, Wu 2023, typed from the ICML text and compared with the arXiv one."""
