"""Shared by all searches: clock and stop flag, memory for states, values of positions, playouts."""
