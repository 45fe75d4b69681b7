"""Accuracy where nobody tuned: data sets of different character, errors on raw records, every cell won or lost."""
