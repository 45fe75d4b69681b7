"""The methods of the papers, one module a method."""
