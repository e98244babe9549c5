"""Results for people and programs: text, JSON documents, plots."""
