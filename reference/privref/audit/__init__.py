"""Claims, verdicts, certificates, and the independent check of certificates."""
