"""The engine of peeled_balls: a pyramid of block sums, a public ladder of windows, exact removal."""
