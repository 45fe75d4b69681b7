"""The public map beneath: the bundled world and maps that a user added. Reads no records."""
