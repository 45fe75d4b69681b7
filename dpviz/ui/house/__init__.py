"""Pages that only a hosted house has: data, requests, audit."""
