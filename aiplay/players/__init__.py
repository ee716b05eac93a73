"""The players: one file for each kind."""
