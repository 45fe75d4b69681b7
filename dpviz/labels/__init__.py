"""What a release promises and how good it is, in sentences."""
