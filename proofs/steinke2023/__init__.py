"""Steinke, Nasr, Jagielski 2023, Privacy auditing with one (1) training run."""
