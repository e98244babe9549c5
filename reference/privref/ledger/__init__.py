"""The record of what was run: model and readers."""
