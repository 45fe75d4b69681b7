"""Options that several commands share, and the way from their text to values."""
