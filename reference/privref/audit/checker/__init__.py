"""The parts of the check of a certificate; ``privref.audit.verify`` is its door, and says what it shares."""
