"""The parts of the independent check of a certificate; ``privref.audit.verify`` is its door."""
