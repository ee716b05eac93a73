"""Search over the contract; no game is named here."""
