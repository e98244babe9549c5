"""The registry of statements: every bound is a function with an id, a kind, hypotheses and a citation."""
