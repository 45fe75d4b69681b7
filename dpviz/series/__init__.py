"""Series of periods about the same people: one budget for each window of time."""
