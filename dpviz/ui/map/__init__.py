"""Maps: what is on them as plain data, how each layer looks, and the scene of a whole stage. Nothing here draws."""
