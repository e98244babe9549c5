"""Rogers, Samorodnitsky, Wu, Ramdas 2023, Adaptive privacy composition for accuracy-first mechanisms."""
