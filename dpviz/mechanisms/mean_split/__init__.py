"""Noisy means of the cells of a public random partition, then noisy steps on records: for five dimensions and more."""
