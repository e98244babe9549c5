"""Privacy guarantees and the conversions between them."""
