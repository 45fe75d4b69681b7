"""The signed-in person, on every page of a hosted house."""
