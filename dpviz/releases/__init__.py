"""The door: request, release, ledger, store, publish, export, privacy label."""
