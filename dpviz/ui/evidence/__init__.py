"""The screen *Evidence*: what was recorded by experiments; page draws, the others are pure."""
