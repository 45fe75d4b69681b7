"""Opening a file of one's own: places, unit, registration."""
