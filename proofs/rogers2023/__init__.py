"""Rogers 2023, A unifying privacy analysis framework for unknown domain algorithms."""
