"""The page *Choose*: a curator moves the level, sees what it costs and what it risks, and publishes."""
