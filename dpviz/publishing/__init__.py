"""Who may publish, and the door: request, approval, charge, run, store."""
