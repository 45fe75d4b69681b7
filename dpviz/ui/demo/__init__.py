"""The screen *Demo*: Find Her. `story` gathers what is shown, `words` says it, `web` draws it."""
