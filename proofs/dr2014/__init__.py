"""Transcriptions of Dwork and Roth 2014, group privacy."""
