"""The ledger: what was registered and charged, as a chain of rows that nobody can change unseen."""
