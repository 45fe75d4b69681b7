"""The life of a release after its run: files, feed, corrections, withdrawals, registers."""
