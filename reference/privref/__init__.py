"""privref: an exact, formally backed reference for adaptive privacy composition."""
