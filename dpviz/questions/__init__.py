"""Questions to a release: counts and shares of areas with their error, and synthetic releases around it."""
