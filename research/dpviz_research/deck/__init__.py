"""How the stage's copy of deck.gl is made, for maintainers."""
