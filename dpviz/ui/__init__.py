"""The screen below the pages: words, plain values, pure layers, theme, state."""
