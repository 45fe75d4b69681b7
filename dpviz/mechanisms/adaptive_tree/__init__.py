"""The parts of `adaptive_tree`: exact budgets, growth, inference, residual rounds."""
