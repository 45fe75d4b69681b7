"""Units of protection: persons, caps and weights."""
