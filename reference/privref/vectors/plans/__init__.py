"""The plans, by paper: which cases each statement's vectors hold, and why."""
