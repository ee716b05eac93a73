"""Searches that mix their moves by regret."""
