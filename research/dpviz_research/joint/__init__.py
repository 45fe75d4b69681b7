"""Noisy sums of several holders, none of whom sees another's records. An experiment: research/joint.md."""
